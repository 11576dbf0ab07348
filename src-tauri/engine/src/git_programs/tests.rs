//! Tests with the real git: which planted changes are detected, and what is restored.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use baton_model::evidence::{GitChange, GitFile, GitFileRole};
use tempfile::TempDir;

use super::record::Record;
use super::*;

/// A repository, and the folder of a session that works in it.
struct TestEnvironment {
    top: TempDir,
    session: TempDir,
}

impl TestEnvironment {
    fn new() -> Self {
        let env = Self {
            top: tempfile::tempdir().expect("temp dir"),
            session: tempfile::tempdir().expect("temp dir"),
        };
        fs::create_dir(env.repository()).expect("create folder");
        env.git(&["init", "--quiet", "--initial-branch=main"]);
        env.git(&["commit", "--quiet", "--allow-empty", "-m", "first"]);
        env
    }

    fn repository(&self) -> PathBuf {
        self.top.path().join("repository")
    }

    fn at(&self, path: &str) -> PathBuf {
        self.repository().join(path)
    }

    /// Runs git as the person or a session would.
    fn git(&self, arguments: &[&str]) -> String {
        git_in(&self.repository(), arguments)
    }

    /// A program that creates a file.
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
            fs::remove_file(trace).expect("exists");
        }
        ran
    }

    fn begins(&self) -> Record {
        Record::begin(self.session.path(), &self.repository()).expect("saved")
    }

    /// The changes by an attempt that does `work`.
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
            .map(|change| change.masked(str::to_owned))
            .collect()
    }

    /// How many changes were restored, and why others were not.
    fn restore(&self) -> (usize, Vec<NotRestored>) {
        let done = restore_git(self.session.path()).expect("changes to restore");
        (
            done.restored.len(),
            done.left.into_iter().map(|(_, why)| why).collect(),
        )
    }

    fn left_over(&self) -> Vec<String> {
        let names = fs::read_dir(self.session.path()).expect("exists");
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
    fs::write(path, text).expect("write file");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("set permissions");
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
fn planted_programs_are_detected_and_restored() {
    let env = TestEnvironment::new();
    let evil = env.evil();
    env.git(&["config", "core.pager", "less"]);
    env.git(&["config", "alias.st", "status --short"]);
    env.git(&["config", "--add", "credential.helper", ""]);
    env.git(&["config", "--add", "credential.helper", "mine"]);
    let before = env.git(&["config", "--local", "--list"]);
    let changes = env.attempt(|| {
        env.git(&["config", "core.fsmonitor", &evil]);
        env.git(&["config", "alias.st", &format!("!{evil} <")]);
        env.git(&["config", "--add", "credential.helper", "!evil"]);
        env.git(&["config", "--unset", "core.pager"]);
        env.git(&["config", "include.path", "../more"]);
        env.git(&["config", "branch.main.remote", "origin"]);
    });
    let config = env.at(".git/config");
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
    env.git(&["status"]);
    assert!(env.has_run(), "the person's git runs it");
    let mode = fs::metadata(&config).expect("exists").permissions().mode();
    assert_eq!(env.restore(), (5, Vec::new()));
    let mut after = env.git(&["config", "--local", "--list"]);
    assert!(
        after.contains("branch.main.remote=origin"),
        "harmless settings are kept"
    );
    after = after.replace("branch.main.remote=origin\n", "");
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&after), sorted(&before));
    assert_eq!(
        fs::metadata(&config).expect("exists").permissions().mode(),
        mode
    );
    env.git(&["status"]);
    env.git(&["st"]);
    assert!(!env.has_run(), "nothing that was planted runs");
    assert_eq!(
        env.restore(),
        (5, Vec::new()),
        "a second restore changes nothing"
    );
    assert_eq!(env.left_over(), ["git-changes.json"]);
}

#[test]
fn unchanged_settings_are_compared_without_running_git() {
    let env = TestEnvironment::new();
    let changes = env.attempt(|| {
        env.git(&["config", "branch.main.remote", "origin"]);
        env.git(&["config", "branch.main.merge", "refs/heads/main"]);
        env.git(&["remote", "add", "origin", "https://example.org/a.git"]);
        env.git(&["config", "filter.lfs.clean", "git-lfs clean -- %f"]);
        env.git(&["config", "filter.lfs.process", "git-lfs filter-process"]);
        env.git(&["config", "filter.lfs.required", "true"]);
        fs::create_dir_all(env.at(".git/info")).expect("create folder");
        fs::write(
            env.at(".git/info/attributes"),
            "*.psd filter=lfs diff=lfs merge=lfs -text\n",
        )
        .expect("write file");
        fs::write(env.at(".git/hooks/pre-push.sample"), "echo\n").expect("write file");
        env.git(&["commit", "--quiet", "--allow-empty", "-m", "work"]);
    });
    assert_eq!(changes, []);
    assert_eq!(env.left_over(), [] as [String; 0]);
    assert!(matches!(
        restore_git(env.session.path()),
        Err(GitRestoreError::Nothing)
    ));
}

#[test]
fn directory_outside_git_is_skipped_until_a_repository_appears() {
    let folder = tempfile::tempdir().expect("temp dir");
    let session = tempfile::tempdir().expect("temp dir");
    let record = Record::begin(session.path(), folder.path()).expect("nothing to save");
    assert_eq!(fs::read_dir(session.path()).expect("exists").count(), 0);
    git_in(folder.path(), &["init", "--quiet"]);
    git_in(folder.path(), &["config", "core.fsmonitor", "evil"]);
    let changes = record.compare(folder.path(), |changes| changes);
    assert_eq!(changes.len(), 1, "{changes:?}");
}

#[test]
fn planted_filters_and_attributes_are_restored() {
    let env = TestEnvironment::new();
    let evil = env.evil();
    fs::create_dir_all(env.at(".git/info")).expect("create folder");
    fs::write(env.at(".git/info/attributes"), "*.md text\n").expect("write file");
    fs::write(env.at("a.txt"), "a\n").expect("write file");
    let changes = env.attempt(|| {
        env.git(&["config", "filter.x.clean", &evil]);
        fs::write(
            env.at(".git/info/attributes"),
            "*.md text\n*.txt filter=x\n",
        )
        .expect("write file");
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
    env.git(&["add", "a.txt"]);
    assert!(env.has_run());
    assert_eq!(env.restore(), (2, Vec::new()));
    assert_eq!(
        fs::read_to_string(env.at(".git/info/attributes")).expect("exists"),
        "*.md text\n"
    );
    fs::write(env.at("a.txt"), "b\n").expect("write file");
    env.git(&["add", "a.txt"]);
    assert!(!env.has_run());
}

#[test]
fn replaced_repository_is_compared_by_path() {
    let env = TestEnvironment::new();
    let evil = env.evil();
    write_program(&env.at(".git/hooks/pre-commit"), "#!/bin/sh\nexit 0\n");
    let changes = env.attempt(|| {
        // As with read-only hooks in a sandbox: the mount moves with the folder.
        let moved = env.top.path().join("moved");
        fs::rename(env.repository(), &moved).expect("moved");
        let copied = Command::new("cp")
            .arg("-a")
            .args([&moved, &env.repository()])
            .status();
        assert!(copied.expect("run cp").success());
        write_program(
            &env.at(".git/hooks/post-commit"),
            &format!("#!/bin/sh\n{evil} < /dev/null\n"),
        );
        fs::remove_file(env.at(".git/hooks/pre-commit")).expect("exists");
    });
    assert_eq!(keys(&changes), ["post-commit", "pre-commit"]);
    env.git(&["commit", "--quiet", "--allow-empty", "-m", "person"]);
    assert!(env.has_run());
    assert_eq!(env.restore(), (2, Vec::new()));
    env.git(&["commit", "--quiet", "--allow-empty", "-m", "person"]);
    assert!(!env.has_run());
    assert_eq!(
        fs::read_to_string(env.at(".git/hooks/pre-commit")).expect("restored"),
        "#!/bin/sh\nexit 0\n"
    );
    let mode = fs::metadata(env.at(".git/hooks/pre-commit"))
        .expect("restored")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o755);
}

#[test]
fn hook_executable_bit_changes_are_detected() {
    let env = TestEnvironment::new();
    fs::write(env.at(".git/hooks/pre-commit"), "#!/bin/sh\n").expect("write file");
    let changes = env.attempt(|| write_program(&env.at(".git/hooks/pre-commit"), "#!/bin/sh\n"));
    assert_eq!(keys(&changes), ["pre-commit"]);
    assert_eq!(env.restore().0, 1);
    assert_eq!(
        fs::metadata(env.at(".git/hooks/pre-commit"))
            .expect("exists")
            .permissions()
            .mode()
            & 0o111,
        0
    );
}

#[test]
fn included_config_files_are_watched() {
    let env = TestEnvironment::new();
    fs::write(
        env.at("team.gitconfig"),
        "[user]\n\tname = T\n[includeIf \"onbranch:main\"]\n\tpath = deep.gitconfig\n",
    )
    .expect("write file");
    env.git(&["config", "include.path", "../team.gitconfig"]);
    let changes = env.attempt(|| {
        fs::write(env.at("deep.gitconfig"), "[core]\n\tfsmonitor = evil\n").expect("write file");
    });
    assert_eq!(
        changes,
        [setting(
            &env.at("deep.gitconfig"),
            "core.fsmonitor",
            &[],
            &["evil"]
        )]
    );
    assert_eq!(env.restore(), (1, Vec::new()));
    assert_eq!(
        fs::read_to_string(env.at("deep.gitconfig")).expect("exists"),
        ""
    );
}

#[test]
fn linked_work_trees_have_shared_and_own_config() {
    let env = TestEnvironment::new();
    env.git(&["config", "extensions.worktreeConfig", "true"]);
    env.git(&["worktree", "add", "--quiet", "../other"]);
    let other = env.top.path().join("other");
    let record = Record::begin(env.session.path(), &other).expect("saved");
    git_in(&other, &["config", "--worktree", "core.hooksPath", "hooks"]);
    git_in(&other, &["config", "alias.x", "!evil"]);
    env.git(&["config", "--worktree", "core.editor", "evil"]);
    let changes = env.shown_of(&record, &other);
    assert_eq!(keys(&changes), ["alias.x", "core.editor", "core.hookspath"]);
    assert_eq!(env.restore(), (3, Vec::new()));
}

#[test]
fn submodules_are_watched_from_both_sides() {
    let env = TestEnvironment::new();
    let library = env.top.path().join("library");
    fs::create_dir(&library).expect("create folder");
    git_in(&library, &["init", "--quiet"]);
    git_in(
        &library,
        &["commit", "--quiet", "--allow-empty", "-m", "first"],
    );
    env.git(&["submodule", "--quiet", "add", "../library", "libs/library"]);
    let inside = env.at("libs/library");
    let plant = || {
        git_in(&inside, &["config", "core.fsmonitor", "evil"]);
        write_program(
            &env.at(".git/modules/libs/library/hooks/pre-commit"),
            "#!/bin/sh\n",
        );
    };
    let changes = env.attempt(plant);
    assert_eq!(keys(&changes), ["core.fsmonitor", "pre-commit"]);
    assert_eq!(env.restore(), (2, Vec::new()));
    let record = Record::begin(env.session.path(), &inside).expect("saved");
    plant();
    env.git(&["config", "alias.x", "!evil"]);
    let changes = env.shown_of(&record, &inside);
    assert_eq!(
        keys(&changes),
        ["alias.x", "core.fsmonitor", "pre-commit"],
        "the repository around it counts too"
    );
}

#[test]
fn unreadable_config_and_links_are_restored_whole() {
    let env = TestEnvironment::new();
    let config = env.at(".git/config");
    let before = fs::read(&config).expect("exists");
    let elsewhere = env.top.path().join("elsewhere");
    fs::write(&elsewhere, "[core]\n\tfsmonitor = evil\n").expect("write file");
    let broken = || fs::write(&config, "[core").expect("write file");
    let link = || {
        fs::remove_file(&config).expect("exists");
        std::os::unix::fs::symlink(&elsewhere, &config).expect("create link");
    };
    let pipe = || {
        fs::remove_file(&config).expect("exists");
        nix::unistd::mkfifo(&config, nix::sys::stat::Mode::S_IRWXU).expect("create pipe");
    };
    for work in [&broken as &dyn Fn(), &link, &pipe] {
        let changes = env.attempt(work);
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
        assert_eq!(env.restore(), (1, Vec::new()));
        assert_eq!(fs::read(&config).expect("restored"), before);
        assert!(
            fs::read_to_string(&elsewhere)
                .expect("exists")
                .contains("evil"),
            "nothing was written through the link"
        );
        fs::remove_file(env.session.path().join("git-changes.json")).expect("exists");
    }
}

#[test]
fn later_changes_are_not_overwritten() {
    let env = TestEnvironment::new();
    env.attempt(|| {
        env.git(&["config", "core.fsmonitor", "evil"]);
        env.git(&["config", "alias.x", "!evil"]);
        write_program(&env.at(".git/hooks/pre-commit"), "#!/bin/sh\nevil\n");
    });
    env.git(&["config", "core.fsmonitor", "true"]);
    fs::write(env.at(".git/hooks/pre-commit"), "mine\n").expect("write file");
    assert_eq!(
        env.restore(),
        (
            1,
            vec![NotRestored::ChangedSince, NotRestored::ChangedSince]
        )
    );
    assert_eq!(env.git(&["config", "core.fsmonitor"]), "true\n");
    assert_eq!(
        fs::read_to_string(env.at(".git/hooks/pre-commit")).expect("exists"),
        "mine\n"
    );
    assert!(!env.git(&["config", "--list"]).contains("alias.x"));
}

#[test]
fn locked_file_is_not_restored() {
    let env = TestEnvironment::new();
    env.attempt(|| _ = env.git(&["config", "core.fsmonitor", "evil"]));
    fs::write(env.at(".git/config.lock"), "").expect("write file");
    assert_eq!(env.restore(), (0, vec![NotRestored::Locked]));
    assert!(env.at(".git/config.lock").exists(), "the lock is kept");
    fs::remove_file(env.at(".git/config.lock")).expect("exists");
    assert_eq!(env.restore(), (1, Vec::new()));
    assert!(!env.at(".git/config.lock").exists());
}

#[test]
fn hooks_behind_a_link_are_not_written() {
    let env = TestEnvironment::new();
    write_program(&env.at(".git/hooks/pre-commit"), "#!/bin/sh\n");
    let elsewhere = env.top.path().join("elsewhere");
    fs::create_dir(&elsewhere).expect("create folder");
    let changes = env.attempt(|| {
        fs::remove_dir_all(env.at(".git/hooks")).expect("exists");
        std::os::unix::fs::symlink(&elsewhere, env.at(".git/hooks")).expect("create link");
    });
    assert_eq!(keys(&changes), ["hooks", "pre-commit"]);
    assert_eq!(env.restore(), (2, Vec::new()));
    assert_eq!(fs::read_dir(&elsewhere).expect("exists").count(), 0);
    assert!(!env.at(".git/hooks").is_symlink() && env.at(".git/hooks/pre-commit").exists());
}

#[test]
fn comparison_works_across_processes() {
    let env = TestEnvironment::new();
    drop(env.begins());
    env.git(&["config", "core.fsmonitor", "evil"]);
    // A second keeper for the same session: the first one's program may have started.
    drop(env.begins());
    let adopted = Record::adopt(env.session.path());
    assert_eq!(keys(&env.shown(&adopted)), ["core.fsmonitor"]);
    let again = Record::adopt(env.session.path());
    assert_eq!(
        keys(&env.shown(&again)),
        ["core.fsmonitor"],
        "even if it died before reporting"
    );
}

#[test]
fn overlapping_attempts_both_report_changes() {
    let env = TestEnvironment::new();
    let beside = tempfile::tempdir().expect("temp dir");
    let (one, other) = (
        env.begins(),
        Record::begin(beside.path(), &env.repository()).expect("saved"),
    );
    env.git(&["config", "core.fsmonitor", "evil"]);
    assert_eq!((env.shown(&one).len(), env.shown(&other).len()), (1, 1));
}

#[test]
fn earlier_changes_are_carried_to_the_next_attempt() {
    let env = TestEnvironment::new();
    let first = env.attempt(|| {
        env.git(&["config", "core.fsmonitor", "evil"]);
        env.git(&["config", "alias.a", "!a"]);
        env.git(&["config", "alias.b", "!b"]);
    });
    assert_eq!(first.len(), 3);
    let earlier = || Record::changes(env.session.path());
    let next = tempfile::tempdir().expect("temp dir");
    let record = Record::begin(next.path(), &env.repository()).expect("saved");
    env.git(&["config", "alias.a", "!other"]);
    env.git(&["config", "--unset", "alias.b"]);
    let changes = record.compare(&env.repository(), |changes| {
        with_earlier(changes, earlier())
    });
    let shown: Vec<_> = changes
        .iter()
        .map(|change| change.masked(str::to_owned))
        .collect();
    let config = env.at(".git/config");
    let expected = [
        setting(&config, "alias.a", &[], &["!other"]),
        setting(&config, "core.fsmonitor", &[], &["evil"]),
    ];
    assert_eq!(
        shown, expected,
        "relative to the first attempt, without reverted changes"
    );
}
