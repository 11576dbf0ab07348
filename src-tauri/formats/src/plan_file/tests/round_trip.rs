//! Plans survive writing and reading unchanged, and the output is always the same.

use std::collections::BTreeMap;

use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;
use serde_json::Value;
use uuid::Uuid;

use super::{Format, read_as, write};
use baton_model::Direction;
use baton_model::isolation::Isolation;
use baton_model::node::{
    AfterCrash, AgentTask, Budget, CommandLine, CommandTask, ConditionTask, DecisionTask,
    EarlierSession, InputType, LoopBody, LoopTask, Note, NoteSize, OnFailure, ParallelTask,
    Position, Question, SubPlanTask, ToolCall, TriggerRule,
};
use baton_model::node::{Criterion, OnFailedCriterion, OnUnverified, Review};
use baton_model::plan::{
    Autonomy, ContextArtifact, OnTakeover, Origin, PlanContext, PlanSettings, ReplanMode, Risk,
    Source, ToolOutput, ToolScopeMode,
};
use baton_model::sandbox::SandboxMode;
use baton_model::session_tools::SessionTools;
use baton_model::{Color, Edge, Group, GroupId, Node, NodeId, NodeKind, Plan, PlanId, Slug};

// Strategies are boxed, because nested ones would overflow the stack of a test.

/// Texts that YAML emitters are known to get wrong.
const AWKWARD: &[&str] = &[
    "",
    " ",
    "  ",
    "\n",
    "\n\n",
    "a\n",
    "a\n\n",
    "\na",
    "a\n\nb",
    " a\nb",
    "a \nb",
    "a\n b",
    "a -",
    "a\n\tb",
    "\ta",
    "a\tb\nc",
    "a\n ",
    "a\r\nb",
    "a\rb",
    "\0",
    "\u{7f}",
    "\u{1b}[31m",
    "\u{85}",
    "\u{2028}",
    "\u{2029}",
    "\u{feff}",
    "a\u{feff}\nb",
    "\u{a0}",
    "a\u{a0}",
    "😀",
    "😀\nline",
    "👩‍👩‍👧",
    "مرحبا",
    "שלום: עולם",
    "\u{202e}abc",
    "a\u{2066}\nb",
    "é",
    "日本語",
    "\u{10ffff}",
    "\u{fffe}",
    "---",
    "--- a",
    "...",
    "-",
    "- a",
    "-a",
    "--flag",
    "-1",
    "?",
    "? a",
    "?a",
    ":",
    "a:",
    "a: b",
    ":a",
    "a:b",
    "http://x/y#z",
    "# c",
    "a # c",
    "a #c",
    "a#",
    "'",
    "\"",
    "''",
    "\"a\"",
    "it's",
    "say \"hi\" it's",
    "\\",
    "a\\nb",
    "C:\\dir",
    "!tag",
    "!",
    "&x",
    "*x",
    "%",
    "%YAML 1.2",
    "@",
    "`",
    "|",
    ">",
    ">-",
    "|2",
    "null",
    "Null",
    "~",
    "true",
    "False",
    "yes",
    "No",
    "on",
    "y",
    "1",
    "01",
    "0o7",
    "0x1",
    "1e3",
    "1.5",
    ".5",
    "1.",
    "+1",
    ".inf",
    "-.INF",
    ".nan",
    "1_000",
    "12:30",
    "12:30:45",
    "2024-01-01",
    "2024-01-01T10:00:00Z",
    "0b1",
    "=",
    "<<",
    "[",
    "]",
    "[a]",
    "{",
    "}",
    "{a: b}",
    "a, b",
    ",",
    "a]b",
    "{{x}}",
    "key: |\n  text",
    "- a\n- b",
    "# a\nb",
    "a\n# b",
    "---\na",
    "a\n---\nb",
    "a\n...\n",
    "%TAG\na",
    "? a\n: b",
    "a:\nb",
    "\u{301}a",
    "\u{e000}",
    "\u{fffd}",
    "echo \"a: $(b)\" | c > d # e",
    "\u{200f}a",
    "\u{200d}",
];

fn text() -> BoxedStrategy<String> {
    let awkward = || proptest::sample::select(AWKWARD).prop_map(str::to_owned);
    prop_oneof![
        3 => awkward(),
        2 => (awkward(), awkward()).prop_map(|(a, b)| a + &b),
        2 => vec(awkward(), 1..4).prop_map(|lines| lines.join("\n")),
        2 => "[a-zA-Z ,.:#'\"\\-\n\t]{0,40}",
        1 => any::<String>(),
        1 => vec(any::<char>(), 0..8).prop_map(|chars| chars.into_iter().collect()),
        1 => "[ -~]{90,140}",
    ]
    .boxed()
}

fn title() -> impl Strategy<Value = String> {
    text().prop_filter("a title has 1 to 500 characters", |text| {
        !text.trim().is_empty() && text.chars().count() <= 500
    })
}

fn json() -> impl Strategy<Value = Value> {
    let number = prop_oneof![
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>()
            .prop_filter("JSON has only finite numbers", |number| number.is_finite())
            .prop_map(Value::from),
        proptest::sample::select(&[0.0, -0.0, 1e16, 1e-7, 5e-324, 1.0][..]).prop_map(Value::from),
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        number,
        text().prop_map(Value::from)
    ];
    leaf.prop_recursive(4, 12, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            btree_map(text(), inner, 0..4).prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

fn metadata() -> BoxedStrategy<serde_json::Map<String, Value>> {
    btree_map(text(), json(), 0..3)
        .prop_map(|map| map.into_iter().collect())
        .boxed()
}

fn budget() -> BoxedStrategy<Budget> {
    let cost = prop_oneof![(1..100_u32).prop_map(f64::from), 0.001..1e9, Just(5e-324)];
    (option::of(1..=u64::MAX), option::of(cost))
        .prop_map(|(tokens, cost_usd)| Budget { tokens, cost_usd })
        .boxed()
}

fn tool_scope() -> impl Strategy<Value = ToolScopeMode> {
    proptest::sample::select(
        &[
            ToolScopeMode::ByLevel,
            ToolScopeMode::Off,
            ToolScopeMode::Log,
            ToolScopeMode::Enforce,
        ][..],
    )
}

fn isolation() -> BoxedStrategy<Isolation> {
    prop_oneof![Just(Isolation::Shared), Just(Isolation::Worktree)].boxed()
}

fn sandbox() -> BoxedStrategy<SandboxMode> {
    prop_oneof![Just(SandboxMode::On), Just(SandboxMode::Off)].boxed()
}

fn settings() -> BoxedStrategy<PlanSettings> {
    let numbers = (
        option::of(0..=4_u8),
        option::of(1..=1000_u32),
        1..=10_u8,
        (any::<u32>(), 0..=100_u32),
        (
            option::of(any::<u64>()),
            option::of(any::<u64>()),
            option::of(any::<u64>()),
        ),
        option::of(1..=10_u8),
    );
    let whose = (btree_map(text(), 1..=1000_u32, 0..3), option::of(text()));
    let limits = (
        budget(),
        whose,
        any::<bool>(),
        (isolation(), option::of(text()), sandbox()),
    );
    let replan = proptest::sample::select(&[ReplanMode::Off, ReplanMode::Propose][..]);
    let review = option::of(
        (option::of(text()), option::of(text())).prop_map(|(agent, model)| Review { agent, model }),
    );
    let unverified = proptest::sample::select(&[OnUnverified::Continue, OnUnverified::Fail][..]);
    let failed =
        proptest::sample::select(&[OnFailedCriterion::Continue, OnFailedCriterion::Fail][..]);
    let tools = proptest::sample::select(
        &[SessionTools::Automatic, SessionTools::On, SessionTools::Off][..],
    );
    let takeover = proptest::sample::select(
        &[OnTakeover::Continue, OnTakeover::Verify, OnTakeover::Review][..],
    );
    let scope = (
        tool_scope(),
        vec(non_blank_text(), 0..3),
        replan,
        review,
        (unverified, failed, takeover, tools),
        vec(text(), 0..3),
    );
    (
        numbers,
        limits,
        option::of(text()),
        vec(text(), 0..3),
        vec(text(), 0..3),
        scope,
    )
        .prop_map(
            |(
                numbers,
                (budget, (agent_concurrency, agent), takeover_allowed, worktrees),
                project,
                tags,
                constraints,
                scope,
            )| {
                let (
                    autonomy,
                    concurrency,
                    priority,
                    (max_retries, plan_retries),
                    timeouts,
                    complexity,
                ) = numbers;
                let autonomy = autonomy.map(|level| Autonomy::try_from(level).expect("0 to 4"));
                PlanSettings {
                    autonomy,
                    agent,
                    tool_scope: scope.0,
                    guarded_tools: scope.1,
                    tools_required: scope.5,
                    review: scope.3,
                    on_unverified: scope.4.0,
                    on_failed_criterion: scope.4.1,
                    concurrency,
                    priority,
                    plan_retries,
                    max_retries,
                    replan: scope.2,
                    on_failure: worktrees.1.clone(),
                    timeout_ms: timeouts.0,
                    agent_timeout_ms: timeouts.1,
                    command_timeout_ms: timeouts.2,
                    budget,
                    agent_concurrency,
                    takeover_allowed,
                    on_takeover: scope.4.2,
                    isolation: worktrees.0,
                    worktree_setup: worktrees.1,
                    sandbox: worktrees.2,
                    session_tools: scope.4.3,
                    project,
                    tags,
                    complexity,
                    constraints,
                }
            },
        )
        .boxed()
}

fn origin() -> BoxedStrategy<Origin> {
    let source = proptest::sample::select(
        &[
            Source::User,
            Source::Agent,
            Source::Trigger,
            Source::Import,
            Source::Example,
        ][..],
    );
    let names = proptest::array::uniform7(option::of(text()));
    (source, names, vec(text(), 0..3))
        .prop_map(|(source, names, informed_by)| {
            let [
                source_id,
                user,
                created_by,
                planner_model,
                executor_model,
                goal,
                trigger,
            ] = names;
            Origin {
                source,
                source_id,
                user,
                created_by,
                planner_model,
                executor_model,
                informed_by,
                goal,
                trigger,
            }
        })
        .boxed()
}

fn kind() -> BoxedStrategy<NodeKind> {
    let command = prop_oneof![
        text()
            .prop_filter("a command has a program", |line| !line.trim().is_empty())
            .prop_map(CommandLine::Shell),
        ("[a-z]{1,4}", vec(text(), 0..3)).prop_map(|(program, arguments)| {
            CommandLine::Argv(std::iter::once(program).chain(arguments).collect())
        }),
    ];
    prop_oneof![
        (
            option::of(text()),
            option::of(text()),
            text(),
            option::of(tool_scope())
        )
            .prop_map(|(agent, model, prompt, tool_scope)| {
                NodeKind::Agent(AgentTask {
                    agent,
                    model,
                    prompt,
                    tool_scope,
                    session: None,
                })
            }),
        (text(), "[a-z0-9][a-z0-9-]{0,8}", any::<bool>()).prop_map(|(agent, id, fork)| {
            let session = Some(EarlierSession { id, fork });
            NodeKind::Agent(AgentTask {
                agent: Some(agent),
                session,
                ..AgentTask::default()
            })
        }),
        (command, btree_map(text(), text(), 0..3), option::of(text())).prop_map(
            |(command, env, cwd): (_, BTreeMap<_, _>, _)| NodeKind::Command(CommandTask {
                command,
                env,
                cwd
            })
        ),
        note().prop_map(NodeKind::Note),
        call().prop_map(NodeKind::ToolCall),
        (
            option::of(text()),
            option::of(text()),
            non_blank_text(),
            non_blank_text(),
            answers()
        )
            .prop_map(|(agent, model, prompt, first, mut choices)| {
                choices.retain(|choice| choice.trim() != first.trim());
                choices.push(first);
                NodeKind::LlmDecision(DecisionTask {
                    agent,
                    model,
                    prompt,
                    choices,
                })
            }),
        question().prop_map(NodeKind::UserInput),
        condition().prop_map(|condition| {
            // Targets are set when all nodes exist.
            NodeKind::Condition(ConditionTask {
                condition,
                true_step: None,
                false_step: None,
            })
        }),
        (vec(call(), 1..4), any::<bool>(), 1..=1000_u32).prop_map(
            |(steps, wait_all, max_concurrent)| {
                NodeKind::Parallel(ParallelTask {
                    steps,
                    wait_all,
                    max_concurrent,
                })
            }
        ),
        (
            prop_oneof![
                call().prop_map(LoopBody::Tool),
                sub_plan().prop_map(LoopBody::Plan)
            ],
            1..=1000_u32,
            option::of(condition())
        )
            .prop_map(
                |(body, max_iterations, loop_condition)| NodeKind::Loop(LoopTask {
                    body,
                    max_iterations,
                    loop_condition
                })
            ),
        sub_plan().prop_map(NodeKind::SubPlan),
    ]
    .boxed()
}

fn color() -> impl Strategy<Value = Color> {
    let all = &[
        Color::Gray,
        Color::Blue,
        Color::Teal,
        Color::Green,
        Color::Yellow,
        Color::Red,
        Color::Purple,
    ];
    proptest::sample::select(&all[..])
}

fn note() -> BoxedStrategy<Note> {
    let size = (NoteSize::WIDTHS, NoteSize::HEIGHTS)
        .prop_map(|(width, height)| NoteSize { width, height });
    (text(), option::of(color()), option::of(size))
        .prop_map(|(text, color, size)| Note { text, color, size })
        .boxed()
}

fn non_blank_text() -> impl Strategy<Value = String> {
    text().prop_filter("must not be blank", |text| !text.trim().is_empty())
}

fn call() -> BoxedStrategy<ToolCall> {
    (non_blank_text(), metadata())
        .prop_map(|(tool_name, tool_args)| ToolCall {
            tool_name,
            tool_args,
        })
        .boxed()
}

/// Never the plan's own title.
fn sub_plan() -> impl Strategy<Value = SubPlanTask> {
    (text(), text()).prop_map(|(id, prompt)| SubPlanTask {
        sub_plan_id: format!("another plan{id}"),
        prompt,
    })
}

fn answers() -> impl Strategy<Value = Vec<String>> {
    vec(non_blank_text(), 0..4).prop_map(|mut answers| {
        let mut seen = std::collections::HashSet::new();
        answers.retain(|answer| seen.insert(answer.trim().to_owned()));
        answers
    })
}

fn question() -> BoxedStrategy<Question> {
    let types =
        proptest::sample::select(&[InputType::Text, InputType::Choice, InputType::Confirm][..]);
    (non_blank_text(), types, answers(), option::of(any::<u64>()))
        .prop_map(|(question, input_type, options, timeout)| {
            let is_open = input_type == InputType::Choice && options.is_empty();
            Question {
                question,
                input_type: if is_open { InputType::Text } else { input_type },
                options,
                timeout,
            }
        })
        .boxed()
}

fn condition() -> impl Strategy<Value = String> {
    let conditions = &[
        "true",
        "false",
        "iteration < 3",
        "{{ result != 'done: #1' }}",
        " result.count > 1 and true\n",
    ][..];
    proptest::sample::select(conditions).prop_map(str::to_owned)
}

fn position() -> impl Strategy<Value = Option<Position>> {
    let number = || {
        prop_oneof![
            (-1000..1000).prop_map(f64::from),
            -1e6..1e6,
            Just(-0.0),
            Just(1e300)
        ]
    };
    option::of((number(), number()).prop_map(|(x, y)| Position { x, y }))
}

fn criterion() -> impl Strategy<Value = Criterion> {
    prop_oneof![
        text().prop_map(Criterion::Sentence),
        (text(), any::<bool>()).prop_map(|(run, verify_on_takeover)| Criterion::Run {
            run,
            verify_on_takeover
        }),
        text().prop_map(|ask| Criterion::Ask { ask }),
    ]
}

fn node(number: usize) -> BoxedStrategy<Node> {
    let texts = (option::of(title()), text(), text(), option::of(text()));
    let locks = vec(
        proptest::sample::select(&["build", "port:3000", "the database"][..]),
        0..3,
    );
    let lists = (vec(criterion(), 0..4), vec(text(), 0..3), metadata(), locks);
    let rule = option::of(proptest::sample::select(
        &[
            TriggerRule::AllSuccess,
            TriggerRule::AllDone,
            TriggerRule::OneFailed,
            TriggerRule::NoneFailedMinOneSuccess,
        ][..],
    ));
    let numbers = (
        0..=100_u32,
        option::of(any::<u64>()),
        1..=10_u8,
        position(),
        any::<(bool, bool)>(),
    );
    let crash =
        proptest::sample::select(&[AfterCrash::Ask, AfterCrash::Resume, AfterCrash::Restart][..]);
    let policies = (
        rule,
        vec(any::<i32>(), 0..3),
        crash,
        option::of(any::<u64>()),
        (budget(), option::of(isolation()), option::of(sandbox())),
    );
    (texts, lists, kind(), policies, numbers)
        .prop_map(move |(texts, lists, kind, policies, numbers)| {
            let (
                trigger_rule,
                retry_exit_codes,
                after_crash,
                silent_after_ms,
                (budget, isolation, sandbox),
            ) = policies;
            let (title, description, instructions, suggested_agent) = texts;
            let (acceptance_criteria, tools_required, metadata, locks) = lists;
            let (max_retries, timeout_ms, priority, position, (skips, disabled)) = numbers;
            let slug = Slug::new(["n", "1e", "0x", "yes-"][number % 4])
                .expect("valid slug")
                .to_string()
                + &number.to_string();
            let slug = Slug::new(&slug).expect("valid slug");
            Node {
                id: NodeId(Uuid::from_u128(number as u128 + 2)),
                title: title.unwrap_or_else(|| slug.to_string()),
                slug,
                description,
                kind,
                instructions,
                acceptance_criteria,
                tools_required,
                suggested_agent,
                trigger_rule,
                max_retries,
                retry_exit_codes,
                after_crash,
                timeout_ms,
                silent_after_ms,
                budget,
                on_success: None,
                on_failure: if skips {
                    OnFailure::Skip
                } else {
                    OnFailure::Abort
                },
                isolation,
                sandbox,
                locks: locks.into_iter().map(str::to_owned).collect(),
                priority,
                disabled,
                position,
                keeps_place: position.is_some() && number.is_multiple_of(2),
                metadata,
            }
        })
        .boxed()
}

/// Ids are those that [`read_as`] assigns, so that plans can be compared directly.
fn plan() -> impl Strategy<Value = Plan> {
    let nodes = (0..4_usize).prop_flat_map(|count| (0..count).map(node).collect::<Vec<_>>());
    let chosen = (
        any::<u16>(),
        vec(any::<proptest::sample::Index>(), 4),
        groups(),
    );
    (
        nodes,
        title(),
        text(),
        option::of(text()),
        settings(),
        origin(),
        metadata(),
        chosen,
        plan_context(),
    )
        .prop_map(
            |(
                mut nodes,
                title,
                description,
                cwd,
                settings,
                origin,
                metadata,
                (chosen, jumps, mut groups),
                (context, risks),
            )| {
                let edges = edges(&nodes, chosen);
                add_jumps(&mut nodes, &jumps);
                let id = PlanId(Uuid::from_u128(1));
                for (place, group) in groups.iter_mut().enumerate() {
                    group.id = GroupId(Uuid::from_u128((nodes.len() + place) as u128 + 2));
                    let members = nodes
                        .iter()
                        .zip(0..)
                        .filter(|(_, node)| chosen >> node & 3 == place as u16);
                    group.nodes = members.map(|(node, _)| node.id).collect();
                }
                let direction = if chosen % 2 == 0 {
                    Direction::LeftRight
                } else {
                    Direction::TopDown
                };
                Plan {
                    id,
                    title,
                    description,
                    cwd,
                    nodes,
                    edges,
                    groups,
                    direction,
                    context,
                    risks,
                    settings,
                    origin,
                    metadata,
                }
            },
        )
}

fn plan_context() -> BoxedStrategy<(PlanContext, Vec<Risk>)> {
    let output = (text(), text(), metadata()).prop_map(|(tool, operation, data)| ToolOutput {
        tool,
        operation,
        data: data.into(),
    });
    let artifact =
        (text(), option::of(text())).prop_map(|(name, path)| ContextArtifact { name, path });
    let risk =
        (text(), option::of(text())).prop_map(|(text, mitigation)| Risk { text, mitigation });
    let context = (btree_map(text(), output, 0..3), text(), vec(artifact, 0..3));
    let context = context.prop_map(|(tool_outputs, notes, artifacts)| PlanContext {
        tool_outputs,
        notes,
        artifacts,
    });
    (context, vec(risk, 0..3)).boxed()
}

/// Groups without members yet.
fn groups() -> impl Strategy<Value = Vec<Group>> {
    let group = |(title, color)| Group {
        id: GroupId(Uuid::nil()),
        title,
        color,
        nodes: Vec::new(),
    };
    vec((title(), color()).prop_map(group), 0..4)
}

/// Edges from earlier to later nodes, in the order of a file. The bits of `chosen` select which
/// exist, and which are soft.
fn edges(nodes: &[Node], chosen: u16) -> Vec<Edge> {
    let pairs = nodes
        .iter()
        .enumerate()
        .flat_map(|(position, child)| nodes[..position].iter().map(move |parent| (parent, child)));
    let pairs = pairs.filter(|(parent, child)| parent.is_executable() && child.is_executable());
    let numbered = pairs.zip(0..8).filter(|(_, bit)| chosen >> bit & 1 == 1);
    numbered
        .map(|((parent, child), bit)| Edge {
            parent: parent.id,
            child: child.id,
            soft: chosen >> (bit + 8) & 1 == 1,
            inferred: chosen >> ((bit + 3) % 8 + 8) & 1 == 1,
        })
        .collect()
}

/// Adds jumps to later nodes, or none.
fn add_jumps(nodes: &mut [Node], jumps: &[proptest::sample::Index]) {
    for at in 0..nodes.len() {
        let later: Vec<NodeId> = nodes[at + 1..]
            .iter()
            .filter(|node| node.is_executable())
            .map(|node| node.id)
            .collect();
        if later.is_empty() || !nodes[at].is_executable() {
            continue;
        }
        let target = *jumps[at].get(&later);
        match (jumps[at].index(5), &mut nodes[at].kind) {
            (0, _) => nodes[at].on_success = Some(target),
            (1, _) => nodes[at].on_failure = OnFailure::Node(target),
            (2, NodeKind::Condition(task)) => task.true_step = Some(target),
            (3, NodeKind::Condition(task)) => task.false_step = Some(target),
            _ => {}
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn plan_file_round_trips(plan in plan()) {
        let yaml = write(&plan, Format::Yaml);
        let json = write(&plan, Format::Json);
        let document = write(&plan, Format::Markdown);
        for (text, format) in [
            (&yaml, Format::Yaml),
            (&json, Format::Json),
            (&document, Format::Markdown),
        ] {
            let back = read_as(text, format).unwrap_or_else(|error| panic!("{error}\n{text}")).plan;
            prop_assert_eq!(&back, &plan, "{}", text);
            prop_assert_eq!(&write(&back, Format::Yaml), &yaml, "through {}", format);
            prop_assert_eq!(&write(&back, Format::Json), &json, "through {}", format);
            prop_assert_eq!(&write(&back, Format::Markdown), &document, "through {}", format);
        }
    }

    #[test]
    fn parsed_plans_have_no_problems(text in "(baton: 1\n)?(title: [a-z]{0,2}\n)?(priority: [0-9]{1,2}\n)?nodes:\n(  - id: [ab]\n(    dependsOn: \\[[ab](, [ab])?\\]\n)?){0,4}") {
        if let Ok(file) = read_as(&text, Format::Yaml) {
            prop_assert_eq!(file.plan.problems(), []);
        }
    }

    #[test]
    fn reader_never_panics(text in "[a-c:\\-\\[\\]{}&*!|>'\"%@`#?,. \n\t0-9~]{0,60}") {
        for format in [Format::Yaml, Format::Json] {
            if let Err(error) = read_as(&format!("baton: 1\nmetadata: {text}"), format) {
                prop_assert!(!error.faults.is_empty(), "a refusal has a reason");
            }
        }
    }
}

#[test]
fn awkward_texts_round_trip() {
    for awkward in AWKWARD {
        let mut plan = Plan::new(PlanId(Uuid::from_u128(1)), "Awkward");
        plan.description = (*awkward).to_owned();
        plan.settings.tags = vec![(*awkward).to_owned(), "b".to_owned()];
        plan.settings.constraints = vec![(*awkward).to_owned(), "x".repeat(120)];
        plan.metadata.insert(
            (*awkward).to_owned(),
            Value::from(vec![Value::from(vec![*awkward])]),
        );
        plan.metadata
            .insert("k".repeat(1100) + awkward, Value::from(*awkward));
        plan.nodes = Vec::new();
        for format in [Format::Yaml, Format::Json, Format::Markdown] {
            let text = write(&plan, format);
            let back = read_as(&text, format)
                .unwrap_or_else(|error| panic!("{awkward:?}: {error}\n{text}"));
            assert_eq!(back.plan, plan, "{awkward:?} in\n{text}");
        }
    }
}
