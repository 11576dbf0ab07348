//! An effect and the session that it applies to.
//!
//! Effects are performed once the whole batch is stored, and by then the node may have another
//! session. The attempt number of a withdrawn attempt is used again, so node and attempt do not
//! identify the session.

use baton_model::run::Effect;
use baton_model::{NodeId, Run, SessionId};

pub(super) struct TargetedEffect {
    pub(super) effect: Effect,
    /// The session to start, stop or withdraw; `None` for effects without a session.
    pub(super) session: Option<SessionId>,
}

impl TargetedEffect {
    /// `effect`, as `run` has just decided it.
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

    /// The node and session of the effect, if it has one.
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
