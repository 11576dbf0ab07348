//! Tests `baton-tool` with real files, processes, requests and servers.

mod conditions;
mod files;
mod http;
mod loops;
mod mcp;
mod parallel;
mod plans;
mod session;
mod shell;
mod stopping;
mod support;
