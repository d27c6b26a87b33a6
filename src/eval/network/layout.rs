//! The parameters of a network in one flat vector: in files, in training, and before quantisation.

use super::architecture::Architecture;
use super::attack_inputs::ATTACK_INPUTS;

/// The order of a network's parameters in one flat vector: weights of the first layer (a row for every
/// input), its biases, output weights (a row for every output bucket), output biases; then those of the
/// attack inputs: weights (a row for every input), biases, output weights (a row for every output bucket).
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    width: usize,
    biases: usize,
    output: usize,
    output_biases: usize,
    attack_neurons: usize,
    attack_weights: usize,
    attack_biases: usize,
    attack_output: usize,
    /// Numbers in all.
    pub len: usize,
}

impl Layout {
    /// The layout of an architecture.
    #[must_use]
    pub fn of(architecture: &Architecture) -> Layout {
        let (width, buckets) = (architecture.width, architecture.output_buckets);
        let biases = architecture.inputs() * width;
        let output = biases + width;
        let output_biases = output + 2 * width * buckets;
        let attack_neurons = architecture.attack_neurons;
        let attack_weights = output_biases + buckets;
        let attack_biases = attack_weights + ATTACK_INPUTS * attack_neurons;
        let attack_output = attack_biases + attack_neurons;
        Layout {
            width,
            biases,
            output,
            output_biases,
            attack_neurons,
            attack_weights,
            attack_biases,
            attack_output,
            len: attack_output + attack_neurons * buckets,
        }
    }

    /// The weights of the first layer.
    #[must_use]
    pub fn weights(&self) -> std::ops::Range<usize> {
        0..self.biases
    }

    /// The biases of the first layer.
    #[must_use]
    pub fn biases(&self) -> std::ops::Range<usize> {
        self.biases..self.output
    }

    /// The output weights of a bucket: the side to move first.
    #[must_use]
    pub fn output(&self, bucket: usize) -> std::ops::Range<usize> {
        let first = self.output + 2 * self.width * bucket;
        first..first + 2 * self.width
    }

    /// The output bias of a bucket.
    #[must_use]
    pub fn output_bias(&self, bucket: usize) -> usize {
        self.output_biases + bucket
    }

    /// The weights of the attack inputs, a row for every input.
    #[must_use]
    pub fn attack_weights(&self) -> std::ops::Range<usize> {
        self.attack_weights..self.attack_biases
    }

    /// The biases of the attack neurons.
    #[must_use]
    pub fn attack_biases(&self) -> std::ops::Range<usize> {
        self.attack_biases..self.attack_output
    }

    /// The output weights of the attack neurons for a bucket.
    #[must_use]
    pub fn attack_output(&self, bucket: usize) -> std::ops::Range<usize> {
        let first = self.attack_output + self.attack_neurons * bucket;
        first..first + self.attack_neurons
    }

    /// All parts in their order: weights, biases, output weights and output biases; then weights, biases and
    /// output weights of the attack neurons.
    #[must_use]
    pub fn parts(&self) -> [std::ops::Range<usize>; 7] {
        [
            self.weights(),
            self.biases(),
            self.output..self.output_biases,
            self.output_biases..self.attack_weights,
            self.attack_weights(),
            self.attack_biases(),
            self.attack_output..self.len,
        ]
    }
}
