//! Games by name: their roots, the labels of their moves, and the depth that stays readable.

use super::record::{GameInfo, board_text};
use super::textbook::RecordedGame;
use crate::games::checkers::{self, Board, Checkers};
use crate::games::explicit::{Branch, Explicit};
use crate::games::othello::{Othello, Square, square_name};
use crate::games::random_tree::{ChildOrder, RandomTree, Shape, Values};
use crate::lab::study::trace::error::RecordError;
use crate::minimax::Game;

/// Largest depth of a textbook game, in plies.
const DEEPEST: i32 = 60;

/// Numbers that the values of random trees are drawn from.
const RANDOM_VALUES: u16 = 100;

/// A game whose searches can be recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameName {
    /// The tree of TR figures 3 to 7.
    Report,
    /// A uniform random tree.
    Random,
    /// Othello.
    Othello,
    /// Checkers.
    Checkers,
    /// Chess from a FEN; from the start position without one.
    Chess(Option<String>),
    /// A tree given as text.
    Drawn(Branch),
}

impl GameName {
    /// Reads a name, a tree in parentheses, or a FEN.
    ///
    /// # Errors
    /// If it is none of them.
    pub fn parse(text: &str) -> Result<GameName, RecordError> {
        let text = text.trim();
        match text.to_ascii_lowercase().as_str() {
            "report" => Ok(GameName::Report),
            "random" => Ok(GameName::Random),
            "othello" => Ok(GameName::Othello),
            "checkers" => Ok(GameName::Checkers),
            "chess" => Ok(GameName::Chess(None)),
            _ if text.starts_with('(') => text.parse().map(GameName::Drawn).map_err(RecordError::Unreadable),
            _ if text.contains('/') => Ok(GameName::Chess(Some(text.to_owned()))),
            _ => Err(RecordError::Unreadable(format!(
                "'{text}' is no game (known: report, random, othello, checkers, chess, a FEN, or a tree as \
                in \"((3 5) (2 9))\")"
            ))),
        }
    }

    /// A depth in plies whose tree is still legible.
    #[must_use]
    pub fn usual_depth(&self) -> i32 {
        match self {
            GameName::Drawn(_) => DEEPEST,
            GameName::Report | GameName::Random | GameName::Checkers => 4,
            GameName::Othello | GameName::Chess(_) => 3,
        }
    }

    /// True for games that can begin at several positions.
    pub(super) fn has_positions(&self) -> bool {
        matches!(self, GameName::Othello | GameName::Checkers | GameName::Chess(_))
    }
}

/// A uniform random tree; its depth is that of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RandomTreeShape {
    /// Children of an interior node, 1 or more.
    pub width: u16,
    /// Per cent of the nodes whose first child is best; `None` for no order.
    pub ordered: Option<u8>,
    /// Seed of its values.
    pub seed: u64,
}

impl Default for RandomTreeShape {
    fn default() -> RandomTreeShape {
        RandomTreeShape { width: 3, ordered: None, seed: 1 }
    }
}

/// An explicit tree: that of the report, or a drawn one.
pub(super) fn explicit(branch: Option<&Branch>, depth: i32) -> RecordedGame<Explicit> {
    let (root, name, letters): (_, _, fn(&Explicit) -> String) = match branch {
        Some(branch) => (Explicit::new(branch), "drawn tree", |_| String::new()),
        None => (Explicit::report(), "tree of the report", letter),
    };
    let depth = depth.min(root.height().min(DEEPEST as u32) as i32);
    let info = info::<Explicit>(name, root.to_string(), depth);
    RecordedGame {
        root,
        info,
        label: |_, m| (m + 1).to_string(),
        name: letters,
        board: None,
        window: 10,
        complete: true,
        reorders: false,
    }
}

/// The letters that the text of the report gives to the nodes of figures 3 to 7.
fn letter(node: &Explicit) -> String {
    /// The keys of the nodes a, b, c, ...
    const KEYS: [u64; 19] = [0, 1, 3, 7, 15, 8, 17, 2, 5, 11, 23, 12, 25, 16, 26, 6, 13, 27, 28];
    let mut lettered = KEYS.into_iter().zip('a'..);
    lettered.find(|(key, _)| *key == node.key()).map_or_else(String::new, |(_, letter)| letter.to_string())
}

/// A uniform random tree.
pub(super) fn random(random: &RandomTreeShape, depth: i32) -> RecordedGame<RandomTree> {
    let RandomTreeShape { width, ordered, seed } = *random;
    let order = ordered.map_or(ChildOrder::Random, ChildOrder::Ordered);
    let values = Values::Repeated(RANDOM_VALUES);
    let shape = Shape { width, depth: depth.unsigned_abs(), order, values };
    let order =
        ordered.map_or_else(|| "no order".to_owned(), |percent| format!("first move best in {percent} %"));
    let position = format!("width {width}, {order}, seed {seed}");
    RecordedGame {
        root: RandomTree::new(shape, seed),
        info: info::<RandomTree>("random tree", position, depth),
        label: |_, m| (m + 1).to_string(),
        name: |_| String::new(),
        board: None,
        window: 10,
        complete: true,
        reorders: false,
    }
}

/// Othello after some moves, as in `d3c5f6`.
///
/// # Errors
/// If one of the moves is illegal.
pub(super) fn othello(moves: Option<&str>, depth: i32) -> Result<RecordedGame<Othello>, RecordError> {
    let mut root = Othello::start();
    let text = moves.unwrap_or_default();
    let mut rest = text.replace(' ', "");
    while !rest.is_empty() {
        let wanted = |m: &Square| rest.starts_with(&square_name(*m));
        let found = root.moves().into_iter().find(wanted);
        let Some(m) = found else {
            let wrong = format!("'{rest}' does not begin with a legal move of Othello");
            return Err(RecordError::Unreadable(wrong));
        };
        root = root.play(m);
        rest.drain(..square_name(m).len());
    }
    if root.moves().is_empty() {
        return Err(RecordError::Over);
    }
    Ok(RecordedGame {
        root,
        info: measured::<Othello>(
            "Othello",
            if text.is_empty() { "the start" } else { text }.to_owned(),
            depth,
            "discs",
        ),
        label: |_, m| square_name(m),
        name: |_| String::new(),
        board: Some(board_of_othello),
        window: 300,
        complete: false,
        reorders: true,
    })
}

/// Checkers from a board, as [`Board::parse`] reads it.
///
/// # Errors
/// If the board cannot be read, or has no move.
pub(super) fn checkers(board: Option<&str>, depth: i32) -> Result<RecordedGame<Checkers>, RecordError> {
    let root = match board {
        None => Checkers::start(),
        Some(text) => Checkers::on(
            Board::parse(text)
                .ok_or_else(|| RecordError::Unreadable(format!("'{text}' is no board of checkers")))?,
        ),
    };
    if root.moves().is_empty() {
        return Err(RecordError::Over);
    }
    Ok(RecordedGame {
        info: measured::<Checkers>("checkers", root.board.to_string(), depth, "men"),
        root,
        label: checkers_move,
        name: |_| String::new(),
        board: Some(board_of_checkers),
        window: 50,
        complete: false,
        reorders: true,
    })
}

/// A game whose values are whole numbers.
fn info<G: Game<Value = i32>>(name: &str, position: String, depth: i32) -> GameInfo {
    let (name, depth) = (name.to_owned(), depth.min(DEEPEST));
    GameInfo { name, position, depth, infinity: G::LIMIT, unit: 1, ..GameInfo::default() }
}

/// A game whose values are hundredths of a disc or of a man.
fn measured<G: Game<Value = i32>>(
    name: &str,
    position: String,
    depth: i32,
    measure: &'static str,
) -> GameInfo {
    GameInfo { unit: 100, measure, ..info::<G>(name, position, depth) }
}

fn board_of_othello(game: &Othello) -> String {
    let (black, white) = if game.black { (game.own, game.foe) } else { (game.foe, game.own) };
    let disc = |square: u32| match (black >> square & 1, white >> square & 1) {
        (1, _) => Some('d'),
        (_, 1) => Some('D'),
        _ => None,
    };
    board_text(disc, !game.black)
}

/// The board with Black below, who goes up.
fn board_of_checkers(game: &Checkers) -> String {
    let seen = if game.board.white { game.board.turned() } else { game.board };
    let man = |square: u32| {
        let piece = if seen.kings >> square & 1 == 1 { 'c' } else { 'm' };
        match (seen.own >> square & 1, seen.their >> square & 1) {
            (1, _) => Some(piece),
            (_, 1) => Some(piece.to_ascii_uppercase()),
            _ => None,
        }
    };
    board_text(man, game.board.white)
}

/// A move of checkers by its squares as Black sees them; the board is seen from the side to move. The squares
/// between are named where two moves have the same ends.
fn checkers_move(game: &Checkers, m: checkers::Move) -> String {
    let seen = |at: u8| square_name(if game.board.white { 63 - at } else { at });
    let ends = |m: &checkers::Move| (m.from, m.to);
    let alone = game.board.moves().iter().filter(|other| ends(other) == ends(&m)).count() < 2;
    let way = if alone { vec![m.to] } else { game.board.landings(m) };
    let sign = if m.captured == 0 { "-" } else { "x" };
    std::iter::once(m.from).chain(way).map(seen).collect::<Vec<_>>().join(sign)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_named_drawn_or_given_by_a_fen() {
        assert_eq!(GameName::parse(" Othello").unwrap(), GameName::Othello);
        assert!(matches!(GameName::parse("((1 2) 3)").unwrap(), GameName::Drawn(_)));
        assert!(matches!(GameName::parse("8/8/8 w").unwrap(), GameName::Chess(Some(_))));
        for wrong in ["", "go", "((1 2)", "(1 x)"] {
            assert!(GameName::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn moves_of_othello_are_read_and_illegal_ones_refused() {
        let first = square_name(Othello::start().moves()[0]);
        let played = othello(Some(&first), 2).unwrap();
        assert_ne!(played.root, Othello::start());
        assert!(othello(Some("a1"), 2).is_err());
    }

    #[test]
    fn boards_are_written_from_the_top_whoever_is_to_move() {
        let othello = board_of_othello(&Othello::start());
        let side = othello.split_once(' ').unwrap().1;
        assert_eq!(side, if Othello::start().black { "b" } else { "w" });
        assert_eq!(othello.matches(['d', 'D']).count(), 4);
        assert!(othello.starts_with("8/8/8/3") && othello.contains("3/8/8/8 "), "{othello}");
        let start = Checkers::start();
        let board = "1M1M1M1M/M1M1M1M1/1M1M1M1M/8/8/m1m1m1m1/1m1m1m1m/m1m1m1m1";
        assert_eq!(board_of_checkers(&start), format!("{board} b"));
        let passed = Checkers::on(start.board.turned());
        assert_eq!(board_of_checkers(&passed), format!("{board} w"));
        let kings = Checkers::on(Board { kings: start.board.own, ..start.board });
        assert!(board_of_checkers(&kings).ends_with("/8/8/c1c1c1c1/1c1c1c1c/c1c1c1c1 b"));
    }

    #[test]
    fn two_moves_of_checkers_never_have_one_name() {
        let names = |board: &str| {
            let game = Checkers::on(Board::parse(board).unwrap());
            let mut names: Vec<_> = game.moves().into_iter().map(|m| checkers_move(&game, m)).collect();
            names.sort_unstable();
            names
        };
        let forked = "......../......../......../..w.w.../......../..w.w.../...b..../......w. b";
        assert_eq!(names(forked), ["d2xb4xd6", "d2xf4xd6"]);
        let circle = "......../......../......../..w.w.../.B....../..w.w.../......../........ b";
        assert_eq!(names(circle), ["b4xb4"]);
    }

    #[test]
    fn both_sides_of_checkers_name_squares_alike() {
        let start = Checkers::start();
        let m = start.moves()[0];
        let reply = start.play(m);
        assert!(
            checkers_move(&start, m).as_bytes()[1] < checkers_move(&reply, reply.moves()[0]).as_bytes()[1]
        );
    }
}
