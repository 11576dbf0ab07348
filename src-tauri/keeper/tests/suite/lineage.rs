//! Descendants of a keeper are found, however they try to escape.

use std::path::Path;

use baton_keeper::{Lineage, lineage, own_lineage};

use crate::support::{Session, eventually, runs, script};

/// Ways in which a process tries to escape from its session; each prints the id of a process that
/// stays.
const ESCAPES: [&str; 5] = [
    "sleep 60 & echo escaped $!",
    "setsid sleep 60 & echo escaped $!",
    "nohup sleep 60 >/dev/null 2>&1 & echo escaped $!",
    "env -i PATH=\"$PATH\" sh -c 'exec sleep 60' & echo escaped $!",
    "setsid sh -c '(sleep 60 & echo escaped $!) & exit' &",
];

#[test]
fn no_process_leaves_its_session() {
    for escape in ESCAPES {
        let session = Session::start(&script(&format!("{escape}\nwait; sleep 60")));
        let pid: i32 = session.printed("escaped ").parse().unwrap();
        let sessions = session.folder.parent().unwrap();
        eventually("the process is below its keeper", || {
            (lineage(pid, sessions) == Lineage::Within(session.folder.clone())).then_some(())
        });
        assert!(runs(pid), "{escape}");
        assert_eq!(
            lineage(pid, Path::new("/nowhere")),
            Lineage::Outside,
            "a keeper of other data does not count"
        );
        assert_eq!(
            lineage(session.keeper.id() as i32, sessions),
            Lineage::Within(session.folder.clone())
        );
    }
}

#[test]
fn fake_keeper_stays_in_its_own_session() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("own");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(
        home.path().join("other"),
        "sleep 60 & echo escaped $!; wait",
    )
    .unwrap();
    let text = format!(
        "exec bash -c 'exec -a baton-keeper sh {}/other'",
        home.path().display()
    );
    let session = Session::start_in(&folder, &script(&text));
    let pid: i32 = session.printed("escaped ").parse().unwrap();
    assert_eq!(lineage(pid, home.path()), Lineage::Within(folder));
}

#[test]
fn symlinked_folder_is_the_same_folder() {
    let session = Session::start(&script("sleep 60 & echo escaped $!; wait"));
    let pid: i32 = session.printed("escaped ").parse().unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let link = elsewhere.path().join("link");
    std::os::unix::fs::symlink(session.folder.parent().unwrap(), &link).unwrap();
    assert_eq!(lineage(pid, &link), Lineage::Within(session.folder.clone()));
}

#[test]
fn ended_process_has_unknown_lineage() {
    let mut child = std::process::Command::new("true").spawn().unwrap();
    let pid = child.id() as i32;
    child.wait().unwrap();
    assert_eq!(lineage(pid, Path::new("/nowhere")), Lineage::Gone);
    assert_eq!(own_lineage(Path::new("/nowhere")), Lineage::Outside);
}
