//! Settings of this machine, and facts about it.

use std::collections::BTreeMap;

use baton_model::plan::RunDefaults;

pub use baton_planning::settings::{ProposalDays, Theme};

use super::wire;

wire! {
    /// What a person has chosen.
    pub struct Settings {
        /// How it looks.
        pub theme: Theme,
        /// Nodes that name no agent take this one.
        pub default_agent: String,
        /// Runs of executors that are silent for too long may be taken over.
        #[serde(default = "yes")]
        pub takeover_allowed: bool,
        /// The tools of agents, by exact name, that the person wants to decide about in all plans; none: as they are.
        #[serde(default)]
        pub guarded_tools: Option<Vec<String>>,
        /// How long proposals wait for a person.
        #[serde(default)]
        pub proposal_days: ProposalDays,
        /// How many sessions of an agent may live at once in all runs together, by the agent's name; none: as they are.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional))]
        pub agent_concurrency: Option<BTreeMap<String, u32>>,
        /// What holds for plans that say nothing; none: as it is.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional))]
        pub run_defaults: Option<RunDefaults>,
    }
    /// What a person may want to know of this Baton.
    pub struct About {
        /// Its version.
        pub version: String,
        /// Where everything is kept.
        pub data_directory: String,
        /// How much that is, in bytes.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub data_bytes: u64,
        /// The version of the database.
        pub schema: u32,
        /// The operating system and its architecture.
        pub platform: String,
    }
}

/// What holds when an older caller does not say.
fn yes() -> bool {
    true
}

wire! {
    /// How a person's window looks: what it showed last, and how. Only the window knows the keys.
    #[derive(Default)]
    pub struct AppState {
        /// By name.
        #[serde(default)]
        #[cfg_attr(feature = "bindings", ts(type = "Record<string, unknown>"))]
        pub ui: serde_json::Map<String, serde_json::Value>,
    }
    /// What a person noted on one thing.
    #[derive(Default)]
    pub struct Enrichment {
        /// It is dear to them.
        #[serde(default)]
        pub starred: bool,
        /// Words to find it by.
        #[serde(default)]
        pub tags: Vec<String>,
        /// Anything, Markdown.
        #[serde(default)]
        pub notes: String,
    }
    /// A note to be kept.
    pub struct EnrichmentSave {
        /// What it is on.
        pub subject: EnrichmentSubject,
        /// Which.
        pub id: String,
        /// The note.
        pub enrichment: Enrichment,
    }
}

/// Everything that a person noted, by the id of the thing. Keys of a later version are passed over.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", default)]
pub struct Enrichments {
    /// On plans.
    pub plans: BTreeMap<String, Enrichment>,
    /// On nodes.
    pub nodes: BTreeMap<String, Enrichment>,
    /// On sessions.
    pub sessions: BTreeMap<String, Enrichment>,
}

/// What a note is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum EnrichmentSubject {
    Plan,
    Node,
    Session,
}
