//! `best-first`: best-first minimax and best-first extension against alpha-beta at equal cost (BFM tables 1
//! and 2, and the random games).

use crate::chess::score::{MATE_BAND, centipawns, is_mate};
use crate::chess::{Position, game};
use crate::games::korf::RandomGame;
use crate::games::othello::{self, Othello};
use crate::lab::base::pages::chart::{Axis, Chart, Point, Series};
use crate::lab::base::pages::table::{Table, percent};
use crate::lab::base::statistics::ratios::Estimate;
use crate::lab::base::terminal::interrupted::Stop;
use crate::lab::study::papers::experiment::{
    Claim, Description, Experiment, Scale, Section, Unfinished, Unit, Verdict, Work, point_in_per_cent, shown,
};
use crate::minimax::best_first::BestFirst;
use crate::minimax::best_first_limits::{PvListener, SearchLimits, StopReason};
use crate::minimax::{Game, StopCondition, Stopped};
use crate::random::SplitMix64;
use crate::search::ChessGame;
use serde::{Deserialize, Serialize};

/// BFM table 1: what pure best-first wins against alpha-beta of depth 1, 2, ..., in per cent.
const TABLE_1: [f64; 7] = [50.0, 67.0, 78.0, 69.0, 57.0, 58.0, 51.0];
/// BFM table 2: the same for best-first extension.
const TABLE_2: [f64; 8] = [50.0, 67.0, 83.0, 81.0, 67.0, 72.0, 67.0, 68.0];
/// Greatest depth bound of best-first that is tried to match alpha-beta's cost, in plies.
const DEEPEST: u32 = 60;
/// Evaluations after which the search of one best-first move ends.
const PATIENCE: u64 = 200_000;

/// A game that matches are played in. The side to move at the start is the first player.
pub trait Arena: Game<Value = i32> {
    /// Plies after which a game is adjudicated.
    const LONGEST: usize;
    /// A terminal node of this value ends a best-first search: it is won.
    const WIN: i32;
    /// True if the outcomes of the two games of a pair are compared with each other; else each game counts by
    /// itself.
    const PAIRED: bool;
    /// Pairs of games that are played to find the depth of best-first that costs as much as alpha-beta.
    const PILOTS: usize;
    /// Step of that depth, in plies.
    const STRIDE: usize;
    /// Result of a finished game for the side to move.
    fn result(&self) -> i32;
}

/// Start positions, all different: the second number of them, after skipping the first number.
type Starts<G> = dyn Fn(usize, usize) -> Vec<G>;

/// Random games of at most `widest` moves a position (BFM: B).
fn random_games(widest: u32, first: usize, count: usize) -> Vec<RandomGame> {
    (first..first + count).map(|seed| RandomGame::new(seed as u64, widest, 100)).collect()
}

/// The sequences of four plies, a sample spread over all of them; pilots (`first` > 0) come from those of
/// five.
pub fn othello_openings(first: usize, count: usize) -> Vec<Othello> {
    let openings = Othello::openings(if first == 0 { 4 } else { 5 });
    let stride = (openings.len() / count.max(1)).max(1);
    openings.into_iter().step_by(stride).take(count).collect()
}

/// Positions after six random plies in which neither side is a pawn ahead.
pub fn chess_openings(first: usize, count: usize) -> Vec<ChessGame> {
    let random = |seed: usize| {
        let mut random = SplitMix64::new(seed as u64);
        let mut position: Position = game::Game::new().position().clone();
        for _ in 0..6 {
            let moves = ChessGame::new(position.clone()).moves();
            if !moves.is_empty() {
                position = position.play(moves[random.below(moves.len())]);
            }
        }
        ChessGame::new(position)
    };
    let even = |game: &ChessGame| !game.moves().is_empty() && game.evaluate().abs() < centipawns(100);
    (0..).map(random).filter(even).skip(first).take(count).collect()
}

impl Arena for RandomGame {
    const LONGEST: usize = 100;
    const WIN: i32 = -Self::LIMIT;
    const PAIRED: bool = true;
    const PILOTS: usize = 8;
    const STRIDE: usize = 1;

    fn result(&self) -> i32 {
        self.evaluate()
    }
}

/// BFM: all 244 sequences of four plies, each played with both colours.
impl Arena for Othello {
    const LONGEST: usize = 130;
    const WIN: i32 = othello::FINAL;
    const PAIRED: bool = false;
    const PILOTS: usize = 2;
    const STRIDE: usize = 1;

    fn result(&self) -> i32 {
        self.disc_difference().signum()
    }
}

impl Arena for ChessGame {
    const LONGEST: usize = 100;
    const WIN: i32 = MATE_BAND;
    const PAIRED: bool = false;
    const PILOTS: usize = 1;
    const STRIDE: usize = 3;

    fn result(&self) -> i32 {
        let value = self.evaluate();
        if is_mate(value) || value.abs() >= centipawns(150) { value.signum() } else { 0 }
    }
}

/// A player of a match; the numbers are depths in plies.
#[derive(Clone, Copy)]
enum Player {
    AlphaBeta(u32),
    BestFirst(u32),
    /// Alpha-beta to the first depth, best-first to the second.
    Extension(u32, u32),
}

/// Stops the search of a move, at a stop of the run or after enough evaluations.
struct MoveLimit<'a> {
    stop: &'a Stop,
    /// Evaluations at which the search ends.
    last: u64,
    stopped: bool,
}

impl StopCondition for MoveLimit<'_> {
    fn should_stop(&mut self, visits: u64) -> bool {
        self.stopped |= visits.is_multiple_of(64) && self.stop.is_set();
        self.stopped || visits >= self.last
    }
}

impl<G: Game> PvListener<G> for MoveLimit<'_> {}

impl Player {
    /// The best-first contender of a kind, against alpha-beta of a depth.
    fn contender(extension: bool, against: u32, depth: u32) -> Player {
        if extension { Player::Extension(against - 1, depth) } else { Player::BestFirst(depth) }
    }

    /// Chooses a move of a game that is not over.
    fn choose<G: Arena>(self, tree: &mut BestFirst<G, MoveLimit<'_>>) -> Result<Option<G::Move>, Stopped> {
        tree.stop.last = u64::MAX;
        let (shallow, deep) = match self {
            Player::AlphaBeta(depth) => (depth, None),
            Player::BestFirst(depth) => (0, Some(depth)),
            Player::Extension(shallow, depth) => (shallow, Some(depth)),
        };
        if tree.alpha_beta(shallow).is_err() {
            return Err(Stopped);
        }
        if let Some(depth) = deep {
            tree.stop.last = tree.evaluations.saturating_add(PATIENCE);
            tree.limits = SearchLimits { depth, win: G::WIN, ..SearchLimits::to_depth(depth) };
            if tree.run() == StopReason::Stopped && tree.stop.stopped {
                return Err(Stopped);
            }
        }
        Ok(tree.line().first().copied())
    }
}

/// Result of a match, counted for best-first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Tally {
    wins: u64,
    losses: u64,
    ties: u64,
    /// Evaluations of best-first and of alpha-beta.
    costs: [u64; 2],
}

impl Tally {
    fn count(&mut self, result: i32) {
        match result {
            1.. => self.wins += 1,
            0 => self.ties += 1,
            _ => self.losses += 1,
        }
    }

    fn cost_ratio(&self) -> f64 {
        self.costs[0] as f64 / self.costs[1].max(1) as f64
    }
}

/// One game; the result for the first player, and the evaluations of both.
fn play<G: Arena>(start: &G, players: [Player; 2], stop: &Stop) -> Result<(i32, [u64; 2]), Stopped> {
    let mut trees = [(); 2].map(|()| {
        let limit = MoveLimit { stop, last: u64::MAX, stopped: false };
        BestFirst::new(start.clone(), SearchLimits::to_depth(1), limit)
    });
    let mut plies = 0;
    while plies < G::LONGEST && !trees[0].game().moves().is_empty() {
        let side = plies % 2;
        let Some(m) = players[side].choose(&mut trees[side])? else { break };
        for tree in &mut trees {
            tree.advance(m);
        }
        plies += 1;
    }
    let result = trees[0].game().result();
    let costs = [trees[0].evaluations, trees[1].evaluations];
    Ok((if plies % 2 == 0 { result } else { -result }, costs))
}

/// Every start played twice, each side beginning once.
fn compete<G: Arena>(starts: &[G], contender: Player, depth: u32, stop: &Stop) -> Result<Tally, Stopped> {
    let mut tally = Tally::default();
    let opponent = Player::AlphaBeta(depth);
    for start in starts {
        let (first, costs) = play(start, [contender, opponent], stop)?;
        let (second, others) = play(start, [opponent, contender], stop)?;
        tally.costs[0] += costs[0] + others[1];
        tally.costs[1] += costs[1] + others[0];
        if G::PAIRED {
            tally.count((first - second).signum());
        } else {
            tally.count(first.signum());
            tally.count(-second.signum());
        }
    }
    Ok(tally)
}

/// The depth of best-first whose cost comes nearest to that of alpha-beta: one stride more until it costs
/// more.
fn matching_depth<G: Arena>(
    starts: &Starts<G>,
    extension: bool,
    depth: u32,
    stop: &Stop,
) -> Result<u32, Stopped> {
    let starts = starts(1_000, G::PILOTS);
    let mut before = 0.0;
    for deep in (depth..=DEEPEST).step_by(G::STRIDE) {
        let contender = Player::contender(extension, depth, deep);
        let ratio = compete(&starts, contender, depth, stop)?.cost_ratio();
        if ratio >= 1.0 {
            let back = deep > depth && before * ratio > 1.0;
            return Ok(if back { deep - G::STRIDE as u32 } else { deep });
        }
        before = ratio;
    }
    Ok(DEEPEST)
}

fn run<G: Arena>(task: &MatchTask, starts: &Starts<G>, stop: &Stop) -> Result<Match, Stopped> {
    let deep = if task.depth == 1 { 1 } else { matching_depth(starts, task.extension, task.depth, stop)? };
    let contender = Player::contender(task.extension, task.depth, deep);
    let tally = compete(&starts(0, task.pairs), contender, task.depth, stop)?;
    let (arena, kind) = (task.arena.name(), kind(task.extension).to_owned());
    Ok(Match { arena, kind, depth: task.depth, deep, tally })
}

fn kind(extension: bool) -> &'static str {
    if extension { "extension" } else { "pure" }
}

/// Game that a match is played in.
#[derive(Clone, Copy, Debug, PartialEq)]
enum MatchGame {
    Othello,
    /// Random games of at most so many moves a position.
    Random(u32),
    Chess,
}

/// The most moves of a position of random games: the paper's range (BFM: B from 2 to 20).
const WIDEST: [u32; 4] = [2, 5, 10, 20];

impl MatchGame {
    /// All of them, in the order of the report.
    fn all() -> Vec<MatchGame> {
        let mut all = vec![MatchGame::Othello];
        all.extend(WIDEST.map(MatchGame::Random));
        all.push(MatchGame::Chess);
        all
    }

    fn name(self) -> String {
        match self {
            MatchGame::Othello => "Othello".to_owned(),
            MatchGame::Random(widest) => format!("random games with B = {widest}"),
            MatchGame::Chess => "chess".to_owned(),
        }
    }

    /// Greatest depth of alpha-beta in plies, pairs of games, and cost of a ply as a factor.
    fn protocol(self, scale: Scale) -> (u32, usize, f64) {
        match (self, scale) {
            (MatchGame::Othello, Scale::Quick) => (5, 60, 4.0),
            (MatchGame::Othello, Scale::Full) => (7, 244, 4.0),
            (MatchGame::Random(..=2), Scale::Quick) => (10, 100, 1.3),
            (MatchGame::Random(..=2), Scale::Full) => (16, 400, 1.3),
            (MatchGame::Random(..=5), Scale::Quick) => (8, 100, 2.0),
            (MatchGame::Random(..=5), Scale::Full) => (11, 400, 2.0),
            (MatchGame::Random(..=10), Scale::Quick) => (7, 100, 2.6),
            (MatchGame::Random(..=10), Scale::Full) => (9, 400, 2.6),
            (MatchGame::Random(_), Scale::Quick) => (5, 50, 4.6),
            (MatchGame::Random(_), Scale::Full) => (7, 200, 4.6),
            (MatchGame::Chess, Scale::Quick) => (3, 4, 4.0),
            (MatchGame::Chess, Scale::Full) => (4, 50, 4.0),
        }
    }
}

/// Work of a unit: one match.
struct MatchTask {
    arena: MatchGame,
    extension: bool,
    depth: u32,
    pairs: usize,
    weight: f64,
}

fn tasks(scale: Scale) -> Vec<MatchTask> {
    let mut tasks = Vec::new();
    for arena in MatchGame::all() {
        let (deepest, pairs, growth) = arena.protocol(scale);
        for extension in [false, true] {
            for depth in 1..=deepest {
                let weight = growth.powi(depth as i32 - deepest as i32);
                tasks.push(MatchTask { arena, extension, depth, pairs, weight });
            }
        }
    }
    tasks
}

/// The experiment.
pub struct BestFirstMatches;

impl Experiment for BestFirstMatches {
    type Row = Match;

    fn about(&self) -> Description {
        Description {
            name: "best-first",
            title: "Best-first minimax against alpha-beta at equal cost (BFM)",
            is_own: false,
            columns: &[
                "game",
                "kind",
                "alpha-beta depth (plies)",
                "best-first depth (plies)",
                "won",
                "lost",
                "tied",
                "evaluations of best-first",
                "evaluations of alpha-beta",
            ],
        }
    }

    fn units(&self, scale: Scale) -> Vec<Unit> {
        let name = |task: &MatchTask| {
            format!("{} {} against depth {}", task.arena.name(), kind(task.extension), task.depth)
        };
        tasks(scale).iter().map(|task| Unit { name: name(task), weight: task.weight }).collect()
    }

    fn run(&self, scale: Scale, index: usize, work: &Work<'_>) -> Result<Vec<Match>, Unfinished> {
        let tasks = tasks(scale);
        let (task, stop) = (tasks.get(index).ok_or(Unfinished::Empty)?, work.stop);
        let found = match task.arena {
            MatchGame::Othello => run(task, &othello_openings, stop),
            MatchGame::Random(widest) => {
                run(task, &move |first, count| random_games(widest, first, count), stop)
            }
            MatchGame::Chess => run(task, &chess_openings, stop),
        };
        Ok(vec![found?])
    }

    fn conclude(&self, _scale: Scale, matches: &[Match]) -> Section {
        let mut section = Section { protocol: protocol(), ..Section::default() };
        for arena in MatchGame::all() {
            let of_arena: Vec<_> = matches.iter().filter(|m| m.arena == arena.name()).cloned().collect();
            if of_arena.is_empty() {
                continue;
            }
            section
                .tables
                .push((format!("Best-first against alpha-beta: {}", arena.name()), table(&of_arena)));
            section.charts.push(chart(arena, &of_arena));
        }
        let of = |arena: MatchGame, extension: bool| -> Vec<&Match> {
            let (arena, kind) = (arena.name(), kind(extension));
            matches.iter().filter(|m| m.arena == arena && m.kind == kind && m.depth > 1).collect()
        };
        section.claims = vec![
            othello_claim(&of(MatchGame::Othello, false), "BFM table 1", &TABLE_1),
            othello_claim(&of(MatchGame::Othello, true), "BFM table 2", &TABLE_2),
        ];
        for widest in WIDEST {
            let matches = |extension| of(MatchGame::Random(widest), extension);
            section.claims.push(pure_claim(widest, &matches(false)));
            section.claims.push(extension_claim(widest, &matches(true)));
        }
        section
    }
}

fn protocol() -> Vec<String> {
    vec![
        format!(
            "Every start is played twice, each side beginning once; ties are ignored. Both sides keep their \
             tree from move to move; alpha-beta orders by the values in it. For every depth of alpha-beta, \
             best-first gets the depth bound whose evaluations come nearest to alpha-beta's in a few pairs \
             of other starts (BFM: equal time, which evaluations dominate). Best-first extension begins with \
             alpha-beta one ply shallower than its opponent. A best-first move ends after {PATIENCE} \
             evaluations at the latest."
        ),
        "Othello: the 244 sequences of four plies (a sample of them in a quick run), to the end of the game. \
         Random games: 1 to B moves a position, B being 2, 5, 10 and 20, edge costs uniform in ±2^15, 100 \
         plies; a pair is won by the player whose outcome as MAX is larger. Chess: full width, leaves \
         resolved by quiescence, starts after six random plies, adjudicated after 100 plies at one and a \
         half pawns; the paper has no chess."
            .to_owned(),
    ]
}

/// A row: one match.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Match {
    arena: String,
    kind: String,
    depth: u32,
    deep: u32,
    tally: Tally,
}

/// A share of decided games with its 95 % interval (Wilson's); `None` if no game is decided.
fn share(wins: u64, losses: u64) -> Option<Estimate> {
    let decided = (wins + losses) as f64;
    if decided == 0.0 {
        return None;
    }
    let (z, p) = (1.96, wins as f64 / decided);
    let middle = p + z * z / (2.0 * decided);
    let spread = z * (p * (1.0 - p) / decided + z * z / (4.0 * decided * decided)).sqrt();
    let scale = 1.0 + z * z / decided;
    Some(Estimate { value: p, interval: ((middle - spread) / scale, (middle + spread) / scale) })
}

fn pooled(matches: &[&Match]) -> Option<Estimate> {
    let sum = |of: fn(&Tally) -> u64| matches.iter().map(|m| of(&m.tally)).sum();
    share(sum(|tally| tally.wins), sum(|tally| tally.losses))
}

fn table(matches: &[Match]) -> Table {
    let headings = [
        "kind",
        "alpha-beta depth",
        "best-first depth",
        "won",
        "lost",
        "tied",
        "share won",
        "cost",
        "paper (Othello)",
    ];
    let mut table = Table::new(1, headings);
    let mut sorted: Vec<_> = matches.iter().collect();
    sorted.sort_by_key(|m| (m.kind != "pure", m.depth));
    for m in sorted {
        let Tally { wins, losses, ties, .. } = m.tally;
        let paper: &[f64] = if m.kind == "pure" { &TABLE_1 } else { &TABLE_2 };
        let paper = (m.depth as usize).checked_sub(1).and_then(|at| paper.get(at));
        table.row([
            m.kind.clone(),
            m.depth.to_string(),
            m.deep.to_string(),
            wins.to_string(),
            losses.to_string(),
            ties.to_string(),
            shown(share(wins, losses)),
            format!("{} %", percent(m.tally.cost_ratio())),
            paper.map_or("-".to_owned(), |wins| format!("{wins} %")),
        ]);
    }
    table
}

fn chart(arena: MatchGame, matches: &[Match]) -> Chart {
    let ours = |extension: bool| {
        let mut points: Vec<Point> = matches
            .iter()
            .filter(|m| m.kind == kind(extension))
            .filter_map(|m| Some(point_in_per_cent(m.depth, share(m.tally.wins, m.tally.losses)?)))
            .collect();
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
        Series::measured(format!("best-first, {}", kind(extension)), points)
    };
    let paper = |name: &str, wins: &[f64]| {
        let point = |(at, &y): (usize, &f64)| Point { x: at as f64 + 1.0, y, interval: None };
        let points = wins.iter().enumerate().map(point).collect();
        Series { name: format!("BFM {name} (Othello, paper)"), points, from_paper: true }
    };
    Chart {
        name: format!("best-first-{}", arena.name().replace(" = ", " ").replace(' ', "-")),
        title: format!("Best-first against alpha-beta at equal cost: {}", arena.name()),
        x: Axis::linear("depth of alpha-beta in plies"),
        y: Axis::linear("wins of decided games in per cent"),
        series: vec![ours(false), ours(true), paper("table 1", &TABLE_1), paper("table 2", &TABLE_2)],
        level: Some(50.0),
    }
}

const SOURCE: &str = "BFM, Random Game Tree Results";

/// Verdict on the claim that best-first wins more of the decided games; `everywhere` says whether it does so
/// at each depth.
fn outplays(won: Option<Estimate>, everywhere: bool) -> Verdict {
    match won {
        Some(won) if won.interval.0 > 0.5 && everywhere => Verdict::Holds,
        Some(won) if won.interval.0 > 0.5 => Verdict::Partly,
        Some(won) if won.interval.1 < 0.5 => Verdict::Fails,
        _ => Verdict::Open,
    }
}

/// Best-first wins in Othello, whatever alpha-beta's depth.
fn othello_claim(matches: &[&Match], source: &'static str, paper: &[f64]) -> Claim {
    let all = pooled(matches);
    let listed: Vec<String> = matches
        .iter()
        .map(|m| {
            let wins = share(m.tally.wins, m.tally.losses).map_or("-".to_owned(), |won| percent(won.value));
            format!("{wins} % at depth {}", m.depth)
        })
        .collect();
    let worse = matches.iter().filter(|m| m.tally.wins < m.tally.losses).count();
    let reference: Vec<String> = paper.iter().skip(1).map(|wins| format!("{wins}")).collect();
    let kind = if source.ends_with('1') { "Pure best-first" } else { "Best-first extension" };
    Claim {
        source,
        claim: format!("{kind} outplays alpha-beta in Othello."),
        paper: format!("{} % from depth 2 on", reference.join(", ")),
        ours: format!("{}; together {}", listed.join(", "), shown(all)),
        why: "Our evaluation is not the paper's, and best-first minimax depends on it more than alpha-beta; \
                cost is measured in evaluations."
            .to_owned(),
        ..Claim::judged([all], |[won]| outplays(won, worse == 0))
    }
}

/// Pure best-first wins at shallow depths and tends to lose at greater ones.
fn pure_claim(widest: u32, matches: &[&Match]) -> Claim {
    let deepest = matches.iter().map(|m| m.depth).max().unwrap_or(0);
    let (shallow, deep): (Vec<&Match>, Vec<&Match>) = matches.iter().partition(|m| m.depth <= 4);
    // The shallow depths are those around the peak of the paper's table 1.
    let deep: Vec<&Match> = deep.into_iter().filter(|m| m.depth + 1 >= deepest).collect();
    let (near, far) = (pooled(&shallow), pooled(&deep));
    let judge = |found: [Option<Estimate>; 2]| match found {
        [Some(near), Some(far)] if near.interval.0 > 0.5 && far.interval.1 < 0.5 => Verdict::Holds,
        [Some(near), Some(far)] if near.interval.0 > 0.5 && far.value < near.value => Verdict::Partly,
        // It wins at the greater depths too.
        [Some(near), Some(far)] if near.interval.0 > 0.5 && far.interval.0 > 0.5 => Verdict::Partly,
        [Some(near), _] if near.interval.1 < 0.5 => Verdict::Fails,
        _ => Verdict::Open,
    };
    Claim {
        source: SOURCE,
        claim: format!(
            "In random games with B = {widest} pure best-first outplays alpha-beta at shallow depths and \
             tends to lose at greater ones."
        ),
        paper: "similar to Othello: 67, 78 and 69 % at depths 2 to 4, 51 % at depth 7".to_owned(),
        ours: format!("depths 2 to 4: {}; the two deepest: {}", shown(near), shown(far)),
        why: format!(
            "Depths up to {deepest}, {:.1} moves a position on average; cost measured in evaluations.",
            f64::from(widest + 1) / 2.0
        ),
        ..Claim::judged([near, far], judge)
    }
}

/// Best-first extension wins at all depths.
fn extension_claim(widest: u32, matches: &[&Match]) -> Claim {
    let all = pooled(matches);
    let everywhere = matches.iter().all(|m| m.tally.wins >= m.tally.losses);
    let worst = matches.iter().min_by(|a, b| {
        let rate = |m: &Match| share(m.tally.wins, m.tally.losses).map_or(1.0, |won| won.value);
        rate(a).total_cmp(&rate(b))
    });
    let why = worst.map_or("Nothing was measured.".to_owned(), |m| {
        format!(
            "The lowest share is against depth {}: {}.",
            m.depth,
            shown(share(m.tally.wins, m.tally.losses))
        )
    });
    Claim {
        source: SOURCE,
        claim: format!(
            "In random games with B = {widest} best-first extension outplays alpha-beta at all depths."
        ),
        paper: "more than 50 % at every depth".to_owned(),
        ours: format!("depth 2 and deeper together: {}", shown(all)),
        why,
        ..Claim::judged([all], |[won]| outplays(won, everywhere))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_players_tie_every_pair() {
        let starts = random_games(10, 0, 5);
        for extension in [false, true] {
            let contender = Player::contender(extension, 1, 1);
            let tally = compete(&starts, contender, 1, &Stop::default()).unwrap();
            assert_eq!((tally.wins, tally.losses, tally.ties), (0, 0, 5));
            assert_eq!(tally.costs[0], tally.costs[1]);
        }
    }

    #[test]
    fn a_deeper_search_wins() {
        let starts = random_games(10, 0, 20);
        let tally = compete(&starts, Player::AlphaBeta(4), 1, &Stop::default()).unwrap();
        assert!(tally.wins > 3 * tally.losses, "{tally:?}");
    }

    #[test]
    fn the_matching_depth_costs_about_as_much() {
        for extension in [false, true] {
            let starts = |first, count| random_games(10, first, count);
            let deep = matching_depth::<RandomGame>(&starts, extension, 3, &Stop::default()).unwrap();
            let contender = Player::contender(extension, 3, deep);
            let pilots = starts(1_000, RandomGame::PILOTS);
            let tally = compete(&pilots, contender, 3, &Stop::default()).unwrap();
            assert!(deep > 3 && (0.4..2.5).contains(&tally.cost_ratio()), "{deep} {tally:?}");
        }
    }

    #[test]
    fn units_run_and_conclude() {
        let stop = Stop::default();
        let units = BestFirstMatches.units(Scale::Quick);
        assert_eq!(units.len(), tasks(Scale::Quick).len());
        let mut rows = Vec::new();
        for index in 0..3 {
            rows.extend(BestFirstMatches.run(Scale::Quick, index, &Work::new(&stop)).unwrap());
        }
        let section = BestFirstMatches.conclude(Scale::Quick, &rows);
        assert_eq!((section.claims.len(), section.tables.len(), section.charts.len()), (10, 1, 1));
        let empty = BestFirstMatches.conclude(Scale::Quick, &[]);
        assert!(empty.tables.is_empty());
    }

    #[test]
    fn wins_have_intervals() {
        let Estimate { value: p, interval: (low, high) } = share(50, 50).unwrap();
        assert!((p - 0.5).abs() < 1e-9 && (low - 0.404).abs() < 1e-3 && (high - 0.596).abs() < 1e-3);
        assert_eq!(share(0, 0), None);
    }
}
