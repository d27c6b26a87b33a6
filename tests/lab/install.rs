//! Installation: `make install`, the manual page, shell completions, the choice among builds for several
//! processors, and the time to `readyok`. The program is not built again: the one under test is installed.

use crate::common::compatibility::{Seen, version_of};
use crate::common::program::{Folder, plumb};
use clap::Subcommand as _;
use plumb::lab::command_line;
use plumb::uci::manual::OURS;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// An empty folder for one test, with the program in it under the name that `make` gives it.
fn installed(name: &str) -> Folder {
    let folder = Folder::new(name);
    // A link and not a copy: a file that was just written may still be busy when it is to be run.
    fs::hard_link(env!("CARGO_BIN_EXE_plumb"), folder.join("plumb")).expect("a link to the program");
    folder
}

/// Runs a program in a folder.
fn run(program: &str, arguments: &[&str], folder: &Path) -> Output {
    let output = Command::new(program).args(arguments).current_dir(folder).output();
    output.unwrap_or_else(|error| panic!("{program}: {error}"))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs a target of the Makefile in the folder, with the root file system inside it.
fn make(target: &str, folder: &Folder) {
    let makefile = concat!(env!("CARGO_MANIFEST_DIR"), "/Makefile");
    let output = run("make", &["-f", makefile, target, "PREFIX=/usr", "DESTDIR=root"], &folder.join(""));
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
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
    let lab = command_line::Command::augment_subcommands(clap::Command::new("plumb"));
    let names = lab.get_subcommands().map(|command| command.get_name().to_owned());
    names.chain(OURS.iter().map(|entry| entry.name.to_owned())).collect()
}

/// The files of which the program is made, as paths from the folder of Cargo.toml: those below `src` and the
/// `src` of the other crates of the workspace, and those that they contain (`include_str!`,
/// `include_bytes!`). Documents are contained in tests alone.
fn sources() -> Vec<String> {
    let root = fs::canonicalize(env!("CARGO_MANIFEST_DIR")).expect("the folder of Cargo.toml");
    let mut found = Vec::new();
    let crates = fs::read_dir(root.join("crates")).into_iter().flatten().flatten().map(|entry| entry.path());
    let folders = crates.chain([root.clone()]).map(|folder| folder.join("src"));
    for file in folders.flat_map(|src| files(&src).into_iter().map(move |name| src.join(name))) {
        let name = file.to_string_lossy().into_owned();
        if name.ends_with(".rs") {
            let text = fs::read_to_string(&file).expect("source text");
            let contained = text.split("include_").skip(1).filter_map(|rest| {
                let (kind, rest) = rest.split_once("!(\"")?;
                ["str", "bytes"].contains(&kind).then(|| rest.split('"').next()).flatten()
            });
            let path =
                |path: &str| fs::canonicalize(file.with_file_name(path)).expect("a file that is contained");
            found.extend(contained.map(path));
        }
        found.push(file);
    }
    let ours = found.iter().filter_map(|file| file.strip_prefix(&root).ok());
    let names = ours.map(|file| file.to_string_lossy().into_owned());
    names.filter(|name| !name.starts_with("docs") && !name.ends_with(".md")).collect()
}

/// The files of which make makes the program `program`.
fn prerequisites(program: &str) -> Vec<String> {
    let arguments = ["-p", "-q", &format!("EXE={program}"), program];
    let rules = text(&run("make", &arguments, Path::new(env!("CARGO_MANIFEST_DIR"))).stdout);
    let rule = rules.lines().find_map(|line| line.strip_prefix(&format!("{program}: ")));
    rule.expect("a rule").split(' ').map(str::to_owned).collect()
}

/// True if make finds the program `program` older than its sources, were `changed` written now.
fn is_stale(program: &str, changed: &str) -> bool {
    let arguments = ["-q", &format!("EXE={program}"), "-W", changed, program];
    let output = run("make", &arguments, Path::new(env!("CARGO_MANIFEST_DIR")));
    match output.status.code() {
        Some(0) => false,
        Some(1) => true,
        _ => panic!("{changed}: {}", text(&output.stderr)),
    }
}

#[test]
#[ignore = "needs make"]
fn make_builds_again_after_a_change_of_any_file_in_the_program() {
    let folder = Folder::new("stale");
    let program = folder.path("plumb");
    fs::write(&program, "newer than all sources").expect("a file");
    assert!(!is_stale(&program, "README.md"), "a file that is not in the program");
    let (sources, known) = (sources(), prerequisites(&program));
    let some = [
        "src/main.rs",
        "crates/minimax/src/driver.rs",
        "book/plumb.bin",
        "book/lines.tsv",
        "epd/games.epd",
        "src/lab/base/pages/page.css",
    ];
    for name in some {
        assert!(sources.iter().any(|source| source == name), "{name} in {sources:?}");
        assert!(is_stale(&program, name), "{name}");
    }
    for source in sources.iter().map(String::as_str).chain([
        "Cargo.toml",
        "Cargo.lock",
        "build.rs",
        "crates/minimax/Cargo.toml",
    ]) {
        assert!(known.iter().any(|known| known == source), "{source}");
    }
}

#[test]
#[ignore = "needs make"]
fn make_uninstall_removes_all_that_make_install_installs() {
    let folder = installed("make");
    make("install", &folder);
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
    let version = run(program.to_str().unwrap(), &["version"], &root);
    assert!(version.status.success() && text(&version.stdout).starts_with("Plumb "));
    make("uninstall", &folder);
    assert_eq!(files(&root), [""; 0]);
}

#[test]
#[ignore = "needs groff"]
fn the_manual_page_is_well_formed_and_mentions_every_command() {
    let folder = installed("page");
    let page = plumb(&["manual"]);
    assert!(page.status.success());
    fs::write(folder.join("plumb.1"), &page.stdout).expect("a file");
    let arguments = ["-man", "-Tutf8", "-ww", "-rLL=100n", "-P-cbou", "plumb.1"];
    let formatted = run("groff", &arguments, &folder.join(""));
    assert!(formatted.status.success() && formatted.stderr.is_empty(), "{}", text(&formatted.stderr));
    let shown = text(&formatted.stdout).split_whitespace().collect::<Vec<_>>().join(" ");
    for name in commands() {
        assert!(shown.contains(&format!(" plumb {name} ")), "{name}: {shown}");
    }
    for word in ["NAME", "--shard", "Move Overhead", "EXIT STATUS"] {
        assert!(shown.contains(word), "{word}: {shown}");
    }
    let seen = Seen {
        program: "groff",
        version: &version_of("groff", "--version"),
        direction: "writes",
        run: "`plumb manual`",
        seen: "every command, no warning",
    };
    seen.is_in_the_docs();
}

/// Completions name every command, and the shell reads them without an error.
fn check_completions(shell: &str, check: &str) {
    let folder = Folder::new(shell);
    let script = plumb(&["completions", shell]);
    assert!(script.status.success());
    for name in commands() {
        assert!(text(&script.stdout).contains(&name), "{shell}: {name}");
    }
    fs::write(folder.join("script"), &script.stdout).expect("a file");
    let output = run(shell, &[check, "script"], &folder.join(""));
    assert!(output.status.success(), "{shell}: {}", text(&output.stderr));
    let seen = Seen {
        program: shell,
        version: &version_of(shell, "--version"),
        direction: "writes",
        run: &format!("`plumb completions {shell}`"),
        seen: "a valid script, every command",
    };
    seen.is_in_the_docs();
}

#[test]
#[ignore = "needs bash"]
fn completions_are_a_valid_script_of_bash() {
    check_completions("bash", "-n");
}

#[test]
#[ignore = "needs zsh"]
fn completions_are_a_valid_script_of_zsh() {
    check_completions("zsh", "-n");
}

#[test]
#[ignore = "needs fish"]
fn completions_are_a_valid_script_of_fish() {
    check_completions("fish", "--no-execute");
}

/// Words that bash completes with, asked for as its line editor does.
#[test]
#[ignore = "needs bash"]
fn bash_offers_experiments_and_limits() {
    let folder = installed("offers");
    for (words, wanted) in [("plumb", "tournament"), ("plumb lab", "othello"), ("plumb go", "movetime")] {
        let count = words.split(' ').count();
        let ask = format!(
            "source <(./plumb completions bash); COMP_WORDS=({words} ''); COMP_CWORD={count}; \
             _plumb plumb '' {}; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
            words.split(' ').next_back().unwrap_or_default()
        );
        let output = run("bash", &["-c", &ask], &folder.join(""));
        let offered = text(&output.stdout);
        assert!(offered.lines().any(|word| word == wanted), "{words}: {offered}{}", text(&output.stderr));
    }
}

#[test]
fn an_unknown_shell_is_an_error_that_names_it() {
    let output = plumb(&["completions", "tcsh"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("tcsh") && output.stdout.is_empty());
}

/// A build for all processors runs the one for better processors in its folder, with the same arguments.
#[cfg(target_arch = "x86_64")]
#[test]
#[cfg_attr(target_feature = "sse4.2", ignore = "needs a build for all processors")]
fn a_build_for_a_better_processor_takes_over() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = installed("variant");
    let neighbour = folder.join("plumb-x86-64-v2");
    fs::write(&neighbour, "#!/bin/sh\necho neighbour \"$@\"\n").expect("a file");
    let says = |words: &[&str]| text(&run("./plumb", words, &folder.join("")).stdout);
    // One that is not executable is ignored.
    assert!(says(&["version"]).starts_with("Plumb "));
    fs::set_permissions(&neighbour, fs::Permissions::from_mode(0o755)).expect("permissions");
    assert_eq!(says(&["go", "depth", "1"]), "neighbour go depth 1\n");
}
