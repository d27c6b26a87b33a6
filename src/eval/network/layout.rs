//! The parameters of a network in one flat vector: in files, in training, and before quantisation.

use super::architecture::Architecture;

/// The order of a network's parameters in one flat vector: weights of the first layer (a row for every input), its
/// biases, output weights (a row for every output bucket), output biases.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    width: usize,
    biases: usize,
    output: usize,
    output_biases: usize,
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
        Layout { width, biases, output, output_biases, len: output_biases + buckets }
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

    /// Names of the parts with their numbers: the first layer, then the output.
    #[must_use]
    pub fn parts(&self) -> [(&'static str, std::ops::Range<usize>); 4] {
        [
            ("weights", 0..self.biases),
            ("biases", self.biases..self.output),
            ("output weights", self.output..self.output_biases),
            ("output biases", self.output_biases..self.len),
        ]
    }
}
