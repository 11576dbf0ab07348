//! The directories whose files a session's output may lead to.

use std::io;
use std::path::{Path, PathBuf};

use baton_engine::work_tree_above;

use crate::{PlanningError, RefusalReason};

/// The directories of a session, and where its relative paths begin.
#[derive(Debug)]
pub(super) struct SessionDirectories {
    /// As it is in `launch.json`.
    cwd: PathBuf,
    /// The root of the git work tree around it.
    work_tree: Option<PathBuf>,
    /// Canonical paths; those that don't exist are left out.
    roots: Vec<PathBuf>,
}

/// An existing file or folder in a session's directories.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocatedFile {
    /// The canonical path.
    pub path: PathBuf,
    /// The path from the directory that it lies in.
    pub relative_path: PathBuf,
}

impl SessionDirectories {
    /// The session's working directory, the git work tree around it, and the plan's directory.
    pub(super) fn new(cwd: PathBuf, plan_directory: Option<&Path>) -> Self {
        let own = cwd.canonicalize().ok();
        let work_tree = own.as_deref().and_then(work_tree_above).map(Path::to_owned);
        let plan_directory = plan_directory.and_then(|path| path.canonicalize().ok());
        let mut roots: Vec<PathBuf> = Vec::new();
        for root in [own, work_tree.clone(), plan_directory]
            .into_iter()
            .flatten()
        {
            if !roots.contains(&root) {
                roots.push(root);
            }
        }
        Self {
            cwd,
            work_tree,
            roots,
        }
    }

    /// Finds what `path` names, which must lie in one of the directories after links are resolved.
    ///
    /// A relative path begins at the working directory. If nothing is there, it begins at the root
    /// of the work tree: build tools often print paths from there.
    pub(super) fn locate(&self, path: &str) -> Result<LocatedFile, PlanningError> {
        if path.is_empty() || path.contains('\0') {
            let message = format!("'{}' isn't a path", path.escape_debug());
            return Err(PlanningError::new(RefusalReason::BadInput, message));
        }
        let canonical = self
            .canonicalize(path)
            .map_err(|error| self.missing(path, &error))?;
        let inside = self.roots.iter().find_map(|root| {
            let relative_path = canonical.strip_prefix(root).ok()?.to_owned();
            Some(LocatedFile {
                path: canonical.clone(),
                relative_path,
            })
        });
        inside.ok_or_else(|| outside(path, &canonical))
    }

    fn canonicalize(&self, path: &str) -> io::Result<PathBuf> {
        match self.cwd.join(path).canonicalize() {
            Err(error) if is_missing(&error) => {
                let top = self.work_tree.as_ref();
                top.and_then(|top| top.join(path).canonicalize().ok())
                    .ok_or(error)
            }
            found => found,
        }
    }

    fn missing(&self, path: &str, error: &io::Error) -> PlanningError {
        if !is_missing(error) {
            let message = format!("'{path}' can't be read: {error}");
            return PlanningError::new(RefusalReason::Unavailable, message)
                .with_fix("check the permissions of the file and its folders");
        }
        if !self.cwd.exists() {
            let message = format!(
                "'{path}' can't be found, because the session's directory {} was removed",
                self.cwd.display()
            );
            return PlanningError::new(RefusalReason::NotFound, message)
                .with_fix("if the work was merged, open the file in the blueprint's directory");
        }
        PlanningError::new(
            RefusalReason::NotFound,
            format!("the file '{path}' doesn't exist"),
        )
        .with_fix("it may have been moved or deleted since the session printed its name")
    }
}

/// A file in place of a folder counts as missing, too.
fn is_missing(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

fn outside(path: &str, canonical: &Path) -> PlanningError {
    let message = if canonical == Path::new(path) {
        format!("'{path}' isn't in the session's directories")
    } else {
        format!(
            "'{path}' leads to {}, which isn't in the session's directories",
            canonical.display()
        )
    };
    PlanningError::new(RefusalReason::Refused, message)
        .with_fix("copy the path and open it yourself if you trust it")
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    /// A repository with a session in its folder `app`, a plan directory beside it, and a secret
    /// outside of both.
    fn directories() -> (tempfile::TempDir, SessionDirectories, PathBuf) {
        let folder = tempfile::tempdir().expect("temp dir");
        let top = folder.path().canonicalize().expect("a path");
        for inner in ["repo/.git", "repo/app/src", "repo/lib", "plan", "other"] {
            fs::create_dir_all(top.join(inner)).expect("create folder");
        }
        for file in [
            "repo/.git/HEAD",
            "repo/app/src/main.rs",
            "repo/lib/lib.rs",
            "repo/app/-rf",
            "repo/app/a 'b' \"c\" $(touch x);.txt",
            "plan/notes.md",
            "other/secret",
        ] {
            fs::write(top.join(file), "text").expect("write file");
        }
        symlink(top.join("other/secret"), top.join("repo/app/link")).expect("link");
        symlink(top.join("other"), top.join("repo/app/folder")).expect("link");
        symlink("src/main.rs", top.join("repo/app/inner")).expect("link");
        symlink("loop", top.join("repo/app/loop")).expect("link");
        let directories =
            SessionDirectories::new(top.join("repo/app"), Some(top.join("plan").as_path()));
        (folder, directories, top)
    }

    fn reason(error: PlanningError) -> RefusalReason {
        match error {
            PlanningError::Refused(refusal) => refusal.reason,
            error => panic!("{error}"),
        }
    }

    #[test]
    fn files_in_the_directories_are_found() {
        let (_folder, directories, top) = directories();
        let at = |path: &str| top.join(path).to_str().expect("UTF-8").to_owned();
        for (path, found, relative) in [
            ("src/main.rs", "repo/app/src/main.rs", "src/main.rs"),
            (
                "./src/../src/main.rs",
                "repo/app/src/main.rs",
                "src/main.rs",
            ),
            ("../lib/lib.rs", "repo/lib/lib.rs", "lib/lib.rs"),
            // From the root of the work tree.
            ("lib/lib.rs", "repo/lib/lib.rs", "lib/lib.rs"),
            ("app/src/main.rs", "repo/app/src/main.rs", "src/main.rs"),
            ("inner", "repo/app/src/main.rs", "src/main.rs"),
            ("-rf", "repo/app/-rf", "-rf"),
            (
                "a 'b' \"c\" $(touch x);.txt",
                "repo/app/a 'b' \"c\" $(touch x);.txt",
                "a 'b' \"c\" $(touch x);.txt",
            ),
            (&at("plan/notes.md"), "plan/notes.md", "notes.md"),
            (&at("repo/app/src"), "repo/app/src", "src"),
        ] {
            let located = directories.locate(path).expect(path);
            assert_eq!(located.path, top.join(found), "{path}");
            assert_eq!(located.relative_path, Path::new(relative), "{path}");
        }
    }

    #[test]
    fn everything_else_is_refused() {
        let (_folder, directories, top) = directories();
        let at = |path: &str| top.join(path).to_str().expect("UTF-8").to_owned();
        for (path, refused) in [
            ("link", RefusalReason::Refused),
            ("folder/secret", RefusalReason::Refused),
            ("../../other/secret", RefusalReason::Refused),
            (&at("other/secret"), RefusalReason::Refused),
            ("/etc/passwd", RefusalReason::Refused),
            ("/", RefusalReason::Refused),
            ("gone.rs", RefusalReason::NotFound),
            ("src/main.rs/x", RefusalReason::NotFound),
            // Not from the root of the plan's directory: another file may have the same name.
            ("notes.md", RefusalReason::NotFound),
            ("loop", RefusalReason::Unavailable),
            ("", RefusalReason::BadInput),
            ("a\0b", RefusalReason::BadInput),
        ] {
            let error = directories.locate(path).expect_err(path);
            assert_eq!(reason(error), refused, "{path}");
        }
        let error = directories.locate("gone.rs").expect_err("missing");
        assert_eq!(error.to_string(), "the file 'gone.rs' doesn't exist");
        let error = directories.locate("link").expect_err("leads out");
        assert!(error.to_string().contains("other/secret"), "{error}");
    }

    #[test]
    fn removed_directory_is_named() {
        let (_folder, _, top) = directories();
        let gone = SessionDirectories::new(top.join("worktree"), Some(&top.join("plan")));
        let error = gone.locate("src/main.rs").expect_err("no directory");
        assert!(error.to_string().contains("was removed"), "{error}");
        let notes = top.join("plan/notes.md");
        let located = gone.locate(notes.to_str().expect("UTF-8"));
        assert_eq!(located.expect("still there").path, notes);
    }
}
