//! Growing a trained network: a wider one, or one with king or output buckets, that has the same output to
//! begin with (Chen, Goodfellow and Shlens, "Net2Net: Accelerating Learning via Knowledge Transfer", ICLR
//! 2016).
//!
//! New buckets begin with the weights of the only one there was. New neurons begin with random weights and
//! count nothing in the output, until training gives them an output weight. What the small network has
//! learnt, by distillation for instance, need not be learnt again.

use super::model::Model;
use crate::eval::network::architecture::INPUTS;
use crate::eval::network::{Architecture, Layout};

/// A network of the architecture `to` with the same output as `from`; `None` if `to` is no larger version of
/// its architecture. `seed` is that of the random weights.
pub(super) fn grown(from: &Model, to: Architecture, seed: u64) -> Option<Model> {
    if !is_larger(&from.architecture, &to) {
        return None;
    }
    let (old, new) = (Layout::of(&from.architecture), Layout::of(&to));
    let (old_width, width) = (from.architecture.width, to.width);
    let mut model = Model::random(to, seed);
    // Starts of the rows to copy, in the old network and in the new one; a row has a number for every old
    // neuron.
    let mut rows = vec![(old.biases().start, new.biases().start)];
    for input in 0..to.inputs() {
        let same = input % from.architecture.inputs();
        rows.push((old.weights().start + same * old_width, new.weights().start + input * width));
    }
    for bucket in 0..to.output_buckets {
        let same = bucket % from.architecture.output_buckets;
        model.parameters[new.output(bucket)].fill(0.0);
        model.parameters[new.output_bias(bucket)] = from.parameters[old.output_bias(same)];
        let of_attacks = &mut model.parameters[new.attack_output(bucket)];
        match from.architecture.attack_neurons {
            0 => of_attacks.fill(0.0),
            _ => of_attacks.copy_from_slice(&from.parameters[old.attack_output(same)]),
        }
        for perspective in 0..2 {
            rows.push((
                old.output(same).start + perspective * old_width,
                new.output(bucket).start + perspective * width,
            ));
        }
    }
    if from.architecture.attack_neurons > 0 {
        for (old, new) in
            [(old.attack_weights(), new.attack_weights()), (old.attack_biases(), new.attack_biases())]
        {
            model.parameters[new].copy_from_slice(&from.parameters[old]);
        }
    }
    for (old, new) in rows {
        model.parameters[new..new + old_width].copy_from_slice(&from.parameters[old..old + old_width]);
    }
    Some(model)
}

/// True if `to` differs from `from` in more neurons, or in buckets where there were none, and in nothing
/// else.
fn is_larger(from: &Architecture, to: &Architecture) -> bool {
    let same = Architecture {
        width: to.width,
        king_buckets: to.king_buckets,
        output_buckets: to.output_buckets,
        attack_neurons: to.attack_neurons,
        ..*from
    };
    same == *to
        && from.width <= to.width
        && (from.inputs() == to.inputs() || from.inputs() == INPUTS)
        && (from.output_buckets == to.output_buckets || from.output_buckets == 1)
        && (from.attack_neurons == to.attack_neurons || from.attack_neurons == 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::game::Game;
    use crate::eval::network::{Activation, KingBuckets};
    use crate::lab::play::training::model::Scratch;
    use crate::lab::play::training::sample::Sample;

    const SMALL: Architecture = Architecture {
        width: 32,
        activation: Activation::SCRelu,
        king_buckets: KingBuckets::One,
        mirrored: true,
        output_buckets: 1,
        attack_neurons: 0,
    };

    #[test]
    fn a_grown_network_has_the_same_output() {
        let small = Model::random(SMALL, 5);
        let larger = [
            SMALL,
            Architecture { width: 96, ..SMALL },
            Architecture { king_buckets: KingBuckets::Four, ..SMALL },
            Architecture { output_buckets: 8, ..SMALL },
            Architecture { width: 64, king_buckets: KingBuckets::Four, output_buckets: 8, ..SMALL },
            Architecture { attack_neurons: 32, output_buckets: 8, ..SMALL },
        ];
        let with_attacks = Model::random(Architecture { attack_neurons: 32, ..SMALL }, 6);
        let mut game = Game::new();
        for number in 0..60 {
            let moves = game.legal_moves();
            let Some(&played) = moves.get(number * 7 % moves.len().max(1)) else { break };
            game.play(played);
            let sample = Sample::new(game.position(), 0, None);
            let output = |model: &Model| model.output(&sample, &mut Scratch::new(&model.architecture));
            for architecture in larger {
                let grown = grown(&small, architecture, 7).unwrap();
                assert!((output(&grown) - output(&small)).abs() < 1e-5, "{architecture}");
            }
            let wider = Architecture { width: 64, output_buckets: 8, ..with_attacks.architecture };
            let grown = grown(&with_attacks, wider, 7).unwrap();
            assert!((output(&grown) - output(&with_attacks)).abs() < 1e-5);
        }
    }

    #[test]
    fn no_network_grows_into_a_smaller_or_another_one() {
        let large = Architecture {
            width: 64,
            king_buckets: KingBuckets::Four,
            output_buckets: 8,
            attack_neurons: 32,
            ..SMALL
        };
        let model = Model::random(large, 5);
        for other in [
            Architecture { width: 32, ..large },
            Architecture { king_buckets: KingBuckets::One, ..large },
            Architecture { output_buckets: 1, ..large },
            Architecture { attack_neurons: 0, ..large },
            Architecture { attack_neurons: 64, ..large },
            Architecture { mirrored: false, ..large },
            Architecture { activation: Activation::CRelu, ..large },
        ] {
            assert!(grown(&model, other, 7).is_none(), "{other}");
        }
    }
}
