//! Tests Markdown plans for real: run, exported, checked, and logged step by step.

use std::fs;

use baton_api::wire::*;
use baton_formats::plan_file::Format;
use baton_tests::TestEnvironment;
use baton_tests::shell::Shell;
use serde_json::Value;

const PLAN: &str = r#"---
title: Reminder
cwd: .
---

Remind the client.

## Steps

1. Write the reminder

   ```yaml
   kind: command
   command: echo {{context.invoice.client}} > reminder && cat "$BATON_CONTEXT" > received
   ```
2. Send it

   ```yaml
   kind: command
   command: test -s reminder && exit 3
   ```

## Context

### Tool Outputs

```json
{"invoice": {"tool": "odoo", "operation": "read", "data": {"client": "Ann; touch gotcha"}}}
```

### Notes

Be polite.

## Risks

- It might bounce (check the address)
"#;

#[test]
fn markdown_plan_runs_with_its_context_and_logs_each_step() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let file = shell.plan_file("plan.md", PLAN);
    let said = shell.run(&["run", &file, "--yes"]);
    assert_eq!(said.code, Some(1), "{said:?}");

    let work = |name: &str| fs::read_to_string(env.work_dir.path().join(name));
    let reminder = work("reminder").expect("the first step wrote it");
    assert_eq!(reminder, "Ann; touch gotcha\n", "a value is data");
    assert!(work("gotcha").is_err(), "a value is no command");
    let received = work("received").expect("the first step wrote it");
    assert!(
        received.contains("Context of the plan") && received.contains("Be polite."),
        "{received}"
    );

    let runs: Vec<RunSummary> = env
        .call(
            "runs_list",
            RunsFilter {
                plan: None,
                limit: 1,
            },
        )
        .expect("a list");
    let log = baton_engine::step_log(env.data(), runs[0].id);
    let text = fs::read_to_string(&log).expect("the run has a log");
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let shown: Vec<_> = lines
        .iter()
        .map(|line| (line["step"].as_u64(), line["status"].as_str()))
        .collect();
    assert_eq!(
        shown,
        [(Some(1), Some("success")), (Some(2), Some("failed"))],
        "{text}"
    );
    assert_eq!(lines[1]["error"], "ended with exit code 3");

    let plan = runs[0].plan;
    let export = |format| PlanExport {
        plan,
        version: None,
        format,
        alone: false,
    };
    let exported: FileText = env
        .call("plan_export", export(Format::Markdown))
        .expect("it is exported");
    assert_eq!(exported.file_name, "reminder.md");
    assert!(
        exported.text.contains("1. Write the reminder\n")
            && exported
                .text
                .contains("- It might bounce (check the address)\n"),
        "{}",
        exported.text
    );
    let checked = shell.run(&[
        "plan",
        "lint",
        &shell.plan_file("exported.md", &exported.text),
    ]);
    assert_eq!(checked.code, Some(0), "{checked:?}");

    let deleted: RunsDeleted = env
        .call(
            "runs_delete",
            RunsDelete {
                runs: vec![runs[0].id],
            },
        )
        .expect("it is deleted");
    assert_eq!(deleted.deleted.len(), 1, "{deleted:?}");
    assert!(!log.exists(), "the log goes with its run");
}

#[test]
fn lint_lists_faults_by_line_and_stores_nothing() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let bad = shell.plan_file("bad.md", &PLAN.replace("kind: command", "kind: comand"));
    let good = shell.plan_file("good.md", PLAN);
    let said = shell.run(&["plan", "lint", &bad, &good]);
    assert_eq!(said.code, Some(2), "{said:?}");
    let lines: Vec<&str> = said.out.lines().collect();
    assert!(
        lines[0].contains("bad.md:13:10: ") && lines[0].contains("did you mean \"command\"?"),
        "{lines:?}"
    );
    assert!(
        lines.iter().all(|line| !line.contains("good.md")),
        "{lines:?}"
    );
    let json = shell.run(&["plan", "lint", "--json", &bad]);
    let found: Vec<Value> = serde_json::from_str(&json.out).expect("JSON");
    assert_eq!(
        (&found[0]["line"], &found[0]["severity"]),
        (&13.into(), &"error".into())
    );
    let plans: Vec<PlanSummary> = env.call("plans_list", Nothing {}).expect("plans");
    assert!(
        plans.iter().all(|plan| plan.title != "Reminder"),
        "nothing is stored"
    );
    let nothing = shell.run(&["plan", "lint"]);
    assert_eq!(nothing.code, Some(2), "{nothing:?}");
    assert!(nothing.err.contains(".baton/plans"), "{nothing:?}");
}
