//! Determines the files that a node starts from: those of the nearest finished nodes above it that
//! work on files.

use std::collections::HashSet;

use baton_model::run::NodeRun;
use baton_model::{Isolation, Node, NodeId, NodeState, Run, SessionId};

/// A source of a node's initial files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum WorkSource {
    /// The files from this session of an isolated node.
    Session { node: NodeId, session: SessionId },
    /// The files in the plan's directory.
    Directory,
}

/// The sources of the files of `node`, the plan's directory first, then in plan order. Empty means
/// the files from when the run began; also empty in a plan without worktrees.
pub(crate) fn sources_of(run: &Run, node: NodeId) -> Vec<WorkSource> {
    if !run.plan().has_worktrees() {
        return Vec::new();
    }
    let Some((number, (definition, _))) = run.graph().number(node).zip(known(run, node)) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    let mut open: Vec<usize> = run.graph().parents(number).collect();
    while let Some(parent) = open.pop() {
        if !seen.insert(parent) {
            continue;
        }
        match known(run, run.graph().id(parent)).and_then(|known| of_parent(run, known)) {
            Some(source) => found.push((parent, source)),
            // A node without files is skipped in favor of its parents.
            None => open.extend(run.graph().parents(parent)),
        }
    }
    found.sort_by_key(|(number, source)| (*source != WorkSource::Directory, *number));
    let mut sources: Vec<WorkSource> = found.into_iter().map(|(_, source)| source).collect();
    let own = definition.isolation_in(&run.plan().settings) == Isolation::Worktree;
    if !own && !sources.is_empty() {
        sources.insert(0, WorkSource::Directory);
    }
    sources.dedup();
    sources
}

fn known(run: &Run, node: NodeId) -> Option<(&Node, &NodeRun)> {
    Some((run.plan().nodes.get(run.position(node)?)?, run.node(node)?))
}

fn of_parent(run: &Run, (node, state): (&Node, &NodeRun)) -> Option<WorkSource> {
    let done = matches!(state.state, NodeState::Done { .. });
    match node.isolation_in(&run.plan().settings) {
        Isolation::Worktree => state
            .session
            .filter(|_| done)
            .map(|session| WorkSource::Session {
                node: node.id,
                session,
            }),
        // What a node did before it failed is in the directory as well.
        Isolation::Shared => state
            .session
            .filter(|_| node.touches_files() || node.kind.sub_plan().is_some())
            .map(|_| WorkSource::Directory),
    }
}
