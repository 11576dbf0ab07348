//! Plan files through the operations: nothing half taken in, and what is written out reads back byte for byte.

use baton_api::wire::*;
use baton_api::{ApiError, Code};
use baton_formats::plan_file::Format;
use baton_tests::House;
use baton_tests::shell::Shell;

fn import(house: &House, file_name: &str, text: &str) -> Result<PlanImported, ApiError> {
    let cwd = Some(house.place.path().display().to_string());
    house.ask(
        "plan_import",
        PlanImport {
            file_name: file_name.to_owned(),
            text: text.to_owned(),
            cwd,
        },
    )
}

fn plans(house: &House) -> Vec<(String, u32)> {
    let plans: Vec<PlanSummary> = house.ask("plans_list", Nothing {}).expect("plans");
    plans
        .into_iter()
        .map(|plan| (plan.title, plan.version))
        .collect()
}

/// Each faulty file with what the refusal must say of it.
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
        &[":5:", "the id \"a\" is taken by the node in line 4"],
    ),
    (
        "dangling",
        "baton: 1\ntitle: A\nnodes:\n  - {id: a, kind: command, command: ls, dependsOn: [aa]}\n",
        &["4", "aa"],
    ),
    (
        "newer",
        "baton: 2\ntitle: A\nnodes: []\n",
        &[":1:8", "made for a newer Baton"],
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
fn a_faulty_file_is_refused_with_its_place_and_leaves_nothing() {
    let house = House::new();
    let before = plans(&house);
    for (what, text, words) in FAULTS {
        let error = import(&house, "plans/faulty.yaml", text).expect_err(what);
        assert_eq!(error.code, Code::Invalid, "{what}: {}", error.message);
        assert!(
            error.message.contains("faulty.yaml"),
            "{what}: the file is named: {}",
            error.message
        );
        let faults = error.faults.join("\n");
        for word in *words {
            assert!(faults.contains(word), "{what}: '{word}' in: {faults}");
        }
        assert_eq!(plans(&house), before, "{what}: nothing was taken in");
    }
    let error = import(
        &house,
        "faulty.json",
        "{\"baton\": 1,\n \"title\": \"A\",\n \"nods\": []}",
    )
    .expect_err("nods");
    assert!(
        error.message.contains("faulty.json") && error.message.contains("nodes"),
        "{}",
        error.message
    );
    assert_eq!(plans(&house), before);
}

#[test]
fn every_template_reads_back_byte_for_byte_in_both_formats() {
    let house = House::new();
    let templates: Vec<TemplateRow> = house.ask("templates_list", Nothing {}).expect("templates");
    assert!(templates.len() >= 3, "at least the examples");
    for template in templates {
        let made = PlanFromTemplate {
            template: template.id.clone(),
            title: None,
            cwd: Some(house.place.path().display().to_string()),
        };
        let made: PlanView = house.ask("plan_from_template", made).expect("a plan");
        for format in [Format::Yaml, Format::Json] {
            let export = |plan| -> FileText {
                house
                    .ask(
                        "plan_export",
                        PlanExport {
                            plan,
                            format,
                            version: None,
                            alone: false,
                        },
                    )
                    .expect("it can be written")
            };
            let first = export(made.plan.id);
            let imported =
                import(&house, &first.file_name, &first.text).expect("Baton reads what it writes");
            assert!(
                imported.warnings.is_empty(),
                "{}: {:?}",
                template.id,
                imported.warnings
            );
            assert_ne!(imported.plan.plan.id, made.plan.id, "a plan of its own");
            let second = export(imported.plan.plan.id);
            assert_eq!(second.text, first.text, "{} as {format:?}", template.id);
            assert_eq!(second.file_name, first.file_name);
        }
    }
}

#[test]
fn the_two_formats_say_the_same() {
    let house = House::new();
    let plan = import(
        &house,
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
        house
            .ask(
                "plan_export",
                PlanExport {
                    plan,
                    format,
                    version: None,
                    alone: false,
                },
            )
            .expect("it can be written")
    };
    let yaml = export(plan.id, Format::Yaml);
    let json = export(plan.id, Format::Json);
    let from_json = import(&house, &json.file_name, &json.text)
        .expect("no fault")
        .plan
        .plan;
    assert_eq!(
        export(from_json.id, Format::Yaml).text,
        yaml.text,
        "by way of JSON nothing is lost"
    );
    assert_eq!(
        from_json.nodes[0].title, "yes",
        "words that YAML could take for something else stay words"
    );
}

#[test]
fn an_earlier_version_can_still_be_written_out() {
    let house = House::new();
    let first = import(&house, "a.yaml", "baton: 1\ntitle: First\nnodes: []\n")
        .expect("no fault")
        .plan;
    let mut changed = first.plan.clone();
    changed.title = "Second".to_owned();
    let save = PlanSave {
        plan: changed,
        base_revision: first.revision,
    };
    let _: PlanSaved = house
        .ask("plan_save", save)
        .expect("nobody else has changed it");
    let export = PlanExport {
        plan: first.plan.id,
        format: Format::Yaml,
        version: Some(first.version),
        alone: false,
    };
    let file: FileText = house.ask("plan_export", export).expect("versions stay");
    assert!(file.text.contains("title: First"), "{}", file.text);
}

#[test]
fn names_that_nobody_has_are_told_with_their_lines_before_anything_is_stored() {
    let house = House::new();
    let shell = Shell::of(&house);
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
    let said = shell.say(&["plan", "import", &file]);
    assert_eq!(said.code, Some(2), "{said:?}");
    for (place, words) in [
        ("2:8", "the team 'revewers', which is not there"),
        (
            "3:19",
            "the agent 'claud', which is not there: did you mean \"claude\"?",
        ),
        (
            "4:9",
            "the agent 'nobody', which is not there: use another one",
        ),
        (
            "6:20",
            "the agent 'codx', which is not there: did you mean \"codex\"?",
        ),
        ("9:15", "there is no tool 'shel'"),
        (
            "10:56",
            "lists the tool 'Raed', which no agent has; did you mean \"Read\"?",
        ),
        ("12:40", "there is no MCP server 'notes'"),
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
        "what is disabled needs nothing: {}",
        said.err
    );
    let plans: Vec<PlanSummary> = house.ask("plans_list", Nothing {}).expect("plans");
    assert!(
        plans.iter().all(|plan| plan.title != "plan"),
        "nothing is stored"
    );
}
