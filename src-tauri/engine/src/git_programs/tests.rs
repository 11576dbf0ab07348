//! With the real git: what is found after something was planted, and what Restore brings back.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use baton_model::evidence::{GitChange, GitFile, GitFileRole};
use tempfile::TempDir;

use super::record::Record;
use super::*;

/// A repository, and the folder of a session that works in it.
struct House {
    top: TempDir,
    session: TempDir,
}

impl House {
    fn new() -> Self {
        let house = Self {
            top: tempfile::tempdir().expect("a folder"),
            session: tempfile::tempdir().expect("a folder"),
        };
        fs::create_dir(house.repository()).expect("room");
        house.git(&["init", "--quiet", "--initial-branch=main"]);
        house.git(&["commit", "--quiet", "--allow-empty", "-m", "first"]);
        house
    }

    fn repository(&self) -> PathBuf {
        self.top.path().join("repository")
    }

    fn at(&self, path: &str) -> PathBuf {
        self.repository().join(path)
    }

    /// What the person's git, or a session's, does.
    fn git(&self, arguments: &[&str]) -> String {
        git_in(&self.repository(), arguments)
    }

    /// A program that leaves a file behind.
    fn evil(&self) -> String {
        let (program, trace) = (self.top.path().join("evil"), self.top.path().join("ran"));
        write_program(
            &program,
            &format!("#!/bin/sh\n: > {}\ncat\n", trace.display()),
        );
        program.display().to_string()
    }

    fn has_run(&self) -> bool {
        let trace = self.top.path().join("ran");
        let ran = trace.exists();
        if ran {
            fs::remove_file(trace).expect("it is there");
        }
        ran
    }

    fn begins(&self) -> Record {
        Record::begin(self.session.path(), &self.repository()).expect("it is kept")
    }

    /// What an attempt leaves that does `work`.
    fn attempt(&self, work: impl FnOnce()) -> Vec<GitChange> {
        let record = self.begins();
        work();
        self.shown(&record)
    }

    fn shown(&self, record: &Record) -> Vec<GitChange> {
        self.shown_of(record, &self.repository())
    }

    fn shown_of(&self, record: &Record, directory: &Path) -> Vec<GitChange> {
        let changes = record.compare(directory, |changes| changes);
        changes
            .iter()
            .map(|change| change.shown(str::to_owned))
            .collect()
    }

    /// How many changes were put back, and why others were not.
    fn restore(&self) -> (usize, Vec<LeftAsItIs>) {
        let done = restore_git(self.session.path()).expect("something to restore");
        (
            done.restored.len(),
            done.left.into_iter().map(|(_, why)| why).collect(),
        )
    }

    fn left_over(&self) -> Vec<String> {
        let names = fs::read_dir(self.session.path()).expect("it is there");
        let mut names: Vec<String> = names
            .map(|entry| {
                entry
                    .expect("an entry")
                    .file_name()
                    .to_string_lossy()
                    .into_owned()
            })
            .collect();
        names.sort();
        names
    }
}

fn git_in(folder: &Path, arguments: &[&str]) -> String {
    let output = Command::new("git")
        .args([
            "-c",
            "user.name=T",
            "-c",
            "user.email=t@example.org",
            "-c",
            "protocol.file.allow=always",
        ])
        .args(arguments)
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .expect("git is installed");
    assert!(
        output.status.success(),
        "git {arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).expect("text")
}

fn write_program(path: &Path, text: &str) {
    fs::write(path, text).expect("room");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("permission");
}

/// The key of each change, or the name of its file.
fn keys(changes: &[GitChange]) -> Vec<&str> {
    let names = changes.iter().map(|change| match change {
        GitChange::Setting { key, .. } => key.as_str(),
        GitChange::File { file, .. } => file.rsplit('/').next().expect("a name"),
    });
    names.collect()
}

fn setting(file: &Path, key: &str, before: &[&str], after: &[&str]) -> GitChange {
    let owned = |values: &[&str]| values.iter().map(|value| (*value).to_owned()).collect();
    GitChange::Setting {
        file: file.display().to_string(),
        key: key.to_owned(),
        before: owned(before),
        after: owned(after),
    }
}

#[test]
fn what_a_session_planted_is_found_and_restored_and_does_not_run_any_more() {
    let house = House::new();
    let evil = house.evil();
    house.git(&["config", "core.pager", "less"]);
    house.git(&["config", "alias.st", "status --short"]);
    house.git(&["config", "--add", "credential.helper", ""]);
    house.git(&["config", "--add", "credential.helper", "mine"]);
    let before = house.git(&["config", "--local", "--list"]);
    let changes = house.attempt(|| {
        house.git(&["config", "core.fsmonitor", &evil]);
        house.git(&["config", "alias.st", &format!("!{evil} <")]);
        house.git(&["config", "--add", "credential.helper", "!evil"]);
        house.git(&["config", "--unset", "core.pager"]);
        house.git(&["config", "include.path", "../more"]);
        house.git(&["config", "branch.main.remote", "origin"]);
    });
    let config = house.at(".git/config");
    assert_eq!(
        changes,
        [
            setting(
                &config,
                "alias.st",
                &["status --short"],
                &[&format!("!{evil} <")]
            ),
            setting(&config, "core.fsmonitor", &[], &[&evil]),
            setting(&config, "core.pager", &["less"], &[]),
            setting(
                &config,
                "credential.helper",
                &["", "mine"],
                &["", "mine", "!evil"]
            ),
            setting(&config, "include.path", &[], &["../more"]),
        ]
    );
    house.git(&["status"]);
    assert!(house.has_run(), "the person's git obeys it");
    let mode = fs::metadata(&config)
        .expect("it is there")
        .permissions()
        .mode();
    assert_eq!(house.restore(), (5, Vec::new()));
    let mut after = house.git(&["config", "--local", "--list"]);
    assert!(
        after.contains("branch.main.remote=origin"),
        "what runs nothing stays"
    );
    after = after.replace("branch.main.remote=origin\n", "");
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&after), sorted(&before));
    assert_eq!(
        fs::metadata(&config)
            .expect("it is there")
            .permissions()
            .mode(),
        mode
    );
    house.git(&["status"]);
    house.git(&["st"]);
    assert!(!house.has_run(), "nothing that was planted runs");
    assert_eq!(
        house.restore(),
        (5, Vec::new()),
        "once more changes nothing"
    );
    assert_eq!(house.left_over(), ["git-changes.json"]);
}

#[test]
fn honest_work_leaves_nothing_and_starts_no_git() {
    let house = House::new();
    let changes = house.attempt(|| {
        house.git(&["config", "branch.main.remote", "origin"]);
        house.git(&["config", "branch.main.merge", "refs/heads/main"]);
        house.git(&["remote", "add", "origin", "https://example.org/a.git"]);
        house.git(&["config", "filter.lfs.clean", "git-lfs clean -- %f"]);
        house.git(&["config", "filter.lfs.process", "git-lfs filter-process"]);
        house.git(&["config", "filter.lfs.required", "true"]);
        fs::create_dir_all(house.at(".git/info")).expect("room");
        fs::write(
            house.at(".git/info/attributes"),
            "*.psd filter=lfs diff=lfs merge=lfs -text\n",
        )
        .expect("room");
        fs::write(house.at(".git/hooks/pre-push.sample"), "echo\n").expect("room");
        house.git(&["commit", "--quiet", "--allow-empty", "-m", "work"]);
    });
    assert_eq!(changes, []);
    assert_eq!(house.left_over(), [] as [String; 0]);
    assert!(matches!(
        restore_git(house.session.path()),
        Err(GitRestoreError::Nothing)
    ));
}

#[test]
fn a_directory_outside_of_git_costs_nothing_until_a_repository_appears() {
    let folder = tempfile::tempdir().expect("a folder");
    let session = tempfile::tempdir().expect("a folder");
    let record = Record::begin(session.path(), folder.path()).expect("nothing to keep");
    assert_eq!(
        fs::read_dir(session.path()).expect("it is there").count(),
        0
    );
    git_in(folder.path(), &["init", "--quiet"]);
    git_in(folder.path(), &["config", "core.fsmonitor", "evil"]);
    let changes = record.compare(folder.path(), |changes| changes);
    assert_eq!(changes.len(), 1, "{changes:?}");
}

#[test]
fn filters_with_their_attributes_are_found_and_restored() {
    let house = House::new();
    let evil = house.evil();
    fs::create_dir_all(house.at(".git/info")).expect("room");
    fs::write(house.at(".git/info/attributes"), "*.md text\n").expect("room");
    fs::write(house.at("a.txt"), "a\n").expect("room");
    let changes = house.attempt(|| {
        house.git(&["config", "filter.x.clean", &evil]);
        fs::write(
            house.at(".git/info/attributes"),
            "*.md text\n*.txt filter=x\n",
        )
        .expect("room");
    });
    assert_eq!(keys(&changes), ["filter.x.clean", "attributes"]);
    let GitChange::File {
        role: GitFileRole::Attributes,
        before,
        after,
        ..
    } = &changes[1]
    else {
        panic!("{changes:?}")
    };
    assert!(
        matches!((before, after), (GitFile::File { .. }, GitFile::File { text, .. }) if text.contains("filter=x"))
    );
    house.git(&["add", "a.txt"]);
    assert!(house.has_run());
    assert_eq!(house.restore(), (2, Vec::new()));
    assert_eq!(
        fs::read_to_string(house.at(".git/info/attributes")).expect("it is there"),
        "*.md text\n"
    );
    fs::write(house.at("a.txt"), "b\n").expect("room");
    house.git(&["add", "a.txt"]);
    assert!(!house.has_run());
}

#[test]
fn a_repository_in_the_place_of_another_is_compared_at_its_path() {
    let house = House::new();
    let evil = house.evil();
    write_program(&house.at(".git/hooks/pre-commit"), "#!/bin/sh\nexit 0\n");
    let changes = house.attempt(|| {
        // As a session does whose hooks are mounted read-only: the mount stays with the folder that was moved.
        let moved = house.top.path().join("moved");
        fs::rename(house.repository(), &moved).expect("it is moved");
        let copied = Command::new("cp")
            .arg("-a")
            .args([&moved, &house.repository()])
            .status();
        assert!(copied.expect("cp").success());
        write_program(
            &house.at(".git/hooks/post-commit"),
            &format!("#!/bin/sh\n{evil} < /dev/null\n"),
        );
        fs::remove_file(house.at(".git/hooks/pre-commit")).expect("it is there");
    });
    assert_eq!(keys(&changes), ["post-commit", "pre-commit"]);
    house.git(&["commit", "--quiet", "--allow-empty", "-m", "person"]);
    assert!(house.has_run());
    assert_eq!(house.restore(), (2, Vec::new()));
    house.git(&["commit", "--quiet", "--allow-empty", "-m", "person"]);
    assert!(!house.has_run());
    assert_eq!(
        fs::read_to_string(house.at(".git/hooks/pre-commit")).expect("it is back"),
        "#!/bin/sh\nexit 0\n"
    );
    let mode = fs::metadata(house.at(".git/hooks/pre-commit"))
        .expect("it is back")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o755);
}

#[test]
fn hooks_that_lost_or_got_their_permission_to_run_differ() {
    let house = House::new();
    fs::write(house.at(".git/hooks/pre-commit"), "#!/bin/sh\n").expect("room");
    let changes =
        house.attempt(|| write_program(&house.at(".git/hooks/pre-commit"), "#!/bin/sh\n"));
    assert_eq!(keys(&changes), ["pre-commit"]);
    assert_eq!(house.restore().0, 1);
    assert_eq!(
        fs::metadata(house.at(".git/hooks/pre-commit"))
            .expect("it is there")
            .permissions()
            .mode()
            & 0o111,
        0
    );
}

#[test]
fn files_that_the_configuration_includes_are_looked_at() {
    let house = House::new();
    fs::write(
        house.at("team.gitconfig"),
        "[user]\n\tname = T\n[includeIf \"onbranch:main\"]\n\tpath = deep.gitconfig\n",
    )
    .expect("room");
    house.git(&["config", "include.path", "../team.gitconfig"]);
    let changes = house.attempt(|| {
        fs::write(house.at("deep.gitconfig"), "[core]\n\tfsmonitor = evil\n").expect("room");
    });
    assert_eq!(
        changes,
        [setting(
            &house.at("deep.gitconfig"),
            "core.fsmonitor",
            &[],
            &["evil"]
        )]
    );
    assert_eq!(house.restore(), (1, Vec::new()));
    assert_eq!(
        fs::read_to_string(house.at("deep.gitconfig")).expect("it is there"),
        ""
    );
}

#[test]
fn linked_work_trees_share_and_have_their_own() {
    let house = House::new();
    house.git(&["config", "extensions.worktreeConfig", "true"]);
    house.git(&["worktree", "add", "--quiet", "../other"]);
    let other = house.top.path().join("other");
    let record = Record::begin(house.session.path(), &other).expect("it is kept");
    git_in(&other, &["config", "--worktree", "core.hooksPath", "hooks"]);
    git_in(&other, &["config", "alias.x", "!evil"]);
    house.git(&["config", "--worktree", "core.editor", "evil"]);
    let changes = house.shown_of(&record, &other);
    assert_eq!(keys(&changes), ["alias.x", "core.editor", "core.hookspath"]);
    assert_eq!(house.restore(), (3, Vec::new()));
}

#[test]
fn submodules_are_looked_at_from_around_and_from_within() {
    let house = House::new();
    let library = house.top.path().join("library");
    fs::create_dir(&library).expect("room");
    git_in(&library, &["init", "--quiet"]);
    git_in(
        &library,
        &["commit", "--quiet", "--allow-empty", "-m", "first"],
    );
    house.git(&["submodule", "--quiet", "add", "../library", "libs/library"]);
    let inside = house.at("libs/library");
    let plant = || {
        git_in(&inside, &["config", "core.fsmonitor", "evil"]);
        write_program(
            &house.at(".git/modules/libs/library/hooks/pre-commit"),
            "#!/bin/sh\n",
        );
    };
    let changes = house.attempt(plant);
    assert_eq!(keys(&changes), ["core.fsmonitor", "pre-commit"]);
    assert_eq!(house.restore(), (2, Vec::new()));
    let record = Record::begin(house.session.path(), &inside).expect("it is kept");
    plant();
    house.git(&["config", "alias.x", "!evil"]);
    let changes = house.shown_of(&record, &inside);
    assert_eq!(
        keys(&changes),
        ["alias.x", "core.fsmonitor", "pre-commit"],
        "the repository around it counts too"
    );
}

#[test]
fn what_git_cannot_read_or_what_leads_elsewhere_is_found_and_restored_whole() {
    let house = House::new();
    let config = house.at(".git/config");
    let before = fs::read(&config).expect("it is there");
    let elsewhere = house.top.path().join("elsewhere");
    fs::write(&elsewhere, "[core]\n\tfsmonitor = evil\n").expect("room");
    let broken = || fs::write(&config, "[core").expect("room");
    let link = || {
        fs::remove_file(&config).expect("it is there");
        std::os::unix::fs::symlink(&elsewhere, &config).expect("a link");
    };
    let pipe = || {
        fs::remove_file(&config).expect("it is there");
        nix::unistd::mkfifo(&config, nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
    };
    for work in [&broken as &dyn Fn(), &link, &pipe] {
        let changes = house.attempt(work);
        assert!(
            matches!(
                &changes[..],
                [GitChange::File {
                    role: GitFileRole::Configuration,
                    ..
                }]
            ),
            "{changes:?}"
        );
        assert_eq!(house.restore(), (1, Vec::new()));
        assert_eq!(fs::read(&config).expect("it is back"), before);
        assert!(
            fs::read_to_string(&elsewhere)
                .expect("it is there")
                .contains("evil"),
            "nothing went through the link"
        );
        fs::remove_file(house.session.path().join("git-changes.json")).expect("it is there");
    }
}

#[test]
fn what_somebody_changed_since_is_left_alone() {
    let house = House::new();
    house.attempt(|| {
        house.git(&["config", "core.fsmonitor", "evil"]);
        house.git(&["config", "alias.x", "!evil"]);
        write_program(&house.at(".git/hooks/pre-commit"), "#!/bin/sh\nevil\n");
    });
    house.git(&["config", "core.fsmonitor", "true"]);
    fs::write(house.at(".git/hooks/pre-commit"), "mine\n").expect("room");
    assert_eq!(
        house.restore(),
        (1, vec![LeftAsItIs::ChangedSince, LeftAsItIs::ChangedSince])
    );
    assert_eq!(house.git(&["config", "core.fsmonitor"]), "true\n");
    assert_eq!(
        fs::read_to_string(house.at(".git/hooks/pre-commit")).expect("it is there"),
        "mine\n"
    );
    assert!(!house.git(&["config", "--list"]).contains("alias.x"));
}

#[test]
fn a_file_that_another_git_changes_is_left_alone() {
    let house = House::new();
    house.attempt(|| _ = house.git(&["config", "core.fsmonitor", "evil"]));
    fs::write(house.at(".git/config.lock"), "").expect("room");
    assert_eq!(house.restore(), (0, vec![LeftAsItIs::Locked]));
    assert!(house.at(".git/config.lock").exists(), "the lock is theirs");
    fs::remove_file(house.at(".git/config.lock")).expect("it is there");
    assert_eq!(house.restore(), (1, Vec::new()));
    assert!(!house.at(".git/config.lock").exists());
}

#[test]
fn hooks_behind_a_planted_link_are_not_written() {
    let house = House::new();
    write_program(&house.at(".git/hooks/pre-commit"), "#!/bin/sh\n");
    let elsewhere = house.top.path().join("elsewhere");
    fs::create_dir(&elsewhere).expect("room");
    let changes = house.attempt(|| {
        fs::remove_dir_all(house.at(".git/hooks")).expect("it is there");
        std::os::unix::fs::symlink(&elsewhere, house.at(".git/hooks")).expect("a link");
    });
    assert_eq!(keys(&changes), ["hooks", "pre-commit"]);
    assert_eq!(house.restore(), (2, Vec::new()));
    assert_eq!(fs::read_dir(&elsewhere).expect("it is there").count(), 0);
    assert!(!house.at(".git/hooks").is_symlink() && house.at(".git/hooks/pre-commit").exists());
}

#[test]
fn another_process_compares_with_what_the_first_one_kept() {
    let house = House::new();
    drop(house.begins());
    house.git(&["config", "core.fsmonitor", "evil"]);
    // A second keeper that is started for the same session: the first one's program may have begun.
    drop(house.begins());
    let adopted = Record::adopt(house.session.path());
    assert_eq!(keys(&house.shown(&adopted)), ["core.fsmonitor"]);
    let again = Record::adopt(house.session.path());
    assert_eq!(
        keys(&house.shown(&again)),
        ["core.fsmonitor"],
        "also when it died before it could report"
    );
}

#[test]
fn overlapping_attempts_both_tell() {
    let house = House::new();
    let beside = tempfile::tempdir().expect("a folder");
    let (one, other) = (
        house.begins(),
        Record::begin(beside.path(), &house.repository()).expect("it is kept"),
    );
    house.git(&["config", "core.fsmonitor", "evil"]);
    assert_eq!((house.shown(&one).len(), house.shown(&other).len()), (1, 1));
}

#[test]
fn what_an_earlier_attempt_left_counts_for_the_next_one_until_it_is_gone() {
    let house = House::new();
    let first = house.attempt(|| {
        house.git(&["config", "core.fsmonitor", "evil"]);
        house.git(&["config", "alias.a", "!a"]);
        house.git(&["config", "alias.b", "!b"]);
    });
    assert_eq!(first.len(), 3);
    let earlier = || Record::changes(house.session.path());
    let next = tempfile::tempdir().expect("a folder");
    let record = Record::begin(next.path(), &house.repository()).expect("it is kept");
    house.git(&["config", "alias.a", "!other"]);
    house.git(&["config", "--unset", "alias.b"]);
    let changes = record.compare(&house.repository(), |changes| {
        with_earlier(changes, earlier())
    });
    let shown: Vec<_> = changes
        .iter()
        .map(|change| change.shown(str::to_owned))
        .collect();
    let config = house.at(".git/config");
    let expected = [
        setting(&config, "alias.a", &[], &["!other"]),
        setting(&config, "core.fsmonitor", &[], &["evil"]),
    ];
    assert_eq!(
        shown, expected,
        "with what was there before the first one; what is gone is gone"
    );
}
