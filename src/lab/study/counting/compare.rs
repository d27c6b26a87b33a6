//! `plumb compare`: every backend searches every position from an empty transposition table, in turn; tables
//! show its nodes and time relative to Aspiration NegaScout.

use super::json::ComparisonJson;
use super::measure::measure;
use super::record::{Comparison, CountRecord, SearchRun};
use super::report::{Contender, LEGEND, Report, Results, Sweep};
use crate::engine::options::Options;
use crate::lab::base::formats::epd::{self, Case, Reading};
use crate::lab::base::records::fingerprint;
use crate::lab::base::records::json_file::{JsonFile, show_report};
use crate::lab::base::terminal::console::{self, Failure};
use crate::lab::base::terminal::interrupted::{Stop, interrupted};
use crate::lab::base::terminal::progress::Progress;
use crate::lab::base::terminal::settings;
use crate::lab::play::referee::{Player, spread};
use crate::lab::study::counting::arguments::CompareArgs;
use crate::search::{Backend, Driver, Limits, Mode, Settings};
use std::fmt::Write as _;

/// Aspiration windows that `--sweep-window` tries, in units of evaluation.
const WINDOWS: [i32; 12] = [5, 8, 10, 12, 15, 20, 25, 30, 40, 50, 75, 100];

/// The backend that the others are compared with.
const BASE: Backend = Backend::Driver(Driver::NegaScout);

/// Size of the transposition table by default, in MiB.
pub const DEFAULT_HASH: usize = 64;

/// Positions, contenders and limits of a comparison.
struct ComparisonPlan {
    cases: Vec<Case>,
    /// Settings of all contenders, before `--set-for`.
    common: Settings,
    /// The compared ones first, the windows of the sweep after them.
    contenders: Vec<Contender>,
    compared: Vec<usize>,
    windows: Vec<usize>,
    base: usize,
    depth: i32,
    hash: usize,
    jobs: usize,
}

/// Runs the comparison and prints it.
pub fn run(arguments: &CompareArgs) -> Result<(), Failure> {
    let mut plan = ComparisonPlan::new(arguments)?;
    let mut results = Results::new(plan.contenders.len(), plan.cases.len());
    let parameters = plan.parameters(arguments);
    let mut record = open_record(arguments, &plan, parameters.clone(), &mut results)?;
    let json = arguments.json.as_deref().map(JsonFile::create).transpose()?;
    let stop = Stop::default();
    let mut ended = Ok(());
    if !plan.windows.is_empty() {
        ended = plan.measure("windows", &plan.windows, &mut results, record.as_mut(), &parameters, &stop);
        let sweep = plan.sweep(&results);
        show_report(&sweep.table(), json.as_ref())?;
        if let Some(best) = sweep.best() {
            let window = plan.contenders[best].settings.drivers.aspiration_window;
            plan.contenders[plan.base].settings.drivers.aspiration_window = window;
        }
    }
    if ended.is_ok() && !interrupted() {
        ended = plan.measure("searches", &plan.compared, &mut results, record.as_mut(), &parameters, &stop);
        show_report(&plan.tables(&results, arguments), json.as_ref())?;
        if let Some(json) = json {
            let (report, sizes) = (plan.report(&results, arguments), (plan.hash, plan.cases.len()));
            json.write(&ComparisonJson::new(&report, &plan.common, sizes, plan.depth))?;
        }
    }
    ended
}

fn open_record(
    arguments: &CompareArgs,
    plan: &ComparisonPlan,
    parameters: Vec<String>,
    results: &mut Results,
) -> Result<Option<CountRecord>, Failure> {
    let Some(path) = &arguments.csv else { return Ok(None) };
    let (record, runs) = CountRecord::open(path, &plan.comparison(parameters), arguments.restart)?;
    if !runs.is_empty() {
        console::note(format!("{} searches are taken over from {}", runs.len(), path.display()));
    }
    runs.into_iter().for_each(|run| results.enter(run));
    Ok(Some(record))
}

impl ComparisonPlan {
    fn new(arguments: &CompareArgs) -> Result<ComparisonPlan, Failure> {
        let (common, hash) = common_settings(arguments, Mode::Paper)?;
        let &[hash] = hash.as_slice() else {
            return Err(Failure::usage("several table sizes make sense with --verify only"));
        };
        let mut backends = Backend::list(&arguments.backends).map_err(Failure::usage)?;
        if !backends.contains(&BASE) {
            backends.push(BASE);
        }
        let mut contenders = contenders(&backends, &common, &arguments.set_for)?;
        let base = backends.iter().position(|&backend| backend == BASE).unwrap_or(0);
        let windows = if arguments.sweep_window { &WINDOWS[..] } else { &[] };
        for &window in windows {
            let mut settings = contenders[base].settings.clone();
            settings.drivers.aspiration_window = window;
            contenders.push(Contender { label: format!("NegaScout window {window}"), settings });
        }
        Ok(ComparisonPlan {
            cases: cases(arguments)?,
            common,
            compared: (0..backends.len()).collect(),
            windows: (backends.len()..contenders.len()).collect(),
            contenders,
            base,
            depth: arguments.depth,
            hash,
            jobs: arguments.jobs as usize,
        })
    }

    /// Everything that the counts depend on, a line each.
    fn parameters(&self, arguments: &CompareArgs) -> Vec<String> {
        let fens: Vec<String> = self.cases.iter().map(|case| case.game.fen()).collect();
        let digest = fingerprint::digest(fens.join("\n").as_bytes());
        let mut lines = vec![
            format!("program {:016x}", fingerprint::program()),
            format!("depth {}, hash {} MiB", self.depth, self.hash),
            format!("{} positions {digest:016x}", self.cases.len()),
            format!("base window {}", if arguments.sweep_window { "from a sweep" } else { "as set" }),
        ];
        lines.extend(self.contenders.iter().map(|one| format!("{}: {:?}", one.label, one.settings)));
        lines
    }

    fn comparison(&self, parameters: Vec<String>) -> Comparison<'_> {
        let labels = self.contenders.iter().map(|one| one.label.as_str()).collect();
        Comparison { parameters, labels, cases: &self.cases }
    }

    /// Runs the contenders `who` over all positions, in turn, and enters every finished search.
    fn measure(
        &self,
        what: &'static str,
        who: &[usize],
        results: &mut Results,
        mut record: Option<&mut CountRecord>,
        parameters: &[String],
        stop: &Stop,
    ) -> Result<(), Failure> {
        let limits = Limits { depth: self.depth, ..Limits::default() };
        let known = results.clone();
        let all = who.len() * self.cases.len();
        let already = who.iter().map(|&c| (0..self.cases.len()).filter(|&p| known.has(c, p)).count()).sum();
        let mut progress = Progress::new(what, all, already);
        let comparison = self.comparison(parameters.to_vec());
        let work = |player: &mut Player, position: usize, send: &dyn Fn(SearchRun)| {
            for &contender in who.iter().cycle().skip(position).take(who.len()) {
                if known.has(contender, position) {
                    continue;
                }
                let settings = &self.contenders[contender].settings;
                let Some(rows) = measure(player, &self.cases[position], settings, &limits, stop) else {
                    return;
                };
                if !rows.is_empty() {
                    send(SearchRun { contender, position, rows });
                }
            }
        };
        let ended = spread(self.cases.len(), self.jobs, self.hash, stop, work, |run| {
            if let Some(record) = &mut record {
                record.append(&run, &comparison)?;
            }
            results.enter(run);
            progress.step();
            Ok(())
        });
        progress.finish();
        ended
    }

    fn sweep<'a>(&'a self, results: &'a Results) -> Sweep<'a> {
        Sweep { contenders: &self.contenders, results, windows: &self.windows, depth: self.depth }
    }

    fn report<'a>(&'a self, results: &'a Results, arguments: &CompareArgs) -> Report<'a> {
        Report {
            contenders: &self.contenders,
            results,
            shown: &self.compared,
            base: self.base,
            seed: arguments.seed,
        }
    }

    /// The tables, with an explanation of their columns.
    fn tables(&self, results: &Results, arguments: &CompareArgs) -> String {
        let report = self.report(results, arguments);
        let mut text = self.heading();
        let Some(deepest) = report.deepest(self.depth) else {
            let _ = writeln!(text, "No position is finished.");
            return text;
        };
        if arguments.all_depths {
            (1..deepest).for_each(|depth| text += &report.full(depth));
        }
        text += &report.full(deepest);
        if deepest > 1 {
            text += &report.growth(deepest);
        }
        text + LEGEND
    }

    /// Heading of the tables: the settings compared.
    fn heading(&self) -> String {
        let base = &self.contenders[self.base].settings;
        let mut text = format!(
            "# Comparison: {} mode, {} positions, depth {}, {} MiB, base NegaScout with window {}\n\n",
            base.mode,
            self.cases.len(),
            self.depth,
            self.hash,
            base.drivers.aspiration_window
        );
        if self.jobs > 1 {
            let _ =
                writeln!(text, "{} positions were searched at a time: times are less reliable.\n", self.jobs);
        }
        let _ = writeln!(text, "{}\n", settings::describe(&self.common));
        for one in self.compared.iter().map(|&contender| &self.contenders[contender]) {
            let difference = settings::difference(&one.settings, &self.common);
            if !difference.is_empty() {
                let _ = writeln!(text, "{}: {difference}\n", one.label);
            }
        }
        text
    }
}

/// The settings that all backends share, and the table sizes in MiB. `--mode` and `--hash` win over `--set`.
/// In paper mode the grid is 1 unless set, so that values can be compared; in strict mode it always is.
pub fn common_settings(arguments: &CompareArgs, mode: Mode) -> Result<(Settings, Vec<usize>), Failure> {
    let mut common = Options { hash: DEFAULT_HASH, ..Options::default() };
    common.settings.mode = mode;
    for text in &arguments.set {
        settings::set(&mut common, text, &["Backend", "MultiPV"])?;
    }
    common.settings.mode = arguments.mode.unwrap_or(common.settings.mode);
    let names = arguments.set.iter().filter_map(|text| text.split_once('='));
    let sets_grid = names.map(|(name, _)| name.trim()).any(|name| name.eq_ignore_ascii_case("Grid"));
    if common.settings.mode == Mode::Paper && !sets_grid {
        common.settings.drivers.grid = 1;
    }
    let sizes = arguments.hash.iter().map(|&size| size as usize).collect::<Vec<_>>();
    Ok((common.settings, if sizes.is_empty() { vec![common.hash] } else { sizes }))
}

/// The backends with their settings.
pub fn contenders(
    backends: &[Backend],
    common: &Settings,
    set_for: &[String],
) -> Result<Vec<Contender>, Failure> {
    let with = |&backend: &Backend| {
        let settings = Settings { backend, ..common.clone() };
        Contender { label: backend.name().to_owned(), settings }
    };
    let mut contenders: Vec<Contender> = backends.iter().map(with).collect();
    for text in set_for {
        let (backend, option) = text
            .split_once(':')
            .ok_or_else(|| Failure::usage(format!("'{text}' is not of the form backend:Option=Value")))?;
        let backend: Backend = backend.parse().map_err(Failure::usage)?;
        let Some(one) = contenders.iter_mut().find(|one| one.backend() == backend) else {
            return Err(Failure::usage(format!("{backend} is not among the backends compared")));
        };
        let mut options = Options { settings: one.settings.clone(), ..Options::default() };
        settings::set(&mut options, option, &["Backend", "Hash", "MultiPV"])?;
        one.settings = options.settings;
    }
    Ok(contenders)
}

/// The positions of all files that have a legal move; unusable lines are reported on standard error.
pub fn cases(arguments: &CompareArgs) -> Result<Vec<Case>, Failure> {
    let mut cases = Vec::new();
    for path in &arguments.files {
        let suite = epd::read(path, Reading::Positions)?;
        suite.bad.iter().for_each(console::note);
        for case in suite.cases {
            if case.has_moves() {
                cases.push(case);
            } else {
                console::note(format!("{}: there is no move (skipped)", case.place));
            }
        }
    }
    if let Some(first) = arguments.positions {
        cases.truncate(usize::try_from(first).unwrap_or(usize::MAX));
    }
    if cases.is_empty() { Err(Failure::new("there is no position to search")) } else { Ok(cases) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn set_for_changes_one_backend_only() {
        let backends = [Backend::Driver(Driver::MtdF), Backend::Driver(Driver::NegaScout)];
        let set = ["mtdf:Grid=1".to_owned(), "NegaScout:AspirationWindow=20".to_owned()];
        let found = contenders(&backends, &Settings::default(), &set).unwrap();
        assert_eq!(
            (found[0].settings.drivers.grid, found[1].settings.drivers.grid),
            (1, Settings::default().drivers.grid)
        );
        assert_eq!(found[1].settings.drivers.aspiration_window, 20);
        for wrong in ["Grid=1", "mtdf:Grid", "fish:Grid=1", "sss:Grid=1", "mtdf:Hash=1", "mtdf:Grid=x"] {
            assert!(contenders(&backends, &Settings::default(), &[wrong.to_owned()]).is_err(), "{wrong}");
        }
    }
}
