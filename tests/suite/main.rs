//! Whole journeys with real parts: processes, SQLite, git, and the agents' own programs.
#![allow(clippy::format_push_string, clippy::print_stdout, reason = "tests put texts together and print their seeds")]

mod accidents;
mod adapters;
mod agent_session;
mod agents_acp;
mod agents_claude;
mod agents_codex;
mod agents_misbehaving;
mod agents_pi;
mod agents_run;
mod agents_run_others;
mod arbiter;
mod continued;
mod deletion;
mod examples;
mod failures_passed_on;
mod golden;
mod handoff;
mod homecoming;
mod inbox;
mod kinds;
mod login_path;
mod plan_files;
mod planning;
mod policies;
mod proposals;
mod recovery;
mod replanning;
mod running;
mod scripted_session;
mod statistics;
mod templates;
mod tool_scope;
mod truth;
mod two_processes;
mod zombies;
