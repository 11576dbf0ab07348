//! The parts of one line, without decoding long content.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::acp::message::{Message, read as message};
use crate::acp::turn_outcome::TurnOutcome;
use crate::acp::{outgoing, turn_outcome, usage_tracker};
use crate::call_part::{CallPart, Stage};
use crate::event::SessionEvent;
use crate::image::images_in;
use crate::json_text::parse;
use crate::lenient_json;
use crate::log_format::{LogFormat, OutgoingReader};
use crate::notice::Notice;
use crate::record::{Record, with_loss_marker};
use crate::record_part::RecordPart;
use crate::role::Role;
use crate::todo::todo_items;

/// Updates that are irrelevant for the work: available commands and settings.
const IGNORED: &[&str] = &[
    "available_commands_update",
    "session_info_update",
    "config_option_update",
];
/// Extensions that are irrelevant for the work.
const IGNORED_NOTIFICATIONS: &[&str] = &["_auth/status_update"];

/// One message of the Agent Client Protocol per line. Agents do not repeat what Baton writes, so
/// the messages that Baton sends are read as well.
pub const LOG_FORMAT: LogFormat = LogFormat::lines("acp", read).with_outgoing(OutgoingReader {
    messages: outgoing::parse_lines,
    answered_request: outgoing::answered_request,
});

pub(crate) fn read(line: &[u8]) -> Record<'_> {
    with_loss_marker(|| read_line(line))
}

fn read_line(line: &[u8]) -> Record<'_> {
    if line.iter().all(u8::is_ascii_whitespace) {
        return Record::default();
    }
    let parts = match message(line) {
        Some(Message::Update { kind, update }) => {
            update_parts(&kind, update).unwrap_or_else(unknown)
        }
        Some(Message::Request { id, method, params }) => {
            request_parts(id, &method, params).unwrap_or_else(unknown)
        }
        Some(Message::Answer {
            result: Ok(result), ..
        }) => result.map(answer_parts).unwrap_or_default(),
        Some(Message::Answer {
            result: Err(error), ..
        }) => vec![turn_finished(turn_outcome::from_error(&error))],
        Some(Message::Notification { method }) if IGNORED_NOTIFICATIONS.contains(&&*method) => {
            ignored()
        }
        Some(Message::Notification { .. }) => unknown(),
        None if line.trim_ascii_start().starts_with(b"{")
            && line.trim_ascii_end().ends_with(b"}") =>
        {
            unknown()
        }
        None => vec![RecordPart::Plain],
    };
    Record {
        parts,
        ..Record::default()
    }
}

fn unknown<'a>() -> Vec<RecordPart<'a>> {
    vec![RecordPart::Unknown]
}

fn ignored<'a>() -> Vec<RecordPart<'a>> {
    vec![RecordPart::Notice(Notice::Ignored)]
}

fn note<'a>(text: String) -> Vec<RecordPart<'a>> {
    vec![RecordPart::Notice(Notice::Note(text))]
}

fn update_parts<'a>(kind: &str, update: &'a RawValue) -> Option<Vec<RecordPart<'a>>> {
    Some(match kind {
        "agent_message_chunk" => vec![chunk(Role::Answer, update)?],
        "agent_thought_chunk" => vec![chunk(Role::Thinking, update)?],
        "user_message_chunk" => vec![chunk(Role::Prompt, update)?],
        "tool_call" | "tool_call_update" => vec![RecordPart::Call(CallPart::from_update(update)?)],
        "plan" => plan(update)?,
        "usage_update" => vec![RecordPart::Notice(Notice::Usage(
            usage_tracker::parse_update(update),
        ))],
        "current_mode_update" => note(format!("Mode: {}", field(update, "currentModeId")?)),
        kind if IGNORED.contains(&kind) => ignored(),
        _ => return None,
    })
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Chunk<'a> {
    #[serde(borrow)]
    content: Content<'a>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    message_id: Option<String>,
}

#[derive(Deserialize)]
struct Content<'a> {
    #[serde(rename = "type", default, deserialize_with = "lenient_json::field")]
    kind: String,
    #[serde(borrow)]
    text: Option<&'a RawValue>,
}

fn chunk(role: Role, update: &RawValue) -> Option<RecordPart<'_>> {
    let Chunk {
        content,
        message_id,
    } = parse(update)?;
    Some(match content.text {
        Some(raw) => RecordPart::Chunk {
            role,
            raw,
            message: message_id,
        },
        None => other_content(&content.kind, update),
    })
}

/// Content without a text: an image, or something that is only named.
fn other_content<'a>(kind: &str, update: &RawValue) -> RecordPart<'a> {
    let content = parse::<Value>(update).map(|mut update| update["content"].take());
    match images_in(&Value::from_iter(content)).pop() {
        Some(image) => RecordPart::Event(Box::new(SessionEvent::Image { image })),
        None => RecordPart::Notice(Notice::Note(format!("[{kind}]"))),
    }
}

/// The agent's own plan.
fn plan<'a>(update: &RawValue) -> Option<Vec<RecordPart<'a>>> {
    let update = parse::<Value>(update)?;
    let entries = update.get("entries").filter(|entries| entries.is_array())?;
    let items = todo_items(entries);
    Some(vec![RecordPart::Event(Box::new(SessionEvent::TodoList {
        items,
    }))])
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

fn request_parts<'a>(
    id: &str,
    method: &str,
    params: Option<&'a RawValue>,
) -> Option<Vec<RecordPart<'a>>> {
    if method != "session/request_permission" {
        return Some(note(format!(
            "The agent requested {method}, which Baton doesn't support."
        )));
    }
    let Question { tool_call } = parse(params?)?;
    // Not every agent announces a call before it asks for permission.
    let call = CallPart::from_permission_request(tool_call, Stage::Announced)?;
    let question = CallPart::from_permission_request(
        tool_call,
        Stage::Asked {
            request: id.to_owned(),
        },
    )?;
    Some(vec![RecordPart::Call(call), RecordPart::Call(question)])
}

/// Answers are recognized by their content: a session by its models or modes, the end of a turn
/// by its stop reason.
fn answer_parts(result: &RawValue) -> Vec<RecordPart<'_>> {
    let answer: Answer = parse(result).unwrap_or_default();
    if answer.stop_reason.is_some() {
        let end = turn_outcome::from_stop_reason(answer.stop_reason.as_deref());
        return vec![
            turn_finished(end),
            RecordPart::Notice(Notice::Usage(usage_tracker::parse_turn(result))),
        ];
    }
    if let Some(agent) = &answer.agent_info {
        return note(agent.display_name());
    }
    match answer.model() {
        Some(model) => note(format!("Session started with {model}")),
        None => ignored(),
    }
}

fn turn_finished<'a>(end: TurnOutcome) -> RecordPart<'a> {
    RecordPart::Notice(Notice::TurnFinished {
        end: end.end,
        text: end.message,
    })
}

/// The relevant fields of answers to Baton's requests.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Answer {
    #[serde(deserialize_with = "lenient_json::field")]
    pub(super) protocol_version: Option<u64>,
    #[serde(deserialize_with = "lenient_json::field")]
    pub(super) agent_info: Option<AgentInfo>,
    #[serde(deserialize_with = "lenient_json::any_value")]
    pub(super) agent_capabilities: Value,
    #[serde(deserialize_with = "lenient_json::field")]
    pub(super) session_id: Option<String>,
    #[serde(deserialize_with = "lenient_json::field")]
    pub(super) models: Option<Models>,
    #[serde(deserialize_with = "lenient_json::field")]
    pub(super) config_options: Vec<ConfigOption>,
    #[serde(deserialize_with = "lenient_json::field")]
    pub(super) stop_reason: Option<String>,
}

/// The agent's name and version.
#[derive(Debug, Default, Deserialize)]
pub(super) struct AgentInfo {
    #[serde(default, deserialize_with = "lenient_json::field")]
    pub(super) name: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    title: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    pub(super) version: Option<String>,
}

/// The models of a session, in the older form.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Models {
    #[serde(default, deserialize_with = "lenient_json::field")]
    pub(super) current_model_id: Option<String>,
}

/// A setting of a session.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ConfigOption {
    #[serde(default, deserialize_with = "lenient_json::field")]
    pub(super) id: String,
    #[serde(default, deserialize_with = "lenient_json::field")]
    pub(super) category: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    pub(super) current_value: Option<Value>,
}

impl AgentInfo {
    fn display_name(&self) -> String {
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
    /// The model with which the session begins.
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

    /// The setting that selects the model.
    pub(super) fn model_option(&self) -> Option<&ConfigOption> {
        self.config_options
            .iter()
            .find(|option| option.category.as_deref() == Some("model") || option.id == "model")
    }
}
