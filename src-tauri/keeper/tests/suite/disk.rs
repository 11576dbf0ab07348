//! A full disk. Mounts a file system of 1 MiB, so these tests have to run as root.

use std::path::{Path, PathBuf};

use baton_keeper::{Cause, Ending, Event, Exit, StallReason};
use nix::mount::{MntFlags, MsFlags, mount, umount2};
use tempfile::TempDir;

use crate::support::{DEADLINE, Session, connection, exit, launch, receive, script};

/// A file system of 1 MiB, unmounted on drop.
struct SmallDisk(TempDir);

impl SmallDisk {
    fn new() -> SmallDisk {
        Self::with("size=1m,mode=700")
    }

    fn with(options: &str) -> SmallDisk {
        let home = TempDir::new().unwrap();
        let mounted = mount(
            Some("none"),
            home.path(),
            Some("tmpfs"),
            MsFlags::empty(),
            Some(options),
        );
        mounted.expect("mounting a small disk needs root: run this test as root, or under `unshare --user --map-root-user --mount`");
        SmallDisk(home)
    }

    fn session(&self) -> PathBuf {
        let folder = self.path().join("session");
        std::fs::create_dir(&folder).unwrap();
        folder
    }

    fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = umount2(self.path(), MntFlags::MNT_DETACH);
    }
}

/// A session whose keeper waits this long for a full disk.
fn start(folder: &Path, launch: &baton_keeper::Launch, patience_ms: u32) -> Session {
    let variable = (baton_keeper::DISK_WAIT_VARIABLE, patience_ms.to_string());
    Session::start_with(folder, launch, variable)
}

fn trouble(session: &mut Session) {
    let detail = receive(&mut session.app, |event| match event {
        Event::Trouble {
            kind: StallReason::DiskFull,
            detail,
        } => Some(detail),
        _ => None,
    });
    assert!(detail.contains("No space left"), "{detail}");
}

#[test]
fn persistent_full_disk_ends_the_session() {
    let disk = SmallDisk::new();
    let folder = disk.session();
    let mut launch = launch(&[
        "python3",
        "-c",
        "import sys\nwhile 1: sys.stdout.write('x'*65536)",
    ]);
    launch.grace_ms = 500;
    let mut session = start(&folder, &launch, 600);
    trouble(&mut session);
    let exit = session.exit();
    assert_eq!(
        (exit.cause, &exit.ending),
        (Some(Cause::DiskFull), &Ending::Signaled { signal: 15 })
    );
    let stored = session.stdout();
    assert_eq!(stored.len() as u64, exit.stdout_bytes);
    assert!(
        stored.len() > 512 * 1024 && stored.iter().all(|byte| *byte == b'x'),
        "{} bytes",
        stored.len()
    );
}

#[test]
fn output_is_retained_while_the_disk_is_full() {
    let disk = SmallDisk::new();
    let folder = disk.session();
    std::fs::write(disk.path().join("ballast"), vec![0; 600 * 1024]).unwrap();
    let mut session = start(
        &folder,
        &script("head -c 700000 /dev/zero | tr '\\0' y; printf end"),
        30_000,
    );
    trouble(&mut session);

    let mut second = connection(baton_keeper::connect(&folder).unwrap());
    receive(&mut second, |event| {
        matches!(event, Event::Trouble { .. }).then_some(())
    });
    std::fs::remove_file(disk.path().join("ballast")).unwrap();

    let told = exit(&mut second);
    assert_eq!(
        (told.cause, told.ending, told.stdout_bytes),
        (None, Ending::Exited { code: 0 }, 700_003)
    );
    let mut expected = vec![b'y'; 700_000];
    expected.extend_from_slice(b"end");
    assert!(session.stdout() == expected, "every byte is there");
    session.exit();
}

#[test]
fn output_waits_when_no_file_can_be_created() {
    // Inodes for the root, the folder, launch.json, claim and the reserved exit record.
    let disk = SmallDisk::with("size=1m,mode=700,nr_inodes=5");
    let folder = disk.session();
    let mut session = start(&folder, &script("printf out"), 30_000);
    trouble(&mut session);
    assert!(!folder.join("stdout").exists());
    mount(
        None::<&str>,
        disk.path(),
        None::<&str>,
        MsFlags::MS_REMOUNT,
        Some("size=1m,nr_inodes=9"),
    )
    .unwrap();
    let exit = session.exit();
    assert_eq!(
        (exit.cause, exit.ending, exit.stdout_bytes),
        (None, Ending::Exited { code: 0 }, 3)
    );
    assert_eq!(session.stdout(), b"out");
}

#[test]
fn exit_waits_for_a_full_disk() {
    let disk = SmallDisk::new();
    let folder = disk.session();
    // The last bytes fit into the pipe, so the program has ended long before there is space for
    // them.
    let mut session = start(&folder, &script("head -c 1060000 /dev/zero"), 30_000);
    trouble(&mut session);
    std::thread::sleep(std::time::Duration::from_millis(500));
    assert_eq!(
        Exit::read(&folder).unwrap(),
        None,
        "longer than the linger time"
    );
    nix::mount::mount(
        None::<&str>,
        disk.path(),
        None::<&str>,
        MsFlags::MS_REMOUNT,
        Some("size=2m"),
    )
    .unwrap();
    let exit = session.exit();
    assert_eq!((exit.cause, exit.stdout_bytes), (None, 1_060_000));
}

#[test]
fn disk_full_at_start_leaves_folder_unclaimed() {
    let disk = SmallDisk::new();
    let folder = disk.session();
    let launch = launch(&["true"]);
    launch.write(&folder).unwrap();
    drop(std::fs::write(
        disk.path().join("ballast"),
        vec![0; 2 << 20],
    ));
    let (mut keeper, stream) = baton_keeper::spawn(crate::support::keeper(), &folder).unwrap();
    assert_eq!(keeper.wait().unwrap().code(), Some(4));
    assert_eq!(connection(stream).receive().unwrap(), None);
    assert_eq!(
        baton_keeper::liveness(&folder).unwrap(),
        baton_keeper::Liveness::NotStarted
    );

    std::fs::remove_file(disk.path().join("ballast")).unwrap();
    let (_keeper, stream) = baton_keeper::spawn(crate::support::keeper(), &folder).unwrap();
    let mut app = connection(stream);
    app.set_read_timeout(Some(DEADLINE)).unwrap();
    assert_eq!(exit(&mut app).ending, Ending::Exited { code: 0 });
}
