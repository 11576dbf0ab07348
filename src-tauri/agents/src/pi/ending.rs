//! How turns and sessions of pi end. The exit code says nothing: pi ends with 0 after any error of the service.

use baton_model::outcome::Failure;
use baton_model::time::Timestamp;

use crate::driver::Verdict;
use crate::event::TurnEnd;
use crate::service::{self, Fault};

/// How the model stopped, in the last message of a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Stop {
    /// It was finished.
    Done,
    /// Somebody stopped it.
    Aborted,
    /// Its answer was cut at its limit of tokens.
    Cut,
    /// The service refused, or could not be reached; in its words, at this time.
    Error {
        words: String,
        at: Option<Timestamp>,
    },
}

impl Stop {
    /// Reads the reason to stop. One that is not known counts as finished: it came without an error.
    pub(super) fn of(reason: &str, error: Option<&str>, at: Option<Timestamp>) -> Self {
        match (reason, error) {
            ("aborted", _) => Self::Aborted,
            // 0.87 calls an interruption an error.
            ("error", Some(words)) if words.ends_with("was aborted") => Self::Aborted,
            ("error", words) => Self::Error {
                words: service::meaningful(words.unwrap_or("the service gave no reason")),
                at,
            },
            ("length", _) => Self::Cut,
            _ => Self::Done,
        }
    }

    /// How it ends a turn.
    pub(super) fn end(&self) -> TurnEnd {
        match self {
            Self::Done => TurnEnd::Done,
            Self::Aborted => TurnEnd::Interrupted,
            Self::Cut => TurnEnd::Failed,
            Self::Error { words, at } => match fault(words) {
                Fault::Limit => TurnEnd::Limit {
                    reset_at: reset_at(words, *at),
                },
                Fault::Unavailable => TurnEnd::Unavailable,
                Fault::Login | Fault::Other => TurnEnd::Failed,
            },
        }
    }

    /// The words of an error; empty when there was none.
    pub(super) fn words(&self) -> String {
        match self {
            Self::Error { words, .. } => words.clone(),
            Self::Cut => "The model's answer was cut at its limit of tokens.".to_owned(),
            Self::Done | Self::Aborted => String::new(),
        }
    }

    /// The verdict on work whose last turn stopped so.
    pub(super) fn verdict(&self) -> Verdict {
        let detail = self.words();
        match self.end() {
            TurnEnd::Done => Verdict::Succeeded,
            TurnEnd::Interrupted => Verdict::Cancelled,
            TurnEnd::Limit { reset_at } => Verdict::Limit { reset_at, detail },
            TurnEnd::Unavailable => Verdict::Unavailable { detail },
            TurnEnd::Failed => refused(&detail),
        }
    }
}

/// The verdict on a session that the service or pi itself refused.
pub(super) fn refused(words: &str) -> Verdict {
    let mut detail = words.to_owned();
    if fault(words) == Fault::Login {
        detail.push_str(". Run `pi` in a terminal and log in with /login, or set the key of your model's service.");
    }
    Verdict::Failed(Failure::AgentError { detail })
}

/// pi hands on the words of the service's own library; most begin with the status.
fn fault(words: &str) -> Fault {
    let digits = words.len() - words.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    service::fault(words[..digits].parse().ok(), words)
}

/// When a usage limit ends: `Try again in ~90 min.`, counted from when it was said.
fn reset_at(words: &str, at: Option<Timestamp>) -> Option<Timestamp> {
    let minutes = words.split("in ~").nth(1)?.split(" min").next()?;
    let minutes: i64 = minutes.trim().parse().ok()?;
    Some(Timestamp(
        at?.0.saturating_add(minutes.saturating_mul(60_000)),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_told_apart() {
        use Fault::{Limit, Login, Other, Unavailable};
        for (words, expected) in [
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
            assert_eq!(fault(words), expected, "{words}");
        }
    }

    #[test]
    fn the_end_of_a_limit_counts_from_when_it_was_told() {
        let at = Some(Timestamp(1_000_000));
        assert_eq!(
            reset_at("usage limit. Try again in ~90 min.", at),
            Some(Timestamp(6_400_000))
        );
        for words in ["Try again in ~x min", "Try again later", "in ~"] {
            assert_eq!(reset_at(words, at), None, "{words}");
        }
    }

    #[test]
    fn a_stop_has_a_reason() {
        let error = |words: &str| Stop::of("error", Some(words), None);
        assert_eq!(Stop::of("stop", None, None).end(), TurnEnd::Done);
        assert_eq!(
            error("This operation was aborted").end(),
            TurnEnd::Interrupted
        );
        assert_eq!(Stop::of("aborted", None, None).end(), TurnEnd::Interrupted);
        assert_eq!(Stop::of("length", None, None).end(), TurnEnd::Failed);
        assert_eq!(Stop::of("error", None, None).end(), TurnEnd::Failed);
        assert_eq!(
            error("fetch failed").verdict(),
            Verdict::Unavailable {
                detail: "fetch failed".to_owned()
            }
        );
    }
}
