//! EPD: test suites, positions with operations; common deviations from the standard are accepted.
//!
//! A line is four fields of a FEN, perhaps the two counters, then operations that end with `;`. Read are `bm`
//! and `am` (best moves, moves to avoid), `dm N` and `bm #N` (mate in N, negative: being mated), `D1 20`
//! (perft), `c0` or `c8` with `c9` (points a move), `id`, `hmvc`, `fmvn`; every other operation is ignored.

use super::{points, san};
use crate::chess::{Position, game::Game};
#[cfg(feature = "lab")]
use crate::files;
#[cfg(feature = "lab")]
use crate::lab::base::terminal::{console::Failure, interrupted::interrupted};
use shakmaty::{Chess, Move};
use std::fmt;
#[cfg(feature = "lab")]
use std::path::Path;

/// Position of a suite with its goals.
#[derive(Clone, Debug)]
pub struct Case {
    /// File and line: `name.epd:12`.
    pub place: String,
    /// The line of the file, from 1.
    pub line: usize,
    /// Its name, if the file gives one.
    pub id: Option<String>,
    /// The position, without a history.
    pub game: Game,
    /// Best moves, of which one should be found; empty if none are named.
    pub best: Vec<Move>,
    /// Moves that should not be chosen.
    pub avoid: Vec<Move>,
    /// The mate that should be announced, in moves; negative: the side to move is mated.
    pub mate: Option<i32>,
    /// Depths in plies with their numbers of move sequences.
    pub perft: Vec<(u32, u64)>,
    /// Points for moves, if the suite gives them; other moves have 0.
    pub points: Vec<(Move, u32)>,
}

impl Case {
    /// Its name for a report: the id, or file and line.
    #[must_use]
    pub fn name(&self) -> &str {
        self.id.as_deref().unwrap_or(&self.place)
    }

    /// The points of a move, and those of the best one; `None` if the suite gives no points.
    #[must_use]
    pub fn worth(&self, played: Option<Move>) -> Option<(u32, u32)> {
        let most = self.points.iter().map(|&(_, points)| points).max()?;
        let worth = self.points.iter().find(|&&(m, _)| Some(m) == played).map_or(0, |&(_, points)| points);
        Some((worth, most))
    }

    /// If only points are given, the moves with the most points become the best moves.
    fn prefer_points(&mut self) {
        if self.asks_search() {
            return;
        }
        let most = self.points.iter().map(|&(_, points)| points).max().unwrap_or(0);
        let best = self.points.iter().filter(|&&(_, points)| points == most && most > 0);
        self.best = best.map(|&(m, _)| m).collect();
    }

    /// True if a search can meet one of the goals: a best move, a move to avoid, a mate.
    #[must_use]
    pub fn asks_search(&self) -> bool {
        !self.best.is_empty() || !self.avoid.is_empty() || self.mate.is_some()
    }

    /// The position.
    #[must_use]
    pub fn position(&self) -> &Position {
        self.game.position()
    }

    /// The position as the rules see it.
    #[must_use]
    pub fn chess(&self) -> &Chess {
        self.position().chess()
    }

    /// True if there is a legal move.
    #[must_use]
    pub fn has_moves(&self) -> bool {
        !self.game.legal_moves().is_empty()
    }
}

/// A line that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadLine {
    /// File and line.
    pub place: String,
    /// The reason why.
    pub reason: String,
}

impl fmt::Display for BadLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} (skipped)", self.place, self.reason)
    }
}

/// Positions of a file.
#[derive(Clone, Debug, Default)]
pub struct Suite {
    /// The file's name without its folder.
    pub name: String,
    /// The positions.
    pub cases: Vec<Case>,
    /// The lines that could not be read.
    pub bad: Vec<BadLine>,
}

impl Suite {
    /// Changes its name, also in the places of its lines.
    pub fn rename(&mut self, name: &str) {
        let renamed = |place: &str| match place.rsplit_once(':') {
            Some((_, line)) => format!("{name}:{line}"),
            None => name.to_owned(),
        };
        self.cases.iter_mut().for_each(|case| case.place = renamed(&case.place));
        self.bad.iter_mut().for_each(|bad| bad.place = renamed(&bad.place));
        self.name = name.to_owned();
    }
}

/// The longest file that is read, in bytes: a million positions, which are held in memory.
#[cfg(feature = "lab")]
const MOST_BYTES: u64 = 256 << 20;

/// Parts of a line to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// The position alone; moves in the operations are not read.
    Positions,
    /// The position and its goals.
    Goals,
}

/// Reads a file. Bad lines are collected in the suite.
///
/// # Errors
/// If the file cannot be read; after Ctrl-C.
#[cfg(feature = "lab")]
pub fn read(path: &Path, reading: Reading) -> Result<Suite, Failure> {
    let bytes =
        files::read_any(path, MOST_BYTES).map_err(|error| Failure::file("read", path.display(), &error))?;
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let suite = parse(&name, &String::from_utf8_lossy(&bytes), reading);
    if interrupted() { Err(Failure::interrupted()) } else { Ok(suite) }
}

/// Reads a suite from its text, up to Ctrl-C.
#[cfg(feature = "lab")]
#[must_use]
pub fn parse(name: &str, text: &str, reading: Reading) -> Suite {
    let mut suite = Suite { name: name.to_owned(), ..Suite::default() };
    // Lines end with LF, CR LF, or CR alone, as in old files.
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
    for (index, line) in text.split(['\n', '\r']).enumerate().take_while(|_| !interrupted()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let place = format!("{name}:{}", index + 1);
        match case(line, reading) {
            Ok(case) => suite.cases.push(Case { place, line: index + 1, ..case }),
            Err(reason) => suite.bad.push(BadLine { place, reason }),
        }
    }
    suite
}

/// Reads one line that is neither blank nor a comment. The caller fills in the place.
///
/// # Errors
/// Names what cannot be read.
pub fn case(line: &str, reading: Reading) -> Result<Case, String> {
    let Parts { fields, counters, rest } = split(line)?;
    let operations = operations(rest)?;
    let number = |code: &str| operations.iter().find(|op| op.code == code).and_then(Operation::number);
    let (half, full) = counters.unwrap_or((number("hmvc").unwrap_or(0), number("fmvn").unwrap_or(1)));
    let (half, full) = (half.clamp(0, 9999), full.clamp(1, 9999));
    let fen = format!("{} {half} {full}", fields.join(" "));
    let game = Game::parse_fen(&fen).map_err(|error| error.to_string())?;
    let mut case = Case {
        place: String::new(),
        line: 0,
        id: None,
        game,
        best: Vec::new(),
        avoid: Vec::new(),
        mate: None,
        perft: Vec::new(),
        points: Vec::new(),
    };
    for operation in &operations {
        operation.note(&mut case, reading)?;
    }
    if reading == Reading::Goals {
        let find = |code: &str| operations.iter().find(|op| op.code == code).map(|op| op.operands.join(" "));
        case.points = points::read(case.chess(), find)?;
        case.prefer_points();
    }
    Ok(case)
}

/// The position of a line, and the operands of some of its operations by their codes.
///
/// # Errors
/// Names what cannot be read.
pub fn labels<const N: usize>(line: &str, codes: [&str; N]) -> Result<(Game, [Option<String>; N]), String> {
    let game = case(line, Reading::Positions)?.game;
    let operations = operations(split(line)?.rest)?;
    let find = |code: &str| operations.iter().find(|op| op.code == code).map(|op| op.operands.join(" "));
    Ok((game, codes.map(find)))
}

/// Parts of a line.
struct Parts<'a> {
    /// The four fields of the position.
    fields: Vec<&'a str>,
    /// Half-move clock and move number, if given.
    counters: Option<(i64, i64)>,
    /// The operations.
    rest: &'a str,
}

fn split(line: &str) -> Result<Parts<'_>, String> {
    let mut rest = line;
    let mut fields = Vec::new();
    while fields.len() < 4 {
        let Some((field, after)) = word(rest) else {
            return Err(format!("a position has four fields, here are {}", fields.len()));
        };
        fields.push(field);
        rest = after;
    }
    let counter =
        |text: &str| text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().unwrap_or(i64::MAX));
    let number = |text| word(text).and_then(|(word, after)| Some((counter(word)?, after)));
    let Some((half, after)) = number(rest) else { return Ok(Parts { fields, counters: None, rest }) };
    // Some leave out the move number: no operation's code is a number.
    let (full, after) = number(after).unwrap_or((1, after));
    Ok(Parts { fields, counters: Some((half, full)), rest: after })
}

/// The next word, ended by white space or a semicolon (which stays).
fn word(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    let end = text.find(|c: char| c.is_whitespace() || c == ';').unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

/// One operation: its code and its operands, quotation marks removed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Operation {
    code: String,
    operands: Vec<String>,
}

impl Operation {
    fn number(&self) -> Option<i64> {
        self.operands.first()?.parse().ok()
    }

    /// Enters its operands into a case.
    fn note(&self, case: &mut Case, reading: Reading) -> Result<(), String> {
        match self.code.as_str() {
            "id" => case.id = Some(self.operands.join(" ")).filter(|id| !id.is_empty()),
            _ if reading == Reading::Positions => {}
            "bm" => self.best(case)?,
            "am" => case.avoid.extend(self.moves(case)?),
            "dm" => case.mate = Some(self.mate(self.operands.first().map_or("", String::as_str))?),
            code => {
                if let Some(depth) = code.strip_prefix('D').and_then(|depth| depth.parse().ok()) {
                    let count = self.operands.first().and_then(|count| count.parse().ok());
                    let count = count.ok_or_else(|| format!("'{code}' gives no number of move sequences"))?;
                    match case.perft.iter().find(|(known, _)| *known == depth) {
                        Some((_, known)) if *known != count => {
                            return Err(format!("'{code}' gives two numbers of move sequences"));
                        }
                        Some(_) => (),
                        None => case.perft.push((depth, count)),
                    }
                }
            }
        }
        Ok(())
    }

    /// `bm`: moves, or `#N`.
    fn best(&self, case: &mut Case) -> Result<(), String> {
        if let Some(mate) = self.operands.first().and_then(|first| first.strip_prefix('#')) {
            // `#3`, or `# 3`.
            let mate = if mate.is_empty() { self.operands.get(1).map_or("", String::as_str) } else { mate };
            case.mate = Some(self.mate(mate)?);
            return Ok(());
        }
        case.best.extend(self.moves(case)?);
        Ok(())
    }

    fn moves(&self, case: &Case) -> Result<Vec<Move>, String> {
        let named = self.operands.iter().filter(|text| !matches!(text.as_str(), "e.p." | "ep" | ","));
        let read = |text: &String| san::read(case.chess(), text.trim_end_matches(','));
        let moves = named.map(read).collect::<Result<Vec<_>, _>>()?;
        if moves.is_empty() { Err(format!("'{}' names no move", self.code)) } else { Ok(moves) }
    }

    fn mate(&self, text: &str) -> Result<i32, String> {
        match text.parse() {
            Ok(moves) if moves != 0 && (-1000..=1000).contains(&moves) => Ok(moves),
            _ => Err(format!("'{} {}' announces no mate", self.code, self.operands.join(" "))),
        }
    }
}

/// Slashes between the ranks of a position.
const RANK_ENDS: usize = 7;

/// Splits operations at semicolons and operands at white space, neither inside quotation marks.
fn operations(text: &str) -> Result<Vec<Operation>, String> {
    let mut found = Vec::new();
    let mut words: Vec<String> = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let Some(first) = rest.chars().next().filter(|&c| c != ';') else {
            let mut words = std::mem::take(&mut words).into_iter();
            if let Some(code) = words.next() {
                found.push(Operation { code, operands: words.collect() });
            }
            if rest.is_empty() {
                return Ok(found);
            }
            rest = &rest[1..];
            continue;
        };
        if first == '"' {
            let (quoted, after) = rest[1..].split_once('"').ok_or("a quotation mark is not closed")?;
            words.push(quoted.to_owned());
            rest = after;
        } else {
            let end = rest.find(|c: char| c.is_whitespace() || c == ';' || c == '"').unwrap_or(rest.len());
            if rest[..end].matches('/').count() == RANK_ENDS {
                return Err("a second position in the line".to_owned());
            }
            words.push(rest[..end].to_owned());
            rest = &rest[end..];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::CastlingMode;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    /// Goals of a line: id, best, avoid, mate, perft.
    type Goals = (String, Vec<String>, Vec<String>, Option<i32>, Vec<(u32, u64)>);

    fn goals(line: &str) -> Goals {
        let case = case(line, Reading::Goals).unwrap_or_else(|error| panic!("{line}: {error}"));
        let write = |moves: &[Move]| moves.iter().map(|&m| san::write(case.chess(), m)).collect();
        (case.id.clone().unwrap_or_default(), write(&case.best), write(&case.avoid), case.mate, case.perft)
    }

    type Row<'a> = (&'a str, &'a str, &'a [&'a str], &'a [&'a str], Option<i32>, &'a [(u32, u64)]);

    #[test]
    fn operations_of_every_kind() {
        let rows: &[Row<'_>] = &[
            ("", "", &[], &[], None, &[]),
            (" 0 1", "", &[], &[], None, &[]),
            (" bm e4;", "", &["e4"], &[], None, &[]),
            (" 0 bm e4;", "", &["e4"], &[], None, &[]),
            (" bm e4", "", &["e4"], &[], None, &[]),
            (" bm e4 Nf3; am f3 g4; id \"two\";", "two", &["e4", "Nf3"], &["f3", "g4"], None, &[]),
            (" bm e2e4 g1f3, d4!;", "", &["e4", "Nf3", "d4"], &[], None, &[]),
            (" 3 17 bm e4; c0 \"a; b\"; id \"x;y z\";", "x;y z", &["e4"], &[], None, &[]),
            (" id No. 5;bm e4;", "No. 5", &["e4"], &[], None, &[]),
            (" id \"\"; bm e4;", "", &["e4"], &[], None, &[]),
            (" bm #3;", "", &[], &[], Some(3), &[]),
            (" bm # 3;", "", &[], &[], Some(3), &[]),
            (" bm #-2; id \"lost\";", "lost", &[], &[], Some(-2), &[]),
            (" bm Nf3; dm 4;", "", &["Nf3"], &[], Some(4), &[]),
            (" 0 1 ;D1 20 ;D2 400", "", &[], &[], None, &[(1, 20), (2, 400)]),
            (" 0 1;D1 20;D2 400;", "", &[], &[], None, &[(1, 20), (2, 400)]),
            (";D1 20", "", &[], &[], None, &[(1, 20)]),
            (";D1 20 ;D1 20 ;D2 400", "", &[], &[], None, &[(1, 20), (2, 400)]),
            (" ; ;; D1 20 ; bm e4", "", &["e4"], &[], None, &[(1, 20)]),
            (" acd 12; ce 33; pv e4 e5; bm e4;", "", &["e4"], &[], None, &[]),
            (" noop; Debut \"e4\"; DM 3;", "", &[], &[], None, &[]),
        ];
        for (operations, id, best, avoid, mate, perft) in rows {
            let found = goals(&format!("{START}{operations}"));
            let strings = |texts: &[&str]| texts.iter().map(ToString::to_string).collect::<Vec<_>>();
            let wanted = (id.to_string(), strings(best), strings(avoid), *mate, perft.to_vec());
            assert_eq!(found, wanted, "{operations}");
        }
    }

    #[test]
    fn bad_lines_are_reported_with_the_reason() {
        for (line, reason) in [
            ("nonsense", "four fields, here are 1"),
            ("8/8/8/8/8/8/8/8 w", "four fields, here are 2"),
            ("8/8/8/8/8/8/8 w - -", "board"),
            ("8/8/8/8/8/8/8/8 w - -", "king"),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq -", "field 2"),
            ("4k3/8/8/8/8/8/8/4K3 w - - bm e4;", "'e4' is no legal move"),
            ("4k3/8/8/8/8/8/8/4K3 w - - bm;", "'bm' names no move"),
            ("4k3/8/8/8/8/8/8/4K3 w - - am;", "'am' names no move"),
            ("4k3/8/8/8/8/8/8/4K3 w - - dm;", "announces no mate"),
            ("4k3/8/8/8/8/8/8/4K3 w - - dm 0;", "announces no mate"),
            ("4k3/8/8/8/8/8/8/4K3 w - - bm #x;", "announces no mate"),
            ("4k3/8/8/8/8/8/8/4K3 w - - bm #;", "announces no mate"),
            ("4k3/8/8/8/8/8/8/4K3 w - - dm 99999999999;", "announces no mate"),
            ("4k3/8/8/8/8/8/8/4K3 w - - ;D1 many", "gives no number"),
            ("4k3/8/8/8/8/8/8/4K3 w - - ;D1", "gives no number"),
            ("4k3/8/8/8/8/8/8/4K3 w - - id \"open; bm Kd1;", "not closed"),
            ("4kQ2/4R3/8/8/8/8/8/4K3 w - - bm Kd1;", "check"),
        ] {
            let error = case(line, Reading::Goals).expect_err(line).to_lowercase();
            assert!(error.contains(&reason.to_lowercase()), "{line}: {error}");
        }
    }

    #[test]
    fn odd_positions_are_read() {
        for (what, line) in [
            ("an en passant square without a capturer", "4k3/8/8/8/4P3/8/8/4K3 b - e3 bm Kd7;"),
            ("castling rights without a rook", "4k3/8/8/8/8/8/8/4K3 w KQ - bm Kd1;"),
            ("thirteen knights", "4k3/8/8/8/8/8/NNNNNNNN/NNNNK2N w - - bm Kf1;"),
            ("castling twice on the same side", "rk6/8/8/8/8/8/8/RK6 w Aa - bm Kc2;"),
            ("a counter out of all proportion", "4k3/8/8/8/8/8/8/4K3 w - - 99999999999999 1 bm Kd1;"),
            ("tabs and spaces", "4k3/8/8/8/8/8/8/4K3\tw  -   -\tbm\tKd1 ;"),
        ] {
            assert!(case(line, Reading::Goals).is_ok(), "{what}: {:?}", case(line, Reading::Goals));
        }
    }

    #[test]
    fn castling_mode_follows_from_the_rights() {
        let mode = |line: &str| case(line, Reading::Goals).unwrap().game.castling();
        assert_eq!(mode(START), CastlingMode::Standard);
        assert_eq!(mode("nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w GBgb -"), CastlingMode::Chess960);
        assert_eq!(mode("nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w KQkq -"), CastlingMode::Chess960);
        let castles = case("4k3/8/8/8/8/8/8/1R2K1R1 w GB - bm O-O 0-0-0;", Reading::Goals).unwrap();
        assert_eq!(castles.best.len(), 2);
    }

    #[test]
    fn counters_come_from_fields_or_operations() {
        let fen = |line: &str| case(line, Reading::Goals).unwrap().game.fen();
        assert!(fen("4k3/8/8/8/8/8/8/4K3 w - - 7 33 bm Kd1;").ends_with(" 7 33"));
        assert!(fen("4k3/8/8/8/8/8/8/4K3 w - - 7 bm Kd1;").ends_with(" 7 1"));
        assert!(fen("4k3/8/8/8/8/8/8/4K3 w - - bm Kd1; hmvc 12; fmvn 44;").ends_with(" 12 44"));
        assert!(fen("4k3/8/8/8/8/8/8/4K3 w - - hmvc x; fmvn -3;").ends_with(" 0 1"));
    }

    #[test]
    fn files_hold_comments_blanks_and_bad_lines() {
        let text =
            format!("\u{feff}# a comment\r\n\r\n{START} bm e4;\r\n  # another\n{START} bm Ke4;\nrubbish\n");
        let suite = parse("own.epd", &text, Reading::Goals);
        assert_eq!(suite.cases.len(), 1);
        assert_eq!(suite.cases[0].name(), "own.epd:3");
        let places: Vec<_> = suite.bad.iter().map(|bad| bad.place.as_str()).collect();
        assert_eq!(places, ["own.epd:5", "own.epd:6"]);
        assert_eq!(parse("own.epd", &text, Reading::Positions).cases.len(), 2);
    }

    #[test]
    fn no_position_is_dropped_whatever_ends_a_line() {
        for end in ["\n", "\r\n", "\r", "\r\r", "\n\n"] {
            let suite =
                parse("own.epd", &[START, " bm e4;", end, START, " bm d4;", end].concat(), Reading::Goals);
            assert_eq!((suite.cases.len(), suite.bad.len()), (2, 0), "{end:?}");
        }
        for line in [
            format!("{START} bm e4; {START} bm d4;"),
            format!("{START} {START}"),
            format!("{START} 0 1 {START} 0 1"),
            format!("{START} bm e4 {START}"),
        ] {
            for reading in [Reading::Goals, Reading::Positions] {
                let error = case(&line, reading).unwrap_err();
                assert!(error.contains("a second position"), "{line}: {error}");
            }
        }
        // A name may hold a position.
        assert!(case(&format!("{START} id \"{START}\"; bm e4;"), Reading::Goals).is_ok());
    }

    #[test]
    fn no_input_panics() {
        let mut random = crate::random::SplitMix64::new(7);
        let alphabet: Vec<char> = "rnbqkpRNBQKP12345678/ wb-KQkqAHah;\"#bmadid .+é\u{0}9".chars().collect();
        for _ in 0..20_000 {
            let length = random.below(60);
            let tail: String = (0..length).map(|_| alphabet[random.below(alphabet.len())]).collect();
            let _ = case(&tail, Reading::Goals);
            let _ = case(&format!("{START} {tail}"), Reading::Goals);
        }
    }

    #[test]
    fn our_own_suites_have_no_bad_lines_and_openings_no_comments() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("epd");
        for path in std::fs::read_dir(&folder).unwrap().flatten().map(|entry| entry.path()) {
            if path.extension().is_some_and(|extension| extension == "epd") {
                let suite = read(&path, Reading::Goals).unwrap();
                assert!(suite.bad.is_empty(), "{:?}", suite.bad);
                assert!(!suite.cases.is_empty(), "{} is empty", suite.name);
                // A file of openings is read by other programs, which take every line for a position.
                let openings = !suite.cases.iter().any(|case| case.asks_search() || !case.perft.is_empty());
                let lines = std::fs::read_to_string(&path).unwrap().lines().count();
                assert!(
                    !openings || lines == suite.cases.len(),
                    "{} has lines without a position",
                    suite.name
                );
            }
        }
    }
}
