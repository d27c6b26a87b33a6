//! `plumb tournament`: a match between two settings, or against another engine, every opening twice with
//! colours reversed; Elo with an interval, and a sequential test (SPRT) on request. With more players a round
//! robin or a gauntlet, in which every two that meet play the same openings.

use super::arguments::TournamentArgs;
use super::pair::{Pair, StartedPlayers};
use super::plan::TournamentPlan;
use super::player::PlayerSpec;
use super::tally::Tally;
use crate::lab::base::pages::table::{Table, count};
use crate::lab::base::terminal::console::{self, Failure};
use crate::lab::base::terminal::interrupted::Stop;
use crate::lab::base::terminal::progress::Progress;
use crate::lab::base::terminal::trial::{self, Trial};
use crate::lab::base::terminal::workers::jobs;
use crate::lab::base::terminal::workers::spread_at;

/// Plays the tournament and prints its table.
pub fn run(arguments: &TournamentArgs) -> Result<(), Failure> {
    let plan = TournamentPlan::new(arguments)?;
    // Engines that cannot be started are named before anything is written.
    StartedPlayers::try_all(&plan.players, &Stop::default())?;
    // Without a number of jobs, the threads of the games at a time are as many as the cores.
    let threads = plan.players.iter().map(PlayerSpec::threads).max().unwrap_or(1).max(1);
    let at_a_time = arguments.play.jobs.map_or(jobs(None) / threads, |_| jobs(arguments.play.jobs)).max(1);
    if arguments.dry_run {
        return dry_run(&plan, at_a_time);
    }
    let mut tally = Tally::open(&plan, arguments)?;
    if !tally.is_decided() {
        console::note(plan.adjudication());
    }
    let todo: Vec<usize> = (0..plan.total).filter(|number| !tally.has(*number)).collect();
    let is_played = tally.is_decided() || todo.is_empty();
    let played = if is_played { Ok(()) } else { play(&plan, &mut tally, &todo, at_a_time) };
    // An engine that fails ends the tournament, and not the report on the games before it.
    let finished = tally.finish();
    played.and(finished)
}

/// Plays the pairs `todo` and shows the score meanwhile.
fn play(plan: &TournamentPlan, tally: &mut Tally<'_>, todo: &[usize], jobs: usize) -> Result<(), Failure> {
    let stop = Stop::default();
    let mut progress = Progress::new("pairs", plan.total, tally.known());
    progress.note(tally.line());
    let ended = spread_at(
        || Ok(StartedPlayers::new(&plan.players)),
        todo.len(),
        jobs,
        &stop,
        |players, item, send| {
            let number = todo[item];
            let pair = play_pair(plan, players, number, &stop);
            send(pair.map(|pair| pair.map(|pair| (number, pair))));
        },
        |played: Result<Option<(usize, Pair)>, Failure>| {
            let Some((number, pair)) = played? else { return Ok(()) };
            tally.take(number, pair)?;
            progress.note(tally.line());
            progress.step();
            if tally.is_decided() {
                stop.abandon();
            }
            Ok(())
        },
    );
    progress.finish();
    ended
}

/// Both games of a pair of the schedule; `None` when interrupted.
fn play_pair(
    plan: &TournamentPlan,
    players: &mut StartedPlayers<'_>,
    number: usize,
    stop: &Stop,
) -> Result<Option<Pair>, Failure> {
    let (opening, meeting) = plan.schedule.at(number);
    players.play(plan.schedule.meetings()[meeting], &plan.conditions, opening, stop)
}

/// Number of a pair for the piece of a trial. Of many players the pieces are spread over all pairs by the
/// golden section, since the first ones are games of the same few.
fn number_of(plan: &TournamentPlan, piece: usize) -> usize {
    if plan.schedule.is_match() {
        return piece;
    }
    let part = (piece as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((u128::from(part) * plan.total as u128) >> 64) as usize
}

/// Plays pairs for some seconds, keeps none, and prints the time that all of them take.
fn dry_run(plan: &TournamentPlan, jobs: usize) -> Result<(), Failure> {
    console::note("a dry run: pairs are played for some seconds, and nothing is written");
    let trial = Trial::run(
        || Ok(StartedPlayers::new(&plan.players)),
        plan.total,
        jobs,
        |players, piece, stop| play_pair(plan, players, number_of(plan, piece), stop),
        |_: Pair| (),
    )?;
    let mut table = Table::new(0, ["games", "time", "games at a time"]);
    let games = count(2 * plan.total as u64);
    table.row([games, trial.time_for(plan.total), trial.jobs().to_string()]);
    console::out(&table.to_string())?;
    let sooner = if plan.sprt.is_some() { "; the SPRT may end the match sooner" } else { "" };
    console::note(trial::basis(&count(2 * trial.pieces() as u64)) + sooner);
    Ok(())
}
