//! The hand-crafted evaluation: a sum of terms, each worth one score in the middlegame and another in the
//! endgame, weighed by the pieces left.

use super::{
    endgames,
    explain::{Explanation, Term, Trace},
    pawns::{self, Structure},
    placement::placed,
    tapered::S,
    view::{
        BISHOP, FILES, KING, KNIGHT, PAWN, QUEEN, ROOK, View, above, east, file, fill_south, north,
        pawn_attacks, rank, south, west,
    },
    weights::W,
};
use crate::chess::{
    Position,
    score::{DRAW, EVAL_LIMIT, Value, centipawns},
};
use shakmaty::{Bitboard, attacks};

/// The phase of a full board.
const FULL_PHASE: Value = 24;

/// Evaluates positions; keeps a cache of pawn structures, which changes its speed, never its answer.
pub struct Evaluator {
    pawns: pawns::Cache,
}

impl Default for Evaluator {
    fn default() -> Evaluator {
        Evaluator::new()
    }
}

impl Evaluator {
    /// A fresh one.
    #[must_use]
    pub fn new() -> Evaluator {
        Evaluator { pawns: pawns::Cache::new() }
    }

    /// The position's worth for the side to move, within `-EVAL_LIMIT..=EVAL_LIMIT`.
    ///
    /// A function of board and side to move alone.
    pub fn evaluate(&mut self, position: &Position) -> Value {
        let white = self.weigh(position, &mut ()).white;
        if position.turn().is_white() { white } else { -white }
    }

    /// The same, term by term, for White.
    pub fn explain(&mut self, position: &Position) -> Explanation {
        let mut explanation = Explanation::default();
        let verdict = self.weigh(position, &mut explanation);
        explanation.white = verdict.white;
        explanation.phase = verdict.phase;
        explanation.scale = verdict.scale;
        explanation
    }

    fn weigh(&mut self, position: &Position, trace: &mut impl Trace) -> Verdict {
        let board = position.board();
        let views = [View::of(board, shakmaty::Color::White), View::of(board, shakmaty::Color::Black)];
        let structure = self.pawns.get(position.pawn_key(), &views);
        let mut total = S::ZERO;
        for side in 0..2 {
            let pawns = &structure.sides[side];
            trace.note(Term::Pawns, side, pawns.score);
            trace.note(Term::King, side, pawns.shelter);
        }
        total += structure.sides[0].score + structure.sides[0].shelter;
        total -= structure.sides[1].score + structure.sides[1].shelter;

        let white_army = Army::muster(&views[0], &views[1], structure, 0, trace);
        let black_army = Army::muster(&views[1], &views[0], structure, 1, trace);
        total += white_army.score;
        total -= black_army.score;
        let white_to_move = position.turn().is_white();
        total += clash(&views[0], &views[1], &white_army, &black_army, structure, 0, white_to_move, trace);
        total -= clash(&views[1], &views[0], &black_army, &white_army, structure, 1, !white_to_move, trace);
        if white_to_move {
            total += W.tempo
        } else {
            total -= W.tempo
        }

        let phase = (board.knights() | board.bishops()).count()
            + 2 * board.rooks().count()
            + 4 * board.queens().count();
        let phase = FULL_PHASE.min(phase as Value);
        let tapered = (total.mg() * phase + total.eg() * (FULL_PHASE - phase)) / FULL_PHASE;
        let (strong, weak, sign) =
            if tapered >= DRAW { (&views[0], &views[1], 1) } else { (&views[1], &views[0], -1) };
        let scale = endgames::scale(strong, weak);
        let mut value = tapered * scale / endgames::FULL;
        if weak.all == weak.own[KING] {
            value += sign * endgames::mop_up(strong, weak);
        }
        Verdict { white: centipawns(value).clamp(-EVAL_LIMIT, EVAL_LIMIT), phase, scale }
    }
}

/// What weighing a position gives.
struct Verdict {
    white: Value,
    phase: Value,
    scale: Value,
}

/// What one side's pieces attack, and what they are worth where they stand.
struct Army {
    score: S,
    /// By role.
    attacks: [Bitboard; 6],
    /// By any piece; by two or more.
    attacked: Bitboard,
    twice: Bitboard,
    /// Danger brought to the enemy king so far.
    danger: S,
    attackers: usize,
}

impl Army {
    /// Goes through the pieces of `us`, once each.
    fn muster(us: &View, them: &View, structure: &Structure, side: usize, trace: &mut impl Trace) -> Army {
        let pawns = us.own[PAWN];
        let by_pawns = pawn_attacks(pawns);
        let enemy_pawns = them.own[PAWN].flip_vertical();
        let by_enemy_pawns = pawn_attacks(them.own[PAWN]).flip_vertical();
        let enemy_span = structure.sides[1 - side].span.flip_vertical();
        let ring = king_ring(them).flip_vertical();
        let around_king = them.around_king.flip_vertical();
        let open_to_pieces = !(by_enemy_pawns | pawns | us.own[KING]);
        let by_king = attacks::king_attacks(us.king);

        let mut army = Army {
            score: S::ZERO,
            attacks: [by_pawns, Bitboard::EMPTY, Bitboard::EMPTY, Bitboard::EMPTY, Bitboard::EMPTY, by_king],
            attacked: by_pawns | by_king,
            twice: (by_pawns & by_king) | (east(north(pawns)) & west(north(pawns))),
            danger: S::ZERO,
            attackers: 0,
        };
        let mut placement = placed(KING, us.king);
        let mut mobility = S::ZERO;
        let mut pieces = S::ZERO;

        let outposts = Bitboard(0x0000_ffff_ff00_0000) & by_pawns & !enemy_span;
        for square in us.own[KNIGHT] {
            let reach = attacks::knight_attacks(square);
            army.join(KNIGHT, reach, ring, around_king);
            placement += placed(KNIGHT, square);
            mobility += W.knight_mobility[(reach & open_to_pieces).count()];
            if outposts.contains(square) {
                pieces += W.outpost[0];
            } else if (reach & outposts & !us.all).any() {
                pieces += W.outpost_reachable;
            }
            pieces += W.knight_king_distance * square.distance(us.king) as i32;
        }
        let through = us.occupied ^ us.own[QUEEN];
        for square in us.own[BISHOP] {
            let reach = attacks::bishop_attacks(square, through);
            army.join(BISHOP, reach, ring, around_king);
            placement += placed(BISHOP, square);
            mobility += W.bishop_mobility[(reach & open_to_pieces).count()];
            if outposts.contains(square) {
                pieces += W.outpost[1];
            }
            pieces += W.bishop_king_distance * square.distance(us.king) as i32;
            let of_colour = if Bitboard::DARK_SQUARES.contains(square) {
                Bitboard::DARK_SQUARES
            } else {
                Bitboard::LIGHT_SQUARES
            };
            let bad = (pawns & of_colour).count() as i32;
            let blocked = (pawns & CENTRE_FILES & south(us.occupied)).count() as i32;
            pieces += W.bishop_pawns * bad + W.bishop_blocked_centre * (bad * blocked);
            if (attacks::bishop_attacks(square, pawns | enemy_pawns) & CENTRE).more_than_one() {
                pieces += W.long_diagonal;
            }
        }
        let minors = us.own[KNIGHT] | us.own[BISHOP];
        pieces += W.minor_behind_pawn * (minors & south(pawns | enemy_pawns)).count() as i32;
        let through = through ^ us.own[ROOK];
        for square in us.own[ROOK] {
            let reach = attacks::rook_attacks(square, through);
            army.join(ROOK, reach, ring, around_king);
            placement += placed(ROOK, square);
            let open = (reach & open_to_pieces).count();
            mobility += W.rook_mobility[open];
            let on_file = FILES[file(square)];
            if pawns.is_disjoint(on_file) {
                pieces +=
                    if enemy_pawns.is_disjoint(on_file) { W.rook_open_file } else { W.rook_half_open_file };
            } else {
                if (pawns & on_file & south(us.occupied)).any() {
                    pieces += W.rook_closed_file;
                }
                // Shut in between its king and the edge.
                if open <= 3 && rank(us.king) == 0 && (file(us.king) < 4) == (file(square) < file(us.king)) {
                    pieces += W.rook_trapped;
                }
            }
            if them.own[QUEEN].flip_vertical().intersects(on_file) {
                pieces += W.rook_on_queen_file;
            }
        }
        for square in us.own[QUEEN] {
            let reach = attacks::queen_attacks(square, us.occupied);
            army.join(QUEEN, reach, ring, around_king);
            placement += placed(QUEEN, square);
            mobility += W.queen_mobility[(reach & open_to_pieces).count()];
        }

        let mut imbalance = S::ZERO;
        if us.own[BISHOP].more_than_one() {
            imbalance += W.bishop_pair;
        }
        let more_pawns = pawns.count() as i32 - 5;
        imbalance += W.knight_pawns * (us.own[KNIGHT].count() as i32 * more_pawns);
        imbalance += W.rook_pawns * (us.own[ROOK].count() as i32 * more_pawns);

        trace.note(Term::Placement, side, placement);
        trace.note(Term::Mobility, side, mobility);
        trace.note(Term::Pieces, side, pieces);
        trace.note(Term::Imbalance, side, imbalance);
        army.score = placement + mobility + pieces + imbalance;
        army
    }

    /// A piece adds what it attacks.
    fn join(&mut self, role: usize, reach: Bitboard, ring: Bitboard, around_king: Bitboard) {
        self.attacks[role] |= reach;
        self.twice |= self.attacked & reach;
        self.attacked |= reach;
        if reach.intersects(ring) {
            self.attackers += 1;
            self.danger += W.danger_attacker[role] + W.danger_ring * (reach & around_king).count() as i32;
        }
    }
}

/// The middle of the board.
const CENTRE: Bitboard = Bitboard(0x0000_0018_1800_0000);

/// The files c to f.
const CENTRE_FILES: Bitboard = Bitboard(0x3c3c_3c3c_3c3c_3c3c);

/// The squares around a king, moved in from the edge so that there are always nine.
fn king_ring(view: &View) -> Bitboard {
    let (file, rank) = (file(view.king).clamp(1, 6), rank(view.king).clamp(1, 6));
    let corner = (rank - 1) * 8 + file - 1;
    Bitboard(0x0007_0707 << corner)
}

/// What needs both sides' attacks: threats, the enemy king, passed pawns, space.
#[allow(clippy::too_many_arguments)]
fn clash(
    us: &View,
    them: &View,
    army: &Army,
    foe: &Army,
    structure: &Structure,
    side: usize,
    to_move: bool,
    trace: &mut impl Trace,
) -> S {
    let meeting = Meeting {
        us,
        them,
        army,
        enemy: them.all.flip_vertical(),
        attacked: foe.attacked.flip_vertical(),
        twice: foe.twice.flip_vertical(),
        by_pawns: foe.attacks[PAWN].flip_vertical(),
        foe,
        to_move,
    };
    let threats = meeting.threats();
    let danger = meeting.danger(structure.sides[1 - side].shelter);
    let passed = meeting.passed(structure.sides[side].passed);
    let space = meeting.space();
    trace.note(Term::Threats, side, threats);
    trace.note(Term::King, 1 - side, S::ZERO - danger);
    trace.note(Term::Passed, side, passed);
    trace.note(Term::Space, side, space);
    threats + danger + passed + space
}

/// Both sides' attacks, seen by one of them.
struct Meeting<'a> {
    us: &'a View,
    them: &'a View,
    army: &'a Army,
    foe: &'a Army,
    /// The enemy's pieces and attacks in our orientation.
    enemy: Bitboard,
    attacked: Bitboard,
    twice: Bitboard,
    by_pawns: Bitboard,
    to_move: bool,
}

impl Meeting<'_> {
    fn theirs(&self, role: usize) -> Bitboard {
        self.them.own[role].flip_vertical()
    }

    /// What our pieces attack of theirs.
    fn threats(&self) -> S {
        let Meeting { us, army, enemy, attacked, twice, by_pawns, .. } = *self;
        let mut score = S::ZERO;
        let strongly_held = by_pawns | (twice & !army.twice);
        let weak = enemy & !strongly_held & army.attacked;
        let pieces = enemy & !self.theirs(PAWN);

        let by_minors = army.attacks[KNIGHT] | army.attacks[BISHOP];
        let prey = (weak | pieces) & by_minors;
        let rook_prey = weak & army.attacks[ROOK];
        for role in PAWN..=QUEEN {
            let theirs = self.theirs(role);
            score += W.threat_by_minor[role] * (prey & theirs).count() as i32;
            score += W.threat_by_rook[role] * (rook_prey & theirs).count() as i32;
        }
        if weak.intersects(army.attacks[KING]) {
            score += W.threat_by_king;
        }
        let hanging = weak & (!attacked | (pieces & army.twice));
        score += W.hanging * hanging.count() as i32;
        score += W.weak_queen_protection * (weak & self.foe.attacks[QUEEN].flip_vertical()).count() as i32;
        score += W.restricted * (attacked & !strongly_held & army.attacked).count() as i32;

        let safe = !attacked | army.attacked;
        let safe_pawns = us.own[PAWN] & safe;
        score += W.threat_by_pawn * (pawn_attacks(safe_pawns) & pieces).count() as i32;
        let step = north(us.own[PAWN]) & !us.occupied;
        let pushes = step | (north(step & Bitboard(0x00ff_0000)) & !us.occupied);
        let pushes = pushes & safe & !by_pawns;
        score += W.threat_by_push * (pawn_attacks(pushes) & pieces).count() as i32;

        if let Some(queen) = self.theirs(QUEEN).single_square() {
            let safe = !us.all & !strongly_held;
            let from = attacks::knight_attacks(queen) & army.attacks[KNIGHT] & safe;
            score += W.queen_hit_by_knight * from.count() as i32;
            let from = (attacks::bishop_attacks(queen, us.occupied) & army.attacks[BISHOP])
                | (attacks::rook_attacks(queen, us.occupied) & army.attacks[ROOK]);
            score += W.queen_hit_by_slider * (from & safe & army.twice).count() as i32;
        }
        score
    }

    /// What our attack on their king is worth.
    fn danger(&self, their_shelter: S) -> S {
        let Meeting { us, them, army, foe, attacked, twice, .. } = *self;
        let king = them.king.flip_vertical();
        let mut danger = W.danger_base + army.danger;
        let by_their_queen = foe.attacks[QUEEN].flip_vertical();
        let by_their_king = foe.attacks[KING].flip_vertical();

        // Held by nobody, or by king and queen alone.
        let weak = army.attacked & !twice & (!attacked | by_their_king | by_their_queen);
        let safe = !us.all & (!attacked | (weak & army.twice));
        let ranks = attacks::rook_attacks(king, us.occupied ^ self.theirs(QUEEN));
        let diagonals = attacks::bishop_attacks(king, us.occupied ^ self.theirs(QUEEN));
        let checks = [
            attacks::knight_attacks(king) & army.attacks[KNIGHT],
            diagonals & army.attacks[BISHOP],
            ranks & army.attacks[ROOK],
            (ranks | diagonals) & army.attacks[QUEEN] & !by_their_queen,
        ];
        let mut unsafe_checks = Bitboard::EMPTY;
        for (role, checks) in (KNIGHT..).zip(checks) {
            let good = checks & safe;
            if good.any() {
                danger += W.danger_safe_check[role] * (1 + i32::from(good.more_than_one()));
            } else {
                unsafe_checks |= checks;
            }
        }
        danger += W.danger_unsafe_check * unsafe_checks.count() as i32;
        danger += W.danger_weak_ring * (weak & king_ring(them).flip_vertical()).count() as i32;
        // Pieces of theirs between our sliders and the king.
        let sliders = (attacks::rook_attacks(king, self.enemy_blockers(ranks))
            & (us.own[ROOK] | us.own[QUEEN]))
            | (attacks::bishop_attacks(king, self.enemy_blockers(diagonals))
                & (us.own[BISHOP] | us.own[QUEEN]));
        danger += W.danger_pinned * sliders.count() as i32;
        if us.own[QUEEN].is_empty() {
            danger += W.danger_no_queen;
        }
        let flank = match file(king) {
            0..=2 => FILES[0] | FILES[1] | FILES[2] | FILES[3],
            3..=4 => CENTRE_FILES,
            _ => FILES[4] | FILES[5] | FILES[6] | FILES[7],
        } & Bitboard(0xffff_ffff_ff00_0000);
        let pressed = army.attacked & flank;
        danger += W.danger_flank_attack * (pressed.count() + (pressed & army.twice).count()) as i32;
        danger += W.danger_flank_defence * (attacked & flank).count() as i32;
        if (foe.attacks[KNIGHT].flip_vertical() & by_their_king).any() {
            danger += W.danger_knight_defender;
        }
        let mg = (danger.mg() + W.danger_shelter.mg() * their_shelter.mg() / 16).max(0);
        super::tapered::s(mg * mg / 4096, danger.eg())
    }

    /// The board without those of their pieces that a line from their king meets first.
    fn enemy_blockers(&self, line: Bitboard) -> Bitboard {
        self.us.occupied & !(line & self.enemy)
    }

    /// What our passed pawns are worth beyond their rank.
    fn passed(&self, passed: Bitboard) -> S {
        let Meeting { us, them, army, attacked, .. } = *self;
        let mut score = S::ZERO;
        let their_king = them.king.flip_vertical();
        let bare = them.pieces().is_empty();
        for square in passed {
            let at = rank(square);
            let pawn = Bitboard::from_square(square);
            let stop_at = pawn.shift(8).first().unwrap_or(square);
            let stop = north(pawn);
            score += W.passed_own_king[at] * us.king.distance(stop_at) as i32;
            score += W.passed_enemy_king[at] * their_king.distance(stop_at) as i32;
            if stop.intersects(us.occupied) {
                score += W.passed_blocked[at];
            }
            let behind = fill_south(south(pawn));
            let path = FILES[file(square)] & above(square);
            let rooks = behind & attacks::rook_attacks(square, us.occupied);
            let mut bad = attacked;
            if rooks.intersects(self.theirs(ROOK)) {
                score += W.passed_enemy_rook_behind;
                bad = Bitboard::FULL;
            } else if rooks.intersects(us.own[ROOK]) {
                score += W.passed_rook_behind;
            }
            if stop.is_disjoint(bad) {
                score += W.passed_safe_stop[at];
                if path.is_disjoint(bad | self.enemy) {
                    score += W.passed_safe_path[at];
                }
            }
            if stop.intersects(army.attacked) {
                score += W.passed_defended_stop;
            }
            if bare && path.is_disjoint(us.occupied) {
                let steps = (7 - at - usize::from(at == 1)) as u32;
                let goal = path.last().unwrap_or(square);
                if their_king.distance(goal) > steps + u32::from(!self.to_move) {
                    score += W.unstoppable;
                }
            }
        }
        score
    }

    /// Room behind our pawns in the middle.
    fn space(&self) -> S {
        let us = self.us;
        let pawns = us.own[PAWN];
        let room = CENTRE_FILES & Bitboard(0xffff_ff00) & !pawns & !self.by_pawns;
        let behind = fill_south(south(pawns)) & room & !self.attacked;
        let squares = room.count() + behind.count();
        W.space * (squares * us.pieces().count() / 8) as i32
    }
}
