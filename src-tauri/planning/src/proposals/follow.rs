//! Goes on with proposals whose planner has answered, or has failed to.
//!
//! A proposal follows from its run, see [`Consequence`]: whoever looks at it after a crash comes to the same state. Of
//! several processes that store it, the store lets one go on. Only processes that stay do so by themselves; see
//! [`Follower`].

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use baton_model::planning::{Proposal, ProposalState};
use baton_model::{PlanId, ProposalId, RunId, Timestamp};
use baton_store::{Change, ProposalRow, ProposalsFilter};

use super::consequence::{Consequence, Duty};
use super::{promise, round};
use crate::context::WeakContext;
use crate::{Context, PlanningError, replans};

/// The thread that goes on with proposals; there is one a process, once somebody needs it.
#[derive(Default)]
pub(crate) struct Follower {
    begun: OnceLock<()>,
}

impl Follower {
    /// Goes on with proposals from now on, until the context is gone.
    pub(crate) fn begin(&self, context: WeakContext) {
        self.begun.get_or_init(|| {
            let Some(news) = context.upgrade().map(|context| context.store.subscribe()) else {
                return;
            };
            let followed = thread::Builder::new()
                .name("proposals".to_owned())
                .spawn(move || follow(&context, &news));
            if let Err(error) = followed {
                tracing::error!(%error, "proposals are not gone on with");
            }
        });
    }

    fn has_begun(&self) -> bool {
        self.begun.get().is_some()
    }
}

/// The planning plans whose runs matter, the runs that wait for a proposal, and what is known of other plans.
#[derive(Default)]
struct Watched {
    plannings: HashMap<PlanId, ProposalId>,
    subjects: HashMap<RunId, ProposalId>,
    replans: replans::Watched,
    /// When time alone changes something of a proposal, at the earliest.
    due: Option<Timestamp>,
}

impl Watched {
    /// Watches the sessions and the run of a proposal until nothing more is to come from there.
    fn note(&mut self, proposal: &Proposal, now: Timestamp) {
        let is_working = proposal.state == ProposalState::Working;
        follow_while(
            &mut self.plannings,
            is_working,
            proposal.planning,
            proposal.id,
        );
        if let Some(run) = proposal.request.subject.run() {
            follow_while(
                &mut self.subjects,
                proposal.is_unfinished(),
                run,
                proposal.id,
            );
        }
        // What was due before has been looked at, and changes by itself no more.
        let due = due(proposal).filter(|&due| due > now);
        self.due = [self.due, due].into_iter().flatten().min();
    }

    /// How long nothing has to be looked at unless something changes.
    fn rest(&self, now: Timestamp) -> Duration {
        self.due.map_or(A_LONG_TIME, |due| {
            Duration::from_millis(due.ms_since(now)).min(A_LONG_TIME)
        })
    }
}

/// The longest rest: a machine that slept meanwhile has another time than its timers.
const A_LONG_TIME: Duration = Duration::from_secs(60 * 60);

fn follow_while<K: Eq + Hash>(
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

/// When time alone changes something of a proposal: it expires, or what another process began is begun here.
fn due(proposal: &Proposal) -> Option<Timestamp> {
    match proposal.state {
        ProposalState::Ready | ProposalState::NeedsReview => Some(proposal.expires_at),
        ProposalState::Working => proposal
            .rounds
            .last()
            .map(|round| round.at.plus_ms(round::BEGINNING)),
        _ => proposal
            .promised
            .map(|_| proposal.updated_at.plus_ms(round::BEGINNING)),
    }
}

fn follow(context: &WeakContext, news: &Receiver<Change>) {
    let mut watched = Watched::default();
    look_at_all(context, &mut watched);
    loop {
        let Some(context_now) = context.upgrade() else {
            return;
        };
        let rest = watched.rest(context_now.now());
        drop(context_now);
        let change = match news.recv_timeout(rest) {
            Ok(change) => change,
            Err(RecvTimeoutError::Timeout) => {
                look_at_all(context, &mut watched);
                continue;
            }
            Err(RecvTimeoutError::Disconnected) => return,
        };
        let Some(context_now) = context.upgrade() else {
            return;
        };
        match change {
            Change::ProposalChanged { proposal } => look_at(&context_now, proposal, &mut watched),
            Change::RunChanged { run, plan, .. } => match watched.plannings.get(&plan).copied() {
                Some(proposal) => look_at(&context_now, proposal, &mut watched),
                None => {
                    // A shell command asks for the runs that it has executed itself, see `replans::if_asked`.
                    if context_now.lifetime.stays {
                        watched.replans.run_changed(&context_now, run, plan);
                    }
                    if let Some(proposal) = watched.subjects.get(&run).copied() {
                        look_at(&context_now, proposal, &mut watched);
                    }
                }
            },
            Change::PlanChanged { plan, .. } | Change::PlanDeleted { plan } => {
                watched.replans.forget(plan)
            }
            Change::Everything => {
                drop(context_now);
                watched.replans = replans::Watched::default();
                look_at_all(context, &mut watched);
            }
            _ => {}
        }
    }
}

fn look_at_all(context: &WeakContext, watched: &mut Watched) {
    let Some(context) = context.upgrade() else {
        return;
    };
    watched.due = None;
    if let Err(error) = replans::tell_waiting_runs(&context) {
        tracing::error!(%error, "runs that wait for a proposal cannot be looked at");
    }
    if context.lifetime.stays
        && let Err(error) = watched.replans.catch_up(&context)
    {
        tracing::error!(%error, "runs that have failed cannot be looked at");
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
            .for_each(|row| look_at(&context, row.proposal.id, watched)),
        Err(error) => tracing::error!(%error, "proposals cannot be gone on with"),
    }
}

fn look_at(context: &Context, proposal: ProposalId, watched: &mut Watched) {
    let looked = context
        .store
        .proposals()
        .get(proposal)
        .map_err(PlanningError::from)
        .and_then(|row| {
            watched.note(&row.proposal, context.now());
            advance(context, row)
        });
    match looked {
        Ok(row) => {
            watched.note(&row.proposal, context.now());
            replans::tell_run(context, &row.proposal);
        }
        // Another process was quicker, and its change comes here as well.
        Err(error) if error.is_conflict() => {}
        Err(error) => tracing::error!(%proposal, %error, "a proposal cannot be gone on with"),
    }
}

/// Stores what follows for a proposal, for who acts on it next. Starts nothing where no process stays to follow it.
pub(super) fn settled(
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
    let Consequence { proposal, duty } = Consequence::of(context, row.proposal.clone())?;
    if matches!(duty, Some(Duty::EndSession)) {
        round::call_off(context, &proposal);
    }
    let row = if proposal == row.proposal {
        row
    } else {
        store(context, &proposal, row.revision)?
    };
    match duty {
        Some(duty) if context.follower.has_begun() => perform(context, row, duty),
        _ => Ok(row),
    }
}

fn store(
    context: &Context,
    proposal: &Proposal,
    revision: u64,
) -> Result<ProposalRow, PlanningError> {
    let proposals = context.store.proposals();
    let row = proposals.update(proposal, revision, None, &context.actor())?;
    replans::tell_run(context, &row.proposal);
    Ok(row)
}

fn perform(context: &Context, row: ProposalRow, duty: Duty) -> Result<ProposalRow, PlanningError> {
    match duty {
        Duty::KeepPromise => promise::keep(context, row),
        Duty::BeginRound => round::begin(context, &row.proposal).map(|()| row),
        Duty::EndSession => Ok(row),
        Duty::Repair { answer, faults } => round::repair(context, row, &answer, faults),
    }
}
