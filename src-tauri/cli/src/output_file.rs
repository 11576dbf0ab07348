//! Files that commands write where `--output` says.

use std::fs;
use std::path::Path;

use baton_api::umask;

use crate::failure::Failure;

/// Writes `content` to `path` with the permissions of a person's own files.
///
/// # Errors
///
/// The file exists and `force` isn't set, or it can't be written.
pub(crate) fn write(path: &Path, content: &[u8], force: bool) -> Result<(), Failure> {
    if path.exists() && !force {
        return Err(Failure::Usage(format!(
            "{} already exists. Add --force to overwrite it",
            path.display()
        )));
    }
    umask::with_original(|| fs::write(path, content)).map_err(|source| Failure::Write {
        path: path.to_path_buf(),
        source,
    })
}
