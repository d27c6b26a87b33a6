//! Atomic replacement of files: results are written into FILE.partial and take the place of FILE when they
//! are complete and on the disk. Until then an old FILE stays, whatever ends the program; a FILE of another
//! kind is never replaced. A device or a pipe is written directly.

use super::disk::{DiskFile, with_disk};
use super::identity::{beside, is_standard};
use super::lock::Lock;
use crate::files;
use crate::lab::base::terminal::console::{self, Failure};
use crate::lab::base::terminal::interrupted::Temporary;
use std::fs::OpenOptions;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Names of files that this program has open. They may lead to ordinary files, which are written where they
/// are. The rest of `/dev` is devices, but for `/dev/shm`, a folder in memory whose files are like any
/// others.
const OPEN_FILES: [&str; 4] = ["/dev/fd", "/dev/stderr", "/dev/stdin", "/proc"];

/// End of the name of the record beside a file of games.
pub const SETTINGS: &str = ".settings";

/// Kind of a file by its contents. A result replaces an old one of its own kind, so that a wrong name costs
/// no work of hours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Work that a command resumes: its first line says which.
    Record,
    /// Any other text.
    Text,
    /// Networks, books, games of other programs.
    Binary,
    /// Games whose checksums stand in a record beside them, FILE.settings.
    Games,
}

impl Kind {
    /// The kind of a file that begins with these bytes.
    fn of(beginning: &[u8]) -> Kind {
        if files::is_record(beginning) {
            Kind::Record
        } else if files::is_binary(beginning) {
            Kind::Binary
        } else {
            Kind::Text
        }
    }

    /// True if a record stands beside a file that says what it holds.
    fn has_settings(path: &Path) -> bool {
        files::beginning(&beside(path, SETTINGS)).is_ok_and(|beginning| files::is_record(&beginning))
    }

    /// Fails if the file that is to be replaced is of another kind. A device or a pipe has none.
    fn check(self, path: &Path) -> Result<(), Failure> {
        if !std::fs::metadata(path).is_ok_and(|about| about.is_file()) {
            return Ok(());
        }
        // A file that cannot be read counts as empty: its kind is unknown.
        let beginning = files::beginning(path).unwrap_or_default();
        let old = if Kind::has_settings(path) { Kind::Games } else { Kind::of(&beginning) };
        let replaced = old == self || (old == Kind::Binary && self == Kind::Games);
        if beginning.is_empty() || replaced {
            return Ok(());
        }
        let name = |kind| match kind {
            Kind::Record => "a record of plumb",
            Kind::Text => "a text",
            Kind::Binary => "a binary file",
            Kind::Games => "a file of games",
        };
        let why = format!("{} is there already and is {}", path.display(), name(old));
        Err(Failure::new(format!("{why}, which {} does not replace", name(self))))
    }
}

/// A file that is being written.
pub struct Output {
    name: String,
    target: Target,
    /// Held until the file has its name.
    _lock: Option<Lock>,
}

/// The place where the bytes go.
enum Target {
    /// Standard output.
    Stdout,
    /// A device or a pipe.
    Device(Box<dyn DiskFile>),
    /// A file beside the one that is wanted.
    Partial(Partial),
}

/// A file that is not yet complete.
struct Partial {
    file: Box<dyn DiskFile>,
    /// Its name, which ends in `.partial`.
    path: PathBuf,
    /// The name that it gets.
    wanted: PathBuf,
    /// True if it stays where it is never completed.
    kept: bool,
    _temporary: Option<Temporary>,
}

/// Writes a file whole or not at all: on a full disk the old one stays.
///
/// # Errors
/// If it cannot be written, or is there already and is of another kind.
pub fn write(path: &Path, contents: impl AsRef<[u8]>) -> Result<(), Failure> {
    let mut output = Output::open(path, Kind::of(contents.as_ref()), false, Lock::awaited)?;
    output.write(contents)?;
    output.finish()
}

/// Writes the file of a lock whole or not at all, likewise.
///
/// # Errors
/// If it cannot be written.
pub fn write_locked(lock: &Lock, contents: impl AsRef<[u8]>) -> Result<(), Failure> {
    let path = lock.target();
    let mut output = Output::at(path, path, false)?;
    output.write(contents)?;
    output.finish()
}

/// Fails where a file could not be written now: asked before work of minutes whose result is written at its
/// end.
///
/// # Errors
/// As [`Output::create`].
pub fn check_writable(path: &Path, kind: Kind) -> Result<(), Failure> {
    Output::create(path, kind).map(drop)
}

fn is_open_file(path: &Path) -> bool {
    OPEN_FILES.iter().any(|name| path.starts_with(name))
}

impl Output {
    /// Begins a file; `-` is standard output. What was written is removed if the file is never finished.
    ///
    /// # Errors
    /// If it cannot be made, another program is writing it, or it is there already and is of another kind.
    pub fn create(path: &Path, kind: Kind) -> Result<Output, Failure> {
        Output::open(path, kind, false, Lock::of)
    }

    /// Begins a file that grows over a long run: if it is never finished, FILE.partial stays with what there
    /// is.
    ///
    /// # Errors
    /// As [`Output::create`].
    pub fn growing(path: &Path, kind: Kind) -> Result<Output, Failure> {
        Output::open(path, kind, true, Lock::of)
    }

    fn open(
        path: &Path,
        kind: Kind,
        kept: bool,
        lock: fn(&Path) -> Result<Lock, Failure>,
    ) -> Result<Output, Failure> {
        if is_standard(path) {
            return Ok(Output { name: "standard output".to_owned(), target: Target::Stdout, _lock: None });
        }
        if is_open_file(path) {
            return Output::at(path, path, kept);
        }
        let lock = lock(path)?;
        kind.check(lock.target())?;
        // Behind a link the file is replaced, not the link.
        let output = Output::at(path, lock.target(), kept)?;
        Ok(Output { _lock: Some(lock), ..output })
    }

    fn at(path: &Path, wanted: &Path, kept: bool) -> Result<Output, Failure> {
        let name = path.display().to_string();
        let target = if is_open_file(path) || std::fs::metadata(wanted).is_ok_and(|about| !about.is_file()) {
            with_disk(|disk| disk.open(wanted, OpenOptions::new().write(true))).map(Target::Device)
        } else {
            Partial::new(wanted.to_owned(), kept).map(Target::Partial)
        };
        let target = target.map_err(|error| Failure::file("write to", &name, &error))?;
        Ok(Output { name, target, _lock: None })
    }

    /// True if the bytes go to standard output.
    #[must_use]
    pub fn is_stdout(&self) -> bool {
        matches!(self.target, Target::Stdout)
    }

    /// The file that is replaced; `None` for a device, a pipe and standard output.
    #[must_use]
    pub fn replaced(&self) -> Option<&Path> {
        match &self.target {
            Target::Partial(partial) => Some(&partial.wanted),
            Target::Stdout | Target::Device(_) => None,
        }
    }

    /// Writes at the end.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&mut self, contents: impl AsRef<[u8]>) -> Result<(), Failure> {
        let file = match &mut self.target {
            Target::Stdout => return console::out_bytes(contents.as_ref()),
            Target::Device(file) => file,
            Target::Partial(partial) => &mut partial.file,
        };
        let written = file.write_all(contents.as_ref()).and_then(|()| file.flush());
        written.map_err(|error| Failure::file("write to", &self.name, &error))
    }

    /// Ends a file for which there is nothing: what was there stays, and no FILE.partial is left.
    pub fn discard(self) {
        if let Target::Partial(mut partial) = self.target {
            partial.kept = false;
        }
    }

    /// Discards a file, if there is one; standard output stays, and is written all the same.
    pub fn discard_file(output: &mut Option<Output>) {
        output.take_if(|output| !output.is_stdout()).into_iter().for_each(Output::discard);
    }

    /// Completes the file: what was written takes the place of what was there.
    ///
    /// # Errors
    /// If that fails; the old file is there then.
    pub fn finish(self) -> Result<(), Failure> {
        match self.target {
            Target::Stdout | Target::Device(_) => Ok(()),
            Target::Partial(partial) => {
                partial.finish().map_err(|error| Failure::file("write to", &self.name, &error))
            }
        }
    }
}

impl Partial {
    fn new(wanted: PathBuf, kept: bool) -> io::Result<Partial> {
        let path = beside(&wanted, ".partial");
        let file = begin(&path)?;
        if let Ok(old) = std::fs::metadata(&wanted) {
            // At worst the new file has the permissions of new files.
            let _ = std::fs::set_permissions(&path, old.permissions());
        }
        let temporary = (!kept).then(|| Temporary::new(&path));
        Ok(Partial { file, path, wanted, kept, _temporary: temporary })
    }

    fn finish(mut self) -> io::Result<()> {
        self.file.sync_data()?;
        with_disk(|disk| disk.rename(&self.path, &self.wanted))?;
        // Nothing is left under the old name.
        self.kept = true;
        Ok(())
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        if !self.kept {
            let _ = with_disk(|disk| disk.remove(&self.path));
        }
    }
}

/// Makes an empty file. One that a killed program has left is removed first: never written over, since it may
/// have got its last name meanwhile.
fn begin(path: &Path) -> io::Result<Box<dyn DiskFile>> {
    let open = || with_disk(|disk| disk.open(path, OpenOptions::new().write(true).create_new(true)));
    match open() {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            with_disk(|disk| disk.remove(path))?;
            open()
        }
        opened => opened,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::base::records::failing::survives;
    use crate::lab::base::records::test_folder::TestFolder;

    fn text(path: &Path) -> String {
        std::fs::read_to_string(path).unwrap()
    }

    #[test]
    fn an_old_file_stays_until_the_new_one_is_whole() {
        let folder = TestFolder::new("output-old");
        let (path, partial) = (folder.join("a"), folder.join("a.partial"));
        std::fs::write(&path, "old").unwrap();
        // Left by a program that was killed.
        std::fs::write(&partial, "torn and long").unwrap();
        let mut output = Output::create(&path, Kind::Text).unwrap();
        output.write("ne").unwrap();
        output.write("w").unwrap();
        assert_eq!((text(&path), text(&partial)), ("old".to_owned(), "new".to_owned()));
        let other = Output::create(&path, Kind::Text).err().expect("in use");
        assert!(other.message().unwrap().contains("another plumb"), "{other:?}");
        output.finish().unwrap();
        assert!(text(&path) == "new" && !partial.exists());
        Output::create(&path, Kind::Text).unwrap().write("x").unwrap();
        assert!(text(&path) == "new" && !partial.exists(), "given up");
        Output::growing(&path, Kind::Text).unwrap().write("x").unwrap();
        assert!(text(&path) == "new" && text(&partial) == "x", "given up, and kept");
        write(&path, "newer").unwrap();
        assert!(text(&path) == "newer" && !partial.exists());
    }

    #[test]
    fn where_nothing_can_be_written_the_old_file_stays() {
        let folder = TestFolder::new("output-full");
        let path = folder.join("a");
        std::fs::write(&path, "old").unwrap();
        std::fs::create_dir(folder.join("a.partial")).unwrap();
        let failure = write(&path, "new").unwrap_err();
        assert!(failure.message().unwrap().contains("cannot write to"), "{failure:?}");
        assert_eq!(text(&path), "old");
    }

    #[cfg(unix)]
    #[test]
    fn links_devices_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let folder = TestFolder::new("output-link");
        let (path, link, null) = (folder.join("a"), folder.join("link"), folder.join("null"));
        std::fs::write(&path, "old").unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
        symlink("a", &link).unwrap();
        write(&link, "new").unwrap();
        assert!(link.is_symlink() && text(&path) == "new");
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
        symlink("/dev/null", &null).unwrap();
        write(&null, "new").unwrap();
        assert!(null.is_symlink() && !folder.join("null.partial").exists());
    }

    #[test]
    fn files_in_memory_are_ordinary_ones() {
        assert!(!is_open_file(Path::new("/dev/shm/lab/chess.csv")));
        for name in ["/dev/fd/3", "/dev/stderr", "/proc/self/fd/3"] {
            assert!(is_open_file(Path::new(name)), "{name}");
        }
    }

    #[test]
    fn a_disk_that_fails_leaves_the_old_file_or_the_new_one() {
        let work =
            |folder: &Path| ["one\n", "two\n"].iter().try_for_each(|text| write(&folder.join("a"), text));
        survives("file", work, |folder| {
            let text = std::fs::read_to_string(folder.join("a")).unwrap_or_default();
            assert!(["", "one\n", "two\n"].contains(&text.as_str()), "{text}");
        });
        let work = |folder: &Path| {
            let mut output = Output::growing(&folder.join("b"), Kind::Text)?;
            ["a\n", "b\n", "c\n"].iter().try_for_each(|row| output.write(row))?;
            output.finish()
        };
        survives("growing", work, |folder| {
            let text = std::fs::read_to_string(folder.join("b")).unwrap_or_default();
            assert!(["", "a\nb\nc\n"].contains(&text.as_str()), "{text}");
        });
    }
}
