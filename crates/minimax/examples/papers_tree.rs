//! The tree of TR figures 3 to 7, or one of your own, searched pass by pass: the null window, the answer, and
//! what is known of the value afterwards.
//!
//! `cargo run --release -p plumb-minimax --example papers_tree -- "((3 5) (2 9))"`

use plumb_minimax::driver::{Bisect, DualStar, MtdF, Policy, SssStar};
use plumb_minimax::games::explicit::{Branch, Explicit, LIMIT};
use plumb_minimax::memory::UnboundedTable;
use plumb_minimax::mt::{MtOptions, Search};
use plumb_minimax::{Bracket, Tree, Window};
use std::process::ExitCode;

/// Moves from left to right, as the report searches them.
const LEFT_TO_RIGHT: MtOptions =
    MtOptions { scouts: false, reorders: false, enhanced_cutoffs: 0, stores_leaves: true };

fn show(name: &str, policy: &dyn Policy<i32>, tree: &Explicit, guess: i32) {
    let mut search = Search::new(tree.clone(), tree.height(), UnboundedTable::new(), LEFT_TO_RIGHT);
    let mut bracket = Bracket::new(-LIMIT, LIMIT, guess);
    println!("{name}");
    // This loop is `plumb_minimax::drive`, with the passes printed.
    while let Some(bound) = policy.next(&bracket) {
        let window = Window::at(bound);
        // A search without a stop condition has an answer.
        let Ok(answer) = search.test(window) else { return };
        bracket.learn(window, answer);
        println!(
            "  f >= {bound:>4}?  answer {answer:>4}  {:>4} <= f <= {:<4}  {:>3} leaves so far",
            bracket.lower, bracket.upper, search.counts.leaf
        );
    }
}

fn main() -> ExitCode {
    let tree = match std::env::args().nth(1).map(|text| text.parse::<Branch>()) {
        None => Explicit::report(),
        Some(Ok(tree)) => Explicit::new(&tree),
        Some(Err(error)) => {
            eprintln!("papers_tree: {error}");
            return ExitCode::from(2);
        }
    };
    println!("{tree}, {} plies", tree.height());
    show("MTD(f), first guess 30", &MtdF, &tree, 30);
    show("MTD-bi", &Bisect, &tree, 0);
    show("SSS*", &SssStar, &tree, 0);
    show("DUAL*", &DualStar, &tree, 0);
    ExitCode::SUCCESS
}
