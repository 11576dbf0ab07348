//! Baton's own commits of a repository as a git bundle, to take them to another machine.

use std::path::Path;

use crate::git::{Git, GitError};

/// Writes the commits below `refs/baton` of the repository at `directory` to the new git bundle
/// `file`. Returns whether there were any.
pub fn write_commit_bundle(directory: &Path, file: &Path) -> Result<bool, GitError> {
    let git = Git::at(directory);
    let list = ["for-each-ref", "--count=1", "refs/baton/"];
    if git.run(&list)?.is_empty() {
        return Ok(false);
    }
    let file = file.to_string_lossy();
    git.run(&["bundle", "create", "--quiet", &file, "--glob=refs/baton"])?;
    Ok(true)
}
