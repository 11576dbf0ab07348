//! Claude Code's records, as its versions of 2025 and 2026 write them below `~/.claude/projects`.
//!
//! A kind that is not known is passed over: 2.1.197 writes six kinds, 2.1.329 about thirty.

mod brief;

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::sync::LazyLock;

use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::history::figures::{Figures, Tokens, keep};
use crate::history::line::{Sign, beginnings, parse, string};
use crate::history::words::Words;

/// What the figures need of a line; all else is skipped without being kept.
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
    usage: Option<Spent>,
    #[serde(borrow, default)]
    content: Content<'a>,
}

#[derive(Deserialize)]
struct Spent {
    input_tokens: Option<u64>,
    output_tokens: Option<u64>,
    cache_read_input_tokens: Option<u64>,
    cache_creation_input_tokens: Option<u64>,
}

/// What a message says, as far as the figures need it.
#[derive(Default)]
struct Content<'a> {
    /// Its first text.
    text: Option<Text<'a>>,
    /// It hands on what a tool answered.
    answers: bool,
}

/// A text, decoded or not.
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
    /// Only a prompt's first one is ever decoded.
    #[serde(borrow)]
    text: Option<&'a RawValue>,
}

/// One pass over what may be megabytes: nothing but texts is kept.
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

/// Whether a line is a tool's answer.
pub(crate) fn is_answer(line: &[u8]) -> bool {
    static SIGN: LazyLock<Sign> = LazyLock::new(|| {
        let said = ["\"role\":\"user\"", "\"type\":\"tool_result\""];
        Sign::of("{\"parentUuid\":", said, "\"role\":\"assistant\"")
    });
    SIGN.fits(line)
}

/// Takes a record into the figures.
pub(crate) fn take(record: &[u8], figures: &mut Figures) -> Result<(), serde_json::Error> {
    let line = brief::read(record).map_or_else(|| parse(record), Ok)?;
    tell(&line, figures);
    Ok(())
}

fn tell(line: &Line<'_>, figures: &mut Figures) {
    if let Some(id) = &line.session_id {
        figures
            .native_id
            .get_or_insert_with(|| id.clone().into_owned());
    }
    if let Some(time) = &line.timestamp {
        figures.at(time);
    }
    figures.helper |= line.is_sidechain && figures.messages == 0;
    match &*line.kind {
        "user" | "assistant" => {
            if let Some(cwd) = &line.cwd {
                figures
                    .project
                    .get_or_insert_with(|| cwd.clone().into_owned());
            }
            for (slot, value) in [
                (&mut figures.branch, &line.git_branch),
                (&mut figures.version, &line.version),
            ] {
                if let Some(value) = value.as_deref().filter(|value| !value.is_empty()) {
                    keep(slot, value);
                }
            }
            said(line, figures);
        }
        "summary" if figures.own_title.is_none() => titled(&line.summary, figures),
        "ai-title" => titled(&line.ai_title, figures),
        "custom-title" => titled(&line.custom_title, figures),
        "cost-state" => cost(line, figures),
        _ => {}
    }
}

fn titled(title: &Option<Cow<'_, str>>, figures: &mut Figures) {
    if let Some(title) = title {
        figures.titled(title);
    }
}

fn said(line: &Line<'_>, figures: &mut Figures) {
    let Some(message) = &line.message else { return };
    if line.kind == "assistant" {
        // The client speaks in the model's name when the model could not.
        let model = message
            .model
            .as_deref()
            .filter(|model| *model != "<synthetic>");
        figures.answered(
            message.id.as_deref(),
            model,
            message.usage.as_ref().map(Spent::tokens),
        );
        if let Some(usd) = line.cost_usd {
            *figures.told_usd.get_or_insert_default() += usd;
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
            Some(text) => figures.prompted(text),
            None => figures.messages += 1,
        }
    }
}

/// What a person typed; `None` for what the client says in their name.
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
    // A command of the client: `<command-name>/review</command-name>` somewhere in it.
    if text.starts_with("<command-") {
        let (_, name) = text.split_once("<command-name>")?;
        return name
            .split_once("</command-name>")
            .map(|(name, _)| name)
            .filter(|name| *name != "/clear");
    }
    Some(text)
}

/// The price of the whole conversation so far. It starts anew when a client that does not know the beginning goes on.
fn cost(line: &Line<'_>, figures: &mut Figures) {
    if let Some(usd) = line.total_cost_usd.filter(|_| !line.has_unknown_model_cost) {
        figures.told_usd = Some(figures.told_usd.map_or(usd, |before| before.max(usd)));
    }
}

impl Spent {
    fn tokens(&self) -> Tokens {
        Tokens {
            input: self.input_tokens.unwrap_or_default(),
            output: self.output_tokens.unwrap_or_default(),
            cache_read: self.cache_read_input_tokens.unwrap_or_default(),
            cache_write: self.cache_creation_input_tokens.unwrap_or_default(),
        }
    }
}

/// What the search needs of a line.
#[derive(Deserialize)]
struct Said<'a> {
    #[serde(rename = "type", borrow)]
    kind: Cow<'a, str>,
    #[serde(borrow)]
    message: Option<SaidMessage<'a>>,
    #[serde(borrow)]
    summary: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct SaidMessage<'a> {
    #[serde(borrow)]
    content: &'a RawValue,
}

#[derive(Deserialize)]
struct SaidBlock<'a> {
    #[serde(borrow)]
    text: Option<Cow<'a, str>>,
    #[serde(borrow)]
    thinking: Option<Cow<'a, str>>,
    input: Option<Value>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
}

/// Collects what was said in a record.
pub(crate) fn collect(record: &[u8], words: &mut Words) -> Result<(), serde_json::Error> {
    let said: Said<'_> = parse(record)?;
    match (&*said.kind, said.message) {
        ("user" | "assistant", Some(message)) => {
            if message.content.get().starts_with('"') {
                string(message.content)
                    .iter()
                    .for_each(|text| words.said(text));
                return Ok(());
            }
            for block in serde_json::from_str::<Vec<SaidBlock<'_>>>(message.content.get())? {
                block
                    .text
                    .iter()
                    .chain(&block.thinking)
                    .for_each(|text| words.said(text));
                block.input.iter().for_each(|input| words.given(input));
                block
                    .content
                    .map(beginnings)
                    .iter()
                    .flatten()
                    .for_each(|text| words.answered(text));
            }
        }
        ("summary", _) => said.summary.iter().for_each(|text| words.said(text)),
        _ => {}
    }
    Ok(())
}
