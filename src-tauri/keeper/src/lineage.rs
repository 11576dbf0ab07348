//! Whether a process runs in a session: the keepers among its ancestors.
//!
//! A keeper is a subreaper, so even `setsid`, `nohup`, an empty environment or a double fork leave
//! a process below it. A process cannot choose its ancestors: by changing its own name or arguments
//! it can only add a keeper, and the outermost one counts.

use std::path::{Path, PathBuf};

use crate::unix::platform::{self, Process};

/// The relation of a process to the sessions of a data directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lineage {
    /// It descends from no keeper of these sessions.
    Outside,
    /// It descends from the keeper of the session with this folder, or is that keeper.
    Within(PathBuf),
    /// It ended during the check, so nothing is known about it.
    Gone,
}

/// How often a walk is repeated because an ancestor has ended meanwhile.
const MAX_WALKS: u32 = 8;

/// The relation of process `pid` to the sessions whose folders are below `sessions`; those of
/// checks are in the folder of the session that they check.
///
/// Keepers of other data directories do not count: a Baton that is built or tested inside of a
/// session may do anything within its own data.
#[must_use]
pub fn lineage(pid: i32, sessions: &Path) -> Lineage {
    let sessions = Sessions::at(sessions);
    (0..MAX_WALKS)
        .find_map(|_| walk(pid, &sessions))
        .unwrap_or(Lineage::Gone)
}

/// [`lineage()`] of the calling process.
#[must_use]
pub fn own_lineage(sessions: &Path) -> Lineage {
    lineage(nix::unistd::getpid().as_raw(), sessions)
}

/// An ancestor of a process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ancestor {
    /// The ancestor's process id.
    pub pid: i32,
    /// The start time, in clock ticks since boot.
    pub start_ticks: u64,
    /// The arguments, program name first.
    pub arguments: Vec<PathBuf>,
}

/// The process `pid` and its ancestors, nearest first; those that ended during the walk are
/// missing.
#[must_use]
pub fn ancestors(pid: i32) -> Vec<Ancestor> {
    let climb = |process: &Process| platform::process(process.parent);
    let above = std::iter::successors(platform::process(pid), climb);
    let known = above.map(|process| Ancestor {
        pid: process.pid,
        start_ticks: process.start_ticks,
        arguments: platform::arguments(process.pid),
    });
    known.collect()
}

/// The processes of sessions whose folders are directly in `sessions`, each with its session's
/// folder.
#[must_use]
pub fn processes_within(sessions: &Path) -> Vec<(i32, PathBuf)> {
    let everybody = platform::processes();
    let found = everybody
        .iter()
        .filter_map(|process| match lineage(process.pid, sessions) {
            Lineage::Within(folder) => Some((process.pid, folder)),
            Lineage::Outside | Lineage::Gone => None,
        });
    found.collect()
}

/// The folder of all sessions, as given and as a real path.
struct Sessions {
    named: PathBuf,
    real: Option<PathBuf>,
}

impl Sessions {
    fn at(named: &Path) -> Self {
        Self {
            named: named.to_owned(),
            real: named.canonicalize().ok(),
        }
    }

    fn is(&self, folder: &Path) -> bool {
        folder == self.named || (self.real.is_some() && folder.canonicalize().ok() == self.real)
    }

    /// The folder of the session that `process` keeps, or belongs to.
    fn kept_by(&self, process: &Process) -> Option<PathBuf> {
        let arguments = platform::arguments(process.pid);
        let [_, folder] = arguments.as_slice() else {
            return None;
        };
        let is_own = |one: &&Path| one.parent().is_some_and(|above| self.is(above));
        folder.ancestors().find(is_own).map(Path::to_owned)
    }
}

/// Climbs from `pid` to the first process; `None` when one of them ended meanwhile.
fn walk(pid: i32, sessions: &Sessions) -> Option<Lineage> {
    let mut climbed = Vec::new();
    let mut found = Lineage::Outside;
    let mut next = pid;
    while next > 0 {
        let process = platform::process(next)?;
        if let Some(folder) = sessions.kept_by(&process) {
            found = Lineage::Within(folder);
        }
        next = process.parent;
        climbed.push(process);
    }
    // The id of an ancestor that ended during the walk may have been reused.
    let is_unchanged =
        |seen: &Process| platform::process(seen.pid).is_some_and(|now| now.is_same(seen));
    climbed.iter().all(is_unchanged).then_some(found)
}
