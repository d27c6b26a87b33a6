//! Games of the experiment `optimal`, with their positions (one a game), contenders and searches that count every test.

use super::record::{Iteration, Test};
use super::root_tests::RootTests;
use crate::games::checkers::Checkers;
use crate::games::korf::RandomGame;
use crate::games::othello::Othello;
use crate::lab::base::formats::epd::{Case, Reading, parse};
use crate::lab::base::terminal::interrupted::Stop;
use crate::lab::study::papers::experiment::{Scale, Unfinished, Work};
use crate::lab::study::papers::experiments::checkers::CHECKERS;
use crate::lab::study::papers::experiments::othello::OTHELLO;
use crate::minimax::deepening::iterate;
use crate::minimax::drivers::{Algorithm, Driver, DriverSettings, Stepping};
use crate::minimax::mt::{MtOptions, Search};
use crate::minimax::optimal::OptimalTable;
use crate::minimax::replacement::Replacement;
use crate::minimax::{Game, Memory as _, Window};
use crate::search::{Backend, Limits, Mode, Pass, Progress, SearchControl, Settings};
use serde::{Deserialize, Serialize};
use std::sync::{Arc, OnceLock};

/// A game, and for chess the mode of its search.
pub struct Arena {
    /// Name in rows and tables.
    pub name: &'static str,
    /// Name in the names of charts.
    pub alias: &'static str,
    /// Width of a cell: the grid in units.
    pub cell: i32,
    /// The count that is the cost of a test: made moves in chess, else the papers' total.
    pub cost: usize,
    /// Duration of a unit, roughly.
    pub weight: f64,
    /// Depth in plies, and by how much it is less in a quick run.
    depth: (u32, u32),
    /// Positions of the test half in a full run.
    test: usize,
    /// Size of the table: in MiB for chess, as a power of two of entries for the others.
    table: u32,
    /// The stride of MTD-step, in units.
    stride: i32,
    /// Windows of the baseline, in units to both sides of the guess.
    windows: &'static [i32],
    /// Searches a position to a depth, and returns every iteration.
    search: SearchGame,
}

/// Searches the position of a game's number to a depth with a contender.
type SearchGame = fn(&Arena, (usize, u32), &Contender<'_>, &Work<'_>) -> Result<Vec<Iteration>, Unfinished>;

/// Cell of play mode in units: its grid.
const PLAY_CELL: i32 = 16;

/// Indices of the counts that are costs.
const TOTAL: usize = 1;
const MADE_MOVES: usize = 2;

/// All games, in the order of the report: chess at full width with bounds of one unit, chess as it is played, Othello,
/// checkers, and random games of Korf and Chickering, whose moves cost -100 to 100.
#[rustfmt::skip]
pub static ARENAS: [Arena; 5] = [
    Arena { name: "chess paper", alias: "paper", cell: 1, cost: MADE_MOVES, weight: 4.0, depth: (7, 1), test: 200,
        table: 16, stride: 32, windows: &[2, 4, 8, 16], search: search_chess },
    Arena { name: "chess play", alias: "play", cell: PLAY_CELL, cost: MADE_MOVES, weight: 2.0, depth: (12, 2), test: 4400,
        table: 16, stride: 32, windows: &[10, 20, 40, 100], search: search_chess },
    Arena { name: "Othello", alias: "othello", cell: 1, cost: TOTAL, weight: 1.0, depth: (7, 1), test: 200,
        table: 18, stride: 100, windows: &[25, 100, 400], search: |arena, (game, depth), contender, work| {
            static PLAYED: OnceLock<Vec<Othello>> = OnceLock::new();
            let all = PLAYED.get_or_init(|| one_a_game(OTHELLO.positions));
            search_game(&all[game], (arena, depth), contender, work)
        } },
    Arena { name: "checkers", alias: "checkers", cell: 1, cost: TOTAL, weight: 1.0, depth: (10, 1), test: 200,
        table: 18, stride: 25, windows: &[1, 4, 15, 60], search: |arena, (game, depth), contender, work| {
            static PLAYED: OnceLock<Vec<Checkers>> = OnceLock::new();
            let all = PLAYED.get_or_init(|| one_a_game(CHECKERS.positions));
            search_game(&all[game], (arena, depth), contender, work)
        } },
    Arena { name: "random trees", alias: "random", cell: 1, cost: TOTAL, weight: 1.0, depth: (7, 1), test: 200,
        table: 18, stride: 32, windows: &[15, 45, 120, 400], search: |arena, (game, depth), contender, work| {
            search_game(&Hundredths(RandomGame::new(game as u64, 8, 64)), (arena, depth), contender, work)
        } },
];

/// Bounds of the explorers where a cell is a unit.
static EXPLORERS: [OptimalTable; 4] = [
    OptimalTable::uniform(1, -40, 5, 500),
    OptimalTable::uniform(1, -8, 30, 0),
    OptimalTable::uniform(1, 9, 4, 1000),
    OptimalTable::uniform(1, 40, 20, 500),
];

/// Bounds of the explorers on the grid.
static GRID_EXPLORERS: [OptimalTable; 4] = [
    OptimalTable::uniform(PLAY_CELL, -4, 1, 500),
    OptimalTable::uniform(PLAY_CELL, -1, 3, 0),
    OptimalTable::uniform(PLAY_CELL, 2, 1, 1000),
    OptimalTable::uniform(PLAY_CELL, 5, 2, 500),
];

/// Searches of one position that are compared.
#[derive(Clone, Debug)]
pub struct Contender<'t> {
    /// Its label in the rows.
    pub label: String,
    /// Its driver with its parameters, but for grid and table.
    pub algorithm: Algorithm<'t>,
    /// The first guess of every iteration from depth 1 on; empty: the value of the iteration before.
    pub guesses: Vec<i32>,
}

/// The label of MTD(f): the unit of all costs.
pub const MTDF: &str = "MTD(f)";

/// The label of MTD(f) without strides, where [`MTDF`] has them.
pub const WALK: &str = "MTD(f) walk";

/// The label of MTD(f) that is told the value.
pub const CLAIRVOYANT: &str = "MTD(f) from the value";

/// The label of MTD-opt with the table of the training half.
pub const MTD_OPT: &str = "MTD-opt";

/// The first word of the labels of the baseline.
pub const BASELINE: &str = "AspNegaScout";

/// The other drivers.
pub const RIVALS: [&str; 4] = ["MTD-step", "MTD-bi", "SSS*", "DUAL*"];

/// Visits between two looks at the stop flag.
const POLL: u64 = 1 << 12;

impl Arena {
    /// Number of positions of a half.
    pub fn positions(&self, scale: Scale, half: Half) -> usize {
        match (scale, half) {
            (Scale::Quick, Half::Training) => 16,
            (Scale::Quick, Half::Test) => 24,
            (Scale::Full, Half::Training) => TRAINING,
            (Scale::Full, Half::Test) => self.test,
        }
    }

    /// Depth in plies.
    pub fn depth(&self, scale: Scale) -> u32 {
        let (depth, less) = self.depth;
        if scale == Scale::Quick { depth - less } else { depth }
    }

    /// Searches that try bounds at many distances from the value: the training half is counted with them.
    pub fn explorers(&self) -> Vec<Contender<'static>> {
        let tables = if self.cell > 1 { &GRID_EXPLORERS } else { &EXPLORERS };
        let label = |table: &OptimalTable| format!("explorer {}", table.classes[0].first);
        tables.iter().map(|table| Contender::new(&label(table), Driver::MtdOpt.with_table(table))).collect()
    }

    /// MTD(f), on a grid with strides.
    pub fn reference(&self) -> Contender<'static> {
        let stepping = if self.cell > 1 { Stepping::Strides } else { DriverSettings::EXACT.stepping };
        Contender::new(MTDF, Driver::MtdF.with(DriverSettings { stepping, ..DriverSettings::EXACT }))
    }

    /// Aspiration NegaScout with every window that is tried.
    pub fn windows(&self) -> Vec<Contender<'static>> {
        let with = |&window: &i32| {
            Contender::new(&format!("{BASELINE} {window}"), Driver::NegaScout.with_window(window))
        };
        self.windows.iter().map(with).collect()
    }

    /// The other drivers; on a grid MTD(f) without strides is one of them.
    pub fn rivals(&self) -> Vec<Contender<'static>> {
        let walk = (self.cell > 1).then(|| Contender::new(WALK, Driver::MtdF.exact()));
        let step = Driver::MtdStep.with_stride(self.stride);
        let others = [step, Driver::MtdBi.exact(), Driver::SssStar.exact(), Driver::DualStar.exact()];
        let others = RIVALS.iter().zip(others).map(|(label, algorithm)| Contender::new(label, algorithm));
        walk.into_iter().chain(others).collect()
    }

    /// Searches a position of a half, and returns every iteration.
    pub fn search(
        &self,
        scale: Scale,
        (half, index): (Half, usize),
        contender: &Contender<'_>,
        work: &Work<'_>,
    ) -> Result<Vec<Iteration>, Unfinished> {
        let found = (self.search)(self, (half.game(index), self.depth(scale)), contender, work)?;
        if found.is_empty() { Err(Unfinished::Empty) } else { Ok(found) }
    }
}

impl<'t> Contender<'t> {
    fn new(label: &str, algorithm: Algorithm<'t>) -> Contender<'t> {
        Contender { label: label.to_owned(), algorithm, guesses: Vec::new() }
    }

    /// The reference with the values of an earlier search by depth as its guesses.
    pub fn clairvoyant(arena: &Arena, guesses: Vec<i32>) -> Contender<'static> {
        Contender { label: CLAIRVOYANT.to_owned(), guesses, ..arena.reference() }
    }

    /// MTD-opt with a table.
    pub fn optimal(table: &'t OptimalTable) -> Contender<'t> {
        Contender::new(MTD_OPT, Driver::MtdOpt.with_table(table))
    }
}

/// The half of the games that a position belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Half {
    /// For counts, the programme, and the baseline's window.
    #[default]
    Training,
    /// For everything that is compared.
    Test,
}

impl Half {
    /// Both, in the order of the work.
    pub const ALL: [Half; 2] = [Half::Training, Half::Test];

    /// Name in rows and units.
    pub const fn name(self) -> &'static str {
        if matches!(self, Half::Test) { "test" } else { "training" }
    }

    /// The game that a position belongs to: of every three games, two are in the test half. Behind the last of these follow
    /// the games that the training half leaves, and then all others. In this order, so that a longer test half begins with
    /// the games of a shorter one.
    const fn game(self, index: usize) -> usize {
        match self {
            Half::Training => 3 * index,
            Half::Test if index < TWO_OF_THREE => index / 2 * 3 + 1 + index % 2,
            Half::Test if index < 3 * TWO_OF_THREE / 2 - TRAINING => 3 * (TRAINING + index - TWO_OF_THREE),
            Half::Test => TRAINING + index,
        }
    }
}

/// Positions of the training half in a full run.
const TRAINING: usize = 100;

/// Two of every three of the first games in `epd/one-a-game.epd`.
const TWO_OF_THREE: usize = 1600;

/// Games of all halves together.
const GAMES: usize = 300;

/// Positions that are taken from a game of the experiments `othello` and `checkers`.
const A_GAME: usize = 10;

/// A position from every game: the stages in turn.
fn one_a_game<G: Clone>(positions: fn(usize) -> Vec<G>) -> Vec<G> {
    let all = positions(A_GAME * GAMES);
    let stage = |game: usize| game * 7 % A_GAME;
    (0..GAMES).map(|game| all[(A_GAME * game + stage(game)).min(all.len() - 1)].clone()).collect()
}

/// A random game whose costs of moves are from -100 to 100.
#[derive(Clone, Copy, Debug)]
struct Hundredths(RandomGame);

impl Game for Hundredths {
    type Value = i32;
    type Move = <RandomGame as Game>::Move;

    const LIMIT: i32 = 30_000;

    fn moves(&self) -> Vec<Self::Move> {
        self.0.moves()
    }

    fn play(&self, m: Self::Move) -> Hundredths {
        Hundredths(self.0.play(m))
    }

    fn evaluate(&self) -> i32 {
        self.0.evaluate() / 328
    }

    fn key(&self) -> u64 {
        self.0.key()
    }
}

/// Iterative deepening of a textbook game from an empty table.
fn search_game<G: Game<Value = i32>>(
    root: &G,
    (arena, depth): (&Arena, u32),
    contender: &Contender<'_>,
    work: &Work<'_>,
) -> Result<Vec<Iteration>, Unfinished> {
    let halt = |visits: u64| visits.is_multiple_of(POLL) && work.stop.is_set();
    let memory = work.table(arena.table, Replacement::DepthAge)?;
    let (options, observer) = (MtOptions::default(), RootTests::default());
    let mut search = Search::with_observer(root.clone(), 1, memory, options, halt, observer);
    let mut algorithm = contender.algorithm;
    let (mut last, mut before) = (root.evaluate(), root.evaluate());
    let (mut found, mut begun) = (Vec::new(), [0; 3]);
    for depth in 1..=depth {
        search.depth = depth;
        search.memory.age();
        algorithm.parameters.change = last - before;
        let guess = contender.guesses.get(depth as usize - 1).copied().unwrap_or(last);
        let (value, _, passes) = iterate(&mut search, algorithm, guess)?;
        (before, last) = (last, value);
        let tests = std::mem::take(&mut search.observer.tests);
        let now = [search.counts.leaf, search.counts.total(), 0];
        let cost = difference(now, begun);
        begun = now;
        found.push(Iteration { depth, value, cost, passes: u64::from(passes), tests });
    }
    Ok(found)
}

/// A chess position, searched from an empty table.
fn search_chess(
    arena: &Arena,
    (game, depth): (usize, u32),
    contender: &Contender<'_>,
    work: &Work<'_>,
) -> Result<Vec<Iteration>, Unfinished> {
    static CASES: OnceLock<Vec<Case>> = OnceLock::new();
    let text = include_str!("../../../../../../epd/one-a-game.epd");
    let cases = CASES.get_or_init(|| parse("one-a-game.epd", text, Reading::Positions).cases);
    let case = cases.get(game).ok_or(Unfinished::Empty)?;
    let Algorithm { driver, parameters } = contender.algorithm;
    let settings = Settings {
        backend: Backend::Driver(driver),
        mode: if arena.cell > 1 { Mode::Play } else { Mode::Paper },
        drivers: DriverSettings { grid: arena.cell, ..parameters.settings },
        optimal: Some(Arc::new(*parameters.optimal)),
        ..Settings::default()
    };
    let guesses = contender.guesses.clone();
    let limits = Limits { depth: depth as i32, guesses, ..Limits::default() };
    let mut player = work.player(arena.table as usize)?;
    let mut recorder = TestRecorder {
        stop: work.stop,
        stopped: false,
        seen: [0; 3],
        begun: [0; 3],
        tests: Vec::new(),
        found: Vec::new(),
    };
    player.analyse(case.position(), &settings, &limits, &mut recorder);
    if recorder.stopped { Err(Unfinished::Stopped) } else { Ok(recorder.found) }
}

/// The search control that keeps every test and every iteration.
struct TestRecorder<'a> {
    stop: &'a Stop,
    stopped: bool,
    /// Counts after the last test.
    seen: [u64; 3],
    /// Counts after the last iteration.
    begun: [u64; 3],
    tests: Vec<Test>,
    found: Vec<Iteration>,
}

fn difference(now: [u64; 3], before: [u64; 3]) -> [u64; 3] {
    std::array::from_fn(|index| now[index].saturating_sub(before[index]))
}

impl SearchControl for TestRecorder<'_> {
    fn poll(&mut self, nodes: u64) -> Option<u64> {
        self.stopped |= self.stop.is_set();
        (!self.stopped).then_some(nodes + 2 * POLL)
    }

    fn pass(&mut self, pass: &Pass) {
        let now = [pass.leaf, pass.total, pass.nodes];
        let window = Window::new(pass.window.0, pass.window.1);
        self.tests.extend(Test::new(window, pass.answer, difference(now, self.seen)));
        self.seen = now;
    }

    fn iteration(&mut self, progress: &Progress<'_>) -> bool {
        let stats = progress.stats;
        let now = [stats.leaf, stats.total(), stats.made_moves];
        self.found.push(Iteration {
            depth: progress.depth as u32,
            value: progress.value,
            cost: difference(now, self.begun),
            passes: u64::from(progress.passes),
            tests: std::mem::take(&mut self.tests),
        });
        (self.seen, self.begun) = (now, now);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_position_of_a_full_run_is_there_and_of_a_game_of_its_own() {
        for arena in &ARENAS {
            let games =
                Half::ALL.map(|half| (0..arena.positions(Scale::Full, half)).map(move |i| half.game(i)));
            let games: Vec<usize> = games.into_iter().flatten().collect();
            let different: HashSet<usize> = games.iter().copied().collect();
            assert_eq!(different.len(), games.len(), "{}", arena.name);
            let shallow = Contender { guesses: Vec::new(), ..arena.reference() };
            let last = games.into_iter().max().unwrap_or_default();
            let found = (arena.search)(arena, (last, 1), &shallow, &Work::new(&Stop::default())).unwrap();
            assert_eq!(found.len(), 1, "{}: game {last}", arena.name);
        }
    }
}
