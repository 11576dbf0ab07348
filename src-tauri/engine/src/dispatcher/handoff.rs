//! Handoffs written by people, and the events that refer to handoffs.

use baton_model::artifact::{Author, MARKER};
use baton_model::run::{AfterStop, Command, Event};
use baton_model::{Artifact, ArtifactId, Attempt, NodeId};

use crate::job::RunContext;

/// The handoff in a person's command, if it has one.
pub(super) fn from_command(command: &Command, context: &RunContext) -> Option<Artifact> {
    match command {
        Command::MarkDone { handoff, .. } if !handoff.trim().is_empty() => {
            Some(Artifact::from_person(handoff))
        }
        Command::EditArtifact { node, text } => Some(edited(context, *node, text)),
        Command::GiveInput { value, .. } => Some(answer(value)),
        _ => None,
    }
}

/// The node and attempt that produce the handoff `id` with this event.
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

/// Returns whether the event changes what a child receives over an edge.
pub(super) fn is_pin(event: &Event) -> bool {
    matches!(
        event,
        Event::HandoffPinned { .. } | Event::HandoffUnpinned { .. }
    )
}

/// The handoff of `node` with a new text; its named outputs and files are kept.
fn edited(context: &RunContext, node: NodeId, text: &str) -> Artifact {
    context
        .artifact(node)
        .map(|artifact| Artifact::clone(&artifact))
        .unwrap_or_default()
        .edited_by_person(text)
}

/// A person's answer as a handoff: the text, and the same as named outputs.
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
