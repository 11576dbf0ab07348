//! Classification of the errors of `codex`: the cause, and when a retry makes sense.
//!
//! `app-server` names the kind of most errors. If it says `other` or nothing, and in the stream
//! of `exec`, the message decides.

use baton_model::outcome::Failure;
use baton_model::time::Timestamp;
use serde_json::Value;

use crate::driver::Verdict;
use crate::event::TurnEnd;
use crate::service_error::{self, ServiceErrorKind};

/// An error that ended a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CodexError {
    pub(super) kind: CodexErrorKind,
    pub(super) message: String,
}

/// The cause of an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CodexErrorKind {
    /// The account's usage limit. Its reset time is reported separately, in the account's rate
    /// limits.
    Limit,
    /// The service was unreachable or overloaded.
    Unavailable,
    /// Nobody is logged in, or the key is invalid.
    Login,
    Failed,
}

impl CodexError {
    /// Reads an error of the client: its `message` and, if it has one, its `codexErrorInfo`.
    pub(super) fn from_message(message: &str, info: &Value) -> Self {
        let message = inner_message(message);
        let kind = kind_from_info(info).unwrap_or_else(|| kind_from_text(&message));
        Self { kind, message }
    }

    /// The end of a turn with this error.
    pub(super) fn end(&self, reset_at: Option<Timestamp>) -> TurnEnd {
        match self.kind {
            CodexErrorKind::Limit => TurnEnd::Limit { reset_at },
            CodexErrorKind::Unavailable => TurnEnd::Unavailable,
            CodexErrorKind::Login | CodexErrorKind::Failed => TurnEnd::Failed,
        }
    }

    /// The verdict on work that ended with this error.
    pub(super) fn verdict(&self, reset_at: Option<Timestamp>) -> Verdict {
        let detail = self.message.clone();
        match self.kind {
            CodexErrorKind::Limit => Verdict::Limit { reset_at, detail },
            CodexErrorKind::Unavailable => Verdict::Unavailable { detail },
            CodexErrorKind::Login => {
                let login_hint = "Run `codex login` in a terminal, or set your provider's API key.";
                Verdict::Failed(Failure::AgentError {
                    detail: format!("{detail}. {login_hint}"),
                })
            }
            CodexErrorKind::Failed => Verdict::Failed(Failure::AgentError { detail }),
        }
    }
}

/// The kind of error that the client reports; `None` without one.
fn kind_from_info(info: &Value) -> Option<CodexErrorKind> {
    let name = info
        .as_str()
        .or_else(|| info.as_object()?.keys().next().map(String::as_str))?;
    let status = info
        .as_object()
        .and_then(|info| info.values().next())
        .and_then(|body| body["httpStatusCode"].as_u64());
    Some(match (name, status) {
        ("usageLimitExceeded" | "rateLimitExceeded", _) => CodexErrorKind::Limit,
        ("unauthorized", _) => CodexErrorKind::Login,
        ("serverOverloaded" | "internalServerError" | "flexUnavailable", _) => {
            CodexErrorKind::Unavailable
        }
        (_, Some(status)) => service_error::classify(Some(status), "").into(),
        // Several of these have no status when there was no response at all.
        (
            "httpConnectionFailed"
            | "responseStreamConnectionFailed"
            | "responseStreamDisconnected",
            None,
        ) => CodexErrorKind::Unavailable,
        ("other" | "responseTooManyFailedAttempts", None) => return None,
        _ => CodexErrorKind::Failed,
    })
}

impl From<ServiceErrorKind> for CodexErrorKind {
    fn from(fault: ServiceErrorKind) -> Self {
        match fault {
            ServiceErrorKind::Limit => Self::Limit,
            ServiceErrorKind::Unavailable => Self::Unavailable,
            ServiceErrorKind::Login => Self::Login,
            ServiceErrorKind::Other => Self::Failed,
        }
    }
}

/// Classifies the message when the client reports no kind.
fn kind_from_text(message: &str) -> CodexErrorKind {
    let status = ["unexpected status ", "last status: "]
        .iter()
        .find_map(|before| {
            let digits = message.split(before).nth(1)?.get(..3)?;
            digits.parse().ok()
        });
    service_error::classify(status, message).into()
}

/// The service's own message, when the client passes on its whole JSON.
fn inner_message(message: &str) -> String {
    let body: Option<Value> = message
        .starts_with('{')
        .then(|| serde_json::from_str(message).ok())
        .flatten();
    let inner = body.as_ref().and_then(|body| {
        body["error"]["message"]
            .as_str()
            .or(body["detail"].as_str())
    });
    inner.unwrap_or(message).to_owned()
}

/// Parses a notice that the client retries: attempt, maximum attempts (0: no limit) and reason.
pub(super) fn parse_retry(message: &str) -> Option<(u32, u32, String)> {
    let rest = message.strip_prefix("Reconnecting...")?.trim_start();
    let (counts, reason) = rest
        .split_once('(')
        .map_or((rest, rest), |(counts, reason)| {
            (counts, reason.trim_end_matches(')'))
        });
    let count = counts
        .trim()
        .split_once('/')
        .and_then(|(done, max)| Some((done.parse().ok()?, max.parse().ok()?)));
    let (attempt, max) = count.unwrap_or((1, 0));
    let reason = if reason.trim().is_empty() {
        message
    } else {
        reason
    };
    Some((attempt, max, service_error::concise_message(reason.trim())))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn classifies_errors() {
        use CodexErrorKind::{Failed, Limit, Login, Unavailable};
        for (message, info, kind) in [
            (
                "You've hit your usage limit.",
                json!("usageLimitExceeded"),
                Limit,
            ),
            (
                "You've hit your usage limit. Try again later.",
                json!(null),
                Limit,
            ),
            ("slow down", json!("rateLimitExceeded"), Limit),
            ("busy", json!("serverOverloaded"), Unavailable),
            (
                "x",
                json!({"httpConnectionFailed": {"httpStatusCode": null}}),
                Unavailable,
            ),
            (
                "x",
                json!({"responseTooManyFailedAttempts": {"httpStatusCode": 429}}),
                Limit,
            ),
            (
                "x",
                json!({"responseStreamConnectionFailed": {"httpStatusCode": 401}}),
                Login,
            ),
            ("x", json!("unauthorized"), Login),
            ("prompt is too long", json!("contextWindowExceeded"), Failed),
            ("a future kind of error", json!("somethingNew"), Failed),
            (
                "unexpected status 529 <unknown status code>: Overloaded",
                json!("other"),
                Unavailable,
            ),
            ("unexpected status 401 Unauthorized: no", json!(null), Login),
            (
                "exceeded retry limit, last status: 429 Too Many Requests",
                json!(null),
                Limit,
            ),
            (
                "We’re currently experiencing high demand, which may cause temporary errors.",
                json!(null),
                Unavailable,
            ),
            ("unexpected status é", json!(null), Failed),
        ] {
            assert_eq!(
                CodexError::from_message(message, &info).kind,
                kind,
                "{message} {info}"
            );
        }
        let wrapped =
            r#"{"error": {"type": "invalid_request_error", "message": "Your credit is too low"}}"#;
        assert_eq!(
            CodexError::from_message(wrapped, &Value::Null).message,
            "Your credit is too low"
        );
    }

    #[test]
    fn unlimited_reconnect_is_a_retry() {
        let refused = "Reconnecting... 2/5 (unexpected status 529 Overloaded)";
        assert_eq!(
            parse_retry(refused),
            Some((2, 5, "unexpected status 529 Overloaded".to_owned()))
        );
        let waits =
            "Reconnecting... waiting for network (Connection failed: error sending request)";
        assert_eq!(
            parse_retry(waits),
            Some((1, 0, "Connection failed: error sending request".to_owned()))
        );
        assert_eq!(
            parse_retry("Reconnecting... 1/5").map(|(attempt, max, _)| (attempt, max)),
            Some((1, 5))
        );
        assert_eq!(parse_retry("no"), None);
    }
}
