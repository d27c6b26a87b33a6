//! `plumb trace --tree`: the searches, their table, the page that steps through them, and the record behind
//! it as JSON.

use super::{GameName, RandomTreeShape, Request, backends, page, table};
use crate::lab::base::records::file::{self, Kind};
use crate::lab::base::terminal::console::{self, Failure};
use crate::lab::base::terminal::interrupted::interrupted;
use crate::lab::base::terminal::settings;
use crate::lab::study::trace::arguments::TraceArgs;

/// Backends without `--backends`.
const BACKENDS: &str = "mtdf,sss,negascout";

/// Runs the searches, prints the table and writes the page, and the record where it is asked for.
///
/// # Errors
/// If the game cannot be read, a search is too large, or a file cannot be written.
pub fn run(arguments: &TraceArgs) -> Result<(), Failure> {
    for path in arguments.json.iter().chain([&arguments.output]) {
        file::check_writable(path, Kind::Text)?;
    }
    let record = request(arguments)?.record(&interrupted)?;
    let json = record.json().map_err(Failure::new)?;
    console::out(&table(&record).to_string())?;
    if let Some(path) = &arguments.json {
        file::write(path, format!("{json}\n"))?;
        console::note(format!("the record is {}", path.display()));
    }
    let output = &arguments.output;
    file::write(output, page::page(&record, &json))?;
    console::note(format!("the page is {}", output.display()));
    Ok(())
}

/// The searches of the command line.
pub(super) fn request(arguments: &TraceArgs) -> Result<Request, Failure> {
    let game = GameName::parse(arguments.tree.as_deref().unwrap_or("report"))?;
    if !matches!(game, GameName::Chess(_)) && (arguments.mode.is_some() || !arguments.set.is_empty()) {
        return Err(Failure::usage("--mode and --set belong to chess"));
    }
    let random = [
        ("--width", arguments.width.is_some()),
        ("--ordered", arguments.ordered.is_some()),
        ("--seed", arguments.seed.is_some()),
    ];
    if let Some((name, _)) = random.iter().find(|(_, given)| *given && !matches!(game, GameName::Random)) {
        return Err(Failure::usage(format!("{name} belongs to --tree random")));
    }
    let options = settings::of_shown_search(&arguments.set, arguments.mode)?;
    let usual = RandomTreeShape::default();
    Ok(Request {
        position: arguments.fen.clone(),
        backends: backends(arguments.backends.as_deref().unwrap_or(BACKENDS))?,
        depth: arguments.depth.unwrap_or(game.usual_depth()),
        guess: arguments.guess,
        window: arguments.window,
        visits: arguments.visits as usize,
        random: RandomTreeShape {
            width: arguments.width.unwrap_or(usual.width),
            ordered: arguments.ordered,
            seed: arguments.seed.unwrap_or(usual.seed),
        },
        settings: options.settings,
        hash: options.hash,
        game,
    })
}
