//! Results of a tournament so far, counted in the order of its pairs, and the files that they go to.

use super::arguments::TournamentArgs;
use super::cross_report::CrossReport;
use super::pair::Pair;
use super::pair_record::PairRecord;
use super::pgn_writer::{self, About};
use super::plan::TournamentPlan;
use super::player::PlayerSpec;
use super::report::{MatchReport, Score, Sprt};
use crate::engine::wdl_model::from_normalized;
use crate::lab::base::records::file::{Kind, Output};
use crate::lab::base::records::identity::is_standard;
use crate::lab::base::records::in_order::InOrder;
use crate::lab::base::records::json_file::{JsonFile, show_report};
use crate::lab::base::statistics::ratings::Encounter;
use crate::lab::base::terminal::console::{self, Failure};
use crate::lab::play::archive::game_file::GameFile;
use serde::Serialize;
use std::path::Path;

/// Players of a tournament that are named on the way: those with the best scores.
const NAMED: usize = 3;

/// Results of the pairs that have been played.
pub struct Tally<'a> {
    plan: &'a TournamentPlan,
    /// Finished pairs that wait for an earlier one.
    waiting: InOrder<Pair>,
    /// The score of every meeting.
    scores: Vec<Score>,
    /// The pairs of games by their openings, for ratings.
    encounters: Vec<Encounter>,
    /// True if the SPRT has ended the match.
    decided: bool,
    record: Option<PairRecord>,
    pgn: Option<Output>,
    data: Option<GameFile>,
    json: Option<JsonFile>,
    csv: Option<Output>,
}

/// The result in the form that the number of players asks for.
#[derive(Serialize)]
#[serde(untagged)]
enum Report {
    Match(Box<MatchReport>),
    Cross(Box<CrossReport>),
}

impl Report {
    fn text(&self) -> String {
        match self {
            Report::Match(report) => report.text(),
            Report::Cross(report) => report.text(),
        }
    }
}

/// True for a file that is not empty.
fn holds_something(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|about| about.is_file() && about.len() > 0)
}

impl<'a> Tally<'a> {
    /// Opens the files, and takes up the pairs of the record.
    ///
    /// # Errors
    /// If a file cannot be written, is there already, or is the record of another tournament.
    pub fn open(plan: &'a TournamentPlan, arguments: &TournamentArgs) -> Result<Tally<'a>, Failure> {
        let mut tally = Tally {
            plan,
            waiting: InOrder::default(),
            scores: vec![Score::default(); plan.schedule.meetings().len()],
            encounters: Vec::new(),
            decided: false,
            record: None,
            pgn: None,
            data: None,
            json: None,
            csv: None,
        };
        // A record without pairs, too, is that of a match that was broken off.
        let continued = arguments.record.as_deref().is_some_and(holds_something);
        // The files of a match that resumes hold its games alone, which are written again. Before the record
        // is made: a match that is refused leaves nothing behind.
        let replaced = continued && !arguments.restart || arguments.overwrite;
        let files = [&arguments.pgn, &arguments.data, &arguments.json, &arguments.csv];
        for path in files.into_iter().flatten().filter(|path| !is_standard(path)) {
            if !replaced && holds_something(path) {
                let path = path.display();
                return Err(Failure::usage(format!("{path} is there already; --overwrite replaces it")));
            }
        }
        if let Some(path) = &arguments.record {
            let (record, held) = PairRecord::open(path, &plan.describe(), arguments.restart)?;
            tally.record = Some(record);
            let wanted = held.into_iter().filter(|(number, _)| *number < plan.total);
            wanted.for_each(|(number, pair)| tally.waiting.add(number, pair));
        }
        tally.pgn = arguments.pgn.as_deref().map(|path| Output::growing(path, Kind::Text)).transpose()?;
        tally.data = arguments.data.as_deref().map(GameFile::create).transpose()?;
        tally.json = arguments.json.as_deref().map(JsonFile::create).transpose()?;
        tally.csv = arguments.csv.as_deref().map(|path| Output::create(path, Kind::Text)).transpose()?;
        tally.count_in_order()?;
        Ok(tally)
    }

    /// True if no more games are needed.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.decided
    }

    /// True if the result of a pair is known.
    #[must_use]
    pub fn has(&self, number: usize) -> bool {
        self.waiting.has(number)
    }

    /// Number of pairs whose results are known.
    #[must_use]
    pub fn known(&self) -> usize {
        self.waiting.known()
    }

    /// Adds a finished pair.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn take(&mut self, number: usize, pair: Pair) -> Result<(), Failure> {
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
            let decided = |sprt| self.scores.iter().any(|score| Sprt::of(&score.pairs, sprt).is_decided());
            self.decided = self.plan.sprt.is_some_and(decided);
        }
        Ok(())
    }

    /// After a break, counts the finished pairs behind one that is missing.
    fn count_the_rest(&mut self) -> Result<(), Failure> {
        let mut rest = self.waiting.take_rest();
        rest.try_for_each(|(number, pair)| self.count(number, &pair))
    }

    fn count(&mut self, number: usize, pair: &Pair) -> Result<(), Failure> {
        let (opening, meeting) = self.plan.schedule.at(number);
        let players = self.plan.schedule.meetings()[meeting];
        self.scores[meeting].add(pair);
        let points = pair.half_points().iter().sum::<usize>() as f64 / 2.0;
        self.encounters.push(Encounter { sample: opening, players, games: 2, points });
        if let Some(file) = &mut self.pgn {
            let conditions = &self.plan.conditions;
            let about = About {
                number: opening,
                names: players.map(|player| self.plan.names[player].as_str()),
                clock: &self.plan.clock_of_pgn,
                time: conditions.allowed.clock,
                line: conditions.openings.line_to(&pair.opening),
            };
            file.write(pgn_writer::write(&about, &pair.opening, &pair.games))?;
        }
        if let Some(data) = &mut self.data {
            let mut games = pair.games.clone();
            if PlayerSpec::any_program(&self.plan.players) {
                // The file holds units of evaluation.
                let plies = games.iter_mut().flat_map(|game| &mut game.plies);
                plies.for_each(|ply| ply.value = ply.value.map(from_normalized));
            }
            data.append_all([(&pair.opening, &games[..])])?;
        }
        Ok(())
    }

    /// The score so far, in a line; of many players that of the best. Empty without a pair.
    #[must_use]
    pub fn line(&self) -> String {
        if let [score] = &self.scores[..] {
            return score.line(self.plan.sprt);
        }
        // Half points and games of each player.
        let mut sums = vec![(0, 0); self.plan.names.len()];
        for (&[a, b], Score { games: [won, drawn, lost], .. }) in
            self.plan.schedule.meetings().iter().zip(&self.scores)
        {
            for (player, half_points) in [(a, 2 * won + drawn), (b, 2 * lost + drawn)] {
                sums[player] = (sums[player].0 + half_points, sums[player].1 + won + drawn + lost);
            }
        }
        let mut scores: Vec<(f64, &str)> = sums
            .iter()
            .zip(&self.plan.names)
            .filter(|((_, games), _)| *games > 0)
            .map(|(&(half_points, games), name)| (50.0 * half_points as f64 / games as f64, name.as_str()))
            .collect();
        scores.sort_by(|a, b| b.0.total_cmp(&a.0));
        let best = scores.iter().take(NAMED).map(|(score, name)| format!("{name} {score:.1} %"));
        best.collect::<Vec<_>>().join(", ")
    }

    fn report(&self) -> Report {
        match (&self.plan.names[..], &self.scores[..]) {
            ([a, b], [score]) => {
                let names = [a.clone(), b.clone()];
                let circumstances = self.plan.circumstances();
                Report::Match(Box::new(MatchReport::new(&names, score, self.plan.sprt, circumstances)))
            }
            _ => Report::Cross(Box::new(self.cross_report())),
        }
    }

    fn cross_report(&self) -> CrossReport {
        let TournamentPlan { names, schedule, anchor, .. } = self.plan;
        let results = (&self.scores[..], &self.encounters[..]);
        CrossReport::new(names, schedule, results, *anchor, self.plan.circumstances())
    }

    /// Leaves what was there before in the files, of a match without a game; standard output is written.
    fn discard_files(&mut self) {
        [&mut self.pgn, &mut self.csv].into_iter().for_each(Output::discard_file);
        self.data.take().into_iter().for_each(GameFile::discard);
        self.json.take_if(|file| !file.is_stdout());
    }

    /// Counts what is left after a break, shows the report, and completes the files.
    ///
    /// # Errors
    /// The first failure; the files behind it are completed all the same.
    pub fn finish(mut self) -> Result<(), Failure> {
        if !self.decided {
            self.count_the_rest()?;
        }
        let report = self.report();
        if self.encounters.is_empty() {
            self.discard_files();
        }
        let csv = self.csv.take().map(|file| (file, self.cross_report().csv()));
        let shown = if csv.as_ref().is_some_and(|(file, _)| file.is_stdout()) {
            console::aside(&report.text());
            Ok(())
        } else {
            show_report(&report.text(), self.json.as_ref())
        };
        let csv = csv.map_or(Ok(()), |(mut file, text)| {
            file.write(text?)?;
            file.finish()
        });
        let pgn = self.pgn.map_or(Ok(()), Output::finish);
        let data = self.data.map_or(Ok(()), GameFile::finish);
        let json = self.json.map_or(Ok(()), |json| json.write(&report));
        shown.and(pgn).and(data).and(json).and(csv)
    }
}
