//! Installation: `make install`, the manual page, shell completions, the choice among builds for several processors,
//! and the time to `readyok`. The program is not built again: the one under test is installed.
#![cfg(all(unix, feature = "lab"))]

mod common;

use clap::Subcommand as _;
use common::program::Folder;
use plumb::lab::command::cli;
use plumb::uci::manual::OURS;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// An empty folder for one test, with the program in it under the name that `make` gives it.
fn installed(name: &str) -> Folder {
    let folder = Folder::new(name);
    // A link and not a copy: a file that was just written may still be busy when it is to be run.
    fs::hard_link(env!("CARGO_BIN_EXE_plumb"), folder.join("plumb")).expect("a link to the program");
    folder
}

/// Runs a program; `None`, with a message, where it is not there.
fn run(program: &str, arguments: &[&str], folder: &Folder) -> Option<Output> {
    match Command::new(program).args(arguments).current_dir(folder.join("")).output() {
        Ok(output) => Some(output),
        Err(_) => {
            eprintln!("skipped: {program} is not installed");
            None
        }
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs a target of the Makefile in the folder, with the root file system inside it.
fn make(target: &str, folder: &Folder) -> Option<()> {
    let makefile = concat!(env!("CARGO_MANIFEST_DIR"), "/Makefile");
    let output = run("make", &["-f", makefile, target, "PREFIX=/usr", "DESTDIR=root"], folder)?;
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
    Some(())
}

/// The files below a folder, as paths from there, sorted.
fn files(root: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder").flatten() {
            match entry.path() {
                path if path.is_dir() => folders.push(path),
                path => found.push(path.strip_prefix(root).unwrap().to_string_lossy().into_owned()),
            }
        }
    }
    found.sort();
    found
}

/// The names of all commands that the command line takes.
fn commands() -> Vec<String> {
    let lab = cli::Command::augment_subcommands(clap::Command::new("plumb"));
    let names = lab.get_subcommands().map(|command| command.get_name().to_owned());
    names.chain(OURS.iter().map(|entry| entry.name.to_owned())).collect()
}

#[test]
fn make_uninstall_removes_all_that_make_install_installs() {
    let folder = installed("make");
    let Some(()) = make("install", &folder) else { return };
    let root = folder.join("root");
    let installed = [
        "usr/bin/plumb",
        "usr/share/bash-completion/completions/plumb",
        "usr/share/fish/vendor_completions.d/plumb.fish",
        "usr/share/man/man1/plumb.1",
        "usr/share/zsh/site-functions/_plumb",
    ];
    assert_eq!(files(&root), installed);
    assert!(installed.iter().all(|file| fs::metadata(root.join(file)).unwrap().len() > 1000));
    let program = root.join("usr/bin/plumb");
    let version = run(program.to_str().unwrap(), &["version"], &folder).expect("the program");
    assert!(version.status.success() && text(&version.stdout).starts_with("Plumb "));
    make("uninstall", &folder).expect("make was there before");
    assert_eq!(files(&root), [""; 0]);
}

#[test]
fn the_manual_page_is_well_formed_and_mentions_every_command() {
    let folder = installed("page");
    let page = run("./plumb", &["manual"], &folder).expect("the program");
    assert!(page.status.success());
    fs::write(folder.join("plumb.1"), &page.stdout).expect("a file");
    let Some(formatted) =
        run("groff", &["-man", "-Tutf8", "-ww", "-rLL=100n", "-P-cbou", "plumb.1"], &folder)
    else {
        return;
    };
    assert!(formatted.status.success() && formatted.stderr.is_empty(), "{}", text(&formatted.stderr));
    let shown = text(&formatted.stdout).split_whitespace().collect::<Vec<_>>().join(" ");
    for name in commands() {
        assert!(shown.contains(&format!(" plumb {name} ")), "{name}: {shown}");
    }
    for word in ["NAME", "--shard", "Move Overhead", "EXIT STATUS"] {
        assert!(shown.contains(word), "{word}: {shown}");
    }
}

#[test]
fn completions_are_valid_scripts_of_their_shells() {
    let folder = installed("completions");
    for (shell, arguments) in [("bash", &["-n"][..]), ("zsh", &["-n"]), ("fish", &["--no-execute"])] {
        let script = run("./plumb", &["completions", shell], &folder).expect("the program");
        assert!(script.status.success());
        for name in commands() {
            assert!(text(&script.stdout).contains(&name), "{shell}: {name}");
        }
        let file = format!("plumb.{shell}");
        fs::write(folder.join(&file), &script.stdout).expect("a file");
        let Some(output) = run(shell, &[arguments, &[&file]].concat(), &folder) else { continue };
        assert!(output.status.success(), "{shell}: {}", text(&output.stderr));
    }
}

/// Words that bash completes with, asked for as its line editor does.
#[test]
fn bash_offers_experiments_and_limits() {
    let folder = installed("bash");
    for (words, wanted) in [("plumb", "tournament"), ("plumb lab", "othello"), ("plumb go", "movetime")] {
        let count = words.split(' ').count();
        let ask = format!(
            "source <(./plumb completions bash); COMP_WORDS=({words} ''); COMP_CWORD={count}; \
             _plumb plumb '' {}; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
            words.split(' ').next_back().unwrap_or_default()
        );
        let Some(output) = run("bash", &["-c", &ask], &folder) else { return };
        let offered = text(&output.stdout);
        assert!(offered.lines().any(|word| word == wanted), "{words}: {offered}{}", text(&output.stderr));
    }
}

/// From start to `readyok` with a table of 16 MiB: the best of several starts, because the machine may be busy.
#[test]
fn the_engine_is_ready_within_fifty_milliseconds() {
    let start = || {
        let before = Instant::now();
        let mut engine = Command::new(env!("CARGO_BIN_EXE_plumb"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program");
        let mut input = engine.stdin.take().expect("a pipe");
        input.write_all(b"setoption name Hash value 16\nisready\n").expect("it listens");
        let mut line = String::new();
        BufReader::new(engine.stdout.take().expect("a pipe")).read_line(&mut line).expect("an answer");
        let time = before.elapsed();
        assert_eq!(line, "readyok\n");
        drop(input);
        engine.wait().expect("it ends");
        time
    };
    let best = (0..20).map(|_| start()).min().unwrap_or_default();
    assert!(best < Duration::from_millis(50), "{best:?}");
}

#[test]
fn an_unknown_shell_is_an_error_that_names_it() {
    let folder = installed("unknown");
    let output = run("./plumb", &["completions", "tcsh"], &folder).expect("the program");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("tcsh") && output.stdout.is_empty());
}

/// A build for all processors runs the one for better processors in its folder, with the same arguments, if this
/// processor can run it.
#[cfg(target_arch = "x86_64")]
#[test]
fn a_build_for_a_better_processor_takes_over() {
    use std::os::unix::fs::PermissionsExt as _;
    let better = cfg!(not(target_feature = "sse4.2"))
        && std::arch::is_x86_feature_detected!("sse4.2")
        && std::arch::is_x86_feature_detected!("popcnt");
    if !better {
        eprintln!("skipped: there is no better build than this one for this processor");
        return;
    }
    let folder = installed("variant");
    let neighbour = folder.join("plumb-x86-64-v2");
    fs::write(&neighbour, "#!/bin/sh\necho neighbour \"$@\"\n").expect("a file");
    let says = |words: &[&str]| text(&run("./plumb", words, &folder).expect("the program").stdout);
    // One that is not executable is ignored.
    assert!(says(&["version"]).starts_with("Plumb "));
    fs::set_permissions(&neighbour, fs::Permissions::from_mode(0o755)).expect("permissions");
    assert_eq!(says(&["go", "depth", "1"]), "neighbour go depth 1\n");
}
