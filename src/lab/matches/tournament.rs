//! `plumb tournament`: a match between two settings, every opening twice with colours reversed; Elo with an interval,
//! and a sequential test (SPRT) on request.

use super::openings::Openings;
use super::pair::{Conditions, Pair, PairPlayers};
use super::pair_record::PairRecord;
use crate::chess::score::centipawns;
use crate::engine::options::Options;
use crate::engine::referee::{Adjudication, Allowed};
use crate::lab::command::cli::TournamentArgs;
use crate::lab::command::console::{self, Failure};
use crate::lab::command::interrupted::{self, Stop};
use crate::lab::command::progress::Progress;
use crate::lab::command::settings;
use crate::lab::command::workers::jobs;
use crate::lab::command::workers::spread_at;
use crate::lab::datagen::source;
use crate::lab::datagen::store::GameFile;
use crate::lab::formats::pgn;
use crate::lab::records::fingerprint;
use crate::lab::records::in_order::InOrder;
use crate::lab::statistics::elo::{self, Pairs};
use std::fmt::Write as _;
use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

/// Players, conditions and length of a tournament.
struct TournamentPlan {
    players: [Options; 2],
    names: [String; 2],
    conditions: Conditions,
    sprt: Option<(f64, f64)>,
    total: usize,
}

/// Plays the tournament and prints its table.
pub fn run(arguments: &TournamentArgs) -> Result<(), Failure> {
    let plan = TournamentPlan::new(arguments)?;
    let mut tally = Tally::open(&plan, arguments)?;
    let todo: Vec<usize> = (0..plan.total).filter(|number| !tally.waiting.has(*number)).collect();
    if !tally.decided && !todo.is_empty() {
        plan.play(&mut tally, &todo, jobs(arguments.play.concurrency))?;
    }
    if !tally.decided {
        tally.count_the_rest()?;
    }
    console::out(&plan.report(&tally))
}

/// Results of the pairs that have been played.
struct Tally<'a> {
    plan: &'a TournamentPlan,
    /// Finished pairs that wait for an earlier one.
    waiting: InOrder<Pair>,
    results: Pairs,
    /// Games won, drawn and lost by the first player.
    games: [u64; 3],
    decided: bool,
    record: Option<PairRecord>,
    pgn: Option<(File, String)>,
    data: Option<GameFile>,
}

impl<'a> Tally<'a> {
    fn open(plan: &'a TournamentPlan, arguments: &TournamentArgs) -> Result<Tally<'a>, Failure> {
        let mut tally = Tally {
            plan,
            waiting: InOrder::default(),
            results: Pairs::default(),
            games: [0; 3],
            decided: false,
            record: None,
            pgn: None,
            data: None,
        };
        if let Some(path) = &arguments.record {
            let (record, held) = PairRecord::open(path, &plan.describe(), arguments.restart)?;
            tally.record = Some(record);
            let wanted = held.into_iter().filter(|(number, _)| *number < plan.total);
            wanted.for_each(|(number, pair)| tally.waiting.add(number, pair));
        }
        let files = [("--record", &arguments.record), ("--pgn", &arguments.pgn), ("--data", &arguments.data)];
        for (index, (first, a)) in files.iter().enumerate() {
            for (second, b) in &files[index + 1..] {
                if same_file(a.as_deref(), b.as_deref()) {
                    return Err(Failure::usage(format!("{first} and {second} name the same file")));
                }
            }
        }
        tally.pgn = arguments.pgn.as_deref().map(create).transpose()?;
        tally.data = arguments.data.as_deref().map(|path| GameFile::open(path, true)).transpose()?;
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
            self.decided = self.plan.is_decided(&self.results);
        }
        Ok(())
    }

    /// After a break, counts the finished pairs behind one that is missing.
    fn count_the_rest(&mut self) -> Result<(), Failure> {
        let mut rest = self.waiting.take_rest();
        rest.try_for_each(|(number, pair)| self.count(number, &pair))
    }

    fn count(&mut self, number: usize, pair: &Pair) -> Result<(), Failure> {
        let half_points = pair.half_points();
        for half_points in half_points {
            self.games[2 - half_points] += 1;
        }
        self.results.0[half_points[0] + half_points[1]] += 1;
        if let Some((file, name)) = &mut self.pgn {
            let written =
                file.write_all(pgn::write(number, &self.plan.names, &pair.opening, &pair.games).as_bytes());
            written.map_err(|error| Failure::file("write to", &name, &error))?;
        }
        if let Some(data) = &mut self.data {
            data.append_all(&pair.opening, &pair.games)?;
        }
        Ok(())
    }

    /// The score so far, in a line.
    fn line(&self) -> String {
        if self.results.count() == 0 {
            return String::new();
        }
        let [wins, draws, losses] = self.games;
        let (elo, least, most) = self.results.elo();
        let sure = self.results.superiority() * 100.0;
        let mut text =
            format!("A +{wins} ={draws} -{losses}, Elo {elo:+.1} [{least:+.1}, {most:+.1}], LOS {sure:.1} %");
        if let Some((elo0, elo1)) = self.plan.sprt {
            let (ratio, (lower, upper)) = (self.results.log_likelihood_ratio(elo0, elo1), elo::bounds());
            let _ = write!(text, ", LLR {ratio:.2} ({lower:.2}, {upper:.2})");
        }
        text
    }
}

/// True if both paths lead to one file: writing to the one would destroy the other.
fn same_file(a: Option<&Path>, b: Option<&Path>) -> bool {
    a.zip(b).is_some_and(|(a, b)| a == b || source::same_file(a, b))
}

fn create(path: &Path) -> Result<(File, String), Failure> {
    let name = path.display().to_string();
    let file = File::create(path).map_err(|error| Failure::file("write to", &name, &error))?;
    Ok((file, name))
}

impl TournamentPlan {
    fn new(arguments: &TournamentArgs) -> Result<TournamentPlan, Failure> {
        if arguments.games % 2 == 1 {
            return Err(Failure::usage("--games must be even: every opening is played with both colours"));
        }
        let allowed = Allowed {
            nodes: arguments.nodes,
            time: arguments.movetime.map(Duration::from_millis),
            depth: arguments.depth,
            soft_nodes: None,
        };
        let shown = |text: &str| if text.trim().is_empty() { "default".to_owned() } else { text.to_owned() };
        let openings = Openings::new(arguments.play.openings.as_deref(), arguments.play.seed)?;
        Ok(TournamentPlan {
            players: [player(&arguments.a)?, player(&arguments.b)?],
            names: [format!("A ({})", shown(&arguments.a)), format!("B ({})", shown(&arguments.b))],
            conditions: Conditions { openings, allowed, rules: rules(arguments)? },
            sprt: arguments.sprt.as_deref().map(hypotheses).transpose()?,
            total: (arguments.games / 2) as usize,
        })
    }

    /// Plays the pairs `todo` and shows the score meanwhile.
    fn play(&self, tally: &mut Tally<'_>, todo: &[usize], jobs: usize) -> Result<(), Failure> {
        let stop = Stop::default();
        let mut progress = Progress::new("pairs", self.total, tally.waiting.known());
        progress.note(tally.line());
        let [a, b] = &self.players;
        let ended = spread_at(
            || PairPlayers::new([a.hash, b.hash]),
            todo.len(),
            jobs,
            &stop,
            |players, item, send| {
                let number = todo[item];
                let pair = players.play([&a.settings, &b.settings], &self.conditions, number, &stop);
                send(pair.map(|pair| pair.map(|pair| (number, pair))));
            },
            |played: Result<Option<(usize, Pair)>, Failure>| {
                let Some((number, pair)) = played? else { return Ok(()) };
                tally.take(number, pair)?;
                progress.note(tally.line());
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

    /// Parameters for the head of the record: everything that decides a game. The number of games may change.
    fn describe(&self) -> Vec<String> {
        let Conditions { openings, allowed, rules } = &self.conditions;
        let limit = |name: &str, value: Option<String>| value.map(|value| format!("{name} {value}"));
        let limits = [
            limit("nodes", allowed.nodes.map(|nodes| nodes.to_string())),
            limit("milliseconds", allowed.time.map(|time| time.as_millis().to_string())),
            limit("depth", allowed.depth.map(|depth| depth.to_string())),
        ];
        let limits: Vec<String> = limits.into_iter().flatten().collect();
        let (resign, draw) =
            ((rules.win_score, rules.win_moves), (rules.draw_score, rules.draw_moves, rules.draw_after));
        vec![
            format!("program {:016x}", fingerprint::program()),
            format!("A: {}", settings::describe_player(&self.players[0])),
            format!("B: {}", settings::describe_player(&self.players[1])),
            format!("a move: {}", limits.join(", ")),
            format!("openings: {}", openings.describe()),
            format!("resign {resign:?}, draw {draw:?}, longest {}", rules.longest),
        ]
    }

    fn is_decided(&self, results: &Pairs) -> bool {
        let (lower, upper) = elo::bounds();
        self.sprt.is_some_and(|(elo0, elo1)| {
            let ratio = results.log_likelihood_ratio(elo0, elo1);
            ratio <= lower || ratio >= upper
        })
    }

    fn report(&self, tally: &Tally<'_>) -> String {
        let results = &tally.results;
        let [wins, draws, losses] = tally.games;
        let mut text = format!("# Tournament: {} against {}\n\n", self.names[0], self.names[1]);
        if results.count() == 0 {
            return text + "No pair is finished\n";
        }
        if interrupted::interrupted() {
            let _ = writeln!(text, "Interrupted after {} of {} pairs", results.count(), self.total);
        }
        let (elo, least, most) = results.elo();
        let _ = writeln!(text, "Games of A: {wins} won, {draws} drawn, {losses} lost");
        let _ = writeln!(text, "Pairs of A, 0 to 2 points: {:?}", results.0);
        let _ =
            writeln!(text, "Elo (logistic, 95 % interval from pairs): {elo:+.1} [{least:+.1}, {most:+.1}]");
        let _ = writeln!(text, "Likelihood that A is stronger: {:.1} %", results.superiority() * 100.0);
        text + &self.verdict(results)
    }

    /// The line of the SPRT, if one is asked for.
    fn verdict(&self, results: &Pairs) -> String {
        let Some((elo0, elo1)) = self.sprt else { return String::new() };
        let (ratio, (lower, upper)) = (results.log_likelihood_ratio(elo0, elo1), elo::bounds());
        let verdict = match ratio {
            ratio if ratio >= upper => format!("{elo1} Elo is accepted"),
            ratio if ratio <= lower => format!("{elo0} Elo is accepted"),
            _ => "undecided".to_owned(),
        };
        format!("SPRT of {elo0} and {elo1} Elo: {ratio:.2} ({lower:.2}, {upper:.2}), {verdict}\n")
    }
}

/// Reads `Option=Value,Option=Value`; empty and `default` are the defaults.
pub(in crate::lab) fn player(text: &str) -> Result<Options, Failure> {
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
    fn players_hypotheses_and_numbers_are_read() {
        assert_eq!(player("Backend=sss, Hash=4").unwrap().hash, 4);
        assert!(player("").is_ok() && player("default").is_ok() && player("Grid").is_err());
        assert!(player("OwnBook=true").is_err());
        assert_eq!(hypotheses("0,5").unwrap(), (0.0, 5.0));
        assert!(hypotheses("5,0").is_err() && hypotheses("x").is_err() && hypotheses("NaN,1").is_err());
        assert_eq!(numbers("600, 4"), Some([600, 4]));
        assert_eq!(numbers::<2>("600"), None);
        assert_eq!(numbers::<2>("600,4,1"), None);
        assert_eq!(numbers::<2>("-1,4"), None);
    }
}
