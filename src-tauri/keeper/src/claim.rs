//! A keeper's exclusive claim to a session folder.

use std::fs::{File, TryLockError};
use std::io::{self, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::socket::is_listening;
use crate::unix::platform;
use crate::{folder, session_file};

/// The keeper that owns a session folder.
///
/// Process ids are reused: the start time distinguishes a keeper from a later process with the same
/// id, and the boot id does so across a restart of the machine. Host and pid namespace say where
/// the id is valid: containers and machines that share a data directory number their processes
/// independently.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Claim {
    /// The keeper's process id within `pid_namespace`.
    pub pid: i32,
    /// The keeper's start time, in clock ticks since boot (`/proc/PID/stat`, field 22).
    pub start_ticks: u64,
    /// The id of the boot during which the keeper started.
    pub boot_id: String,
    /// The name of the machine or container. Empty in claims of earlier versions, like the fields
    /// below.
    #[serde(default)]
    pub host: String,
    /// The keeper's pid namespace (`/proc/self/ns/pid`).
    #[serde(default)]
    pub pid_namespace: String,
    /// Whether the keeper holds a lock on the claim file for as long as it lives.
    #[serde(default)]
    pub is_locked: bool,
}

/// What this process can find out about the keeper of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeeperLife {
    /// It is running, and its socket can be reached.
    Lives,
    /// It has ended, or was killed.
    Gone,
    /// It belongs to another container or machine, and whether it runs cannot be found out. Treat
    /// it as running.
    Unknown,
}

/// Why a claim could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ClaimError {
    /// The file could not be read.
    #[error("the claim of the session can't be read")]
    Io(#[from] io::Error),
    /// The file is not a claim: its keeper ended while writing it.
    #[error("the claim of the session is damaged")]
    Torn(#[source] serde_json::Error),
}

/// Longer than any keeper takes to write its claim after creating the file.
const CLAIM_WRITE_TIMEOUT: Duration = Duration::from_millis(500);

impl Claim {
    /// Reads the claim of a session folder; `None` if there is none. Waits a moment for a claim
    /// that is being written.
    pub fn read(folder: &Path) -> Result<Option<Claim>, ClaimError> {
        let patience = Instant::now() + CLAIM_WRITE_TIMEOUT;
        loop {
            let text = match session_file::read(&folder.join(folder::CLAIM)) {
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

    /// Whether the keeper that made the claim in `folder` is running. A zombie counts as ended.
    ///
    /// `/proc` is used only where the process id is valid. On the same kernel, the lock on the
    /// claim file decides: it is released when the keeper ends, even in another container. Locks
    /// are not always visible across machines, so a claim of another boot counts as gone only if
    /// this machine was rebooted since the session's files were last written.
    pub fn life(&self, folder: &Path) -> KeeperLife {
        let is_same_boot = platform::boot_id().is_ok_and(|boot| boot == self.boot_id);
        if is_same_boot && self.is_from_this_host() {
            return if self.is_visible() {
                KeeperLife::Lives
            } else {
                KeeperLife::Gone
            };
        }
        match (is_same_boot, self.lock(folder)) {
            (true, Lock::Held) => KeeperLife::Lives,
            (true, Lock::Free) => KeeperLife::Gone,
            (true, Lock::Unknown) if is_listening(folder) => KeeperLife::Lives,
            (false, Lock::Free | Lock::Unknown) if self.is_from_before_this_boot(folder) => {
                KeeperLife::Gone
            }
            _ => KeeperLife::Unknown,
        }
    }

    /// Claims the current folder for this process, which must hold the result for as long as the
    /// session runs. Fails with `AlreadyExists` if another keeper has it.
    pub(crate) fn take() -> io::Result<File> {
        let mut file = folder::create_new(folder::CLAIM)?;
        // Some network file systems have no locks. Then less is known about a keeper elsewhere.
        let is_locked = file.try_lock().is_ok();
        let text = Self::of_this_process(is_locked);
        text.and_then(|text| file.write_all(&text))
            .inspect_err(|_| Self::release())?;
        Ok(file)
    }

    /// Whether this process could see the keeper if it started during this boot.
    fn is_from_this_host(&self) -> bool {
        let is_same =
            |theirs: &str, own: String| theirs.is_empty() || own.is_empty() || theirs == own;
        is_same(&self.host, platform::host())
            && is_same(&self.pid_namespace, platform::pid_namespace())
    }

    fn is_visible(&self) -> bool {
        let process = platform::process(self.pid);
        process.is_some_and(|process| process.start_ticks == self.start_ticks && !process.is_zombie)
    }

    fn lock(&self, folder: &Path) -> Lock {
        let Some(file) = self
            .is_locked
            .then(|| session_file::open(&folder.join(folder::CLAIM)).ok())
            .flatten()
        else {
            return Lock::Unknown;
        };
        // A shared lock, so that two simultaneous checks do not see each other as the keeper.
        // Closing the file releases it.
        match file.try_lock_shared() {
            Ok(()) => Lock::Free,
            Err(TryLockError::WouldBlock) => Lock::Held,
            Err(TryLockError::Error(_)) => Lock::Unknown,
        }
    }

    /// Whether this machine was rebooted after the session's files were last written.
    fn is_from_before_this_boot(&self, folder: &Path) -> bool {
        let is_own = self.host.is_empty() || self.host == platform::host();
        let last_trace = folder::last_written(folder);
        is_own
            && platform::booted_at()
                .zip(last_trace)
                .is_some_and(|(booted, trace)| trace < booted)
    }

    /// Releases the current folder, for a keeper that has started nothing.
    pub(crate) fn release() {
        // If even this fails, the folder stays claimed by a process that is gone, so the session
        // counts as lost.
        drop(std::fs::remove_file(folder::CLAIM));
    }

    fn of_this_process(is_locked: bool) -> io::Result<Vec<u8>> {
        let pid = nix::unistd::getpid().as_raw();
        let process = platform::process(pid).ok_or(io::ErrorKind::NotFound)?;
        let claim = Claim {
            pid,
            start_ticks: process.start_ticks,
            boot_id: platform::boot_id()?,
            host: platform::host(),
            pid_namespace: platform::pid_namespace(),
            is_locked,
        };
        Ok(serde_json::to_vec(&claim)?)
    }
}

/// The state of a keeper's lock on its claim file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lock {
    Held,
    Free,
    /// The keeper has none, or it cannot be checked.
    Unknown,
}
