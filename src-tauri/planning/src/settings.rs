//! The settings of this machine, as they are stored.

use std::collections::BTreeMap;

use baton_agents::custom::CustomAgent;
use baton_model::arbiter::Team;
use baton_model::plan::RunDefaults;
use baton_store::{Store, StoreError};
use baton_tools::McpServer;
use serde::{Deserialize, Serialize};

const KEY: &str = "settings";
const DEFAULT_AGENT: &str = "claude";

/// The settings as they are stored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct StoredSettings {
    /// How the window looks.
    pub theme: Theme,
    /// The agent of nodes that name none.
    pub default_agent: String,
    /// Whether runs of silent executors may be taken over.
    pub takeover_allowed: bool,
    /// Agents that a person has defined.
    pub custom_agents: Vec<CustomAgent>,
    /// MCP servers.
    pub mcp_servers: Vec<McpServer>,
    /// Tools of agents that a person decides about in all plans.
    pub guarded_tools: Vec<String>,
    /// How long proposals wait for a person.
    pub proposal_days: ProposalDays,
    /// Teams of agents.
    pub teams: Vec<Team>,
    /// How many sessions of an agent may live at once.
    pub agent_concurrency: BTreeMap<String, u32>,
    /// What holds for plans that say nothing.
    pub run_defaults: RunDefaults,
}

impl Default for StoredSettings {
    fn default() -> Self {
        Self {
            theme: Theme::default(),
            default_agent: DEFAULT_AGENT.to_owned(),
            takeover_allowed: true,
            custom_agents: Vec::new(),
            mcp_servers: Vec::new(),
            guarded_tools: Vec::new(),
            proposal_days: ProposalDays::default(),
            teams: Vec::new(),
            agent_concurrency: BTreeMap::new(),
            run_defaults: RunDefaults::default(),
        }
    }
}

impl StoredSettings {
    /// Reads them; what was never stored is as it is from the start.
    pub fn read(store: &Store) -> Result<Self, StoreError> {
        Ok(store.settings().get(KEY)?.unwrap_or_default())
    }

    /// Stores them.
    pub fn write(&self, store: &Store) -> Result<(), StoreError> {
        store.settings().set(KEY, self)
    }
}

/// For how many days a proposal waits for a person before it expires.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", default)]
pub struct ProposalDays {
    /// One that Baton had made by itself.
    pub automatic: u32,
    /// One that a person asked for.
    pub asked: u32,
}

impl Default for ProposalDays {
    fn default() -> Self {
        Self {
            automatic: 7,
            asked: 30,
        }
    }
}

impl ProposalDays {
    /// The most days that one waits.
    pub const MOST: u32 = 3650;

    /// In milliseconds.
    pub(crate) fn ms(self, automatic: bool) -> u64 {
        let days = if automatic {
            self.automatic
        } else {
            self.asked
        };
        u64::from(days) * 24 * 60 * 60 * 1000
    }
}

/// How the window looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Theme {
    #[default]
    System,
    Light,
    Dark,
    HighContrast,
}
