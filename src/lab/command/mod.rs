//! The command line and what every command shares: arguments, output, progress, Ctrl-C, worker threads.
//!
//! | file | what it does |
//! |---|---|
//! | [`cli`] | every command and its arguments (clap) |
//! | [`console`] | standard output that survives a closed pipe, failures of one line |
//! | [`settings`] | `--set Option=Value`: the engine's options on the command line |
//! | [`progress`] | a progress bar with the time left |
//! | [`interrupted`] | Ctrl-C |
//! | [`trial`] | some seconds of a long job, to say how long all of it takes (`--dry-run`) |
//! | [`workers`] | searches on worker threads |
//!
//! This is the lowest room of the laboratory: it uses the engine and no other room.

pub mod cli;
pub mod console;
pub mod interrupted;
pub mod progress;
pub mod settings;
pub mod trial;
pub mod workers;
