//! The bench by any backend, single-threaded and without a clock.

use plumb::chess::game::Game;
use plumb::engine::Options;
use plumb::engine::bench::POSITIONS;
use plumb::search::{Backend, Limits, NoControl, Searcher, Settings};

/// Size of the transposition table in MiB: that of the native bench.
const HASH: usize = 16;

/// Made moves of the first `positions` positions of the bench to a depth in plies by a backend, each from an
/// empty table, with the settings of the native bench.
///
/// # Errors
/// If there is no such backend, or no memory for the table.
pub fn bench(backend: &str, depth: i32, positions: usize) -> Result<u64, String> {
    let backend: Backend = backend.parse()?;
    let mut searcher = Searcher::with_own_table(HASH).map_err(|error| error.to_string())?;
    let (settings, limits) =
        (Settings { backend, ..Options::default().settings }, Limits { depth, ..Limits::default() });
    let mut nodes = 0;
    for fen in POSITIONS.iter().take(positions) {
        let game = Game::parse_fen(fen).map_err(|error| error.to_string())?;
        searcher.forget();
        nodes += searcher.search(game.position(), &[], &settings, &limits, &mut NoControl).stats.made_moves;
    }
    Ok(nodes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_backend_counts_and_no_other_name_does() {
        for backend in Backend::ALL {
            assert!(bench(backend.alias(), 2, 3).unwrap() > 0, "{backend}");
        }
        assert!(bench("fish", 2, 3).is_err());
    }
}
