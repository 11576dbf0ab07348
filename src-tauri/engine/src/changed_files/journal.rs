//! What the next process needs when this one dies while an attempt runs: how the files were, and what changed since.
//!
//! A journal begins with all that is known and goes on with each change, one JSON value a line. Its file is locked for
//! as long as its process lives, so nobody reads a journal that still grows.

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
/// A journal that has grown by so much is begun again.
const GROWTH_LIMIT: u64 = 16 * 1024 * 1024;

/// Somebody who works below a root.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Worker {
    /// The title of its node.
    pub(crate) title: String,
    /// What it changed; `None` of one that is not asked about, as its root is another or it has ended its work.
    pub(crate) tally: Option<Tally>,
    /// Whether it is from a process that died, and nobody has followed it since.
    #[serde(skip)]
    pub(crate) is_orphan: bool,
}

/// Those who work below a root.
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

/// A changed file: its path, how it was and how it is.
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
    /// Writes down all that is known.
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

    /// Somebody works there from here on.
    pub(crate) fn session_started(
        &mut self,
        session: SessionId,
        worker: &Worker,
    ) -> io::Result<()> {
        self.append(&Record::ActiveSession(session, worker.clone()))
    }

    /// Somebody does not any more.
    pub(crate) fn session_ended(&mut self, session: SessionId) -> io::Result<()> {
        self.append(&Record::Gone(session))
    }

    /// Files changed while those were at work who are present.
    pub(crate) fn changed(&mut self, changes: &[Change]) -> io::Result<()> {
        let entry = |change: &Change| Entry(change.path.clone(), change.before, change.after);
        self.append(&Record::Changed(changes.iter().map(entry).collect()))
    }

    /// The file is there when this process is not.
    pub(crate) fn keep_on_drop(&mut self) {
        self.stays = true;
    }

    /// Whether it is time to begin another one.
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
            // One that cannot be removed is read by the next process, which finds nobody in it who still works.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// What a process that died left of a root.
#[derive(Debug, Default)]
pub(crate) struct Inheritance {
    /// How the files were when it wrote last.
    pub(crate) known: Known,
    /// Who was at work.
    pub(crate) workers: Workers,
    files: Vec<PathBuf>,
}

impl Inheritance {
    /// Reads what dead processes left of `root`; `None` when nobody was at work. Of several the latest counts.
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

    /// Removes the files, once all of it is written down again.
    pub(crate) fn discard(&mut self) {
        for path in self.files.drain(..) {
            if let Err(error) = fs::remove_file(&path) {
                tracing::debug!(path = %path.display(), %error, "an old journal of files stays");
            }
        }
    }
}

/// A last line that is cut off is not read: nobody acted on it.
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

/// Gives changes to those who are at work: to one who is alone as its own.
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
