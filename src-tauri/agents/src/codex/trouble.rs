//! What the errors of `codex` mean: whose fault they are, and when trying again makes sense.
//!
//! `app-server` names the kind of most errors; where it says `other` or nothing, and in the stream of `exec`, the
//! words have to tell.

use baton_model::outcome::Failure;
use baton_model::time::Timestamp;
use serde_json::Value;

use crate::driver::Verdict;
use crate::event::TurnEnd;
use crate::service::{self, Fault};

/// An error that ended a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Trouble {
    pub(super) kind: TroubleKind,
    /// The agent's words.
    pub(super) words: String,
}

/// Whose fault an error is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TroubleKind {
    /// The account's usage limit; when it ends is told apart, in the account's rate limits.
    Limit,
    /// The service could not be reached, or was overloaded.
    Unavailable,
    /// Nobody is logged in, or the key is wrong.
    Login,
    /// Anything else.
    Failed,
}

impl Trouble {
    /// Reads an error of the client: its `message`, and its `codexErrorInfo` where there is one.
    pub(super) fn of(message: &str, info: &Value) -> Self {
        let words = inner_message(message);
        let kind = named(info).unwrap_or_else(|| told(&words));
        Self { kind, words }
    }

    /// How it ends a turn.
    pub(super) fn end(&self, reset_at: Option<Timestamp>) -> TurnEnd {
        match self.kind {
            TroubleKind::Limit => TurnEnd::Limit { reset_at },
            TroubleKind::Unavailable => TurnEnd::Unavailable,
            TroubleKind::Login | TroubleKind::Failed => TurnEnd::Failed,
        }
    }

    /// The verdict on work that it ended.
    pub(super) fn verdict(&self, reset_at: Option<Timestamp>) -> Verdict {
        let detail = self.words.clone();
        match self.kind {
            TroubleKind::Limit => Verdict::Limit { reset_at, detail },
            TroubleKind::Unavailable => Verdict::Unavailable { detail },
            TroubleKind::Login => {
                let mend =
                    "Run `codex login` in a terminal, or set the key of your model's service.";
                Verdict::Failed(Failure::AgentError {
                    detail: format!("{detail}. {mend}"),
                })
            }
            TroubleKind::Failed => Verdict::Failed(Failure::AgentError { detail }),
        }
    }
}

/// The kind of error that the client names; `None` where it leaves that open.
fn named(info: &Value) -> Option<TroubleKind> {
    let name = info
        .as_str()
        .or_else(|| info.as_object()?.keys().next().map(String::as_str))?;
    let status = info
        .as_object()
        .and_then(|info| info.values().next())
        .and_then(|body| body["httpStatusCode"].as_u64());
    Some(match (name, status) {
        ("usageLimitExceeded" | "rateLimitExceeded", _) => TroubleKind::Limit,
        ("unauthorized", _) => TroubleKind::Login,
        ("serverOverloaded" | "internalServerError" | "flexUnavailable", _) => {
            TroubleKind::Unavailable
        }
        (_, Some(status)) => service::fault(Some(status), "").into(),
        // Several of these come without a status when there was no answer at all.
        (
            "httpConnectionFailed"
            | "responseStreamConnectionFailed"
            | "responseStreamDisconnected",
            None,
        ) => TroubleKind::Unavailable,
        ("other" | "responseTooManyFailedAttempts", None) => return None,
        _ => TroubleKind::Failed,
    })
}

impl From<Fault> for TroubleKind {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Limit => Self::Limit,
            Fault::Unavailable => Self::Unavailable,
            Fault::Login => Self::Login,
            Fault::Other => Self::Failed,
        }
    }
}

/// What the words tell where the client names nothing.
fn told(words: &str) -> TroubleKind {
    let status = ["unexpected status ", "last status: "]
        .iter()
        .find_map(|before| {
            let digits = words.split(before).nth(1)?.get(..3)?;
            digits.parse().ok()
        });
    service::fault(status, words).into()
}

/// The service's words, where the client hands on its whole JSON.
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

/// A notice that the client tries again: the try and the most tries (0: without end), and why.
pub(super) fn retry(message: &str) -> Option<(u32, u32, String)> {
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
    Some((attempt, max, service::meaningful(reason.trim())))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn errors_are_told_apart() {
        use TroubleKind::{Failed, Limit, Login, Unavailable};
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
            ("a kind of tomorrow", json!("somethingNew"), Failed),
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
            assert_eq!(Trouble::of(message, &info).kind, kind, "{message} {info}");
        }
        let wrapped =
            r#"{"error": {"type": "invalid_request_error", "message": "Your credit is too low"}}"#;
        assert_eq!(
            Trouble::of(wrapped, &Value::Null).words,
            "Your credit is too low"
        );
    }

    #[test]
    fn a_wait_without_end_is_a_retry_too() {
        let refused = "Reconnecting... 2/5 (unexpected status 529 Overloaded)";
        assert_eq!(
            retry(refused),
            Some((2, 5, "unexpected status 529 Overloaded".to_owned()))
        );
        let waits =
            "Reconnecting... waiting for network (Connection failed: error sending request)";
        assert_eq!(
            retry(waits),
            Some((1, 0, "Connection failed: error sending request".to_owned()))
        );
        assert_eq!(
            retry("Reconnecting... 1/5").map(|(attempt, max, _)| (attempt, max)),
            Some((1, 5))
        );
        assert_eq!(retry("no"), None);
    }
}
