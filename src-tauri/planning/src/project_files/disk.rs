//! Reads and replaces plan files.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use baton_formats::project_file::FOLDER;

/// The largest file that is read, in bytes.
const SIZE_LIMIT: u64 = 16 * 1024 * 1024;

/// Why a plan file can't be read or written, as a sentence for people.
#[derive(Debug, thiserror::Error)]
pub(super) enum DiskError {
    #[error("{path}: {reason}")]
    Io { path: PathBuf, reason: io::Error },
    /// It is a folder, a link or a device.
    #[error("{0} is not a regular file; replace it with one")]
    NotRegular(PathBuf),
    #[error("{0} is larger than {limit} MB; make it smaller", limit = SIZE_LIMIT / 1024 / 1024)]
    TooLarge(PathBuf),
    #[error("{0} isn't UTF-8 text; save it as UTF-8")]
    NoText(PathBuf),
}

fn io_error(path: &Path) -> impl FnOnce(io::Error) -> DiskError {
    let path = path.to_path_buf();
    |reason| DiskError::Io { path, reason }
}

/// The text of a file; `None` if there is none.
pub(super) fn read(path: &Path) -> Result<Option<String>, DiskError> {
    let metadata = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        found => found.map_err(io_error(path))?,
    };
    if !metadata.is_file() {
        return Err(DiskError::NotRegular(path.to_path_buf()));
    }
    let file = File::open(path).map_err(io_error(path))?;
    let mut bytes = Vec::new();
    let mut limited = file.take(SIZE_LIMIT + 1);
    limited.read_to_end(&mut bytes).map_err(io_error(path))?;
    if bytes.len() as u64 > SIZE_LIMIT {
        return Err(DiskError::TooLarge(path.to_path_buf()));
    }
    let text = String::from_utf8(bytes).map_err(|_| DiskError::NoText(path.to_path_buf()))?;
    Ok(Some(text))
}

/// Replaces the file at `path` in one step, if it still is as `seen`; false if it is not.
pub(super) fn replace(path: &Path, text: &str, seen: Option<&str>) -> Result<bool, DiskError> {
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
pub(super) fn move_into(path: &Path, folder: &Path) -> Result<(), DiskError> {
    let Some(name) = path.file_name() else {
        return Err(DiskError::NotRegular(path.to_path_buf()));
    };
    fs::create_dir_all(folder).map_err(io_error(folder))?;
    fs::rename(path, folder.join(name)).map_err(io_error(path))
}

/// The names of the files in a folder, sorted; none if there is no folder.
pub(super) fn names(folder: &Path) -> Result<Vec<String>, DiskError> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        found => found.map_err(io_error(folder))?,
    };
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut names: Vec<String> = names.collect();
    names.sort();
    Ok(names)
}

/// Whether `folder` in `project`, as far as it exists, has no link in its path below the project.
pub(super) fn is_own_folder(project: &Path, folder: &Path) -> bool {
    let parts = Path::new(FOLDER).ancestors().map(|part| project.join(part));
    let is_link = |path: PathBuf| fs::symlink_metadata(path).is_ok_and(|data| data.is_symlink());
    folder.starts_with(project) && !parts.filter(|part| part != project).any(is_link)
}
