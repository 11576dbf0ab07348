//! Tests `baton mcp` with two clients: that of rmcp, and that of the Python package.

mod client;
mod http;
mod input;
mod older_names;
mod plans;
mod process;
mod proposals;
pub(crate) mod python;
mod runs;
mod sessions;
