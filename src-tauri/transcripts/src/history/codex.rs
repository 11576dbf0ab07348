//! Codex's records below `~/.codex/sessions`: `{timestamp, type, payload}`, and the older form
//! without `payload`.

use std::borrow::Cow;
use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::history::line::{LineSignature, parse, text_prefixes, texts};
use crate::history::search_text::SearchText;
use crate::history::stats::{Tokens, TranscriptStats, replace_if_changed};

#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    timestamp: Option<Cow<'a, str>>,
    #[serde(rename = "type", borrow)]
    kind: Option<Cow<'a, str>>,
    #[serde(borrow)]
    payload: Option<Payload<'a>>,
}

/// The payload fields that the statistics need, for all kinds of records.
#[derive(Deserialize)]
struct Payload<'a> {
    #[serde(rename = "type", borrow)]
    kind: Option<Cow<'a, str>>,
    #[serde(borrow)]
    id: Option<Cow<'a, str>>,
    #[serde(borrow)]
    cwd: Option<Cow<'a, str>>,
    #[serde(borrow)]
    cli_version: Option<Cow<'a, str>>,
    #[serde(borrow)]
    git: Option<Git<'a>>,
    #[serde(borrow)]
    model: Option<Cow<'a, str>>,
    #[serde(borrow)]
    role: Option<Cow<'a, str>>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    info: Option<Info>,
    thread_token_usage: Option<TokenUsage>,
    #[serde(borrow)]
    thread_name: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct Git<'a> {
    #[serde(borrow)]
    branch: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct Info {
    total_token_usage: Option<TokenUsage>,
}

/// The whole conversation so far. `input_tokens` includes cached ones.
#[derive(Deserialize)]
struct TokenUsage {
    #[serde(default)]
    input_tokens: u64,
    #[serde(default)]
    cached_input_tokens: u64,
    #[serde(default)]
    cache_write_input_tokens: u64,
    #[serde(default)]
    output_tokens: u64,
}

/// The first record of a file in the older form.
#[derive(Deserialize)]
struct Older<'a> {
    #[serde(borrow)]
    id: Option<Cow<'a, str>>,
    #[serde(borrow)]
    git: Option<Git<'a>>,
}

/// Whether a line is a tool result.
pub(crate) fn is_answer(line: &[u8]) -> bool {
    static SIGNATURE: LazyLock<LineSignature> = LazyLock::new(|| {
        let required = ["\"type\":\"response_item\"", "_call_output\",\""];
        LineSignature::new("{\"timestamp\":\"", required, "\"type\":\"message\"")
    });
    SIGNATURE.matches(line)
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
    match (line.kind.as_deref(), line.payload) {
        (Some("session_meta"), Some(payload)) => session(&payload, stats),
        (Some("turn_context"), Some(payload)) => {
            if let Some(model) = &payload.model {
                replace_if_changed(&mut stats.model, model);
            }
            if let Some(cwd) = payload.cwd {
                stats.project.get_or_insert_with(|| cwd.into_owned());
            }
        }
        (Some("response_item"), Some(payload)) if payload.kind.as_deref() == Some("message") => {
            message(payload.role.as_deref(), payload.content, stats);
        }
        (Some("event_msg" | "token_usage_record"), Some(payload)) => event(&payload, stats),
        (Some("message"), None) => {
            let payload: Payload<'_> = parse(record)?;
            message(payload.role.as_deref(), payload.content, stats);
        }
        (None, None) => {
            let older: Older<'_> = parse(record)?;
            if stats.native_id.is_none() {
                stats.native_id = older.id.map(Cow::into_owned);
                stats.branch = older.git.and_then(|git| git.branch).map(Cow::into_owned);
            }
        }
        _ => {}
    }
    Ok(())
}

/// Sets the session's id and folder. A fork begins with the records of its origin, which contain
/// the origin's id: the first id counts.
fn session(payload: &Payload<'_>, stats: &mut TranscriptStats) {
    if stats.native_id.is_some() {
        return;
    }
    let owned = |text: &Option<Cow<'_, str>>| text.as_deref().map(str::to_owned);
    stats.native_id = owned(&payload.id);
    stats.project = owned(&payload.cwd);
    stats.version = owned(&payload.cli_version);
    stats.branch = payload.git.as_ref().and_then(|git| owned(&git.branch));
}

fn message(role: Option<&str>, content: Option<&RawValue>, stats: &mut TranscriptStats) {
    match role {
        Some("user") => {
            let texts = content.map(texts).unwrap_or_default();
            if let Some(text) = texts.iter().find(|text| is_prompt(text)) {
                stats.record_prompt(text);
            }
        }
        Some("assistant") => stats.messages += 1,
        _ => {}
    }
}

/// Whether a person typed it. Text that the client adds is wrapped in a tag, or begins with its
/// file name.
fn is_prompt(text: &str) -> bool {
    let text = text.trim_start();
    let by_client = [
        "<environment_context>",
        "<user_instructions>",
        "<INSTRUCTIONS>",
        "<turn_aborted>",
        "<skill",
        "<permissions instructions>",
        "<subagent_notification>",
        "# AGENTS.md instructions",
    ];
    !by_client.iter().any(|start| text.starts_with(start))
}

fn event(payload: &Payload<'_>, stats: &mut TranscriptStats) {
    let reported = payload
        .info
        .as_ref()
        .and_then(|info| info.total_token_usage.as_ref());
    if let Some(spent) = reported.or(payload.thread_token_usage.as_ref()) {
        // Two kinds of records report the same total, so a total that has not grown adds nothing.
        let more = spent
            .tokens()
            .saturating_sub(stats.tokens.unwrap_or_default());
        let model = stats.model.take();
        stats.add_usage(more, model.as_deref());
        stats.model = model;
    }
    if let Some(name) = &payload.thread_name {
        stats.set_title(name);
    }
}

impl TokenUsage {
    fn tokens(&self) -> Tokens {
        Tokens {
            input: self.input_tokens.saturating_sub(self.cached_input_tokens),
            output: self.output_tokens,
            cache_read: self.cached_input_tokens,
            cache_write: self.cache_write_input_tokens,
        }
    }
}

#[derive(Deserialize)]
struct SearchableLine<'a> {
    #[serde(rename = "type", borrow)]
    kind: Option<Cow<'a, str>>,
    #[serde(borrow)]
    payload: Option<SearchableRecord<'a>>,
}

/// The payload fields that the search needs.
#[derive(Deserialize)]
struct SearchableRecord<'a> {
    #[serde(rename = "type", borrow)]
    kind: Option<Cow<'a, str>>,
    #[serde(borrow)]
    role: Option<Cow<'a, str>>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
    #[serde(borrow)]
    summary: Option<&'a RawValue>,
    #[serde(borrow)]
    arguments: Option<Cow<'a, str>>,
    #[serde(borrow)]
    input: Option<Cow<'a, str>>,
    #[serde(borrow)]
    output: Option<&'a RawValue>,
}

/// Collects the searchable text of a record. Events repeat the items and are skipped.
pub(crate) fn collect_text(
    record: &[u8],
    search_text: &mut SearchText,
) -> Result<(), serde_json::Error> {
    let line: SearchableLine<'_> = parse(record)?;
    match (line.kind.as_deref(), line.payload) {
        (Some("response_item"), Some(record)) => item(&record, search_text),
        (Some(_), None) => item(&parse(record)?, search_text),
        _ => {}
    }
    Ok(())
}

fn item(record: &SearchableRecord<'_>, search_text: &mut SearchText) {
    match record.kind.as_deref() {
        Some("message") if matches!(record.role.as_deref(), Some("user" | "assistant")) => {
            record
                .content
                .map(texts)
                .iter()
                .flatten()
                .filter(|text| is_prompt(text))
                .for_each(|text| search_text.push_message(text));
        }
        Some("reasoning") => record
            .summary
            .map(texts)
            .iter()
            .flatten()
            .for_each(|text| search_text.push_message(text)),
        Some("function_call") => {
            let arguments = record
                .arguments
                .as_deref()
                .and_then(|text| serde_json::from_str(text).ok());
            arguments
                .iter()
                .for_each(|arguments| search_text.push_tool_input(arguments));
        }
        Some("custom_tool_call") => record
            .input
            .iter()
            .for_each(|text| search_text.push_tool_input(&text.clone().into_owned().into())),
        Some("function_call_output" | "custom_tool_call_output" | "local_shell_call_output") => {
            record
                .output
                .map(text_prefixes)
                .iter()
                .flatten()
                .for_each(|text| search_text.push_tool_output(text));
        }
        _ => {}
    }
}
