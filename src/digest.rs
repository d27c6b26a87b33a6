//! FNV-1a, a hash of bytes that is the same on every machine: fingerprints of files, and their checksums. It
//! guards against damage, not against forgery.

/// FNV-1a, the 64-bit hash of Fowler, Noll and Vo.
#[must_use]
pub fn digest(bytes: &[u8]) -> u64 {
    extend(EMPTY, bytes)
}

/// The hash of no bytes.
pub const EMPTY: u64 = 0xcbf2_9ce4_8422_2325;

/// The hash of some bytes behind those of which `hash` is the hash.
#[must_use]
pub fn extend(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_is_the_published_one() {
        assert_eq!(digest(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(digest(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(extend(digest(b"so"), b" far"), digest(b"so far"));
    }
}
