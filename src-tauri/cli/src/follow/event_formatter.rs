//! Formats the events of a run as lines.
//!
//! Applies each event to a copy of the run's state, with the engine's own transition function. This
//! shows the consequences of an event without further requests: nodes that can no longer run,
//! durations, and progress.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use baton_api::describe_event_of_node;
use baton_api::wire::{HistoryRow, RunView};
use baton_model::arbiter::ChoiceReason;
use baton_model::count::format_quantity;
use baton_model::duration::format_elapsed;
use baton_model::graph::Cycle;
use baton_model::outcome::Failure;
use baton_model::run::{Event, IllegalTransition, NodeRun, SkipReason, WaitingFor};
use baton_model::{Goal, NodeId, NodeState, Outcome, Run, RunId, SessionId, Timestamp};
use serde_json::{Value, json};
use unicode_width::UnicodeWidthStr;

use super::line_kind::LineKind;
use crate::style;

/// Up to this number, nodes that can no longer run get one line each; more are summarized in one
/// line.
const MAX_LISTED_NODES: usize = 5;

/// One line of output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) at: Timestamp,
    pub(super) mark: LineKind,
    /// The node's title; empty for the run as a whole.
    pub(super) title: String,
    pub(super) text: String,
    /// Number of settled nodes and of nodes in the goal, if the event changes the first.
    pub(super) progress: Option<(usize, usize)>,
    /// The failed session. The last line of its output is printed too.
    pub(super) failed: Option<SessionId>,
}

/// A permission request that waits for a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Question {
    pub(super) node: NodeId,
    pub(super) title: String,
    /// The request's ID, which the answer repeats.
    pub(super) request: String,
    pub(super) text: String,
}

/// The run's state after the formatted events.
pub(super) struct EventFormatter {
    run: Run,
    settled: BTreeSet<NodeId>,
    questions: BTreeMap<NodeId, Question>,
}

impl EventFormatter {
    /// Creates a formatter before the first event of the run of `view`.
    pub(super) fn new(view: &RunView) -> Result<Self, Cycle> {
        let run = Run::new(view.summary.id, Arc::new(view.plan.clone()))?;
        Ok(Self {
            run,
            settled: BTreeSet::new(),
            questions: BTreeMap::new(),
        })
    }

    pub(super) fn id(&self) -> RunId {
        self.run.id()
    }

    /// Returns an open question, the one of the oldest node first.
    pub(super) fn question(&self) -> Option<&Question> {
        self.questions.values().next()
    }

    /// Returns the width of the widest title, in columns.
    pub(super) fn title_width(&self) -> usize {
        self.run
            .nodes()
            .map(|(node, _)| style::one_line(&node.title).width())
            .max()
            .unwrap_or(0)
    }

    /// Applies an event and returns the lines to print for it and its consequences. `worked_ms` is
    /// how long the attempt worked that the event ends, if known.
    pub(super) fn apply(
        &mut self,
        at: Timestamp,
        event: &Event,
        worked_ms: Option<u64>,
    ) -> Result<Vec<Line>, IllegalTransition> {
        self.run.apply(at, event)?;
        let touched = self.run.take_changed_nodes();
        for (id, node) in &touched {
            self.update(*id, node);
        }
        let mut lines: Vec<Line> = self
            .format_event(at, event, worked_ms)
            .into_iter()
            .collect();
        lines.extend(self.format_consequences(at, event.node(), &touched));
        Ok(lines)
    }

    /// Returns an event as JSON, for `--json`.
    pub(super) fn to_json(&self, row: &HistoryRow) -> Value {
        let node = row
            .event
            .node()
            .and_then(|id| self.run.plan().node(id))
            .map(|node| node.slug.as_str());
        json!({ "run": self.id(), "seq": row.seq, "at": row.at, "actor": row.actor, "node": node,
                "event": row.event, "sentence": row.sentence, "workedMs": row.worked_ms,
                "details": row.details })
    }

    fn update(&mut self, id: NodeId, node: &NodeRun) {
        // Don't count blocked nodes, or a failed run would look finished.
        if node.state.has_ended() && !matches!(node.state, NodeState::Blocked { .. }) {
            self.settled.insert(id);
        } else {
            self.settled.remove(&id);
        }
        if let NodeState::Waiting {
            what: WaitingFor::Person {
                question, request, ..
            },
        } = &node.state
        {
            let question = Question {
                node: id,
                title: self.title(id),
                request: request.clone(),
                text: question.clone(),
            };
            self.questions.insert(id, question);
        } else {
            self.questions.remove(&id);
        }
    }

    fn format_event(&self, at: Timestamp, event: &Event, worked_ms: Option<u64>) -> Option<Line> {
        if let Event::NodeEnded {
            node,
            outcome,
            retry_at,
            ..
        } = event
        {
            let took = worked_ms.map(format_elapsed);
            return Some(self.format_attempt_end(at, *node, (outcome, took), *retry_at));
        }
        let text = match event {
            Event::Started { limit, .. } => format!(
                "run {} started: {}, up to {limit} at once",
                self.id(),
                format_quantity(self.wanted(), "node", "nodes")
            ),
            _ => describe_event_of_node(self.run.plan(), event),
        };
        let text = format!("{text}{}", self.addition(at, event));
        let line = self.line(at, LineKind::from_event(event)?, event.node(), &text);
        let has_settled = matches!(
            event,
            Event::NodeSkipped { .. }
                | Event::NodeInherited { .. }
                | Event::NodePinned { .. }
                | Event::NodeLeftOut { .. }
                | Event::NodeMarkedDone { .. }
        );
        Some(Line {
            progress: has_settled.then(|| self.progress()),
            ..line
        })
    }

    /// Returns what follows the event's text from the history: what comes next, or the command to
    /// answer with.
    fn addition(&self, at: Timestamp, event: &Event) -> String {
        let command = |verb: &str, node: &NodeId| {
            format!("baton node {verb} {} {}", self.id(), self.slug(*node))
        };
        match event {
            Event::NodeStarted { node, .. } => self.agent_choice(*node),
            Event::NodeParked { until, .. } => {
                format!("; resumes in {}", format_elapsed(until.ms_since(at)))
            }
            Event::NodeAsked { node, .. } => format!(
                " (answer with: {} --allow, or --deny)",
                command("answer", node)
            ),
            Event::NodeHeld { node, .. } => {
                format!(" (approve with: {})", command("approve", node))
            }
            Event::InputAsked { node, .. } => {
                format!(" (answer with: {} ANSWER)", command("input", node))
            }
            Event::NodeConflicted { node, conflict } => {
                let files: Vec<_> = conflict
                    .files
                    .iter()
                    .map(|file| file.path.as_str())
                    .collect();
                format!(
                    ": {}. Resolve them in {} (then: {} --by-hand, or use --agent, --first or --second)",
                    files.join(", "),
                    conflict.place,
                    command("merge", node)
                )
            }
            Event::PlanRetried { due, .. } => format!(
                " of {}, in {}",
                self.run.plan().settings.plan_retries,
                format_elapsed(due.ms_since(at))
            ),
            _ => String::new(),
        }
    }

    /// Names the agent of the node's attempt and why it was chosen, if there was a choice.
    fn agent_choice(&self, node: NodeId) -> String {
        let choice = self.run.node(node).and_then(|run| run.choice.as_ref());
        let choice = choice
            .filter(|choice| !matches!(choice.reason, ChoiceReason::Named | ChoiceReason::Default));
        choice.map_or_else(String::new, |choice| {
            format!(", {}: {choice}", choice.agent)
        })
    }

    fn format_attempt_end(
        &self,
        at: Timestamp,
        id: NodeId,
        (outcome, took): (&Outcome, Option<String>),
        retry_at: Option<Timestamp>,
    ) -> Line {
        let node = self.run.node(id);
        let within = took
            .as_ref()
            .map_or_else(String::new, |took| format!(" in {took}"));
        let after = took.map_or_else(String::new, |took| format!(" after {took}"));
        let then = match (retry_at, node.map(|node| &node.state)) {
            // There is no next attempt if the run jumped over the node meanwhile.
            (Some(_), Some(NodeState::Skipped { .. })) => String::new(),
            (Some(due), _) => format!("; retries in {}", format_elapsed(due.ms_since(at))),
            (None, Some(NodeState::Skipped { .. })) => "; the run continues without it".to_owned(),
            _ => String::new(),
        };
        let (mark, text) = match outcome {
            Outcome::Succeeded if node.is_some_and(|node| node.unverified) => {
                (LineKind::Done, format!("done{within}, but unverified"))
            }
            Outcome::Succeeded
                if self
                    .run
                    .plan()
                    .node(id)
                    .is_some_and(|node| self.run.plan().is_unchecked(node)) =>
            {
                (LineKind::Done, format!("done{within}, not checked"))
            }
            Outcome::Succeeded => (LineKind::Done, format!("done{within}")),
            Outcome::Failed {
                failure: Failure::UsageLimit { detail, .. },
            } if retry_at.is_some() => (
                LineKind::Retry,
                format!("is waiting for its agent's usage limit to reset: {detail}{then}"),
            ),
            Outcome::Failed { failure } => {
                (LineKind::Failed, format!("failed{after}: {failure}{then}"))
            }
            Outcome::Cancelled => (LineKind::Failed, format!("stopped{after}")),
            Outcome::Lost { detail } => (LineKind::Failed, format!("was lost: {detail}{then}")),
            Outcome::Tampered { .. } => (
                LineKind::Failed,
                format!(
                    "was interrupted: {}",
                    outcome.interruption().unwrap_or_default()
                ),
            ),
        };
        let mark = if retry_at.is_some() {
            LineKind::Retry
        } else {
            mark
        };
        let failed = node
            .and_then(|node| node.session)
            .filter(|_| matches!(outcome, Outcome::Failed { .. }));
        let progress = retry_at.is_none().then(|| self.progress());
        Line {
            progress,
            failed,
            ..self.line(at, mark, Some(id), &text)
        }
    }

    /// Returns lines for the nodes that can no longer run because of an event about `cause`.
    fn format_consequences(
        &self,
        at: Timestamp,
        cause: Option<NodeId>,
        touched: &[(NodeId, NodeRun)],
    ) -> Vec<Line> {
        let passed: Vec<_> = touched
            .iter()
            .filter(|(id, _)| Some(*id) != cause)
            .filter_map(|(id, node)| Some((*id, self.skip_reason(&node.state)?)))
            .collect();
        if passed.len() > MAX_LISTED_NODES {
            let because = &passed[0].1;
            let text = format!(
                "{} won't run, the first because {because}",
                format_quantity(passed.len(), "node", "nodes")
            );
            return vec![Line {
                progress: Some(self.progress()),
                ..self.line(at, LineKind::NotRun, None, &text)
            }];
        }
        let line = |(id, because)| {
            self.line(
                at,
                LineKind::NotRun,
                Some(id),
                &format!("won't run: {because}"),
            )
        };
        passed.into_iter().map(line).collect()
    }

    fn skip_reason(&self, state: &NodeState) -> Option<String> {
        match state {
            NodeState::Blocked { by } => Some(format!("'{}' did not succeed", self.title(*by))),
            NodeState::Skipped {
                reason: SkipReason::ParentSkipped { parent },
            } => Some(format!("'{}' was skipped", self.title(*parent))),
            NodeState::Skipped {
                reason: SkipReason::RuleNotMet { because: None },
            } => Some("its trigger rule was not met".to_owned()),
            NodeState::Skipped {
                reason:
                    SkipReason::RuleNotMet {
                        because: Some(parent),
                    },
            } => Some(format!(
                "its trigger rule was not met because '{}' failed",
                self.title(*parent)
            )),
            NodeState::Skipped {
                reason: SkipReason::JumpedOver { by },
            } => Some(format!("bypassed after '{}'", self.title(*by))),
            _ => None,
        }
    }

    fn line(&self, at: Timestamp, mark: LineKind, node: Option<NodeId>, text: &str) -> Line {
        let title = node.map(|id| self.title(id)).unwrap_or_default();
        Line {
            at,
            mark,
            title,
            text: text.to_owned(),
            progress: None,
            failed: None,
        }
    }

    fn title(&self, id: NodeId) -> String {
        self.run
            .plan()
            .node(id)
            .map(|node| style::one_line(&node.title))
            .unwrap_or_default()
    }

    fn slug(&self, id: NodeId) -> String {
        self.run
            .plan()
            .node(id)
            .map(|node| node.slug.to_string())
            .unwrap_or_default()
    }

    fn wanted(&self) -> usize {
        match self.run.goal() {
            Goal::All => self.run.graph().len(),
            Goal::Only { nodes } => nodes.len(),
        }
    }

    fn progress(&self) -> (usize, usize) {
        (self.settled.len().min(self.wanted()), self.wanted())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::follow::test_support::{ended, formatter_for, plan_of, started};
    use baton_model::outcome::Failure;
    use baton_model::run::{Answer, AnsweredBy};

    fn format_all(formatter: &mut EventFormatter, events: &[Event]) -> String {
        let mut lines = Vec::new();
        for (second, event) in events.iter().enumerate() {
            let at = Timestamp(i64::try_from(second).unwrap_or(0) * 1500);
            for line in formatter
                .apply(at, event, Some(1_400))
                .unwrap_or_else(|illegal| panic!("{illegal}"))
            {
                let progress = line
                    .progress
                    .map(|(at, of)| format!(" [{at}/{of}]"))
                    .unwrap_or_default();
                lines.push(format!(
                    "{} {} {}{progress}\n",
                    line.mark.symbol().0,
                    line.title,
                    line.text
                ));
            }
        }
        lines.concat()
    }

    #[test]
    fn run_is_formatted_from_first_to_last_event() {
        let plan = plan_of(&["build", "test", "ship"], &[(0, 1), (1, 2)]);
        let mut formatter = formatter_for(&plan);
        let code = Outcome::Failed {
            failure: Failure::ExitCode { code: 3 },
        };
        let mut events = started(&plan, &[0]);
        events.push(ended(&plan, 0, 1, Outcome::Succeeded, None));
        events.extend(started(&plan, &[1]).into_iter().skip(1));
        events.push(ended(&plan, 1, 1, code, None));
        insta::assert_snapshot!(format_all(&mut formatter, &events), @r"
        ·  run 00000000-0000-0000-0000-000000000002 started: 3 nodes, up to 2 at once
        ▶ build started
        ✓ build done in 1.4 s [1/3]
        ▶ test started
        ✗ test failed after 1.4 s: ended with exit code 3 [2/3]
        – ship won't run: 'test' did not succeed
        ");
    }

    #[test]
    fn retried_failure_says_when_it_is_retried() {
        let plan = plan_of(&["build"], &[]);
        let mut formatter = formatter_for(&plan);
        let mut events = started(&plan, &[0]);
        let failed = Outcome::Failed {
            failure: Failure::Signal { signal: 9 },
        };
        events.push(ended(
            &plan,
            0,
            1,
            failed,
            Some(Timestamp(events.len() as i64 * 1500 + 2000)),
        ));
        insta::assert_snapshot!(format_all(&mut formatter, &events), @r"
        ·  run 00000000-0000-0000-0000-000000000002 started: 1 node, up to 2 at once
        ▶ build started
        ↻ build failed after 1.4 s: was terminated by signal 9; retries in 2.0 s
        ");
    }

    #[test]
    fn an_unknown_time_is_left_out() {
        let plan = plan_of(&["build"], &[]);
        let mut formatter = formatter_for(&plan);
        let mut events = started(&plan, &[0]);
        events.push(ended(&plan, 0, 1, Outcome::Succeeded, None));
        let mut last = Vec::new();
        for event in &events {
            last = formatter
                .apply(Timestamp(0), event, None)
                .unwrap_or_else(|illegal| panic!("{illegal}"));
        }
        assert_eq!(last[0].text, "done");
    }

    #[test]
    fn many_blocked_nodes_are_one_line() {
        let titles: Vec<String> = (0..40).map(|number| format!("n{number}")).collect();
        let titles: Vec<&str> = titles.iter().map(String::as_str).collect();
        let edges: Vec<_> = (1..40).map(|child| (0, child)).collect();
        let plan = plan_of(&titles, &edges);
        let mut events = started(&plan, &[0]);
        let failure = Failure::TimedOut { limit_ms: 60_000 };
        events.push(ended(&plan, 0, 1, Outcome::Failed { failure }, None));
        let lines = format_all(&mut formatter_for(&plan), &events);
        assert!(
            lines.ends_with("39 nodes won't run, the first because 'n0' did not succeed [1/40]\n"),
            "{lines}"
        );
    }

    #[test]
    fn question_is_open_until_answered() {
        let plan = plan_of(&["draft"], &[]);
        let mut formatter = formatter_for(&plan);
        let (node, attempt) = (plan.nodes[0].id, baton_model::Attempt(1));
        let mut events = started(&plan, &[0]);
        let question = "may I write NOTES.md?".to_owned();
        events.push(Event::NodeAsked {
            node,
            attempt,
            question,
            request: "r1".to_owned(),
            call: None,
        });
        let text = format_all(&mut formatter, &events);
        assert!(text.contains("draft asks: may I write NOTES.md?"), "{text}");
        assert_eq!(
            formatter.question().map(|open| open.request.as_str()),
            Some("r1")
        );
        let (answer, by) = (Answer::AllowOnce, AnsweredBy::Person);
        format_all(
            &mut formatter,
            &[Event::NodeAnswered {
                node,
                attempt,
                request: "r1".to_owned(),
                answer,
                by,
            }],
        );
        assert_eq!(formatter.question(), None);
    }
}
