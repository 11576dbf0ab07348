//! Whether a keeper listens on the socket of a session folder.

use std::fs::File;
use std::os::fd::AsFd as _;
use std::os::unix::net::UnixStream;
use std::path::Path;

use crate::folder::SOCKET;
use crate::unix::platform;

/// Checks once, without waiting for a keeper that has only just started.
pub(crate) fn is_listening(folder: &Path) -> bool {
    let Ok(directory) = File::open(folder) else {
        return false;
    };
    UnixStream::connect(platform::path_in(directory.as_fd(), Path::new(SOCKET))).is_ok()
}
