//! Annotated game: the game with positions, search results, judged moves and opening, as the writers of PGN,
//! JSON and pages need it.

use super::marks::{JudgedMove, MarkLimits, Side, judge};
use super::openings::{GameOpening, Names};
use super::positions::{Evaluated, Positions};
use crate::lab::base::formats::pgn::reader::PgnGame;
use crate::lab::base::formats::pgn::{BOTH_LOST, is_both_lost, result};
use shakmaty::{Color, Move};

/// A game, judged.
pub struct Annotated {
    /// Its number among all games of the input, from 1.
    pub number: usize,
    /// The game as it was read.
    pub game: PgnGame,
    /// Its positions.
    pub positions: Positions,
    /// Scores and lines that the searches found in them.
    pub evaluated: Vec<Evaluated>,
    /// Its moves, judged.
    pub judged: Vec<JudgedMove>,
    /// Its opening.
    pub known: GameOpening,
}

impl Annotated {
    /// Judges the moves of a game and finds its opening.
    #[must_use]
    pub fn new(
        number: usize,
        game: PgnGame,
        positions: Positions,
        evaluated: Vec<Evaluated>,
        (limits, names): (&MarkLimits, &Names),
    ) -> Annotated {
        let known = names.find(&positions, &game.moves);
        let judged = judge(&positions, (&game.moves, known.book_moves), &evaluated, limits);
        Annotated { number, game, positions, evaluated, judged, known }
    }

    /// The name of a player; `?` if none is told.
    #[must_use]
    pub fn player(&self, color: Color) -> &str {
        self.tag(color.fold_wb("White", "Black")).unwrap_or("?")
    }

    /// A tag that says something.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        let text = self.game.tags.get(name).map(str::trim);
        text.filter(|text| !text.is_empty() && !text.chars().all(|letter| matches!(letter, '?' | '.' | '-')))
    }

    /// The result as PGN writes it behind the moves.
    #[must_use]
    pub fn marker(&self) -> &'static str {
        self.game.result.map_or("*", result)
    }

    /// The result: the marker, or that both players lost.
    #[must_use]
    pub fn result(&self) -> &'static str {
        let both_lost = self.game.result.is_none() && self.game.tags.get("Result").is_some_and(is_both_lost);
        if both_lost { BOTH_LOST } else { self.marker() }
    }

    /// The names in the tags `Annotator`.
    pub fn annotators(&self) -> impl Iterator<Item = &str> {
        let tags = self.game.tags.iter().filter(|(name, _)| *name == "Annotator");
        let names = tags.flat_map(|(_, names)| names.split(';')).map(str::trim);
        names.filter(|name| !name.is_empty() && *name != "?")
    }

    /// The moves of a side, summed up.
    #[must_use]
    pub fn side(&self, color: Color) -> Side {
        Side::of(&self.judged, color)
    }

    /// The line that was better than the move of this index, from its place; empty if that is not known.
    #[must_use]
    pub fn better(&self, index: usize) -> &[Move] {
        &self.evaluated[index].line
    }

    /// The number of the move of this index, and the dots behind it.
    #[must_use]
    pub fn move_number(&self, index: usize) -> String {
        number_before(&self.positions.all()[index])
    }
}

/// True for the name by which this command names itself as an annotator, of any version.
#[must_use]
pub fn is_plumb(annotator: &str) -> bool {
    let version = annotator.strip_prefix("Plumb ");
    version.is_some_and(|version| version.starts_with(|first: char| first.is_ascii_digit()))
}

/// The number of the next move with its dots: `12.` or `12...`.
fn number_before(position: &crate::chess::Position) -> String {
    use shakmaty::Position as _;
    let dots = position.turn().fold_wb(".", "...");
    format!("{}{dots}", position.chess().fullmoves())
}
