//! Advances proposals whose planner has answered or failed, and what follows a failed run: an
//! automatic replan, or else its error handler.
//!
//! The state of a proposal follows from its run, see [`DerivedProposal`], so that every process
//! comes to the same state after a crash. If several processes store it at once, the store accepts
//! one of them. Only long-running processes follow proposals on their own, see
//! [`Shared::follow_proposals`].

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use baton_model::planning::{Proposal, ProposalState};
use baton_model::{PlanId, ProposalId, RunId, Timestamp};
use baton_store::{Change, ProposalRow, ProposalUpdate, ProposalsFilter};

use super::auto_replan::AutoReplans;
use super::derived_proposal::{DerivedProposal, PendingAction};
use super::{promised_run, round};
use crate::{Context, PlanningError, Shared, WeakContext, error_handlers, replans};

impl Shared {
    /// Starts the thread that advances proposals, once per process; it ends when Baton is closed.
    pub fn follow_proposals(&self) {
        self.follower_started.get_or_init(|| {
            let context = self.weak();
            let changes = self.store.subscribe();
            let followed = thread::Builder::new()
                .name("proposals".to_owned())
                .spawn(move || follow(&context, &changes));
            if let Err(error) = followed {
                tracing::error!(%error, "couldn't start the thread that advances proposals");
            }
        });
    }
}

/// The plans and runs whose changes can advance a proposal.
#[derive(Default)]
struct WatchList {
    plannings: HashMap<PlanId, ProposalId>,
    subjects: HashMap<RunId, ProposalId>,
    auto_replans: AutoReplans,
    /// The earliest time at which a proposal changes without an event.
    due: Option<Timestamp>,
}

impl WatchList {
    /// Watches the sessions and the run of a proposal as long as they can change it.
    fn track(&mut self, proposal: &Proposal, now: Timestamp) {
        let is_working = proposal.state == ProposalState::Working;
        if let Some(planning) = proposal.planning {
            set_watched(&mut self.plannings, is_working, planning, proposal.id);
        }
        if let Some(run) = proposal.request.subject.run() {
            set_watched(
                &mut self.subjects,
                proposal.is_unfinished(),
                run,
                proposal.id,
            );
        }
        // Deadlines in the past have been handled already.
        let due = next_deadline(proposal).filter(|&due| due > now);
        self.due = [self.due, due].into_iter().flatten().min();
    }

    /// Returns how long to wait for an event until the next deadline.
    fn wait_time(&self, now: Timestamp) -> Duration {
        self.due.map_or(MAX_WAIT, |due| {
            Duration::from_millis(due.ms_since(now)).min(MAX_WAIT)
        })
    }
}

/// The longest wait: after the machine slept, the clock and its timers differ.
const MAX_WAIT: Duration = Duration::from_secs(60 * 60);

fn set_watched<K: Eq + Hash>(
    watched: &mut HashMap<K, ProposalId>,
    holds: bool,
    key: K,
    proposal: ProposalId,
) {
    if holds {
        watched.insert(key, proposal);
    } else {
        watched.remove(&key);
    }
}

/// Returns when a proposal changes without an event: it expires, or this process starts what
/// another one failed to start.
fn next_deadline(proposal: &Proposal) -> Option<Timestamp> {
    match proposal.state {
        ProposalState::Ready | ProposalState::NeedsReview => Some(proposal.expires_at),
        ProposalState::Working if proposal.submission.is_some() => Some(proposal.expires_at),
        ProposalState::Working => proposal
            .rounds
            .last()
            .map(|round| round.at.plus_ms(round::START_GRACE_MS)),
        _ => proposal
            .promised
            .map(|_| proposal.updated_at.plus_ms(round::START_GRACE_MS)),
    }
}

fn follow(context: &WeakContext, changes: &Receiver<Change>) {
    let mut watched = WatchList::default();
    refresh_all(context, &mut watched);
    loop {
        let Some(context_now) = context.upgrade() else {
            return;
        };
        let wait_time = watched.wait_time(context_now.now());
        drop(context_now);
        let change = match changes.recv_timeout(wait_time) {
            Ok(change) => change,
            Err(RecvTimeoutError::Timeout) => {
                refresh_all(context, &mut watched);
                continue;
            }
            Err(RecvTimeoutError::Disconnected) => return,
        };
        let Some(context_now) = context.upgrade() else {
            return;
        };
        match change {
            Change::ProposalChanged { proposal } => refresh(&context_now, proposal, &mut watched),
            Change::RunChanged {
                run, plan, whole, ..
            } => match watched.plannings.get(&plan).copied() {
                Some(proposal) => refresh(&context_now, proposal, &mut watched),
                None => {
                    // Shell commands only do this for runs that they executed themselves, see
                    // `propose_if_enabled`.
                    if context_now.lifetime.is_long_running {
                        watched.auto_replans.run_changed(&context_now, run, plan);
                        if whole {
                            error_handlers::start_logged(&context_now, run);
                        }
                    }
                    if let Some(proposal) = watched.subjects.get(&run).copied() {
                        refresh(&context_now, proposal, &mut watched);
                    }
                }
            },
            Change::PlanChanged { plan, .. } | Change::PlanDeleted { plan } => {
                watched.auto_replans.forget(plan)
            }
            Change::Everything => {
                drop(context_now);
                watched.auto_replans = AutoReplans::default();
                refresh_all(context, &mut watched);
            }
            _ => {}
        }
    }
}

fn refresh_all(context: &WeakContext, watched: &mut WatchList) {
    let Some(context) = context.upgrade() else {
        return;
    };
    watched.due = None;
    if let Err(error) = replans::notify_waiting_runs(&context) {
        tracing::error!(%error, "couldn't read runs that wait for a proposal");
    }
    if context.lifetime.is_long_running
        && let Err(error) = watched.auto_replans.catch_up(&context)
    {
        tracing::error!(%error, "couldn't read failed runs");
    }
    if context.lifetime.is_long_running
        && let Err(error) = error_handlers::catch_up(&context)
    {
        tracing::error!(%error, "couldn't read runs that wait for their error handler");
    }
    let filter = ProposalsFilter {
        open: true,
        plan: None,
        limit: u32::MAX,
    };
    match context.store.proposals().list(filter) {
        Ok(open) => open
            .rows
            .iter()
            .for_each(|row| refresh(&context, row.proposal.id, watched)),
        Err(error) => tracing::error!(%error, "couldn't list proposals"),
    }
}

fn refresh(context: &Context, proposal: ProposalId, watched: &mut WatchList) {
    let refreshed = context
        .store
        .proposals()
        .get(proposal)
        .map_err(PlanningError::from)
        .and_then(|row| {
            watched.track(&row.proposal, context.now());
            advance(context, row)
        });
    match refreshed {
        Ok(row) => {
            watched.track(&row.proposal, context.now());
            replans::notify_run(context, &row.proposal);
        }
        // Another process was faster, and its change will be reported here too.
        Err(error) if error.is_conflict() => {}
        Err(error) => tracing::error!(%proposal, %error, "couldn't advance a proposal"),
    }
}

/// Stores the current state of a proposal before an operation on it. Starts nothing if this process
/// does not follow proposals.
pub(super) fn load_current(
    context: &Context,
    proposal: ProposalId,
) -> Result<ProposalRow, PlanningError> {
    let row = context.store.proposals().get(proposal)?;
    match advance(context, row) {
        Err(error) if error.is_conflict() => Ok(context.store.proposals().get(proposal)?),
        advanced => advanced,
    }
}

fn advance(context: &Context, row: ProposalRow) -> Result<ProposalRow, PlanningError> {
    let DerivedProposal {
        proposal,
        pending_action,
    } = DerivedProposal::derive(context, row.proposal.clone())?;
    if matches!(pending_action, Some(PendingAction::EndSession)) {
        round::cancel_session(context, &proposal);
    }
    let row = if proposal == row.proposal {
        row
    } else {
        store(context, &proposal, row.revision)?
    };
    match pending_action {
        Some(pending_action) if context.follower_started.get().is_some() => {
            perform(context, row, pending_action)
        }
        _ => Ok(row),
    }
}

fn store(
    context: &Context,
    proposal: &Proposal,
    revision: u64,
) -> Result<ProposalRow, PlanningError> {
    let proposals = context.store.proposals();
    let row = proposals.update(
        proposal,
        revision,
        ProposalUpdate::default(),
        &context.actor(),
    )?;
    replans::notify_run(context, &row.proposal);
    Ok(row)
}

fn perform(
    context: &Context,
    row: ProposalRow,
    pending_action: PendingAction,
) -> Result<ProposalRow, PlanningError> {
    match pending_action {
        PendingAction::BeginPromisedRun => promised_run::begin_promised_run(context, row),
        PendingAction::BeginRound => round::begin(context, &row.proposal).map(|()| row),
        PendingAction::EndSession => Ok(row),
        PendingAction::Repair { answer, faults } => round::repair(context, row, &answer, faults),
    }
}
