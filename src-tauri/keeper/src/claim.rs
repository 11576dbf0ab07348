//! The exclusive right of one keeper to a session folder, and who holds it.

use std::io::{self, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::folder;
use crate::unix::platform;

/// The keeper that owns a session folder.
///
/// A process id alone names nobody for long: the start time tells a keeper from a later process with its id, and the
/// boot id tells it from one that had both before the machine was restarted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Claim {
    /// The keeper's process id.
    pub pid: i32,
    /// The keeper's start time, in clock ticks since boot (`/proc/PID/stat`, field 22).
    pub start_ticks: u64,
    /// The boot during which it started.
    pub boot_id: String,
}

/// Why a claim could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ClaimError {
    /// The file could not be read.
    #[error("read the claim")]
    Io(#[from] io::Error),
    /// The file is not a claim; its keeper ended while it was writing it.
    #[error("understand the claim")]
    Torn(#[source] serde_json::Error),
}

/// Longer than any keeper needs between creating its claim and having written it.
const WRITING: Duration = Duration::from_millis(500);

impl Claim {
    /// Reads who has claimed a session folder; `None` when nobody has. Waits a moment for a claim in the making.
    pub fn read(folder: &Path) -> Result<Option<Claim>, ClaimError> {
        let patience = Instant::now() + WRITING;
        loop {
            let text = match std::fs::read(folder.join(folder::CLAIM)) {
                Ok(text) => text,
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
                Err(error) => return Err(error.into()),
            };
            match serde_json::from_slice(&text) {
                Ok(claim) => return Ok(Some(claim)),
                Err(error) if Instant::now() >= patience => return Err(ClaimError::Torn(error)),
                Err(_) => std::thread::sleep(Duration::from_millis(5)),
            }
        }
    }

    /// Whether the keeper that made the claim still runs. One that has ended but was not yet waited for does not.
    pub fn is_alive(&self) -> bool {
        platform::boot_id().is_ok_and(|boot| boot == self.boot_id)
            && platform::process(self.pid)
                .is_some_and(|process| process.start_ticks == self.start_ticks && !process.is_zombie)
    }

    /// Claims the current folder for this process. An error of kind `AlreadyExists` means that another keeper has it.
    pub(crate) fn take() -> io::Result<()> {
        let mut file = folder::create_new(folder::CLAIM)?;
        Self::of_this_process().and_then(|text| file.write_all(&text)).inspect_err(|_| Self::release())
    }

    /// Gives the current folder back, for a keeper that has started nothing.
    pub(crate) fn release() {
        // When even this fails the folder stays claimed by a process that is gone, which reads as lost: true enough.
        drop(std::fs::remove_file(folder::CLAIM));
    }

    fn of_this_process() -> io::Result<Vec<u8>> {
        let pid = nix::unistd::getpid().as_raw();
        let process = platform::process(pid).ok_or(io::ErrorKind::NotFound)?;
        let claim = Claim { pid, start_ticks: process.start_ticks, boot_id: platform::boot_id()? };
        Ok(serde_json::to_vec(&claim)?)
    }
}
