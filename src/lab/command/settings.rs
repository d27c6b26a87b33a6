//! `--set Option=Value`: the engine's options as far as an experiment reads them.

use super::console::Failure;
use crate::engine::options::{Declaration, Experiment, Options};
use crate::search::{Mode, Settings};

/// Sets an option from `Option=Value`. `elsewhere` are options that the command line sets in another way.
pub fn set(options: &mut Options, text: &str, elsewhere: &[&str]) -> Result<(), Failure> {
    let (name, value) = text
        .split_once('=')
        .ok_or_else(|| Failure::usage(format!("'{text}' is not of the form Option=Value")))?;
    let declaration = Declaration::find(name).map_err(|error| Failure::usage(error.to_string()))?;
    let option = declaration.name;
    if declaration.experiment == Experiment::Unread {
        return Err(Failure::usage(format!("option {option} means nothing to an experiment")));
    }
    if elsewhere.contains(&option) {
        return Err(Failure::usage(format!("option {option} cannot be set here")));
    }
    options.set(name, Some(value)).map_err(|error| Failure::usage(error.to_string()))?;
    Ok(())
}

/// Options of a search that is shown to people: paper mode with exact values, then `--set`, then `--mode`. Backend and
/// lines are set elsewhere.
pub fn of_shown_search(set_by: &[String], mode: Option<Mode>) -> Result<Options, Failure> {
    let mut options = Options::default();
    options.settings.mode = Mode::Paper;
    options.settings.grid = 1;
    for text in set_by {
        set(&mut options, text, &["Backend", "MultiPV"])?;
    }
    options.settings.mode = mode.unwrap_or(options.settings.mode);
    Ok(options)
}

/// The options of a search with their values: `Grid 8, AspirationWindow 12, ...`.
#[must_use]
pub fn describe(settings: &Settings) -> String {
    list(settings, |_, _| true)
}

/// Every option that decides how a player plays, with its value.
#[must_use]
pub fn describe_player(options: &Options) -> String {
    let read = Declaration::all().iter().filter(|option| option.experiment != Experiment::Unread);
    let text = |option: &Declaration| Some(format!("{} {}", option.name, option.value(options)?));
    read.filter_map(text).collect::<Vec<_>>().join(", ")
}

/// Only those options in which a search differs from another; empty if in none.
#[must_use]
pub fn difference(settings: &Settings, from: &Settings) -> String {
    let from = with(from);
    list(settings, |option, value| option.value(&from).as_deref() != Some(value))
}

fn list(settings: &Settings, wanted: impl Fn(&Declaration, &str) -> bool) -> String {
    let options = with(settings);
    let searched = |option: &&Declaration| option.experiment == Experiment::Listed;
    let name = |option: &Declaration| {
        let value = option.value(&options)?;
        wanted(option, &value).then(|| format!("{} {value}", option.name))
    };
    Declaration::all().iter().filter(searched).filter_map(name).collect::<Vec<_>>().join(", ")
}

fn with(settings: &Settings) -> Options {
    Options { settings: settings.clone(), ..Options::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Backend, Driver};

    #[test]
    fn options_by_name() {
        let mut options = Options::default();
        for text in ["hash=4", "BACKEND=mtd-bi", "Mode=Strict", "grid= 1 ", "Replacement=newer"] {
            set(&mut options, text, &[]).unwrap();
        }
        let settings = &options.settings;
        assert_eq!((options.hash, settings.grid), (4, 1));
        assert_eq!((settings.backend, settings.mode), (Backend::Driver(Driver::MtdBi), Mode::Strict));
    }

    #[test]
    fn settings_are_described_by_their_options() {
        let common = Settings::default();
        assert!(describe(&common).contains("Grid 16, AspirationWindow 20"), "{}", describe(&common));
        assert_eq!(difference(&common, &common), "");
        assert_eq!(difference(&Settings { grid: 3, ..Settings::default() }, &common), "Grid 3");
    }

    #[test]
    fn errors_say_what_is_wrong() {
        for (text, wanted) in [
            ("Grid", "not of the form"),
            ("", "not of the form"),
            ("=", "unknown option"),
            ("Colour=red", "unknown option 'Colour'"),
            ("Hash=0", "option Hash: 0 is not within 1 to"),
            ("Grid=fine", "'fine' is not a whole number"),
            ("Mode=fast", "known: play, paper, strict"),
            ("Threads=1", "option Threads means nothing"),
            ("Hash=4", ""),
        ] {
            let failed = set(&mut Options::default(), text, &["Backend"]);
            assert_eq!(failed.is_err(), !wanted.is_empty(), "{text}");
            assert!(failed.is_ok() || failed.unwrap_err().message().unwrap().contains(wanted), "{text}");
        }
        assert!(set(&mut Options::default(), "backend=sss", &["Backend"]).is_err());
    }
}
