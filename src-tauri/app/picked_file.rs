//! Reads and writes files that a person picked in a dialog or dropped on the window.
//!
//! The page names the path. It is our own page under a strict content policy; still, only files
//! with an expected extension are accepted, so that the page can't read or overwrite arbitrary
//! files.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::{fs, io};

use baton_api::{ApiError, Code, umask};

/// The size limit for plan files.
const MAX_PLAN_FILE_BYTES: u64 = 64 * 1024 * 1024;
/// File extensions of plan files, importable diagrams and other programs' task lists.
const PLAN_FILE_EXTENSIONS: [&str; 7] = ["yaml", "yml", "json", "mmd", "mermaid", "md", "jsonl"];
/// Extensions of text files that can be saved.
const TEXT_EXTENSIONS: [&str; 11] = [
    "yaml", "yml", "json", "md", "txt", "log", "jsonl", "mmd", "dot", "svg", "html",
];
/// Extensions of binary images that can be saved.
const IMAGE_EXTENSIONS: [&str; 1] = ["png"];

/// Reads the plan file at `path`, for the operation `plan_import`.
#[tauri::command]
pub(crate) async fn read_plan_file(path: PathBuf) -> Result<String, ApiError> {
    let work = tauri::async_runtime::spawn_blocking(move || read(&path));
    work.await
        .unwrap_or_else(|error| Err(ApiError::new(Code::Internal, error.to_string())))
}

/// Writes `text` to `path`, replacing an existing file: the save dialog has asked for confirmation.
#[tauri::command]
pub(crate) async fn write_picked_file(path: PathBuf, text: String) -> Result<(), ApiError> {
    let work = tauri::async_runtime::spawn_blocking(move || {
        write(&path, text.as_bytes(), &TEXT_EXTENSIONS)
    });
    work.await
        .unwrap_or_else(|error| Err(ApiError::new(Code::Internal, error.to_string())))
}

/// Writes an image to `path`, replacing an existing file: the save dialog has asked for
/// confirmation.
#[tauri::command]
pub(crate) async fn write_picked_picture(path: PathBuf, bytes: Vec<u8>) -> Result<(), ApiError> {
    let work =
        tauri::async_runtime::spawn_blocking(move || write(&path, &bytes, &IMAGE_EXTENSIONS));
    work.await
        .unwrap_or_else(|error| Err(ApiError::new(Code::Internal, error.to_string())))
}

fn read(path: &Path) -> Result<String, ApiError> {
    let name = file_name(path);
    if !has_extension(path, &PLAN_FILE_EXTENSIONS) {
        let message = format!(
            "'{name}' isn't a plan file. Plan files end in .yaml, .yml, .json or .mmd, and task lists in .md, .json or .jsonl."
        );
        return Err(ApiError::new(Code::BadInput, message));
    }
    let failed = |error: io::Error| {
        let message = format!("Couldn't read '{name}': {error}. Check that the file still exists.");
        ApiError::new(Code::Unavailable, message)
    };
    let mut bytes = Vec::new();
    fs::File::open(path)
        .map_err(failed)?
        .take(MAX_PLAN_FILE_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    if bytes.len() as u64 > MAX_PLAN_FILE_BYTES {
        return Err(ApiError::new(
            Code::BadInput,
            format!("'{name}' is too large for a plan file (limit 64 MB). Pick another file."),
        ));
    }
    let broken = |_| {
        ApiError::new(
            Code::BadInput,
            format!("'{name}' is not UTF-8 text. Save it as UTF-8, then try again."),
        )
    };
    String::from_utf8(bytes).map_err(broken)
}

fn write(path: &Path, content: &[u8], extensions: &[&str]) -> Result<(), ApiError> {
    let name = file_name(path);
    if !has_extension(path, extensions) {
        let message = format!(
            "Baton can't save '{name}' with this extension. Use .{}.",
            extensions.join(", .")
        );
        return Err(ApiError::new(Code::BadInput, message));
    }
    umask::with_original(|| fs::write(path, content)).map_err(|error| {
        let message =
            format!("Couldn't save '{name}': {error}. Choose another folder, then try again.");
        ApiError::new(Code::Unavailable, message)
    })
}

fn file_name(path: &Path) -> String {
    path.file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default()
}

fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    let extension = path
        .extension()
        .map(|extension| extension.to_string_lossy().to_ascii_lowercase());
    extension.is_some_and(|extension| extensions.contains(&extension.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code<T>(result: Result<T, ApiError>) -> Option<Code> {
        result.err().map(|error| error.code)
    }

    #[test]
    fn only_plan_files_are_read() {
        assert_eq!(code(read(Path::new("/etc/passwd"))), Some(Code::BadInput));
        assert_eq!(
            code(read(Path::new("/nowhere/plan.yaml"))),
            Some(Code::Unavailable)
        );
    }

    #[test]
    fn only_texts_are_written() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let plan = folder.path().join("a plan.baton.YAML");
        let write = |path: &Path, text: &str| write(path, text.as_bytes(), &TEXT_EXTENSIONS);
        assert_eq!(write(&plan, "baton: 1\n"), Ok(()));
        assert_eq!(read(&plan).as_deref(), Ok("baton: 1\n"));
        assert_eq!(
            code(write(&folder.path().join("authorized_keys"), "")),
            Some(Code::BadInput)
        );
        assert_eq!(
            code(write(&folder.path().join("gone/a.md"), "")),
            Some(Code::Unavailable)
        );
        assert_eq!(
            code(write(&folder.path().join("a.png"), "")),
            Some(Code::BadInput),
            "images are written by their own command"
        );
        Ok(())
    }
}
