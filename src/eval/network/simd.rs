//! Loops over vectors of whole numbers (SIMD), by the crate `wide`: as many numbers at a time as the
//! processor that the program is built for has room for, and the same sums on every processor.
//!
//! A vector is one cache line, and aligned to it: a vector of 64 bytes across two lines is loaded half as
//! fast. Nothing here knows of boards or files.

use bytemuck::must_cast;
use wide::{i16x32, i32x16};

/// Numbers in a vector.
pub(super) const LANES: usize = 32;

/// Numbers of 16 bits, of one cache line.
pub(super) type Lanes = i16x32;

/// Numbers in whole vectors; what does not fill one is left out.
pub(super) fn vectors(numbers: &[i16]) -> Vec<Lanes> {
    numbers.as_chunks::<LANES>().0.iter().map(|&numbers| Lanes::new(numbers)).collect()
}

/// A quiet move: one row added and one subtracted, from one accumulator into another, all of one length. Here
/// and below sums wrap around: an overflow on the way does not change the result.
#[inline]
pub(super) fn add_sub(from: &[Lanes], to: &mut [Lanes], added: &[Lanes], removed: &[Lanes]) {
    let rows = added.iter().zip(removed);
    for ((to, &from), (&added, &removed)) in to.iter_mut().zip(from).zip(rows) {
        *to = from + added - removed;
    }
}

/// A capture: one row added and two subtracted.
#[inline]
pub(super) fn add_sub_sub(from: &[Lanes], to: &mut [Lanes], added: &[Lanes], removed: [&[Lanes]; 2]) {
    let rows = added.iter().zip(removed[0].iter().zip(removed[1]));
    for ((to, &from), (&added, (&one, &other))) in to.iter_mut().zip(from).zip(rows) {
        *to = from + added - one - other;
    }
}

/// Vectors that stay in registers while rows are added.
const BLOCK: usize = 4;

/// Any number of rows added and subtracted: one block of vectors after the other.
pub(super) fn add_sub_many<'a>(
    from: &[Lanes],
    to: &mut [Lanes],
    added: impl Iterator<Item = &'a [Lanes]> + Clone,
    removed: impl Iterator<Item = &'a [Lanes]> + Clone,
) {
    let (blocks, rest) = from.as_chunks::<BLOCK>();
    let (to_blocks, to_rest) = to.as_chunks_mut::<BLOCK>();
    for (number, (from, to)) in blocks.iter().zip(to_blocks).enumerate() {
        *to = with_rows(*from, number * BLOCK, added.clone(), removed.clone());
    }
    let done = from.len() - rest.len();
    for (number, (&from, to)) in rest.iter().zip(to_rest).enumerate() {
        [*to] = with_rows([from], done + number, added.clone(), removed.clone());
    }
}

/// A block of an accumulator, from vector `first` on, with rows added and subtracted.
#[inline]
fn with_rows<'a, const N: usize>(
    mut sums: [Lanes; N],
    first: usize,
    added: impl Iterator<Item = &'a [Lanes]>,
    removed: impl Iterator<Item = &'a [Lanes]>,
) -> [Lanes; N] {
    for row in added {
        sums.iter_mut().zip(&row[first..][..N]).for_each(|(sum, &weights)| *sum += weights);
    }
    for row in removed {
        sums.iter_mut().zip(&row[first..][..N]).for_each(|(sum, &weights)| *sum -= weights);
    }
    sums
}

/// The sum of a function of accumulators and weights, in pairs added by `product`, over both perspectives.
///
/// In 32 bits: 2 perspectives of 64 vectors, in each lane two products of at most 255 * 255 * 127.
#[inline]
fn sum_of_products(
    sums: [&[Lanes]; 2],
    weights: [&[Lanes]; 2],
    product: impl Fn(Lanes, Lanes) -> i32x16,
) -> i64 {
    let mut parts = [i32x16::default(); 2];
    // Two sums side by side: an addition need not wait for the one before.
    for ((sums, weights), part) in sums.into_iter().zip(weights).zip(&mut parts) {
        for (&sums, &weights) in sums.iter().zip(weights) {
            *part += product(sums, weights);
        }
    }
    let [one, other] = parts;
    (one + other).to_array().into_iter().map(i64::from).sum()
}

/// The sum of neurons, clipped to 0..=`most`, times weights.
pub(super) fn products(sums: [&[Lanes]; 2], weights: [&[Lanes]; 2], most: i16) -> i64 {
    let (zero, most) = (Lanes::splat(0), Lanes::splat(most));
    sum_of_products(sums, weights, |sums, weights| sums.max(zero).min(most).dot(weights))
}

/// The sum of squared neurons, clipped to 0..=`most` before, times weights; `most` times a weight fits 16
/// bits.
pub(super) fn squared_products(sums: [&[Lanes]; 2], weights: [&[Lanes]; 2], most: i16) -> i64 {
    let (zero, most) = (Lanes::splat(0), Lanes::splat(most));
    sum_of_products(sums, weights, |sums, weights| {
        let clipped = sums.max(zero).min(most);
        clipped.dot(clipped * weights)
    })
}

/// Sums side by side in [`PairedRows::sums`], a power of two: as many as there are registers for, since each
/// takes eight vectors of 16 bytes. WebAssembly has 16 of these on most processors; with four sums it is a
/// fifth slower.
const PARTS: usize = if cfg!(target_arch = "wasm32") { 1 } else { 4 };

/// The weights of `2 * PAIRS` inputs for 32 neurons: for each pair of inputs 16 neurons, then 16 more, the
/// weights of the two inputs beside each other.
#[derive(Clone, PartialEq)]
pub(super) struct PairedRows<const PAIRS: usize>([[Lanes; 2]; PAIRS]);

impl<const PAIRS: usize> PairedRows<PAIRS> {
    /// The weight of an input for a neuron by `weight(input, neuron)`.
    pub(super) fn new(weight: impl Fn(usize, usize) -> i16) -> PairedRows<PAIRS> {
        PairedRows(std::array::from_fn(|pair| {
            [0, 16].map(|first| {
                Lanes::new(std::array::from_fn(|lane| weight(2 * pair + lane % 2, first + lane / 2)))
            })
        }))
    }

    /// The weight of an input for a neuron.
    #[cfg(test)]
    pub(super) fn weight(&self, input: usize, neuron: usize) -> i16 {
        self.0[input / 2][neuron / 16].to_array()[2 * (neuron % 16) + input % 2]
    }

    /// The sums of inputs times weights, with a bias, for each of the 32 neurons.
    #[inline]
    pub(super) fn sums(&self, inputs: &[[i16; 2]; PAIRS], biases: &[i32x16; 2]) -> [i32x16; 2] {
        let mut parts = [[i32x16::default(); 2]; PARTS];
        parts[0] = *biases;
        let (rows, rest) = self.0.as_chunks::<PARTS>();
        let (pairs, rest_pairs) = inputs.as_chunks::<PARTS>();
        for (rows, pairs) in rows.iter().zip(pairs) {
            for ((row, &pair), part) in rows.iter().zip(pairs).zip(&mut parts) {
                add_pair(part, row, pair);
            }
        }
        for (row, &pair) in rest.iter().zip(rest_pairs) {
            add_pair(&mut parts[0], row, pair);
        }
        let mut count = PARTS;
        while count > 1 {
            count /= 2;
            for at in 0..count {
                parts[at] = [0, 1].map(|half| parts[at][half] + parts[at + count][half]);
            }
        }
        parts[0]
    }
}

/// Adds a pair of inputs times their weights.
#[inline]
fn add_pair(sums: &mut [i32x16; 2], row: &[Lanes; 2], pair: [i16; 2]) {
    let inputs: Lanes = must_cast(i32x16::splat(must_cast(pair)));
    sums.iter_mut().zip(row).for_each(|(sum, &weights)| *sum += inputs.dot(weights));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix64;

    /// Numbers within `-most..=most`.
    fn random(random: &mut SplitMix64, count: usize, most: i16) -> Vec<i16> {
        let number = |_| (random.below(2 * most as usize + 1) as i32 - i32::from(most)) as i16;
        (0..count).map(number).collect()
    }

    fn numbers(vectors: &[Lanes]) -> Vec<i16> {
        vectors.iter().flat_map(|vector| vector.to_array()).collect()
    }

    #[test]
    fn rows_are_added_and_subtracted_by_all_three_loops() {
        for count in [1, 3, 4, 9] {
            let mut source = SplitMix64::new(7);
            let mut row = || vectors(&random(&mut source, count * LANES, i16::MAX));
            let (from, rows) = (row(), [(); 5].map(|()| row()));
            let expected = |added: &[usize], removed: &[usize]| -> Vec<i16> {
                let sum = |at: usize| {
                    let add = |sum: i16, &row: &usize| sum.wrapping_add(numbers(&rows[row])[at]);
                    let subtract = |sum: i16, &row: &usize| sum.wrapping_sub(numbers(&rows[row])[at]);
                    removed.iter().fold(added.iter().fold(numbers(&from)[at], add), subtract)
                };
                (0..count * LANES).map(sum).collect()
            };
            let mut to = vec![Lanes::default(); count];
            add_sub(&from, &mut to, &rows[0], &rows[1]);
            assert_eq!(numbers(&to), expected(&[0], &[1]));
            add_sub_sub(&from, &mut to, &rows[0], [&rows[1], &rows[2]]);
            assert_eq!(numbers(&to), expected(&[0], &[1, 2]));
            let row = |at: usize| rows[at].as_slice();
            add_sub_many(&from, &mut to, [0, 1, 2].map(row).into_iter(), [3, 4].map(row).into_iter());
            assert_eq!(numbers(&to), expected(&[0, 1, 2], &[3, 4]));
        }
    }

    #[test]
    fn sums_of_products_are_those_of_single_numbers() {
        let mut source = SplitMix64::new(9);
        let [own, enemy] = [(); 2].map(|()| random(&mut source, 3 * LANES, 600));
        let [for_own, for_enemy] = [(); 2].map(|()| random(&mut source, 3 * LANES, 127));
        let expected = |power: u32| -> i64 {
            let pairs = own.iter().zip(&for_own).chain(enemy.iter().zip(&for_enemy));
            pairs.map(|(&sum, &weight)| i64::from(sum.clamp(0, 255)).pow(power) * i64::from(weight)).sum()
        };
        let (sums, weights) =
            ([&own, &enemy].map(|all| vectors(all)), [&for_own, &for_enemy].map(|all| vectors(all)));
        let (sums, weights) = (sums.each_ref().map(Vec::as_slice), weights.each_ref().map(Vec::as_slice));
        assert_eq!(products(sums, weights, 255), expected(1));
        assert_eq!(squared_products(sums, weights, 255), expected(2));
    }

    #[test]
    fn paired_rows_add_every_input_once() {
        // Seven pairs: more than are added side by side, and a remainder.
        let mut source = SplitMix64::new(11);
        let (weights, inputs) = (random(&mut source, 14 * LANES, 300), random(&mut source, 14, 100));
        let rows = PairedRows::<7>::new(|input, neuron| weights[input * LANES + neuron]);
        let biases = [i32x16::splat(1000), i32x16::splat(-1000)];
        let sums = rows.sums(inputs.as_chunks().0.try_into().unwrap(), &biases);
        for neuron in 0..LANES {
            let product = |(input, &number): (usize, &i16)| {
                assert_eq!(rows.weight(input, neuron), weights[input * LANES + neuron]);
                i32::from(number) * i32::from(weights[input * LANES + neuron])
            };
            let expected: i32 = inputs.iter().enumerate().map(product).sum();
            let bias = biases[neuron / 16].to_array()[neuron % 16];
            assert_eq!(sums[neuron / 16].to_array()[neuron % 16], expected + bias);
        }
    }
}
