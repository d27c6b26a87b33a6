//! Players of a match by the words of the command line: this engine with options, or another engine by its
//! path.

use super::uci_engine::EngineSpec;
use crate::engine::options::{Declaration, Options};
use crate::lab::base::records::fingerprint;
use crate::lab::base::terminal::console::Failure;
use crate::lab::base::terminal::settings;
use std::path::{Path, PathBuf};

/// Options that decide games, although no other experiment reads them.
const OF_GAMES: [&str; 6] = ["Threads", "UCI_LimitStrength", "UCI_Elo", "Level", "Move Overhead", "Ponder"];

/// A player of a match.
#[derive(Clone, Debug)]
pub enum PlayerSpec {
    /// This engine, in this process.
    Plumb(Box<Options>),
    /// An engine in a process of its own.
    Engine(EngineSpec),
}

impl PlayerSpec {
    /// Reads `Option=Value,Option=Value`, empty or `default`, or with `cmd=PATH` first an engine and its
    /// options. With `Ponder` this engine plays in a process of its own too, which thinks while the opponent
    /// does.
    ///
    /// # Errors
    /// Says what cannot be read, or means nothing in this match; `clocks` if it is played with them.
    pub fn parse(text: &str, clocks: bool) -> Result<PlayerSpec, Failure> {
        let parts: Vec<&str> = text.split(',').map(str::trim).filter(|part| !part.is_empty()).collect();
        if let Some((first, rest)) = parts.split_first()
            && let Some(path) = first.strip_prefix("cmd=")
        {
            return Ok(PlayerSpec::Engine(engine(Path::new(path), rest, clocks)?));
        }
        let mut options = Options::default();
        let begins = parts.first().is_some_and(|part| part.eq_ignore_ascii_case("default"));
        let named = &parts[usize::from(begins)..];
        let mut limited = false;
        for part in named {
            let Some((name, value)) = of_games(part) else {
                settings::set(&mut options, part, &["MultiPV"])?;
                continue;
            };
            options.set(name, Some(value)).map_err(|error| Failure::usage(error.to_string()))?;
            limited |= name == "UCI_Elo";
            if matches!(name, "Move Overhead" | "Ponder") && !clocks {
                return Err(Failure::usage(format!("option {name} means nothing without --tc")));
            }
        }
        if limited && !options.limit_strength {
            return Err(Failure::usage("option UCI_Elo means nothing without UCI_LimitStrength=true"));
        }
        if !options.ponder {
            return Ok(PlayerSpec::Plumb(Box::new(options)));
        }
        let own = std::env::current_exe()
            .map_err(|error| Failure::new(format!("the path of this program is not known: {error}")))?;
        // By the names that the options have, however they were spelled.
        let named = named.iter().map(|part| spelled(part)).collect::<Result<Vec<_>, _>>()?;
        let named: Vec<&str> = named.iter().map(String::as_str).collect();
        Ok(PlayerSpec::Engine(engine(&own, &named, clocks)?))
    }

    /// True if one of the players is a program of its own. Then all scores of the match are those that UCI
    /// shows: this engine is no exception.
    #[must_use]
    pub fn any_program(players: &[PlayerSpec]) -> bool {
        players.iter().any(|player| matches!(player, PlayerSpec::Engine(_)))
    }

    /// Everything that decides how the player plays, in a line.
    #[must_use]
    pub fn describe(&self) -> String {
        match self {
            PlayerSpec::Plumb(options) => {
                let own = settings::describe_player(options);
                let elo = options.limited_elo().map(|elo| format!(", UCI_Elo {elo}"));
                let threads = (options.threads > 1).then(|| format!(", Threads {}", options.threads));
                let overhead = format!(", Move Overhead {}", options.move_overhead.as_millis());
                own + &elo.unwrap_or_default() + &threads.unwrap_or_default() + &overhead
            }
            PlayerSpec::Engine(EngineSpec { path, options, ponder }) => {
                let digest = fingerprint::of_file(path).unwrap_or(fingerprint::EMPTY);
                let options: Vec<String> = options
                    .iter()
                    .map(|(name, value)| format!(", {name} {value}{}", contents(value)))
                    .collect();
                let ponder = if *ponder { ", pondering" } else { "" };
                format!("program {} ({digest:016x}){}{ponder}", path.display(), options.concat())
            }
        }
    }

    /// Search threads that the player keeps busy, as far as is known.
    #[must_use]
    pub fn threads(&self) -> usize {
        match self {
            PlayerSpec::Plumb(options) => options.threads,
            PlayerSpec::Engine(engine) => {
                let threads = engine.options.iter().find(|(name, _)| name.eq_ignore_ascii_case("Threads"));
                threads.and_then(|(_, value)| value.parse().ok()).unwrap_or(1)
            }
        }
    }
}

/// Name and value of an option that decides games; `None` for any other.
fn of_games(part: &str) -> Option<(&'static str, &str)> {
    let bare = |name: &str| name.split_whitespace().collect::<String>().to_ascii_lowercase();
    let (name, value) = part.split_once('=')?;
    let name = OF_GAMES.into_iter().find(|known| bare(known) == bare(name))?;
    Some((name, value.trim()))
}

/// The words of an option of this engine, with its name as it is declared.
fn spelled(part: &str) -> Result<String, Failure> {
    let (name, value) = settings::name_and_value(part)?;
    let declaration = Declaration::find(name).map_err(|error| Failure::usage(error.to_string()))?;
    Ok(format!("{}={}", declaration.name, value.trim()))
}

/// The file of a program that is named without a folder: the first of that name in PATH, as the system finds
/// it. A record knows an engine by that file.
fn program(path: &Path) -> PathBuf {
    let is_bare = path.components().count() == 1 && path.parent() == Some(Path::new(""));
    let folders = std::env::var_os("PATH").filter(|_| is_bare);
    let files = folders.iter().flat_map(std::env::split_paths).map(|folder| folder.join(path));
    files.into_iter().find(|file| file.is_file()).unwrap_or_else(|| path.to_owned())
}

/// An engine by its path, with options of its own.
fn engine(path: &Path, parts: &[&str], clocks: bool) -> Result<EngineSpec, Failure> {
    if path.as_os_str().is_empty() {
        return Err(Failure::usage("cmd= needs the path of an engine"));
    }
    let mut spec = EngineSpec { path: program(path), options: Vec::new(), ponder: false };
    for part in parts {
        let (name, value) = settings::name_and_value(part)?;
        let (name, value) = (name.trim(), value.trim());
        if name.eq_ignore_ascii_case("Ponder") {
            spec.ponder = match value.to_ascii_lowercase().as_str() {
                "true" | "on" => true,
                "false" | "off" => false,
                _ => return Err(Failure::usage(format!("Ponder={value}: it is true or false"))),
            };
            if spec.ponder && !clocks {
                return Err(Failure::usage("option Ponder means nothing without --tc"));
            }
        } else {
            spec.options.push((name.to_owned(), value.to_owned()));
        }
    }
    Ok(spec)
}

/// The digest of the file that an option names: another network or book of the same name is another player.
fn contents(value: &str) -> String {
    let digest = Path::new(value).is_file().then(|| fingerprint::of_file(value).ok()).flatten();
    digest.map_or_else(String::new, |digest| format!(" ({digest:016x})"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::base::records::test_folder::TestFolder;

    #[test]
    fn players_are_read_with_all_that_decides_games() {
        let plumb = |text: &str| match PlayerSpec::parse(text, true).unwrap() {
            PlayerSpec::Plumb(options) => options,
            PlayerSpec::Engine(engine) => panic!("{engine:?}"),
        };
        assert_eq!(plumb("Backend=sss, Hash=4").hash, 4);
        let all = plumb("Threads=3,UCI_LimitStrength=true,uci_elo=1500,Move Overhead=30");
        assert_eq!((all.threads, all.limit_strength, all.elo), (3, true, 1500));
        assert_eq!(all.move_overhead.as_millis(), 30);
        assert!(plumb("").hash == 16 && plumb("default").threads == 1);
        assert_eq!(plumb("default,Threads=2").threads, 2);
        let described = PlayerSpec::Plumb(all).describe();
        assert!(described.contains("UCI_Elo 1500") && described.contains("Threads 3"), "{described}");
        for wrong in ["Grid", "OwnBook=true", "UCI_Elo=1500", "Threads=0", "cmd=", "cmd=x,Hash"] {
            assert!(PlayerSpec::parse(wrong, true).is_err(), "{wrong}");
        }
        for timed in ["Ponder=true", "Move Overhead=5", "cmd=x,Ponder=true"] {
            assert!(PlayerSpec::parse(timed, false).is_err(), "{timed} means nothing without clocks");
        }
    }

    #[test]
    fn engines_are_read_with_their_options() {
        let engine = |text: &str| match PlayerSpec::parse(text, true).unwrap() {
            PlayerSpec::Engine(engine) => engine,
            PlayerSpec::Plumb(options) => panic!("{options:?}"),
        };
        let other = engine("cmd=/usr/games/engine,Hash=16,Skill Level=3,Ponder=true");
        let options = [("Hash", "16"), ("Skill Level", "3")].map(|(a, b)| (a.to_owned(), b.to_owned()));
        assert_eq!(
            other,
            EngineSpec { path: "/usr/games/engine".into(), options: options.into(), ponder: true }
        );
        // Another file of the same name is another player.
        let folder = TestFolder::new("player-file");
        let book = folder.join("book.bin");
        let described = |bytes: &[u8]| {
            std::fs::write(&book, bytes).unwrap();
            PlayerSpec::parse(&format!("cmd=/usr/games/engine,Book={}", book.display()), true)
                .unwrap()
                .describe()
        };
        assert_eq!(described(b"one"), described(b"one"));
        assert_ne!(described(b"one"), described(b"two"));
        let own = engine("threads=2,Ponder=true,MoveOverhead=30");
        let options = [("Threads", "2"), ("Move Overhead", "30")].map(|(a, b)| (a.to_owned(), b.to_owned()));
        assert!(own.ponder && own.options == options, "{own:?}");
        for (text, ponders) in [("cmd=x,Ponder=on", true), ("Ponder=on", true), ("cmd=x,ponder=False", false)]
        {
            assert_eq!(engine(text).ponder, ponders, "{text}");
        }
        assert!(PlayerSpec::parse("cmd=x,Ponder=1", true).is_err());
        assert_eq!(PlayerSpec::Engine(own).threads(), 2);
    }
}
