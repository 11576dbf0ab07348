//! A file of a task list: where it may be, and how it is replaced.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use baton_formats::import::FILE_SIZE_LIMIT;

use crate::{ApiError, Code};

/// `path` without links.
///
/// # Errors
///
/// It doesn't exist, or it isn't below `root`, which must be without links as well.
pub(super) fn within(path: &Path, root: &Path) -> Result<PathBuf, ApiError> {
    let real = path
        .canonicalize()
        .map_err(|error| unavailable(path, &error))?;
    if real.starts_with(root) {
        return Ok(real);
    }
    let (path, root) = (path.display(), root.display());
    let message = format!("{path} is not below the plan's directory {root}");
    Err(ApiError::new(Code::Refused, message).with_fix("name a file in the plan's directory"))
}

pub(super) fn read(path: &Path) -> Result<String, ApiError> {
    let size = fs::metadata(path)
        .map_err(|error| unavailable(path, &error))?
        .len();
    if size > FILE_SIZE_LIMIT as u64 {
        let message = format!("{} is too large for a task list", path.display());
        return Err(ApiError::new(Code::Refused, message).with_fix("name another file"));
    }
    fs::read_to_string(path).map_err(|error| unavailable(path, &error))
}

/// Replaces the file in one step, if it still is as it was read. Its permissions stay.
pub(super) fn replace(path: &Path, seen: &str, text: &str) -> Result<(), ApiError> {
    let failed = |error: io::Error| {
        let message = format!("{} can't be written: {error}", path.display());
        ApiError::new(Code::Unavailable, message)
    };
    let folder = path.parent().unwrap_or(Path::new("/"));
    let permissions = fs::metadata(path).map_err(failed)?.permissions();
    let mut new = tempfile::Builder::new()
        .prefix(".baton-")
        .tempfile_in(folder)
        .map_err(failed)?;
    new.write_all(text.as_bytes())
        .and_then(|()| new.as_file().set_permissions(permissions))
        .and_then(|()| new.as_file().sync_all())
        .map_err(failed)?;
    if read(path)? != seen {
        let message = format!("{} was changed in the meantime", path.display());
        return Err(ApiError::new(Code::Conflict, message).with_fix("try again"));
    }
    new.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}

fn unavailable(path: &Path, error: &io::Error) -> ApiError {
    let message = format!("{} can't be read: {error}", path.display());
    ApiError::new(Code::Unavailable, message)
}
