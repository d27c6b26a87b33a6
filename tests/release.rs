//! Version of a release: package, program and changelog agree.

use std::process::Command;

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Versions in the headings of the changelog (`## [0.1.0] - 2026-11-22`), newest first; `Unreleased` is one.
fn headings() -> Vec<String> {
    let changelog = include_str!("../CHANGELOG.md");
    let versions = changelog.lines().filter_map(|line| line.strip_prefix("## [")?.split(']').next());
    versions.map(str::to_owned).collect()
}

#[test]
fn the_program_has_the_version_of_the_package() {
    for option in ["--version", "-V", "version"] {
        let output = Command::new(env!("CARGO_BIN_EXE_plumb")).arg(option).output().expect("the binary runs");
        let printed = String::from_utf8(output.stdout).expect("UTF-8");
        assert_eq!(printed.trim(), format!("Plumb {VERSION}"), "{option}");
    }
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
