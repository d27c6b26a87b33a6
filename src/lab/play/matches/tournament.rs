//! `plumb tournament`: a match between two settings, or against another engine, every opening twice with
//! colours reversed; Elo with an interval, and a sequential test (SPRT) on request.

use super::pair::{Conditions, Pair, PairPlayers};
use super::pair_record::PairRecord;
use super::pgn_writer::{self, About};
use super::player::PlayerSpec;
use super::report::{MatchReport, Score, Sprt};
use crate::chess::score::{UNITS_PER_PAWN, Value, centipawns};
use crate::lab::base::formats::openings::Openings;
use crate::lab::base::pages::table::{Table, count};
use crate::lab::base::records::file::{Kind, Output};
use crate::lab::base::records::fingerprint;
use crate::lab::base::records::in_order::InOrder;
use crate::lab::base::records::json_file::{JsonFile, show_report};
use crate::lab::base::terminal::console::{self, Failure};
use crate::lab::base::terminal::interrupted::{self, Stop};
use crate::lab::base::terminal::progress::Progress;
use crate::lab::base::terminal::trial::{self, Trial};
use crate::lab::base::terminal::workers::jobs;
use crate::lab::base::terminal::workers::spread_at;
use crate::lab::play::archive::game_file::GameFile;
use crate::lab::play::matches::arguments::TournamentArgs;
use crate::lab::play::referee::{Adjudication, Allowed, GameTime};
use std::time::Duration;

/// Players, conditions and length of a tournament.
struct TournamentPlan {
    players: [PlayerSpec; 2],
    names: [String; 2],
    conditions: Conditions,
    sprt: Option<(f64, f64)>,
    total: usize,
    /// Value of the PGN tag `TimeControl`.
    clock_of_pgn: String,
}

/// Plays the tournament and prints its table.
pub fn run(arguments: &TournamentArgs) -> Result<(), Failure> {
    let plan = TournamentPlan::new(arguments)?;
    // Engines that cannot be started are named before anything is written.
    drop(PairPlayers::of(&plan.players, &Stop::default())?);
    // Without a number of jobs, the threads of the games at a time are as many as the cores.
    let threads = plan.players.iter().map(PlayerSpec::threads).max().unwrap_or(1);
    let at_a_time = arguments.play.jobs.map_or(jobs(None) / threads, |_| jobs(arguments.play.jobs)).max(1);
    if arguments.dry_run {
        return plan.dry_run(at_a_time);
    }
    let mut tally = Tally::open(&plan, arguments)?;
    if !tally.decided {
        console::note(plan.adjudication());
    }
    let todo: Vec<usize> = (0..plan.total).filter(|number| !tally.waiting.has(*number)).collect();
    if !tally.decided && !todo.is_empty() {
        plan.play(&mut tally, &todo, at_a_time)?;
    }
    if !tally.decided {
        tally.count_the_rest()?;
    }
    let report = plan.report(&tally);
    let shown = show_report(&report.text(), tally.json.as_ref());
    let pgn = tally.pgn.map_or(Ok(()), Output::finish);
    let data = tally.data.map_or(Ok(()), GameFile::finish);
    let json = tally.json.map_or(Ok(()), |json| json.write(&report));
    shown.and(pgn).and(data).and(json)
}

/// Results of the pairs that have been played.
struct Tally<'a> {
    plan: &'a TournamentPlan,
    /// Finished pairs that wait for an earlier one.
    waiting: InOrder<Pair>,
    score: Score,
    decided: bool,
    record: Option<PairRecord>,
    pgn: Option<Output>,
    data: Option<GameFile>,
    json: Option<JsonFile>,
}

impl<'a> Tally<'a> {
    fn open(plan: &'a TournamentPlan, arguments: &TournamentArgs) -> Result<Tally<'a>, Failure> {
        let mut tally = Tally {
            plan,
            waiting: InOrder::default(),
            score: Score::default(),
            decided: false,
            record: None,
            pgn: None,
            data: None,
            json: None,
        };
        let mut continued = false;
        if let Some(path) = &arguments.record {
            let (record, held) = PairRecord::open(path, &plan.describe(), arguments.restart)?;
            tally.record = Some(record);
            continued = !held.is_empty();
            let wanted = held.into_iter().filter(|(number, _)| *number < plan.total);
            wanted.for_each(|(number, pair)| tally.waiting.add(number, pair));
        }
        // The files of a match that goes on hold its games alone, which are written again.
        let replaced = continued || arguments.restart || arguments.overwrite;
        for path in [&arguments.pgn, &arguments.data, &arguments.json].into_iter().flatten() {
            if !replaced && std::fs::metadata(path).is_ok_and(|about| about.is_file() && about.len() > 0) {
                let path = path.display();
                return Err(Failure::usage(format!("{path} is there already; --overwrite replaces it")));
            }
        }
        tally.pgn = arguments.pgn.as_deref().map(|path| Output::growing(path, Kind::Text)).transpose()?;
        tally.data = arguments.data.as_deref().map(GameFile::create).transpose()?;
        tally.json = arguments.json.as_deref().map(JsonFile::create).transpose()?;
        tally.count_in_order()?;
        Ok(tally)
    }

    /// Adds a finished pair.
    fn take(&mut self, number: usize, pair: Pair) -> Result<(), Failure> {
        if let Some(record) = &mut self.record {
            record.append(number, &pair)?;
        }
        self.waiting.add(number, pair);
        self.count_in_order()
    }

    /// Counts pairs in their order, so that the SPRT does not depend on the order in which threads finish.
    fn count_in_order(&mut self) -> Result<(), Failure> {
        while !self.decided
            && let Some((number, pair)) = self.waiting.take()
        {
            self.count(number, &pair)?;
            self.decided = self.plan.sprt.is_some_and(|sprt| Sprt::of(&self.score.pairs, sprt).is_decided());
        }
        Ok(())
    }

    /// After a break, counts the finished pairs behind one that is missing.
    fn count_the_rest(&mut self) -> Result<(), Failure> {
        let mut rest = self.waiting.take_rest();
        rest.try_for_each(|(number, pair)| self.count(number, &pair))
    }

    fn count(&mut self, number: usize, pair: &Pair) -> Result<(), Failure> {
        self.score.add(pair);
        if let Some(file) = &mut self.pgn {
            let line = self.plan.conditions.openings.line_to(&pair.opening);
            let about = About { number, names: &self.plan.names, clock: &self.plan.clock_of_pgn, line };
            file.write(pgn_writer::write(&about, &pair.opening, &pair.games))?;
        }
        if let Some(data) = &mut self.data {
            data.append_all(&pair.opening, &pair.games)?;
        }
        Ok(())
    }
}

/// The name that `name=` gives to a player, and its other words.
fn named(text: &str) -> (Option<String>, String) {
    let (names, rest): (Vec<&str>, Vec<&str>) =
        text.split(',').partition(|part| part.trim_start().starts_with("name="));
    let name = names.first().and_then(|part| part.split_once('=')).map(|(_, name)| name.trim().to_owned());
    (name.filter(|name| !name.is_empty()), rest.join(","))
}

impl TournamentPlan {
    fn new(arguments: &TournamentArgs) -> Result<TournamentPlan, Failure> {
        if arguments.games % 2 == 1 {
            return Err(Failure::usage("--games must be even: every opening is played with both colours"));
        }
        let allowed = Allowed {
            clock: arguments.tc.as_deref().map(game_time).transpose()?,
            nodes: arguments.nodes,
            time: arguments.movetime.map(Duration::from_millis),
            depth: arguments.depth,
            soft_nodes: None,
        };
        let shown = |text: &str| if text.trim().is_empty() { "default".to_owned() } else { text.to_owned() };
        let openings = Openings::for_match(arguments.play.openings.as_deref(), arguments.play.seed)?;
        let total = (arguments.games / 2) as usize;
        let timed = allowed.clock.is_some() || allowed.time.is_some();
        if let Some(period) = openings.period().filter(|&period| period < total && !timed) {
            console::note(format!(
                "the file has {period} openings for {total} pairs: the games of an opening that comes again \
                are the same, and the interval is too narrow"
            ));
        }
        let (words, names) = (|text: &str| named(text).1, |text: &str| named(text).0);
        let player = |text: &str| PlayerSpec::parse(&words(text), allowed.clock.is_some());
        Ok(TournamentPlan {
            players: [player(&arguments.a)?, player(&arguments.b)?],
            clock_of_pgn: match (allowed.clock, allowed.time) {
                (Some(time), _) => clock_in_words(time),
                (None, Some(time)) => format!("{}/move", time.as_secs_f64()),
                (None, None) => "-".to_owned(),
            },
            names: [
                names(&arguments.a).unwrap_or_else(|| format!("A ({})", shown(&arguments.a))),
                names(&arguments.b).unwrap_or_else(|| format!("B ({})", shown(&arguments.b))),
            ],
            conditions: Conditions { openings, allowed, rules: rules(arguments)? },
            sprt: arguments.sprt.as_deref().map(hypotheses).transpose()?,
            total,
        })
    }

    /// Plays the pairs `todo` and shows the score meanwhile.
    fn play(&self, tally: &mut Tally<'_>, todo: &[usize], jobs: usize) -> Result<(), Failure> {
        let stop = Stop::default();
        let mut progress = Progress::new("pairs", self.total, tally.waiting.known());
        progress.note(tally.score.line(self.sprt));
        let ended = spread_at(
            || PairPlayers::of(&self.players, &stop),
            todo.len(),
            jobs,
            &stop,
            |players, item, send| {
                let number = todo[item];
                let pair = players.play(&self.conditions, number, &stop);
                send(pair.map(|pair| pair.map(|pair| (number, pair))));
            },
            |played: Result<Option<(usize, Pair)>, Failure>| {
                let Some((number, pair)) = played? else { return Ok(()) };
                tally.take(number, pair)?;
                progress.note(tally.score.line(self.sprt));
                progress.step();
                if tally.decided {
                    stop.abandon();
                }
                Ok(())
            },
        );
        progress.finish();
        ended
    }

    /// Plays pairs for some seconds, keeps none, and prints the time that all of them take.
    fn dry_run(&self, jobs: usize) -> Result<(), Failure> {
        console::note("a dry run: pairs are played for some seconds, and nothing is written");
        let trial = Trial::run(
            || PairPlayers::of(&self.players, &Stop::default()),
            self.total,
            jobs,
            |players, number, stop| players.play(&self.conditions, number, stop),
            |_: Pair| (),
        )?;
        let mut table = Table::new(0, ["games", "time", "games at a time"]);
        let games = count(2 * self.total as u64);
        table.row([games, trial.time_for(self.total), trial.jobs().to_string()]);
        console::out(&table.to_string())?;
        let sooner = if self.sprt.is_some() { "; the SPRT may end the match sooner" } else { "" };
        console::note(trial::basis(&count(2 * trial.pieces() as u64)) + sooner);
        Ok(())
    }

    /// Parameters for the head of the record: everything that decides a game. The number of games may change.
    fn describe(&self) -> Vec<String> {
        let Conditions { openings, allowed, rules } = &self.conditions;
        let limit = |name: &str, value: Option<String>| value.map(|value| format!("{name} {value}"));
        let limits = [
            limit("clock", allowed.clock.map(clock_in_words)),
            limit("nodes", allowed.nodes.map(|nodes| nodes.to_string())),
            limit("milliseconds", allowed.time.map(|time| time.as_millis().to_string())),
            limit("depth", allowed.depth.map(|depth| depth.to_string())),
        ];
        let limits: Vec<String> = limits.into_iter().flatten().collect();
        let (resign, draw) =
            ((rules.win_score, rules.win_moves), (rules.draw_score, rules.draw_moves, rules.draw_after));
        vec![
            format!("program {:016x}", fingerprint::program()),
            format!("A: {}", self.players[0].describe()),
            format!("B: {}", self.players[1].describe()),
            format!("a move: {}", limits.join(", ")),
            format!("openings: {}", openings.describe()),
            format!("resign {resign:?}, draw {draw:?}, longest {}", rules.longest),
        ]
    }

    /// The rules of adjudication, in words.
    fn adjudication(&self) -> String {
        let Adjudication { win_score, win_moves, draw_score, draw_moves, draw_after, longest, .. } =
            self.conditions.rules;
        let pawns = |units: Value| f64::from(units) / f64::from(UNITS_PER_PAWN);
        let won = (win_moves > 0).then(|| {
            format!("won when both scores are {:.2} or more for {win_moves} moves", pawns(win_score))
        });
        let drawn = (draw_moves > 0).then(|| {
            let score = pawns(draw_score);
            format!("drawn when both are within {score:.2} for {draw_moves} moves after move {draw_after}")
        });
        let terms: Vec<String> = won.into_iter().chain(drawn).collect();
        if terms.is_empty() {
            return format!("games are played to the end, at most {longest} plies");
        }
        let terms = terms.join(", ");
        format!("games are {terms}, and after {longest} plies; --to-the-end plays them out")
    }

    fn report(&self, tally: &Tally<'_>) -> MatchReport {
        let score = (&tally.score, self.total);
        let rules = &self.conditions.rules;
        let adjudicated = rules.win_moves > 0 || rules.draw_moves > 0;
        let about = (self.describe(), adjudicated, self.conditions.allowed.nodes);
        MatchReport::new(&self.names, about, score, self.sprt, interrupted::interrupted())
    }
}

/// Reads the time control of a game: `[MOVES/]SECONDS[+INCREMENT]`.
fn game_time(text: &str) -> Result<GameTime, Failure> {
    let seconds = |text: &str, least: f64| {
        let number = text.trim().parse::<f64>().ok().filter(|number| (least..=1e6).contains(number));
        number.and_then(|number| Duration::try_from_secs_f64(number).ok())
    };
    let read = || {
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => {
                (Some(moves.trim().parse().ok().filter(|moves| (1..=1000).contains(moves))?), rest)
            }
            None => (None, text),
        };
        let (base, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        Some(GameTime { base: seconds(base, 0.000_001)?, increment: seconds(increment, 0.0)?, moves })
    };
    read().ok_or_else(|| {
        Failure::usage(format!("--tc '{text}' is not [MOVES/]SECONDS[+INCREMENT], as in 8+0.08 or 40/60+0.6"))
    })
}

fn clock_in_words(time: GameTime) -> String {
    let moves = time.moves.map_or(String::new(), |moves| format!("{moves}/"));
    format!("{moves}{}+{}", time.base.as_secs_f64(), time.increment.as_secs_f64())
}

/// Reads `ELO0,ELO1`.
fn hypotheses(text: &str) -> Result<(f64, f64), Failure> {
    let read = |part: &str| part.trim().parse::<f64>().ok().filter(|elo| elo.abs() <= 1000.0);
    let both = text.split_once(',').and_then(|(elo0, elo1)| Some((read(elo0)?, read(elo1)?)));
    both.filter(|(elo0, elo1)| elo0 < elo1)
        .ok_or_else(|| Failure::usage(format!("--sprt '{text}' is not ELO0,ELO1 with ELO0 below ELO1")))
}

/// Adjudication rules of the command line.
fn rules(arguments: &TournamentArgs) -> Result<Adjudication, Failure> {
    if arguments.to_the_end {
        return Ok(Adjudication { win_moves: 0, draw_moves: 0, ..Adjudication::default() });
    }
    let (win, draw) = (&arguments.resign, &arguments.draw);
    let [win_score, win_moves] = numbers(win)
        .ok_or_else(|| Failure::usage(format!("--resign '{win}' is not SCORE,MOVES (up to 10000)")))?;
    let [draw_score, draw_moves, draw_after] = numbers(draw)
        .ok_or_else(|| Failure::usage(format!("--draw '{draw}' is not SCORE,MOVES,AFTER (up to 10000)")))?;
    Ok(Adjudication {
        win_score: centipawns(win_score.into()),
        win_moves: usize::from(win_moves),
        draw_score: centipawns(draw_score.into()),
        draw_moves: usize::from(draw_moves),
        draw_after: usize::from(draw_after),
        ..Adjudication::default()
    })
}

/// Reads so many small numbers, separated by commas.
fn numbers<const N: usize>(text: &str) -> Option<[u16; N]> {
    let read = |part: &str| part.trim().parse::<u16>().ok().filter(|&number| number <= 10_000);
    let numbers: Vec<u16> = text.split(',').map(read).collect::<Option<_>>()?;
    numbers.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_hypotheses_and_numbers_are_read() {
        for (text, wanted) in [("8+0.08", "8+0.08"), ("40/60 + 0.6", "40/60+0.6"), ("0.5", "0.5+0")] {
            assert_eq!(clock_in_words(game_time(text).unwrap()), wanted);
        }
        for wrong in
            ["", "x", "8+", "+1", "0+1", "-8", "0/8", "8+-1", "inf", "NaN+1", "1e9", "1001/8", "8+1+1"]
        {
            assert!(game_time(wrong).is_err(), "{wrong}");
        }
        assert_eq!(hypotheses("0,5").unwrap(), (0.0, 5.0));
        assert!(hypotheses("5,0").is_err() && hypotheses("x").is_err() && hypotheses("NaN,1").is_err());
        assert_eq!(numbers("600, 4"), Some([600, 4]));
        assert_eq!(numbers::<2>("600"), None);
        assert_eq!(numbers::<2>("600,4,1"), None);
        assert_eq!(numbers::<2>("-1,4"), None);
    }
}
