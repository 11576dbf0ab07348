//! Opens a file by its canonical path.
//!
//! A session's program may replace any part of the path by a link between the check of the path
//! and its opening. So each folder is opened from the one above it, and no link is followed.

use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Component, Path};

use nix::fcntl::{OFlag, open, openat};
use nix::sys::stat::Mode;

use crate::{PlanningError, RefusalReason};

/// Only passing through a folder must be allowed, not listing it.
#[cfg(target_os = "linux")]
const PASS: OFlag = OFlag::O_PATH;
#[cfg(not(target_os = "linux"))]
const PASS: OFlag = OFlag::O_RDONLY;

/// Opens a regular file for reading. Never blocks, also on a FIFO.
pub(super) fn open_canonical(path: &Path) -> Result<File, PlanningError> {
    let unreadable = |error: io::Error| {
        let reason = match error.kind() {
            io::ErrorKind::NotFound => RefusalReason::NotFound,
            _ => RefusalReason::Unavailable,
        };
        PlanningError::new(reason, format!("{} can't be read: {error}", path.display()))
            .with_fix("check that the file still exists and that you may read it")
    };
    // Opening a device may have effects, so it isn't opened only to be refused.
    require_regular_file(path, &path.symlink_metadata().map_err(unreadable)?)?;
    let file = open_without_links(path).map_err(unreadable)?;
    require_regular_file(path, &file.metadata().map_err(unreadable)?)?;
    Ok(file)
}

fn open_without_links(path: &Path) -> io::Result<File> {
    let mut names = path.components().filter_map(|part| match part {
        Component::Normal(name) => Some(name),
        _ => None,
    });
    let name = names
        .next_back()
        .ok_or_else(|| io::Error::from(io::ErrorKind::IsADirectory))?;
    let folder_flags = PASS | OFlag::O_DIRECTORY | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
    let mut folder: OwnedFd = open("/", folder_flags, Mode::empty())?;
    for name in names {
        folder = openat(&folder, name, folder_flags, Mode::empty())?;
    }
    let file_flags = OFlag::O_RDONLY | OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK | OFlag::O_CLOEXEC;
    Ok(File::from(openat(
        &folder,
        name,
        file_flags,
        Mode::empty(),
    )?))
}

fn require_regular_file(path: &Path, found: &std::fs::Metadata) -> Result<(), PlanningError> {
    if found.is_file() {
        return Ok(());
    }
    let path = path.display();
    let (message, fix) = if found.is_dir() {
        (format!("{path} is a folder"), "choose a file in it")
    } else {
        let message = format!("{path} isn't a regular file, so it isn't opened");
        (message, "choose another file")
    };
    Err(PlanningError::new(RefusalReason::Refused, message).with_fix(fix))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Read as _;
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;

    use super::*;

    #[test]
    fn only_regular_files_are_opened() {
        let folder = tempfile::tempdir().expect("temp dir");
        let top = folder.path().canonicalize().expect("a path");
        fs::create_dir(top.join("inner")).expect("create folder");
        fs::write(top.join("inner/file"), "text").expect("write file");
        symlink(top.join("inner/file"), top.join("link")).expect("link");
        symlink(top.join("inner"), top.join("folder")).expect("link");
        nix::unistd::mkfifo(&top.join("fifo"), Mode::S_IRWXU).expect("FIFO");
        let _socket = UnixListener::bind(top.join("socket")).expect("socket");
        let mut text = String::new();
        let mut file = open_canonical(&top.join("inner/file")).expect("a file");
        file.read_to_string(&mut text).expect("readable");
        assert_eq!(text, "text");
        for name in ["link", "folder/file", "fifo", "socket", "inner", "none", ""] {
            assert!(open_canonical(&top.join(name)).is_err(), "{name}");
        }
        assert!(open_canonical(Path::new("/dev/zero")).is_err());
        assert!(open_canonical(Path::new("/")).is_err());
    }

    #[test]
    fn replaced_path_is_not_followed() {
        let folder = tempfile::tempdir().expect("temp dir");
        let top = folder.path().canonicalize().expect("a path");
        fs::create_dir(top.join("real")).expect("create folder");
        fs::write(top.join("real/file"), "text").expect("write file");
        symlink("real", top.join("swapped")).expect("link");
        symlink("real/file", top.join("file")).expect("link");
        nix::unistd::mkfifo(&top.join("fifo"), Mode::S_IRWXU).expect("FIFO");
        // Without the check before it, as if the path was replaced just after it.
        assert!(open_without_links(&top.join("swapped/file")).is_err());
        assert!(open_without_links(&top.join("file")).is_err());
        assert!(
            open_without_links(&top.join("fifo")).is_ok(),
            "doesn't block"
        );
        assert!(open_without_links(&top.join("real/file")).is_ok());
    }
}
