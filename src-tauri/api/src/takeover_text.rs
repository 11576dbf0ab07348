//! Takeovers and the checks after them as text, line by line.

use baton_model::NodeId;
use baton_model::count::format_quantity;
use baton_model::duration::format_elapsed;
use baton_model::run::{
    CheckEnd, Event, FailurePoint, FormerExecutor, InheritedCheck, NotRun, RecheckResult,
    TakeoverReason, TakeoverRecord, UnfinishedSession,
};

use crate::node_names::Nodes;

/// How many names a line lists before it only shows a count.
const MAX_TITLES: usize = 10;

/// Lines below an event's sentence; empty for most events.
pub(crate) fn details(nodes: &Nodes<'_>, event: &Event) -> Vec<String> {
    match event {
        Event::TakenOver {
            record: Some(record),
            ..
        } => takeover_record_lines(nodes, record),
        Event::InheritedChecked { checks, .. } => checks.iter().map(describe_check).collect(),
        _ => Vec::new(),
    }
}

/// Describes who lost the run, and why.
pub(crate) fn describe_takeover(record: &TakeoverRecord) -> String {
    let FormerExecutor {
        pid, kind, host, ..
    } = &record.former;
    let process = pid.map_or("an unknown executor".to_owned(), |pid| {
        format!("process {pid}")
    });
    let kind = kind
        .as_ref()
        .map(|kind| format!(" ({kind})"))
        .unwrap_or_default();
    match record.reason {
        TakeoverReason::Left => format!("taken over from {process}{kind}, which had exited"),
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

/// Describes the checks of an inherited node's criteria, to follow the node's title.
pub(crate) fn describe_inherited_checks(checks: &[InheritedCheck]) -> String {
    let broken = checks
        .iter()
        .filter(|check| matches!(check.now, RecheckResult::Broken { .. }))
        .count();
    let held = checks
        .iter()
        .filter(|check| matches!(check.now, RecheckResult::Held { .. }))
        .count();
    match (broken, held) {
        (0, 0) => "was inherited without running its criteria again".to_owned(),
        (0, held) => format!(
            "was verified after the takeover: {}",
            count_criteria(held, "passes", "pass")
        ),
        (broken, _) => {
            format!(
                "was verified after the takeover: {}",
                count_criteria(broken, "now fails", "now fail")
            )
        }
    }
}

fn count_criteria(count: usize, one: &str, several: &str) -> String {
    format_quantity(
        count,
        &format!("criterion {one}"),
        &format!("criteria {several}"),
    )
}

fn takeover_record_lines(nodes: &Nodes<'_>, record: &TakeoverRecord) -> Vec<String> {
    let mut lines = Vec::new();
    match record.goal.trim() {
        "" => lines.push(format!("Plan: {}", record.plan)),
        goal => lines.push(format!("Plan: {}. Goal: {}", record.plan, one_line(goal))),
    }
    lines.push(format!(
        "Run time before the takeover: {}",
        format_elapsed(record.elapsed_ms)
    ));
    lines.push(match record.inherited_count {
        0 => "Inherited: no finished nodes".to_owned(),
        count => {
            let of = format_quantity(count, "finished node", "finished nodes");
            format!(
                "Inherited: {of}: {}",
                list_titles(nodes, &record.inherited, count as usize)
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
            .map(|session| describe_unfinished(nodes, session)),
    );
    lines.push(match record.remaining_count {
        0 => "Remaining: nothing".to_owned(),
        1 => "Remaining: 1 node".to_owned(),
        count => format!("Remaining: {count} nodes"),
    });
    lines
}

fn describe_unfinished(nodes: &Nodes<'_>, session: &UnfinishedSession) -> String {
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
    let last_output = last_line
        .as_ref()
        .map(|line| format!("; last line: {line}"))
        .unwrap_or_default();
    format!(
        "Unfinished: '{}', attempt {attempt}, {how}{last_output}",
        nodes.title(*node)
    )
}

/// Describes the result of one criterion, before and after.
pub(crate) fn describe_check(
    InheritedCheck {
        criterion,
        then,
        now,
    }: &InheritedCheck,
) -> String {
    let then = then.map_or("unknown".to_owned(), CheckEnd::describe);
    let line = one_line(criterion);
    match now {
        RecheckResult::Held { end } => format!("`{line}`: {then} before, {} now", end.describe()),
        RecheckResult::Broken { end, detail } => {
            let last = detail
                .trim()
                .lines()
                .last()
                .map(|line| format!(": {line}"))
                .unwrap_or_default();
            format!("`{line}`: {then} before, {} now{last}", end.describe())
        }
        RecheckResult::NotRun { why } => {
            format!(
                "`{line}`: {then} before, not run again: {}",
                describe_not_run(why)
            )
        }
    }
}

fn describe_not_run(why: &NotRun) -> String {
    match why {
        NotRun::Unchanged => "no file has changed since".to_owned(),
        NotRun::NeverHeld => "it did not pass before".to_owned(),
        NotRun::DirectoryGone => "its directory is gone".to_owned(),
        NotRun::SessionRuns => "a session is working in its directory".to_owned(),
        NotRun::TooSlow { took_ms } => format!("it took {}", format_elapsed(*took_ms)),
        NotRun::OutOfTime => "the time limit for checks was reached".to_owned(),
        NotRun::Stopped => "the run was stopped".to_owned(),
        NotRun::Unknown { detail } => one_line(detail),
    }
}

fn list_titles(nodes: &Nodes<'_>, of: &[NodeId], all: usize) -> String {
    let shown: Vec<String> = of
        .iter()
        .take(MAX_TITLES)
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
    fn takeover_record_lists_all_findings() {
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
            describe_takeover(&record),
            "taken over from process 17 (worker), which had been silent for 2m 05s"
        );
        let (executor, epoch) = (ExecutorId(Uuid::nil()), Epoch(1));
        let event = Event::TakenOver {
            executor,
            epoch,
            record: Some(Box::new(record)),
        };
        let plan = plan();
        insta::assert_snapshot!(details(&Nodes::new(&plan), &event).join("\n"), @r"
        Plan: Release. Goal: Ship it
        Run time before the takeover: 5m 04s
        Inherited: 1 finished node: 'Build'
        Failure: 'Ship', attempt 2: ended with exit 1
        Unfinished: 'Test', attempt 1, running; last line: 3 of 9 tests
        Remaining: 2 nodes
        ");
    }

    #[test]
    fn check_text_names_both_results_or_the_reason() {
        let end = |code, took_ms| CheckEnd { code, took_ms };
        let check = |now| InheritedCheck {
            criterion: "make test".to_owned(),
            then: Some(end(Some(0), 2_000)),
            now,
        };
        let broken = check(RecheckResult::Broken {
            end: end(Some(1), 3_000),
            detail: "a\nb failed\n".to_owned(),
        });
        let held = check(RecheckResult::Held {
            end: end(Some(0), 2_000),
        });
        let slow = check(RecheckResult::NotRun {
            why: NotRun::TooSlow { took_ms: 61_000 },
        });
        assert_eq!(
            describe_check(&broken),
            "`make test`: exit 0 after 2 s before, exit 1 after 3 s now: b failed"
        );
        assert_eq!(
            describe_check(&held),
            "`make test`: exit 0 after 2 s before, exit 0 after 2 s now"
        );
        assert_eq!(
            describe_check(&slow),
            "`make test`: exit 0 after 2 s before, not run again: it took 1m 01s"
        );
        assert_eq!(
            describe_inherited_checks(&[held.clone(), broken]),
            "was verified after the takeover: 1 criterion now fails"
        );
        assert_eq!(
            describe_inherited_checks(&[held.clone(), held]),
            "was verified after the takeover: 2 criteria pass"
        );
        assert_eq!(
            describe_inherited_checks(&[slow]),
            "was inherited without running its criteria again"
        );
    }
}
