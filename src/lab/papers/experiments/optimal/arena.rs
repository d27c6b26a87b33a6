//! Games of the experiment `optimal`, with their positions (one a game), contenders and searches that count every test.

use super::conditions::near_class;
use super::record::{Iteration, Test};
use super::root_moves::{Near, RootMoves};
use crate::games::checkers::Checkers;
use crate::games::korf::RandomGame;
use crate::games::othello::Othello;
use crate::lab::command::interrupted::Stop;
use crate::lab::command::workers::Desk;
use crate::lab::formats::epd::{Case, Reading, parse};
use crate::lab::papers::experiment::Scale;
use crate::lab::papers::experiments::checkers::CHECKERS;
use crate::lab::papers::experiments::othello::OTHELLO;
use crate::minimax::driver::Bracket;
use crate::minimax::drivers::{Algorithm, Driver, DriverParameters, Stepping};
use crate::minimax::memory::FixedSizeTable;
use crate::minimax::mt::{MtOptions, Search};
use crate::minimax::mtd_best::{Contest, Forest};
use crate::minimax::optimal::{CLASSES, OptimalTable};
use crate::minimax::replacement::Replacement;
use crate::minimax::{Game, Memory, Observer, StopCondition, Stopped, Tree, Window};
use crate::search::{Backend, Limits, Mode, Pass, Progress, SearchControl, Settings};
use shakmaty::Move;
use std::sync::{Arc, OnceLock};

/// A game, and for chess the mode of its search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Arena {
    /// Chess at full width, bounds of one unit.
    Paper,
    /// Chess as it is played: selective search on the grid.
    Play,
    /// Othello.
    Othello,
    /// Checkers.
    Checkers,
    /// Random games of Korf and Chickering, whose moves cost -100 to 100.
    Random,
}

/// Cell of play mode in units: its grid.
const PLAY_CELL: i32 = 16;

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

/// Positions and limits of a game at a scale.
#[derive(Clone, Copy, Debug)]
pub struct ArenaProtocol {
    /// Positions of the training half.
    pub training: usize,
    /// Positions of the test half.
    pub test: usize,
    /// Depth in plies.
    pub depth: u32,
    /// Size of the table: in MiB for chess, as a power of two of entries for the others.
    pub table: u32,
    /// Width of a cell: the grid in units.
    pub cell: i32,
    /// Windows of the baseline, in units to both sides of the guess.
    pub windows: &'static [i32],
    /// The stride of MTD-step, in units.
    pub stride: i32,
}

/// Searches of one position that are compared.
#[derive(Clone, Debug)]
pub struct Contender<'t> {
    /// Its label in the rows.
    pub label: String,
    /// Its driver with its parameters, but for grid and table.
    pub algorithm: Algorithm<'t>,
    /// The first guess of every iteration from depth 1 on; empty: the value of the iteration before.
    pub guesses: Vec<i32>,
    /// Tables of MTD-opt by the class of root moves near the best; not for chess, whose search knows one table.
    pub by_near: Option<&'t [OptimalTable; CLASSES]>,
}

/// The label of MTD(f) as it is without strides: the unit of all costs.
pub const MTDF: &str = "MTD(f)";

/// The label of MTD(f) that is told the value.
pub const CLAIRVOYANT: &str = "MTD(f) from the value";

/// Visits between two looks at the stop flag.
const POLL: u64 = 1 << 12;

impl Arena {
    /// All, in the order of the report.
    pub const ALL: [Arena; 5] = [Arena::Paper, Arena::Play, Arena::Othello, Arena::Checkers, Arena::Random];

    /// Name in rows and tables.
    pub const fn name(self) -> &'static str {
        match self {
            Arena::Paper => "chess paper",
            Arena::Play => "chess play",
            Arena::Othello => "Othello",
            Arena::Checkers => "checkers",
            Arena::Random => "random trees",
        }
    }

    /// Name in the names of charts.
    pub const fn alias(self) -> &'static str {
        match self {
            Arena::Paper => "paper",
            Arena::Play => "play",
            Arena::Othello => "othello",
            Arena::Checkers => "checkers",
            Arena::Random => "random",
        }
    }

    /// The protocol.
    pub const fn protocol(self, scale: Scale) -> ArenaProtocol {
        let quick = matches!(scale, Scale::Quick);
        let (training, test) = if quick { (16, 24) } else { (50, 100) };
        let shallow = if quick { if matches!(self, Arena::Play) { 2 } else { 1 } } else { 0 };
        let (depth, table, cell, stride): (u32, u32, i32, i32) = match self {
            Arena::Paper => (7, 16, 1, 32),
            Arena::Play => (12, 16, PLAY_CELL, 32),
            Arena::Othello => (7, 18, 1, 100),
            Arena::Checkers => (10, 18, 1, 25),
            Arena::Random => (7, 18, 1, 32),
        };
        let windows: &[i32] = match self {
            Arena::Paper => &[2, 4, 8, 16],
            Arena::Play => &[10, 20, 40, 100],
            Arena::Othello => &[25, 100, 400],
            Arena::Checkers => &[1, 4, 15, 60],
            Arena::Random => &[15, 45, 120, 400],
        };
        ArenaProtocol { training, test, depth: depth - shallow, table, cell, windows, stride }
    }

    /// True if the cost of a test is its made moves; else it is the papers' total.
    pub const fn counts_moves(self) -> bool {
        matches!(self, Arena::Paper | Arena::Play)
    }

    /// Duration of a unit, roughly.
    pub const fn weight(self) -> f64 {
        match self {
            Arena::Paper => 4.0,
            Arena::Play => 2.0,
            Arena::Othello | Arena::Checkers | Arena::Random => 1.0,
        }
    }

    /// Searches that try bounds at many distances from the value: the training half is counted with them.
    pub fn explorers(self) -> Vec<Contender<'static>> {
        let tables = if self == Arena::Play { &GRID_EXPLORERS } else { &EXPLORERS };
        let explorer = |table: &'static OptimalTable| {
            let first = table.classes[0].first;
            Contender::new(format!("explorer {first}"), Driver::MtdOpt.with_table(table))
        };
        tables.iter().map(explorer).collect()
    }

    /// The reference, and on a grid MTD(f) with strides.
    pub fn reference(self) -> Vec<Contender<'static>> {
        let mut all = vec![Contender::new(MTDF.to_owned(), Driver::MtdF.exact())];
        if self == Arena::Play {
            let parameters = DriverParameters { stepping: Stepping::Strides, ..DriverParameters::EXACT };
            all[0].algorithm.parameters = parameters;
        }
        all
    }

    /// Aspiration NegaScout with every window that is tried.
    pub fn windows(self, scale: Scale) -> Vec<Contender<'static>> {
        let with = |&window: &i32| {
            Contender::new(format!("AspNegaScout {window}"), Driver::NegaScout.with_window(window))
        };
        self.protocol(scale).windows.iter().map(with).collect()
    }

    /// The reference and the other drivers that guess.
    pub fn rivals(self, scale: Scale) -> Vec<Contender<'static>> {
        let stride = self.protocol(scale).stride;
        let mut all = self.reference();
        if self == Arena::Play {
            // Without a grid there are no strides, so that the reference walks.
            all.push(Contender::new("MTD(f) walk".to_owned(), Driver::MtdF.exact()));
        }
        let others = [
            ("MTD-step", Driver::MtdStep.with_stride(stride)),
            ("MTD-bi", Driver::MtdBi.exact()),
            ("SSS*", Driver::SssStar.exact()),
            ("DUAL*", Driver::DualStar.exact()),
        ];
        all.extend(others.map(|(label, algorithm)| Contender::new(label.to_owned(), algorithm)));
        all
    }

    /// Searches a position of a half, and returns every iteration.
    pub fn search(
        self,
        scale: Scale,
        (half, index): (Half, usize),
        contender: &Contender<'_>,
        stop: &Stop,
    ) -> Result<Vec<Iteration>, Stopped> {
        let protocol = self.protocol(scale);
        match self {
            Arena::Paper | Arena::Play => {
                static CASES: OnceLock<Vec<Case>> = OnceLock::new();
                let cases = CASES.get_or_init(chess);
                let Some(case) = cases.get(half.place(index)) else { return Ok(Vec::new()) };
                search_chess(self, &protocol, case, contender, stop)
            }
            Arena::Othello => {
                static PLAYED: OnceLock<Vec<Othello>> = OnceLock::new();
                let all = PLAYED.get_or_init(|| one_a_game(OTHELLO.positions, GAMES));
                search_game(&all[half.place(index)], &protocol, contender, stop)
            }
            Arena::Checkers => {
                static PLAYED: OnceLock<Vec<Checkers>> = OnceLock::new();
                let all = PLAYED.get_or_init(|| one_a_game(CHECKERS.positions, GAMES));
                search_game(&all[half.place(index)], &protocol, contender, stop)
            }
            Arena::Random => {
                let root = Hundredths(RandomGame::new(half.place(index) as u64, 8, 64));
                search_game(&root, &protocol, contender, stop)
            }
        }
    }
}

impl<'t> Contender<'t> {
    fn new(label: String, algorithm: Algorithm<'t>) -> Contender<'t> {
        Contender { label, algorithm, guesses: Vec::new(), by_near: None }
    }

    /// A contender whose guesses are the values of an earlier search by depth.
    pub fn clairvoyant(of: &Contender<'t>, guesses: Vec<i32>) -> Contender<'t> {
        Contender { label: CLAIRVOYANT.to_owned(), algorithm: of.algorithm, guesses, by_near: None }
    }

    /// MTD-opt with a table.
    pub fn optimal(label: &str, table: &'t OptimalTable) -> Contender<'t> {
        Contender::new(label.to_owned(), Driver::MtdOpt.with_table(table))
    }

    /// MTD-opt with a table for each class of root moves near the best.
    pub fn by_near(label: &str, tables: &'t [OptimalTable; CLASSES]) -> Contender<'t> {
        Contender { by_near: Some(tables), ..Contender::optimal(label, &tables[0]) }
    }
}

/// The half of the games that a position belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    /// For counts, the programme, and the baseline's window.
    Training,
    /// For everything that is compared.
    Test,
}

impl Half {
    /// The game that a position belongs to: of every three games, two are in the test half.
    const fn place(self, index: usize) -> usize {
        match self {
            Half::Training => 3 * index,
            Half::Test => index / 2 * 3 + 1 + index % 2,
        }
    }
}

/// Games of all halves together.
const GAMES: usize = 150;

/// Positions of chess, each of another game of self-play.
fn chess() -> Vec<Case> {
    let text = include_str!("../../../../../epd/one-a-game.epd");
    parse("one-a-game.epd", text, Reading::Positions).cases
}

/// Positions that are taken from a game of the experiments `othello` and `checkers`.
const A_GAME: usize = 10;

/// A position from every game: the stages in turn.
fn one_a_game<G: Clone>(positions: fn(usize) -> Vec<G>, count: usize) -> Vec<G> {
    let all = positions(A_GAME * count);
    let stage = |game: usize| game * 7 % A_GAME;
    (0..count).map(|game| all[(A_GAME * game + stage(game)).min(all.len() - 1)].clone()).collect()
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

/// A textbook search that counts every test.
struct Counting<'s, S> {
    search: &'s mut S,
    tests: Vec<Test>,
}

impl<G: Game<Value = i32>, M: Memory<i32>, H: StopCondition, O: Observer<i32, G::Move>> Tree<i32>
    for Counting<'_, Search<G, M, H, O>>
{
    fn test(&mut self, window: Window<i32>) -> Result<i32, Stopped> {
        let (leaf, total) = (self.search.counts.leaf, self.search.counts.total());
        let answer = self.search.test(window)?;
        let cost = [self.search.counts.leaf - leaf, self.search.counts.total() - total, 0];
        self.tests.extend(Test::new(window, answer, cost));
        Ok(answer)
    }
}

impl<G: Game<Value = i32>, M: Memory<i32>, H: StopCondition, O: Observer<i32, G::Move>> Forest
    for Counting<'_, Search<G, M, H, O>>
{
    fn moves(&self) -> usize {
        self.search.moves()
    }

    fn conclude(&mut self, contest: &Contest) {
        self.search.conclude(contest);
    }

    fn test_move(&mut self, index: usize, bound: i32) -> Result<i32, Stopped> {
        self.search.test_move(index, bound)
    }
}

/// Iterative deepening of a textbook game from an empty table.
fn search_game<G: Game<Value = i32>>(
    root: &G,
    protocol: &ArenaProtocol,
    contender: &Contender<'_>,
    stop: &Stop,
) -> Result<Vec<Iteration>, Stopped> {
    let halt = |visits: u64| visits.is_multiple_of(POLL) && stop.is_set();
    let memory = FixedSizeTable::new(protocol.table, Replacement::DepthAge);
    let moves = root.moves();
    let mut search =
        Search::with_observer(root.clone(), 1, memory, MtOptions::default(), halt, RootMoves::default());
    let Algorithm { driver, mut parameters } = contender.algorithm;
    search.options.scouts = driver.scouts();
    let (mut last, mut before) = (root.evaluate(), root.evaluate());
    let (mut found, mut near) = (Vec::new(), Near::default());
    for depth in 1..=protocol.depth {
        search.depth = depth;
        search.memory.age();
        parameters.change = last - before;
        if let Some(tables) = contender.by_near {
            parameters.optimal = &tables[near_class(near[0])];
        }
        let guess = contender.guesses.get(depth as usize - 1).copied().unwrap_or(last);
        let (leaf, total) = (search.counts.leaf, search.counts.total());
        let mut counting = Counting { search: &mut search, tests: Vec::new() };
        let mut bracket = Bracket::new(-G::LIMIT, G::LIMIT, guess.clamp(1 - G::LIMIT, G::LIMIT - 1));
        driver.close(&mut counting, &parameters, &mut bracket)?;
        let tests = counting.tests;
        (before, last) = (last, bracket.value());
        near = search.observer.conclude(search.best.and_then(|best| moves.get(best)));
        found.push(Iteration {
            depth,
            value: last,
            cost: [search.counts.leaf - leaf, search.counts.total() - total, 0],
            passes: u64::from(bracket.passes),
            near,
            tests,
        });
    }
    Ok(found)
}

/// A chess position, searched from an empty table.
fn search_chess(
    arena: Arena,
    protocol: &ArenaProtocol,
    case: &Case,
    contender: &Contender<'_>,
    stop: &Stop,
) -> Result<Vec<Iteration>, Stopped> {
    let Algorithm { driver, parameters } = contender.algorithm;
    let settings = Settings {
        backend: Backend::Driver(driver),
        mode: if arena == Arena::Play { Mode::Play } else { Mode::Paper },
        grid: protocol.cell,
        stepping: parameters.stepping,
        step_size: parameters.stride,
        aspiration_window: parameters.aspiration_window,
        optimal: Some(Arc::new(*parameters.optimal)),
        ..Settings::default()
    };
    let guesses = contender.guesses.clone();
    let limits = Limits { depth: protocol.depth as i32, guesses, ..Limits::default() };
    let mut desk = Desk::new(protocol.table as usize).map_err(|_| Stopped)?;
    let mut recorder = TestRecorder {
        stop,
        stopped: false,
        seen: [0; 3],
        begun: [0; 3],
        tests: Vec::new(),
        found: Vec::new(),
        root_moves: RootMoves::default(),
    };
    desk.search(case.position(), &settings, &limits, &mut recorder);
    if recorder.stopped { Err(Stopped) } else { Ok(recorder.found) }
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
    root_moves: RootMoves<Move>,
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
            near: self.root_moves.conclude(Some(&progress.best)),
            tests: std::mem::take(&mut self.tests),
        });
        (self.seen, self.begun) = (now, now);
        true
    }

    fn observer(&mut self) -> Option<&mut dyn Observer<i32, Move>> {
        Some(&mut self.root_moves)
    }
}
