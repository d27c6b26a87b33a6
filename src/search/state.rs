//! State of a running search: the rules of a mode, node types (PV, cut, all), the search stack, and the
//! fields that the node routine reads and writes.

use super::control::SearchControl;
use super::correction_history::CorrectionHistory;
use super::key_history::KeyHistory;
use super::mate::mate_search::MateSearch;
use super::polling::Polling;
use super::pv::PvTable;
use super::settings::Settings;
use super::smp::SearchThread;
use super::stats::Stats;
use super::transposition::{TranspositionTable, TtPolicy};
use crate::chess::Position;
use crate::chess::score::{INFINITE, Value};
use crate::chess::syzygy::Tablebases;
use crate::eval::Evaluator;
use crate::minimax::Window;
use crate::minimax::drivers::Driver;
use crate::search::history::{History, NO_CONTINUATION};
use shakmaty::{Bitboard, Move};

/// Rules of a mode, known at compile time.
pub(super) trait ModeRules {
    /// Extensions, reductions and forward pruning are on.
    const SELECTIVE: bool;
    /// Only transposition-table entries of exactly the needed depth count.
    const EXACT_DEPTH: bool;
    /// Repetition and the fifty-move rule are draws inside the tree.
    const PATH_DRAWS: bool;
    /// Visits are reported to the observer of the search control.
    const OBSERVED: bool = false;
}

/// Selective search, for games.
pub(super) struct Play;
/// Full-width search, as the papers measure it.
pub(super) struct Paper;
/// Full-width search whose values depend on (position, depth) alone, for proofs.
pub(super) struct Strict;

impl ModeRules for Play {
    const SELECTIVE: bool = true;
    const EXACT_DEPTH: bool = false;
    const PATH_DRAWS: bool = true;
}

impl ModeRules for Paper {
    const SELECTIVE: bool = false;
    const EXACT_DEPTH: bool = false;
    const PATH_DRAWS: bool = true;
}

impl ModeRules for Strict {
    const SELECTIVE: bool = false;
    const EXACT_DEPTH: bool = true;
    const PATH_DRAWS: bool = false;
}

/// Node type: the place of a node in the minimal tree (Knuth and Moore's types 1, 2 and 3).
pub(super) trait NodeType {
    /// On the principal variation.
    const PV: bool;
    /// Expected to fail high at once.
    const CUT: bool;
    /// The type of its first child.
    type First: NodeType;
    /// The type of its other children.
    type Rest: NodeType;
}

/// PV node: on the leftmost path, under null windows too.
pub(super) struct Pv;
/// Cut node: one move that fails high suffices.
pub(super) struct Cut;
/// All node: every move has to be searched.
pub(super) struct All;

impl NodeType for Pv {
    const PV: bool = true;
    const CUT: bool = false;
    type First = Pv;
    type Rest = Cut;
}

impl NodeType for Cut {
    const PV: bool = false;
    const CUT: bool = true;
    type First = All;
    type Rest = All;
}

impl NodeType for All {
    const PV: bool = false;
    const CUT: bool = false;
    type First = Cut;
    type Rest = Cut;
}

/// Entry of the search stack: one ply of the current line.
#[derive(Clone, Copy, Debug)]
pub(super) struct StackEntry {
    /// Killer moves, in 16 bits.
    pub(super) killers: [u16; 2],
    /// The corrected evaluation; `-INFINITE` in check.
    pub(super) eval: Value,
    /// Continuation-history index of the move that is being searched here.
    pub(super) continuation: usize,
    /// The move excluded by the search for a singular extension, in 16 bits; else 0.
    pub(super) excluded: u16,
    /// True while the cut-off of a null move is verified here.
    pub(super) verifying_null_move: bool,
    /// Squares that the opponent attacks.
    pub(super) threats: Bitboard,
}

impl StackEntry {
    pub(super) const EMPTY: StackEntry = StackEntry {
        killers: [0; 2],
        eval: -INFINITE,
        continuation: NO_CONTINUATION,
        excluded: 0,
        verifying_null_move: false,
        threats: Bitboard::EMPTY,
    };
}

/// One running search.
///
/// A technique that decides (pruning of a move or by the static evaluation, reduction, extension) takes
/// `&self`: it can change nothing. One that searches takes `&mut self`, makes moves by [`Search::begin_move`]
/// and [`Search::begin_null_move`] alone, and returns [`Stopped`](crate::minimax::Stopped) at once: the root
/// brings the line back. What it learns goes to `history` and `correction_history` in `move_loop.rs`,
/// `quiescence.rs` and `static_eval.rs`, to `stack` at its own ply.
pub(super) struct Search<'a> {
    pub(super) tt: &'a TranspositionTable,
    pub(super) policy: TtPolicy,
    pub(super) settings: &'a Settings,
    pub(super) history: &'a mut History,
    pub(super) correction_history: &'a mut CorrectionHistory,
    pub(super) evaluator: &'a mut Evaluator,
    pub(super) control: &'a mut dyn SearchControl,
    pub(super) stats: Stats,
    pub(super) pv_table: &'a mut PvTable,
    pub(super) stack: Box<[StackEntry]>,
    /// The positions before the current one.
    pub(super) key_history: KeyHistory,
    /// The driver that asks for windows of the root.
    pub(super) driver: Driver,
    /// True if later moves are searched with a null window first (NegaScout); Alpha-Beta does not.
    pub(super) scouts: bool,
    /// Depth of the running iteration, in plies.
    pub(super) root_depth: i32,
    /// True if a player of limited strength overlooked moves at the root.
    pub(super) overlooked_at_root: bool,
    /// When the search control is polled, and the limit of made moves.
    pub(super) polling: Polling,
    /// Endgame tablebases, where the tree probes them.
    pub(super) tablebases: Option<&'a Tablebases>,
    /// The mate search, once there was reason for one.
    pub(super) mate_search: Option<MateSearch>,
    /// This thread of a parallel search, where there are several.
    pub(super) thread: Option<SearchThread<'a>>,
}

/// A node before its first move is searched.
pub(super) struct Node<'p> {
    pub(super) position: &'p Position,
    pub(super) window: Window<Value>,
    /// Depth left, in plies.
    pub(super) depth: i32,
    /// Plies from the root.
    pub(super) ply: usize,
    /// The transposition table's move in 16 bits, 0 = none.
    pub(super) tt_move: u16,
    /// The excluded move in 16 bits, 0 = none.
    pub(super) excluded: u16,
    /// The static evaluation, not corrected; `-INFINITE` in check.
    pub(super) raw_eval: Value,
    /// The same, corrected by correction history.
    pub(super) eval: Value,
    /// The evaluation has risen since our last move.
    pub(super) improving: bool,
    /// Extension of the transposition table's move, in plies.
    pub(super) extension: i32,
}

/// The best value of a node's moves, and the move that has it.
pub(super) struct Best {
    pub(super) value: Value,
    pub(super) m: Option<Move>,
}

/// Depth, reduction and extension of a move's search.
pub(super) struct ChildSearch {
    /// Depth left at the node, in plies.
    pub(super) depth: i32,
    /// Number of the move among those searched, from 1.
    pub(super) number: usize,
    /// Reduction of its first search, in plies.
    pub(super) reduction: i32,
    /// Extension, in plies.
    pub(super) extension: i32,
}
