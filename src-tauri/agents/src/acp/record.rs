//! What one line of an agent tells a timeline, taken apart without decoding what is long.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::acp::call::{CallPart, Stage};
use crate::acp::ending::End;
use crate::acp::message::{Message, parse, read as message};
use crate::acp::{ending, spending};
use crate::notice::Notice;
use crate::odd;
use crate::part::Part;
use crate::record::{Record, noting_losses};
use crate::role::Role;

/// Updates that tell nothing about the work: what a person could type, and what else could be set.
const IGNORED: &[&str] = &[
    "available_commands_update",
    "session_info_update",
    "config_option_update",
];
/// Extensions that tell nothing about the work either.
const IGNORED_NEWS: &[&str] = &["_auth/status_update"];

/// Reads one line without its newline.
pub(crate) fn read(line: &[u8]) -> Record<'_> {
    noting_losses(|| read_line(line))
}

fn read_line(line: &[u8]) -> Record<'_> {
    if line.iter().all(u8::is_ascii_whitespace) {
        return Record::default();
    }
    let parts = match message(line) {
        Some(Message::Update { kind, update }) => of_update(&kind, update).unwrap_or_else(unknown),
        Some(Message::Request { id, method, params }) => {
            of_request(id, &method, params).unwrap_or_else(unknown)
        }
        Some(Message::Answer {
            result: Ok(result), ..
        }) => result.map(of_answer).unwrap_or_default(),
        Some(Message::Answer {
            result: Err(error), ..
        }) => vec![over(ending::of_error(&error))],
        Some(Message::Notification { method }) if IGNORED_NEWS.contains(&&*method) => nothing(),
        Some(Message::Notification { .. }) => unknown(),
        None if line.trim_ascii_start().starts_with(b"{")
            && line.trim_ascii_end().ends_with(b"}") =>
        {
            unknown()
        }
        None => vec![Part::Plain],
    };
    Record {
        parts,
        ..Record::default()
    }
}

fn unknown<'a>() -> Vec<Part<'a>> {
    vec![Part::Unknown]
}

fn nothing<'a>() -> Vec<Part<'a>> {
    vec![Part::Notice(Notice::Nothing)]
}

fn words<'a>(text: String) -> Vec<Part<'a>> {
    vec![Part::Notice(Notice::Words(text))]
}

fn of_update<'a>(kind: &str, update: &'a RawValue) -> Option<Vec<Part<'a>>> {
    Some(match kind {
        "agent_message_chunk" => vec![chunk(Role::Answer, update)?],
        "agent_thought_chunk" => vec![chunk(Role::Thinking, update)?],
        "user_message_chunk" => vec![chunk(Role::Prompt, update)?],
        "tool_call" | "tool_call_update" => vec![Part::Call(CallPart::of_update(update)?)],
        "plan" => words(plan(update)?),
        "usage_update" => vec![Part::Notice(Notice::Usage(spending::of_update(update)))],
        "current_mode_update" => words(format!("Mode: {}", field(update, "currentModeId")?)),
        kind if IGNORED.contains(&kind) => nothing(),
        _ => return None,
    })
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Chunk<'a> {
    #[serde(borrow)]
    content: Content<'a>,
    #[serde(default, deserialize_with = "odd::field")]
    message_id: Option<String>,
}

#[derive(Deserialize)]
struct Content<'a> {
    #[serde(rename = "type", default, deserialize_with = "odd::field")]
    kind: String,
    #[serde(borrow)]
    text: Option<&'a RawValue>,
}

fn chunk(role: Role, update: &RawValue) -> Option<Part<'_>> {
    let Chunk {
        content,
        message_id,
    } = parse(update)?;
    Some(match content.text {
        Some(raw) => Part::Chunk {
            role,
            raw,
            message: message_id,
        },
        None => Part::Notice(Notice::Words(format!("[{}]", content.kind))),
    })
}

#[derive(Deserialize)]
struct Plan {
    entries: Vec<PlanEntry>,
}

#[derive(Deserialize)]
struct PlanEntry {
    #[serde(default, deserialize_with = "odd::field")]
    content: String,
    #[serde(default, deserialize_with = "odd::field")]
    status: Option<String>,
}

/// The agent's own plan as a list with boxes.
fn plan(update: &RawValue) -> Option<String> {
    let plan: Plan = parse(update)?;
    let line = |entry: &PlanEntry| {
        let mark = match entry.status.as_deref() {
            Some("completed") => "x",
            Some("in_progress") => "-",
            _ => " ",
        };
        format!("[{mark}] {}", entry.content)
    };
    Some(plan.entries.iter().map(line).collect::<Vec<_>>().join("\n"))
}

fn field(update: &RawValue, name: &str) -> Option<String> {
    parse::<Value>(update)?
        .get(name)?
        .as_str()
        .map(str::to_owned)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Question<'a> {
    #[serde(borrow)]
    tool_call: &'a RawValue,
}

fn of_request<'a>(id: &str, method: &str, params: Option<&'a RawValue>) -> Option<Vec<Part<'a>>> {
    if method != "session/request_permission" {
        return Some(words(format!(
            "The agent asked for {method}, which Baton does not offer."
        )));
    }
    let Question { tool_call } = parse(params?)?;
    // Not every agent announces a call before it asks about it.
    let call = CallPart::of_question(tool_call, Stage::Told)?;
    let question = CallPart::of_question(
        tool_call,
        Stage::Asked {
            request: id.to_owned(),
        },
    )?;
    Some(vec![Part::Call(call), Part::Call(question)])
}

/// Answers are known by what they hold: the session by its models or modes, the end of a turn by its reason.
fn of_answer(result: &RawValue) -> Vec<Part<'_>> {
    let answer: Answer = parse(result).unwrap_or_default();
    if answer.stop_reason.is_some() {
        let end = ending::of_reason(answer.stop_reason.as_deref());
        return vec![
            over(end),
            Part::Notice(Notice::Usage(spending::of_turn(result))),
        ];
    }
    if let Some(agent) = &answer.agent_info {
        return words(agent.words());
    }
    match answer.model() {
        Some(model) => words(format!("Session started with {model}")),
        None => nothing(),
    }
}

fn over<'a>(end: End) -> Part<'a> {
    Part::Notice(Notice::Over {
        end: end.end,
        text: end.words,
    })
}

/// What the answers to Baton's own questions hold, as far as it matters.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Answer {
    #[serde(deserialize_with = "odd::field")]
    pub(super) protocol_version: Option<u64>,
    #[serde(deserialize_with = "odd::field")]
    pub(super) agent_info: Option<AgentInfo>,
    #[serde(deserialize_with = "odd::any")]
    pub(super) agent_capabilities: Value,
    #[serde(deserialize_with = "odd::field")]
    pub(super) session_id: Option<String>,
    #[serde(deserialize_with = "odd::field")]
    pub(super) models: Option<Models>,
    #[serde(deserialize_with = "odd::field")]
    pub(super) config_options: Vec<ConfigOption>,
    #[serde(deserialize_with = "odd::field")]
    pub(super) stop_reason: Option<String>,
}

/// Who answers.
#[derive(Debug, Default, Deserialize)]
pub(super) struct AgentInfo {
    #[serde(default, deserialize_with = "odd::field")]
    pub(super) name: Option<String>,
    #[serde(default, deserialize_with = "odd::field")]
    title: Option<String>,
    #[serde(default, deserialize_with = "odd::field")]
    pub(super) version: Option<String>,
}

/// The models of a session, in the older way to tell them.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Models {
    #[serde(default, deserialize_with = "odd::field")]
    pub(super) current_model_id: Option<String>,
}

/// Something that can be set in a session.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ConfigOption {
    #[serde(default, deserialize_with = "odd::field")]
    pub(super) id: String,
    #[serde(default, deserialize_with = "odd::field")]
    pub(super) category: Option<String>,
    #[serde(default, deserialize_with = "odd::field")]
    pub(super) current_value: Option<Value>,
}

impl AgentInfo {
    fn words(&self) -> String {
        let name = self
            .title
            .as_ref()
            .or(self.name.as_ref())
            .map_or("The agent", String::as_str);
        format!("{name} {}", self.version.as_deref().unwrap_or_default())
            .trim_end()
            .to_owned()
    }
}

impl Answer {
    /// The model that the session begins with.
    pub(super) fn model(&self) -> Option<String> {
        let current = self
            .models
            .as_ref()
            .and_then(|models| models.current_model_id.clone());
        current.or_else(|| {
            self.model_option()?
                .current_value
                .as_ref()?
                .as_str()
                .map(str::to_owned)
        })
    }

    /// The option that chooses the model.
    pub(super) fn model_option(&self) -> Option<&ConfigOption> {
        self.config_options
            .iter()
            .find(|option| option.category.as_deref() == Some("model") || option.id == "model")
    }
}
