//! Connect Four, searched by any driver: four in a row wins on a board of seven columns and six rows. Two
//! numbers hold a position, and a position is its own key.
//!
//! `cargo run --release -p plumb-minimax --example connect_four -- 4433 13 60`: the columns played so far,
//! from 1 to 7, the plies to search, and the most seconds a driver may take.

use plumb_minimax::Game;
use plumb_minimax::drivers::Driver;
use plumb_minimax::solve::{End, Limits, Solver, Time};
use std::process::ExitCode;
use std::time::{Duration, Instant};

const COLUMNS: u32 = 7;
const ROWS: u32 = 6;
/// Bits of a column: its rows, and one above them that stays empty and ends a row of four.
const STEP: u32 = ROWS + 1;

/// The men of both sides, a bit each, column by column from below: the side to move, and the other.
#[derive(Clone, Copy, Debug, Default)]
struct Board {
    own: u64,
    other: u64,
}

impl Board {
    fn men(self) -> u32 {
        (self.own | self.other).count_ones()
    }

    /// True if the side that moved last has four in a row.
    fn is_lost(self) -> bool {
        // Upwards, along the row, and both diagonals.
        [1, STEP, STEP - 1, STEP + 1].into_iter().any(|step| {
            let pairs = self.other & self.other >> step;
            pairs & pairs >> (2 * step) != 0
        })
    }

    /// The lowest empty square of a column as a bit; `None` if it is full.
    fn square(self, column: u8) -> Option<u64> {
        let height = ((self.own | self.other) >> (u32::from(column) * STEP) & ((1 << ROWS) - 1)).count_ones();
        (height < ROWS).then(|| 1 << (u32::from(column) * STEP + height))
    }
}

impl Game for Board {
    type Value = i32;
    type Move = u8;
    const LIMIT: i32 = 2 + (COLUMNS * ROWS) as i32;
    const SLOTS: usize = COLUMNS as usize;

    /// Columns from the centre outwards: most rows of four lie there.
    fn moves(&self) -> Vec<u8> {
        const CENTRE_FIRST: [u8; COLUMNS as usize] = [3, 2, 4, 1, 5, 0, 6];
        if self.is_lost() {
            return Vec::new();
        }
        CENTRE_FIRST.into_iter().filter(|&column| self.square(column).is_some()).collect()
    }

    fn play(&self, column: u8) -> Board {
        Board { own: self.other, other: self.own | self.square(column).unwrap_or_default() }
    }

    /// A loss costs more the sooner it comes: one, and one for each square that is still empty. All else is
    /// 0.
    fn evaluate(&self) -> i32 {
        if self.is_lost() { self.men() as i32 - 1 - (COLUMNS * ROWS) as i32 } else { 0 }
    }

    /// The men of the side to move, and a bit above the highest man of each column: together they tell all
    /// squares.
    fn key(&self) -> u64 {
        let bottom = (0..COLUMNS).fold(0, |all, column| all | 1 << (column * STEP));
        self.own + (self.own | self.other) + bottom
    }

    fn slot(&self, column: u8) -> usize {
        usize::from(column)
    }
}

/// The position after columns from 1 to 7.
fn after(columns: &str) -> Result<Board, String> {
    columns.chars().try_fold(Board::default(), |board, letter| {
        let column = letter.to_digit(10).filter(|digit| (1..=COLUMNS).contains(digit));
        let column = column.ok_or_else(|| format!("'{letter}' is no column from 1 to {COLUMNS}"))? as u8 - 1;
        if board.is_lost() || board.square(column).is_none() {
            return Err(format!("column {letter} cannot be played in '{columns}'"));
        }
        Ok(board.play(column))
    })
}

fn run(columns: &str, depth: &str, seconds: &str) -> Result<(), String> {
    let board = after(columns)?;
    let most = COLUMNS * ROWS - board.men();
    let depth = depth.parse::<u32>().map_err(|error| format!("'{depth}': {error}"))?.min(most);
    let seconds = seconds.parse::<f64>().map_err(|error| format!("'{seconds}': {error}"))?;
    let most = Duration::try_from_secs_f64(seconds).map_err(|error| format!("'{seconds}': {error}"))?;
    let mut solver = Solver::new(22).map_err(|error| error.to_string())?;
    let start = Instant::now();
    let time = Time { most, clock: &|| start.elapsed() };
    let limits = Limits { time: Some(time), ..Limits::depth(depth) };
    for driver in
        [Driver::MtdF, Driver::MtdBi, Driver::SssStar, Driver::DualStar, Driver::NegaScout, Driver::AlphaBeta]
    {
        let solution = solver.solve(&board, &limits, driver);
        let line: Vec<String> = solution.pv.iter().map(|column| (column + 1).to_string()).collect();
        let (value, reached, visits) = (solution.value, solution.depth, solution.visits);
        let end = if solution.end == End::Depth { "" } else { ", then the time was over" };
        let (name, line) = (driver.name(), line.join(" "));
        println!("{name:<16} value {value:>3}  {visits:>9} visits to {reached} plies{end}  columns {line}");
    }
    Ok(())
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let done = match words.as_slice() {
        [] => run("4433", "13", "60"),
        [columns] => run(columns, "13", "60"),
        [columns, depth] => run(columns, depth, "60"),
        [columns, depth, seconds] => run(columns, depth, seconds),
        _ => Err("three arguments at most: columns, plies, seconds".to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("connect_four: {error}");
            ExitCode::from(2)
        }
    }
}
