//! Annotated games as JSON, a game in a line, so that the file can be written game by game. The fields are
//! those of `GameJson` and `MoveJson`.

use super::annotated::Annotated;
use super::marks::{Score, Side};
use crate::lab::base::formats::san;
use crate::lab::base::terminal::console::Failure;
use serde::Serialize;
use shakmaty::Color;
use std::collections::BTreeMap;

/// A game.
#[derive(Serialize)]
struct GameJson<'a> {
    /// Its number in the input, from 1.
    number: usize,
    /// Its tags as they were read.
    tags: BTreeMap<&'a str, &'a str>,
    /// `1-0`, `0-1`, `1/2-1/2`, or `*`; `0-0` where both players lost.
    result: &'static str,
    /// The first position as a FEN.
    start: String,
    /// The opening, if it is known.
    opening: Option<OpeningJson<'a>>,
    /// Plies up to the last position that has a name or is in the book inside the program.
    book_plies: usize,
    /// White's expected points in the first position, 0 to 1.
    expected_at_start: Option<f64>,
    white: SideJson,
    black: SideJson,
    moves: Vec<MoveJson>,
}

#[derive(Serialize)]
struct OpeningJson<'a> {
    eco: &'a str,
    name: &'a str,
}

/// The moves of a side, summed up.
#[derive(Serialize)]
struct SideJson {
    /// Mean accuracy in per cent.
    accuracy: Option<f64>,
    /// Mean loss of a move in points, 0 to 1.
    loss: Option<f64>,
    inaccuracies: usize,
    mistakes: usize,
    blunders: usize,
}

/// A move.
#[derive(Serialize)]
struct MoveJson {
    san: String,
    uci: String,
    /// Score behind it, from White's side: normalized centipawns, or moves to mate.
    centipawns: Option<i32>,
    mate: Option<i32>,
    /// White's expected points behind it, 0 to 1.
    expected: Option<f64>,
    /// Expected points that its player lost, 0 to 1.
    loss: Option<f64>,
    /// `?!`, `?`, `??`, or null.
    mark: Option<&'static str>,
    /// The line that the search preferred, in coordinate notation, its first move in the place of this one.
    best: Vec<String>,
    /// Depth and nodes of the search of the position before it.
    depth: i32,
    nodes: u64,
}

/// The beginning of the document.
///
/// # Errors
/// If the settings cannot be written as JSON.
pub fn head(settings: &[String], marks: [f64; 3]) -> Result<String, Failure> {
    let (settings, marks) = (text(&settings)?, text(&marks)?);
    let program = concat!("Plumb ", env!("CARGO_PKG_VERSION"));
    Ok(format!(
        "{{\n\"program\": \"{program}\",\n\"settings\": {settings},\n\"marks\": {marks},\n\"games\": ["
    ))
}

/// The end of the document. `complete` is false for a run that was interrupted.
#[must_use]
pub fn foot(complete: bool) -> String {
    format!("\n],\n\"complete\": {complete}\n}}\n")
}

/// A game as an element of the list.
///
/// # Errors
/// If it cannot be written as JSON.
pub fn game(annotated: &Annotated) -> Result<String, Failure> {
    let opening = annotated.known.opening.as_ref();
    let first = super::marks::expected(&annotated.positions, &annotated.evaluated, 0);
    let [white, black] = Color::ALL.map(|color| side(&annotated.side(color)));
    text(&GameJson {
        number: annotated.number,
        tags: annotated.game.tags.iter().collect(),
        result: annotated.result(),
        start: annotated.game.start.fen(),
        opening: opening.map(|opening| OpeningJson { eco: &opening.eco, name: &opening.name }),
        book_plies: annotated.known.book_plies,
        expected_at_start: first,
        white,
        black,
        moves: (0..annotated.game.moves.len()).map(|index| played(annotated, index)).collect(),
    })
}

/// A game that could not be read, as an element of the list.
///
/// # Errors
/// If it cannot be written as JSON.
pub fn left_out(number: usize, why: &str) -> Result<String, Failure> {
    text(&serde_json::json!({ "number": number, "left_out": why }))
}

fn text(document: &impl Serialize) -> Result<String, Failure> {
    serde_json::to_string(document).map_err(|error| Failure::new(format!("cannot write JSON: {error}")))
}

fn side(side: &Side) -> SideJson {
    let [inaccuracies, mistakes, blunders] = side.marks;
    let [accuracy, loss] = [(side.accuracy(), 1e3), (side.loss(), 1e6)]
        .map(|(number, unit)| number.map(|number| (number * unit).round() / unit));
    SideJson { accuracy, loss, inaccuracies, mistakes, blunders }
}

fn played(annotated: &Annotated, index: usize) -> MoveJson {
    let (judged, position) = (&annotated.judged[index], &annotated.positions.all()[index]);
    let castling = annotated.positions.castling;
    let searched = &annotated.evaluated[index];
    let (centipawns, mate) = match judged.score {
        Some(Score::Centipawns(centipawns)) => (Some(centipawns), None),
        Some(Score::Mate(moves)) => (None, Some(moves)),
        None => (None, None),
    };
    // In steps of the model: a sum of them has digits that mean nothing.
    let rounded = |number: f64| (number * 2000.0).round() / 2000.0;
    MoveJson {
        san: san::write(position.chess(), judged.played),
        uci: judged.played.to_uci(castling).to_string(),
        centipawns,
        mate,
        expected: judged.expected.map(rounded),
        loss: judged.loss.map(rounded),
        mark: judged.mark.map(|mark| mark.glyph()),
        best: searched.line.iter().map(|m| m.to_uci(castling).to_string()).collect(),
        depth: searched.depth,
        nodes: searched.nodes,
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::annotated;
    use super::*;

    #[test]
    fn a_document_of_games_is_read_again() {
        let text = "[White \"A \\\"b\\\"\"]\n\n1. f3 e5 2. g4 Qh4# 0-1";
        let mate = annotated(text, &[0, 40, -60, 31_999, -32_000], &["e2e4", "e7e5", "e2e3 f8c5", "d8h4"]);
        let elements = [game(&mate).unwrap(), left_out(2, "\"why\"").unwrap()].join(",\n");
        let whole = head(&["nodes 100".to_owned()], [0.1, 0.2, 0.3]).unwrap() + &elements + &foot(true);
        let document: serde_json::Value = serde_json::from_str(&whole).unwrap();
        let first = &document["games"][0];
        assert_eq!(first["tags"]["White"], "A \"b\"");
        assert_eq!(first["black"]["accuracy"], 100.0);
        assert_eq!(first["white"]["blunders"], 1);
        let moves = &first["moves"];
        assert_eq!((&moves[0]["centipawns"], &moves[0]["mate"]), (&(-46).into(), &().into()));
        assert_eq!((&moves[2]["mark"], &moves[2]["mate"]), (&"??".into(), &(-1).into()));
        assert_eq!(moves[2]["best"], serde_json::json!(["e2e3", "f8c5"]));
        assert_eq!((&moves[3]["expected"], &moves[3]["uci"]), (&0.0.into(), &"d8h4".into()));
        assert_eq!(
            (&document["games"][1]["left_out"], &document["complete"]),
            (&"\"why\"".into(), &true.into())
        );
    }
}
