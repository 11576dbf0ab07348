use std::collections::BTreeMap;

use baton_agents::LaunchPlan;
use baton_model::node::{CommandLine, CommandTask, Node, NodeKind};
use baton_model::outcome::Failure;
use baton_model::{NodeId, Slug};
use uuid::Uuid;

use super::argv::Argv;
use super::command::filled_line;
use super::launch::refuse_empty;
use super::text::refuse_unsafe_values;
use crate::template::{NodeTexts, Outputs};

fn command(line: &str) -> Node {
    let command = CommandLine::Shell(line.to_owned());
    let task = CommandTask {
        command,
        env: BTreeMap::new(),
        cwd: None,
    };
    let slug = Slug::new("b").expect("valid slug");
    Node::new(
        NodeId(Uuid::from_u128(1)),
        slug,
        "B",
        NodeKind::Command(task),
    )
}

fn detail(refused: Result<impl std::fmt::Debug, Failure>) -> String {
    match refused {
        Err(Failure::BadInput { detail }) => detail,
        other => panic!("expected a refusal: {other:?}"),
    }
}

#[test]
fn node_with_unsafe_value_does_not_start() {
    let message = detail(refuse_unsafe_values(&command(
        "sh -c 'echo {{nodes.a.outputs.x}}'",
    )));
    assert!(
        message.starts_with("the node puts `{{nodes.a.outputs.x}}` into code for sh"),
        "{message}"
    );
    assert!(
        message.ends_with("sh -c 'echo \"$1\"' _ {{…}}"),
        "{message}"
    );
    assert_eq!(
        refuse_unsafe_values(&command("echo {{nodes.a.outputs.x}}")),
        Ok(())
    );
}

#[test]
fn nul_byte_in_value_is_refused() {
    let texts = NodeTexts {
        outputs: [("x".to_owned(), "a\0b".to_owned())].into(),
        ..NodeTexts::default()
    };
    let outputs = Outputs {
        nodes: [("a".to_owned(), texts)].into(),
        ..Outputs::default()
    };
    let message = detail(filled_line("echo {{nodes.a.outputs.x}}", &outputs));
    assert!(message.contains("contains a NUL byte"), "{message}");
    assert_eq!(
        filled_line("echo a", &outputs).map(|(argv, _)| argv.as_slice().len()),
        Ok(3)
    );
}

#[test]
fn empty_argv_error_names_the_node() {
    let message = detail(Argv::of_node(&command("echo a"), Vec::new()));
    assert_eq!(message, "the node 'b' has no command: add one to the node");
}

#[test]
fn empty_agent_command_error_names_the_node() {
    let plan = |words: &[&str]| LaunchPlan {
        argv: words.iter().map(|word| (*word).to_owned()).collect(),
        env: Vec::new(),
        env_remove: Vec::new(),
        stdin: baton_agents::Stdin::Null,
        first_inputs: Vec::new(),
        prompt_file: None,
    };
    let refused = refuse_empty(&plan(&[]), &command("echo a"));
    assert_eq!(
        refused.map_err(|error| error.to_string()),
        Err("the agent of the node 'b' has no command: add one in the settings, or choose another agent".to_owned())
    );
    assert!(refuse_empty(&plan(&["echo"]), &command("echo a")).is_ok());
}
