//! Wire types: what goes over the API border where it differs from the types of the inner crates.
//!
//! Plans, nodes, edges, and states use the types of `baton-model`; timeline entries use those of
//! `baton-agents`. Everything here is data without behavior.

mod agent;
mod agent_connection;
mod approval_changes;
mod artifact;
mod bundle;
mod change;
mod conversation;
mod doctor;
mod executor;
mod file;
mod grant;
mod handoff;
mod inbox;
mod merge_back;
mod node_diff;
mod output;
mod overview;
mod pinned_output;
mod plan;
mod plan_counts;
mod plan_edit;
mod plan_event;
mod plans_page;
mod project_file;
mod proposal;
mod pull_request;
mod request;
mod rerun_preview;
mod retention;
mod run;
mod run_export;
mod run_request;
mod run_timing;
mod runs_page;
mod session;
mod settings;
mod statistics;
mod status_back;
mod submission;
mod summary;
mod terminal;
mod token;
mod transcript;
mod worktree;

pub use agent::*;
pub use agent_connection::*;
pub use approval_changes::*;
pub use artifact::*;
pub use bundle::*;
pub use change::*;
pub use conversation::*;
pub use doctor::*;
pub use executor::*;
pub use file::*;
pub use grant::*;
pub use handoff::*;
pub use inbox::*;
pub use merge_back::*;
pub use node_diff::*;
pub use output::*;
pub use overview::*;
pub use pinned_output::*;
pub use plan::*;
pub use plan_counts::*;
pub use plan_edit::*;
pub use plan_event::*;
pub use plans_page::*;
pub use project_file::*;
pub use proposal::*;
pub use pull_request::*;
pub use request::*;
pub use rerun_preview::*;
pub use retention::*;
pub use run::*;
pub use run_export::*;
pub use run_request::*;
pub use run_timing::*;
pub use runs_page::*;
pub use session::*;
pub use settings::*;
pub use statistics::*;
pub use status_back::*;
pub use submission::*;
pub use summary::*;
pub use terminal::*;
pub use token::*;
pub use transcript::*;
pub use worktree::*;

/// Adds the derives that all wire types share.
macro_rules! wire {
    ($($(#[$meta:meta])* pub struct $name:ident { $($(#[$field_meta:meta])* pub $field:ident: $type:ty,)* })+) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        pub struct $name { $($(#[$field_meta])* pub $field: $type,)* }
    )+};
}
pub(crate) use wire;

wire! {
    /// The input of an operation that needs none.
    pub struct Nothing {}
    /// The output of an operation that returns nothing.
    pub struct Done {}
}
