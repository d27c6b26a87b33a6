//! Free memory of Linux: `MemAvailable` of `/proc/meminfo`, and the room in every control group that this
//! program is in.
//!
//! The room in a group is its limit less its usage, of which files that the system can read again do not
//! count. A group has the limits of all groups above it. Versions 1 and 2 of control groups are read, both
//! where both are mounted. Sources: `Documentation/admin-guide/cgroup-v2.rst` and `cgroup-v1/memory.rst` of
//! the kernel, and `proc(5)`.

use std::path::{Component, Path, PathBuf};

/// Names of a version's files. Values are bytes; `max` is none.
struct Version {
    /// Type of the file system.
    mount: &'static str,
    /// The limits, of which the least counts. Beyond `memory.high` a program is slowed down until it stands
    /// still.
    limits: &'static [&'static str],
    usage: &'static str,
    /// The lines of `memory.stat` that count memory the system can take back.
    cache: &'static [&'static str],
}

/// Both versions. The lines `total_` of version 1 include the groups below, as its usage does, and version 2
/// as a whole.
const VERSIONS: [Version; 2] = [
    Version {
        mount: "cgroup2",
        limits: &["memory.max", "memory.high"],
        usage: "memory.current",
        cache: &["active_file", "inactive_file", "slab_reclaimable"],
    },
    Version {
        mount: "cgroup",
        limits: &["memory.limit_in_bytes"],
        usage: "memory.usage_in_bytes",
        cache: &["total_active_file", "total_inactive_file"],
    },
];

/// Free bytes: the least of what the machine and the groups have. `root` is the root of the file system.
/// `None` if nothing is known.
pub(super) fn free(root: &Path) -> Option<u64> {
    let groups = groups(root).into_iter().filter_map(|(version, group)| room(version, &group));
    groups.chain(machine(root)).min()
}

/// Free bytes of the machine.
fn machine(root: &Path) -> Option<u64> {
    let text = read(&root.join("proc/meminfo"))?;
    let kibibytes = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    kibibytes.trim().trim_end_matches("kB").trim().parse::<u64>().ok()?.checked_mul(1 << 10)
}

/// Bytes left in a group; `None` if it has no limit.
fn room(version: &Version, group: &Path) -> Option<u64> {
    let number = |name: &&str| read(&group.join(name))?.trim().parse::<u64>().ok();
    let stat = read(&group.join("memory.stat")).unwrap_or_default();
    let line = |name: &str| {
        let value = stat.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        value.and_then(|value| value.trim().parse::<u64>().ok())
    };
    // Version 1 tells the least limit of the groups above too, those included that a container does not see.
    let limits = version.limits.iter().filter_map(number).chain(line("hierarchical_memory_limit"));
    let limit = limits.min()?;
    let cache = version.cache.iter().filter_map(|name| line(name)).fold(0, u64::saturating_add);
    Some(limit.saturating_sub(number(&version.usage)?.saturating_sub(cache)))
}

/// The folders of the groups that this program is in, and of those above them.
fn groups(root: &Path) -> Vec<(&'static Version, PathBuf)> {
    let memberships = read(&root.join("proc/self/cgroup")).unwrap_or_default();
    let mounts = read(&root.join("proc/self/mountinfo")).unwrap_or_default();
    let mut groups = Vec::new();
    for mount in mounts.lines().filter_map(Mount::parse) {
        let Some(version) = mount.version() else { continue };
        let Some(group) = memberships.lines().find_map(|line| version.group(line)) else { continue };
        let mut folder = root.join(mount.point.trim_start_matches('/'));
        groups.push((version, folder.clone()));
        for name in mount.below(group) {
            folder.push(name);
            groups.push((version, folder.clone()));
        }
    }
    groups
}

impl Version {
    /// The group in a line of `/proc/self/cgroup` (`HIERARCHY:CONTROLLERS:GROUP`), if it is of this version,
    /// and for version 1 of memory.
    fn group<'a>(&self, line: &'a str) -> Option<&'a str> {
        let (hierarchy, rest) = line.split_once(':')?;
        let (controllers, group) = rest.split_once(':')?;
        let is_ours = match self.mount {
            "cgroup2" => hierarchy == "0" && controllers.is_empty(),
            _ => controllers.split(',').any(|controller| controller == "memory"),
        };
        is_ours.then_some(group)
    }
}

/// A line of `/proc/self/mountinfo`.
struct Mount<'a> {
    /// The mounted folder, as a path in its file system.
    origin: String,
    point: String,
    kind: &'a str,
    options: &'a str,
}

impl Mount<'_> {
    fn parse(line: &str) -> Option<Mount<'_>> {
        let (before, after) = line.split_once(" - ")?;
        let mut before = before.split(' ').skip(3);
        let (origin, point) = (unescaped(before.next()?), unescaped(before.next()?));
        let mut after = after.split(' ');
        let kind = after.next()?;
        let options = after.nth(1).unwrap_or_default();
        Some(Mount { origin, point, kind, options })
    }

    /// The version of the groups that are mounted here, if they are groups of memory.
    fn version(&self) -> Option<&'static Version> {
        let version = VERSIONS.iter().find(|version| version.mount == self.kind)?;
        let has_memory = self.kind == "cgroup2" || self.options.split(',').any(|option| option == "memory");
        has_memory.then_some(version)
    }

    /// The names of the folders from the mount point to `group`; none where it lies outside, as in a
    /// container that sees its own group alone: that is mounted then.
    fn below<'a>(&self, group: &'a str) -> Vec<&'a str> {
        let inside = Path::new(group).strip_prefix(&self.origin).unwrap_or(Path::new(""));
        let names = inside.components().map(|name| match name {
            Component::Normal(name) => name.to_str(),
            _ => None,
        });
        names.collect::<Option<Vec<_>>>().unwrap_or_default()
    }
}

/// A path of `mountinfo`, in which blank, tab, newline and backslash are `\` and three octal digits.
fn unescaped(path: &str) -> String {
    let mut parts = path.split('\\');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let code = part.get(..3).and_then(|digits| u8::from_str_radix(digits, 8).ok());
        match code {
            Some(code) => text.extend([char::from(code)]),
            None => text.push('\\'),
        }
        text.push_str(if code.is_some() { &part[3..] } else { part });
    }
    text
}

/// The text of a file; `None` if it cannot be read.
fn read(path: &Path) -> Option<String> {
    std::fs::read(path).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    const MEBIBYTE: u64 = 1 << 20;

    /// A made-up root of a file system in a temporary folder.
    struct Root(PathBuf);

    impl Root {
        fn new() -> Root {
            static NUMBER: AtomicUsize = AtomicUsize::new(0);
            let name = format!("plumb-memory-{}-{}", std::process::id(), NUMBER.fetch_add(1, Relaxed));
            Root(std::env::temp_dir().join(name))
        }

        /// Writes a file.
        fn with(self, path: &str, text: &str) -> Root {
            let path = self.0.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
            self
        }

        /// With a machine that has so many MiB.
        fn machine(self, available: u64) -> Root {
            let kibibytes = available << 10;
            self.with("proc/meminfo", &format!("MemTotal: 99999999 kB\nMemAvailable:   {kibibytes} kB\n"))
        }

        /// With a group of version 2: limit and usage in MiB, and the lines of its statistics.
        fn group(self, path: &str, max: &str, current: u64, stat: &str) -> Root {
            self.with(&format!("{path}/memory.max"), &format!("{max}\n"))
                .with(&format!("{path}/memory.current"), &format!("{}\n", current * MEBIBYTE))
                .with(&format!("{path}/memory.stat"), stat)
        }

        /// With a group of version 1, likewise.
        fn old_group(self, path: &str, limit: u64, usage: u64, stat: &str) -> Root {
            self.with(&format!("{path}/memory.limit_in_bytes"), &format!("{limit}\n"))
                .with(&format!("{path}/memory.usage_in_bytes"), &format!("{}\n", usage * MEBIBYTE))
                .with(&format!("{path}/memory.stat"), stat)
        }

        /// Free memory in MiB.
        fn free(&self) -> Option<u64> {
            free(&self.0).map(|bytes| bytes / MEBIBYTE)
        }
    }

    impl Drop for Root {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    const CGROUP2: &str = "22 1 8:1 / / rw - ext4 /dev/sda rw\n\
        30 24 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";

    /// Mounts of version 1, as systemd and a container's runtime make them.
    const CGROUP1: &str = "33 24 0:28 / /sys/fs/cgroup/cpu rw shared:8 - cgroup cgroup rw,cpu\n\
        34 24 0:29 / /sys/fs/cgroup/memory rw shared:9 - cgroup cgroup rw,memory\n\
        35 24 0:30 / /sys/fs/cgroup/unified rw shared:10 - cgroup2 cgroup2 rw\n";

    fn bytes(mebibytes: u64) -> String {
        (mebibytes * MEBIBYTE).to_string()
    }

    #[test]
    fn a_machine_without_groups_has_its_available_memory() {
        assert_eq!(Root::new().machine(700).free(), Some(700));
        assert_eq!(Root::new().free(), None, "nothing is known");
        assert_eq!(Root::new().with("proc/meminfo", "MemFree: 5 kB\nMemAvailable: x kB\n").free(), None);
    }

    #[test]
    fn the_least_room_of_all_groups_above_counts() {
        let root = || Root::new().machine(9000).with("proc/self/mountinfo", CGROUP2);
        let root = || root().with("proc/self/cgroup", "0::/user/session\n");
        let [user, session] = ["sys/fs/cgroup/user", "sys/fs/cgroup/user/session"];
        let of = |outer: &str, inner: &str| {
            root().group(user, outer, 500, "").group(session, inner, 100, "").free().unwrap()
        };
        assert_eq!(of("max", "max"), 9000);
        assert_eq!(of("max", &bytes(600)), 500);
        assert_eq!(of(&bytes(800), &bytes(600)), 300);
        assert_eq!(of(&bytes(400), "max"), 0, "the usage may be larger than a limit that came later");
        let other = root().group("sys/fs/cgroup/other", "1", 0, "");
        assert_eq!(other.free(), Some(9000), "the limit of others");
    }

    #[test]
    fn memory_that_can_be_taken_back_does_not_count_as_used() {
        let stat = format!("anon 7\nfile {0}\ninactive_file {0}\nactive_file {0}\n", 100 * MEBIBYTE);
        let stat = format!("{stat}slab_reclaimable {0}\nslab {1}\n", 10 * MEBIBYTE, 90 * MEBIBYTE);
        let root = Root::new().machine(9000).with("proc/self/mountinfo", CGROUP2);
        let root = root.with("proc/self/cgroup", "0::/a\n").group("sys/fs/cgroup/a", &bytes(600), 500, &stat);
        assert_eq!(root.free(), Some(600 - (500 - 210)));
        let high = bytes(450);
        assert_eq!(root.with("sys/fs/cgroup/a/memory.high", &high).free(), Some(450 - 290));
    }

    #[test]
    fn groups_of_version_1_are_read_with_the_limits_above_them() {
        let none = 9_223_372_036_854_771_712;
        let stat = |limit: u64| {
            let (large, cache) = (500 * MEBIBYTE, 50 * MEBIBYTE);
            format!("inactive_file {large}\nhierarchical_memory_limit {limit}\ntotal_inactive_file {cache}\n")
        };
        let root = || Root::new().machine(9000).with("proc/self/mountinfo", CGROUP1);
        let root = || root().with("proc/self/cgroup", "9:name=systemd:/\n4:memory:/a/b\n1:cpu:/c\n0::/\n");
        let [a, b] = ["sys/fs/cgroup/memory/a", "sys/fs/cgroup/memory/a/b"];
        assert_eq!(root().old_group(a, none, 500, "").old_group(b, none, 80, "").free(), Some(9000));
        let limited = root().old_group(a, 700 * MEBIBYTE, 500, "").old_group(b, none, 80, &stat(none));
        assert_eq!(limited.free(), Some(200));
        let hidden = root().old_group(b, none, 80, &stat(300 * MEBIBYTE));
        assert_eq!(
            hidden.free(),
            Some(300 - 30),
            "a limit above that is told, and nothing else of its group"
        );
        let of_processors = root().old_group("sys/fs/cgroup/cpu/c", 1, 0, "");
        assert_eq!(of_processors.free(), Some(9000));
    }

    #[test]
    fn a_container_reads_its_own_group() {
        let mounts =
            |origin: &str| format!("30 24 0:26 {origin} /sys/fs/c\\040group rw - cgroup2 cgroup2 rw\n");
        let root = |origin: &str, ours: &str| {
            let root = Root::new().machine(9000).with("proc/self/mountinfo", &mounts(origin));
            let root = root.with("proc/self/cgroup", &format!("0::{ours}\n"));
            root.group("sys/fs/c group", &bytes(600), 100, "").free()
        };
        assert_eq!(root("/docker/0a", "/docker/0a"), Some(500), "its group is what is mounted");
        assert_eq!(root("/docker/0a", "/"), Some(500), "with a namespace of its own");
        assert_eq!(root("/", "/../../other"), Some(500), "outside of that namespace");
    }

    #[test]
    fn damaged_files_are_no_limits() {
        let root = Root::new().machine(9000).with("proc/self/cgroup", ":::\n0:\n\n0::/a\n");
        let root =
            root.with("proc/self/mountinfo", "1 2 3\n - cgroup2\n1 2 3 / /sys/fs/cgroup - cgroup2\n\\\n");
        let root = root.group("sys/fs/cgroup/a", "-5", 1, "inactive_file\n inactive_file 7");
        assert_eq!(root.free(), Some(9000));
        let root = root.with("sys/fs/cgroup/a/memory.max", &bytes(700));
        assert_eq!(root.free(), Some(699));
    }

    #[test]
    fn paths_are_unescaped() {
        for (path, text) in
            [("/a\\040b", "/a b"), ("\\134\\011", "\\\t"), ("\\9", "\\9"), ("\\04é", "\\04é"), ("", "")]
        {
            assert_eq!(unescaped(path), text);
        }
    }

    #[test]
    fn this_machine_tells_its_free_memory() {
        let free = free(Path::new("/"));
        assert!(free.is_some_and(|free| free > 0 && free < 1 << 50), "{free:?}");
    }
}
