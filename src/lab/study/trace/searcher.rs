//! A searcher whose searches are recorded: each begins with an empty transposition table and empty histories,
//! so that no record depends on an earlier one.

use super::error::RecordError;
use crate::chess::game::Game;
use crate::search::{Limits, Outcome, SearchControl, Searcher, Settings, TranspositionTable};
use shakmaty::Position as _;
use std::sync::Arc;

/// A searcher of one thread with a transposition table of its own.
pub struct ClearedSearcher {
    table: Arc<TranspositionTable>,
    searcher: Searcher,
}

impl ClearedSearcher {
    /// A searcher with a transposition table of `mebibytes` MiB.
    ///
    /// # Errors
    /// If the transposition table cannot be had.
    pub fn new(mebibytes: usize) -> Result<ClearedSearcher, RecordError> {
        let table = Arc::new(TranspositionTable::new(mebibytes)?);
        Ok(ClearedSearcher { searcher: Searcher::new(Arc::clone(&table)), table })
    }

    /// Searches a position, without the game before it.
    pub fn search(
        &mut self,
        game: &Game,
        settings: &Settings,
        limits: &Limits,
        control: &mut dyn SearchControl,
    ) -> Outcome {
        self.table.clear();
        self.searcher.clear();
        self.searcher.search(game.position(), &[], settings, limits, control)
    }
}

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
