//! A control group (cgroup) with a limit of memory, for tests of a machine that has little.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

/// A control group, removed afterwards. Its programs must have ended before.
pub(crate) struct MemoryGroup(PathBuf);

impl MemoryGroup {
    /// A group without a limit of its own.
    pub(crate) fn new() -> MemoryGroup {
        let group = parents().into_iter().find_map(|parent| MemoryGroup::within(&parent));
        group.expect("a control group in which others can be made, with a limit of memory")
    }

    /// A group in this one, without a limit of its own.
    pub(crate) fn inner(&self) -> MemoryGroup {
        // Version 2 hands a controller down on demand.
        let _ = std::fs::write(self.0.join("cgroup.subtree_control"), "+memory");
        MemoryGroup::within(&self.0).expect("a group in a group")
    }

    fn within(parent: &Path) -> Option<MemoryGroup> {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let name = format!("plumb-test-{}-{}", std::process::id(), NUMBER.fetch_add(1, Relaxed));
        let group = MemoryGroup(parent.join(name));
        std::fs::create_dir(&group.0).ok()?;
        group.limit_file().map(|_| group)
    }

    fn limit_file(&self) -> Option<PathBuf> {
        let files = ["memory.max", "memory.limit_in_bytes"].map(|name| self.0.join(name));
        files.into_iter().find(|file| file.exists())
    }

    /// The group with a limit of so many MiB.
    pub(crate) fn limited(self, mebibytes: usize) -> MemoryGroup {
        let file = self.limit_file().expect("a limit of memory");
        std::fs::write(file, (mebibytes << 20).to_string()).expect("a limit");
        // What is beyond the limit is killed, and does not go to the disk.
        for name in ["memory.swap.max", "memory.swappiness"] {
            let _ = std::fs::write(self.0.join(name), "0");
        }
        self
    }

    /// Plumb in this group, with some arguments.
    pub(crate) fn plumb(&self, arguments: &[&str]) -> Command {
        let mut shell = Command::new("sh");
        let members = self.0.join("cgroup.procs");
        shell.args(["-c", "echo $$ > \"$0\" && exec \"$@\""]).arg(members);
        shell.arg(env!("CARGO_BIN_EXE_plumb")).args(arguments).env_remove("RUST_LOG");
        shell
    }
}

impl Drop for MemoryGroup {
    fn drop(&mut self) {
        // A program that has just ended may still be counted.
        for _ in 0..100 {
            if std::fs::remove_dir(&self.0).is_ok() {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// Groups in which others may be made, as `.ci/run` looks for them: of version 1 the one that this program is
/// in; of version 2 also the one above it, since a group has either programs or groups with limits.
fn parents() -> Vec<PathBuf> {
    let memberships = std::fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let group = |is_ours: &dyn Fn(&str) -> bool| {
        memberships.lines().find(|line| is_ours(line)).and_then(|line| line.splitn(3, ':').nth(2))
    };
    let below = |mount: &str, group: &str| PathBuf::from(format!("{mount}{group}"));
    let old = group(&|line| line.contains(":memory:")).map(|group| below("/sys/fs/cgroup/memory", group));
    let new = group(&|line| line.starts_with("0::")).map(|group| below("/sys/fs/cgroup", group));
    let above = new.as_ref().and_then(|new| new.parent()).map(Path::to_path_buf);
    old.into_iter().chain(new).chain(above).collect()
}
