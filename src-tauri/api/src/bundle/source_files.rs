//! The files of a data directory that a bundle contains.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use super::archive_writer::ArchiveWriter;
use super::entry_path::{DOCUMENTS, SESSIONS, is_allowed};
use super::error::{BundleError, at};

/// Adds the documents of the data directory and the files of all sessions.
pub(super) fn add_all(archive: &mut ArchiveWriter<'_>, data: &Path) -> Result<(), BundleError> {
    for document in DOCUMENTS {
        add(archive, &data.join(document), document)?;
    }
    add_folder(archive, &data.join(SESSIONS), SESSIONS)
}

/// Adds a file. What is no regular file, or is gone by now, has no place in a bundle.
pub(super) fn add(
    archive: &mut ArchiveWriter<'_>,
    file: &Path,
    name: &str,
) -> Result<(), BundleError> {
    let Some(mut source) = open_regular(file).map_err(at(file))? else {
        return Ok(());
    };
    let length = source.metadata().map_err(at(file))?.len();
    archive.add(name, &mut source, length)
}

/// Adds the files below a folder in the order of their names, so that the same data makes the same
/// archive.
fn add_folder(
    archive: &mut ArchiveWriter<'_>,
    folder: &Path,
    name: &str,
) -> Result<(), BundleError> {
    for (path, is_folder) in entries(folder).map_err(at(folder))? {
        // Baton's own files have such names. An agent may have left others.
        let Some(own) = path.file_name().and_then(|own| own.to_str()) else {
            continue;
        };
        let name = format!("{name}/{own}");
        match is_folder {
            _ if !is_allowed(&name) => {}
            true => add_folder(archive, &path, &name)?,
            false => add(archive, &path, &name)?,
        }
    }
    Ok(())
}

/// The folders and regular files of a folder, by name. Links are left out.
fn entries(folder: &Path) -> io::Result<Vec<(PathBuf, bool)>> {
    let listing = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        listing => listing?,
    };
    let mut entries = Vec::new();
    for entry in listing {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_dir() || kind.is_file() {
            entries.push((entry.path(), kind.is_dir()));
        }
    }
    entries.sort();
    Ok(entries)
}

/// Opens a file for reading, unless it is missing or something else than a regular file. Follows no
/// link, and waits for no pipe.
fn open_regular(path: &Path) -> io::Result<Option<File>> {
    let flags = nix::fcntl::OFlag::O_NOFOLLOW | nix::fcntl::OFlag::O_NONBLOCK;
    let opened = OpenOptions::new()
        .read(true)
        .custom_flags(flags.bits())
        .open(path);
    match opened {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) if error.raw_os_error() == Some(nix::libc::ELOOP) => Ok(None),
        Err(error) => Err(error),
        Ok(file) => Ok(file.metadata()?.is_file().then_some(file)),
    }
}
