//! What is worth telling of a run, event by event.
//!
//! Holds the run's state by the very function that the engine uses, so that it can tell what followed from an
//! event without asking anybody: which nodes can no longer run, how long something took, how far the run is.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use baton_api::wire::{HistoryRow, RunView};
use baton_model::arbiter::ChoiceReason;
use baton_model::duration::{format_duration, format_elapsed};
use baton_model::graph::Cycle;
use baton_model::outcome::Failure;
use baton_model::run::{
    Answer, AnsweredBy, Event, IllegalTransition, NodeRun, RecheckResult, ReplanEnd, SkipReason,
    WaitingFor,
};
use baton_model::{Goal, Grant, NodeId, NodeState, Outcome, Run, RunId, SessionId, Timestamp};
use serde_json::{Value, json};
use unicode_width::UnicodeWidthStr;

use crate::style::{self, Tone};

/// So many nodes are told one by one when they can no longer run; more become one line.
const MAX_LISTED_NODES: usize = 5;

/// One line of the story.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    /// When.
    pub(super) at: Timestamp,
    /// What kind of news.
    pub(super) mark: LineKind,
    /// Whom it is about: a node's title, or empty for the run.
    pub(super) title: String,
    /// What happened.
    pub(super) text: String,
    /// Nodes at rest, and nodes wanted, when that has moved.
    pub(super) progress: Option<(usize, usize)>,
    /// The session whose last words tell why it failed.
    pub(super) failed: Option<SessionId>,
}

/// What kind of news a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineKind {
    /// About the run as a whole.
    Run,
    /// A session began.
    Started,
    /// Work was done.
    Done,
    /// Work failed.
    Failed,
    /// Work failed and is tried again.
    Retry,
    /// A node will not run.
    NotRun,
    /// A person is needed.
    NeedsPerson,
}

impl LineKind {
    /// Its symbol and color.
    pub(super) fn symbol(self) -> (&'static str, Tone) {
        match self {
            Self::Run => ("·", Tone::Faint),
            Self::Started => ("▶", Tone::Active),
            Self::Done => ("✓", Tone::Good),
            Self::Failed => ("✗", Tone::Bad),
            Self::Retry => ("↻", Tone::Attention),
            Self::NotRun => ("–", Tone::Faint),
            Self::NeedsPerson => ("?", Tone::Attention),
        }
    }
}

/// A question that waits for a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Question {
    /// The node whose session asks.
    pub(super) node: NodeId,
    /// Its title.
    pub(super) title: String,
    /// How the answer names it.
    pub(super) request: String,
    /// What is asked.
    pub(super) text: String,
}

/// A run as far as it was told.
pub(super) struct EventFormatter {
    run: Run,
    settled: BTreeSet<NodeId>,
    questions: BTreeMap<NodeId, Question>,
}

impl EventFormatter {
    /// A story that has not begun.
    pub(super) fn new(view: &RunView) -> Result<Self, Cycle> {
        let run = Run::new(view.summary.id, Arc::new(view.plan.clone()))?;
        Ok(Self {
            run,
            settled: BTreeSet::new(),
            questions: BTreeMap::new(),
        })
    }

    /// The run.
    pub(super) fn id(&self) -> RunId {
        self.run.id()
    }

    /// The oldest node's open question.
    pub(super) fn question(&self) -> Option<&Question> {
        self.questions.values().next()
    }

    /// How wide the widest title is.
    pub(super) fn title_width(&self) -> usize {
        self.run
            .nodes()
            .map(|(node, _)| style::one_line(&node.title).width())
            .max()
            .unwrap_or(0)
    }

    /// Takes in an event and returns what is worth telling.
    pub(super) fn apply(
        &mut self,
        at: Timestamp,
        event: &Event,
    ) -> Result<Vec<Line>, IllegalTransition> {
        self.run.apply(at, event)?;
        let touched = self.run.take_changed_nodes();
        for (id, node) in &touched {
            self.update(*id, node);
        }
        let mut lines: Vec<Line> = self.format_event(at, event).into_iter().collect();
        lines.extend(self.format_consequences(at, event.node(), &touched));
        Ok(lines)
    }

    /// An event as a program reads it.
    pub(super) fn to_json(&self, row: &HistoryRow) -> Value {
        let node = row
            .event
            .node()
            .and_then(|id| self.run.plan().node(id))
            .map(|node| node.slug.as_str());
        json!({ "run": self.id(), "seq": row.seq, "at": row.at, "actor": row.actor, "node": node,
                "event": row.event, "sentence": row.sentence, "details": row.details })
    }

    fn update(&mut self, id: NodeId, node: &NodeRun) {
        // What is blocked has not been worked on: counting it would make a run that broke off look finished.
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

    fn format_permission(
        &self,
        at: Timestamp,
        words: &str,
        grant: &Grant,
        of: Option<NodeId>,
    ) -> Option<Line> {
        let what = match &grant.command {
            Some(words) if grant.begins => format!(" commands that begin with `{words}`"),
            Some(command) => format!(" `{command}`"),
            None => String::new(),
        };
        let words = format!("{words} {}{what}", grant.tool);
        Some(match of {
            Some(node) => self.line(at, LineKind::NeedsPerson, Some(node), &words),
            None => self.line(at, LineKind::Run, None, &format!("every node {words}")),
        })
    }

    fn format_event(&self, at: Timestamp, event: &Event) -> Option<Line> {
        let of_run = |text: &str| Some(self.line(at, LineKind::Run, None, text));
        let of_node = |mark, node: NodeId, text: &str| Some(self.line(at, mark, Some(node), text));
        match event {
            Event::Started { limit, .. } => of_run(&format!(
                "run {} started: {}, up to {limit} at once",
                self.id(),
                nodes(self.wanted())
            )),
            Event::TakenOver { .. } => of_run("an executor goes on with the run"),
            Event::ExecutorReturned { .. } => {
                of_run("the executor of the run is back after a silence")
            }
            Event::PauseRequested { stop_running: true } => of_run("pausing: what runs is stopped"),
            Event::PauseRequested {
                stop_running: false,
            } => of_run("pausing: what runs may finish"),
            Event::Resumed => of_run("the run goes on"),
            Event::CancelRequested => of_run("cancelling: every process is being ended"),
            Event::TimeUp { limit_ms } => {
                let limit = format_duration(*limit_ms);
                of_run(&format!(
                    "the run's limit of {limit} is over: everything but clean-up is being stopped"
                ))
            }
            Event::NodeStarted { node, attempt, .. } if attempt.0 > 1 => of_node(
                LineKind::Started,
                *node,
                &format!("started, attempt {attempt}{}", self.agent_choice(*node)),
            ),
            Event::NodeStarted { node, .. } => of_node(
                LineKind::Started,
                *node,
                &format!("started{}", self.agent_choice(*node)),
            ),
            Event::NodeHeldBack { node, by } => of_node(LineKind::Run, *node, &by.to_string()),
            Event::NodeParked { node, until } => {
                let due = format_elapsed(until.ms_since(at));
                of_node(
                    LineKind::Retry,
                    *node,
                    &format!("all its agents are at their usage limits; goes on in {due}"),
                )
            }
            Event::NodeAsked { node, question, .. } => {
                let command = format!("baton node answer {} {}", self.id(), self.slug(*node));
                of_node(
                    LineKind::NeedsPerson,
                    *node,
                    &format!("asks: {question} (answer with: {command} --allow, or --deny)"),
                )
            }
            Event::NodeAnswered {
                node,
                by: AnsweredBy::Grant,
                ..
            } => of_node(
                LineKind::NeedsPerson,
                *node,
                "was allowed, as a person said before",
            ),
            Event::NodeAnswered {
                node,
                answer: Answer::Deny { reason },
                ..
            } if !reason.is_empty() => of_node(
                LineKind::NeedsPerson,
                *node,
                &format!("was denied: {reason}"),
            ),
            Event::NodeAnswered {
                node,
                answer: Answer::Deny { .. },
                ..
            } => of_node(LineKind::NeedsPerson, *node, "was denied"),
            Event::NodeAnswered { node, .. } => {
                of_node(LineKind::NeedsPerson, *node, "was allowed")
            }
            Event::NodeUnasked { node, .. } => {
                of_node(LineKind::NeedsPerson, *node, "asks no longer")
            }
            Event::Granted { grant, of, .. } => {
                self.format_permission(at, "may do without asking:", grant, *of)
            }
            Event::GrantRevoked { grant, of } => {
                self.format_permission(at, "has to ask again for:", grant, *of)
            }
            Event::ToolOutside { node, call } => {
                let did = if call.refused { "was refused" } else { "ran" };
                of_node(
                    LineKind::NotRun,
                    *node,
                    &format!("{did} {}: {}", call.what, call.note),
                )
            }
            Event::NodeHeld { node, .. } => {
                let command = format!("baton node approve {} {}", self.id(), self.slug(*node));
                of_node(
                    LineKind::NeedsPerson,
                    *node,
                    &format!("waits for leave to start (give it with: {command})"),
                )
            }
            Event::NodeReleased { node, allow: true } => {
                of_node(LineKind::NeedsPerson, *node, "may start")
            }
            Event::NodeReleased { node, allow: false } => {
                of_node(LineKind::NotRun, *node, "may not start")
            }
            Event::NodeConflicted { node, conflict } => {
                let files: Vec<_> = conflict
                    .files
                    .iter()
                    .map(|file| file.path.as_str())
                    .collect();
                let command = format!("baton node merge {} {}", self.id(), self.slug(*node));
                let (ours, theirs, files) = (&conflict.ours, &conflict.theirs, files.join(", "));
                let words = format!(
                    "'{ours}' and '{theirs}' do not fit together in {files}: solve it in {} (then: {command} --by-hand, \
                     or --agent, --first, --second)",
                    conflict.place
                );
                of_node(LineKind::NeedsPerson, *node, &words)
            }
            Event::MergeDecided { node, .. } => of_node(
                LineKind::NeedsPerson,
                *node,
                "its conflict is being settled",
            ),
            Event::MergeTried {
                node,
                outcome: Outcome::Succeeded,
                ..
            } => of_node(
                LineKind::Run,
                *node,
                "an agent solved the conflict of its parents",
            ),
            Event::MergeTried { node, .. } => of_node(
                LineKind::NeedsPerson,
                *node,
                "the agent did not solve the conflict",
            ),
            Event::InputAsked { node, question, .. } => {
                let command = format!("baton node input {} {}", self.id(), self.slug(*node));
                of_node(
                    LineKind::NeedsPerson,
                    *node,
                    &format!("asks: {question} (answer with: {command} WORDS)"),
                )
            }
            Event::InputGiven { node, value, .. } => {
                of_node(LineKind::Done, *node, &format!("was answered: {value}"))
            }
            Event::NodeSilent { node, .. } => {
                of_node(LineKind::NeedsPerson, *node, "has said nothing for a while")
            }
            Event::NodeHeard { node, .. } => of_node(LineKind::Started, *node, "speaks again"),
            Event::BudgetSpent { detail } => of_run(&format!(
                "the budget is spent ({detail}): every process is being ended"
            )),
            Event::CheckpointMade { name, .. } => of_run(&format!("checkpoint '{name}'")),
            Event::RolledBack { checkpoint, .. } => {
                of_run(&format!("taken back to checkpoint {}", checkpoint + 1))
            }
            // What does not hold is told as unverified; what was not run again is for the history.
            Event::InheritedChecked { node, checks, .. } => {
                let held = checks
                    .iter()
                    .any(|check| matches!(check.now, RecheckResult::Held { .. }));
                let broken = checks
                    .iter()
                    .any(|check| matches!(check.now, RecheckResult::Broken { .. }));
                of_node(LineKind::Run, *node, "still holds after the takeover")
                    .filter(|_| held && !broken)
            }
            Event::NodeUnverified { node, doubt, .. } => {
                of_node(LineKind::Run, *node, &format!("not verified: {doubt}"))
            }
            Event::NodeAccepted { node } => of_node(
                LineKind::Run,
                *node,
                "was accepted although it is not verified",
            ),
            Event::GitRestored { node, .. } => {
                of_node(LineKind::Run, *node, "what git runs was restored")
            }
            Event::HandoffPinned { child, .. } => {
                of_node(LineKind::Run, *child, "what it receives was pinned")
            }
            Event::HandoffUnpinned { child, .. } => {
                of_node(LineKind::Run, *child, "receives handoffs as they are again")
            }
            Event::ArtifactEdited { node, .. } => {
                of_node(LineKind::Run, *node, "its handoff was edited")
            }
            Event::NodeMarkedFailed { node } => {
                of_node(LineKind::Failed, *node, "marked as failed by a person")
            }
            Event::NodeStopRequested { node, .. } => {
                of_node(LineKind::Run, *node, "stopping, as a person asked")
            }
            Event::NodeEnded {
                node,
                outcome,
                retry_at,
                ..
            } => Some(self.format_attempt_end(at, *node, outcome, *retry_at)),
            Event::PlanRetried {
                retry, failed, due, ..
            } => {
                let names: Vec<_> = failed
                    .iter()
                    .map(|node| format!("'{}'", self.title(*node)))
                    .collect();
                let allowed = self.run.plan().settings.plan_retries;
                let wait = format_elapsed(due.ms_since(at));
                let names = names.join(", ");
                of_run(&format!(
                    "the run failed; retry {retry} of {allowed} starts from {names} in {wait}"
                ))
            }
            Event::NodesReset { nodes: reset, .. } => match reset.as_slice() {
                [node] => of_node(LineKind::Run, *node, "begins anew"),
                several => of_run(&format!("{} begin anew", nodes(several.len()))),
            },
            Event::NodeContinued { node, .. } => of_node(
                LineKind::Run,
                *node,
                "goes on with its session, told by a person",
            ),
            Event::NodeSkipped { node } => {
                let is_disabled = self
                    .run
                    .plan()
                    .node(*node)
                    .is_some_and(|node| node.disabled);
                let words = if is_disabled {
                    "skipped: it is disabled"
                } else {
                    "skipped by a person"
                };
                let line = self.line(at, LineKind::NotRun, Some(*node), words);
                Some(Line {
                    progress: Some(self.progress()),
                    ..line
                })
            }
            Event::NodeInherited { node, .. } => {
                let line = self.line(at, LineKind::Done, Some(*node), "done in the run before");
                Some(Line {
                    progress: Some(self.progress()),
                    ..line
                })
            }
            Event::NodeMarkedDone { node, .. } => {
                let line = self.line(at, LineKind::Done, Some(*node), "taken as done by a person");
                Some(Line {
                    progress: Some(self.progress()),
                    ..line
                })
            }
            Event::ReplanBegun { .. } => of_run("a new plan is being made for it"),
            Event::ReplanEnded {
                end: ReplanEnd::Accepted { run: Some(next) },
                ..
            } => of_run(&format!("the new plan was accepted; run {next} goes on")),
            Event::ReplanEnded {
                end: ReplanEnd::Accepted { run: None },
                ..
            } => of_run("the new plan was accepted"),
            Event::ReplanEnded {
                end: ReplanEnd::Rejected,
                ..
            } => of_run("the new plan was rejected"),
            Event::ReplanEnded {
                end: ReplanEnd::GivenUp,
                ..
            } => of_run("no new plan came of it"),
            // The ending tells these, or they are nobody's business.
            Event::GoalSet { .. }
            | Event::Paused { .. }
            | Event::Cancelled
            | Event::Completed
            | Event::Failed { .. }
            | Event::Stalled { .. }
            | Event::NodeReserved { .. }
            | Event::NodeAssigned { .. }
            | Event::NodePassedOn { .. }
            | Event::NodeUsed { .. }
            | Event::NodeWithdrawn { .. }
            | Event::NodeRetryDue { .. } => None,
        }
    }

    /// Who does the node's attempt and why, where that was a choice.
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
        outcome: &Outcome,
        retry_at: Option<Timestamp>,
    ) -> Line {
        let node = self.run.node(id);
        let took = format_elapsed(
            node.and_then(|node| node.started_at)
                .map_or(0, |start| at.ms_since(start)),
        );
        let then = match (retry_at, node.map(|node| &node.state)) {
            // A jump over the node keeps the next attempt from starting.
            (Some(_), Some(NodeState::Skipped { .. })) => String::new(),
            (Some(due), _) => format!("; tries again in {}", format_elapsed(due.ms_since(at))),
            (None, Some(NodeState::Skipped { .. })) => "; the run goes on without it".to_owned(),
            _ => String::new(),
        };
        let (mark, text) = match outcome {
            Outcome::Succeeded if node.is_some_and(|node| node.unverified) => (
                LineKind::Done,
                format!("done in {took}, but the evidence does not agree"),
            ),
            Outcome::Succeeded
                if self
                    .run
                    .plan()
                    .node(id)
                    .is_some_and(|node| self.run.plan().is_unchecked(node)) =>
            {
                (LineKind::Done, format!("done in {took}, not checked"))
            }
            Outcome::Succeeded => (LineKind::Done, format!("done in {took}")),
            Outcome::Failed {
                failure: Failure::UsageLimit { detail, .. },
            } if retry_at.is_some() => (
                LineKind::Retry,
                format!("waits for its agent's usage limit: {detail}{then}"),
            ),
            Outcome::Failed { failure } => (
                LineKind::Failed,
                format!("failed after {took}: {failure}{then}"),
            ),
            Outcome::Cancelled => (LineKind::Failed, format!("stopped after {took}")),
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

    /// The nodes that can no longer run because of an event about `cause`.
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
                "{} will not run, the first because {because}",
                nodes(passed.len())
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
                &format!("will not run: {because}"),
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
            } => Some(format!(
                "the run jumped over it after '{}'",
                self.title(*by)
            )),
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

fn nodes(count: usize) -> String {
    if count == 1 {
        "1 node".to_owned()
    } else {
        format!("{count} nodes")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::follow::test_support::{ended, formatter_for, plan_of, started};
    use baton_model::outcome::Failure;

    fn format_all(formatter: &mut EventFormatter, events: &[Event]) -> String {
        let mut lines = Vec::new();
        for (second, event) in events.iter().enumerate() {
            let at = Timestamp(i64::try_from(second).unwrap_or(0) * 1500);
            for line in formatter
                .apply(at, event)
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
        ✓ build done in 1.5 s [1/3]
        ▶ test started
        ✗ test failed after 1.5 s: ended with exit code 3 [2/3]
        – ship will not run: 'test' did not succeed
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
        ↻ build failed after 1.5 s: was terminated by signal 9; tries again in 2.0 s
        ");
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
            lines.ends_with(
                "39 nodes will not run, the first because 'n0' did not succeed [1/40]\n"
            ),
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
