//! The dispatcher owns a run's state: it is the only place where the state changes.
//!
//! In one turn it takes everything in its inbox, asks the model what follows, appends the result in
//! one transaction, and performs the effects. Inputs that arrive while a transaction is written go
//! into the next one: the busier the run, the fewer commits per node.
//!
//! A turn neither blocks nor knows where its clock, random numbers, store and job runner come from:
//! the blocking loop is in a separate module, and the simulation drives turns without
//! threads.

mod assignment;
mod handoff;
mod permits;
pub(crate) mod runtime;
mod targeted_effect;
mod waiting;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Duration;

use baton_model::expression::{Expression, NodeValues, Values};
use baton_model::node::{AfterCrash, NodeKind};
use baton_model::run::{
    Command, Context, Effect, Event, IllegalTransition, InheritedNode, Refusal, StepError,
};
use baton_model::{
    Artifact, ArtifactId, Attempt, Epoch, Evidence, ExecutorId, NodeId, Outcome, Run, SessionId,
    Timestamp,
};
use baton_store::{
    Actor, NewArtifact, NewEvidence, NewRun, NewSession, ParentNode, RecordedEvent, RunWrite,
    StoreError,
};

use crate::agents::AgentRegistry;
use crate::background::{Background, RunSnapshot};
use crate::checkpoint_name::checkpoint_name;
use crate::crash_point::crash_point;
use crate::error::EngineError;
use crate::job::{Job, RunContext};
use crate::report::{Report, SessionFacts};
use crate::session::InheritedWork;
use crate::step_log;
use crate::work_source::sources_of;

use permits::{PermitBroker, PermitLedger};
pub(crate) use runtime::Runtime;
use targeted_effect::TargetedEffect;

/// How often, and with what delay, a transaction is retried that failed because of the disk or a
/// lock.
const STORE_TRIES: u32 = 30;
const STORE_RETRY_DELAY: Duration = Duration::from_secs(1);

pub(crate) enum Input {
    /// A command from a person, or from a program on their behalf.
    Command {
        command: Command,
        actor: Actor,
        /// Receives the result once it is stored.
        reply: Sender<Result<(), EngineError>>,
    },
    /// A report from a session. The attempt number of a withdrawn attempt is used again, so only
    /// the session identifies which one is meant.
    Report {
        session: SessionId,
        report: Box<Report>,
    },
    /// A timer has fired.
    Alarm(Command),
    /// A permit was released that nodes of this run may wait for.
    PermitsFreed,
    /// The process is shutting down; sessions keep running.
    Shutdown,
    /// Another executor has taken over the run.
    Displaced {
        /// The epoch that began with the takeover.
        epoch: Epoch,
    },
}

/// The state of one run and the means to advance it.
pub(crate) struct Dispatcher<S> {
    run: Run,
    last_seq: u64,
    new: Option<NewRunFacts>,
    runtime: S,
    context: Arc<RunContext>,
    agents: AgentRegistry,
    permits: PermitLedger,
    /// When to wake up, and for which node; `None` means the whole run.
    timers: BTreeSet<(Timestamp, Option<NodeId>)>,
}

/// Data that the store needs to create the row of a new run.
pub(crate) struct NewRunFacts {
    pub(crate) version: u32,
    /// The plan's revision on which the caller based its decision; `None` for any.
    pub(crate) base_revision: Option<u64>,
    pub(crate) executor: ExecutorId,
    /// The node of another run that this run executes.
    pub(crate) parent: Option<ParentNode>,
    /// Copies of the pinned outputs that the run uses.
    pub(crate) pinned: Vec<NewArtifact>,
}

/// Why a dispatcher ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum DispatcherExit {
    /// There is nothing to do until the next command.
    AtRest,
    /// The process is shutting down.
    Shutdown,
    /// Another executor has taken over the run.
    Displaced,
    /// Another writer changed the plan before the run existed. Nothing of it exists.
    PlanChanged,
    /// The store cannot be written. Sessions keep running and are found again later.
    GaveUp(String),
    /// A decision does not fit the run's state, which is a bug. Nothing was stored; sessions keep
    /// running.
    Illegal(IllegalTransition),
}

/// The combined result of a batch of inputs.
#[derive(Default)]
struct Batch {
    events: Vec<RecordedEvent>,
    effects: Vec<TargetedEffect>,
    artifacts: Vec<NewArtifact>,
    evidence: Vec<NewEvidence>,
    facts: Vec<(SessionId, SessionFacts)>,
    granted: Vec<Sender<Result<(), EngineError>>>,
    leave: bool,
    displaced: bool,
    illegal: Option<IllegalTransition>,
}

impl<S: Runtime> Dispatcher<S> {
    /// A dispatcher for `run`. The store holds its first `last_seq` events.
    pub(crate) fn new(
        run: Run,
        last_seq: u64,
        new: Option<NewRunFacts>,
        runtime: S,
        context: Arc<RunContext>,
        agents: AgentRegistry,
    ) -> Self {
        context.set_pins(run.pins());
        Self {
            run,
            last_seq,
            new,
            runtime,
            context,
            agents,
            permits: PermitLedger::default(),
            timers: BTreeSet::new(),
        }
    }

    /// Decides on `inputs`, stores all results in one transaction, and performs the effects. After
    /// an error the dispatcher must not be used again: its state may differ from what is stored.
    pub(crate) fn turn(
        &mut self,
        inputs: impl IntoIterator<Item = Input>,
    ) -> Result<(), DispatcherExit> {
        let mut batch = Batch::default();
        inputs
            .into_iter()
            .for_each(|input| self.handle_input(input, &mut batch));
        if batch.displaced {
            return Err(self.exit_displaced(batch.granted));
        }
        if let Some(illegal) = batch.illegal {
            return Err(self.exit_illegal(illegal, batch.granted));
        }
        let asked_to_leave = batch.leave;
        self.commit(batch)?;
        if asked_to_leave {
            Err(DispatcherExit::Shutdown)
        } else {
            Ok(())
        }
    }

    /// Whether there is nothing to do until the next command.
    pub(crate) fn is_at_rest(&self) -> bool {
        !self.run.state().is_running() && self.run.live_attempts().next().is_none()
    }

    /// When the first timer fires.
    pub(crate) fn alarm(&self) -> Option<Timestamp> {
        self.timers.first().map(|&(at, _)| at)
    }

    /// Removes the first timer and returns its input.
    pub(crate) fn pop_timer(&mut self) -> Option<Input> {
        let (_, node) = self.timers.pop_first()?;
        let command = node.map_or(Command::TimeUp, |node| Command::Due { node });
        Some(Input::Alarm(command))
    }

    fn handle_input(&mut self, input: Input, batch: &mut Batch) {
        if batch.illegal.is_some() {
            // The state no longer matches the store, so no command may be decided on it.
            if let Input::Command { reply, .. } = input {
                batch.granted.push(reply);
            }
            return;
        }
        match input {
            Input::Shutdown => batch.leave = true,
            Input::PermitsFreed => {
                self.permits.ask_again();
                drop(self.apply_internal_command(&Command::PermitsFreed, None, batch));
            }
            // A dispatcher that is about to take the run over knows that epoch already.
            Input::Displaced { epoch } => batch.displaced |= epoch > self.run.epoch(),
            Input::Command {
                command,
                actor,
                reply,
            } => {
                let artifact = handoff::from_command(&command, &self.context);
                match self.step(&command, &actor, artifact, batch) {
                    Ok(()) => batch.granted.push(reply),
                    // The caller may be gone.
                    Err(StepError::Refused(refusal)) => drop(reply.send(Err(refusal.into()))),
                    Err(StepError::Illegal(illegal)) => {
                        batch.granted.push(reply);
                        batch.illegal = Some(illegal);
                    }
                }
            }
            Input::Report { session, report } => self.handle_report(session, *report, batch),
            Input::Alarm(command) => drop(self.apply_internal_command(&command, None, batch)),
        }
    }

    fn handle_report(&mut self, session: SessionId, report: Report, batch: &mut Batch) {
        let Report {
            command,
            artifact,
            evidence,
            facts,
        } = report;
        batch.facts.extend(facts.map(|facts| (session, facts)));
        // A report of an earlier session of the node comes too late, even if its attempt had the
        // same number.
        if command
            .node()
            .is_some_and(|node| !self.is_current(node, session))
        {
            return;
        }
        if self
            .apply_internal_command(&command, artifact, batch)
            .is_ok()
        {
            batch
                .evidence
                .extend(evidence.and_then(|known| self.attempt_evidence(&command, known)));
        }
    }

    fn apply_internal_command(
        &mut self,
        command: &Command,
        artifact: Option<Artifact>,
        batch: &mut Batch,
    ) -> Result<(), StepError> {
        let taken = self.step(command, &Actor::Baton, artifact, batch);
        match &taken {
            Ok(()) | Err(StepError::Refused(Refusal::Late { .. } | Refusal::NotAsked { .. })) => {}
            Err(StepError::Refused(refusal)) => {
                tracing::error!(run = %self.run.id(), %refusal, ?command, "a report was refused")
            }
            Err(StepError::Illegal(illegal)) => batch.illegal = Some(illegal.clone()),
        }
        taken
    }

    /// Returns whether `session` is the latest one of `node`.
    fn is_current(&self, node: NodeId, session: SessionId) -> bool {
        self.run
            .node(node)
            .is_some_and(|run| run.session == Some(session))
    }

    fn step(
        &mut self,
        command: &Command,
        actor: &Actor,
        artifact: Option<Artifact>,
        batch: &mut Batch,
    ) -> Result<(), StepError> {
        let at = self.runtime.now();
        let id = artifact.as_ref().map(|_| ArtifactId(self.runtime.new_id()));
        let command = match (command, id) {
            (
                Command::SessionEnded {
                    node,
                    attempt,
                    outcome,
                    taken,
                    doubt,
                    ..
                },
                Some(_),
            ) => {
                let (node, attempt, outcome, taken, doubt) =
                    (*node, *attempt, outcome.clone(), *taken, doubt.clone());
                &Command::SessionEnded {
                    node,
                    attempt,
                    outcome,
                    artifact: id,
                    taken,
                    doubt,
                }
            }
            _ => command,
        };
        let mut new_session = || SessionId(self.runtime.new_id());
        let fresh: Vec<_> = batch
            .artifacts
            .iter()
            .map(|left| (left.node, &left.content))
            .collect();
        let ending = command.node().zip(artifact.as_ref());
        let fill_templates = |node: NodeId, text: &str| {
            self.context
                .render_text(node, text, fresh.iter().copied().chain(ending))
        };
        let chance = self.runtime.random();
        let roster = self.agents.roster(self.run.id());
        let parent = self.new.as_ref().and_then(|new| new.parent);
        let limits = self.agents.limits();
        let permits = PermitBroker::open(
            &self.runtime,
            &self.permits,
            limits,
            (&self.run, parent),
            at,
        );
        let (new_session, roster, permits) = (&mut new_session, &roster, &permits);
        let mut context = Context {
            now: at,
            chance,
            new_session,
            artifact: id,
            fill_templates: &fill_templates,
            roster,
            permits,
        };
        let step = self.run.step(command, &mut context)?;
        if let (Some(content), Some(id)) = (artifact, id) {
            let of = step
                .events
                .iter()
                .find_map(|event| handoff::produced_by(event, id));
            if let Some((node, attempt)) = of {
                let attempt = attempt
                    .or_else(|| Some(self.run.node(node)?.attempt))
                    .unwrap_or_default();
                batch.artifacts.push(NewArtifact {
                    id,
                    node,
                    attempt,
                    content,
                    created_at: at,
                });
            }
        }
        batch
            .events
            .extend(step.events.into_iter().map(|event| RecordedEvent {
                at,
                actor: actor.clone(),
                event,
            }));
        let effects = step
            .effects
            .into_iter()
            .map(|effect| TargetedEffect::of(effect, &self.run));
        batch.effects.extend(effects);
        Ok(())
    }

    /// Returns what is known of the attempt that `command` ends.
    fn attempt_evidence(&self, command: &Command, content: Evidence) -> Option<NewEvidence> {
        let Command::SessionEnded { node, attempt, .. } = command else {
            return None;
        };
        Some(NewEvidence {
            node: *node,
            attempt: *attempt,
            content,
            created_at: self.runtime.now(),
        })
    }

    fn commit(&mut self, batch: Batch) -> Result<(), DispatcherExit> {
        let appends = !batch.events.is_empty();
        if appends {
            let touched = self.run.take_changed_nodes();
            if let Err(error) = self.append(&batch, &touched) {
                return Err(self.exit_after_store_error(&error, batch.granted));
            }
        }
        self.record_agent_limits(&batch.events);
        self.log_steps(&batch.events);
        self.settle_permits();
        crash_point("before effects");
        for artifact in batch.artifacts {
            self.context
                .set_artifact(artifact.node, Arc::new(artifact.content));
        }
        if batch
            .events
            .iter()
            .any(|record| handoff::is_pin(&record.event))
        {
            self.context.set_pins(self.run.pins());
        }
        for (done, order) in batch.effects.into_iter().enumerate() {
            if done == 1 {
                crash_point("amid effects");
            }
            // Later in the batch, the node may have a newer session.
            if order
                .node_and_session()
                .is_none_or(|(node, session)| self.is_current(node, session))
            {
                self.perform(order);
            }
        }
        crash_point("after effects");
        for reply in batch.granted {
            drop(reply.send(Ok(())));
        }
        for (session, facts) in batch.facts {
            crash_point("before facts");
            self.keep_facts(session, &facts);
            if !appends {
                self.keep_worked_time(session, &facts);
            }
            crash_point("after facts");
        }
        Ok(())
    }

    /// Logs the nodes that have ended, and after a takeover those that the former executor may have
    /// left out.
    fn log_steps(&self, events: &[RecordedEvent]) {
        let is_logged = |record: &RecordedEvent| step_log::is_logged(&record.event);
        if takes_over(events) || events.iter().any(is_logged) {
            self.runtime.log_steps(self.run.id(), self.run.plan());
        }
    }

    /// Reports to all callers that nothing was stored, and returns why this dispatcher ends.
    fn exit_after_store_error(
        &self,
        error: &StoreError,
        waiting: Vec<Sender<Result<(), EngineError>>>,
    ) -> DispatcherExit {
        self.release_permits();
        if matches!(
            error,
            StoreError::StaleEpoch { .. } | StoreError::StaleHistory { .. }
        ) {
            return self.exit_displaced(waiting);
        }
        if let &StoreError::Conflict {
            plan,
            based_on,
            current,
        } = error
        {
            for reply in waiting {
                let conflict = StoreError::Conflict {
                    plan,
                    based_on,
                    current,
                };
                // The caller may be gone.
                drop(reply.send(Err(conflict.into())));
            }
            return DispatcherExit::PlanChanged;
        }
        let (run, reason) = (self.run.id(), error.to_string());
        for reply in waiting {
            // The caller may be gone.
            drop(reply.send(Err(EngineError::GaveUp {
                run,
                reason: reason.clone(),
            })));
        }
        DispatcherExit::GaveUp(reason)
    }

    /// Reports to all callers that the run is dropped with everything decided since the last
    /// append.
    fn exit_illegal(
        &self,
        illegal: IllegalTransition,
        waiting: Vec<Sender<Result<(), EngineError>>>,
    ) -> DispatcherExit {
        self.release_permits();
        for reply in waiting {
            // The caller may be gone.
            drop(reply.send(Err(EngineError::Illegal(illegal.clone()))));
        }
        DispatcherExit::Illegal(illegal)
    }

    /// Leaves the run to its new executor; callers are redirected there.
    fn exit_displaced(&self, waiting: Vec<Sender<Result<(), EngineError>>>) -> DispatcherExit {
        self.agents.forget_sessions_of(self.run.id());
        for reply in waiting {
            // The caller may be gone.
            drop(reply.send(Err(EngineError::Moved { run: self.run.id() })));
        }
        DispatcherExit::Displaced
    }

    /// Appends, and retries temporary errors for a while: nothing may be lost, and the sessions
    /// keep running meanwhile.
    fn append(
        &mut self,
        batch: &Batch,
        touched: &[(NodeId, baton_model::run::NodeRun)],
    ) -> Result<(), StoreError> {
        crash_point(if batch.artifacts.is_empty() {
            "before append"
        } else {
            "before append of a handoff"
        });
        let nodes: Vec<_> = touched.iter().map(|(node, state)| (*node, state)).collect();
        let sessions = self.sessions_of(&batch.events);
        let mut tries = 0;
        loop {
            let expected = self.last_seq + batch.events.len() as u64;
            match self.append_once(batch, &nodes, &sessions) {
                Ok(seq) => {
                    self.last_seq = seq;
                    self.new = None;
                    crash_point(if batch.artifacts.is_empty() {
                        "after append"
                    } else {
                        "after append of a handoff"
                    });
                    return Ok(());
                }
                // The commit that seemed to fail is on the disk: there is no other writer in this
                // epoch. A takeover writes in the previous executor's epoch, which may also have
                // advanced the history.
                Err(StoreError::StaleHistory { current, .. })
                    if tries > 0 && current == expected && !takes_over(&batch.events) =>
                {
                    self.last_seq = expected;
                    return Ok(());
                }
                Err(StoreError::Exists { .. }) if tries > 0 && self.new.is_some() => {
                    self.last_seq = expected;
                    self.new = None;
                    return Ok(());
                }
                Err(error) if error.is_transient() && tries < STORE_TRIES => {
                    tracing::warn!(run = %self.run.id(), %error, "the run waits for the store");
                    tries += 1;
                    self.runtime.pause(STORE_RETRY_DELAY);
                }
                Err(error) => return Err(error),
            }
        }
    }

    fn append_once(
        &self,
        batch: &Batch,
        nodes: &[(NodeId, &baton_model::run::NodeRun)],
        sessions: &[NewSession],
    ) -> Result<u64, StoreError> {
        if let (Some(new), Some(first)) = (&self.new, batch.events.first()) {
            return self.runtime.create(&NewRun {
                run: &self.run,
                version: new.version,
                base_revision: new.base_revision,
                executor: new.executor,
                parent: new.parent,
                actor: &first.actor,
                at: first.at,
                records: &batch.events,
                sessions,
                artifacts: &new.pinned,
            });
        }
        let facts = batch.facts.iter();
        let worked: Vec<_> = facts
            .filter_map(|(session, facts)| Some((*session, facts.worked_ms?)))
            .collect();
        self.runtime.append(&RunWrite {
            run: self.run.id(),
            epoch: self.run.epoch(),
            expected_last_seq: Some(self.last_seq),
            records: &batch.events,
            state: self.run.state(),
            nodes,
            artifacts: &batch.artifacts,
            evidence: &batch.evidence,
            sessions,
            worked: &worked,
        })
    }

    fn sessions_of(&self, events: &[RecordedEvent]) -> Vec<NewSession> {
        let reserved = events.iter().filter_map(|record| match &record.event {
            Event::NodeReserved {
                node,
                attempt,
                session,
                choice,
                ..
            } => Some((record.at, *node, *attempt, *session, choice.as_ref())),
            Event::NodeAssigned {
                node,
                attempt,
                choice,
            } => {
                let session = self.run.node(*node)?.session?;
                Some((record.at, *node, *attempt, session, Some(choice)))
            }
            _ => None,
        });
        reserved
            .filter_map(|(created_at, node, attempt, id, choice)| {
                let definition = self.run.plan().nodes.get(self.run.position(node)?)?;
                let agent = self.agent_for(definition, choice);
                let (folder, title) = (format!("sessions/{id}"), definition.title.clone());
                Some(NewSession {
                    id,
                    node,
                    attempt,
                    agent,
                    folder,
                    title,
                    created_at,
                })
            })
            .collect()
    }

    fn perform(
        &mut self,
        TargetedEffect {
            effect,
            session: of,
        }: TargetedEffect,
    ) {
        match effect {
            Effect::StartSession {
                node,
                attempt,
                session,
                resumes,
            } => {
                if self.has_lost_permits(node) {
                    return self.runtime.withdraw(self.job(node, attempt, session));
                }
                let job = self.job_to_start(node, attempt, session, resumes);
                self.runtime.start(job);
            }
            Effect::StopSession { node, attempt } => {
                if let Some(session) = of {
                    crash_point("before stop");
                    self.runtime.stop(self.job(node, attempt, session));
                    crash_point("after stop");
                }
            }
            Effect::WithdrawSession { node, attempt } => {
                if let Some(session) = of {
                    self.runtime.withdraw(self.job(node, attempt, session));
                }
            }
            Effect::Answer {
                node,
                attempt,
                request,
                answer,
            } => {
                crash_point("before answer");
                self.runtime.answer(node, attempt, &request, &answer);
                crash_point("after answer");
            }
            Effect::VerifyInherited {
                epoch,
                nodes,
                budget_ms,
            } => {
                let work = |InheritedNode {
                                node,
                                attempt,
                                session,
                            }| InheritedWork {
                    job: self.job(node, attempt, session),
                    epoch,
                };
                let works = nodes.into_iter().map(work).collect();
                self.runtime.verify(works, Duration::from_millis(budget_ms));
            }
            Effect::StopVerifying => self.runtime.stop_verifying(),
            Effect::WakeAt { node, at } => {
                self.timers.insert((at, Some(node)));
            }
            Effect::AlarmAt { at } => {
                self.timers.insert((at, None));
            }
        }
    }

    fn job(&self, node: NodeId, attempt: baton_model::Attempt, session: SessionId) -> Job {
        Job {
            run: Arc::clone(&self.context),
            node,
            attempt,
            session,
            resumes: None,
            follows: None,
            continuation: None,
            restores: None,
            spent_before: self.run.spent_before(node),
            allowance: self.run.allowance_of(node),
            values: Values::default(),
            background: Background::default(),
            granted: self.run.grants_for(node).cloned().collect(),
            sources: Vec::new(),
            decided: None,
            choice: self.run.node(node).and_then(|run| run.choice.clone()),
            asks: self.question_of(node),
        }
    }

    /// The job with everything it needs to start.
    fn job_to_start(
        &self,
        node: NodeId,
        attempt: Attempt,
        session: SessionId,
        resumes: Option<SessionId>,
    ) -> Job {
        let follows = resumes;
        // A nested run is resumed by its own id.
        let talks = self
            .run
            .position(node)
            .is_some_and(|at| self.run.plan().nodes[at].kind.sub_plan().is_none());
        let resumes = resumes
            .filter(|_| talks)
            .map(|earlier| self.native_name(earlier, session));
        if resumes.is_none() {
            self.name_after_the_plan(node, session);
        }
        let restores = self.checkpoint_to_restore(node, attempt);
        let sources = sources_of(&self.run, node);
        let state = self.run.node(node);
        let decided = state.and_then(|run| run.decided.clone());
        let continuation = state.and_then(|run| run.continuation.clone());
        Job {
            resumes,
            follows,
            continuation,
            restores,
            values: self.values_for(node),
            background: self.background_of(node, attempt),
            sources,
            decided,
            ..self.job(node, attempt, session)
        }
    }

    /// Returns what the attempt receives besides handoffs. This is optional: what cannot be read is
    /// left out.
    fn background_of(&self, node: NodeId, attempt: Attempt) -> Background {
        let plan = self.run.plan();
        let Some(definition) = self
            .run
            .position(node)
            .and_then(|position| plan.nodes.get(position))
        else {
            return Background::default();
        };
        let state = |node| self.run.node(node).map(|run| &run.state);
        let store = self.runtime.store();
        let snapshot = RunSnapshot {
            store,
            run: self.run.id(),
            plan,
            graph: self.run.graph(),
            state: &state,
        };
        Background::gather(&snapshot, definition, Some(attempt)).unwrap_or_else(|error| {
            tracing::error!(run = %self.run.id(), node = %definition.slug, %error, "couldn't read the failures of nodes");
            Background::default()
        })
    }

    /// The agent's native id of `earlier`, under which `session` continues. Stored at once: the
    /// next resume may come before the agent reports the id.
    fn native_name(&self, earlier: SessionId, session: SessionId) -> String {
        let sessions = self.runtime.store().sessions();
        let reported = sessions.get(earlier).ok().and_then(|row| row.native_id);
        let name = reported.unwrap_or_else(|| earlier.to_string());
        self.keep_native_name(session, &name);
        name
    }

    /// Stores the native id of a session from before the run for the node that continues it.
    fn name_after_the_plan(&self, node: NodeId, session: SessionId) {
        let definition = self
            .run
            .position(node)
            .and_then(|position| self.run.plan().nodes.get(position));
        let Some(NodeKind::Agent(task)) = definition.map(|definition| &definition.kind) else {
            return;
        };
        if let Some(earlier) = task.session.as_ref().filter(|earlier| !earlier.fork) {
            self.keep_native_name(session, &earlier.id);
        }
    }

    fn keep_native_name(&self, session: SessionId, name: &str) {
        if let Err(error) = self.runtime.store().sessions().set_native_id(session, name) {
            tracing::warn!(%session, %error, "couldn't store the native id of a resumed session");
        }
    }

    /// The checkpoint from before a lost attempt, if the node is configured to restore it.
    fn checkpoint_to_restore(&self, node: NodeId, attempt: Attempt) -> Option<String> {
        let definition = self.run.plan().nodes.get(self.run.position(node)?)?;
        if definition.after_crash != AfterCrash::Restart || attempt.0 < 2 {
            return None;
        }
        let attempts = self
            .runtime
            .store()
            .attempts()
            .list(self.run.id(), node)
            .ok()?;
        let last = attempts.iter().rev().find(|row| row.attempt < attempt)?;
        let lost = matches!(last.outcome, Some(Outcome::Lost { .. }));
        lost.then(|| format!("{}/before", checkpoint_name(self.run.id(), last.session)))
    }

    /// The values that the condition of `node` refers to.
    fn values_for(&self, node: NodeId) -> Values {
        let plan = self.run.plan();
        let definition = self
            .run
            .position(node)
            .and_then(|position| plan.nodes.get(position));
        let condition = definition.and_then(|definition| definition.kind.condition());
        let Some(expression) = condition.and_then(|text| Expression::parse(text).ok()) else {
            return Values::default();
        };
        let asked = expression.slugs();
        let known = self
            .run
            .nodes()
            .filter(|(node, _)| asked.contains(node.slug.as_str()));
        let nodes = known.map(|(node, run)| {
            let left = self.context.artifact(node.id);
            let outputs = left
                .as_ref()
                .map(|artifact| artifact.outputs.clone())
                .unwrap_or_default();
            let is_cut = left.is_some_and(|artifact| !artifact.outputs_left_out.is_empty());
            (
                node.slug.to_string(),
                NodeValues {
                    state: run.state.as_str().to_owned(),
                    outputs,
                    is_cut,
                },
            )
        });
        Values {
            nodes: nodes.collect(),
            round: None,
        }
    }

    fn keep_facts(&self, session: SessionId, facts: &SessionFacts) {
        let sessions = self.runtime.store().sessions();
        let named = facts
            .native_id
            .as_deref()
            .map_or(Ok(()), |name| sessions.set_native_id(session, name));
        let used = (facts.usage != Default::default())
            .then(|| serde_json::to_value(facts.usage).ok())
            .flatten()
            .map_or(Ok(()), |usage| sessions.record_usage(session, &usage));
        for error in [named, used].into_iter().filter_map(Result::err) {
            tracing::warn!(%session, %error, "couldn't store the facts of a session");
        }
    }

    /// For a report that came too late to change the run; otherwise the events are stored with it.
    fn keep_worked_time(&self, session: SessionId, facts: &SessionFacts) {
        let Some(worked_ms) = facts.worked_ms else {
            return;
        };
        let sessions = self.runtime.store().sessions();
        if let Err(error) = sessions.set_worked_ms(session, worked_ms) {
            tracing::warn!(%session, %error, "couldn't store how long a session worked");
        }
    }
}

fn takes_over(events: &[RecordedEvent]) -> bool {
    events
        .iter()
        .any(|record| matches!(record.event, Event::TakenOver { .. }))
}

/// The first epoch of a run's next executor.
pub(crate) fn next_epoch(epoch: Epoch) -> Epoch {
    Epoch(epoch.0 + 1)
}
