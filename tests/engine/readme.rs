//! README and the pages of `docs` against the binary: tables of options and backends, commands, numbers,
//! links; links and pictures of the notebook.

use crate::common::files_below;
use crate::common::program::{Folder, command};
use plumb::engine::Options;
use plumb::search::Backend;
use std::path::{Path, PathBuf};

/// Most lines of README.
const README_LINES: usize = 150;

/// Most lines of pages whose subject has a log in the notebook.
const MANUAL_LINES: [(&str, usize); 2] = [("docs/networks.md", 100), ("docs/verdict.md", 60)];

/// Most bytes of all pages of the manual.
const MANUAL_BYTES: usize = 170 * 1024;

/// A page in Markdown.
struct Page {
    /// Path from the root of the repository, with `/`.
    path: String,
    text: String,
}

/// A fenced code block.
struct Block {
    /// Page and line of its fence, for messages.
    place: String,
    /// The language after the opening fence.
    language: String,
    /// The reason of `<!-- not run: reason -->` directly before the fence.
    not_run: Option<String>,
    /// Its lines; those that end in `\` are joined with the next.
    lines: Vec<String>,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn page(path: String) -> Page {
    let text = std::fs::read_to_string(root().join(&path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    Page { text: text.replace("\r\n", "\n"), path }
}

/// The pages in a folder by name.
fn pages_in(folder: &str) -> Vec<Page> {
    let files = std::fs::read_dir(root().join(folder)).expect("the folder");
    let mut names: Vec<String> = files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.retain(|name| name.ends_with(".md"));
    names.sort();
    names.into_iter().map(|name| page(format!("{folder}/{name}"))).collect()
}

/// README, then the pages of `docs` by name.
fn pages() -> Vec<Page> {
    std::iter::once(page("README.md".to_owned())).chain(pages_in("docs")).collect()
}

/// The notebook's index and entries; a package has none.
fn notebook() -> Vec<Page> {
    if packed() { Vec::new() } else { pages_in("notebook") }
}

impl Page {
    /// Lines outside of fenced blocks, with their numbers from 1.
    fn prose(&self) -> Vec<(usize, &str)> {
        let mut fenced = false;
        let mut prose = Vec::new();
        for (index, line) in self.text.lines().enumerate() {
            if line.starts_with("```") {
                fenced = !fenced;
            } else if !fenced {
                prose.push((index + 1, line));
            }
        }
        assert!(!fenced, "{}: a fence is not closed", self.path);
        prose
    }

    fn blocks(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut open: Option<Block> = None;
        let mut not_run = None;
        for (index, line) in self.text.lines().enumerate() {
            match (line.strip_prefix("```"), &mut open) {
                (Some(_), Some(_)) => blocks.extend(open.take()),
                (Some(language), None) => {
                    let place = format!("{}:{}", self.path, index + 1);
                    let language = language.trim().to_owned();
                    open = Some(Block { place, language, not_run: not_run.take(), lines: Vec::new() });
                }
                (None, Some(block)) => block.add(line),
                (None, None) if line.starts_with("<!-- not run:") => {
                    let reason = line.trim_start_matches("<!-- not run:").trim_end_matches("-->").trim();
                    assert!(!reason.is_empty(), "{}:{}: no reason", self.path, index + 1);
                    not_run = Some(reason.to_owned());
                }
                (None, None) if line.starts_with("<!--") => {}
                (None, None) => {
                    assert!(not_run.is_none(), "{}:{}: no block after 'not run'", self.path, index + 1);
                }
            }
        }
        blocks
    }

    /// Anchors of the headings, as GitHub makes them.
    fn anchors(&self) -> Vec<String> {
        let prose = self.prose();
        let headings = prose.iter().filter(|(_, line)| line.starts_with('#'));
        headings.map(|(_, line)| anchor(line.trim_start_matches('#').trim())).collect()
    }

    /// Targets of the links and pictures in prose, with their line numbers.
    fn links(&self) -> Vec<(usize, String)> {
        let mut links = Vec::new();
        for (number, line) in self.prose() {
            let plain: String = line.split('`').step_by(2).collect::<Vec<_>>().join("");
            let targets = plain.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
            links.extend(targets.map(|(target, _)| (number, target.to_owned())));
        }
        links
    }
}

impl Block {
    fn add(&mut self, line: &str) {
        match self.lines.last_mut().filter(|last| last.ends_with('\\')) {
            Some(last) => *last = format!("{}{}", last.trim_end_matches('\\'), line.trim_start()),
            None => self.lines.push(line.to_owned()),
        }
    }
}

/// Lower case, spaces as hyphens, without other punctuation.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

/// The text between `<!-- name -->` and `<!-- /name -->`, which one page has.
fn section(name: &str) -> String {
    let (begin, end) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
    let pages = pages();
    let mut found = pages.iter().filter_map(|page| page.text.split_once(&begin));
    let (_, rest) = found.next().unwrap_or_else(|| panic!("no {begin} in README.md or docs"));
    assert!(found.next().is_none(), "{begin} twice");
    let (inside, _) = rest.split_once(&end).unwrap_or_else(|| panic!("no {end}"));
    inside.to_owned()
}

/// A build for tuning has more options.
#[cfg(not(feature = "tuning"))]
#[test]
fn the_options_are_those_of_the_binary() {
    let output = command(&["options"]).output().expect("the binary runs");
    let printed = String::from_utf8(output.stdout).unwrap().replace("\r\n", "\n");
    assert_eq!(section("options").trim(), printed.trim(), "paste what `plumb options` prints");
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
fn the_presets_for_open_bench_set_options_by_their_exact_names() {
    let output = command(&["uci"]).output().expect("the binary runs");
    let declared = String::from_utf8(output.stdout).unwrap().replace("\r\n", "\n");
    let combos: Vec<&str> = declared.lines().filter(|line| line.contains(" type combo ")).collect();
    assert!(combos.len() > 5, "{declared}");
    let presets = include_str!("../../Engines/Plumb.json").lines().filter(|line| line.contains("_options\""));
    let values: Vec<&str> = presets.filter_map(|line| line.split('"').nth(3)).collect();
    assert!(values.len() >= 4, "{values:?}");
    for setting in values.iter().flat_map(|options| options.split(' ')) {
        let (name, value) = setting.split_once('=').expect("Option=Value");
        let set = Options::default().set(name, Some(value));
        assert!(set.is_ok(), "{setting}: {set:?}");
        // Match runners take the names that the engine declares, and no others: an alias sets nothing.
        let of_it = combos.iter().find(|line| line.starts_with(&format!("option name {name} ")));
        assert!(of_it.is_none_or(|line| line.split(" var ").skip(1).any(|var| var == value)), "{setting}");
    }
}

/// The address is that of the package; while it has none, a page says what to write in its place.
#[test]
fn the_address_for_open_bench_is_known_or_said_to_be_missing() {
    let presets = include_str!("../../Engines/Plumb.json");
    let source = presets.lines().find(|line| line.contains("\"source\"")).expect("a source");
    match env!("CARGO_PKG_REPOSITORY") {
        "" => {
            let mut lines = pages().into_iter().flat_map(|page| page.blocks()).flat_map(|block| block.lines);
            let command =
                lines.find(|line| line.starts_with("sed ")).expect("a command that puts the address in");
            let placeholder = command.split('|').nth(1).expect("s|old|new|").to_owned();
            assert!(source.contains(&format!("https://github.com/{placeholder}\"")), "{source}: {command}");
        }
        repository => assert!(source.contains(&format!("\"{repository}\"")), "{source}: {repository}"),
    }
}

/// The manual names the network that `build.rs` puts into the program, and shows the bench that it has.
#[test]
fn the_network_inside_the_program_and_its_bench_are_those_of_the_docs() {
    let build = include_str!("../../build.rs").lines();
    let path =
        build.filter_map(|line| line.strip_prefix("const NETWORK: &str = \"")).next().expect("its path");
    let path = path.trim_end_matches("\";");
    for (page_path, said) in [
        ("docs/networks.md", format!("| file | `{path}`")),
        ("docs/tuning.md", format!("Every build embeds `{path}`")),
    ] {
        assert!(page(page_path.to_owned()).text.contains(&said), "{page_path}: {said}");
    }
    let golden = include_str!("../golden.txt").lines().find_map(|line| {
        line.strip_prefix("bench by network\t")?
            .strip_prefix(path.strip_prefix("networks/")?)?
            .strip_prefix('\t')
    });
    let shown = format!("\n{} nodes ", golden.expect("its bench"));
    assert!(page("docs/first-steps.md".to_owned()).text.contains(&shown), "plumb bench prints {shown}");
}

#[test]
fn the_own_book_has_as_many_lines_as_the_docs_say() {
    let lines = include_str!("../../book/lines.tsv").lines().count() - 1;
    let said = format!("({lines} lines of theory,");
    assert!(pages().iter().any(|page| page.text.contains(&said)), "{lines}");
}

#[test]
fn readme_is_short_and_names_every_page() {
    let pages = pages();
    let readme = &pages[0];
    assert!(readme.text.lines().count() <= README_LINES, "{}", readme.text.lines().count());
    let links = readme.links();
    for page in &pages[1..] {
        assert!(links.iter().any(|(_, target)| *target == page.path), "README has no link to {}", page.path);
    }
}

#[test]
fn pages_with_a_log_in_the_notebook_are_short() {
    for (path, most) in MANUAL_LINES {
        let lines = page(path.to_owned()).text.lines().count();
        assert!(lines <= most, "{path}: {lines} lines; what was measured and tried belongs into notebook");
    }
}

#[test]
fn the_manual_is_short() {
    let bytes: usize = pages_in("docs").iter().map(|page| page.text.len()).sum();
    assert!(bytes <= MANUAL_BYTES, "{bytes} bytes; what was measured and tried belongs into notebook");
}

#[test]
fn relative_links_and_anchors_resolve() {
    let mut checked = 0;
    for page in pages().into_iter().chain(notebook()) {
        let folder = Path::new(&page.path).parent().unwrap();
        for (number, target) in page.links() {
            let left_out = packed() && is_left_out_of_packages(target.trim_start_matches("../"));
            if target.starts_with("http") || left_out {
                continue;
            }
            let place = format!("{}:{number}: {target}", page.path);
            let (file, heading) = target.split_once('#').unwrap_or((&target, ""));
            let named = if file.is_empty() { PathBuf::from(&page.path) } else { folder.join(file) };
            let path = root().join(&named);
            assert!(path.exists(), "{place}: no such file");
            if !heading.is_empty() {
                let text = std::fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
                let anchors = Page { path: named.display().to_string(), text }.anchors();
                assert!(anchors.iter().any(|anchor| anchor == heading), "{place}: anchors are {anchors:?}");
            }
            checked += 1;
        }
    }
    assert!(checked >= 20, "{checked}");
}

/// The texts of the sources below a folder of the repository.
fn sources(folder: &str) -> Vec<String> {
    let files = files_below(&root().join(folder)).into_iter();
    let sources = files.filter(|path| path.extension().is_some_and(|end| end == "rs"));
    sources.map(|path| std::fs::read_to_string(path).unwrap()).collect()
}

/// A word of three parts or more in backticks, in the tables of these pages, is the name of a test.
#[test]
fn tests_that_pages_name_exist() {
    if packed() {
        return eprintln!("skipped: crates, which a package does not contain");
    }
    let sources = ["tests", "src", "crates", "web"].map(sources).concat().concat();
    let mut checked = 0;
    for page in
        pages().iter().filter(|page| page.path.contains("first-steps") || page.path.contains("reliab"))
    {
        for (number, line) in page.prose().into_iter().filter(|(_, line)| line.starts_with('|')) {
            let words = line.split('`').skip(1).step_by(2);
            for name in words.filter(|word| word.matches('_').count() >= 2 && !word.contains([' ', '/', '.']))
            {
                assert!(sources.contains(&format!("fn {name}()")), "{}:{number}: {name}", page.path);
                checked += 1;
            }
        }
    }
    assert!(checked >= 40, "{checked}");
}

/// A section that a comment names, its heading between stars behind the path of a page, stands in that page.
#[test]
fn sections_that_comments_name_exist() {
    if packed() {
        return eprintln!("skipped: the notebook, which a package does not contain");
    }
    let mut checked = 0;
    for text in ["tests", "src", "crates", "web"].map(sources).concat() {
        let words: Vec<&str> = text.split_whitespace().filter(|word| !word.starts_with("//")).collect();
        let text = words.join(" ");
        for (before, after) in
            text.match_indices(".md, *").map(|(at, end)| (&text[..at], &text[at + end.len()..]))
        {
            let path = before.rsplit([' ', '(']).next().unwrap();
            let Some((heading, _)) = after.split_once('*').filter(|_| path.contains('/')) else { continue };
            let anchors = page(format!("{path}.md")).anchors();
            assert!(anchors.contains(&anchor(heading)), "{path}.md has no section {heading}: {anchors:?}");
            checked += 1;
        }
    }
    assert!(checked >= 5, "{checked}");
}

/// Its index has the question of every entry, and an entry says which commit has the code. Every other file,
/// a table or a picture, belongs to an entry.
#[test]
fn the_notebook_lists_every_entry_with_the_commit_that_it_names() {
    let Ok(index) = std::fs::read_to_string(root().join("notebook/README.md")) else {
        return assert!(packed(), "only a package has no notebook");
    };
    let mut entries = files_below(&root().join("notebook"));
    entries.retain(|path| !path.ends_with("README.md"));
    let (entries, others): (Vec<_>, Vec<_>) =
        entries.into_iter().partition(|path| path.extension().is_some_and(|end| end == "md"));
    let links: Vec<_> = notebook().iter().flat_map(Page::links).map(|(_, target)| target).collect();
    for path in others {
        let name = path.file_name().unwrap().to_string_lossy();
        assert!(links.iter().any(|target| *target == name), "no entry has a link to {name}");
    }
    assert!(!entries.is_empty());
    for path in entries {
        let text = std::fs::read_to_string(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy();
        let row = index.lines().find(|line| line.starts_with('|') && line.contains(&format!("]({name})")));
        let row = row.unwrap_or_else(|| panic!("notebook/README.md has no row of {name}"));
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        assert!(text.starts_with(&format!("# {}\n", cells[1])), "{name}: {}", cells[1]);
        assert!(text.contains(&format!("| commit | {}", cells[4])), "{name}: {}", cells[4]);
    }
}

/// True in a package, to which cargo adds this file.
fn packed() -> bool {
    root().join("Cargo.toml.orig").exists()
}

/// Files that serve work on the repository alone, and are not in a package (`exclude` in Cargo.toml).
fn is_left_out_of_packages(name: &str) -> bool {
    let folders = [".ci", "epd/make", "crates", "notebook", "tests/promises"];
    folders.iter().any(|folder| name.starts_with(folder))
}

#[test]
fn files_of_the_repository_that_pages_name_exist() {
    if packed() {
        eprintln!("skipped: .ci, epd/make, tests/promises, notebook and crates: a package has none of them");
    }
    for page in pages() {
        for (number, line) in page.prose() {
            for name in line.split('`').skip(1).step_by(2) {
                let ours = [
                    "src/",
                    "crates/",
                    "tests/",
                    "epd/",
                    "book/",
                    "networks/",
                    "notebook/",
                    "Engines/",
                    ".ci/",
                ];
                let is_ours = ours.iter().any(|folder| name.starts_with(folder));
                if is_ours && !(packed() && is_left_out_of_packages(name)) {
                    assert!(root().join(name).exists(), "{}:{number}: {name}", page.path);
                }
            }
        }
    }
}

/// The names of the tests below a folder that are marked `#[ignore = "needs ..."]`.
fn tests_that_need_a_tool(folder: &str) -> Vec<String> {
    let mut names = Vec::new();
    for text in sources(folder) {
        let mut lines = text.lines().map(str::trim_start);
        while lines.any(|line| line.starts_with("#[ignore = \"needs ")) {
            let function = lines.next().and_then(|line| line.strip_prefix("fn ")?.split('(').next());
            names.push(function.expect("the test's name follows").to_owned());
        }
    }
    names
}

#[test]
fn the_checks_run_every_test_that_needs_a_tool_and_name_no_others() {
    let Ok(checks) = std::fs::read_to_string(root().join(".ci/run")) else {
        return assert!(packed(), "only a package has no .ci/run");
    };
    let mut names: Vec<String> =
        ["src", "tests", "crates", "web"].into_iter().flat_map(tests_that_need_a_tool).collect();
    let words = checks.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    // Names of tests are sentences.
    let mut named: Vec<String> =
        words.filter(|word| word.matches('_').count() > 2).map(str::to_owned).collect();
    names.sort_unstable();
    named.sort_unstable();
    assert_eq!(named, names);
}

/// Indented blocks would not be seen by the test below.
#[test]
fn commands_stand_in_fenced_blocks() {
    for page in pages() {
        for (number, line) in page.prose() {
            let program = line.trim_start().split(' ').next().unwrap_or_default();
            let is_command = ["plumb", "./plumb", "make", "cargo", "fastchess", "sbatch"].contains(&program);
            assert!(!(line.starts_with("    ") && is_command), "{}:{number}: {line}", page.path);
        }
    }
}

/// The words of a command of the binary, double quotes taken into account and without the file that its
/// output goes to; `None` for other commands.
fn arguments(line: &str) -> Option<Vec<String>> {
    let line = line.trim();
    let rest = ["plumb ", "./plumb ", "cargo run --release -- "].iter().find_map(|p| line.strip_prefix(p))?;
    let rest = rest.split(" > ").next().unwrap_or_default();
    let mut words = Vec::new();
    for (index, part) in rest.split('"').enumerate() {
        match index % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    Some(words)
}

/// Commands in fenced blocks of `sh`, with their places. Blocks marked `not run` are left out, and so are
/// text and JavaScript; every line of the others must be a command of the binary.
fn commands() -> Vec<(String, Vec<String>)> {
    let mut commands = Vec::new();
    for block in pages().iter().flat_map(Page::blocks) {
        let language = block.language.as_str();
        assert!(["sh", "text", "js"].contains(&language), "{}: {language}", block.place);
        if language != "sh" || block.not_run.is_some() {
            continue;
        }
        for line in block.lines.iter().map(|line| line.split(" #").next().unwrap_or_default()) {
            let words = arguments(line).unwrap_or_else(|| {
                panic!(
                    "{}: not a command of plumb: {line}; mark the block <!-- not run: reason -->",
                    block.place
                )
            });
            commands.push((block.place.clone(), words));
        }
    }
    commands
}

/// Searches and experiments are run with smaller limits, in an empty folder with a copy of the suites.
#[test]
fn the_commands_in_code_blocks_succeed() {
    let folder = Folder::new("commands");
    std::fs::create_dir(folder.join("epd")).unwrap();
    for suite in ["games.epd", "mates.epd", "tactics.epd", "positional.epd"] {
        std::fs::copy(root().join("epd").join(suite), folder.join("epd").join(suite)).unwrap();
    }
    let commands = commands();
    assert!(commands.len() >= 10, "{commands:?}");
    for (place, words) in commands {
        let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
        match words[0] {
            "go" => words = vec!["go", "movetime", "50"],
            "bench" => {}
            _ if cfg!(not(feature = "lab")) => continue,
            _ => {}
        }
        for (limit, least) in [("--depth", "1"), ("--positions", "1"), ("--games", "2"), ("--nodes", "100")] {
            if let Some(at) = words.iter().position(|&word| word == limit) {
                words[at + 1] = least;
            }
        }
        if words[0] == "compare" && !words.contains(&"--positions") {
            words.extend(["--positions", "1"]);
        }
        let output = command(&words).current_dir(folder.join("")).output().expect("the binary runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let done = output.status.success() && !output.stdout.is_empty();
        assert!(done, "{place}: plumb {}: {said}", words.join(" "));
    }
}

#[cfg(feature = "lab")]
#[test]
fn pictures_are_drawn_from_their_tables() {
    let lines =
        pages().into_iter().chain(notebook()).flat_map(|page| page.blocks()).flat_map(|block| block.lines);
    let starts = ["plumb chart docs/", "plumb chart notebook/"];
    let lines: Vec<String> =
        lines.filter(|line| starts.iter().any(|start| line.starts_with(start))).collect();
    assert_eq!(lines.len(), if packed() { 1 } else { 5 }, "{lines:?}");
    let folder = Folder::new("chart");
    for name in ["docs", "notebook"] {
        std::fs::create_dir(folder.join(name)).unwrap();
    }
    for line in lines {
        let words = arguments(&line).expect("a command of plumb");
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let (table, picture) = (words[1], words[words.len() - 1]);
        std::fs::copy(root().join(table), folder.join(table)).unwrap();
        let output = command(&words).current_dir(folder.join("")).output().expect("the binary runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let drawn = std::fs::read_to_string(folder.join(picture)).unwrap();
        let kept = std::fs::read_to_string(root().join(picture)).unwrap();
        assert!(drawn == kept, "{picture} is not what this draws: {line}");
    }
}

#[test]
fn no_line_of_the_sources_is_longer_than_rustfmt_allows_comments_and_strings_included() {
    let width: usize = std::fs::read_to_string(root().join("rustfmt.toml"))
        .unwrap()
        .lines()
        .find_map(|line| line.strip_prefix("max_width = ")?.parse().ok())
        .expect("max_width in rustfmt.toml");
    let mut lines = 0;
    // A package has neither crates nor web.
    let folders = ["src", "crates", "web", "tests", "examples"];
    for folder in folders.into_iter().filter(|folder| root().join(folder).exists()) {
        for path in files_below(&root().join(folder)) {
            // Tables that `plumb texel` writes.
            let written = path.ends_with("eval/weights.rs");
            if written || path.extension().is_none_or(|extension| extension != "rs") {
                continue;
            }
            for (index, line) in std::fs::read_to_string(&path).unwrap().lines().enumerate() {
                assert!(line.chars().count() <= width, "{}:{}: {line}", path.display(), index + 1);
                lines += 1;
            }
        }
    }
    assert!(lines > 50_000, "{lines}");
}
