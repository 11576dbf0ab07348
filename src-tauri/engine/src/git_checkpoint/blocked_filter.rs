//! Filters that the repository's own configuration defines. Baton does not run them, so it keeps its hands off their files.
//!
//! What such a filter makes of a file (a secret that is stored encrypted, a notebook without its output) is what git keeps. Kept or
//! written without it, the secret would go into the repository in the clear, and its encrypted form would replace it in the directory.

use super::shadow_index::{list, paths};
use super::{CheckpointError, WorkTree};

/// A filter that does not run, and the first file that would go through it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockedFilter {
    /// The name of the filter.
    pub filter: String,
    /// The file, relative to the root.
    pub path: String,
}

impl WorkTree {
    /// The first file with a filter that only the repository's own configuration defines; git-lfs is none.
    ///
    /// # Errors
    ///
    /// When git cannot read the configuration or the lists of files.
    pub fn blocked_filter(&self) -> Result<Option<BlockedFilter>, CheckpointError> {
        let filters = self.git.blocked_filters()?;
        if filters.is_empty() {
            return Ok(None);
        }
        let mut files = self.git.run(&["ls-files", "-z"])?;
        files.extend(
            self.git
                .run(&["ls-files", "-z", "--others", "--exclude-standard"])?,
        );
        // Git names a repository inside by its folder, and looks at nothing in there.
        let files = list(
            paths(&files)
                .filter(|path| !path.ends_with(b"/"))
                .map(<[u8]>::to_vec),
        );
        let told = self
            .git
            .run_with_input(&["check-attr", "-z", "--stdin", "filter"], files)?;
        // Path, attribute and value, in turn.
        let told: Vec<&[u8]> = paths(&told).collect();
        let is_blocked = |value: &[u8]| {
            filters
                .iter()
                .any(|filter| filter.as_encoded_bytes() == value)
        };
        Ok(told
            .chunks_exact(3)
            .find(|facts| is_blocked(facts[2]))
            .map(|facts| BlockedFilter {
                filter: String::from_utf8_lossy(facts[2]).into_owned(),
                path: String::from_utf8_lossy(facts[0]).into_owned(),
            }))
    }

    /// Whether files may be missing here that git would fetch from elsewhere. Baton does not let it.
    ///
    /// # Errors
    ///
    /// When git cannot read the configuration.
    pub fn is_partial_clone(&self) -> Result<bool, CheckpointError> {
        Ok(self.git.is_partial()?)
    }
}
