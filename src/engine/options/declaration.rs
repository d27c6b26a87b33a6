//! Declaration of an option: name, kind, range, getter and setter, effect, and what it belongs to.

use super::error::OptionError;
use super::values::Options;
use Scope::Session;

/// Empty string in UCI.
const EMPTY: &str = "<empty>";

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

/// Scope of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The session: nothing that a search of one position finds depends on it.
    Session,
    /// The search as a whole: backend, mode, number of lines.
    Search,
    /// The settings of the search.
    Setting,
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
    /// Its scope.
    pub scope: Scope,
}

/// A [`Declaration`] of a string option of the session.
pub(super) fn text(
    name: &'static str,
    get: fn(&Options) -> String,
    set: fn(&mut Options, &str) -> Result<(), String>,
    explanation: &'static str,
    effect: Effect,
) -> Declaration {
    Declaration { name, kind: Kind::Text { get, set }, explanation, effect, scope: Session }
}

/// A [`Declaration`] of a spin option.
pub(super) fn number(
    name: &'static str,
    scope: Scope,
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
        scope,
    }
}

/// A [`Declaration`] of a check option, from the field of the options that holds it; of the session.
macro_rules! check {
    ($name:literal, $($field:ident).+, $explanation:literal) => {
        Declaration {
            name: $name,
            kind: Kind::Check {
                get: |options| options.$($field).+,
                set: |options, on| options.$($field).+ = on,
            },
            explanation: $explanation,
            effect: Effect::Nothing,
            scope: Session,
        }
    };
}
pub(super) use check;

/// A [`Declaration`] of a spin option, from the field of the options that holds it. The range fits the
/// field's type.
macro_rules! spin {
    ($name:literal, $scope:ident, $range:expr, $($field:ident).+, $explanation:literal) => {
        number(
            $name,
            $scope,
            $range,
            |options| options.$($field).+ as i64,
            |options, number| options.$($field).+ = number as _,
            $explanation,
        )
    };
}
pub(super) use spin;

/// A [`Declaration`] of a combo option, from the field of the options that holds it.
macro_rules! combo {
    ($name:literal, $scope:ident, $type:ident, $($field:ident).+, $explanation:literal) => {
        Declaration {
            name: $name,
            kind: Kind::Combo {
                choices: $type::ALL.iter().map(|choice| choice.name()).collect(),
                get: |options| options.$($field).+.name(),
                set: |options, text| text.parse().map(|choice| options.$($field).+ = choice).is_ok(),
            },
            explanation: $explanation,
            effect: Effect::Nothing,
            scope: $scope,
        }
    };
}
pub(super) use combo;

impl Declaration {
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
    pub(super) fn store(&self, options: &mut Options, value: Option<&str>) -> Result<(), OptionError> {
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
