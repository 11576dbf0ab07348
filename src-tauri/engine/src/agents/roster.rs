//! Facts about agents for choosing one: teams, installed programs, limits and running sessions.
//!
//! Programs are searched on the sessions' `PATH`; a result is cached for a few seconds, since many
//! nodes may start at once. Limits and sessions of other runs are known only for runs that this
//! process executes.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use baton_model::arbiter::{AgentStatus, Roster, Team};
use baton_model::{RunId, Timestamp};

use super::AgentRegistry;

/// How long the result of a program search is cached.
const PROGRAM_CACHE_TTL: Duration = Duration::from_secs(5);

/// Usage limits and running sessions of the runs of this process.
#[derive(Default)]
pub(super) struct RegistryState {
    runs: HashMap<RunId, RunSessions>,
    found: HashMap<String, (Instant, bool)>,
}

/// Usage limits and running sessions of one run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct RunSessions {
    /// When each agent's usage limit ends.
    pub(crate) limits: BTreeMap<String, Timestamp>,
    /// How many sessions of each agent run, or are about to start.
    pub(crate) busy: BTreeMap<String, u32>,
}

/// The agents as one run sees them.
pub(crate) struct RunRoster<'registry> {
    registry: &'registry AgentRegistry,
    run: RunId,
}

impl AgentRegistry {
    /// The agents as `run` sees them.
    pub(crate) fn roster(&self, run: RunId) -> RunRoster<'_> {
        RunRoster {
            registry: self,
            run,
        }
    }

    /// Stores what a run knows, for the choices of other runs.
    pub(crate) fn update_run(&self, run: RunId, known: RunSessions) {
        let mut state = self.state();
        match known == RunSessions::default() {
            true => drop(state.runs.remove(&run)),
            false => drop(state.runs.insert(run, known)),
        }
    }

    /// Another executor has the run, so its sessions no longer count here. Its usage limits still
    /// apply.
    pub(crate) fn forget_sessions_of(&self, run: RunId) {
        if let Some(known) = self.state().runs.get_mut(&run) {
            known.busy.clear();
        }
    }

    /// Returns whether an agent of this name is known and its program is installed.
    #[must_use]
    pub fn can_start(&self, name: &str) -> bool {
        self.find(Some(name))
            .is_some_and(|agent| self.has_program(&agent.probe().program))
    }

    /// Returns whether a program is installed; always true while the environment is unknown.
    fn has_program(&self, program: &str) -> bool {
        if let Some((looked, found)) = self.state().found.get(program)
            && looked.elapsed() < PROGRAM_CACHE_TTL
        {
            return *found;
        }
        let Some(environment) = self.environment.get() else {
            return true;
        };
        let found = find_program(program, &environment()).is_some();
        self.state()
            .found
            .insert(program.to_owned(), (Instant::now(), found));
        found
    }
}

impl Roster for RunRoster<'_> {
    fn team(&self, name: &str) -> Option<Team> {
        self.registry
            .teams()
            .into_iter()
            .find(|team| team.name == name)
    }

    fn agent_status(&self, agent: &str) -> AgentStatus {
        let Some(adapter) = self.registry.find(Some(agent)) else {
            return AgentStatus {
                unknown: true,
                ..AgentStatus::default()
            };
        };
        let missing = !self.registry.has_program(&adapter.probe().program);
        let state = self.registry.state();
        let others = || {
            state
                .runs
                .iter()
                .filter(|(run, _)| **run != self.run)
                .map(|(_, known)| known)
        };
        AgentStatus {
            unknown: false,
            missing,
            limited_until: others()
                .filter_map(|known| known.limits.get(agent).copied())
                .max(),
            busy_elsewhere: others().filter_map(|known| known.busy.get(agent)).sum(),
        }
    }

    fn default_agent(&self) -> Option<String> {
        Some(self.registry.default_name())
    }
}

/// The path of `program` on the `PATH` of `environment`.
#[must_use]
pub fn find_program(program: &str, environment: &BTreeMap<String, String>) -> Option<PathBuf> {
    if program.contains('/') {
        return Some(PathBuf::from(program)).filter(|path| is_executable(path));
    }
    let path = environment.get("PATH")?;
    std::env::split_paths(path)
        .map(|folder| folder.join(program))
        .find(|path| is_executable(path))
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    path.metadata()
        .is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use baton_agents::custom::{CustomAgent, Protocol};

    use super::*;

    fn run(number: u128) -> RunId {
        RunId(uuid::Uuid::from_u128(number))
    }

    #[test]
    fn agent_status_reports_installed_limited_and_busy() {
        let registry = AgentRegistry::new("claude".to_owned());
        let own = |name: &str, program: &str| CustomAgent {
            name: name.to_owned(),
            argv: vec![program.to_owned()],
            protocol: Protocol::default(),
        };
        registry.configure(
            "claude".to_owned(),
            vec![own("here", "/bin/sh"), own("gone", "/bin/no-such-program")],
        );
        registry.set_environment(Arc::new(BTreeMap::new));
        let roster = registry.roster(run(1));
        assert_eq!(roster.agent_status("here"), AgentStatus::default());
        assert!(roster.agent_status("gone").missing);
        assert!(roster.agent_status("nobody").unknown);
        let known = RunSessions {
            limits: [("here".to_owned(), Timestamp(9))].into(),
            busy: [("here".to_owned(), 2)].into(),
        };
        registry.update_run(run(2), known);
        let standing = roster.agent_status("here");
        assert_eq!(
            (standing.limited_until, standing.busy_elsewhere),
            (Some(Timestamp(9)), 2)
        );
        let own_run = registry.roster(run(2)).agent_status("here");
        assert_eq!(
            (own_run.limited_until, own_run.busy_elsewhere),
            (None, 0),
            "a run counts its own sessions itself"
        );
        registry.forget_sessions_of(run(2));
        let standing = roster.agent_status("here");
        assert_eq!(
            (standing.limited_until, standing.busy_elsewhere),
            (Some(Timestamp(9)), 0)
        );
    }
}
