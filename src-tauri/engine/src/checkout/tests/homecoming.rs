//! Bringing work home: into the directory, onto a branch, and back out again.

use std::collections::BTreeSet;
use std::fs;

use baton_model::run::{Conflict, ConflictKind, Resolution};
use baton_model::{NodeId, SessionId};
use uuid::Uuid;

use super::super::{
    CameHome, CheckoutError, DeltaKind, HomeWish, Homecoming, Standing, Whereabouts, bring_home,
    leftovers, look_home, take_back,
};
use super::house::{House, write};

fn wish(act: u128) -> HomeWish {
    HomeWish {
        act: SessionId(Uuid::from_u128(1000 + act)),
        nodes: None,
        branch: None,
        resolution: None,
    }
}

fn act(number: u128) -> String {
    SessionId(Uuid::from_u128(1000 + number)).to_string()
}

fn look(house: &House) -> Homecoming {
    look_home(&house.as_run(), &house.data(), None)
        .expect("git works")
        .expect("nodes work apart")
}

fn bring(house: &House, wish: &HomeWish) -> Result<CameHome, CheckoutError> {
    bring_home(&house.as_run(), &house.data(), wish)
}

fn conflict(house: &House, wish: &HomeWish) -> Conflict {
    match bring(house, wish).expect("git works") {
        CameHome::Conflict(conflict) => *conflict,
        other => panic!("there should be a conflict: {other:?}"),
    }
}

fn changed(came: Result<CameHome, CheckoutError>) -> Vec<String> {
    match came.expect("nothing is in the way") {
        CameHome::Directory(files) => files.into_iter().map(|file| file.path).collect(),
        other => panic!("it should be in the directory: {other:?}"),
    }
}

fn paths(home: &Homecoming) -> Vec<&str> {
    home.files
        .iter()
        .map(|file| file.delta.path.as_str())
        .collect()
}

fn outside(home: &Homecoming) -> usize {
    home.works
        .iter()
        .filter(|work| work.whereabouts != Whereabouts::Directory)
        .count()
}

/// Two nodes beside each other that change different things.
fn pair() -> House {
    let mut house = House::committed(
        2,
        &[("a.txt", "1\n2\n3\n4\n5\n6\n7\n"), ("gone.txt", "x\n")],
    );
    house.run(0, |tree| {
        write(tree, "a.txt", "one\n2\n3\n4\n5\n6\n7\n");
        fs::remove_file(tree.join("gone.txt")).expect("it is there");
    });
    house.run(1, |tree| write(tree, "deep/new.txt", "new\n"));
    house
}

/// Two nodes that change the same line.
fn clash() -> House {
    let mut house = House::committed(2, &[("both.txt", "one\ntwo\nthree\n")]);
    house.run(0, |tree| write(tree, "both.txt", "one\nfrom zero\nthree\n"));
    house.run(1, |tree| write(tree, "both.txt", "one\nfrom one\nthree\n"));
    house
}

#[test]
fn a_look_tells_whose_files_would_come_and_touches_nothing() {
    let house = pair();
    let (before, references) = (house.what_is_the_persons(), house.git(&["for-each-ref"]));
    let home = look(&house);
    assert_eq!(outside(&home), 2);
    assert_eq!(paths(&home), ["a.txt", "deep/new.txt", "gone.txt"]);
    assert_eq!(
        (&home.files[0].delta.change, home.files[0].delta.lines),
        (&DeltaKind::Changed, Some((1, 1)))
    );
    assert_eq!(home.files[1].nodes, [house.plan.nodes[1].id]);
    assert_eq!(home.files[2].delta.change, DeltaKind::Deleted);
    assert!(home.clashes.is_empty() && home.in_the_way.is_empty() && home.brought.is_empty());
    assert_eq!(
        (house.what_is_the_persons(), house.git(&["for-each-ref"])),
        (before, references)
    );
}

#[test]
fn all_work_comes_into_the_directory_beside_what_the_person_did_since_and_can_be_taken_back() {
    let house = pair();
    // In the file that a node changed, elsewhere; and a file that git does not know.
    house.write("a.txt", "1\n2\n3\n4\n5\n6\nseven\n");
    house.write("mine.txt", "not committed\n");
    let head = house.git(&["rev-parse", "HEAD"]);
    let seen = look(&house);
    assert!(
        seen.files[0].combined,
        "both the person and a node changed a.txt"
    );
    assert!(!seen.files[1].combined);
    assert_eq!(
        changed(bring(&house, &wish(1))),
        ["a.txt", "deep/new.txt", "gone.txt"]
    );
    assert_eq!(
        house.read("a.txt").as_deref(),
        Some("one\n2\n3\n4\n5\n6\nseven\n")
    );
    assert_eq!(house.read("deep/new.txt").as_deref(), Some("new\n"));
    assert_eq!(house.read("gone.txt"), None);
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

    let home = look(&house);
    assert_eq!((outside(&home), home.files.len()), (0, 0));
    let [brought] = &home.brought[..] else {
        panic!("one act: {:?}", home.brought)
    };
    assert_eq!(
        (brought.act.clone(), brought.titles.join("+")),
        (act(1), "Node 0+Node 1".to_owned())
    );
    assert_eq!(
        (brought.files.len(), brought.unfinished, brought.undone),
        (3, false, false)
    );
    assert!(
        leftovers(&house.data())
            .expect("readable")
            .iter()
            .all(|left| left.standing == Standing::Home)
    );

    // What the person does afterwards stays when the work is taken back.
    house.write("mine.txt", "changed again\n");
    let back = take_back(&house.as_run(), &house.data(), &act(1)).expect("nothing is in the way");
    assert_eq!(back.len(), 3);
    assert_eq!(
        house.read("a.txt").as_deref(),
        Some("1\n2\n3\n4\n5\n6\nseven\n")
    );
    assert_eq!(house.read("gone.txt").as_deref(), Some("x\n"));
    assert_eq!(house.read("deep/new.txt"), None);
    assert_eq!(house.read("mine.txt").as_deref(), Some("changed again\n"));
    let home = look(&house);
    assert_eq!(
        (outside(&home), home.brought[0].undone),
        (2, true),
        "it stands apart again"
    );
    let twice = take_back(&house.as_run(), &house.data(), &act(1));
    assert!(matches!(twice, Err(CheckoutError::NothingBrought { .. })));
    assert_eq!(
        changed(bring(&house, &wish(2))).len(),
        3,
        "and can be brought home again"
    );
    assert_eq!(house.read("deep/new.txt").as_deref(), Some("new\n"));
}

#[test]
fn going_back_over_what_was_changed_since_is_refused_and_changes_nothing() {
    let house = pair();
    changed(bring(&house, &wish(1)));
    house.write("deep/new.txt", "by the person\n");
    let refused = take_back(&house.as_run(), &house.data(), &act(1));
    assert!(
        matches!(&refused, Err(CheckoutError::ChangedSince { files }) if files == "deep/new.txt"),
        "{refused:?}"
    );
    assert_eq!(
        house.read("a.txt").as_deref(),
        Some("one\n2\n3\n4\n5\n6\n7\n")
    );
    assert_eq!(
        house.read("deep/new.txt").as_deref(),
        Some("by the person\n")
    );
}

#[test]
fn chosen_nodes_come_with_what_they_build_upon_and_the_others_stay() {
    let mut house = House::committed(3, &[("a.txt", "a\n")]);
    house.edge(0, 1);
    for (number, name) in ["zero.txt", "one.txt", "two.txt"].iter().enumerate() {
        house.run(number, |tree| write(tree, name, "x\n"));
    }
    let chosen: BTreeSet<NodeId> = [house.plan.nodes[1].id].into();
    let seen = look_home(&house.as_run(), &house.data(), Some(&chosen))
        .expect("git works")
        .expect("apart");
    assert_eq!(
        seen.coming,
        [house.plan.nodes[0].id, house.plan.nodes[1].id],
        "its parent's work comes along"
    );
    assert_eq!(paths(&seen), ["one.txt", "zero.txt"]);
    assert_eq!(
        changed(bring(
            &house,
            &HomeWish {
                nodes: Some(chosen),
                ..wish(1)
            }
        )),
        ["one.txt", "zero.txt"]
    );
    assert_eq!(house.read("two.txt"), None);
    assert_eq!(outside(&look(&house)), 1);
    assert_eq!(changed(bring(&house, &wish(2))), ["two.txt"]);
    let nothing = bring(&house, &wish(3));
    assert!(
        matches!(nothing, Err(CheckoutError::NothingApart)),
        "{nothing:?}"
    );
}

#[test]
fn a_branch_gets_the_work_and_the_directory_stays() {
    let house = pair();
    house.write("a.txt", "the person goes on\n");
    let files = house.git(&["status", "--porcelain=v2", "--untracked-files=all"]);
    let on = |name: &str| HomeWish {
        branch: Some(name.to_owned()),
        ..wish(1)
    };
    let came = bring(&house, &on("work/of-run")).expect("nothing is in the way");
    let CameHome::Branch { commit, .. } = came else {
        panic!("{came:?}")
    };
    assert_eq!(house.git(&["rev-parse", "refs/heads/work/of-run"]), commit);
    assert_eq!(house.git(&["show", "work/of-run:deep/new.txt"]), "new");
    assert_eq!(
        house.git(&["show", "work/of-run:a.txt"]).lines().next(),
        Some("one"),
        "without what came since"
    );
    assert_eq!(
        house.git(&["log", "-1", "--format=%s", "work/of-run"]),
        "A plan"
    );
    assert_eq!(
        house.git(&["status", "--porcelain=v2", "--untracked-files=all"]),
        files
    );
    let home = look(&house);
    let branch = Whereabouts::Branch("work/of-run".to_owned());
    assert!(
        home.works.iter().all(|work| work.whereabouts == branch),
        "{:?}",
        home.works
    );
    assert!(matches!(
        bring(&house, &on("work/of-run")),
        Err(CheckoutError::BranchTaken { .. })
    ));
    for name in ["-d", "a..b", "", "a b"] {
        assert!(
            matches!(
                bring(&house, &on(name)),
                Err(CheckoutError::BranchName { .. })
            ),
            "{name}"
        );
    }
    // The person merges it: then it is home.
    house.git(&["checkout", "--quiet", "--", "a.txt"]);
    house.git(&["merge", "--quiet", "--no-edit", "work/of-run"]);
    assert_eq!(outside(&look(&house)), 0);
}

#[test]
fn what_does_not_fit_is_seen_before_and_stands_in_a_worktree_until_a_person_has_settled_it() {
    let house = clash();
    let before = house.what_is_the_persons();
    let seen = look(&house);
    let [foreseen] = &seen.clashes[..] else {
        panic!("one clash: {:?}", seen.clashes)
    };
    assert_eq!(foreseen.theirs, "Node 1");
    assert_eq!(
        (foreseen.files[0].path.as_str(), foreseen.files[0].kind),
        ("both.txt", ConflictKind::Lines)
    );
    let found = conflict(&house, &wish(1));
    assert_eq!(
        house.what_is_the_persons(),
        before,
        "nothing of it is in the directory"
    );
    let place = std::path::Path::new(&found.place);
    assert!(
        fs::read_to_string(place.join("both.txt"))
            .expect("it stands there")
            .contains("<<<<<<< ")
    );
    assert_eq!(look(&house).open.as_ref(), Some(&found));
    let by_hand = HomeWish {
        resolution: Some(Resolution::ByHand),
        ..wish(2)
    };
    let still = Some("Conflict markers are left in both.txt.".to_owned());
    assert_eq!(conflict(&house, &by_hand).still, still);
    assert_eq!(
        look(&house).open.expect("it stands there").still,
        still,
        "who looks later hears it as well"
    );

    write(place, "both.txt", "one\nfrom both\nthree\n");
    house.write("more.txt", "meanwhile\n");
    assert_eq!(changed(bring(&house, &by_hand)), ["both.txt"]);
    assert_eq!(
        house.read("both.txt").as_deref(),
        Some("one\nfrom both\nthree\n")
    );
    assert_eq!(house.read("more.txt").as_deref(), Some("meanwhile\n"));
    assert!(!place.exists(), "nobody works in it any more");
    let home = look(&house);
    assert!(home.open.is_none() && outside(&home) == 0);
}

#[test]
fn a_conflict_that_a_node_settled_already_is_not_asked_again() {
    let mut house = House::committed(3, &[("both.txt", "one\n")]);
    house.edge(0, 2);
    house.edge(1, 2);
    house.run(0, |tree| write(tree, "both.txt", "zero\n"));
    house.run(1, |tree| write(tree, "both.txt", "one more\n"));
    let found = house.conflict(2);
    house.resolve(2, &found, Resolution::Theirs);
    house.keep_last(2);
    assert_eq!(
        changed(bring(&house, &wish(1))),
        ["both.txt"],
        "the last node changed nothing, and has both"
    );
    assert_eq!(house.read("both.txt").as_deref(), Some("one more\n"));
}

#[test]
fn a_file_that_one_changed_and_the_person_deleted_and_bytes_are_conflicts() {
    let mut house = House::committed(2, &[("gone.txt", "a\n"), ("image", "a\0b")]);
    house.run(0, |tree| write(tree, "gone.txt", "changed\n"));
    house.run(1, |tree| write(tree, "image", "c\0d"));
    fs::remove_file(house.root().join("gone.txt")).expect("it is there");
    house.write("image", "e\0f");
    let before = house.what_is_the_persons();
    let kinds: Vec<_> = look(&house)
        .clashes
        .iter()
        .flat_map(|clash| clash.files.clone())
        .map(|file| (file.path, file.kind))
        .collect();
    assert_eq!(
        kinds,
        [
            ("gone.txt".to_owned(), ConflictKind::Deleted),
            ("image".to_owned(), ConflictKind::Binary)
        ]
    );
    let ours = HomeWish {
        resolution: Some(Resolution::Ours),
        ..wish(2)
    };
    let first = conflict(&house, &wish(1));
    assert_eq!(first.ours, "the plan's directory");
    let second = conflict(&house, &ours);
    assert_eq!(house.what_is_the_persons(), before);
    assert_ne!(first.id, second.id);
    let theirs = HomeWish {
        resolution: Some(Resolution::Theirs),
        ..wish(3)
    };
    assert_eq!(changed(bring(&house, &theirs)), ["image"]);
    assert_eq!(
        (house.read("gone.txt"), house.read("image").as_deref()),
        (None, Some("c\0d"))
    );
}

#[test]
fn what_git_ignores_is_not_overwritten() {
    let mut house = House::committed(1, &[(".gitignore", "notes.txt\n"), ("a.txt", "a\n")]);
    house.run(0, |tree| {
        write(tree, ".gitignore", "");
        write(tree, "notes.txt", "by the node\n");
    });
    house.write("notes.txt", "the person's own\n");
    assert_eq!(look(&house).in_the_way, ["notes.txt"]);
    let refused = bring(&house, &wish(1));
    assert!(
        matches!(&refused, Err(CheckoutError::InTheWay { files }) if files == "notes.txt"),
        "{refused:?}"
    );
    assert_eq!(
        house.read("notes.txt").as_deref(),
        Some("the person's own\n")
    );
    assert_eq!(
        house.read(".gitignore").as_deref(),
        Some("notes.txt\n"),
        "and nothing else is written either"
    );
    assert!(look(&house).brought.is_empty());
}

#[test]
fn a_detached_head_a_branch_that_moved_and_a_submodule_do_not_matter() {
    let other = House::committed(0, &[("inner.txt", "inner\n")]);
    let mut house = House::committed(2, &[("a.txt", "a\n"), ("old.txt", &"line\n".repeat(30))]);
    let url = other.root().display().to_string();
    house.git(&[
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "add",
        "--quiet",
        &url,
        "sub",
    ]);
    house.commit_all();
    house.run(0, |tree| {
        fs::rename(tree.join("old.txt"), tree.join("moved.txt")).expect("room");
    });
    house.run(1, |tree| write(tree, "b.txt", "b\n"));
    // The person commits to the branch, changes the file that is moved, and leaves the branch.
    house.write("old.txt", format!("first\n{}", "line\n".repeat(30)));
    house.commit_all();
    house.git(&["checkout", "--quiet", "--detach"]);
    let seen = look(&house);
    assert_eq!(paths(&seen), ["b.txt", "moved.txt"]);
    assert_eq!(
        seen.files[1].delta.change,
        DeltaKind::Renamed {
            from: "old.txt".to_owned()
        }
    );
    changed(bring(&house, &wish(1)));
    assert!(
        house
            .read("moved.txt")
            .expect("it was moved")
            .starts_with("first\n")
    );
    assert_eq!(house.read("old.txt"), None);
    assert_eq!(house.read("sub/inner.txt").as_deref(), Some("inner\n"));
    assert_eq!(house.git(&["status", "--porcelain", "--", "sub"]), "");
    // Another branch that knows nothing of all this.
    house.git(&["stash", "--include-untracked", "--quiet"]);
    house.git(&["checkout", "--quiet", "-b", "elsewhere", "main~1"]);
    assert_eq!(
        outside(&look(&house)),
        0,
        "it was brought into the directory, whatever became of it there"
    );
}

#[test]
fn during_a_merge_of_the_person_nothing_is_written() {
    let house = pair();
    house.git(&["checkout", "--quiet", "-b", "side"]);
    house.write("a.txt", "side\n");
    house.commit_all();
    house.git(&["checkout", "--quiet", "main"]);
    house.write("a.txt", "main\n");
    house.commit_all();
    let git = crate::git::Git::at(&house.root()).signed();
    assert!(
        git.run(&["merge", "--quiet", "side"]).is_err(),
        "it does not fit"
    );
    let before = house.what_is_the_persons();
    let ours = HomeWish {
        resolution: None,
        nodes: Some([house.plan.nodes[1].id].into()),
        ..wish(1)
    };
    let refused = bring(&house, &ours);
    assert!(refused.is_err(), "{refused:?}");
    assert_eq!(house.what_is_the_persons(), before);
    assert_eq!(house.read("deep/new.txt"), None);
}

#[test]
fn what_a_crash_cut_off_is_told_and_completed_or_taken_back() {
    for complete in [true, false] {
        let house = pair();
        changed(bring(&house, &wish(1)));
        // As if the process had died when one of three files was written.
        house.git(&[
            "update-ref",
            "-d",
            &format!(
                "refs/baton/runs/{}/brought/{}/done",
                super::house::run(),
                act(1)
            ),
        ]);
        let here = house.git(&[
            "rev-parse",
            &format!(
                "refs/baton/runs/{}/brought/{}/here",
                super::house::run(),
                act(1)
            ),
        ]);
        house.git(&[
            "update-ref",
            &format!("refs/baton/runs/{}/directory", super::house::run()),
            &here,
        ]);
        house.write("gone.txt", "x\n");
        fs::remove_dir_all(house.root().join("deep")).expect("it is there");
        let seen = look(&house);
        assert!(seen.brought[0].unfinished);
        assert_eq!(
            paths(&seen),
            ["deep/new.txt", "gone.txt"],
            "what is missing still"
        );
        if complete {
            changed(bring(&house, &wish(2)));
            assert_eq!(
                (
                    house.read("gone.txt"),
                    house.read("deep/new.txt").as_deref()
                ),
                (None, Some("new\n"))
            );
            assert!(
                look(&house)
                    .brought
                    .iter()
                    .all(|brought| !brought.unfinished)
            );
        } else {
            take_back(&house.as_run(), &house.data(), &act(1)).expect("nothing is in the way");
            assert_eq!(
                house.read("a.txt").as_deref(),
                Some("1\n2\n3\n4\n5\n6\n7\n")
            );
            assert!(house.read("gone.txt").is_some());
            assert_eq!(outside(&look(&house)), 2);
        }
    }
}

#[test]
fn a_shared_node_that_received_work_is_listed_with_a_way_back() {
    let mut house = House::committed(2, &[("a.txt", "a\n"), ("b.txt", "1\n2\n3\n4\n5\n")]);
    house.edge(0, 1);
    house.share(1);
    house.run(0, |tree| write(tree, "b.txt", "one\n2\n3\n4\n5\n"));
    house.write("b.txt", "1\n2\n3\n4\nfive\n");
    house.run(1, |_| {});
    let home = look(&house);
    let [brought] = &home.brought[..] else {
        panic!("one act: {:?}", home.brought)
    };
    assert_eq!(
        (brought.titles.clone(), brought.files[0].path.as_str()),
        (vec!["Node 0".to_owned()], "b.txt")
    );
    take_back(&house.as_run(), &house.data(), &brought.act).expect("nothing is in the way");
    assert_eq!(
        house.read("b.txt").as_deref(),
        Some("1\n2\n3\n4\nfive\n"),
        "the person's own change stays"
    );
}

#[test]
fn a_conflict_that_is_settled_goes_on_with_what_was_wished() {
    let mut house = clash();
    house.plan.nodes.push(house.plan.nodes[0].clone());
    house.plan.nodes[2].id = NodeId(Uuid::from_u128(77));
    house.plan.nodes[2].slug = baton_model::Slug::new("third").expect("plain");
    house.run(2, |tree| write(tree, "third.txt", "x\n"));
    let chosen = Some([house.plan.nodes[0].id, house.plan.nodes[1].id].into());
    let wished = HomeWish {
        nodes: chosen,
        branch: Some("both".to_owned()),
        ..wish(1)
    };
    conflict(&house, &wished);
    assert_eq!(look(&house).open_branch.as_deref(), Some("both"));
    let came = bring(
        &house,
        &HomeWish {
            resolution: Some(Resolution::Theirs),
            ..wish(2)
        },
    )
    .expect("it is settled");
    assert!(
        matches!(&came, CameHome::Branch { name, .. } if name == "both"),
        "{came:?}"
    );
    assert_eq!(
        house.git(&["ls-tree", "--name-only", "both"]),
        "both.txt",
        "the third was not wished"
    );
    assert_eq!(
        house.git(&["show", "both:both.txt"]).lines().nth(1),
        Some("from one")
    );
    assert_eq!(house.read("both.txt").as_deref(), Some("one\ntwo\nthree\n"));
}

#[test]
fn giving_a_merge_up_forgets_it_and_keeps_what_was_done_in_it() {
    let house = clash();
    let found = conflict(&house, &wish(1));
    let place = std::path::PathBuf::from(&found.place);
    write(&place, "both.txt", "an hour of work\n");
    let kept = super::super::remove(&house.data(), &place, false)
        .expect("nothing is in the way")
        .expect("it is kept");
    assert_eq!(
        house.git(&["show", &format!("{kept}:both.txt")]),
        "an hour of work"
    );
    assert!(look(&house).open.is_none());
    assert_eq!(
        conflict(&house, &wish(2)).id,
        found.id,
        "it is found again when it is tried again"
    );
}
