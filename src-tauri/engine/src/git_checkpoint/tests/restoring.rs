//! Restoring a checkpoint, and undoing that.

use std::fs;

use super::repository::{Repository, changes_by_path};
use crate::git_checkpoint::FileChange::{BroughtBack, Changed, Deleted};
use crate::git_checkpoint::{CheckpointError, Unfinished};

fn named<const N: usize>(
    files: [(&str, crate::git_checkpoint::FileChange); N],
) -> Vec<(String, crate::git_checkpoint::FileChange)> {
    files
        .into_iter()
        .map(|(path, change)| (path.to_owned(), change))
        .collect()
}

/// Files of every kind, in a repository with or without a commit.
fn varied(commit: bool) -> Repository {
    let repository = Repository::new();
    repository.write("changed", "1");
    repository.write("deleted/with its folder", "1");
    repository.write("became executable", "1");
    repository.write("tool", "1");
    repository.make_executable("tool");
    repository.write("became a link", "1");
    repository.link("link", "changed");
    repository.link("dangling", "nowhere");
    repository.write("became a folder", "1");
    repository.write("became a file/a", "1");
    repository.write("grüße \"mit\"\tallem\n", "1");
    if commit {
        repository.commit();
        repository.write("changed", "not committed");
    }
    repository
}

fn vary(repository: &Repository) {
    repository.write("changed", "3");
    repository.remove("deleted");
    repository.make_executable("became executable");
    repository.remove("tool");
    repository.write("tool", "1");
    repository.remove("became a link");
    repository.link("became a link", "tool");
    repository.remove("link");
    repository.link("link", "tool");
    repository.remove("dangling");
    repository.write("dangling", "1");
    repository.remove("became a folder");
    repository.write("became a folder/a", "1");
    repository.remove("became a file");
    repository.write("became a file", "1");
    repository.write("grüße \"mit\"\tallem\n", "2");
    repository.write("new/file", "1");
}

#[test]
fn restore_and_undo_cover_every_change_kind() {
    for commit in [false, true] {
        let repository = varied(commit);
        repository.snapshot("here");
        let before = repository.files();
        vary(&repository);
        let after = repository.files();
        let expected = named([
            ("became a file", Deleted),
            ("became a file/a", BroughtBack),
            ("became a folder", BroughtBack),
            ("became a folder/a", Deleted),
            ("became a link", Changed),
            ("became executable", Changed),
            ("changed", Changed),
            ("dangling", Changed),
            ("deleted/with its folder", BroughtBack),
            ("grüße \"mit\"\tallem\n", Changed),
            ("link", Changed),
            ("new/file", Deleted),
            ("tool", Changed),
        ]);
        assert_eq!(
            changes_by_path(repository.work_tree().diff("here").expect("exists")),
            expected
        );
        assert_eq!(repository.files(), after, "a diff changes nothing");
        assert_eq!(repository.restore("here"), expected);
        assert_eq!(repository.files(), before);
        assert!(
            !repository.root().join("new").exists(),
            "a folder is removed with its last file"
        );
        assert_eq!(
            repository.restore("here"),
            [],
            "a second restore changes nothing"
        );

        vary(&repository);
        repository.restore("here");
        repository
            .work_tree()
            .restore("undo", "redo")
            .expect("undo succeeds");
        assert_eq!(repository.files(), after);
    }
}

/// A repository holds several projects, and a plan works in one of them.
#[test]
fn restore_is_limited_to_the_plan_directory() {
    let repository = Repository::committed(&[
        ("app/changed", "1"),
        ("app/deleted", "1"),
        ("apple/changed", "1"),
        ("other/changed", "1"),
        ("other/deleted", "1"),
        ("README", "1"),
    ]);
    repository.snapshot("here");
    for folder in ["app", "other"] {
        repository.write(&format!("{folder}/changed"), "2");
        repository.remove(&format!("{folder}/deleted"));
        repository.write(&format!("{folder}/new"), "1");
    }
    repository.write("apple/changed", "2");
    repository.write("README", "2");
    repository.write("other/deleted/now a folder", "1");
    let before = repository.files();
    let tree = repository.work_tree().below(&repository.root().join("app"));
    let expected = named([
        ("app/changed", Changed),
        ("app/deleted", BroughtBack),
        ("app/new", Deleted),
    ]);
    assert_eq!(
        changes_by_path(tree.diff("here").expect("exists")),
        expected
    );
    assert_eq!(
        changes_by_path(tree.restore("here", "undo").expect("no conflict")),
        expected
    );
    let mut files = repository.files();
    let inside = |path: &String| path.starts_with("app/");
    assert!(files.keys().any(inside));
    let mut others = before.clone();
    files.retain(|path, _| !inside(path));
    others.retain(|path, _| !inside(path));
    assert_eq!(files, others, "files elsewhere are unchanged");
    tree.restore("undo", "redo").expect("undo succeeds");
    assert_eq!(repository.files(), before);
}

#[test]
fn restore_keeps_later_commits() {
    let repository = Repository::committed(&[("file", "1")]);
    repository.snapshot("here");
    repository.write("file", "2");
    repository.write("new", "1");
    repository.commit();
    let head = repository.git(&["rev-parse", "HEAD"]);
    assert_eq!(
        repository.restore("here"),
        named([("file", Changed), ("new", Deleted)])
    );
    assert_eq!(repository.git(&["rev-parse", "HEAD"]), head);
    assert_eq!(repository.git(&["status", "--short"]), " M file\n D new");
}

#[test]
fn unfinished_merge_blocks_restore() {
    let repository = Repository::committed(&[("file", "1")]);
    repository.snapshot("here");
    repository.git(&["checkout", "--quiet", "-b", "other"]);
    repository.write("file", "2");
    repository.commit();
    repository.git(&["checkout", "--quiet", "main"]);
    repository.write("file", "3");
    repository.commit();
    for (begin, unfinished) in [
        (&["merge", "other"][..], Unfinished::Merge),
        (&["rebase", "other"], Unfinished::Rebase),
        (&["cherry-pick", "other"], Unfinished::CherryPick),
        (
            &["revert", "--no-edit", "HEAD~1", "HEAD"],
            Unfinished::Revert,
        ),
    ] {
        repository.try_git(begin).err();
        // The revert succeeds; only its marker file matters here.
        if unfinished == Unfinished::Revert {
            repository.write(".git/REVERT_HEAD", "1");
        }
        let before = (repository.files(), repository.user_git_state());
        let refusal = repository.refusal("here");
        assert!(
            matches!(refusal, CheckpointError::Unfinished(found) if found == unfinished),
            "{begin:?}: {refusal}"
        );
        assert!(
            refusal.to_string().contains(unfinished.abort()),
            "{refusal}"
        );
        repository.snapshot("meanwhile");
        assert_eq!((repository.files(), repository.user_git_state()), before);
        if unfinished != Unfinished::Revert {
            repository.git(&unfinished.abort().split(' ').skip(1).collect::<Vec<_>>());
        }
    }
}

#[test]
fn repositories_inside_are_left_alone() {
    let repository = Repository::committed(&[("file", "1")]);
    let other = Repository::committed(&[("theirs", "1")]);
    let url = other.root().display().to_string();
    repository.git(&[
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "--quiet",
        "add",
        &url,
        "submodule",
    ]);
    repository.commit();
    repository.write("unborn/file", "1");
    repository.git(&["init", "--quiet", "unborn"]);
    repository.git(&["clone", "--quiet", &url, "nested"]);
    repository.snapshot("here");

    repository.write("file", "2");
    repository.write("submodule/theirs", "2");
    repository.write("nested/theirs", "2");
    repository.write("unborn/file", "2");
    repository.git(&[
        "-C",
        "submodule",
        "-c",
        "user.name=A",
        "-c",
        "user.email=a@b",
        "commit",
        "--quiet",
        "--all",
        "-m",
        "2",
    ]);
    repository.git(&["clone", "--quiet", &url, "new"]);
    let before = repository.files();
    assert_eq!(repository.restore("here"), named([("file", Changed)]));
    let changed: Vec<_> = repository
        .files()
        .into_iter()
        .filter(|(path, content)| before.get(path) != Some(content))
        .collect();
    assert_eq!(changed, [("file".to_owned(), "0 1".to_owned())]);
}

#[test]
fn ignored_files_stay_and_do_not_block_restore() {
    let repository = Repository::committed(&[(".gitignore", "target/\n"), ("file", "1")]);
    repository.write("target/output", "1");
    repository.snapshot("here");
    repository.write("target/output", "2");
    repository.write("target/more", "1");
    repository.remove("file");
    repository.write("file", "2");
    assert_eq!(repository.restore("here"), named([("file", Changed)]));
    assert_eq!(repository.files()["target/output"], "0 2");
}

#[test]
fn newly_ignored_files_are_removed_and_can_be_undone() {
    let repository = Repository::committed(&[("file", "1")]);
    repository.write("notes", "then");
    repository.snapshot("here");
    let before = repository.files();
    repository.write(".gitignore", "dist/\nnotes\n");
    repository.write("dist/bundle", "1");
    repository.write("notes", "now");
    let after = repository.files();
    assert_eq!(
        repository.restore("here"),
        named([
            (".gitignore", Deleted),
            ("dist/bundle", Deleted),
            ("notes", Changed)
        ])
    );
    assert_eq!(repository.files(), before);
    repository
        .work_tree()
        .restore("undo", "redo")
        .expect("undo succeeds");
    assert_eq!(repository.files(), after);
}

#[test]
fn formerly_ignored_files_are_not_treated_as_new() {
    let repository = Repository::committed(&[
        (".gitignore", "secret\nbuild/\n"),
        ("inner/.gitignore", "/cache\n"),
    ]);
    repository.write("secret", "never kept");
    repository.write("build/output", "1");
    repository.write("inner/cache", "1");
    repository.snapshot("here");
    repository.write(".gitignore", "");
    repository.remove("inner/.gitignore");
    repository.write("new", "1");
    assert_eq!(
        repository.restore("here"),
        named([
            (".gitignore", Changed),
            ("inner/.gitignore", BroughtBack),
            ("new", Deleted)
        ])
    );
    assert_eq!(repository.files()["secret"], "0 never kept");
    assert_eq!(repository.files()["build/output"], "0 1");
    assert_eq!(repository.files()["inner/cache"], "0 1");
}

#[test]
fn ignored_file_replacing_a_folder_is_kept_for_undo() {
    let repository = Repository::committed(&[("x/file", "1")]);
    repository.snapshot("here");
    repository.git(&["rm", "-r", "--quiet", "x"]);
    repository.write(".git/info/exclude", "x\n");
    repository.write("x", "precious");
    assert_eq!(
        repository.restore("here"),
        named([("x", Deleted), ("x/file", BroughtBack)])
    );
    assert_eq!(repository.files()["x/file"], "0 1");
    assert_eq!(repository.git(&["show", "refs/baton/undo:x"]), "precious");
}

#[test]
fn ignored_files_replacing_a_file_are_not_lost() {
    let repository = Repository::committed(&[(".gitignore", "*.o\n"), ("place", "1")]);
    repository.snapshot("here");
    repository.remove("place");
    repository.write("place/a.o", "precious");
    let before = repository.files();
    let refusal = repository.refusal("here");
    assert!(
        matches!(&refusal, CheckpointError::InTheWay { path } if path == "place"),
        "{refusal}"
    );
    assert_eq!(repository.files(), before);
}

#[test]
fn concurrent_changes_abort_restore() {
    let repository = Repository::committed(&[("a", "1"), ("b", "1")]);
    repository.snapshot("here");
    repository.write("a", "2");
    repository.write("b", "2");
    let work_tree = repository.work_tree();
    let then = work_tree.tree_of("here").expect("exists");
    let restoration = super::super::Restoration::to_tree(&work_tree, &then).expect("succeeds");
    repository.write("b", "written a moment too late");
    assert!(matches!(
        restoration.perform(),
        Err(CheckpointError::Changing { .. })
    ));
    assert_eq!(
        repository.files()["a"],
        "0 2",
        "no file is written before all were checked"
    );
}

#[test]
fn files_outside_a_sparse_checkout_are_untouched() {
    let repository = Repository::committed(&[("in/file", "1"), ("out/file", "1")]);
    repository.git(&["sparse-checkout", "set", "in"]);
    repository.write("elsewhere/new", "1");
    repository.snapshot("here");
    let before = repository.files();
    repository.write("in/file", "2");
    repository.write("elsewhere/new", "2");
    repository.write("elsewhere/newer", "1");
    repository.restore("here");
    assert_eq!(repository.files(), before);
    assert_eq!(
        before.keys().collect::<Vec<_>>(),
        ["elsewhere/new", "in/file"]
    );
}

#[test]
fn linked_work_tree_is_independent() {
    let repository = Repository::committed(&[("file", "1")]);
    repository.git(&["worktree", "add", "--quiet", "linked"]);
    let linked = repository.root().join("linked");
    let work_tree = crate::git_checkpoint::WorkTree::of(&linked, &repository.data())
        .expect("git works")
        .expect("a repository");
    assert_eq!(work_tree.root(), linked);
    work_tree.snapshot("linked").expect("snapshot succeeds");
    repository.write("linked/file", "2");
    repository.write("file", "2");
    work_tree.restore("linked", "undo").expect("succeeds");
    assert_eq!(
        fs::read_to_string(linked.join("file")).expect("exists"),
        "1"
    );
    assert_eq!(
        fs::read_to_string(repository.root().join("file")).expect("exists"),
        "2",
        "the main work tree is not affected"
    );
}
