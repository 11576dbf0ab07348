//! Moves the files of a bundle into the data directory, and back if the rows can't be stored.

use std::fs;
use std::path::{Path, PathBuf};

use baton_store::StoreError;

use super::entry_path::{COMMITS, DOCUMENTS, SESSIONS};

/// The files to move from a folder on the same disk.
pub(super) struct FileMoves {
    from: PathBuf,
    to: PathBuf,
    /// Where files of the data directory are kept that were in the way.
    replaced: PathBuf,
    done: Vec<String>,
}

impl FileMoves {
    pub(super) fn new(from: &Path, to: &Path) -> Self {
        Self {
            from: from.to_path_buf(),
            to: to.to_path_buf(),
            replaced: from.join("replaced"),
            done: Vec::new(),
        }
    }

    /// Moves everything. After an error, [`FileMoves::undo`] restores the previous state.
    pub(super) fn perform(&mut self) -> Result<(), StoreError> {
        fs::create_dir_all(&self.replaced).map_err(|error| failed(&self.replaced, error))?;
        for name in DOCUMENTS.into_iter().chain([SESSIONS, COMMITS]) {
            let (from, to) = (self.from.join(name), self.to.join(name));
            if !from.exists() {
                continue;
            }
            if to.exists() {
                let aside = self.replaced.join(name);
                fs::rename(&to, aside).map_err(|error| failed(&to, error))?;
            }
            self.done.push(name.to_owned());
            fs::rename(&from, &to).map_err(|error| failed(&to, error))?;
        }
        Ok(())
    }

    /// Moves everything back. What can't be moved is unknown to the database, and so without effect.
    pub(super) fn undo(&mut self) {
        for name in self.done.drain(..) {
            let _ = fs::rename(self.to.join(&name), self.from.join(&name));
            let _ = fs::rename(self.replaced.join(&name), self.to.join(&name));
        }
    }

    /// The rows are stored: what was in the way belongs to nothing.
    pub(super) fn forget_replaced(self) {
        let _ = fs::remove_dir_all(self.replaced);
    }
}

fn failed(path: &Path, source: std::io::Error) -> StoreError {
    StoreError::Io {
        path: path.to_path_buf(),
        source,
    }
}
