//! Races between new folders and the watcher.

use std::collections::VecDeque;
use std::fs;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use super::*;
use crate::{Agent, discovery};

/// Much longer than any test takes, even on a busy machine.
const DEADLINE: Duration = Duration::from_secs(60);

fn agent(name: &str) -> Agent {
    Agent::from_name(name).expect("it is built in")
}

/// A watcher that creates a folder each time it is asked to watch.
#[derive(Default)]
struct Late {
    appear: VecDeque<PathBuf>,
    vanish: Option<PathBuf>,
    watched: Vec<(PathBuf, RecursiveMode)>,
}

impl Watcher for Late {
    fn new<F: EventHandler>(_: F, _: Config) -> notify::Result<Self> {
        Ok(Self::default())
    }

    fn watch(&mut self, path: &Path, mode: RecursiveMode) -> notify::Result<()> {
        if let Some(folder) = self.appear.pop_front() {
            fs::create_dir(folder)?;
        }
        if let Some(folder) = self.vanish.take() {
            fs::remove_dir_all(folder)?;
        }
        if !path.exists() {
            return Err(notify::Error::new(ErrorKind::PathNotFound));
        }
        self.watched.push((path.to_path_buf(), mode));
        Ok(())
    }

    fn unwatch(&mut self, path: &Path) -> notify::Result<()> {
        self.watched.retain(|(watched, _)| watched != path);
        Ok(())
    }

    fn kind() -> WatcherKind {
        WatcherKind::NullWatcher
    }
}

fn claude(root: &Path) -> HistoryLocations {
    HistoryLocations {
        roots: vec![(agent("claude"), root.to_path_buf())],
    }
}

#[test]
fn watches_folder_created_before_parent_watch() {
    let home = tempfile::tempdir().expect("a folder");
    let above = home.path().join(".claude");
    let root = above.join("projects");
    let appear = VecDeque::from([above.clone(), root.clone()]);
    let mut watch = RootWatcher {
        watcher: Late {
            appear,
            ..Late::default()
        },
        watched: BTreeMap::new(),
    };
    assert!(
        watch.watch_roots(&claude(&root)),
        "the root exists now, and no event reported it"
    );
    assert_eq!(
        watch.watcher.watched,
        [
            (home.path().to_path_buf(), RecursiveMode::NonRecursive),
            (above, RecursiveMode::NonRecursive),
            (root.clone(), RecursiveMode::Recursive)
        ]
    );
    assert!(!watch.watch_roots(&claude(&root)), "it is watched already");
}

#[test]
fn watches_parent_of_vanished_folder() {
    let home = tempfile::tempdir().expect("a folder");
    let root = home.path().join("projects");
    fs::create_dir(&root).expect("room");
    let mut watch = RootWatcher {
        watcher: Late {
            vanish: Some(root.clone()),
            ..Late::default()
        },
        watched: BTreeMap::new(),
    };
    assert!(!watch.watch_roots(&claude(&root)));
    assert_eq!(
        watch.watcher.watched,
        [(home.path().to_path_buf(), RecursiveMode::NonRecursive)]
    );
    fs::create_dir(&root).expect("room");
    assert!(watch.watch_roots(&claude(&root)), "it is there again");
}

#[test]
fn nested_root_is_watched_recursively() {
    let home = tempfile::tempdir().expect("a folder");
    let locations = HistoryLocations {
        roots: vec![
            (agent("pi"), home.path().join("later")),
            (agent("codex"), home.path().to_path_buf()),
        ],
    };
    let mut watch = RootWatcher {
        watcher: Late::default(),
        watched: BTreeMap::new(),
    };
    assert!(watch.watch_roots(&locations));
    assert_eq!(
        watch.watched.get(home.path()),
        Some(&RecursiveMode::Recursive)
    );
}

fn next_path(woken: &Receiver<Wake>) -> PathBuf {
    loop {
        if let Wake::Path(path) = woken.recv_timeout(DEADLINE).expect("the system reports it") {
            return path;
        }
    }
}

/// On Linux a new folder is reported before it is watched. Here the watcher waits between the two
/// until a file was written to the folder.
#[test]
fn sees_file_created_before_folder_is_watched() {
    let home = tempfile::tempdir().expect("a folder");
    let locations = claude(home.path());
    let (wake, woken) = channel();
    let (go, gone) = channel::<()>();
    let mut watch: RootWatcher = RootWatcher::with_handler(move |event: notify::Result<Event>| {
        let stands = event
            .as_ref()
            .is_ok_and(|event| event.kind.is_create() && event.paths[0].ends_with("-p"));
        forward_event(event, &wake);
        if stands {
            gone.recv_timeout(DEADLINE)
                .expect("the file is there by now");
        }
    })
    .expect("a watcher");
    assert!(watch.watch_roots(&locations));
    let folder = home.path().join("-p");
    fs::create_dir(&folder).expect("room");
    assert_eq!(next_path(&woken), folder);

    let (looked, has_looked) = channel::<()>();
    let file = folder.join("a.jsonl");
    let late = file.clone();
    let writer = std::thread::spawn(move || {
        // A scan before watching would be finished long before this; a scan after watching waits
        // for it.
        let _looked = has_looked.recv_timeout(Duration::from_millis(300));
        fs::write(late, "{}\n").expect("room");
        go.send(()).expect("the watcher waits");
    });
    watch.watch_new_folder(&locations, &folder);
    let seen = discovery::find_at(&locations, &folder).sources;
    drop(looked);
    writer.join().expect("it wrote");
    let is_reported = || {
        woken
            .recv_timeout(Duration::from_secs(1))
            .is_ok_and(|_| true)
    };
    assert!(
        seen.iter().any(|source| source.path == file) || is_reported(),
        "neither found nor reported"
    );
}

#[test]
fn recreated_root_is_watched_again() {
    let home = tempfile::tempdir().expect("a folder");
    let root = home.path().join("projects");
    let locations = claude(&root);
    fs::create_dir(&root).expect("room");
    let (wake, woken) = channel();
    let mut watch = RootWatcher::new(wake).expect("a watcher");
    assert!(watch.watch_roots(&locations));
    for rename in [false, true] {
        if rename {
            fs::rename(&root, home.path().join("elsewhere")).expect("room");
        } else {
            fs::remove_dir(&root).expect("it is empty");
        }
        let lost = loop {
            if let Wake::Removed(path) =
                woken.recv_timeout(DEADLINE).expect("the system reports it")
            {
                break path;
            }
        };
        assert_eq!(lost, root);
        fs::create_dir(&root).expect("room");
        watch.forget(&lost);
        assert!(watch.watch_roots(&locations), "it is another one");
        fs::write(root.join("a.jsonl"), "{}\n").expect("room");
        assert_eq!(next_path(&woken), root.join("a.jsonl"));
        fs::remove_file(root.join("a.jsonl")).expect("it is there");
        while woken.recv_timeout(Duration::from_millis(50)).is_ok() {}
    }
}
