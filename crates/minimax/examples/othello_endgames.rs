//! Othello endgames solved to the last disc by every driver, beside their published scores: values must
//! agree, and the visits show how the drivers differ where nothing is estimated.
//!
//! `cargo run --release -p plumb-minimax --example othello_endgames -- FILE.obf... [--visits N] [--bits B]
//! [--most E]`:
//! OBF files (a board of 64 letters, the side to move, `MOVE:SCORE;`), a limit of visits for a search
//! (100,000,000), the size of the table (2^B entries, 22), the most empty squares of a position (64). Rows of
//! CSV on standard output, a summary on standard error.

use plumb_minimax::deepening::iterate;
use plumb_minimax::drivers::{Algorithm, Driver, DriverSettings};
use plumb_minimax::games::othello::square_name;
use plumb_minimax::games::othello_endgame::{EmptySquares, Endgame, Published};
use plumb_minimax::ins::{Ins, NODE_BYTES};
use plumb_minimax::memory::FixedSizeTable;
use plumb_minimax::mt::{Counts, MtOptions, Search};
use plumb_minimax::random::SplitMix64;
use plumb_minimax::replacement::Replacement;
use plumb_minimax::{Game, Window};
use std::process::ExitCode;

/// Drivers in the order of the rows; NegaScout's window is two discs on either side of its guess.
const DRIVERS: [Driver; 9] = [
    Driver::MtdF,
    Driver::MtdBest,
    Driver::BestNode,
    Driver::MtdBi,
    Driver::SssStar,
    Driver::DualStar,
    Driver::NegaScout,
    Driver::PlainNegaScout,
    Driver::AlphaBeta,
];

/// Bytes that INS may take for what it knows of subtrees.
const INS_BYTES: usize = 1 << 30;

/// Files and limits, as the command line names them.
struct Plan {
    files: Vec<String>,
    visits: u64,
    bits: u32,
    most_empties: u32,
}

impl Plan {
    fn read(words: impl Iterator<Item = String>) -> Result<Plan, String> {
        let mut plan = Plan { files: Vec::new(), visits: 100_000_000, bits: 22, most_empties: 64 };
        let mut words = words;
        while let Some(word) = words.next() {
            let mut number = || {
                let value = words.next().unwrap_or_default();
                value.parse::<u64>().map_err(|_| format!("{word} '{value}' is no number"))
            };
            match word.as_str() {
                "--visits" => plan.visits = number()?,
                "--bits" => plan.bits = u32::try_from(number()?).map_or(30, |bits| bits.clamp(2, 30)),
                "--most" => plan.most_empties = u32::try_from(number()?).unwrap_or(64),
                _ => plan.files.push(word),
            }
        }
        if plan.files.is_empty() { Err("name OBF files".to_owned()) } else { Ok(plan) }
    }
}

/// The result of a search: value or bound, and move; `None` where the visits did not suffice. And its counts.
type Solved = (Option<(i32, Option<usize>)>, Counts);

fn solve(game: &Endgame, driver: Driver, plan: &Plan) -> Solved {
    let table = FixedSizeTable::new(plan.bits, Replacement::default());
    let most = plan.visits;
    let stop = move |visits: u64| visits >= most;
    let mut search = Search::with_stop(*game, game.plies(), table, MtOptions::default(), stop);
    let settings = DriverSettings { aspiration_window: 2, ..DriverSettings::EXACT };
    let Algorithm { driver, parameters } = driver.with(settings);
    let found = iterate(&mut search, Algorithm { driver, parameters }, 0);
    (found.ok().map(|(value, best, _)| (value, best)), search.counts)
}

fn solve_by_ins(game: &Endgame, plan: &Plan) -> Solved {
    let most = plan.visits;
    let mut search = Ins::with_stop(move |visits: u64| visits >= most, INS_BYTES / NODE_BYTES);
    let window = Window::new(-Endgame::LIMIT, Endgame::LIMIT);
    let found = search.search(game, game.plies(), window);
    (found.ok(), search.traversal.counts)
}

/// Visits and leaves of every search of a position, in the order of the rows; `None` for one that was ended.
type Effort = Vec<Option<[u64; 2]>>;

/// The name of the searches, in the order of the rows.
fn names() -> Vec<String> {
    DRIVERS.iter().map(ToString::to_string).chain(["INS".to_owned()]).collect()
}

/// Rows of a position; its efforts, and the number of values and moves that contradict the published scores.
fn rows(number: usize, published: &Published, plan: &Plan) -> (Effort, usize) {
    let game = Endgame { position: published.position, empty_squares: EmptySquares::ToTheWinner };
    let empties = game.position.empties();
    let best = published.scores.iter().map(|(_, score)| *score).max();
    let told = best.map_or_else(String::new, |score| score.to_string());
    let (mut efforts, mut wrong) = (Vec::new(), 0);
    let searches = DRIVERS.iter().map(|driver| (driver.gives_value(), solve(&game, *driver, plan)));
    let ins = std::iter::once_with(|| (true, solve_by_ins(&game, plan)));
    let moves = game.moves();
    for (driver, (gives_value, (found, counts))) in names().iter().zip(searches.chain(ins)) {
        let m = found.and_then(|(_, index)| index).and_then(|index| moves.get(index));
        let of_move = m.and_then(|m| published.scores.iter().find(|(known, _)| known == m));
        // A position without published scores, and a search that was ended, contradict nothing.
        let agrees = found.zip(best).is_none_or(|((value, _), best)| {
            (value == best || !gives_value) && of_move.is_none_or(|(_, score)| *score == best)
        });
        wrong += usize::from(!agrees);
        let shown = found.map_or_else(String::new, |(value, _)| value.to_string());
        let played = m.map_or_else(String::new, |&m| square_name(m));
        let Counts { leaf, interior, table, .. } = counts;
        let visits = counts.total();
        efforts.push(found.map(|_| [visits, leaf]));
        println!(
            "{number},{empties},{driver},{shown},{played},{told},{agrees},{visits},{leaf},{interior},{table}"
        );
    }
    (efforts, wrong)
}

/// Geometric mean.
fn mean(ratios: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = ratios.len().max(1) as f64;
    (ratios.map(f64::ln).sum::<f64>() / count).exp()
}

/// The searches beside NegaScout over the positions that all of them solved: geometric means of the ratios,
/// with 95 % by bootstrap over positions.
fn summary(all: &[Effort]) {
    const RESAMPLES: usize = 2000;
    let whole: Vec<Vec<[u64; 2]>> = all.iter().filter_map(|one| one.iter().copied().collect()).collect();
    let Some(base) = DRIVERS.iter().position(|driver| *driver == Driver::NegaScout) else { return };
    eprintln!("{} of {} positions were solved by every search", whole.len(), all.len());
    eprintln!("| search | solved | visits, in % of NegaScout | leaves |\n|---|--:|--:|--:|");
    for (at, name) in names().iter().enumerate() {
        let ratio =
            |position: &Vec<[u64; 2]>, what: usize| position[at][what] as f64 / position[base][what] as f64;
        let visits: Vec<f64> = whole.iter().map(|position| ratio(position, 0)).collect();
        let leaves = mean(whole.iter().map(|position| ratio(position, 1)));
        let mut random = SplitMix64::new(1995);
        let mut resampled: Vec<f64> = (0..if visits.is_empty() { 0 } else { RESAMPLES })
            .map(|_| mean((0..visits.len()).map(|_| visits[random.below(visits.len())])))
            .collect();
        resampled.sort_by(f64::total_cmp);
        let edge = |part: usize| 100.0 * resampled.get(part).copied().unwrap_or(f64::NAN);
        let (low, high) = (edge(RESAMPLES / 40), edge(RESAMPLES - RESAMPLES / 40 - 1));
        let solved = all.iter().filter(|one| one[at].is_some()).count();
        let visits = 100.0 * mean(visits.iter().copied());
        eprintln!("| {name} | {solved} | {visits:.1} [{low:.1}, {high:.1}] | {:.1} |", 100.0 * leaves);
    }
}

fn run() -> Result<usize, String> {
    let plan = Plan::read(std::env::args().skip(1))?;
    println!("position,empties,driver,value,move,published,agrees,visits,leaves,interior,table");
    let (mut number, mut wrong, mut efforts) = (0, 0, Vec::new());
    for file in &plan.files {
        let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
        for (line, text) in text.lines().enumerate().filter(|(_, text)| !text.trim().is_empty()) {
            number += 1;
            let read = text.split_once('%').map_or(text, |(before, _)| before).parse::<Published>();
            let published = read.map_err(|error| format!("{file}:{}: {error}", line + 1))?;
            if published.position.empties() <= plan.most_empties {
                eprintln!("{file}:{}: {} empty squares", line + 1, published.position.empties());
                let (effort, contradicted) = rows(number, &published, &plan);
                efforts.push(effort);
                wrong += contradicted;
            }
        }
    }
    summary(&efforts);
    Ok(wrong)
}

fn main() -> ExitCode {
    match run() {
        Ok(0) => ExitCode::SUCCESS,
        Ok(wrong) => {
            eprintln!("{wrong} searches contradict the published scores");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("othello_endgames: {error}");
            ExitCode::from(2)
        }
    }
}
