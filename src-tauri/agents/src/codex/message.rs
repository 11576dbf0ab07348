//! Parsing of one line of `codex app-server`: an answer, a notification, or a request to Baton.
//!
//! The protocol is JSON-RPC without the `jsonrpc` field. The ids of Baton's requests are names,
//! see [`super::request`]; the client uses numbers.

use std::borrow::Cow;

use baton_model::time::Timestamp;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::codex::error::{self, CodexError};
use crate::codex::item::{Item, PATCH_TOOL, SHELL_TOOL};
use crate::codex::tokens::Tokens;
use crate::event::{SessionEvent, TurnEnd};
use crate::json_text::summary;
use crate::lenient_json;
use crate::log_format::LogFormat;
use crate::permission::PermissionRequest;
use crate::plain_text::one_line;
use crate::record::{Record, with_loss_marker};
use crate::record_part::RecordPart;
use crate::service_error;
use crate::todo::todo_items;

/// The content of a line.
#[derive(Debug)]
pub(super) enum ParsedLine {
    /// An event for people and perhaps for the driver.
    Event(SessionEvent),
    /// A request of Baton was refused.
    Refused {
        id: String,
        error: CodexError,
    },
    TurnStarted {
        thread: String,
        turn: String,
    },
    TurnEnded {
        thread: String,
        status: TurnStatus,
    },
    /// The usage of the thread.
    Tokens {
        thread: String,
        total: Tokens,
        last: Tokens,
    },
    /// The reset time of the account's fullest limit, and a notice when it is nearly full.
    Limits {
        resets_at: Option<Timestamp>,
        notice: Option<SessionEvent>,
    },
    /// The client asks for permission.
    Asked {
        request: PermissionRequest,
        form: AnswerForm,
    },
    /// A request that Baton does not support.
    UnsupportedRequest {
        id: String,
        method: String,
    },
    /// A request of the client is settled.
    Resolved {
        request: String,
    },
    /// A message without any use, see [`IGNORED`].
    Ignored,
    /// Not a JSON object.
    Plain,
    /// An unknown kind or shape.
    Unknown,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TurnStatus {
    Done,
    Interrupted,
    Failed(CodexError),
}

/// The form of an answer to a permission request.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum AnswerForm {
    /// The answer is `accept` or `decline`.
    Decision,
    /// The granted permissions: those `asked` for in the line at byte offset `at`, or none.
    Permissions { asked: String, at: u64 },
    /// A question from an MCP server through the client.
    Elicitation,
}

impl AnswerForm {
    /// The same form for the request in the line at byte offset `at`.
    pub(super) fn with_line_offset(self, at: u64) -> Self {
        match self {
            Self::Permissions { asked, .. } => Self::Permissions { asked, at },
            form => form,
        }
    }
}

/// Notifications that repeat what other messages report: pieces of items that follow in full,
/// states of the client's screens, changes of its settings. A name that ends in `/` matches
/// everything below it.
pub(crate) const IGNORED: &[&str] = &[
    "account/",
    "app/",
    // The same events in an older form (0.97).
    "codex/event/",
    "command/exec/outputDelta",
    "fs/changed",
    "fuzzyFileSearch/",
    "hook/",
    "item/agentMessage/delta",
    "item/autoApprovalReview/",
    "item/commandExecution/",
    "item/fileChange/",
    "item/mcpToolCall/progress",
    "item/plan/delta",
    "item/reasoning/",
    "mcpServer/",
    "model/",
    "modelProvider/",
    "process/",
    "project/",
    "rawResponseItem/",
    "remoteControl/",
    "skills/changed",
    "thread/",
    "turn/diff/updated",
    "turn/moderationMetadata",
    "windows/",
    "windowsSandbox/",
];

#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow, default, deserialize_with = "lenient_json::field")]
    method: Option<Cow<'a, str>>,
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
    #[serde(
        rename = "emittedAtMs",
        default,
        deserialize_with = "lenient_json::field"
    )]
    emitted_at_ms: Option<i64>,
}

/// Reads one line without its newline. Also returns its time by the client's clock.
pub(super) fn read(line: &[u8]) -> (ParsedLine, Option<i64>) {
    if line.iter().all(u8::is_ascii_whitespace) {
        return (ParsedLine::Ignored, None);
    }
    let Ok(message) = serde_json::from_slice::<Line<'_>>(line) else {
        let is_object =
            line.trim_ascii_start().starts_with(b"{") && line.trim_ascii_end().ends_with(b"}");
        return (
            if is_object {
                ParsedLine::Unknown
            } else {
                ParsedLine::Plain
            },
            None,
        );
    };
    let at_ms = message.emitted_at_ms;
    let parsed = match (&message.method, message.id) {
        (Some(method), Some(id)) => parse_approval(id, method, message.params),
        (Some(method), None) => parse_notification(method, message.params),
        (None, Some(id)) => parse_response(id, &message),
        (None, None) => None,
    };
    (parsed.unwrap_or(ParsedLine::Unknown), at_ms)
}

/// One answer or notification of `codex app-server` per line, as JSON-RPC.
pub const APP_SERVER_FORMAT: LogFormat = LogFormat::lines("codex app-server", record);

pub(crate) fn record(line: &[u8]) -> Record<'_> {
    with_loss_marker(|| parse_record(line))
}

fn parse_record(line: &[u8]) -> Record<'_> {
    let (parsed, at_ms) = read(line);
    let part = match &parsed {
        ParsedLine::Plain => Some(RecordPart::Plain),
        ParsedLine::Unknown => Some(RecordPart::Unknown),
        parsed => parsed
            .event()
            .map(|event| RecordPart::Event(Box::new(event))),
    };
    Record {
        at_ms,
        parent: None,
        parts: part.into_iter().collect(),
    }
}

impl ParsedLine {
    /// The event for people; `None` for messages between Baton and the client only.
    pub(super) fn event(&self) -> Option<SessionEvent> {
        Some(match self {
            Self::Event(event) => event.clone(),
            Self::Refused { error, .. } => SessionEvent::Error {
                text: error.message.clone(),
            },
            Self::TurnEnded { status, .. } => status.event(),
            Self::Tokens { total, .. } => SessionEvent::Usage {
                usage: total.usage(),
            },
            Self::Limits { notice, .. } => return notice.clone(),
            Self::Asked { request, .. } => SessionEvent::PermissionAsked {
                request: request.clone(),
            },
            Self::TurnStarted { .. }
            | Self::UnsupportedRequest { .. }
            | Self::Resolved { .. }
            | Self::Ignored
            | Self::Plain
            | Self::Unknown => return None,
        })
    }
}

impl TurnStatus {
    fn event(&self) -> SessionEvent {
        let (end, text) = match self {
            Self::Done => (TurnEnd::Done, String::new()),
            Self::Interrupted => (TurnEnd::Interrupted, String::new()),
            Self::Failed(error) => (error.end(None), error.message.clone()),
        };
        SessionEvent::TurnEnded {
            end,
            text,
            unprompted: false,
        }
    }
}

fn parse<'a, T: Deserialize<'a>>(raw: Option<&'a RawValue>) -> Option<T> {
    serde_json::from_str(raw?.get()).ok()
}

#[derive(Deserialize)]
struct RpcError {
    #[serde(default, deserialize_with = "lenient_json::field")]
    message: String,
    #[serde(default, deserialize_with = "lenient_json::any_value")]
    data: Value,
}

#[derive(Deserialize)]
struct ThreadResult {
    thread: Thread,
    #[serde(default, deserialize_with = "lenient_json::field")]
    model: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Thread {
    id: String,
    #[serde(default, deserialize_with = "lenient_json::field")]
    model: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    cli_version: Option<String>,
}

/// The answer to a request of Baton.
fn parse_response(id: &RawValue, message: &Line<'_>) -> Option<ParsedLine> {
    if let Some(error) = message.error {
        let error: RpcError = parse(Some(error))?;
        let codex_error = CodexError::from_message(&error.message, &error.data["codexErrorInfo"]);
        return Some(ParsedLine::Refused {
            id: name(id),
            error: codex_error,
        });
    }
    match parse::<ThreadResult>(message.result) {
        Some(ThreadResult { thread, model }) => Some(started(thread, model)),
        None => message.result.map(|_| ParsedLine::Ignored),
    }
}

fn started(thread: Thread, model: Option<String>) -> ParsedLine {
    ParsedLine::Event(SessionEvent::Started {
        native_session: thread.id,
        model: model.or(thread.model).unwrap_or_default(),
        version: format!("Codex {}", thread.cli_version.unwrap_or_default())
            .trim_end()
            .to_owned(),
    })
}

/// The id of a request as JSON, without the quotes of a string.
fn name(id: &RawValue) -> String {
    serde_json::from_str(id.get()).unwrap_or_else(|_| id.get().trim().to_owned())
}

#[derive(Deserialize)]
struct ItemParams {
    item: Item,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TurnParams {
    #[serde(default, deserialize_with = "lenient_json::field")]
    thread_id: String,
    turn: Turn,
}

#[derive(Deserialize)]
struct Turn {
    #[serde(default, deserialize_with = "lenient_json::field")]
    id: String,
    #[serde(default, deserialize_with = "lenient_json::field")]
    status: String,
    #[serde(default, deserialize_with = "lenient_json::field")]
    error: Option<TurnError>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TurnError {
    #[serde(default, deserialize_with = "lenient_json::field")]
    message: String,
    #[serde(default, deserialize_with = "lenient_json::any_value")]
    codex_error_info: Value,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ErrorParams {
    error: TurnError,
    #[serde(default, deserialize_with = "lenient_json::field")]
    will_retry: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TokenParams {
    #[serde(default, deserialize_with = "lenient_json::field")]
    thread_id: String,
    token_usage: TokenUsage,
}

#[derive(Deserialize)]
struct TokenUsage {
    #[serde(default, deserialize_with = "lenient_json::field")]
    total: Tokens,
    #[serde(default, deserialize_with = "lenient_json::field")]
    last: Tokens,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Resolution<'a> {
    #[serde(borrow)]
    request_id: &'a RawValue,
}

#[derive(Deserialize)]
struct TextFields {
    #[serde(default, deserialize_with = "lenient_json::field")]
    message: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    summary: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    details: Option<String>,
}

/// What the agent's tool `update_plan` was called with.
#[derive(Deserialize)]
struct PlanParams {
    #[serde(deserialize_with = "lenient_json::any_value")]
    plan: Value,
}

fn parse_notification(method: &str, params: Option<&RawValue>) -> Option<ParsedLine> {
    Some(match method {
        "thread/started" => started(parse::<ThreadResult>(params)?.thread, None),
        "turn/started" => {
            let TurnParams { thread_id, turn } = parse(params)?;
            ParsedLine::TurnStarted {
                thread: thread_id,
                turn: turn.id,
            }
        }
        "turn/completed" => {
            let TurnParams { thread_id, turn } = parse(params)?;
            ParsedLine::TurnEnded {
                thread: thread_id,
                status: status(&turn),
            }
        }
        "item/started" => event_line(parse::<ItemParams>(params)?.item.started().ok()?),
        "item/completed" => event_line(parse::<ItemParams>(params)?.item.completed().ok()?),
        "error" => {
            let ErrorParams { error, will_retry } = parse(params)?;
            ParsedLine::Event(error_event(&error.message, will_retry))
        }
        "thread/tokenUsage/updated" => {
            let TokenParams {
                thread_id,
                token_usage: TokenUsage { total, last },
            } = parse(params)?;
            ParsedLine::Tokens {
                thread: thread_id,
                total,
                last,
            }
        }
        "account/rateLimits/updated" => parse_rate_limits(params)?,
        "serverRequest/resolved" => ParsedLine::Resolved {
            request: name(parse::<Resolution<'_>>(params)?.request_id),
        },
        "turn/plan/updated" => ParsedLine::Event(SessionEvent::TodoList {
            items: todo_items(&parse::<PlanParams>(params)?.plan),
        }),
        "thread/compacted" => note("The conversation was compacted."),
        "warning" | "guardianWarning" | "configWarning" | "deprecationNotice" => {
            let fields: TextFields = parse(params)?;
            let text = fields.message.or(fields.summary)?;
            note(
                &fields
                    .details
                    .map_or(text.clone(), |details| format!("{text}\n{details}")),
            )
        }
        method if is_ignored(method) => ParsedLine::Ignored,
        _ => return None,
    })
}

fn is_ignored(method: &str) -> bool {
    IGNORED.iter().any(|name| {
        if name.ends_with('/') {
            method.starts_with(name)
        } else {
            method == *name
        }
    })
}

fn event_line(event: Option<SessionEvent>) -> ParsedLine {
    event.map_or(ParsedLine::Ignored, ParsedLine::Event)
}

fn note(text: &str) -> ParsedLine {
    ParsedLine::Event(SessionEvent::Note {
        text: text.to_owned(),
    })
}

fn status(turn: &Turn) -> TurnStatus {
    match (turn.status.as_str(), &turn.error) {
        ("interrupted", _) => TurnStatus::Interrupted,
        // An unknown status without an error.
        (_, None) if turn.status != "failed" => TurnStatus::Done,
        (_, Some(error)) => TurnStatus::Failed(CodexError::from_message(
            &error.message,
            &error.codex_error_info,
        )),
        (status, None) => TurnStatus::Failed(CodexError::from_message(
            &format!("the turn ended with status {status}"),
            &Value::Null,
        )),
    }
}

/// An error, or the notice that the client retries.
pub(super) fn error_event(message: &str, will_retry: bool) -> SessionEvent {
    match error::parse_retry(message) {
        Some((attempt, max, reason)) => SessionEvent::Retrying {
            attempt,
            max,
            delay_ms: 0,
            reason,
        },
        None if will_retry => SessionEvent::Retrying {
            attempt: 1,
            max: 0,
            delay_ms: 0,
            reason: service_error::concise_message(message),
        },
        None => SessionEvent::Error {
            text: CodexError::from_message(message, &Value::Null).message,
        },
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct LimitParams {
    rate_limits: RateLimits,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RateLimits {
    #[serde(default, deserialize_with = "lenient_json::field")]
    primary: Option<Window>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    secondary: Option<Window>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    rate_limit_reached_type: Option<Value>,
}

/// A rate limit for a window of time.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Window {
    #[serde(default, deserialize_with = "lenient_json::field")]
    used_percent: f64,
    /// In seconds since 1970.
    #[serde(default, deserialize_with = "lenient_json::field")]
    resets_at: Option<i64>,
}

/// The used share of a limit from which on it is reported.
const NEAR_LIMIT_THRESHOLD: f64 = 0.9;

fn parse_rate_limits(params: Option<&RawValue>) -> Option<ParsedLine> {
    let LimitParams {
        rate_limits: limits,
    } = parse(params)?;
    let windows = [limits.primary, limits.secondary];
    let fullest = windows
        .into_iter()
        .flatten()
        .max_by(|a, b| a.used_percent.total_cmp(&b.used_percent));
    let used = fullest.as_ref().map(|window| window.used_percent / 100.0);
    let resets_at = fullest
        .and_then(|window| window.resets_at)
        .map(|at| Timestamp(at.saturating_mul(1000)));
    let rejected = limits
        .rate_limit_reached_type
        .is_some_and(|kind| !kind.is_null());
    let notice = (rejected || used.is_some_and(|used| used >= NEAR_LIMIT_THRESHOLD)).then_some(
        SessionEvent::RateLimit {
            rejected,
            resets_at,
            utilization: used,
        },
    );
    Some(ParsedLine::Limits { resets_at, notice })
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ApprovalParams<'a> {
    #[serde(default, deserialize_with = "lenient_json::field")]
    item_id: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    command: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    cwd: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    reason: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    grant_root: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    command_actions: Vec<Value>,
    #[serde(borrow)]
    permissions: Option<&'a RawValue>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    server_name: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    message: Option<String>,
}

/// The permission request in a request of the client.
fn parse_approval(id: &RawValue, method: &str, params: Option<&RawValue>) -> Option<ParsedLine> {
    let known = [
        "item/commandExecution/requestApproval",
        "item/fileChange/requestApproval",
    ]
    .contains(&method)
        || [
            "item/permissions/requestApproval",
            "mcpServer/elicitation/request",
        ]
        .contains(&method);
    if !known {
        return Some(ParsedLine::UnsupportedRequest {
            id: id.get().to_owned(),
            method: method.to_owned(),
        });
    }
    let params: ApprovalParams<'_> = parse(params)?;
    let mut input = json!({});
    for (key, value) in [
        ("command", &params.command),
        ("cwd", &params.cwd),
        ("reason", &params.reason),
        ("grantRoot", &params.grant_root),
        ("message", &params.message),
    ] {
        if let Some(value) = value {
            input[key] = json!(value);
        }
    }
    let (tool, form) = match method {
        "item/commandExecution/requestApproval" => (SHELL_TOOL.to_owned(), AnswerForm::Decision),
        "item/fileChange/requestApproval" => (PATCH_TOOL.to_owned(), AnswerForm::Decision),
        "item/permissions/requestApproval" => {
            let asked = params.permissions.map_or("{}", RawValue::get).to_owned();
            input["permissions"] = params
                .permissions
                .map(lenient_json::value)
                .unwrap_or_default();
            (
                "request_permissions".to_owned(),
                AnswerForm::Permissions { asked, at: 0 },
            )
        }
        _ => (
            format!("mcp__{}", params.server_name.as_deref().unwrap_or("server")),
            AnswerForm::Elicitation,
        ),
    };
    let own_summary = match &params.command_actions[..] {
        [action] => action["command"]
            .as_str()
            .map(|command| one_line(command, 200)),
        _ => None,
    };
    Some(ParsedLine::Asked {
        request: PermissionRequest {
            request: name(id),
            tool,
            summary: own_summary.unwrap_or_else(|| summary(&input)),
            input,
            tool_use: params.item_id,
        },
        form,
    })
}
