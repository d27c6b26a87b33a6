//! `plumb book`: builds an opening book from lines of play, shows the moves of a position, merges books, and
//! writes openings for matches.

use super::builder::Builder;
use crate::chess::book::Book;
use crate::chess::game::Game;
use crate::files;
use crate::lab::base::formats::openings::Openings;
use crate::lab::base::formats::pgn::reader::PgnGame;
use crate::lab::base::formats::pgn::{LeftOut, tally::Tally};
use crate::lab::base::formats::{epd, position, san};
use crate::lab::base::records::file::{self, Kind};
use crate::lab::base::terminal::console::{self, Failure};
use crate::lab::base::terminal::interrupted::{self, Stop, interrupted};
use crate::lab::base::terminal::progress::Progress;
use crate::lab::play::books::arguments::{BookArgs, BookCommand, Weight};
use std::collections::HashSet;
use std::fmt::Write as _;
use std::io::Read;
use std::path::Path;
use std::time::Duration;

/// Runs `plumb book`.
///
/// # Errors
/// If a file cannot be read or written, or holds nothing for a book.
pub fn run(arguments: &BookArgs) -> Result<(), Failure> {
    match &arguments.command {
        BookCommand::Build { files, strict, by, output } => {
            // A file may be endless, and nothing is written before all are read.
            interrupted::end_within(PATIENCE);
            file::check_writable(output, Kind::Binary)?;
            let (mut builder, mut tally) = (Builder::default(), Tally::new(*strict));
            for path in files {
                collect(path, *by, &mut builder, &mut tally)?;
            }
            if interrupted() {
                return Err(Failure::interrupted());
            }
            if builder.is_empty() && tally.left_out() > 0 {
                return Err(Failure::new(tally.nothing()));
            }
            tally.firsts().for_each(console::note);
            save(builder, output)?;
            if tally.games() > 0 { console::out(&format!("{tally}\n")) } else { Ok(()) }
        }
        BookCommand::Probe { file, fen } => probe(file, fen.as_deref()),
        BookCommand::Merge { files, output } => {
            file::check_writable(output, Kind::Binary)?;
            let mut builder = Builder::default();
            for path in files {
                open(path)?.entries().for_each(|entry| builder.add_entry(entry));
            }
            builder.unify_castling(Game::new().position());
            save(builder, output)
        }
        BookCommand::Openings { count, seed, output } => write_openings(*count as usize, *seed, output),
    }
}

/// Writes different balanced openings, one a line.
fn write_openings(count: usize, seed: u64, path: &Path) -> Result<(), Failure> {
    file::check_writable(path, Kind::Text)?;
    let (openings, stop) = (Openings::new(None, seed)?, Stop::default());
    let mut progress = Progress::new("openings", count, 0);
    let (mut text, mut known) = (String::new(), HashSet::new());
    for number in 0.. {
        if known.len() == count {
            break;
        }
        let Some(game) = openings.get(number, &stop)? else { return Err(Failure::interrupted()) };
        // EPD has no move counters.
        let opening = game.fen().split(' ').take(4).collect::<Vec<_>>().join(" ");
        if known.insert(opening.clone()) {
            let _ = writeln!(text, "{opening}");
            progress.step();
        }
    }
    progress.finish();
    file::write(path, text.as_bytes())?;
    console::out(&format!("{}: {count} openings, {}\n", path.display(), openings.describe()))
}

fn open(path: &Path) -> Result<Book, Failure> {
    Book::read(path).map_err(|error| Failure::new(format!("{}: {error}", path.display())))
}

fn save(builder: Builder, path: &Path) -> Result<(), Failure> {
    let book = builder.finish().map_err(|error| Failure::new(error.to_string()))?;
    file::write(path, book.bytes())?;
    console::out(&format!("{}: {} moves\n", path.display(), book.len()))
}

/// Shows the moves that a book has for a position, the start where none is given.
fn probe(path: &Path, fen: Option<&str>) -> Result<(), Failure> {
    let book = open(path)?;
    let game = fen.map_or_else(|| Ok(Game::new()), position::read).map_err(Failure::usage)?;
    let moves = book.moves(game.position());
    let mut text = String::new();
    for found in &moves {
        let san = san::write(game.position().chess(), found.m);
        let (uci, weight) = (game.print_move(found.m), found.weight);
        let _ = writeln!(text, "{san:8} {uci:6} {weight:6} {:5.1} %", found.percent());
    }
    if moves.is_empty() {
        text.push_str("the book does not know this position\n");
    }
    console::out(&text)
}

/// Time for the reading of files to end after Ctrl-C.
const PATIENCE: Duration = Duration::from_millis(500);

/// The longest table of lines that is read, in bytes.
const MOST_BYTES: u64 = 256 << 20;

/// Adds the moves of a file; its extension names the format.
fn collect(path: &Path, by: Weight, builder: &mut Builder, tally: &mut Tally) -> Result<(), Failure> {
    let ending = path.extension().unwrap_or_default().to_ascii_lowercase();
    match ending.to_str() {
        Some("pgn") => {
            let file = std::fs::File::open(path);
            let file = file.map_err(|error| Failure::file("read", path.display(), &error))?;
            add_games(&path.display().to_string(), file, by, builder, tally)
        }
        Some("tsv") => {
            let bytes = files::read_any(path, MOST_BYTES);
            let bytes = bytes.map_err(|error| Failure::file("read", path.display(), &error))?;
            add_table(&path.display().to_string(), &String::from_utf8_lossy(&bytes), by, builder, tally)
        }
        Some("epd") => {
            let suite = epd::read(path, epd::Reading::Goals)?;
            suite.bad.iter().for_each(console::note);
            for case in &suite.cases {
                case.best.iter().for_each(|&m| builder.add(case.position(), m, 1));
            }
            Ok(())
        }
        _ => Err(named(path, "a file that ends in .pgn, .tsv or .epd is expected")),
    }
}

fn named(path: &Path, error: &str) -> Failure {
    Failure::new(format!("{}: {error}", path.display()))
}

/// Adds the lines of a tab-separated table whose header names a column `pgn` with the moves.
fn add_table(
    name: &str,
    text: &str,
    by: Weight,
    builder: &mut Builder,
    tally: &mut Tally,
) -> Result<(), Failure> {
    let mut rows = text.trim_start_matches('\u{feff}').lines().enumerate();
    let header = rows.next().map_or("", |(_, header)| header);
    let column = header.split('\t').position(|name| name.trim() == "pgn");
    let wrong = |what: String| Failure::new(format!("{name}: {what}"));
    let column = column.ok_or_else(|| wrong("the first line names no column 'pgn'".to_owned()))?;
    for (index, row) in rows.filter(|(_, row)| !row.trim().is_empty()) {
        let moves = row.split('\t').nth(column);
        let moves = moves.ok_or_else(|| wrong(format!("line {}: the moves are missing", index + 1)))?;
        // The end of the row is that of its last word.
        let moves = moves.as_bytes().chain(&b"\n"[..]);
        add_games(&format!("{name}: line {}", index + 1), moves, by, builder, tally)?;
    }
    Ok(())
}

/// Adds the main lines of games in PGN.
fn add_games(
    name: &str,
    source: impl Read,
    by: Weight,
    builder: &mut Builder,
    tally: &mut Tally,
) -> Result<(), Failure> {
    let add = |game: &PgnGame| {
        if game.moves.is_empty() {
            return Ok(Some(LeftOut::Lacks("want of moves")));
        }
        if by == Weight::Results && game.result.is_none() {
            return Ok(Some(LeftOut::Lacks("want of a result")));
        }
        let mut position = game.start.position().clone();
        for &m in &game.moves {
            let weight = match (by, game.result.flatten()) {
                (Weight::Games, _) | (Weight::Results, None) => 1,
                (Weight::Results, Some(winner)) => 2 * u16::from(winner == position.turn()),
            };
            builder.add(&position, m, weight);
            position = position.play(m);
        }
        Ok(None)
    };
    tally.games_of(name, source, &Stop::default(), add)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::base::records::test_folder::TestFolder;

    fn built(add: impl FnOnce(&mut Builder, &mut Tally) -> Result<(), Failure>) -> Result<Book, String> {
        let (mut builder, mut tally) = (Builder::default(), Tally::new(true));
        add(&mut builder, &mut tally).map_err(|failure| failure.message().unwrap_or_default().to_owned())?;
        builder.finish().map_err(|error| error.to_string())
    }

    fn of_table(text: &str) -> Result<Book, String> {
        built(|builder, tally| add_table("table", text, Weight::Games, builder, tally))
    }

    fn weights(book: &Book) -> Vec<u32> {
        book.moves(Game::new().position()).iter().map(|found| found.weight).collect()
    }

    #[test]
    fn the_own_book_is_made_from_its_lines() {
        let lines = include_str!("../../../../book/lines.tsv");
        assert_eq!(of_table(lines).unwrap().bytes(), Book::own().bytes());
    }

    #[test]
    fn a_move_weighs_the_games_that_it_is_in() {
        let games = "[Event \"?\"]\n\n1. e4 {best} e5 (1... c5 2. Nf3) 2. Nf3 $1 *\n\n\
                     [Event \"?\"]\n\n1. e4 c5 1-0\n\n[Event \"?\"]\n\n1. d4 d5 1/2-1/2\n";
        let of_games =
            |text: &str| built(|b, tally| add_games("games", text.as_bytes(), Weight::Games, b, tally));
        assert_eq!(weights(&of_games(games).unwrap()), [2, 1]);
        assert!(of_games("1. e4 e5 2. Ke3 *").unwrap_err().contains("games: game 1: 'Ke3'"));
    }

    #[test]
    fn a_weight_by_results_counts_half_points_of_the_mover() {
        let games = "1. e4 e5 1-0\n\n1. e4 c5 1/2-1/2\n\n1. d4 d5 0-1\n\n1. e4 e5 *\n";
        let (mut builder, mut tally) = (Builder::default(), Tally::default());
        add_games("games", games.as_bytes(), Weight::Results, &mut builder, &mut tally).unwrap();
        assert_eq!((tally.read(), tally.left_out()), (3, 1));
        let book = builder.finish().unwrap();
        assert_eq!(weights(&book), [3, 0]);
        let mut after = Game::new();
        after.play_text("e2e4").unwrap();
        assert_eq!(book.moves(after.position()).iter().map(|found| found.weight).collect::<Vec<_>>(), [1, 0]);
    }

    #[test]
    fn positions_recommend_their_best_moves() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -";
        let text =
            format!("{start} bm e4 d4;\n{start} bm e4; id \"again\";\n{castling} bm O-O;\n{start} am a4;\n");
        let folder = TestFolder::new("book");
        let path = folder.join("book.epd");
        std::fs::write(&path, text).unwrap();
        let book = built(|builder, tally| collect(&path, Weight::Games, builder, tally)).unwrap();
        assert_eq!((weights(&book), book.len()), (vec![2, 1], 3));
        let castled = book.moves(Game::parse_fen(castling).unwrap().position());
        assert!(castled.len() == 1 && castled[0].m.is_castle(), "{castled:?}");
    }

    #[test]
    fn tables_need_a_column_with_moves() {
        let table = "eco\tname\tpgn\nC20\tone\t1. e4 e5\n\nB20\ttwo\t1. e4 c5\n";
        assert_eq!(weights(&of_table(table).unwrap()), [2]);
        assert!(of_table("eco\tname\nC20\tone\n").unwrap_err().contains("pgn"));
        assert!(of_table("eco\tpgn\nC20\n").unwrap_err().contains("line 2"));
        assert!(of_table("pgn\n1. e4 e4\n").unwrap_err().contains("line 2"));
        assert!(of_table("pgn\n").unwrap_err().contains("empty"));
    }
}
