//! Saves the raw output of a session where a person chose.
//!
//! The page names the path, as in `picked_file`, so only files with an expected extension are
//! written.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use baton_api::{ApiError, Code, SessionId, Stream, open_raw_output, umask};
use tauri::State;

use crate::backend_handle::BackendHandle;

/// File extensions that output can be saved with.
const EXTENSIONS: [&str; 2] = ["log", "txt"];

/// Copies the output of a session to `path`, replacing an existing file: the save dialog has asked
/// for confirmation. The output never passes through the page.
#[tauri::command]
pub(crate) async fn save_session_output(
    backend: State<'_, BackendHandle>,
    session: SessionId,
    stream: Stream,
    path: PathBuf,
) -> Result<(), ApiError> {
    let backend = backend.inner().clone();
    let work = tauri::async_runtime::spawn_blocking(move || {
        require_extension(&path)?;
        let mut output = open_raw_output(backend.get_or_open()?, session, stream)?;
        copy(&mut output.file, &path)
    });
    work.await
        .unwrap_or_else(|error| Err(ApiError::new(Code::Internal, error.to_string())))
}

fn require_extension(path: &Path) -> Result<(), ApiError> {
    let extension = path
        .extension()
        .map(|extension| extension.to_string_lossy().to_ascii_lowercase());
    if extension.is_some_and(|extension| EXTENSIONS.contains(&extension.as_str())) {
        return Ok(());
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let message = format!(
        "Baton can't save '{name}' with this extension. Use .{}.",
        EXTENSIONS.join(" or .")
    );
    Err(ApiError::new(Code::BadInput, message))
}

fn copy(output: &mut File, path: &Path) -> Result<(), ApiError> {
    let written = umask::with_original(|| io::copy(output, &mut File::create(path)?));
    written.map(|_| ()).map_err(|error| {
        let message = format!(
            "Couldn't save '{}': {error}. Choose another folder, then try again.",
            path.display()
        );
        ApiError::new(Code::Unavailable, message)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_logs_are_written() {
        for (path, allowed) in [
            ("/home/me/Run-stdout.log", true),
            ("/home/me/a.TXT", true),
            ("/home/me/.bashrc", false),
            ("/home/me/authorized_keys", false),
            ("/home/me/a.log/b", false),
        ] {
            assert_eq!(
                require_extension(Path::new(path)).is_ok(),
                allowed,
                "{path}"
            );
        }
    }

    #[test]
    fn output_is_copied_and_a_missing_folder_is_an_error() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let source = folder.path().join("stdout");
        std::fs::write(&source, b"one\n\xff\0two")?;
        let target = folder.path().join("a b.log");
        std::fs::write(&target, "a longer text than the output")?;
        assert_eq!(copy(&mut File::open(&source)?, &target), Ok(()));
        assert_eq!(std::fs::read(&target)?, b"one\n\xff\0two");
        let error = copy(&mut File::open(&source)?, &folder.path().join("gone/a.log"));
        assert_eq!(error.map_err(|error| error.code), Err(Code::Unavailable));
        Ok(())
    }
}
