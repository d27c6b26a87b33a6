//! Arguments of `plumb completions`.

use clap::Args;

/// Arguments of `plumb completions`.
#[derive(Clone, Debug, Args)]
pub struct CompletionsArgs {
    /// Which shell
    pub shell: clap_complete::Shell,
}
