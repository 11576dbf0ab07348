//! Codex's records below `~/.codex/sessions`: `{timestamp, type, payload}`, and the older form without `payload`.

use std::borrow::Cow;
use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::history::figures::{Figures, Tokens, keep};
use crate::history::line::{Sign, beginnings, parse, texts};
use crate::history::words::Words;

#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    timestamp: Option<Cow<'a, str>>,
    #[serde(rename = "type", borrow)]
    kind: Option<Cow<'a, str>>,
    #[serde(borrow)]
    payload: Option<Payload<'a>>,
}

/// What the figures need of what a record carries, whatever its kind.
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
    thread_token_usage: Option<Spent>,
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
    total_token_usage: Option<Spent>,
}

/// All of a conversation so far. `input_tokens` counts the cached ones too.
#[derive(Deserialize)]
struct Spent {
    #[serde(default)]
    input_tokens: u64,
    #[serde(default)]
    cached_input_tokens: u64,
    #[serde(default)]
    cache_write_input_tokens: u64,
    #[serde(default)]
    output_tokens: u64,
}

/// The first record of a file before the records had a payload.
#[derive(Deserialize)]
struct Older<'a> {
    #[serde(borrow)]
    id: Option<Cow<'a, str>>,
    #[serde(borrow)]
    git: Option<Git<'a>>,
}

/// Whether a line is a tool's answer.
pub(crate) fn is_answer(line: &[u8]) -> bool {
    static SIGN: LazyLock<Sign> = LazyLock::new(|| {
        let said = ["\"type\":\"response_item\"", "_call_output\",\""];
        Sign::of("{\"timestamp\":\"", said, "\"type\":\"message\"")
    });
    SIGN.fits(line)
}

/// Takes a record into the figures.
pub(crate) fn take(record: &[u8], figures: &mut Figures) -> Result<(), serde_json::Error> {
    let line: Line<'_> = parse(record)?;
    if let Some(time) = &line.timestamp {
        figures.at(time);
    }
    match (line.kind.as_deref(), line.payload) {
        (Some("session_meta"), Some(payload)) => session(&payload, figures),
        (Some("turn_context"), Some(payload)) => {
            if let Some(model) = &payload.model {
                keep(&mut figures.model, model);
            }
            if let Some(cwd) = payload.cwd {
                figures.project.get_or_insert_with(|| cwd.into_owned());
            }
        }
        (Some("response_item"), Some(payload)) if payload.kind.as_deref() == Some("message") => {
            message(payload.role.as_deref(), payload.content, figures);
        }
        (Some("event_msg" | "token_usage_record"), Some(payload)) => event(&payload, figures),
        (Some("message"), None) => {
            let payload: Payload<'_> = parse(record)?;
            message(payload.role.as_deref(), payload.content, figures);
        }
        (None, None) => {
            let older: Older<'_> = parse(record)?;
            if figures.native_id.is_none() {
                figures.native_id = older.id.map(Cow::into_owned);
                figures.branch = older.git.and_then(|git| git.branch).map(Cow::into_owned);
            }
        }
        _ => {}
    }
    Ok(())
}

/// A fork begins with the records of its origin, which name themselves too: the first name counts.
fn session(payload: &Payload<'_>, figures: &mut Figures) {
    if figures.native_id.is_some() {
        return;
    }
    let owned = |text: &Option<Cow<'_, str>>| text.as_deref().map(str::to_owned);
    figures.native_id = owned(&payload.id);
    figures.project = owned(&payload.cwd);
    figures.version = owned(&payload.cli_version);
    figures.branch = payload.git.as_ref().and_then(|git| owned(&git.branch));
}

fn message(role: Option<&str>, content: Option<&RawValue>, figures: &mut Figures) {
    match role {
        Some("user") => {
            let texts = content.map(texts).unwrap_or_default();
            if let Some(text) = texts.iter().find(|text| is_prompt(text)) {
                figures.prompted(text);
            }
        }
        Some("assistant") => figures.messages += 1,
        _ => {}
    }
}

/// Whether a person said it. What the client says in their name is wrapped in a tag, or names its file.
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

fn event(payload: &Payload<'_>, figures: &mut Figures) {
    let told = payload
        .info
        .as_ref()
        .and_then(|info| info.total_token_usage.as_ref());
    if let Some(spent) = told.or(payload.thread_token_usage.as_ref()) {
        // Two kinds of record tell the same total; what is not more than before adds nothing.
        let more = spent.tokens().beyond(figures.tokens.unwrap_or_default());
        let model = figures.model.take();
        figures.used(more, model.as_deref());
        figures.model = model;
    }
    if let Some(name) = &payload.thread_name {
        figures.titled(name);
    }
}

impl Spent {
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
struct SaidLine<'a> {
    #[serde(rename = "type", borrow)]
    kind: Option<Cow<'a, str>>,
    #[serde(borrow)]
    payload: Option<Said<'a>>,
}

/// What the search needs of what a record carries.
#[derive(Deserialize)]
struct Said<'a> {
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

/// Collects what was said in a record. Events repeat what the items say, and are passed over.
pub(crate) fn collect(record: &[u8], words: &mut Words) -> Result<(), serde_json::Error> {
    let line: SaidLine<'_> = parse(record)?;
    match (line.kind.as_deref(), line.payload) {
        (Some("response_item"), Some(said)) => item(&said, words),
        (Some(_), None) => item(&parse(record)?, words),
        _ => {}
    }
    Ok(())
}

fn item(said: &Said<'_>, words: &mut Words) {
    match said.kind.as_deref() {
        Some("message") if matches!(said.role.as_deref(), Some("user" | "assistant")) => {
            said.content
                .map(texts)
                .iter()
                .flatten()
                .filter(|text| is_prompt(text))
                .for_each(|text| words.said(text));
        }
        Some("reasoning") => said
            .summary
            .map(texts)
            .iter()
            .flatten()
            .for_each(|text| words.said(text)),
        Some("function_call") => {
            let arguments = said
                .arguments
                .as_deref()
                .and_then(|text| serde_json::from_str(text).ok());
            arguments
                .iter()
                .for_each(|arguments| words.given(arguments));
        }
        Some("custom_tool_call") => said
            .input
            .iter()
            .for_each(|text| words.given(&text.clone().into_owned().into())),
        Some("function_call_output" | "custom_tool_call_output" | "local_shell_call_output") => {
            said.output
                .map(beginnings)
                .iter()
                .flatten()
                .for_each(|text| words.answered(text));
        }
        _ => {}
    }
}
