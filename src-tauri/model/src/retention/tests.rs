//! Rules on drawn up runs, and on random ones.

use proptest::prelude::*;
use uuid::Uuid;

use super::*;

const NOW: Timestamp = Timestamp(1_000 * DAY_MS as i64);

fn id(number: usize) -> RunId {
    RunId(Uuid::from_u128(number as u128 + 1))
}

fn days_ago(days: i64) -> Timestamp {
    Timestamp(NOW.0 - days * DAY_MS as i64)
}

/// Ended runs, newest first, by their age in days.
fn ended(ages: &[i64]) -> Vec<RunFacts> {
    let run = |(number, age): (usize, &i64)| RunFacts {
        id: id(number),
        ended_at: Some(days_ago(*age)),
        inherits: None,
        is_needed: false,
    };
    ages.iter().enumerate().map(run).collect()
}

fn rule(keep_last: Option<u32>, keep_days: Option<u32>) -> Retention {
    Retention {
        keep_last,
        keep_days,
        archive_after_days: None,
    }
}

#[test]
fn run_is_kept_by_either_limit() {
    let runs = ended(&[1, 2, 20, 40]);
    for (rule, expired) in [
        (rule(None, None), &[][..]),
        (rule(Some(1), None), &[1, 2, 3]),
        (rule(None, Some(10)), &[2, 3]),
        (rule(Some(3), Some(10)), &[3]),
        (rule(Some(1), Some(30)), &[3]),
        (rule(Some(9), Some(1)), &[]),
    ] {
        let expected: Vec<_> = expired.iter().map(|&number| id(number)).collect();
        assert_eq!(rule.expired_runs(&runs, NOW), expected, "{rule:?}");
    }
}

#[test]
fn needed_and_unfinished_and_reused_runs_are_kept() {
    let mut runs = ended(&[1, 50, 50, 50, 50]);
    runs[1].is_needed = true;
    runs[1].inherits = Some(id(3));
    runs[2].ended_at = None;
    assert_eq!(rule(Some(1), None).expired_runs(&runs, NOW), [id(4)]);
    runs[1].is_needed = false;
    assert_eq!(
        rule(Some(1), None).expired_runs(&runs, NOW),
        [id(1), id(3), id(4)],
        "the run that reuses it goes too"
    );
}

#[test]
fn idle_plan_is_archived() {
    let rule = Retention {
        archive_after_days: Some(30),
        ..Retention::default()
    };
    let plan = PlanFacts {
        is_archived: false,
        has_unfinished_run: false,
        last_activity: days_ago(31),
    };
    assert!(rule.archives(&plan, NOW));
    assert!(!Retention::default().archives(&plan, NOW));
    for kept in [
        PlanFacts {
            is_archived: true,
            ..plan
        },
        PlanFacts {
            has_unfinished_run: true,
            ..plan
        },
        PlanFacts {
            last_activity: days_ago(30),
            ..plan
        },
    ] {
        assert!(!rule.archives(&kept, NOW), "{kept:?}");
    }
}

#[test]
fn limits_are_checked() {
    let archive = |days| Retention {
        archive_after_days: Some(days),
        ..Retention::default()
    };
    for (rule, checked) in [
        (rule(None, None), Ok(())),
        (rule(Some(100_000), Some(3650)), Ok(())),
        (rule(Some(0), None), Err(InvalidRetention::KeepLast)),
        (rule(Some(100_001), None), Err(InvalidRetention::KeepLast)),
        (rule(None, Some(0)), Err(InvalidRetention::KeepDays)),
        (rule(None, Some(3651)), Err(InvalidRetention::KeepDays)),
        (archive(0), Err(InvalidRetention::ArchiveAfterDays)),
    ] {
        assert_eq!(rule.check(), checked, "{rule:?}");
    }
}

prop_compose! {
    fn any_runs()(raw in prop::collection::vec((0_i64..100, any::<bool>(), 0_u8..4, 0_usize..12), 0..12)) -> Vec<RunFacts> {
        let count = raw.len();
        let run = |(number, (age, is_needed, unfinished, offset)): (usize, (i64, bool, u8, usize))| {
            let earlier = number + 1 + offset;
            RunFacts {
                id: id(number),
                ended_at: (unfinished > 0).then(|| days_ago(age)),
                inherits: (earlier < count && offset % 2 == 0).then(|| id(earlier)),
                is_needed,
            }
        };
        raw.into_iter().enumerate().map(run).collect()
    }
}

proptest! {
    #[test]
    fn retention_never_deletes_what_is_needed(
        runs in any_runs(),
        keep_last in prop::option::of(1_u32..6),
        keep_days in prop::option::of(1_u32..60),
    ) {
        let rule = rule(keep_last, keep_days);
        let expired = rule.expired_runs(&runs, NOW);
        for (position, run) in runs.iter().enumerate() {
            let is_kept = !expired.contains(&run.id);
            prop_assert!(is_kept || !run.is_needed);
            prop_assert!(is_kept || run.ended_at.is_some());
            prop_assert!(is_kept || keep_last.is_none_or(|last| position >= last as usize));
            if is_kept && let Some(source) = run.inherits {
                prop_assert!(!expired.contains(&source), "a kept run reuses it");
            }
        }
        let left: Vec<RunFacts> =
            runs.iter().filter(|run| !expired.contains(&run.id)).copied().collect();
        prop_assert_eq!(rule.expired_runs(&left, NOW), vec![], "a second time deletes nothing");
    }
}
