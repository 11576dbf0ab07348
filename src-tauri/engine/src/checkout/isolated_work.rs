//! The work of finished isolated nodes, and where it is.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use baton_model::run::NodeRun;
use baton_model::{Isolation, Node, NodeId, NodeState, Run, SessionId};

use super::node_worktree::NodeWorktree;
use super::{CheckoutError, FileDelta, Repository, work_commits};

/// The work of one finished isolated node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IsolatedWork {
    /// The node that did the work.
    pub node: NodeId,
    /// The title of `node`.
    pub title: String,
    /// The commit with the node's files.
    pub commit: String,
    /// The node's own changes; empty for a node that only merged.
    pub files: Vec<FileDelta>,
    /// Where the work is by now.
    pub location: IsolatedWorkLocation,
}

/// Where the work of a node is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IsolatedWorkLocation {
    /// It is in the plan's directory.
    Directory,
    /// It is on this branch, and not in the directory.
    Branch(String),
    /// It is only in commits below `refs/baton/`.
    Nowhere,
}

/// The work of the finished nodes of `run`, in plan order. `here` is the current state of the
/// plan's directory. Writes nothing.
pub(super) fn works(
    run: &Run,
    repository: &Repository,
    data_directory: &Path,
    here: &str,
) -> Result<Vec<IsolatedWork>, CheckoutError> {
    let apart = |(node, state): &(&Node, &NodeRun)| {
        node.isolation_in(&run.plan().settings) == Isolation::Worktree
            && matches!(state.state, NodeState::Done { .. })
    };
    let references = repository.references()?;
    let home = repository.part_of(here)?;
    let mut works = Vec::new();
    for (node, state) in run.nodes().filter(apart) {
        let Some(session) = state.session else {
            continue;
        };
        let place = NodeWorktree::of(data_directory, run.id(), node);
        let known = references.get(&format!("{session}/work"));
        let commit = match known {
            Some(commit) => Some(commit.clone()),
            None => work_commits::find_work_commit(repository, &place, session)?,
        };
        let Some(commit) = commit else { continue };
        let base = base_of(repository, &references, &place, session, &commit)?;
        let files = repository.differences(&base, &commit)?;
        let is_home = match known {
            Some(_) => home.contains(&format!("{session}/work")),
            None => repository.contains(here, &commit)?,
        };
        let location = if is_home {
            IsolatedWorkLocation::Directory
        } else {
            repository.location(&commit)?
        };
        works.push(IsolatedWork {
            node: node.id,
            title: node.title.clone(),
            commit,
            files,
            location,
        });
    }
    Ok(works)
}

/// The commit that the node started from: recorded with its work; before that, taken from its
/// worktree or from the history.
fn base_of(
    repository: &Repository,
    references: &BTreeMap<String, String>,
    place: &NodeWorktree,
    session: SessionId,
    commit: &str,
) -> Result<String, CheckoutError> {
    if let Some(base) = references.get(&format!("{session}/base")) {
        return Ok(base.clone());
    }
    if let Some(record) = place.record().filter(|record| record.session == session) {
        return Ok(record.base);
    }
    Ok(match repository.parents_of(commit)?.into_iter().next() {
        Some(parent) => parent,
        None => commit.to_owned(),
    })
}

impl Repository {
    /// The run's references, by their names below its folder.
    fn references(&self) -> Result<BTreeMap<String, String>, CheckoutError> {
        let folder = format!("refs/baton/{}/", self.prefix());
        let output =
            self.git()
                .run(&["for-each-ref", "--format=%(objectname) %(refname)", &folder])?;
        let output = String::from_utf8_lossy(&output);
        let entry = |line: &str| {
            let (commit, name) = line.split_once(' ')?;
            Some((name.strip_prefix(&folder)?.to_owned(), commit.to_owned()))
        };
        Ok(output.lines().filter_map(entry).collect())
    }

    /// The run's references whose commits are ancestors of `commit`.
    fn part_of(&self, commit: &str) -> Result<BTreeSet<String>, CheckoutError> {
        let folder = format!("refs/baton/{}/", self.prefix());
        let asked = [
            "for-each-ref",
            "--format=%(refname)",
            "--merged",
            commit,
            &folder,
        ];
        let output = self.git().run(&asked)?;
        let output = String::from_utf8_lossy(&output);
        Ok(output
            .lines()
            .filter_map(|name| Some(name.strip_prefix(&folder)?.to_owned()))
            .collect())
    }

    fn location(&self, commit: &str) -> Result<IsolatedWorkLocation, CheckoutError> {
        let asked = [
            "for-each-ref",
            "--count=1",
            "--format=%(refname:short)",
            "--contains",
            commit,
            "refs/heads",
            "refs/remotes",
        ];
        let output = crate::git_checkpoint::line(&self.git().run(&asked)?);
        Ok(if output.is_empty() {
            IsolatedWorkLocation::Nowhere
        } else {
            IsolatedWorkLocation::Branch(output)
        })
    }
}
