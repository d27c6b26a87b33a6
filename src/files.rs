//! Files that a user names: only regular ones are read where a device or a pipe makes no sense, and never
//! more bytes than expected. A program that reads `/dev/zero` to its end answers no command, and runs out of
//! memory.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

/// Opens a regular file. Devices and named pipes are refused before they are opened, since opening can block.
///
/// # Errors
/// If there is none, or it cannot be opened.
pub(crate) fn open_regular(path: &Path) -> io::Result<File> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    File::open(path)
}

/// Reads a regular file of at most `most` bytes.
///
/// # Errors
/// If it cannot be read or is longer.
pub(crate) fn read_regular(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read(open_regular(path)?, most)
}

/// Reads a file of at most `most` bytes; it may be a pipe, as a shell's `<(...)` is.
///
/// # Errors
/// If it cannot be read or is longer.
#[cfg(feature = "lab")]
pub(crate) fn read_any(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read(File::open(path)?, most)
}

/// Bytes that tell what a file is: all binary files of Plumb have a byte 0 among so many.
const BEGINNING: u64 = 4096;

/// The first bytes of a file.
///
/// # Errors
/// If it cannot be read.
pub(crate) fn beginning(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(BEGINNING).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// True for the beginning of a record: work of the laboratory that a command resumes.
pub(crate) fn is_record(beginning: &[u8]) -> bool {
    beginning.starts_with(b"# plumb ")
}

/// True for the beginning of a binary file: a network, a book, games.
pub(crate) fn is_binary(beginning: &[u8]) -> bool {
    beginning.iter().take(BEGINNING as usize).any(|&byte| byte == 0)
}

fn read(file: File, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let error = format!("longer than {} MiB", most >> 20);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, error));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_up_to_their_limit() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
        let length = std::fs::metadata(&path).unwrap().len();
        assert_eq!(read_regular(&path, length).unwrap(), std::fs::read(&path).unwrap());
        assert_eq!(read_regular(&path, length - 1).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        assert!(read_regular(&path.with_file_name("there is none"), length).is_err());
        assert!(open_regular(path.parent().unwrap()).is_err(), "a folder");
    }

    #[cfg(all(unix, feature = "lab"))]
    #[test]
    fn an_endless_device_is_refused_or_read_up_to_the_limit() {
        let zero = Path::new("/dev/zero");
        assert_eq!(read_regular(zero, 1).unwrap_err().to_string(), "not a regular file");
        assert_eq!(read_any(zero, 1 << 20).unwrap_err().to_string(), "longer than 1 MiB");
    }
}
