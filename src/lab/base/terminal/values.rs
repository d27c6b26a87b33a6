//! Values that several commands read: depths, shares of the work for several machines.

/// Search depths that can be asked for, in plies.
pub(in crate::lab) const DEPTHS: std::ops::RangeInclusive<i64> = 1..=crate::chess::score::MAX_PLY as i64 - 1;

/// Share of the work that one of several machines does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Number of the share, from 1.
    pub number: usize,
    /// Number of shares.
    pub of: usize,
}

impl Shard {
    /// The whole work, as a single share.
    pub const WHOLE: Shard = Shard { number: 1, of: 1 };

    /// True if the unit of an index (from 0) belongs to the share: shares take units in turn.
    #[must_use]
    pub fn has(self, index: usize) -> bool {
        index % self.of == self.number - 1
    }
}

/// Reads a share, as in `2/3`.
pub(in crate::lab) fn shard(text: &str) -> Result<Shard, String> {
    let numbers =
        text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
    match numbers {
        Some((number, of)) if (1..=of).contains(&number) => Ok(Shard { number, of }),
        _ => Err("a share is I/N with I from 1 to N, as in 2/3".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_cover_everything_once() {
        for of in 1..6 {
            let shares: Vec<Shard> = (1..=of).map(|i| shard(&format!("{i}/{of}")).unwrap()).collect();
            for index in 0..20 {
                assert_eq!(shares.iter().filter(|share| share.has(index)).count(), 1);
            }
        }
        for wrong in ["", "1", "0/2", "3/2", "0/0", "a/b", "-1/2"] {
            assert!(shard(wrong).is_err(), "{wrong}");
        }
    }
}
