//! Network files: the weights of a trained network, in floating point or quantised.
//!
//! A line of text names the architecture and the scale; behind it lie a checksum (FNV-1a, 8 bytes) and the
//! parameters in the order of [`Layout`], all little-endian. Version 1 has 4 bytes of floating point for
//! each: what a training writes and begins with. Version 2 has the whole numbers to which the engine
//! quantises them ([`Rounding`]), 2 bytes each and 4 for output biases: half the size, the same values in
//! play. Its line ends with the fingerprint of the file in floating point, by which both are the same
//! network, and its checksum covers the line.

use super::architecture::Architecture;
use super::layout::Layout;
use super::rounding::Rounding;
use crate::digest::{digest, extend};
use crate::files;
use std::path::Path;

/// The first words of a file in floating point.
const FLOATING: &str = "plumb network 1: ";

/// The first words of a quantised file.
const QUANTISED: &str = "plumb network 2: ";

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
    /// The bytes of a file in floating point.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        let numbers: Vec<u8> = self.parameters.iter().flat_map(|number| number.to_le_bytes()).collect();
        let mut bytes = format!("{FLOATING}{}, scale {}\n", self.architecture, self.scale).into_bytes();
        bytes.extend(digest(&numbers).to_le_bytes());
        bytes.extend(numbers);
        bytes
    }

    /// The fingerprint: the digest of the file in floating point.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        digest(&self.bytes())
    }

    /// The bytes of a quantised file. `fingerprint` is that of the network in floating point.
    #[must_use]
    pub fn quantised_bytes(&self, fingerprint: u64) -> Vec<u8> {
        let (architecture, scale) = (&self.architecture, self.scale);
        let line = format!("{QUANTISED}{architecture}, scale {scale}, fingerprint {fingerprint:016x}\n");
        let mut numbers = Vec::new();
        for (part, rounding) in Rounding::of_parts(architecture) {
            for &parameter in &self.parameters[part] {
                numbers.extend_from_slice(&rounding.quantised(parameter).to_le_bytes()[..rounding.bytes()]);
            }
        }
        let sum = extend(digest(line.as_bytes()), &numbers);
        [line.as_bytes(), &sum.to_le_bytes(), &numbers].concat()
    }

    /// Reads a file. Parameters of a quantised one are those that its whole numbers stand for.
    ///
    /// # Errors
    /// Says why it cannot be read or used.
    pub fn open(path: &Path) -> Result<TrainedNetwork, String> {
        TrainedNetwork::parse(&read(path)?)
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// Says why they are no network, or none that can be used.
    pub fn parse(bytes: &[u8]) -> Result<TrainedNetwork, String> {
        parse(bytes).map(|(network, _)| network)
    }
}

/// The bytes of a file.
///
/// # Errors
/// If it cannot be read, is no regular file, or larger than any network.
pub fn read(path: &Path) -> Result<Vec<u8>, String> {
    files::read_regular(path, MOST_BYTES).map_err(|error| error.to_string())
}

/// The network of the bytes of a file, and its fingerprint.
///
/// # Errors
/// Says why they are no network, or none that can be used.
pub fn parse(bytes: &[u8]) -> Result<(TrainedNetwork, u64), String> {
    let foreign = || "not a network of Plumb".to_owned();
    let end = bytes.iter().take(MOST_LINE).position(|&byte| byte == b'\n').ok_or_else(foreign)?;
    let line = std::str::from_utf8(&bytes[..end]).map_err(|_| foreign())?;
    let (line, is_floating) = match line.strip_prefix(FLOATING) {
        Some(line) => (line, true),
        None => (line.strip_prefix(QUANTISED).ok_or_else(foreign)?, false),
    };
    let (sum, numbers) = bytes[end + 1..].split_first_chunk().ok_or("it is cut short")?;
    let sum = u64::from_le_bytes(*sum);
    if is_floating {
        let (architecture, scale) = read_line(line)?;
        check(numbers, 4 * Layout::of(&architecture).len, sum, digest(numbers))?;
        let network = TrainedNetwork { architecture, scale, parameters: floating(numbers)? };
        let fingerprint = network.fingerprint();
        Ok((network, fingerprint))
    } else {
        let (line, fingerprint) = line.rsplit_once(", fingerprint ").ok_or_else(foreign)?;
        let fingerprint = u64::from_str_radix(fingerprint, 16).map_err(|_| foreign())?;
        let (architecture, scale) = read_line(line)?;
        check(numbers, quantised_length(&architecture), sum, extend(digest(&bytes[..=end]), numbers))?;
        let parameters = dequantised(numbers, &architecture);
        Ok((TrainedNetwork { architecture, scale, parameters }, fingerprint))
    }
}

/// Architecture and scale of the first line, without its first words.
fn read_line(line: &str) -> Result<(Architecture, f32), String> {
    let (architecture, scale) = line.rsplit_once(", scale ").ok_or("not a network of Plumb")?;
    let architecture = architecture.parse()?;
    let scale = scale.parse().ok().filter(|scale| SCALES.contains(scale));
    Ok((architecture, scale.ok_or("its scale is out of range")?))
}

/// Fails unless there are so many bytes of weights, with the checksum that the file tells.
fn check(numbers: &[u8], expected: usize, told: u64, found: u64) -> Result<(), String> {
    if numbers.len() != expected {
        return Err(format!("it has {} bytes of weights instead of {expected}", numbers.len()));
    }
    if told == found { Ok(()) } else { Err("it is damaged: the checksum does not match".to_owned()) }
}

/// Parameters of 4 bytes each.
fn floating(numbers: &[u8]) -> Result<Vec<f32>, String> {
    let parameters: Vec<f32> = numbers.as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();
    if parameters.iter().any(|number| !number.is_finite()) {
        return Err("it has a weight that is no number".to_owned());
    }
    Ok(parameters)
}

/// Bytes of the parameters in whole numbers.
fn quantised_length(architecture: &Architecture) -> usize {
    Rounding::of_parts(architecture).map(|(part, rounding)| part.len() * rounding.bytes()).sum()
}

/// The parameters that so many bytes of whole numbers stand for.
fn dequantised(mut numbers: &[u8], architecture: &Architecture) -> Vec<f32> {
    let mut parameters = Vec::with_capacity(Layout::of(architecture).len);
    for (part, rounding) in Rounding::of_parts(architecture) {
        let (of_part, rest) = numbers.split_at(part.len() * rounding.bytes());
        let whole: Vec<i32> = match rounding.bytes() {
            2 => of_part.as_chunks().0.iter().map(|&bytes| i16::from_le_bytes(bytes).into()).collect(),
            _ => of_part.as_chunks().0.iter().map(|&bytes| i32::from_le_bytes(bytes)).collect(),
        };
        parameters.extend(whole.into_iter().map(|number| rounding.parameter(number)));
        numbers = rest;
    }
    parameters
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::network::tests::{architectures, random};

    #[test]
    fn a_network_comes_back_from_its_bytes() {
        for architecture in architectures() {
            let network = TrainedNetwork { scale: 362.5, ..random(architecture, 5) };
            assert_eq!(parse(&network.bytes()).unwrap(), (network.clone(), network.fingerprint()));
        }
    }

    #[test]
    fn a_quantised_file_is_half_as_long_and_comes_back() {
        for architecture in architectures() {
            let network = TrainedNetwork { scale: 362.5, ..random(architecture, 5) };
            let bytes = network.quantised_bytes(network.fingerprint());
            let (read, fingerprint) = parse(&bytes).unwrap();
            assert_eq!((read.scale, fingerprint), (362.5, network.fingerprint()));
            assert_eq!(read.quantised_bytes(fingerprint), bytes);
            assert!(bytes.len() < network.bytes().len() / 2 + 200, "{} bytes", bytes.len());
        }
    }

    #[test]
    fn damaged_and_foreign_files_are_refused() {
        let network = random(Architecture { width: 32, ..Architecture::default() }, 5);
        refuses_damages_of(&network.bytes());
        refuses_damages_of(&network.quantised_bytes(network.fingerprint()));
    }

    fn refused(bytes: &[u8]) -> String {
        TrainedNetwork::parse(bytes).unwrap_err()
    }

    fn refuses_damages_of(whole: &[u8]) {
        for length in [0, 10, 40, 100, 140, whole.len() - 1] {
            refused(&whole[..length]);
        }
        refused(&[whole, b"x"].concat());
        for place in [3, 14, 30, 120, 150, 4000, whole.len() - 2] {
            let mut damaged = whole.to_owned();
            damaged[place] ^= 0x10;
            refused(&damaged);
        }
    }

    #[test]
    fn lines_that_make_no_sense_are_refused() {
        let whole = random(Architecture { width: 32, ..Architecture::default() }, 5).bytes();
        let with_line = |line: &str| {
            let end = whole.iter().position(|&byte| byte == b'\n').unwrap();
            refused(&[line.as_bytes(), &whole[end..]].concat())
        };
        let options = "activation screlu, king buckets 1, mirrored true, output buckets 8";
        assert!(with_line(&format!("{FLOATING}width 100, {options}, scale 400")).contains("multiple of 32"));
        assert!(with_line(&format!("{FLOATING}width 64, {options}, scale 400")).contains("bytes of weights"));
        assert!(with_line(&format!("{FLOATING}width 32, {options}, scale 0")).contains("scale"));
        assert!(with_line(&format!("{FLOATING}width 32, {options}, scale NaN")).contains("scale"));
        let mut network = random(Architecture { width: 32, ..Architecture::default() }, 5);
        network.parameters[7] = f32::NAN;
        assert!(refused(&network.bytes()).contains("no number"));
    }
}
