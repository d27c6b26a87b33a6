//! The `go` command: its limits in every combination; the search ends at the first one that is reached.
//!
//! A limit without a number is an error, and nothing is searched. Other words that cannot be understood are
//! named and left out, as the protocol demands; if that leaves no limit at all, a single iteration is
//! searched, so that a mistyped limit does not start an infinite search.

use super::words::shortened;
use crate::chess::game::Game;
use crate::engine::options::whole_number;
use crate::engine::{TimeControl, session::Go};
use crate::search::Limits;
use shakmaty::Color;
use std::time::{Duration, Instant};

/// Depth of `go mate n`: `4 n` plus this, in plies. A selective search needs more depth than the mate is
/// long, and one that finds no mate must end too.
const MATE_MARGIN: i64 = 8;

/// The arguments of `go`. Numbers are as given, except that those beyond 64 bits are clamped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoCommand {
    /// Depth in plies.
    pub depth: Option<i64>,
    /// Made moves.
    pub nodes: Option<i64>,
    /// Mate in so many moves.
    pub mate: Option<i64>,
    /// Milliseconds for this move.
    pub movetime: Option<i64>,
    /// Milliseconds on White's clock.
    pub wtime: Option<i64>,
    /// Milliseconds on Black's clock.
    pub btime: Option<i64>,
    /// White's increment in milliseconds.
    pub winc: Option<i64>,
    /// Black's increment in milliseconds.
    pub binc: Option<i64>,
    /// Moves until the next time control.
    pub movestogo: Option<i64>,
    /// Perft depth in plies, instead of a search.
    pub perft: Option<i64>,
    /// Search until stopped.
    pub infinite: bool,
    /// Search on the opponent's time, until `ponderhit`.
    pub ponder: bool,
    /// Root moves to search.
    pub searchmoves: Vec<String>,
    /// Messages about words that were not understood.
    pub complaints: Vec<String>,
}

impl GoCommand {
    /// Parses the words behind `go`.
    ///
    /// # Errors
    /// If a limit has no number, or a perft no depth.
    pub fn parse(text: &str) -> Result<GoCommand, String> {
        let mut go = GoCommand::default();
        let mut counts = false;
        let mut words = text.split_whitespace().peekable();
        while let Some(word) = words.next() {
            let lower = word.to_ascii_lowercase();
            match lower.as_str() {
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                "searchmoves" => {
                    while let Some(text) = words.next_if(|word| !is_keyword(word)) {
                        go.searchmoves.push(text.to_owned());
                    }
                }
                name if is_keyword(name) => {
                    counts |= name == "perft";
                    go.set(name, words.next_if(|word| !is_keyword(word)))?;
                }
                _ => go.complaints.push(format!("unknown word '{}'", shortened(word))),
            }
        }
        if counts && go.perft.is_none_or(|depth| depth < 0) {
            return Err("go perft: a depth is missing".to_owned());
        }
        Ok(go)
    }

    /// Sets the limit of a name. A number beyond 64 bits is cut, with a complaint.
    ///
    /// # Errors
    /// If there is no number.
    fn set(&mut self, name: &str, text: Option<&str>) -> Result<(), String> {
        let text = text.ok_or_else(|| format!("go: the value of {name} is missing; nothing is searched"))?;
        let number = whole_number(text).ok_or_else(|| {
            format!("go: {name} '{}' is not a whole number; nothing is searched", shortened(text))
        })?;
        // `nodes 18446744073709551615` fits into 64 bits without a sign.
        if text.parse::<i64>().is_err() && text.parse::<u64>().is_err() {
            self.complaints.push(format!("{name} {} is beyond 64 bits", shortened(text)));
        }
        if let Some(slot) = self.number(name) {
            *slot = Some(number);
        }
        Ok(())
    }

    /// The field of a limit's name.
    fn number(&mut self, name: &str) -> Option<&mut Option<i64>> {
        Some(match name {
            "depth" => &mut self.depth,
            "nodes" => &mut self.nodes,
            "mate" => &mut self.mate,
            "movetime" => &mut self.movetime,
            "wtime" => &mut self.wtime,
            "btime" => &mut self.btime,
            "winc" => &mut self.winc,
            "binc" => &mut self.binc,
            "movestogo" => &mut self.movestogo,
            "perft" => &mut self.perft,
            _ => return None,
        })
    }

    /// The search that is asked for in a game, and all complaints.
    #[must_use]
    pub fn to_search(&self, game: &Game, asked: Instant) -> (Go, Vec<String>) {
        let mut complaints = self.complaints.clone();
        let mut limits = self.limits(&mut complaints);
        for text in &self.searchmoves {
            match game.parse_move(text) {
                Ok(m) => limits.moves.push(m),
                Err(error) => complaints.push(format!("searchmoves: {error}")),
            }
        }
        let time = self.time(game.position().turn());
        let is_limited =
            !time.is_unlimited() || [self.depth, self.nodes, self.mate].iter().any(Option::is_some);
        let mut infinite = self.infinite;
        if !is_limited && !infinite {
            if self.complaints.is_empty() || self.ponder {
                infinite = true;
            } else {
                limits.depth = 1;
            }
        }
        // An infinite search waits for `stop`, and for no ponderhit.
        let ponder = self.ponder && !self.infinite;
        (Go { asked, time, limits, infinite, ponder, ..Go::default() }, complaints)
    }

    /// Depth, nodes and mate within their ranges.
    fn limits(&self, complaints: &mut Vec<String>) -> Limits {
        let mut at_least_one = |name: &str, value: Option<i64>| {
            if let Some(less) = value.filter(|&value| value < 1) {
                complaints.push(format!("{name} {less} is less than 1"));
            }
            value.map(|value| value.max(1))
        };
        let deepest = i64::from(Limits::default().depth);
        let depth = at_least_one("depth", self.depth);
        let mate = at_least_one("mate", self.mate);
        let to_mate = mate.map(|moves| moves.saturating_mul(4).saturating_add(MATE_MARGIN));
        let depth = depth.or(to_mate).map_or(deepest, |depth| depth.min(deepest));
        Limits {
            depth: depth as i32,
            nodes: at_least_one("nodes", self.nodes).map(|nodes| nodes as u64),
            mate: mate.map(|moves| u32::try_from(moves).unwrap_or(u32::MAX)),
            ..Limits::default()
        }
    }

    /// Time control of the side to move. If only the other side's clock is given, it is taken instead.
    fn time(&self, turn: Color) -> TimeControl {
        let milliseconds = |number: i64| Duration::from_millis(number.max(0) as u64);
        let ours = turn.fold_wb(self.wtime, self.btime);
        let theirs = turn.fold_wb(self.btime, self.wtime);
        TimeControl {
            movetime: self.movetime.map(milliseconds),
            remaining: ours.or(theirs).map(milliseconds),
            increment: turn.fold_wb(self.winc, self.binc).map_or(Duration::ZERO, milliseconds),
            moves_to_go: self.movestogo.map(|moves| u32::try_from(moves.max(0)).unwrap_or(u32::MAX)),
        }
    }
}

/// True if a word is a keyword of `go`, so that it is not the value of the one before.
fn is_keyword(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    matches!(lower.as_str(), "infinite" | "ponder" | "searchmoves")
        || GoCommand::default().number(&lower).is_some()
}

#[cfg(test)]
mod tests {
    use super::super::manual::GO;
    use super::*;

    fn ask(text: &str) -> (Go, Vec<String>) {
        GoCommand::parse(text).unwrap().to_search(&Game::new(), Instant::now())
    }

    fn ms(milliseconds: u64) -> Option<Duration> {
        Some(Duration::from_millis(milliseconds))
    }

    #[test]
    fn all_limits_can_be_combined() {
        let (go, complaints) = ask(
            "ponder wtime 1000 btime 2000 winc 10 binc 20 movestogo 30 depth 8 nodes 5000 mate 2 movetime \
            300 searchmoves e2e4 d2d4",
        );
        assert!(complaints.is_empty() && go.ponder && !go.infinite);
        assert_eq!((go.limits.depth, go.limits.nodes, go.limits.mate), (8, Some(5000), Some(2)));
        assert_eq!(go.limits.moves.len(), 2);
        assert_eq!((go.time.movetime, go.time.remaining), (ms(300), ms(1000)));
        assert_eq!((go.time.increment, go.time.moves_to_go), (Duration::from_millis(10), Some(30)));
    }

    #[test]
    fn a_go_without_a_limit_is_infinite_and_a_limited_one_ends_by_itself() {
        for text in ["", "searchmoves e2e4", "ponder", "infinite depth 3"] {
            let go = ask(text).0;
            assert!(go.infinite && !go.ends_by_itself(), "{text}");
        }
        for text in
            ["depth 3", "depth 1000", "nodes 3", "mate 3", "mate 1000", "movetime 3", "wtime 3", "btime 3"]
        {
            assert!(ask(text).0.ends_by_itself(), "{text}");
            let pondering = ask(&format!("ponder {text}")).0;
            assert!(!pondering.infinite && !pondering.ends_by_itself(), "{text}");
        }
    }

    #[test]
    fn searchmoves_end_at_the_next_keyword() {
        let (go, complaints) = ask("searchmoves e2e4 d2d4 depth 3");
        assert_eq!((go.limits.moves.len(), go.limits.depth), (2, 3));
        assert!(complaints.is_empty());
    }

    #[test]
    fn numbers_are_clamped_to_their_range() {
        let deepest = Limits::default().depth;
        for (text, depth, complaints) in [
            ("depth 1000", deepest, 0),
            ("depth 99999999999999999999999", deepest, 1),
            ("nodes 18446744073709551615", deepest, 0),
            ("depth 0", 1, 1),
            ("depth -5", 1, 1),
            ("mate 2", 16, 0),
            ("mate 999999999999", deepest, 0),
            ("mate 0", 12, 1),
            ("depth 3 mate 5", 3, 0),
            ("movetime -1", deepest, 0),
            ("nodes 0", deepest, 1),
        ] {
            let (go, said) = ask(text);
            assert_eq!((go.limits.depth, said.len()), (depth, complaints), "{text}: {said:?}");
        }
        assert_eq!(ask("wtime -500").0.time.remaining, ms(0));
        assert_eq!(ask("nodes 18446744073709551616").0.limits.nodes, Some(i64::MAX as u64));
    }

    #[test]
    fn the_other_sides_clock_is_taken_if_it_is_the_only_one() {
        assert_eq!(ask("wtime 100").0.time.remaining, ms(100));
        assert_eq!(ask("btime 100").0.time.remaining, ms(100));
        assert_eq!(ask("btime 100 wtime 200").0.time.remaining, ms(200));
    }

    #[test]
    fn words_not_understood_are_named_and_start_no_infinite_search() {
        for (text, named, depth) in [
            ("dpeth 10", "'dpeth'", 1),
            ("depth 4 fast", "'fast'", 4),
            ("infinite now", "'now'", Limits::default().depth),
        ] {
            let (go, complaints) = ask(text);
            assert!(complaints.join("; ").contains(named), "{text}: {complaints:?}");
            assert_eq!(go.limits.depth, depth, "{text}");
        }
    }

    #[test]
    fn illegal_searchmoves_are_named_and_left_out() {
        let (go, complaints) = ask("depth 2 searchmoves e2e5 0000 e2e4");
        assert_eq!((go.limits.moves.len(), complaints.len()), (1, 2));
    }

    #[test]
    fn limits_and_perft_need_a_number() {
        assert_eq!(GoCommand::parse("perft 3").unwrap().perft, Some(3));
        for text in ["perft", "perft x", "perft -1", "depth", "depth abc", "nodes 5.5", "movetime depth 3"] {
            assert!(GoCommand::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn every_word_of_the_manual_is_parsed() {
        for word in GO.words {
            let value = if *word == "searchmoves" { "e2e4" } else { "1" };
            let go = GoCommand::parse(&format!("{word} {value}")).unwrap();
            assert!(go.complaints.is_empty(), "{word}: {:?}", go.complaints);
        }
    }
}
