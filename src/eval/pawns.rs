//! Pawn structure (isolated, backward, doubled, supported, candidate and passed pawns) and the king's pawn
//! shelter, cached in a pawn hash table.

use crate::eval::relative_board::{
    BESIDE, FILES, PAWN, RelativeBoard, above, beside, file, fill_north, flank, from_edge, north,
    pawn_attacks, rank, south,
};
use crate::eval::tapered::S;
use crate::eval::weight_source::{InUse, WeightSource};
use shakmaty::{Bitboard, Square};

/// Entries of the pawn hash table.
const ENTRIES: usize = 1 << 14;

/// One side's pawns, seen going up.
#[derive(Clone, Copy, Default)]
pub(super) struct Pawns {
    /// The worth of the pawn structure, with material and piece-square values.
    pub(super) score: S,
    /// The worth of the shelter of a king on the square `king`.
    pub(super) shelter: S,
    king: Option<Square>,
    /// Passed pawns: no enemy pawn can stop them.
    pub(super) passed: Bitboard,
    /// Pawn span: squares that these pawns attack, or may attack as they go on.
    pub(super) span: Bitboard,
}

/// An entry of the pawn hash table. The default is that of a board without pawns, whose key is 0.
#[derive(Clone, Copy, Default)]
struct Entry {
    key: u64,
    sides: [Pawns; 2],
}

/// Pawn hash table: the pawn structures met, by pawn key, with the weights in use. Always replaces.
pub(super) struct PawnHash {
    entries: Box<[Entry]>,
}

impl PawnHash {
    /// An empty table.
    pub(super) fn new() -> PawnHash {
        PawnHash { entries: vec![Entry::default(); ENTRIES].into_boxed_slice() }
    }

    /// The pawns of both sides of a board with the pawn key `key`.
    pub(super) fn get(&mut self, key: u64, boards: &[RelativeBoard; 2]) -> &[Pawns; 2] {
        let entry = &mut self.entries[key as usize % ENTRIES];
        if entry.key != key {
            *entry = Entry { key, sides: [0, 1].map(|us| structure(InUse, boards, us)) };
        }
        for us in 0..2 {
            let king = boards[us].king;
            let side = &mut entry.sides[us];
            if side.king != Some(king) {
                side.king = Some(king);
                side.shelter = shelter(InUse, boards, us);
            }
        }
        &entry.sides
    }
}

/// The pawns of both sides, with any weights; nothing is cached.
pub(super) fn evaluate(w: impl WeightSource, boards: &[RelativeBoard; 2]) -> [Pawns; 2] {
    [0, 1].map(|us| Pawns { shelter: shelter(w, boards, us), ..structure(w, boards, us) })
}

/// The pawn structure of one side; the shelter is left at zero.
fn structure(w: impl WeightSource, boards: &[RelativeBoard; 2], us: usize) -> Pawns {
    let own = boards[us].own[PAWN];
    let enemy = boards[1 - us].own[PAWN].flip_vertical();
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
            // A candidate: at least as many pawns help as bar the way.
            if (neighbours & !ahead).count() >= stoppers.count() {
                side.score += w.candidate[rank];
            }
        }
    }
    side
}

/// Pawn shelter and pawn storm: own and enemy pawns before a king, on its file and those beside it.
fn shelter(w: impl WeightSource, boards: &[RelativeBoard; 2], us: usize) -> S {
    let king = boards[us].king;
    let (own, enemy) = (boards[us].own[PAWN], boards[1 - us].own[PAWN].flip_vertical());
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
