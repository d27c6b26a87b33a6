//! Axis of a chart, linear, logarithmic or symmetric logarithmic: its range, its ticks with their labels, and
//! the place of a value on it.

use std::f64::consts::LN_2;

/// The largest number that an axis shows, of either sign; the least besides zero is its reciprocal. Between
/// them there is room in an [`f64`] for margins and for the distance of two numbers.
pub const MOST: f64 = 1e250;

/// True for a number that an axis can show: finite, and zero or between the ends of [`MOST`].
#[must_use]
pub fn can_be_shown(value: f64) -> bool {
    value == 0.0 || (MOST.recip()..=MOST).contains(&value.abs())
}

/// Range of an axis, and the values marked on it.
#[derive(Clone, Debug, PartialEq)]
pub struct Scaling {
    low: f64,
    high: f64,
    spacing: Spacing,
    /// Marked and labelled values, rising.
    pub ticks: Vec<f64>,
    /// Values marked faintly, without a label.
    pub faint: Vec<f64>,
}

/// Relation between values and places.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Spacing {
    /// Equal distances are equal differences.
    Linear,
    /// Equal distances are equal factors.
    Logarithmic,
    /// Logarithmic on both sides of zero from this magnitude on, linear nearer to zero. From zero to the
    /// magnitude is as far as from there to twice of it.
    Symmetric(f64),
}

impl Spacing {
    /// The logarithmic spacing for `values`: symmetric if there are negative ones.
    fn logarithmic(values: &[f64]) -> Spacing {
        let finite = || values.iter().copied().filter(|&value| can_be_shown(value));
        let sizes = finite().map(f64::abs).filter(|&size| size > 0.0);
        match sizes.min_by(f64::total_cmp) {
            Some(least) if finite().any(|value| value < 0.0) => Spacing::Symmetric(least),
            _ => Spacing::Logarithmic,
        }
    }

    /// True if a number has a place.
    fn shows(self, value: f64) -> bool {
        can_be_shown(value) && (self != Spacing::Logarithmic || value > 0.0)
    }

    fn place(self, value: f64) -> f64 {
        match self {
            Spacing::Linear => value,
            Spacing::Logarithmic => value.ln(),
            Spacing::Symmetric(near) => {
                let size = value.abs() / near;
                let place = if size <= 1.0 { size * LN_2 } else { LN_2 + (value.abs().ln() - near.ln()) };
                place.copysign(value)
            }
        }
    }

    /// The value at a place.
    fn value(self, place: f64) -> f64 {
        match self {
            Spacing::Linear => place,
            Spacing::Logarithmic => place.exp(),
            Spacing::Symmetric(near) => {
                let away = place.abs();
                let value = if away <= LN_2 { near * away / LN_2 } else { (away - LN_2 + near.ln()).exp() };
                value.copysign(place)
            }
        }
    }
}

impl Scaling {
    /// The scaling that shows `values` with about `wanted` ticks. `round` widens the range to the outermost
    /// ticks. A logarithmic axis with negative values is a symmetric one. `None` if there is nothing that can
    /// be shown: no number, or on a logarithmic axis only zeros.
    #[must_use]
    pub fn new(values: &[f64], logarithmic: bool, wanted: usize, round: bool) -> Option<Scaling> {
        let spacing = if logarithmic { Spacing::logarithmic(values) } else { Spacing::Linear };
        let values = || values.iter().copied().filter(|&value| spacing.shows(value));
        let (low, high) = (values().min_by(f64::total_cmp)?, values().max_by(f64::total_cmp)?);
        let whole = values().all(|value| value.fract() == 0.0);
        let powers = whole && values().all(|value| value >= 1.0 && value.log2().fract() == 0.0);
        let mut scaling = Scaling::unmarked(low, high, spacing, round);
        match spacing {
            Spacing::Linear => scaling.mark_linear(wanted, round, whole && !round),
            Spacing::Logarithmic => {
                scaling.mark_logarithmic(wanted, powers && values().any(|value| value > 4.0))
            }
            Spacing::Symmetric(near) => scaling.mark_symmetric(near, wanted),
        }
        scaling.pad();
        Some(scaling)
    }

    /// A range with a width and without ticks.
    fn unmarked(low: f64, high: f64, spacing: Spacing, round: bool) -> Scaling {
        let mut scaling = Scaling { low, high, spacing, ticks: Vec::new(), faint: Vec::new() };
        scaling.widen(round);
        scaling
    }

    /// A linear scaling from `low` to `high` or somewhat beyond, to round ticks.
    #[must_use]
    pub fn linear(low: f64, high: f64, wanted: usize) -> Scaling {
        let mut scaling = Scaling::unmarked(low, high, Spacing::Linear, false);
        scaling.mark_linear(wanted, true, false);
        scaling
    }

    /// A symmetric logarithmic scaling from `low` to `high`, linear between zero and `near` on both sides.
    #[must_use]
    pub fn symmetric(low: f64, high: f64, near: f64, wanted: usize) -> Scaling {
        let mut scaling = Scaling::unmarked(low, high, Spacing::Symmetric(near), false);
        scaling.mark_symmetric(near, wanted);
        scaling
    }

    /// The name of the spacing in the label of an axis; `None` if it is linear.
    #[must_use]
    pub const fn spacing(&self) -> Option<&'static str> {
        match self.spacing {
            Spacing::Linear => None,
            Spacing::Logarithmic => Some("logarithmic"),
            Spacing::Symmetric(_) => Some("symmetric logarithmic"),
        }
    }

    /// Gives the range a width, and includes zero if it is near.
    fn widen(&mut self, round: bool) {
        if self.spacing == Spacing::Logarithmic {
            if self.high / self.low < 1.5 {
                (self.low, self.high) = (self.low / 1.25, self.high * 1.25);
            }
            return;
        }
        if round && self.low > 0.0 && self.low < 0.35 * self.high {
            self.low = 0.0;
        }
        if self.high - self.low <= 1e-9 * self.high.abs().max(self.low.abs()) {
            let half = if self.low == 0.0 { 1.0 } else { self.low.abs() * 0.1 };
            (self.low, self.high) = (self.low - half, self.high + half);
        }
    }

    fn mark_linear(&mut self, wanted: usize, round: bool, whole: bool) {
        let mut step = nice((self.high - self.low) / wanted.max(1) as f64);
        if whole {
            step = step.max(1.0).round();
        }
        let (first, last) = (self.low / step, self.high / step);
        // A rounding error does not make another tick.
        let (first, last) = if round {
            ((first + 1e-9).floor(), (last - 1e-9).ceil())
        } else {
            ((first - 1e-9).ceil(), (last + 1e-9).floor())
        };
        self.ticks = (first as i64..=last as i64).map(|tick| tick as f64 * step).collect();
        self.include_ticks();
    }

    fn mark_logarithmic(&mut self, wanted: usize, powers: bool) {
        let inside = |low: f64, high: f64, value: f64| value >= low * 0.999 && value <= high * 1.001;
        let (low, high) = (self.low, self.high);
        if powers {
            let (first, last) = (low.log2().ceil() as i32, high.log2().floor() as i32);
            let every = ((last - first) as usize / wanted.max(1) + 1).max(1);
            self.ticks = (first..=last).step_by(every).map(|power| 2f64.powi(power)).collect();
            return;
        }
        let decades = low.log10().floor() as i32..=high.log10().ceil() as i32;
        let at = |digits: &[f64]| -> Vec<f64> {
            let values =
                decades.clone().flat_map(|decade| digits.iter().map(move |d| d * 10f64.powi(decade)));
            values.filter(|&value| inside(low, high, value)).collect()
        };
        let (tens, fives) = (at(&[1.0]), at(&[1.0, 2.0, 5.0]));
        self.faint = if tens.len() <= 2 * wanted { at(&[2., 3., 4., 5., 6., 7., 8., 9.]) } else { vec![] };
        self.ticks = match fives.len() {
            0..4 => self.linear_ticks(wanted),
            few if few <= wanted + 3 => fives,
            _ => tens.iter().copied().step_by(tens.len() / (wanted + 3) + 1).collect(),
        };
    }

    /// Zero, and on both sides the ticks of a logarithmic axis.
    fn mark_symmetric(&mut self, near: f64, wanted: usize) {
        let far = self.low.abs().max(self.high.abs());
        let mut side = Scaling::unmarked(near, far, Spacing::Logarithmic, false);
        side.mark_logarithmic(wanted / 2, false);
        if side.ticks.len() > wanted / 2 {
            // Of 1, 2 and 5 in a decade, without the 2.
            side.ticks.retain(|tick| (tick / 10f64.powf(tick.log10().floor())).round() != 2.0);
        }
        let inside = |value: &f64| (self.low * 1.001..=self.high * 1.001).contains(value);
        let mirrored = |values: Vec<f64>| {
            let below = values.iter().rev().map(|value| -value);
            below.chain([0.0]).chain(values.iter().copied()).filter(inside).collect::<Vec<_>>()
        };
        (self.ticks, self.faint) = (mirrored(side.ticks), mirrored(side.faint));
        if self.ticks.is_empty() {
            self.ticks = self.linear_ticks(wanted);
        }
    }

    /// Round numbers in a range too narrow for decades.
    fn linear_ticks(&self, wanted: usize) -> Vec<f64> {
        let mut linear = Scaling { spacing: Spacing::Linear, ticks: vec![], faint: vec![], ..*self };
        linear.mark_linear(wanted, false, false);
        linear.ticks
    }

    fn include_ticks(&mut self) {
        if let (Some(&first), Some(&last)) = (self.ticks.first(), self.ticks.last()) {
            (self.low, self.high) = (self.low.min(first), self.high.max(last));
        }
    }

    /// Widens the range, so that markers at its ends are drawn whole.
    fn pad(&mut self) {
        let (low, high) = (self.spacing.place(self.low), self.spacing.place(self.high));
        let margin = (high - low) * 0.03;
        let floor = self.spacing == Spacing::Linear && self.low == 0.0;
        self.low = if floor { 0.0 } else { self.spacing.value(low - margin) };
        self.high = self.spacing.value(high + margin);
    }

    /// Place of a value, 0 at the low end and 1 at the high end; a value beyond an end is put there. `None`
    /// if it cannot be shown.
    #[must_use]
    pub fn place(&self, value: f64) -> Option<f64> {
        let place = |value: f64| self.spacing.place(value);
        let (low, high) = (place(self.low), place(self.high));
        self.spacing.shows(value).then(|| ((place(value) - low) / (high - low)).clamp(0.0, 1.0))
    }

    /// Label of a tick.
    #[must_use]
    pub fn label(&self, tick: f64) -> String {
        let gaps = self.ticks.windows(2).map(|pair| pair[1] - pair[0]);
        let alone = self.spacing != Spacing::Linear || self.ticks.len() == 1;
        let step = if alone { tick.abs() } else { gaps.fold(f64::INFINITY, f64::min) };
        // Multiples of it are not exact.
        let tick = if tick.abs() < step * 1e-9 { 0.0 } else { tick };
        let largest = self.ticks.iter().fold(0.0, |largest: f64, tick| largest.max(tick.abs()));
        let extreme = self.spacing == Spacing::Logarithmic
            && (largest >= 1e5 || self.ticks.iter().any(|&tick| tick < 1e-3));
        let base =
            [10.0, 2.0].into_iter().find(|&base| self.ticks.iter().all(|&t| exponent(t, base).is_some()));
        match base.and_then(|base| Some((base, exponent(tick, base)?))) {
            _ if tick == 0.0 && step < LEAST_STEP => "0".to_owned(),
            Some((base, power)) if extreme => superscript(base, power),
            _ => write(tick, step),
        }
    }
}

/// The round number next to a step: 1, 2 or 5 times a power of ten.
fn nice(step: f64) -> f64 {
    let power = 10f64.powf(step.log10().floor());
    let digits = step / power;
    let rounded = [1.0, 2.0, 5.0].into_iter().find(|&round| digits <= round * 1.2).unwrap_or(10.0);
    rounded * power
}

/// n, if a value is the n-th power of `base`.
fn exponent(value: f64, base: f64) -> Option<i32> {
    let power = value.log(base).round();
    ((value / base.powf(power) - 1.0).abs() < 1e-9).then_some(power as i32)
}

/// A power with its exponent raised.
fn superscript(base: f64, power: i32) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let raised =
        power.to_string().chars().map(|c| c.to_digit(10).map_or('⁻', |d| DIGITS[d as usize])).collect();
    match power {
        0 => "1".to_owned(),
        1 => base.to_string(),
        _ => [base.to_string(), raised].concat(),
    }
}

/// A number with as many decimals as `step` needs: with M, G or T from a million on, with a power of ten
/// where that would be unreadable.
fn write(value: f64, step: f64) -> String {
    if value != 0.0 && (value.abs() >= 1e15 || step.abs() < LEAST_STEP) {
        return scientific(value, step);
    }
    let units = [(1e12, " T"), (1e9, " G"), (1e6, " M"), (1.0, "")];
    let (size, suffix) = units.into_iter().find(|&(size, _)| value.abs() >= size).unwrap_or((1.0, ""));
    plain(value / size, step / size) + suffix
}

/// A number with thousands set apart and at most six decimals.
fn plain(value: f64, step: f64) -> String {
    let text = format!("{value:.*}", decimals(step, 6));
    let (sign, text) = text.strip_prefix('-').map_or(("", text.as_str()), |rest| ("−", rest));
    let (whole, fraction) = text.split_once('.').map_or((text, None), |(whole, rest)| (whole, Some(rest)));
    let whole = super::table::count(whole.parse().unwrap_or_default());
    fraction.map_or_else(|| format!("{sign}{whole}"), |fraction| format!("{sign}{whole}.{fraction}"))
}

/// Decimals that a step needs, at most `most`.
fn decimals(step: f64, most: usize) -> usize {
    let fits = |&decimals: &usize| {
        let scaled = step.abs() * 10f64.powi(decimals as i32);
        (scaled - scaled.round()).abs() < 1e-6 * scaled.max(1.0) && (scaled.round() > 0.0 || step == 0.0)
    };
    (0..=most).find(fits).unwrap_or(most)
}

/// Steps from this one on are written with six decimals, smaller ones with powers of ten.
const LEAST_STEP: f64 = 0.99e-6;

/// A number as a factor below ten and a power of ten, with as many decimals as `step` needs: 2.5·10⁻⁹.
fn scientific(value: f64, step: f64) -> String {
    let size = 10f64.powf(value.abs().log10().floor());
    let text = format!("{value:.*e}", decimals(step / size, 15));
    let (factor, power) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, factor) = factor.strip_prefix('-').map_or(("", factor), |factor| ("−", factor));
    let power = superscript(10.0, power.parse().unwrap_or_default());
    let factor =
        if factor.contains('.') { factor.trim_end_matches('0').trim_end_matches('.') } else { factor };
    if factor == "1" { format!("{sign}{power}") } else { format!("{sign}{factor}·{power}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(values: &[f64], logarithmic: bool, round: bool) -> Vec<String> {
        let scaling = Scaling::new(values, logarithmic, 6, round).unwrap();
        scaling.ticks.iter().map(|&tick| scaling.label(tick)).collect()
    }

    #[test]
    fn ticks_are_round_numbers() {
        assert_eq!(
            labels(&[83.0, 118.0], false, true),
            ["80", "85", "90", "95", "100", "105", "110", "115", "120"]
        );
        assert_eq!(labels(&[2.0, 9.0], false, false), ["2", "3", "4", "5", "6", "7", "8", "9"]);
        assert_eq!(labels(&[0.011, 0.05], false, true), ["0.00", "0.01", "0.02", "0.03", "0.04", "0.05"]);
        assert_eq!(labels(&[-3.0, 3.0], false, true), ["−3", "−2", "−1", "0", "1", "2", "3"]);
        assert_eq!(labels(&[0.0, 4_000_000.0], false, true), ["0", "1 M", "2 M", "3 M", "4 M"]);
        assert_eq!(labels(&[0.0, 40_000.0], false, true), ["0", "10,000", "20,000", "30,000", "40,000"]);
    }

    #[test]
    fn ticks_of_whole_numbers_are_whole() {
        assert_eq!(labels(&[2.0, 4.0], false, false), ["2", "3", "4"]);
        assert_eq!(labels(&[5.0], false, false), ["5"]);
    }

    #[test]
    fn logarithmic_ticks_fit_the_range() {
        assert_eq!(labels(&[120.0, 3e6], true, true), ["10³", "10⁴", "10⁵", "10⁶"]);
        assert_eq!(labels(&[4.0, 900.0], true, true), ["5", "10", "20", "50", "100", "200", "500"]);
        assert_eq!(labels(&[1024.0, 16384.0], true, false), ["1,024", "2,048", "4,096", "8,192", "16,384"]);
        assert_eq!(labels(&[262_144.0, 2_097_152.0], true, false), ["2¹⁸", "2¹⁹", "2²⁰", "2²¹"]);
        assert_eq!(labels(&[88.0, 131.0], true, true), ["80", "100", "120", "140", "160"]);
        assert_eq!(labels(&[1e-5, 1e-2], true, true), ["10⁻⁵", "10⁻⁴", "10⁻³", "10⁻²"]);
    }

    #[test]
    fn a_logarithmic_axis_with_negative_values_is_symmetric_about_zero() {
        let values = [-3200.0, -1600.0, -100.0, -50.0, 0.0, 50.0, 100.0, 1600.0, 3200.0];
        let scaling = Scaling::new(&values, true, 8, false).unwrap();
        let place = |value| scaling.place(value).unwrap();
        assert_eq!(scaling.spacing(), Some("symmetric logarithmic"));
        assert!((place(0.0) - 0.5).abs() < 1e-9);
        assert!(values.iter().all(|&value| (place(value) + place(-value) - 1.0).abs() < 1e-9));
        // Equal factors are equal distances, and so is the way from zero to the least value.
        let steps = [place(50.0) - place(0.0), place(100.0) - place(50.0), place(3200.0) - place(1600.0)];
        assert!(steps.iter().all(|step| (step - steps[0]).abs() < 1e-9), "{steps:?}");
        assert_eq!(
            labels(&values, true, false),
            ["−1,000", "−500", "−100", "−50", "0", "50", "100", "500", "1,000"]
        );
        assert_eq!(labels(&[-0.5, 0.0, 3.0], true, false), ["0", "1", "2", "3"]);
    }

    #[test]
    fn places_follow_the_scale() {
        let linear = Scaling::new(&[0.0, 10.0], false, 5, true).unwrap();
        let (low, middle, high) =
            (linear.place(0.0).unwrap(), linear.place(5.0).unwrap(), linear.place(10.0).unwrap());
        assert!((low + high - 2.0 * middle).abs() < 1e-9 && low < middle && high <= 1.0);
        let log = Scaling::new(&[1.0, 10_000.0], true, 5, true).unwrap();
        assert!((log.place(100.0).unwrap() - 0.5).abs() < 1e-9);
        assert_eq!((log.place(0.0), log.place(f64::NAN), linear.place(-1e9)), (None, None, Some(0.0)));
    }

    #[test]
    fn every_tick_and_value_has_a_place_inside() {
        let samples: [&[f64]; 9] = [
            &[7.0],
            &[0.0],
            &[-5.0, -5.0],
            &[1e-3, 1e9],
            &[99.2, 101.7],
            &[3.0, 4e7, 2.0],
            &[1e15, 1e16],
            &[-400.0, -5.0, 0.0, 5.0, 400.0],
            &[-1e9, 1e-3, 7.0],
        ];
        for values in samples {
            for (logarithmic, round) in [(false, false), (false, true), (true, false), (true, true)] {
                let Some(scaling) = Scaling::new(values, logarithmic, 6, round) else {
                    assert!(logarithmic && values.iter().all(|&value| value == 0.0));
                    continue;
                };
                assert!((1..=20).contains(&scaling.ticks.len()), "{values:?} {scaling:?}");
                for &value in values.iter().chain(&scaling.ticks) {
                    let clipped =
                        scaling.place(value).is_none_or(|at| at <= 0.0 && value != 0.0 || at >= 1.0);
                    assert!(!clipped, "{value} in {scaling:?}");
                }
            }
        }
    }

    /// Numbers at the ends of what an axis shows, and beyond.
    const ENDS: [f64; 16] = [
        0.0,
        -0.0,
        1.0,
        -7.0,
        1e-250,
        -1e-250,
        1e250,
        -1e250,
        5e-324,
        f64::MIN_POSITIVE,
        8e307,
        -8e307,
        1e15,
        3e-9,
        f64::NAN,
        f64::INFINITY,
    ];

    #[test]
    fn numbers_of_any_size_have_places_or_none() {
        for (one, other) in ENDS.into_iter().flat_map(|one| ENDS.map(|other| (one, other))) {
            for (logarithmic, round) in [(false, false), (false, true), (true, false), (true, true)] {
                let shown = [one, other].map(|value| can_be_shown(value) && !(logarithmic && value == 0.0));
                let Some(scaling) = Scaling::new(&[one, other], logarithmic, 6, round) else {
                    assert!(!shown[0] && !shown[1] || logarithmic, "{one:e} {other:e}");
                    continue;
                };
                assert!((1..=20).contains(&scaling.ticks.len()), "{one:e} {other:e} {scaling:?}");
                assert!(scaling.faint.len() < 10_000, "{one:e} {other:e}");
                for &value in [one, other].iter().chain(&scaling.ticks).chain(&scaling.faint) {
                    let fits = |place: f64| (0.0..=1.0).contains(&place);
                    assert!(scaling.place(value).is_none_or(fits), "{value:e} in {scaling:?}");
                }
                let labels: Vec<String> = scaling.ticks.iter().map(|&tick| scaling.label(tick)).collect();
                assert!(labels.iter().all(|label| label.chars().count() < 30), "{labels:?}");
                assert!(labels.windows(2).all(|two| two[0] != two[1]), "{one:e} {other:e} {labels:?}");
            }
        }
    }

    #[test]
    fn numbers_beyond_millionths_and_trillions_are_written_with_a_power_of_ten() {
        assert_eq!(labels(&[0.0, 2e-9], false, true), ["0", "5·10⁻¹⁰", "10⁻⁹", "1.5·10⁻⁹", "2·10⁻⁹"]);
        assert_eq!(labels(&[-1e20, 1e20], false, true), ["−10²⁰", "−5·10¹⁹", "0", "5·10¹⁹", "10²⁰"]);
    }

    #[test]
    fn without_a_number_there_is_no_scaling() {
        assert_eq!(Scaling::new(&[], false, 5, true), None);
        assert_eq!(Scaling::new(&[f64::NAN, f64::INFINITY], false, 5, true), None);
        assert_eq!(Scaling::new(&[0.0, 0.0], true, 5, true), None);
    }
}
