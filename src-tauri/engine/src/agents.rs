//! The agents that nodes can use: the built-in ones and those defined in the settings.

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

/// The agents of this process. Changes apply to sessions that start afterwards.
#[derive(Clone)]
pub struct AgentRegistry {
    inner: Arc<RwLock<Inner>>,
    state: Arc<Mutex<RegistryState>>,
    /// The environment that sessions start with; set once the engine has started.
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
    /// The built-in agents. `default` is used for nodes that don't specify an agent.
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

    /// Replaces the default agent and the custom agents, as the settings define them.
    pub fn configure(&self, default: String, custom: Vec<CustomAgent>) {
        let mut inner = self.inner.write().unwrap_or_else(PoisonError::into_inner);
        inner.default = default;
        inner.custom = custom
            .into_iter()
            .map(|agent| Arc::new(agent) as Arc<dyn Adapter>)
            .collect();
    }

    /// Replaces the teams, as the settings define them.
    pub fn set_teams(&self, teams: Vec<Team>) {
        self.inner
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .teams = teams;
    }

    /// Replaces the limits on concurrent sessions per agent, over all runs.
    pub fn set_limits(&self, limits: BTreeMap<String, u32>) {
        self.inner
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .limits = limits;
    }

    /// The maximum number of concurrent sessions of each agent over all runs. An agent without an
    /// entry has no limit.
    #[must_use]
    pub fn limits(&self) -> BTreeMap<String, u32> {
        self.inner
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .limits
            .clone()
    }

    /// The teams from the settings.
    #[must_use]
    pub fn teams(&self) -> Vec<Team> {
        self.inner
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .teams
            .clone()
    }

    /// Sets the environment that sessions start with, whose `PATH` is searched for programs.
    pub(crate) fn set_environment(&self, environment: Arc<Environment>) {
        // A second engine in the process has the same environment.
        let _ = self.environment.set(environment);
    }

    fn state(&self) -> MutexGuard<'_, RegistryState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Replaces the agent tools that need a person's permission in every plan.
    pub fn set_guarded_tools(&self, tools: Vec<String>) {
        self.inner
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .guarded = tools;
    }

    /// The agent tools that need a person's permission in every plan.
    #[must_use]
    pub fn guarded_tools(&self) -> Vec<String> {
        self.inner
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .guarded
            .clone()
    }

    /// The agent with this name, or the default for `None`. A custom agent shadows a built-in one.
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

    /// All agents, custom ones first.
    #[must_use]
    pub fn all(&self) -> Vec<Arc<dyn Adapter>> {
        let inner = self.inner.read().unwrap_or_else(PoisonError::into_inner);
        inner.custom.iter().chain(&inner.builtin).cloned().collect()
    }

    /// The agent for nodes that don't specify one.
    #[must_use]
    pub fn default_name(&self) -> String {
        self.inner
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .default
            .clone()
    }
}
