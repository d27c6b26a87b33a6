//! What `plumb trace` keeps of a search: every pass of every iteration. How it is drawn is the business of
//! [`super::page`].

use crate::chess::score::{self, Value};
use crate::search::{Backend, Pass};

/// What one driver did.
#[derive(Clone, Debug)]
pub struct Trace {
    /// Which one.
    pub backend: Backend,
    /// Its value in the last iteration; of MTD-best a bound.
    pub value: Value,
    /// The principal variation in SAN.
    pub line: Vec<String>,
    /// Every pass of every iteration.
    pub passes: Vec<Pass>,
}

impl Trace {
    /// The passes of the last iteration, in order.
    #[must_use]
    pub fn last_iteration(&self) -> &[Pass] {
        let depth = self.passes.last().map_or(0, |pass| pass.depth);
        let first = self.passes.iter().position(|pass| pass.depth == depth).unwrap_or(0);
        &self.passes[first..]
    }

    /// Moves made up to the end of an iteration.
    #[must_use]
    pub fn nodes(&self, depth: i32) -> Option<u64> {
        self.passes.iter().rev().find(|pass| pass.depth == depth).map(|pass| pass.nodes)
    }

    /// Moves made by each pass of the last iteration.
    #[must_use]
    pub fn nodes_by_pass(&self) -> Vec<u64> {
        let last = self.last_iteration();
        let before = self.passes.len() - last.len();
        let mut seen = before.checked_sub(1).map_or(0, |at| self.passes[at].nodes);
        last.iter()
            .map(|pass| {
                let own = pass.nodes.saturating_sub(seen);
                seen = pass.nodes;
                own
            })
            .collect()
    }
}

/// A value in pawns, a mate in moves.
#[must_use]
pub fn pawns(value: Value) -> String {
    match score::mate_in_moves(value) {
        Some(moves) => format!("mate {moves}"),
        None => format!("{:+.2}", f64::from(value) / f64::from(score::UNITS_PER_PAWN)),
    }
}
