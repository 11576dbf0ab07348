//! The last complaint on an agent's standard error, and what it says about an early exit.

use baton_model::outcome::Failure;

use crate::driver::{ProcessEnd, Verdict};
use crate::event::{SessionEvent, Stream};
use crate::plain_text::{one_line, strip_terminal_codes};

/// Longer messages are truncated, in characters.
const MAX_CHARS: usize = 500;

/// The last line of standard error that reports an error, on one line and shortened. If no line
/// does, the last line with any content.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct StderrSummary {
    text: String,
    is_error: bool,
}

/// Phrases that mark a line as an error.
const ERROR_PHRASES: &[&str] = &[
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
/// Beginnings of lines that continue another one or are irrelevant.
const IGNORED_PREFIXES: &[&str] = &[
    "at ",
    "node.js v",
    "(node:",
    "(use `node",
    "npm notice",
    "npm warn",
    "note: run with `rust_backtrace",
];

impl StderrSummary {
    /// Adds a line of standard error. The returned event holds the whole line.
    pub(crate) fn add_line(&mut self, line: &[u8]) -> SessionEvent {
        let text = strip_terminal_codes(line);
        let low = text.trim().to_lowercase();
        let is_error = ERROR_PHRASES.iter().any(|sign| low.contains(sign));
        let says_something = low.chars().any(char::is_alphanumeric)
            && !IGNORED_PREFIXES
                .iter()
                .any(|begins| low.starts_with(begins));
        if says_something && (is_error || !self.is_error) {
            *self = Self {
                text: one_line(&text, MAX_CHARS),
                is_error,
            };
        }
        SessionEvent::Output {
            stream: Stream::Stderr,
            text,
        }
    }

    /// The message; `None` when there was none.
    pub(crate) fn text(&self) -> Option<&str> {
        Some(self.text.as_str()).filter(|text| !text.is_empty())
    }

    /// The verdict on a process that exited before its work was done. `doing` completes the
    /// sentence: "before finishing its turn".
    pub(crate) fn verdict(&self, exit: &ProcessEnd, doing: &str) -> Verdict {
        let agent_error = |detail: String| Verdict::Failed(Failure::AgentError { detail });
        match (exit, self.text()) {
            (ProcessEnd::Exited(0), None) => agent_error(format!("it exited {doing}")),
            (ProcessEnd::Exited(0), Some(message)) => {
                agent_error(format!("it exited {doing}. Last error output: {message}"))
            }
            // Shells report signals this way, and claude exits with these codes on HUP and TERM.
            (ProcessEnd::Exited(code @ (129 | 130 | 137 | 143)), _) => {
                Verdict::Failed(Failure::Signal { signal: code - 128 })
            }
            (ProcessEnd::Exited(code), Some(message)) => {
                agent_error(format!("{message} (exit code {code})"))
            }
            (exit, _) => Verdict::from_process_end(exit),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary(lines: &[&str]) -> StderrSummary {
        let mut summary = StderrSummary::default();
        for line in lines {
            summary.add_line(line.as_bytes());
        }
        summary
    }

    #[test]
    fn keeps_last_meaningful_line() {
        assert_eq!(summary(&[]).text(), None);
        assert_eq!(
            summary(&["warning: slow", "\u{1b}[31merror:\u{1b}[0m no key", "   "]).text(),
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
            summary(&trace).text(),
            Some("ApiError: got status 503, overloaded")
        );
        assert_eq!(
            summary(&["warming up", "^^^^", "  at x"]).text(),
            Some("warming up")
        );
        let python = [
            "Traceback (most recent call last):",
            "  File \"x\", line 1",
            "ValueError: bad",
            "bye",
        ];
        assert_eq!(summary(&python).text(), Some("ValueError: bad"));
    }

    #[test]
    fn forwards_every_line_unchanged() {
        let event = StderrSummary::default().add_line(b"  ");
        assert_eq!(
            event,
            SessionEvent::Output {
                stream: Stream::Stderr,
                text: "  ".to_owned()
            }
        );
    }

    #[test]
    fn early_exit_reports_last_stderr_line() {
        let verdict_of =
            |exit, lines: &[&str]| summary(lines).verdict(&exit, "before finishing its turn");
        let error = |detail: &str| {
            Verdict::Failed(Failure::AgentError {
                detail: detail.to_owned(),
            })
        };
        assert_eq!(
            verdict_of(ProcessEnd::Exited(0), &[]),
            error("it exited before finishing its turn")
        );
        assert_eq!(
            verdict_of(ProcessEnd::Exited(0), &["bye"]),
            error("it exited before finishing its turn. Last error output: bye")
        );
        assert_eq!(
            verdict_of(ProcessEnd::Exited(3), &["no key"]),
            error("no key (exit code 3)")
        );
        assert_eq!(
            verdict_of(ProcessEnd::Exited(3), &[]),
            Verdict::from_process_end(&ProcessEnd::Exited(3))
        );
        let killed = verdict_of(ProcessEnd::Signaled(9), &["x"]);
        assert_eq!(killed, Verdict::Failed(Failure::Signal { signal: 9 }));
        for (code, signal) in [(129, 1), (130, 2), (137, 9), (143, 15)] {
            let verdict = verdict_of(ProcessEnd::Exited(code), &["terminated"]);
            assert_eq!(
                verdict,
                Verdict::Failed(Failure::Signal { signal }),
                "shells report {code} for it"
            );
        }
    }
}
