//! One attempt to execute, with everything that a session thread needs.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, PoisonError, RwLock};

use crate::background::Background;
use crate::template::{self, NodeTexts, Outputs};
use crate::work_source::WorkSource;
use baton_model::arbiter::{AgentChoice, SelectionRequest};
use baton_model::artifact::Author;
use baton_model::expression::Values;
use baton_model::run::{Allowance, BudgetUsage, Caller, Continuation, MergeDecision, Pin, Section};
use baton_model::{Artifact, Attempt, Grant, Graph, Node, NodeId, Plan, RunId, SessionId};

#[derive(Clone)]
pub(crate) struct Job {
    /// Shared by all attempts of a run.
    pub(crate) run: Arc<RunContext>,
    pub(crate) node: NodeId,
    pub(crate) attempt: Attempt,
    pub(crate) session: SessionId,
    /// The agent's native id of the session to resume; `None` to start a new one.
    pub(crate) resumes: Option<String>,
    /// The session of the node's earlier attempt whose native id is in `resumes`.
    pub(crate) follows: Option<SessionId>,
    /// A person's message for this attempt.
    pub(crate) continuation: Option<Continuation>,
    /// The checkpoint to restore before the start; `None` keeps the files as they are.
    pub(crate) restores: Option<String>,
    /// The usage of all earlier attempts of the node.
    pub(crate) spent_before: BudgetUsage,
    /// What the node's own budget leaves for this attempt.
    pub(crate) allowance: Allowance,
    /// The values that a condition refers to.
    pub(crate) values: Values,
    /// What the attempt receives besides its parents' handoffs.
    pub(crate) background: Background,
    /// The permissions that people have granted the node so far.
    pub(crate) granted: Vec<Grant>,
    /// The sources of the node's initial files.
    pub(crate) sources: Vec<WorkSource>,
    /// A person's decision on a conflict between `sources`.
    pub(crate) decided: Option<MergeDecision>,
    /// The chosen agent with the reason; `None` if no agent is needed.
    pub(crate) choice: Option<AgentChoice>,
    /// The selection question that has to be answered first.
    pub(crate) asks: Option<Arc<Question>>,
}

/// A question to an agent: which agent executes an attempt?
pub(crate) struct Question {
    /// The agent that is asked, and the candidates.
    pub(crate) asking: SelectionRequest,
    /// The prompt for that agent.
    pub(crate) prompt: String,
}

/// Data shared by the attempts of one run.
pub(crate) struct RunContext {
    pub(crate) run: RunId,
    /// The version that the run executes.
    pub(crate) plan: Arc<Plan>,
    /// The dependencies in `plan`.
    pub(crate) graph: Graph,
    /// The latest handoff of every node that has one.
    artifacts: RwLock<HashMap<NodeId, Arc<Artifact>>>,
    /// Handoffs that people pinned on edges, by child and parent.
    pins: RwLock<Pinned>,
    /// What the run received from the node of another run that it executes.
    pub(crate) caller: Option<Arc<Caller>>,
}

/// Handoffs that people pinned on edges, by child and parent.
pub(crate) type Pinned = BTreeMap<(NodeId, NodeId), Pin>;

impl RunContext {
    /// The context of a run whose nodes have produced `artifacts` so far.
    pub(crate) fn new(
        run: RunId,
        plan: Arc<Plan>,
        graph: Graph,
        artifacts: HashMap<NodeId, Arc<Artifact>>,
    ) -> Self {
        Self {
            run,
            plan,
            graph,
            artifacts: RwLock::new(artifacts),
            pins: RwLock::default(),
            caller: None,
        }
    }

    /// Adds the caller of a nested run.
    pub(crate) fn called_by(self, caller: Option<Arc<Caller>>) -> Self {
        Self { caller, ..self }
    }

    /// Returns what a node receives from the node that called the plan: only nodes without other
    /// input do.
    pub(crate) fn caller_sections(&self, node: NodeId) -> Vec<Section> {
        let first = |number: usize| self.graph.context_parents(number).next().is_none();
        let is_first = self.graph.number(node).is_some_and(first);
        self.caller
            .iter()
            .filter(|_| is_first)
            .flat_map(|caller| caller.sections())
            .collect()
    }

    /// Remembers a stored handoff.
    pub(crate) fn set_artifact(&self, node: NodeId, artifact: Arc<Artifact>) {
        self.artifacts
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(node, artifact);
    }

    /// Replaces all pins by the stored ones.
    pub(crate) fn set_pins(&self, pins: &Pinned) {
        self.pins
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .clone_from(pins);
    }

    pub(crate) fn artifact(&self, node: NodeId) -> Option<Arc<Artifact>> {
        self.artifacts
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&node)
            .cloned()
    }

    /// The named outputs of every node that has a handoff, and the failures in `background`.
    pub(crate) fn outputs(&self, background: &Background) -> Outputs {
        let mut nodes: BTreeMap<String, NodeTexts> = background
            .template_texts()
            .filter_map(|(node, texts)| Some((self.plan.node(node)?.slug.to_string(), texts)))
            .collect();
        for node in &self.plan.nodes {
            // A handoff from before the failure is out of date.
            if background.failure(node.id).is_none()
                && let Some(artifact) = self.artifact(node.id)
            {
                nodes.insert(node.slug.to_string(), NodeTexts::from(&*artifact));
            }
        }
        Outputs {
            nodes,
            round: self.caller.as_ref().and_then(|caller| caller.round.clone()),
            context: self.plan.context.tool_outputs.clone(),
        }
    }

    /// A node's text with its templates filled in, from stored handoffs and from `fresh` ones that
    /// are about to be stored. Text that cannot be filled in stays as it is, since only a person
    /// reads it.
    pub(crate) fn render_text<'a>(
        &self,
        node: NodeId,
        text: &str,
        fresh: impl Iterator<Item = (NodeId, &'a Artifact)>,
    ) -> String {
        let Some(node) = self.plan.node(node).filter(|_| template::is_template(text)) else {
            return text.to_owned();
        };
        let mut outputs = self.outputs(&Background::default());
        for (parent, artifact) in fresh {
            let slug = self.plan.node(parent).map(|node| node.slug.to_string());
            outputs
                .nodes
                .extend(slug.map(|slug| (slug, NodeTexts::from(artifact))));
        }
        template::render(text, &outputs).unwrap_or_else(|error| {
            tracing::warn!(node = %node.slug, %error, "couldn't fill in the template of a question");
            text.to_owned()
        })
    }

    /// Returns what `child` receives from `parent`: the handoff, or what a person pinned in its
    /// place. Named outputs are kept.
    pub(crate) fn handoff(&self, parent: NodeId, child: NodeId) -> Option<Arc<Artifact>> {
        let artifact = self.artifact(parent);
        let pins = self.pins.read().unwrap_or_else(PoisonError::into_inner);
        let Some(pin) = pins.get(&(child, parent)) else {
            return artifact;
        };
        let kept = artifact
            .map(|artifact| Artifact::clone(&artifact))
            .unwrap_or_default();
        let (text, author) = (pin.text.clone(), Author::Person);
        Some(Arc::new(Artifact {
            text,
            author,
            files: Vec::new(),
            ..kept
        }))
    }

    /// Returns whether a person pinned what `child` receives from `parent`.
    pub(crate) fn is_pinned(&self, parent: NodeId, child: NodeId) -> bool {
        self.pins
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .contains_key(&(child, parent))
    }

    /// The parents of a node, soft ones included, in plan order, each with its handoff.
    pub(crate) fn parents(&self, node: NodeId) -> Vec<(&Node, Option<Arc<Artifact>>)> {
        let Some(number) = self.graph.number(node) else {
            return Vec::new();
        };
        let mut parents: Vec<usize> = self.graph.context_parents(number).collect();
        parents.sort_unstable();
        parents
            .into_iter()
            .filter_map(|parent| self.plan.node(self.graph.id(parent)))
            .map(|parent| (parent, self.handoff(parent.id, node)))
            .collect()
    }
}

impl Job {
    /// The agent of the attempt: the chosen one, or else the one that the node specifies.
    pub(crate) fn agent<'a>(&'a self, named: Option<&'a str>) -> Option<&'a str> {
        self.choice
            .as_ref()
            .map(|choice| choice.agent.as_str())
            .or(named)
    }

    pub(crate) fn definition(&self) -> Option<&Node> {
        self.run.graph.number(self.node)?;
        self.run.plan.node(self.node)
    }
}
