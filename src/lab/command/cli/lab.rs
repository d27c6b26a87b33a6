//! Arguments of `plumb lab` and its commands.

use super::values::{Shard, shard};
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// Arguments of `plumb lab`.
#[derive(Clone, Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct LabArgs {
    /// What to do with what is measured already.
    #[command(subcommand)]
    pub command: Option<LabCommand>,
    /// Which experiments to run, or how to show them.
    #[command(flatten)]
    pub study: StudyArgs,
}

/// Which experiments to run, and how.
#[derive(Clone, Debug, Default, Args)]
pub struct StudyArgs {
    /// Names of experiments, or all
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,
    /// Minutes instead of hours: enough to see the shape
    #[arg(long, conflicts_with = "full")]
    pub quick: bool,
    /// The papers' protocol, for hours; this is the default
    #[arg(long)]
    pub full: bool,
    /// Folder for the raw numbers, the pictures and the report
    #[arg(long, value_name = "DIR", default_value = "lab")]
    pub out: PathBuf,
    /// Pieces of work done at a time [default: as many as there are cores]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1024))]
    pub jobs: Option<u64>,
    /// Do only share I of N, for N machines; `plumb lab merge` joins them
    #[arg(long, value_name = "I/N", value_parser = shard)]
    pub shard: Option<Shard>,
    /// Forget what the folder holds of these experiments instead of going on with it
    #[arg(long)]
    pub restart: bool,
    /// Show which experiments there are
    #[arg(long)]
    pub list: bool,
}

/// What to do with rows that are there already.
#[derive(Clone, Debug, Subcommand)]
pub enum LabCommand {
    /// Join the raw numbers of several folders into one, and draw its report
    Merge {
        /// Folders that `plumb lab --shard` wrote
        #[arg(required = true, value_name = "DIR")]
        folders: Vec<PathBuf>,
        /// Folder for what is joined
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
    },
    /// Draw the report of a folder again, without measuring anything
    Report {
        /// A folder that `plumb lab` wrote
        #[arg(value_name = "DIR", default_value = "lab")]
        folder: PathBuf,
    },
}
