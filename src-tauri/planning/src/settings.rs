//! The settings of this machine, in their stored form.

use std::collections::BTreeMap;

use baton_agents::custom::CustomAgent;
use baton_model::Retention;
use baton_model::arbiter::Team;
use baton_model::plan::RunDefaults;
use baton_store::{Store, StoreError};
use baton_tools::McpServer;
use serde::{Deserialize, Serialize};

use crate::editors::EditorSetting;

const KEY: &str = "settings";
const DEFAULT_AGENT: &str = "claude";

/// The settings in their stored form. The API has its own type for them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[expect(missing_docs, reason = "the names say it")]
pub struct StoredSettings {
    /// The color theme of the window.
    pub theme: Theme,
    /// The agent of nodes without an agent.
    pub default_agent: String,
    /// Whether runs of silent executors may be taken over.
    pub takeover_allowed: bool,
    /// Agents that a person has defined.
    pub custom_agents: Vec<CustomAgent>,
    pub mcp_servers: Vec<McpServer>,
    /// Tools that need permission in all plans.
    pub guarded_tools: Vec<String>,
    /// How long proposals stay open.
    pub proposal_days: ProposalDays,
    pub teams: Vec<Team>,
    /// The maximum number of concurrent sessions by agent.
    pub agent_concurrency: BTreeMap<String, u32>,
    /// Defaults for plans that leave a setting open.
    pub run_defaults: RunDefaults,
    /// What opens files that sessions mention.
    pub editor: EditorSetting,
    /// Which runs are kept, for plans without a rule of their own.
    pub retention: Retention,
    /// Whether terminals can be used over HTTP.
    pub terminal_over_http: bool,
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
            editor: EditorSetting::default(),
            retention: Retention::default(),
            terminal_over_http: false,
        }
    }
}

impl StoredSettings {
    /// Reads the settings. Settings that were never stored have their defaults.
    pub fn read(store: &Store) -> Result<Self, StoreError> {
        Ok(store.settings().get(KEY)?.unwrap_or_default())
    }

    /// Writes all settings to the store.
    pub fn write(&self, store: &Store) -> Result<(), StoreError> {
        store.settings().set(KEY, self)
    }
}

/// The number of days after which an open proposal expires.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct ProposalDays {
    /// For proposals that Baton requested automatically.
    pub automatic: u32,
    /// For proposals that a person requested.
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
    /// The largest accepted number of days.
    pub const MAX: u32 = 3650;

    /// The days for a proposal that was requested automatically, or by a person.
    pub(crate) fn for_request(self, automatic: bool) -> u32 {
        match automatic {
            true => self.automatic,
            false => self.asked,
        }
    }
}

/// The color theme of the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Theme {
    #[default]
    System,
    Light,
    Dark,
    HighContrast,
}
