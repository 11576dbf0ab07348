//! One line of `codex app-server`: an answer, a notification, or a request to Baton.
//!
//! The protocol is JSON-RPC without its `jsonrpc` field. Baton names its own requests in words, see
//! [`super::request`]; the client numbers its own.

use std::borrow::Cow;

use baton_model::time::Timestamp;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::codex::item::{Item, PATCH, SHELL};
use crate::codex::trouble::{self, Trouble};
use crate::driver::PermissionRequest;
use crate::event::{SessionEvent, TurnEnd};
use crate::json_text::summary;
use crate::odd;
use crate::part::Part;
use crate::plain_text::one_line;
use crate::record::{Record, noting_losses};
use crate::service;

/// What a line tells.
#[derive(Debug)]
pub(super) enum Said {
    /// Something for people, and perhaps for the driver.
    Event(SessionEvent),
    /// A request of Baton's was refused.
    Refused { id: String, trouble: Trouble },
    /// A turn of the thread begins.
    TurnStarted { thread: String, turn: String },
    /// A turn of the thread is over.
    TurnEnded { thread: String, status: TurnStatus },
    /// What the thread has used.
    Tokens {
        thread: String,
        total: Tokens,
        last: Tokens,
    },
    /// When the account's fullest limit is reset, and the line for people when it is nearly full.
    Limits {
        resets_at: Option<Timestamp>,
        notice: Option<SessionEvent>,
    },
    /// The client asks for leave.
    Asked {
        request: PermissionRequest,
        form: AnswerForm,
    },
    /// The client asks for something that Baton does not do.
    Foreign { id: String, method: String },
    /// A question of the client is settled.
    Resolved { request: String },
    /// Nothing that anybody needs: see [`IGNORED`].
    Nothing,
    /// A line that is no JSON object.
    Plain,
    /// A message of a kind or shape that is not known.
    Unknown,
}

/// How a turn ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TurnStatus {
    Done,
    Interrupted,
    Failed(Trouble),
}

/// How an answer to a request for leave is put.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum AnswerForm {
    /// `accept` or `decline`.
    Decision,
    /// The permissions granted: those that were `asked` for in the line that begins `at`, or none.
    Permissions { asked: String, at: u64 },
    /// A question that a server of tools asks through the client.
    Elicitation,
}

impl AnswerForm {
    /// The form of an answer to what was asked in the line that begins `at`.
    pub(super) fn said_at(self, at: u64) -> Self {
        match self {
            Self::Permissions { asked, .. } => Self::Permissions { asked, at },
            form => form,
        }
    }
}

/// Counts of tokens; those from the cache are part of the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Tokens {
    #[serde(alias = "input_tokens", deserialize_with = "odd::field")]
    pub(super) input_tokens: u64,
    #[serde(alias = "cached_input_tokens", deserialize_with = "odd::field")]
    pub(super) cached_input_tokens: u64,
    #[serde(alias = "cache_write_input_tokens", deserialize_with = "odd::field")]
    pub(super) cache_write_input_tokens: u64,
    #[serde(alias = "output_tokens", deserialize_with = "odd::field")]
    pub(super) output_tokens: u64,
}

/// Notifications that say nothing beyond what others say: pieces of items that follow whole, states for screens
/// of the client, news about its own settings. A name that ends in `/` stands for all below it.
pub(crate) const IGNORED: &[&str] = &[
    "account/",
    "app/",
    // The same events once more in an older form (0.97).
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
    "turn/plan/updated",
    "windows/",
    "windowsSandbox/",
];

#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow, default, deserialize_with = "odd::field")]
    method: Option<Cow<'a, str>>,
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    #[serde(borrow)]
    error: Option<&'a RawValue>,
    #[serde(rename = "emittedAtMs", default, deserialize_with = "odd::field")]
    emitted_at_ms: Option<i64>,
}

/// Reads one line without its newline; also when it was said, by the client's clock.
pub(super) fn read(line: &[u8]) -> (Said, Option<i64>) {
    if line.iter().all(u8::is_ascii_whitespace) {
        return (Said::Nothing, None);
    }
    let Ok(message) = serde_json::from_slice::<Line<'_>>(line) else {
        let is_object =
            line.trim_ascii_start().starts_with(b"{") && line.trim_ascii_end().ends_with(b"}");
        return (
            if is_object {
                Said::Unknown
            } else {
                Said::Plain
            },
            None,
        );
    };
    let at_ms = message.emitted_at_ms;
    let said = match (&message.method, message.id) {
        (Some(method), Some(id)) => asked(id, method, message.params),
        (Some(method), None) => notified(method, message.params),
        (None, Some(id)) => answered(id, &message),
        (None, None) => None,
    };
    (said.unwrap_or(Said::Unknown), at_ms)
}

/// One line for the timeline.
pub(crate) fn record(line: &[u8]) -> Record<'_> {
    noting_losses(|| record_of(line))
}

fn record_of(line: &[u8]) -> Record<'_> {
    let (said, at_ms) = read(line);
    let part = match &said {
        Said::Plain => Some(Part::Plain),
        Said::Unknown => Some(Part::Unknown),
        said => said.event().map(|event| Part::Event(Box::new(event))),
    };
    Record {
        at_ms,
        parent: None,
        parts: part.into_iter().collect(),
    }
}

impl Said {
    /// What this is for people; `None` for what is between Baton and the client.
    pub(super) fn event(&self) -> Option<SessionEvent> {
        Some(match self {
            Self::Event(event) => event.clone(),
            Self::Refused { trouble, .. } => SessionEvent::Error {
                text: trouble.words.clone(),
            },
            Self::TurnEnded { status, .. } => status.event(),
            Self::Tokens { total, .. } => SessionEvent::Usage {
                usage: super::spending::usage(*total),
            },
            Self::Limits { notice, .. } => return notice.clone(),
            Self::Asked { request, .. } => SessionEvent::PermissionAsked {
                request: request.clone(),
            },
            Self::TurnStarted { .. }
            | Self::Foreign { .. }
            | Self::Resolved { .. }
            | Self::Nothing
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
            Self::Failed(trouble) => (trouble.end(None), trouble.words.clone()),
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
    #[serde(default, deserialize_with = "odd::field")]
    message: String,
    #[serde(default, deserialize_with = "odd::any")]
    data: Value,
}

#[derive(Deserialize)]
struct ThreadResult {
    thread: Thread,
    #[serde(default, deserialize_with = "odd::field")]
    model: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Thread {
    id: String,
    #[serde(default, deserialize_with = "odd::field")]
    model: Option<String>,
    #[serde(default, deserialize_with = "odd::field")]
    cli_version: Option<String>,
}

/// The answer to a request of Baton's.
fn answered(id: &RawValue, message: &Line<'_>) -> Option<Said> {
    if let Some(error) = message.error {
        let error: RpcError = parse(Some(error))?;
        let trouble = Trouble::of(&error.message, &error.data["codexErrorInfo"]);
        return Some(Said::Refused {
            id: name(id),
            trouble,
        });
    }
    match parse::<ThreadResult>(message.result) {
        Some(ThreadResult { thread, model }) => Some(started(thread, model)),
        None => message.result.map(|_| Said::Nothing),
    }
}

fn started(thread: Thread, model: Option<String>) -> Said {
    Said::Event(SessionEvent::Started {
        native_session: thread.id,
        model: model.or(thread.model).unwrap_or_default(),
        version: format!("Codex {}", thread.cli_version.unwrap_or_default())
            .trim_end()
            .to_owned(),
    })
}

/// The name of a request as JSON, without the quotes of a string.
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
    #[serde(default, deserialize_with = "odd::field")]
    thread_id: String,
    turn: Turn,
}

#[derive(Deserialize)]
struct Turn {
    #[serde(default, deserialize_with = "odd::field")]
    id: String,
    #[serde(default, deserialize_with = "odd::field")]
    status: String,
    #[serde(default, deserialize_with = "odd::field")]
    error: Option<TurnError>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TurnError {
    #[serde(default, deserialize_with = "odd::field")]
    message: String,
    #[serde(default, deserialize_with = "odd::any")]
    codex_error_info: Value,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ErrorParams {
    error: TurnError,
    #[serde(default, deserialize_with = "odd::field")]
    will_retry: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TokenParams {
    #[serde(default, deserialize_with = "odd::field")]
    thread_id: String,
    token_usage: TokenUsage,
}

#[derive(Deserialize)]
struct TokenUsage {
    #[serde(default, deserialize_with = "odd::field")]
    total: Tokens,
    #[serde(default, deserialize_with = "odd::field")]
    last: Tokens,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Resolution<'a> {
    #[serde(borrow)]
    request_id: &'a RawValue,
}

#[derive(Deserialize)]
struct Words {
    #[serde(default, deserialize_with = "odd::field")]
    message: Option<String>,
    #[serde(default, deserialize_with = "odd::field")]
    summary: Option<String>,
    #[serde(default, deserialize_with = "odd::field")]
    details: Option<String>,
}

fn notified(method: &str, params: Option<&RawValue>) -> Option<Said> {
    Some(match method {
        "thread/started" => started(parse::<ThreadResult>(params)?.thread, None),
        "turn/started" => {
            let TurnParams { thread_id, turn } = parse(params)?;
            Said::TurnStarted {
                thread: thread_id,
                turn: turn.id,
            }
        }
        "turn/completed" => {
            let TurnParams { thread_id, turn } = parse(params)?;
            Said::TurnEnded {
                thread: thread_id,
                status: status(&turn),
            }
        }
        "item/started" => told(parse::<ItemParams>(params)?.item.started().ok()?),
        "item/completed" => told(parse::<ItemParams>(params)?.item.completed().ok()?),
        "error" => {
            let ErrorParams { error, will_retry } = parse(params)?;
            Said::Event(error_event(&error.message, will_retry))
        }
        "thread/tokenUsage/updated" => {
            let TokenParams {
                thread_id,
                token_usage: TokenUsage { total, last },
            } = parse(params)?;
            Said::Tokens {
                thread: thread_id,
                total,
                last,
            }
        }
        "account/rateLimits/updated" => limits(params)?,
        "serverRequest/resolved" => Said::Resolved {
            request: name(parse::<Resolution<'_>>(params)?.request_id),
        },
        "thread/compacted" => note("The conversation was summarized to make room."),
        "warning" | "guardianWarning" | "configWarning" | "deprecationNotice" => {
            let words: Words = parse(params)?;
            let text = words.message.or(words.summary)?;
            note(
                &words
                    .details
                    .map_or(text.clone(), |details| format!("{text}\n{details}")),
            )
        }
        method if is_ignored(method) => Said::Nothing,
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

fn told(event: Option<SessionEvent>) -> Said {
    event.map_or(Said::Nothing, Said::Event)
}

fn note(text: &str) -> Said {
    Said::Event(SessionEvent::Note {
        text: text.to_owned(),
    })
}

fn status(turn: &Turn) -> TurnStatus {
    match (turn.status.as_str(), &turn.error) {
        ("interrupted", _) => TurnStatus::Interrupted,
        // A word that is not known came without an error.
        (_, None) if turn.status != "failed" => TurnStatus::Done,
        (_, Some(error)) => {
            TurnStatus::Failed(Trouble::of(&error.message, &error.codex_error_info))
        }
        (status, None) => TurnStatus::Failed(Trouble::of(
            &format!("the turn ended as {status}"),
            &Value::Null,
        )),
    }
}

/// An error, or the notice that the client tries again.
pub(super) fn error_event(message: &str, will_retry: bool) -> SessionEvent {
    match trouble::retry(message) {
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
            reason: service::meaningful(message),
        },
        None => SessionEvent::Error {
            text: Trouble::of(message, &Value::Null).words,
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
    #[serde(default, deserialize_with = "odd::field")]
    primary: Option<Window>,
    #[serde(default, deserialize_with = "odd::field")]
    secondary: Option<Window>,
    #[serde(default, deserialize_with = "odd::field")]
    rate_limit_reached_type: Option<Value>,
}

/// A window of time with its limit.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Window {
    #[serde(default, deserialize_with = "odd::field")]
    used_percent: f64,
    /// In seconds since 1970.
    #[serde(default, deserialize_with = "odd::field")]
    resets_at: Option<i64>,
}

/// From which part of a limit on it is worth a line.
const NEAR: f64 = 0.9;

fn limits(params: Option<&RawValue>) -> Option<Said> {
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
    let notice =
        (rejected || used.is_some_and(|used| used >= NEAR)).then_some(SessionEvent::RateLimit {
            rejected,
            resets_at,
            utilization: used,
        });
    Some(Said::Limits { resets_at, notice })
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ApprovalParams<'a> {
    #[serde(default, deserialize_with = "odd::field")]
    item_id: Option<String>,
    #[serde(default, deserialize_with = "odd::field")]
    command: Option<String>,
    #[serde(default, deserialize_with = "odd::field")]
    cwd: Option<String>,
    #[serde(default, deserialize_with = "odd::field")]
    reason: Option<String>,
    #[serde(default, deserialize_with = "odd::field")]
    grant_root: Option<String>,
    #[serde(default, deserialize_with = "odd::field")]
    command_actions: Vec<Value>,
    #[serde(borrow)]
    permissions: Option<&'a RawValue>,
    #[serde(default, deserialize_with = "odd::field")]
    server_name: Option<String>,
    #[serde(default, deserialize_with = "odd::field")]
    message: Option<String>,
}

/// A request of the client to Baton.
fn asked(id: &RawValue, method: &str, params: Option<&RawValue>) -> Option<Said> {
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
        return Some(Said::Foreign {
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
        "item/commandExecution/requestApproval" => (SHELL.to_owned(), AnswerForm::Decision),
        "item/fileChange/requestApproval" => (PATCH.to_owned(), AnswerForm::Decision),
        "item/permissions/requestApproval" => {
            let asked = params.permissions.map_or("{}", RawValue::get).to_owned();
            input["permissions"] = params.permissions.map(odd::value).unwrap_or_default();
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
    let told = match &params.command_actions[..] {
        [action] => action["command"]
            .as_str()
            .map(|command| one_line(command, 200)),
        _ => None,
    };
    Some(Said::Asked {
        request: PermissionRequest {
            request: name(id),
            tool,
            summary: told.unwrap_or_else(|| summary(&input)),
            input,
            tool_use: params.item_id,
        },
        form,
    })
}
