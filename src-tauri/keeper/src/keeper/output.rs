//! Copies the program's output from its pipes to the session's files, complete and in order.
//!
//! Secrets are masked on the way, so that no file ever contains them. For a program that receives
//! input, the masked parts of its stdout are remembered, so that they can be quoted.
//!
//! Memory is bounded: at most one chunk is held. When the disk is full the keeper stops reading, so
//! that the program blocks in its next write, and retries. A file is created with its first byte:
//! many programs print nothing, and creating a file is among the most expensive operations of a
//! keeper.

use std::fs::File;
use std::io::{
    self, BufRead as _, BufReader, ErrorKind, PipeReader, Read as _, Seek as _, SeekFrom,
    Write as _,
};
use std::os::fd::{AsFd as _, BorrowedFd};
use std::time::{SystemTime, UNIX_EPOCH};

use baton_secrets::{Masker, Secrets};

use crate::clock::{ClockWriter, Growth, PACE, Stream};
use crate::folder;
use crate::quote::{Quote, Quoted};
use crate::session_file::{self, UnexpectedFile};

/// A longer line cannot be quoted.
const MAX_QUOTED_LINE: u64 = 64 * 1024 * 1024;
/// One read returns a whole pipe of the usual size.
const CHUNK: usize = 64 * 1024;
/// The first reads use less: a program that prints little then does not touch the memory of a whole
/// chunk.
const FIRST_CHUNK: usize = 4 * 1024;
/// The most consecutive reads before other work is handled: 1 MiB.
const MAX_READS_PER_TURN: usize = 16;
/// How long to hold back a few last bytes that may be the start of a secret, in milliseconds.
/// Longer parts are held until more follows, or the program ends.
const MASKER_HOLD_MS: u64 = 250;
/// The milliseconds between two attempts to write to a full disk.
const DISK_RETRY_MS: u64 = 250;

/// Both outputs of the program.
#[derive(Debug)]
pub(super) struct Output {
    flows: [Flow; 2],
    chunk: Vec<u8>,
    clock: ClockWriter,
    clock_due: Option<u64>,
    stall: Option<Stall>,
    abandoned: bool,
}

#[derive(Debug)]
struct Flow {
    stream: Stream,
    pipe: Option<PipeReader>,
    name: &'static str,
    file: Option<File>,
    stored: u64,
    held: Vec<u8>,
    masker: Masker,
    /// When the stream has been idle for long enough.
    pause_due: Option<u64>,
}

/// A disk that is full.
#[derive(Debug)]
struct Stall {
    since: u64,
    retry: u64,
    reported: bool,
    error: io::Error,
}

impl Output {
    /// Stores the content of non-blocking pipes in the current folder.
    pub(super) fn new(
        stdout: PipeReader,
        stderr: PipeReader,
        secrets: &Secrets,
        is_answered: bool,
    ) -> Output {
        let masker = || Masker::new(secrets.clone());
        let flow = |stream, pipe, name, masker| Flow {
            stream,
            pipe: Some(pipe),
            name,
            file: None,
            stored: 0,
            held: Vec::new(),
            masker,
            pause_due: None,
        };
        let of_stdout = if is_answered {
            masker().with_memory()
        } else {
            masker()
        };
        Output {
            flows: [
                flow(Stream::Stdout, stdout, folder::STDOUT, of_stdout),
                flow(Stream::Stderr, stderr, folder::STDERR, masker()),
            ],
            chunk: vec![0; FIRST_CHUNK],
            clock: ClockWriter::default(),
            clock_due: None,
            stall: None,
            abandoned: false,
        }
    }

    /// The bytes stored so far: stdout, stderr.
    pub(super) fn stored(&self) -> (u64, u64) {
        (self.flows[0].stored, self.flows[1].stored)
    }

    /// The unmasked value for a quote of stdout; `None` when it is no longer known.
    pub(super) fn quoted(&self, quote: &Quote) -> Option<Quoted> {
        // Discarded bytes shift everything after them.
        let removed = self.flows[0]
            .masker
            .removed_secrets()
            .filter(|_| !self.abandoned)?;
        let stored = line_at(quote.line).ok()?;
        quote.of(&removed.restore(quote.line, &stored)?, &stored)
    }

    /// Whether all output is stored (or discarded) and no more can follow.
    pub(super) fn is_complete(&self) -> bool {
        self.flows
            .iter()
            .all(|flow| flow.pipe.is_none() && flow.held.is_empty())
    }

    /// The pipes to wait for, with their index for [`Output::copy_pipe`].
    pub(super) fn readable(&self) -> impl Iterator<Item = (usize, BorrowedFd<'_>)> {
        let open = self
            .flows
            .iter()
            .enumerate()
            .filter(|(_, flow)| flow.held.is_empty());
        open.filter_map(|(index, flow)| Some((index, flow.pipe.as_ref()?.as_fd())))
    }

    /// When [`Output::tick`] has to be called next.
    pub(super) fn due(&self) -> Option<u64> {
        let pauses = self.flows.iter().filter_map(|flow| flow.pause_due);
        self.stall
            .as_ref()
            .map(|stall| stall.retry)
            .into_iter()
            .chain(self.clock_due)
            .chain(pauses)
            .min()
    }

    /// Whether the disk is full.
    pub(super) fn is_stalled(&self) -> bool {
        self.stall.is_some()
    }

    /// Whether a file of the session was replaced by something else.
    pub(super) fn has_unexpected_file(&self) -> bool {
        self.stall
            .as_ref()
            .is_some_and(|stall| UnexpectedFile::is_in(&stall.error))
    }

    /// Returns how long the disk has been full.
    pub(super) fn stalled_for(&self, now: u64) -> Option<u64> {
        self.stall
            .as_ref()
            .map(|stall| now.saturating_sub(stall.since))
    }

    /// The reason of a stall that was not reported yet.
    pub(super) fn take_unreported_stall(&mut self) -> Option<String> {
        let stall = self.stall.as_mut().filter(|stall| !stall.reported)?;
        stall.reported = true;
        Some(stall.error.to_string())
    }

    /// The reason of a stall that was reported already, for a new client.
    pub(super) fn reported_stall(&self) -> Option<String> {
        self.stall
            .as_ref()
            .filter(|stall| stall.reported)
            .map(|stall| stall.error.to_string())
    }

    /// Reads one pipe and stores its content.
    pub(super) fn copy_pipe(&mut self, index: usize, now: u64) {
        for _ in 0..MAX_READS_PER_TURN {
            if !self.copy_chunk(index, now) {
                return;
            }
        }
    }

    /// Does what is due: retries a full disk, writes late records of the clock.
    pub(super) fn tick(&mut self, now: u64) {
        if self.stall.as_ref().is_some_and(|stall| now >= stall.retry) {
            self.retry(now);
        }
        for index in 0..self.flows.len() {
            if self.flows[index].pause_due.is_some_and(|due| now >= due) {
                let bytes = self.flows[index].masker.release_idle();
                self.write_stored(index, bytes, now);
            }
        }
        if self.clock_due.is_some_and(|due| now >= due) {
            self.clock.catch_up();
            self.clock_due = None;
        }
    }

    /// Discards what cannot be stored. From now on output is read and dropped, so that a program's
    /// cleanup does not block on the disk.
    pub(super) fn abandon(&mut self) {
        self.abandoned = true;
        self.stall = None;
        for flow in &mut self.flows {
            flow.held = Vec::new();
        }
    }

    /// Stores what is in the pipes right now, at the end. A writer outside of the session may never
    /// stop, so this does; and a full disk gets no further retries.
    pub(super) fn finish(&mut self, now: u64) {
        self.retry(now);
        for index in 0..self.flows.len() {
            if self.flows[index].held.is_empty() {
                self.copy_pipe(index, now);
            }
            self.flush_masker(index, now);
        }
        self.clock.catch_up();
    }

    /// Returns whether another read may return more without waiting.
    fn copy_chunk(&mut self, index: usize, now: u64) -> bool {
        let flow = &mut self.flows[index];
        let Some(pipe) = &mut flow.pipe else {
            return false;
        };
        let length = match pipe.read(&mut self.chunk) {
            Err(error) if error.kind() == ErrorKind::Interrupted => return true,
            Err(error) if error.kind() == ErrorKind::WouldBlock => return false,
            Ok(0) | Err(_) => {
                flow.pipe = None;
                self.flush_masker(index, now);
                return false;
            }
            Ok(length) => length,
        };
        if self.abandoned {
            return true;
        }
        let before = flow.stored;
        let bytes = flow.masker.push(&self.chunk[..length]);
        flow.pause_due = flow
            .masker
            .is_holding_back()
            .then_some(now + MASKER_HOLD_MS);
        let outcome = flow.store(&bytes);
        self.settle(index, before, outcome, now);
        // After a short read the pipe is empty; `poll` saves a useless read.
        let is_full = length == self.chunk.len();
        if is_full {
            self.chunk.resize(CHUNK, 0);
        }
        is_full && self.stall.is_none()
    }

    /// Stores bytes held back as a possible start of a secret. No more output follows.
    fn flush_masker(&mut self, index: usize, now: u64) {
        let bytes = self.flows[index].masker.flush();
        self.write_stored(index, bytes, now);
    }

    fn write_stored(&mut self, index: usize, bytes: Vec<u8>, now: u64) {
        let flow = &mut self.flows[index];
        flow.pause_due = None;
        if bytes.is_empty() || self.abandoned {
            return;
        }
        let before = flow.stored;
        let outcome = if flow.held.is_empty() {
            flow.store(&bytes)
        } else {
            // The disk is full: the bytes are queued after those held already.
            flow.held.extend(bytes);
            Ok(())
        };
        self.settle(index, before, outcome, now);
    }

    fn retry(&mut self, now: u64) {
        for index in 0..self.flows.len() {
            let flow = &mut self.flows[index];
            if flow.held.is_empty() {
                continue;
            }
            let held = std::mem::take(&mut flow.held);
            let before = flow.stored;
            let outcome = flow.store(&held);
            self.settle(index, before, outcome, now);
        }
        if self.flows.iter().all(|flow| flow.held.is_empty()) {
            self.stall = None;
        }
    }

    fn settle(&mut self, index: usize, before: u64, outcome: io::Result<()>, now: u64) {
        let flow = &self.flows[index];
        if flow.stored > before {
            self.clock.note(Growth {
                unix_ms: unix_ms(),
                stream: flow.stream,
                offset_after: flow.stored,
            });
            self.clock_due = self
                .clock
                .is_behind()
                .then(|| self.clock_due.unwrap_or(now + PACE));
        }
        if let Err(error) = outcome {
            match &mut self.stall {
                Some(stall) if flow.stored == before => stall.retry = now + DISK_RETRY_MS,
                // Also if some bytes were written: the timeout is for a disk without any progress.
                stall => {
                    *stall = Some(Stall {
                        since: now,
                        retry: now + DISK_RETRY_MS,
                        reported: false,
                        error,
                    })
                }
            }
        }
    }
}

impl Flow {
    /// Appends bytes; unwritten ones are held, and the error is returned.
    fn store(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            match self.file().and_then(|file| file.write(bytes)) {
                Ok(length) => {
                    self.stored += length as u64;
                    bytes = &bytes[length..];
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    self.held = bytes.to_vec();
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    fn file(&mut self) -> io::Result<&mut File> {
        match &mut self.file {
            Some(file) => Ok(file),
            none => Ok(none.insert(session_file::append(self.name.as_ref())?)),
        }
    }
}

/// The line of stdout at `offset`, without its newline.
fn line_at(offset: u64) -> io::Result<Vec<u8>> {
    let mut file = session_file::open(folder::STDOUT.as_ref())?;
    file.seek(SeekFrom::Start(offset))?;
    let mut line = Vec::new();
    BufReader::new(file)
        .take(MAX_QUOTED_LINE)
        .read_until(b'\n', &mut line)?;
    if line.pop() == Some(b'\n') {
        Ok(line)
    } else {
        Err(ErrorKind::UnexpectedEof.into())
    }
}

/// Milliseconds since 1970, by the wall clock.
pub(super) fn unix_ms() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_millis() as u64)
}
