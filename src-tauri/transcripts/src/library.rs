//! The histories of this machine behind one handle.

use std::path::Path;
use std::sync::Arc;

use crate::index::Index;
use crate::index::list::{self, Filter, Page, Part, ProjectRow, Row, Sort};
use crate::index::search::{self, Hits};
use crate::{Homes, TranscriptsError};

/// How far the index is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Progress {
    /// Files are being read for the list.
    pub listing: bool,
    /// Text is being read for the search.
    pub reading: bool,
    /// Bytes read so far in this round.
    pub bytes_done: u64,
    /// Bytes to read in this round.
    pub bytes_total: u64,
    /// What could not be read, as sentences.
    pub trouble: Vec<String>,
}

/// The agents' histories, and the index over them.
#[derive(Debug, Clone)]
pub struct Library {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    homes: Homes,
    index: Index,
}

impl Library {
    /// The histories in `homes`, with the index in the data directory. Reads and writes nothing yet.
    #[must_use]
    pub fn of(data: &Path, homes: Homes) -> Self {
        Self { inner: Arc::new(Inner { homes, index: Index::of(data) }) }
    }

    /// Where histories are looked for.
    #[must_use]
    pub fn homes(&self) -> &Homes {
        &self.inner.homes
    }

    /// How far the index is.
    #[must_use]
    pub fn progress(&self) -> Progress {
        Progress::default()
    }

    /// Makes the index anew.
    pub fn rebuild(&self) -> Result<(), TranscriptsError> {
        self.inner.index.delete()?;
        self.inner.index.writer().map(|_| ())
    }

    /// A part of the list.
    pub fn page(&self, filter: &Filter, sort: Sort, part: Part) -> Result<Page, TranscriptsError> {
        match self.inner.index.reader()? {
            Some(connection) => list::page(&connection, filter, sort, part),
            None => Ok(Page::default()),
        }
    }

    /// One transcript.
    pub fn get(&self, id: &str) -> Result<Row, TranscriptsError> {
        let connection = self.inner.index.reader()?;
        let row = connection.map(|connection| list::get(&connection, id)).transpose()?.flatten();
        row.ok_or_else(|| TranscriptsError::Missing { id: id.to_owned() })
    }

    /// The working directories, the latest first.
    pub fn projects(&self) -> Result<Vec<ProjectRow>, TranscriptsError> {
        match self.inner.index.reader()? {
            Some(connection) => list::projects(&connection),
            None => Ok(Vec::new()),
        }
    }

    /// Transcripts in which words were said.
    pub fn search(&self, text: &str, filter: &Filter, part: Part) -> Result<Hits, TranscriptsError> {
        match self.inner.index.reader()? {
            Some(connection) => search::search(&connection, text, filter, part),
            None => Ok(Hits::default()),
        }
    }
}
