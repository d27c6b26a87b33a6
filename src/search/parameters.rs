//! Numbers of selective search. Each is declared in the file of its technique, once: name, default, range; a
//! file lists its own as `PARAMETERS`, and [`super::tunable_parameters`] lists them all.
//!
//! In an ordinary build they are constants. With the feature `tuning` they are fields of the settings and UCI
//! options, so that two settings of one program can play each other. A parameter that decides whether its
//! technique applies at all has one value outside its range that turns the technique off (`off`): SPSA never
//! sets it, the UCI option accepts it. A match with and without it measures the technique, with any backend.
//! A range from 0 to 1 is a switch, which SPSA leaves alone.

/// Declares the parameters of a technique: a method of [`Parameters`] for each, and their list.
macro_rules! parameters {
    ($(
        $(#[doc = $about:literal])+
        $name:ident: $default:literal in $min:literal..=$max:literal $(, off $off:literal)?;
    )+) => {
        impl $crate::search::parameters::Parameters {
            $(
                $(#[doc = $about])+
                #[inline]
                pub(in crate::search) const fn $name(&self) -> i32 {
                    const SLOT: usize = $crate::search::parameters::slot(stringify!($name));
                    self.value(SLOT, $default)
                }
            )+
        }

        /// The parameters of this file, in the order of their declaration.
        pub(in crate::search) const PARAMETERS: &[$crate::search::parameters::Parameter] =
            &[$($crate::search::parameters::Parameter {
                name: stringify!($name),
                about: concat!($($about),+),
                default: $default,
                min: $min,
                max: $max,
                off: $crate::search::parameters::last([None $(, Some($off))?]),
            },)+];
    };
}

pub(super) use parameters;

/// Parameters of selective search.
#[cfg(not(feature = "tuning"))]
#[derive(Clone, Copy, Debug, Default)]
pub struct Parameters {}

/// Number of places for values that differ from their defaults.
#[cfg(feature = "tuning")]
const SLOTS: usize = 4096;

/// Parameters of selective search: what each has been changed by, at the hash of its name, so that no file
/// has to know all names. That no two share a place is tested.
#[cfg(feature = "tuning")]
#[derive(Clone, Copy)]
pub struct Parameters {
    changes: [i32; SLOTS],
}

/// The place of a parameter: its name by FNV-1a.
pub(super) const fn slot(name: &str) -> usize {
    let (bytes, mut hash, mut at) = (name.as_bytes(), 0x811c_9dc5_u32, 0);
    while at < bytes.len() {
        hash = (hash ^ bytes[at] as u32).wrapping_mul(0x0100_0193);
        at += 1;
    }
    (hash >> 20) as usize
}

/// The last of some values.
pub(super) const fn last<const N: usize>(values: [Option<i32>; N]) -> Option<i32> {
    values[N - 1]
}

impl Parameters {
    /// The value of a parameter.
    #[cfg(not(feature = "tuning"))]
    #[inline]
    pub(super) const fn value(&self, _slot: usize, default: i32) -> i32 {
        default
    }

    /// The value of a parameter.
    #[cfg(feature = "tuning")]
    #[inline]
    pub(super) const fn value(&self, slot: usize, default: i32) -> i32 {
        default + self.changes[slot]
    }
}

#[cfg(feature = "tuning")]
impl Default for Parameters {
    fn default() -> Parameters {
        Parameters { changes: [0; SLOTS] }
    }
}

#[cfg(feature = "tuning")]
impl std::fmt::Debug for Parameters {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let changed = self.changes.iter().enumerate().filter(|(_, change)| **change != 0);
        f.debug_map().entries(changed).finish()
    }
}

/// One parameter: its name, help text and range.
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
}

impl Parameter {
    /// Its value.
    #[must_use]
    pub const fn get(&self, parameters: &Parameters) -> i32 {
        parameters.value(slot(self.name), self.default)
    }

    /// Sets it.
    #[cfg(feature = "tuning")]
    pub const fn set(&self, parameters: &mut Parameters, value: i32) {
        parameters.changes[slot(self.name)] = value - self.default;
    }

    /// The values that its option takes: from the least to the greatest, that which turns the technique off
    /// included.
    #[cfg(feature = "tuning")]
    #[must_use]
    pub fn option_range(&self) -> (i32, i32) {
        let off = self.off.unwrap_or(self.min);
        (self.min.min(off), self.max.max(off))
    }
}
