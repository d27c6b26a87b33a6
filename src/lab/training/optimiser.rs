//! AdamW (Loshchilov and Hutter 2019: Adam with decoupled weight decay), the schedule of its rate, and averaged weights.

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
    /// Steps taken.
    pub steps: u64,
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
        AdamW { mean: zeros.clone(), square: zeros, averaged: parameters.to_vec(), steps: 0 }
    }

    /// One step. The gradient is the sum of `shards`, added in their order whatever the number of threads, and divided
    /// by `samples`; the shards are zero afterwards.
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
        let power = self.steps.min(1_000_000) as i32;
        let corrections = (1.0 - BETA1.powi(power), 1.0 - BETA2.powi(power));
        let scale = 1.0 / samples as f32;
        let mut columns: Vec<_> = shards.iter_mut().map(|shard| shard.chunks_mut(BLOCK)).collect();
        let mut blocks: Vec<Block<'_>> = Vec::new();
        for (((parameters, mean), square), averaged) in parameters
            .chunks_mut(BLOCK)
            .zip(self.mean.chunks_mut(BLOCK))
            .zip(self.square.chunks_mut(BLOCK))
            .zip(self.averaged.chunks_mut(BLOCK))
        {
            let shards = columns.iter_mut().filter_map(Iterator::next).collect();
            blocks.push(Block { parameters, mean, square, averaged, shards });
        }
        let share = blocks.len().div_ceil(threads.max(1)).max(1);
        on_threads(blocks.chunks_mut(share), |blocks| {
            blocks.iter_mut().for_each(|block| block.step(step, scale, corrections));
        });
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
    fn step(&mut self, step: &Step, scale: f32, (first, second): (f32, f32)) {
        let Some((sum, others)) = self.shards.split_first_mut() else { return };
        for shard in others {
            for (sum, part) in sum.iter_mut().zip(shard.iter_mut()) {
                *sum += *part;
                *part = 0.0;
            }
        }
        let moments = self.mean.iter_mut().zip(self.square.iter_mut());
        let both = self.parameters.iter_mut().zip(self.averaged.iter_mut());
        for (((parameter, averaged), (mean, square)), gradient) in both.zip(moments).zip(sum.iter_mut()) {
            let slope = *gradient * scale;
            *gradient = 0.0;
            *mean += (1.0 - BETA1) * (slope - *mean);
            *square += (1.0 - BETA2) * (slope * slope - *square);
            let direction = (*mean / first) / ((*square / second).sqrt() + EPSILON);
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
    fn parameters_stay_within_the_clip() {
        let mut parameters = vec![0.0];
        let mut adam = AdamW::new(&parameters);
        for _ in 0..1000 {
            adam.step(&mut parameters, &mut [Aligned::from(&[-1.0][..])], 1, &STEP, 1);
        }
        assert_eq!(parameters, [1.98]);
    }
}
