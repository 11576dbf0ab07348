//! Whole journeys with real parts: processes, SQLite, git, and the agents' own programs.

mod accidents;
mod adapters;
mod agents_claude;
mod agents_run;
mod examples;
mod plan_files;
mod recovery;
mod running;
mod two_processes;
