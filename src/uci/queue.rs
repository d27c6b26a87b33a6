//! Queue of commands that wait for the running search, so that a script in a pipe gets every search in full.
//!
//! `stop`, `ponderhit`, `quit`, `isready` and `uci` never wait. `go`, `position`, `perft`, `bench`,
//! `setoption`, `ucinewgame` and `flip` wait until the session is idle, and a command behind a waiting one
//! keeps its place. A search that does not end by itself (`infinite`, `ponder`) is ended by the first waiting
//! command but `setoption`, so that no client waits in vain. A `stop` ends every search and count before it:
//! the running one, and those that wait as soon as they begin.

use super::command::Command;
use super::input::InputLine;
use std::collections::VecDeque;
use std::fmt;
use std::time::Instant;
use vampirc_uci::UciMessage;

/// Most commands that wait: a long script in a pipe.
const MOST_COMMANDS: usize = 100_000;

/// Most text of commands that wait, in bytes.
const MOST_BYTES: usize = 16 << 20;

/// Error: no further command may wait.
#[derive(Debug)]
pub(super) struct Full;

impl fmt::Display for Full {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mebibytes = MOST_BYTES >> 20;
        write!(f, "too much waits for the search (at most {MOST_COMMANDS} commands, {mebibytes} MiB)")
    }
}

/// A command that waits.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) command: Command,
    /// Time from which its clock runs.
    pub(super) at: Instant,
    /// True if a `stop` came behind it.
    pub(super) stopped: bool,
    /// Time of the first `ponderhit` that came behind it.
    pub(super) hit: Option<Instant>,
    /// Length of its text.
    bytes: usize,
}

/// Commands that wait, in the order of the input.
#[derive(Debug, Default)]
pub(super) struct Queue {
    waiting: VecDeque<Waiting>,
    /// Length of all texts.
    bytes: usize,
    /// Number of commands that end a search without an end: looking through a long queue at every line takes
    /// minutes.
    ending: usize,
}

impl Queue {
    /// Appends the command of a line, which counts by the length of its text.
    ///
    /// # Errors
    /// If too much waits already.
    pub(super) fn push(&mut self, command: Command, line: &InputLine) -> Result<(), Full> {
        let bytes = line.text.as_ref().map_or(0, String::len);
        if self.waiting.len() >= MOST_COMMANDS || self.bytes + bytes > MOST_BYTES {
            return Err(Full);
        }
        self.bytes += bytes;
        self.ending += usize::from(ends_endless_search(&command));
        self.waiting.push_back(Waiting { command, at: line.at, stopped: false, hit: None, bytes });
        Ok(())
    }

    /// Takes the next command that may be executed now; `busy` while the session works.
    pub(super) fn next(&mut self, busy: bool) -> Option<Waiting> {
        let next = self.waiting.pop_front_if(|waiting| !busy || !waits_for_search(&waiting.command))?;
        self.bytes -= next.bytes;
        self.ending -= usize::from(ends_endless_search(&next.command));
        Some(next)
    }

    /// True if no command waits.
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Notes a `stop`: it is meant for every search before it.
    pub(super) fn stop(&mut self) {
        // What came before an earlier `stop` knows of it.
        let since = self.waiting.iter_mut().rev().take_while(|waiting| !waiting.stopped);
        since.for_each(|waiting| waiting.stopped = true);
    }

    /// Notes a `ponderhit` at this time, for the searches before it.
    pub(super) fn ponderhit(&mut self, at: Instant) {
        let since = self.waiting.iter_mut().rev().take_while(|waiting| waiting.hit.is_none());
        since.for_each(|waiting| waiting.hit = Some(at));
    }

    /// True if a command waits for which a search that does not end by itself is stopped.
    pub(super) fn ends_endless_search(&self) -> bool {
        self.ending > 0
    }

    /// Lets the clocks of all waiting commands run from this time: they waited for a search to end by itself.
    pub(super) fn restart_clocks(&mut self, now: Instant) {
        for waiting in &mut self.waiting {
            waiting.at = now;
            waiting.hit = waiting.hit.map(|_| now);
        }
    }
}

/// True if a command is executed at once, whatever waits.
pub(super) fn never_waits(command: &Command) -> bool {
    use UciMessage::{IsReady, PonderHit, Quit, Stop, Uci};
    matches!(command, Command::Simple(Stop | PonderHit | Quit | IsReady | Uci))
}

/// True if a search that does not end by itself is stopped for a command that waits.
fn ends_endless_search(command: &Command) -> bool {
    waits_for_search(command) && !matches!(command, Command::SetOption { .. })
}

/// True if a command is executed only while no work is under way.
fn waits_for_search(command: &Command) -> bool {
    match command {
        Command::Go(_)
        | Command::Position(_)
        | Command::SetOption { .. }
        | Command::Perft(_)
        | Command::Bench(..)
        | Command::Flip
        | Command::Simple(UciMessage::UciNewGame) => true,
        Command::InPosition(_, command) => waits_for_search(command),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::command::parse;
    use super::*;

    fn queue(lines: &[&str]) -> Queue {
        let mut queue = Queue::default();
        for text in lines {
            push(&mut queue, text).unwrap();
        }
        queue
    }

    fn push(queue: &mut Queue, text: &str) -> Result<(), Full> {
        let line = InputLine { text: Some(text.to_owned()), at: Instant::now() };
        queue.push(parse(text).unwrap().unwrap(), &line)
    }

    #[test]
    fn no_more_than_so_many_commands_and_bytes_wait() {
        let mut queue = Queue::default();
        let pushed = (0..).take_while(|_| push(&mut queue, "go depth 3").is_ok()).count();
        assert_eq!(pushed, MOST_COMMANDS);
        assert!(queue.next(false).is_some() && push(&mut queue, "stop").is_ok());
        let mut queue = Queue::default();
        let position = format!("position startpos moves {}", "e2e4 ".repeat(50_000));
        let pushed = (0..).take_while(|_| push(&mut queue, &position).is_ok()).count();
        assert_eq!(pushed, MOST_BYTES / position.len());
        while queue.next(false).is_some() {}
        assert_eq!(queue.bytes, 0);
    }

    #[test]
    fn commands_keep_their_order_and_wait_for_the_search() {
        let mut queue = queue(&["d", "position startpos", "d", "go depth 3"]);
        assert!(queue.next(true).is_some(), "d waits for nothing");
        assert!(queue.next(true).is_none());
        assert!(matches!(queue.next(false).unwrap().command, Command::Position(_)));
        assert!(matches!(queue.next(true).unwrap().command, Command::Print(_)));
        assert!(queue.next(true).is_none() && !queue.is_empty());
        assert!(matches!(queue.next(false).unwrap().command, Command::Go(_)));
        assert!(queue.next(false).is_none() && queue.is_empty());
    }

    #[test]
    fn all_but_setoption_end_a_search_without_end() {
        for line in ["go", "position startpos", "perft 3", "perft 3 startpos", "bench", "flip", "ucinewgame"]
        {
            assert!(queue(&["setoption name Hash value 1", line]).ends_endless_search(), "{line}");
        }
        for line in ["d", "eval", "help", "debug on", "setoption name Hash value 1", "register later"] {
            assert!(!queue(&[line]).ends_endless_search(), "{line}");
        }
    }

    #[test]
    fn stop_and_ponderhit_reach_what_came_before_them() {
        let mut queue = queue(&["go infinite"]);
        queue.stop();
        queue.ponderhit(Instant::now());
        push(&mut queue, "flip").unwrap();
        let first = queue.next(false).unwrap();
        assert!(first.stopped && first.hit.is_some());
        let second = queue.next(false).unwrap();
        assert!(!second.stopped && second.hit.is_none());
    }

    #[test]
    fn a_clock_that_begins_anew_begins_so_for_a_ponderhit_too() {
        let mut queue = queue(&["go ponder movetime 100"]);
        queue.ponderhit(Instant::now());
        let later = Instant::now() + std::time::Duration::from_secs(5);
        queue.restart_clocks(later);
        let first = queue.next(false).unwrap();
        assert_eq!((first.at, first.hit), (later, Some(later)));
    }
}
