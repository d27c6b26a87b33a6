//! Runs the commands of docs/first-steps.md in this folder and writes what they print into the page: under a
//! block of commands with `<!-- seen: last 3 -->` behind it, the last three lines of the output (or the
//! `first`), and the seconds that the block took. Run it in a fresh clone on a machine that does nothing
//! else, or the times are too long.
//!
//! `cargo run --release --example transcripts` runs all commands, `-- Trainers` those below that heading.

use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

const PAGE: &str = "docs/first-steps.md";

/// The widest line of output that a page shows without scrolling; the rest of a wider one is left out.
const WIDTH: usize = 118;

fn main() -> ExitCode {
    let heading = std::env::args().nth(1);
    match rewrite(heading.as_deref()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{PAGE}: {why}");
            ExitCode::FAILURE
        }
    }
}

/// Writes the outputs of today into the file.
fn rewrite(heading: Option<&str>) -> Result<(), String> {
    let page = std::fs::read_to_string(PAGE).map_err(|error| error.to_string())?;
    std::fs::write(PAGE, rewritten(&page, heading)?).map_err(|error| error.to_string())
}

/// The page with the outputs of today, everywhere or below a heading.
fn rewritten(page: &str, heading: Option<&str>) -> Result<String, String> {
    let mut parts = page.split("<!-- seen: ");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (lines, rest) = part.split_once(" -->\n").ok_or("a mark without an end")?;
        let (old, after) = old_output(rest).ok_or("no block of text behind a mark")?;
        let commands = last_commands(&text).ok_or("no commands before a mark")?;
        let here = text.rsplit_once("\n## ").and_then(|(_, section)| section.lines().next());
        let shown =
            if heading.is_some() && heading != here { old.to_owned() } else { seen(commands, lines)? };
        text += &format!("<!-- seen: {lines} -->\n```text\n{shown}```\n{after}");
    }
    Ok(text)
}

/// Output of the commands: the lines that the mark asks for (`first 5`, `last 3`), and the seconds.
fn seen(commands: &str, mark: &str) -> Result<String, String> {
    eprintln!("{}", commands.trim_end());
    let (end, most) = mark.split_once(' ').ok_or("no number of lines")?;
    let most: usize = most.parse().map_err(|_| format!("{most:?} is no number of lines"))?;
    let (output, seconds) = run(commands)?;
    let cut = |line: &str| line.chars().take(WIDTH).collect::<String>().trim_end().to_owned() + "\n";
    let mut lines: Vec<String> = output.lines().map(cut).collect();
    let left_out = lines.len().saturating_sub(most);
    match end {
        _ if left_out == 0 => {}
        "first" => drop(lines.splice(most.., ["...\n".to_owned()])),
        "last" => drop(lines.splice(..left_out, ["...\n".to_owned()])),
        _ => return Err(format!("{end:?} is neither first nor last")),
    }
    Ok(format!("{}[{seconds:.1} s]\n", lines.concat()))
}

/// The block of text at the beginning, and what comes behind it.
fn old_output(text: &str) -> Option<(&str, &str)> {
    text.strip_prefix("```text\n")?.split_once("```\n")
}

/// The commands of the last fenced block.
fn last_commands(text: &str) -> Option<&str> {
    let (_, block) = text.rsplit_once("```sh\n")?;
    block.trim_end().strip_suffix("```")
}

/// Runs the commands with bash: both output streams, and the seconds that they took.
fn run(commands: &str) -> Result<(String, f64), String> {
    let here = std::env::current_dir().map_err(|error| error.to_string())?;
    let path = format!("{}:{}", here.display(), std::env::var("PATH").unwrap_or_default());
    let started = Instant::now();
    let output = Command::new("bash")
        .args(["-e", "-c", &format!("exec 2>&1\n{commands}")])
        .env("PATH", path)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("bash: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout).replace(&here.display().to_string(), ".");
    if output.status.success() { Ok((text, started.elapsed().as_secs_f64())) } else { Err(text) }
}
