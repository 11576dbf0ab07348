//! Whose work a node begins with, and what becomes of work that does not fit.

use std::fs;

use baton_model::run::{ConflictKind, Resolution};

use super::super::Settled;
use super::house::{House, write};

/// Two nodes that change the same line, and one that needs both.
fn clash() -> House {
    let mut house = House::committed(
        3,
        &[("both.txt", "one\ntwo\nthree\n"), ("other.txt", "same\n")],
    );
    house.edge(0, 2);
    house.edge(1, 2);
    house.run(0, |tree| write(tree, "both.txt", "one\nfrom zero\nthree\n"));
    house.run(1, |tree| {
        write(tree, "both.txt", "one\nfrom one\nthree\n");
        write(tree, "new.txt", "fits\n");
    });
    house
}

#[test]
fn a_child_begins_with_the_merged_work_of_its_parents_and_the_person_sees_nothing_of_it() {
    let mut house = House::committed(3, &[("a.txt", "a\n"), ("b.txt", "b\n")]);
    house.edge(0, 2);
    house.edge(1, 2);
    let before = house.what_is_the_persons();
    house.run(0, |tree| write(tree, "a.txt", "changed\n"));
    house.run(1, |tree| {
        fs::remove_file(tree.join("b.txt")).expect("it is there");
        write(tree, "deep/c.txt", "new\n");
    });
    house.run(2, |_| {});
    assert_eq!(house.read_in(2, "a.txt").as_deref(), Some("changed\n"));
    assert_eq!(house.read_in(2, "b.txt"), None);
    assert_eq!(house.read_in(2, "deep/c.txt").as_deref(), Some("new\n"));
    assert_eq!(
        house.read_in(0, "deep/c.txt"),
        None,
        "siblings see nothing of each other"
    );
    assert_eq!(house.what_is_the_persons(), before);
    let branches = house.git(&["for-each-ref", "--format=%(refname)", "refs/heads"]);
    assert_eq!(branches, "refs/heads/main", "no branch is made");
}

#[test]
fn what_a_node_committed_itself_stays_in_the_history_of_its_work() {
    let mut house = House::committed(2, &[("a.txt", "a\n")]);
    house.edge(0, 1);
    house.run(0, |tree| {
        let git = crate::git::Git::at(tree).signed();
        write(tree, "a.txt", "by the agent\n");
        git.run(&["commit", "--quiet", "--all", "-m", "the agent's own commit"])
            .expect("git works");
        write(tree, "rest.txt", "not committed\n");
    });
    house.run(1, |_| {});
    assert_eq!(
        house.read_in(1, "rest.txt").as_deref(),
        Some("not committed\n")
    );
    let git = crate::git::Git::at(&house.place(1));
    let log =
        String::from_utf8(git.run(&["log", "--format=%s"]).expect("git works")).expect("text");
    assert!(log.contains("the agent's own commit"), "{log}");
}

#[test]
fn a_conflict_names_files_and_sides_and_touches_nobody_else() {
    let mut house = clash();
    let before = house.what_is_the_persons();
    let conflict = house.conflict(2);
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
    assert_eq!(house.what_is_the_persons(), before);
    let text = house.read_in(2, "both.txt").expect("it stands there");
    assert!(
        text.contains("<<<<<<< ") && text.contains("from zero") && text.contains("from one"),
        "{text}"
    );
    let git = crate::git::Git::at(&house.place(2));
    let unmerged = git.run(&["ls-files", "--unmerged"]).expect("git works");
    assert_eq!(
        unmerged.split(|byte| *byte == b'\n').count(),
        4,
        "git's own tools know the three stages"
    );
    assert_eq!(house.conflict(2), conflict, "asked again, it is the same");
}

#[test]
fn a_person_solves_it_by_hand_and_markers_keep_it_open() {
    let mut house = clash();
    let conflict = house.conflict(2);
    let Settled::Conflict(still) = house.resolve(2, &conflict, Resolution::ByHand) else {
        panic!("markers are left")
    };
    assert_eq!(
        still.still.as_deref(),
        Some("Conflict markers are left in both.txt.")
    );
    house.write_in(2, "both.txt", "one\nfrom both\nthree\n");
    assert_eq!(
        house.resolve(2, &conflict, Resolution::ByHand),
        Settled::Ready
    );
    assert_eq!(
        house.read_in(2, "both.txt").as_deref(),
        Some("one\nfrom both\nthree\n")
    );
    assert_eq!(house.read_in(2, "new.txt").as_deref(), Some("fits\n"));
    assert_eq!(
        house.settle(2).expect("git works"),
        Settled::Ready,
        "a retry does not ask again"
    );
    assert_eq!(
        house.read_in(2, "both.txt").as_deref(),
        Some("one\nfrom both\nthree\n")
    );
}

#[test]
fn a_side_is_taken_for_whole_files_and_the_rest_is_merged() {
    for (resolution, expected) in [
        (Resolution::Ours, "from zero"),
        (Resolution::Theirs, "from one"),
    ] {
        let mut house = clash();
        let conflict = house.conflict(2);
        assert_eq!(house.resolve(2, &conflict, resolution), Settled::Ready);
        assert_eq!(
            house.read_in(2, "both.txt"),
            Some(format!("one\n{expected}\nthree\n"))
        );
        assert_eq!(house.read_in(2, "new.txt").as_deref(), Some("fits\n"));
    }
}

#[test]
fn deletions_and_bytes_that_are_no_text_conflict_as_what_they_are() {
    let mut house = House::committed(3, &[("gone.txt", "a\n"), ("image", "a\0b")]);
    house.edge(0, 2);
    house.edge(1, 2);
    house.run(0, |tree| {
        write(tree, "gone.txt", "changed\n");
        write(tree, "image", "c\0d");
    });
    house.run(1, |tree| {
        fs::remove_file(tree.join("gone.txt")).expect("it is there");
        write(tree, "image", "e\0f");
    });
    let conflict = house.conflict(2);
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
        house.resolve(2, &conflict, Resolution::Theirs),
        Settled::Ready
    );
    assert_eq!(house.read_in(2, "gone.txt"), None);
    assert_eq!(house.read_in(2, "image").as_deref(), Some("e\0f"));
}

#[test]
fn an_agent_gets_the_worktree_with_the_markers_and_a_decision_on_another_conflict_does_not_count() {
    let mut house = clash();
    let conflict = house.conflict(2);
    assert_eq!(
        house.resolve(2, &conflict, Resolution::Agent),
        Settled::Ready
    );
    assert!(
        house
            .read_in(2, "both.txt")
            .expect("it stands there")
            .contains("<<<<<<< ")
    );
    // A parent is done again, so that the conflict is another one.
    house.run(0, |tree| write(tree, "both.txt", "one\nagain\nthree\n"));
    let Settled::Conflict(other) = house.resolve(2, &conflict, Resolution::Ours) else {
        panic!("nobody was asked")
    };
    assert_ne!(other.id, conflict.id);
    house.run(0, |_| {});
    assert_eq!(
        house.resolve(2, &other, Resolution::Agent),
        Settled::NothingToMerge,
        "the cause is gone"
    );
}

#[test]
fn three_parents_are_merged_one_after_the_other_and_each_conflict_is_asked_once() {
    let mut house = House::committed(4, &[("a.txt", "a\n"), ("b.txt", "b\n")]);
    (0..3).for_each(|parent| house.edge(parent, 3));
    house.run(0, |tree| {
        write(tree, "a.txt", "zero\n");
        write(tree, "b.txt", "zero\n");
    });
    house.run(1, |tree| write(tree, "a.txt", "one\n"));
    house.run(2, |tree| write(tree, "b.txt", "two\n"));
    let first = house.conflict(3);
    let Settled::Conflict(second) = house.resolve(3, &first, Resolution::Theirs) else {
        panic!("b does not fit either")
    };
    assert_eq!(
        (second.ours.as_str(), second.theirs.as_str()),
        ("Node 0, Node 1", "Node 2")
    );
    assert_eq!(house.resolve(3, &second, Resolution::Ours), Settled::Ready);
    assert_eq!(house.read_in(3, "a.txt").as_deref(), Some("one\n"));
    assert_eq!(house.read_in(3, "b.txt").as_deref(), Some("zero\n"));
}

#[test]
fn a_shared_child_gets_the_work_into_the_directory_beside_what_the_person_has_there() {
    let mut house = House::committed(3, &[("a.txt", "1\n2\n3\n4\n5\n6\n7\n"), ("b.txt", "b\n")]);
    house.edge(0, 2);
    house.edge(1, 2);
    house.share(2);
    house.write("mine.txt", "not committed\n");
    house.run(0, |tree| write(tree, "a.txt", "one\n2\n3\n4\n5\n6\n7\n"));
    house.run(1, |tree| write(tree, "new.txt", "new\n"));
    // While the nodes ran, the person went on.
    house.write("a.txt", "1\n2\n3\n4\n5\n6\nseven\n");
    let head = house.git(&["rev-parse", "HEAD"]);
    house.run(2, |_| {});
    assert_eq!(
        house.read("a.txt").as_deref(),
        Some("one\n2\n3\n4\n5\n6\nseven\n")
    );
    assert_eq!(house.read("new.txt").as_deref(), Some("new\n"));
    assert_eq!(house.read("mine.txt").as_deref(), Some("not committed\n"));
    assert_eq!(
        house.git(&["rev-parse", "HEAD"]),
        head,
        "nothing is committed for the person"
    );
    assert_eq!(
        house.git(&["diff", "--cached", "--name-only"]),
        "",
        "nor staged"
    );
}

#[test]
fn a_shared_child_whose_parents_clash_with_the_directory_leaves_it_as_it_is_until_it_is_settled() {
    let mut house = House::committed(2, &[("a.txt", "a\n")]);
    house.edge(0, 1);
    house.share(1);
    house.run(0, |tree| write(tree, "a.txt", "by the node\n"));
    house.write("a.txt", "by the person\n");
    let conflict = house.conflict(1);
    assert_eq!(
        (conflict.ours.as_str(), conflict.theirs.as_str()),
        ("the plan's directory", "Node 0")
    );
    assert_eq!(house.read("a.txt").as_deref(), Some("by the person\n"));
    house.write_in(1, "a.txt", "by both\n");
    // Meanwhile the person does something else.
    house.write("more.txt", "more\n");
    assert_eq!(
        house.resolve(1, &conflict, Resolution::ByHand),
        Settled::Ready
    );
    assert_eq!(house.read("a.txt").as_deref(), Some("by both\n"));
    assert_eq!(house.read("more.txt").as_deref(), Some("more\n"));
}

#[test]
fn an_isolated_child_of_a_shared_node_begins_with_the_directory_as_it_is_then() {
    let mut house = House::committed(3, &[("a.txt", "a\n")]);
    house.share(0);
    house.edge(0, 1);
    house.run(0, |tree| write(tree, "made.txt", "by a shared node\n"));
    house.run(1, |_| {});
    assert_eq!(
        house.read_in(1, "made.txt").as_deref(),
        Some("by a shared node\n")
    );
    house.run(2, |_| {});
    assert_eq!(
        house.read_in(2, "made.txt"),
        None,
        "one without parents begins with the start of the run"
    );
}
