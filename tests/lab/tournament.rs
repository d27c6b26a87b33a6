//! `plumb tournament`: results, records that are resumed, PGN and adjudication.

use crate::common::compatibility::rows_are_in_the_docs;
use crate::common::program::{
    Folder, command, output_of, plumb, run, signal, wait_for_handler, wait_for_work, wait_until,
};
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// A tournament of small searches that is recorded.
fn recorded(record: &Path, games: &str, more: &[&str]) -> Output {
    let record = record.to_str().unwrap();
    let fixed = ["tournament", "Grid=8", "Grid=16", "--nodes", "300", "--seed", "3"];
    plumb(&[&fixed[..], &["--games", games, "--record", record], more].concat())
}

/// The recorded pairs by number, without the times of moves and checksums. An incomplete line has no line
/// end.
fn pairs(record: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(record).unwrap();
    let untimed = |word: &str| match word.rsplit_once('/') {
        Some((rest, time)) if time.trim_end().bytes().all(|byte| byte.is_ascii_digit()) => {
            format!("{rest}{}", if time.ends_with('\n') { "\n" } else { "" })
        }
        _ => word.to_owned(),
    };
    let game = |text: &str| text.split(' ').map(untimed).collect::<Vec<_>>().join(" ");
    let pair = |text: &str| {
        let text = text.rsplit_once(',').map_or(text.to_owned(), |(row, sum)| {
            format!("{row}{}", if sum.ends_with('\n') { "\n" } else { "" })
        });
        text.split('\t').map(game).collect::<Vec<_>>().join("\t")
    };
    let lines = text.split_inclusive('\n').filter(|text| !text.starts_with('#'));
    let mut pairs: Vec<String> = lines.map(pair).collect();
    pairs.sort();
    pairs
}

/// The same games at the same nodes: the table of results is the same.
#[test]
fn a_tournament_at_fixed_nodes_repeats_its_results() {
    let play =
        || plumb(&["tournament", "Grid=8", "Grid=16", "--games", "4", "--nodes", "500", "--seed", "3"]);
    let (first, second) = (play(), play());
    assert!(first.status.success(), "{first:?}");
    assert_eq!(first.stdout, second.stdout);
    assert!(!first.stdout.is_empty());
}

#[test]
fn equal_players_share_every_pair_and_the_interval_is_not_known() {
    let folder = Folder::new("equal");
    let json = folder.path("equal.json");
    let fixed = ["tournament", "Grid=8", "Grid=8", "--games", "24", "--nodes", "50", "--sprt", "0,5"];
    let (out, err, code) = run(&[&fixed[..], &["--json", &json]].concat());
    assert_eq!(code, 0, "{err}");
    for line in [
        "0: 0, 0.5: 0, 1: 12, 1.5: 0, 2: 0",
        "Score of A: 50.0 % ± -",
        "100.0 % of the pairs level",
        "Elo (logistic, 95 % interval from pairs): +0.0 [-, -]",
        "stronger: -",
        "undecided",
    ] {
        assert!(out.contains(line), "{line}: {out}");
    }
    let read: serde_json::Value = serde_json::from_str(&folder.text("equal.json")).unwrap();
    assert_eq!((&read["pairs_played"], &read["elo"]), (&12.into(), &0.0.into()));
    for unknown in ["elo_interval", "likelihood_of_superiority"] {
        assert!(read[unknown].is_null(), "{unknown}: {read}");
    }
    assert!(
        read["sprt"]["log_likelihood_ratio"].is_null() && read["sprt"]["verdict"] == "undecided",
        "{read}"
    );
}

/// Games on a clock: the time of every move is within it, and a side without time has lost.
#[test]
fn clocks_are_kept_and_a_loss_on_time_is_a_result() {
    let folder = Folder::new("clocks");
    let (pgn, json) = (folder.path("clocks.pgn"), folder.path("clocks.json"));
    let play = |tc: &str, more: &[&str]| {
        let fixed = ["tournament", "", "Grid=8", "--games", "2", "--jobs", "1", "--tc", tc];
        let files = ["--pgn", &pgn, "--json", &json, "--overwrite"];
        let (out, err, code) = run(&[&fixed[..], &files, more].concat());
        assert_eq!(code, 0, "{err}");
        (
            out,
            folder.text("clocks.pgn"),
            serde_json::from_str::<serde_json::Value>(&folder.text("clocks.json")).unwrap(),
        )
    };
    // A microsecond is not enough for a move; a millisecond can be enough for a game.
    let (out, games, read) = play("0.000001", &["--to-the-end"]);
    assert!(out.contains("Games ended by: loss on time 2") && out.contains("Losses on time: A "), "{out}");
    assert!(games.contains("[Termination \"time forfeit\"]") && games.contains("{loss on time}"), "{games}");
    assert_eq!(read["games_ended_by"]["loss on time"], 2);
    let losses: Vec<u64> =
        read["losses_on_time"].as_array().unwrap().iter().filter_map(|n| n.as_u64()).collect();
    assert_eq!(losses.iter().sum::<u64>(), 2);
    let (out, games, _) = play("2+0.02", &[]);
    assert!(!out.contains("No pair"), "{out}");
    let times = games.split_whitespace().filter_map(|word| word.strip_suffix('s')?.parse::<f64>().ok());
    assert!(times.clone().count() > 20 && times.clone().all(|time| time < 2.0), "{games}");
    // Behind every move that was searched the clock of its side stands, which gains at most the increment.
    let words: Vec<&str> = games.split_whitespace().collect();
    let left = words.windows(2).filter(|two| two[0] == "[%clk").map(|two| seconds(two[1]));
    assert_eq!(left.clone().count(), times.count());
    assert!(left.clone().all(|left| (0.0..=2.02).contains(&left)) && left.clone().any(|left| left < 2.0));
    for wrong in ["8+", "fast", "0"] {
        let (_, err, code) = run(&["tournament", "", "", "--tc", wrong]);
        assert!(code == 2 && err.contains("--tc") && err.lines().count() == 1, "{wrong}: {err}");
    }
}

/// The seconds of a clock, as in `0:01:02.345],`.
fn seconds(clock: &str) -> f64 {
    let clock = clock.trim_end_matches(['}', ',', ']']);
    clock.split(':').map(|part| part.parse::<f64>().expect(clock)).fold(0.0, |sum, part| 60.0 * sum + part)
}

#[test]
fn games_begin_with_the_lines_of_the_book_or_with_random_moves() {
    let folder = Folder::new("opened");
    let fens = |more: &[&str]| {
        let pgn = folder.path("opened.pgn");
        let fixed = [
            "tournament",
            "",
            "",
            "--games",
            "6",
            "--nodes",
            "50",
            "--draw",
            "10000,1,0",
            "--pgn",
            &pgn,
            "--overwrite",
        ];
        let (_, err, code) = run(&[&fixed[..], more].concat());
        assert_eq!(code, 0, "{err}");
        let text = folder.text("opened.pgn");
        // A line of the book is written as its moves, any other opening as a position.
        let games: Vec<&str> = text.split("[Event ").skip(1).collect();
        let opening = |game: &&str| match game.split_once("[FEN ") {
            Some((_, rest)) => rest.lines().next().unwrap_or_default().to_owned(),
            None => game
                .rsplit_once("{book}")
                .expect("moves of the book")
                .0
                .split("\n\n")
                .nth(1)
                .unwrap()
                .to_owned(),
        };
        assert_eq!(games.len(), 6);
        (games.iter().map(opening).collect::<Vec<String>>(), err)
    };
    let (lines, random) = (fens(&[]).0, fens(&["--openings", "random"]).0);
    assert!(lines[0] == lines[1] && lines[0] != lines[2], "{lines:?}");
    assert!(random.iter().all(|fen| !lines.contains(fen)), "{random:?}");
    assert!(random.iter().all(|fen| fen.ends_with(" 5\"]")), "8 plies: {random:?}");
    assert_ne!(fens(&["--seed", "2"]).0, lines);
    // Openings that come again give the same games at fixed nodes.
    let one = folder.file("one.epd", "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1\n");
    assert!(fens(&["--openings", &one]).1.contains("1 openings for 3 pairs"));
}

#[test]
fn invalid_arguments_are_refused_in_one_line() {
    for arguments in [
        &["tournament", "Colour=red", "", "--games", "2", "--nodes", "100"][..],
        &["tournament", "", "", "--games", "2", "--nodes", "100", "--openings", "no-such-file.epd"],
        &["tournament", "", "", "--games", "2", "--nodes", "100", "--resign", "much,4"],
        &["tournament", "", "", "--games", "2", "--nodes", "100", "--draw", "10,8"],
        &["tournament", "name=X", "Grid=8,name=X", "--games", "2", "--nodes", "100"],
        &["tournament", "", "", "--games", "2", "--nodes", "100", "--record", "/no/such/folder/pairs"],
    ] {
        let (_, text, code) = run(arguments);
        assert!(matches!(code, 1 | 2), "{arguments:?}: {text}");
        assert_eq!(text.trim_end().lines().count(), 1, "{text}");
    }
}

/// Cut in the middle of a line and after a whole one, played by one worker or by three: the same games.
#[test]
fn a_resumed_record_has_the_same_games() {
    let folder = Folder::new("resumed");
    let (whole, broken) = (folder.join("whole.pairs"), folder.join("broken.pairs"));
    let at_once = recorded(&whole, "8", &["--jobs", "1"]);
    assert!(at_once.status.success(), "{at_once:?}");
    assert_eq!(pairs(&whole).len(), 4);
    assert!(recorded(&broken, "4", &["--jobs", "3"]).status.success());
    assert_eq!(pairs(&broken).len(), 2);
    let text = std::fs::read(&broken).unwrap();
    std::fs::write(&broken, &text[..text.len() - 40]).unwrap();
    let resumed = recorded(&broken, "8", &["--jobs", "3"]);
    assert!(resumed.status.success(), "{resumed:?}");
    assert!(pairs(&broken) == pairs(&whole), "the games differ: {broken:?} and {whole:?}");
    assert_eq!(resumed.stdout, at_once.stdout);
    // Nothing is left to play: the result comes from the record alone.
    let again = recorded(&whole, "8", &[]);
    assert_eq!(again.stdout, at_once.stdout);
}

/// The same file under another name is noticed.
#[test]
fn a_record_is_not_overwritten_with_its_games() {
    let folder = Folder::new("twice");
    let record = folder.join("twice.pairs");
    assert!(recorded(&record, "2", &[]).status.success());
    let before = std::fs::read(&record).unwrap();
    for pgn in [record.clone(), folder.join("./twice.pairs")] {
        let (_, text, code) = output_of(&recorded(&record, "2", &["--pgn", pgn.to_str().unwrap()]));
        assert!(code == 2 && text.contains("same file"), "{code:?}: {text}");
        assert_eq!(std::fs::read(&record).unwrap(), before);
    }
}

#[test]
fn a_record_of_another_tournament_is_refused() {
    let folder = Folder::new("refused");
    let record = folder.join("refused.pairs");
    assert!(recorded(&record, "2", &[]).status.success());
    let before = std::fs::read(&record).unwrap();
    for (more, word) in [
        (&["--draw", "5,8,40"][..], "draw"),
        (&["--depth", "3"], "depth 3"),
        (&["--openings", concat!(env!("CARGO_MANIFEST_DIR"), "/epd/games.epd")], "openings"),
    ] {
        let (_, text, code) = output_of(&recorded(&record, "2", more));
        assert_eq!(code, 1, "{more:?}: {text}");
        assert!(text.contains("something else") && text.contains(word), "{more:?}: {text}");
    }
    assert_eq!(std::fs::read(&record).unwrap(), before);
    let text = String::from_utf8(before).unwrap();
    let program = text.lines().nth(1).unwrap();
    std::fs::write(&record, text.replace(program, "# program 0000000000000000")).unwrap();
    let (_, text, code) = output_of(&recorded(&record, "2", &[]));
    assert!(code == 1 && text.contains("'program 0000000000000000'"), "{text}");
    assert!(recorded(&record, "2", &["--restart"]).status.success());
}

/// Ctrl-C: finished pairs are reported and kept.
#[cfg(unix)]
#[test]
fn an_interrupted_tournament_keeps_the_finished_pairs() {
    let folder = Folder::new("interrupted");
    let record = folder.join("interrupted.pairs");
    let arguments = ["tournament", "Grid=8", "Grid=16", "--nodes", "2000", "--games", "4000"];
    let child = command(&arguments)
        .args(["--jobs", "2", "--record", record.to_str().unwrap()])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_until("a pair", || record.exists() && pairs(&record).iter().any(|line| line.ends_with('\n')));
    signal(&child, "-INT");
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    let kept = pairs(&record).len();
    assert!(kept > 0 && text.contains(&format!("Interrupted after {kept} of 2000 pairs")), "{kept}: {text}");
}

/// A match that was broken off before its first pair leaves a record with which it resumes, and no report.
#[cfg(unix)]
#[test]
fn a_match_that_was_broken_off_at_once_resumes() {
    let folder = Folder::new("broken-off");
    let [record, json, csv] = ["m.pairs", "m.json", "m.csv"].map(|name| folder.path(name));
    let files = ["--record", &record, "--json", &json, "--csv", &csv];
    let limits = ["tournament", "Grid=8", "Grid=16", "--jobs", "1", "--games", "2", "--seed", "3"];
    let mut child = command(&[&limits[..], &files, &["--nodes", "900000000"]].concat())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    wait_until("a record", || std::fs::metadata(&record).is_ok_and(|about| about.len() > 0));
    wait_for_handler(&child);
    signal(&child, "-INT");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(
        !std::fs::exists(&json).unwrap() && !std::fs::exists(&csv).unwrap(),
        "there is no game to report"
    );
    let mut child = command(&[&limits[..], &files, &["--nodes", "900000000"]].concat())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_for_work(&child);
    signal(&child, "-INT");
    assert_eq!(child.wait().unwrap().code(), Some(130), "the same command resumes");
    // Without the record a file is somebody else's.
    std::fs::write(&json, "{}").unwrap();
    let (_, err, code) = run(&[&limits[..], &["--nodes", "10", "--json", &json]].concat());
    assert!(code == 2 && err.contains("--overwrite replaces it"), "{err}");
}

/// python-chess replays every game and finds the results that are written.
#[test]
#[ignore = "needs python-chess"]
fn python_chess_replays_the_games() {
    let folder = Folder::new("games");
    let shuffled = "bqnrkrnb/pppppppp/8/8/8/8/PPPPPPPP/BQNRKRNB w FDfd - 0 1\n";
    let mating = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1\n";
    let (pgn, openings) = (folder.path("games.pgn"), folder.file("games.epd", &[shuffled, mating].concat()));
    let files = ["--pgn", &pgn, "--openings", &openings];
    let output =
        plumb(&[&["tournament", "", "Grid=8", "--games", "8", "--nodes", "400"], &files[..]].concat());
    assert!(output.status.success(), "{output:?}");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/clients/pgn.py");
    let read = Command::new("python3").args([script, &pgn]).output().expect("python3 is installed");
    assert!(read.status.success(), "{read:?}");
    let said = String::from_utf8_lossy(&read.stdout);
    assert!(said.contains("8 games, 4 of Chess960"), "{read:?}");
    rows_are_in_the_docs(&said);
}

/// Terms of adjudication that every game meets at once, and terms that no game meets.
#[test]
fn games_are_adjudicated_by_the_given_terms_alone() {
    let folder = Folder::new("adjudicated");
    let play = |more: &[&str]| {
        let pgn = folder.join(&format!("{}.pgn", more.len()));
        let fixed = ["tournament", "", "Grid=8", "--games", "2", "--nodes", "200", "--pgn"];
        let output = plumb(&[&fixed[..], &[pgn.to_str().unwrap()], more].concat());
        assert!(output.status.success(), "{output:?}");
        std::fs::read_to_string(pgn).unwrap()
    };
    let drawn = play(&["--draw", "10000,1,0"]);
    assert_eq!(drawn.matches(", adjudication: drawn} 1/2-1/2").count(), 2, "{drawn}");
    // Two moves, the second of them neither a capture nor a pawn's, come soon: nodes are told of moves that
    // are searched.
    let searched =
        drawn.split("[Event ").skip(1).map(|game| game.matches("n}").count() + game.matches("n, ").count());
    assert!(searched.into_iter().all(|plies| (2..20).contains(&plies)), "{drawn}");
    let never = play(&["--draw", "10,0,0", "--resign", "600,0"]);
    assert!(!never.contains("adjudication: won") && !never.contains("adjudication: drawn"), "{never}");
}

/// Killed in the middle: the old files stay, and the games so far lie beside them.
#[cfg(unix)]
#[test]
fn old_results_survive_until_the_new_ones_are_whole() {
    let folder = Folder::new("killed");
    let files = ["games.pgn", "games.vf", "match.json"];
    // Each of its own kind: games are binary.
    let old = |name: &str| if name.ends_with(".vf") { "an old result\0" } else { "an old result" };
    let [pgn, data, json] = files.map(|name| folder.file(name, old(name)));
    let outputs = ["--pgn", &pgn, "--data", &data, "--json", &json, "--overwrite"];
    let fixed = ["tournament", "Grid=8", "Grid=16", "--nodes", "500"];
    let long = [&fixed[..], &["--games", "4000", "--jobs", "2"], &outputs].concat();
    let mut child = command(&long).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let partial = folder.join("games.pgn.partial");
    wait_until("a game", || std::fs::metadata(&partial).is_ok_and(|about| about.len() > 0));
    child.kill().unwrap();
    child.wait().unwrap();
    for name in files {
        assert_eq!(folder.text(name), old(name), "{name}");
    }
    assert!(folder.text("games.pgn.partial").contains("[Round \"1\"]"));
    assert!(plumb(&[&fixed[..], &["--games", "2"], &outputs].concat()).status.success());
    assert!(folder.text("games.pgn").contains("[Round \"1\"]") && folder.text("match.json").contains("elo"));
    assert!(std::fs::read(folder.join("games.vf")).unwrap().ends_with(&[0; 4]));
    let left = files.map(|name| folder.join(&format!("{name}.partial")).exists());
    assert_eq!(left, [false; 3]);
}

/// A second run does not destroy what the first one wrote, unless it is told to, or goes on with its record.
#[test]
fn files_that_are_there_already_are_not_overwritten() {
    let folder = Folder::new("kept");
    let (pgn, json, record) = (folder.path("a.pgn"), folder.path("a.json"), folder.path("a.pairs"));
    let play = |games: &str, more: &[&str]| {
        run(&[&["tournament", "", "Grid=8", "--nodes", "50", "--games", games], more].concat())
    };
    for files in [&["--pgn", &pgn][..], &["--json", &json]] {
        let (out, err, code) = play("2", files);
        assert_eq!(code, 0, "{err}");
        assert!(out.starts_with("# Tournament: A (default) against B (Grid=8), with adjudication"), "{out}");
        let before = std::fs::read(files[1]).unwrap();
        let (out, err, code) = play("2", files);
        assert!((out.as_str(), code) == ("", 2) && err.contains("--overwrite"), "{err}");
        // A match that is refused begins no record, with which the next one would go on.
        let new = folder.path("new.pairs");
        for more in [&[][..], &[], &["--restart"]] {
            let (_, err, code) = play("2", &[files, &["--record", &new], more].concat());
            assert!(code == 2 && err.contains("--overwrite"), "{more:?}: {err}");
        }
        assert_eq!(std::fs::read(files[1]).unwrap(), before);
        assert_eq!(play("2", &[files, &["--overwrite"]].concat()).2, 0);
    }
    let text = folder.text("a.pgn");
    assert!(text.lines().all(|line| line.len() <= 80 || line.starts_with('[')), "{text}");
    for tag in ["[TimeControl \"-\"]", "[Date \"20"] {
        assert_eq!(text.matches(tag).count(), 2, "{tag}: {text}");
    }
    // With a record the match goes on, and so does its PGN.
    let kept = folder.path("b.pgn");
    for (games, count) in [("2", 2), ("4", 4)] {
        let (_, err, code) = play(games, &["--record", &record, "--pgn", &kept]);
        assert_eq!((code, folder.text("b.pgn").matches("[Result ").count()), (0, count), "{err}");
    }
    let (out, err, _) = play("2", &["--to-the-end"]);
    assert!(out.contains("played to the end") && err.contains("played to the end"), "{out}{err}");
}

/// Everything that decides games can be set: strength, threads, clocks.
#[test]
fn strength_threads_and_move_overhead_are_options_of_players() {
    let (out, err, code) = run(&[
        "tournament",
        "UCI_LimitStrength=true,UCI_Elo=2300",
        "UCI_LimitStrength=true,UCI_Elo=1320",
        "--games",
        "8",
        "--nodes",
        "100000",
    ]);
    assert_eq!(code, 0, "{err}");
    let won = |out: &str| -> u32 {
        let line = out.lines().find_map(|line| line.strip_prefix("Games of A: ")).expect("a result");
        line.split(' ').next().unwrap().parse().unwrap()
    };
    assert!(won(&out) >= 6, "{out}");
    let (out, err, code) = run(&[
        "tournament",
        "Threads=2,Move Overhead=20",
        "Hash=4",
        "--games",
        "2",
        "--tc",
        "1+0.01",
        "--jobs",
        "1",
    ]);
    assert!(code == 0 && out.contains("Games of A: "), "{out}{err}");
    for (player, named) in
        [("UCI_Elo=1500", "UCI_LimitStrength"), ("Ponder=true", "--tc"), ("Move Overhead=5", "--tc")]
    {
        let (_, err, code) = run(&["tournament", player, "", "--nodes", "50"]);
        assert!(code == 2 && err.contains(named) && err.lines().count() == 1, "{player}: {err}");
    }
}

/// This program as another engine, by its path: with options, with clocks, pondering.
#[test]
fn other_engines_play_by_their_path() {
    let folder = Folder::new("engines");
    let own = format!("cmd={},Hash=1", env!("CARGO_BIN_EXE_plumb"));
    let pgn = folder.path("same.pgn");
    let play = |player: &str, data: &str| {
        let limits = ["--games", "2", "--depth", "5", "--to-the-end", "--overwrite", "--pgn", &pgn];
        let data = ["--data", &folder.path(data)];
        let (out, err, code) = run(&[&["tournament", player, "Hash=1"][..], &limits, &data].concat());
        assert!(code == 0 && out.contains("Games of A: ") && !out.contains("crash"), "{out}{err}");
    };
    play("Hash=1,name=inside", "inside.vf");
    play(&own, "both.vf");
    let [both, inside] = ["both.vf", "inside.vf"].map(|name| std::fs::read(folder.path(name)).unwrap());
    assert!(both == inside, "the same games, in units of evaluation");
    // Inside and outside the process it is one engine: the second game is the first one, scores included.
    let text = folder.text("same.pgn");
    let score = |comment: &str| comment.split_once('/').map(|(score, _)| score.to_owned());
    let scores = |game: &str| game.split('{').skip(1).filter_map(score).collect::<Vec<_>>();
    let games: Vec<Vec<String>> = text.split("[Event ").skip(1).map(scores).collect();
    assert!(games.len() == 2 && games[0].len() > 20 && games[0] == games[1], "{games:?}");
    let pgn = folder.path("engines.pgn");
    let pondering = format!("{own},Ponder=true");
    let (out, err, code) = run(&[
        "tournament",
        &pondering,
        "Ponder=true",
        "--games",
        "2",
        "--tc",
        "1+0.01",
        "--jobs",
        "1",
        "--pgn",
        &pgn,
    ]);
    assert!(code == 0 && !out.contains("crash") && !out.contains("illegal"), "{out}{err}");
    assert!(folder.text("engines.pgn").contains("[TimeControl \"1+0.01\"]"));
    for (player, named) in [
        ("cmd=/nonexistent/engine".to_owned(), "/nonexistent/engine"),
        (format!("{own},Nonsense=1"), "Nonsense"),
        ("cmd=".to_owned(), "path"),
    ] {
        let (_, err, code) = run(&["tournament", &player, "", "--nodes", "50"]);
        assert!(code != 0 && err.contains(named) && err.lines().count() == 1, "{player}: {err}");
    }
}

/// Engines that end, that answer nonsense, or that do not answer lose their games with that reason.
#[cfg(unix)]
#[test]
fn engines_that_fail_lose() {
    let folder = Folder::new("failing");
    for (name, answer, reason) in [
        ("crashing", "exit 1", "loss by a crash"),
        ("illegal", "echo bestmove e2e5", "loss by an illegal move"),
        ("silent", ":", "loss on time"),
    ] {
        let player = format!("cmd={}", script(&folder, name, &format!("echo id name {name}"), answer));
        let pgn = folder.path(&format!("{name}.pgn"));
        let limits = ["--movetime", "50", "--games", "2", "--pgn", &pgn];
        let (out, err, code) = run(&[&["tournament", &player, "Hash=1"][..], &limits].concat());
        assert_eq!(code, 0, "{err}");
        assert!(out.contains(&format!("Games ended by: {reason} 2")), "{name}: {out}");
        assert!(out.contains("Games of A: 0 won, 0 drawn, 2 lost"), "{name}: {out}");
    }
}

/// An engine that starts once, for the trial, and then no more.
#[cfg(unix)]
#[test]
fn a_match_without_a_game_replaces_no_file() {
    let folder = Folder::new("gameless");
    let started = folder.path("started");
    let once = format!("[ -e {started} ] && exit 1; touch {started}; echo id name once");
    let player = format!("cmd={}", script(&folder, "once", &once, ":"));
    let files = ["pgn", "json", "csv"].map(|kind| folder.file(&format!("old.{kind}"), "old\n"));
    let [pgn, json, csv] = &files;
    let outputs = ["--overwrite", "--pgn", pgn, "--json", json, "--csv", csv];
    let limits = ["--games", "2", "--nodes", "50", "--jobs", "1"];
    let (out, err, code) = run(&[&["tournament", &player, "Hash=1"][..], &limits, &outputs].concat());
    assert!(code == 1 && folder.join("started").exists(), "{out}{err}");
    for file in &files {
        assert_eq!(std::fs::read_to_string(file).unwrap(), "old\n", "{file}: {err}");
    }
}

/// A script that speaks UCI as an engine and answers `go` with `answer`.
#[cfg(unix)]
fn script(folder: &Folder, name: &str, introduction: &str, answer: &str) -> String {
    use std::os::unix::fs::PermissionsExt as _;
    let path = folder.join(name);
    let text = format!(
        "#!/bin/sh\nwhile read -r word rest; do case $word in uci) {introduction}; echo uciok;; \
         isready) echo readyok;; go) {answer};; quit) exit 0;; esac; done\n"
    );
    std::fs::write(&path, text).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path.display().to_string()
}

/// Any white space may stand before and between the words of an engine; an answer without a move is an
/// illegal one at once.
#[cfg(unix)]
#[test]
fn engines_may_use_any_white_space() {
    let folder = Folder::new("white");
    let mating = folder.file("mate.epd", "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1\n");
    let named = "printf '  id  name\\tSpaced  Out\\n \\toption   name  Skill  Level\\ttype spin default 3 \
    min 0 max 9\\n'";
    for (name, answer, ends) in [
        ("lead", "printf ' \\tinfo  depth 3  score cp 9 nodes 50\\n  bestmove\\ta1a8 \\r\\n'", "checkmate 2"),
        ("bare", "echo bestmove", "checkmate 1, loss by an illegal move 1"),
        ("null", "echo 'bestmove (none)'", "checkmate 1, loss by an illegal move 1"),
    ] {
        let engine = script(&folder, name, named, answer);
        let player = format!("cmd={engine},Skill Level=5,name=Spaces");
        let fixed = ["--nodes", "50", "--games", "2", "--jobs", "1", "--openings", &mating];
        let (out, err, code) = run(&[&["tournament", &player, "Hash=1"][..], &fixed].concat());
        assert_eq!(code, 0, "{name}: {err}");
        assert!(
            out.contains(ends) && out.contains("# Tournament: Spaces against B (Hash=1)"),
            "{name}: {out}"
        );
    }
}

/// Lines without end, and a line without end: the clock is looked at all the same.
#[cfg(unix)]
#[test]
fn an_engine_that_floods_its_output_loses_on_time() {
    let folder = Folder::new("flood");
    for (name, answer) in [("lines", "yes info string y"), ("line", "yes | tr -d '\\n'")] {
        let engine = script(&folder, name, "echo id name Flood", answer);
        let fixed = ["--movetime", "50", "--games", "2", "--jobs", "1"];
        let (out, err, code) =
            run(&[&["tournament", &format!("cmd={engine}"), "Hash=1"][..], &fixed].concat());
        assert_eq!(code, 0, "{name}: {err}");
        assert!(out.contains("Games ended by: loss on time 2"), "{name}: {out}");
    }
}

/// An engine that starts once and never again: the match ends with a sentence.
#[cfg(unix)]
#[test]
fn an_engine_that_starts_no_more_ends_the_match() {
    let folder = Folder::new("once");
    let mark = folder.path("started");
    // The program tries both players before the match, and starts them again for it.
    let once = format!("echo x >> {mark}; [ $(wc -l < {mark}) -lt 3 ] || exit 1; echo id name Once");
    let engine = script(&folder, "engine", &once, "exit 1");
    let fixed = ["--movetime", "50", "--games", "60", "--jobs", "1"];
    let (_, err, code) = run(&[&["tournament", &format!("cmd={engine}"), "Hash=1"][..], &fixed].concat());
    assert!(code == 1 && err.contains("3 times in a row"), "{code}: {err}");
}

/// A script that starts an engine without becoming it: both end with the match.
#[cfg(target_os = "linux")]
#[test]
fn a_script_around_an_engine_ends_with_it() {
    let folder = Folder::new("around");
    let pid = folder.path("pid");
    let engine = script(
        &folder,
        "engine",
        &format!("sleep 600 & echo $! > {pid}; echo id name Around"),
        "echo bestmove 0000",
    );
    let fixed = ["--movetime", "50", "--games", "2", "--jobs", "1"];
    let (_, err, code) = run(&[&["tournament", &format!("cmd={engine}"), "Hash=1"][..], &fixed].concat());
    assert_eq!(code, 0, "{err}");
    let left = std::path::Path::new("/proc").join(std::fs::read_to_string(&pid).unwrap().trim());
    let is_asleep = || std::fs::read_to_string(left.join("cmdline")).is_ok_and(|line| line.contains("sleep"));
    wait_until("its end", || !is_asleep());
}

/// An engine that does not know `go nodes`: it is told to stop, and the report says how many nodes it took.
#[cfg(unix)]
#[test]
fn engines_that_do_not_keep_to_their_nodes_are_reported() {
    let folder = Folder::new("nodes");
    let answer = "echo info depth 1 score cp 0 nodes 99999; while read -r word; do [ $word = stop ] && \
    break; done; echo bestmove 0000";
    for (name, answer, warning) in [
        ("endless", answer, "Games ended by: loss by an illegal move 2"),
        (
            "few",
            "echo info depth 1 score cp 0 nodes 3; echo bestmove e2e4",
            "A searches 0.06 times the nodes",
        ),
    ] {
        let engine = script(&folder, name, "echo id name Nodes", answer);
        let fixed = ["--nodes", "50", "--games", "2", "--jobs", "1"];
        let start = folder.file("start.epd", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n");
        let player = format!("cmd={engine}");
        let all = [&["tournament", &player, "Hash=1"][..], &fixed, &["--openings", &start]].concat();
        let (out, err, code) = run(&all);
        assert_eq!(code, 0, "{name}: {err}");
        assert!(out.contains("Nodes a move, limit 50: ") && out.contains(warning), "{name}: {out}");
    }
}
