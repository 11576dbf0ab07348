//! Whole journeys with real parts: processes, SQLite, git, and the agents' own programs.
#![allow(
    clippy::format_push_string,
    clippy::print_stdout,
    reason = "tests put texts together and print their seeds"
)]

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
mod approvals;
mod arbiter;
mod authority;
mod command_prefixes;
mod continued;
mod damage;
mod data_access;
mod deletion;
mod endings;
mod examples;
mod failures_passed_on;
mod git_settings;
mod golden;
mod handoff;
mod help;
mod homecoming;
mod hostile_text;
mod inbox;
mod kinds;
mod locks;
mod login_path;
mod out_of_sight;
mod plan_files;
mod planning;
mod policies;
mod proposals;
mod queries;
mod real_agent;
mod recovery;
mod replanning;
mod retries;
mod run_defaults;
mod running;
mod sandbox;
mod scripted_session;
mod secrets;
mod service;
mod serving;
mod session_files;
mod statistics;
mod sub_plans;
mod takeovers;
mod templates;
mod terminal;
mod tool_guards;
mod tool_scope;
mod truth;
mod two_processes;
mod zombies;
