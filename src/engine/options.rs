//! UCI options, declared once each: name, kind, default, range, effect and use in the laboratory's experiments.
//!
//! The table of declarations sets the options, lists them for UCI and describes them for the manual; the laboratory
//! sets the options of its players with it.

use super::strength::ELO;
use crate::chess::book::Choice;
use crate::chess::score::Value;
use crate::eval::{Evaluation, Network, network};
use crate::minimax::replacement::Replacement;
use crate::search::{Backend, FirstGuess, Helpers, Mode, Settings, Strategy, TableBounds, Walk};
use Experiment::{Listed, Separate, Unread};
use once_cell::sync::Lazy;
use std::fmt::{self, Write as _};
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

/// Empty string in UCI.
const EMPTY: &str = "<empty>";

/// Values of all options.
#[derive(Clone, Debug)]
pub struct Options {
    /// Size of the transposition table in MiB.
    pub hash: usize,
    /// Search threads.
    pub threads: usize,
    /// Settings of the search.
    pub settings: Settings,
    /// Time kept back on every move for delays outside the engine.
    pub move_overhead: Duration,
    /// True if the engine may ponder; time management then spends more.
    pub ponder: bool,
    /// True if castling is always printed as the king taking its rook.
    pub chess960: bool,
    /// True in analysis: nothing is answered early.
    pub analyse: bool,
    /// Largest grid of an analysis, in units; see [`Options::grid`].
    pub analysis_grid: Value,
    /// True if WDL is printed with every score.
    pub show_wdl: bool,
    /// True if games are played below full strength, at `elo`.
    pub limit_strength: bool,
    /// Strength with `limit_strength`, in Elo of [`super::strength`].
    pub elo: i64,
    /// True if moves of the opening book are played.
    pub own_book: bool,
    /// The opening book; `None` is the one inside the program.
    pub book_file: Option<PathBuf>,
    /// Choice among the moves of the opening book.
    pub book_mode: Choice,
    /// Folders with Syzygy tablebases, as [`crate::chess::syzygy::Tablebases::open`] takes them; empty is none.
    pub syzygy_path: String,
    /// Log file; `None` is standard error.
    pub log_file: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            hash: 16,
            threads: 1,
            settings: Settings { loaded_network: network::embedded(), ..Settings::default() },
            move_overhead: Duration::from_millis(10),
            ponder: false,
            chess960: false,
            analyse: false,
            analysis_grid: 2,
            show_wdl: false,
            limit_strength: false,
            elo: *ELO.end(),
            own_book: false,
            book_file: None,
            book_mode: Choice::default(),
            syzygy_path: String::new(),
            log_file: None,
        }
    }
}

impl Options {
    /// Grid of a search, in units. People read the scores of an analysis (`UCI_AnalyseMode`, more than one line, or
    /// a search without a limit), so that its grid is no coarser than [`Options::analysis_grid`].
    #[must_use]
    pub fn grid(&self, infinite: bool) -> Value {
        let Settings { grid, multi_pv, .. } = self.settings;
        let analysis = self.analyse || infinite || multi_pv > 1;
        if analysis { grid.min(self.analysis_grid) } else { grid }
    }

    /// Names the options that are set although the backend does not read them: backends with trees of their own know
    /// neither MultiPV, nor modes, nor tablebases. (`Threads` is left to the UCI loop.)
    #[must_use]
    pub fn unread(&self) -> Option<String> {
        let Settings { backend, mode, multi_pv, .. } = self.settings;
        let set = [
            ("MultiPV", multi_pv != 1),
            ("Mode", mode != Mode::default()),
            ("SyzygyPath", !self.syzygy_path.is_empty()),
        ];
        let names: Vec<&str> = set.into_iter().filter_map(|(name, is_set)| is_set.then_some(name)).collect();
        let unread = !backend.is_driver() && !names.is_empty();
        unread.then(|| format!("{backend} does not read {}", names.join(", ")))
    }
}

/// Action that the session takes when an option is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// None: the value is read where it is used.
    Nothing,
    /// Allocate a transposition table of [`Options::hash`] MiB.
    ResizeHash,
    /// Clear the transposition table.
    ClearHash,
    /// Change the thread pool to [`Options::threads`] threads.
    SetThreads,
    /// Open the book of [`Options::book_file`].
    OpenBook,
    /// Open the tablebases of [`Options::syzygy_path`].
    OpenTablebases,
    /// Redirect the log to [`Options::log_file`].
    RedirectLog,
    /// Tell the user which evaluation is used from now on.
    TellEvaluation,
}

/// Use of an option in the laboratory's experiments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Experiment {
    /// No experiment reads it: setting it there is an error, since the result would claim what is not true.
    Unread,
    /// Read, and recorded by itself.
    Separate,
    /// Read, and recorded in the list of search options.
    Listed,
}

/// Reads a whole number.
type Getter = Box<dyn Fn(&Options) -> i64 + Send + Sync>;

/// Sets a whole number.
type Setter = Box<dyn Fn(&mut Options, i64) + Send + Sync>;

/// Kind of an option, with its getter and setter.
pub enum Kind {
    /// True or false.
    Check {
        /// Reads it.
        get: fn(&Options) -> bool,
        /// Sets it.
        set: fn(&mut Options, bool),
    },
    /// A whole number within a range, both ends included.
    Spin {
        /// The least value.
        min: i64,
        /// The greatest value.
        max: i64,
        /// Reads it.
        get: Getter,
        /// Sets it; the range has been checked.
        set: Setter,
    },
    /// One of a few names.
    Combo {
        /// The names.
        choices: Vec<&'static str>,
        /// Reads it.
        get: fn(&Options) -> &'static str,
        /// Sets it from a name or an alias; false if it is neither.
        set: fn(&mut Options, &str) -> bool,
    },
    /// An action.
    Button,
    /// A text.
    Text {
        /// Reads it.
        get: fn(&Options) -> String,
        /// Sets it, or says why it cannot have this value.
        set: fn(&mut Options, &str) -> Result<(), String>,
    },
}

/// Declaration of one option.
pub struct Declaration {
    /// The name, as in UCI.
    pub name: &'static str,
    /// Its kind, with range, getter and setter.
    pub kind: Kind,
    /// Its effect on the engine, for the manual.
    pub explanation: &'static str,
    /// Action when it is set.
    pub effect: Effect,
    /// Use in experiments.
    pub experiment: Experiment,
}

/// A [`Declaration`] of a check option; no experiment reads one.
fn check(
    name: &'static str,
    get: fn(&Options) -> bool,
    set: fn(&mut Options, bool),
    explanation: &'static str,
) -> Declaration {
    Declaration {
        name,
        kind: Kind::Check { get, set },
        explanation,
        effect: Effect::Nothing,
        experiment: Unread,
    }
}

/// A [`Declaration`] of a string option; no experiment reads one.
fn text(
    name: &'static str,
    get: fn(&Options) -> String,
    set: fn(&mut Options, &str) -> Result<(), String>,
    explanation: &'static str,
    effect: Effect,
) -> Declaration {
    Declaration { name, kind: Kind::Text { get, set }, explanation, effect, experiment: Unread }
}

/// A [`Declaration`] of a spin option.
fn spin(
    name: &'static str,
    experiment: Experiment,
    (min, max): (i64, i64),
    get: impl Fn(&Options) -> i64 + Send + Sync + 'static,
    set: impl Fn(&mut Options, i64) + Send + Sync + 'static,
    explanation: &'static str,
) -> Declaration {
    Declaration {
        name,
        kind: Kind::Spin { min, max, get: Box::new(get), set: Box::new(set) },
        explanation,
        effect: Effect::Nothing,
        experiment,
    }
}

/// A [`Declaration`] of a combo option, from the field of the options that holds it.
macro_rules! combo {
    ($name:literal, $experiment:ident, $type:ident, $($field:ident).+, $explanation:literal) => {
        Declaration {
            name: $name,
            kind: Kind::Combo {
                choices: $type::ALL.iter().map(|choice| choice.name()).collect(),
                get: |options| options.$($field).+.name(),
                set: |options, text| text.parse().map(|choice| options.$($field).+ = choice).is_ok(),
            },
            explanation: $explanation,
            effect: Effect::Nothing,
            experiment: $experiment,
        }
    };
}

/// All options, in the order of the `uci` command.
static DECLARATIONS: Lazy<Vec<Declaration>> = Lazy::new(|| {
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

/// Transposition table, threads, time and lines.
fn engine_options() -> Vec<Declaration> {
    vec![
        Declaration {
            effect: Effect::ResizeHash,
            ..spin(
                "Hash",
                Separate,
                (1, 1_048_576),
                |o| o.hash as i64,
                |o, n| o.hash = n as usize,
                "Size of the transposition table in MiB. If there is no memory for it, the old table stays.",
            )
        },
        Declaration {
            name: "Clear Hash",
            kind: Kind::Button,
            explanation: "Clears the transposition table.",
            effect: Effect::ClearHash,
            experiment: Unread,
        },
        Declaration {
            effect: Effect::SetThreads,
            ..spin(
                "Threads",
                Unread,
                (1, MOST_THREADS as i64),
                |o| o.threads as i64,
                |o, n| o.threads = n as usize,
                "Search threads. With one thread a search is reproducible.",
            )
        },
        spin(
            "Move Overhead",
            Unread,
            (0, 10_000),
            |o| o.move_overhead.as_millis() as i64,
            |o, n| o.move_overhead = Duration::from_millis(n as u64),
            "Milliseconds subtracted from the time of every move, for delays outside the engine.",
        ),
        check(
            "Ponder",
            |o| o.ponder,
            |o, on| o.ponder = on,
            "Set if the GUI lets the engine ponder: it then plans a quarter more time for a move.",
        ),
        spin(
            "MultiPV",
            Separate,
            (1, 256),
            |o| o.settings.multi_pv as i64,
            |o, n| o.settings.multi_pv = n as usize,
            "Number of best lines to search and report.",
        ),
    ]
}

/// The search algorithm and the parameters of the drivers.
fn driver_options() -> Vec<Declaration> {
    vec![
        combo!("Backend", Separate, Backend, settings.backend, "The search algorithm."),
        combo!(
            "Mode",
            Separate,
            Mode,
            settings.mode,
            "play: selective search, for games. paper: full width. strict: full width, equal values for all drivers."
        ),
        spin(
            "Grid",
            Listed,
            (1, 100),
            |o| o.settings.grid.into(),
            |o, n| o.settings.grid = n as i32,
            "Drivers test bounds that are multiples of this many centipawns; 1 gives exact values.",
        ),
        spin(
            "AnalysisGrid",
            Unread,
            (1, 100),
            |o| o.analysis_grid.into(),
            |o, n| o.analysis_grid = n as i32,
            "Largest Grid with UCI_AnalyseMode, MultiPV above 1 or go infinite, for finer scores at some cost.",
        ),
        spin(
            "AspirationWindow",
            Listed,
            (1, 2000),
            |o| o.settings.aspiration_window.into(),
            |o, n| o.settings.aspiration_window = n as i32,
            "Half the width of NegaScout's first window, in centipawns.",
        ),
        combo!(
            "FirstGuess",
            Listed,
            FirstGuess,
            settings.first_guess,
            "First guess of MTD(f): the value of the previous iteration, or of the one before that."
        ),
        combo!(
            "Walk",
            Listed,
            Walk,
            settings.walk,
            "Steps of MTD(f): strides that grow, or the plain algorithm of the paper."
        ),
        spin(
            "StepSize",
            Listed,
            (1, 2000),
            |o| o.settings.step_size.into(),
            |o, n| o.settings.step_size = n as i32,
            "Step of MTD-step, in centipawns.",
        ),
        combo!(
            "Strategy",
            Listed,
            Strategy,
            settings.strategy,
            "What MTD-best tests first: the best move, or the others."
        ),
    ]
}

/// Transposition table policy, mate search and parallel search.
fn search_options() -> Vec<Declaration> {
    vec![
        combo!(
            "TableBounds",
            Listed,
            TableBounds,
            settings.table_bounds,
            "Bounds in an entry of the transposition table: lower and upper, or the newest only."
        ),
        spin(
            "EnhancedCutoffs",
            Listed,
            (0, 64),
            |o| o.settings.enhanced_cutoffs.into(),
            |o, n| o.settings.enhanced_cutoffs = n as i32,
            "Enhanced transposition cut-offs: least depth in plies at which all children are probed first; 0 is never.",
        ),
        spin(
            "MateShare",
            Listed,
            (0, 50),
            |o| o.settings.mate_share.into(),
            |o, n| o.settings.mate_share = n as u32,
            "Per cent of the nodes for a mate search once a side is five pawns ahead; 0 is none.",
        ),
        combo!(
            "Helpers",
            Unread,
            Helpers,
            settings.helpers,
            "What threads share: the transposition table only (lazy), or the bounds of the root too (bracket)."
        ),
        combo!(
            "Replacement",
            Listed,
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
                Listed,
                Evaluation,
                settings.evaluation,
                "network: the network of EvalFile, or the hand-crafted evaluation while there is none."
            )
        },
        Declaration {
            experiment: Listed,
            ..text(
                "EvalFile",
                |o| path_text(o.settings.loaded_network.as_ref().and_then(|network| network.file.as_ref())),
                |o, text| {
                    o.settings.loaded_network = load_network(text)?;
                    Ok(())
                },
                "A network file, as plumb train writes it; empty is the network that the program was built with.",
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
        let get = |o: &Options| i64::from((p.get)(&o.settings.parameters));
        let set = |o: &mut Options, n: i64| (p.set)(&mut o.settings.parameters, n as i32);
        spin(p.name, Listed, (p.min.into(), p.max.into()), get, set, p.about)
    };
    crate::search::Parameter::ALL.iter().map(option).collect()
}

/// Opening books.
fn book_options() -> Vec<Declaration> {
    vec![
        check(
            "OwnBook",
            |o| o.own_book,
            |o, on| o.own_book = on,
            "Play moves of the opening book; not in analysis, while pondering, or in a search for mate.",
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
            Unread,
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
        spin(
            "SyzygyProbeDepth",
            Unread,
            (1, 100),
            |o| o.settings.syzygy.probe_depth.into(),
            |o, n| o.settings.syzygy.probe_depth = n as i32,
            "Least depth in plies at which positions with the most men are probed; those with fewer always are.",
        ),
        spin(
            "SyzygyProbeLimit",
            Unread,
            (0, 7),
            |o| o.settings.syzygy.probe_limit as i64,
            |o, n| o.settings.syzygy.probe_limit = n as usize,
            "Greatest number of men of a position that is probed; 0 is never.",
        ),
        check(
            "Syzygy50MoveRule",
            |o| o.settings.syzygy.fifty_moves,
            |o, on| o.settings.syzygy.fifty_moves = on,
            "Count tablebase wins that the fifty-move rule prevents as draws.",
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
        check(
            "UCI_Chess960",
            |o| o.chess960,
            |o, on| o.chess960 = on,
            "Print castling as the king taking its rook. Chess960 positions are understood either way.",
        ),
        check(
            "UCI_AnalyseMode",
            |o| o.analyse,
            |o, on| o.analyse = on,
            "For analysis: forced moves and proven mates are not played early; no book, full strength, AnalysisGrid.",
        ),
        check(
            "UCI_ShowWDL",
            |o| o.show_wdl,
            |o, on| o.show_wdl = on,
            "Print wins, draws and losses expected in a thousand games with every score.",
        ),
        check(
            "UCI_LimitStrength",
            |o| o.limit_strength,
            |o, on| o.limit_strength = on,
            "Play at the strength of UCI_Elo; not with UCI_AnalyseMode, in infinite search, or in a search for mate.",
        ),
        spin(
            "UCI_Elo",
            Unread,
            (*ELO.start(), *ELO.end()),
            |o| o.elo,
            |o, n| o.elo = n,
            "Strength with UCI_LimitStrength, on the Elo scale of Stockfish 16 (CCRL Blitz).",
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

    /// Its value as text; `None` for a button.
    #[must_use]
    pub fn value(&self, options: &Options) -> Option<String> {
        match &self.kind {
            Kind::Check { get, .. } => Some(get(options).to_string()),
            Kind::Spin { get, .. } => Some(get(options).to_string()),
            Kind::Combo { get, .. } => Some(get(options).to_owned()),
            Kind::Text { get, .. } => {
                Some(Some(get(options)).filter(|t| !t.is_empty()).unwrap_or(EMPTY.into()))
            }
            Kind::Button => None,
        }
    }

    /// Kind and range as text; a button and a string have no range.
    #[must_use]
    pub fn kind_and_range(&self) -> (&'static str, String) {
        match &self.kind {
            Kind::Check { .. } => ("check", "true, false".to_owned()),
            Kind::Spin { min, max, .. } => ("spin", format!("{min} to {max}")),
            Kind::Combo { choices, .. } => ("combo", choices.join(", ")),
            Kind::Button => ("button", String::new()),
            Kind::Text { .. } => ("string", String::new()),
        }
    }

    /// Its default as text, which is the value in [`Options::default`]; `None` for a button.
    #[must_use]
    pub fn default_value(&self) -> Option<String> {
        self.value(&Options::default())
    }

    /// Sets its value from text.
    fn store(&self, options: &mut Options, value: Option<&str>) -> Result<(), OptionError> {
        let name = self.name;
        let given = || value.ok_or(OptionError::NoValue(name));
        match &self.kind {
            Kind::Check { set, .. } => match given()?.to_ascii_lowercase().as_str() {
                "true" | "on" => set(options, true),
                "false" | "off" => set(options, false),
                other => return Err(OptionError::NotACheck(name, other.to_owned())),
            },
            Kind::Spin { min, max, set, .. } => {
                let text = given()?;
                let number =
                    whole_number(text).ok_or_else(|| OptionError::NotANumber(name, text.to_owned()))?;
                if !(*min..=*max).contains(&number) {
                    return Err(OptionError::OutOfRange(name, text.to_owned(), *min, *max));
                }
                set(options, number);
            }
            Kind::Combo { choices, set, .. } => {
                let text = given()?;
                if !set(options, text) {
                    return Err(OptionError::NotAChoice(name, text.to_owned(), choices.join(", ")));
                }
            }
            Kind::Text { set, .. } => {
                let text = value.filter(|text| *text != EMPTY).unwrap_or("");
                set(options, text).map_err(|why| OptionError::Refused(name, why))?;
            }
            Kind::Button => {}
        }
        Ok(())
    }
}

/// A whole number, clamped to 64 bits.
pub(crate) fn whole_number(text: &str) -> Option<i64> {
    use std::num::IntErrorKind::{NegOverflow, PosOverflow};
    match text.parse::<i64>() {
        Ok(number) => Some(number),
        Err(error) if *error.kind() == PosOverflow => Some(i64::MAX),
        Err(error) if *error.kind() == NegOverflow => Some(i64::MIN),
        Err(_) => None,
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

/// Why an option was not set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionError {
    /// There is no such option.
    Unknown(String),
    /// It needs a value.
    NoValue(&'static str),
    /// Its value is not a whole number: name, value.
    NotANumber(&'static str, String),
    /// Its value is out of range: name, value, least and greatest.
    OutOfRange(&'static str, String, i64, i64),
    /// Its value is not one of its choices: name, value, the known ones.
    NotAChoice(&'static str, String, String),
    /// Its value is neither `true` nor `false`: name, value.
    NotACheck(&'static str, String),
    /// It cannot have this value: name, reason.
    Refused(&'static str, String),
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionError::Unknown(name) => write!(f, "unknown option '{name}'"),
            OptionError::NoValue(name) => write!(f, "option {name}: the value is missing"),
            OptionError::NotANumber(name, value) => {
                write!(f, "option {name}: '{value}' is not a whole number")
            }
            OptionError::OutOfRange(name, value, min, max) => {
                write!(f, "option {name}: {value} is not within {min} to {max}")
            }
            OptionError::NotAChoice(name, value, known) => {
                write!(f, "option {name}: unknown choice '{value}' (known: {known})")
            }
            OptionError::NotACheck(name, value) => {
                write!(f, "option {name}: '{value}' is neither true nor false")
            }
            OptionError::Refused(name, why) => write!(f, "option {name}: {why}"),
        }
    }
}

impl std::error::Error for OptionError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(options: &Options) -> String {
        format!("{options:?}")
    }

    #[test]
    fn setting_every_default_gives_the_default_options() {
        let mut options = Options::default();
        for declaration in Declaration::all() {
            options.set(declaration.name, declaration.default_value().as_deref()).unwrap();
        }
        assert_eq!(state(&options), state(&Options::default()));
    }

    #[test]
    fn names_are_unique_and_choices_contain_their_defaults() {
        for declaration in Declaration::all() {
            assert!(std::ptr::eq(Declaration::find(declaration.name).unwrap(), declaration));
            if let Kind::Combo { choices, get, .. } = &declaration.kind {
                assert!(choices.contains(&get(&Options::default())), "{}", declaration.name);
            }
        }
    }

    #[test]
    fn values_are_set_by_name_ignoring_case_and_spaces() {
        let mut options = Options::default();
        for (name, value, shown) in [
            ("Hash", "64", "64"),
            ("hash", " 128 ", "128"),
            ("Move Overhead", "250", "250"),
            ("moveoverhead", "0", "0"),
            ("Backend", "SSS*", "SSS*"),
            ("backend", "mtd-best", "MTD-best"),
            ("MODE", "Paper", "paper"),
            ("UCI_Chess960", "True", "true"),
            ("OwnBook", "true", "true"),
            ("BookFile", "my book.bin", "my book.bin"),
            ("bookmode", "Best", "best"),
            ("Debug Log File", "a file.log", "a file.log"),
            ("Debug Log File", "<empty>", "<empty>"),
        ] {
            options.set(name, Some(value)).unwrap_or_else(|error| panic!("{name} {value}: {error}"));
            assert_eq!(Declaration::find(name).unwrap().value(&options).as_deref(), Some(shown), "{name}");
        }
        assert_eq!(options.set("Hash", Some("1")), Ok(Effect::ResizeHash));
        assert_eq!(options.set("Clear Hash", None), Ok(Effect::ClearHash));
        assert_eq!(options.set("BookFile", None), Ok(Effect::OpenBook));
    }

    #[test]
    fn bad_values_are_errors_and_change_nothing() {
        let mut options = Options::default();
        for (name, value) in [
            ("UCI_ShowWDL", Some("perhaps")),
            ("UCI_Elo", Some("1319")),
            ("UCI_Elo", Some("2801")),
            ("Contempt", Some("1")),
            ("", Some("1")),
            ("Hash", None),
            ("Hash", Some("0")),
            ("Hash", Some("-1")),
            ("Hash", Some("1048577")),
            ("Hash", Some("99999999999999999999")),
            ("Hash", Some("many")),
            ("Threads", Some("0")),
            ("Threads", Some("1025")),
            ("Helpers", Some("idle")),
            ("Backend", Some("minimax")),
            ("Ponder", Some("perhaps")),
            ("UCI_EngineAbout", Some("something else")),
            ("Evaluation", Some("guess")),
            ("EvalFile", Some("no such file")),
            ("EvalFile", Some("Cargo.toml")),
        ] {
            assert!(options.set(name, value).is_err(), "{name} {value:?}");
        }
        assert_eq!(state(&options), state(&Options::default()));
    }

    #[test]
    fn the_grid_is_fine_in_analysis_alone() {
        let grid = |lines: &[(&str, &str)], infinite| {
            let mut options = Options::default();
            lines.iter().for_each(|(name, value)| _ = options.set(name, Some(value)).unwrap());
            options.grid(infinite)
        };
        let (play, fine) = (Options::default().settings.grid, Options::default().analysis_grid);
        assert!(fine < play);
        assert_eq!((grid(&[], false), grid(&[], true)), (play, fine));
        for analysis in [("UCI_AnalyseMode", "true"), ("MultiPV", "2")] {
            assert_eq!(grid(&[analysis], false), fine, "{analysis:?}");
            assert_eq!(grid(&[analysis, ("AnalysisGrid", "100")], false), play, "{analysis:?}");
            assert_eq!(grid(&[analysis, ("Grid", "1")], false), 1, "{analysis:?}");
        }
    }

    #[test]
    fn the_manual_has_a_row_for_every_option() {
        assert_eq!(Options::manual().lines().count(), Declaration::all().len() + 2);
    }
}
