//! Arguments of `plumb completions`.

use clap::Args;

/// Arguments of `plumb completions`.
#[derive(Clone, Debug, Args)]
pub struct CompletionsArgs {
    /// Shell
    pub shell: clap_complete::Shell,
}
