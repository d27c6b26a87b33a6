//! The network (NNUE, efficiently updatable neural network): an evaluation learnt from the engine's own
//! games.
//!
//! | file | contents |
//! |---|---|
//! | [`architecture`] | inputs, layers and their widths |
//! | [`attack_inputs`] | counts of what the pieces attack, for a layer of their own |
//! | [`layout`] | the parameters in one vector, for files and training |
//! | [`file`](mod@file) | network files |
//! | [`rounding`] | the whole numbers that stand for the parameters |
//! | [`quantised`] | the network in whole numbers, and its output |
//! | `simd` | loops over vectors of whole numbers |
//! | [`pieces`] | the pieces of a board, and the inputs in which two boards differ |
//! | [`accumulator`] | the evaluator: accumulators by the difference of boards |
//! | [`explain`] | the board with what each piece is worth to the network |
//!
//! Training is in `lab::play::training`. Nothing here knows of search or options.

pub mod accumulator;
pub mod architecture;
pub mod attack_inputs;
pub mod explain;
pub mod file;
pub mod layout;
pub mod pieces;
pub mod quantised;
pub mod rounding;
mod simd;

pub use accumulator::NetworkEvaluator;
pub use architecture::{Activation, Architecture, KingBuckets, Perspective};
pub use file::TrainedNetwork;
pub use layout::Layout;
pub use pieces::Pieces;
pub use quantised::Network;

use once_cell::sync::Lazy;
use std::path::Path;
use std::sync::Arc;

/// The network file that the program was built with: the one in `networks`, or another (`make EVALFILE=...`).
#[cfg(embedded_network)]
const EMBEDDED: Option<&[u8]> = Some(include_bytes!(env!("PLUMB_EVALFILE")));

/// The network file that the program was built with: none (`make EVALFILE=none`).
#[cfg(not(embedded_network))]
const EMBEDDED: Option<&[u8]> = None;

/// The network inside the program, if it was built with one that can be read.
#[must_use]
pub fn embedded() -> Option<Arc<Network>> {
    static NETWORK: Lazy<Option<Arc<Network>>> = Lazy::new(|| {
        let read = Network::parse(EMBEDDED?);
        let read = read.inspect_err(|why| log::error!("the network inside the program: {why}"));
        read.ok().map(Arc::new)
    });
    NETWORK.clone()
}

/// The network of a file, or the one inside the program.
///
/// # Errors
/// Says why the file cannot be read or used.
pub fn open_or_embedded(file: Option<&Path>) -> Result<Option<Arc<Network>>, String> {
    let Some(file) = file else { return Ok(embedded()) };
    let network = Network::open(file).map_err(|why| format!("{}: {why}", file.display()))?;
    Ok(Some(Arc::new(network)))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::random::SplitMix64;

    /// Positions of all phases, with castling rights, promotions and kings on both wings.
    pub(crate) const FENS: [&str; 5] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1",
        "2kr3r/ppp2ppp/2n5/8/3q4/8/PPP2PPP/R1BQ1RK1 w - - 0 12",
        "8/8/8/4k3/8/8/3Q4/K7 w - - 0 1",
    ];

    /// A network of random weights, with values in the range of evaluations.
    pub(crate) fn random(architecture: Architecture, seed: u64) -> TrainedNetwork {
        let mut random = SplitMix64::new(seed);
        let layout = Layout::of(&architecture);
        let number = |_| 0.4 * (random.below(2001) as f32 / 1000.0 - 1.0);
        let mut parameters: Vec<f32> = (0..layout.len).map(number).collect();
        parameters[layout.biases()].iter_mut().for_each(|bias| *bias += 0.5);
        TrainedNetwork { architecture, scale: 400.0, parameters }
    }

    /// Architectures with every option.
    pub(crate) fn architectures() -> impl Iterator<Item = Architecture> {
        let options = [
            (Activation::SCRelu, KingBuckets::One, true, 8, 128, 0),
            (Activation::CRelu, KingBuckets::Four, true, 1, 32, 32),
            (Activation::SCRelu, KingBuckets::Four, false, 8, 96, 64),
        ];
        options.into_iter().map(
            |(activation, king_buckets, mirrored, output_buckets, width, attack_neurons)| Architecture {
                width,
                activation,
                king_buckets,
                mirrored,
                output_buckets,
                attack_neurons,
            },
        )
    }
}
