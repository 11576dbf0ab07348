//! Finds the root and the hooks of a git work tree without starting git, since most directories are
//! in none.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// More bytes than any path has.
const PATH_LIMIT: u64 = 64 * 1024;

/// The work trees that contain `directory`, innermost first.
pub(crate) fn work_trees(directory: &Path) -> impl Iterator<Item = &Path> {
    std::iter::successors(work_tree_above(directory), |root| {
        root.parent().and_then(work_tree_above)
    })
}

/// The nearest folder at or above `directory` that is the root of a work tree.
///
/// An empty `.git` folder does not count: sandboxes leave such folders in shared places. Whether
/// git can read the repository is not checked.
#[must_use]
pub fn work_tree_above(directory: &Path) -> Option<&Path> {
    directory.ancestors().find(|folder| {
        let git = folder.join(".git");
        // A `.git` file points to the repository of a linked work tree or a submodule.
        git.is_file() || git.join("HEAD").exists()
    })
}

/// The `hooks` folders of the repositories whose work trees contain `directory`, innermost first.
#[must_use]
pub(crate) fn hook_folders(directory: &Path) -> Vec<PathBuf> {
    work_trees(directory)
        .filter_map(|root| Some(common_git_folder(root)?.join("hooks")))
        .collect()
}

/// The git folder of a work tree's repository, which its linked work trees share.
#[must_use]
pub(crate) fn common_git_folder(root: &Path) -> Option<PathBuf> {
    git_folders(root).map(|folders| folders.common)
}

/// Where git keeps the data of a work tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GitFolders {
    /// Data of this work tree alone.
    pub(crate) own: PathBuf,
    /// Data that all work trees of the repository share; the same folder as `own` in the main one.
    pub(crate) common: PathBuf,
}

/// The git folders of the work tree at `root`.
#[must_use]
pub(crate) fn git_folders(root: &Path) -> Option<GitFolders> {
    let git = root.join(".git");
    if git.is_dir() {
        return Some(GitFolders {
            own: git.clone(),
            common: git,
        });
    }
    let own = root.join(beginning(&git)?.trim_end().strip_prefix("gitdir: ")?);
    let common = beginning(&own.join("commondir"))
        .map_or_else(|| own.clone(), |text| own.join(text.trim_end()));
    let canonical = |folder: PathBuf| folder.canonicalize().unwrap_or(folder);
    Some(GitFolders {
        own: canonical(own),
        common: canonical(common),
    })
}

/// The start of a file that holds a path. A session may have put a very large file there.
fn beginning(path: &Path) -> Option<String> {
    if !path.is_file() {
        return None;
    }
    let mut text = String::new();
    fs::File::open(path)
        .ok()?
        .take(PATH_LIMIT)
        .read_to_string(&mut text)
        .ok()?;
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_git_folder_is_not_a_work_tree() {
        let folder = tempfile::tempdir().expect("temp dir");
        let inner = folder.path().join("a/b");
        fs::create_dir_all(inner.join(".git")).expect("create folder");
        assert_ne!(work_tree_above(&inner), Some(inner.as_path()));
        fs::write(inner.join(".git/HEAD"), "ref: refs/heads/main").expect("write file");
        assert_eq!(work_tree_above(&inner), Some(inner.as_path()));
    }

    #[test]
    fn git_file_points_to_its_repository() {
        let folder = tempfile::tempdir().expect("temp dir");
        fs::write(folder.path().join(".git"), "gitdir: /elsewhere").expect("write file");
        assert_eq!(
            work_tree_above(&folder.path().join("deep/down")),
            Some(folder.path())
        );
    }

    #[test]
    fn linked_work_trees_share_the_hooks_of_their_repository() {
        let folder = tempfile::tempdir().expect("temp dir");
        let top = folder.path().canonicalize().expect("a path");
        let own = top.join("main/.git/worktrees/other");
        fs::create_dir_all(&own).expect("create folder");
        fs::create_dir_all(top.join("other/src")).expect("create folder");
        fs::write(top.join("main/.git/HEAD"), "ref: refs/heads/main").expect("write file");
        fs::write(own.join("commondir"), "../..\n").expect("write file");
        fs::write(
            top.join("other/.git"),
            format!("gitdir: {}\n", own.display()),
        )
        .expect("write file");
        let hooks = top.join("main/.git/hooks");
        assert_eq!(
            hook_folders(&top.join("main")).as_slice(),
            std::slice::from_ref(&hooks)
        );
        assert_eq!(hook_folders(&top.join("other/src")), [hooks]);
        assert_eq!(hook_folders(&top), [] as [PathBuf; 0]);
    }
}
