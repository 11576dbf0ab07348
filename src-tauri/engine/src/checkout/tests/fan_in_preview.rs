//! Previews of what a node would start from.

use baton_model::run::{ConflictKind, Resolution};

use super::super::preview_fan_in;
use super::test_environment::{TestEnvironment, write};

/// Two nodes that change the same file and one more each, and one that needs both.
fn diamond() -> TestEnvironment {
    let mut env = TestEnvironment::committed(4, &[("both.txt", "one\n"), ("a.txt", "a\n")]);
    env.edge(0, 2);
    env.edge(1, 2);
    env.run(0, |tree| {
        write(tree, "both.txt", "zero\n");
        write(tree, "a.txt", "changed\n");
    });
    env
}

#[test]
fn fan_in_preview_lists_sources_and_conflicts() {
    let mut env = diamond();
    let child = env.plan.nodes[2].id;
    let preview = |env: &TestEnvironment| {
        let references = env.git(&["for-each-ref"]);
        let seen = preview_fan_in(&env.as_run(), &env.data(), child)
            .expect("git works")
            .expect("has a fan-in");
        assert_eq!(
            env.git(&["for-each-ref"]),
            references,
            "a preview changes nothing"
        );
        seen
    };
    let half = preview(&env);
    assert_eq!(
        (half.missing.clone(), half.sources.len()),
        (vec!["Node 1".to_owned()], 1)
    );
    env.run(1, |tree| write(tree, "both.txt", "one more\n"));
    let seen = preview(&env);
    let sides: Vec<_> = seen
        .sources
        .iter()
        .map(|side| (side.title.as_str(), side.files.len()))
        .collect();
    assert_eq!(sides, [("Node 0", 2), ("Node 1", 1)]);
    assert!(seen.missing.is_empty() && !seen.into_directory);
    let [clash] = &seen.clashes[..] else {
        panic!("expected one conflict: {:?}", seen.clashes)
    };
    assert_eq!(
        (clash.ours.as_str(), clash.theirs.as_str()),
        ("Node 0", "Node 1")
    );
    assert_eq!(
        (clash.files[0].path.as_str(), clash.files[0].kind),
        ("both.txt", ConflictKind::Lines)
    );
    assert!(!env.place(2).exists(), "no worktree is created for it");

    let found = env.conflict(2);
    assert_eq!(found.files, clash.files, "the conflict matches the preview");
    env.resolve(2, &found, Resolution::Ours);
    assert!(
        preview(&env).clashes.is_empty(),
        "an earlier resolution is used"
    );
}

#[test]
fn fan_in_preview_of_a_shared_node_includes_the_directory() {
    let mut env = diamond();
    env.share(2);
    env.run(1, |tree| write(tree, "new.txt", "new\n"));
    env.write("both.txt", "by the person\n");
    let child = env.plan.nodes[2].id;
    let seen = preview_fan_in(&env.as_run(), &env.data(), child)
        .expect("git works")
        .expect("has a fan-in");
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
fn node_without_isolated_parents_has_no_preview() {
    let env = diamond();
    for number in [0, 3] {
        let node = env.plan.nodes[number].id;
        assert_eq!(
            preview_fan_in(&env.as_run(), &env.data(), node).expect("git works"),
            None
        );
    }
}
