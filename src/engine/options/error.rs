//! Error of setting an option, with its message.

use std::fmt;

/// Error of setting an option.
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
