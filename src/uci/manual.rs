//! Commands beyond UCI, in one table, from which the parser takes their names, and help, manual page and
//! shell completions their text.

use std::fmt::Write as _;

/// A command that can be given on the command line as well as on standard input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its first word.
    pub name: &'static str,
    /// Its arguments, as a synopsis shows them; may be empty.
    pub arguments: &'static str,
    /// Words that may follow it, for shell completion.
    pub words: &'static [&'static str],
    /// Its effect, in one line.
    pub effect: &'static str,
}

/// UCI's `go`, which the command line knows too.
pub const GO: Entry = Entry {
    name: "go",
    arguments: "[LIMIT]... [POSITION]",
    words: &[
        "depth",
        "nodes",
        "mate",
        "movetime",
        "wtime",
        "btime",
        "winc",
        "binc",
        "movestogo",
        "searchmoves",
        "perft",
    ],
    effect: "Search a position within limits in the words of UCI, such as movetime 2000",
};

/// The commands beyond UCI, in the order of the help.
pub const OURS: &[Entry] = &[
    entry("perft", "N [POSITION]", "Count the positions after N plies, by first moves"),
    entry("bench", "[DEPTH [THREADS]]", "Search fixed positions; the node count is the engine's signature"),
    entry("d", "[POSITION]", "Show the board, its FEN, its key, the checkers"),
    entry("eval", "[POSITION]", "Show the static evaluation, term by term"),
    entry("flip", "", "Exchange the colours and turn the board over"),
    entry("options", "", "Show the UCI options, as a table"),
    entry("compiler", "", "Show compiler, platform and processor features of this build"),
    entry("version", "", "Show name and version"),
    entry("help", "[COMMAND]", "List the commands, or show the help of one"),
];

const fn entry(name: &'static str, arguments: &'static str, effect: &'static str) -> Entry {
    Entry { name, arguments, words: &[], effect }
}

/// Description of the program, in one line.
pub const ABOUT: &str = "A UCI chess engine whose search algorithm is a choice";

/// Usage, in a few lines.
pub const DESCRIPTION: &str = "\
Without arguments it speaks UCI on standard input and output. A command given as arguments is run,
and the engine exits when it is done: plumb go movetime 2000, plumb bench. (A go without any limit
searches until Ctrl-C, or to depth 127.)";

/// The argument POSITION of the commands that take one.
pub const POSITION: &str = "\
POSITION is a FEN, or 'startpos', either with 'moves' and moves behind it:
plumb perft 4 \"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -\", plumb eval startpos moves e2e4.
Without one it is the start position, or in a UCI conversation the position set up there.";

/// The text of `help`.
#[must_use]
pub fn help() -> String {
    let mut text = format!(
        "Plumb: {ABOUT}.\n\n{DESCRIPTION}\n
UCI:   uci isready ucinewgame setoption position go stop ponderhit debug register quit
       position startpos|fen FEN [moves ...]
       go [depth N] [nodes N] [mate N] [movetime MS] [wtime MS] [btime MS] [winc MS] [binc MS]
          [movestogo N] [searchmoves ...] [infinite] [ponder] [perft N]
More:"
    );
    for (index, entry) in OURS.iter().enumerate() {
        let indent = if index == 0 { 2 } else { 7 };
        let synopsis = format!("{} {}", entry.name, entry.arguments);
        let _ = writeln!(text, "{:indent$}{synopsis:<24} {}", "", entry.effect);
    }
    let _ = write!(text, "\n{POSITION}");
    text
}

/// The help of one command, `None` if there is none of this name. Case is ignored.
#[must_use]
pub fn help_of(name: &str) -> Option<String> {
    let entry = [&GO].into_iter().chain(OURS).find(|entry| entry.name.eq_ignore_ascii_case(name))?;
    let mut text = format!("{}.\n\nUsage: plumb {} {}", entry.effect, entry.name, entry.arguments);
    text.truncate(text.trim_end().len());
    if !entry.words.is_empty() {
        let _ =
            write!(text, "\n\nLIMIT is one of these words, most with a number: {}.", entry.words.join(", "));
    }
    if entry.arguments.contains("POSITION") {
        let _ = write!(text, "\n\n{POSITION}");
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_a_help_of_its_own() {
        for entry in OURS.iter().chain([&GO]) {
            let help = help_of(&entry.name.to_uppercase()).unwrap();
            assert!(
                help.starts_with(entry.effect) && help.contains(&format!("plumb {}", entry.name)),
                "{help}"
            );
        }
        assert!(help_of("perft").unwrap().contains("FEN") && !help_of("bench").unwrap().contains("FEN"));
        assert_eq!(help_of("nonsense"), None);
    }

    #[test]
    fn help_names_every_command() {
        let help = help();
        for entry in OURS {
            assert!(help.contains(&format!(" {}", entry.name)) && help.contains(entry.effect), "{help}");
        }
        assert!(help.lines().all(|line| line.chars().count() <= 110), "{help}");
    }
}
