//! The names of a session's checkpoints below `refs/baton/`.

use baton_model::{RunId, SessionId};

pub(crate) fn checkpoint_name(run: RunId, session: SessionId) -> String {
    format!("runs/{run}/{session}")
}
