//! Default batch size and number of epochs of a training, by the amount of games.
//!
//! Both are parts of a training's identity (see `describe`), so that they follow from the length of the
//! files, which is known before anything is packed, and not from the samples.

/// Bytes of a file of games for a quiet position: four for a move, and three positions of ten are not quiet.
const BYTES_OF_SAMPLE: u64 = 6;

/// Steps that an epoch should have.
const STEPS: usize = 200;

/// Fewer steps in an epoch than these call for a warning: the rate would go down before anything is learnt.
const FEW_STEPS: usize = 30;

/// The least batch: the gradient of fewer samples is mostly noise, and threads have little to share.
const LEAST_BATCH: usize = 256;

/// The batch where there are enough samples.
const BATCH: usize = 8192;

/// The epochs where there are enough samples.
const EPOCHS: usize = 30;

/// The epochs of a small training, which soon overfits its games (notebook/weights.md has figures).
const FEW_EPOCHS: usize = 15;

/// About the samples in so many bytes of games, with as many random successors of every position.
pub(super) fn samples(bytes: u64, successors: usize) -> usize {
    usize::try_from((bytes / BYTES_OF_SAMPLE).saturating_mul(1 + successors as u64)).unwrap_or(usize::MAX)
}

/// The batch for so many samples: a power of two.
pub(super) fn batch(samples: usize) -> usize {
    let wanted = (samples / STEPS).clamp(LEAST_BATCH, BATCH);
    1 << wanted.ilog2()
}

/// The epochs for so many samples.
pub(super) fn epochs(samples: usize) -> usize {
    if batch(samples) < BATCH { FEW_EPOCHS } else { EPOCHS }
}

/// A warning where an epoch of `samples` has few batches, with what helps.
pub(super) fn warning(batches: usize, samples: usize) -> Option<String> {
    if batches >= FEW_STEPS {
        return None;
    }
    let better = batch(samples);
    let help = match samples / better {
        steps if steps > batches => format!("--batch {better} makes {steps} of them"),
        _ => "more games make more of them".to_owned(),
    };
    Some(format!("an epoch has few steps ({batches}), and little is learnt: {help}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_epoch_has_enough_steps_wherever_the_games_allow_it() {
        for samples in [60_000, 130_000, 1_638_399, 1_638_400, 10_000_000, usize::MAX] {
            let batch = batch(samples);
            assert!(samples / batch >= STEPS && batch.is_power_of_two(), "{samples} {batch}");
            assert_eq!(warning(samples / batch, samples), None);
        }
        assert_eq!((batch(0), batch(5_000_000)), (LEAST_BATCH, BATCH));
        assert_eq!((epochs(100_000), epochs(5_000_000)), (FEW_EPOCHS, EPOCHS));
    }

    #[test]
    fn few_steps_are_warned_of_with_a_batch_that_helps_or_none() {
        let warned = warning(130_000 / 8192, 130_000).unwrap();
        assert!(warned.contains("(15)") && warned.contains("--batch 512 makes 253 of them"), "{warned}");
        let warned = warning(1000 / LEAST_BATCH, 1000).unwrap();
        assert!(warned.contains("more games"), "{warned}");
    }

    #[test]
    fn samples_of_all_lengths_are_counted() {
        assert_eq!(samples(785_596, 0), 130_932);
        assert_eq!(samples(60, 9), 100);
        assert!(samples(u64::MAX, 1000) > 1 << 40);
    }
}
