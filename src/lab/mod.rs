//! The laboratory: commands for researchers and testers, whose product is a table of numbers, a page or a
//! file of games.
//!
//! | folder | contents |
//! |---|---|
//! | [`manual`] | help, the manual page, completions for shells |
//! | [`study::papers`] | `plumb lab`: the papers' experiments and the report on their claims |
//! | [`study::suites`] | `plumb epd`: test suites: best moves, points, mates, perft |
//! | [`study::analyse`] | `plumb analyse`: games annotated with scores, marks and better lines |
//! | [`study::counting`] | `plumb compare`: every backend over the same positions |
//! | [`study::tree`] | `plumb trace --tree`: the searches of a small tree, visit by visit, on a page |
//! | [`study::trace`] | `plumb trace`: one search, pass by pass, drawn on a page |
//! | [`study::chart`] | `plumb chart`: the numbers of a CSV file, drawn |
//! | [`play::training`] | `plumb train`: the network of the evaluation, trained on games of the archive |
//! | [`play::tuning`] | `plumb texel`, `tune`, `wdl`: weights, parameters, WDL model, fitted to games |
//! | [`play::matches`](mod@play::matches) | `plumb tournament`: games of settings, Elo, SPRT, ratings |
//! | [`play::datagen`] | `plumb datagen`: self-play that makes training data |
//! | [`play::archive`] | files of games: format, checksums, reading and writing |
//! | [`play::books`] | `plumb book`, `plumb syzygy` |
//! | [`play::referee`] | players, the games between them, clocks and adjudication |
//! | [`base::formats`] | EPD, SAN, PGN, openings |
//! | [`base::pages`] | tables, charts, boards, the frame of a page |
//! | [`base::statistics`] | ratios with intervals, the sign test, Elo, SPRT, ratings |
//! | [`base::records`] | rows on disk, and resuming after an interruption |
//! | [`base::terminal`] | output, progress, Ctrl-C, options as words of the command line, worker threads |
//!
//! A folder uses those below it in this table, never those above: [`study`] uses [`play`], and both use
//! [`base`]. Without the feature `lab`, but with `pages`, only what records searches and draws pages is
//! there: no command, no terminal.
//!
//! `arguments.rs` of a folder reads the words of its commands; [`command_line`] knows them all.
//!
//! Tables go to standard output, everything else to standard error. Exit codes: 0 done, 1 a failure (or a
//! failed proof), 2 a wrong command line, 130 interrupted (finished results are shown).

pub mod base;
#[cfg(feature = "lab")]
pub mod command_line;
#[cfg(feature = "lab")]
mod dispatch;
#[cfg(feature = "lab")]
pub mod manual;
#[cfg(feature = "lab")]
pub mod play;
pub mod study;

#[cfg(feature = "lab")]
pub use dispatch::{help, is_command, main, main_with};
