//! Between the engine and the border: what leads from a goal to a plan that may run, and what is read of its sessions.
//!
//! Nothing here knows how it is asked for or shown. What only asks writes nothing: what follows from the store and the
//! time is derived in memory, and a process that stays stores it.

pub mod approvals;
mod attendance;
mod check;
pub mod contents;
mod context;
pub mod duplicates;
pub mod earlier_sessions;
mod error;
pub mod named_tools;
pub mod preflight;
pub mod problems;
pub mod programs;
pub mod proposals;
pub mod replans;
pub mod run_start;
mod server_tools;
pub mod settings;
pub mod timelines;
mod turn;

pub use attendance::{Attendance, ExecutorHealth, attendance};
pub use check::{Check, CheckVerdict};
pub use context::{Context, Growth, Lifetime, Listener, Shared, WeakContext};
pub use error::{PlanningError, Reason, Refusal};
pub use preflight::Preflight;
pub use server_tools::server_tools;
pub use timelines::{TimelineHits, TimelinePage, TimelineReading};
pub use turn::Turn;
