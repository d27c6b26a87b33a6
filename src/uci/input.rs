//! Standard input, read line by line in a thread of its own so that a search can be interrupted.

use crossbeam_channel::{Receiver, unbounded};
use std::io::{self, BufRead, Read};
use std::time::Instant;

/// A line, and the time of its arrival, from which the clock runs.
#[derive(Clone, Debug)]
pub(super) struct InputLine {
    pub(super) text: String,
    pub(super) at: Instant,
}

impl InputLine {
    fn new(text: String) -> InputLine {
        InputLine { text, at: Instant::now() }
    }
}

/// Lines of standard input; the channel is closed at its end.
pub(super) fn standard() -> Receiver<InputLine> {
    let (sender, receiver) = unbounded();
    std::thread::spawn(move || {
        read_lines(io::stdin(), |line| sender.send(line).is_ok());
    });
    receiver
}

/// A single line, then the end of input.
pub(super) fn one_line(text: &str) -> Receiver<InputLine> {
    let (sender, receiver) = unbounded();
    let _ = sender.send(InputLine::new(text.to_owned()));
    receiver
}

/// Reads until the input ends or `each` returns false. Bytes that are not UTF-8 are replaced.
fn read_lines(input: impl Read, mut each: impl FnMut(InputLine) -> bool) {
    let mut input = io::BufReader::new(input);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match input.read_until(b'\n', &mut bytes) {
            Ok(0) => return,
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return log::warn!("standard input: {error}"),
        }
        if !each(InputLine::new(String::from_utf8_lossy(&bytes).trim().to_owned())) {
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
            lines.push(line.text);
            true
        });
        assert_eq!(lines, ["uci", "", "isready", "\u{fffd}\u{fffd} stop", "quit"]);
    }
}
