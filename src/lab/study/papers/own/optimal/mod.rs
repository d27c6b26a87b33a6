//! The optimal driver: how far values move and what a test costs, counted; the bounds of least expected cost, solved
//! from one part of the games and measured on the other.
//!
//! | file | what it does |
//! |---|---|
//! | [`report`] | tables, claims and pictures |
//! | [`source`] | the solved tables as source text |
//! | [`fit`] | a game's fit: model, solution, baseline |
//! | [`programme`] | the dynamic programme over brackets |
//! | [`model`] | the distributions, fitted to the training half |
//! | [`arena`] | the games, their positions, and searches that count every test |
//! | [`root_tests`] | an observer: the tests of a textbook search |
//! | [`record`] | rows: an iteration each, with its tests |

pub mod arena;
pub mod fit;
pub mod model;
pub mod programme;
pub mod record;
pub mod report;
pub mod root_tests;
pub mod source;

use crate::lab::study::papers::experiment::{Experiment, Files, Scale, Section, Unfinished, Unit, Work};
use arena::{ARENAS, Arena, Contender, Half, MTD_OPT, MTDF};
use fit::Fit;
use model::known;
use record::{Iteration, Record};
use report::Tested;
use std::ops::Range;

/// The experiment `optimal`.
pub struct OptimalDriver;

/// Of so many positions of the test half one is searched by all drivers; the others by those that are close to each
/// other.
const RIVALS: usize = 4;

/// Of so many positions of the training half one is searched with bounds at many distances. The others give the
/// distribution of values only.
const EXPLORED: usize = 3;

/// Of so many positions of the training half one is searched with every window of the baseline.
const WINDOWS: usize = 2;

/// A unit of work.
#[derive(Clone, Copy)]
struct Piece {
    arena: &'static Arena,
    half: Half,
    position: usize,
}

/// The units: of every game first the training half, then the test half.
fn plan(scale: Scale) -> Vec<Piece> {
    let halves = ARENAS.iter().flat_map(|arena| Half::ALL.map(|half| (arena, half)));
    let pieces = |(arena, half): (&'static Arena, Half)| {
        (0..arena.positions(scale, half)).map(move |position| Piece { arena, half, position })
    };
    halves.flat_map(pieces).collect()
}

impl Piece {
    /// Searches the position with a contender.
    fn search(
        self,
        scale: Scale,
        contender: &Contender<'_>,
        work: &Work<'_>,
    ) -> Result<Vec<Record>, Unfinished> {
        let Piece { arena, half, position } = self;
        let iterations = arena.search(scale, (half, position), contender, work)?;
        let record = |iteration: Iteration| Record {
            arena: arena.name.to_owned(),
            half,
            position,
            who: contender.label.clone(),
            iteration,
        };
        Ok(iterations.into_iter().map(record).collect())
    }

    /// True of one position in so many, and of all in a quick run.
    fn is_one_in(self, scale: Scale, number: usize) -> bool {
        scale == Scale::Quick || self.position.is_multiple_of(number)
    }
}

impl Experiment for OptimalDriver {
    type Row = Record;

    fn name(&self) -> &'static str {
        "optimal"
    }

    fn title(&self) -> &'static str {
        "The optimal driver: bounds of least expected cost"
    }

    fn is_own(&self) -> bool {
        true
    }

    fn columns(&self) -> &'static [&'static str] {
        Record::COLUMNS
    }

    fn units(&self, scale: Scale) -> Vec<Unit> {
        let unit = |Piece { half, arena, position }| Unit {
            name: format!("{} {} {}", arena.name, half.name(), position + 1),
            weight: arena.weight,
        };
        plan(scale).into_iter().map(unit).collect()
    }

    fn needs(&self, scale: Scale, index: usize) -> Range<usize> {
        let plan = plan(scale);
        let Some(&Piece { half: Half::Test, arena, .. }) = plan.get(index) else { return 0..0 };
        let training = |piece: &Piece| piece.arena.name == arena.name && piece.half == Half::Training;
        let first = plan.iter().position(training).unwrap_or(0);
        first..first + arena.positions(scale, Half::Training)
    }

    fn run(&self, scale: Scale, index: usize, work: &Work<'_>) -> Result<Vec<Record>, Unfinished> {
        let &piece = plan(scale).get(index).ok_or(Unfinished::Empty)?;
        let mut kept = vec![piece.arena.reference()];
        kept.extend(piece.arena.explorers().into_iter().filter(|_| piece.is_one_in(scale, EXPLORED)));
        let windows = piece.arena.windows().into_iter().filter(|_| piece.is_one_in(scale, WINDOWS));
        let contenders = kept.into_iter().map(|one| (one, true)).chain(windows.map(|one| (one, false)));
        let mut rows = Vec::new();
        for (contender, with_tests) in contenders {
            let found = piece.search(scale, &contender, work)?.into_iter();
            rows.extend(found.map(|record| record.row(with_tests)));
        }
        Ok(rows)
    }

    fn run_after(
        &self,
        scale: Scale,
        index: usize,
        first: &[Record],
        work: &Work<'_>,
    ) -> Result<Vec<Record>, Unfinished> {
        let &piece = plan(scale).get(index).ok_or(Unfinished::Empty)?;
        let missing =
            || Err(Unfinished::Fit(format!("{} has no row of the training half", piece.arena.name)));
        let fit = Fit::of(piece.arena, scale, first).unwrap_or_else(missing)?;
        let mut contenders = vec![piece.arena.reference()];
        // The other drivers are far enough apart to be told with fewer positions.
        contenders.extend(piece.arena.rivals().into_iter().filter(|_| piece.is_one_in(scale, RIVALS)));
        contenders.extend(fit.baseline.clone());
        contenders.push(Contender::optimal(&fit.table));
        let mut records = Vec::new();
        for contender in contenders {
            records.extend(piece.search(scale, &contender, work)?);
        }
        let mtdf = records.iter().filter(|record| record.who == MTDF);
        let values = mtdf.map(|record| record.iteration.value).collect();
        records.extend(piece.search(scale, &Contender::clairvoyant(piece.arena, values), work)?);
        let row = |record: Record| {
            let with_tests = record.who == MTDF || record.who == MTD_OPT;
            record.row(with_tests)
        };
        Ok(records.into_iter().map(row).collect())
    }

    fn conclude(&self, scale: Scale, records: &[Record]) -> Section {
        let mut section = Section { protocol: protocol_text(scale), ..Section::default() };
        for arena in &ARENAS {
            let tested = Tested::new(arena, records);
            section.claims.extend(tested.claims());
            let fit = match Fit::of(arena, scale, records) {
                Some(Ok(fit)) => fit,
                Some(Err(why)) => {
                    section.protocol.push(format!("{}: {why}.", arena.name));
                    continue;
                }
                None => continue,
            };
            let mut table =
                |title: &str, table| section.tables.push((format!("{}: {title}", arena.name), table));
            if tested.positions() > 0 {
                let title = format!("test half, {} positions, % of MTD(f)", tested.positions());
                table(&title, tested.table());
            }
            table(
                &format!(
                    "bounds of the programme, in cells of {} from the centre (the guess {:+} % of the change before)",
                    fit.model.cell, fit.model.drift
                ),
                report::answers(&fit),
            );
            let test = known(arena, Half::Test, arena.depth(scale), records);
            if let Some(held) = report::held(&fit.model, &test) {
                table("does the model hold?", held);
            }
            table("cost of a test, % of an iteration (number of tests)", report::costs(&fit.model));
            section.charts.push(report::chart(arena, &fit));
        }
        section
    }

    fn files(&self, scale: Scale, rows: &[Record], section: &Section) -> Files {
        let tables =
            section.tables.iter().map(|(title, table)| format!("### {title}\n\n{}\n", table.compact()));
        let results = ("optimal-results.md".to_owned(), tables.collect());
        sources(scale, rows).into_iter().chain([results]).collect()
    }
}

/// The source text of the tables for chess.
fn sources(scale: Scale, rows: &[Record]) -> Option<(String, String)> {
    let fit = |arena| Fit::of(arena, scale, rows)?.ok();
    let (paper, play) = (fit(&ARENAS[0])?, fit(&ARENAS[1])?);
    let text = source::source(&[
        ("PAPER", "Full-width search with bounds of one unit.", &paper.table),
        ("PLAY", "Selective search on the grid.", &play.table),
    ]);
    Some(("optimal_table.rs".to_owned(), text))
}

fn protocol_text(scale: Scale) -> Vec<String> {
    let of = |arena: &Arena| {
        let (name, depth, cell) = (arena.name, arena.depth(scale), arena.cell);
        let [training, test] = Half::ALL.map(|half| arena.positions(scale, half));
        format!(
            "{name} to {depth} plies, cells of {cell}, {training} positions for training and {test} for the test"
        )
    };
    vec![
        format!(
            "Positions for training and for the test, each of another game of self-play: {}.",
            ARENAS.each_ref().map(of).join("; ")
        ),
        "Training: MTD(f), and drivers that test bounds at many distances, give the distribution of the values about \
         the guess and the cost of a test; the baseline's window is chosen by cost. The programme is solved for each \
         game, and its table is searched with on the test half. Every search begins with an empty table; counts are \
         cumulative over the iterations."
            .to_owned(),
    ]
}
