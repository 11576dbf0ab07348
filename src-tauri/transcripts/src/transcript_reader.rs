//! Reading of one transcript as a timeline.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::ops::Range;
use std::os::unix::fs::FileExt as _;
use std::path::PathBuf;

use baton_agents::timeline::{LogLengths, ReadAt, open_end, read_end};
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
    /// The end, if it was asked for.
    end: Option<State>,
}

/// A part that was read: from the start, or the end.
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
            end: None,
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

    /// Whether the end can be read without the rest.
    ///
    /// Claude, Codex and pi append lines. Gemini and opencode may replace any message later, so
    /// their histories are converted as a whole, and the end is there when all of it was read.
    #[must_use]
    pub fn has_end(&self) -> bool {
        HistoryReader::of(self.agent).is_append_only()
    }

    /// Reads the end of the file, as far as it goes now, into an index of its own. Only for a
    /// transcript that [has one](Self::has_end).
    pub fn read_end(&mut self, row: &TranscriptRow) -> Result<(), TranscriptsError> {
        if self.path != row.path {
            *self = Self::new(row);
        }
        let path = self.path.clone();
        self.read_lines_of_end((row.ended_at, row.bytes))
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

    fn read_lines_of_end(&mut self, version: Version) -> io::Result<()> {
        let mut end = match self.end.take() {
            Some(end) if self.is_continuation(&end, version)? => end,
            _ => self.open_end(version)?,
        };
        end.size = end.lines.metadata()?.len();
        let lengths = lines_of(end.size);
        read_end(&mut end.index, &mut Log(&end.lines), lengths)?;
        let read_to = end.index.position(Stream::Stdout);
        end.mark = source::fingerprint(&end.lines, read_to)?;
        self.end = Some(end);
        Ok(())
    }

    fn open_end(&self, version: Version) -> io::Result<State> {
        let lines = source::open(&self.path)?;
        let size = lines.metadata()?.len();
        let format = self.agent.layout().format;
        Ok(State {
            index: open_end(format, &mut Log(&lines), lines_of(size))?,
            lines,
            mark: 0,
            version,
            size,
        })
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

    /// The index of the end; `None` before the first [`TranscriptReader::read_end`].
    #[must_use]
    pub fn end_index(&self) -> Option<&TimelineIndex> {
        self.end.as_ref().map(|end| &end.index)
    }

    /// The entries in a range, with long texts truncated.
    pub fn page(&self, range: Range<u64>) -> Result<Vec<TimelineEntry>, TranscriptsError> {
        self.page_in(self.state.as_ref(), range)
    }

    /// As [`TranscriptReader::page`]; the range counts in the end.
    pub fn page_of_end(&self, range: Range<u64>) -> Result<Vec<TimelineEntry>, TranscriptsError> {
        self.page_in(self.end.as_ref(), range)
    }

    fn page_in(
        &self,
        part: Option<&State>,
        range: Range<u64>,
    ) -> Result<Vec<TimelineEntry>, TranscriptsError> {
        let Some(part) = part else {
            return Ok(Vec::new());
        };
        part.index
            .page(range, &mut Log(&part.lines))
            .map_err(TranscriptsError::at(&self.path))
    }

    /// One entry, with texts up to [`FULL_LIMIT`](baton_agents::timeline::FULL_LIMIT).
    pub fn entry(&self, seq: u64) -> Result<Option<TimelineEntry>, TranscriptsError> {
        self.entry_in(self.state.as_ref(), seq)
    }

    /// As [`TranscriptReader::entry`]; `seq` counts in the end.
    pub fn entry_of_end(&self, seq: u64) -> Result<Option<TimelineEntry>, TranscriptsError> {
        self.entry_in(self.end.as_ref(), seq)
    }

    fn entry_in(
        &self,
        part: Option<&State>,
        seq: u64,
    ) -> Result<Option<TimelineEntry>, TranscriptsError> {
        let Some(part) = part else {
            return Ok(None);
        };
        part.index
            .entry_full(seq, &mut Log(&part.lines))
            .map_err(TranscriptsError::at(&self.path))
    }
}

/// The lengths of a log that has only one file.
fn lines_of(size: u64) -> LogLengths {
    LogLengths {
        stdout: size,
        stderr: 0,
    }
}

struct Log<'a>(&'a File);

impl ReadAt for Log<'_> {
    fn read_at(&mut self, _: Stream, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read_at(buffer, offset)
    }
}
