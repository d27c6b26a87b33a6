//! Fingerprints of contents and of the program, which tell whether two files hold the same work.

/// Fingerprint of this program's file, because another build may count differently; 0 if it cannot be read.
#[must_use]
pub fn program() -> u64 {
    let bytes = std::env::current_exe().and_then(std::fs::read);
    bytes.map_or(0, |bytes| digest(&bytes))
}

/// FNV-1a, the 64-bit hash of Fowler, Noll and Vo.
#[must_use]
pub fn digest(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_is_the_published_one() {
        assert_eq!(digest(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(digest(b"a"), 0xaf63_dc4c_8601_ec8c);
    }
}
