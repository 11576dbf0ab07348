//! Proposals that agents and programs submit complete, and comments on proposals.

use std::collections::BTreeMap;

use baton_model::planning::CommentPlace;
use baton_model::{PlanId, ProposalId};
use serde_json::{Map, Value};

use super::wire;

wire! {
    /// Submits a plan, or a change to one, as a proposal that waits for a person.
    pub struct ProposalSubmit {
        /// What is proposed.
        pub content: SubmittedContent,
        /// Why it is proposed, in Markdown.
        #[serde(default)]
        pub reason: String,
        /// The submitter's own name of this request. A repeated request with the same one returns
        /// the proposal of the first.
        #[serde(default)]
        pub request_id: Option<String>,
    }
    /// What is proposed: exactly one of `text`, `nodes` and `changes`.
    pub struct SubmittedContent {
        /// The plan to change; `None` for a new plan.
        #[serde(default)]
        pub plan: Option<PlanId>,
        /// The version that was read of it. Required with `plan`.
        #[serde(default)]
        pub base_version: Option<u32>,
        /// A whole plan file: YAML, JSON or a Mermaid flowchart.
        #[serde(default)]
        pub text: Option<String>,
        /// All nodes, with the keys of a plan file.
        #[serde(default)]
        #[cfg_attr(feature = "bindings", ts(type = "Record<string, unknown>[] | null"))]
        pub nodes: Option<Vec<Map<String, Value>>>,
        /// Changes to the plan, applied in order.
        #[serde(default)]
        pub changes: Option<Vec<SubmittedEdit>>,
        /// One line; replaces that of the content.
        #[serde(default)]
        pub title: Option<String>,
        /// The goal; replaces that of the content.
        #[serde(default)]
        pub goal: Option<String>,
        /// The directory in which nodes run: an absolute path, or one that starts with `~`.
        #[serde(default)]
        pub cwd: Option<String>,
    }
    /// Sends another draft of a submitted proposal.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct ProposalRevise {
        pub proposal: ProposalId,
        /// The round that was read. Only the newest one can be revised.
        pub round: u32,
        pub content: SubmittedContent,
        /// What is different, in Markdown.
        #[serde(default)]
        pub reason: String,
        /// Answers to comments, by their numbers.
        #[serde(default)]
        #[cfg_attr(feature = "bindings", ts(type = "Record<string, string>"))]
        pub answers: BTreeMap<u32, String>,
    }
    /// Comments on the draft of an open proposal.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct ProposalComment {
        pub proposal: ProposalId,
        /// The round of the draft that was seen. Fails with `conflict` if there is a newer one.
        #[serde(default)]
        #[cfg_attr(feature = "bindings", ts(optional = nullable))]
        pub round: Option<u32>,
        pub place: CommentPlace,
        /// Plain text or Markdown.
        pub text: String,
    }
}

/// One change of a proposal. Nodes are named by their IDs in the plan file, or their identifiers.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(tag = "op", rename_all = "snake_case", deny_unknown_fields)]
#[expect(missing_docs, reason = "the names say it")]
pub enum SubmittedEdit {
    Add {
        /// The keys of a node in a plan file.
        #[cfg_attr(feature = "bindings", ts(type = "Record<string, unknown>"))]
        node: Map<String, Value>,
        #[serde(default)]
        why: Option<String>,
    },
    Edit {
        node: String,
        /// The keys of a node in a plan file that change; `null` for the default.
        #[cfg_attr(feature = "bindings", ts(type = "Record<string, unknown>"))]
        changes: Map<String, Value>,
        #[serde(default)]
        why: Option<String>,
    },
    Remove {
        node: String,
        /// Whether its children then depend on its parents.
        #[serde(default)]
        heal: bool,
        #[serde(default)]
        why: Option<String>,
    },
    Connect {
        from: String,
        to: String,
        /// Whether the edge only passes the handoff on.
        #[serde(default)]
        soft: bool,
        #[serde(default)]
        why: Option<String>,
    },
    Disconnect {
        from: String,
        to: String,
        #[serde(default)]
        why: Option<String>,
    },
    /// Changes keys of the plan itself.
    Set {
        #[cfg_attr(feature = "bindings", ts(type = "Record<string, unknown>"))]
        changes: Map<String, Value>,
        #[serde(default)]
        why: Option<String>,
    },
}
