//! Names of openings, by positions: those of tables that the user names, or the families that the lines of
//! the built-in book belong to.
//!
//! A row of a table names the position behind its moves, as in the tables of lichess-org/chess-openings. The
//! lines of the built-in book are few and long: only the end of one has its whole name, a position on the way
//! the family that all lines through it have in common ("Ruy Lopez"), or none. Their codes are those of
//! families, and no position is given one.

use super::positions::Positions;
use crate::chess::Position;
use crate::chess::book::Book;
use crate::files;
use crate::lab::base::formats::pgn::reader::{GameReader, PgnGame};
use crate::lab::base::terminal::console::Failure;
use shakmaty::Move;
use std::collections::HashMap;
use std::path::Path;

/// The lines of the built-in book.
const LINES: &str = include_str!("../../../../book/lines.tsv");

/// The longest table that is read, in bytes.
const MOST_BYTES: u64 = 64 << 20;

/// An opening that a game has reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Code of the Encyclopaedia of Chess Openings, or empty.
    pub eco: String,
    /// Its name.
    pub name: String,
}

/// Names of positions by their keys.
pub struct Names {
    names: HashMap<u64, Opening>,
    book: Book,
}

/// Opening of a game, as far as it is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameOpening {
    /// The last name on the way.
    pub opening: Option<Opening>,
    /// Plies up to the last position that has a name or is in the built-in book; 0 if there is none.
    pub book_plies: usize,
    /// Plies from the beginning whose moves are all in the built-in book. A name alone is no praise: tables
    /// name gambits and traps.
    pub book_moves: usize,
}

impl Names {
    /// The names of some tables; without tables the families of the built-in book.
    ///
    /// # Errors
    /// If a table cannot be read.
    pub fn new(tables: &[impl AsRef<Path>]) -> Result<Names, Failure> {
        let mut names = HashMap::new();
        for path in tables {
            let path = path.as_ref();
            let bytes = files::read_any(path, MOST_BYTES);
            let bytes = bytes.map_err(|error| Failure::file("read", path.display(), &error))?;
            let text = String::from_utf8_lossy(&bytes);
            let failed = |why: String| Failure::new(format!("{}: {why}", path.display()));
            for (opening, game) in rows(&text).map_err(failed)? {
                if let Some(last) = Positions::of(&game).all().last() {
                    names.insert(last.key(), opening);
                }
            }
        }
        if tables.is_empty() {
            names = families(LINES).map_err(Failure::new)?;
        }
        Ok(Names { names, book: Book::own() })
    }

    /// Finds the opening of a game.
    #[must_use]
    pub fn find(&self, positions: &Positions, moves: &[Move]) -> GameOpening {
        let is_in_book = |(position, m): &(&Position, &Move)| {
            self.book.moves(position).iter().any(|of_book| of_book.m == **m)
        };
        let book_moves = positions.all().iter().zip(moves).take_while(is_in_book).count();
        let mut known = GameOpening { book_moves, ..GameOpening::default() };
        for (plies, position) in positions.all().iter().enumerate() {
            let named = self.names.get(&position.key());
            if named.is_some() || self.book.find(position.polyglot_key()).next().is_some() {
                known.book_plies = plies;
            }
            known.opening = named.cloned().or(known.opening);
        }
        known
    }
}

/// The rows of a table with the columns `eco` (which may be missing), `name` and `pgn`.
fn rows(text: &str) -> Result<Vec<(Opening, PgnGame)>, String> {
    let mut lines = text.trim_start_matches('\u{feff}').lines().enumerate();
    let header: Vec<&str> = lines.next().map_or("", |(_, line)| line).split('\t').map(str::trim).collect();
    let column = |name: &str| header.iter().position(|&column| column == name);
    let missing = |name: &str| format!("the first line names no column '{name}'");
    let name = column("name").ok_or_else(|| missing("name"))?;
    let moves = column("pgn").ok_or_else(|| missing("pgn"))?;
    let mut rows = Vec::new();
    for (index, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        let cells: Vec<&str> = line.split('\t').map(str::trim).collect();
        let cell = |column: usize| cells.get(column).copied().unwrap_or_default();
        let source = format!("{}\n", cell(moves));
        let game = GameReader::new(source.as_bytes()).next_game().map_err(|error| error.to_string())?;
        let game = match game {
            Some((_, Ok(game))) => game,
            Some((_, Err(why))) => return Err(format!("line {}: {why}", index + 1)),
            None => return Err(format!("line {}: the moves are missing", index + 1)),
        };
        let eco = column("eco").map_or("", cell).to_owned();
        rows.push((Opening { eco, name: cell(name).to_owned() }, game));
    }
    Ok(rows)
}

/// Names from long lines: the last position of a line has its name, those before it the family, which is the
/// name up to a colon. A position of several lines has what these names have in common.
fn families(text: &str) -> Result<HashMap<u64, Opening>, String> {
    let mut names: HashMap<u64, Opening> = HashMap::new();
    for (line, game) in rows(text)? {
        let family = line.name.split(':').next().unwrap_or_default();
        let positions = Positions::of(&game);
        let last = positions.all().len() - 1;
        for (plies, position) in positions.all().iter().enumerate().skip(1) {
            let name = if plies == last { &line.name } else { family };
            names
                .entry(position.key())
                .and_modify(|known| known.name = common(&known.name, name).to_owned())
                .or_insert_with(|| Opening { eco: String::new(), name: name.to_owned() });
        }
    }
    names.retain(|_, opening| !opening.name.is_empty());
    Ok(names)
}

/// The parts of a name, up to a colon or a comma, that another one begins with too.
fn common<'n>(name: &'n str, other: &str) -> &'n str {
    let ends = name.match_indices([':', ',']).map(|(at, _)| at).chain([name.len()]);
    let is_shared = |end: &usize| {
        let rest = other.strip_prefix(&name[..*end]);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([':', ',']))
    };
    ends.rev().find(is_shared).map_or("", |end| &name[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(names: &Names, text: &str) -> GameOpening {
        let game = GameReader::new(text.as_bytes()).next_game().unwrap().unwrap().1.unwrap();
        names.find(&Positions::of(&game), &game.moves)
    }

    fn in_a_file(text: &str) -> Result<Names, Failure> {
        let path =
            std::env::temp_dir().join(format!("plumb-names-{}-{}.tsv", std::process::id(), text.len()));
        std::fs::write(&path, text).unwrap();
        let names = Names::new(&[&path]);
        std::fs::remove_file(&path).unwrap();
        names
    }

    #[test]
    fn the_families_of_the_built_in_book_name_positions_on_its_lines() {
        let names = Names::new(&[] as &[&Path]).unwrap();
        let spanish = known(&names, "1. e4 e5 2. Nf3 Nc6 3. Bb5 h5 4. a3 *");
        assert_eq!((spanish.opening.unwrap().name.as_str(), spanish.book_plies), ("Ruy Lopez", 5));
        assert_eq!(spanish.book_moves, 5, "3... h5 is in no book");
        // One line goes through 2... exf4: its variation is not the game's.
        let gambit = known(&names, "1. e4 e5 2. f4 exf4 3. Bc4 Qh4+ *").opening.unwrap();
        assert_eq!((gambit.eco.as_str(), gambit.name.as_str()), ("", "King's Gambit"));
        let exchange = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 5. O-O f6 6. d4 exd4 *";
        assert_eq!(known(&names, exchange).opening.unwrap().name, "Ruy Lopez: Exchange");
        let odd = known(&names, "1. Na3 Nh6 2. Rb1 *");
        assert_eq!(odd, GameOpening::default());
        let none = known(&names, "[Result \"*\"]\n\n*");
        assert_eq!(none, GameOpening::default());
    }

    #[test]
    fn a_table_names_the_last_positions_of_its_rows_also_after_a_transposition() {
        let names =
            in_a_file("eco\tname\tpgn\nA04\tReti\t1. Nf3\nD02\tQueen's Pawn: Zukertort\t1. d4 d5 2. Nf3\n");
        let names = names.unwrap();
        let reti = known(&names, "1. Nf3 d5 2. d4 a6 3. a3 *");
        let name = Opening { eco: "D02".to_owned(), name: "Queen's Pawn: Zukertort".to_owned() };
        assert_eq!(reti.opening, Some(name));
        assert_eq!(known(&names, "1. Nf3 a5 *").opening.unwrap().name, "Reti");
    }

    #[test]
    fn a_table_that_cannot_be_read_is_refused_with_its_line() {
        for (text, why) in [
            ("eco\tpgn\n", "no column 'name'"),
            ("eco\tname\n", "no column 'pgn'"),
            ("name\tpgn\nA\t1. e5\n", "line 2: 'e5'"),
            ("name\tpgn\nA\n", "line 2: the moves are missing"),
        ] {
            let failed = in_a_file(text).err().unwrap();
            assert!(failed.message().unwrap().contains(why), "{text}: {failed:?}");
        }
        assert!(Names::new(&["no such file"]).is_err());
    }

    #[test]
    fn names_have_whole_parts_in_common() {
        for (one, other, both) in [
            ("Ruy Lopez: Berlin, rook line", "Ruy Lopez: Berlin, main line", "Ruy Lopez: Berlin"),
            ("Ruy Lopez: Berlin", "Ruy Lopez", "Ruy Lopez"),
            ("Ruy Lopez", "Ruy Lopez: Berlin", "Ruy Lopez"),
            ("Ruy Lopez", "Ruy Lopez Two", ""),
            ("Caro-Kann", "French", ""),
        ] {
            assert_eq!(common(one, other), both);
        }
    }
}
