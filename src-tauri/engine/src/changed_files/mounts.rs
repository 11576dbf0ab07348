//! Finds file systems without working watches: network file systems, and those that change files on
//! their own.

use std::fs;
use std::path::Path;

/// File system types for which inotify reports too little, as named in `/proc/self/mountinfo`.
const REMOTE: [&str; 19] = [
    "9p",
    "afs",
    "beegfs",
    "ceph",
    "cifs",
    "coda",
    "davfs",
    "fuse",
    "fuseblk",
    "glusterfs",
    "gpfs",
    "lustre",
    "ncpfs",
    "nfs",
    "nfs4",
    "prl_fs",
    "smb3",
    "vboxsf",
    "virtiofs",
];

/// How the tree at a root is mounted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Mounts {
    /// Whether a watch does not work at the root itself.
    pub(crate) root_is_remote: bool,
    /// The directories below the root, relative to it, where a watch does not work.
    pub(crate) remote_below: Vec<String>,
}

impl Mounts {
    /// The mounts of the tree at `root`.
    pub(crate) fn of(root: &Path) -> Self {
        let Ok(root) = root.canonicalize() else {
            return Self::default();
        };
        fs::read_to_string("/proc/self/mountinfo")
            .map(|text| Self::from_mountinfo(&root, &text))
            .unwrap_or_default()
    }

    /// Each line is `id parent major:minor root mount-point options [fields] - type source options`
    /// (proc_pid_mountinfo).
    fn from_mountinfo(root: &Path, text: &str) -> Self {
        let mut nearest = 0;
        let mut mounts = Self::default();
        for line in text.lines() {
            let Some((mount, file_system)) = line.split_once(" - ") else {
                continue;
            };
            let Some(point) = mount.split(' ').nth(4).map(unescaped) else {
                continue;
            };
            let kind = file_system.split(' ').next().unwrap_or_default();
            let is_remote = REMOTE.contains(&kind) || kind.starts_with("fuse.");
            if root.starts_with(&point) {
                // A later line covers an earlier one at the same mount point.
                if point.len() >= nearest {
                    nearest = point.len();
                    mounts.root_is_remote = is_remote;
                }
            } else if let Ok(below) = Path::new(&point).strip_prefix(root) {
                mounts
                    .remote_below
                    .extend(is_remote.then(|| below.display().to_string()));
            }
        }
        mounts
    }
}

/// Spaces, tabs, newlines and backslashes are written as `\040` and the like.
fn unescaped(text: &str) -> String {
    [
        ("\\040", " "),
        ("\\011", "\t"),
        ("\\012", "\n"),
        ("\\134", "\\"),
    ]
    .iter()
    .fold(text.to_owned(), |text, (code, meaning)| {
        text.replace(code, meaning)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTS: &str = "\
22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw
30 22 0:40 / /home/a/share rw shared:1 - nfs4 server:/share rw
31 22 0:41 / /home/a/work/my\\040drive rw - fuse.sshfs host: rw
32 22 0:42 / /home/a/work/tmp rw - tmpfs tmpfs rw
33 22 0:43 / /mnt/host rw - 9p host rw
";

    #[test]
    fn network_fuse_and_9p_file_systems_are_scanned() {
        let mounts = |root: &str| Mounts::from_mountinfo(Path::new(root), MOUNTS);
        assert!(mounts("/home/a/share/project").root_is_remote);
        assert!(mounts("/mnt/host/project").root_is_remote);
        let work = mounts("/home/a/work");
        assert!(!work.root_is_remote, "a local disk");
        assert_eq!(
            work.remote_below,
            ["my drive"],
            "only the mount below it is scanned"
        );
    }
}
