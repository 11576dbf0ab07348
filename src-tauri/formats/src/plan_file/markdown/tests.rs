//! Documents as people and other programs write them, and what is refused.

use proptest::prelude::*;
use uuid::Uuid;

use super::super::{Format, PlanFile, PlanFileError, read, write, write_document};
use super::{DocumentHeader, DocumentStatus};
use baton_model::node::NodeKind;
use baton_model::plan::{ContextArtifact, Risk};
use baton_model::{Node, Plan};

fn read_document(text: &str) -> Result<PlanFile, PlanFileError> {
    let mut next = 0;
    read(text, Format::Markdown, "plan.md", &mut || {
        next += 1;
        Uuid::from_u128(next)
    })
}

fn document(text: &str) -> PlanFile {
    read_document(text).unwrap_or_else(|error| panic!("{error}"))
}

fn sentences(text: &str) -> String {
    match read_document(text) {
        Ok(file) => panic!("must be refused: {text}\n{file:?}"),
        Err(error) => error.to_string(),
    }
}

/// As the program writes them that this format comes from.
const EXAMPLE: &str = r#"---
id: PLAN-a1b2c3d4
title: "Tramitar factura 2024-0847 de Fabbula en Odoo"
status: proposed        # proposed | approved
version: 1              # Incremented on every write
created_at: 2026-02-11T12:00:00Z
updated_at: 2026-02-11T12:05:00Z

# Planning
planner_model: claude-sonnet-4-5
tools_required:
  - odoo-toolbox
  - go-easy
executor_model: claude-haiku-4-5

# Execution (filled when executor runs)
execution_session: .pi/plans/sessions/PLAN-a1b2c3d4.jsonl
execution_started_at:
execution_ended_at:
result_summary:
---

## Steps
1. Fetch invoice 2024-0847 from Odoo (odoo-toolbox: read)
2. Send payment reminder to client (go-easy: gmail send)
3. Update invoice status to "reminder sent" (odoo-toolbox: write)

## Context

### Tool Outputs
```json
{
  "odoo_read_invoice_123": {
    "tool": "odoo-toolbox",
    "operation": "read",
    "data": { "id": 123, "partner_id": 456, "amount_total": 1500.00 }
  }
}
```

### Notes
User mentioned payment should go through bank account XYZ.

### Artifacts
- invoice-2024-0847.pdf → .pi/plans/artifacts/PLAN-abc123/

## Risks
- Client email might bounce (check contact before sending)
- Invoice might already be paid (check status before reminder)
"#;

fn prompt(node: &Node) -> &str {
    match &node.kind {
        NodeKind::Agent(task) => &task.prompt,
        _ => "",
    }
}

fn parents(plan: &Plan, node: usize) -> Vec<usize> {
    let position = |id| plan.nodes.iter().position(|node| node.id == id);
    let edges = plan.edges.iter();
    let own = edges.filter(|edge| edge.child == plan.nodes[node].id);
    own.filter_map(|edge| position(edge.parent)).collect()
}

#[test]
fn plain_document_becomes_a_plan() {
    let PlanFile {
        plan,
        header,
        warnings,
        ..
    } = document(EXAMPLE);
    assert!(warnings.is_empty(), "{warnings:?}");
    assert_eq!(
        header,
        DocumentHeader {
            id: Some("PLAN-a1b2c3d4".to_owned()),
            status: Some(DocumentStatus::Proposed),
            version: Some(1),
            created_at: Some("2026-02-11T12:00:00Z".to_owned()),
            updated_at: Some("2026-02-11T12:05:00Z".to_owned()),
            execution_session: Some(".pi/plans/sessions/PLAN-a1b2c3d4.jsonl".to_owned()),
            ..DocumentHeader::default()
        }
    );
    assert_eq!(plan.title, "Tramitar factura 2024-0847 de Fabbula en Odoo");
    assert_eq!(plan.description, "");
    assert_eq!(
        plan.origin.planner_model.as_deref(),
        Some("claude-sonnet-4-5")
    );
    assert_eq!(plan.default_model(), Some("claude-haiku-4-5"));
    assert_eq!(plan.settings.tools_required, ["odoo-toolbox", "go-easy"]);

    let titles: Vec<&str> = plan.nodes.iter().map(|node| node.title.as_str()).collect();
    assert_eq!(
        titles,
        [
            "Fetch invoice 2024-0847 from Odoo",
            "Send payment reminder to client",
            "Update invoice status to \"reminder sent\""
        ]
    );
    assert_eq!(
        plan.nodes[0].slug.as_str(),
        "fetch-invoice-2024-0847-from-odoo"
    );
    assert_eq!(plan.nodes[1].tools_required, ["go-easy"]);
    assert_eq!(
        prompt(&plan.nodes[1]),
        "Send payment reminder to client (go-easy: gmail send)"
    );
    assert!(parents(&plan, 0).is_empty());
    assert_eq!(parents(&plan, 2), [1], "steps are in order");

    let output = &plan.context.tool_outputs["odoo_read_invoice_123"];
    assert_eq!(
        (output.tool.as_str(), output.operation.as_str()),
        ("odoo-toolbox", "read")
    );
    assert_eq!(output.data["amount_total"], 1500.0);
    assert_eq!(
        plan.context.notes,
        "User mentioned payment should go through bank account XYZ."
    );
    assert_eq!(
        plan.context.artifacts,
        [ContextArtifact {
            name: "invoice-2024-0847.pdf".to_owned(),
            path: Some(".pi/plans/artifacts/PLAN-abc123/".to_owned()),
        }]
    );
    assert_eq!(
        plan.risks[0],
        Risk {
            text: "Client email might bounce".to_owned(),
            mitigation: Some("check contact before sending".to_owned()),
        }
    );
    assert_eq!(plan.risks.len(), 2);
}

#[test]
fn plain_document_is_written_as_it_was() {
    let PlanFile { plan, header, .. } = document(EXAMPLE);
    let written = write_document(&plan, &[], &header);
    insta::assert_snapshot!(written);
    let again = document(&written);
    assert_eq!((again.plan, again.header), (plan, header));
}

#[test]
fn document_with_everything_is_written_for_people() {
    let text = "---\ntitle: Notes\nbudget: {tokens: 5}\n---\n# Not the title\n\nShip it.\n\n## Why\n\nBecause.\n\n## Steps\n\n\
        1. Read the log\n\n   Only today's:\n\n   1. the server's\n\n2. Test it\n\n   ```yaml\n   id: tests\n   kind: command\n   command: |\n     cargo test\n\n     cargo doc\n   ```\n\
        3. Ask\n   ```yaml\n   kind: user_input\n   question: Really?\n   dependsOn: []\n   ```\n";
    let plan = document(text).plan;
    assert_eq!(plan.title, "Notes");
    assert_eq!(
        plan.description, "# Not the title\n\nShip it.\n\n## Why\n\nBecause.",
        "nothing that a person wrote is lost"
    );
    assert_eq!(
        plan.nodes[0].description,
        "Only today's:\n\n1. the server's"
    );
    assert_eq!(plan.nodes[1].slug.as_str(), "tests");
    assert_eq!(parents(&plan, 1), [0]);
    assert!(parents(&plan, 2).is_empty(), "an empty list starts at once");
    let written = write_document(&plan, &[], &DocumentHeader::default());
    insta::assert_snapshot!(written);
    assert_eq!(document(&written).plan, plan);
}

#[test]
fn accepted_spellings() {
    for (name, text) in [
        (
            "line breaks of Windows",
            "---\r\ntitle: A\r\n---\r\n## Steps\r\n\r\n1. One\r\n2) Two\r\n",
        ),
        (
            "a heading as title",
            "---\n---\n\n# A\n\n## steps\n1. One\n1. Two\n",
        ),
        (
            "tilde fences",
            "---\ntitle: A\nbaton: 1\n---\n## Steps\n1. One\n   ~~~yml\n   # nothing\n   ~~~\n2. Two\n",
        ),
    ] {
        let plan = document(text).plan;
        assert_eq!(plan.title, "A", "{name}");
        let slugs: Vec<_> = plan.nodes.iter().map(|node| node.slug.as_str()).collect();
        assert_eq!(slugs, ["one", "two"], "{name}");
        assert_eq!(parents(&plan, 1), [0], "{name}");
    }
    let twice = document("---\ntitle: A\n---\n## Steps\n1. One\n2. One\n3. One\n").plan;
    let slugs: Vec<_> = twice.nodes.iter().map(|node| node.slug.as_str()).collect();
    assert_eq!(slugs, ["one", "one-2", "one-3"], "ids are unique");
    let code = document("---\ntitle: A\n---\n```sh\n## Steps\n1. not one\n```\n").plan;
    assert_eq!(code.description, "```sh\n## Steps\n1. not one\n```");
    assert!(code.nodes.is_empty());
}

#[test]
fn faults_have_their_place_in_the_document() {
    let step =
        |block: &str| format!("---\ntitle: A\n---\n## Steps\n1. One\n   ```yaml\n{block}   ```\n");
    for (text, expected) in [
        (
            "# A\n",
            "1:1: a Markdown plan begins with front matter: a line \"---\", \"title: …\", and a line \"---\"",
        ),
        (
            "---\ntitle: A\n",
            "1:1: the front matter that begins here has no end; add a line \"---\"",
        ),
        (
            "---\ntitle: A\ntitle: B\n---\n",
            "3:1: the key \"title\" is used twice, first on line 2",
        ),
        (
            "---\ntitle: A\ntoolss_required: x\n---\n",
            "3:1: unknown key \"toolss_required\" in the plan; did you mean \"toolsRequired\"?",
        ),
        (
            "---\nstatus: approve\n---\n",
            "2:9: \"status\" of the front matter can't be \"approve\"; did you mean \"approved\"?",
        ),
        (
            "---\n- a\n---\n",
            "2:1: the front matter must be a mapping, not a list",
        ),
        (
            "---\ntitle: A\n---\n\n```\n",
            "5:1: the code block that begins here has no end; add a line with the same marks",
        ),
        (
            &step("   id: a\n   dependsOn: [b]\n"),
            "8:16: node \"a\" depends on \"b\", which doesn't exist",
        ),
        (
            &step("   id: a\n   id: b\n"),
            "8:4: the key \"id\" is used twice, first on line 7",
        ),
        (
            &step("   description: a\n").replace("   ```yaml", "   text\n   ```yaml"),
            "6:1: the key \"description\" is used twice, first on line 8",
        ),
        (
            "---\ntitle: A\n---\n## Steps\nFirst this:\n1. One\n",
            "5:1: the section \"Steps\" takes numbered lines such as \"1. Write the tests\" and text below them; move this text before the heading",
        ),
        (
            "---\ntitle: A\n---\n## Context\n### Tool Outputs\n```json\n{\n  \"a\": {\"tool\": }\n}\n```\n",
            "8:17: this is not valid JSON: expected value",
        ),
        (
            "---\ntitle: A\n---\n## Risks\nMany.\n",
            "5:1: the section \"Risks\" takes only lines such as \"- It may be slow (measure first)\"",
        ),
        (
            "---\ntitle: A\nrisks: [slow]\n---\n## Risks\n- late\n",
            "6:1: the key \"risks\" is used twice, first on line 3",
        ),
    ] {
        assert_eq!(sentences(text), format!("plan.md:{expected}"), "{text}");
    }
}

/// Each step of a plain list is a node that comes after the one before.
fn plain_steps() -> impl Strategy<Value = Vec<String>> {
    proptest::collection::vec("[A-Za-z(),: ]{0,12}[a-z)]", 1..6)
}

proptest! {
    #[test]
    fn plain_steps_survive(steps in plain_steps()) {
        let lines = steps.iter().zip(1..).map(|(step, number)| format!("{number}. {step}\n"));
        let text = format!("---\ntitle: A\n---\n## Steps\n{}", lines.collect::<String>());
        let plan = document(&text).plan;
        prop_assert_eq!(plan.nodes.len(), steps.len());
        prop_assert_eq!(plan.edges.len(), steps.len() - 1);
        let written = write(&plan, Format::Markdown);
        prop_assert_eq!(document(&written).plan, plan, "{}", written);
    }

    #[test]
    fn any_document_gives_a_plan_or_located_faults(
        front in "(title: [a-z]{0,3}\n|id: x\n|[a-c:\\-# \n]{0,12}){0,3}",
        body in "((## (Steps|Context|Risks|Why)|### (Tool Outputs|Notes|Artifacts)|1\\. [a-z(:) ]{0,8}|- [a-z(→) ]{0,8}|   ```yaml|```|~~~|   id: [ab]|   kind: note|\\{\"a\": 1\\}|[#`\\-0-9. \t\r→]{0,6})\n){0,14}",
    ) {
        let text = format!("---\n{front}---\n{body}");
        match read_document(&text) {
            Ok(file) => {
                prop_assert_eq!(file.plan.problems(), []);
                let written = write(&file.plan, Format::Markdown);
                prop_assert_eq!(document(&written).plan, file.plan, "{}\n{}", text, written);
            }
            Err(error) => {
                prop_assert!(!error.faults.is_empty(), "a refusal has a reason");
                let lines = text.split('\n').count();
                for fault in &error.faults {
                    prop_assert!((1..=lines).contains(&fault.at.line), "{} in\n{}", error, text);
                }
            }
        }
    }
}
