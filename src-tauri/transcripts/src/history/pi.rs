//! pi's records below `~/.pi/agent/sessions`: a header, then messages of a tree.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::history::figures::{Figures, Tokens};
use crate::history::line::{beginnings, parse, string, texts};
use crate::history::words::Words;

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
    usage: Option<Spent>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[derive(Default)]
struct Spent {
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

/// Takes a record into the figures.
pub(crate) fn take(record: &[u8], figures: &mut Figures) -> Result<(), serde_json::Error> {
    let line: Line<'_> = parse(record)?;
    if let Some(time) = &line.timestamp {
        figures.at(time);
    }
    match (&*line.kind, line.message) {
        ("session", _) if figures.native_id.is_none() => {
            figures.native_id = line.id.map(Cow::into_owned);
            figures.project = line.cwd.map(Cow::into_owned);
        }
        ("session_info", _) => line.name.iter().for_each(|name| figures.titled(name)),
        ("message", Some(message)) => said(&message, figures),
        _ => {}
    }
    Ok(())
}

fn said(message: &Message<'_>, figures: &mut Figures) {
    match &*message.role {
        "user" => {
            let texts = message.content.map(texts).unwrap_or_default();
            figures.prompted(texts.first().map_or("", |text| text));
        }
        "assistant" => {
            figures.answered(
                None,
                message.model.as_deref(),
                message.usage.as_ref().map(Spent::tokens),
            );
            let cost = message
                .usage
                .as_ref()
                .and_then(|spent| spent.cost.as_ref()?.total);
            if let Some(usd) = cost {
                *figures.told_usd.get_or_insert_default() += usd;
            }
        }
        _ => {}
    }
}

impl Spent {
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

/// Collects what was said in a record.
pub(crate) fn collect(record: &[u8], words: &mut Words) -> Result<(), serde_json::Error> {
    let line: Line<'_> = parse(record)?;
    let Some(message) = line.message else {
        return Ok(());
    };
    let Some(content) = message.content else {
        return Ok(());
    };
    match &*message.role {
        "toolResult" | "bashExecution" => beginnings(content)
            .iter()
            .for_each(|text| words.answered(text)),
        "user" | "assistant" if content.get().starts_with('"') => {
            string(content).iter().for_each(|text| words.said(text));
        }
        "user" | "assistant" => {
            for block in serde_json::from_str::<Vec<Block<'_>>>(content.get())? {
                block
                    .text
                    .iter()
                    .chain(&block.thinking)
                    .for_each(|text| words.said(text));
                block.arguments.iter().for_each(|input| words.given(input));
            }
        }
        _ => {}
    }
    Ok(())
}
