//! Finds the file of a session on disk. The index is not used, because the agent may have written
//! or deleted the file a moment ago.

use std::fs;
use std::path::{Path, PathBuf};

use crate::{Agent, HistoryLocations};

/// The result of looking for the file of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum SessionFile {
    Found(PathBuf),
    /// Not in any of the agent's history folders that exist: these.
    Missing(Vec<PathBuf>),
    /// The agent does not keep one file per session, or has no history folder on this machine.
    Unknown,
}

/// How many levels of folders are searched: Codex keeps a folder for each day.
const MAX_DEPTH: usize = 4;

impl SessionFile {
    /// Looks for the session with the agent's own id `native`. Walks all folders, so the time
    /// grows with their number.
    #[must_use]
    pub fn locate(locations: &HistoryLocations, agent: Agent, native: &str) -> Self {
        let Some(suffix) = agent.layout().session_file(native) else {
            return Self::Unknown;
        };
        let roots = locations
            .roots
            .iter()
            .filter(|(of, root)| *of == agent && root.is_dir());
        let roots: Vec<PathBuf> = roots.map(|(_, root)| root.clone()).collect();
        match roots
            .iter()
            .find_map(|root| search(root, &suffix, MAX_DEPTH))
        {
            Some(path) => Self::Found(path),
            None if roots.is_empty() => Self::Unknown,
            None => Self::Missing(roots),
        }
    }
}

fn search(folder: &Path, suffix: &str, depth: usize) -> Option<PathBuf> {
    let mut folders = Vec::new();
    for entry in fs::read_dir(folder).ok()?.flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => folders.push(entry.path()),
            Ok(_) if entry.file_name().to_string_lossy().ends_with(suffix) => {
                return Some(entry.path());
            }
            _ => {}
        }
    }
    if depth == 0 {
        return None;
    }
    // Latest day first, because most requests are for recent sessions.
    folders.sort_unstable_by(|one, other| other.cmp(one));
    folders
        .iter()
        .find_map(|folder| search(folder, suffix, depth - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locates_session_by_file_name() {
        let agent = |name| Agent::from_name(name).expect("it is built in");
        let home = tempfile::tempdir().expect("a folder");
        let locations = HistoryLocations::discover(home.path(), |_| None);
        assert_eq!(
            SessionFile::locate(&locations, agent("claude"), "s1"),
            SessionFile::Unknown,
            "no place, no knowledge"
        );
        for (agent, native, file) in [
            (agent("claude"), "s1", ".claude/projects/-home-me/s1.jsonl"),
            (
                agent("codex"),
                "s2",
                ".codex/sessions/2026/11/21/rollout-2026-11-21T10-00-00-s2.jsonl",
            ),
            (
                agent("pi"),
                "s3",
                ".pi/agent/sessions/--home-me--/2026_s3.jsonl",
            ),
        ] {
            let path = home.path().join(file);
            fs::create_dir_all(path.parent().expect("it is in a folder")).expect("it is made");
            fs::write(&path, "").expect("it is written");
            assert_eq!(
                SessionFile::locate(&locations, agent, native),
                SessionFile::Found(path.clone()),
                "{agent}"
            );
            fs::remove_file(&path).expect("it goes");
            assert!(
                matches!(
                    SessionFile::locate(&locations, agent, native),
                    SessionFile::Missing(_)
                ),
                "{agent}"
            );
        }
        assert_eq!(
            SessionFile::locate(&locations, agent("opencode"), "s4"),
            SessionFile::Unknown,
            "it keeps a database"
        );
    }
}
