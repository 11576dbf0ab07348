//! The index of a timeline: where its entries are in the log.

use std::collections::HashMap;

use memchr::memchr;

use crate::call_part::{CallPart, Stage};
use crate::event::Stream;
use crate::lenient_json;
use crate::log_format::{LogFormat, OutgoingMessage};
use crate::record_part::RecordPart;
use crate::role::Role;
use crate::timeline::entry::PermissionState;

/// The index of one session's log.
#[derive(Debug)]
pub struct TimelineIndex {
    pub(super) format: LogFormat,
    pub(super) records: Vec<Record>,
    pub(super) results: Vec<Span>,
    /// Further reports on calls that are reported in pieces.
    pub(super) pieces: Vec<Pieces>,
    /// Messages from Baton that the agent does not repeat.
    pub(super) outgoing: Vec<String>,
    /// Prompts that follow answers of the agent which were not read yet.
    pending_prompts: Vec<(u64, String)>,
    /// The highest request number that the agent has answered.
    answers: u64,
    /// Baton's decisions on permission requests that were not read yet.
    early_answers: HashMap<String, bool>,
    /// The message that is being streamed: its entry, role and id.
    speech: Option<(usize, Role, Option<String>)>,
    open_calls: HashMap<String, u32>,
    open_requests: HashMap<String, OpenRequest>,
    started: bool,
    stdout: Tail,
    stderr: Tail,
    group_lines: u32,
    revision: u64,
    /// The log before the fed part is missing.
    is_end: bool,
}

/// Bytes are missing between the fed log and the next piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the log is known up to byte {expected}, but the next piece begins at {found}")]
pub struct Gap {
    /// The first missing byte.
    pub expected: u64,
    /// Where the piece begins.
    pub found: u64,
}

/// The position of one entry in the log.
#[derive(Debug, Clone, Copy)]
pub(super) struct Record {
    pub(super) stream: Stream,
    pub(super) shape: Shape,
    /// For permission requests and the tool calls they are about.
    pub(super) permission: PermissionState,
    pub(super) start: u64,
    pub(super) end: u64,
    /// Index into the results, or [`NO_RESULT`].
    pub(super) result: u32,
    /// Index into the pieces, or [`NO_RESULT`].
    pub(super) pieces: u32,
    revision: u64,
}

/// A pending permission request: its entry and its tool call.
#[derive(Debug)]
struct OpenRequest {
    seq: u32,
    call: Option<String>,
}

/// How to read the entry from the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// Lines of plain output.
    Output,
    /// The part with this number in a message.
    RecordPart(u16),
    /// Lines whose pieces of the same message as the first one form one text.
    Chunks,
    /// The message from Baton with this number; it is not in the log.
    Outgoing(u32),
    /// A message too long to be parsed.
    TooLong,
}

/// The latest lines that report each aspect of a call.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pieces {
    /// The beginning of the call.
    pub(super) first: Span,
    pub(super) input: Option<Span>,
    pub(super) content: Option<Span>,
    pub(super) patch: Option<Span>,
}

/// A part of a message in the log.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    pub(super) start: u64,
    pub(super) end: u64,
    pub(super) part: u16,
}

pub(super) const NO_RESULT: u32 = u32::MAX;

/// The unfinished last line of a stream.
#[derive(Debug, Default)]
struct Tail {
    /// The number of bytes fed.
    position: u64,
    /// Where the unfinished line begins.
    line_start: u64,
    /// The unfinished line, if it is part of a message.
    buffer: Vec<u8>,
}

/// Plain output is grouped into entries of at most this many bytes. Longer lines are split.
const GROUP_BYTES: u64 = 64 * 1024;
/// The maximum number of lines in an entry of plain output.
const GROUP_LINES: u32 = 200;
/// The limit after [`MANY_RECORDS`] entries, so that millions of short lines do not become tens
/// of thousands of entries.
const LONG_GROUP_LINES: u32 = 2_000;
const MANY_RECORDS: usize = 10_000;
/// The pieces of a message form one entry within this many bytes.
const MAX_STREAMED_TEXT_BYTES: u64 = 1024 * 1024;
/// Longer messages are not parsed, because a message must fit in memory.
pub(super) const MESSAGE_LIMIT: usize = 32 * 1024 * 1024;

impl TimelineIndex {
    /// An empty index for a log in `format`.
    #[must_use]
    pub fn new(format: LogFormat) -> Self {
        Self {
            format,
            records: Vec::new(),
            results: Vec::new(),
            pieces: Vec::new(),
            outgoing: Vec::new(),
            pending_prompts: Vec::new(),
            answers: 0,
            early_answers: HashMap::new(),
            speech: None,
            open_calls: HashMap::new(),
            open_requests: HashMap::new(),
            started: false,
            stdout: Tail::default(),
            stderr: Tail::default(),
            group_lines: 0,
            revision: 0,
            is_end: false,
        }
    }

    /// An empty index for the end of a log: what comes before these offsets, where lines begin, is
    /// never fed. Results of calls from before are left out, and so are Baton's prompts: nobody
    /// knows which of them come later.
    #[must_use]
    pub fn of_end(format: LogFormat, stdout: u64, stderr: u64) -> Self {
        let tail = |offset| Tail {
            position: offset,
            line_start: offset,
            buffer: Vec::new(),
        };
        Self {
            is_end: stdout > 0 || stderr > 0,
            started: stdout > 0,
            stdout: tail(stdout),
            stderr: tail(stderr),
            ..Self::new(format)
        }
    }

    /// The format of the log.
    #[must_use]
    pub fn format(&self) -> LogFormat {
        self.format
    }

    /// The number of entries.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.records.len() as u64
    }

    /// Whether there are no entries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Increases whenever an entry is added or changes.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The entries that were added or changed after `revision`, in order.
    #[must_use]
    pub fn touched_since(&self, revision: u64) -> Vec<u64> {
        let touched = (0..)
            .zip(&self.records)
            .filter(|(_, record)| record.revision > revision);
        touched.map(|(seq, _)| seq).collect()
    }

    /// The entries in `range` that were added or changed after `revision`, in order. Only `range`
    /// is searched.
    #[must_use]
    pub fn touched_in(&self, range: std::ops::Range<u64>, revision: u64) -> Vec<u64> {
        let place = |seq| {
            usize::try_from(seq)
                .unwrap_or(usize::MAX)
                .min(self.records.len())
        };
        let (from, to) = (place(range.start), place(range.end));
        let records = self.records.get(from..to).unwrap_or_default();
        let touched = (range.start..)
            .zip(records)
            .filter(|(_, record)| record.revision > revision);
        touched.map(|(seq, _)| seq).collect()
    }

    /// The entry at byte `offset` of standard output, or the next one. The number of entries when
    /// there is none.
    #[must_use]
    pub fn seq_at(&self, offset: u64) -> u64 {
        self.records.partition_point(|record| record.end <= offset) as u64
    }

    /// The number of bytes of a stream that were fed.
    #[must_use]
    pub fn position(&self, stream: Stream) -> u64 {
        match stream {
            Stream::Stdout => self.stdout.position,
            Stream::Stderr => self.stderr.position,
        }
    }

    /// Adds the bytes of `stream` that begin at `offset`. Bytes that were fed before are skipped.
    ///
    /// An unfinished last line is held back until the rest arrives, or until
    /// [`TimelineIndex::finish`].
    pub fn feed(&mut self, stream: Stream, offset: u64, bytes: &[u8]) -> Result<(), Gap> {
        let expected = self.position(stream);
        if offset > expected {
            return Err(Gap {
                expected,
                found: offset,
            });
        }
        let known = usize::try_from(expected - offset)
            .unwrap_or(usize::MAX)
            .min(bytes.len());
        let fresh = &bytes[known..];
        if self.is_message_stream(stream) {
            self.feed_messages(fresh)
        } else {
            self.feed_plain(stream, fresh)
        }
        Ok(())
    }

    /// Ends the log: unfinished lines become entries.
    pub fn finish(&mut self) {
        for stream in [Stream::Stdout, Stream::Stderr] {
            let (start, end) = (self.tail(stream).line_start, self.position(stream));
            if start == end {
                continue;
            }
            self.tail(stream).line_start = end;
            if self.is_message_stream(stream) {
                let buffer = std::mem::take(&mut self.stdout.buffer);
                self.message(&buffer, start, end);
            } else {
                self.add_output(stream, start, end);
            }
        }
    }

    fn is_message_stream(&self, stream: Stream) -> bool {
        !self.format.is_plain() && stream == Stream::Stdout
    }

    fn tail(&mut self, stream: Stream) -> &mut Tail {
        match stream {
            Stream::Stdout => &mut self.stdout,
            Stream::Stderr => &mut self.stderr,
        }
    }

    fn feed_plain(&mut self, stream: Stream, bytes: &[u8]) {
        let base = self.position(stream);
        let mut line_start = self.tail(stream).line_start;
        for newline in memchr::memchr_iter(b'\n', bytes) {
            let end = base + newline as u64 + 1;
            line_start = self.split_long(stream, line_start, end);
            self.add_output(stream, line_start, end);
            line_start = end;
        }
        let end = base + bytes.len() as u64;
        line_start = self.split_long(stream, line_start, end);
        let tail = self.tail(stream);
        (tail.position, tail.line_start) = (end, line_start);
    }

    /// Turns a long line into entries while more than one entry's worth of it is left. Returns
    /// where the rest begins.
    fn split_long(&mut self, stream: Stream, mut start: u64, end: u64) -> u64 {
        while end - start > GROUP_BYTES {
            self.add_output(stream, start, start + GROUP_BYTES);
            start += GROUP_BYTES;
        }
        start
    }

    fn feed_messages(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while let Some(newline) = memchr(b'\n', rest) {
            let (line, start) = (&rest[..newline], self.stdout.line_start);
            self.stdout.position += newline as u64 + 1;
            let end = self.stdout.position;
            self.stdout.line_start = end;
            if self.stdout.buffer.is_empty() {
                self.message(line, start, end);
            } else {
                let mut whole = std::mem::take(&mut self.stdout.buffer);
                whole.extend_from_slice(line);
                self.message(&whole, start, end);
            }
            rest = &rest[newline + 1..];
        }
        self.stdout.position += rest.len() as u64;
        let held =
            usize::try_from(self.stdout.position - self.stdout.line_start).unwrap_or(usize::MAX);
        if held <= MESSAGE_LIMIT {
            self.stdout.buffer.extend_from_slice(rest);
        } else {
            self.stdout.buffer = Vec::new();
        }
    }

    /// Adds a whole message from `start` to `end`, newline included. If it is too long, `line`
    /// may be only a part of it.
    fn message(&mut self, line: &[u8], start: u64, end: u64) {
        if end - start > MESSAGE_LIMIT as u64 {
            self.add(Stream::Stdout, Shape::TooLong, start, end);
            return;
        }
        let line = &*lenient_json::sanitize_line(line);
        let record = self.format.read(line);
        self.answered(line);
        for (number, part) in (0..u16::MAX).zip(&record.parts) {
            self.part(
                part,
                Span {
                    start,
                    end,
                    part: number,
                },
            );
        }
        self.add_due_prompts(end);
    }

    fn part(&mut self, part: &RecordPart<'_>, span: Span) {
        let Span {
            start,
            end,
            part: number,
        } = span;
        match part {
            RecordPart::Plain => self.add_output(Stream::Stdout, start, end),
            RecordPart::PermissionAnswered { request, allowed } => {
                self.settle(request, settled(*allowed == Some(true)));
            }
            part if part.ended_call().is_some() => {
                let (call, denied) = part.ended_call().unwrap_or_default();
                match self.open_calls.remove(call) {
                    Some(call) => self.attach(call, span),
                    None if self.is_end => {}
                    None => self.add(Stream::Stdout, Shape::RecordPart(number), start, end),
                }
                // Not every version confirms decisions. That the tool ran or did not run shows
                // the decision as well.
                let waiting = self
                    .open_requests
                    .iter()
                    .find(|(_, asked)| asked.call.as_deref() == Some(call));
                if let Some(request) = waiting.map(|(request, _)| request.clone()) {
                    self.settle(&request, settled(!denied));
                }
            }
            RecordPart::Chunk { role, message, .. } => self.chunk(*role, message.as_ref(), span),
            RecordPart::Call(part) => self.call(part, span),
            part if part.withdrawn_request().is_some() => {
                self.settle(
                    part.withdrawn_request().unwrap_or_default(),
                    PermissionState::Withdrawn,
                );
            }
            part if part.starts_session() && std::mem::replace(&mut self.started, true) => {}
            part if part.is_shown() => {
                let seq = u32::try_from(self.records.len()).unwrap_or(u32::MAX);
                if let Some(call) = part.started_call() {
                    self.open_calls.insert(call.to_owned(), seq);
                }
                if let Some((request, call)) = part.permission_request() {
                    self.open_requests.insert(
                        request.to_owned(),
                        OpenRequest {
                            seq,
                            call: call.cloned(),
                        },
                    );
                }
                self.add(Stream::Stdout, Shape::RecordPart(number), start, end);
            }
            _ => {}
        }
    }

    /// Adds a message that Baton wrote to the session. In protocols whose agents do not repeat
    /// it, prompts become entries and decisions settle permission requests. In others this does
    /// nothing.
    pub fn record_outgoing(&mut self, message: &str) {
        let Some(outgoing) = self.format.outgoing() else {
            return;
        };
        for message in (outgoing.messages)(message) {
            match message {
                OutgoingMessage::Prompt { .. } if self.is_end => {}
                OutgoingMessage::Prompt { after, text } if after <= self.answers => {
                    self.add_outgoing(text, self.stdout.line_start)
                }
                OutgoingMessage::Prompt { after, text } => self.pending_prompts.push((after, text)),
                OutgoingMessage::Answer { request, allowed }
                    if self.open_requests.contains_key(&request) =>
                {
                    self.settle(&request, settled(allowed));
                }
                OutgoingMessage::Answer { request, allowed } => {
                    self.early_answers.insert(request, allowed);
                }
            }
        }
    }

    /// Remembers which requests the agent has answered. Baton's next message comes after that.
    fn answered(&mut self, line: &[u8]) {
        if let Some(outgoing) = self.format.outgoing()
            && let Some(answer) = (outgoing.answered_request)(line)
        {
            self.answers = self.answers.max(answer);
        }
    }

    fn add_due_prompts(&mut self, end: u64) {
        while let Some(place) = self
            .pending_prompts
            .iter()
            .position(|(after, _)| *after <= self.answers)
        {
            let (_, text) = self.pending_prompts.remove(place);
            self.add_outgoing(text, end);
        }
    }

    fn add_outgoing(&mut self, text: String, end: u64) {
        let number = u32::try_from(self.outgoing.len()).unwrap_or(u32::MAX);
        self.outgoing.push(text);
        self.add(Stream::Stdout, Shape::Outgoing(number), end, end);
    }

    /// Adds a piece of a streamed message to its entry, or starts one.
    fn chunk(&mut self, role: Role, message: Option<&String>, span: Span) {
        if let Some((seq, speaker, name)) = &self.speech
            && (*speaker, name.as_ref()) == (role, message)
            && let Some(record) = self.records.get_mut(*seq)
            && span.end - record.start <= MAX_STREAMED_TEXT_BYTES
        {
            self.revision += 1;
            (record.end, record.revision) = (span.end, self.revision);
            return;
        }
        self.add(Stream::Stdout, Shape::Chunks, span.start, span.end);
        self.speech = Some((self.records.len() - 1, role, message.cloned()));
    }

    /// Adds a report on a call: its beginning, an update, a permission request, or its end.
    fn call(&mut self, part: &CallPart<'_>, span: Span) {
        let Span {
            start,
            end,
            part: number,
        } = span;
        if let Stage::Asked { request } = &part.stage {
            let seq = u32::try_from(self.records.len()).unwrap_or(u32::MAX);
            self.open_requests.insert(
                request.clone(),
                OpenRequest {
                    seq,
                    call: Some(part.id.clone()),
                },
            );
            self.add(Stream::Stdout, Shape::RecordPart(number), start, end);
            let call = self
                .open_calls
                .get(&part.id)
                .and_then(|&call| self.records.get(call as usize));
            let pieces = call.map_or(NO_RESULT, |call| call.pieces);
            self.records[seq as usize].pieces = pieces;
            if let Some(allowed) = self.early_answers.remove(request) {
                self.settle(request, settled(allowed));
            }
            return;
        }
        match self.open_calls.get(&part.id).copied() {
            Some(seq) => self.piece(seq, part, span),
            None => {
                let seq = u32::try_from(self.records.len()).unwrap_or(u32::MAX);
                self.open_calls.insert(part.id.clone(), seq);
                self.add(Stream::Stdout, Shape::RecordPart(number), start, end);
            }
        }
        if let Stage::Ended { .. } = part.stage
            && let Some(seq) = self.open_calls.remove(&part.id)
        {
            self.attach(seq, span);
            let waiting = self
                .open_requests
                .iter()
                .find(|(_, asked)| asked.call.as_ref() == Some(&part.id));
            if let Some(request) = waiting.map(|(request, _)| request.clone()) {
                self.settle(&request, settled(!part.is_refusal()));
            }
        }
    }

    fn piece(&mut self, seq: u32, part: &CallPart<'_>, span: Span) {
        let record = &mut self.records[seq as usize];
        if record.pieces == NO_RESULT {
            record.pieces = u32::try_from(self.pieces.len()).unwrap_or(NO_RESULT);
            let first = Span {
                start: record.start,
                end: record.end,
                part: 0,
            };
            self.pieces.push(Pieces {
                first,
                input: None,
                content: None,
                patch: None,
            });
        }
        self.revision += 1;
        record.revision = self.revision;
        let Some(pieces) = self.pieces.get_mut(record.pieces as usize) else {
            return;
        };
        let is_new = pieces.input.is_none() || !part.is_question;
        for (place, has) in [
            (&mut pieces.input, part.has_input() && is_new),
            (&mut pieces.content, part.has_content()),
            (&mut pieces.patch, part.has_patch()),
        ] {
            if has {
                *place = Some(span);
            }
        }
    }

    /// Adds plain output to the last entry if it continues it, or as a new entry.
    fn add_output(&mut self, stream: Stream, start: u64, end: u64) {
        let limit = if self.records.len() < MANY_RECORDS {
            GROUP_LINES
        } else {
            LONG_GROUP_LINES
        };
        if self.group_lines < limit
            && let Some(last) = self.records.last_mut()
            && (last.stream, last.shape, last.end) == (stream, Shape::Output, start)
            && end - last.start <= GROUP_BYTES
        {
            self.group_lines += 1;
            self.revision += 1;
            (last.end, last.revision) = (end, self.revision);
            return;
        }
        self.group_lines = 1;
        self.add(stream, Shape::Output, start, end);
    }

    fn add(&mut self, stream: Stream, shape: Shape, start: u64, end: u64) {
        self.revision += 1;
        if stream == Stream::Stdout {
            self.speech = None;
        }
        self.records.push(Record {
            stream,
            shape,
            permission: PermissionState::Asked,
            start,
            end,
            result: NO_RESULT,
            pieces: NO_RESULT,
            revision: self.revision,
        });
    }

    fn attach(&mut self, call: u32, span: Span) {
        self.revision += 1;
        let record = &mut self.records[call as usize];
        record.result = u32::try_from(self.results.len()).unwrap_or(NO_RESULT);
        record.revision = self.revision;
        self.results.push(span);
    }

    fn settle(&mut self, request: &str, state: PermissionState) {
        let Some(OpenRequest { seq, call }) = self.open_requests.remove(request) else {
            return;
        };
        self.revision += 1;
        // The call keeps the decision too: not every version reports with a result that the tool
        // did not run.
        let call = call.and_then(|call| self.open_calls.get(&call).copied());
        for seq in [Some(seq), call].into_iter().flatten() {
            let record = &mut self.records[seq as usize];
            (record.permission, record.revision) = (state, self.revision);
        }
    }
}

fn settled(allowed: bool) -> PermissionState {
    if allowed {
        PermissionState::Allowed
    } else {
        PermissionState::Denied
    }
}
