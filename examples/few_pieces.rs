//! Holds the static evaluation of endgames with four men against tablebases: how much of drawn material is
//! shown as an advantage, and how much of a win is not:
//! `cargo run --release --example few_pieces -- SYZYGY-FOLDERS [NETWORK]`.
//!
//! The positions of a material are random and quiet: no check, no capture, no promotion. A drawn position is
//! wrong if it is evaluated at more than a pawn for one side, a won one if it is evaluated at less than a
//! pawn.

use plumb::chess::game::Game;
use plumb::chess::syzygy::Tablebases;
use plumb::eval::network::{self, Network};
use plumb::eval::{Evaluator, HandCrafted};
use plumb::lab::base::pages::table::Table;
use plumb::random::SplitMix64;
use shakmaty::{Color, Position as _};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

/// White's pieces and Black's.
const MATERIAL: [(&str, &str); 11] = [
    ("KR", "kb"),
    ("KR", "kn"),
    ("KQ", "kr"),
    ("KQ", "kb"),
    ("KQ", "kp"),
    ("KR", "kp"),
    ("KB", "kp"),
    ("KN", "kp"),
    ("KP", "kp"),
    ("KR", "kr"),
    ("KQ", "kq"),
];

const POSITIONS: usize = 4000;

/// A pawn: the bound between a draw and an advantage, in centipawns.
const PAWN: i32 = 100;

/// A position with these pieces on random squares, if it is legal and quiet.
fn random_position(pieces: &str, random: &mut SplitMix64) -> Option<Game> {
    let mut squares = ['1'; 64];
    for piece in pieces.chars() {
        let square = random.below(64);
        let no_pawn = !(8..56).contains(&square);
        if squares[square] != '1' || (no_pawn && piece.eq_ignore_ascii_case(&'p')) {
            return None;
        }
        squares[square] = piece;
    }
    let rows: Vec<String> = squares.chunks(8).map(|row| row.iter().collect()).collect();
    let turn = ["w", "b"][random.below(2)];
    let game = Game::parse_fen(&format!("{} {turn} - - 0 1", rows.join("/"))).ok()?;
    let position = game.position();
    let moves = position.chess().legal_moves();
    let quiet = !position.in_check() && moves.iter().all(|m| !m.is_capture() && !m.is_promotion());
    quiet.then_some(game)
}

/// Counts of an evaluation: drawn positions shown as an advantage, and won ones not shown as a win.
type Wrong = [usize; 2];

/// One row: the shares of drawn and won positions, and of those that each evaluation shows wrongly.
fn row(material: (&str, &str), tables: &Tablebases, network: Option<&Arc<Network>>) -> Vec<String> {
    let (mut by_network, mut by_hand) = (Evaluator::new(), HandCrafted::new());
    by_network.set(network, None);
    let pieces = [material.0, material.1].concat();
    let mut random = SplitMix64::of_number(1995, 0);
    let (mut drawn, mut won, mut wrong) = (0, 0, [Wrong::default(); 2]);
    let games = std::iter::from_fn(|| Some(random_position(&pieces, &mut random)));
    for game in games.flatten().take(POSITIONS) {
        let position = game.position();
        let sign = if position.turn() == Color::White { 1 } else { -1 };
        let Some(wdl) = tables.wdl(position) else { continue };
        let wdl = sign * wdl.signum();
        drawn += usize::from(wdl == 0);
        won += usize::from(wdl != 0);
        let values = [by_network.evaluate(position, 0), by_hand.evaluate(position)];
        for (counts, value) in wrong.iter_mut().zip(values) {
            counts[0] += usize::from(wdl == 0 && value.abs() > PAWN);
            counts[1] += usize::from(wdl != 0 && sign * value * wdl < PAWN);
        }
    }
    let share = |part: usize, of: usize| format!("{:.1} %", 100.0 * part as f64 / of.max(1) as f64);
    let [network, hand] = wrong;
    let shares =
        [share(network[0], drawn), share(hand[0], drawn), share(network[1], won), share(hand[1], won)];
    let name = format!("{}v{}", material.0, material.1.to_uppercase());
    [name, share(drawn, drawn + won)].into_iter().chain(shares).collect()
}

fn run() -> Result<(), String> {
    let mut arguments = std::env::args().skip(1);
    let folders = arguments.next().ok_or("usage: few_pieces SYZYGY-FOLDERS [NETWORK]")?;
    let tables = Tablebases::open(&folders).map_err(|_| format!("{folders}: no tablebases"))?;
    let network = network::open_or_embedded(arguments.next().as_ref().map(Path::new))?;
    let heads = ["material", "drawn", "drawn, network", "drawn, by hand", "won, network", "won, by hand"];
    let mut table = Table::new(1, heads);
    for material in MATERIAL {
        table.row(row(material, &tables, network.as_ref()));
    }
    print!("{table}");
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("few_pieces: {why}");
            ExitCode::FAILURE
        }
    }
}
