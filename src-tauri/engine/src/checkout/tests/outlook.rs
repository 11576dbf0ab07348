//! What a node would begin with, seen in advance.

use baton_model::run::{ConflictKind, Resolution};

use super::super::look_at_fan_in;
use super::house::{House, write};

/// Two nodes that change the same file and one each, and one that needs both.
fn diamond() -> House {
    let mut house = House::committed(4, &[("both.txt", "one\n"), ("a.txt", "a\n")]);
    house.edge(0, 2);
    house.edge(1, 2);
    house.run(0, |tree| {
        write(tree, "both.txt", "zero\n");
        write(tree, "a.txt", "changed\n");
    });
    house
}

#[test]
fn sides_files_and_conflicts_are_told_before_the_node_begins_and_nothing_is_touched() {
    let mut house = diamond();
    let child = house.plan.nodes[2].id;
    let look = |house: &House| {
        let references = house.git(&["for-each-ref"]);
        let seen = look_at_fan_in(&house.as_run(), &house.data(), child)
            .expect("git works")
            .expect("it receives");
        assert_eq!(
            house.git(&["for-each-ref"]),
            references,
            "a look moves nothing"
        );
        seen
    };
    let half = look(&house);
    assert_eq!(
        (half.missing.clone(), half.sources.len()),
        (vec!["Node 1".to_owned()], 1)
    );
    house.run(1, |tree| write(tree, "both.txt", "one more\n"));
    let seen = look(&house);
    let sides: Vec<_> = seen
        .sources
        .iter()
        .map(|side| (side.title.as_str(), side.files.len()))
        .collect();
    assert_eq!(sides, [("Node 0", 2), ("Node 1", 1)]);
    assert!(seen.missing.is_empty() && !seen.into_directory);
    let [clash] = &seen.clashes[..] else {
        panic!("one clash: {:?}", seen.clashes)
    };
    assert_eq!(
        (clash.ours.as_str(), clash.theirs.as_str()),
        ("Node 0", "Node 1")
    );
    assert_eq!(
        (clash.files[0].path.as_str(), clash.files[0].kind),
        ("both.txt", ConflictKind::Lines)
    );
    assert!(!house.place(2).exists(), "no worktree is made for it");

    let found = house.conflict(2);
    assert_eq!(
        found.files, clash.files,
        "what was foreseen is what is found"
    );
    house.resolve(2, &found, Resolution::Ours);
    assert!(
        look(&house).clashes.is_empty(),
        "what somebody settled counts"
    );
}

#[test]
fn a_shared_node_is_shown_what_the_person_has_in_the_directory() {
    let mut house = diamond();
    house.share(2);
    house.run(1, |tree| write(tree, "new.txt", "new\n"));
    house.write("both.txt", "by the person\n");
    let child = house.plan.nodes[2].id;
    let seen = look_at_fan_in(&house.as_run(), &house.data(), child)
        .expect("git works")
        .expect("it receives");
    assert!(seen.into_directory);
    let titles: Vec<_> = seen
        .sources
        .iter()
        .map(|side| side.title.as_str())
        .collect();
    assert_eq!(titles, ["the plan's directory", "Node 0", "Node 1"]);
    assert_eq!(seen.clashes[0].ours, "the plan's directory");
}

#[test]
fn who_receives_nothing_has_no_fan_in() {
    let house = diamond();
    for number in [0, 3] {
        let node = house.plan.nodes[number].id;
        assert_eq!(
            look_at_fan_in(&house.as_run(), &house.data(), node).expect("git works"),
            None
        );
    }
}
