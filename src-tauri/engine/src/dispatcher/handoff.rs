//! Handoffs that persons leave, and which event names a handoff.

use baton_model::artifact::{Author, MARKER};
use baton_model::run::{AfterStop, Command, Event};
use baton_model::{Artifact, ArtifactId, Attempt, NodeId};

use crate::job::RunContext;

/// The handoff that comes with a person's wish, if one does.
pub(super) fn from_command(command: &Command, context: &RunContext) -> Option<Artifact> {
    match command {
        Command::MarkDone { handoff, .. } if !handoff.trim().is_empty() => Some(by_hand(handoff)),
        Command::EditArtifact { node, text } => Some(edited(context, *node, text)),
        Command::GiveInput { value, .. } => Some(answer(value)),
        _ => None,
    }
}

/// The node and attempt that leave the handoff `id` by this event.
pub(super) fn produced_by(event: &Event, id: ArtifactId) -> Option<(NodeId, Option<Attempt>)> {
    match event {
        Event::NodeEnded {
            node,
            attempt,
            artifact: Some(artifact),
            ..
        } if *artifact == id => Some((*node, Some(*attempt))),
        Event::NodeStopRequested {
            node,
            then: AfterStop::MarkDone {
                artifact: Some(artifact),
            },
            ..
        } if *artifact == id => Some((*node, None)),
        Event::NodeMarkedDone {
            node,
            artifact: Some(artifact),
        } if *artifact == id => Some((*node, None)),
        Event::ArtifactEdited { node, artifact } if *artifact == id => Some((*node, None)),
        Event::InputGiven {
            node,
            attempt,
            artifact: Some(artifact),
            ..
        } if *artifact == id => Some((*node, Some(*attempt))),
        _ => None,
    }
}

/// Whether what a child receives over an edge is another text from here on.
pub(super) fn is_pin(event: &Event) -> bool {
    matches!(
        event,
        Event::HandoffPinned { .. } | Event::HandoffUnpinned { .. }
    )
}

/// The handoff of `node` with another text; its named outputs and files stay.
fn edited(context: &RunContext, node: NodeId, text: &str) -> Artifact {
    let before = context
        .artifact(node)
        .map(|artifact| Artifact::clone(&artifact))
        .unwrap_or_default();
    Artifact {
        outputs: before.outputs,
        outputs_left_out: before.outputs_left_out,
        ..by_hand(text)
    }
}

/// What a person said, as a handoff: the words, and the same as named outputs.
fn answer(value: &str) -> Artifact {
    let value = value.trim();
    let outputs = ["answer", "result"].map(|name| (name.to_owned(), value.to_owned()));
    Artifact {
        text: format!("{MARKER}\nA person answered: {value}"),
        author: Author::Person,
        outputs: outputs.into(),
        ..Artifact::default()
    }
}

fn by_hand(handoff: &str) -> Artifact {
    let mut artifact = Artifact::from_answer(handoff).unwrap_or_else(|| Artifact {
        text: format!("{MARKER}\n{}", handoff.trim()),
        ..Artifact::default()
    });
    artifact.author = Author::Person;
    artifact
}
