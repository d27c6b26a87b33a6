//! `plumb trace`: one position, searched by several drivers; a table of their passes, and a page of pictures.

use super::arguments::TraceArgs;
use super::error::RecordError;
use super::record::Trace;
use super::root::root;
use super::{page, table};
use crate::lab::base::records::file::{self, Kind};
use crate::lab::base::terminal::console::{self, Failure};
use crate::lab::base::terminal::interrupted::interrupted;
use crate::lab::base::terminal::settings;
use crate::search::{Backend, Searcher, Settings};

/// Iterations without `--depth`, in plies.
const DEPTH: i32 = 6;

/// Backends without `--backends`.
const BACKENDS: &str = "mtdf,sss,dual,mtd-bi,negascout";

/// Runs the searches, prints the table and writes the page.
pub fn run(arguments: &TraceArgs) -> Result<(), Failure> {
    let game = root(arguments.fen.as_deref())?;
    let backends = drivers(arguments.backends.as_deref().unwrap_or(BACKENDS))?;
    let depth = arguments.depth.unwrap_or(DEPTH);
    let (common, hash) = common(arguments)?;
    file::check_writable(&arguments.output, Kind::Text)?;
    let mut searcher = Searcher::with_own_table(hash).map_err(RecordError::from)?;
    let mut traces = Vec::new();
    for backend in backends {
        let settings = Settings { backend, ..common.clone() };
        match Trace::record(&mut searcher, &game, &settings, depth, &interrupted) {
            Ok(trace) => traces.push(trace),
            Err(RecordError::Stopped) => break,
            Err(error) => return Err(error.into()),
        }
    }
    if interrupted() && traces.is_empty() {
        return Ok(());
    }
    console::out(&table(&traces).to_string())?;
    file::write(&arguments.output, page::page(&game, &traces, depth, common.mode))?;
    console::note(format!("the page is {}", arguments.output.display()));
    Ok(())
}

/// The backends named. One that is no driver is an error: it searches without passes.
fn drivers(list: &str) -> Result<Vec<Backend>, Failure> {
    let backends = Backend::list(list).map_err(Failure::usage)?;
    match backends.iter().find(|backend| !backend.is_driver()) {
        Some(other) => {
            Err(Failure::usage(format!("{other} searches without passes: there is nothing to trace")))
        }
        None => Ok(backends),
    }
}

/// Settings that all drivers share, and the size of the transposition table in MiB.
fn common(arguments: &TraceArgs) -> Result<(Settings, usize), Failure> {
    let options = settings::of_shown_search(&arguments.set, arguments.mode)?;
    Ok((options.settings, options.hash))
}

impl From<RecordError> for Failure {
    fn from(error: RecordError) -> Failure {
        match error {
            RecordError::Stopped => Failure::interrupted(),
            RecordError::Unreadable(what) => Failure::usage(what),
            RecordError::TooManyVisits { .. } => {
                Failure::new(format!("{error}; a smaller --depth makes fewer, --visits allows more"))
            }
            RecordError::Over | RecordError::Memory(_) => Failure::new(error.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_backend_that_makes_no_passes_is_refused() {
        assert_eq!(drivers("all").unwrap().len(), Backend::DRIVERS.len());
        assert!(drivers("mtdf,ins").unwrap_err().message().unwrap().contains("INS"));
        assert!(drivers("fish").is_err());
    }
}
