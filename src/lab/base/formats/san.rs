//! SAN: moves as people and programs write them, with common dialects; UCI notation is read too.
//!
//! Read are figurines; castling with noughts or small letters; captures with `x`, `:`, `×`, or no sign; long
//! forms (`Ng1-f3`); pawn captures by files alone (`ed`); promotions as in `a8=Q`, `a8Q`, `a8/Q`, `a8(Q)`;
//! `e.p.`; and marks behind a move (`+`, `#`, `!`, `?`, `N`, `=`, `±`, `ch`, `mate`). A word means a move if
//! exactly one legal move fits it.

use super::piece_letters::{ENGLISH, ENGLISH_WITH_PAWNS, PieceLetters};
use shakmaty::san::{San, SanPlus};
use shakmaty::{CastlingSide, Chess, File, Move, Position as _, Rank, Role, Square};

/// Spelling of words: the letters of the pieces, and if small letters are as good as capitals.
#[derive(Clone, Copy, Debug)]
pub struct Spelling {
    /// Letters of the pieces.
    pub letters: &'static PieceLetters,
    /// True if `nf3` and `NF3` are `Nf3`. Then `bc3` may be a bishop's move or a pawn's, if only one of them
    /// is legal.
    pub folded: bool,
}

impl Spelling {
    /// English, with capitals, as the standard of PGN has it.
    pub const STANDARD: Spelling = Spelling { letters: &ENGLISH, folded: false };

    /// True for the standard of PGN. Every language is there once, so that its place tells it.
    fn is_standard(self) -> bool {
        std::ptr::eq(self.letters, &ENGLISH) && !self.folded
    }
}

/// A move that a word means, and what the word says of it besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meaning {
    /// The move.
    pub played: Move,
    /// True if it says that the move gives check or mate.
    pub says_check: bool,
    /// True if it has a sign of a capture, and the move is none.
    pub no_capture: bool,
}

/// Reads a move for a position, in English. See [`mod@super::san`] for the dialects.
///
/// # Errors
/// If the text is no legal move.
pub fn read(chess: &Chess, text: &str) -> Result<Move, String> {
    let with_pawns = Spelling { letters: &ENGLISH_WITH_PAWNS, folded: false };
    let spellings = [Spelling::STANDARD, with_pawns];
    let meaning = spellings.into_iter().find_map(|spelling| meaning(chess, text.trim(), spelling));
    meaning.map(|meaning| meaning.played).ok_or_else(|| format!("'{text}' is no legal move here"))
}

/// Writes a move in SAN, with check and mate marks.
#[must_use]
pub fn write(chess: &Chess, m: Move) -> String {
    SanPlus::from_move(chess.clone(), m).to_string()
}

/// Writes moves that follow each other, up to one that is not legal.
#[must_use]
pub fn line(chess: &Chess, moves: &[Move]) -> Vec<String> {
    let mut now = chess.clone();
    let mut line = Vec::with_capacity(moves.len());
    for &m in moves {
        if !now.is_legal(m) {
            break;
        }
        line.push(write(&now, m));
        now.play_unchecked(m);
    }
    line
}

/// The legal move that a word means; `None` if none fits, or more than one.
#[must_use]
pub fn meaning(chess: &Chess, word: &str, spelling: Spelling) -> Option<Meaning> {
    if spelling.is_standard()
        && let Some(meaning) = by_the_standard(chess, word)
    {
        return Some(meaning);
    }
    let word = plain(word);
    let readings = readings(&word, spelling);
    let mut found = readings.into_iter().flatten().filter_map(|spelled| spelled.find(chess));
    let first = found.next()?;
    // Two readings of a folded word, of which both are legal moves, tell nothing.
    found.all(|other| other.played == first.played).then_some(first)
}

/// SAN as the standard has it: what most games hold, and read some ten times as fast.
fn by_the_standard(chess: &Chess, word: &str) -> Option<Meaning> {
    let SanPlus { san, suffix } = SanPlus::from_ascii(word.as_bytes()).ok()?;
    if matches!(san, San::Null | San::Put { .. }) || word.starts_with('P') {
        return None;
    }
    let played = san.to_move(chess).ok()?;
    // Candidates are legal moves but in positions that no game leads to, with more checkers than two.
    if (chess.is_check() || played.is_en_passant()) && !chess.is_legal(played) {
        return None;
    }
    Some(Meaning { played, says_check: suffix.is_some(), no_capture: false })
}

/// A word with one spelling of dashes and capture signs.
fn plain(word: &str) -> String {
    let one = |letter| match letter {
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        // Among them the Cyrillic letter.
        '×' | '✕' | '✖' | '⨯' | 'х' => 'x',
        other => other,
    };
    word.chars().map(one).collect()
}

/// A move as a word describes it.
#[derive(Clone, Copy, Debug)]
enum Spelled {
    Castling { side: CastlingSide, says_check: bool },
    Normal(Normal),
}

/// A move that is no castling, as a word describes it.
#[derive(Clone, Copy, Debug)]
struct Normal {
    /// The piece; `None` is a pawn, or any piece where the word has the square that it leaves.
    role: Option<Role>,
    from: (Option<File>, Option<Rank>),
    to: (File, Option<Rank>),
    captures: bool,
    promotion: Option<Role>,
    en_passant: bool,
    says_check: bool,
}

/// The readings of a word: one, or in a folded spelling two, with and without a piece's letter in front.
fn readings(word: &str, spelling: Spelling) -> [Option<Spelled>; 2] {
    if let Some(castling) = castling(word) {
        return [Some(castling), None];
    }
    let pawn = || normal(None, word, spelling);
    let piece = spelling.letters.split(word, spelling.folded);
    let piece = piece.and_then(|(role, rest)| normal(Some(role), rest, spelling));
    if spelling.folded { [piece, pawn()] } else { [piece.or_else(pawn), None] }
}

/// Castling: `O-O`, `0-0`, `o-o-o` and the like, with Greek and Cyrillic letters that look so, also without
/// hyphens.
fn castling(word: &str) -> Option<Spelled> {
    fn one(text: &str) -> Option<&str> {
        text.strip_prefix(['O', '0', 'o', '\u{39f}', '\u{3bf}', '\u{41e}', '\u{43e}'])
    }
    fn next(text: &str) -> Option<&str> {
        one(text.strip_prefix('-').unwrap_or(text))
    }
    let short = next(one(word)?)?;
    let (side, rest) = match next(short) {
        Some(long) => (CastlingSide::QueenSide, long),
        None => (CastlingSide::KingSide, short),
    };
    Some(Spelled::Castling { side, says_check: marks(rest)?.says_check })
}

/// A move that is no castling, without the piece's letter.
fn normal(role: Option<Role>, text: &str, spelling: Spelling) -> Option<Spelled> {
    let squares = squares(text, role, spelling.folded)?;
    let is_pawn = matches!(role, None | Some(Role::Pawn));
    let last_rank = matches!(squares.to.1, Some(Rank::First | Rank::Eighth));
    let promoted = if is_pawn && last_rank { promotion(squares.rest, spelling) } else { None };
    let (promotion, rest) = promoted.map_or((None, squares.rest), |(role, rest)| (Some(role), rest));
    let marks = marks(rest)?;
    Some(Spelled::Normal(Normal {
        role,
        from: squares.from,
        to: squares.to,
        captures: squares.captures,
        promotion,
        en_passant: marks.en_passant,
        says_check: marks.says_check,
    }))
}

/// The squares of a word.
struct Squares<'t> {
    from: (Option<File>, Option<Rank>),
    to: (File, Option<Rank>),
    captures: bool,
    rest: &'t str,
}

/// The squares that a move leaves and reaches: `e4`, `exd5`, `bd7`, `1xf3`, `e2-e4`, `xf7`, `ed`. A sign of a
/// capture may stand behind them too, as in `Sd5:`.
fn squares(text: &str, role: Option<Role>, folded: bool) -> Option<Squares<'_>> {
    let found = squares_in_order(text, role, folded)?;
    Some(match found.rest.strip_prefix([':', 'x']) {
        Some(rest) => Squares { captures: true, rest, ..found },
        None => found,
    })
}

fn squares_in_order(text: &str, role: Option<Role>, folded: bool) -> Option<Squares<'_>> {
    let (captures, inner) = separator(text);
    if let Some((file, rank, rest)) = square(inner, folded) {
        let (between, after) = separator(rest);
        let whole_origin = inner.len() == text.len();
        return Some(match square(after, folded).filter(|_| whole_origin) {
            Some((to_file, to_rank, rest)) => Squares {
                from: (Some(file), Some(rank)),
                to: (to_file, Some(to_rank)),
                captures: between,
                rest,
            },
            None => Squares { from: (None, None), to: (file, Some(rank)), captures, rest },
        });
    }
    if let Some((from, rest)) = file(text, folded) {
        let (captures, rest) = separator(rest);
        if let Some((file, rank, rest)) = square(rest, folded) {
            return Some(Squares { from: (Some(from), None), to: (file, Some(rank)), captures, rest });
        }
        let (to, rest) = file(rest, folded).filter(|_| matches!(role, None | Some(Role::Pawn)))?;
        return Some(Squares { from: (Some(from), None), to: (to, None), captures: true, rest });
    }
    let (from, rest) = rank(text)?;
    let (captures, rest) = separator(rest);
    let (file, rank, rest) = square(rest, folded)?;
    Some(Squares { from: (None, Some(from)), to: (file, Some(rank)), captures, rest })
}

/// A hyphen or a sign of a capture, if there is one. True if it is that of a capture.
fn separator(text: &str) -> (bool, &str) {
    match text.strip_prefix(['x', 'X', ':']) {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('-').unwrap_or(text)),
    }
}

fn file(text: &str, folded: bool) -> Option<(File, &str)> {
    let letter = text.chars().next()?;
    let letter = if folded { letter.to_ascii_lowercase() } else { letter };
    File::from_char(letter).filter(|_| letter.is_ascii_lowercase()).map(|file| (file, &text[1..]))
}

fn rank(text: &str) -> Option<(Rank, &str)> {
    Rank::from_char(text.chars().next()?).map(|rank| (rank, &text[1..]))
}

fn square(text: &str, folded: bool) -> Option<(File, Rank, &str)> {
    let (file, rest) = file(text, folded)?;
    let (rank, rest) = rank(rest)?;
    Some((file, rank, rest))
}

/// The piece that a pawn becomes, behind `=`, `/` or in brackets, or at once; in small English letters too,
/// as in UCI.
fn promotion(text: &str, spelling: Spelling) -> Option<(Role, &str)> {
    let inner = text.trim_start_matches(['=', '/', '-', ':']);
    let (inner, closing) = match inner.chars().next() {
        Some('(') => (&inner[1..], Some(')')),
        Some('[') => (&inner[1..], Some(']')),
        _ => (inner, None),
    };
    let inner = if closing.is_some() { inner.trim_start_matches('=') } else { inner };
    let piece = spelling.letters.split(inner, spelling.folded);
    let small = || ENGLISH.split(inner, true).filter(|_| inner.starts_with(['q', 'r', 'b', 'n']));
    let (role, rest) = piece.or_else(small).filter(|(role, _)| !matches!(role, Role::King | Role::Pawn))?;
    match closing {
        Some(closing) => rest.strip_prefix(closing).map(|rest| (role, rest)),
        None => Some((role, rest)),
    }
}

/// The marks behind a move.
#[derive(Clone, Copy, Debug, Default)]
struct Marks {
    en_passant: bool,
    says_check: bool,
}

/// Spellings of *en passant*.
const EN_PASSANT: [&str; 10] = ["(e.p.)", "/e.p.", "e.p.", "E.P.", "(ep)", "e.p", "ep.", "ep", "EP", "/ep"];

/// Words that say check or mate.
const CHECKS: [&str; 12] = [
    "checkmate",
    "check",
    "matt",
    "mate",
    "mat",
    "dbl.ch.",
    "dblch",
    "dbl",
    "disch",
    "dis.ch.",
    "(ch)",
    "ch",
];

/// Judgements of a position; a plus in them is no check. Then marks of novelties.
const JUDGEMENTS: [&str; 15] = [
    // Behind the sign of a check.
    "+=/+", "+-/+", "+--", "--+", "+/-", "-/+", "+/=", "=/+", "=/∞", "+-", "-+", "+=", "=+", "TN", "N",
];

/// Other signs behind a move.
const SIGNS: &str = "!?=.±∓⩲⩱∞□⇆→↑⊕⟳○△▽⌓≈∆⨀◻‼⁇⁈⁉";

/// Signs of check and mate.
const CHECK_SIGNS: [char; 5] = ['+', '#', '†', '‡', '≠'];

/// Reads the marks behind a move; `None` if the text holds anything else.
fn marks(text: &str) -> Option<Marks> {
    let mut marks = Marks::default();
    let mut rest = text;
    let after = |rest: &str, words: &[&str]| -> Option<usize> {
        words.iter().find(|word| rest.starts_with(**word)).map(|word| word.len())
    };
    while let Some(first) = rest.chars().next() {
        let length = if let Some(length) = after(rest, &EN_PASSANT) {
            marks.en_passant = true;
            length
        } else if let Some(length) = after(rest, &JUDGEMENTS) {
            length
        } else if let Some(length) = after(rest, &CHECKS) {
            marks.says_check = true;
            length
        } else if CHECK_SIGNS.contains(&first) {
            marks.says_check = true;
            first.len_utf8()
        } else if SIGNS.contains(first) {
            first.len_utf8()
        } else {
            return None;
        };
        rest = &rest[length..];
    }
    Some(marks)
}

/// True if a word holds marks alone, which may stand apart from their move: `!?`, `+-`, `e.p.`, `mate`.
#[must_use]
pub fn is_mark(word: &str) -> bool {
    let word = plain(word);
    // A letter alone is no mark here: it may be what is left of a move.
    !word.is_empty() && word != "N" && marks(&word).is_some()
}

/// True if a word is the piece of a promotion that stands apart from its move: `=Q`.
#[must_use]
pub fn is_promotion(word: &str) -> bool {
    let mut letters = word.chars();
    letters.next() == Some('=') && letters.next().is_some_and(char::is_alphabetic) && letters.count() <= 2
}

impl Spelled {
    /// The only legal move that fits.
    fn find(self, chess: &Chess) -> Option<Meaning> {
        let legal = chess.legal_moves();
        match self {
            Spelled::Castling { side, says_check } => {
                let played = legal.into_iter().find(|m| m.castling_side() == Some(side))?;
                Some(Meaning { played, says_check, no_capture: false })
            }
            Spelled::Normal(normal) => {
                let only = |fits: &dyn Fn(&Move) -> bool| {
                    let mut found = legal.iter().filter(|m| fits(m));
                    found.next().copied().filter(|_| found.next().is_none())
                };
                let any = legal.iter().any(|m| normal.fits(*m));
                let castling = || only(&|m: &Move| normal.fits_castling(*m));
                let played = if any { only(&|m: &Move| normal.fits(*m)) } else { castling() }?;
                let no_capture = normal.captures && !played.is_capture();
                Some(Meaning { played, says_check: normal.says_check, no_capture })
            }
        }
    }
}

impl Normal {
    fn whole_origin(self) -> Option<Square> {
        Some(Square::from_coords(self.from.0?, self.from.1?))
    }

    fn fits(self, m: Move) -> bool {
        let Some(from) = m.from().filter(|_| !m.is_castle()) else { return false };
        let role = match self.role {
            Some(role) => m.role() == role,
            None => m.role() == Role::Pawn || self.whole_origin().is_some(),
        };
        role && self.from.0.is_none_or(|file| from.file() == file)
            && self.from.1.is_none_or(|rank| from.rank() == rank)
            && m.to().file() == self.to.0
            && self.to.1.is_none_or(|rank| m.to().rank() == rank)
            // A pawn that leaves its file captures, also where the rank is not given.
            && (self.to.1.is_some() || m.is_capture())
            && m.promotion() == self.promotion
            && (!self.en_passant || m.is_en_passant())
    }

    /// Castling as a king's move, by the square that the king or the rook has: `e1g1`, `Ke1-g1`, `e1h1`; also
    /// `Kg1`, since a king on the e-file has no other move of two squares.
    fn fits_castling(self, m: Move) -> bool {
        let (Move::Castle { king, rook }, Some(rank)) = (m, self.to.1) else { return false };
        let leaps = king.file() == File::E && self.role == Some(Role::King) && self.from == (None, None);
        let Some(from) = self.whole_origin().or(leaps.then_some(king)) else { return false };
        let to = Square::from_coords(self.to.0, rank);
        let reached = m.castling_side().map(|side| Square::from_coords(side.king_to_file(), king.rank()));
        let is_king = matches!(self.role, None | Some(Role::King));
        let is_there = Some(to) == reached || (to == rook && !leaps);
        is_king && from == king && is_there && self.promotion.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::super::piece_letters::LANGUAGES;
    use super::*;
    use shakmaty::{CastlingMode, fen::Fen};

    fn position(fen: &str) -> Chess {
        fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
    }

    const BUSY: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    const PROMOTING: &str = "1n5k/P7/8/3pP3/8/8/8/4K3 w - d6 0 1";

    #[test]
    fn dialects_name_the_same_move() {
        for (fen, uci, texts) in [
            (
                BUSY,
                "e1g1",
                &[
                    "O-O", "0-0", "o-o", "O-O!", "0-0+", "e1g1", "e1h1", "Ke1-g1", "Kg1", "OO", "00", "0–0",
                    "О-О", "O-O-+", "O-O.",
                ][..],
            ),
            (BUSY, "e1c1", &["O-O-O", "0-0-0", "0-0-0!?", "e1c1", "o-o-o", "Ke1c1", "Kc1", "000"]),
            (BUSY, "e5f7", &["Nxf7", "Nf7", "Nxf7!", "Nxf7+", "Ne5xf7", "Ne5-f7", "e5f7", "Nxf7#??"]),
            (
                BUSY,
                "e5f7",
                &[
                    "N:f7", "Nf7:", "N×f7", "♘xf7", "♞f7", "Nxf7N", "Nxf7=", "Nxf7±", "Nxf7⩲", "Nf7+-",
                    "Nf7-+",
                ],
            ),
            (BUSY, "a2a4", &["a4", "a2a4", "a2-a4", "a4+", "Pa4", "a4=", "a4ch"]),
            (BUSY, "d5e6", &["dxe6", "de6", "d:e6", "de", "dxe", "d5xe6", "♙xe6", "de6:"]),
            (
                PROMOTING,
                "a7a8q",
                &[
                    "a8=Q+", "a8=Q", "a7a8q", "a8=Q!", "a8Q", "a8/Q", "a8(Q)", "a8=(Q)", "a8[Q]", "a8=♕",
                    "a8q",
                ],
            ),
            (PROMOTING, "a7b8n", &["axb8=N", "ab8=N", "a7xb8=N+", "a7b8n", "a:b8N", "ab8(N)N", "axb8=♞"]),
            (
                PROMOTING,
                "e5d6",
                &[
                    "exd6",
                    "ed6",
                    "exd6e.p.",
                    "exd6ep",
                    "e5d6",
                    "exd6!",
                    "e:d6ep",
                    "exd6(ep)",
                    "ed",
                    "exd6e.p.!",
                ],
            ),
        ] {
            let chess = position(fen);
            for text in texts {
                let found = read(&chess, text).unwrap_or_else(|error| panic!("{error}"));
                assert_eq!(found.to_uci(CastlingMode::Standard).to_string(), uci, "{text}");
            }
        }
    }

    #[test]
    fn other_text_is_an_error() {
        let chess = position("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
        for text in
            ["", "Ke4", "Rd1+x", "--", "0000", "Rxh9", "zz", "Q@e4", "O-O-O-O", "e1", "\u{1F600}", "!"]
        {
            assert!(read(&chess, text).is_err(), "{text}");
        }
        let busy = position(BUSY);
        // Cut, ambiguous, without its promotion, in another language, or with what is no mark.
        for text in [
            "N", "Nf", "Ng1-", "O-O-", "0-", "R1", "dxe6ep", "Sxf7", "nxf7", "Nxf7}", "Nxf7\"", "N-KB3",
            "P-K4",
        ] {
            assert!(read(&busy, text).is_err(), "{text}");
        }
        let promoting = position(PROMOTING);
        for text in ["a8", "a8=", "a8=K", "a8=P", "a8(Q", "a8+", "axb8"] {
            assert!(read(&promoting, text).is_err(), "{text}");
        }
    }

    #[test]
    fn every_legal_move_is_read_as_it_is_written() {
        for fen in [BUSY, PROMOTING, "8/8/8/2N1N3/8/2N1N3/7k/K7 w - - 0 1"] {
            let chess = position(fen);
            for m in chess.legal_moves() {
                assert_eq!(read(&chess, &write(&chess, m)), Ok(m));
                // The slow way reads what the fast one does.
                let word = write(&chess, m);
                let slow = readings(&word, Spelling::STANDARD)[0].and_then(|spelled| spelled.find(&chess));
                assert_eq!(slow.map(|meaning| meaning.played), Some(m), "{word}");
            }
        }
    }

    #[test]
    fn a_language_and_small_letters_are_read_only_where_they_are_asked_for() {
        let chess = position(BUSY);
        let uci = |word, language: usize, folded| {
            let spelling = Spelling { letters: LANGUAGES[language], folded };
            meaning(&chess, word, spelling).map(|m| m.played.to_uci(CastlingMode::Standard).to_string())
        };
        let wanted = Some("e5f7".to_owned());
        assert_eq!(uci("Sxf7", 2, false), wanted);
        assert_eq!(uci("Cxf7", 3, false), wanted);
        assert_eq!(uci("Кxf7", 7, false), wanted);
        assert_eq!(uci("nxf7", 0, true), wanted);
        assert_eq!(uci("NXF7", 0, true), wanted);
        assert_eq!(uci("sxf7", 2, true), wanted);
        assert_eq!(uci("nxf7", 0, false), None);
        // A bishop or the pawn on b2: read if only one of them can take.
        let folded = Spelling { letters: &ENGLISH, folded: true };
        let role = |fen| meaning(&position(fen), "bxa3", folded).map(|m| m.played.role());
        assert_eq!(role("4k3/8/8/8/8/p7/1P6/2B1K3 w - - 0 1"), Some(Role::Pawn));
        assert_eq!(role("4k3/8/3B4/8/8/p7/8/4K3 w - - 0 1"), Some(Role::Bishop));
        assert_eq!(role("4k3/8/3B4/8/8/p7/1P6/4K3 w - - 0 1"), None);
    }
}
