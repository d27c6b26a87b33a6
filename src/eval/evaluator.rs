//! Static evaluation of positions for a search: by network or by hand-crafted terms, with noise for limited
//! strength.

use super::hand_crafted::HandCrafted;
use super::network::{Network, NetworkEvaluator};
use super::noise::EvalNoise;
use crate::chess::Position;
use crate::chess::score::{EVAL_LIMIT, Value};
use crate::choice;
use shakmaty::Board;
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

/// Static evaluation of positions: one a thread. Its caches change the speed of an evaluation, never its
/// value.
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

    /// Sets the network to evaluate with from now on (`None` for the hand-crafted evaluation), and the noise
    /// to add (`None` for no noise).
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
    /// Depends on board and side to move alone; with noise, on the whole position. `ply` is the distance from
    /// the root of the search: with the right one a network is faster.
    pub fn evaluate(&mut self, position: &Position, ply: usize) -> Value {
        let value = match &mut self.network {
            Some(network) if is_known_to_networks(position.board()) => {
                network.evaluate(position.board(), position.turn(), ply)
            }
            _ => self.hand_crafted.evaluate(position),
        };
        let error = self.noise.map_or(0, |noise| noise.error(position));
        (value + error).clamp(-EVAL_LIMIT, EVAL_LIMIT)
    }

    /// The static evaluation without noise in detail, as text of several lines: term by term, or piece by
    /// piece for a network.
    pub fn explain(&mut self, position: &Position) -> String {
        match &self.network {
            Some(network) if is_known_to_networks(position.board()) => {
                network.network().explain(position.board(), position.turn()).to_string()
            }
            _ => self.hand_crafted.explain(position).to_string(),
        }
    }
}

/// True unless a side has a bare king. Training games are adjudicated before that, so that a network knows
/// neither how to mate nor which of these endings are drawn; the hand-crafted evaluation knows both.
fn is_known_to_networks(board: &Board) -> bool {
    board.white().more_than_one() && board.black().more_than_one()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game::Game;
    use crate::eval::network::Architecture;
    use crate::eval::network::tests::random;

    #[test]
    fn positions_with_a_bare_king_are_evaluated_by_hand() {
        let network = Arc::new(Network::quantise(&random(Architecture::default(), 5)));
        let (mut by_network, mut by_hand) = (Evaluator::new(), Evaluator::new());
        by_network.set(Some(&network), None);
        for (fen, bare) in [
            ("8/8/1K6/3k4/7r/8/8/8 w - - 0 1", true),
            ("8/8/4k3/8/8/2K5/2P5/8 b - - 0 1", true),
            ("8/8/1K6/3k4/7r/8/P7/8 w - - 0 1", false),
        ] {
            let position = Game::parse_fen(fen).unwrap().position().clone();
            let same = by_network.evaluate(&position, 0) == by_hand.evaluate(&position, 0);
            let told = by_network.explain(&position) == by_hand.explain(&position);
            assert_eq!((same, told), (bare, bare), "{fen}");
        }
    }
}
