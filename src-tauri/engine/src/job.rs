//! One attempt to be made: all that a session thread has to know.

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

/// One attempt of one node.
#[derive(Clone)]
pub(crate) struct Job {
    /// What the attempts of a run share.
    pub(crate) run: Arc<RunContext>,
    /// The node.
    pub(crate) node: NodeId,
    /// The attempt.
    pub(crate) attempt: Attempt,
    /// Its session.
    pub(crate) session: SessionId,
    /// The agent's own name of the session that it goes on with, if it does not start from the beginning.
    pub(crate) resumes: Option<String>,
    /// The session of the node's earlier attempt that `resumes` names.
    pub(crate) follows: Option<SessionId>,
    /// What a person said to it.
    pub(crate) continuation: Option<Continuation>,
    /// The checkpoint whose files it starts from, if not from those that are there.
    pub(crate) restores: Option<String>,
    /// What all attempts of the node before this one used.
    pub(crate) spent_before: BudgetUsage,
    /// What the node's own budget leaves to the attempt.
    pub(crate) allowance: Allowance,
    /// What a condition may ask about.
    pub(crate) values: Values,
    /// What it is told beside the handoffs of its parents.
    pub(crate) background: Background,
    /// What a person allowed the node by now.
    pub(crate) granted: Vec<Grant>,
    /// Whose files it begins with.
    pub(crate) sources: Vec<WorkSource>,
    /// What a person decided on a conflict of these.
    pub(crate) decided: Option<MergeDecision>,
    /// The agent that does it, and why; `None` for what needs none.
    pub(crate) choice: Option<AgentChoice>,
    /// The question that comes before it: who does it?
    pub(crate) asks: Option<Arc<Question>>,
}

/// The question which agent does an attempt.
pub(crate) struct Question {
    /// Who is asked about whom.
    pub(crate) asking: SelectionRequest,
    /// What they are told.
    pub(crate) prompt: String,
}

/// What the attempts of one run share.
pub(crate) struct RunContext {
    /// The run.
    pub(crate) run: RunId,
    /// The version that is executed.
    pub(crate) plan: Arc<Plan>,
    /// Its dependencies.
    pub(crate) graph: Graph,
    /// The latest handoff of every node that left one.
    artifacts: RwLock<HashMap<NodeId, Arc<Artifact>>>,
    /// What persons settled for edges, by child and parent.
    pins: RwLock<Pinned>,
    /// What the run got from the node of another run for which it stands.
    pub(crate) caller: Option<Arc<Caller>>,
}

/// What persons settled for edges, by child and parent.
pub(crate) type Pinned = BTreeMap<(NodeId, NodeId), Pin>;

impl RunContext {
    /// The context of a run whose nodes have left `artifacts` so far.
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

    /// The same for a run that stands for a node of another run.
    pub(crate) fn called_by(self, caller: Option<Arc<Caller>>) -> Self {
        Self { caller, ..self }
    }

    /// What a node receives from the node that called the plan: only those that receive nothing else do.
    pub(crate) fn caller_sections(&self, node: NodeId) -> Vec<Section> {
        let first = |number: usize| self.graph.context_parents(number).next().is_none();
        let is_first = self.graph.number(node).is_some_and(first);
        self.caller
            .iter()
            .filter(|_| is_first)
            .flat_map(|caller| caller.sections())
            .collect()
    }

    /// Takes note of a handoff that is stored.
    pub(crate) fn set_artifact(&self, node: NodeId, artifact: Arc<Artifact>) {
        self.artifacts
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(node, artifact);
    }

    /// Takes note of all pins that are stored.
    pub(crate) fn set_pins(&self, pins: &Pinned) {
        self.pins
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .clone_from(pins);
    }

    /// The handoff of a node.
    pub(crate) fn artifact(&self, node: NodeId) -> Option<Arc<Artifact>> {
        self.artifacts
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&node)
            .cloned()
    }

    /// The named outputs of every node that left a handoff, and what `background` knows of failures.
    pub(crate) fn outputs(&self, background: &Background) -> Outputs {
        let mut nodes: BTreeMap<String, NodeTexts> = background
            .template_texts()
            .filter_map(|(node, texts)| Some((self.plan.node(node)?.slug.to_string(), texts)))
            .collect();
        for node in &self.plan.nodes {
            // A handoff of before the failure is out of date.
            if background.failure(node.id).is_none()
                && let Some(artifact) = self.artifact(node.id)
            {
                nodes.insert(node.slug.to_string(), NodeTexts::from(&*artifact));
            }
        }
        Outputs {
            nodes,
            round: self.caller.as_ref().and_then(|caller| caller.round.clone()),
        }
    }

    /// A node's own words with their templates filled in, from what is stored and from `fresh` handoffs that soon
    /// will be. Words that cannot be filled in stay as they are: a person reads them.
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
            tracing::warn!(node = %node.slug, %error, "a question keeps its template");
            text.to_owned()
        })
    }

    /// What `child` receives from `parent`: the handoff, or what a person pinned in its place. Named outputs stay.
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

    /// Whether a person settled what `child` receives from `parent`.
    pub(crate) fn is_pinned(&self, parent: NodeId, child: NodeId) -> bool {
        self.pins
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .contains_key(&(child, parent))
    }

    /// The parents of a node, soft ones included, in the order of the plan, each with what it hands on.
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
    /// The name of the agent that does the attempt, as far as it was chosen or the node names one.
    pub(crate) fn agent<'a>(&'a self, named: Option<&'a str>) -> Option<&'a str> {
        self.choice
            .as_ref()
            .map(|choice| choice.agent.as_str())
            .or(named)
    }

    /// The node's definition.
    pub(crate) fn definition(&self) -> Option<&Node> {
        self.run.graph.number(self.node)?;
        self.run.plan.node(self.node)
    }
}
