//! Processor time of MTD(f) and of Aspiration NegaScout with its best window in chess, Othello and checkers
//! (IJCAI 5.2, figure 7; TR figure 13 and section 5). The experiments on the drivers count the nodes of some
//! twenty contenders for hours. Here two are timed, each twice, so that a measurement is short enough to have
//! the machine for itself.

use super::checkers::CHECKERS;
use super::chess::{self, Chess};
use super::drivers::MTDF;
use super::fixed_depth::{self, FixedDepth, FixedDepthPlan};
use super::othello::OTHELLO;
use super::searches::{self, Found, Positions, Quantity, case, saves};
use crate::lab::base::pages::table::Table;
use crate::lab::base::records::rows::rounded;
use crate::lab::base::statistics::ratios::{Ratio, ratio};
use crate::lab::study::papers::experiment::{
    Claim, Description, Experiment, Scale, Section, Unfinished, Unit, Work, cell, ratio_of_times, shown,
};
use crate::minimax;
use crate::search::{Backend, Driver};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The experiment `times`.
pub struct Times;

/// Seed of the bootstrap intervals.
const SEED: u64 = 1995;

/// Name of the baseline in the rows: Aspiration NegaScout with the window of the game.
const BASE: &str = "AspNegaScout";

/// A game on which both are timed.
struct Timed {
    name: &'static str,
    /// The baseline's window to both sides of the guess, in units: the one that evaluates the fewest leaves
    /// in the full protocol of the experiment on this game.
    window: i32,
    /// The time that MTD(f) saves, in the papers' words.
    paper: &'static str,
    /// The greatest share of the baseline's time that agrees with it.
    limit: f64,
    game: &'static dyn TimedGame,
}

/// A game whose searches are timed.
trait TimedGame: Sync {
    /// The positions, and their depth.
    fn positions(&self, scale: Scale) -> Positions;

    /// Searches a position once for every window, from an empty table each time: with the baseline that has
    /// this window, or with MTD(f) where there is none. The last iteration of each.
    fn search(
        &self,
        scale: Scale,
        position: usize,
        windows: [Option<i32>; 4],
        work: &Work<'_>,
    ) -> Result<Vec<Found>, Unfinished>;
}

static GAMES: [Timed; 3] = [
    Timed { name: "chess", window: 16, paper: "9 to 13 % less", limit: 0.91, game: &Chess },
    Timed { name: "Othello", window: 100, paper: "5 % less", limit: 0.95, game: &OTHELLO },
    Timed { name: "checkers", window: 1, paper: "5 % less", limit: 0.95, game: &CHECKERS },
];

impl TimedGame for Chess {
    fn positions(&self, scale: Scale) -> Positions {
        chess::protocol(scale).searched
    }

    fn search(
        &self,
        scale: Scale,
        position: usize,
        windows: [Option<i32>; 4],
        work: &Work<'_>,
    ) -> Result<Vec<Found>, Unfinished> {
        let plan = chess::protocol(scale);
        let case = case(position)?;
        let mut player = work.player(plan.hash)?;
        let search = |window: Option<i32>| {
            let mtdf = || searches::driver(Backend::Driver(Driver::MtdF));
            let contender = window.map_or_else(mtdf, searches::aspiration);
            let depth = plan.searched.depth;
            let found = searches::search(&mut player, (position, &case), &contender, depth, work.stop);
            found?.pop().ok_or(Unfinished::Empty)
        };
        windows.into_iter().map(search).collect()
    }
}

impl<G: minimax::Game<Value = i32>> TimedGame for FixedDepth<G> {
    fn positions(&self, scale: Scale) -> Positions {
        self.plan(scale).searched
    }

    fn search(
        &self,
        scale: Scale,
        position: usize,
        windows: [Option<i32>; 4],
        work: &Work<'_>,
    ) -> Result<Vec<Found>, Unfinished> {
        let FixedDepthPlan { searched, bits } = self.plan(scale);
        let positions = (self.positions)(searched.count);
        let root = positions.get(position).ok_or(Unfinished::Empty)?;
        let search = |window: Option<i32>| {
            let contender = window.map_or_else(fixed_depth::mtdf, fixed_depth::aspiration);
            let found = fixed_depth::search((position, root), &contender, (searched.depth, bits), work);
            found?.pop().ok_or(Unfinished::Empty)
        };
        windows.into_iter().map(search).collect()
    }
}

/// A row: one search.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Search {
    game: String,
    position: usize,
    who: String,
    leaves: u64,
    total: u64,
    #[serde(serialize_with = "rounded::<6, _>")]
    cpu: f64,
}

/// Game and position of every unit.
fn plan(scale: Scale) -> Vec<(&'static Timed, usize)> {
    let of =
        |game: &'static Timed| (0..game.game.positions(scale).count).map(move |position| (game, position));
    GAMES.iter().flat_map(of).collect()
}

impl Experiment for Times {
    type Row = Search;

    fn about(&self) -> Description {
        Description {
            name: "times",
            title: "Processor time of MTD(f) and Aspiration NegaScout (IJCAI figure 7; TR figure 13)",
            is_own: false,
            columns: &["game", "position", "contender", "leaves", "total", "CPU (s)"],
        }
    }

    fn units(&self, scale: Scale) -> Vec<Unit> {
        let unit = |(game, position): (&Timed, usize)| Unit {
            name: format!("{} position {}", game.name, position + 1),
            weight: 1.0,
        };
        plan(scale).into_iter().map(unit).collect()
    }

    fn run(&self, scale: Scale, index: usize, work: &Work<'_>) -> Result<Vec<Search>, Unfinished> {
        let &(game, position) = plan(scale).get(index).ok_or(Unfinished::Empty)?;
        // Each is first, and last, in half of the positions: caches are warmer for later searches.
        let [first, second] = if position.is_multiple_of(2) { [MTDF, BASE] } else { [BASE, MTDF] };
        let order = [first, second, second, first];
        let windows = order.map(|who| (who == BASE).then_some(game.window));
        let found = game.game.search(scale, position, windows, work)?;
        let row = |(who, found): (&str, Found)| Search {
            game: game.name.to_owned(),
            position,
            who: who.to_owned(),
            leaves: found.leaf,
            total: found.needed(Quantity::Total) as u64,
            cpu: found.cpu,
        };
        Ok(order.into_iter().zip(found).map(row).collect())
    }

    fn conclude(&self, scale: Scale, searches: &[Search]) -> Section {
        let table = (!searches.is_empty()).then(|| ("% of Aspiration NegaScout".to_owned(), table(searches)));
        Section {
            protocol: protocol(scale),
            claims: GAMES.iter().map(|game| claim(game, searches)).collect(),
            tables: table.into_iter().collect(),
            charts: Vec::new(),
        }
    }
}

fn protocol(scale: Scale) -> Vec<String> {
    let of = |game: &Timed| {
        let (positions, window) = (game.game.positions(scale).words(), game.window);
        format!("{}: {positions}, window {window}", game.name)
    };
    vec![
        format!(
            "Positions, depths and tables of `chess`, `othello` and `checkers`. The baseline has the window \
            that evaluates the fewest leaves there, in units to both sides of the guess. {}.",
            GAMES.each_ref().map(of).join("; ")
        ),
        "Both search every position twice, in the order A B B A; the lesser of the two times counts, since \
         whatever else runs can only add to it. Intervals: 95 %, bootstrap over positions."
            .to_owned(),
    ]
}

/// Pairs (MTD(f), baseline) of a quantity, one for every position of a game that both have searched. Of the
/// two searches of a contender the lesser amount counts: counts are equal, and of two times the lesser is
/// less disturbed.
fn pairs(game: &Timed, searches: &[Search], needed: impl Fn(&Search) -> f64) -> Vec<(f64, f64)> {
    let mut least: BTreeMap<usize, [f64; 2]> = BTreeMap::new();
    for search in searches.iter().filter(|search| search.game == game.name) {
        let of = least.entry(search.position).or_insert([f64::INFINITY; 2]);
        let mine = &mut of[usize::from(search.who == BASE)];
        *mine = mine.min(needed(search));
    }
    least
        .into_values()
        .map(|[mtdf, base]| (mtdf, base))
        .filter(|pair| (pair.0 + pair.1).is_finite())
        .collect()
}

/// Ratio of the times; `None` where they are too short to be measured.
fn ratio_of_cpu(game: &Timed, searches: &[Search]) -> Option<Ratio> {
    ratio_of_times(&pairs(game, searches, |search| search.cpu), SEED)
}

fn claim(game: &Timed, searches: &[Search]) -> Claim {
    let found = ratio_of_cpu(game, searches).map(|ratio| ratio.totals);
    Claim {
        timed: true,
        source: "IJCAI 5.2, figure 7; TR figure 13 and section 5",
        claim: format!("{}: MTD(f) takes less time than Aspiration NegaScout.", game.name),
        paper: game.paper.to_owned(),
        ours: shown(found),
        why: "Time is about proportional to leaves and total.".to_owned(),
        ..Claim::judged([found], |[found]| saves(found, game.limit))
    }
}

fn table(searches: &[Search]) -> Table {
    let mut table = Table::new(2, ["game", "window", "leaves", "total", "CPU time", "CPU time (geometric)"]);
    for game in &GAMES {
        let counts =
            |needed: fn(&Search) -> f64| ratio(&pairs(game, searches, needed), SEED).map(|r| r.totals);
        let cpu = ratio_of_cpu(game, searches);
        table.row([
            game.name.to_owned(),
            game.window.to_string(),
            cell(counts(|search| search.leaves as f64)),
            cell(counts(|search| search.total as f64)),
            cell(cpu.map(|ratio| ratio.totals)),
            cell(cpu.map(|ratio| ratio.geometric)),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::base::terminal::interrupted::Stop;
    use crate::lab::study::papers::experiment::Verdict;

    fn search(position: usize, who: &str, cpu: f64) -> Search {
        let (game, who) = ("Othello".to_owned(), who.to_owned());
        Search { game, position, who, leaves: 90, total: 200, cpu }
    }

    #[test]
    fn the_lesser_of_two_times_counts() {
        let times = [(MTDF, 0.9), (BASE, 1.0), (BASE, 7.0), (MTDF, 0.8)];
        let of = |position| times.map(|(who, cpu)| search(position, who, cpu));
        let mut rows = [of(0), of(1)].concat();
        // One contender alone is no pair.
        rows.push(search(2, BASE, 50.0));
        let section = Times.conclude(Scale::Full, &rows);
        let figures: Vec<_> = section.claims.iter().map(|claim| claim.ours.as_str()).collect();
        assert_eq!(figures, ["-", "80.0 % [80.0, 80.0]", "-"]);
        let verdicts: Vec<_> = section.claims.iter().map(|claim| claim.verdict).collect();
        assert_eq!(verdicts, [Verdict::Open, Verdict::Holds, Verdict::Open]);
        assert!(section.tables[0].1.to_string().contains("100.0"), "leaves are equal");
    }

    #[test]
    fn a_unit_of_every_game_has_each_contender_twice() {
        let units = plan(Scale::Quick);
        let first = |name| units.iter().position(|(game, _)| game.name == name).unwrap();
        // A search of chess is the shortest; the others are tested with their own experiments.
        let found = Times.run(Scale::Quick, first("chess"), &Work::new(&Stop::default())).unwrap();
        let who: Vec<&str> = found.iter().map(|search| search.who.as_str()).collect();
        assert_eq!(who, [MTDF, BASE, BASE, MTDF]);
        assert_eq!((found[0].leaves, found[1].leaves), (found[3].leaves, found[2].leaves));
    }

    #[test]
    fn the_windows_are_among_those_of_the_other_experiments() {
        assert!(chess::protocol(Scale::Full).windows.contains(&GAMES[0].window));
        assert!(OTHELLO.windows.contains(&GAMES[1].window) && CHECKERS.windows.contains(&GAMES[2].window));
    }
}
