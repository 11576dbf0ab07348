//! Claude Code's records below `~/.claude/projects`, from versions of 2025 and 2026.
//!
//! Unknown kinds are skipped: 2.1.197 writes six kinds, 2.1.329 about thirty.

mod fast_path;

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::sync::LazyLock;

use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::history::line::{LineSignature, parse, string, text_prefixes};
use crate::history::search_text::SearchText;
use crate::history::stats::{Tokens, TranscriptStats, replace_if_changed};

/// The fields of a line that the statistics need. All others are skipped.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Line<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
    #[serde(borrow)]
    timestamp: Option<Cow<'a, str>>,
    #[serde(borrow)]
    session_id: Option<Cow<'a, str>>,
    #[serde(borrow)]
    cwd: Option<Cow<'a, str>>,
    #[serde(borrow)]
    git_branch: Option<Cow<'a, str>>,
    #[serde(borrow)]
    version: Option<Cow<'a, str>>,
    #[serde(default)]
    is_sidechain: bool,
    #[serde(default)]
    is_meta: bool,
    #[serde(default)]
    is_compact_summary: bool,
    #[serde(borrow)]
    message: Option<Message<'a>>,
    #[serde(borrow)]
    summary: Option<Cow<'a, str>>,
    #[serde(borrow)]
    custom_title: Option<Cow<'a, str>>,
    #[serde(borrow)]
    ai_title: Option<Cow<'a, str>>,
    #[serde(rename = "totalCostUSD")]
    total_cost_usd: Option<f64>,
    #[serde(default)]
    has_unknown_model_cost: bool,
    #[serde(rename = "costUSD")]
    cost_usd: Option<f64>,
}

#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow)]
    id: Option<Cow<'a, str>>,
    #[serde(borrow)]
    model: Option<Cow<'a, str>>,
    usage: Option<TokenUsage>,
    #[serde(borrow, default)]
    content: Content<'a>,
}

#[derive(Deserialize)]
struct TokenUsage {
    input_tokens: Option<u64>,
    output_tokens: Option<u64>,
    cache_read_input_tokens: Option<u64>,
    cache_creation_input_tokens: Option<u64>,
}

/// The content of a message, as far as the statistics need it.
#[derive(Default)]
struct Content<'a> {
    /// The first text block.
    text: Option<Text<'a>>,
    /// Whether it contains a tool result.
    answers: bool,
}

/// A text that may still be encoded.
enum Text<'a> {
    Plain(Cow<'a, str>),
    Raw(&'a RawValue),
}

impl Text<'_> {
    fn decoded(&self) -> Option<Cow<'_, str>> {
        match self {
            Self::Plain(text) => Some(Cow::Borrowed(text)),
            Self::Raw(raw) => string(raw),
        }
    }
}

#[derive(Deserialize)]
struct Block<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
    /// Only the first text of a prompt is ever decoded.
    #[serde(borrow)]
    text: Option<&'a RawValue>,
}

/// One pass over what may be megabytes; only texts are kept.
impl<'de: 'a, 'a> Deserialize<'de> for Content<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Contents(PhantomData))
    }
}

struct Contents<'a>(PhantomData<&'a ()>);

impl<'de: 'a, 'a> Visitor<'de> for Contents<'a> {
    type Value = Content<'a>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text or blocks")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Content {
            text: Some(Text::Plain(Cow::Borrowed(text))),
            answers: false,
        })
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Content {
            text: Some(Text::Plain(Cow::Owned(text.to_owned()))),
            answers: false,
        })
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Content::default())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut blocks: A) -> Result<Self::Value, A::Error> {
        let mut content = Content::default();
        while let Some(block) = blocks.next_element::<Block<'a>>()? {
            content.answers |= block.kind.ends_with("tool_result");
            content.text = content.text.or(block.text.map(Text::Raw));
        }
        Ok(content)
    }
}

/// Whether a line is a tool result.
pub(crate) fn is_answer(line: &[u8]) -> bool {
    static SIGNATURE: LazyLock<LineSignature> = LazyLock::new(|| {
        let required = ["\"role\":\"user\"", "\"type\":\"tool_result\""];
        LineSignature::new("{\"parentUuid\":", required, "\"role\":\"assistant\"")
    });
    SIGNATURE.matches(line)
}

/// Adds a record to the statistics.
pub(crate) fn update_stats(
    record: &[u8],
    stats: &mut TranscriptStats,
) -> Result<(), serde_json::Error> {
    let line = fast_path::read(record).map_or_else(|| parse(record), Ok)?;
    apply_line(&line, stats);
    Ok(())
}

fn apply_line(line: &Line<'_>, stats: &mut TranscriptStats) {
    if let Some(id) = &line.session_id {
        stats
            .native_id
            .get_or_insert_with(|| id.clone().into_owned());
    }
    if let Some(time) = &line.timestamp {
        stats.record_time(time);
    }
    stats.helper |= line.is_sidechain && stats.messages == 0;
    match &*line.kind {
        "user" | "assistant" => {
            if let Some(cwd) = &line.cwd {
                stats
                    .project
                    .get_or_insert_with(|| cwd.clone().into_owned());
            }
            for (slot, value) in [
                (&mut stats.branch, &line.git_branch),
                (&mut stats.version, &line.version),
            ] {
                if let Some(value) = value.as_deref().filter(|value| !value.is_empty()) {
                    replace_if_changed(slot, value);
                }
            }
            record_message(line, stats);
        }
        "summary" if stats.own_title.is_none() => apply_title(&line.summary, stats),
        "ai-title" => apply_title(&line.ai_title, stats),
        "custom-title" => apply_title(&line.custom_title, stats),
        "cost-state" => cost(line, stats),
        _ => {}
    }
}

fn apply_title(title: &Option<Cow<'_, str>>, stats: &mut TranscriptStats) {
    if let Some(title) = title {
        stats.set_title(title);
    }
}

fn record_message(line: &Line<'_>, stats: &mut TranscriptStats) {
    let Some(message) = &line.message else { return };
    if line.kind == "assistant" {
        // The client writes in the model's name when the model could not answer.
        let model = message
            .model
            .as_deref()
            .filter(|model| *model != "<synthetic>");
        stats.record_answer(
            message.id.as_deref(),
            model,
            message.usage.as_ref().map(TokenUsage::tokens),
        );
        if let Some(usd) = line.cost_usd {
            *stats.told_usd.get_or_insert_default() += usd;
        }
        return;
    }
    let own = !line.is_meta && !line.is_compact_summary && !message.content.answers;
    if let Some(text) = message
        .content
        .text
        .as_ref()
        .filter(|_| own)
        .and_then(Text::decoded)
    {
        match prompt(&text) {
            Some(text) => stats.record_prompt(text),
            None => stats.messages += 1,
        }
    }
}

/// The text that a person typed; `None` for what the client writes in the person's name.
fn prompt(text: &str) -> Option<&str> {
    let text = text.trim_start();
    let by_client = [
        "<local-command-",
        "<system-reminder>",
        "<bash-",
        "<task-notification>",
        "Caveat: ",
        "[Request interrupted",
    ];
    if by_client.iter().any(|start| text.starts_with(start)) {
        return None;
    }
    // A command of the client contains `<command-name>/review</command-name>`.
    if text.starts_with("<command-") {
        let (_, name) = text.split_once("<command-name>")?;
        return name
            .split_once("</command-name>")
            .map(|(name, _)| name)
            .filter(|name| *name != "/clear");
    }
    Some(text)
}

/// Sets the cost of the whole conversation so far. It restarts at 0 when a client resumes a
/// conversation without knowing its beginning.
fn cost(line: &Line<'_>, stats: &mut TranscriptStats) {
    if let Some(usd) = line.total_cost_usd.filter(|_| !line.has_unknown_model_cost) {
        stats.told_usd = Some(stats.told_usd.map_or(usd, |before| before.max(usd)));
    }
}

impl TokenUsage {
    fn tokens(&self) -> Tokens {
        Tokens {
            input: self.input_tokens.unwrap_or_default(),
            output: self.output_tokens.unwrap_or_default(),
            cache_read: self.cache_read_input_tokens.unwrap_or_default(),
            cache_write: self.cache_creation_input_tokens.unwrap_or_default(),
        }
    }
}

/// The fields of a line that the search needs.
#[derive(Deserialize)]
struct SearchableRecord<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
    #[serde(borrow)]
    message: Option<SearchableMessage<'a>>,
    #[serde(borrow)]
    summary: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct SearchableMessage<'a> {
    #[serde(borrow)]
    content: &'a RawValue,
}

#[derive(Deserialize)]
struct SearchableBlock<'a> {
    #[serde(borrow)]
    text: Option<Cow<'a, str>>,
    #[serde(borrow)]
    thinking: Option<Cow<'a, str>>,
    input: Option<Value>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
}

/// Collects the searchable text of a record.
pub(crate) fn collect_text(
    record: &[u8],
    search_text: &mut SearchText,
) -> Result<(), serde_json::Error> {
    let record: SearchableRecord<'_> = parse(record)?;
    match (&*record.kind, record.message) {
        ("user" | "assistant", Some(message)) => {
            if message.content.get().starts_with('"') {
                string(message.content)
                    .iter()
                    .for_each(|text| search_text.push_message(text));
                return Ok(());
            }
            for block in serde_json::from_str::<Vec<SearchableBlock<'_>>>(message.content.get())? {
                block
                    .text
                    .iter()
                    .chain(&block.thinking)
                    .for_each(|text| search_text.push_message(text));
                block
                    .input
                    .iter()
                    .for_each(|input| search_text.push_tool_input(input));
                block
                    .content
                    .map(text_prefixes)
                    .iter()
                    .flatten()
                    .for_each(|text| search_text.push_tool_output(text));
            }
        }
        ("summary", _) => record
            .summary
            .iter()
            .for_each(|text| search_text.push_message(text)),
        _ => {}
    }
    Ok(())
}
