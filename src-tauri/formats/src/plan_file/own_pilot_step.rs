//! Steps of OwnPilot plans: with `type` or `orderNum`, and often without an id.
//!
//! They differ slightly from nodes. A step is retried three times by default, and without
//! dependencies it waits for the steps with the previous `orderNum`.

use super::fault::Faults;
use super::fields::Fields;
use super::tree::Entry;

/// The default number of retries of a step.
pub(super) const MAX_RETRIES: u32 = 3;

/// The key of the position of a step.
pub(super) const ORDER: &str = "orderNum";

/// The properties of a step that nodes do not have.
#[derive(Debug)]
pub(super) struct Step {
    /// Steps with the same number start together.
    pub(super) order: Option<u64>,
    /// The number as text, by which others can refer to a step without an id.
    pub(super) alias: Option<String>,
    is_unnamed: bool,
    pub(super) names_dependencies: bool,
}

impl Step {
    /// `None` if `entries` are those of a Baton node.
    pub(super) fn read(owner: &str, entries: &[Entry], faults: &mut Faults) -> Option<Self> {
        let fields = Fields { owner, entries };
        let has = |key: &str| fields.get(key).is_some();
        if !has("type") && !has(ORDER) {
            return None;
        }
        let order = fields.whole_number(ORDER, 0..=u64::MAX, faults);
        let is_unnamed = !has("id");
        Some(Self {
            order,
            alias: order.filter(|_| is_unnamed).map(|order| order.to_string()),
            is_unnamed,
            names_dependencies: has("dependencies") || has("dependsOn"),
        })
    }

    pub(super) fn is_unnamed(&self) -> bool {
        self.is_unnamed
    }
}
