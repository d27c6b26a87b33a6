//! Lines of input, read by a thread of their own so that a search can be interrupted.

use crossbeam_channel::{Receiver, unbounded};
use std::io::{self, BufRead, Read};
use std::time::Instant;

/// A line, and when it came: clocks run from then on.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) text: String,
    pub(super) at: Instant,
}

impl Line {
    fn new(text: String) -> Line {
        Line { text, at: Instant::now() }
    }
}

/// Lines of standard input; the channel ends where the input does.
pub(super) fn standard() -> Receiver<Line> {
    let (sender, receiver) = unbounded();
    std::thread::spawn(move || {
        read_lines(io::stdin(), |line| sender.send(line).is_ok());
    });
    receiver
}

/// A single line, and the end.
pub(super) fn one_line(text: &str) -> Receiver<Line> {
    let (sender, receiver) = unbounded();
    let _ = sender.send(Line::new(text.to_owned()));
    receiver
}

/// Reads until the input ends or `each` has heard enough. What is not UTF-8 is replaced, not refused.
fn read_lines(input: impl Read, mut each: impl FnMut(Line) -> bool) {
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
        if !each(Line::new(String::from_utf8_lossy(&bytes).trim().to_owned())) {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_every_kind_are_read() {
        let mut lines = Vec::new();
        read_lines(&b"uci\r\n\n  isready \n\xff\xfe stop\nquit"[..], |line| {
            lines.push(line.text);
            true
        });
        assert_eq!(lines, ["uci", "", "isready", "\u{fffd}\u{fffd} stop", "quit"]);
    }
}
