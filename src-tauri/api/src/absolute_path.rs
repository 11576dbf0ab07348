//! Absolute paths as people type them.

use std::path::{Component, Path, PathBuf};

use crate::{ApiError, Code};

/// Parses an absolute path typed by a person; `~` is their home directory.
pub(crate) fn absolute(path: &str) -> Result<String, ApiError> {
    let path = path.trim();
    let home = || directories::BaseDirs::new().map(|base| base.home_dir().to_path_buf());
    let expanded = match path.strip_prefix('~') {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => home().map_or_else(
            || PathBuf::from(path),
            |home| home.join(rest.trim_start_matches('/')),
        ),
        _ => PathBuf::from(path),
    };
    if expanded.is_absolute() {
        return Ok(normalize_path(&expanded));
    }
    let message = format!("'{path}' is not an absolute path");
    Err(ApiError::new(Code::BadInput, message).with_fix("start the path with / or ~"))
}

/// Removes `.` and `x/..` from the path lexically. Doesn't resolve symbolic links.
pub(crate) fn normalize_path(path: &Path) -> String {
    let mut parts: Vec<Component<'_>> = Vec::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(parts.last(), Some(Component::Normal(_))) => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.into_iter().collect::<PathBuf>().display().to_string()
}
