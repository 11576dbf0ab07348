//! Proposals that programs submit complete, their revisions, and comments on proposals.

use std::collections::BTreeMap;

use baton_api::wire::{Nothing, ProposalView, SubmittedEdit};
use baton_model::planning::CommentPlace;
use baton_model::{PlanId, ProposalId};
use serde_json::{Map, Value, json};

use crate::answer::Reply;
use crate::request::Call;
use crate::route::RequestBody;
use crate::schema::inputs;
use crate::{ErrorCode, Method, RestError, Route};

inputs! {
    /// A plan, or a change to one, that waits for a person: exactly one of `text`, `nodes` and
    /// `changes`.
    pub(crate) struct SubmitBody {
        /// The plan to change; none for a new plan.
        pub(crate) plan: Option<PlanId>,
        /// The version that was read of it. Required with `plan`.
        pub(crate) base_version: Option<u32>,
        /// A whole plan file: YAML, JSON or a Mermaid flowchart.
        pub(crate) text: Option<String>,
        /// All nodes, with the keys of a plan file.
        pub(crate) nodes: Option<Vec<Map<String, Value>>>,
        /// Changes to the plan, applied in order.
        pub(crate) changes: Option<Vec<SubmittedEdit>>,
        /// One line; replaces that of the content.
        pub(crate) title: Option<String>,
        /// The goal; replaces that of the content.
        pub(crate) goal: Option<String>,
        /// The directory in which nodes work, an absolute path.
        pub(crate) cwd: Option<String>,
        /// Why it is proposed, in Markdown.
        pub(crate) reason: String,
        /// Your own name of this request. A repeated request with the same one answers the proposal
        /// of the first.
        pub(crate) request_id: Option<String>,
    }
    /// Another draft of a submitted proposal: exactly one of `text`, `nodes` and `changes`.
    pub(crate) struct ReviseBody {
        /// The proposal's `summary.rounds` that you read. Only the newest draft can be revised.
        pub(crate) round: Option<u32>,
        /// The plan to change; none for a new plan.
        pub(crate) plan: Option<PlanId>,
        /// The version that was read of it. Required with `plan`.
        pub(crate) base_version: Option<u32>,
        /// A whole plan file: YAML, JSON or a Mermaid flowchart.
        pub(crate) text: Option<String>,
        /// All nodes, with the keys of a plan file.
        pub(crate) nodes: Option<Vec<Map<String, Value>>>,
        /// Changes to the plan, applied in order.
        pub(crate) changes: Option<Vec<SubmittedEdit>>,
        /// One line; replaces that of the content.
        pub(crate) title: Option<String>,
        /// The goal; replaces that of the content.
        pub(crate) goal: Option<String>,
        /// The directory in which nodes work, an absolute path.
        pub(crate) cwd: Option<String>,
        /// What is different, in Markdown.
        pub(crate) reason: String,
        /// Answers to comments, by their numbers.
        pub(crate) answers: BTreeMap<u32, String>,
    }
    /// A comment on the draft of an open proposal.
    pub(crate) struct CommentBody {
        /// The proposal's `summary.rounds` that you read; by default, the newest draft is meant.
        pub(crate) round: Option<u32>,
        /// What it is about; by default, the whole plan.
        pub(crate) place: Option<CommentPlace>,
        /// Plain text or Markdown.
        pub(crate) text: String,
    }
}
impl RequestBody for SubmitBody {}
impl RequestBody for ReviseBody {}
impl RequestBody for CommentBody {}

pub(super) fn routes() -> Vec<Route> {
    let errors = [
        ErrorCode::NotFound,
        ErrorCode::Conflict,
        ErrorCode::Refused,
        ErrorCode::Invalid,
    ];
    let post = Method::Post;
    vec![
        Route::new(
            post,
            "/api/proposals",
            "submitProposal",
            "submits a plan, or a change to one, that waits for a person",
            submit,
        )
        .write()
        .success(201)
        .errors(&errors)
        .example(r#"{"title": "Tidy up", "nodes": [{"id": "list", "kind": "command", "command": "git ls-files"}], "reason": "The repository has files that nothing uses.", "requestId": "tidy-1"}"#),
        Route::new(
            post,
            "/api/proposals/{proposal}/revise",
            "reviseProposal",
            "sends another draft of a submitted proposal and answers comments",
            revise,
        )
        .write()
        .errors(&errors)
        .example(r#"{"round": 1, "nodes": [{"id": "list", "kind": "command", "command": "git ls-files"}], "answers": {"1": "It only lists now."}}"#),
        Route::new(
            post,
            "/api/proposals/{proposal}/comments",
            "commentOnProposal",
            "comments on a proposal, or on a node, edge or field of it",
            comment,
        )
        .write()
        .errors(&errors)
        .example(r#"{"round": 1, "place": {"on": "plan"}, "text": "What about the tests?"}"#),
    ]
}

fn submit(call: &Call<Nothing, SubmitBody>) -> Result<Reply<ProposalView>, RestError> {
    let body = &call.body;
    let input = json!({
        "content": {
            "plan": body.plan, "baseVersion": body.base_version, "text": body.text,
            "nodes": body.nodes, "changes": body.changes, "title": body.title,
            "goal": body.goal, "cwd": body.cwd,
        },
        "reason": body.reason, "requestId": body.request_id,
    });
    let view: ProposalView = call.operations().call("proposal_submit", &input)?;
    let location = format!("/api/proposals/{}", view.summary.id);
    Ok(Reply::of(view).created(location))
}

fn revise(call: &Call<Nothing, ReviseBody>) -> Result<Reply<ProposalView>, RestError> {
    let proposal: ProposalId = call.id("proposal")?;
    let body = &call.body;
    let input = json!({
        "proposal": proposal, "round": seen_round(body.round)?,
        "content": {
            "plan": body.plan, "baseVersion": body.base_version, "text": body.text,
            "nodes": body.nodes, "changes": body.changes, "title": body.title,
            "goal": body.goal, "cwd": body.cwd,
        },
        "reason": body.reason, "answers": body.answers,
    });
    Ok(Reply::of(
        call.operations().call("proposal_revise", &input)?,
    ))
}

/// The round of the draft that the caller saw, without which nobody decides on it or changes it.
pub(super) fn seen_round(round: Option<u32>) -> Result<u32, RestError> {
    round.ok_or_else(|| {
        let mut error = RestError::new(ErrorCode::InvalidRequest, "'round' is missing");
        error.body.faults = vec!["missing field `round`".to_owned()];
        error.with_fix("send `summary.rounds` of the proposal that you read")
    })
}

fn comment(call: &Call<Nothing, CommentBody>) -> Result<Reply<ProposalView>, RestError> {
    let proposal: ProposalId = call.id("proposal")?;
    let CommentBody { round, place, text } = &call.body;
    let place = place.clone().unwrap_or(CommentPlace::Plan);
    let input = json!({ "proposal": proposal, "round": round, "place": place, "text": text });
    Ok(Reply::of(
        call.operations().call("proposal_comment", &input)?,
    ))
}
