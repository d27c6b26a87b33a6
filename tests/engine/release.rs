//! A release: package, program and changelog have the same version, and the tests that it has to pass do not
//! depend on how busy the machine is.

use crate::common::program::{Folder, conversation_with};
use std::path::{Path, PathBuf};
use std::process::Command;

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Versions in the headings of the changelog (`## [0.1.0] - 2026-11-22`), newest first; `Unreleased` is one.
fn headings() -> Vec<String> {
    let changelog = include_str!("../../CHANGELOG.md");
    let versions = changelog.lines().filter_map(|line| line.strip_prefix("## [")?.split(']').next());
    versions.map(str::to_owned).collect()
}

#[test]
fn the_program_has_the_version_of_the_package() {
    for option in ["--version", "-V", "version"] {
        let output = Command::new(env!("CARGO_BIN_EXE_plumb")).arg(option).output().expect("the binary runs");
        let printed = String::from_utf8(output.stdout).expect("UTF-8");
        let rest = printed.trim().strip_prefix(&format!("Plumb {VERSION}")).expect("the version");
        // A build for tests does not name the commit.
        assert!(rest.is_empty() || rest == commit(), "{option}: {printed}");
    }
}

/// The patches of `tests/promises/run`, which break a promise each, without writing anything.
#[test]
fn every_patch_of_the_promises_fits_the_sources() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/promises");
    if said("patch", &["--version"]).is_none() || !folder.exists() {
        return eprintln!("skipped: a package has no patches, and they are applied by the program patch");
    }
    let files = std::fs::read_dir(folder).expect("a folder").map(|file| file.expect("a file").path());
    let patches: Vec<_> = files.filter(|file| file.extension().is_some_and(|kind| kind == "patch")).collect();
    assert!(patches.len() >= 30, "{patches:?}");
    for patch in patches {
        let mut command = Command::new("patch");
        command.args(["--dry-run", "-s", "-p1", "-i"]).arg(&patch).current_dir(env!("CARGO_MANIFEST_DIR"));
        let output = command.output().expect("patch runs");
        assert!(output.status.success(), "{}: {output:?}", patch.display());
    }
}

/// The first line that a program prints; `None` where it is missing or fails.
fn said(program: &str, arguments: &[&str]) -> Option<String> {
    let output =
        Command::new(program).args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    text.lines().next().filter(|_| output.status.success()).map(str::to_owned)
}

/// What follows the version: the commit in a repository, and nothing in an archive of the sources.
fn commit() -> String {
    let is_repository = Path::new(env!("CARGO_MANIFEST_DIR")).join(".git").exists();
    let commit = said("git", &["rev-parse", "--short=8", "HEAD"]).filter(|_| is_repository);
    commit.map_or_else(String::new, |commit| format!(" ({commit})"))
}

/// The build script, run as for a release: what it says of the version.
#[test]
fn a_release_names_the_commit_of_its_repository() {
    let folder = Path::new(env!("CARGO_BIN_EXE_plumb")).parent().expect("a folder").join("build");
    let of_plumb = |path: &PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        name.starts_with("plumb-chess-")
    };
    let folders = std::fs::read_dir(folder).expect("a folder").map(|file| file.expect("a file").path());
    let scripts = folders.filter(of_plumb).map(|path| path.join("build-script-build"));
    let age = |path: &PathBuf| path.metadata().and_then(|about| about.modified()).ok();
    let Some(script) = scripts.filter(|path| path.is_file()).max_by_key(age) else {
        return eprintln!("skipped: no build script where cargo usually leaves it");
    };
    let version = |folder: &Path, profile: &str| {
        let mut script = Command::new(&script);
        script.env("PROFILE", profile).env("CARGO_PKG_VERSION", VERSION).env("EVALFILE", "none");
        let output = script.current_dir(folder).output().expect("the build script runs");
        let said = String::from_utf8(output.stdout).expect("UTF-8");
        let line = said.lines().find_map(|line| line.strip_prefix("cargo::rustc-env=PLUMB_VERSION="));
        line.unwrap_or_else(|| panic!("{said}")).to_owned()
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    assert_eq!(version(root, "release"), format!("{VERSION}{}", commit()));
    assert_eq!(version(root, "debug"), VERSION);
    // An archive of the sources has no repository of its own.
    assert_eq!(version(&root.join("src"), "release"), VERSION);
}

#[test]
fn the_program_names_its_compiler() {
    let output = Command::new(env!("CARGO_BIN_EXE_plumb")).arg("compiler").output().expect("the binary runs");
    let printed = String::from_utf8(output.stdout).expect("UTF-8");
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let Some(rustc) = said(&rustc, &["--version"]) else { return eprintln!("skipped: no rustc in the path") };
    assert!(printed.contains(&format!(", {rustc}, ")), "{printed}");
}

#[test]
fn the_newest_version_of_the_changelog_is_that_of_the_package() {
    let headings = headings();
    let newest = headings.iter().find(|heading| *heading != "Unreleased");
    match newest {
        Some(newest) => assert_eq!(newest, VERSION, "newest heading of CHANGELOG.md, version in Cargo.toml"),
        None => assert_eq!(headings, ["Unreleased"], "before the first release all changes are unreleased"),
    }
}

/// The Rust files in a folder and those below it.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder).expect("a folder").map(|file| file.expect("a file").path());
    files
        .flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] })
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect()
}

/// An action by its tag is whatever its owner puts there tomorrow.
#[test]
fn every_action_of_the_workflows_is_pinned_to_a_commit_with_its_version() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(".github/workflows");
    let Ok(files) = std::fs::read_dir(folder) else {
        return eprintln!("skipped: the package has no workflows");
    };
    let mut pinned = 0;
    for path in files.map(|file| file.expect("a file").path()) {
        let text = std::fs::read_to_string(&path).expect("text");
        for action in
            text.lines().filter_map(|line| line.trim().trim_start_matches("- ").strip_prefix("uses: "))
        {
            if action.starts_with("./") {
                continue;
            }
            let (_, pin) = action.split_once('@').expect("a version");
            let (commit, version) =
                pin.split_once(" # v").unwrap_or_else(|| panic!("{}: {action}", path.display()));
            let is_commit = commit.len() == 40 && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
            assert!(is_commit && version.split('.').count() == 3, "{}: {action}", path.display());
            pinned += 1;
        }
    }
    assert!(pinned > 10, "{pinned}");
}

#[test]
fn unsafe_code_stands_in_the_files_that_the_conventions_name() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let conventions = std::fs::read_to_string(root.join("CONTRIBUTING.md")).expect("text");
    let (_, rule) = conventions.split_once("**No `unsafe`**").expect("the rule");
    let (rule, _) = rule.split_once("\n- ").expect("the next rule");
    let mut named: Vec<_> =
        rule.split('`').filter(|word| word.ends_with(".rs")).map(|file| root.join(file)).collect();
    let this = root.join(file!());
    let folders = ["src", "crates", "tests", "examples"].map(|folder| root.join(folder));
    let mut allowed =
        folders.iter().flat_map(|folder| sources(folder)).filter(|path| *path != this).collect::<Vec<_>>();
    allowed.retain(|path| std::fs::read_to_string(path).expect("text").contains("(unsafe_code"));
    named.sort();
    allowed.sort();
    assert_eq!(named, allowed);
    let manifest = std::fs::read_to_string(root.join("Cargo.toml")).expect("text");
    assert!(manifest.contains("\nunsafe_code = \"deny\"\n"));
}

/// `make test` passes beside other work, and shows every failure: no test demands that something takes less
/// than so many milliseconds. Guards against hanging (`PATIENCE`) take minutes; latencies are shown by an
/// example. The end after Ctrl-C is promised within two seconds on a free machine, and tests allow ten
/// (`LATEST`).
#[test]
fn no_test_measures_the_machine() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let measures = |line: &str| {
        let times = ["elapsed()", "< Duration::", ".time <", "as_millis() <", "as_secs() <"];
        line.trim_start().starts_with("assert!(")
            && times.iter().any(|time| line.contains(time))
            && !["PATIENCE", "LATEST"].iter().any(|name| line.contains(name))
    };
    let this = root.join(file!());
    let mut found = Vec::new();
    for path in ["tests", "src"].iter().flat_map(|folder| sources(&root.join(folder))).filter(|p| *p != this)
    {
        let text = std::fs::read_to_string(&path).expect("text");
        let lines = text.lines().enumerate().filter(|(_, line)| measures(line));
        found.extend(lines.map(|(index, line)| format!("{}:{}: {line}", path.display(), index + 1)));
    }
    assert!(found.is_empty(), "{found:#?}");
    let makefile = std::fs::read_to_string(root.join("Makefile")).expect("Makefile");
    assert!(makefile.contains("$(CARGO) test --locked --workspace --no-fail-fast"));
}

/// Unpacks the archive of `make dist` in a folder with nothing but the C library, makes it the root of the
/// file system, and lets the program play there: no toolchain, no shell, no file of this machine.
#[cfg(target_os = "linux")]
#[test]
fn a_game_is_played_from_the_archive_in_an_empty_root() {
    let folder = Folder::new("dist");
    let (target, root) = (folder.path("target"), folder.path("root"));
    let program = env!("CARGO_BIN_EXE_plumb");
    let mut make = Command::new("make");
    make.args(["dist", "PLATFORM=test", &format!("PROGRAMS={program}"), &format!("TARGET={target}")]);
    let made = make.current_dir(env!("CARGO_MANIFEST_DIR")).output();
    let Ok(made) = made else { return eprintln!("skipped: no make") };
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    std::fs::create_dir_all(&root).expect("a folder");
    let archive = format!("{target}/dist/plumb-{VERSION}-test.tar.gz");
    let unpacked = Command::new("tar").args(["-xzf", &archive, "-C", &root, "--strip-components=1"]).status();
    assert!(unpacked.is_ok_and(|status| status.success()));
    for file in ["README.md", "LICENSE", "docs/first-steps.md", "docs/bounds.svg", "epd/games.epd"] {
        assert!(Path::new(&root).join(file).is_file(), "{file}");
    }
    for library in libraries(program) {
        let copy = Path::new(&root).join(library.trim_start_matches('/'));
        std::fs::create_dir_all(copy.parent().expect("a folder")).expect("a folder");
        std::fs::copy(&library, copy).expect("a copy");
    }
    let in_root = |right: &&&str| {
        let version = program_in(&root, right).arg("version").output();
        version.is_ok_and(|output| output.status.success())
    };
    // Root has the right at once, anybody else in a name space of users.
    let Some(right) = ["--fork", "--map-root-user"].iter().find(in_root) else {
        return eprintln!("skipped: a new root needs unshare, and the right to use it");
    };
    let mut moves: Vec<String> = Vec::new();
    while moves.len() < 40 {
        let position = format!("position startpos moves {}", moves.join(" "));
        let answer = conversation_with(program_in(&root, right), &[&position, "go nodes 500"]);
        let best = answer.lines().find_map(|line| line.strip_prefix("bestmove ")).expect(&answer);
        match best.split(' ').next() {
            Some("(none)") | None => break,
            Some(m) => moves.push(m.to_owned()),
        }
    }
    assert!(moves.len() == 40, "the game ends after {} plies", moves.len());
}

/// The files of the C library that a program needs.
#[cfg(target_os = "linux")]
fn libraries(program: &str) -> Vec<String> {
    let output = Command::new("ldd").arg(program).output().expect("ldd runs");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    text.split_whitespace().filter(|word| word.starts_with('/')).map(str::to_owned).collect()
}

/// The program at the top of a folder, which it has for the root of the file system; `right` is the argument
/// of unshare that allows it.
#[cfg(target_os = "linux")]
fn program_in(root: &str, right: &str) -> Command {
    let mut program = Command::new("unshare");
    program.args([right, "--root", root, "/plumb"]);
    program
}
