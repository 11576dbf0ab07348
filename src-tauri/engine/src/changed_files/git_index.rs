//! The files that git tracks, read from its index once, and again when the index changes.
//!
//! The format is described in `gitformat-index`. If the index uses other features (split or sparse
//! index, another hash, version 4), git itself lists the file names, and only these.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use super::file_state::FileFacts;
use crate::git::Git;

const HEADER: usize = 12;
/// Offsets of fields in an entry.
const MODIFIED: usize = 8;
const SIZE: usize = 36;
const OBJECT: usize = 40;
const FLAGS: usize = 60;
const NAME: usize = 62;

/// What git's index records about a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct IndexEntry {
    /// The modification time, in nanoseconds since 1970.
    pub(crate) modified: i64,
    /// The lower 32 bits of its size.
    pub(crate) size: u32,
    /// The id of the blob.
    pub(crate) object: [u8; 20],
}

impl IndexEntry {
    /// Returns whether the file was not written since git recorded it.
    pub(crate) fn matches(&self, facts: &FileFacts) -> bool {
        self.modified == facts.modified && u64::from(self.size) == facts.size & u64::from(u32::MAX)
    }
}

/// Identifies the state of the index file that was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Stamp {
    modified: i64,
    size: u64,
    inode: u64,
}

/// The index of a work tree.
#[derive(Debug, Default)]
pub(crate) struct GitIndex {
    stamp: Stamp,
    bytes: Vec<u8>,
    /// Where each name begins and ends, in the order of the names.
    names: Vec<(u32, u32)>,
    has_entries: bool,
}

impl GitIndex {
    /// The index of the work tree at `root`, stored at `path`. Without a file nothing is tracked.
    pub(crate) fn read(root: &Path, path: &Path) -> Self {
        let stamp = Stamp::of(path);
        let Ok(bytes) = fs::read(path) else {
            return Self {
                stamp,
                ..Self::default()
            };
        };
        if let Some(names) = parse(&bytes) {
            return Self {
                stamp,
                bytes,
                names,
                has_entries: true,
            };
        }
        let bytes = Git::at(root).run(&["ls-files", "-z"]).unwrap_or_default();
        let mut names = Vec::new();
        let mut from = 0;
        for end in memchr_all(&bytes) {
            names.extend(Some((offset(from), offset(end))).filter(|(from, end)| from < end));
            from = end + 1;
        }
        Self {
            stamp,
            bytes,
            names,
            has_entries: false,
        }
    }

    /// Returns whether the file at `path` has changed since it was read.
    pub(crate) fn is_outdated(&self, path: &Path) -> bool {
        Stamp::of(path) != self.stamp
    }

    pub(crate) fn tracks(&self, path: &str) -> bool {
        self.find(path).is_some()
    }

    /// Returns whether git tracks a file below the directory `path`, or a repository there.
    pub(crate) fn tracks_below(&self, path: &str) -> bool {
        let below = format!("{path}/");
        let at = self
            .names
            .partition_point(|name| self.text(*name) < below.as_bytes());
        self.names
            .get(at)
            .is_some_and(|name| self.text(*name).starts_with(below.as_bytes()))
            || self.tracks(path)
    }

    /// The entry of the file at `path`; `None` if the file was written at the same time as the
    /// index, since its timestamp may match a different content.
    pub(crate) fn entry(&self, path: &str) -> Option<IndexEntry> {
        let (from, _) = *self
            .names
            .get(self.find(path)?)
            .filter(|_| self.has_entries)?;
        let entry = self.bytes.get((from as usize).checked_sub(NAME)?..)?;
        let seconds = i64::from(number(entry, MODIFIED)?);
        let modified = seconds * 1_000_000_000 + i64::from(number(entry, MODIFIED + 4)?);
        let object = entry.get(OBJECT..FLAGS)?.try_into().ok()?;
        (modified < self.stamp.modified).then_some(IndexEntry {
            modified,
            size: number(entry, SIZE)?,
            object,
        })
    }

    fn find(&self, path: &str) -> Option<usize> {
        self.names
            .binary_search_by(|name| self.text(*name).cmp(path.as_bytes()))
            .ok()
    }

    fn text(&self, (from, end): (u32, u32)) -> &[u8] {
        &self.bytes[from as usize..end as usize]
    }
}

impl Stamp {
    fn of(path: &Path) -> Self {
        fs::metadata(path).map_or_else(
            |_| Self::default(),
            |meta| Self {
                modified: meta
                    .mtime()
                    .saturating_mul(1_000_000_000)
                    .saturating_add(meta.mtime_nsec()),
                size: meta.len(),
                inode: meta.ino(),
            },
        )
    }
}

/// The names in an index of version 2; `None` for any other version. Entries of version 3 have two
/// sizes.
fn parse(bytes: &[u8]) -> Option<Vec<(u32, u32)>> {
    if bytes.get(..4)? != b"DIRC" || number(bytes, 4)? != 2 {
        return None;
    }
    let count = number(bytes, 8)? as usize;
    let mut names: Vec<(u32, u32)> = Vec::with_capacity(count.min(bytes.len() / NAME));
    let mut at = HEADER;
    for _ in 0..count {
        let length = usize::from(
            u16::from_be_bytes(bytes.get(at + FLAGS..at + NAME)?.try_into().ok()?) & 0xFFF,
        );
        let from = at + NAME;
        let end = if length < 0xFFF {
            from + length
        } else {
            from + bytes.get(from..)?.iter().position(|b| *b == 0)?
        };
        if *bytes.get(end)? != 0 {
            return None;
        }
        // A file in conflict has an entry for each side.
        let name = bytes.get(from..end)?;
        if names
            .last()
            .is_none_or(|(from, end)| &bytes[*from as usize..*end as usize] != name)
        {
            names.push((u32::try_from(from).ok()?, u32::try_from(end).ok()?));
        }
        at += (NAME + (end - from) + 8) & !7;
    }
    extensions_are_known(bytes, at).then_some(names)
}

/// Returns whether no extension changes the meaning of the entries: the names of such extensions
/// begin with a lowercase letter.
fn extensions_are_known(bytes: &[u8], mut at: usize) -> bool {
    while at + 28 <= bytes.len() {
        let Some(size) = number(bytes, at + 4) else {
            return false;
        };
        if bytes[at].is_ascii_lowercase() {
            return false;
        }
        at += 8 + size as usize;
    }
    at + 20 == bytes.len()
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn memchr_all(bytes: &[u8]) -> impl Iterator<Item = usize> {
    bytes
        .iter()
        .enumerate()
        .filter(|(_, byte)| **byte == 0)
        .map(|(at, _)| at)
}

/// An index larger than 4 GB is not read.
fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
