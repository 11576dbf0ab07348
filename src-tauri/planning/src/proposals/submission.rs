//! Proposals that an agent or a program submits complete, their revisions, and comments on
//! proposals.

use std::collections::{BTreeMap, HashMap};

use baton_formats::layout;
use baton_formats::planner::remarks;
use baton_model::artifact::truncate;
use baton_model::planning::{
    Comment, CommentAnswer, CommentPlace, Draft, Proposal, ProposalEvent, ProposalState, Request,
    Subject, Submission,
};
use baton_model::{Plan, PlanId, ProposalId};
use baton_store::{Actor, PlanRecord, ProposalUpdate, ProposalsFilter};
use uuid::Uuid;

use super::event::store_event;
use super::freshness::basis;
use super::lifetime::lifetime_ms;
use super::{follower, list};
use crate::problems::refuse_unsavable;
use crate::{Context, PlanningError, RefusalReason};

/// How many proposals of one submitter may wait for a decision at once.
const OPEN_LIMIT: usize = 20;
/// The maximum length of a reason, a comment or an answer, in bytes.
const TEXT_LIMIT: usize = 20_000;
/// How many comments a proposal may have.
const COMMENT_LIMIT: usize = 1_000;

/// A plan, or a change to one, as its submitter sent it.
#[derive(Debug, Clone)]
pub struct Submitted {
    /// The plan that it changes, at the version that the submitter read; `None` for a new plan.
    pub target: Option<(PlanId, u32)>,
    /// The whole new content.
    pub content: Plan,
    /// What the submitter says about it, in Markdown.
    pub reasoning: String,
    /// What the reader of the content noticed.
    pub notes: Vec<String>,
}

/// Another draft of a submitted proposal.
#[derive(Debug, Clone)]
pub struct Revision {
    /// The draft.
    pub draft: Submitted,
    /// The round that the submitter read.
    pub round: u32,
    /// Answers to comments, by their numbers.
    pub answers: BTreeMap<u32, String>,
}

/// Stores a proposal that waits for a person. A request with a `request_id` that the caller used
/// before returns the earlier proposal.
pub fn submit(
    context: &Context,
    submitted: Submitted,
    reason: &str,
    request_id: Option<&str>,
) -> Result<Proposal, PlanningError> {
    let cwd = submitted.content.cwd.clone().unwrap_or_default();
    // Git may be slow, so others shouldn't wait for it.
    let basis = basis(context, &cwd);
    let _lock = context.interprocess_lock()?;
    let actor = context.actor();
    // First, so that a repeated request is answered whatever became of the first one.
    if let Some(request) = request_id
        && let Some(earlier) = context.store.proposals().submitted(request, &actor)?
    {
        return Ok(earlier.proposal);
    }
    let record = target_record(context, &submitted)?;
    let draft = drafted(context, &submitted, record.as_ref())?;
    refuse_flood(context, &actor)?;
    let now = context.now();
    let life = lifetime_ms(context, &cwd, !actor.is_person())?;
    let proposal = Proposal {
        id: ProposalId(Uuid::now_v7()),
        request: Request {
            subject: match submitted.target {
                Some((plan, version)) => Subject::SubmittedChange { plan, version },
                None => Subject::SubmittedPlan,
            },
            wish: submitted.content.description.clone(),
            cwd,
            agent: submitter_name(&actor),
            model: None,
            constraints: Vec::new(),
            existing_code: Vec::new(),
            memories: Vec::new(),
            automatic: false,
        },
        state: ProposalState::Ready,
        planning: None,
        submission: Some(Submission {
            by: actor.to_string(),
            reason: shortened(reason),
            round: 1,
        }),
        rounds: Vec::new(),
        rejections: 0,
        feedback: Vec::new(),
        draft: Some(draft),
        reviewed: None,
        comments: Vec::new(),
        created_at: now,
        updated_at: now,
        expires_at: now.plus_ms(life),
        promised: None,
    };
    let stored = context
        .store
        .proposals()
        .submit(&proposal, request_id, &basis, &actor)?;
    context.follow_proposals();
    Ok(stored.proposal)
}

/// Replaces the draft of a proposal that the caller submitted, and answers comments on it.
pub fn revise(
    context: &Context,
    proposal: ProposalId,
    revision: Revision,
) -> Result<Proposal, PlanningError> {
    let mut row = follower::load_current(context, proposal)?;
    refuse_others(context, &row.proposal)?;
    let record = target_record(context, &revision.draft)?;
    let draft = drafted(context, &revision.draft, record.as_ref())?;
    let (actor, now) = (context.actor(), context.now());
    let found = &mut row.proposal;
    refuse_other_plan(found, &revision.draft)?;
    let Some(submission) = &mut found.submission else {
        return Err(not_submitted());
    };
    if submission.round != revision.round {
        let message = format!(
            "the proposal is at round {}, not {}",
            submission.round, revision.round
        );
        return Err(PlanningError::new(RefusalReason::Conflict, message)
            .with_fix("read it again, then revise the newest round"));
    }
    submission.round += 1;
    let round = submission.round;
    for (number, text) in revision.answers {
        let comment = found
            .comments
            .iter_mut()
            .find(|comment| comment.id == number);
        let Some(comment) = comment else {
            let message = format!("the proposal has no comment {number}");
            return Err(PlanningError::new(RefusalReason::BadInput, message)
                .with_fix("read its comments again"));
        };
        comment.answer = Some(CommentAnswer {
            text: shortened(&text),
            author: actor.to_string(),
            at: now,
            round,
        });
    }
    if let Some((plan, version)) = revision.draft.target {
        found.request.subject = Subject::SubmittedChange { plan, version };
    }
    found
        .request
        .wish
        .clone_from(&revision.draft.content.description);
    if let Some(cwd) = &revision.draft.content.cwd {
        found.request.cwd.clone_from(cwd);
    }
    found.draft = Some(draft);
    let life = lifetime_ms(context, &found.request.cwd, !actor.is_person())?;
    found.expires_at = now.plus_ms(life);
    let basis = basis(context, &found.request.cwd);
    let update = ProposalUpdate {
        basis: Some(&basis),
        ..ProposalUpdate::default()
    };
    Ok(store_event(context, row, &ProposalEvent::Revised, update)?.proposal)
}

/// Adds a comment to an open proposal.
pub fn comment(
    context: &Context,
    proposal: ProposalId,
    round: Option<u32>,
    place: CommentPlace,
    text: &str,
) -> Result<Proposal, PlanningError> {
    let mut row = follower::load_current(context, proposal)?;
    refuse_other_round(&row.proposal, round)?;
    if text.trim().is_empty() {
        let error = PlanningError::new(RefusalReason::BadInput, "the comment is empty");
        return Err(error.with_fix("write what should be different"));
    }
    if !row.proposal.state.is_open() {
        let message = "the proposal is closed, so nobody would answer";
        return Err(PlanningError::new(RefusalReason::Refused, message)
            .with_fix("request another attempt first"));
    }
    let found = &mut row.proposal;
    require_place(found, &place)?;
    if found.comments.len() >= COMMENT_LIMIT {
        let message = format!("the proposal has {COMMENT_LIMIT} comments already");
        return Err(PlanningError::new(RefusalReason::Refused, message)
            .with_fix("reject it with what is wrong"));
    }
    let actor = context.actor();
    if actor.is_person() {
        found.reviewed.clone_from(&found.draft);
    }
    let id = found.comments.last().map_or(1, |last| last.id + 1);
    found.comments.push(Comment {
        id,
        place,
        text: shortened(text),
        author: actor.to_string(),
        at: context.now(),
        round: current_round(found),
        answer: None,
    });
    found.updated_at = context.now();
    let update = ProposalUpdate::default();
    let stored = context
        .store
        .proposals()
        .update(&row.proposal, row.revision, update, &actor)?;
    Ok(stored.proposal)
}

/// Fails if the proposal has another draft by now than the one in `round`, which the caller saw.
pub(super) fn refuse_other_round(
    proposal: &Proposal,
    round: Option<u32>,
) -> Result<(), PlanningError> {
    let current = current_round(proposal);
    if round.is_none_or(|round| round == current) {
        return Ok(());
    }
    let message = "the proposal has another draft by now";
    Err(PlanningError::new(RefusalReason::Conflict, message).with_fix("read it, then decide"))
}

/// Fails unless the caller is a person or submitted the proposal itself.
pub(super) fn refuse_others(context: &Context, proposal: &Proposal) -> Result<(), PlanningError> {
    let actor = context.actor();
    let by = proposal
        .submission
        .as_ref()
        .map(|submission| &submission.by);
    if actor.is_person() || actor == Actor::Baton || by.is_none_or(|by| *by == actor.to_string()) {
        return Ok(());
    }
    let message = "only a person or the submitter may change this proposal";
    Err(PlanningError::new(RefusalReason::Refused, message).with_fix("comment on it instead"))
}

fn current_round(proposal: &Proposal) -> u32 {
    let rounds = || u32::try_from(proposal.rounds.len()).unwrap_or(u32::MAX);
    let submission = proposal.submission.as_ref();
    submission.map_or_else(rounds, |submission| submission.round)
}

fn require_place(proposal: &Proposal, place: &CommentPlace) -> Result<(), PlanningError> {
    let Some(Draft::Plan { plan, .. }) = &proposal.draft else {
        let message = "the proposal has no draft to comment on yet";
        return Err(
            PlanningError::new(RefusalReason::Refused, message).with_fix("wait for the draft")
        );
    };
    let is_there = match place {
        CommentPlace::Edge { edge } => plan
            .edges
            .iter()
            .any(|other| (other.parent, other.child) == (edge.parent, edge.child)),
        CommentPlace::Plan => true,
        CommentPlace::Node { node } | CommentPlace::Field { node, .. } => {
            plan.node(*node).is_some()
        }
    };
    if is_there {
        return Ok(());
    }
    let message = "the draft doesn't have the node or edge of the comment";
    Err(PlanningError::new(RefusalReason::NotFound, message).with_fix("reload the proposal"))
}

/// The plan that is to change, if it is still at the version that the submitter read.
fn target_record(
    context: &Context,
    submitted: &Submitted,
) -> Result<Option<PlanRecord>, PlanningError> {
    let Some((plan, seen)) = submitted.target else {
        return Ok(None);
    };
    let (record, current) = context.store.plans().current(plan)?;
    if record.version != seen {
        let message = format!(
            "the plan is at version {}, and the proposal is for version {seen}",
            record.version
        );
        return Err(PlanningError::new(RefusalReason::Conflict, message)
            .with_fix("read the plan again, then propose the change to its newest version"));
    }
    if current.differs_only_in_layout(&submitted.content) {
        let message = "the proposal changes nothing in the plan";
        return Err(PlanningError::new(RefusalReason::BadInput, message)
            .with_fix("propose at least one change"));
    }
    Ok(Some(record))
}

fn drafted(
    context: &Context,
    submitted: &Submitted,
    target: Option<&PlanRecord>,
) -> Result<Draft, PlanningError> {
    let mut plan = submitted.content.clone();
    refuse_unsavable(&plan)?;
    if plan.nodes.is_empty() {
        let message = "the proposed plan has no nodes";
        return Err(
            PlanningError::new(RefusalReason::BadInput, message).with_fix("add at least one node")
        );
    }
    if target.is_none() {
        plan.origin.source = match context.actor() {
            Actor::Person(_) | Actor::Program(_) | Actor::Baton => plan.origin.source,
            Actor::Session(_) | Actor::Agent(_) => baton_model::plan::Source::Agent,
        };
        plan.origin.created_by = Some(submitter_name(&context.actor()));
    }
    let arrange = match target {
        Some(_) => layout::place_missing,
        None => layout::arrange,
    };
    let places: HashMap<_, _> = arrange(&plan, plan.direction).into_iter().collect();
    for node in &mut plan.nodes {
        node.position = places.get(&node.id).copied().or(node.position);
    }
    Ok(Draft::Plan {
        remarks: remarks(&plan, &submitted.notes),
        plan: Box::new(plan),
        reasoning: shortened(&submitted.reasoning),
    })
}

/// A submitter that proposes without end would bury what a person has to decide.
fn refuse_flood(context: &Context, actor: &Actor) -> Result<(), PlanningError> {
    if actor.is_person() {
        return Ok(());
    }
    let by = actor.to_string();
    let filter = ProposalsFilter {
        open: true,
        plan: None,
        limit: list::LIST_LIMIT,
    };
    let open = list::list(context, filter)?.into_iter().filter(|proposal| {
        let submission = proposal.submission.as_ref();
        submission.is_some_and(|submission| submission.by == by)
    });
    if open.count() < OPEN_LIMIT {
        return Ok(());
    }
    let message = format!("{OPEN_LIMIT} proposals of this submitter wait for a decision already");
    Err(PlanningError::new(RefusalReason::Refused, message)
        .with_fix("withdraw some, or wait for a person to decide"))
}

fn refuse_other_plan(proposal: &Proposal, draft: &Submitted) -> Result<(), PlanningError> {
    let known = proposal.request.subject.target().map(|(plan, _)| plan);
    if known == draft.target.map(|(plan, _)| plan) {
        return Ok(());
    }
    let message = "the revision is for another plan than the proposal";
    Err(PlanningError::new(RefusalReason::BadInput, message).with_fix("submit a new proposal"))
}

fn not_submitted() -> PlanningError {
    let message = "a planner wrote the proposal, so only a planner can revise it";
    PlanningError::new(RefusalReason::Refused, message).with_fix("reject it and let it try again")
}

/// How the submitter is shown.
fn submitter_name(actor: &Actor) -> String {
    match actor {
        Actor::Person(_) => "person".to_owned(),
        Actor::Baton => "Baton".to_owned(),
        Actor::Program(name) | Actor::Agent(name) => name.clone(),
        Actor::Session(session) => format!("session {session}"),
    }
}

fn shortened(text: &str) -> String {
    truncate(text.trim(), TEXT_LIMIT).into_owned()
}
