//! The ends of turns and sessions of pi. The exit code doesn't help: pi exits with 0 even after an
//! error of the service.

use baton_model::outcome::Failure;
use baton_model::time::Timestamp;

use crate::driver::Verdict;
use crate::event::TurnEnd;
use crate::service_error::{self, ServiceErrorKind};

/// The stop reason in the last message of a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum StopReason {
    Done,
    Aborted,
    /// The answer reached its token limit.
    Cut,
    /// The service refused or was unreachable: its message and time.
    Error {
        message: String,
        at: Option<Timestamp>,
    },
}

impl StopReason {
    /// Parses a stop reason. An unknown one counts as done, because it isn't an error.
    pub(super) fn parse(reason: &str, error: Option<&str>, at: Option<Timestamp>) -> Self {
        match (reason, error) {
            ("aborted", _) => Self::Aborted,
            // 0.87 reports an interruption as an error.
            ("error", Some(message)) if message.ends_with("was aborted") => Self::Aborted,
            ("error", message) => Self::Error {
                message: service_error::concise_message(
                    message.unwrap_or("the service gave no reason"),
                ),
                at,
            },
            ("length", _) => Self::Cut,
            _ => Self::Done,
        }
    }

    /// The end of a turn with this stop reason.
    pub(super) fn turn_end(&self) -> TurnEnd {
        match self {
            Self::Done => TurnEnd::Done,
            Self::Aborted => TurnEnd::Interrupted,
            Self::Cut => TurnEnd::Failed,
            Self::Error { message, at } => match classify_message(message) {
                ServiceErrorKind::Limit => TurnEnd::Limit {
                    reset_at: reset_at(message, *at),
                },
                ServiceErrorKind::Unavailable => TurnEnd::Unavailable,
                ServiceErrorKind::Login | ServiceErrorKind::Other => TurnEnd::Failed,
            },
        }
    }

    /// The error message; empty when there was no error.
    pub(super) fn message(&self) -> String {
        match self {
            Self::Error { message, .. } => message.clone(),
            Self::Cut => "The model's answer reached its token limit.".to_owned(),
            Self::Done | Self::Aborted => String::new(),
        }
    }

    /// The verdict on work whose last turn stopped this way.
    pub(super) fn verdict(&self) -> Verdict {
        let detail = self.message();
        match self.turn_end() {
            TurnEnd::Done => Verdict::Succeeded,
            TurnEnd::Interrupted => Verdict::Cancelled,
            TurnEnd::Limit { reset_at } => Verdict::Limit { reset_at, detail },
            TurnEnd::Unavailable => Verdict::Unavailable { detail },
            TurnEnd::Failed => refused(&detail),
        }
    }
}

/// The verdict on a session that the service or pi itself refused.
pub(super) fn refused(message: &str) -> Verdict {
    let mut detail = message.to_owned();
    if classify_message(message) == ServiceErrorKind::Login {
        detail.push_str(
            ". Run `pi` in a terminal and log in with /login, or set your provider's API key.",
        );
    }
    Verdict::Failed(Failure::AgentError { detail })
}

/// pi passes on the messages of the service's own library; most begin with the status.
fn classify_message(message: &str) -> ServiceErrorKind {
    let digits = message.len()
        - message
            .trim_start_matches(|c: char| c.is_ascii_digit())
            .len();
    service_error::classify(message[..digits].parse().ok(), message)
}

/// When a usage limit ends: `Try again in ~90 min.`, counted from the time of the message.
fn reset_at(message: &str, at: Option<Timestamp>) -> Option<Timestamp> {
    let minutes = message.split("in ~").nth(1)?.split(" min").next()?;
    let minutes: i64 = minutes.trim().parse().ok()?;
    Some(Timestamp(
        at?.0.saturating_add(minutes.saturating_mul(60_000)),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classifies_errors() {
        use ServiceErrorKind::{Limit, Login, Other, Unavailable};
        for (message, expected) in [
            ("401 invalid x-api-key (fake)", Login),
            ("No API key found for openai.", Login),
            ("429 rate limited", Limit),
            (
                "429: You have hit your ChatGPT usage limit (plus plan). Try again in ~90 min.",
                Limit,
            ),
            ("529 Overloaded (fake)", Unavailable),
            ("503 status code (no body)", Unavailable),
            ("terminated", Unavailable),
            ("Connection error.", Unavailable),
            (
                "400 prompt is too long: 250000 tokens > 200000 maximum",
                Other,
            ),
            ("400 the service timed out before", Other),
            ("Something odd", Other),
            ("", Other),
        ] {
            assert_eq!(classify_message(message), expected, "{message}");
        }
    }

    #[test]
    fn limit_reset_is_relative_to_message_time() {
        let at = Some(Timestamp(1_000_000));
        assert_eq!(
            reset_at("usage limit. Try again in ~90 min.", at),
            Some(Timestamp(6_400_000))
        );
        for message in ["Try again in ~x min", "Try again later", "in ~"] {
            assert_eq!(reset_at(message, at), None, "{message}");
        }
    }

    #[test]
    fn stop_reasons_map_to_turn_ends() {
        let error = |message: &str| StopReason::parse("error", Some(message), None);
        assert_eq!(
            StopReason::parse("stop", None, None).turn_end(),
            TurnEnd::Done
        );
        assert_eq!(
            error("This operation was aborted").turn_end(),
            TurnEnd::Interrupted
        );
        assert_eq!(
            StopReason::parse("aborted", None, None).turn_end(),
            TurnEnd::Interrupted
        );
        assert_eq!(
            StopReason::parse("length", None, None).turn_end(),
            TurnEnd::Failed
        );
        assert_eq!(
            StopReason::parse("error", None, None).turn_end(),
            TurnEnd::Failed
        );
        assert_eq!(
            error("fetch failed").verdict(),
            Verdict::Unavailable {
                detail: "fetch failed".to_owned()
            }
        );
    }
}
