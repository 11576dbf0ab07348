//! Reads, replaces and moves files of Baton in projects.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// The largest file that is read, in bytes.
const SIZE_LIMIT: u64 = 16 * 1024 * 1024;

/// Why a plan file can't be read or written, as a sentence for people.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DiskError {
    #[error("{path}: {reason}")]
    Io { path: PathBuf, reason: io::Error },
    /// It is a folder, a link or a device.
    #[error("{0} is not a regular file; replace it with one")]
    NotRegular(PathBuf),
    #[error("{path} is larger than {limit} KB; make it smaller")]
    TooLarge { path: PathBuf, limit: u64 },
    #[error("{0} isn't UTF-8 text; save it as UTF-8")]
    NoText(PathBuf),
}

fn io_error(path: &Path) -> impl FnOnce(io::Error) -> DiskError {
    let path = path.to_path_buf();
    |reason| DiskError::Io { path, reason }
}

/// The text of a file; `None` if there is none.
pub(crate) fn read(path: &Path) -> Result<Option<String>, DiskError> {
    read_up_to(path, SIZE_LIMIT)
}

/// The text of a file of at most `limit` bytes; `None` if there is none.
pub(crate) fn read_up_to(path: &Path, limit: u64) -> Result<Option<String>, DiskError> {
    let metadata = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        found => found.map_err(io_error(path))?,
    };
    if !metadata.is_file() {
        return Err(DiskError::NotRegular(path.to_path_buf()));
    }
    let file = File::open(path).map_err(io_error(path))?;
    let mut bytes = Vec::new();
    let mut limited = file.take(limit + 1);
    limited.read_to_end(&mut bytes).map_err(io_error(path))?;
    if bytes.len() as u64 > limit {
        let (path, limit) = (path.to_path_buf(), limit / 1024);
        return Err(DiskError::TooLarge { path, limit });
    }
    let text = String::from_utf8(bytes).map_err(|_| DiskError::NoText(path.to_path_buf()))?;
    Ok(Some(text))
}

/// Replaces the file at `path` in one step, if it still is as `seen`; false if it is not.
pub(crate) fn replace(path: &Path, text: &str, seen: Option<&str>) -> Result<bool, DiskError> {
    let Some(folder) = path.parent() else {
        return Err(DiskError::NotRegular(path.to_path_buf()));
    };
    fs::create_dir_all(folder).map_err(io_error(folder))?;
    let mut new = tempfile::Builder::new()
        .prefix(".PLAN-")
        .suffix(".tmp")
        .tempfile_in(folder)
        .map_err(io_error(folder))?;
    new.write_all(text.as_bytes())
        .and_then(|()| new.as_file().sync_all())
        .map_err(io_error(path))?;
    make_readable(new.path());
    if read(path)?.as_deref() != seen {
        return Ok(false);
    }
    new.persist(path)
        .map_err(|error| io_error(path)(error.error))?;
    Ok(true)
}

/// Temporary files are private, but a plan file is like any other of the project.
fn make_readable(path: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // A private file still works for the person.
        let _private = fs::set_permissions(path, fs::Permissions::from_mode(0o644));
    }
    #[cfg(not(unix))]
    let _ = path;
}

/// Moves a file into a folder, which is created.
pub(crate) fn move_into(path: &Path, folder: &Path) -> Result<(), DiskError> {
    let Some(name) = path.file_name() else {
        return Err(DiskError::NotRegular(path.to_path_buf()));
    };
    fs::create_dir_all(folder).map_err(io_error(folder))?;
    fs::rename(path, folder.join(name)).map_err(io_error(path))
}

/// The names of the files in a folder, sorted; none if there is no folder.
pub(crate) fn names(folder: &Path) -> Result<Vec<String>, DiskError> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        found => found.map_err(io_error(folder))?,
    };
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut names: Vec<String> = names.collect();
    names.sort();
    Ok(names)
}

/// Whether the folders of `path`, relative to `project`, are no links as far as they exist.
pub(crate) fn has_own_folders(project: &Path, path: &Path) -> bool {
    let folders = path.ancestors().skip(1);
    let is_link =
        |part: &Path| fs::symlink_metadata(project.join(part)).is_ok_and(|data| data.is_symlink());
    !folders
        .filter(|part| !part.as_os_str().is_empty())
        .any(is_link)
}
