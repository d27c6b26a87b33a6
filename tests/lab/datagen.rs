//! `plumb datagen`: training games played, resumed, sharded, exported, relabelled and imported.

use crate::common::program::{Folder, command, output_of, run, signal, wait_until};
use plumb::chess::game::Game;
use plumb::eval::Network;
use plumb::eval::network::{Architecture, Layout, TrainedNetwork, embedded};
use std::process::Stdio;
use std::time::Instant;

/// Small games, to be written to a file.
fn play(folder: &Folder, file: &str, games: &str, more: &[&str]) -> (String, String, i32) {
    let fixed = ["datagen", "--out", &folder.path(file), "--games", games, "--nodes", "150"];
    run(&[&fixed[..], more].concat())
}

/// The bytes of so many such games.
fn played(folder: &Folder, file: &str, games: &str, more: &[&str]) -> Vec<u8> {
    let (out, said, code) = play(folder, file, games, more);
    assert_eq!(code, 0, "{said}");
    assert!(out.starts_with("| games | white won |") && out.lines().count() == 3, "{out}");
    bytes(folder, file)
}

fn bytes(folder: &Folder, file: &str) -> Vec<u8> {
    std::fs::read(folder.join(file)).unwrap()
}

/// Whole games, cut apart: behind a head of 32 bytes, up to four zeros.
fn games(bytes: &[u8]) -> Vec<&[u8]> {
    let (mut games, mut rest) = (Vec::new(), bytes);
    while !rest.is_empty() {
        let plies = rest[32..].chunks(4).position(|ply| ply == [0; 4]).expect("a whole game");
        let (game, after) = rest.split_at(32 + 4 * (plies + 1));
        games.push(game);
        rest = after;
    }
    games
}

/// One worker or three, interrupted in the middle of a game and resumed: byte for byte the same file.
#[test]
fn the_file_depends_neither_on_workers_nor_on_interruptions() {
    let folder = Folder::new("same");
    let whole = played(&folder, "whole.vf", "12", &["--jobs", "1"]);
    assert_eq!(games(&whole).len(), 12);
    assert!(played(&folder, "three.vf", "12", &["--jobs", "3"]) == whole, "three workers");
    let part = played(&folder, "parts.vf", "5", &["--jobs", "2"]);
    assert!(whole.starts_with(&part) && games(&part).len() == 5);
    std::fs::write(folder.join("parts.vf"), &part[..part.len() - 7]).unwrap();
    assert!(played(&folder, "parts.vf", "12", &["--jobs", "3"]) == whole, "resumed");
    // Finished games are not played again, and fewer of them take nothing away.
    assert!(
        played(&folder, "parts.vf", "12", &[]) == whole && played(&folder, "parts.vf", "3", &[]) == whole
    );
    assert!(played(&folder, "other.vf", "12", &["--seed", "3"]) != whole);
}

/// What is written to files whose folder was removed is nowhere, although the system takes it.
#[cfg(unix)]
#[test]
fn a_folder_that_vanishes_during_the_run_ends_it_with_a_sentence() {
    let folder = Folder::new("vanished");
    std::fs::create_dir(folder.join("sub")).unwrap();
    let out = folder.path("sub/games.vf");
    let mut child =
        command(&["datagen", "--out", &out, "--games", "1000000", "--nodes", "20", "--jobs", "1"]);
    let child = child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let length = || std::fs::metadata(&out).map_or(0, |about| about.len());
    wait_until("games in the file", || length() > 2000);
    std::fs::remove_dir_all(folder.join("sub")).unwrap();
    let (_, err, code) = output_of(&child.wait_with_output().unwrap());
    assert!(code == 1 && err.contains("games.vf"), "{code}: {err}");
    assert!(err.contains("it was removed or replaced while this program was writing it"), "{err}");
}

/// Ctrl-C: whole games stay, and a rerun ends with the file of an uninterrupted run.
#[cfg(unix)]
#[test]
fn an_interrupted_run_keeps_whole_games_and_resumes() {
    let folder = Folder::new("interrupted");
    let whole = played(&folder, "whole.vf", "10", &[]);
    let file = folder.path("broken.vf");
    let arguments = ["datagen", "--out", &file, "--games", "100000", "--nodes", "150", "--jobs", "2"];
    let child = command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_until("a game", || std::fs::metadata(&file).is_ok_and(|about| about.len() > 0));
    signal(&child, "-INT");
    let (out, said, code) = output_of(&child.wait_with_output().unwrap());
    assert_eq!(code, 130, "{said}");
    assert!(out.starts_with("| games |"), "{out}");
    let kept = bytes(&folder, "broken.vf");
    let finished = games(&kept).len();
    assert!(finished > 0);
    let more = finished.max(10).to_string();
    let resumed = played(&folder, "broken.vf", &more, &[]);
    assert!(resumed.starts_with(&kept) && resumed.starts_with(&whole));
}

/// Kills in the middle of a run: behind some games that it has written, and before others.
const KILLS: usize = 8;

/// Killed again and again at any moment: in the end games and settings are those of an undisturbed run.
#[test]
fn a_killed_run_goes_on_to_the_same_bytes() {
    let folder = Folder::new("killed");
    let begun = Instant::now();
    let whole = played(&folder, "whole.vf", "150", &["--jobs", "2"]);
    let file = folder.path("broken.vf");
    let there = || std::fs::metadata(&file).map_or(0, |about| about.len() as usize);
    let mut pause = begun.elapsed() / (2 * KILLS as u32);
    let (mut kills, mut tries) = (0, 0);
    while kills < KILLS {
        tries += 1;
        assert!(tries < 100, "{kills} kills in the middle of a run, the last after {pause:?}");
        let before = there();
        let arguments = ["datagen", "--out", &file, "--games", "150", "--nodes", "150", "--jobs", "2"];
        let mut child = command(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(pause);
        let running = child.try_wait().unwrap().is_none();
        child.kill().unwrap();
        child.wait().unwrap();
        if there() == before {
            pause = pause * 3 / 2;
        } else if running && there() < whole.len() {
            kills += 1;
        } else {
            // It was faster: once more from the beginning.
            assert!(played(&folder, "broken.vf", "150", &[]) == whole);
            pause /= 2;
            for name in ["broken.vf", "broken.vf.settings"] {
                std::fs::remove_file(folder.join(name)).unwrap();
            }
        }
    }
    assert!(played(&folder, "broken.vf", "150", &[]) == whole);
    assert_eq!(folder.text("broken.vf.settings"), folder.text("whole.vf.settings"));
    // Damage before the end is noticed by everyone who reads the games.
    let mut damaged = whole.clone();
    let score = games(&whole)[..9].concat().len() + 32 + 2;
    damaged[score] ^= 1;
    std::fs::write(folder.join("broken.vf"), &damaged).unwrap();
    for arguments in [&["datagen", "stats", &file][..], &["texel", &file], &["datagen", "export", &file]] {
        let (_, said, code) = run(arguments);
        assert!(code == 1 && said.contains("games 1 to 64 are damaged"), "{arguments:?}: {said}");
    }
    let (_, said, code) = play(&folder, "broken.vf", "151", &[]);
    assert!(code == 1 && said.contains("games 1 to 64 are damaged"), "{said}");
    // Without its settings it is a file of any program.
    std::fs::remove_file(folder.join("broken.vf.settings")).unwrap();
    assert_eq!(run(&["datagen", "stats", &file]).2, 0);
}

#[test]
fn shards_joined_are_the_games_of_an_undivided_run() {
    let folder = Folder::new("shares");
    let whole = played(&folder, "whole.vf", "7", &[]);
    let shares = ["1/3", "2/3", "3/3"];
    let parts: Vec<Vec<u8>> = shares
        .iter()
        .map(|share| played(&folder, &format!("{}.vf", &share[..1]), "7", &["--shard", share]))
        .collect();
    let parts: Vec<Vec<&[u8]>> = parts.iter().map(|part| games(part)).collect();
    assert_eq!(parts.iter().map(Vec::len).collect::<Vec<_>>(), [3, 2, 2]);
    let woven: Vec<&[u8]> = (0..7).map(|number| parts[number % 3][number / 3]).collect();
    assert!(woven.concat() == whole);
    // As cat joins them.
    std::fs::write(folder.join("joined.vf"), parts.concat().concat()).unwrap();
    let stats = |file: &str| run(&["datagen", "stats", &folder.path(file)]).0;
    assert_eq!(stats("joined.vf"), stats("whole.vf"));
}

#[test]
fn games_of_other_settings_are_refused() {
    let folder = Folder::new("mixed");
    let before = played(&folder, "a.vf", "1", &[]);
    for more in [&["--seed", "3"][..], &["--set", "Backend=mtdf"], &["--shard", "1/2"], &["--set", "Hash=2"]]
    {
        let (out, said, code) = play(&folder, "a.vf", "2", more);
        assert!(code == 1 && said.contains("a.vf.settings: holds other games"), "{more:?}: {said}");
        assert_eq!((out.as_str(), said.lines().count()), ("", 1), "{said}");
    }
    assert_eq!(bytes(&folder, "a.vf"), before);
    let settings = folder.text("a.vf.settings");
    assert!(settings.contains("\n# soft nodes 150, hard nodes 1500\n"), "{settings}");
    let program = settings.lines().nth(1).unwrap();
    folder.file("a.vf.settings", &settings.replace(program, "# program 0000000000000000"));
    assert!(play(&folder, "a.vf", "2", &[]).1.contains("'program 0000000000000000'"));
    std::fs::remove_file(folder.join("a.vf.settings")).unwrap();
    assert!(play(&folder, "a.vf", "2", &[]).1.contains("is there already, and no"));
    assert_eq!(bytes(&folder, "a.vf"), before);
    assert_eq!(played(&folder, "a.vf", "1", &["--restart"]), before);
}

/// The same path with other weights is another network.
#[test]
fn the_settings_name_the_network_by_its_fingerprint() {
    let folder = Folder::new("network");
    let architecture = Architecture { width: 32, ..Architecture::default() };
    let write = |scale| {
        let parameters = vec![0.0; Layout::of(&architecture).len];
        let network = TrainedNetwork { architecture, scale, parameters };
        std::fs::write(folder.join("a.net"), network.bytes()).unwrap();
        Network::quantise(&network)
    };
    let name = |network: &Network| format!(", network {:016x}\n", network.fingerprint);
    let set = format!("EvalFile={}", folder.path("a.net"));
    let first = write(300.0);
    let before = played(&folder, "a.vf", "1", &["--set", &set]);
    assert!(folder.text("a.vf.settings").contains(&name(&first)), "{}", folder.text("a.vf.settings"));
    write(400.0);
    let (_, said, code) = play(&folder, "a.vf", "2", &["--set", &set]);
    assert!(code == 1 && said.contains("holds other games"), "{said}");
    assert_eq!(bytes(&folder, "a.vf"), before);
    played(&folder, "own.vf", "1", &[]);
    let (settings, own) = (folder.text("own.vf.settings"), embedded().map(|network| name(&network)));
    assert_eq!(settings.contains(", network "), own.is_some(), "{settings}");
    assert!(own.is_none_or(|own| settings.contains(&own)), "{settings}");
    played(&folder, "hand.vf", "1", &["--set", "Evaluation=hand-crafted"]);
    assert!(!folder.text("hand.vf.settings").contains(", network "));
}

#[test]
fn the_export_has_the_positions_that_stats_count() {
    let folder = Folder::new("stats");
    let (out, ..) = play(&folder, "a.vf", "8", &[]);
    let summary: Vec<String> =
        out.lines().nth(2).unwrap().split('|').map(|cell| cell.trim().to_owned()).collect();
    let file = folder.path("a.vf");
    let (stats, said, code) = run(&["datagen", "stats", &file]);
    assert_eq!(code, 0, "{said}");
    assert!(stats.starts_with(&out), "{stats}");
    for wanted in ["| games ended by ", "| pieces ", "| score for white ", "\nDuplicates: ", "| -30 to 30 "] {
        assert!(stats.contains(wanted), "{wanted}: {stats}");
    }
    let number = |cell: &str| cell.replace(',', "").parse::<usize>().unwrap();
    let (positions, quiet) = (number(&summary[5]), number(&summary[6]));
    let (text, said, code) = run(&["datagen", "export", &file]);
    assert_eq!((code, text.lines().count()), (0, quiet), "{said}");
    let (all, said, code) = run(&["datagen", "export", "--all", &file, "--out", &folder.path("all.txt")]);
    assert_eq!((code, all.as_str()), (0, ""), "{said}");
    let all = folder.text("all.txt");
    assert!(all.lines().count() == positions && positions > quiet && quiet > 0, "{positions} {quiet}");
    // The quiet ones are among them, in their order.
    let mut rest = all.lines();
    assert!(text.lines().all(|line| rest.any(|other| other == line)));
    for line in all.lines() {
        let fields: Vec<&str> = line.split(" | ").collect();
        assert_eq!(fields[0].split(' ').count(), 6, "{line}");
        assert!(fields[1].parse::<i16>().is_ok() && ["1.0", "0.5", "0.0"].contains(&fields[2]), "{line}");
    }
}

/// Relabelled with the nodes with which they were played, the games keep their scores; with more they get
/// others.
#[test]
fn relabelling_changes_scores_and_keeps_moves_and_results() {
    let folder = Folder::new("relabel");
    let old = played(&folder, "old.vf", "3", &[]);
    let relabel = |file: &str, nodes: &str, more: &[&str]| {
        let (old, new) = (folder.path("old.vf"), folder.path(file));
        run(&[&["datagen", "relabel", &old, "--out", &new, "--nodes", nodes][..], more].concat())
    };
    assert_eq!(relabel("same.vf", "150", &["--jobs", "2"]).2, 0);
    assert!(bytes(&folder, "same.vf") == old);
    let (_, said, code) = relabel("new.vf", "600", &[]);
    assert_eq!(code, 0, "{said}");
    let new = bytes(&folder, "new.vf");
    assert!(new.len() == old.len() && new != old);
    for (a, b) in games(&old).iter().zip(games(&new)) {
        let moves = |game: &[u8]| game[32..].chunks(4).map(|ply| [ply[0], ply[1]]).collect::<Vec<_>>();
        assert_eq!(moves(a), moves(b));
        assert_eq!((&a[..28], &a[30..32]), (&b[..28], &b[30..32]));
    }
    // Cut in the middle and resumed.
    std::fs::write(folder.join("new.vf"), &new[..new.len() / 2]).unwrap();
    assert_eq!(relabel("new.vf", "600", &[]).2, 0);
    assert!(bytes(&folder, "new.vf") == new);
    assert!(relabel("new.vf", "601", &[]).1.contains("holds other games"));
    // The least soft limit still ends an iteration: few positions have no score of their own.
    assert_eq!(relabel("one.vf", "1", &[]).2, 0);
    let one = bytes(&folder, "one.vf");
    let plies: Vec<&[u8]> = games(&one).into_iter().flat_map(|game| game[32..].chunks(4)).collect();
    let zeros = plies.iter().filter(|ply| ply[2..] == [0; 2]).count();
    assert!(10 * zeros < plies.len(), "less than a tenth of the scores are 0: {zeros} of {}", plies.len());
    assert_eq!(relabel("old.vf", "600", &[]).2, 2);
    assert!(bytes(&folder, "old.vf") == old);
}

/// Men on the board of an exported position.
fn men(line: &str) -> usize {
    line.split(' ').next().unwrap_or("").chars().filter(char::is_ascii_alphabetic).count()
}

/// `--early-nodes` limits the searches with more than 20 men on the board, `--nodes` the others.
#[test]
fn early_nodes_are_for_positions_with_many_men() {
    let folder = Folder::new("early");
    played(&folder, "old.vf", "3", &[]);
    let scored = |file: &str, limits: &[&str]| {
        let (old, new) = (folder.path("old.vf"), folder.path(file));
        let (_, said, code) = run(&[&["datagen", "relabel", &old, "--out", &new][..], limits].concat());
        assert_eq!(code, 0, "{said}");
        let (text, ..) = run(&["datagen", "export", "--all", &new]);
        text.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let short = scored("short.vf", &["--nodes", "150"]);
    let long = scored("long.vf", &["--nodes", "600"]);
    let both = scored("both.vf", &["--nodes", "150", "--early-nodes", "600"]);
    assert!(short.len() == both.len() && long.len() == both.len());
    let (many, few): (Vec<usize>, Vec<usize>) = (0..both.len()).partition(|&place| men(&both[place]) > 20);
    // Every game begins with many men and an empty table: as long as there are so many, the searches are the
    // same.
    assert!(many.iter().all(|&place| both[place] == long[place]));
    assert!(many.iter().any(|&place| both[place] != short[place]));
    assert!(few.iter().any(|&place| both[place] != long[place]));
}

/// `endings` leaves out what comes before the first position with so few men, and nothing else.
#[test]
fn endings_are_the_later_parts_of_games() {
    let folder = Folder::new("endings");
    played(&folder, "whole.vf", "6", &[]);
    let (whole, late) = (folder.path("whole.vf"), folder.path("late.vf"));
    let endings = |men: &str, out: &str| run(&["datagen", "endings", &whole, "--men", men, "--out", out]);
    let (table, said, code) = endings("14", &late);
    assert_eq!(code, 0, "{said}");
    let export = |file: &str| run(&["datagen", "export", "--all", file]).0;
    let (all, few) = (export(&whole), export(&late));
    // Men only become fewer, so that these are the ends of the games.
    let expected: Vec<&str> = all.lines().filter(|line| men(line) <= 14).collect();
    assert!(!expected.is_empty() && expected.len() < all.lines().count());
    assert_eq!(few.lines().collect::<Vec<_>>(), expected);
    assert!(table.contains("positions"), "{table}");
    assert_eq!(run(&["datagen", "stats", &late]).2, 0);
    assert!(endings("14", &late).1.contains("is there already"));
    // No game of this engine is played on with bare kings.
    let (_, said, code) = endings("2", &folder.path("none.vf"));
    assert!(code == 1 && said.contains("no game has a position with 2 men"), "{said}");
    assert!(!folder.join("none.vf").exists());
}

#[test]
fn damaged_and_foreign_files_are_reported_in_one_line() {
    let folder = Folder::new("damaged");
    let good = played(&folder, "good.vf", "2", &[]);
    let second = games(&good)[0].len();
    let mut wrong = good.clone();
    wrong[second + 30] = 9;
    std::fs::write(folder.join("wrong.vf"), &wrong).unwrap();
    std::fs::write(folder.join("torn.vf"), &good[..good.len() - 3]).unwrap();
    folder.file("diary.vf", "Dear diary, today I saw an engine that plays against itself all night.");
    folder.file("empty.vf", "");
    let place = format!("game 2 (from byte {second})");
    for (file, wanted) in [
        ("wrong.vf", format!("wrong.vf: {place} is damaged: 9 is no result")),
        ("torn.vf", format!("torn.vf: {place} is damaged: the file ends")),
        ("diary.vf", "diary.vf: game 1 (from byte 0) is damaged".to_owned()),
        ("empty.vf", "empty.vf holds no games".to_owned()),
        ("missing.vf", "cannot read".to_owned()),
        ("", "cannot read".to_owned()),
    ] {
        let (path, out) = (folder.path(file), folder.path("out"));
        for arguments in [
            &["datagen", "stats", &path][..],
            &["datagen", "export", &path, "--out", &out],
            &["datagen", "relabel", &path, "--out", &out, "--nodes", "100"],
        ] {
            let (printed, said, code) = run(arguments);
            assert!(said.contains(&wanted) || file.is_empty(), "{arguments:?}: {said}");
            assert_eq!((printed.as_str(), said.lines().count(), code), ("", 1, 1), "{arguments:?}: {said}");
        }
    }
    let itself = folder.path("good.vf");
    assert_eq!(run(&["datagen", "export", &itself, "--out", &itself]).2, 2);
    assert!(bytes(&folder, "good.vf") == good);
    // A file damaged in its middle is neither resumed nor changed.
    std::fs::write(folder.join("good.vf"), &wrong).unwrap();
    let (_, said, code) = play(&folder, "good.vf", "3", &[]);
    assert!(code == 1 && said.contains(&place) && bytes(&folder, "good.vf") == wrong, "{said}");
}

#[test]
fn invalid_command_lines_are_refused() {
    let folder = Folder::new("usage");
    let out = folder.path("a.vf");
    for arguments in [
        &["datagen"][..],
        &["datagen", "--out", &out, "--nodes", "0"],
        &["datagen", "--out", &out, "--shard", "3/2"],
        &["datagen", "--out", &out, "--set", "Colour=red"],
        &["datagen", "stats"],
        &["datagen", "relabel", &out],
    ] {
        let (printed, said, code) = run(arguments);
        assert!(code == 2 && printed.is_empty() && !said.is_empty(), "{arguments:?}: {said}");
    }
    assert!(!folder.join("a.vf").exists());
    assert_eq!(run(&["datagen", "--out", "/no/such/folder/a.vf", "--games", "1"]).2, 1);
}

/// As OpenBench asks: the whole command is one word. A line is an opening, the same for the same seed.
#[test]
fn genfens_prints_openings_for_openbench() {
    let folder = Folder::new("genfens");
    let mark = "info string genfens ";
    let fens = |order: &str| {
        let (out, said, code) = run(&[order, "quit"]);
        assert_eq!((said.as_str(), code), ("", 0));
        let fens: Vec<String> = out.lines().map(|line| line.strip_prefix(mark).unwrap().to_owned()).collect();
        assert!(fens.iter().all(|fen| Game::parse_fen(fen).is_ok_and(|game| game.end().is_none())), "{out}");
        fens
    };
    let eight = fens("genfens 8 seed 18446744073709551615 book None");
    assert_eq!(eight.len(), 8);
    assert_eq!(fens("genfens 3 seed 18446744073709551615 book None extra"), eight[..3]);
    assert!(fens("genfens 8 seed 1 book None").iter().all(|fen| !eight.contains(fen)));
    // They are the openings of games.
    played(&folder, "a.vf", "8", &["--seed", "1"]);
    let (positions, ..) = run(&["datagen", "export", "--all", &folder.path("a.vf")]);
    let mut rest = positions.lines();
    let opens = |fen: &String| rest.any(|line| line.split(" | ").next() == Some(fen));
    assert!(fens("genfens 8 seed 1 book None").iter().all(opens), "{positions}");
    // From positions of a book, in which two kings and eight pawns are left.
    let book = folder.file("book.epd", "4k3/pppp4/8/8/8/8/4PPPP/4K3 w - - 0 1\n");
    assert!(fens(&format!("genfens 4 seed 1 book {book}")).iter().all(|fen| !fen.contains(['q', 'n', 'R'])));
    for (order, expected) in [("genfens x seed 1", 2), ("genfens 1 seed 1 book no-such-file.epd", 1)] {
        let (out, said, code) = run(&[order, "quit"]);
        assert_eq!((out.as_str(), said.lines().count(), code), ("", 1, expected), "{said}");
    }
}

/// The games of a tournament, again from its record, in the format of `plumb datagen`.
#[test]
fn a_tournament_writes_its_games_as_data() {
    let folder = Folder::new("tournament");
    let [data, record, taken] = ["a.vf", "a.pairs", "taken.vf"].map(|name| folder.path(name));
    let fixed = ["tournament", "Grid=8", "Grid=16", "--games", "4", "--nodes", "200", "--record", &record];
    let play = |file: &str| run(&[&fixed[..], &["--data", file]].concat());
    let (_, said, code) = play(&data);
    assert_eq!(code, 0, "{said}");
    let (stats, said, code) = run(&["datagen", "stats", &data]);
    assert!(
        code == 0 && stats.lines().nth(2).is_some_and(|row| row.starts_with("|     4 |")),
        "{stats}{said}"
    );
    let before = bytes(&folder, "a.vf");
    assert_eq!(play(&data).2, 0);
    assert!(bytes(&folder, "a.vf") == before);
    let (mut damaged, sums) = (before.clone(), folder.text("a.vf.settings"));
    damaged[34] ^= 1;
    std::fs::write(&data, damaged).unwrap();
    let (_, said, code) = run(&["datagen", "stats", &data]);
    assert!(code == 1 && said.contains("games 1 to 4 are damaged: their checksum does not match"), "{said}");
    // The record has the games: they are written again.
    assert_eq!(play(&data).2, 0);
    assert!(bytes(&folder, "a.vf") == before && folder.text("a.vf.settings") == sums);
    let (_, said, code) = play(&record);
    assert!(code == 2 && said.contains("--record and --data name the same file"), "{said}");
    let kept = played(&folder, "taken.vf", "1", &[]);
    assert!(play(&taken).1.contains("belongs to other work"));
    assert!(bytes(&folder, "taken.vf") == kept);
}

/// The PGN of a tournament has the positions and scores of its data; OpenBench's has no numbers and few
/// comments. Mates are counted in plies.
#[test]
fn imported_pgn_has_the_positions_of_the_data() {
    let folder = Folder::new("import");
    let [pgn, data, back] = ["a.pgn", "a.vf", "back.vf"].map(|name| folder.path(name));
    let files = ["--pgn", &pgn, "--data", &data];
    let fixed = ["tournament", "Grid=8", "Grid=16", "--games", "4", "--nodes", "200"];
    assert_eq!(run(&[&fixed[..], &files].concat()).2, 0);
    let (table, said, code) = run(&["datagen", "import", &pgn, "--out", &back]);
    assert!(code == 0 && said.is_empty() && table.starts_with("| games |"), "{said}");
    let export = |file: &str| run(&["datagen", "export", "--all", file]).0;
    assert!(!export(&back).is_empty());
    assert_eq!(export(&back), export(&data));
    let (_, said, code) = run(&["datagen", "import", &pgn, "--out", &back]);
    assert!(code == 1 && said.contains("is there already"), "{said}");
    let game = "[FEN \"4k3/8/8/3p4/4P3/8/8/4K3 b - - 0 9\"]\n[Result \"0-1\"]\n\n";
    let bench = folder.file(
        "bench.pgn",
        &format!("{game}Ke7 {{+1.00 3/4 1 99}} exd5 {{-M4}} 0-1\n\n{game}Ke7 exd5 0-1\n\n"),
    );
    let out = folder.path("bench.vf");
    let (_, said, code) = run(&["datagen", "import", "--shown", &bench, "--out", &out]);
    assert!(code == 0 && said.ends_with("bench.pgn: game 2: want of scores\n"), "{said}");
    // 1.00 as shown is a score that wins every second game.
    let even = plumb::engine::wdl_model::MODEL.even[0];
    let lines = format!(
        "4k3/8/8/3p4/4P3/8/8/4K3 b - - 0 9 | -{even} | 0.0\n8/4k3/8/3p4/4P3/8/8/4K3 w - - 1 10 | -31996 | \
        0.0\n"
    );
    assert_eq!(export(&out), lines);
    let bad = folder.file("bad.pgn", &format!("{game}Ke6 {{+1.00}} 0-1\n\n"));
    let (_, said, code) = run(&["datagen", "import", &bad, "--out", &folder.path("bad.vf")]);
    assert!(code == 2 && said.contains("bad.pgn: game 1: 'Ke6' is no legal move (9...)"), "{said}");
    assert!(said.ends_with("games: 0 read, 1 left out (1 for a word that is no legal move)\n"), "{said}");
    assert!(["bad.vf", "bad.vf.partial"].iter().all(|name| !folder.join(name).exists()));
    let empty = folder.file("empty.vf", "");
    assert_eq!(run(&["datagen", "import", &bad, "--out", &empty]).2, 2);
    assert!(folder.join("empty.vf").exists() && !folder.join("empty.vf.partial").exists());
    let strict = run(&["datagen", "import", "--strict", &bad, &bench, "--out", &folder.path("bad.vf")]);
    assert!(
        strict.2 == 1 && strict.1.lines().count() == 1 && strict.1.contains("game 1: 'Ke6'"),
        "{}",
        strict.1
    );
}

/// Files of other programs as they are: dialects, other variants, results that contradict each other, moves
/// of a book, mates in plies, comments that are not UTF-8, tags of a game without moves.
#[test]
fn games_of_other_programs_are_read_whole_or_left_out() {
    let folder = Folder::new("foreign");
    let export = |name: &str, text: &[u8]| -> (Vec<String>, String) {
        let (pgn, out) = (folder.path(&format!("{name}.pgn")), folder.path(&format!("{name}.vf")));
        std::fs::write(&pgn, text).unwrap();
        let (table, said, code) = run(&["datagen", "import", "--shown", &pgn, "--out", &out]);
        if code != 0 {
            return (Vec::new(), said);
        }
        let lines = run(&["datagen", "export", "--all", &out]).0.lines().map(str::to_owned).collect();
        (lines, table.lines().last().unwrap_or_default().to_owned())
    };
    let (lines, tally) = export(
        "castling",
        b"[Result \"1-0\"]\n\n1. e4 {+0.1/9} e5 {+0.1/9} 2. Cf3 {+0.1/9} \
    Cf6 {+0.1/9} 3. Fe2 {+0.1/9} Fe7 {+0.1/9} 4. o-o {+0.1/9} o-o {+0.1/9} 1-0\n",
    );
    assert!(
        lines.len() == 8 && lines[7].starts_with("rnbqk2r/ppppbppp/5n2/4p3/4P3/5N2/PPPPBPPP/RNBQ1RK1 b kq"),
        "{lines:?}"
    );
    assert_eq!(tally, "games: 1 read, 0 left out");
    let (lines, said) =
        export("variant", b"[Variant \"Atomic\"]\n[Result \"1-0\"]\n\n1. e4 {+0.1/9} e5 {+0.1/9} 1-0\n");
    assert!(lines.is_empty() && said.contains("variant.pgn: game 1: the variant is 'Atomic'"), "{said}");
    let (lines, said) =
        export("mated", b"[Result \"1-0\"]\n\n1. f3 {0.1/9} e5 {0.1/9} 2. g4 {0.1/9} Qh4# {+M1/9} 1-0\n");
    assert!(lines.is_empty() && said.contains("results contradict"), "{said}");
    let (lines, _) = export(
        "book",
        b"[Result \"1-0\"]\n\n1. e4 {book} e5 {book} 2. Nf3 {+0.31/9 0.1s} Nc6 \
    {/12 0.1s} 3. Bb5 {+0.1/9, Wei\xdf} a6 {-M2/9} 1-0\n",
    );
    assert_eq!(lines.len(), 3, "the opening is left out, and a move without a score: {lines:?}");
    assert!(lines[0].contains("w KQkq - 0 2 | ") && lines[2].contains(" | 31998 | 1.0"), "{lines:?}");
    let leak = "[Event \"a\"]\n[FEN \"4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 \
    1\"]\n[Result \"*\"]\n\n[Event \"b\"]\n[Result \"0-1\"]\n\n1. e4 {+0.1/9} e5 {+0.1/9} 0-1\n";
    let (lines, tally) = export("leak", leak.as_bytes());
    assert!(
        lines.len() == 2 && lines[0].starts_with("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w"),
        "{lines:?}"
    );
    assert_eq!(tally, "games: 1 read, 1 left out (1 for want of a result)");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported_in_one_line() {
    let folder = Folder::new("full");
    std::os::unix::fs::symlink("/dev/full", folder.join("a.vf")).unwrap();
    let (_, said, code) = play(&folder, "a.vf", "1", &[]);
    assert!(code == 1 && said.contains("cannot write to"), "{said}");
}
