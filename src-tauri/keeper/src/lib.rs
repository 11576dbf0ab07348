//! The session keeper: one small process per attempt that outlives the app.
//!
//! The app writes `launch.json` into an empty session folder and calls [`spawn()`]. The keeper
//! claims the folder, runs the program, keeps its stdin open, appends its output to `stdout` and
//! `stderr`, receives [`Request`]s on a socket, terminates all descendants on request or when the
//! program has ended, and writes an [`Exit`] record. After a crash the app calls [`liveness()`] to
//! find out how far a session got, and reconnects with [`Connection::open`].
//!
//! The keeper does not parse output, does not know what an agent is, never starts a session twice,
//! and never restarts anything. If the keeper itself is killed with SIGKILL, the program is found
//! by the mark in its environment and terminated with [`terminate_marked_processes`].

#![cfg(unix)]
#![cfg_attr(
    test,
    expect(clippy::unwrap_used, reason = "a test fails by panicking")
)]

mod claim;
mod clock;
mod connection;
mod exit;
mod folder;
mod input;
mod keeper;
mod launch;
mod lineage;
mod liveness;
mod marked_processes;
mod probe;
mod protocol;
mod quote;
mod sandbox;
pub mod session_file;
mod socket;
mod spawn;
pub mod umask;
mod unix;

pub use claim::{Claim, ClaimError, KeeperLife};
pub use clock::{ClockReader, Growth, Stream};
pub use connection::{Connection, ConnectionError, connect};
pub use exit::{Cause, Ending, Exit, ExitError, NotStarted};
pub use folder::{CLAIM, CLOCK, EXIT, INPUT, LAUNCH, SOCKET, STDERR, STDOUT};
pub use input::Input;
pub use keeper::{DISK_WAIT_VARIABLE, KeeperError, LINGER_VARIABLE, run_keeper};
pub use launch::{Launch, LaunchError, MARK_VARIABLE, Stdin};
pub use lineage::{Ancestor, Lineage, ancestors, lineage, own_lineage, processes_within};
pub use liveness::{Liveness, LivenessError, liveness};
pub use marked_processes::terminate_marked_processes;
pub use probe::{SandboxProbe, probe_sandbox};
pub use protocol::{Event, Refusal, Request, SignalName, StallReason};
pub use quote::Quote;
pub use sandbox::{Confinement, Sandbox, SandboxStep};
pub use spawn::{SpawnError, spawn};
