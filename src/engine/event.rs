//! Events of a session: reports of the search thread about its work, and the answer at its end.

use super::bench::{self, BenchError};
use crate::chess::book::BookMove;
use crate::search::{Current, Outcome, Pass, Report};
use shakmaty::Move;
use std::time::Duration;

/// Time from the start of a search during which only finished iterations are shown: no bounds, and no
/// [`Event::Current`].
pub const QUIET: Duration = Duration::from_secs(1);

/// The answer to a search.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// Result of the search. Its move is legal, and missing only if there is none.
    pub outcome: Outcome,
    /// Time from the request to the answer.
    pub time: Duration,
    /// The fault inside the search, if there was one: the message of a panic, or its answer that was not
    /// legal. The move is then merely a legal one.
    pub fault: Option<String>,
}

/// One event of the work under way.
#[derive(Clone, Debug)]
pub enum Event {
    /// A principal variation, and the time since the search was asked for.
    Report(Report, Duration),
    /// A pass of a driver; sent only if [`super::session::Go::passes`] is set.
    Pass(Pass),
    /// The root move that is searched next; sent after [`QUIET`], at most ten times a second.
    Current(Current),
    /// The answer that follows comes from the opening book.
    Book(BookMove),
    /// The search is over.
    Answer(Box<Answer>),
    /// Perft: a first move and the number of positions behind it.
    PerftMove(Move, u64),
    /// Perft is over: positions in all, or `None` when it was stopped.
    PerftDone(Option<u64>),
    /// Bench: the number of a position, from 0, the moves made there, and the time.
    Benched(usize, u64, Duration),
    /// The bench is over: its total, or `None` when it was stopped, or why it could not begin.
    Bench(Result<Option<bench::Total>, BenchError>),
}

impl Event {
    /// True if this is the last event of its work.
    #[must_use]
    pub fn is_last(&self) -> bool {
        matches!(self, Event::Answer(_) | Event::PerftDone(_) | Event::Bench(_))
    }
}

/// An event from the search thread, which [`Session::open`](super::Session::open) unwraps: so the session has
/// always seen an event before its user does.
#[derive(Debug)]
pub struct SentEvent(pub(super) Event);
