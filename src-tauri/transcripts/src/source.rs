//! The files that hold histories: where they are, and whether they are still the same.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::hash::{DefaultHasher, Hasher as _};
use std::io;
use std::os::unix::fs::{FileExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

use crate::layout::opencode;
use crate::{Agent, Homes};

/// How deep folders are looked into.
const DEPTH: usize = 12;
/// How many bytes at its beginning tell one file from another.
const HEAD: usize = 512;
/// How many bytes before the place where reading stopped tell that nothing before it was rewritten.
const SEAM: usize = 64;

/// A file, or a session in a database, that holds a history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Source {
    pub(crate) agent: Agent,
    /// The file; for a session in a database the database and `#` and the session.
    pub(crate) path: PathBuf,
    pub(crate) stamp: Stamp,
}

/// What changes when a source changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Stamp {
    pub(crate) size: i64,
    /// Nanoseconds since 1970, or whatever a database counts in.
    pub(crate) modified: i64,
    pub(crate) inode: i64,
}

impl Stamp {
    pub(crate) fn of(metadata: &Metadata) -> Self {
        let modified = metadata
            .mtime()
            .saturating_mul(1_000_000_000)
            .saturating_add(metadata.mtime_nsec());
        Self {
            size: metadata.size().cast_signed(),
            modified,
            inode: metadata.ino().cast_signed(),
        }
    }
}

/// What was found, and what could not be looked at.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    pub(crate) sources: Vec<Source>,
    pub(crate) trouble: Vec<Trouble>,
}

/// A file or folder that could not be looked at. What lies there, or below it, is not known to be gone.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{} {reason}", path.display())]
pub(crate) struct Trouble {
    pub(crate) path: PathBuf,
    /// Completes the path to a sentence: "cannot be read: …".
    pub(crate) reason: String,
}

impl Findings {
    pub(crate) fn unsure(&mut self, path: &Path, reason: String) {
        self.trouble.push(Trouble {
            path: path.to_path_buf(),
            reason,
        });
    }

    /// Whether a file of that path may be there although it was not found.
    pub(crate) fn may_hide(&self, path: &Path) -> bool {
        let database = opencode::database_of_session(path);
        let is_below = |place: &Path| path.starts_with(place) || database == Some(place);
        self.trouble.iter().any(|trouble| is_below(&trouble.path))
    }
}

/// Finds every source. Links below the roots are not followed, so that no loop is walked.
pub(crate) fn find(homes: &Homes) -> Findings {
    let mut findings = Findings::default();
    for (agent, root) in &homes.roots {
        if *agent == Agent::Opencode {
            opencode::databases(root).for_each(|database| opencode::find(&database, &mut findings));
        }
        walk(*agent, root, 0, &mut findings);
    }
    opencode::drop_taken_over(&mut findings);
    let mut seen = HashSet::new();
    findings
        .sources
        .retain(|source| seen.insert(source.path.clone()));
    findings
}

/// The sources behind one path that has changed: a file, or all sessions of a database.
pub(crate) fn find_at(homes: &Homes, path: &Path) -> Findings {
    let mut findings = Findings::default();
    let Some((agent, _)) = homes.roots.iter().find(|(_, root)| path.starts_with(root)) else {
        return findings;
    };
    if let Some(database) = database_at(homes, path) {
        if database.is_file() {
            opencode::find(&database, &mut findings);
        }
    } else if path.is_dir() {
        walk(*agent, path, 0, &mut findings);
    } else {
        look(*agent, path, &mut findings);
    }
    findings
}

/// The database that a path below the roots belongs to.
pub(crate) fn database_at(homes: &Homes, path: &Path) -> Option<PathBuf> {
    let is_root = |folder| {
        homes
            .roots
            .iter()
            .any(|(agent, root)| *agent == Agent::Opencode && root == folder)
    };
    opencode::database_of(path).filter(|_| path.parent().is_some_and(is_root))
}

/// Every database in the roots.
pub(crate) fn databases(homes: &Homes) -> impl Iterator<Item = PathBuf> {
    let roots = homes
        .roots
        .iter()
        .filter(|(agent, _)| *agent == Agent::Opencode);
    roots.flat_map(|(_, root)| opencode::databases(root))
}

fn walk(agent: Agent, folder: &Path, depth: usize, findings: &mut Findings) {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        // An agent that was never used has no folder, and one may go away while it is walked.
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
            ) =>
        {
            return;
        }
        Err(error) => {
            findings.unsure(folder, format!("cannot be looked into: {error}"));
            return;
        }
    };
    for entry in entries.flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && depth < DEPTH => {
                walk(agent, &entry.path(), depth + 1, findings)
            }
            Ok(kind) if kind.is_file() => look(agent, &entry.path(), findings),
            _ => {}
        }
    }
}

fn look(agent: Agent, path: &Path, findings: &mut Findings) {
    if !is_history(agent, path) {
        return;
    }
    match path.symlink_metadata() {
        Ok(metadata) if metadata.is_file() && path.to_str().is_some() => {
            findings.sources.push(Source {
                agent,
                path: path.to_path_buf(),
                stamp: Stamp::of(&metadata),
            });
        }
        Ok(metadata) if metadata.is_file() => {
            findings.unsure(path, "has a name that is not valid UTF-8".to_owned());
        }
        _ => {}
    }
}

/// Whether a file of that name holds a history.
fn is_history(agent: Agent, path: &Path) -> bool {
    let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
    let ends = |end: &str| path.extension().is_some_and(|extension| extension == end);
    let parent = |name: &str| {
        path.parent()
            .and_then(Path::file_name)
            .is_some_and(|parent| parent == name)
    };
    match agent {
        Agent::Claude | Agent::Pi => ends("jsonl"),
        Agent::Codex => ends("jsonl") && name.starts_with("rollout-"),
        Agent::Gemini => {
            name.starts_with("session-") && parent("chats") && (ends("jsonl") || ends("json"))
        }
        Agent::Opencode => {
            name.starts_with("ses_") && ends("json") && opencode::is_session_file(path)
        }
    }
}

/// Opens a file that is one: whoever reads a pipe waits for ever.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    if !path.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no file"));
    }
    File::open(path)
}

/// A number for what stands at the beginning of a file and before the place `read_to`. It stays while the file only
/// grows.
pub(crate) fn mark(file: &File, read_to: u64) -> io::Result<i64> {
    let mut hasher = DefaultHasher::new();
    let head = HEAD.min(usize::try_from(read_to).unwrap_or(HEAD));
    for (place, length) in [
        (0, head),
        (read_to.saturating_sub(SEAM as u64), SEAM.min(head)),
    ] {
        let mut bytes = vec![0; length];
        file.read_exact_at(&mut bytes, place)?;
        hasher.write(&bytes);
    }
    Ok(hasher.finish().cast_signed())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_lies_in_an_unreadable_place_may_be_hidden() {
        let mut findings = Findings::default();
        findings.unsure(
            Path::new("/h/claude/a"),
            "cannot be looked into: no".to_owned(),
        );
        findings.unsure(
            Path::new("/h/x cannot be y/opencode.db"),
            "cannot be read: no".to_owned(),
        );
        for (path, is_hidden) in [
            ("/h/claude/a", true),
            ("/h/claude/a/b.jsonl", true),
            ("/h/claude/ab.jsonl", false),
            ("/h/x cannot be y/opencode.db#ses_1", true),
            ("/h/x/opencode.db#ses_1", false),
            ("/h/x", false),
        ] {
            assert_eq!(findings.may_hide(Path::new(path)), is_hidden, "{path}");
        }
    }
}
