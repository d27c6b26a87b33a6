//! `plumb epd`: runs test suites. Best moves, moves to avoid, mates of a known length, perft.

use super::cli::{self, EpdArgs};
use super::console::{self, Failure};
use super::goals::{Answer, MateClaim, Observer};
use super::interrupted::Stop;
use super::notation;
use super::progress::Progress;
use super::runner::{Desk, spread};
use super::settings;
use super::suite::{self, Case, Reading};
use super::table::{Table, count};
use crate::chess::movegen;
use crate::chess::score::mate_in_moves;
use crate::chess::{Position, score::Value};
use crate::engine::options::Options;
use crate::search::{Backend, Limits, Settings};
use shakmaty::{Move, MoveList};
use std::fmt::Write as _;
use std::fs::File;
use std::io::Write as _;
use std::time::{Duration, Instant};

/// Milliseconds a position if no limit is given.
const DEFAULT_TIME: u64 = 1000;

/// Larger perfts are run on request only (`--full`, `--depth`).
const LARGE_PERFT: u64 = 5_000_000;

/// The suites of a command line.
struct Suites {
    names: Vec<String>,
    /// The positions, each with the index of its suite.
    cases: Vec<(usize, Case)>,
}

/// What is to be run.
struct Plan {
    suites: Suites,
    backends: Vec<Backend>,
    settings: Settings,
    hash: usize,
    limits: Limits,
    time: Option<Duration>,
    /// The deepest perft, in plies; `None` = by size.
    perft: Option<u32>,
    full: bool,
    jobs: usize,
}

/// One piece of work that is finished.
enum Done {
    /// A position searched by one backend.
    Searched { case: usize, backend: usize, answer: Answer },
    /// A perft counted.
    Counted { case: usize, depth: u32, expected: u64, found: u64, time: Duration },
}

/// One piece of work to do.
enum Task {
    Search { case: usize, backend: usize },
    Perft { case: usize, depth: u32, expected: u64 },
}

/// Runs the suites and prints what came of it.
pub fn run(arguments: &EpdArgs) -> Result<(), Failure> {
    let plan = Plan::new(arguments)?;
    let tasks = plan.tasks();
    if tasks.is_empty() {
        return Err(Failure::new("there is nothing to run"));
    }
    let mut csv = arguments.csv.as_deref().map(Csv::create).transpose()?;
    let mut done = Vec::new();
    let mut progress = Progress::new("positions", tasks.len(), 0);
    let stop = Stop::default();
    let work = |desk: &mut Desk, task: usize, send: &dyn Fn(Done)| {
        if let Some(result) = plan.perform(desk, &tasks[task], &stop) {
            send(result);
        }
    };
    let ended = spread(tasks.len(), plan.jobs, plan.hash, &stop, work, |result| {
        if let Some(csv) = &mut csv {
            csv.row(&plan, &result)?;
        }
        if arguments.verbose {
            progress.print(&plan.line(&result))?;
        }
        progress.step();
        done.push(result);
        Ok(())
    });
    progress.finish();
    console::out(&plan.report(&mut done))?;
    ended?;
    let wrong = |one: &Done| matches!(one, Done::Counted { expected, found, .. } if expected != found);
    if done.iter().any(wrong) { Err(Failure::told()) } else { Ok(()) }
}

impl Suites {
    /// Reads the suites; what cannot be used is said on standard error.
    fn read(arguments: &EpdArgs) -> Result<Suites, Failure> {
        let (mut names, mut cases) = (Vec::new(), Vec::new());
        for path in &arguments.files {
            let suite = suite::read(path, Reading::Goals)?;
            suite.bad.iter().for_each(console::warn);
            if suite.cases.is_empty() && suite.bad.is_empty() {
                console::warn(format!("{} holds no position", path.display()));
            }
            let mut idle = 0;
            for mut case in suite.cases {
                if case.mate.is_some() && !case.has_moves() {
                    console::warn(format!("{}: there is no move (skipped)", case.place));
                    case.mate = None;
                }
                idle += usize::from(!case.asks_search() && case.perft.is_empty());
                cases.push((names.len(), case));
            }
            if idle > 0 {
                console::warn(format!("{}: {idle} positions ask nothing (skipped)", path.display()));
            }
            names.push(suite.name);
        }
        Ok(Suites { names, cases })
    }
}

impl Plan {
    fn new(arguments: &EpdArgs) -> Result<Plan, Failure> {
        let mut options = Options { hash: super::compare::DEFAULT_HASH, ..Options::default() };
        for text in &arguments.set {
            settings::set(&mut options, text, &["MultiPV"])?;
        }
        let Options { mut settings, hash, .. } = options;
        settings.mode = arguments.mode.unwrap_or(settings.mode);
        let backends = match &arguments.backends {
            Some(list) => cli::backends(list).map_err(Failure::usage)?,
            None => vec![settings.backend],
        };
        let unlimited = arguments.depth.is_none() && arguments.nodes.is_none();
        let time = arguments.movetime.or(unlimited.then_some(DEFAULT_TIME));
        let mut limits = Limits { nodes: arguments.nodes, ..Limits::default() };
        limits.depth = arguments.depth.unwrap_or(limits.depth);
        Ok(Plan {
            suites: Suites::read(arguments)?,
            backends,
            settings,
            hash: arguments.hash.map_or(hash, |size| size as usize),
            limits,
            time: time.map(Duration::from_millis),
            perft: arguments.depth.map(|depth| depth.unsigned_abs()),
            full: arguments.full,
            jobs: arguments.jobs as usize,
        })
    }

    /// Everything to do, position by position.
    fn tasks(&self) -> Vec<Task> {
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

    /// Does one piece of work; `None` when it was broken off.
    fn perform(&self, desk: &mut Desk, task: &Task, stop: &Stop) -> Option<Done> {
        match *task {
            Task::Search { case, backend } => {
                let settings = Settings { backend: self.backends[backend], ..self.settings.clone() };
                let asked = self.case(case);
                let mut limits = self.limits.clone();
                if asked.best.is_empty() && asked.avoid.is_empty() {
                    limits.mate = asked.mate.and_then(|mate| u32::try_from(mate).ok());
                }
                let mut observer = Observer::new(asked, self.time, stop);
                let outcome = desk.search(asked.position(), &settings, &limits, &mut observer);
                observer.answer(&outcome).map(|answer| Done::Searched { case, backend, answer })
            }
            Task::Perft { case, depth, expected } => {
                let began = Instant::now();
                let found = perft(self.case(case).position(), depth, stop)?;
                Some(Done::Counted { case, depth, expected, found, time: began.elapsed() })
            }
        }
    }

    fn case(&self, index: usize) -> &Case {
        &self.suites.cases[index].1
    }

    /// The report: a table of the suites, the missed positions, the mates, the perfts.
    fn report(&self, done: &mut [Done]) -> String {
        done.sort_by_key(|one| match *one {
            Done::Searched { case, backend, .. } => (case, 0, backend),
            Done::Counted { case, depth, .. } => (case, 1, depth as usize),
        });
        let mut text = String::new();
        let solved = self.solved(done);
        if !solved.is_empty() {
            let _ = writeln!(text, "# Suites: {}\n\n{solved}", self.limits_in_words());
        }
        let missed = self.missed(done);
        if !missed.is_empty() {
            let _ = writeln!(text, "Missed\n\n{missed}");
        }
        text + &self.counted(done)
    }

    fn limits_in_words(&self) -> String {
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
        words.join(", ")
    }

    /// The answers of one backend in one suite.
    fn answers<'a>(&'a self, done: &'a [Done], of: (usize, usize)) -> Vec<(&'a Case, &'a Answer)> {
        let pick = |one: &'a Done| match one {
            Done::Searched { case, backend, answer } if (self.suites.cases[*case].0, *backend) == of => {
                Some((self.case(*case), answer))
            }
            _ => None,
        };
        done.iter().filter_map(pick).collect()
    }

    /// A row for every suite and backend.
    fn solved(&self, done: &[Done]) -> Table {
        let mut table = Table::new(
            2,
            [
                "suite",
                "backend",
                "solved",
                "%",
                "mean time to solution",
                "mean nodes to solution",
                "mates exact",
                "false mates",
            ],
        );
        for (suite, name) in self.suites.names.iter().enumerate() {
            for (backend, which) in self.backends.iter().enumerate() {
                let answers = self.answers(done, (suite, backend));
                if !answers.is_empty() {
                    table.row([name.clone(), which.to_string()].into_iter().chain(summary(&answers)));
                }
            }
        }
        table
    }

    /// A row for every position that was not solved, or that claims a mate that cannot be.
    fn missed(&self, done: &[Done]) -> Table {
        let headings = ["position", "line", "backend", "expected", "got", "score", "depth"];
        let mut table = Table::new(5, headings);
        for one in done {
            let Done::Searched { case, backend, answer } = one else { continue };
            let case = self.case(*case);
            if answer.solved.is_none() || answer.mate == Some(MateClaim::False) {
                table.row([
                    case.name().to_owned(),
                    case.place.clone(),
                    self.backends[*backend].to_string(),
                    expected(case),
                    move_in_words(case, answer.best),
                    score(answer.value),
                    answer.depth.to_string(),
                ]);
            }
        }
        table
    }

    /// The perfts: a summary, and what is wrong.
    fn counted(&self, done: &[Done]) -> String {
        let mut table = Table::new(1, ["suite", "perfts", "right", "move sequences", "per second"]);
        let mut wrong = Table::new(1, ["position", "depth", "expected", "got"]);
        for (suite, name) in self.suites.names.iter().enumerate() {
            let (mut all, mut right, mut sum, mut spent) = (0, 0, 0, Duration::ZERO);
            for one in done {
                let &Done::Counted { case, depth, expected, found, time } = one else { continue };
                if self.suites.cases[case].0 != suite {
                    continue;
                }
                (all, sum, spent) = (all + 1, sum + found, spent + time);
                right += u64::from(found == expected);
                if found != expected {
                    let name = self.case(case).name().to_owned();
                    wrong.row([name, depth.to_string(), count(expected), count(found)]);
                }
            }
            if all > 0 {
                let speed = sum as f64 / spent.as_secs_f64().max(1e-9);
                table.row([name.clone(), count(all), count(right), count(sum), count(speed as u64)]);
            }
        }
        let mut text = String::new();
        if !table.is_empty() {
            let _ = writeln!(text, "# Perft\n\n{table}");
        }
        if !wrong.is_empty() {
            let _ = writeln!(text, "Wrong\n\n{wrong}");
        }
        text
    }

    /// One line about a finished piece of work.
    fn line(&self, done: &Done) -> String {
        match done {
            Done::Searched { case, backend, answer } => {
                let case = self.case(*case);
                let verdict = match answer.solved {
                    Some((time, nodes)) => {
                        format!("solved after {} ms, {} nodes", time.as_millis(), count(nodes))
                    }
                    None => format!("missed, expected {}", expected(case)),
                };
                let (best, score) = (move_in_words(case, answer.best), score(answer.value));
                let backend = self.backends[*backend];
                format!("{} {backend}: {best} {score} depth {}: {verdict}\n", case.name(), answer.depth)
            }
            Done::Counted { case, depth, expected, found, .. } => {
                let verdict =
                    if expected == found { "right".to_owned() } else { format!("WRONG, not {expected}") };
                format!("{} perft {depth}: {found} {verdict}\n", self.case(*case).name())
            }
        }
    }
}

/// Solved, share, time and nodes to solution, mates: the numbers of a row.
fn summary(answers: &[(&Case, &Answer)]) -> [String; 6] {
    let solved: Vec<_> = answers.iter().filter_map(|(_, answer)| answer.solved).collect();
    let (mut time, mut nodes) = ("-".to_owned(), "-".to_owned());
    if !solved.is_empty() {
        let sum: Duration = solved.iter().map(|(time, _)| *time).sum();
        time = format!("{:.0} ms", sum.as_secs_f64() * 1000.0 / solved.len() as f64);
        nodes = count(solved.iter().map(|(_, nodes)| nodes).sum::<u64>() / solved.len() as u64);
    }
    let claims: Vec<_> = answers.iter().filter_map(|(_, answer)| answer.mate).collect();
    let number = |claim| claims.iter().filter(|&&one| one == claim).count();
    let (mut exact, mut wrong) = ("-".to_owned(), "-".to_owned());
    if !claims.is_empty() {
        exact = format!("{}/{}", number(MateClaim::Exact), claims.len());
        wrong = number(MateClaim::False).to_string();
    }
    let share = solved.len() as f64 * 100.0 / answers.len() as f64;
    [format!("{}/{}", solved.len(), answers.len()), format!("{share:.1}"), time, nodes, exact, wrong]
}

/// What a case asks, in its own words.
fn expected(case: &Case) -> String {
    let mut words = Vec::new();
    for (code, moves) in [("bm", &case.best), ("am", &case.avoid)] {
        if !moves.is_empty() {
            words.push(code.to_owned());
            words.extend(moves.iter().map(|&m| notation::write(case.chess(), m)));
        }
    }
    words.extend(case.mate.map(|mate| format!("#{mate}")));
    words.join(" ")
}

fn move_in_words(case: &Case, m: Option<Move>) -> String {
    m.map_or("none".to_owned(), |m| notation::write(case.chess(), m))
}

/// A score in pawns, or the mate it announces.
fn score(value: Value) -> String {
    let pawns = f64::from(value) / f64::from(crate::chess::score::UNITS_PER_PAWN);
    mate_in_moves(value).map_or_else(|| format!("{pawns:+.2}"), |mate| format!("#{mate}"))
}

/// Counts move sequences with the engine's own generator; `None` when stopped.
fn perft(position: &Position, depth: u32, stop: &Stop) -> Option<u64> {
    let mut moves = MoveList::new();
    movegen::all(position, &mut moves);
    match depth {
        0 => return Some(1),
        1 => return Some(moves.len() as u64),
        3.. if stop.is_set() => return None,
        _ => {}
    }
    moves.iter().map(|&m| perft(&position.play(m), depth - 1, stop)).sum()
}

/// A row a search or perft.
struct Csv {
    name: String,
    file: File,
}

impl Csv {
    fn create(path: &std::path::Path) -> Result<Csv, Failure> {
        let name = path.display().to_string();
        let file = File::create(path).map_err(|error| Failure::file("write to", &name, &error))?;
        let mut csv = Csv { name, file };
        let head = "position,line,backend,expected,got,score,mate,depth,nodes,milliseconds,solved,\
                    solution_milliseconds,solution_nodes\n";
        csv.write(head)?;
        Ok(csv)
    }

    fn row(&mut self, plan: &Plan, done: &Done) -> Result<(), Failure> {
        let cells = match done {
            Done::Searched { case, backend, answer } => {
                let case = plan.case(*case);
                let (since, nodes) = answer.solved.unzip();
                [
                    case.name().to_owned(),
                    case.place.clone(),
                    plan.backends[*backend].to_string(),
                    expected(case),
                    move_in_words(case, answer.best),
                    answer.value.to_string(),
                    answer.mate.map_or("", MateClaim::name).to_owned(),
                    answer.depth.to_string(),
                    answer.nodes.to_string(),
                    milliseconds(answer.time),
                    u8::from(answer.solved.is_some()).to_string(),
                    since.map_or_else(String::new, milliseconds),
                    nodes.map_or_else(String::new, |nodes| nodes.to_string()),
                ]
            }
            Done::Counted { case, depth, expected, found, time } => {
                let (case, right) = (plan.case(*case), u8::from(expected == found).to_string());
                let mut cells = [const { String::new() }; 13];
                cells[..3].clone_from_slice(&[
                    case.name().to_owned(),
                    case.place.clone(),
                    "perft".to_owned(),
                ]);
                cells[3..5].clone_from_slice(&[expected.to_string(), found.to_string()]);
                (cells[7], cells[9], cells[10]) = (depth.to_string(), milliseconds(*time), right);
                cells
            }
        };
        self.write(&(cells.map(|cell| quoted(&cell)).join(",") + "\n"))
    }

    fn write(&mut self, text: &str) -> Result<(), Failure> {
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.file.flush());
        written.map_err(|error| Failure::file("write to", &self.name, &error))
    }
}

fn milliseconds(time: Duration) -> String {
    format!("{:.3}", time.as_secs_f64() * 1000.0)
}

/// A cell of a CSV file, in quotation marks where it must be.
fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
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
            let case = suite::case(line, Reading::Goals).unwrap();
            for &(depth, count) in &case.perft {
                assert_eq!(perft(case.position(), depth, &Stop::default()), Some(count));
            }
        }
        let stop = Stop::default();
        stop.abandon();
        let start = Position::new(shakmaty::Chess::default());
        assert_eq!(perft(&start, 4, &stop), None);
    }

    #[test]
    fn cells_are_quoted_where_they_must_be() {
        assert_eq!(quoted("plain text"), "plain text");
        assert_eq!(quoted("a,b"), "\"a,b\"");
        assert_eq!(quoted("say \"x\""), "\"say \"\"x\"\"\"");
    }
}
