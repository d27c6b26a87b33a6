//! plumb-minimax beside the crate `minimax` of the registry, on Connect Four and Othello: the same positions
//! to the same depths, in turn in one run. Values must agree; positions looked at and time are compared.
//!
//! `cargo run --release --manifest-path crates/beside/Cargo.toml -- [ROUNDS]`
//!
//! A position looked at is one whose moves were generated or whose value was taken; both libraries count them
//! here, in the game. Answers of the table count nowhere. Both tables have 2^22 entries.

mod connect_four;
mod othello;

use minimax::{IterativeOptions, IterativeSearch, Strategy};
use plumb_minimax::drivers::Driver;
use plumb_minimax::solve::{Limits, Solver};
use std::cell::Cell;
use std::fmt::Debug;
use std::time::{Duration, Instant};

thread_local! {
    /// Positions looked at.
    static LOOKS: Cell<u64> = const { Cell::new(0) };
}

/// Counts a position.
fn look() {
    LOOKS.set(LOOKS.get() + 1);
}

/// Bits of a number spread over all of a key: `minimax` takes the low ones for the place, the high ones for
/// the check.
fn mixed(number: u64) -> u64 {
    let half = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let whole = (half ^ half >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    whole ^ whole >> 31
}

/// A position that both libraries search.
trait Both: plumb_minimax::Game<Value = i32> + Debug {
    /// The game as `minimax` knows it.
    type Theirs: minimax::Game<S = Self, M = Self::Move>;
    /// Its evaluation.
    type Evaluator: minimax::Evaluator<G = Self::Theirs> + Default;
    /// The value that both must agree on, from ours.
    fn ours(value: i32) -> i32;
    /// The same from theirs.
    fn theirs(value: i16) -> i32;
}

/// Bits of the number of entries, and the bytes of one of theirs.
const TABLE_BITS: u32 = 22;
const THEIR_ENTRY: usize = 16;

/// A search: value, positions looked at, time.
type Found = (i32, u64, Duration);

fn timed(search: impl FnOnce() -> i32) -> Found {
    LOOKS.set(0);
    let start = Instant::now();
    let value = search();
    (value, LOOKS.get(), start.elapsed())
}

/// A search by name, which keeps its table.
type Search<B> = (&'static str, Box<dyn FnMut(&B, u8) -> Found>);

fn ours<B: Both>(name: &'static str, driver: Driver) -> Search<B> {
    let mut solver = Solver::new(TABLE_BITS).expect("memory for a table");
    let search = move |position: &B, depth: u8| {
        timed(|| B::ours(solver.solve(position, &Limits::depth(depth.into()), driver).value))
    };
    (name, Box::new(search))
}

/// Their table keeps what earlier searches left: a new one is made for every position, and its making is not
/// timed.
fn theirs<B: Both>(name: &'static str, options: IterativeOptions) -> Search<B>
where
    B::Move: Eq,
{
    let search = move |position: &B, depth: u8| {
        let options = options.with_table_byte_size(THEIR_ENTRY << TABLE_BITS);
        let mut search = IterativeSearch::new(B::Evaluator::default(), options);
        search.set_max_depth(depth);
        timed(|| {
            search.choose_move(position);
            B::theirs(search.root_value())
        })
    };
    (name, Box::new(search))
}

fn searches<B: Both>() -> Vec<Search<B>>
where
    B::Move: Eq,
{
    let options = IterativeOptions::new;
    vec![
        ours("plumb-minimax MTD(f)", Driver::MtdF),
        ours("plumb-minimax NegaScout", Driver::PlainNegaScout),
        theirs("minimax", options()),
        theirs("minimax, MTD(f)", options().with_mtdf()),
        theirs("minimax, countermoves", options().with_countermoves().with_countermove_history()),
    ]
}

/// The median.
fn median<T: PartialOrd + Copy>(mut all: Vec<T>) -> T {
    all.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    all[all.len() / 2]
}

/// Searches the positions by all, in turn; a row each. Times are of all positions of a round, beside our
/// MTD(f)'s.
fn compare<B: Both>(game: &str, positions: &[(B, u8)], rounds: usize)
where
    B::Move: Eq,
{
    let mut searches = searches::<B>();
    let mut looks = vec![Vec::new(); searches.len()];
    let mut times = vec![Vec::new(); searches.len()];
    for _ in 0..rounds {
        let mut of_round = vec![(0, 0.0); searches.len()];
        for (position, depth) in positions {
            let mut value = None;
            for ((name, search), sum) in searches.iter_mut().zip(&mut of_round) {
                let (found, looked, time) = search(position, *depth);
                if *value.get_or_insert(found) != found {
                    println!("{name} finds {found}, not {value:?}, to {depth} plies: {position:?}");
                }
                *sum = (sum.0 + looked, sum.1 + time.as_secs_f64());
            }
        }
        for (at, (looked, time)) in of_round.into_iter().enumerate() {
            looks[at].push(looked);
            times[at].push(time);
        }
    }
    for (at, (name, _)) in searches.iter().enumerate() {
        let ratios: Vec<f64> = times[at].iter().zip(&times[0]).map(|(one, first)| one / first).collect();
        let (least, most) = ratios.iter().fold((f64::MAX, 0.0_f64), |(l, m), &r| (l.min(r), m.max(r)));
        let looked = median(looks[at].clone());
        println!(
            "| {game} | {name} | {looked} | {:.2} [{least:.2}, {most:.2}] | {:.0} |",
            median(ratios),
            median(times[at].clone()) * 1e9 / looked as f64
        );
    }
}

/// Lines of code of a source, without comments.
fn lines(source: &str) -> usize {
    let code = source.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//"));
    code.count()
}

fn main() {
    let rounds = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(3);
    println!("| game | search | positions looked at | time, of our MTD(f) [least, most] | ns each |");
    println!("|---|---|--:|--:|--:|");
    compare("Connect Four", &connect_four::positions(), rounds);
    compare("Othello", &othello::positions(), rounds);
    println!(
        "\nLines that Connect Four needs beside its rules: plumb-minimax {}, minimax {}",
        lines(include_str!("connect_four/ours.rs")),
        lines(include_str!("connect_four/theirs.rs"))
    );
}
