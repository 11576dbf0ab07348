//! The index over real files and SQLite, for recorded and malformed histories.

mod bad_input;
mod home;
mod listing;
mod timelines;
mod watching;
