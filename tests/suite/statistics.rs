//! Tests the statistics of real runs.

use baton_api::wire::*;
use baton_tests::TestEnvironment;

#[test]
fn runs_are_counted_with_their_attempts_and_failures() {
    let env = TestEnvironment::new();
    let good = env.start(
        "
baton: 1
title: Good
nodes:
  - {id: first, kind: command, command: 'true'}
  - {id: second, kind: command, dependsOn: [first], command: 'true'}
",
    );
    env.finish(good.summary.id);
    let bad =
        env.start("{baton: 1, title: Bad, nodes: [{id: only, kind: command, command: 'exit 3'}]}");
    env.finish(bad.summary.id);

    let all: Statistics = env.call("statistics_get", Nothing {}).expect("the figures");
    assert_eq!(
        (all.runs.completed, all.runs.failed, all.completion_rate),
        (1, 1, Some(0.5))
    );
    assert_eq!(all.run_durations.as_ref().map(|spans| spans.count), Some(2));
    assert_eq!(all.plans.reviews.approved, 2, "the examples are drafts");
    let [commands] = &all.kinds[..] else {
        panic!("{:?}", all.kinds)
    };
    assert_eq!(
        (commands.attempts.succeeded, commands.attempts.failed),
        (2, 1)
    );
    assert_eq!(
        commands.durations.as_ref().map(|spans| spans.count),
        Some(3)
    );
    assert_eq!(
        (
            commands.failures[0].reason.as_str(),
            commands.failures[0].count
        ),
        ("ended with exit code 3", 1)
    );
    assert_eq!(
        (all.used.sessions, all.used.usd, &all.used.tokens),
        (0, None, &None),
        "commands use no tokens"
    );
    assert_eq!(all.days.iter().map(|day| day.runs.total()).sum::<u32>(), 2);
    assert_eq!(all.unreadable, 0);

    let plan = Some(bad.summary.plan);
    let one: Statistics = env
        .call("statistics_get", StatisticsGet { since: None, plan })
        .expect("the figures");
    assert_eq!(
        (one.runs.total(), one.runs.failed, one.plans.most_nodes),
        (1, 1, Some(1))
    );
    let since = bad
        .summary
        .ended_at
        .or(Some(baton_model::Timestamp(i64::MAX)));
    let none: Statistics = env
        .call("statistics_get", StatisticsGet { since, plan: None })
        .expect("the figures");
    assert_eq!((none.runs.total(), none.completion_rate), (0, None));
}
