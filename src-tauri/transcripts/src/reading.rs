//! One transcript, read as a timeline.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::ops::Range;
use std::os::unix::fs::FileExt as _;
use std::path::PathBuf;

use baton_agents::timeline::ReadAt;
use baton_agents::{LogFormat, Stream, TimelineEntry, TimelineIndex};

use crate::index::list::Row;
use crate::{Agent, TranscriptsError};

/// How much of a file is read at once.
const CHUNK: usize = 1024 * 1024;

/// A transcript with the index of its entries. It follows the file while it grows.
#[derive(Debug)]
pub struct Reading {
    path: PathBuf,
    index: TimelineIndex,
}

impl Reading {
    /// The transcript of a row. Nothing is read yet.
    #[must_use]
    pub fn of(row: &Row) -> Self {
        Self { path: row.path.clone(), index: TimelineIndex::new(format_of(row.agent)) }
    }

    /// Reads what is new.
    pub fn catch_up(&mut self) -> Result<(), TranscriptsError> {
        let path = self.path.clone();
        self.read().map_err(TranscriptsError::at(&path))
    }

    fn read(&mut self) -> io::Result<()> {
        let mut file = File::open(&self.path)?;
        let mut offset = self.index.position(Stream::Stdout);
        file.seek(SeekFrom::Start(offset))?;
        let mut chunk = vec![0; CHUNK];
        loop {
            let length = file.read(&mut chunk)?;
            if length == 0 {
                return Ok(());
            }
            self.index.feed(Stream::Stdout, offset, &chunk[..length]).map_err(io::Error::other)?;
            offset += length as u64;
        }
    }

    /// The index of the entries.
    #[must_use]
    pub fn index(&self) -> &TimelineIndex {
        &self.index
    }

    /// The entries in a range, with long texts cut.
    pub fn page(&self, range: Range<u64>) -> Result<Vec<TimelineEntry>, TranscriptsError> {
        self.log().and_then(|mut log| self.index.page(range, &mut log)).map_err(TranscriptsError::at(&self.path))
    }

    /// An entry, whole up to a limit.
    pub fn entry(&self, seq: u64) -> Result<Option<TimelineEntry>, TranscriptsError> {
        self.log().and_then(|mut log| self.index.entry_full(seq, &mut log)).map_err(TranscriptsError::at(&self.path))
    }

    fn log(&self) -> io::Result<Log> {
        File::open(&self.path).map(Log)
    }
}

/// What the records of an agent's own file are.
fn format_of(agent: Agent) -> LogFormat {
    match agent {
        Agent::Claude => LogFormat::ClaudeStream,
        Agent::Codex | Agent::Gemini | Agent::Opencode | Agent::Pi => LogFormat::Plain,
    }
}

struct Log(File);

impl ReadAt for Log {
    fn read_at(&mut self, _: Stream, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read_at(buffer, offset)
    }
}
