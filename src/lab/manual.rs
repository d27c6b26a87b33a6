//! Help, manual page and shell completions, generated from the definitions of the command line
//! ([`command_line`](super::command_line), [`crate::uci::manual`]) and of the UCI options.

use crate::engine::options::Declaration;
use crate::lab::base::terminal::console::{Failure, out, out_bytes};
use crate::lab::command_line::CommandLine;
use crate::lab::study::papers;
use crate::search::Backend;
use crate::uci::manual::{ABOUT, DESCRIPTION, Entry, GO, OURS, help, help_of};
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, Command, CommandFactory as _};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};
use std::fmt::Write as _;
use std::io;

/// The whole command line: the commands of the front end, then those of the laboratory.
#[must_use]
pub fn command() -> Command {
    Command::new("plumb")
        .about(ABOUT)
        .long_about(DESCRIPTION)
        .version(env!("CARGO_PKG_VERSION"))
        .override_usage("plumb\nplumb COMMAND [ARGUMENTS]")
        .disable_help_subcommand(true)
        .subcommands([&GO].into_iter().chain(OURS).map(subcommand))
        .subcommands(CommandLine::command().get_subcommands().cloned().map(with_values))
}

/// A command of the laboratory, with the values that a shell can offer.
fn with_values(command: Command) -> Command {
    match command.get_name() {
        "lab" => {
            let known = papers::all().into_iter();
            let names = known.map(|known| known.about());
            let names = names.map(|about| PossibleValue::new(about.name).help(about.title));
            command.mut_arg("names", |arg| arg.value_parser(or_all(names)))
        }
        "compare" | "epd" | "trace" => {
            let names = Backend::ALL.iter().map(|backend| PossibleValue::new(backend.alias()));
            command.mut_arg("backends", |arg| arg.value_parser(or_all(names)).hide_possible_values(true))
        }
        "analyse" => {
            let names = Backend::ALL.iter().map(|backend| PossibleValue::new(backend.alias()));
            let names = PossibleValuesParser::new(names);
            command.mut_arg("backend", |arg| arg.value_parser(names).hide_possible_values(true))
        }
        _ => command,
    }
}

/// Some values, or all of them.
fn or_all(values: impl Iterator<Item = PossibleValue>) -> PossibleValuesParser {
    PossibleValuesParser::new(values.chain([PossibleValue::new("all")]))
}

/// A command of the front end.
fn subcommand(entry: &Entry) -> Command {
    let usage = format!("plumb {} {}", entry.name, entry.arguments);
    let command = Command::new(entry.name).about(entry.effect).override_usage(usage.trim().to_owned());
    let words = Arg::new("words").hide(true).num_args(0..);
    match entry.arguments {
        "" => command,
        _ if entry.words.is_empty() => command.arg(words),
        _ => command.arg(words.value_parser(PossibleValuesParser::new(entry.words))),
    }
}

/// `plumb help`: the help of the front end, and the commands that only the command line has.
///
/// # Errors
/// If standard output cannot be written.
pub fn show_help() -> Result<(), Failure> {
    let mut text = help();
    text.push_str("\n\nOn the command line only (plumb help COMMAND shows the arguments of each):\n");
    for command in CommandLine::command().get_subcommands() {
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        let _ = writeln!(text, "       {:<16} {about}", command.get_name());
    }
    out(&text)
}

/// `plumb help NAME` for a command of the front end.
///
/// # Errors
/// If there is no such command, or standard output cannot be written.
pub fn show_help_of(name: &str) -> Result<(), Failure> {
    let text = help_of(name)
        .ok_or_else(|| Failure::usage(format!("there is no command '{name}' (plumb help lists them)")))?;
    out(&format!("{text}\n"))
}

/// `plumb completions`: a script for a shell.
///
/// # Errors
/// If standard output cannot be written.
pub fn completions(shell: clap_complete::Shell) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command(), "plumb", &mut script);
    out_bytes(&script)
}

/// `plumb manual`: the page that `man plumb` shows, as roff.
///
/// # Errors
/// If standard output cannot be written.
pub fn show_page() -> Result<(), Failure> {
    let page = page().map_err(|error| Failure::new(format!("cannot write the manual page: {error}")))?;
    out(&page)
}

/// The manual page: one for all commands, so that a reader can search it.
///
/// # Errors
/// If a section cannot be rendered.
pub fn page() -> io::Result<String> {
    let man = Man::new(command());
    // Without a date, so that the page depends on the program alone.
    let mut page = concat!(".TH PLUMB 1 \"\" \"Plumb ", env!("CARGO_PKG_VERSION"), "\" \"User Commands\"\n")
        .as_bytes()
        .to_vec();
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    let mut page = String::from_utf8_lossy(&page).into_owned();
    page.push_str(".SH COMMANDS\n");
    let mut whole = without_help(command());
    whole.build();
    for command in whole.get_subcommands() {
        describe(command, &mut page)?;
    }
    page.push_str(&options());
    page.push_str(&epilogue());
    Ok(page)
}

/// A command and its subcommands without `--help`, which the page need not repeat for each.
fn without_help(command: Command) -> Command {
    command.disable_help_flag(true).disable_help_subcommand(true).mut_subcommands(without_help)
}

/// Writes usage, purpose and arguments of a command and of its subcommands.
fn describe(command: &Command, page: &mut String) -> io::Result<()> {
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage:").trim();
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let mut heading = Roff::new();
    // A usage of several lines belongs to a command with subcommands, which follow.
    heading.control("SS", [usage.lines().next().unwrap_or_default()]).text([roman(format!("{about}."))]);
    page.push_str(&heading.render());
    let mut section = Vec::new();
    Man::new(command.clone()).render_options_section(&mut section)?;
    if let Some((_, body)) = String::from_utf8_lossy(&section).split_once(".SH OPTIONS\n") {
        page.push_str(body);
    }
    if let Some(more) = command.get_after_long_help() {
        // Without filling: the text has line breaks of its own.
        let mut roff = Roff::new();
        roff.control("PP", []).control("nf", []);
        more.to_string().lines().for_each(|line| _ = roff.text([roman(line)]));
        page.push_str(&roff.control("fi", []).render());
    }
    command.get_subcommands().try_for_each(|command| describe(command, page))
}

/// The section about UCI options.
fn options() -> String {
    let mut roff = Roff::new();
    roff.control("SH", ["UCI OPTIONS"]);
    for declaration in Declaration::all() {
        let (kind, range) = declaration.kind_and_range();
        let default = declaration.default_value().map(|value| format!("default {value}"));
        let facts: Vec<String> =
            [Some(kind.to_owned()), default, Some(range).filter(|text| !text.is_empty())]
                .into_iter()
                .flatten()
                .collect();
        roff.control("TP", []);
        roff.text([bold(declaration.name), roman(format!(" ({})", facts.join("; ")))]);
        roff.text([roman(declaration.explanation)]);
    }
    roff.render()
}

/// The sections that no definition contains: exit status and examples.
fn epilogue() -> String {
    let mut roff = Roff::new();
    roff.control("SH", ["EXIT STATUS"]).text([roman(
        "0: done. 1: something went wrong, or a proof failed. 2: the command line makes no sense. \
         130: interrupted; what was finished is shown.",
    )]);
    roff.control("SH", ["EXAMPLES"]);
    for (line, effect) in [
        ("plumb go movetime 2000", "Two seconds of thought about the start position."),
        ("plumb lab all --quick", "Measure the papers' claims again, in minutes."),
        ("plumb tournament Backend=mtdf Backend=negascout --games 40 --nodes 5000", "A small match."),
    ] {
        roff.control("TP", []).text([bold(line)]).text([roman(effect)]);
    }
    roff.render()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clap_finds_no_error_in_the_definitions() {
        command().debug_assert();
    }

    #[test]
    fn the_page_has_every_command_argument_and_option() {
        let page = page().unwrap().replace('\\', "");
        let mut whole = command();
        whole.build();
        for command in whole.get_subcommands() {
            assert!(page.contains(&format!(".SS \"plumb {}", command.get_name())), "{}", command.get_name());
            for argument in command.get_arguments().filter_map(Arg::get_long).filter(|&long| long != "help") {
                assert!(page.contains(&format!("--{argument}")), "{} --{argument}", command.get_name());
            }
        }
        assert!(Declaration::all().iter().all(|option| page.contains(option.name)));
        assert!(page.contains("plumb lab merge") && page.contains("plumb book probe"));
    }

    #[test]
    fn text_below_the_help_is_on_the_page() {
        let mut page = String::new();
        let command = Command::new("own").about("Do it").after_long_help("Slurm:\n  'srun'");
        describe(&command, &mut page).unwrap();
        assert!(page.contains(".nf\nSlurm:\n  \\*(Aqsrun\\*(Aq\n.fi"), "{page}");
    }

    #[test]
    fn completions_offer_known_values() {
        let mut script = Vec::new();
        clap_complete::generate(clap_complete::Shell::Bash, &mut command(), "plumb", &mut script);
        let script = String::from_utf8(script).unwrap();
        for word in ["othello", "plain-negascout", "movetime", "tournament", "--shard"] {
            assert!(script.contains(word), "{word}");
        }
    }
}
