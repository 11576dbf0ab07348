//! Where the entries of a timeline stand in the log.

use std::collections::HashMap;

use memchr::memchr;

use crate::acp::call::{CallPart, Stage};
use crate::acp::said::{self, Said};
use crate::event::Stream;
use crate::odd;
use crate::part::Part;
use crate::role::Role;
use crate::timeline::LogFormat;
use crate::timeline::entry::PermissionState;

/// The entries of one session's log.
#[derive(Debug)]
pub struct TimelineIndex {
    pub(super) format: LogFormat,
    pub(super) records: Vec<Record>,
    pub(super) results: Vec<Span>,
    /// What later pieces add to calls that are told in pieces.
    pub(super) pieces: Vec<Pieces>,
    /// What Baton said, where agents do not repeat it.
    pub(super) said: Vec<String>,
    /// What Baton said after answers that were not read yet.
    unheard: Vec<(u64, String)>,
    /// The highest number among the agent's answers that were read.
    answers: u64,
    /// Answers of Baton's to questions that were not read yet.
    early_answers: HashMap<String, bool>,
    /// The message whose pieces come just now: its entry, role and name.
    speech: Option<(usize, Role, Option<String>)>,
    open_calls: HashMap<String, u32>,
    open_requests: HashMap<String, OpenRequest>,
    started: bool,
    stdout: Tail,
    stderr: Tail,
    group_lines: u32,
    revision: u64,
}

/// Bytes are missing between what was fed and what is being fed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the log was fed up to byte {expected}, and the next piece begins at {found}")]
pub struct Gap {
    /// The first byte not fed yet.
    pub expected: u64,
    /// Where the piece begins.
    pub found: u64,
}

/// One entry: its place in the log.
#[derive(Debug, Clone, Copy)]
pub(super) struct Record {
    pub(super) stream: Stream,
    pub(super) shape: Shape,
    /// Of a request and of the tool call it is about.
    pub(super) permission: PermissionState,
    pub(super) start: u64,
    pub(super) end: u64,
    /// Index into the results, or [`NO_RESULT`].
    pub(super) result: u32,
    /// Index into the pieces, or [`NO_RESULT`].
    pub(super) pieces: u32,
    revision: u64,
}

/// A request for leave that waits: its entry, and the tool call it is about.
#[derive(Debug)]
struct OpenRequest {
    seq: u32,
    call: Option<String>,
}

/// How an entry is read back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// Plain lines.
    Output,
    /// The part of this number in a message.
    Part(u16),
    /// Lines of which those with a piece of the same message as the first are one text.
    Chunks,
    /// What Baton said, by number; nothing of it stands in the log.
    Said(u32),
    /// A message too long to be read.
    TooLong,
}

/// The lines with the newest word on parts of a call.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pieces {
    /// Where the call began.
    pub(super) first: Span,
    pub(super) input: Option<Span>,
    pub(super) content: Option<Span>,
    pub(super) patch: Option<Span>,
}

/// A part of a message: where a result stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    pub(super) start: u64,
    pub(super) end: u64,
    pub(super) part: u16,
}

pub(super) const NO_RESULT: u32 = u32::MAX;

/// The unfinished end of a stream.
#[derive(Debug, Default)]
struct Tail {
    /// How much was fed.
    position: u64,
    /// Where the unfinished line begins.
    line_start: u64,
    /// The unfinished line, where its content matters.
    buffer: Vec<u8>,
}

/// Plain output is grouped into entries of at most this many bytes; a longer line is split there.
const GROUP_BYTES: u64 = 64 * 1024;
/// The most lines in an entry of plain output.
const GROUP_LINES: u32 = 200;
/// From [`MANY_RECORDS`] entries on an entry takes this many lines, so that short lines by the million do not
/// make entries by the ten thousand.
const LONG_GROUP_LINES: u32 = 2_000;
const MANY_RECORDS: usize = 10_000;
/// The pieces of a message are one entry as long as they stand within this many bytes.
const SPEECH_BYTES: u64 = 1024 * 1024;
/// The longest message that is understood. It has to be held in memory.
pub(super) const MESSAGE_LIMIT: usize = 32 * 1024 * 1024;

impl TimelineIndex {
    /// An index of a log of which nothing is known yet.
    #[must_use]
    pub fn new(format: LogFormat) -> Self {
        Self {
            format,
            records: Vec::new(),
            results: Vec::new(),
            pieces: Vec::new(),
            said: Vec::new(),
            unheard: Vec::new(),
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
        }
    }

    /// How many entries there are.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.records.len() as u64
    }

    /// Whether there is no entry.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// A number that grows whenever an entry appears or changes.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The entries that appeared or changed after `revision`, in order.
    #[must_use]
    pub fn touched_since(&self, revision: u64) -> Vec<u64> {
        let touched = (0..)
            .zip(&self.records)
            .filter(|(_, record)| record.revision > revision);
        touched.map(|(seq, _)| seq).collect()
    }

    /// The entries of `range` that appeared or changed after `revision`, in order. Looks at no others.
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

    /// The first entry whose message ends after byte `offset` of standard output: the one that stands there, or the
    /// next. The number of entries when there is none.
    #[must_use]
    pub fn seq_at(&self, offset: u64) -> u64 {
        self.records.partition_point(|record| record.end <= offset) as u64
    }

    /// How much of a stream was fed.
    #[must_use]
    pub fn position(&self, stream: Stream) -> u64 {
        match stream {
            Stream::Stdout => self.stdout.position,
            Stream::Stderr => self.stderr.position,
        }
    }

    /// Takes the bytes of `stream` that begin at `offset`. What was fed before is passed over.
    ///
    /// An unfinished last line is held back until its end comes, or [`TimelineIndex::finish`].
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

    /// Says that nothing will follow: unfinished lines become entries.
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
        self.format.has_messages() && stream == Stream::Stdout
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

    /// Makes entries of a line as long as more than one entry's worth of it is there; returns where the rest begins.
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

    /// Takes a whole message from `start` to `end`, newline included. Of one that is too long `line` may be a rest.
    fn message(&mut self, line: &[u8], start: u64, end: u64) {
        if end - start > MESSAGE_LIMIT as u64 {
            self.add(Stream::Stdout, Shape::TooLong, start, end);
            return;
        }
        let line = &*odd::legible(line);
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
        self.say_what_is_due(end);
    }

    fn part(&mut self, part: &Part<'_>, span: Span) {
        let Span {
            start,
            end,
            part: number,
        } = span;
        match part {
            Part::Plain => self.add_output(Stream::Stdout, start, end),
            Part::Answered { request, allowed } => {
                self.settle(request, settled(*allowed == Some(true)));
            }
            part if part.ends_call().is_some() => {
                let (call, denied) = part.ends_call().unwrap_or_default();
                match self.open_calls.remove(call) {
                    Some(call) => self.attach(call, span),
                    None => self.add(Stream::Stdout, Shape::Part(number), start, end),
                }
                // Not every version confirms answers; that the tool ran, or did not, tells as much.
                let waiting = self
                    .open_requests
                    .iter()
                    .find(|(_, asked)| asked.call.as_deref() == Some(call));
                if let Some(request) = waiting.map(|(request, _)| request.clone()) {
                    self.settle(&request, settled(!denied));
                }
            }
            Part::Chunk { role, message, .. } => self.chunk(*role, message.as_ref(), span),
            Part::Call(part) => self.call(part, span),
            part if part.is_withdrawal().is_some() => {
                self.settle(
                    part.is_withdrawal().unwrap_or_default(),
                    PermissionState::Withdrawn,
                );
            }
            part if part.starts_session() && std::mem::replace(&mut self.started, true) => {}
            part if part.is_shown() => {
                let seq = u32::try_from(self.records.len()).unwrap_or(u32::MAX);
                if let Some(call) = part.begins_call() {
                    self.open_calls.insert(call.to_owned(), seq);
                }
                if let Some((request, call)) = part.asks() {
                    self.open_requests.insert(
                        request.to_owned(),
                        OpenRequest {
                            seq,
                            call: call.cloned(),
                        },
                    );
                }
                self.add(Stream::Stdout, Shape::Part(number), start, end);
            }
            _ => {}
        }
    }

    /// Takes one message that Baton wrote to the session. Agents of some protocols do not repeat what they were told:
    /// then prompts become entries, and answers settle questions. For all others this does nothing.
    pub fn hear(&mut self, message: &str) {
        if self.format != LogFormat::Acp {
            return;
        }
        for said in said::read(message) {
            match said {
                Said::Prompt { after, text } if after <= self.answers => {
                    self.add_said(text, self.stdout.line_start)
                }
                Said::Prompt { after, text } => self.unheard.push((after, text)),
                Said::Answer { request, allowed } if self.open_requests.contains_key(&request) => {
                    self.settle(&request, settled(allowed));
                }
                Said::Answer { request, allowed } => {
                    self.early_answers.insert(request, allowed);
                }
            }
        }
    }

    /// Remembers how far the agent has answered: what Baton said next comes after that.
    fn answered(&mut self, line: &[u8]) {
        if self.format == LogFormat::Acp
            && let Some(answer) = said::answered(line)
        {
            self.answers = self.answers.max(answer);
        }
    }

    fn say_what_is_due(&mut self, end: u64) {
        while let Some(place) = self
            .unheard
            .iter()
            .position(|(after, _)| *after <= self.answers)
        {
            let (_, text) = self.unheard.remove(place);
            self.add_said(text, end);
        }
    }

    fn add_said(&mut self, text: String, end: u64) {
        let number = u32::try_from(self.said.len()).unwrap_or(u32::MAX);
        self.said.push(text);
        self.add(Stream::Stdout, Shape::Said(number), end, end);
    }

    /// Adds a piece of a message to its entry, or begins one.
    fn chunk(&mut self, role: Role, message: Option<&String>, span: Span) {
        if let Some((seq, speaker, name)) = &self.speech
            && (*speaker, name.as_ref()) == (role, message)
            && let Some(record) = self.records.get_mut(*seq)
            && span.end - record.start <= SPEECH_BYTES
        {
            self.revision += 1;
            (record.end, record.revision) = (span.end, self.revision);
            return;
        }
        self.add(Stream::Stdout, Shape::Chunks, span.start, span.end);
        self.speech = Some((self.records.len() - 1, role, message.cloned()));
    }

    /// Takes a piece of a call: its beginning, news of it, a question about it, or its end.
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
            self.add(Stream::Stdout, Shape::Part(number), start, end);
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
                self.add(Stream::Stdout, Shape::Part(number), start, end);
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

    /// Adds plain output to the last entry where it continues it, else as an entry.
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
        // The call itself keeps the answer too: not every version says with a result that the tool did not run.
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
