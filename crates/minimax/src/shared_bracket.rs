//! Parallel aspiration search (Baudet) on the null windows of TR figure 8: threads that share a bracket test
//! different bounds, so that their answers narrow it from both sides at once.

use super::driver::{Bracket, Policy};

/// Policy that offsets the bounds of another policy, where the bracket has room.
#[derive(Clone, Copy, Debug)]
pub struct OffsetPolicy<P> {
    /// The policy that chooses the bound.
    pub policy: P,
    /// Offset, up if positive; to the other side where there is no room; 0 changes nothing.
    pub offset: i32,
    /// From this absolute value on bounds are not offset.
    pub exempt: i32,
}

impl<P> OffsetPolicy<P> {
    /// The policy for a thread: the first tests the bound of the policy, the second a bound one `step`
    /// above, the third one below, the fourth again the bound of the policy.
    #[must_use]
    pub fn for_thread(policy: P, thread_id: usize, step: i32, exempt: i32) -> OffsetPolicy<P> {
        let offset = match thread_id % 3 {
            1 => step,
            2 => -step,
            _ => 0,
        };
        OffsetPolicy { policy, offset, exempt }
    }
}

impl<P: Policy<i32>> Policy<i32> for OffsetPolicy<P> {
    fn next(&self, bracket: &Bracket<i32>) -> Option<i32> {
        let bound = self.policy.next(bracket)?;
        let has_room = |&shifted: &i32| {
            let free = shifted.abs().max(bound.abs()) < self.exempt;
            free && bracket.lower < shifted && shifted <= bracket.upper
        };
        Some([bound + self.offset, bound - self.offset].into_iter().find(has_room).unwrap_or(bound))
    }
}

#[cfg(test)]
mod tests {
    use super::super::driver::{MtdF, Snap, SssStar};
    use super::super::window::Window;
    use super::*;

    fn apart(thread_id: usize) -> OffsetPolicy<Snap<MtdF>> {
        OffsetPolicy::for_thread(Snap { policy: MtdF, grid: 8, exempt: 900 }, thread_id, 8, 900)
    }

    #[test]
    fn threads_test_bounds_on_both_sides_of_the_policys() {
        let bracket = Bracket::new(-1000, 1000, 43);
        let asked: Vec<_> = (0..4).map(|thread_id| apart(thread_id).next(&bracket)).collect();
        assert_eq!(asked, [Some(40), Some(48), Some(32), Some(40)]);
    }

    #[test]
    fn every_bound_lies_within_the_bracket() {
        let top = OffsetPolicy::for_thread(SssStar, 1, 8, 900);
        assert_eq!(top.next(&Bracket::new(0, 100, 50)), Some(92));
        assert_eq!(top.next(&Bracket::new(95, 100, 50)), Some(100));
        assert_eq!(top.next(&Bracket::new(92, 100, 50)), Some(100), "nothing is asked about the lower bound");
        assert_eq!(top.next(&Bracket::new(-1000, 950, 50)), Some(950));
        assert_eq!(top.next(&Bracket::new(-1000, 900, 50)), Some(900), "a mate stays");
        assert_eq!(top.next(&Bracket::new(100, 100, 50)), None);
    }

    #[test]
    fn every_thread_finds_the_value() {
        for value in -60..60 {
            for thread_id in 0..3 {
                let mut bracket = Bracket::new(-1000, 1000, 3);
                while let Some(bound) = apart(thread_id).next(&bracket) {
                    bracket.learn(Window::at(bound), if value >= bound { bound } else { bound - 1 });
                }
                assert!(bracket.value() <= value && value < bracket.value() + 8, "{value} {bracket:?}");
            }
        }
    }
}
