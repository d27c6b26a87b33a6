//! PGN of played games, as `plumb tournament --pgn` writes it.

use crate::chess::game::Game;
use crate::chess::score::{UNITS_PER_PAWN, Value, mate_in_plies};
use crate::lab::base::formats::{pgn::result, san};
use crate::lab::base::records::machine;
use crate::lab::play::referee::{Played, Ply, Termination};
use shakmaty::{CastlingMode, Position as _};
use std::fmt::Write as _;

/// Tags of a pair of games.
pub struct About<'a> {
    /// Number of the pair, from 0.
    pub number: usize,
    /// The players, the first one first.
    pub names: &'a [String; 2],
    /// Value of the tag `TimeControl`.
    pub clock: &'a str,
}

/// Longest line of moves, as the standard for export demands.
const WIDTH: usize = 80;

/// Two games of an opening with colours reversed, dated today.
#[must_use]
pub fn write(about: &About<'_>, opening: &Game, games: &[Played; 2]) -> String {
    let mut text = String::new();
    for (game, colours) in games.iter().zip([[0, 1], [1, 0]]) {
        head(&mut text, about, colours, opening, game);
        moves(&mut text, opening, game);
    }
    text
}

fn head(text: &mut String, about: &About<'_>, colours: [usize; 2], opening: &Game, game: &Played) {
    let [white, black] = colours.map(|player| about.names[player].replace(['"', '\\'], "'"));
    let today = machine::now().chars().take(10).collect::<String>().replace('-', ".");
    let _ = writeln!(text, "[Event \"Plumb tournament\"]\n[Site \"?\"]\n[Date \"{today}\"]");
    let _ = writeln!(text, "[Round \"{}\"]\n[White \"{white}\"]\n[Black \"{black}\"]", about.number + 1);
    let _ = writeln!(text, "[Result \"{}\"]", result(game.winner));
    if opening.castling() == CastlingMode::Chess960 {
        let _ = writeln!(text, "[Variant \"Chess960\"]");
    }
    let _ = writeln!(text, "[SetUp \"1\"]\n[FEN \"{}\"]", opening.fen());
    let _ = writeln!(text, "[TimeControl \"{}\"]", about.clock);
    let termination = match game.reason {
        Termination::Time => "time forfeit",
        Termination::Crash => "abandoned",
        Termination::Illegal => "rules infraction",
        reason if reason.by_rule() => "normal",
        _ => "adjudication",
    };
    let _ = writeln!(text, "[PlyCount \"{}\"]\n[Termination \"{termination}\"]\n", game.plies.len());
}

fn moves(text: &mut String, opening: &Game, game: &Played) {
    let mut now = opening.clone();
    let mut column = 0;
    let mut put = |word: String| {
        let gap = if column == 0 { "" } else { " " };
        if column + gap.len() + word.len() > WIDTH {
            text.push('\n');
            column = word.len();
        } else {
            text.push_str(gap);
            column += gap.len() + word.len();
        }
        text.push_str(&word);
    };
    for (index, ply) in game.plies.iter().enumerate() {
        let chess = now.position().chess();
        let dots = if now.position().turn().is_white() { "." } else { "..." };
        let (number, san) = (chess.fullmoves(), san::write(chess, ply.played));
        let (score, time) = (score(ply.value), ply.time.as_secs_f64());
        let Ply { depth, nodes, .. } = ply;
        // Some readers take one comment a move, and none on another line than its move.
        let reason = if index + 1 == game.plies.len() { format!(", {}", game.reason) } else { String::new() };
        put(format!("{number}{dots} {san} {{{score}/{depth} {time:.3}s {nodes}n{reason}}}"));
        now.play(ply.played);
    }
    if game.plies.is_empty() {
        put(format!("{{{}}}", game.reason));
    }
    put(result(game.winner).to_owned());
    text.push_str("\n\n");
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
        let game = Played { plies: vec![ply], winner: Some(Color::White), reason: Termination::Won };
        let games = [game.clone(), Played { plies: vec![], ..game }];
        let names = ["A".to_owned(), "\"B\"".to_owned()];
        let text = write(&About { number: 4, names: &names, clock: "8+0.08" }, &opening, &games);
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
        let shown = [Some(-7), Some(-MATE + 4), Some(MATE - 1), None].map(score);
        assert_eq!(shown, ["-0.07", "-M4", "+M1", ""]);
    }
}
