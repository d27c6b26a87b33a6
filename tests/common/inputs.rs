//! Inputs from outside, one function a kind: each takes any bytes, and must neither panic nor break what it
//! asserts. The fuzz targets in `fuzz/` and the property tests in `tests/lab/inputs.rs` call them.

pub(crate) mod records;

use plumb::chess::book::{self, Book, ENTRY_BYTES};
use plumb::chess::game::Game;
use plumb::chess::syzygy::Tablebases;
use plumb::chess::{Position, movegen};
use plumb::eval::{Network, network::TrainedNetwork};
use plumb::lab::base::formats::pgn::comment_score::{CommentScore, MateCount, unit_of_scores};
use plumb::lab::base::formats::pgn::reader::{GameReader, PgnGame};
use plumb::lab::base::formats::{epd, labelled::Labelled};
use plumb::lab::play::archive::format::Reader;
use plumb::lab::study::analyse::annotated::Annotated;
use plumb::lab::study::analyse::openings::Names;
use plumb::lab::study::analyse::positions::{Evaluated, Positions};
use plumb::lab::study::analyse::{marks, writer};
use plumb::search::{Limits, NoControl, Searcher, Settings, TranspositionTable};
use plumb::uci::{self, command, command::Command};
use shakmaty::{MoveList, Position as _};
use std::cell::RefCell;
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// A reader of one kind of input, which must not panic whatever it is given.
type Input = fn(&[u8]);

/// Every kind, by the name of its target and of its folder of seeds.
pub(crate) const KINDS: [(&str, Input); 11] = [
    ("uci", uci),
    ("conversation", conversation),
    ("fen", fen),
    ("epd", epd),
    ("pgn", pgn),
    ("labels", labels),
    ("polyglot", polyglot),
    ("syzygy", syzygy),
    ("network", network),
    ("data", data),
    ("record", records::record),
];

/// A line of UCI: read, and a `go` made into limits.
pub(crate) fn uci(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let found = match command::parse(&text) {
        Ok(Some(Command::InPosition(_, command))) => Some(*command),
        Ok(found) => found,
        Err(complaint) => {
            assert!(!complaint.is_empty());
            None
        }
    };
    if let Some(Command::Go(go)) = found {
        let game = Game::new();
        let (go, _) = go.to_search(&game, Instant::now());
        assert!(go.limits.moves.iter().all(|m| game.legal_moves().contains(m)));
        assert!(go.limits.depth >= 1);
    }
}

/// Writer whose text can be read afterwards.
#[derive(Clone, Default)]
struct Said(Arc<Mutex<Vec<u8>>>);

impl Write for Said {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Lines that would take gigabytes, start threads by the hundred, or write files, are left out of a
/// conversation.
fn is_harmless(line: &str) -> bool {
    let line: String = line.to_ascii_lowercase().split_whitespace().collect();
    !["hash", "threads", "bench", "file", "path"].iter().any(|word| line.contains(word))
}

/// A conversation with the engine, which is stopped at its end: every `go` is answered, by a legal move.
pub(crate) fn conversation(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let lines: Vec<&str> = text.lines().filter(|line| is_harmless(line)).take(40).collect();
    let ends =
        lines.iter().any(|line| matches!(command::parse(line), Ok(Some(command)) if is_quit(&command)));
    let asked = lines.iter().filter(|line| matches!(command::parse(line), Ok(Some(Command::Go(_))))).count();
    let input = format!("{}\nstop\nisready\n", lines.join("\n"));
    let said = Said::default();
    let _ = uci::converse(std::io::Cursor::new(input.into_bytes()), said.clone());
    let bytes = said.0.lock().unwrap_or_else(PoisonError::into_inner);
    let said = String::from_utf8_lossy(&bytes);
    assert!(!said.contains("the search failed"), "{said}");
    if !ends {
        let answers = said.lines().filter(|line| line.starts_with("bestmove ")).count();
        assert!(answers >= asked, "{answers} answers to {asked} searches: {said}");
        assert!(said.lines().any(|line| line == "readyok"), "{said}");
    }
}

fn is_quit(command: &Command) -> bool {
    format!("{command:?}") == "Simple(Quit)"
}

thread_local! {
    /// A small searcher, used again since a new one takes longer than a search here.
    static SEARCHER: RefCell<Searcher> =
        RefCell::new(Searcher::new(Arc::new(TranspositionTable::new(1).expect("a MiB"))));
}

/// A FEN: what is accepted can be written, read again, turned over, played on from and searched.
pub(crate) fn fen(bytes: &[u8]) {
    let Ok(game) = Game::parse_fen(&String::from_utf8_lossy(bytes)) else { return };
    let position = game.position();
    let again = Game::parse_fen(&game.fen()).expect("a FEN that was written");
    assert_eq!((again.fen(), again.position().key()), (game.fen(), position.key()));
    assert_eq!(
        game.flipped().and_then(|game| game.flipped()).expect("a position turned over").fen(),
        game.fen()
    );
    let mut moves = MoveList::new();
    movegen::all(position, &mut moves);
    assert_eq!(moves.len(), game.legal_moves().len());
    for &m in &moves {
        let next = position.play(m);
        assert_eq!(next.key(), Position::new(next.chess().clone()).key(), "{m:?} in {}", game.fen());
        assert_eq!(movegen::decode(position, movegen::encode(m)), Some(m));
        assert_eq!(game.parse_move(&game.print_move(m)), Ok(m), "in {}", game.fen());
    }
    let limits = Limits { nodes: Some(300), depth: 4, ..Limits::default() };
    let search = |searcher: &RefCell<Searcher>| {
        searcher.borrow_mut().search(position, &[], &Settings::default(), &limits, &mut NoControl)
    };
    let outcome = SEARCHER.with(search);
    assert_eq!(outcome.fault(position, &[]), None, "{}", game.fen());
}

/// An EPD file: best moves are legal.
pub(crate) fn epd(bytes: &[u8]) {
    let suite = epd::parse("file", &String::from_utf8_lossy(bytes), epd::Reading::Goals);
    for case in &suite.cases {
        assert!(case.best.iter().chain(&case.avoid).all(|&m| case.chess().is_legal(m)), "{}", case.place);
        assert!(case.worth(case.best.first().copied()).is_none_or(|(points, of)| points <= of));
    }
}

/// Positions with labels.
pub(crate) fn labels(bytes: &[u8]) {
    for line in String::from_utf8_lossy(bytes).lines() {
        if let Ok(label) = Labelled::read(line) {
            assert!((0.0..=1.0).contains(&label.result) && label.score.is_none_or(f64::is_finite));
        }
    }
}

/// Games in PGN: every game that is read can be played, every comment may be a score, and the game can be
/// written with all that stands in it, and read again.
pub(crate) fn pgn(bytes: &[u8]) {
    let mut reader = GameReader::new(bytes).keeping_remarks();
    while let Some((_, game)) = reader.next_game().expect("bytes can be read") {
        let game = match game {
            Ok(game) => game,
            Err(why) => {
                assert!(!why.to_string().is_empty() && !why.kind().is_empty());
                continue;
            }
        };
        let mates = MateCount::of(&game);
        let mut now = game.start.clone();
        for (m, comments) in game.commented_moves() {
            assert!(now.position().chess().is_legal(m));
            now.play(m);
            for comment in comments {
                let _ = CommentScore::read(comment, unit_of_scores(true), mates);
            }
        }
        assert_eq!(now.position().key(), Position::new(now.position().chess().clone()).key());
        written_again(game);
    }
}

/// A game that is annotated without a search, and read again, and again written.
fn written_again(game: PgnGame) {
    thread_local! {
        static NAMES: Names = Names::new(&[] as &[&str]).expect("the lines of the built-in book");
    }
    let written = |game: PgnGame| {
        let positions = Positions::of(&game);
        let evaluated = vec![Evaluated::default(); positions.all().len()];
        let judge = |names: &Names| {
            Annotated::new(1, game.clone(), positions, evaluated, (&marks::MarkLimits::default(), names))
        };
        writer::write(&NAMES.with(judge), false)
    };
    let (moves, result, start) = (game.moves.clone(), game.result, game.start.fen());
    let text = written(game);
    let mut reader = GameReader::new(text.as_bytes()).keeping_remarks();
    let again = reader.next_game().expect("bytes can be read").map(|(_, game)| game);
    let again = again.and_then(Result::ok).unwrap_or_else(|| panic!("is not read again: {text}"));
    assert_eq!((&again.moves, again.result, again.start.fen()), (&moves, result, start), "{text}");
    assert!(reader.next_game().expect("bytes can be read").is_none(), "more than one game: {text}");
    // A value that is longer than the reader keeps is cut, which may divide a letter: it changes.
    if again.tags.iter().all(|(name, value)| name.len() + value.len() < 100) {
        assert_eq!(written(again), text);
    }
}

/// A book: as a file, and as entries for the start position.
pub(crate) fn polyglot(bytes: &[u8]) {
    let start = Game::new();
    let check = |bytes: Vec<u8>| {
        let Ok(book) = Book::from_bytes(bytes) else { return };
        for found in book.moves(start.position()) {
            assert!(start.position().chess().is_legal(found.m) && found.weight <= found.total);
        }
    };
    check(bytes.to_vec());
    let key = start.position().polyglot_key().to_be_bytes();
    check(bytes.chunks_exact(ENTRY_BYTES / 2).flat_map(|rest| [&key[..], rest].concat()).collect());
    for code in bytes.as_chunks::<2>().0 {
        let _ = book::decode(start.position(), u16::from_be_bytes(*code));
    }
}

/// A table of king and queen against king, of wins by the first byte or else of distances, behind its magic
/// number.
pub(crate) fn syzygy(bytes: &[u8]) {
    let Some((kind, rest)) = bytes.split_first() else { return };
    let (name, magic) = if kind & 1 == 0 {
        ("KQvK.rtbw", [0x71, 0xe8, 0x23, 0x5d])
    } else {
        ("KQvK.rtbz", [0xd7, 0x66, 0x0c, 0xa5])
    };
    let thread = format!("{:?}", std::thread::current().id()).replace(['(', ')'], "");
    let folder = std::env::temp_dir().join(format!("plumb-inputs-{}-{thread}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for files");
    std::fs::write(folder.join(name), [&magic, rest].concat()).expect("a file");
    let tables = Tablebases::open(&folder.display().to_string());
    std::fs::remove_dir_all(&folder).ok();
    let Ok(tables) = tables else { return };
    for fen in
        ["8/8/8/8/8/2k5/8/K2Q4 w - - 0 1", "8/8/8/3q4/8/2K5/8/k7 w - - 0 1", "7k/8/8/8/8/8/1Q6/K7 b - - 0 1"]
    {
        let game = Game::parse_fen(fen).expect("a FEN");
        let _ = (tables.wdl(game.position()), tables.dtz(game.position()));
        let _ = tables.rank(game.position(), &[], true);
    }
}

/// A network file: as it is, and with the checksum and the number of weights that it should have.
pub(crate) fn network(bytes: &[u8]) {
    let Err(error) = TrainedNetwork::parse(bytes).map(|trained| Network::quantise(&trained)) else { return };
    assert!(!error.is_empty());
    let Some(end) = bytes.iter().position(|&byte| byte == b'\n') else { return };
    let (head, rest) = bytes.split_at(end + 1);
    let first = TrainedNetwork::parse(&[head, &[0; 8]].concat());
    let expected = first.err().and_then(|error| error.rsplit_once("instead of ")?.1.parse::<usize>().ok());
    let Some(expected) = expected.filter(|&bytes| bytes <= 1 << 20 && !rest.is_empty()) else { return };
    let numbers: Vec<u8> = rest.iter().copied().cycle().take(expected).collect();
    // The checksum of a quantised file covers its first line too.
    let line = if head.starts_with(b"plumb network 2") { head } else { &[] };
    let sum = line
        .iter()
        .chain(&numbers)
        .fold(0xcbf2_9ce4_8422_2325_u64, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    if let Ok(trained) = TrainedNetwork::parse(&[head, &sum.to_le_bytes(), &numbers].concat()) {
        assert!(trained.parameters.iter().all(|number| number.is_finite()));
        let _ = Network::quantise(&trained);
    }
}

/// A file of games of self-play: a game that is read is written as it was.
pub(crate) fn data(bytes: &[u8]) {
    let mut reader = Reader::new(bytes);
    let mut from = 0;
    while let Ok(Some(game)) = reader.next_game() {
        let to = reader.at() as usize;
        let again = Reader::new(&game.bytes()[..]).next_game();
        let again = again.expect("a game that was written").expect("one game");
        assert_eq!(again.bytes(), game.bytes(), "bytes {from} to {to}");
        game.for_each(|position, scored| assert!(position.chess().is_legal(scored.played)));
        from = to;
    }
}
