//! Changes to git settings and hooks during an attempt.

use baton_api::wire::*;

use crate::client::Client;
use crate::failure::Failure;
use crate::style;

/// Prints the changes of an attempt, with who restored them.
pub(crate) fn print_list(client: &Client<'_>, known: &EvidenceView) -> Result<(), Failure> {
    let Some(evidence) = &known.evidence else {
        return Ok(());
    };
    for (number, change) in (0..).zip(&evidence.git_changes) {
        let restored = known
            .git_restored
            .iter()
            .find(|restored| restored.change == number);
        let restored = restored
            .map(|restored| format!(" (restored by {})", restored.by))
            .unwrap_or_default();
        client.output.line(&style::one_line(&format!(
            "{}{restored}",
            change.sentence()
        )))?;
    }
    match evidence.git_changes_left_out {
        0 => Ok(()),
        more => client.output.line(&format!("and {more} more")),
    }
}

/// Returns a hint to review the changes of a node, if some were not restored.
pub(crate) fn changes_hint(known: &EvidenceView, run: &str, node: &str) -> Option<String> {
    let changes = known
        .evidence
        .as_ref()
        .map_or(0, |evidence| evidence.git_changes.len());
    let is_restored = |number| {
        known
            .git_restored
            .iter()
            .any(|restored| restored.change == number)
    };
    let hint = || {
        format!(
            "it changed git settings or hooks (review with: baton node restore-git {run} {node} --dry-run)"
        )
    };
    (0..)
        .take(changes)
        .any(|number| !is_restored(number))
        .then(hint)
}
