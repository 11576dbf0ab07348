//! The files of coding agents that `baton agents connect` changes, the record that undoes it, and
//! the guard that it adds.

pub(crate) mod addition;
pub(crate) mod call_log;
pub(crate) mod config_file;
pub(crate) mod connection_record;
pub(crate) mod file_edits;
pub(crate) mod guard_choice;
pub(crate) mod removal;
