//! UCI output: info lines, `bestmove`, options.
//!
//! Messages are built with the types of `vampirc-uci`, except those that it cannot print: `bestmove (none)`,
//! and `currmovenumber`, which it calls by another name.
//!
//! Scores are printed in normalized centipawns ([`wdl_model::normalized`]); everywhere else they are in
//! units.

use crate::chess::score::{DRAW, Value, mate_in_moves};
use crate::engine::options::{Declaration, Kind, Options};
use crate::engine::per_second;
use crate::engine::wdl_model::{self, Wdl};
use crate::legible;
use crate::search::{Bound, Current, Outcome, Pass, Report};
use shakmaty::{CastlingMode, Move, Role, Square, uci::UciMove};
use std::io::{self, Write};
use std::time::Duration;
use vampirc_uci::{UciInfoAttribute as Info, UciMessage, UciOptionConfig, UciPiece, UciSquare};

/// Line writer that flushes every line, and keeps the first write error (of a closed pipe or a full disk).
pub struct Output {
    writer: Box<dyn Write>,
    error: Option<io::Error>,
}

impl Output {
    /// Standard output.
    #[must_use]
    pub fn standard() -> Output {
        Output::to(io::stdout())
    }

    /// Any writer.
    #[must_use]
    pub fn to(writer: impl Write + 'static) -> Output {
        Output { writer: Box::new(writer), error: None }
    }

    /// Writes a line, or several; control characters become spaces, since answers repeat words of the input
    /// and of files.
    pub fn line(&mut self, line: impl AsRef<str>) {
        let line = legible::lines(line.as_ref());
        log::debug!("<< {line}");
        let written = writeln!(self.writer, "{line}").and_then(|()| self.writer.flush());
        if let Err(error) = written {
            self.error.get_or_insert(error);
        }
    }

    /// Writes a message of the protocol.
    pub fn message(&mut self, message: &UciMessage) {
        self.line(message.to_string());
    }

    /// Writes an `info string` of one line.
    pub fn info_string(&mut self, text: &str) {
        self.message(&UciMessage::info_string(legible::line(text).into_owned()));
    }

    /// The first write error.
    #[must_use]
    pub fn error(&self) -> Option<&io::Error> {
        self.error.as_ref()
    }
}

/// Declaration of an option, as `uci` lists it.
#[must_use]
pub fn option(declaration: &Declaration) -> UciMessage {
    let start = Options::default();
    let name = declaration.name.to_owned();
    let default = declaration.default_value();
    UciMessage::Option(match &declaration.kind {
        Kind::Check { get, .. } => UciOptionConfig::Check { name, default: Some(get(&start)) },
        Kind::Spin { min, max, get, .. } => {
            UciOptionConfig::Spin { name, default: Some(get(&start)), min: Some(*min), max: Some(*max) }
        }
        Kind::Combo { choices, .. } => {
            let var = choices.iter().map(|&choice| choice.to_owned()).collect();
            UciOptionConfig::Combo { name, default, var }
        }
        Kind::Text { .. } => UciOptionConfig::String { name, default },
        Kind::Button => UciOptionConfig::Button { name },
    })
}

/// Info line of a report; with the material at the root, WDL of its score too.
#[must_use]
pub fn info(
    report: &Report,
    time: Duration,
    castling: CastlingMode,
    wdl_material: Option<u32>,
) -> UciMessage {
    let mut info = vec![
        Info::Depth(u8::try_from(report.depth).unwrap_or(u8::MAX)),
        Info::SelDepth(u8::try_from(report.selective_depth).unwrap_or(u8::MAX)),
        Info::MultiPv(u16::try_from(report.line).unwrap_or(u16::MAX)),
        score(report.value, report.bound),
    ];
    info.extend(wdl_material.map(|material| wdl(Wdl::of(report.value, material))));
    info.extend([
        Info::Nodes(report.nodes),
        Info::Nps(per_second(report.nodes, time)),
        Info::HashFull(u16::try_from(report.hashfull).unwrap_or(u16::MAX)),
    ]);
    info.extend(report.tb_hits.map(Info::TbHits));
    info.push(Info::Time(duration(time)));
    info.push(Info::Pv(report.pv.iter().filter_map(|&m| uci_move(m, castling)).collect()));
    UciMessage::Info(info)
}

/// Info line of a root without legal moves.
#[must_use]
pub fn info_without_moves(value: Value, with_wdl: bool) -> UciMessage {
    let mut info = vec![Info::Depth(0), score(value, Bound::Exact)];
    info.extend(with_wdl.then(|| wdl(if value == DRAW { Wdl::DRAWN } else { Wdl::of(value, 0) })));
    UciMessage::Info(info)
}

/// WDL, per thousand.
fn wdl(wdl: Wdl) -> Info {
    Info::Any("wdl".to_owned(), format!("{} {} {}", wdl.win, wdl.draw, wdl.loss))
}

/// Info line of the root move that is searched next.
#[must_use]
pub fn current(current: Current, castling: CastlingMode) -> String {
    let Current { depth, m, number } = current;
    format!("info depth {depth} currmove {} currmovenumber {number}", m.to_uci(castling))
}

/// Text of a pass of a driver, for `debug on`.
#[must_use]
pub fn pass(pass: &Pass, castling: CastlingMode) -> String {
    let Pass { depth, number, line, window, answer, of, bracket, nodes, .. } = pass;
    let line = if *line > 1 { format!(", line {line}") } else { String::new() };
    let of = of.map_or_else(String::new, |m| format!(", of {}", m.to_uci(castling)));
    format!(
        "pass {number} of depth {depth}{line}{of}: asked {} to {}, heard {answer}, known {} to {}, after \
        {nodes} moves",
        window.0, window.1, bracket.0, bracket.1
    )
}

/// `bestmove`, the last line of every search.
#[must_use]
pub fn best_move(outcome: &Outcome, castling: CastlingMode) -> String {
    let Some(best_move) = outcome.best.and_then(|m| uci_move(m, castling)) else {
        return "bestmove (none)".to_owned();
    };
    let ponder = outcome.ponder.and_then(|m| uci_move(m, castling));
    UciMessage::BestMove { best_move, ponder }.to_string()
}

/// Score in normalized centipawns, or in moves to mate. The crate prints a bound whenever its field is
/// `Some`.
fn score(value: Value, bound: Bound) -> Info {
    let clamped = |moves: Value| moves.clamp(i8::MIN.into(), i8::MAX.into()) as i8;
    let mate = mate_in_moves(value).map(clamped);
    Info::Score {
        cp: if mate.is_none() { Some(wdl_model::normalized(value)) } else { None },
        mate,
        lower_bound: (bound == Bound::Lower).then_some(true),
        upper_bound: (bound == Bound::Upper).then_some(true),
    }
}

fn duration(time: Duration) -> vampirc_uci::Duration {
    let milliseconds = i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
    vampirc_uci::Duration::try_milliseconds(milliseconds).unwrap_or(vampirc_uci::Duration::MAX)
}

/// A move in the crate's type, which holds every move of chess (no drops).
fn uci_move(m: Move, castling: CastlingMode) -> Option<vampirc_uci::UciMove> {
    let UciMove::Normal { from, to, promotion } = m.to_uci(castling) else { return None };
    let promotion = promotion.map(|role| match role {
        Role::Pawn => UciPiece::Pawn,
        Role::Knight => UciPiece::Knight,
        Role::Bishop => UciPiece::Bishop,
        Role::Rook => UciPiece::Rook,
        Role::Queen => UciPiece::Queen,
        Role::King => UciPiece::King,
    });
    Some(vampirc_uci::UciMove { from: square(from), to: square(to), promotion })
}

fn square(square: Square) -> UciSquare {
    UciSquare::from(square.file().char(), u8::from(square.rank()) + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{game::Game, score::MATE};

    fn report(value: Value, bound: Bound) -> Report {
        let mut game = Game::new();
        let mut pv = Vec::new();
        for text in ["e2e4", "e7e5"] {
            pv.push(game.parse_move(text).unwrap());
            game.play_text(text).unwrap();
        }
        Report {
            depth: 7,
            selective_depth: 12,
            line: 1,
            value,
            bound,
            finished: bound == Bound::Exact,
            nodes: 3000,
            hashfull: 5,
            tb_hits: None,
            pv,
        }
    }

    #[test]
    fn info_lines_have_a_fixed_form() {
        let even = wdl_model::MODEL.even[0].round() as Value;
        for (value, bound, score) in [
            (even, Bound::Exact, "cp 100"),
            (-3 * even, Bound::Lower, "cp -300 lowerbound"),
            (0, Bound::Upper, "cp 0 upperbound"),
            (MATE - 5, Bound::Exact, "mate 3"),
            (4 - MATE, Bound::Lower, "mate -2 lowerbound"),
        ] {
            let time = Duration::from_millis(1500);
            let line = info(&report(value, bound), time, CastlingMode::Standard, None).to_string();
            let rest = "nodes 3000 nps 2000 hashfull 5 time 1500 pv e2e4 e7e5";
            assert_eq!(line, format!("info depth 7 seldepth 12 multipv 1 score {score} {rest}"));
            let line = info(&report(value, bound), time, CastlingMode::Standard, Some(58)).to_string();
            let Wdl { win, draw, loss } = Wdl::of(value, 58);
            let wdl = format!("{score} wdl {win} {draw} {loss} {rest}");
            assert_eq!(line, format!("info depth 7 seldepth 12 multipv 1 score {wdl}"));
        }
        let next = Current { depth: 9, m: Game::new().parse_move("g1f3").unwrap(), number: 3 };
        assert_eq!(current(next, CastlingMode::Standard), "info depth 9 currmove g1f3 currmovenumber 3");
        for (value, said, wdl) in [(-MATE, "mate 0", "0 0 1000"), (0, "cp 0", "0 1000 0")] {
            assert_eq!(info_without_moves(value, false).to_string(), format!("info depth 0 score {said}"));
            let with_wdl = format!("info depth 0 score {said} wdl {wdl}");
            assert_eq!(info_without_moves(value, true).to_string(), with_wdl);
        }
    }

    #[test]
    fn castling_and_promotion_of_the_best_move_are_printed_in_uci_notation() {
        let game = Game::parse_fen("r3k2r/P7/8/8/8/8/8/R3K2R w KQkq -").unwrap();
        for (text, castling, printed) in [
            ("e1g1", CastlingMode::Standard, "bestmove e1g1"),
            ("e1g1", CastlingMode::Chess960, "bestmove e1h1"),
            ("a7b8n", CastlingMode::Standard, "bestmove (none)"),
            ("a1b1", CastlingMode::Standard, "bestmove a1b1"),
        ] {
            let outcome = Outcome { best: game.parse_move(text).ok(), ..Outcome::default() };
            assert_eq!(best_move(&outcome, castling), printed);
        }
        let game = Game::parse_fen("1n2k3/P7/8/8/8/8/8/4K3 w - -").unwrap();
        let outcome = Outcome { best: game.parse_move("a7b8n").ok(), ..Outcome::default() };
        assert_eq!(best_move(&outcome, CastlingMode::Standard), "bestmove a7b8n");
    }

    #[test]
    fn options_are_declared_in_uci_form() {
        let declared = |name: &str| option(Declaration::find(name).unwrap()).to_string();
        assert_eq!(declared("Hash"), "option name Hash type spin default 16 min 1 max 1048576");
        assert_eq!(declared("Clear Hash"), "option name Clear Hash type button");
        assert_eq!(declared("Ponder"), "option name Ponder type check default false");
        assert_eq!(declared("Debug Log File"), "option name Debug Log File type string default <empty>");
        assert!(declared("Mode").ends_with("type combo default play var play var paper var strict"));
    }
}
