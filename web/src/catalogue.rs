//! Lists that a page needs before anything is searched: the backends, positions of the suites of `epd/`,
//! boards and words.

use plumb::chess::game::Game;
use plumb::engine::bench::POSITIONS;
use plumb::engine::strength::Level;
use plumb::lab::base::formats::epd::{self, Reading};
use plumb::lab::base::formats::san;
use plumb::lab::base::pages::board;
use plumb::lab::study::tree::page;
use plumb::search::Backend;
use serde_json::{Value, json};
use shakmaty::Move;

/// Suites inside the program: name, and the file.
const SUITES: [(&str, &str); 4] = [
    ("tactics", include_str!("../../epd/tactics.epd")),
    ("mates", include_str!("../../epd/mates.epd")),
    ("positional play", include_str!("../../epd/positional.epd")),
    ("games of masters", include_str!("../../epd/games.epd")),
];

/// Most positions of a suite that are offered.
const MOST: usize = 100;

/// A position that can be played from, as JSON: `fen`, `id` and `best`, the best moves in SAN.
fn offered(game: &Game, id: &str, best: &[Move]) -> Option<Value> {
    let best: Vec<String> = best.iter().map(|&m| san::write(game.position().chess(), m)).collect();
    let can_move = !game.legal_moves().is_empty();
    can_move.then(|| json!({ "fen": game.fen(), "id": id, "best": best.join(", ") }))
}

/// The first positions of a suite.
fn suite(name: &str, text: &str) -> Value {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let cases = lines.filter_map(|line| epd::case(line, Reading::Goals).ok());
    let offered = cases.filter_map(|case| offered(&case.game, case.name(), &case.best));
    json!({ "name": name, "positions": offered.take(MOST).collect::<Vec<_>>() })
}

/// The positions of the bench.
fn bench() -> Value {
    let games = POSITIONS.iter().filter_map(|fen| Game::parse_fen(fen).ok());
    let offered = games.filter_map(|game| offered(&game, "", &[]));
    json!({ "name": "bench", "positions": offered.collect::<Vec<_>>() })
}

/// Names as JSON: `backends` (each with `name`, `alias` and `driver`, true of those with passes), `levels`
/// (each with `name` and `elo`), `suites` (each with `name` and `positions`: `fen`, `id`, `best`). And for
/// the page: `pieces` and `board`, SVG of the pieces of chess and of an empty board; `pseudocode`, that of
/// each driver.
#[must_use]
pub fn choices() -> String {
    let backends = Backend::ALL.map(
        |backend| json!({ "name": backend.name(), "alias": backend.alias(), "driver": backend.is_driver() }),
    );
    let levels =
        Level::ALL.iter().filter_map(|level| Some(json!({ "name": level.name(), "elo": level.elo()? })));
    let levels: Vec<_> = levels.collect();
    let mut suites: Vec<Value> = SUITES.into_iter().map(|(name, text)| suite(name, text)).collect();
    suites.push(bench());
    json!({
        "backends": backends, "levels": levels, "suites": suites,
        "pieces": board::pieces(), "board": board::empty(true), "pseudocode": page::pseudocode(),
    })
    .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert!(choices["pseudocode"]["mtdf"]["loop"].is_array());
        assert_eq!(choices["backends"].as_array().unwrap().len(), Backend::ALL.len());
    }
}
