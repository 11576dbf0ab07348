//! The files of coding agents that `baton agents connect` changes, and the record that undoes it.

pub(crate) mod config_file;
pub(crate) mod connection_record;
