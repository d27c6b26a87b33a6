//! Static evaluation of positions for a search: by network or by hand-crafted terms, with noise for limited strength.

use super::hand_crafted::HandCrafted;
use super::network::{Network, NetworkEvaluator};
use super::noise::EvalNoise;
use crate::chess::Position;
use crate::chess::score::{EVAL_LIMIT, Value};
use crate::choice::choice;
use std::sync::Arc;

choice! {
    /// The kind of evaluation.
    Evaluation {
        /// The network; the hand-crafted evaluation as long as there is none.
        #[default]
        Network = "network",
        /// The hand-crafted evaluation.
        HandCrafted = "hand-crafted",
    }
}

/// Static evaluation of positions: one a thread. Its caches change the speed of an evaluation, never its value.
#[derive(Default)]
pub struct Evaluator {
    hand_crafted: HandCrafted,
    network: Option<NetworkEvaluator>,
    noise: Option<EvalNoise>,
}

impl Evaluator {
    /// A hand-crafted evaluator with empty caches and no noise.
    #[must_use]
    pub fn new() -> Evaluator {
        Evaluator::default()
    }

    /// Sets the network to evaluate with from now on (`None` for the hand-crafted evaluation), and the noise to add
    /// (`None` for no noise).
    pub fn set(&mut self, network: Option<&Arc<Network>>, noise: Option<EvalNoise>) {
        let current = self.network.as_ref().map(NetworkEvaluator::network);
        let same = match (current, network) {
            (Some(current), Some(network)) => Arc::ptr_eq(current, network),
            (None, None) => true,
            _ => false,
        };
        if !same {
            self.network = network.map(|network| NetworkEvaluator::new(Arc::clone(network)));
        }
        self.noise = noise;
    }

    /// The static evaluation for the side to move, within `-EVAL_LIMIT..=EVAL_LIMIT`.
    ///
    /// Depends on board and side to move alone; with noise, on the whole position. `ply` is the distance from the root
    /// of the search: with the right one a network is faster.
    pub fn evaluate(&mut self, position: &Position, ply: usize) -> Value {
        let value = match &mut self.network {
            Some(network) => network.evaluate(position.board(), position.turn(), ply),
            None => self.hand_crafted.evaluate(position),
        };
        let error = self.noise.map_or(0, |noise| noise.error(position));
        (value + error).clamp(-EVAL_LIMIT, EVAL_LIMIT)
    }

    /// The static evaluation without noise in detail, as text of several lines: term by term, or piece by piece for a
    /// network.
    pub fn explain(&mut self, position: &Position) -> String {
        match &self.network {
            Some(network) => network.network().explain(position.board(), position.turn()).to_string(),
            None => self.hand_crafted.explain(position).to_string(),
        }
    }
}
