//! Parameters of selective search, each declared once: name, default, range. They are used in `pruning`,
//! `reduction`, `history` and `correction_history`.
//!
//! In an ordinary build they are constants. With the feature `tuning` they are fields of the settings and UCI
//! options, so that two settings of one program can play each other. A parameter that decides whether its
//! technique applies at all has one value outside its range that turns the technique off (`off`): SPSA never
//! sets it, the UCI option accepts it. A match with and without it measures the technique, with any backend.
//! A range from 0 to 1 is a switch, which SPSA leaves alone.

/// Declares the parameters.
macro_rules! parameters {
    ($(
        $(#[doc = $about:literal])+
        $name:ident: $default:literal in $min:literal..=$max:literal $(, off $off:literal)?;
    )+) => {
        /// Parameters of selective search.
        #[cfg(not(feature = "tuning"))]
        #[derive(Clone, Copy, Debug, Default)]
        pub struct Parameters {}

        #[cfg(not(feature = "tuning"))]
        impl Parameters {
            $($(#[doc = $about])+ #[inline] pub(super) const fn $name(&self) -> i32 { $default })+
        }

        /// Parameters of selective search.
        #[cfg(feature = "tuning")]
        #[derive(Clone, Copy, Debug)]
        pub struct Parameters {
            $($name: i32,)+
        }

        #[cfg(feature = "tuning")]
        impl Default for Parameters {
            fn default() -> Parameters {
                Parameters { $($name: $default,)+ }
            }
        }

        #[cfg(feature = "tuning")]
        impl Parameters {
            $($(#[doc = $about])+ #[inline] pub(super) const fn $name(&self) -> i32 { self.$name })+
        }

        /// One parameter: its name, help text, range, and access.
        pub struct Parameter {
            /// Its name.
            pub name: &'static str,
            /// Its help text.
            pub about: &'static str,
            /// The value of an ordinary build.
            pub default: i32,
            /// The least value in tuning.
            pub min: i32,
            /// The greatest value in tuning.
            pub max: i32,
            /// A value beside the range that turns the technique off, if there is one.
            pub off: Option<i32>,
            /// Reads it.
            pub get: fn(&Parameters) -> i32,
            /// Sets it.
            #[cfg(feature = "tuning")]
            pub set: fn(&mut Parameters, i32),
        }

        impl Parameter {
            /// Every parameter, in the order of their declaration.
            pub const ALL: &[Parameter] = &[$(Parameter {
                name: stringify!($name),
                about: concat!($($about),+),
                default: $default,
                min: $min,
                max: $max,
                off: last([None $(, Some($off))?]),
                get: Parameters::$name,
                #[cfg(feature = "tuning")]
                set: |parameters, value| parameters.$name = value,
            },)+];
        }
    };
}

/// The last of some values.
const fn last<const N: usize>(values: [Option<i32>; N]) -> Option<i32> {
    values[N - 1]
}

impl Parameter {
    /// The values that its option takes: from the least to the greatest, that which turns the technique off
    /// included.
    #[cfg(feature = "tuning")]
    #[must_use]
    pub fn option_range(&self) -> (i32, i32) {
        let off = self.off.unwrap_or(self.min);
        (self.min.min(off), self.max.max(off))
    }
}

parameters! {
    /// Reverse futility pruning: centipawns a ply.
    reverse_futility_slope: 54 in 40..=140;
    /// Reverse futility pruning: centipawns less where the evaluation has risen.
    reverse_futility_improving: 41 in 0..=120;
    /// Reverse futility pruning: the deepest node, in plies.
    reverse_futility_depth: 8 in 3..=14, off 0;
    /// Futility pruning: centipawns at the last ply.
    futility_base: 154 in 30..=250;
    /// Futility pruning: centipawns a ply that the move would be searched.
    futility_slope: 50 in 40..=160;
    /// Futility pruning: the deepest search of a quiet move that is pruned, in plies.
    futility_depth: 7 in 3..=14, off 0;
    /// Delta pruning: centipawns beyond the piece taken.
    delta: 233 in 60..=350, off 100_000;
    /// Late move pruning: quiet moves that are searched in any case.
    late_moves_base: 3 in 1..=8;
    /// Late move pruning: quiet moves searched beyond that, in per cent of the squared depth.
    late_moves_slope: 123 in 50..=180;
    /// Late move pruning: none while the best move loses more centipawns than this.
    late_moves_loss: 150 in 40..=400;
    /// Late move pruning: the deepest node, in plies.
    late_moves_depth: 7 in 3..=14, off 0;
    /// Late move and futility pruning: the shallowest node at which checks are searched, in plies.
    quiet_checks_depth: 2 in 1..=8;
    /// SEE pruning of quiet moves: centipawns a ply that they would be searched.
    exchange_quiet: 95 in 20..=110;
    /// SEE pruning of captures: centipawns by the squared depth.
    exchange_noisy: 21 in 8..=50;
    /// SEE pruning: the deepest search of a move that is pruned, in plies.
    exchange_depth: 7 in 3..=14, off 0;
    /// Null move pruning: the shallowest node, in plies.
    null_move_depth: 3 in 2..=6, off 1000;
    /// Null move pruning: the reduction's constant part, in 1/100 ply.
    null_move_base: 362 in 200..=500;
    /// Null move pruning: the reduction's part for each ply of depth, in 1/100 ply.
    null_move_slope: 34 in 15..=50;
    /// Internal iterative reduction: the shallowest node, in plies.
    iir_depth: 4 in 2..=8, off 1000;
    /// Late move reductions: the shallowest node, in plies.
    reduction_depth: 2 in 2..=5, off 1000;
    /// Late move reductions: the constant part, in 1/100 ply.
    reduction_base: 102 in 0..=150;
    /// Late move reductions: what the product of the logarithms is divided by, in 1/100.
    reduction_divisor: 228 in 150..=350;
    /// Late move reductions: history that is worth a ply.
    reduction_history: 7004 in 6000..=30000, off 1_000_000_000;
    /// Late move reductions: plies less at nodes of the principal variation, in 1/1024.
    reduction_pv: 957 in 0..=2048;
    /// Late move reductions: plies more at nodes expected to cut off, in 1/1024.
    reduction_cut: 665 in 0..=2560;
    /// Late move reductions: plies more where the evaluation has not risen, in 1/1024.
    lmr_not_improving: 811 in 0..=1536;
    /// Re-search of a move that beats alpha at a node of the principal variation where no scout went before
    /// (null windows, Alpha-Beta): 1 searches it again as such a node, 0 believes the value.
    verified_fail_highs: 0 in 0..=1;
    /// Histories: bonus by depth.
    history_slope: 87 in 0..=160;
    /// Histories: the largest bonus.
    history_max: 914 in 600..=3200;
    /// Correction history: how much an error of the evaluation teaches, in 1/128 a ply of depth.
    correction_rate: 20 in 4..=48, off 0;
    /// Correction history: units of an entry in a centipawn.
    correction_scale: 20 in 10..=48;
    /// Singular extension: the shallowest node, in plies.
    singular_depth: 5 in 4..=10, off 1000;
    /// Singular extension: centipawns below the table's bound by depth, in 1/64.
    singular_slope: 106 in 32..=256;
    /// Singular extension: centipawns farther for a second ply.
    double_extension_margin: 20 in 4..=80, off 100_000;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_lie_in_their_ranges_and_are_the_values_of_a_search() {
        for parameter in Parameter::ALL {
            let range = parameter.min..=parameter.max;
            assert!(range.contains(&parameter.default), "{}", parameter.name);
            assert!(!parameter.off.is_some_and(|off| range.contains(&off)), "{}", parameter.name);
            assert_eq!((parameter.get)(&Parameters::default()), parameter.default, "{}", parameter.name);
            assert!(!parameter.about.trim().is_empty());
        }
    }
}
