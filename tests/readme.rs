//! README against the binary: its tables of options and backends, its commands, its numbers.

use plumb::engine::Options;
use plumb::search::Backend;
use std::process::Command;

fn readme() -> String {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    std::fs::read_to_string(path).expect("README.md").replace("\r\n", "\n")
}

/// The text between `<!-- name -->` and `<!-- /name -->`.
fn section(name: &str) -> String {
    let (begin, end) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
    let readme = readme();
    let (_, rest) = readme.split_once(&begin).unwrap_or_else(|| panic!("no {begin} in README.md"));
    let (inside, _) = rest.split_once(&end).unwrap_or_else(|| panic!("no {end} in README.md"));
    inside.to_owned()
}

fn plumb(arguments: &[&str]) -> std::process::Output {
    Command::new(env!("CARGO_BIN_EXE_plumb")).args(arguments).output().expect("the binary runs")
}

/// A build for tuning has more options.
#[cfg(not(feature = "tuning"))]
#[test]
fn the_options_are_those_of_the_binary() {
    let printed = String::from_utf8(plumb(&["options"]).stdout).unwrap().replace("\r\n", "\n");
    assert_eq!(section("options").trim(), printed.trim(), "paste what `plumb options` prints into README.md");
}

#[test]
fn the_backends_are_those_of_the_binary() {
    let table = section("backends");
    let rows: Vec<(&str, &str)> = table
        .lines()
        .skip(2)
        .map(|row| {
            let cells: Vec<&str> = row.split('|').map(|cell| cell.trim().trim_matches('`')).collect();
            (cells[1], cells[2])
        })
        .collect();
    let expected: Vec<(&str, &str)> =
        Backend::ALL.iter().map(|backend| (backend.name(), backend.alias())).collect();
    assert_eq!(rows, expected);
}

#[test]
fn the_presets_for_open_bench_set_options_that_exist() {
    let presets = include_str!("../Engines/Plumb.json").lines().filter(|line| line.contains("_options\""));
    let values: Vec<&str> = presets.filter_map(|line| line.split('"').nth(3)).collect();
    assert!(values.len() >= 4, "{values:?}");
    for setting in values.iter().flat_map(|options| options.split(' ')) {
        let (name, value) = setting.split_once('=').expect("Option=Value");
        let set = Options::default().set(name, Some(value));
        assert!(set.is_ok(), "{setting}: {set:?}");
    }
}

/// The address is that of the package; while it has none, README says what to write in its place.
#[test]
fn the_address_for_open_bench_is_known_or_said_to_be_missing() {
    let presets = include_str!("../Engines/Plumb.json");
    let source = presets.lines().find(|line| line.contains("\"source\"")).expect("a source");
    match env!("CARGO_PKG_REPOSITORY") {
        "" => {
            let command = readme().lines().find(|line| line.starts_with("sed ")).map(str::to_owned);
            let command = command.expect("a command that puts the address in");
            let placeholder = command.split('|').nth(1).expect("s|old|new|").to_owned();
            assert!(source.contains(&format!("https://github.com/{placeholder}\"")), "{source}: {command}");
        }
        repository => assert!(source.contains(&format!("\"{repository}\"")), "{source}: {repository}"),
    }
}

#[test]
fn the_own_book_has_as_many_lines_as_readme_says() {
    let lines = include_str!("../book/lines.tsv").lines().count() - 1;
    assert!(readme().contains(&format!("({lines} lines of theory,")), "{lines}");
}

/// Commands of the binary in code blocks, as words.
fn commands() -> Vec<Vec<String>> {
    let readme = readme();
    let blocks = readme.split("```").skip(1).step_by(2);
    let lines = blocks.flat_map(|block| block.lines().map(str::to_owned).collect::<Vec<_>>());
    let words = |line: String| {
        let line = line.split('#').next().unwrap_or_default().trim().to_owned();
        let line = line.strip_prefix("plumb ").or_else(|| line.strip_prefix("cargo run --release -- "));
        line.map(|rest| rest.split_whitespace().map(str::to_owned).collect())
    };
    lines.filter_map(words).collect()
}

/// Searches and experiments are run with smaller limits.
#[test]
fn the_commands_in_code_blocks_succeed() {
    let commands = commands();
    assert!(commands.len() >= 3, "{commands:?}");
    for words in commands {
        let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
        match words[0] {
            "go" => words = vec!["go", "movetime", "50"],
            "compare" | "epd" | "lab" | "tournament" if cfg!(not(feature = "lab")) => continue,
            _ => {}
        }
        for (limit, least) in [("--depth", "1"), ("--positions", "1"), ("--games", "2"), ("--nodes", "100")] {
            if let Some(at) = words.iter().position(|&word| word == limit) {
                words[at + 1] = least;
            }
        }
        if let Some(at) = words.iter().position(|&word| word == "--record") {
            words.drain(at..at + 2);
        }
        if words[0] == "compare" && !words.contains(&"--positions") {
            words.extend(["--positions", "1"]);
        }
        let output = plumb(&words);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success() && !output.stdout.is_empty(), "plumb {}: {said}", words.join(" "));
    }
}
