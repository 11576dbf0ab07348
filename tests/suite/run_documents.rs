//! Tests the document of a run, with real commands, real HTTP and the real shell.

use baton_api::wire::*;
use baton_model::RunState;
use baton_tests::test_environment::{id, state};
use baton_tests::{Shell, TestEnvironment};

const HOSTILE: &str = "<script>alert(1)</script>";

/// A run with a failed attempt, a retry, a file, a check and a person's decision.
fn finished_run(env: &TestEnvironment) -> RunView {
    let script = format!(
        "echo '{HOSTILE}'; echo '{HOSTILE}' > made.txt; echo 'note={HOSTILE}' >> $BATON_OUTPUT; test $BATON_ATTEMPT = 2\n"
    );
    std::fs::write(env.work_dir.path().join("work.sh"), script).expect("enough disk space");
    let run = env.start(
        "baton: 1\ntitle: 'Release <script>'\ncwd: .\nnodes:\n  \
         - {id: work, title: 'Do <b>work</b>', kind: command, command: sh work.sh, maxRetries: 1, acceptanceCriteria: [{run: test -e made.txt}]}\n  \
         - {id: ask, kind: user_input, question: 'Is it <i>good</i>?', dependsOn: [work]}\n",
    );
    let run = env.wait_until(run.summary.id, |view| {
        state(view, "ask").as_str() == "waiting"
    });
    let answer = NodeInput {
        run: run.summary.id,
        node: id(&run, "ask"),
        value: HOSTILE.to_owned(),
    };
    env.call::<RunSummary>("node_input", answer)
        .expect("the question is open");
    env.finish(run.summary.id)
}

fn document_of(env: &TestEnvironment, view: &RunView) -> FileText {
    let input = RunExport {
        run: view.summary.id,
        format: RunExportFormat::Html,
    };
    env.call("run_export", input).expect("a document")
}

#[test]
fn document_has_what_was_stored_and_no_markup_from_commands() {
    let env = TestEnvironment::new();
    let view = finished_run(&env);
    assert_eq!(view.summary.state, RunState::Completed);
    let file = document_of(&env, &view);
    assert_eq!(file.file_name, "release-script-run-1.html");
    let html = &file.text;
    assert!(!html.contains("<script"), "{html}");
    for part in [
        "Run #1 of version 1",
        "<h4>Attempt 1</h4>",
        "<h4>Attempt 2</h4>",
        "&lt;script&gt;alert(1)&lt;/script&gt;",
        "made.txt",
        "test -e made.txt",
        "Handoff, written by Baton from facts",
        "Do &lt;b&gt;work&lt;/b&gt;",
    ] {
        assert!(html.contains(part), "{part} in {html}");
    }
    let decisions = html
        .split("<h2 id=\"decisions\">")
        .nth(1)
        .and_then(|rest| rest.split("</section>").next())
        .expect("a section");
    assert!(
        decisions.contains("was answered: &lt;script&gt;"),
        "{decisions}"
    );
    assert!(decisions.contains("a person"), "{decisions}");
    assert_eq!(document_of(&env, &view), file, "the same at every time");
}

#[test]
fn shell_writes_the_document() {
    let env = TestEnvironment::new();
    let view = finished_run(&env);
    let shell = Shell::new(&env);
    let path = env.work_dir.path().join("run.html");
    let file = path.display().to_string();
    let run = view.summary.id.to_string();
    let arguments = ["runs", "export", &run, "--format", "html", "-o", &file];
    let written = shell.run(&arguments);
    assert_eq!(written.code, Some(0), "{}", written.err);
    let text = std::fs::read_to_string(&path).expect("a file");
    assert_eq!(text, document_of(&env, &view).text);
    let again = shell.run(&arguments);
    assert_ne!(again.code, Some(0), "an existing file is kept");
    assert!(again.err.contains("--force"), "{}", again.err);
}
