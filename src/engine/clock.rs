//! The clock: how long a move may take, and the watch over a search that keeps to it.
//!
//! Two limits. The *soft* one is looked at between iterations: is another one worth beginning? It stretches
//! where the search is undecided and shrinks where nothing is left to decide. The *hard* one is looked at
//! every thousand made moves or so: it stretches once, where all that an iteration has found out is that the old
//! move is worse than believed, and then leaves at least [`Request::overhead`] on the clock, so that the game is
//! not lost on time.

use crate::chess::score::{INFINITE, Value, centipawns, mate_in_moves};
use crate::engine::handle::SearchHandle;
use crate::search::{Pass, Progress, SearchControl};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Made moves between two looks at the clock: about a millisecond.
const POLL_NODES: u64 = 1024;

/// Moves that the remaining time should last for, where nobody says how many are to be made.
const HORIZON: u32 = 24;

/// The reserve of a game without end, in overheads.
const RESERVE: u32 = 6;

/// The share of the increment that a move may spend beforehand.
const INCREMENT_SHARE: f64 = 1.0;

/// The soft limit as a share of the time that a move should take: the iteration that is under way when it
/// strikes will be finished.
const SOFT_SHARE: f64 = 0.85;

/// The hard limit, in times that a move should take.
const HARD_FACTOR: f64 = 4.0;

/// Stretches the hard limit while the root only fails low: the old move is refuted and no other one is known.
const TROUBLE_FACTOR: f64 = 1.5;

/// A fail-low of the root counts as trouble from this much below the last iteration's value.
const TROUBLE: Value = centipawns(30);

/// The most that one move may take of all the time there is.
const MOST_OF_ALL: f64 = 0.6;

/// The same for the last move before the clock is set anew.
const MOST_OF_LAST: f64 = 0.9;

/// Pondering saves time: a move may then take so much longer.
const PONDER_FACTOR: f64 = 1.25;

/// Plies after which a forced move is played.
const FORCED_DEPTH: i32 = 4;

/// Plies beyond a mate after which it is believed.
const MATE_MARGIN: i32 = 4;

/// What a game's clock says, or whoever asks for one move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeControl {
    /// Time for this move alone.
    pub movetime: Option<Duration>,
    /// Time left on the clock; zero where the flag is about to fall.
    pub remaining: Option<Duration>,
    /// Time added after every move.
    pub increment: Duration,
    /// Moves until the clock is set anew; `None` and 0 mean never.
    pub moves_to_go: Option<u32>,
}

/// How long a move may take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Allowance {
    /// When no other iteration is begun, all else being average.
    pub soft: Option<Duration>,
    /// When the search stops.
    pub hard: Option<Duration>,
    /// When it stops while it is in trouble: no sooner than `hard`.
    pub trouble: Option<Duration>,
}

impl TimeControl {
    /// Whether nothing limits the time.
    #[must_use]
    pub fn is_unlimited(&self) -> bool {
        self.movetime.is_none() && self.remaining.is_none()
    }

    /// How long a move may take when `overhead` is kept back.
    #[must_use]
    pub fn allowance(&self, overhead: Duration, ponder: bool) -> Allowance {
        let clock = self.remaining.map(|remaining| self.share(self.available(remaining, overhead), ponder));
        // A move time shorter than the overhead still is a wish to think.
        let single = self.movetime.map(|time| time.saturating_sub(overhead).max(time / 10));
        let soonest = |limit: Option<Duration>| [limit, single].into_iter().flatten().min();
        Allowance {
            soft: clock.map(|[soft, ..]| soft),
            hard: soonest(clock.map(|[_, hard, _]| hard)),
            trouble: soonest(clock.map(|[.., trouble]| trouble)),
        }
    }

    /// What may be spent of the time that remains. Where nobody says how many moves are to be made the game may
    /// last longer than planned, and every move costs a little beside the thinking: a reserve is left alone.
    fn available(&self, remaining: Duration, overhead: Duration) -> Duration {
        let endless = self.moves_to_go.is_none_or(|moves| moves == 0);
        let reserve = if endless { (RESERVE * overhead).min(remaining / 2) } else { Duration::ZERO };
        remaining.saturating_sub(overhead + reserve)
    }

    /// The soft limit, the hard limit and that of trouble for one of the moves that `available` must last for.
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
        let trouble = (TROUBLE_FACTOR * hard).min(most);
        [soft, hard, trouble].map(duration)
    }
}

/// Seconds as a duration; what is no duration is the longest one.
fn duration(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
}

/// What a clock must know of a search.
#[derive(Clone, Debug)]
pub struct Request {
    /// When the search was asked for.
    pub start: Instant,
    /// The time there is.
    pub time: TimeControl,
    /// Made moves after which to stop.
    pub nodes: Option<u64>,
    /// Time kept back for what happens outside the engine.
    pub overhead: Duration,
    /// Whether thinking on the opponent's time is to be counted on.
    pub ponder: bool,
    /// Whether there is one legal move only.
    pub forced: bool,
    /// Whether somebody analyses: nothing is answered before its time.
    pub analyse: bool,
}

/// Watches over one search.
#[derive(Debug)]
pub struct Clock {
    handle: Arc<SearchHandle>,
    request: Request,
    allowance: Allowance,
    /// A search that ponders without any limit has none after the expected move either: it then answers.
    answer_on_hit: bool,
    last_value: Option<Value>,
    /// Trouble: the iteration under way has only failed low, by [`TROUBLE`] at least.
    in_trouble: bool,
}

impl Clock {
    /// A clock that obeys `handle`.
    #[must_use]
    pub fn new(handle: Arc<SearchHandle>, request: Request) -> Clock {
        let allowance = request.time.allowance(request.overhead, request.ponder);
        Clock { handle, request, allowance, answer_on_hit: false, last_value: None, in_trouble: false }
    }

    /// The hand on this search.
    #[must_use]
    pub fn handle(&self) -> &SearchHandle {
        &self.handle
    }

    /// Answers as soon as the expected move is played, whatever the limits say.
    pub fn answer_on_hit(&mut self) {
        self.answer_on_hit = true;
    }

    /// Time since the search was asked for.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.request.start.elapsed()
    }

    /// Time that counts: since the beginning, or since the expected move was played.
    fn counted(&self) -> Duration {
        self.handle.hit().unwrap_or(self.request.start).elapsed()
    }

    /// How much longer or shorter than average this move should take.
    fn scale(&mut self, progress: &Progress<'_>) -> f64 {
        // A move that stays best needs less proof, one that just changed more: 1.3 down to 0.7.
        let stability = 1.3 - 0.1 * f64::from(progress.stable.saturating_sub(1).min(6));
        // Where nearly all the work went into the best move, the others were refuted at sight: 1.3 to 0.7.
        let effort = (1.5 - progress.effort).clamp(0.7, 1.3);
        // A value that drops is trouble to be looked into: up to 1.6 at half a pawn.
        let last = self.last_value.replace(progress.value).unwrap_or(progress.value);
        let drop = f64::from((last - progress.value).clamp(0, centipawns(50)));
        let trouble = 1.0 + 0.6 * drop / f64::from(centipawns(50));
        stability * effort * trouble
    }

    /// Whether the game's clock asks for the answer now.
    fn is_enough(&mut self, progress: &Progress<'_>) -> bool {
        let scale = self.scale(progress);
        let Some(soft) = self.allowance.soft else { return false };
        let forced = self.request.forced && progress.depth >= FORCED_DEPTH;
        let mate = mate_in_moves(progress.value)
            .is_some_and(|moves| progress.proven || progress.depth >= 2 * moves.abs() + MATE_MARGIN);
        let early = !self.request.analyse && (forced || mate);
        early || self.elapsed().as_secs_f64() >= soft.as_secs_f64() * scale
    }
}

impl SearchControl for Clock {
    fn poll(&mut self, nodes: u64) -> Option<u64> {
        let most = self.request.nodes.unwrap_or(u64::MAX);
        if self.handle.is_stopped() || nodes >= most {
            return None;
        }
        if !self.handle.is_pondering() {
            let limit = if self.in_trouble { self.allowance.trouble } else { self.allowance.hard };
            let late = limit.is_some_and(|limit| self.counted() >= limit);
            if late || (self.answer_on_hit && self.handle.hit().is_some()) {
                return None;
            }
        }
        Some(nodes.saturating_add(POLL_NODES).min(most))
    }

    fn pass(&mut self, pass: &Pass) {
        if pass.line > 1 {
            // A later line of MultiPV is worth less than the first.
            return;
        }
        let (lower, upper) = pass.bracket;
        let unanswered = pass.of.is_none() && lower <= -INFINITE;
        self.in_trouble = unanswered && self.last_value.is_some_and(|last| upper <= last - TROUBLE);
    }

    fn iteration(&mut self, progress: &Progress<'_>) -> bool {
        self.in_trouble = false;
        if !self.is_enough(progress) {
            return true;
        }
        // Enough was thought on the opponent's time: go on, but answer when the move comes.
        self.answer_on_hit |= self.handle.is_pondering();
        self.handle.is_pondering()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Stats;
    use shakmaty::{Move, Role, Square};

    const OVERHEAD: Duration = Duration::from_millis(10);

    fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    fn clock_time(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> TimeControl {
        TimeControl { movetime: None, remaining: Some(ms(remaining)), increment: ms(increment), moves_to_go }
    }

    fn request(time: TimeControl) -> Request {
        Request {
            start: Instant::now(),
            time,
            nodes: None,
            overhead: OVERHEAD,
            ponder: false,
            forced: false,
            analyse: false,
        }
    }

    fn progress(stats: &Stats, depth: i32, value: Value) -> Progress<'_> {
        let best = Move::Normal {
            role: Role::King,
            from: Square::E1,
            to: Square::E2,
            capture: None,
            promotion: None,
        };
        Progress { depth, value, proven: false, best, stable: 3, effort: 0.5, passes: 3, stats }
    }

    #[test]
    fn no_allowance_crosses_the_clock() {
        for remaining in [0, 1, 5, 10, 11, 20, 100, 1_000, 60_000, 3_600_000, u64::MAX] {
            for increment in [0, 1, 100, 10_000, u64::MAX] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    for ponder in [false, true] {
                        let allowance =
                            clock_time(remaining, increment, moves_to_go).allowance(OVERHEAD, ponder);
                        let (soft, hard) = (allowance.soft.unwrap(), allowance.hard.unwrap());
                        assert!(soft <= hard && hard <= allowance.trouble.unwrap());
                        assert!(
                            allowance.trouble.unwrap() <= ms(remaining).saturating_sub(OVERHEAD),
                            "{remaining} {increment}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn allowances_are_sensible() {
        for (time, soft, hard) in [
            (clock_time(60_000, 0, None), 1_000..2_500, 5_000..15_000),
            (clock_time(60_000, 1_000, None), 1_500..3_000, 6_000..20_000),
            (clock_time(60_000, 0, Some(1)), 30_000..54_000, 50_000..59_000),
            (clock_time(60_000, 0, Some(40)), 1_000..2_500, 5_000..15_000),
            (clock_time(8_000, 80, None), 150..400, 600..2_000),
        ] {
            let allowance = time.allowance(OVERHEAD, false);
            assert!(soft.contains(&allowance.soft.unwrap().as_millis()), "{time:?} {allowance:?}");
            assert!(hard.contains(&allowance.hard.unwrap().as_millis()), "{time:?} {allowance:?}");
        }
    }

    /// A game in which every move takes its soft limit: two thirds of the time go into the first forty moves, and of a
    /// long game next to nothing but the reserve is left over.
    #[test]
    fn a_long_game_uses_its_time() {
        let mut remaining = 1_000.0;
        for number in 1..=120 {
            let allowance = clock_time(remaining as u64, 10, None).allowance(OVERHEAD, false);
            remaining += 10.0 - allowance.soft.unwrap().as_secs_f64() * 1000.0;
            if number == 40 {
                assert!((150.0..350.0).contains(&remaining), "{remaining} ms after 40 moves");
            }
        }
        assert!((80.0..140.0).contains(&remaining), "{remaining} ms at the end");
    }

    #[test]
    fn a_root_that_only_fails_low_gets_more_time() {
        let handle = Arc::new(SearchHandle::new(false, false));
        let time = clock_time(60_000, 0, None);
        let allowance = time.allowance(OVERHEAD, false);
        let between = (allowance.hard.unwrap() + allowance.trouble.unwrap()) / 2;
        let start = Instant::now() - between;
        let mut clock = Clock::new(handle, Request { start, ..request(time) });
        let pass = |answer: Value, bracket| {
            let window = if answer < 0 { (-1, 0) } else { (answer - 1, answer) };
            Pass { depth: 9, number: 1, line: 1, window, answer, of: None, bracket, nodes: 1 }
        };
        assert_eq!(clock.poll(0), None);
        clock.iteration(&progress(&Stats::default(), 8, 10));
        clock.pass(&pass(-40, (-INFINITE, -40)));
        assert!(clock.poll(0).is_some(), "half a pawn less, and nothing better is known");
        clock.iteration(&progress(&Stats::default(), 9, 10));
        clock.pass(&Pass { line: 2, ..pass(-40, (-INFINITE, -40)) });
        assert_eq!(clock.poll(0), None, "a later line of MultiPV may be worse");
        clock.pass(&pass(-10, (-INFINITE, -10)));
        assert_eq!(clock.poll(0), None, "a little less is no trouble");
        clock.pass(&pass(-60, (-60, -40)));
        assert_eq!(clock.poll(0), None, "a move has risen");
    }

    #[test]
    fn a_move_time_is_a_hard_limit_alone() {
        let single = TimeControl { movetime: Some(ms(100)), ..TimeControl::default() };
        let hard = Some(ms(90));
        assert_eq!(single.allowance(OVERHEAD, false), Allowance { soft: None, hard, trouble: hard });
        let short = TimeControl { movetime: Some(ms(5)), ..TimeControl::default() };
        assert!(short.allowance(OVERHEAD, false).hard.unwrap() < ms(5));
        let both = TimeControl { movetime: Some(ms(100)), ..clock_time(60_000, 0, None) };
        assert_eq!(both.allowance(OVERHEAD, false).hard, Some(ms(90)));
        assert_eq!(TimeControl::default().allowance(OVERHEAD, false), Allowance::default());
    }

    #[test]
    fn polls_keep_to_the_nodes_and_to_the_stop() {
        let handle = Arc::new(SearchHandle::new(false, false));
        let mut clock =
            Clock::new(Arc::clone(&handle), Request { nodes: Some(1500), ..request(TimeControl::default()) });
        assert_eq!(clock.poll(0), Some(1024));
        assert_eq!(clock.poll(1024), Some(1500));
        assert_eq!(clock.poll(1500), None);
        handle.stop();
        assert_eq!(clock.poll(0), None);
    }

    #[test]
    fn no_time_means_at_once() {
        let handle = Arc::new(SearchHandle::new(false, false));
        let mut clock = Clock::new(handle, request(clock_time(0, 0, None)));
        assert_eq!(clock.poll(0), None);
        assert!(!clock.iteration(&progress(&Stats::default(), 1, 0)));
    }

    #[test]
    fn time_counts_from_the_ponderhit() {
        let handle = Arc::new(SearchHandle::new(false, true));
        let past = Instant::now() - ms(200);
        let mut clock =
            Clock::new(Arc::clone(&handle), Request { start: past, ..request(clock_time(1_000, 0, None)) });
        assert_eq!(clock.allowance.hard.map(|hard| hard < ms(200)), Some(true));
        assert!(clock.poll(0).is_some(), "no time counts while the opponent thinks");
        handle.ponderhit(Instant::now());
        assert!(clock.poll(0).is_some(), "the clock starts with the hit");
        assert!(!clock.iteration(&progress(&Stats::default(), 3, 0)), "but enough has been thought");
    }

    #[test]
    fn enough_thought_while_pondering_answers_the_hit() {
        let handle = Arc::new(SearchHandle::new(false, true));
        let past = Instant::now() - ms(10_000);
        let mut clock =
            Clock::new(Arc::clone(&handle), Request { start: past, ..request(clock_time(60_000, 0, None)) });
        assert!(clock.iteration(&progress(&Stats::default(), 3, 0)));
        assert!(clock.poll(0).is_some());
        handle.ponderhit(Instant::now());
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
            let handle = Arc::new(SearchHandle::new(false, false));
            let asked = Request { forced, analyse, ..request(clock_time(600_000, 0, None)) };
            let mut clock = Clock::new(handle, asked);
            let progress = Progress { proven, ..progress(&stats, depth, value) };
            assert_eq!(clock.iteration(&progress), goes_on, "{forced} {value} {proven} {depth}");
        }
        let mut untimed = Clock::new(
            Arc::new(SearchHandle::new(true, false)),
            Request { forced: true, ..request(TimeControl::default()) },
        );
        assert!(untimed.iteration(&progress(&stats, 50, mate)));
    }

    #[test]
    fn an_undecided_search_gets_more_time() {
        let stats = Stats::default();
        let mut clock =
            Clock::new(Arc::new(SearchHandle::new(false, false)), request(clock_time(600_000, 0, None)));
        let calm = clock.scale(&Progress { stable: 9, effort: 0.9, ..progress(&stats, 9, 50) });
        let wild = clock.scale(&Progress { stable: 1, effort: 0.2, ..progress(&stats, 10, 0) });
        assert!(calm < 0.6 && wild > 2.0, "{calm} {wild}");
    }
}
