//! Operations for merging the work of isolated nodes into the plan's directory, and for previewing
//! merges.

mod conflict_agent;

use std::collections::BTreeSet;

use baton_engine::{
    AppliedMerge, CheckoutError, DeltaKind, FileDelta, IsolatedWork, IsolatedWorkLocation,
    MergeBackOutcome, MergeBackRequest, MergePreview, MergedFile, PredictedConflict,
};
use baton_model::{NodeId, Run, RunId, SessionId};
use uuid::Uuid;

use crate::wire::*;
use crate::{ApiError, App, Code};

pub(crate) use conflict_agent::start_conflict_agent;

/// Maximum number of files in a list.
const MAX_FILES: usize = 500;

/// Shows work outside of the plan's directory, and the result of merging it.
pub(crate) fn preview(app: &App, input: MergeBackPreview) -> Result<MergeBackView, ApiError> {
    let (run, _) = app.store.runs().replay(input.run)?;
    let nodes = input.nodes.map(node_set);
    let seen = baton_engine::preview_merge_back(&run, app.store.data_dir(), nodes.as_ref())
        .map_err(refusal)?;
    seen.map_or_else(|| Ok(empty_view()), |seen| view(app, &run, seen))
}

/// Merges work into the plan's directory or a branch.
pub(crate) fn apply(app: &App, input: MergeBackApply) -> Result<MergeBackResult, ApiError> {
    let (run, _) = app.store.runs().replay(input.run)?;
    conflict_agent::refuse_while_running(app, &run)?;
    let request = MergeBackRequest {
        act: SessionId(Uuid::now_v7()),
        nodes: input.nodes.map(node_set),
        branch: input.branch.map(|name| name.trim().to_owned()),
        resolution: input.resolution,
    };
    let merged = baton_engine::merge_back(&run, app.store.data_dir(), &request).map_err(refusal)?;
    let (branch, files, conflict) = match merged {
        MergeBackOutcome::Directory(files) => (None, files, None),
        MergeBackOutcome::Branch { name, .. } => (Some(name), Vec::new(), None),
        MergeBackOutcome::Conflict(conflict) => (None, Vec::new(), Some(*conflict)),
    };
    let (files, files_left_out) = limit_files(files);
    Ok(MergeBackResult {
        branch,
        files,
        files_left_out,
        conflict,
    })
}

/// Undoes a merge into the directory.
pub(crate) fn undo(app: &App, input: MergeBackUndo) -> Result<MergeBackResult, ApiError> {
    let (run, _) = app.store.runs().replay(input.run)?;
    let files =
        baton_engine::undo_merge_back(&run, app.store.data_dir(), &input.act).map_err(refusal)?;
    let (files, files_left_out) = limit_files(files);
    Ok(MergeBackResult {
        branch: None,
        files,
        files_left_out,
        conflict: None,
    })
}

/// Shows what a node would start with.
pub(crate) fn fan_in(app: &App, input: NodeRef) -> Result<FanInView, ApiError> {
    let (run, _) = app.store.runs().replay(input.run)?;
    let seen =
        baton_engine::preview_fan_in(&run, app.store.data_dir(), input.node).map_err(refusal)?;
    let seen = seen.unwrap_or_default();
    let side = |side: baton_engine::FanInSource| {
        let (files, files_left_out) = limit_files(side.files);
        FanInSide {
            title: side.title,
            files,
            files_left_out,
        }
    };
    Ok(FanInView {
        sources: seen.sources.into_iter().map(side).collect(),
        clashes: seen.clashes.into_iter().map(conflict_view).collect(),
        missing: seen.missing,
        into_directory: seen.into_directory,
    })
}

fn node_set(nodes: Vec<NodeId>) -> BTreeSet<NodeId> {
    nodes.into_iter().collect()
}

fn empty_view() -> MergeBackView {
    MergeBackView {
        root: String::new(),
        nodes: Vec::new(),
        outside: 0,
        files: Vec::new(),
        files_left_out: 0,
        clashes: Vec::new(),
        in_the_way: Vec::new(),
        at_work: Vec::new(),
        open: None,
        open_branch: None,
        solver: None,
        brought: Vec::new(),
    }
}

fn view(app: &App, run: &Run, seen: MergePreview) -> Result<MergeBackView, ApiError> {
    let is_unmerged = |work: &&IsolatedWork| {
        work.location == IsolatedWorkLocation::Nowhere && !work.files.is_empty()
    };
    let files_left_out = omitted_count(seen.files.len());
    Ok(MergeBackView {
        outside: u32::try_from(seen.works.iter().filter(is_unmerged).count()).unwrap_or(u32::MAX),
        root: seen.root.display().to_string(),
        nodes: seen
            .works
            .into_iter()
            .map(|work| node_view(work, &seen.coming))
            .collect(),
        files: seen
            .files
            .into_iter()
            .take(MAX_FILES)
            .map(file_view)
            .collect(),
        files_left_out,
        clashes: seen.clashes.into_iter().map(conflict_view).collect(),
        in_the_way: seen.blocking_files,
        at_work: seen.running_nodes,
        solver: seen
            .open
            .as_ref()
            .map(|open| conflict_agent::latest_run(app, &open.place))
            .transpose()?
            .flatten(),
        open: seen.open,
        open_branch: seen.open_branch,
        brought: seen
            .applied
            .into_iter()
            .map(|act| applied_merge_view(run, act))
            .collect(),
    })
}

fn node_view(work: IsolatedWork, coming: &[NodeId]) -> MergeBackNode {
    let (files, files_left_out) = limit_files(work.files);
    let whereabouts = match work.location {
        IsolatedWorkLocation::Directory => WorkLocation::Directory,
        IsolatedWorkLocation::Branch(name) => WorkLocation::Branch { name },
        IsolatedWorkLocation::Nowhere => WorkLocation::Nowhere,
    };
    MergeBackNode {
        coming: coming.contains(&work.node),
        node: work.node,
        title: work.title,
        whereabouts,
        files,
        files_left_out,
    }
}

fn file_view(file: MergedFile) -> MergeBackFile {
    MergeBackFile {
        delta: file_delta_view(file.delta),
        nodes: file.nodes,
        combined: file.combined,
    }
}

fn conflict_view(clash: PredictedConflict) -> MergeConflictView {
    MergeConflictView {
        ours: clash.ours,
        theirs: clash.theirs,
        files: clash.files,
    }
}

fn applied_merge_view(run: &Run, act: AppliedMerge) -> AppliedMergeView {
    let (files, files_left_out) = limit_files(act.files);
    // A merge received by a shared node has the id of its session.
    let received = run.nodes().find(|(_, state)| {
        state
            .session
            .is_some_and(|session| session.to_string() == act.act)
    });
    AppliedMergeView {
        node: received.map(|(node, _)| node.id),
        act: act.act,
        at: act.at,
        titles: act.titles,
        files,
        files_left_out,
        unfinished: act.unfinished,
        undone: act.undone,
    }
}

pub(crate) fn limit_files(files: Vec<FileDelta>) -> (Vec<FileDeltaView>, u32) {
    let left_out = omitted_count(files.len());
    (
        files
            .into_iter()
            .take(MAX_FILES)
            .map(file_delta_view)
            .collect(),
        left_out,
    )
}

fn omitted_count(count: usize) -> u32 {
    u32::try_from(count.saturating_sub(MAX_FILES)).unwrap_or(u32::MAX)
}

pub(crate) fn file_delta_view(file: FileDelta) -> FileDeltaView {
    let (change, from) = match file.change {
        DeltaKind::Created => (FileDeltaKind::Created, None),
        DeltaKind::Changed => (FileDeltaKind::Changed, None),
        DeltaKind::Deleted => (FileDeltaKind::Deleted, None),
        DeltaKind::Renamed { from } => (FileDeltaKind::Renamed, Some(from)),
    };
    let (added, removed) = file.lines.unzip();
    FileDeltaView {
        path: file.path,
        change,
        from,
        added,
        removed,
    }
}

fn refusal(error: CheckoutError) -> ApiError {
    ApiError::new(Code::Refused, error.to_string())
}

/// The open conflict in merging the work of `run`.
fn open_conflict(app: &App, run: RunId) -> Result<(Run, baton_model::run::Conflict), ApiError> {
    let (run, _) = app.store.runs().replay(run)?;
    let open = baton_engine::pending_merge_back(run.id(), app.store.data_dir());
    let none = || ApiError::new(Code::Refused, "this run has no open merge conflict");
    Ok((run, open.ok_or_else(none)?))
}
