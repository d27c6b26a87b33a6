//! Run of `plumb analyse`: games are read, searched on several threads, and written in their order.

use super::annotated::Annotated;
use super::arguments::AnalyseArgs;
use super::marks::MarkLimits;
use super::openings::Names;
use super::output::{Outputs, record_beside};
use super::positions::{Evaluated, Positions};
use super::record::{Extent, GameRecord};
use super::search::{GameSearcher, SearchLimits};
use super::source::{Source, Task, count};
use crate::engine::options::Options;
use crate::lab::base::formats::pgn::LeftOut;
use crate::lab::base::formats::pgn::reader::PgnGame;
use crate::lab::base::records::fingerprint;
use crate::lab::base::records::in_order::InOrder;
use crate::lab::base::terminal::console::{self, Failure};
use crate::lab::base::terminal::interrupted::{Stop, interrupted};
use crate::lab::base::terminal::progress::Progress;
use crate::lab::base::terminal::settings;
use crate::lab::base::terminal::workers::{jobs, spread_stream};
use crate::search::Backend;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Nodes of a position without a limit.
const NODES: u64 = 100_000;

/// Games under way for every job: those that wait for an earlier one to be finished.
const AHEAD: usize = 4;

/// Most games of the table on standard output.
const MOST_SHOWN: usize = 50;

/// Everything that decides the result, and the number of threads.
struct Plan {
    options: Options,
    allowed: SearchLimits,
    marks: MarkLimits,
    names: Names,
    files: Vec<PathBuf>,
    strict: bool,
    jobs: usize,
}

impl Plan {
    fn new(arguments: &AnalyseArgs) -> Result<Plan, Failure> {
        let mut options = Options { hash: arguments.hash as usize, analyse: true, ..Options::default() };
        for text in &arguments.set {
            settings::set(&mut options, text, &["Backend", "MultiPV", "Hash"])?;
        }
        options.settings.backend = match &arguments.backend {
            None => options.backend(false),
            Some(name) => match Backend::list(name).map_err(Failure::usage)?[..] {
                [backend] => backend,
                _ => return Err(Failure::usage("--backend takes one backend")),
            },
        };
        options.settings.drivers.grid = options.grid(false);
        let marks = MarkLimits::parse(&arguments.marks).ok_or_else(|| {
            let marks = &arguments.marks;
            Failure::usage(format!("--marks '{marks}' is not A,B,C with three numbers up to 100 that rise"))
        })?;
        let (time, game_time) = (arguments.movetime, arguments.gametime);
        let [time, game_time] = [time, game_time].map(|time| time.map(Duration::from_millis));
        let (nodes, depth) = (arguments.nodes, arguments.depth);
        let unlimited = nodes.is_none() && depth.is_none() && time.is_none() && game_time.is_none();
        let nodes = nodes.or(unlimited.then_some(NODES));
        Ok(Plan {
            options,
            allowed: SearchLimits { nodes, depth, time, game_time },
            marks,
            names: Names::new(&arguments.openings)?,
            files: arguments.files.iter().map(|path| path.to_path_buf()).collect(),
            strict: arguments.strict,
            jobs: jobs(arguments.jobs),
        })
    }

    /// Backend and limits of the search, in words for people.
    fn about(&self) -> Vec<String> {
        let milliseconds = |time: Duration| time.as_millis();
        let SearchLimits { nodes, depth, time, game_time } = &self.allowed;
        let limits = [
            nodes.map(|nodes| format!("{nodes} nodes a position")),
            depth.map(|depth| format!("depth {depth}")),
            time.map(|time| format!("{} ms a position", milliseconds(time))),
            game_time.map(|time| format!("{} ms a game", milliseconds(time))),
        ];
        let backend = self.options.settings.backend.to_string();
        std::iter::once(backend).chain(limits.into_iter().flatten()).collect()
    }

    /// Parameters for the head of the record: everything that decides a score.
    fn describe(&self) -> Vec<String> {
        vec![
            format!("program {:016x}", fingerprint::program()),
            format!("settings: {}", settings::describe(&self.options.settings)),
            format!("table {} MiB", self.options.hash),
            format!("limits: {}", self.about()[1..].join(", ")),
        ]
    }
}

/// Message of a worker thread.
enum Message {
    /// A position has been searched.
    Tick,
    /// A game is done.
    Done(Box<Done>),
    /// The input cannot be read.
    Failed(Failure),
}

/// A game that a worker has done with.
struct Done {
    number: usize,
    place: String,
    game: Result<(PgnGame, Positions), LeftOut>,
    /// Results of the searches; `None` for a game of the record, or one that cannot be read.
    evaluated: Option<Vec<Evaluated>>,
}

/// Runs `plumb analyse`.
///
/// # Errors
/// If a file cannot be used, a game cannot be read, or there is none.
pub fn run(arguments: &AnalyseArgs) -> Result<(), Failure> {
    let plan = Plan::new(arguments)?;
    let kept = arguments.record.as_ref().map(|path| path.to_path_buf());
    let stays = kept.is_some();
    let path = kept.or_else(|| record_beside(arguments));
    let record = path.map(|path| GameRecord::open(&path, &plan.describe(), arguments.restart)).transpose()?;
    let outputs = Outputs::open(arguments, (plan.about(), plan.marks.0), record.as_ref());
    let outputs = match outputs {
        Ok(outputs) => outputs,
        Err(failure) => {
            // Nothing is left of a command line that is refused.
            let unused = record.filter(|record| !stays && record.is_empty());
            return unused.map_or(Ok(()), GameRecord::remove).and(Err(failure));
        }
    };
    let waiting = InOrder::default();
    let mut run = Run { plan: &plan, outputs, record, waiting, of_other_games: false };
    let ended = run.go(&Stop::default());
    run.conclude(ended, stays)
}

/// A run: open files, and finished games that wait for an earlier one.
struct Run<'a> {
    plan: &'a Plan,
    outputs: Outputs,
    record: Option<GameRecord>,
    waiting: InOrder<Done>,
    /// True if the record is of other games than the input has.
    of_other_games: bool,
}

impl Run<'_> {
    /// Reads, searches and writes all games.
    fn go(&mut self, stop: &Stop) -> Result<(), Failure> {
        let plan = self.plan;
        let work = count(&plan.files, plan.strict, stop)?;
        self.outputs.summary.total = work.map(|work| work.games);
        let known = self.record.as_ref().map(GameRecord::known).unwrap_or_default();
        let source = Source::read(plan.files.clone(), plan.jobs * AHEAD)?;
        let mut ticker = Ticker::new(work.map(|work| work.positions));
        let work =
            |searcher: &mut GameSearcher, task: Result<Task, Failure>, send: &dyn Fn(Message)| match task
                .map(|task| perform(searcher, task, &known, stop, &|| send(Message::Tick)))
            {
                Ok(Some(done)) => send(Message::Done(Box::new(done))),
                Ok(None) => {}
                Err(failure) => send(Message::Failed(failure)),
            };
        let searcher = || Ok(GameSearcher::new(&plan.options, &plan.allowed)?);
        let ended = spread_stream(searcher, &source.tasks, plan.jobs, stop, work, |message| {
            match message {
                Message::Tick => ticker.tick(1),
                Message::Failed(failure) => return Err(failure),
                Message::Done(done) => {
                    ticker.tick(done.positions_of_record());
                    self.keep(&done)?;
                    self.waiting.add(done.number, *done);
                    while let Some((_, done)) = self.waiting.take() {
                        ticker.aside(|| self.write(done))?;
                        source.done();
                    }
                }
            }
            Ok(())
        });
        ticker.finish();
        // A run that was interrupted has gaps; finished games behind them count too.
        let rest: Vec<Done> = self.waiting.take_rest().map(|(_, done)| done).collect();
        ended.and_then(|()| rest.into_iter().try_for_each(|done| self.write(done)))
    }

    /// Appends a game to the record, as soon as it is finished.
    fn keep(&mut self, done: &Done) -> Result<(), Failure> {
        match (&mut self.record, &done.game, &done.evaluated) {
            (Some(record), Ok((game, positions)), Some(evaluated)) => {
                record.append(done.number, (game, positions), evaluated)
            }
            _ => Ok(()),
        }
    }

    /// Writes a game whose turn it is.
    fn write(&mut self, done: Done) -> Result<(), Failure> {
        let number = done.number + 1;
        let (game, positions) = match done.game {
            Ok(game) => game,
            Err(why) => {
                let (kind, why) = (why.kind(), format!("{}: {why}", done.place));
                if self.plan.strict {
                    return Err(Failure::new(why));
                }
                if self.outputs.summary.left_out.add(kind, &why) {
                    console::note(&why);
                }
                return self.outputs.left_out(number, &why);
            }
        };
        let evaluated = match (done.evaluated, &self.record) {
            (Some(evaluated), _) => evaluated,
            (None, Some(record)) => {
                let held = record.fetch(done.number, &game, &positions);
                self.of_other_games |= held.is_err();
                held?
            }
            (None, None) => return Ok(()),
        };
        let judge = (&self.plan.marks, &self.plan.names);
        self.outputs.game(&Annotated::new(number, game, positions, evaluated, judge))
    }

    /// Completes the files, and only then removes the record of a run that is complete.
    fn conclude(mut self, ended: Result<(), Failure>, stays: bool) -> Result<(), Failure> {
        let left_out = self.outputs.summary.left_out.count();
        let mut record = self.record.take();
        let done = ended.and_then(|()| finish(self.outputs, record.as_mut()));
        let is_complete = done.is_ok() && !interrupted();
        // The failure first: that games are kept is no answer to it.
        let done = done.map_err(|failure| {
            failure.tell();
            Failure::told()
        });
        let resumes = !is_complete && !self.of_other_games;
        let settled = record.map_or(Ok(()), |record| settle(record, stays, (is_complete, resumes)));
        done.and(settled)?;
        match left_out {
            _ if interrupted() => Ok(()),
            0 => Ok(()),
            1 => Err(Failure::new("1 game could not be read, the rest is annotated")),
            games => Err(Failure::new(format!("{games} games could not be read, the rest is annotated"))),
        }
    }
}

/// Completes the files and shows the tables. Where no game was finished, old files stay.
fn finish(outputs: Outputs, record: Option<&mut GameRecord>) -> Result<(), Failure> {
    let (games, left_out) = (outputs.summary.games, outputs.summary.left_out.count());
    match (games, left_out) {
        (0, _) if interrupted() => {
            console::note("interrupted before the first game was finished; nothing is written");
            return Ok(());
        }
        (0, 0) => return Err(Failure::new("there is no game in the input")),
        (0, 1) => return Err(Failure::new("the only game cannot be read")),
        (0, _) => return Err(Failure::new(format!("none of the {left_out} games can be read"))),
        _ => {}
    }
    let report = report(&outputs);
    let shown = if outputs.use_stdout() {
        console::aside(&report);
        Ok(())
    } else {
        console::out(&report)
    };
    let all_are_done = !interrupted() || outputs.summary.total == Some(outputs.summary.done());
    let extent = if all_are_done { Extent::Whole } else { Extent::Part };
    outputs.finish(extent, record).and(shown)
}

/// Removes a record that is not needed any more, or says where it is if the command `resumes` from it.
fn settle(mut record: GameRecord, stays: bool, (is_complete, resumes): (bool, bool)) -> Result<(), Failure> {
    if !stays && (is_complete || record.is_empty()) {
        return record.remove();
    }
    if resumes && !record.is_empty() {
        let path = record.path().display();
        console::note(format!("finished games are kept in {path}; the same command resumes"));
    }
    record.sync()
}

impl Done {
    /// Positions of a game that needed no search in this run.
    fn positions_of_record(&self) -> usize {
        match (&self.game, &self.evaluated) {
            (Ok((_, positions)), None) => positions.all().len(),
            _ => 0,
        }
    }
}

/// Searches a game, unless it is in the record; `None` when interrupted.
fn perform(
    searcher: &mut GameSearcher,
    task: Task,
    known: &BTreeMap<usize, u64>,
    stop: &Stop,
    tick: &dyn Fn(),
) -> Option<Done> {
    let Task { number, place, game } = task;
    let game = match game {
        Ok(game) => game,
        Err(why) => return Some(Done { number, place, game: Err(why), evaluated: None }),
    };
    let positions = Positions::of(&game);
    let evaluated = match known.contains_key(&number) {
        true => None,
        false => Some(searcher.evaluate((&positions, &game.moves), stop, tick)?),
    };
    Some(Done { number, place, game: Ok((game, positions)), evaluated })
}

/// The tables of games and players, and the counts.
fn report(outputs: &Outputs) -> String {
    let summary = &outputs.summary;
    let mut text = format!("{}\n", summary.by_game(MOST_SHOWN));
    summary.beyond(MOST_SHOWN).into_iter().for_each(|more| text += &format!("{more}\n\n"));
    let players = summary.by_player();
    if !players.is_empty() {
        text += &format!("{players}\n");
    }
    text + &summary.line() + "\n"
}

/// Progress in positions: a bar where their number is known, else a line at intervals.
enum Ticker {
    Bar(Progress),
    Lines { positions: usize, told: Instant },
}

impl Ticker {
    fn new(positions: Option<usize>) -> Ticker {
        match positions {
            Some(positions) => Ticker::Bar(Progress::new("positions", positions, 0)),
            None => Ticker::Lines { positions: 0, told: Instant::now() },
        }
    }

    fn tick(&mut self, more: usize) {
        /// Time between two lines.
        const SILENCE: Duration = Duration::from_secs(30);
        match self {
            Ticker::Bar(progress) => (0..more).for_each(|_| progress.step()),
            Ticker::Lines { positions, told } => {
                *positions += more;
                if told.elapsed() >= SILENCE {
                    *told = Instant::now();
                    console::note(format!("positions: {positions}"));
                }
            }
        }
    }

    /// Calls a function that may write to the terminal.
    fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        match self {
            Ticker::Bar(progress) => progress.aside(write),
            Ticker::Lines { .. } => write(),
        }
    }

    fn finish(self) {
        if let Ticker::Bar(progress) = self {
            progress.finish();
        }
    }
}
