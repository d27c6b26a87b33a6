//! AdamW (Loshchilov and Hutter 2019: Adam with decoupled weight decay), the schedule of its rate, and
//! averaged weights.

use super::aligned::Aligned;
use super::threads::on_threads;

/// Decay of the running mean of gradients.
const BETA1: f32 = 0.9;

/// Decay of the running mean of their squares.
const BETA2: f32 = 0.999;

/// Keeps the step finite where gradients are tiny.
const EPSILON: f32 = 1e-8;

/// Parameters that a thread updates at a time.
const BLOCK: usize = 1 << 14;

/// The state of AdamW between steps.
#[derive(Clone, Debug, PartialEq)]
pub struct AdamW {
    /// Running means of gradients.
    pub mean: Vec<f32>,
    /// Running means of their squares.
    pub square: Vec<f32>,
    /// Exponentially averaged parameters: they generalise better than the last ones.
    pub averaged: Vec<f32>,
    /// Rows shared among king buckets, if there is a factoriser.
    pub shared: Option<SharedRows>,
    /// Steps taken.
    pub steps: u64,
}

/// A factoriser: rows of the first layer that all king buckets share, each added to its copy in every bucket.
///
/// A bucket sees a part of the positions only; what is the same in all of them is learnt from all positions.
/// The sum of both weights is what the parameters hold, so that the network has no more of them than without:
/// a shared row is known by the moments of its gradient, the sum of the gradients of its copies.
#[derive(Clone, Debug, PartialEq)]
pub struct SharedRows {
    /// Running means of gradients.
    pub mean: Vec<f32>,
    /// Running means of their squares.
    pub square: Vec<f32>,
    /// King buckets: the parameters begin with as many copies of the rows.
    pub copies: usize,
}

impl SharedRows {
    /// Before the first step, for `copies` of `numbers` parameters.
    #[must_use]
    pub fn new(numbers: usize, copies: usize) -> SharedRows {
        SharedRows { mean: vec![0.0; numbers], square: vec![0.0; numbers], copies }
    }

    /// The step of every shared parameter by the gradient of all parameters, a sum over samples.
    fn moves(&mut self, gradient: &[f32], rate: f32, moments: &Moments, threads: usize) -> Vec<f32> {
        let (numbers, copies) = (self.mean.len(), self.copies);
        let mut moves = vec![0.0; numbers];
        let share = numbers.div_ceil(threads.max(1)).max(1);
        let parts =
            self.mean.chunks_mut(share).zip(self.square.chunks_mut(share)).zip(moves.chunks_mut(share));
        on_threads(parts.enumerate(), |(part, ((mean, square), moves))| {
            for (index, ((mean, square), moved)) in mean.iter_mut().zip(square).zip(moves).enumerate() {
                let at = part * share + index;
                let sum: f32 = (0..copies).map(|copy| gradient[copy * numbers + at]).sum();
                *moved = rate * moments.direction(mean, square, sum);
            }
        });
        moves
    }
}

/// The numbers of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// Length of the step.
    pub rate: f32,
    /// Weight decay: the part of a parameter that a step of rate 1 takes away.
    pub decay: f32,
    /// The part of the averaged parameters that a step replaces.
    pub averaging: f32,
    /// Parameters stay within plus and minus this, so that they can be quantised.
    pub clip: f32,
}

impl AdamW {
    /// Before the first step.
    #[must_use]
    pub fn new(parameters: &[f32]) -> AdamW {
        let zeros = vec![0.0; parameters.len()];
        AdamW { mean: zeros.clone(), square: zeros, averaged: parameters.to_vec(), shared: None, steps: 0 }
    }

    /// One step. The gradient is the sum of `shards`, added in their order whatever the number of threads,
    /// and divided by `samples`; the shards are zero afterwards.
    pub fn step(
        &mut self,
        parameters: &mut [f32],
        shards: &mut [Aligned],
        samples: usize,
        step: &Step,
        threads: usize,
    ) {
        self.steps += 1;
        // The first steps are averaged evenly: the random weights of the beginning must not linger.
        let averaging = step.averaging.max(1.0 / self.steps as f32);
        let step = &Step { averaging, ..*step };
        let moments = Moments::of(self.steps, samples);
        let shared = match &mut self.shared {
            Some(shared) => {
                add_shards(shards, threads);
                let sum = shards.first().map_or(&[][..], |sum| &sum[..]);
                shared.moves(sum, step.rate, &moments, threads)
            }
            None => Vec::new(),
        };
        let shared_end = shared.len() * self.shared.as_ref().map_or(0, |shared| shared.copies);
        // With a factoriser the first shard has the sum already.
        let left = if shared.is_empty() { shards.len() } else { shards.len().min(1) };
        let shards = &mut shards[..left];
        let mut columns: Vec<_> = shards.iter_mut().map(|shard| shard.chunks_mut(BLOCK)).collect();
        let mut blocks: Vec<Block<'_>> = Vec::new();
        for (number, (((parameters, mean), square), averaged)) in parameters
            .chunks_mut(BLOCK)
            .zip(self.mean.chunks_mut(BLOCK))
            .zip(self.square.chunks_mut(BLOCK))
            .zip(self.averaged.chunks_mut(BLOCK))
            .enumerate()
        {
            let begin = number * BLOCK;
            for at in begin..shared_end.min(begin + parameters.len()) {
                parameters[at - begin] -= shared[at % shared.len()];
            }
            let shards = columns.iter_mut().filter_map(Iterator::next).collect();
            blocks.push(Block { parameters, mean, square, averaged, shards });
        }
        let share = blocks.len().div_ceil(threads.max(1)).max(1);
        on_threads(blocks.chunks_mut(share), |blocks| {
            blocks.iter_mut().for_each(|block| block.step(step, &moments));
        });
    }
}

/// Adds all shards to the first and leaves the others at zero, in their order.
fn add_shards(shards: &mut [Aligned], threads: usize) {
    let mut columns: Vec<_> = shards.iter_mut().map(|shard| shard.chunks_mut(BLOCK)).collect();
    let mut blocks: Vec<Vec<&mut [f32]>> = Vec::new();
    loop {
        let parts: Vec<_> = columns.iter_mut().filter_map(Iterator::next).collect();
        if parts.is_empty() {
            break;
        }
        blocks.push(parts);
    }
    let share = blocks.len().div_ceil(threads.max(1)).max(1);
    on_threads(blocks.chunks_mut(share), |blocks| blocks.iter_mut().for_each(|parts| add_parts(parts)));
}

/// Adds all parts to the first and leaves the others at zero.
fn add_parts(parts: &mut [&mut [f32]]) {
    let Some((sum, others)) = parts.split_first_mut() else { return };
    for shard in others {
        for (sum, part) in sum.iter_mut().zip(shard.iter_mut()) {
            *sum += *part;
            *part = 0.0;
        }
    }
}

/// The running means of a step, with their corrections for the first steps (Kingma and Ba 2015, section 3).
#[derive(Clone, Copy, Debug)]
struct Moments {
    /// One over the samples of the step.
    scale: f32,
    first: f32,
    second: f32,
}

impl Moments {
    /// Of the step with this number, from 1.
    fn of(step: u64, samples: usize) -> Moments {
        let power = step.min(1_000_000) as i32;
        Moments {
            scale: 1.0 / samples as f32,
            first: 1.0 - BETA1.powi(power),
            second: 1.0 - BETA2.powi(power),
        }
    }

    /// The direction of a parameter whose gradient, summed over samples, is `gradient`.
    #[inline]
    fn direction(&self, mean: &mut f32, square: &mut f32, gradient: f32) -> f32 {
        let slope = gradient * self.scale;
        *mean += (1.0 - BETA1) * (slope - *mean);
        *square += (1.0 - BETA2) * (slope * slope - *square);
        (*mean / self.first) / ((*square / self.second).sqrt() + EPSILON)
    }
}

/// Some parameters and all that belongs to them.
struct Block<'a> {
    parameters: &'a mut [f32],
    mean: &'a mut [f32],
    square: &'a mut [f32],
    averaged: &'a mut [f32],
    shards: Vec<&'a mut [f32]>,
}

impl Block<'_> {
    fn step(&mut self, step: &Step, moments: &Moments) {
        add_parts(&mut self.shards);
        let Some(sum) = self.shards.first_mut() else { return };
        let running = self.mean.iter_mut().zip(self.square.iter_mut());
        let both = self.parameters.iter_mut().zip(self.averaged.iter_mut());
        for (((parameter, averaged), (mean, square)), gradient) in both.zip(running).zip(sum.iter_mut()) {
            let direction = moments.direction(mean, square, *gradient);
            *gradient = 0.0;
            let moved = *parameter - step.rate * (direction + step.decay * *parameter);
            *parameter = moved.clamp(-step.clip, step.clip);
            *averaged += step.averaging * (*parameter - *averaged);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: Step = Step { rate: 0.01, decay: 0.0, averaging: 0.01, clip: 1.98 };

    /// Steps down the squared distance from a target.
    fn descend(threads: usize, shards: usize) -> (Vec<f32>, AdamW) {
        let target: Vec<f32> = (0..40_000).map(|index| (index % 200) as f32 / 100.0 - 1.0).collect();
        let mut parameters = vec![0.0; target.len()];
        let mut adam = AdamW::new(&parameters);
        let mut parts = vec![Aligned::zeros(target.len()); shards];
        for _ in 0..400 {
            for (at, part) in parts.iter_mut().enumerate() {
                for ((part, parameter), target) in part.iter_mut().zip(&parameters).zip(&target) {
                    *part = (parameter - target) * (at + 1) as f32;
                }
            }
            adam.step(&mut parameters, &mut parts, shards, &STEP, threads);
        }
        assert!(parts.iter().all(|part| part.iter().all(|&part| part == 0.0)));
        for (parameter, target) in parameters.iter().zip(&target) {
            assert!((parameter - target).abs() < 0.05, "{parameter} {target}");
        }
        (parameters, adam)
    }

    #[test]
    fn steps_do_not_depend_on_the_number_of_threads() {
        assert_eq!(descend(1, 3), descend(2, 3));
        assert_eq!(descend(1, 3), descend(5, 3));
    }

    #[test]
    fn shared_rows_move_all_their_copies_by_the_sum_of_their_gradients() {
        for threads in [1, 3] {
            // Three copies of two rows, and a parameter behind them that is not shared.
            let mut parameters = vec![0.0; 7];
            let mut adam = AdamW { shared: Some(SharedRows::new(2, 3)), ..AdamW::new(&parameters) };
            // The first row has a gradient in the second copy alone, the second opposite ones in two copies.
            let gradient = [0.0, 1.0, 4.0, -1.0, 0.0, 0.0, 2.0];
            let mut shards = [Aligned::from(&gradient[..]), Aligned::from(&gradient[..])];
            adam.step(&mut parameters, &mut shards, 1, &STEP, threads);
            let step = STEP.rate;
            // The first step of Adam has the length of the rate, whatever the gradient.
            let expected = [-step, -step, -2.0 * step, step, -step, 0.0, -step];
            for (found, expected) in parameters.iter().zip(expected) {
                assert!((found - expected).abs() < 1e-5, "{parameters:?}");
            }
            assert!(shards.iter().all(|shard| shard.iter().all(|&part| part == 0.0)));
        }
    }

    #[test]
    fn parameters_stay_within_the_clip() {
        let mut parameters = vec![0.0];
        let mut adam = AdamW::new(&parameters);
        for _ in 0..1000 {
            adam.step(&mut parameters, &mut [Aligned::from(&[-1.0][..])], 1, &STEP, 1);
        }
        assert_eq!(parameters, [1.98]);
    }
}
