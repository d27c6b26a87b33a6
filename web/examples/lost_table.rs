//! Cost of a lost transposition table: made moves to a depth after a move and its answer, with the table of
//! the search before and with an empty one. A page that stops a search loses its table (docs/browser.md).
//!
//! `lost_table DEPTH` prints both sums over the positions of the bench.

use plumb::engine::bench::POSITIONS;
use serde_json::{Value, json};
use std::process::ExitCode;

fn search(engine: &mut plumb_web::Engine, fen: &str, moves: &[Value], depth: i32) -> Result<Value, String> {
    let request = json!({ "fen": fen, "moves": moves, "depth": depth });
    let answer = engine.search(&request.to_string(), &mut |_| ())?;
    serde_json::from_str(&answer).map_err(|error| error.to_string())
}

fn run(depth: i32) -> Result<(), String> {
    let (mut kept, mut lost) = (0, 0);
    for fen in POSITIONS {
        let mut engine = plumb_web::Engine::new(16)?;
        let first = search(&mut engine, fen, &[], depth)?;
        let Some(line) = first["moves"].as_array().filter(|line| line.len() >= 2) else { continue };
        let nodes = |answer: Value| answer["nodes"].as_u64().unwrap_or_default();
        kept += nodes(search(&mut engine, fen, &line[..2], depth)?);
        lost += nodes(search(&mut plumb_web::Engine::new(16)?, fen, &line[..2], depth)?);
    }
    println!("with the table {kept}, without {lost}: {:.2}", lost as f64 / kept as f64);
    Ok(())
}

fn main() -> ExitCode {
    let depth = std::env::args().nth(1).and_then(|word| word.parse().ok());
    let done = depth.map_or(Err("lost_table DEPTH".to_owned()), run);
    done.map_or_else(
        |error| {
            eprintln!("lost_table: {error}");
            ExitCode::from(2)
        },
        |()| ExitCode::SUCCESS,
    )
}
