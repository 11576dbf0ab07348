//! Repositories in every shape that people have, and worktrees that crashes left.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use super::super::{CheckoutError, Place, Settled, keep};
use super::house::{House, run, write};

#[test]
fn a_node_without_parents_begins_with_what_was_there_when_the_run_began_uncommitted_files_too() {
    let mut house = House::committed(2, &[("a.txt", "a\n"), (".gitignore", "ignored\n")]);
    house.write("a.txt", "not committed\n");
    house.write("untracked.txt", "new\n");
    house.write("ignored", "a secret");
    house.run(0, |_| {});
    house.write("a.txt", "later\n");
    house.run(1, |_| {});
    for number in [0, 1] {
        assert_eq!(
            house.read_in(number, "a.txt").as_deref(),
            Some("not committed\n")
        );
        assert_eq!(
            house.read_in(number, "untracked.txt").as_deref(),
            Some("new\n")
        );
        assert_eq!(
            house.read_in(number, "ignored"),
            None,
            "what git ignores is not carried"
        );
    }
}

#[test]
fn a_clean_directory_needs_no_commit_of_batons_own() {
    let mut house = House::committed(1, &[("a.txt", "a\n")]);
    house.run(0, |_| {});
    let git = crate::git::Git::at(&house.place(0));
    let head =
        String::from_utf8(git.run(&["rev-parse", "HEAD"]).expect("git works")).expect("text");
    assert_eq!(head.trim(), house.git(&["rev-parse", "HEAD"]));
}

#[test]
fn a_repository_without_a_commit_is_as_good_as_another() {
    let mut house = House::new(3);
    house.edge(0, 2);
    house.edge(1, 2);
    house.write("a.txt", "never added\n");
    house.run(0, |tree| write(tree, "zero.txt", "0"));
    house.run(1, |tree| write(tree, "one.txt", "1"));
    house.run(2, |_| {});
    for path in ["a.txt", "zero.txt", "one.txt"] {
        assert!(house.read_in(2, path).is_some(), "{path}");
    }
    assert_eq!(house.git(&["for-each-ref", "refs/heads"]), "");
}

#[test]
fn hooks_signing_and_a_detached_head_change_nothing() {
    let mut house = House::committed(2, &[("a.txt", "a\n")]);
    house.edge(0, 1);
    house.git(&["checkout", "--quiet", "--detach"]);
    house.git(&["config", "commit.gpgSign", "true"]);
    house.git(&["config", "gpg.program", "/no/such/program"]);
    for hook in [
        "pre-commit",
        "post-checkout",
        "reference-transaction",
        "commit-msg",
    ] {
        let path = house.root().join(".git/hooks").join(hook);
        fs::write(&path, "#!/bin/sh\nexit 1\n").expect("room");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it is there");
    }
    house.run(0, |tree| write(tree, "a.txt", "b\n"));
    house.run(1, |_| {});
    assert_eq!(house.read_in(1, "a.txt").as_deref(), Some("b\n"));
}

#[test]
fn paths_with_spaces_quotes_and_letters_of_other_scripts_are_paths() {
    let mut house = House::named("ein Baum – \"木\"", 3);
    house.edge(0, 2);
    house.edge(1, 2);
    let name = "ordner mit leer/ä \"z\"\n木.txt";
    house.write(name, "first\n");
    house.run(0, |tree| write(tree, name, "zero\n"));
    house.run(1, |tree| write(tree, name, "one\n"));
    let conflict = house.conflict(2);
    assert_eq!(conflict.files[0].path, name);
    assert!(matches!(
        house.resolve(2, &conflict, baton_model::run::Resolution::Theirs),
        Settled::Ready
    ));
    assert_eq!(house.read_in(2, name).as_deref(), Some("one\n"));
}

#[test]
fn renames_and_deleted_folders_are_merged() {
    let long: String = (0..40).map(|line| format!("line {line}\n")).collect();
    let mut house = House::committed(3, &[("old/name.txt", &long), ("dead/file.txt", "x\n")]);
    house.edge(0, 2);
    house.edge(1, 2);
    house.run(0, |tree| {
        fs::create_dir(tree.join("new")).expect("room");
        fs::rename(tree.join("old/name.txt"), tree.join("new/name.txt")).expect("room");
        fs::remove_dir_all(tree.join("dead")).expect("it is there");
    });
    house.run(1, |tree| {
        write(
            tree,
            "old/name.txt",
            long.replace("line 7\n", "line seven\n"),
        )
    });
    house.run(2, |_| {});
    assert!(
        house
            .read_in(2, "new/name.txt")
            .expect("it was moved")
            .contains("line seven")
    );
    assert!(!house.place(2).join("dead").exists());
}

#[test]
fn the_plan_may_be_inside_a_worktree_of_the_person_and_in_a_folder_below_the_root() {
    let mut house = House::committed(1, &[("a.txt", "a\n"), ("sub/b.txt", "b\n")]);
    let other = house.root().with_file_name("persons worktree");
    house.git(&[
        "worktree",
        "add",
        "--quiet",
        "-b",
        "side",
        &other.display().to_string(),
    ]);
    write(&other, "sub/b.txt", "in the person's worktree\n");
    house.plan.cwd = Some(other.join("sub").display().to_string());
    house.run(0, |_| {});
    assert_eq!(
        house.read_in(0, "sub/b.txt").as_deref(),
        Some("in the person's worktree\n")
    );
    let node = house.plan.nodes[0].clone();
    let place = |own: Option<&str>| {
        super::super::directory_of(&house.data(), run(), &node, &other.join("sub"), own)
    };
    assert_eq!(place(None), Some(house.place(0).join("sub")));
    assert_eq!(
        place(Some("deeper")),
        Some(house.place(0).join("sub/deeper"))
    );
    assert_eq!(
        place(Some("/tmp")),
        Some("/tmp".into()),
        "a node that works elsewhere does so"
    );
}

#[test]
fn a_repository_inside_is_left_alone_and_a_folder_outside_of_git_is_refused_in_words() {
    let mut house = House::committed(1, &[("a.txt", "a\n")]);
    house.run(0, |tree| {
        fs::create_dir(tree.join("inner")).expect("room");
        crate::git::Git::at(&tree.join("inner"))
            .run(&["init", "--quiet"])
            .expect("git works");
        write(tree, "inner/file.txt", "of another repository");
    });
    house.run(0, |_| {});
    assert!(
        house.read_in(0, "inner/file.txt").is_some(),
        "a new attempt does not delete what nobody has kept"
    );
    let bare = tempfile::tempdir().expect("a folder");
    house.plan.cwd = Some(bare.path().display().to_string());
    let refused = house.settle(0).expect_err("there is no repository");
    assert!(matches!(refused, CheckoutError::NoRepository { .. }));
    assert!(refused.to_string().contains("git init"));
}

#[test]
fn a_new_attempt_begins_anew_and_what_the_last_one_left_is_kept() {
    let mut house = House::committed(1, &[("a.txt", "a\n"), (".gitignore", "cache\n")]);
    let job = house.job(0, None);
    let node = house.plan.nodes[0].clone();
    super::super::settle(&job, &node, &house.data()).expect("git works");
    house.write_in(0, "a.txt", "half\n");
    house.write_in(0, "new.txt", "half\n");
    house.write_in(0, "cache", "costly");
    keep(&job, &node, &house.data(), false).expect("git works");
    house.run(0, |_| {});
    assert_eq!(house.read_in(0, "a.txt").as_deref(), Some("a\n"));
    assert_eq!(house.read_in(0, "new.txt"), None);
    assert_eq!(
        house.read_in(0, "cache").as_deref(),
        Some("costly"),
        "dependencies need not be fetched again"
    );
    let left = format!("refs/baton/runs/{}/{}/left:new.txt", run(), job.session);
    assert_eq!(house.git(&["show", &left]), "half");
}

#[test]
fn what_a_crash_left_uncommitted_is_kept_by_the_next_attempt() {
    let mut house = House::committed(1, &[("a.txt", "a\n")]);
    let job = house.job(0, None);
    let node = house.plan.nodes[0].clone();
    super::super::settle(&job, &node, &house.data()).expect("git works");
    house.write_in(0, "new.txt", "half\n");
    house.write_in(0, "a.txt", "half\n");
    let index_lock =
        crate::git::Git::at(&house.place(0)).run(&["rev-parse", "--git-path", "index.lock"]);
    let lock = String::from_utf8(index_lock.expect("git works")).expect("text");
    fs::write(house.place(0).join(lock.trim()), "").expect("room");
    house.run(0, |_| {});
    assert_eq!(house.read_in(0, "new.txt"), None);
    let left = format!("refs/baton/runs/{}/{}/left:new.txt", run(), job.session);
    assert_eq!(house.git(&["show", &left]), "half");
}

#[test]
fn a_resumed_session_finds_the_worktree_as_it_was() {
    let mut house = House::committed(1, &[("a.txt", "a\n")]);
    house.run(0, |tree| write(tree, "a.txt", "half\n"));
    let mut job = house.job(0, None);
    job.resumes = Some("native".to_owned());
    let node = house.plan.nodes[0].clone();
    assert_eq!(
        super::super::settle(&job, &node, &house.data()).expect("git works"),
        Settled::Ready
    );
    assert_eq!(house.read_in(0, "a.txt").as_deref(), Some("half\n"));
}

#[test]
fn a_half_made_worktree_is_made_again_and_one_that_was_deleted_too() {
    let mut house = House::committed(1, &[("a.txt", "a\n")]);
    house.run(0, |_| {});
    let place = Place::of(&house.data(), run(), &house.plan.nodes[0]);
    let mut record = place.record().expect("it was made");
    record.ready = false;
    place.write(&record).expect("room");
    fs::remove_file(place.path().join("a.txt")).expect("it is there");
    house.run(0, |_| {});
    assert_eq!(house.read_in(0, "a.txt").as_deref(), Some("a\n"));
    fs::remove_dir_all(place.path()).expect("it is there");
    house.run(0, |_| {});
    assert_eq!(house.read_in(0, "a.txt").as_deref(), Some("a\n"));
}

#[test]
fn what_somebody_else_put_there_is_not_deleted() {
    let mut house = House::committed(1, &[("a.txt", "a\n")]);
    house.write_in(0, "precious.txt", "not Baton's");
    assert!(matches!(house.settle(0), Err(CheckoutError::Taken { .. })));
    assert!(house.read_in(0, "precious.txt").is_some());
}
