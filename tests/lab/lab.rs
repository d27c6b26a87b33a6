//! `plumb compare`, `plumb epd` and `plumb lab`: output, files and exit codes of the built binary.

use crate::common::program::{
    Folder, command, interrupted_at_first_progress, output_of, run, signal, wait_for_handler, wait_for_work,
    wait_until,
};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Three hand-written quiet positions.
const POSITIONS: &str = "\
# three positions
rnbqkb1r/pppp1ppp/5n2/4p3/2B1P3/8/PPPP1PPP/RNBQK1NR w KQkq - id \"one\";
4k3/pp3ppp/2p5/8/3P4/2P5/PP3PPP/4K3 w - - 0 1
2r2rk1/pp3ppp/2n1pn2/3p4/3P4/2N1PN2/PP3PPP/2R2RK1 b - - 4 12
";

/// Time from a signal to the end of a command; on a free machine it takes two seconds at most.
const LATEST: Duration = Duration::from_secs(10);

/// The lines of a record without its head.
fn rows(path: &str) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().filter(|line| !line.starts_with('#')).skip(1).map(str::to_owned).collect()
}

/// Commands with a file that they write, in place of FILE, by the argument that names it. IN is a folder with
/// games (.pgn, .vf), a suite (.epd), books (.bin), a table (.csv), results (.json), weights (.rs) and rows
/// of `plumb lab` (rows).
const WRITING: &[(&str, &str)] = &[
    ("compare csv", "compare IN/s.epd --depth 1 --csv FILE"),
    ("compare json", "compare IN/s.epd --depth 1 --json FILE"),
    ("epd json", "epd IN/s.epd --nodes 10 --json FILE"),
    ("epd csv", "epd IN/s.epd --nodes 10 --csv FILE"),
    ("epd page", "epd IN/s.epd --nodes 10 --page FILE"),
    ("epd merge json", "epd merge IN/r.json --json FILE"),
    ("epd merge csv", "epd merge IN/r.json --csv FILE"),
    ("epd merge page", "epd merge IN/r.json --page FILE"),
    ("analyse output", "analyse IN/g.pgn --nodes 10 --hash 1 --output FILE"),
    ("analyse page", "analyse IN/g.pgn --nodes 10 --hash 1 --page FILE"),
    ("analyse json", "analyse IN/g.pgn --nodes 10 --hash 1 --json FILE"),
    ("analyse record", "analyse IN/g.pgn --nodes 10 --hash 1 --record FILE"),
    ("lab report markdown", "lab report IN/rows --markdown FILE"),
    ("tournament record", "tournament Grid=8 Grid=4 --nodes 1 --games 2 --record FILE"),
    ("tournament json", "tournament Grid=8 Grid=4 --nodes 1 --games 2 --overwrite --json FILE"),
    ("tournament csv", "tournament Grid=8 Grid=4 --nodes 1 --games 2 --overwrite --csv FILE"),
    ("tournament pgn", "tournament Grid=8 Grid=4 --nodes 1 --games 2 --overwrite --pgn FILE"),
    ("tournament data", "tournament Grid=8 Grid=4 --nodes 1 --games 2 --overwrite --data FILE"),
    ("datagen out", "datagen --nodes 1 --games 1 --jobs 1 --restart --out FILE"),
    ("datagen export out", "datagen export IN/g.vf --out FILE"),
    ("datagen endings out", "datagen endings IN/g.vf --out FILE"),
    ("datagen import out", "datagen import IN/g.pgn --shown --out FILE"),
    ("datagen relabel out", "datagen relabel IN/g.vf --nodes 1 --restart --out FILE"),
    ("texel state", "texel IN/g.vf --epochs 1 --restart --state FILE"),
    ("texel write", "texel IN/g.vf --epochs 1 --state IN/state --write FILE"),
    #[cfg(feature = "tuning")]
    ("tune log", "tune --nodes 1 --iterations 1 --restart --log FILE"),
    #[cfg(feature = "tuning")]
    ("tune data", "tune --nodes 1 --iterations 1 --restart --log IN/log --data FILE"),
    ("trace output", "trace --depth 1 --output FILE"),
    ("trace json", "trace --tree report --depth 1 --output IN/page --json FILE"),
    ("book build output", "book build IN/g.pgn --output FILE"),
    ("book merge output", "book merge IN/b.bin --output FILE"),
    ("book openings output", "book openings 2 --output FILE"),
    ("chart output", "chart IN/t.csv --x a --y b --output FILE"),
];

/// Every argument of a command that names a file to be written, as the command line defines them.
fn written_files(command: &clap::Command, above: &str) -> Vec<String> {
    let below = command.get_subcommands();
    let below = below.flat_map(|one| written_files(one, &format!("{above}{} ", one.get_name())));
    let written = |argument: &&clap::Arg| format!("{:?}", argument.get_value_parser()).contains("OutputFile");
    let own = command.get_arguments().filter(written).map(|argument| format!("{above}{}", argument.get_id()));
    own.chain(below).collect()
}

/// A folder with the inputs of [`WRITING`].
fn inputs_of_all_commands(test: &str) -> Folder {
    let folder = Folder::new(test);
    folder.file("s.epd", "4k3/8/8/8/8/8/4q3/4K2R w K - 0 1 bm Kxe2; id \"one\";\n");
    folder.file("t.csv", "a,b\n1,2\n2,3\n");
    let path = |name: &str| folder.path(name);
    for (words, file) in [
        (&["tournament", "Grid=8", "Grid=4", "--nodes", "50", "--games", "40", "--pgn"][..], "g.pgn"),
        (&["datagen", "--nodes", "20", "--games", "100", "--out"], "g.vf"),
        (&["book", "build", &path("g.pgn"), "--output"], "b.bin"),
        (&["epd", &path("s.epd"), "--nodes", "10", "--json"], "r.json"),
        (&["lab", "trees", "--quick", "--shard", "1/60", "--out"], "rows"),
    ] {
        let (_, err, code) = run(&[words, &[&path(file)]].concat());
        assert_eq!(code, 0, "{words:?}: {err}");
    }
    folder
}

/// A line of [`WRITING`] for a folder, whose file `file` is the one to be written.
fn filled(line: &str, folder: &Folder) -> String {
    line.replace("IN", &folder.path("")).replace("FILE", &folder.path("file"))
}

/// There is one lock, which every command takes for every file, whatever another command writes it for.
#[test]
fn no_command_writes_a_file_that_another_program_is_writing() {
    use clap::CommandFactory as _;
    let mut known: Vec<&str> = WRITING.iter().map(|(name, _)| *name).collect();
    let mut defined = written_files(&plumb::lab::command_line::CommandLine::command(), "");
    known.sort_unstable();
    defined.sort_unstable();
    assert_eq!(known, defined, "every file that a command writes has a line in WRITING");

    let folder = inputs_of_all_commands("locked");
    let file = folder.path("file");
    for (name, line) in WRITING {
        let line = filled(line, &folder);
        let words: Vec<&str> = line.split_whitespace().collect();
        // Two commands rewrite a part of a file.
        let weights = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/src/eval/weights.rs"));
        let part = match *name {
            "texel write" => Some(weights.unwrap()),
            "lab report markdown" => Some("<!-- claims -->\n<!-- end of claims -->\n".to_owned()),
            _ => None,
        };
        // And two take no file that is there.
        let new = ["datagen endings out", "datagen import out"].contains(name);
        let old =
            part.clone().unwrap_or_else(|| if new { String::new() } else { "# plumb own\n".to_owned() });
        folder.file("file", &old);
        let lock = plumb::lab::base::records::lock::Lock::of(Path::new(&file)).unwrap();
        let (_, err, code) = run(&words);
        assert!(code == 1 && err.contains("is being written by another plumb"), "{name}: {err}");
        assert_eq!(folder.text("file"), old, "{name}");
        drop(lock);
        // Without the lock, and without an old file, the command does its work.
        std::fs::remove_file(&file).unwrap();
        part.iter().for_each(|text| drop(folder.file("file", text)));
        let (_, err, code) = run(&words);
        assert!(code == 0 && folder.join("file").exists(), "{name}: {code} {err}");
        std::fs::remove_file(&file).unwrap();
        let _ = std::fs::remove_file(folder.join("file.settings"));
    }
    let left = std::fs::read_dir(folder.join("")).unwrap().map(|entry| entry.unwrap().file_name());
    let left: Vec<_> = left.filter(|name| name.to_string_lossy().contains(".lock")).collect();
    assert!(left.is_empty(), "{left:?}");
}

/// A result takes the place of its own kind alone: no table replaces a record, no page a network.
#[test]
fn results_replace_no_file_of_another_kind() {
    let folder = inputs_of_all_commands("kinds");
    let file = folder.path("file");
    let (record, text, binary) = ("# plumb own\n", "old\n", "old\0\n");
    for (name, line) in WRITING {
        // --restart asks for it, and two commands rewrite a part of a file.
        if line.contains("--restart") || ["texel write", "lab report markdown"].contains(name) {
            continue;
        }
        let writes_games = name.starts_with("datagen") && *name != "datagen export out";
        let others = match *name {
            "compare csv" | "tournament record" | "analyse record" => [text, binary],
            "book build output" | "book merge output" | "tournament data" => [record, text],
            _ if writes_games => [record, text],
            _ => [record, binary],
        };
        if ["book build output", "book merge output"].contains(name) {
            std::fs::copy(folder.join("g.vf"), &file).unwrap();
            std::fs::copy(folder.join("g.vf.settings"), folder.join("file.settings")).unwrap();
            let line = filled(line, &folder);
            let (_, err, code) = run(&line.split_whitespace().collect::<Vec<_>>());
            std::fs::remove_file(folder.join("file.settings")).unwrap();
            assert!(code != 0 && err.contains("is a file of games"), "{name}: {err}");
        }
        for old in others {
            folder.file("file", old);
            let line = filled(line, &folder);
            let words: Vec<&str> = line.split_whitespace().collect();
            let (_, err, code) = run(&words);
            assert!(code != 0 && err.starts_with("plumb: "), "{name} replaces {old:?}: {err}");
            assert_eq!(folder.text("file"), old, "{name}");
        }
    }
}

#[test]
fn errors_are_one_line_and_an_exit_code() {
    let folder = Folder::new("errors");
    let good = folder.file("good.epd", POSITIONS);
    let empty = folder.file("empty.epd", "# nothing\n\n");
    let rubbish = folder.file("rubbish.epd", "no position\n");
    let folder_name = folder.path("");
    for (arguments, wanted, code) in [
        (&["compare", &folder.path("missing.epd")][..], "cannot read", 1),
        (&["compare", &folder_name], "cannot read", 1),
        (&["compare", &empty], "there is no position to search", 1),
        (&["compare", &rubbish], "rubbish.epd:1: a position has four fields", 1),
        (&["compare", "--set", "Grid", &good], "not of the form Option=Value", 2),
        (&["compare", "--set", "Grid=0", &good], "is not within 1 to", 2),
        (&["compare", "--set", "Backend=sss", &good], "cannot be set here", 2),
        (&["compare", "--set-for", "fish:Grid=1", &good], "unknown backend 'fish'", 2),
        (&["compare", "--backends", "mtdf", "--set-for", "sss:Grid=1", &good], "not among the backends", 2),
        (&["compare", "--backends", "fish", &good], "unknown backend", 2),
        (&["compare", "--hash", "1,2", &good], "with --verify only", 2),
        (&["compare", "--verify", "--backends", "alphabeta", &good], "name another one in --backends", 2),
        (&["compare", "--depth", "0", &good], "0 is not in 1..", 2),
        (&["compare", "--mode", "fast", &good], "unknown choice 'fast'", 2),
        (&["compare"], "required", 2),
        (&["compare", "--csv", &folder_name, &good], "cannot open", 1),
        (&["compare", "--json", &folder_name, &good], "cannot write to", 1),
        (&["help", "fish"], "there is no command 'fish'", 2),
        (&["epd", &folder.path("missing.epd")], "cannot read", 1),
        (&["epd", &empty], "empty.epd holds no position", 1),
        (&["epd", &rubbish], "there is nothing to run", 1),
        (&["epd", &good], "good.epd holds positions without anything to find", 2),
        (&["epd", "--set", "Colour=red", &good], "unknown option 'Colour'", 2),
        (&["epd", "--backend", "", &good], "no backend is named", 2),
        (&["lab", "fish"], "there is no experiment 'fish'; known are: ", 2),
        (&["lab"], "needs names of experiments; known are: ", 2),
        (&["lab", "all", "--shard", "3/2"], "a share is I/N", 2),
        (&["lab", "all", "--quick", "--full"], "cannot be used with", 2),
        (&["lab", "all", "--out", &good], "cannot make the folder", 1),
        (&["lab", "report", &folder.path("missing")], "holds no rows", 1),
        (&["lab", "export", &folder.path("missing"), "--csv", &folder_name], "holds no rows", 1),
        (&["lab", "export"], "required", 2),
        (&["lab", "merge", &folder_name, "--out", &folder.path("joined")], "none of these folders holds", 1),
    ] {
        let (out, err, found) = run(arguments);
        assert!(err.contains(wanted), "{arguments:?}: {err}");
        assert_eq!(found, code, "{arguments:?}: {err}");
        assert_eq!(out, "", "{arguments:?}");
    }
}

#[test]
fn help_goes_to_standard_output() {
    for (name, wanted) in [("compare", "--backends"), ("epd", "--backends"), ("lab", "--shard")] {
        let (out, err, code) = run(&[name, "--help"]);
        assert!(out.contains(wanted) && err.is_empty() && code == 0, "{out}{err}");
        assert_eq!(run(&["help", name]), (out, err, code), "plumb help {name}");
    }
    let (out, _, _) = run(&["help", "epd", "merge"]);
    assert!(out.contains("Usage: plumb epd merge"), "{out}");
}

#[test]
fn paper_mode_is_compared_on_a_grid_of_one() {
    let folder = Folder::new("grid");
    let file = folder.file("own.epd", POSITIONS);
    let heading = |more: &[&str]| {
        let fixed = ["compare", "--depth", "1", "--hash", "1", "--backends", "mtdf", &file];
        let (out, err, code) = run(&[&fixed[..], more].concat());
        assert_eq!(code, 0, "{err}");
        out.lines().find(|line| line.starts_with("Grid ")).unwrap().split(',').next().unwrap().to_owned()
    };
    assert_eq!(heading(&[]), "Grid 1");
    assert_eq!(heading(&["--set", "grid=16"]), "Grid 16");
    assert_eq!(heading(&["--mode", "play"]), "Grid 16");
}

#[test]
fn a_comparison_is_written_as_json() {
    let folder = Folder::new("json");
    let (file, json) = (folder.file("own.epd", POSITIONS), folder.path("own.json"));
    let fixed = ["compare", "--depth", "3", "--hash", "1", "--backends", "mtdf,ins"];
    let (out, err, code) = run(&[&fixed[..], &["--json", &json, &file]].concat());
    assert_eq!(code, 0, "{err}");
    for wanted in ["Columns\n", "- passes/iteration: ", "- a dash: "] {
        assert!(out.contains(wanted), "'{wanted}' is missing in\n{out}");
    }
    let read: serde_json::Value = serde_json::from_str(&folder.text("own.json")).unwrap();
    assert_eq!(
        (&read["mode"], &read["base"], &read["positions"]),
        (&"paper".into(), &"NegaScout".into(), &3.into())
    );
    let depths = read["depths"].as_array().unwrap();
    assert_eq!(depths.len(), 3);
    let backends = depths[2]["backends"].as_array().unwrap();
    let of = |name: &str| backends.iter().find(|one| one["backend"] == name).unwrap();
    assert_eq!(of("NegaScout")["ratios"]["leaves"]["totals"]["value"], 1.0);
    let (mtdf, ins) = (of("MTD(f)"), of("INS"));
    assert!(
        mtdf["sums"]["made_moves"].as_u64() > Some(0) && mtdf["passes_per_iteration"].is_number(),
        "{mtdf}"
    );
    assert!(ins["passes_per_iteration"].is_null() && ins["ratios"]["leaves"].is_null(), "{ins}");
    // On standard output the document is alone; the tables go to standard error.
    let (out, err, code) = run(&[&fixed[..], &["--json", "-", &file]].concat());
    assert!(code == 0 && serde_json::from_str::<serde_json::Value>(&out).is_ok(), "{out}");
    assert!(err.contains("## Depth 3"), "{err}");
}

#[test]
fn compare_prints_tables() {
    let folder = Folder::new("tables");
    let file = folder.file("own.epd", POSITIONS);
    let shown =
        ["compare", "--depth", "3", "--hash", "1", "--backends", "mtdf,alphabeta", "--set", "Grid=1", &file];
    let (out, err, code) = run(&shown);
    assert_eq!(code, 0, "{err}");
    for wanted in [
        "# Comparison: paper mode, 3 positions, depth 3, 1 MiB, base NegaScout with window",
        "## Depth 3, cumulative from depth 1, 3 positions",
        "100 % = NegaScout: ",
        "| NegaScout | 100.0 [100.0, 100.0] |",
        "| AlphaBeta |",
        "By depth: leaves",
        "|    d1 |    d2 |    d3 |",
    ] {
        assert!(out.contains(wanted), "'{wanted}' is missing in\n{out}");
    }
    assert!(!out.contains("## Depth 2"));
    let (out, _, _) = run(&[&shown[..], &["--all-depths", "--positions", "1", "--jobs", "2"]].concat());
    assert!(out.contains("## Depth 2, cumulative from depth 1, 1 position\n"), "{out}");
    assert!(out.contains("times are less reliable"), "{out}");
}

#[test]
fn set_for_sets_an_option_of_one_backend() {
    let folder = Folder::new("apart");
    let file = folder.file("own.epd", POSITIONS);
    let (out, err, code) = run(&[
        "compare",
        "--depth",
        "2",
        "--hash",
        "1",
        "--backends",
        "mtdf",
        "--set-for",
        "mtdf:Grid=4",
        &file,
    ]);
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("MTD(f): Grid 4\n"), "{out}");
}

#[test]
fn the_window_sweep_chooses_the_base() {
    let folder = Folder::new("sweep");
    let file = folder.file("own.epd", POSITIONS);
    let csv = folder.path("own.csv");
    let arguments = [
        "compare",
        "--depth",
        "3",
        "--hash",
        "1",
        "--backends",
        "mtdf",
        "--sweep-window",
        "--csv",
        &csv,
        &file,
    ];
    let (out, err, code) = run(&arguments);
    assert_eq!(code, 0, "{err}");
    let best = out.split("Best window: ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap();
    assert!(out.contains(&format!("base NegaScout with window {best}\n")), "{out}");
    let (again, err, code) = run(&arguments);
    assert_eq!((again, code), (out, 0));
    assert!(err.contains("42 searches are taken over"), "{err}");
}

#[test]
fn a_record_resumes_its_own_experiment_alone() {
    let folder = Folder::new("record");
    let file = folder.file("own.epd", POSITIONS);
    let csv = folder.path("own.csv");
    let base = ["compare", "--hash", "1", "--backends", "mtdf,sss", "--csv", &csv, &file];
    let arguments = [&base[..], &["--depth", "3"]].concat();
    let (first, err, code) = run(&arguments);
    assert_eq!(code, 0, "{err}");
    let whole = std::fs::read_to_string(&csv).unwrap();
    assert_eq!(rows(&csv).len(), 3 * 3 * 3);
    assert!(whole.lines().all(|line| line.starts_with('#') || line.split(',').count() == 24), "{whole}");

    let (again, err, _) = run(&arguments);
    assert_eq!(again, first);
    assert!(err.contains("9 searches are taken over"), "{err}");
    assert_eq!(std::fs::read_to_string(&csv).unwrap(), whole);

    std::fs::write(&csv, &whole[..whole.len() * 3 / 4]).unwrap();
    let (_, err, code) = run(&arguments);
    assert!(code == 0 && err.contains("searches are taken over"), "{err}");
    assert_eq!(rows(&csv).len(), 3 * 3 * 3);

    let (out, err, code) = run(&[&base[..], &["--depth", "2"]].concat());
    assert!(err.contains("holds another experiment ('depth 3, hash 1 MiB', now 'depth 2"), "{err}");
    assert_eq!((out.as_str(), code), ("", 1));
    let (_, err, code) = run(&[&base[..], &["--depth", "2", "--restart"]].concat());
    assert_eq!(code, 0, "{err}");
    assert_eq!(rows(&csv).len(), 3 * 3 * 2);
}

#[test]
fn counts_do_not_depend_on_the_threads() {
    let folder = Folder::new("threads");
    let file = folder.file("own.epd", POSITIONS);
    let counts = |jobs: &str| {
        let csv = folder.path(&format!("jobs{jobs}.csv"));
        let (_, err, code) =
            run(&["compare", "--depth", "3", "--hash", "1", "--jobs", jobs, "--csv", &csv, &file]);
        assert_eq!(code, 0, "{err}");
        // The last columns are time and checksum.
        let mut rows: Vec<_> =
            rows(&csv).iter().filter_map(|row| Some(row.rsplitn(3, ',').nth(2)?.to_owned())).collect();
        rows.sort();
        rows
    };
    assert_eq!(counts("1"), counts("3"));
}

#[test]
fn verify_finds_no_disagreement() {
    let folder = Folder::new("proof");
    let file = folder.file("own.epd", POSITIONS);
    let (out, err, code) =
        run(&["compare", "--verify", "--depth", "3", "--hash", "1,2", "--guesses", "-300,0,300", &file]);
    assert_eq!(code, 0, "{out}{err}");
    assert!(
        out.contains("# Proof: strict mode, 3 positions, depths 1 to 3, 3 first guesses: no disagreement")
    );
    assert!(out.contains("| MTD-best       | 2 MiB |        9 |              27 |             0 |"), "{out}");
}

/// Hand-written positions with known answers: a mate in one, a queen that hangs, perfts, two bad lines.
const SUITE: &str = "\
# our own
6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra8#; id \"back rank\"; dm 1;
6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm #1;
4k3/8/8/3q4/4P3/8/8/4K3 w - - bm exd5; id \"take; it\";
4k3/8/8/3q4/4P3/8/8/4K3 w - - am ed5; id \"must fail\";
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400 ;D6 119060324
4k3/8/8/8/8/8/8/4K3 w - - bm Qh5;
nonsense
";

#[test]
fn epd_solves_and_counts() {
    let folder = Folder::new("epd");
    let file = folder.file("own.epd", SUITE);
    let csv = folder.path("own.csv");
    let (out, err, code) = run(&["epd", "--nodes", "3000", "--hash", "1", "--verbose", "--csv", &csv, &file]);
    assert!(code == 1 && err.contains("2 lines could not be read, the rest was run"), "{err}");
    assert!(err.contains("own.epd:7: 'Qh5' is no legal move here (skipped)"), "{err}");
    assert!(err.contains("own.epd:8: a position has four fields"), "{err}");
    for wanted in [
        "| own.epd | MTD(f)  |    3/4 | 75.0 |",
        "2/2 |           0 |",
        "| must fail | own.epd:5 | MTD(f)  | am exd5  | exd5 |",
        "| own.epd |      2 |     2 |            420 |",
        "back rank MTD(f): Ra8# #1 depth",
        "own.epd:6 perft 2: 400 right",
    ] {
        assert!(out.contains(wanted), "'{wanted}' is missing in\n{out}");
    }
    let text = std::fs::read_to_string(&csv).unwrap();
    assert_eq!(text.lines().count(), 1 + 4 + 2, "{text}");
    assert!(text.contains(",perft,400,400,true,"), "{text}");
}

#[test]
fn epd_runs_several_backends_and_files() {
    let folder = Folder::new("files");
    let one = folder.file("one.epd", "6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra8;\n");
    let two = folder.file("two.epd", "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w GBgb - ;D1 18\n");
    let (out, err, code) =
        run(&["epd", "--depth", "2", "--hash", "1", "--backends", "all", "--jobs", "2", &one, &two]);
    for backend in ["MTD(f)", "MTD-best", "SSS*", "AlphaBeta"] {
        assert!(out.contains(&format!("| one.epd | {backend:<14} |    1/1 |")), "{backend}: {out}");
    }
    assert!(out.contains("| two.epd |      1 |"), "{out}");
    assert_eq!(code, 0, "{out}{err}");
}

#[test]
fn a_wrong_perft_is_a_failure() {
    let folder = Folder::new("perft");
    let file = folder.file("own.epd", "4k3/8/8/8/8/8/8/4K3 w - - ;D1 6\n");
    let (out, _, code) = run(&["epd", &file]);
    assert!(out.contains("Wrong") && code == 1, "{out}");
}

#[test]
fn a_closed_pipe_is_an_exit_code_and_no_panic() {
    let folder = Folder::new("pipe");
    let file = folder.file("own.epd", &SUITE.repeat(20));
    let mut child = command(&["epd", "--verbose", "--depth", "2", "--hash", "1", &file])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let (_, _, code) = output_of(&child.wait_with_output().unwrap());
    assert_eq!(code, 1);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported_in_one_line() {
    let folder = Folder::new("full");
    let file = folder.file("own.epd", POSITIONS);
    let suite = folder.file("suite.epd", SUITE);
    for arguments in [
        &["compare", "--depth", "2", "--hash", "1", "--csv", "/dev/full", &file][..],
        &["epd", "--depth", "2", "--hash", "1", "--csv", "/dev/full", &suite],
    ] {
        let (_, err, code) = run(arguments);
        assert!(err.contains("cannot write to /dev/full") && code == 1, "{err}");
    }
    let out = folder.path("out");
    std::fs::create_dir(&out).unwrap();
    std::os::unix::fs::symlink("/dev/full", folder.path("out/trees.csv")).unwrap();
    let (_, err, code) = run(&["lab", "trees", "--quick", "--out", &out]);
    assert!(err.contains("cannot write to") && err.contains("trees.csv") && code == 1, "{err}");
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = command(&["compare", "--depth", "2", "--hash", "1", &file]).stdout(full).output().unwrap();
    let (_, err, code) = output_of(&output);
    assert!(err.contains("cannot write to standard output") && code == 1, "{err}");
}

#[cfg(unix)]
#[test]
fn an_interrupted_command_prints_the_finished_results() {
    let folder = Folder::new("interrupted");
    let suite = folder.file("suite.epd", &SUITE.repeat(50));
    let positions = folder.file("own.epd", &POSITIONS.repeat(50));
    let csv = folder.path("own.csv");
    for (arguments, wanted) in [
        (&["epd", "--movetime", "100", "--hash", "1", &suite][..], "| suite.epd | MTD(f)"),
        (&["compare", "--depth", "4", "--hash", "1", "--csv", &csv, &positions], "## Depth 4, cumulative"),
        (&["compare", "--depth", "100", "--hash", "1", &positions], "No position is finished"),
        (&["compare", "--verify", "--depth", "100", "--hash", "1", &positions], "# Proof"),
    ] {
        let mut child = command(arguments);
        let child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // At depth 100 no position is ever finished, so that there is no progress to tell.
        let (out, err, code) = if arguments.contains(&"100") && arguments[0] == "compare" {
            wait_for_handler(&child);
            wait_for_work(&child);
            signal(&child, "-INT");
            output_of(&child.wait_with_output().unwrap())
        } else {
            interrupted_at_first_progress(child, "-INT")
        };
        assert!(out.contains(wanted), "{arguments:?}\n{out}{err}");
        assert_eq!(code, 130, "{err}");
    }
    assert!(!rows(&csv).is_empty());
}

/// The experiments that `plumb lab --list` names.
fn experiments() -> Vec<String> {
    let (out, err, code) = run(&["lab", "--list"]);
    assert!(out.starts_with("| name") && code == 0, "{out}{err}");
    // A row that is broken into several lines has its name in the first.
    let names = out.lines().skip(2).filter_map(|row| Some(row.split('|').nth(1)?.trim().to_owned()));
    names.filter(|name| !name.is_empty()).collect()
}

/// Units of a record, sorted.
fn units(path: &str) -> Vec<String> {
    let mut units: Vec<String> =
        rows(path).iter().filter_map(|row| Some(row.split(',').next()?.to_owned())).collect();
    units.sort();
    units
}

#[cfg(unix)]
#[test]
fn an_interrupted_experiment_keeps_its_rows_and_resumes() {
    let name = experiments().into_iter().next().expect("an experiment");
    let folder = Folder::new("study");
    let (out, csv) = (folder.path("out"), folder.path(&format!("out/{name}.csv")));
    let arguments = ["lab", &name, "--quick", "--jobs", "1", "--out", &out];
    let child = command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_until("a row", || Path::new(&csv).exists() && !rows(&csv).is_empty());
    signal(&child, "-INT");
    let (_, err, code) = output_of(&child.wait_with_output().unwrap());
    assert!(code == 130 && err.contains("plumb lab report"), "{err}");
    let first = units(&csv);
    // A shard with little or no work keeps the finished rows.
    let (_, err, code) = run(&[&arguments[..], &["--shard", "1/1000"]].concat());
    assert!(code == 0, "{err}");
    let then = units(&csv);
    assert!(first.iter().all(|unit| then.contains(unit)) && !first.is_empty());
    let claims = folder.path("claims.md");
    let (out, err, code) = run(&["lab", "report", &out, "--markdown", &claims]);
    assert!(out.starts_with("# ") && code == 0, "{err}");
    // Experiments without rows have their claims in the file too.
    let text = folder.text("claims.md");
    for experiment in experiments() {
        assert_eq!(
            text.matches(&format!("\nExperiment `{experiment}`")).count(),
            1,
            "{experiment} in {text}"
        );
    }
}

/// The page of claims as it stands, and as the report on the rows of a folder has it.
fn pages_of_claims(folder: &Folder) -> [String; 2] {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    std::fs::copy(docs.join("best-node.csv"), folder.path("best-node.csv")).unwrap();
    std::fs::copy(docs.join("claims.md"), folder.path("claims.md")).unwrap();
    let (_, err, code) = run(&["lab", "report", &folder.path(""), "--markdown", &folder.path("claims.md")]);
    assert_eq!(code, 0, "{err}");
    [std::fs::read_to_string(docs.join("claims.md")).unwrap(), folder.text("claims.md")]
}

#[test]
#[ignore = "needs the rows of the claims: PLUMB_CLAIMS"]
fn the_page_of_claims_is_the_report_on_its_rows() {
    let folder = Folder::new("claims");
    let archive = std::env::var_os("PLUMB_CLAIMS").expect("PLUMB_CLAIMS, the path of claims.tar.xz");
    let unpacked = Command::new("tar").arg("-xJf").arg(archive).args(["-C", &folder.path("")]).status();
    assert!(unpacked.is_ok_and(|status| status.success()));
    let [kept, reported] = pages_of_claims(&folder);
    assert!(kept == reported, "docs/claims.md is not what its rows say: plumb lab report --markdown");
}

/// The same for the experiments whose rows are few enough to stand here.
#[test]
fn the_page_of_claims_is_the_report_on_the_rows_that_are_here() {
    let folder = Folder::new("claims-here");
    for name in ["best-first.csv", "ordering.csv"] {
        let rows = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/claims").join(name);
        std::fs::copy(rows, folder.path(name)).unwrap();
    }
    let pages = pages_of_claims(&folder);
    for experiment in ["best-first", "ordering", "best-node"] {
        let of_experiment = |page: &String| {
            let from = page.find(&format!("\nExperiment `{experiment}`")).unwrap();
            let length = page[from..].find("\n##").unwrap();
            page[from..from + length].to_owned()
        };
        let [kept, reported] = pages.each_ref().map(of_experiment);
        assert_eq!(kept, reported, "{experiment}: plumb lab report --markdown");
        assert!(reported.contains(" units. Measured "), "{reported}");
    }
}

/// The first unit of this share takes tenths of a second and the second one minutes: Othello from 244
/// openings against Alpha-Beta to seven plies. The program gives itself two seconds; a machine that does much
/// else may need more.
#[cfg(unix)]
#[test]
fn a_long_experiment_ends_soon_after_a_signal() {
    let folder = Folder::new("signal");
    let (out, csv) = (folder.path("out"), folder.path("out/best-first.csv"));
    let arguments = ["lab", "best-first", "--full", "--shard", "1/6", "--jobs", "1", "--out", &out];
    let child = command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_until("a row", || Path::new(&csv).exists() && !rows(&csv).is_empty());
    let before = rows(&csv).len();
    signal(&child, "-TERM");
    let signalled = Instant::now();
    let (_, err, code) = output_of(&child.wait_with_output().unwrap());
    let ended = signalled.elapsed();
    assert_eq!(code, 130, "{err}");
    assert!(ended < LATEST, "it ended after {ended:?}");
    // No report is drawn: from the rows of a long run that can take longer than a batch system waits.
    assert!(!Path::new(&folder.path("out/report.html")).exists(), "{err}");
    assert!(rows(&csv).len() >= before && before > 0);
}

/// Interrupted in the middle of a unit and cut in the middle of a line, a resumed run has the same rows.
#[cfg(unix)]
#[test]
fn a_resumed_experiment_has_the_rows_of_an_uninterrupted_one() {
    let folder = Folder::new("resumed");
    // This experiment counts and times nothing.
    let study = |out: &str| {
        let out = folder.path(out);
        command(&["lab", "guess", "--quick", "--shard", "1/4", "--jobs", "1", "--out", &out])
    };
    let sorted = |path: &str| {
        let mut rows = rows(path);
        rows.sort();
        rows
    };
    let (broken, whole) = (folder.path("broken/guess.csv"), folder.path("whole/guess.csv"));
    let child = study("broken").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_until("a row", || Path::new(&broken).exists() && !rows(&broken).is_empty());
    signal(&child, "-INT");
    let (_, err, code) = output_of(&child.wait_with_output().unwrap());
    assert_eq!(code, 130, "{err}");
    let text = std::fs::read_to_string(&broken).unwrap();
    std::fs::write(&broken, &text[..text.len() - 7]).unwrap();
    for out in ["broken", "whole"] {
        let (_, err, code) = output_of(&study(out).output().unwrap());
        assert_eq!(code, 0, "{err}");
    }
    assert!(text.lines().count() < rows(&whole).len(), "it was interrupted before the end");
    assert_eq!(sorted(&broken), sorted(&whole));
}

/// What means nothing, or cannot be, is refused in one line on standard error, and nothing is begun.
#[test]
fn nothing_is_accepted_in_silence() {
    let folder = Folder::new("silence");
    let (empty, out) = (folder.file("empty.pgn", ""), folder.path("out"));
    let unscored = folder.file("unscored.pgn", "[Result \"1-0\"]\n\n1. e4 e5 1-0\n");
    let positions = folder.file("own.epd", POSITIONS);
    let long = "99999999999999999999";
    for (arguments, named) in [
        (&["train", &empty, "--out", &out, "--batch", "0"][..], "--batch"),
        (&["train", &empty, "--out", &out, "--epochs", "0"], "--epochs"),
        (&["train", &empty, "--out", &out, "--jobs", "0"], "--jobs"),
        (&["train", &empty, "--out", &out, "--memory", "0"], "--memory"),
        (&["train", &empty, "--out", &out, "--memory", long], long),
        (&["train", &empty, "--out", &out, "--width", "31"], "31"),
        (&["datagen", "import", &empty, "--out", &out], "no games"),
        (&["datagen", "import", &unscored, "--out", &out], "score"),
        (&["datagen", "--out", &out, "--games", long], long),
        (&["trace", "--tree", "othello", "--width", "5", "--output", &out], "--width"),
        (&["trace", "--tree", "report", "--seed", "5", "--output", &out], "--seed"),
        (&["trace", "--tree", "chess", "--ordered", "5", "--output", &out], "--ordered"),
        (&["trace", "--seed", "5", "--output", &out], "--tree"),
        (&["compare", "--guesses", "1,2", &positions], "--verify"),
        (&["compare", "--verify", "--all-depths", &positions], "--all-depths"),
        (&["lab", "--list", "chess"], "--list"),
        (&["genfens", "0", "seed", "1"], "genfens"),
        (&["genfens", "1", "seed", "1", "book"], "book"),
        (&["genfens", "1", "seed", long], "64 bits"),
        (&["tournament", "default", "Grid=8", "--nodes", long], long),
        (&["chart", &positions, "--x", "a", "--y", "b", "--level", "nan"], "nan"),
    ] {
        let (told, err, code) = run(arguments);
        assert_eq!((told.as_str(), err.lines().count(), code), ("", 1, 2), "{arguments:?}: {err}");
        assert!(err.starts_with("plumb: ") && err.contains(named), "{arguments:?}: {err}");
    }
    assert!(!Path::new(&out).exists());
    let (_, err, code) = run(&["train", &folder.path("missing.vf"), "--out", &out]);
    assert!(err.contains("missing.vf") && code == 1 && !Path::new(&out).exists(), "{err}");
}

/// The template of an experiment, as a program of its own.
#[path = "../../examples/experiment.rs"]
#[allow(dead_code, unreachable_pub)]
mod template;

#[test]
fn the_template_of_an_experiment_measures_and_concludes() {
    use plumb::lab::base::{records::rows::cells, terminal::interrupted::Stop};
    use plumb::lab::study::papers::experiment::{Experiment as _, Scale, Unfinished, Verdict, Work};
    let units = template::FirstTry.units(Scale::Quick);
    let stop = Stop::default();
    let run = |unit| template::FirstTry.run(Scale::Quick, unit, &Work::new(&stop));
    let rows: Vec<_> = (0..units.len()).flat_map(|unit| run(unit).expect("not stopped")).collect();
    assert_eq!(rows.len(), units.len());
    assert_eq!(cells(&rows[..1]).unwrap()[0].len(), template::FirstTry.about().columns.len(), "{rows:?}");
    let claim = &template::FirstTry.conclude(Scale::Quick, &rows).claims[0];
    assert!(claim.ours.contains(" % ["), "{claim:?}");
    let code = include_str!("../../examples/experiment.rs").lines().map(str::trim_start);
    let lines = code.filter(|line| !line.is_empty() && !line.starts_with("//")).count();
    assert!(lines <= 55, "a template is short, this one has {lines} lines of code");
    assert_eq!(template::FirstTry.conclude(Scale::Quick, &[]).claims[0].verdict, Verdict::Open);
    stop.abandon();
    let stopped = run(0).expect_err("it looks at the stop flag");
    assert_eq!(stopped, Unfinished::Stopped);
}

#[test]
fn two_runs_are_compared_by_their_rows_and_claims() {
    let folder = Folder::new("diff");
    let (a, b) = (folder.path("a"), folder.path("b"));
    let measure = |out: &str, shard: &str| {
        let (said, err, code) = run(&["lab", "guess", "--quick", "--out", out, "--shard", shard]);
        assert_eq!(code, 0, "{err}");
        assert!(said.lines().all(|line| line.chars().count() <= 80), "wider than a terminal: {said}");
    };
    measure(&a, "1/12");
    measure(&b, "1/12");
    let (said, err, code) = run(&["lab", "diff", &a, &b]);
    assert_eq!((code, err.as_str()), (0, ""), "{said}");
    assert!(said.contains("| guess ") && !said.contains("## guess"), "{said}");
    measure(&b, "2/12");
    let (said, _, code) = run(&["lab", "diff", &a, &b]);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("## guess\n\n- Othello: ") && said.contains("  - A: "), "{said}");
    assert!(said.lines().all(|line| line.chars().count() <= 80), "{said}");
    let (_, err, code) = run(&["lab", "diff", &a, &folder.path("missing")]);
    assert!(code == 2 && err.contains("hold no rows of the same experiment"), "{err}");
}
