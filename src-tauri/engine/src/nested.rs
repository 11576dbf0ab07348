//! Nodes that stand for runs of another plan (product K8, K9): begun, followed, and brought to their end.
//!
//! The id of such a run follows from the session of the attempt, so that whoever goes on after a crash finds the
//! run that was begun and never begins a second one.

use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use baton_model::evidence::AttemptEnding;
use baton_model::expression::{Expression, NodeValues, Round, Values};
use baton_model::node::{LoopTask, Node, NodeKind};
use baton_model::outcome::Failure;
use baton_model::run::{Command, Goal};
use baton_model::{Artifact, Evidence, Outcome, Plan, PlanId, ReviewState, RunId, RunState, SessionId, artifact};
use baton_store::{Actor, Change, ParentNode, Store};
use uuid::Uuid;

use crate::crash_point::crash_point;
use crate::engine::{Beginning, Engine};
use crate::error::EngineError;
use crate::job::Job;
use crate::live::Live;
use crate::report::Report;

/// The most plans that may stand inside each other.
const DEPTH_LIMIT: usize = 20;

/// Follows the run, or the runs, for which the node of `job` stands.
pub(crate) fn follow(
    engine: &Engine,
    job: &Job,
    node: &Node,
    register: impl FnOnce(&Arc<Live>),
    report: &dyn Fn(Report),
) -> Option<Report> {
    let current = Arc::new(Mutex::new(None::<RunId>));
    let stopper = (engine.clone(), Arc::clone(&current));
    let live = Live::of_a_run(Box::new(move || cancel(&stopper.0, *lock(&stopper.1))));
    register(&live);
    let nested = Nested { engine, job, node, live: &live, current: &current, report };
    let ended = nested.run();
    live.end();
    let (outcome, artifact) = match ended {
        Ok(artifact) => (Outcome::Succeeded, Some(artifact)),
        Err(Stop::Failed(failure)) => (Outcome::Failed { failure }, None),
        Err(Stop::Cancelled) => (Outcome::Cancelled, None),
        Err(Stop::LetGo) => return None,
    };
    let evidence = artifact.is_none().then(|| nested.left_so_far());
    let (node, attempt) = (job.node, job.attempt);
    let command = Command::SessionEnded { node, attempt, outcome, artifact: None, taken: None, doubt: None };
    Some(Report { command, artifact, evidence, facts: None })
}

/// The run that the `number`th iteration of an attempt is, from 1. A sub-plan has one iteration.
pub(crate) fn run_of(session: SessionId, number: u32) -> RunId {
    RunId(Uuid::from_u128(session.0.as_u128().wrapping_add(number.into())))
}

/// Why the node does not succeed.
enum Stop {
    Failed(Failure),
    Cancelled,
    /// Somebody else follows the run now.
    LetGo,
}

impl From<EngineError> for Stop {
    fn from(error: EngineError) -> Self {
        Self::Failed(Failure::SubPlan { detail: format!("could not be run: {error}") })
    }
}

impl From<baton_store::StoreError> for Stop {
    fn from(error: baton_store::StoreError) -> Self {
        EngineError::from(error).into()
    }
}

struct Nested<'a> {
    engine: &'a Engine,
    job: &'a Job,
    node: &'a Node,
    live: &'a Arc<Live>,
    /// The run that a stop has to reach.
    current: &'a Mutex<Option<RunId>>,
    report: &'a dyn Fn(Report),
}

impl Nested<'_> {
    fn run(&self) -> Result<Artifact, Stop> {
        let Some(task) = self.node.kind.sub_plan() else {
            let detail = format!("a {} stands for no plan", self.node.kind.word());
            return Err(Stop::Failed(Failure::BadInput { detail }));
        };
        let plan = find(self.store(), &task.sub_plan_id).map_err(Stop::Failed)?;
        self.refuse_recursion(plan)?;
        (self.report)(Report::plain(Command::SessionStarted {
            node: self.job.node,
            attempt: self.job.attempt,
            checkpoint: None,
        }));
        match &self.node.kind {
            NodeKind::Loop(task) => self.repeat(plan, task),
            _ => {
                let run = self.bring_to_its_end(plan, 1)?;
                self.artifact(&[run])
            }
        }
    }

    fn repeat(&self, plan: PlanId, task: &LoopTask) -> Result<Artifact, Stop> {
        let condition = task.loop_condition.as_deref().map(Expression::parse).transpose();
        let condition = condition.map_err(|error| Stop::Failed(Failure::BadInput { detail: error.to_string() }))?;
        let mut runs = Vec::new();
        let mut results = Vec::new();
        for iteration in 1..=task.max_iterations {
            let run = self.bring_to_its_end(plan, iteration)?;
            runs.push(run);
            let outputs = outputs(self.store(), run)?;
            let result = serde_json::to_value(&outputs).unwrap_or_default();
            results.push(result.clone());
            let Some(condition) = &condition else { continue };
            let mut values = Values {
                round: Some(Round { iteration, result, results: results.clone() }),
                ..self.job.values.clone()
            };
            let own = NodeValues { state: "running".to_owned(), outputs };
            values.nodes.insert(self.node.slug.to_string(), own);
            let again = condition.evaluate(&values);
            if !again.map_err(|error| Stop::Failed(Failure::BadInput { detail: error.to_string() }))? {
                break;
            }
        }
        self.artifact(&runs)
    }

    fn store(&self) -> &Store {
        self.engine.store()
    }

    /// Begins the run of an iteration, or finds it, and waits for its end.
    fn bring_to_its_end(&self, plan: PlanId, iteration: u32) -> Result<RunId, Stop> {
        let run = run_of(self.job.session, iteration);
        let news = self.store().subscribe();
        *lock(self.current) = Some(run);
        if self.live.stop_asked() {
            cancel(self.engine, Some(run));
        } else if self.store().runs().get(run).is_err() {
            self.begin(plan, run)?;
        }
        // A stop may have come between the look and the beginning.
        if self.live.stop_asked() {
            cancel(self.engine, Some(run));
        }
        match self.wait(run, &news)? {
            RunState::Completed => Ok(run),
            RunState::Cancelled | RunState::Failed { .. } if self.live.stop_asked() => Err(Stop::Cancelled),
            RunState::Failed { message } => {
                Err(Stop::Failed(Failure::SubPlan { detail: format!("failed: {message}") }))
            }
            state => Err(Stop::Failed(Failure::SubPlan { detail: format!("is {}", state.word()) })),
        }
    }

    fn begin(&self, plan: PlanId, run: RunId) -> Result<(), Stop> {
        let (record, content) = self.store().plans().current(plan)?;
        if record.review != ReviewState::Approved {
            let detail = format!("the plan '{}' is not approved: look at it and approve it first", content.title);
            return Err(Stop::Failed(Failure::BadInput { detail }));
        }
        let parent = ParentNode { run: self.job.run.run, node: self.job.node };
        let content = Arc::new(content);
        // An executor that was overtaken meanwhile begins nothing.
        if self.store().runs().get(self.job.run.run)?.executor != self.engine.executor() {
            return Err(Stop::Cancelled);
        }
        crash_point("before nested run");
        let beginning = Beginning { parent: Some(parent), inherits: None };
        let begun = self.engine.begin_as(run, content, record.version, Goal::All, None, beginning, Actor::Baton);
        crash_point("after nested run");
        match begun {
            // Another executor was quicker: it is the same run.
            Err(_) if self.store().runs().get(run).is_ok() => Ok(()),
            begun => Ok(begun?),
        }
    }

    /// Waits until the run has ended. A run whose executor is dead is taken over; one that stands still waits for a
    /// person, and so does this node.
    fn wait(&self, run: RunId, news: &Receiver<Change>) -> Result<RunState, Stop> {
        let limit = self.node.effective_timeout_ms();
        let deadline = limit.map(|limit| Instant::now() + Duration::from_millis(limit));
        loop {
            let state = match self.store().runs().get(run) {
                Ok(row) => row.state,
                Err(_) if self.live.stop_asked() => return Err(Stop::Cancelled),
                Err(error) => return Err(error.into()),
            };
            if self.live.is_over() {
                return Err(Stop::LetGo);
            }
            if state.has_ended() {
                return Ok(state);
            }
            if state.is_running() {
                match self.engine.adopt(run) {
                    Ok(_) | Err(EngineError::Attended { .. }) => {}
                    Err(error) => tracing::warn!(%run, %error, "the run of a node could not be taken over"),
                }
            }
            if !self.wait_for_news(run, news, deadline) && !self.live.is_over() {
                let limit_ms = limit.unwrap_or_default();
                cancel(self.engine, Some(run));
                return Err(Stop::Failed(Failure::TimedOut { limit_ms }));
            }
        }
    }

    /// False when the time is over.
    fn wait_for_news(&self, run: RunId, news: &Receiver<Change>, deadline: Option<Instant>) -> bool {
        loop {
            let next = match deadline {
                None => news.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(deadline) => news.recv_timeout(deadline.saturating_duration_since(Instant::now())),
            };
            match next {
                Ok(Change::RunChanged { run: changed, .. }) if changed == run => return true,
                Ok(Change::Everything) | Err(RecvTimeoutError::Disconnected) => return true,
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout) => return false,
            }
        }
    }

    /// A plan that would run itself never comes to its end.
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
        self.store().plans().current(plan).map_or_else(|_| plan.to_string(), |(_, plan)| plan.title)
    }

    /// What the runs of an attempt that did not succeed left, for whoever goes on after it: the outputs of the last
    /// one, and where there were several the outputs of each in `results`.
    fn left_so_far(&self) -> Evidence {
        let runs = (1..).map(|number| run_of(self.job.session, number));
        let runs = runs.take_while(|&run| self.store().runs().get(run).is_ok());
        let results: Vec<_> = runs.map(|run| outputs_so_far(self.store(), run)).collect();
        let mut outputs = results.last().cloned().unwrap_or_default();
        outputs.insert("runs".to_owned(), results.len().to_string());
        if matches!(self.node.kind, NodeKind::Loop(_)) {
            outputs.insert("results".to_owned(), serde_json::to_string(&results).unwrap_or_default());
        }
        Evidence { ending: Some(AttemptEnding { outputs, ..AttemptEnding::default() }), ..Evidence::default() }
    }

    /// What the last run left, under the headings of every handoff; its named outputs are those of its nodes.
    fn artifact(&self, runs: &[RunId]) -> Result<Artifact, Stop> {
        let Some(&last) = runs.last() else {
            return Ok(Artifact::from_facts(artifact::Facts {
                done: "Nothing was to be done.".to_owned(),
                ..Default::default()
            }));
        };
        let (replayed, _) = self.store().runs().replay(last)?;
        let plan: &Plan = replayed.plan();
        let times = if runs.len() > 1 { format!(" {} times", runs.len()) } else { String::new() };
        let mut text = format!("{}\nThe plan '{}' was run{times}.\n", artifact::MARKER, plan.title);
        let rows = self.store().artifacts().latest_of(last)?.rows;
        let mut files = Vec::new();
        for row in &rows {
            let is_leaf = replayed
                .graph()
                .number(row.node)
                .is_some_and(|number| replayed.graph().children(number).next().is_none());
            let title = plan.node(row.node).map_or("a node", |node| node.title.as_str());
            if is_leaf {
                let words = row.content.text.trim_start_matches(artifact::MARKER).trim();
                text.extend(["\n### ", title, "\n", words, "\n"]);
            }
            files.extend(row.content.files.iter().cloned());
        }
        files.sort();
        files.dedup();
        let mut outputs = outputs(self.store(), last)?;
        outputs.insert("runs".to_owned(), runs.len().to_string());
        Ok(Artifact { text, outputs, files, ..Artifact::default() })
    }
}

/// The named outputs of all nodes of a run; of two of one name the later node's.
fn outputs(store: &Store, run: RunId) -> Result<std::collections::BTreeMap<String, String>, Stop> {
    let rows = store.artifacts().latest_of(run)?.rows;
    Ok(rows.into_iter().flat_map(|row| row.content.outputs).collect())
}

/// The named outputs of all nodes of a run that did not complete, also of those that failed.
fn outputs_so_far(store: &Store, run: RunId) -> std::collections::BTreeMap<String, String> {
    let mut all = outputs(store, run).unwrap_or_default();
    // What cannot be read is not handed on; the failure is told all the same.
    for (_, row) in store.evidence().of_run(run).unwrap_or_default() {
        all.extend(row.content.ending.map(|ending| ending.outputs).unwrap_or_default());
    }
    all
}

/// The plan that a node names by id, or by a title that only one plan has.
fn find(store: &Store, name: &str) -> Result<PlanId, Failure> {
    let name = name.trim();
    if let Ok(id) = name.parse::<Uuid>() {
        return Ok(PlanId(id));
    }
    let fault = |detail: String| Failure::BadInput { detail };
    let plans = store.plans().list().map_err(|error| fault(error.to_string()))?.rows;
    let found: Vec<PlanId> = plans.iter().filter(|plan| plan.title == name).map(|plan| plan.record.plan).collect();
    match found.as_slice() {
        [plan] => Ok(*plan),
        [] => Err(fault(format!("there is no plan '{name}': choose one in the node"))),
        several => Err(fault(format!("{} plans are called '{name}': choose one by its id", several.len()))),
    }
}

fn cancel(engine: &Engine, run: Option<RunId>) {
    let Some(run) = run else { return };
    if let Err(error) = engine.command(run, Command::Cancel, Actor::Baton) {
        // It has ended by itself, or never began.
        tracing::debug!(%run, %error, "the run of a node was not cancelled");
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
