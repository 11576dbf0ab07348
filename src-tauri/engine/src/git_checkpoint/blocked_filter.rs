//! Filters that the repository's own configuration defines. Baton does not run them, so it does not
//! touch their files.
//!
//! Git stores what such a filter produces (an encrypted secret, a notebook without its output).
//! Without the filter, Baton would store the secret as plain text in the repository, and would
//! replace it by its encrypted form in the directory.

use super::shadow_index::{list, paths};
use super::{CheckpointError, WorkTree};

/// A filter that does not run, and the first file that needs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockedFilter {
    /// The name of the filter.
    pub filter: String,
    /// Relative to the root of the work tree.
    pub path: String,
}

impl WorkTree {
    /// The first file with a filter that only the repository's own configuration defines; git-lfs
    /// does not count.
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
        // Git lists a nested repository as a folder, and does not look inside.
        let files = list(
            paths(&files)
                .filter(|path| !path.ends_with(b"/"))
                .map(<[u8]>::to_vec),
        );
        let output = self
            .git
            .run_with_input(&["check-attr", "-z", "--stdin", "filter"], files)?;
        // Path, attribute and value alternate.
        let output: Vec<&[u8]> = paths(&output).collect();
        let is_blocked = |value: &[u8]| {
            filters
                .iter()
                .any(|filter| filter.as_encoded_bytes() == value)
        };
        Ok(output
            .chunks_exact(3)
            .find(|facts| is_blocked(facts[2]))
            .map(|facts| BlockedFilter {
                filter: String::from_utf8_lossy(facts[2]).into_owned(),
                path: String::from_utf8_lossy(facts[0]).into_owned(),
            }))
    }

    /// Whether objects may be missing that git would download, which Baton does not allow.
    ///
    /// # Errors
    ///
    /// When git cannot read the configuration.
    pub fn is_partial_clone(&self) -> Result<bool, CheckpointError> {
        Ok(self.git.is_partial()?)
    }
}
