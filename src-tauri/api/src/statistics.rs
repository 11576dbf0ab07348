//! Operations on statistics.

use baton_store::StatisticsFilter;

use crate::wire::*;
use crate::{ApiError, App};

/// Returns statistics over all runs, or those of a plan or since a time.
pub(crate) fn get(app: &App, input: StatisticsGet) -> Result<Statistics, ApiError> {
    if let Some(plan) = input.plan {
        // Without this check, a missing plan would look like one that never ran.
        app.store.plans().record(plan)?;
    }
    Ok(app.store.statistics(StatisticsFilter {
        since: input.since,
        plan: input.plan,
    })?)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use baton_agents::Usage;
    use baton_model::PlanId;
    use uuid::Uuid;

    use super::*;
    use crate::{Code, Role, call};

    fn app() -> (tempfile::TempDir, Arc<App>) {
        let folder = tempfile::tempdir().expect("temp dir");
        // Nothing runs in this test, so any program will do as the keeper.
        let keeper = std::env::current_exe().expect("current exe");
        let app =
            App::open_with_keeper(folder.path().to_path_buf(), Role::Cli, keeper).expect("opens");
        (folder, app)
    }

    #[test]
    fn statistics_without_filter_count_everything() {
        let (_folder, app) = app();
        let created = call(
            &app,
            "plan_create",
            serde_json::json!({ "title": "A plan", "description": "", "cwd": null }),
        )
        .expect("valid input");
        let all = call(&app, "statistics_get", serde_json::Value::Null).expect("valid input");
        assert_eq!(
            all["completionRate"],
            serde_json::Value::Null,
            "no run has ended, so there is no rate"
        );
        let of_plan = serde_json::json!({ "plan": created["plan"]["id"], "since": 0 });
        let one = call(&app, "statistics_get", of_plan).expect("plan exists");
        assert_eq!(one["plans"]["reviews"]["draft"], 1, "excludes the examples");
    }

    #[test]
    fn statistics_of_an_unknown_plan_are_an_error() {
        let (_folder, app) = app();
        let input = StatisticsGet {
            since: None,
            plan: Some(PlanId(Uuid::nil())),
        };
        assert_eq!(
            get(&app, input).expect_err("unknown plan").code,
            Code::NotFound
        );
    }

    /// The store reads usage keys without knowing the type that agents write.
    #[test]
    fn store_counts_the_usage_agents_write() {
        let usage = Usage {
            input_tokens: Some(1),
            output_tokens: Some(2),
            cache_read_tokens: Some(3),
            cache_write_tokens: Some(4),
            usd: Some(0.5),
        };
        let written = serde_json::to_value(usage).expect("numbers");
        let counted = UsageTotals::from_usage_json(&written).expect("every key is known");
        let tokens = Tokens {
            input: 1,
            output: 2,
            cache_read: 3,
            cache_write: 4,
        };
        assert_eq!((counted.tokens, counted.usd), (Some(tokens), Some(0.5)));
    }
}
