//! How one attempt of a node ended, for the attempts and nodes that follow it.

use crate::artifact::{fenced, omitted_names_line};
use crate::evidence::{AttemptEnding, FileChanges, FileSource, Verdict};
use crate::{Attempt, Evidence, Outcome};

/// Further files are only counted.
const MAX_LISTED_FILES: usize = 50;
/// The maximum output shown for one criterion check, in bytes.
const MAX_CHECK_OUTPUT_BYTES: usize = 2048;

/// An attempt that has ended, with what is known about it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct AttemptReport {
    pub attempt: Attempt,
    /// The agent that made it; `None` for commands.
    pub agent: Option<String>,
    pub outcome: Outcome,
    /// Needed for the latest attempt only; reports on earlier ones may omit it.
    pub evidence: Option<Evidence>,
}

impl AttemptReport {
    /// How the attempt ended, as a fragment: "ended with exit code 1".
    #[must_use]
    pub fn ending(&self) -> String {
        match &self.outcome {
            Outcome::Succeeded => {
                match self.evidence.as_ref().and_then(Evidence::unverified_reason) {
                    Some(doubt) => format!("finished, but is unverified: {}", doubt.reason),
                    None => "finished".to_owned(),
                }
            }
            Outcome::Failed { failure } => failure.to_string(),
            Outcome::Cancelled => "was stopped before it finished".to_owned(),
            outcome @ (Outcome::Lost { .. } | Outcome::Tampered { .. }) => {
                format!(
                    "was interrupted: {}",
                    outcome.interruption().unwrap_or_default()
                )
            }
        }
    }

    /// The attempt as a list item.
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

    /// What the process and its output show; `None` for attempts that never started.
    pub(super) fn process(&self) -> Option<&AttemptEnding> {
        self.evidence.as_ref()?.ending.as_ref()
    }

    /// What the attempt left: exit code, changed files, criteria, the end of its output, named
    /// outputs.
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
            text.extend(["- Signal: ", &format_signal(signal), "\n"]);
        }
        if let Some(collision) = &ending.collision {
            text.extend(["- Collision: ", &collision.to_string(), "\n"]);
        }
        text.extend(["- Files changed: ", &format_files(&evidence.files), "\n"]);
        for check in evidence
            .checks
            .iter()
            .filter(|check| check.verdict != Verdict::Met)
        {
            let said = if check.verdict == Verdict::NotMet {
                "not met"
            } else {
                "couldn't be checked"
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
                let start =
                    detail.ceil_char_boundary(detail.len().saturating_sub(MAX_CHECK_OUTPUT_BYTES));
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
        let left_out = omitted_names_line(&ending.outputs_left_out);
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

/// "9 (SIGKILL)", because people search for signals by name.
pub(super) fn format_signal(signal: i32) -> String {
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

fn format_files(files: &FileChanges) -> String {
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
    all.extend(marked(&files.shared, " (while other steps were running)"));
    let more = all.len().saturating_sub(MAX_LISTED_FILES)
        + usize::try_from(files.left_out).unwrap_or(usize::MAX);
    all.truncate(MAX_LISTED_FILES);
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
        words.extend([
            " (possibly by steps that ran at the same time: ",
            &beside,
            ")",
        ]);
    }
    words
}
