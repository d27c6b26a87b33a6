//! Rescoring: `plumb datagen relabel` searches every position of a file of games again, with this program and
//! its evaluation, and writes the games with the new scores to another file. Moves, results and reasons stay.

use super::game_workers::GameWorkers;
use crate::lab::base::terminal::console::{self, Failure};
use crate::lab::base::terminal::interrupted;
use crate::lab::play::archive::format::{Reader, StoredGame, score};
use crate::lab::play::archive::source;
use crate::lab::play::archive::store::Store;
use crate::lab::play::datagen::arguments::RelabelArgs;
use crate::lab::play::referee::Player;
use std::fs::File;
use std::io::{BufReader, Seek as _, SeekFrom};
use std::path::Path;

/// Default soft limit in nodes: the positions are given, so that only their scores can become better.
const NODES: u64 = 1000;

/// Rescores the games of a file.
///
/// # Errors
/// If a file cannot be used, is damaged, or holds something else.
pub fn run(arguments: &RelabelArgs) -> Result<(), Failure> {
    let (from, to) = (&arguments.file, &arguments.out);
    let workers = GameWorkers::new(&arguments.work, NODES)?;
    let (places, digest) = index(from)?;
    if interrupted::interrupted() {
        return Err(Failure::interrupted());
    }
    let mut lines = workers.describe();
    lines.push(format!("new scores for {} games {digest:016x}", places.len()));
    let mut store = Store::open(to, &lines, arguments.work.restart)?;
    workers.fill(&mut store, places.len(), |player, number, stop| {
        let Some(&place) = places.get(number) else { return Ok(None) };
        let game = read_at(from, place)?;
        Ok(relabel(game, player, &workers, stop))
    })?;
    console::out(&format!("{}", store.summary().table()))
}

/// The first byte of every game of a file, and a fingerprint of the games.
fn index(path: &Path) -> Result<(Vec<u64>, u64), Failure> {
    let (mut places, mut digest) = (Vec::new(), 0u64);
    let mut games = source::open(path)?;
    loop {
        let place = games.at();
        let Some(game) = games.next_game()? else { break };
        let bytes = crate::lab::base::records::fingerprint::digest(&game.bytes());
        digest = (digest ^ bytes).wrapping_mul(0x0100_0000_01b3);
        places.push(place);
        if interrupted::interrupted() {
            break;
        }
    }
    if places.is_empty() {
        return Err(Failure::new(format!("{} holds no games", path.display())));
    }
    Ok((places, digest))
}

/// The game that begins at a byte of a file.
fn read_at(path: &Path, place: u64) -> Result<StoredGame, Failure> {
    let mut file = File::open(path).map_err(|error| Failure::file("read", path.display(), &error))?;
    file.seek(SeekFrom::Start(place)).map_err(|error| Failure::file("read", path.display(), &error))?;
    let gone = || Failure::new(format!("{} has changed meanwhile", path.display()));
    Reader::new(BufReader::new(file)).next_game().map_err(|_| gone())?.ok_or_else(gone)
}

/// The game with new scores, searched move by move as it was played; `None` when interrupted.
fn relabel(
    mut game: StoredGame,
    player: &mut Player,
    workers: &GameWorkers,
    stop: &dyn Fn() -> bool,
) -> Option<StoredGame> {
    player.forget();
    let mut now = game.opening.clone();
    for ply in &mut game.plies {
        let searched = player.think(&now, workers.allowed(&now), stop)?;
        ply.score = score(searched.value, now.position().turn());
        now.play(ply.played);
    }
    Some(game)
}
