//! Reads entries from the log.

use std::io;
use std::ops::Range;

use baton_output::{RenderedText, render_text};

use crate::call_part::{Call, CallPart, Stage};
use crate::event::{SessionEvent, Stream, ToolResult, TurnEnd};
use crate::json_text::string;
use crate::lenient_json;
use crate::record::Record as Message;
use crate::record_part::RecordPart;
use crate::role::{Role, text_event};
use crate::timeline::entry::{PermissionState, Position, TimelineEntry, TimelineKind};
use crate::timeline::index::{NO_RESULT, Record, Shape, Span, TimelineIndex};
use crate::usage::Usage;

/// Random access to the log of a session.
pub trait ReadAt {
    /// Reads bytes of `stream` from `offset` into `buffer`. Returns the number of bytes read, 0
    /// at the end.
    fn read_at(&mut self, stream: Stream, offset: u64, buffer: &mut [u8]) -> io::Result<usize>;
}

/// The limit for a text in an entry of a page, in bytes.
pub const PAGE_LIMIT: usize = 256 * 1024;
/// The limit for a text in an entry that is read alone, in bytes.
pub const FULL_LIMIT: usize = 4 * 1024 * 1024;

impl TimelineIndex {
    /// The existing entries in `range`, with texts truncated to [`PAGE_LIMIT`].
    ///
    /// # Errors
    /// When the log cannot be read, or is shorter than what was fed.
    pub fn page(&self, range: Range<u64>, log: &mut dyn ReadAt) -> io::Result<Vec<TimelineEntry>> {
        let end = range.end.min(self.len());
        (range.start..end)
            .map(|seq| self.entry(seq, log, PAGE_LIMIT))
            .collect()
    }

    /// One entry with texts truncated to [`FULL_LIMIT`]; `None` when there is no such entry.
    ///
    /// # Errors
    /// As for [`TimelineIndex::page`].
    pub fn entry_full(&self, seq: u64, log: &mut dyn ReadAt) -> io::Result<Option<TimelineEntry>> {
        if seq < self.len() {
            self.entry(seq, log, FULL_LIMIT).map(Some)
        } else {
            Ok(None)
        }
    }

    /// One entry with complete texts; `None` when there is no such entry. A person who decides on
    /// a call must see all of it. A message beyond the index's own limit was never parsed, and
    /// holds no request.
    ///
    /// # Errors
    /// As for [`TimelineIndex::page`].
    pub fn entry_unlimited(
        &self,
        seq: u64,
        log: &mut dyn ReadAt,
    ) -> io::Result<Option<TimelineEntry>> {
        if seq < self.len() {
            self.entry(seq, log, usize::MAX).map(Some)
        } else {
            Ok(None)
        }
    }

    fn entry(&self, seq: u64, log: &mut dyn ReadAt, limit: usize) -> io::Result<TimelineEntry> {
        let record = self.records[usize::try_from(seq).unwrap_or(usize::MAX)];
        let position = |at_ms| Position {
            stream: record.stream,
            offset: record.end,
            at_ms,
        };
        let entry = |at, parent, kind| TimelineEntry {
            seq,
            at,
            parent,
            left_out_bytes: 0,
            kind,
        };
        let mut entry = match record.shape {
            Shape::Output => {
                let bytes = output_bytes(&record, log)?;
                let RenderedText { text, styles } = render_text(&String::from_utf8_lossy(&bytes));
                entry(
                    position(None),
                    None,
                    TimelineKind::Output {
                        stream: record.stream,
                        text,
                        styles,
                    },
                )
            }
            Shape::Outgoing(number) => {
                let text = self
                    .outgoing
                    .get(number as usize)
                    .cloned()
                    .unwrap_or_default();
                entry(position(None), None, TimelineKind::Prompt { text })
            }
            Shape::Chunks => {
                let lines = read(log, record.stream, record.start, record.end)?;
                entry(position(None), None, self.joined(&lines))
            }
            Shape::TooLong => {
                let end = record.end.min(record.start.saturating_add(limit as u64));
                let raw = String::from_utf8_lossy(&read(log, record.stream, record.start, end)?)
                    .into_owned();
                let mut entry = entry(position(None), None, TimelineKind::Unknown { raw });
                entry.left_out_bytes = record.end - end;
                entry
            }
            Shape::RecordPart(number) => {
                let line = read(log, record.stream, record.start, record.end)?;
                let line = &*lenient_json::sanitize_line(line.strip_suffix(b"\n").unwrap_or(&line));
                let message = self.format.read(line);
                let kind = match message.parts.get(usize::from(number)) {
                    Some(RecordPart::Call(part)) => self.full_call(part, &record, log)?,
                    _ => kind_of(&message, number, line),
                };
                let mut entry = entry(position(message.at_ms), message.parent, kind);
                self.complete(&mut entry.kind, &record, log)?;
                entry
            }
        };
        entry.kind.derive_details();
        if limit != FULL_LIMIT {
            entry.kind.remove_image_data();
        }
        entry.left_out_bytes += entry.kind.cut(limit);
        Ok(entry)
    }

    /// The text whose pieces are among these lines.
    fn joined(&self, lines: &[u8]) -> TimelineKind {
        let mut first = None;
        let mut whole = String::new();
        for line in lines.split(|&byte| byte == b'\n') {
            for part in self.format.read(&lenient_json::sanitize_line(line)).parts {
                let RecordPart::Chunk { role, raw, message } = part else {
                    continue;
                };
                if *first.get_or_insert_with(|| (role, message.clone())) == (role, message) {
                    whole.push_str(&string(raw));
                }
            }
        }
        let role = first.map_or(Role::Answer, |(role, _)| role);
        TimelineKind::from_event(text_event(role, whole.clone()))
            .unwrap_or(TimelineKind::Unknown { raw: whole })
    }

    /// A call merged from all its pieces, or the permission request for it.
    fn full_call(
        &self,
        own: &CallPart<'_>,
        record: &Record,
        log: &mut dyn ReadAt,
    ) -> io::Result<TimelineKind> {
        let pieces = self.pieces.get(record.pieces as usize);
        let mut spans: Vec<Span> = pieces
            .into_iter()
            .flat_map(|pieces| {
                [
                    Some(pieces.first),
                    pieces.input,
                    pieces.content,
                    pieces.patch,
                ]
            })
            .chain([self.results.get(record.result as usize).copied()])
            .flatten()
            .collect();
        spans.sort_by_key(|span| (span.start, span.part));
        spans.dedup_by_key(|span| (span.start, span.part));
        let mut call = Call::default();
        if pieces.is_none() {
            call.merge(own);
        }
        let mut ended = match own.stage {
            Stage::Ended { ok } => Some((ok, record.end, None)),
            Stage::Announced | Stage::Asked { .. } => None,
        };
        for span in spans {
            let line = read(log, record.stream, span.start, span.end)?;
            let line = lenient_json::sanitize_line(line.strip_suffix(b"\n").unwrap_or(&line));
            let message = self.format.read(&line);
            if let Some(RecordPart::Call(part)) = message.parts.get(usize::from(span.part)) {
                call.merge(part);
                if let Stage::Ended { ok } = part.stage {
                    ended = Some((ok, span.end, message.at_ms));
                }
            }
        }
        let event = match &own.stage {
            Stage::Asked { request } => SessionEvent::PermissionAsked {
                request: call.question(&own.id, request),
            },
            Stage::Announced | Stage::Ended { .. } => call.started(&own.id),
        };
        let mut kind = TimelineKind::from_event(event).unwrap_or_else(|| TimelineKind::Unknown {
            raw: own.id.clone(),
        });
        if let TimelineKind::ToolCall { edits, .. } | TimelineKind::Permission { edits, .. } =
            &mut kind
        {
            *edits = call.edits();
        }
        if let (
            TimelineKind::ToolCall {
                result, ended: end, ..
            },
            Some((ok, offset, at_ms)),
        ) = (&mut kind, ended)
        {
            let mut whole = call.result(ok);
            whole.denied |= !ok && record.permission == PermissionState::Denied;
            (*result, *end) = (
                Some(whole),
                Some(Position {
                    stream: record.stream,
                    offset,
                    at_ms,
                }),
            );
        } else if let TimelineKind::ToolCall {
            result: result @ None,
            ..
        } = &mut kind
            && record.permission == PermissionState::Denied
        {
            // Gemini does not report the end of a denied call.
            *result = Some(ToolResult {
                denied: true,
                ..call.result(false)
            });
        }
        Ok(kind)
    }

    /// Adds what later lines report about the entry.
    fn complete(
        &self,
        kind: &mut TimelineKind,
        record: &Record,
        log: &mut dyn ReadAt,
    ) -> io::Result<()> {
        match kind {
            TimelineKind::Permission {
                request: Some(_),
                state,
                ..
            } => *state = record.permission,
            TimelineKind::ToolCall {
                result: result @ None,
                ended,
                ..
            } if record.result != NO_RESULT => {
                let span = self.results[record.result as usize];
                let line = read(log, record.stream, span.start, span.end)?;
                let line = lenient_json::sanitize_line(line.strip_suffix(b"\n").unwrap_or(&line));
                let message = self.format.read(&line);
                if let Some(mut decoded) = message
                    .parts
                    .get(usize::from(span.part))
                    .and_then(RecordPart::result)
                {
                    decoded.denied |= record.permission == PermissionState::Denied;
                    *result = Some(decoded);
                    *ended = Some(Position {
                        stream: record.stream,
                        offset: span.end,
                        at_ms: message.at_ms,
                    });
                }
            }
            _ => {}
        }
        Ok(())
    }
}

fn kind_of(message: &Message<'_>, number: u16, line: &[u8]) -> TimelineKind {
    let part = message.parts.get(usize::from(number));
    let kind = part
        .and_then(|part| part.event(line))
        .and_then(TimelineKind::from_event);
    // Only a log that changed after indexing has no kind here.
    kind.unwrap_or_else(|| TimelineKind::Unknown {
        raw: String::from_utf8_lossy(line).into_owned(),
    })
}

/// The bytes of plain output. When a long line was split inside a character, the character
/// belongs to the entry with its first byte.
fn output_bytes(record: &Record, log: &mut dyn ReadAt) -> io::Result<Vec<u8>> {
    let mut bytes = read(log, record.stream, record.start, record.end)?;
    if !bytes.ends_with(b"\n") {
        let mut more = [0; 3];
        let count = log.read_at(record.stream, record.end, &mut more)?;
        if is_cut_character(&bytes) {
            bytes.extend(
                more[..count]
                    .iter()
                    .take_while(|&&byte| is_continuation(byte)),
            );
        }
    }
    if record.start > 0 && bytes.first().is_some_and(|&byte| is_continuation(byte)) {
        let mut before = [0; 1];
        log.read_at(record.stream, record.start - 1, &mut before)?;
        if before != *b"\n" {
            let whole = bytes
                .iter()
                .take(3)
                .take_while(|&&byte| is_continuation(byte))
                .count();
            bytes.drain(..whole);
        }
    }
    Ok(bytes)
}

fn is_continuation(byte: u8) -> bool {
    byte & 0b1100_0000 == 0b1000_0000
}

/// Returns whether the last character is incomplete.
fn is_cut_character(bytes: &[u8]) -> bool {
    let present = bytes
        .iter()
        .rev()
        .take(3)
        .take_while(|&&byte| is_continuation(byte))
        .count()
        + 1;
    let lead = bytes
        .len()
        .checked_sub(present)
        .map_or(0, |place| bytes[place]);
    let wanted = match lead {
        0b1100_0000..=0b1101_1111 => 2,
        0b1110_0000..=0b1110_1111 => 3,
        0b1111_0000..=0b1111_0111 => 4,
        _ => 1,
    };
    present < wanted
}

fn read(log: &mut dyn ReadAt, stream: Stream, start: u64, end: u64) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; usize::try_from(end - start).map_err(io::Error::other)?];
    let mut filled = 0;
    while filled < bytes.len() {
        match log.read_at(stream, start + filled as u64, &mut bytes[filled..])? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            count => filled += count,
        }
    }
    Ok(bytes)
}

impl RecordPart<'_> {
    /// Whether this part makes a separate entry. If so, decoding it gives an entry.
    pub(super) fn is_shown(&self) -> bool {
        match self {
            // Neither holds a long text, so decoding is cheap.
            RecordPart::Notice(notice) => match notice.event() {
                Some(SessionEvent::TurnEnded { .. }) => notice.is_unreported_failure(),
                Some(event) => TimelineKind::from_event(event).is_some(),
                None => false,
            },
            // Errors were reported before the end of the turn; interruptions were not.
            RecordPart::Event(event) => match &**event {
                SessionEvent::TurnEnded { end, .. } => *end == TurnEnd::Interrupted,
                SessionEvent::Usage { usage } => *usage != Usage::default(),
                SessionEvent::PermissionAnswered { .. }
                | SessionEvent::PermissionWithdrawn { .. }
                | SessionEvent::Background { .. } => false,
                _ => true,
            },
            RecordPart::PermissionAnswered { .. } => false,
            RecordPart::Text { .. }
            | RecordPart::Chunk { .. }
            | RecordPart::Call(_)
            | RecordPart::ToolCall { .. }
            | RecordPart::ToolResult(_)
            | RecordPart::PermissionAsked { .. }
            | RecordPart::Plain
            | RecordPart::Unknown => true,
        }
    }
}
