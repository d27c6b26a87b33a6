//! Files of games read as a stream, one game at a time: a file may be larger than the memory. Also the filter for
//! quiet positions, which export, statistics and tuning share.

use super::format::{CERTAIN, Reader, Saved, Scored};
use crate::chess::Position;
use crate::lab::command::console::Failure;
use crate::lab::command::interrupted;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// Bytes read at a time.
const BUFFER: usize = 1 << 18;

/// Opens a file of games.
///
/// # Errors
/// If it cannot be read.
pub fn open(path: &Path) -> Result<Reader<BufReader<File>>, Failure> {
    let file = File::open(path).map_err(|error| Failure::file("read", path.display(), &error))?;
    Ok(Reader::new(BufReader::with_capacity(BUFFER, file)))
}

/// The next game of a file; `None` at its end.
///
/// # Errors
/// Says which game is damaged, and how.
pub fn next<R: std::io::Read>(reader: &mut Reader<R>, path: &Path) -> Result<Option<Saved>, Failure> {
    let (number, at) = (reader.games() + 1, reader.at());
    reader.next_game().map_err(|damage| {
        Failure::new(format!("{}: game {number} (from byte {at}) is damaged: {damage}", path.display()))
    })
}

/// Shows every game of some files, up to Ctrl-C.
///
/// # Errors
/// If a file cannot be read, is damaged, or all of them are empty.
pub fn for_each(
    paths: &[PathBuf],
    mut show: impl FnMut(&Saved) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut empty = true;
    for path in paths {
        let mut reader = open(path)?;
        while let Some(game) = next(&mut reader, path)? {
            if interrupted::interrupted() {
                return Ok(());
            }
            empty = false;
            show(&game)?;
        }
    }
    match paths {
        [path] if empty => Err(Failure::new(format!("{} holds no games", path.display()))),
        _ if empty => Err(Failure::new("these files hold no games")),
        _ => Ok(()),
    }
}

/// True if both paths lead to one file that exists: writing to one would destroy the other.
#[must_use]
pub fn same_file(a: &Path, b: &Path) -> bool {
    let (a, b) = (a.canonicalize().ok(), b.canonicalize().ok());
    a.is_some() && a == b
}

/// True if a position is quiet, so that a static evaluation should know its value: the side to move is not in check,
/// the move that was played neither captures nor promotes, and its score is no mate or tablebase score.
#[must_use]
pub fn is_quiet(position: &Position, ply: Scored) -> bool {
    let noisy = position.in_check() || ply.played.is_capture() || ply.played.promotion().is_some();
    !noisy && ply.score.unsigned_abs() <= CERTAIN.unsigned_abs()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game::Game;

    #[test]
    fn checks_captures_promotions_and_mate_scores_are_not_quiet() {
        let quiet = |fen: &str, m: &str, score: i16| {
            let game = Game::parse_fen(fen).unwrap();
            is_quiet(game.position(), Scored { played: game.parse_move(m).unwrap(), score })
        };
        let open = "r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R w KQkq - 4 4";
        assert!(quiet(open, "f1e2", 10) && quiet(open, "f1e2", -CERTAIN));
        assert!(!quiet(open, "f1e2", CERTAIN + 1) && !quiet(open, "f1e2", i16::MIN));
        assert!(!quiet(open, "f3e5", 10));
        assert!(!quiet("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", 10));
        assert!(!quiet("4k3/8/8/4pP2/8/8/8/4K3 w - e6 0 1", "f5e6", 10));
        assert!(!quiet("4k3/8/8/8/8/8/8/q3K3 w - - 0 1", "e1e2", 10));
    }
}
