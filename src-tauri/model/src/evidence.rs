//! What is known about an attempt independently of what its agent says, and how the two differ.
//!
//! The engine gathers evidence; this module evaluates it. Evidence is stored beside a handoff and
//! never mixed into its text. It is gathered for failed attempts too. If an agent claims a file
//! that was not touched, the node is unverified until a person accepts it.

mod attempt_directory;
mod claim_check;
mod collision;
mod git_change;
#[cfg(test)]
mod spellings;
mod unverified_reason;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use attempt_directory::AttemptDirectory;
pub use claim_check::{Claim, PathProbe, find_mismatches};
pub use collision::{Collision, CollisionKind};
pub use git_change::{GIT_CHANGE_LIMIT, GitChange, GitFile, GitFileRole};
pub use unverified_reason::UnverifiedReason;

/// The maximum number of files listed per kind; further ones are counted.
pub const FILE_LIMIT: usize = 500;
/// The maximum number of commands listed; the latest ones are kept.
pub const COMMAND_LIMIT: usize = 200;

/// What is known about one attempt.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct Evidence {
    /// The files that actually changed.
    pub files: FileChanges,
    /// The commands that were run, in order, as far as the agent reports them.
    pub commands: Vec<CommandRun>,
    /// How many earlier commands are not listed.
    pub commands_left_out: u32,
    /// How many tool calls were refused, by a person or a rule.
    pub refused: u32,
    /// The results of the acceptance criteria.
    pub checks: Vec<CriterionCheck>,
    /// The differences between claims and evidence.
    pub mismatches: Vec<Mismatch>,
    /// Git settings and files that make git run programs, if they appeared or changed during the
    /// attempt.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "bindings", ts(optional, as = "Option<Vec<GitChange>>"))]
    pub git_changes: Vec<GitChange>,
    /// How many further git changes are not listed.
    #[serde(skip_serializing_if = "is_zero")]
    #[cfg_attr(feature = "bindings", ts(optional, as = "Option<u32>"))]
    pub git_changes_left_out: u32,
    /// Set for attempts that did not succeed, or whose success is in doubt.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional))]
    pub ending: Option<AttemptEnding>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde wants a reference")]
fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// How an unsuccessful attempt ended, according to its process and output.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct AttemptEnding {
    /// `None` if the process did not exit.
    pub exit_code: Option<i32>,
    /// The signal that ended the process, if any.
    pub signal: Option<i32>,
    /// The end of the output, or of the agent's messages, without control codes.
    pub output: String,
    /// The named outputs written so far.
    pub outputs: BTreeMap<String, String>,
    /// The names of outputs after the part of `BATON_OUTPUT` that is read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "bindings", ts(optional, as = "Option<Vec<String>>"))]
    pub outputs_left_out: Vec<String>,
    /// Nodes running at the same time that may explain the failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional))]
    pub collision: Option<Collision>,
}

/// The files that changed during the attempt, relative to its directory.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
#[expect(missing_docs, reason = "the names say it")]
pub struct FileChanges {
    pub source: FileSource,
    pub created: Vec<String>,
    pub changed: Vec<String>,
    pub deleted: Vec<String>,
    /// Files that changed while other nodes worked in the same directory. It is not known which
    /// node changed them.
    pub shared: Vec<String>,
    /// How many further changes are not listed.
    pub left_out: u32,
    /// The titles of the nodes that worked in the same directory at the same time.
    pub beside: Vec<String>,
    /// The commit that was checked out when the attempt began, or git's empty tree before the first
    /// commit. `None` outside of git.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "bindings", ts(optional))]
    pub base: Option<String>,
}

/// How changes of files were detected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(tag = "source", rename_all = "snake_case")]
pub enum FileSource {
    /// git compared the work tree and its commits.
    Git,
    /// Baton compared snapshots of the directory.
    Directory,
    /// They were not detected.
    Unknown {
        /// A sentence for people.
        reason: String,
    },
}

impl Default for FileSource {
    fn default() -> Self {
        Self::Unknown {
            reason: "changes were not checked".to_owned(),
        }
    }
}

/// A command that ran during an attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub struct CommandRun {
    /// On one line, truncated to 500 characters.
    pub command: String,
    pub end: CommandEnd,
}

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(tag = "end", rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum CommandEnd {
    /// With an exit code.
    Exited { code: i32 },
    /// The agent reports success without an exit code.
    Succeeded,
    /// The agent reports failure without an exit code.
    Failed,
    /// A person or a rule denied it, so it did not run.
    Denied,
    /// The agent did not report an end.
    Unknown,
}

/// The result of checking one acceptance criterion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub struct CriterionCheck {
    /// A command line or a sentence.
    pub criterion: String,
    pub by: Checker,
    pub verdict: Verdict,
    /// The reviewer's reason, or the end of the command's output.
    pub detail: String,
    /// Files that the command ran and that differed from their approved state.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "bindings", ts(optional, as = "Option<Vec<String>>"))]
    pub changed_since_approval: Vec<String>,
}

/// Who checks a criterion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(tag = "by", rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Checker {
    /// The criterion is a command, and its exit code decides.
    Command {
        /// `None` if the command did not exit by itself.
        code: Option<i32>,
    },
    /// An agent other than the one that did the work.
    Reviewer { agent: String },
    /// The criterion is a sentence and the plan has no review.
    Nobody,
}

/// The result of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Verdict {
    Met,
    NotMet,
    /// The check itself did not finish.
    Unknown,
    /// There is no reviewer for it.
    NotChecked,
}

/// A difference between what was claimed or required and what is known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Mismatch {
    /// The handoff names a file as changed that was not changed.
    ClaimedUntouched {
        /// As written in the handoff.
        path: String,
        /// Whether the file exists.
        exists: bool,
    },
    /// A file changed that the handoff does not mention.
    Unmentioned { path: String },
    /// An acceptance criterion is not met.
    NotMet { criterion: String },
    /// The agent called no tool and gave no answer.
    NothingDone,
    /// An acceptance criterion could not be checked.
    Unchecked { criterion: String },
    /// Every call that could have done the work was denied, and no file changed.
    WorkRefused,
}

impl Mismatch {
    /// Whether this makes the node unverified. An unmentioned file is worth showing, but is not a
    /// false claim.
    #[must_use]
    pub fn makes_unverified(&self) -> bool {
        !matches!(self, Self::Unmentioned { .. })
    }
}

impl FileChanges {
    /// Every path that this attempt changed, excluding shared ones.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.created
            .iter()
            .chain(&self.changed)
            .chain(&self.deleted)
            .map(String::as_str)
    }

    /// Every path that changed, whether by this attempt or by a node running at the same time.
    pub fn paths_with_shared(&self) -> impl Iterator<Item = &str> {
        self.paths().chain(self.shared.iter().map(String::as_str))
    }

    /// Whether changes were detected at all.
    #[must_use]
    pub fn is_known(&self) -> bool {
        !matches!(self.source, FileSource::Unknown { .. })
    }

    /// Keeps at most `limit` files per kind and counts the rest.
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
