//! Where a git work tree begins and where its hooks are, told without starting git: most directories are in none.

use std::fs;
use std::path::{Path, PathBuf};

/// The nearest folder at or above `directory` that is the root of a work tree.
///
/// An empty folder called `.git` makes none: sandboxes leave such behind in shared places. Whether git can read the
/// repository is not looked at.
#[must_use]
pub fn work_tree_above(directory: &Path) -> Option<&Path> {
    directory.ancestors().find(|folder| {
        let git = folder.join(".git");
        // A file leads to the repository of a linked work tree or a submodule.
        git.is_file() || git.join("HEAD").exists()
    })
}

/// The `hooks` folders of the repositories in whose work trees `directory` is: the nearest, and those around it.
#[must_use]
pub(crate) fn hook_folders(directory: &Path) -> Vec<PathBuf> {
    let roots = std::iter::successors(work_tree_above(directory), |root| root.parent().and_then(work_tree_above));
    roots.filter_map(|root| Some(common_git_folder(root)?.join("hooks"))).collect()
}

/// The git folder of a work tree's repository, which its linked work trees share.
#[must_use]
pub(crate) fn common_git_folder(root: &Path) -> Option<PathBuf> {
    let git = root.join(".git");
    if git.is_dir() {
        return Some(git);
    }
    let text = fs::read_to_string(&git).ok()?;
    let own = root.join(text.trim_end().strip_prefix("gitdir: ")?);
    let common = fs::read_to_string(own.join("commondir")).map(|text| own.join(text.trim_end()));
    let folder = common.unwrap_or(own);
    Some(folder.canonicalize().unwrap_or(folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_folder_called_git_makes_no_work_tree() {
        let folder = tempfile::tempdir().expect("a folder");
        let inner = folder.path().join("a/b");
        fs::create_dir_all(inner.join(".git")).expect("room");
        assert_ne!(work_tree_above(&inner), Some(inner.as_path()));
        fs::write(inner.join(".git/HEAD"), "ref: refs/heads/main").expect("room");
        assert_eq!(work_tree_above(&inner), Some(inner.as_path()));
    }

    #[test]
    fn a_file_called_git_leads_to_a_repository_elsewhere() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join(".git"), "gitdir: /elsewhere").expect("room");
        assert_eq!(work_tree_above(&folder.path().join("deep/down")), Some(folder.path()));
    }

    #[test]
    fn linked_work_trees_share_the_hooks_of_their_repository() {
        let folder = tempfile::tempdir().expect("a folder");
        let top = folder.path().canonicalize().expect("a path");
        let own = top.join("main/.git/worktrees/other");
        fs::create_dir_all(&own).expect("room");
        fs::create_dir_all(top.join("other/src")).expect("room");
        fs::write(top.join("main/.git/HEAD"), "ref: refs/heads/main").expect("room");
        fs::write(own.join("commondir"), "../..\n").expect("room");
        fs::write(top.join("other/.git"), format!("gitdir: {}\n", own.display())).expect("room");
        let hooks = top.join("main/.git/hooks");
        assert_eq!(hook_folders(&top.join("main")).as_slice(), std::slice::from_ref(&hooks));
        assert_eq!(hook_folders(&top.join("other/src")), [hooks]);
        assert_eq!(hook_folders(&top), [] as [PathBuf; 0]);
    }
}
