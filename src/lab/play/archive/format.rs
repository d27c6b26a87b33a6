//! viriformat: whole games in binary, with a score for every move. The format is public (crate `viriformat`
//! 3), and trainers read it. It takes some four bytes a position, and positions can be filtered and rescored
//! from the games.
//!
//! A file is games one behind the other, all numbers little-endian, squares from A1 = 0 to H8 = 63. A game is
//!
//! | bytes | what |
//! |--:|---|
//! | 8 | occupied squares |
//! | 16 | a piece a half byte, lowest first: pawn 0 to king 5, rook that may castle 6; black + 8 |
//! | 1 | square behind a pawn that moved two (64: none), + 128 where black is to move |
//! | 1 | half-move clock |
//! | 2 | number of the move |
//! | 2 | a score of the position; here that of the first move |
//! | 1 | result: 0 black has won, 1 draw, 2 white has won |
//! | 1 | free in the format; here why the game ended ([`Termination`], counted from 1), 0: unknown |
//! | 4 each | a move and its score |
//! | 4 | zeros |
//!
//! A move is from + 64 to + 4096 promotion (knight 0 to queen 3) + 16384 kind (en passant 1, castling 2,
//! promotion 3); castling is the king taking its rook. Scores are for **white**, in centipawns; beyond
//! [`CERTAIN`] they are mates (32,000 less the plies to it) or known to the endgame tables; [`UNSCORED`] is
//! no score.
//!
//! The crate itself is not used: it depends on a second chess library, and panics on damaged files.

use crate::chess::Position;
use crate::chess::game::Game;
use crate::chess::score::{EVAL_LIMIT, UNITS_PER_PAWN, Value, is_decisive};
use crate::lab::base::records::fingerprint::{EMPTY, extend};
use crate::lab::play::referee::{FinishedGame, Termination};
use shakmaty::{Bitboard, Board, Color, EnPassantMode, Move, Piece, Position as _, Role, Setup, Square};
use std::fmt;
use std::io::{self, ErrorKind, Read};
use std::num::NonZeroU32;

/// Largest score that is an estimate, in centipawns: scores beyond it are mates or tablebase wins.
pub const CERTAIN: i16 = EVAL_LIMIT as i16;

/// In place of the score of a move that has none (a move from a book, an engine that reported none): such a
/// move is neither a training position nor evidence. The format has no sign for it; other programs take it
/// for a mate, and leave it out too.
pub const UNSCORED: i16 = i16::MAX;

/// Most plies of a game that is read: by the rule of seventy-five moves one ends after some 17,700.
const MOST_PLIES: usize = 20_000;

/// Bytes before the first move.
const HEAD: usize = 32;

/// Bytes of a move with its score.
const PLY: usize = 4;

/// In place of the en passant square where there is none.
const NO_SQUARE: u8 = 64;

/// Added to the en passant square if black is to move.
const BLACK_TO_MOVE: u8 = 128;

/// Code of a rook that may still castle.
const UNMOVED_ROOK: u8 = 6;

/// Added to a black piece.
const BLACK: u8 = 8;

/// Kinds of moves.
const EN_PASSANT: u16 = 1;
const CASTLING: u16 = 2;
const PROMOTION: u16 = 3;

/// Pieces that a pawn can become, in the order of the format.
const PROMOTIONS: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// A move with its score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoredMove {
    /// The move.
    pub played: Move,
    /// Centipawns for white; see [`CERTAIN`].
    pub score: i16,
}

/// A whole game.
#[derive(Clone, Debug)]
pub struct StoredGame {
    /// The first position.
    pub opening: Game,
    /// Its moves.
    pub plies: Vec<ScoredMove>,
    /// The winner; `None` is a draw.
    pub winner: Option<Color>,
    /// The reason why it ended, if that is known.
    pub reason: Option<Termination>,
}

/// Reason why no game could be read.
#[derive(Debug)]
pub enum Damage {
    /// The file ends in the middle of a game.
    Torn,
    /// The bytes are no game.
    Wrong(String),
    /// The file cannot be read.
    Unreadable(io::Error),
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Damage::Torn => write!(f, "the file ends in the middle of it"),
            Damage::Wrong(why) => write!(f, "{why}"),
            Damage::Unreadable(error) => write!(f, "{error}"),
        }
    }
}

/// Converts a value for the side to move, in units of evaluation, into a score for white, in centipawns;
/// [`UNSCORED`] without a value.
#[must_use]
pub fn score(value: Option<Value>, turn: Color) -> i16 {
    let Some(value) = value else { return UNSCORED };
    let value = if is_decisive(value) {
        value
    } else {
        (value * 100 / UNITS_PER_PAWN).clamp(-EVAL_LIMIT, EVAL_LIMIT)
    };
    let value = if turn.is_white() { value } else { -value };
    i16::try_from(value).unwrap_or(if value < 0 { i16::MIN } else { i16::MAX })
}

impl StoredGame {
    /// A game of the referee.
    #[must_use]
    pub fn new(opening: &Game, game: &FinishedGame) -> StoredGame {
        let mut turn = opening.position().turn();
        let mut plies = Vec::with_capacity(game.plies.len());
        for ply in &game.plies {
            plies.push(ScoredMove { played: ply.played, score: score(ply.value, turn) });
            turn = !turn;
        }
        StoredGame { opening: opening.clone(), plies, winner: game.winner, reason: Some(game.reason) }
    }

    /// Shows every position of the game with the move that was played in it.
    pub fn for_each(&self, mut show: impl FnMut(&Position, ScoredMove)) {
        let mut position = self.opening.position().clone();
        for &ply in &self.plies {
            show(&position, ply);
            position = position.play(ply.played);
        }
    }

    /// A contradiction between result, reason and last position of the game, in words. Other programs may use
    /// the byte of the reason for something else.
    #[must_use]
    pub fn contradiction(&self) -> Option<String> {
        let reason = self.reason?;
        let mut last = self.opening.position().clone();
        self.plies.iter().for_each(|ply| last = last.play(ply.played));
        let result = crate::lab::base::formats::pgn::result(self.winner);
        let fits = reason.suits(&last, self.winner);
        (!fits).then(|| format!("its result, {result}, contradicts its end, {reason}"))
    }

    /// The points of White.
    #[must_use]
    pub fn points(&self) -> f32 {
        match self.winner {
            Some(Color::White) => 1.0,
            None => 0.5,
            Some(Color::Black) => 0.0,
        }
    }

    /// The game as bytes.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEAD + PLY * (self.plies.len() + 1));
        let first = self.plies.first().map_or(0, |ply| ply.score);
        let setup = self.opening.position().chess().to_setup(EnPassantMode::Legal);
        bytes.extend(setup.board.occupied().0.to_le_bytes());
        bytes.extend(pieces(&setup));
        let turn = if setup.turn.is_black() { BLACK_TO_MOVE } else { 0 };
        bytes.push(turn | setup.ep_square.map_or(NO_SQUARE, u8::from));
        bytes.push(u8::try_from(setup.halfmoves).unwrap_or(u8::MAX));
        bytes.extend(u16::try_from(setup.fullmoves.get()).unwrap_or(u16::MAX).to_le_bytes());
        bytes.extend(first.to_le_bytes());
        bytes.push(match self.winner {
            Some(Color::Black) => 0,
            None => 1,
            Some(Color::White) => 2,
        });
        bytes.push(self.reason.map_or(0, |reason| reason as u8 + 1));
        for ply in &self.plies {
            bytes.extend(pack(ply.played).to_le_bytes());
            bytes.extend(ply.score.to_le_bytes());
        }
        bytes.extend([0; PLY]);
        bytes
    }

    fn read_head(head: &[u8; HEAD]) -> Result<StoredGame, String> {
        let mut occupied = [0; 8];
        occupied.copy_from_slice(&head[..8]);
        let mut setup = Setup::empty();
        place(&mut setup, Bitboard(u64::from_le_bytes(occupied)), &head[8..24])?;
        setup.turn = Color::from_white(head[24] & BLACK_TO_MOVE == 0);
        setup.ep_square = match head[24] & !BLACK_TO_MOVE {
            NO_SQUARE => None,
            square => {
                Some(Square::try_from(square).map_err(|_| "there is no such en passant square".to_owned())?)
            }
        };
        setup.halfmoves = head[25].into();
        let fullmoves = u16::from_le_bytes([head[26], head[27]]);
        setup.fullmoves = NonZeroU32::new(fullmoves.into()).unwrap_or(NonZeroU32::MIN);
        let winner = match head[30] {
            0 => Some(Color::Black),
            1 => None,
            2 => Some(Color::White),
            other => return Err(format!("{other} is no result")),
        };
        let reason =
            usize::from(head[31]).checked_sub(1).and_then(|index| Termination::ALL.get(index)).copied();
        let opening = Game::from_setup(setup).map_err(|error| error.to_string())?;
        Ok(StoredGame { opening, plies: Vec::new(), winner, reason })
    }
}

/// The pieces of a position, two to a byte.
fn pieces(setup: &Setup) -> [u8; 16] {
    let mut packed = [0; 16];
    for (index, square) in setup.board.occupied().into_iter().enumerate() {
        let Some(piece) = setup.board.piece_at(square) else { continue };
        let role = if setup.castling_rights.contains(square) { UNMOVED_ROOK } else { piece.role as u8 - 1 };
        let code = role | if piece.color.is_black() { BLACK } else { 0 };
        // Games accept positions of at most 32 pieces.
        if let Some(byte) = packed.get_mut(index / 2) {
            *byte |= code << (4 * (index % 2));
        }
    }
    packed
}

/// The inverse of [`pieces`].
fn place(setup: &mut Setup, occupied: Bitboard, packed: &[u8]) -> Result<(), String> {
    let mut board = Board::empty();
    for (index, square) in occupied.into_iter().enumerate() {
        let Some(byte) = packed.get(index / 2) else {
            return Err("there are more than 32 pieces".to_owned());
        };
        let code = byte >> (4 * (index % 2)) & 15;
        let role = match code & !BLACK {
            UNMOVED_ROOK => {
                setup.castling_rights.add(square);
                Role::Rook
            }
            role => Role::ALL.get(usize::from(role)).copied().ok_or("there is no such piece")?,
        };
        board.set_piece_at(square, Piece { color: Color::from_white(code & BLACK == 0), role });
    }
    setup.board = board;
    Ok(())
}

/// A move in 16 bits; never 0, since no move goes from A1 to A1.
fn pack(m: Move) -> u16 {
    let squares = |from: Square, to: Square| u16::from(u8::from(from)) | u16::from(u8::from(to)) << 6;
    match m {
        Move::Normal { from, to, promotion, .. } => {
            let piece = PROMOTIONS.iter().position(|&role| Some(role) == promotion);
            squares(from, to) | piece.map_or(0, |piece| (piece as u16) << 12 | PROMOTION << 14)
        }
        Move::EnPassant { from, to } => squares(from, to) | EN_PASSANT << 14,
        Move::Castle { king, rook } => squares(king, rook) | CASTLING << 14,
        // Occurs only in other variants of chess.
        Move::Put { to, .. } => squares(to, to),
    }
}

/// The legal move of 16 bits.
fn unpack(packed: u16, position: &Position) -> Option<Move> {
    let square = |bits: u16| Square::try_from((bits & 63) as u8).ok();
    let (from, to) = (square(packed)?, square(packed >> 6)?);
    let board = position.board();
    let normal = |promotion| {
        let (role, capture) = (board.role_at(from)?, board.role_at(to));
        Some(Move::Normal { role, from, capture, to, promotion })
    };
    let m = match packed >> 14 {
        EN_PASSANT => Move::EnPassant { from, to },
        CASTLING => Move::Castle { king: from, rook: to },
        PROMOTION => normal(Some(PROMOTIONS[usize::from(packed >> 12 & 3)]))?,
        _ => normal(None)?,
    };
    position.chess().is_legal(m).then_some(m)
}

/// Reader of games one after the other; a file may be larger than the memory.
pub struct Reader<R> {
    source: R,
    games: u64,
    at: u64,
    digest: u64,
}

impl<R: Read> Reader<R> {
    /// Reads from a source, which should be buffered.
    pub fn new(source: R) -> Reader<R> {
        Reader { source, games: 0, at: 0, digest: EMPTY }
    }

    /// The next game; `None` at the end.
    ///
    /// # Errors
    /// If what follows is no whole game. Nothing can be read after that.
    pub fn next_game(&mut self) -> Result<Option<StoredGame>, Damage> {
        let mut head = [0; HEAD];
        match fill(&mut self.source, &mut head)? {
            0 => return Ok(None),
            HEAD => {}
            _ => return Err(Damage::Torn),
        }
        let mut game = StoredGame::read_head(&head).map_err(Damage::Wrong)?;
        let mut digest = extend(self.digest, &head);
        let mut position = game.opening.position().clone();
        loop {
            let mut ply = [0; PLY];
            if fill(&mut self.source, &mut ply)? < PLY {
                return Err(Damage::Torn);
            }
            digest = extend(digest, &ply);
            if ply == [0; PLY] {
                break;
            }
            let number = game.plies.len() + 1;
            let packed = u16::from_le_bytes([ply[0], ply[1]]);
            let played = unpack(packed, &position).filter(|_| number <= MOST_PLIES);
            let played = played.ok_or_else(|| Damage::Wrong(format!("its ply {number} is no legal move")))?;
            game.plies.push(ScoredMove { played, score: i16::from_le_bytes([ply[2], ply[3]]) });
            position = position.play(played);
        }
        self.games += 1;
        self.digest = digest;
        self.at += (HEAD + PLY * (game.plies.len() + 1)) as u64;
        Ok(Some(game))
    }

    /// Number of whole games that were read.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Checksum of the whole games that were read.
    #[must_use]
    pub fn digest(&self) -> u64 {
        self.digest
    }

    /// Bytes of the whole games that were read: the offset of the next one.
    #[must_use]
    pub fn at(&self) -> u64 {
        self.at
    }
}

/// Fills `bytes` as far as the source goes, and returns the number of bytes read.
fn fill(source: &mut impl Read, bytes: &mut [u8]) -> Result<usize, Damage> {
    let mut length = 0;
    while length < bytes.len() {
        match source.read(&mut bytes[length..]) {
            Ok(0) => break,
            Ok(read) => length += read,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(Damage::Unreadable(error)),
        }
    }
    Ok(length)
}

#[cfg(test)]
impl StoredGame {
    /// A game for tests: its moves as text, each with its score.
    pub(in crate::lab) fn of_moves<'m>(
        opening: Game,
        moves: impl IntoIterator<Item = (&'m str, i16)>,
        winner: Option<Color>,
        reason: Option<Termination>,
    ) -> StoredGame {
        let (mut now, mut plies) = (opening.clone(), Vec::new());
        for (text, score) in moves {
            let played = now.parse_move(text).unwrap();
            plies.push(ScoredMove { played, score });
            now.play(played);
        }
        StoredGame { opening, plies, winner, reason }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::score::MATE;
    use crate::random::SplitMix64;

    /// The example of the format's own description: 1. e4 e5 2. Qh5 Ke7 3. Qxe5#, with the halves of the
    /// piece bytes exchanged: the description shows the first of two pieces in the upper half, the crate
    /// keeps it in the lower.
    const EXAMPLE: &str = "ffff00000000ffff 1642256100000000 888888889ecaade9 40 00 0100 0000 02 00 \
                           0c070a00 34091400 c309e2ff 3c0dff7f 2709ff7f 00000000";

    fn example() -> Vec<u8> {
        let digits: String = EXAMPLE.split_whitespace().collect();
        let byte = |at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap();
        (0..digits.len()).step_by(2).map(byte).collect()
    }

    fn read(bytes: &[u8]) -> Result<Option<StoredGame>, Damage> {
        Reader::new(bytes).next_game()
    }

    fn saved(fen: &str, moves: &[&str]) -> StoredGame {
        let moves = moves.iter().enumerate().map(|(index, &text)| (text, index as i16 * 10 - 10));
        StoredGame::of_moves(Game::parse_fen(fen).unwrap(), moves, None, None)
    }

    fn same(a: &StoredGame, b: &StoredGame) {
        assert_eq!(a.opening.fen(), b.opening.fen());
        assert_eq!((&a.plies, a.winner, a.reason), (&b.plies, b.winner, b.reason));
    }

    #[test]
    fn the_published_example_is_read_and_written() {
        let game = read(&example()).unwrap().unwrap();
        assert_eq!(game.opening.fen(), Game::new().fen());
        let scores: Vec<i16> = game.plies.iter().map(|ply| ply.score).collect();
        assert_eq!(scores, [10, 20, -30, 32_767, 32_767]);
        assert_eq!((game.winner, game.reason), (Some(Color::White), None));
        let mut now = game.opening.clone();
        let moves: Vec<String> = game
            .plies
            .iter()
            .map(|ply| {
                let text = now.print_move(ply.played);
                now.play(ply.played);
                text
            })
            .collect();
        assert_eq!(moves, ["e2e4", "e7e5", "d1h5", "e8e7", "h5e5"]);
        assert_eq!(now.end(), Some(crate::chess::game::End::Checkmate));
        // The score of the position is free; it is written as that of the first move.
        let mut wanted = example();
        wanted[28..30].copy_from_slice(&10i16.to_le_bytes());
        assert_eq!(game.bytes(), wanted);
    }

    #[test]
    fn a_result_that_contradicts_the_end_is_told() {
        let mut game = read(&example()).unwrap().unwrap();
        assert_eq!(game.contradiction(), None, "the reason is not known");
        for (reason, winner, fits) in [
            (Termination::Checkmate, Some(Color::White), true),
            (Termination::Checkmate, None, false),
            (Termination::Checkmate, Some(Color::Black), false),
            (Termination::Won, Some(Color::White), false),
            (Termination::Drawn, None, false),
        ] {
            (game.reason, game.winner) = (Some(reason), winner);
            assert_eq!(game.contradiction().is_none(), fits, "{reason} {winner:?}");
        }
        game.plies.pop();
        for (reason, winner, fits) in [
            (Termination::Checkmate, Some(Color::White), false),
            (Termination::Stalemate, None, false),
            (Termination::Won, Some(Color::Black), true),
            (Termination::Won, None, false),
            (Termination::Time, Some(Color::Black), true),
            (Termination::Time, Some(Color::White), false),
            (Termination::Crash, Some(Color::Black), true),
            (Termination::Illegal, None, false),
            (Termination::Repetition, None, true),
            (Termination::Repetition, Some(Color::White), false),
        ] {
            (game.reason, game.winner) = (Some(reason), winner);
            assert_eq!(game.contradiction().is_none(), fits, "{reason} {winner:?}");
        }
    }

    #[test]
    fn special_moves_have_their_kinds() {
        let white = "r3k2r/1P6/8/4pP2/8/8/8/R3K2R w KQkq e6 3 40";
        for (moves, packed) in [
            (&["e1g1"][..], 4 | 7 << 6 | CASTLING << 14),
            (&["e1c1"], 4 | CASTLING << 14),
            (&["f5e6"], 37 | 44 << 6 | EN_PASSANT << 14),
            (&["b7b8q"], 49 | 57 << 6 | 3 << 12 | PROMOTION << 14),
            (&["b7a8n"], 49 | 56 << 6 | PROMOTION << 14),
            (&["e1e2", "e8g8"], 4 | 12 << 6),
        ] {
            let game = saved(white, moves);
            let bytes = game.bytes();
            assert_eq!(u16::from_le_bytes([bytes[32], bytes[33]]), packed, "{moves:?}");
            assert_eq!(bytes[24..28], [44, 3, 40, 0]);
            same(&read(&bytes).unwrap().unwrap(), &game);
        }
    }

    #[test]
    fn castling_rights_and_the_side_to_move_come_back() {
        for fen in [
            "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 7 12",
            "4k3/8/8/8/8/8/8/4K2R b - - 0 1",
            "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1",
            "rnbqkbnr/pppp1ppp/8/8/4pP2/8/PPPPP1PP/RNBQKBNR b KQkq f3 0 3",
        ] {
            let game = saved(fen, &[]);
            let back = read(&game.bytes()).unwrap().unwrap();
            same(&back, &game);
            assert_eq!(back.opening.position().key(), game.opening.position().key(), "{fen}");
        }
    }

    #[test]
    fn random_games_come_back() {
        let mut random = SplitMix64::new(7);
        let mut bytes = Vec::new();
        let mut games = Vec::new();
        for number in 0..30 {
            let mut game = saved("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", &[]);
            let mut now = game.opening.clone();
            while now.end().is_none() && game.plies.len() < 150 {
                let moves = now.legal_moves();
                let played = moves[random.below(moves.len())];
                game.plies.push(ScoredMove { played, score: random.next() as i16 });
                now.play(played);
            }
            game.winner = [None, Some(Color::White), Some(Color::Black)][number % 3];
            game.reason = Termination::ALL.get(number).copied();
            bytes.extend(game.bytes());
            games.push(game);
        }
        let mut reader = Reader::new(&bytes[..]);
        for game in &games {
            same(&reader.next_game().unwrap().unwrap(), game);
        }
        assert!(reader.next_game().unwrap().is_none());
        assert_eq!((reader.games(), reader.at()), (30, bytes.len() as u64));
    }

    #[test]
    fn scores_are_for_white() {
        assert_eq!([score(Some(55), Color::White), score(Some(55), Color::Black)], [55, -55]);
        assert_eq!(
            [score(Some(MATE - 3), Color::White), score(Some(MATE - 3), Color::Black)],
            [31_997, -31_997]
        );
        assert_eq!(score(Some(-EVAL_LIMIT), Color::Black), CERTAIN);
    }

    #[test]
    fn every_torn_end_is_reported() {
        let bytes = example();
        for length in 1..bytes.len() {
            assert!(matches!(read(&bytes[..length]), Err(Damage::Torn)), "{length}");
        }
    }

    #[test]
    fn damage_is_named() {
        let changed = |at: usize, byte: u8| {
            let mut bytes = example();
            bytes[at] = byte;
            match read(&bytes) {
                Err(Damage::Wrong(why)) => why,
                other => panic!("{other:?}"),
            }
        };
        assert!(changed(3, 255).contains("more than 32"));
        assert!(changed(8, 7).contains("no such piece"));
        assert!(changed(24, 65).contains("en passant"));
        assert!(changed(30, 3).contains("no result"));
        assert!(changed(33, 0).contains("ply 1 is no legal move"));
        assert!(changed(12, 0x55).contains("kings"));
    }

    #[test]
    fn random_bytes_never_panic() {
        let mut random = SplitMix64::new(3);
        let mut wrong = 0;
        for _ in 0..20_000 {
            let mut bytes = example();
            for _ in 0..1 + random.below(4) {
                let at = random.below(bytes.len());
                bytes[at] = random.next() as u8;
            }
            wrong += usize::from(read(&bytes).is_err());
        }
        assert!(wrong > 10_000, "{wrong}");
    }
}
