//! `plumb train`: trains the network of the evaluation on the CPU, on the games of `plumb datagen`.
//!
//! | file | what it does |
//! |---|---|
//! | [`sample`] | a position in 32 bytes, and the inputs that it sets |
//! | `calibration` | the unit of a file's scores, fitted to the results of its games |
//! | `plan` | what the command line asks for: plan, first weights, sources |
//! | `run` | the command: packs or resumes, trains, with progress |
//! | `saving` | checkpoint, best network and curve in the folder of a training |
//! | `default_epochs` | batch and epochs where none are given, by the amount of games |
//! | `dry_run` | the time and the bytes that a training takes, by a short sample |
//! | [`corpus`] | the samples of games on disk, those for validation, epochs in random order |
//! | [`aligned`] | vectors of numbers that begin at a cache line |
//! | [`first_layer_backward`] | the backward pass of the first layer, for a group of samples at a time |
//! | `grow` | a larger network with the output of a trained one |
//! | `validator` | losses on validation samples: both evaluations, by the number of pieces, rescaled |
//! | `lambda_returns` | scores that look ahead in the game, by temporal differences |
//! | `successors` | random successors of the positions of games, for targets that can score any position |
//! | [`model`] | the network in floating point: output, loss, gradient |
//! | [`optimiser`] | AdamW, averaged weights |
//! | [`workers`] | gradient and loss on several threads |
//! | [`trainer`] | epochs and batches |
//! | `threads` | work shared among threads |
//! | [`checkpoint`] | the state of a training on disk |
//!
//! As a library: [`corpus::Corpus::pack`], [`trainer::Training::new`], [`trainer::Training::run`]. The best
//! network is the one with the least loss on validation positions; playing strength is measured by matches,
//! elsewhere.

pub mod aligned;
pub mod arguments;
mod calibration;
pub mod checkpoint;
pub mod corpus;
mod default_epochs;
mod dry_run;
pub mod first_layer_backward;
mod grow;
pub mod lambda_returns;
pub mod model;
pub mod optimiser;
mod plan;
mod run;
pub mod sample;
mod saving;
mod successors;
mod threads;
pub mod trainer;
mod validator;
pub mod workers;

pub use run::run;
