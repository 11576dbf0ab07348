//! The program's stdin: records each message, then writes it as fast as the program reads.

use std::collections::{HashSet, VecDeque};
use std::fs::File;
use std::io::{ErrorKind, PipeWriter, Write as _};
use std::os::fd::{AsFd as _, BorrowedFd};

use crate::folder;
use crate::input::Input;
use crate::protocol::Refusal;
use crate::session_file;

/// The keeper's end of the program's stdin.
#[derive(Debug, Default)]
pub(super) struct StdinWriter {
    pipe: Option<PipeWriter>,
    pending: VecDeque<u8>,
    closing: bool,
    keys: HashSet<String>,
    record: Option<File>,
    recorded: u64,
}

impl StdinWriter {
    /// A writer for a non-blocking pipe; `None` for a program that reads nothing.
    pub(super) fn new(pipe: Option<PipeWriter>) -> StdinWriter {
        StdinWriter {
            pipe,
            ..StdinWriter::default()
        }
    }

    /// Adds a message; one whose key was accepted before has no effect.
    pub(super) fn enqueue(&mut self, input: &Input) -> Result<(), Refusal> {
        let text = match input {
            Input::Text { text, .. } => text.as_str(),
            Input::Close { .. } => "",
        };
        self.enqueue_recorded_as(input, text)
    }

    /// Adds a message of which the program gets `text` and the record gets `input`.
    pub(super) fn enqueue_recorded_as(&mut self, input: &Input, text: &str) -> Result<(), Refusal> {
        if self.has_accepted(input.key()) {
            return Ok(());
        }
        if self.pipe.is_none() || self.closing {
            return Err(Refusal::InputClosed);
        }
        self.keep_record(input).ok_or(Refusal::NotRecorded)?;
        self.keys.insert(input.key().to_owned());
        self.pending.extend(text.as_bytes());
        self.closing = matches!(input, Input::Close { .. });
        self.write();
        Ok(())
    }

    /// Whether a message with this key was accepted before.
    pub(super) fn has_accepted(&self, key: &str) -> bool {
        self.keys.contains(key)
    }

    /// The pipe, if something waits to be written.
    pub(super) fn writable(&self) -> Option<BorrowedFd<'_>> {
        self.pipe
            .as_ref()
            .filter(|_| !self.pending.is_empty())
            .map(|pipe| pipe.as_fd())
    }

    /// Writes as much as the program accepts.
    pub(super) fn write(&mut self) {
        let Some(pipe) = &mut self.pipe else { return };
        while !self.pending.is_empty() {
            match pipe.write(self.pending.as_slices().0) {
                Ok(length) => drop(self.pending.drain(..length)),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return,
                // The program has closed its stdin, so the rest is dropped.
                Err(_) => return self.close(),
            }
        }
        if self.closing {
            self.close();
        }
    }

    /// Closes stdin immediately; waiting messages are dropped.
    pub(super) fn close(&mut self) {
        self.pipe = None;
        self.pending = VecDeque::new();
    }

    fn keep_record(&mut self, input: &Input) -> Option<()> {
        let mut line = serde_json::to_vec(input).ok()?;
        line.push(b'\n');
        if self.record.is_none() {
            self.record = session_file::append(folder::INPUT.as_ref()).ok();
        }
        let record = self.record.as_mut()?;
        if record.write_all(&line).is_err() {
            // An incomplete line would corrupt the next one. Truncating a file needs no disk space.
            drop(record.set_len(self.recorded));
            return None;
        }
        self.recorded += line.len() as u64;
        Some(())
    }
}
