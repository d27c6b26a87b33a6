//! The state of a running search: modes, node types (PV, cut, all), the stack of plies, and what the node routine works
//! with. No search is done here.

use super::control::SearchControl;
use super::correction_history::CorrectionHistory;
use super::mate::budget::MateSearch;
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

/// What a mode allows, known at compile time.
pub(super) trait ModeRules {
    /// Extensions, reductions, forward pruning.
    const SELECTIVE: bool;
    /// Only table entries of exactly the asked depth count.
    const EXACT_DEPTH: bool;
    /// Repetition and the fifty-move rule are draws inside the tree.
    const PATH_DRAWS: bool;
}

/// Plays games.
pub(super) struct Play;
/// Full width: what the papers measure.
pub(super) struct Paper;
/// Full width, values that depend on (position, depth) alone: for proofs.
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

/// What a node is expected to be in the minimal tree (Knuth and Moore's types 1, 2 and 3).
pub(super) trait NodeType {
    /// On the principal variation.
    const PV: bool;
    /// Expected to fail high at once.
    const CUT: bool;
    /// The kind of its first child.
    type First: NodeType;
    /// The kind of its other children.
    type Rest: NodeType;
}

/// The leftmost path: the principal variation, under null windows too.
pub(super) struct Pv;
/// One good move suffices.
pub(super) struct Cut;
/// Every move has to be refuted.
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

/// What a ply of the current line remembers.
#[derive(Clone, Copy, Debug)]
pub(super) struct StackEntry {
    /// Quiet moves that cut off here, in 16 bits.
    pub(super) killers: [u16; 2],
    /// The corrected evaluation; `-INFINITE` in check.
    pub(super) eval: Value,
    /// The continuation-history row of the move that is being tried here.
    pub(super) continuation: usize,
    /// The move left out here, in 16 bits, while it is asked whether that move stands alone; else 0.
    pub(super) excluded: u16,
    /// Whether the word of a null move is being verified here.
    pub(super) verifies: bool,
    /// What the opponent attacks here.
    pub(super) threats: Bitboard,
}

impl StackEntry {
    pub(super) const EMPTY: StackEntry = StackEntry {
        killers: [0; 2],
        eval: -INFINITE,
        continuation: NO_CONTINUATION,
        excluded: 0,
        verifies: false,
        threats: Bitboard::EMPTY,
    };
}

/// One running search: what the node routine works with.
pub(super) struct Search<'a> {
    pub(super) tt: &'a TranspositionTable,
    pub(super) policy: TtPolicy,
    pub(super) settings: &'a Settings,
    pub(super) history: &'a mut History,
    pub(super) correction_history: &'a mut CorrectionHistory,
    pub(super) evaluator: &'a mut Evaluator,
    pub(super) control: &'a mut dyn SearchControl,
    pub(super) stats: Stats,
    pub(super) pv_table: PvTable,
    pub(super) stack: Box<[StackEntry]>,
    /// Keys of the positions before the current one: the game's, then the line's.
    pub(super) keys: Vec<u64>,
    /// How many of `keys` lie before the root.
    pub(super) root_at: usize,
    /// Index in `keys` of the position after the line's last null move; 0 where there was none.
    pub(super) since_null_move: usize,
    /// The driver that asks for windows of the root.
    pub(super) driver: Driver,
    /// True where open windows are searched with a null window first (NegaScout; Alpha-Beta does not).
    pub(super) scouts: bool,
    /// Depth of the running iteration, in plies.
    pub(super) root_depth: i32,
    pub(super) next_poll: u64,
    pub(super) node_limit: u64,
    /// The endgame tables, where the tree is to be looked up in them.
    pub(super) tablebases: Option<&'a Tablebases>,
    /// The search for mates beside this one, once there was reason for one.
    pub(super) mates: Option<MateSearch>,
    /// The place among the threads, where there are several.
    pub(super) thread: Option<SearchThread<'a>>,
}

/// What a node knows of itself before it tries a move.
pub(super) struct Node<'p> {
    pub(super) position: &'p Position,
    pub(super) window: Window<Value>,
    /// Plies left.
    pub(super) depth: i32,
    /// Plies from the root.
    pub(super) ply: usize,
    /// The table's move in 16 bits, 0 = none.
    pub(super) table_move: u16,
    /// The move left out in 16 bits, 0 = none.
    pub(super) excluded: u16,
    /// What the evaluation says; `-INFINITE` in check.
    pub(super) raw_eval: Value,
    /// The same, corrected by what searches found in positions of its kind.
    pub(super) eval: Value,
    /// The evaluation has risen since our last move.
    pub(super) improving: bool,
    /// How much deeper the table's move is searched, in plies.
    pub(super) extension: i32,
}

/// What trying its moves told a node.
pub(super) struct Best {
    pub(super) value: Value,
    pub(super) m: Option<Move>,
}
