//! Whole journeys with real parts: processes, SQLite, git, and the agents' own programs.

mod agents_claude;
mod examples;
mod recovery;
mod running;
mod two_processes;
