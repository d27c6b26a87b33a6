//! Completion of a principal variation: with moves from the transposition table, with shallow searches where
//! it has none, and with every move of a mate that is announced.

use crate::chess::Position;
use crate::chess::movegen::{Generator, decode};
use crate::chess::score::{self, DRAW, INFINITE, MATE, MAX_PLY, Value};
use crate::minimax::Window;
use crate::search::control::Bound;
use crate::search::mate::line::{MateLine, MateSource, TtMate};
use crate::search::state::{ModeRules, Pv, Search};
use crate::search::transposition::Entry;
use shakmaty::Move;

/// Budget of the lines of a mate, all lines of one root together, in positions: a few milliseconds.
const MATE_LINES_BUDGET: u64 = 8_000;

/// Made moves of the search for each position beyond [`MATE_LINES_BUDGET`].
const MATE_LINES_SHARE: u64 = 4;

/// Budget of one line, in positions.
const MATE_LINE_BUDGET: u64 = 20_000;

impl Search<'_> {
    /// Completes a line: ends it where the game ends, continues it with the transposition table's moves up to
    /// `depth` plies, and with shallow searches where the table has no move before half of that. A line that
    /// announces a mate is replaced by the moves of that mate; in play mode by those of a sooner one, if
    /// there is one, whose length `value` then is. Where no such line is found, `bound` says in play mode
    /// that the mate lasts so long at most. For the side that is mated the first move may change where
    /// `free`: to the one that holds out longest.
    pub(in crate::search) fn complete_line<R: ModeRules>(
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
        let keys = self.key_history.length();
        let mut line: Vec<Move> = Vec::with_capacity(depth);
        let mut position = root.clone();
        while line.len() < MAX_PLY - 2 && (line.is_empty() || !self.is_drawn::<R>(&position)) {
            let next = match found.get(line.len()) {
                Some(&m) => Some(m),
                None if line.len() >= depth => None,
                None => self.tt_move(&position).or_else(|| {
                    let too_short = 2 * line.len() < depth && position.has_legal_moves();
                    too_short.then(|| self.shallow_search_move::<R>(&position, &line)).flatten()
                }),
            };
            let Some(m) = next else { break };
            self.key_history.push(position.key());
            position = position.play(m);
            line.push(m);
        }
        self.key_history.shorten(keys);
        line
    }

    /// The line of the mate that `value` announces. A sooner one is returned only in play mode (the values of
    /// the other modes are measured, and stay), and not where the first move of a mated side was given. Its
    /// positions do not count towards the node limit of the search; the search control is polled.
    fn mate_line<R: ModeRules>(
        &mut self,
        root: &Position,
        first: Option<&Move>,
        value: Value,
    ) -> Option<Vec<Move>> {
        let plies = score::mate_in_plies(value)?;
        let mut mates = self.take_mate_search(root, value > DRAW);
        let total = MATE_LINES_BUDGET + self.stats.made_moves / MATE_LINES_SHARE;
        let budget = total.saturating_sub(mates.line_positions).min(MATE_LINE_BUDGET);
        let mut search = MateLine::new(self, &mut mates.prover, budget);
        let line = search.find(root, first.copied(), plies.unsigned_abs());
        mates.line_positions += budget - search.left();
        self.mate_search = Some(mates);
        let line = line?;
        let sooner = line.len() != plies as usize;
        let inexact = sooner && (!R::SELECTIVE || value < DRAW && first.is_some());
        if inexact {
            return None;
        }
        let (keys, mut position, mut drawn) = (self.key_history.length(), root.clone(), false);
        for &m in &line[..line.len() - 1] {
            self.key_history.push(position.key());
            position = position.play(m);
            drawn |= self.is_drawn::<R>(&position) || !position.has_legal_moves();
        }
        self.key_history.shorten(keys);
        (!drawn).then_some(line)
    }

    /// A draw by any rule but stalemate.
    fn is_drawn<R: ModeRules>(&mut self, position: &Position) -> bool {
        self.draw_or_max_ply::<R>(position, 0).is_some()
    }

    /// The transposition table's move, if it is legal.
    fn tt_move(&self, position: &Position) -> Option<Move> {
        best_move(position, &self.tt.probe(position.key())?)
    }

    /// The best move of a search of its own, one ply deep.
    fn shallow_search_move<R: ModeRules>(&mut self, position: &Position, line: &[Move]) -> Option<Move> {
        let ply = line.len();
        self.report_next_line::<R>(line);
        self.node::<R, Pv>(position, Window::new(-INFINITE, INFINITE), 1, ply).ok()?;
        self.pv_table.at(ply).first().copied().or_else(|| self.tt_move(position))
    }
}

impl MateSource for Search<'_> {
    /// Bounds that announce a mate hold at any depth.
    fn tt_mate(&self, position: &Position) -> TtMate {
        let Some(entry) = self.tt.probe(position.key()) else { return TtMate::default() };
        let plies = |value: Value| score::mate_in_plies(value).map(Value::unsigned_abs);
        let mates = if entry.lower > DRAW { plies(entry.lower) } else { None };
        TtMate {
            best: mates.and_then(|_| best_move(position, &entry)),
            mates,
            mated: if entry.upper < DRAW { plies(entry.upper) } else { None },
        }
    }

    fn may_continue(&mut self) -> bool {
        self.poll_control_now().is_ok()
    }
}

/// The move of an entry, if it is legal.
fn best_move(position: &Position, entry: &Entry) -> Option<Move> {
    decode(position, entry.best).filter(|&m| Generator::new(position).is_legal(m))
}
