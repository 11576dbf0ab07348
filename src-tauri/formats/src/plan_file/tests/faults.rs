//! Files that are refused, and the messages for them.

use std::fmt::Write;

use super::{Format, read_as};
use crate::plan_file::FaultKind;

fn sentences(text: &str, format: Format) -> String {
    match read_as(text, format) {
        Ok(file) => panic!("must be refused: {text}\n{file:?}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn group_and_note_faults() {
    let nodes = "baton: 1\nnodes:\n  - {id: lint, title: Lint, kind: command, command: x}\n  - {id: test}\n";
    let groups = [
        ("no list", "groups: {title: A}\n"),
        ("no mapping", "groups: [lint]\n"),
        (
            "unknown key and color",
            "groups:\n  - {title: A, colr: red}\n  - {title: B, color: gren}\n",
        ),
        ("blank title", "groups: [{title: ' ', nodes: [test]}]\n"),
        (
            "unknown members",
            "groups:\n  - title: A\n    nodes: [lnt, [x]]\n  - nodes: [nobody]\n",
        ),
        (
            "twice in one group",
            "groups:\n  - title: A\n    nodes: [lint,\n      test, lint]\n",
        ),
        (
            "in two",
            "groups:\n  - {title: A, nodes: [lint]}\n  - {title: B, nodes: [test, lint]}\n",
        ),
    ];
    let groups = groups.map(|(name, groups)| (name, format!("{nodes}{groups}")));
    let notes = [
        ("a note's color", "color: orange"),
        ("a size in part", "size: {width: 100}"),
        ("a size out of range", "size: {width: 10, height: 100000}"),
        ("a size of words", "size: large"),
        ("of another kind", "kind: agent, color: red"),
    ];
    let notes = notes.map(|(name, keys)| {
        let kind = if keys.starts_with("kind") {
            ""
        } else {
            "kind: note, "
        };
        (
            name,
            format!("baton: 1\nnodes:\n  - {{id: n, {kind}{keys}}}\n"),
        )
    });
    let files: Vec<_> = groups
        .iter()
        .chain(&notes)
        .map(|(name, text)| (*name, text.as_str()))
        .collect();
    insta::assert_snapshot!(table(&files, Format::Yaml));
}

const NODES: &str = "baton: 1\nnodes:\n";

#[test]
fn yaml_faults() {
    let files = [
        ("empty", ""),
        ("only a comment", "# to do\n"),
        ("only a null", "---\n~\n"),
        ("a list", "- baton: 1\n"),
        ("a text", "hello"),
        ("no version", "title: A\nnodes: []\n"),
        ("version zero", "baton: 0\n"),
        ("version in quotes", "baton: \"1\"\n"),
        (
            "a newer version hides other faults",
            "baton: 2\nstages: []\n",
        ),
        ("unclosed bracket", "baton: 1\ntags: [a, b\nnodes: []\n"),
        ("tab as indentation", "baton: 1\nnodes:\n\t- id: a\n"),
        (
            "bad indentation",
            "baton: 1\nnodes:\n  - id: a\n   title: b\n",
        ),
        ("unclosed quote", "baton: 1\ntitle: \"a\n"),
        ("two documents", "baton: 1\nnodes: []\n---\nbaton: 1\n"),
        ("unknown alias", "baton: 1\ntitle: *nobody\n"),
        (
            "alias in its own anchor",
            "baton: 1\nmetadata: &m {a: *m}\n",
        ),
        ("custom tag", "baton: 1\ntitle: !secret abc\n"),
        ("a mapping as key", "baton: 1\n? {a: b}\n: c\n"),
        (
            "unknown key of the plan",
            "baton: 1\nconcurency: 4\nworkflows: []\n",
        ),
        (
            "duplicate key",
            "baton: 1\ntitle: a\ntitle: b\nmetadata: {x: 1, x: 2}\n",
        ),
        (
            "wrong types",
            "baton: 1\ntitle: [a]\ntags: a\nautonomy: high\nmetadata: []\nnodes: {a: b}\nconcurrency: 1.5\n",
        ),
        (
            "out of range",
            "baton: 1\nautonomy: 5\nconcurrency: 0\npriority: 11\ncomplexity: -1\nmaxRetries: 99999999999\n",
        ),
        ("not a finite number", "baton: 1\nmetadata: {x: [.inf]}\n"),
        ("blank title", "baton: 1\ntitle: ' '\n"),
        (
            "limits",
            "baton: 1\nbudget: {tokens: 0, costUsd: -1}\nagentConcurrency: {claude: 0, codex: two}\ntakeoverAllowed: maybe\n",
        ),
        (
            "guarded tools without a name",
            "baton: 1\nguardedTools: [Bash, ' ', '']\n",
        ),
        (
            "invalid sessions",
            "baton: 1\nnodes:\n  - {id: a, agent: pi, session: {fork: true}}\n  - {id: b, agent: pi, session: x}\n  \
             - {id: c, session: {id: s1, copy: true}}\n",
        ),
        (
            "set under two spellings",
            "baton: 1\ntitle: A\nname: B\nsteps: []\nnodes: []\n",
        ),
        ("unknown source", "baton: 1\nsource: usr\n"),
        (
            "merge keys are YAML 1.1",
            "baton: 1\nmetadata: &m {a: b}\n<<: *m\n",
        ),
    ];
    insta::assert_snapshot!(table(&files, Format::Yaml));
}

#[test]
fn node_faults() {
    let files = [
        ("not a mapping", "  - collect\n"),
        ("no id", "  - title: A\n  - {id: }\n"),
        ("invalid id", "  - id: a b\n"),
        ("duplicate id", "  - id: a\n  - id: b\n  - id: a\n"),
        ("unknown key with a near one", "  - id: draft\n    dependOn: [a]\n"),
        ("unknown key with none", "  - id: draft\n    zebra: 1\n"),
        ("command without its kind", "  - id: a\n    command: ls\n    env: {A: b}\n"),
        ("prompt for a command", "  - id: a\n    kind: command\n    command: ls\n    prompt: hi\n"),
        ("an unknown kind", "  - id: a\n    kind: comand\n"),
        ("an unknown kind beside other faults", "  - id: a\n    kind: comand\n    command: ls\n    dependOn: [b]\n    maxRetries: x\n    onFailure: nobody\n"),
        ("no command", "  - id: a\n    kind: command\n"),
        ("empty commands", "  - {id: a, kind: command, command: ' '}\n  - {id: b, kind: command, command: []}\n"),
        ("a mapping as command", "  - {id: a, kind: command, command: {run: ls}}\n"),
        ("env of the wrong shape", "  - {id: a, kind: command, command: ls, env: {A: [1], B: }}\n"),
        ("unknown dependency", "  - id: collect\n  - id: draft\n    dependsOn: [colect, zzz]\n"),
        ("depends on itself", "  - id: a\n    dependsOn: [a]\n"),
        ("depends twice", "  - id: a\n  - id: b\n    dependsOn: [a, {node: a, soft: true}]\n"),
        ("depends on a text", "  - id: a\n  - id: b\n    dependsOn: a\n"),
        ("a misshapen dependency", "  - id: a\n  - id: b\n    dependsOn: [{nod: a}, [a], ~]\n  - id: c\n    dependsOn: [{node: a, soft: maybe}]\n"),
        ("depends on a note", "  - {id: a, kind: note}\n  - id: b\n    dependsOn: [a]\n"),
        ("a note depends", "  - id: a\n  - {id: b, kind: note, dependsOn: [a]}\n"),
        ("a cycle", "  - id: a\n    title: A\n    dependsOn: [c]\n  - id: b\n    dependsOn: [a]\n  - id: c\n    dependsOn: [b]\n"),
        ("numbers", "  - id: a\n    maxRetries: 101\n    priority: 0\n    timeoutMs: soon\n"),
        ("words", "  - id: a\n    triggerRule: all_sucess\n    onFailure: continue\n"),
        ("position", "  - id: a\n    position: {x: 1, z: 2}\n  - id: b\n    position: [1, 2]\n"),
        ("title too long", &format!("  - id: a\n    title: {}\n", "x".repeat(501))),
        ("a broken node is not reported as missing", "  - {id: a, kind: loop}\n  - id: b\n    dependsOn: [a]\n"),
        ("many at once", "  - id: 'a/b'\n    titel: A\n    dependsOn: [nobody]\n    maxRetries: x\n"),
    ]
    .map(|(name, nodes)| (name, format!("{NODES}{nodes}")));
    let files: Vec<_> = files
        .iter()
        .map(|(name, text)| (*name, text.as_str()))
        .collect();
    insta::assert_snapshot!(table(&files, Format::Yaml));
}

#[test]
fn node_kind_faults() {
    let files = [
        ("a tool call without a tool", "  - {id: a, kind: tool_call, toolArgs: {x: 1}}\n  - {id: b, kind: tool_call, toolName: ' '}\n"),
        ("arguments of the wrong type", "  - {id: a, kind: tool_call, toolName: shell, toolArgs: [ls]}\n"),
        ("a tool for an agent", "  - {id: a, toolName: shell}\n"),
        ("a decision without a prompt", "  - id: a\n    kind: llm_decision\n    choices: [x, ' ', y]\n"),
        ("invalid choices", "  - {id: a, kind: llm_decision, prompt: p, choices: yes}\n  - {id: b, kind: llm_decision, prompt: p, choices: [x, x]}\n"),
        ("a question without text or options", "  - id: a\n    kind: user_input\n    inputType: choice\n    options: []\n"),
        ("an unknown type of answer", "  - {id: a, kind: user_input, question: q, inputType: chioce}\n"),
        ("an invalid timeout", "  - {id: a, kind: user_input, question: q, timeout: soon}\n"),
        ("no condition", "  - {id: a, kind: condition}\n  - {id: b, kind: condition, condition: ''}\n"),
        ("an invalid condition", "  - id: a\n    kind: condition\n    condition: 1 +\n"),
        ("a condition about an unknown node", "  - id: build\n  - {id: a, kind: condition, dependsOn: [build], condition: 'result:biuld'}\n"),
        ("a condition about what comes later", "  - id: a\n    kind: condition\n    condition: result:b\n    trueStep: b\n  - id: b\n"),
        ("a condition about itself", "  - {id: a, kind: condition, condition: 'nodes.a.state == \"done\"'}\n"),
        ("branches to an unknown node, itself and a note", "  - {id: a, kind: condition, condition: 'true', trueStep: bb, falseStep: a}\n  - {id: b, kind: note}\n  - {id: c, kind: condition, condition: 'true', trueStep: b}\n"),
        ("a branch that leads back", "  - {id: a, title: Build}\n  - {id: b, title: Test, dependsOn: [a]}\n  - id: c\n    kind: condition\n    condition: result:b\n    dependsOn: [b]\n    falseStep: a\n"),
        ("a jump that leads back", "  - {id: a}\n  - id: b\n    dependsOn: [a]\n    onFailure: a\n"),
        ("jumps to unknown nodes", "  - {id: build, onSuccess: tset, onFailure: tidy-up}\n  - id: test\n"),
        ("a jump of a note", "  - {id: a, kind: note, onSuccess: b}\n  - id: b\n"),
        ("a keyword for a node", "  - {id: a, onSuccess: abort}\n"),
        ("parallel without steps", "  - {id: a, kind: parallel}\n  - {id: b, kind: parallel, steps: []}\n  - {id: c, kind: parallel, steps: shell}\n"),
        ("misshapen steps", "  - id: a\n    kind: parallel\n    steps: [3, {toolNam: shell}, {}, '', '{\"toolName\": \"shell\", \"args\": {}}', '{\"toolName\": ']\n"),
        ("limits on parallel calls", "  - {id: a, kind: parallel, steps: [x], waitAll: maybe, maxConcurrent: 0}\n"),
        ("a loop over nothing", "  - {id: a, kind: loop, maxIterations: 2}\n"),
        ("a loop with arguments alone", "  - {id: a, kind: loop, toolArgs: {command: ls}, maxIterations: 2}\n"),
        ("a loop over two things", "  - {id: a, kind: loop, toolName: shell, subPlanId: Child}\n  - {id: b, kind: loop, body: x, toolArgs: {}}\n"),
        ("too many iterations", "  - {id: a, kind: loop, toolName: x, maxIterations: 1001}\n  - {id: b, kind: loop, toolName: x, maxIterations: 0, loopCondition: 'x ='}\n"),
        ("a misshapen body", "  - {id: a, kind: loop, body: {toolName: x, subPlanId: y}}\n  - {id: b, kind: loop, body: [x]}\n  - {id: c, kind: loop, body: {}}\n"),
        ("a loop over an unknown or unrepeatable node", "  - {id: a, kind: loop, loopStep: stp}\n  - {id: b, kind: loop, loopStep: step}\n  - {id: step, kind: note}\n"),
        ("a loop over a node that others wait for", "  - {id: a, kind: loop, loopStep: b}\n  - {id: b, kind: tool_call, toolName: x}\n  - id: c\n    dependsOn: [b]\n"),
        ("no plan", "  - {id: a, kind: sub_plan}\n  - {id: b, kind: sub_plan, subPlanId: ''}\n"),
        ("the plan itself", "  - {id: a, kind: sub_plan, subPlanId: plan}\n"),
        ("set in config and beside it", "  - id: a\n    kind: tool_call\n    toolName: read\n    config:\n      toolName: write\n"),
        ("set under two spellings", "  - {id: a, title: A, name: B, kind: note, type: note}\n"),
        ("config of the wrong shape", "  - {id: a, config: [x]}\n  - {id: b, kind: tool_call, config: {tolName: x, title: B}}\n"),
        ("config of another kind", "  - {id: a, kind: tool_call, config: {toolName: x, prompt: y}}\n"),
        ("a typo is not a key of another kind", "  - {id: a, timeout: 5}\n"),
        ("policies", "  - id: a\n    retryExitCodes: [1, x, 99999999999]\n    afterCrash: retry\n    silentAfterMs: -1\n    budget: {tokens: 0, costUsd: 0, time: 3}\n  - {id: b, budget: 5}\n"),
    ]
    .map(|(name, nodes)| (name, format!("{NODES}{nodes}")));
    let files: Vec<_> = files
        .iter()
        .map(|(name, text)| (*name, text.as_str()))
        .collect();
    insta::assert_snapshot!(table(&files, Format::Yaml));
}

#[test]
fn json_faults() {
    let files = [
        ("empty", " \n"),
        ("a trailing comma", "{\n  \"baton\": 1,\n}"),
        ("a comment", "{\n  // no\n  \"baton\": 1\n}"),
        (
            "a lone surrogate",
            "{\"baton\": 1,\n \"title\": \"é \\ud800\"}",
        ),
        ("unclosed", "{\"baton\": 1"),
        ("two values", "{\"baton\": 1}\n{}"),
        (
            "unknown key",
            "{\"baton\": 1, \"nodes\": [\n  {\"id\": \"é\"},\n  {\"id\": \"b\", \"dependOn\": []}]}",
        ),
        (
            "duplicate key",
            "{\"baton\": 1,\n \"title\": \"a\",\n \"title\": \"b\"}",
        ),
        ("a number in quotes", "{\"baton\": 1, \"autonomy\": \"2\"}"),
    ];
    insta::assert_snapshot!(table(&files, Format::Json));
}

fn table(files: &[(&str, &str)], format: Format) -> String {
    let mut table = String::new();
    for (name, text) in files {
        writeln!(table, "# {name}\n{}\n", sentences(text, format)).expect("write to a string");
    }
    table
}

#[test]
fn resource_exhaustion_is_refused() {
    let laughs = (1..=9).fold(
        "baton: 1\nmetadata:\n  l0: &l0 [ha]\n".to_owned(),
        |text, n| {
            format!(
                "{text}  l{n}: &l{n} [{}]\n",
                vec![format!("*l{}", n - 1); 10].join(", ")
            )
        },
    );
    assert_eq!(kinds(&laughs, Format::Yaml), [FaultKind::TooMuchRepetition]);

    let text = "x".repeat(1_000_000);
    let long = format!(
        "baton: 1\ndescription: &d {text}\ntags: [{}]\n",
        vec!["*d"; 100].join(", ")
    );
    assert_eq!(kinds(&long, Format::Yaml), [FaultKind::TooMuchRepetition]);

    let flow = format!(
        "baton: 1\nmetadata: {{a: {}{}}}\n",
        "[".repeat(200),
        "]".repeat(200)
    );
    assert_eq!(kinds(&flow, Format::Yaml), [FaultKind::TooDeep]);

    let block = (0..50_000).fold("baton: 1\nmetadata:".to_owned(), |text, _| text + " -") + " a\n";
    assert!(read_as(&block, Format::Yaml).is_err());

    let steps = (1..=100).fold(
        "baton: 1\nmetadata:\n  l0: &l0 a\n".to_owned(),
        |text, n| format!("{text}  l{n}: &l{n} [[*l{}]]\n", n - 1),
    );
    assert_eq!(
        kinds(&steps, Format::Yaml),
        [FaultKind::TooDeep],
        "aliases can be nested too"
    );

    let json = format!(
        "{{\"baton\": 1, \"metadata\": {{\"a\": {}{}}}}}",
        "[".repeat(200),
        "]".repeat(200)
    );
    assert_eq!(kinds(&json, Format::Json), [FaultKind::TooDeep]);
}

fn kinds(text: &str, format: Format) -> Vec<FaultKind> {
    let error = read_as(text, format).expect_err("must be refused");
    error.faults.into_iter().map(|fault| fault.kind).collect()
}

#[test]
fn many_faults_are_reported_briefly() {
    let nodes: String = (0..5000)
        .map(|n| format!("  - id: n{n}\n    dependsOn: [m{n}]\n"))
        .collect();
    let error = read_as(&format!("{NODES}{nodes}"), Format::Yaml).expect_err("unknown node");
    assert_eq!(error.faults.len(), 5000, "all are kept");
    let sentences = error.to_string();
    assert_eq!(sentences.lines().count(), 51);
    assert!(sentences.ends_with("plan.yaml: and 4950 more"));
}

#[test]
fn reference_to_unknown_node_is_a_fault() {
    let nodes = |keys: &str| {
        format!("{NODES}  - {{id: build, kind: command, command: make}}\n  - id: use\n    {keys}\n")
    };
    for (keys, fault) in [
        (
            "kind: command\n    command: 'echo {{nodes.biuld.outputs.n}}'",
            "6:14: \"command\" of node \"use\" refers to the node \"biuld\", which doesn't exist; did you mean \"build\"?",
        ),
        (
            "prompt: \"Why? {{ nodes['nope'].error.message }}\"",
            "5:13: \"prompt\" of node \"use\" refers to the node \"nope\", which doesn't exist",
        ),
        (
            "kind: tool_call\n    toolName: shell\n    toolArgs: {command: 'echo {{nodes.nope.outputs.n}}'}",
            "7:15: \"toolArgs\" of node \"use\" refers to the node \"nope\", which doesn't exist",
        ),
    ] {
        assert_eq!(
            sentences(&nodes(keys), Format::Yaml),
            format!("plan.yaml:{fault}"),
            "{keys}"
        );
    }
    let fine = nodes(
        "prompt: '{{nodes.build.outputs.n}} {{nodes.build.error.exitCode}} {{nope}} {{.Id}}'",
    );
    assert!(read_as(&fine, Format::Yaml).is_ok());
}

#[test]
fn one_wrong_key_does_not_hide_other_faults() {
    for (node, lines) in [
        // No id, or an invalid one.
        (
            "- kind: command\n    command: 'echo {{nodes.nope.outputs.n}}'\n    locks: ['']",
            vec![4, 5, 6],
        ),
        (
            "- id: a/b\n    kind: condition\n    condition: 1 +",
            vec![4, 6],
        ),
        ("- id: a/b\n    kind: parallel\n    steps: []", vec![4, 6]),
        // No kind, or an unknown one.
        (
            "- id: a\n    kind: [x]\n    zebra: 1\n    locks: ['']",
            vec![5, 6, 7],
        ),
        (
            "- id: a\n    kind: quantum\n    zebra: 1\n    acceptanceCriteria: ['{{nodes.nope.outputs.n}}']",
            vec![5, 6, 7],
        ),
        (
            "- id: a\n    kind: comand\n    command: 'echo {{nodes.nope.outputs.n}}'\n    env: {A: [x]}",
            vec![5, 6, 7],
        ),
        // A required key is missing.
        (
            "- id: a\n    kind: command\n    env: {A: '{{nodes.nope.outputs.n}}'}",
            vec![4, 6],
        ),
        (
            "- id: a\n    kind: tool_call\n    toolArgs: {command: 'echo {{nodes.nope.outputs.n}}'}",
            vec![4, 6],
        ),
        (
            "- id: a\n    kind: parallel\n    maxConcurrent: 0\n    waitAll: maybe",
            vec![4, 6, 7],
        ),
        ("- id: a\n    kind: sub_plan\n    prompt: [x]", vec![4, 6]),
        (
            "- id: a\n    kind: condition\n    description: x\n    locks: ['']",
            vec![4, 7],
        ),
        (
            "- id: a\n    kind: loop\n    toolArgs: [x]\n    loopCondition: 1 +",
            vec![4, 6, 7],
        ),
        (
            "- id: a\n    kind: loop\n    toolName: shell\n    subPlanId: x\n    toolArgs: [x]",
            vec![7, 8],
        ),
        (
            "- id: a\n    kind: loop\n    loopStep: nope\n    loopCondition: 1 +",
            vec![6, 7],
        ),
        // Edges from and to such a node.
        (
            "- id: a\n    kind: command\n    dependsOn: [b]\n  - id: b\n    dependsOn: [a]",
            vec![4, 6],
        ),
        // A number out of range takes no edge away.
        (
            "- id: a\n    maxRetries: 101\n    kind: condition\n    condition: result:b\n  - id: b",
            vec![5, 7],
        ),
    ] {
        let text = format!("baton: 1\ntitle: P\nnodes:\n  {node}\n");
        let error = read_as(&text, Format::Yaml).expect_err("must be refused");
        let found: Vec<_> = error.faults.iter().map(|fault| fault.at.line).collect();
        assert_eq!(found, lines, "{text}\n{error}");
    }
}

#[test]
fn context_and_risk_faults() {
    let context = |text: &str| {
        format!("baton: 1\ntitle: P\ncontext:\n{text}\nnodes: [{{id: a, prompt: go}}]\n")
    };
    for (text, expected) in [
        (
            context("  notes: [x]\n  file: y"),
            "plan.yaml:4:10: \"notes\" of \"context\" of the plan must be text, not a list\n\
             plan.yaml:5:3: unknown key \"file\" in \"context\" of the plan",
        ),
        (
            context("  toolOutputs:\n    invoice: 12\n    order: {tool: t, data: 1}"),
            "plan.yaml:5:14: the tool output \"invoice\" must be a mapping with \"tool\", \"operation\" and \"data\", not 12\n\
             plan.yaml:6:13: the tool output \"order\" has no \"operation\"; write a mapping with \"tool\", \"operation\" and \"data\"",
        ),
        (
            context("  artifacts: [{path: x}]\nrisks: [{mitigation: y}]"),
            "plan.yaml:4:16: an artifact of the context has no \"name\"; write the name of the file\n\
             plan.yaml:5:10: a risk of the plan has no \"text\"; write what may go wrong",
        ),
    ] {
        assert_eq!(sentences(&text, Format::Yaml), expected, "{text}");
    }
}

#[test]
fn templates_name_what_the_context_has() {
    let file = |outputs: &str| {
        format!(
            "baton: 1\ntitle: P\ncontext: {{toolOutputs: {outputs}}}\nnodes:\n  - id: a\n    prompt: \"{{{{context.invioce.id}}}}\"\n"
        )
    };
    let known = file("{invoice: {tool: t, operation: read, data: {id: 1}}}");
    assert_eq!(
        sentences(&known, Format::Yaml),
        "plan.yaml:6:13: \"prompt\" of node \"a\" refers to \"invioce\" in the context, which doesn't exist; did you mean \"invoice\"?"
    );
    let nothing = read_as(&file("{}"), Format::Yaml);
    assert!(nothing.is_ok(), "without a context the braces mean nothing");
}
