//! Warnings below a handoff or a session's output: denied calls, and changes to git settings or
//! hooks.

use baton_api::wire::*;
use baton_model::evidence::Mismatch;

use crate::client::Client;
use crate::failure::Failure;
use crate::git_changes;

/// Prints the changes to git settings and hooks during the attempt, and the number of its denied
/// calls.
pub(crate) fn print_count(client: &Client<'_>, attempt: AttemptRef) -> Result<(), Failure> {
    if client.output.json || client.output.quiet {
        return Ok(());
    }
    let view: EvidenceView = client.ask("load the evidence", "evidence_get", &attempt)?;
    git_changes::print_list(client, &view)?;
    let Some(evidence) = view.evidence.filter(|evidence| evidence.refused > 0) else {
        return Ok(());
    };
    let calls = if evidence.refused == 1 {
        "call"
    } else {
        "calls"
    };
    let all = if evidence.mismatches.contains(&Mismatch::WorkRefused) {
        ": all calls that could have done the work"
    } else {
        ""
    };
    client
        .output
        .line(&format!("{} {calls} denied{all}", evidence.refused))
}
