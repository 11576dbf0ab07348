//! The risks of a plan and the facts that its nodes receive, as a person sees them in a shell.

use baton_api::wire::*;
use baton_store::Actor;
use baton_tests::{Shell, TestEnvironment};
use serde_json::json;

const PLAN: &str = r#"
baton: 1
title: Remind
context:
  notes: Pay through account XYZ.
  toolOutputs:
    invoice: {tool: odoo, operation: read, data: {id: 1}}
  artifacts: [{name: invoice.pdf, path: docs/invoice.pdf}]
risks:
  - {text: The e-mail might bounce, mitigation: check the contact}
nodes:
  - {id: a, kind: command, command: 'true'}
"#;
const LINES: [&str; 6] = [
    "Risks",
    "  The e-mail might bounce (check the contact)",
    "Context",
    "  Pay through account XYZ.",
    "  invoice: odoo read",
    "  invoice.pdf: docs/invoice.pdf",
];

fn check(printed: &str) {
    for line in LINES {
        assert!(
            printed.lines().any(|found| found == line),
            "{line}: {printed}"
        );
    }
}

#[test]
fn shell_shows_both_before_a_person_approves() {
    let env = TestEnvironment::new();
    env.import(PLAN);
    let shell = Shell::new(&env);
    check(&shell.run(&["plan", "show", "Remind"]).out);
}

#[test]
fn shell_shows_those_of_a_proposal() {
    let env = TestEnvironment::new();
    let token = json!({"name": "ci", "surface": "write"});
    let _: TokenCreated = env.call("token_create", token).expect("a new token");
    let app = env.app.acting_as(Actor::Program("ci".to_owned()));
    let input = json!({"content": {"text": PLAN}, "reason": "because"});
    baton_api::call(&app, "proposal_submit", input).expect("a proposal");
    check(&Shell::new(&env).run(&["proposal", "show", "Remind"]).out);
}
