//! Goes on with proposals whose planner has answered, or has failed to.
//!
//! A proposal follows from its run: whoever looks at it after a crash comes to the same state. Of several processes
//! that look, the store lets one go on. Only processes that stay do so by themselves; see [`Follower`].

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::OnceLock;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use baton_formats::planner::{Bench, judge, repair};
use baton_model::planning::{Proposal, ProposalEvent, ProposalState};
use baton_model::{PlanId, ProposalId, RunId, RunState, Timestamp};
use baton_store::{Change, ProposalRow, ProposalsFilter, RunRow, StoreError};
use uuid::Uuid;

use super::{decision, happened, inventory, order, promise, round};
use crate::app::WeakApp;
use crate::settings::StoredSettings;
use crate::{ApiError, App, Code, named_tools, replans};

/// The thread that goes on with proposals; there is one a process, once somebody needs it.
#[derive(Default)]
pub(crate) struct Follower {
    begun: OnceLock<()>,
}

impl Follower {
    /// Goes on with proposals from now on, until the app is gone.
    pub(crate) fn begin(&self, app: WeakApp) {
        self.begun.get_or_init(|| {
            let Some(news) = app.upgrade().map(|app| app.store.subscribe()) else {
                return;
            };
            let followed = thread::Builder::new()
                .name("proposals".to_owned())
                .spawn(move || follow(&app, &news));
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

fn follow(app: &WeakApp, news: &Receiver<Change>) {
    let mut watched = Watched::default();
    look_at_all(app, &mut watched);
    loop {
        let Some(app_now) = app.upgrade() else { return };
        let rest = watched.rest(app_now.now());
        drop(app_now);
        let change = match news.recv_timeout(rest) {
            Ok(change) => change,
            Err(RecvTimeoutError::Timeout) => {
                look_at_all(app, &mut watched);
                continue;
            }
            Err(RecvTimeoutError::Disconnected) => return,
        };
        let Some(app_now) = app.upgrade() else { return };
        match change {
            Change::ProposalChanged { proposal } => look_at(&app_now, proposal, &mut watched),
            Change::RunChanged { run, plan, .. } => match watched.plannings.get(&plan).copied() {
                Some(proposal) => look_at(&app_now, proposal, &mut watched),
                None => {
                    // A shell command asks for the runs that it has executed itself, see `replans::if_asked`.
                    if app_now.stays {
                        watched.replans.run_changed(&app_now, run, plan);
                    }
                    if let Some(proposal) = watched.subjects.get(&run).copied() {
                        look_at(&app_now, proposal, &mut watched);
                    }
                }
            },
            Change::PlanChanged { plan } | Change::PlanDeleted { plan } => {
                watched.replans.forget(plan)
            }
            Change::Everything => {
                drop(app_now);
                watched.replans = replans::Watched::default();
                look_at_all(app, &mut watched);
            }
            _ => {}
        }
    }
}

fn look_at_all(app: &WeakApp, watched: &mut Watched) {
    let Some(app) = app.upgrade() else { return };
    watched.due = None;
    if let Err(error) = replans::tell_waiting_runs(&app) {
        tracing::error!(%error, "runs that wait for a proposal cannot be looked at");
    }
    if app.stays
        && let Err(error) = watched.replans.catch_up(&app)
    {
        tracing::error!(%error, "runs that have failed cannot be looked at");
    }
    let filter = ProposalsFilter {
        open: true,
        plan: None,
        limit: u32::MAX,
    };
    match app.store.proposals().list(filter) {
        Ok(open) => open
            .rows
            .iter()
            .for_each(|row| look_at(&app, row.proposal.id, watched)),
        Err(error) => tracing::error!(%error, "proposals cannot be gone on with"),
    }
}

fn look_at(app: &App, proposal: ProposalId, watched: &mut Watched) {
    let looked = app
        .store
        .proposals()
        .get(proposal)
        .map_err(ApiError::from)
        .and_then(|row| {
            watched.note(&row.proposal, app.now());
            advance(app, row)
        });
    match looked {
        Ok(row) => {
            watched.note(&row.proposal, app.now());
            replans::tell_run(app, &row.proposal);
        }
        // Another process was quicker, and its change comes here as well.
        Err(error) if error.code == Code::Conflict => {}
        Err(error) => tracing::error!(%proposal, %error, "a proposal cannot be gone on with"),
    }
}

/// The proposal as it follows from its run. Begins nothing where nobody stays to follow it.
pub(super) fn brought_up_to_date(app: &App, row: ProposalRow) -> Result<ProposalRow, ApiError> {
    let id = row.proposal.id;
    match advance(app, row) {
        Err(error) if error.code == Code::Conflict => Ok(app.store.proposals().get(id)?),
        advanced => advanced,
    }
}

fn advance(app: &App, row: ProposalRow) -> Result<ProposalRow, ApiError> {
    if matches!(
        row.proposal.state,
        ProposalState::Ready | ProposalState::NeedsReview
    ) {
        let expired = app.now() >= row.proposal.expires_at;
        return if expired {
            happened(app, row, &ProposalEvent::Expired)
        } else {
            Ok(row)
        };
    }
    if row.proposal.promised.is_some() && app.follower.has_begun() {
        let is_old = app.now().ms_since(row.proposal.updated_at) >= round::BEGINNING;
        return if is_old {
            promise::keep(app, row)
        } else {
            Ok(row)
        };
    }
    if row.proposal.state != ProposalState::Working {
        return Ok(row);
    }
    let Some(run) = row.proposal.rounds.last().map(|round| round.run) else {
        return Ok(row);
    };
    match app.store.runs().get(run) {
        Ok(run) => answered(app, row, &run),
        Err(StoreError::NotFound { .. }) if app.follower.has_begun() => {
            round::begin_if_missing(app, &row.proposal)?;
            Ok(row)
        }
        Err(StoreError::NotFound { .. }) => Ok(row),
        Err(error) => Err(error.into()),
    }
}

fn answered(app: &App, row: ProposalRow, run: &RunRow) -> Result<ProposalRow, ApiError> {
    match &run.state {
        RunState::Completed => judged(app, row, run),
        RunState::Failed { message } => {
            failed(app, row, format!("the planner's session failed: {message}"))
        }
        RunState::Stalled { message } => {
            round::call_off(app, &row.proposal);
            failed(
                app,
                row,
                format!("the planner's session was broken off: {message}"),
            )
        }
        RunState::Cancelled => happened(app, row, &ProposalEvent::Cancelled),
        RunState::Running { .. } | RunState::Paused { .. } | RunState::Replanning { .. } => Ok(row),
    }
}

fn failed(app: &App, row: ProposalRow, why: String) -> Result<ProposalRow, ApiError> {
    happened(app, row, &ProposalEvent::Failed { why })
}

fn judged(app: &App, row: ProposalRow, run: &RunRow) -> Result<ProposalRow, ApiError> {
    let Some(answer) = app
        .store
        .artifacts()
        .latest_of(run.id)?
        .rows
        .into_iter()
        .next()
    else {
        return failed(
            app,
            row,
            "the planner's session ended without an answer".to_owned(),
        );
    };
    let answer = answer.content;
    match draft(app, &row.proposal, &answer.text)? {
        Ok(draft) => {
            let ProposalRow {
                mut proposal,
                revision,
            } = row;
            decision::step(&mut proposal, &ProposalEvent::Drafted)?;
            let life = StoredSettings::read(&app.store)?
                .proposal_days
                .ms(proposal.request.automatic);
            proposal.draft = Some(draft);
            proposal.updated_at = app.now();
            proposal.expires_at = proposal.updated_at.plus_ms(life);
            Ok(app
                .store
                .proposals()
                .update(&proposal, revision, None, &app.actor())?)
        }
        Err(faults)
            if row
                .proposal
                .rounds
                .last()
                .is_some_and(|round| !round.faults.is_empty()) =>
        {
            let why = format!(
                "the answer could not be used, and its repair neither: {}",
                faults.join("; ")
            );
            failed(app, row, why)
        }
        Err(faults) if app.follower.has_begun() => round::repair(app, row, &answer, faults),
        Err(_) => Ok(row),
    }
}

type Judgment = Result<baton_model::planning::Draft, Vec<String>>;

fn draft(app: &App, proposal: &Proposal, answer: &str) -> Result<Judgment, ApiError> {
    let base = decision::base(app, proposal)?;
    let servers = app.engine.tools().servers();
    let plans_agent = base
        .as_ref()
        .and_then(|plan| plan.settings.agent.as_deref());
    let bench = Bench {
        request: &proposal.request,
        base: base.as_deref(),
        installed: &order::installed(app),
        default_is_installed: order::default_agent(app, base.as_deref()).is_some(),
        mistakes: &|call| {
            baton_tools::check(call, &servers)
                .iter()
                .map(ToString::to_string)
                .collect()
        },
        not_there: &|node| {
            let tools = named_tools::faults(app, plans_agent, node).into_iter();
            tools.chain(inventory::missing_plan(app, node)).collect()
        },
    };
    Ok(judge(answer, &bench, &mut Uuid::now_v7).map_err(|faults| repair(&faults)))
}
