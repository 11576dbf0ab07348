//! Determines which files were ignored at the time of a checkpoint.
//!
//! If `.gitignore` has changed since, the rules of that time apply: a file that was ignored then is
//! not new today, and one that is ignored only today is.

use std::collections::HashSet;
use std::fs;

use super::shadow_index::{GitPath, ShadowIndex, list, paths};
use super::{CheckpointError, WorkTree};
use crate::git::GitError;

/// The name of the files that hold the rules.
const RULES: &[u8] = b".gitignore";

pub(super) fn is_ignore_file(path: &[u8]) -> bool {
    path.rsplit(|byte| *byte == b'/').next() == Some(RULES)
}

/// All files that git ignores now, except inside of other repositories.
pub(super) fn ignored_now(shadow: &ShadowIndex) -> Result<Vec<GitPath>, CheckpointError> {
    let listed = shadow.git.run(&[
        "ls-files",
        "-z",
        "--others",
        "--ignored",
        "--exclude-standard",
    ])?;
    Ok(paths(&listed)
        .filter(|path| !path.ends_with(b"/") && !shadow.is_foreign(path))
        .map(<[u8]>::to_vec)
        .collect())
}

/// The paths in `asked` that the rules in `tree` ignore, whether they exist or not.
pub(super) fn ignored_by(
    work_tree: &WorkTree,
    shadow: &ShadowIndex,
    tree: &str,
    asked: Vec<GitPath>,
) -> Result<HashSet<GitPath>, CheckpointError> {
    let place = shadow.folder().join("rules");
    fs::create_dir_all(&place)?;
    let git = work_tree
        .git
        .with_index(&shadow.folder().join("rules-index"));
    git.run(&["read-tree", tree])?;
    let listed = git.run(&["ls-files", "-z"])?;
    let rules = list(
        paths(&listed)
            .filter(|path| is_ignore_file(path))
            .map(<[u8]>::to_vec),
    );
    let prefix = format!("--prefix={}/", place.display());
    git.run_with_input(
        &["checkout-index", "-z", "--stdin", "--force", &prefix],
        rules,
    )?;

    let apart = work_tree
        .git
        .with_index(&shadow.folder().join("no-index"))
        .with_work_tree(&work_tree.git_dir, &place);
    match apart.run_with_input(
        &["check-ignore", "-z", "--stdin", "--no-index"],
        list(asked),
    ) {
        Ok(ignored) => Ok(paths(&ignored).map(<[u8]>::to_vec).collect()),
        Err(GitError::Refused { code: Some(1), .. }) => Ok(HashSet::new()),
        Err(error) => Err(error.into()),
    }
}
