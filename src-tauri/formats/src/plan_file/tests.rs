//! Whole files: read, refused, written and read back.

mod accepted_syntax;
mod embedded;
mod faults;
mod round_trip;

use uuid::Uuid;

use super::{Format, PlanFile, PlanFileError, read, write};
use baton_model::node::{CommandLine, NodeKind, OnFailure};
use baton_model::plan::Autonomy;
use baton_model::{NodeId, Plan, PlanId};

/// Reads with ids that count up from 1, so that equal files give equal plans.
fn read_as(text: &str, format: Format) -> Result<PlanFile, PlanFileError> {
    let file = match format {
        Format::Yaml => "plan.yaml",
        Format::Json => "plan.json",
        Format::Markdown => "plan.md",
    };
    let mut next = 0;
    read(text, format, file, &mut || {
        next += 1;
        Uuid::from_u128(next)
    })
}

fn yaml(text: &str) -> Plan {
    read_as(text, Format::Yaml)
        .unwrap_or_else(|error| panic!("{error}"))
        .plan
}

const EXAMPLE: &str = "\
baton: 1
title: Release notes
description: Collect the last commits and write release notes.
cwd: .                      # relative to the file
autonomy: 2
concurrency: 4
nodes:
  - id: collect             # slug, unique
    title: Collect commits  # defaults to the id
    kind: command           # defaults to agent
    command: git log --oneline -20        # string: run by sh -c; list: argv
    env: { LANG: C }
    timeoutMs: 60000
  - id: draft
    agent: claude
    prompt: Write release notes from the handoff you were given.
    dependsOn: [collect]    # or {node: collect, soft: true}
    acceptanceCriteria: [NOTES.md exists]
    toolsRequired: [Read, Write]
    maxRetries: 1
    onFailure: abort
";

#[test]
fn example_is_read() {
    let plan = yaml(EXAMPLE);
    assert_eq!(plan.id, PlanId(Uuid::from_u128(1)));
    assert_eq!(plan.title, "Release notes");
    assert_eq!(plan.cwd.as_deref(), Some("."), "the caller resolves it");
    assert_eq!(plan.settings.autonomy, Some(Autonomy::AskGuarded));
    let [collect, draft] = plan.nodes.as_slice() else {
        panic!("two nodes")
    };
    assert_eq!(
        (collect.slug.as_str(), collect.title.as_str()),
        ("collect", "Collect commits")
    );
    let NodeKind::Command(task) = &collect.kind else {
        panic!("a command")
    };
    assert_eq!(
        task.command,
        CommandLine::Shell("git log --oneline -20".to_owned())
    );
    assert_eq!(task.env.get("LANG").map(String::as_str), Some("C"));
    assert_eq!(collect.timeout_ms, Some(60_000));
    let NodeKind::Agent(task) = &draft.kind else {
        panic!("agent is the default")
    };
    assert_eq!(task.agent.as_deref(), Some("claude"));
    assert_eq!(draft.title, "draft", "the title defaults to the id");
    assert_eq!((draft.max_retries, draft.on_failure), (1, OnFailure::Abort));
    assert_eq!(draft.tools_required, ["Read", "Write"]);
    assert_eq!(
        (
            plan.edges[0].parent,
            plan.edges[0].child,
            plan.edges[0].soft
        ),
        (collect.id, draft.id, false)
    );
    assert!(plan.problems().is_empty());
}

#[test]
fn example_is_written_in_canonical_order() {
    insta::assert_snapshot!(write(&yaml(EXAMPLE), Format::Yaml), @r#"
    baton: 1
    title: Release notes
    description: Collect the last commits and write release notes.
    cwd: .
    autonomy: 2
    concurrency: 4
    nodes:
      - id: collect
        title: Collect commits
        kind: command
        command: git log --oneline -20
        env: { LANG: C }
        timeoutMs: 60000
      - id: draft
        agent: claude
        prompt: Write release notes from the handoff you were given.
        dependsOn: [collect]
        acceptanceCriteria: [NOTES.md exists]
        toolsRequired: [Read, Write]
        maxRetries: 1
    "#);
}

#[test]
fn every_key_is_written_and_read() {
    let plan = yaml(include_str!("tests/every_key.yaml"));
    insta::assert_snapshot!(write(&plan, Format::Yaml));
    insta::assert_snapshot!(write(&plan, Format::Json));
}

#[test]
fn json_has_the_same_shape() {
    let plan = yaml(EXAMPLE);
    let json = write(&plan, Format::Json);
    assert_eq!(read_as(&json, Format::Json).expect("parses").plan, plan);
}

#[test]
fn crlf_bom_and_tabs_are_accepted() {
    let dos = format!(
        "\u{feff}{}",
        EXAMPLE
            .replace('\n', "\r\n")
            .replace("  #", "\t#")
            .replace("prompt: ", "prompt: \t")
    );
    assert_eq!(yaml(&dos), yaml(EXAMPLE));
    let text =
        yaml("baton: 1\r\nnodes:\r\n  - id: a\r\n    prompt: |\r\n      one\r\n      two\r\n");
    let NodeKind::Agent(task) = &text.nodes[0].kind else {
        panic!("an agent")
    };
    assert_eq!(
        task.prompt, "one\ntwo\n",
        "YAML normalizes line breaks (1.2.2 §5.4)"
    );
}

#[test]
fn missing_title_defaults_to_file_name() {
    for (file, title) in [
        ("plans/Nightly build.yaml", "Nightly build"),
        (r"C:\plans\a.b.yml", "a.b"),
        ("plan", "plan"),
        (".yaml", "Untitled plan"),
    ] {
        let read = read("baton: 1\nnodes: []", Format::Yaml, file, &mut Uuid::nil).expect("parses");
        assert_eq!(read.plan.title, title);
    }
}

#[test]
fn scalars_keep_their_spelling_as_text() {
    let plan = yaml(
        "baton: 1\ntitle: 0x1F\ndescription: yes\ntags: [1.50, true, 2024-01-01]\nnodes: [{id: 1e3}]",
    );
    assert_eq!(
        (plan.title.as_str(), plan.description.as_str()),
        ("0x1F", "yes")
    );
    assert_eq!(plan.settings.tags, ["1.50", "true", "2024-01-01"]);
    assert_eq!(plan.nodes[0].slug.as_str(), "1e3");
}

#[test]
fn anchors_and_core_tags_are_understood() {
    let plan = yaml(
        "baton: 1\ntags: &t [x, !!str 1]\nconstraints: *t\nnodes:\n  - &n {id: a, metadata: {k: *t}}\n",
    );
    assert_eq!(plan.settings.constraints, ["x", "1"]);
    assert_eq!(plan.nodes[0].metadata["k"], serde_json::json!(["x", "1"]));
}

#[test]
fn likely_mistakes_are_warnings() {
    let warnings = |text: &str| -> Vec<String> {
        let read = read_as(text, Format::Yaml).expect("parses");
        read.warnings
            .iter()
            .map(|warning| format!("{}: {}", warning.at, warning.kind))
            .collect()
    };
    assert_eq!(warnings("baton: 1\n"), ["1:1: the plan has no nodes yet"]);
    assert_eq!(
        warnings("baton: 1\nnodes:\n  - id: a\n  - id: b\n    description: B\n"),
        ["3:9: node \"a\" has neither prompt nor description; its agent gets only the title"]
    );
}

#[test]
fn format_follows_the_extension() {
    assert_eq!(Format::from_file_name("a/b.YML"), Some(Format::Yaml));
    assert_eq!(Format::from_file_name("b.json"), Some(Format::Json));
    assert_eq!(Format::from_file_name("b.md"), Some(Format::Markdown));
    assert_eq!(Format::from_file_name("b.txt"), None);
    assert_eq!(Format::from_file_name("yaml"), None);
}

#[test]
fn format_is_detected_in_text() {
    for (text, format) in [
        ("baton: 1\n", Format::Yaml),
        ("---\nbaton: 1\n", Format::Yaml),
        (" \n{}", Format::Json),
        ("---\ntitle: A\n---\n", Format::Markdown),
        ("---\r\ntitle: A\r\n---\r\n", Format::Markdown),
        ("", Format::Yaml),
    ] {
        assert_eq!(Format::detect(text), format, "{text:?}");
    }
}

#[test]
fn plan_and_nodes_get_distinct_ids() {
    let plan = yaml("baton: 1\nnodes: [{id: a}, {id: b}]");
    assert_eq!(plan.nodes[1].id, NodeId(Uuid::from_u128(3)));
}

#[test]
fn five_thousand_nodes_and_a_long_prompt_are_read() {
    let node = |n: usize| {
        let depends = if n == 0 {
            String::new()
        } else {
            format!("n{}", (n - 1) / 2)
        };
        format!(
            "  - id: n{n}\n    title: Node {n}\n    kind: command\n    command: echo {n}\n    \
             dependsOn: [{depends}]\n    position: {{x: {n}, y: 0}}\n"
        )
    };
    let text: String = std::iter::once("baton: 1\nnodes:\n".to_owned())
        .chain((0..5000).map(node))
        .collect();
    let prompt = "All work and no play makes a long prompt.\n".repeat(25_000);
    let mut plan = yaml(&text);
    plan.nodes[0].description = prompt;
    for format in [Format::Yaml, Format::Json] {
        assert_eq!(
            read_as(&write(&plan, format), format)
                .expect("parses")
                .plan
                .nodes
                .len(),
            5000
        );
    }
}
