//! Plans and moves as numbers, so that a failing run shrinks to a short one.

use proptest::prelude::*;

use super::scenario::{failed, lost};
use crate::node::{
    AfterCrash, AgentTask, ConditionTask, InputType, NodeKind, OnFailure, Question, ToolCall,
    TriggerRule,
};
use crate::outcome::Failure;
use crate::plan::Autonomy;
use crate::plan_fixture::{node_id, plan_of};
use crate::run::Answer;
use crate::{Edge, Outcome, Plan, Timestamp};

/// The maximum number of nodes. Choices of nodes are numbers in this range.
const NODES: usize = 16;

#[derive(Debug, Clone)]
pub(super) struct Recipe {
    nodes: Vec<NodeRecipe>,
    pub(super) limit: u32,
    pub(super) goal: Option<usize>,
    autonomy: u8,
    tokens: Option<u64>,
    timeout_ms: Option<u64>,
    plan_retries: u32,
    agents: u32,
    /// The list order differs from the order of dependencies.
    shuffled: bool,
}

#[derive(Debug, Clone)]
struct NodeRecipe {
    parents: u32,
    rule: Option<TriggerRule>,
    kind: KindRecipe,
    failure: FailureRecipe,
    success: Option<usize>,
    retries: u32,
    only_code: Option<i32>,
    after_crash: AfterCrash,
    tokens: Option<u64>,
    priority: u8,
    place: u8,
}

#[derive(Debug, Clone, Copy)]
enum KindRecipe {
    Command,
    Guarded,
    Harmless,
    Agent {
        named: bool,
    },
    Fork {
        one: usize,
        other: Option<usize>,
    },
    Input {
        input_type: InputType,
        timeout: Option<u64>,
    },
}

#[derive(Debug, Clone, Copy)]
enum FailureRecipe {
    Abort,
    Skip,
    Jump(usize),
}

/// What happens next, in the executor or by a person. Numbers select among the possibilities.
#[derive(Debug, Clone)]
pub(super) enum Move {
    Start {
        choice: usize,
        report: bool,
    },
    Report {
        choice: usize,
    },
    Ask {
        choice: usize,
        which: u8,
    },
    Answer {
        choice: usize,
        which: usize,
        answer: Answer,
    },
    Use {
        choice: usize,
        tokens: u64,
    },
    Silence {
        choice: usize,
        silent: bool,
    },
    End {
        choice: usize,
        outcome: Outcome,
        taken: Option<bool>,
    },
    Withdraw {
        choice: usize,
    },
    Ring,
    Wait {
        ms: u64,
    },
    Crash,
    /// The next step is stored, and the executor dies before it performs any effect.
    CrashInNext,
    Person(Wish),
    LateNews {
        node: usize,
    },
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Wish {
    Pause { stop_running: bool },
    Resume,
    Cancel,
    Retry { node: usize, resume: bool },
    RerunFrom(usize),
    Rerun(usize),
    Continue(usize),
    RerunStale,
    RerunFailed,
    Stop(usize),
    Skip { node: usize, stop: bool },
    MarkDone { node: usize, stop: bool },
    MarkFailed(usize),
    Edit(usize),
    Want(Option<usize>),
    Approve { choice: usize, allow: bool },
    Give { choice: usize, right: bool },
    Checkpoint,
    Rollback(usize),
    Replan,
    EndReplan { choice: usize },
}

pub(super) fn plans() -> impl Strategy<Value = Recipe> {
    let goal = prop::option::weighted(0.2, 0..NODES);
    let settings = (
        prop_oneof![6 => Just(1_u8), 1 => Just(0), 2 => Just(2)],
        prop::option::weighted(0.2, 0..300_u64),
        (
            prop::option::weighted(0.1, 500..6000_u64),
            prop_oneof![3 => Just(0_u32), 1 => 1..3_u32],
        ),
        0..3_u32,
        any::<bool>(),
    );
    (
        prop::collection::vec(node(), 0..=NODES),
        1..5_u32,
        goal,
        settings,
    )
        .prop_map(
            |(
                nodes,
                limit,
                goal,
                (autonomy, tokens, (timeout_ms, plan_retries), agents, shuffled),
            )| Recipe {
                nodes,
                limit,
                goal,
                autonomy,
                tokens,
                timeout_ms,
                plan_retries,
                agents,
                shuffled,
            },
        )
}

fn node() -> impl Strategy<Value = NodeRecipe> {
    let rule = prop_oneof![
        4 => Just(None),
        2 => Just(Some(TriggerRule::AllSuccess)),
        1 => Just(Some(TriggerRule::AllDone)),
        1 => Just(Some(TriggerRule::OneSuccess)),
        1 => Just(Some(TriggerRule::OneFailed)),
        1 => Just(Some(TriggerRule::NoneFailed)),
        1 => Just(Some(TriggerRule::NoneFailedMinOneSuccess)),
    ];
    // Two combined random masks leave few parents, so that graphs are deep as well as wide.
    let parents = (any::<u32>(), any::<u32>()).prop_map(|(one, other)| one & other);
    let failure = prop_oneof![
        3 => Just(FailureRecipe::Abort),
        1 => Just(FailureRecipe::Skip),
        1 => (0..NODES).prop_map(FailureRecipe::Jump),
    ];
    let after_crash = prop_oneof![2 => Just(AfterCrash::Ask), 1 => Just(AfterCrash::Restart), 1 => Just(AfterCrash::Resume)];
    let retries = (0..3_u32, prop::option::weighted(0.2, 1..3_i32), after_crash);
    let rest = (
        prop::option::weighted(0.15, 0..NODES),
        prop::option::weighted(0.15, 0..200_u64),
        1..=10_u8,
        any::<u8>(),
    );
    (parents, rule, kinds(), failure, retries, rest).prop_map(
        |(
            parents,
            rule,
            kind,
            failure,
            (retries, only_code, after_crash),
            (success, tokens, priority, place),
        )| {
            NodeRecipe {
                parents,
                rule,
                kind,
                failure,
                success,
                retries,
                only_code,
                after_crash,
                tokens,
                priority,
                place,
            }
        },
    )
}

fn kinds() -> impl Strategy<Value = KindRecipe> {
    let input_type = prop_oneof![
        Just(InputType::Text),
        Just(InputType::Choice),
        Just(InputType::Confirm)
    ];
    prop_oneof![
        6 => Just(KindRecipe::Command),
        1 => Just(KindRecipe::Guarded),
        1 => Just(KindRecipe::Harmless),
        3 => any::<bool>().prop_map(|named| KindRecipe::Agent { named }),
        3 => (0..NODES, prop::option::of(0..NODES)).prop_map(|(one, other)| KindRecipe::Fork { one, other }),
        2 => (input_type, prop::option::of(200..3000_u64))
            .prop_map(|(input_type, timeout)| KindRecipe::Input { input_type, timeout }),
    ]
}

fn answers() -> impl Strategy<Value = Answer> {
    prop_oneof![
        6 => Just(Answer::AllowOnce),
        6 => "(no)?".prop_map(|reason| Answer::Deny { reason }),
        2 => Just(Answer::allow_node()),
        1 => Just(Answer::allow_plan()),
    ]
}

pub(super) fn moves() -> impl Strategy<Value = Move> {
    let choice = || 0..NODES;
    prop_oneof![
        12 => (choice(), prop::bool::weighted(0.7)).prop_map(|(choice, report)| Move::Start { choice, report }),
        3 => choice().prop_map(|choice| Move::Report { choice }),
        4 => (choice(), 0..3_u8).prop_map(|(choice, which)| Move::Ask { choice, which }),
        6 => (choice(), 0..3_usize, answers())
            .prop_map(|(choice, which, answer)| Move::Answer { choice, which, answer }),
        3 => (choice(), 1..150_u64).prop_map(|(choice, tokens)| Move::Use { choice, tokens }),
        2 => (0..2_usize, any::<bool>()).prop_map(|(choice, silent)| Move::Silence { choice, silent }),
        14 => (choice(), outcomes(), prop::option::weighted(0.9, any::<bool>()))
            .prop_map(|(choice, outcome, taken)| Move::End { choice, outcome, taken }),
        4 => choice().prop_map(|choice| Move::Withdraw { choice }),
        3 => Just(Move::Ring),
        1 => (0..3000_u64).prop_map(|ms| Move::Wait { ms }),
        1 => Just(Move::Crash),
        1 => Just(Move::CrashInNext),
        14 => wishes().prop_map(Move::Person),
        1 => choice().prop_map(|node| Move::LateNews { node }),
    ]
}

fn outcomes() -> impl Strategy<Value = Outcome> {
    let failed_with = |failure| Just(Outcome::Failed { failure });
    prop_oneof![
        8 => Just(Outcome::Succeeded),
        3 => Just(failed()),
        1 => failed_with(Failure::ExitCode { code: 2 }),
        1 => failed_with(Failure::Signal { signal: 9 }),
        1 => failed_with(Failure::NotStarted { detail: "no such program".to_owned() }),
        2 => failed_with(Failure::Unavailable { detail: "overloaded".to_owned() }),
        2 => prop::option::of(0..60_000_i64).prop_map(limited),
        2 => Just(lost()),
        1 => Just(Outcome::Cancelled),
    ]
}

/// The scenario's clock starts near 0, so that some limits end in the past.
fn limited(reset_at: Option<i64>) -> Outcome {
    let (reset_at, detail) = (reset_at.map(Timestamp), "come back later".to_owned());
    Outcome::Failed {
        failure: Failure::UsageLimit { reset_at, detail },
    }
}

fn wishes() -> impl Strategy<Value = Wish> {
    let node = || 0..NODES;
    prop_oneof![
        2 => any::<bool>().prop_map(|stop_running| Wish::Pause { stop_running }),
        5 => Just(Wish::Resume),
        1 => Just(Wish::Cancel),
        3 => (node(), any::<bool>()).prop_map(|(node, resume)| Wish::Retry { node, resume }),
        1 => node().prop_map(Wish::RerunFrom),
        2 => node().prop_map(Wish::Rerun),
        2 => node().prop_map(Wish::Continue),
        1 => Just(Wish::RerunStale),
        1 => Just(Wish::RerunFailed),
        2 => node().prop_map(Wish::Stop),
        2 => (node(), any::<bool>()).prop_map(|(node, stop)| Wish::Skip { node, stop }),
        2 => (node(), any::<bool>()).prop_map(|(node, stop)| Wish::MarkDone { node, stop }),
        2 => node().prop_map(Wish::MarkFailed),
        3 => node().prop_map(Wish::Edit),
        2 => prop::option::of(node()).prop_map(Wish::Want),
        4 => (node(), prop::bool::weighted(0.8)).prop_map(|(choice, allow)| Wish::Approve { choice, allow }),
        4 => (node(), prop::bool::weighted(0.8)).prop_map(|(choice, right)| Wish::Give { choice, right }),
        2 => Just(Wish::Checkpoint),
        3 => (0..3_usize).prop_map(Wish::Rollback),
        3 => Just(Wish::Replan),
        2 => (0..3_usize).prop_map(|choice| Wish::EndReplan { choice }),
    ]
}

/// The plan, whose dependencies lead from lower to higher IDs.
pub(super) fn plan_from(recipe: &Recipe) -> Plan {
    let mut plan = plan_of(&vec!["Node"; recipe.nodes.len()], &[]);
    plan.settings.autonomy = Some(Autonomy::try_from(recipe.autonomy).expect("a level"));
    plan.settings.budget.tokens = recipe.tokens;
    plan.settings.timeout_ms = recipe.timeout_ms;
    plan.settings.plan_retries = recipe.plan_retries;
    if recipe.agents > 0 {
        plan.settings
            .agent_concurrency
            .insert("claude".to_owned(), recipe.agents);
    }
    for (number, node) in recipe.nodes.iter().enumerate() {
        for parent in (0..number).filter(|parent| node.parents >> parent & 1 == 1) {
            // One in eight edges is soft.
            let soft = (number + parent) % 8 == 7;
            plan.edges.push(Edge {
                parent: node_id(parent),
                child: node_id(number),
                soft,
                inferred: false,
            });
        }
        fill(&mut plan.nodes[number], node, |choice| {
            let below = recipe.nodes.len() - number - 1;
            (below > 0).then(|| node_id(number + 1 + choice % below.max(1)))
        });
    }
    if recipe.shuffled {
        plan.nodes
            .sort_by_key(|node| recipe.nodes[node.id.0.as_u128() as usize - 1].place);
    }
    plan
}

fn fill(
    node: &mut crate::Node,
    recipe: &NodeRecipe,
    later: impl Fn(usize) -> Option<crate::NodeId>,
) {
    node.trigger_rule = recipe.rule;
    node.max_retries = recipe.retries;
    node.retry_exit_codes = recipe.only_code.into_iter().collect();
    node.after_crash = recipe.after_crash;
    node.budget.tokens = recipe.tokens;
    node.priority = recipe.priority;
    node.on_success = recipe.success.and_then(&later);
    node.on_failure = match recipe.failure {
        FailureRecipe::Abort => OnFailure::Abort,
        FailureRecipe::Skip => OnFailure::Skip,
        FailureRecipe::Jump(choice) => later(choice).map_or(OnFailure::Abort, OnFailure::Node),
    };
    let call = |name: &str| ToolCall {
        tool_name: name.to_owned(),
        ..ToolCall::default()
    };
    match recipe.kind {
        KindRecipe::Command => {}
        KindRecipe::Guarded => node.kind = NodeKind::ToolCall(call("shell")),
        KindRecipe::Harmless => node.kind = NodeKind::ToolCall(call("read")),
        KindRecipe::Agent { named } => {
            let agent = named.then(|| "claude".to_owned());
            node.kind = NodeKind::Agent(AgentTask {
                agent,
                ..AgentTask::default()
            });
        }
        KindRecipe::Fork { one, other } => {
            let (true_step, false_step) = (later(one), other.and_then(&later));
            node.kind = NodeKind::Condition(ConditionTask {
                condition: "true".to_owned(),
                true_step,
                false_step,
            });
        }
        KindRecipe::Input {
            input_type,
            timeout,
        } => {
            let options = vec!["left".to_owned(), "right".to_owned()];
            node.kind = NodeKind::UserInput(Question {
                question: "Which?".to_owned(),
                input_type,
                options,
                timeout,
            });
        }
    }
}
