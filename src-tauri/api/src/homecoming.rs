//! Bringing the work of isolated nodes home, and looking at merges before they are made.

mod solver;

use std::collections::BTreeSet;

use baton_engine::{
    Apart, Brought, CameHome, CheckoutError, Clash, ComingFile, DeltaKind, FileDelta, HomeWish,
    Homecoming, Whereabouts,
};
use baton_model::{NodeId, Run, RunId, SessionId};
use uuid::Uuid;

use crate::wire::*;
use crate::{ApiError, App, Code};

pub(crate) use solver::settle_by_agent;

/// The most files that a list holds.
const FILES_SHOWN: usize = 500;

/// Shows what stands apart from the plan's directory, and what bringing it home would come to.
pub(crate) fn look(app: &App, input: HomeLook) -> Result<HomeView, ApiError> {
    let (run, _) = app.store.runs().replay(input.run)?;
    let nodes = input.nodes.map(chosen);
    let seen =
        baton_engine::look_home(&run, app.store.data_dir(), nodes.as_ref()).map_err(refused)?;
    seen.map_or_else(|| Ok(nothing_apart()), |seen| view(app, &run, seen))
}

/// Brings work home.
pub(crate) fn bring(app: &App, input: HomeBring) -> Result<HomeBrought, ApiError> {
    let (run, _) = app.store.runs().replay(input.run)?;
    solver::refuse_at_work(app, &run)?;
    let wish = HomeWish {
        act: SessionId(Uuid::now_v7()),
        nodes: input.nodes.map(chosen),
        branch: input.branch.map(|name| name.trim().to_owned()),
        resolution: input.resolution,
    };
    let came = baton_engine::bring_home(&run, app.store.data_dir(), &wish).map_err(refused)?;
    let (branch, files, conflict) = match came {
        CameHome::Directory(files) => (None, files, None),
        CameHome::Branch { name, .. } => (Some(name), Vec::new(), None),
        CameHome::Conflict(conflict) => (None, Vec::new(), Some(*conflict)),
    };
    let (files, files_left_out) = listed(files);
    Ok(HomeBrought {
        branch,
        files,
        files_left_out,
        conflict,
    })
}

/// Takes back what was brought into the directory.
pub(crate) fn undo(app: &App, input: HomeUndo) -> Result<HomeBrought, ApiError> {
    let (run, _) = app.store.runs().replay(input.run)?;
    let files = baton_engine::take_back(&run, app.store.data_dir(), &input.act).map_err(refused)?;
    let (files, files_left_out) = listed(files);
    Ok(HomeBrought {
        branch: None,
        files,
        files_left_out,
        conflict: None,
    })
}

/// Shows what a node would begin with.
pub(crate) fn fan_in(app: &App, input: NodeRef) -> Result<FanInView, ApiError> {
    let (run, _) = app.store.runs().replay(input.run)?;
    let seen =
        baton_engine::look_at_fan_in(&run, app.store.data_dir(), input.node).map_err(refused)?;
    let seen = seen.unwrap_or_default();
    let side = |side: baton_engine::FanInSource| {
        let (files, files_left_out) = listed(side.files);
        FanInSide {
            title: side.title,
            files,
            files_left_out,
        }
    };
    Ok(FanInView {
        sources: seen.sources.into_iter().map(side).collect(),
        clashes: seen.clashes.into_iter().map(clash).collect(),
        missing: seen.missing,
        into_directory: seen.into_directory,
    })
}

fn chosen(nodes: Vec<NodeId>) -> BTreeSet<NodeId> {
    nodes.into_iter().collect()
}

fn nothing_apart() -> HomeView {
    HomeView {
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

fn view(app: &App, run: &Run, seen: Homecoming) -> Result<HomeView, ApiError> {
    let is_outside =
        |work: &&Apart| work.whereabouts == Whereabouts::Nowhere && !work.files.is_empty();
    let files_left_out = left_out(seen.files.len());
    Ok(HomeView {
        outside: u32::try_from(seen.works.iter().filter(is_outside).count()).unwrap_or(u32::MAX),
        root: seen.root.display().to_string(),
        nodes: seen
            .works
            .into_iter()
            .map(|work| node(work, &seen.coming))
            .collect(),
        files: seen
            .files
            .into_iter()
            .take(FILES_SHOWN)
            .map(coming_file)
            .collect(),
        files_left_out,
        clashes: seen.clashes.into_iter().map(clash).collect(),
        in_the_way: seen.in_the_way,
        at_work: seen.at_work,
        solver: seen
            .open
            .as_ref()
            .map(|open| solver::of(app, &open.place))
            .transpose()?
            .flatten(),
        open: seen.open,
        open_branch: seen.open_branch,
        brought: seen
            .brought
            .into_iter()
            .map(|act| brought(run, act))
            .collect(),
    })
}

fn node(work: Apart, coming: &[NodeId]) -> HomeNode {
    let (files, files_left_out) = listed(work.files);
    let whereabouts = match work.whereabouts {
        Whereabouts::Directory => WorkPlace::Directory,
        Whereabouts::Branch(name) => WorkPlace::Branch { name },
        Whereabouts::Nowhere => WorkPlace::Nowhere,
    };
    HomeNode {
        coming: coming.contains(&work.node),
        node: work.node,
        title: work.title,
        whereabouts,
        files,
        files_left_out,
    }
}

fn coming_file(file: ComingFile) -> HomeFile {
    HomeFile {
        delta: delta(file.delta),
        nodes: file.nodes,
        combined: file.combined,
    }
}

fn clash(clash: Clash) -> ClashView {
    ClashView {
        ours: clash.ours,
        theirs: clash.theirs,
        files: clash.files,
    }
}

fn brought(run: &Run, act: Brought) -> BroughtView {
    let (files, files_left_out) = listed(act.files);
    // A shared node receives work in an act that is called like its session.
    let received = run.nodes().find(|(_, state)| {
        state
            .session
            .is_some_and(|session| session.to_string() == act.act)
    });
    BroughtView {
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

fn listed(files: Vec<FileDelta>) -> (Vec<FileDeltaView>, u32) {
    let left_out = left_out(files.len());
    (
        files.into_iter().take(FILES_SHOWN).map(delta).collect(),
        left_out,
    )
}

fn left_out(count: usize) -> u32 {
    u32::try_from(count.saturating_sub(FILES_SHOWN)).unwrap_or(u32::MAX)
}

fn delta(file: FileDelta) -> FileDeltaView {
    let (change, from) = match file.change {
        DeltaKind::Created => (DeltaWord::Created, None),
        DeltaKind::Changed => (DeltaWord::Changed, None),
        DeltaKind::Deleted => (DeltaWord::Deleted, None),
        DeltaKind::Renamed { from } => (DeltaWord::Renamed, Some(from)),
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

fn refused(error: CheckoutError) -> ApiError {
    ApiError::new(Code::Refused, error.to_string())
}

/// The open conflict of the work of `run`.
fn open_conflict(app: &App, run: RunId) -> Result<(Run, baton_model::run::Conflict), ApiError> {
    let (run, _) = app.store.runs().replay(run)?;
    let open = baton_engine::open_homecoming(run.id(), app.store.data_dir());
    let none = || {
        ApiError::new(
            Code::Refused,
            "no conflict of this run's work waits on its way home",
        )
    };
    Ok((run, open.ok_or_else(none)?))
}
