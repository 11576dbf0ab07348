//! The list of worktrees, and removing them.

use std::fs;
use std::thread;

use super::super::{CheckoutError, Place, Settled, Standing, leftovers, remove, settle};
use super::house::{House, run, write};

fn standing(house: &House, number: usize) -> Standing {
    let place = house.place(number);
    let listed = leftovers(&house.data()).expect("it can be read");
    listed
        .iter()
        .find(|left| left.place == place)
        .expect("it is listed")
        .standing
}

#[test]
fn each_worktree_is_listed_with_where_its_work_is() {
    let mut house = House::committed(4, &[("a.txt", "a\n")]);
    house.run(0, |_| {});
    house.run(1, |tree| write(tree, "one.txt", "1"));
    house.run(2, |tree| write(tree, "two.txt", "2"));
    house.edge(2, 3);
    house.share(3);
    house.run(3, |_| {});
    assert_eq!(standing(&house, 0), Standing::Home, "it changed nothing");
    assert_eq!(standing(&house, 1), Standing::Kept);
    assert_eq!(
        standing(&house, 2),
        Standing::Home,
        "a shared node received it"
    );
    house.write_in(1, "later.txt", "by hand");
    assert_eq!(standing(&house, 1), Standing::Changed);
    let listed = leftovers(&house.data()).expect("it can be read");
    assert_eq!(listed.len(), 3, "the shared node has none");
    assert!(
        listed
            .iter()
            .all(|left| left.bytes > 0 && left.plan_title == "A plan")
    );
}

#[test]
fn work_on_a_branch_is_home() {
    let mut house = House::committed(1, &[("a.txt", "a\n")]);
    house.run(0, |tree| write(tree, "one.txt", "1"));
    let record = Place::of(&house.data(), run(), &house.plan.nodes[0])
        .record()
        .expect("it was made");
    house.git(&[
        "branch",
        "mine",
        &format!("refs/baton/runs/{}/{}/work", run(), record.session),
    ]);
    assert_eq!(standing(&house, 0), Standing::Home);
}

#[test]
fn removing_one_keeps_its_work_and_forgets_it_in_git() {
    let mut house = House::committed(1, &[("a.txt", "a\n")]);
    house.run(0, |tree| write(tree, "one.txt", "1"));
    house.write_in(0, "by hand.txt", "later");
    let place = house.place(0);
    let kept = remove(&house.data(), &place, false)
        .expect("nothing is in the way")
        .expect("it is kept");
    assert_eq!(
        house.git(&["show", &format!("{kept}:by hand.txt")]),
        "later"
    );
    assert!(
        house
            .git(&["for-each-ref", "refs/baton/removed"])
            .contains(&kept)
    );
    assert!(
        !place.exists()
            && !house
                .data()
                .join("worktrees")
                .read_dir()
                .expect("it is there")
                .any(|entry| { entry.expect("it can be read").path().is_dir() })
    );
    assert_eq!(
        house
            .git(&["worktree", "list", "--porcelain"])
            .matches("worktree ")
            .count(),
        1,
        "only the person's"
    );
    assert!(leftovers(&house.data()).expect("it can be read").is_empty());
    house.run(0, |_| {});
    assert_eq!(
        house.read_in(0, "a.txt").as_deref(),
        Some("a\n"),
        "and it can be made again"
    );
}

#[test]
fn a_broken_one_goes_only_when_that_was_said_and_nothing_else_of_the_person_ever() {
    let mut house = House::committed(1, &[("a.txt", "a\n")]);
    house.run(0, |tree| write(tree, "one.txt", "1"));
    assert!(matches!(
        remove(&house.data(), &house.root(), true),
        Err(CheckoutError::Taken { .. })
    ));
    assert!(house.root().join("a.txt").exists());
    let place = house.place(0);
    fs::remove_dir_all(house.root()).expect("it is there");
    assert_eq!(standing(&house, 0), Standing::Broken);
    assert!(remove(&house.data(), &place, false).is_err());
    assert!(place.exists());
    assert_eq!(
        remove(&house.data(), &place, true).expect("that was said"),
        None
    );
    assert!(!place.exists());
}

#[test]
fn many_are_made_and_removed_at_once() {
    // Git alone fails here: "could not open '.git/worktrees/n2/gitdir' for writing".
    let mut house = House::committed(6, &[("a.txt", "a\n")]);
    let jobs: Vec<_> = (0..house.plan.nodes.len())
        .map(|number| house.job(number, None))
        .collect();
    let data = house.data();
    thread::scope(|scope| {
        for (job, node) in jobs.iter().zip(&house.plan.nodes) {
            let data = &data;
            scope.spawn(move || {
                for _ in 0..10 {
                    assert_eq!(
                        settle(job, node, data).expect("nobody is in its way"),
                        Settled::Ready
                    );
                    remove(data, Place::of(data, run(), node).path(), false)
                        .expect("nobody is in its way");
                }
            });
        }
    });
}
