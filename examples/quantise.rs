//! Quantises a network file, for `networks` and for pages: half the size, the same values in play.
//!
//! `cargo run --release --example quantise -- FROM.net TO.net`: FROM as `plumb train` writes it.

use plumb::eval::network::{Network, file};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [from, to] = arguments.as_slice() else {
        eprintln!("quantise FROM.net TO.net");
        return ExitCode::from(2);
    };
    match quantise(Path::new(from), Path::new(to)) {
        Ok(network) => {
            println!("{network}");
            ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

/// Writes the quantised file; returns its network.
fn quantise(from: &Path, to: &Path) -> Result<Network, String> {
    let of = |why: String| format!("{}: {why}", from.display());
    let (trained, fingerprint) = file::read(from).and_then(|bytes| file::parse(&bytes)).map_err(of)?;
    let bytes = trained.quantised_bytes(fingerprint);
    let network = Network::parse(&bytes).map_err(of)?;
    std::fs::write(to, bytes).map_err(|error| format!("{}: {error}", to.display()))?;
    Ok(network)
}
