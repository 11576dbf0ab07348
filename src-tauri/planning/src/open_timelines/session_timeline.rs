//! The timeline of one session that Baton ran: an index of where its entries are in its files. The
//! index is built once, follows the files while they grow, and only requested entries are read
//! again.

use std::collections::{HashMap, VecDeque};
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use baton_agents::timeline::{LogLengths, ReadAt, open_end, read_end};
use baton_agents::{LogFormat, Stream, TimelineEntry, TimelineIndex};
use baton_keeper::{Exit, INPUT, Input, Liveness, STDERR, STDOUT, liveness, session_file};
use baton_model::SessionId;

use super::clock::Clock;
use super::read_ahead::ReadAhead;
use super::timeline_reading::TimelineReading;

/// The maximum number of open timelines; the least recently used one is dropped first.
const MAX_OPEN_TIMELINES: usize = 8;
/// How many bytes of a file are read at once for the index.
const CHUNK: usize = 1024 * 1024;

/// The open timelines of sessions.
#[derive(Default)]
pub(crate) struct SessionTimelines {
    ready: HashMap<SessionId, Arc<Mutex<SessionTimeline>>>,
    order: VecDeque<SessionId>,
}

impl SessionTimelines {
    /// The open timeline of `session`, or a new one.
    pub(crate) fn open(
        &mut self,
        session: SessionId,
        folder: PathBuf,
        format: LogFormat,
    ) -> Arc<Mutex<SessionTimeline>> {
        self.order.retain(|other| *other != session);
        self.order.push_back(session);
        while self.order.len() > MAX_OPEN_TIMELINES {
            let oldest = self.order.pop_front();
            self.ready.retain(|session, _| Some(*session) != oldest);
        }
        let fresh = || SessionTimeline::new(folder, format);
        let timeline = self.ready.entry(session);
        Arc::clone(timeline.or_insert_with(|| Arc::new(Mutex::new(fresh()))))
    }
}

/// One session's output with the index of its entries.
pub(crate) struct SessionTimeline {
    pub(crate) folder: PathBuf,
    pub(crate) index: TimelineIndex,
    /// The index of the end, if it was asked for before all was read.
    end: Option<TimelineIndex>,
    clock: Clock,
    /// How many bytes of the input file were read.
    input_offset: u64,
    pub(crate) ended: bool,
    pub(crate) unread: Option<TimelineReading>,
    is_reading_ahead: bool,
}

impl ReadAhead for SessionTimeline {
    type Error = io::Error;

    fn read_on(&mut self, enough: &dyn Fn(u64) -> bool) -> io::Result<()> {
        if self.ended {
            return Ok(());
        }
        // Checked before reading, so that output written meanwhile is read by the next call.
        let over = Exit::read(&self.folder)
            .map_err(io::Error::other)?
            .is_some()
            || matches!(liveness(&self.folder), Ok(Liveness::Lost));
        self.read_input()?;
        let whole = self.read(Stream::Stdout, STDOUT, enough)?
            && self.read(Stream::Stderr, STDERR, enough)?;
        self.clock.catch_up(&self.folder)?;
        self.unread = if whole { None } else { Some(self.progress()) };
        if over && whole {
            self.index.finish();
            self.ended = true;
        }
        Ok(())
    }

    fn unread(&self) -> Option<TimelineReading> {
        self.unread
    }

    fn is_reading_ahead(&mut self) -> &mut bool {
        &mut self.is_reading_ahead
    }
}

impl SessionTimeline {
    fn new(folder: PathBuf, format: LogFormat) -> Self {
        Self {
            folder,
            index: TimelineIndex::new(format),
            end: None,
            clock: Clock::default(),
            input_offset: 0,
            ended: false,
            unread: None,
            is_reading_ahead: false,
        }
    }

    /// Reads a file until its end, or until the number of entries is `enough`. Returns whether it
    /// reached the end.
    fn read(
        &mut self,
        stream: Stream,
        name: &str,
        enough: &dyn Fn(u64) -> bool,
    ) -> io::Result<bool> {
        let mut file = match session_file::open(&self.folder.join(name)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
            opened => opened?,
        };
        let size = file.metadata()?.len();
        let mut offset = self.index.position(stream);
        file.seek(SeekFrom::Start(offset))?;
        let mut chunk = vec![0; CHUNK];
        loop {
            let length = file.read(&mut chunk)?;
            if length == 0 {
                return Ok(true);
            }
            self.index
                .feed(stream, offset, &chunk[..length])
                .map_err(io::Error::other)?;
            offset += length as u64;
            if offset < size && enough(self.index.len()) {
                return Ok(false);
            }
        }
    }

    /// Reads the end of the files, as far as they go now, into an index of its own.
    pub(crate) fn read_end(&mut self) -> io::Result<()> {
        let (lengths, mut log) = (self.lengths(), SessionLog::new(&self.folder));
        let mut end = match self.end.take() {
            Some(end) => end,
            None => open_end(self.index.format(), &mut log, lengths)?,
        };
        read_end(&mut end, &mut log, lengths)?;
        if self.ended {
            end.finish();
        }
        self.clock.catch_up(&self.folder)?;
        self.end = Some(end);
        Ok(())
    }

    /// The index of the end, if it was read.
    pub(crate) fn end(&self) -> Option<&TimelineIndex> {
        self.end.as_ref()
    }

    fn lengths(&self) -> LogLengths {
        let length = |name: &str| {
            self.folder
                .join(name)
                .symlink_metadata()
                .map_or(0, |found| found.len())
        };
        LogLengths {
            stdout: length(STDOUT),
            stderr: length(STDERR),
        }
    }

    fn progress(&self) -> TimelineReading {
        let LogLengths { stdout, stderr } = self.lengths();
        TimelineReading {
            read: self.index.position(Stream::Stdout) + self.index.position(Stream::Stderr),
            size: stdout + stderr,
        }
    }

    /// Reads the session's input file, up to the last complete line.
    fn read_input(&mut self) -> io::Result<()> {
        let mut file = match session_file::open(&self.folder.join(INPUT)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            opened => opened?,
        };
        file.seek(SeekFrom::Start(self.input_offset))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        for line in bytes
            .split_inclusive(|&byte| byte == b'\n')
            .filter(|line| line.ends_with(b"\n"))
        {
            self.input_offset += line.len() as u64;
            if let Ok(Input::Text { text, .. }) = serde_json::from_slice(line) {
                self.index.record_outgoing(&text);
            }
        }
        Ok(())
    }

    pub(crate) fn page(&self, range: std::ops::Range<u64>) -> io::Result<Vec<TimelineEntry>> {
        self.page_of(&self.index, range)
    }

    /// Entries of the index of the whole timeline or of its end.
    pub(crate) fn page_of(
        &self,
        index: &TimelineIndex,
        range: std::ops::Range<u64>,
    ) -> io::Result<Vec<TimelineEntry>> {
        let entries = index.page(range, &mut SessionLog::new(&self.folder))?;
        Ok(entries
            .into_iter()
            .map(|entry| self.with_times(entry))
            .collect())
    }

    /// Fills in times from the keeper's clock where the agent reports none.
    pub(crate) fn with_times(&self, mut entry: TimelineEntry) -> TimelineEntry {
        self.fill_time(&mut entry.at);
        if let baton_agents::timeline::TimelineKind::ToolCall {
            ended: Some(ended), ..
        } = &mut entry.kind
        {
            self.fill_time(ended);
        }
        entry
    }

    fn fill_time(&self, position: &mut baton_agents::timeline::Position) {
        position.at_ms = position
            .at_ms
            .or_else(|| self.clock.reached(position.stream, position.offset));
    }
}

/// The files of a session, opened on first use.
pub(crate) struct SessionLog {
    folder: PathBuf,
    files: HashMap<Stream, File>,
}

impl SessionLog {
    pub(crate) fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_path_buf(),
            files: HashMap::new(),
        }
    }
}

impl ReadAt for SessionLog {
    fn read_at(&mut self, stream: Stream, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        if !self.files.contains_key(&stream) {
            let name = match stream {
                Stream::Stdout => STDOUT,
                Stream::Stderr => STDERR,
            };
            self.files
                .insert(stream, session_file::open(&self.folder.join(name))?);
        }
        self.files
            .get(&stream)
            .map_or(Ok(0), |file| file.read_at(buffer, offset))
    }
}
