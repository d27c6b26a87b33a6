//! UCI protocol, on standard input and output or on the command line.
//!
//! Input is parsed into commands and events are printed; everything in between is done by [`crate::engine`].
//! The crate `vampirc-uci` has types for the messages, and prints most of them; what it would panic on,
//! truncate or lose is parsed and printed here (see [`command`] and [`output`]).
//!
//! Rules beyond the protocol's own:
//! - Bad input is answered by one `info string` that names what is wrong, and changes nothing.
//! - While a search runs, commands that would disturb it wait in a queue until it is done; one without an end
//!   of its own is stopped for them (see `queue`). `stop`, `ponderhit`, `quit` and `isready` never wait.
//! - At the end of input the commands that wait are executed; a search that ends by itself is finished, any
//!   other is stopped; then the engine quits.

pub mod command;
pub mod go;
mod info_filter;
mod input;
mod main_loop;
pub mod manual;
pub mod output;
mod queue;
mod words;

use crate::engine::{Options, Session, logging};
use crate::uci::main_loop::{UciLoop, VERSION};
use output::Output;
use std::io::{self, IsTerminal as _, Read, Write};
use std::process::ExitCode;

/// Runs the UCI loop on standard input and output until `quit` or the end of input.
#[must_use]
pub fn run() -> ExitCode {
    with_session(|session| {
        let mut output = Output::standard();
        // A greeting for a person at a terminal: a GUI expects no output before its first command.
        if io::stdin().is_terminal() && io::stdout().is_terminal() {
            output.line(format!("{VERSION}, a UCI chess engine: 'help' lists the commands, 'quit' ends it"));
        }
        UciLoop::new(session, output).run(&input::lines_of(io::stdin()))
    })
}

/// Runs the UCI loop on any input and output, with a small transposition table; for tests.
#[must_use]
pub fn converse(input: impl Read + Send + 'static, output: impl Write + 'static) -> ExitCode {
    match Session::new(Options { hash: 1, ..Options::default() }) {
        Ok(session) => UciLoop::new(session, Output::to(output)).run(&input::lines_of(input)),
        Err(_) => ExitCode::FAILURE,
    }
}

/// Executes one command, given by the words of a command line, and returns when its work is done.
#[must_use]
pub fn run_command(words: &[String]) -> ExitCode {
    // `--help` behind a command asks for its help.
    let help = words.len() > 1 && words.iter().any(|word| matches!(word.as_str(), "--help" | "-h"));
    let command = if help { format!("help {}", words[0]) } else { words.join(" ") };
    with_session(|session| {
        let line = input::one_line(&command);
        UciLoop::for_command_line(session, Output::standard()).run(&line)
    })
}

/// Starts log and session; without a session the program fails.
fn with_session(run: impl FnOnce(Session) -> ExitCode) -> ExitCode {
    logging::start();
    match Session::new(Options::default()) {
        Ok(session) => run(session),
        Err(error) => {
            log::error!("{error}");
            ExitCode::FAILURE
        }
    }
}
