//! The counting: rows go in one by one, figures come out. Knows no SQL.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};

use baton_model::{Outcome, PlanId, ReviewState, RunState};
use serde::Deserialize;

use super::figures::*;

/// How many reasons for failures are told.
const REASONS: usize = 5;
/// How many plans are told.
const PLANS: usize = 50;

/// A run, as far as it is counted.
pub(super) struct RunTale {
    pub(super) plan: PlanId,
    pub(super) state: RunState,
    /// The day on which it was begun.
    pub(super) day: String,
    /// From begin to end.
    pub(super) took_ms: Option<u64>,
    /// A node of it failed and was skipped over.
    pub(super) skipped_failures: bool,
}

/// An attempt, as far as it is counted.
pub(super) struct AttemptTale<'row> {
    pub(super) plan: PlanId,
    pub(super) kind: Option<&'row str>,
    /// `None` while it lives.
    pub(super) outcome: Option<Outcome>,
    /// From start to end.
    pub(super) took_ms: Option<u64>,
    /// When it ended, to tell the latest failure.
    pub(super) ended_at: Option<i64>,
    /// `None` for commands.
    pub(super) agent: Option<AgentTale<'row>>,
}

/// What is counted of an attempt because an agent made it.
pub(super) struct AgentTale<'row> {
    pub(super) name: &'row str,
    /// The day on which its session was begun.
    pub(super) day: &'row str,
    pub(super) usage: Usage,
}

/// What a session used: the keys under which `sessions.usage` keeps it, all of which may be missing.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Usage {
    input_tokens: Option<u64>,
    output_tokens: Option<u64>,
    cache_read_tokens: Option<u64>,
    cache_write_tokens: Option<u64>,
    usd: Option<f64>,
}

/// The counting.
#[derive(Default)]
pub(super) struct Tally {
    reviews: ReviewCounts,
    nodes: Vec<u32>,
    titles: HashMap<PlanId, String>,
    runs: RunCounts,
    run_spans: Vec<u64>,
    plans: HashMap<PlanId, PlanTally>,
    kinds: BTreeMap<Option<String>, Group>,
    agents: BTreeMap<String, (Group, Used)>,
    days: BTreeMap<String, DayFigures>,
    used: Used,
    unreadable: u32,
}

#[derive(Default)]
struct PlanTally {
    runs: RunCounts,
    spans: Vec<u64>,
    used: Used,
}

/// Attempts that have something in common.
#[derive(Default)]
struct Group {
    attempts: AttemptCounts,
    spans: Vec<u64>,
    failures: HashMap<String, (FailureCount, i64)>,
}

impl Tally {
    /// A row that could not be read.
    pub(super) fn damaged(&mut self) {
        self.unreadable += 1;
    }

    pub(super) fn plan(&mut self, plan: PlanId, title: String, review: ReviewState, nodes: u32) {
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

    pub(super) fn run(&mut self, run: RunTale) {
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

    pub(super) fn attempt(&mut self, attempt: &AttemptTale<'_>) {
        let kind = attempt.kind.map(str::to_owned);
        self.kinds.entry(kind).or_default().count(attempt);
        if let Some(agent) = &attempt.agent {
            let (group, used) = self.agents.entry(agent.name.to_owned()).or_default();
            group.count(attempt);
            let plan = self.plans.entry(attempt.plan).or_default();
            let day = self.days.entry(agent.day.to_owned()).or_default();
            for used in [used, &mut plan.used, &mut day.used, &mut self.used] {
                used.count(&agent.usage);
            }
        }
    }

    /// What was counted.
    pub(super) fn figures(self, takeovers: TakeoverFigures) -> Statistics {
        let ended = self.runs.ended();
        // A planner works in a plan of its own, which nobody can open: what it used is told by agent and day alone.
        let titles = self.titles;
        let figures = |(plan, tally): (PlanId, PlanTally)| {
            Some(tally.figures(plan, titles.get(&plan)?.clone()))
        };
        let mut by_plan: Vec<_> = self.plans.into_iter().filter_map(figures).collect();
        let plans = by_plan.len();
        by_plan.sort_by(heavier_first);
        by_plan.truncate(PLANS);
        let all = self.runs.total();
        let takeover_rate = (all > 0).then(|| f64::from(takeovers.runs) / f64::from(all));
        let days = self
            .days
            .into_iter()
            .map(|(day, figures)| DayFigures { day, ..figures })
            .collect();
        Statistics {
            completion_rate: (ended > 0).then(|| f64::from(self.runs.completed) / f64::from(ended)),
            run_durations: durations(self.run_spans),
            plans: plans_figures(self.reviews, self.nodes),
            kinds: most_first(
                self.kinds,
                |kind, group| group.of_kind(kind),
                |kind| &kind.attempts,
            ),
            agents: most_first(
                self.agents,
                |agent, (group, used)| group.of_agent(agent, used),
                |agent| &agent.attempts,
            ),
            more_plans: count(plans - by_plan.len()),
            by_plan,
            days,
            runs: self.runs,
            used: self.used,
            takeovers: TakeoverFigures {
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

impl Used {
    fn count(&mut self, usage: &Usage) {
        self.sessions += 1;
        match usage.tokens() {
            Some(told) => {
                let sum = self.tokens.get_or_insert_default();
                sum.input += told.input;
                sum.output += told.output;
                sum.cache_read += told.cache_read;
                sum.cache_write += told.cache_write;
            }
            None => self.without_tokens += 1,
        }
        match usage.usd {
            Some(usd) => *self.usd.get_or_insert_default() += usd,
            None => self.without_usd += 1,
        }
    }
}

impl Used {
    /// What one session used that wrote `usage`; `None` when that is no usage at all.
    #[must_use]
    pub fn of(usage: &serde_json::Value) -> Option<Self> {
        let mut used = Self::default();
        used.count(&Usage::deserialize(usage).ok()?);
        Some(used)
    }
}

impl Usage {
    /// What an agent does not tell beside the others it does not have: one without a cache tells no tokens of it.
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

impl PlanTally {
    fn figures(self, plan: PlanId, title: String) -> PlanFigures {
        PlanFigures {
            plan,
            title,
            runs: self.runs,
            durations: durations(self.spans),
            used: self.used,
        }
    }
}

impl Group {
    fn count(&mut self, attempt: &AttemptTale<'_>) {
        self.spans.extend(attempt.took_ms);
        *match &attempt.outcome {
            None => &mut self.attempts.live,
            Some(Outcome::Succeeded) => &mut self.attempts.succeeded,
            Some(Outcome::Cancelled) => &mut self.attempts.cancelled,
            Some(Outcome::Lost { .. } | Outcome::Tampered { .. }) => &mut self.attempts.lost,
            Some(Outcome::Failed { failure }) => {
                self.failed(failure.to_string(), attempt.ended_at.unwrap_or_default());
                &mut self.attempts.failed
            }
        } += 1;
    }

    /// What differs from case to case stands behind the first colon of a failure's words.
    fn failed(&mut self, words: String, at: i64) {
        let reason = words.split(": ").next().unwrap_or_default().to_owned();
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
            failure.latest = words;
        }
    }

    fn reasons(failures: HashMap<String, (FailureCount, i64)>) -> Vec<FailureCount> {
        let mut failures: Vec<_> = failures.into_values().map(|(failure, _)| failure).collect();
        failures.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.reason.cmp(&b.reason)));
        failures.truncate(REASONS);
        failures
    }

    fn of_kind(self, kind: Option<String>) -> KindFigures {
        let (durations, failures) = (durations(self.spans), Self::reasons(self.failures));
        KindFigures {
            kind,
            attempts: self.attempts,
            durations,
            failures,
        }
    }

    fn of_agent(self, agent: String, used: Used) -> AgentFigures {
        let (durations, failures) = (durations(self.spans), Self::reasons(self.failures));
        AgentFigures {
            agent,
            attempts: self.attempts,
            durations,
            failures,
            used,
        }
    }
}

fn most_first<K, V, F>(
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

fn heavier_first(a: &PlanFigures, b: &PlanFigures) -> Ordering {
    let usd = |plan: &PlanFigures| plan.used.usd.unwrap_or_default();
    let tokens = |plan: &PlanFigures| plan.used.tokens.as_ref().map_or(0, Tokens::total);
    (usd(b).total_cmp(&usd(a)))
        .then_with(|| tokens(b).cmp(&tokens(a)))
        .then_with(|| b.runs.total().cmp(&a.runs.total()))
        .then_with(|| a.plan.cmp(&b.plan))
}

fn plans_figures(reviews: ReviewCounts, mut nodes: Vec<u32>) -> PlansFigures {
    nodes.sort_unstable();
    let sum: f64 = nodes.iter().copied().map(f64::from).sum();
    PlansFigures {
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

/// The middle one; of an even number the lower of the two in the middle, so that it is one that was measured.
fn median<T: Copy>(sorted: &[T]) -> Option<T> {
    sorted.get(sorted.len().checked_sub(1)? / 2).copied()
}

fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
