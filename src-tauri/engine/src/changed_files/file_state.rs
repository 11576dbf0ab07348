//! What tells one content of a file from another.

use std::fs::{self, Metadata};
use std::hash::{DefaultHasher, Hasher as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

/// Files up to this size are told apart by their content: a new date alone is no change.
pub(crate) const READ_LIMIT: u64 = 64 * 1024;

/// File systems keep dates that lie behind the clock by up to a tick.
pub(crate) const TICK: Duration = Duration::from_millis(50);

/// The file type and the owner's execute bit, the part of the mode that git keeps too.
const MODE_BITS: u32 = 0o170_100;

/// A file as it was seen last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum FileState {
    /// It was in the directory listing, and nothing else was read.
    Listed,
    /// It was looked at.
    Known(FileFacts),
}

/// What one look at a file tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FileFacts {
    /// When its content changed last, in nanoseconds since 1970.
    pub(crate) modified: i64,
    /// When anything about it changed last. No program can set this time.
    pub(crate) changed: i64,
    /// Its size in bytes.
    pub(crate) size: u64,
    /// Its type and whether its owner may execute it.
    pub(crate) mode: u32,
    /// How many names it has.
    pub(crate) names: u64,
    /// A hash of its content; only of small files.
    pub(crate) content: Option<u64>,
    /// Whether it was written just before it was looked at, so that another write may leave the same dates.
    pub(crate) fresh: bool,
}

/// What is known to have happened to a file between two looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Touch {
    /// Its mode, owner or times may have changed, its content not.
    Attributes,
    /// Nothing: it was looked at again.
    Scanned,
    /// It was written, made, removed or renamed.
    Written,
}

impl FileFacts {
    /// The facts that `meta` tells of the file at `path`, whose content is read when `reads` and it is small.
    pub(crate) fn of(path: &Path, meta: &Metadata, reads: bool) -> Self {
        let now = SystemTime::now()
            .duration_since(SystemTime::UNIX_EPOCH)
            .unwrap_or_default();
        let settled = i64::try_from(now.saturating_sub(TICK).as_nanos()).unwrap_or(i64::MAX);
        Self {
            modified: nanoseconds(meta.mtime(), meta.mtime_nsec()),
            changed: nanoseconds(meta.ctime(), meta.ctime_nsec()),
            size: meta.len(),
            mode: meta.mode() & MODE_BITS,
            names: meta.nlink(),
            content: reads.then(|| content_of(path, meta)).flatten(),
            fresh: nanoseconds(meta.ctime(), meta.ctime_nsec()) >= settled,
        }
    }

    /// Whether nothing about the file changed since these were read.
    pub(crate) fn matches_metadata(&self, meta: &Metadata) -> bool {
        let is_dated = self.changed == nanoseconds(meta.ctime(), meta.ctime_nsec())
            && self.modified == nanoseconds(meta.mtime(), meta.mtime_nsec());
        !self.fresh
            && is_dated
            && self.size == meta.len()
            && self.mode == meta.mode() & MODE_BITS
            && self.names == meta.nlink()
    }

    /// Whether the file is another one than in `before`, when `touch` happened meanwhile.
    fn differs(&self, before: &Self, touch: Touch) -> bool {
        if self.mode != before.mode {
            return true;
        }
        if let (Some(before), Some(after)) = (before.content, self.content) {
            return before != after;
        }
        let is_dated = (before.modified, before.size) != (self.modified, self.size);
        match touch {
            Touch::Attributes => before.size != self.size,
            Touch::Scanned => is_dated,
            // Whoever sets back the date of what was written cannot set back when the file was changed.
            Touch::Written => is_dated || before.changed != self.changed || before.fresh,
        }
    }
}

impl FileState {
    /// Whether a file that was `before` is another one `after`.
    pub(crate) fn differs(before: Option<&Self>, after: Option<&Self>, touch: Touch) -> bool {
        match (before, after) {
            (None, None) => false,
            (Some(Self::Known(before)), Some(Self::Known(after))) => after.differs(before, touch),
            (Some(Self::Listed), Some(Self::Listed)) => false,
            // It was written, and what was there before was never read.
            _ => true,
        }
    }

    /// What is known of it.
    pub(crate) fn facts(&self) -> Option<&FileFacts> {
        match self {
            Self::Known(facts) => Some(facts),
            Self::Listed => None,
        }
    }
}

/// Good until the year 2262.
fn nanoseconds(seconds: i64, rest: i64) -> i64 {
    seconds.saturating_mul(1_000_000_000).saturating_add(rest)
}

fn content_of(path: &Path, meta: &Metadata) -> Option<u64> {
    let mut hasher = DefaultHasher::new();
    if meta.is_symlink() {
        hasher.write(fs::read_link(path).ok()?.as_os_str().as_bytes());
    } else if meta.is_file() && meta.len() <= READ_LIMIT {
        hasher.write(&fs::read(path).ok()?);
    } else {
        return None;
    }
    Some(hasher.finish())
}
