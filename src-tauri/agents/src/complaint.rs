//! What an agent says on its standard error, beside its stream, and what that says of an end that came too early.

use baton_model::outcome::Failure;

use crate::driver::{ProcessEnd, Verdict};
use crate::event::{SessionEvent, Stream};
use crate::plain_text::{one_line, plain};

/// The most of a complaint that is kept, in letters.
const LIMIT: usize = 500;

/// The last line of standard error that says what went wrong, on one line and shortened; where none does, the last one
/// that says anything.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Complaint {
    words: String,
    is_error: bool,
}

/// Words of lines that say what went wrong.
const ERROR: &[&str] = &[
    "cannot",
    "can't",
    "could not",
    "denied",
    "error",
    "exception",
    "failed",
    "fatal",
    "invalid",
    "missing",
    "no such",
    "not found",
    "panic",
    "refused",
    "unable",
    "unknown",
    "unexpected",
];
/// Beginnings of lines that belong to another one, or say nothing of the work.
const ASIDE: &[&str] = &[
    "at ",
    "node.js v",
    "(node:",
    "(use `node",
    "npm notice",
    "npm warn",
    "note: run with `rust_backtrace",
];

impl Complaint {
    /// Takes in a line of standard error; the timeline gets it whole.
    pub(crate) fn hear(&mut self, line: &[u8]) -> SessionEvent {
        let text = plain(line);
        let low = text.trim().to_lowercase();
        let is_error = ERROR.iter().any(|sign| low.contains(sign));
        let says_something = low.chars().any(char::is_alphanumeric)
            && !ASIDE.iter().any(|begins| low.starts_with(begins));
        if says_something && (is_error || !self.is_error) {
            *self = Self {
                words: one_line(&text, LIMIT),
                is_error,
            };
        }
        SessionEvent::Output {
            stream: Stream::Stderr,
            text,
        }
    }

    /// The words; nothing when the agent never complained.
    pub(crate) fn words(&self) -> Option<&str> {
        Some(self.words.as_str()).filter(|words| !words.is_empty())
    }

    /// The verdict on a process that ended before its work did; `doing` is what it was at: "before its turn was over".
    pub(crate) fn verdict(&self, exit: &ProcessEnd, doing: &str) -> Verdict {
        let agent_error = |detail: String| Verdict::Failed(Failure::AgentError { detail });
        match (exit, self.words()) {
            (ProcessEnd::Exited(0), None) => agent_error(format!("it ended {doing}")),
            (ProcessEnd::Exited(0), Some(words)) => {
                agent_error(format!("it ended {doing}; its last words were: {words}"))
            }
            // What a shell reports for a signal; claude itself exits so on HUP and TERM.
            (ProcessEnd::Exited(code @ (129 | 130 | 137 | 143)), _) => {
                Verdict::Failed(Failure::Signal { signal: code - 128 })
            }
            (ProcessEnd::Exited(code), Some(words)) => {
                agent_error(format!("{words} (exit code {code})"))
            }
            (exit, _) => Verdict::of_process(exit),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaint(lines: &[&str]) -> Complaint {
        let mut complaint = Complaint::default();
        for line in lines {
            complaint.hear(line.as_bytes());
        }
        complaint
    }

    #[test]
    fn the_last_line_that_says_anything_is_kept() {
        assert_eq!(complaint(&[]).words(), None);
        assert_eq!(
            complaint(&["warning: slow", "\u{1b}[31merror:\u{1b}[0m no key", "   "]).words(),
            Some("error: no key")
        );
        let trace = [
            "ApiError: got status 503, overloaded",
            "    at run (file:///x.js:1:2)",
            "    status: 503,",
            "}",
            "",
            "Node.js v20.20.0",
        ];
        assert_eq!(
            complaint(&trace).words(),
            Some("ApiError: got status 503, overloaded")
        );
        assert_eq!(
            complaint(&["warming up", "^^^^", "  at x"]).words(),
            Some("warming up")
        );
        let python = [
            "Traceback (most recent call last):",
            "  File \"x\", line 1",
            "ValueError: bad",
            "bye",
        ];
        assert_eq!(complaint(&python).words(), Some("ValueError: bad"));
    }

    #[test]
    fn a_line_is_told_on_as_it_is_also_when_it_says_nothing() {
        let event = Complaint::default().hear(b"  ");
        assert_eq!(
            event,
            SessionEvent::Output {
                stream: Stream::Stderr,
                text: "  ".to_owned()
            }
        );
    }

    #[test]
    fn an_end_that_came_too_early_is_told_with_the_last_words() {
        let told =
            |exit, lines: &[&str]| complaint(lines).verdict(&exit, "before its turn was over");
        let error = |detail: &str| {
            Verdict::Failed(Failure::AgentError {
                detail: detail.to_owned(),
            })
        };
        assert_eq!(
            told(ProcessEnd::Exited(0), &[]),
            error("it ended before its turn was over")
        );
        assert_eq!(
            told(ProcessEnd::Exited(0), &["bye"]),
            error("it ended before its turn was over; its last words were: bye")
        );
        assert_eq!(
            told(ProcessEnd::Exited(3), &["no key"]),
            error("no key (exit code 3)")
        );
        assert_eq!(
            told(ProcessEnd::Exited(3), &[]),
            Verdict::of_process(&ProcessEnd::Exited(3))
        );
        let killed = told(ProcessEnd::Signaled(9), &["x"]);
        assert_eq!(killed, Verdict::Failed(Failure::Signal { signal: 9 }));
        for (code, signal) in [(129, 1), (130, 2), (137, 9), (143, 15)] {
            let verdict = told(ProcessEnd::Exited(code), &["terminated"]);
            assert_eq!(
                verdict,
                Verdict::Failed(Failure::Signal { signal }),
                "a shell says {code} for it"
            );
        }
    }
}
