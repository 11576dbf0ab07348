//! What a takeover and the checks after it say to a person, line by line.

use baton_model::NodeId;
use baton_model::duration::format_elapsed;
use baton_model::run::{
    CheckEnd, Event, FailurePoint, FormerExecutor, InheritedCheck, NotRun, Recheck, TakeoverReason,
    TakeoverRecord, UnfinishedSession,
};

use crate::sentence::Nodes;

/// How many names a line lists before it only counts.
const NAMED: usize = 10;

/// What stands below the sentence of an event; most have nothing more to say.
pub(crate) fn details(nodes: &Nodes<'_>, event: &Event) -> Vec<String> {
    match event {
        Event::TakenOver {
            record: Some(record),
            ..
        } => of_record(nodes, record),
        Event::InheritedChecked { checks, .. } => checks.iter().map(of_check).collect(),
        _ => Vec::new(),
    }
}

/// Who lost the run, and why.
pub(crate) fn of_takeover(record: &TakeoverRecord) -> String {
    let FormerExecutor {
        pid, kind, host, ..
    } = &record.former;
    let process = pid.map_or("an executor that is no longer known".to_owned(), |pid| {
        format!("process {pid}")
    });
    let kind = kind
        .as_ref()
        .map(|kind| format!(" ({kind})"))
        .unwrap_or_default();
    match record.reason {
        TakeoverReason::Left => format!("taken over from {process}{kind}, which had ended"),
        TakeoverReason::Silent { silence_ms } => {
            format!(
                "taken over from {process}{kind}, which had been silent for {}",
                format_elapsed(silence_ms)
            )
        }
        TakeoverReason::Foreign { silence_ms } => {
            let host = host.as_deref().unwrap_or("another machine");
            let silence = format_elapsed(silence_ms);
            format!(
                "taken over from {process}{kind} on {host}, which had been silent for {silence}"
            )
        }
    }
}

/// How the criteria of an inherited node fared.
pub(crate) fn of_checked(title: &str, checks: &[InheritedCheck]) -> String {
    let broken = checks
        .iter()
        .filter(|check| matches!(check.now, Recheck::Broken { .. }))
        .count();
    let held = checks
        .iter()
        .filter(|check| matches!(check.now, Recheck::Held { .. }))
        .count();
    match (broken, held) {
        (0, 0) => format!("'{title}' was inherited without running its criteria again"),
        (0, held) => format!(
            "'{title}' was verified after the takeover: {}",
            criteria(held, "holds", "hold")
        ),
        (broken, _) => {
            format!(
                "'{title}' was verified after the takeover: {}",
                criteria(broken, "fails now", "fail now")
            )
        }
    }
}

fn criteria(count: usize, one: &str, several: &str) -> String {
    if count == 1 {
        format!("1 criterion {one}")
    } else {
        format!("{count} criteria {several}")
    }
}

fn of_record(nodes: &Nodes<'_>, record: &TakeoverRecord) -> Vec<String> {
    let mut lines = Vec::new();
    match record.goal.trim() {
        "" => lines.push(format!("Plan: {}", record.plan)),
        goal => lines.push(format!("Plan: {}. Goal: {}", record.plan, one_line(goal))),
    }
    lines.push(format!(
        "The run had taken {}",
        format_elapsed(record.elapsed_ms)
    ));
    lines.push(match record.inherited_count {
        0 => "Inherited: no finished node".to_owned(),
        count => {
            let of = if count == 1 {
                "1 finished node".to_owned()
            } else {
                format!("{count} finished nodes")
            };
            format!(
                "Inherited: {of}: {}",
                named(nodes, &record.inherited, count as usize)
            )
        }
    });
    lines.extend(record.failures.iter().map(
        |FailurePoint {
             node,
             attempt,
             message,
         }| {
            format!(
                "Failure: '{}', attempt {attempt}: {}",
                nodes.title(*node),
                one_line(message)
            )
        },
    ));
    lines.extend(
        record
            .unfinished
            .iter()
            .map(|session| of_unfinished(nodes, session)),
    );
    lines.push(match record.remaining_count {
        0 => "Remaining: nothing".to_owned(),
        1 => "Remaining: 1 node".to_owned(),
        count => format!("Remaining: {count} nodes"),
    });
    lines
}

fn of_unfinished(nodes: &Nodes<'_>, session: &UnfinishedSession) -> String {
    let UnfinishedSession {
        node,
        attempt,
        started,
        last_line,
        ..
    } = session;
    let how = if *started {
        "running"
    } else {
        "about to start"
    };
    let said = last_line
        .as_ref()
        .map(|line| format!("; last line: {line}"))
        .unwrap_or_default();
    format!(
        "Unfinished: '{}', attempt {attempt}, {how}{said}",
        nodes.title(*node)
    )
}

/// What came of one criterion, then and now.
pub(crate) fn of_check(
    InheritedCheck {
        criterion,
        then,
        now,
    }: &InheritedCheck,
) -> String {
    let then = then.map_or("unknown".to_owned(), CheckEnd::words);
    let line = one_line(criterion);
    match now {
        Recheck::Held { end } => format!("`{line}`: then {then}, now {}", end.words()),
        Recheck::Broken { end, detail } => {
            let last = detail
                .trim()
                .lines()
                .last()
                .map(|line| format!(": {line}"))
                .unwrap_or_default();
            format!("`{line}`: then {then}, now {}{last}", end.words())
        }
        Recheck::NotRun { why } => {
            format!("`{line}`: then {then}, not run again: {}", of_not_run(why))
        }
    }
}

fn of_not_run(why: &NotRun) -> String {
    match why {
        NotRun::Unchanged => "no file has changed since".to_owned(),
        NotRun::NeverHeld => "it did not hold then".to_owned(),
        NotRun::DirectoryGone => "its directory is gone".to_owned(),
        NotRun::SessionRuns => "a session is working in its directory".to_owned(),
        NotRun::TooSlow { took_ms } => format!("it took {} then", format_elapsed(*took_ms)),
        NotRun::OutOfTime => "the time for checks was up".to_owned(),
        NotRun::Stopped => "the run was stopped".to_owned(),
        NotRun::Unknown { detail } => one_line(detail),
    }
}

fn named(nodes: &Nodes<'_>, of: &[NodeId], all: usize) -> String {
    let shown: Vec<String> = of
        .iter()
        .take(NAMED)
        .map(|node| format!("'{}'", nodes.title(*node)))
        .collect();
    match all.saturating_sub(shown.len()) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use baton_model::node::AgentTask;
    use baton_model::{Attempt, Epoch, ExecutorId, Node, NodeKind, Plan, PlanId, SessionId, Slug};
    use uuid::Uuid;

    use super::*;

    fn node(number: u128) -> NodeId {
        NodeId(Uuid::from_u128(number))
    }

    fn plan() -> Plan {
        let mut plan = Plan::new(PlanId(Uuid::from_u128(9)), "Release");
        plan.nodes = ["Build", "Test", "Ship"]
            .into_iter()
            .zip(1..)
            .map(|(title, number)| {
                Node::new(
                    node(number),
                    Slug::from_title(title),
                    title,
                    NodeKind::Agent(AgentTask::default()),
                )
            })
            .collect();
        plan
    }

    #[test]
    fn the_record_of_a_takeover_tells_all_that_was_found() {
        let former = FormerExecutor {
            executor: ExecutorId(Uuid::nil()),
            pid: Some(17),
            kind: Some("worker".to_owned()),
            host: Some("anvil".to_owned()),
            last_beat: None,
        };
        let unfinished = UnfinishedSession {
            node: node(2),
            attempt: Attempt(1),
            session: SessionId(Uuid::nil()),
            started: true,
            last_line: Some("3 of 9 tests".to_owned()),
        };
        let failure = FailurePoint {
            node: node(3),
            attempt: Attempt(2),
            message: "ended with\nexit 1".to_owned(),
        };
        let record = TakeoverRecord {
            former,
            reason: TakeoverReason::Silent {
                silence_ms: 125_000,
            },
            goal: "Ship\nit".to_owned(),
            plan: "Release".to_owned(),
            elapsed_ms: 304_000,
            inherited: vec![node(1)],
            inherited_count: 1,
            unfinished: vec![unfinished],
            failures: vec![failure],
            remaining_count: 2,
        };
        assert_eq!(
            of_takeover(&record),
            "taken over from process 17 (worker), which had been silent for 2m 05s"
        );
        let (executor, epoch) = (ExecutorId(Uuid::nil()), Epoch(1));
        let event = Event::TakenOver {
            executor,
            epoch,
            record: Some(Box::new(record)),
        };
        let plan = plan();
        insta::assert_snapshot!(details(&Nodes::of(&plan), &event).join("\n"), @r"
        Plan: Release. Goal: Ship it
        The run had taken 5m 04s
        Inherited: 1 finished node: 'Build'
        Failure: 'Ship', attempt 2: ended with exit 1
        Unfinished: 'Test', attempt 1, running; last line: 3 of 9 tests
        Remaining: 2 nodes
        ");
    }

    #[test]
    fn a_check_tells_both_results_or_why_there_is_one() {
        let end = |code, took_ms| CheckEnd { code, took_ms };
        let check = |now| InheritedCheck {
            criterion: "make test".to_owned(),
            then: Some(end(Some(0), 2_000)),
            now,
        };
        let broken = check(Recheck::Broken {
            end: end(Some(1), 3_000),
            detail: "a\nb failed\n".to_owned(),
        });
        let held = check(Recheck::Held {
            end: end(Some(0), 2_000),
        });
        let slow = check(Recheck::NotRun {
            why: NotRun::TooSlow { took_ms: 61_000 },
        });
        assert_eq!(
            of_check(&broken),
            "`make test`: then exit 0 after 2 s, now exit 1 after 3 s: b failed"
        );
        assert_eq!(
            of_check(&held),
            "`make test`: then exit 0 after 2 s, now exit 0 after 2 s"
        );
        assert_eq!(
            of_check(&slow),
            "`make test`: then exit 0 after 2 s, not run again: it took 1m 01s then"
        );
        let told = |checks: &[InheritedCheck]| of_checked("Test", checks);
        assert_eq!(
            told(&[held.clone(), broken]),
            "'Test' was verified after the takeover: 1 criterion fails now"
        );
        assert_eq!(
            told(&[held.clone(), held]),
            "'Test' was verified after the takeover: 2 criteria hold"
        );
        assert_eq!(
            told(&[slow]),
            "'Test' was inherited without running its criteria again"
        );
    }
}
