//! Tells what others write into the agents' databases from what our own reading does to the files beside them.
//!
//! Whoever reads a database in WAL mode that nobody else has open makes its log and empties its shared memory. That is
//! told by the watch like any change, and would make us read again, for ever.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::source::FileStamp;

/// Two writes within one tick of the kernel's clock bear the same time.
const CLOCK_RESOLUTION: Duration = Duration::from_millis(20);

/// The databases as they were when they were last read.
#[derive(Debug, Default)]
pub(crate) struct DatabaseSnapshots(BTreeMap<PathBuf, DatabaseState>);

/// What changes when somebody writes: the database or its log. An empty log holds as much as none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct DatabaseState {
    database: Option<FileStamp>,
    log: Option<FileStamp>,
}

impl DatabaseSnapshots {
    /// Notes how a database is. To be called before it is read: what is written meanwhile is then seen as new.
    pub(crate) fn record(&mut self, database: PathBuf) {
        let content = DatabaseState::read(&database);
        if content.is_settled() {
            self.0.insert(database, content);
        } else {
            self.0.remove(&database);
        }
    }

    /// Whether nobody has written into a database since it was noted.
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

    /// Whether a further write would bear another time.
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
