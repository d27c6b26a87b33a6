//! The root of a recorded search.

use super::error::RecordError;
use crate::chess::game::Game;
use shakmaty::Position as _;

/// The root of a chess search: a FEN, without one the start.
///
/// # Errors
/// If the FEN cannot be read, or there is no move in its position.
pub fn root(fen: Option<&str>) -> Result<Game, RecordError> {
    let game = match fen {
        Some(fen) => Game::parse_fen(fen).map_err(|error| RecordError::Unreadable(error.to_string()))?,
        None => Game::new(),
    };
    if game.position().chess().legal_moves().is_empty() { Err(RecordError::Over) } else { Ok(game) }
}
