//! Who may connect to a keeper: its own user, from outside of all sessions of its data directory.
//!
//! A session must not answer its own questions, nor end another one. The connection that the app
//! passes to the keeper needs no check: the process that starts a keeper owns the session.

use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

use nix::sys::socket::{getsockopt, sockopt::PeerCredentials};
use nix::unistd::{Uid, geteuid};

use crate::lineage::{Lineage, lineage};

/// The folder of all sessions in a data directory.
const SESSIONS: &str = "sessions";

/// Checks the peers of one keeper.
#[derive(Debug)]
pub(super) struct PeerPolicy {
    sessions: PathBuf,
}

impl PeerPolicy {
    /// For the keeper of `folder`, which may be that of a check within another session's folder.
    pub(super) fn of(folder: &Path) -> PeerPolicy {
        let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        let named = folder
            .ancestors()
            .skip(1)
            .find(|above| above.file_name().is_some_and(|name| name == SESSIONS));
        PeerPolicy {
            sessions: named.or(folder.parent()).unwrap_or(&folder).to_owned(),
        }
    }

    /// Whether the connected process may control this keeper. A process that has ended already may
    /// not: it cannot be identified.
    pub(super) fn admits(&self, stream: &UnixStream) -> bool {
        let Ok(peer) = getsockopt(stream, PeerCredentials) else {
            return false;
        };
        if Uid::from_raw(peer.uid()) != geteuid() {
            return false;
        }
        // A process that is not visible from here is in no pid namespace below this one, so it is
        // not a descendant.
        peer.pid() == 0 || lineage(peer.pid(), &self.sessions) == Lineage::Outside
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_sessions_use_the_outer_sessions_folder() {
        let sessions = |folder: &str| PeerPolicy::of(Path::new(folder)).sessions;
        assert_eq!(sessions("/data/sessions/one"), Path::new("/data/sessions"));
        assert_eq!(
            sessions("/data/sessions/one/checks/two"),
            Path::new("/data/sessions")
        );
        assert_eq!(sessions("/elsewhere/one"), Path::new("/elsewhere"));
    }
}
