//! Key history: Zobrist keys of the game's positions and of those between the root and the node, and the
//! last null move. Moves enter and leave it here alone.

use crate::chess::Position;
use crate::chess::score::MAX_PLY;

/// The positions before the current one, the oldest first.
pub(super) struct KeyHistory {
    /// Keys of the game's positions, then of those from the root on.
    keys: Vec<u64>,
    /// Number of the game's positions.
    root_at: usize,
    /// Index of the position after the line's last null move; 0 where there was none.
    since_null_move: usize,
}

/// Index of the position after the null move before this one, which the end of this one restores.
#[must_use]
pub(super) struct BeforeNullMove(usize);

impl KeyHistory {
    /// The line at the root: the game's positions before it.
    pub(super) fn new(game: &[u64]) -> KeyHistory {
        let mut keys = Vec::with_capacity(game.len() + MAX_PLY);
        keys.extend_from_slice(game);
        KeyHistory { keys, root_at: game.len(), since_null_move: 0 }
    }

    /// Appends the position, by its key, in which a move is made.
    pub(super) fn push(&mut self, key: u64) {
        self.keys.push(key);
    }

    /// Removes the position of the last move, which is taken back.
    pub(super) fn pop(&mut self) {
        self.keys.pop();
    }

    /// Notes that the last move was a null move.
    pub(super) fn begin_null_move(&mut self) -> BeforeNullMove {
        BeforeNullMove(std::mem::replace(&mut self.since_null_move, self.keys.len()))
    }

    /// Ends the null move, also where its search was stopped.
    pub(super) fn end_null_move(&mut self, before: BeforeNullMove) {
        self.since_null_move = before.0;
    }

    /// Takes back all moves: after a search that was stopped.
    pub(super) fn return_to_root(&mut self) {
        self.keys.truncate(self.root_at);
    }

    /// Number of positions, for [`KeyHistory::shorten`].
    pub(super) fn length(&self) -> usize {
        self.keys.len()
    }

    /// Takes moves back until so many positions are left.
    pub(super) fn shorten(&mut self, length: usize) {
        self.keys.truncate(length);
    }

    /// The keys of the positions before the current one, the game's first.
    pub(super) fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// The keys of the game's positions before the root.
    pub(super) fn game(&self) -> &[u64] {
        &self.keys[..self.root_at]
    }

    /// Number of the game's positions before the root.
    pub(super) fn root_at(&self) -> usize {
        self.root_at
    }

    /// Index of the first position that this one may repeat: after the last capture or pawn move, and after
    /// the last null move, for a repetition by a null move cannot happen in a game.
    pub(super) fn repeatable_from(&self, position: &Position) -> usize {
        self.keys.len().saturating_sub(position.halfmoves() as usize).max(self.since_null_move)
    }
}
