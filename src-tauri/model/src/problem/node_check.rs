//! Validates each node, including its references to other nodes.

use std::collections::{HashMap, HashSet};

use super::node_fault::{Jump, NodeFault, NodeField};
use super::value_check::unsafe_values;
use crate::arbiter::team_name;
use crate::expression::{Expression, ExpressionError};
use crate::graph::{Cycle, Graph};
use crate::node::{
    AgentTask, EarlierSession, InputType, LoopBody, LoopTask, OnFailure, Question, SubPlanTask,
    ToolCall, is_lock_name,
};
use crate::shell::UnsafeValue;
use crate::spelling_suggestion::closest_match;
use crate::{Node, NodeId, NodeKind, Plan};

/// A fault, and the field that has it.
pub(super) type FieldFault = (NodeField, NodeFault);

/// What the checks need to know about the plan.
pub(super) struct NodeCheck<'p> {
    plan: &'p Plan,
    nodes: HashMap<NodeId, &'p Node>,
    slugs: HashMap<&'p str, NodeId>,
    /// `None` if the plan has a cycle, because there is no order then.
    graph: Option<&'p Graph>,
}

impl<'p> NodeCheck<'p> {
    pub(super) fn new(plan: &'p Plan, graph: Option<&'p Graph>) -> Self {
        let slugs = plan
            .nodes
            .iter()
            .map(|node| (node.slug.as_str(), node.id))
            .collect();
        Self {
            plan,
            nodes: plan.nodes_by_id(),
            slugs,
            graph,
        }
    }

    /// All faults of `node`.
    pub(super) fn faults(&self, node: &Node) -> Vec<FieldFault> {
        let mut found = self.check_task(node);
        if let Some(plan) = node.kind.sub_plan() {
            found.extend(
                self.check_sub_plan(plan)
                    .map(|fault| (NodeField::SubPlanId, fault)),
            );
        }
        if super::allows_nothing(node.budget) {
            found.push((NodeField::Budget, NodeFault::EmptyBudget));
        }
        found.extend(bad_locks(node));
        found.extend(
            unsafe_values(node).map(|(field, UnsafeValue { expression, place })| {
                (field, NodeFault::UnsafeValue { expression, place })
            }),
        );
        found.extend(jumps(node).filter_map(|(jump, target)| {
            Some((jump.field(), self.check_jump(node, jump, target)?))
        }));
        found
    }

    fn check_task(&self, node: &Node) -> Vec<FieldFault> {
        match &node.kind {
            NodeKind::UserInput(question) => check_question(question),
            NodeKind::LlmDecision(task) => {
                let silent =
                    is_blank(&task.prompt).then_some((NodeField::Prompt, NodeFault::NoPrompt));
                let empty = task
                    .choices
                    .is_empty()
                    .then_some((NodeField::Choices, NodeFault::NoChoices));
                silent
                    .into_iter()
                    .chain(empty)
                    .chain(check_answers(NodeField::Choices, &task.choices))
                    .collect()
            }
            NodeKind::Condition(task) => {
                self.check_condition(node, NodeField::Condition, &task.condition)
            }
            NodeKind::ToolCall(call) => {
                check_tool_names(NodeField::ToolName, std::slice::from_ref(call))
            }
            NodeKind::Parallel(task) if task.steps.is_empty() => {
                vec![(NodeField::Steps, NodeFault::NoCalls)]
            }
            NodeKind::Parallel(task) => check_tool_names(NodeField::Steps, &task.steps),
            NodeKind::Loop(task) => self.check_loop(node, task),
            NodeKind::Agent(task) => check_session(task).into_iter().collect(),
            NodeKind::Command(_)
            | NodeKind::SubPlan(_)
            | NodeKind::Note(_)
            | NodeKind::Planning(_) => Vec::new(),
        }
    }

    fn check_loop(&self, node: &Node, task: &LoopTask) -> Vec<FieldFault> {
        let mut found = match &task.body {
            LoopBody::Tool(call) => {
                check_tool_names(NodeField::ToolName, std::slice::from_ref(call))
            }
            LoopBody::Plan(_) => Vec::new(),
        };
        if let Some(condition) = &task.loop_condition {
            found.extend(self.check_condition(node, NodeField::LoopCondition, condition));
        }
        found
    }

    fn check_sub_plan(&self, task: &SubPlanTask) -> Option<NodeFault> {
        let named = task.sub_plan_id.trim();
        if named.is_empty() {
            return Some(NodeFault::NoSubPlan);
        }
        let is_own = named == self.plan.id.to_string() || named == self.plan.title.trim();
        is_own.then_some(NodeFault::SubPlanOfItself)
    }

    fn check_condition(&self, node: &Node, field: NodeField, text: &str) -> Vec<FieldFault> {
        let expression = match Expression::parse(text) {
            Ok(expression) => expression,
            Err(ExpressionError::Empty) => return vec![(field, NodeFault::NoCondition)],
            Err(error) => {
                return vec![(
                    field,
                    NodeFault::BadCondition {
                        reason: error.to_string(),
                    },
                )];
            }
        };
        expression
            .slugs()
            .into_iter()
            .filter_map(|slug| Some((field, self.check_reference(node, slug)?)))
            .collect()
    }

    fn check_reference(&self, node: &Node, slug: &str) -> Option<NodeFault> {
        let Some(&named) = self.slugs.get(slug) else {
            let known = self
                .plan
                .nodes
                .iter()
                .filter(|other| other.is_executable())
                .map(|other| other.slug.as_str());
            let nearest = closest_match(slug, known).map(str::to_owned);
            return Some(NodeFault::UnknownNode {
                slug: slug.to_owned(),
                nearest,
            });
        };
        if named == node.id {
            return Some(NodeFault::AboutItself);
        }
        let is_before = self
            .graph
            .is_none_or(|graph| comes_before(graph, named, node.id));
        (!is_before).then(|| NodeFault::NotBefore {
            slug: slug.to_owned(),
        })
    }

    fn check_jump(&self, node: &Node, jump: Jump, target: NodeId) -> Option<NodeFault> {
        if !node.is_executable() {
            return Some(NodeFault::JumpOfNote);
        }
        if target == node.id {
            return Some(NodeFault::JumpToItself { jump });
        }
        let Some(target) = self.nodes.get(&target) else {
            return Some(NodeFault::JumpNowhere { jump });
        };
        if !target.is_executable() {
            return Some(NodeFault::JumpToNote {
                jump,
                target: target.title.clone(),
            });
        }
        // In a plan file, this ID would be parsed as the policy.
        let is_word = jump == Jump::Failure && matches!(target.slug.as_str(), "abort" | "skip");
        is_word.then(|| NodeFault::JumpToWord {
            slug: target.slug.to_string(),
        })
    }
}

/// The node whose jump closes `cycle`, and its fault; `None` if the cycle consists of edges only.
pub(super) fn jump_back<'p>(plan: &'p Plan, cycle: &Cycle) -> Option<(&'p Node, FieldFault)> {
    let drawn: HashSet<_> = plan
        .edges
        .iter()
        .map(|edge| (edge.parent, edge.child))
        .collect();
    let nodes = plan.nodes_by_id();
    let mut links = cycle.path.windows(2).enumerate();
    let (at, node, jump) = links.find_map(|(at, link)| {
        let node = nodes
            .get(&link[0])
            .filter(|_| !drawn.contains(&(link[0], link[1])))?;
        let (jump, _) = jumps(node).find(|&(_, target)| target == link[1])?;
        Some((at, *node, jump))
    })?;
    let ring = cycle.titles.len().saturating_sub(1);
    let titles = (0..=ring)
        .map(|step| cycle.titles[(at + 1 + step) % ring].clone())
        .collect();
    Some((node, (jump.field(), NodeFault::JumpBack { jump, titles })))
}

/// Whether the node has a jump to itself, which is reported as a fault of the jump.
pub(super) fn jumps_to_itself(plan: &Plan, node: NodeId) -> bool {
    plan.node(node)
        .is_some_and(|node| jumps(node).any(|(_, target)| target == node.id))
}

/// The targets at which the run continues after `node`.
fn jumps(node: &Node) -> impl Iterator<Item = (Jump, NodeId)> {
    let branch = |(taken, head)| {
        (
            if taken {
                Jump::TrueBranch
            } else {
                Jump::FalseBranch
            },
            head,
        )
    };
    let failure = match node.on_failure {
        OnFailure::Node(target) => Some((Jump::Failure, target)),
        OnFailure::Abort | OnFailure::Skip => None,
    };
    node.kind
        .branches()
        .map(branch)
        .chain(node.on_success.map(|target| (Jump::Success, target)))
        .chain(failure)
}

/// Whether the result of `named` is available when `node` starts, or may be through a soft edge.
fn comes_before(graph: &Graph, named: NodeId, node: NodeId) -> bool {
    let (Some(named), Some(node)) = (graph.number(named), graph.number(node)) else {
        return false;
    };
    if graph.context_parents(node).any(|parent| parent == named) {
        return true;
    }
    let (mut open, mut seen) = (vec![node], HashSet::new());
    while let Some(number) = open.pop() {
        for parent in graph.parents(number) {
            if parent == named {
                return true;
            }
            if seen.insert(parent) {
                open.push(parent);
            }
        }
    }
    false
}

fn check_session(task: &AgentTask) -> Option<FieldFault> {
    let session = task.session.as_ref()?;
    let fault = match &task.agent {
        _ if !EarlierSession::is_valid_id(&session.id) => NodeFault::BadSession {
            id: session.id.clone(),
        },
        Some(agent) if team_name(agent).is_none() => return None,
        _ => NodeFault::SessionOfNobody,
    };
    Some((NodeField::Session, fault))
}

fn check_question(question: &Question) -> Vec<FieldFault> {
    let mut found = Vec::new();
    if is_blank(&question.question) {
        found.push((NodeField::Question, NodeFault::NoQuestion));
    }
    if question.input_type == InputType::Choice && question.options.is_empty() {
        found.push((NodeField::Options, NodeFault::NoOptions));
    }
    found.extend(check_answers(NodeField::Options, &question.options));
    found
}

fn check_answers(field: NodeField, answers: &[String]) -> Option<FieldFault> {
    let mut seen = HashSet::new();
    answers.iter().find_map(|answer| {
        if is_blank(answer) {
            return Some((field, NodeFault::EmptyAnswer));
        }
        (!seen.insert(answer.trim())).then(|| {
            (
                field,
                NodeFault::RepeatedAnswer {
                    answer: answer.clone(),
                },
            )
        })
    })
}

fn check_tool_names(field: NodeField, calls: &[ToolCall]) -> Vec<FieldFault> {
    let is_nameless = calls.iter().any(|call| is_blank(&call.tool_name));
    is_nameless
        .then_some((field, NodeFault::NoTool))
        .into_iter()
        .collect()
}

fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}

fn bad_locks(node: &Node) -> impl Iterator<Item = FieldFault> {
    let bad = node.locks.iter().filter(|name| !is_lock_name(name));
    bad.map(|name| (NodeField::Locks, NodeFault::BadLock { name: name.clone() }))
}
