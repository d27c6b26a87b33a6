//! Pseudocode of the backends whose searches are recorded: the driver's loop and the node routine, each line
//! with the parts of a search that it stands for, so that a page can mark the line that runs. No search is
//! here.
//!
//! The lines are those of the papers (TR figures 1, 2 and 8, INFO figure 1 and appendix), in words: `search`
//! returns a value that is a lower bound where it reaches the window's upper end, and an upper bound where it
//! does not exceed the lower end.

use crate::minimax::drivers::Driver;
use crate::search::Backend;
use serde::Serialize;

/// A line. Indentation is part of the text.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Line {
    /// The text.
    pub text: &'static str,
    /// Parts of a search that run it ([`LOOP_PARTS`], [`NODE_PARTS`]).
    pub runs: &'static [&'static str],
    /// True of lines that belong to chess alone.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub chess: bool,
}

/// The pseudocode of a backend.
#[derive(Clone, Debug, Serialize)]
pub struct Code {
    /// The loop over passes.
    #[serde(rename = "loop")]
    pub passes: Vec<Line>,
    /// The search of a node.
    pub node: Vec<Line>,
}

/// Parts of a driver's loop: before the first pass, the choice of a window, the search, its answer below,
/// above or inside the window, the end.
pub const LOOP_PARTS: [&str; 7] = ["start", "ask", "search", "low", "high", "inside", "done"];

/// Parts of the search of a node: how it ends, and the roles of the visits below it.
pub const NODE_PARTS: [&str; 15] = [
    "table",
    "leaf",
    "prune",
    "window",
    "scout",
    "research",
    "cut",
    "return",
    "quiescence",
    "reduced",
    "full-depth",
    "null-move",
    "verification",
    "singular",
    "inferior",
];

const fn line(text: &'static str, runs: &'static [&'static str]) -> Line {
    Line { text, runs, chess: false }
}

const fn in_chess(text: &'static str, runs: &'static [&'static str]) -> Line {
    Line { text, runs, chess: true }
}

/// The loop of null windows around one line, the choice of the next bound.
fn tests(guess: bool, choice: &'static str) -> Vec<Line> {
    let first =
        if guess { "f− ← −∞, f+ ← +∞, f ← the guess" } else { "f− ← −∞, f+ ← +∞" };
    vec![
        line(first, &["start"]),
        line("until f− and f+ meet:", &["done"]),
        line(choice, &["ask"]),
        line("  f ← search(root, b − 1, b)", &["search"]),
        line("  if f ≥ b: f− ← f", &["high"]),
        line("  else: f+ ← f", &["low"]),
    ]
}

/// One search in the widest window.
fn one_window() -> Vec<Line> {
    vec![line("f ← search(root, −∞, +∞)", &["start", "ask", "search"]), line("return f", &["inside", "done"])]
}

/// The loop of a driver.
fn driver_loop(driver: Driver) -> Vec<Line> {
    match driver {
        Driver::MtdF => tests(true, "  b ← f, or f− + 1 where f = f−"),
        Driver::SssStar => tests(false, "  b ← f+"),
        Driver::DualStar => tests(false, "  b ← f− + 1"),
        Driver::MtdBi => tests(false, "  b ← the middle of f− and f+"),
        Driver::MtdStep => tests(false, "  b ← f+, then f − stride, at least f− + 1"),
        Driver::MtdOpt => tests(true, "  b ← the bound of least expected cost"),
        Driver::MtdBest => vec![
            line("each move has f− = −∞, f+ = +∞", &["start"]),
            line("until f− of one move ≥ f+ of the others:", &["done"]),
            line("  choose a move m and a bound b:", &["ask"]),
            line("    prove the best, or refute another", &["ask"]),
            line("  f ← search(m, b − 1, b)", &["search"]),
            line("  if f ≥ b: f− of m ← f", &["high"]),
            line("  else: f+ of m ← f", &["low"]),
        ],
        Driver::BestNode => vec![
            line("α ← −∞, β ← +∞, all moves are candidates", &["start"]),
            line("until one candidate is left:", &["done"]),
            line("  b ← a bound between α and β", &["ask"]),
            line("  for each candidate m:", &["ask"]),
            line("    f ← search(m, b − 1, b)", &["search"]),
            line("    if f ≥ b: m reaches b", &["high"]),
            line("    else: m does not", &["low"]),
            line("  none reaches b: β ← b", &[]),
            line("  some: only they stay, α ← b", &[]),
        ],
        Driver::NegaScout => vec![
            line("α ← guess − w, β ← guess + w", &["start"]),
            line("repeat in the window (α, β):", &["ask"]),
            line("  f ← search(root, α, β)", &["search"]),
            line("  if f ≤ α: α ← f − 2w, and so on", &["low"]),
            line("  else if f ≥ β: β ← f + 2w, and so on", &["high"]),
            line("  else: return f", &["inside", "done"]),
        ],
        Driver::PlainNegaScout | Driver::AlphaBeta => one_window(),
    }
}

/// Lines before the loop over the moves: table, leaf and pruning.
fn before_moves(table: bool) -> Vec<Line> {
    let mut lines = vec![line("search(n, α, β):", &[])];
    if table {
        lines.push(line("  if the table knows enough: return that", &["table"]));
    }
    lines.extend([
        line("  if n is a leaf: return its value", &["leaf"]),
        in_chess("  at depth 0: captures alone (quiescence)", &["quiescence"]),
        in_chess("  if a pruning rule decides: return", &["prune", "null-move", "verification", "singular"]),
    ]);
    lines
}

/// Lines behind the search of a move, and behind the loop over the moves.
fn after_move(table: bool) -> [Line; 3] {
    [
        line("    g ← the better of g and v", &[]),
        line("    if g is beyond the window: cut off", &["cut"]),
        line(if table { "  store the bound g, return g" } else { "  return g" }, &["return"]),
    ]
}

/// The node routine that searches every move in what is left of the window.
fn alpha_beta() -> Vec<Line> {
    let mut lines = before_moves(true);
    lines.extend([
        line("  for each move m:", &[]),
        line("    v ← search(m, what is left of the window)", &["window"]),
        in_chess("    a late move in less depth, again if better", &["reduced", "full-depth"]),
    ]);
    lines.extend(after_move(true));
    lines
}

/// The node routine that tests later moves in a null window first.
fn nega_scout() -> Vec<Line> {
    let mut lines = before_moves(true);
    lines.extend([
        line("  v of the first move ← search(m, α, β)", &["window"]),
        line("  for each later move m, with a = max(α, g):", &[]),
        line("    v ← search(m, a, a + 1)", &["scout"]),
        in_chess("    a late move in less depth, again if better", &["reduced", "full-depth"]),
        line("    if v is inside (a, β): v ← search(m, a, β)", &["research"]),
    ]);
    lines.extend(after_move(true));
    lines
}

/// NegaScout whose null-window searches leave a map for the re-search.
fn informed() -> Vec<Line> {
    let mut lines = before_moves(false);
    lines.extend([
        line("  v of the first move ← search(m, α, β)", &["window"]),
        line("  for each later move m, with a = max(α, g):", &[]),
        line("    v ← search(m, a, a + 1), keep its map", &["scout"]),
        line("    if v is inside (a, β): v ← search(m, v, β)", &["research"]),
        line("      with the map, where a move cut off:", &[]),
        line("        ignore the moves left of it", &["inferior"]),
        line("      where none did: best bound first,", &[]),
        line("        until the next bound is no better", &["prune"]),
    ]);
    lines.extend(after_move(false));
    lines
}

/// The pseudocode of a backend whose searches are recorded; `None` for the others.
#[must_use]
pub fn code(backend: Backend) -> Option<Code> {
    match backend {
        Backend::Ins => Some(Code { passes: one_window(), node: informed() }),
        Backend::Driver(driver) => {
            let scouts = matches!(driver, Driver::NegaScout | Driver::PlainNegaScout);
            let node = if scouts { nega_scout() } else { alpha_beta() };
            Some(Code { passes: driver_loop(driver), node })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_recorded_backend_has_lines_for_the_parts_of_its_search_and_for_no_others() {
        for backend in Backend::ALL {
            let Some(code) = code(backend) else {
                assert!(!backend.is_driver(), "{backend}");
                continue;
            };
            for (lines, parts) in [(&code.passes, &LOOP_PARTS[..]), (&code.node, &NODE_PARTS)] {
                let runs = || lines.iter().flat_map(|line| line.runs);
                assert!(runs().all(|part| parts.contains(part)), "{backend}: {lines:?}");
                assert!(lines.iter().all(|line| line.text.chars().count() <= 47), "{backend}: {lines:?}");
            }
            for part in ["start", "ask", "search", "done"] {
                assert!(code.passes.iter().any(|line| line.runs.contains(&part)), "{backend}: {part}");
            }
            for part in ["leaf", "window", "cut", "return"] {
                assert!(code.node.iter().any(|line| line.runs.contains(&part)), "{backend}: {part}");
            }
        }
    }

    #[test]
    fn the_page_knows_every_part_by_its_name() {
        let script = include_str!("tree.js");
        for part in LOOP_PARTS.iter().chain(&NODE_PARTS) {
            let role = crate::search::VisitPurpose::ALL.iter().any(|role| role.name() == *part);
            assert!(role || script.contains(&format!("\"{part}\"")), "{part}");
        }
    }
}
