//! Searches of chess for a page: what a search finds while it runs goes to the page as it comes. No page and
//! no rule of the board is here.
//!
//! Nobody can stop a search from outside: while a Worker searches it hears no message. It stops by its
//! limits, time among them; a page that wants to end it sooner ends the Worker.

use crate::rules::{StartAndMoves, uci};
use plumb::chess::book::{Book, Choice};
use plumb::chess::game::Game;
use plumb::chess::score::{self, INFINITE, UNITS_PER_PAWN, Value};
use plumb::engine::Options;
use plumb::engine::strength::{ELO, Handicap};
use plumb::lab::base::formats::san;
use plumb::random::SplitMix64;
use plumb::search::{
    Backend, Bound, Driver, HumanErrors, Limits, Mode, Outcome, Pass, Progress, Report, SearchControl,
    Searcher, Settings,
};
use serde::{Deserialize, Serialize};
use shakmaty::{Move, Position as _};
use web_time::{Duration, Instant};

/// Made moves between two polls of the clock.
const POLL: u64 = 512;

/// Time between two reports of progress.
const PROGRESS: Duration = Duration::from_millis(100);

/// Sizes of the table that may be asked for, in MiB: a page has no more than 4 GiB.
const HASH: std::ops::RangeInclusive<usize> = 1..=1024;

/// A request for a search.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct SearchRequest {
    fen: Option<String>,
    moves: Vec<String>,
    backend: Option<String>,
    mode: Option<String>,
    depth: Option<i32>,
    nodes: Option<u64>,
    time: Option<u64>,
    elo: Option<i64>,
    seed: u64,
}

/// A value as a page shows it: pawns, or moves to mate; null where it is infinite.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
struct Score {
    pawns: Option<f64>,
    mate: Option<i32>,
}

impl Score {
    fn of(value: Value) -> Score {
        match score::mate_in_moves(value) {
            Some(moves) => Score { pawns: None, mate: Some(moves) },
            None => Score { pawns: Some(f64::from(value) / f64::from(UNITS_PER_PAWN)), mate: None },
        }
    }

    fn finite(value: Value) -> Option<Score> {
        (value.abs() < INFINITE - 1).then(|| Score::of(value))
    }
}

/// Something that a search found.
#[derive(Debug, Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
enum Event {
    /// A best line: of a pass, or where `finished` of an iteration.
    Line {
        depth: i32,
        score: Score,
        /// `=`, `>=` or `<=`.
        bound: &'static str,
        finished: bool,
        line: Vec<String>,
        moves: Vec<String>,
        nodes: u64,
        time: u64,
    },
    /// A pass: its window, its value, and the bracket after it.
    Pass {
        depth: i32,
        number: u32,
        /// True of a null window, also of one at an end of the scale, whose bounds are null.
        test: bool,
        alpha: Option<Score>,
        beta: Option<Score>,
        value: Score,
        /// Relation of the value to that of the root, or of the one move: `=` inside the window, else `>=` or
        /// `<=`.
        bound: &'static str,
        /// In pawns: bounds are multiples of this, and f-, f+ come no nearer to each other. Null where every
        /// bound may be asked for.
        grid: Option<f64>,
        lower: Option<Score>,
        upper: Option<Score>,
        /// The one move that was searched, in SAN (MTD-best, BNS).
        of: Option<String>,
        nodes: u64,
        leaves: u64,
        visits: u64,
        time: u64,
    },
    /// Made moves so far.
    Progress { nodes: u64, time: u64 },
    /// Counts after an iteration; visits are interior, leaves and table together.
    Counts { nodes: u64, interior: u64, leaves: u64, quiescence: u64, table: u64, time: u64 },
}

/// Result of a search.
#[derive(Debug, Serialize)]
struct Answer {
    best: Option<String>,
    san: Option<String>,
    score: Score,
    bound: &'static str,
    depth: i32,
    line: Vec<String>,
    moves: Vec<String>,
    nodes: u64,
    interior: u64,
    leaves: u64,
    quiescence: u64,
    table: u64,
    passes: u64,
    time: u64,
}

fn sign(bound: Bound) -> &'static str {
    match bound {
        Bound::Exact => "=",
        Bound::Lower => ">=",
        Bound::Upper => "<=",
    }
}

/// True of a pass with a null window.
pub(crate) fn is_test(pass: &Pass) -> bool {
    pass.window.1 - pass.window.0 == 1
}

/// What a pass says about the value by its window.
fn answered(pass: &Pass) -> Bound {
    let (alpha, beta) = pass.window;
    if pass.answer >= beta {
        Bound::Lower
    } else if pass.answer <= alpha {
        Bound::Upper
    } else {
        Bound::Exact
    }
}

/// The grid of an iteration in pawns; `None` where the driver has none, or one of a unit.
fn grid(settings: &Settings, depth: i32) -> Option<f64> {
    let grid = settings.grid(depth);
    let has_grid = settings.backend.driver().is_some_and(Driver::has_grid);
    (has_grid && grid > 1).then(|| f64::from(grid) / f64::from(UNITS_PER_PAWN))
}

/// The search control that sends events to a page, and polls the clock.
struct Teller<'t> {
    game: &'t Game,
    settings: &'t Settings,
    tell: &'t mut dyn FnMut(&str),
    begun: Instant,
    most: Option<Duration>,
    told: Duration,
}

impl Teller<'_> {
    fn time(&self) -> u64 {
        u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    fn tell(&mut self, event: &Event) {
        if let Ok(text) = serde_json::to_string(event) {
            (self.tell)(&text);
        }
    }
}

impl SearchControl for Teller<'_> {
    fn poll(&mut self, nodes: u64) -> Option<u64> {
        let elapsed = self.begun.elapsed();
        if elapsed >= self.told + PROGRESS {
            self.told = elapsed;
            self.tell(&Event::Progress { nodes, time: self.time() });
        }
        self.most.is_none_or(|most| elapsed < most).then_some(nodes + POLL)
    }

    fn report(&mut self, report: &Report) {
        let line = san::line(self.game.position().chess(), &report.pv);
        let moves = uci_line(self.game, &report.pv);
        self.tell(&Event::Line {
            depth: report.depth,
            score: Score::of(report.value),
            bound: sign(report.bound),
            finished: report.finished,
            line,
            moves,
            nodes: report.nodes,
            time: self.time(),
        });
    }

    fn iteration(&mut self, progress: &Progress<'_>) -> bool {
        let stats = progress.stats;
        self.tell(&Event::Counts {
            nodes: stats.made_moves,
            interior: stats.interior,
            leaves: stats.leaf,
            quiescence: stats.quiescence,
            table: stats.table,
            time: self.time(),
        });
        true
    }

    fn pass(&mut self, pass: &Pass) {
        let of = pass.of.map(|m| san::write(self.game.position().chess(), m));
        self.tell(&Event::Pass {
            depth: pass.depth,
            number: pass.number,
            test: is_test(pass),
            alpha: Score::finite(pass.window.0),
            beta: Score::finite(pass.window.1),
            value: Score::of(pass.answer),
            bound: sign(answered(pass)),
            grid: grid(self.settings, pass.depth),
            lower: Score::finite(pass.bracket.0),
            upper: Score::finite(pass.bracket.1),
            of,
            nodes: pass.nodes,
            leaves: pass.leaf,
            visits: pass.total,
            time: self.time(),
        });
    }
}

/// Moves that follow each other, in UCI notation.
fn uci_line(game: &Game, moves: &[Move]) -> Vec<String> {
    let mut now = game.clone();
    let mut line = Vec::with_capacity(moves.len());
    for &m in moves {
        line.push(uci(&now, m));
        now.play(m);
    }
    line
}

/// A searcher with a table of its own, which stays from one search to the next of the same mode and strength.
pub struct Engine {
    searcher: Searcher,
    /// Mode and errors of the last search.
    searched_with: Option<(Mode, Option<HumanErrors>)>,
}

impl Engine {
    /// An engine with a table of `mebibytes` MiB (1 to 1024).
    ///
    /// # Errors
    /// If there is no memory for it, or the size is out of range.
    pub fn new(mebibytes: usize) -> Result<Engine, String> {
        if !HASH.contains(&mebibytes) {
            return Err(format!(
                "a table of {mebibytes} MiB cannot be had here ({} to {})",
                HASH.start(),
                HASH.end()
            ));
        }
        let searcher = Searcher::with_own_table(mebibytes).map_err(|error| error.to_string())?;
        Ok(Engine { searcher, searched_with: None })
    }

    /// Forgets everything that was searched.
    pub fn clear(&mut self) {
        self.searcher.forget();
    }

    /// Searches a position. `request` is JSON: `{"fen": null, "moves": [], "backend": "mtdf", "mode": "play",
    /// "depth": 10, "nodes": 100000, "time": 1000, "elo": 1500, "seed": 1}`; all may be missing. The first
    /// limit that is reached ends it: depth in plies, made moves, milliseconds; without one it goes on. `elo`
    /// limits the strength, and sets its own limit of made moves; its first moves come from the opening book,
    /// with no node searched. `tell` receives events as JSON: `line`,
    /// `pass`, `counts`, `progress`.
    ///
    /// # Errors
    /// If the request cannot be read, or a number is out of its range.
    pub fn search(&mut self, request: &str, tell: &mut dyn FnMut(&str)) -> Result<String, String> {
        let asked: SearchRequest = serde_json::from_str(request).map_err(|error| error.to_string())?;
        let game = StartAndMoves::new(asked.fen.clone(), asked.moves.clone()).game()?;
        let handicap = handicap(&asked)?;
        let settings = settings(&asked, handicap.as_ref())?;
        let limits = limits(&asked, handicap.as_ref())?;
        // Values of another mode, or of a search that overlooks moves, are none of this one.
        let with = (settings.mode, settings.errors);
        if self.searched_with.replace(with).is_some_and(|before| before != with) {
            self.clear();
        }
        if let Some(m) = handicap.and_then(|handicap| book_move(&handicap, asked.seed, &game)) {
            return answer(&game, &Outcome { best: Some(m), pv: vec![m], ..Outcome::default() }, 0);
        }
        let begun = Instant::now();
        let most = asked.time.map(Duration::from_millis);
        let told = Duration::ZERO;
        let mut teller = Teller { game: &game, settings: &settings, tell, begun, most, told };
        let position = game.position();
        let outcome = self.searcher.search(position, game.key_history(), &settings, &limits, &mut teller);
        answer(&game, &outcome, teller.time())
    }
}

/// The settings of the engine with the backend, the mode and the strength that a request names.
fn settings(asked: &SearchRequest, handicap: Option<&Handicap>) -> Result<Settings, String> {
    let mut settings = Options::default().settings;
    if let Some(name) = &asked.backend {
        settings.backend = name.parse::<Backend>()?;
    }
    if let Some(mode) = &asked.mode {
        settings.mode = mode.parse::<Mode>()?;
    }
    if let Some(handicap) = handicap {
        handicap.weaken(&mut settings);
    }
    Ok(settings)
}

fn handicap(asked: &SearchRequest) -> Result<Option<Handicap>, String> {
    match asked.elo {
        Some(elo) if !ELO.contains(&elo) => {
            Err(format!("elo is {elo}, and may be {} to {}", ELO.start(), ELO.end()))
        }
        elo => Ok(elo.map(|elo| Handicap::of(elo, asked.seed))),
    }
}

/// The move of the opening book that a level still knows.
fn book_move(handicap: &Handicap, seed: u64, game: &Game) -> Option<Move> {
    let position = game.position();
    let number = u32::from(position.chess().fullmoves());
    if !handicap.knows_opening(number) {
        return None;
    }
    let mut random = SplitMix64::of_number(seed, number as usize);
    Book::own().choose(position, &[], Choice::Weighted, &mut random).map(|found| found.m)
}

fn limits(asked: &SearchRequest, handicap: Option<&Handicap>) -> Result<Limits, String> {
    let deepest = Limits::default().depth;
    let depth = asked.depth.unwrap_or(deepest);
    if !(1..=deepest).contains(&depth) {
        return Err(format!("depth is {depth}, and may be 1 to {deepest}"));
    }
    if asked.nodes == Some(0) || asked.time == Some(0) {
        return Err("a limit of nothing lets no move be found".to_owned());
    }
    let nodes = asked.nodes.into_iter().chain(handicap.map(|handicap| handicap.nodes)).min();
    Ok(Limits { depth, nodes, ..Limits::default() })
}

/// The answer as JSON.
fn answer(game: &Game, outcome: &Outcome, time: u64) -> Result<String, String> {
    let stats = &outcome.stats;
    let answer = Answer {
        best: outcome.best.map(|m| uci(game, m)),
        san: outcome.best.map(|m| san::write(game.position().chess(), m)),
        score: Score::of(outcome.value),
        bound: sign(outcome.bound),
        depth: outcome.depth,
        line: san::line(game.position().chess(), &outcome.pv),
        moves: uci_line(game, &outcome.pv),
        nodes: stats.made_moves,
        interior: stats.interior,
        leaves: stats.leaf,
        quiescence: stats.quiescence,
        table: stats.table,
        passes: stats.passes(),
        time,
    };
    serde_json::to_string(&answer).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value as Json;

    /// What a search tells, and its answer.
    fn searched(engine: &mut Engine, request: &str) -> (Vec<Json>, Json) {
        let mut told = Vec::new();
        let answer =
            engine.search(request, &mut |text| told.push(serde_json::from_str(text).unwrap())).unwrap();
        (told, serde_json::from_str(&answer).unwrap())
    }

    fn of_kind<'t>(told: &'t [Json], kind: &str) -> Vec<&'t Json> {
        told.iter().filter(|event| event["event"] == kind).collect()
    }

    #[test]
    fn a_search_tells_its_passes_and_lines_and_answers_with_the_last() {
        let mut engine = Engine::new(4).unwrap();
        let (told, answer) = searched(&mut engine, r#"{"moves": ["e2e4"], "backend": "mtdf", "depth": 6}"#);
        let (passes, lines) = (of_kind(&told, "pass"), of_kind(&told, "line"));
        assert_eq!(passes.len() as u64, answer["passes"].as_u64().unwrap());
        let counts = of_kind(&told, "counts");
        assert_eq!((counts.len(), &counts[5]["table"]), (6, &answer["table"]), "{counts:?}");
        let last = lines.iter().rev().find(|line| line["finished"] == true).unwrap();
        assert_eq!((&last["line"], &last["score"]), (&answer["line"], &answer["score"]));
        assert_eq!((&answer["depth"], &answer["best"]), (&Json::from(6), &answer["moves"][0]));
        assert!(passes.iter().all(|pass| pass["of"].is_null() && !pass["beta"].is_null()), "{passes:?}");
        assert!(passes.iter().all(|pass| pass["bound"] != "=" && pass["grid"] == 0.16), "{passes:?}");
    }

    #[test]
    fn a_pass_of_nega_scout_inside_its_window_is_the_value() {
        for backend in ["negascout", "alphabeta"] {
            let request = format!(r#"{{"moves": ["e2e4"], "backend": "{backend}", "depth": 5}}"#);
            let (told, answer) = searched(&mut Engine::new(4).unwrap(), &request);
            let passes = of_kind(&told, "pass");
            let last = passes.last().unwrap();
            assert_eq!((&last["bound"], &last["value"]), (&Json::from("="), &answer["score"]), "{backend}");
            assert!(passes.iter().all(|pass| pass["grid"].is_null()), "{passes:?}");
        }
    }

    #[test]
    fn a_pass_says_whether_its_window_is_null_also_at_the_ends_of_the_scale() {
        for (backend, test, bound) in [("sss", true, "<="), ("dual", true, ">="), ("alphabeta", false, "=")] {
            let request = format!(r#"{{"backend": "{backend}", "mode": "strict", "depth": 1}}"#);
            let (told, _) = searched(&mut Engine::new(1).unwrap(), &request);
            let first = of_kind(&told, "pass")[0];
            assert!(first["alpha"].is_null() && first["beta"].is_null(), "{backend}: {first}");
            assert!(first["test"] == test && first["bound"] == bound, "{backend}: {first}");
        }
    }

    #[test]
    fn every_backend_finds_a_mate_in_one_also_when_it_is_weakened() {
        let fen = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";
        for backend in Backend::ALL {
            let name = backend.alias();
            let request = format!(r#"{{"fen": "{fen}", "backend": "{name}", "depth": 4, "nodes": 20000}}"#);
            let (_, answer) = searched(&mut Engine::new(4).unwrap(), &request);
            assert_eq!(answer["best"], "d1d8", "{name}: {answer}");
        }
        let request = format!(r#"{{"fen": "{fen}", "elo": 1500, "seed": 3}}"#);
        let (_, answer) = searched(&mut Engine::new(4).unwrap(), &request);
        let most = Handicap::of(1500, 3).nodes;
        assert!(answer["best"] == "d1d8" && answer["nodes"].as_u64().unwrap() <= most, "{answer}");
    }

    #[test]
    fn a_level_begins_with_moves_of_the_book() {
        let mut engine = Engine::new(1).unwrap();
        let (_, answer) = searched(&mut engine, r#"{"elo": 700, "seed": 4294967295}"#);
        assert!(answer["nodes"] == 0 && answer["best"].is_string(), "{answer}");
        let (_, answer) = searched(&mut engine, r#"{"elo": 700, "moves": ["a2a4", "a7a5"]}"#);
        assert!(answer["nodes"].as_u64().unwrap() > 0, "{answer}");
    }

    #[test]
    fn limits_of_nodes_and_time_end_a_search() {
        let mut engine = Engine::new(4).unwrap();
        let (_, answer) = searched(&mut engine, r#"{"nodes": 3000}"#);
        assert!(answer["nodes"].as_u64().unwrap() <= 3000);
        let (told, answer) = searched(&mut engine, r#"{"time": 350}"#);
        assert!(answer["time"].as_u64().unwrap() >= 350 && answer["best"].is_string());
        assert!(!of_kind(&told, "progress").is_empty());
        engine.clear();
        assert!(searched(&mut engine, r#"{"nodes": 3000}"#).1["best"].is_string());
    }

    #[test]
    fn a_game_that_is_over_has_no_answer_and_a_repetition_is_known() {
        let mut engine = Engine::new(4).unwrap();
        let (_, answer) = searched(&mut engine, r#"{"moves": ["f2f3", "e7e5", "g2g4", "d8h4"], "depth": 2}"#);
        assert_eq!(answer["best"], Json::Null);
    }

    #[test]
    fn a_wrong_request_is_a_sentence() {
        let mut engine = Engine::new(1).unwrap();
        for (request, wanted) in [
            (r#"{"depth": 0}"#, "depth"),
            (r#"{"nodes": 0}"#, "nothing"),
            (r#"{"elo": 100}"#, "700"),
            (r#"{"backend": "fish"}"#, "fish"),
            (r#"{"fen": "x"}"#, "FEN"),
            (r#"{"moves": ["e2e5"]}"#, "e2e5"),
        ] {
            let error = engine.search(request, &mut |_| ()).unwrap_err();
            assert!(error.contains(wanted) && !error.contains('\n'), "{request}: {error}");
        }
        assert!(Engine::new(0).err().unwrap().contains("1 to 1024"));
    }
}
