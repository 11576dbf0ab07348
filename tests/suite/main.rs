//! Whole journeys with real parts: processes, SQLite, git, and the agents' own programs.

mod agents_claude;
mod running;
