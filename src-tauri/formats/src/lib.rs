//! The forms in which a plan is written, drawn and proposed, above the pure core.
//!
//! Like `baton-model`, nothing here reads a clock, touches a file or draws a random number.
//!
//! - [`plan_file`]: the YAML and JSON form of a plan.
//! - [`mermaid`], [`export`]: a plan as a flowchart, a document, a graph and a picture.
//! - [`layout`]: where nodes stand on the canvas when nobody placed them.
//! - [`planner`]: how an agent is asked for a plan, and which of its answers is one.

pub mod export;
pub mod layout;
pub mod mermaid;
pub mod plan_file;
#[cfg(test)]
mod plan_fixture;
pub mod planner;
