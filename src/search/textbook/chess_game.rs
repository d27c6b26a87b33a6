//! Chess as a [`Game`] for the papers' algorithms of [`crate::minimax`]: full width, quiescence search at the
//! leaves.
//!
//! Its values depend on the position, on the network and the noise of its evaluator, and on the distance to
//! the root where mates are told apart by it; never on a transposition table or the moves before. Draws by
//! repetition and by the fifty-move rule are added by the game of the textbook backends ([`super`]).

use crate::chess::movegen::Generator;
use crate::chess::score::{self, DRAW, INFINITE, MAX_PLY, Value};
use crate::chess::{Position, see};
use crate::eval::{EvalNoise, Evaluator, Network};
use crate::minimax::Game;
use shakmaty::{Color, Move, MoveList, Position as _, Role, Square, attacks};
use std::cmp::Reverse;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// One evaluator for all positions of a game tree, so that they share its caches. A clone is another handle
/// to the same evaluator. The hand-crafted evaluation without noise, until [`SharedEvaluator::set`] is
/// called.
#[derive(Clone, Default)]
pub struct SharedEvaluator(Arc<Mutex<Evaluator>>);

impl SharedEvaluator {
    /// Sets the network (`None` for the hand-crafted evaluation) and the noise (`None` for no noise), for
    /// every position that has a handle.
    pub fn set(&self, network: Option<&Arc<Network>>, noise: Option<EvalNoise>) {
        self.lock().set(network, noise);
    }

    /// The static evaluation for the side to move, in units of [`Value`].
    #[must_use]
    pub fn evaluate(&self, position: &Position) -> Value {
        self.lock().evaluate(position, 0)
    }

    /// The evaluator. A panic elsewhere leaves its caches as they are, which is harmless.
    fn lock(&self) -> MutexGuard<'_, Evaluator> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for SharedEvaluator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SharedEvaluator")
    }
}

/// Plies from the root after which mates all have the same value.
const MAX_MATE_PLY: u16 = 2 * MAX_PLY as u16 - 1;

/// A chess position as a [`Game`]; it ends at mate, stalemate and dead material.
#[derive(Clone, Debug)]
pub struct ChessGame {
    position: Position,
    /// Plies from the root.
    ply: u16,
    /// Increment of `ply` by a move: 1, or 0 where all mates are worth the same.
    stride: u16,
    evaluator: SharedEvaluator,
}

impl ChessGame {
    /// A root with the hand-crafted evaluation. Mates are worth more the nearer to it they are, so that
    /// values that announce a mate must not be used in a search from another root.
    #[must_use]
    pub fn new(position: Position) -> ChessGame {
        ChessGame::with_evaluator(position, SharedEvaluator::default())
    }

    /// The same with an evaluator of one's own: for a network, or for many roots that share its caches.
    #[must_use]
    pub fn with_evaluator(position: Position, evaluator: SharedEvaluator) -> ChessGame {
        ChessGame { position, ply: 0, stride: 1, evaluator }
    }

    /// A root whose mates are all worth the same: every value is a function of the position alone, as proofs
    /// with a memory need it.
    #[must_use]
    pub fn with_equal_mates(position: Position) -> ChessGame {
        ChessGame { stride: 0, ..ChessGame::new(position) }
    }

    /// The legal moves in the order of [`Game::moves`], in dead positions too: a root has to move.
    #[must_use]
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = self.position.chess().legal_moves().to_vec();
        moves.sort_by_cached_key(|&m| Reverse(ordering_score(&self.position, m)));
        moves
    }

    /// The position.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Plies from the root (0 when all mates are worth the same).
    #[must_use]
    pub fn ply(&self) -> usize {
        usize::from(self.ply)
    }
}

impl Game for ChessGame {
    type Value = Value;
    type Move = Move;

    const LIMIT: Value = INFINITE;
    const SLOTS: usize = 2 * 64 * 64;

    /// The legal moves, ordered: good captures and promotions by victim and attacker; quiet moves, towards
    /// the centre and away from attacks by pawns first; then bad captures.
    fn moves(&self) -> Vec<Move> {
        if self.position.is_dead() { Vec::new() } else { self.legal_moves() }
    }

    fn play(&self, m: Move) -> ChessGame {
        let ply = (self.ply + self.stride).min(MAX_MATE_PLY);
        ChessGame {
            position: self.position.play(m),
            ply,
            stride: self.stride,
            evaluator: self.evaluator.clone(),
        }
    }

    fn evaluate(&self) -> Value {
        if self.position.is_dead() || is_stalemate(&self.position) {
            return DRAW;
        }
        let mut evaluator = self.evaluator.lock();
        let mut quiescence = Quiescence { evaluator: &mut evaluator, stride: usize::from(self.stride) };
        quiescence.value(&self.position, -INFINITE, INFINITE, usize::from(self.ply))
    }

    fn key(&self) -> u64 {
        self.position.key()
    }

    fn slot(&self, m: Move) -> usize {
        let from = m.from().map_or(0, usize::from);
        let side = usize::from(self.position.turn() == Color::White);
        (side * 64 + from) * 64 + usize::from(m.to())
    }
}

/// Static move ordering: the higher the score, the earlier the move is searched.
fn ordering_score(position: &Position, m: Move) -> i32 {
    const NOISY: i32 = 1 << 20;
    let promoted = m.promotion().map_or(0, see::exchange_value);
    let loses = !see::see_ge(position, m, 0);
    if m.is_capture() || m.promotion() == Some(Role::Queen) {
        let victim = m.capture().map_or(0, see::exchange_value) + promoted;
        let exchange = 16 * victim - see::exchange_value(m.role());
        return if loses { exchange - 2 * NOISY } else { exchange + NOISY };
    }
    let Move::Normal { role, from, to, .. } = m else { return 64 };
    let us = position.turn();
    let defenders = attacks::pawn_attacks(us, to) & position.board().pawns() & position.chess().them();
    let attackers = attacks::pawn_attacks(us, from) & position.board().pawns() & position.chess().them();
    let piece_value_if =
        |guards: shakmaty::Bitboard| if guards.any() { see::exchange_value(role) } else { 0 };
    let gained = if role == Role::King { 0 } else { centrality(to) - centrality(from) };
    let losing = if loses { NOISY / 2 } else { 0 };
    4 * gained + piece_value_if(attackers) - piece_value_if(defenders) - promoted / 8 - losing
}

/// Centrality of a square: 0 in a corner, 6 in the centre.
fn centrality(square: Square) -> i32 {
    let from_edge = |line: u32| line.min(7 - line) as i32;
    from_edge(u32::from(square.file())) + from_edge(u32::from(square.rank()))
}

/// True at stalemate: not in check, and no legal move.
fn is_stalemate(position: &Position) -> bool {
    if position.in_check() {
        return false;
    }
    let generator = Generator::new(position);
    let mut moves = MoveList::new();
    generator.noisy(&mut moves);
    if moves.is_empty() {
        generator.quiet(&mut moves);
    }
    moves.is_empty()
}

/// Quiescence search: stand pat, captures that do not lose material, and every evasion of a check.
struct Quiescence<'a> {
    evaluator: &'a mut Evaluator,
    stride: usize,
}

impl Quiescence<'_> {
    /// The value in a window, fail-soft. Stand pat raises alpha at the start, so that every capture is
    /// searched with a null window first (NegaScout).
    fn value(&mut self, position: &Position, alpha: Value, beta: Value, ply: usize) -> Value {
        if position.is_dead() {
            return DRAW;
        }
        let in_check = position.in_check();
        let mut best = if in_check { score::mated_in(ply) } else { self.evaluator.evaluate(position, ply) };
        let mut alpha = alpha.max(best);
        if best >= beta {
            return best;
        }
        for (tried, m) in self.moves(position).into_iter().enumerate() {
            let child = position.play(m);
            let ply = (ply + self.stride).min(usize::from(MAX_MATE_PLY));
            let mut value = best;
            let scouts = beta > alpha + 1 && (tried > 0 || !in_check);
            if scouts {
                value = -self.value(&child, -alpha - 1, -alpha, ply);
            }
            if !scouts || value > alpha && value < beta {
                value = -self.value(&child, -beta, -alpha, ply);
            }
            best = best.max(value);
            alpha = alpha.max(value);
            if best >= beta {
                break;
            }
        }
        best
    }

    fn moves(&self, position: &Position) -> MoveList {
        if position.in_check() {
            return position.chess().legal_moves();
        }
        let mut moves = MoveList::new();
        Generator::new(position).noisy(&mut moves);
        moves.retain(|m| see::see_ge(position, *m, 0));
        moves.sort_by_key(|&m| {
            let victim = m.capture().map_or(0, see::exchange_value);
            let promoted = m.promotion().map_or(0, see::exchange_value);
            Reverse(16 * (victim + promoted) - see::exchange_value(m.role()))
        });
        moves
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game;
    use crate::minimax::memory::UnboundedTable;
    use crate::minimax::mt::{MtOptions, Search};
    use crate::minimax::{Tree, Window};

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    fn chess(fen: &str) -> game::Game {
        game::Game::parse_fen(fen).unwrap()
    }

    fn as_game(fen: &str) -> ChessGame {
        ChessGame::new(chess(fen).position().clone())
    }

    /// Minimax without pruning.
    fn minimax(game: &ChessGame, depth: u32) -> Value {
        let moves = if depth == 0 { Vec::new() } else { game.moves() };
        moves.iter().map(|&m| -minimax(&game.play(m), depth - 1)).max().unwrap_or_else(|| game.evaluate())
    }

    #[test]
    fn the_moves_are_the_legal_ones() {
        let game = as_game(KIWIPETE);
        let moves = game.moves();
        let legal = game.position().chess().legal_moves();
        assert_eq!(moves.len(), legal.len());
        assert!(legal.iter().all(|m| moves.contains(m)));
        assert!(moves[0].is_capture(), "{:?}", moves[0]);
        assert!(moves.iter().all(|&m| game.slot(m) < ChessGame::SLOTS));
    }

    #[test]
    fn mate_stalemate_and_dead_material_have_exact_values() {
        let mate = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
        for (fen, value) in [
            (mate, score::mated_in(0)),
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", DRAW),
            ("7k/8/6K1/8/8/8/8/8 b - - 0 1", DRAW),
        ] {
            let game = as_game(fen);
            assert!(game.moves().is_empty(), "{fen}");
            assert_eq!(game.evaluate(), value, "{fen}");
        }
    }

    #[test]
    fn the_nearest_mate_is_worth_most() {
        let game = as_game("7k/8/6K1/8/8/8/8/R7 w - - 0 1");
        assert_eq!(minimax(&game, 1), score::MATE - 1);
        assert_eq!(minimax(&game, 3), score::MATE - 1);
        let equal_mates = ChessGame::with_equal_mates(game.position().clone());
        assert_eq!(minimax(&equal_mates, 3), score::MATE);
    }

    #[test]
    fn a_position_with_colours_swapped_has_the_same_value() {
        for fen in [KIWIPETE, "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1"] {
            let turned = ChessGame::new(chess(fen).flipped().unwrap().position().clone());
            assert_eq!(as_game(fen).evaluate(), turned.evaluate(), "{fen}");
        }
    }

    #[test]
    fn positions_of_one_tree_share_an_evaluator_and_other_trees_have_their_own() {
        let evaluator = SharedEvaluator::default();
        let position = chess(KIWIPETE).position().clone();
        let child = |game: &ChessGame| game.play(game.moves()[0]);
        let with = child(&ChessGame::with_evaluator(position.clone(), evaluator.clone()));
        let without = child(&ChessGame::new(position));
        assert_eq!(with.evaluate(), without.evaluate());
        let Some(network) = crate::eval::network::embedded() else { return };
        evaluator.set(Some(&network), None);
        assert_ne!(with.evaluate(), without.evaluate(), "the network is that of one tree");
        evaluator.set(None, None);
        assert_eq!(with.evaluate(), without.evaluate());
    }

    #[test]
    fn a_hanging_queen_is_won_in_quiescence() {
        let quiet = as_game("4k3/8/8/8/4P3/2q5/8/4K3 w - - 0 1").evaluate();
        let hanging = as_game("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1").evaluate();
        assert!(hanging > quiet + see::exchange_value(Role::Queen) / 2, "{hanging} {quiet}");
    }

    #[test]
    fn null_windows_do_not_change_an_evaluation() {
        /// The same search without windows.
        fn plain(quiescence: &mut Quiescence<'_>, position: &Position, ply: usize) -> Value {
            let floor = match position {
                p if p.is_dead() => return DRAW,
                p if p.in_check() => score::mated_in(ply),
                p => quiescence.evaluator.evaluate(p, ply),
            };
            let moves = quiescence.moves(position);
            moves.iter().fold(floor, |best, &m| best.max(-plain(quiescence, &position.play(m), ply + 1)))
        }
        let game = as_game("r1bqk2r/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R w KQkq - 0 6");
        for child in game.moves().into_iter().map(|m| game.play(m)) {
            let mut evaluator = Evaluator::new();
            let mut quiescence = Quiescence { evaluator: &mut evaluator, stride: 1 };
            assert_eq!(child.evaluate(), plain(&mut quiescence, child.position(), 1));
        }
    }

    #[test]
    fn mt_finds_the_minimax_value() {
        for fen in [KIWIPETE, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"] {
            let game = as_game(fen);
            let value = minimax(&game, 2);
            let mut search = Search::new(game, 2, UnboundedTable::new(), MtOptions::default());
            assert_eq!(search.test(Window::new(-INFINITE, INFINITE)).unwrap(), value, "{fen}");
        }
    }
}
