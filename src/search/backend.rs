//! The backends by name: a driver of the node routine, or an algorithm of the papers that searches a tree of
//! its own. Drivers are added in [`crate::minimax::drivers`] alone; the others are run by
//! [`super::textbook`].

use crate::minimax::drivers::Driver;
use std::fmt;
use std::str::FromStr;

/// A search algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Backend {
    /// A driver: it asks the node routine for windows of the root.
    Driver(Driver),
    /// Informed NegaScout (INFO appendix), on chess as a textbook game like all that follow.
    Ins,
    /// Partially Informed NegaScout (INFO section 3).
    Pns,
    /// Best-first minimax (BFM).
    BestFirst,
    /// Best-first minimax in linear space (BFM figure 2).
    RecursiveBestFirst,
    /// Alpha-Beta, then best-first minimax from its tree (BFM).
    BestFirstExtension,
}

/// The algorithms that search trees of their own.
const TEXTBOOK: [Backend; 5] = [
    Backend::Ins,
    Backend::Pns,
    Backend::BestFirst,
    Backend::RecursiveBestFirst,
    Backend::BestFirstExtension,
];

impl Backend {
    /// The drivers, in the order in which tables show them.
    pub const DRIVERS: [Backend; Driver::ALL.len()] = {
        let mut drivers = [Backend::Ins; Driver::ALL.len()];
        let mut at = 0;
        while at < drivers.len() {
            drivers[at] = Backend::Driver(Driver::ALL[at]);
            at += 1;
        }
        drivers
    };

    /// Every backend: the drivers, then the algorithms that search trees of their own.
    pub const ALL: [Backend; Driver::ALL.len() + TEXTBOOK.len()] = {
        let mut all = [Backend::Ins; Driver::ALL.len() + TEXTBOOK.len()];
        let mut at = 0;
        while at < all.len() {
            let drivers = Driver::ALL.len();
            all[at] = if at < drivers { Backend::DRIVERS[at] } else { TEXTBOOK[at - drivers] };
            at += 1;
        }
        all
    };

    /// The name as options show it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Backend::Driver(driver) => driver.name(),
            Backend::Ins => "INS",
            Backend::Pns => "PNS",
            Backend::BestFirst => "BestFirst",
            Backend::RecursiveBestFirst => "RecursiveBestFirst",
            Backend::BestFirstExtension => "BestFirstExtension",
        }
    }

    /// The name for command lines and file names, which a shell does not mangle.
    #[must_use]
    pub fn alias(self) -> &'static str {
        match self {
            Backend::Driver(driver) => driver.alias(),
            Backend::Ins => "ins",
            Backend::Pns => "pns",
            Backend::BestFirst => "best-first",
            Backend::RecursiveBestFirst => "recursive-best-first",
            Backend::BestFirstExtension => "best-first-extension",
        }
    }

    /// The driver; `None` for the algorithms with trees of their own, which know neither modes nor the
    /// transposition table nor counts of passes.
    #[must_use]
    pub const fn driver(self) -> Option<Driver> {
        match self {
            Backend::Driver(driver) => Some(driver),
            _ => None,
        }
    }

    /// True of the drivers of the node routine.
    #[must_use]
    pub const fn is_driver(self) -> bool {
        self.driver().is_some()
    }

    /// True where the result is the full-width minimax value of the node routine's tree (MTD-best returns a
    /// move and a bound; the algorithms that are no drivers search trees of their own).
    #[must_use]
    pub fn gives_value(self) -> bool {
        self.driver().is_some_and(Driver::gives_value)
    }

    /// Reads a list of backends: names separated by commas, or `all` for the drivers of the node routine. A
    /// name that is repeated counts once.
    ///
    /// # Errors
    /// If a name is no backend, or none is named.
    pub fn list(text: &str) -> Result<Vec<Backend>, String> {
        if text.trim().eq_ignore_ascii_case("all") {
            return Ok(Backend::DRIVERS.to_vec());
        }
        let mut found = Vec::new();
        for name in text.split(',').filter(|name| !name.trim().is_empty()) {
            let backend: Backend = name.parse()?;
            if !found.contains(&backend) {
                found.push(backend);
            }
        }
        if found.is_empty() { Err("no backend is named".to_owned()) } else { Ok(found) }
    }
}

impl Default for Backend {
    fn default() -> Backend {
        Backend::Driver(Driver::default())
    }
}

impl From<Driver> for Backend {
    fn from(driver: Driver) -> Backend {
        Backend::Driver(driver)
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Backend {
    type Err = String;

    fn from_str(text: &str) -> Result<Backend, String> {
        let is = |name: &str| name.eq_ignore_ascii_case(text.trim());
        Backend::ALL.into_iter().find(|backend| is(backend.name()) || is(backend.alias())).ok_or_else(|| {
            let known: Vec<_> = Backend::ALL.iter().map(|backend| backend.name()).collect();
            format!("unknown backend '{text}' (known: {})", known.join(", "))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backends_are_listed_by_any_name() {
        assert_eq!(Backend::list("all").unwrap().len(), Backend::DRIVERS.len());
        assert_eq!(
            Backend::list("mtdf, MTD(f),NegaScout").unwrap(),
            [Driver::MtdF.into(), Driver::NegaScout.into()]
        );
        assert!(Backend::list("mtdf,fish").is_err() && Backend::list(",").is_err());
    }
}
