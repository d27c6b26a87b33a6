//! `plumb tournament`: two settings play each other, every opening twice with colours reversed.

use super::cli::TournamentArgs;
use super::console::{self, Failure};
use super::elo::{self, Pairs};
use super::interrupted::Stop;
use super::notation;
use super::progress::Progress;
use super::runner::spread;
use super::settings;
use super::suite::{self, Reading};
use crate::chess::game::Game;
use crate::engine::options::Options;
use crate::engine::referee::{Adjudication, Allowed, Played, Seat, play};
use crate::random::SplitMix64;
use crate::search::{Limits, Searcher, Settings, Table, Unwatched};
use shakmaty::Color;
use std::fmt::Write as _;
use std::fs::File;
use std::io::Write as _;
use std::sync::Arc;
use std::time::Duration;

/// Random plies of an opening that is not from a file.
const OPENING_PLIES: usize = 8;

/// Such an opening is balanced if a search of so many plies ...
const OPENING_DEPTH: i32 = 5;

/// ... finds a score within this, in units of evaluation.
const BALANCED: i32 = 60;

/// What is played.
struct Plan {
    players: [Options; 2],
    names: [String; 2],
    openings: Vec<Game>,
    seed: u64,
    allowed: Allowed,
    rules: Adjudication,
    sprt: Option<(f64, f64)>,
}

/// The two games of an opening: the first player is white, then black.
type Pair = [Played; 2];

/// Plays the tournament and prints its table.
pub fn run(arguments: &TournamentArgs) -> Result<(), Failure> {
    let plan = Plan::new(arguments)?;
    let mut pgn = arguments.pgn.as_ref().map(|path| create(path)).transpose()?;
    let total = arguments.games.div_ceil(2) as usize;
    let mut pairs: Vec<Option<(Game, Pair)>> = vec![None; total];
    let (mut counted, mut results, mut decided) = (0, Pairs::default(), false);
    let stop = Stop::default();
    let mut progress = Progress::new("pairs", total, 0);
    let jobs = arguments
        .concurrency
        .map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), |jobs| jobs as usize);
    let ended = spread(
        total,
        jobs,
        1,
        &stop,
        |_, item, send| send((item, plan.pair(item, &stop))),
        |(item, pair): (usize, Result<Option<(Game, Pair)>, Failure>)| {
            pairs[item] = pair?;
            progress.step();
            // Pairs count in their order, so that neither threads nor chance decide where the test ends.
            while let Some(Some((opening, pair))) = pairs.get(counted).filter(|_| !decided) {
                results.0[points(pair)] += 1;
                if let (Some((file, name)), text) = (&mut pgn, plan.pgn(counted, opening, pair)) {
                    let written = file.write_all(text.as_bytes());
                    written.map_err(|error| Failure::file("write to", &name, &error))?;
                }
                counted += 1;
                decided = plan.is_decided(&results);
            }
            if decided {
                stop.abandon();
            }
            Ok(())
        },
    );
    progress.finish();
    ended?;
    let finished: Vec<&Pair> = pairs.iter().take(counted).flatten().map(|(_, pair)| pair).collect();
    console::out(&plan.report(&results, &finished))
}

fn create(path: &std::path::Path) -> Result<(File, String), Failure> {
    let name = path.display().to_string();
    let file = File::create(path).map_err(|error| Failure::file("write to", &name, &error))?;
    Ok((file, name))
}

/// The first player's half points in a pair.
fn points(pair: &Pair) -> usize {
    let of = |game: &Played, colour: Color| match game.winner {
        None => 1,
        Some(winner) => 2 * usize::from(winner == colour),
    };
    of(&pair[0], Color::White) + of(&pair[1], Color::Black)
}

impl Plan {
    fn new(arguments: &TournamentArgs) -> Result<Plan, Failure> {
        if arguments.games % 2 == 1 {
            return Err(Failure::usage("--games must be even: every opening is played with both colours"));
        }
        Ok(Plan {
            players: [player(&arguments.a)?, player(&arguments.b)?],
            names: [format!("A ({})", arguments.a), format!("B ({})", arguments.b)],
            openings: openings(arguments)?,
            seed: arguments.seed,
            allowed: Allowed {
                nodes: arguments.nodes,
                time: arguments.movetime.map(Duration::from_millis),
                depth: arguments.depth,
            },
            rules: if arguments.to_the_end {
                Adjudication { win_moves: 0, draw_moves: 0, ..Adjudication::default() }
            } else {
                Adjudication::default()
            },
            sprt: arguments.sprt.as_deref().map(hypotheses).transpose()?,
        })
    }

    /// Both games of a pair; `None` when broken off.
    fn pair(&self, item: usize, stop: &Stop) -> Result<Option<(Game, Pair)>, Failure> {
        let seat = |options: &Options| {
            Seat::new(options.settings.clone(), options.hash).map_err(|error| Failure::new(error.to_string()))
        };
        let [mut a, mut b] = [seat(&self.players[0])?, seat(&self.players[1])?];
        let opening = match self.openings.get(item % self.openings.len().max(1)) {
            Some(opening) => opening.clone(),
            None => random_opening(self.seed, item)?,
        };
        let broken = || stop.is_set();
        let Some(first) = play(&opening, [&mut a, &mut b], self.allowed, &self.rules, &broken) else {
            return Ok(None);
        };
        let second = play(&opening, [&mut b, &mut a], self.allowed, &self.rules, &broken);
        Ok(second.map(|second| (opening, [first, second])))
    }

    fn is_decided(&self, results: &Pairs) -> bool {
        let (lower, upper) = elo::bounds();
        self.sprt.is_some_and(|(elo0, elo1)| {
            let ratio = results.log_likelihood_ratio(elo0, elo1);
            ratio <= lower || ratio >= upper
        })
    }

    fn report(&self, results: &Pairs, pairs: &[&Pair]) -> String {
        let (mut wins, mut draws, mut losses) = (0, 0, 0);
        for (game, colour) in pairs.iter().flat_map(|pair| pair.iter().zip([Color::White, Color::Black])) {
            match game.winner {
                None => draws += 1,
                Some(winner) if winner == colour => wins += 1,
                Some(_) => losses += 1,
            }
        }
        let mut text = format!("# Tournament: {} against {}\n\n", self.names[0], self.names[1]);
        if results.count() == 0 {
            return text + "No pair is finished\n";
        }
        let (elo, least, most) = results.elo();
        let _ = writeln!(text, "Games of A: {wins} won, {draws} drawn, {losses} lost");
        let _ = writeln!(text, "Pairs of A, 0 to 2 points: {:?}", results.0);
        let _ =
            writeln!(text, "Elo (logistic, 95 % interval from pairs): {elo:+.1} [{least:+.1}, {most:+.1}]");
        let _ = writeln!(text, "Likelihood that A is stronger: {:.1} %", results.superiority() * 100.0);
        if let Some((elo0, elo1)) = self.sprt {
            let (ratio, (lower, upper)) = (results.log_likelihood_ratio(elo0, elo1), elo::bounds());
            let verdict = match ratio {
                ratio if ratio >= upper => format!("{elo1} Elo is accepted"),
                ratio if ratio <= lower => format!("{elo0} Elo is accepted"),
                _ => "undecided".to_owned(),
            };
            let _ = writeln!(
                text,
                "SPRT of {elo0} and {elo1} Elo: {ratio:.2} ({lower:.2}, {upper:.2}), {verdict}"
            );
        }
        text
    }

    /// Both games in Portable Game Notation.
    fn pgn(&self, index: usize, opening: &Game, pair: &Pair) -> String {
        let mut text = String::new();
        for (game, colours) in pair.iter().zip([[0, 1], [1, 0]]) {
            let result = match game.winner {
                None => "1/2-1/2",
                Some(Color::White) => "1-0",
                Some(Color::Black) => "0-1",
            };
            let _ = writeln!(text, "[Event \"Plumb tournament\"]\n[Site \"?\"]\n[Date \"????.??.??\"]");
            let [white, black] = colours.map(|player: usize| self.names[player].replace(['"', '\\'], "'"));
            let _ = writeln!(text, "[Round \"{}\"]\n[White \"{white}\"]\n[Black \"{black}\"]", index + 1);
            let _ = writeln!(text, "[Result \"{result}\"]\n[SetUp \"1\"]\n[FEN \"{}\"]\n", opening.fen());
            let mut now = opening.clone();
            for ply in &game.plies {
                let chess = now.position().chess();
                let dots = if now.position().turn().is_white() { "." } else { "..." };
                let (number, san) =
                    (shakmaty::Position::fullmoves(chess), notation::write(chess, ply.played));
                let (pawns, time) = (f64::from(ply.value) / 100.0, ply.time.as_secs_f64());
                let _ = write!(text, "{number}{dots} {san} ");
                let _ = writeln!(text, "{{{pawns:+.2}/{} {time:.3}s {}n}}", ply.depth, ply.nodes);
                now.play(ply.played);
            }
            let _ = writeln!(text, "{{{}}} {result}\n", game.reason);
        }
        text
    }
}

/// Reads `Option=Value,Option=Value`; empty and `default` are the defaults.
fn player(text: &str) -> Result<Options, Failure> {
    let mut options = Options::default();
    if !text.trim().eq_ignore_ascii_case("default") {
        for part in text.split(',').filter(|part| !part.trim().is_empty()) {
            settings::set(&mut options, part, &["MultiPV"])?;
        }
    }
    Ok(options)
}

/// Reads `ELO0,ELO1`.
fn hypotheses(text: &str) -> Result<(f64, f64), Failure> {
    let read = |part: &str| part.trim().parse::<f64>().ok().filter(|elo| elo.abs() <= 1000.0);
    let both = text.split_once(',').and_then(|(elo0, elo1)| Some((read(elo0)?, read(elo1)?)));
    both.filter(|(elo0, elo1)| elo0 < elo1)
        .ok_or_else(|| Failure::usage(format!("--sprt '{text}' is not ELO0,ELO1 with ELO0 below ELO1")))
}

/// The openings of the file; empty without one.
fn openings(arguments: &TournamentArgs) -> Result<Vec<Game>, Failure> {
    let Some(path) = &arguments.openings else { return Ok(Vec::new()) };
    let suite = suite::read(path, Reading::Positions)?;
    suite.bad.iter().for_each(console::warn);
    let playable = suite.cases.into_iter().map(|case| case.game).filter(|game| game.end().is_none());
    let games: Vec<Game> = playable.collect();
    if games.is_empty() {
        return Err(Failure::new(format!("{} holds no opening to play from", path.display())));
    }
    Ok(games)
}

/// Random moves from the start that leave the game balanced: the same for the same seed and number.
fn random_opening(seed: u64, item: usize) -> Result<Game, Failure> {
    let mut random = SplitMix64::new(SplitMix64::new(seed).next() ^ item as u64);
    let table = Arc::new(Table::new(1).map_err(|error| Failure::new(error.to_string()))?);
    let limits = Limits { depth: OPENING_DEPTH, ..Limits::default() };
    loop {
        let mut game = Game::new();
        for _ in 0..OPENING_PLIES {
            let moves = game.legal_moves();
            if !moves.is_empty() {
                game.play(moves[random.below(moves.len())]);
            }
        }
        table.clear();
        let mut searcher = Searcher::new(Arc::clone(&table));
        let found = searcher.search(game.position(), &[], &Settings::default(), &limits, &mut Unwatched);
        if game.end().is_none() && found.value.abs() <= BALANCED {
            // What led here is no part of the game: a PGN begins at the position.
            return Game::parse_fen(&game.fen()).map_err(|error| Failure::new(error.to_string()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_follow_from_the_seed() {
        let fen = |seed, item| random_opening(seed, item).unwrap().fen();
        assert_eq!(fen(1, 3), fen(1, 3));
        assert_ne!(fen(1, 3), fen(1, 4));
        assert_ne!(fen(1, 3), fen(2, 3));
    }

    #[test]
    fn players_and_hypotheses_are_read() {
        assert_eq!(player("Backend=sss, Hash=4").unwrap().hash, 4);
        assert!(player("").is_ok() && player("default").is_ok() && player("Grid").is_err());
        assert_eq!(hypotheses("0,5").unwrap(), (0.0, 5.0));
        assert!(hypotheses("5,0").is_err() && hypotheses("x").is_err() && hypotheses("NaN,1").is_err());
    }
}
