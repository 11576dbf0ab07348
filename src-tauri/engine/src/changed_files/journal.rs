//! The state that the next process needs if this one dies while an attempt runs: the files, and
//! their changes since.
//!
//! A journal starts with everything known and appends each change, one JSON value a line. Its file
//! is locked while its process lives, so a journal is never read while it is still being written.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File, OpenOptions};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{self, BufRead as _, BufReader, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use baton_model::SessionId;
use serde::{Deserialize, Serialize};

use super::change_tally::Tally;
use super::file_state::FileState;
use super::tree::{Change, Known, Tree};

/// The folder of the journals, in the data directory.
const FOLDER: &str = "file-journals";
/// The growth in bytes after which a journal is rewritten.
const GROWTH_LIMIT: u64 = 16 * 1024 * 1024;

/// An attempt that works below a root.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Worker {
    /// The title of the attempt's node.
    pub(crate) title: String,
    /// Its changes; `None` if they are not needed, because its root is another or its work has
    /// ended.
    pub(crate) tally: Option<Tally>,
    /// Whether it is from a process that died, and has no follower since.
    #[serde(skip)]
    pub(crate) is_orphan: bool,
}

/// The attempts that work below a root.
pub(crate) type Workers = BTreeMap<SessionId, Worker>;

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Record {
    Opened(i64),
    Folder(String, HashMap<Box<str>, FileState>),
    ActiveSession(SessionId, Worker),
    Gone(SessionId),
    Changed(Vec<Entry>),
}

/// A changed file: its path, its old state and its new state.
#[derive(Serialize, Deserialize)]
struct Entry(String, Option<FileState>, Option<FileState>);

/// The journal of a root in this process.
#[derive(Debug)]
pub(crate) struct Journal {
    path: PathBuf,
    file: File,
    grown: u64,
    stays: bool,
}

impl Journal {
    /// Writes everything known to a new journal.
    pub(crate) fn begin(
        data_directory: &Path,
        root: &Path,
        tree: &Tree,
        workers: &Workers,
    ) -> io::Result<Self> {
        let folder = folder_of(data_directory, root);
        fs::create_dir_all(&folder)?;
        let name = SystemTime::now()
            .duration_since(SystemTime::UNIX_EPOCH)
            .unwrap_or_default()
            .as_nanos();
        let path = folder.join(format!("{name}-{}.jsonl", std::process::id()));
        let file = OpenOptions::new()
            .create_new(true)
            .append(true)
            .open(&path)?;
        file.try_lock().map_err(io::Error::from)?;
        let mut writer = BufWriter::new(&file);
        let (opened, folders) = tree.known();
        let mut write = |record: &Record| -> io::Result<()> {
            serde_json::to_writer(&mut writer, record)?;
            writer.write_all(b"\n")
        };
        write(&Record::Opened(opened))?;
        for (folder, files) in folders {
            write(&Record::Folder(folder.clone(), files.clone()))?;
        }
        for (session, worker) in workers {
            write(&Record::ActiveSession(*session, worker.clone()))?;
        }
        writer.flush()?;
        drop(writer);
        Ok(Self {
            path,
            file,
            grown: 0,
            stays: false,
        })
    }

    /// Records that a session works there from now on.
    pub(crate) fn session_started(
        &mut self,
        session: SessionId,
        worker: &Worker,
    ) -> io::Result<()> {
        self.append(&Record::ActiveSession(session, worker.clone()))
    }

    /// Records that a session no longer works there.
    pub(crate) fn session_ended(&mut self, session: SessionId) -> io::Result<()> {
        self.append(&Record::Gone(session))
    }

    /// Records changes during the presence of the current sessions.
    pub(crate) fn changed(&mut self, changes: &[Change]) -> io::Result<()> {
        let entry = |change: &Change| Entry(change.path.clone(), change.before, change.after);
        self.append(&Record::Changed(changes.iter().map(entry).collect()))
    }

    /// Keeps the file when this process ends.
    pub(crate) fn keep_on_drop(&mut self) {
        self.stays = true;
    }

    /// Whether the journal should be rewritten.
    pub(crate) fn needs_rotation(&self) -> bool {
        self.grown > GROWTH_LIMIT
    }

    fn append(&mut self, record: &Record) -> io::Result<()> {
        let mut line = serde_json::to_vec(record)?;
        line.push(b'\n');
        self.grown += line.len() as u64;
        self.file.write_all(&line)
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        if !self.stays {
            // If removal fails, the next process reads it and finds no session that still works.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// The last known state of a root, from a process that died.
#[derive(Debug, Default)]
pub(crate) struct Inheritance {
    /// The files as of its last write.
    pub(crate) known: Known,
    /// The sessions that were working.
    pub(crate) workers: Workers,
    files: Vec<PathBuf>,
}

impl Inheritance {
    /// Reads the journals of dead processes for `root`; `None` when no session was working. Of
    /// several the latest is used.
    pub(crate) fn of(data_directory: &Path, root: &Path) -> Option<Self> {
        let mut left: Vec<PathBuf> = fs::read_dir(folder_of(data_directory, root))
            .ok()?
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| File::open(path).is_ok_and(|file| file.try_lock().is_ok()))
            .collect();
        left.sort();
        let mut inheritance = read(left.last()?).unwrap_or_default();
        inheritance.files = left;
        if inheritance.workers.is_empty() {
            inheritance.discard();
            return None;
        }
        Some(inheritance)
    }

    /// Removes the files, once everything is written to a new journal.
    pub(crate) fn discard(&mut self) {
        for path in self.files.drain(..) {
            if let Err(error) = fs::remove_file(&path) {
                tracing::debug!(path = %path.display(), %error, "couldn't remove an old file journal");
            }
        }
    }
}

/// An incomplete last line is ignored: nothing was done because of it.
fn read(path: &Path) -> io::Result<Inheritance> {
    let mut inheritance = Inheritance::default();
    for line in BufReader::new(File::open(path)?).lines() {
        let line = line?;
        let Ok(record) = serde_json::from_str::<Record>(&line) else {
            break;
        };
        inheritance.take(record);
    }
    Ok(inheritance)
}

impl Inheritance {
    fn take(&mut self, record: Record) {
        match record {
            Record::Opened(opened) => self.known.opened = opened,
            Record::Folder(folder, files) => _ = self.known.folders.insert(folder, files),
            Record::ActiveSession(session, worker) => {
                _ = self.workers.insert(
                    session,
                    Worker {
                        is_orphan: true,
                        ..worker
                    },
                );
            }
            Record::Gone(session) => _ = self.workers.remove(&session),
            Record::Changed(entries) => {
                let changes = entries
                    .into_iter()
                    .map(|Entry(path, before, after)| Change {
                        path,
                        before,
                        after,
                    });
                let changes: Vec<Change> = changes.collect();
                add_to_all(&mut self.workers, &changes);
                changes
                    .into_iter()
                    .for_each(|change| self.known.apply(change));
            }
        }
    }
}

/// Attributes changes to the current workers: if there is only one, as its own.
pub(crate) fn add_to_all(workers: &mut Workers, changes: &[Change]) {
    let alone = workers.len() == 1;
    for tally in workers
        .values_mut()
        .filter_map(|worker| worker.tally.as_mut())
    {
        tally.add(changes, alone);
    }
}

fn folder_of(data_directory: &Path, root: &Path) -> PathBuf {
    let mut hasher = DefaultHasher::new();
    root.hash(&mut hasher);
    data_directory
        .join(FOLDER)
        .join(format!("{:016x}", hasher.finish()))
}
