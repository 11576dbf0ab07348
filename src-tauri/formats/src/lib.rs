//! Formats for plans: files, exports, layout, and the answers of planners.
//!
//! Like `baton-model`, nothing here reads a clock, accesses files or uses random numbers.
//!
//! - [`agent_config`]: Baton among the MCP servers in the settings of coding agents.
//! - [`agent_guide`]: what coding agents read about Baton.
//! - [`plan_file`]: the YAML and JSON form of a plan.
//! - [`mermaid`], [`export`]: a plan as a flowchart, document, graph and image.
//! - [`graph_thumbnail`]: a plan as a small picture for lists.
//! - [`import`]: plans from the task lists of other programs.
//! - [`layout`]: positions on the canvas for nodes without one.
//! - [`planner`]: prompts for planners, and the evaluation of their answers.
//! - [`project_file`]: a plan as a file in its project, and what an edit of that file means.
//! - [`pull_request`]: the branch, title and description of a pull request for the work of a run.
//! - [`run_document`]: a run as one HTML file.

pub mod agent_config;
pub mod agent_guide;
pub mod export;
pub mod graph_thumbnail;
pub mod import;
pub mod layout;
pub mod mermaid;
pub mod plan_file;
#[cfg(test)]
mod plan_fixture;
pub mod planner;
pub mod project_file;
pub mod pull_request;
#[cfg(test)]
mod random_texts;
pub mod run_document;
