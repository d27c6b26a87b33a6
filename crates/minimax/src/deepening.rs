//! Iterative deepening over a textbook game: the papers' experiments run every algorithm so (TR section 4.1).

use super::Stopped;
use super::driver::Bracket;
use super::drivers::Algorithm;
use super::game::{Game, StopCondition};
use super::memory::Memory;
use super::mt::{Counts, Search};
use super::observer::Observer;
use std::ops::RangeInclusive;

/// The first guess of an iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guess {
    /// The value of the iteration before.
    Previous,
    /// The value of two iterations before, where values swing between odd and even depths (IJCAI 5.2).
    TwoBack,
}

/// A completed iteration.
#[derive(Clone, Debug)]
pub struct Iteration {
    /// Its depth in plies.
    pub depth: u32,
    /// Its value; MTD-best gives a bound.
    pub value: i32,
    /// The index of its move; `None` when the game is over.
    pub best: Option<usize>,
    /// Its passes.
    pub passes: u32,
    /// Everything counted since the search was made.
    pub counts: Counts,
}

/// Searches the root to one depth after the other and hands every completed iteration to `each`. The first
/// iteration starts from `first`.
pub fn deepen<G: Game<Value = i32>, M: Memory<i32>, H: StopCondition>(
    search: &mut Search<G, M, H>,
    mut algorithm: Algorithm<'_>,
    depths: RangeInclusive<u32>,
    (guess, first): (Guess, i32),
    mut each: impl FnMut(&Iteration),
) -> Result<(), Stopped> {
    let (mut last, mut before) = (first, first);
    for depth in depths {
        search.depth = depth;
        search.memory.age();
        let from = if guess == Guess::TwoBack && depth > 2 { before } else { last };
        algorithm.parameters.change = last - before;
        let (value, best, passes) = iterate(search, algorithm, from)?;
        (before, last) = (last, value);
        each(&Iteration { depth, value, best, passes, counts: search.counts.clone() });
    }
    Ok(())
}

/// One depth from a guess: value, best move, passes.
///
/// # Errors
/// [`Stopped`], when the search was told to stop.
pub fn iterate<G: Game<Value = i32>, M: Memory<i32>, H: StopCondition, O: Observer<i32, G::Move>>(
    search: &mut Search<G, M, H, O>,
    algorithm: Algorithm<'_>,
    guess: i32,
) -> Result<(i32, Option<usize>, u32), Stopped> {
    let Algorithm { driver, parameters } = algorithm;
    search.options.scouts = driver.scouts();
    let mut bracket = Bracket::new(-G::LIMIT, G::LIMIT, guess.clamp(1 - G::LIMIT, G::LIMIT - 1));
    driver.close(search, &parameters, &mut bracket)?;
    Ok((bracket.value(), search.best, bracket.passes))
}
