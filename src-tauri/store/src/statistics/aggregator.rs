//! Aggregation: rows in, statistics out. Knows no SQL.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};

use baton_model::{Outcome, PlanId, ReviewState, RunState};
use serde::Deserialize;

use super::types::*;

/// Number of failure reasons in the result.
const MAX_FAILURE_REASONS: usize = 5;
/// Number of plans in the result.
const MAX_PLANS: usize = 50;

/// The fields of a run that are counted.
pub(super) struct RunSample {
    pub(super) plan: PlanId,
    pub(super) state: RunState,
    /// The day it was created.
    pub(super) day: String,
    /// From start to end.
    pub(super) took_ms: Option<u64>,
    /// Whether a node failed and was skipped.
    pub(super) skipped_failures: bool,
}

/// The fields of an attempt that are counted.
pub(super) struct AttemptSample<'row> {
    pub(super) plan: PlanId,
    pub(super) place: FailedNode,
    pub(super) kind: Option<&'row str>,
    /// `None` while it is live.
    pub(super) outcome: Option<Outcome>,
    /// How long it worked, if it ended and that is known.
    pub(super) worked_ms: Option<u64>,
    /// Determines the latest failure.
    pub(super) ended_at: Option<i64>,
    pub(super) agent: Option<AgentSample<'row>>,
}

/// Additional fields of an attempt by an agent.
pub(super) struct AgentSample<'row> {
    pub(super) name: &'row str,
    /// The day its session was created.
    pub(super) day: &'row str,
    pub(super) usage: Usage,
}

/// A session's usage, with the keys of `sessions.usage`. Any of them may be missing.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Usage {
    input_tokens: Option<u64>,
    output_tokens: Option<u64>,
    cache_read_tokens: Option<u64>,
    cache_write_tokens: Option<u64>,
    usd: Option<f64>,
}

/// Running totals over all rows so far.
#[derive(Default)]
pub(super) struct StatisticsAggregator {
    reviews: ReviewCounts,
    nodes: Vec<u32>,
    titles: HashMap<PlanId, String>,
    runs: RunCounts,
    run_spans: Vec<u64>,
    plans: HashMap<PlanId, PlanAggregate>,
    kinds: BTreeMap<Option<String>, AttemptGroup>,
    agents: BTreeMap<String, (AttemptGroup, UsageTotals)>,
    days: BTreeMap<String, DailyStatistics>,
    used: UsageTotals,
    unreadable: u32,
}

#[derive(Default)]
struct PlanAggregate {
    runs: RunCounts,
    spans: Vec<u64>,
    used: UsageTotals,
}

/// Attempts grouped by some property.
#[derive(Default)]
struct AttemptGroup {
    attempts: AttemptCounts,
    spans: Vec<u64>,
    failures: HashMap<String, (FailureCount, i64)>,
}

impl StatisticsAggregator {
    /// Counts a row that couldn't be read.
    pub(super) fn add_unreadable(&mut self) {
        self.unreadable += 1;
    }

    pub(super) fn add_plan(
        &mut self,
        plan: PlanId,
        title: String,
        review: ReviewState,
        nodes: u32,
    ) {
        *match review {
            ReviewState::Draft => &mut self.reviews.draft,
            ReviewState::Proposed => &mut self.reviews.proposed,
            ReviewState::Approved => &mut self.reviews.approved,
            ReviewState::Rejected => &mut self.reviews.rejected,
            ReviewState::NeedsReview => &mut self.reviews.needs_review,
            ReviewState::Cancelled => &mut self.reviews.cancelled,
        } += 1;
        self.nodes.push(nodes);
        self.titles.insert(plan, title);
    }

    pub(super) fn add_run(&mut self, run: RunSample) {
        let plan = self.plans.entry(run.plan).or_default();
        let day = self.days.entry(run.day).or_default();
        for runs in [&mut self.runs, &mut plan.runs, &mut day.runs] {
            runs.count(&run.state);
            runs.skipped_failures +=
                u32::from(run.skipped_failures && run.state == RunState::Completed);
        }
        if let Some(took) = run.took_ms.filter(|_| run.state.has_ended()) {
            self.run_spans.push(took);
            plan.spans.push(took);
        }
    }

    pub(super) fn add_attempt(&mut self, attempt: &AttemptSample<'_>) {
        let kind = attempt.kind.map(str::to_owned);
        // A planner's run can't be opened.
        let place = self.titles.get(&attempt.plan).map(|_| attempt.place);
        self.kinds.entry(kind).or_default().count(attempt, place);
        if let Some(agent) = &attempt.agent {
            let (group, used) = self.agents.entry(agent.name.to_owned()).or_default();
            group.count(attempt, place);
            let plan = self.plans.entry(attempt.plan).or_default();
            let day = self.days.entry(agent.day.to_owned()).or_default();
            for used in [used, &mut plan.used, &mut day.used, &mut self.used] {
                used.count(&agent.usage);
            }
        }
    }

    /// Computes the statistics from the totals.
    pub(super) fn finish(
        self,
        takeovers: TakeoverStatistics,
        planning: PlanningStatistics,
    ) -> Statistics {
        let ended = self.runs.ended();
        // A planner's plan can't be opened, so its usage appears only by agent and by day.
        let titles = self.titles;
        let figures = |(plan, aggregate): (PlanId, PlanAggregate)| {
            Some(aggregate.into_statistics(plan, titles.get(&plan)?.clone()))
        };
        let mut by_plan: Vec<_> = self.plans.into_iter().filter_map(figures).collect();
        let plans = by_plan.len();
        by_plan.sort_by(by_cost_descending);
        by_plan.truncate(MAX_PLANS);
        let all = self.runs.total();
        let takeover_rate = (all > 0).then(|| f64::from(takeovers.runs) / f64::from(all));
        let days = self
            .days
            .into_iter()
            .map(|(day, figures)| DailyStatistics { day, ..figures })
            .collect();
        Statistics {
            completion_rate: (ended > 0).then(|| f64::from(self.runs.completed) / f64::from(ended)),
            run_durations: durations(self.run_spans),
            plans: plan_totals(self.reviews, self.nodes),
            kinds: sort_by_attempts(
                self.kinds,
                |kind, group| group.into_kind_statistics(kind),
                |kind| &kind.attempts,
            ),
            agents: sort_by_attempts(
                self.agents,
                |agent, (group, used)| group.into_agent_statistics(agent, used),
                |agent| &agent.attempts,
            ),
            more_plans: count(plans - by_plan.len()),
            by_plan,
            days,
            runs: self.runs,
            used: self.used,
            planning,
            takeovers: TakeoverStatistics {
                takeover_rate,
                ..takeovers
            },
            unreadable: self.unreadable,
        }
    }
}

impl RunCounts {
    fn count(&mut self, state: &RunState) {
        *match state {
            RunState::Running { .. } => &mut self.running,
            RunState::Paused { .. } => &mut self.paused,
            RunState::Replanning { .. } => &mut self.replanning,
            RunState::Stalled { .. } => &mut self.stalled,
            RunState::Completed => &mut self.completed,
            RunState::Failed { .. } => &mut self.failed,
            RunState::Cancelled => &mut self.cancelled,
        } += 1;
    }
}

impl UsageTotals {
    fn count(&mut self, usage: &Usage) {
        self.sessions += 1;
        match usage.tokens() {
            Some(tokens) => {
                let sum = self.tokens.get_or_insert_default();
                sum.input += tokens.input;
                sum.output += tokens.output;
                sum.cache_read += tokens.cache_read;
                sum.cache_write += tokens.cache_write;
            }
            None => self.without_tokens += 1,
        }
        match usage.usd {
            Some(usd) => *self.usd.get_or_insert_default() += usd,
            None => self.without_usd += 1,
        }
    }
}

impl UsageTotals {
    /// Parses a session's `usage`; `None` if it contains no usage.
    #[must_use]
    pub fn from_usage_json(usage: &serde_json::Value) -> Option<Self> {
        let mut used = Self::default();
        used.count(&Usage::deserialize(usage).ok()?);
        Some(used)
    }
}

impl Usage {
    /// If an agent reports some token counts, the missing ones are 0: an agent without a cache
    /// reports no cache tokens.
    fn tokens(&self) -> Option<Tokens> {
        let parts = [
            self.input_tokens,
            self.output_tokens,
            self.cache_read_tokens,
            self.cache_write_tokens,
        ];
        let [input, output, cache_read, cache_write] = parts.map(Option::unwrap_or_default);
        parts.iter().any(Option::is_some).then_some(Tokens {
            input,
            output,
            cache_read,
            cache_write,
        })
    }
}

impl PlanAggregate {
    fn into_statistics(self, plan: PlanId, title: String) -> PlanStatistics {
        PlanStatistics {
            plan,
            title,
            runs: self.runs,
            durations: durations(self.spans),
            used: self.used,
        }
    }
}

impl AttemptGroup {
    fn count(&mut self, attempt: &AttemptSample<'_>, place: Option<FailedNode>) {
        self.spans.extend(attempt.worked_ms);
        *match &attempt.outcome {
            None => &mut self.attempts.live,
            Some(Outcome::Succeeded) => &mut self.attempts.succeeded,
            Some(Outcome::Cancelled) => &mut self.attempts.cancelled,
            Some(Outcome::Lost { .. } | Outcome::Tampered { .. }) => &mut self.attempts.lost,
            Some(Outcome::Failed { failure }) => {
                let at = attempt.ended_at.unwrap_or_default();
                self.record_failure(failure.to_string(), at, place);
                &mut self.attempts.failed
            }
        } += 1;
    }

    /// Failure messages are grouped by the text before the first colon; the variable part comes
    /// after it.
    fn record_failure(&mut self, message: String, at: i64, place: Option<FailedNode>) {
        let reason = message.split(": ").next().unwrap_or_default().to_owned();
        let begin = || {
            (
                FailureCount {
                    reason: reason.clone(),
                    ..FailureCount::default()
                },
                i64::MIN,
            )
        };
        let (failure, latest) = self.failures.entry(reason.clone()).or_insert_with(begin);
        failure.count += 1;
        if at >= *latest {
            *latest = at;
            failure.latest = message;
            failure.latest_node = place;
        }
    }

    fn top_reasons(failures: HashMap<String, (FailureCount, i64)>) -> Vec<FailureCount> {
        let mut failures: Vec<_> = failures.into_values().map(|(failure, _)| failure).collect();
        failures.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.reason.cmp(&b.reason)));
        failures.truncate(MAX_FAILURE_REASONS);
        failures
    }

    fn into_kind_statistics(self, kind: Option<String>) -> NodeKindStatistics {
        let (durations, failures) = (durations(self.spans), Self::top_reasons(self.failures));
        NodeKindStatistics {
            kind,
            attempts: self.attempts,
            durations,
            failures,
        }
    }

    fn into_agent_statistics(self, agent: String, used: UsageTotals) -> AgentStatistics {
        let (durations, failures) = (durations(self.spans), Self::top_reasons(self.failures));
        AgentStatistics {
            agent,
            attempts: self.attempts,
            durations,
            failures,
            used,
        }
    }
}

fn sort_by_attempts<K, V, F>(
    map: BTreeMap<K, V>,
    figures: impl Fn(K, V) -> F,
    attempts: impl Fn(&F) -> &AttemptCounts,
) -> Vec<F> {
    let mut all: Vec<F> = map
        .into_iter()
        .map(|(key, value)| figures(key, value))
        .collect();
    all.sort_by_key(|figures| std::cmp::Reverse(attempts(figures).total()));
    all
}

fn by_cost_descending(a: &PlanStatistics, b: &PlanStatistics) -> Ordering {
    let usd = |plan: &PlanStatistics| plan.used.usd.unwrap_or_default();
    let tokens = |plan: &PlanStatistics| plan.used.tokens.as_ref().map_or(0, Tokens::total);
    (usd(b).total_cmp(&usd(a)))
        .then_with(|| tokens(b).cmp(&tokens(a)))
        .then_with(|| b.runs.total().cmp(&a.runs.total()))
        .then_with(|| a.plan.cmp(&b.plan))
}

fn plan_totals(reviews: ReviewCounts, mut nodes: Vec<u32>) -> PlanTotals {
    nodes.sort_unstable();
    let sum: f64 = nodes.iter().copied().map(f64::from).sum();
    PlanTotals {
        reviews,
        mean_nodes: (!nodes.is_empty()).then(|| sum / f64::from(count(nodes.len()))),
        median_nodes: median(&nodes),
        most_nodes: nodes.last().copied(),
    }
}

fn durations(mut spans: Vec<u64>) -> Option<Durations> {
    spans.sort_unstable();
    let median_ms = median(&spans)?;
    let mean_ms = spans.iter().sum::<u64>() / spans.len() as u64;
    Some(Durations {
        count: count(spans.len()),
        mean_ms,
        median_ms,
    })
}

/// For an even count, the lower of the two middle values, so the result is an actual measurement.
fn median<T: Copy>(sorted: &[T]) -> Option<T> {
    sorted.get(sorted.len().checked_sub(1)? / 2).copied()
}

fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
