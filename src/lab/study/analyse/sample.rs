//! Annotated games for the tests of the writers.

use super::annotated::Annotated;
use super::marks::MarkLimits;
use super::openings::Names;
use super::positions::{Evaluated, Positions};
use crate::chess::score::Value;
use crate::lab::base::formats::pgn::reader::GameReader;
use once_cell::sync::Lazy;
use std::path::Path;

/// The first game of a text whose positions have these values, for the side to move, and these lines in
/// coordinate notation.
pub(super) fn annotated(text: &str, values: &[Value], lines: &[&str]) -> Annotated {
    let mut reader = GameReader::new(text.as_bytes()).keeping_remarks();
    let game = reader.next_game().unwrap().unwrap().1.unwrap();
    let mut at = game.start.clone();
    let mut evaluated = Vec::new();
    for (index, &value) in values.iter().enumerate() {
        let mut line = Vec::new();
        let mut now = at.clone();
        for word in lines.get(index).copied().unwrap_or_default().split_whitespace() {
            line.push(now.parse_move(word).unwrap());
            now.play_text(word).unwrap();
        }
        evaluated.push(Evaluated { value: Some(value), depth: 3, nodes: 100, line });
        game.moves.get(index).into_iter().for_each(|&m| at.play(m));
    }
    // The names of all openings take milliseconds.
    static NAMES: Lazy<Names> = Lazy::new(|| Names::new(&[] as &[&Path]).unwrap());
    let positions = Positions::of(&game);
    Annotated::new(1, game, positions, evaluated, (&MarkLimits::default(), &NAMES))
}
