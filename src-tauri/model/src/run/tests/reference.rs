//! A scheduler too simple to be wrong: it stores facts about nodes and recomputes everything else
//! from scratch.
//!
//! Shares nothing with the run except the plan. It learns from accepted commands, and from events
//! only which nodes got a slot.

mod jump;
mod settlement;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::judgment::{self, Parent, Rule, Standing};
use super::layout::Layout;
use crate::node::{AfterCrash, NodeKind, OnFailure, TriggerRule};
use crate::outcome::Failure;
use crate::plan::Autonomy;
use crate::run::{Answer, Command, Goal};
use crate::{NodeId, Outcome, Plan, Timestamp};

/// The rules of nodes that also start after a failure has ended the run.
const CLEANS: [Rule; 2] = [
    Rule::Written(TriggerRule::AllDone),
    Rule::Written(TriggerRule::OneFailed),
];

/// What is known about a node for certain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fact {
    /// It has not started, and nothing was decided.
    Untouched,
    /// An attempt is reserved.
    Reserved,
    /// A session is live.
    Lives,
    Retrying,
    /// Waits for a usage limit to reset.
    Parked,
    AsksApproval,
    AsksInput {
        due: Option<Timestamp>,
    },
    Done {
        by_hand: bool,
    },
    /// Failed, and the plan continues without it.
    Tolerated,
    /// Skipped by a person.
    Passed,
    Refused,
    Failed,
    /// Failed, and the run continued at this node.
    WentOn {
        at: usize,
    },
    Interrupted,
    JumpedOver {
        by: usize,
    },
}

/// The phase of the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    NotBegun,
    Going,
    Aborting { by: usize },
    Pausing { stop_running: bool },
    Cancelling,
    OutOfTime,
    OutOfBudget,
    Paused,
    AtItsGoal,
    RolledBack,
    Stalled,
    Completed,
    Failed,
    Cancelled,
    Replanning { failed: bool },
}

impl Phase {
    pub(super) fn is_running(self) -> bool {
        matches!(
            self,
            Self::Going | Self::Aborting { .. } | Self::Pausing { .. }
        ) || self.is_stopping()
    }

    pub(super) fn stops_what_runs(self) -> bool {
        self.is_stopping() || self == Self::Pausing { stop_running: true }
    }

    fn is_stopping(self) -> bool {
        matches!(self, Self::Cancelling | Self::OutOfTime | Self::OutOfBudget)
    }
}

/// Everything known about a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) fact: Fact,
    pub(super) taken: Option<bool>,
    /// How many attempts it had, not counting withdrawn ones.
    pub(super) tried: u32,
    pub(super) own_failures: u32,
    pub(super) losses: u32,
    pub(super) approved: bool,
    pub(super) stale: bool,
    /// An ancestor ran again since the latest attempt began.
    outdated: bool,
    /// Open questions of the live session, oldest first.
    pub(super) questions: Vec<String>,
    answered: BTreeSet<String>,
    pub(super) tokens: u64,
    tokens_before: u64,
    /// The usage when a person last reran it.
    tokens_at_reset: u64,
    /// Ordered to end because of a pause.
    stops_for_pause: bool,
    /// A person stopped its session; the resulting fact.
    stopping: Option<Fact>,
    /// A person decided its failure, or its budget ran out, so the run is not retried because of
    /// it.
    fails_for_good: bool,
    /// The nodes that jumped over it during its attempt.
    overtaken: BTreeSet<usize>,
}

impl Known {
    fn approve(&mut self) {
        self.answered.extend(std::mem::take(&mut self.questions));
    }
}

#[derive(Debug, Clone)]
pub(super) struct Reference {
    plan: Arc<Plan>,
    pub(super) layout: Layout,
    pub(super) known: Vec<Known>,
    pub(super) phase: Phase,
    goal: Goal,
    limit: usize,
    default_agent: Option<String>,
    began_at: Timestamp,
    kept: Vec<Vec<Known>>,
    /// How often the run restarted automatically.
    pub(super) plan_retries: u32,
    /// The nodes with permission for the tool of all questions; `None` for all nodes.
    given: BTreeSet<Option<NodeId>>,
}

impl Reference {
    pub(super) fn new(plan: &Arc<Plan>) -> Self {
        let nothing = Known {
            fact: Fact::Untouched,
            taken: None,
            tried: 0,
            own_failures: 0,
            losses: 0,
            approved: false,
            stale: false,
            outdated: false,
            questions: Vec::new(),
            answered: BTreeSet::new(),
            tokens: 0,
            tokens_before: 0,
            tokens_at_reset: 0,
            stops_for_pause: false,
            stopping: None,
            fails_for_good: false,
            overtaken: BTreeSet::new(),
        };
        Self {
            known: vec![nothing; plan.nodes.len()],
            layout: Layout::of(plan),
            plan: Arc::clone(plan),
            phase: Phase::NotBegun,
            goal: Goal::All,
            limit: 0,
            default_agent: None,
            began_at: Timestamp(0),
            given: BTreeSet::new(),
            kept: Vec::new(),
            plan_retries: 0,
        }
    }

    /// The standing of every node.
    pub(super) fn standings(&self) -> Vec<Standing> {
        let mut standings = vec![Standing::Waits; self.known.len()];
        for &number in &self.layout.order {
            standings[number] = match self.known[number].fact {
                Fact::Untouched => self.judge(number, &standings),
                fact => Standing::Fact(fact),
            };
        }
        standings
    }

    fn judge(&self, number: usize, standings: &[Standing]) -> Standing {
        if self.is_jumped_to(number) {
            return Standing::Ready;
        }
        let parents: Vec<Parent> = self.layout.parents[number]
            .iter()
            .map(|(parent, ways)| Parent::of(standings[*parent], self.known[*parent].taken, *ways))
            .collect();
        let may_be_jumped_to = self.layout.parents[number]
            .iter()
            .any(|(parent, ways)| ways.is_jump() && Parent::is_open(standings[*parent]));
        match judgment::judge(self.layout.rules[number], &parents) {
            Standing::Blocked | Standing::LeftOut if may_be_jumped_to => Standing::Waits,
            standing => standing,
        }
    }

    fn is_jumped_to(&self, number: usize) -> bool {
        self.layout.parents[number]
            .iter()
            .any(|&(parent, ways)| match self.known[parent].fact {
                Fact::Done { .. } => ways.on_success,
                Fact::WentOn { at } => at == number,
                _ => false,
            })
    }

    fn is_wanted(&self, number: usize) -> bool {
        match &self.goal {
            Goal::All => true,
            Goal::Only { nodes } => nodes.contains(&self.plan.nodes[number].id),
        }
    }

    /// The wanted nodes that could start now.
    pub(super) fn ready(&self) -> BTreeSet<usize> {
        let standings = self.standings();
        let ready = (0..standings.len()).filter(|&number| standings[number] == Standing::Ready);
        ready.filter(|&number| self.is_wanted(number)).collect()
    }

    /// The nodes of `ready` that may start in the run's current phase.
    fn may_begin(&self) -> impl Iterator<Item = usize> {
        let cleaning = || -> BTreeSet<usize> {
            self.ready()
                .into_iter()
                .filter(|&number| self.cleans(number))
                .collect()
        };
        let begins = match self.phase {
            Phase::Going => self.ready(),
            Phase::Aborting { .. } => cleaning(),
            Phase::OutOfTime => Some(cleaning())
                .filter(|ready| !ready.is_empty())
                .unwrap_or_else(|| self.late_cleanup()),
            _ => BTreeSet::new(),
        };
        begins.into_iter()
    }

    pub(super) fn cleans(&self, number: usize) -> bool {
        CLEANS.contains(&self.layout.rules[number])
    }

    /// After the time limit, when nothing else progresses: the first node that waits for one that
    /// never starts.
    fn late_cleanup(&self) -> BTreeSet<usize> {
        if self.busy() > 0 || self.waits_for_a_clock_or_a_person() {
            return BTreeSet::new();
        }
        let standings = self.standings();
        let late = |number: usize| {
            standings[number] == Standing::Waits
                && self.layout.rules[number] == Rule::Written(TriggerRule::AllDone)
                && self.is_wanted(number)
        };
        let is_first = |&number: &usize| {
            late(number)
                && !self.layout.parents[number]
                    .iter()
                    .any(|(parent, _)| late(*parent))
        };
        (0..standings.len()).find(is_first).into_iter().collect()
    }

    fn waits_for_a_clock_or_a_person(&self) -> bool {
        let waits = |fact| {
            matches!(
                fact,
                Fact::Retrying | Fact::Parked | Fact::AsksApproval | Fact::AsksInput { .. }
            )
        };
        self.known.iter().any(|known| waits(known.fact))
    }

    pub(super) fn starts_with_question(&self, number: usize) -> bool {
        let kind = &self.plan.nodes[number].kind;
        let leave = match self.plan.settings.effective_autonomy() {
            Autonomy::AskAll => true,
            Autonomy::AskNew | Autonomy::AskGuarded => kind
                .tool_calls()
                .iter()
                .any(|call| self.plan.unapproved_address(call).is_some()),
            _ => false,
        };
        matches!(kind, NodeKind::UserInput(_)) || (leave && !self.known[number].approved)
    }

    pub(super) fn is_over_budget(&self, node: NodeId) -> bool {
        let number = self.number(node);
        let used = self.known[number].tokens - self.known[number].tokens_at_reset;
        self.plan.nodes[number]
            .budget
            .tokens
            .is_some_and(|most| used > most)
    }

    pub(super) fn busy(&self) -> usize {
        self.known
            .iter()
            .filter(|known| matches!(known.fact, Fact::Reserved | Fact::Lives))
            .count()
    }

    /// Whether the plan allows one more session of the node's agent.
    fn has_room(&self, number: usize) -> bool {
        let agent = |number: usize| {
            let named = self.plan.nodes[number].kind.agent()?;
            named
                .map(str::to_owned)
                .or_else(|| self.default_agent.clone())
        };
        let Some(own) = agent(number) else {
            return true;
        };
        let Some(&limit) = self.plan.settings.agent_concurrency.get(&own) else {
            return true;
        };
        let same = |&other: &usize| {
            matches!(self.known[other].fact, Fact::Reserved | Fact::Lives)
                && agent(other).as_ref() == Some(&own)
        };
        (0..self.known.len()).filter(same).count() < limit as usize
    }

    /// The node that gets the next slot.
    pub(super) fn next(&self) -> Option<usize> {
        if self.busy() >= 2 * self.limit {
            return None;
        }
        let waits = self
            .may_begin()
            .filter(|&number| !self.starts_with_question(number) && self.has_room(number));
        let next = waits.min_by_key(|&number| {
            let importance = (self.plan.nodes[number].priority, self.layout.depths[number]);
            (std::cmp::Reverse(importance), number)
        });
        next.filter(|&number| self.busy() < self.limit || self.may_be_reserved_ahead(number))
    }

    /// Whether a slot may go to the node before the end that freed it was evaluated.
    fn may_be_reserved_ahead(&self, number: usize) -> bool {
        let priority = |number: usize| self.plan.nodes[number].priority;
        let matters_less = |other: usize| priority(other) <= priority(number);
        let mut rivals = self
            .may_begin()
            .filter(|&other| !self.starts_with_question(other));
        let mut busy = (0..self.known.len())
            .filter(|&other| matches!(self.known[other].fact, Fact::Reserved | Fact::Lives));
        rivals.all(matters_less)
            && busy.all(|other| {
                let may_finish_cleanup =
                    |&target: &usize| target != number && !(other < number && number < target);
                self.targets(other).iter().all(may_finish_cleanup)
                    && self.may_unblock(other).into_iter().all(matters_less)
            })
    }

    fn targets(&self, number: usize) -> Vec<usize> {
        let node = &self.plan.nodes[number];
        let after_failure = match node.on_failure {
            OnFailure::Node(target) => Some(target),
            OnFailure::Abort | OnFailure::Skip => None,
        };
        node.on_success
            .into_iter()
            .chain(after_failure)
            .map(|target| self.number(target))
            .collect()
    }

    /// The nodes that the end of this one may let start: its children, and nodes that start even
    /// when nodes above them are skipped.
    fn may_unblock(&self, number: usize) -> Vec<usize> {
        let starts_after_skips = |&other: &usize| {
            self.layout.rules[other] != Rule::Written(TriggerRule::AllSuccess)
                && !self.layout.parents[other].is_empty()
        };
        let below = match self.targets(number).is_empty() {
            true => self.layout.dependents(number),
            false => (0..self.known.len()).collect(),
        };
        self.layout
            .children(number)
            .chain(below.into_iter().filter(starts_after_skips))
            .collect()
    }

    /// The node got a slot.
    pub(super) fn reserve(&mut self, number: usize) {
        assert_eq!(
            self.next(),
            Some(number),
            "the node that gets the next slot"
        );
        let known = &mut self.known[number];
        known.fact = Fact::Reserved;
        known.tried += 1;
        (known.outdated, known.stops_for_pause) = (false, false);
        known.stopping = None;
        known.questions.clear();
        known.answered.clear();
        known.tokens_before = known.tokens;
    }

    /// Asks the questions that are due. Returns their nodes.
    pub(super) fn ask(&mut self, now: Timestamp) -> BTreeSet<usize> {
        let asking: BTreeSet<usize> = self
            .may_begin()
            .filter(|&number| self.starts_with_question(number))
            .collect();
        for &number in &asking {
            let known = &mut self.known[number];
            known.fact = match &self.plan.nodes[number].kind {
                NodeKind::UserInput(question) => {
                    known.tried += 1;
                    known.outdated = false;
                    Fact::AsksInput {
                        due: question.timeout.map(|limit| now.plus_ms(limit)),
                    }
                }
                _ => Fact::AsksApproval,
            };
        }
        asking
    }

    /// Detects the end of the run, or of its current phase.
    pub(super) fn settle(&mut self) {
        if !self.phase.is_running() || self.busy() > 0 {
            return;
        }
        let waits = self.waits_for_a_clock_or_a_person();
        self.phase = match self.phase {
            Phase::Going | Phase::Aborting { .. } | Phase::OutOfTime
                if waits || self.may_begin().next().is_some() =>
            {
                return;
            }
            Phase::Going | Phase::Aborting { .. } => match self.settlement() {
                Phase::Failed if self.may_retry_plan() => self.retry_plan(),
                phase => phase,
            },
            Phase::Pausing { .. } => Phase::Paused,
            Phase::Cancelling => Phase::Cancelled,
            _ if self.has_work_left() => Phase::Failed,
            _ => self.settlement(),
        };
    }

    /// Learns from an accepted command.
    pub(super) fn learn(&mut self, command: &Command, now: Timestamp) {
        match command {
            Command::Start {
                goal,
                limit,
                default_agent,
                ..
            } => {
                self.goal = goal.clone();
                self.limit = limit.unwrap_or(self.plan.settings.effective_concurrency()) as usize;
                self.default_agent.clone_from(default_agent);
                self.go(now);
            }
            // Merges and takeovers that displace an executor have separate tests.
            Command::TakeOver { .. }
            | Command::ExecutorReturned { .. }
            | Command::InheritedChecked { .. }
            | Command::PermitsFreed
            | Command::DecideHandler { .. }
            | Command::SessionSilent { .. }
            | Command::Merge { .. }
            | Command::AgentChosen { .. }
            | Command::SessionConflicted { .. }
            | Command::SessionMerged { .. } => {}
            Command::Pause { stop_running } => self.pause(*stop_running),
            Command::Resume => {
                if self.phase == Phase::AtItsGoal {
                    self.goal = Goal::All;
                }
                if self.phase != Phase::Going {
                    self.go(now);
                }
            }
            Command::Cancel => self.stop(Phase::Cancelling),
            Command::TimeUp => {
                let limit = self.plan.settings.timeout_ms;
                let over = limit.is_some_and(|limit| now >= self.began_at.plus_ms(limit));
                if over && self.phase.is_running() && !self.phase.is_stopping() {
                    self.stop(Phase::OutOfTime);
                }
            }
            Command::BeginReplan { .. } => {
                self.phase = match self.phase {
                    Phase::Failed => Phase::Replanning { failed: true },
                    Phase::Stalled => Phase::Replanning { failed: false },
                    phase => phase,
                }
            }
            Command::EndReplan { .. } => {
                self.phase = match self.phase {
                    Phase::Replanning { failed: true } => Phase::Failed,
                    Phase::Replanning { failed: false } => Phase::Stalled,
                    phase => phase,
                }
            }
            Command::Want { goal, .. } => {
                self.goal = goal.clone();
                let unwanted: Vec<usize> = (0..self.known.len())
                    .filter(|&number| !self.is_wanted(number))
                    .collect();
                self.take_back_questions(&unwanted);
                if !self.phase.is_running() {
                    self.go(now);
                }
            }
            Command::RetryNode { node, .. } | Command::RerunNode { node } => {
                self.rerun(vec![self.number(*node)], now);
            }
            Command::ContinueNode { node, .. } => {
                let number = self.number(*node);
                self.rerun(vec![number], now);
                self.known[number].approved = true;
            }
            Command::RerunFrom { node } => {
                let number = self.number(*node);
                let mut numbers = self.layout.dependents(number);
                numbers.push(number);
                self.rerun(numbers, now);
            }
            Command::RerunStale => {
                let stale: Vec<usize> = (0..self.known.len())
                    .filter(|&number| self.known[number].stale)
                    .collect();
                if !stale.is_empty() {
                    self.rerun(stale, now);
                }
            }
            Command::RerunFailed => {
                let failed: Vec<usize> = (0..self.known.len())
                    .filter(|&number| {
                        matches!(self.known[number].fact, Fact::Failed | Fact::Interrupted)
                    })
                    .collect();
                if !failed.is_empty() {
                    self.rerun(failed, now);
                }
            }
            Command::StopNode { node } => {
                let number = self.number(*node);
                self.known[number].stopping = Some(Fact::Interrupted);
            }
            Command::SkipNode { node, .. } => {
                self.stop_and_decide(self.number(*node), Fact::Passed, now)
            }
            Command::MarkDone { node, .. } => {
                self.stop_and_decide(self.number(*node), Fact::Done { by_hand: true }, now);
            }
            Command::MarkFailed { node } => {
                self.fail(self.number(*node), &Failure::ByHand);
                self.resume_if_stuck(now);
            }
            Command::EditArtifact { node, .. } => {
                let below = self.layout.dependents(self.number(*node));
                self.make_stale(below);
            }
            Command::Accept { .. } | Command::NoteGitRestored { .. } => {}
            Command::PinHandoff { child, .. } | Command::UnpinHandoff { child, .. } => {
                let number = self.number(*child);
                self.known[number].stale |= matches!(self.known[number].fact, Fact::Done { .. });
            }
            Command::Approve { node, allow } => {
                let number = self.number(*node);
                if !allow {
                    self.lose_handler(number);
                }
                self.known[number].fact = if *allow {
                    Fact::Untouched
                } else {
                    Fact::Refused
                };
                self.known[number].approved = *allow;
            }
            Command::GiveInput { node, .. } => self.succeed(self.number(*node), None),
            Command::Checkpoint { .. } => self.kept.push(self.known.clone()),
            Command::Rollback { checkpoint, .. } => self.roll_back(*checkpoint as usize),
            Command::Answer {
                node,
                request,
                answer,
            } => {
                let number = self.number(*node);
                self.known[number]
                    .questions
                    .retain(|asked| asked != request);
                self.known[number].answered.insert(request.clone());
                self.give(number, *node, answer);
            }
            Command::Revoke { of, .. } => drop(self.given.remove(of)),
            Command::SessionUnasked { node, request, .. } => {
                let number = self.number(*node);
                self.known[number]
                    .questions
                    .retain(|asked| asked != request);
            }
            Command::SessionOutside { node, .. } => self.lives(*node),
            Command::SessionStarted { node, .. } => self.lives(*node),
            Command::SessionAsked { node, request, .. } => {
                self.lives(*node);
                let number = self.number(*node);
                let may = self.given.contains(&None) || self.given.contains(&Some(*node));
                let known = &mut self.known[number];
                if may && !known.questions.contains(request) {
                    known.answered.insert(request.clone());
                } else if !known.questions.contains(request) && !known.answered.contains(request) {
                    known.questions.push(request.clone());
                }
            }
            Command::SessionUsed { node, spent, .. } => self.spend(*node, spent.tokens),
            Command::SessionWithdrawn { node, .. } => {
                let number = self.number(*node);
                if self.known[number].fact == Fact::Reserved {
                    self.known[number].fact = Fact::Untouched;
                    self.known[number].tried -= 1;
                    self.apply_stop_decision(number, now);
                    self.end_if_overtaken(number);
                }
            }
            Command::SessionEnded {
                node,
                outcome,
                taken,
                ..
            } => {
                let number = self.number(*node);
                if *outcome == Outcome::Succeeded || self.known[number].stopping.is_none() {
                    self.end(number, outcome, *taken, now);
                } else {
                    self.known[number].fact = Fact::Interrupted;
                    self.apply_stop_decision(number, now);
                }
                self.end_if_overtaken(number);
            }
            Command::Due { node } => {
                let number = self.number(*node);
                match self.known[number].fact {
                    Fact::Retrying | Fact::Parked => self.known[number].fact = Fact::Untouched,
                    Fact::AsksInput { due: Some(due) } if now >= due => {
                        self.fail(number, &Failure::NoAnswer { limit_ms: 0 });
                    }
                    _ => {}
                }
            }
        }
    }

    fn go(&mut self, now: Timestamp) {
        self.phase = Phase::Going;
        self.began_at = now;
    }

    fn resume_if_stuck(&mut self, now: Timestamp) {
        if matches!(
            self.phase,
            Phase::Failed | Phase::Stalled | Phase::Replanning { .. }
        ) {
            self.go(now);
        }
    }

    fn pause(&mut self, stop_running: bool) {
        if self.phase.is_running() {
            let was_stopping = self.phase == Phase::Cancelling;
            self.phase = Phase::Pausing { stop_running };
            if stop_running || was_stopping {
                for known in &mut self.known {
                    known.stops_for_pause = matches!(known.fact, Fact::Reserved | Fact::Lives);
                }
            }
        }
    }

    /// After the time limit, clean-up nodes continue.
    pub(super) fn may_finish_cleanup(&self, number: usize) -> bool {
        self.phase == Phase::OutOfTime && self.cleans(number)
    }

    fn stop(&mut self, phase: Phase) {
        self.phase = phase;
        let spared: Vec<bool> = (0..self.known.len())
            .map(|number| self.may_finish_cleanup(number))
            .collect();
        for (known, spared) in self.known.iter_mut().zip(spared) {
            known.stops_for_pause = false;
            if !spared
                && matches!(
                    known.fact,
                    Fact::Retrying | Fact::Parked | Fact::AsksApproval | Fact::AsksInput { .. }
                )
            {
                known.fact = Fact::Interrupted;
            }
        }
    }

    fn take_back_questions(&mut self, of: &[usize]) {
        for &number in of {
            let known = &mut self.known[number];
            match known.fact {
                Fact::AsksInput { .. } => {
                    (known.fact, known.tried) = (Fact::Untouched, known.tried - 1)
                }
                Fact::AsksApproval => known.fact = Fact::Untouched,
                _ => {}
            }
        }
    }

    fn rerun(&mut self, numbers: Vec<usize>, now: Timestamp) {
        let again = numbers
            .iter()
            .filter(|&&number| self.known[number].fact != Fact::Untouched);
        let below: BTreeSet<usize> = again
            .flat_map(|&number| self.layout.dependents(number))
            .collect();
        self.take_back_questions(&numbers);
        for &number in &numbers {
            self.take_back_jump(number);
            let known = &mut self.known[number];
            (known.fact, known.taken) = (Fact::Untouched, None);
            (known.own_failures, known.losses) = (0, 0);
            known.tokens_at_reset = known.tokens;
            (known.approved, known.stale) = (false, false);
            known.overtaken.clear();
        }
        self.make_stale(below.into_iter().collect());
        if !self.phase.is_running() {
            self.go(now);
        }
    }

    fn make_stale(&mut self, numbers: Vec<usize>) {
        for number in numbers {
            let known = &mut self.known[number];
            known.outdated = true;
            known.stale |= matches!(known.fact, Fact::Done { .. });
        }
    }

    /// A person decided about the node; a live session has to end first.
    fn stop_and_decide(&mut self, number: usize, fact: Fact, now: Timestamp) {
        match self.known[number].fact {
            Fact::Reserved | Fact::Lives => self.known[number].stopping = Some(fact),
            _ => self.decide(number, fact, now),
        }
    }

    fn apply_stop_decision(&mut self, number: usize, now: Timestamp) {
        if let Some(fact) = self.known[number]
            .stopping
            .filter(|fact| *fact != Fact::Interrupted)
        {
            self.decide(number, fact, now);
        }
    }

    /// A person decided the node's outcome.
    fn decide(&mut self, number: usize, fact: Fact, now: Timestamp) {
        if fact == Fact::Passed {
            self.lose_handler(number);
        }
        self.take_back_jump(number);
        self.known[number].fact = fact;
        self.known[number].taken = None;
        if matches!(fact, Fact::Done { .. }) {
            self.jump(number, self.layout.success[number]);
        }
        self.resume_if_stuck(now);
    }

    fn abort(&mut self, number: usize) {
        if self.phase == Phase::Going {
            self.phase = Phase::Aborting { by: number };
            let others: Vec<usize> = (0..self.known.len())
                .filter(|&other| !CLEANS.contains(&self.layout.rules[other]))
                .collect();
            self.take_back_questions(&others);
        }
    }

    fn lives(&mut self, node: NodeId) {
        let number = self.number(node);
        self.known[number].fact = Fact::Lives;
    }

    fn spend(&mut self, node: NodeId, tokens: u64) {
        let number = self.number(node);
        let plan = self.plan.settings.budget.tokens;
        let counts = plan.is_some() || self.plan.nodes[number].budget.tokens.is_some();
        if !counts || self.known[number].tokens == self.known[number].tokens_before + tokens {
            return;
        }
        self.lives(node);
        self.known[number].tokens = self.known[number].tokens_before + tokens;
        let all: u64 = self.known.iter().map(|known| known.tokens).sum();
        if plan.is_some_and(|plan| all > plan)
            && self.phase.is_running()
            && !self.phase.is_stopping()
        {
            self.stop(Phase::OutOfBudget);
        }
    }

    fn end(&mut self, number: usize, outcome: &Outcome, taken: Option<bool>, now: Timestamp) {
        let definition = &self.plan.nodes[number];
        let over_budget = self.is_over_budget(definition.id);
        let may_retry = !self.phase.is_stopping() || self.may_finish_cleanup(number);
        let known = &mut self.known[number];
        match outcome {
            Outcome::Succeeded => self.succeed(number, taken),
            _ if over_budget => {
                self.fail(
                    number,
                    &Failure::BudgetSpent {
                        detail: String::new(),
                    },
                );
            }
            Outcome::Cancelled
                if known.stops_for_pause || matches!(self.phase, Phase::Pausing { .. }) =>
            {
                known.fact = Fact::Untouched;
            }
            Outcome::Cancelled | Outcome::Tampered { .. } => known.fact = Fact::Interrupted,
            Outcome::Lost { .. } => {
                if definition.after_crash != AfterCrash::Ask && may_retry && known.losses < 10 {
                    (known.fact, known.losses) = (Fact::Retrying, known.losses + 1);
                } else {
                    known.fact = Fact::Interrupted;
                }
            }
            Outcome::Failed {
                failure:
                    Failure::UsageLimit {
                        reset_at: Some(reset_at),
                        ..
                    },
            } if may_retry && reset_at.0 >= now.0 + 10_000 => {
                known.fact = Fact::Parked;
            }
            Outcome::Failed {
                failure: Failure::UsageLimit { .. },
            } if may_retry && known.losses < 10 => {
                (known.fact, known.losses) = (Fact::Parked, known.losses + 1);
            }
            Outcome::Failed {
                failure: Failure::Unavailable { .. },
            } if may_retry && known.losses < 10 => {
                (known.fact, known.losses) = (Fact::Retrying, known.losses + 1);
            }
            Outcome::Failed { failure } => {
                let listed = match failure {
                    Failure::ExitCode { code } => definition.retry_exit_codes.contains(code),
                    _ => false,
                };
                let hopeful = matches!(failure, Failure::ExitCode { .. } | Failure::Signal { .. });
                let hopeful = hopeful && (definition.retry_exit_codes.is_empty() || listed);
                if hopeful && may_retry && known.own_failures < definition.max_retries {
                    (known.fact, known.own_failures) = (Fact::Retrying, known.own_failures + 1);
                } else {
                    self.fail(number, failure);
                }
            }
        }
    }

    fn succeed(&mut self, number: usize, taken: Option<bool>) {
        let known = &mut self.known[number];
        (known.fact, known.taken, known.stale) =
            (Fact::Done { by_hand: false }, taken, known.outdated);
        self.jump(number, self.layout.success[number]);
    }

    fn fail(&mut self, number: usize, failure: &Failure) {
        let known = &mut self.known[number];
        match failure {
            Failure::Unavailable { .. } | Failure::UsageLimit { .. } => known.losses += 1,
            _ => known.own_failures += 1,
        }
        known.fails_for_good = matches!(failure, Failure::ByHand | Failure::BudgetSpent { .. });
        match self.plan.nodes[number].on_failure {
            OnFailure::Skip => self.known[number].fact = Fact::Tolerated,
            OnFailure::Node(target) if self.can_handle(self.number(target)) => {
                let at = self.number(target);
                self.known[number].fact = Fact::WentOn { at };
                self.jump(number, Some(at));
            }
            OnFailure::Node(_) | OnFailure::Abort => {
                self.known[number].fact = Fact::Failed;
                self.abort(number);
            }
        }
    }

    /// Open questions that are covered need no separate answer.
    fn give(&mut self, number: usize, node: NodeId, answer: &Answer) {
        match answer {
            Answer::AllowNode { .. } => {
                self.given.insert(Some(node));
                self.known[number].approve();
            }
            Answer::AllowPlan { .. } => {
                self.given.insert(None);
                self.known
                    .iter_mut()
                    .filter(|known| known.fact == Fact::Lives)
                    .for_each(Known::approve);
            }
            Answer::AllowOnce | Answer::Deny { .. } => {}
        }
    }

    fn roll_back(&mut self, checkpoint: usize) {
        for (now, then) in self.known.iter_mut().zip(&self.kept[checkpoint]) {
            let under_way = matches!(
                then.fact,
                Fact::Reserved
                    | Fact::Lives
                    | Fact::Retrying
                    | Fact::Parked
                    | Fact::AsksApproval
                    | Fact::AsksInput { .. }
            );
            now.fact = if under_way {
                Fact::Untouched
            } else {
                then.fact
            };
            now.taken = then.taken;
            now.stale =
                matches!(then.fact, Fact::Done { .. }) && (then.stale || now.tried != then.tried);
            (now.own_failures, now.losses, now.approved) = (0, 0, false);
            now.overtaken.clear();
            now.tokens_at_reset = now.tokens;
        }
        self.phase = Phase::RolledBack;
    }

    pub(super) fn number(&self, node: NodeId) -> usize {
        self.layout.number[&node]
    }
}

/// Node numbers by ID.
pub(super) fn numbers(plan: &Plan) -> BTreeMap<NodeId, usize> {
    plan.nodes
        .iter()
        .enumerate()
        .map(|(number, node)| (node.id, number))
        .collect()
}
