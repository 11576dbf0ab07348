//! What the tools answer about a proposal: its state, what it changes, and what people said.

mod difference;
mod people;
mod staleness;

use std::fmt::Write as _;

use baton_api::wire::{CheckVerdict, ProposalView};
use baton_model::planning::ProposalState;
use baton_model::{PlanId, ProposalId};
use schemars::JsonSchema;
use serde::Serialize;

use crate::answer::{Answer, INBOX, plan_url};
use crate::clip;
use crate::page::Page;
use crate::proposal_stage::ProposalStage;
use crate::tool_schema::{any_list, any_object};

pub(crate) use difference::Difference;
use people::{CommentRow, RejectionRow};
use staleness::Staleness;

/// The longest title, in bytes.
const TITLE_BYTES: usize = 120;
/// The longest sentence, in bytes.
const SENTENCE_BYTES: usize = 160;
/// The most sentences of one list.
const MAX_SENTENCES: usize = 4;
/// The largest answer, in bytes, in which comments are shortened to fit.
const ANSWER_BYTES: usize = 7_500;

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ProposalAnswer {
    #[schemars(with = "String")]
    pub(crate) proposal: ProposalId,
    #[schemars(with = "String")]
    state: ProposalStage,
    /// Of the newest draft. Only this one can be revised or accepted.
    round: u32,
    title: String,
    /// The plan that it changes or became.
    #[schemars(with = "Option<String>")]
    #[serde(skip_serializing_if = "Option::is_none")]
    plan: Option<PlanId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<u32>,
    /// What you do now.
    next: &'static str,
    /// Where a person decides.
    url: String,
    /// Unix time in ms.
    expires_at: i64,
    /// IDs of nodes that differ from the plan.
    #[schemars(schema_with = "any_object")]
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<Difference>,
    /// Nodes of the draft that a person left out.
    #[schemars(schema_with = "any_object")]
    #[serde(skip_serializing_if = "Option::is_none")]
    not_taken: Option<Difference>,
    /// On finished work.
    #[schemars(schema_with = "any_list")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    impact: Vec<String>,
    /// What changed since the draft was made. Only a person can accept it.
    #[schemars(schema_with = "any_object")]
    #[serde(skip_serializing_if = "Option::is_none")]
    stale: Option<Staleness>,
    /// What would keep it from running here.
    #[schemars(schema_with = "any_list")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    preflight: Vec<String>,
    #[schemars(schema_with = "any_list")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    rejections: Vec<RejectionRow>,
    /// Comments that are open or about this round.
    #[schemars(schema_with = "any_list")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    comments: Vec<CommentRow>,
    /// Number of comments.
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
    /// The draft as a plan file, or the text of the comment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) next_offset: Option<usize>,
}

impl ProposalAnswer {
    /// The state of a proposal, without what people said.
    pub(crate) fn new(view: &ProposalView) -> Self {
        let stage = ProposalStage::of(view);
        let open = view.comments.iter().filter(|one| one.answer.is_none());
        let target = view.summary.target.as_ref();
        let (plan, version) = match &view.summary.state {
            ProposalState::Accepted { plan, version, .. } => (Some(*plan), Some(*version)),
            _ => (
                target.map(|target| target.plan),
                target.map(|target| target.version),
            ),
        };
        let checks = view.checks.iter();
        let problems = checks.filter(|check| check.verdict != CheckVerdict::Passed);
        Self {
            proposal: view.summary.id,
            state: stage,
            round: view.summary.rounds,
            title: clip::line(&view.summary.title, TITLE_BYTES),
            plan,
            version,
            next: stage.next_step(open.count()),
            url: match (stage, plan) {
                (ProposalStage::Accepted, Some(plan)) => plan_url(plan),
                _ => INBOX.to_owned(),
            },
            expires_at: view.summary.expires_at.0,
            diff: difference::of_view(view),
            not_taken: None,
            impact: sentences(view.impact_sentences.iter().map(String::as_str)),
            stale: staleness::of_view(view),
            preflight: sentences(problems.map(|check| check.sentence.as_str())),
            rejections: people::rejections(view),
            comments: Vec::new(),
            total: None,
            next_cursor: None,
            text: None,
            next_offset: None,
        }
    }

    /// Adds comments that have no answer or are about a round from `since` on: as many of a page
    /// as fit.
    pub(crate) fn add_comments(&mut self, view: &ProposalView, since: u32, page: Page) {
        let rows: Vec<_> = people::comments(view, since).collect();
        let total = rows.len();
        self.total = Some(total);
        for row in rows.into_iter().skip(page.start()).take(page.limit()) {
            self.comments.push(row);
            let shown = self.comments.len();
            if shown > 1 && self.bytes() > ANSWER_BYTES {
                self.comments.pop();
                self.next_cursor = Some(Page::cursor(page.start() + shown - 1));
                return;
            }
        }
        self.next_cursor = page.next(total);
    }

    /// Says what of the draft a person didn't take.
    pub(crate) fn set_not_taken(&mut self, difference: Difference) {
        self.not_taken = Some(difference);
    }

    fn bytes(&self) -> usize {
        let structured = serde_json::to_string(self).map_or(0, |text| text.len());
        structured.max(self.text().len())
    }
}

fn sentences<'a>(all: impl Iterator<Item = &'a str>) -> Vec<String> {
    let clipped = all.map(|sentence| clip::line(sentence, SENTENCE_BYTES));
    clipped.take(MAX_SENTENCES).collect()
}

impl Answer for ProposalAnswer {
    fn text(&self) -> String {
        let mut text = format!(
            "proposal {}: {} (round {}): {}\n",
            self.proposal,
            self.state.as_str(),
            self.round,
            self.title
        );
        if let (Some(plan), Some(version)) = (self.plan, self.version) {
            let _ = writeln!(text, "plan: {plan} version {version}");
        }
        for (name, difference) in [("diff", &self.diff), ("not taken", &self.not_taken)] {
            if let Some(difference) = difference {
                let _ = writeln!(text, "{name}: {}", difference.line());
            }
        }
        if let Some(stale) = &self.stale {
            let _ = writeln!(text, "stale: {}", stale.line());
        }
        for (name, rows) in [("impact", &self.impact), ("preflight", &self.preflight)] {
            for row in rows {
                let _ = writeln!(text, "{name}: {row}");
            }
        }
        for row in &self.rejections {
            let _ = writeln!(text, "{}", row.line());
        }
        for row in &self.comments {
            let _ = writeln!(text, "{}", row.line());
        }
        if let Some(cursor) = &self.next_cursor {
            let _ = writeln!(text, "more comments with cursor {cursor}");
        }
        if let Some(part) = &self.text {
            let _ = writeln!(text, "{part}");
        }
        if let Some(offset) = self.next_offset {
            let _ = writeln!(text, "more with offset {offset}");
        }
        let _ = write!(text, "{}\n{}", self.next, self.url);
        text
    }
}
