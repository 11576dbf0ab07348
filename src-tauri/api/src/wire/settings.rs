//! Settings of this machine, and facts about it.

use super::wire;

wire! {
    /// What a person has chosen.
    pub struct Settings {
        /// How it looks.
        pub theme: Theme,
        /// Nodes that name no agent take this one.
        pub default_agent: String,
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

/// How the window looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
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
