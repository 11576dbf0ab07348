//! The context that a node receives from others, and a nested run from the node that calls it.

use std::sync::Arc;

use baton_model::context::{AttemptReport, FailureReport, HandoffSection, NodeContext};
use baton_model::node::Node;
use baton_model::outcome::Failure;
use baton_model::run::{Allowance, Caller, Section};
use baton_model::{Artifact, LoopRound, NodeId, SessionId};

use super::outputs_for;
use super::text::fill;
use crate::background::Background;
use crate::job::{Job, RunContext};

/// What a node receives, in the form needed to build its context document.
pub(super) struct ContextSources<'a> {
    passed_on: Vec<Section>,
    pub(super) parents: Vec<Source<'a>>,
    others: Vec<Source<'a>>,
    earlier: &'a [AttemptReport],
}

/// A node with a handoff.
pub(super) struct Source<'a> {
    pub(super) node: &'a Node,
    artifact: Option<Arc<Artifact>>,
    failure: Option<&'a FailureReport>,
}

impl Source<'_> {
    fn handed_on(&self) -> HandoffSection<'_> {
        HandoffSection {
            title: &self.node.title,
            artifact: self.artifact.as_deref(),
            failure: self.failure,
        }
    }
}

impl<'a> ContextSources<'a> {
    pub(super) fn new(run: &'a RunContext, node: NodeId, background: &'a Background) -> Self {
        let failure = |other: NodeId| background.failure(other).map(Arc::as_ref);
        let parents = run.parents(node).into_iter().map(|(parent, artifact)| {
            // A person's pin replaces a failure too.
            let failure = failure(parent.id).filter(|_| !run.is_pinned(parent.id, node));
            Source {
                node: parent,
                artifact,
                failure,
            }
        });
        let others = background.others().iter().filter_map(|&other| {
            let node = run.plan.node(other)?;
            Some(Source {
                node,
                artifact: run.artifact(other),
                failure: failure(other),
            })
        });
        let mut passed_on: Vec<Section> = Section::of_plan(&run.plan.context).into_iter().collect();
        passed_on.extend(run.caller_sections(node));
        Self {
            passed_on,
            parents: parents.collect(),
            others: others.collect(),
            earlier: background.earlier(),
        }
    }

    pub(super) fn as_received(&self) -> NodeContext<'_> {
        NodeContext {
            passed_on: self.passed_on.clone(),
            parents: self.parents.iter().map(Source::handed_on).collect(),
            others: self.others.iter().map(Source::handed_on).collect(),
            earlier: self.earlier,
        }
    }
}

pub(super) fn context(job: &Job, node: &Node) -> String {
    ContextSources::new(&job.run, node.id, &job.background)
        .as_received()
        .document()
}

/// Returns what a nested run receives from the node of `job`; `round` is the iteration of a loop.
pub(crate) fn caller(
    job: &Job,
    node: &Node,
    session: SessionId,
    round: Option<LoopRound>,
    allowance: Allowance,
) -> Result<Caller, Failure> {
    let prompt = node
        .kind
        .sub_plan()
        .map(|task| task.prompt.as_str())
        .unwrap_or_default();
    let mut outputs = outputs_for(job, node);
    outputs.round = round.clone().or(outputs.round);
    let gathered = ContextSources::new(&job.run, node.id, &job.background);
    let received = gathered.as_received();
    let parents = received.parents.iter().map(Section::from);
    Ok(Caller {
        title: node.title.clone(),
        session,
        handles: None,
        spent_before: job.spent_before,
        prompt: fill(prompt, &outputs)?,
        received: received.passed_on.iter().cloned().chain(parents).collect(),
        round,
        autonomy: job.run.plan.settings.effective_autonomy(),
        allowance,
    })
}
