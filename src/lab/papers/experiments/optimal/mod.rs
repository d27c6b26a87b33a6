//! The optimal driver: how far values move and what a test costs, counted; the bounds of least expected cost, solved
//! from one part of the games and measured on the other.
//!
//! | file | what it does |
//! |---|---|
//! | [`report`] | tables, claims and pictures |
//! | [`source`] | the solved tables as source text |
//! | [`simulation`] | what the model predicts of any driver |
//! | [`programme`] | the dynamic programme over brackets |
//! | [`conditions`] | the programme by classes of iterations |
//! | [`model`] | the distributions, fitted to the training half |
//! | [`arena`] | the games, their positions, and searches that count every test |
//! | [`root_moves`] | an observer: the root moves near the best |
//! | [`record`] | rows: an iteration each, with its tests |

pub mod arena;
pub mod conditions;
pub mod model;
pub mod programme;
pub mod record;
pub mod report;
pub mod root_moves;
pub mod simulation;
pub mod source;

use crate::lab::command::interrupted::Stop;
use crate::lab::papers::experiment::{Experiment, Row, Scale, Section, Unit};
use crate::minimax::Stopped;
use crate::minimax::optimal::{CLASSES, OptimalTable};
use arena::{Arena, Contender, Half, MTDF};
use conditions::{Conditions, PLAYED, Told};
use model::{Model, deep};
use programme::Solved;
use record::{Iteration, Record};
use report::Tested;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The experiment `optimal`.
pub struct OptimalDriver;

/// The label of MTD-opt with the table of the training half.
const MTD_OPT: &str = "MTD-opt";

/// The label of MTD-opt whose bounds depend on the root moves that were near the best in the last iteration.
const BY_NEAR: &str = "MTD-opt by near moves";

/// Of so many positions of the test half one is searched by all drivers; the others by those that are close to each
/// other.
const RIVALS: usize = 4;

/// Of so many positions of the training half one is searched with bounds at many distances. The others give the
/// distribution of values only.
const EXPLORED: usize = 3;

/// Of so many positions of the training half one is searched with every window of the baseline.
const WINDOWS: usize = 2;

/// Tables and predictions from the training half of a game.
pub struct Fit {
    /// The fitted model.
    pub model: Model,
    /// The solved programme.
    pub solved: Solved,
    /// The baseline with its best window.
    pub baseline: Option<Contender<'static>>,
    /// Tables by the root moves near the best, in games whose search can read them.
    pub near: Option<[OptimalTable; CLASSES]>,
    conditions: OnceLock<Conditions>,
}

/// A unit of work.
#[derive(Clone, Copy)]
struct Piece {
    half: Half,
    arena: Arena,
    position: usize,
}

/// The units: of every game first the training half, then the test half.
fn plan(scale: Scale) -> Vec<Piece> {
    let mut plan = Vec::new();
    for arena in Arena::ALL {
        for half in [Half::Training, Half::Test] {
            let protocol = arena.protocol(scale);
            let positions = if half == Half::Test { protocol.test } else { protocol.training };
            plan.extend((0..positions).map(|position| Piece { half, arena, position }));
        }
    }
    plan
}

impl Piece {
    /// Searches the position with a contender.
    fn search(self, scale: Scale, contender: &Contender<'_>, stop: &Stop) -> Result<Vec<Record>, Stopped> {
        let Piece { half, arena, position } = self;
        let iterations = arena.search(scale, (half, position), contender, stop)?;
        let record = |iteration: Iteration| Record {
            arena: arena.name().to_owned(),
            test: half == Half::Test,
            position,
            who: contender.label.clone(),
            iteration,
        };
        Ok(iterations.into_iter().map(record).collect())
    }
}

/// The baseline's window that is cheapest on the training half.
fn baseline(arena: Arena, scale: Scale, records: &[Record]) -> Option<Contender<'static>> {
    let cost = if arena.counts_moves() { 2 } else { 1 };
    let needed = |window: &Contender<'_>| -> u64 {
        let of = records
            .iter()
            .filter(|record| record.arena == arena.name() && !record.test && record.who == window.label);
        of.map(|record| record.iteration.cost[cost]).sum()
    };
    arena.windows(scale).into_iter().filter(|window| needed(window) > 0).min_by_key(|window| needed(window))
}

/// The fits of this run of the program, by game and the digest of the rows.
type Fits = BTreeMap<(Arena, u64), Option<Arc<Fit>>>;

/// Fits a game once for all units of the test half.
fn fit(arena: Arena, scale: Scale, rows: &[Row]) -> Option<Arc<Fit>> {
    static FITS: Mutex<Fits> = Mutex::new(BTreeMap::new());
    let mut hasher = DefaultHasher::new();
    let training = rows.iter().filter(|row| row.first().is_some_and(|name| name == arena.name()));
    training
        .filter(|row| row.get(1).is_some_and(|half| half == "training"))
        .for_each(|row| row.hash(&mut hasher));
    let key = (arena, hasher.finish());
    let mut fits = FITS.lock().unwrap_or_else(PoisonError::into_inner);
    let solve = || {
        let of_arena = rows.iter().filter(|row| row.first().is_some_and(|name| name == arena.name()));
        let records: Vec<Record> = of_arena.filter_map(Record::from_row).collect();
        let protocol = arena.protocol(scale);
        let model = Model::fit(arena, (protocol.cell, protocol.depth), &records)?;
        let solved = Solved::new(&model);
        let baseline = baseline(arena, scale, &records);
        let training = deep(arena, protocol.depth, false, &records);
        let near = (!arena.counts_moves()).then(|| Told::new(PLAYED, &model, &training).tables());
        Some(Arc::new(Fit { model, solved, baseline, near, conditions: OnceLock::new() }))
    };
    fits.entry(key).or_insert_with(solve).clone()
}

impl Experiment for OptimalDriver {
    fn name(&self) -> &'static str {
        "optimal"
    }

    fn title(&self) -> &'static str {
        "The optimal driver: bounds of least expected cost"
    }

    fn columns(&self) -> &'static [&'static str] {
        Record::COLUMNS
    }

    fn units(&self, scale: Scale) -> Vec<Unit> {
        let unit = |Piece { half, arena, position }| {
            let half = if half == Half::Test { "test" } else { "training" };
            Unit { name: format!("{} {half} {}", arena.name(), position + 1), weight: arena.weight() }
        };
        plan(scale).into_iter().map(unit).collect()
    }

    fn needs(&self, scale: Scale, index: usize) -> Range<usize> {
        let plan = plan(scale);
        let Some(&Piece { half: Half::Test, arena, .. }) = plan.get(index) else { return 0..0 };
        let training = |piece: &Piece| piece.arena == arena && piece.half == Half::Training;
        let first = plan.iter().position(training).unwrap_or(0);
        first..first + arena.protocol(scale).training
    }

    fn run(&self, scale: Scale, index: usize, stop: &Stop) -> Result<Vec<Row>, Stopped> {
        let Some(&piece) = plan(scale).get(index) else { return Ok(Vec::new()) };
        let every = |nth: usize| scale == Scale::Quick || piece.position.is_multiple_of(nth);
        let mut contenders = piece.arena.reference();
        contenders.extend(piece.arena.explorers().into_iter().filter(|_| every(EXPLORED)));
        let windows = piece.arena.windows(scale).into_iter().filter(|_| every(WINDOWS));
        let mut rows = Vec::new();
        for contender in contenders {
            rows.extend(piece.search(scale, &contender, stop)?.iter().map(|record| record.row(true)));
        }
        for contender in windows {
            rows.extend(piece.search(scale, &contender, stop)?.iter().map(|record| record.row(false)));
        }
        Ok(rows)
    }

    fn run_after(&self, scale: Scale, index: usize, first: &[Row], stop: &Stop) -> Result<Vec<Row>, Stopped> {
        let Some(&piece) = plan(scale).get(index) else { return Ok(Vec::new()) };
        let Some(fit) = fit(piece.arena, scale, first) else { return Ok(Vec::new()) };
        // The other drivers are far enough apart to be told with fewer positions.
        let all = scale == Scale::Quick || piece.position.is_multiple_of(RIVALS);
        let mut contenders = if all { piece.arena.rivals(scale) } else { piece.arena.reference() };
        contenders.extend(fit.baseline.clone());
        contenders.push(Contender::optimal(MTD_OPT, &fit.solved.table));
        contenders.extend(fit.near.iter().map(|tables| Contender::by_near(BY_NEAR, tables)));
        let mut records = Vec::new();
        for contender in contenders {
            records.extend(piece.search(scale, &contender, stop)?);
        }
        let mtdf = records.iter().filter(|record| record.who == MTDF);
        let told = Contender::clairvoyant(
            &piece.arena.reference()[0],
            mtdf.map(|one| one.iteration.value).collect(),
        );
        records.extend(piece.search(scale, &told, stop)?);
        Ok(records.iter().map(|record| record.row(record.who == MTDF || record.who == MTD_OPT)).collect())
    }

    fn conclude(&self, scale: Scale, rows: &[Row]) -> Section {
        let mut section = Section { protocol: protocol_text(scale), ..Section::default() };
        let records: Vec<Record> = rows.iter().filter_map(Record::from_row).collect();
        for arena in Arena::ALL {
            let tested = Tested::new(arena, &records);
            section.claims.extend(tested.claims());
            let Some(fit) = fit(arena, scale, rows) else { continue };
            let name = arena.name();
            if tested.positions() > 0 {
                let title = format!("{name}: test half, {} positions, % of MTD(f)", tested.positions());
                section.tables.push((title, tested.table(scale, &fit)));
            }
            section.tables.push((format!("{name}: bounds of the programme, in cells of {} from the centre (the guess {:+} % of the change before)", fit.model.cell, fit.model.drift), report::answers(&fit.solved, &fit.model)));
            let held = report::held(arena, &fit.model, &records);
            section.tables.extend(held.map(|table| (format!("{name}: does the model hold?"), table)));
            section.tables.push((format!("{name}: expected cost"), report::expected(&fit)));
            let halves = [false, true].map(|test| deep(arena, arena.protocol(scale).depth, test, &records));
            let conditions = fit.conditions.get_or_init(|| Conditions::new(&fit.model, &halves[0]));
            section.tables.push((
                format!("{name}: expected cost of an iteration with conditions and without"),
                report::conditions(&fit, conditions, &halves, &tested),
            ));
            section.tables.push((
                format!("{name}: cost of a test, % of an iteration (number of tests)"),
                report::costs(&fit.model),
            ));
            section.tables.push((
                format!("{name}: distance of the value from that of the iteration before"),
                report::moved(&fit.model),
            ));
            section.charts.push(report::chart(arena, &fit.solved));
        }
        section
    }

    fn files(&self, scale: Scale, rows: &[Row]) -> Vec<(String, String)> {
        let mut files: Vec<_> = sources(|arena| fit(arena, scale, rows)).into_iter().collect();
        let section = self.conclude(scale, rows);
        let tables =
            section.tables.iter().map(|(title, table)| format!("### {title}\n\n{}\n", table.compact()));
        files.push(("optimal-results.md".to_owned(), tables.collect()));
        files
    }
}

/// The source text of the tables for chess.
fn sources(fit: impl Fn(Arena) -> Option<Arc<Fit>>) -> Option<(String, String)> {
    let (paper, play) = (fit(Arena::Paper)?, fit(Arena::Play)?);
    let text = source::source(&[
        ("PAPER", "Full-width search with bounds of one unit.", &paper.solved.table),
        ("PLAY", "Selective search on the grid.", &play.solved.table),
    ]);
    Some(("optimal_table.rs".to_owned(), text))
}

fn protocol_text(scale: Scale) -> Vec<String> {
    let of = |arena: Arena| {
        let protocol = arena.protocol(scale);
        format!("{} to {} plies, cells of {}", arena.name(), protocol.depth, protocol.cell)
    };
    let arena = Arena::Paper.protocol(scale);
    vec![
        format!(
            "{} positions for training and {} for the test, each of another game of self-play: {}.",
            arena.training,
            arena.test,
            Arena::ALL.map(of).join("; ")
        ),
        "Training: MTD(f), and drivers that test bounds at many distances, give the distribution of the values about \
         the guess and the cost of a test; the baseline's window is chosen by cost. The programme is solved for each \
         game, and its table is searched with on the test half. Every search begins with an empty table; counts are \
         cumulative over the iterations."
            .to_owned(),
    ]
}
