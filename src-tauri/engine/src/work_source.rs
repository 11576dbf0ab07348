//! Whose files a node begins with: of the nearest nodes above it that work on files and were done.

use std::collections::HashSet;

use baton_model::run::NodeRun;
use baton_model::{Isolation, Node, NodeId, NodeState, Run, SessionId};

/// Whose work a node begins with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum WorkSource {
    /// What this session of an isolated node left.
    Session {
        /// The node.
        node: NodeId,
        /// The session.
        session: SessionId,
    },
    /// What is in the plan's directory.
    Directory,
}

/// The sources of the files of `node`, in the order of the plan and the plan's directory first; empty: it begins with what was
/// there when the run began. Also empty in a plan without worktrees.
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
            // What left nothing is looked through.
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
        // Also what a node did before it failed is in the directory.
        Isolation::Shared => state
            .session
            .filter(|_| node.touches_files() || node.kind.sub_plan().is_some())
            .map(|_| WorkSource::Directory),
    }
}
