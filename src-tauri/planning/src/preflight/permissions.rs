//! Warnings of permissions for the whole plan, which are never asked about again.

use baton_model::{Grant, Plan};

use crate::check::{Check, CheckVerdict};
use crate::{Context, PlanningError};

pub(super) fn check(
    context: &Context,
    plan: &Plan,
    checks: &mut Vec<Check>,
) -> Result<(), PlanningError> {
    for row in context.store.grants().list_effective(plan)? {
        let node = row.given_in.and_then(|node| plan.node(node));
        let given = node.map_or_else(String::new, |node| {
            format!(", as allowed in '{}'", node.title)
        });
        let sentence = format!(
            "{} in every node without asking for permission{given}",
            describe_grant(&row.grant)
        );
        let fix = "to be asked again, revoke it in the plan's settings or with `baton node revoke`";
        let check = Check {
            node: node.map(|node| node.id),
            ..Check::new(CheckVerdict::Warning, sentence)
        };
        checks.push(check.with_fix(fix));
    }
    Ok(())
}

fn describe_grant(grant: &Grant) -> String {
    let tool = &grant.tool;
    match &grant.command {
        Some(words) if grant.begins => format!("{tool} may run commands that begin with `{words}`"),
        Some(command) => format!("{tool} may run `{command}`"),
        None => format!("{tool} may be used"),
    }
}
