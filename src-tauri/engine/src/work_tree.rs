//! Where a git work tree begins, told without starting git: most directories are in none.

use std::path::Path;

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

#[cfg(test)]
mod tests {
    use std::fs;

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
}
