//! Fault injection for tests of journals and replaced files: a disk on which one operation fails.

use super::disk::{Disk, DiskFile, SystemDisk};
use super::test_folder::TestFolder;
use crate::lab::base::terminal::console::Failure;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fs::{OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::rc::Rc;

/// The way in which an operation fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::lab) enum Fault {
    /// An error, after which the disk works again.
    Once,
    /// An error, and so is everything after it: the power is gone.
    Lasting,
    /// Half of the bytes are written, without an error.
    Short,
    /// Half of the bytes are written, and everything after that is an error.
    Torn,
}

impl Fault {
    const ALL: [Fault; 4] = [Fault::Once, Fault::Lasting, Fault::Short, Fault::Torn];
}

/// Operations so far, and the one that fails.
struct Plan {
    done: Cell<usize>,
    fails: usize,
    fault: Fault,
}

thread_local! {
    static PLAN: RefCell<Option<Rc<Plan>>> = const { RefCell::new(None) };
}

/// Calls a function with the disk of this thread: the system's, unless [`fail_at`] has put another in its
/// place.
pub(super) fn with_disk<T>(work: impl FnOnce(&dyn Disk) -> T) -> T {
    let plan = PLAN.with_borrow(Clone::clone);
    match plan {
        None => work(&SystemDisk),
        Some(plan) => work(&FailingDisk(plan)),
    }
}

/// Works on a disk whose operation number `fails` fails. Returns the number of operations too.
fn fail_at<T>(fails: usize, fault: Fault, work: impl FnOnce() -> T) -> (T, usize) {
    let plan = Rc::new(Plan { done: Cell::new(0), fails, fault });
    PLAN.set(Some(Rc::clone(&plan)));
    let result = work();
    PLAN.set(None);
    (result, plan.done.get())
}

/// Does some work in a new folder, which `work` begins or resumes, once without a fault and then with every
/// fault at every operation in turn. Resuming after a fault must lead to the files of the first run, byte for
/// byte. `check` looks at the folder that the fault has left.
pub(in crate::lab) fn survives(
    name: &str,
    work: impl Fn(&Path) -> Result<(), Failure>,
    check: impl Fn(&Path),
) {
    let new = || TestFolder::new(&format!("failing-{name}"));
    let mut folder = new();
    let (whole, operations) = fail_at(usize::MAX, Fault::Once, || work(&folder));
    assert!(whole.is_ok() && operations > 5, "{whole:?}");
    let wanted = contents(&folder);
    let mut failures = 0;
    for fault in Fault::ALL {
        for at in 0..operations {
            drop(folder);
            folder = new();
            let (broken, _) = fail_at(at, fault, || work(&folder));
            failures += usize::from(broken.is_err());
            assert!(fault != Fault::Short || broken.is_ok(), "{name}: {fault:?} at {at}: {broken:?}");
            check(&folder);
            if let Err(failure) = work(&folder) {
                panic!("{name}: {fault:?} at {at} ({broken:?}), then {failure:?}");
            }
            assert!(contents(&folder) == wanted, "{name}: {fault:?} at {at} ({broken:?}) leaves other bytes");
        }
    }
    assert!(failures > operations, "{failures} failures of {operations} operations were told");
    // Shown by --nocapture.
    println!("{name}: {} faults at {operations} operations survived", Fault::ALL.len() * operations);
}

/// The files of a folder.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files.map(|path| (path.display().to_string(), std::fs::read(&path).unwrap())).collect()
}

impl Plan {
    /// Counts an operation; the fault if it fails.
    fn next(&self) -> Option<Fault> {
        let number = self.done.replace(self.done.get() + 1);
        let lasting = matches!(self.fault, Fault::Lasting | Fault::Torn);
        (number == self.fails || (lasting && number > self.fails)).then_some(self.fault)
    }

    /// Counts an operation that fails whole or not at all.
    fn whole(&self) -> io::Result<()> {
        match self.next() {
            None | Some(Fault::Short) => Ok(()),
            Some(_) => Err(broken()),
        }
    }
}

fn broken() -> io::Error {
    io::Error::new(ErrorKind::StorageFull, "broken on purpose")
}

struct FailingDisk(Rc<Plan>);

impl Disk for FailingDisk {
    fn open(&self, path: &Path, options: &OpenOptions) -> io::Result<Box<dyn DiskFile>> {
        self.0.whole()?;
        Ok(Box::new(FailingFile { file: SystemDisk.open(path, options)?, plan: Rc::clone(&self.0) }))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.0.whole()?;
        SystemDisk.rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.0.whole()?;
        SystemDisk.remove(path)
    }
}

struct FailingFile {
    file: Box<dyn DiskFile>,
    plan: Rc<Plan>,
}

impl Read for FailingFile {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.file.read(into)
    }
}

impl Seek for FailingFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

impl Write for FailingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let number = self.plan.done.get();
        match self.plan.next() {
            None => self.file.write(bytes),
            Some(Fault::Torn) if number > self.plan.fails => Err(broken()),
            Some(Fault::Short | Fault::Torn) => self.file.write(&bytes[..bytes.len().div_ceil(2)]),
            Some(Fault::Once | Fault::Lasting) => Err(broken()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl DiskFile for FailingFile {
    fn set_len(&self, length: u64) -> io::Result<()> {
        self.plan.whole()?;
        self.file.set_len(length)
    }

    fn sync_data(&self) -> io::Result<()> {
        self.plan.whole()?;
        self.file.sync_data()
    }

    fn try_lock(&self) -> Result<(), TryLockError> {
        self.file.try_lock()
    }

    fn is_regular(&self) -> bool {
        self.file.is_regular()
    }

    fn has_name(&self, path: &Path) -> bool {
        self.file.has_name(path)
    }
}
