//! Reads the files of a task list in a folder.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use baton_formats::import::{FILE_SIZE_LIMIT, SourceFile};

/// Maximum number of files.
const FILES_LIMIT: usize = 5_000;
/// Maximum size of all files in bytes.
const SIZE_LIMIT: u64 = 64 * 1024 * 1024;
/// Maximum number of folders between the given one and a file.
const DEPTH_LIMIT: usize = 6;

/// Where programs keep their task lists in a project. If one of them exists, nothing else of the
/// folder is read.
const KNOWN_FOLDERS: [&str; 7] = [
    ".taskmaster/tasks",
    ".beads",
    "openspec/changes",
    "specs",
    "backlog",
    ".kiro/specs",
    ".rawko/plans",
];
const EXTENSIONS: [&str; 5] = ["md", "json", "jsonl", "yaml", "yml"];

/// Why a folder can't be read, as a fragment to show to people.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FolderError {
    #[error("{path}: {reason}")]
    Io { path: PathBuf, reason: io::Error },
    #[error("{0} is larger than {limit} MB; import a part of it", limit = FILE_SIZE_LIMIT / 1024 / 1024)]
    LargeFile(PathBuf),
    #[error("{0} has more than {FILES_LIMIT} files or {limit} MB; import a folder in it", limit = SIZE_LIMIT / 1024 / 1024)]
    Large(PathBuf),
    #[error("{0} isn't UTF-8 text; save it as UTF-8")]
    NoText(PathBuf),
}

/// The files below `folder` that may belong to a task list, with paths relative to `project`.
/// Links are not followed.
pub(crate) fn read(folder: &Path, project: &Path) -> Result<Vec<SourceFile>, FolderError> {
    let known = KNOWN_FOLDERS.map(|known| folder.join(known));
    let mut roots: Vec<PathBuf> = known.into_iter().filter(|root| root.is_dir()).collect();
    if roots.is_empty() {
        roots.push(folder.to_path_buf());
    }
    let (mut paths, mut size) = (Vec::new(), 0);
    for root in roots {
        collect(&root, folder, 0, &mut paths, &mut size)?;
    }
    paths.sort();
    paths
        .iter()
        .map(|path| {
            let bytes = fs::read(path).map_err(|reason| io_error(path, reason))?;
            let text = String::from_utf8(bytes).map_err(|_| FolderError::NoText(path.clone()))?;
            let below = path.strip_prefix(project).unwrap_or(path);
            let parts: Vec<_> = below.iter().map(OsStr::to_string_lossy).collect();
            Ok(SourceFile {
                path: parts.join("/"),
                text,
            })
        })
        .collect()
}

fn collect(
    at: &Path,
    folder: &Path,
    depth: usize,
    paths: &mut Vec<PathBuf>,
    size: &mut u64,
) -> Result<(), FolderError> {
    for entry in fs::read_dir(at).map_err(|reason| io_error(at, reason))? {
        let entry = entry.map_err(|reason| io_error(at, reason))?;
        let (path, name) = (entry.path(), entry.file_name());
        let kind = entry
            .file_type()
            .map_err(|reason| io_error(&path, reason))?;
        if kind.is_dir() {
            if depth < DEPTH_LIMIT && !is_foreign(&name) {
                collect(&path, folder, depth + 1, paths, size)?;
            }
        } else if kind.is_file() && has_known_extension(&path) {
            let length = entry
                .metadata()
                .map_err(|reason| io_error(&path, reason))?
                .len();
            if length > FILE_SIZE_LIMIT as u64 {
                return Err(FolderError::LargeFile(path));
            }
            *size += length;
            paths.push(path);
            if paths.len() > FILES_LIMIT || *size > SIZE_LIMIT {
                return Err(FolderError::Large(folder.to_path_buf()));
            }
        }
    }
    Ok(())
}

fn io_error(path: &Path, reason: io::Error) -> FolderError {
    FolderError::Io {
        path: path.to_path_buf(),
        reason,
    }
}

/// Folders that never have a task list: hidden ones and those with the code of others.
fn is_foreign(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    name.starts_with('.') || ["node_modules", "target", "vendor"].contains(&&*name)
}

fn has_known_extension(path: &Path) -> bool {
    let extension = path.extension().and_then(OsStr::to_str);
    extension.is_some_and(|extension| EXTENSIONS.contains(&&*extension.to_ascii_lowercase()))
}

/// The project that a task list at `path` belongs to: the folder above the one that its program
/// keeps its files in, or else `path` itself or the folder of the file.
pub(crate) fn project_of(path: &Path, is_folder: bool) -> PathBuf {
    const OWN: [&str; 6] = [
        ".taskmaster",
        ".beads",
        "openspec",
        "specs",
        "backlog",
        ".kiro",
    ];
    let is_own = |name: &OsStr| name == ".rawko" || OWN.iter().any(|own| name == *own);
    let above = path
        .ancestors()
        .filter(|at| at.file_name().is_some_and(is_own));
    let outermost = above.last().and_then(Path::parent);
    let near = match is_folder {
        true => Some(path),
        false => path.parent(),
    };
    outermost.or(near).unwrap_or(path).to_path_buf()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_run_in_the_project() {
        for (path, is_folder, project) in [
            ("/p/.taskmaster/tasks/tasks.json", false, "/p"),
            ("/p/specs/001-a", true, "/p"),
            ("/p/openspec/changes/a/specs/b/spec.md", false, "/p"),
            ("/p", true, "/p"),
            ("/p/issues.json", false, "/p"),
        ] {
            assert_eq!(project_of(Path::new(path), is_folder), Path::new(project));
        }
    }

    #[test]
    fn only_task_lists_of_a_project_are_read() {
        let place = tempfile::TempDir::new().expect("a folder");
        let write = |path: &str| {
            let path = place.path().join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
            fs::write(path, "- [ ] T001 A").expect("a file");
        };
        write("README.md");
        write("node_modules/a/tasks.md");
        let names = |files: Vec<SourceFile>| {
            let paths = files.into_iter().map(|file| file.path);
            paths.collect::<Vec<_>>()
        };
        let read = || names(read(place.path(), place.path()).expect("readable"));
        assert_eq!(read(), ["README.md"]);
        write("specs/001-a/tasks.md");
        write("specs/001-a/.git/tasks.md");
        write("specs/001-a/image.png");
        assert_eq!(read(), ["specs/001-a/tasks.md"]);
        fs::write(place.path().join("specs/bad.md"), [0xff]).expect("a file");
        let error = super::read(place.path(), place.path()).expect_err("no text");
        assert!(matches!(error, FolderError::NoText(_)), "{error}");
    }
}
