//! A run as a file.

use baton_model::RunId;
use serde::{Deserialize, Serialize};

use super::wire;

wire! {
    /// Exports a run as one file.
    #[expect(missing_docs, reason = "the names say it")]
    pub struct RunExport {
        pub run: RunId,
        pub format: RunExportFormat,
    }
}

/// The format of a run's file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RunExportFormat {
    /// One HTML file without scripts: graph, timeline, attempts, handoffs and evidence.
    #[default]
    Html,
}
