//! PGN of played games, as `plumb tournament --pgn` writes it.

use crate::chess::game::Game;
use crate::chess::score::{UNITS_PER_PAWN, Value, mate_in_plies};
use crate::lab::base::formats::openings::Line;
use crate::lab::base::formats::pgn::result;
use crate::lab::base::formats::pgn::writer::Lines;
use crate::lab::base::formats::san;
use crate::lab::base::records::machine;
use crate::lab::play::referee::{FinishedGame, GameTime, Ply, Termination, clocks_after};
use shakmaty::{CastlingMode, Move, Position as _};
use std::fmt::Write as _;
use std::time::Duration;

/// Tags of a pair of games.
pub struct About<'a> {
    /// Number of the pair, from 0.
    pub number: usize,
    /// The players, the first one first.
    pub names: [&'a str; 2],
    /// Value of the tag `TimeControl`.
    pub clock: &'a str,
    /// The clocks of the games, if they are played with them.
    pub time: Option<GameTime>,
    /// The moves that lead to the opening, where they are known: they are written as moves of a book.
    pub line: Option<&'a Line>,
}

/// Two games of an opening with colours reversed, dated today.
#[must_use]
pub fn write(about: &About<'_>, opening: &Game, games: &[FinishedGame; 2]) -> String {
    let mut text = String::new();
    for (game, colours) in games.iter().zip([[0, 1], [1, 0]]) {
        head(&mut text, about, colours, opening, game);
        moves(&mut text, about, opening, game);
    }
    text
}

fn head(text: &mut String, about: &About<'_>, colours: [usize; 2], opening: &Game, game: &FinishedGame) {
    let [white, black] = colours.map(|player| about.names[player].replace(['"', '\\'], "'"));
    let today = machine::now().chars().take(10).collect::<String>().replace('-', ".");
    let _ = writeln!(text, "[Event \"Plumb tournament\"]\n[Site \"?\"]\n[Date \"{today}\"]");
    let _ = writeln!(text, "[Round \"{}\"]\n[White \"{white}\"]\n[Black \"{black}\"]", about.number + 1);
    let _ = writeln!(text, "[Result \"{}\"]", result(game.winner));
    let first = about.line.map_or(opening, |line| &line.start);
    // The opening may have lost the rights that show it, and the line to it castles.
    if [opening, first].iter().any(|game| game.castling() == CastlingMode::Chess960) {
        let _ = writeln!(text, "[Variant \"Chess960\"]");
    }
    if first.fen() != Game::new().fen() {
        let _ = writeln!(text, "[SetUp \"1\"]\n[FEN \"{}\"]", first.fen());
    }
    let _ = writeln!(text, "[TimeControl \"{}\"]", about.clock);
    let termination = match game.reason {
        Termination::Time => "time forfeit",
        Termination::Crash => "abandoned",
        Termination::Illegal => "rules infraction",
        reason if reason.by_rule() => "normal",
        _ => "adjudication",
    };
    let plies = game.plies.len() + about.line.map_or(0, |line| line.moves.len());
    let _ = writeln!(text, "[PlyCount \"{plies}\"]\n[Termination \"{termination}\"]\n");
}

fn moves(text: &mut String, about: &About<'_>, opening: &Game, game: &FinishedGame) {
    let line = about.line;
    let clocks = about.time.map_or(Vec::new(), |time| clocks_after(time, &game.plies));
    let mut now = line.map_or(opening, |line| &line.start).clone();
    let mut lines = Lines::default();
    let mut put = |word: String| lines.put(&word);
    for &m in line.map_or(&[][..], |line| &line.moves) {
        put(format!("{} {{book}}", numbered(&now, m)));
        now.play(m);
    }
    for (index, ply) in game.plies.iter().enumerate() {
        let san = numbered(&now, ply.played);
        let (score, time) = (score(ply.value), ply.recorded_time().as_secs_f64());
        let Ply { depth, nodes, .. } = ply;
        // Some readers take one comment a move, and none on another line than its move.
        let reason = if index + 1 == game.plies.len() { format!(", {}", game.reason) } else { String::new() };
        let clock = clocks.get(index).map_or(String::new(), |&left| format!(" [%clk {}]", clock(left)));
        put(format!("{san} {{{score}/{depth} {time:.3}s {nodes}n{clock}{reason}}}"));
        now.play(ply.played);
    }
    if game.plies.is_empty() {
        put(format!("{{{}}}", game.reason));
    }
    put(result(game.winner).to_owned());
    text.push_str(&lines.finish());
}

/// A move with its number: `12... Nf6`.
fn numbered(now: &Game, m: Move) -> String {
    let chess = now.position().chess();
    let dots = if now.position().turn().is_white() { "." } else { "..." };
    format!("{}{dots} {}", chess.fullmoves(), san::write(chess, m))
}

/// Time on a clock as PGN has it: hours, minutes, seconds, with milliseconds, since engines play fast.
fn clock(left: Duration) -> String {
    let seconds = left.as_secs();
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    format!("{hours}:{minutes:02}:{:02}.{:03}", seconds % 60, left.subsec_millis())
}

/// Pawns, or plies to mate (`+M5`, `-M4`), as match runners write them; nothing for a move without a score.
fn score(value: Option<Value>) -> String {
    let Some(value) = value else { return String::new() };
    match mate_in_plies(value) {
        Some(plies) => format!("{}M{plies}", if value < 0 { '-' } else { '+' }),
        None => format!("{:+.2}", f64::from(value) / f64::from(UNITS_PER_PAWN)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::score::MATE;
    use shakmaty::Color;
    use std::time::Duration;

    #[test]
    fn chess960_is_named_in_the_tags() {
        let opening = Game::parse_fen("4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1").unwrap();
        let played = opening.parse_move("e1g1").unwrap();
        let ply = Ply { played, value: Some(MATE - 5), depth: 7, nodes: 12, time: Duration::from_millis(3) };
        let game = FinishedGame { plies: vec![ply], winner: Some(Color::White), reason: Termination::Won };
        let games = [game.clone(), FinishedGame { plies: vec![], ..game }];
        let names = ["A", "\"B\""];
        let about = About { number: 4, names, clock: "8+0.08", time: None, line: None };
        let text = write(&about, &opening, &games);
        let variant = text.find("[Variant \"Chess960\"]").unwrap();
        assert!(variant < text.find("[FEN").unwrap());
        for part in [
            "[Round \"5\"]",
            "[White \"A\"]",
            "[White \"'B'\"]",
            "[TimeControl \"8+0.08\"]",
            "[Termination \"adjudication\"]",
            "\n\n1. O-O {+M5/7 0.003s 12n, adjudication: won} 1-0\n",
            "\n\n{adjudication: won} 1-0\n",
        ] {
            assert!(text.contains(part), "{part} is not in {text}");
        }
        let start = Game::new();
        let line = Line { moves: vec![start.parse_move("g1f3").unwrap()], start };
        let mut end = line.start.clone();
        end.play(line.moves[0]);
        let ply = Ply {
            played: end.parse_move("d7d5").unwrap(),
            value: None,
            depth: 0,
            nodes: 1,
            time: Duration::ZERO,
        };
        let game = FinishedGame { plies: vec![ply], winner: None, reason: Termination::Drawn };
        let about = About { number: 0, names, clock: "-", time: None, line: Some(&line) };
        let text = write(&about, &end, &[game.clone(), game]);
        assert!(
            text.contains("\n\n1. Nf3 {book} 1... d5 {/0 0.000s 1n, adjudication: drawn} 1/2-1/2\n"),
            "{text}"
        );
        assert!(text.contains("[PlyCount \"2\"]") && !text.contains("FEN"), "{text}");
        let shown = [Some(-7), Some(-MATE + 4), Some(MATE - 1), None].map(score);
        assert_eq!(shown, ["-0.07", "-M4", "+M1", ""]);
    }

    #[test]
    fn a_chess960_game_is_one_after_both_sides_have_castled_in_its_opening() {
        let start = Game::parse_fen("rk5r/pppppppp/8/8/8/8/PPPPPPPP/RK5R w KQkq - 0 1").unwrap();
        let mut now = start.clone();
        let mut moves = Vec::new();
        for text in ["b1h1", "b8h8"] {
            moves.push(now.parse_move(text).unwrap());
            now.play(moves[moves.len() - 1]);
        }
        let opening = Game::parse_fen(&now.fen()).unwrap();
        let line = Line { moves, start };
        let game = FinishedGame { plies: Vec::new(), winner: None, reason: Termination::Drawn };
        let about = About { number: 0, names: ["A", "B"], clock: "-", time: None, line: Some(&line) };
        let text = write(&about, &opening, &[game.clone(), game]);
        assert!(text.contains("[Variant \"Chess960\"]") && text.contains("1. O-O {book} 1... O-O"), "{text}");
    }

    /// Near to half a millisecond, what a record leaves out would decide the last digit.
    #[test]
    fn a_game_from_its_record_is_written_as_it_was_after_it_was_played() {
        let opening = Game::new();
        let played = opening.parse_move("e2e4").unwrap();
        let written = |time| {
            let ply = Ply { played, value: None, depth: 1, nodes: 1, time };
            let game = FinishedGame { plies: vec![ply], winner: None, reason: Termination::Drawn };
            let about = About { number: 0, names: ["A", "B"], clock: "-", time: None, line: None };
            write(&about, &opening, &[game.clone(), game])
        };
        for milliseconds in 0..100 {
            let kept = Duration::from_micros(1000 * milliseconds + 500);
            assert_eq!(written(kept + Duration::from_nanos(999)), written(kept), "{milliseconds}");
        }
    }

    #[test]
    fn games_on_a_clock_have_the_time_that_is_left() {
        let mut now = Game::new();
        let mut plies = Vec::new();
        for (text, micros) in [("e2e4", 1_500_900), ("e7e5", 10), ("g1f3", 0), ("b8c6", 3_600_000_000)] {
            let played = now.parse_move(text).unwrap();
            plies.push(Ply {
                played,
                value: Some(5),
                depth: 3,
                nodes: 9,
                time: Duration::from_micros(micros),
            });
            now.play(played);
        }
        let game = FinishedGame { plies, winner: None, reason: Termination::Drawn };
        let base = Duration::from_secs(2 * 3600);
        let time = GameTime { base, increment: Duration::from_millis(500), moves: Some(2) };
        let about = About { number: 0, names: ["A", "B"], clock: "-", time: Some(time), line: None };
        let text = write(&about, &Game::new(), &[game.clone(), game]).replace('\n', " ");
        for part in [
            "1. e4 {+0.05/3 1.501s 9n [%clk 1:59:58.999]} 1... e5",
            "1... e5 {+0.05/3 0.000s 9n [%clk 2:00:00.499]} 2. Nf3",
            // After two moves each side has its time once more.
            "2. Nf3 {+0.05/3 0.000s 9n [%clk 3:59:59.499]}",
            "2... Nc6 {+0.05/3 3600.000s 9n [%clk 3:00:00.999], adjudication: drawn} 1/2-1/2",
        ] {
            assert!(text.contains(part), "{part} is not in {text}");
        }
    }
}
