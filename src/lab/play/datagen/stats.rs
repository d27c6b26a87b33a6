//! Statistics of training data: `plumb datagen stats` counts results, lengths, reasons, phases, duplicates
//! and scores of files of games, to judge them before hours of training. Files are read as a stream; only the
//! keys of positions are kept, eight bytes each and up to `MOST_KEYS`.

use crate::chess::Position;
use crate::lab::base::pages::table::{Table, count, percent};
use crate::lab::base::terminal::console::{self, Failure};
use crate::lab::play::archive::format::{CERTAIN, ScoredMove, StoredGame, UNSCORED};
use crate::lab::play::archive::source::{self, is_quiet};
use crate::lab::play::archive::store::Summary;
use crate::lab::play::datagen::arguments::StatsArgs;
use crate::lab::play::referee::Termination;
use std::collections::{BTreeMap, HashSet};

/// Keys that are kept to find duplicates, about half a gigabyte; positions beyond are not compared.
const MOST_KEYS: usize = 30_000_000;

/// Game phases by the number of pieces: name and least number, most pieces first.
const PHASES: [(&str, u32); 4] = [("32 to 25", 25), ("24 to 17", 17), ("16 to 9", 9), ("8 to 2", 0)];

/// Upper ends of the classes of scores, in centipawns for white; a last class holds the rest.
const SCORES: [i16; 12] = [-CERTAIN - 1, -1001, -601, -301, -101, -31, 30, 100, 300, 600, 1000, CERTAIN];

/// Width of the longest bar, in characters.
const BAR: u64 = 40;

/// Shows the statistics of the files.
///
/// # Errors
/// If a file cannot be read, is damaged, or holds no games.
pub fn run(arguments: &StatsArgs) -> Result<(), Failure> {
    let mut stats = Stats::default();
    source::for_each(&arguments.files, |game| {
        stats.add(game);
        Ok(())
    })?;
    console::out(&stats.report())
}

/// All and quiet positions of a class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Class {
    all: u64,
    quiet: u64,
}

impl Class {
    fn add(&mut self, quiet: bool) {
        self.all += 1;
        self.quiet += u64::from(quiet);
    }
}

/// Counts over all games.
#[derive(Default)]
struct Stats {
    summary: Summary,
    /// Games by their length in plies.
    lengths: BTreeMap<usize, u64>,
    /// Games by the reason why they ended; the last is "unknown".
    reasons: Vec<u64>,
    phases: [Class; PHASES.len()],
    scores: [Class; SCORES.len() + 1],
    unscored: Class,
    keys: HashSet<u64>,
    /// Positions that were compared with earlier ones.
    compared: u64,
    duplicates: u64,
}

impl Stats {
    fn add(&mut self, game: &StoredGame) {
        self.summary.add(game);
        *self.lengths.entry(game.plies.len()).or_default() += 1;
        self.reasons.resize(Termination::ALL.len() + 1, 0);
        self.reasons[game.reason.map_or(Termination::ALL.len(), |reason| reason as usize)] += 1;
        game.for_each(|position, ply| self.position(position, ply));
    }

    fn position(&mut self, position: &Position, ply: ScoredMove) {
        let quiet = is_quiet(position, ply);
        let pieces = position.board().occupied().count() as u32;
        let phase = PHASES.iter().position(|&(_, least)| pieces >= least).unwrap_or(PHASES.len() - 1);
        self.phases[phase].add(quiet);
        match ply.score {
            UNSCORED => self.unscored.add(quiet),
            score => self.scores[SCORES.partition_point(|&end| end < score)].add(quiet),
        }
        if self.keys.len() < MOST_KEYS {
            self.compared += 1;
            self.duplicates += u64::from(!self.keys.insert(position.key()));
        }
    }

    fn report(&self) -> String {
        let mut text = format!("{}\n", self.summary.table());
        for table in [self.lengths(), self.reasons(), self.phases(), self.scores()] {
            text += &format!("{table}\n");
        }
        let share = percent(self.duplicates as f64 / self.compared.max(1) as f64);
        let (duplicates, compared) = (count(self.duplicates), count(self.compared));
        text +=
            &format!("Duplicates: {duplicates} of {compared} positions ({share} %) had been there before");
        if self.compared < self.summary.positions {
            text +=
                &format!("; the other {} were not looked at", count(self.summary.positions - self.compared));
        }
        text + "\n"
    }

    fn lengths(&self) -> Table {
        let mut table = Table::new(0, ["plies: least", "median", "mean", "most"]);
        let half = (self.summary.games as u64).div_ceil(2);
        let mut seen = 0;
        let median = self.lengths.iter().find(|&(_, &games)| {
            seen += games;
            seen >= half
        });
        let plain = |entry: Option<(&usize, &u64)>| entry.map_or(0, |(&plies, _)| plies).to_string();
        let mean = self.summary.positions as f64 / self.summary.games.max(1) as f64;
        let (least, most) = (self.lengths.first_key_value(), self.lengths.last_key_value());
        table.row([plain(least), plain(median), format!("{mean:.1}"), plain(most)]);
        table
    }

    fn reasons(&self) -> Table {
        let mut table = Table::new(1, ["games ended by", "games", "%"]);
        let names = Termination::ALL.iter().map(|reason| reason.name()).chain(["unknown"]);
        for (name, &games) in names.zip(&self.reasons).filter(|&(_, &games)| games > 0) {
            table.row([name.to_owned(), count(games), self.share(games, self.summary.games as u64)]);
        }
        table
    }

    fn phases(&self) -> Table {
        let mut table = Table::new(1, ["pieces", "positions", "%", "quiet"]);
        for ((name, _), class) in PHASES.iter().zip(self.phases) {
            let share = self.share(class.all, self.summary.positions);
            table.row([(*name).to_owned(), count(class.all), share, count(class.quiet)]);
        }
        table
    }

    fn scores(&self) -> Table {
        let mut table = Table::new(2, ["score for white", "", "positions", "%", "quiet"]);
        let most = self.scores.iter().map(|class| class.all).max().unwrap_or(0).max(1);
        let mut from = None;
        for (index, class) in self.scores.iter().enumerate() {
            let end = SCORES.get(index).copied();
            let name = match (from, end) {
                (None, _) => "lost for certain".to_owned(),
                (_, None) => "won for certain".to_owned(),
                (Some(_), Some(end)) if index == 1 => format!("{end} and less"),
                (Some(from), Some(CERTAIN)) => format!("{from} and more"),
                (Some(from), Some(end)) => format!("{from} to {end}"),
            };
            let bar = "#".repeat((class.all * BAR).div_ceil(most) as usize);
            let share = self.share(class.all, self.summary.positions);
            table.row([name, bar, count(class.all), share, count(class.quiet)]);
            from = end.map(|end| i32::from(end) + 1);
        }
        if self.unscored.all > 0 {
            let Class { all, quiet } = self.unscored;
            let share = self.share(all, self.summary.positions);
            table.row(["none".to_owned(), String::new(), count(all), share, count(quiet)]);
        }
        table
    }

    fn share(&self, part: u64, of: u64) -> String {
        percent(part as f64 / of.max(1) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game::Game;

    fn game(moves: &[(&str, i16)]) -> StoredGame {
        StoredGame::of_moves(Game::new(), moves.iter().copied(), None, Some(Termination::Drawn))
    }

    #[test]
    fn positions_are_counted_by_score_and_phase() {
        let mut stats = Stats::default();
        stats.add(&game(&[("e2e4", 31), ("d7d5", 30), ("e4d5", -31)]));
        stats.add(&game(&[("e2e4", 31_990)]));
        stats.add(&game(&[("d2d4", -1001), ("d7d5", 1001), ("c2c4", i16::MIN), ("d5c4", -30), ("e2e3", 0)]));
        assert_eq!((stats.summary.positions, stats.summary.quiet), (9, 5));
        // The start position was there three times.
        assert_eq!((stats.compared, stats.duplicates), (9, 2));
        let all: Vec<u64> = stats.scores.iter().map(|class| class.all).collect();
        assert_eq!(all, [1, 1, 0, 0, 0, 1, 3, 1, 0, 0, 0, 1, 1]);
        assert_eq!(stats.phases[0], Class { all: 9, quiet: 5 });
        let report = stats.report();
        for wanted in [
            "|            1 |      3 |  3.0 |    5 |",
            "| adjudication: drawn |",
            "2 of 9 positions (22.2 %)",
        ] {
            assert!(report.contains(wanted), "{wanted}: {report}");
        }
    }

    #[test]
    fn classes_of_scores_have_names() {
        let mut stats = Stats::default();
        stats.add(&game(&[("e2e4", 0)]));
        let rows = stats.scores();
        let names: Vec<&str> = rows.rows().iter().skip(1).map(|row| row[0].as_str()).collect();
        assert_eq!(names[..3], ["lost for certain", "-1001 and less", "-1000 to -601"]);
        assert_eq!(names[6..8], ["-30 to 30", "31 to 100"]);
        assert_eq!(names[10..], ["601 to 1000", "1001 and more", "won for certain"]);
    }
}
