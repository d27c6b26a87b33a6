//! Plan of a tournament: players, schedule, conditions and length, by the words of the command line.

use super::arguments::TournamentArgs;
use super::pair::Conditions;
use super::player::PlayerSpec;
use super::report::Circumstances;
use super::schedule::{Schedule, letter};
use crate::chess::score::{UNITS_PER_PAWN, Value, centipawns};
use crate::lab::base::formats::openings::Openings;
use crate::lab::base::records::fingerprint;
use crate::lab::base::terminal::console::{self, Failure};
use crate::lab::base::terminal::interrupted;
use crate::lab::play::referee::{Adjudication, GameTime, MoveLimits};
use std::time::Duration;

/// Most games of a tournament: results of all are kept in memory.
const MOST_GAMES: u64 = 10_000_000;

/// Players, conditions and length of a tournament.
pub struct TournamentPlan {
    /// The players.
    pub players: Vec<PlayerSpec>,
    /// Their names in games and reports.
    pub names: Vec<String>,
    /// The schedule: the two players of every pair of games.
    pub schedule: Schedule,
    /// Openings, limits and adjudication.
    pub conditions: Conditions,
    /// The differences in Elo that the SPRT tests.
    pub sprt: Option<(f64, f64)>,
    /// The player whose rating is 0.
    pub anchor: Option<usize>,
    /// Number of pairs of games.
    pub total: usize,
    /// Value of the PGN tag `TimeControl`.
    pub clock_of_pgn: String,
}

/// The name that `name=` gives to a player, and its other words.
fn named(text: &str) -> (Option<String>, String) {
    let (names, rest): (Vec<&str>, Vec<&str>) =
        text.split(',').partition(|part| part.trim_start().starts_with("name="));
    let name = names.first().and_then(|part| part.split_once('=')).map(|(_, name)| name.trim().to_owned());
    (name.filter(|name| !name.is_empty()), rest.join(","))
}

impl TournamentPlan {
    /// Reads the plan.
    ///
    /// # Errors
    /// If something cannot be read, or means nothing in this tournament.
    pub fn new(arguments: &TournamentArgs) -> Result<TournamentPlan, Failure> {
        if arguments.games % 2 == 1 {
            return Err(Failure::usage("--games must be even: every opening is played with both colours"));
        }
        let allowed = MoveLimits {
            clock: arguments.tc.as_deref().map(game_time).transpose()?,
            nodes: arguments.nodes,
            time: arguments.movetime.map(Duration::from_millis),
            depth: arguments.depth,
            soft_nodes: None,
        };
        let words = arguments.players();
        let names = names(&words);
        let schedule = Schedule::new(names.len(), arguments.gauntlet);
        check_length(arguments, &schedule, &names)?;
        let openings = Openings::for_match(arguments.play.openings.as_deref(), arguments.play.seed)?;
        let pairs = (arguments.games / 2) as usize;
        let timed = allowed.clock.is_some() || allowed.time.is_some();
        if let Some(period) = openings.period().filter(|&period| period < pairs && !timed) {
            console::note(format!(
                "the file has {period} openings for {pairs} pairs: the games of an opening that comes again \
                are the same, and the interval is too narrow"
            ));
        }
        let player = |text: &&str| PlayerSpec::parse(&named(text).1, allowed.clock.is_some());
        Ok(TournamentPlan {
            players: words.iter().map(player).collect::<Result<_, _>>()?,
            anchor: arguments.anchor.as_deref().map(|text| anchor(text, &names)).transpose()?,
            clock_of_pgn: match (allowed.clock, allowed.time) {
                (Some(time), _) => clock_in_words(time),
                (None, Some(time)) => format!("{}/move", time.as_secs_f64()),
                (None, None) => "-".to_owned(),
            },
            conditions: Conditions { openings, allowed, rules: rules(arguments)? },
            sprt: arguments.sprt.as_deref().map(hypotheses).transpose()?,
            total: pairs * schedule.meetings().len(),
            names,
            schedule,
        })
    }

    /// Parameters for the head of the record: everything that decides a game. The number of games may change.
    #[must_use]
    pub fn describe(&self) -> Vec<String> {
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
        let kind = (!self.schedule.is_match())
            .then(|| format!("{} of {} players", self.schedule.kind(), self.players.len()));
        let players = self.players.iter().enumerate();
        let players = players.map(|(index, player)| format!("{}: {}", letter(index), player.describe()));
        let games = [
            format!("a move: {}", limits.join(", ")),
            format!("openings: {}", openings.describe()),
            format!("resign {resign:?}, draw {draw:?}, longest {}", rules.longest),
        ];
        let program = format!("program {:016x}", fingerprint::program());
        std::iter::once(program).chain(kind).chain(players).chain(games).collect()
    }

    /// The rules of adjudication, in words.
    #[must_use]
    pub fn adjudication(&self) -> String {
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

    /// Conditions, limits and length, for the reports.
    #[must_use]
    pub fn circumstances(&self) -> Circumstances {
        let rules = &self.conditions.rules;
        Circumstances {
            conditions: self.describe(),
            adjudicated: rules.win_moves > 0 || rules.draw_moves > 0,
            node_limit: self.conditions.allowed.nodes,
            pairs_planned: self.total,
            interrupted: interrupted::interrupted(),
        }
    }
}

/// The names of players by their words: those that `name=` gives, else letter and words.
fn names(players: &[&str]) -> Vec<String> {
    let shown = |text: &str| if text.trim().is_empty() { "default".to_owned() } else { text.to_owned() };
    let name = |(index, &text): (usize, &&str)| {
        named(text).0.unwrap_or_else(|| format!("{} ({})", letter(index), shown(text)))
    };
    players.iter().enumerate().map(name).collect()
}

/// Fails for what means nothing with so many players, and for more games than are kept.
fn check_length(arguments: &TournamentArgs, schedule: &Schedule, names: &[String]) -> Result<(), Failure> {
    let meetings = schedule.meetings().len() as u64;
    let twice = names.iter().enumerate().find(|(index, name)| names[..*index].contains(name));
    if let Some((_, name)) = twice {
        return Err(Failure::usage(format!("two players have the name '{name}'; name=NAME gives another")));
    }
    if schedule.is_match() {
        return match (arguments.gauntlet, &arguments.anchor) {
            (true, _) => Err(Failure::usage("--gauntlet needs three players or more")),
            (_, Some(_)) => Err(Failure::usage("--anchor needs three players or more")),
            _ => Ok(()),
        };
    }
    if arguments.sprt.is_some() {
        return Err(Failure::usage("--sprt tests the difference between two players; here are more"));
    }
    if arguments.games.saturating_mul(meetings) > MOST_GAMES {
        let games = arguments.games;
        return Err(Failure::usage(format!(
            "{meetings} pairs of players with {games} games each are more than {MOST_GAMES} games"
        )));
    }
    Ok(())
}

/// Reads the player of `--anchor`: a name, or a letter.
fn anchor(text: &str, names: &[String]) -> Result<usize, Failure> {
    let by_letter = || (0..names.len()).find(|&index| letter(index).eq_ignore_ascii_case(text.trim()));
    names.iter().position(|name| name == text.trim()).or_else(by_letter).ok_or_else(|| {
        Failure::usage(format!("--anchor '{text}' is no player; players are {}", names.join(", ")))
    })
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
