//! Real files, real SQLite: what the index makes of the histories of real agents, and of what no agent should write.

mod bad_input;
mod home;
mod listing;
mod timelines;
mod watching;
