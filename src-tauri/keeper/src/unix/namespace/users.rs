//! Who is who in the user namespace of a program: everybody stays who he was.

use std::fs;
use std::io;

use nix::unistd::{Pid, getegid, geteuid};

/// Gives the namespace of `pid` its users. Root keeps all of them, so that `chown` and `su` work as before; anybody
/// else may keep nobody but himself, and files of others show as belonging to `nobody`.
pub(super) fn map(pid: Pid, is_root: bool) -> io::Result<()> {
    if is_root {
        fs::write(format!("/proc/{pid}/uid_map"), same(&fs::read_to_string("/proc/self/uid_map")?))?;
        return fs::write(format!("/proc/{pid}/gid_map"), same(&fs::read_to_string("/proc/self/gid_map")?));
    }
    let (user, group) = (geteuid(), getegid());
    fs::write(format!("/proc/{pid}/uid_map"), format!("{user} {user} 1\n"))?;
    // The kernel asks for this: a group that was dropped could be one that is denied access. Groups stay in force.
    fs::write(format!("/proc/{pid}/setgroups"), "deny")?;
    fs::write(format!("/proc/{pid}/gid_map"), format!("{group} {group} 1\n"))
}

/// The ranges that this process's own namespace has, mapped to themselves.
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
        assert_eq!(same("         0          0 4294967295\n"), "0 0 4294967295\n");
        assert_eq!(same("0 1000 1\n1 100000 65536\n"), "0 0 1\n1 1 65536\n");
    }
}
