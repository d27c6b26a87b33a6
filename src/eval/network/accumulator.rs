//! Accumulators, kept up to date by the difference of boards.
//!
//! Nothing hooks into making and unmaking moves. The evaluator keeps for every ply of the search the board
//! that it evaluated last there, with both accumulators, and for every king bucket the last board seen by it
//! (accumulator cache, Finny table). A new board starts for each perspective from the nearest of these
//! (fewest pieces that differ), and the difference is applied. If the stored board is from another line, more
//! pieces differ: slower, but the value is the same. So null moves, singular searches and stopped searches
//! need no code here.

use super::architecture::Perspective;
use super::pieces::{Difference, Pieces};
use super::quantised::Network;
use super::simd::Lanes;
use crate::chess::score::{MAX_PLY, Value};
use shakmaty::{Board, Color};
use std::sync::Arc;

/// Plies of a line; deeper ones share the last.
const PLIES: usize = MAX_PLY + 2;

/// Earlier plies whose boards are looked at.
const EARLIER: usize = 3;

/// Squares that differ after one move at most (castling): nothing nearer is looked for.
const ONE_MOVE: usize = 4;

/// A board with the buckets of its two perspectives, which say what its accumulators mean.
#[derive(Clone, Copy, Debug)]
struct Seen {
    pieces: Pieces,
    buckets: [usize; 2],
}

/// No board yet.
const NOTHING: Seen = Seen { pieces: Pieces::EMPTY, buckets: [usize::MAX; 2] };

/// An evaluator by network, with its accumulators: one a thread.
pub struct NetworkEvaluator {
    network: Arc<Network>,
    /// The last board evaluated at each ply.
    plies: Vec<Seen>,
    /// Its accumulators: for each ply White's perspective, then Black's.
    sums: Vec<Lanes>,
    /// Accumulator cache (Finny table): the last board of each bucket (mirrored or not, for each king bucket
    /// and side), and its accumulator.
    cached_boards: Vec<Pieces>,
    accumulator_cache: Vec<Lanes>,
}

impl NetworkEvaluator {
    /// An evaluator that has seen no board.
    #[must_use]
    pub fn new(network: Arc<Network>) -> NetworkEvaluator {
        let buckets = network.architecture.perspective_buckets();
        NetworkEvaluator {
            plies: vec![NOTHING; PLIES],
            sums: vec![Lanes::default(); PLIES * 2 * network.vectors()],
            cached_boards: vec![Pieces::EMPTY; buckets],
            accumulator_cache: network.biases().repeat(buckets),
            network,
        }
    }

    /// The network.
    #[must_use]
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// The value of a board for the side to move, in units. `ply` says where in the line it stands; another
    /// number changes the speed, never the value.
    pub fn evaluate(&mut self, board: &Board, turn: Color, ply: usize) -> Value {
        let ply = ply.min(PLIES - 1);
        let pieces = Pieces::of(board);
        let perspectives = Color::ALL.map(|side| pieces.perspective(&self.network.architecture, side));
        let (mut from, mut difference) = (None::<usize>, Difference::default());
        for (side, perspective) in perspectives.into_iter().enumerate() {
            // The board found for the first side serves the second too, where its king is in the same bucket:
            // a nearer one is rare, and the search for it would be done twice.
            let nearest = from
                .filter(|&nearest| self.plies[nearest].buckets[side] == perspective.bucket())
                .or_else(|| self.nearest(&pieces, side, perspective.bucket(), ply));
            // Most moves are the same for both sides: no king left its bucket.
            if nearest.is_none() || from != nearest {
                let cached = &self.cached_boards[perspective.bucket()];
                let before = nearest.map_or(cached, |nearest| &self.plies[nearest].pieces);
                difference.clear();
                pieces.difference(before, &mut difference);
            }
            self.update((side, perspective), ply, nearest, &difference);
            if nearest.is_none() {
                self.cached_boards[perspective.bucket()] = pieces;
            }
            from = nearest;
        }
        self.plies[ply] = Seen { pieces, buckets: perspectives.map(|perspective| perspective.bucket()) };
        let vectors = self.network.vectors();
        let (white, black) = self.sums[2 * ply * vectors..][..2 * vectors].split_at(vectors);
        let sums = if turn.is_white() { [white, black] } else { [black, white] };
        self.network.value(sums, &pieces, turn)
    }

    /// Computes the accumulator of a side at a ply, by the difference to the board at an earlier ply, or to
    /// the last board of the bucket.
    fn update(
        &mut self,
        (side, perspective): (usize, Perspective),
        ply: usize,
        from: Option<usize>,
        difference: &Difference,
    ) {
        let vectors = self.network.vectors();
        let sums_at = |ply: usize| (2 * ply + side) * vectors;
        let (earlier, later) = self.sums.split_at_mut(sums_at(ply));
        let sums = &mut later[..vectors];
        if let Some(from) = from {
            self.network.update_into(&earlier[sums_at(from)..][..vectors], sums, difference, perspective);
            return;
        }
        let cached = &mut self.accumulator_cache[perspective.bucket() * vectors..][..vectors];
        self.network.update_into(cached, sums, difference, perspective);
        cached.copy_from_slice(sums);
    }

    /// The earlier ply whose board is nearest, if it is nearer than the last board of the bucket.
    fn nearest(&self, pieces: &Pieces, side: usize, bucket: usize, ply: usize) -> Option<usize> {
        let (mut least, mut nearest) = (usize::MAX, None);
        for earlier in (ply.saturating_sub(EARLIER)..ply).rev() {
            let seen = &self.plies[earlier];
            if seen.buckets[side] != bucket {
                continue;
            }
            let distance = seen.pieces.changed(pieces).count();
            if distance <= ONE_MOVE {
                return Some(earlier);
            }
            if distance < least {
                (least, nearest) = (distance, Some(earlier));
            }
        }
        nearest.filter(|_| least <= self.cached_boards[bucket].changed(pieces).count())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game::Game;
    use crate::eval::network::Architecture;
    use crate::eval::network::tests::{architectures, random};
    use crate::random::SplitMix64;
    use shakmaty::Position as _;

    /// Plays random games, and goes back and forth in them as a search does.
    fn walk(positions: usize, mut visit: impl FnMut(&Game, usize)) {
        let mut random = SplitMix64::new(11);
        let mut visited = 0;
        while visited < positions {
            let mut line = vec![Game::new()];
            for _ in 0..200 {
                let game = &line[line.len() - 1];
                let moves = game.position().chess().legal_moves();
                let back = random.below(4) == 0 && line.len() > 1;
                if moves.is_empty() || back {
                    let kept = line.len().saturating_sub(1 + random.below(2)).max(1);
                    line.truncate(kept);
                    continue;
                }
                let mut next = game.clone();
                next.play(moves[random.below(moves.len())]);
                line.push(next);
                // Some nodes are not evaluated: in check, or known to the transposition table.
                if random.below(5) > 0 {
                    visit(&line[line.len() - 1], line.len() - 1);
                    visited += 1;
                }
            }
        }
    }

    #[test]
    fn incremental_values_equal_values_from_scratch_in_random_games() {
        let architectures: Vec<_> = architectures().collect();
        let each = 100_000 / architectures.len() + 1;
        for architecture in architectures {
            let network = Arc::new(Network::quantise(&random(architecture, 3)));
            let mut evaluator = NetworkEvaluator::new(Arc::clone(&network));
            let mut distinct = std::collections::HashSet::new();
            walk(each, |game, ply| {
                let position = game.position();
                let value = evaluator.evaluate(position.board(), position.turn(), ply);
                let scratch = network.evaluate(&Pieces::of(position.board()), position.turn());
                assert_eq!(value, scratch, "{}", game.fen());
                distinct.insert(value);
            });
            assert!(distinct.len() > 100, "random weights give many values");
        }
    }

    #[test]
    fn a_wrong_ply_changes_no_value() {
        let network = Arc::new(Network::quantise(&random(Architecture::default(), 3)));
        let mut evaluator = NetworkEvaluator::new(Arc::clone(&network));
        let mut random = SplitMix64::new(5);
        walk(2000, |game, _| {
            let position = game.position();
            let value = evaluator.evaluate(position.board(), position.turn(), random.below(2 * PLIES));
            assert_eq!(value, network.evaluate(&Pieces::of(position.board()), position.turn()));
        });
    }
}
