//! The tools `read` and `write`.

use std::fs::{self, File, OpenOptions};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::{Value, json};

use crate::call_error::CallError;

/// The limit on the returned text, in bytes: it is passed on as one JSON line.
const READ_LIMIT: u64 = 1024 * 1024;

#[derive(Debug, Deserialize)]
pub(crate) struct ReadArguments {
    path: PathBuf,
    offset: Option<usize>,
    limit: Option<usize>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct WriteArguments {
    path: PathBuf,
    content: String,
    #[serde(default)]
    append: bool,
}

/// Returns the text of a file or of some of its lines, with `U+FFFD` for invalid UTF-8.
pub(crate) fn read(arguments: ReadArguments, directory: &Path) -> Result<Value, CallError> {
    let path = directory.join(arguments.path);
    let refused = |source| CallError::System {
        doing: "read",
        path: path.clone(),
        source,
    };
    let mut file = BufReader::new(File::open(&path).map_err(refused)?);
    for _ in 1..arguments.offset.unwrap_or(1) {
        file.skip_until(b'\n').map_err(refused)?;
    }
    let mut bytes = Vec::new();
    let mut rest = file.take(READ_LIMIT + 1);
    match arguments.limit {
        None => drop(rest.read_to_end(&mut bytes).map_err(refused)?),
        Some(lines) => {
            for _ in 0..lines {
                rest.read_until(b'\n', &mut bytes).map_err(refused)?;
            }
        }
    }
    if bytes.len() as u64 > READ_LIMIT {
        return Err(CallError::TooLong {
            path,
            limit: READ_LIMIT,
        });
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned().into())
}

/// Writes a file and its missing folders. An existing file is replaced atomically, so that nothing
/// reads half of it.
pub(crate) fn write(arguments: &WriteArguments, directory: &Path) -> Result<Value, CallError> {
    let path = directory.join(&arguments.path);
    let refused = |source| CallError::System {
        doing: "write",
        path: path.clone(),
        source,
    };
    let folder = path.parent().unwrap_or(directory);
    fs::create_dir_all(folder).map_err(refused)?;
    if arguments.append {
        let mut file = OpenOptions::new()
            .append(true)
            .create(true)
            .open(&path)
            .map_err(refused)?;
        file.write_all(arguments.content.as_bytes())
            .map_err(refused)?;
    } else if let Ok(there) = fs::metadata(&path)
        && !there.is_file()
    {
        // A device or a pipe is written to, never replaced.
        fs::write(&path, &arguments.content).map_err(refused)?;
    } else {
        replace(&path, folder, &arguments.content).map_err(refused)?;
    }
    Ok(json!({ "path": path, "bytes": arguments.content.len() }))
}

fn replace(path: &Path, folder: &Path, content: &str) -> std::io::Result<()> {
    // A symbolic link stays a link: its target is replaced.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let folder = path.parent().unwrap_or(folder);
    let fresh = folder.join(format!(".baton-{}", uuid::Uuid::new_v4()));
    let written = fs::write(&fresh, content).and_then(|()| {
        if let Ok(there) = fs::metadata(&path) {
            fs::set_permissions(&fresh, there.permissions())?;
        }
        fs::rename(&fresh, &path)
    });
    if written.is_err() {
        // The write error is reported even if cleaning up fails, too.
        let _ = fs::remove_file(&fresh);
    }
    written
}
