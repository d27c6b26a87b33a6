//! Latencies of the built program: from its start to `readyok` with a table of 16 MiB, by how much
//! `go movetime 100` is late, and from `stop` to the best move with one and two threads and tables of 1 and
//! 1,024 MiB. The aims for the median are 50, 10 and 10 ms on a machine with a free core; the tests do not
//! measure them, since a busy machine is late without a mistake of the program's.
//!
//! `make && cargo run --release --example latencies` measures `./plumb` twenty times; `-- ./plumb 1000` does
//! so a thousand times.

use std::io::{self, BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// Measurements of each latency, where the command line does not say how many.
const TIMES: usize = 20;

/// Move time in milliseconds.
const MOVE_TIME: u64 = 100;

/// Milliseconds that a search gets before its `stop`.
const BEFORE_STOP: u64 = 30;

/// Threads and MiB of the table of the engines that are stopped.
const STOPPED: [(u32, u32); 4] = [(1, 1), (1, 1024), (2, 1), (2, 1024)];

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
    std::thread::sleep(Duration::from_millis(BEFORE_STOP));
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

/// Measures so many times, and prints the least, the middle, the 99th of a hundred, and the greatest in
/// milliseconds.
fn show(times: usize, what: &str, measure: impl FnMut() -> io::Result<Duration>) -> io::Result<()> {
    let mut found = std::iter::repeat_with(measure).take(times).collect::<io::Result<Vec<_>>>()?;
    found.sort();
    let at = |share: usize| found[(times - 1) * share / 100].as_secs_f64() * 1000.0;
    println!("{what:<36} {:>7.2} {:>7.2} {:>7.2} {:>7.2}", at(0), at(50), at(99), at(100));
    Ok(())
}

fn main() -> io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let program = arguments.next().unwrap_or_else(|| "./plumb".to_owned());
    let times = arguments.next().map_or(Ok(TIMES), |word| word.parse());
    let times =
        times.ok().filter(|&times| times > 0).ok_or_else(|| io::Error::other("no number of times"))?;
    println!("{:<36} {:>7} {:>7} {:>7} {:>7}", format!("ms, {times} times"), "least", "p50", "p99", "most");
    show(times, "start to readyok", || start(&program))?;
    let mut engine = Engine::start(&program)?;
    show(times, "movetime 100, late by", || late(&mut engine))?;
    for (threads, mebibytes) in STOPPED {
        engine.send(&format!("setoption name Threads value {threads}"))?;
        engine.send(&format!("setoption name Hash value {mebibytes}\nisready"))?;
        engine.until("readyok")?;
        let what = format!("stop, {threads} thread(s), {mebibytes} MiB");
        show(times, &what, || stop(&mut engine))?;
    }
    engine.quit()
}
