//! Reading and replacing files of other programs.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::agent_file_error::AgentFileError;

/// The largest file that is read, in bytes.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// The text of a file; `None` if it doesn't exist.
pub(crate) fn read(path: &Path) -> Result<Option<String>, AgentFileError> {
    let failed = |source| AgentFileError::Read {
        path: path.to_owned(),
        source,
    };
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(failed(error)),
        Ok(found) if !found.is_file() || found.len() > MAX_BYTES => {
            Err(AgentFileError::NotReadable {
                path: path.to_owned(),
                limit: MAX_BYTES,
            })
        }
        Ok(_) => fs::read_to_string(path).map(Some).map_err(failed),
    }
}

/// Replaces a file at once, so that no other program ever reads a part of it. A link stays a link.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), AgentFileError> {
    replace(path, text).map_err(|source| AgentFileError::Write {
        path: path.to_owned(),
        source,
    })
}

fn replace(path: &Path, text: &str) -> io::Result<()> {
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = target.parent().unwrap_or(Path::new("/"));
    fs::create_dir_all(folder)?;
    let temporary = temporary_beside(&target);
    let written =
        write_new(&temporary, text, &target).and_then(|()| fs::rename(&temporary, &target));
    if written.is_err() {
        // What is left of it is of no use.
        let _ = fs::remove_file(&temporary);
    }
    written
}

fn temporary_beside(target: &Path) -> PathBuf {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    target.with_file_name(format!(".{name}.baton-{}", std::process::id()))
}

fn write_new(temporary: &Path, text: &str, like: &Path) -> io::Result<()> {
    let mut file = fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(temporary)?;
    if let Ok(found) = fs::metadata(like) {
        file.set_permissions(found.permissions())?;
    }
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

/// Removes a file; none is fine.
pub(crate) fn remove(path: &Path) -> Result<(), AgentFileError> {
    match fs::remove_file(path) {
        Err(source) if source.kind() != io::ErrorKind::NotFound => Err(AgentFileError::Write {
            path: path.to_owned(),
            source,
        }),
        _ => Ok(()),
    }
}
