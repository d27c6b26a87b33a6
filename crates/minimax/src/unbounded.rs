//! Unbounded best-first minimax (UBFM) with completion, after Cohen-Solal and Cazenave (arXiv 2505.04525) and
//! Cohen-Solal (arXiv 2603.24572): best-first minimax of Korf and Chickering ([`super::best_first`]), begun
//! anew at the root after every expansion, with three changes that need no learning.
//!
//! - *Completion*: a node knows whether it is resolved, and whether it is won or lost. Moves are compared by
//!   that first and by value second, and what is resolved is not searched again, so that the search ends with
//!   the result of the game where the game is small enough.
//! - *A table of states*: a position that is reached in several ways is one node.
//! - *Safest decision*: of the moves that are equally complete the one searched most often is played, not the
//!   one of the best value.

use super::best_first_limits::zero;
use super::game::{Game, StopCondition};
use std::cmp::Ordering;
use std::collections::HashMap;

/// Choice of the move to play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Decision {
    /// The move of the best value.
    Best,
    /// The move that was searched most often.
    #[default]
    Safest,
}

/// Options of unbounded best-first minimax: its changes to best-first minimax (BFM).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnboundedOptions {
    /// Completion: resolved nodes are marked, and not searched again.
    pub completion: bool,
    /// Table of states: a position that is reached in several ways is one node.
    pub table: bool,
    /// Choice of the move to play.
    pub decision: Decision,
}

impl Default for UnboundedOptions {
    fn default() -> UnboundedOptions {
        UnboundedOptions { completion: true, table: true, decision: Decision::Safest }
    }
}

/// Reason for which an unbounded search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnboundedEnd {
    /// The root is resolved: its value is that of the game.
    Resolved,
    /// The principal leaf is final, and without completion nothing else would ever be searched.
    Stuck,
    /// The stop condition was met.
    Stopped,
}

/// A position. Values are from its side to move.
#[derive(Clone, Debug)]
struct State<G: Game> {
    value: G::Value,
    /// 1 if it is won, -1 if it is lost, 0 if it is drawn or not resolved.
    completion: i8,
    resolved: bool,
    /// The moves; none before the expansion.
    edges: Vec<Edge<G>>,
}

/// A move of a state.
#[derive(Clone, Debug)]
struct Edge<G: Game> {
    m: G::Move,
    /// Index of the state that it leads to.
    to: usize,
    /// Number of searches of this move.
    visits: u32,
}

/// An unbounded best-first search of one position. Its memory grows with the positions evaluated.
pub struct Unbounded<G: Game, H> {
    /// Asked before every evaluation, with the number of those made.
    pub stop: H,
    /// Positions evaluated so far.
    pub evaluations: u64,
    options: UnboundedOptions,
    root: G,
    /// The root is the first.
    states: Vec<State<G>>,
    /// Index of a state by ply and key. States of different plies are different, so that no way leads back to
    /// a state: games may repeat positions.
    known: HashMap<(u32, u64), usize>,
}

impl<G: Game, H: StopCondition> Unbounded<G, H> {
    /// A search of `root` of which nothing is expanded yet.
    #[must_use]
    pub fn new(root: G, options: UnboundedOptions, stop: H) -> Unbounded<G, H> {
        let first = State { value: root.evaluate(), completion: 0, resolved: false, edges: Vec::new() };
        Unbounded { stop, evaluations: 1, options, root, states: vec![first], known: HashMap::new() }
    }

    /// Expands principal leaves until the search ends. Can be called again.
    pub fn run(&mut self) -> UnboundedEnd {
        let mut path = Vec::new();
        loop {
            if self.states[0].resolved {
                return UnboundedEnd::Resolved;
            }
            path.clear();
            let ended = self.descend(&mut path);
            for &(state, edge) in path.iter().rev() {
                self.states[state].edges[edge].visits += 1;
                self.back_up(state);
            }
            if let Some(end) = ended {
                return end;
            }
        }
    }

    /// Goes from the root to the principal leaf and expands it. `path` receives the states on the way, each
    /// with the place of its move.
    fn descend(&mut self, path: &mut Vec<(usize, usize)>) -> Option<UnboundedEnd> {
        let (mut game, mut at) = (self.root.clone(), 0);
        while !self.states[at].edges.is_empty() {
            // Another way may have resolved all that is below: then this state is backed up, and nothing
            // more.
            let Some(edge) = self.next(at) else {
                self.back_up(at);
                return None;
            };
            let Edge { m, to, .. } = self.states[at].edges[edge];
            path.push((at, edge));
            game = game.play(m);
            at = to;
        }
        self.expand(at, &game, path.len() as u32)
    }

    /// The place of the move that is searched next: the best one that is not resolved, of equals the one
    /// searched least.
    fn next(&self, at: usize) -> Option<usize> {
        let edges = self.states[at].edges.iter().enumerate();
        let open = edges.filter(|(_, edge)| !(self.options.completion && self.states[edge.to].resolved));
        open.max_by(|(_, a), (_, b)| self.compare(a, b).then(b.visits.cmp(&a.visits))).map(|(place, _)| place)
    }

    /// Compares moves by completion and value.
    fn compare(&self, a: &Edge<G>, b: &Edge<G>) -> Ordering {
        let [a, b] = [a, b].map(|edge| &self.states[edge.to]);
        let by_value = b.value.partial_cmp(&a.value).unwrap_or(Ordering::Equal);
        b.completion.cmp(&a.completion).then(by_value)
    }

    /// Generates and evaluates the children of a leaf; a final position is resolved.
    fn expand(&mut self, at: usize, game: &G, ply: u32) -> Option<UnboundedEnd> {
        let moves = game.moves();
        if moves.is_empty() {
            if !self.options.completion {
                return Some(UnboundedEnd::Stuck);
            }
            let state = &mut self.states[at];
            state.resolved = true;
            state.completion = sign::<G>(state.value);
            return None;
        }
        let mut edges = Vec::with_capacity(moves.len());
        for m in moves {
            if self.stop.should_stop(self.evaluations) {
                return Some(UnboundedEnd::Stopped);
            }
            edges.push(Edge { m, to: self.child(&game.play(m), ply + 1), visits: 0 });
        }
        self.states[at].edges = edges;
        self.back_up(at);
        None
    }

    /// The state of a position `ply` plies from the root: the one that is known, or a new one.
    fn child(&mut self, game: &G, ply: u32) -> usize {
        let place = self.states.len();
        if self.options.table {
            let known = *self.known.entry((ply, game.key())).or_insert(place);
            if known < place {
                return known;
            }
        }
        self.evaluations += 1;
        self.states.push(State { value: game.evaluate(), completion: 0, resolved: false, edges: Vec::new() });
        place
    }

    /// Backs up completion, value and resolution of the children.
    fn back_up(&mut self, at: usize) {
        let edges = &self.states[at].edges;
        let Some(best) = edges.iter().max_by(|a, b| self.compare(a, b)).map(|edge| edge.to) else { return };
        let all = edges.iter().all(|edge| self.states[edge.to].resolved);
        let (value, completion) = (-self.states[best].value, -self.states[best].completion);
        let state = &mut self.states[at];
        (state.value, state.completion) = (value, completion);
        state.resolved = self.options.completion && (completion > 0 || all);
    }

    /// The root's value for its side to move.
    pub fn value(&self) -> G::Value {
        self.states[0].value
    }

    /// The move to play; `None` before the first expansion and where there is none.
    pub fn decide(&self) -> Option<G::Move> {
        let by_visits = |a: &Edge<G>, b: &Edge<G>| a.visits.cmp(&b.visits);
        let completion =
            |a: &Edge<G>, b: &Edge<G>| self.states[b.to].completion.cmp(&self.states[a.to].completion);
        let edges = self.states[0].edges.iter();
        let chosen = match self.options.decision {
            Decision::Best => edges.max_by(|a, b| self.compare(a, b).then(by_visits(a, b))),
            Decision::Safest => {
                edges.max_by(|a, b| completion(a, b).then(by_visits(a, b)).then(self.compare(a, b)))
            }
        };
        chosen.map(|edge| edge.m)
    }

    /// The length of the principal variation in plies.
    pub fn depth(&self) -> u32 {
        let best =
            |at: usize| self.states[at].edges.iter().max_by(|a, b| self.compare(a, b)).map(|edge| edge.to);
        std::iter::successors(best(0), |&at| best(at)).count() as u32
    }
}

/// 1 for a value above zero, -1 for one below.
fn sign<G: Game>(value: G::Value) -> i8 {
    let zero = zero::<G>();
    i8::from(value > zero) - i8::from(value < zero)
}

#[cfg(test)]
mod tests {
    use super::super::best_first::BestFirst;
    use super::super::best_first_limits::{SearchLimits, StopReason};
    use super::super::game::NeverStop;
    use super::*;
    use crate::games::korf::RandomGame;

    const NONE: UnboundedOptions =
        UnboundedOptions { completion: false, table: false, decision: Decision::Best };

    /// Numbers are taken in turn, one or two at a time, from a heap; who takes the last one wins. Many orders
    /// lead to the same position, and nothing but the end has a value.
    #[derive(Clone, Copy, Debug)]
    struct Heap(u8);

    impl Game for Heap {
        type Value = i32;
        type Move = u8;

        const LIMIT: i32 = 100;

        fn moves(&self) -> Vec<u8> {
            (1..=self.0.min(2)).collect()
        }

        fn play(&self, taken: u8) -> Heap {
            Heap(self.0 - taken)
        }

        fn evaluate(&self) -> i32 {
            if self.0 == 0 { -10 } else { 0 }
        }

        fn key(&self) -> u64 {
            u64::from(self.0)
        }
    }

    fn solved(root: Heap, options: UnboundedOptions) -> Unbounded<Heap, NeverStop> {
        let mut search = Unbounded::new(root, options, NeverStop);
        assert_eq!(search.run(), UnboundedEnd::Resolved);
        search
    }

    #[test]
    fn completion_solves_a_game_and_plays_its_winning_move() {
        for heap in 1..14 {
            for decision in [Decision::Best, Decision::Safest] {
                let search = solved(Heap(heap), UnboundedOptions { decision, ..UnboundedOptions::default() });
                let won = heap % 3 != 0;
                assert_eq!(search.value(), if won { 10 } else { -10 }, "{heap}");
                if won {
                    assert_eq!(search.decide(), Some(heap % 3), "{heap}");
                }
            }
        }
    }

    #[test]
    fn completion_finds_the_value_of_random_games() {
        for seed in 0..20 {
            let game = RandomGame::new(seed, 4, 6);
            let mut search = Unbounded::new(game, UnboundedOptions::default(), NeverStop);
            assert_eq!(search.run(), UnboundedEnd::Resolved);
            let mut best_first = BestFirst::new(
                game,
                SearchLimits { win: RandomGame::LIMIT, ..SearchLimits::to_depth(99) },
                NeverStop,
            );
            assert_eq!(best_first.run(), StopReason::Exhausted);
            // A win is as good as any other: the values have the same sign.
            assert_eq!(search.value().signum(), best_first.value().signum(), "{seed}");
        }
    }

    #[test]
    fn a_table_saves_evaluations() {
        let with = |table| solved(Heap(12), UnboundedOptions { table, ..UnboundedOptions::default() });
        let (shared, apart) = (with(true), with(false));
        assert!(2 * shared.evaluations < apart.evaluations, "{} {}", shared.evaluations, apart.evaluations);
        assert_eq!(shared.states.len() as u64, shared.evaluations);
    }

    #[test]
    fn without_the_changes_it_is_best_first_minimax() {
        for seed in 0..50 {
            let game = RandomGame::new(seed, 5, 8);
            let mut search = Unbounded::new(game, NONE, NeverStop);
            assert_eq!(search.run(), UnboundedEnd::Stuck);
            let mut best_first = BestFirst::new(game, SearchLimits::to_depth(99), NeverStop);
            assert_eq!(best_first.run(), StopReason::Win);
            let of_both =
                [(search.value(), search.evaluations), (best_first.value(), best_first.evaluations)];
            assert_eq!(of_both[0], of_both[1], "{seed}");
        }
    }

    #[test]
    fn a_stop_ends_it_and_the_safest_move_is_the_one_searched_most() {
        let game = RandomGame::new(7, 20, 60);
        let mut search = Unbounded::new(game, UnboundedOptions::default(), |evaluations| evaluations >= 500);
        assert_eq!(search.run(), UnboundedEnd::Stopped);
        assert_eq!(search.evaluations, 500);
        let most = search.states[0].edges.iter().max_by_key(|edge| edge.visits).unwrap();
        assert_eq!(search.decide(), Some(most.m));
        assert!(search.depth() > 0);
    }
}
