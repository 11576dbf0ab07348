//! How many calls of an attempt were refused, and what git runs that changed meanwhile: whoever reads its handoff or its
//! output should know.

use baton_api::wire::*;
use baton_model::evidence::Mismatch;

use crate::client::Client;
use crate::failure::Failure;
use crate::git_changes;

/// Says what git runs that changed while the attempt ran, and how many of its calls were refused, if any were.
pub(crate) fn print_count(client: &Client<'_>, attempt: AttemptRef) -> Result<(), Failure> {
    if client.output.json || client.output.quiet {
        return Ok(());
    }
    let view: EvidenceView = client.ask("show the evidence", "evidence_get", &attempt)?;
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
        ": every call that could have done the work was refused"
    } else {
        ""
    };
    client
        .output
        .line(&format!("{} {calls} refused{all}", evidence.refused))
}
