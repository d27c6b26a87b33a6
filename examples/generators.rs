//! Measures the staged generator against shakmaty's `legal_moves`, in nanoseconds a position:
//! `cargo run --release --example generators [SUITE.epd]`.
//!
//! The positions are those of the suite (`epd/games.epd`) that are not in check. The measurements take turns,
//! and of the rounds the quickest and the median are shown.

use plumb::chess::movegen::Generator;
use plumb::chess::{Position, game::Game};
use shakmaty::{MoveList, Position as _};
use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

const ROUNDS: usize = 15;
const REPEATS: usize = 200;

/// A generator under measurement: its name, and the moves it generates.
type GamePlayer = (&'static str, fn(&Position) -> usize);

const CONTESTANTS: [GamePlayer; 4] = [
    ("shakmaty legal_moves", |position| position.chess().legal_moves().len()),
    ("shakmaty capture_moves", |position| position.chess().capture_moves().len()),
    ("staged: noisy", |position| generate(position, false)),
    ("staged: noisy, then quiet", |position| generate(position, true)),
];

fn generate(position: &Position, quiet: bool) -> usize {
    let mut moves = MoveList::new();
    let generator = Generator::new(position);
    generator.noisy(&mut moves);
    if quiet {
        generator.quiet(&mut moves);
    }
    moves.len()
}

fn main() -> ExitCode {
    let file = std::env::args().nth(1).unwrap_or_else(|| "epd/games.epd".into());
    let text = match std::fs::read_to_string(&file) {
        Ok(text) => text,
        Err(error) => {
            eprintln!("{file}: {error}");
            return ExitCode::FAILURE;
        }
    };
    let positions: Vec<Position> = text.lines().filter_map(position).filter(|p| !p.in_check()).collect();
    if positions.is_empty() {
        eprintln!("{file}: no positions");
        return ExitCode::FAILURE;
    }
    let mut times = [const { Vec::new() }; CONTESTANTS.len()];
    for _ in 0..ROUNDS {
        for (times, (_, generate)) in times.iter_mut().zip(CONTESTANTS) {
            times.push(nanoseconds(&positions, generate));
        }
    }
    println!("| generator | ns a position, quickest | median |\n|---|---:|---:|");
    for (times, (name, _)) in times.iter_mut().zip(CONTESTANTS) {
        times.sort_by(f64::total_cmp);
        println!("| {name} | {:.0} | {:.0} |", times[0], times[ROUNDS / 2]);
    }
    ExitCode::SUCCESS
}

/// The position of a line of a suite, its operations left out.
fn position(line: &str) -> Option<Position> {
    let fields: Vec<&str> = line.split_whitespace().take(4).collect();
    Game::parse_fen(&fields.join(" ")).ok().map(|game| game.position().clone())
}

fn nanoseconds(positions: &[Position], generate: fn(&Position) -> usize) -> f64 {
    let began = Instant::now();
    for _ in 0..REPEATS {
        for position in positions {
            black_box(generate(black_box(position)));
        }
    }
    began.elapsed().as_nanos() as f64 / (REPEATS * positions.len()) as f64
}
