//! `--set Option=Value`: the engine's options as far as an experiment reads them.

use super::console::Failure;
use crate::engine::options::{Declaration, Options, Scope};
use crate::search::{Mode, Settings};

/// Sets an option from `Option=Value`. `elsewhere` are options that the command line sets in another way.
pub fn set(options: &mut Options, text: &str, elsewhere: &[&str]) -> Result<(), Failure> {
    let (name, value) = name_and_value(text)?;
    let declaration = Declaration::find(name).map_err(|error| Failure::usage(error.to_string()))?;
    let option = declaration.name;
    if declaration.scope == Scope::Session {
        let why = format!("option {option} means nothing here: only options of the search can be set");
        return Err(Failure::usage(why));
    }
    if elsewhere.contains(&option) {
        return Err(Failure::usage(format!("option {option} cannot be set here")));
    }
    options.set(name, Some(value)).map_err(|error| Failure::usage(error.to_string()))?;
    Ok(())
}

/// Name and value of `Option=Value`.
pub fn name_and_value(text: &str) -> Result<(&str, &str), Failure> {
    text.split_once('=').ok_or_else(|| Failure::usage(format!("'{text}' is not of the form Option=Value")))
}

/// Options of a search that is shown to people: paper mode with exact values, then `--set`, then `--mode`.
/// Backend and lines are set elsewhere.
pub fn of_shown_search(set_by: &[String], mode: Option<Mode>) -> Result<Options, Failure> {
    let mut options = Options::default();
    options.settings.mode = Mode::Paper;
    options.settings.drivers.grid = 1;
    for text in set_by {
        set(&mut options, text, &["Backend", "MultiPV"])?;
    }
    options.settings.mode = mode.unwrap_or(options.settings.mode);
    Ok(options)
}

/// The network that a search evaluates with, by its fingerprint; `None` for the hand-crafted evaluation.
/// Neither the path of a file nor the words for the network inside the program say which network it is.
fn network(settings: &Settings) -> Option<String> {
    settings.network().map(|network| format!("network {:016x}", network.fingerprint))
}

/// The options of a search with their values, and its network: `Grid 8, AspirationWindow 12, ...`.
#[must_use]
pub fn describe(settings: &Settings) -> String {
    let options = list(settings, |_, _| true);
    options.into_iter().chain(network(settings)).collect::<Vec<_>>().join(", ")
}

/// Every option that decides how a player plays, with its value, and its network.
#[must_use]
pub fn describe_player(options: &Options) -> String {
    let read = Declaration::all().iter().filter(|option| option.scope != Scope::Session);
    let text = |option: &Declaration| Some(format!("{} {}", option.name, option.value(options)?));
    read.filter_map(text).chain(network(&options.settings)).collect::<Vec<_>>().join(", ")
}

/// Only those options in which a search differs from another, and its network if the other has not the same;
/// empty if they differ in nothing.
#[must_use]
pub fn difference(settings: &Settings, from: &Settings) -> String {
    let other = with(from);
    let options = list(settings, |option, value| option.value(&other).as_deref() != Some(value));
    let network = network(settings).filter(|own| network(from).as_ref() != Some(own));
    options.into_iter().chain(network).collect::<Vec<_>>().join(", ")
}

fn list(settings: &Settings, wanted: impl Fn(&Declaration, &str) -> bool) -> Vec<String> {
    let options = with(settings);
    let searched = |option: &&Declaration| option.scope == Scope::Setting;
    let name = |option: &Declaration| {
        let value = option.value(&options)?;
        wanted(option, &value).then(|| format!("{} {value}", option.name))
    };
    Declaration::all().iter().filter(searched).filter_map(name).collect()
}

fn with(settings: &Settings) -> Options {
    Options { settings: settings.clone(), ..Options::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::network::{Architecture, Layout, TrainedNetwork};
    use crate::eval::{Evaluation, Network};
    use crate::search::{Backend, Driver};
    use std::sync::Arc;

    #[test]
    fn options_by_name() {
        let mut options = Options::default();
        for text in ["hash=4", "BACKEND=mtd-bi", "Mode=Strict", "grid= 1 ", "Replacement=newer"] {
            set(&mut options, text, &[]).unwrap();
        }
        let settings = &options.settings;
        assert_eq!((options.hash, settings.drivers.grid), (4, 1));
        assert_eq!((settings.backend, settings.mode), (Backend::Driver(Driver::MtdBi), Mode::Strict));
    }

    #[test]
    fn settings_are_described_by_their_options() {
        let common = Settings::default();
        assert!(
            describe(&common).contains("Grid 16, GridDepth 10, AspirationWindow 20"),
            "{}",
            describe(&common)
        );
        assert_eq!(difference(&common, &common), "");
        let mut other = common.clone();
        other.drivers.grid = 3;
        assert_eq!(difference(&other, &common), "Grid 3");
    }

    #[test]
    fn a_network_is_named_by_its_fingerprint_where_it_evaluates() {
        let architecture = Architecture { width: 32, ..Architecture::default() };
        let parameters = vec![0.0; Layout::of(&architecture).len];
        let network = Network::quantise(&TrainedNetwork { architecture, scale: 400.0, parameters });
        let name = format!("network {:016x}", network.fingerprint);
        let loaded_network = Some(Arc::new(network));
        let with = Settings { loaded_network, ..Settings::default() };
        let hand_crafted = Settings { evaluation: Evaluation::HandCrafted, ..with.clone() };
        let player = |settings: &Settings| {
            describe_player(&Options { settings: settings.clone(), ..Options::default() })
        };
        assert!(describe(&with).ends_with(&name) && player(&with).ends_with(&name));
        assert!(!describe(&hand_crafted).contains(&name) && !player(&hand_crafted).contains(&name));
        assert_eq!(difference(&with, &Settings::default()), name);
        assert_eq!(difference(&with, &with), "");
        assert_eq!(difference(&hand_crafted, &with), "Evaluation hand-crafted");
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
            ("Threads=1", "option Threads means nothing here: only options of the search"),
            ("Hash=4", ""),
        ] {
            let failed = set(&mut Options::default(), text, &["Backend"]);
            assert_eq!(failed.is_err(), !wanted.is_empty(), "{text}");
            assert!(failed.is_ok() || failed.unwrap_err().message().unwrap().contains(wanted), "{text}");
        }
        assert!(set(&mut Options::default(), "backend=sss", &["Backend"]).is_err());
    }
}
