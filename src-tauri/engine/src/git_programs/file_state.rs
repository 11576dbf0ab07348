//! The content at a path that git reads, without following links and without blocking.

use std::fs;
use std::io::{self, Read as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use baton_keeper::session_file::{self, FileKind, UnexpectedFile};
use baton_model::evidence::GitFileRole;
use serde::{Deserialize, Serialize};

/// Larger files are compared by size and time.
const MAX_FILE_SIZE: u64 = 1024 * 1024;

/// The content at a path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub(crate) enum FileState {
    Absent,
    File {
        mode: u32,
        #[serde(with = "bytes_as_text")]
        content: Vec<u8>,
    },
    /// A file that is too large to be saved.
    Large {
        mode: u32,
        bytes: u64,
        inode: u64,
        changed: i64,
        changed_ns: i64,
    },
    Link {
        target: String,
    },
    /// Something else, or unreadable.
    Other {
        what: String,
    },
}

impl FileState {
    pub(super) fn read(path: &Path) -> Self {
        Self::try_read(path).unwrap_or_else(|error| Self::from_refusal(path, &error))
    }

    fn try_read(path: &Path) -> io::Result<Self> {
        let file = session_file::open(path)?;
        let known = file.metadata()?;
        let mode = known.mode() & 0o7777;
        let mut content = Vec::new();
        if known.len() <= MAX_FILE_SIZE {
            // The file may grow meanwhile.
            file.take(MAX_FILE_SIZE + 1).read_to_end(&mut content)?;
        }
        if known.len() > MAX_FILE_SIZE || content.len() as u64 > MAX_FILE_SIZE {
            let (changed, changed_ns) = (known.ctime(), known.ctime_nsec());
            return Ok(Self::Large {
                mode,
                bytes: known.len(),
                inode: known.ino(),
                changed,
                changed_ns,
            });
        }
        Ok(Self::File { mode, content })
    }

    fn from_refusal(path: &Path, error: &io::Error) -> Self {
        match (UnexpectedFile::find_in(error), error.kind()) {
            (
                Some(UnexpectedFile {
                    kind: FileKind::Link,
                    ..
                }),
                _,
            ) => match fs::read_link(path) {
                Ok(target) => Self::Link {
                    target: target.to_string_lossy().into_owned(),
                },
                Err(error) => Self::Other {
                    what: error.kind().to_string(),
                },
            },
            (Some(found), _) => Self::Other {
                what: found.kind.to_string(),
            },
            (None, io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Self::Absent,
            (None, kind) => Self::Other {
                what: kind.to_string(),
            },
        }
    }

    /// Returns whether git treats both in the same way. Only hooks have to be executable.
    pub(super) fn is_same(&self, other: &Self, role: GitFileRole) -> bool {
        match (self, other) {
            (Self::File { content: one, .. }, Self::File { content: two, .. })
                if role != GitFileRole::Hook =>
            {
                one == two
            }
            _ => self == other,
        }
    }

    /// The settings in it, if it is a file. A missing file has none.
    pub(super) fn content(&self) -> Option<&[u8]> {
        match self {
            Self::Absent => Some(&[]),
            Self::File { content, .. } => Some(content),
            _ => None,
        }
    }
}

/// Bytes as a string of the first 256 characters: short for mostly ASCII content, and lossless.
mod bytes_as_text {
    use serde::de::Error as _;
    use serde::{Deserialize as _, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(
            &bytes
                .iter()
                .map(|&byte| char::from(byte))
                .collect::<String>(),
        )
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<u8>, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.chars()
            .map(u8::try_from)
            .collect::<Result<_, _>>()
            .map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_round_trip_through_serde() {
        let state = FileState::File {
            mode: 0o755,
            content: (0..=255).collect(),
        };
        let stored = serde_json::to_string(&state).expect("JSON");
        assert_eq!(
            serde_json::from_str::<FileState>(&stored).expect("the same"),
            state
        );
    }

    #[test]
    fn links_pipes_and_large_files_are_distinguished_without_blocking() {
        let folder = tempfile::tempdir().expect("temp dir");
        let at = |name: &str| folder.path().join(name);
        std::os::unix::fs::symlink("/etc/passwd", at("link")).expect("create link");
        nix::unistd::mkfifo(&at("pipe"), nix::sys::stat::Mode::S_IRWXU).expect("create pipe");
        fs::File::create(at("large"))
            .and_then(|file| file.set_len(MAX_FILE_SIZE + 1))
            .expect("create file");
        assert_eq!(
            FileState::read(&at("link")),
            FileState::Link {
                target: "/etc/passwd".to_owned()
            }
        );
        assert_eq!(
            FileState::read(&at("pipe")),
            FileState::Other {
                what: "a named pipe (FIFO)".to_owned()
            }
        );
        assert_eq!(FileState::read(&at("none")), FileState::Absent);
        assert_eq!(FileState::read(&at("large/below")), FileState::Absent);
        assert!(
            matches!(FileState::read(&at("large")), FileState::Large { bytes, .. } if bytes == MAX_FILE_SIZE + 1)
        );
    }
}
