//! Tests of the layers: every path in the sources, `crate::` and `super::` alike, leads to the same or a
//! lower row of the tables in docs/architecture.md, and no files use each other in a circle. Tests may use
//! what they like.

use std::path::{Path, PathBuf};

/// A source file: its path below the checkout, and its code without comments, strings and tests.
struct Source {
    file: String,
    code: String,
}

impl Source {
    /// All Rust files of a folder of the checkout; none where a package lacks the folder.
    fn all(folder: &str) -> Vec<Source> {
        fn files(folder: &Path) -> Vec<PathBuf> {
            let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
            entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
        }
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let read = |path: PathBuf| {
            let file = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
            let of_tests = file.ends_with("/tests.rs") || file == "src/layers.rs";
            let rust = file.ends_with(".rs") && !of_tests;
            rust.then(|| Source { file, code: without_tests(&code(&std::fs::read_to_string(path).unwrap())) })
        };
        let folder = root.join(folder);
        if folder.exists() { files(&folder).into_iter().filter_map(read).collect() } else { Vec::new() }
    }

    /// The module of the file: `src/lab/study/mod.rs` is `lab::study`.
    fn module(&self) -> Vec<String> {
        let inside = self.file.split_once("src/").map_or("", |(_, inside)| inside);
        let path = inside.trim_end_matches(".rs").trim_end_matches("/mod");
        if path == "lib" { Vec::new() } else { path.split('/').map(str::to_owned).collect() }
    }

    /// The absolute paths of all that it names by `crate::` and `super::`.
    fn uses(&self) -> Vec<Vec<String>> {
        let mut found = Vec::new();
        for (at, word) in words(&self.code) {
            let after = &self.code[at + word.len()..];
            let before = &self.code[..at];
            // A path goes on, or says where a name may be seen: `pub(in crate::lab)`.
            let inside = before.ends_with("::") || before.ends_with("(in ");
            let Some(rest) = after.strip_prefix("::").filter(|_| !inside) else { continue };
            match word {
                "crate" => leaves(rest, Vec::new(), &mut found),
                "super" => {
                    let mut base = self.module();
                    base.pop();
                    let mut rest = rest;
                    while let Some(inner) = rest.strip_prefix("super::") {
                        base.pop();
                        rest = inner;
                    }
                    leaves(rest, base, &mut found);
                }
                _ => (),
            }
        }
        found
    }
}

/// The text with comments and the insides of strings and characters left out.
fn code(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let skipped = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(raw) = rest.strip_prefix("r#\"") {
            raw.find("\"#").map_or(rest.len(), |end| end + 5)
        } else if let Some(string) = rest.strip_prefix('"') {
            end_of_string(string) + 1
        } else if ["'\"'", "'{'", "'}'", "'\\'"].iter().any(|letter| rest.starts_with(letter)) {
            3
        } else {
            out.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        };
        rest = &rest[skipped.min(rest.len())..];
    }
    out
}

/// Length of a string's inside with the quote that ends it.
fn end_of_string(text: &str) -> usize {
    let mut escaped = false;
    for (at, letter) in text.char_indices() {
        match letter {
            '"' if !escaped => return at + 1,
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    text.len()
}

/// The code without the items that `#[cfg(test)]` and its like stand before.
fn without_tests(code: &str) -> String {
    let mut out = String::new();
    let mut rest = code;
    while let Some(at) = ["#[cfg(test)]", "#[cfg(all(test"].iter().filter_map(|mark| rest.find(mark)).min() {
        out.push_str(&rest[..at]);
        let item = &rest[at..];
        let mut depth = 0_usize;
        let end = item.char_indices().find(|&(_, letter)| {
            match letter {
                '{' => depth += 1,
                '}' => depth = depth.saturating_sub(1),
                _ => (),
            }
            depth == 0 && matches!(letter, '}' | ';')
        });
        rest = &item[end.map_or(item.len(), |(at, _)| at + 1)..];
    }
    out + rest
}

/// The words of a text with their places.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    text.split(move |letter: char| !is_part(letter))
        .filter(|word| !word.is_empty())
        .map(|word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
}

/// The paths of a tree of uses, as in `a::{b, c::d}`, below `base`.
fn leaves(text: &str, base: Vec<String>, found: &mut Vec<Vec<String>>) {
    if let Some(group) = text.strip_prefix('{') {
        let mut depth = 0_usize;
        let mut start = 0;
        for (at, letter) in group.char_indices() {
            match letter {
                '{' => depth += 1,
                '}' if depth > 0 => depth -= 1,
                ',' if depth == 0 => {
                    leaves(group[start..at].trim(), base.clone(), found);
                    start = at + 1;
                }
                '}' => return leaves(group[start..at].trim(), base, found),
                _ => (),
            }
        }
        return;
    }
    let Some((0, word)) = words(text).next() else {
        found.push(base);
        return;
    };
    let rest = &text[word.len()..];
    let path = [base, vec![word.to_owned()]].concat();
    match rest.strip_prefix("::") {
        Some(rest) => leaves(rest, path, found),
        // A macro is no module.
        None if rest.starts_with('!') => (),
        None => found.push(path),
    }
}

/// The rows of the tables in docs/architecture.md, from the highest: modules that stand in one row.
fn rows() -> Vec<Vec<Vec<String>>> {
    let text = include_str!("../docs/architecture.md");
    let module = |name: &str| -> Vec<String> {
        let path = name.trim_start_matches("src/").trim_end_matches(".rs");
        path.split('/').map(str::to_owned).collect()
    };
    let names = |cell: &str| cell.split('`').skip(1).step_by(2).map(module).collect::<Vec<_>>();
    let mut rows = Vec::new();
    for line in text.lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        if let ["", layer, place, _, ""] = cells[..]
            && layer.parse::<u8>().is_ok()
        {
            rows.push(names(place));
        }
    }
    let folders = text.split("## The laboratory").nth(1).and_then(|rest| rest.split("\n## ").next()).unwrap();
    let of_lab = folders.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    let of_lab = of_lab.map(|folder| vec![[vec!["lab".to_owned()], module(folder)].concat()]);
    // The folders of the laboratory stand below its own files and the UCI front end, and above the engine.
    let uci = rows.iter().position(|row: &Vec<Vec<String>>| row.contains(&vec!["uci".to_owned()]));
    let engine = uci.expect("a row of `src/uci`") + 1;
    rows.splice(engine..engine, of_lab);
    rows
}

/// The row and the module in it that a path belongs to, by the longest name that fits.
fn place<'r>(rows: &'r [Vec<Vec<String>>], path: &[String]) -> Option<(usize, &'r Vec<String>)> {
    let all = rows.iter().enumerate().flat_map(|(row, modules)| modules.iter().map(move |name| (row, name)));
    all.filter(|(_, name)| path.starts_with(name)).max_by_key(|(_, name)| name.len())
}

/// Paths of the sources of the program that lead up, or to a neighbour in the same row.
fn wrong(rows: &[Vec<Vec<String>>], sources: &[Source]) -> Vec<String> {
    // What the crate `plumb-minimax` offers under names of its own.
    let of_minimax = ["minimax", "games", "random", "choice"];
    let mut wrong = Vec::new();
    for source in sources {
        let module = source.module();
        if ["lib", "main", "cpu_dispatch"].contains(&module.first().map_or("lib", String::as_str)) {
            continue;
        }
        let Some(own) = place(rows, &module) else {
            wrong.push(format!("{} is in no row", source.file));
            continue;
        };
        for path in source.uses() {
            let is_minimax = path.first().is_some_and(|first| of_minimax.contains(&first.as_str()));
            let allowed = place(rows, &path).map_or(is_minimax, |other| {
                // The UCI front end stands above the folders of the laboratory, but the bare engine has none
                // of them.
                let absent = own.1[0] == "uci" && other.1[0] == "lab";
                other == own || other.0 > own.0 && !absent
            });
            if !allowed {
                wrong.push(format!("{} uses {}", source.file, path.join("::")));
            }
        }
    }
    wrong
}

#[test]
fn every_path_leads_to_the_same_or_a_lower_row_of_the_table_of_layers() {
    let rows = rows();
    assert!(rows.len() > 22, "{rows:?}");
    let sources = Source::all("src");
    assert!(sources.len() > 300, "{}", sources.len());
    let wrong = wrong(&rows, &sources);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Files that use each other in a circle, through others or not: what stays after files that use none of the
/// rest have been taken away, and then files that none of the rest uses.
fn circles(sources: &[Source]) -> Vec<String> {
    let modules: Vec<String> = sources.iter().map(|source| source.module().join("::")).collect();
    let place = |path: &[String]| {
        let longest = (0..=path.len()).rev().map(|length| path[..length].join("::"));
        longest.filter_map(|name| modules.iter().position(|module| *module == name)).next()
    };
    let mut edges: Vec<(usize, usize)> = Vec::new();
    for (from, source) in sources.iter().enumerate() {
        let to = source.uses().into_iter().filter_map(|path| place(&path));
        edges.extend(to.filter(|to| *to != from).map(|to| (from, to)));
    }
    loop {
        let before = edges.len();
        let uses = |file: usize| edges.iter().any(|edge| edge.0 == file);
        let is_used = |file: usize| edges.iter().any(|edge| edge.1 == file);
        edges = edges.iter().copied().filter(|&(from, to)| uses(to) && is_used(from)).collect();
        if edges.len() == before {
            break;
        }
    }
    edges.into_iter().map(|(from, to)| format!("{} uses {}", modules[from], modules[to])).collect()
}

#[test]
fn no_files_use_each_other_in_a_circle() {
    for folder in ["src", "crates/minimax/src"] {
        let found = circles(&Source::all(folder));
        assert!(found.is_empty(), "{folder}:\n{}", found.join("\n"));
    }
    let source = |file: &str, text: &str| Source { file: format!("src/{file}.rs"), code: text.to_owned() };
    let files = [
        source("a", "use crate::b::B; use crate::e;"),
        source("b", "use super::c::C;"),
        source("c", "use crate::{a::A, d};"),
        source("d", "use crate::e;"),
        source("e", ""),
        source("f", "use crate::a;"),
    ];
    assert_eq!(circles(&files), ["a uses b", "b uses c", "c uses a"]);
}

#[test]
fn the_crate_of_the_drivers_names_no_chess() {
    for source in Source::all("crates/minimax/src") {
        let foreign =
            words(&source.code).find(|(_, word)| ["shakmaty", "plumb", "lab", "engine"].contains(word));
        assert_eq!(foreign, None, "{}", source.file);
    }
}

#[test]
fn only_the_command_line_knows_clap() {
    for source in Source::all("src/lab") {
        let name = source.file.rsplit('/').next().unwrap();
        let reads_words = ["arguments.rs", "dispatch.rs", "command_line.rs", "manual.rs"].contains(&name);
        assert!(reads_words || !source.code.contains("clap"), "{}", source.file);
    }
}

#[test]
fn a_path_upwards_is_found_however_it_is_written() {
    let rows = rows();
    for (file, text) in [
        ("src/search/node.rs", "use crate::engine::options;"),
        ("src/search/node.rs", "use super::super::uci;"),
        ("src/search/pruning/mod.rs", "fn f() { super::super::engine::go(); }"),
        ("src/eval/network/mod.rs", "use crate::{chess::Position, search::Limits};"),
        ("src/lab/base/pages/svg.rs", "use super::super::super::study::trace::table;"),
        ("src/lab/study/trace/page.rs", "use super::super::tree::page;"),
        ("src/lab/play/books/book.rs", "use super::super::matches::{tournament};"),
        ("src/uci/mod.rs", "use crate::lab::base::pages::svg;"),
    ] {
        let source = |text: &str| [Source { file: file.to_owned(), code: without_tests(&code(text)) }];
        assert_eq!(wrong(&rows, &source(text)).len(), 1, "{file}: {text}: {:?}", source(text)[0].uses());
        assert!(
            wrong(&rows, &source(&format!("// {text}\nconst A: &str = \"{text}\";"))).is_empty(),
            "{file}"
        );
        assert!(wrong(&rows, &source(&format!("#[cfg(test)]\nmod tests {{ {text} }}"))).is_empty(), "{file}");
    }
}
