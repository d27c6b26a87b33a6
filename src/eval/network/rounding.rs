//! Quantisation: the whole numbers that stand for the parameters of a network, part by part of their
//! [`Layout`]. The engine's network and files of whole numbers take them from here.
//!
//! A neuron's value of 1 is [`QA`] and an output weight of 1 is [`QB`]. Numbers are clipped, so that no sum
//! overflows: an accumulator adds a bias and at most 64 pieces, and the product of a neuron and an output
//! weight stays within 16 bits. The attack neurons are sums of 32 bits: [`ATTACK_UNIT`] is their value of 1.

use super::architecture::Architecture;
use super::attack_inputs::COUNTS_OF_ONE;
use super::layout::Layout;
use std::ops::Range;

/// The quantised value of a neuron that is fully on.
pub const QA: i16 = 255;

/// The quantised value of an output weight of 1.
pub const QB: i16 = 64;

/// The quantised value of an attack neuron that is fully on, and of an output weight of 1 behind it.
pub const ATTACK_UNIT: i16 = 1024;

/// Unit and limit of the whole numbers of a part.
#[derive(Clone, Copy, Debug)]
pub struct Rounding {
    /// The whole number of 1.
    unit: f32,
    /// The largest absolute value.
    most: f32,
}

impl Rounding {
    /// Those of the parts in the order of [`Layout::parts`](super::Layout::parts).
    const OF_PARTS: [Rounding; 7] = {
        // 65 of them fit 16 bits.
        let first_layer = Rounding { unit: QA as f32, most: 504.0 };
        // QA times as much fits 16 bits.
        let output = Rounding { unit: QB as f32, most: 127.0 };
        // Far beyond every evaluation.
        let output_bias = Rounding { unit: QA as f32 * QB as f32, most: 1e6 };
        // Above what training allows.
        let attack_weight = Rounding { unit: (ATTACK_UNIT / COUNTS_OF_ONE) as f32, most: 300.0 };
        let attack_number = Rounding { unit: ATTACK_UNIT as f32, most: 32_000.0 };
        [first_layer, first_layer, output, output_bias, attack_weight, attack_number, attack_number]
    };

    /// The parts of a network's parameters in their order, each with its rounding.
    pub fn of_parts(architecture: &Architecture) -> impl Iterator<Item = (Range<usize>, Rounding)> {
        Layout::of(architecture).parts().into_iter().zip(Rounding::OF_PARTS)
    }

    /// The nearest whole number of a parameter, clipped.
    #[must_use]
    pub fn quantised(self, parameter: f32) -> i32 {
        (parameter * self.unit).round().clamp(-self.most, self.most) as i32
    }

    /// The parameter that a whole number stands for, which is quantised to the same number.
    #[must_use]
    pub fn parameter(self, number: i32) -> f32 {
        number as f32 / self.unit
    }

    /// Bytes that hold every number of the part.
    #[must_use]
    pub fn bytes(self) -> usize {
        if self.most <= f32::from(i16::MAX) { 2 } else { 4 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_come_back_from_their_parameters_and_are_clipped() {
        for rounding in Rounding::OF_PARTS {
            let most = rounding.most as i32;
            for number in (-most..=most).step_by(1.max(most as usize / 9_000)).chain([most]) {
                assert_eq!(rounding.quantised(rounding.parameter(number)), number, "{rounding:?}");
            }
            assert_eq!([1e9, -1e9].map(|parameter| rounding.quantised(parameter)), [most, -most]);
            assert!(rounding.bytes() == 4 || most <= i16::MAX.into(), "{rounding:?}");
        }
    }
}
