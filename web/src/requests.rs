//! Requests as JSON, and the records that answer them.

use plumb::engine::Options;
use plumb::lab::study::tree::{GameName, RandomTreeShape, Request, backends};
use plumb::search::Mode;
use serde::Deserialize;

/// Backends of a request that names none.
const BACKENDS: &str = "mtdf,sss,negascout";

/// Most visits of a backend, where the request does not say.
const VISITS: usize = 20_000;

/// Size of the transposition table in MiB.
const HASH: usize = 16;

/// A request for a record; names as those of the command line.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct TreeRequest {
    game: String,
    position: Option<String>,
    backends: Option<String>,
    depth: Option<i32>,
    guess: Option<i32>,
    window: Option<i32>,
    visits: Option<usize>,
    mode: Option<String>,
    width: Option<u16>,
    ordered: Option<u8>,
    seed: Option<u64>,
}

/// A number of a request within its range.
fn within<T: PartialOrd + std::fmt::Display>(name: &str, value: T, least: T, most: T) -> Result<T, String> {
    if (least <= value) && (value <= most) {
        Ok(value)
    } else {
        Err(format!("{name} is {value}, and may be {least} to {most}"))
    }
}

/// The record of searches of a small tree, as `plumb trace --tree --json` writes it. `request` is JSON:
/// `{"game": "report", "position": null, "backends": "mtdf,sss", "depth": 4, "guess": null, "window": null,
/// "visits": 20000, "mode": "paper", "width": 3, "ordered": null, "seed": 1}`; all but `game` may be missing.
///
/// # Errors
/// If the request cannot be read, the game or its root neither, or a search makes too many visits.
pub fn tree(request: &str) -> Result<String, String> {
    let asked: TreeRequest = serde_json::from_str(request).map_err(|error| error.to_string())?;
    let game = GameName::parse(&asked.game).map_err(|error| error.to_string())?;
    let usual = RandomTreeShape::default();
    let mut settings = Options::default().settings;
    settings.mode = Mode::Paper;
    settings.drivers.grid = 1;
    if let Some(mode) = &asked.mode {
        settings.mode = mode.parse()?;
    }
    let request = Request {
        position: asked.position,
        backends: backends(asked.backends.as_deref().unwrap_or(BACKENDS))
            .map_err(|error| error.to_string())?,
        depth: within("depth", asked.depth.unwrap_or(game.usual_depth()), 1, 60)?,
        guess: asked.guess,
        window: asked.window.map(|window| within("window", window, 1, 30_000)).transpose()?,
        visits: within("visits", asked.visits.unwrap_or(VISITS), 1, 500_000)?,
        random: RandomTreeShape {
            width: within("width", asked.width.unwrap_or(usual.width), 1, 100)?,
            ordered: asked.ordered.map(|ordered| within("ordered", ordered, 0, 100)).transpose()?,
            seed: asked.seed.unwrap_or(usual.seed),
        },
        settings,
        hash: HASH,
        game,
    };
    let record = request.record(&|| false).map_err(|error| error.to_string())?;
    record.json()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_answered_with_the_record_of_its_searches() {
        let record = tree(r#"{"game": "((3 5) (2 9))", "backends": "sss, mtdf"}"#).unwrap();
        let read: serde_json::Value = serde_json::from_str(&record).unwrap();
        assert_eq!(read["runs"][0]["driver"], "SSS*");
        assert!(read["runs"].as_array().unwrap().iter().all(|run| run["value"] == 3));
        for game in ["report", "random", "othello", "checkers", "chess"] {
            assert!(tree(&format!(r#"{{"game": "{game}", "depth": 2}}"#)).is_ok(), "{game}");
        }
    }

    #[test]
    fn a_wrong_request_is_a_sentence() {
        for (request, wanted) in [
            ("{", "EOF"),
            (r#"{"game": "go"}"#, "no game"),
            (r#"{"game": "report", "deep": 3}"#, "unknown field"),
            (r#"{"game": "report", "depth": 0}"#, "depth is 0"),
            (r#"{"game": "report", "backends": "best-first"}"#, "without passes"),
            (r#"{"game": "chess", "backends": "ins"}"#, "not in chess"),
            (r#"{"game": "report", "position": "x"}"#, "no other position"),
            (r#"{"game": "chess", "position": "x"}"#, "FEN"),
            (r#"{"game": "othello", "depth": 6, "visits": 50}"#, "more than 50 visits"),
            (r#"{"game": "((1 2)"}"#, ""),
        ] {
            let error = tree(request).unwrap_err();
            assert!(error.contains(wanted) && !error.contains('\n') && error.len() > 8, "{request}: {error}");
        }
    }
}
