//! An effect and the session that it is meant for.
//!
//! Effects are performed when the whole batch is stored, and by then the node may have another session. An attempt that
//! was withdrawn leaves its number to the next one, so that node and attempt do not tell the two apart.

use baton_model::run::Effect;
use baton_model::{NodeId, Run, SessionId};

/// Something to be done in the world.
pub(super) struct TargetedEffect {
    pub(super) effect: Effect,
    /// The session that is to start, to stop or to be withdrawn; none for what is about no session.
    pub(super) session: Option<SessionId>,
}

impl TargetedEffect {
    /// `effect`, as `run` decided it a moment ago.
    pub(super) fn of(effect: Effect, run: &Run) -> Self {
        let session = match &effect {
            Effect::StartSession { session, .. } => Some(*session),
            Effect::StopSession { node, .. }
            | Effect::WithdrawSession { node, .. }
            | Effect::Answer { node, .. } => run.node(*node).and_then(|run| run.session),
            Effect::WakeAt { .. }
            | Effect::AlarmAt { .. }
            | Effect::VerifyInherited { .. }
            | Effect::StopVerifying => None,
        };
        Self { effect, session }
    }

    /// Whom it is about, if it is about a session.
    pub(super) fn node_and_session(&self) -> Option<(NodeId, SessionId)> {
        let node = match &self.effect {
            Effect::StartSession { node, .. }
            | Effect::StopSession { node, .. }
            | Effect::WithdrawSession { node, .. }
            | Effect::Answer { node, .. } => *node,
            Effect::WakeAt { .. }
            | Effect::AlarmAt { .. }
            | Effect::VerifyInherited { .. }
            | Effect::StopVerifying => {
                return None;
            }
        };
        Some((node, self.session?))
    }
}
