//! The root of a recorded search.

use super::error::RecordError;
use crate::chess::game::Game;
use crate::lab::base::formats::position;
use shakmaty::Position as _;

/// The root of a chess search: a position ([`position::read`]), without one the start.
///
/// # Errors
/// If it cannot be read, or there is no move in its position.
pub fn root(fen: Option<&str>) -> Result<Game, RecordError> {
    let game = match fen {
        Some(text) => position::read(text).map_err(RecordError::Unreadable)?,
        None => Game::new(),
    };
    if game.position().chess().legal_moves().is_empty() { Err(RecordError::Over) } else { Ok(game) }
}
