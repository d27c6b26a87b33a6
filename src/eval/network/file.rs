//! Network files: the weights of a trained network in floating point.
//!
//! A line of text names the architecture and the scale; behind it lie a checksum (FNV-1a, 8 bytes) and the
//! parameters in the order of [`Layout`], 4 bytes each, all little-endian. Weights are kept in floating point
//! because a file is quantised when it is read: one file serves the engine and further training.

use super::architecture::Architecture;
use super::layout::Layout;
use crate::digest::digest;
use crate::files;
use std::path::Path;

/// The first words of a file.
const MAGIC: &str = "plumb network 1: ";

/// The largest file that is read, in bytes: above every architecture.
const MOST_BYTES: u64 = 64 << 20;

/// The longest first line, in bytes.
const MOST_LINE: usize = 256;

/// Range of the scale.
pub const SCALES: std::ops::RangeInclusive<f32> = 1.0..=10_000.0;

/// A trained network in floating point.
#[derive(Clone, Debug, PartialEq)]
pub struct TrainedNetwork {
    /// Widths and options.
    pub architecture: Architecture,
    /// Centipawns that an output of 1 means.
    pub scale: f32,
    /// The parameters, in the order of [`Layout`].
    pub parameters: Vec<f32>,
}

impl TrainedNetwork {
    /// The bytes of a file.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        let numbers: Vec<u8> = self.parameters.iter().flat_map(|number| number.to_le_bytes()).collect();
        let mut bytes = format!("{MAGIC}{}, scale {}\n", self.architecture, self.scale).into_bytes();
        bytes.extend(digest(&numbers).to_le_bytes());
        bytes.extend(numbers);
        bytes
    }

    /// Reads a file.
    ///
    /// # Errors
    /// Says why it cannot be read or used.
    pub fn open(path: &Path) -> Result<TrainedNetwork, String> {
        TrainedNetwork::parse(&files::read_regular(path, MOST_BYTES).map_err(|error| error.to_string())?)
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// Says why they are no network, or none that can be used.
    pub fn parse(bytes: &[u8]) -> Result<TrainedNetwork, String> {
        let foreign = || "not a network of Plumb".to_owned();
        let rest = bytes.strip_prefix(MAGIC.as_bytes()).ok_or_else(foreign)?;
        let end = rest.iter().take(MOST_LINE).position(|&byte| byte == b'\n').ok_or_else(foreign)?;
        let line = std::str::from_utf8(&rest[..end]).map_err(|_| foreign())?;
        let (architecture, scale) = line.rsplit_once(", scale ").ok_or_else(foreign)?;
        let architecture: Architecture = architecture.parse()?;
        let scale = scale.parse().ok().filter(|scale| SCALES.contains(scale));
        let scale = scale.ok_or_else(|| "its scale is out of range".to_owned())?;
        let (sum, numbers) = rest[end + 1..].split_first_chunk().ok_or("it is cut short")?;
        let expected = 4 * Layout::of(&architecture).len;
        if numbers.len() != expected {
            return Err(format!("it has {} bytes of weights instead of {expected}", numbers.len()));
        }
        if digest(numbers) != u64::from_le_bytes(*sum) {
            return Err("it is damaged: the checksum does not match".to_owned());
        }
        let parameters: Vec<f32> =
            numbers.as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();
        if parameters.iter().any(|number| !number.is_finite()) {
            return Err("it has a weight that is no number".to_owned());
        }
        Ok(TrainedNetwork { architecture, scale, parameters })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::network::tests::random;
    use crate::eval::network::{Activation, KingBuckets};

    #[test]
    fn a_network_comes_back_from_its_bytes() {
        for architecture in [
            Architecture::default(),
            Architecture {
                width: 32,
                activation: Activation::CRelu,
                king_buckets: KingBuckets::Four,
                mirrored: false,
                output_buckets: 1,
                attack_neurons: 64,
            },
        ] {
            let network = TrainedNetwork { scale: 362.5, ..random(architecture, 5) };
            assert_eq!(TrainedNetwork::parse(&network.bytes()).unwrap(), network);
        }
    }

    #[test]
    fn damaged_and_foreign_files_are_refused() {
        let whole = random(Architecture { width: 32, ..Architecture::default() }, 5).bytes();
        let refused = |bytes: &[u8]| TrainedNetwork::parse(bytes).unwrap_err();
        for length in [0, 10, 40, 100, 140, whole.len() - 1] {
            refused(&whole[..length]);
        }
        refused(&[&whole[..], b"x"].concat());
        for place in [3, 30, 150, 4000, whole.len() - 2] {
            let mut damaged = whole.clone();
            damaged[place] ^= 0x10;
            refused(&damaged);
        }
        let with_line = |line: &str| {
            let end = whole.iter().position(|&byte| byte == b'\n').unwrap();
            refused(&[line.as_bytes(), &whole[end..]].concat())
        };
        let options = "activation screlu, king buckets 1, mirrored true, output buckets 8";
        assert!(with_line(&format!("{MAGIC}width 100, {options}, scale 400")).contains("multiple of 32"));
        assert!(with_line(&format!("{MAGIC}width 64, {options}, scale 400")).contains("bytes of weights"));
        assert!(with_line(&format!("{MAGIC}width 32, {options}, scale 0")).contains("scale"));
        assert!(with_line(&format!("{MAGIC}width 32, {options}, scale NaN")).contains("scale"));
        let mut network = random(Architecture { width: 32, ..Architecture::default() }, 5);
        network.parameters[7] = f32::NAN;
        assert!(refused(&network.bytes()).contains("no number"));
    }
}
