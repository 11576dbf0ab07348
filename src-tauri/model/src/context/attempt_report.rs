//! How one attempt of a node ended, for those who go on after it.

use crate::artifact::{fenced, left_out_line};
use crate::evidence::{AttemptEnding, FileChanges, FileSource, Verdict};
use crate::{Attempt, Evidence, Outcome};

/// The most files that are named; more are counted.
const FILES_SHOWN: usize = 50;
/// The most that is shown of the check of one criterion, in bytes.
const CHECK_SHOWN: usize = 2048;

/// One attempt that has ended, with what is known of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttemptReport {
    /// Its number.
    pub attempt: Attempt,
    /// The agent that made it; `None` for commands.
    pub agent: Option<String>,
    /// How it ended.
    pub outcome: Outcome,
    /// What is known beside the outcome; reports on all but the latest attempt may go without.
    pub evidence: Option<Evidence>,
}

impl AttemptReport {
    /// How the attempt ended, as a fragment: "ended with exit code 1".
    #[must_use]
    pub fn ending(&self) -> String {
        match &self.outcome {
            Outcome::Succeeded => match self.evidence.as_ref().and_then(Evidence::doubt) {
                Some(doubt) => format!("was done, but is not verified: {}", doubt.reason),
                None => "was done".to_owned(),
            },
            Outcome::Failed { failure } => failure.to_string(),
            Outcome::Cancelled => "was stopped before it was done".to_owned(),
            outcome @ (Outcome::Lost { .. } | Outcome::Tampered { .. }) => {
                format!(
                    "was interrupted: {}",
                    outcome.interruption().unwrap_or_default()
                )
            }
        }
    }

    /// The attempt as an item of a list.
    pub(super) fn line(&self) -> String {
        let by = self
            .agent
            .as_ref()
            .map(|agent| format!(" ({agent})"))
            .unwrap_or_default();
        format!(
            "- Attempt {}{by}: {}\n",
            self.attempt,
            self.ending().replace('\n', " ")
        )
    }

    /// What the process and the output tell; nothing is known of attempts that never began.
    pub(super) fn process(&self) -> Option<&AttemptEnding> {
        self.evidence.as_ref()?.ending.as_ref()
    }

    /// What the attempt left behind: exit code, changed files, criteria, the end of its output, named outputs.
    pub(super) fn details(&self) -> String {
        let Some(evidence) = &self.evidence else {
            return String::new();
        };
        let ending = evidence.ending.clone().unwrap_or_default();
        let mut text = String::new();
        if let Some(code) = ending.exit_code {
            text.extend(["- Exit code: ", &code.to_string(), "\n"]);
        }
        if let Some(signal) = ending.signal {
            text.extend(["- Signal: ", &signal_words(signal), "\n"]);
        }
        if let Some(collision) = &ending.collision {
            text.extend(["- Collision: ", &collision.to_string(), "\n"]);
        }
        text.extend(["- Files changed: ", &files_words(&evidence.files), "\n"]);
        for check in evidence
            .checks
            .iter()
            .filter(|check| check.verdict != Verdict::Met)
        {
            let said = if check.verdict == Verdict::NotMet {
                "not met"
            } else {
                "could not be checked"
            };
            text.extend([
                "- Criterion ",
                said,
                ": ",
                &check.criterion.replace('\n', " "),
                "\n",
            ]);
            let detail = check.detail.trim();
            if !detail.is_empty() {
                let start = detail.ceil_char_boundary(detail.len().saturating_sub(CHECK_SHOWN));
                text.extend([&fenced(&detail[start..]), "\n"]);
            }
        }
        if !ending.output.trim().is_empty() {
            text.extend([
                "\n**End of output:**\n",
                &fenced(ending.output.trim_end()),
                "\n",
            ]);
        }
        let left_out = left_out_line(&ending.outputs_left_out);
        if !ending.outputs.is_empty() || left_out.is_some() {
            text.push_str("\n**Outputs so far:**\n");
            for (key, value) in &ending.outputs {
                text.extend(["- `", key, "`: ", value, "\n"]);
            }
            text.extend(left_out.map(|line| format!("- {line}\n")));
        }
        text
    }
}

/// "9 (SIGKILL)": people look signals up by name.
pub(super) fn signal_words(signal: i32) -> String {
    let names = [
        (1, "SIGHUP"),
        (2, "SIGINT"),
        (3, "SIGQUIT"),
        (4, "SIGILL"),
        (6, "SIGABRT"),
        (8, "SIGFPE"),
        (9, "SIGKILL"),
        (11, "SIGSEGV"),
        (13, "SIGPIPE"),
        (14, "SIGALRM"),
        (15, "SIGTERM"),
    ];
    let name = names.iter().find(|(number, _)| *number == signal);
    name.map_or_else(
        || signal.to_string(),
        |(number, name)| format!("{number} ({name})"),
    )
}

fn files_words(files: &FileChanges) -> String {
    if let FileSource::Unknown { reason } = &files.source {
        return format!("unknown ({reason})");
    }
    let marked = |list: &[String], mark: &str| {
        list.iter()
            .map(|path| format!("`{path}`{mark}"))
            .collect::<Vec<_>>()
    };
    let mut all = marked(&files.created, " (new)");
    all.extend(marked(&files.changed, ""));
    all.extend(marked(&files.deleted, " (deleted)"));
    all.extend(marked(&files.shared, " (while others worked there)"));
    let more = all.len().saturating_sub(FILES_SHOWN)
        + usize::try_from(files.left_out).unwrap_or(usize::MAX);
    all.truncate(FILES_SHOWN);
    let mut words = if all.is_empty() {
        "none".to_owned()
    } else {
        all.join(", ")
    };
    if more > 0 {
        words.extend([", and ", &more.to_string(), " more"]);
    }
    if !files.beside.is_empty() {
        let beside = files.beside.join(", ").replace('\n', " ");
        words.extend([" (perhaps by steps that ran beside it: ", &beside, ")"]);
    }
    words
}
