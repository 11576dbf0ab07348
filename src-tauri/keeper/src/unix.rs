//! What the keeper needs from the operating system. `platform` is what a port to another Unix has to provide:
//! adopting orphans, receiving signals by a file descriptor, and looking at other processes.

pub(crate) mod namespace;
#[path = "unix/linux.rs"]
pub(crate) mod platform;
pub(crate) mod process_tree;
