//! Files that a person has picked in a dialog or dropped on the window: plan files in, plan files and texts out.
//!
//! The page names the path. It is our own page under a strict policy; still, only files with the ending of
//! such a file are touched, so that it cannot be made to read or replace whatever it likes.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::{fs, io};

use baton_api::{ApiError, Code, umask};

/// The largest plan file in bytes.
const MAX_PLAN_FILE_BYTES: u64 = 64 * 1024 * 1024;
/// The endings of plan files.
const PLAN_FILE_EXTENSIONS: [&str; 5] = ["yaml", "yml", "json", "mmd", "mermaid"];
/// The endings of what can be saved.
const TEXT_EXTENSIONS: [&str; 10] = [
    "yaml", "yml", "json", "md", "txt", "log", "jsonl", "mmd", "dot", "svg",
];
/// The endings of pictures that are not text.
const IMAGE_EXTENSIONS: [&str; 1] = ["png"];

/// Reads the plan file at `path`, for the operation `plan_import`.
#[tauri::command]
pub(crate) async fn read_plan_file(path: PathBuf) -> Result<String, ApiError> {
    let work = tauri::async_runtime::spawn_blocking(move || read(&path));
    work.await
        .unwrap_or_else(|error| Err(ApiError::new(Code::Internal, error.to_string())))
}

/// Writes `text` to `path`, replacing what the person has agreed to replace.
#[tauri::command]
pub(crate) async fn write_picked_file(path: PathBuf, text: String) -> Result<(), ApiError> {
    let work = tauri::async_runtime::spawn_blocking(move || {
        write(&path, text.as_bytes(), &TEXT_EXTENSIONS)
    });
    work.await
        .unwrap_or_else(|error| Err(ApiError::new(Code::Internal, error.to_string())))
}

/// Writes a picture to `path`, replacing what the person has agreed to replace.
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
        let message =
            format!("'{name}' is no plan file: plan files end in .yaml, .yml, .json or .mmd.");
        return Err(ApiError::new(Code::BadInput, message));
    }
    let failed = |error: io::Error| {
        let message =
            format!("'{name}' could not be read: {error}. Check that the file is still there.");
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
            format!("'{name}' is larger than any plan file. Pick another."),
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
            "'{name}' has no ending that Baton writes: end the name in .{}.",
            extensions.join(", .")
        );
        return Err(ApiError::new(Code::BadInput, message));
    }
    umask::with_original(|| fs::write(path, content)).map_err(|error| {
        let message =
            format!("'{name}' could not be saved: {error}. Choose another place, then try again.");
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
            "pictures have a way of their own"
        );
        Ok(())
    }
}
