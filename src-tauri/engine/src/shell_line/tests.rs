//! Commands with hostile values, actually executed.

use std::path::Path;
use std::process::Command;

use baton_model::node::{CommandLine, CommandTask, Criterion, LoopBody, LoopTask, ToolCall};
use baton_model::problem::{NodeField, unsafe_values};
use baton_model::{Node, NodeId, NodeKind, Slug};
use serde_json::json;
use uuid::Uuid;

use super::*;
use crate::template::{ErrorTexts, NodeTexts};

/// The template that is replaced below.
const VALUE: &str = "{{nodes.a.outputs.x}}";

/// Each creates a file `mark` if it is ever executed, or is several words if it is ever split.
const HOSTILE: [&str; 22] = [
    "$(touch mark)",
    "`touch mark`",
    "; touch mark",
    "& touch mark &",
    "| touch mark",
    "&& touch mark",
    "\ntouch mark\n",
    "' ; touch mark ; '",
    "\" ; touch mark ; \"",
    "'\"'\"'; touch mark; '",
    "\\'; touch mark; \\'",
    "\\",
    "${x:=$(touch mark)}",
    "$((x[$(touch mark)]))",
    "x[$(touch mark)]",
    "EOF\ntouch mark\nEOF",
    ") touch mark (",
    "}; touch mark; {",
    "-rf",
    "--version",
    "* ? [a-z]",
    "  two   words  ",
];

/// Shell lines in which a value stays data; each prints `<`, the value and `>`.
const PRINTING: [&str; 22] = [
    "printf '<%s>' @@",
    "printf '<%s>' \"@@\"",
    "printf '<%s>' '@@'",
    "printf \"<%s>\" \"\"@@''",
    "x=@@; printf '<%s>' \"$x\"",
    "X=@@ sh -c 'printf \"<%s>\" \"$X\"'",
    "sh -c 'printf \"<%s>\" \"$1\"' _ @@",
    "env X=@@ sh -c 'printf \"<%s>\" \"$X\"'",
    "f() { printf '<%s>' \"$1\"; }; f @@",
    "( printf '<%s>' @@ )",
    "if true; then printf '<%s>' @@; fi",
    "case @@ in *) printf '<%s>' @@;; esac",
    "for w in @@; do printf '<%s>' \"$w\"; done",
    "printf '<%s>' @@ | cat",
    "printf '<'; printf %s @@ > file; cat file; printf '>'",
    "printf '%s' \"it's $(printf '<%s>' '@@')\" | sed \"s/^it's //\"",
    "printf '<%s>' @@ # don't sh -c '@@'",
    "[ @@ = x ]; printf '<%s>' @@",
    "printf '%s' \"<@@>\"",
    "printf '%s' '<'\"@@\"'>'",
    "printf '%s' '<@@>'",
    "timeout 20 sh -c 'printf \"<%s>\" \"$0\"' @@",
];

/// Shell lines in which a value is part of a document.
const DOCUMENTS: [&str; 3] = [
    "cat <<EOF\n<@@>\nEOF\n",
    "cat <<-EOF | cat\n\t<@@>\n\tEOF\n",
    "printf '%s\\n' \"$(cat <<EOF\n<@@>\nEOF\n)\"",
];

/// Shell lines in which a value would be code of another interpreter, each followed by the reason.
const REFUSED: [&str; 30] = [
    "sh -c 'echo @@'",
    "sh -c \"echo @@\"",
    "bash -c 'echo @@'",
    "bash -c \"$(echo @@)\"",
    "eval @@",
    "eval \"echo '@@'\"",
    "ssh host 'echo @@'",
    "python3 -c 'print(\"@@\")'",
    "node -e 'console.log(\"@@\")'",
    "perl -e 'print \"@@\"'",
    "ruby -e 'puts \"@@\"'",
    "awk 'BEGIN { print \"@@\" }'",
    "sed \"s/a/@@/\" file",
    "sh <<EOF\necho @@\nEOF",
    "cat <<'EOF'\n@@\nEOF",
    "echo $((@@))",
    "[[ @@ -eq 1 ]]",
    "let x=@@",
    "echo @@ | sh",
    "env sh -c @@",
    "sudo bash -c 'echo @@'",
    "timeout 5 sh -c 'echo @@'",
    "nice nohup sh -c 'echo @@'",
    "find . -exec sh -c 'echo @@' \\;",
    "docker exec box sh -c 'echo @@'",
    "x=@@; sh -c \"$x\"",
    "trap 'echo @@' EXIT",
    "@@ --version",
    "echo `echo @@`",
    "echo ${x:-@@}",
];

/// Argument lists in which a value stays data, and their output.
const ARGUMENTS: [&[&str]; 6] = [
    &["printf", "<%s>", "@@"],
    &["sh", "-c", "printf '<%s>' \"$1\"", "_", "@@"],
    &["env", "X=@@", "sh", "-c", "printf '<%s>' \"$X\""],
    &["printf", "%s", "<@@>"],
    &["timeout", "20", "printf", "<%s>", "@@"],
    &["sh", "-c", "cat <<EOF\n<$1>\nEOF", "_", "@@"],
];

/// Argument lists that are rejected.
const REFUSED_ARGUMENTS: [&[&str]; 8] = [
    &["sh", "-c", "echo @@"],
    &["bash", "-c", "@@"],
    &["env", "bash", "-c", "echo @@"],
    &["python3", "-c", "print('@@')"],
    &["node", "-e", "f('@@')"],
    &["ssh", "host", "echo @@"],
    &["@@", "--version"],
    &["sh", "-c", "eval \"$1\"", "_", "@@"],
];

fn with_value(template: &str) -> String {
    template.replace("@@", VALUE)
}

fn outputs(value: &str) -> Outputs {
    let error = ErrorTexts {
        output: value.to_owned(),
        ..ErrorTexts::default()
    };
    let texts = NodeTexts {
        outputs: [("x".to_owned(), value.to_owned())].into(),
        error,
        ..NodeTexts::default()
    };
    Outputs {
        nodes: [("a".to_owned(), texts)].into(),
        ..Outputs::default()
    }
}

/// The output of a line with the value inserted.
fn run(shell: &str, line: &str, value: &str, folder: &Path) -> String {
    let (line, variables) = fill(&with_value(line), &outputs(value)).expect("value exists");
    let mut command = Command::new(shell);
    command
        .args(["-c", &line])
        .envs(variables)
        .current_dir(folder);
    String::from_utf8(command.output().expect("a shell").stdout).expect("text")
}

fn command(command: CommandLine) -> NodeKind {
    NodeKind::Command(CommandTask {
        command,
        env: BTreeMap::new(),
        cwd: None,
    })
}

fn shell_call(line: &str, env: serde_json::Value) -> ToolCall {
    let arguments = json!({"command": line, "env": env});
    ToolCall {
        tool_name: "shell".to_owned(),
        tool_args: arguments.as_object().expect("a mapping").clone(),
    }
}

fn node(kind: NodeKind) -> Node {
    Node::new(
        NodeId(Uuid::from_u128(1)),
        Slug::new("b").expect("valid slug"),
        "B",
        kind,
    )
}

/// The fields of a node that are rejected.
fn refused(kind: NodeKind) -> Vec<NodeField> {
    unsafe_values(&node(kind)).map(|(field, _)| field).collect()
}

/// The installed shells that may be `/bin/sh` on other machines.
fn shells() -> Vec<&'static str> {
    let works = |shell: &&str| Command::new(shell).args(["-c", ":"]).output().is_ok();
    ["sh", "bash", "dash"].into_iter().filter(works).collect()
}

#[test]
fn hostile_values_are_passed_verbatim() {
    let folder = tempfile::tempdir().expect("temp dir");
    for line in PRINTING {
        assert_eq!(
            refused(command(CommandLine::Shell(with_value(line)))),
            [],
            "{line}"
        );
        for (shell, value) in shells()
            .into_iter()
            .flat_map(|shell| HOSTILE.map(|value| (shell, value)))
        {
            assert_eq!(
                run(shell, line, value, folder.path()),
                format!("<{value}>"),
                "{shell}: {line}"
            );
        }
    }
    for line in DOCUMENTS {
        assert_eq!(
            refused(command(CommandLine::Shell(with_value(line)))),
            [],
            "{line}"
        );
        for (shell, value) in shells()
            .into_iter()
            .flat_map(|shell| HOSTILE.map(|value| (shell, value)))
        {
            assert_eq!(
                run(shell, line, value, folder.path()),
                format!("<{value}>\n"),
                "{shell}: {line}"
            );
        }
    }
    assert!(!folder.path().join("mark").exists());
}

#[test]
fn hostile_values_in_argv_are_not_executed() {
    let folder = tempfile::tempdir().expect("temp dir");
    for words in ARGUMENTS {
        let templates: Vec<String> = words.iter().map(|word| with_value(word)).collect();
        assert_eq!(
            refused(command(CommandLine::Argv(templates.clone()))),
            [],
            "{words:?}"
        );
        for value in HOSTILE {
            let words: Vec<String> = templates
                .iter()
                .map(|word| word.replace(VALUE, value))
                .collect();
            let output = Command::new(&words[0])
                .args(&words[1..])
                .current_dir(folder.path())
                .output()
                .expect("a program");
            assert_eq!(
                String::from_utf8_lossy(&output.stdout).trim_end_matches('\n'),
                format!("<{value}>"),
                "{words:?}"
            );
        }
    }
    assert!(!folder.path().join("mark").exists());
}

#[test]
fn unsafe_code_is_refused_in_every_field() {
    for line in REFUSED.map(with_value) {
        assert!(
            refused(command(CommandLine::Shell(line.clone()))).contains(&NodeField::Command),
            "{line}"
        );
        let call = shell_call(&line, json!({}));
        assert!(
            refused(NodeKind::ToolCall(call.clone())).contains(&NodeField::ToolArgs),
            "{line}"
        );
        let mut checked = node(command(CommandLine::Argv(vec!["true".to_owned()])));
        checked
            .acceptance_criteria
            .push(Criterion::run(line.clone()));
        let fields: Vec<_> = unsafe_values(&checked).map(|(field, _)| field).collect();
        assert!(fields.contains(&NodeField::AcceptanceCriteria), "{line}");
        let task = LoopTask {
            body: LoopBody::Tool(call),
            max_iterations: 2,
            loop_condition: None,
        };
        assert!(
            refused(NodeKind::Loop(task)).contains(&NodeField::ToolArgs),
            "{line}"
        );
    }
    for words in REFUSED_ARGUMENTS {
        let words = words.iter().map(|word| with_value(word)).collect();
        assert!(refused(command(CommandLine::Argv(words))).contains(&NodeField::Command));
    }
}

#[test]
fn variables_are_tracked_into_code() {
    for line in [
        "eval \"$X\"",
        "sh -c \"$X\"",
        "echo $((X))",
        "echo \"$X\" | sh",
        "sh -c 'eval \"$X\"'",
        "$X",
    ] {
        let env = BTreeMap::from([("X".to_owned(), VALUE.to_owned())]);
        let kind = CommandTask {
            command: CommandLine::Shell(line.to_owned()),
            env,
            cwd: None,
        };
        assert_eq!(
            refused(NodeKind::Command(kind)),
            [NodeField::Command],
            "{line}"
        );
        assert_eq!(
            refused(NodeKind::ToolCall(shell_call(line, json!({"X": VALUE})))),
            [NodeField::ToolArgs],
            "{line}"
        );
    }
    let env = BTreeMap::from([("BASH_ENV".to_owned(), VALUE.to_owned())]);
    let kind = CommandTask {
        command: CommandLine::Shell("bash file".to_owned()),
        env,
        cwd: None,
    };
    assert_eq!(refused(NodeKind::Command(kind)), [NodeField::Env]);
}

#[test]
fn unsafe_values_are_refused_with_a_reason() {
    // The control: with the value inserted as text, these lines do execute it.
    let folder = tempfile::tempdir().expect("temp dir");
    for line in [
        "sh -c \"echo @@\"",
        "eval echo @@",
        "sh <<EOF\necho @@\nEOF",
        "echo \"echo @@\" | sh",
    ] {
        run("sh", line, "$(touch mark)", folder.path());
        assert!(folder.path().join("mark").exists(), "{line}");
        std::fs::remove_file(folder.path().join("mark")).expect("exists");
    }
}

#[test]
fn words_are_split_only_where_requested() {
    let folder = tempfile::tempdir().expect("temp dir");
    std::fs::write(folder.path().join("file"), "").expect("write file");
    let line = "for word in a{{nodes.a.outputs.x | split}}b; do echo \"<$word>\"; done";
    assert_eq!(
        run("sh", line, "one  two\n*", folder.path()),
        "<aone>\n<two>\n<*b>\n"
    );
    assert_eq!(run("sh", line, "", folder.path()), "<ab>\n");
    assert_eq!(
        run(
            "sh",
            "for word in @@; do echo \"<$word>\"; done",
            "one two",
            folder.path()
        ),
        "<one two>\n"
    );
    assert_eq!(
        run("sh", "set -- @@; echo $#", "", folder.path()),
        "1\n",
        "an empty value is a word"
    );
}

#[test]
fn json_and_spaces_need_no_quoting() {
    let folder = tempfile::tempdir().expect("temp dir");
    let body = "printf '%s' '{\"name\": \"@@\", \"v\": [1, {\"a\": \"@@\"}]}'";
    assert_eq!(
        run("sh", body, "a b", folder.path()),
        "{\"name\": \"a b\", \"v\": [1, {\"a\": \"a b\"}]}"
    );
    assert_eq!(run("sh", "echo \"v@@\"", "1.2", folder.path()), "v1.2\n");
    assert_eq!(
        run("sh", "echo {{nodes.a.error.output}}", "a  b", folder.path()),
        "a  b\n"
    );
}
