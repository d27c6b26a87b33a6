//! Node counts of the bench by every backend, a line each: what the same functions must count in a browser.
//!
//! `cargo run --release -p plumb-web --example counts -- DEPTH POSITIONS`

use plumb::search::Backend;
use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let numbers: Vec<usize> = words.iter().filter_map(|word| word.parse().ok()).collect();
    let &[depth, positions] = &numbers[..] else {
        eprintln!("counts: DEPTH POSITIONS");
        return ExitCode::from(2);
    };
    for backend in Backend::ALL {
        let start = Instant::now();
        match plumb_web::bench(backend.alias(), depth as i32, positions) {
            Ok(nodes) => println!("{} {nodes} {:.3}", backend.alias(), start.elapsed().as_secs_f64()),
            Err(error) => {
                eprintln!("counts: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}
