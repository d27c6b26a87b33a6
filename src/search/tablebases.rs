//! Tablebase probes (Syzygy) in a search: WDL inside the tree, DTZ at the root.
//!
//! Inside the tree a position right after a capture or a pawn move is probed: a draw is exact, a win is a
//! lower bound (there may be a mate), a loss an upper bound. The same bounds hold for every window, so that
//! null windows and open ones come to the same value. At the root the moves are ranked, and only moves of the
//! same rank compete for a line.

use super::root::RootMove;
use super::settings::{Limits, Mode, Settings};
use crate::chess::Position;
use crate::chess::score::{self, DRAW, INFINITE, MAX_PLY, Value};
use crate::chess::syzygy::{self, Rank, Tablebases, Wdl};
use crate::minimax::Window;
use crate::search::state::Search;
use crate::search::transposition::NewEntry;
use shakmaty::Move;

/// Added to the depth of transposition-table entries that hold tablebase values, in plies: they are seldom
/// replaced.
const DEPTH_BONUS: i32 = 6;

/// Result of a probe at a node.
pub(super) enum TablebaseProbe {
    /// The value decides the window.
    Cutoff(Value),
    /// A lower and an upper bound on the value.
    Bounds((Value, Value)),
}

const UNKNOWN: TablebaseProbe = TablebaseProbe::Bounds((-INFINITE, INFINITE));

impl Search<'_> {
    /// Probes the tablebases at a node.
    #[inline(never)]
    pub(super) fn probe_tablebases(
        &mut self,
        position: &Position,
        window: Window<Value>,
        depth: i32,
        ply: usize,
    ) -> TablebaseProbe {
        let syzygy = &self.settings.syzygy;
        let Some(tablebases) = self.tablebases.filter(|_| position.halfmoves() == 0) else { return UNKNOWN };
        let max_men = tablebases.men().min(syzygy.probe_limit);
        let men = position.board().occupied().count();
        if men > max_men || men == max_men && depth < syzygy.probe_depth {
            return UNKNOWN;
        }
        let Some(wdl) = tablebases.wdl(position) else { return UNKNOWN };
        self.stats.tb_hits += 1;
        let wdl = if syzygy.fifty_moves { wdl } else { syzygy::without_fifty_moves(wdl) };
        let value = syzygy::value(wdl, ply);
        let (lower, upper) = match wdl {
            Wdl::Win => (value, INFINITE),
            Wdl::Loss => (-INFINITE, value),
            _ => (value, value),
        };
        if lower < window.beta && upper > window.alpha && lower < upper {
            return TablebaseProbe::Bounds((lower, upper));
        }
        let bound = |value: Value, holds: bool| holds.then_some(score::to_tt(value, ply));
        let new = NewEntry {
            best: 0,
            failed_low: false,
            lower: bound(lower, lower > -INFINITE),
            upper: bound(upper, upper < INFINITE),
            depth: (depth + DEPTH_BONUS).min(MAX_PLY as i32 - 1),
            eval: None,
        };
        self.tt.store(position.key(), &new, self.policy);
        TablebaseProbe::Cutoff(value)
    }

    /// Ranks the root moves by DTZ, or by WDL where that is missing, best first; moves of one rank keep their
    /// order. After that the tree probes no tablebases, unless a win is ranked by WDL, which does not say how
    /// to make progress.
    pub(super) fn rank_root(&mut self, root: &Position, limits: &Limits, moves: &mut [RootMove]) {
        let settings = self.settings;
        let Some(tablebases) = tablebases_of(settings) else { return };
        self.tablebases = Some(tablebases);
        let few_men = root.board().occupied().count() <= settings.syzygy.probe_limit;
        // The shortest way to a capture may not be the shortest way to mate.
        if !few_men || limits.mate.is_some() {
            return;
        }
        let fifty_moves = settings.syzygy.fifty_moves;
        let by_dtz = tablebases.rank(root, self.key_history.game(), fifty_moves);
        let has_dtz = by_dtz.is_some();
        let Some(ranks) = by_dtz.or_else(|| tablebases.rank_by_wdl(root, fifty_moves)) else { return };
        self.stats.tb_hits += ranks.len() as u64;
        for root_move in &mut *moves {
            root_move.rank = rank_of(&ranks, root_move.m);
        }
        moves.sort_by_key(|root_move| std::cmp::Reverse(root_move.order()));
        let best = moves.first().and_then(|root_move| root_move.rank);
        if has_dtz || best.is_none_or(|rank| rank.value() <= DRAW) {
            self.tablebases = None;
        }
    }
}

/// The tablebases that a search probes: in play mode only, since the other modes measure the search itself.
fn tablebases_of(settings: &Settings) -> Option<&Tablebases> {
    settings
        .syzygy
        .tablebases
        .as_deref()
        .filter(|_| settings.mode == Mode::Play && settings.syzygy.probe_limit > 0)
}

/// The rank of a move.
fn rank_of(ranks: &[(Move, Rank)], m: Move) -> Option<Rank> {
    ranks.iter().find(|(ranked, _)| *ranked == m).map(|&(_, rank)| rank)
}

impl RootMove {
    /// Sort key by tablebase rank: the greater, the better.
    pub(super) fn order(&self) -> Option<(syzygy::AmbiguousWdl, i32)> {
        self.rank.map(Rank::order)
    }

    /// The value that is reported: the search's, if it is a mate that agrees with the tablebases; else that
    /// of the tablebase rank.
    pub(super) fn shown(&self, found: Value) -> Value {
        let Some(ranked) = self.rank.map(Rank::value) else { return found };
        if score::is_mate(found) && score::is_decisive(ranked) && (found > 0) == (ranked > 0) {
            found
        } else {
            ranked
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::chess::game::Game;
    use crate::chess::score::{self, DECISIVE_BAND, DRAW};
    use crate::chess::syzygy::real;
    use crate::search::settings::Syzygy;
    use crate::search::{
        Backend, Driver, Limits, Mode, NoControl, Outcome, Searcher, Settings, TranspositionTable,
    };
    use std::sync::Arc;

    fn search(fen: &str, depth: i32, settings: &Settings) -> Outcome {
        let game = Game::parse_fen(fen).unwrap();
        let limits = Limits { depth, ..Limits::default() };
        let mut searcher = Searcher::new(Arc::new(TranspositionTable::new(4).unwrap()));
        searcher.search(game.position(), &[], settings, &limits, &mut NoControl)
    }

    fn with_tablebases(backend: Backend) -> Settings {
        let syzygy = Syzygy { tablebases: Some(Arc::new(real::tables())), ..Syzygy::default() };
        Settings { backend, syzygy, ..Settings::default() }
    }

    #[test]
    #[ignore = "needs Syzygy tables"]
    fn every_driver_finds_tablebase_values_after_a_capture() {
        for backend in Backend::DRIVERS {
            let settings = with_tablebases(backend);
            let won = search("8/8/1k6/8/3n4/8/3R4/K2R4 w - - 0 1", 5, &settings);
            assert!(won.value >= DECISIVE_BAND && won.stats.tb_hits > 0, "{backend}: {}", won.value);
            // A rook against two minor pieces: a draw at best.
            let drawn = search("8/8/8/2n5/1b6/1k6/8/K1R5 w - - 0 1", 5, &settings);
            assert!(drawn.stats.tb_hits > 0 && drawn.value <= DRAW, "{backend}: {}", drawn.value);
        }
    }

    #[test]
    #[ignore = "needs Syzygy tables"]
    fn the_root_value_is_that_of_the_tablebases() {
        let settings = with_tablebases(Backend::Driver(Driver::MtdF));
        let won = search("8/8/8/8/8/2k5/8/K2R4 w - - 0 1", 3, &settings);
        assert!(score::is_decisive(won.value) && won.stats.tb_hits == 15, "{}", won.value);
        let lost = search("8/8/8/8/8/2k5/8/K2r4 w - - 0 1", 3, &settings);
        assert!(lost.value < -DECISIVE_BAND || lost.value == DRAW, "{}", lost.value);
        let drawn = search("8/8/8/8/8/2k1r3/8/K2R4 w - - 0 1", 3, &settings);
        assert_eq!(drawn.value, DRAW);
    }

    #[test]
    #[ignore = "needs Syzygy tables"]
    fn paper_and_strict_mode_probe_no_tablebases() {
        let settings = with_tablebases(Backend::Driver(Driver::MtdF));
        for mode in [Mode::Paper, Mode::Strict] {
            let settings = Settings { mode, ..settings.clone() };
            let found = search("8/8/1k6/8/3n4/8/3R4/K2R4 w - - 0 1", 4, &settings);
            let without =
                search("8/8/1k6/8/3n4/8/3R4/K2R4 w - - 0 1", 4, &Settings { mode, ..Settings::default() });
            assert_eq!((found.stats.tb_hits, found.value), (0, without.value));
        }
    }

    #[test]
    #[ignore = "needs Syzygy tables"]
    fn the_probe_limit_is_kept() {
        let settings = with_tablebases(Backend::Driver(Driver::MtdF));
        let mut fewer = settings.clone();
        fewer.syzygy.probe_limit = 3;
        assert_eq!(search("8/8/8/8/8/2k1r3/8/K2R4 w - - 0 1", 1, &fewer).stats.tb_hits, 0);
        fewer.syzygy.probe_limit = 0;
        assert_eq!(search("8/8/8/8/8/2k5/8/K2R4 w - - 0 1", 3, &fewer).stats.tb_hits, 0);
    }
}
