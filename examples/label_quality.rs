//! Measures what scores can teach a network: the correlation of the static evaluation, and of the λ-returns
//! of games of so many nodes a move, with the expected points of a stronger engine:
//! `cargo run --release --example label_quality -- GAMES.vf ENGINE [NETWORK]`.
//!
//! Quiet positions are drawn from a file of games (`plumb datagen`, or `plumb datagen import` for other
//! engines'), four a game, and searched by the engine. From each a game is played to its end, twice, with
//! limits a fifth apart. The λ-return of a game is its label, as `plumb train` learns it. The correlation of
//! the labels of two games is their reliability; the correlation with the engine, divided by the square root
//! of the reliability, is that of the mean label of infinitely many games (Spearman's correction for
//! attenuation), and so the most that can be learnt from them.

use plumb::chess::game::Game;
use plumb::eval::Evaluator;
use plumb::eval::network;
use plumb::lab::base::pages::table::Table;
use plumb::lab::base::statistics::correlation::correlation;
use plumb::lab::base::terminal::console::Failure;
use plumb::lab::play::archive::format::{StoredGame, score};
use plumb::lab::play::archive::source;
use plumb::lab::play::datagen::game_workers::within;
use plumb::lab::play::matches::uci_engine::{EngineSpec, UciEngine};
use plumb::lab::play::referee::{Adjudication, GamePlayer, MoveLimits, Player, Turn, play_alone};
use plumb::lab::play::training::lambda_returns;
use plumb::lab::play::training::model::sigmoid;
use plumb::random::SplitMix64;
use plumb::search::{Backend, Driver, Settings};
use std::ops::RangeInclusive;
use std::path::Path;
use std::process::ExitCode;

/// Positions of one game.
const OF_A_GAME: usize = 4;

/// Positions in all.
const POSITIONS: usize = 2400;

/// Nodes of the engine's searches.
const ENGINE_NODES: u64 = 60_000;

/// Soft limits of the games, in nodes a move.
const NODES: [u64; 3] = [50, 300, 1000];

/// λ of the returns.
const LAMBDAS: [f32; 6] = [0.0, 0.7, 0.8, 0.9, 0.95, 1.0];

/// Groups by the number of men on the board.
const MEN: [RangeInclusive<usize>; 4] = [27..=32, 21..=26, 11..=20, 2..=10];

/// Centipawns that are the unit of the logistic function, for the engine and for Plumb.
const UNIT: f32 = 150.0;

/// Games are played until the rules end them.
const RULES: Adjudication = Adjudication {
    win_score: 0,
    win_moves: 0,
    win_men: 0,
    draw_score: 0,
    draw_moves: 0,
    draw_after: 0,
    draw_halfmoves: 0,
    longest: 400,
};

/// A position with its expected points for White, by the engine and by the network.
struct Judged {
    game: Game,
    men: usize,
    engine: f64,
    evaluated: f64,
}

/// Expected points of a score in centipawns.
fn points(score: i16) -> f64 {
    f64::from(sigmoid(f32::from(score) / UNIT))
}

/// Quiet positions of a game, by lot.
fn drawn(saved: &StoredGame, number: usize) -> Vec<Game> {
    let mut now = saved.opening.clone();
    let mut quiet = Vec::new();
    for &ply in &saved.plies {
        if source::is_quiet(now.position(), ply) {
            quiet.extend(Game::parse_fen(&now.fen()));
        }
        now.play(ply.played);
    }
    let mut random = SplitMix64::of_number(1995, number);
    (0..OF_A_GAME.min(quiet.len())).map(|_| quiet.swap_remove(random.below(quiet.len()))).collect()
}

/// Draws positions from the first games of a file.
fn positions(path: &Path) -> Result<Vec<Game>, Failure> {
    let mut games = source::open(path)?;
    let mut all = Vec::new();
    while all.len() < POSITIONS
        && let Some(saved) = games.next_game()?
    {
        all.extend(drawn(&saved, all.len()));
    }
    Ok(all)
}

/// Expected points of a position, by a search of the engine and by the network; `None` if the engine does not
/// answer.
fn judged(game: Game, engine: &mut UciEngine, evaluator: &mut Evaluator) -> Option<Judged> {
    let allowed = MoveLimits { nodes: Some(ENGINE_NODES), ..MoveLimits::default() };
    engine.begin(&|| false).ok()?;
    let turn = Turn { opening: &game, plies: &[], game: &game, allowed, clocks: None };
    let found = engine.choose(&turn, &|| false)?.ok()?;
    let side = game.position().turn();
    let evaluated = score(Some(evaluator.evaluate(game.position(), 0)), side);
    Some(Judged {
        men: game.position().board().occupied().count(),
        engine: points(score(found.value, side)),
        evaluated: points(evaluated),
        game,
    })
}

/// A game of Plumb against itself from a position.
fn played(game: &Game, player: &mut Player, nodes: u64) -> Option<StoredGame> {
    play_alone(game, player, |_| within(nodes), &RULES, &|| false)
        .map(|played| StoredGame::new(game, &played))
}

/// The label of the first position of a game, in expected points for White.
fn label(game: &StoredGame, lambda: f32) -> Option<f64> {
    lambda_returns::of(game, lambda, UNIT, UNIT).first().map(|&score| points(score))
}

/// Rows of one limit: for each group of men the most that its labels can teach.
fn rows(table: &mut Table, all: &[Judged], nodes: u64) -> Result<(), Failure> {
    let settings = Settings { backend: Backend::Driver(Driver::NegaScout), ..Settings::default() };
    let mut player = Player::new(settings, 1)?;
    let games: Vec<[Option<StoredGame>; 2]> = all
        .iter()
        .map(|judged| [nodes, nodes * 6 / 5].map(|nodes| played(&judged.game, &mut player, nodes)))
        .collect();
    for men in &MEN {
        let mut cells = vec![nodes.to_string(), format!("{} to {}", men.start(), men.end())];
        for lambda in LAMBDAS {
            let (mut twice, mut right) = (Vec::new(), Vec::new());
            for (judged, games) in all.iter().zip(&games).filter(|(judged, _)| men.contains(&judged.men)) {
                let labels = games.each_ref().map(|game| game.as_ref().and_then(|game| label(game, lambda)));
                if let [Some(one), Some(other)] = labels {
                    twice.push((one, other));
                    right.extend([(one, judged.engine), (other, judged.engine)]);
                }
            }
            let reliability = correlation(&twice).max(0.01);
            cells.push(format!("{:.2} ({reliability:.2})", correlation(&right) / reliability.sqrt()));
        }
        table.row(cells);
    }
    Ok(())
}

fn run() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let (Some(games), Some(engine)) = (arguments.next(), arguments.next()) else {
        return Err(Failure::usage("usage: label_quality GAMES.vf ENGINE [NETWORK]"));
    };
    let network =
        network::open_or_embedded(arguments.next().as_ref().map(Path::new)).map_err(Failure::new)?;
    let mut evaluator = Evaluator::new();
    evaluator.set(network.as_ref(), None);
    let spec = EngineSpec { path: engine.into(), options: Vec::new(), ponder: false };
    let mut engine = UciEngine::start(&spec, &|| false).map_err(Failure::new)?;
    let all: Vec<Judged> = positions(Path::new(&games))?
        .into_iter()
        .filter_map(|game| judged(game, &mut engine, &mut evaluator))
        .collect();
    let mut table = Table::new(1, ["men", "positions", "correlation of the evaluation"]);
    for men in &MEN {
        let pairs: Vec<(f64, f64)> = all
            .iter()
            .filter(|judged| men.contains(&judged.men))
            .map(|judged| (judged.evaluated, judged.engine))
            .collect();
        let name = format!("{} to {}", men.start(), men.end());
        table.row([name, pairs.len().to_string(), format!("{:.3}", correlation(&pairs))]);
    }
    println!("{table}");
    let lambdas = LAMBDAS.iter().map(|lambda| format!("λ = {lambda}"));
    let heads = ["nodes", "men"].map(str::to_owned).into_iter().chain(lambdas);
    let mut table = Table::new(0, heads);
    for nodes in NODES {
        eprintln!("games of {nodes} nodes a move");
        rows(&mut table, &all, nodes)?;
    }
    println!("The most that labels can teach, as a correlation (their reliability):\n\n{table}");
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            why.tell();
            ExitCode::FAILURE
        }
    }
}
