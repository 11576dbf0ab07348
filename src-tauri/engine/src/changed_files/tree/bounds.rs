//! How much of a directory is looked at.

use std::time::Duration;

use super::Tree;

/// How much of a directory is looked at before it counts as too large.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bounds {
    /// The most files and folders.
    pub(crate) entries: usize,
    /// The longest time.
    pub(crate) time: Duration,
}

/// What may be watched outside of git: whoever works in a home directory does not wait for Baton to read it.
const WATCHED: Bounds = Bounds {
    entries: 1_000_000,
    time: Duration::from_secs(5),
};

/// New directories are followed however many there are: not to follow them would be to miss what is in them.
pub(super) const WITHOUT_BOUNDS: Bounds = Bounds {
    entries: usize::MAX,
    time: Duration::from_secs(24 * 3600),
};

impl Tree {
    /// A tree that is watched is read once, and may be larger than one that is read each time.
    pub(super) fn bounds(&self, scanned: Bounds) -> Bounds {
        match self.watch.is_some() || self.lost {
            true if self.git.is_none() => WATCHED,
            true => WITHOUT_BOUNDS,
            false => scanned,
        }
    }
}
