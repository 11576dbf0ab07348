//! Settings of this machine, and information about it.

use std::collections::BTreeMap;

use baton_model::plan::RunDefaults;

pub use baton_planning::editors::EditorSetting;
pub use baton_planning::settings::{ProposalDays, Theme};

use super::wire;

wire! {
    /// Settings that a person chose.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct Settings {
        pub theme: Theme,
        /// The agent for nodes that don't specify one.
        pub default_agent: String,
        /// Runs of executors that have been silent for too long may be taken over.
        #[serde(default = "default_true")]
        pub takeover_allowed: bool,
        /// Agent tools, by exact name, that need a person's decision in all plans; `None` to leave
        /// the setting unchanged.
        #[serde(default)]
        pub guarded_tools: Option<Vec<String>>,
        /// How long proposals wait for a decision.
        #[serde(default)]
        pub proposal_days: ProposalDays,
        /// Maximum number of parallel sessions per agent over all runs, by agent name; `None` to
        /// leave the setting unchanged.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional))]
        pub agent_concurrency: Option<BTreeMap<String, u32>>,
        /// Defaults for plans that don't set a value; `None` to leave the setting unchanged.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional))]
        pub run_defaults: Option<RunDefaults>,
        /// What opens files that sessions mention; `None` to leave the setting unchanged.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional))]
        pub editor: Option<EditorSetting>,
        /// Which runs are kept, for plans without a rule of their own; `None` to leave the setting
        /// unchanged.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional))]
        pub retention: Option<super::Retention>,
        /// Terminals can be used over HTTP, by the pages of `baton serve` and with tokens that
        /// decide. Only a person can turn it on. `None` to leave the setting unchanged.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "bindings", ts(optional))]
        pub terminal_over_http: Option<bool>,
    }
    /// Information about this Baton.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct About {
        pub version: String,
        /// Where all data is stored.
        pub data_directory: String,
        /// Size of the data directory in bytes.
        #[cfg_attr(feature = "bindings", ts(type = "number"))]
        pub data_bytes: u64,
        /// Format of the database.
        pub schema: u32,
        /// Operating system and architecture.
        pub platform: String,
    }
}

/// The default for older clients that don't send the field.
fn default_true() -> bool {
    true
}

wire! {
    /// A window's layout: what it showed last, and how. The keys are defined by the window.
    #[derive(Default)]
    pub struct AppState {
        /// Values by a key that the window chooses.
        #[serde(default)]
        #[cfg_attr(feature = "bindings", ts(type = "Record<string, unknown>"))]
        pub ui: serde_json::Map<String, serde_json::Value>,
    }
    /// Notes by a person on a plan, node, or session.
    #[expect(missing_docs, reason = "the names say it")]
    #[derive(Default)]
    pub struct Enrichment {
        /// Whether it is starred.
        #[serde(default)]
        pub starred: bool,
        #[serde(default)]
        pub tags: Vec<String>,
        /// Free text in Markdown.
        #[serde(default)]
        pub notes: String,
    }
    #[expect(missing_docs, reason = "the names say it")]
    pub struct EnrichmentSave {
        /// The kind of object the notes are for.
        pub subject: EnrichmentSubject,
        /// Id of the object.
        pub id: String,
        pub enrichment: Enrichment,
    }
}

/// All notes, by object id. Keys from later versions are ignored.
#[expect(missing_docs, reason = "the names say it")]
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase", default)]
pub struct Enrichments {
    pub plans: BTreeMap<String, Enrichment>,
    pub nodes: BTreeMap<String, Enrichment>,
    pub sessions: BTreeMap<String, Enrichment>,
    pub runs: BTreeMap<String, Enrichment>,
}

/// The kind of object that notes are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum EnrichmentSubject {
    Plan,
    Node,
    Session,
    Run,
}
