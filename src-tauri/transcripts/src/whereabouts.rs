//! Whether an agent still has the file of a session, asked of the disk and not of the index: an agent may have written
//! it a moment ago, or deleted it.

use std::fs;
use std::path::{Path, PathBuf};

use crate::{Agent, Homes};

/// Where the file of a session is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Whereabouts {
    /// There.
    Here(PathBuf),
    /// Not in any of the places where the agent keeps its sessions, of which these exist.
    Gone(Vec<PathBuf>),
    /// The agent keeps no file for each session, or has no place on this machine.
    Unknown,
}

/// How deep folders are looked into: Codex keeps a folder for each day.
const DEPTH: usize = 4;

impl Whereabouts {
    /// Looks for the session that `agent` calls `native`. Walks folders, so it costs what their number costs.
    #[must_use]
    pub fn of(homes: &Homes, agent: Agent, native: &str) -> Self {
        let Some(ending) = ending(agent, native) else {
            return Self::Unknown;
        };
        let roots = homes
            .roots
            .iter()
            .filter(|(of, root)| *of == agent && root.is_dir());
        let roots: Vec<PathBuf> = roots.map(|(_, root)| root.clone()).collect();
        match roots.iter().find_map(|root| search(root, &ending, DEPTH)) {
            Some(path) => Self::Here(path),
            None if roots.is_empty() => Self::Unknown,
            None => Self::Gone(roots),
        }
    }
}

/// How the name of the file ends, with the character before it that the name may have none of.
fn ending(agent: Agent, native: &str) -> Option<String> {
    match agent {
        Agent::Claude => Some(format!("{native}.jsonl")),
        Agent::Codex => Some(format!("-{native}.jsonl")),
        Agent::Pi => Some(format!("_{native}.jsonl")),
        Agent::Gemini | Agent::Opencode => None,
    }
}

fn search(folder: &Path, ending: &str, depth: usize) -> Option<PathBuf> {
    let mut folders = Vec::new();
    for entry in fs::read_dir(folder).ok()?.flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => folders.push(entry.path()),
            Ok(_) if entry.file_name().to_string_lossy().ends_with(ending) => {
                return Some(entry.path());
            }
            _ => {}
        }
    }
    if depth == 0 {
        return None;
    }
    // The latest day first: most sessions that somebody asks for are young.
    folders.sort_unstable_by(|one, other| other.cmp(one));
    folders
        .iter()
        .find_map(|folder| search(folder, ending, depth - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_is_found_by_the_name_of_its_file() {
        let home = tempfile::tempdir().expect("a folder");
        let homes = Homes::found(home.path(), |_| None);
        assert_eq!(
            Whereabouts::of(&homes, Agent::Claude, "s1"),
            Whereabouts::Unknown,
            "no place, no knowledge"
        );
        for (agent, native, file) in [
            (Agent::Claude, "s1", ".claude/projects/-home-me/s1.jsonl"),
            (
                Agent::Codex,
                "s2",
                ".codex/sessions/2026/11/21/rollout-2026-11-21T10-00-00-s2.jsonl",
            ),
            (
                Agent::Pi,
                "s3",
                ".pi/agent/sessions/--home-me--/2026_s3.jsonl",
            ),
        ] {
            let path = home.path().join(file);
            fs::create_dir_all(path.parent().expect("it is in a folder")).expect("it is made");
            fs::write(&path, "").expect("it is written");
            assert_eq!(
                Whereabouts::of(&homes, agent, native),
                Whereabouts::Here(path.clone()),
                "{agent}"
            );
            fs::remove_file(&path).expect("it goes");
            assert!(
                matches!(Whereabouts::of(&homes, agent, native), Whereabouts::Gone(_)),
                "{agent}"
            );
        }
        assert_eq!(
            Whereabouts::of(&homes, Agent::Opencode, "s4"),
            Whereabouts::Unknown,
            "it keeps a database"
        );
    }
}
