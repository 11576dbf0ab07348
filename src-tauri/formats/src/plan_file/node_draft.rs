//! A node as read from a file, with references to other nodes that are not resolved yet.

use super::fault::Faults;
use super::fields::Fields;
use super::own_pilot_step::Step;
use super::tree::SourceLocation;
use baton_model::problem::NodeField;
use baton_model::{Node, Slug};

/// A node, as far as it could be read.
#[derive(Debug)]
pub(super) struct NodeDraft {
    /// The node in messages.
    pub(super) label: String,
    /// The location of its id, or of the node if it has no id.
    pub(super) at: SourceLocation,
    /// `None` if the id is missing or invalid, which is already a fault.
    pub(super) slug: Option<Slug>,
    /// With stand-ins for what could not be read, so that the checks find its other faults too.
    pub(super) node: Node,
    /// Whether the node is of the kind that it names, or of a very similar one.
    pub(super) kind_is_known: bool,
    pub(super) dependencies: Vec<Dependency>,
    pub(super) references: Vec<Reference>,
    /// Set if it is a step of an OwnPilot plan.
    pub(super) step: Option<Step>,
    /// The locations of fields that can have faults in the context of the plan.
    pub(super) places: Vec<(NodeField, SourceLocation)>,
    /// The location of the value of each key.
    pub(super) keys: Vec<(String, SourceLocation)>,
}

impl NodeDraft {
    /// The location of the value of `key`, or of the node if it has none.
    pub(super) fn key_location(&self, key: &str) -> SourceLocation {
        self.keys
            .iter()
            .find(|(other, _)| other == key)
            .map_or(self.at, |&(_, at)| at)
    }

    /// The location of `field`, or of the node if it has none.
    pub(super) fn field_location(&self, field: NodeField) -> SourceLocation {
        self.places
            .iter()
            .find(|(other, _)| *other == field)
            .map_or(self.at, |&(_, at)| at)
    }
}

/// An item of `dependsOn`.
#[derive(Debug)]
pub(super) struct Dependency {
    pub(super) at: SourceLocation,
    pub(super) on: String,
    pub(super) soft: bool,
    pub(super) inferred: bool,
}

/// A reference to another node other than in `dependsOn`.
#[derive(Debug)]
pub(super) struct Reference {
    pub(super) at: SourceLocation,
    pub(super) role: ReferenceRole,
    /// The id of the other node.
    pub(super) to: String,
}

/// The key of a reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReferenceRole {
    TrueStep,
    FalseStep,
    OnSuccess,
    OnFailure,
    LoopStep,
}

impl ReferenceRole {
    pub(super) fn key(self) -> &'static str {
        match self {
            Self::TrueStep => "trueStep",
            Self::FalseStep => "falseStep",
            Self::OnSuccess => "onSuccess",
            Self::OnFailure => "onFailure",
            Self::LoopStep => "loopStep",
        }
    }
}

/// Reads the reference in the field of `role`, if it has a value.
pub(super) fn reference(
    fields: &Fields<'_>,
    role: ReferenceRole,
    faults: &mut Faults,
) -> Option<Reference> {
    let at = fields.get(role.key())?.at;
    let to = fields.text(role.key(), faults)?;
    Some(Reference { at, role, to })
}
