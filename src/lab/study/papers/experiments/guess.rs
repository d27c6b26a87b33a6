//! First guess of MTD(f): the size of its trees against the error of the guess (TR figure 10, IJCAI figure
//! 4).

use super::othello::OTHELLO;
use super::searches::case;
use crate::lab::base::pages::chart::{Axis, Chart, Series};
use crate::lab::base::pages::table::{Table, percent};
use crate::lab::base::statistics::ratios::{Estimate, ratio};
use crate::lab::study::papers::experiment::{
    Claim, Description, Experiment, Scale, Section, Unfinished, Unit, Verdict, Work, cell, point_in_per_cent,
};
use crate::minimax::deepening::iterate;
use crate::minimax::drivers::{Algorithm, Driver};
use crate::minimax::memory::FixedSizeTable;
use crate::minimax::mt::{MtOptions, Search};
use crate::minimax::replacement::Replacement;
use crate::minimax::{Game, Memory as _, Stopped};
use crate::search::textbook::chess_game::ChessGame;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The experiment `guess`.
pub struct Guess;

/// A game that is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Board {
    Othello,
    Chess,
}

struct GuessProtocol {
    positions: usize,
    depth: u32,
    /// The table has 2^bits entries.
    bits: u32,
    /// The baseline's window, in units of value.
    window: i32,
    /// Errors of the guess on one side, in units of value.
    errors: &'static [i32],
}

impl Board {
    const ALL: [Board; 2] = [Board::Othello, Board::Chess];

    const fn name(self) -> &'static str {
        match self {
            Board::Othello => "Othello",
            Board::Chess => "chess",
        }
    }

    const fn unit(self) -> &'static str {
        match self {
            Board::Othello => "hundredths of a disc",
            Board::Chess => "hundredths of a pawn",
        }
    }

    const fn protocol(self, scale: Scale) -> GuessProtocol {
        let errors: &[i32] = match self {
            Board::Othello => &[0, 50, 100, 200, 400, 800, 1600, 3200],
            Board::Chess => &[0, 5, 10, 25, 50, 100, 200, 400],
        };
        let (positions, depth, bits) = match (self, scale) {
            (Board::Othello, Scale::Quick) => (12, 7, 20),
            (Board::Othello, Scale::Full) => (50, 10, 21),
            (Board::Chess, Scale::Quick) => (12, 4, 20),
            (Board::Chess, Scale::Full) => (30, 6, 21),
        };
        let window = match self {
            // The best one of the experiment `othello` at depths 5 to 8; near the best one of `chess`.
            Board::Othello => 12,
            Board::Chess => 10,
        };
        GuessProtocol { positions, depth, bits, window, errors }
    }
}

/// The errors from the greatest below the value to the greatest above.
fn errors(protocol: &GuessProtocol) -> Vec<i32> {
    let below = protocol.errors.iter().rev().map(|error| -error).filter(|&error| error < 0);
    below.chain(protocol.errors.iter().copied()).collect()
}

/// Visits between two polls of the stop flag.
const POLL: u64 = 1 << 10;

/// A row: the leaves with an error, with the baseline's leaves beside them.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct GuessRow {
    game: String,
    position: usize,
    error: i32,
    leaves: u64,
    base: u64,
}

/// Iterative deepening with the baseline, then with MTD(f) from guesses that are wrong by each of the errors
/// in every iteration.
fn measure<G: Game<Value = i32>>(
    (board, position): (Board, usize),
    root: &G,
    protocol: &GuessProtocol,
    work: &Work<'_>,
) -> Result<Vec<GuessRow>, Unfinished> {
    // One table for all searches, emptied before each: a new one takes as long as a search of the quick
    // protocol.
    let mut spare = Some(work.table(protocol.bits, Replacement::DepthAge)?);
    let mut run = |algorithm: Algorithm<'_>, guess: &mut dyn FnMut(u32, i32) -> i32| {
        let halt = |visits: u64| visits.is_multiple_of(POLL) && work.stop.is_set();
        let mut memory: FixedSizeTable<i32> = spare.take().ok_or(Stopped)?;
        memory.clear();
        let mut search = Search::with_stop(root.clone(), 1, memory, MtOptions::default(), halt);
        let mut values = vec![root.evaluate()];
        for depth in 1..=protocol.depth {
            search.depth = depth;
            search.memory.age();
            let from = guess(depth, values[values.len() - 1]);
            values.push(iterate(&mut search, algorithm, from)?.0);
        }
        let leaves = search.counts.leaf;
        spare = Some(search.memory);
        Ok::<_, Stopped>((values, leaves))
    };
    let (values, base) = run(Driver::NegaScout.with_window(protocol.window), &mut |_, last| last)?;
    let mut distorted = |error: i32| {
        let (_, leaves) =
            run(Driver::MtdF.exact(), &mut |depth, _| values[depth as usize].saturating_add(error))?;
        Ok(GuessRow { game: board.name().to_owned(), position, error, leaves, base })
    };
    errors(protocol).into_iter().map(&mut distorted).collect()
}

impl Guess {
    /// Unit `index` as a game and a position of it.
    fn unit(scale: Scale, index: usize) -> Option<(Board, usize)> {
        let units = Board::ALL
            .iter()
            .flat_map(|&board| (0..board.protocol(scale).positions).map(move |position| (board, position)));
        units.into_iter().nth(index)
    }
}

impl Experiment for Guess {
    type Row = GuessRow;

    fn about(&self) -> Description {
        Description {
            name: "guess",
            title: "Tree size against the error of the first guess (TR figure 10, IJCAI figure 4)",
            is_own: false,
            columns: &["game", "position", "error (units)", "leaves", "leaves of AspNegaScout"],
        }
    }

    fn units(&self, scale: Scale) -> Vec<Unit> {
        let name = |(board, position): (Board, usize)| Unit {
            name: format!("{} position {}", board.name(), position + 1),
            weight: if board == Board::Chess { 2.0 } else { 1.0 },
        };
        (0..).map_while(|index| Guess::unit(scale, index)).map(name).collect()
    }

    fn run(&self, scale: Scale, index: usize, work: &Work<'_>) -> Result<Vec<GuessRow>, Unfinished> {
        let unit @ (board, position) = Guess::unit(scale, index).ok_or(Unfinished::Empty)?;
        let protocol = board.protocol(scale);
        match board {
            Board::Othello => {
                let positions = (OTHELLO.positions)(protocol.positions);
                measure(unit, positions.get(position).ok_or(Unfinished::Empty)?, &protocol, work)
            }
            Board::Chess => {
                let root = ChessGame::with_equal_mates(case(position)?.position().clone());
                measure(unit, &root, &protocol, work)
            }
        }
    }

    fn conclude(&self, scale: Scale, rows: &[GuessRow]) -> Section {
        let mut section = Section { protocol: protocol_text(scale), ..Section::default() };
        for board in Board::ALL {
            let curve = curve(board, rows);
            section.claims.push(claim(board, &curve));
            if !curve.is_empty() {
                section.tables.push((format!("{}, % of AspNegaScout", board.name()), table(board, &curve)));
                section.charts.push(chart(board, &curve));
            }
        }
        section
    }
}

fn protocol_text(scale: Scale) -> Vec<String> {
    let of = |board: Board| {
        let GuessProtocol { positions, depth, bits, window, .. } = board.protocol(scale);
        format!(
            "{}: {positions} positions, depth {depth}, table of 2^{bits} entries, window {window} {}.",
            board.name(),
            board.unit()
        )
    };
    let mut text = vec![
        "Iterative deepening MTD(f) whose first guess in every iteration is the value of that iteration plus \
         the error; leaves cumulative over the iterations, relative to Aspiration NegaScout on the same \
         table. Left of 0 it resembles DUAL*, right of 0 SSS*."
            .to_owned(),
    ];
    text.extend(Board::ALL.map(of));
    text
}

/// Leaves relative to the baseline by error, in rising order.
fn curve(board: Board, rows: &[GuessRow]) -> Vec<(i32, Estimate)> {
    let mut pairs: BTreeMap<i32, Vec<(f64, f64)>> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.game == board.name()) {
        pairs.entry(row.error).or_default().push((row.leaves as f64, row.base as f64));
    }
    let estimate = |(error, pairs): (i32, Vec<(f64, f64)>)| Some((error, ratio(&pairs, 1995)?.totals));
    pairs.into_iter().filter_map(estimate).collect()
}

/// The least and the greatest error with which MTD(f) is still below the baseline, around 0.
fn useful(curve: &[(i32, Estimate)]) -> Option<(i32, i32)> {
    let below = |error: i32| curve.iter().any(|(at, ratio)| *at == error && ratio.value < 1.0);
    if !below(0) {
        return None;
    }
    let ends = |errors: &mut dyn Iterator<Item = i32>| errors.take_while(|&error| below(error)).last();
    let low = ends(&mut curve.iter().rev().map(|point| point.0).filter(|&error| error <= 0));
    let high = ends(&mut curve.iter().map(|point| point.0).filter(|&error| error >= 0));
    Some((low.unwrap_or(0), high.unwrap_or(0)))
}

/// An exact guess must save leaves beyond doubt, and a bad one on either side must cost more than it.
fn judge(exact: Estimate, rises: bool) -> Verdict {
    let (low, high) = exact.interval;
    match rises {
        true if high < 1.0 => Verdict::Holds,
        true if low < 1.0 => Verdict::Open,
        true => Verdict::Partly,
        false => Verdict::Fails,
    }
}

fn claim(board: Board, curve: &[(i32, Estimate)]) -> Claim {
    let exact = curve.iter().find(|(error, _)| *error == 0).map(|point| point.1);
    let ends = curve.first().zip(curve.last());
    let (ours, rises) = match (exact, ends) {
        (Some(exact), Some(((low, left), (high, right)))) => {
            let text = format!(
                "{} % with an exact guess, {} % at {low}, {} % at +{high}; {}",
                percent(exact.value),
                percent(left.value),
                percent(right.value),
                match useful(curve) {
                    Some((low, high)) => format!("below 100 % from {low} to +{high} {}", board.unit()),
                    None => "never below 100 %".to_owned(),
                }
            );
            (text, left.value > exact.value && right.value > exact.value)
        }
        _ => ("-".to_owned(), false),
    };
    let paper = match board {
        Board::Othello => "below 100 % between -15 and +10 discs of +-64",
        Board::Chess => "similar to Othello",
    };
    Claim {
        source: "IJCAI section 4, figure 4; TR figure 10",
        claim: format!(
            "{}: with a first guess near the value MTD(f) evaluates fewer leaves than Aspiration \
            NegaScout.",
            board.name()
        ),
        paper: paper.to_owned(),
        ours,
        why: "The tree grows with the error on both sides. The errors with which MTD(f) still needs fewer \
            leaves depend on the resolution of the evaluation and on the baseline's window."
            .to_owned(),
        ..Claim::judged([exact], |[exact]| exact.map_or(Verdict::Open, |exact| judge(exact, rises)))
    }
}

fn table(board: Board, curve: &[(i32, Estimate)]) -> Table {
    let mut table = Table::new(0, [format!("error ({})", board.unit()), "leaves".to_owned()]);
    for (error, estimate) in curve {
        table.row([error.to_string(), cell(Some(*estimate))]);
    }
    table
}

fn chart(board: Board, curve: &[(i32, Estimate)]) -> Chart {
    let point = |&(error, estimate): &(i32, Estimate)| point_in_per_cent(error, estimate);
    Chart {
        name: format!("guess-{}", board.name().to_lowercase()),
        title: format!("{}: leaves of MTD(f) by the error of its first guess", board.name()),
        x: Axis::logarithmic(format!("error of the first guess (guess − value) in {}", board.unit())),
        y: Axis::linear("cumulative leaf evaluations, % of Aspiration NegaScout"),
        series: vec![Series::measured("MTD(f)", curve.iter().map(point).collect())],
        level: Some(100.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::base::terminal::interrupted::Stop;

    #[test]
    fn positions_are_measured_and_concluded_on() {
        let protocol = GuessProtocol { depth: 4, bits: 14, ..Board::Othello.protocol(Scale::Quick) };
        let mut rows = Vec::new();
        for (index, root) in (OTHELLO.positions)(20).iter().enumerate() {
            let work = measure((Board::Othello, index), root, &protocol, &Work::new(&Stop::default()));
            rows.extend(work.unwrap());
        }
        let leaves = |wanted: i32| rows.iter().find(|found| found.error == wanted).unwrap().leaves;
        assert!(leaves(0) < leaves(3200) && leaves(0) < leaves(-3200), "{rows:?}");
        let section = Guess.conclude(Scale::Quick, &rows);
        assert_eq!((section.charts.len(), section.tables.len(), section.claims.len()), (1, 1, 2));
        assert_ne!(section.claims[0].verdict, Verdict::Open);
        assert_eq!(section.claims[1].verdict, Verdict::Open);
    }

    #[test]
    fn the_useful_range_ends_where_the_curve_leaves_it() {
        let at = |value| Estimate { value, interval: (value, value) };
        let curve = [(-9, at(0.9)), (-4, at(1.1)), (-1, at(0.9)), (0, at(0.8)), (2, at(0.9)), (5, at(1.2))];
        assert_eq!(useful(&curve), Some((-1, 2)));
        assert_eq!(useful(&curve[..2]), None);
    }

    #[test]
    fn a_verdict_needs_an_interval_below_the_baseline() {
        let at = |low, high| Estimate { value: 0.95, interval: (low, high) };
        assert_eq!(judge(at(0.9, 0.99), true), Verdict::Holds);
        assert_eq!(judge(at(0.9, 1.01), true), Verdict::Open);
        assert_eq!(judge(at(1.01, 1.1), true), Verdict::Partly);
        assert_eq!(judge(at(0.9, 0.99), false), Verdict::Fails);
    }
}
