//! Resources: plans and handoffs as documents. Each can be read with a tool as well, because few
//! clients read resources.

use baton_api::wire::{
    ArtifactRef, ArtifactView, FileText, PlanDraw, PlanRef, PlanView, RunProgress, RunProgressSince,
};
use baton_api::{ApiError, Code};
use baton_formats::export::ExportFormat;
use baton_model::{NodeId, PlanId, RunId};
use rmcp::model::{ResourceContents, ResourceTemplate};

use crate::caller_error::{bad_input, not_found};
use crate::clip;
use crate::operations::{Operations, ask};

const MARKDOWN: &str = "text/markdown";
/// The largest document, in bytes: 8,000 tokens.
const MAX_BYTES: usize = 32_000;

/// What an address names.
#[derive(Debug, PartialEq, Eq)]
enum Address {
    Plan(PlanId),
    Handoff(RunId, NodeId),
}

/// The addresses that can be read.
pub(crate) fn templates() -> Vec<ResourceTemplate> {
    [
        ("baton://plans/{id}", "plan", "A plan as a document"),
        (
            "baton://runs/{run}/nodes/{node}/handoff",
            "handoff",
            "What a node of a run passed on",
        ),
    ]
    .map(|(address, name, description)| {
        ResourceTemplate::new(address, name)
            .with_description(description)
            .with_mime_type(MARKDOWN)
    })
    .into()
}

/// The document at `address`. A long one is cut, with a hint where the rest is.
pub(crate) fn read(
    operations: &dyn Operations,
    address: &str,
) -> Result<ResourceContents, ApiError> {
    let (text, tool) = match parse(address)? {
        Address::Plan(plan) => (plan_document(operations, plan)?, "plan_get"),
        Address::Handoff(run, node) => (handoff(operations, run, node)?, "run_get"),
    };
    let part = clip::part(&text, 0, MAX_BYTES);
    let hint = part
        .next
        .map(|_| format!("\n\n(Cut. Read the rest with {tool}.)\n"));
    let text = format!("{}{}", part.text, hint.unwrap_or_default());
    Ok(ResourceContents::text(text, address).with_mime_type(MARKDOWN))
}

fn parse(address: &str) -> Result<Address, ApiError> {
    let parts: Vec<_> = address
        .strip_prefix("baton://")
        .unwrap_or_default()
        .split('/')
        .collect();
    let parsed = match parts.as_slice() {
        ["plans", plan] => plan.parse().ok().map(Address::Plan),
        ["runs", run, "nodes", node, "handoff"] => run
            .parse()
            .ok()
            .zip(node.parse().ok())
            .map(|(run, node)| Address::Handoff(run, node)),
        _ => None,
    };
    parsed.ok_or_else(|| {
        bad_input(
            "this address names nothing that can be read",
            "use baton://plans/ID or baton://runs/RUN/nodes/NODE/handoff",
        )
    })
}

fn plan_document(operations: &dyn Operations, plan: PlanId) -> Result<String, ApiError> {
    let view: PlanView = ask(operations, "plan_get", PlanRef { plan })?;
    let draw = PlanDraw {
        direction: view.plan.direction,
        plan: view.plan,
        format: ExportFormat::Markdown,
        run: None,
        nodes: None,
        dark: false,
    };
    let file: FileText = ask(operations, "plan_draw", draw)?;
    Ok(file.text)
}

fn handoff(operations: &dyn Operations, run: RunId, node: NodeId) -> Result<String, ApiError> {
    let since = RunProgressSince { run, after: 0 };
    let progress: RunProgress = ask(operations, "run_progress", since)?;
    let view = progress.nodes.iter().find(|view| view.node == node);
    let artifact = view.and_then(|view| view.artifact).ok_or_else(|| {
        not_found(
            "the node has left no handoff",
            "part summary of run_get lists handoffs",
        )
    })?;
    let view: ArtifactView = ask(operations, "artifact_get", ArtifactRef { artifact })?;
    Ok(view.content.text)
}

/// Whether an error means that there is no such resource.
pub(crate) fn is_missing(error: &ApiError) -> bool {
    matches!(error.code, Code::NotFound | Code::BadInput | Code::Deleted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_complete_addresses_are_accepted() {
        let id = "01890000-0000-7000-8000-000000000000";
        let uuid = id.parse().expect("an ID");
        let plan = parse(&format!("baton://plans/{id}")).expect("a plan");
        assert_eq!(plan, Address::Plan(PlanId(uuid)));
        let handoff = parse(&format!("baton://runs/{id}/nodes/{id}/handoff")).expect("a handoff");
        assert_eq!(handoff, Address::Handoff(RunId(uuid), NodeId(uuid)));
        for address in [
            "",
            "baton://plans/",
            "baton://plans/all",
            &format!("file:///plans/{id}"),
            &format!("baton://plans/{id}/"),
            &format!("baton://plans/../{id}"),
            &format!("baton://runs/{id}/nodes/{id}"),
        ] {
            assert!(parse(address).is_err(), "{address}");
        }
    }
}
