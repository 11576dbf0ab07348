//! `baton plan archive`, `unarchive` and `retention`.

use baton_api::wire::*;
use baton_model::count::format_quantity;
use clap::Args;

use crate::client::Client;
use crate::failure::Failure;
use crate::{id_lookup, style};

/// Show or set which runs of a plan are kept, and when it is archived
///
/// A run is kept if one of the limits keeps it. Runs that something still needs are always kept.
/// Without options, the command prints the plan's rule.
#[derive(Debug, Args)]
pub(crate) struct RetentionArgs {
    /// The plan: its ID, the start of its ID, or its title
    plan: String,
    /// Keep the last N runs
    #[arg(long, value_name = "N")]
    keep_last: Option<u32>,
    /// Keep runs that ended in the last N days
    #[arg(long, value_name = "N")]
    keep_days: Option<u32>,
    /// Keep all runs, whatever the settings say
    #[arg(long, conflicts_with_all = ["keep_last", "keep_days"])]
    keep_all: bool,
    /// Archive the plan after N days without a run or an edit
    #[arg(long, value_name = "N")]
    archive_after_days: Option<u32>,
    /// Use the rule of the settings
    #[arg(long, conflicts_with_all = ["keep_last", "keep_days", "keep_all", "archive_after_days"])]
    default: bool,
}

pub(super) fn archive(client: &Client<'_>, given: &str) -> Result<(), Failure> {
    let plan = id_lookup::find_plan(client, given)?;
    let view: PlanView = client.ask("archive the plan", "plan_archive", &PlanRef { plan })?;
    print(client, &view, "archived")
}

pub(super) fn unarchive(client: &Client<'_>, given: &str) -> Result<(), Failure> {
    let plan = id_lookup::find_plan(client, given)?;
    let view: PlanView = client.ask("unarchive the plan", "plan_unarchive", &PlanRef { plan })?;
    print(client, &view, "no longer archived")
}

pub(super) fn retention(client: &Client<'_>, args: &RetentionArgs) -> Result<(), Failure> {
    let plan = id_lookup::find_plan(client, &args.plan)?;
    let rule = Retention {
        keep_last: args.keep_last,
        keep_days: args.keep_days,
        archive_after_days: args.archive_after_days,
    };
    let only_shows = !args.default && !args.keep_all && rule == Retention::default();
    let view: PlanView = if only_shows {
        client.ask("load the plan", "plan_get", &PlanRef { plan })?
    } else {
        let input = PlanRetentionSave {
            plan,
            retention: (!args.default).then_some(rule),
        };
        client.ask("set which runs are kept", "plan_retention_save", &input)?
    };
    print(client, &view, &describe(view.retention.as_ref()))
}

fn print(client: &Client<'_>, view: &PlanView, what: &str) -> Result<(), Failure> {
    if client.output.json {
        return client.output.json(view);
    }
    let title = style::one_line(&view.plan.title);
    client.output.line(&format!("'{title}': {what}"))
}

fn describe(rule: Option<&Retention>) -> String {
    let Some(rule) = rule else {
        return "uses the rule of the settings".to_owned();
    };
    let count = |count: u32, one, many| format_quantity(count as usize, one, many);
    let kept: Vec<String> = [
        rule.keep_last
            .map(|last| format!("the last {}", count(last, "run", "runs"))),
        rule.keep_days
            .map(|days| format!("runs of the last {}", count(days, "day", "days"))),
    ]
    .into_iter()
    .flatten()
    .collect();
    let kept = match kept.is_empty() {
        true => "keeps all runs".to_owned(),
        false => format!("keeps {}", kept.join(" and ")),
    };
    match rule.archive_after_days {
        Some(days) => format!(
            "{kept}, archived after {} without use",
            count(days, "day", "days")
        ),
        None => kept,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_described() {
        let rule = |keep_last, keep_days, archive_after_days| Retention {
            keep_last,
            keep_days,
            archive_after_days,
        };
        let table = [
            (None, "uses the rule of the settings"),
            (Some(rule(None, None, None)), "keeps all runs"),
            (Some(rule(Some(1), None, None)), "keeps the last 1 run"),
            (
                Some(rule(Some(20), Some(30), Some(90))),
                "keeps the last 20 runs and runs of the last 30 days, archived after 90 days without use",
            ),
        ];
        for (rule, expected) in table {
            assert_eq!(describe(rule.as_ref()), expected);
        }
    }
}
