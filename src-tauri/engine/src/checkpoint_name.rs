//! Where the checkpoints of a session stand below `refs/baton/`.

use baton_model::{RunId, SessionId};

/// The folder of checkpoints of one session.
pub(crate) fn checkpoint_name(run: RunId, session: SessionId) -> String {
    format!("runs/{run}/{session}")
}
