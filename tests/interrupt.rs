//! Ctrl-C in every command: the list is that of the command line's definition, so that a new command is asked
//! for here.
#![cfg(unix)]

mod common;

use clap::CommandFactory as _;
use common::program::{Folder, command, output_of, run, signal, wait_for_handler, wait_until};
use plumb::lab::command_line::CommandLine;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Commands that end by themselves: they print what they know, or read and write files of a known size.
const END_BY_THEMSELVES: [&str; 9] = [
    "lab merge",
    "lab report",
    "lab diff",
    "lab export",
    "book probe",
    "book merge",
    "syzygy",
    "completions",
    "manual",
];

/// Time from Ctrl-C to the end of a command. Two seconds are the aim; the tests run beside others, and
/// unoptimised.
const LATEST: Duration = Duration::from_secs(10);

const GAME: &str = "[Result \"1-0\"]\n\n1. e4 {+0.31/9 0.02s} e5 {-0.20/8 0.02s} 2. Nf3 {+0.25/8 0.02s} \
                    Nc6 {-0.22/9 0.02s} 3. Bb5 {+0.12/9 0.02s} a6 {-0.10/9 0.02s} 1-0\n\n";

/// The names of a command and of those below it, as they are typed.
fn names(command: &clap::Command, above: &str) -> Vec<String> {
    let name = format!("{above} {}", command.get_name()).trim().to_owned();
    let below = command.get_subcommands().flat_map(|one| names(one, &name));
    let alone = !command.is_subcommand_required_set();
    alone.then(|| name.clone()).into_iter().chain(below).collect()
}

/// Inputs that do not end, and small ones.
struct Inputs(Folder);

impl Inputs {
    /// A pipe that gives `text` again and again, for commands that read as they go; or, for the others, that
    /// gives it once and stays open.
    fn pipe(&self, name: &str, text: &[u8], endless: bool) -> String {
        let path = self.0.path(name);
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        let (to, text) = (path.clone(), text.to_vec());
        std::thread::spawn(move || {
            let mut pipe = OpenOptions::new().write(true).open(to).unwrap();
            while pipe.write_all(&text).is_ok() {
                if !endless {
                    std::thread::sleep(Duration::from_secs(600));
                }
            }
        });
        path
    }

    /// A file of some games, no two alike.
    fn games(&self, name: &str) -> String {
        let path = self.0.path(name);
        let seed = name.len().to_string();
        let plan = ["--games", "40", "--nodes", "10", "--seed", &seed, "--out", &path];
        let (_, err, code) = run(&[&["datagen"], &plan[..]].concat());
        assert_eq!(code, 0, "{err}");
        path
    }

    fn endless_games(&self, name: &str) -> String {
        let games = std::fs::read(self.games(&format!("{name}-some"))).unwrap();
        self.pipe(name, &games, true)
    }

    /// Arguments with which a command works for minutes, or waits for input that does not come; without a
    /// name's entry, nothing is known of the command.
    fn work_of(&self, name: &str) -> Option<Vec<String>> {
        let dashed = name.replace(' ', "-");
        let new = |file: &str| self.0.path(&format!("{dashed}-{file}"));
        let pgn = || self.pipe(&format!("{dashed}.pgn"), GAME.repeat(100).as_bytes(), true);
        let games = || self.endless_games(&format!("{dashed}.vf"));
        let waiting = |text: &str| self.pipe(&format!("{dashed}-waits"), text.as_bytes(), false);
        let suite =
            || self.0.file(&format!("{dashed}.epd"), "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"a\";\n");
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let long = "--nodes 900000000 --games 2 --jobs 1";
        Some(match name {
            "compare" => words(&format!("--depth 99 --hash 1 {}", suite())),
            "epd" => words(&format!("--movetime 600000 --hash 1 {}", suite())),
            "analyse" => words(&format!("{} --hash 1 --nodes 20000 -o {}", pgn(), new("annotated"))),
            "epd compare" => words(&format!("{} {}", waiting("{"), suite())),
            "epd merge" => words(&format!("{} {}", waiting("{"), suite())),
            "lab" => words(&format!("chess --full --jobs 1 --out {}", new("lab"))),
            "tournament" => words(&format!("Grid=8 Grid=4 {long}")),
            "datagen" => words(&format!("--out {} {long}", new("games"))),
            "datagen stats" => words(&games()),
            "datagen export" => words(&format!("{} -o {}", games(), new("text"))),
            "datagen relabel" => words(&format!("{} -o {}", games(), new("games"))),
            "datagen endings" => words(&format!("{} -o {}", games(), new("games"))),
            "datagen import" => words(&format!("{} -o {}", pgn(), new("games"))),
            "genfens" => words("1000000 seed 1 book None"),
            "texel" => {
                let games = self.games("texel.vf");
                words(&format!("{games} --epochs 1000000 --patience 1000000 --state {}", new("state")))
            }
            "train" => {
                let (games, judge) = (self.games("train.vf"), self.games("train-validation.vf"));
                let plan = format!("--batch 64 --epochs 10000 --validation {judge} --out {}", new("net"));
                words(&format!("{games} {plan}"))
            }
            "tune" => words(&format!("--nodes 900000000 --jobs 1 --log {}", new("log"))),
            "trace" => words(&format!("--depth 99 -o {}", new("page"))),
            "book build" => words(&format!("{} -o {}", pgn(), new("book"))),
            "book openings" => words(&format!("1000000 -o {}", new("openings"))),
            "chart" => words(&format!("{} --x x --y y -o {}", waiting("x,y\n1,2\n"), new("chart"))),
            "wdl" => words(&pgn()),
            _ => return None,
        })
    }
}

/// Time from Ctrl-C to the end of a command that is at work, and its exit code.
fn interrupted(name: &str, arguments: &[String]) -> (Duration, i32) {
    let all: Vec<&str> = name.split(' ').chain(arguments.iter().map(String::as_str)).collect();
    let mut child = command(&all).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_millis(300) {
        let ended = child.try_wait().unwrap();
        assert!(ended.is_none(), "{all:?} has ended: {:?}", output_of(&child.wait_with_output().unwrap()));
        std::thread::sleep(Duration::from_millis(10));
    }
    wait_for_handler(&child);
    let begun = Instant::now();
    signal(&child, "-INT");
    while child.try_wait().unwrap().is_none() {
        if begun.elapsed() > LATEST {
            child.kill().unwrap();
            panic!("{all:?} goes on after Ctrl-C");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let time = begun.elapsed();
    let (_, err, code) = output_of(&child.wait_with_output().unwrap());
    assert!(code == 130, "{all:?} {code}: {err}");
    (time, code)
}

#[test]
fn every_command_ends_within_seconds_of_ctrl_c() {
    let definition = CommandLine::command();
    let all: Vec<String> = definition.get_subcommands().flat_map(|one| names(one, "")).collect();
    for name in END_BY_THEMSELVES {
        assert!(all.iter().any(|one| one == name), "there is no command {name}");
    }
    let inputs = Inputs(Folder::new("every-command"));
    let asked: Vec<&String> = all.iter().filter(|name| !END_BY_THEMSELVES.contains(&name.as_str())).collect();
    let next = Mutex::new(asked.iter());
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while let Some(name) = { next.lock().unwrap().next() } {
                    let work = inputs.work_of(name);
                    let work = work
                        .unwrap_or_else(|| panic!("say how {name} works long, or that it ends by itself"));
                    let (time, _) = interrupted(name, &work);
                    println!("{name}: {} ms", time.as_millis());
                }
            });
        }
    });
    let mut left = common::files_below(&inputs.0.join(""));
    left.retain(|path| path.extension().is_some_and(|extension| extension == "lock"));
    assert!(left.is_empty(), "{left:?}");
}

/// The second signal ends a command at once, before it can return from its functions.
#[test]
fn a_command_that_ends_at_once_leaves_no_lock() {
    let folder = Folder::new("at-once");
    let (record, json) = (folder.path("a.rec"), folder.path("a.json"));
    let outputs = ["--record", &record, "--json", &json];
    let line = ["tournament", "Grid=8", "Grid=4", "--nodes", "900000000", "--games", "2", "--jobs", "1"];
    let mut child = command(&[&line[..], &outputs].concat()).stderr(Stdio::null()).spawn().unwrap();
    wait_for_handler(&child);
    wait_until("locks", || folder.join("a.rec.lock").exists() && folder.join("a.json.lock").exists());
    // By one process, so that little time lies between them.
    let both = format!("kill -INT {0}; kill -TERM {0}", child.id());
    assert!(Command::new("sh").args(["-c", &both]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let mut left = common::files_below(&folder.join(""));
    left.retain(|path| path.extension().is_some_and(|extension| extension != "rec" && extension != "json"));
    assert!(left.is_empty(), "locks and unfinished results: {left:?}");
}

/// An EPD file, openings and a book of openings are read up to 256 MiB.
#[test]
fn reading_a_large_file_ends_at_ctrl_c() {
    let folder = Folder::new("large-file");
    let line = "r1bqk2r/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R w KQkq - bm O-O; id \"a\";\n";
    let suite = folder.file("large.epd", &line.repeat(1_000_000));
    for arguments in [
        &["epd", "--depth", "1", &suite][..],
        &["compare", "--depth", "1", &suite],
        &["tournament", "Grid=8", "Grid=4", "--nodes", "10", "--openings", &suite],
        &["genfens", "10", "seed", "1", "book", &suite],
    ] {
        let arguments: Vec<String> = arguments.iter().map(|&word| word.to_owned()).collect();
        let (time, _) = interrupted(&arguments[0], &arguments[1..]);
        println!("{}: {} ms", arguments[0], time.as_millis());
    }
}

/// The epochs so far are reported, and no weights of an unfinished fit are written.
#[test]
fn an_interrupted_fit_reports_its_epochs_and_writes_no_weights() {
    let inputs = Inputs(Folder::new("texel-report"));
    let weights = concat!(env!("CARGO_MANIFEST_DIR"), "/src/eval/weights.rs");
    let source = std::fs::read_to_string(weights).unwrap();
    let (games, state) = (inputs.games("texel.vf"), inputs.0.path("state"));
    let copy = inputs.0.file("weights.rs", &source);
    let plan = ["--epochs", "1000000", "--patience", "1000000", "--state", &state, "--write", &copy];
    let child = command(&[&["texel", &games], &plan[..]].concat())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_for_handler(&child);
    wait_until("epochs", || std::fs::metadata(&state).is_ok_and(|about| about.len() > 0));
    signal(&child, "-INT");
    let (out, err, _) = output_of(&child.wait_with_output().unwrap());
    assert!(out.starts_with("# Texel") && out.contains("mean squared error"), "{out}{err}");
    assert!(err.contains("is unchanged; the same command goes on"), "{err}");
    assert_eq!(std::fs::read_to_string(&copy).unwrap(), source);
}

/// The commands of UCI on the command line end at once, as any program does.
#[test]
fn uci_commands_on_the_command_line_end_at_ctrl_c() {
    for line in ["go infinite", "bench 60", "perft 12"] {
        let mut child = command(&line.split(' ').collect::<Vec<_>>()).stdout(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(500));
        assert!(child.try_wait().unwrap().is_none(), "{line}");
        let begun = Instant::now();
        signal(&child, "-INT");
        while child.try_wait().unwrap().is_none() {
            if begun.elapsed() > LATEST {
                child.kill().unwrap();
                panic!("{line} goes on after Ctrl-C; is SIGINT ignored where the tests run?");
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}
