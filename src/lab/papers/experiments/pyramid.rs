//! Search depths of the positions of an experiment: all of them to some depth and some of them deeper, since every
//! ply costs several times the one before.

use crate::lab::papers::experiment::Unit;

/// Positions, a unit of work each. Those that are searched deeper are spread evenly over all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pyramid {
    /// All positions.
    pub positions: usize,
    /// Number of them that are searched to the greatest depth.
    pub deep: usize,
    /// The greatest depth in plies.
    pub depth: u32,
    /// Plies by which the other positions are searched less deep.
    pub less: u32,
}

impl Pyramid {
    /// All positions to one depth.
    #[must_use]
    pub const fn level(positions: usize, depth: u32) -> Pyramid {
        Pyramid { positions, deep: positions, depth, less: 0 }
    }

    /// Search depth of a position in plies.
    #[must_use]
    pub fn depth_of(&self, position: usize) -> u32 {
        let before = |position: usize| position * self.deep / self.positions.max(1);
        if before(position + 1) > before(position) { self.depth } else { self.depth - self.less }
    }

    /// A unit for each position; a ply makes a search `growth` times as expensive.
    #[must_use]
    pub fn units(&self, growth: f64) -> Vec<Unit> {
        let unit = |position: usize| {
            let above = self.depth - self.depth_of(position);
            Unit { name: format!("position {}", position + 1), weight: growth.powi(-(above as i32)) }
        };
        (0..self.positions).map(unit).collect()
    }

    /// In words: `100 positions to 7 plies, 40 of them to 8`.
    #[must_use]
    pub fn words(&self) -> String {
        let Pyramid { positions, deep, depth, less } = *self;
        if deep == positions || less == 0 {
            return format!("{positions} positions to {depth} plies");
        }
        format!("{positions} positions to {} plies, {deep} of them to {depth}", depth - less)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deep_positions_are_as_many_as_planned_and_spread_evenly() {
        let pyramid = Pyramid { positions: 100, deep: 40, depth: 8, less: 1 };
        let depths: Vec<u32> = (0..100).map(|position| pyramid.depth_of(position)).collect();
        assert_eq!(depths.iter().filter(|&&depth| depth == 8).count(), 40);
        assert_eq!(depths.iter().filter(|&&depth| depth == 7).count(), 60);
        assert!(depths.chunks(5).all(|five| five.contains(&7) && five.contains(&8)), "{depths:?}");
        assert_eq!(pyramid.words(), "100 positions to 7 plies, 40 of them to 8");
    }

    #[test]
    fn a_level_one_is_as_deep_everywhere() {
        let level = Pyramid::level(20, 9);
        assert!((0..20).all(|position| level.depth_of(position) == 9));
        assert!(level.units(3.0).iter().all(|unit| unit.weight == 1.0));
        assert_eq!(level.words(), "20 positions to 9 plies");
    }
}
