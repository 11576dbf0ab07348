//! Merging work back: into the directory, onto a branch, and undoing it.

use std::collections::BTreeSet;
use std::fs;

use baton_model::run::{Conflict, ConflictKind, Resolution};
use baton_model::{NodeId, SessionId};
use uuid::Uuid;

use super::super::{
    CheckoutError, DeltaKind, IsolatedWorkLocation, LeftoverState, MergeBackOutcome,
    MergeBackRequest, MergePreview, leftovers, merge_back, preview_merge_back, undo_merge_back,
};
use super::test_environment::{TestEnvironment, write};

fn request(act: u128) -> MergeBackRequest {
    MergeBackRequest {
        act: SessionId(Uuid::from_u128(1000 + act)),
        nodes: None,
        branch: None,
        resolution: None,
    }
}

fn act(number: u128) -> String {
    SessionId(Uuid::from_u128(1000 + number)).to_string()
}

fn preview(env: &TestEnvironment) -> MergePreview {
    preview_merge_back(&env.as_run(), &env.data(), None)
        .expect("git works")
        .expect("nodes are isolated")
}

fn apply_merge(
    env: &TestEnvironment,
    request: &MergeBackRequest,
) -> Result<MergeBackOutcome, CheckoutError> {
    merge_back(&env.as_run(), &env.data(), request)
}

fn conflict(env: &TestEnvironment, request: &MergeBackRequest) -> Conflict {
    match apply_merge(env, request).expect("git works") {
        MergeBackOutcome::Conflict(conflict) => *conflict,
        other => panic!("expected a conflict: {other:?}"),
    }
}

fn changed(outcome: Result<MergeBackOutcome, CheckoutError>) -> Vec<String> {
    match outcome.expect("no conflict") {
        MergeBackOutcome::Directory(files) => files.into_iter().map(|file| file.path).collect(),
        other => panic!("expected a merge into the directory: {other:?}"),
    }
}

fn paths(home: &MergePreview) -> Vec<&str> {
    home.files
        .iter()
        .map(|file| file.delta.path.as_str())
        .collect()
}

fn outside(home: &MergePreview) -> usize {
    home.works
        .iter()
        .filter(|work| work.location != IsolatedWorkLocation::Directory)
        .count()
}

/// Two parallel nodes that change different things.
fn pair() -> TestEnvironment {
    let mut env = TestEnvironment::committed(
        2,
        &[("a.txt", "1\n2\n3\n4\n5\n6\n7\n"), ("gone.txt", "x\n")],
    );
    env.run(0, |tree| {
        write(tree, "a.txt", "one\n2\n3\n4\n5\n6\n7\n");
        fs::remove_file(tree.join("gone.txt")).expect("exists");
    });
    env.run(1, |tree| write(tree, "deep/new.txt", "new\n"));
    env
}

/// Two nodes that change the same line.
fn clash() -> TestEnvironment {
    let mut env = TestEnvironment::committed(2, &[("both.txt", "one\ntwo\nthree\n")]);
    env.run(0, |tree| write(tree, "both.txt", "one\nfrom zero\nthree\n"));
    env.run(1, |tree| write(tree, "both.txt", "one\nfrom one\nthree\n"));
    env
}

#[test]
fn preview_lists_sources_and_changes_nothing() {
    let env = pair();
    let (before, references) = (env.user_git_state(), env.git(&["for-each-ref"]));
    let home = preview(&env);
    assert_eq!(outside(&home), 2);
    assert_eq!(paths(&home), ["a.txt", "deep/new.txt", "gone.txt"]);
    assert_eq!(
        (&home.files[0].delta.change, home.files[0].delta.lines),
        (&DeltaKind::Changed, Some((1, 1)))
    );
    assert_eq!(home.files[1].nodes, [env.plan.nodes[1].id]);
    assert_eq!(home.files[2].delta.change, DeltaKind::Deleted);
    assert!(home.clashes.is_empty() && home.blocking_files.is_empty() && home.applied.is_empty());
    assert_eq!(
        (env.user_git_state(), env.git(&["for-each-ref"])),
        (before, references)
    );
}

#[test]
fn merge_back_keeps_user_changes_and_can_be_undone() {
    let env = pair();
    // Another part of the file that a node changed; and an untracked file.
    env.write("a.txt", "1\n2\n3\n4\n5\n6\nseven\n");
    env.write("mine.txt", "not committed\n");
    let head = env.git(&["rev-parse", "HEAD"]);
    let seen = preview(&env);
    assert!(
        seen.files[0].combined,
        "both the person and a node changed a.txt"
    );
    assert!(!seen.files[1].combined);
    assert_eq!(
        changed(apply_merge(&env, &request(1))),
        ["a.txt", "deep/new.txt", "gone.txt"]
    );
    assert_eq!(
        env.read("a.txt").as_deref(),
        Some("one\n2\n3\n4\n5\n6\nseven\n")
    );
    assert_eq!(env.read("deep/new.txt").as_deref(), Some("new\n"));
    assert_eq!(env.read("gone.txt"), None);
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

    let home = preview(&env);
    assert_eq!((outside(&home), home.files.len()), (0, 0));
    let [brought] = &home.applied[..] else {
        panic!("one act: {:?}", home.applied)
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
        leftovers(&env.data())
            .expect("readable")
            .iter()
            .all(|left| left.state == LeftoverState::Merged)
    );

    // Later changes by the person are kept when the merge is undone.
    env.write("mine.txt", "changed again\n");
    let back = undo_merge_back(&env.as_run(), &env.data(), &act(1)).expect("no conflict");
    assert_eq!(back.len(), 3);
    assert_eq!(
        env.read("a.txt").as_deref(),
        Some("1\n2\n3\n4\n5\n6\nseven\n")
    );
    assert_eq!(env.read("gone.txt").as_deref(), Some("x\n"));
    assert_eq!(env.read("deep/new.txt"), None);
    assert_eq!(env.read("mine.txt").as_deref(), Some("changed again\n"));
    let home = preview(&env);
    assert_eq!(
        (outside(&home), home.applied[0].undone),
        (2, true),
        "it is isolated again"
    );
    let twice = undo_merge_back(&env.as_run(), &env.data(), &act(1));
    assert!(matches!(twice, Err(CheckoutError::NothingBrought { .. })));
    assert_eq!(
        changed(apply_merge(&env, &request(2))).len(),
        3,
        "and can be merged back again"
    );
    assert_eq!(env.read("deep/new.txt").as_deref(), Some("new\n"));
}

#[test]
fn undo_is_refused_after_later_changes() {
    let env = pair();
    changed(apply_merge(&env, &request(1)));
    env.write("deep/new.txt", "by the person\n");
    let refused = undo_merge_back(&env.as_run(), &env.data(), &act(1));
    assert!(
        matches!(&refused, Err(CheckoutError::ChangedSince { files }) if files == "deep/new.txt"),
        "{refused:?}"
    );
    assert_eq!(
        env.read("a.txt").as_deref(),
        Some("one\n2\n3\n4\n5\n6\n7\n")
    );
    assert_eq!(env.read("deep/new.txt").as_deref(), Some("by the person\n"));
}

#[test]
fn selected_nodes_are_merged_with_their_dependencies() {
    let mut env = TestEnvironment::committed(3, &[("a.txt", "a\n")]);
    env.edge(0, 1);
    for (number, name) in ["zero.txt", "one.txt", "two.txt"].iter().enumerate() {
        env.run(number, |tree| write(tree, name, "x\n"));
    }
    let chosen: BTreeSet<NodeId> = [env.plan.nodes[1].id].into();
    let seen = preview_merge_back(&env.as_run(), &env.data(), Some(&chosen))
        .expect("git works")
        .expect("nodes are isolated");
    assert_eq!(
        seen.coming,
        [env.plan.nodes[0].id, env.plan.nodes[1].id],
        "its parent's work is included"
    );
    assert_eq!(paths(&seen), ["one.txt", "zero.txt"]);
    assert_eq!(
        changed(apply_merge(
            &env,
            &MergeBackRequest {
                nodes: Some(chosen),
                ..request(1)
            }
        )),
        ["one.txt", "zero.txt"]
    );
    assert_eq!(env.read("two.txt"), None);
    assert_eq!(outside(&preview(&env)), 1);
    assert_eq!(changed(apply_merge(&env, &request(2))), ["two.txt"]);
    let nothing = apply_merge(&env, &request(3));
    assert!(
        matches!(nothing, Err(CheckoutError::NothingApart)),
        "{nothing:?}"
    );
}

#[test]
fn merge_back_to_a_branch_leaves_the_directory_unchanged() {
    let env = pair();
    env.write("a.txt", "changed by the person\n");
    let files = env.git(&["status", "--porcelain=v2", "--untracked-files=all"]);
    let on = |name: &str| MergeBackRequest {
        branch: Some(name.to_owned()),
        ..request(1)
    };
    let outcome = apply_merge(&env, &on("work/of-run")).expect("no conflict");
    let MergeBackOutcome::Branch { commit, .. } = outcome else {
        panic!("{outcome:?}")
    };
    assert_eq!(env.git(&["rev-parse", "refs/heads/work/of-run"]), commit);
    assert_eq!(env.git(&["show", "work/of-run:deep/new.txt"]), "new");
    assert_eq!(
        env.git(&["show", "work/of-run:a.txt"]).lines().next(),
        Some("one"),
        "without later changes"
    );
    assert_eq!(
        env.git(&["log", "-1", "--format=%s", "work/of-run"]),
        "A plan"
    );
    assert_eq!(
        env.git(&["status", "--porcelain=v2", "--untracked-files=all"]),
        files
    );
    let home = preview(&env);
    let branch = IsolatedWorkLocation::Branch("work/of-run".to_owned());
    assert!(
        home.works.iter().all(|work| work.location == branch),
        "{:?}",
        home.works
    );
    assert!(matches!(
        apply_merge(&env, &on("work/of-run")),
        Err(CheckoutError::BranchTaken { .. })
    ));
    for name in ["-d", "a..b", "", "a b"] {
        assert!(
            matches!(
                apply_merge(&env, &on(name)),
                Err(CheckoutError::BranchName { .. })
            ),
            "{name}"
        );
    }
    // The person merges the branch: then the work counts as merged.
    env.git(&["checkout", "--quiet", "--", "a.txt"]);
    env.git(&["merge", "--quiet", "--no-edit", "work/of-run"]);
    assert_eq!(outside(&preview(&env)), 0);
}

#[test]
fn conflict_is_previewed_and_kept_in_a_worktree_until_resolved() {
    let env = clash();
    let before = env.user_git_state();
    let seen = preview(&env);
    let [foreseen] = &seen.clashes[..] else {
        panic!("one clash: {:?}", seen.clashes)
    };
    assert_eq!(foreseen.theirs, "Node 1");
    assert_eq!(
        (foreseen.files[0].path.as_str(), foreseen.files[0].kind),
        ("both.txt", ConflictKind::Lines)
    );
    let found = conflict(&env, &request(1));
    assert_eq!(env.user_git_state(), before, "the directory is unchanged");
    let place = std::path::Path::new(&found.place);
    assert!(
        fs::read_to_string(place.join("both.txt"))
            .expect("exists")
            .contains("<<<<<<< ")
    );
    assert_eq!(preview(&env).open.as_ref(), Some(&found));
    let by_hand = MergeBackRequest {
        resolution: Some(Resolution::ByHand),
        ..request(2)
    };
    let still = Some("Conflict markers remain in both.txt.".to_owned());
    assert_eq!(conflict(&env, &by_hand).still, still);
    assert_eq!(
        preview(&env).open.expect("exists").still,
        still,
        "later previews report it too"
    );

    write(place, "both.txt", "one\nfrom both\nthree\n");
    env.write("more.txt", "meanwhile\n");
    assert_eq!(changed(apply_merge(&env, &by_hand)), ["both.txt"]);
    assert_eq!(
        env.read("both.txt").as_deref(),
        Some("one\nfrom both\nthree\n")
    );
    assert_eq!(env.read("more.txt").as_deref(), Some("meanwhile\n"));
    assert!(!place.exists(), "it is no longer in use");
    let home = preview(&env);
    assert!(home.open.is_none() && outside(&home) == 0);
}

#[test]
fn conflict_resolved_by_a_node_is_not_raised_again() {
    let mut env = TestEnvironment::committed(3, &[("both.txt", "one\n")]);
    env.edge(0, 2);
    env.edge(1, 2);
    env.run(0, |tree| write(tree, "both.txt", "zero\n"));
    env.run(1, |tree| write(tree, "both.txt", "one more\n"));
    let found = env.conflict(2);
    env.resolve(2, &found, Resolution::Theirs);
    env.keep_last(2);
    assert_eq!(
        changed(apply_merge(&env, &request(1))),
        ["both.txt"],
        "the last node contains both"
    );
    assert_eq!(env.read("both.txt").as_deref(), Some("one more\n"));
}

#[test]
fn modify_delete_and_binary_files_conflict() {
    let mut env = TestEnvironment::committed(2, &[("gone.txt", "a\n"), ("image", "a\0b")]);
    env.run(0, |tree| write(tree, "gone.txt", "changed\n"));
    env.run(1, |tree| write(tree, "image", "c\0d"));
    fs::remove_file(env.root().join("gone.txt")).expect("exists");
    env.write("image", "e\0f");
    let before = env.user_git_state();
    let kinds: Vec<_> = preview(&env)
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
    let ours = MergeBackRequest {
        resolution: Some(Resolution::Ours),
        ..request(2)
    };
    let first = conflict(&env, &request(1));
    assert_eq!(first.ours, "the plan's directory");
    let second = conflict(&env, &ours);
    assert_eq!(env.user_git_state(), before);
    assert_ne!(first.id, second.id);
    let theirs = MergeBackRequest {
        resolution: Some(Resolution::Theirs),
        ..request(3)
    };
    assert_eq!(changed(apply_merge(&env, &theirs)), ["image"]);
    assert_eq!(
        (env.read("gone.txt"), env.read("image").as_deref()),
        (None, Some("c\0d"))
    );
}

#[test]
fn ignored_files_are_not_overwritten() {
    let mut env = TestEnvironment::committed(1, &[(".gitignore", "notes.txt\n"), ("a.txt", "a\n")]);
    env.run(0, |tree| {
        write(tree, ".gitignore", "");
        write(tree, "notes.txt", "by the node\n");
    });
    env.write("notes.txt", "the person's own\n");
    assert_eq!(preview(&env).blocking_files, ["notes.txt"]);
    let refused = apply_merge(&env, &request(1));
    assert!(
        matches!(&refused, Err(CheckoutError::InTheWay { files }) if files == "notes.txt"),
        "{refused:?}"
    );
    assert_eq!(env.read("notes.txt").as_deref(), Some("the person's own\n"));
    assert_eq!(
        env.read(".gitignore").as_deref(),
        Some("notes.txt\n"),
        "and nothing else is written either"
    );
    assert!(preview(&env).applied.is_empty());
}

#[test]
fn detached_head_moved_branch_and_submodule_are_tolerated() {
    let other = TestEnvironment::committed(0, &[("inner.txt", "inner\n")]);
    let mut env =
        TestEnvironment::committed(2, &[("a.txt", "a\n"), ("old.txt", &"line\n".repeat(30))]);
    let url = other.root().display().to_string();
    env.git(&[
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "add",
        "--quiet",
        &url,
        "sub",
    ]);
    env.commit_all();
    env.run(0, |tree| {
        fs::rename(tree.join("old.txt"), tree.join("moved.txt")).expect("rename");
    });
    env.run(1, |tree| write(tree, "b.txt", "b\n"));
    // The person commits to the branch, changes the moved file, and switches to another branch.
    env.write("old.txt", format!("first\n{}", "line\n".repeat(30)));
    env.commit_all();
    env.git(&["checkout", "--quiet", "--detach"]);
    let seen = preview(&env);
    assert_eq!(paths(&seen), ["b.txt", "moved.txt"]);
    assert_eq!(
        seen.files[1].delta.change,
        DeltaKind::Renamed {
            from: "old.txt".to_owned()
        }
    );
    changed(apply_merge(&env, &request(1)));
    assert!(env.read("moved.txt").expect("moved").starts_with("first\n"));
    assert_eq!(env.read("old.txt"), None);
    assert_eq!(env.read("sub/inner.txt").as_deref(), Some("inner\n"));
    assert_eq!(env.git(&["status", "--porcelain", "--", "sub"]), "");
    // Another branch without any of this work.
    env.git(&["stash", "--include-untracked", "--quiet"]);
    env.git(&["checkout", "--quiet", "-b", "elsewhere", "main~1"]);
    assert_eq!(
        outside(&preview(&env)),
        0,
        "it counts as merged even if the directory has changed since"
    );
}

#[test]
fn nothing_is_written_during_a_user_merge() {
    let env = pair();
    env.git(&["checkout", "--quiet", "-b", "side"]);
    env.write("a.txt", "side\n");
    env.commit_all();
    env.git(&["checkout", "--quiet", "main"]);
    env.write("a.txt", "main\n");
    env.commit_all();
    let git = crate::git::Git::at(&env.root()).with_baton_identity();
    assert!(
        git.run(&["merge", "--quiet", "side"]).is_err(),
        "the merge conflicts"
    );
    let before = env.user_git_state();
    let ours = MergeBackRequest {
        resolution: None,
        nodes: Some([env.plan.nodes[1].id].into()),
        ..request(1)
    };
    let refused = apply_merge(&env, &ours);
    assert!(refused.is_err(), "{refused:?}");
    assert_eq!(env.user_git_state(), before);
    assert_eq!(env.read("deep/new.txt"), None);
}

#[test]
fn interrupted_merge_back_can_be_completed_or_undone() {
    for complete in [true, false] {
        let env = pair();
        changed(apply_merge(&env, &request(1)));
        // As if the process had died after it wrote one of three files.
        env.git(&[
            "update-ref",
            "-d",
            &format!(
                "refs/baton/runs/{}/brought/{}/done",
                super::test_environment::run(),
                act(1)
            ),
        ]);
        let here = env.git(&[
            "rev-parse",
            &format!(
                "refs/baton/runs/{}/brought/{}/here",
                super::test_environment::run(),
                act(1)
            ),
        ]);
        env.git(&[
            "update-ref",
            &format!(
                "refs/baton/runs/{}/directory",
                super::test_environment::run()
            ),
            &here,
        ]);
        env.write("gone.txt", "x\n");
        fs::remove_dir_all(env.root().join("deep")).expect("exists");
        let seen = preview(&env);
        assert!(seen.applied[0].unfinished);
        assert_eq!(
            paths(&seen),
            ["deep/new.txt", "gone.txt"],
            "the rest is merged"
        );
        if complete {
            changed(apply_merge(&env, &request(2)));
            assert_eq!(
                (env.read("gone.txt"), env.read("deep/new.txt").as_deref()),
                (None, Some("new\n"))
            );
            assert!(
                preview(&env)
                    .applied
                    .iter()
                    .all(|brought| !brought.unfinished)
            );
        } else {
            undo_merge_back(&env.as_run(), &env.data(), &act(1)).expect("no conflict");
            assert_eq!(env.read("a.txt").as_deref(), Some("1\n2\n3\n4\n5\n6\n7\n"));
            assert!(env.read("gone.txt").is_some());
            assert_eq!(outside(&preview(&env)), 2);
        }
    }
}

#[test]
fn work_received_by_a_shared_node_can_be_undone() {
    let mut env = TestEnvironment::committed(2, &[("a.txt", "a\n"), ("b.txt", "1\n2\n3\n4\n5\n")]);
    env.edge(0, 1);
    env.share(1);
    env.run(0, |tree| write(tree, "b.txt", "one\n2\n3\n4\n5\n"));
    env.write("b.txt", "1\n2\n3\n4\nfive\n");
    env.run(1, |_| {});
    let home = preview(&env);
    let [brought] = &home.applied[..] else {
        panic!("one act: {:?}", home.applied)
    };
    assert_eq!(
        (brought.titles.clone(), brought.files[0].path.as_str()),
        (vec!["Node 0".to_owned()], "b.txt")
    );
    undo_merge_back(&env.as_run(), &env.data(), &brought.act).expect("no conflict");
    assert_eq!(
        env.read("b.txt").as_deref(),
        Some("1\n2\n3\n4\nfive\n"),
        "the person's own change stays"
    );
}

#[test]
fn resolved_conflict_resumes_the_original_request() {
    let mut env = clash();
    env.plan.nodes.push(env.plan.nodes[0].clone());
    env.plan.nodes[2].id = NodeId(Uuid::from_u128(77));
    env.plan.nodes[2].slug = baton_model::Slug::new("third").expect("valid slug");
    env.run(2, |tree| write(tree, "third.txt", "x\n"));
    let chosen = Some([env.plan.nodes[0].id, env.plan.nodes[1].id].into());
    let wished = MergeBackRequest {
        nodes: chosen,
        branch: Some("both".to_owned()),
        ..request(1)
    };
    conflict(&env, &wished);
    assert_eq!(preview(&env).open_branch.as_deref(), Some("both"));
    let outcome = apply_merge(
        &env,
        &MergeBackRequest {
            resolution: Some(Resolution::Theirs),
            ..request(2)
        },
    )
    .expect("resolved");
    assert!(
        matches!(&outcome, MergeBackOutcome::Branch { name, .. } if name == "both"),
        "{outcome:?}"
    );
    assert_eq!(
        env.git(&["ls-tree", "--name-only", "both"]),
        "both.txt",
        "the third was not requested"
    );
    assert_eq!(
        env.git(&["show", "both:both.txt"]).lines().nth(1),
        Some("from one")
    );
    assert_eq!(env.read("both.txt").as_deref(), Some("one\ntwo\nthree\n"));
}

#[test]
fn abandoned_merge_keeps_its_work() {
    let env = clash();
    let found = conflict(&env, &request(1));
    let place = std::path::PathBuf::from(&found.place);
    write(&place, "both.txt", "an hour of work\n");
    let kept = super::super::remove(&env.data(), &place, false)
        .expect("no conflict")
        .expect("saved");
    assert_eq!(
        env.git(&["show", &format!("{kept}:both.txt")]),
        "an hour of work"
    );
    assert!(preview(&env).open.is_none());
    assert_eq!(
        conflict(&env, &request(2)).id,
        found.id,
        "a retry finds it again"
    );
}
