//! The UCI protocol of the built engine: every command and rule of the front end, as a GUI sees it.

use crate::common::program::{Folder, run};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Timeout for every answer: it ends a test of an engine that hangs, and measures nothing. How fast answers
/// come is shown by `examples/latencies.rs`.
const PATIENCE: Duration = Duration::from_secs(300);

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn engine() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_plumb"));
    command.env_remove("RUST_LOG").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// A running engine, killed at the end of its test.
struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Engine {
    fn start() -> Engine {
        Engine::of(&mut engine())
    }

    fn of(command: &mut Command) -> Engine {
        let mut child = command.spawn().expect("the engine starts");
        let output = child.stdout.take().unwrap();
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                let Ok(line) = line else { return };
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        let input = child.stdin.take();
        Engine { child, input, lines }
    }

    fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes).and_then(|()| input.flush()).expect("the engine listens");
    }

    fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// The next line; `None` after the timeout or when the engine has ended.
    fn next(&self, patience: Duration) -> Option<String> {
        self.lines.recv_timeout(patience).ok()
    }

    /// Lines up to and including the first one that begins with `start`.
    fn until(&self, start: &str) -> Vec<String> {
        self.until_that(|line| line.starts_with(start))
    }

    /// Lines up to and including the first one that is wanted.
    fn until_that(&self, wanted: impl Fn(&String) -> bool) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line = self.next(PATIENCE).unwrap_or_else(|| panic!("no answer after {lines:#?}"));
            let found = wanted(&line);
            lines.push(line);
            if found {
                return lines;
            }
        }
    }

    /// Lines before `readyok`.
    fn lines_until_ready(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// Sends lines and returns the answers.
    fn ask(&mut self, lines: &[&str]) -> Vec<String> {
        for line in lines {
            self.send(line);
        }
        self.lines_until_ready()
    }

    /// The FEN of the present position.
    fn fen(&mut self) -> String {
        let board = self.ask(&["d"]);
        let fen = board.iter().find_map(|line| line.strip_prefix("Fen: "));
        fen.unwrap_or_else(|| panic!("no FEN in {board:#?}")).to_owned()
    }

    /// Searches; returns the best move and the lines before it.
    fn search(&mut self, go: &str) -> (String, Vec<String>) {
        self.send(go);
        self.answer()
    }

    fn answer(&mut self) -> (String, Vec<String>) {
        let mut lines = self.until("bestmove");
        let best = lines.pop().unwrap();
        (best.split(' ').nth(1).unwrap().to_owned(), lines)
    }

    /// Closes the input, and returns what is still printed on both outputs.
    fn close(mut self) -> (Vec<String>, String) {
        self.input = None;
        let mut lines = Vec::new();
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => lines.push(line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("the engine does not end after {lines:#?}"),
            }
        }
        let status = self.child.wait().unwrap();
        let mut errors = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
        assert!(status.success(), "{status}: {errors}");
        (lines, errors)
    }

    /// Quits, and checks that nothing was printed to standard error.
    fn quit(mut self) {
        self.send("quit");
        let (_, errors) = self.close();
        assert!(errors.is_empty(), "{errors}");
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs the engine with arguments and nothing to read.
fn with_arguments(words: &[&str]) -> Output {
    engine().args(words).stdin(Stdio::null()).output().expect("the engine runs")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("the engine speaks UTF-8")
}

/// The number that follows a word of an info line.
fn number(line: &str, word: &str) -> i64 {
    let mut words = line.split(' ').skip_while(|&other| other != word);
    let value = words.nth(1).unwrap_or_else(|| panic!("no {word} in '{line}'"));
    value.parse().unwrap_or_else(|_| panic!("{word} is no whole number in '{line}'"))
}

/// Info lines that show a line of play.
fn plays(lines: &[String]) -> Vec<&String> {
    lines.iter().filter(|line| line.contains(" pv ")).collect()
}

#[test]
fn uci_is_answered_with_id_options_and_uciok() {
    let mut engine = Engine::start();
    assert_eq!(engine.next(Duration::from_millis(100)), None, "nothing is said before the first command");
    engine.send("uci");
    let lines = engine.until("uciok");
    assert!(lines[0].starts_with("id name Plumb ") && lines[1] == "id author the Plumb developers");
    for line in &lines[2..lines.len() - 1] {
        assert!(line.starts_with("option name ") && line.contains(" type "), "{line}");
    }
    for option in ["Hash", "Threads", "Backend", "Move Overhead", "Clear Hash", "MultiPV", "UCI_Chess960"] {
        assert!(lines.iter().any(|line| line.starts_with(&format!("option name {option} type"))), "{option}");
    }
    assert!(engine.lines_until_ready().is_empty());
    engine.quit();
}

#[test]
fn every_limited_go_is_answered_once() {
    let mut engine = Engine::start();
    let forms = [
        "go depth 3",
        "go nodes 3000",
        "go movetime 30",
        "go wtime 300 btime 300",
        "go wtime 300 btime 300 winc 10 binc 10",
        "go wtime 100",
        "go btime 100",
        "go wtime 1",
        "go wtime 0 btime 0",
        "go wtime -20 btime -20 winc 0 binc 0",
        "go wtime 300 btime 300 movestogo 1",
        "go wtime 300 btime 300 movestogo 40",
        "go mate 1 depth 4",
        "go depth 4 nodes 2000",
        "go depth 127 nodes 2000",
        "go movetime 30 wtime 100000 btime 100000",
        "go movetime 100000 depth 2",
        "go wtime 100000 btime 100000 nodes 500 searchmoves e2e4 d2d4",
        "go searchmoves e2e4 depth 2",
        "go depth 0",
        "go depth -3",
        "go depth 99999999999999999999 nodes 100",
        "go depth 1000 movetime 20",
        "GO DEPTH 2",
        "  go   depth\t2  ",
    ];
    for form in forms {
        let (best, lines) = engine.search(form);
        let plays = plays(&lines);
        let last = plays.last().unwrap_or_else(|| panic!("{form}: no line of play"));
        assert!(last.contains(&format!(" pv {best}")), "{form}: {best} after {last}");
        for word in ["depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "time"] {
            number(last, word);
        }
        assert!(last.contains(" score cp ") || last.contains(" score mate "));
        let legal = engine.ask(&[&format!("position startpos moves {best}")]);
        assert!(legal.is_empty(), "{form}: {legal:?}");
        engine.send("position startpos");
    }
    assert!(engine.lines_until_ready().is_empty(), "no second answer");
    engine.quit();
}

#[test]
fn the_first_limit_ends_the_search() {
    let mut engine = Engine::start();
    // By the clock or the depth alone, these would take longer than the test waits.
    for go in [
        "go movetime 100",
        "go movetime 100 wtime 100000000 btime 100000000",
        "go wtime 500 btime 500 depth 127",
        "go wtime 200 btime 200 movestogo 1 movetime 100000000",
    ] {
        engine.search(go);
    }
    let (_, lines) = engine.search("go nodes 5000");
    assert!(plays(&lines).iter().all(|line| number(line, "nodes") <= 5000), "{lines:#?}");
    let (_, lines) = engine.search("go depth 3");
    assert!(plays(&lines).iter().all(|line| number(line, "depth") <= 3), "{lines:#?}");
    engine.quit();
}

/// The last info line says what the whole search took, and is about the move that is played.
#[test]
fn the_last_line_before_every_best_move_has_all_nodes() {
    let mut engine = Engine::start();
    for (multipv, go, nodes) in
        [(1, "go nodes 20000", 20_000), (3, "go nodes 20000", 20_000), (1, "go depth 4 nodes 20000", 0)]
    {
        engine.ask(&["ucinewgame", &format!("setoption name MultiPV value {multipv}")]);
        let (best, lines) = engine.search(go);
        let last = lines.last().expect("a line");
        assert!(number(last, "multipv") == 1 || nodes == 0, "{go}: {last}");
        assert!(number(last, "nodes") >= nodes && last.contains(&format!(" pv {best}")), "{go}: {last}");
    }
    engine.send("go infinite");
    engine.until_that(|line| line.contains(" depth 8 "));
    engine.send("stop");
    let (best, lines) = engine.answer();
    let last = lines.last().expect("a line");
    assert!(last.contains(&format!(" pv {best}")), "{last}");
    engine.quit();
}

/// The selective depth is that of the iteration: after a long line of an early one it falls again.
#[test]
fn the_selective_depth_is_that_of_the_iteration() {
    let mut engine = Engine::start();
    // Two kings and a pawn behind exchanges: the early iterations see long captures.
    engine.send("position fen r1bqk2r/pp2bppp/2n1pn2/2pp4/3P4/2NBPN2/PPP2PPP/R1BQ1RK1 w kq - 0 8");
    let (_, lines) = engine.search("go depth 10");
    let depths: Vec<i64> = plays(&lines).iter().map(|line| number(line, "seldepth")).collect();
    assert!(depths.windows(2).any(|pair| pair[1] < pair[0]), "{depths:?}");
    assert!(plays(&lines).iter().all(|line| number(line, "seldepth") >= number(line, "depth") / 2));
    engine.quit();
}

/// A terminal is greeted in one line; `script` gives the engine one, where it is installed.
#[cfg(target_os = "linux")]
#[test]
fn a_terminal_is_greeted_in_one_line() {
    let program = env!("CARGO_BIN_EXE_plumb");
    let output = Command::new("script")
        .args(["--quiet", "--return", "--echo", "never", "--command", program, "/dev/null"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .and_then(|mut child| {
            child.stdin.take().expect("a pipe").write_all(b"isready\nquit\n")?;
            child.wait_with_output()
        });
    let Ok(output) = output else { return eprintln!("skipped: no script") };
    let said = text(&output.stdout);
    let lines: Vec<&str> = said.lines().map(str::trim).collect();
    assert!(lines.len() == 2 && lines[0].starts_with("Plumb ") && lines[1] == "readyok", "{said:?}");
    assert!(lines[0].contains("help"), "{said}");
}

#[test]
fn only_searchmoves_are_searched() {
    let mut engine = Engine::start();
    assert_eq!(engine.search("go depth 3 searchmoves a2a3").0, "a2a3");
    assert!(["a2a3", "h2h3"].contains(&engine.search("go searchmoves a2a3 h2h3 depth 3").0.as_str()));
    let (best, lines) = engine.search("go depth 2 searchmoves e2e5 h2h3");
    assert_eq!(best, "h2h3");
    assert!(lines[0].starts_with("info string") && lines[0].contains("e2e5"));
    engine.quit();
}

#[test]
fn infinite_searches_wait_for_stop() {
    let mut engine = Engine::start();
    for go in [
        "go infinite",
        "go",
        "go infinite depth 1",
        "go infinite searchmoves e2e4 depth 1",
        "go ponder depth 1",
    ] {
        engine.send(go);
        let late = Instant::now() + Duration::from_millis(150);
        while let Some(line) = engine.next(late.saturating_duration_since(Instant::now())) {
            assert!(line.starts_with("info "), "{go}: {line}");
        }
        engine.send("stop");
        engine.answer();
    }
    engine.send("stop");
    assert!(engine.lines_until_ready().is_empty(), "a stop without a search is not answered");
    engine.quit();
}

#[test]
fn pondering_waits_for_ponderhit_or_stop() {
    let mut engine = Engine::start();
    for go in [
        "go ponder wtime 200 btime 200",
        "go ponder movetime 50",
        "go ponder depth 2",
        "go wtime 200 btime 200 ponder",
        "go ponder",
    ] {
        engine.send("position startpos moves e2e4 e7e5");
        engine.send(go);
        let late = Instant::now() + Duration::from_millis(300);
        while let Some(line) = engine.next(late.saturating_duration_since(Instant::now())) {
            assert!(line.starts_with("info "), "{go}: {line}");
        }
        engine.send("ponderhit");
        engine.answer();
    }
    engine.send("ponderhit");
    assert!(engine.lines_until_ready().is_empty());

    engine.send("go ponder wtime 1000 btime 1000");
    engine.send("stop");
    engine.answer();
    engine.quit();
}

#[test]
fn commands_are_answered_during_a_search() {
    let mut engine = Engine::start();
    engine.send("go infinite");
    for _ in 0..3 {
        engine.send("isready");
        engine.until("readyok");
    }
    // Options wait for the stop; nothing is refused.
    let lines = engine.ask(&["setoption name Hash value 2", "setoption name Clear Hash"]);
    assert!(lines.iter().all(|line| line.starts_with("info depth ")), "{lines:#?}");
    engine.send("stop");
    engine.answer();
    assert!(engine.lines_until_ready().is_empty());
    engine.quit();
}

#[test]
fn a_position_ends_a_search_without_end_and_is_for_the_next_one() {
    let mut engine = Engine::start();
    engine.send("go infinite");
    engine.send("setoption name MultiPV value 2");
    engine.send("position fen 7k/8/8/8/8/8/8/K6R b - - 0 1");
    let (best, lines) = engine.answer();
    assert!(!best.starts_with("h8"), "{best} belongs to the old position");
    assert!(!lines.iter().any(|line| line.contains(" multipv 2 ")), "{lines:#?}");
    let (best, lines) = engine.search("go depth 2");
    assert!(best.starts_with("h8"), "{best} belongs to the new position");
    assert!(lines.iter().any(|line| line.contains(" multipv 2 ")), "{lines:#?}");
    engine.quit();
}

/// The output of the engine for a script on standard input.
fn piped(script: &str) -> Vec<String> {
    let mut engine = Engine::start();
    engine.send_bytes(script.as_bytes());
    engine.close().0
}

/// The lines of a kind, in their order.
fn starting_with<'a>(lines: &'a [String], start: &str) -> Vec<&'a String> {
    lines.iter().filter(|line| line.starts_with(start)).collect()
}

#[test]
fn every_search_of_a_pipe_is_done_in_full() {
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let alone = piped(&format!("position fen {kiwipete}\ngo depth 7\n"));
    let both = piped(&format!(
        "go depth 7\nsetoption name Clear Hash\nucinewgame\nposition fen {kiwipete}\ngo depth 7"
    ));
    let found = |lines: &[String]| starting_with(lines, "bestmove").last().unwrap().to_string();
    assert_eq!(starting_with(&both, "bestmove").len(), 2, "{both:#?}");
    assert_eq!(found(&both), found(&alone));
    let nodes = |lines: &[String]| number(starting_with(lines, "info depth 7 ").last().unwrap(), "nodes");
    assert_eq!(nodes(&both), nodes(&alone), "the second search is that of the position alone");
    assert_eq!(starting_with(&both, "info depth 7 ").len(), 2, "both searches reach their depth: {both:#?}");
}

#[test]
fn every_limited_search_at_the_end_of_input_is_finished() {
    let mate = "position fen 6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1\n";
    for (script, answers) in [
        ("go depth 6\ngo nodes 20000\ngo movetime 100\ngo wtime 200 btime 200".to_owned(), 4),
        (format!("{mate}go mate 1\ngo depth 3"), 2),
        ("go depth 1000 nodes 3000\ngo depth 1000 movetime 100".to_owned(), 2),
        ("go infinite\ngo ponder wtime 1000 btime 1000\ngo depth 2\ngo infinite".to_owned(), 4),
    ] {
        let lines = piped(&script);
        assert_eq!(starting_with(&lines, "bestmove").len(), answers, "{script}: {lines:#?}");
    }
}

#[test]
fn the_time_of_a_waiting_search_begins_with_the_search() {
    let mut engine = Engine::start();
    let start = Instant::now();
    engine.send_bytes(b"go movetime 400\ngo movetime 400\n");
    engine.answer();
    engine.answer();
    let both = start.elapsed();
    assert!(both >= Duration::from_millis(700), "at least twice the move time, on any machine: {both:?}");
    engine.quit();
}

#[test]
fn counts_and_options_wait_for_the_search_before_them() {
    let lines = piped("go depth 6\nperft 3\nbench 2\nsetoption name Nonsense value 1\nd\ngo depth 2\n");
    let at = |start: &str| {
        let found = lines.iter().position(|line| line.starts_with(start));
        found.unwrap_or_else(|| panic!("no '{start}' in {lines:#?}"))
    };
    let places = [at("bestmove"), at("Nodes searched: 8902"), at("info string unknown option"), at("Fen: ")];
    assert!(places.is_sorted(), "{places:?} in {lines:#?}");
    assert_eq!(starting_with(&lines, "bestmove").len(), 2);
    assert!(lines.iter().any(|line| line.ends_with(" nps")), "{lines:#?}");
}

#[test]
fn a_stop_ends_the_running_search_and_the_waiting_ones_at_once() {
    let mut engine = Engine::start();
    engine.send("go depth 1000");
    engine.send("position startpos moves e2e4");
    engine.send("go depth 1000");
    assert!(!engine.lines_until_ready().iter().any(|line| line.starts_with("bestmove")), "isready waits not");
    engine.send("stop");
    engine.answer();
    let (best, _) = engine.answer();
    assert!(engine.ask(&[&format!("position startpos moves e2e4 {best}")]).is_empty());
    // A stop and a ponderhit behind a waiting search without end are meant for it.
    engine.send_bytes(b"go movetime 300\ngo infinite\nstop\n");
    engine.answer();
    engine.answer();
    engine.send_bytes(b"go depth 1000\ngo ponder wtime 500 btime 500\nponderhit\nstop\n");
    engine.answer();
    engine.answer();
    assert!(engine.lines_until_ready().is_empty());
    engine.quit();
}

#[test]
fn a_stop_answers_every_search_before_it() {
    let mut engine = Engine::start();
    let start = Instant::now();
    engine
        .send_bytes(b"go movetime 1000\ngo movetime 600000\nperft 20\nbench 60\ngo movetime 600000\nstop\n");
    engine.send("go depth 3");
    let searches: Vec<_> = (0..4).map(|_| engine.answer()).collect();
    assert!(start.elapsed() < PATIENCE, "{:?}", start.elapsed());
    for stopped in ["perft was stopped", "the bench was stopped"] {
        let said = searches.iter().flat_map(|(_, lines)| lines).filter(|line| line.contains(stopped));
        assert_eq!(said.count(), 1, "{searches:#?}");
    }
    let last = &searches[3].1;
    assert!(plays(last).iter().any(|line| number(line, "depth") == 3), "behind the stop: in full: {last:#?}");
    engine.send("quit");
    engine.close();
}

#[test]
fn a_line_that_is_too_long_is_refused_and_the_next_one_is_answered() {
    let mut engine = Engine::start();
    engine.send(&format!("position startpos moves {}", "g1f3 g8f6 f3g1 f6g8 ".repeat(20_000)));
    let said = engine.lines_until_ready();
    assert_eq!(said, ["info string a line of more than 262144 bytes is ignored"]);
    engine.send(&format!("position startpos moves {}", "g1f3 g8f6 f3g1 f6g8 ".repeat(3_000)));
    assert!(engine.lines_until_ready().is_empty(), "12,000 plies are no more than a game can have");
    engine.quit();
}

#[test]
fn no_more_than_so_much_waits_for_a_search() {
    let mut engine = Engine::start();
    engine.send("go infinite");
    engine.send_bytes("setoption name Grid value 4\n".repeat(100_010).as_bytes());
    let said = engine.lines_until_ready();
    let refused = said.iter().filter(|line| line.contains("is ignored")).count();
    assert_eq!(refused, 10, "{:#?}", said.last());
    engine.send("stop");
    engine.answer();
    engine.quit();
}

#[test]
fn a_quit_ends_everything_at_once() {
    let mut engine = Engine::start();
    engine.send_bytes(b"go depth 1000\ngo depth 1000\nperft 20\nquit\n");
    let (lines, _) = engine.close();
    assert_eq!(starting_with(&lines, "bestmove").len(), 1, "{lines:#?}");
}

#[test]
fn a_go_ends_the_search_before_it() {
    let mut engine = Engine::start();
    engine.send("go infinite");
    engine.send("go depth 2");
    engine.answer();
    engine.answer();
    assert!(engine.lines_until_ready().is_empty());
    engine.send("go infinite");
    engine.send("perft 2");
    engine.answer();
    assert_eq!(engine.until("Nodes searched").last().unwrap(), "Nodes searched: 400");
    engine.quit();
}

#[test]
fn the_end_of_input_ends_the_engine() {
    for (go, least) in [
        ("go depth 3\n", 1),
        ("go depth 3", 1),
        ("go movetime 100\n", 1),
        ("go infinite\n", 1),
        ("go\n", 1),
        ("go ponder wtime 1000 btime 1000\n", 1),
        ("", 0),
        ("isready\n", 0),
    ] {
        let mut engine = Engine::start();
        engine.send_bytes(go.as_bytes());
        let (lines, errors) = engine.close();
        assert_eq!(lines.iter().filter(|line| line.starts_with("bestmove")).count(), least, "{go}");
        assert!(least == 0 || lines.last().unwrap().starts_with("bestmove"), "{go}: {lines:#?}");
        assert!(errors.is_empty(), "{errors}");
    }
    let mut engine = Engine::start();
    engine.send("go infinite");
    engine.send("quit");
    let (lines, _) = engine.close();
    assert!(lines.last().unwrap().starts_with("bestmove"), "{lines:#?}");
}

#[test]
fn bad_input_gets_one_line_and_changes_nothing() {
    let mut engine = Engine::start();
    engine.send("position startpos moves e2e4");
    let fen = engine.fen();
    let long = "x".repeat(5000);
    for (line, named) in [
        ("foo", "foo"),
        ("foo bar", "foo"),
        ("isreadyx", "isreadyx"),
        (long.as_str(), "xxx"),
        ("debug", "debug"),
        ("position", "position"),
        ("position nowhere", "nowhere"),
        ("position startpos moves e2e5", "e2e5"),
        ("position startpos moves e2e4 e7e5 e4e5 d7d6", "move 3"),
        ("position startpos moves e2e4 xyzzy", "xyzzy"),
        ("position startpos moves e2e4  0000", "0000"),
        ("position startpos moves e2e4 e7e5q", "e7e5q"),
        ("position startpos e2e4", "e2e4"),
        ("position fen", "FEN"),
        ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "no king"),
        ("position fen kk6/8/8/8/8/8/8/K7 w - - 0 1", "2 kings"),
        ("position fen rnbqkbnr/pppppppp/8/8/8/P7/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "17 pieces"),
        ("position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1", "field 1"),
        ("position fen rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "field 1"),
        ("position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1", "field 2"),
        ("position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1 moves e2e5", "e2e5"),
        ("position fen 4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", "check"),
        ("position fen 4k3/8/8/8/8/8/8/P3K3 w - - 0 1", "pawn"),
        ("setoption", "name"),
        ("setoption Hash value 3", "name"),
        ("setoption name", "name"),
        ("setoption name Nonsense value 3", "Nonsense"),
        ("setoption name UCI_ShowWDL value perhaps", "UCI_ShowWDL"),
        ("setoption name Hash", "Hash"),
        ("setoption name Hash value", "Hash"),
        ("setoption name Hash value 0", "0"),
        ("setoption name Hash value -5", "-5"),
        ("setoption name Hash value 99999999999999999999", "Hash"),
        ("setoption name Hash value lots", "lots"),
        ("setoption name Threads value 1025", "1025"),
        ("setoption name Backend value minimax", "minimax"),
        ("setoption name Ponder value maybe", "maybe"),
        ("setoption name Debug Log File value /no/such/folder/at/all.log", "log"),
        ("perft", "perft"),
        ("perft deep", "deep"),
        ("perft 1000", "1000"),
        ("go perft", "perft"),
        ("bench fast", "fast"),
    ] {
        let said = engine.ask(&[line]);
        assert_eq!(said.len(), 1, "{line}: {said:#?}");
        assert!(said[0].starts_with("info string ") && said[0].contains(named), "{line}: {}", said[0]);
        assert_eq!(engine.fen(), fen, "{line}");
    }
    engine.quit();
}

#[test]
fn a_backend_of_one_thread_reports_that_it_uses_one() {
    let mut engine = Engine::start();
    engine.ask(&["setoption name Threads value 2"]);
    let told = |lines: &[String]| lines.iter().any(|line| line.contains("searches with one thread"));
    assert!(!told(&engine.search("go depth 2").1));
    engine.ask(&["setoption name Backend value INS"]);
    assert!(told(&engine.search("go depth 2").1));
    engine.quit();
}

#[test]
fn a_backend_reports_the_options_that_it_does_not_read() {
    let mut engine = Engine::start();
    let told = |lines: &[String]| -> Vec<String> {
        lines.iter().filter(|line| line.contains("does not read")).cloned().collect()
    };
    engine.ask(&["setoption name Backend value BestFirst"]);
    assert_eq!(told(&engine.search("go depth 2").1), [""; 0]);
    engine.ask(&["setoption name MultiPV value 2", "setoption name Mode value paper"]);
    let wanted = ["info string BestFirst does not read MultiPV, Mode"];
    assert_eq!(told(&engine.search("go depth 2").1), wanted);
    assert_eq!(told(&engine.search("go depth 2").1), wanted, "in every search, once");
    engine.ask(&["setoption name Backend value NegaScout"]);
    assert_eq!(told(&engine.search("go depth 2").1), [""; 0]);
    engine.quit();
}

#[test]
fn an_invalid_go_is_answered_with_a_move() {
    let mut engine = Engine::start();
    for (go, named) in [
        ("go dpeth 10", "dpeth"),
        ("go nodes 99999999999999999999 depth 2", "64 bits"),
        ("go depth 2 fast", "fast"),
        ("go depth 2 searchmoves e9e4", "e9e4"),
        ("go nodes -3", "-3"),
    ] {
        let (_, lines) = engine.search(go);
        let complaints: Vec<_> = lines.iter().filter(|line| line.starts_with("info string")).collect();
        assert!(complaints.len() == 1 && complaints[0].contains(named), "{go}: {lines:#?}");
    }
    // Without a number nothing is searched.
    for (go, named) in [
        ("go depth abc", "abc"),
        ("go depth", "depth"),
        ("go movetime", "movetime"),
        ("go movetime 1.5", "1.5"),
        ("go wtime 1000 btime x", "'x'"),
    ] {
        let lines = engine.ask(&[go]);
        assert!(lines.len() == 1 && lines[0].starts_with("info string go: "), "{go}: {lines:#?}");
        assert!(lines[0].contains(named), "{lines:?}");
    }
    assert!(engine.lines_until_ready().is_empty());
    engine.quit();
}

#[test]
fn positions_are_read_in_every_form() {
    let mut engine = Engine::start();
    for (position, fen) in [
        ("startpos", START),
        ("fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", START),
        ("fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1", START),
        ("fen  rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR  w   KQkq  - 0 1", START),
        ("startpos moves", START),
        ("startpos moves e2e4  e7e5", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"),
        ("startpos moves E2E4 E7E5 G1F3", "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2"),
        ("fen 4k3/P7/8/8/8/8/8/4K3 w - - moves a7a8Q", "Q3k3/8/8/8/8/8/8/4K3 b - - 0 1"),
        ("fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - moves e1g1 e8a8", "2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2"),
        ("fen 4k3/8/8/8/8/8/8/4K3 w KQkq e3 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
    ] {
        let said = engine.ask(&[&format!("position {position}")]);
        assert!(said.is_empty(), "{position}: {said:?}");
        assert_eq!(engine.fen(), fen, "{position}");
    }
    engine.quit();
}

#[test]
fn castling_is_written_as_the_position_and_uci_chess960_demand() {
    let mut engine = Engine::start();
    let standard = "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let frc = "position fen 1rk3r1/pppppppp/8/8/8/8/PPPPPPPP/1RK3R1 w GBgb - 0 1";
    for (chess960, position, asked, printed) in [
        (false, standard, "e1g1", "e1g1"),
        (false, standard, "e1h1", "e1g1"),
        (true, standard, "e1g1", "e1h1"),
        (true, standard, "e1a1", "e1a1"),
        (false, frc, "c1g1", "c1g1"),
        (true, frc, "c1b1", "c1b1"),
    ] {
        engine.send(&format!("setoption name UCI_Chess960 value {chess960}"));
        engine.send(position);
        let (best, lines) = engine.search(&format!("go depth 2 searchmoves {asked}"));
        assert_eq!(best, printed, "{chess960} {position}: {lines:#?}");
        assert!(engine.ask(&[&format!("{position} moves {best}")]).is_empty());
    }
    engine.quit();
}

#[test]
fn option_names_ignore_case_and_spaces() {
    let mut engine = Engine::start();
    for line in [
        "setoption name Move Overhead value 50",
        "setoption name move overhead value 0",
        "setoption  name  MOVE OVERHEAD  value  10 ",
        "setoption name Clear Hash",
        "setoption name hash value 8",
        "setoption name Backend value MTD(f)",
        "setoption name Backend value negascout",
        "setoption name Backend value SSS*",
        "setoption name Backend value mtdf",
        "setoption name Mode value PAPER",
        "setoption name Mode value play",
        "setoption name MultiPV value 1",
        "setoption name UCI_AnalyseMode value true",
        "setoption name Ponder value true",
        "setoption name Debug Log File value <empty>",
        "setoption name Debug Log File value",
        "ucinewgame",
        "debug on",
        "debug off",
        "register later",
        "hello debug on",
    ] {
        assert!(engine.ask(&[line]).is_empty(), "{line}");
    }
    engine.search("go depth 3");
    engine.quit();
}

#[test]
fn every_backend_answers_in_every_mode() {
    let mut engine = Engine::start();
    let names = |lines: &[String], option: &str| -> Vec<String> {
        let start = format!("option name {option} type combo");
        let line = lines.iter().find(|line| line.starts_with(&start)).expect("the option is declared");
        line.split(" var ").skip(1).map(str::to_owned).collect()
    };
    engine.send("uci");
    let lines = engine.until("uciok");
    for mode in names(&lines, "Mode") {
        for backend in names(&lines, "Backend") {
            engine.send("ucinewgame");
            engine.send(&format!("setoption name Mode value {mode}"));
            engine.send(&format!("setoption name Backend value {backend}"));
            engine.send("position startpos moves e2e4 e7e5");
            let (best, said) = engine.search("go depth 4");
            // Textbook backends report that they do not read Mode.
            let does_not_read_mode = format!("info string {backend} does not read Mode");
            let others: Vec<_> = said.iter().filter(|line| !line.starts_with("info depth ")).collect();
            assert!(others.iter().all(|line| **line == does_not_read_mode), "{backend} {mode}: {said:#?}");
            let legal = engine.ask(&[&format!("position startpos moves e2e4 e7e5 {best}")]);
            assert!(legal.is_empty(), "{backend} {mode}: {best}");
        }
    }
    engine.quit();
}

#[test]
fn a_hash_size_that_cannot_be_allocated_leaves_the_old_table() {
    let mut engine = Engine::start();
    // Some machines have so much memory, or overcommit it.
    let said = engine.ask(&["setoption name Hash value 1048576"]);
    assert!(said.len() <= 1, "{said:#?}");
    assert!(said.iter().all(|line| line.starts_with("info string ")));
    assert!(engine.ask(&["setoption name Hash value 1"]).is_empty());
    engine.search("go depth 3");
    engine.quit();
}

/// The engine in a shell that gives it so many KiB of addresses.
#[cfg(target_os = "linux")]
fn within(kibibytes: u32) -> Engine {
    let mut shell = Command::new("sh");
    let program = env!("CARGO_BIN_EXE_plumb");
    shell.args(["-c", &format!("ulimit -v {kibibytes}; exec \"$0\""), program]).env_remove("RUST_LOG");
    Engine::of(shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()))
}

#[cfg(target_os = "linux")]
#[test]
fn threads_beyond_the_memory_are_refused_and_the_old_ones_stay() {
    let mut engine = within(600_000);
    assert!(engine.ask(&["setoption name Threads value 2"]).is_empty());
    let said = engine.ask(&["setoption name Threads value 64"]);
    assert_eq!(said.len(), 1, "{said:#?}");
    assert!(said[0].starts_with("info string no more threads") && said[0].ends_with("the old ones stay"));
    engine.search("go depth 5");
    let said = engine.ask(&["setoption name Hash value 4096"]).join(" ");
    assert!(said.contains("4096 MiB"), "{said}");
    engine.send("bench 1 64");
    engine.until("info string no thread can be started to search: there is not enough memory");
    engine.search("go depth 5");
    engine.quit();
}

/// The engine as a member of a control group.
#[cfg(target_os = "linux")]
fn member(group: &crate::common::cgroup::MemoryGroup) -> Engine {
    Engine::of(group.plumb(&[]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()))
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "needs a memory cgroup"]
fn hash_and_threads_beyond_a_control_group_are_refused_and_what_was_there_stays() {
    let outer = crate::common::cgroup::MemoryGroup::new().limited(600);
    let inner = outer.inner();
    for group in [&outer, &inner] {
        let mut engine = member(group);
        for refused in ["2048", "1048576"] {
            let said = engine.ask(&[&format!("setoption name Hash value {refused}")]);
            let start =
                format!("info string a table of {refused} MiB cannot be allocated: there is memory for ");
            assert!(said.len() == 1 && said[0].starts_with(&start), "{said:#?}");
            assert!(said[0].ends_with(" MiB; the old one stays"), "{said:#?}");
        }
        // There is room for each of them, not for two.
        for size in ["350", "400", "300", "450"] {
            assert!(engine.ask(&[&format!("setoption name Hash value {size}")]).is_empty(), "{size}");
        }
        engine.search("go depth 5");
        assert!(engine.ask(&["setoption name Threads value 8"]).is_empty());
        let said = engine.ask(&["setoption name Threads value 512"]);
        assert!(said.len() == 1 && said[0].ends_with("the old ones stay"), "{said:#?}");
        engine.search("go depth 5");
        engine.quit();
    }
}

/// The tree of such a backend may take as much as the table, but for what is left in the group.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "needs a memory cgroup"]
fn the_tree_of_a_textbook_backend_takes_no_more_than_its_control_group_has() {
    let group = crate::common::cgroup::MemoryGroup::new().limited(600);
    let mut engine = member(&group);
    engine.ask(&["setoption name Backend value best-first"]);
    let mut full = |hash: &str| {
        engine.ask(&[&format!("setoption name Hash value {hash}"), "ucinewgame"]);
        let (_, lines) = engine.search("go nodes 50000");
        let share = lines.iter().rev().find_map(|line| line.split_once(" hashfull ")).expect("a share");
        share.1.split(' ').next().and_then(|share| share.parse::<usize>().ok()).expect("a number")
    };
    // Less than two MiB, of 250, and of 16 where 540 leave nothing else.
    let (roomy, narrow) = (full("250"), full("540"));
    assert!(roomy < 15 && (30..500).contains(&narrow), "{roomy} and {narrow} thousandths");
    engine.quit();
}

#[cfg(all(target_os = "linux", feature = "lab"))]
#[test]
#[ignore = "needs a memory cgroup"]
fn a_command_of_the_laboratory_whose_tables_are_beyond_a_control_group_ends_with_a_sentence() {
    let group = crate::common::cgroup::MemoryGroup::new().limited(600);
    let folder = Folder::new("cgroup");
    let suite = folder.file("suite.epd", &format!("{START}\n").replace(" 0 1", " bm e4;").repeat(8));
    let report = folder.path("lab");
    let commands = [
        &["epd", "--hash", "2048", "--depth", "1", &suite][..],
        // Each of them would fit.
        &["epd", "--hash", "300", "--jobs", "4", "--depth", "1", &suite],
        &["compare", "--hash", "2048", "--depth", "1", &suite],
        &["tournament", "Hash=300", "Hash=301", "--games", "2", "--nodes", "10"],
        &["datagen", "--set", "Hash=2048", "--games", "1", "--nodes", "10", "--out", &report],
    ];
    for words in commands {
        let output = group.plumb(words).stdin(Stdio::null()).output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{words:?}: {err}");
        let said: Vec<_> = err.lines().filter(|line| line.contains("cannot be allocated")).collect();
        assert!(said.len() == 1 && said[0].contains("there is memory for"), "{words:?}: {err}");
    }
    let jobs = ["epd", "--hash", "100", "--jobs", "4", "--depth", "1", &suite];
    assert!(group.plumb(&jobs).stdin(Stdio::null()).output().unwrap().status.success(), "all four fit");
}

/// The most memory that the program ever took, or what it takes now, in MiB.
#[cfg(target_os = "linux")]
fn resident(engine: &Engine, line: &str) -> usize {
    let status = std::fs::read_to_string(format!("/proc/{}/status", engine.child.id())).unwrap();
    let kibibytes = status.lines().find_map(|text| text.strip_prefix(line)?.strip_prefix(':'));
    kibibytes.unwrap().trim().trim_end_matches(" kB").parse::<usize>().unwrap() >> 10
}

#[cfg(target_os = "linux")]
#[test]
fn the_old_table_is_given_back_before_the_new_one_is_written() {
    let mut engine = Engine::start();
    engine.ask(&["setoption name Threads value 2", "setoption name Hash value 256"]);
    assert!(resident(&engine, "VmRSS") >= 256, "the table is written when it is set");
    engine.ask(&["setoption name Hash value 320", "isready"]);
    engine.search("go depth 3");
    let most = resident(&engine, "VmHWM");
    assert!((320..256 + 320 - 64).contains(&most), "{most} MiB");
    engine.ask(&["setoption name Hash value 1"]);
    let left = resident(&engine, "VmRSS");
    assert!(left < 256, "{left} MiB");
    engine.search("go depth 3");
    engine.quit();
}

/// Reading any of these would block, or never end.
#[cfg(unix)]
#[test]
fn devices_and_pipes_are_no_files_to_read() {
    let folder = Folder::new("pipes");
    let pipe = folder.path("KQvK.rtbw");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut engine = Engine::start();
    for path in ["/dev/zero", "/dev/null", &pipe] {
        for option in ["EvalFile", "BookFile"] {
            let said = engine.ask(&[&format!("setoption name {option} value {path}")]);
            assert!(said.len() == 1 && said[0].contains("not a regular file"), "{option} {path}: {said:#?}");
        }
    }
    let said = engine.ask(&[&format!("setoption name SyzygyPath value {}", folder.path(""))]);
    assert!(said.len() == 1 && said[0].contains("not a regular file"), "{said:#?}");
    let said = engine.ask(&[&format!("setoption name Debug Log File value {pipe}")]);
    assert!(said.len() == 1 && said[0].contains("a pipe"), "{said:#?}");
    if cfg!(feature = "lab") {
        let (_, errors, code) = run(&["epd", "/dev/zero", "--depth", "1"]);
        assert!(code == 1 && errors.contains("longer than"), "{code}: {errors}");
    }
    engine.quit();
}

/// Every kind of command: of the front end, help, tables of the laboratory.
#[cfg(target_os = "linux")]
#[test]
fn a_write_error_on_standard_output_is_a_failure() {
    let full = || Stdio::from(std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap());
    let commands = [&["perft", "3"][..], &["bench", "1"], &["d"], &["go", "depth", "1"], &["help"], &["-V"]];
    let ours = [
        &["help", "epd"][..],
        &["epd", "--help"],
        &["manual"],
        &["completions", "bash"],
        &["lab", "--list"],
        &["compare", "epd/games.epd", "--depth", "1", "--positions", "1"],
        &["tournament", "Backend=mtdf", "Backend=negascout", "--depth", "1", "--games", "2"],
        &["book", "probe", "book/plumb.bin"],
    ];
    let ours = if cfg!(feature = "lab") { &ours[..] } else { &[] };
    for words in commands.iter().chain(ours) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_plumb"));
        let output = command.args(*words).stdin(Stdio::null()).stdout(full()).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{words:?}: {}", text(&output.stderr));
        assert!(text(&output.stderr).contains("standard output"), "{words:?}: {}", text(&output.stderr));
    }
    let mut child = engine().stdout(full()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"uci\nisready\n").unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

#[test]
fn debug_log_file_records_the_conversation() {
    let file = std::env::temp_dir().join(format!("plumb test {}.log", std::process::id()));
    let mut engine = Engine::start();
    assert!(engine.ask(&[&format!("setoption name Debug Log File value {}", file.display())]).is_empty());
    engine.search("go depth 1");
    engine.quit();
    let log = std::fs::read_to_string(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    assert!(log.contains(">> go depth 1") && log.contains("<< bestmove"), "{log}");
}

#[test]
fn a_log_is_appended_to_no_other_file() {
    let folder = Folder::new("log");
    let mut engine = Engine::start();
    for (name, text) in [("x.rec", "# plumb tournament\nrows\n"), ("x.net", "net\0\0")] {
        let path = folder.file(name, text);
        let said = engine.ask(&[&format!("setoption name Debug Log File value {path}")]);
        assert!(said.len() == 1 && said[0].contains("it is no log"), "{said:#?}");
        assert_eq!(folder.text(name), text);
    }
    engine.quit();
}

/// Engines may share a log, and no command of the laboratory replaces it meanwhile.
#[cfg(unix)]
#[test]
fn a_log_that_is_written_is_locked() {
    let folder = Folder::new("logs");
    let path = folder.file("x.log", "a log\n");
    let mut engines = [Engine::start(), Engine::start()];
    for engine in &mut engines {
        assert!(engine.ask(&[&format!("setoption name Debug Log File value {path}")]).is_empty());
    }
    if cfg!(feature = "lab") {
        let (_, errors, code) = run(&["epd", "epd/mates.epd", "--depth", "1", "--json", &path]);
        assert!(code == 1 && errors.contains("is being written by another plumb"), "{code}: {errors}");
    }
    engines.into_iter().for_each(Engine::quit);
    let held = std::fs::File::open(&path).unwrap();
    held.lock().unwrap();
    let mut engine = Engine::start();
    let said = engine.ask(&[&format!("setoption name Debug Log File value {path}")]);
    assert!(said.len() == 1 && said[0].contains("another program is writing it"), "{said:#?}");
    engine.quit();
}

/// The numbers after ` wdl ` of a line, which directly follows its score.
fn wdl(line: &str) -> [i64; 3] {
    let (before, wdl) = line.split_once(" wdl ").unwrap_or_else(|| panic!("no wdl in {line}"));
    assert!(before.contains(" score "), "{line}");
    let mut wdl = wdl.split(' ').map(|word| word.parse().unwrap());
    [0; 3].map(|_| wdl.next().unwrap())
}

#[test]
fn every_score_has_its_wdl_with_uci_show_wdl() {
    let mut engine = Engine::start();
    let (_, lines) = engine.search("go depth 5");
    assert!(!lines.iter().any(|line| line.contains(" wdl ")));
    assert!(
        engine.ask(&["setoption name UCI_ShowWDL value true", "setoption name MultiPV value 3"]).is_empty()
    );
    let (_, lines) = engine.search("go depth 5");
    for line in plays(&lines) {
        let [win, draw, loss] = wdl(line);
        assert!(win + draw + loss == 1000 && [win, draw, loss].iter().all(|&part| part >= 0), "{line}");
        assert_eq!((number(line, "cp") > 0, number(line, "cp") < 0), (win > loss, win < loss), "{line}");
    }
    for (fen, go, wanted) in [
        ("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "go depth 5", [1000, 0, 0]),
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", "go depth 3", [0, 0, 1000]),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "go depth 3", [0, 1000, 0]),
    ] {
        engine.send(&format!("position fen {fen}"));
        let (_, lines) = engine.search(go);
        let first = lines.iter().rev().find(|line| line.contains(" multipv 1 ") || line.contains("depth 0"));
        assert_eq!(wdl(first.unwrap()), wanted, "{fen}: {lines:?}");
    }
    engine.quit();
}

#[test]
fn limited_strength_ends_a_timed_search_and_not_analysis() {
    let mut engine = Engine::start();
    let weak = [
        "setoption name UCI_LimitStrength value true",
        "setoption name UCI_Elo value 1500",
        "setoption name HumanTime value false",
        // No book knows this opening.
        "position startpos moves a2a4 a7a5 h2h4",
    ];
    assert!(engine.ask(&weak).is_empty());
    let (_, lines) = engine.search("go movetime 600000");
    let made = number(plays(&lines).last().unwrap(), "nodes");
    engine.send("go infinite");
    loop {
        let line = engine.until("info").pop().unwrap();
        if line.contains(" pv ") && number(&line, "nodes") > 2 * made {
            break;
        }
    }
    assert!(!engine.lines_until_ready().iter().any(|line| line.starts_with("bestmove")));
    engine.send("stop");
    engine.answer();
    let refused = engine.ask(&["setoption name UCI_Elo value 600"]);
    assert!(refused.len() == 1 && refused[0].contains("not within 700 to 2800"), "{refused:?}");
    engine.quit();
}

#[test]
fn a_root_without_moves_has_no_best_move() {
    let mut engine = Engine::start();
    for (fen, score) in [
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", "info depth 0 score mate 0"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "info depth 0 score cp 0"),
    ] {
        engine.send(&format!("position fen {fen}"));
        for go in ["go depth 3", "go movetime 50", "go wtime 100 btime 100"] {
            engine.send(go);
            assert_eq!(engine.until("bestmove"), [score, "bestmove (none)"], "{fen} {go}");
        }
        engine.send("go infinite");
        engine.until(score);
        assert!(engine.lines_until_ready().is_empty());
        engine.send("stop");
        assert_eq!(engine.until("bestmove"), ["bestmove (none)"]);
    }
    engine.quit();
}

#[test]
fn drawn_and_forced_positions_are_answered() {
    let mut engine = Engine::start();
    for fen in [
        "7k/8/8/8/8/8/8/K7 w - - 0 1",
        "7k/8/8/8/8/8/8/KR6 w - - 100 90",
        "7k/8/8/8/8/8/8/KR6 w - - 9999 9999",
        "8/8/8/8/8/5k2/6p1/6K1 w - - 0 1",
    ] {
        engine.send(&format!("position fen {fen}"));
        engine.search("go depth 3");
    }
    // The only legal move is played at once, however much time there is.
    engine.send("position fen 7k/8/8/8/8/8/1r6/K7 w - - 0 1");
    engine.search("go wtime 100000000 btime 100000000");
    engine.quit();
}

#[test]
fn perft_divides_and_counts() {
    let mut engine = Engine::start();
    for perft in ["go perft 3", "perft 3"] {
        engine.send(perft);
        let lines = engine.until("Nodes searched");
        assert_eq!(lines.last().unwrap(), "Nodes searched: 8902");
        assert_eq!(lines.iter().filter(|line| line.contains(": ") && line.len() < 12).count(), 20);
    }
    engine.send("perft 30");
    engine.send("isready");
    engine.until("readyok");
    engine.send("stop");
    engine.until("info string perft was stopped");
    engine.quit();
}

#[test]
fn commands_beyond_uci_are_answered() {
    let mut engine = Engine::start();
    let board = engine.ask(&["d"]).join("\n");
    assert!(
        board.starts_with(" +---+---+---+---+---+---+---+---+\n | r | n | b | q | k | b | n | r | 8\n")
            && board.contains("\n   a   b   c   d   e   f   g   h\n"),
        "{board}"
    );
    assert!(board.contains("Key: 463b96181691fc9c"), "{board}");
    assert!(
        engine
            .ask(&["position fen 4k3/8/8/8/8/8/4R3/4K3 b - - 0 1", "d"])
            .join("\n")
            .contains("Checkers: e2")
    );
    engine.send("position startpos moves e2e4");
    engine.send("flip");
    assert_eq!(engine.fen(), "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    for (command, lines) in [("compiler", 1), ("version", 1)] {
        assert_eq!(engine.ask(&[command]).len(), lines, "{command}");
    }
    assert!(engine.ask(&["eval"]).last().unwrap().starts_with("evaluation: "));
    assert!(engine.ask(&["help"]).len() > 10);
    assert!(engine.ask(&["options"]).iter().any(|line| line.starts_with("| `Hash` | spin | `16` |")));
    engine.quit();
}

#[test]
fn scores_of_an_analysis_are_finer_than_those_of_a_game() {
    const POSITION: &str =
        "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let mut engine = Engine::start();
    let mut nodes = |settings: &[&str]| {
        engine.ask(&["ucinewgame"]);
        engine.ask(&[POSITION]);
        engine.ask(settings);
        let (_, lines) = engine.search("go depth 8");
        number(plays(&lines).last().unwrap(), "nodes")
    };
    let (on, off) =
        ("setoption name UCI_AnalyseMode value true", "setoption name UCI_AnalyseMode value false");
    let (same, fine) = ("setoption name AnalysisBackend value same", "setoption name AnalysisGrid value 1");
    let game = nodes(&[]);
    let by_default = nodes(&[on]);
    let analysis = nodes(&[same, fine]);
    assert_ne!(analysis, game, "the grid is another");
    assert_eq!(nodes(&[off, "setoption name Grid value 1"]), analysis, "that of AnalysisGrid");
    assert_eq!(nodes(&["setoption name Grid value 16"]), game, "games are searched as before");
    assert_eq!(nodes(&["setoption name Backend value NegaScout"]), by_default, "that of AnalysisBackend");
    engine.ask(&["setoption name Backend value MTD(f)", "setoption name AnalysisBackend value auto"]);
    // The lines of MultiPV have scores of their own.
    engine.ask(&["ucinewgame", "setoption name MultiPV value 8"]);
    engine.ask(&[POSITION]);
    let (_, lines) = engine.search("go depth 8");
    let scores: Vec<i64> = plays(&lines).iter().rev().take(8).map(|line| number(line, "cp")).collect();
    let mut different = scores.clone();
    different.dedup();
    assert!(different.len() >= 6, "{scores:?}");
    engine.quit();
}

#[test]
fn debug_on_adds_only_info_lines() {
    let mut engine = Engine::start();
    engine.send("debug on");
    let (_, lines) = engine.search("go depth 4");
    assert!(lines.iter().all(|line| line.starts_with("info ")), "{lines:#?}");
    engine.quit();
}

#[test]
fn commands_given_as_arguments_run_and_exit() {
    for (words, expected) in [
        (&["go", "movetime", "50"][..], "bestmove "),
        (&["go", "depth", "3"], "bestmove "),
        (&["go", "infinite", "depth", "2"], "bestmove "),
        (&["perft", "3"], "Nodes searched: 8902"),
        (&["go", "perft", "2"], "Nodes searched: 400"),
        (&["--version"], "Plumb "),
        (&["-V"], "Plumb "),
        (&["compiler"], "Plumb "),
        (&["uci"], "uciok"),
        (&["d"], "Checkers:"),
    ] {
        let output = with_arguments(words);
        assert!(output.status.success(), "{words:?}");
        let last = text(&output.stdout).trim_end().lines().last().unwrap_or_default();
        assert!(last.starts_with(expected), "{words:?}: {last}");
    }
    // Analysis on the command line, whose answer waits for nothing.
    for (words, analysed) in [(&["go", "infinite", "depth", "2"][..], true), (&["go", "depth", "2"], false)] {
        let output = with_arguments(words);
        assert_eq!(text(&output.stdout).contains("this analysis is by "), analysed, "{words:?}");
    }
    for words in [&["--help"][..], &["-h"], &["help"]] {
        assert!(text(&with_arguments(words).stdout).contains("bench"), "{words:?}");
    }
    for words in [&["nonsense"][..], &["help", "nonsense"]] {
        let output = with_arguments(words);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{words:?}");
        let errors = text(&output.stderr);
        assert!(errors.lines().count() == 1 && errors.contains("'nonsense'"), "{words:?}: {errors}");
    }
}

#[test]
fn nothing_on_the_command_line_is_accepted_in_silence() {
    for (words, named) in [
        (&["bench", "0"][..], "'0'"),
        (&["bench", "1", "0"], "'0'"),
        (&["bench", "1", "1", "extra"], "'extra'"),
        (&["bench", "1000"], "'1000'"),
        (&["bench", "99999999999999999999"], "'99999999999999999999'"),
        (&["perft", "99999999999999999999"], "'99999999999999999999'"),
        (&["go", "depth", "x"], "'x'"),
        (&["go", "depth"], "depth"),
        (&["go", "depth", "1", "fast"], "'fast'"),
        (&["go", "depth", "0"], "depth 0"),
        (&["go", "depth", "1", "nodes", "99999999999999999999"], "64 bits"),
        (&["go", "depth", "1", "searchmoves", "e2e5"], "e2e5"),
        (&["options", "x"], "'x'"),
        (&["version", "x"], "'x'"),
        (&["help", "d", "x"], "'x'"),
        (&["setoption", "name", "Hash", "value", "99999999999999999999"], "99999999999999999999"),
    ] {
        let output = with_arguments(words);
        let errors = text(&output.stderr);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{words:?}: {output:?}");
        assert!(errors.lines().count() == 1 && errors.contains(named), "{words:?}: {errors}");
    }
}

#[test]
fn the_help_of_a_command_is_found_either_way() {
    for (words, same, expected) in [
        (&["help", "perft"][..], &["perft", "--help"][..], "plumb perft N [POSITION]"),
        (&["help", "go"], &["go", "depth", "3", "-h"], "movetime"),
        (&["help", "d"], &["d", "--help"], "FEN"),
    ] {
        let output = with_arguments(words);
        assert!(output.status.success() && text(&output.stdout).contains(expected), "{output:?}");
        assert_eq!(output.stdout, with_arguments(same).stdout, "{same:?}");
    }
    let mut engine = Engine::start();
    assert!(engine.ask(&["help perft"]).iter().any(|line| line.contains("plumb perft N")));
    let said = engine.ask(&["help nonsense"]);
    assert!(said.len() == 1 && said[0].starts_with("info string help: ") && said[0].contains("nonsense"));
    engine.quit();
}

const ENDING: &str = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";

#[test]
fn commands_given_as_arguments_take_a_position() {
    let spaced: Vec<&str> = ENDING.split(' ').collect();
    let separate = [&["perft", "3"][..], &spaced].concat();
    for (words, expected) in [
        (&["perft", "3", ENDING][..], "Nodes searched: 2812"),
        (&separate, "Nodes searched: 2812"),
        (&["go", "perft", "3", "fen", ENDING], "Nodes searched: 2812"),
        (&["perft", "1", "fen", ENDING, "moves", "b4f4"], "Nodes searched: 2"),
        (&["d", ENDING, "moves", "e2e4"], "Checkers:"),
        (&["d", "startpos", "moves", "e2e4"], "Checkers:"),
        (&["eval", "6k1/5ppp/8/8/8/8/8/R3K3 w Q -"], "evaluation: "),
        (&["go", "depth", "4", "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1"], "bestmove a1a8"),
    ] {
        let output = with_arguments(words);
        let lines = text(&output.stdout);
        assert!(output.status.success(), "{words:?}: {}", text(&output.stderr));
        let last = lines.trim_end().lines().last().unwrap_or_default();
        assert!(last.starts_with(expected), "{words:?}: {lines}");
    }
    let fen = |words: &[&str]| {
        let output = with_arguments(words);
        text(&output.stdout).lines().find_map(|line| line.strip_prefix("Fen: ").map(str::to_owned))
    };
    assert_eq!(fen(&["d", ENDING]).as_deref(), Some(ENDING));
    let moved = "8/2p5/3p4/KP5r/1R2Pp1k/8/6P1/8 b - - 0 1";
    assert_eq!(fen(&["d", ENDING, "moves", "e2e4"]).as_deref(), Some(moved));
    let value = |words: &[&str]| text(&with_arguments(words).stdout).lines().last().unwrap().to_owned();
    assert_ne!(value(&["eval", ENDING]), value(&["eval"]));
}

#[test]
fn a_bad_position_given_as_an_argument_is_refused_in_one_line() {
    for (words, named) in [
        (&["perft", "2", "hello"][..], "field"),
        (&["d", "8/8/8/8/8/8/8/8 w - - 0 1"], "no king"),
        (&["eval", "fen"], "FEN"),
        (&["eval", "nonsense"], "field"),
        (&["go", "depth", "2", "fen", "8/8"], "fields"),
        (&["d", "startpos", "moves", "e2e5"], "e2e5"),
        (&["d", "startpos", "e2e4"], "'moves' expected"),
    ] {
        let output = with_arguments(words);
        let errors = text(&output.stderr);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{words:?}: {output:?}");
        assert!(errors.lines().count() == 1 && errors.contains(named), "{words:?}: {errors}");
    }
    // In a conversation the game stays, whatever the position of such a command.
    let mut engine = Engine::start();
    engine.send("position startpos moves e2e4");
    let own = engine.fen();
    assert!(engine.ask(&[&format!("d {ENDING}")]).contains(&format!("Fen: {ENDING}")));
    assert_eq!(engine.ask(&["eval hello"]).len(), 1);
    assert_eq!(engine.fen(), own);
    engine.quit();
}

#[test]
fn bench_repeats_its_node_count() {
    let signature = || {
        let output = with_arguments(&["bench", "3"]);
        let text = text(&output.stdout).to_owned();
        let last = text.lines().last().unwrap().to_owned();
        let words: Vec<_> = last.split(' ').collect();
        assert!(words.len() == 4 && words[1] == "nodes" && words[3] == "nps", "{last}");
        assert!(words[0].parse::<u64>().is_ok() && words[2].parse::<u64>().is_ok(), "{last}");
        words[0].to_owned()
    };
    let first = signature();
    assert_eq!(signature(), first);
    // The same within a conversation, after other searches.
    let mut engine = Engine::start();
    engine.search("go depth 4");
    engine.send("bench 3");
    assert_eq!(engine.until(&format!("{first} nodes ")).len(), 1);
    engine.send("quit");
}

#[test]
fn bytes_that_are_not_utf8_are_answered_with_an_error() {
    let mut engine = Engine::start();
    engine.send_bytes(b"\xff\xfe\x00\x80\n");
    engine.send_bytes(b"position startpos moves \xffe2e4\n");
    engine.send_bytes(b"setoption name H\xc3sh value 1\n");
    assert_eq!(engine.lines_until_ready().len(), 3);
    engine.send_bytes(b"\r\n\n   \n\t\r\n");
    assert!(engine.lines_until_ready().is_empty());
    engine.send_bytes(b"go depth 2\r\n");
    engine.answer();
    engine.quit();
}

/// Generator of random commands (xorshift).
struct RandomCommands(u64);

impl RandomCommands {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }

    fn line(&mut self) -> String {
        const WORDS: &[&str] = &[
            "position",
            "startpos",
            "fen",
            "moves",
            "setoption",
            "name",
            "value",
            "Hash",
            "Clear",
            "go",
            "searchmoves",
            "e2e4",
            "e1g1",
            "0000",
            "e7e8q",
            "-1",
            "256",
            "999",
            "1000000000000000000000",
            "w",
            "b",
            "-",
            "KQkq",
            "HAha",
            "HHhh",
            "e3",
            "a9",
            "8/8/8/8/8/8/8/8",
            "k7/8/8/8/8/8/8/7K",
            "\u{265a}",
            "",
            " ",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
            "r3k2r/8/8/8/8/8/8/R3K2R",
            "4k3/8/8/8/8/8/8/4K3",
            "0",
            "1",
            "4294967295",
            "4294967296",
            "debug",
            "on",
            "off",
            "d",
            "eval",
            "flip",
            "register",
            "code",
            "ponderhit",
            "depth",
            "nodes",
            "K",
            "QQQQQQQQ/QQQQQQQQ/8/8/8/8/8/k6K",
            "<empty>",
            "Backend",
            "MTD(f)",
            "[Q]",
            "/////////",
        ];
        let words = 1 + self.below(9);
        (0..words).map(|_| WORDS[self.below(WORDS.len())]).collect::<Vec<_>>().join(" ")
    }
}

#[test]
fn random_commands_do_not_stop_the_engine() {
    let mut engine = Engine::start();
    let mut random = RandomCommands(0x9e37_79b9_7f4a_7c15);
    for _ in 0..150 {
        let lines: Vec<String> = (0..10).map(|_| random.line()).collect();
        for line in &lines {
            engine.send(line);
        }
        engine.send("stop");
        engine.send("isready");
        let mut before = Vec::new();
        loop {
            let line =
                engine.next(PATIENCE).unwrap_or_else(|| panic!("silence after {lines:#?}: {before:#?}"));
            if line == "readyok" {
                break;
            }
            before.push(line);
        }
    }
    engine.send("stop");
    engine.send("position startpos");
    engine.send("go depth 2");
    engine.answer();
    engine.quit();
}

/// `info currmove` is for long searches alone, at a readable rate.
#[test]
fn currmove_is_reported_after_a_second() {
    let mut engine = Engine::start();
    let is_current = |line: &&String| line.contains(" currmove ");
    // By the engine's own clock, which the last line shows: it may have waited for a processor.
    let (_, lines) = engine.search("go movetime 100");
    let early = number(plays(&lines).last().unwrap(), "time") < 1000;
    assert!(!early || !lines.iter().any(|line| is_current(&line)), "{lines:#?}");
    engine.send("go infinite");
    let mut lines: Vec<String> = (0..4).flat_map(|_| engine.until_that(|line| is_current(&line))).collect();
    engine.send("stop");
    lines.extend(engine.until("bestmove"));
    let moves: Vec<_> = lines.iter().filter(is_current).collect();
    let time = number(plays(&lines).last().unwrap(), "time");
    assert!(moves.len() as i64 <= (time - 1000) / 100 + 2, "{time} ms: {moves:#?}");
    assert!(moves.iter().all(|line| line.contains(" currmovenumber ")), "{moves:#?}");
}

/// Every finished iteration is reported at once, with each line of MultiPV; bounds only after a second and at
/// most every 100 ms.
#[test]
fn every_finished_iteration_is_reported_and_bounds_are_rare() {
    let mut engine = Engine::start();
    for (backend, multipv, limit) in [
        ("mtdf", 1, "nodes 100000"),
        ("mtdf", 3, "nodes 100000"),
        ("mtd-best", 1, "nodes 100000"),
        ("mtdf", 1, "movetime 2500"),
    ] {
        engine.send("ucinewgame");
        engine.send(&format!("setoption name Backend value {backend}"));
        engine.send(&format!("setoption name MultiPV value {multipv}"));
        let (_, lines) = engine.search(&format!("go {limit}"));
        // The last line may be one that was held back until the answer needed it.
        let all = plays(&lines);
        let plays = &all[..all.len() - 1];
        // MTD-best finishes iterations with bounds, and others are shown after a second.
        let is_bound = |line: &String| backend == "mtdf" && line.contains("bound ");
        let finished: Vec<(i64, i64)> = plays
            .iter()
            .filter(|line| backend == "mtdf" || number(line, "time") < 1000)
            .filter(|line| !is_bound(line))
            .map(|line| (number(line, "depth"), number(line, "multipv")))
            .collect();
        let iterations = 1..=finished.last().map_or(0, |&(depth, _)| depth);
        let expected: Vec<_> =
            iterations.flat_map(|depth| (1..=multipv).map(move |line| (depth, line))).collect();
        assert!(expected.starts_with(&finished), "{finished:?}");
        assert!(backend != "mtdf" || finished.len() >= 4, "{finished:?}");
        for pair in plays.windows(2).filter(|pair| is_bound(pair[1])) {
            let (before, bound) = (number(pair[0], "time"), number(pair[1], "time"));
            assert!(bound >= 1000 && bound >= before + 99, "{pair:#?}");
        }
    }
    engine.quit();
}

/// Values of options as match runners and GUIs read them: white space ends a value for some.
#[test]
fn no_value_of_an_option_has_a_space() {
    let lines = piped("uci\n");
    let combos =
        starting_with(&lines, "option name ").into_iter().filter(|line| line.contains(" type combo "));
    let values: Vec<String> =
        combos.flat_map(|line| line.split(" var ").skip(1).map(str::to_owned).collect::<Vec<_>>()).collect();
    assert!(values.len() > 30 && values.iter().all(|value| !value.contains(' ')), "{values:?}");
    // The words of earlier versions, and short ones.
    for (said, value) in [("club player", "club-player"), ("club", "club-player"), ("By Elo", "by-elo")] {
        let lines = piped(&format!("setoption name Level value {said}\noptions\n"));
        assert!(!lines.iter().any(|line| line.starts_with("info string")), "{said} is {value}: {lines:?}");
    }
}

#[test]
fn an_infinite_search_that_ponders_waits_for_stop() {
    for go in ["go ponder infinite", "go infinite ponder", "go ponder infinite wtime 1000 btime 1000"] {
        let mut engine = Engine::start();
        engine.send(go);
        engine.send("ponderhit");
        let lines = engine.lines_until_ready();
        assert!(starting_with(&lines, "bestmove").is_empty(), "{go}: {lines:?}");
        std::thread::sleep(Duration::from_millis(50));
        let lines = engine.lines_until_ready();
        assert!(starting_with(&lines, "bestmove").is_empty(), "{go}: {lines:?}");
        engine.send("stop");
        engine.until("bestmove");
        engine.quit();
    }
}

/// Searches that end in the middle of an iteration: their first line may have changed since it was shown.
#[test]
fn the_ponder_move_is_that_of_the_last_line_shown() {
    const BUSY: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let mut engine = Engine::start();
    for (lines, nodes) in (1..=4).flat_map(|lines| (900..9000).step_by(700).map(move |nodes| (lines, nodes)))
    {
        engine.send("ucinewgame");
        engine.send(&format!("setoption name MultiPV value {lines}"));
        engine.send(&format!("position fen {BUSY}"));
        engine.send(&format!("go nodes {nodes}"));
        let said = engine.until("bestmove");
        let words = |line: &str, from: &str| -> Vec<String> {
            line.split_once(from).map_or("", |(_, rest)| rest).split(' ').map(str::to_owned).collect()
        };
        let best = words(said.last().unwrap(), "bestmove ");
        let shown = said
            .iter()
            .rfind(|line| {
                line.starts_with("info") && (line.contains(" multipv 1 ") || !line.contains("multipv"))
            })
            .unwrap();
        let shown = words(shown, " pv ");
        assert_eq!(best.first(), shown.first(), "{lines} lines, {nodes} nodes: {said:#?}");
        assert_eq!(best.get(2), shown.get(1), "{lines} lines, {nodes} nodes: {said:#?}");
    }
    engine.quit();
}

/// The board and perft as clients of Stockfish read them (PyPI `stockfish` 5.2.0): a frame of seventeen
/// lines, `Fen:`, and an empty line behind the count.
#[test]
fn board_and_perft_are_laid_out_for_clients_of_stockfish() {
    let lines = piped("d\nperft 1\nisready\n");
    let framed = lines.iter().filter(|line| line.contains('+') || line.contains('|')).count();
    assert_eq!(framed, 17, "{lines:#?}");
    let at = |start: &str| {
        lines
            .iter()
            .position(|line| line.starts_with(start))
            .unwrap_or_else(|| panic!("no {start}: {lines:#?}"))
    };
    assert!(at("Fen: rnbqkbnr/") < at("Checkers:"));
    assert_eq!(lines[at("Nodes searched: 20") + 1], "");
}
