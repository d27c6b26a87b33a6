//! Resources of a unit of an experiment (stop flag, memory), and the reasons for which it may end without
//! rows. All memory that is asked for at once is asked for here, so that a refusal is an error of the unit;
//! nothing is measured here.

use crate::lab::base::terminal::console::Failure;
use crate::lab::base::terminal::interrupted::Stop;
use crate::lab::play::matches::pair::PairPlayers;
use crate::lab::play::matches::player::PlayerSpec;
use crate::lab::play::referee::Player;
use crate::minimax::memory::FixedSizeTable;
use crate::minimax::replacement::Replacement;
use crate::minimax::{Stopped, Value};
use crate::search::Settings;
use std::fmt;

/// Reason for which a unit ended without rows. Nothing of it is recorded, and the next run begins it again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unfinished {
    /// The run was stopped.
    Stopped,
    /// There is no memory for something, in words.
    Memory(String),
    /// There is nothing to measure: no position of its number, or no iteration of a search.
    Empty,
    /// The work panicked.
    Panicked,
    /// Another failure, in words.
    Failed(String),
}

impl fmt::Display for Unfinished {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unfinished::Stopped => f.write_str("it stopped by itself; this is an error in Plumb"),
            Unfinished::Memory(why) | Unfinished::Failed(why) => f.write_str(why),
            Unfinished::Empty => f.write_str("there is nothing to measure; this is an error in Plumb"),
            Unfinished::Panicked => f.write_str("the search failed; this is an error in Plumb"),
        }
    }
}

impl From<Stopped> for Unfinished {
    fn from(Stopped: Stopped) -> Unfinished {
        Unfinished::Stopped
    }
}

impl From<Failure> for Unfinished {
    fn from(failure: Failure) -> Unfinished {
        Unfinished::Failed(failure.message().unwrap_or_default().to_owned())
    }
}

impl From<&str> for Unfinished {
    fn from(why: &str) -> Unfinished {
        Unfinished::Failed(why.to_owned())
    }
}

/// Stop flag and memory that a unit is given.
pub struct Work<'a> {
    /// The stop flag of the run.
    pub stop: &'a Stop,
    #[cfg(test)]
    refuses: Option<std::sync::atomic::AtomicUsize>,
}

impl<'a> Work<'a> {
    /// Work that a flag stops.
    #[must_use]
    pub fn new(stop: &'a Stop) -> Work<'a> {
        Work {
            stop,
            #[cfg(test)]
            refuses: None,
        }
    }

    /// A player with a transposition table of `mebibytes` MiB.
    ///
    /// # Errors
    /// If there is no memory for the table.
    pub fn player(&self, mebibytes: usize) -> Result<Player, Unfinished> {
        self.granted(|| Player::new(Settings::default(), mebibytes).map_err(|error| error.to_string()))
    }

    /// A player with a transposition table of `entries` entries.
    ///
    /// # Errors
    /// If there is no memory for the table.
    pub fn player_with_entries(&self, entries: usize) -> Result<Player, Unfinished> {
        self.granted(|| Player::with_entries(entries).map_err(|error| error.to_string()))
    }

    /// The players of a match.
    ///
    /// # Errors
    /// If there is no memory or no thread for one.
    pub fn players(&self, players: &[PlayerSpec; 2]) -> Result<PairPlayers, Unfinished> {
        let failed = |failure: Failure| failure.message().unwrap_or_default().to_owned();
        self.granted(|| PairPlayers::of(players, self.stop).map_err(failed))
    }

    /// A table of 2^`bits` entries for a textbook search.
    ///
    /// # Errors
    /// If there is no memory for it.
    pub fn table<V: Value>(&self, bits: u32, scheme: Replacement) -> Result<FixedSizeTable<V>, Unfinished> {
        let refused = |_| format!("there is no memory for a table of 2^{bits} entries");
        self.granted(|| FixedSizeTable::try_new(bits, scheme).map_err(refused))
    }

    fn granted<T>(&self, request: impl FnOnce() -> Result<T, String>) -> Result<T, Unfinished> {
        #[cfg(test)]
        if let Some(refused) = &self.refuses {
            refused.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
            return Err(Unfinished::Memory(REFUSED.to_owned()));
        }
        request().map_err(Unfinished::Memory)
    }
}

/// Message where a test refuses memory.
#[cfg(test)]
pub(super) const REFUSED: &str = "memory is refused on purpose";

#[cfg(test)]
impl<'a> Work<'a> {
    /// Work that gets no memory.
    pub(super) fn without_memory(stop: &'a Stop) -> Work<'a> {
        Work { stop, refuses: Some(std::sync::atomic::AtomicUsize::new(0)) }
    }

    /// Number of refusals of memory.
    pub(super) fn refused(&self) -> usize {
        self.refuses.as_ref().map_or(0, |refused| refused.load(std::sync::atomic::Ordering::SeqCst))
    }
}
