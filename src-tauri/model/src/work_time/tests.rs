use proptest::prelude::*;

use super::*;

/// An ended attempt that was reserved, started, and ended at these times.
fn ended(reserved: i64, started: i64, ended: i64, worked_ms: Option<u64>) -> AttemptTimes {
    AttemptTimes {
        reserved_at: Timestamp(reserved),
        started_at: Some(Timestamp(started)),
        ended_at: Some(Timestamp(ended)),
        worked_ms,
        lost: false,
    }
}

fn times(attempts: &[AttemptTimes]) -> (Option<u64>, u64, Option<u64>) {
    let times = WorkTime::of_attempts(attempts.iter().copied());
    (times.worked_ms, times.waited_ms, times.elapsed_ms)
}

#[test]
fn measured_time_counts_and_not_the_recorded_start_and_end() {
    let attempt = ended(0, 16, 78, Some(46));
    assert_eq!(times(&[attempt]), (Some(46), 16, Some(62)));
}

#[test]
fn rows_of_earlier_versions_use_start_and_end() {
    assert_eq!(
        times(&[ended(0, 10, 2_010, None)]),
        (Some(2_000), 10, Some(2_000))
    );
}

#[test]
fn a_rerun_does_not_count_the_pause_before_it() {
    let attempts = [
        ended(0, 0, 69_000, Some(69_000)),
        ended(1_000_000, 1_000_000, 1_005_000, Some(5_000)),
    ];
    assert_eq!(times(&attempts), (Some(74_000), 0, Some(1_005_000)));
}

#[test]
fn a_node_without_attempts_worked_for_nothing() {
    assert_eq!(times(&[]), (Some(0), 0, None));
}

#[test]
fn an_attempt_that_never_started_worked_for_nothing() {
    let attempt = AttemptTimes {
        started_at: None,
        ..ended(0, 0, 500, None)
    };
    assert_eq!(times(&[attempt]), (Some(0), 500, None));
}

#[test]
fn a_lost_attempt_makes_the_time_unknown() {
    let lost = AttemptTimes {
        lost: true,
        ..ended(0, 0, 9_000, None)
    };
    assert_eq!(times(&[lost]), (None, 0, Some(9_000)));
    assert_eq!(
        times(&[lost, ended(9_000, 9_000, 9_500, Some(400))]).0,
        None
    );
    // An agent that was killed counts as lost, but its keeper saw its end.
    let killed = AttemptTimes {
        worked_ms: Some(8_000),
        ..lost
    };
    assert_eq!(times(&[killed]).0, Some(8_000));
}

#[test]
fn a_live_attempt_is_not_part_of_the_sum() {
    let live = AttemptTimes {
        ended_at: None,
        ..ended(600, 700, 0, None)
    };
    let times = WorkTime::of_attempts([ended(0, 0, 500, Some(400)), live]);
    assert_eq!(times.worked_ms, Some(400));
    assert_eq!(times.working_since, Some(Timestamp(700)));
    assert_eq!(times.elapsed_ms, None);
}

#[test]
fn several_nodes_add_up_unless_one_is_unknown() {
    let node = |worked| WorkTime::of_attempts([ended(0, 0, 500, Some(worked))]);
    assert_eq!(WorkTime::total_worked_ms([node(3), node(4)]), Some(7));
    let unknown = WorkTime {
        worked_ms: None,
        ..WorkTime::default()
    };
    assert_eq!(WorkTime::total_worked_ms([node(3), unknown]), None);
}

#[test]
fn a_start_that_is_recorded_late_does_not_shorten_the_elapsed_time() {
    let attempts = [ended(0, 16, 100, Some(98)), ended(101, 110, 205, Some(103))];
    assert_eq!(times(&attempts), (Some(201), 3, Some(203)));
}

proptest! {
    /// Attempts follow each other, and a program runs within its attempt. Its start may be recorded
    /// late.
    #[test]
    fn worked_time_is_at_most_elapsed(
        spans in prop::collection::vec((0_u32..10_000, 0_u32..10_000, 0_u32..10_000, 0.0..=1.0_f64, 0.0..=1.0_f64), 1..6),
    ) {
        let mut clock = 0;
        let attempts: Vec<_> = spans.into_iter().map(|(pause, wait, span, share, late)| {
            let reserved = clock + i64::from(pause);
            let started = reserved + i64::from(wait);
            clock = started + i64::from(span);
            let worked = (f64::from(span) * share) as u64;
            let recorded = started + (f64::from(span) * late) as i64;
            ended(reserved, recorded, clock, Some(worked))
        }).collect();
        let node = WorkTime::of_attempts(attempts.iter().copied());
        let parts: u64 = attempts.iter().filter_map(AttemptTimes::worked_ms).sum();
        prop_assert_eq!(node.worked_ms, Some(parts));
        prop_assert!(node.worked_ms <= node.elapsed_ms);
        let backwards = WorkTime::of_attempts(attempts.into_iter().rev());
        prop_assert_eq!(node, backwards);
    }
}
