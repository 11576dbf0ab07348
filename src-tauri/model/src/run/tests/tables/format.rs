//! How states and effects are written in the tables.

use crate::run::{Effect, NodeState, Run, SkipReason, WaitingFor};

pub(super) fn states(run: &Run) -> String {
    let words: Vec<String> = run
        .nodes()
        .map(|(node, state)| format!("{} {}", node.title, label(&state.state)))
        .collect();
    words.join(", ")
}

fn label(state: &NodeState) -> String {
    match state {
        NodeState::Waiting {
            what: WaitingFor::Slot,
        } => "waiting for a slot".to_owned(),
        NodeState::Waiting {
            what: WaitingFor::Person { .. },
        } => "waiting for a person".to_owned(),
        NodeState::Waiting {
            what: WaitingFor::RetryAt { at },
        } => format!("waiting until {}", at.0),
        NodeState::Waiting {
            what: WaitingFor::LimitUntil { at },
        } => format!("parked until {}", at.0),
        NodeState::Waiting {
            what: WaitingFor::Approval { .. },
        } => "waiting for approval".to_owned(),
        NodeState::Waiting {
            what: WaitingFor::Input { .. },
        } => "waiting for input".to_owned(),
        NodeState::Waiting {
            what: WaitingFor::Merge { .. },
        } => "waiting for a merge".to_owned(),
        NodeState::Failed {
            went_on_at: Some(_),
            ..
        } => "failed, and the run continued".to_owned(),
        NodeState::Skipped {
            reason: SkipReason::Refused,
        } => "refused".to_owned(),
        NodeState::Skipped {
            reason: SkipReason::NotTaken { .. },
        } => "not taken".to_owned(),
        NodeState::Skipped {
            reason: SkipReason::JumpedOver { .. },
        } => "jumped over".to_owned(),
        NodeState::Done { by_hand: true } => "done by hand".to_owned(),
        NodeState::Skipped {
            reason: SkipReason::ByHand,
        } => "skipped by hand".to_owned(),
        NodeState::Skipped {
            reason: SkipReason::Disabled,
        } => "skipped, disabled".to_owned(),
        NodeState::Skipped {
            reason: SkipReason::AfterFailure { .. },
        } => "skipped after its failure".to_owned(),
        NodeState::Skipped {
            reason: SkipReason::ParentSkipped { .. },
        } => "skipped with its parent".to_owned(),
        NodeState::Skipped {
            reason: SkipReason::RuleNotMet { .. },
        } => "skipped by its rule".to_owned(),
        state => state.as_str().to_owned(),
    }
}

pub(super) fn format_effects(effects: &[Effect]) -> String {
    let words = effects.iter().map(|effect| match effect {
        Effect::StartSession { .. } => " [start]",
        Effect::StopSession { .. } => " [stop]",
        Effect::WithdrawSession { .. } => " [withdraw]",
        Effect::Answer { .. } => " [answer]",
        Effect::VerifyInherited { .. } => " [verify]",
        Effect::StopVerifying => " [stop verifying]",
        Effect::WakeAt { .. } => " [wake]",
        Effect::AlarmAt { .. } => " [alarm]",
    });
    words.collect()
}
