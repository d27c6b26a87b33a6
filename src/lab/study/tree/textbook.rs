//! Recorded searches of textbook games: the report's tree, trees given as text, random trees, Othello and
//! checkers, searched to one depth by the textbook's node routine.

use super::record::{Counts, Event, GameInfo, Nodes, Record, Relation, Run};
use super::recorder::{Edge, Tree, VisitRecorder};
use super::{Request, unrecorded};
use crate::lab::study::trace::error::RecordError;
use crate::minimax::deepening::iterate;
use crate::minimax::drivers::{Driver, DriverSettings};
use crate::minimax::ins::Ins;
use crate::minimax::memory::UnboundedTable;
use crate::minimax::mt::{self, MtOptions, Search};
use crate::minimax::window::Window;
use crate::minimax::{Game, Stopped};
use crate::search::Backend;
use std::collections::HashMap;

/// Largest tree whose unvisited nodes are part of the record, too.
const COMPLETE: usize = 5000;

/// A textbook game and what its record needs beyond the rules.
pub(super) struct RecordedGame<G: Game> {
    /// The root.
    pub(super) root: G,
    /// Name, root, depth, unit.
    pub(super) info: GameInfo,
    /// A move as text.
    pub(super) label: fn(&G, G::Move) -> String,
    /// The name of a node in a figure; empty for none.
    pub(super) name: fn(&G) -> String,
    /// The board of a node, as [`Nodes::boards`] has it; `None` for trees without a board.
    pub(super) board: Option<fn(&G) -> String>,
    /// Half the first window of Aspiration NegaScout, and the step of MTD-step.
    pub(super) window: i32,
    /// True if nodes that no search visits are recorded, where there are not too many.
    pub(super) complete: bool,
    /// True if moves are ordered by table and history heuristic; else they are searched as given.
    pub(super) reorders: bool,
}

impl<G: Game<Value = i32>> RecordedGame<G> {
    /// Searches with every backend.
    ///
    /// # Errors
    /// If a search makes too many visits, or `stop` said so.
    pub(super) fn record(&self, request: &Request, stop: &dyn Fn() -> bool) -> Result<Record, RecordError> {
        let mut tree = Tree::new();
        if self.complete {
            self.add_all_nodes(&mut tree);
        }
        let mut runs = Vec::new();
        for &backend in &request.backends {
            let recorder = VisitRecorder::new(&mut tree, G::LIMIT);
            let ends =
                move |visits: u64| visits >= request.visits as u64 || visits.is_multiple_of(1024) && stop();
            let run = match backend {
                Backend::Driver(driver) => self.run(driver, request, ends, recorder),
                Backend::Ins => self.run_informed(ends, recorder),
                other => return Err(unrecorded(other)),
            };
            runs.push(run.map_err(|Stopped| match stop() {
                true => RecordError::Stopped,
                false => RecordError::TooManyVisits { backend, most: request.visits },
            })?);
        }
        Ok(Record::new(self.info.clone(), self.describe(&tree), runs))
    }

    /// One search by a driver, with an empty memory.
    fn run(
        &self,
        driver: Driver,
        request: &Request,
        ends: impl FnMut(u64) -> bool,
        recorder: VisitRecorder<'_, G::Move>,
    ) -> Result<Run, Stopped> {
        let aspiration_window = request.window.unwrap_or(self.window);
        let settings = DriverSettings { aspiration_window, stride: self.window, ..DriverSettings::EXACT };
        let options = MtOptions { reorders: self.reorders, ..MtOptions::default() };
        let (root, depth) = (self.root.clone(), self.info.depth.unsigned_abs());
        let mut search = Search::with_observer(root, depth, UnboundedTable::new(), options, ends, recorder);
        let guess = request.guess.unwrap_or_else(|| self.root.evaluate());
        let (value, best, passes) = iterate(&mut search, driver.with(settings), guess)?;
        let counts = counts(&search.counts, passes);
        let of_move = |index: usize| search.observer.relation(self.root.moves()[index]);
        let found = best.filter(|_| !driver.gives_value()).and_then(of_move);
        let value = (value, found.unwrap_or(Relation::Exact));
        Ok(self.recorded(driver.into(), Some(guess), (value, best), counts, search.observer.events))
    }

    /// One search by INS, which has no guess and one pass.
    fn run_informed(
        &self,
        ends: impl FnMut(u64) -> bool,
        recorder: VisitRecorder<'_, G::Move>,
    ) -> Result<Run, Stopped> {
        let mut search: Ins<G, _, _> = Ins::with_observer(ends, usize::MAX, recorder);
        let window = Window::new(-G::LIMIT, G::LIMIT);
        let (value, best) = search.search(&self.root, self.info.depth.unsigned_abs(), window)?;
        let counts = counts(&search.traversal.counts, 1);
        let found = ((value, Relation::Exact), best);
        Ok(self.recorded(Backend::Ins, None, found, counts, search.observer.events))
    }

    fn recorded(
        &self,
        backend: Backend,
        guess: Option<i32>,
        ((value, relation), best): ((i32, Relation), Option<usize>),
        counts: Counts,
        events: Vec<Event>,
    ) -> Run {
        let best = best.and_then(|index| self.root.moves().get(index).copied());
        Run {
            driver: backend.name().to_owned(),
            alias: backend.alias().to_owned(),
            guess,
            value,
            relation,
            best: best.map_or_else(String::new, |m| (self.label)(&self.root, m)),
            counts,
            events,
        }
    }

    /// Adds all nodes down to the horizon, in level order; none if there are more than [`COMPLETE`].
    fn add_all_nodes(&self, tree: &mut Tree<G::Move>) {
        let mut row = vec![(0, self.root.clone())];
        for _ in 0..self.info.depth {
            let mut below = Vec::new();
            for (node, game) in row {
                for m in game.moves() {
                    if tree.nodes.len() >= COMPLETE {
                        *tree = Tree::new();
                        return;
                    }
                    below.push((tree.child(node, Edge::Move(m)), game.play(m)));
                }
            }
            row = below;
        }
    }

    /// The columns of the nodes.
    fn describe(&self, tree: &Tree<G::Move>) -> Nodes {
        let mut nodes = Nodes::default();
        let mut games: Vec<G> = Vec::with_capacity(tree.nodes.len());
        let mut plies: Vec<i32> = Vec::with_capacity(tree.nodes.len());
        let mut positions = HashMap::new();
        for node in &tree.nodes {
            let above = node.parent.map(|parent| games[parent].clone());
            let (game, text) = match (above, node.edge) {
                (Some(above), Edge::Move(m)) => (above.play(m), (self.label)(&above, m)),
                _ => (self.root.clone(), String::new()),
            };
            let next = positions.len();
            nodes.parent.push(node.parent);
            nodes.moves_to.push(text);
            nodes.name.push((self.name)(&game));
            nodes.max.push(node.max);
            nodes.moves.push(game.moves().len());
            let position = *positions.entry(game.key()).or_insert(next);
            if let Some(board) = self.board.filter(|_| position == next) {
                nodes.boards.push(board(&game));
            }
            nodes.position.push(position);
            let ply = node.parent.map_or(0, |parent| plies[parent] + 1);
            let value = if node.max { game.evaluate() } else { -game.evaluate() };
            let leaf = ply == self.info.depth || game.moves().is_empty();
            nodes.leaf.push(leaf.then_some((Some(value), Some(value))));
            plies.push(ply);
            games.push(game);
        }
        nodes
    }
}

/// The counts of a textbook search, for the record.
fn counts(counts: &mt::Counts, passes: u32) -> Counts {
    Counts {
        interior: counts.interior,
        leaf: counts.leaf,
        quiescence: 0,
        table: counts.table,
        passes: u64::from(passes),
    }
}
