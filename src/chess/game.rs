//! A game with its history: the position, the keys of earlier positions (for repetition), the castling
//! notation.
//!
//! Reads and writes FEN and moves in coordinate notation. Protocols and file formats are in the modules
//! above.

use super::Position;
use shakmaty::{
    CastlingMode, CastlingSide, Chess, Color, EnPassantMode, FromSetup, Move, Piece, Position as _,
    PositionError, PositionErrorKinds, Rank, Role, Setup, Square,
    fen::{Fen, ParseFenError},
    uci::UciMove,
};
use std::fmt;

/// Most pieces that a side may have.
const MOST_PIECES: usize = 16;

/// Most queens and pawns that a side may have, also where no game leads to its material. More queens could
/// have more moves than a move list holds (256; the most in a possible game is 218).
const MOST_QUEENS_AND_PAWNS: usize = 10;

/// Largest half-move clock, in plies, that a FEN may have.
const MOST_HALFMOVES: u32 = 9_999;

/// A game up to its current position.
#[derive(Clone, Debug)]
pub struct Game {
    position: Position,
    key_history: Vec<u64>,
    castling: CastlingMode,
}

/// End of a game, by the rule that ended it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The side to move is mated.
    Checkmate,
    /// The side to move has no move and is not in check.
    Stalemate,
    /// A hundred plies without a capture or a pawn move.
    FiftyMoves,
    /// The position stands for the third time.
    Repetition,
    /// No sequence of moves mates.
    DeadPosition,
}

/// The square behind a pawn that has moved two, where an en passant field names the pawn's own square; any
/// other square stays as it is.
fn behind_the_pawn(setup: &Setup, square: Square) -> Square {
    let (rank, behind) = setup.turn.fold_wb((Rank::Fifth, Rank::Sixth), (Rank::Fourth, Rank::Third));
    let is_pawn = setup.board.piece_at(square) == Some(Piece { color: !setup.turn, role: Role::Pawn });
    if square.rank() == rank && is_pawn { Square::from_coords(square.file(), behind) } else { square }
}

impl Default for Game {
    fn default() -> Game {
        Game::new()
    }
}

impl Game {
    /// The start of a game of standard chess.
    #[must_use]
    pub fn new() -> Game {
        Game::from_chess(Chess::default(), CastlingMode::Standard)
    }

    fn from_chess(chess: Chess, castling: CastlingMode) -> Game {
        Game { position: Position::new(chess), key_history: Vec::new(), castling }
    }

    /// Reads a FEN: board, turn, castling rights and en passant square; the two counters may be missing.
    /// Castling rights may be those of a FEN, an X-FEN or a Shredder FEN; if they are possible in Chess960
    /// only, the game is one of Chess960. An en passant field may name the pawn's own square, as some
    /// programs write it. Impossible castling rights and en passant squares are dropped.
    ///
    /// # Errors
    /// If the text is not a FEN, or the search cannot work with its position; the error names the fault.
    pub fn parse_fen(text: &str) -> Result<Game, FenError> {
        let fields = text.split_whitespace().count();
        if fields < 4 {
            return Err(FenError::Fields(fields));
        }
        let setup = Fen::from_ascii(text.trim().as_bytes()).map_err(FenError::Text)?.into_setup();
        if setup.pockets.is_some() || setup.remaining_checks.is_some() {
            return Err(FenError::Variant);
        }
        if setup.halfmoves > MOST_HALFMOVES {
            return Err(FenError::Text(ParseFenError::InvalidHalfmoveClock));
        }
        Game::from_setup(setup)
    }

    /// A game that begins with a position given in parts; the rules are those of [`Game::parse_fen`].
    ///
    /// # Errors
    /// If the search cannot work with the position; the error names the fault.
    pub fn from_setup(mut setup: Setup) -> Result<Game, FenError> {
        setup.ep_square = setup.ep_square.map(|square| behind_the_pawn(&setup, square));
        for color in Color::ALL {
            check_pieces(&setup, color)?;
        }
        let castling = CastlingMode::detect(&setup);
        let chess = Chess::from_setup(setup, castling)
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_impossible_check)
            .or_else(PositionError::ignore_invalid_castling_rights)
            .or_else(PositionError::ignore_invalid_ep_square)
            .map_err(|error| FenError::Position(error.kinds()))?;
        Ok(Game::from_chess(chess, castling))
    }

    /// The current position.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Keys of the earlier positions since the last irreversible move, oldest first.
    #[must_use]
    pub fn key_history(&self) -> &[u64] {
        &self.key_history
    }

    /// Castling notation, standard or Chess960, as the first position of the game demands.
    #[must_use]
    pub fn castling(&self) -> CastlingMode {
        self.castling
    }

    /// The position as a FEN of six fields.
    #[must_use]
    pub fn fen(&self) -> String {
        Fen::from_position(self.position.chess(), EnPassantMode::Legal).to_string()
    }

    /// The legal moves.
    #[must_use]
    pub fn legal_moves(&self) -> Vec<Move> {
        self.position.chess().legal_moves().to_vec()
    }

    /// Plays a legal move.
    pub fn play(&mut self, m: Move) {
        if self.position.chess().is_irreversible(m) {
            self.key_history.clear();
        } else {
            self.key_history.push(self.position.key());
        }
        self.position = self.position.play(m);
    }

    /// Plays a move given as text; see [`Game::parse_move`].
    ///
    /// # Errors
    /// If the text is not a legal move; the game is then unchanged.
    pub fn play_text(&mut self, text: &str) -> Result<(), MoveError> {
        let m = self.parse_move(text)?;
        self.play(m);
        Ok(())
    }

    /// Reads a move in coordinate notation (`e2e4`, `e7e8q`), upper or lower case. Castling is understood as
    /// the king's own move (`e1g1`) and as the king taking its rook (`e1h1`), in either castling mode.
    ///
    /// # Errors
    /// If the text is not a move, or the move is not legal here.
    pub fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        let unreadable = || MoveError::Unreadable(text.to_owned());
        let illegal = || MoveError::Illegal(text.to_owned());
        let uci: UciMove = text.to_ascii_lowercase().parse().map_err(|_| unreadable())?;
        match uci {
            UciMove::Normal { from, to, promotion } => uci
                .to_move(self.position.chess())
                .ok()
                .or_else(|| self.castling_to(from, to).filter(|_| promotion.is_none()))
                .ok_or_else(illegal),
            UciMove::Null => Err(illegal()),
            UciMove::Put { .. } => Err(unreadable()),
        }
    }

    /// Castling given by the squares that the king leaves and reaches; in Chess960 the king may stand on any
    /// file.
    fn castling_to(&self, from: Square, to: Square) -> Option<Move> {
        let chess = self.position.chess();
        let side = CastlingSide::ALL.into_iter().find(|side| side.king_to(chess.turn()) == to)?;
        chess.castling_moves(side).into_iter().find(|m| m.from() == Some(from))
    }

    /// A move in coordinate notation, with this game's castling notation.
    #[must_use]
    pub fn print_move(&self, m: Move) -> String {
        m.to_uci(self.castling).to_string()
    }

    /// The same position with the colours exchanged and the board turned over, without its history.
    ///
    /// # Errors
    /// Never for a position that came from [`Game::parse_fen`]; the position is checked again.
    pub fn flipped(&self) -> Result<Game, FenError> {
        Game::from_setup(self.position.chess().to_setup(EnPassantMode::Legal).into_mirrored())
    }

    /// The end of the game, or `None` while it goes on.
    #[must_use]
    pub fn end(&self) -> Option<End> {
        if !self.position.has_legal_moves() {
            return Some(if self.position.in_check() { End::Checkmate } else { End::Stalemate });
        }
        let key = self.position.key();
        let before = self.key_history.iter().filter(|&&earlier| earlier == key).count();
        if self.position.is_dead() {
            Some(End::DeadPosition)
        } else if self.position.halfmoves() >= 100 {
            Some(End::FiftyMoves)
        } else if before >= 2 {
            Some(End::Repetition)
        } else {
            None
        }
    }
}

/// Checks the number of pieces of a side: one king, and no more than shakmaty and the search can handle.
fn check_pieces(setup: &Setup, color: Color) -> Result<(), FenError> {
    let ours = setup.board.by_color(color);
    let count = |role: Role| (ours & setup.board.by_role(role)).count();
    match count(Role::King) {
        1 => {}
        0 => return Err(FenError::NoKing(color)),
        kings => return Err(FenError::Kings(color, kings)),
    }
    if ours.count() > MOST_PIECES {
        return Err(FenError::Pieces(color, ours.count()));
    }
    let heavy = count(Role::Queen) + count(Role::Pawn);
    if heavy > MOST_QUEENS_AND_PAWNS {
        return Err(FenError::Queens(color, heavy));
    }
    Ok(())
}

/// Fault of a FEN or a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FenError {
    /// Fewer than the four fields board, turn, castling, en passant.
    Fields(usize),
    /// A field cannot be read.
    Text(ParseFenError),
    /// Pockets or counted checks: a variant of chess.
    Variant,
    /// A side has no king.
    NoKing(Color),
    /// A side has several kings.
    Kings(Color, usize),
    /// A side has more than sixteen pieces.
    Pieces(Color, usize),
    /// A side has more queens and pawns than move lists are made for.
    Queens(Color, usize),
    /// The rules do not allow the position.
    Position(PositionErrorKinds),
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FenError::Fields(0) => write!(f, "the FEN is missing"),
            FenError::Fields(n) => {
                write!(f, "the FEN has {n} of its fields (board, turn, castling and en passant are needed)")
            }
            FenError::Text(error) => write!(f, "{}", readable(error)),
            FenError::Variant => write!(f, "the FEN belongs to a variant of chess"),
            FenError::NoKing(color) => write!(f, "{color} has no king"),
            FenError::Kings(color, n) => write!(f, "{color} has {n} kings"),
            FenError::Pieces(color, n) => write!(f, "{color} has {n} pieces (at most {MOST_PIECES})"),
            FenError::Queens(color, n) => {
                write!(f, "{color} has {n} queens and pawns (at most {MOST_QUEENS_AND_PAWNS})")
            }
            FenError::Position(kinds) => write!(f, "{}", impossible(*kinds)),
        }
    }
}

impl std::error::Error for FenError {}

/// The field of a FEN that cannot be read, as a message.
fn readable(error: &ParseFenError) -> &'static str {
    match error {
        ParseFenError::InvalidFen => "the FEN has too many fields",
        ParseFenError::InvalidBoard => "the board (field 1 of the FEN) cannot be read",
        ParseFenError::InvalidPocket => "the board (field 1 of the FEN) has more than eight ranks",
        ParseFenError::InvalidTurn => "the side to move (field 2 of the FEN) is neither 'w' nor 'b'",
        ParseFenError::InvalidCastling => "the castling rights (field 3 of the FEN) cannot be read",
        ParseFenError::InvalidEpSquare => "the en passant square (field 4 of the FEN) cannot be read",
        ParseFenError::InvalidHalfmoveClock => "the half-move clock (field 5 of the FEN) is not a count",
        ParseFenError::InvalidFullmoves => "the move number (field 6 of the FEN) is not a count",
        _ => "the FEN cannot be read",
    }
}

/// The rule that a position breaks, as a message.
fn impossible(kinds: PositionErrorKinds) -> &'static str {
    if kinds.contains(PositionErrorKinds::OPPOSITE_CHECK) {
        "the side that is not to move stands in check"
    } else if kinds.contains(PositionErrorKinds::PAWNS_ON_BACKRANK) {
        "a pawn stands on the first or the last rank"
    } else {
        "the position is impossible"
    }
}

/// Fault of a move in text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MoveError {
    /// Not two squares and perhaps a piece.
    Unreadable(String),
    /// A move, but not a legal one here.
    Illegal(String),
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoveError::Unreadable(text) => write!(f, "'{text}' is not a move"),
            MoveError::Illegal(text) => write!(f, "illegal move '{text}'"),
        }
    }
}

impl std::error::Error for MoveError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(fen: &str) -> Game {
        Game::parse_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
    }

    #[test]
    fn fens_of_four_to_six_fields_are_read() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0",
            "  rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR  w KQkq -  0 1 ",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1",
        ] {
            assert_eq!(game(fen).position().key(), Game::new().position().key(), "{fen}");
            assert_eq!(game(fen).castling(), CastlingMode::Standard, "{fen}");
        }
    }

    #[test]
    fn errors_of_broken_fens_name_the_fault() {
        for (fen, expected) in [
            ("", "missing"),
            ("8/8/8/8/8/8/8/8", "1 of its fields"),
            ("8/8/8/8/8/8/8/8 w - -", "no king"),
            ("kk6/8/8/8/8/8/8/K7 w - -", "2 kings"),
            ("k7/8/8/8/8/8/8/8 w - - 0 1", "white has no king"),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1", "field 2"),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KXkq - 0 1", "field 3"),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e9 0 1", "field 4"),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - -1 1", "field 5"),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 x", "field 6"),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 9", "too many fields"),
            ("rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "field 1"),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1", "field 1"),
            ("rnbqkbnr/pppppppp/8/8/8/P7/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "17 pieces"),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[Q] w KQkq - 0 1", "variant"),
            ("4k3/8/8/8/8/8/8/P3K3 w - - 0 1", "pawn"),
            ("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", "not to move stands in check"),
            ("4k3/8/8/QQQQQQ2/QQQQQ3/8/8/4K3 b - - 0 1", "11 queens"),
            ("\u{265a}/8 w - -", "field 1"),
        ] {
            let error = Game::parse_fen(fen).expect_err(fen).to_string();
            assert!(error.contains(expected), "{fen}: {error}");
        }
    }

    #[test]
    fn fens_with_impossible_rights_or_material_are_accepted() {
        for fen in [
            "4k3/8/8/8/8/8/8/4K3 w KQkq e3 0 1",
            "4k3/8/8/8/8/8/PPPPPPPP/BB1QKBBN w - - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w KQkq - 0 1",
            "4k3/8/3N1N2/8/8/8/8/4K3 b - - 0 1",
        ] {
            game(fen);
        }
    }

    #[test]
    fn castling_rights_decide_between_standard_chess_and_chess960() {
        for (fen, mode) in [
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", CastlingMode::Standard),
            ("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1", CastlingMode::Chess960),
            ("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1", CastlingMode::Chess960),
            ("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w - - 0 1", CastlingMode::Standard),
        ] {
            assert_eq!(game(fen).castling(), mode, "{fen}");
        }
    }

    #[test]
    fn every_notation_of_a_move_is_read() {
        let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        let frc = "1rk3r1/pppppppp/8/8/8/8/PPPPPPPP/1RK3R1 w GBgb - 0 1";
        for (fen, text, printed) in [
            (castling, "e1g1", "e1g1"),
            (castling, "e1h1", "e1g1"),
            (castling, "E1C1", "e1c1"),
            (castling, "e1a1", "e1c1"),
            (castling, "e1e2", "e1e2"),
            (frc, "c1g1", "c1g1"),
            (frc, "c1b1", "c1b1"),
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8Q", "a7a8q"),
            ("4k3/8/8/pP6/8/8/8/4K3 w - a6 0 1", "b5a6", "b5a6"),
        ] {
            let game = game(fen);
            let m = game.parse_move(text).unwrap_or_else(|error| panic!("{fen} {text}: {error}"));
            assert_eq!(game.print_move(m), printed, "{fen} {text}");
        }
    }

    #[test]
    fn illegal_and_unreadable_moves_are_told_apart() {
        for text in ["e2e5", "0000", "e7e5", "e2e4q", "a1a1", "e1g1", "e1h1"] {
            assert_eq!(Game::new().parse_move(text), Err(MoveError::Illegal(text.to_owned())));
        }
        for text in ["", "e2", "e2e9", "e2e4x", "P@e4", "castle", "\u{265f}e4", "e2e4qq"] {
            assert_eq!(Game::new().parse_move(text), Err(MoveError::Unreadable(text.to_owned())));
        }
    }

    #[test]
    fn an_illegal_move_leaves_the_game_unchanged() {
        let mut game = Game::new();
        game.play_text("e2e4").unwrap();
        let before = game.fen();
        assert!(game.play_text("e2e4").is_err());
        assert_eq!(game.fen(), before);
    }

    #[test]
    fn history_begins_with_the_last_irreversible_move() {
        let mut game = Game::new();
        for text in "e2e4 e7e5 g1f3 g8f6 f3g1 f6g8".split(' ') {
            game.play_text(text).unwrap();
        }
        assert_eq!(game.key_history().len(), 4);
        assert_eq!(game.key_history()[0], game.position().key());
    }

    #[test]
    fn mate_stalemate_and_draws_end_the_game() {
        for (fen, end) in [
            ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", Some(End::Checkmate)),
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Some(End::Stalemate)),
            ("7k/8/6K1/8/8/8/8/8 b - - 0 1", Some(End::DeadPosition)),
            ("7k/8/6K1/8/8/8/8/R7 b - - 100 90", Some(End::FiftyMoves)),
            ("7k/8/6K1/8/8/8/8/R7 b - - 99 90", None),
        ] {
            assert_eq!(game(fen).end(), end, "{fen}");
        }
        let mut game = Game::new();
        for text in "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8".split(' ') {
            assert_eq!(game.end(), None);
            game.play_text(text).unwrap();
        }
        assert_eq!(game.end(), Some(End::Repetition));
    }

    /// After e7e5 the capture d5e6 would leave the king to the rook: the position stands three times, the
    /// first with an en passant square in its FEN.
    #[test]
    fn an_en_passant_square_without_a_legal_capture_does_not_hide_a_repetition() {
        let mut game = game("8/4p3/8/K2P3r/8/8/8/7k b - - 0 1");
        for text in "e7e5 a5b5 h1h2 b5a5 h2h1 a5b5 h1h2 b5a5 h2h1".split(' ') {
            assert_eq!(game.end(), None);
            game.play_text(text).unwrap();
        }
        assert_eq!(game.end(), Some(End::Repetition));
    }

    /// The crate `chess` writes the square of the pawn, others the square behind it.
    #[test]
    fn an_en_passant_field_may_name_the_pawn() {
        for (pawn, behind, moves) in [
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d5 0 1", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", 7),
            ("4k3/8/8/8/3Pp3/8/8/4K3 b - d4 0 1", "4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1", 7),
        ] {
            let game = game(pawn);
            assert_eq!((game.fen().as_str(), game.legal_moves().len()), (behind, moves), "{pawn}");
        }
        // A square where no pawn can have arrived is dropped, as before.
        for fen in [
            "4k3/8/8/4P3/8/8/8/4K3 w - d5 0 1",
            "4k3/8/8/3PP3/8/8/8/4K3 w - d5 0 1",
            "4k3/8/3n4/3pP3/8/8/8/4K3 w - d5 0 1",
        ] {
            assert!(game(fen).fen().contains(" w - - 0 1"), "{fen}");
        }
    }

    #[test]
    fn flipping_twice_gives_the_same_position() {
        let game = game("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
        let flipped = game.flipped().unwrap();
        assert_eq!(flipped.position().turn(), Color::Black);
        assert_eq!(flipped.flipped().unwrap().fen(), game.fen());
    }
}
