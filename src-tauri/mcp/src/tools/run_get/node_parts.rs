//! What a node of a run left: its handoff, the evidence for it, and the changed files.

use baton_api::ApiError;
use baton_api::wire::{
    ArtifactRef, ArtifactView, AttemptRef, EvidenceView, FileDiffView, NodeDiffQuery, NodeDiffView,
};
use baton_model::{Evidence, Node};

use crate::caller_error::not_found;
use crate::clip;
use crate::operations::ask;
use crate::page::Page;
use crate::tool::ToolContext;

use super::{LoadedRun, RunAnswer};

/// The largest part of a handoff in one answer, in bytes.
const HANDOFF_BYTES: usize = 5_000;
/// The longest row, in bytes.
const ROW_BYTES: usize = 200;

pub(super) fn add_handoff(
    context: &ToolContext,
    run: &LoadedRun,
    node: &Node,
    offset: usize,
    answer: &mut RunAnswer,
) -> Result<(), ApiError> {
    let view = run.all.nodes.iter().find(|view| view.node == node.id);
    let Some(artifact) = view.and_then(|view| view.artifact) else {
        return Err(not_found(
            format!("'{}' has left no handoff yet", node.slug),
            "wait until the node has ended",
        ));
    };
    let artifact: ArtifactView = ask(
        &*context.operations,
        "artifact_get",
        ArtifactRef { artifact },
    )?;
    let part = clip::part(&artifact.content.text, offset, HANDOFF_BYTES);
    answer.handoff = Some(part.text.to_owned());
    answer.next_offset = part.next;
    if offset == 0 {
        let outputs = artifact.content.outputs.iter().take(10);
        let line =
            |(key, value): (&String, &String)| clip::line(&format!("{key}={value}"), ROW_BYTES);
        answer.rows = outputs.map(line).collect();
    }
    Ok(())
}

pub(super) fn add_evidence(
    context: &ToolContext,
    run: &LoadedRun,
    node: &Node,
    page: Page,
    answer: &mut RunAnswer,
) -> Result<(), ApiError> {
    let attempt = AttemptRef {
        run: run.id,
        node: node.id,
        attempt: None,
    };
    let view: EvidenceView = ask(&*context.operations, "evidence_get", attempt)?;
    let doubt = view.doubt.map(|why| format!("unverified: {why}"));
    let evidence = view.evidence.as_ref().map(rows).unwrap_or_default();
    let rows: Vec<_> = doubt
        .into_iter()
        .chain(evidence)
        .map(|row| clip::line(&row, ROW_BYTES))
        .collect();
    answer.total = Some(rows.len());
    (answer.rows, answer.next_cursor) = page.cut(rows);
    Ok(())
}

/// Results of criteria first, then files, then commands.
fn rows(evidence: &Evidence) -> Vec<String> {
    let checks = evidence.checks.iter().map(|check| {
        let (verdict, criterion) = (&check.verdict, &check.criterion);
        format!("criterion {}: {criterion}", word(verdict))
    });
    let files = &evidence.files;
    let lists = [
        ("created", &files.created),
        ("changed", &files.changed),
        ("deleted", &files.deleted),
    ];
    let paths = lists
        .into_iter()
        .flat_map(|(what, paths)| paths.iter().map(move |path| format!("{what} {path}")));
    let commands = evidence
        .commands
        .iter()
        .map(|run| format!("ran ({}) {}", word(&run.end), run.command));
    checks.chain(paths).chain(commands).collect()
}

/// A value of the API as a word: the name that its JSON has.
fn word(value: &impl serde::Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        Ok(other) => other.to_string(),
        Err(_) => String::new(),
    }
}

pub(super) fn add_changes(
    context: &ToolContext,
    run: &LoadedRun,
    node: &Node,
    page: Page,
    answer: &mut RunAnswer,
) -> Result<(), ApiError> {
    let query = NodeDiffQuery {
        run: run.id,
        node: node.id,
        attempt: None,
        since: None,
        path: None,
    };
    let view: NodeDiffView = ask(&*context.operations, "node_diff", query)?;
    let rows: Vec<_> = view.files.iter().map(file_row).collect();
    answer.total = Some(rows.len() + view.files_left_out as usize);
    (answer.rows, answer.next_cursor) = page.cut(rows);
    Ok(())
}

fn file_row(file: &FileDiffView) -> String {
    let delta = &file.delta;
    let lines = |sign, count: Option<u32>| count.map(|count| format!(" {sign}{count}"));
    let text = format!(
        "{} {}{}{}",
        word(&delta.change),
        delta.path,
        lines('+', delta.added).unwrap_or_default(),
        lines('-', delta.removed).unwrap_or_default()
    );
    clip::line(&text, ROW_BYTES)
}
