//! The agents that nodes may name: those that Baton knows, and those that a person has defined.

use std::sync::{Arc, PoisonError, RwLock};

use baton_agents::Adapter;
use baton_agents::custom::CustomAgent;

/// The agents of this process. Changes reach the sessions that start afterwards.
#[derive(Clone)]
pub struct AgentRegistry {
    inner: Arc<RwLock<Inner>>,
}

struct Inner {
    builtin: Vec<Arc<dyn Adapter>>,
    custom: Vec<Arc<dyn Adapter>>,
    default: String,
    guarded: Vec<String>,
}

impl AgentRegistry {
    /// The agents that Baton knows, `default` being the one for nodes that name none.
    #[must_use]
    pub fn new(default: String) -> Self {
        let builtin = baton_agents::builtin().into_iter().map(Arc::from).collect();
        Self { inner: Arc::new(RwLock::new(Inner { builtin, custom: Vec::new(), default, guarded: Vec::new() })) }
    }

    /// Takes over what the settings say.
    pub fn configure(&self, default: String, custom: Vec<CustomAgent>) {
        let mut inner = self.inner.write().unwrap_or_else(PoisonError::into_inner);
        inner.default = default;
        inner.custom = custom.into_iter().map(|agent| Arc::new(agent) as Arc<dyn Adapter>).collect();
    }

    /// Takes over which tools of agents a person wants to decide about in all plans.
    pub fn guard(&self, tools: Vec<String>) {
        self.inner.write().unwrap_or_else(PoisonError::into_inner).guarded = tools;
    }

    /// The tools of agents that a person wants to decide about in all plans.
    #[must_use]
    pub fn guarded_tools(&self) -> Vec<String> {
        self.inner.read().unwrap_or_else(PoisonError::into_inner).guarded.clone()
    }

    /// The agent of this name, or the default one for `None`. A person's own agent hides one of Baton's.
    #[must_use]
    pub fn find(&self, name: Option<&str>) -> Option<Arc<dyn Adapter>> {
        let inner = self.inner.read().unwrap_or_else(PoisonError::into_inner);
        let name = name.unwrap_or(&inner.default);
        inner.custom.iter().chain(&inner.builtin).find(|agent| agent.id() == name).cloned()
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
        self.inner.read().unwrap_or_else(PoisonError::into_inner).default.clone()
    }
}
