//! Nodes that execute runs of another plan: starting the runs, following them, and stopping them.
//!
//! The id of such a run is derived from the session of the attempt, so that after a crash the
//! existing run is found and never started twice. Pausing, resuming and ending of the parent run
//! are derived from its stored state, and so are passed on after a crash as well.
//!
//! For this reason `pool`, `nested` and `engine` import each other; no other modules of this crate
//! do. The first event of a nested run holds its input and limits (`Caller`).

mod parent_request;
mod results;

use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use baton_model::expression::{Expression, NodeValues, Round, Values};
use baton_model::node::{LoopTask, Node, NodeKind};
use baton_model::outcome::Failure;
use baton_model::run::{Allowance, BudgetUsage, Command, Goal};
use baton_model::{Artifact, LoopRound, Outcome, PlanId, ReviewState, RunId, RunState, SessionId};
use baton_store::{Actor, Change, ParentNode, Store};
use uuid::Uuid;

use crate::clocks::now;
use crate::crash_point::crash_point;
use crate::engine::{Engine, RunOrigin};
use crate::error::EngineError;
use crate::job::Job;
use crate::live_session::LiveSession;
use crate::prepare;
use crate::report::Report;

use parent_request::ParentRequest;

/// The maximum depth of nested plans.
const DEPTH_LIMIT: usize = 20;

/// Follows the run, or the runs, of the node of `job`.
pub(crate) fn follow(
    engine: &Engine,
    job: &Job,
    node: &Node,
    register: impl FnOnce(&Arc<LiveSession>),
    report: &dyn Fn(Report),
) -> Option<Report> {
    let stop_notifier = Arc::new(StopNotifier::default());
    let stopped = Arc::clone(&stop_notifier);
    let live = LiveSession::for_nested_run(Box::new(move || stopped.notify()));
    register(&live);
    let session = first_session(engine.store(), job);
    let nested = Nested {
        engine,
        job,
        node,
        session,
        live: &live,
        stop_notifier: &stop_notifier,
        report,
    };
    let ended = nested.run();
    live.end();
    let (outcome, artifact) = match ended {
        Ok(artifact) => (Outcome::Succeeded, Some(artifact)),
        Err(Stop::Failed(failure)) => (Outcome::Failed { failure }, None),
        Err(Stop::Cancelled | Stop::Paused) => (Outcome::Cancelled, None),
        Err(Stop::Detached) => return None,
    };
    let evidence = artifact
        .is_none()
        .then(|| results::partial_evidence(&nested));
    let (node, attempt) = (job.node, job.attempt);
    let command = Command::SessionEnded {
        node,
        attempt,
        outcome,
        artifact: None,
        taken: None,
        doubt: None,
    };
    Some(Report {
        command,
        artifact,
        evidence,
        facts: None,
    })
}

/// The run of iteration `number` of an attempt, from 1. A sub-plan has one iteration.
pub(crate) fn nested_run_id(session: SessionId, number: u32) -> RunId {
    RunId(Uuid::from_u128(
        session.0.as_u128().wrapping_add(number.into()),
    ))
}

/// Returns whether a run for the attempt of `job` was started, or resumed after a pause.
pub(crate) fn has_begun(engine: &Engine, job: &Job) -> bool {
    let runs = engine.store().runs();
    let is_its_own = |row: &baton_store::RunRow| {
        row.parent.is_some_and(|parent| parent.node == job.node)
            && (row.id == nested_run_id(job.session, 1) || row.state.is_running())
    };
    runs.children(job.run.run)
        .is_ok_and(|listing| listing.rows.iter().any(is_its_own))
}

/// The session from which run ids are derived: the attempt's own or, after a pause, that of the
/// attempt that started the runs.
fn first_session(store: &Store, job: &Job) -> SessionId {
    let earlier = job.follows.and_then(|_| {
        let rows = store.runs().children(job.run.run).ok()?.rows;
        let last = rows
            .into_iter()
            .rev()
            .find(|row| row.parent.is_some_and(|parent| parent.node == job.node))?;
        let attempts = store.attempts().list(job.run.run, job.node).ok()?;
        let before = attempts
            .iter()
            .rev()
            .find(|row| row.attempt < job.attempt)?
            .ended_at;
        // The run had ended before and is started again.
        let goes_on = match &last.state {
            RunState::Cancelled => false,
            state if state.has_ended() => last.ended_at >= before,
            _ => true,
        };
        store
            .run_events()
            .caller(last.id)
            .ok()?
            .filter(|_| goes_on)
            .map(|caller| caller.session)
    });
    earlier.unwrap_or(job.session)
}

/// Why the node does not succeed.
enum Stop {
    Failed(Failure),
    Cancelled,
    /// The parent run is paused, and later resumes the same runs.
    Paused,
    /// Another executor follows the run now.
    Detached,
}

impl From<EngineError> for Stop {
    fn from(error: EngineError) -> Self {
        Self::Failed(Failure::SubPlan {
            detail: format!("couldn't be run: {error}"),
        })
    }
}

impl From<baton_store::StoreError> for Stop {
    fn from(error: baton_store::StoreError) -> Self {
        EngineError::from(error).into()
    }
}

/// Wakes the follower of a run when its node is stopped, which is not an event of the store.
#[derive(Default)]
struct StopNotifier {
    sender: Mutex<Option<std::sync::mpsc::Sender<Change>>>,
}

impl StopNotifier {
    fn notify(&self) {
        if let Some(sender) = lock(&self.sender).as_ref() {
            // The follower may be gone.
            sender.send(Change::Everything).unwrap_or_default();
        }
    }
}

struct Nested<'a> {
    engine: &'a Engine,
    job: &'a Job,
    node: &'a Node,
    /// The session from which run ids are derived.
    session: SessionId,
    live: &'a Arc<LiveSession>,
    stop_notifier: &'a Arc<StopNotifier>,
    report: &'a dyn Fn(Report),
}

impl Nested<'_> {
    fn run(&self) -> Result<Artifact, Stop> {
        let Some(task) = self.node.kind.sub_plan() else {
            let detail = format!("a {} does not run a plan", self.node.kind.as_str());
            return Err(Stop::Failed(Failure::BadInput { detail }));
        };
        let plan = find(self.store(), &task.sub_plan_id).map_err(Stop::Failed)?;
        self.refuse_recursion(plan)?;
        (self.report)(Report::plain(Command::SessionStarted {
            node: self.job.node,
            attempt: self.job.attempt,
            checkpoint: None,
        }));
        let deadline = self.deadline();
        match &self.node.kind {
            NodeKind::Loop(task) => self.repeat(plan, task, deadline),
            _ => {
                let run = self.run_to_completion(plan, (1, None), deadline)?;
                results::artifact(self.store(), &[run])
            }
        }
    }

    fn repeat(
        &self,
        plan: PlanId,
        task: &LoopTask,
        deadline: Option<Instant>,
    ) -> Result<Artifact, Stop> {
        let condition = task
            .loop_condition
            .as_deref()
            .map(Expression::parse)
            .transpose();
        let condition = condition.map_err(|error| {
            Stop::Failed(Failure::BadInput {
                detail: error.to_string(),
            })
        })?;
        let mut runs = Vec::new();
        let mut results = Vec::new();
        let mut previous = None;
        for iteration in 1..=task.max_iterations {
            let round = LoopRound {
                index: iteration,
                previous: previous.take(),
            };
            let run = self.run_to_completion(plan, (iteration, Some(round)), deadline)?;
            runs.push(run);
            let outputs = results::outputs(self.store(), run)?;
            previous = Some(outputs.clone());
            let result = serde_json::to_value(&outputs).unwrap_or_default();
            results.push(result.clone());
            let Some(condition) = &condition else {
                continue;
            };
            let mut values = Values {
                round: Some(Round {
                    iteration,
                    result,
                    results: results.clone(),
                }),
                ..self.job.values.clone()
            };
            let own = NodeValues {
                state: "running".to_owned(),
                outputs,
                is_cut: false,
            };
            values.nodes.insert(self.node.slug.to_string(), own);
            let again = condition.evaluate(&values);
            if !again.map_err(|error| {
                Stop::Failed(Failure::BadInput {
                    detail: error.to_string(),
                })
            })? {
                break;
            }
        }
        results::artifact(self.store(), &runs)
    }

    fn store(&self) -> &Store {
        self.engine.store()
    }

    /// When the attempt times out, counted from its original start even after a crash.
    fn deadline(&self) -> Option<Instant> {
        let limit = self.job.run.plan.timeout_ms_of(self.node)?;
        let row = self
            .store()
            .node_states()
            .get(self.job.run.run, self.job.node)
            .ok()
            .flatten();
        let began = row
            .filter(|row| row.attempt == self.job.attempt)
            .and_then(|row| row.started_at);
        let gone = began.map_or(0, |began| now().ms_since(began));
        Some(Instant::now() + Duration::from_millis(limit.saturating_sub(gone)))
    }

    /// Starts or finds the run of an iteration, and waits for its end.
    fn run_to_completion(
        &self,
        plan: PlanId,
        (iteration, round): (u32, Option<LoopRound>),
        deadline: Option<Instant>,
    ) -> Result<RunId, Stop> {
        let run = nested_run_id(self.session, iteration);
        let changes = self.listen(run);
        if self.store().runs().get(run).is_err() {
            // Nothing is started that would be stopped immediately.
            match parent_request::from_parent_run(self)? {
                ParentRequest::Run => self.begin(plan, run, round)?,
                // The stop that is on its way then finds nothing to stop, and the attempt
                // withdrawn.
                ParentRequest::Await | ParentRequest::Pause { .. } => return Err(Stop::Paused),
                ParentRequest::Cancel => return Err(Stop::Cancelled),
            }
        }
        match self.wait(run, &changes, deadline)? {
            RunState::Completed => Ok(run),
            RunState::Cancelled | RunState::Failed { .. } if self.is_cancelled()? => {
                Err(Stop::Cancelled)
            }
            RunState::Failed { message, .. } => Err(Stop::Failed(Failure::SubPlan {
                detail: format!("failed: {message}"),
            })),
            state => Err(Stop::Failed(Failure::SubPlan {
                detail: format!("is {}", state.label()),
            })),
        }
    }

    fn is_cancelled(&self) -> Result<bool, Stop> {
        Ok(matches!(
            parent_request::from_parent_run(self)?,
            ParentRequest::Cancel
        ))
    }

    /// Changes of `run`, of the parent run, and requests to stop the node.
    fn listen(&self, run: RunId) -> Receiver<Change> {
        let (sender, changes) = std::sync::mpsc::channel();
        *lock(&self.stop_notifier.sender) = Some(sender.clone());
        let above = self.job.run.run;
        self.store().listen(move |change| match change {
            Change::RunChanged {
                run: changed,
                whole,
                ..
            } if *changed == run || (*changed == above && *whole) => {
                sender.send(change.clone()).is_ok()
            }
            Change::Everything => sender.send(Change::Everything).is_ok(),
            _ => true,
        });
        changes
    }

    fn begin(&self, plan: PlanId, run: RunId, round: Option<LoopRound>) -> Result<(), Stop> {
        let (record, content) = self.store().plans().current(plan)?;
        if record.review != ReviewState::Approved {
            let detail = format!(
                "the plan '{}' is not approved: review and approve it first",
                content.title
            );
            return Err(Stop::Failed(Failure::BadInput { detail }));
        }
        let caller = prepare::caller(self.job, self.node, self.session, round, self.allowance()?);
        let caller = Some(Arc::new(caller.map_err(Stop::Failed)?));
        let parent = ParentNode {
            run: self.job.run.run,
            node: self.job.node,
        };
        let content = Arc::new(content);
        // An executor that was displaced meanwhile starts nothing.
        if self.store().runs().get(self.job.run.run)?.executor != self.engine.executor() {
            return Err(Stop::Cancelled);
        }
        crash_point("before nested run");
        let beginning = RunOrigin {
            parent: Some(parent),
            inherits: None,
            caller,
            pinned: Vec::new(),
            base_revision: None,
        };
        let started = self.engine.begin_as(
            run,
            content,
            record.version,
            Goal::All,
            None,
            beginning,
            Actor::Baton,
        );
        crash_point("after nested run");
        match started {
            // Another executor was quicker: it is the same run.
            Err(_) if self.store().runs().get(run).is_ok() => Ok(()),
            started => Ok(started?),
        }
    }

    /// What remains of the budgets of the parent run and of the node.
    fn allowance(&self) -> Result<Allowance, Stop> {
        let budget = &self.job.run.plan.settings.budget;
        let of_the_run = match budget.is_unlimited() {
            true => Allowance::default(),
            false => {
                Allowance::remaining_of(budget, self.store().node_states().spent(self.job.run.run)?)
            }
        };
        let own = if self.job.allowance.is_unlimited() {
            self.job.allowance
        } else {
            self.job.allowance.minus(self.spent()?)
        };
        Ok(of_the_run.smaller_of_each(own))
    }

    /// The usage of this attempt's runs. Usage that was counted for the attempt before a pause is
    /// not counted twice.
    fn spent(&self) -> Result<BudgetUsage, Stop> {
        let runs = (1..).map(|number| nested_run_id(self.session, number));
        let known = |run: &RunId| self.store().runs().get(*run).is_ok();
        let mut all = BudgetUsage::default();
        for run in runs.take_while(known) {
            all = all.plus(self.store().node_states().spent(run)?);
        }
        let first = self
            .store()
            .run_events()
            .caller(nested_run_id(self.session, 1))?;
        let before = first.map_or(self.job.spent_before, |caller| caller.spent_before);
        Ok(all.since(self.job.spent_before.since(before)))
    }

    fn report_spent(&self, last: &mut BudgetUsage) -> Result<(), Stop> {
        if self.job.run.plan.settings.budget.is_unlimited() && self.node.budget.is_unlimited() {
            return Ok(());
        }
        let spent = self.spent()?;
        if std::mem::replace(last, spent) != spent {
            let (node, attempt) = (self.job.node, self.job.attempt);
            (self.report)(Report::plain(Command::SessionUsed {
                node,
                attempt,
                spent,
            }));
        }
        Ok(())
    }

    /// Waits until the run has ended, and passes on pausing, resuming and ending of the parent run.
    /// A run whose executor is dead is taken over; a stalled one waits for a person, and so does
    /// this node.
    fn wait(
        &self,
        run: RunId,
        changes: &Receiver<Change>,
        deadline: Option<Instant>,
    ) -> Result<RunState, Stop> {
        let mut spent = BudgetUsage::default();
        let mut timed_out = false;
        loop {
            if self.live.is_over() {
                return Err(Stop::Detached);
            }
            let state = self.store().runs().get(run)?.state;
            self.report_spent(&mut spent)?;
            if state.has_ended() && timed_out {
                let limit_ms = self
                    .job
                    .run
                    .plan
                    .timeout_ms_of(self.node)
                    .unwrap_or_default();
                return Err(Stop::Failed(Failure::TimedOut { limit_ms }));
            }
            if state.has_ended() {
                return Ok(state);
            }
            if state.is_running() {
                match self.engine.adopt(run) {
                    Ok(_) | Err(EngineError::Attended { .. }) => {}
                    Err(error) => {
                        tracing::warn!(%run, %error, "couldn't take over the run of a node")
                    }
                }
            }
            let order = if timed_out {
                ParentRequest::Cancel
            } else {
                parent_request::from_parent_run(self)?
            };
            parent_request::forward_to_run(self, run, &state, order)?;
            let deadline = deadline.filter(|_| !timed_out);
            timed_out |= !wait_for_change(changes, deadline) && !self.live.is_over();
        }
    }

    /// A plan that runs itself would never end.
    fn refuse_recursion(&self, plan: PlanId) -> Result<(), Stop> {
        let mut titles = vec![self.title_of(plan)];
        let mut above = Some(self.job.run.run);
        while let Some(run) = above {
            let row = self.store().runs().get(run)?;
            titles.push(self.title_of(row.plan));
            if row.plan == plan || titles.len() > DEPTH_LIMIT {
                titles.reverse();
                let detail = format!("a plan would run itself: {}", titles.join(" → "));
                return Err(Stop::Failed(Failure::BadInput { detail }));
            }
            above = row.parent.map(|parent| parent.run);
        }
        Ok(())
    }

    fn title_of(&self, plan: PlanId) -> String {
        self.store()
            .plans()
            .current(plan)
            .map_or_else(|_| plan.to_string(), |(_, plan)| plan.title)
    }
}

/// False after the deadline.
fn wait_for_change(changes: &Receiver<Change>, deadline: Option<Instant>) -> bool {
    let next = match deadline {
        None => changes.recv().map_err(|_| RecvTimeoutError::Disconnected),
        Some(deadline) => changes.recv_timeout(deadline.saturating_duration_since(Instant::now())),
    };
    // Several changes are handled by one check.
    while changes.try_recv().is_ok() {}
    next != Err(RecvTimeoutError::Timeout)
}

/// The plan that a node names by id, or by a title that only one plan has.
fn find(store: &Store, name: &str) -> Result<PlanId, Failure> {
    let name = name.trim();
    if let Ok(id) = name.parse::<Uuid>() {
        return Ok(PlanId(id));
    }
    let fault = |detail: String| Failure::BadInput { detail };
    let plans = store
        .plans()
        .list()
        .map_err(|error| fault(error.to_string()))?
        .rows;
    let found: Vec<PlanId> = plans
        .iter()
        .filter(|plan| plan.title == name)
        .map(|plan| plan.record.plan)
        .collect();
    match found.as_slice() {
        [plan] => Ok(*plan),
        [] => Err(fault(format!(
            "there is no plan '{name}': choose one in the node"
        ))),
        several => Err(fault(format!(
            "{} plans are named '{name}': choose one by its id",
            several.len()
        ))),
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
