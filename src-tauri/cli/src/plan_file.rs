//! Reads plan files and other programs' task lists for import.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use baton_api::wire::*;

use crate::client::Client;
use crate::failure::Failure;

/// Maximum size of a plan file. A plan with 10,000 nodes needs about 5 MB.
const MAX_PLAN_FILE_BYTES: u64 = 64 * 1024 * 1024;

/// What a person chose about an import.
#[derive(Debug, Default)]
pub(crate) struct ImportOptions<'a> {
    /// Working directory that overrides the one in the file.
    pub(crate) cwd: Option<&'a Path>,
    pub(crate) format: Option<ImportFormat>,
    /// The names of plans in a task list; empty for all.
    pub(crate) plans: &'a [String],
}

/// Imports the plan file at `path`, or updates and returns the plan that was imported from it
/// before.
pub(crate) fn import_or_find(
    client: &Client<'_>,
    path: &Path,
    cwd: Option<&Path>,
) -> Result<PlanImported, Failure> {
    let options = ImportOptions {
        cwd,
        ..ImportOptions::default()
    };
    let input = input(path, &options)?;
    client.ask(&import_of(path), "plan_bring", &input)
}

/// The input of an import of the file or folder at `path`.
pub(crate) fn input(path: &Path, options: &ImportOptions<'_>) -> Result<PlanImport, Failure> {
    let folder = path.is_dir();
    let text = match folder {
        true => String::new(),
        false => read(path)?,
    };
    Ok(PlanImport {
        file_name: absolute(path)?,
        text,
        cwd: options.cwd.map(absolute).transpose()?,
        format: options.format,
        folder,
        files: Vec::new(),
        plans: options.plans.to_vec(),
        propose: false,
    })
}

/// What an import does, for error messages.
pub(crate) fn import_of(path: &Path) -> String {
    format!("import {}", path.display())
}

/// The text of the plan file at `path`.
pub(crate) fn read(path: &Path) -> Result<String, Failure> {
    let failed = |reason: String| Failure::Read {
        path: path.to_owned(),
        reason,
    };
    let file = fs::File::open(path).map_err(|error| failed(describe_io_error(&error)))?;
    let mut bytes = Vec::new();
    file.take(MAX_PLAN_FILE_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| failed(describe_io_error(&error)))?;
    if bytes.len() as u64 > MAX_PLAN_FILE_BYTES {
        return Err(failed(format!(
            "it is larger than {} MB",
            MAX_PLAN_FILE_BYTES / (1024 * 1024)
        )));
    }
    String::from_utf8(bytes).map_err(|error| {
        let line = error.as_bytes()[..error.utf8_error().valid_up_to()]
            .iter()
            .filter(|&&byte| byte == b'\n')
            .count()
            + 1;
        failed(format!(
            "it is not valid UTF-8 (line {line}). Save it as UTF-8"
        ))
    })
}

fn describe_io_error(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => error.to_string(),
    }
}

/// The path as Baton stores it.
pub(crate) fn absolute(path: &Path) -> Result<String, Failure> {
    let failed = |reason: String| Failure::Read {
        path: path.to_owned(),
        reason,
    };
    // Resolve links, so that a file is the same plan under all its paths.
    let path = path
        .canonicalize()
        .or_else(|_| std::path::absolute(path))
        .map_err(|error| failed(describe_io_error(&error)))?;
    path.to_str()
        .map(str::to_owned)
        .ok_or_else(|| failed("the path is not valid UTF-8".to_owned()))
}
