//! `plumb games`: self-play for tuning. The quiet positions of the games are written with the results of the games,
//! in the format of [`crate::lab::formats::labelled`].
//!
//! A game follows from its number and the seed alone, and games are written in the order of their numbers: the file
//! is the same for any number of jobs, and a later run goes on with the game in its last line. The file has no head,
//! as other programs read it; the name of a game in every line tells which work it belongs to.

use crate::chess::game::Game;
use crate::chess::score::{Value, centipawns};
use crate::engine::options::Options;
use crate::engine::referee::{Adjudication, Allowed, Played, Player, Ply, play};
use crate::eval::Evaluator;
use crate::lab::command::cli::GamesArgs;
use crate::lab::command::console::{self, Failure};
use crate::lab::command::interrupted::Stop;
use crate::lab::command::progress::Progress;
use crate::lab::command::settings;
use crate::lab::command::workers::{jobs, spread_at};
use crate::lab::formats::labelled;
use crate::lab::matches::openings::Openings;
use crate::lab::records::fingerprint;
use crate::lab::records::in_order::InOrder;
use crate::lab::records::journal::{Journal, refused};
use crate::minimax::Game as _;
use crate::random::SplitMix64;
use crate::search::ChessGame;
use std::collections::HashSet;

/// Least and most random plies after an opening: one side is then often ahead, and positions occur that good moves
/// avoid.
const RANDOM_PLIES: (usize, usize) = (4, 8);

/// Largest quiescence score of a position from which a game begins.
const FAIR: Value = centipawns(600);

/// Largest score of a position that is kept: with more the game is decided, whatever the features.
const DECIDED: Value = centipawns(1000);

/// Largest difference between static evaluation and quiescence score of a quiet position.
const QUIET: Value = centipawns(20);

/// Default size of the transposition table in MiB: enough for games of a few thousand nodes a move.
const HASH: usize = 2;

/// Settings of the games.
struct SelfPlayPlan {
    options: Options,
    openings: Openings,
    allowed: Allowed,
    per_game: usize,
    seed: u64,
    total: usize,
    /// A short name for everything that decides the games: a digest.
    name: String,
}

/// Positions of a game: key and line.
type Lines = Vec<(u64, String)>;

/// The file, with the keys of its positions: a position is written once.
struct Collection {
    journal: Journal,
    /// Games that are finished before an earlier one.
    waiting: InOrder<Lines>,
    seen: HashSet<u64>,
}

/// Plays the games.
pub fn run(arguments: &GamesArgs) -> Result<(), Failure> {
    let plan = SelfPlayPlan::new(arguments)?;
    let mut collection = plan.open(arguments)?;
    let first = collection.waiting.next();
    let stop = Stop::default();
    let mut progress = Progress::new("games", plan.total.max(first), first);
    let ended = spread_at(
        || plan.players(),
        plan.total.saturating_sub(first),
        jobs(arguments.jobs),
        &stop,
        |players, item, send| {
            send(plan.game(players, first + item, &stop).map(|lines| (first + item, lines)))
        },
        |played: Result<(usize, Option<Lines>), Failure>| {
            if let (number, Some(lines)) = played? {
                collection.take(number, lines)?;
                progress.note(format!("{} positions", collection.seen.len()));
                progress.step();
            }
            Ok(())
        },
    );
    progress.finish();
    ended?;
    let (positions, games, file) =
        (collection.seen.len(), collection.waiting.next(), arguments.file.display());
    console::out(&format!("{positions} positions of {games} games in {file}\n"))
}

impl SelfPlayPlan {
    fn new(arguments: &GamesArgs) -> Result<SelfPlayPlan, Failure> {
        let mut options = Options { hash: HASH, ..Options::default() };
        for text in &arguments.set {
            settings::set(&mut options, text, &["MultiPV"])?;
        }
        let openings = Openings::new(arguments.openings.as_deref(), arguments.seed)?;
        let work = format!(
            "{:016x} {} {} {} {} {}",
            fingerprint::program(),
            settings::describe_player(&options),
            openings.describe(),
            arguments.nodes,
            arguments.per_game,
            arguments.seed,
        );
        Ok(SelfPlayPlan {
            options,
            openings,
            allowed: Allowed { nodes: Some(arguments.nodes), ..Allowed::default() },
            per_game: arguments.per_game as usize,
            seed: arguments.seed,
            total: arguments.games as usize,
            name: format!("{:08x}", fingerprint::digest(work.as_bytes()) as u32),
        })
    }

    /// Opens a new file or one with games. The last game in it may be torn: it is played again.
    fn open(&self, arguments: &GamesArgs) -> Result<Collection, Failure> {
        let (mut journal, text) = Journal::open(&arguments.file, arguments.restart)?;
        journal.lock()?;
        let refused = |why: String| refused(&arguments.file, &why);
        let (mut next, mut kept, mut length) = (0, 0, 0);
        let mut keys = Vec::new();
        for line in text.split_inclusive('\n') {
            let Some(line) = line.strip_suffix('\n') else { break };
            let number = self.number(line).map_err(&refused)?;
            if number >= next {
                (next, kept) = (number + 1, length);
            }
            let key = labelled::key_of(line).ok_or_else(|| refused("holds no positions".to_owned()))?;
            keys.push((number, key));
            length += line.len() + 1;
        }
        // The last game begins at `kept` and is played again, unless more are there than are asked for.
        if next <= self.total {
            (next, length) = (next.saturating_sub(1), kept);
        }
        let seen = keys.into_iter().filter(|&(of, _)| of < next).map(|(_, key)| key).collect();
        journal.cut(length as u64)?;
        Ok(Collection { journal, waiting: InOrder::new(next), seen })
    }

    /// The number of the game that a line is from.
    fn number(&self, line: &str) -> Result<usize, String> {
        let game = labelled::game_of(line).ok_or("is there already and holds no games of plumb")?;
        match game.split_once(':') {
            Some((name, number)) if name == self.name => {
                number.parse().map_err(|_| format!("'{number}' is no number of a game"))
            }
            _ => Err("holds other games (another program, seed, opening file, --nodes, --set)".to_owned()),
        }
    }

    fn players(&self) -> Result<[Player; 2], Failure> {
        let player = || {
            let player = Player::new(self.options.settings.clone(), self.options.hash);
            player.map_err(|error| Failure::new(error.to_string()))
        };
        Ok([player()?, player()?])
    }

    /// Plays the game of a number and chooses from its quiet positions; `None` when broken off.
    fn game(&self, players: &mut [Player; 2], number: usize, stop: &Stop) -> Result<Option<Lines>, Failure> {
        let mut random = SplitMix64::of_number(self.seed, number);
        let Some(opening) = self.opening(&mut random, stop)? else { return Ok(None) };
        let [white, black] = players;
        let rules = Adjudication::default();
        let Some(played) = play(&opening, [white, black], self.allowed, &rules, &|| stop.is_set()) else {
            return Ok(None);
        };
        let name = format!("{}:{number}", self.name);
        Ok(Some(choose(quiet(&opening, &played, &name), self.per_game, &mut random)))
    }

    /// A position with a fair score, after random moves from a random opening; `None` when broken off.
    fn opening(&self, random: &mut SplitMix64, stop: &Stop) -> Result<Option<Game>, Failure> {
        let (least, most) = RANDOM_PLIES;
        loop {
            let Some(mut game) = self.openings.get(random.below(1 << 30), stop)? else { return Ok(None) };
            if stop.is_set() {
                return Ok(None);
            }
            for _ in 0..least + random.below(most - least + 1) {
                let moves = game.legal_moves();
                if !moves.is_empty() {
                    game.play(moves[random.below(moves.len())]);
                }
            }
            if game.end().is_none() && ChessGame::new(game.position().clone()).evaluate().abs() <= FAIR {
                return Ok(Some(game));
            }
        }
    }
}

/// The lines of a game's quiet positions.
fn quiet(opening: &Game, played: &Played, name: &str) -> Lines {
    let mut game = opening.clone();
    let mut evaluator = Evaluator::new();
    let mut lines = Vec::new();
    for ply in &played.plies {
        if is_quiet(&game, ply, &mut evaluator) {
            let line = labelled::write(&game.fen(), played.winner, ply.value, name);
            lines.push((game.position().key(), line));
        }
        game.play(ply.played);
    }
    lines
}

fn is_quiet(game: &Game, ply: &Ply, evaluator: &mut Evaluator) -> bool {
    let position = game.position();
    let noisy = position.in_check() || ply.played.is_capture() || ply.played.promotion().is_some();
    if noisy || ply.depth == 0 || ply.value.abs() > DECIDED {
        return false;
    }
    let resolved = ChessGame::new(position.clone()).evaluate();
    (resolved - evaluator.evaluate(position, 0)).abs() <= QUIET
}

/// A random sample of at most so many lines, in their order.
fn choose(lines: Lines, most: usize, random: &mut SplitMix64) -> Lines {
    let all = lines.len();
    let mut wanted = most.min(all);
    let mut chosen = Vec::with_capacity(wanted);
    for (index, line) in lines.into_iter().enumerate() {
        // Selection sampling (Knuth's algorithm S): every line is chosen with the same probability.
        if random.below(all - index) < wanted {
            wanted -= 1;
            chosen.push(line);
        }
    }
    chosen
}

impl Collection {
    /// Adds a finished game; it is written as soon as those before it are.
    fn take(&mut self, number: usize, lines: Lines) -> Result<(), Failure> {
        self.waiting.add(number, lines);
        while let Some((_, lines)) = self.waiting.take() {
            let new: String =
                lines.into_iter().filter(|&(key, _)| self.seen.insert(key)).map(|(_, line)| line).collect();
            self.journal.append(&new)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::score::MATE;
    use std::time::Duration;

    #[test]
    fn the_sample_has_the_size_asked_for() {
        let lines: Lines = (0..30).map(|key| (key, key.to_string())).collect();
        let mut random = SplitMix64::new(3);
        let chosen = choose(lines.clone(), 8, &mut random);
        assert!(chosen.len() == 8 && chosen.is_sorted());
        assert_ne!(choose(lines.clone(), 8, &mut random), chosen);
        assert_eq!(choose(lines[..5].to_vec(), 8, &mut random), lines[..5]);
    }

    /// True if a position is kept in which `m` was played with a score of `value`.
    fn kept(fen: &str, m: &str, value: Value) -> bool {
        let game = Game::parse_fen(fen).unwrap();
        let ply =
            Ply { played: game.parse_move(m).unwrap(), value, depth: 4, nodes: 9, time: Duration::ZERO };
        is_quiet(&game, &ply, &mut Evaluator::new())
    }

    #[test]
    fn only_quiet_positions_are_kept() {
        let quiet = "r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R w KQkq - 4 4";
        assert!(kept(quiet, "f1e2", 10));
        assert!(!kept(quiet, "f3e5", 10) && !kept(quiet, "f1e2", 1200) && !kept(quiet, "f1e2", MATE - 9));
        // A queen hangs; a king is in check.
        assert!(!kept("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", "e1e2", 0));
        assert!(!kept("4k3/8/8/8/8/8/4q3/4K3 w - - 0 1", "e1e2", 0));
    }
}
