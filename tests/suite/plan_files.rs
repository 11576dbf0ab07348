//! Tests plan files through the operations: imports are all or nothing, and exports can be imported
//! without changes.

use baton_api::wire::*;
use baton_api::{ApiError, Code};
use baton_formats::plan_file::Format;
use baton_tests::TestEnvironment;
use baton_tests::shell::Shell;

fn import(env: &TestEnvironment, file_name: &str, text: &str) -> Result<PlanImported, ApiError> {
    let cwd = Some(env.work_dir.path().display().to_string());
    env.call(
        "plan_import",
        PlanImport {
            file_name: file_name.to_owned(),
            text: text.to_owned(),
            cwd,
            ..PlanImport::default()
        },
    )
}

fn plans(env: &TestEnvironment) -> Vec<(String, u32)> {
    let plans: Vec<PlanSummary> = env.call("plans_list", Nothing {}).expect("plans");
    plans
        .into_iter()
        .map(|plan| (plan.title, plan.version))
        .collect()
}

/// Invalid files, with texts that the error must contain.
const FAULTS: &[(&str, &str, &[&str])] = &[
    (
        "unknown key",
        "baton: 1\ntitle: A\nnodes:\n  - id: a\n    kind: command\n    comand: ls\n",
        &[":6:5", "comand", "did you mean \"command\"?"],
    ),
    (
        "wrong type",
        "baton: 1\ntitle: A\nconcurrency: many\nnodes: []\n",
        &["3", "concurrency"],
    ),
    (
        "no list",
        "baton: 1\ntitle: A\nnodes: {a: b}\n",
        &["3", "nodes"],
    ),
    (
        "cycle",
        "baton: 1\ntitle: A\nnodes:\n  - {id: a, kind: command, command: ls, dependsOn: [b]}\n  - {id: b, kind: command, command: ls, dependsOn: [a]}\n",
        &["a → b → a"],
    ),
    (
        "itself",
        "baton: 1\ntitle: A\nnodes:\n  - {id: a, kind: command, command: ls, dependsOn: [a]}\n",
        &["a"],
    ),
    (
        "double",
        "baton: 1\ntitle: A\nnodes:\n  - {id: a, kind: command, command: ls}\n  - {id: a, kind: command, command: ls}\n",
        &[":5:", "the id \"a\" is already used by the node on line 4"],
    ),
    (
        "dangling",
        "baton: 1\ntitle: A\nnodes:\n  - {id: a, kind: command, command: ls, dependsOn: [aa]}\n",
        &["4", "aa"],
    ),
    (
        "newer",
        "baton: 2\ntitle: A\nnodes: []\n",
        &[":1:8", "this plan uses format 2"],
    ),
    (
        "torn",
        "baton: 1\ntitle: A\nnodes:\n  - {id: a, kind: comm",
        &["not valid YAML"],
    ),
    ("no mapping", "just some text", &[":1:1"]),
    ("empty", "", &["the file is empty"]),
];

#[test]
fn invalid_file_is_rejected_with_locations() {
    let env = TestEnvironment::new();
    let before = plans(&env);
    for (what, text, words) in FAULTS {
        let error = import(&env, "plans/faulty.yaml", text).expect_err(what);
        assert_eq!(error.code, Code::Invalid, "{what}: {}", error.message);
        assert!(
            error.message.contains("faulty.yaml"),
            "{what}: the error names the file: {}",
            error.message
        );
        let faults = error.faults.join("\n");
        for word in *words {
            assert!(faults.contains(word), "{what}: '{word}' in: {faults}");
        }
        assert_eq!(plans(&env), before, "{what}: no plan was imported");
    }
    let error = import(
        &env,
        "faulty.json",
        "{\"baton\": 1,\n \"title\": \"A\",\n \"nods\": []}",
    )
    .expect_err("nods");
    assert!(
        error.message.contains("faulty.json") && error.message.contains("nodes"),
        "{}",
        error.message
    );
    assert_eq!(plans(&env), before);
}

#[test]
fn templates_round_trip_in_both_formats() {
    let env = TestEnvironment::new();
    let templates: Vec<TemplateRow> = env.call("templates_list", Nothing {}).expect("templates");
    assert!(templates.len() >= 3, "at least the examples");
    for template in templates {
        let made = PlanFromTemplate {
            template: template.id.clone(),
            title: None,
            cwd: Some(env.work_dir.path().display().to_string()),
        };
        let made: PlanView = env.call("plan_from_template", made).expect("a plan");
        for format in [Format::Yaml, Format::Json] {
            let export = |plan| -> FileText {
                env.call(
                    "plan_export",
                    PlanExport {
                        plan,
                        format,
                        version: None,
                        alone: false,
                    },
                )
                .expect("the export succeeds")
            };
            let first = export(made.plan.id);
            let imported =
                import(&env, &first.file_name, &first.text).expect("the export can be imported");
            assert!(
                imported.warnings.is_empty(),
                "{}: {:?}",
                template.id,
                imported.warnings
            );
            assert_ne!(
                imported.plan.plan.id, made.plan.id,
                "the import is a new plan"
            );
            let second = export(imported.plan.plan.id);
            assert_eq!(second.text, first.text, "{} as {format:?}", template.id);
            assert_eq!(second.file_name, first.file_name);
        }
    }
}

#[test]
fn both_formats_have_the_same_content() {
    let env = TestEnvironment::new();
    let plan = import(
        &env,
        "plan.yaml",
        "
baton: 1
title: 'Both: #1'
description: |
  Two lines,
  the second one.
nodes:
  - {id: a, title: 'yes', kind: command, command: ['echo', '007', 'null', '1e3']}
  - {id: b, kind: command, command: 'echo \"${HOME}\" # not a comment', env: {LANG: C, N: '5'}, dependsOn: [{node: a, soft: true}]}
  - {id: c, prompt: \"tab\\there\", acceptanceCriteria: ['- a', '* b'], dependsOn: [a, b], onFailure: skip}
",
    )
    .expect("no fault")
    .plan
    .plan;
    let export = |plan, format| -> FileText {
        env.call(
            "plan_export",
            PlanExport {
                plan,
                format,
                version: None,
                alone: false,
            },
        )
        .expect("the export succeeds")
    };
    let yaml = export(plan.id, Format::Yaml);
    let json = export(plan.id, Format::Json);
    let from_json = import(&env, &json.file_name, &json.text)
        .expect("no fault")
        .plan
        .plan;
    assert_eq!(
        export(from_json.id, Format::Yaml).text,
        yaml.text,
        "the detour through JSON loses nothing"
    );
    assert_eq!(
        from_json.nodes[0].title, "yes",
        "text that YAML could misinterpret stays text"
    );
}

#[test]
fn earlier_version_can_be_exported() {
    let env = TestEnvironment::new();
    let first = import(&env, "a.yaml", "baton: 1\ntitle: First\nnodes: []\n")
        .expect("no fault")
        .plan;
    let mut changed = first.plan.clone();
    changed.title = "Second".to_owned();
    let save = PlanSave {
        plan: changed,
        base_revision: first.revision,
    };
    let _: PlanSaved = env.call("plan_save", save).expect("no conflicting change");
    let export = PlanExport {
        plan: first.plan.id,
        format: Format::Yaml,
        version: Some(first.version),
        alone: false,
    };
    let file: FileText = env.call("plan_export", export).expect("versions are kept");
    assert!(file.text.contains("title: First"), "{}", file.text);
}

#[test]
fn unknown_names_are_reported_with_lines_before_import() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let text = "baton: 1
agent: team:revewers
agentConcurrency: {claud: 2}
review: {agent: nobody}
nodes:
  - {id: a, agent: codx, prompt: Go.}
  - id: b
    kind: tool_call
    toolName: shel
  - {id: c, agent: claude, prompt: Go., toolsRequired: [Raed]}
  - {id: d, kind: tool_call, toolName: notes/read, disabled: true}
  - {id: e, kind: tool_call, toolName: notes/read}
";
    let file = shell.plan_file("plan.yaml", text);
    let said = shell.run(&["plan", "import", &file]);
    assert_eq!(said.code, Some(2), "{said:?}");
    for (place, words) in [
        ("2:8", "the team 'revewers', which doesn't exist"),
        (
            "3:19",
            "the agent 'claud', which doesn't exist: did you mean \"claude\"?",
        ),
        (
            "4:9",
            "the agent 'nobody', which doesn't exist: use another one",
        ),
        (
            "6:20",
            "the agent 'codx', which doesn't exist: did you mean \"codex\"?",
        ),
        ("9:15", "there is no tool 'shel'"),
        (
            "10:56",
            "lists the tool 'Raed', which no agent has; did you mean \"Read\"?",
        ),
        ("12:40", "the settings have no MCP server 'notes'"),
    ] {
        let line = said
            .err
            .lines()
            .find(|line| line.contains(words))
            .unwrap_or_else(|| panic!("{words}: {}", said.err));
        assert!(
            line.contains(&format!("plan.yaml:{place}: ")),
            "{place}: {line}"
        );
    }
    assert!(
        !said.err.contains("node \"d\""),
        "disabled nodes aren't checked: {}",
        said.err
    );
    let plans: Vec<PlanSummary> = env.call("plans_list", Nothing {}).expect("plans");
    assert!(
        plans.iter().all(|plan| plan.title != "plan"),
        "no plan is stored"
    );
}
