//! Distinguishes one content of a file from another.

use std::fs::{self, Metadata};
use std::hash::{DefaultHasher, Hasher as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

/// Files up to this size are compared by content: a new timestamp alone is not a change.
pub(crate) const READ_LIMIT: u64 = 64 * 1024;

/// File system timestamps may be behind the clock by up to one tick.
pub(crate) const TICK: Duration = Duration::from_millis(50);

/// The file type and the owner's execute bit, the parts of the mode that git tracks too.
const MODE_BITS: u32 = 0o170_100;

/// A file as it was last seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum FileState {
    /// It was in the directory listing, and nothing else was read.
    Listed,
    /// Its metadata was read.
    Known(FileFacts),
}

/// The metadata of a file at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FileFacts {
    /// The modification time, in nanoseconds since 1970.
    pub(crate) modified: i64,
    /// The inode's change time in nanoseconds since 1970. No program can set it.
    pub(crate) changed: i64,
    pub(crate) size: u64,
    /// The file type and the owner's execute bit.
    pub(crate) mode: u32,
    /// The number of hard links.
    pub(crate) names: u64,
    /// A hash of the content; only for small files.
    pub(crate) content: Option<u64>,
    /// Whether it was written just before it was read, so that another write may have the same
    /// timestamps.
    pub(crate) fresh: bool,
}

/// What is known to have happened to a file between two checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Touch {
    /// Its mode, owner or times may have changed, but not its content.
    Attributes,
    /// Nothing: it was only scanned again.
    Scanned,
    /// It was written, created, removed or renamed.
    Written,
}

impl FileFacts {
    /// The facts in `meta` about the file at `path`. Its content is hashed if `reads` is set and it
    /// is small.
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

    /// Returns whether nothing about the file has changed since these facts were read.
    pub(crate) fn matches_metadata(&self, meta: &Metadata) -> bool {
        let is_dated = self.changed == nanoseconds(meta.ctime(), meta.ctime_nsec())
            && self.modified == nanoseconds(meta.mtime(), meta.mtime_nsec());
        !self.fresh
            && is_dated
            && self.size == meta.len()
            && self.mode == meta.mode() & MODE_BITS
            && self.names == meta.nlink()
    }

    /// Returns whether the file differs from `before`, when `touch` happened meanwhile.
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
            // A program can set back the modification time of a file, but not the change time.
            Touch::Written => is_dated || before.changed != self.changed || before.fresh,
        }
    }
}

impl FileState {
    /// Returns whether a file differs between `before` and `after`.
    pub(crate) fn differs(before: Option<&Self>, after: Option<&Self>, touch: Touch) -> bool {
        match (before, after) {
            (None, None) => false,
            (Some(Self::Known(before)), Some(Self::Known(after))) => after.differs(before, touch),
            (Some(Self::Listed), Some(Self::Listed)) => false,
            // It was written, and its earlier content was never read.
            _ => true,
        }
    }

    /// The metadata, if it was read.
    pub(crate) fn facts(&self) -> Option<&FileFacts> {
        match self {
            Self::Known(facts) => Some(facts),
            Self::Listed => None,
        }
    }
}

/// Valid until the year 2262.
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
