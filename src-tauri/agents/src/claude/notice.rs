//! Short messages: starts of turns, retries, limits, background work.

use baton_model::time::Timestamp;
use serde::Deserialize;

use crate::claude::head::parse;
use crate::claude::result;
use crate::lenient_json;
use crate::notice::Notice;
use crate::record_part::RecordPart;

/// Message kinds that repeat what other messages report: `type` or `type/subtype`.
///
/// - `stream_event`: pieces of messages that follow in full. `command_lifecycle`: the queue of
///   Baton's own messages.
/// - `status`, `task_progress`, `task_updated`, `thinking_tokens`, `ui_invalidate`,
///   `session_state_changed`: progress for the client's screens. `hook_started`, `hook_progress`:
///   see `hook_response`.
pub(crate) const IGNORED: &[&str] = &[
    "stream_event",
    "command_lifecycle",
    "keep_alive",
    "tool_progress",
    "system/status",
    "system/task_progress",
    "system/task_updated",
    "system/thinking_tokens",
    "system/ui_invalidate",
    "system/session_state_changed",
    "system/hook_started",
    "system/hook_progress",
];

/// The parts of a message of this kind.
pub(super) fn parts<'a>(kind: &str, subtype: Option<&str>, line: &[u8]) -> Vec<RecordPart<'a>> {
    let read = match (kind, subtype) {
        ("result", subtype) => {
            return result::parts(subtype.unwrap_or_default(), line)
                .unwrap_or_else(|| vec![RecordPart::Unknown]);
        }
        ("rate_limit_event", _) => rate_limit(line),
        ("control_cancel_request", _) => {
            parse::<RequestId>(line).map(|message| Notice::Withdrawn {
                request: message.request_id,
            })
        }
        ("system", Some(subtype)) => system(subtype, line),
        _ => None,
    };
    let name = subtype
        .filter(|_| kind == "system")
        .map_or_else(|| kind.to_owned(), |subtype| format!("{kind}/{subtype}"));
    match read {
        Some(notice) => vec![RecordPart::Notice(notice)],
        None if IGNORED.contains(&name.as_str()) => vec![RecordPart::Notice(Notice::Ignored)],
        None => vec![RecordPart::Unknown],
    }
}

#[derive(Deserialize)]
struct RequestId {
    request_id: String,
}

#[derive(Deserialize)]
struct Init {
    #[serde(default, deserialize_with = "lenient_json::field")]
    session_id: String,
    #[serde(default, deserialize_with = "lenient_json::field")]
    model: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    claude_code_version: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    qwen_code_version: Option<String>,
}

#[derive(Deserialize)]
struct Retry {
    #[serde(default, deserialize_with = "lenient_json::field")]
    attempt: u32,
    #[serde(default, deserialize_with = "lenient_json::field")]
    max_retries: u32,
    #[serde(default, deserialize_with = "lenient_json::field")]
    retry_delay_ms: f64,
    #[serde(default, deserialize_with = "lenient_json::field")]
    error_status: Option<u32>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    error: Option<String>,
}

#[derive(Deserialize)]
struct Tasks {
    tasks: Vec<Job>,
}

#[derive(Deserialize)]
struct Job {
    #[serde(default, deserialize_with = "lenient_json::field")]
    task_id: String,
    #[serde(default, deserialize_with = "lenient_json::field")]
    description: String,
    #[serde(default, deserialize_with = "lenient_json::field")]
    is_backgrounded: Option<bool>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    summary: String,
}

#[derive(Deserialize)]
struct Denial {
    #[serde(default, deserialize_with = "lenient_json::field")]
    tool_use_id: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    tool_name: String,
    #[serde(default, deserialize_with = "lenient_json::field")]
    message: String,
}

#[derive(Deserialize)]
struct TextFields {
    #[serde(default, deserialize_with = "lenient_json::field")]
    content: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    message: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    text: Option<String>,
}

#[derive(Deserialize)]
struct HookResponse {
    #[serde(default, deserialize_with = "lenient_json::field")]
    hook_name: String,
    #[serde(default, deserialize_with = "lenient_json::field")]
    outcome: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    stderr: String,
}

fn system(subtype: &str, line: &[u8]) -> Option<Notice> {
    Some(match subtype {
        "init" => {
            let init: Init = parse(line)?;
            let version = match init.qwen_code_version {
                Some(version) => format!("Qwen Code {version}"),
                None => format!(
                    "Claude Code {}",
                    init.claude_code_version.unwrap_or_default()
                ),
            };
            Notice::Started {
                session: init.session_id,
                model: init.model.unwrap_or_default(),
                version,
            }
        }
        "api_retry" => {
            let retry: Retry = parse(line)?;
            let status = retry
                .error_status
                .map(|status| format!("{status} "))
                .unwrap_or_default();
            Notice::Retrying {
                attempt: retry.attempt,
                max: retry.max_retries,
                delay_ms: retry.retry_delay_ms as u64,
                reason: status + retry.error.as_deref().unwrap_or("unknown"),
            }
        }
        "background_tasks_changed" => {
            let tasks: Tasks = parse(line)?;
            Notice::Background(
                tasks
                    .tasks
                    .into_iter()
                    .map(|job| (job.task_id, job.description))
                    .collect(),
            )
        }
        "task_started" => {
            let job: Job = parse(line)?;
            match job.is_backgrounded {
                Some(false) => Notice::Ignored,
                // Without an id, the end of the job could not be recognized.
                _ if job.task_id.is_empty() => return None,
                // 2.1.197 does not report it. Foreground jobs end before their turn does, so they
                // delay nothing.
                None | Some(true) => Notice::JobStarted {
                    id: job.task_id,
                    title: job.description,
                },
            }
        }
        "task_notification" => {
            let job: Job = parse(line)?;
            Notice::JobEnded {
                id: job.task_id,
                title: job.summary,
            }
        }
        "permission_denied" => {
            let denial: Denial = parse(line)?;
            Notice::Denied {
                tool: denial.tool_name,
                reason: denial.message,
                call: denial.tool_use_id,
            }
        }
        "hook_response" => {
            let hook: HookResponse = parse(line)?;
            match hook.outcome.as_deref() {
                None | Some("success") => Notice::Ignored,
                Some(outcome) => Notice::Note(format!(
                    "Hook {}: {outcome}. {}",
                    hook.hook_name,
                    hook.stderr.trim()
                )),
            }
        }
        "model_refusal_no_fallback" => Notice::Note("The model refused to answer.".to_owned()),
        "compact_boundary" => Notice::Note("The conversation was compacted.".to_owned()),
        "informational" | "notification" => {
            let fields: TextFields = parse(line)?;
            Notice::Note(fields.content.or(fields.message).or(fields.text)?)
        }
        _ => return None,
    })
}

#[derive(Deserialize)]
struct RateLimit {
    rate_limit_info: RateLimitInfo,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RateLimitInfo {
    #[serde(default, deserialize_with = "lenient_json::field")]
    status: LimitStatus,
    #[serde(default, deserialize_with = "lenient_json::field")]
    resets_at: Option<i64>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    utilization: Option<f64>,
}

/// The status in a rate limit event.
#[derive(Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum LimitStatus {
    Allowed,
    Rejected,
    /// A warning, or an unknown status of a later version: shown, but no refusal.
    #[serde(other)]
    #[default]
    Near,
}

fn rate_limit(line: &[u8]) -> Option<Notice> {
    let info = parse::<RateLimit>(line)?.rate_limit_info;
    if info.status == LimitStatus::Allowed {
        return Some(Notice::Ignored);
    }
    Some(Notice::RateLimit {
        rejected: info.status == LimitStatus::Rejected,
        resets_at: info
            .resets_at
            .map(|seconds| Timestamp(seconds.saturating_mul(1000))),
        utilization: info.utilization,
    })
}
