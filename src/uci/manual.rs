//! Commands beyond UCI, in one table, from which the parser takes their names, and help, manual page and shell
//! completions their text.

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
    arguments: "[LIMIT]...",
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
    effect: "Search the start position within limits in the words of UCI, such as movetime 2000",
};

/// The commands beyond UCI, in the order of the help.
pub const OURS: &[Entry] = &[
    entry("perft", "N", "Count the positions after N plies, by first moves"),
    entry("bench", "[DEPTH [THREADS]]", "Do a fixed piece of work; its node count is the engine's signature"),
    entry("d", "", "Show the board, its FEN, its key, the checkers"),
    entry("eval", "", "Show the static evaluation, term by term"),
    entry("flip", "", "Exchange the colours and turn the board over"),
    entry("options", "", "Show the options of UCI, as a table"),
    entry("compiler", "", "Show what the program was built by and for"),
    entry("version", "", "Show name and version"),
    entry("help", "", "Show which commands there are"),
];

const fn entry(name: &'static str, arguments: &'static str, effect: &'static str) -> Entry {
    Entry { name, arguments, words: &[], effect }
}

/// Description of the program, in one line.
pub const ABOUT: &str = "A UCI chess engine whose search algorithm is a choice";

/// Usage, in a few lines.
pub const DESCRIPTION: &str = "\
Without arguments it speaks UCI on standard input and output. A command given as arguments is run
from the start position, and the engine exits when it is done: plumb go movetime 2000, plumb bench.
(A search without any limit is never done.)";

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
        let _ = writeln!(text, "{:indent$}{synopsis:<16} {}", "", entry.effect);
    }
    text.truncate(text.trim_end().len());
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_names_every_command() {
        let help = help();
        for entry in OURS {
            assert!(help.contains(&format!(" {}", entry.name)) && help.contains(entry.effect), "{help}");
        }
        assert!(help.lines().all(|line| line.chars().count() <= 110), "{help}");
    }
}
