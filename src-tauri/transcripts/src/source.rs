//! A file or database session that holds a history, and how to tell whether it changed.

use std::fs::{File, Metadata};
use std::hash::{DefaultHasher, Hasher as _};
use std::io;
use std::os::unix::fs::{FileExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

use crate::Agent;

/// Separates a database from the session in it, in the path of a source.
pub(crate) const SESSION_SEPARATOR: char = '#';
/// The number of bytes at the beginning of a file that identify it.
const HEAD_BYTES: usize = 512;
/// The number of bytes before the end of the read part that show whether it was rewritten.
const TAIL_BYTES: usize = 64;

/// A file, or a session in a database, that holds a history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Source {
    pub(crate) agent: Agent,
    /// The file; for a session in a database, the database and `#` and the session.
    pub(crate) path: PathBuf,
    pub(crate) stamp: FileStamp,
}

/// Changes when a source changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct FileStamp {
    pub(crate) size: i64,
    /// Nanoseconds since 1970; for a database session, any increasing number.
    pub(crate) modified: i64,
    pub(crate) inode: i64,
}

impl FileStamp {
    pub(crate) fn from_metadata(metadata: &Metadata) -> Self {
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

/// The sources found, and the paths that could not be read.
#[derive(Debug, Default)]
pub(crate) struct DiscoveredSources {
    pub(crate) sources: Vec<Source>,
    pub(crate) trouble: Vec<UnreadablePath>,
}

/// A file or folder that could not be read. Sources at or below it may still exist.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{} {reason}", path.display())]
pub(crate) struct UnreadablePath {
    pub(crate) path: PathBuf,
    /// Completes the path to a sentence: "can't be read: …".
    pub(crate) reason: String,
}

impl DiscoveredSources {
    pub(crate) fn add_unreadable(&mut self, path: &Path, reason: String) {
        self.trouble.push(UnreadablePath {
            path: path.to_path_buf(),
            reason,
        });
    }

    /// Whether the source with this path may exist although it was not found.
    pub(crate) fn may_hide(&self, path: &Path) -> bool {
        let database = database_of_session(path);
        let is_below = |place: &Path| path.starts_with(place) || database == Some(place);
        self.trouble.iter().any(|trouble| is_below(&trouble.path))
    }
}

/// The database of a session's path.
fn database_of_session(path: &Path) -> Option<&Path> {
    let (database, _) = path.to_str()?.rsplit_once(SESSION_SEPARATOR)?;
    Some(Path::new(database))
}

/// Opens a regular file. Reading a pipe would block forever.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    if !path.metadata()?.is_file() {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "not a regular file",
        ));
    }
    File::open(path)
}

/// A hash of the beginning of a file and of the bytes before the offset `read_to`. It does not
/// change while the file only grows.
pub(crate) fn fingerprint(file: &File, read_to: u64) -> io::Result<i64> {
    let mut hasher = DefaultHasher::new();
    let head = HEAD_BYTES.min(usize::try_from(read_to).unwrap_or(HEAD_BYTES));
    for (place, length) in [
        (0, head),
        (
            read_to.saturating_sub(TAIL_BYTES as u64),
            TAIL_BYTES.min(head),
        ),
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
    fn only_unreadable_paths_may_hide_sources() {
        let mut findings = DiscoveredSources::default();
        findings.add_unreadable(Path::new("/h/claude/a"), "can't be read: no".to_owned());
        findings.add_unreadable(
            Path::new("/h/x cannot be y/opencode.db"),
            "can't be read: no".to_owned(),
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
