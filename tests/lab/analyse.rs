//! `plumb analyse`: annotated games that other readers understand, the same bytes for any number of jobs and
//! after a break, games that cannot be read, and wrong command lines.

use crate::common::program::{Folder, command, output_of, run, signal, wait_for_handler, wait_until};
use plumb::lab::base::formats::pgn::reader::{GameReader, PgnGame};
use std::io::Write as _;
use std::process::Stdio;

/// Legal's mate: 5... Bxd1 loses a won piece back, and is mated; with clocks, a comment and a variation.
const MATE: &str = "[Event \"Blitz\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n[Result \"1-0\"]\n\n\
    1. e4 { [%clk 0:03:00] } 1... e5 { [%clk 0:03:00] } 2. Nf3 { [%clk 0:02:58] } 2... d6 { [%clk 0:02:57] } \
    3. Bc4 { [%clk 0:02:57] } 3... Bg4 { [%clk 0:02:50] } 4. Nc3 { [%clk 0:02:51] sound } (4. c3 {slow} Nf6) \
    4... g6? { [%clk 0:02:40] } 5. Nxe5 { [%clk 0:02:45] } 5... Bxd1 { [%clk 0:02:38] } \
    6. Bxf7+ { [%clk 0:02:45] } 6... Ke7 { [%clk 0:02:37] } 7. Nd5# { [%clk 0:02:44] } 1-0\n\n";

/// A game of Chess960, one from a position, one without moves, one that is not finished.
const OTHERS: &str = "[White \"Ann\"]\n[Black \"Cid\"]\n[Variant \"Chess960\"]\n[SetUp \"1\"]\n\
    [FEN \"1r2k1r1/1p4p1/8/8/8/8/1P4P1/1R2K1R1 w GBgb - 0 1\"]\n[Result \"1/2-1/2\"]\n\n\
    1. O-O O-O-O 1/2-1/2\n\n\
    [White \"Ann\"]\n[Black \"Dot\"]\n[FEN \"4k3/8/8/8/8/8/4q3/4K2R w K - 3 30\"]\n[Result \"1-0\"]\n\n\
    30. Kxe2 Kd7 1-0\n\n\
    [White \"Eve\"]\n[Black \"Fay\"]\n[Result \"*\"]\n\n*\n\n\
    [White \"Eve\"]\n[Black \"Fay\"]\n[Result \"*\"]\n\n1. d4 d5 2. c4 *\n\n";

/// The second move is illegal.
const ILLEGAL: &str = "[White \"Gus\"]\n[Black \"Hal\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Ke3 1-0\n\n";

fn games(text: &str) -> Vec<PgnGame> {
    let mut reader = GameReader::new(text.as_bytes()).keeping_remarks();
    let mut games = Vec::new();
    while let Some((_, game)) = reader.next_game().unwrap() {
        games.push(game.unwrap_or_else(|why| panic!("{why} in {text}")));
    }
    games
}

/// The number of moves after which a game has an annotation.
fn marked(game: &PgnGame, nag: u8) -> Vec<usize> {
    (0..=game.moves.len()).filter(|&moves| game.remarks.nags_behind(moves).any(|one| one == nag)).collect()
}

#[test]
fn a_blunder_is_marked_and_what_the_game_had_is_kept() {
    let folder = Folder::new("annotated");
    let input = folder.file("in.pgn", &format!("{MATE}{OTHERS}"));
    let (pgn, page, json) = (folder.path("out.pgn"), folder.path("out.html"), folder.path("out.json"));
    let outputs = ["-o", &pgn, "--page", &page, "--json", &json];
    let line = ["analyse", &input, "--nodes", "20000", "--hash", "4", "--marks", "5,15,25"];
    let (out, err, code) = run(&[&line[..], &outputs].concat());
    assert!(code == 0 && out.contains("games: 5 analysed\n"), "{out}{err}");
    let written = folder.text("out.pgn");
    let read = games(&written);
    assert_eq!(read.len(), 5);
    for (game, before) in read.iter().zip(games(&format!("{MATE}{OTHERS}"))) {
        assert_eq!((&game.moves, game.result), (&before.moves, before.result));
        assert_eq!(game.start.fen(), before.start.fen());
        let scored = |moves: &usize| game.comments_behind(*moves).any(|text| text.contains("[%eval "));
        let ended = usize::from(game.result.is_some() && game.moves.len() == 13);
        assert_eq!((1..=game.moves.len()).filter(scored).count(), game.moves.len() - ended, "{written}");
    }
    let mate = &read[0];
    assert_eq!(marked(mate, 4), [10], "5... Bxd1 in {written}");
    assert_eq!(mate.comments_behind(10).collect::<Vec<_>>(), [" [%eval #2] [%clk 0:02:38] "]);
    assert_eq!(mate.comments_behind(13).collect::<Vec<_>>(), [" [%clk 0:02:44] "]);
    assert!(mate.remarks.variations_behind(10).any(|text| text.starts_with("(5... dxe5")), "{written}");
    assert!(mate.remarks.variations_behind(7).any(|text| text == "(4. c3 {slow} 4... Nf6)"), "{written}");
    assert!(mate.comments_behind(7).any(|text| text.ends_with("[%clk 0:02:51] sound ")), "{written}");
    assert!(written.contains("[Opening \"Philidor\"]"), "{written}");

    let html = folder.text("out.html");
    for part in ["5... Bxd1<b>??</b>", "<h2>1. Ann – Bob, 1-0</h2>", "There is no move in this game"] {
        assert!(html.contains(part), "{part} is not in {html}");
    }
    let document: serde_json::Value = serde_json::from_str(&folder.text("out.json")).unwrap();
    assert_eq!(document["games"].as_array().unwrap().len(), 5);
    assert_eq!(document["games"][0]["moves"][9]["mark"], "??");
    assert_eq!(document["complete"], true);
    let mut left = crate::common::files_below(&folder.join(""));
    left.retain(|path| !["pgn", "html", "json"].contains(&path.extension().unwrap().to_str().unwrap()));
    assert!(left.is_empty(), "{left:?}");

    assert!(
        html.contains("<summary>All moves with their scores</summary>") && !html.contains("Not complete")
    );
    // What was annotated is annotated again: the same scores, and nothing twice.
    let (again, err, code) = run(&[&["analyse", &pgn], &line[2..]].concat());
    assert_eq!((again, code), (written.clone(), 0), "{err}");
    // With other limits nothing of the earlier run stays beside what is found now.
    let other = ["--depth", "3", "--hash", "1", "--marks", "20,40,60"];
    let [first, again] = [&input, &pgn].map(|pgn| run(&[&["analyse", pgn], &other[..]].concat()).0);
    assert!(first == again && first != written, "{first}\n{again}");
}

#[test]
fn a_game_that_cannot_be_read_is_named_and_the_others_are_annotated() {
    let folder = Folder::new("illegal");
    let input = folder.file("in.pgn", &format!("{MATE}{ILLEGAL}{MATE}"));
    let (out, err, code) = run(&["analyse", &input, "--nodes", "100", "--hash", "1"]);
    assert!(err.contains("in.pgn: game 2: 'Ke3' is no legal move (2.)"), "{err}");
    assert!(code == 1 && err.ends_with("plumb: 1 game could not be read, the rest is annotated\n"), "{err}");
    assert!(err.contains("games: 2 analysed, 1 left out (1 for a word that is no legal move)\n"), "{err}");
    assert_eq!(games(&out).len(), 2);

    // --strict ends before anything is searched, or behind what a pipe gave before.
    let output = folder.path("out.pgn");
    let line = ["analyse", &input, "--nodes", "900000000", "--hash", "1", "--strict", "-o", &output];
    let (strict, err, code) = run(&line);
    assert!(code == 1 && strict.is_empty(), "{strict}{err}");
    assert!(err.ends_with("in.pgn: game 2: 'Ke3' is no legal move (2.)\n"), "{err}");
    assert_eq!(crate::common::files_below(&folder.join("")).len(), 1, "the input alone");

    let mut child = command(&["analyse", "-", "--nodes", "100", "--hash", "1"]);
    let child = child.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = child.spawn().unwrap();
    child.stdin.take().unwrap().write_all(format!("{ILLEGAL}{MATE}").as_bytes()).unwrap();
    let (piped, err, code) = output_of(&child.wait_with_output().unwrap());
    assert!(code == 1 && err.contains("standard input: game 1: 'Ke3'"), "{err}");
    assert_eq!(games(&piped).len(), 1);
    assert!(out.starts_with(&piped), "{out}");
}

/// A file of many games, no two alike: each goes on a little further than the one before.
fn many(folder: &Folder) -> String {
    let moves =
        ["1. e4 e5", "2. Nf3 d6", "3. Bc4 Bg4", "4. Nc3 g6", "5. Nxe5 Bxd1", "6. Bxf7+ Ke7", "7. Nd5#"];
    let game = |number: usize| {
        let moves = moves[..2 + number % 6].join(" ");
        format!("[White \"Ann {number}\"]\n[Black \"Bob\"]\n\n{moves} *\n\n")
    };
    folder.file("many.pgn", &(0..12).map(game).collect::<String>())
}

/// The arguments of an analysis of `input` whose files are called `name`.
fn analysis(folder: &Folder, input: &str, name: &str, jobs: &str) -> Vec<String> {
    let path = |end: &str| folder.path(&format!("{name}{end}"));
    let line = format!("analyse {input} --nodes 4000 --hash 1 --jobs {jobs}");
    let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    words
        .extend(["-o", &path(".pgn"), "--page", &path(".html"), "--json", &path(".json")].map(str::to_owned));
    words
}

fn texts(folder: &Folder, name: &str) -> [String; 3] {
    [".pgn", ".html", ".json"].map(|end| folder.text(&format!("{name}{end}")))
}

#[test]
fn the_files_are_the_same_for_any_jobs_and_after_a_kill_and_ctrl_c() {
    let folder = Folder::new("same");
    let input = many(&folder);
    let done = |name: &str, jobs: &str| {
        let words = analysis(&folder, &input, name, jobs);
        let (_, err, code) = run(&words.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(code, 0, "{err}");
        assert!(!folder.join(&format!("{name}.pgn.record")).exists(), "the record is removed");
        texts(&folder, name)
    };
    let whole = done("whole", "1");
    assert_eq!(games(&whole[0]).len(), 12);
    assert!(done("two", "2") == whole, "--jobs 2");
    for (name, signal) in [("killed", "-KILL"), ("broken-off", "-INT")] {
        let words = analysis(&folder, &input, name, "2");
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let child = command(&words).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let record = folder.join(&format!("{name}.pgn.record"));
        let rows = || {
            let text = std::fs::read_to_string(&record).unwrap_or_default();
            text.lines().filter(|line| !line.starts_with('#')).count()
        };
        wait_until("three finished games", || rows() >= 3);
        crate::common::program::signal(&child, signal);
        let (_, err, code) = output_of(&child.wait_with_output().unwrap());
        let kept = rows();
        assert!((3..12).contains(&kept), "{kept}");
        if signal == "-INT" {
            assert!(code == 130 && err.contains("the same command resumes"), "{code} {err}");
            let finished = games(&folder.text(&format!("{name}.pgn"))).len();
            assert!((1..12).contains(&finished), "{finished}");
            assert!(folder.text(&format!("{name}.json")).contains("\"complete\": false"));
            let html = folder.text(&format!("{name}.html"));
            let told =
                format!("<b>Not complete.</b> The analysis was interrupted after {finished} of 12 games;");
            assert!(html.contains(&told), "{told} {html}");
            // What somebody has written into the file since is not lost.
            let (pgn, left) = (format!("{name}.pgn"), folder.text(&format!("{name}.pgn")));
            folder.file(&pgn, &left.replace("Ann", "Anna"));
            let (_, err, code) = run(&words);
            assert!(code == 2 && err.contains("broken-off.pgn is there already; --overwrite"), "{err}");
            folder.file(&pgn, &left);
        }
        // Other limits are another analysis.
        let other: Vec<&str> = words.iter().map(|&word| if word == "4000" { "5000" } else { word }).collect();
        let (_, err, code) = run(&other);
        assert!(code == 1 && err.contains("holds another analysis") && err.contains("--restart"), "{err}");
        assert!(done(name, "1") == whole, "{name}");
    }
}

#[test]
fn a_record_of_other_games_is_refused_and_one_that_is_named_stays() {
    let folder = Folder::new("record");
    let (one, record) = (folder.file("one.pgn", MATE), folder.path("kept"));
    let line = |input: &str| {
        let words = ["analyse", input, "--depth", "2", "--hash", "1", "--record", &record];
        run(&words)
    };
    let (first, err, code) = line(&one);
    assert_eq!((games(&first).len(), code), (1, 0), "{err}");
    let length = std::fs::metadata(&record).unwrap().len();
    assert_eq!(line(&one), (first, err, 0));
    assert_eq!(std::fs::metadata(&record).unwrap().len(), length, "nothing was searched again");
    let other = folder.file("other.pgn", &MATE.replace("7. Nd5#", "7. O-O"));
    let (_, err, code) = line(&other);
    assert!(code == 1 && err.contains("game 1 is another one"), "{err}");
    assert!(!err.contains("the same command resumes"), "{err}");
}

#[test]
fn a_file_that_is_there_is_replaced_on_request_and_only_by_a_complete_one() {
    let folder = Folder::new("overwrite");
    let (input, output) = (many(&folder), folder.path("out.pgn"));
    let line = ["analyse", &input, "--nodes", "3000", "--hash", "1", "--jobs", "1", "-o", &output];
    folder.file("out.pgn", "1. e4 {mine} *\n");
    let (_, err, code) = run(&line);
    assert!(code == 2 && err.ends_with("out.pgn is there already; --overwrite replaces it\n"), "{err}");
    assert!(!folder.join("out.pgn.record").exists() && !folder.join("out.pgn.partial").exists());

    let asked = [&line[..], &["--overwrite"]].concat();
    let child = command(&asked).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let record = folder.join("out.pgn.record");
    wait_until("a finished game", || {
        std::fs::read_to_string(&record).is_ok_and(|text| text.contains("\n0\t"))
    });
    signal(&child, "-INT");
    let (_, err, code) = output_of(&child.wait_with_output().unwrap());
    assert!(code == 130 && err.contains("out.pgn stays as it was"), "{code} {err}");
    assert!(err.ends_with("the same command resumes\n"), "{err}");
    assert_eq!(folder.text("out.pgn"), "1. e4 {mine} *\n");
    let (_, err, code) = run(&asked);
    assert!(code == 0 && games(&folder.text("out.pgn")).len() == 12, "{err}");

    // The files of a record that is kept are its own.
    let kept = folder.path("kept");
    let line = [&line[..], &["--record", &kept]].concat();
    assert_eq!(run(&line).2, 2, "not yet");
    std::fs::remove_file(&output).unwrap();
    let first = (run(&line).2, folder.text("out.pgn"));
    assert_eq!((run(&line).2, folder.text("out.pgn")), first);
    assert_eq!(first.0, 0);
}

#[test]
fn ctrl_c_before_the_first_game_is_finished_writes_nothing_and_says_so() {
    let folder = Folder::new("before-the-first");
    let (input, output) = (folder.file("one.pgn", MATE), folder.path("out.pgn"));
    let line = ["analyse", &input, "--nodes", "900000000", "--hash", "1", "-o", &output];
    let child = command(&line).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    wait_for_handler(&child);
    wait_until("the record", || folder.join("out.pgn.record").exists());
    signal(&child, "-INT");
    let (_, err, code) = output_of(&child.wait_with_output().unwrap());
    assert!(code == 130 && err.contains("before the first game was finished; nothing is written"), "{err}");
    assert_eq!(crate::common::files_below(&folder.join("")).len(), 1, "the input alone");
}

#[test]
fn command_lines_that_make_no_sense_are_refused() {
    let folder = Folder::new("refused");
    let (good, empty) = (folder.file("good.pgn", MATE), folder.file("empty.pgn", "\n"));
    let (illegal, table) = (folder.file("bad.pgn", ILLEGAL), folder.file("table.tsv", "eco\tname\n"));
    let missing = folder.path("missing.pgn");
    for (words, wanted, code) in [
        (&["analyse"][..], "required", 2),
        (&["analyse", &missing], "cannot read", 1),
        (&["analyse", &empty], "there is no game in the input", 1),
        (&["analyse", &illegal], "the only game cannot be read", 1),
        (&["analyse", &good, "--nodes", "-5"], "'-5' for '--nodes <NODES>': only digits are allowed", 2),
        (&["analyse", &good, "--nodes", "20k"], "'20k' for '--nodes <NODES>': only digits are allowed", 2),
        (&["analyse", &good, "--nodes", "0"], "0 is not in 1..", 2),
        (&["analyse", &good, "--depth", "-1"], "-1 is not in 1..", 2),
        (&["analyse", &good, "--set", "Threads=2"], "only options of the search can be set", 2),
        (&["analyse", &good, "--backend", "fish"], "unknown backend 'fish'", 2),
        (&["analyse", &good, "--backend", "mtdf,sss"], "--backend takes one backend", 2),
        (&["analyse", &good, "--marks", "30,20,10"], "is not A,B,C", 2),
        (&["analyse", &good, "--set", "Hash=1"], "cannot be set here", 2),
        (&["analyse", &good, "--openings", &table], "names no column 'pgn'", 1),
        (&["analyse", &good, "-o", &good], "which this command reads", 2),
    ] {
        let (out, err, found) = run(words);
        assert!(found == code && err.contains(wanted) && out.is_empty(), "{words:?}: {found} {err}");
    }
}

#[test]
fn every_backend_annotates() {
    let folder = Folder::new("backends");
    let input = folder.file("one.pgn", MATE);
    for backend in plumb::search::Backend::ALL {
        let line = ["analyse", &input, "--nodes", "300", "--hash", "1", "--backend", backend.alias()];
        let (out, err, code) = run(&line);
        assert!(code == 0 && out.contains("[%eval "), "{backend}: {err}");
    }
    let (out, err, code) = run(&["analyze", &input, "--nodes", "300", "--hash", "1"]);
    assert!(code == 0 && out.contains("[%eval "), "the other spelling: {err}");
}
