//! The commands, one module for each top-level command.

pub(crate) mod agents;
pub(crate) mod artifact;
pub(crate) mod bundle;
pub(crate) mod call;
pub(crate) mod completions;
pub(crate) mod doctor;
pub(crate) mod executors;
pub(crate) mod help;
pub(crate) mod inbox;
pub(crate) mod licenses;
pub(crate) mod mcp;
pub(crate) mod node;
pub(crate) mod pin;
pub(crate) mod plan;
pub(crate) mod proposal;
pub(crate) mod request;
pub(crate) mod resume;
pub(crate) mod run;
pub(crate) mod runs;
pub(crate) mod serve;
pub(crate) mod session;
pub(crate) mod stats;
pub(crate) mod token;
pub(crate) mod worker;
pub(crate) mod worktrees;
