//! Tuning: the weights of the evaluation, the parameters of the search and the WDL model, fitted to games.
//!
//! | file | what it does |
//! |---|---|
//! | [`texel`], [`texel_samples`], [`texel_state`] | `plumb texel`: Texel's method, samples, state on disk |
//! | `tune` (feature `tuning`), [`spsa`] | `plumb tune`: search parameters by SPSA |
//! | [`wdl`], `wdl_counts`, `wdl_fit` | `plumb wdl`: the WDL model |

pub mod arguments;
pub mod spsa;
pub mod texel;
pub mod texel_samples;
pub mod texel_state;
#[cfg(feature = "tuning")]
pub mod tune;
pub mod wdl;
mod wdl_counts;
mod wdl_fit;
