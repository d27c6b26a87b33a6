//! The backward pass of the first layer, for a group of samples at a time.
//!
//! The gradient of an accumulator is added to the rows of the inputs that are set, some forty rows a sample.
//! Sample by sample, each of these rows would be read and written. Instead the gradients of the accumulators
//! of a group are kept and sorted by input, so that each row is read and written once a group. The order of
//! additions to a row is that of the samples, whatever the size of a group.

use super::aligned::Aligned;
use super::sample::{Inputs, MOST_PIECES};
use crate::eval::network::architecture::{Architecture, MOST_INPUTS, WIDTH_STEP};

/// Rows of a group: the two perspectives of its samples. Their numbers fit a byte.
const ROWS: usize = 256;

/// Samples of a group.
pub const GROUP: usize = ROWS / 2;

/// Room for the inputs of every architecture: a power of two, so that an index is masked and not compared.
const INPUTS: usize = MOST_INPUTS.next_power_of_two();

/// Room for the inputs of all rows: a power of two as well.
const ENTRIES: usize = ROWS * MOST_PIECES;

// A mask changes no index that can occur, and every number fits its type: an architecture or a number of
// pieces for which that is not so does not compile, instead of being trained with wrong gradients.
const _: () = assert!(ENTRIES.is_power_of_two() && ENTRIES <= u16::MAX as usize && ROWS <= 1 << 8);

/// Numbers that are added at a time.
pub type Block = [f32; WIDTH_STEP];

/// The blocks of some parameters; their number is a multiple of a block's.
pub fn blocks(parameters: &[f32]) -> &[Block] {
    parameters.as_chunks().0
}

/// The same to be changed.
pub fn blocks_mut(parameters: &mut [f32]) -> &mut [Block] {
    parameters.as_chunks_mut().0
}

/// Adds a block to a block.
#[inline]
pub fn add(sum: &mut Block, block: &Block) {
    for lane in 0..WIDTH_STEP {
        sum[lane] += block[lane];
    }
}

/// The gradients of the accumulators of a group of samples, to be added to those of the first layer. Each
/// perspective of a sample is a row.
#[derive(Debug)]
pub struct Group {
    /// Blocks by their place in the accumulator, then by row: all rows of a place stay in the first cache.
    gradients: Aligned,
    /// The features of every sample: the inputs that it sets.
    features: Vec<Inputs>,
    /// The number of inputs of the architecture.
    input_count: usize,
    /// For every input, where its rows end in `rows`.
    offsets: Box<[u16; INPUTS]>,
    /// The inputs that are set, in their order, and where the slice of `rows` of each ends.
    slices: Box<[(u16, u16); INPUTS]>,
    /// The number of inputs that are set.
    slice_count: usize,
    /// The rows, in the order of the inputs that they set.
    rows: Box<[u8; ENTRIES]>,
}

impl Group {
    /// Without samples.
    #[must_use]
    pub fn new(of: &Architecture) -> Group {
        Group {
            gradients: Aligned::zeros(of.width * ROWS),
            features: Vec::with_capacity(GROUP),
            offsets: Box::new([0; INPUTS]),
            input_count: of.inputs(),
            slices: Box::new([(0, 0); INPUTS]),
            slice_count: 0,
            rows: Box::new([0; ENTRIES]),
        }
    }

    /// Leaves all samples out.
    pub fn clear(&mut self) {
        self.features.clear();
    }

    /// The block of the next sample at a place of a perspective's accumulator.
    #[inline]
    pub fn next(&mut self, perspective: usize, place: usize) -> &mut Block {
        &mut blocks_mut(&mut self.gradients)[place * ROWS + (2 * self.features.len() + perspective) % ROWS]
    }

    /// Counts the next sample, whose blocks are written: at most [`GROUP`].
    #[inline]
    pub fn push(&mut self, inputs: Inputs) {
        self.features.push(inputs);
    }

    /// Adds the gradients of weights and biases of the first layer.
    pub fn add_to(&mut self, weights: &mut [Block], biases: &mut [Block]) {
        self.sort();
        let places = biases.len();
        for (place, (gradients, bias)) in
            blocks(&self.gradients).as_chunks::<ROWS>().0.iter().zip(biases).enumerate()
        {
            let mut sum = *bias;
            gradients.iter().take(2 * self.features.len()).for_each(|row| add(&mut sum, row));
            *bias = sum;
            let mut begin = 0;
            for &(input, end) in &self.slices[..self.slice_count] {
                let block = &mut weights[usize::from(input) * places + place];
                let mut sum = *block;
                for &row in &self.rows[begin..usize::from(end)] {
                    add(&mut sum, &gradients[usize::from(row)]);
                }
                *block = sum;
                begin = usize::from(end);
            }
        }
    }

    /// Sorts the rows by the inputs that they set: a counting sort.
    fn sort(&mut self) {
        let Group { features, input_count, offsets, slices, slice_count, rows, .. } = self;
        offsets.fill(0);
        for sample in features.iter() {
            for perspective in sample.perspectives() {
                for &input in perspective {
                    offsets[usize::from(input) % INPUTS] += 1;
                }
            }
        }
        let (mut next, mut count) = (0, 0);
        for (input, offset) in offsets[..*input_count].iter_mut().enumerate() {
            let begin = next;
            next += *offset;
            *offset = begin;
            // Written in any case and kept if there are rows: a branch would be foreseen badly.
            slices[count % INPUTS] = (input as u16, next);
            count += usize::from(next != begin);
        }
        *slice_count = count;
        for (sample, inputs) in features.iter().enumerate() {
            for (perspective, inputs) in inputs.perspectives().into_iter().enumerate() {
                for &input in inputs {
                    let offset = &mut offsets[usize::from(input) % INPUTS];
                    rows[usize::from(*offset) % ENTRIES] = (2 * sample + perspective) as u8;
                    *offset += 1;
                }
            }
        }
    }
}
