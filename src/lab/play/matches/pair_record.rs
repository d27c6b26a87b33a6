//! Finished pairs on disk, from which a tournament resumes after an interruption. The head names the
//! tournament; every finished pair is a line, appended at once: the number of the pair (from 1), the opening
//! and both games, separated by tabs. A game is `result;reason;moves`, a move
//! `move/value/depth/nodes/microseconds` with a hyphen for a value that was not reported. A checksum ends the
//! line.

use super::pair::Pair;
use crate::chess::game::Game;
use crate::lab::base::formats::pgn;
use crate::lab::base::records::head::Head;
use crate::lab::base::records::journal::{Journal, RowInGroup};
use crate::lab::base::terminal::console::Failure;
use crate::lab::play::referee::{FinishedGame, Ply, ends_so};
use shakmaty::Color;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

/// The first words of every record.
const TITLE: &str = "# plumb tournament";

/// In place of a value that was not reported.
const UNTOLD: &str = "-";

/// An open record.
pub struct PairRecord {
    journal: Journal,
}

impl PairRecord {
    /// Opens the record of a tournament that `parameters` describe (lines without the comment mark): a new
    /// one, or an old one of the same tournament with the pairs it holds. `restart` overwrites.
    ///
    /// # Errors
    /// If the file cannot be used, is no record, or holds another tournament.
    pub fn open(
        path: &Path,
        parameters: &[String],
        restart: bool,
    ) -> Result<(PairRecord, Vec<(usize, Pair)>), Failure> {
        let mut pairs = Vec::new();
        let head = Head::new(TITLE, parameters);
        let journal = Journal::resume(path, &head, "something else", restart, |line| {
            pairs.push(
                read_line(line)
                    .ok_or("is no pair of games, or one with a result that contradicts its end")?,
            );
            Ok(RowInGroup::Last)
        })?;
        Ok((PairRecord { journal }, pairs))
    }

    /// Appends a finished pair, all of it or none.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn append(&mut self, number: usize, pair: &Pair) -> Result<(), Failure> {
        self.journal.append_rows(&line(number, pair))
    }
}

fn line(number: usize, pair: &Pair) -> String {
    let mut text = format!("{}\t{}", number + 1, pair.opening.fen());
    for game in &pair.games {
        let _ = write!(text, "\t{};{};", pgn::result(game.winner), game.reason);
        for (index, ply) in game.plies.iter().enumerate() {
            let (gap, uci) = (if index > 0 { " " } else { "" }, ply.played.to_uci(pair.opening.castling()));
            let value = ply.value.map_or_else(|| UNTOLD.to_owned(), |value| value.to_string());
            let (depth, nodes, time) = (ply.depth, ply.nodes, ply.time.as_micros());
            let _ = write!(text, "{gap}{uci}/{value}/{depth}/{nodes}/{time}");
        }
    }
    text.push('\n');
    text
}

fn read_line(line: &str) -> Option<(usize, Pair)> {
    let mut fields = line.split('\t');
    let number = fields.next()?.parse::<usize>().ok()?.checked_sub(1)?;
    let opening = Game::parse_fen(fields.next()?).ok()?;
    let games = [read_game(&opening, fields.next()?)?, read_game(&opening, fields.next()?)?];
    fields.next().is_none().then_some((number, Pair { opening, games }))
}

fn read_game(opening: &Game, text: &str) -> Option<FinishedGame> {
    let (result, rest) = text.split_once(';')?;
    let (reason, moves) = rest.split_once(';')?;
    let results = [None, Some(Color::White), Some(Color::Black)];
    let winner = results.into_iter().find(|&winner| pgn::result(winner) == result)?;
    let mut now = opening.clone();
    let mut plies = Vec::new();
    for text in moves.split_whitespace() {
        let ply = read_ply(&now, text)?;
        now.play(ply.played);
        plies.push(ply);
    }
    let reason = reason.parse().ok()?;
    ends_so(&now, winner, reason).then_some(FinishedGame { plies, winner, reason })
}

fn read_ply(now: &Game, text: &str) -> Option<Ply> {
    let parts: Vec<&str> = text.split('/').collect();
    let &[uci, value, depth, nodes, time] = parts.as_slice() else { return None };
    Some(Ply {
        played: now.parse_move(uci).ok()?,
        value: if value == UNTOLD { None } else { Some(value.parse().ok()?) },
        depth: depth.parse().ok()?,
        nodes: nodes.parse().ok()?,
        time: Duration::from_micros(time.parse().ok()?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::base::records::failing::survives;
    use crate::lab::base::records::head::RowChecksum;
    use crate::lab::base::records::test_folder::TestFolder;
    use crate::lab::play::referee::Termination;
    use shakmaty::Position as _;

    fn pair(fen: &str, lines: [&[&str]; 2]) -> Pair {
        let opening = Game::parse_fen(fen).unwrap();
        let games = lines.map(|line| {
            let mut now = opening.clone();
            let mut plies = Vec::new();
            for text in line {
                let played = now.parse_move(text).unwrap();
                let value = (now.position().turn().is_white()).then_some(-31);
                plies.push(Ply { played, value, depth: 5, nodes: 99, time: Duration::from_micros(77) });
                now.play(played);
            }
            FinishedGame { plies, winner: Some(Color::Black), reason: Termination::Won }
        });
        Pair { opening, games }
    }

    fn same(a: &[(usize, Pair)], b: &[(usize, Pair)]) {
        let plain = |all: &[(usize, Pair)]| {
            let each = |(number, pair): &(usize, Pair)| (*number, pair.opening.fen(), pair.games.clone());
            all.iter().map(each).collect::<Vec<_>>()
        };
        assert_eq!(plain(a), plain(b));
    }

    fn in_a_file(name: &str, test: impl FnOnce(&Path, &[String])) {
        let folder = TestFolder::new(&format!("pairs-{name}"));
        test(&folder.join("pairs"), &["nodes 500".to_owned(), "seed 3".to_owned()]);
    }

    fn two() -> [(usize, Pair); 2] {
        let standard = "4k3/8/8/8/8/8/7P/4K2R w K - 0 1";
        let shuffled = "4k3/8/8/8/8/8/7P/4K1R1 w G - 0 1";
        [(3, pair(standard, [&["e1g1", "e8e7"], &[]])), (1, pair(shuffled, [&["e1g1"], &["h2h4", "e8d8"]]))]
    }

    #[test]
    fn pairs_are_read_as_they_were_written() {
        in_a_file("back", |path, parameters| {
            let (mut record, held) = PairRecord::open(path, parameters, false).unwrap();
            assert!(held.is_empty());
            for (number, pair) in &two() {
                record.append(*number, pair).unwrap();
            }
            drop(record);
            same(&PairRecord::open(path, parameters, false).unwrap().1, &two());
            assert!(PairRecord::open(path, parameters, true).unwrap().1.is_empty());
        });
    }

    #[test]
    fn a_torn_end_is_cut_off() {
        in_a_file("torn", |path, parameters| {
            let (mut record, _) = PairRecord::open(path, parameters, false).unwrap();
            let [(first, a), (second, b)] = &two();
            record.append(*first, a).unwrap();
            let whole = std::fs::read(path).unwrap();
            record.append(*second, b).unwrap();
            drop(record);
            let longer = std::fs::read(path).unwrap();
            let cut =
                [whole.len() + 1, longer.len() - 1, whole.len()].map(|length| longer[..length].to_vec());
            let foreign = [&b"\xff\xfe"[..], &[0; 300]].map(|tail| [&whole[..], tail].concat());
            for torn in cut.into_iter().chain(foreign) {
                std::fs::write(path, torn).unwrap();
                same(&PairRecord::open(path, parameters, false).unwrap().1, &two()[..1]);
                assert_eq!(std::fs::read(path).unwrap(), whole);
            }
        });
    }

    #[test]
    fn other_files_are_refused() {
        in_a_file("other", |path, parameters| {
            let refused = |text: &str, why: &str| {
                std::fs::write(path, text).unwrap();
                let failure = PairRecord::open(path, parameters, false).err().expect("refused");
                assert!(failure.message().unwrap().contains(why), "{failure:?}");
                assert_eq!(std::fs::read_to_string(path).unwrap(), text);
            };
            let head = Head::new(TITLE, parameters);
            let (head, summed) = (head.text(), |rows: &str| head.checksums().append_to(rows));
            refused("my diary\n", "no record of plumb tournament");
            refused(&head.replace("nodes 500", "nodes 400"), "('nodes 400', now 'nodes 500')");
            refused(&format!("{head}garbage\n"), "is damaged");
            let good = line(0, &two()[0].1);
            for (from, to) in
                [("e8e7", "e8e6"), ("adjudication: won", "checkmate"), ("0-1;adj", "1/2-1/2;adj")]
            {
                let wrong = summed(&good.replacen(from, to, 1));
                refused(&format!("{head}{wrong}"), "no pair of games");
            }
            refused(&format!("{head}{good}"), "is damaged: it does not end with its checksum");
            let damaged = summed(&good).replacen("/99/", "/98/", 1);
            refused(&format!("{head}{damaged}"), "is damaged");
            // Pairs of another match, and of a version whose checksums left out the head.
            let other = Head::new(TITLE, &["nodes 500".to_owned(), "seed 4".to_owned()]);
            refused(
                &format!("{head}{}", other.checksums().append_to(&good)),
                "line 4: '1\t4k3/8/8/8/8/8/7P/4K2R w K - 0",
            );
            refused(
                &format!("{head}{}", RowChecksum::ALONE.append_to(&good)),
                "written by an earlier version",
            );
        });
    }

    /// A crash and an illegal move end games that no rule ends: a match is resumed after them too.
    #[test]
    fn games_that_an_engine_lost_by_a_fault_are_read_back() {
        for reason in [Termination::Crash, Termination::Illegal, Termination::Time] {
            let [(_, mut pair), _] = two();
            for game in &mut pair.games {
                let loser = if game.plies.len() % 2 == 0 {
                    pair.opening.position().turn()
                } else {
                    !pair.opening.position().turn()
                };
                // A bare king wins by no fault.
                let mates = !pair.opening.position().chess().has_insufficient_material(!loser);
                (game.winner, game.reason) = (mates.then_some(!loser), reason);
            }
            let text = line(0, &pair);
            let read = read_line(text.trim_end()).map(|(_, read)| read.games.map(|game| game.reason));
            assert_eq!(read, Some([reason; 2]), "{text}");
            let told = pgn::result(pair.games[0].winner);
            let other = if told == "1/2-1/2" { "1-0" } else { "1/2-1/2" };
            let wrong = text.replacen(told, other, 1);
            assert!(read_line(wrong.trim_end()).is_none(), "{other} by {reason}");
        }
    }

    #[test]
    fn a_disk_that_fails_loses_no_pair() {
        let (all, parameters) = (two(), ["nodes 500".to_owned()]);
        let work = |folder: &Path| {
            let (mut record, held) = PairRecord::open(&folder.join("pairs"), &parameters, false)?;
            all[held.len()..].iter().try_for_each(|(number, pair)| record.append(*number, pair))
        };
        survives("pairs", work, |_| ());
    }
}
