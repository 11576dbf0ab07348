//! The results of a node's runs: its handoff and named outputs, or what is known if they did not
//! complete.

use std::collections::{BTreeMap, HashMap, HashSet};

use baton_model::evidence::AttemptEnding;
use baton_model::node::NodeKind;
use baton_model::{Artifact, Evidence, NodeId, Run, RunId, artifact};
use baton_store::{ArtifactRow, Store};

use super::{Nested, Stop, nested_run_id};

/// Returns the results of the runs of a failed attempt, for the nodes that handle the failure: the
/// outputs of the last one and, if there were several, the outputs of each in `results`.
pub(super) fn partial_evidence(nested: &Nested<'_>) -> Evidence {
    let runs = (1..).map(|number| nested_run_id(nested.session, number));
    let runs = runs.take_while(|&run| nested.store().runs().get(run).is_ok());
    let results: Vec<_> = runs
        .map(|run| partial_outputs(nested.store(), run))
        .collect();
    let mut outputs = results.last().cloned().unwrap_or_default();
    outputs.insert("runs".to_owned(), results.len().to_string());
    if matches!(nested.node.kind, NodeKind::Loop(_)) {
        outputs.insert(
            "results".to_owned(),
            serde_json::to_string(&results).unwrap_or_default(),
        );
    }
    Evidence {
        ending: Some(AttemptEnding {
            outputs,
            ..AttemptEnding::default()
        }),
        ..Evidence::default()
    }
}

/// The handoffs of the last run's final nodes, under the headings of every handoff, with their
/// named outputs.
pub(super) fn artifact(store: &Store, runs: &[RunId]) -> Result<Artifact, Stop> {
    let Some(&last) = runs.last() else {
        return Ok(Artifact::from_facts(artifact::Facts {
            done: "There was nothing to do.".to_owned(),
            ..Default::default()
        }));
    };
    let (replayed, _) = store.runs().replay(last)?;
    let plan = replayed.plan();
    let times = if runs.len() > 1 {
        format!(" {} times", runs.len())
    } else {
        String::new()
    };
    let mut text = format!(
        "{}\nThe plan '{}' was run{times}.\n",
        artifact::MARKER,
        plan.title
    );
    let rows = store.artifacts().latest_for_run(last)?.rows;
    for row in final_artifacts(&replayed, &rows) {
        let title = plan
            .node(row.node)
            .map_or("a node", |node| node.title.as_str());
        let body = row.content.text.trim_start_matches(artifact::MARKER).trim();
        text.extend(["\n### ", title, "\n", body, "\n"]);
    }
    let mut outputs = outputs_of(&replayed, &rows);
    outputs.insert("runs".to_owned(), runs.len().to_string());
    let left_out = final_artifacts(&replayed, &rows)
        .into_iter()
        .flat_map(|row| row.content.outputs_left_out.clone());
    let outputs_left_out = left_out
        .filter(|name| !outputs.contains_key(name))
        .collect();
    let mut files: Vec<String> = rows.into_iter().flat_map(|row| row.content.files).collect();
    files.sort();
    files.dedup();
    Ok(Artifact {
        text,
        outputs,
        outputs_left_out,
        files,
        ..Artifact::default()
    })
}

/// The named outputs of a run's final nodes.
pub(super) fn outputs(store: &Store, run: RunId) -> Result<BTreeMap<String, String>, Stop> {
    let (replayed, _) = store.runs().replay(run)?;
    Ok(outputs_of(
        &replayed,
        &store.artifacts().latest_for_run(run)?.rows,
    ))
}

/// Of two outputs with the same name, that of the later node in the plan is used.
fn outputs_of(run: &Run, rows: &[ArtifactRow]) -> BTreeMap<String, String> {
    final_artifacts(run, rows)
        .into_iter()
        .flat_map(|row| row.content.outputs.clone())
        .collect()
}

/// The handoffs of finished nodes that no other finished node builds on, in plan order. Below a
/// fork, or a skipped node, these need not be the last ones of the plan.
fn final_artifacts<'r>(run: &Run, rows: &'r [ArtifactRow]) -> Vec<&'r ArtifactRow> {
    let graph = run.graph();
    let by_node: HashMap<NodeId, &ArtifactRow> = rows.iter().map(|row| (row.node, row)).collect();
    let left = |number: usize| by_node.get(&graph.id(number)).copied();
    let builds_on = |number: usize| {
        let mut open: Vec<usize> = graph.children(number).collect();
        let mut seen = HashSet::new();
        while let Some(child) = open.pop() {
            if seen.insert(child) {
                if left(child).is_some() {
                    return true;
                }
                open.extend(graph.children(child));
            }
        }
        false
    };
    (0..graph.len())
        .filter(|&number| !builds_on(number))
        .filter_map(left)
        .collect()
}

/// The named outputs of all nodes of a run that did not complete, including failed ones.
fn partial_outputs(store: &Store, run: RunId) -> BTreeMap<String, String> {
    let rows = store
        .artifacts()
        .latest_for_run(run)
        .map(|listing| listing.rows)
        .unwrap_or_default();
    let mut all: BTreeMap<String, String> = rows
        .into_iter()
        .flat_map(|row| row.content.outputs)
        .collect();
    // Unreadable evidence is not passed on; the failure is reported all the same.
    for (_, row) in store.evidence().of_run(run).unwrap_or_default() {
        all.extend(
            row.content
                .ending
                .map(|ending| ending.outputs)
                .unwrap_or_default(),
        );
    }
    all
}
