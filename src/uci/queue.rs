//! Queue of commands that wait for the running search, so that a script in a pipe gets every search in full.
//!
//! `stop`, `ponderhit`, `quit`, `isready` and `uci` never wait. `go`, `position`, `perft`, `bench`, `setoption`,
//! `ucinewgame` and `flip` wait until the session is idle, and a command behind a waiting one keeps its place. A
//! search that does not end by itself (`infinite`, `ponder`) is ended by the first waiting command but `setoption`,
//! so that no client waits in vain.

use super::command::Command;
use std::collections::VecDeque;
use std::time::Instant;
use vampirc_uci::UciMessage;

/// A command that waits.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) command: Command,
    /// Time from which its clock runs.
    pub(super) at: Instant,
    /// True if a `stop` came behind it.
    pub(super) stopped: bool,
    /// Time of a `ponderhit` that came behind it.
    pub(super) hit: Option<Instant>,
}

/// Commands that wait, in the order of the input.
#[derive(Debug, Default)]
pub(super) struct Queue(VecDeque<Waiting>);

impl Queue {
    /// Appends a command that arrived at this time.
    pub(super) fn push(&mut self, command: Command, at: Instant) {
        self.0.push_back(Waiting { command, at, stopped: false, hit: None });
    }

    /// Takes the next command that may be executed now; `busy` while the session works.
    pub(super) fn next(&mut self, busy: bool) -> Option<Waiting> {
        self.0.pop_front_if(|waiting| !busy || !waits_for_search(&waiting.command))
    }

    /// True if no command waits.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Notes a `stop`: it is meant for every search before it.
    pub(super) fn stop(&mut self) {
        self.0.iter_mut().for_each(|waiting| waiting.stopped = true);
    }

    /// Notes a `ponderhit` at this time, for the searches before it.
    pub(super) fn ponderhit(&mut self, at: Instant) {
        self.0.iter_mut().for_each(|waiting| waiting.hit = Some(at));
    }

    /// True if a search that does not end by itself has to make room.
    pub(super) fn ends_endless_search(&self) -> bool {
        let ends =
            |command: &Command| waits_for_search(command) && !matches!(command, Command::SetOption { .. });
        self.0.iter().any(|waiting| ends(&waiting.command))
    }

    /// Lets the clocks of all waiting commands run from this time: they waited for a search to end by itself.
    pub(super) fn restart_clocks(&mut self, now: Instant) {
        self.0.iter_mut().for_each(|waiting| waiting.at = now);
    }
}

/// True if a command is executed at once, whatever waits.
pub(super) fn never_waits(command: &Command) -> bool {
    use UciMessage::{IsReady, PonderHit, Quit, Stop, Uci};
    matches!(command, Command::Simple(Stop | PonderHit | Quit | IsReady | Uci))
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
        Command::At(_, command) => waits_for_search(command),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::command::parse;
    use super::*;

    fn queue(lines: &[&str]) -> Queue {
        let mut queue = Queue::default();
        for line in lines {
            queue.push(parse(line).unwrap().unwrap(), Instant::now());
        }
        queue
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
        queue.push(Command::Flip, Instant::now());
        let first = queue.next(false).unwrap();
        assert!(first.stopped && first.hit.is_some());
        let second = queue.next(false).unwrap();
        assert!(!second.stopped && second.hit.is_none());
    }
}
