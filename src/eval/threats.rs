//! What both sides' attacks mean to each other: threats, the enemy king, passed pawns, space.

use crate::eval::explain::{Term, Trace};
use crate::eval::hand_crafted::Camp;
use crate::eval::perspective::{
    BISHOP, CENTRE_FILES, FILES, KING, KNIGHT, PAWN, QUEEN, ROOK, View, above, file, fill_south, flank,
    king_ring, north, pawn_attacks, rank, south,
};
use crate::eval::pieces::Army;
use crate::eval::tapered::{S, s};
use crate::eval::weight_source::WeightSource;
use shakmaty::{Bitboard, Square, attacks};

/// Danger to the king is squared and divided by this.
pub(super) const DANGER_UNIT: i32 = 4096;

/// More danger than this makes no difference.
pub(super) const MOST_DANGER: i32 = 4000;

/// The weight of the shelter in the danger is in so many parts of one.
pub(super) const SHELTER_UNIT: i32 = 16;

/// Both sides' attacks, seen by one of them: `us`, going up.
pub(super) struct Clash<'a, N> {
    w: N,
    us: &'a View,
    army: &'a Army,
    camp: &'a Camp<'a>,
    foe: &'a Camp<'a>,
    /// The enemy's pieces and attacks on our board.
    enemy: Bitboard,
    attacked: Bitboard,
    twice: Bitboard,
    by_pawns: Bitboard,
}

impl<'a, N: WeightSource> Clash<'a, N> {
    /// Looks at a position from one camp.
    pub(super) fn between(w: N, camp: &'a Camp, foe: &'a Camp) -> Clash<'a, N> {
        Clash {
            w,
            us: camp.view,
            army: &camp.army,
            camp,
            foe,
            enemy: foe.view.all.flip_vertical(),
            attacked: foe.army.attacked.flip_vertical(),
            twice: foe.army.twice.flip_vertical(),
            by_pawns: foe.army.attacks[PAWN].flip_vertical(),
        }
    }

    /// The sum of it, for us.
    pub(super) fn weigh(&self, side: usize, trace: &mut impl Trace) -> S {
        let (threats, passed, space) = (self.threats(), self.passed(), self.space());
        let gathered = self.danger();
        let danger = self.weigh_danger(gathered);
        trace.note(Term::Threats, side, threats);
        trace.danger(1 - side, gathered, danger);
        trace.note(Term::Passed, side, passed);
        trace.note(Term::Space, side, space);
        threats + danger + passed + space
    }

    /// Their pieces of a role, on our board.
    fn theirs(&self, role: usize) -> Bitboard {
        self.foe.view.own[role].flip_vertical()
    }

    /// What our pieces attack of theirs.
    fn threats(&self) -> S {
        let Clash { w, us, army, enemy, attacked, twice, by_pawns, .. } = *self;
        let mut score = S::ZERO;
        let strongly_held = by_pawns | (twice & !army.twice);
        let weak = enemy & !strongly_held & army.attacked;
        let pieces = enemy & !self.theirs(PAWN);

        let by_minors = army.attacks[KNIGHT] | army.attacks[BISHOP];
        let prey = (weak | pieces) & by_minors;
        let rook_prey = weak & army.attacks[ROOK];
        for role in PAWN..=QUEEN {
            let theirs = self.theirs(role);
            score += w.threat_by_minor[role] * (prey & theirs).count() as i32;
            score += w.threat_by_rook[role] * (rook_prey & theirs).count() as i32;
        }
        if weak.intersects(army.attacks[KING]) {
            score += w.threat_by_king;
        }
        let hanging = weak & (!attacked | (pieces & army.twice));
        score += w.hanging * hanging.count() as i32;
        score += w.restricted * (attacked & !strongly_held & army.attacked).count() as i32;

        let safe = !attacked | army.attacked;
        let safe_pawns = us.own[PAWN] & safe;
        score += w.threat_by_pawn * (pawn_attacks(safe_pawns) & pieces).count() as i32;
        let step = north(us.own[PAWN]) & !us.occupied;
        let pushes = step | (north(step & Bitboard(0x00ff_0000)) & !us.occupied);
        let pushes = pushes & safe & !by_pawns;
        score += w.threat_by_push * (pawn_attacks(pushes) & pieces).count() as i32;

        if let Some(queen) = self.theirs(QUEEN).single_square() {
            let safe = !us.all & !strongly_held;
            let from = attacks::knight_attacks(queen) & army.attacks[KNIGHT] & safe;
            score += w.queen_hit_by_knight * from.count() as i32;
            let from = (attacks::bishop_attacks(queen, us.occupied) & army.attacks[BISHOP])
                | (attacks::rook_attacks(queen, us.occupied) & army.attacks[ROOK]);
            score += w.queen_hit_by_slider * (from & safe & army.twice).count() as i32;
        }
        score
    }

    /// The danger that our attack brings to their king, in its own unit, whatever pawns stand before it.
    fn danger(&self) -> S {
        let Clash { w, us, army, foe, attacked, twice, .. } = *self;
        let mut danger = w.danger_base + army.danger;
        danger += w.danger_crowd * (army.attackers * (army.attackers - 1) / 2);
        if self.camp.to_move {
            danger += w.danger_to_move;
        }
        if us.own[QUEEN].is_empty() {
            danger += w.danger_no_queen;
        }
        let by_their_queen = foe.army.attacks[QUEEN].flip_vertical();
        let by_their_king = foe.army.attacks[KING].flip_vertical();
        if (foe.army.attacks[KNIGHT].flip_vertical() & by_their_king).any() {
            danger += w.danger_knight_defender;
        }
        // Held by nobody, or by king and queen alone.
        let weak = army.attacked & !twice & (!attacked | by_their_king | by_their_queen);
        danger += w.danger_weak_ring * (weak & king_ring(foe.view).flip_vertical()).count() as i32;

        let king = foe.view.king.flip_vertical();
        let ranks = attacks::rook_attacks(king, us.occupied ^ self.theirs(QUEEN));
        let diagonals = attacks::bishop_attacks(king, us.occupied ^ self.theirs(QUEEN));
        let checks = [
            attacks::knight_attacks(king) & army.attacks[KNIGHT],
            diagonals & army.attacks[BISHOP],
            ranks & army.attacks[ROOK],
            (ranks | diagonals) & army.attacks[QUEEN] & !by_their_queen,
        ];
        danger + self.checks(checks, weak) + self.pins(king, ranks, diagonals) + self.flank(king)
    }

    /// The danger of the checks that we could give next, by the square they come from, knights' first.
    fn checks(&self, checks: [Bitboard; 4], weak: Bitboard) -> S {
        let Clash { w, us, army, attacked, .. } = *self;
        let safe = !us.all & (!attacked | (weak & army.twice));
        let mut danger = S::ZERO;
        let mut unsafe_checks = Bitboard::EMPTY;
        for (role, checks) in (KNIGHT..).zip(checks) {
            let good = checks & safe;
            if good.any() {
                danger += w.danger_safe_check[role] * (1 + i32::from(good.more_than_one()));
            } else {
                unsafe_checks |= checks;
            }
        }
        danger + w.danger_unsafe_check * unsafe_checks.count() as i32
    }

    /// The danger of their pieces that stand between our sliders and their king, which sees so far.
    fn pins(&self, king: Square, ranks: Bitboard, diagonals: Bitboard) -> S {
        let own = &self.us.own;
        let sliders = (attacks::rook_attacks(king, self.enemy_blockers(ranks)) & (own[ROOK] | own[QUEEN]))
            | (attacks::bishop_attacks(king, self.enemy_blockers(diagonals)) & (own[BISHOP] | own[QUEEN]));
        self.w.danger_pinned * sliders.count() as i32
    }

    /// The danger of who rules the side of the board on which their king lives.
    fn flank(&self, king: Square) -> S {
        let camp = flank(file(king)) & Bitboard(0xffff_ffff_ff00_0000);
        let pressed = self.army.attacked & camp;
        let attacks = pressed.count() + (pressed & self.army.twice).count();
        self.w.danger_flank_attack * attacks as i32
            + self.w.danger_flank_defence * (self.attacked & camp).count() as i32
    }

    /// What such a danger is worth.
    fn weigh_danger(&self, danger: S) -> S {
        let shelter = self.w.danger_shelter.mg() * self.foe.pawns.shelter.mg() / SHELTER_UNIT;
        let mg = (danger.mg() + shelter).clamp(0, MOST_DANGER);
        s(mg * mg / DANGER_UNIT, danger.eg())
    }

    /// The board without those of their pieces that a line from their king meets first.
    fn enemy_blockers(&self, line: Bitboard) -> Bitboard {
        self.us.occupied & !(line & self.enemy)
    }

    /// What our passed pawns are worth beyond their rank.
    fn passed(&self) -> S {
        let Clash { w, us, army, foe, .. } = *self;
        let mut score = S::ZERO;
        let their_king = foe.view.king.flip_vertical();
        let bare = foe.view.pieces().is_empty();
        for square in self.camp.pawns.passed {
            let at = rank(square);
            let stop = north(Bitboard::from_square(square));
            let stop_at = stop.first().unwrap_or(square);
            score += w.passed_own_king[at] * us.king.distance(stop_at) as i32;
            score += w.passed_enemy_king[at] * their_king.distance(stop_at) as i32;
            if stop.intersects(us.occupied) {
                score += w.passed_blocked[at];
            }
            if stop.intersects(army.attacked) {
                score += w.passed_defended_stop;
            }
            let path = FILES[file(square)] & above(square);
            score += self.escort(square, stop, path);
            if bare && path.is_disjoint(us.occupied) {
                let steps = (7 - at - usize::from(at == 1)) as u32;
                let goal = path.last().unwrap_or(square);
                if their_king.distance(goal) > steps + u32::from(!self.camp.to_move) {
                    score += w.unstoppable;
                }
            }
        }
        score
    }

    /// What rooks behind a passed pawn and their attacks on its way are worth.
    fn escort(&self, square: Square, stop: Bitboard, path: Bitboard) -> S {
        let Clash { w, us, attacked, .. } = *self;
        let at = rank(square);
        let behind = fill_south(south(Bitboard::from_square(square)));
        let rooks = behind & attacks::rook_attacks(square, us.occupied);
        let mut bad = attacked;
        let mut score = S::ZERO;
        if rooks.intersects(self.theirs(ROOK)) {
            score += w.passed_enemy_rook_behind;
            bad = Bitboard::FULL;
        } else if rooks.intersects(us.own[ROOK]) {
            score += w.passed_rook_behind;
        }
        if stop.is_disjoint(bad) {
            score += w.passed_safe_stop[at];
            if path.is_disjoint(bad | self.enemy) {
                score += w.passed_safe_path[at];
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
        self.w.space * (squares * us.pieces().count() / 8) as i32
    }
}
