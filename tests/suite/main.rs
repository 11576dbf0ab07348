//! End-to-end tests with real parts: processes, SQLite, git and the agents' programs.
#![allow(
    clippy::format_push_string,
    clippy::print_stdout,
    reason = "tests build texts and print their seeds"
)]

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
mod bring_home;
mod command_prefixes;
mod concurrent_processes;
mod continued_sessions;
mod corrupt_data;
mod data_access;
mod database_upgrades;
mod error_conditions;
mod error_handlers;
mod examples;
mod failure_context;
mod git_settings;
mod handoff;
mod help;
mod hostile_text;
mod http_server;
mod inbox;
mod login_path;
mod model_service_outage;
mod node_kinds;
mod node_policies;
mod node_review;
mod node_summary;
mod pinned_outputs;
mod plan_deletion;
mod plan_edits;
mod plan_files;
mod planning;
mod proposals;
mod pseudo_terminal;
mod pull_requests;
mod read_only_queries;
mod real_agent;
mod recovery;
mod remote_sessions;
mod replanning;
mod resource_locks;
mod retries;
mod run_defaults;
mod run_lifecycle;
mod run_outcomes;
mod run_reporting;
mod runs_as_objects;
mod sandbox;
mod scripted_session;
mod secrets;
mod session_authorization;
mod session_files;
mod session_output;
mod since_approval;
mod statistics;
mod structure;
mod sub_plans;
mod takeovers;
mod templates;
mod terminals;
mod time;
mod tool_guards;
mod tool_scope;
mod zombies;
