//! Fields of the weight table: visiting every weight by its name, and writing a field as Rust source.
//!
//! A field is one weight ([`S`]) or an array of fields; the table of weights itself is declared in
//! `weights.rs`.

use crate::eval::tapered::S;

/// Visits weights in the order of their declaration.
pub(super) trait VisitWeights {
    /// Calls `visit` with the path (`passed[3]`) of every weight in this field, which is called `name`.
    fn visit_weights(&mut self, name: &str, visit: &mut dyn FnMut(&str, &mut S));
}

impl VisitWeights for S {
    fn visit_weights(&mut self, name: &str, visit: &mut dyn FnMut(&str, &mut S)) {
        visit(name, self);
    }
}

impl<T: VisitWeights, const N: usize> VisitWeights for [T; N] {
    fn visit_weights(&mut self, name: &str, visit: &mut dyn FnMut(&str, &mut S)) {
        for (index, field) in self.iter_mut().enumerate() {
            field.visit_weights(&format!("{name}[{index}]"), visit);
        }
    }
}

/// A field as Rust source.
pub(super) trait ToSource {
    /// Arrays around a weight.
    const DEPTH: usize;

    /// The source, one row of an array of arrays per line; its first line is indented by `indent` spaces.
    fn to_source(&self, indent: usize) -> String;
}

impl ToSource for S {
    const DEPTH: usize = 0;

    fn to_source(&self, _: usize) -> String {
        format!("s({}, {})", self.mg(), self.eg())
    }
}

impl<T: ToSource, const N: usize> ToSource for [T; N] {
    const DEPTH: usize = T::DEPTH + 1;

    fn to_source(&self, indent: usize) -> String {
        let elements: Vec<String> = self.iter().map(|element| element.to_source(indent + 4)).collect();
        if Self::DEPTH == 1 {
            return format!("[{}]", elements.join(", "));
        }
        let gap = " ".repeat(indent);
        let rows: String = elements.iter().map(|row| format!("{gap}    {row},\n")).collect();
        format!("[\n{rows}{gap}]")
    }
}
