//! Pearson's correlation.

/// Pearson's correlation of pairs, -1 to 1; 0 where one side does not vary, or there are no pairs.
#[must_use]
pub fn correlation(pairs: &[(f64, f64)]) -> f64 {
    let mean = |of: &dyn Fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / pairs.len() as f64;
    let (x, y) = (mean(&|pair| pair.0), mean(&|pair| pair.1));
    let product = mean(&|pair| (pair.0 - x) * (pair.1 - y));
    let spreads = mean(&|pair| (pair.0 - x).powi(2)) * mean(&|pair| (pair.1 - y).powi(2));
    if spreads > 0.0 { product / spreads.sqrt() } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_correlates_fully_and_a_constant_not_at_all() {
        let line: Vec<(f64, f64)> = (0..9).map(|x| (f64::from(x), 3.0 - 2.0 * f64::from(x))).collect();
        assert!((correlation(&line) + 1.0).abs() < 1e-12);
        assert!(correlation(&[(1.0, 2.0), (2.0, 2.0), (5.0, 2.0)]).abs() < 1e-12);
        assert!(correlation(&[]).abs() < 1e-12);
        // By hand: the means are 2 and 2, the product 2/3, both variances 2/3.
        let bent = [(1.0, 1.0), (2.0, 3.0), (3.0, 2.0)];
        assert!((correlation(&bent) - 0.5).abs() < 1e-12);
    }
}
