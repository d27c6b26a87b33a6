//! Build script: names the commit and the compiler, and embeds a network file in the program. The variable
//! `EVALFILE` names that file (`make EVALFILE=...`); unset or empty it is [`NETWORK`], and `none` is a
//! program without a network.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The network of Plumb, in the folder of Cargo.toml.
const NETWORK: &str = "networks/plumb-11.net";

/// The value of `EVALFILE` for a program without a network.
const NO_NETWORK: &str = "none";

/// The first words of a network file (`src/eval/network/file.rs`).
const MAGIC: &[u8] = b"plumb network ";

fn main() {
    println!("cargo::rerun-if-env-changed=EVALFILE");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(embedded_network)");
    println!("cargo::rustc-env=PLUMB_VERSION={}", version());
    println!("cargo::rustc-env=PLUMB_RUSTC={}", compiler());
    let asked = env::var_os("EVALFILE").filter(|file| !file.is_empty());
    // Relative paths are the caller's: cargo runs this script in the folder of Cargo.toml, where make runs
    // too.
    let file = asked.map_or_else(|| PathBuf::from(NETWORK), PathBuf::from);
    if file.as_os_str() == NO_NETWORK {
        return;
    }
    // Before it is read, so that the script runs again once a missing file is there.
    println!("cargo::rerun-if-changed={}", file.display());
    match absolute(&file) {
        Ok(path) => {
            println!("cargo::rustc-env=PLUMB_EVALFILE={}", path.display());
            println!("cargo::rustc-cfg=embedded_network");
        }
        Err(why) => println!("cargo::error=EVALFILE: {} cannot be used: {why}", file.display()),
    }
}

/// The version of the package, followed by the commit if this folder is a repository's own:
/// `0.1.0 (1a2b3c4d)`. An archive of the sources has the version alone, also when it was unpacked inside
/// another repository, and so has a build for tests: it would be made again after every commit.
fn version() -> String {
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    if !Path::new(".git").exists() || env::var("PROFILE").as_deref() != Ok("release") {
        return version;
    }
    // Every commit adds a line to this log.
    if let Some(log) =
        said("git", &["rev-parse", "--git-path", "logs/HEAD"]).filter(|log| Path::new(log).exists())
    {
        println!("cargo::rerun-if-changed={log}");
    }
    match said("git", &["rev-parse", "--short=8", "HEAD"]) {
        Some(commit) => format!("{version} ({commit})"),
        None => version,
    }
}

/// Name and version of the compiler.
fn compiler() -> String {
    let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    said(&rustc, &["--version"]).unwrap_or_else(|| "an unknown compiler".to_owned())
}

/// The first line that a program prints; `None` if it fails or is not there.
fn said(program: &str, arguments: &[&str]) -> Option<String> {
    let output =
        Command::new(program).args(arguments).output().ok().filter(|output| output.status.success())?;
    let line = String::from_utf8(output.stdout).ok()?.lines().next()?.trim().to_owned();
    Some(line).filter(|line| !line.is_empty())
}

/// The absolute path of a network file.
///
/// # Errors
/// If it cannot be read, or is something else.
fn absolute(file: &Path) -> Result<PathBuf, String> {
    let bytes = std::fs::read(file).map_err(|error| error.to_string())?;
    if !bytes.starts_with(MAGIC) {
        return Err("not a network of Plumb".to_owned());
    }
    std::path::absolute(file).map_err(|error| error.to_string())
}
