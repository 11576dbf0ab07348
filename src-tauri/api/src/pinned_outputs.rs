//! Operations on outputs of nodes that people pinned in a plan, to run the rest with them.

use baton_model::artifact::{NamedOutputs, OutputFault};
use baton_model::run::{PIN_LIMIT, PinOrigin, can_pin_output};
use baton_model::{Artifact, ArtifactId, NodeId, Plan, RunId};
use baton_planning::run_start;
use baton_store::PinnedOutputRow;

use crate::wire::*;
use crate::{ApiError, App, Code, runs};

/// Returns the pinned outputs of a plan's nodes, and what a run with them would do.
pub(crate) fn list(app: &App, input: PlanRef) -> Result<PinnedOutputsView, ApiError> {
    let (_, plan) = app.store.plans().current(input.plan)?;
    let rows = app.store.pinned_outputs().list(input.plan)?;
    let selection = run_start::pinned_selection(&plan, &rows)?;
    let is_run =
        |node: &NodeId| !selection.pinned.contains(node) && !selection.left_out.contains(node);
    let runs = plan
        .nodes
        .iter()
        .filter(|node| node.is_executable() && !node.disabled);
    let runs = runs.map(|node| node.id).filter(is_run).collect();
    // The pin of a node that was removed is kept for an undo, but isn't listed.
    let of_node = |id: NodeId| rows.iter().find(|row| row.node == id).cloned();
    let outputs = plan.nodes.iter().filter_map(|node| of_node(node.id));
    let outputs = outputs.map(|row| view(selection.pinned.contains(&row.node), row));
    Ok(PinnedOutputsView {
        outputs: outputs.collect(),
        runs,
        left_out: selection.left_out.clone(),
        reads: plan.output_reads(),
    })
}

fn view(used: bool, row: PinnedOutputRow) -> PinnedOutputView {
    PinnedOutputView {
        node: row.node,
        text: row.content.text,
        outputs: row.content.outputs,
        by: row.origin.by,
        at: row.origin.at,
        run: row.origin.run,
        used,
    }
}

/// Pins an output of a node. No run that has started is affected.
pub(crate) fn pin(app: &App, input: NodeOutputPin) -> Result<PinnedOutputsView, ApiError> {
    let NodeOutputPin {
        plan,
        node,
        run,
        text,
        outputs,
    } = input;
    let (_, content) = app.store.plans().current(plan)?;
    require_pinnable(&content, node)?;
    let source = run
        .map(|run| Source::load(app, &content, node, run))
        .transpose()?;
    let (artifact, number) = match &source {
        Some(source) => (Some(source.artifact), Some(source.number)),
        None => (None, None),
    };
    let outputs = outputs.map(named_outputs).transpose()?;
    let row = PinnedOutputRow {
        node,
        content: pinned_content(source, text.as_deref(), outputs)?,
        artifact,
        origin: PinOrigin {
            by: app.actor().to_string(),
            at: app.now(),
            run: number,
        },
    };
    app.store.pinned_outputs().pin(plan, &row)?;
    list(app, PlanRef { plan })
}

/// Removes the pinned output of a node.
pub(crate) fn unpin(app: &App, input: PlanNodeRef) -> Result<PinnedOutputsView, ApiError> {
    let PlanNodeRef { plan, node } = input;
    app.store.pinned_outputs().unpin(plan, node)?;
    list(app, PlanRef { plan })
}

/// Starts a run of an approved plan in which nodes use their pinned outputs.
pub(crate) fn start(app: &App, input: RunStartPinned) -> Result<RunView, ApiError> {
    let RunStartPinned { plan, limit } = input;
    let run = run_start::start_pinned(app.context(), plan, limit)?;
    runs::get(app, RunRef { run })
}

fn require_pinnable(plan: &Plan, node: NodeId) -> Result<(), ApiError> {
    let missing = || ApiError::new(Code::NotFound, "the plan has no such node");
    let definition = plan.node(node).ok_or_else(missing)?;
    if can_pin_output(&definition.kind) {
        return Ok(());
    }
    let message = "the output of a condition or a note can't be pinned";
    Err(ApiError::new(Code::BadInput, message).with_fix("pin the outputs of the nodes after it"))
}

/// A handoff to pin, and the run that it comes from.
struct Source {
    artifact: ArtifactId,
    number: u32,
    content: Artifact,
}

impl Source {
    fn load(app: &App, plan: &Plan, node: NodeId, run: RunId) -> Result<Self, ApiError> {
        let row = app.store.runs().get(run)?;
        if row.plan != plan.id {
            let message = "the run belongs to another plan";
            return Err(
                ApiError::new(Code::BadInput, message).with_fix("choose a run of this plan")
            );
        }
        let latest = app.store.artifacts().latest_for_run(run)?.rows;
        let found = latest.into_iter().find(|artifact| artifact.node == node);
        let missing = || {
            let message = format!("the node has no handoff in run #{}", row.number);
            ApiError::new(Code::NotFound, message)
                .with_fix("choose a run in which the node is done, or type the output")
        };
        let artifact = found.ok_or_else(missing)?;
        Ok(Self {
            artifact: artifact.id,
            number: row.number,
            content: artifact.content,
        })
    }
}

fn named_outputs(typed: Vec<TypedOutput>) -> Result<NamedOutputs, ApiError> {
    let pairs = typed.into_iter().map(|output| (output.name, output.value));
    NamedOutputs::from_typed(pairs).map_err(|fault: OutputFault| {
        ApiError::new(Code::BadInput, fault.to_string()).with_fix(fault.fix())
    })
}

/// The handoff as it is, or with the text and the named outputs that the person edited or typed.
fn pinned_content(
    source: Option<Source>,
    text: Option<&str>,
    outputs: Option<NamedOutputs>,
) -> Result<Artifact, ApiError> {
    let content = match (source, text) {
        (Some(source), None) => source.content,
        (Some(source), Some(text)) if source.content.text == text => source.content,
        (Some(source), Some(text)) => {
            require_text(text)?;
            source.content.edited_by_person(text)
        }
        (None, Some(text)) => {
            require_text(text)?;
            Artifact::from_person(text)
        }
        (None, None) => return Err(empty()),
    };
    let typed_bytes = outputs.as_ref().map_or(0, bytes_of);
    let bytes = content.text.len() + typed_bytes;
    if bytes > PIN_LIMIT {
        let message = format!("the output has {bytes} bytes; the limit is {PIN_LIMIT}");
        return Err(ApiError::new(Code::BadInput, message).with_fix("shorten the text"));
    }
    Ok(match outputs {
        Some(outputs) if outputs.values != content.outputs => content.with_typed_outputs(outputs),
        _ => content,
    })
}

fn bytes_of(outputs: &NamedOutputs) -> usize {
    let pairs = outputs.values.iter();
    pairs.map(|(name, value)| name.len() + value.len()).sum()
}

fn require_text(text: &str) -> Result<(), ApiError> {
    if text.trim().is_empty() {
        return Err(empty());
    }
    Ok(())
}

fn empty() -> ApiError {
    ApiError::new(Code::BadInput, "the output has no text").with_fix("type a text or choose a run")
}
