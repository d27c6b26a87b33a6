//! Othello endgames solved to the last disc by every driver, beside their published scores: values must agree, and the
//! visits show how the drivers differ where nothing is estimated.
//!
//! `cargo run --release -p plumb-minimax --example othello_endgames -- FILE.obf... [--visits N] [--bits B] [--most E]`: OBF
//! files (a board of 64 letters, the side to move, `MOVE:SCORE;`), a limit of visits for a search (100,000,000), the
//! size of the table (2^B entries, 22), the most empty squares of a position (64). Rows of CSV on standard output.

use plumb_minimax::deepening::iterate;
use plumb_minimax::drivers::{Algorithm, Driver, DriverSettings};
use plumb_minimax::games::othello_endgame::{EmptySquares, Endgame, Published, name};
use plumb_minimax::ins::{Ins, NODE_BYTES};
use plumb_minimax::memory::FixedSizeTable;
use plumb_minimax::mt::{Counts, MtOptions, Search};
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

/// What is measured, by the words of the command line.
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

/// Rows of a position; the number of values and moves that contradict the published scores.
fn rows(number: usize, published: &Published, plan: &Plan) -> usize {
    let game = Endgame { position: published.position, empty_squares: EmptySquares::ToTheWinner };
    let empties = game.position.empties();
    let best = published.scores.iter().map(|(_, score)| *score).max();
    let told = best.map_or_else(String::new, |score| score.to_string());
    let mut wrong = 0;
    let searches =
        DRIVERS.iter().map(|driver| (driver.to_string(), driver.gives_value(), solve(&game, *driver, plan)));
    let ins = std::iter::once_with(|| ("INS".to_owned(), true, solve_by_ins(&game, plan)));
    let moves = game.moves();
    for (driver, gives_value, (found, counts)) in searches.chain(ins) {
        let m = found.and_then(|(_, index)| index).and_then(|index| moves.get(index));
        let of_move = m.and_then(|m| published.scores.iter().find(|(known, _)| known == m));
        // A position without published scores, and a search that was ended, contradict nothing.
        let agrees = found.zip(best).is_none_or(|((value, _), best)| {
            (value == best || !gives_value) && of_move.is_none_or(|(_, score)| *score == best)
        });
        wrong += usize::from(!agrees);
        let shown = found.map_or_else(String::new, |(value, _)| value.to_string());
        let played = m.map_or_else(String::new, |m| name(*m).to_string());
        let Counts { leaf, interior, table, .. } = counts;
        let visits = counts.total();
        println!(
            "{number},{empties},{driver},{shown},{played},{told},{agrees},{visits},{leaf},{interior},{table}"
        );
    }
    wrong
}

fn run() -> Result<usize, String> {
    let plan = Plan::read(std::env::args().skip(1))?;
    println!("position,empties,driver,value,move,published,agrees,visits,leaves,interior,table");
    let (mut number, mut wrong) = (0, 0);
    for file in &plan.files {
        let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
        for (line, text) in text.lines().enumerate().filter(|(_, text)| !text.trim().is_empty()) {
            number += 1;
            let read = text.split_once('%').map_or(text, |(before, _)| before).parse::<Published>();
            let published = read.map_err(|error| format!("{file}:{}: {error}", line + 1))?;
            if published.position.empties() <= plan.most_empties {
                eprintln!("{file}:{}: {} empty squares", line + 1, published.position.empties());
                wrong += rows(number, &published, &plan);
            }
        }
    }
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
