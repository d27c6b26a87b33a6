//! Principal variations: the triangular array that the node routine fills, and the completion of a line from
//! the table.

use crate::chess::Position;
use crate::chess::movegen::{Generator, decode};
use crate::chess::score::{self, DRAW, INFINITE, MATE, MAX_PLY, Value};
use crate::minimax::Window;
use crate::search::control::Bound;
use crate::search::mate::line::{Announcer, MateLine, Remembered};
use crate::search::state::{ModeRules, Pv, Search};
use crate::search::transposition::Entry;
use arrayvec::ArrayVec;
use shakmaty::{Move, Position as _};

/// Positions that the lines of a mate may cost in any case, all lines of one root together: a few milliseconds.
const MATE_LINES: u64 = 8_000;

/// Beyond that, one for so many moves that the search has made.
const MATE_LINES_SHARE: u64 = 4;

/// Positions that one line may cost.
const MATE_LINE: u64 = 20_000;

/// One line of play.
pub(super) type Line = ArrayVec<Move, MAX_PLY>;

/// The best line found below each ply.
pub(super) struct PvTable(Box<[Line]>);

impl PvTable {
    pub(super) fn new() -> PvTable {
        PvTable(vec![Line::new(); MAX_PLY + 1].into_boxed_slice())
    }

    /// Nothing is known below this ply (yet).
    pub(super) fn clear(&mut self, ply: usize) {
        self.0[ply].clear();
    }

    /// `m`, followed by the best line of its child, is the best at `ply`.
    pub(super) fn extend(&mut self, ply: usize, m: Move) {
        let (upper, lower) = self.0.split_at_mut(ply + 1);
        let (line, rest) = (&mut upper[ply], &lower[0]);
        line.clear();
        line.push(m);
        line.extend(rest.iter().copied().take(MAX_PLY - 1));
    }

    /// The best line from `ply` on.
    pub(super) fn at(&self, ply: usize) -> &[Move] {
        &self.0[ply]
    }
}

impl Search<'_> {
    /// Makes a line presentable: cut where the game ends, continued by the table's moves up to `depth` plies,
    /// and searched on move by move where the table has forgotten before half of that. A line that announces
    /// a mate is that mate, move by move; a mate that a game's search announced too late is announced in time.
    /// Where the line cannot be shown, the announcement is a bound: the mate lasts so long at most. A side that is
    /// mated may be shown another first move where it is `free` to: the one that holds out longest.
    pub(super) fn complete_line<R: ModeRules>(
        &mut self,
        root: &Position,
        (found, free): (&[Move], bool),
        depth: i32,
        (value, bound): (&mut Value, &mut Bound),
    ) -> Vec<Move> {
        if score::is_mate(*value) {
            let first = found.first().filter(|_| *value > DRAW || !free);
            if let Some(line) = self.mate_line::<R>(root, first, *value) {
                *value = value.signum() * (MATE - line.len() as Value);
                return line;
            }
            if R::SELECTIVE && *bound == Bound::Exact {
                *bound = if *value > DRAW { Bound::Lower } else { Bound::Upper };
            }
        }
        let depth = (depth.max(1) as usize).min(MAX_PLY - 2);
        let keys = self.keys.len();
        let mut line: Vec<Move> = Vec::with_capacity(depth);
        let mut position = root.clone();
        while line.len() < MAX_PLY - 2 && (line.is_empty() || !self.is_over::<R>(&position)) {
            let next = match found.get(line.len()) {
                Some(&m) => Some(m),
                None if line.len() >= depth => None,
                None => self.table_move(&position).or_else(|| {
                    let short = 2 * line.len() < depth;
                    short.then(|| self.searched_move::<R>(&position, line.len())).flatten()
                }),
            };
            let Some(m) = next else { break };
            self.keys.push(position.key());
            position = position.play(m);
            line.push(m);
        }
        self.keys.truncate(keys);
        line
    }

    /// The mate that `value` announces, or a sooner one, but that only for games: the values of the other modes
    /// are measured, and stay; and not where a mated side was left but one move. It takes no moves from the limits
    /// of the search, but keeps to its time.
    fn mate_line<R: ModeRules>(
        &mut self,
        root: &Position,
        first: Option<&Move>,
        value: Value,
    ) -> Option<Vec<Move>> {
        let plies = score::mate_in_plies(value)?;
        let mut mates = self.take_mate_search(root, value > DRAW);
        let most = MATE_LINES + self.stats.made_moves / MATE_LINES_SHARE;
        let budget = most.saturating_sub(mates.shown).min(MATE_LINE);
        let mut search = MateLine::new(self, &mut mates.prover, budget);
        let line = search.find(root, first.copied(), plies.unsigned_abs());
        mates.shown += budget - search.left();
        self.mates = Some(mates);
        let line = line?;
        let sooner = line.len() != plies as usize;
        let inexact = sooner && (!R::SELECTIVE || value < DRAW && first.is_some());
        if inexact {
            return None;
        }
        let (keys, mut position, mut drawn) = (self.keys.len(), root.clone(), false);
        for &m in &line[..line.len() - 1] {
            self.keys.push(position.key());
            position = position.play(m);
            drawn |= self.is_over::<R>(&position);
        }
        self.keys.truncate(keys);
        (!drawn).then_some(line)
    }

    /// Mate, stalemate or a draw by any rule.
    fn is_over<R: ModeRules>(&mut self, position: &Position) -> bool {
        self.draw_or_max_ply::<R>(position, 0).is_some() || position.chess().legal_moves().is_empty()
    }

    fn table_move(&self, position: &Position) -> Option<Move> {
        best_move(position, &self.tt.probe(position.key())?)
    }

    /// The best move of a search of its own, one ply deep.
    fn searched_move<R: ModeRules>(&mut self, position: &Position, ply: usize) -> Option<Move> {
        self.node::<R, Pv>(position, Window::new(-INFINITE, INFINITE), 1, ply).ok()?;
        self.pv_table.at(ply).first().copied().or_else(|| self.table_move(position))
    }
}

impl Announcer for Search<'_> {
    /// Mates hold at any depth.
    fn remembered(&self, position: &Position) -> Remembered {
        let Some(entry) = self.tt.probe(position.key()) else { return Remembered::default() };
        let plies = |value: Value| score::mate_in_plies(value).map(Value::unsigned_abs);
        let mates = if entry.lower > DRAW { plies(entry.lower) } else { None };
        Remembered {
            best: mates.and_then(|_| best_move(position, &entry)),
            mates,
            mated: if entry.upper < DRAW { plies(entry.upper) } else { None },
        }
    }

    fn goes_on(&mut self) -> bool {
        self.poll_control_now().is_ok()
    }
}

/// The move that an entry remembers, if it is legal.
fn best_move(position: &Position, entry: &Entry) -> Option<Move> {
    decode(position, entry.best).filter(|&m| Generator::new(position).is_legal(m))
}
