//! The drivers by name, and the one dispatch over them: MTD(f), MTD-best, Best Node Search, MTD-bi, MTD-step,
//! MTD-opt, SSS\*, DUAL\*, Aspiration NegaScout, NegaScout and Alpha-Beta.
//!
//! The engine's root, Othello, checkers and the textbook trees are all searched by [`Driver::close`]. Adding
//! a driver is a policy in [`super::driver`], a variant with its names in [`Driver`], and an arm in
//! [`Driver::close`]: the match has no catch-all arm, so that a driver without one does not compile. Options,
//! tables, `plumb compare` and the tests take the drivers from [`Driver::ALL`]. A number that a user may set
//! is a field of [`DriverSettings`], which goes from the options to [`Driver::close`] as it is.

use super::best_node::BestNodeSearch;
use super::driver::{
    Bisect, Bracket, DualStar, GrowingSteps, MtdF, Policy, Snap, SssStar, Step, Tree, aspirate, drive,
};
use super::mtd_best::{BestMoveProof, Prover, RootMoves, Strategy};
use super::optimal::{Optimal, OptimalTable};
use super::optimal_table;
use super::shared_bracket::OffsetPolicy;
use super::{Stopped, Window};
use crate::choice;

choice! {
    /// A driver: it chooses the windows in which the root is searched, one after another.
    Driver {
        /// MTD(f): null windows that walk from a first guess (TR figure 8, IJCAI figure 3).
        #[default]
        MtdF = "MTD(f)" / "mtdf",
        /// MTD-best: proves which root move is best, not what it is worth (TR section 3.3).
        MtdBest = "MTD-best" / "mtd-best",
        /// Best Node Search: a bound that one root move reaches and no other (Rutko 2011).
        BestNode = "BNS" / "bns",
        /// MTD-bi: bisection, Coplan's C* (TR section 3.3).
        MtdBi = "MTD-bi" / "mtd-bi",
        /// MTD-step: from above in steps (TR section 3.3).
        MtdStep = "MTD-step" / "mtd-step",
        /// MTD-opt: null windows of least expected cost, from a table ([`super::optimal`]).
        MtdOpt = "MTD-opt" / "mtd-opt",
        /// SSS* as MTD(+inf) (TR figure 2).
        SssStar = "SSS*" / "sss",
        /// DUAL* as MTD(-inf).
        DualStar = "DUAL*" / "dual",
        /// Aspiration NegaScout: the papers' baseline, 100 %.
        NegaScout = "NegaScout" / "negascout",
        /// NegaScout in an open window.
        PlainNegaScout = "PlainNegaScout" / "plain-negascout",
        /// Alpha-Beta in an open window, with no null windows at all.
        AlphaBeta = "AlphaBeta" / "alphabeta",
    }
}

choice! {
    /// Steps of MTD(f) from its guess to the value.
    Stepping {
        /// On a grid, by steps that grow when several passes in a row fail to the same side: fewer passes.
        #[default]
        GrowingSteps = "strides",
        /// From the last returned value, as in the papers; always so without a grid.
        Plain = "plain",
    }
}

/// Settings of the drivers, as a user sets them, in the game's unit of value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DriverSettings {
    /// Bounds are multiples of this; 1 = exact.
    pub grid: i32,
    /// Steps of MTD(f) on a grid.
    pub stepping: Stepping,
    /// The step of MTD-step.
    pub stride: i32,
    /// Half the first window of Aspiration NegaScout, and the first range of Best Node Search.
    pub aspiration_window: i32,
    /// Strategy of MTD-best: the bound that is proven first (TR section 3.3).
    pub strategy: Strategy,
}

impl DriverSettings {
    /// Exact bounds, and the papers' steps.
    pub const EXACT: DriverSettings = DriverSettings {
        grid: 1,
        stepping: Stepping::Plain,
        stride: 1,
        aspiration_window: 1,
        strategy: Strategy::ProveBest,
    };
}

/// Parameters of the drivers: their settings, and what the search knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DriverParameters<'t> {
    /// The settings.
    pub settings: DriverSettings,
    /// From this absolute value on bounds are not snapped to the grid (mates).
    pub exempt: i32,
    /// The table of MTD-opt.
    pub optimal: &'t OptimalTable,
    /// The change of the value in the last iteration, which MTD-opt reads; 0 = none is known.
    pub change: i32,
    /// The number of this thread among those that share the bracket; 0 = the main thread, or the only one.
    pub thread_id: usize,
}

impl DriverParameters<'_> {
    /// Exact bounds, and the papers' steps.
    pub const EXACT: DriverParameters<'static> = DriverParameters::of(DriverSettings::EXACT);

    /// Parameters with these settings, for a single thread, without a change of the last iteration.
    #[must_use]
    pub const fn of(settings: DriverSettings) -> DriverParameters<'static> {
        DriverParameters {
            settings,
            exempt: i32::MAX,
            optimal: &optimal_table::PAPER,
            change: 0,
            thread_id: 0,
        }
    }

    /// Runs the driver loop with a policy whose bounds are snapped to the grid, and offset by the number of
    /// the thread.
    fn drive(
        &self,
        tree: &mut impl Tree<i32>,
        policy: impl Policy<i32>,
        bracket: &mut Bracket<i32>,
    ) -> Result<(), Stopped> {
        let (grid, exempt) = (self.settings.grid, self.exempt);
        let snapped = Snap { policy, grid, exempt };
        drive(tree, &OffsetPolicy::for_thread(snapped, self.thread_id, grid, exempt), bracket)
    }
}

impl Driver {
    /// True if its result is the value of the root. That of MTD-best and of Best Node Search is a move and a
    /// bound.
    #[must_use]
    pub fn gives_value(self) -> bool {
        !matches!(self, Driver::MtdBest | Driver::BestNode)
    }

    /// True if its bounds are multiples of the grid, so that its result is below the value by less than a
    /// step; NegaScout and Alpha-Beta return the value itself.
    #[must_use]
    pub fn has_grid(self) -> bool {
        !matches!(self, Driver::NegaScout | Driver::PlainNegaScout | Driver::AlphaBeta)
    }

    /// True if later moves in an open window are searched with a null window first (NegaScout).
    #[must_use]
    pub fn scouts(self) -> bool {
        self != Driver::AlphaBeta
    }

    /// Searches the tree until the bracket is closed. On a stop the bracket keeps the bounds found so far.
    ///
    /// # Errors
    /// [`Stopped`], when the tree was told to stop.
    pub fn close<T: Tree<i32> + RootMoves>(
        self,
        tree: &mut T,
        parameters: &DriverParameters<'_>,
        bracket: &mut Bracket<i32>,
    ) -> Result<(), Stopped> {
        let settings = &parameters.settings;
        match self {
            Driver::MtdF if settings.stepping == Stepping::GrowingSteps && settings.grid > 1 => {
                parameters.drive(tree, GrowingSteps(settings.grid), bracket)
            }
            Driver::MtdF => parameters.drive(tree, MtdF, bracket),
            Driver::MtdBest => {
                let prover =
                    Prover { strategy: settings.strategy, grid: settings.grid, exempt: parameters.exempt };
                search_moves(tree, bracket, |tree, proof, guess| prover.prove(tree, proof, guess))
            }
            Driver::BestNode => {
                let (width, grid, exempt) = (settings.aspiration_window, settings.grid, parameters.exempt);
                let separator = BestNodeSearch { width, grid, exempt };
                search_moves(tree, bracket, |tree, proof, guess| separator.separate(tree, proof, guess))
            }
            Driver::MtdBi => parameters.drive(tree, Bisect, bracket),
            Driver::MtdStep => parameters.drive(tree, Step(settings.stride), bracket),
            Driver::MtdOpt => {
                let DriverParameters { optimal: table, change, .. } = *parameters;
                parameters.drive(tree, Optimal { table, change }, bracket)
            }
            Driver::SssStar => parameters.drive(tree, SssStar, bracket),
            Driver::DualStar => parameters.drive(tree, DualStar, bracket),
            Driver::NegaScout => aspirate(tree, settings.aspiration_window, bracket),
            Driver::PlainNegaScout | Driver::AlphaBeta => search_open(tree, bracket),
        }
    }

    /// The driver with its exact parameters.
    #[must_use]
    pub const fn exact(self) -> Algorithm<'static> {
        self.with(DriverSettings::EXACT)
    }

    /// The driver with these settings.
    #[must_use]
    pub const fn with(self, settings: DriverSettings) -> Algorithm<'static> {
        Algorithm { driver: self, parameters: DriverParameters::of(settings) }
    }

    /// Aspiration NegaScout with a first window of so much to both sides of the guess.
    #[must_use]
    pub const fn with_window(self, aspiration_window: i32) -> Algorithm<'static> {
        self.with(DriverSettings { aspiration_window, ..DriverSettings::EXACT })
    }

    /// MTD-step with a step.
    #[must_use]
    pub const fn with_stride(self, stride: i32) -> Algorithm<'static> {
        self.with(DriverSettings { stride, ..DriverSettings::EXACT })
    }

    /// MTD-best with a strategy.
    #[must_use]
    pub const fn with_strategy(self, strategy: Strategy) -> Algorithm<'static> {
        self.with(DriverSettings { strategy, ..DriverSettings::EXACT })
    }
}

/// A driver with its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Algorithm<'t> {
    /// The driver.
    pub driver: Driver,
    /// Its parameters.
    pub parameters: DriverParameters<'t>,
}

/// One search in the open window of the bracket.
fn search_open(tree: &mut impl Tree<i32>, bracket: &mut Bracket<i32>) -> Result<(), Stopped> {
    let window = Window::new(bracket.lower, bracket.upper);
    let answer = tree.test(window)?;
    bracket.learn(window, answer);
    Ok(())
}

/// A bracket for every move of the root, for a proof which of them is best (MTD-best, Best Node Search). That
/// of the best move comes back in `bracket`.
fn search_moves<T: Tree<i32> + RootMoves>(
    tree: &mut T,
    bracket: &mut Bracket<i32>,
    prove: impl FnOnce(&mut T, &mut BestMoveProof, i32) -> Result<(), Stopped>,
) -> Result<(), Stopped> {
    if tree.moves() == 0 {
        return search_open(tree, bracket);
    }
    let guess = bracket.last;
    let mut proof = BestMoveProof::new(tree.moves(), bracket.lower, bracket.upper, guess);
    proof.best = tree.candidate();
    proof.reopenings = bracket.reopenings;
    let closed = prove(tree, &mut proof, guess);
    tree.conclude(&proof);
    let crossings = proof.brackets.iter().map(|bracket| bracket.crossings).sum();
    let best = proof.brackets.swap_remove(proof.best);
    *bracket = best;
    bracket.passes = proof.passes;
    bracket.crossings = crossings;
    closed
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A root whose moves have known values.
    struct Moves(Vec<i32>);

    impl Tree<i32> for Moves {
        fn test(&mut self, _window: Window<i32>) -> Result<i32, Stopped> {
            Ok(self.0.iter().copied().max().unwrap_or(-7))
        }
    }

    impl RootMoves for Moves {
        fn moves(&self) -> usize {
            self.0.len()
        }

        fn test_move(&mut self, index: usize, _bound: i32) -> Result<i32, Stopped> {
            Ok(self.0[index])
        }
    }

    fn close(driver: Driver, moves: &[i32], grid: i32) -> Bracket<i32> {
        let mut bracket = Bracket::new(-1000, 1000, 5);
        let settings = DriverSettings { grid, ..DriverSettings::EXACT };
        let parameters = DriverParameters { exempt: 900, ..DriverParameters::of(settings) };
        driver.close(&mut Moves(moves.to_vec()), &parameters, &mut bracket).unwrap();
        bracket
    }

    #[test]
    fn every_driver_closes_the_bracket_on_the_value() {
        for &driver in Driver::ALL {
            for moves in [&[31, 8, 31][..], &[-40], &[0, 70, -70, 69], &[]] {
                let value = moves.iter().copied().max().unwrap_or(-7);
                let exact = close(driver, moves, 1);
                if driver.gives_value() || moves.is_empty() {
                    assert_eq!(exact.value(), value, "{driver}");
                } else {
                    assert!(exact.lower <= value && value <= exact.upper, "{driver}: {exact:?}");
                }
                let error = value - close(driver, moves, 16).value();
                assert!(!driver.gives_value() || (0..16).contains(&error), "{driver}: {error}");
                assert!(driver.has_grid() || error == 0, "{driver}: {error}");
            }
        }
    }

    #[test]
    fn a_driver_is_found_by_both_its_names() {
        for &driver in Driver::ALL {
            assert_eq!(driver.name().parse(), Ok(driver));
            assert_eq!(driver.alias().to_uppercase().parse(), Ok(driver));
        }
        assert!("mtd".parse::<Driver>().is_err());
    }
}
