//! Where a fit of the evaluation stands, on disk: lines that say which work it is, the epoch, the best one so far, and
//! a line a number with what is known of it. Numbers are written so that they are read back to the last bit.

use super::logistic::Adam;
use crate::lab::command::console::Failure;
use crate::lab::records::file;
use crate::lab::records::head::{Head, Mismatch};
use crate::lab::records::journal::refused;
use std::fmt::Write as _;
use std::io::ErrorKind;
use std::path::Path;

/// The first words of every state.
const TITLE: &str = "# plumb texel";

/// Where a fit stands.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Epochs that are done.
    pub epoch: usize,
    /// The numbers.
    pub values: Vec<f64>,
    /// The memory of the steps.
    pub adam: Adam,
    /// What the games kept aside like best so far.
    pub best: Best,
}

/// The numbers with the least loss on the games kept aside.
#[derive(Clone, Debug, PartialEq)]
pub struct Best {
    /// The epoch after which they stood.
    pub epoch: usize,
    /// That loss.
    pub loss: f64,
    /// The numbers.
    pub values: Vec<f64>,
}

impl State {
    /// Reads the state of a piece of work, numbers of these names; `None` where there is none yet.
    ///
    /// # Errors
    /// Where the file cannot be read, is something else, or holds the state of other work; not with `restart`.
    pub fn open(
        path: &Path,
        work: &[String],
        names: &[String],
        restart: bool,
    ) -> Result<Option<State>, Failure> {
        let text = match std::fs::read_to_string(path) {
            _ if restart => return Ok(None),
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            text => text.map_err(|error| Failure::file("read", path.display(), &error))?,
        };
        match Head::new(TITLE, work).rows(&text, |found, wanted| found == wanted) {
            Ok(Some(rest)) => State::read(rest, names).map(Some).ok_or_else(|| refused(path, "is damaged")),
            Ok(None) | Err(Mismatch::Kind) => {
                Err(refused(path, "is there already and is no state of plumb texel"))
            }
            Err(Mismatch::Work { .. }) => {
                let why = "is the state of other work (other positions, weights or arguments)";
                Err(refused(path, why))
            }
        }
    }

    fn read(text: &str, names: &[String]) -> Option<State> {
        let mut lines = text.lines();
        let mut first = lines.next()?.split(',');
        let epoch = first.next()?.parse().ok()?;
        let best = Best {
            epoch: first.next()?.parse().ok()?,
            loss: first.next()?.parse().ok()?,
            values: Vec::new(),
        };
        let mut state = State { epoch, values: Vec::new(), adam: Adam::new(0), best };
        for name in names {
            let fields = lines.next()?.strip_prefix(name)?.strip_prefix(',')?.split(',');
            let numbers: Vec<f64> = fields.map(|field| field.parse().ok()).collect::<Option<_>>()?;
            let &[value, best, first, second] = numbers.as_slice() else { return None };
            state.values.push(value);
            state.best.values.push(best);
            state.adam.first.push(first);
            state.adam.second.push(second);
        }
        lines.next().is_none().then_some(state)
    }

    /// Writes it, all of it or nothing.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn write(&self, path: &Path, work: &[String], names: &[String]) -> Result<(), Failure> {
        let text = Head::new(TITLE, work).text().to_owned() + &self.text(names);
        file::replace(path, &text).map_err(|error| Failure::file("write to", path.display(), &error))
    }

    fn text(&self, names: &[String]) -> String {
        let State { epoch, values, adam, best } = self;
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

    #[test]
    fn a_state_is_read_as_it_was_written() {
        let names = ["tempo mg", "tempo eg"].map(str::to_owned);
        let state = State {
            epoch: 7,
            values: vec![1.0 / 3.0, -2e-17],
            adam: Adam { first: vec![0.1, 1e-9], second: vec![1e-300, 4.0] },
            best: Best { epoch: 5, loss: 0.1 + 0.2, values: vec![1.5, -0.0] },
        };
        let text = state.text(&names);
        assert_eq!(State::read(&text, &names).as_ref(), Some(&state));
        assert_eq!(State::read(&text[..text.len() - 4], &names), None);
        assert_eq!(State::read(&text, &names[..1]), None);
    }
}
