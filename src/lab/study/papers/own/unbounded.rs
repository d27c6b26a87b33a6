//! `unbounded`: unbounded best-first minimax with its three changes ([`crate::minimax::unbounded`]) against
//! itself without each of them, against best-first minimax as the engine has it, and against MTD(f), in games
//! at equal evaluations a move.

use super::points::{Points, counted};
use crate::games::checkers::Checkers;
use crate::lab::base::pages::table::{Table, percent};
use crate::lab::base::statistics::elo::Pairs;
use crate::lab::base::statistics::ratios::Estimate;
use crate::lab::study::papers::experiment::{
    Claim, Description, Experiment, Scale, Section, Unfinished, Unit, Verdict, Work, shown,
};
use crate::lab::study::papers::experiments::best_first::{Arena, chess_openings, othello_openings};
use crate::minimax::Game;
use crate::minimax::best_first::BestFirst;
use crate::minimax::best_first_limits::{Fallback, SearchLimits};
use crate::minimax::deepening::{Guess, deepen};
use crate::minimax::drivers::Driver;
use crate::minimax::mt::{MtOptions, Search};
use crate::minimax::replacement::Replacement;
use crate::minimax::unbounded::{Decision, Unbounded, UnboundedOptions};
use serde::{Deserialize, Serialize};
use std::cell::Cell;

/// The experiment `unbounded`.
pub struct UnboundedMatches;

/// Pairs of games in a unit.
const BATCH: usize = 5;

/// Depth in plies at which MTD(f) ends where little is left to search.
const DEEPEST: u32 = 64;

/// Table of MTD(f): 2^18 entries.
const TABLE: u32 = 18;

/// A player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Player {
    Unbounded(UnboundedOptions),
    BestFirst,
    MtdF,
}

/// All three changes.
const ALL: UnboundedOptions = UnboundedOptions { completion: true, table: true, decision: Decision::Safest };

/// The opponents of the player with all changes: label, player, and the claim that it is beaten.
const OPPONENTS: [(&str, Player, &str); 6] = [
    (
        "no changes",
        Player::Unbounded(UnboundedOptions { completion: false, table: false, decision: Decision::Best }),
        "The three changes together win more games than best-first minimax that begins at the root each \
        time.",
    ),
    (
        "no completion",
        Player::Unbounded(UnboundedOptions { completion: false, ..ALL }),
        "Completion wins games.",
    ),
    (
        "no table",
        Player::Unbounded(UnboundedOptions { table: false, ..ALL }),
        "A table of states wins games.",
    ),
    (
        "best value",
        Player::Unbounded(UnboundedOptions { decision: Decision::Best, ..ALL }),
        "To play the move searched most often, not the one of the best value, wins games.",
    ),
    ("BestFirst", Player::BestFirst, "Best-first minimax with the changes beats the engine's BestFirst."),
    ("MTD(f)", Player::MtdF, "Best-first minimax with the changes beats MTD(f) at equal evaluations."),
];

/// A game whose evaluations are counted.
#[derive(Clone)]
struct Counted<'c, G> {
    game: G,
    evaluations: &'c Cell<u64>,
}

impl<G: Game> Game for Counted<'_, G> {
    type Value = G::Value;
    type Move = G::Move;

    const LIMIT: G::Value = G::LIMIT;
    const SLOTS: usize = G::SLOTS;

    fn moves(&self) -> Vec<G::Move> {
        self.game.moves()
    }

    fn play(&self, m: G::Move) -> Self {
        Counted { game: self.game.play(m), ..*self }
    }

    fn evaluate(&self) -> G::Value {
        self.evaluations.set(self.evaluations.get() + 1);
        self.game.evaluate()
    }

    fn key(&self) -> u64 {
        self.game.key()
    }

    fn slot(&self, m: G::Move) -> usize {
        self.game.slot(m)
    }
}

impl Player {
    /// Chooses a move of a game that is not over, after so many evaluations.
    fn choose<G: Arena>(
        self,
        game: &G,
        evaluations: u64,
        work: &Work<'_>,
    ) -> Result<Option<G::Move>, Unfinished> {
        let halt = |made: u64| made >= evaluations || work.stop.is_set();
        let chosen = match self {
            Player::Unbounded(options) => {
                let mut search = Unbounded::new(game.clone(), options, halt);
                search.run();
                search.decide()
            }
            Player::BestFirst => {
                let limits = SearchLimits {
                    win: G::WIN,
                    fallback: Fallback::Nearest,
                    ..SearchLimits::to_depth(u32::MAX)
                };
                let mut search = BestFirst::new(game.clone(), limits, halt);
                search.run();
                search.line().first().copied()
            }
            Player::MtdF => mtdf(game, evaluations, work)?,
        };
        if work.stop.is_set() {
            Err(Unfinished::Stopped)
        } else {
            Ok(chosen.or_else(|| game.moves().first().copied()))
        }
    }
}

/// The best move of the last iteration of MTD(f) that is finished after so many evaluations.
fn mtdf<G: Arena>(game: &G, evaluations: u64, work: &Work<'_>) -> Result<Option<G::Move>, Unfinished> {
    let made = Cell::new(0);
    let root = Counted { game: game.clone(), evaluations: &made };
    let first = root.evaluate();
    let memory = work.table(TABLE, Replacement::DepthAge)?;
    let halt = |_: u64| made.get() >= evaluations || work.stop.is_set();
    let mut search = Search::with_stop(root, 1, memory, MtOptions::default(), halt);
    let mut best = None;
    // It ends with Stopped when the evaluations are made.
    let _ = deepen(&mut search, Driver::MtdF.exact(), 1..=DEEPEST, (Guess::Previous, first), |iteration| {
        best = iteration.best;
    });
    Ok(best.and_then(|best| game.moves().get(best).copied()))
}

/// Half points of the first player in a game that `players` play in turn.
fn play<G: Arena>(
    start: &G,
    players: [Player; 2],
    evaluations: u64,
    work: &Work<'_>,
) -> Result<usize, Unfinished> {
    let (mut game, mut plies) = (start.clone(), 0);
    while plies < G::LONGEST && !game.moves().is_empty() {
        let Some(m) = players[plies % 2].choose(&game, evaluations, work)? else { break };
        game = game.play(m);
        plies += 1;
    }
    let result = if plies % 2 == 0 { game.result() } else { -game.result() };
    Ok((result.signum() + 1) as usize)
}

/// Men that decide a game of checkers that is not over, in hundredths.
const DECISIVE: i32 = 150;

impl Arena for Checkers {
    const LONGEST: usize = 150;
    const WIN: i32 = 29_000;
    const PAIRED: bool = false;
    const PILOTS: usize = 1;
    const STRIDE: usize = 1;

    fn result(&self) -> i32 {
        let value = self.evaluate();
        if value.abs() >= DECISIVE { value.signum() } else { 0 }
    }
}

/// Positions after six random plies.
fn checkers_openings(first: usize, count: usize) -> Vec<Checkers> {
    let opening = |seed: usize| Checkers::random_game(6, seed as u64).pop().unwrap_or_else(Checkers::start);
    (first..first + count).map(opening).collect()
}

/// Games, in the order of the report.
const GAMES: [&str; 3] = ["Othello", "checkers", "chess"];

/// Evaluations a move, and the number of pairs of a match.
fn protocol(scale: Scale) -> (&'static [u64], usize) {
    match scale {
        Scale::Quick => (&[200], 10),
        Scale::Full => (&[200, 1_000, 5_000], 50),
    }
}

/// A row: the games of a pair.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PlayedPair {
    game: String,
    opponent: String,
    evaluations: u64,
    number: usize,
    points: Points,
}

/// A unit: some pairs of a match.
#[derive(Clone, Copy)]
struct Batch {
    game: &'static str,
    opponent: usize,
    evaluations: u64,
    first: usize,
}

fn batches(scale: Scale) -> Vec<Batch> {
    let (budgets, pairs) = protocol(scale);
    let mut all = Vec::new();
    for &evaluations in budgets {
        for game in GAMES {
            for opponent in 0..OPPONENTS.len() {
                let firsts = (0..pairs).step_by(BATCH);
                all.extend(firsts.map(|first| Batch { game, opponent, evaluations, first }));
            }
        }
    }
    all
}

impl Batch {
    /// Plays the pairs, from openings that differ from batch to batch.
    fn play<G: Arena>(self, openings: &[G], work: &Work<'_>) -> Result<Vec<PlayedPair>, Unfinished> {
        let (label, opponent, _) = OPPONENTS[self.opponent];
        let (ours, evaluations) = (Player::Unbounded(ALL), self.evaluations);
        let pair = |(number, opening)| {
            let first = play(opening, [ours, opponent], evaluations, work)?;
            let second = 2 - play(opening, [opponent, ours], evaluations, work)?;
            let (game, opponent) = (self.game.to_owned(), label.to_owned());
            Ok(PlayedPair { game, opponent, evaluations, number, points: Points::try_from([first, second])? })
        };
        openings.iter().enumerate().skip(self.first).take(BATCH).map(pair).collect()
    }
}

impl Experiment for UnboundedMatches {
    type Row = PlayedPair;

    fn about(&self) -> Description {
        Description {
            name: "unbounded",
            title: "Best-first minimax, thirty years on",
            is_own: true,
            columns: &[
                "game",
                "opponent",
                "evaluations a move",
                "pair",
                "half points, moving first",
                "half points, moving second",
            ],
        }
    }

    fn units(&self, scale: Scale) -> Vec<Unit> {
        let unit = |Batch { game, opponent, evaluations, first }: Batch| Unit {
            name: format!("{game} {evaluations} {} from pair {}", OPPONENTS[opponent].0, first + 1),
            weight: evaluations as f64,
        };
        batches(scale).into_iter().map(unit).collect()
    }

    fn run(&self, scale: Scale, index: usize, work: &Work<'_>) -> Result<Vec<PlayedPair>, Unfinished> {
        let &batch = batches(scale).get(index).ok_or(Unfinished::Empty)?;
        let pairs = protocol(scale).1;
        match batch.game {
            "Othello" => batch.play(&othello_openings(0, pairs), work),
            "checkers" => batch.play(&checkers_openings(1, pairs), work),
            _ => batch.play(&chess_openings(0, pairs), work),
        }
    }

    fn conclude(&self, scale: Scale, rows: &[PlayedPair]) -> Section {
        let (budgets, pairs) = protocol(scale);
        let budgets: Vec<String> = budgets.iter().map(u64::to_string).collect();
        let tables = vec![("Points of the player with all changes, %".to_owned(), table(scale, rows))];
        Section {
            protocol: vec![format!(
                "Matches of {pairs} openings with both colours at equal evaluations a move ({}). Every \
                search begins anew. Best-first minimax with completion, a table of states and the safest \
                decision plays against itself without each, without all, against BestFirst as the engine has \
                it, and against MTD(f) with iterative deepening and a table of 2^{TABLE} entries, whose best \
                move of the last finished iteration is played. Chess is evaluated without quiescence search.",
                budgets.join(", ")
            )],
            claims: OPPONENTS.iter().map(|opponent| claim(opponent, rows)).collect(),
            tables: if rows.is_empty() { Vec::new() } else { tables },
            charts: Vec::new(),
        }
    }
}

/// The pairs of a match or of several.
fn pairs(rows: &[PlayedPair], of: impl Fn(&PlayedPair) -> bool) -> Pairs {
    counted(rows.iter().filter(|row| of(row)).map(|row| row.points))
}

/// Share of the points; `None` while its interval is not known.
fn score(pairs: &Pairs) -> Option<Estimate> {
    let (value, margin) = (pairs.moments().0, pairs.score_margin()?);
    Some(Estimate { value, interval: (value - margin, value + margin) })
}

/// Share of the points as a table shows it. Where all pairs ended alike there is no interval.
fn told(pairs: &Pairs) -> String {
    match score(pairs) {
        None if pairs.count() > 0 => format!("{} %", percent(pairs.moments().0)),
        found => shown(found),
    }
}

fn claim((label, _, text): &(&'static str, Player, &'static str), rows: &[PlayedPair]) -> Claim {
    let all = score(&pairs(rows, |row| row.opponent == *label));
    let of = |game: &str| told(&pairs(rows, |row| row.opponent == *label && row.game == game));
    Claim {
        source: "UBFM; BFM",
        claim: (*text).to_owned(),
        paper: "more points, with learnt evaluations".to_owned(),
        ours: format!("{} of the points", shown(all)),
        why: format!("{}.", GAMES.map(|game| format!("{game} {}", of(game))).join(", ")),
        ..Claim::judged([all], |[all]| match all {
            Some(Estimate { interval: (low, _), .. }) if low > 0.5 => Verdict::Holds,
            Some(Estimate { interval: (_, high), .. }) if high < 0.5 => Verdict::Fails,
            _ => Verdict::level(0.5, all),
        })
    }
}

fn table(scale: Scale, rows: &[PlayedPair]) -> Table {
    let heads = ["opponent", "evaluations a move"].into_iter().chain(GAMES);
    let mut table = Table::new(1, heads);
    for (label, ..) in OPPONENTS {
        for &evaluations in protocol(scale).0 {
            let of = |game: &str| {
                let wanted = (game, label, evaluations);
                told(&pairs(rows, |row| {
                    (row.game.as_str(), row.opponent.as_str(), row.evaluations) == wanted
                }))
            };
            let cells = GAMES.map(of);
            table.row([label.to_owned(), evaluations.to_string()].into_iter().chain(cells));
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::othello::Othello;
    use crate::lab::base::terminal::interrupted::Stop;

    #[test]
    fn a_unit_is_a_batch_of_pairs_of_every_game() {
        let units = batches(Scale::Quick);
        assert_eq!(units.len(), 2 * OPPONENTS.len() * GAMES.len());
        for game in GAMES {
            let index = units.iter().position(|batch| batch.game == game && batch.opponent == 5).unwrap();
            let rows = UnboundedMatches.run(Scale::Quick, index, &Work::new(&Stop::default())).unwrap();
            assert_eq!(rows.len(), BATCH, "{game}");
            assert!(rows.iter().all(|row| row.opponent == "MTD(f)"), "{game}");
        }
    }

    #[test]
    fn more_evaluations_win() {
        let (stop, openings) = (Stop::default(), othello_openings(0, 6));
        let work = Work::new(&stop);
        let strong = |game: &Othello| Player::MtdF.choose(game, 2_000, &work).unwrap().unwrap();
        let weak = |game: &Othello| Player::MtdF.choose(game, 20, &work).unwrap().unwrap();
        let mut won = 0;
        for opening in openings {
            let (mut game, mut plies) = (opening, 0);
            while !game.moves().is_empty() {
                game = game.play(if plies % 2 == 0 { strong(&game) } else { weak(&game) });
                plies += 1;
            }
            won += if plies % 2 == 0 { game.result() } else { -game.result() };
        }
        assert!(won >= 4, "{won}");
    }

    #[test]
    fn games_are_the_same_every_time() {
        let stop = Stop::default();
        for opening in checkers_openings(1, 3) {
            let game = || play(&opening, [Player::Unbounded(ALL), Player::BestFirst], 50, &Work::new(&stop));
            assert_eq!(game(), game());
        }
    }

    #[test]
    fn points_decide_the_claims() {
        let row = |number: usize, opponent: &str, first, second| {
            let (game, opponent, evaluations) = ("Othello".to_owned(), opponent.to_owned(), 200);
            PlayedPair {
                game,
                opponent,
                evaluations,
                number,
                points: Points::try_from([first, second]).unwrap(),
            }
        };
        let mut rows: Vec<PlayedPair> =
            (0..20).map(|pair| row(pair, "MTD(f)", 0, if pair % 4 == 0 { 2 } else { 0 })).collect();
        rows.extend((0..20).map(|pair| row(pair, "BestFirst", 2, if pair % 4 == 0 { 0 } else { 2 })));
        let section = UnboundedMatches.conclude(Scale::Quick, &rows);
        let verdicts: Vec<Verdict> = section.claims.iter().map(|claim| claim.verdict).collect();
        assert_eq!(verdicts[4..], [Verdict::Holds, Verdict::Fails], "{:?}", section.claims);
        assert!(verdicts[..4].iter().all(|&verdict| verdict == Verdict::Open));
        let empty = UnboundedMatches.conclude(Scale::Full, &[]);
        assert!(empty.tables.is_empty() && empty.claims.iter().all(|claim| claim.takes.is_none()));
    }
}
