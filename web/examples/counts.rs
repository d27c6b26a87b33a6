//! Node count and seconds of the bench by one backend, natively: what web/speed.sh compares the WebAssembly
//! with.
//!
//! `counts BACKEND DEPTH POSITIONS` prints the backend, its made moves and the seconds that they took.

use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let counted = match &words[..] {
        [backend, depth, positions] => match (depth.parse(), positions.parse()) {
            (Ok(depth), Ok(positions)) => {
                let start = Instant::now();
                plumb_web::bench(backend, depth, positions)
                    .map(|nodes| println!("{backend} {nodes} {:.3}", start.elapsed().as_secs_f64()))
            }
            _ => Err("depth and positions are whole numbers".to_owned()),
        },
        _ => Err("counts BACKEND DEPTH POSITIONS".to_owned()),
    };
    match counted {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("counts: {error}");
            ExitCode::from(2)
        }
    }
}
