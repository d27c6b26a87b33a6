//! Errors of recording a search.

use crate::search::Backend;
use crate::search::transposition::TableError;
use std::fmt::{self, Display, Formatter};

/// Error of recording a search. It is displayed as a sentence without a full stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordError {
    /// The caller stopped it.
    Stopped,
    /// The game, the position or the tree cannot be read: what is wrong with it.
    Unreadable(String),
    /// The game is over at the root.
    Over,
    /// A backend makes more visits than are asked for.
    TooManyVisits {
        /// The backend.
        backend: Backend,
        /// The most visits asked for.
        most: usize,
    },
    /// There is no memory for the transposition table.
    Memory(String),
}

impl Display for RecordError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            RecordError::Stopped => write!(f, "the search was stopped"),
            RecordError::Unreadable(what) | RecordError::Memory(what) => write!(f, "{what}"),
            RecordError::Over => write!(f, "there is no move in this position"),
            RecordError::TooManyVisits { backend, most } => {
                write!(f, "{backend} makes more than {most} visits")
            }
        }
    }
}

impl std::error::Error for RecordError {}

impl From<TableError> for RecordError {
    fn from(error: TableError) -> RecordError {
        RecordError::Memory(error.to_string())
    }
}
