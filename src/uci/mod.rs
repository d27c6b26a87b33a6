//! The front end: UCI, on standard input and output or on the command line.
//!
//! Here text becomes commands and events become text; whatever happens in between happens in
//! [`crate::engine`]. The crate `vampirc-uci` gives the messages their types and most of them their text;
//! where it would panic, truncate or lose something we read and write ourselves (see [`command`] and
//! [`output`]).
//!
//! Rules of the conversation beyond the protocol's own:
//! - Bad input gets one `info string` that names what is wrong, and changes nothing.
//! - While a search runs, `position` and `ucinewgame` are taken for the time after it, options take effect
//!   with the next search, and `Hash` and `Clear Hash` are refused. `go`, `perft` and `bench` stop it first.
//! - At the end of input a search that has a limit is finished, any other is stopped; then the engine quits.

pub mod command;
pub mod go;
mod input;
mod main_loop;
pub mod manual;
pub mod output;
mod shown;

use crate::engine::{Options, Session, logging};
use crate::uci::main_loop::Front;
use output::Output;
use std::process::ExitCode;

/// Converses on standard input and output until `quit` or the end of input.
#[must_use]
pub fn converse() -> ExitCode {
    run(|session| Front::new(session, Output::standard()).converse(&input::standard()))
}

/// Obeys one command, given by the words of a command line, and returns when its work is done.
#[must_use]
pub fn obey(words: &[String]) -> ExitCode {
    run(|session| {
        Front::for_arguments(session, Output::standard()).converse(&input::one_line(&words.join(" ")))
    })
}

fn run(talk: impl FnOnce(Session) -> ExitCode) -> ExitCode {
    logging::start();
    match Session::new(Options::default()) {
        Ok(session) => talk(session),
        Err(error) => {
            log::error!("{error}");
            ExitCode::FAILURE
        }
    }
}
