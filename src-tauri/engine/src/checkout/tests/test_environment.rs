//! A repository, a data directory, and a run whose nodes a test controls directly.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use baton_model::expression::Values;
use baton_model::node::{CommandLine, CommandTask};
use baton_model::run::{Conflict, Event, Goal, MergeDecision, Resolution, Semantics};
use baton_model::{
    Attempt, Edge, ExecutorId, Isolation, Node, NodeId, NodeKind, Outcome, Plan, PlanId, Run,
    RunId, SessionId, Slug, Timestamp,
};
use tempfile::TempDir;
use uuid::Uuid;

use super::super::{CheckoutError, NodeWorktree, PreparedCheckout, commit_work, prepare_checkout};
use crate::git::Git;
use crate::job::{Job, RunContext};
use crate::work_source::WorkSource;

/// A repository with a folder for Baton's data beside it, and one run.
pub(super) struct TestEnvironment {
    folder: TempDir,
    name: &'static str,
    pub(super) plan: Plan,
    /// The last session of each node.
    sessions: HashMap<usize, SessionId>,
    counter: u128,
}

impl TestEnvironment {
    /// An empty repository, and a plan with `count` isolated nodes without edges.
    pub(super) fn new(count: usize) -> Self {
        Self::named("tree", count)
    }

    pub(super) fn named(name: &'static str, count: usize) -> Self {
        let folder = tempfile::tempdir().expect("temp dir");
        let root = fs::canonicalize(folder.path()).expect("exists").join(name);
        fs::create_dir(&root).expect("create folder");
        let mut plan = Plan::new(PlanId(Uuid::from_u128(1)), "A plan");
        plan.cwd = Some(root.display().to_string());
        plan.settings.isolation = Isolation::Worktree;
        for number in 0..count {
            let task = CommandTask {
                command: CommandLine::Argv(vec!["true".to_owned()]),
                env: BTreeMap::default(),
                cwd: None,
            };
            let slug = Slug::new(&format!("n{number}")).expect("valid slug");
            let id = NodeId(Uuid::from_u128(number as u128 + 1));
            plan.nodes.push(Node::new(
                id,
                slug,
                format!("Node {number}"),
                NodeKind::Command(task),
            ));
        }
        let env = Self {
            folder,
            name,
            plan,
            sessions: HashMap::new(),
            counter: 100,
        };
        env.git(&["init", "--quiet", "--initial-branch=main"]);
        env
    }

    /// Adds these files and commits them.
    pub(super) fn committed(count: usize, files: &[(&str, &str)]) -> Self {
        let env = Self::new(count);
        for (path, content) in files {
            env.write(path, content);
        }
        env.commit_all();
        env
    }

    pub(super) fn edge(&mut self, parent: usize, child: usize) {
        let (parent, child) = (self.plan.nodes[parent].id, self.plan.nodes[child].id);
        self.plan.edges.push(Edge {
            parent,
            child,
            soft: false,
            inferred: false,
        });
    }

    pub(super) fn share(&mut self, number: usize) {
        self.plan.nodes[number].isolation = Some(Isolation::Shared);
    }

    pub(super) fn root(&self) -> PathBuf {
        fs::canonicalize(self.folder.path())
            .expect("exists")
            .join(self.name)
    }

    pub(super) fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    pub(super) fn git(&self, arguments: &[&str]) -> String {
        let output = Git::at(&self.root())
            .with_baton_identity()
            .with("GIT_ALLOW_PROTOCOL", "file")
            .run(arguments)
            .expect("git works");
        String::from_utf8_lossy(&output).trim_end().to_owned()
    }

    pub(super) fn commit_all(&self) {
        self.git(&["add", "--all"]);
        self.git(&[
            "commit",
            "--quiet",
            "--no-verify",
            "--no-gpg-sign",
            "--allow-empty",
            "-m",
            "work",
        ]);
    }

    pub(super) fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        write(&self.root(), path, content);
    }

    pub(super) fn read(&self, path: &str) -> Option<String> {
        fs::read_to_string(self.root().join(path)).ok()
    }

    pub(super) fn place(&self, number: usize) -> PathBuf {
        NodeWorktree::of(&self.data(), run(), &self.plan.nodes[number])
            .path()
            .to_path_buf()
    }

    pub(super) fn write_in(&self, number: usize, path: &str, content: impl AsRef<[u8]>) {
        write(&self.place(number), path, content);
    }

    pub(super) fn read_in(&self, number: usize, path: &str) -> Option<String> {
        fs::read_to_string(self.place(number).join(path)).ok()
    }

    /// A new attempt of a node that starts from its parents' last attempts.
    pub(super) fn job(&mut self, number: usize, decided: Option<MergeDecision>) -> Job {
        self.counter += 1;
        let session = SessionId(Uuid::from_u128(self.counter));
        let plan = Arc::new(self.plan.clone());
        let graph = plan.graph().expect("no cycle");
        let sources = self.sources(number);
        self.sessions.insert(number, session);
        Job {
            run: Arc::new(RunContext::new(
                run(),
                Arc::clone(&plan),
                graph,
                HashMap::new(),
            )),
            node: plan.nodes[number].id,
            attempt: Attempt(1),
            session,
            resumes: None,
            follows: None,
            continuation: None,
            restores: None,
            background: crate::background::Background::default(),
            spent_before: Default::default(),
            allowance: Default::default(),
            values: Values::default(),
            granted: Vec::new(),
            sources,
            decided,
            choice: None,
            asks: None,
        }
    }

    fn sources(&self, number: usize) -> Vec<WorkSource> {
        let own = |number: usize| {
            self.plan.nodes[number].isolation_in(&self.plan.settings) == Isolation::Worktree
        };
        let child = self.plan.nodes[number].id;
        let parents = (0..self.plan.nodes.len()).filter(|&parent| {
            self.plan
                .edges
                .iter()
                .any(|edge| (edge.parent, edge.child) == (self.plan.nodes[parent].id, child))
        });
        let mut sources: Vec<WorkSource> = parents
            .map(|parent| match own(parent) {
                true => WorkSource::Session {
                    node: self.plan.nodes[parent].id,
                    session: self.sessions[&parent],
                },
                false => WorkSource::Directory,
            })
            .collect();
        if !own(number) && !sources.is_empty() {
            sources.insert(0, WorkSource::Directory);
        }
        sources
    }

    pub(super) fn prepare_checkout(
        &mut self,
        number: usize,
    ) -> Result<PreparedCheckout, CheckoutError> {
        self.decide(number, None)
    }

    pub(super) fn decide(
        &mut self,
        number: usize,
        decided: Option<MergeDecision>,
    ) -> Result<PreparedCheckout, CheckoutError> {
        let job = self.job(number, decided);
        prepare_checkout(&job, &self.plan.nodes[number], &self.data())
    }

    /// Resolves the conflict like a person who was shown it.
    pub(super) fn resolve(
        &mut self,
        number: usize,
        conflict: &Conflict,
        resolution: Resolution,
    ) -> PreparedCheckout {
        let decided = MergeDecision {
            conflict: conflict.id.clone(),
            resolution,
        };
        self.decide(number, Some(decided)).expect("git works")
    }

    /// Starts a node, calls `work` in its directory and ends it successfully.
    pub(super) fn run(&mut self, number: usize, work: impl FnOnce(&Path)) {
        let job = self.job(number, None);
        let node = self.plan.nodes[number].clone();
        assert_eq!(
            prepare_checkout(&job, &node, &self.data()).expect("git works"),
            PreparedCheckout::Ready
        );
        let own = node.isolation_in(&self.plan.settings) == Isolation::Worktree;
        work(&if own { self.place(number) } else { self.root() });
        if own {
            commit_work(&job, &node, &self.data(), true).expect("git works");
        }
    }

    /// Ends the last attempt of a node that was prepared already.
    pub(super) fn keep_last(&mut self, number: usize) {
        let session = self.sessions[&number];
        let job = Job {
            session,
            ..self.job(number, None)
        };
        self.sessions.insert(number, session);
        commit_work(&job, &self.plan.nodes[number], &self.data(), true).expect("git works");
    }

    /// The run as the store would have it: every node that has run is done.
    pub(super) fn as_run(&self) -> Run {
        let mut history = vec![Event::Started {
            plan: self.plan.id,
            version: 1,
            goal: Goal::All,
            limit: 8,
            executor: ExecutorId(Uuid::nil()),
            default_agent: None,
            trusted_tools: Vec::new(),
            inherits: None,
            grants: Vec::new(),
            caller: None,
            settings: None,
            semantics: Semantics::V4,
        }];
        for (number, definition) in self.plan.nodes.iter().enumerate() {
            let (node, attempt) = (definition.id, Attempt(1));
            let Some(&session) = self.sessions.get(&number) else {
                continue;
            };
            history.push(Event::NodeReserved {
                node,
                attempt,
                session,
                resumes: None,
                choice: None,
                asks: None,
            });
            history.push(Event::NodeStarted {
                node,
                attempt,
                checkpoint: None,
            });
            history.push(Event::NodeEnded {
                node,
                attempt,
                outcome: Outcome::Succeeded,
                artifact: None,
                retry_at: None,
                taken: None,
            });
        }
        let history = history.into_iter().map(|event| (Timestamp(1), event));
        Run::replay(run(), Arc::new(self.plan.clone()), history).expect("valid history")
    }

    /// The conflict that a node has.
    pub(super) fn conflict(&mut self, number: usize) -> Conflict {
        match self.prepare_checkout(number).expect("git works") {
            PreparedCheckout::Conflict(conflict) => *conflict,
            other => panic!("expected a conflict: {other:?}"),
        }
    }

    /// Everything that only a person may change: index, branches, stash, `HEAD`, and the files.
    pub(super) fn user_git_state(&self) -> String {
        let files = self.git(&[
            "status",
            "--porcelain=v2",
            "--branch",
            "--untracked-files=all",
        ]);
        let staged = self.git(&["ls-files", "--stage"]);
        let named = self.git(&[
            "for-each-ref",
            "refs/heads",
            "refs/tags",
            "refs/stash",
            "refs/remotes",
        ]);
        format!("{files}\n{staged}\n{named}")
    }
}

pub(super) fn run() -> RunId {
    RunId(Uuid::from_u128(0x0123_4567_89ab_cdef))
}

pub(super) fn write(root: &Path, path: &str, content: impl AsRef<[u8]>) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().expect("create folder")).expect("create folder");
    fs::write(path, content).expect("write file");
}
