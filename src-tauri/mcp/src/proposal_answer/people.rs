//! What people said about a proposal. It is data for the submitter, like everything that is read.

use baton_api::wire::ProposalView;
use baton_model::planning::{Comment, CommentPlace};
use baton_model::review::RejectionReason;
use serde::Serialize;

use super::difference::name;
use crate::clip;

/// The longest comment in a list, in bytes. `proposal_get` shows one in full.
const COMMENT_BYTES: usize = 600;
/// The longest answer to a comment in a list, in bytes.
const ANSWER_BYTES: usize = 120;
/// The longest words of a rejection, in bytes.
const REJECTION_BYTES: usize = 400;
/// The most rejections, latest last.
const MAX_REJECTIONS: usize = 3;

#[derive(Serialize)]
pub(super) struct RejectionRow {
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<RejectionReason>,
    text: String,
}

#[derive(Serialize)]
pub(super) struct CommentRow {
    id: u32,
    /// `plan`, `node ID`, `field KEY of ID`, or `edge ID -> ID`.
    place: String,
    text: String,
    round: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<String>,
}

impl RejectionRow {
    pub(super) fn line(&self) -> String {
        let reason = self.reason.map(RejectionReason::as_str);
        format!(
            "rejected ({}): {}",
            reason.unwrap_or("no reason"),
            self.text
        )
    }
}

impl CommentRow {
    pub(super) fn line(&self) -> String {
        let answer = self.answer.as_deref();
        let answer = answer.map_or_else(|| "open".to_owned(), |text| format!("answered: {text}"));
        let (id, place, text) = (self.id, &self.place, &self.text);
        format!("comment {id} on {place}: {text} ({answer})")
    }
}

/// The latest rejections.
pub(super) fn rejections(view: &ProposalView) -> Vec<RejectionRow> {
    let latest = view.feedback.len().saturating_sub(MAX_REJECTIONS);
    let rows = view.feedback.iter().skip(latest).map(|one| RejectionRow {
        reason: one.reason,
        text: clip::line(&one.text, REJECTION_BYTES),
    });
    rows.collect()
}

/// Comments that have no answer or are about a round from `since` on, earliest first.
pub(super) fn comments(view: &ProposalView, since: u32) -> impl Iterator<Item = CommentRow> {
    let wanted = move |one: &&Comment| one.answer.is_none() || one.round >= since;
    view.comments.iter().filter(wanted).map(|one| CommentRow {
        id: one.id,
        place: place(view, &one.place),
        text: clip::line(&one.text, COMMENT_BYTES),
        round: one.round,
        answer: one
            .answer
            .as_ref()
            .map(|answer| clip::line(&answer.text, ANSWER_BYTES)),
    })
}

fn place(view: &ProposalView, place: &CommentPlace) -> String {
    let plans = [view.draft.as_ref(), view.base.as_ref()];
    let name = |node| {
        let known = plans.into_iter().flatten();
        let mut known = known.filter(|plan| plan.node(node).is_some());
        known
            .next()
            .map_or_else(|| node.to_string(), |plan| name(plan, node))
    };
    match place {
        CommentPlace::Plan => "plan".to_owned(),
        CommentPlace::Node { node } => format!("node {}", name(*node)),
        CommentPlace::Field { node, field } => {
            format!("field {} of {}", clip::line(field, 40), name(*node))
        }
        CommentPlace::Edge { edge } => {
            format!("edge {} -> {}", name(edge.parent), name(edge.child))
        }
    }
}
