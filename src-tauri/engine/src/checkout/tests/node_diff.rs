//! What a node changed, in its own worktree and in the plan's directory.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use baton_model::NodeState;

use super::super::{
    AttemptWork, CheckoutError, DeltaKind, DirectoryWork, FileDiff, FileDiffContent, NodeDiff,
    PreparedCheckout, directory_diff, worktree_diff,
};
use super::test_environment::{TestEnvironment, write};

fn work(env: &TestEnvironment, number: usize) -> AttemptWork {
    let run = env.as_run();
    let node = env.plan.nodes[number].id;
    let state = run.node(node).expect("in the plan");
    assert!(matches!(state.state, NodeState::Done { .. }));
    AttemptWork {
        node,
        session: state.session.expect("it ran"),
        since: None,
        is_latest: true,
    }
}

fn diff(env: &TestEnvironment, of: AttemptWork, only: Option<&str>) -> NodeDiff {
    worktree_diff(&env.as_run(), &env.data(), of, only)
        .expect("git works")
        .expect("its files are stored")
}

/// A file's change in one line: path, hunks, and lines.
fn describe(file: &FileDiff) -> String {
    let content = match &file.content {
        FileDiffContent::Hunks(hunks) => hunks
            .iter()
            .map(|hunk| {
                let lines = hunk.lines.join("|");
                format!("@{},{} {lines}", hunk.old_start, hunk.new_start)
            })
            .collect::<Vec<_>>()
            .join(" "),
        other => format!("{other:?}"),
    };
    format!("{} {content}", file.delta.path)
}

fn described(diff: &NodeDiff) -> Vec<String> {
    diff.files.iter().map(describe).collect()
}

#[test]
fn every_kind_of_change_is_shown() {
    let mut env = TestEnvironment::committed(
        1,
        &[
            ("a.txt", "1\n2\n3\n4\n5\n"),
            ("gone.txt", "x\n"),
            ("image", "a\0b"),
            ("old name.txt", "one\ntwo\nthree\nfour\n"),
            ("script.sh", "true\n"),
        ],
    );
    env.run(0, |tree| {
        write(tree, "a.txt", "1\n2\nthree\n4\n5");
        write(tree, "new/b.txt", "new\n");
        write(tree, "image", "a\0c");
        fs::remove_file(tree.join("gone.txt")).expect("exists");
        fs::rename(tree.join("old name.txt"), tree.join("moved.txt")).expect("exists");
        let script = tree.join("script.sh");
        fs::set_permissions(script, fs::Permissions::from_mode(0o755)).expect("exists");
    });
    let found = diff(&env, work(&env, 0), None);
    assert!(found.committed);
    assert_eq!(found.left_out, 0);
    assert_eq!(
        described(&found),
        [
            "a.txt @1,1  1| 2|-3|+three| 4|-5|+5|\\ No newline at end of file",
            "gone.txt @1,0 -x",
            "image Binary",
            "moved.txt ",
            "new/b.txt @0,1 +new",
            "script.sh ",
        ]
    );
    let from = "old name.txt".to_owned();
    assert_eq!(found.files[3].delta.change, DeltaKind::Renamed { from });
    assert_eq!(found.files[5].modes, ["100644", "100755"]);
    let only = diff(&env, work(&env, 0), Some("new/b.txt"));
    assert_eq!(described(&only), ["new/b.txt @0,1 +new"]);
    assert_eq!((only.base, only.head), (found.base, found.head));
}

#[test]
fn later_attempt_is_compared_with_the_start_or_with_an_earlier_one() {
    let mut env = TestEnvironment::committed(1, &[("a.txt", "1\n")]);
    env.run(0, |tree| write(tree, "a.txt", "2\n"));
    let first = work(&env, 0);
    env.run(0, |tree| {
        write(tree, "a.txt", "2\n");
        write(tree, "b.txt", "3\n");
    });
    let second = work(&env, 0);
    assert_ne!(first.session, second.session);
    let both = ["a.txt @1,1 -1|+2", "b.txt @0,1 +3"];
    assert_eq!(described(&diff(&env, second, None)), both);
    let since = AttemptWork {
        since: Some(first.session),
        ..second
    };
    assert_eq!(described(&diff(&env, since, None)), ["b.txt @0,1 +3"]);
    let earlier = AttemptWork {
        is_latest: false,
        ..first
    };
    assert_eq!(described(&diff(&env, earlier, None)), both[..1]);
}

#[test]
fn running_node_shows_its_files_as_they_are() {
    let mut env = TestEnvironment::committed(1, &[("a.txt", "1\n")]);
    let prepared = env.prepare_checkout(0).expect("git works");
    assert_eq!(prepared, PreparedCheckout::Ready);
    env.write_in(0, "a.txt", "now\n");
    let before = env.user_git_state();
    let found = diff(&env, work(&env, 0), None);
    assert!(!found.committed);
    assert_eq!(described(&found), ["a.txt @1,1 -1|+now"]);
    assert_eq!(found.head, diff(&env, work(&env, 0), None).head);
    assert_eq!(env.user_git_state(), before);
    let earlier = AttemptWork {
        is_latest: false,
        ..work(&env, 0)
    };
    let none = worktree_diff(&env.as_run(), &env.data(), earlier, None).expect("git works");
    assert_eq!(
        none, None,
        "the worktree may hold the files of another attempt"
    );
}

#[test]
fn long_files_are_said_to_be_too_large() {
    let line = "x".repeat(99) + "\n";
    let mut env = TestEnvironment::committed(1, &[("changed.txt", &"a\n".repeat(11_000))]);
    env.run(0, |tree| {
        write(tree, "changed.txt", "b\n".repeat(11_000));
        write(tree, "huge.txt", line.repeat(20_000));
        for number in 0..9 {
            write(tree, &format!("long{number}.txt"), line.repeat(10_000));
        }
        write(tree, "small.txt", "small\n");
    });
    let found = diff(&env, work(&env, 0), None);
    let content = |path: &str| {
        let file = found.files.iter().find(|file| file.delta.path == path);
        &file.expect("it changed").content
    };
    assert_eq!(content("changed.txt"), &FileDiffContent::TooLarge(22_000));
    assert_eq!(content("huge.txt"), &FileDiffContent::TooLarge(2_000_000));
    assert!(matches!(content("long0.txt"), FileDiffContent::Hunks(_)));
    assert_eq!(content("long8.txt"), &FileDiffContent::NotLoaded);
    assert!(matches!(content("small.txt"), FileDiffContent::Hunks(_)));
    let alone = diff(&env, work(&env, 0), Some("long8.txt"));
    let FileDiffContent::Hunks(hunks) = &alone.files[0].content else {
        panic!("a file that is requested alone is loaded: {alone:?}");
    };
    assert_eq!(hunks[0].lines.len(), 10_000);
}

#[test]
fn shared_directory_shows_only_the_files_of_the_node() {
    let env = TestEnvironment::committed(1, &[("a.txt", "1\n"), ("sub/b.txt", "1\n")]);
    let base = env.git(&["rev-parse", "HEAD"]);
    for path in ["a.txt", "sub/b.txt", "sub/new.txt", "sub/other.txt"] {
        env.write(path, "2\n");
    }
    let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    let of = DirectoryWork {
        directory: env.root().join("sub"),
        base: base.clone(),
        own: names(&["../a.txt", "new.txt", "unchanged.txt"]),
        shared: names(&["b.txt"]),
    };
    let before = env.user_git_state();
    let run = env.as_run().id();
    let found = directory_diff(run, &env.data(), &of, None).expect("git works");
    assert_eq!(
        described(&found),
        [
            "a.txt @1,1 -1|+2",
            "sub/b.txt @1,1 -1|+2",
            "sub/new.txt @0,1 +2"
        ]
    );
    let shared: Vec<bool> = found.files.iter().map(|file| file.shared).collect();
    assert_eq!(shared, [false, true, false]);
    assert_eq!((found.base, found.committed), (base, false));
    assert_eq!(env.user_git_state(), before);
}

#[test]
fn files_before_the_first_commit_are_compared_with_nothing() {
    let env = TestEnvironment::new(1);
    env.write("a.txt", "1\n");
    let of = DirectoryWork {
        directory: env.root(),
        base: env.git(&["hash-object", "-t", "tree", "/dev/null"]),
        own: BTreeSet::from(["a.txt".to_owned()]),
        shared: BTreeSet::new(),
    };
    let found = directory_diff(env.as_run().id(), &env.data(), &of, None).expect("git works");
    assert_eq!(described(&found), ["a.txt @0,1 +1"]);
    let outside = DirectoryWork {
        directory: env.data(),
        ..of
    };
    fs::create_dir_all(env.data()).expect("create folder");
    let error = directory_diff(env.as_run().id(), &env.data(), &outside, None);
    assert!(matches!(error, Err(CheckoutError::NoRepository { .. })));
}
