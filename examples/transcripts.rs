//! Runs the commands of docs/first-steps.md in this folder and writes what they print into the page: under a block of
//! commands with `<!-- seen: N -->` behind it, the last N lines of the output, and the seconds that the block took. Run it
//! in a fresh clone on a machine that does nothing else, or the times are too long.
//!
//! `cargo run --release --example transcripts`

use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

const PAGE: &str = "docs/first-steps.md";

/// The widest line of output that a page shows without scrolling; the rest of a wider one is left out.
const WIDTH: usize = 118;

fn main() -> ExitCode {
    let page = std::fs::read_to_string(PAGE).map_err(|error| error.to_string());
    match page
        .and_then(|page| rewritten(&page))
        .and_then(|page| std::fs::write(PAGE, page).map_err(|error| error.to_string()))
    {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{PAGE}: {why}");
            ExitCode::FAILURE
        }
    }
}

/// The page with the outputs of today.
fn rewritten(page: &str) -> Result<String, String> {
    let mut parts = page.split("<!-- seen: ");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (lines, rest) = part.split_once(" -->\n").ok_or("a mark without an end")?;
        let most: usize = lines.parse().map_err(|_| format!("{lines:?} is no number of lines"))?;
        let (_, after) = old_output(rest).ok_or("no block of text behind a mark")?;
        let commands = last_commands(&text).ok_or("no commands before a mark")?;
        eprintln!("{}", commands.trim_end());
        let (output, seconds) = run(commands)?;
        let shown = shortened(&output, most);
        text += &format!("<!-- seen: {lines} -->\n```text\n{shown}[{seconds:.1} s]\n```\n{after}");
    }
    Ok(text)
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

/// What the commands print on both streams, and the seconds until they ended.
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

/// The last lines, none of them wider than the page, with dots where lines are left out.
fn shortened(output: &str, most: usize) -> String {
    let lines: Vec<&str> = output.lines().collect();
    let first = lines.len().saturating_sub(most);
    let dots = if first > 0 { "...\n" } else { "" };
    let cut = |line: &&str| line.chars().take(WIDTH).collect::<String>().trim_end().to_owned() + "\n";
    dots.to_owned() + &lines[first..].iter().map(cut).collect::<String>()
}
