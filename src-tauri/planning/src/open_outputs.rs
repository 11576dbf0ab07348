//! The outputs that are open in this process: what is known about the order and the lines of their
//! bytes. The bytes themselves are read for each request. Nothing here knows
//! [`Context`](crate::Context), which owns this cache.

use std::collections::{HashMap, VecDeque};
use std::fs::File;
use std::io::{self, BufReader};
use std::os::unix::fs::FileExt as _;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use baton_keeper::{
    ClockReader, Exit, Growth, Liveness, STDERR, STDOUT, Stream, liveness, session_file,
};
use baton_model::SessionId;
use baton_output::{
    LineNumbers, OutputSource, OutputStream, OutputView, PrintOrder, StreamGrowth, StreamLengths,
};

/// How far an output goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutputExtent {
    /// Bytes of both streams.
    pub size: u64,
    /// Rows before this position keep their place.
    pub settled: u64,
    /// The session has ended.
    pub ended: bool,
}

/// The maximum number of open outputs; the least recently used one is dropped first.
const MAX_OPEN_OUTPUTS: usize = 8;

/// The open outputs of sessions.
#[derive(Default)]
pub(crate) struct SessionOutputs {
    open: HashMap<SessionId, Arc<Mutex<SessionOutput>>>,
    order: VecDeque<SessionId>,
}

impl SessionOutputs {
    /// The open output of `session`, or a new one.
    pub(crate) fn open(
        &mut self,
        session: SessionId,
        folder: PathBuf,
    ) -> Arc<Mutex<SessionOutput>> {
        self.order.retain(|other| *other != session);
        self.order.push_back(session);
        while self.order.len() > MAX_OPEN_OUTPUTS {
            let oldest = self.order.pop_front();
            self.open.retain(|session, _| Some(*session) != oldest);
        }
        let output = self.open.entry(session);
        Arc::clone(output.or_insert_with(|| Arc::new(Mutex::new(SessionOutput::new(folder)))))
    }
}

/// What is known about one session's output.
pub(crate) struct SessionOutput {
    pub(crate) files: StreamFiles,
    pub(crate) order: PrintOrder,
    pub(crate) lines: LineNumbers,
    pub(crate) ended: bool,
    clock: Option<ClockReader<BufReader<File>>>,
}

impl SessionOutput {
    fn new(folder: PathBuf) -> Self {
        Self {
            files: StreamFiles {
                folder,
                stdout: None,
                stderr: None,
            },
            order: PrintOrder::default(),
            lines: LineNumbers::default(),
            ended: false,
            clock: None,
        }
    }

    pub(crate) fn view(&mut self) -> OutputView<'_> {
        OutputView {
            source: &mut self.files,
            order: &self.order,
            lines: &self.lines,
        }
    }

    pub(crate) fn extent(&self) -> OutputExtent {
        let size = self.order.size();
        OutputExtent {
            size,
            settled: if self.ended {
                size
            } else {
                self.order.settled()
            },
            ended: self.ended,
        }
    }

    /// Reads what the keeper noted since the last call, and the lengths of the streams.
    pub(crate) fn refresh(&mut self) -> io::Result<()> {
        if self.ended {
            return Ok(());
        }
        let folder = &self.files.folder;
        // Checked before reading, so that output written meanwhile is read by the next call.
        let over = Exit::read(folder).map_err(io::Error::other)?.is_some()
            || matches!(liveness(folder), Ok(Liveness::Lost));
        if self.clock.is_none() {
            self.clock = ClockReader::open(folder)?;
        }
        // The clock first: a length that it notes was written before.
        let clock = self.clock.iter_mut().flatten();
        let notes: Vec<StreamGrowth> = clock
            .map(|growth| growth.map(stream_growth))
            .collect::<io::Result<_>>()?;
        let lengths = self.files.lengths()?;
        self.order.update(notes, lengths);
        self.ended = over;
        Ok(())
    }
}

fn stream_growth(growth: Growth) -> StreamGrowth {
    StreamGrowth {
        at_ms: i64::try_from(growth.unix_ms).unwrap_or(i64::MAX),
        stream: match growth.stream {
            Stream::Stdout => OutputStream::Stdout,
            Stream::Stderr => OutputStream::Stderr,
        },
        length: growth.offset_after,
    }
}

/// The files of a session's streams. They stay open: the next request reads them too.
pub(crate) struct StreamFiles {
    pub(crate) folder: PathBuf,
    stdout: Option<File>,
    stderr: Option<File>,
}

impl StreamFiles {
    fn lengths(&mut self) -> io::Result<StreamLengths> {
        let mut length = |stream| match self.file(stream)? {
            Some(file) => file.metadata().map(|found| found.len()),
            None => Ok(0),
        };
        Ok(StreamLengths {
            stdout: length(OutputStream::Stdout)?,
            stderr: length(OutputStream::Stderr)?,
        })
    }

    /// `None` while nothing was printed.
    fn file(&mut self, stream: OutputStream) -> io::Result<Option<&File>> {
        let (place, name) = match stream {
            OutputStream::Stdout => (&mut self.stdout, STDOUT),
            OutputStream::Stderr => (&mut self.stderr, STDERR),
        };
        if place.is_none() {
            *place = match session_file::open(&self.folder.join(name)) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => None,
                opened => Some(opened?),
            };
        }
        Ok(place.as_ref())
    }
}

impl OutputSource for StreamFiles {
    fn read_at(
        &mut self,
        stream: OutputStream,
        offset: u64,
        buffer: &mut [u8],
    ) -> io::Result<usize> {
        self.file(stream)?
            .map_or(Ok(0), |file| file.read_at(buffer, offset))
    }
}
