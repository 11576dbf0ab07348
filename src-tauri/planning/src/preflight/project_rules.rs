//! Names the rules of the plan's project, and what is wrong with them.

use baton_model::count::format_quantity;
use baton_model::duration::format_duration;
use baton_model::{Plan, ProjectRules};

use crate::check::{Check, CheckVerdict};
use crate::{Context, project_rules};

const MINUTE_MS: u64 = 60_000;

/// The rules that a run of `plan` would have.
pub(super) fn check(context: &Context, plan: &Plan, checks: &mut Vec<Check>) -> ProjectRules {
    let found = match project_rules::of_directory(&context.store, plan.cwd.as_deref()) {
        Ok(found) => found,
        Err(error) => {
            checks.push(Check::new(CheckVerdict::Failed, error.to_string()));
            return ProjectRules::default();
        }
    };
    checks.extend(found.faults.iter().map(|fault| {
        Check::new(CheckVerdict::Warning, fault)
            .with_fix("fix the file; until then, that rule has no effect")
    }));
    let effects = effects(&found.rules);
    if !effects.is_empty() {
        let sentence = format!("the project's rules: {}", effects.join(", "));
        checks.push(Check::new(CheckVerdict::Passed, sentence));
    }
    found.rules
}

/// What the rules do to a run.
fn effects(rules: &ProjectRules) -> Vec<String> {
    let guards = match rules.guarded_tools.len() {
        0 => None,
        count => Some(format_quantity(count, "guarded tool", "guarded tools")),
    };
    let limit = rules.executor_timeout_minutes.map(|minutes| {
        let limit = format_duration(u64::from(minutes) * MINUTE_MS);
        format!("time limit of a run {limit}")
    });
    guards.into_iter().chain(limit).collect()
}
