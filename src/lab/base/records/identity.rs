//! Identity of files: two paths lead to one file where device and inode are equal, however the paths are
//! spelled. A file that is still to be made is known by its folder and its name.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Identity of a file among all others, while the program runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileIdentity {
    /// The standard output (or input, for a file that is read).
    Standard,
    /// Device and inode of a file that is there.
    #[cfg(unix)]
    Inode(u64, u64),
    /// Path without links. Elsewhere than on Unix for all files.
    Path(PathBuf),
}

impl FileIdentity {
    /// The identity of what a path leads to.
    #[must_use]
    pub fn of(path: &Path) -> FileIdentity {
        if is_standard(path) {
            return FileIdentity::Standard;
        }
        #[cfg(unix)]
        if let Ok(about) = std::fs::metadata(path) {
            use std::os::unix::fs::MetadataExt as _;
            return FileIdentity::Inode(about.dev(), about.ino());
        }
        FileIdentity::Path(real_path(path))
    }
}

/// True for the names of standard output (or input, for a file that is read).
#[must_use]
pub fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-" || path == Path::new("/dev/stdout")
}

/// The file beside another one whose name ends in `suffix` besides, as in `games.vf.settings`.
#[must_use]
pub fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    name.into()
}

/// The path of a file without links, `.` and `..`; that of a file that is not there yet ends with its name. A
/// link to a file that is not there is followed.
#[must_use]
pub fn real_path(path: &Path) -> PathBuf {
    /// Links to follow, so that a circle ends.
    const MOST_LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        if let Ok(real) = std::fs::canonicalize(&path) {
            return real;
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new(".")).to_owned();
        match std::fs::read_link(&path) {
            Ok(target) => path = folder.join(target),
            Err(_) => {
                let name = path.file_name().map(OsString::from).unwrap_or_default();
                return std::fs::canonicalize(&folder).unwrap_or(folder).join(name);
            }
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::base::records::test_folder::TestFolder;

    #[test]
    fn a_file_has_one_identity_by_all_its_paths() {
        let folder = TestFolder::new("identity");
        std::fs::create_dir_all(folder.join("b")).unwrap();
        std::fs::write(folder.join("a"), "x").unwrap();
        std::fs::write(folder.join("other"), "x").unwrap();
        let of = |name: &str| FileIdentity::of(&folder.join(name));
        assert!(of("a") == of("./a") && of("a") == of("b/../a") && of("a") != of("other"));
        assert!(of("new") == of("b/../new") && of("new") != of("newer") && of("new") != of("a"));
        assert_eq!(FileIdentity::of(Path::new("-")), FileIdentity::Standard);
        #[cfg(unix)]
        {
            use std::os::unix::fs::symlink;
            std::fs::hard_link(folder.join("a"), folder.join("hard")).unwrap();
            symlink("a", folder.join("link")).unwrap();
            symlink("b/../new", folder.join("to new")).unwrap();
            symlink("circle", folder.join("circle")).unwrap();
            assert!(of("hard") == of("a") && of("link") == of("a") && of("to new") == of("new"));
            assert_eq!(of("circle"), of("circle"));
        }
    }
}
