//! What the pawns are worth by themselves, kept from one position to the next.

use crate::eval::perspective::{
    BESIDE, FILES, PAWN, View, above, beside, file, fill_north, flank, from_edge, north, pawn_attacks, rank,
    south,
};
use crate::eval::tapered::S;
use crate::eval::weight_source::{InUse, WeightSource};
use shakmaty::{Bitboard, Square};

/// Structures remembered.
const ENTRIES: usize = 1 << 14;

/// One side's pawns, seen going up.
#[derive(Clone, Copy, Default)]
pub(super) struct Pawns {
    /// What the pawns are worth.
    pub(super) score: S,
    /// What the king's place behind them is worth, for the king's square in `king`.
    pub(super) shelter: S,
    king: Option<Square>,
    /// Pawns that no enemy pawn can stop.
    pub(super) passed: Bitboard,
    /// Squares that these pawns attack, or may attack as they go on.
    pub(super) span: Bitboard,
}

/// A pawn structure. The default is that of a board without pawns.
#[derive(Clone, Copy, Default)]
struct Structure {
    key: u64,
    sides: [Pawns; 2],
}

/// The structures met, by pawn key, as the weights in use see them; the newest stays.
pub(super) struct Cache {
    entries: Box<[Structure]>,
}

impl Cache {
    /// An empty one.
    pub(super) fn new() -> Cache {
        Cache { entries: vec![Structure::default(); ENTRIES].into_boxed_slice() }
    }

    /// The pawns of two views of one board.
    pub(super) fn get(&mut self, key: u64, views: &[View; 2]) -> &[Pawns; 2] {
        let entry = &mut self.entries[key as usize % ENTRIES];
        if entry.key != key {
            *entry = Structure { key, sides: [0, 1].map(|us| examine(InUse, views, us)) };
        }
        for us in 0..2 {
            let king = views[us].king;
            let side = &mut entry.sides[us];
            if side.king != Some(king) {
                side.king = Some(king);
                side.shelter = shelter(InUse, views, us);
            }
        }
        &entry.sides
    }
}

/// The pawns of two views of one board, with any weights; nothing is remembered.
pub(super) fn weigh(w: impl WeightSource, views: &[View; 2]) -> [Pawns; 2] {
    [0, 1].map(|us| Pawns { shelter: shelter(w, views, us), ..examine(w, views, us) })
}

/// Weighs one side's pawns.
fn examine(w: impl WeightSource, views: &[View; 2], us: usize) -> Pawns {
    let own = views[us].own[PAWN];
    let enemy = views[1 - us].own[PAWN].flip_vertical();
    let enemy_attacks = south(beside(enemy));
    let mut side = Pawns { span: fill_north(pawn_attacks(own)), ..Pawns::default() };
    for square in own {
        let (file, rank) = (file(square), rank(square));
        let pawn = Bitboard::from_square(square);
        let ahead = above(square);
        let stop = north(pawn);
        let neighbours = own & BESIDE[file];
        let opposed = (enemy & FILES[file] & ahead).any();
        let supporters = neighbours & south(beside(pawn));
        let phalanx = (neighbours & beside(pawn)).any();
        let stoppers = enemy & (FILES[file] | BESIDE[file]) & ahead;

        side.score += w.piece_square(PAWN, square);
        if supporters.any() || phalanx {
            if phalanx {
                side.score += w.phalanx[rank];
            }
            if supporters.any() {
                side.score += w.supported[rank];
            }
        } else if neighbours.is_empty() {
            side.score += w.isolated[usize::from(!opposed)];
        } else if (neighbours & !ahead).is_empty() && (stop & (enemy_attacks | enemy)).any() {
            side.score += w.backward[usize::from(!opposed)];
        }
        if stop.intersects(enemy) {
            side.score += w.rammed[rank];
        }
        if (own & FILES[file] & ahead).any() {
            side.score += w.doubled;
        } else if stoppers.is_empty() {
            side.passed.add(square);
            side.score += w.passed[rank];
        } else if !opposed {
            // The pawns that bar the way may be outnumbered by those that help.
            if (neighbours & !ahead).count() >= stoppers.count() {
                side.score += w.candidate[rank];
            }
        }
    }
    side
}

/// Weighs the pawns before a king, own and enemy, on its file and those beside it.
fn shelter(w: impl WeightSource, views: &[View; 2], us: usize) -> S {
    let king = views[us].king;
    let (own, enemy) = (views[us].own[PAWN], views[1 - us].own[PAWN].flip_vertical());
    let mut score = S::ZERO;
    let centre = file(king).clamp(1, 6);
    let front = above(king) | Bitboard::from_rank(king.rank());
    for (at, &on_file) in FILES.iter().enumerate().skip(centre - 1).take(3) {
        let (ours, theirs) = (own & on_file & front, enemy & on_file & front);
        let shelter = ours.first().map_or(0, rank);
        let storm = theirs.first().map_or(0, rank);
        score += w.shelter[from_edge(at)][shelter];
        score += if shelter > 0 && storm == shelter + 1 {
            w.storm_blocked[storm]
        } else {
            w.storm[from_edge(at)][storm]
        };
    }
    if (own & FILES[file(king)]).is_empty() {
        score +=
            if (enemy & FILES[file(king)]).is_empty() { w.king_open_file } else { w.king_half_open_file };
    }
    let nearest = own.into_iter().map(|pawn| king.distance(pawn)).min().unwrap_or(0);
    score += w.king_pawn_distance * nearest as i32;
    if ((own | enemy) & flank(file(king))).is_empty() {
        score += w.pawnless_flank;
    }
    score
}
