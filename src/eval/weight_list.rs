//! Evaluation weights as a list of named numbers for Texel tuning, and their table as Rust source.
//!
//! The list has two numbers per weight, the middlegame half and the endgame half, in the order of the
//! declaration. The tuner that finds new numbers is `lab::play::tuning::texel`.

use crate::eval::king_safety::DANGER_UNIT;
use crate::eval::tapered::s;
use crate::eval::weight_fields::VisitWeights;
use crate::eval::weights::{W, Weights};
use std::fmt::Write as _;

/// A usual danger to a king, of at most 4,000; it is worth 64 centipawns.
const USUAL_DANGER: f64 = 512.0;

/// First line of the table of the weights in use, in its source.
const OPENING: &str = "pub(super) static W: Weights = Weights {\n";

/// Last line of the table.
const END: &str = "};\n";

/// The names of all numbers: `tempo mg`, `tempo eg`, `material[0] mg`, ...
#[must_use]
pub fn names() -> Vec<String> {
    let mut names = Vec::new();
    W.clone()
        .visit_weights("", &mut |name, _| names.extend(["mg", "eg"].map(|half| format!("{name} {half}"))));
    names
}

/// The numbers in use.
#[must_use]
pub fn in_use() -> Vec<f64> {
    let mut values = Vec::new();
    W.clone().visit_weights("", &mut |_, weight| values.extend([weight.mg(), weight.eg()].map(f64::from)));
    values
}

/// Change of each number that is worth about a centipawn. Danger is squared and divided by `DANGER_UNIT`:
/// near a usual danger, a unit more in its middlegame half is worth a quarter of a centipawn.
#[must_use]
pub fn units() -> Vec<f64> {
    let danger = f64::from(DANGER_UNIT) / (2.0 * USUAL_DANGER);
    let squared = |name: &String| name.starts_with("danger_") && name.ends_with(" mg");
    names().iter().map(|name| if squared(name) { danger } else { 1.0 }).collect()
}

/// The source of the weights (`src/eval/weights.rs`) with other numbers, rounded, in its table; `None` if it
/// has no such table.
#[must_use]
pub fn rewrite(source: &str, values: &[f64]) -> Option<String> {
    let (before, rest) = source.split_once(OPENING)?;
    let (_, after) = rest.split_once(&format!("\n{END}"))?;
    Some(format!("{before}{}{after}", table(values)))
}

/// The source of the table with these numbers, rounded.
#[must_use]
pub fn table(values: &[f64]) -> String {
    let mut text = OPENING.to_owned();
    for (name, field) in weights(values).fields() {
        let _ = writeln!(text, "    {name}: {field},");
    }
    text + END
}

/// Weights with these numbers, rounded; missing numbers are zero.
pub(super) fn weights(values: &[f64]) -> Weights {
    let mut weights = W.clone();
    let mut halves = values.iter().map(|value| value.round() as i32);
    weights.visit_weights("", &mut |_, weight| {
        *weight = s(halves.next().unwrap_or(0), halves.next().unwrap_or(0));
    });
    weights
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = include_str!("weights.rs");

    #[test]
    fn rewriting_with_the_numbers_in_use_changes_nothing() {
        assert_eq!(rewrite(SOURCE, &in_use()).as_deref(), Some(SOURCE));
        assert_eq!(rewrite("no table", &in_use()), None);
    }

    #[test]
    fn a_new_number_changes_its_own_line_alone() {
        let mut values = in_use();
        values[0] += 1.4;
        let other = rewrite(SOURCE, &values).unwrap();
        let lines = SOURCE.lines().zip(other.lines()).filter(|(old, new)| old != new);
        let tempo = |by: f64| format!("    tempo: s({}, {}),", in_use()[0] + by, in_use()[1]);
        assert_eq!(lines.collect::<Vec<_>>(), [(tempo(0.0).as_str(), tempo(1.0).as_str())]);
    }

    #[test]
    fn the_middlegame_half_of_danger_has_a_larger_unit() {
        let units: Vec<(String, f64)> = names().into_iter().zip(units()).collect();
        let of = |wanted: &str| units.iter().find(|(name, _)| name == wanted).map(|&(_, unit)| unit);
        assert_eq!(
            [of("danger_ring mg"), of("danger_ring eg"), of("tempo mg")],
            [Some(4.0), Some(1.0), Some(1.0)]
        );
    }

    #[test]
    fn names_are_unique() {
        let mut names = names();
        assert_eq!(names.len(), in_use().len());
        assert!(names.contains(&"squares[5][7][3] eg".to_owned()), "{names:?}");
        names.sort();
        names.dedup();
        assert_eq!(names.len(), in_use().len());
    }
}
