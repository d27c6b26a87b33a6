//! The terminal, as every command uses it: output, progress, Ctrl-C, options as words, worker threads.
//!
//! | file | what it does |
//! |---|---|
//! | [`console`] | standard output that survives a closed pipe, failures of one line |
//! | [`settings`] | `--set Option=Value`: the engine's options on the command line |
//! | [`paths`] | types of path arguments: files that a command reads, and files that it writes |
//! | [`progress`] | a progress bar with the time left |
//! | [`interrupted`] | Ctrl-C |
//! | [`values`] | depths, shares of the work, lists of backends |
//! | [`workers`] | work on several threads |
//! | [`cpu_clock`] | processor time of a worker |
//! | [`trial`] | some seconds of a long job, to say how long all of it takes (`--dry-run`) |
//!
//! This is the lowest folder of the laboratory: it uses the engine and no other folder.

pub mod console;
pub mod cpu_clock;
pub mod interrupted;
pub mod paths;
pub mod progress;
pub mod settings;
pub mod trial;
pub mod values;
pub mod workers;
