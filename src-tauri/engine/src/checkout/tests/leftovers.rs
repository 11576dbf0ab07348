//! The list of worktrees, and removing them.

use std::fs;
use std::thread;

use super::super::{
    CheckoutError, LeftoverState, NodeWorktree, PreparedCheckout, leftovers, prepare_checkout,
    remove,
};
use super::test_environment::{TestEnvironment, run, write};

fn state_of(env: &TestEnvironment, number: usize) -> LeftoverState {
    let place = env.place(number);
    let listed = leftovers(&env.data()).expect("readable");
    listed
        .iter()
        .find(|left| left.place == place)
        .expect("listed")
        .state
}

#[test]
fn leftover_worktrees_are_listed_with_their_state() {
    let mut env = TestEnvironment::committed(4, &[("a.txt", "a\n")]);
    env.run(0, |_| {});
    env.run(1, |tree| write(tree, "one.txt", "1"));
    env.run(2, |tree| write(tree, "two.txt", "2"));
    env.edge(2, 3);
    env.share(3);
    env.run(3, |_| {});
    assert_eq!(
        state_of(&env, 0),
        LeftoverState::Merged,
        "it changed nothing"
    );
    assert_eq!(state_of(&env, 1), LeftoverState::Kept);
    assert_eq!(
        state_of(&env, 2),
        LeftoverState::Merged,
        "merged by a shared node"
    );
    env.write_in(1, "later.txt", "by the person");
    assert_eq!(state_of(&env, 1), LeftoverState::Changed);
    let listed = leftovers(&env.data()).expect("readable");
    assert_eq!(listed.len(), 3, "the shared node has none");
    assert!(
        listed
            .iter()
            .all(|left| left.bytes > 0 && left.plan_title == "A plan")
    );
}

#[test]
fn work_on_a_branch_counts_as_merged() {
    let mut env = TestEnvironment::committed(1, &[("a.txt", "a\n")]);
    env.run(0, |tree| write(tree, "one.txt", "1"));
    let record = NodeWorktree::of(&env.data(), run(), &env.plan.nodes[0])
        .record()
        .expect("created");
    env.git(&[
        "branch",
        "mine",
        &format!("refs/baton/runs/{}/{}/work", run(), record.session),
    ]);
    assert_eq!(state_of(&env, 0), LeftoverState::Merged);
}

#[test]
fn removing_a_worktree_keeps_its_commits() {
    let mut env = TestEnvironment::committed(1, &[("a.txt", "a\n")]);
    env.run(0, |tree| write(tree, "one.txt", "1"));
    env.write_in(0, "by hand.txt", "later");
    let place = env.place(0);
    let kept = remove(&env.data(), &place, false)
        .expect("no conflict")
        .expect("saved");
    assert_eq!(env.git(&["show", &format!("{kept}:by hand.txt")]), "later");
    assert!(
        env.git(&["for-each-ref", "refs/baton/removed"])
            .contains(&kept)
    );
    assert!(
        !place.exists()
            && !env
                .data()
                .join("worktrees")
                .read_dir()
                .expect("exists")
                .any(|entry| { entry.expect("readable").path().is_dir() })
    );
    assert_eq!(
        env.git(&["worktree", "list", "--porcelain"])
            .matches("worktree ")
            .count(),
        1,
        "only the person's work tree is left"
    );
    assert!(leftovers(&env.data()).expect("readable").is_empty());
    env.run(0, |_| {});
    assert_eq!(
        env.read_in(0, "a.txt").as_deref(),
        Some("a\n"),
        "and it can be recreated"
    );
}

#[test]
fn broken_worktree_is_removed_only_when_forced() {
    let mut env = TestEnvironment::committed(1, &[("a.txt", "a\n")]);
    env.run(0, |tree| write(tree, "one.txt", "1"));
    assert!(matches!(
        remove(&env.data(), &env.root(), true),
        Err(CheckoutError::Taken { .. })
    ));
    assert!(env.root().join("a.txt").exists());
    let place = env.place(0);
    fs::remove_dir_all(env.root()).expect("exists");
    assert_eq!(state_of(&env, 0), LeftoverState::Broken);
    assert!(remove(&env.data(), &place, false).is_err());
    assert!(place.exists());
    assert_eq!(
        remove(&env.data(), &place, true).expect("removal was forced"),
        None
    );
    assert!(!place.exists());
}

#[test]
fn concurrent_creation_and_removal_succeed() {
    // Without Baton's lock, git fails here: "could not open '.git/worktrees/n2/gitdir' for
    // writing".
    let mut env = TestEnvironment::committed(6, &[("a.txt", "a\n")]);
    let jobs: Vec<_> = (0..env.plan.nodes.len())
        .map(|number| env.job(number, None))
        .collect();
    let data = env.data();
    thread::scope(|scope| {
        for (job, node) in jobs.iter().zip(&env.plan.nodes) {
            let data = &data;
            scope.spawn(move || {
                for _ in 0..10 {
                    assert_eq!(
                        prepare_checkout(job, node, data).expect("not in use"),
                        PreparedCheckout::Ready
                    );
                    remove(data, NodeWorktree::of(data, run(), node).path(), false)
                        .expect("not in use");
                }
            });
        }
    });
}
