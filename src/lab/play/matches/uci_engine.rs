//! A UCI engine in a process of its own, as a player of a match: any program that speaks UCI. Its time is
//! measured from the `go` to the arrival of its answer. An answer that is late, an end of the program and an
//! illegal move lose the game; the program is then started again for the next one.

use crate::chess::game::Game;
use crate::chess::score::{MATE, MAX_PLY, Value, centipawns};
use crate::engine::TimeControl;
use crate::lab::play::referee::{GamePlayer, GameTime, Ply, Termination, Turn};
use shakmaty::{CastlingMode, Color, Move};
use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

/// Longest time for `uciok` and `readyok`.
const READY: Duration = Duration::from_secs(60);

/// Time beyond `movetime` after which a move is late: keeping a move overhead is left to the engine.
const LATE: Duration = Duration::from_millis(500);

/// Longest time for a move without a limit of time.
const SILENCE: Duration = Duration::from_secs(600);

/// Longest time for an answer to `stop`.
const STOPPED: Duration = Duration::from_secs(10);

/// Time between two polls of the stop of the whole match.
const LOOK: Duration = Duration::from_millis(50);

/// Starts that may fail in a row before the match ends.
const STARTS: usize = 3;

/// Lines of a program that wait to be read; with more, it waits.
const LINES: usize = 1024;

/// Bytes of a line that are read; the rest of it is passed over.
const LINE: u64 = 1 << 16;

/// Longest time for the program to end after `quit`.
const QUIT: Duration = Duration::from_millis(500);

/// Path and options of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSpec {
    /// The program.
    pub path: PathBuf,
    /// Options by name and value.
    pub options: Vec<(String, String)>,
    /// True if it ponders on the opponent's time.
    pub ponder: bool,
}

/// An engine as a player.
pub struct UciEngine {
    spec: EngineSpec,
    /// `None` after it was lost, until the next game.
    process: Option<Process>,
}

impl UciEngine {
    /// Starts an engine; `stop` ends the wait for it.
    ///
    /// # Errors
    /// If it does not start, does not speak UCI, or has not the options.
    pub fn start(spec: &EngineSpec, stop: &dyn Fn() -> bool) -> Result<UciEngine, String> {
        let process = Process::start(spec, stop).map_err(|why| format!("{}: {why}", spec.path.display()))?;
        Ok(UciEngine { spec: spec.clone(), process: Some(process) })
    }

    /// The name that the engine gives itself.
    #[must_use]
    pub fn name(&self) -> &str {
        self.process.as_ref().map_or("", |process| &process.name)
    }
}

impl GamePlayer for UciEngine {
    /// A program that was lost, or answers no more, is started again.
    fn begin(&mut self, stop: &dyn Fn() -> bool) -> Result<(), String> {
        if self.process.as_mut().is_some_and(|process| process.new_game(stop).is_ok()) {
            return Ok(());
        }
        // The old one ends before the new one begins.
        self.process = None;
        let mut why = String::new();
        for _ in 0..STARTS {
            match Process::start(&self.spec, stop) {
                Ok(process) => {
                    self.process = Some(process);
                    return Ok(());
                }
                Err(error) => why = error,
            }
        }
        Err(format!("{}: {why}, {STARTS} times in a row", self.spec.path.display()))
    }

    fn choose(&mut self, turn: &Turn<'_>, stop: &dyn Fn() -> bool) -> Option<Result<Ply, Termination>> {
        let Some(process) = &mut self.process else { return Some(Err(Termination::Crash)) };
        let chosen = process.choose(turn, self.spec.ponder, stop);
        if matches!(chosen, None | Some(Err(_))) {
            self.process = None;
        }
        chosen
    }
}

/// Result of waiting for a line.
enum Heard {
    /// The line, and when it arrived.
    Line(Instant, String),
    /// Nothing in time.
    Late,
    /// The program has ended.
    End,
    /// The match was interrupted.
    Stop,
}

/// The running program.
struct Process {
    child: Child,
    input: ChildStdin,
    lines: Receiver<(Instant, String)>,
    name: String,
    /// Names of its options in lower case.
    options: Vec<String>,
    /// The move that it expects while it ponders.
    expected: Option<Move>,
}

impl Process {
    fn start(spec: &EngineSpec, stop: &dyn Fn() -> bool) -> Result<Process, String> {
        let mut command = Command::new(&spec.path);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // A group of its own: a script around an engine ends together with it, and Ctrl-C is for this program
        // alone.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|error| format!("cannot be started: {error}"))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("has no pipes".to_owned());
        };
        let (name, options) = (String::new(), Vec::new());
        let mut process = Process { child, input, lines: listen(output), name, options, expected: None };
        process.introduce(stop)?;
        let ponder = spec.ponder.then(|| ("Ponder".to_owned(), "true".to_owned()));
        for (name, value) in spec.options.iter().chain(&ponder) {
            if !process.options.contains(&name.to_lowercase()) {
                return Err(format!("has no option '{name}'"));
            }
            process.send(&format!("setoption name {name} value {value}")).map_err(|()| "has ended")?;
        }
        process.ready(stop).map_err(|()| "does not answer isready")?;
        Ok(process)
    }

    /// `uci`, and the engine's name and options.
    fn introduce(&mut self, stop: &dyn Fn() -> bool) -> Result<(), String> {
        let until = Instant::now() + READY;
        self.send("uci").map_err(|()| "ends at once")?;
        loop {
            let line = match self.next(until, stop) {
                Heard::Line(_, line) => line,
                Heard::Stop => return Err("was not waited for".to_owned()),
                Heard::End => return Err("ends without an answer to uci: is it a UCI engine?".to_owned()),
                Heard::Late => return Err("does not answer uci: is it a UCI engine?".to_owned()),
            };
            match &line.split_whitespace().collect::<Vec<_>>()[..] {
                ["uciok", ..] => break,
                ["id", "name", name @ ..] => self.name = name.join(" "),
                ["option", "name", rest @ ..] => {
                    let end = rest.iter().position(|word| *word == "type").unwrap_or(rest.len());
                    self.options.push(rest[..end].join(" ").to_lowercase());
                }
                _ => {}
            }
        }
        if self.name.is_empty() {
            "an engine without a name".clone_into(&mut self.name);
        }
        Ok(())
    }

    /// Sends a line; an error if nobody reads it any more.
    fn send(&mut self, line: &str) -> Result<(), ()> {
        log::debug!("{} < {line}", self.name);
        writeln!(self.input, "{line}").and_then(|()| self.input.flush()).map_err(drop)
    }

    /// The next line. One that arrived too late is none, however many are waiting.
    fn next(&self, until: Instant, stop: &dyn Fn() -> bool) -> Heard {
        loop {
            if stop() {
                return Heard::Stop;
            }
            let left = until.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left.min(LOOK)) {
                Ok((at, _)) if at > until => return Heard::Late,
                Ok((at, line)) => return Heard::Line(at, line),
                Err(RecvTimeoutError::Disconnected) => return Heard::End,
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Heard::Late,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Skips lines up to the one that begins with a word.
    fn until(&self, word: &str, longest: Duration, stop: &dyn Fn() -> bool) -> Result<(), ()> {
        let until = Instant::now() + longest;
        loop {
            match self.next(until, stop) {
                Heard::Line(_, line) if line.split_whitespace().next() == Some(word) => return Ok(()),
                Heard::Line(..) => {}
                _ => return Err(()),
            }
        }
    }

    fn ready(&mut self, stop: &dyn Fn() -> bool) -> Result<(), ()> {
        self.send("isready")?;
        self.until("readyok", READY, stop)
    }

    /// Ends pondering.
    fn end_pondering(&mut self, stop: &dyn Fn() -> bool) -> Result<(), ()> {
        if self.expected.take().is_none() {
            return Ok(());
        }
        self.send("stop")?;
        self.until("bestmove", STOPPED, stop)
    }

    fn new_game(&mut self, stop: &dyn Fn() -> bool) -> Result<(), ()> {
        self.end_pondering(stop)?;
        self.send("ucinewgame")?;
        self.ready(stop)
    }

    /// Chooses a move, and ponders on the answer to it. `None` if the match was interrupted.
    fn choose(
        &mut self,
        turn: &Turn<'_>,
        ponder: bool,
        stop: &dyn Fn() -> bool,
    ) -> Option<Result<Ply, Termination>> {
        let begun = match self.ask(turn, stop) {
            Ok(begun) => begun,
            Err(()) if stop() => return None,
            Err(()) => return Some(Err(Termination::Crash)),
        };
        let mut until = begun + longest(turn);
        let (mut last, mut told_to_stop) = (Info::default(), false);
        loop {
            let (at, line) = match self.next(until, stop) {
                Heard::Stop => return None,
                Heard::End => return Some(Err(Termination::Crash)),
                Heard::Late => return Some(Err(Termination::Time)),
                Heard::Line(at, line) => (at, line),
            };
            log::debug!("{} > {line}", self.name);
            last.read(&line);
            let mut words = line.split_whitespace();
            if words.next() == Some("bestmove") {
                let best = words.next().and_then(|text| turn.game.parse_move(text).ok());
                let Some(played) = best else { return Some(Err(Termination::Illegal)) };
                let time = at.saturating_duration_since(begun);
                let expected = words.nth(1).filter(|_| ponder);
                if expected.is_some_and(|text| self.ponder(turn, played, text, time).is_err()) {
                    return Some(Err(Termination::Crash));
                }
                let Info { depth, nodes, .. } = last;
                return Some(Ok(Ply { played, value: last.evidence(), depth, nodes, time }));
            }
            // Some engines do not know `go nodes`, and search for ever.
            if !told_to_stop && turn.allowed.nodes.is_some_and(|most| last.nodes > beyond(most)) {
                told_to_stop = true;
                until = until.min(Instant::now() + STOPPED);
                if self.send("stop").is_err() {
                    return Some(Err(Termination::Crash));
                }
            }
        }
    }

    /// Asks for a move; returns when its time began.
    fn ask(&mut self, turn: &Turn<'_>, stop: &dyn Fn() -> bool) -> Result<Instant, ()> {
        let last = turn.plies.last().map(|ply| ply.played);
        if self.expected.is_some() && self.expected == last {
            self.expected = None;
            let begun = Instant::now();
            return self.send("ponderhit").map(|()| begun);
        }
        self.end_pondering(stop)?;
        let chess960 = turn.opening.castling() == CastlingMode::Chess960;
        if turn.plies.len() < 2 && self.options.iter().any(|name| name == "uci_chess960") {
            self.send(&format!("setoption name UCI_Chess960 value {chess960}"))?;
        }
        self.send(&position(turn, &[]))?;
        let begun = Instant::now();
        self.send(&go(turn, turn.clocks, ""))?;
        Ok(begun)
    }

    /// Ponders on an expected answer to the move that took `spent`, if it is legal and there are clocks.
    fn ponder(&mut self, turn: &Turn<'_>, played: Move, text: &str, spent: Duration) -> Result<(), ()> {
        let mut game: Game = turn.game.clone();
        game.play(played);
        let (Some(mut clocks), None, Ok(expected)) = (turn.clocks, game.end(), game.parse_move(text)) else {
            return Ok(());
        };
        let clock = &mut clocks[turn.side()];
        *clock = clock_after(*clock, turn.allowed.clock, spent);
        self.send(&position(turn, &[played, expected]))?;
        self.send(&go(turn, Some(clocks), " ponder"))?;
        self.expected = Some(expected);
        Ok(())
    }
}

/// The clock of a side at its next move, after one that took `spent`.
fn clock_after(clock: TimeControl, time: Option<GameTime>, spent: Duration) -> TimeControl {
    let left = clock.remaining.map(|left| left.saturating_sub(spent) + clock.increment);
    match (clock.moves_to_go, time) {
        // A new period begins.
        (Some(1), Some(time)) => {
            TimeControl { remaining: left.map(|left| left + time.base), moves_to_go: time.moves, ..clock }
        }
        (moves, _) => {
            let moves_to_go = moves.map(|moves| moves.saturating_sub(1).max(1));
            TimeControl { remaining: left, moves_to_go, ..clock }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let until = Instant::now() + QUIT;
        let told = self.send("quit").is_ok();
        while told && Instant::now() < until && matches!(self.child.try_wait(), Ok(None)) {
            std::thread::sleep(Duration::from_millis(5));
        }
        // Processes that the program has started end with it.
        #[cfg(unix)]
        if let Some(group) = i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw) {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The lines of a program, with the times of their arrival.
fn listen(output: ChildStdout) -> Receiver<(Instant, String)> {
    let (sender, lines) = sync_channel(LINES);
    std::thread::spawn(move || {
        let mut output = BufReader::new(output);
        let (mut bytes, mut within_a_line) = (Vec::new(), false);
        while (&mut output).take(LINE).read_until(b'\n', &mut bytes).is_ok_and(|read| read > 0) {
            let is_rest = std::mem::replace(&mut within_a_line, bytes.last() != Some(&b'\n'));
            if !is_rest {
                let line = String::from_utf8_lossy(&bytes).trim_end().to_owned();
                if sender.send((Instant::now(), line)).is_err() {
                    return;
                }
            }
            bytes.clear();
        }
    });
    lines
}

/// Nodes beyond which an engine is told to stop: engines look at their limit from time to time.
fn beyond(nodes: u64) -> u64 {
    nodes.saturating_add(nodes / 4).saturating_add(4096)
}

/// Time after which an answer is late in any case.
fn longest(turn: &Turn<'_>) -> Duration {
    let clock = turn.clocks.and_then(|clocks| clocks[turn.side()].remaining);
    let single = turn.allowed.time.map(|time| time + LATE);
    clock.into_iter().chain(single).min().unwrap_or(SILENCE)
}

/// The command `position` of a turn, with more moves behind those played.
fn position(turn: &Turn<'_>, more: &[Move]) -> String {
    let mut text = format!("position fen {}", turn.opening.fen());
    let moves = turn.plies.iter().map(|ply| ply.played).chain(more.iter().copied());
    for (index, m) in moves.enumerate() {
        let before = if index == 0 { " moves " } else { " " };
        let _ = write!(text, "{before}{}", m.to_uci(turn.opening.castling()));
    }
    text
}

/// The command `go` of a turn.
fn go(turn: &Turn<'_>, clocks: Option<[TimeControl; 2]>, ponder: &str) -> String {
    let mut text = format!("go{ponder}");
    for (index, colour) in [Color::White, Color::Black].into_iter().enumerate() {
        if let Some(TimeControl { remaining: Some(left), increment, .. }) = clocks.map(|clocks| clocks[index])
        {
            let (letter, left, increment) = (colour.char(), left.as_millis(), increment.as_millis());
            let _ = write!(text, " {letter}time {left} {letter}inc {increment}");
        }
    }
    let allowed = turn.allowed;
    for (name, number) in [
        ("movestogo", clocks.and_then(|clocks| clocks[turn.side()].moves_to_go).map(u64::from)),
        ("movetime", allowed.time.map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX))),
        ("nodes", allowed.nodes),
        ("depth", allowed.depth.map(|depth| u64::from(depth.unsigned_abs()))),
    ] {
        if let Some(number) = number {
            let _ = write!(text, " {name} {number}");
        }
    }
    text
}

/// Value, depth and nodes of a search, from its info lines about its best line. A bound counts only while
/// there is no exact score, as with other match runners: what it bounds is not known yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Info {
    /// In centipawns, for the side to move; `None` until one is reported.
    value: Option<Value>,
    /// True if the value is exact.
    exact: bool,
    /// Depth of the line with the value.
    depth: i32,
    nodes: u64,
}

impl Info {
    /// The value, if a search stands behind it.
    fn evidence(self) -> Option<Value> {
        self.value.filter(|_| self.depth > 0)
    }

    /// Reads a line; later lines of MultiPV and texts are left out.
    fn read(&mut self, line: &str) {
        let mut words = line.split_whitespace();
        if words.next() != Some("info") {
            return;
        }
        let mut new = Info { value: None, exact: true, ..*self };
        while let Some(word) = words.next() {
            match word {
                "string" | "pv" | "currline" | "refutation" => break,
                "multipv" if words.next() != Some("1") => return,
                "depth" => new.depth = number(words.next()).unwrap_or(new.depth),
                "nodes" => new.nodes = number(words.next()).unwrap_or(new.nodes),
                "cp" => {
                    let most = 30_000;
                    let read = number(words.next()).map(|cp: i32| centipawns(cp.clamp(-most, most)));
                    new.value = read.or(new.value);
                }
                "mate" => new.value = number(words.next()).map(mate).or(new.value),
                "lowerbound" | "upperbound" => new.exact = false,
                _ => {}
            }
        }
        self.nodes = new.nodes;
        if new.value.is_some() && (new.exact || !self.exact) || self.value.is_none() {
            *self = new;
        }
    }
}

fn number<T: std::str::FromStr>(word: Option<&str>) -> Option<T> {
    word.and_then(|word| word.parse().ok())
}

/// The value of a mate in so many moves; negative for the side to move.
fn mate(moves: i32) -> Value {
    let moves = moves.clamp(-(MAX_PLY as i32) / 2, MAX_PLY as i32 / 2);
    if moves > 0 { MATE - (2 * moves - 1) } else { -MATE - 2 * moves }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::play::referee::MoveLimits;

    #[test]
    fn info_lines_are_read() {
        let mut info = Info::default();
        info.read("info depth 7 seldepth 9 multipv 1 score cp -31 nodes 500 nps 9 pv e2e4 depth 99");
        assert_eq!(info, Info { value: Some(centipawns(-31)), exact: true, depth: 7, nodes: 500 });
        info.read("info depth 9 multipv 2 score cp 80 nodes 900");
        info.read("info string depth 99 nodes 99");
        info.read("bestmove e2e4 depth 5");
        assert_eq!(info.depth, 7);
        info.read("info depth 8 score mate 3 nodes 600");
        assert_eq!(info, Info { value: Some(MATE - 5), exact: true, depth: 8, nodes: 600 });
        info.read("info depth 9 score mate -2 lowerbound nodes 700");
        info.read("info depth 10 nodes 800");
        assert_eq!(info, Info { value: Some(MATE - 5), exact: true, depth: 8, nodes: 800 });
        info.read("info depth x score cp 99999999999 nodes -4");
        assert_eq!(info, Info { value: Some(MATE - 5), exact: true, depth: 8, nodes: 800 });
        info = Info::default();
        for (line, value) in
            [("cp 20 upperbound", 20), ("cp 9 lowerbound", 9), ("cp 7", 7), ("cp 5 lowerbound", 7)]
        {
            info.read(&format!("info depth 3 score {line}"));
            assert_eq!(info.value, Some(value), "{line}");
        }
        info = Info::default();
        info.read("info nodes 5 score cp 12");
        assert_eq!((info.value, info.evidence()), (Some(12), None), "no depth");
    }

    #[test]
    fn positions_and_limits_are_written_in_uci() {
        let opening = Game::new();
        let mut game = opening.clone();
        let played = game.parse_move("e2e4").unwrap();
        let plies = [Ply { played, value: Some(0), depth: 1, nodes: 1, time: Duration::ZERO }];
        game.play(played);
        let clock = TimeControl {
            remaining: Some(Duration::from_millis(8000)),
            increment: Duration::from_millis(80),
            moves_to_go: Some(40),
            movetime: None,
        };
        let clocks = Some([clock, TimeControl { remaining: Some(Duration::from_millis(7500)), ..clock }]);
        let allowed = MoveLimits { nodes: Some(500), depth: Some(9), ..MoveLimits::default() };
        let turn = Turn { opening: &opening, plies: &plies, game: &game, allowed, clocks };
        let start = "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e4";
        assert_eq!(position(&turn, &[]), start);
        let answer = game.parse_move("e7e5").unwrap();
        assert_eq!(position(&turn, &[answer]), format!("{start} e7e5"));
        let times = "wtime 8000 winc 80 btime 7500 binc 80 movestogo 40 nodes 500 depth 9";
        assert_eq!(go(&turn, clocks, ""), format!("go {times}"));
        assert_eq!(go(&turn, clocks, " ponder"), format!("go ponder {times}"));
        assert_eq!(longest(&turn), Duration::from_millis(7500));
        let untimed = Turn { clocks: None, allowed: MoveLimits::default(), ..turn };
        assert_eq!((go(&untimed, None, ""), longest(&untimed)), ("go".to_owned(), SILENCE));
    }

    #[test]
    fn the_clock_of_the_next_move_has_the_time_of_a_new_period() {
        let seconds = Duration::from_secs;
        let time = GameTime { base: seconds(60), increment: seconds(1), moves: Some(40) };
        let clock = |left, moves| TimeControl {
            remaining: Some(seconds(left)),
            increment: seconds(1),
            moves_to_go: Some(moves),
            movetime: None,
        };
        assert_eq!(clock_after(clock(9, 2), Some(time), seconds(3)), clock(7, 1));
        assert_eq!(clock_after(clock(9, 1), Some(time), seconds(3)), clock(67, 40));
    }

    #[test]
    fn a_program_that_is_no_engine_is_refused() {
        let spec = |path: &str| EngineSpec { path: path.into(), options: Vec::new(), ponder: false };
        for path in ["/nonexistent/engine", "/bin/true"] {
            let why = UciEngine::start(&spec(path), &|| false).err().expect("refused");
            assert!(why.starts_with(path), "{why}");
        }
    }
}
