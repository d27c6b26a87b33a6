//! Requests for recorded searches as JSON, and the records that answer them.

use crate::search::is_test;
use plumb::chess::score::INFINITE;
use plumb::engine::Options;
use plumb::lab::study::trace::record::Trace;
use plumb::lab::study::trace::root::root;
use plumb::lab::study::tree::{GameName, RandomTreeShape, Request, backends, page};
use plumb::lab::study::{trace, tree};
use plumb::search::{Backend, Mode, Pass, Searcher, Settings};
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Backends of a request that names none.
const BACKENDS: &str = "mtdf,sss,negascout";

/// Most visits of a backend, where the request does not say.
const VISITS: usize = 20_000;

/// Size of the transposition table in MiB.
const HASH: usize = 16;

/// A request for a record; names as those of the command line.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct TreeRequest {
    game: String,
    position: Option<String>,
    backends: Option<String>,
    depth: Option<i32>,
    guess: Option<i32>,
    window: Option<i32>,
    visits: Option<usize>,
    mode: Option<String>,
    width: Option<u16>,
    ordered: Option<u8>,
    seed: Option<u64>,
}

/// A number of a request within its range.
fn within<T: PartialOrd + std::fmt::Display>(name: &str, value: T, least: T, most: T) -> Result<T, String> {
    if (least <= value) && (value <= most) {
        Ok(value)
    } else {
        Err(format!("{name} is {value}, and may be {least} to {most}"))
    }
}

/// Settings of a search that is shown: paper mode unless another is named, and exact bounds.
fn shown_settings(mode: Option<&str>) -> Result<Settings, String> {
    let mut settings = Options::default().settings;
    settings.mode = mode.map_or(Ok(Mode::Paper), str::parse)?;
    settings.drivers.grid = 1;
    Ok(settings)
}

impl TreeRequest {
    fn record(self) -> Result<tree::record::Record, String> {
        let game = GameName::parse(&self.game).map_err(|error| error.to_string())?;
        let usual = RandomTreeShape::default();
        let request = Request {
            position: self.position,
            backends: backends(self.backends.as_deref().unwrap_or(BACKENDS))
                .map_err(|error| error.to_string())?,
            depth: within("depth", self.depth.unwrap_or(game.usual_depth()), 1, 60)?,
            guess: self.guess,
            window: self.window.map(|window| within("window", window, 1, 30_000)).transpose()?,
            visits: within("visits", self.visits.unwrap_or(VISITS), 1, 500_000)?,
            random: RandomTreeShape {
                width: within("width", self.width.unwrap_or(usual.width), 1, 100)?,
                ordered: self.ordered.map(|ordered| within("ordered", ordered, 0, 100)).transpose()?,
                seed: self.seed.unwrap_or(usual.seed),
            },
            settings: shown_settings(self.mode.as_deref())?,
            hash: HASH,
            game,
        };
        request.record(&|| false).map_err(|error| error.to_string())
    }
}

/// The record of searches of a small tree, as `plumb trace --tree --json` writes it. `request` is JSON:
/// `{"game": "report", "position": null, "backends": "mtdf,sss", "depth": 4, "guess": null, "window": null,
/// "visits": 20000, "mode": "paper", "width": 3, "ordered": null, "seed": 1}`; all but `game` may be missing.
///
/// # Errors
/// If the request cannot be read, the game or its root neither, or a search makes too many visits.
pub fn tree(request: &str) -> Result<String, String> {
    let asked: TreeRequest = serde_json::from_str(request).map_err(|error| error.to_string())?;
    asked.record()?.json()
}

/// The same record with what a page needs to show it: `record`, `about` (game, root, depth in a line) and
/// `html`, the content that the script `tree.js` fills.
///
/// # Errors
/// As [`tree()`].
pub fn tree_page(request: &str) -> Result<String, String> {
    let asked: TreeRequest = serde_json::from_str(request).map_err(|error| error.to_string())?;
    let record = asked.record()?;
    let (about, html) = (page::about(&record.game), page::content(&record).into_string());
    Ok(json!({ "record": record, "about": about, "html": html }).to_string())
}

/// A request for traces; names as those of the command line.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct TraceRequest {
    fen: Option<String>,
    backends: Option<String>,
    depth: Option<i32>,
    mode: Option<String>,
}

/// A pass, in units of the engine: 100 a pawn. Infinite bounds are null; `test` is true of a null window.
#[derive(Debug, Serialize)]
struct TracedPass {
    depth: i32,
    number: u32,
    test: bool,
    alpha: Option<i32>,
    beta: Option<i32>,
    value: i32,
    lower: Option<i32>,
    upper: Option<i32>,
    nodes: u64,
    leaves: u64,
    visits: u64,
}

impl TracedPass {
    fn new(pass: &Pass) -> TracedPass {
        let finite = |bound: i32| (bound.abs() < INFINITE).then_some(bound);
        TracedPass {
            depth: pass.depth,
            number: pass.number,
            test: is_test(pass),
            alpha: finite(pass.window.0),
            beta: finite(pass.window.1),
            value: pass.answer,
            lower: finite(pass.bracket.0),
            upper: finite(pass.bracket.1),
            nodes: pass.nodes,
            leaves: pass.leaf,
            visits: pass.total,
        }
    }
}

/// The passes of several drivers over one position. `request` is JSON: `{"fen": null, "backends": "mtdf,sss",
/// "depth": 6, "mode": "paper"}`; all may be missing. The answer has `runs`, each with `backend`, `value`,
/// `line` (SAN) and `passes`, and `page`, the page that `plumb trace` writes.
///
/// # Errors
/// If the request, the position or a name cannot be read.
pub fn trace(request: &str) -> Result<String, String> {
    let asked: TraceRequest = serde_json::from_str(request).map_err(|error| error.to_string())?;
    let game = root(asked.fen.as_deref()).map_err(|error| error.to_string())?;
    let common = shown_settings(asked.mode.as_deref())?;
    let depth = within("depth", asked.depth.unwrap_or(6), 1, 60)?;
    let backends = Backend::list(asked.backends.as_deref().unwrap_or(BACKENDS))?;
    if let Some(other) = backends.iter().find(|backend| !backend.is_driver()) {
        return Err(format!("{other} searches without passes: there is nothing to trace"));
    }
    let mut searcher = Searcher::with_own_table(HASH).map_err(|error| error.to_string())?;
    let mut traces = Vec::new();
    for backend in backends {
        let settings = Settings { backend, ..common.clone() };
        let trace = Trace::record(&mut searcher, &game, &settings, depth, &|| false);
        traces.push(trace.map_err(|error| error.to_string())?);
    }
    let run = |trace: &Trace| {
        let passes: Vec<_> = trace.passes.iter().map(TracedPass::new).collect();
        json!({ "backend": trace.backend.name(), "value": trace.value, "line": trace.line, "passes": passes })
    };
    let runs: Vec<_> = traces.iter().map(run).collect();
    let page = trace::page::page(&game, &traces, depth, common.mode);
    Ok(json!({ "runs": runs, "page": page }).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_answered_with_the_record_of_its_searches() {
        let record = tree(r#"{"game": "((3 5) (2 9))", "backends": "sss, mtdf"}"#).unwrap();
        let read: serde_json::Value = serde_json::from_str(&record).unwrap();
        assert_eq!(read["runs"][0]["driver"], "SSS*");
        assert!(read["runs"].as_array().unwrap().iter().all(|run| run["value"] == 3));
        for game in ["report", "random", "othello", "checkers", "chess"] {
            assert!(tree(&format!(r#"{{"game": "{game}", "depth": 2}}"#)).is_ok(), "{game}");
        }
    }

    #[test]
    fn the_page_of_a_tree_is_that_of_its_record() {
        let request = r#"{"game": "report", "backends": "mtdf,ins"}"#;
        let page: serde_json::Value = serde_json::from_str(&tree_page(request).unwrap()).unwrap();
        assert_eq!(
            page["record"].to_string(),
            serde_json::from_str::<serde_json::Value>(&tree(request).unwrap()).unwrap().to_string()
        );
        let html = page["html"].as_str().unwrap();
        assert_eq!(html.matches("<article").count(), 2);
        assert!(page["about"].as_str().unwrap().starts_with("tree of the report"), "{page}");
    }

    #[test]
    fn a_trace_has_the_passes_of_every_driver_and_a_page() {
        let answer = trace(r#"{"backends": "mtdf,sss", "depth": 3}"#).unwrap();
        let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
        let runs = answer["runs"].as_array().unwrap();
        assert_eq!((runs.len(), &runs[0]["value"]), (2, &runs[1]["value"]));
        assert!(runs[1]["passes"].as_array().unwrap().iter().any(|pass| pass["lower"] == pass["upper"]));
        assert!(answer["page"].as_str().unwrap().contains("</html>"));
        for (request, wanted) in [
            (r#"{"backends": "ins"}"#, "without passes"),
            (r#"{"fen": "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"}"#, "no move"),
            (r#"{"depth": 99}"#, "depth is 99"),
        ] {
            let error = trace(request).unwrap_err();
            assert!(error.contains(wanted), "{error}");
        }
    }

    #[test]
    fn a_traced_window_is_open_only_at_an_infinite_bound() {
        let answer = trace(r#"{"backends": "sss,dual,alphabeta", "depth": 1}"#).unwrap();
        let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
        let first = |run: usize| {
            let pass = &answer["runs"][run]["passes"][0];
            json!([pass["alpha"], pass["beta"], pass["test"]])
        };
        let mate = INFINITE - 1;
        assert_eq!(first(0), json!([mate, null, true]));
        assert_eq!(first(1), json!([null, -mate, true]));
        assert_eq!(first(2), json!([null, null, false]));
    }

    #[test]
    fn a_wrong_request_is_a_sentence() {
        for (request, wanted) in [
            ("{", "EOF"),
            (r#"{"game": "go"}"#, "no game"),
            (r#"{"game": "report", "deep": 3}"#, "unknown field"),
            (r#"{"game": "report", "depth": 0}"#, "depth is 0"),
            (r#"{"game": "report", "backends": "best-first"}"#, "without passes"),
            (r#"{"game": "chess", "backends": "ins"}"#, "not in chess"),
            (r#"{"game": "report", "position": "x"}"#, "no other position"),
            (r#"{"game": "chess", "position": "x"}"#, "FEN"),
            (r#"{"game": "othello", "depth": 6, "visits": 50}"#, "more than 50 visits"),
            (r#"{"game": "((1 2)"}"#, ""),
        ] {
            let error = tree(request).unwrap_err();
            assert!(error.contains(wanted) && !error.contains('\n') && error.len() > 8, "{request}: {error}");
        }
    }
}
