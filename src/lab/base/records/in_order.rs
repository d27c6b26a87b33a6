//! Results in the order of their numbers. Worker threads finish them in any order; those that come early wait
//! here, so that a file is the same for every number of threads.

use std::collections::BTreeMap;

/// Results that wait for those before them.
#[derive(Clone, Debug)]
pub struct InOrder<T> {
    waiting: BTreeMap<usize, T>,
    next: usize,
}

impl<T> InOrder<T> {
    /// Nothing is waiting, and the result of number `next` comes first.
    #[must_use]
    pub fn new(next: usize) -> InOrder<T> {
        InOrder { waiting: BTreeMap::new(), next }
    }

    /// Adds the result of a number.
    pub fn add(&mut self, number: usize, result: T) {
        self.waiting.insert(number, result);
    }

    /// Takes the next result with its number; `None` while it is missing.
    pub fn take(&mut self) -> Option<(usize, T)> {
        let result = self.waiting.remove(&self.next)?;
        self.next += 1;
        Some((self.next - 1, result))
    }

    /// Takes all that waits, in order, though results before it are missing.
    pub fn take_rest(&mut self) -> impl Iterator<Item = (usize, T)> + use<T> {
        std::mem::take(&mut self.waiting).into_iter()
    }

    /// The number of the next result: all before it have been taken.
    #[must_use]
    pub fn next(&self) -> usize {
        self.next
    }

    /// True if the result of a number has been added, waiting or taken.
    #[must_use]
    pub fn has(&self, number: usize) -> bool {
        number < self.next || self.waiting.contains_key(&number)
    }

    /// Number of results that have been added, waiting or taken.
    #[must_use]
    pub fn known(&self) -> usize {
        self.next + self.waiting.len()
    }
}

impl<T> Default for InOrder<T> {
    fn default() -> InOrder<T> {
        InOrder::new(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_taken_in_the_order_of_their_numbers() {
        let mut order = InOrder::new(2);
        order.add(4, "e");
        order.add(3, "d");
        assert_eq!(order.take(), None);
        assert!(order.has(1) && !order.has(2) && order.has(3));
        order.add(2, "c");
        assert_eq!([order.take(), order.take()], [Some((2, "c")), Some((3, "d"))]);
        order.add(7, "h");
        assert_eq!((order.next(), order.known()), (4, 6));
        assert_eq!(order.take_rest().collect::<Vec<_>>(), [(4, "e"), (7, "h")]);
    }
}
