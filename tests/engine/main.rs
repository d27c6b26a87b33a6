//! Tests of the engine, of its clients, and of the documents and the package of a release: one program, since
//! every program of tests is linked with the whole library. A build without the laboratory has them too.

#[path = "../common/mod.rs"]
mod common;

mod book;
mod clients;
mod network;
mod perft;
mod play;
mod readme;
mod release;
mod search;
mod strength;
mod strict;
#[cfg(feature = "lab")]
mod syzygy;
mod textbook;
mod threads;
mod uci;
