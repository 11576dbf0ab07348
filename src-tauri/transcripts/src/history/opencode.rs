//! opencode's sessions, converted to one part per line: `{"session": …}` first, then `{"message":
//! …, "part": …}`.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::Value;

use crate::history::line::parse;
use crate::history::search_text::SearchText;
use crate::history::stats::{Tokens, TranscriptStats};

#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    session: Option<Session<'a>>,
    #[serde(borrow)]
    message: Option<Message<'a>>,
    #[serde(borrow)]
    part: Option<Part<'a>>,
}

#[derive(Deserialize)]
struct Session<'a> {
    #[serde(borrow)]
    id: Cow<'a, str>,
    #[serde(borrow)]
    title: Option<Cow<'a, str>>,
    #[serde(borrow)]
    directory: Option<Cow<'a, str>>,
    #[serde(borrow)]
    version: Option<Cow<'a, str>>,
    time: Option<Time>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Message<'a> {
    #[serde(borrow)]
    id: Option<Cow<'a, str>>,
    #[serde(borrow)]
    role: Option<Cow<'a, str>>,
    #[serde(rename = "modelID", borrow)]
    model: Option<Cow<'a, str>>,
    cost: Option<f64>,
    tokens: Option<TokenUsage>,
    time: Option<Time>,
}

#[derive(Deserialize)]
struct Time {
    created: Option<i64>,
    updated: Option<i64>,
    completed: Option<i64>,
}

#[derive(Deserialize)]
struct TokenUsage {
    #[serde(default)]
    input: u64,
    #[serde(default)]
    output: u64,
    #[serde(default)]
    reasoning: u64,
    cache: Option<Cache>,
}

#[derive(Deserialize)]
struct Cache {
    #[serde(default)]
    read: u64,
    #[serde(default)]
    write: u64,
}

#[derive(Deserialize)]
struct Part<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
    #[serde(borrow)]
    text: Option<Cow<'a, str>>,
    #[serde(default)]
    synthetic: bool,
    state: Option<State>,
}

#[derive(Deserialize)]
struct State {
    input: Option<Value>,
    output: Option<String>,
    error: Option<String>,
}

/// Adds a line to the statistics.
pub(crate) fn update_stats(
    record: &[u8],
    stats: &mut TranscriptStats,
) -> Result<(), serde_json::Error> {
    let line: Line<'_> = parse(record)?;
    if let Some(session) = &line.session {
        stats.native_id = Some(session.id.clone().into_owned());
        stats.project = session.directory.as_deref().map(str::to_owned);
        stats.version = session.version.as_deref().map(str::to_owned);
        session
            .title
            .iter()
            .for_each(|title| stats.set_title(title));
        record_times(session.time.as_ref(), stats);
    }
    let Some(message) = &line.message else {
        return Ok(());
    };
    record_times(message.time.as_ref(), stats);
    match (message.role.as_deref(), &line.part) {
        (Some("user"), Some(part)) if part.kind == "text" && !part.synthetic => {
            stats.record_prompt(part.text.as_deref().unwrap_or_default());
        }
        (Some("assistant"), _) => {
            let before = stats.messages;
            stats.record_answer(
                message.id.as_deref(),
                message.model.as_deref(),
                message.tokens.as_ref().map(TokenUsage::tokens),
            );
            // Every part of an answer repeats the cost of the whole answer.
            if let Some(usd) = message.cost.filter(|_| stats.messages > before) {
                *stats.told_usd.get_or_insert_default() += usd;
            }
        }
        _ => {}
    }
    Ok(())
}

fn record_times(time: Option<&Time>, stats: &mut TranscriptStats) {
    let Some(time) = time else { return };
    [time.created, time.updated, time.completed]
        .into_iter()
        .flatten()
        .for_each(|time| stats.record_time_ms(time));
}

impl TokenUsage {
    fn tokens(&self) -> Tokens {
        let cache = self.cache.as_ref();
        Tokens {
            input: self.input,
            output: self.output + self.reasoning,
            cache_read: cache.map_or(0, |cache| cache.read),
            cache_write: cache.map_or(0, |cache| cache.write),
        }
    }
}

/// Collects the searchable text of a line.
pub(crate) fn collect_text(
    record: &[u8],
    search_text: &mut SearchText,
) -> Result<(), serde_json::Error> {
    let line: Line<'_> = parse(record)?;
    let Some(part) = line.part else { return Ok(()) };
    part.text
        .iter()
        .for_each(|text| search_text.push_message(text));
    if let Some(state) = part.state {
        state
            .input
            .iter()
            .for_each(|input| search_text.push_tool_input(input));
        state
            .output
            .iter()
            .chain(&state.error)
            .for_each(|text| search_text.push_tool_output(text));
    }
    Ok(())
}
