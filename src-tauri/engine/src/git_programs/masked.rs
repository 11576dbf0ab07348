//! Changes as the evidence shows them.

use baton_model::evidence::{GitChange, GitFile};

use super::comparison::RecordedChange;
use super::file_state::FileState;

impl RecordedChange {
    /// The change for evidence, with `mask` applied to every text that comes from the repository.
    pub(crate) fn masked(&self, mask: impl Fn(&str) -> String) -> GitChange {
        let all = |values: &[String]| values.iter().map(|value| mask(value)).collect();
        let change = match self {
            Self::Setting {
                file,
                key,
                before,
                after,
            } => GitChange::Setting {
                file: file.clone(),
                key: mask(key),
                before: all(before),
                after: all(after),
            },
            Self::File {
                file,
                role,
                before,
                after,
            } => {
                let (before, after) = (before.masked(&mask), after.masked(&mask));
                GitChange::File {
                    file: file.clone(),
                    role: *role,
                    before,
                    after,
                }
            }
        };
        change.for_display()
    }
}

impl FileState {
    fn masked(&self, mask: impl Fn(&str) -> String) -> GitFile {
        match self {
            Self::Absent => GitFile::Absent,
            Self::File { mode, content } => GitFile::File {
                bytes: content.len() as u64,
                executable: mode & 0o111 != 0,
                text: mask(&String::from_utf8_lossy(content)),
            },
            Self::Large { mode, bytes, .. } => GitFile::File {
                bytes: *bytes,
                executable: mode & 0o111 != 0,
                text: String::new(),
            },
            Self::Link { target } => GitFile::Link {
                target: mask(target),
            },
            Self::Other { what } => GitFile::Other { what: what.clone() },
        }
    }
}
