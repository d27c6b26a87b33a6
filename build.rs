//! Build script: embeds a network file in the program. The variable `EVALFILE` names it (`make EVALFILE=...`); unset or
//! empty it is [`NETWORK`], and `none` is a program without a network.

use std::env;
use std::path::{Path, PathBuf};

/// The network of Plumb, in the folder of Cargo.toml.
const NETWORK: &str = "networks/plumb-4.net";

/// The value of `EVALFILE` for a program without a network.
const NO_NETWORK: &str = "none";

/// The first words of a network file (`src/eval/network/file.rs`).
const MAGIC: &[u8] = b"plumb network ";

fn main() {
    println!("cargo::rerun-if-env-changed=EVALFILE");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(embedded_network)");
    let asked = env::var_os("EVALFILE").filter(|file| !file.is_empty());
    // Relative paths are the caller's: cargo runs this script in the folder of Cargo.toml, where make runs too.
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
