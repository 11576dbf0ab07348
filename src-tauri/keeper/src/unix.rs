//! What the keeper needs from the operating system. A port to another Unix has to provide
//! `platform`: adopting orphans, receiving signals by a file descriptor, and inspecting other
//! processes.

pub(crate) mod namespace;
#[path = "unix/linux.rs"]
pub(crate) mod platform;
pub(crate) mod process_tree;
