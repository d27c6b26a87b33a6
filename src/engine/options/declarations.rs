//! The declarations of all options, in the order of the `uci` command.

use super::declaration::Scope::{Search, Session, Setting};
use super::declaration::{Declaration, Effect, Kind, check, combo, number, spin, text};
use super::error::OptionError;
use super::values::{AnalysisBackend, Options};
use crate::chess::book::Choice;
use crate::engine::strength::{ELO, Level};
use crate::eval::{Evaluation, Network, network};
use crate::minimax::replacement::Replacement;
use crate::search::{Backend, FirstGuess, Helpers, Mode, Stepping, Strategy, TableBounds};
use once_cell::sync::Lazy;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Value of `UCI_EngineAbout`.
const ABOUT: &str = concat!(
    "Plumb ",
    env!("CARGO_PKG_VERSION"),
    ", a chess engine whose search algorithm is a choice. GPL-3.0-or-later."
);

/// Upper limit of `Threads`.
pub const MOST_THREADS: usize = 1024;

/// All options, in the order of the `uci` command.
pub(super) static DECLARATIONS: Lazy<Vec<Declaration>> = Lazy::new(|| {
    let mut all = engine_options();
    all.extend(driver_options());
    all.extend(search_options());
    all.extend(evaluation_options());
    all.extend(book_options());
    all.extend(tablebase_options());
    all.extend(protocol_options());
    #[cfg(feature = "tuning")]
    all.extend(tuning_options());
    all
});

impl Declaration {
    /// All options, in the order of the `uci` command.
    #[must_use]
    pub fn all() -> &'static [Declaration] {
        &DECLARATIONS
    }

    /// The option of a name, ignoring case and spaces (`moveoverhead` is `Move Overhead`).
    ///
    /// # Errors
    /// If there is no such option.
    pub fn find(name: &str) -> Result<&'static Declaration, OptionError> {
        let bare = |text: &str| text.split_whitespace().collect::<String>().to_ascii_lowercase();
        let wanted = bare(name);
        Declaration::all()
            .iter()
            .find(|declaration| bare(declaration.name) == wanted)
            .ok_or_else(|| OptionError::Unknown(name.to_owned()))
    }
}

impl Options {
    /// Sets an option by name. For a string option a missing value is an empty one; a button has none.
    ///
    /// # Errors
    /// If there is no such option, or it cannot have this value; the options are then unchanged.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Result<Effect, OptionError> {
        let declaration = Declaration::find(name)?;
        declaration.store(self, value.map(str::trim))?;
        Ok(declaration.effect)
    }

    /// The options as a table in Markdown: name, kind, default, range, effect.
    #[must_use]
    pub fn manual() -> String {
        let mut text = String::from("| option | kind | default | range | effect |\n|---|---|---|---|---|\n");
        for declaration in Declaration::all() {
            let (kind, range) = declaration.kind_and_range();
            let default = declaration.default_value().map_or(String::new(), |value| format!("`{value}`"));
            let Declaration { name, explanation, .. } = declaration;
            let _ = writeln!(text, "| `{name}` | {kind} | {default} | {range} | {explanation} |");
        }
        text
    }
}

/// Transposition table, threads, time and lines.
fn engine_options() -> Vec<Declaration> {
    vec![
        Declaration {
            effect: Effect::ResizeHash,
            ..spin!(
                "Hash",
                Search,
                (1, 1_048_576),
                hash,
                "Size of the transposition table in MiB. Where there is no memory for it, the old size stays."
            )
        },
        Declaration {
            name: "Clear Hash",
            kind: Kind::Button,
            explanation: "Clears the transposition table.",
            effect: Effect::ClearHash,
            scope: Session,
        },
        Declaration {
            effect: Effect::SetThreads,
            ..spin!(
                "Threads",
                Session,
                (1, MOST_THREADS as i64),
                threads,
                "Search threads. With one thread a search is reproducible."
            )
        },
        number(
            "Move Overhead",
            Session,
            (0, 10_000),
            |o| o.move_overhead.as_millis() as i64,
            |o, n| o.move_overhead = Duration::from_millis(n as u64),
            "Milliseconds subtracted from the time of every move, for delays outside the engine.",
        ),
        check!(
            "Ponder",
            ponder,
            "Set if the GUI lets the engine ponder: it then plans a quarter more time for a move."
        ),
        spin!("MultiPV", Search, (1, 256), settings.multi_pv, "Number of best lines to search and report."),
    ]
}

/// The search algorithm and the parameters of the drivers.
fn driver_options() -> Vec<Declaration> {
    vec![
        combo!("Backend", Search, Backend, settings.backend, "The search algorithm."),
        combo!(
            "Mode",
            Search,
            Mode,
            settings.mode,
            "play: selective search, for games. paper: full width. strict: full width, equal values for all \
            drivers."
        ),
        spin!(
            "Grid",
            Setting,
            (1, 100),
            settings.drivers.grid,
            "Drivers test bounds that are multiples of this many centipawns; 1 gives exact values."
        ),
        spin!(
            "GridDepth",
            Setting,
            (0, 127),
            settings.grid_depth,
            "In play mode the Grid is halved, down to 4, one ply beyond this depth and every four plies from \
            there on; 0 is never."
        ),
        combo!(
            "AnalysisBackend",
            Session,
            AnalysisBackend,
            analysis_backend,
            "With UCI_AnalyseMode, MultiPV above 1 or go infinite: auto is NegaScout in place of MTD(f), \
            same is Backend."
        ),
        spin!(
            "AnalysisGrid",
            Session,
            (1, 100),
            analysis_grid,
            "Largest Grid with UCI_AnalyseMode, MultiPV above 1 or go infinite, for finer scores at some \
            cost."
        ),
        spin!(
            "AspirationWindow",
            Setting,
            (1, 2000),
            settings.drivers.aspiration_window,
            "Half the width of NegaScout's first window, and the first range of BNS, in centipawns."
        ),
        combo!(
            "FirstGuess",
            Setting,
            FirstGuess,
            settings.first_guess,
            "First guess of MTD(f): the value of the previous iteration, or of the one before that."
        ),
        combo!(
            "Walk",
            Setting,
            Stepping,
            settings.drivers.stepping,
            "Steps of MTD(f): growing ones (strides), or those of the paper (plain)."
        ),
        spin!("StepSize", Setting, (1, 2000), settings.drivers.stride, "Step of MTD-step, in centipawns."),
        combo!(
            "Strategy",
            Setting,
            Strategy,
            settings.drivers.strategy,
            "What MTD-best tests first: the best move, or the others."
        ),
    ]
}

/// Transposition table policy, mate search and parallel search.
fn search_options() -> Vec<Declaration> {
    vec![
        combo!(
            "TableBounds",
            Setting,
            TableBounds,
            settings.table_bounds,
            "Bounds in an entry of the transposition table: lower and upper, or the newest only."
        ),
        spin!(
            "EnhancedCutoffs",
            Setting,
            (0, 64),
            settings.enhanced_cutoffs,
            "Enhanced transposition cut-offs: least depth in plies at which all children are probed first; 0 \
            is never."
        ),
        spin!(
            "MateShare",
            Setting,
            (0, 50),
            settings.mate_share,
            "Per cent of the nodes for a mate search once a side is five pawns ahead; 0 is none."
        ),
        combo!(
            "Helpers",
            Session,
            Helpers,
            settings.helpers,
            "What threads share: the transposition table only (lazy), or the bounds of the root too \
            (bracket)."
        ),
        combo!(
            "Replacement",
            Setting,
            Replacement,
            settings.replacement,
            "Replacement scheme of the transposition table."
        ),
    ]
}

/// The evaluation.
fn evaluation_options() -> Vec<Declaration> {
    vec![
        Declaration {
            effect: Effect::TellEvaluation,
            ..combo!(
                "Evaluation",
                Setting,
                Evaluation,
                settings.evaluation,
                "network: the network of EvalFile, or the hand-crafted evaluation while there is none."
            )
        },
        Declaration {
            scope: Setting,
            ..text(
                "EvalFile",
                |o| path_text(o.settings.loaded_network.as_ref().and_then(|network| network.file.as_ref())),
                |o, text| {
                    o.settings.loaded_network = load_network(text)?;
                    Ok(())
                },
                "A network file, as plumb train writes it; empty is the network that the program was built \
                with.",
                Effect::TellEvaluation,
            )
        },
    ]
}

/// The network of a file, or the embedded one if the text is empty.
fn load_network(text: &str) -> Result<Option<Arc<Network>>, String> {
    let Some(path) = path(text) else { return Ok(network::embedded()) };
    let network = Network::open(&path).map_err(|why| format!("{} cannot be used: {why}", path.display()))?;
    Ok(Some(Arc::new(network)))
}

/// Parameters of selective search, for tuning.
#[cfg(feature = "tuning")]
fn tuning_options() -> Vec<Declaration> {
    let option = |p: &'static crate::search::Parameter| {
        let get = |o: &Options| i64::from(p.get(&o.settings.parameters));
        let set = |o: &mut Options, n: i64| p.set(&mut o.settings.parameters, n as i32);
        let (least, greatest) = p.option_range();
        number(p.name, Setting, (least.into(), greatest.into()), get, set, p.about)
    };
    crate::search::tunable_parameters().map(option).collect()
}

/// Opening books.
fn book_options() -> Vec<Declaration> {
    vec![
        check!(
            "OwnBook",
            own_book,
            "Play moves of the opening book; not in analysis, while pondering, or in a search for mate."
        ),
        text(
            "BookFile",
            |o| path_text(o.book_file.as_ref()),
            |o, text| {
                o.book_file = path(text);
                Ok(())
            },
            "Opening book in the Polyglot format; if empty, the built-in book.",
            Effect::OpenBook,
        ),
        combo!(
            "BookMode",
            Session,
            Choice,
            book_mode,
            "Choice of a book move: the one of greatest weight, or at random by weight."
        ),
    ]
}

/// Syzygy tablebases.
fn tablebase_options() -> Vec<Declaration> {
    vec![
        text(
            "SyzygyPath",
            |o| o.syzygy_path.clone(),
            |o, text| {
                text.clone_into(&mut o.syzygy_path);
                Ok(())
            },
            "Folders with Syzygy tablebases, separated by `:` (on Windows `;`); used in play mode only.",
            Effect::OpenTablebases,
        ),
        spin!(
            "SyzygyProbeDepth",
            Session,
            (1, 100),
            settings.syzygy.probe_depth,
            "Least depth in plies at which positions with the most men are probed; those with fewer always \
            are."
        ),
        spin!(
            "SyzygyProbeLimit",
            Session,
            (0, 7),
            settings.syzygy.probe_limit,
            "Greatest number of men of a position that is probed; 0 is never."
        ),
        check!(
            "Syzygy50MoveRule",
            settings.syzygy.fifty_moves,
            "Count tablebase wins that the fifty-move rule prevents as draws."
        ),
    ]
}

/// A path as text; empty if there is none.
fn path_text(path: Option<&PathBuf>) -> String {
    path.map_or(String::new(), |path| path.display().to_string())
}

/// A path from text; none if it is empty.
fn path(text: &str) -> Option<PathBuf> {
    (!text.is_empty()).then(|| PathBuf::from(text))
}

/// Options that UCI defines, with the log file.
fn protocol_options() -> Vec<Declaration> {
    vec![
        check!(
            "UCI_Chess960",
            chess960,
            "Print castling as the king taking its rook. Chess960 positions are understood either way."
        ),
        check!(
            "UCI_AnalyseMode",
            analyse,
            "For analysis: no move is played early; no book, full strength, AnalysisBackend and AnalysisGrid."
        ),
        check!(
            "UCI_ShowWDL",
            show_wdl,
            "Print wins, draws and losses expected in a thousand games with every score."
        ),
        check!(
            "UCI_LimitStrength",
            limit_strength,
            "Play at the strength of UCI_Elo; not with UCI_AnalyseMode, in infinite search, or in a search \
            for mate."
        ),
        spin!(
            "UCI_Elo",
            Session,
            (*ELO.start(), *ELO.end()),
            elo,
            "Strength with UCI_LimitStrength, on the Elo scale of Stockfish 16 (CCRL Blitz)."
        ),
        combo!(
            "Level",
            Session,
            Level,
            level,
            "A strength by name, from about 700 Elo to 2300; it goes before UCI_LimitStrength and UCI_Elo."
        ),
        check!(
            "HumanTime",
            human_time,
            "With limited strength on a clock, take as long for a move as people do; without it the move \
            comes at once."
        ),
        text(
            "UCI_EngineAbout",
            |_| ABOUT.to_owned(),
            |_, text| if text == ABOUT { Ok(()) } else { Err("it cannot be changed".to_owned()) },
            "Information about the engine; cannot be changed.",
            Effect::Nothing,
        ),
        text(
            "Debug Log File",
            |o| path_text(o.log_file.as_ref()),
            |o, text| {
                o.log_file = path(text);
                Ok(())
            },
            "File to which the log, with the whole conversation, is appended.",
            Effect::RedirectLog,
        ),
    ]
}
