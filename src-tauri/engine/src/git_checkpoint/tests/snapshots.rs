//! The content of checkpoints, and what creating one must not change.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use super::repository::{Repository, changes_by_path};
use crate::git::{Git, GitError};
use crate::git_checkpoint::{CheckpointError, FileChange, WorkTree};

#[test]
fn folder_without_repository_is_not_a_work_tree() {
    let folder = tempfile::tempdir().expect("temp dir");
    let of = |path: PathBuf| {
        WorkTree::of(&path, &folder.path().join("data"))
            .expect("git works")
            .map(|tree| tree.root().to_path_buf())
    };
    assert_eq!(of(folder.path().to_path_buf()), None);

    fs::create_dir(folder.path().join(".git")).expect("create folder");
    assert_eq!(
        of(folder.path().to_path_buf()),
        None,
        "an empty folder named .git is not a repository"
    );

    let repository = Repository::new();
    assert_eq!(
        of(repository.root().join(".git")),
        None,
        "the inside of .git is not a work tree"
    );
    Git::at(folder.path())
        .run(&["init", "--quiet", "--bare", "bare"])
        .expect("git works");
    assert_eq!(
        of(folder.path().join("bare")),
        None,
        "a bare repository has no files"
    );
}

#[test]
fn nested_folder_resolves_to_its_work_tree() {
    let repository = Repository::committed(&[("top", "1"), ("deep/down/file", "1")]);
    let work_tree = WorkTree::of(&repository.root().join("deep/down"), &repository.data())
        .expect("git works")
        .expect("a repository");
    assert_eq!(work_tree.root(), repository.root());
    work_tree.snapshot("here").expect("snapshot succeeds");
    repository.write("top", "2");
    assert_eq!(
        changes_by_path(work_tree.diff("here").expect("exists")),
        [("top".to_owned(), FileChange::Changed)]
    );
}

#[test]
fn checkpoint_excludes_ignored_files() {
    let repository = Repository::committed(&[
        (".gitignore", "*.log\n"),
        ("gone", "1"),
        ("kept", "1"),
        ("staged", "1"),
    ]);
    repository.write("tracked.log", "ignored, but tracked");
    repository.git(&["add", "--force", "tracked.log"]);
    repository.write("staged", "2");
    repository.git(&["add", "staged"]);
    repository.write("staged", "3");
    repository.write("never added", "1");
    repository.write("noise.log", "1");
    repository.remove("gone");
    repository.snapshot("run/1");
    assert_eq!(
        repository
            .git(&["ls-tree", "-r", "--name-only", "refs/baton/run/1"])
            .lines()
            .collect::<Vec<_>>(),
        [".gitignore", "kept", "never added", "staged", "tracked.log"]
    );
    assert_eq!(
        repository.git(&["show", "refs/baton/run/1:staged"]),
        "3",
        "what is on the disk counts, not what is staged"
    );
}

#[test]
fn snapshot_leaves_index_and_branches_unchanged() {
    let repository = Repository::committed(&[("file", "1")]);
    repository.write("file", "stashed");
    repository.git(&["stash"]);
    repository.write("file", "2");
    repository.write("new", "1");
    repository.git(&["add", "new"]);
    let before = (repository.user_git_state(), repository.files());
    repository.snapshot("here");
    assert_eq!((repository.user_git_state(), repository.files()), before);

    repository.write("file", "3");
    let user_git_state = repository.user_git_state();
    repository.restore("here");
    assert_eq!(
        repository.user_git_state(),
        user_git_state,
        "restoring changes only files"
    );
    assert_eq!(repository.files(), before.1);
}

#[test]
fn no_hook_runs() {
    let repository = Repository::committed(&[("file", "1")]);
    for hook in [
        "post-index-change",
        "reference-transaction",
        "pre-commit",
        "post-checkout",
    ] {
        repository.write(
            &format!(".git/hooks/{hook}"),
            "#!/bin/sh\ntouch \"$(git rev-parse --show-toplevel)/hook ran\"\n",
        );
        repository.make_executable(&format!(".git/hooks/{hook}"));
    }
    repository.snapshot("here");
    repository.write("file", "2");
    repository.restore("here");
    assert_eq!(repository.files().into_keys().collect::<Vec<_>>(), ["file"]);
}

#[test]
fn git_gc_keeps_checkpoints() {
    let repository = Repository::new();
    repository.write("never committed", "1");
    repository.snapshot("here");
    repository.remove("never committed");
    repository.git(&["gc", "--quiet", "--prune=now"]);
    assert_eq!(
        repository.restore("here"),
        [("never committed".to_owned(), FileChange::BroughtBack)]
    );
}

#[test]
fn assume_unchanged_files_are_included() {
    let repository = Repository::committed(&[("local", "1")]);
    repository.git(&["update-index", "--assume-unchanged", "local"]);
    repository.write("local", "mine");
    repository.snapshot("here");
    repository.write("local", "theirs");
    repository.restore("here");
    assert_eq!(repository.files()["local"], "0 mine");
    assert_eq!(
        repository.git(&["ls-files", "-v"]),
        "h local",
        "the flag is still set"
    );
}

#[test]
fn baton_data_is_excluded_from_checkpoints() {
    let repository = Repository::committed(&[("file", "1")]);
    repository.write("data/baton.db", "1");
    let data = repository.root().join("data");
    let work_tree = WorkTree::of(&repository.root(), &data)
        .expect("git works")
        .expect("a repository");
    work_tree.snapshot("here").expect("snapshot succeeds");
    repository.write("data/baton.db", "2");
    repository.write("data/baton.changes", "1");
    assert_eq!(work_tree.restore("here", "undo").expect("succeeds"), []);
    assert_eq!(repository.files()["data/baton.db"], "0 2");

    let nothing_else = WorkTree::of(&repository.root(), &repository.root()).expect("git works");
    assert!(
        nothing_else.is_none(),
        "if everything is Baton's own, there is nothing to save"
    );
}

#[test]
fn long_file_list_is_supported() {
    // More than 2 MB of paths, which exceeds the limit for arguments on Linux with the usual stack
    // of 8 MB.
    let repository = Repository::new();
    let folder = ["a folder with a name that makes a list of paths long"; 20].join("/");
    for number in 0..2_000 {
        repository.write(&format!("{folder}/{number}"), "1");
    }
    repository.snapshot("here");
    repository.remove("a folder with a name that makes a list of paths long");
    assert_eq!(repository.restore("here").len(), 2_000);
    assert_eq!(repository.files().len(), 2_000);
}

#[test]
fn invalid_checkpoint_names_are_refused() {
    let repository = Repository::new();
    for name in ["", "a b", "a~1", "a^{tree}", "a:b", "a\nb"] {
        assert!(
            matches!(
                repository.work_tree().snapshot(name),
                Err(CheckpointError::Name { .. })
            ),
            "{name:?}"
        );
    }
    // Git itself rejects these.
    for name in ["../heads/main", "a.lock", "a//"] {
        assert!(
            matches!(
                repository.work_tree().snapshot(name),
                Err(CheckpointError::Git(GitError::Refused { .. }))
            ),
            "{name:?}"
        );
    }
    assert!(
        matches!(repository.refusal("never-made"), CheckpointError::Unknown { name } if name == "never-made")
    );
}

#[test]
fn prune_removes_only_checkpoints_of_deleted_runs() {
    let repository = Repository::committed(&[("file", "1")]);
    for name in ["run-1/a", "run-1/b", "run-2/a"] {
        repository.snapshot(name);
    }
    let work_tree = repository.work_tree();
    assert_eq!(
        work_tree
            .prune(|name| !name.starts_with("run-1/"))
            .expect("git works"),
        2
    );
    assert_eq!(
        repository
            .git(&["for-each-ref", "--format=%(refname)"])
            .lines()
            .collect::<Vec<_>>(),
        ["refs/baton/run-2/a", "refs/heads/main"]
    );
    assert_eq!(work_tree.prune(|_| true).expect("git works"), 0);
}

#[test]
fn hanging_filter_times_out() {
    let repository = Repository::committed(&[(".gitattributes", "*.slow filter=slow\n")]);
    repository.write("a.slow", "1");
    let mut work_tree = repository.work_tree_of_person("[filter \"slow\"]\nclean = sleep 20\n");
    work_tree.git.timeout = Duration::from_millis(500);
    let error = work_tree.snapshot("here").expect_err("times out");
    assert!(
        matches!(error, CheckpointError::Git(GitError::TimedOut { .. })),
        "{error}"
    );
    assert_eq!(
        repository.git(&["for-each-ref", "refs/baton"]),
        "",
        "no partial checkpoint is left"
    );
}

#[test]
fn transient_read_error_is_retried() {
    let repository = Repository::committed(&[(".gitattributes", "*.busy filter=busy\n")]);
    let seen = repository.root().join(".git/seen");
    let fails_once = format!(
        "test -e '{0}' || {{ touch '{0}'; exit 1; }}; cat",
        seen.display()
    );
    let config = format!("[filter \"busy\"]\nclean = \"{fails_once}\"\nrequired = true\n");
    repository.write("a.busy", "1");
    repository
        .work_tree_of_person(&config)
        .snapshot("here")
        .expect("snapshot succeeds");
    assert_eq!(repository.git(&["show", "refs/baton/here:a.busy"]), "1");

    repository.write("a.busy", "2");
    let work_tree =
        repository.work_tree_of_person("[filter \"busy\"]\nclean = exit 1\nrequired = true\n");
    let error = work_tree.snapshot("never").expect_err("unreadable");
    assert!(
        error.to_string().contains("a.busy"),
        "the file is named: {error}"
    );
}
