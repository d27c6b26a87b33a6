//! The command line: every command, read by clap, and checked: no file that a command reads or writes under
//! one name is written under another. The arguments of a command are in `arguments.rs` of its folder.

use super::base::records::identity::FileIdentity;
use super::base::terminal::console::Failure;
use super::base::terminal::paths::{InputPath, OutputFile};
use super::play::books::arguments::{BookArgs, SyzygyArgs};
use super::play::datagen::arguments::{DatagenArgs, GenfensArgs};
use super::play::matches::arguments::TournamentArgs;
use super::play::training::arguments::TrainArgs;
#[cfg(feature = "tuning")]
use super::play::tuning::arguments::TuneArgs;
use super::play::tuning::arguments::{TexelArgs, WdlArgs};
use super::study::analyse::arguments::AnalyseArgs;
use super::study::chart::arguments::ChartArgs;
use super::study::counting::arguments::CompareArgs;
use super::study::papers::arguments::LabArgs;
use super::study::suites::arguments::EpdArgs;
use super::study::trace::arguments::TraceArgs;
use clap::{Arg, ArgMatches, Args, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use std::path::{Path, PathBuf};

/// Arguments of `plumb completions`.
#[derive(Clone, Debug, Args)]
pub struct CompletionsArgs {
    /// Shell
    pub shell: clap_complete::Shell,
}

/// The laboratory's part of the command line.
#[derive(Debug, Parser)]
#[command(name = "plumb", about = "Experiments with search algorithms", disable_help_subcommand = true)]
pub struct CommandLine {
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

/// A command of the laboratory.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Compare nodes and time of the search algorithms, relative to Aspiration NegaScout
    Compare(CompareArgs),
    /// Run test suites (best moves, points, mates, perft); compare and merge results
    Epd(EpdArgs),
    /// Annotate games: scores, marks, better lines; as PGN, JSON and a page
    #[command(alias = "analyze")]
    Analyse(AnalyseArgs),
    /// Repeat the experiments of the papers and write a report with tables and charts
    Lab(LabArgs),
    /// Play a match between two settings, or against another engine, or a round robin of more: Elo, SPRT, PGN
    Tournament(TournamentArgs),
    /// Self-play: write whole games with the score of every move, for tuning and training
    Datagen(DatagenArgs),
    /// Print random openings in the form that OpenBench's data generation asks for
    Genfens(GenfensArgs),
    /// Fit the weights of the evaluation to game results (Texel's method)
    Texel(TexelArgs),
    /// Train an evaluation network on the games of datagen
    Train(TrainArgs),
    /// Tune the parameters of the search by games against itself (SPSA)
    #[cfg(feature = "tuning")]
    Tune(TuneArgs),
    /// Draw the passes of a search: how the drivers' bounds converge on the value of a position
    Trace(TraceArgs),
    /// Opening books: build one, look a position up, merge several
    Book(BookArgs),
    /// Look positions up in Syzygy tablebases
    Syzygy(SyzygyArgs),
    /// Draw a line chart (SVG) of the numbers in a CSV file
    Chart(ChartArgs),
    /// Fit the win/draw/loss model to games with scores
    Wdl(WdlArgs),
    /// Print a script for completing the command line in a shell
    Completions(CompletionsArgs),
    /// Print the manual page (for man)
    Manual,
}

/// Reads a command line, the program's name first.
///
/// # Errors
/// If it cannot be read, help is asked for, or a file that it writes has another part in it.
pub fn read(words: impl IntoIterator<Item = String>) -> Result<CommandLine, ReadError> {
    let mut definition = CommandLine::command();
    let mut matches = definition.try_get_matches_from_mut(words).map_err(ReadError::Clap)?;
    check_files(&definition, &matches).map_err(ReadError::Files)?;
    CommandLine::from_arg_matches_mut(&mut matches)
        .map_err(|error| ReadError::Clap(error.format(&mut definition)))
}

/// Why a command line is not carried out.
#[derive(Debug)]
pub enum ReadError {
    /// Clap's error, or its answer where help is asked for.
    Clap(clap::Error),
    /// A file would be written that is read, or written twice.
    Files(Failure),
}

/// A file of a command line, and the argument that names it.
struct Named {
    argument: String,
    path: PathBuf,
}

/// Fails if a file that is written is read or written under another argument too, however the paths are
/// spelled.
fn check_files(definition: &clap::Command, matches: &ArgMatches) -> Result<(), Failure> {
    let (mut definition, mut matches) = (definition, matches);
    let (mut read, mut written) = (vec![program()], Vec::new());
    loop {
        for argument in definition.get_arguments() {
            files_of(argument, matches, &mut read, &mut written);
        }
        let Some((name, below)) = matches.subcommand() else { break };
        let Some(command) = definition.find_subcommand(name) else { break };
        (definition, matches) = (command, below);
    }
    let identities =
        |files: &[Named]| files.iter().map(|file| FileIdentity::of(&file.path)).collect::<Vec<_>>();
    let (sources, targets) = (identities(&read), identities(&written));
    for (index, file) in written.iter().enumerate() {
        if let Some(other) = targets[..index].iter().position(|other| *other == targets[index]) {
            let names = format!("{} and {}", written[other].argument, file.argument);
            return Err(Failure::usage(match targets[index] {
                FileIdentity::Standard => format!("{names} cannot both be standard output"),
                _ => format!("{names} name the same file"),
            }));
        }
        if targets[index] != FileIdentity::Standard && sources.contains(&targets[index]) {
            let (argument, path) = (&file.argument, file.path.display());
            return Err(Failure::usage(format!("{argument} would replace {path}, which this command reads")));
        }
    }
    Ok(())
}

/// The running program.
fn program() -> Named {
    Named { argument: "plumb".to_owned(), path: std::env::current_exe().unwrap_or_default() }
}

/// Adds the files that an argument names. A word that is no path may name files too: `EvalFile=x.net`,
/// `cmd=engine`.
fn files_of(argument: &Arg, matches: &ArgMatches, read: &mut Vec<Named>, written: &mut Vec<Named>) {
    let id = argument.get_id().as_str();
    let name = argument.get_long().map_or_else(|| id.to_uppercase(), |long| format!("--{long}"));
    let named = |path: &Path| Named { argument: name.clone(), path: path.to_owned() };
    if let Ok(Some(files)) = matches.try_get_many::<OutputFile>(id) {
        written.extend(files.map(|path| named(path)));
    } else if let Ok(Some(files)) = matches.try_get_many::<InputPath>(id) {
        read.extend(files.map(|path| named(path)));
    } else if let Ok(Some(words)) = matches.try_get_raw(id) {
        let values = words.flat_map(|word| {
            let text = word.to_string_lossy().into_owned();
            text.split(',')
                .map(|part| part.split_once('=').map_or(part, |(_, value)| value))
                .map(PathBuf::from)
                .collect::<Vec<_>>()
        });
        read.extend(values.filter(|path| path.is_file()).map(|path| named(&path)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::base::records::test_folder::TestFolder;
    use crate::lab::base::terminal::values::Shard;
    use crate::lab::study::papers::arguments::LabCommand;

    #[test]
    fn clap_finds_no_error_in_the_definitions() {
        CommandLine::command().debug_assert();
    }

    /// All commands, those below others too, with their words.
    fn commands(command: &clap::Command, above: &[String]) -> Vec<(Vec<String>, clap::Command)> {
        let below = command.get_subcommands().flat_map(|one| {
            let words = [above, &[one.get_name().to_owned()]].concat();
            [commands(one, &words), vec![(words, one.clone())]].concat()
        });
        below.collect()
    }

    /// True if an argument has a type of [`crate::lab::base::terminal::paths`].
    fn is(argument: &Arg, name: &str) -> bool {
        format!("{:?}", argument.get_value_parser()).contains(&format!("paths::{name}"))
    }

    /// An argument with its value.
    fn words_of(argument: &Arg, value: &str) -> Vec<String> {
        let long = argument.get_long().map(|long| format!("--{long}"));
        long.into_iter().chain([value.to_owned()]).collect()
    }

    /// A value for an argument that has to be there.
    fn filler(argument: &Arg) -> String {
        let path = ["InputPath", "OutputFile", "OutputFolder"].iter().any(|name| is(argument, name));
        match argument.get_value_parser().possible_values().and_then(|mut values| values.next()) {
            Some(value) => value.get_name().to_owned(),
            None if path => format!("{}.of.test", argument.get_id()),
            None => "1".to_owned(),
        }
    }

    /// The command line of a command with so many arguments, and what has to be there beside them.
    fn line(words: &[String], command: &clap::Command, given: &[(&Arg, &str)]) -> Vec<String> {
        let mut line = [&["plumb".to_owned()], words].concat();
        // A record of a tree is of a tree, and a tournament has two players and a limit.
        match words.last().map(String::as_str) {
            Some("trace") => line.extend(["--tree", "report"].map(str::to_owned)),
            Some("tournament") => line.extend(["Grid=8", "Grid=4", "--nodes", "1"].map(str::to_owned)),
            _ => {
                let named = |argument: &&Arg| given.iter().any(|(one, _)| one.get_id() == argument.get_id());
                let missing = command.get_arguments().filter(|one| one.is_required_set() && !named(one));
                line.extend(missing.flat_map(|argument| words_of(argument, &filler(argument))));
            }
        }
        given.iter().for_each(|(argument, value)| line.extend(words_of(argument, value)));
        line
    }

    #[test]
    fn no_command_writes_a_file_that_it_reads_or_writes_under_another_name() {
        let folder = TestFolder::new("line");
        std::fs::create_dir(folder.join("below")).unwrap();
        let path = |name: &str| folder.join(name).display().to_string();
        std::fs::write(path("a"), "x").unwrap();
        std::fs::hard_link(path("a"), path("hard")).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink("a", path("link")).unwrap();
        // Equal paths, the same by another way, a second name, a link, and a file that is not there yet.
        let link = if cfg!(unix) { "link" } else { "./a" };
        let spelled = [("a", "a"), ("a", "below/../a"), ("hard", "a"), ("a", link), ("new", "below/../new")];
        let mut pairs = 0;
        for (words, command) in commands(&CommandLine::command(), &[]) {
            let files = |name: &'static str| command.get_arguments().filter(move |one| is(one, name));
            for target in files("OutputFile") {
                for other in files("OutputFile").chain(files("InputPath")) {
                    if other.get_id() == target.get_id() {
                        continue;
                    }
                    // Clap cannot show an argument of a command that is not built.
                    let names = format!("{words:?} {} {}", target.get_id(), other.get_id());
                    let read_with = |one: &str, two: &str| {
                        read(line(&words, &command, &[(target, &path(one)), (other, &path(two))]))
                    };
                    let apart = read_with("a", "b");
                    assert!(apart.is_ok(), "{names}: {apart:?}");
                    for (one, two) in spelled {
                        let refused = read_with(one, two);
                        let refused = matches!(refused, Err(ReadError::Files(_)));
                        assert!(refused, "{names}: {one} {two}");
                    }
                    pairs += 1;
                }
            }
        }
        // Shown by --nocapture.
        println!("{pairs} pairs of arguments, {} spellings each", spelled.len());
        assert!(pairs > 30, "{pairs}");
    }

    #[test]
    fn every_path_of_a_command_line_is_read_or_written() {
        for (words, command) in commands(&CommandLine::command(), &[]) {
            for argument in command.get_arguments() {
                let parser = format!("{:?}", argument.get_value_parser());
                let name = argument.get_id();
                assert!(!parser.contains("PathBuf") && !parser.contains("path_buf"), "{words:?} {name}");
            }
        }
    }

    #[test]
    fn files_that_the_words_of_players_name_are_read() {
        let folder = TestFolder::new("players");
        let file = folder.join("x.net").display().to_string();
        std::fs::write(&file, "x").unwrap();
        for player in ["EvalFile=", "Grid=8,EvalFile=", "name=a,cmd="] {
            let player = format!("{player}{file}");
            let line = ["plumb", "tournament", "Grid=8", &player, "--nodes", "1", "--pgn", &file];
            let Err(ReadError::Files(why)) = read(line.map(str::to_owned)) else { panic!("{player}") };
            assert!(why.message().unwrap().contains("which this command reads"), "{why:?}");
        }
    }

    #[test]
    fn the_laboratory_has_names_or_a_command() {
        let read = |words: &[&str]| CommandLine::try_parse_from([&["plumb", "lab"], words].concat());
        let Command::Lab(lab) = read(&["a", "b", "--quick", "--shard", "2/3"]).unwrap().command else {
            panic!()
        };
        assert_eq!(lab.study.names, ["a", "b"]);
        assert_eq!((lab.study.quick, lab.study.shard), (true, Some(Shard { number: 2, of: 3 })));
        let Command::Lab(lab) = read(&["merge", "x", "y", "--out", "z"]).unwrap().command else { panic!() };
        assert!(matches!(lab.command, Some(LabCommand::Merge { folders, .. }) if folders.len() == 2));
        let Command::Lab(lab) = read(&["export", "--csv", "z"]).unwrap().command else { panic!() };
        assert!(
            matches!(lab.command, Some(LabCommand::Export { folder, .. }) if folder.as_os_str() == "lab")
        );
        assert!(read(&["merge", "x"]).is_err() && read(&["a", "--quick", "--full"]).is_err());
    }

    /// A flattened struct must not change the help of a command, and `tune` has a seed of its own.
    #[test]
    fn shared_options_keep_their_words() {
        let long = |name: &str| {
            let mut line = CommandLine::command();
            let command = line.find_subcommand_mut(name).unwrap();
            command.render_help().to_string().split_whitespace().collect::<Vec<_>>().join(" ")
        };
        let help = long("tournament");
        assert!(help.starts_with("Play a match between two settings, or"), "{help}");
        let seed = "--seed <SEED> Seed of the order of openings and of random ones [default: 1995]";
        assert!(help.contains(seed), "{help}");
        assert!(help.contains("[default: the lines of the built-in book, then random]"), "{help}");
        if cfg!(feature = "tuning") {
            let help = long("tune");
            assert!(help.starts_with("Tune the parameters of the search by games"), "{help}");
            assert!(help.contains("Seed of the perturbations and of random openings"), "{help}");
        }
    }

    #[test]
    fn a_command_takes_its_former_words() {
        for words in [
            "datagen --out x --concurrency 2",
            "tournament Grid=8 Grid=4 --nodes 100 --concurrency 2",
            "epd x.epd --threads 2",
            "texel x --lambda 0.5",
            "train x --out y --lesson material --lambda 0.5 --threads 2",
        ] {
            let line = CommandLine::try_parse_from(["plumb"].into_iter().chain(words.split(' ')));
            assert!(line.is_ok(), "{words}: {:?}", line.err());
        }
    }

    #[test]
    fn guesses_may_be_negative() {
        let line = ["plumb", "compare", "--verify", "--guesses", "-5,0,5", "x.epd"];
        let Command::Compare(arguments) = CommandLine::try_parse_from(line).unwrap().command else {
            panic!()
        };
        assert_eq!(arguments.guesses, [-5, 0, 5]);
    }
}
