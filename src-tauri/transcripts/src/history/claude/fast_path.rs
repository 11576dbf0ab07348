//! A fast path for nearly all records of a history: answers of the model and tool results, read
//! without decoding their texts. Anything unusual is left to the parser. Both must give the same
//! statistics.

use std::borrow::Cow;

use super::{Content, Line, Message, TokenUsage};
use crate::history::json_scanner::JsonScanner;

/// The fields that the statistics need; `None` when the record must be parsed.
pub(super) fn read(record: &[u8]) -> Option<Line<'_>> {
    let mut scan = JsonScanner::new(record);
    let mut line = FastPathLine::default();
    scan.object(|scan, key| line.field(scan, key))?;
    let kind = line.kind.filter(|_| scan.is_at_end())?;
    let message = line.message?;
    match kind {
        "assistant" => {}
        "user" if message.content.answers => {}
        _ => return None,
    }
    Some(Line {
        kind: Cow::Borrowed(kind),
        timestamp: line.timestamp.flatten().map(Cow::Borrowed),
        session_id: line.session_id.flatten().map(Cow::Borrowed),
        cwd: line.cwd.flatten().map(Cow::Borrowed),
        git_branch: line.git_branch.flatten().map(Cow::Borrowed),
        version: line.version.flatten().map(Cow::Borrowed),
        is_sidechain: line.is_sidechain.unwrap_or_default(),
        message: Some(message),
        ..Line::default()
    })
}

/// The fields so far; `Some` when the field was present.
#[derive(Default)]
struct FastPathLine<'a> {
    kind: Option<&'a str>,
    timestamp: Option<Option<&'a str>>,
    session_id: Option<Option<&'a str>>,
    cwd: Option<Option<&'a str>>,
    git_branch: Option<Option<&'a str>>,
    version: Option<Option<&'a str>>,
    is_sidechain: Option<bool>,
    message: Option<Message<'a>>,
}

impl<'a> FastPathLine<'a> {
    fn field(&mut self, scan: &mut JsonScanner<'a>, key: &[u8]) -> Option<()> {
        match key {
            b"type" => once(&mut self.kind, scan.text()?),
            b"timestamp" => once(&mut self.timestamp, scan.text_or_null()?),
            b"sessionId" => once(&mut self.session_id, scan.text_or_null()?),
            b"cwd" => once(&mut self.cwd, scan.text_or_null()?),
            b"gitBranch" => once(&mut self.git_branch, scan.text_or_null()?),
            b"version" => once(&mut self.version, scan.text_or_null()?),
            b"isSidechain" => once(&mut self.is_sidechain, scan.boolean()?),
            b"message" => once(&mut self.message, message(scan)?),
            // These fields rarely matter for such a record.
            b"isMeta"
            | b"isCompactSummary"
            | b"summary"
            | b"customTitle"
            | b"aiTitle"
            | b"totalCostUSD"
            | b"hasUnknownModelCost"
            | b"costUSD" => None,
            _ if key.contains(&b'\\') => None,
            _ => scan.skip(),
        }
    }
}

/// A duplicate field is left to the parser.
fn once<T>(slot: &mut Option<T>, value: T) -> Option<()> {
    slot.replace(value).is_none().then_some(())
}

fn message<'a>(scan: &mut JsonScanner<'a>) -> Option<Message<'a>> {
    let (mut id, mut model, mut usage, mut content) = (None, None, None, None);
    scan.object(|scan, key| match key {
        b"id" => once(&mut id, scan.text_or_null()?),
        b"model" => once(&mut model, scan.text_or_null()?),
        b"usage" => once(&mut usage, token_usage(scan)?),
        b"content" => once(&mut content, self::content(scan)?),
        _ if key.contains(&b'\\') => None,
        _ => scan.skip(),
    })?;
    Some(Message {
        id: id.flatten().map(Cow::Borrowed),
        model: model.flatten().map(Cow::Borrowed),
        usage: usage.flatten(),
        content: content.unwrap_or_default(),
    })
}

fn token_usage(scan: &mut JsonScanner<'_>) -> Option<Option<TokenUsage>> {
    if scan.is_null() {
        return Some(None);
    }
    let (mut input, mut output, mut read, mut written) = (None, None, None, None);
    scan.object(|scan, key| match key {
        b"input_tokens" => once(&mut input, count_or_null(scan)?),
        b"output_tokens" => once(&mut output, count_or_null(scan)?),
        b"cache_read_input_tokens" => once(&mut read, count_or_null(scan)?),
        b"cache_creation_input_tokens" => once(&mut written, count_or_null(scan)?),
        _ if key.contains(&b'\\') => None,
        _ => scan.skip(),
    })?;
    Some(Some(TokenUsage {
        input_tokens: input.flatten(),
        output_tokens: output.flatten(),
        cache_read_input_tokens: read.flatten(),
        cache_creation_input_tokens: written.flatten(),
    }))
}

fn count_or_null(scan: &mut JsonScanner<'_>) -> Option<Option<u64>> {
    if scan.is_null() {
        Some(None)
    } else {
        scan.count().map(Some)
    }
}

/// Whether the blocks contain a tool result. Texts are not collected, because only those of
/// prompts are needed.
fn content<'a>(scan: &mut JsonScanner<'_>) -> Option<Content<'a>> {
    let mut answers = false;
    scan.array(|scan| {
        let mut kind = None;
        scan.object(|scan, key| match key {
            b"type" => once(&mut kind, scan.text()?),
            _ if key.contains(&b'\\') => None,
            _ => scan.skip(),
        })?;
        answers |= kind?.ends_with("tool_result");
        Some(())
    })?;
    Some(Content {
        text: None,
        answers,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::super::{TranscriptStats, apply_line, parse};

    fn stats(line: Result<super::Line<'_>, serde_json::Error>) -> Option<TranscriptStats> {
        let mut stats = TranscriptStats::default();
        line.ok().map(|line| {
            apply_line(&line, &mut stats);
            stats
        })
    }

    /// Values for a field, mostly `usual`.
    fn value(usual: Value) -> impl Strategy<Value = Value> {
        prop_oneof![
            12 => Just(usual),
            1 => Just(Value::Null),
            1 => Just(json!("a \"b\\")),
            1 => Just(json!(-1.5)),
            1 => Just(json!(7)),
            1 => Just(json!(true)),
            1 => Just(json!([{"type": "text", "text": "x"}])),
            1 => Just(json!({"usage": {"input_tokens": 9}})),
        ]
    }

    fn object(fields: Vec<(&'static str, Value)>) -> impl Strategy<Value = Value> {
        let strategies: Vec<_> = fields
            .into_iter()
            .map(|(name, usual)| {
                prop::option::weighted(0.95, value(usual)).prop_map(move |value| (name, value))
            })
            .collect();
        strategies.prop_map(|fields| {
            let fields = fields
                .into_iter()
                .filter_map(|(name, value)| value.map(|value| (name.to_owned(), value)));
            Value::Object(fields.collect())
        })
    }

    fn record() -> impl Strategy<Value = Value> {
        let usage = object(vec![
            ("input_tokens", json!(12)),
            ("output_tokens", json!(3)),
            ("cache_read_input_tokens", json!(400)),
            ("cache_creation_input_tokens", json!(50)),
            ("service_tier", json!("standard")),
        ]);
        let block = prop_oneof![
            Just(json!({"type": "text", "text": "said \"usage\":{\"input_tokens\":5}"})),
            Just(
                json!({"type": "tool_use", "id": "t", "input": {"usage": {"input_tokens": 5}, "type": "tool_result"}})
            ),
            Just(json!({"type": "tool_result", "content": "}]}\\", "tool_use_id": "t"})),
            Just(json!({"text": "without a kind"})),
        ];
        let content = prop_oneof![
            6 => prop::collection::vec(block, 0..3).prop_map(Value::from),
            1 => Just(json!("typed by a person")),
        ];
        let kind = prop_oneof![
            Just("assistant"),
            Just("user"),
            Just("summary"),
            Just("attachment")
        ];
        (usage, content, kind).prop_flat_map(|(usage, content, kind)| {
            let message = object(vec![
                ("id", json!("msg_1")),
                ("model", json!("claude-sonnet-4-5")),
                ("role", json!(kind)),
                ("content", content),
                ("usage", usage),
            ]);
            message.prop_flat_map(move |message| {
                object(vec![
                    ("parentUuid", Value::Null),
                    ("type", json!(kind)),
                    ("isSidechain", json!(true)),
                    ("message", message),
                    (
                        "toolUseResult",
                        json!({"stdout": "\"x", "usage": {"output_tokens": 1}}),
                    ),
                    ("timestamp", json!("2026-01-02T03:04:05.678Z")),
                    ("cwd", json!("/home/dev")),
                    ("sessionId", json!("s")),
                    ("gitBranch", json!("main")),
                    ("version", json!("2.1.197")),
                    ("costUSD", json!(0.5)),
                    ("isMeta", json!(false)),
                ])
            })
        })
    }

    proptest! {
        #[test]
        fn fast_path_matches_parser(record in record(), doubled in any::<bool>()) {
            let mut text = record.to_string();
            if doubled {
                text = format!("{},\"cwd\":\"/other\"}}", &text[..text.len() - 1]);
            }
            if let Some(line) = super::read(text.as_bytes()) {
                prop_assert_eq!(stats(Ok(line)), stats(parse(text.as_bytes())), "{}", text);
            }
        }
    }

    #[test]
    fn fast_path_reads_every_recorded_version() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../../tests/fixtures/transcripts/claude");
        let (mut brief, mut answers) = (0, 0);
        for file in std::fs::read_dir(folder).expect("recordings") {
            let text = std::fs::read_to_string(file.expect("a recording").path()).expect("text");
            for record in text.lines() {
                let read = super::read(record.as_bytes());
                answers += usize::from(record.contains(r#""type":"assistant""#));
                brief += usize::from(read.as_ref().is_some_and(|line| line.kind == "assistant"));
                if let Some(line) = read {
                    assert_eq!(stats(Ok(line)), stats(parse(record.as_bytes())), "{record}");
                }
            }
        }
        assert!(
            brief > 10 && brief == answers,
            "{brief} of {answers}: otherwise nothing is faster"
        );
    }
}
