//! Openings for OpenBench: `genfens N seed S book FILE` prints random openings, one a line, from which
//! OpenBench lets the engine play itself on volunteers' machines. OpenBench gives the command as one word and
//! waits fifteen seconds for every line, so each is printed as soon as it is found. The openings are those of
//! `plumb datagen`; with a book they begin from its positions.

use super::opening;
use crate::engine::options::Options;
use crate::lab::base::formats::openings;
use crate::lab::base::terminal::console::{self, Failure};
use crate::lab::base::terminal::interrupted;
use crate::lab::play::datagen::arguments::GenfensArgs;
use crate::lab::play::referee::Player;
use crate::random::SplitMix64;
use std::path::Path;

/// Size of the transposition table for the balance filter, in MiB.
const HASH: usize = 1;

/// Request for openings.
#[derive(Debug, PartialEq, Eq)]
struct Order<'a> {
    count: usize,
    seed: u64,
    /// Positions to begin from; the start position without it.
    book: Option<&'a Path>,
}

/// Prints the openings.
///
/// # Errors
/// If the words cannot be read, or the book holds no position to play from.
pub fn run(arguments: &GenfensArgs) -> Result<(), Failure> {
    let words: Vec<&str> = arguments.words.iter().map(String::as_str).collect();
    let order = read(&words).ok_or_else(|| {
        Failure::usage("genfens needs N seed S [book FILE|None], with N from 1 and S up to 64 bits")
    })?;
    let starts = order.book.map(openings::read).transpose()?.unwrap_or_default();
    let mut player =
        Player::new(Options::default().settings, HASH).map_err(|error| Failure::new(error.to_string()))?;
    let kind = opening::Kind { starts: &starts, ..opening::Kind::default() };
    for number in 0..order.count {
        let mut random = SplitMix64::of_number(order.seed, number);
        let stop = || interrupted::interrupted();
        let Some(game) = opening::find(&mut random, kind, &mut player, &stop) else { break };
        console::out(&format!("info string genfens {}\n", game.fen()))?;
    }
    Ok(())
}

/// Splits the command of OpenBench, which gives it with its arguments as one word, and `quit` as another.
#[must_use]
pub fn unfold(words: Vec<String>) -> Vec<String> {
    match words.first() {
        Some(first) if first.starts_with("genfens ") => first.split_whitespace().map(str::to_owned).collect(),
        _ => words,
    }
}

/// Reads `N seed S book FILE`; further words are ignored.
fn read<'a>(words: &[&'a str]) -> Option<Order<'a>> {
    let (count, rest) = words.split_first()?;
    let value = |name: &str| {
        let at = rest.iter().position(|word| word.eq_ignore_ascii_case(name))?;
        rest.get(at + 1).copied()
    };
    if value("book").is_none() && rest.iter().any(|word| word.eq_ignore_ascii_case("book")) {
        return None;
    }
    let book = value("book").filter(|book| !book.eq_ignore_ascii_case("none")).map(Path::new);
    let count = count.parse().ok().filter(|&count| count > 0)?;
    Some(Order { count, seed: value("seed")?.parse().ok()?, book })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_read() {
        let words = "8 seed 18446744073709551615 book None extra".split(' ').collect::<Vec<_>>();
        assert_eq!(read(&words), Some(Order { count: 8, seed: u64::MAX, book: None }));
        let book = Some(Path::new("Books/a.epd"));
        assert_eq!(read(&["3", "seed", "5", "book", "Books/a.epd"]), Some(Order { count: 3, seed: 5, book }));
        for wrong in [&[][..], &["8"], &["x", "seed", "1"], &["8", "seed"], &["8", "seed", "-1"]] {
            assert_eq!(read(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn one_word_is_several() {
        let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
        let folded = words(&["genfens 8 seed 1 book None ", "quit"]);
        assert_eq!(unfold(folded), words(&["genfens", "8", "seed", "1", "book", "None"]));
        for other in [&["go", "depth 1"][..], &["genfens", "8"], &[]] {
            assert_eq!(unfold(words(other)), words(other));
        }
    }
}
