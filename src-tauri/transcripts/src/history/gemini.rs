//! Gemini's messages, converted to one per line: a header with `sessionId`, then each message in
//! its last version.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::history::line::{parse, texts};
use crate::history::search_text::SearchText;
use crate::history::stats::{Tokens, TranscriptStats};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Line<'a> {
    #[serde(rename = "type", borrow)]
    kind: Option<Cow<'a, str>>,
    #[serde(borrow)]
    session_id: Option<Cow<'a, str>>,
    #[serde(borrow)]
    start_time: Option<Cow<'a, str>>,
    #[serde(borrow)]
    last_updated: Option<Cow<'a, str>>,
    #[serde(borrow)]
    summary: Option<Cow<'a, str>>,
    /// Added by the conversion: gemini keeps it in a separate file.
    #[serde(borrow)]
    cwd: Option<Cow<'a, str>>,
    #[serde(borrow)]
    timestamp: Option<Cow<'a, str>>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    #[serde(borrow)]
    model: Option<Cow<'a, str>>,
    tokens: Option<TokenUsage>,
    thoughts: Option<Vec<Thought>>,
    tool_calls: Option<Vec<ToolCall>>,
}

/// `input` includes cached tokens. Thoughts count as output.
#[derive(Deserialize, Default)]
#[serde(default)]
struct TokenUsage {
    input: u64,
    output: u64,
    cached: u64,
    thoughts: u64,
    tool: u64,
}

#[derive(Deserialize)]
struct Thought {
    subject: Option<String>,
    description: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ToolCall {
    args: Option<Value>,
    result: Option<Value>,
}

/// Adds a message or the header to the statistics.
pub(crate) fn update_stats(
    record: &[u8],
    stats: &mut TranscriptStats,
) -> Result<(), serde_json::Error> {
    let line: Line<'_> = parse(record)?;
    for time in [&line.timestamp, &line.start_time, &line.last_updated]
        .into_iter()
        .flatten()
    {
        stats.record_time(time);
    }
    if stats.native_id.is_none() {
        stats.native_id = line.session_id.map(Cow::into_owned);
    }
    if stats.project.is_none() {
        stats.project = line.cwd.map(Cow::into_owned);
    }
    if let Some(summary) = &line.summary {
        stats.set_title(summary);
    }
    match line.kind.as_deref() {
        Some("user") => {
            let texts = line.content.map(texts).unwrap_or_default();
            if let Some(text) = texts
                .iter()
                .find(|text| !text.trim_start().starts_with("<session_context>"))
            {
                stats.record_prompt(text);
            }
        }
        Some("gemini") => stats.record_answer(
            None,
            line.model.as_deref(),
            line.tokens.as_ref().map(TokenUsage::tokens),
        ),
        _ => {}
    }
    Ok(())
}

impl TokenUsage {
    fn tokens(&self) -> Tokens {
        Tokens {
            input: (self.input + self.tool).saturating_sub(self.cached),
            output: self.output + self.thoughts,
            cache_read: self.cached,
            cache_write: 0,
        }
    }
}

/// Collects the searchable text of a message.
pub(crate) fn collect_text(
    record: &[u8],
    search_text: &mut SearchText,
) -> Result<(), serde_json::Error> {
    let line: Line<'_> = parse(record)?;
    line.content
        .map(texts)
        .iter()
        .flatten()
        .for_each(|text| search_text.push_message(text));
    for thought in line.thoughts.iter().flatten() {
        thought
            .subject
            .iter()
            .chain(&thought.description)
            .for_each(|text| search_text.push_message(text));
    }
    for call in line.tool_calls.iter().flatten() {
        call.args
            .iter()
            .for_each(|args| search_text.push_tool_input(args));
        let responses = call
            .result
            .iter()
            .flat_map(|result| result.as_array().into_iter().flatten());
        for response in responses {
            let output = &response["functionResponse"]["response"];
            let text = output["output"].as_str().or(output["error"].as_str());
            text.iter()
                .for_each(|text| search_text.push_tool_output(text));
        }
    }
    Ok(())
}
