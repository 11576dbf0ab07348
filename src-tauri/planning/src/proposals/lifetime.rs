//! How long a proposal waits for a decision.

use crate::project_rules;
use crate::settings::StoredSettings;
use crate::{Context, PlanningError};

const DAY_MS: u64 = 24 * 60 * 60 * 1000;

/// The time in milliseconds after which a proposal for the directory `cwd` expires: as the settings
/// say, or earlier if its project says so.
pub(super) fn lifetime_ms(
    context: &Context,
    cwd: &str,
    automatic: bool,
) -> Result<u64, PlanningError> {
    let days = StoredSettings::read(&context.store)?.proposal_days;
    let days = days.for_request(automatic);
    let rules = project_rules::of_directory(&context.store, Some(cwd))?.rules;
    Ok(u64::from(rules.proposal_days(days)) * DAY_MS)
}
