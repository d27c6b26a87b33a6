//! Helpers of tests of the built program: a folder for files, commands, and their output.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// Timeout of everything that a test waits for: it ends a test of a program that hangs, and measures nothing.
pub(crate) const PATIENCE: Duration = Duration::from_secs(600);

/// Waits until something holds.
pub(crate) fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < PATIENCE, "{what}: still not");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Sends a signal (`-INT`, `-TERM`) to a program.
pub(crate) fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").args([name, &child.id().to_string()]).status().unwrap();
    assert!(status.success());
}

/// Waits until a program handles Ctrl-C: on Linux by what the system says, elsewhere for a while.
pub(crate) fn wait_for_handler(child: &Child) {
    wait_for_system(child, "status", "a handler of Ctrl-C", |status| {
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        caught.is_some_and(|mask| mask & 0b10 != 0)
    });
}

/// Waits until a program has worked for some tenths of a second of the processor's time: on Linux by what the
/// system says, elsewhere for a while.
pub(crate) fn wait_for_work(child: &Child) {
    wait_for_system(child, "stat", "work", |stat| {
        // Behind the name, in brackets: the state, ten numbers, and user time in hundredths of a second.
        let behind = stat.rsplit(')').next().unwrap_or_default();
        let user = behind.split_whitespace().nth(11).and_then(|time| time.parse::<u64>().ok());
        user.is_some_and(|time| time > 40)
    });
}

/// Waits until a file of the system about a program says so; for a while where there is none.
fn wait_for_system(child: &Child, file: &str, what: &str, says: impl Fn(&str) -> bool) {
    let path = format!("/proc/{}/{file}", child.id());
    if !std::path::Path::new(&path).exists() {
        return std::thread::sleep(Duration::from_secs(5));
    }
    wait_until(what, || says(&std::fs::read_to_string(&path).unwrap_or_default()));
}

/// Sends a signal to a program once it has told its first progress; the output of both, and the exit code.
pub(crate) fn interrupted_at_first_progress(mut child: Child, name: &str) -> (String, String, i32) {
    let mut said = BufReader::new(child.stderr.take().expect("a pipe"));
    let mut err = String::new();
    // Other lines are warnings about what was read.
    while !err.lines().any(|line| line.contains(" left")) && said.read_line(&mut err).expect("text") > 0 {}
    signal(&child, name);
    said.read_to_string(&mut err).expect("text");
    let (out, _, code) = output_of(&child.wait_with_output().unwrap());
    (out, err, code)
}

/// An empty folder for one test, removed afterwards.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Folder {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Relaxed);
        let name = format!("{}-{name}-{}-{number}", env!("CARGO_CRATE_NAME"), std::process::id());
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    /// Path of a file of this name; the folder itself without a name.
    pub(crate) fn join(&self, name: &str) -> PathBuf {
        if name.is_empty() { self.0.clone() } else { self.0.join(name) }
    }

    /// The path as an argument.
    pub(crate) fn path(&self, name: &str) -> String {
        self.join(name).display().to_string()
    }

    /// Writes a file and returns its path.
    pub(crate) fn file(&self, name: &str, text: &str) -> String {
        std::fs::write(self.join(name), text).unwrap();
        self.path(name)
    }

    /// Content of a file.
    pub(crate) fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The program with some arguments and nothing to read.
pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_plumb"));
    command.args(arguments).stdin(Stdio::null());
    command
}

/// Runs it to the end.
pub(crate) fn plumb(arguments: &[&str]) -> Output {
    command(arguments).output().unwrap()
}

/// Runs the program; returns standard output, standard error and the exit code.
pub(crate) fn run(arguments: &[&str]) -> (String, String, i32) {
    output_of(&plumb(arguments))
}

/// Standard output of the engine for some lines of UCI input; it has to end in good order.
pub(crate) fn conversation(lines: &[&str]) -> String {
    conversation_with(Command::new(env!("CARGO_BIN_EXE_plumb")), lines)
}

/// The same with an engine that is started by another command.
pub(crate) fn conversation_with(mut engine: Command, lines: &[&str]) -> String {
    let mut child = engine.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the engine starts");
    let mut input = child.stdin.take().expect("the input is open");
    input.write_all(lines.join("\n").as_bytes()).expect("the engine listens");
    drop(input);
    let output = child.wait_with_output().expect("the engine ends");
    assert!(output.status.success());
    String::from_utf8(output.stdout).expect("the engine speaks UTF-8")
}

/// Standard output, standard error and exit code of a finished program; -1 if a signal ended it.
pub(crate) fn output_of(output: &Output) -> (String, String, i32) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert!(!err.contains("panicked"), "{err}");
    (out, err, output.status.code().unwrap_or(-1))
}
