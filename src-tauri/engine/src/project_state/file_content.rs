//! The digests of uncommitted files, with limits on what is read.

use std::fs;
use std::io::{self, Read as _};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Component, Path};
use std::time::Instant;

use baton_keeper::session_file;
use baton_model::approval::Digest;
use baton_model::project_state::FileContent;
use sha2::{Digest as _, Sha256};

/// How many bytes of one file are read. Of a larger one, the digest covers these and the length.
const MAX_BYTES: u64 = 4 * 1024 * 1024;
/// How many bytes are read of all files.
const MAX_BYTES_IN_ALL: u64 = 128 * 1024 * 1024;

/// Reads files until a moment, or until it has read much.
pub(super) struct FileReader<'a> {
    root: &'a Path,
    until: Instant,
    left: u64,
}

impl<'a> FileReader<'a> {
    pub(super) fn new(root: &'a Path, until: Instant) -> Self {
        Self {
            root,
            until,
            left: MAX_BYTES_IN_ALL,
        }
    }

    /// What is known of the content of the file with this path in the work tree.
    pub(super) fn read(&mut self, path: &str) -> FileContent {
        let is_inside = Path::new(path)
            .components()
            .all(|part| matches!(part, Component::Normal(_)));
        // A replaced character means that the real name isn't known.
        if !is_inside || path.contains('\u{fffd}') || self.left == 0 || Instant::now() > self.until
        {
            return FileContent::NotRead;
        }
        match self.digest(&self.root.join(path)) {
            Ok(Some((digest, read))) => {
                self.left = self.left.saturating_sub(read);
                FileContent::Digest(digest)
            }
            Ok(None) => FileContent::NotRead,
            Err(error) if is_missing(&error) => FileContent::Missing,
            Err(_) => FileContent::NotRead,
        }
    }

    /// The digest, and how many bytes it took; `None` for anything but a file or link.
    fn digest(&self, path: &Path) -> io::Result<Option<(Digest, u64)>> {
        let kind = fs::symlink_metadata(path)?.file_type();
        let mut hash = Sha256::new();
        if kind.is_symlink() {
            hash.update(b"link");
            hash.update(fs::read_link(path)?.as_os_str().as_bytes());
            return Ok(Some((Digest(hash.finalize().into()), 0)));
        }
        // A repository inside the work tree is listed as a folder.
        if !kind.is_file() {
            return Ok(None);
        }
        let file = session_file::open(path)?;
        hash.update(b"file");
        hash.update(file.metadata()?.len().to_be_bytes());
        let read = io::copy(&mut file.take(MAX_BYTES), &mut hash)?;
        Ok(Some((Digest(hash.finalize().into()), read)))
    }
}

fn is_missing(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}
