//! The papers' algorithms on thousands of random trees: their theorems hold exactly (TR sections 2 and 3,
//! INFO section 2), and their misprints fail.

use plumb_minimax::alpha_beta::alpha_beta;
use plumb_minimax::deepening::iterate;
use plumb_minimax::driver::{Bisect, DualStar, MtdF, Policy, SssStar, Step};
use plumb_minimax::drivers::Driver;
use plumb_minimax::games::explicit::Explicit;
use plumb_minimax::games::random_tree::{ChildOrder, RandomTree, Shape, Values};
use plumb_minimax::ins::Ins;
use plumb_minimax::memory::{Bounds, Memory, UnboundedTable};
use plumb_minimax::mt::{MtOptions, Search};
use plumb_minimax::mtd_best::Strategy;
use plumb_minimax::nega_scout::nega_scout;
use plumb_minimax::random::SplitMix64;
use plumb_minimax::stockman_sss::{Variant, stockman};
use plumb_minimax::traversal::Traversal;
use plumb_minimax::{Bracket, Game, NeverStop, Tree, Value as _, Window, drive};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

/// Files below a folder.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files_below(&path) } else { vec![path] }).collect()
}

/// Purity of the crate: no dependency, and nothing that talks to the world outside (files, clocks, terminals,
/// threads). A search is a function of its game, its driver and its limits.
#[test]
fn the_crate_has_no_dependency_and_touches_no_file_clock_or_terminal() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest = std::fs::read_to_string(root.join("Cargo.toml")).unwrap().replace("\r\n", "\n");
    let (_, dependencies) = manifest.split_once("[dependencies]\n").expect("a list of dependencies");
    let first = dependencies.lines().find(|line| !line.is_empty());
    assert!(first.is_none_or(|line| line.starts_with('[')), "{first:?}");
    assert!(!manifest.contains("[dev-dependencies]") && !manifest.contains("[build-dependencies]"));
    let sources = files_below(&root.join("src"));
    assert!(sources.len() > 30, "{sources:?}");
    let modules = ["env", "fs", "io", "net", "process", "thread", "time"].map(|name| format!("std::{name}"));
    for file in sources {
        let text = std::fs::read_to_string(&file).unwrap();
        for word in modules.iter().map(String::as_str).chain(["println!", "print!", "dbg!", "extern crate"]) {
            assert!(!text.contains(word), "{}: {word}", file.display());
        }
    }
}

/// Random trees of a shape family: w 2 to 5, d 1 to 6, all orders, distinct and repeated values.
fn trees(count: u64) -> impl Iterator<Item = (RandomTree, Shape)> {
    (0..count).map(|seed| {
        let mut random = SplitMix64::new(seed);
        let width = 2 + random.below(4) as u16;
        // Wide trees of full depth are few, so that the proofs stay quick.
        let deepest = if random.below(20) == 0 || width == 2 { 6 } else { 7 - usize::from(width).min(4) };
        let shape = Shape {
            width,
            depth: 1 + random.below(deepest) as u32,
            order: [ChildOrder::Random, ChildOrder::Ordered(60), ChildOrder::Ordered(90)][random.below(3)],
            values: [Values::Distinct, Values::Repeated(9), Values::Repeated(2)][random.below(3)],
        };
        (RandomTree::new(shape, seed), shape)
    })
}

fn minimax<G: Game>(node: &G, depth: u32) -> G::Value {
    let moves = if depth == 0 { Vec::new() } else { node.moves() };
    let mut best = None;
    for m in moves {
        let value = -minimax(&node.play(m), depth - 1);
        best = Some(best.map_or(value, |best| if value > best { value } else { best }));
    }
    best.unwrap_or_else(|| node.evaluate())
}

/// Moves in the game's order; no ETC.
const FIXED_ORDER: MtOptions =
    MtOptions { scouts: false, reorders: false, enhanced_cutoffs: 0, stores_leaves: true };

type Textbook<G> = Search<G, UnboundedTable<<G as Game>::Value>>;

fn textbook<G: Game>(root: &G, depth: u32, options: MtOptions) -> Textbook<G> {
    let mut search = Search::new(root.clone(), depth, UnboundedTable::new(), options);
    search.leaves = Some(Vec::new());
    search
}

fn bracket<G: Game>(guess: G::Value) -> Bracket<G::Value> {
    Bracket::new(-G::LIMIT, G::LIMIT, guess)
}

/// Value, leaves in order, answers in order.
fn run<G: Game>(
    root: &G,
    depth: u32,
    policy: &impl Policy<G::Value>,
    guess: G::Value,
) -> (G::Value, Vec<u64>, Vec<G::Value>) {
    /// Records the answers.
    struct AnswerRecorder<G: Game>(Textbook<G>, Vec<G::Value>);
    impl<G: Game> Tree<G::Value> for AnswerRecorder<G> {
        fn test(&mut self, window: Window<G::Value>) -> Result<G::Value, plumb_minimax::Stopped> {
            let answer = self.0.test(window)?;
            self.1.push(answer);
            Ok(answer)
        }
    }
    let mut recorder = AnswerRecorder(textbook(root, depth, FIXED_ORDER), Vec::new());
    let mut bracket = bracket::<G>(guess);
    drive(&mut recorder, policy, &mut bracket).unwrap();
    (bracket.value(), recorder.0.leaves.unwrap(), recorder.1)
}

fn open<G: Game>() -> Window<G::Value> {
    Window::new(-G::LIMIT, G::LIMIT)
}

fn full_alpha_beta<G: Game>(root: &G, depth: u32) -> (G::Value, Vec<u64>) {
    let mut traversal = Traversal::recording();
    let value = alpha_beta(&mut traversal, root, open::<G>(), depth).unwrap();
    (value, traversal.leaves.unwrap())
}

fn unique(leaves: &[u64]) -> HashSet<u64> {
    leaves.iter().copied().collect()
}

/// Leaves of the minimal tree, by Knuth and Moore's formula and not by `minimal_graph`, which proves with the
/// code under test.
fn minimal(width: u16, depth: u32) -> usize {
    usize::from(width).pow(depth.div_ceil(2)) + usize::from(width).pow(depth / 2) - 1
}

#[test]
fn every_algorithm_finds_the_minimax_value_in_every_window() {
    for (root, Shape { depth, .. }) in trees(10_000) {
        let value = minimax(&root, depth);
        let (alpha_beta_value, seen) = full_alpha_beta(&root, depth);
        assert_eq!(alpha_beta_value, value);
        let mut scout = Traversal::recording();
        assert_eq!(nega_scout(&mut scout, &root, open::<RandomTree>(), depth), Ok(value));
        // Invariant 7, for the textbook's NegaScout.
        assert!(unique(&scout.leaves.unwrap()).len() <= seen.len());
        let (mut ins, mut pns, mut poor) = (Ins::new(), Ins::pns(NeverStop, usize::MAX), Ins::new());
        poor.budget = 5;
        for window in [open::<RandomTree>(), Window::new(value - 9, value + 5)] {
            let found = ins.search(&root, depth, window).unwrap();
            assert_eq!(found.0, value);
            let best = root.play(found.1.unwrap() as u16);
            assert_eq!(-minimax(&best, depth - 1), value);
            assert_eq!(pns.search(&root, depth, window).unwrap().0, value);
            assert_eq!(poor.search(&root, depth, window).unwrap().0, value);
            assert!(poor.peak <= 5);
        }
        for bound in [value - 2, value, value + 1, value + 7] {
            let window = Window::new(bound - 3, bound);
            for answer in [
                nega_scout(&mut Traversal::new(), &root, window, depth).unwrap(),
                alpha_beta(&mut Traversal::new(), &root, window, depth).unwrap(),
                ins.search(&root, depth, window).unwrap().0,
                pns.search(&root, depth, window).unwrap().0,
            ] {
                assert_eq!(answer >= bound, value >= bound);
                assert!(answer < bound || answer <= value);
                assert!(answer > bound - 3 || answer >= value);
                assert!(answer <= bound - 3 || answer >= bound || answer == value);
            }
        }
    }
}

/// Invariant 2: MTD(+inf) is SSS*, MTD(-inf) is DUAL*, leaf by leaf.
#[test]
fn mtd_from_infinity_evaluates_stockmans_leaves_in_his_order() {
    for (root, Shape { depth, .. }) in trees(10_000) {
        for side in [Variant::Sss, Variant::Dual] {
            let mut traversal = Traversal::recording();
            let solution = stockman(&mut traversal, &root, depth, side).unwrap();
            let (value, leaves, answers) = match side {
                Variant::Sss => run(&root, depth, &SssStar, 0),
                Variant::Dual => run(&root, depth, &DualStar, 0),
            };
            assert_eq!((solution.value, traversal.leaves), (value, Some(leaves)));
            // Invariant 5: strictly down, strictly up, until the last pass confirms.
            let moving = &answers[..answers.len() - 1];
            assert!(moving.windows(2).all(|w| if side == Variant::Sss { w[0] > w[1] } else { w[0] < w[1] }));
            assert_eq!(answers[answers.len().saturating_sub(2)], value);
        }
    }
}

/// Invariants 3 and 4: any sequence of tests, in and out of order.
#[test]
fn any_sequence_of_tests_is_right_and_visits_only_leaves_of_alpha_beta() {
    for (root, Shape { depth, .. }) in trees(10_000) {
        let value = minimax(&root, depth);
        let (_, all) = full_alpha_beta(&root, depth);
        let mut search = textbook(&root, depth, FIXED_ORDER);
        let mut random = SplitMix64::new(root.key() ^ value as u64);
        for _ in 0..5 {
            let near = value + random.below(9) as i32 - 4;
            let far = root.play(random.below(2) as u16).evaluate();
            let bound = if random.below(2) == 0 { near } else { far };
            let answer = search.test(Window::at(bound)).unwrap();
            assert_eq!(answer >= bound, value >= bound);
            assert!(if answer >= bound { answer <= value } else { answer >= value });
        }
        assert!(unique(search.leaves.as_ref().unwrap()).is_subset(&unique(&all)));
        bounds_hold(&search, &root, depth);
    }
}

/// Every remembered bound holds, and f- <= f+.
fn bounds_hold(search: &Textbook<RandomTree>, node: &RandomTree, depth: u32) {
    let value = minimax(node, depth);
    let bounds = search.memory.bounds(node.key(), depth);
    assert!(bounds.lower.is_none_or(|lower| lower <= value));
    assert!(bounds.upper.is_none_or(|upper| upper >= value));
    if depth > 0 && bounds != Bounds::unknown() {
        node.moves().into_iter().for_each(|m| bounds_hold(search, &node.play(m), depth - 1));
    }
}

/// Invariants 1, 5, 6 and 9.
#[test]
fn every_driver_finds_the_value_and_proves_it() {
    for (root, Shape { width, depth, .. }) in trees(10_000) {
        let value = minimax(&root, depth);
        for guess in [value, value + 3, -value] {
            let (found, leaves, answers) = run(&root, depth, &MtdF, guess);
            assert_eq!(found, value);
            assert!(unique(&leaves).len() >= minimal(width, depth));
            assert!(guess != value || answers.len() == 2);
        }
        let (found, leaves, answers) = run(&root, depth, &Bisect, 0);
        assert_eq!(found, value);
        assert!(unique(&leaves).len() >= minimal(width, depth));
        let range = 2.0 * f64::from(RandomTree::LIMIT);
        assert!(answers.len() as u32 <= range.log2().ceil() as u32 + 1);
        assert_eq!(run(&root, depth, &Step(40), 0).0, value);
        for algorithm in
            [Driver::NegaScout.with_window(3), Driver::PlainNegaScout.exact(), Driver::AlphaBeta.exact()]
        {
            let mut search = textbook(&root, depth, MtOptions::default());
            assert_eq!(iterate(&mut search, algorithm, value + 1).unwrap().0, value);
        }
    }
}

/// A game with transpositions: a position depends on how often each side played each move.
#[derive(Clone)]
struct Transposing {
    seed: u64,
    played: u64,
    ply: u32,
}

impl Game for Transposing {
    type Value = i32;
    type Move = u32;
    const LIMIT: i32 = 1000;

    fn moves(&self) -> Vec<u32> {
        (0..4).collect()
    }

    fn play(&self, m: u32) -> Transposing {
        let slot = 8 * (4 * (self.ply % 2) + m);
        Transposing { played: self.played + (1 << slot), ply: self.ply + 1, ..*self }
    }

    fn evaluate(&self) -> i32 {
        SplitMix64::new(self.seed ^ self.played).below(199) as i32 - 99
    }

    fn key(&self) -> u64 {
        self.played
    }
}

/// Enhanced transposition cut-offs change no value, and save leaves where there are transpositions.
#[test]
fn enhanced_cutoffs_change_no_value() {
    let etc = MtOptions { enhanced_cutoffs: 2, ..MtOptions::default() };
    let (mut without, mut with) = (0, 0);
    for seed in 0..100 {
        let root = Transposing { seed: SplitMix64::new(seed).next(), played: 0, ply: 0 };
        let value = minimax(&root, 6);
        for algorithm in [
            Driver::MtdF.exact(),
            Driver::SssStar.exact(),
            Driver::NegaScout.with_window(9),
            Driver::AlphaBeta.exact(),
        ] {
            let (mut plain, mut enhanced) =
                (textbook(&root, 6, MtOptions::default()), textbook(&root, 6, etc));
            assert_eq!(iterate(&mut plain, algorithm, 0).unwrap().0, value);
            assert_eq!(iterate(&mut enhanced, algorithm, 0).unwrap().0, value);
            without += plain.counts.leaf;
            with += enhanced.counts.leaf;
        }
    }
    assert!(with < without, "{with} leaves with, {without} without");
}

/// Invariant 6: on a perfectly ordered tree no algorithm needs more than the minimal tree.
#[test]
fn a_perfectly_ordered_tree_is_searched_in_the_minimal_tree() {
    for seed in 0..10_000 {
        let shape = Shape {
            width: 2 + (seed % 4) as u16,
            depth: 1 + (seed / 4 % 6) as u32,
            order: ChildOrder::Ordered(100),
            values: Values::Distinct,
        };
        let root = RandomTree::new(shape, seed);
        let value = root.evaluate();
        let wanted = minimal(shape.width, shape.depth);
        let mut scout = Traversal::recording();
        nega_scout(&mut scout, &root, open::<RandomTree>(), shape.depth).unwrap();
        for leaves in [
            full_alpha_beta(&root, shape.depth).1,
            scout.leaves.unwrap(),
            run(&root, shape.depth, &MtdF, value).1,
        ] {
            assert_eq!((leaves.len(), unique(&leaves).len()), (wanted, wanted));
        }
    }
}

/// Table with one bound a position, which a new one replaces. Loses no position.
#[derive(Default)]
struct OneBound(HashMap<(u64, u32), Bounds<i32>>);

impl Memory<i32> for OneBound {
    fn bounds(&self, key: u64, depth: u32) -> Bounds<i32> {
        self.0.get(&(key, depth)).copied().unwrap_or(Bounds::unknown())
    }

    fn best(&self, _key: u64) -> Option<u16> {
        None
    }

    fn store(&mut self, key: u64, depth: u32, window: Window<i32>, answer: i32, _best: Option<u16>) {
        let mut bounds = Bounds::unknown();
        bounds.learn(window, answer);
        self.0.insert((key, depth), bounds);
    }
}

/// Invariant 8, for the drivers that come from one side (the 1995 programs had one bound).
#[test]
fn one_bound_a_position_is_enough_for_sss_dual_and_mtd_f() {
    fn leaves(root: &RandomTree, depth: u32, policy: &impl Policy<i32>) -> HashSet<u64> {
        let mut search = Search::new(*root, depth, OneBound::default(), FIXED_ORDER);
        search.leaves = Some(Vec::new());
        drive(&mut search, policy, &mut bracket::<RandomTree>(0)).unwrap();
        unique(&search.leaves.unwrap())
    }
    for (root, Shape { depth, .. }) in trees(10_000) {
        assert_eq!(leaves(&root, depth, &SssStar), unique(&run(&root, depth, &SssStar, 0).1));
        assert_eq!(leaves(&root, depth, &DualStar), unique(&run(&root, depth, &DualStar, 0).1));
        assert_eq!(leaves(&root, depth, &MtdF), unique(&run(&root, depth, &MtdF, 0).1));
    }
}

/// TR section 3.3: MTD-best's move has the root's value; what it proves of it is a bound.
#[test]
fn mtd_best_finds_a_best_move() {
    for (root, Shape { depth, .. }) in trees(10_000) {
        let value = minimax(&root, depth);
        for strategy in [Strategy::ProveBest, Strategy::DisproveRest] {
            for guess in [value, value - 5, 0] {
                let mut search = textbook(&root, depth, FIXED_ORDER);
                let (_, best, _) =
                    iterate(&mut search, Driver::MtdBest.with_strategy(strategy), guess).unwrap();
                assert_eq!(-minimax(&root.play(best.unwrap() as u16), depth - 1), value);
            }
        }
    }
}

/// Rutko 2011: the move that is separated from the others has the root's value, from any guess and with any
/// first range.
#[test]
fn best_node_search_finds_a_best_move() {
    for (root, Shape { depth, .. }) in trees(10_000) {
        let value = minimax(&root, depth);
        for (guess, width) in [(value, 1), (value - 5, 16), (0, 200)] {
            let mut search = textbook(&root, depth, FIXED_ORDER);
            let (bound, best, _) = iterate(&mut search, Driver::BestNode.with_window(width), guess).unwrap();
            assert_eq!(-minimax(&root.play(best.unwrap() as u16), depth - 1), value);
            assert!(search.counts.leaf > 0 && bound.abs() < RandomTree::LIMIT);
        }
    }
}

/// TR figures 3 to 7.
#[test]
fn sss_visits_the_leaves_of_tr_figures_3_to_7() {
    let root = Explicit::report();
    let mut search = textbook(&root, 4, FIXED_ORDER);
    let named = |leaves: &[u64]| -> Vec<i32> {
        let mut row = vec![root.clone()];
        for _ in 0..4 {
            row = row.iter().flat_map(|node| node.moves().into_iter().map(|m| node.play(m))).collect();
        }
        let name = |&key: &u64| row.iter().find(|leaf| leaf.key() == key).map(Explicit::written);
        leaves.iter().filter_map(name).collect()
    };
    let mut bracket = bracket::<Explicit>(0);
    let mut passes: Vec<(i32, i32, Vec<i32>)> = Vec::new();
    let mut seen = 0;
    while let Some(bound) = SssStar.next(&bracket) {
        let answer = search.test(Window::at(bound)).unwrap();
        bracket.learn(Window::at(bound), answer);
        let leaves = search.leaves.as_ref().unwrap();
        passes.push((bound, answer, named(&leaves[seen..])));
        seen = leaves.len();
    }
    let wanted =
        [(1000, 41, vec![41, 12, 34, 36]), (41, 36, vec![5]), (36, 35, vec![35]), (35, 35, vec![50, 36])];
    assert_eq!(passes, wanted);
    let (value, leaves) = full_alpha_beta(&root, 4);
    assert_eq!((value, leaves.len(), seen, minimal(2, 4)), (35, 12, 8, 7));
    let mut traversal = Traversal::recording();
    assert_eq!(stockman(&mut traversal, &root, 4, Variant::Sss).unwrap().value, 35);
    assert_eq!(traversal.leaves, search.leaves);
}

/// The same tree with real values.
#[derive(Clone)]
struct Real(RandomTree);

impl Game for Real {
    type Value = f64;
    type Move = u16;
    const LIMIT: f64 = 100.0;

    fn moves(&self) -> Vec<u16> {
        self.0.moves()
    }

    fn play(&self, m: u16) -> Real {
        Real(self.0.play(m))
    }

    fn evaluate(&self) -> f64 {
        100.0 * f64::from(self.0.evaluate()) / f64::from(RandomTree::LIMIT)
    }

    fn key(&self) -> u64 {
        self.0.key()
    }
}

/// REAL section 3: MTD-bi finds Alpha-Beta's value exactly, in at most ceil(log2(range / eps)) passes; the
/// scouts agree, although their null windows have an inside.
#[test]
fn real_values_are_found_exactly() {
    for (tree, Shape { depth, .. }) in trees(2_000) {
        let root = Real(tree);
        let value = minimax(&root, depth);
        let (found, _, answers) = run(&root, depth, &Bisect, 0.0);
        assert_eq!(found, value);
        assert!(answers.len() <= 15, "{} passes", answers.len());
        let window = open::<Real>();
        assert_eq!(alpha_beta(&mut Traversal::new(), &root, window, depth), Ok(value));
        assert_eq!(nega_scout(&mut Traversal::new(), &root, window, depth), Ok(value));
        assert_eq!(Ins::new().search(&root, depth, window).unwrap().0, value);
        assert_eq!(Ins::pns(NeverStop, usize::MAX).search(&root, depth, window).unwrap().0, value);
        assert_eq!(stockman(&mut Traversal::new(), &root, depth, Variant::Sss).unwrap().value, value);
    }
}

#[test]
fn a_stopped_search_returns_an_error() {
    let shape = Shape { width: 4, depth: 6, order: ChildOrder::Random, values: Values::Distinct };
    let root = RandomTree::new(shape, 1);
    let window = open::<RandomTree>();
    let halted = || Traversal::with_stop(|visits: u64| visits >= 50);
    let (mut a, mut b, mut c) = (halted(), halted(), halted());
    assert!(alpha_beta(&mut a, &root, window, 6).is_err() && a.counts.total() == 50);
    assert!(nega_scout(&mut b, &root, window, 6).is_err() && b.counts.total() == 50);
    assert!(stockman(&mut c, &root, 6, Variant::Sss).is_err() && c.counts.total() == 50);
    let mut left = 50;
    let mut ins = Ins::with_stop(
        |_: u64| {
            left -= 1;
            left == 0
        },
        usize::MAX,
    );
    assert!(ins.search(&root, 6, window).is_err());
    // It recovers: the saved map is dropped.
    assert_eq!(ins.search(&root, 2, window).unwrap().0, minimax(&root, 2));
    assert!(Ins::pns(|visits: u64| visits >= 50, 100).search(&root, 6, window).is_err());
}

mod misprints {
    //! The papers' misprints against our corrections: the misprint fails on some tree, the correction on
    //! none.

    use super::*;
    use plumb_minimax::Stopped;

    /// Reading of the appendix of INFO.
    #[derive(Clone, Copy, PartialEq)]
    enum Reading {
        Corrected,
        /// `IF res AND i < v`.
        IndexBelowValue,
        /// `score[]` is never assigned.
        NoScores,
        /// The narrow window depends on `res`, and unseen children have infinite scores.
        InfiniteWindow,
        /// Ignored children get a score of minus infinity and stay.
        IgnoredStay,
    }

    const INFINITY: i32 = RandomTree::LIMIT;

    /// The appendix of INFO line by line; its map is keyed by position.
    struct Appendix {
        reading: Reading,
        /// True for a prove-best node, and its children's scores by index.
        map: HashMap<u64, (bool, Vec<i32>)>,
        visits: u64,
    }

    impl Appendix {
        fn ins(&mut self, p: &RandomTree, alpha: i32, beta: i32, depth: u32, research: bool) -> i32 {
            self.visits += 1;
            if depth == 0 {
                return p.evaluate();
            }
            let reading = self.reading;
            let mut succ: Vec<usize> = (0..p.moves().len()).collect();
            let (mut prove_best, mut score) = (true, vec![0; succ.len()]);
            if research {
                (prove_best, score) = self.map[&p.key()].clone();
                succ.sort_by_key(|&index| std::cmp::Reverse(score[index]));
                if !prove_best && reading != Reading::IgnoredStay {
                    succ.retain(|&index| score[index] > -INFINITY);
                }
            }
            let (w, known) = (succ.len(), prove_best);
            let mut res = research;
            let mut found = vec![0; score.len()];
            let (mut a, mut b) = (-INFINITY, beta);
            let mut cut = None;
            for i in 0..w {
                let child = p.play(succ[i] as u16);
                let mut v = -self.ins(&child, -b, -alpha.max(a), depth - 1, res);
                if v > a {
                    let enough = i == 0 || v <= alpha || v >= beta || depth <= 2;
                    if !(enough || research && known) {
                        v = -self.ins(&child, -beta, -v, depth - 1, true);
                    }
                    a = v;
                }
                found[succ[i]] = v;
                if a >= beta {
                    cut = Some(succ[i]);
                    break;
                }
                let narrow = match reading {
                    Reading::InfiniteWindow => res,
                    _ => res && known,
                };
                let within = match reading {
                    Reading::IndexBelowValue => (i as i32 + 1) < v,
                    _ => i + 1 < w,
                };
                if narrow && within {
                    let next = succ.get(i + 1).map_or(0, |&index| score[index]);
                    if a.max(alpha) >= next {
                        a = a.max(next);
                        break;
                    }
                    b = if reading == Reading::InfiniteWindow { next } else { next.min(beta) };
                } else {
                    b = (alpha.max(a) + 1).min(beta);
                }
                if !known {
                    res = false;
                }
            }
            if !research {
                self.map.insert(p.key(), self.saved(cut, found));
            }
            a
        }

        fn saved(&self, cut: Option<usize>, mut found: Vec<i32>) -> (bool, Vec<i32>) {
            if let Some(cut) = cut {
                found[..cut].fill(-INFINITY);
                found[cut..].fill(INFINITY);
            } else if self.reading == Reading::NoScores {
                found.fill(0);
            }
            (cut.is_none(), found)
        }
    }

    /// Wrong values, and visits, over many trees.
    fn read(reading: Reading) -> (u32, u64) {
        let (mut wrong, mut visits) = (0, 0);
        for (root, Shape { depth, .. }) in trees(5_000) {
            let mut appendix = Appendix { reading, map: HashMap::new(), visits: 0 };
            let value = appendix.ins(&root, -INFINITY, INFINITY, depth, false);
            wrong += u32::from(value != minimax(&root, depth));
            visits += appendix.visits;
        }
        (wrong, visits)
    }

    #[test]
    fn misprints_of_ins_give_wrong_values_or_more_visits() {
        let (wrong, visits) = read(Reading::Corrected);
        assert_eq!(wrong, 0);
        let mut ours = 0;
        for (root, Shape { depth, .. }) in trees(5_000) {
            let mut ins = Ins::new();
            ins.search(&root, depth, open::<RandomTree>()).unwrap();
            ours += ins.traversal.counts.total();
        }
        assert_eq!(ours, visits, "ours is the corrected appendix, visit by visit");
        assert!(read(Reading::IndexBelowValue).0 > 0);
        assert!(read(Reading::NoScores).0 > 0);
        // These two find the value, but with more visits.
        assert!(read(Reading::InfiniteWindow).1 > visits);
        assert!(read(Reading::IgnoredStay).1 > visits);
    }

    /// Tests until `done`, at most 100 times; returns the number of tests.
    fn ask(
        tree: &mut impl Tree<i32>,
        bracket: &mut Bracket<i32>,
        next: impl Fn(&Bracket<i32>) -> i32,
        done: impl Fn(&Bracket<i32>) -> bool,
    ) -> u32 {
        while bracket.passes < 100 && !done(bracket) {
            let window = Window::at(next(bracket));
            let answer = tree.test(window).unwrap();
            // As printed: no collapse of crossed bounds.
            let side = if answer < window.beta { &mut bracket.upper } else { &mut bracket.lower };
            *side = answer;
            bracket.passes += 1;
        }
        bracket.passes
    }

    /// The scan's floor((f- + f+) / 2) tests f- again when the bounds are neighbours.
    #[test]
    fn the_printed_bisection_never_ends() {
        let root = Explicit::report();
        let printed = |b: &Bracket<i32>| (b.lower + b.upper).div_euclid(2);
        let meant = |b: &Bracket<i32>| i32::middle(b.lower, b.upper);
        let met = |b: &Bracket<i32>| b.lower >= b.upper;
        let passes = |next: &dyn Fn(&Bracket<i32>) -> i32| {
            let mut bracket = Bracket::new(34, 36, 0);
            ask(&mut textbook(&root, 4, FIXED_ORDER), &mut bracket, next, met)
        };
        assert_eq!(passes(&printed), 100, "it never ends");
        assert!(passes(&meant) <= 2);
    }

    /// A tree that contradicts itself: f- jumps over f+.
    struct Contradicting(bool);

    impl Tree<i32> for Contradicting {
        fn test(&mut self, window: Window<i32>) -> Result<i32, Stopped> {
            self.0 = !self.0;
            Ok(if self.0 { window.alpha - 3 } else { window.beta + 9 })
        }
    }

    /// TR figure 8 stops at f- = f+, REAL figure 1a at f- > f+; it must be f- >= f+.
    #[test]
    fn the_printed_stop_tests_never_end() {
        let mtd_f = |b: &Bracket<i32>| MtdF.next(b).unwrap_or(b.lower + 1);
        let contradicting = |done: fn(&Bracket<i32>) -> bool| {
            ask(&mut Contradicting(false), &mut Bracket::new(-500, 500, 0), mtd_f, done)
        };
        assert_eq!(contradicting(|b| b.lower == b.upper), 100, "it never ends");
        assert_eq!(contradicting(|b| b.lower >= b.upper), 2);
        let root = Explicit::report();
        let consistent = |done: fn(&Bracket<i32>) -> bool| {
            let mut bracket = Bracket::new(-1000, 1000, 35);
            ask(&mut textbook(&root, 4, FIXED_ORDER), &mut bracket, mtd_f, done)
        };
        assert_eq!(consistent(|b| b.lower > b.upper), 100, "bounds that meet never cross");
        assert!(consistent(|b| b.lower >= b.upper) <= 3);
    }
}
