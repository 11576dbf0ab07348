//! The log of a session as a list of entries for people.
//!
//! [`TimelineIndex`] reads the output of a session as it arrives. For each entry it keeps a small
//! record: where the entry is in the log, but not its text. [`TimelineIndex::page`] reads the few
//! lines that a page needs again, through [`ReadAt`]. A log of 100 MB therefore costs a few
//! megabytes of memory, and opening it does not read it twice.
//!
//! This module opens no file and reads no clock. Entries carry their position in the log, and the
//! agent's own time if it reports one.

mod entry;
mod index;
mod log_end;
mod page;

pub use entry::{PermissionState, Position, TimelineEntry, TimelineKind};
pub use index::{Gap, TimelineIndex};
pub use log_end::{LogLengths, open_end, read_end};
pub use page::{FULL_LIMIT, PAGE_LIMIT, ReadAt};
