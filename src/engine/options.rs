//! The options, declared once each: name, kind, default, range and effect in one table. The table sets them,
//! lists them for a protocol and describes them for the manual; the laboratory sets its contenders with it.
//!
//! What an option *does* stands where it is read; here is only what may be asked for.

use super::strength::ELO;
use crate::chess::book::Choice;
use crate::minimax::replacement::Replacement;
use crate::search::{Backend, FirstGuess, Helpers, Mode, Settings, Strategy, TableBounds, Walk};
use once_cell::sync::Lazy;
use std::fmt::{self, Write as _};
use std::path::PathBuf;
use std::time::Duration;

/// What the engine says about itself.
const ABOUT: &str = concat!(
    "Plumb ",
    env!("CARGO_PKG_VERSION"),
    ", a chess engine whose search algorithm is a choice. GPL-3.0-or-later."
);

/// The most threads that may search.
pub const MOST_THREADS: usize = 1024;

/// How a protocol writes an empty text.
const EMPTY: &str = "<empty>";

/// The state of every option.
#[derive(Clone, Debug)]
pub struct Options {
    /// Size of the transposition table in MiB.
    pub hash: usize,
    /// Searching threads.
    pub threads: usize,
    /// How the search goes about its work.
    pub settings: Settings,
    /// Time kept back on every move for what happens outside the engine.
    pub move_overhead: Duration,
    /// Whether the engine may count on thinking while the opponent does.
    pub ponder: bool,
    /// Whether castling is always written as the king taking its rook.
    pub chess960: bool,
    /// Whether somebody analyses, so that nothing is gained by answering early.
    pub analyse: bool,
    /// Whether the odds of a score are told with it.
    pub show_wdl: bool,
    /// Whether games are played below full strength, ...
    pub limit_strength: bool,
    /// ... at this label of [`super::strength`].
    pub elo: i64,
    /// Whether moves are played from an opening book.
    pub own_book: bool,
    /// The book; `None` is the one inside the program.
    pub book_file: Option<PathBuf>,
    /// How a move of the book is chosen.
    pub book_mode: Choice,
    /// Folders with Syzygy tables, as [`crate::chess::syzygy::Tablebases::open`] takes them; empty is none.
    pub syzygy_path: String,
    /// Where log lines go instead of standard error.
    pub log_file: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            hash: 16,
            threads: 1,
            settings: Settings::default(),
            move_overhead: Duration::from_millis(10),
            ponder: false,
            chess960: false,
            analyse: false,
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
    /// Says which options were set that mean nothing to the chosen backend: those with trees of their own read
    /// neither lines, nor mode, nor endgame tables. What threads mean to it is said where they are counted.
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

/// What must be done after an option was set, beyond remembering it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing: whoever reads the option finds it.
    Nothing,
    /// The table must get the size of [`Options::hash`].
    ResizeTable,
    /// The table must be cleared.
    ClearTable,
    /// There must be [`Options::threads`] threads.
    SetThreads,
    /// The book of [`Options::book_file`] must be opened.
    OpenBook,
    /// The endgame tables of [`Options::syzygy_path`] must be opened.
    OpenTables,
    /// Log lines must go to [`Options::log_file`].
    RedirectLog,
}

/// Reads a whole number.
type Getter = Box<dyn Fn(&Options) -> i64 + Send + Sync>;

/// Sets a whole number.
type Setter = Box<dyn Fn(&mut Options, i64) + Send + Sync>;

/// What kind of thing an option is, with the ways to read it and to set it.
pub enum Kind {
    /// On or off.
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
        /// Sets it from a name or one of its aliases; whether it was one.
        set: fn(&mut Options, &str) -> bool,
    },
    /// Something to be done at once.
    Button,
    /// A text.
    Text {
        /// Reads it.
        get: fn(&Options) -> String,
        /// Sets it; whether it may be set so.
        set: fn(&mut Options, &str) -> bool,
    },
}

/// One option: everything that is to be known of it.
pub struct Declaration {
    /// The name that a user reads.
    pub name: &'static str,
    /// Its kind, with range, reader and writer.
    pub kind: Kind,
    /// What it does, for the manual.
    pub explanation: &'static str,
    /// What must follow when it is set.
    pub effect: Effect,
}

fn check(
    name: &'static str,
    get: fn(&Options) -> bool,
    set: fn(&mut Options, bool),
    explanation: &'static str,
) -> Declaration {
    Declaration { name, kind: Kind::Check { get, set }, explanation, effect: Effect::Nothing }
}

fn spin(
    name: &'static str,
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
    }
}

/// A [`Declaration`] of one of a few names, from the field of the settings that holds it.
macro_rules! combo {
    ($name:literal, $type:ident, $field:ident, $explanation:literal) => {
        Declaration {
            name: $name,
            kind: Kind::Combo {
                choices: $type::ALL.iter().map(|choice| choice.name()).collect(),
                get: |options| options.settings.$field.name(),
                set: |options, text| match text.parse() {
                    Ok(choice) => {
                        options.settings.$field = choice;
                        true
                    }
                    Err(_) => false,
                },
            },
            explanation: $explanation,
            effect: Effect::Nothing,
        }
    };
}

/// Every option, in the order in which they are listed.
static DECLARATIONS: Lazy<Vec<Declaration>> = Lazy::new(|| {
    let mut all = engine_options();
    all.extend(search_options());
    all.extend(book_options());
    all.extend(table_options());
    all.extend(protocol_options());
    #[cfg(feature = "tuning")]
    all.extend(tuning_options());
    all
});

/// Table, threads and time.
fn engine_options() -> Vec<Declaration> {
    vec![
        Declaration {
            effect: Effect::ResizeTable,
            ..spin(
                "Hash",
                (1, 1_048_576),
                |o| o.hash as i64,
                |o, n| o.hash = n as usize,
                "Size of the transposition table in MiB. A size that cannot be had leaves the old table.",
            )
        },
        Declaration {
            name: "Clear Hash",
            kind: Kind::Button,
            explanation: "Forgets every entry of the table.",
            effect: Effect::ClearTable,
        },
        Declaration {
            effect: Effect::SetThreads,
            ..spin(
                "Threads",
                (1, MOST_THREADS as i64),
                |o| o.threads as i64,
                |o, n| o.threads = n as usize,
                "Searching threads. One alone finds the same again every time.",
            )
        },
        spin(
            "Move Overhead",
            (0, 10_000),
            |o| o.move_overhead.as_millis() as i64,
            |o, n| o.move_overhead = Duration::from_millis(n as u64),
            "Milliseconds kept back on every move for what happens outside the engine.",
        ),
        check(
            "Ponder",
            |o| o.ponder,
            |o, on| o.ponder = on,
            "Whether the engine may think on the opponent's time; it then spends a little more of its own.",
        ),
        spin(
            "MultiPV",
            (1, 256),
            |o| o.settings.multi_pv as i64,
            |o, n| o.settings.multi_pv = n as usize,
            "Best lines to report.",
        ),
    ]
}

/// What the search reads.
fn search_options() -> Vec<Declaration> {
    vec![
        combo!("Backend", Backend, backend, "The search algorithm: which questions are asked of the tree."),
        combo!(
            "Mode",
            Mode,
            mode,
            "play: selective, for games. paper: full width. strict: full width, for proofs of equality."
        ),
        spin(
            "Grid",
            (1, 100),
            |o| o.settings.grid.into(),
            |o, n| o.settings.grid = n as i32,
            "Bounds that drivers ask for are multiples of this many units; 1 is exact.",
        ),
        spin(
            "AspirationWindow",
            (1, 2000),
            |o| o.settings.aspiration_window.into(),
            |o, n| o.settings.aspiration_window = n as i32,
            "Half the first window of NegaScout, in units.",
        ),
        combo!("FirstGuess", FirstGuess, first_guess, "Which earlier iteration's value MTD(f) starts from."),
        combo!(
            "Walk",
            Walk,
            walk,
            "How MTD(f) goes to the value: on a grid in growing strides, or from answer to answer as printed."
        ),
        spin(
            "StepSize",
            (1, 2000),
            |o| o.settings.step_size.into(),
            |o, n| o.settings.step_size = n as i32,
            "The stride of MTD-step, in units.",
        ),
        combo!("Strategy", Strategy, strategy, "What MTD-best proves first."),
        combo!("TableBounds", TableBounds, table_bounds, "Bounds that an entry of the table keeps."),
        spin(
            "EnhancedCutoffs",
            (0, 64),
            |o| o.settings.enhanced_cutoffs.into(),
            |o, n| o.settings.enhanced_cutoffs = n as i32,
            "Depth in plies from which the table is asked about all children first; 0 is never.",
        ),
        spin(
            "MateShare",
            (0, 50),
            |o| o.settings.mate_share.into(),
            |o, n| o.settings.mate_share = n as u32,
            "Per cent of the moves that go to a search for mates once a side is five pawns ahead; 0 is none.",
        ),
        combo!(
            "Helpers",
            Helpers,
            helpers,
            "What several threads share: the table alone, or f- and f+ of the root too."
        ),
        combo!("Replacement", Replacement, replacement, "Which of two entries that claim one place stays."),
    ]
}

/// The numbers of the search.
#[cfg(feature = "tuning")]
fn tuning_options() -> Vec<Declaration> {
    let option = |p: &'static crate::search::Parameter| {
        let get = |o: &Options| i64::from((p.get)(&o.settings.parameters));
        let set = |o: &mut Options, n: i64| (p.set)(&mut o.settings.parameters, n as i32);
        spin(p.name, (p.min.into(), p.max.into()), get, set, p.about)
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
            "Whether moves of a book are played at once; not in analysis, pondering, or a search for mate.",
        ),
        Declaration {
            name: "BookFile",
            kind: Kind::Text {
                get: |o| path_text(o.book_file.as_ref()),
                set: |o, text| {
                    o.book_file = (!text.is_empty()).then(|| PathBuf::from(text));
                    true
                },
            },
            explanation: "A book in the Polyglot format; without one, the book inside the program.",
            effect: Effect::OpenBook,
        },
        Declaration {
            name: "BookMode",
            kind: Kind::Combo {
                choices: Choice::ALL.iter().map(|choice| choice.name()).collect(),
                get: |o| o.book_mode.name(),
                set: |o, text| text.parse().map(|choice| o.book_mode = choice).is_ok(),
            },
            explanation: "Which move of the book is played: the best, or any as often as its weight says.",
            effect: Effect::Nothing,
        },
    ]
}

/// Endgame tables.
fn table_options() -> Vec<Declaration> {
    vec![
        Declaration {
            name: "SyzygyPath",
            kind: Kind::Text {
                get: |o| o.syzygy_path.clone(),
                set: |o, text| {
                    text.clone_into(&mut o.syzygy_path);
                    true
                },
            },
            explanation: "Folders with Syzygy tables, with `:` between them (on Windows `;`); read in play mode alone.",
            effect: Effect::OpenTables,
        },
        spin(
            "SyzygyProbeDepth",
            (1, 100),
            |o| o.settings.syzygy.probe_depth.into(),
            |o, n| o.settings.syzygy.probe_depth = n as i32,
            "Depth in plies from which positions with the most men are looked up; those with fewer always are.",
        ),
        spin(
            "SyzygyProbeLimit",
            (0, 7),
            |o| o.settings.syzygy.probe_limit as i64,
            |o, n| o.settings.syzygy.probe_limit = n as usize,
            "The most men on the board with which anything is looked up; 0 is never.",
        ),
        check(
            "Syzygy50MoveRule",
            |o| o.settings.syzygy.fifty_moves,
            |o, on| o.settings.syzygy.fifty_moves = on,
            "Whether a win that the fifty-move rule takes away is a draw.",
        ),
    ]
}

/// A path as a user reads it; empty where there is none.
fn path_text(path: Option<&PathBuf>) -> String {
    path.map_or(String::new(), |path| path.display().to_string())
}

/// What concerns the conversation.
fn protocol_options() -> Vec<Declaration> {
    vec![
        check(
            "UCI_Chess960",
            |o| o.chess960,
            |o, on| o.chess960 = on,
            "Writes castling as the king taking its rook. Chess960 positions are understood either way.",
        ),
        check(
            "UCI_AnalyseMode",
            |o| o.analyse,
            |o, on| o.analyse = on,
            "Somebody analyses: forced moves and proven mates are not answered before their time.",
        ),
        check(
            "UCI_ShowWDL",
            |o| o.show_wdl,
            |o, on| o.show_wdl = on,
            "Tells with every score how often, in a thousand games, it is won, drawn and lost.",
        ),
        check(
            "UCI_LimitStrength",
            |o| o.limit_strength,
            |o, on| o.limit_strength = on,
            "Plays as strongly as UCI_Elo says; not with UCI_AnalyseMode, in infinite search, or in one for a mate.",
        ),
        spin(
            "UCI_Elo",
            (*ELO.start(), *ELO.end()),
            |o| o.elo,
            |o, n| o.elo = n,
            "The strength with UCI_LimitStrength, in Elo as Stockfish 16 means it (CCRL Blitz).",
        ),
        Declaration {
            name: "UCI_EngineAbout",
            kind: Kind::Text { get: |_| ABOUT.to_owned(), set: |_, text| text == ABOUT },
            explanation: "What the engine says about itself; it cannot be changed.",
            effect: Effect::Nothing,
        },
        Declaration {
            name: "Debug Log File",
            kind: Kind::Text {
                get: |o| path_text(o.log_file.as_ref()),
                set: |o, text| {
                    o.log_file = (!text.is_empty()).then(|| PathBuf::from(text));
                    true
                },
            },
            explanation: "A file to which the log, with the whole conversation, is appended.",
            effect: Effect::RedirectLog,
        },
    ]
}

impl Declaration {
    /// Every option, in the order in which they are listed.
    #[must_use]
    pub fn all() -> &'static [Declaration] {
        &DECLARATIONS
    }

    /// The option of a name; case and spaces do not count (`moveoverhead` is `Move Overhead`).
    ///
    /// # Errors
    /// Where there is no such option.
    pub fn find(name: &str) -> Result<&'static Declaration, OptionError> {
        let bare = |text: &str| text.split_whitespace().collect::<String>().to_ascii_lowercase();
        let wanted = bare(name);
        Declaration::all()
            .iter()
            .find(|declaration| bare(declaration.name) == wanted)
            .ok_or_else(|| OptionError::Unknown(name.to_owned()))
    }

    /// Its value in some state, as a user reads it; `None` for a button.
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

    /// Its kind and what values it may have, in words; of a button or a text, nothing.
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

    /// Its default, as a user reads it; `None` for a button. There is no second truth: it is the value in
    /// [`Options::default`].
    #[must_use]
    pub fn default_value(&self) -> Option<String> {
        self.value(&Options::default())
    }

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
                if !set(options, text) {
                    return Err(OptionError::ReadOnly(name));
                }
            }
            Kind::Button => {}
        }
        Ok(())
    }
}

/// A whole number; one beyond 64 bits is as good as the largest.
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
    /// Sets an option by name. A text option takes a missing value as an empty one, a button none at all.
    ///
    /// # Errors
    /// Where there is no such option or it cannot have this value; the options are then unchanged.
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
    /// Its value is a number, and this is none.
    NotANumber(&'static str, String),
    /// Name, value, least and greatest.
    OutOfRange(&'static str, String, i64, i64),
    /// It is one of a few names: name, value, the known ones.
    NotAChoice(&'static str, String, String),
    /// It is `true` or `false`.
    NotACheck(&'static str, String),
    /// It cannot be changed.
    ReadOnly(&'static str),
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
            OptionError::ReadOnly(name) => write!(f, "option {name} cannot be changed"),
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
    fn every_default_sets_the_state_it_declares() {
        let mut options = Options::default();
        for declaration in Declaration::all() {
            options.set(declaration.name, declaration.default_value().as_deref()).unwrap();
        }
        assert_eq!(state(&options), state(&Options::default()));
    }

    #[test]
    fn names_are_unique_and_ranges_hold_their_defaults() {
        for declaration in Declaration::all() {
            assert!(std::ptr::eq(Declaration::find(declaration.name).unwrap(), declaration));
            if let Kind::Combo { choices, get, .. } = &declaration.kind {
                assert!(choices.contains(&get(&Options::default())), "{}", declaration.name);
            }
        }
    }

    #[test]
    fn values_arrive() {
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
        assert_eq!(options.set("Hash", Some("1")), Ok(Effect::ResizeTable));
        assert_eq!(options.set("Clear Hash", None), Ok(Effect::ClearTable));
        assert_eq!(options.set("BookFile", None), Ok(Effect::OpenBook));
    }

    #[test]
    fn bad_values_change_nothing() {
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
        ] {
            assert!(options.set(name, value).is_err(), "{name} {value:?}");
        }
        assert_eq!(state(&options), state(&Options::default()));
    }

    #[test]
    fn the_manual_has_a_row_for_every_option() {
        assert_eq!(Options::manual().lines().count(), Declaration::all().len() + 2);
    }
}
