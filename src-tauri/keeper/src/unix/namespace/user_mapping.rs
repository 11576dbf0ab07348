//! The user mapping of a program's namespace: all ids stay the same.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};

use nix::unistd::{getegid, geteuid};

/// The users and groups of a namespace, in the kernel's format.
///
/// Root keeps all ids, so that `chown` and `su` work as before; other users may map only their own
/// id, and files of others belong to `nobody`.
pub(super) struct UserMapping {
    users: String,
    groups: String,
    is_root: bool,
}

impl UserMapping {
    pub(super) fn read(is_root: bool) -> io::Result<Self> {
        let (users, groups) = if is_root {
            (
                same(&fs::read_to_string("/proc/self/uid_map")?),
                same(&fs::read_to_string("/proc/self/gid_map")?),
            )
        } else {
            let (user, group) = (geteuid(), getegid());
            (format!("{user} {user} 1\n"), format!("{group} {group} 1\n"))
        };
        Ok(Self {
            users,
            groups,
            is_root,
        })
    }

    /// Root's mapping must be written by a process outside of the namespace; a user's own can be
    /// written from inside.
    pub(super) fn is_root(&self) -> bool {
        self.is_root
    }

    /// Writes the user mapping of `process`, a pid or `self`.
    pub(super) fn map(&self, process: &str) -> io::Result<()> {
        let write = |file: &str, text: &str| {
            OpenOptions::new()
                .write(true)
                .open(format!("/proc/{process}/{file}"))?
                .write_all(text.as_bytes())
        };
        write("uid_map", &self.users)?;
        if !self.is_root {
            // The kernel requires this: dropping a group could give access to a file that denies it
            // to the group. Groups stay in effect.
            write("setgroups", "deny")?;
        }
        write("gid_map", &self.groups)
    }
}

/// The id ranges of this process's own namespace, mapped to themselves.
fn same(own: &str) -> String {
    let ranges = own.lines().filter_map(|line| {
        let mut fields = line.split_whitespace();
        let (first, length) = (fields.next()?, fields.nth(1)?);
        Some(format!("{first} {first} {length}\n"))
    });
    ranges.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_map_to_themselves() {
        assert_eq!(
            same("         0          0 4294967295\n"),
            "0 0 4294967295\n"
        );
        assert_eq!(same("0 1000 1\n1 100000 65536\n"), "0 0 1\n1 1 65536\n");
    }
}
