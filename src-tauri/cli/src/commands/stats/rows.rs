//! Formats statistics as text. Unknown values are shown as "unknown", never as 0.

use baton_api::wire::*;
use baton_model::count::{format_count, format_quantity};
use baton_model::duration::format_elapsed;
use baton_model::review::RejectionReason;

/// Returns the lines above the tables, as label and text.
pub(super) fn summary(figures: &Statistics) -> Vec<(&'static str, String)> {
    let mut lines = vec![("runs", describe_runs(&figures.runs))];
    if let Some(rate) = figures.completion_rate {
        let ended = figures.runs.ended();
        lines.push((
            "completed",
            format!(
                "{} of {}",
                percent(rate),
                format_quantity(ended, "ended run", "ended runs")
            ),
        ));
    }
    if let Some(spans) = &figures.run_durations {
        lines.push((
            "run elapsed",
            format!(
                "mean {}, median {}",
                format_elapsed(spans.mean_ms),
                format_elapsed(spans.median_ms)
            ),
        ));
    }
    lines.push(("plans", describe_plans(&figures.plans)));
    if figures.used.sessions > 0 {
        lines.push(("tokens", all_tokens(&figures.used)));
        lines.push((
            "cost",
            with_unreported(
                format_usd(figures.used.usd),
                &figures.used,
                figures.used.without_usd,
            ),
        ));
    }
    if figures.planning.replans > 0 {
        let PlanningStatistics {
            replans,
            accepted_replans,
            ..
        } = figures.planning;
        lines.push(("replans", format!("{replans}, {accepted_replans} accepted")));
    }
    if figures.takeovers.count > 0 {
        lines.push(("takeovers", describe_takeovers(&figures.takeovers)));
    }
    if figures.unreadable > 0 {
        lines.push((
            "skipped",
            format_quantity(figures.unreadable, "damaged row", "damaged rows"),
        ));
    }
    lines
}

/// A reason for rejections, and how often it was given.
pub(super) fn rejection_row(found: &RejectionCount) -> [String; 2] {
    let reason = found.reason.map_or("no reason", RejectionReason::label);
    [reason.to_owned(), format_count(found.count.into())]
}

/// A tool that agents asked for, and how often.
pub(super) fn tool_row(found: &ToolGap) -> [String; 2] {
    [found.tool.clone(), format_count(found.asked.into())]
}

fn describe_runs(runs: &RunCounts) -> String {
    let parts = [
        (runs.running, "running"),
        (runs.paused, "paused"),
        (runs.replanning, "replanning"),
        (runs.stalled, "stalled"),
        (runs.completed, "completed"),
        (runs.failed, "failed"),
        (runs.cancelled, "canceled"),
    ];
    let text = count_with_parts(runs.total(), &parts);
    match runs.skipped_failures {
        0 => text,
        count => format!("{text}; {count} completed with skipped failures"),
    }
}

fn describe_plans(plans: &PlanTotals) -> String {
    let ReviewCounts {
        draft,
        proposed,
        approved,
        rejected,
        needs_review,
        cancelled,
    } = plans.reviews;
    let parts = [
        (draft, "draft"),
        (proposed, "proposed"),
        (approved, "approved"),
        (rejected, "rejected"),
        (needs_review, "needs review"),
        (cancelled, "canceled"),
    ];
    let text = count_with_parts(parts.iter().map(|(count, _)| count).sum(), &parts);
    match (plans.mean_nodes, plans.median_nodes, plans.most_nodes) {
        (Some(mean), Some(median), Some(most)) => {
            format!("{text}; nodes per plan: mean {mean:.1}, median {median}, maximum {most}")
        }
        _ => text,
    }
}

/// Formats a total with its parts that are not 0: `5: 2 running, 3 failed`.
fn count_with_parts(total: u32, parts: &[(u32, &str)]) -> String {
    let parts: Vec<_> = parts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, label)| format!("{count} {label}"))
        .collect();
    if parts.is_empty() {
        total.to_string()
    } else {
        format!("{total}: {}", parts.join(", "))
    }
}

fn all_tokens(used: &UsageTotals) -> String {
    let tokens = used.tokens.as_ref().map_or_else(unknown, |sum| {
        let Tokens {
            input,
            output,
            cache_read,
            cache_write,
        } = sum;
        format!(
            "{}: {} input, {} output, {} cache read, {} cache write",
            format_count(sum.total()),
            format_count(*input),
            format_count(*output),
            format_count(*cache_read),
            format_count(*cache_write)
        )
    });
    with_unreported(tokens, used, used.without_tokens)
}

fn with_unreported(text: String, used: &UsageTotals, unreported: u32) -> String {
    match unreported {
        0 => text,
        _ => format!(
            "{text}; not reported by {unreported} of {}",
            format_quantity(used.sessions, "session", "sessions")
        ),
    }
}

fn percent(rate: f64) -> String {
    format!("{:.0}%", rate * 100.0)
}

fn describe_takeovers(takeovers: &TakeoverStatistics) -> String {
    let share = |rate: Option<f64>| rate.map_or_else(|| "unknown".to_owned(), percent);
    let text = format!(
        "{} in {} of runs; {} took over from an executor that later came back, {} lost no sessions",
        format_quantity(takeovers.count, "takeover", "takeovers"),
        share(takeovers.takeover_rate),
        share(takeovers.displacement_rate),
        share(takeovers.inherited_whole_rate),
    );
    match takeovers.mean_recovery_ms {
        Some(mean) => format!("{text}; recovery after {} on average", format_elapsed(mean)),
        None => text,
    }
}

/// Returns the row of a node kind: its attempts and their durations.
pub(super) fn kind_row(kind: &NodeKindStatistics) -> [String; 7] {
    let name = kind
        .kind
        .clone()
        .unwrap_or_else(|| "(no longer in the plan)".to_owned());
    let [all, done, failed, lost, mean, median] =
        attempt_columns(&kind.attempts, kind.durations.as_ref());
    [name, all, done, failed, lost, mean, median]
}

/// Returns the row of an agent: its attempts, their durations and usage.
pub(super) fn agent_row(agent: &AgentStatistics) -> [String; 9] {
    let [all, done, failed, lost, mean, median] =
        attempt_columns(&agent.attempts, agent.durations.as_ref());
    let [tokens, cost] = usage_columns(&agent.used);
    [
        agent.agent.clone(),
        all,
        done,
        failed,
        lost,
        mean,
        median,
        tokens,
        cost,
    ]
}

fn attempt_columns(counts: &AttemptCounts, spans: Option<&Durations>) -> [String; 6] {
    let AttemptCounts {
        succeeded,
        failed,
        lost,
        ..
    } = counts;
    let [mean, median] = duration_columns(spans);
    [
        counts.total().to_string(),
        succeeded.to_string(),
        failed.to_string(),
        lost.to_string(),
        mean,
        median,
    ]
}

fn duration_columns(spans: Option<&Durations>) -> [String; 2] {
    spans.map_or_else(Default::default, |spans| {
        [
            format_elapsed(spans.mean_ms),
            format_elapsed(spans.median_ms),
        ]
    })
}

/// Returns the failure reasons, grouped by agent or, for nodes without an agent, by kind.
pub(super) fn failure_rows(figures: &Statistics) -> Vec<[String; 4]> {
    let agents = figures
        .agents
        .iter()
        .map(|agent| (agent.agent.as_str(), &agent.failures));
    let others = figures
        .kinds
        .iter()
        .filter_map(|kind| Some((kind.kind.as_deref()?, &kind.failures)));
    let others = others.filter(|(kind, _)| !matches!(*kind, "agent" | "llm_decision"));
    let row = |who: &str, failure: &FailureCount| {
        let latest = if failure.latest == failure.reason {
            ""
        } else {
            &failure.latest
        };
        [
            who.to_owned(),
            failure.count.to_string(),
            failure.reason.clone(),
            latest.to_owned(),
        ]
    };
    agents
        .chain(others)
        .flat_map(|(who, failures)| failures.iter().map(move |failure| row(who, failure)))
        .collect()
}

/// Returns the row of a plan: its runs and their usage.
pub(super) fn plan_row(plan: &PlanStatistics) -> [String; 7] {
    let [tokens, cost] = usage_columns(&plan.used);
    let [mean, _] = duration_columns(plan.durations.as_ref());
    let [all, completed, failed] = outcome_columns(&plan.runs);
    [
        plan.title.clone(),
        all,
        completed,
        failed,
        mean,
        tokens,
        cost,
    ]
}

/// Returns the row of a day: the runs started on it and their usage.
pub(super) fn day_row(day: &DailyStatistics) -> [String; 6] {
    let [tokens, cost] = usage_columns(&day.used);
    let [all, completed, failed] = outcome_columns(&day.runs);
    [day.day.clone(), all, completed, failed, tokens, cost]
}

fn outcome_columns(runs: &RunCounts) -> [String; 3] {
    [
        runs.total().to_string(),
        runs.completed.to_string(),
        runs.failed.to_string(),
    ]
}

/// Returns tokens and cost. A `+` marks a sum that some sessions didn't report to. Both are empty
/// if no agent worked.
fn usage_columns(used: &UsageTotals) -> [String; 2] {
    if used.sessions == 0 {
        return Default::default();
    }
    let more = |text: String, known: bool, unreported: u32| {
        if known && unreported > 0 {
            text + "+"
        } else {
            text
        }
    };
    let tokens = used
        .tokens
        .as_ref()
        .map_or_else(unknown, |sum| format_count(sum.total()));
    [
        more(tokens, used.tokens.is_some(), used.without_tokens),
        more(format_usd(used.usd), used.usd.is_some(), used.without_usd),
    ]
}

fn format_usd(usd: Option<f64>) -> String {
    usd.map_or_else(unknown, |usd| format!("${usd:.2}"))
}

fn unknown() -> String {
    "unknown".to_owned()
}

#[cfg(test)]
mod tests {
    use baton_model::PlanId;
    use uuid::Uuid;

    use super::*;

    fn nothing() -> Statistics {
        Statistics {
            runs: RunCounts::default(),
            completion_rate: None,
            run_durations: None,
            plans: PlanTotals {
                reviews: ReviewCounts::default(),
                mean_nodes: None,
                median_nodes: None,
                most_nodes: None,
            },
            kinds: Vec::new(),
            agents: Vec::new(),
            by_plan: Vec::new(),
            more_plans: 0,
            days: Vec::new(),
            used: UsageTotals::default(),
            takeovers: TakeoverStatistics::default(),
            planning: PlanningStatistics::default(),
            unreadable: 0,
        }
    }

    #[test]
    fn planning_is_shown_as_counts() {
        let mut figures = nothing();
        assert!(!lines(&figures).contains("replans"));
        figures.planning.replans = 3;
        figures.planning.accepted_replans = 1;
        assert!(lines(&figures).contains("replans: 3, 1 accepted"));
        let rejection = |reason| {
            rejection_row(&RejectionCount {
                reason,
                count: 1_200,
            })
        };
        let checks = rejection(Some(RejectionReason::MissingCheck));
        assert_eq!(checks, ["missing check", "1,200"]);
        assert_eq!(rejection(None), ["no reason", "1,200"]);
        let gap = ToolGap {
            tool: "Bash".to_owned(),
            asked: 2,
        };
        assert_eq!(tool_row(&gap), ["Bash", "2"]);
    }

    fn lines(figures: &Statistics) -> String {
        summary(figures)
            .iter()
            .map(|(label, text)| format!("{label}: {text}"))
            .collect::<Vec<_>>()
            .join("\n")
    }

    #[test]
    fn skipped_failures_are_counted_among_the_completed() {
        let counts = RunCounts {
            completed: 2,
            failed: 1,
            skipped_failures: 1,
            ..RunCounts::default()
        };
        assert_eq!(
            describe_runs(&counts),
            "3: 2 completed, 1 failed; 1 completed with skipped failures"
        );
    }

    #[test]
    fn absent_figures_are_left_out() {
        insta::assert_snapshot!(lines(&nothing()), @r"
        runs: 0
        plans: 0
        ");
    }

    #[test]
    fn summary_names_unreported_usage() {
        let mut figures = nothing();
        figures.runs = RunCounts {
            running: 1,
            completed: 2,
            failed: 1,
            ..RunCounts::default()
        };
        figures.completion_rate = Some(2.0 / 3.0);
        figures.run_durations = Some(Durations {
            count: 3,
            mean_ms: 65_000,
            median_ms: 4_200,
        });
        figures.plans.reviews = ReviewCounts {
            draft: 1,
            approved: 2,
            ..ReviewCounts::default()
        };
        (
            figures.plans.mean_nodes,
            figures.plans.median_nodes,
            figures.plans.most_nodes,
        ) = (Some(4.33), Some(3), Some(9));
        let tokens = Tokens {
            input: 1_000,
            output: 20,
            cache_read: 1_234_567,
            cache_write: 0,
        };
        figures.used = UsageTotals {
            sessions: 5,
            tokens: Some(tokens),
            without_tokens: 1,
            usd: None,
            without_usd: 5,
        };
        figures.takeovers = TakeoverStatistics {
            count: 3,
            runs: 2,
            displaced: 1,
            inherited_whole: 2,
            takeover_rate: Some(0.5),
            displacement_rate: Some(1.0 / 3.0),
            inherited_whole_rate: Some(2.0 / 3.0),
            mean_recovery_ms: Some(3_000),
        };
        figures.unreadable = 1;
        insta::assert_snapshot!(lines(&figures), @r"
        runs: 4: 1 running, 2 completed, 1 failed
        completed: 67% of 3 ended runs
        run elapsed: mean 1m 05s, median 4.2 s
        plans: 3: 1 draft, 2 approved; nodes per plan: mean 4.3, median 3, maximum 9
        tokens: 1,235,587: 1,000 input, 20 output, 1,234,567 cache read, 0 cache write; not reported by 1 of 5 sessions
        cost: unknown; not reported by 5 of 5 sessions
        takeovers: 3 takeovers in 50% of runs; 33% took over from an executor that later came back, 67% lost no sessions; recovery after 3.0 s on average
        skipped: 1 damaged row
        ");
    }

    #[test]
    fn rows_mark_partial_sums_and_leave_unused_empty() {
        let tokens = Tokens {
            input: 900,
            output: 100,
            ..Tokens::default()
        };
        let part = UsageTotals {
            sessions: 2,
            tokens: Some(tokens),
            without_tokens: 1,
            usd: Some(0.126),
            without_usd: 0,
        };
        let mut plan = PlanStatistics {
            plan: PlanId(Uuid::nil()),
            title: "A plan".to_owned(),
            runs: RunCounts {
                completed: 2,
                cancelled: 1,
                ..RunCounts::default()
            },
            durations: None,
            used: part,
        };
        assert_eq!(plan_row(&plan).join("|"), "A plan|3|2|0||1,000+|$0.13");
        plan.used = UsageTotals {
            sessions: 2,
            without_tokens: 2,
            without_usd: 2,
            ..UsageTotals::default()
        };
        assert_eq!(
            plan_row(&plan).join("|"),
            "A plan|3|2|0||unknown|unknown",
            "never 0"
        );
        plan.used = UsageTotals::default();
        assert_eq!(
            plan_row(&plan).join("|"),
            "A plan|3|2|0|||",
            "no agent worked"
        );
    }

    #[test]
    fn failures_are_grouped_by_agent_or_kind() {
        let failure = |reason: &str, latest: &str| FailureCount {
            reason: reason.into(),
            count: 2,
            latest: latest.into(),
            latest_node: None,
        };
        let mut figures = nothing();
        let attempts = AttemptCounts {
            failed: 2,
            succeeded: 1,
            lost: 1,
            ..AttemptCounts::default()
        };
        let durations = Some(Durations {
            count: 3,
            mean_ms: 1_500,
            median_ms: 1_000,
        });
        figures.agents.push(AgentStatistics {
            agent: "claude".to_owned(),
            attempts: attempts.clone(),
            durations: durations.clone(),
            failures: vec![failure("the agent reported", "the agent reported: no")],
            used: UsageTotals {
                sessions: 4,
                without_tokens: 4,
                without_usd: 4,
                ..UsageTotals::default()
            },
        });
        let failures = vec![failure("ended with exit code 1", "ended with exit code 1")];
        figures.kinds.push(NodeKindStatistics {
            kind: Some("command".to_owned()),
            attempts,
            durations,
            failures,
        });
        let rows: Vec<_> = failure_rows(&figures)
            .iter()
            .map(|row| row.join("|"))
            .collect();
        let expected = [
            "claude|2|the agent reported|the agent reported: no",
            "command|2|ended with exit code 1|",
        ];
        assert_eq!(
            rows, expected,
            "a latest message equal to its reason is left out"
        );
        assert_eq!(
            agent_row(&figures.agents[0]).join("|"),
            "claude|4|1|2|1|1.5 s|1.0 s|unknown|unknown"
        );
        figures.kinds[0].kind = None;
        assert_eq!(
            kind_row(&figures.kinds[0]).join("|"),
            "(no longer in the plan)|4|1|2|1|1.5 s|1.0 s"
        );
    }
}
