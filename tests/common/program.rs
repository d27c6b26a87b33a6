//! Helpers of tests of the built program: a folder for files, commands, and their output.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// An empty folder for one test, removed afterwards. Names differ within a test file.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Folder {
        let name = format!("{}-{name}-{}", env!("CARGO_CRATE_NAME"), std::process::id());
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
    let mut command = Command::new(env!("CARGO_BIN_EXE_plumb"));
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the engine starts");
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
