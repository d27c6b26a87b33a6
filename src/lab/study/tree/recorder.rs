//! Recorder of a search: the observer that turns visits into events, and the paths to them into the nodes of
//! a tree that all searches of a page share.

use super::record::{Class, Event, Relation};
use crate::minimax::driver::Bracket;
use crate::minimax::observer::{NodeKind, Observer, Visit};
use crate::minimax::window::Window;
use crate::search::{Reason, VisitPurpose};
use std::collections::HashMap;

/// Edge from a node to its child in the recorded tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Edge<M> {
    /// A move.
    Move(M),
    /// A null move.
    NullMove,
    /// The same position without its best move (singular search).
    Without(Option<M>),
    /// The same position, to verify the cut-off of a null move.
    Verification,
}

impl<M> Edge<M> {
    fn new(m: Option<M>, role: VisitPurpose) -> Edge<M> {
        match (role, m) {
            (VisitPurpose::Singular, m) => Edge::Without(m),
            (VisitPurpose::Verification, _) => Edge::Verification,
            (_, Some(m)) => Edge::Move(m),
            (_, None) => Edge::NullMove,
        }
    }

    /// True if the side to move changes.
    fn moves(&self) -> bool {
        matches!(self, Edge::Move(_) | Edge::NullMove)
    }
}

/// A node of the tree: a path from the root.
#[derive(Clone, Debug)]
pub(super) struct TreeNode<M> {
    /// The node above; `None` for the root.
    pub(super) parent: Option<usize>,
    /// The edge from there; that of the root has no meaning.
    pub(super) edge: Edge<M>,
    /// True if MAX, the side to move at the root, is to move.
    pub(super) max: bool,
    children: Vec<usize>,
}

/// The nodes that any of the searches has visited, or pruned; node 0 is the root.
#[derive(Clone, Debug)]
pub(super) struct Tree<M> {
    pub(super) nodes: Vec<TreeNode<M>>,
}

impl<M: Copy + PartialEq> Tree<M> {
    /// A tree of the root alone.
    pub(super) fn new() -> Tree<M> {
        let root = TreeNode { parent: None, edge: Edge::NullMove, max: true, children: Vec::new() };
        Tree { nodes: vec![root] }
    }

    /// The child of `parent` on this edge; a new one if there is none yet.
    pub(super) fn child(&mut self, parent: usize, edge: Edge<M>) -> usize {
        let mut children = self.nodes[parent].children.iter();
        if let Some(&known) = children.find(|&&child| self.nodes[child].edge == edge) {
            return known;
        }
        let max = self.nodes[parent].max != edge.moves();
        self.nodes.push(TreeNode { parent: Some(parent), edge, max, children: Vec::new() });
        let child = self.nodes.len() - 1;
        self.nodes[parent].children.push(child);
        child
    }
}

/// A visit that has not ended.
struct Open {
    node: usize,
    /// Index of its event.
    event: usize,
    window: Window<i32>,
    depth: i32,
    kind: NodeKind,
    below_leaf: bool,
    /// True once a move of it was searched.
    searched: bool,
}

/// A pass, or a completion of a principal variation, that has not ended.
enum Task {
    /// A pass over the root, or over one of its moves.
    Pass(Option<usize>, Window<i32>),
    /// Completion of a principal variation.
    Line,
}

/// The observer of one search.
pub(super) struct VisitRecorder<'t, M> {
    pub(super) tree: &'t mut Tree<M>,
    /// Every event so far.
    pub(super) events: Vec<Event>,
    /// Visits so far.
    pub(super) visits: usize,
    /// Every value lies strictly between `-limit` and `limit`.
    limit: i32,
    stack: Vec<Open>,
    announced: Option<(Option<M>, VisitPurpose)>,
    /// The end of a line that the next visit completes.
    line: Option<usize>,
    task: Task,
    /// Depth of the running iteration, and its passes so far.
    iteration: (i32, u32),
    /// The bracket of the root, and with MTD-best of each of its moves.
    brackets: HashMap<Option<usize>, Bracket<i32>>,
}

impl<'t, M: Copy + PartialEq> VisitRecorder<'t, M> {
    /// Before the first visit of a search.
    pub(super) fn new(tree: &'t mut Tree<M>, limit: i32) -> VisitRecorder<'t, M> {
        VisitRecorder {
            tree,
            events: Vec::new(),
            visits: 0,
            limit,
            stack: Vec::new(),
            announced: None,
            line: None,
            task: Task::Line,
            iteration: (0, 0),
            brackets: HashMap::new(),
        }
    }

    /// A bound for the record: infinite ones are `None`.
    pub(super) fn finite(&self, bound: i32) -> Option<i32> {
        (bound.abs() < self.limit).then_some(bound)
    }

    fn bounds(&self, window: Window<i32>) -> (Option<i32>, Option<i32>) {
        (self.finite(window.alpha), self.finite(window.beta))
    }

    /// A value seen from MAX.
    fn seen_from_max(&self, node: usize, value: i32) -> i32 {
        if self.tree.nodes[node].max { value } else { -value }
    }

    /// The last pass searched one move alone: its node, and the bracket of its move (MTD-best in the engine).
    pub(super) fn amend_pass(&mut self, m: M, (lower, upper): (i32, i32)) {
        let node = self.tree.child(0, Edge::Move(m));
        let bracket = (self.finite(lower), self.finite(upper));
        if let Some(Event::End { lower, upper, .. }) = self.events.last_mut() {
            (*lower, *upper) = bracket;
        }
        let pass = self.events.iter_mut().rfind(|event| matches!(event, Event::Pass { .. }));
        if let Some(Event::Pass { of, .. }) = pass {
            *of = Some(node);
        }
    }

    /// Relation of the last value of a root move to its true one, after passes that searched it alone; `None`
    /// where there were none.
    pub(super) fn relation(&mut self, m: M) -> Option<Relation> {
        let node = self.tree.child(0, Edge::Move(m));
        self.brackets.get(&Some(node)).map(|bracket| match bracket.failed_high {
            _ if !bracket.open() => Relation::Exact,
            true => Relation::AtLeast,
            false => Relation::AtMost,
        })
    }

    /// Begins a pass, or the completion of a line, with the visit of `node`.
    fn begin_task(&mut self, node: usize, window: Window<i32>, depth: i32) {
        if self.line.take().is_some() {
            self.task = Task::Line;
            self.events.push(Event::Line(node));
            return;
        }
        let of = (node > 0).then_some(node);
        let depth = depth + i32::from(of.is_some());
        if self.iteration.0 != depth {
            self.iteration = (depth, 0);
            self.brackets.clear();
        }
        self.iteration.1 += 1;
        self.task = Task::Pass(of, window);
        let window = self.bounds(window);
        self.events.push(Event::Pass { number: self.iteration.1, depth, window, of });
    }

    /// Ends a pass with its value.
    fn end_task(&mut self, value: i32) {
        let Task::Pass(of, window) = self.task else { return };
        let open = || Bracket::new(-self.limit, self.limit, 0).reopened_by(u32::MAX);
        let bracket = self.brackets.entry(of).or_insert_with(open);
        bracket.learn(window, value);
        let (lower, upper) = (bracket.lower, bracket.upper);
        self.events.push(Event::End { value, lower: self.finite(lower), upper: self.finite(upper) });
    }

    /// The node of the visit that begins, its role, and true if it is below a leaf.
    fn place(&mut self) -> (usize, VisitPurpose, bool) {
        let announced = self.announced.take();
        let Some(top) = self.stack.last() else {
            return match (self.line, announced) {
                (Some(node), _) => (node, VisitPurpose::Window, false),
                (None, Some((m, role))) => (self.tree.child(0, Edge::new(m, role)), role, false),
                (None, None) => (0, VisitPurpose::Window, false),
            };
        };
        let (m, role) = announced.unwrap_or((None, VisitPurpose::Verification));
        let below_leaf = top.below_leaf || role == VisitPurpose::Quiescence;
        (self.tree.child(top.node, Edge::new(m, role)), role, below_leaf)
    }

    /// The node type by the rules of the engine, for searches that have none.
    fn expected_kind(&self, role: VisitPurpose) -> NodeKind {
        let Some(above) = self.stack.last() else { return NodeKind::Pv };
        match above.kind {
            NodeKind::Pv if role == VisitPurpose::Research || !above.searched => NodeKind::Pv,
            NodeKind::Pv | NodeKind::All => NodeKind::Cut,
            NodeKind::Cut => NodeKind::All,
        }
    }
}

/// The class under which the search counts a visit.
fn class(open: &Open, reason: Reason) -> Class {
    match reason {
        Reason::TABLE => Class::Table,
        Reason::TABLEBASE => Class::Tablebase,
        _ if open.below_leaf => Class::Quiescence,
        _ if reason.is_leaf || open.depth <= 0 => Class::Leaf,
        _ => Class::Interior,
    }
}

/// Bound type of a value by its reason and the window; both seen from MAX.
fn relation(window: Window<i32>, value: i32, reason: Reason) -> Relation {
    let exact =
        [Reason::LEAF, Reason::GAME_OVER, Reason::DEAD_POSITION, Reason::REPETITION, Reason::FIFTY_MOVES];
    if exact.contains(&reason) {
        Relation::Exact
    } else if value >= window.beta {
        Relation::AtLeast
    } else if value <= window.alpha {
        Relation::AtMost
    } else {
        Relation::Exact
    }
}

impl<M: Copy + PartialEq> Observer<i32, M> for VisitRecorder<'_, M> {
    type Reason = Reason;
    type Role = VisitPurpose;

    fn before(&mut self, m: Option<M>, role: VisitPurpose) {
        self.announced = Some((m, role));
    }

    fn before_line(&mut self, moves: &[M]) {
        let end = moves.iter().fold(0, |node, &m| self.tree.child(node, Edge::Move(m)));
        self.line = Some(end);
    }

    fn enter(&mut self, visit: &Visit<i32>) {
        let (node, role, below_leaf) = self.place();
        let window = if self.tree.nodes[node].max { visit.window } else { visit.window.flip() };
        if self.stack.is_empty() {
            self.begin_task(node, window, visit.depth);
        }
        let kind = visit.kind.unwrap_or_else(|| self.expected_kind(role));
        if let Some(above) = self.stack.last_mut() {
            above.searched = true;
        }
        self.visits += 1;
        let (depth, event) = (visit.depth, self.events.len());
        let bounds = self.bounds(window);
        self.events.push(Event::Visit { node, depth, window: bounds, kind, role, class: Class::Interior });
        self.stack.push(Open { node, event, window, depth, kind, below_leaf, searched: false });
    }

    fn pruned(&mut self, m: M, bound: Option<i32>, reason: Reason) {
        let Some(above) = self.stack.last().map(|open| open.node) else { return };
        let node = self.tree.child(above, Edge::Move(m));
        let bound = bound.map(|bound| self.seen_from_max(above, bound));
        self.events.push(Event::Prune { node, bound, reason });
    }

    fn leave(&mut self, value: i32, reason: Reason) {
        let Some(open) = self.stack.pop() else { return };
        let class_of_visit = class(&open, reason);
        if let Some(Event::Visit { class, .. }) = self.events.get_mut(open.event) {
            *class = class_of_visit;
        }
        let value = self.seen_from_max(open.node, value);
        let relation = relation(open.window, value, reason);
        self.events.push(Event::Value { node: open.node, value, relation, reason });
        if self.stack.is_empty() {
            self.end_task(value);
        }
    }
}
