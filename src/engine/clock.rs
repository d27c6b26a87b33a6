//! Time management: soft and hard limit of a move, and the search control that keeps to them.
//!
//! The *soft* limit is checked between iterations: no further iteration is begun beyond it. It is scaled by
//! best-move stability, node fraction and falling value. The *hard* limit is checked every `POLL_NODES` made
//! moves. It is extended once, while an iteration has only failed low at the root; the move overhead is left
//! on the clock even then, so that the game is not lost on time.

use crate::chess::score::{INFINITE, Value, centipawns, is_decisive, is_mate, mate_in_moves};
use crate::engine::handle::SearchHandle;
use crate::search::{Pass, Progress, SearchControl};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Made moves between two checks of the clock: about a millisecond.
const POLL_NODES: u64 = 1024;

/// Moves that the remaining time should last for, in sudden death.
const HORIZON: u32 = 24;

/// The reserve in sudden death, in move overheads.
const RESERVE: u32 = 6;

/// The share of the increment that a move may spend beforehand.
const INCREMENT_SHARE: f64 = 1.0;

/// The soft limit as a share of the time that a move should take: the iteration under way at that moment is
/// finished.
const SOFT_SHARE: f64 = 0.85;

/// The hard limit, in times that a move should take.
const HARD_FACTOR: f64 = 4.0;

/// Factor on the hard limit while the root has only failed low: the old move is refuted and no other is
/// known.
const EXTENSION_FACTOR: f64 = 1.5;

/// Least drop below the last iteration's value, in units, from which a fail low of the root extends the hard
/// limit.
const FAIL_LOW_MARGIN: Value = centipawns(30);

/// Largest share of all the time there is that one move may take.
const MOST_OF_ALL: f64 = 0.6;

/// The same for the last move before the next time control.
const MOST_OF_LAST: f64 = 0.9;

/// Factor on the time of a move with pondering, which saves time.
const PONDER_FACTOR: f64 = 1.25;

/// Depth in plies after which the only legal move is played.
const FORCED_DEPTH: i32 = 4;

/// Depth in plies beyond a mate from which it is answered early.
const MATE_MARGIN: i32 = 4;

/// Time control: the clock of a game, or the time for one move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeControl {
    /// Time for this move alone.
    pub movetime: Option<Duration>,
    /// Time left on the clock; zero if the flag is about to fall.
    pub remaining: Option<Duration>,
    /// Time added after every move.
    pub increment: Duration,
    /// Moves until the next time control; `None` and 0 are sudden death.
    pub moves_to_go: Option<u32>,
}

/// Time limits of one move; `None` is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeLimits {
    /// Soft limit: no further iteration is begun. Scaled by how undecided the search is.
    pub soft: Option<Duration>,
    /// Hard limit: the search stops.
    pub hard: Option<Duration>,
    /// Hard limit while the root has only failed low; never less than `hard`.
    pub extended: Option<Duration>,
}

impl TimeControl {
    /// True if nothing limits the time.
    #[must_use]
    pub fn is_unlimited(&self) -> bool {
        self.movetime.is_none() && self.remaining.is_none()
    }

    /// Time limits of a move that keep `overhead` back; `ponder` if the engine may ponder.
    #[must_use]
    pub fn limits(&self, overhead: Duration, ponder: bool) -> TimeLimits {
        let clock = self.remaining.map(|remaining| self.share(self.available(remaining, overhead), ponder));
        // A move time shorter than the overhead still leaves a tenth of it for the search.
        let single = self.movetime.map(|time| time.saturating_sub(overhead).max(time / 10));
        let soonest = |limit: Option<Duration>| [limit, single].into_iter().flatten().min();
        TimeLimits {
            soft: clock.map(|[soft, ..]| soft),
            hard: soonest(clock.map(|[_, hard, _]| hard)),
            extended: soonest(clock.map(|[.., extended]| extended)),
        }
    }

    /// Part of the remaining time that may be spent. In sudden death a reserve of [`RESERVE`] overheads is
    /// kept: the game may last longer than [`HORIZON`] moves, and every move costs a little beside the
    /// search.
    fn available(&self, remaining: Duration, overhead: Duration) -> Duration {
        let sudden_death = self.moves_to_go.is_none_or(|moves| moves == 0);
        let reserve = if sudden_death { (RESERVE * overhead).min(remaining / 2) } else { Duration::ZERO };
        remaining.saturating_sub(overhead + reserve)
    }

    /// Soft limit, hard limit and extended hard limit of one of the moves that `available` must last for.
    fn share(&self, available: Duration, ponder: bool) -> [Duration; 3] {
        let moves = self.moves_to_go.filter(|&moves| moves > 0);
        let horizon = moves.unwrap_or(HORIZON).min(HORIZON);
        let all = available.as_secs_f64();
        let mut fair = all / f64::from(horizon) + INCREMENT_SHARE * self.increment.as_secs_f64();
        if ponder {
            fair *= PONDER_FACTOR;
        }
        let most = all * if moves == Some(1) { MOST_OF_LAST } else { MOST_OF_ALL };
        let hard = (HARD_FACTOR * fair).min(most);
        let soft = (SOFT_SHARE * fair).min(hard);
        let extended = (EXTENSION_FACTOR * hard).min(most);
        [soft, hard, extended].map(duration)
    }
}

/// Seconds as a duration; [`Duration::MAX`] if they are out of range.
fn duration(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
}

/// The time manager of one search: a search control that stops it.
#[derive(Debug)]
pub struct Clock {
    handle: Arc<SearchHandle>,
    /// Time of the request.
    start: Instant,
    limits: TimeLimits,
    /// True if there is one legal move only: on a clock it is played after `FORCED_DEPTH` plies.
    pub forced: bool,
    /// True in analysis: neither a forced move nor a proven mate is answered before its time.
    pub analyse: bool,
    /// True if the answer is due at the ponderhit, whatever the limits are: the soft limit was reached while
    /// pondering, or the search has no limit.
    pub answer_on_hit: bool,
    /// Time that the answer takes at least, unless it is stopped: human thinking time of limited strength.
    pub pause: Duration,
    /// Value of the last iteration.
    last_value: Option<Value>,
    /// True if the iteration under way has only failed low, by [`FAIL_LOW_MARGIN`] at least.
    failing_low: bool,
}

impl Clock {
    /// A clock that runs from `start` and stops with `handle`.
    #[must_use]
    pub fn new(handle: Arc<SearchHandle>, start: Instant, limits: TimeLimits) -> Clock {
        Clock {
            handle,
            start,
            limits,
            forced: false,
            analyse: false,
            answer_on_hit: false,
            pause: Duration::ZERO,
            last_value: None,
            failing_low: false,
        }
    }

    /// The handle of this search.
    #[must_use]
    pub fn handle(&self) -> &SearchHandle {
        &self.handle
    }

    /// The time limits.
    #[must_use]
    pub fn limits(&self) -> TimeLimits {
        self.limits
    }

    /// Time since the search was asked for.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Waits for what is left of the pause, or until the search is stopped.
    pub fn wait(&self) {
        self.handle.wait_for_stop(self.pause.saturating_sub(self.elapsed()));
    }

    /// Time that counts towards the hard limit: since the request, or since the ponderhit.
    fn counted(&self) -> Duration {
        self.handle.hit().unwrap_or(self.start).elapsed()
    }

    /// Factor on the soft limit: above 1 where the search is undecided.
    fn scale(&mut self, progress: &Progress<'_>) -> f64 {
        // Best-move stability: a move that stays best needs less proof, one that just changed more: 1.3 down
        // to 0.7.
        let stability = 1.3 - 0.1 * f64::from(progress.iterations_stable.saturating_sub(1).min(6));
        // Node fraction: where nearly all the work went into the best move, the others were refuted at sight:
        // 1.3 to 0.7.
        let contested = (1.5 - progress.best_move_share).clamp(0.7, 1.3);
        // Falling value: up to 1.6 at half a pawn.
        let last = self.last_value.replace(progress.value).unwrap_or(progress.value);
        let drop = f64::from((last - progress.value).clamp(0, centipawns(50)));
        let falling = 1.0 + 0.6 * drop / f64::from(centipawns(50));
        stability * contested * falling
    }

    /// True if the soft limit is reached, or a move on the clock can be answered early.
    fn is_enough(&mut self, progress: &Progress<'_>) -> bool {
        let scale = self.scale(progress);
        let Some(soft) = self.limits.soft else { return false };
        let forced = self.forced && progress.depth >= FORCED_DEPTH;
        let mate = mate_in_moves(progress.value)
            .is_some_and(|moves| progress.proven || progress.depth >= 2 * moves.abs() + MATE_MARGIN);
        let early = !self.analyse && (forced || mate);
        early || self.elapsed().as_secs_f64() >= soft.as_secs_f64() * scale
    }
}

impl SearchControl for Clock {
    fn poll(&mut self, nodes: u64) -> Option<u64> {
        if self.handle.is_stopped() {
            return None;
        }
        if !self.handle.is_pondering() {
            let limit = if self.failing_low { self.limits.extended } else { self.limits.hard };
            let late = limit.is_some_and(|limit| self.counted() >= limit);
            if late || (self.answer_on_hit && self.handle.hit().is_some()) {
                return None;
            }
        }
        Some(nodes.saturating_add(POLL_NODES))
    }

    fn pass(&mut self, pass: &Pass) {
        if pass.line > 1 {
            // A later MultiPV line is worth less than the first.
            return;
        }
        let (lower, upper) = pass.bracket;
        let unanswered = pass.of.is_none() && lower <= -INFINITE;
        // A win by the tablebases may be told of a root that they rank: its passes search other values.
        let last = self.last_value.filter(|&last| is_mate(last) || !is_decisive(last));
        self.failing_low = unanswered && last.is_some_and(|last| upper <= last - FAIL_LOW_MARGIN);
    }

    fn iteration(&mut self, progress: &Progress<'_>) -> bool {
        self.failing_low = false;
        if !self.is_enough(progress) {
            return true;
        }
        // While pondering the search goes on, but answers at the ponderhit.
        self.answer_on_hit |= self.handle.is_pondering();
        self.handle.is_pondering()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::score::TB_WIN;
    use crate::search::Stats;
    use shakmaty::{Move, Role, Square};

    const OVERHEAD: Duration = Duration::from_millis(10);

    fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    fn clock_time(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> TimeControl {
        TimeControl { movetime: None, remaining: Some(ms(remaining)), increment: ms(increment), moves_to_go }
    }

    /// A clock that has run for `elapsed`.
    fn clock(handle: SearchHandle, time: TimeControl, elapsed: Duration) -> Clock {
        Clock::new(Arc::new(handle), Instant::now() - elapsed, time.limits(OVERHEAD, false))
    }

    fn ordinary() -> SearchHandle {
        SearchHandle::new(false, false)
    }

    fn progress(stats: &Stats, depth: i32, value: Value) -> Progress<'_> {
        let best = Move::Normal {
            role: Role::King,
            from: Square::E1,
            to: Square::E2,
            capture: None,
            promotion: None,
        };
        Progress {
            depth,
            value,
            proven: false,
            best,
            iterations_stable: 3,
            best_move_share: 0.5,
            passes: 3,
            stats,
        }
    }

    #[test]
    fn no_limit_exceeds_the_time_left_less_the_overhead() {
        for remaining in [0, 1, 5, 10, 11, 20, 100, 1_000, 60_000, 3_600_000, u64::MAX] {
            for increment in [0, 1, 100, 10_000, u64::MAX] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    for ponder in [false, true] {
                        let limits = clock_time(remaining, increment, moves_to_go).limits(OVERHEAD, ponder);
                        let (soft, hard) = (limits.soft.unwrap(), limits.hard.unwrap());
                        assert!(soft <= hard && hard <= limits.extended.unwrap());
                        assert!(
                            limits.extended.unwrap() <= ms(remaining).saturating_sub(OVERHEAD),
                            "{remaining} {increment}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn limits_lie_in_their_expected_ranges() {
        for (time, soft, hard) in [
            (clock_time(60_000, 0, None), 1_000..2_500, 5_000..15_000),
            (clock_time(60_000, 1_000, None), 1_500..3_000, 6_000..20_000),
            (clock_time(60_000, 0, Some(1)), 30_000..54_000, 50_000..59_000),
            (clock_time(60_000, 0, Some(40)), 1_000..2_500, 5_000..15_000),
            (clock_time(8_000, 80, None), 150..400, 600..2_000),
        ] {
            let limits = time.limits(OVERHEAD, false);
            assert!(soft.contains(&limits.soft.unwrap().as_millis()), "{time:?} {limits:?}");
            assert!(hard.contains(&limits.hard.unwrap().as_millis()), "{time:?} {limits:?}");
        }
    }

    /// In a game in which every move takes its soft limit, two thirds of the time go into the first forty
    /// moves, and little more than the reserve is left at the end of a long one.
    #[test]
    fn a_long_game_uses_its_time_up_to_the_reserve() {
        let mut remaining = 1_000.0;
        for number in 1..=120 {
            let limits = clock_time(remaining as u64, 10, None).limits(OVERHEAD, false);
            remaining += 10.0 - limits.soft.unwrap().as_secs_f64() * 1000.0;
            if number == 40 {
                assert!((150.0..350.0).contains(&remaining), "{remaining} ms after 40 moves");
            }
        }
        assert!((80.0..140.0).contains(&remaining), "{remaining} ms at the end");
    }

    #[test]
    fn a_root_that_only_fails_low_extends_the_hard_limit() {
        let time = clock_time(180_000, 0, None);
        let limits = time.limits(OVERHEAD, false);
        let between = (limits.hard.unwrap() + limits.extended.unwrap()) / 2;
        let mut clock = clock(ordinary(), time, between);
        let pass = |answer: Value, bracket| {
            let window = if answer < 0 { (-1, 0) } else { (answer - 1, answer) };
            Pass {
                depth: 9,
                number: 1,
                line: 1,
                window,
                answer,
                of: None,
                bracket,
                nodes: 1,
                leaf: 1,
                total: 1,
            }
        };
        assert_eq!(clock.poll(0), None);
        clock.iteration(&progress(&Stats::default(), 8, 10));
        clock.pass(&pass(-40, (-INFINITE, -40)));
        assert!(clock.poll(0).is_some(), "half a pawn less, and nothing better is known");
        clock.iteration(&progress(&Stats::default(), 9, 10));
        clock.pass(&Pass { line: 2, ..pass(-40, (-INFINITE, -40)) });
        assert_eq!(clock.poll(0), None, "a later MultiPV line may be worse");
        clock.pass(&pass(-10, (-INFINITE, -10)));
        assert_eq!(clock.poll(0), None, "a small drop does not extend");
        clock.pass(&pass(-60, (-60, -40)));
        assert_eq!(clock.poll(0), None, "a move has failed high");
        clock.iteration(&progress(&Stats::default(), 10, TB_WIN - 25));
        clock.pass(&pass(900, (-INFINITE, 900)));
        assert_eq!(clock.poll(0), None, "the last value is that of the tablebases");
    }

    #[test]
    fn a_move_time_sets_the_hard_limit_alone() {
        let single = TimeControl { movetime: Some(ms(100)), ..TimeControl::default() };
        let hard = Some(ms(90));
        assert_eq!(single.limits(OVERHEAD, false), TimeLimits { soft: None, hard, extended: hard });
        let short = TimeControl { movetime: Some(ms(5)), ..TimeControl::default() };
        assert!(short.limits(OVERHEAD, false).hard.unwrap() < ms(5));
        let both = TimeControl { movetime: Some(ms(100)), ..clock_time(60_000, 0, None) };
        assert_eq!(both.limits(OVERHEAD, false).hard, Some(ms(90)));
        assert_eq!(TimeControl::default().limits(OVERHEAD, false), TimeLimits::default());
    }

    #[test]
    fn polls_come_every_1024_moves_until_the_stop() {
        let mut clock = clock(ordinary(), TimeControl::default(), Duration::ZERO);
        assert_eq!(clock.poll(0), Some(1024));
        assert_eq!(clock.poll(1024), Some(2048));
        clock.handle().stop();
        assert_eq!(clock.poll(0), None);
    }

    #[test]
    fn no_time_left_stops_at_once() {
        let mut clock = clock(ordinary(), clock_time(0, 0, None), Duration::ZERO);
        assert_eq!(clock.poll(0), None);
        assert!(!clock.iteration(&progress(&Stats::default(), 1, 0)));
    }

    #[test]
    fn time_counts_from_the_ponderhit() {
        let mut clock = clock(SearchHandle::new(false, true), clock_time(60_000, 0, None), ms(20_000));
        assert_eq!(clock.limits.hard.map(|hard| hard < ms(20_000)), Some(true));
        assert!(clock.poll(0).is_some(), "no time counts while the opponent thinks");
        clock.handle().ponderhit(Instant::now());
        assert!(clock.poll(0).is_some(), "the clock starts with the hit");
        assert!(!clock.iteration(&progress(&Stats::default(), 3, 0)), "but enough has been thought");
    }

    #[test]
    fn a_soft_limit_reached_while_pondering_answers_at_the_ponderhit() {
        let mut clock = clock(SearchHandle::new(false, true), clock_time(60_000, 0, None), ms(10_000));
        assert!(clock.iteration(&progress(&Stats::default(), 3, 0)));
        assert!(clock.poll(0).is_some());
        clock.handle().ponderhit(Instant::now());
        assert_eq!(clock.poll(0), None);
    }

    #[test]
    fn forced_moves_and_mates_are_answered_early_unless_analysed() {
        let stats = Stats::default();
        let mate = crate::chess::score::MATE - 3;
        for (forced, (value, proven), depth, analyse, goes_on) in [
            (true, (0, false), FORCED_DEPTH, false, false),
            (true, (0, false), FORCED_DEPTH - 1, false, true),
            (true, (0, false), FORCED_DEPTH, true, true),
            (false, (mate, false), 8, false, false),
            (false, (mate, false), 5, false, true),
            (false, (mate, true), 5, false, false),
            (false, (mate, true), 5, true, true),
            (false, (mate, false), 8, true, true),
            (false, (0, false), 20, false, true),
        ] {
            let mut clock = clock(ordinary(), clock_time(600_000, 0, None), Duration::ZERO);
            (clock.forced, clock.analyse) = (forced, analyse);
            let progress = Progress { proven, ..progress(&stats, depth, value) };
            assert_eq!(clock.iteration(&progress), goes_on, "{forced} {value} {proven} {depth}");
        }
        let mut untimed = clock(SearchHandle::new(true, false), TimeControl::default(), Duration::ZERO);
        untimed.forced = true;
        assert!(untimed.iteration(&progress(&stats, 50, mate)));
    }

    #[test]
    fn an_undecided_search_gets_a_longer_soft_limit() {
        let stats = Stats::default();
        let mut clock = clock(ordinary(), clock_time(600_000, 0, None), Duration::ZERO);
        let calm =
            clock.scale(&Progress { iterations_stable: 9, best_move_share: 0.9, ..progress(&stats, 9, 50) });
        let wild =
            clock.scale(&Progress { iterations_stable: 1, best_move_share: 0.2, ..progress(&stats, 10, 0) });
        assert!(calm < 0.6 && wild > 2.0, "{calm} {wild}");
    }
}
