//! UCI options: their values, their declarations, and errors of setting them.
//!
//! | file | contents |
//! |---|---|
//! | `values` | the values of all options |
//! | `declaration` | the declaration of an option: kind, range, effect, what it belongs to |
//! | `declarations` | the declarations of all options, each option once |
//! | `error` | the error of setting an option |
//!
//! The declarations set the options, list them for UCI and describe them for the manual; the laboratory sets
//! the options of its players with them.

mod declaration;
mod declarations;
mod error;
mod values;

pub(crate) use declaration::whole_number;
pub use declaration::{Declaration, Effect, Kind, Scope};
pub use declarations::MOST_THREADS;
pub use error::OptionError;
pub use values::Options;

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
            ("UCI_Elo", Some("699")),
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
        let (play, fine) = (Options::default().settings.drivers.grid, Options::default().analysis_grid);
        assert!(fine < play);
        assert_eq!((grid(&[], false), grid(&[], true)), (play, fine));
        for analysis in [("UCI_AnalyseMode", "true"), ("MultiPV", "2")] {
            assert_eq!(grid(&[analysis], false), fine, "{analysis:?}");
            assert_eq!(grid(&[analysis, ("AnalysisGrid", "100")], false), play, "{analysis:?}");
            assert_eq!(grid(&[analysis, ("Grid", "1")], false), 1, "{analysis:?}");
        }
    }

    #[test]
    fn an_analysis_in_play_mode_has_negascout_in_place_of_mtdf() {
        let backend = |lines: &[(&str, &str)], infinite| {
            let mut options = Options::default();
            lines.iter().for_each(|(name, value)| _ = options.set(name, Some(value)).unwrap());
            options.backend(infinite).to_string()
        };
        let analysis = ("UCI_AnalyseMode", "true");
        assert_eq!((backend(&[], false), backend(&[], true)), ("MTD(f)".into(), "NegaScout".into()));
        assert_eq!(backend(&[analysis], false), "NegaScout");
        assert_eq!(backend(&[("MultiPV", "2")], false), "NegaScout");
        for kept in [("AnalysisBackend", "same"), ("Mode", "paper")] {
            assert_eq!(backend(&[analysis, kept], true), "MTD(f)", "{kept:?}");
        }
        assert_eq!(backend(&[analysis, ("Backend", "SSS*")], true), "SSS*");
    }

    #[test]
    fn the_rows_of_the_manual_have_five_cells_with_a_name_a_kind_and_an_effect() {
        let (mut names, all) = (Vec::new(), Options::manual());
        for row in all.lines().skip(2) {
            let cells: Vec<&str> = row.split('|').map(str::trim).collect();
            let ["", name, kind, _, range, effect, ""] = cells[..] else { panic!("{row}") };
            assert!(!kind.is_empty() && effect.ends_with('.'), "{row}");
            assert_eq!(range.is_empty(), ["button", "string"].contains(&kind), "{row}");
            names.push(name.trim_matches('`'));
        }
        assert_eq!(names.first(), Some(&"Hash"), "{all}");
        assert!(names.contains(&"Backend") && names.contains(&"Clear Hash"), "{all}");
    }
}
