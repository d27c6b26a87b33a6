//! Standard input, read line by line in a thread of its own so that a search can be interrupted.

use crossbeam_channel::{Receiver, bounded};
use std::io::{self, BufRead, Read};
use std::time::Instant;

/// Longest line in bytes, four times what the longest possible game of chess takes (12,000 plies).
pub(super) const MOST_LINE: usize = 1 << 18;

/// Lines that are read ahead of the main loop. It takes them at once, unless nobody reads its output.
const MOST_AHEAD: usize = 1024;

/// A line, and the time of its arrival, from which the clock runs.
#[derive(Clone, Debug)]
pub(super) struct InputLine {
    /// The text without white space around it; `None` for a line longer than [`MOST_LINE`].
    pub(super) text: Option<String>,
    pub(super) at: Instant,
}

impl InputLine {
    fn new(text: Option<String>) -> InputLine {
        InputLine { text, at: Instant::now() }
    }
}

/// Lines of an input, standard input for instance; the channel is closed at its end.
pub(super) fn lines_of(input: impl Read + Send + 'static) -> Receiver<InputLine> {
    let (sender, receiver) = bounded(MOST_AHEAD);
    std::thread::spawn(move || {
        read_lines(input, |line| sender.send(line).is_ok());
    });
    receiver
}

/// A single line, then the end of input.
pub(super) fn one_line(text: &str) -> Receiver<InputLine> {
    let (sender, receiver) = bounded(1);
    let _ = sender.send(InputLine::new(Some(text.to_owned())));
    receiver
}

/// Reads until the input ends or `each` returns false. Bytes that are not UTF-8 are replaced. Of a line that
/// is too long, no more than [`MOST_LINE`] bytes are ever held.
fn read_lines(input: impl Read, mut each: impl FnMut(InputLine) -> bool) {
    let mut input = io::BufReader::new(input);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let read = input.by_ref().take(MOST_LINE as u64 + 1).read_until(b'\n', &mut bytes);
        let is_too_long = bytes.len() > MOST_LINE && bytes.last() != Some(&b'\n');
        let rest = if is_too_long { input.skip_until(b'\n') } else { Ok(0) };
        match read.and(rest) {
            Ok(_) if bytes.is_empty() => return,
            Ok(_) => {}
            Err(error) => return log::warn!("standard input: {error}"),
        }
        let text = || String::from_utf8_lossy(&bytes).trim().to_owned();
        if !each(InputLine::new((!is_too_long).then(text))) {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_blanks_and_invalid_utf_8_are_read() {
        let mut lines = Vec::new();
        read_lines(&b"uci\r\n\n  isready \n\xff\xfe stop\nquit"[..], |line| {
            lines.push(line.text.unwrap());
            true
        });
        assert_eq!(lines, ["uci", "", "isready", "\u{fffd}\u{fffd} stop", "quit"]);
    }

    /// The input ends in the middle of an endless line, which is not held in memory.
    #[test]
    fn a_line_that_is_too_long_is_marked_and_the_next_one_is_read() {
        let longest = "x".repeat(MOST_LINE);
        let text = format!("{longest}\n{longest}x\nstop\n");
        let endless = io::repeat(0).take(1 << 30);
        let mut lengths = Vec::new();
        read_lines(text.as_bytes().chain(endless), |line| {
            lengths.push(line.text.map(|text| text.len()));
            true
        });
        assert_eq!(lengths, [Some(MOST_LINE), None, Some(4), None]);
    }
}
