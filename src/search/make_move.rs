//! Making moves: the stack entry and the keys of the current line, null moves, and the poll of the search
//! control that comes with every made move.

use crate::chess::Position;
use crate::minimax::Stopped;
use crate::search::correction_history::CorrectionEntries;
use crate::search::history::{HistoryContext, NO_CONTINUATION};
use crate::search::key_history::BeforeNullMove;
use crate::search::state::{ModeRules, Search};
use shakmaty::Move;

impl Search<'_> {
    /// Plays a move. Prefetches what the visit of its child reads first: the cluster of the transposition
    /// table while the move is made, then the entries of correction history.
    pub(super) fn play_prefetching<R: ModeRules>(
        &self,
        position: &Position,
        m: Move,
        continuation: usize,
        ply: usize,
    ) -> Position {
        let child = position.play_with_key(m, |key| self.tt.prefetch(key));
        if R::SELECTIVE {
            let before = if ply == 0 { NO_CONTINUATION } else { self.stack[ply - 1].continuation };
            self.correction_history.prefetch(CorrectionEntries::of(&child, [continuation, before]));
        }
        child
    }

    /// Enters the move about to be searched at `ply`, given by its continuation-history index, and polls the
    /// search control.
    pub(super) fn begin_move(
        &mut self,
        position: &Position,
        continuation: usize,
        ply: usize,
    ) -> Result<(), Stopped> {
        self.poll_control()?;
        self.stack[ply].continuation = continuation;
        self.key_history.push(position.key());
        Ok(())
    }

    /// The same for a null move; [`KeyHistory::end_null_move`](super::key_history::KeyHistory::end_null_move)
    /// takes what is returned.
    pub(super) fn begin_null_move(
        &mut self,
        position: &Position,
        ply: usize,
    ) -> Result<BeforeNullMove, Stopped> {
        self.begin_move(position, NO_CONTINUATION, ply)?;
        Ok(self.key_history.begin_null_move())
    }

    /// Polls the search control when as many moves are made as its last answer allowed.
    pub(super) fn poll_control(&mut self) -> Result<(), Stopped> {
        if self.polling.is_due(self.stats.made_moves) { self.poll() } else { Ok(()) }
    }

    /// Polls the search control at once, for work that makes no moves.
    pub(super) fn poll_control_now(&mut self) -> Result<(), Stopped> {
        self.polling.poll_soon();
        self.poll()
    }

    #[cold]
    fn poll(&mut self) -> Result<(), Stopped> {
        if self.polling.is_over(self.stats.made_moves) {
            return Err(Stopped);
        }
        let next = match &mut self.thread {
            Some(thread) => thread.poll(&self.stats, self.control),
            None => self.control.poll(self.stats.made_moves),
        };
        self.polling.allow(next.ok_or(Stopped)?);
        Ok(())
    }

    /// The history context of the node at `ply`: continuation-history indices of the two moves before it, and
    /// threats.
    pub(super) fn context(&self, ply: usize) -> HistoryContext {
        let back =
            |plies: usize| if ply >= plies { self.stack[ply - plies].continuation } else { NO_CONTINUATION };
        HistoryContext { continuations: [back(1), back(2)], threats: self.stack[ply].threats }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::search::{Driver, NoControl, Searcher, Settings, TranspositionTable};
    use std::sync::Arc;

    /// Makes moves below the root, `0000` being a null move, and calls `test` with the search and the last
    /// position.
    pub(in crate::search) fn after_moves<T>(
        fen: &str,
        moves: &str,
        test: impl FnOnce(&mut Search, &Position) -> T,
    ) -> T {
        let game = crate::chess::game::Game::parse_fen(fen).unwrap();
        let mut searcher = Searcher::new(Arc::new(TranspositionTable::new(1).unwrap()));
        let (settings, mut control) = (Settings::default(), NoControl);
        let mut search = searcher.begin(Driver::MtdF, &[], &settings, &mut control);
        let mut position = game.position().clone();
        for (ply, text) in moves.split(' ').enumerate() {
            if text == "0000" {
                let _ = search.begin_null_move(&position, ply).unwrap();
                position = position.null_move().unwrap();
            } else {
                let m = text.parse::<shakmaty::uci::UciMove>().unwrap().to_move(position.chess()).unwrap();
                search.begin_move(&position, NO_CONTINUATION, ply).unwrap();
                position = position.play(m);
            }
        }
        test(&mut search, &position)
    }

    const ROOKS: &str = "4k2r/8/8/8/8/8/8/R3K3 w - - 20 40";

    #[test]
    fn no_repetition_is_upcoming_across_a_null_move() {
        let upcoming =
            |moves| after_moves(ROOKS, moves, |search, position| search.upcoming_repetition(position));
        assert!(upcoming("a1a2 h8h7 a2a1"), "Black may go back");
        assert!(
            !upcoming("a1a2 0000 a2a3"),
            "the positions differ by a move of White's, and Black is to move"
        );
        assert!(!upcoming("0000 h8h7 a1a2"));
        assert!(upcoming("0000 h8h7 a1a2 h7h8"), "a1a2 may be taken back, after the null move");
    }

    #[test]
    fn two_null_moves_complete_no_repetition() {
        let drawn = |moves| after_moves(ROOKS, moves, |search, position| search.is_draw_by_path(position));
        assert!(drawn("a1a2 h8h7 a2a1 h7h8"));
        assert!(!drawn("0000 h8h7 0000 h7h8"), "White has made two null moves");
        assert!(drawn("0000 h8h7 a1a2 h7h8 a2a1"), "Black is to move as after the null move");
    }
}
