//! The weights as a list of numbers with names, for whoever tunes them, and back as the text of their table.
//!
//! The list has two numbers a weight, the middlegame half and the endgame half, in the order of the declaration.
//! How numbers are found is no business of this room.

use crate::eval::tapered::s;
use crate::eval::threats::DANGER_UNIT;
use crate::eval::weight_fields::VisitWeights;
use crate::eval::weights::{W, Weights};
use std::fmt::Write as _;

/// Danger to a king that is worth telling, of the 4,000 that are possible: 64 centipawns.
const USUAL_DANGER: f64 = 512.0;

/// What the table of the weights in use begins with, in its source.
const OPENING: &str = "pub(super) static W: Weights = Weights {\n";

/// What it ends with.
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

/// How far each number goes for about a centipawn of evaluation. Danger is squared and divided by [`DANGER_UNIT`]:
/// about a usual danger, a unit more in its middlegame half is worth a quarter of a centipawn.
#[must_use]
pub fn units() -> Vec<f64> {
    let danger = f64::from(DANGER_UNIT) / (2.0 * USUAL_DANGER);
    let squared = |name: &String| name.starts_with("danger_") && name.ends_with(" mg");
    names().iter().map(|name| if squared(name) { danger } else { 1.0 }).collect()
}

/// The source of the weights (`src/eval/weights.rs`) with other numbers, rounded, in its table; `None` where it has
/// no such table.
#[must_use]
pub fn rewrite(source: &str, values: &[f64]) -> Option<String> {
    let (before, rest) = source.split_once(OPENING)?;
    let (_, after) = rest.split_once(&format!("\n{END}"))?;
    Some(format!("{before}{}{after}", table(values)))
}

/// The text of the table with such numbers.
#[must_use]
pub fn table(values: &[f64]) -> String {
    let mut text = OPENING.to_owned();
    for (name, field) in weights(values).fields() {
        let _ = writeln!(text, "    {name}: {field},");
    }
    text + END
}

/// Weights of these numbers, rounded; those that are missing are zero.
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
    fn the_source_is_what_would_be_written() {
        assert_eq!(rewrite(SOURCE, &in_use()).as_deref(), Some(SOURCE));
        assert_eq!(rewrite("no table", &in_use()), None);
    }

    #[test]
    fn other_numbers_change_nothing_else() {
        let mut values = in_use();
        values[0] += 1.4;
        let other = rewrite(SOURCE, &values).unwrap();
        let lines = SOURCE.lines().zip(other.lines()).filter(|(old, new)| old != new);
        let tempo = |by: f64| format!("    tempo: s({}, {}),", in_use()[0] + by, in_use()[1]);
        assert_eq!(lines.collect::<Vec<_>>(), [(tempo(0.0).as_str(), tempo(1.0).as_str())]);
    }

    #[test]
    fn danger_has_a_unit_of_its_own() {
        let units: Vec<(String, f64)> = names().into_iter().zip(units()).collect();
        let of = |wanted: &str| units.iter().find(|(name, _)| name == wanted).map(|&(_, unit)| unit);
        assert_eq!(
            [of("danger_ring mg"), of("danger_ring eg"), of("tempo mg")],
            [Some(4.0), Some(1.0), Some(1.0)]
        );
    }

    #[test]
    fn every_number_has_a_name_of_its_own() {
        let mut names = names();
        assert_eq!(names.len(), in_use().len());
        assert!(names.contains(&"squares[5][7][3] eg".to_owned()), "{names:?}");
        names.sort();
        names.dedup();
        assert_eq!(names.len(), in_use().len());
    }
}
