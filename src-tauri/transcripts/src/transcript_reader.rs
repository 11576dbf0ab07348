//! Reading of one transcript as a timeline.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::ops::Range;
use std::os::unix::fs::FileExt as _;
use std::path::PathBuf;

use baton_agents::timeline::ReadAt;
use baton_agents::{Stream, TimelineEntry, TimelineIndex};

use crate::history_reader::HistoryReader;
use crate::index::list::TranscriptRow;
use crate::{Agent, TranscriptsError, source};

/// The number of bytes read at once.
const CHUNK: usize = 1024 * 1024;

/// A transcript with the index of its entries. It follows a growing file, and restarts when the
/// file was replaced.
#[derive(Debug)]
pub struct TranscriptReader {
    agent: Agent,
    path: PathBuf,
    state: Option<State>,
}

/// The part that was read.
#[derive(Debug)]
struct State {
    /// The agent's own file, or the converted lines.
    lines: File,
    index: TimelineIndex,
    /// The fingerprint of the part that was read.
    mark: i64,
    /// For converted histories: the time of the last record and the size, as in the list.
    version: Version,
    /// The size of the lines, in bytes.
    size: u64,
}

type Version = (Option<i64>, u64);

impl TranscriptReader {
    /// A reader for the transcript of a row. Reads nothing yet.
    #[must_use]
    pub fn new(row: &TranscriptRow) -> Self {
        Self {
            agent: row.agent,
            path: row.path.clone(),
            state: None,
        }
    }

    /// Reads everything new, up to the state in `row`.
    pub fn catch_up(&mut self, row: &TranscriptRow) -> Result<(), TranscriptsError> {
        self.read_until(row, &|_| false)
    }

    /// Reads new lines until `enough` returns true, which is checked after each chunk.
    /// [`TranscriptReader::partial_progress`] returns how much is left.
    pub fn read_until(
        &mut self,
        row: &TranscriptRow,
        enough: &dyn Fn(&TimelineIndex) -> bool,
    ) -> Result<(), TranscriptsError> {
        if self.path != row.path {
            *self = Self::new(row);
        }
        let path = self.path.clone();
        self.read((row.ended_at, row.bytes), enough)
            .map_err(TranscriptsError::at(&path))
    }

    /// The number of bytes read and the total; `None` when everything was read.
    #[must_use]
    pub fn partial_progress(&self) -> Option<(u64, u64)> {
        let state = self.state.as_ref()?;
        let read = state.index.position(Stream::Stdout);
        (read < state.size).then_some((read, state.size))
    }

    fn read(
        &mut self,
        version: Version,
        enough: &dyn Fn(&TimelineIndex) -> bool,
    ) -> io::Result<()> {
        let mut state = match self.state.take() {
            Some(state) if self.is_continuation(&state, version)? => state,
            _ => State {
                lines: HistoryReader::of(self.agent).open_lines(&self.path)?,
                index: TimelineIndex::new(self.agent.layout().format),
                mark: 0,
                version,
                size: 0,
            },
        };
        state.size = state.lines.metadata()?.len();
        let mut offset = state.index.position(Stream::Stdout);
        state.lines.seek(SeekFrom::Start(offset))?;
        let mut chunk = vec![0; CHUNK];
        loop {
            let length = state.lines.read(&mut chunk)?;
            if length == 0 {
                break;
            }
            state
                .index
                .feed(Stream::Stdout, offset, &chunk[..length])
                .map_err(io::Error::other)?;
            offset += length as u64;
            if offset < state.size && enough(&state.index) {
                break;
            }
        }
        state.size = state.size.max(offset);
        state.mark = source::fingerprint(&state.lines, offset)?;
        state.version = version;
        self.state = Some(state);
        Ok(())
    }

    /// Whether the file continues the part that was read.
    fn is_continuation(&self, state: &State, version: Version) -> io::Result<bool> {
        if !HistoryReader::of(self.agent).is_append_only() {
            return Ok(state.version == version);
        }
        let read_to = state.index.position(Stream::Stdout);
        let now = source::open(&self.path)?;
        let is_same = source::FileStamp::from_metadata(&now.metadata()?).inode
            == source::FileStamp::from_metadata(&state.lines.metadata()?).inode;
        Ok(is_same
            && now.metadata()?.len() >= read_to
            && source::fingerprint(&now, read_to)? == state.mark)
    }

    /// The index of the entries; `None` before the first [`TranscriptReader::catch_up`].
    #[must_use]
    pub fn index(&self) -> Option<&TimelineIndex> {
        self.state.as_ref().map(|state| &state.index)
    }

    /// The entries in a range, with long texts truncated.
    pub fn page(&self, range: Range<u64>) -> Result<Vec<TimelineEntry>, TranscriptsError> {
        let Some(state) = &self.state else {
            return Ok(Vec::new());
        };
        state
            .index
            .page(range, &mut Log(&state.lines))
            .map_err(TranscriptsError::at(&self.path))
    }

    /// One entry, with texts up to [`FULL_LIMIT`](baton_agents::timeline::FULL_LIMIT).
    pub fn entry(&self, seq: u64) -> Result<Option<TimelineEntry>, TranscriptsError> {
        let Some(state) = &self.state else {
            return Ok(None);
        };
        state
            .index
            .entry_full(seq, &mut Log(&state.lines))
            .map_err(TranscriptsError::at(&self.path))
    }
}

struct Log<'a>(&'a File);

impl ReadAt for Log<'_> {
    fn read_at(&mut self, _: Stream, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read_at(buffer, offset)
    }
}
