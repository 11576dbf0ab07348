//! pi's records below `~/.pi/agent/sessions`: a header, then a tree of messages.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::history::line::{parse, string, text_prefixes, texts};
use crate::history::search_text::SearchText;
use crate::history::stats::{Tokens, TranscriptStats};

#[derive(Deserialize)]
struct Line<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
    #[serde(borrow)]
    id: Option<Cow<'a, str>>,
    #[serde(borrow)]
    timestamp: Option<Cow<'a, str>>,
    #[serde(borrow)]
    cwd: Option<Cow<'a, str>>,
    #[serde(borrow)]
    name: Option<Cow<'a, str>>,
    #[serde(borrow)]
    message: Option<Message<'a>>,
}

#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow)]
    role: Cow<'a, str>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    #[serde(borrow)]
    model: Option<Cow<'a, str>>,
    usage: Option<TokenUsage>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[derive(Default)]
struct TokenUsage {
    input: u64,
    output: u64,
    cache_read: u64,
    cache_write: u64,
    cost: Option<Cost>,
}

#[derive(Deserialize)]
struct Cost {
    total: Option<f64>,
}

/// Adds a record to the statistics.
pub(crate) fn update_stats(
    record: &[u8],
    stats: &mut TranscriptStats,
) -> Result<(), serde_json::Error> {
    let line: Line<'_> = parse(record)?;
    if let Some(time) = &line.timestamp {
        stats.record_time(time);
    }
    match (&*line.kind, line.message) {
        ("session", _) if stats.native_id.is_none() => {
            stats.native_id = line.id.map(Cow::into_owned);
            stats.project = line.cwd.map(Cow::into_owned);
        }
        ("session_info", _) => line.name.iter().for_each(|name| stats.set_title(name)),
        ("message", Some(message)) => record_message(&message, stats),
        _ => {}
    }
    Ok(())
}

fn record_message(message: &Message<'_>, stats: &mut TranscriptStats) {
    match &*message.role {
        "user" => {
            let texts = message.content.map(texts).unwrap_or_default();
            stats.record_prompt(texts.first().map_or("", |text| text));
        }
        "assistant" => {
            stats.record_answer(
                None,
                message.model.as_deref(),
                message.usage.as_ref().map(TokenUsage::tokens),
            );
            let cost = message
                .usage
                .as_ref()
                .and_then(|spent| spent.cost.as_ref()?.total);
            if let Some(usd) = cost {
                *stats.told_usd.get_or_insert_default() += usd;
            }
        }
        _ => {}
    }
}

impl TokenUsage {
    fn tokens(&self) -> Tokens {
        Tokens {
            input: self.input,
            output: self.output,
            cache_read: self.cache_read,
            cache_write: self.cache_write,
        }
    }
}

#[derive(Deserialize)]
struct Block<'a> {
    #[serde(borrow)]
    text: Option<Cow<'a, str>>,
    #[serde(borrow)]
    thinking: Option<Cow<'a, str>>,
    arguments: Option<Value>,
}

/// Collects the searchable text of a record.
pub(crate) fn collect_text(
    record: &[u8],
    search_text: &mut SearchText,
) -> Result<(), serde_json::Error> {
    let line: Line<'_> = parse(record)?;
    let Some(message) = line.message else {
        return Ok(());
    };
    let Some(content) = message.content else {
        return Ok(());
    };
    match &*message.role {
        "toolResult" | "bashExecution" => text_prefixes(content)
            .iter()
            .for_each(|text| search_text.push_tool_output(text)),
        "user" | "assistant" if content.get().starts_with('"') => {
            string(content)
                .iter()
                .for_each(|text| search_text.push_message(text));
        }
        "user" | "assistant" => {
            for block in serde_json::from_str::<Vec<Block<'_>>>(content.get())? {
                block
                    .text
                    .iter()
                    .chain(&block.thinking)
                    .for_each(|text| search_text.push_message(text));
                block
                    .arguments
                    .iter()
                    .for_each(|input| search_text.push_tool_input(input));
            }
        }
        _ => {}
    }
    Ok(())
}
