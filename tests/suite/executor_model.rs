//! Tests the default model of a plan, `executorModel`: agent nodes without a model of their own use
//! it, in YAML, JSON and Markdown. A script stands in for the agent.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use baton_tests::shell::CommandOutput;
use baton_tests::{Shell, TestEnvironment};

const YAML: &str = "
baton: 1
title: Models
cwd: .
executorModel: haiku
nodes:
  - {id: plain, agent: claude, prompt: Go.}
  - {id: own, agent: claude, model: opus, prompt: Go.}
";
const JSON: &str = r#"{"baton": 1, "title": "Models", "cwd": ".", "executorModel": "haiku", "nodes": [
    {"id": "plain", "agent": "claude", "prompt": "Go."},
    {"id": "own", "agent": "claude", "model": "opus", "prompt": "Go."}
]}"#;
const MARKDOWN: &str = "---
title: Models
cwd: .
executor_model: haiku
---

## Steps

1. Plain

   ```yaml
   agent: claude
   ```

2. Own

   ```yaml
   agent: claude
   model: opus
   dependsOn: []
   ```
";

/// The models with which a run of the plan in `file` started the agent, sorted.
fn models(file: &str, text: &str) -> Vec<String> {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let tools = tempfile::tempdir().expect("a folder");
    let program = tools.path().join("claude");
    let started = tools.path().join("started");
    let script = format!(
        "#!/bin/sh\nwhile [ $# -gt 1 ]; do [ \"$1\" = --model ] && echo \"$2\" >> '{}'; shift; done\n",
        started.display()
    );
    fs::write(&program, script).expect("enough disk space");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("own file");
    let file = shell.plan_file(file, text);
    let mut command = shell.baton(&["run", &file, "--yes"]);
    let path = std::env::var("PATH").unwrap_or_default();
    command
        .env("PATH", format!("{}:{path}", tools.path().display()))
        .env("SHLVL", "1");
    let ran = CommandOutput::of(command);
    let found = fs::read_to_string(&started).unwrap_or_else(|error| panic!("{error}: {ran:?}"));
    let mut models: Vec<String> = found.lines().map(str::to_owned).collect();
    models.sort();
    models.dedup();
    models
}

#[test]
fn executor_model_is_that_of_nodes_without_one() {
    for (file, text) in [
        ("plan.yaml", YAML),
        ("plan.json", JSON),
        ("plan.md", MARKDOWN),
    ] {
        assert_eq!(models(file, text), ["haiku", "opus"], "{file}");
    }
}
