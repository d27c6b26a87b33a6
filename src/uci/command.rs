//! UCI commands: parsing of a line of input.
//!
//! The simple commands are parsed by `vampirc-uci`, which is given only words that it parses correctly. `go`,
//! `position` and `setoption`, which it truncates and panics on, are parsed here.

use super::go::GoCommand;
use super::manual::OURS;
use super::words::{shortened, split_word};
use crate::engine::options::{MOST_THREADS, whole_number};
use crate::engine::perft::MOST_PLIES;
use crate::search::Limits;
use vampirc_uci::{UciMessage, parse_one};

/// A command of the input.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// A command of the protocol without arguments to parse: `uci`, `isready`, `stop` ...
    Simple(UciMessage),
    /// `register`, which has no effect.
    Register,
    /// Set up a position.
    Position(PositionSpec),
    /// Execute a command for a position of its own; the game stays as it is.
    InPosition(PositionSpec, Box<Command>),
    /// Set an option.
    SetOption {
        /// Its name.
        name: String,
        /// Its value, if one was given.
        value: Option<String>,
    },
    /// Search.
    Go(GoCommand),
    /// Perft: count the positions after so many plies (`go perft` too).
    Perft(u32),
    /// Run the bench at a depth in plies, with a number of threads.
    Bench(Option<i32>, Option<usize>),
    /// Print something.
    Print(Printable),
    /// Print the commands, or the help of one of them.
    Help(Option<String>),
    /// Exchange the colours and turn the board over.
    Flip,
}

/// A position as the input names it: neither FEN nor moves have been looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionSpec {
    /// The FEN; `None` is the start position.
    pub fen: Option<String>,
    /// The moves played from there.
    pub moves: Vec<String>,
}

/// Information printed at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Printable {
    /// The board, its FEN, its key, the checkers.
    Board,
    /// The static evaluation.
    Evaluation,
    /// The manual of options.
    Options,
    /// Compiler, platform and CPU features of the build.
    Compiler,
    /// Name and version.
    Version,
}

/// First words of the protocol's commands. Unknown words before them are skipped, as the protocol demands.
const PROTOCOL: &[&str] = &[
    "uci",
    "debug",
    "isready",
    "setoption",
    "register",
    "ucinewgame",
    "position",
    "go",
    "stop",
    "ponderhit",
    "quit",
];

/// True if a word begins a command beyond the protocol; nothing may stand before it.
fn is_ours(word: &str) -> bool {
    matches!(word, "--help" | "--version") || OURS.iter().any(|entry| entry.name == word)
}

/// Parses a line. `Ok(None)` is an empty one.
///
/// # Errors
/// Names what cannot be understood.
pub fn parse(line: &str) -> Result<Option<Command>, String> {
    let (first, _) = split_word(line);
    if first.is_empty() {
        return Ok(None);
    }
    let mut rest = line;
    loop {
        let (word, after) = split_word(rest);
        let lower = word.to_ascii_lowercase();
        let starts_line = word.as_ptr() == first.as_ptr();
        if word.is_empty() {
            return Err(format!("unknown command '{}' (try help)", shortened(first)));
        } else if PROTOCOL.contains(&lower.as_str()) {
            return protocol(&lower, after).map(Some);
        } else if starts_line && is_ours(&lower) {
            return ours(&lower, after).map(Some);
        }
        rest = after;
    }
}

/// Parses a command of the protocol from its first word, in lower case, and the rest of the line.
fn protocol(word: &str, rest: &str) -> Result<Command, String> {
    match word {
        "position" => position_spec(rest).map(Command::Position),
        "setoption" => set_option(rest),
        "go" => {
            let (limits, position) = rest.split_at(start_of_position(rest));
            let go = GoCommand::parse(limits)?;
            let plies = go.perft.map(|depth| perft_depth(&depth.to_string())).transpose()?;
            at(position, plies.map_or(Command::Go(go), Command::Perft))
        }
        "register" => Ok(Command::Register),
        "debug" => match split_word(rest).0.to_ascii_lowercase().as_str() {
            state @ ("on" | "off") => simple(&format!("debug {state}")),
            _ => Err("debug: 'on' or 'off' expected".to_owned()),
        },
        // Words behind such a command have no meaning in the protocol.
        _ => simple(word),
    }
}

fn simple(text: &str) -> Result<Command, String> {
    match parse_one(text) {
        UciMessage::Unknown(..) => Err(format!("'{text}' cannot be read")),
        message => Ok(Command::Simple(message)),
    }
}

/// Parses a command beyond the protocol from its first word, in lower case, and the rest of the line.
fn ours(word: &str, rest: &str) -> Result<Command, String> {
    let (first, more) = split_word(rest);
    let behind = match word {
        "options" | "compiler" | "version" | "--version" | "flip" => rest,
        "help" | "--help" => more,
        "bench" => split_word(more).1,
        _ => "",
    };
    let behind = split_word(behind).0;
    if !behind.is_empty() {
        return Err(format!("{word}: '{}' means nothing here", shortened(behind)));
    }
    Ok(match word {
        "d" => at(rest, Command::Print(Printable::Board))?,
        "eval" => at(rest, Command::Print(Printable::Evaluation))?,
        "options" => Command::Print(Printable::Options),
        "compiler" => Command::Print(Printable::Compiler),
        "help" | "--help" => Command::Help(Some(first.to_owned()).filter(|name| !name.is_empty())),
        "version" | "--version" => Command::Print(Printable::Version),
        "flip" => Command::Flip,
        "bench" => {
            let depth = within(first, i64::from(Limits::default().depth), "a depth")?;
            let threads = within(split_word(more).0, MOST_THREADS as i64, "a number of threads")?;
            Command::Bench(depth.map(|depth| depth as i32), threads.map(|threads| threads as usize))
        }
        _ if first.is_empty() => return Err("perft: a depth is missing".to_owned()),
        _ => at(more, Command::Perft(perft_depth(first)?))?,
    })
}

/// Reads a number of `bench` from 1 to `most`; `None` if there is no word.
fn within(word: &str, most: i64, what: &str) -> Result<Option<i64>, String> {
    match whole_number(word) {
        _ if word.is_empty() => Ok(None),
        Some(number) if (1..=most).contains(&number) => Ok(Some(number)),
        _ => Err(format!("bench: '{}' is not {what} from 1 to {most}", shortened(word))),
    }
}

/// Reads the depth of a perft.
fn perft_depth(word: &str) -> Result<u32, String> {
    let depth = whole_number(word).and_then(|depth| u32::try_from(depth).ok());
    depth
        .filter(|&depth| depth <= MOST_PLIES)
        .ok_or_else(|| format!("perft: '{}' is not a depth up to {MOST_PLIES} plies", shortened(word)))
}

/// A command for the position that `text` names, as `position` takes it or as a FEN alone; for that of the
/// game if there is no text.
fn at(text: &str, command: Command) -> Result<Command, String> {
    let first = split_word(text).0.to_ascii_lowercase();
    let place = match first.as_str() {
        "" => return Ok(command),
        "startpos" | "fen" => position_spec(text)?,
        _ => position_spec(&format!("fen {text}"))?,
    };
    Ok(Command::InPosition(place, Box::new(command)))
}

/// Index of the word behind the limits of `go` at which a position begins; the length if there is none. Every
/// FEN has a slash in its first word, and no limit has one.
fn start_of_position(text: &str) -> usize {
    let mut rest = text;
    loop {
        let (word, after) = split_word(rest);
        let begins = ["fen", "startpos"].iter().any(|&name| word.eq_ignore_ascii_case(name));
        if word.is_empty() || begins || word.contains('/') {
            return text.len() - after.len() - word.len();
        }
        rest = after;
    }
}

/// Parses the words of `position`; FEN and moves are not looked at.
fn position_spec(rest: &str) -> Result<PositionSpec, String> {
    let words: Vec<&str> = rest.split_whitespace().collect();
    let moves_at = words.iter().position(|word| word.eq_ignore_ascii_case("moves"));
    let (place, moves) = words.split_at(moves_at.unwrap_or(words.len()));
    let fen = match place {
        [word] if word.eq_ignore_ascii_case("startpos") => None,
        [word, fen @ ..] if word.eq_ignore_ascii_case("fen") => Some(fen.join(" ")),
        [] => return Err("position: 'startpos' or 'fen' expected".to_owned()),
        [word, other, ..] if word.eq_ignore_ascii_case("startpos") => {
            return Err(format!("position: 'moves' expected instead of '{}'", shortened(other)));
        }
        [word, ..] => {
            return Err(format!("position: 'startpos' or 'fen' expected instead of '{}'", shortened(word)));
        }
    };
    let moves = moves.iter().skip(1).map(|&word| word.to_owned()).collect();
    Ok(PositionSpec { fen, moves })
}

/// Parses `setoption`. Name and value may hold spaces; those inside the value are kept, as in a path.
fn set_option(rest: &str) -> Result<Command, String> {
    let (word, mut rest) = split_word(rest);
    if !word.eq_ignore_ascii_case("name") {
        return Err("setoption: 'name' expected".to_owned());
    }
    let mut name: Vec<&str> = Vec::new();
    let value = loop {
        let (word, after) = split_word(rest);
        match word {
            "" => break None,
            word if word.eq_ignore_ascii_case("value") => break Some(after.trim().to_owned()),
            word => name.push(word),
        }
        rest = after;
    };
    if name.is_empty() {
        return Err("setoption: the name is missing".to_owned());
    }
    Ok(Command::SetOption { name: name.join(" "), value: value.filter(|value| !value.is_empty()) })
}

#[cfg(test)]
mod tests {
    use super::super::manual::GO;
    use super::*;

    fn set(name: &str, value: Option<&str>) -> Command {
        Command::SetOption { name: name.to_owned(), value: value.map(str::to_owned) }
    }

    fn spec(fen: Option<&str>, moves: &[&str]) -> PositionSpec {
        let moves = moves.iter().map(|&text| text.to_owned()).collect();
        PositionSpec { fen: fen.map(str::to_owned), moves }
    }

    fn from(fen: Option<&str>, moves: &[&str]) -> Command {
        Command::Position(spec(fen, moves))
    }

    #[test]
    fn a_position_behind_a_command_is_for_that_command() {
        let fen = "8/8/8/8/8/8/8/8 w - -";
        let go = |text| Command::Go(GoCommand::parse(text).unwrap());
        for (line, place, command) in [
            ("d 8/8/8/8/8/8/8/8 w - -", spec(Some(fen), &[]), Command::Print(Printable::Board)),
            (
                "eval fen 8/8/8/8/8/8/8/8 w - - moves a2a3",
                spec(Some(fen), &["a2a3"]),
                Command::Print(Printable::Evaluation),
            ),
            ("perft 3 startpos moves e2e4", spec(None, &["e2e4"]), Command::Perft(3)),
            ("perft 3 8/8/8/8/8/8/8/8 w - -", spec(Some(fen), &[]), Command::Perft(3)),
            ("go perft 3 8/8/8/8/8/8/8/8 w - -", spec(Some(fen), &[]), Command::Perft(3)),
            ("go depth 3 fen 8/8/8/8/8/8/8/8  w - -", spec(Some(fen), &[]), go("depth 3")),
            ("go STARTPOS moves e2e4", spec(None, &["e2e4"]), go("")),
            ("d hello", spec(Some("hello"), &[]), Command::Print(Printable::Board)),
        ] {
            assert_eq!(parse(line), Ok(Some(Command::InPosition(place, Box::new(command)))), "{line}");
        }
        assert!(parse("eval startpos e2e4").is_err());
    }

    #[test]
    fn lines_become_commands() {
        for (line, expected) in [
            ("uci", Command::Simple(UciMessage::Uci)),
            ("  UCI  ", Command::Simple(UciMessage::Uci)),
            ("joho debug on", Command::Simple(UciMessage::Debug(true))),
            ("debug off", Command::Simple(UciMessage::Debug(false))),
            ("isready", Command::Simple(UciMessage::IsReady)),
            ("isready now", Command::Simple(UciMessage::IsReady)),
            ("ucinewgame", Command::Simple(UciMessage::UciNewGame)),
            ("stop", Command::Simple(UciMessage::Stop)),
            ("ponderhit", Command::Simple(UciMessage::PonderHit)),
            ("quit", Command::Simple(UciMessage::Quit)),
            ("register later", Command::Register),
            ("register name \u{e9} code 1", Command::Register),
            ("position startpos", from(None, &[])),
            ("position startpos  moves  e2e4\te7e5", from(None, &["e2e4", "e7e5"])),
            ("position fen 8/8/8/8/8/8/8/8 w - - moves a2a3", from(Some("8/8/8/8/8/8/8/8 w - -"), &["a2a3"])),
            ("position fen", from(Some(""), &[])),
            ("setoption name Hash value 32", set("Hash", Some("32"))),
            ("setoption name Clear Hash", set("Clear Hash", None)),
            ("setoption  NAME  move  overhead  VALUE  5 ", set("move overhead", Some("5"))),
            ("setoption name Debug Log File value a  b.txt", set("Debug Log File", Some("a  b.txt"))),
            ("setoption name Debug Log File value", set("Debug Log File", None)),
            ("perft 5", Command::Perft(5)),
            ("go perft 5", Command::Perft(5)),
            ("bench", Command::Bench(None, None)),
            ("bench 4", Command::Bench(Some(4), None)),
            ("bench 4 2", Command::Bench(Some(4), Some(2))),
            ("D", Command::Print(Printable::Board)),
            ("flip", Command::Flip),
            ("help", Command::Help(None)),
            ("help perft", Command::Help(Some("perft".to_owned()))),
        ] {
            assert_eq!(parse(line), Ok(Some(expected)), "{line}");
        }
        for line in ["", " ", "\t"] {
            assert_eq!(parse(line), Ok(None));
        }
    }

    #[test]
    fn errors_name_what_is_wrong() {
        for (line, named) in [
            ("isreadyx", "isreadyx"),
            ("hello d", "hello"),
            ("\u{fffd}", "\u{fffd}"),
            ("debug", "on"),
            ("debug maybe", "on"),
            ("position", "startpos"),
            ("position e2e4", "e2e4"),
            ("position startpos e2e4", "e2e4"),
            ("position moves e2e4", "startpos"),
            ("setoption Hash value 3", "name"),
            ("setoption name", "name"),
            ("setoption name value 3", "name"),
            ("perft", "depth"),
            ("perft x", "'x'"),
            ("perft -1", "'-1'"),
            ("bench all", "'all'"),
            ("perft 65", "'65'"),
            ("perft 99999999999999999999", "'99999999999999999999'"),
            ("go perft 65", "'65'"),
            ("bench 4 many", "'many'"),
            ("bench 0", "'0'"),
            ("bench -1", "'-1'"),
            ("bench 1000", "'1000'"),
            ("bench 99999999999999999999", "'99999999999999999999'"),
            ("bench 5 0", "'0'"),
            ("bench 5 1025", "'1025'"),
            ("bench 5 1 extra", "'extra'"),
            ("options all", "'all'"),
            ("compiler x", "'x'"),
            ("version x", "'x'"),
            ("flip x", "'x'"),
            ("help d x", "'x'"),
            ("go depth x", "'x'"),
            ("go nodes 1e6", "'1e6'"),
            ("go movetime 1.5", "'1.5'"),
            ("go depth", "depth"),
            ("go movetime depth 3", "movetime"),
        ] {
            let error = parse(line).expect_err(line);
            assert!(error.contains(named), "{line}: {error}");
        }
    }

    #[test]
    fn every_command_of_the_manual_is_parsed() {
        for entry in OURS.iter().chain([&GO]) {
            let line = if entry.name == "perft" { "perft 1" } else { entry.name };
            assert!(matches!(parse(line), Ok(Some(_))), "{line}");
        }
    }
}
