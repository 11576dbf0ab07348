//! The initial files of nodes, and conflicts between their sources.

use std::fs;

use baton_model::run::{ConflictKind, Resolution};

use super::super::PreparedCheckout;
use super::test_environment::{TestEnvironment, write};

/// Two nodes that change the same line, and one that needs both.
fn clash() -> TestEnvironment {
    let mut env = TestEnvironment::committed(
        3,
        &[("both.txt", "one\ntwo\nthree\n"), ("other.txt", "same\n")],
    );
    env.edge(0, 2);
    env.edge(1, 2);
    env.run(0, |tree| write(tree, "both.txt", "one\nfrom zero\nthree\n"));
    env.run(1, |tree| {
        write(tree, "both.txt", "one\nfrom one\nthree\n");
        write(tree, "new.txt", "fits\n");
    });
    env
}

#[test]
fn child_starts_with_merged_parent_work() {
    let mut env = TestEnvironment::committed(3, &[("a.txt", "a\n"), ("b.txt", "b\n")]);
    env.edge(0, 2);
    env.edge(1, 2);
    let before = env.user_git_state();
    env.run(0, |tree| write(tree, "a.txt", "changed\n"));
    env.run(1, |tree| {
        fs::remove_file(tree.join("b.txt")).expect("exists");
        write(tree, "deep/c.txt", "new\n");
    });
    env.run(2, |_| {});
    assert_eq!(env.read_in(2, "a.txt").as_deref(), Some("changed\n"));
    assert_eq!(env.read_in(2, "b.txt"), None);
    assert_eq!(env.read_in(2, "deep/c.txt").as_deref(), Some("new\n"));
    assert_eq!(
        env.read_in(0, "deep/c.txt"),
        None,
        "siblings do not see each other's work"
    );
    assert_eq!(env.user_git_state(), before);
    let branches = env.git(&["for-each-ref", "--format=%(refname)", "refs/heads"]);
    assert_eq!(branches, "refs/heads/main", "no branch is created");
}

#[test]
fn commits_made_by_a_node_stay_in_its_history() {
    let mut env = TestEnvironment::committed(2, &[("a.txt", "a\n")]);
    env.edge(0, 1);
    env.run(0, |tree| {
        let git = crate::git::Git::at(tree).with_baton_identity();
        write(tree, "a.txt", "by the agent\n");
        git.run(&["commit", "--quiet", "--all", "-m", "the agent's own commit"])
            .expect("git works");
        write(tree, "rest.txt", "not committed\n");
    });
    env.run(1, |_| {});
    assert_eq!(
        env.read_in(1, "rest.txt").as_deref(),
        Some("not committed\n")
    );
    let git = crate::git::Git::at(&env.place(1));
    let log =
        String::from_utf8(git.run(&["log", "--format=%s"]).expect("git works")).expect("text");
    assert!(log.contains("the agent's own commit"), "{log}");
}

#[test]
fn conflict_lists_files_and_sides() {
    let mut env = clash();
    let before = env.user_git_state();
    let conflict = env.conflict(2);
    assert_eq!(
        (conflict.ours.as_str(), conflict.theirs.as_str()),
        ("Node 0", "Node 1")
    );
    let files: Vec<_> = conflict
        .files
        .iter()
        .map(|file| (file.path.as_str(), file.kind))
        .collect();
    assert_eq!(files, [("both.txt", ConflictKind::Lines)]);
    assert_eq!(env.user_git_state(), before);
    let text = env.read_in(2, "both.txt").expect("exists");
    assert!(
        text.contains("<<<<<<< ") && text.contains("from zero") && text.contains("from one"),
        "{text}"
    );
    let git = crate::git::Git::at(&env.place(2));
    let unmerged = git.run(&["ls-files", "--unmerged"]).expect("git works");
    assert_eq!(
        unmerged.split(|byte| *byte == b'\n').count(),
        4,
        "git's own tools see the three stages"
    );
    assert_eq!(env.conflict(2), conflict, "the same conflict when repeated");
}

#[test]
fn conflict_markers_keep_it_unresolved() {
    let mut env = clash();
    let conflict = env.conflict(2);
    let PreparedCheckout::Conflict(still) = env.resolve(2, &conflict, Resolution::ByHand) else {
        panic!("expected remaining markers")
    };
    assert_eq!(
        still.still.as_deref(),
        Some("Conflict markers remain in both.txt.")
    );
    env.write_in(2, "both.txt", "one\nfrom both\nthree\n");
    assert_eq!(
        env.resolve(2, &conflict, Resolution::ByHand),
        PreparedCheckout::Ready
    );
    assert_eq!(
        env.read_in(2, "both.txt").as_deref(),
        Some("one\nfrom both\nthree\n")
    );
    assert_eq!(env.read_in(2, "new.txt").as_deref(), Some("fits\n"));
    assert_eq!(
        env.prepare_checkout(2).expect("git works"),
        PreparedCheckout::Ready,
        "a retry does not ask again"
    );
    assert_eq!(
        env.read_in(2, "both.txt").as_deref(),
        Some("one\nfrom both\nthree\n")
    );
}

#[test]
fn choosing_a_side_replaces_conflicting_files_only() {
    for (resolution, expected) in [
        (Resolution::Ours, "from zero"),
        (Resolution::Theirs, "from one"),
    ] {
        let mut env = clash();
        let conflict = env.conflict(2);
        assert_eq!(
            env.resolve(2, &conflict, resolution),
            PreparedCheckout::Ready
        );
        assert_eq!(
            env.read_in(2, "both.txt"),
            Some(format!("one\n{expected}\nthree\n"))
        );
        assert_eq!(env.read_in(2, "new.txt").as_deref(), Some("fits\n"));
    }
}

#[test]
fn deletions_and_binary_files_report_their_conflict_kind() {
    let mut env = TestEnvironment::committed(3, &[("gone.txt", "a\n"), ("image", "a\0b")]);
    env.edge(0, 2);
    env.edge(1, 2);
    env.run(0, |tree| {
        write(tree, "gone.txt", "changed\n");
        write(tree, "image", "c\0d");
    });
    env.run(1, |tree| {
        fs::remove_file(tree.join("gone.txt")).expect("exists");
        write(tree, "image", "e\0f");
    });
    let conflict = env.conflict(2);
    let files: Vec<_> = conflict
        .files
        .iter()
        .map(|file| (file.path.as_str(), file.kind))
        .collect();
    assert_eq!(
        files,
        [
            ("gone.txt", ConflictKind::Deleted),
            ("image", ConflictKind::Binary)
        ]
    );
    assert_eq!(
        env.resolve(2, &conflict, Resolution::Theirs),
        PreparedCheckout::Ready
    );
    assert_eq!(env.read_in(2, "gone.txt"), None);
    assert_eq!(env.read_in(2, "image").as_deref(), Some("e\0f"));
}

#[test]
fn agent_resolution_applies_to_the_same_conflict_only() {
    let mut env = clash();
    let conflict = env.conflict(2);
    assert_eq!(
        env.resolve(2, &conflict, Resolution::Agent),
        PreparedCheckout::Ready
    );
    assert!(
        env.read_in(2, "both.txt")
            .expect("exists")
            .contains("<<<<<<< ")
    );
    // A parent is rerun, so that the conflict changes.
    env.run(0, |tree| write(tree, "both.txt", "one\nagain\nthree\n"));
    let PreparedCheckout::Conflict(other) = env.resolve(2, &conflict, Resolution::Ours) else {
        panic!("expected a new conflict")
    };
    assert_ne!(other.id, conflict.id);
    env.run(0, |_| {});
    assert_eq!(
        env.resolve(2, &other, Resolution::Agent),
        PreparedCheckout::NothingToMerge,
        "the cause is gone"
    );
}

#[test]
fn three_parents_raise_each_conflict_once() {
    let mut env = TestEnvironment::committed(4, &[("a.txt", "a\n"), ("b.txt", "b\n")]);
    (0..3).for_each(|parent| env.edge(parent, 3));
    env.run(0, |tree| {
        write(tree, "a.txt", "zero\n");
        write(tree, "b.txt", "zero\n");
    });
    env.run(1, |tree| write(tree, "a.txt", "one\n"));
    env.run(2, |tree| write(tree, "b.txt", "two\n"));
    let first = env.conflict(3);
    let PreparedCheckout::Conflict(second) = env.resolve(3, &first, Resolution::Theirs) else {
        panic!("expected a second conflict")
    };
    assert_eq!(
        (second.ours.as_str(), second.theirs.as_str()),
        ("Node 0, Node 1", "Node 2")
    );
    assert_eq!(
        env.resolve(3, &second, Resolution::Ours),
        PreparedCheckout::Ready
    );
    assert_eq!(env.read_in(3, "a.txt").as_deref(), Some("one\n"));
    assert_eq!(env.read_in(3, "b.txt").as_deref(), Some("zero\n"));
}

#[test]
fn shared_child_receives_work_in_the_directory() {
    let mut env =
        TestEnvironment::committed(3, &[("a.txt", "1\n2\n3\n4\n5\n6\n7\n"), ("b.txt", "b\n")]);
    env.edge(0, 2);
    env.edge(1, 2);
    env.share(2);
    env.write("mine.txt", "not committed\n");
    env.run(0, |tree| write(tree, "a.txt", "one\n2\n3\n4\n5\n6\n7\n"));
    env.run(1, |tree| write(tree, "new.txt", "new\n"));
    // The person continued to work while the nodes ran.
    env.write("a.txt", "1\n2\n3\n4\n5\n6\nseven\n");
    let head = env.git(&["rev-parse", "HEAD"]);
    env.run(2, |_| {});
    assert_eq!(
        env.read("a.txt").as_deref(),
        Some("one\n2\n3\n4\n5\n6\nseven\n")
    );
    assert_eq!(env.read("new.txt").as_deref(), Some("new\n"));
    assert_eq!(env.read("mine.txt").as_deref(), Some("not committed\n"));
    assert_eq!(
        env.git(&["rev-parse", "HEAD"]),
        head,
        "nothing is committed on the person's branch"
    );
    assert_eq!(
        env.git(&["diff", "--cached", "--name-only"]),
        "",
        "nor staged"
    );
}

#[test]
fn shared_child_conflict_leaves_the_directory_unchanged() {
    let mut env = TestEnvironment::committed(2, &[("a.txt", "a\n")]);
    env.edge(0, 1);
    env.share(1);
    env.run(0, |tree| write(tree, "a.txt", "by the node\n"));
    env.write("a.txt", "by the person\n");
    let conflict = env.conflict(1);
    assert_eq!(
        (conflict.ours.as_str(), conflict.theirs.as_str()),
        ("the plan's directory", "Node 0")
    );
    assert_eq!(env.read("a.txt").as_deref(), Some("by the person\n"));
    env.write_in(1, "a.txt", "by both\n");
    // The person changes something else meanwhile.
    env.write("more.txt", "more\n");
    assert_eq!(
        env.resolve(1, &conflict, Resolution::ByHand),
        PreparedCheckout::Ready
    );
    assert_eq!(env.read("a.txt").as_deref(), Some("by both\n"));
    assert_eq!(env.read("more.txt").as_deref(), Some("more\n"));
}

#[test]
fn isolated_child_of_a_shared_node_starts_from_the_directory() {
    let mut env = TestEnvironment::committed(3, &[("a.txt", "a\n")]);
    env.share(0);
    env.edge(0, 1);
    env.run(0, |tree| write(tree, "made.txt", "by a shared node\n"));
    env.run(1, |_| {});
    assert_eq!(
        env.read_in(1, "made.txt").as_deref(),
        Some("by a shared node\n")
    );
    env.run(2, |_| {});
    assert_eq!(
        env.read_in(2, "made.txt"),
        None,
        "a root node starts from the beginning of the run"
    );
}
