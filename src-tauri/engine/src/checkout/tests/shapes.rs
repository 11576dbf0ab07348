//! Repositories of every shape, and worktrees that crashes left.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use super::super::{CheckoutError, NodeWorktree, PreparedCheckout, commit_work};
use super::test_environment::{TestEnvironment, run, write};

#[test]
fn root_node_starts_with_uncommitted_files() {
    let mut env = TestEnvironment::committed(2, &[("a.txt", "a\n"), (".gitignore", "ignored\n")]);
    env.write("a.txt", "not committed\n");
    env.write("untracked.txt", "new\n");
    env.write("ignored", "a secret");
    env.run(0, |_| {});
    env.write("a.txt", "later\n");
    env.run(1, |_| {});
    for number in [0, 1] {
        assert_eq!(
            env.read_in(number, "a.txt").as_deref(),
            Some("not committed\n")
        );
        assert_eq!(
            env.read_in(number, "untracked.txt").as_deref(),
            Some("new\n")
        );
        assert_eq!(
            env.read_in(number, "ignored"),
            None,
            "ignored files are not copied"
        );
    }
}

#[test]
fn clean_directory_needs_no_snapshot_commit() {
    let mut env = TestEnvironment::committed(1, &[("a.txt", "a\n")]);
    env.run(0, |_| {});
    let git = crate::git::Git::at(&env.place(0));
    let head =
        String::from_utf8(git.run(&["rev-parse", "HEAD"]).expect("git works")).expect("text");
    assert_eq!(head.trim(), env.git(&["rev-parse", "HEAD"]));
}

#[test]
fn repository_without_commits_is_supported() {
    let mut env = TestEnvironment::new(3);
    env.edge(0, 2);
    env.edge(1, 2);
    env.write("a.txt", "never added\n");
    env.run(0, |tree| write(tree, "zero.txt", "0"));
    env.run(1, |tree| write(tree, "one.txt", "1"));
    env.run(2, |_| {});
    for path in ["a.txt", "zero.txt", "one.txt"] {
        assert!(env.read_in(2, path).is_some(), "{path}");
    }
    assert_eq!(env.git(&["for-each-ref", "refs/heads"]), "");
}

#[test]
fn hooks_signing_and_detached_head_are_ignored() {
    let mut env = TestEnvironment::committed(2, &[("a.txt", "a\n")]);
    env.edge(0, 1);
    env.git(&["checkout", "--quiet", "--detach"]);
    env.git(&["config", "commit.gpgSign", "true"]);
    env.git(&["config", "gpg.program", "/no/such/program"]);
    for hook in [
        "pre-commit",
        "post-checkout",
        "reference-transaction",
        "commit-msg",
    ] {
        let path = env.root().join(".git/hooks").join(hook);
        fs::write(&path, "#!/bin/sh\nexit 1\n").expect("write file");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("exists");
    }
    env.run(0, |tree| write(tree, "a.txt", "b\n"));
    env.run(1, |_| {});
    assert_eq!(env.read_in(1, "a.txt").as_deref(), Some("b\n"));
}

#[test]
fn unusual_paths_are_supported() {
    let mut env = TestEnvironment::named("a tree – \"木\"", 3);
    env.edge(0, 2);
    env.edge(1, 2);
    let name = "folder with space/ä \"z\"\n木.txt";
    env.write(name, "first\n");
    env.run(0, |tree| write(tree, name, "zero\n"));
    env.run(1, |tree| write(tree, name, "one\n"));
    let conflict = env.conflict(2);
    assert_eq!(conflict.files[0].path, name);
    assert!(matches!(
        env.resolve(2, &conflict, baton_model::run::Resolution::Theirs),
        PreparedCheckout::Ready
    ));
    assert_eq!(env.read_in(2, name).as_deref(), Some("one\n"));
}

#[test]
fn renames_and_deleted_folders_are_merged() {
    let long: String = (0..40).map(|line| format!("line {line}\n")).collect();
    let mut env =
        TestEnvironment::committed(3, &[("old/name.txt", &long), ("dead/file.txt", "x\n")]);
    env.edge(0, 2);
    env.edge(1, 2);
    env.run(0, |tree| {
        fs::create_dir(tree.join("new")).expect("create folder");
        fs::rename(tree.join("old/name.txt"), tree.join("new/name.txt")).expect("rename");
        fs::remove_dir_all(tree.join("dead")).expect("exists");
    });
    env.run(1, |tree| {
        write(
            tree,
            "old/name.txt",
            long.replace("line 7\n", "line seven\n"),
        )
    });
    env.run(2, |_| {});
    assert!(
        env.read_in(2, "new/name.txt")
            .expect("moved")
            .contains("line seven")
    );
    assert!(!env.place(2).join("dead").exists());
}

#[test]
fn plan_directory_may_be_a_subfolder_of_a_linked_worktree() {
    let mut env = TestEnvironment::committed(1, &[("a.txt", "a\n"), ("sub/b.txt", "b\n")]);
    let other = env.root().with_file_name("other worktree");
    env.git(&[
        "worktree",
        "add",
        "--quiet",
        "-b",
        "side",
        &other.display().to_string(),
    ]);
    write(&other, "sub/b.txt", "in the person's worktree\n");
    env.plan.cwd = Some(other.join("sub").display().to_string());
    env.run(0, |_| {});
    assert_eq!(
        env.read_in(0, "sub/b.txt").as_deref(),
        Some("in the person's worktree\n")
    );
    let node = env.plan.nodes[0].clone();
    let place = |own: Option<&str>| {
        super::super::directory_of(&env.data(), run(), &node, &other.join("sub"), own)
    };
    assert_eq!(place(None), Some(env.place(0).join("sub")));
    assert_eq!(place(Some("deeper")), Some(env.place(0).join("sub/deeper")));
    assert_eq!(
        place(Some("/tmp")),
        Some("/tmp".into()),
        "a node's own directory outside the repository is used"
    );
}

#[test]
fn nested_repository_is_left_alone() {
    let mut env = TestEnvironment::committed(1, &[("a.txt", "a\n")]);
    env.run(0, |tree| {
        fs::create_dir(tree.join("inner")).expect("create folder");
        crate::git::Git::at(&tree.join("inner"))
            .run(&["init", "--quiet"])
            .expect("git works");
        write(tree, "inner/file.txt", "of another repository");
    });
    env.run(0, |_| {});
    assert!(
        env.read_in(0, "inner/file.txt").is_some(),
        "a new attempt does not delete uncommitted repositories"
    );
    let bare = tempfile::tempdir().expect("temp dir");
    env.plan.cwd = Some(bare.path().display().to_string());
    let refused = env.prepare_checkout(0).expect_err("no repository");
    assert!(matches!(refused, CheckoutError::NoRepository { .. }));
    assert!(refused.to_string().contains("git init"));
}

#[test]
fn new_attempt_starts_clean_and_keeps_earlier_work() {
    let mut env = TestEnvironment::committed(1, &[("a.txt", "a\n"), (".gitignore", "cache\n")]);
    let job = env.job(0, None);
    let node = env.plan.nodes[0].clone();
    super::super::prepare_checkout(&job, &node, &env.data()).expect("git works");
    env.write_in(0, "a.txt", "half\n");
    env.write_in(0, "new.txt", "half\n");
    env.write_in(0, "cache", "costly");
    commit_work(&job, &node, &env.data(), false).expect("git works");
    env.run(0, |_| {});
    assert_eq!(env.read_in(0, "a.txt").as_deref(), Some("a\n"));
    assert_eq!(env.read_in(0, "new.txt"), None);
    assert_eq!(
        env.read_in(0, "cache").as_deref(),
        Some("costly"),
        "dependencies need not be downloaded again"
    );
    let left = format!("refs/baton/runs/{}/{}/left:new.txt", run(), job.session);
    assert_eq!(env.git(&["show", &left]), "half");
}

#[test]
fn next_attempt_commits_work_left_by_a_crash() {
    let mut env = TestEnvironment::committed(1, &[("a.txt", "a\n")]);
    let job = env.job(0, None);
    let node = env.plan.nodes[0].clone();
    super::super::prepare_checkout(&job, &node, &env.data()).expect("git works");
    env.write_in(0, "new.txt", "half\n");
    env.write_in(0, "a.txt", "half\n");
    let index_lock =
        crate::git::Git::at(&env.place(0)).run(&["rev-parse", "--git-path", "index.lock"]);
    let lock = String::from_utf8(index_lock.expect("git works")).expect("text");
    fs::write(env.place(0).join(lock.trim()), "").expect("write file");
    env.run(0, |_| {});
    assert_eq!(env.read_in(0, "new.txt"), None);
    let left = format!("refs/baton/runs/{}/{}/left:new.txt", run(), job.session);
    assert_eq!(env.git(&["show", &left]), "half");
}

#[test]
fn resumed_session_keeps_its_worktree() {
    let mut env = TestEnvironment::committed(1, &[("a.txt", "a\n")]);
    env.run(0, |tree| write(tree, "a.txt", "half\n"));
    let mut job = env.job(0, None);
    job.resumes = Some("native".to_owned());
    let node = env.plan.nodes[0].clone();
    assert_eq!(
        super::super::prepare_checkout(&job, &node, &env.data()).expect("git works"),
        PreparedCheckout::Ready
    );
    assert_eq!(env.read_in(0, "a.txt").as_deref(), Some("half\n"));
}

#[test]
fn incomplete_or_deleted_worktree_is_recreated() {
    let mut env = TestEnvironment::committed(1, &[("a.txt", "a\n")]);
    env.run(0, |_| {});
    let place = NodeWorktree::of(&env.data(), run(), &env.plan.nodes[0]);
    let mut record = place.record().expect("created");
    record.ready = false;
    place.write(&record).expect("write file");
    fs::remove_file(place.path().join("a.txt")).expect("exists");
    env.run(0, |_| {});
    assert_eq!(env.read_in(0, "a.txt").as_deref(), Some("a\n"));
    fs::remove_dir_all(place.path()).expect("exists");
    env.run(0, |_| {});
    assert_eq!(env.read_in(0, "a.txt").as_deref(), Some("a\n"));
}

#[test]
fn unknown_folder_is_not_deleted() {
    let mut env = TestEnvironment::committed(1, &[("a.txt", "a\n")]);
    env.write_in(0, "precious.txt", "not Baton's");
    assert!(matches!(
        env.prepare_checkout(0),
        Err(CheckoutError::Taken { .. })
    ));
    assert!(env.read_in(0, "precious.txt").is_some());
}
