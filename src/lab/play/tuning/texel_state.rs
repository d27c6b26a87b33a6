//! State of `plumb texel` on disk, from which a fit resumes: a head, the epoch, the best epoch with its loss,
//! and a line a weight (name, value, best value, Adam's means). Numbers are written so that they are read
//! back to the last bit. The last line is a checksum; a state of an older version has none. The file is
//! replaced as a whole after every epoch.

use crate::lab::base::records::file;
use crate::lab::base::records::fingerprint::digest;
use crate::lab::base::records::head::{Head, Mismatch};
use crate::lab::base::records::journal::refused;
use crate::lab::base::records::lock::Lock;
use crate::lab::base::statistics::logistic::Adam;
use crate::lab::base::terminal::console::Failure;
use std::fmt::Write as _;
use std::io::ErrorKind;
use std::path::Path;

/// The first words of every state.
const TITLE: &str = "# plumb texel";

/// The beginning of the last line.
const CHECKSUM: &str = "# checksum ";

/// The most epochs of a fit.
const MOST_EPOCHS: usize = 1_000_000;

/// The text before the checksum; all of a text without one. `None` if the checksum is of another text.
fn checked(text: &str) -> Option<&str> {
    let Some(at) = text.rfind(CHECKSUM) else { return Some(text) };
    let (before, sum) = (&text[..at], text[at + CHECKSUM.len()..].strip_suffix('\n')?);
    (sum == format!("{:016x}", digest(before.as_bytes()))).then_some(before)
}

/// State of a fit after an epoch.
#[derive(Clone, Debug, PartialEq)]
pub struct TexelState {
    /// Epochs that are done.
    pub epoch: usize,
    /// The weights.
    pub values: Vec<f64>,
    /// The means of gradients.
    pub adam: Adam,
    /// The best epoch so far.
    pub best: Best,
}

/// The weights with the least loss on the validation games.
#[derive(Clone, Debug, PartialEq)]
pub struct Best {
    /// The epoch.
    pub epoch: usize,
    /// Its loss: the mean squared error.
    pub loss: f64,
    /// The weights after it.
    pub values: Vec<f64>,
}

impl TexelState {
    /// Reads the state of a fit of weights of these names, whose parameters are the lines `work`; `None` if
    /// there is no file, or with `restart`.
    ///
    /// # Errors
    /// If the file cannot be read, is no state, or holds the state of another fit.
    pub fn open(
        path: &Path,
        work: &[String],
        names: &[String],
        restart: bool,
    ) -> Result<Option<TexelState>, Failure> {
        let text = match std::fs::read_to_string(path) {
            _ if restart => return Ok(None),
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            text => text.map_err(|error| Failure::file("read", path.display(), &error))?,
        };
        match Head::new(TITLE, work).length(text.as_bytes(), |found, wanted| found == wanted) {
            Ok(Some(length)) => {
                let state = checked(&text).and_then(|text| TexelState::read(&text[length..], names));
                state.map(Some).ok_or_else(|| refused(path, "is damaged"))
            }
            Ok(None) | Err(Mismatch::Kind) => {
                Err(refused(path, "is there already and is no state of plumb texel"))
            }
            Err(Mismatch::Work { .. }) => {
                let why = "is the state of other work (other positions, weights or arguments)";
                Err(refused(path, why))
            }
        }
    }

    fn read(text: &str, names: &[String]) -> Option<TexelState> {
        let mut lines = text.lines();
        let mut first = lines.next()?.split(',');
        let epoch = first.next()?.parse().ok()?;
        let best = Best {
            epoch: first.next()?.parse().ok()?,
            loss: first.next()?.parse().ok()?,
            values: Vec::new(),
        };
        let mut state = TexelState { epoch, values: Vec::new(), adam: Adam::new(0), best };
        for name in names {
            let fields = lines.next()?.strip_prefix(name)?.strip_prefix(',')?.split(',');
            let numbers: Vec<f64> = fields.map(|field| field.parse().ok()).collect::<Option<_>>()?;
            let &[value, best, first, second] = numbers.as_slice() else { return None };
            state.values.push(value);
            state.best.values.push(best);
            state.adam.first.push(first);
            state.adam.second.push(second);
        }
        let numbers = [&state.values, &state.best.values, &state.adam.first, &state.adam.second];
        let finite = state.best.loss.is_finite() && numbers.iter().all(|of| of.iter().all(|n| n.is_finite()));
        let possible = finite && state.best.epoch <= state.epoch && state.epoch <= MOST_EPOCHS;
        (lines.next().is_none() && possible).then_some(state)
    }

    /// Replaces the file of the lock as a whole.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, lock: &Lock, work: &[String], names: &[String]) -> Result<(), Failure> {
        let text = Head::new(TITLE, work).text().to_owned() + &self.text(names);
        let sum = digest(text.as_bytes());
        file::write_locked(lock, format!("{text}{CHECKSUM}{sum:016x}\n"))
    }

    fn text(&self, names: &[String]) -> String {
        let TexelState { epoch, values, adam, best } = self;
        let mut text = format!("{epoch},{},{}\n", best.epoch, best.loss);
        let memory = adam.first.iter().zip(&adam.second);
        for (((name, value), best), (first, second)) in names.iter().zip(values).zip(&best.values).zip(memory)
        {
            let _ = writeln!(text, "{name},{value},{best},{first},{second}");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::base::records::failing::survives;
    use crate::lab::base::records::test_folder::TestFolder;

    #[test]
    fn a_state_is_read_as_it_was_written() {
        let names = ["tempo mg", "tempo eg"].map(str::to_owned);
        let state = TexelState {
            epoch: 7,
            values: vec![1.0 / 3.0, -2e-17],
            adam: Adam { first: vec![0.1, 1e-9], second: vec![1e-300, 4.0] },
            best: Best { epoch: 5, loss: 0.1 + 0.2, values: vec![1.5, -0.0] },
        };
        let text = state.text(&names);
        assert_eq!(TexelState::read(&text, &names).as_ref(), Some(&state));
        assert_eq!(TexelState::read(&text[..text.len() - 4], &names), None);
        assert_eq!(TexelState::read(&text, &names[..1]), None);
    }

    #[test]
    fn no_flipped_bit_is_overlooked() {
        let folder = TestFolder::new("texel-state");
        let path = folder.join("state");
        let (names, work) = (["tempo mg".to_owned()], ["seed 1".to_owned()]);
        let best = Best { epoch: 5, loss: 0.25, values: vec![1.5] };
        let adam = Adam { first: vec![0.1], second: vec![4.0] };
        let state = TexelState { epoch: 7, values: vec![0.5], adam, best };
        state.write(&Lock::of(&path).unwrap(), &work, &names).unwrap();
        let open = || TexelState::open(&path, &work, &names, false);
        assert_eq!(open().unwrap().as_ref(), Some(&state));
        let whole = std::fs::read(&path).unwrap();
        for at in 0..whole.len() {
            for bit in 0..8 {
                let mut bytes = whole.clone();
                bytes[at] ^= 1 << bit;
                std::fs::write(&path, bytes).unwrap();
                assert!(open().is_err(), "{at} {bit}");
            }
        }
        // Without the last line it is a state of an older version.
        let old = whole.len() - CHECKSUM.len() - 17;
        std::fs::write(&path, &whole[..old]).unwrap();
        assert_eq!(open().unwrap(), Some(state));
    }

    #[test]
    fn a_disk_that_fails_loses_no_epoch() {
        let (names, work) = (["tempo mg".to_owned()], ["seed 1".to_owned()]);
        let fit = |folder: &Path| {
            let path = folder.join("state");
            let held = TexelState::open(&path, &work, &names, false)?.map_or(0, |state| state.epoch);
            (held + 1..4).try_for_each(|epoch| {
                let best = Best { epoch, loss: 0.25, values: vec![1.5] };
                let adam = Adam { first: vec![0.1], second: vec![4.0] };
                TexelState { epoch, values: vec![epoch as f64], adam, best }.write(
                    &Lock::of(&path)?,
                    &work,
                    &names,
                )
            })
        };
        survives("texel", fit, |_| ());
    }
}
