//! Build script: embeds the network file that the variable `EVALFILE` names, if it is set (`make EVALFILE=...`).

use std::env;
use std::path::Path;

fn main() {
    println!("cargo::rerun-if-env-changed=EVALFILE");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(embedded_network)");
    let Some(file) = env::var_os("EVALFILE").filter(|file| !file.is_empty()) else { return };
    // Relative paths are the caller's: cargo runs this script in the folder of Cargo.toml, where make runs too.
    match Path::new(&file).canonicalize() {
        Ok(path) => {
            println!("cargo::rerun-if-changed={}", path.display());
            println!("cargo::rustc-env=PLUMB_EVALFILE={}", path.display());
            println!("cargo::rustc-cfg=embedded_network");
        }
        Err(error) => {
            println!("cargo::error=EVALFILE: {} cannot be read: {error}", Path::new(&file).display())
        }
    }
}
