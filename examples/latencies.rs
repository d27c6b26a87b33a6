//! Latencies of the built program, each the best and the median of twenty: from its start to `readyok` with a table of
//! 16 MiB, from `stop` to the best move, and by how much `go movetime 100` is late. The aims are 50, 10 and 10 ms on a
//! machine with a free core; the tests do not measure them, since a busy machine is late without a mistake of the
//! program's.
//!
//! `make && cargo run --release --example latencies` measures `./plumb`, or the program that is named behind `--`.

use std::io::{self, BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// Measurements of each latency.
const TIMES: usize = 20;

/// Move time in milliseconds, and time that a search gets before its `stop`.
const MOVE_TIME: u64 = 100;

/// A running engine.
struct Engine {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn start(program: &str) -> io::Result<Engine> {
        let mut child = Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("the engine has no pipes"));
        };
        Ok(Engine { child, input, output: BufReader::new(output) })
    }

    fn send(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.input, "{line}")
    }

    /// Reads up to the line that begins with `word`.
    fn until(&mut self, word: &str) -> io::Result<()> {
        let mut line = String::new();
        while !line.starts_with(word) {
            line.clear();
            if self.output.read_line(&mut line)? == 0 {
                return Err(io::Error::other(format!("the engine ended before '{word}'")));
            }
        }
        Ok(())
    }

    fn quit(mut self) -> io::Result<()> {
        self.send("quit")?;
        self.child.wait().map(drop)
    }
}

/// From the start of the program to `readyok`.
fn start(program: &str) -> io::Result<Duration> {
    let begun = Instant::now();
    let mut engine = Engine::start(program)?;
    engine.send("setoption name Hash value 16\nisready")?;
    engine.until("readyok")?;
    let time = begun.elapsed();
    engine.quit()?;
    Ok(time)
}

/// From `stop` to `bestmove`.
fn stop(engine: &mut Engine) -> io::Result<Duration> {
    engine.send("go infinite")?;
    std::thread::sleep(Duration::from_millis(MOVE_TIME));
    let begun = Instant::now();
    engine.send("stop")?;
    engine.until("bestmove")?;
    Ok(begun.elapsed())
}

/// By how much a move is later than its time.
fn late(engine: &mut Engine) -> io::Result<Duration> {
    let begun = Instant::now();
    engine.send(&format!("go movetime {MOVE_TIME}"))?;
    engine.until("bestmove")?;
    Ok(begun.elapsed().saturating_sub(Duration::from_millis(MOVE_TIME)))
}

fn show(what: &str, measure: impl FnMut() -> io::Result<Duration>) -> io::Result<()> {
    let mut times = std::iter::repeat_with(measure).take(TIMES).collect::<io::Result<Vec<_>>>()?;
    times.sort();
    let milliseconds = |time: Duration| time.as_secs_f64() * 1000.0;
    println!("{what:<22} {:>7.2} {:>7.2}", milliseconds(times[0]), milliseconds(times[TIMES / 2]));
    Ok(())
}

fn main() -> io::Result<()> {
    let program = std::env::args().nth(1).unwrap_or_else(|| "./plumb".to_owned());
    println!("{:<22} {:>7} {:>7}", "ms", "best", "median");
    show("start to readyok", || start(&program))?;
    let mut engine = Engine::start(&program)?;
    show("stop to bestmove", || stop(&mut engine))?;
    show("movetime 100, late by", || late(&mut engine))?;
    engine.quit()
}
