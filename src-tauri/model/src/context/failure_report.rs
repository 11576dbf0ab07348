//! What a node receives about a parent that did not succeed.

use std::collections::BTreeMap;

use super::attempt_report::AttemptReport;
use crate::outcome::Failure;
use crate::run::{NodeState, SkipReason};

/// A node that failed or was interrupted, with all its attempts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailureReport {
    reason: Reason,
    attempts: Vec<AttemptReport>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Reason {
    Failed(Failure),
    Interrupted(String),
}

impl FailureReport {
    /// The report on a node in `state` with its ended `attempts`, oldest first. `None` unless the
    /// node failed or was interrupted. A failure that the plan skips also counts.
    #[must_use]
    pub fn new(state: &NodeState, attempts: Vec<AttemptReport>) -> Option<Self> {
        let reason = match state {
            NodeState::Failed { failure, .. }
            | NodeState::Skipped {
                reason: SkipReason::AfterFailure { failure },
            } => Reason::Failed(failure.clone()),
            NodeState::Interrupted { detail } => Reason::Interrupted(detail.clone()),
            _ => return None,
        };
        Some(Self { reason, attempts })
    }

    /// Whether a report exists for a node in `state`.
    #[must_use]
    pub fn applies_to(state: &NodeState) -> bool {
        Self::new(state, Vec::new()).is_some()
    }

    /// Why the node did not succeed, as a fragment: "ended with exit code 1".
    #[must_use]
    pub fn message(&self) -> String {
        match &self.reason {
            Reason::Failed(failure) => failure.to_string(),
            Reason::Interrupted(detail) => format!("was interrupted: {detail}"),
        }
    }

    /// The exit code of its last attempt, if its process exited.
    #[must_use]
    pub fn exit_code(&self) -> Option<i32> {
        let known = self
            .attempts
            .last()
            .and_then(AttemptReport::process)
            .and_then(|ending| ending.exit_code);
        known.or(match &self.reason {
            Reason::Failed(Failure::ExitCode { code }) => Some(*code),
            _ => None,
        })
    }

    /// The end of its last attempt's output or messages.
    #[must_use]
    pub fn output(&self) -> &str {
        self.attempts
            .last()
            .and_then(AttemptReport::process)
            .map_or("", |ending| &ending.output)
    }

    /// The named outputs that its last attempt wrote before it ended.
    #[must_use]
    pub fn outputs(&self) -> BTreeMap<String, String> {
        self.attempts
            .last()
            .and_then(AttemptReport::process)
            .map(|ending| ending.outputs.clone())
            .unwrap_or_default()
    }

    /// The names of its last attempt's outputs that were not read.
    #[must_use]
    pub fn outputs_left_out(&self) -> &[String] {
        self.attempts
            .last()
            .and_then(AttemptReport::process)
            .map_or(&[], |ending| &ending.outputs_left_out)
    }

    /// The report in Markdown, without a heading.
    #[must_use]
    pub fn body(&self) -> String {
        let how = match &self.reason {
            Reason::Failed(_) => "This step failed",
            Reason::Interrupted(_) => "This step was interrupted",
        };
        let attempts = match self.attempts.len() {
            0 => " before its first attempt began".to_owned(),
            1 => " in its only attempt".to_owned(),
            count => format!(" after {count} attempts"),
        };
        let mut body = format!("{how}{attempts}. Reason: {}\n\n", self.message());
        body.extend(self.attempts.iter().map(AttemptReport::line));
        if let Some(last) = self.attempts.last() {
            body.push_str(&last.details());
        }
        body
    }
}
