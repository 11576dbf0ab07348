//! Derives the outcome of an attempt, and its handoff, from the end of its session.
//!
//! An attempt whose keeper and program are gone without a record, or whose agent was killed, is
//! lost and not failed: how far it got is unknown, so the node is interrupted, a person decides,
//! and it costs no retry.

use std::fs;
use std::path::Path;

use baton_agents::{Driver, ProcessEnd, Verdict, usage_limit};
use baton_keeper::session_file::{UnexpectedFile, find_unexpected_file};
use baton_keeper::{Cause, Ending, Exit, NotStarted};
use baton_model::artifact::{ANSWER_LIMIT, Facts};
use baton_model::duration::{format_duration, format_elapsed};
use baton_model::outcome::Failure;
use baton_model::{Artifact, Outcome, Timestamp};

use crate::named_outputs::outputs_of;
use crate::session_folder::SESSION_FILES;
use crate::tail;

/// How many bytes from the end of the output a generated handoff shows.
const TAIL_BYTES: u64 = 2048;
const TAIL_LINES: usize = 20;
/// The signal that the kernel sends to a process when memory runs out.
const SIGKILL: i32 = 9;

/// The outcome of an attempt whose session ended with `exit`.
///
/// A session that a person stopped counts as canceled, regardless of its last output.
pub(crate) fn outcome_of(
    exit: &Exit,
    driver: &dyn Driver,
    stop_requested: bool,
    limit_ms: u64,
    folder: &Path,
) -> Outcome {
    if let Some(foreign) = find_unexpected_file(folder, SESSION_FILES).filter(|_| !stop_requested) {
        return Outcome::Failed {
            failure: tampered(&foreign),
        };
    }
    let waited = driver
        .service_wait_reason()
        .filter(|_| !stop_requested && !driver.is_finished());
    if let (Some(cause @ (Cause::Cancelled | Cause::TimedOut)), Some(reason)) = (exit.cause, waited)
    {
        let until = match cause {
            Cause::TimedOut => format!(
                "it was still waiting at its time limit of {}",
                format_duration(limit_ms)
            ),
            _ => "it stopped responding".to_owned(),
        };
        return Outcome::Failed {
            failure: Failure::Unavailable {
                detail: format!("{reason}; {until}"),
            },
        };
    }
    match exit.cause {
        // An agent that had finished but did not exit was terminated by Baton itself; its work
        // counts.
        Some(Cause::Cancelled) if stop_requested || !driver.is_finished() => {
            return Outcome::Cancelled;
        }
        Some(Cause::TimedOut) => {
            return Outcome::Failed {
                failure: Failure::TimedOut { limit_ms },
            };
        }
        Some(Cause::DiskFull) => {
            let detail = format!(
                "{} has no space left; free some space, then retry the node",
                folder.display()
            );
            return Outcome::Failed {
                failure: Failure::DiskFull { detail },
            };
        }
        Some(Cause::Cancelled) | None => {}
    }
    match driver.verdict(&process_end(&exit.ending)) {
        Verdict::Succeeded if stop_requested => Outcome::Cancelled,
        Verdict::Succeeded => Outcome::Succeeded,
        Verdict::Cancelled if stop_requested => Outcome::Cancelled,
        Verdict::Cancelled => failed("the turn was interrupted, but not by Baton".to_owned()),
        Verdict::Failed(_) if stop_requested => Outcome::Cancelled,
        Verdict::Failed(failure) => Outcome::Failed { failure },
        Verdict::Limit { .. } | Verdict::Unavailable { .. } if stop_requested => Outcome::Cancelled,
        Verdict::Unavailable { detail } => Outcome::Failed {
            failure: Failure::Unavailable { detail },
        },
        Verdict::Limit { reset_at, detail } => {
            let ended = Timestamp(i64::try_from(exit.ended_ms).unwrap_or(i64::MAX));
            let reset_at = reset_at.or_else(|| usage_limit::parse_reset_time(&detail, ended));
            Outcome::Failed {
                failure: Failure::UsageLimit { reset_at, detail },
            }
        }
    }
}

/// The failure of a session whose folder holds something that is not one of Baton's files.
pub(crate) fn tampered(found: &UnexpectedFile) -> Failure {
    Failure::SessionFiles {
        detail: found.to_string(),
    }
}

/// The outcome of an agent that was killed during its work: how far it got is unknown, and the node
/// is not to blame.
pub(crate) fn interrupted_if_killed(outcome: Outcome) -> Outcome {
    match outcome {
        Outcome::Failed {
            failure: Failure::Signal { signal },
        } => {
            let by = if signal == SIGKILL {
                ", by another program or because memory ran out"
            } else {
                ""
            };
            let detail =
                format!("its agent was killed by signal {signal}{by}; how far it got is unknown");
            Outcome::Lost { detail }
        }
        outcome => outcome,
    }
}

fn failed(detail: String) -> Outcome {
    Outcome::Failed {
        failure: Failure::AgentError { detail },
    }
}

fn process_end(ending: &Ending) -> ProcessEnd {
    match ending {
        Ending::Exited { code } => ProcessEnd::Exited(*code),
        Ending::Signaled { signal } => ProcessEnd::Signaled(*signal),
        Ending::Survived => ProcessEnd::Signaled(9),
        Ending::NotStarted { reason, detail } => ProcessEnd::NotStarted {
            detail: not_started(*reason, detail),
        },
    }
}

fn not_started(reason: NotStarted, detail: &str) -> String {
    let fix = match reason {
        NotStarted::CommandNotFound => "install it, or give its full path",
        NotStarted::PermissionDenied => "make it executable and readable for you",
        NotStarted::CwdMissing => {
            "create the directory, or choose another one in the plan's settings"
        }
        NotStarted::LaunchUnreadable => "retry the node",
        NotStarted::NotConfined => "check the sandbox in Doctor, then retry the node",
        NotStarted::Other => return detail.to_owned(),
    };
    format!("{detail}: {fix}")
}

/// The handoff of an agent: its own answer, with or without the headings, or a generated one if it
/// said nothing.
pub(crate) fn handoff_of(answer: Option<&str>, changed: Vec<String>, folder: &Path) -> Artifact {
    let outputs = outputs_of(folder);
    match answer {
        Some(text) => Artifact::from_agent_message(text).with_outputs(outputs),
        None => {
            let done = "The agent finished without a message.".to_owned();
            Artifact::from_facts(Facts {
                done,
                files: changed,
                outputs,
                tail: String::new(),
            })
        }
    }
}

/// The generated handoff of a session without an agent.
pub(crate) fn artifact_of(
    exit: &Exit,
    command: &str,
    changed: Vec<String>,
    tail: Option<String>,
    folder: &Path,
) -> Artifact {
    let named: String = named_line(command).chars().take(200).collect();
    let how = match exit.ending {
        Ending::Exited { code } => format!("ended with exit code {code}"),
        _ => "ended".to_owned(),
    };
    let after = exit.worked_ms().map_or_else(String::new, |worked| {
        format!(" after {}", format_elapsed(worked))
    });
    Artifact::from_facts(Facts {
        done: format!("`{}` {how}{after}.", named.replace('`', "'")),
        files: changed,
        outputs: outputs_of(folder),
        tail: tail.unwrap_or_else(|| end_of_output(folder)),
    })
}

/// The line of a script that stands for it: the first one that is neither blank nor a comment.
fn named_line(script: &str) -> &str {
    let lines = || script.lines().map(str::trim);
    lines()
        .find(|line| !line.is_empty() && !line.starts_with('#'))
        .or_else(|| lines().next())
        .unwrap_or_default()
}

/// The standard output of a program that speaks no protocol, without control codes; truncated at
/// the start if long.
pub(crate) fn printed_answer(folder: &Path) -> Option<String> {
    let path = folder.join(baton_keeper::STDOUT);
    let all = fs::symlink_metadata(&path).map_or(0, |meta| meta.len());
    let text = baton_agents::plain_text::strip_terminal_codes(
        &tail::end_of(&path, ANSWER_LIMIT as u64 / 2).unwrap_or_default(),
    );
    let text = text.trim();
    let left_out = all.saturating_sub(ANSWER_LIMIT as u64 / 2);
    let note = if left_out > 0 {
        let shown = all - left_out;
        format!("[Truncated by Baton: showing the last {shown} of {all} bytes.]\n")
    } else {
        String::new()
    };
    (!text.is_empty()).then(|| format!("{note}{text}"))
}

/// The last lines of output, without control codes; of standard error when standard output is
/// empty.
pub(crate) fn end_of_output(folder: &Path) -> String {
    let ends =
        [baton_keeper::STDOUT, baton_keeper::STDERR].map(|stream| end_of_stream(folder, stream));
    ends.into_iter()
        .find(|end| !end.is_empty())
        .unwrap_or_default()
}

/// The last lines of one stream, without control codes.
pub(crate) fn end_of_stream(folder: &Path, stream: &str) -> String {
    let bytes = tail::end_of(&folder.join(stream), TAIL_BYTES).unwrap_or_default();
    let text = baton_agents::plain_text::strip_terminal_codes(&bytes);
    let lines: Vec<&str> = text.trim_end().lines().collect();
    lines[lines.len().saturating_sub(TAIL_LINES)..].join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_is_named_after_its_first_command() {
        for (script, line) in [
            ("make test\nmake lint", "make test"),
            ("# Read all handoffs.\n\n  cat *.md", "cat *.md"),
            ("#!/bin/sh\n# only comments", "#!/bin/sh"),
            ("", ""),
        ] {
            assert_eq!(named_line(script), line, "{script:?}");
        }
    }

    #[test]
    fn only_signals_count_as_interruption() {
        let failed = |failure| Outcome::Failed { failure };
        let killed = interrupted_if_killed(failed(Failure::Signal { signal: 9 }));
        let Outcome::Lost { detail } = killed else {
            panic!("interrupted: {killed:?}")
        };
        assert!(
            detail.contains("signal 9") && detail.contains("memory"),
            "{detail}"
        );
        for outcome in [
            failed(Failure::ExitCode { code: 1 }),
            Outcome::Cancelled,
            Outcome::Succeeded,
        ] {
            assert_eq!(interrupted_if_killed(outcome.clone()), outcome);
        }
    }
}
