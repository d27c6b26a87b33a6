//! What a page offers and shows before anything is searched: the backends, positions of the suites of `epd/`,
//! boards and words.

use plumb::engine::bench::POSITIONS;
use plumb::engine::strength::Level;
use plumb::lab::base::pages::board;
use plumb::lab::study::tree::page;
use plumb::search::Backend;
use serde_json::json;

/// Suites inside the program: name, and the file.
const SUITES: [(&str, &str); 4] = [
    ("tactics", include_str!("../../epd/tactics.epd")),
    ("mates", include_str!("../../epd/mates.epd")),
    ("positional play", include_str!("../../epd/positional.epd")),
    ("games of masters", include_str!("../../epd/games.epd")),
];

/// Most positions of a suite that are offered.
const MOST: usize = 100;

/// The board, side to move, castling and en passant of a line of EPD, with the counters that a FEN has, and
/// what is asked of it.
fn offered(line: &str) -> Option<serde_json::Value> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let fen = words.get(..4)?.join(" ") + " 0 1";
    let operation = |name: &str| {
        let mut operations = line.split(';').map(str::trim);
        // The first operation stands behind the four fields.
        let found = operations.find_map(|text| {
            let at = text.find(&format!("{name} ")).filter(|&at| at == 0 || text[..at].ends_with(' '))?;
            Some(text[at + name.len()..].trim().trim_matches('"').to_owned())
        });
        found.unwrap_or_default()
    };
    Some(json!({ "fen": fen, "id": operation("id"), "best": operation("bm") }))
}

/// Names as JSON: `backends` (each with `name`, `alias` and `driver`, true of those with passes), `levels`
/// (each with `name` and `elo`), `suites` (each with `name` and `positions`: `fen`, `id`, `best`). And for
/// the page: `pieces` and `board`, SVG of the pieces of chess and of an empty board; `vocabulary`, the words
/// of recorded trees.
#[must_use]
pub fn choices() -> String {
    let backends = Backend::ALL.map(
        |backend| json!({ "name": backend.name(), "alias": backend.alias(), "driver": backend.is_driver() }),
    );
    let levels =
        Level::ALL.iter().filter_map(|level| Some(json!({ "name": level.name(), "elo": level.elo()? })));
    let levels: Vec<_> = levels.collect();
    let suite = |(name, text): (&str, &str)| {
        let positions: Vec<_> =
            text.lines().filter(|line| !line.starts_with('#')).filter_map(offered).take(MOST).collect();
        json!({ "name": name, "positions": positions })
    };
    let mut suites: Vec<_> = SUITES.into_iter().map(suite).collect();
    let bench: Vec<_> = POSITIONS.iter().map(|fen| json!({ "fen": fen, "id": "", "best": "" })).collect();
    suites.push(json!({ "name": "bench", "positions": bench }));
    let vocabulary: serde_json::Value = serde_json::from_str(&page::vocabulary()).unwrap_or_default();
    json!({
        "backends": backends, "levels": levels, "suites": suites,
        "pieces": board::pieces(), "board": board::empty(true), "vocabulary": vocabulary,
    })
    .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use plumb::chess::game::Game;
    use serde_json::Value;

    #[test]
    fn every_offered_position_can_be_played_from() {
        let choices: Value = serde_json::from_str(&choices()).unwrap();
        let suites = choices["suites"].as_array().unwrap();
        assert_eq!(suites.len(), SUITES.len() + 1);
        for suite in suites {
            let positions = suite["positions"].as_array().unwrap();
            assert!(positions.len() >= 10, "{suite}");
            for position in positions {
                let game = Game::parse_fen(position["fen"].as_str().unwrap());
                assert!(game.is_ok_and(|game| !game.legal_moves().is_empty()), "{position}");
            }
        }
        assert!(
            suites[0]["positions"][0]["best"].as_str().is_some_and(|best| !best.is_empty()),
            "{}",
            suites[0]
        );
        assert!(choices["vocabulary"]["code"]["mtdf"]["loop"].is_array());
        assert_eq!(choices["backends"].as_array().unwrap().len(), Backend::ALL.len());
    }
}
