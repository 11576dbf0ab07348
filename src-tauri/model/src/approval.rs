//! What an approval covers: the content of a version, and the files that its acceptance criteria
//! run.
//!
//! Nothing is read here. The engine finds those files and computes their digests.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A SHA-256 digest. Its text form is hexadecimal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(try_from = "String", into = "String")]
#[cfg_attr(feature = "bindings", ts(type = "string"))]
pub struct Digest(pub [u8; 32]);

/// The text is not a SHA-256 digest in hexadecimal. Holds the rejected text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a SHA-256 digest in hexadecimal")]
pub struct NoDigest(String);

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for Digest {
    type Err = NoDigest;

    fn from_str(text: &str) -> Result<Self, NoDigest> {
        let no_digest = || NoDigest(text.to_owned());
        let mut bytes = [0; 32];
        if text.len() != 64 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(no_digest());
        }
        for (byte, at) in bytes.iter_mut().zip((0..).step_by(2)) {
            *byte = u8::from_str_radix(&text[at..at + 2], 16).map_err(|_| no_digest())?;
        }
        Ok(Self(bytes))
    }
}

impl TryFrom<String> for Digest {
    type Error = NoDigest;

    fn try_from(text: String) -> Result<Self, NoDigest> {
        text.parse()
    }
}

impl From<Digest> for String {
    fn from(digest: Digest) -> Self {
        digest.to_string()
    }
}

/// A file that criteria run, with the digest of its content.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct FileDigest {
    /// Relative to the plan's directory, with `/`.
    pub path: String,
    #[expect(missing_docs, reason = "the type says it")]
    pub digest: Digest,
}

/// A file that criteria run and that differs from its approved state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct FileChange {
    /// Relative to the plan's directory, with `/`.
    pub path: String,
    #[expect(missing_docs, reason = "the type says it")]
    pub kind: FileChangeKind,
}

/// How a file differs from its approved state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum FileChangeKind {
    /// The content differs from the approved one.
    Changed,
    /// The file is new, or criteria did not run it before.
    New,
    /// The file was deleted, or criteria no longer run it.
    Gone,
}

/// The differences between `present` and `approved`, by path. Each list must contain a path only
/// once.
#[must_use]
pub fn file_changes(approved: &[FileDigest], present: &[FileDigest]) -> Vec<FileChange> {
    let find = |list: &[FileDigest], path: &str| {
        list.iter()
            .find(|file| file.path == path)
            .map(|file| file.digest)
    };
    let changed_or_gone = approved
        .iter()
        .filter_map(|file| match find(present, &file.path) {
            None => Some((file, FileChangeKind::Gone)),
            Some(digest) if digest != file.digest => Some((file, FileChangeKind::Changed)),
            Some(_) => None,
        });
    let new = present
        .iter()
        .filter(|file| find(approved, &file.path).is_none());
    let all = changed_or_gone.chain(new.map(|file| (file, FileChangeKind::New)));
    let mut changes: Vec<_> = all
        .map(|(file, kind)| FileChange {
            path: file.path.clone(),
            kind,
        })
        .collect();
    changes.sort_by(|one, other| one.path.cmp(&other.path));
    changes
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::node::{
        AgentTask, Criterion, OnFailedCriterion, OnFailure, OnUnverified, Position, Review,
    };
    use crate::plan::Risk;
    use crate::{Node, NodeId, NodeKind, Plan, PlanId, Slug};

    fn file(path: &str, content: u8) -> FileDigest {
        FileDigest {
            path: path.to_owned(),
            digest: Digest([content; 32]),
        }
    }

    #[test]
    fn digests_round_trip_through_text() {
        let digest = Digest(std::array::from_fn(|at| {
            u8::try_from(at * 8).expect("32 times 8 is 256")
        }));
        assert_eq!(digest.to_string().parse(), Ok(digest));
        assert!(digest.to_string().starts_with("0008101820"));
        for text in [
            "",
            "00",
            &"g0".repeat(32),
            &"é".repeat(32),
            &"+1".repeat(32),
        ] {
            assert!(text.parse::<Digest>().is_err(), "{text}");
        }
    }

    #[test]
    fn file_changes_lists_every_difference() {
        use FileChangeKind::{Changed, Gone, New};
        let approved = [file("check.sh", 1), file("gone.sh", 2), file("same.sh", 3)];
        let present = [file("same.sh", 3), file("a-new.sh", 4), file("check.sh", 5)];
        let found: Vec<_> = file_changes(&approved, &present)
            .into_iter()
            .map(|change| (change.path, change.kind))
            .collect();
        let expected = [("a-new.sh", New), ("check.sh", Changed), ("gone.sh", Gone)];
        assert_eq!(found, expected.map(|(path, kind)| (path.to_owned(), kind)));
        assert_eq!(file_changes(&approved, &approved), []);
    }

    fn plan() -> Plan {
        let mut plan = Plan::new(PlanId(Uuid::from_u128(1)), "A plan");
        plan.cwd = Some("/project".to_owned());
        plan.settings.review = Some(Review::default());
        let task = AgentTask {
            prompt: "Work".to_owned(),
            ..AgentTask::default()
        };
        let mut node = Node::new(
            NodeId(Uuid::from_u128(2)),
            Slug::from_title("work"),
            "Work",
            NodeKind::Agent(task),
        );
        node.acceptance_criteria =
            vec![Criterion::run("sh check.sh 10"), "It is documented.".into()];
        plan.nodes.push(node);
        plan
    }

    /// If this text changes, every approved plan needs a new approval. So a new field must not be
    /// written unless it is set.
    #[test]
    fn approved_content_is_stable_across_versions() {
        insta::assert_snapshot!(plan().approved_content().expect("a plan is JSON"));
    }

    /// Any change of criteria is a new version that needs approval.
    #[test]
    fn changes_to_approved_content_revoke_the_approval() {
        type Change = (&'static str, fn(&mut Plan));
        let changes: &[Change] = &[
            ("a criterion is removed", |plan| {
                drop(plan.nodes[0].acceptance_criteria.pop())
            }),
            ("all are removed", |plan| {
                plan.nodes[0].acceptance_criteria.clear()
            }),
            ("one is added", |plan| {
                plan.nodes[0]
                    .acceptance_criteria
                    .push(Criterion::run("true"))
            }),
            ("they are reordered", |plan| {
                plan.nodes[0].acceptance_criteria.reverse()
            }),
            ("a command is weakened", |plan| {
                plan.nodes[0].acceptance_criteria[0] = Criterion::run("sh check.sh 10 || true")
            }),
            ("a threshold is lowered", |plan| {
                plan.nodes[0].acceptance_criteria[0] = Criterion::run("sh check.sh 1")
            }),
            ("a threshold is raised", |plan| {
                plan.nodes[0].acceptance_criteria[0] = Criterion::run("sh check.sh 11")
            }),
            ("a command becomes a sentence", |plan| {
                plan.nodes[0].acceptance_criteria[0] = "sh check.sh 10".into()
            }),
            ("a sentence becomes a question", |plan| {
                plan.nodes[0].acceptance_criteria[1] = Criterion::Ask {
                    ask: "It is documented.".to_owned(),
                };
            }),
            ("a sentence is reworded", |plan| {
                plan.nodes[0].acceptance_criteria[1] = "It is mentioned.".into()
            }),
            ("it is not checked after a takeover", |plan| {
                let run = "sh check.sh 10".to_owned();
                plan.nodes[0].acceptance_criteria[0] = Criterion::Run {
                    run,
                    verify_on_takeover: false,
                };
            }),
            ("a failed command is no failure", |plan| {
                plan.settings.on_failed_criterion = OnFailedCriterion::Continue
            }),
            ("unverified work is a failure", |plan| {
                plan.settings.on_unverified = OnUnverified::Fail
            }),
            ("no reviewer", |plan| plan.settings.review = None),
            ("another agent reviews", |plan| {
                plan.settings.review = Some(Review {
                    agent: Some("other".to_owned()),
                    model: None,
                });
            }),
            ("a failure is skipped over", |plan| {
                plan.nodes[0].on_failure = OnFailure::Skip
            }),
            ("the node is disabled", |plan| plan.nodes[0].disabled = true),
            ("the node is removed", |plan| plan.nodes.clear()),
            ("the time limit of its checks moves", |plan| {
                plan.nodes[0].timeout_ms = Some(1)
            }),
            ("its nodes get other facts", |plan| {
                plan.context.notes = "Pay through account XYZ.".to_owned()
            }),
            ("a risk is named", |plan| {
                plan.risks.push(Risk {
                    text: "The e-mail might bounce.".to_owned(),
                    mitigation: None,
                });
            }),
            ("agents get a list of tools", |plan| {
                plan.settings.tools_required = vec!["Read".to_owned()]
            }),
            ("it runs somewhere else", |plan| {
                plan.cwd = Some("/other".to_owned())
            }),
        ];
        let before = plan();
        for (name, change) in changes {
            let mut after = before.clone();
            change(&mut after);
            assert!(!before.differs_only_in_layout(&after), "{name}");
            assert_ne!(
                before.approved_content().ok(),
                after.approved_content().ok(),
                "{name}"
            );
        }
        let mut moved = before.clone();
        moved.nodes[0].position = Some(Position { x: 1.0, y: 2.0 });
        assert_eq!(
            before.approved_content().ok(),
            moved.approved_content().ok(),
            "the layout is not approved"
        );
    }
}
