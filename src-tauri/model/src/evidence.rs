//! What is known of an attempt without believing anybody, and how it differs from what was claimed.
//!
//! Gathered by the engine, judged here. Evidence stands beside a handoff and is never mixed into its text.

mod collision;
mod doubt;
mod git_change;
mod judgment;
mod place;
#[cfg(test)]
mod spellings;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use collision::{Collision, CollisionKind};
pub use doubt::Doubt;
pub use git_change::{GIT_CHANGE_LIMIT, GitChange, GitFile, GitFileRole};
pub use judgment::{Claim, Probe, judge};
pub use place::Place;

/// The most files that are listed of each kind; more are counted.
pub const FILE_LIMIT: usize = 500;
/// The most commands that are listed; the last ones are.
pub const COMMAND_LIMIT: usize = 200;

/// What is known of one attempt.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", default)]
pub struct Evidence {
    /// The files that really changed.
    pub files: FileChanges,
    /// The commands that were run, in order, as far as the agent tells of them.
    pub commands: Vec<CommandRun>,
    /// How many earlier commands are not listed.
    pub commands_left_out: u32,
    /// How many calls of tools were refused, by a person or a rule.
    pub refused: u32,
    /// The acceptance criteria, and what came of each.
    pub checks: Vec<CriterionCheck>,
    /// Where claim and evidence differ.
    pub mismatches: Vec<Mismatch>,
    /// What appeared or changed in the repository by which git runs programs, while the attempt ran.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "bindings", ts(optional, as = "Option<Vec<GitChange>>"))]
    pub git_changes: Vec<GitChange>,
    /// How many more such changes are not listed.
    #[serde(skip_serializing_if = "is_zero")]
    #[cfg_attr(feature = "bindings", ts(optional, as = "Option<u32>"))]
    pub git_changes_left_out: u32,
    /// What an attempt left that did not succeed, or whose success is in doubt.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional))]
    pub ending: Option<AttemptEnding>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde wants a reference")]
fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// How an attempt ended that did not succeed, as far as its process and its output tell.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", default)]
pub struct AttemptEnding {
    /// The exit code of its process, if it exited.
    pub exit_code: Option<i32>,
    /// The signal that ended its process, if one did.
    pub signal: Option<i32>,
    /// The end of what it printed, or of what its agent said, free of control codes.
    pub output: String,
    /// The named outputs that it had written by then.
    pub outputs: BTreeMap<String, String>,
    /// The names of outputs that stand after the part of `BATON_OUTPUT` that is read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "bindings", ts(optional, as = "Option<Vec<String>>"))]
    pub outputs_left_out: Vec<String>,
    /// Nodes beside it that explain the failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional))]
    pub collision: Option<Collision>,
}

/// Which files changed while the attempt ran, relative to its directory.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", default)]
pub struct FileChanges {
    /// How this is known.
    pub source: FileSource,
    /// Files that were not there before.
    pub created: Vec<String>,
    /// Files that have another content.
    pub changed: Vec<String>,
    /// Files that are gone.
    pub deleted: Vec<String>,
    /// Files that changed while other nodes worked in the directory as well: whose change it is is not known.
    pub shared: Vec<String>,
    /// How many more changed than are listed.
    pub left_out: u32,
    /// The titles of the nodes that worked in the same directory meanwhile.
    pub beside: Vec<String>,
}

/// How changes of files are known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(tag = "source", rename_all = "snake_case")]
pub enum FileSource {
    /// git compared the work tree and its commits.
    Git,
    /// Baton compared the directory with how it was before.
    Directory,
    /// They are not.
    Unknown {
        /// Why, as a sentence for people.
        reason: String,
    },
}

impl Default for FileSource {
    fn default() -> Self {
        Self::Unknown {
            reason: "nobody looked".to_owned(),
        }
    }
}

/// A command that ran in an attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct CommandRun {
    /// The command on one line, cut at 500 characters.
    pub command: String,
    /// How it ended.
    pub end: CommandEnd,
}

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(tag = "end", rename_all = "snake_case")]
pub enum CommandEnd {
    /// With this exit code.
    Exited {
        /// The code.
        code: i32,
    },
    /// Well, in the agent's words; it told no code.
    Succeeded,
    /// Badly, in the agent's words; it told no code.
    Failed,
    /// Somebody or some rule said no, and it did not run.
    Denied,
    /// Its end was not told.
    Unknown,
}

/// What came of the check of one acceptance criterion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct CriterionCheck {
    /// The criterion: a command line or a sentence.
    pub criterion: String,
    /// Who checked.
    pub by: Checker,
    /// What came of it.
    pub verdict: Verdict,
    /// The reviewer's reason, or the end of the command's output.
    pub detail: String,
    /// The files that the command ran and that were not as they were when the plan was approved.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "bindings", ts(optional, as = "Option<Vec<String>>"))]
    pub changed_since_approval: Vec<String>,
}

/// Who checks a criterion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum Checker {
    /// The criterion is a command, and its exit code decides.
    Command {
        /// The exit code; `None` when it did not come to one.
        code: Option<i32>,
    },
    /// An agent that did not do the work.
    Reviewer {
        /// Its name.
        agent: String,
    },
    /// Nobody: the criterion is a sentence, and the plan has no review.
    Nobody,
}

/// What came of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The criterion is met.
    Met,
    /// It is not.
    NotMet,
    /// The check itself did not come to an end.
    Unknown,
    /// Nobody checks it.
    NotChecked,
}

/// A difference between what was claimed, or asked for, and what is known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Mismatch {
    /// The handoff names a file as changed that was not.
    ClaimedUntouched {
        /// The path as it was claimed.
        path: String,
        /// There is such a file.
        exists: bool,
    },
    /// A file changed, and the handoff does not name it.
    Unmentioned {
        /// The path.
        path: String,
    },
    /// An acceptance criterion is not met.
    NotMet {
        /// Which.
        criterion: String,
    },
    /// The agent did nothing and said nothing.
    NothingDone,
    /// An acceptance criterion could not be checked.
    Unchecked {
        /// Which.
        criterion: String,
    },
    /// Every call that could have done the work was refused, and no file changed.
    WorkRefused,
}

impl Mismatch {
    /// Whether the work counts as unverified because of it. A file that nobody mentioned is worth a look, and no lie.
    #[must_use]
    pub fn is_doubt(&self) -> bool {
        !matches!(self, Self::Unmentioned { .. })
    }
}

impl FileChanges {
    /// Every path that this attempt changed, however. What is shared is not among them.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.created
            .iter()
            .chain(&self.changed)
            .chain(&self.deleted)
            .map(String::as_str)
    }

    /// Every path that changed, whether this attempt did it or one beside it.
    pub fn paths_with_shared(&self) -> impl Iterator<Item = &str> {
        self.paths().chain(self.shared.iter().map(String::as_str))
    }

    /// Whether anybody looked.
    #[must_use]
    pub fn is_known(&self) -> bool {
        !matches!(self.source, FileSource::Unknown { .. })
    }

    /// Leaves as many as a person may look at, and counts the rest.
    #[must_use]
    pub fn within(mut self, limit: usize) -> Self {
        for list in [
            &mut self.created,
            &mut self.changed,
            &mut self.deleted,
            &mut self.shared,
        ] {
            let over = list.len().saturating_sub(limit);
            list.truncate(limit);
            self.left_out = self
                .left_out
                .saturating_add(u32::try_from(over).unwrap_or(u32::MAX));
        }
        self
    }
}
