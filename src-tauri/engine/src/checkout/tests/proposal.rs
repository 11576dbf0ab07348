//! The work of a run as one branch for a pull request.

use std::fs;
use std::path::Path;

use super::super::{
    BranchState, CheckoutError, OpenedPullRequest, ProposedWork, branch_state,
    create_proposal_branch, earlier_commits, opened_pull_request, proposed_work, push_branch,
    remember_pull_request, remotes,
};
use super::test_environment::{TestEnvironment, write};

const LINES: &str = "1\n2\n3\n4\n5\n6\n7\n";

fn proposed(env: &TestEnvironment, shared: &[&str]) -> Result<ProposedWork, CheckoutError> {
    let shared: Vec<String> = shared.iter().map(|file| (*file).to_owned()).collect();
    proposed_work(&env.as_run(), &env.data(), &shared)
}

fn paths(work: &ProposedWork) -> Vec<&str> {
    work.files.iter().map(|file| file.path.as_str()).collect()
}

fn create(env: &TestEnvironment, work: &ProposedWork, name: &str) -> Result<(), CheckoutError> {
    create_proposal_branch(&env.as_run(), &env.data(), work, (name, "A title"))
}

fn state(env: &TestEnvironment, work: &ProposedWork, name: &str) -> BranchState {
    branch_state(&env.as_run(), &env.data(), work, name).expect("a valid name")
}

/// A repository in which a node changed one file and deleted another in its worktree.
fn isolated() -> TestEnvironment {
    let mut env = TestEnvironment::committed(1, &[("a.txt", LINES), ("gone.txt", "x\n")]);
    env.run(0, |tree| {
        write(tree, "a.txt", LINES.replace('1', "one"));
        fs::remove_file(tree.join("gone.txt")).expect("exists");
    });
    env
}

#[test]
fn branch_has_the_work_alone() {
    let mut env = TestEnvironment::committed(1, &[("a.txt", LINES), ("b.txt", "b\n")]);
    let head = env.git(&["rev-parse", "HEAD"]);
    env.write("a.txt", LINES.replace('7', "mine"));
    env.write("mine.txt", "mine\n");
    env.run(0, |tree| {
        write(
            tree,
            "a.txt",
            LINES.replace('7', "mine").replace('1', "one"),
        );
        write(tree, "deep/new.txt", "new\n");
    });
    let files = env.git(&["status", "--porcelain"]);
    let work = proposed(&env, &[]).expect("the work can be separated");
    assert_eq!(paths(&work), ["a.txt", "deep/new.txt"]);
    assert_eq!(work.nodes, [env.plan.nodes[0].id]);
    assert_eq!(env.git(&["branch", "--format=%(refname:short)"]), "main");

    assert_eq!(state(&env, &work, "mine/1"), BranchState::New);
    create(&env, &work, "mine/1").expect("a new branch");
    assert_eq!(
        env.git(&["show", "mine/1:a.txt"]),
        LINES.replace('1', "one").trim_end()
    );
    assert_eq!(env.git(&["rev-parse", "mine/1~1"]), head);
    assert_eq!(env.git(&["log", "-1", "--format=%s", "mine/1"]), "A title");
    assert_eq!(env.git(&["status", "--porcelain"]), files);
}

#[test]
fn deleted_and_shared_files_are_part_of_it() {
    let work = proposed(&isolated(), &[]).expect("no conflict");
    assert_eq!(paths(&work), ["a.txt", "gone.txt"]);

    let mut env = TestEnvironment::committed(1, &[("a.txt", "a\n"), ("gone.txt", "x\n")]);
    env.share(0);
    env.run(0, |tree: &Path| {
        write(tree, "a.txt", "changed\n");
        fs::remove_file(tree.join("gone.txt")).expect("exists");
    });
    env.write("mine.txt", "mine\n");
    let work = proposed(&env, &["a.txt", "./gone.txt", "../outside.txt"]).expect("a commit");
    assert_eq!(paths(&work), ["a.txt", "gone.txt"]);
    env.commit_all();
    let work = proposed(&env, &["a.txt", "gone.txt"]).expect("a commit");
    assert!(work.files.is_empty(), "the person committed all of it");
    let nothing = create(&env, &work, "empty").expect_err("nothing to propose");
    assert!(matches!(nothing, CheckoutError::NothingToPropose));
}

#[test]
fn work_that_cannot_be_separated_is_refused() {
    let mut env = TestEnvironment::committed(2, &[("both.txt", "one\n")]);
    env.run(0, |tree| write(tree, "both.txt", "zero\n"));
    env.run(1, |tree| write(tree, "both.txt", "other\n"));
    let clash = proposed(&env, &[]).expect_err("they conflict");
    assert!(
        matches!(&clash, CheckoutError::WorksClash { files, .. } if files == "both.txt"),
        "{clash}"
    );

    let mut env = TestEnvironment::committed(1, &[("a.txt", "committed\n")]);
    env.write("a.txt", "not committed\n");
    env.run(0, |tree| write(tree, "a.txt", "not committed, changed\n"));
    let needs = proposed(&env, &[]).expect_err("it builds on uncommitted lines");
    assert!(
        matches!(&needs, CheckoutError::NeedsUncommitted { files } if files == "a.txt"),
        "{needs}"
    );
}

#[test]
fn only_an_own_branch_that_is_not_checked_out_gets_newer_work() {
    let mut env = isolated();
    let work = proposed(&env, &[]).expect("no conflict");
    create(&env, &work, "mine").expect("a new branch");
    assert_eq!(state(&env, &work, "mine"), BranchState::Current);
    let tip = env.git(&["rev-parse", "mine"]);
    create(&env, &work, "mine").expect("nothing to do");
    assert_eq!(env.git(&["rev-parse", "mine"]), tip);

    env.write_in(0, "more.txt", "more\n");
    env.keep_last(0);
    let work = proposed(&env, &[]).expect("no conflict");
    assert_eq!(state(&env, &work, "mine"), BranchState::Outdated);
    env.git(&["checkout", "--quiet", "mine"]);
    let refused = create(&env, &work, "mine").expect_err("its files would be left behind");
    assert!(
        matches!(&refused, CheckoutError::BranchCheckedOut { place, .. } if *place == env.root()),
        "{refused}"
    );
    env.git(&["checkout", "--quiet", "main"]);
    create(&env, &work, "mine").expect("adds a commit");
    assert_eq!(env.git(&["rev-parse", "mine~1"]), tip);

    env.git(&["branch", "--force", "mine", "main"]);
    assert_eq!(state(&env, &work, "mine"), BranchState::Foreign);
    let refused = create(&env, &work, "mine").expect_err("somebody else's commit");
    assert!(matches!(refused, CheckoutError::BranchTaken { .. }));
    for name in ["-x", "@{-1}", "a..b", ""] {
        let refused = branch_state(&env.as_run(), &env.data(), &work, name);
        assert!(
            matches!(refused, Err(CheckoutError::BranchName { .. })),
            "{name}"
        );
    }
}

#[test]
fn push_adds_the_branch_and_overwrites_nothing() {
    let env = isolated();
    let run = env.as_run();
    let bare = env.data().parent().expect("a folder").join("bare.git");
    let bare = bare.display().to_string();
    env.git(&["init", "--quiet", "--bare", &bare]);
    env.git(&["remote", "add", "origin", &bare]);
    env.git(&["push", "--quiet", "origin", "main"]);
    env.git(&["commit", "--quiet", "--allow-empty", "-m", "not pushed"]);
    let found = remotes(&run, &env.data()).expect("git works");
    assert_eq!(
        (&found[0].name[..], &found[0].base[..], found.len()),
        ("origin", "main", 1)
    );

    let work = proposed(&env, &[]).expect("no conflict");
    let earlier = earlier_commits(&run, &env.data(), &work, ("origin", "main"));
    assert_eq!(earlier.expect("git works"), Some(Vec::new()));
    let unknown = earlier_commits(&run, &env.data(), &work, ("origin", "never"));
    assert_eq!(unknown.expect("git works"), None);

    create(&env, &work, "mine").expect("a new branch");
    push_branch(&run, &env.data(), "origin", "mine").expect("pushes");
    let remote_tip = |name: &str| env.git(&["ls-remote", &bare, name]);
    assert!(remote_tip("mine").starts_with(&env.git(&["rev-parse", "mine"])));

    env.git(&["push", "--quiet", "origin", "main:refs/heads/theirs"]);
    let before = remote_tip("theirs");
    create(&env, &work, "theirs").expect("a new branch here");
    let refused =
        push_branch(&run, &env.data(), "origin", "theirs").expect_err("not a fast-forward");
    assert!(
        matches!(&refused, CheckoutError::PushRefused { remote, .. } if remote == "origin"),
        "{refused}"
    );
    assert_eq!(remote_tip("theirs"), before);
}

#[test]
fn address_of_the_opened_pull_request_is_remembered() {
    let env = isolated();
    let run = env.as_run();
    let work = proposed(&env, &[]).expect("no conflict");
    assert_eq!(
        opened_pull_request(&run, &env.data()).expect("git works"),
        None
    );
    create(&env, &work, "mine").expect("a new branch");
    let opened = OpenedPullRequest {
        branch: "mine".to_owned(),
        url: "https://github.com/acme/app/pull/7".to_owned(),
    };
    remember_pull_request(&run, &env.data(), &opened).expect("git works");
    assert_eq!(
        opened_pull_request(&run, &env.data()).expect("git works"),
        Some(opened)
    );
}
