//! Steps as OwnPilot writes them: with `type` or `orderNum`, and often without an id.
//!
//! They mean a little else than nodes. A step is tried again three times if it does not say how often, and one that
//! names no dependencies waits for the steps of the place before it, as `orderNum` says.

use super::fault::Faults;
use super::fields::Fields;
use super::tree::Entry;

/// How often a step is tried again that does not say it.
pub(super) const MAX_RETRIES: u32 = 3;

/// The key of a step's place.
pub(super) const ORDER: &str = "orderNum";

/// What a step says beside what nodes say.
#[derive(Debug)]
pub(super) struct Step {
    /// Its place; steps of one place start together.
    pub(super) order: Option<u64>,
    /// The place as text: what others call a step that has no id.
    pub(super) alias: Option<String>,
    is_unnamed: bool,
    pub(super) names_dependencies: bool,
}

impl Step {
    /// `None` when `entries` are those of a node in Baton's own shape.
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
