//! Tests that Baton's data is private to its user, and that files made for the person respect the
//! umask.

use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use baton_tests::TestEnvironment;
use baton_tests::test_environment::program;
use nix::unistd::Uid;
use tempfile::TempDir;

const NOBODY: &str = "65534";

/// Returns a command that runs as another user, or `None` without root or `setpriv`.
fn as_nobody(words: &[&str]) -> Option<Command> {
    if !Uid::effective().is_root() {
        println!("skipped: only root can become another user");
        return None;
    }
    let mut command = Command::new("setpriv");
    command
        .args(["--reuid", NOBODY, "--regid", NOBODY, "--clear-groups"])
        .args(words);
    let works = Command::new("setpriv")
        .args(["--reuid", NOBODY, "true"])
        .status()
        .is_ok_and(|status| status.success());
    if !works {
        println!("skipped: setpriv cannot become another user here");
    }
    works.then_some(command)
}

fn mode(path: &Path) -> u32 {
    path.symlink_metadata().expect("the file exists").mode() & 0o777
}

fn with_mode(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("the mode is set");
}

/// Returns everything below `folder` except for the worktrees, which belong to the person.
fn all_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("readable").flatten() {
        let path = entry.path();
        found.push(path.clone());
        if entry.file_type().expect("known").is_dir() && !path.ends_with("worktrees") {
            found.extend(all_below(&path));
        }
    }
    found
}

fn with_umask(mask: &str, place: &Path, data: &Path, words: &str) -> Output {
    let line = format!(
        "umask {mask}; exec '{}' {words} --data-dir '{}'",
        program("baton").display(),
        data.display()
    );
    Command::new("sh")
        .args(["-c", &line])
        .current_dir(place)
        .env_remove("SHELL")
        .output()
        .expect("a shell")
}

#[test]
fn data_is_private_and_user_files_keep_the_umask() {
    let (place, elsewhere) = (
        TempDir::new().expect("enough disk space"),
        TempDir::new().expect("enough disk space"),
    );
    let data = elsewhere.path().join("data");
    let git = |words: &[&str]| {
        let done = Command::new("git")
            .args(words)
            .current_dir(place.path())
            .output()
            .expect("git is installed");
        assert!(
            done.status.success(),
            "{}",
            String::from_utf8_lossy(&done.stderr)
        );
    };
    std::fs::write(place.path().join(".gitignore"), "plan.yaml\n").expect("enough disk space");
    git(&["init", "--quiet"]);
    git(&["add", ".gitignore"]);
    git(&[
        "-c",
        "user.name=A",
        "-c",
        "user.email=a@b",
        "commit",
        "--quiet",
        "-m",
        "first",
    ]);
    let plan = "baton: 1\ntitle: Modes\ncwd: .\nisolation: worktree\nnodes:\n  - {id: make, kind: command, \
                command: 'umask > mask; mkdir folder; echo a > folder/file; echo x=1 >> $BATON_OUTPUT; ls -ld ..'}\n  \
                - {id: write, kind: tool_call, toolName: write, toolArgs: {path: tool/file, content: a}}\n";
    std::fs::write(place.path().join("plan.yaml"), plan).expect("enough disk space");

    let ran = with_umask("022", place.path(), &data, "run plan.yaml --yes");
    assert!(
        ran.status.success(),
        "{}",
        String::from_utf8_lossy(&ran.stderr)
    );
    assert_eq!(mode(&data), 0o700);
    for path in all_below(&data) {
        // The program itself creates this one, where no one else has access.
        let is_theirs = path.ends_with("output");
        assert!(is_theirs || mode(&path) & 0o077 == 0, "{}", path.display());
    }
    let home = with_umask("022", place.path(), &data, "worktrees merge-back Modes");
    assert!(
        home.status.success(),
        "{}",
        String::from_utf8_lossy(&home.stderr)
    );

    let at = |name: &str| place.path().join(name);
    assert_eq!(
        std::fs::read_to_string(at("mask"))
            .expect("the file was merged back")
            .trim(),
        "0022"
    );
    assert_eq!(
        (mode(&at("folder")), mode(&at("folder/file"))),
        (0o755, 0o644),
        "the mode is the same as with the person's git"
    );
    assert_eq!((mode(&at("tool")), mode(&at("tool/file"))), (0o755, 0o644));
    for path in all_below(&at(".git/objects")) {
        assert_ne!(
            mode(&path) & 0o044,
            0,
            "{} has the mode of the repository's files",
            path.display()
        );
    }
    let export = with_umask(
        "022",
        place.path(),
        &data,
        "plan export Modes --output copy.yaml",
    );
    assert!(
        export.status.success(),
        "{}",
        String::from_utf8_lossy(&export.stderr)
    );
    assert_eq!(
        mode(&at("copy.yaml")),
        0o644,
        "a file that the person asked for"
    );
}

#[test]
fn formerly_open_data_directory_becomes_private() {
    let env = TestEnvironment::new();
    let data = env.data().to_owned();
    with_mode(&data, 0o755);
    with_mode(&data.join("baton.db"), 0o644);
    let reads = |words: &[&str]| {
        as_nobody(words).map(|mut command| {
            command
                .output()
                .expect("the command starts")
                .status
                .success()
        })
    };
    let database = data.join("baton.db").display().to_string();
    let Some(could) = reads(&["cat", &database]) else {
        return;
    };
    assert!(could, "the other user could read it before");
    let opened = env.second_process(baton_api::Role::Cli);
    assert_eq!(reads(&["cat", &database]), Some(false));
    assert_eq!(reads(&["ls", &data.display().to_string()]), Some(false));
    drop(opened);
}

#[test]
fn data_directory_of_another_user_works_with_a_warning() {
    let place = TempDir::new().expect("enough disk space");
    with_mode(place.path(), 0o755);
    let data = place.path().join("data");
    std::fs::create_dir(&data).expect("enough disk space");
    with_mode(&data, 0o777);
    let (baton, folder) = (
        program("baton").display().to_string(),
        data.display().to_string(),
    );
    let Some(mut doctor) = as_nobody(&[&baton, "doctor", "--data-dir", &folder]) else {
        return;
    };
    let said = doctor
        .current_dir("/")
        .env_remove("SHELL")
        .env("HOME", &data)
        .output()
        .expect("baton starts");
    let text = String::from_utf8_lossy(&said.stdout);
    assert!(
        text.contains("other users of this machine can access"),
        "{text}{}",
        String::from_utf8_lossy(&said.stderr)
    );
    assert_eq!(
        mode(&data),
        0o777,
        "the mode of the other user's directory is unchanged"
    );
    assert_eq!(
        mode(&data.join("baton.db")) & 0o077,
        0,
        "new files are private"
    );
}
