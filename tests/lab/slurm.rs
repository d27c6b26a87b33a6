//! The Slurm scripts of docs/clusters.md, run without Slurm: a task of an array is the script with its number
//! in the environment, and `srun` runs the command behind it. Only the work is made smaller.

use crate::common::program::{Folder, command, output_of};
use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;

/// The code block between `<!-- slurm: name -->` and `<!-- /slurm -->`.
fn block(name: &str) -> String {
    let page = include_str!("../../docs/clusters.md").replace("\r\n", "\n");
    between(&page, &format!("<!-- slurm: {name} -->\n```sh\n"), "```\n<!-- /slurm -->").to_owned()
}

/// The part of a text between two words.
fn between<'a>(text: &'a str, begin: &str, end: &str) -> &'a str {
    let (_, rest) = text.split_once(begin).unwrap_or_else(|| panic!("no {begin} in {text}"));
    rest.split_once(end).unwrap_or_else(|| panic!("no {end} behind {begin}")).0
}

/// A folder with `plumb` and `srun` in it.
fn cluster(name: &str) -> Folder {
    let folder = Folder::new(name);
    std::fs::hard_link(env!("CARGO_BIN_EXE_plumb"), folder.join("plumb")).unwrap();
    let srun = folder.file("srun", "#!/bin/sh\nexec \"$@\"\n");
    std::fs::set_permissions(srun, std::fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

/// Runs a script in the folder as one task of an array; returns its output.
fn task(folder: &Folder, script: &str, number: usize, of: usize) -> String {
    let path = format!("{}:{}", folder.path(""), std::env::var("PATH").unwrap_or_default());
    let mut shell = Command::new("sh");
    shell.args(["-e", "-c", script]).current_dir(folder.join("")).env("PATH", path);
    shell.env("SLURM_ARRAY_TASK_ID", number.to_string()).env("SLURM_ARRAY_TASK_COUNT", of.to_string());
    let (out, err, code) = output_of(&shell.output().expect("a shell"));
    assert_eq!(code, 0, "task {number} of {of}: {script}\n{out}{err}");
    out
}

/// A script with its work made smaller.
fn smaller(script: &str, from: &str, to: &str) -> String {
    assert!(script.contains(from), "no {from} in {script}");
    script.replace(from, to)
}

#[test]
fn an_array_measures_every_unit_once_and_merges_all_rows() {
    let folder = cluster("lab");
    let script = block("lab");
    assert!(script.starts_with("#!/bin/bash\n#SBATCH ") && script.contains("--array="), "{script}");
    let script = smaller(&script, "plumb lab all", "plumb lab trees --quick");
    (1..=3).for_each(|number| drop(task(&folder, &script, number, 3)));
    let report = task(&folder, &block("lab merge"), 0, 3);
    assert!(report.starts_with("# "), "{report}");
    let rows = |path: &str| -> Vec<String> {
        let text = folder.text(path);
        text.lines().filter(|line| !line.starts_with('#')).skip(1).map(str::to_owned).collect()
    };
    let shares: Vec<Vec<String>> = (1..=3).map(|number| rows(&format!("share{number}/trees.csv"))).collect();
    assert!(shares.iter().all(|share| !share.is_empty()), "a share without work");
    let (mut joined, mut expected) = (rows("lab/trees.csv"), shares.concat());
    joined.sort();
    expected.sort();
    assert_eq!(joined, expected);
    let units = |rows: &[String]| -> BTreeSet<String> {
        rows.iter().filter_map(|row| Some(row.split(',').next()?.to_owned())).collect()
    };
    let apart: usize = shares.iter().map(|share| units(share).len()).sum();
    assert_eq!(units(&joined).len(), apart, "a unit was measured twice");
}

#[test]
fn an_array_solves_the_positions_of_a_single_run() {
    let folder = cluster("epd");
    let line = |rank: &str| format!("4k3/8/8/{rank}/4P3/8/8/4K3 w - - bm exd5; id \"{rank}\";\n");
    let suite: String = ["3q4", "3q3p", "3q3n", "3q3b", "3q3r"].map(line).concat();
    let suite = folder.file("own.epd", &suite.repeat(2));
    let script = smaller(between(&block("epd"), "--wrap '", "'"), "--nodes 1000000", "--nodes 500 --hash 1");
    (1..=8).for_each(|number| drop(task(&folder, &script, number, 8)));
    let merge = smaller(&block("epd merge"), " --json whole.json", " --json whole.json --csv whole.csv");
    let report = task(&folder, &merge, 0, 8);
    assert!(!report.contains("Incomplete") && report.contains("own.epd"), "{report}");
    let limits = ["epd", "--nodes", "500", "--hash", "1", "--csv", &folder.path("alone.csv"), &suite];
    assert!(command(&limits).output().unwrap().status.success());
    // Everything but the times, which differ in every run.
    let rows = |path: &str| -> Vec<String> {
        let text = folder.text(path);
        let mut rows = text.lines().map(|row| row.split(',').collect::<Vec<_>>());
        let head = rows.next().unwrap();
        let counted = |row: Vec<&str>| {
            let cells = head.iter().zip(row).filter(|(name, _)| !name.contains("milliseconds"));
            cells.map(|(_, cell)| cell.to_owned()).collect::<Vec<_>>().join(",")
        };
        rows.map(counted).collect()
    };
    assert_eq!(rows("whole.csv"), rows("alone.csv"));
    assert_eq!(rows("whole.csv").len(), 10);
}
