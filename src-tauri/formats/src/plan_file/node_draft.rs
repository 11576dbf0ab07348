//! A node as far as a file describes it, with the other nodes that it names not yet looked up.

use super::fault::Faults;
use super::fields::Fields;
use super::own_pilot_step::Step;
use super::tree::SourceLocation;
use baton_model::problem::NodeField;
use baton_model::{Node, Slug};

/// A node as far as it could be read.
#[derive(Debug)]
pub(super) struct NodeDraft {
    /// The node as sentences call it.
    pub(super) label: String,
    /// Where its id stands, or the node when it has none.
    pub(super) at: SourceLocation,
    /// Missing or invalid ids are faults already.
    pub(super) slug: Option<Slug>,
    /// `None` when a fault kept it from being one.
    pub(super) node: Option<Node>,
    pub(super) dependencies: Vec<Dependency>,
    pub(super) references: Vec<Reference>,
    /// What it says as a step of an OwnPilot plan, if it is one.
    pub(super) step: Option<Step>,
    /// Where those of its fields stand that can be at fault by what else is in the plan.
    pub(super) places: Vec<(NodeField, SourceLocation)>,
    /// Where each of its keys stands.
    pub(super) keys: Vec<(String, SourceLocation)>,
}

impl NodeDraft {
    /// Where the value of `key` stands, or the node when it does not.
    pub(super) fn key_location(&self, key: &str) -> SourceLocation {
        self.keys
            .iter()
            .find(|(other, _)| other == key)
            .map_or(self.at, |&(_, at)| at)
    }

    /// Where `field` stands, or the node when it does not.
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
}

/// Another node that a node names outside of `dependsOn`.
#[derive(Debug)]
pub(super) struct Reference {
    pub(super) at: SourceLocation,
    pub(super) role: ReferenceRole,
    /// The other node's id.
    pub(super) to: String,
}

/// What a node names another one for.
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

/// The node that the field of `role` names, if it names one.
pub(super) fn reference(
    fields: &Fields<'_>,
    role: ReferenceRole,
    faults: &mut Faults,
) -> Option<Reference> {
    let at = fields.get(role.key())?.at;
    let to = fields.text(role.key(), faults)?;
    Some(Reference { at, role, to })
}
