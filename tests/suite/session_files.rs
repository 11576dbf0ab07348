//! Tests session files that were replaced by something else: nothing blocks on them or follows
//! them, and the node reports it.

use std::io::ErrorKind;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _, symlink};
use std::path::{Path, PathBuf};

use baton_api::wire::*;
use baton_model::outcome::Failure;
use baton_model::{NodeState, RunState};
use baton_tests::test_environment::{id, node, state};
use baton_tests::{Shell, TestEnvironment, processes};
use nix::sys::stat::{Mode, SFlag, mknod};
use nix::unistd::{Uid, mkfifo};

/// Every session file that is read after the session ended.
const FILES: [&str; 14] = [
    "launch.json",
    "claim",
    "stdout",
    "stderr",
    "clock",
    "stdin.jsonl",
    "context.md",
    "prompt.md",
    "prompt.txt",
    "output",
    "summary.md",
    "summary.json",
    "work.json",
    "files-touched.json",
];
/// The kinds of replacements.
const SORTS: [&str; 4] = ["fifo", "link", "directory", "device"];
/// Waits silently until the file `go` exists.
const LINE: &str =
    "touch began-$BATON_NODE_ID; while [ ! -e go ]; do sleep 0.02; done; echo out; echo err >&2";

/// Replaces `path` with this kind of file. Returns false if that requires root.
fn plant(sort: &str, path: &Path, secret: &Path) -> bool {
    loop {
        // Remove an existing file first.
        let _ = std::fs::remove_file(path);
        match make(sort, path, secret) {
            Ok(()) => return true,
            // The session wrote it again in between.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(_) if sort == "device" => return false,
            Err(error) => panic!("{sort}: {error}"),
        }
    }
}

fn make(sort: &str, path: &Path, secret: &Path) -> std::io::Result<()> {
    match sort {
        "fifo" => Ok(mkfifo(path, Mode::S_IRWXU)?),
        "link" => symlink(secret, path),
        "directory" => std::fs::create_dir(path),
        _ if !Uid::effective().is_root() => Err(ErrorKind::PermissionDenied.into()),
        _ => {
            // 1:5 is /dev/zero, which never ends.
            let zero = nix::sys::stat::makedev(1, 5);
            Ok(mknod(path, SFlag::S_IFCHR, Mode::S_IRWXU, zero)?)
        }
    }
}

/// Starts a run with one waiting node per kind. Returns their session folders, too.
fn waiting(env: &TestEnvironment) -> (RunView, Vec<PathBuf>) {
    let nodes: String = SORTS
        .iter()
        .map(|sort| format!("  - {{id: {sort}, kind: command, command: '{LINE}'}}\n"))
        .collect();
    let run = env.start(&format!(
        "baton: 1\ntitle: Files\nconcurrency: 4\nnodes:\n{nodes}"
    ));
    let began = |view: &RunView, sort: &str| {
        env.work_dir
            .path()
            .join(format!("began-{}", id(view, sort)))
            .exists()
    };
    let all_began = || SORTS.iter().all(|sort| began(&run, sort));
    processes::wait("all nodes have started", || {
        if all_began() {
            Ok(())
        } else {
            Err("not yet".to_owned())
        }
    });
    let view = env.wait_until(run.summary.id, |view| {
        SORTS.iter().all(|sort| node(view, sort).session.is_some())
    });
    let folder = |sort: &&str| {
        env.data().join("sessions").join(
            node(&view, sort)
                .session
                .expect("the folder exists")
                .to_string(),
        )
    };
    let folders = SORTS.iter().map(folder).collect();
    (view, folders)
}

#[test]
fn planted_session_files_fail_only_their_node() {
    let env = TestEnvironment::new();
    let secret = env.work_dir.path().join("secret");
    std::fs::write(&secret, "hidden words").expect("enough disk space");
    for name in FILES {
        let (view, folders) = waiting(&env);
        let planted: Vec<bool> = SORTS
            .iter()
            .zip(&folders)
            .map(|(sort, folder)| plant(sort, &folder.join(name), &secret))
            .collect();
        std::fs::write(env.work_dir.path().join("go"), "").expect("enough disk space");
        let view = env.finish(view.summary.id);
        for ((sort, planted), folder) in SORTS.iter().zip(planted).zip(&folders) {
            if !planted {
                println!("skipped: creating a device requires root");
                continue;
            }
            let NodeState::Failed {
                failure: Failure::SessionFiles { detail },
                ..
            } = state(&view, sort)
            else {
                panic!("{name} as a {sort}: {:?}", state(&view, sort))
            };
            assert!(
                detail.contains(&folder.join(name).display().to_string()),
                "{detail}"
            );
            // Later readers don't block either.
            let session = node(&view, sort).session.expect("the node has a session");
            let range = TimelineRange {
                session,
                from: 0,
                limit: 100,
                since: None,
                of_end: false,
            };
            let shown = match env.call::<TimelinePage>("session_timeline", range) {
                Ok(page) => serde_json::to_string(&page.entries).expect("JSON"),
                Err(error) => error.message,
            };
            assert!(
                !shown.contains("hidden words"),
                "{name} as a {sort}: {shown}"
            );
            let _: SessionView = env
                .call("session_get", SessionRef { session })
                .expect("the session can be shown");
        }
        assert_eq!(
            std::fs::read_to_string(&secret).expect("the file exists"),
            "hidden words",
            "{name}"
        );
        processes::wait_for_none(env.data());
        std::fs::remove_file(env.work_dir.path().join("go")).expect("the file exists");
    }
}

#[test]
fn exit_record_replaces_planted_files() {
    let env = TestEnvironment::new();
    let secret = env.work_dir.path().join("secret");
    std::fs::write(&secret, "hidden words").expect("enough disk space");
    for name in ["exit.json", "control.sock"] {
        let (view, folders) = waiting(&env);
        for (sort, folder) in SORTS.iter().zip(&folders) {
            plant(sort, &folder.join(name), &secret);
        }
        std::fs::write(env.work_dir.path().join("go"), "").expect("enough disk space");
        let view = env.finish(view.summary.id);
        for sort in SORTS {
            // A directory can't be replaced, so that there is no record.
            let is_lost = (name, sort) == ("exit.json", "directory");
            match state(&view, sort) {
                NodeState::Done { .. } if !is_lost => {}
                NodeState::Failed {
                    failure: Failure::SessionFiles { .. },
                    ..
                } if is_lost => {}
                state => panic!("{name} as a {sort}: {state:?}"),
            }
        }
        assert_eq!(
            std::fs::read_to_string(&secret).expect("the file exists"),
            "hidden words",
            "{name}"
        );
        processes::wait_for_none(env.data());
        std::fs::remove_file(env.work_dir.path().join("go")).expect("the file exists");
    }
}

#[test]
fn stop_works_despite_planted_session_files() {
    let env = TestEnvironment::new();
    let secret = env.work_dir.path().join("secret");
    std::fs::write(&secret, "hidden words").expect("enough disk space");
    for name in ["stdout", "output", "claim", "exit.json", "control.sock"] {
        let (view, folders) = waiting(&env);
        for (sort, folder) in SORTS.iter().zip(&folders) {
            plant(sort, &folder.join(name), &secret);
        }
        let _: RunSummary = env
            .call(
                "run_cancel",
                RunRef {
                    run: view.summary.id,
                },
            )
            .expect("the run is active");
        let view = env.finish(view.summary.id);
        assert_eq!(
            view.summary.state,
            RunState::Cancelled,
            "{name}: {:?}",
            view.summary
        );
        processes::wait_for_none(env.data());
    }
}

#[test]
fn restart_is_not_blocked_by_planted_files() {
    let env = TestEnvironment::new();
    let secret = env.work_dir.path().join("secret");
    std::fs::write(&secret, "hidden words").expect("enough disk space");
    for name in ["output", "claim", "exit.json", "control.sock"] {
        let shell = Shell::new(&env);
        let nodes: String = SORTS
            .iter()
            .map(|sort| format!("  - {{id: {sort}, kind: command, command: '{LINE}'}}\n"))
            .collect();
        let file = shell.plan_file(
            "plan.yaml",
            &format!("baton: 1\ntitle: {name}\nconcurrency: 4\nnodes:\n{nodes}"),
        );
        let baton = shell.start(&["run", &file, "--yes"]);
        let began = || {
            let place = std::fs::read_dir(env.work_dir.path())
                .expect("readable")
                .flatten();
            place
                .filter(|entry| entry.file_name().to_string_lossy().starts_with("began-"))
                .count()
        };
        processes::wait("all nodes have started", || {
            if began() == SORTS.len() {
                Ok(())
            } else {
                Err("not yet".to_owned())
            }
        });
        // The sockets are created a bit later.
        let sessions = || {
            std::fs::read_dir(env.data().join("sessions"))
                .expect("readable")
                .flatten()
        };
        let is_socket = |folder: &Path| {
            folder
                .join("control.sock")
                .symlink_metadata()
                .is_ok_and(|meta| meta.file_type().is_socket())
        };
        let running: Vec<PathBuf> = processes::wait("all keepers are listening", || {
            let found: Vec<_> = sessions()
                .map(|entry| entry.path())
                .filter(|folder| folder.extension().is_none() && is_socket(folder))
                .collect();
            if found.len() == SORTS.len() {
                Ok(found)
            } else {
                Err(format!("{}", found.len()))
            }
        });
        assert!(baton.kill(), "baton is still running");
        for (sort, folder) in SORTS.iter().zip(&running) {
            plant(sort, &folder.join(name), &secret);
        }
        std::fs::write(env.work_dir.path().join("go"), "").expect("enough disk space");
        let said = shell.run(&["resume", "--all"]);
        assert!(
            !said.out.contains("hidden words") && !said.err.contains("hidden words"),
            "{said:?}"
        );
        processes::wait_for_none(env.data());
        for entry in std::fs::read_dir(env.work_dir.path())
            .expect("readable")
            .flatten()
        {
            if entry.file_name() != "secret" {
                std::fs::remove_file(entry.path()).expect("the file can be removed");
            }
        }
        assert_eq!(
            std::fs::metadata(&secret).expect("the file exists").size(),
            12,
            "{name}"
        );
        // The next iteration must not find these folders.
        for folder in running {
            std::fs::rename(&folder, folder.with_extension("over"))
                .expect("the folder can be renamed");
        }
    }
}
