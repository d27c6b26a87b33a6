//! Arguments of `plumb lab` and its commands.

use crate::lab::base::terminal::paths::{InputPath, OutputFile, OutputFolder};
use crate::lab::base::terminal::values::{Shard, shard};
use clap::{Args, Subcommand};

/// Arguments of `plumb lab`.
#[derive(Clone, Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct LabArgs {
    /// Command on rows that are there already.
    #[command(subcommand)]
    pub command: Option<LabCommand>,
    /// Experiments to run, or the list of them.
    #[command(flatten)]
    pub study: StudyArgs,
}

/// Names of experiments, their protocol, folder and share.
#[derive(Clone, Debug, Default, Args)]
pub struct StudyArgs {
    /// Names of experiments, or all
    #[arg(value_name = "NAME")]
    pub names: Vec<String>,
    /// A short run of minutes, with fewer positions and depths
    #[arg(long, conflicts_with = "full")]
    pub quick: bool,
    /// The papers' protocol, for hours; this is the default
    #[arg(long)]
    pub full: bool,
    /// Folder for results, charts and the report
    #[arg(long, value_name = "DIR", default_value = "lab")]
    pub out: OutputFolder,
    /// Units of work done at the same time [default: number of cores]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1024))]
    pub jobs: Option<u64>,
    /// Do only share I of N, for N machines; merge the folders with `plumb lab merge`
    #[arg(long, value_name = "I/N", value_parser = shard)]
    pub shard: Option<Shard>,
    /// Start these experiments from scratch instead of continuing from the folder
    #[arg(long)]
    pub restart: bool,
    /// List the experiments
    #[arg(long, conflicts_with_all = ["names", "quick", "full", "jobs", "shard", "restart"])]
    pub list: bool,
}

/// Commands on rows that are there already.
#[derive(Clone, Debug, Subcommand)]
pub enum LabCommand {
    /// Merge the results of several folders into one and write its report
    Merge {
        /// Folders that `plumb lab --shard` wrote
        #[arg(required = true, value_name = "DIR")]
        folders: Vec<InputPath>,
        /// Output folder
        #[arg(long, value_name = "DIR")]
        out: OutputFolder,
    },
    /// Write the report of a folder again, without new measurements
    Report {
        /// A folder that `plumb lab` wrote
        #[arg(value_name = "DIR", default_value = "lab")]
        folder: InputPath,
        /// Write the claims into this Markdown file too, between its lines `<!-- claims -->` and
        /// `<!-- end of claims -->`
        #[arg(long, value_name = "FILE")]
        markdown: Option<OutputFile>,
    },
    /// Compare two runs: units whose counts differ, and claims whose verdict or figure changed. Exit code 0
    /// if there are none, 1 if there are some, 2 if the folders cannot be compared
    Diff {
        /// A folder that `plumb lab` wrote
        #[arg(value_name = "A")]
        a: InputPath,
        /// Another one
        #[arg(value_name = "B")]
        b: InputPath,
    },
    /// Write the rows and the claims of a folder as plain CSV, for pandas, R or a spreadsheet (columns:
    /// docs/data.md)
    Export {
        /// A folder that `plumb lab` wrote
        #[arg(value_name = "DIR", default_value = "lab")]
        folder: InputPath,
        /// Folder for the CSV files
        #[arg(long, value_name = "DIR")]
        csv: OutputFolder,
    },
}
