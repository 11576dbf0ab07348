//! Repositories whose own configuration names programs. Baton never runs any of them.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use baton_model::SessionId;
use uuid::Uuid;

use super::super::{
    CheckoutError, MergeBackOutcome, MergeBackRequest, PreparedCheckout, leftovers, merge_back,
    preview_merge_back, undo_merge_back,
};
use super::test_environment::{TestEnvironment, write};
use crate::git_checkpoint::{CheckpointError, WorkTree};

/// A configuration in which every setting that can specify a program specifies the same one.
const HOSTILE: [(&str, &str); 27] = [
    ("core.fsmonitor", "PROGRAM"),
    ("core.hooksPath", "HOOKS"),
    ("core.sshCommand", "PROGRAM"),
    ("core.editor", "PROGRAM"),
    ("core.pager", "PROGRAM"),
    ("core.askPass", "PROGRAM"),
    ("core.gitProxy", "PROGRAM"),
    ("core.alternateRefsCommand", "PROGRAM"),
    ("credential.helper", "!PROGRAM"),
    ("diff.external", "PROGRAM"),
    ("diff.evil.command", "PROGRAM"),
    ("diff.evil.textconv", "PROGRAM"),
    ("merge.evil.driver", "PROGRAM"),
    ("merge.union.driver", "PROGRAM"),
    ("merge.default", "evil"),
    ("merge.renormalize", "true"),
    ("filter.evil.clean", "PROGRAM"),
    ("filter.evil.smudge", "PROGRAM"),
    ("filter.evil.process", "PROGRAM"),
    ("filter.evil.required", "true"),
    ("commit.gpgSign", "true"),
    ("gpg.program", "PROGRAM"),
    ("log.showSignature", "true"),
    ("alias.status", "!PROGRAM"),
    ("protocol.ext.allow", "always"),
    ("remote.origin.url", "ext::PROGRAM"),
    ("submodule.recurse", "true"),
];

/// A program that creates a file, and the path of that file.
fn program(folder: &Path) -> (PathBuf, PathBuf) {
    let (program, mark) = (folder.join("program"), folder.join("mark"));
    fs::write(
        &program,
        format!("#!/bin/sh\necho \"$0 $*\" >> '{}'\ncat\n", mark.display()),
    )
    .expect("write file");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("set permissions");
    (program, mark)
}

/// Git without Baton's precautions.
fn plain_git(folder: &Path, arguments: &[&str]) -> bool {
    let mut git = Command::new("git");
    git.args(["-c", "user.name=Me", "-c", "user.email=me@localhost"])
        .args(arguments)
        .current_dir(folder);
    git.output().expect("git is installed").status.success()
}

/// Configures the program in the repository at `root` in every possible way.
fn plant(root: &Path, program: &Path) {
    let hooks = program.with_file_name("hooks");
    fs::create_dir_all(&hooks).expect("create folder");
    for hook in [
        "post-checkout",
        "reference-transaction",
        "post-index-change",
        "pre-commit",
    ] {
        for folder in [&hooks, &root.join(".git/hooks")] {
            fs::create_dir_all(folder).expect("create folder");
            fs::copy(program, folder.join(hook)).expect("write file");
        }
    }
    for (key, value) in HOSTILE {
        let value = value.replace("PROGRAM", &program.display().to_string());
        let value = value.replace("HOOKS", &hooks.display().to_string());
        assert!(plain_git(root, &["config", key, &value]), "{key}");
    }
}

fn request(act: u128) -> MergeBackRequest {
    MergeBackRequest {
        act: SessionId(Uuid::from_u128(act)),
        nodes: None,
        branch: None,
        resolution: None,
    }
}

/// Two nodes that change the same file in different places, and one that needs both.
fn env(attributes: &str) -> TestEnvironment {
    let lines = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
    let mut env = TestEnvironment::committed(
        3,
        &[
            ("a.txt", lines),
            ("u.txt", lines),
            ("b.txt", "b\n"),
            (".gitattributes", attributes),
        ],
    );
    env.edge(0, 2);
    env.edge(1, 2);
    env
}

#[test]
fn no_repository_program_runs() {
    let mut env = env("a.txt merge=evil diff=evil\nu.txt merge=union\nb.txt diff=evil\n");
    let (program, mark) = program(env.data().parent().expect("has a parent"));
    plant(&env.root(), &program);
    assert!(plain_git(&env.root(), &["diff", "HEAD"]), "the control");
    env.write("b.txt", "changed\n");
    plain_git(&env.root(), &["diff", "HEAD"]);
    assert!(mark.exists(), "plain git does run it");
    fs::remove_file(&mark).expect("exists");

    let tree = WorkTree::of(&env.root(), &env.data())
        .expect("git works")
        .expect("a repository");
    tree.state().expect("git works");
    tree.snapshot("before").expect("snapshot succeeds");
    env.run(0, |tree| {
        write(tree, "a.txt", "one\n2\n3\n4\n5\n6\n7\n8\n9\n");
        write(tree, "u.txt", "zero\n2\n3\n4\n5\n6\n7\n8\n9\n");
    });
    env.run(1, |tree| {
        write(tree, "a.txt", "1\n2\n3\n4\n5\n6\n7\n8\nnine\n");
        write(tree, "u.txt", "eins\n2\n3\n4\n5\n6\n7\n8\n9\n");
    });
    env.run(2, |tree| write(tree, "c.txt", "new\n"));
    let merged = "one\n2\n3\n4\n5\n6\n7\n8\nnine\n";
    assert_eq!(
        env.read_in(2, "a.txt").as_deref(),
        Some(merged),
        "lines are merged as if there were no driver"
    );
    let both = env.read_in(2, "u.txt").expect("exists");
    assert!(
        both.contains("zero\n") && both.contains("eins\n"),
        "union merges still work: {both}"
    );

    preview_merge_back(&env.as_run(), &env.data(), None)
        .expect("git works")
        .expect("nodes are isolated");
    let outcome = merge_back(&env.as_run(), &env.data(), &request(1)).expect("no conflict");
    assert!(
        matches!(outcome, MergeBackOutcome::Directory(_)),
        "{outcome:?}"
    );
    assert_eq!(env.read("a.txt").as_deref(), Some(merged));
    undo_merge_back(&env.as_run(), &env.data(), &request(1).act.to_string())
        .expect("unchanged since");
    let branch = MergeBackRequest {
        branch: Some("home".to_owned()),
        ..request(2)
    };
    merge_back(&env.as_run(), &env.data(), &branch).expect("branch is free");
    leftovers(&env.data()).expect("listed");
    env.write("b.txt", "again\n");
    tree.diff("before").expect("git works");
    tree.restore("before", "undo").expect("git works");
    assert_eq!(env.read("b.txt").as_deref(), Some("changed\n"));
    tree.prune(|name| name != "undo").expect("git works");
    assert!(
        !mark.exists(),
        "{}",
        fs::read_to_string(&mark).unwrap_or_default()
    );
}

#[test]
fn custom_merge_driver_is_ignored() {
    let mut env = env("a.txt merge=evil\nb.bin merge=evil\n");
    let (program, mark) = program(env.data().parent().expect("has a parent"));
    plant(&env.root(), &program);
    env.run(0, |tree| {
        write(tree, "a.txt", "zero\n");
        write(tree, "b.bin", b"\0zero");
    });
    env.run(1, |tree| {
        write(tree, "a.txt", "one\n");
        write(tree, "b.bin", b"\0one");
    });
    let Ok(PreparedCheckout::Conflict(conflict)) = env.prepare_checkout(2) else {
        panic!("expected a conflict")
    };
    let files: Vec<_> = conflict
        .files
        .iter()
        .map(|file| file.path.as_str())
        .collect();
    assert_eq!(files, ["a.txt", "b.bin"]);
    let text = env.read_in(2, "a.txt").expect("exists");
    assert!(
        text.contains("<<<<<<<") && text.contains("zero\n=======\none\n"),
        "{text}"
    );
    assert!(!mark.exists());
}

#[test]
fn files_with_repository_filters_are_left_unchanged() {
    let mut env = env("secret.txt filter=evil\n");
    let (program, mark) = program(env.data().parent().expect("has a parent"));
    let tree = WorkTree::of(&env.root(), &env.data())
        .expect("git works")
        .expect("a repository");
    tree.snapshot("before").expect("no filter yet");
    plant(&env.root(), &program);
    env.write("b.txt", "changed\n");
    tree.snapshot("without").expect("filter has no files");
    env.write("secret.txt", "in the clear\n");

    let refused = |error: &CheckpointError| matches!(error, CheckpointError::Filter { filter, path } if filter == "evil" && path == "secret.txt");
    let error = tree.snapshot("after").expect_err("refused");
    assert!(refused(&error), "{error}");
    let error = tree.restore("before", "undo").expect_err("refused");
    assert!(refused(&error), "{error}");
    let error = env.prepare_checkout(0).expect_err("refused");
    assert!(
        matches!(&error, CheckoutError::Files(error) if refused(error)),
        "{error}"
    );
    tree.state().expect("reading the state is safe");
    assert_eq!(env.read("secret.txt").as_deref(), Some("in the clear\n"));
    assert_eq!(env.read("b.txt").as_deref(), Some("changed\n"));
    assert!(
        !mark.exists(),
        "{}",
        fs::read_to_string(&mark).unwrap_or_default()
    );
}

#[test]
fn filter_added_during_a_node_does_not_run() {
    let mut env = env("");
    env.run(0, |tree| write(tree, "a.txt", "done\n"));
    let (program, mark) = program(env.data().parent().expect("has a parent"));
    assert_eq!(
        env.prepare_checkout(1).expect("git works"),
        PreparedCheckout::Ready
    );
    plant(&env.root(), &program);
    env.write_in(1, ".gitattributes", "* filter=evil\n");
    env.write_in(1, "a.txt", "by an agent\n");
    let job = env.job(1, None);
    super::super::commit_work(&job, &env.plan.nodes[1].clone(), &env.data(), true)
        .expect_err("refused");
    assert_eq!(env.read_in(1, "a.txt").as_deref(), Some("by an agent\n"));
    assert!(
        !mark.exists(),
        "{}",
        fs::read_to_string(&mark).unwrap_or_default()
    );
}

#[test]
fn partial_clone_fetches_nothing() {
    let folder = tempfile::tempdir().expect("temp dir");
    let (origin, clone) = (folder.path().join("origin"), folder.path().join("clone"));
    fs::create_dir(&origin).expect("create folder");
    assert!(plain_git(&origin, &["init", "--quiet"]));
    for content in ["old\n", "new\n"] {
        write(&origin, "a.txt", content);
        assert!(
            plain_git(&origin, &["add", "."])
                && plain_git(&origin, &["commit", "--quiet", "-m", "work"])
        );
    }
    assert!(plain_git(
        &origin,
        &["config", "uploadpack.allowFilter", "true"]
    ));
    let (from, to) = (
        format!("file://{}", origin.display()),
        clone.display().to_string(),
    );
    assert!(plain_git(
        folder.path(),
        &["clone", "--quiet", "--filter=blob:none", &from, &to]
    ));
    let mark = folder.path().join("mark");
    let program = format!("touch '{}'; false", mark.display());
    assert!(plain_git(
        &clone,
        &["config", "remote.origin.uploadpack", &program]
    ));
    plain_git(&clone, &["cat-file", "-p", "HEAD~1:a.txt"]);
    assert!(mark.exists(), "plain git fetches missing objects");
    fs::remove_file(&mark).expect("exists");

    let tree = WorkTree::of(&clone, &folder.path().join("data"))
        .expect("git works")
        .expect("a repository");
    assert!(tree.is_partial_clone().expect("git works"));
    tree.snapshot("now").expect("all objects are present");
    tree.git()
        .run(&["update-ref", "refs/baton/then", "HEAD~1"])
        .expect("git works");
    tree.restore("then", "undo").expect_err("missing objects");
    assert_eq!(
        fs::read_to_string(clone.join("a.txt")).expect("exists"),
        "new\n"
    );
    assert!(
        !mark.exists(),
        "{}",
        fs::read_to_string(&mark).unwrap_or_default()
    );
}

#[test]
fn submodule_configuration_runs_nothing() {
    let env = TestEnvironment::committed(1, &[("a.txt", "a\n")]);
    let (program, mark) = program(env.data().parent().expect("has a parent"));
    let inner = env.root().join("inner");
    fs::create_dir(&inner).expect("create folder");
    write(&inner, "x.txt", "x\n");
    write(&inner, ".gitattributes", "* filter=evil\n");
    assert!(plain_git(&inner, &["init", "--quiet"]) && plain_git(&inner, &["add", "."]));
    assert!(plain_git(&inner, &["commit", "--quiet", "-m", "work"]));
    assert!(plain_git(&env.root(), &["add", "inner"]));
    plant(&inner, &program);
    write(&inner, "x.txt", "y\n");
    plain_git(&env.root(), &["status"]);
    assert!(mark.exists(), "plain git reads it");
    fs::remove_file(&mark).expect("exists");

    let tree = WorkTree::of(&env.root(), &env.data())
        .expect("git works")
        .expect("a repository");
    tree.state().expect("git works");
    tree.snapshot("now").expect("snapshot succeeds");
    tree.restore("now", "undo").expect("git works");
    assert!(
        !mark.exists(),
        "{}",
        fs::read_to_string(&mark).unwrap_or_default()
    );
}
