//! inotify watches on the directories of one tree.
//!
//! The queue is read directly and not by a separate thread: after a process has ended, a read
//! returns every event of that process, without waiting and without a fence. Reads of files cause
//! no events.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use nix::errno::Errno;
use nix::sys::inotify::{AddWatchFlags, InitFlags, Inotify, WatchDescriptor};

/// The maximum number of watches a user may have, shared by all their programs.
const LIMIT_FILE: &str = "/proc/sys/fs/inotify/max_user_watches";

/// Why a directory cannot be watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WatchError {
    /// There are no watches left.
    Limit,
    /// It is gone, or unreadable: a scan cannot read it either.
    Gone,
    /// The same directory is watched under another path, so events would not show which path they
    /// mean.
    Ambiguous,
}

/// An event below the root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TreeEvent {
    /// Metadata of the file changed, but not its content.
    Attributes(String),
    /// The file was written, created, removed or renamed.
    Written(String),
    /// The directory was created, or renamed to this path.
    Arrived(String),
    /// The directory was removed or renamed.
    Left(String),
    /// The kernel dropped events because its queue was full.
    Lost,
}

/// The watches of one tree.
#[derive(Debug)]
pub(crate) struct TreeWatch {
    inotify: Inotify,
    root: PathBuf,
    /// The maximum number of watches to use, so that the person's other programs still get some.
    limit: usize,
    paths: HashMap<WatchDescriptor, String>,
    watches: BTreeMap<String, WatchDescriptor>,
}

impl TreeWatch {
    /// Watches nothing yet. Fails if the kernel provides no inotify instance.
    pub(crate) fn new(root: &Path) -> io::Result<Self> {
        let inotify = Inotify::init(InitFlags::IN_NONBLOCK | InitFlags::IN_CLOEXEC)?;
        let all = fs::read_to_string(LIMIT_FILE)
            .ok()
            .and_then(|text| text.trim().parse::<usize>().ok());
        let limit = all.unwrap_or(8192) / 2;
        Ok(Self {
            inotify,
            root: root.to_path_buf(),
            limit,
            paths: HashMap::new(),
            watches: BTreeMap::new(),
        })
    }

    /// Becomes readable when there are events.
    pub(crate) fn descriptor(&self) -> BorrowedFd<'_> {
        self.inotify.as_fd()
    }

    #[cfg(test)]
    pub(crate) fn set_limit(&mut self, limit: usize) {
        self.limit = limit;
    }

    /// Watches the directory at `path` below the root. List it afterwards: entries created in
    /// between are in both.
    pub(crate) fn add(&mut self, path: &str) -> Result<(), WatchError> {
        if self.watches.len() >= self.limit && !self.watches.contains_key(path) {
            return Err(WatchError::Limit);
        }
        let full = self.root.join(path);
        let watch = self
            .inotify
            .add_watch(&full, mask())
            .map_err(|error| match error {
                Errno::ENOSPC | Errno::ENOMEM => WatchError::Limit,
                _ => WatchError::Gone,
            })?;
        if let Some(other) = self.paths.get(&watch).filter(|other| *other != path) {
            if is_same(&self.root.join(other), &full) {
                return Err(WatchError::Ambiguous);
            }
            self.watches.remove(other);
        }
        self.paths.insert(watch, path.to_owned());
        self.watches.insert(path.to_owned(), watch);
        Ok(())
    }

    /// Removes the watches at and below `path`.
    pub(crate) fn forget(&mut self, path: &str) {
        let below = format!("{path}/");
        let mut gone: Vec<String> = self
            .watches
            .range(below.clone()..)
            .map(|(path, _)| path)
            .take_while(|path| path.starts_with(&below))
            .cloned()
            .collect();
        gone.push(path.to_owned());
        for path in gone {
            if let Some(watch) = self.watches.remove(&path) {
                self.paths.remove(&watch);
                // The kernel has removed it already if the directory is gone.
                let _ = self.inotify.rm_watch(watch);
            }
        }
    }

    /// The kernel has removed a watch. Its path may belong to another directory by now.
    fn dropped(&mut self, watch: WatchDescriptor) {
        if let Some(path) = self.paths.remove(&watch)
            && self.watches.get(&path) == Some(&watch)
        {
            self.watches.remove(&path);
        }
    }

    /// The next events in order; empty if there are none at the moment. The directory in `Arrived`
    /// is not watched yet.
    pub(crate) fn read(&mut self) -> Vec<TreeEvent> {
        let events = match self.inotify.read_events() {
            Ok(events) => events,
            Err(Errno::EAGAIN | Errno::EINTR) => return Vec::new(),
            Err(_) => return vec![TreeEvent::Lost],
        };
        let mut tree_events = Vec::with_capacity(events.len());
        for event in events {
            if event
                .mask
                .intersects(AddWatchFlags::IN_Q_OVERFLOW | AddWatchFlags::IN_UNMOUNT)
            {
                tree_events.push(TreeEvent::Lost);
                continue;
            }
            if event.mask.contains(AddWatchFlags::IN_IGNORED) {
                self.dropped(event.wd);
                continue;
            }
            // Events of a directory that left the tree meanwhile are dropped.
            let (Some(folder), Some(name)) = (self.paths.get(&event.wd), event.name) else {
                continue;
            };
            tree_events.push(named(join(folder, &name.to_string_lossy()), event.mask));
        }
        tree_events
    }
}

fn named(path: String, mask: AddWatchFlags) -> TreeEvent {
    if mask.contains(AddWatchFlags::IN_ISDIR) {
        return match mask {
            _ if mask.intersects(AddWatchFlags::IN_CREATE | AddWatchFlags::IN_MOVED_TO) => {
                TreeEvent::Arrived(path)
            }
            _ if mask.intersects(AddWatchFlags::IN_DELETE | AddWatchFlags::IN_MOVED_FROM) => {
                TreeEvent::Left(path)
            }
            _ => TreeEvent::Attributes(path),
        };
    }
    match mask.contains(AddWatchFlags::IN_ATTRIB) {
        true => TreeEvent::Attributes(path),
        false => TreeEvent::Written(path),
    }
}

/// A write through a memory mapping causes no event; only unmapping does, as a close.
fn mask() -> AddWatchFlags {
    AddWatchFlags::IN_CREATE
        | AddWatchFlags::IN_DELETE
        | AddWatchFlags::IN_MOVED_FROM
        | AddWatchFlags::IN_MOVED_TO
        | AddWatchFlags::IN_MODIFY
        | AddWatchFlags::IN_CLOSE_WRITE
        | AddWatchFlags::IN_ATTRIB
        | AddWatchFlags::IN_ONLYDIR
        | AddWatchFlags::IN_DONT_FOLLOW
}

/// The path of `name` in `folder`, both below the root.
pub(crate) fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() {
        name.to_owned()
    } else {
        format!("{folder}/{name}")
    }
}

fn is_same(one: &Path, other: &Path) -> bool {
    let identity = |path| {
        fs::symlink_metadata(path)
            .ok()
            .map(|meta| (meta.dev(), meta.ino()))
    };
    identity(one).is_some_and(|one| Some(one) == identity(other))
}
