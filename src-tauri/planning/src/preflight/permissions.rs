//! What a person allowed in the whole plan: nobody is asked about it again, so whoever approves a version is told.

use baton_model::{Grant, Plan};

use crate::check::{Check, CheckVerdict};
use crate::{Context, PlanningError};

pub(super) fn check(
    context: &Context,
    plan: &Plan,
    checks: &mut Vec<Check>,
) -> Result<(), PlanningError> {
    for row in context.store.grants().of_plan(plan)? {
        let node = row.given_in.and_then(|node| plan.node(node));
        let given = node.map_or_else(String::new, |node| {
            format!(", as allowed in '{}'", node.title)
        });
        let sentence = format!("{} in every node without asking{given}", calls(&row.grant));
        let mend =
            "revoke it in the blueprint's settings, or with `baton node revoke`, to be asked again";
        let check = Check {
            node: node.map(|node| node.id),
            ..Check::new(CheckVerdict::Warning, sentence)
        };
        checks.push(check.mended_by(mend));
    }
    Ok(())
}

fn calls(grant: &Grant) -> String {
    let tool = &grant.tool;
    match &grant.command {
        Some(words) if grant.begins => format!("{tool} runs commands that begin with `{words}`"),
        Some(command) => format!("{tool} runs `{command}`"),
        None => format!("{tool} is used"),
    }
}
