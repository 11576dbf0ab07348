//! The agents that nodes may name: those that Baton knows, and those that a person has defined.

mod roster;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};

use baton_agents::Adapter;
use baton_agents::custom::CustomAgent;
use baton_model::arbiter::Team;

use roster::RegistryState;
pub(crate) use roster::RunSessions;
pub use roster::find_program;

type Environment = dyn Fn() -> BTreeMap<String, String> + Send + Sync;

/// The agents of this process. Changes reach the sessions that start afterwards.
#[derive(Clone)]
pub struct AgentRegistry {
    inner: Arc<RwLock<Inner>>,
    state: Arc<Mutex<RegistryState>>,
    /// What sessions start from; there once the engine has started.
    environment: Arc<OnceLock<Arc<Environment>>>,
}

struct Inner {
    builtin: Vec<Arc<dyn Adapter>>,
    custom: Vec<Arc<dyn Adapter>>,
    default: String,
    guarded: Vec<String>,
    teams: Vec<Team>,
    limits: BTreeMap<String, u32>,
}

impl AgentRegistry {
    /// The agents that Baton knows, `default` being the one for nodes that name none.
    #[must_use]
    pub fn new(default: String) -> Self {
        let builtin = baton_agents::builtin().into_iter().map(Arc::from).collect();
        let (custom, guarded, teams) = (Vec::new(), Vec::new(), Vec::new());
        let limits = BTreeMap::new();
        let inner = Inner {
            builtin,
            custom,
            default,
            guarded,
            teams,
            limits,
        };
        Self {
            inner: Arc::new(RwLock::new(inner)),
            state: Arc::default(),
            environment: Arc::default(),
        }
    }

    /// Takes over what the settings say.
    pub fn configure(&self, default: String, custom: Vec<CustomAgent>) {
        let mut inner = self.inner.write().unwrap_or_else(PoisonError::into_inner);
        inner.default = default;
        inner.custom = custom
            .into_iter()
            .map(|agent| Arc::new(agent) as Arc<dyn Adapter>)
            .collect();
    }

    /// Takes over the teams of the settings.
    pub fn set_teams(&self, teams: Vec<Team>) {
        self.inner
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .teams = teams;
    }

    /// Takes over how many sessions of an agent may live in all runs together.
    pub fn set_limits(&self, limits: BTreeMap<String, u32>) {
        self.inner
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .limits = limits;
    }

    /// How many sessions of an agent may live in all runs together; agents that are not named have no limit.
    #[must_use]
    pub fn limits(&self) -> BTreeMap<String, u32> {
        self.inner
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .limits
            .clone()
    }

    /// The teams of the settings.
    #[must_use]
    pub fn teams(&self) -> Vec<Team> {
        self.inner
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .teams
            .clone()
    }

    /// Says on which environment sessions start, so that programs are looked for where they will be.
    pub(crate) fn set_environment(&self, environment: Arc<Environment>) {
        // One engine to a process; a second one has the same environment.
        let _ = self.environment.set(environment);
    }

    fn state(&self) -> MutexGuard<'_, RegistryState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes over which tools of agents a person wants to decide about in all plans.
    pub fn set_guarded_tools(&self, tools: Vec<String>) {
        self.inner
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .guarded = tools;
    }

    /// The tools of agents that a person wants to decide about in all plans.
    #[must_use]
    pub fn guarded_tools(&self) -> Vec<String> {
        self.inner
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .guarded
            .clone()
    }

    /// The agent of this name, or the default one for `None`. A person's own agent hides one of Baton's.
    #[must_use]
    pub fn find(&self, name: Option<&str>) -> Option<Arc<dyn Adapter>> {
        let inner = self.inner.read().unwrap_or_else(PoisonError::into_inner);
        let name = name.unwrap_or(&inner.default);
        inner
            .custom
            .iter()
            .chain(&inner.builtin)
            .find(|agent| agent.id() == name)
            .cloned()
    }

    /// All agents, a person's own first.
    #[must_use]
    pub fn all(&self) -> Vec<Arc<dyn Adapter>> {
        let inner = self.inner.read().unwrap_or_else(PoisonError::into_inner);
        inner.custom.iter().chain(&inner.builtin).cloned().collect()
    }

    /// The name of the agent for nodes that name none.
    #[must_use]
    pub fn default_name(&self) -> String {
        self.inner
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .default
            .clone()
    }
}
