//! A simulated run that is stored without starting processes; this file makes up the reports.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use baton_model::arbiter::EmptyRoster;
use baton_model::artifact::Facts;
use baton_model::node::{CommandLine, CommandTask, NodeKind};
use baton_model::run::{Command, Context, Event, Goal, NodeRun, UnlimitedPermits, WaitingFor};
use baton_model::{
    Artifact, ArtifactId, Edge, Epoch, ExecutorId, Node, NodeId, NodeState, Outcome, Plan, PlanId,
    Run, RunId, SessionId, Slug, Timestamp,
};
use baton_store::{
    Actor, ExecutorKind, ExecutorRow, NewArtifact, NewRun, NewSession, Options, RecordedEvent,
    RunWrite, Store, StoreError,
};
use uuid::Uuid;

/// Opens the store in `folder` with a short busy timeout.
pub fn open(folder: &Path) -> Result<Store, StoreError> {
    Store::open_with(
        folder,
        Options {
            busy_timeout: Duration::from_millis(200),
            ..Options::default()
        },
    )
}

/// A plan of command nodes in `layers` layers of `width`, each a child of two nodes in the previous
/// layer.
pub fn layered_plan(layers: usize, width: usize) -> Plan {
    let mut plan = Plan::new(PlanId(Uuid::now_v7()), "A plan");
    for number in 0..layers * width {
        let command = CommandTask {
            command: CommandLine::Argv(vec!["true".to_owned()]),
            env: Default::default(),
            cwd: None,
        };
        let slug = Slug::new(&format!("n{number}")).expect("a letter and digits");
        plan.nodes.push(Node::new(
            NodeId(Uuid::now_v7()),
            slug,
            format!("Node {number}"),
            NodeKind::Command(command),
        ));
    }
    for child in width..layers * width {
        let above = (child / width - 1) * width;
        let mut parents = vec![above + child % width, above + (child + 1) % width];
        parents.dedup();
        for parent in parents {
            plan.edges.push(Edge {
                parent: plan.nodes[parent].id,
                child: plan.nodes[child].id,
                soft: false,
                inferred: false,
            });
        }
    }
    plan
}

/// An executor with the pid of this process.
pub fn executor() -> ExecutorRow {
    ExecutorRow {
        id: ExecutorId(Uuid::now_v7()),
        kind: ExecutorKind::Cli,
        pid: std::process::id(),
        process_start: 1,
        boot_id: "boot".to_owned(),
        pid_namespace: String::new(),
        host: "host".to_owned(),
        started_at: Timestamp(1),
        last_beat: Timestamp(1),
        beat_awake_ms: 1,
        ended_at: None,
    }
}

/// A run and the state of its writer.
pub struct SampleRun {
    pub store: Store,
    pub run: Run,
    pub seq: u64,
    /// The epoch to write with.
    pub epoch: Epoch,
    /// The duration of each append.
    pub appends: Vec<Duration>,
    now: i64,
}

impl SampleRun {
    /// Stores a plan and starts a run of it.
    pub fn begin(store: &Store, plan: Plan) -> Self {
        let executor = executor();
        store
            .executors()
            .register(&executor)
            .expect("a new executor");
        store
            .plans()
            .create(&plan, &Actor::PERSON, Timestamp(1))
            .expect("a new plan");
        Self::begin_stored(store, plan, executor.id)
    }

    /// Starts a run of a stored plan.
    pub fn begin_stored(store: &Store, plan: Plan, executor: ExecutorId) -> Self {
        let run = Run::new(RunId(Uuid::now_v7()), Arc::new(plan)).expect("no cycle");
        let mut sample = Self {
            store: store.clone(),
            run,
            seq: 0,
            epoch: Epoch(0),
            appends: Vec::new(),
            now: 1000,
        };
        let start = Command::Start {
            version: 1,
            goal: Goal::All,
            limit: Some(2),
            executor,
            default_agent: None,
            inherits: None,
            grants: Vec::new(),
            caller: None,
            pinned: Vec::new(),
        };
        let step = sample
            .run
            .step(&start, &mut step_context(sample.at(), &mut new_session));
        let events = step.expect("a run that has not begun can begin").events;
        let records = sample.records(events);
        let sessions = sample.sessions(&records);
        let new = NewRun {
            run: &sample.run,
            version: 1,
            base_revision: None,
            executor,
            parent: None,
            actor: &Actor::PERSON,
            at: sample.at(),
            records: &records,
            sessions: &sessions,
            artifacts: &[],
        };
        sample.seq = store.runs().create(&new).expect("a new run");
        sample
    }

    /// Loads a stored run, as another process would.
    pub fn load(store: &Store, run: RunId) -> Self {
        let (mut run, seq) = store.runs().replay(run).expect("a legal history");
        drop(run.take_changed_nodes());
        let (epoch, store) = (run.epoch(), store.clone());
        Self {
            store,
            run,
            seq,
            epoch,
            appends: Vec::new(),
            now: 100_000,
        }
    }

    /// Takes the run over as the next executor.
    pub fn take_over(&mut self) {
        let executor = executor();
        self.store
            .executors()
            .register(&executor)
            .expect("a new executor");
        let epoch = Epoch(self.epoch.0 + 1);
        self.command(
            &Command::TakeOver {
                executor: executor.id,
                epoch,
                record: None,
            },
            &[],
        )
        .expect("no other process owns it");
    }

    /// Simulates progress: attempts that wait for their slot start, running ones succeed. Returns
    /// false at the end.
    pub fn step(&mut self) -> Result<bool, StoreError> {
        let Some((node, attempt, _)) = self.run.live_attempts().next() else {
            return Ok(false);
        };
        let waits = self.run.node(node).is_some_and(|run| {
            run.state
                == NodeState::Waiting {
                    what: WaitingFor::Slot,
                }
        });
        if waits {
            self.command(
                &Command::SessionStarted {
                    node,
                    attempt,
                    checkpoint: None,
                },
                &[],
            )?;
        } else {
            let artifact = NewArtifact {
                id: ArtifactId(Uuid::now_v7()),
                node,
                attempt,
                content: Artifact::from_facts(Facts {
                    done: "`true` ended with exit code 0.".to_owned(),
                    ..Facts::default()
                }),
                created_at: self.at(),
            };
            let (outcome, id) = (Outcome::Succeeded, Some(artifact.id));
            let ended = Command::SessionEnded {
                node,
                attempt,
                outcome,
                artifact: id,
                taken: None,
                doubt: None,
            };
            self.command(&ended, &[artifact])?;
        }
        Ok(true)
    }

    /// Simulates the whole run.
    pub fn finish(&mut self) {
        while self.step().expect("the store is fine") {}
    }

    /// Applies a command that must be legal, and stores the result.
    pub fn command(
        &mut self,
        command: &Command,
        artifacts: &[NewArtifact],
    ) -> Result<(), StoreError> {
        assert!(
            self.command_if_legal(command, artifacts)?,
            "{command:?} is legal"
        );
        Ok(())
    }

    /// Applies a command and stores the result. Returns false if the command was refused.
    pub fn command_if_legal(
        &mut self,
        command: &Command,
        artifacts: &[NewArtifact],
    ) -> Result<bool, StoreError> {
        self.now += 1;
        let before: Vec<NodeRun> = self.run.nodes().map(|(_, node)| node.clone()).collect();
        let Ok(step) = self
            .run
            .step(command, &mut step_context(self.at(), &mut new_session))
        else {
            return Ok(false);
        };
        let records = self.records(step.events);
        let sessions = self.sessions(&records);
        let nodes: Vec<(NodeId, &NodeRun)> = self
            .run
            .nodes()
            .zip(&before)
            .filter(|((_, after), before)| after != before)
            .map(|((node, after), _)| (node.id, after))
            .collect();
        let write = RunWrite {
            run: self.run.id(),
            epoch: self.epoch,
            expected_last_seq: Some(self.seq),
            records: &records,
            state: self.run.state(),
            nodes: &nodes,
            artifacts,
            evidence: &[],
            sessions: &sessions,
            worked: &[],
        };
        let begin = Instant::now();
        self.seq = self.store.runs().append(&write)?;
        self.appends.push(begin.elapsed());
        self.epoch = self.run.epoch();
        Ok(true)
    }

    fn at(&self) -> Timestamp {
        Timestamp(self.now)
    }

    fn records(&self, events: Vec<Event>) -> Vec<RecordedEvent> {
        events
            .into_iter()
            .map(|event| RecordedEvent {
                at: self.at(),
                actor: Actor::Baton,
                event,
            })
            .collect()
    }

    fn sessions(&self, records: &[RecordedEvent]) -> Vec<NewSession> {
        let reserved = records.iter().filter_map(|record| match &record.event {
            Event::NodeReserved {
                node,
                attempt,
                session,
                ..
            } => Some((*node, *attempt, *session)),
            _ => None,
        });
        reserved
            .map(|(node, attempt, id)| NewSession {
                id,
                node,
                attempt,
                agent: None,
                folder: format!("sessions/{id}"),
                title: "Node".to_owned(),
                created_at: self.at(),
            })
            .collect()
    }
}

fn new_session() -> SessionId {
    SessionId(Uuid::now_v7())
}

fn step_context<'a>(now: Timestamp, new_session: &'a mut dyn FnMut() -> SessionId) -> Context<'a> {
    let (roster, permits) = (&EmptyRoster, &UnlimitedPermits);
    Context {
        now,
        chance: 0.5,
        new_session,
        artifact: None,
        fill_templates: &|_, text| text.to_owned(),
        roster,
        permits,
    }
}
