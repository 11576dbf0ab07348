//! The processes of a terminal: all that belong to the session which its shell leads.

use std::path::PathBuf;

use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;

/// The processes that a terminal had at one moment.
#[derive(Debug)]
pub(crate) struct SessionProcesses {
    shell: Pid,
    foreground: Option<Pid>,
    members: Vec<Member>,
}

/// A process, with what tells it from a later one that got its id.
#[derive(Debug, PartialEq, Eq)]
struct Member {
    pid: i32,
    session: i32,
    start_ticks: u64,
}

impl SessionProcesses {
    /// The processes of the terminal whose shell is `shell`, which must not have ended yet: its id
    /// might name another session.
    pub(crate) fn of(shell: i32, foreground: Option<i32>) -> Self {
        let members = process_ids()
            .filter_map(member)
            .filter(|member| member.session == shell)
            .collect();
        Self {
            shell: Pid::from_raw(shell),
            foreground: foreground.filter(|pid| *pid > 1).map(Pid::from_raw),
            members,
        }
    }

    /// Sends `signal` to those that still exist. One that has just ended is not an error.
    pub(crate) fn signal(&self, signal: Signal) {
        for known in &self.members {
            if member(known.pid).as_ref() == Some(known) {
                let _ = kill(Pid::from_raw(known.pid), signal);
            }
        }
    }

    /// Sends `signal` to the process groups of the shell and of the program in the foreground, for
    /// systems where the members can't be listed. Call it only while the shell lives.
    pub(crate) fn signal_groups(&self, signal: Signal) {
        let _ = killpg(self.shell, signal);
        if let Some(foreground) = self.foreground {
            let _ = killpg(foreground, signal);
        }
    }
}

/// The name of the program that leads a process group; `None` where that isn't known.
pub(crate) fn program_name(group: i32) -> Option<String> {
    let leader = baton_keeper::ancestors(group).into_iter().next()?;
    let program: PathBuf = leader.arguments.into_iter().next()?;
    Some(program.file_name()?.to_string_lossy().into_owned())
}

fn process_ids() -> impl Iterator<Item = i32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten();
    entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
}

fn member(pid: i32) -> Option<Member> {
    parse_stat(
        pid,
        &std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?,
    )
}

/// The name in parentheses may contain anything, also parentheses.
fn parse_stat(pid: i32, text: &str) -> Option<Member> {
    let mut fields = text.rsplit_once(')')?.1.split_ascii_whitespace();
    let session = fields.nth(3)?.parse().ok()?;
    let start_ticks = fields.nth(15)?.parse().ok()?;
    Some(Member {
        pid,
        session,
        start_ticks,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn session_and_start_are_read_behind_any_name() {
        let numbers = "S 10 11 12 34816 13 4194560 1 2 3 4 5 6 7 8 20 0 1 0 987654 1000 20";
        for name in ["(bash)", "(a) b (c)", "(x y) Z 1 1 1)"] {
            let member = parse_stat(14, &format!("14 {name} {numbers}"));
            assert_eq!(
                member,
                Some(Member {
                    pid: 14,
                    session: 12,
                    start_ticks: 987_654
                }),
                "{name}"
            );
        }
        assert_eq!(parse_stat(14, "14 (bash) S 10"), None);
    }
}
