//! Principal variations: the triangular array that the node routine fills, and the completion of a line from
//! the table.

use super::node::{Pv, Rules, Search};
use crate::chess::Position;
use crate::chess::movegen::{Generator, decode};
use crate::chess::score::{self, INFINITE, MAX_PLY, Value};
use crate::minimax::Window;
use arrayvec::ArrayVec;
use shakmaty::{Move, Position as _};

/// Plies to which the end of a line is searched again, at most.
const DEEPEST_COMPLETION: i32 = 8;

/// One line of play.
pub(super) type Line = ArrayVec<Move, MAX_PLY>;

/// The best line found below each ply.
pub(super) struct Lines(Box<[Line]>);

impl Lines {
    pub(super) fn new() -> Lines {
        Lines(vec![Line::new(); MAX_PLY + 1].into_boxed_slice())
    }

    /// Nothing is known below this ply (yet).
    pub(super) fn clear(&mut self, ply: usize) {
        self.0[ply].clear();
    }

    /// `m`, followed by the best line of its child, is the best at `ply`.
    pub(super) fn extend(&mut self, ply: usize, m: Move) {
        let (upper, lower) = self.0.split_at_mut(ply + 1);
        let (line, rest) = (&mut upper[ply], &lower[0]);
        line.clear();
        line.push(m);
        line.extend(rest.iter().copied().take(MAX_PLY - 1));
    }

    /// The best line from `ply` on.
    pub(super) fn at(&self, ply: usize) -> &[Move] {
        &self.0[ply]
    }
}

impl Search<'_> {
    /// Makes a line presentable: cut where the game ends, continued by the table's moves up to `depth` plies,
    /// and searched on move by move where the table has forgotten before half of that. A line that announces
    /// a mate is searched on until it mates.
    pub(super) fn complete_line<R: Rules>(
        &mut self,
        root: &Position,
        found: &[Move],
        depth: i32,
        value: Value,
    ) -> Vec<Move> {
        let mate = score::mate_in_plies(value);
        let wanted = mate.unwrap_or(depth).clamp(1, MAX_PLY as i32 - 2) as usize;
        let keys = self.keys.len();
        let mut line: Vec<Move> = Vec::with_capacity(wanted);
        let mut position = root.clone();
        while line.len() < MAX_PLY - 2 && (line.is_empty() || !self.is_over::<R>(&position)) {
            let left = wanted.saturating_sub(line.len());
            let next = match found.get(line.len()) {
                Some(&m) => Some(m),
                None if left == 0 => None,
                None if mate.is_some() => self.searched_move::<R>(&position, line.len(), left as i32),
                None => self.table_move(&position).or_else(|| {
                    let short = 2 * line.len() < wanted;
                    short.then(|| self.searched_move::<R>(&position, line.len(), 1)).flatten()
                }),
            };
            let Some(m) = next else { break };
            self.keys.push(position.key());
            position = position.play(m);
            line.push(m);
        }
        self.keys.truncate(keys);
        line
    }

    /// Mate, stalemate or a draw by any rule.
    fn is_over<R: Rules>(&mut self, position: &Position) -> bool {
        self.settled::<R>(position, 0).is_some() || position.chess().legal_moves().is_empty()
    }

    fn table_move(&self, position: &Position) -> Option<Move> {
        let entry = self.table.probe(position.key())?;
        decode(position, entry.best).filter(|&m| Generator::new(position).is_legal(m))
    }

    /// The best move of a search of its own, at most [`DEEPEST_COMPLETION`] plies deep.
    fn searched_move<R: Rules>(&mut self, position: &Position, ply: usize, depth: i32) -> Option<Move> {
        let window = Window::new(-INFINITE, INFINITE);
        self.node::<R, Pv>(position, window, depth.min(DEEPEST_COMPLETION), ply).ok()?;
        self.lines.at(ply).first().copied().or_else(|| self.table_move(position))
    }
}
