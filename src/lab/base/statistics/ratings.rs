//! Ratings of several players from all their games: maximum likelihood of the logistic model (Zermelo 1929,
//! Bradley and Terry 1952), in which a draw is half a win, as in Ordo. Errors come from samples of games that
//! depend on each other, such as all games of one opening (sandwich estimate, Liang and Zeger 1986). A player
//! without a finite rating gets none, with the reason (Ford 1957).

use super::elo::FEWEST;
use std::collections::BTreeMap;

/// Natural units of the model for one Elo.
const UNIT: f64 = std::f64::consts::LN_10 / 400.0;

/// Standard deviations to either side of a 95 % interval.
const DEVIATIONS: f64 = 1.959_964;

/// Most steps of Newton's method, which needs about ten.
const STEPS: usize = 200;

/// Games of two players in one sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Encounter {
    /// The sample. Samples are independent, the games of one are not.
    pub sample: usize,
    /// The players, by their indices.
    pub players: [usize; 2],
    /// Number of games.
    pub games: u64,
    /// Points of the first player, 0 to `games`.
    pub points: f64,
}

/// Rating of a player by the games, or the reason why there is none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PlayerRating {
    /// A rating.
    Known {
        /// Logistic Elo, relative to the anchor.
        elo: f64,
        /// Half its 95 % interval. `None` while that is not known: there are fewer than [`FEWEST`] samples,
        /// or the player scores the same in all, from which no variance follows.
        margin: Option<f64>,
    },
    /// No player with a rating took a point from it: there is no upper bound.
    NoUpperBound,
    /// It took no point from a player with a rating: there is no lower bound.
    NoLowerBound,
    /// No games compare it with the players that have a rating, or nobody has one.
    Unconnected,
}

impl PlayerRating {
    /// The rating, if there is one.
    #[must_use]
    pub fn elo(&self) -> Option<f64> {
        match self {
            PlayerRating::Known { elo, .. } => Some(*elo),
            _ => None,
        }
    }

    /// Half its 95 % interval, if it is known.
    #[must_use]
    pub fn margin(&self) -> Option<f64> {
        match self {
            PlayerRating::Known { margin, .. } => *margin,
            _ => None,
        }
    }
}

/// Rates players 0 .. `players`. Rated is the largest set of players in which everyone took points from
/// everyone else, directly or over others; of equal sets the one with the first player. The anchor has the
/// rating 0 where it is rated; otherwise the mean of all rated players is 0. Encounters with other players
/// are left out.
#[must_use]
pub fn ratings(players: usize, encounters: &[Encounter], anchor: Option<usize>) -> Vec<PlayerRating> {
    let known: Vec<Encounter> = encounters
        .iter()
        .copied()
        .filter(|one| one.players.iter().all(|&player| player < players) && one.players[0] != one.players[1])
        .collect();
    let beaten = comparable(players, &known);
    let rated = rated_set(&beaten);
    let mut standings: Vec<PlayerRating> =
        (0..players).map(|player| unrated(player, &rated, &beaten)).collect();
    let fit = Fit::new(&rated, &known);
    let anchor = anchor.and_then(|anchor| rated.iter().position(|&player| player == anchor));
    let zero = anchor.map_or(0.0, |anchor| fit.strengths[anchor]);
    let deviations = fit.deviations(anchor);
    for (index, &player) in rated.iter().enumerate() {
        let margin = deviations.as_ref().and_then(|all| all[index]).map(|one| DEVIATIONS * one / UNIT);
        standings[player] = PlayerRating::Known { elo: (fit.strengths[index] - zero) / UNIT, margin };
    }
    standings
}

/// For every pair, whether the first took points from the second, directly or over others.
fn comparable(players: usize, encounters: &[Encounter]) -> Vec<Vec<bool>> {
    let mut beaten = vec![vec![false; players]; players];
    for &Encounter { players: [a, b], games, points, .. } in encounters {
        beaten[a][b] |= points > 0.0;
        beaten[b][a] |= points < games as f64;
    }
    for middle in 0..players {
        let over = beaten[middle].clone();
        for row in &mut beaten {
            if row[middle] {
                row.iter_mut().zip(&over).for_each(|(one, &over)| *one |= over);
            }
        }
    }
    beaten
}

/// The largest set of players that took points from each other; empty if no two did.
fn rated_set(beaten: &[Vec<bool>]) -> Vec<usize> {
    let players = beaten.len();
    let set = |player: usize| -> Vec<usize> {
        (0..players).filter(|&other| beaten[player][other] && beaten[other][player]).collect()
    };
    // The first of the largest: `max_by_key` takes the last.
    (0..players).rev().map(set).max_by_key(Vec::len).unwrap_or_default()
}

fn unrated(player: usize, rated: &[usize], beaten: &[Vec<bool>]) -> PlayerRating {
    let Some(&one) = rated.first() else { return PlayerRating::Unconnected };
    match (beaten[player][one], beaten[one][player]) {
        (true, false) => PlayerRating::NoUpperBound,
        (false, true) => PlayerRating::NoLowerBound,
        _ => PlayerRating::Unconnected,
    }
}

/// The expected points of a game for a player that is stronger by `difference` natural units.
fn expected(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}

/// The logarithm of [`expected`], also where that is 0.
fn log_expected(difference: f64) -> f64 {
    -((-difference).max(0.0) + (-difference.abs()).exp().ln_1p())
}

/// The most likely strengths of players that took points from each other.
struct Fit {
    /// Strengths in natural units, with mean 0.
    strengths: Vec<f64>,
    /// The information that the games give about them.
    information: Cholesky,
    /// The encounters between these players, by their places in the set.
    encounters: Vec<Encounter>,
}

impl Fit {
    fn new(rated: &[usize], encounters: &[Encounter]) -> Fit {
        let place = |player: usize| rated.iter().position(|&one| one == player);
        let of = |one: &Encounter| {
            Some(Encounter { players: [place(one.players[0])?, place(one.players[1])?], ..*one })
        };
        let mut fit = Fit {
            strengths: vec![0.0; rated.len()],
            information: Cholesky(Vec::new()),
            encounters: encounters.iter().filter_map(of).collect(),
        };
        let together = totals(&fit.encounters);
        for _ in 0..STEPS {
            fit.information = Cholesky::of(information(&together, &fit.strengths));
            let step = fit.information.solve(&surplus(&together, &fit.strengths));
            fit.strengths = improved(&together, &fit.strengths, &step);
            if step.iter().all(|part| part.abs() < 1e-10) {
                break;
            }
        }
        fit
    }

    /// Standard deviations of the strengths relative to the anchor, or to the mean; `None` for too few
    /// samples, and for a player whose results never vary. The strengths move with the surplus of a sample as
    /// the inverse information says, and the variance is the sum of the squares over the samples.
    fn deviations(&self, anchor: Option<usize>) -> Option<Vec<Option<f64>>> {
        let mut samples: BTreeMap<usize, Vec<Encounter>> = BTreeMap::new();
        self.encounters.iter().for_each(|one| samples.entry(one.sample).or_default().push(*one));
        if (samples.len() as u64) < FEWEST {
            return None;
        }
        let mut variances = vec![0.0; self.strengths.len()];
        for encounters in samples.values() {
            let moved = self.information.solve(&surplus(encounters, &self.strengths));
            let zero = anchor.map_or(0.0, |anchor| moved[anchor]);
            variances.iter_mut().zip(moved).for_each(|(sum, part)| *sum += (part - zero).powi(2));
        }
        // Rounding leaves a rest where all samples agree.
        let deviation = |(player, &variance): (usize, &f64)| {
            (variance > 1e-20 || anchor == Some(player)).then(|| variance.sqrt())
        };
        Some(variances.iter().enumerate().map(deviation).collect())
    }
}

/// All games of every two players together, in one sample.
fn totals(encounters: &[Encounter]) -> Vec<Encounter> {
    let mut sums: BTreeMap<[usize; 2], (u64, f64)> = BTreeMap::new();
    for &Encounter { players: [a, b], games, points, .. } in encounters {
        let (players, points) = if a < b { ([a, b], points) } else { ([b, a], games as f64 - points) };
        let sum = sums.entry(players).or_default();
        *sum = (sum.0 + games, sum.1 + points);
    }
    let one = |(players, (games, points))| Encounter { sample: 0, players, games, points };
    sums.into_iter().map(one).collect()
}

/// Points of every player beyond the expected ones: the gradient of the logarithm of the likelihood.
fn surplus(encounters: &[Encounter], strengths: &[f64]) -> Vec<f64> {
    let mut surplus = vec![0.0; strengths.len()];
    for &Encounter { players: [a, b], games, points, .. } in encounters {
        let beyond = points - games as f64 * expected(strengths[a] - strengths[b]);
        surplus[a] += beyond;
        surplus[b] -= beyond;
    }
    surplus
}

/// The information of the games about the strengths, with mean 0 as one more observation, without which they
/// would be known up to a constant.
fn information(encounters: &[Encounter], strengths: &[f64]) -> Vec<Vec<f64>> {
    let players = strengths.len();
    let mut matrix = vec![vec![1.0 / players as f64; players]; players];
    for &Encounter { players: [a, b], games, .. } in encounters {
        let expected = expected(strengths[a] - strengths[b]);
        let weight = games as f64 * expected * (1.0 - expected);
        matrix[a][a] += weight;
        matrix[b][b] += weight;
        matrix[a][b] -= weight;
        matrix[b][a] -= weight;
    }
    matrix
}

/// Logarithm of the likelihood of all results.
fn likelihood(encounters: &[Encounter], strengths: &[f64]) -> f64 {
    let one = |&Encounter { players: [a, b], games, points, .. }: &Encounter| {
        let difference = strengths[a] - strengths[b];
        points * log_expected(difference) + (games as f64 - points) * log_expected(-difference)
    };
    encounters.iter().map(one).sum()
}

/// The strengths after a step, or after a part of it where the whole step would go too far.
fn improved(encounters: &[Encounter], strengths: &[f64], step: &[f64]) -> Vec<f64> {
    let before = likelihood(encounters, strengths);
    let mut part = 1.0;
    loop {
        let after: Vec<f64> = strengths.iter().zip(step).map(|(one, step)| one + part * step).collect();
        if likelihood(encounters, &after) >= before || part < 1e-6 {
            return after;
        }
        part /= 2.0;
    }
}

/// Cholesky decomposition of a symmetric matrix that is positive definite: its lower triangle.
struct Cholesky(Vec<Vec<f64>>);

impl Cholesky {
    fn of(matrix: Vec<Vec<f64>>) -> Cholesky {
        let mut lower = matrix;
        for row in 0..lower.len() {
            for column in 0..=row {
                let dot: f64 = (0..column).map(|k| lower[row][k] * lower[column][k]).sum();
                let rest = lower[row][column] - dot;
                // A pivot that rounding has made 0 is kept above it.
                lower[row][column] = if row == column {
                    rest.max(f64::MIN_POSITIVE).sqrt()
                } else {
                    rest / lower[column][column]
                };
            }
        }
        Cholesky(lower)
    }

    /// The vector that the matrix takes to `right`.
    fn solve(&self, right: &[f64]) -> Vec<f64> {
        let Cholesky(lower) = self;
        let mut found = right.to_vec();
        for row in 0..found.len() {
            let dot: f64 = (0..row).map(|k| lower[row][k] * found[k]).sum();
            found[row] = (found[row] - dot) / lower[row][row];
        }
        for row in (0..found.len()).rev() {
            let dot: f64 = (row + 1..found.len()).map(|k| lower[k][row] * found[k]).sum();
            found[row] = (found[row] - dot) / lower[row][row];
        }
        found
    }
}

#[cfg(test)]
mod tests;
