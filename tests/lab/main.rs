//! Tests of the laboratory: one program, since every program of tests is linked with the whole library.

#[path = "../common/mod.rs"]
mod common;

mod analyse;
mod datagen;
mod epd;
mod inputs;
#[cfg(unix)]
mod install;
mod lab;
mod round_robin;
#[cfg(unix)]
mod slurm;
mod suites;
mod texel;
mod tournament;
mod trace;
mod training;
mod tree;
