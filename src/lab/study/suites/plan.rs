//! Plan of a run of test suites: suites, backends and limits become tasks, and every task becomes a row.

use super::results::{Results, Row, SuiteSummary};
use crate::chess::game::Game;
use crate::chess::score::mate_in_moves;
use crate::engine::options::Options;
use crate::engine::perft;
use crate::lab::base::formats::epd::{self, Case, Reading};
use crate::lab::base::formats::san;
use crate::lab::base::pages::table::count;
use crate::lab::base::records::{fingerprint, machine};
use crate::lab::base::terminal::console::{self, Failure};
use crate::lab::base::terminal::interrupted::Stop;
use crate::lab::base::terminal::settings;
use crate::lab::base::terminal::values::Shard;
use crate::lab::play::referee::Player;
use crate::lab::study::counting::compare;
use crate::lab::study::suites::arguments::EpdRun;
use crate::lab::study::suites::goals::{Answer, SolutionTimer};
use crate::search::{Backend, Limits, Settings};
use shakmaty::Move;
use std::time::{Duration, Instant};

/// Milliseconds a position if no limit is given.
const DEFAULT_TIME: u64 = 1000;

/// Move sequences from which a perft is run only on request (`--full`, `--depth`).
const LARGE_PERFT: u64 = 5_000_000;

/// The suites of a command line.
struct Suites {
    about: Vec<SuiteSummary>,
    /// The positions, each with the index of its suite.
    cases: Vec<(usize, Case)>,
}

/// Suites, backends and limits of a run.
pub struct SuitePlan {
    suites: Suites,
    backends: Vec<Backend>,
    settings: Settings,
    hash: usize,
    limits: Limits,
    time: Option<Duration>,
    /// The deepest perft, in plies; `None` = by size.
    perft: Option<u32>,
    full: bool,
    shard: Shard,
}

/// Unit of work; cases and backends are given by their index.
#[derive(Clone, Copy, Debug)]
pub enum Task {
    /// A position to be searched by one backend.
    Search {
        /// The position.
        case: usize,
        /// The backend.
        backend: usize,
    },
    /// A perft to be counted.
    Perft {
        /// The position.
        case: usize,
        /// Plies.
        depth: u32,
        /// The right number of move sequences.
        expected: u64,
    },
}

impl Task {
    fn case(self) -> usize {
        match self {
            Task::Search { case, .. } | Task::Perft { case, .. } => case,
        }
    }
}

impl Suites {
    /// Reads the suites, with a warning for every line that cannot be used.
    fn read(arguments: &EpdRun) -> Result<Suites, Failure> {
        let mut suites = Suites { about: Vec::new(), cases: Vec::new() };
        for (index, path) in arguments.files.iter().enumerate() {
            if arguments.files[..index].contains(path) {
                console::note(format!("{} is named twice (run once)", path.display()));
                continue;
            }
            let mut suite = epd::read(path, Reading::Goals)?;
            if suites.about.iter().any(|other| other.name == suite.name) {
                // Files of the same name in different folders are told apart by the whole path.
                suite.rename(&path.display().to_string());
            }
            suite.bad.iter().for_each(console::note);
            if suite.cases.is_empty() && suite.bad.is_empty() {
                console::note(format!("{} holds no position", path.display()));
            }
            suites.add(suite);
        }
        if !suites.cases.is_empty() && suites.cases.iter().all(|(_, case)| !asks_something(case)) {
            return Err(Failure::usage(suites.only_positions()));
        }
        for (index, about) in suites.about.iter().enumerate() {
            let of_suite = suites.cases.iter().filter(|(suite, _)| *suite == index);
            let idle = of_suite.filter(|(_, case)| !asks_something(case)).count();
            if idle > 0 {
                let what = if idle == 1 { "position" } else { "positions" };
                let why = "with nothing to find (no bm, am, dm, points or perft counts; skipped)";
                console::note(format!("{}: {idle} {what} {why}", about.name));
            }
        }
        Ok(suites)
    }

    /// Message for files that hold nothing but positions.
    fn only_positions(&self) -> String {
        let names: Vec<&str> = self.about.iter().map(|about| about.name.as_str()).collect();
        let hold = if names.len() == 1 { "holds" } else { "hold" };
        format!(
            "{} {hold} positions without anything to find (no bm, am, dm, points or perft counts): such \
            positions are for plumb compare FILE, or openings for plumb tournament --openings FILE",
            names.join(", ")
        )
    }

    fn add(&mut self, suite: epd::Suite) {
        for mut case in suite.cases {
            if case.mate.is_some() && !case.has_moves() {
                console::note(format!("{}: there is no move (skipped)", case.place));
                case.mate = None;
            }
            self.cases.push((self.about.len(), case));
        }
        self.about.push(SuiteSummary { name: suite.name, rows: 0, unread: suite.bad.len() });
    }
}

/// True if a position has a goal, or counts of perft.
fn asks_something(case: &Case) -> bool {
    case.asks_search() || !case.perft.is_empty()
}

impl SuitePlan {
    /// Reads the command line and the suites.
    ///
    /// # Errors
    /// If an option is wrong, or a file cannot be read.
    pub fn new(arguments: &EpdRun) -> Result<SuitePlan, Failure> {
        let mut options = Options { hash: compare::DEFAULT_HASH, ..Options::default() };
        for text in &arguments.set {
            settings::set(&mut options, text, &["MultiPV"])?;
        }
        let Options { mut settings, hash, .. } = options;
        settings.mode = arguments.mode.unwrap_or(settings.mode);
        let backends = match &arguments.backends {
            Some(list) => Backend::list(list).map_err(Failure::usage)?,
            None => vec![settings.backend],
        };
        let unlimited = arguments.depth.is_none() && arguments.nodes.is_none();
        let time = arguments.movetime.or(unlimited.then_some(DEFAULT_TIME));
        let mut limits = Limits { nodes: arguments.nodes, ..Limits::default() };
        limits.depth = arguments.depth.unwrap_or(limits.depth);
        Ok(SuitePlan {
            suites: Suites::read(arguments)?,
            backends,
            settings,
            hash: arguments.hash.map_or(hash, |size| size as usize),
            limits,
            time: time.map(Duration::from_millis),
            perft: arguments.depth.map(|depth| depth.unsigned_abs()),
            full: arguments.full,
            shard: arguments.shard.unwrap_or(Shard::WHOLE),
        })
    }

    /// Size of a worker's table in MiB.
    #[must_use]
    pub fn hash(&self) -> usize {
        self.hash
    }

    /// The tasks of this machine's share, position by position.
    #[must_use]
    pub fn tasks(&self) -> Vec<Task> {
        let mut tasks = self.all_tasks();
        tasks.retain(|task| self.shard.has(task.case()));
        tasks
    }

    /// The tasks of all shares.
    fn all_tasks(&self) -> Vec<Task> {
        let mut tasks = Vec::new();
        for (index, (_, case)) in self.suites.cases.iter().enumerate() {
            if case.asks_search() {
                tasks.extend((0..self.backends.len()).map(|backend| Task::Search { case: index, backend }));
            }
            for &(depth, expected) in &case.perft {
                let wanted = match self.perft {
                    Some(deepest) => depth <= deepest,
                    None => self.full || expected < LARGE_PERFT,
                };
                if wanted {
                    tasks.push(Task::Perft { case: index, depth, expected });
                }
            }
        }
        tasks
    }

    /// The results of the run before its first row.
    #[must_use]
    pub fn results(&self) -> Results {
        let mut suites = self.suites.about.clone();
        for task in self.all_tasks() {
            suites[self.suites.cases[task.case()].0].rows += 1;
        }
        Results {
            program: format!("Plumb {}", env!("CARGO_PKG_VERSION")),
            build: format!("{:016x}", fingerprint::program()),
            settings: self.in_words(),
            machine: machine::describe(),
            shard: format!("{}/{}", self.shard.number, self.shard.of),
            suites,
            backends: self.backends.iter().map(ToString::to_string).collect(),
            ..Results::default()
        }
    }

    fn in_words(&self) -> String {
        let mut words = vec![format!("{} mode", self.settings.mode), format!("{} MiB", self.hash)];
        if let Some(time) = self.time {
            words.push(format!("{} ms a position", time.as_millis()));
        }
        if let Some(nodes) = self.limits.nodes {
            words.push(format!("{} made moves a position", count(nodes)));
        }
        if self.limits.depth != Limits::default().depth {
            words.push(format!("depth {}", self.limits.depth));
        }
        let set = settings::difference(&self.settings, &Settings::default());
        words.extend((!set.is_empty()).then_some(set));
        words.join(", ")
    }

    /// Performs a task; `None` when it was interrupted.
    pub fn perform(&self, player: &mut Player, task: Task, stop: &Stop) -> Option<Row> {
        let row = self.row(task.case());
        let asked = self.case(task.case());
        match task {
            Task::Search { backend, .. } => {
                let settings = Settings { backend: self.backends[backend], ..self.settings.clone() };
                let mut limits = self.limits.clone();
                if asked.best.is_empty() && asked.avoid.is_empty() {
                    limits.mate = asked.mate.and_then(|mate| u32::try_from(mate).ok());
                }
                let mut timer = SolutionTimer::new(asked, self.time, stop);
                let outcome = player.analyse(asked.position(), &settings, &limits, &mut timer);
                let answer = timer.answer(&outcome)?;
                Some(Row { backend: settings.backend.to_string(), ..searched(row, asked, &answer) })
            }
            Task::Perft { depth, expected, .. } => {
                let began = Instant::now();
                let found = perft::count(asked.position(), depth, &|| stop.is_set())?;
                let milliseconds = milliseconds(began.elapsed());
                let (right, depth) = (found == expected, depth as i32);
                let (expected, got) = (expected.to_string(), found.to_string());
                Some(Row { expected, got, solved: right, depth, nodes: found, milliseconds, ..row.perft() })
            }
        }
    }

    fn case(&self, index: usize) -> &Case {
        &self.suites.cases[index].1
    }

    /// A row with the fields of its position.
    fn row(&self, index: usize) -> Row {
        let (suite, case) = &self.suites.cases[index];
        Row {
            suite: self.suites.about[*suite].name.clone(),
            line: case.line,
            position: case.name().to_owned(),
            fen: case.game.fen(),
            ..Row::default()
        }
    }
}

/// Enters the result of a search into a row.
fn searched(row: Row, case: &Case, answer: &Answer) -> Row {
    let worth = case.worth(answer.best);
    Row {
        expected: expected(case),
        got: answer.best.map_or("none".to_owned(), |m| san::write(case.chess(), m)),
        solved: answer.solved.is_some(),
        points: worth.map(|(points, _)| points),
        points_of: worth.map(|(_, most)| most),
        score: Some(answer.value),
        mate: mate_in_moves(answer.value),
        mate_claim: answer.mate,
        depth: answer.depth,
        nodes: answer.nodes,
        milliseconds: milliseconds(answer.time),
        solution_milliseconds: answer.solved.map(|(time, _)| milliseconds(time)),
        solution_nodes: answer.solved.map(|(_, nodes)| nodes),
        wanted: in_uci(&case.game, &case.best),
        avoided: in_uci(&case.game, &case.avoid),
        played: in_uci(&case.game, answer.best.as_slice()),
        pv: in_uci(&case.game, &answer.pv),
        ..row
    }
}

/// The goals of a case as text, with the points of moves if the suite gives them.
fn expected(case: &Case) -> String {
    let mut words = Vec::new();
    for (code, moves) in [("bm", &case.best), ("am", &case.avoid)] {
        if !moves.is_empty() {
            words.push(code.to_owned());
            words.extend(moves.iter().map(|&m| san::write(case.chess(), m)));
        }
    }
    words.extend(case.mate.map(|mate| format!("#{mate}")));
    if !case.points.is_empty() {
        let point = |&(m, points): &(Move, u32)| format!("{}={points}", san::write(case.chess(), m));
        words.push(format!("({})", case.points.iter().map(point).collect::<Vec<_>>().join(", ")));
    }
    words.join(" ")
}

fn in_uci(game: &Game, moves: &[Move]) -> String {
    moves.iter().map(|&m| game.print_move(m)).collect::<Vec<_>>().join(" ")
}

/// A time in milliseconds, to the microsecond.
fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn perft_counts_the_published_numbers() {
        for line in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D0 1 ;D1 20 ;D2 400 ;D3 8902",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - ;D1 48 ;D2 2039 ;D3 97862",
        ] {
            let case = epd::case(line, Reading::Goals).unwrap();
            for &(depth, count) in &case.perft {
                assert_eq!(perft::count(case.position(), depth, &|| false), Some(count));
            }
        }
    }

    #[test]
    fn goals_are_written_as_text() {
        for (operations, words) in [
            ("bm O-O; am Kd1; dm 5;", "bm O-O am Kd1 #5"),
            ("c0 \"O-O=10, Kd2=3\";", "bm O-O (O-O=10, Kd2=3)"),
        ] {
            let line = format!("4k3/8/8/8/8/8/8/4K2R w K - {operations}");
            assert_eq!(expected(&epd::case(&line, Reading::Goals).unwrap()), words);
        }
    }
}
