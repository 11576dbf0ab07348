//! Limits for reading a directory.

use std::time::Duration;

use super::Tree;

/// Limits beyond which a directory counts as too large.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bounds {
    /// The maximum number of files and folders.
    pub(crate) entries: usize,
    /// The longest time that reading may take.
    pub(crate) time: Duration,
}

/// The limits for watching outside of git, so that an attempt in a home directory does not wait for
/// Baton to read it.
const WATCHED: Bounds = Bounds {
    entries: 1_000_000,
    time: Duration::from_secs(5),
};

/// New directories are always read: what is in them would be missed otherwise.
pub(super) const WITHOUT_BOUNDS: Bounds = Bounds {
    entries: usize::MAX,
    time: Duration::from_secs(24 * 3600),
};

impl Tree {
    /// A watched tree is read once, and may be larger than one that is read each time.
    pub(super) fn bounds(&self, scanned: Bounds) -> Bounds {
        match self.watch.is_some() || self.lost {
            true if self.git.is_none() => WATCHED,
            true => WITHOUT_BOUNDS,
            false => scanned,
        }
    }
}
