//! The store on real files and with real processes, in one binary.
#![allow(
    missing_docs,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "tests"
)]

mod approvals;
mod golden;
mod grants;
mod held_calls;
mod idempotency;
mod inbox;
mod mounted_fs;
mod opening;
mod permits;
mod pinned_outputs;
mod plan_deletion;
mod plan_log;
mod plans;
mod plans_page;
mod processes;
mod runs;
mod runs_page;
mod sample_run;
mod silences;
mod statistics;
mod takeovers;
