//! Recorded searches of chess: the engine's own search, in any mode, from an empty transposition table and
//! with every iteration.

use super::Request;
use super::record::{Counts, GameInfo, Nodes, Record, Run, board_text};
use super::recorder::{Edge, Tree, VisitRecorder};
use crate::chess::Position;
use crate::chess::game::Game;
use crate::chess::score::{INFINITE, MATE, UNITS_PER_PAWN};
use crate::lab::base::formats::san;
use crate::lab::study::trace::error::RecordError;
use crate::lab::study::trace::root::root;
use crate::search::{Driver, Limits, Pass, SearchControl, SearchObserver, Searcher, Settings};
use shakmaty::{Chess, Move, Position as _, Square};
use std::collections::HashMap;

/// Made moves between two polls of the number of visits.
const POLL: u64 = 256;

/// The search control that records.
struct Control<'t> {
    recorder: VisitRecorder<'t, Move>,
    most: usize,
    stop: &'t dyn Fn() -> bool,
    stopped: bool,
}

impl SearchControl for Control<'_> {
    fn poll(&mut self, nodes: u64) -> Option<u64> {
        self.stopped |= (self.stop)() || self.recorder.visits > self.most;
        (!self.stopped).then_some(nodes + POLL)
    }

    fn pass(&mut self, pass: &Pass) {
        if let Some(m) = pass.of {
            self.recorder.amend_pass(m, pass.bracket);
        }
    }

    fn observer(&mut self) -> Option<&mut dyn SearchObserver> {
        Some(&mut self.recorder)
    }
}

/// Searches a position, without a FEN the start, with every backend of the request, under common settings.
///
/// # Errors
/// If the root cannot be read or has no move, a backend is no driver, there is no memory for the table, a
/// search makes too many visits, or `stop` said so.
pub(super) fn record(
    fen: Option<&str>,
    request: &Request,
    stop: &dyn Fn() -> bool,
) -> Result<Record, RecordError> {
    let game = root(fen)?;
    let mut searcher = Searcher::with_own_table(request.hash)?;
    let mut tree = Tree::new();
    let mut runs = Vec::new();
    for backend in &request.backends {
        let driver = backend.driver().ok_or_else(|| {
            RecordError::Unreadable(format!("{backend} is recorded in textbook games, and not in chess"))
        })?;
        runs.push(run(&mut searcher, &game, driver, &mut tree, request, stop)?);
    }
    let info = GameInfo {
        name: "chess".to_owned(),
        position: game.fen(),
        depth: request.depth,
        mode: request.settings.mode.name().to_owned(),
        infinity: INFINITE,
        unit: UNITS_PER_PAWN,
        measure: "pawns",
        mate: Some(MATE),
    };
    let mut nodes = describe(game.position(), &tree);
    nodes.learn_leaves(&runs);
    Ok(Record::new(info, nodes, runs))
}

fn run(
    searcher: &mut Searcher,
    game: &Game,
    driver: Driver,
    tree: &mut Tree<Move>,
    request: &Request,
    stop: &dyn Fn() -> bool,
) -> Result<Run, RecordError> {
    let mut settings = Settings { backend: driver.into(), ..request.settings.clone() };
    settings.drivers.aspiration_window = request.window.unwrap_or(settings.drivers.aspiration_window);
    let limits = Limits { depth: request.depth, guess: request.guess, ..Limits::default() };
    let recorder = VisitRecorder::new(tree, INFINITE);
    let most = request.visits;
    let mut control = Control { recorder, most, stop, stopped: false };
    searcher.forget();
    let outcome = searcher.search(game.position(), &[], &settings, &limits, &mut control);
    if control.recorder.visits > most {
        return Err(RecordError::TooManyVisits { backend: driver.into(), most });
    }
    if control.stopped {
        return Err(RecordError::Stopped);
    }
    let stats = &outcome.stats;
    let counts = Counts {
        interior: stats.interior,
        leaf: stats.leaf,
        quiescence: stats.quiescence,
        table: stats.table,
        passes: stats.passes(),
    };
    let chess = game.position().chess();
    Ok(Run {
        driver: driver.name().to_owned(),
        alias: driver.alias().to_owned(),
        guess: request.guess,
        value: outcome.value,
        relation: outcome.bound.into(),
        best: outcome.best.map_or_else(String::new, |m| san::write(chess, m)),
        counts,
        events: control.recorder.events,
    })
}

/// The board of a position.
fn board(chess: &Chess) -> String {
    let piece = |square: u32| Some(chess.board().piece_at(Square::new(square))?.char());
    board_text(piece, chess.turn().is_white())
}

/// The columns of the nodes.
fn describe(root: &Position, tree: &Tree<Move>) -> Nodes {
    let mut nodes = Nodes::default();
    let mut games: Vec<Position> = Vec::with_capacity(tree.nodes.len());
    let mut positions = HashMap::new();
    for node in &tree.nodes {
        let above = node.parent.map_or(root, |parent| &games[parent]);
        let write = |m: Move| san::write(above.chess(), m);
        let (game, text) = match node.edge {
            _ if node.parent.is_none() => (above.clone(), String::new()),
            Edge::Move(m) => (above.play(m), write(m)),
            Edge::NullMove => (above.null_move().unwrap_or_else(|| above.clone()), "null move".to_owned()),
            Edge::Without(Some(m)) => (above.clone(), format!("without {}", write(m))),
            Edge::Without(None) => (above.clone(), "without the best move".to_owned()),
            Edge::Verification => (above.clone(), "without null move".to_owned()),
        };
        let next = positions.len();
        nodes.parent.push(node.parent);
        nodes.moves_to.push(text);
        nodes.name.push(String::new());
        nodes.max.push(node.max);
        nodes.moves.push(game.chess().legal_moves().len());
        let position = *positions.entry(game.key()).or_insert(next);
        if position == next {
            nodes.boards.push(board(game.chess()));
        }
        nodes.position.push(position);
        games.push(game);
    }
    nodes
}
