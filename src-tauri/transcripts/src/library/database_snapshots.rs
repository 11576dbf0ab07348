//! Distinguishes writes of others to the agents' databases from the effects of our own reading.
//!
//! Opening a database in WAL mode that no other process has open creates its log and empties its
//! shared memory. The watcher reports that like any change, and without this check the indexer
//! would keep rereading the database forever.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::source::FileStamp;

/// Two writes within one tick of the kernel's clock have the same time.
const CLOCK_RESOLUTION: Duration = Duration::from_millis(20);

/// The state of each database when it was last read.
#[derive(Debug, Default)]
pub(crate) struct DatabaseSnapshots(BTreeMap<PathBuf, DatabaseState>);

/// Changes with every write: the database or its log. An empty log counts as a missing one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct DatabaseState {
    database: Option<FileStamp>,
    log: Option<FileStamp>,
}

impl DatabaseSnapshots {
    /// Records the state of a database. Call this before reading it, so that a write during the
    /// read counts as new.
    pub(crate) fn record(&mut self, database: PathBuf) {
        let content = DatabaseState::read(&database);
        if content.is_settled() {
            self.0.insert(database, content);
        } else {
            self.0.remove(&database);
        }
    }

    /// Whether a database was not written to since its state was recorded.
    pub(crate) fn is_unchanged(&self, database: &Path) -> bool {
        self.0
            .get(database)
            .is_some_and(|noted| *noted == DatabaseState::read(database))
    }
}

impl DatabaseState {
    fn read(database: &Path) -> Self {
        let stamp = |path: &Path| {
            path.metadata()
                .ok()
                .map(|metadata| FileStamp::from_metadata(&metadata))
        };
        let mut log = database.as_os_str().to_owned();
        log.push("-wal");
        Self {
            database: stamp(database),
            log: stamp(Path::new(&log)).filter(|log| log.size > 0),
        }
    }

    /// Whether any further write would have a later time.
    fn is_settled(&self) -> bool {
        let now = SystemTime::now()
            .duration_since(SystemTime::UNIX_EPOCH)
            .unwrap_or_default()
            .as_nanos();
        let far = |stamp: &FileStamp| {
            i128::from(stamp.modified).abs_diff(now.cast_signed()) > CLOCK_RESOLUTION.as_nanos()
        };
        [self.database, self.log].iter().flatten().all(far)
    }
}
