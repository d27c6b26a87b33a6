//! Iterative deepening over a textbook game: the papers' experiments run every algorithm so (TR section 4.1).

use super::driver::{Bisect, Bracket, DualStar, MtdF, SssStar, Step, aspirate, drive};
use super::game::{Game, Halt};
use super::memory::Memory;
use super::mt::{Counts, Search};
use super::{Stopped, Tree, Window};
use crate::minimax::mtd_best::{Contest, Prover, Strategy};
use std::ops::RangeInclusive;

/// Who asks the questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// MTD(f).
    MtdF,
    /// MTD-best; its value is a bound.
    MtdBest(Strategy),
    /// MTD-bi.
    MtdBi,
    /// MTD-step in strides of so many units of value.
    MtdStep(i32),
    /// SSS* as MTD(+inf).
    SssStar,
    /// DUAL* as MTD(-inf).
    DualStar,
    /// NegaScout in a window of so many units of value to both sides of the guess.
    AspirationNegaScout(i32),
    /// NegaScout in an open window.
    NegaScout,
    /// Alpha-Beta in an open window.
    AlphaBeta,
}

/// Where an iteration begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guess {
    /// At the value of the iteration before.
    Previous,
    /// At the value of two iterations before, where values swing between odd and even depths (IJCAI 5.2).
    TwoBack,
}

/// A completed iteration.
#[derive(Clone, Debug)]
pub struct Iteration {
    /// Its depth in plies.
    pub depth: u32,
    /// Its value; MTD-best gives a bound.
    pub value: i32,
    /// The index of its move; `None` when the game is over.
    pub best: Option<usize>,
    /// Its passes.
    pub passes: u32,
    /// Everything counted since the search was made.
    pub counts: Counts,
}

/// Searches the root to one depth after the other and hands every completed iteration to `each`. The first
/// iteration starts from `first`.
pub fn deepen<G: Game<Value = i32>, M: Memory<i32>, H: Halt>(
    search: &mut Search<G, M, H>,
    algorithm: Algorithm,
    depths: RangeInclusive<u32>,
    (guess, first): (Guess, i32),
    mut each: impl FnMut(&Iteration),
) -> Result<(), Stopped> {
    let (mut last, mut before) = (first, first);
    for depth in depths {
        search.depth = depth;
        search.memory.age();
        let from = if guess == Guess::TwoBack && depth > 2 { before } else { last };
        let (value, best, passes) = iterate(search, algorithm, from)?;
        (before, last) = (last, value);
        each(&Iteration { depth, value, best, passes, counts: search.counts.clone() });
    }
    Ok(())
}

/// One depth from a guess: value, best move, passes.
pub fn iterate<G: Game<Value = i32>, M: Memory<i32>, H: Halt>(
    search: &mut Search<G, M, H>,
    algorithm: Algorithm,
    guess: i32,
) -> Result<(i32, Option<usize>, u32), Stopped> {
    search.manner.scouts = algorithm != Algorithm::AlphaBeta;
    let mut bracket = Bracket::new(-G::LIMIT, G::LIMIT, guess.clamp(1 - G::LIMIT, G::LIMIT - 1));
    match algorithm {
        Algorithm::MtdF => drive(search, &MtdF, &mut bracket)?,
        Algorithm::MtdBi => drive(search, &Bisect, &mut bracket)?,
        Algorithm::MtdStep(stride) => drive(search, &Step(stride), &mut bracket)?,
        Algorithm::SssStar => drive(search, &SssStar, &mut bracket)?,
        Algorithm::DualStar => drive(search, &DualStar, &mut bracket)?,
        Algorithm::AspirationNegaScout(width) => aspirate(search, width, &mut bracket)?,
        Algorithm::NegaScout | Algorithm::AlphaBeta => {
            let window = Window::new(-G::LIMIT, G::LIMIT);
            bracket.learn(window, search.test(window)?);
        }
        Algorithm::MtdBest(strategy) => return prove(search, strategy, guess),
    }
    Ok((bracket.value(), search.best, bracket.passes))
}

/// MTD-best: the root's moves are its forest, the one believed best stands first.
fn prove<G: Game<Value = i32>, M: Memory<i32>, H: Halt>(
    search: &mut Search<G, M, H>,
    strategy: Strategy,
    guess: i32,
) -> Result<(i32, Option<usize>, u32), Stopped> {
    let moves = search.root.moves().len();
    if moves == 0 {
        return Ok((search.root.evaluate(), None, 0));
    }
    let mut contest = Contest::new(moves, -G::LIMIT, G::LIMIT, guess);
    contest.best = search.best.unwrap_or(0);
    let prover = Prover { strategy, grid: 1, exempt: G::LIMIT };
    prover.prove(search, &mut contest, guess)?;
    search.best = Some(contest.best);
    Ok((contest.bound(), search.best, contest.passes))
}
