//! Finds a plan that another one refers to, by its ID or by a title that only one plan has. The
//! engine resolves the names in nodes in the same way.

use baton_model::PlanId;
use baton_store::PlanRow;
use uuid::Uuid;

/// Why a name does not identify a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UnresolvedName {
    /// No plan has it.
    Unknown,
    /// Several plans have it.
    Ambiguous {
        /// How many.
        plans: usize,
    },
}

/// The plan among `known` that `name` identifies.
pub(crate) fn find_named(known: &[PlanRow], name: &str) -> Result<PlanId, UnresolvedName> {
    let name = name.trim();
    let id = name.parse::<Uuid>().ok().map(PlanId);
    let fits = |row: &&PlanRow| id.map_or(row.title == name, |id| row.record.plan == id);
    let found: Vec<PlanId> = known
        .iter()
        .filter(fits)
        .map(|row| row.record.plan)
        .collect();
    match found[..] {
        [plan] => Ok(plan),
        [] => Err(UnresolvedName::Unknown),
        _ => Err(UnresolvedName::Ambiguous { plans: found.len() }),
    }
}
