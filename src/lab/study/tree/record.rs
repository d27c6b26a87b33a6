//! Record of searches of one tree, as `plumb trace --tree --json` writes it (docs/tree.md).
//!
//! All values, bounds and windows are seen from the side to move at the root (MAX), as the papers print them.
//! Infinite bounds are `null`.

use crate::minimax::observer::NodeKind;
use crate::search::{Bound, Reason, VisitPurpose};
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

/// Version of the format; it grows with every change that an older reader would misread.
pub const VERSION: u32 = 1;

/// Searches of one tree, with everything that a page needs.
#[derive(Clone, Debug, Serialize)]
pub struct Record {
    /// Name of the format.
    pub format: &'static str,
    /// [`VERSION`].
    pub version: u32,
    /// Name and version of the program.
    pub program: String,
    /// The game.
    pub game: GameInfo,
    /// The nodes of the tree, a column each.
    pub nodes: Nodes,
    /// Words and badges of the reasons that occur, by name.
    pub reasons: BTreeMap<&'static str, ReasonText>,
    /// A search for each driver.
    pub runs: Vec<Run>,
}

/// Words and badge of a reason for which a visit ended or a move was pruned, for pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ReasonText {
    /// In words.
    pub words: &'static str,
    /// The badge of the node; `null` where it has none.
    pub badge: Option<char>,
}

impl Record {
    /// Words and badges of all reasons of these searches.
    pub(super) fn reasons(runs: &[Run]) -> BTreeMap<&'static str, ReasonText> {
        let reason = |event: &Event| match *event {
            Event::Value { reason, .. } | Event::Prune { reason, .. } => Some(reason),
            _ => None,
        };
        let used = runs.iter().flat_map(|run| &run.events).filter_map(reason);
        let mut texts = BTreeMap::new();
        for Reason { name, words, badge, .. } in used {
            let text = ReasonText { words, badge };
            let other = texts.insert(name, text).filter(|other| *other != text);
            debug_assert!(other.is_none(), "two reasons have the name {name}");
        }
        texts
    }

    /// The record as JSON.
    ///
    /// # Errors
    /// If serde_json cannot write it: none that is known.
    pub fn json(&self) -> Result<String, String> {
        serde_json::to_string(self).map_err(|error| format!("the record cannot be written: {error}"))
    }
}

/// The game and the root.
#[derive(Clone, Debug, Default, Serialize)]
pub struct GameInfo {
    /// Its name.
    pub name: String,
    /// The root, as the game writes its positions.
    pub position: String,
    /// Depth of the search, in plies.
    pub depth: i32,
    /// Mode of the search; empty where there is only one.
    pub mode: String,
    /// Values of this size and more are infinite: no position has them.
    pub infinity: i32,
    /// Values are printed divided by this.
    pub unit: i32,
    /// Unit of printed values: pawns, discs, men; empty for trees, whose values are numbers.
    pub measure: &'static str,
    /// The value of a mate at the root; `null` where there is none. A mate in n plies is worth n less.
    pub mate: Option<i32>,
}

/// The nodes of a tree; node 0 is the root, and parents come before their children.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Nodes {
    /// The node above; `null` for the root.
    pub parent: Vec<Option<usize>>,
    /// The move that leads to it, or the search of another kind that began here.
    #[serde(rename = "move")]
    pub moves_to: Vec<String>,
    /// Its name, as in a paper's figure; empty where it has none.
    pub name: Vec<String>,
    /// True if MAX is to move.
    pub max: Vec<bool>,
    /// Number of legal moves; 0 at leaves of a drawn tree.
    pub moves: Vec<usize>,
    /// Number of the position: nodes with the same number are transpositions.
    pub position: Vec<usize>,
    /// The value of a leaf, exact or bounded; `null` for other nodes, and where no search has found a bound.
    pub leaf: Vec<Option<Bounds>>,
    /// The board of each position, by its number; none for trees without a board. As in a FEN: rows from the
    /// top, upper case White, lower case Black, the side to move. Discs are `d`, men of checkers `m`, crowned
    /// men `c`.
    pub boards: Vec<String>,
}

/// Lower and upper bound; infinite where they are `None`.
pub type Bounds = (Option<i32>, Option<i32>);

impl Nodes {
    /// The bounds of the leaves, from visits at the horizon by all searches. A node below which some search
    /// has looked is no leaf.
    pub(super) fn learn_leaves(&mut self, runs: &[Run]) {
        let mut inner = vec![false; self.parent.len()];
        self.leaf = vec![None; self.parent.len()];
        for run in runs {
            let mut open = Vec::new();
            for event in &run.events {
                match *event {
                    Event::Visit { node, class, .. } => {
                        inner[node] |= class == Class::Interior;
                        open.push(class);
                    }
                    Event::Value { node, value, relation, .. } if open.pop() == Some(Class::Leaf) => {
                        let (lower, upper) = self.leaf[node].get_or_insert((None, None));
                        if relation != Relation::AtMost {
                            *lower = Some(lower.map_or(value, |known| known.max(value)));
                        }
                        if relation != Relation::AtLeast {
                            *upper = Some(upper.map_or(value, |known| known.min(value)));
                        }
                    }
                    _ => (),
                }
            }
        }
        for (leaf, inner) in self.leaf.iter_mut().zip(inner) {
            *leaf = leaf.filter(|_| !inner);
        }
    }
}

/// A board as text from its squares: rows from the top, empty squares counted.
pub(super) fn board_text(piece: impl Fn(u32) -> Option<char>, white: bool) -> String {
    let mut text = String::new();
    for row in (0..8).rev() {
        let mut empty = 0;
        for square in 8 * row..8 * row + 8 {
            let Some(letter) = piece(square) else {
                empty += 1;
                continue;
            };
            if empty > 0 {
                text += &empty.to_string();
            }
            empty = 0;
            text.push(letter);
        }
        if empty > 0 {
            text += &empty.to_string();
        }
        text.push(if row > 0 { '/' } else { ' ' });
    }
    text.push(if white { 'w' } else { 'b' });
    text
}

/// A search by one driver.
#[derive(Clone, Debug, Serialize)]
pub struct Run {
    /// The driver.
    pub driver: String,
    /// Its name for links.
    pub alias: String,
    /// The first guess; `null` for the engine's own.
    pub guess: Option<i32>,
    /// The value found; of MTD-best and BNS a bound.
    pub value: i32,
    /// Relation of that value to the root: the value itself, or a bound.
    pub relation: Relation,
    /// The move found; empty if there is none.
    pub best: String,
    /// The search's own counts.
    pub counts: Counts,
    /// Every event, in order.
    pub events: Vec<Event>,
}

/// Counts of a search. Every visit is exactly one of interior, leaf, quiescence, table, or tablebase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Visits that searched moves, or pruned them.
    pub interior: u64,
    /// Visits evaluated at the horizon, or drawn.
    pub leaf: u64,
    /// Visits of quiescence search below the leaves.
    pub quiescence: u64,
    /// Visits answered by the transposition table.
    pub table: u64,
    /// Passes.
    pub passes: u64,
}

impl Counts {
    /// All visits.
    #[must_use]
    pub const fn visits(&self) -> u64 {
        self.interior + self.leaf + self.quiescence + self.table
    }
}

/// Class under which a visit is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// It searched or pruned moves.
    Interior,
    /// It was evaluated at the horizon, or drawn.
    Leaf,
    /// It belongs to quiescence search, below a leaf.
    Quiescence,
    /// The transposition table answered it.
    Table,
    /// The endgame tablebases answered it; the search's counts leave it out.
    Tablebase,
}

impl Class {
    /// The name in the record.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Class::Interior => "interior",
            Class::Leaf => "leaf",
            Class::Quiescence => "quiescence",
            Class::Table => "table",
            Class::Tablebase => "tablebase",
        }
    }
}

/// Relation of a value to a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// The value is at least this.
    AtLeast,
    /// The value is at most this.
    AtMost,
    /// The value is this.
    Exact,
}

impl Relation {
    /// The sign in the record.
    #[must_use]
    pub const fn sign(self) -> &'static str {
        match self {
            Relation::AtLeast => ">=",
            Relation::AtMost => "<=",
            Relation::Exact => "=",
        }
    }
}

impl From<Bound> for Relation {
    fn from(bound: Bound) -> Relation {
        match bound {
            Bound::Exact => Relation::Exact,
            Bound::Lower => Relation::AtLeast,
            Bound::Upper => Relation::AtMost,
        }
    }
}

impl Serialize for Relation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.sign().serialize(serializer)
    }
}

/// An event; in JSON an array whose first element is its name. Bounds are infinite where they are `None`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// `["pass", number, depth, alpha, beta, of]`: a search of the root begins; of one move's node with
    /// MTD-best.
    Pass {
        /// Number in its iteration, from 1.
        number: u32,
        /// Depth of the iteration, in plies.
        depth: i32,
        /// The window.
        window: (Option<i32>, Option<i32>),
        /// The node of the one move that is searched; `None` for all of them.
        of: Option<usize>,
    },
    /// `["line", node]`: visits that complete a principal variation begin; they belong to no pass.
    Line(usize),
    /// `["visit", node, depth, alpha, beta, type, role, class]`: a visit begins.
    Visit {
        /// The node.
        node: usize,
        /// Depth left, in plies.
        depth: i32,
        /// The window.
        window: (Option<i32>, Option<i32>),
        /// Expected node type.
        kind: NodeKind,
        /// Part in the search of the node above.
        role: VisitPurpose,
        /// Class under which it is counted.
        class: Class,
    },
    /// `["prune", node, bound, reason]`: a move is not searched.
    Prune {
        /// The node that it leads to.
        node: usize,
        /// The bound that is claimed for it, if any.
        bound: Option<i32>,
        /// The reason.
        reason: Reason,
    },
    /// `["value", node, value, relation, reason]`: a visit ends.
    Value {
        /// The node.
        node: usize,
        /// Its value.
        value: i32,
        /// Bound type of the value.
        relation: Relation,
        /// The reason for which it ended.
        reason: Reason,
    },
    /// `["end", value, lower, upper]`: a pass ends, with the bracket after it.
    End {
        /// The value returned.
        value: i32,
        /// f-, if it is known.
        lower: Option<i32>,
        /// f+, if it is known.
        upper: Option<i32>,
    },
}

impl Serialize for Event {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Event::Pass { number, depth, window: (alpha, beta), of } => {
                ("pass", number, depth, alpha, beta, of).serialize(serializer)
            }
            Event::Line(node) => ("line", node).serialize(serializer),
            Event::Visit { node, depth, window: (alpha, beta), kind, role, class } => {
                ("visit", node, depth, alpha, beta, kind.name(), role.name(), class.name())
                    .serialize(serializer)
            }
            Event::Prune { node, bound, reason } => ("prune", node, bound, reason.name).serialize(serializer),
            Event::Value { node, value, relation, reason } => {
                ("value", node, value, relation.sign(), reason.name).serialize(serializer)
            }
            Event::End { value, lower, upper } => ("end", value, lower, upper).serialize(serializer),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text of a constant of the page's script.
    fn constant(name: &str) -> &'static str {
        let script = include_str!("tree.js");
        let rest = script.split_once(&format!("const {name} = ")).expect("a constant").1;
        rest.split_once(';').expect("its end").0
    }

    /// The names to which an object of the page's script gives words, sorted.
    fn names(object: &str) -> Vec<String> {
        let words: BTreeMap<String, String> = serde_json::from_str(constant(object)).expect("JSON");
        words.into_keys().collect()
    }

    fn sorted<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
        let mut names: Vec<&str> = names.collect();
        names.sort_unstable();
        names
    }

    #[test]
    fn the_page_has_words_for_all_names_of_the_record_and_for_no_others() {
        assert_eq!(names("ROLE"), sorted(VisitPurpose::ALL.iter().map(|role| role.name())));
        assert_eq!(names("KIND"), sorted(NodeKind::ALL.iter().map(|kind| kind.name())));
        let relations = [Relation::AtLeast, Relation::AtMost, Relation::Exact];
        assert_eq!(names("SIGN"), sorted(relations.iter().map(|relation| relation.sign())));
    }

    #[test]
    fn the_page_knows_the_reasons_that_cut_nothing_off() {
        let list = constant("UNCUT").trim_start_matches("new Set(").trim_end_matches(')');
        let uncut: Vec<String> = serde_json::from_str(list).expect("JSON");
        assert_eq!(uncut, [Reason::ALL_MOVES, Reason::LEAF, Reason::GAME_OVER].map(|reason| reason.name));
    }
}
