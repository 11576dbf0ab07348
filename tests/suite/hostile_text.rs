//! Tests that titles, file names, output and errors can't send control sequences to a terminal, in
//! any command.

use std::process::Command;

use baton_api::wire::*;
use baton_model::visible_text::is_hidden;
use baton_tests::test_environment::node;
use baton_tests::{Shell, TestEnvironment};

use crate::pseudo_terminal::Terminal;

/// Sets the clipboard and the title, beeps, clears, moves the cursor, changes the text direction,
/// hides text; also a C1 control character.
const YAML: &str = r"\e]52;c;ZXZpbA==\a\e]0;owned\e\\\e[2J\e[31m\b\u009b5m\u0085\u202E\u2066\u200B\u200D\uFEFF\uFDD4";
const PRINTF: &str = r"\033]52;c;ZXZpbA==\007\033[2J\302\2335m\342\200\256\342\200\213\357\267\224";

/// Fails if the text contains characters that a terminal interprets, or that are invisible.
fn assert_tame(command: &str, text: &str) {
    let hidden: Vec<_> = text
        .char_indices()
        .filter(|&(_, c)| c != '\n' && c != '\t' && is_hidden(c))
        .collect();
    if let Some((at, c)) = hidden.first() {
        let from = text.floor_char_boundary(at.saturating_sub(80));
        panic!(
            "{command} prints {c:?}: {:?}",
            &text[from..text.ceil_char_boundary(at + 80)]
        );
    }
}

#[test]
fn command_output_contains_no_control_sequences() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let git = |words: &[&str]| {
        let done = Command::new("git")
            .args(words)
            .current_dir(env.work_dir.path())
            .output()
            .expect("git is installed");
        assert!(
            done.status.success(),
            "{}",
            String::from_utf8_lossy(&done.stderr)
        );
    };
    git(&["init", "--quiet"]);
    git(&[
        "-c",
        "user.name=A",
        "-c",
        "user.email=a@b",
        "commit",
        "--quiet",
        "--allow-empty",
        "-m",
        "first",
    ]);
    let plan = format!(
        "baton: 1\ntitle: \"Title {YAML}\"\ndescription: \"Goal {YAML}\"\ncwd: .\nisolation: worktree\nnodes:\n  \
         - {{id: good, title: \"Good {YAML}\", kind: command, acceptanceCriteria: [\"Criterion {YAML}\"], command: \
         \"printf 'said {printf}\\n'; printf 'key=value {printf}\\n' >> $BATON_OUTPUT; : > \\\"$(printf 'file {printf}')\\\"\"}}\n  \
         - {{id: same, title: \"Same {YAML}\", kind: command, command: \
         \": > \\\"$(printf 'file {printf}')\\\"; printf x > other\"}}\n  \
         - {{id: bad, title: \"Bad {YAML}\", kind: command, command: \"printf 'wrong {printf}\\n' >&2; exit 3\"}}\n  \
         - {{id: ask, title: \"Ask {YAML}\", kind: user_input, question: \"Question {YAML}\", inputType: choice, \
         options: [\"yes {YAML}\", \"no\"]}}\n",
        printf = PRINTF.replace('\\', "\\\\"),
    );
    let file = shell.plan_file("plan.yaml", &plan);
    let at_a_terminal = |words: &[&str]| {
        let mut command = shell.baton(words);
        command.env("COLUMNS", "200").env_remove("SHELL");
        let (_, text) = Terminal::start(command).end();
        assert_tame(&words.join(" "), &text);
        text
    };
    let imported = at_a_terminal(&["plan", "import", &file]);
    assert!(
        imported.contains("Title ]52;c;ZXZpbA=="),
        "the visible part is shown: {imported}"
    );
    let plans: Vec<PlanSummary> = env
        .call("plans_list", serde_json::Value::Null)
        .expect("plans");
    let plan = plans
        .iter()
        .find(|plan| plan.title.starts_with("Title"))
        .expect("the plan was imported")
        .id;
    let view: PlanView = env
        .call("plan_get", PlanRef { plan })
        .expect("the plan exists");
    let approve = PlanApprove {
        plan,
        revision: view.revision,
        anyway: true,
    };
    let _: PlanView = env
        .call("plan_approve", approve)
        .expect("no conflicting change");
    let run = env
        .run(plan, RunGoal::All)
        .expect("the plan can run")
        .summary
        .id;
    let is_over = |view: &RunView, slug: &str| node(view, slug).state.has_ended();
    let view = env.wait_until(run, |view| {
        ["good", "same", "bad"]
            .iter()
            .all(|slug| is_over(view, slug))
    });

    let (run, plan) = (run.to_string(), plan.to_string());
    let sessions = ["good", "bad"].map(|slug| {
        node(&view, slug)
            .session
            .expect("the node has a session")
            .to_string()
    });
    let mut commands: Vec<Vec<&str>> = vec![
        vec!["plan", "list"],
        vec!["plan", "show", &plan],
        vec!["plan", "versions", &plan],
        vec!["runs", "list"],
        vec!["runs", "show", &run],
        vec!["runs", "show", &run, "--history"],
        vec!["inbox"],
        vec!["inbox", "list"],
        vec!["node", "show", &run, "good"],
        vec!["node", "retry", &run, "nothing \u{1b}]52;c;ZXZpbA==\u{7}"],
        vec!["artifact", "show", &run, "good"],
        vec!["session", "list"],
        vec!["session", "show", &sessions[0]],
        vec!["session", "show", &sessions[1]],
        vec!["worktrees", "list"],
        vec!["worktrees", "merge-back", &run, "--dry-run"],
        vec!["worktrees", "overlaps", &run],
        vec!["worktrees", "merge-back", &run],
        vec!["worktrees", "revert", &run],
        vec!["stats"],
        vec!["executors"],
        vec!["doctor"],
        vec!["proposal", "list"],
        vec!["call", "plans_list", "{}"],
    ];
    for format in ["yaml", "json", "markdown", "mermaid", "dot", "svg"] {
        commands.push(vec!["plan", "export", &plan, "--format", format]);
    }
    for command in &commands {
        at_a_terminal(command);
        at_a_terminal(&[command.as_slice(), &["--json"]].concat());
    }
    let looked = at_a_terminal(&["worktrees", "merge-back", &run, "--dry-run"]);
    assert!(looked.contains("A file ]52;c;ZXZpbA==[2J5m"), "{looked}");

    // Export formats that can be imported keep the text unchanged; formats for reading escape it.
    for format in ["markdown", "mermaid", "dot", "svg"] {
        let said = shell.run(&["plan", "export", &plan, "--format", format]);
        assert!(
            !said
                .out
                .contains(['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}', '\u{200b}']),
            "{format}: {}",
            said.out
        );
    }
    let copy = env.work_dir.path().join("copy.yaml");
    std::fs::write(
        &copy,
        shell
            .run(&["plan", "export", &plan, "--format", "yaml"])
            .out,
    )
    .expect("enough disk space");
    let again: PlanImported = env
        .call(
            "plan_import",
            PlanImport {
                file_name: "copy.yaml".to_owned(),
                text: std::fs::read_to_string(&copy).expect("text"),
                cwd: None,
                ..PlanImport::default()
            },
        )
        .expect("the export can be imported");
    assert_eq!(again.plan.plan.title, view.plan.title);
}

#[test]
fn followed_run_contains_no_control_sequences() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let printf = PRINTF.replace('\\', "\\\\");
    let file = shell.plan_file(
        "plan.yaml",
        &format!(
            "baton: 1\ntitle: \"Title {YAML}\"\nnodes:\n  - {{id: bad, title: \"Bad {YAML}\", kind: command, command: \
             \"printf 'wrong {printf}\\n' >&2; exit 3\"}}\n"
        ),
    );
    let mut terminal = Terminal::start(shell.baton(&["run", &file]));
    let asked = terminal.wait_until("[y/N]");
    assert_tame("the question", &asked);
    terminal.type_line("y");
    let (status, text) = terminal.end();
    assert_eq!(status.code(), Some(1), "{text}");
    assert_tame("baton run", &text);
    assert!(
        text.contains("wrong ") && text.contains("Title ]52;c;"),
        "{text}"
    );
}
