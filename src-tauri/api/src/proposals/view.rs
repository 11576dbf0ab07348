//! Proposals as shown to people.

use baton_model::planning::{Draft, Impact, Proposal, ProposalState, ProposedChange, list_changes};
use baton_model::{PlanDiff, RunId, SessionId};
use baton_planning::plan_versions::plan_version;
use baton_store::StoreError;

use crate::wire::*;
use crate::{ApiError, App};
use baton_planning::preflight;
use baton_planning::proposals::{base, done_nodes, freshness};

/// Maximum length, in characters, of a title made from a request.
const MAX_TITLE_CHARS: usize = 120;

/// The summary of a proposal.
pub(super) fn summary(app: &App, proposal: &Proposal) -> Result<ProposalSummary, ApiError> {
    let request = &proposal.request;
    let round = proposal.rounds.last();
    let run = round.map(|round| round.run);
    let session = run.map(|run| session_of(app, run)).transpose()?.flatten();
    let works = proposal.state == ProposalState::Working;
    let activity = run
        .filter(|_| works && session.is_some())
        .and_then(|run| activity(app, run));
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let drafted = match &proposal.draft {
        Some(Draft::Plan { plan, .. }) => plan
            .nodes
            .iter()
            .filter(|node| node.is_executable())
            .count(),
        _ => 0,
    };
    Ok(ProposalSummary {
        id: proposal.id,
        kind: request.subject.kind(),
        state: proposal.state.clone(),
        title: title(app, proposal),
        wish: request.wish.clone(),
        author: author(app, proposal),
        target: target(app, proposal)?,
        rounds: proposal.submission.as_ref().map_or_else(
            || count(proposal.rounds.len()),
            |submission| submission.round,
        ),
        repairing: works && round.is_some_and(|round| !round.faults.is_empty()),
        rejections: count(proposal.rejections),
        run,
        session,
        activity,
        node_count: count(drafted),
        created_at: proposal.created_at,
        updated_at: proposal.updated_at,
        expires_at: proposal.expires_at,
    })
}

fn title(app: &App, proposal: &Proposal) -> String {
    let first_line = |text: &str| {
        text.trim()
            .lines()
            .next()
            .unwrap_or_default()
            .chars()
            .take(MAX_TITLE_CHARS)
            .collect::<String>()
    };
    match (&proposal.draft, &proposal.request.subject) {
        (Some(Draft::Plan { plan, .. }), _) => plan.title.clone(),
        (_, subject) => {
            let plan = subject
                .target()
                .and_then(|(plan, version)| plan_version(app.context(), plan, version).ok());
            let node = plan
                .as_ref()
                .zip(subject.node())
                .and_then(|(plan, node)| Some(plan.node(node)?.title.clone()));
            let named = node.or_else(|| plan.map(|plan| plan.title.clone()));
            named.unwrap_or_else(|| match first_line(&proposal.request.wish) {
                line if line.is_empty() => "Plan from a session".to_owned(),
                line => line,
            })
        }
    }
}

fn author(app: &App, proposal: &Proposal) -> ProposalAuthor {
    let request = &proposal.request;
    let known = app.engine.agents().find(Some(&request.agent));
    ProposalAuthor {
        agent: request.agent.clone(),
        title: known.map_or_else(|| request.agent.clone(), |agent| agent.title().to_owned()),
        model: request.model.clone(),
        automatic: request.automatic,
        submitted_by: proposal
            .submission
            .as_ref()
            .map(|submission| submission.by.clone()),
    }
}

fn target(app: &App, proposal: &Proposal) -> Result<Option<ProposalTarget>, ApiError> {
    let subject = &proposal.request.subject;
    let Some((plan, version)) = subject.target() else {
        return Ok(None);
    };
    let record = match app.store.plans().record(plan) {
        Ok(record) => Some(record),
        Err(StoreError::NotFound { .. }) => None,
        Err(error) => return Err(error.into()),
    };
    let content = record
        .as_ref()
        .and_then(|_| plan_version(app.context(), plan, version).ok());
    Ok(Some(ProposalTarget {
        plan,
        version,
        moved: proposal.state.is_open() && record.is_none_or(|record| record.version != version),
        title: content.as_ref().map(|content| content.title.clone()),
        node: subject.node(),
        node_title: content
            .zip(subject.node())
            .and_then(|(content, node)| Some(content.node(node)?.title.clone())),
        run: subject.run(),
    }))
}

/// The planner's session in a round's run; `None` before it starts.
pub(super) fn session_of(app: &App, run: RunId) -> Result<Option<SessionId>, ApiError> {
    Ok(app
        .store
        .sessions()
        .list(Some(run), 1)?
        .rows
        .into_iter()
        .next()
        .map(|session| session.id))
}

fn activity(app: &App, run: RunId) -> Option<String> {
    let states = app.store.node_states().list(run).ok()?;
    let state = states.first()?;
    app.engine.activity(run, state.node, state.attempt)
}

/// A proposal with everything needed to decide on it.
pub(super) fn view(app: &App, proposal: &Proposal) -> Result<ProposalView, ApiError> {
    let summary = summary(app, proposal)?;
    let base = if summary
        .target
        .as_ref()
        .is_some_and(|target| target.title.is_some())
    {
        base(app.context(), proposal)?
    } else {
        None
    };
    let (draft, reasoning, remarks, explanation) = match proposal.draft.clone() {
        Some(Draft::Plan {
            plan,
            reasoning,
            remarks,
        }) => (Some(*plan), reasoning, remarks, None),
        Some(Draft::Text { text }) => (None, String::new(), Vec::new(), Some(text)),
        None => (None, String::new(), Vec::new(), None),
    };
    let both = draft.as_ref().zip(base.as_deref());
    let changes = both
        .map(|(draft, base)| list_changes(base, draft))
        .unwrap_or_default();
    let reviewed = match (&proposal.reviewed, &draft) {
        (Some(Draft::Plan { plan, .. }), Some(draft)) => Some(PlanDiff::between(plan, draft)),
        _ => None,
    };
    let impact = match both {
        Some((draft, base)) => Impact::between(
            base,
            draft,
            &done_nodes(app.context(), base.id, proposal.request.subject.run())?,
        ),
        None => Impact::default(),
    };
    let checks = match &draft {
        Some(draft) if proposal.state.is_open() => preflight::machine_checks(app.context(), draft),
        _ => Vec::new(),
    };
    Ok(ProposalView {
        diff: both.map(|(draft, base)| PlanDiff::between(base, draft)),
        required: both
            .map(|(draft, base)| ProposedChange::requirements(base, draft, &changes))
            .unwrap_or_default(),
        changes,
        impact_sentences: impact.sentences(),
        impact,
        remark_sentences: remarks.iter().map(ToString::to_string).collect(),
        remarks,
        reasoning,
        explanation,
        checks,
        freshness: freshness(app.context(), proposal)?,
        faults: proposal
            .rounds
            .last()
            .map(|round| round.faults.clone())
            .unwrap_or_default(),
        feedback: proposal.feedback.clone(),
        comments: proposal.comments.clone(),
        since_reviewed: reviewed,
        rounds: rounds(app, proposal)?,
        base: base.map(|base| base.as_ref().clone()),
        draft,
        summary,
    })
}

fn rounds(app: &App, proposal: &Proposal) -> Result<Vec<ProposalRound>, ApiError> {
    let rounds = proposal.rounds.iter().map(|round| {
        let session = session_of(app, round.run)?;
        Ok(ProposalRound {
            run: round.run,
            session,
            at: round.at,
            faults: round.faults.clone(),
        })
    });
    rounds.collect()
}
