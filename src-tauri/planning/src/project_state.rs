//! The state of a plan's project, for its approval and compared with it.
//!
//! A person waits for it, and it never keeps them from approving or running: what can't be found
//! out in time is unknown.

mod used_agents;

use std::path::Path;
use std::thread;
use std::time::Duration;

use baton_engine::{CheckpointError, ProjectRepositoryView, RepositoryNow};
use baton_model::Plan;
use baton_model::approval::FileDigest;
use baton_model::named_files::NamedFiles;
use baton_model::project_changes::{
    ProjectChanges, ProjectNow, RepositoryComparison, project_changes,
};
use baton_model::project_state::{AgentVersion, ProjectRepository, ProjectState};

use crate::Context;
pub(crate) use used_agents::used_agent_names;
use used_agents::used_agents;

/// The time limit for an agent to print its version.
const VERSION_LIMIT: Duration = Duration::from_secs(5);

/// The present state of the project of `plan`.
pub(crate) fn current(context: &Context, plan: &Plan) -> ProjectState {
    let (agents, repository) = in_parallel(
        || agent_versions(context, plan),
        || repository(context, plan.cwd.as_deref().unwrap_or_default()),
    );
    ProjectState { repository, agents }
}

/// The present state of the repository of `directory`.
pub(crate) fn repository(context: &Context, directory: &str) -> ProjectRepository {
    match look_at(context, directory, |view| view.state()) {
        Ok(Some(state)) => ProjectRepository::Present(state),
        Ok(None) => ProjectRepository::Absent,
        Err(error) => unknown(&error),
    }
}

/// What has changed in the project of `plan` since an approval. `criteria` are the files that the
/// approval covers.
pub(crate) fn changes_since(
    context: &Context,
    plan: &Plan,
    then: &ProjectState,
    criteria: &[FileDigest],
) -> ProjectChanges {
    let (agents, (mut now, place)) = in_parallel(
        || agent_versions(context, plan),
        || repository_now(context, plan, &then.repository),
    );
    now.state.agents = agents;
    let mut named = NamedFiles::of_plan(plan, &place);
    criteria.iter().for_each(|file| named.add_file(&file.path));
    project_changes(then, &now, &named)
}

/// What has changed in the repository of `plan` since it was as in `then`.
pub(crate) fn repository_changes_since(
    context: &Context,
    plan: &Plan,
    then: &ProjectRepository,
) -> RepositoryComparison {
    let (now, place) = repository_now(context, plan, then);
    let then = ProjectState {
        repository: then.clone(),
        agents: Vec::new(),
    };
    project_changes(&then, &now, &NamedFiles::of_plan(plan, &place)).repository
}

/// The repository now, without agents, and the place of the plan's directory in it.
fn repository_now(
    context: &Context,
    plan: &Plan,
    then: &ProjectRepository,
) -> (ProjectNow, String) {
    let directory = plan.cwd.as_deref().unwrap_or_default();
    let found = look_at(context, directory, |view| {
        Ok((since(view, then)?, view.place_of(Path::new(directory))))
    });
    let (repository, earlier_files, history, place) = match found {
        Ok(Some((now, place))) => (
            ProjectRepository::Present(now.state),
            now.earlier_files,
            now.history,
            place,
        ),
        Ok(None) => (ProjectRepository::Absent, Vec::new(), None, String::new()),
        Err(error) => (unknown(&error), Vec::new(), None, String::new()),
    };
    let state = ProjectState {
        repository,
        agents: Vec::new(),
    };
    let now = ProjectNow {
        state,
        earlier_files,
        history,
    };
    (now, place)
}

fn since(
    view: &ProjectRepositoryView,
    then: &ProjectRepository,
) -> Result<RepositoryNow, CheckpointError> {
    let nothing = Default::default();
    view.since(match then {
        ProjectRepository::Present(state) => state,
        ProjectRepository::Unknown | ProjectRepository::Absent => &nothing,
    })
}

/// `None` outside of a repository, and when the directory doesn't exist.
fn look_at<T>(
    context: &Context,
    directory: &str,
    look: impl FnOnce(&ProjectRepositoryView) -> Result<T, CheckpointError>,
) -> Result<Option<T>, CheckpointError> {
    let directory = Path::new(directory);
    if !directory.is_dir() {
        return Ok(None);
    }
    let view = ProjectRepositoryView::of(directory, context.data_directory())?;
    view.map(|view| look(&view)).transpose()
}

fn unknown(error: &CheckpointError) -> ProjectRepository {
    tracing::info!(%error, "the state of the project isn't known");
    ProjectRepository::Unknown
}

/// The versions of the agents that the plan uses. Those that have no command for it are left out.
fn agent_versions(context: &Context, plan: &Plan) -> Vec<AgentVersion> {
    let used = used_agents(context, plan);
    if used.is_empty() {
        // Reading the environment of a login shell is slow.
        return Vec::new();
    }
    let environment = context.engine.environment();
    thread::scope(|scope| {
        let threads: Vec<_> = used
            .iter()
            .map(|agent| {
                let environment = &environment;
                scope.spawn(move || {
                    let versions = &context.agent_versions;
                    AgentVersion {
                        agent: agent.id().to_owned(),
                        version: versions.recent(agent.as_ref(), environment, VERSION_LIMIT),
                    }
                })
            })
            .collect();
        threads
            .into_iter()
            .filter_map(|thread| thread.join().ok())
            .collect()
    })
}

fn in_parallel<A: Send, B>(one: impl FnOnce() -> A + Send, other: impl FnOnce() -> B) -> (A, B) {
    thread::scope(|scope| {
        let one = scope.spawn(one);
        let other = other();
        match one.join() {
            Ok(one) => (one, other),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}
