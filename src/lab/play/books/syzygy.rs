//! `plumb syzygy`: positions looked up in Syzygy tablebases, a line each: WDL for the side to move (2 won, 1
//! won but for the fifty-move rule, 0 drawn, -1, -2), DTZ in plies, the position.

use crate::chess::game::Game;
use crate::chess::syzygy::{AmbiguousWdl, Tablebases};
use crate::lab::base::formats::{position, san};
use crate::lab::base::terminal::console::{self, Failure};
use crate::lab::base::terminal::interrupted;
use crate::lab::play::books::arguments::SyzygyArgs;
use shakmaty::Position as _;
use std::cmp::Reverse;
use std::fmt::Write as _;
use std::io::BufRead;
use std::time::Duration;

/// Runs `plumb syzygy`.
///
/// # Errors
/// If there are no tables, or a position is none.
pub fn run(arguments: &SyzygyArgs) -> Result<(), Failure> {
    let tables = Tablebases::open(&arguments.path).map_err(|error| Failure::new(error.to_string()))?;
    let show = |fen: &str| -> Result<(), Failure> {
        let game = position::read(fen).map_err(|error| Failure::usage(format!("{fen}: {error}")))?;
        let wdl = tables.wdl(game.position());
        if wdl.is_none() {
            console::note(format!("{}: {}", game.fen(), why_unknown(&game)));
        }
        let mut text = shown(wdl.map(i32::from), &tables, &game);
        if arguments.moves {
            text.push_str(&moves(&tables, &game));
        }
        console::out(&text)
    };
    arguments.positions.iter().try_for_each(|fen| show(fen))?;
    if arguments.positions.is_empty() {
        interrupted::end_within(Duration::ZERO);
        for line in std::io::stdin().lock().lines() {
            let line = line.map_err(|error| Failure::new(error.to_string()))?;
            if !line.trim().is_empty() {
                show(&line)?;
            }
        }
    }
    tables.take_errors().iter().for_each(console::note);
    Ok(())
}

/// WDL and DTZ of a position; a question mark where the tablebases have none.
fn shown(wdl: Option<i32>, tables: &Tablebases, game: &Game) -> String {
    let told = |number: Option<i32>| number.map_or("?".to_owned(), |number| number.to_string());
    let dtz = tables.dtz(game.position()).map(|dtz| dtz.ignore_rounding().0);
    format!("wdl {} dtz {} {}\n", told(wdl), told(dtz), game.fen())
}

/// The reason for which the tablebases have nothing about a position.
fn why_unknown(game: &Game) -> &'static str {
    if game.position().chess().castles().any() {
        "positions with castling rights are in no table"
    } else {
        "there is no usable table of these men"
    }
}

/// The legal moves, best first, each with its outcome for the side that moves.
fn moves(tables: &Tablebases, game: &Game) -> String {
    let Some(mut ranks) = tables.rank(game.position(), game.key_history(), true) else {
        return String::new();
    };
    ranks.sort_by_key(|(_, rank)| Reverse(rank.order()));
    let mut text = String::new();
    for (m, rank) in ranks {
        let outcome = match rank.outcome {
            AmbiguousWdl::Loss => "loss",
            AmbiguousWdl::MaybeLoss => "loss, unless it takes too long",
            AmbiguousWdl::BlessedLoss => "draw by the fifty-move rule",
            AmbiguousWdl::Draw => "draw",
            AmbiguousWdl::CursedWin => "win that takes more than fifty moves",
            AmbiguousWdl::MaybeWin => "win, unless it takes too long",
            AmbiguousWdl::Win => "win",
        };
        let san = san::write(game.position().chess(), m);
        let _ = writeln!(text, "  {san:8} {:4} {outcome}", rank.plies);
    }
    text
}
