//! Tests bad input and accidents: each ends with an error message, loses no data, and leaves no run
//! hanging.

use std::path::Path;
use std::time::{Duration, Instant};

use baton_api::wire::*;
use baton_api::{ApiError, App, Code, Role};
use baton_model::outcome::Failure;
use baton_model::{NodeKind, NodeState, Plan, RunState};
use baton_tests::test_environment::{id, node, program, state, state_labels};
use baton_tests::{TestEnvironment, processes, small_disk};
use rusqlite::{Connection, TransactionBehavior};

/// Returns the error message of a node's first attempt.
fn sentence(env: &TestEnvironment, view: &RunView, slug: &str) -> String {
    let node = NodeRef {
        run: view.summary.id,
        node: id(view, slug),
    };
    let attempts: Vec<AttemptView> = env.call("node_attempts", node).expect("attempts");
    attempts[0].sentence.clone()
}

fn artifact(env: &TestEnvironment, view: &RunView, slug: &str) -> baton_model::Artifact {
    let artifact = node(view, slug).artifact.expect("the node has a handoff");
    let view: ArtifactView = env
        .call("artifact_get", ArtifactRef { artifact })
        .expect("the artifact exists");
    view.content
}

fn timeline(env: &TestEnvironment, view: &RunView, slug: &str) -> String {
    let session = node(view, slug).session.expect("the node has a session");
    let range = TimelineRange {
        session,
        from: 0,
        limit: 100,
        since: None,
        of_end: false,
    };
    let page: TimelinePage = env
        .call("session_timeline", range)
        .expect("the timeline is readable");
    assert!(page.ended, "the session is over");
    serde_json::to_string(&page.entries).expect("entries are JSON")
}

fn file_of(env: &TestEnvironment, view: &RunView, slug: &str, name: &str) -> std::path::PathBuf {
    let session = node(view, slug).session.expect("the node has a session");
    env.data()
        .join("sessions")
        .join(session.to_string())
        .join(name)
}

#[test]
fn unfinished_node_is_saved_with_the_rest_but_cannot_be_approved() {
    let env = TestEnvironment::new();
    let text = "baton: 1
title: Half drawn
nodes:
  - {id: first, kind: command, command: 'true'}
  - {id: inner, kind: sub_plan, subPlanId: Another}
";
    let input = PlanImport {
        file_name: "plan.yaml".to_owned(),
        text: text.to_owned(),
        cwd: Some(env.work_dir.path().display().to_string()),
        ..PlanImport::default()
    };
    let imported: PlanImported = env.call("plan_import", input).expect("a valid plan");
    let mut plan = imported.plan.plan;
    plan.nodes[0].title = "Renamed meanwhile".to_owned();
    let NodeKind::SubPlan(task) = &mut plan.nodes[1].kind else {
        panic!("the file says sub_plan");
    };
    task.sub_plan_id.clear();
    let save = |plan: &Plan, base_revision| -> Result<PlanSaved, _> {
        let plan = plan.clone();
        env.call(
            "plan_save",
            PlanSave {
                plan,
                base_revision,
            },
        )
    };
    let saved = save(&plan, imported.plan.revision).expect("what is missing may follow");
    let sentences = |problems: &[PlanProblem]| -> Vec<String> {
        problems.iter().map(|one| one.sentence.clone()).collect()
    };
    let lacks = ["'inner' has no plan; enter the title or ID of one"];
    assert_eq!(sentences(&saved.problems), lacks);
    let view: PlanView = env
        .call("plan_get", PlanRef { plan: plan.id })
        .expect("the plan is stored");
    assert_eq!(view.plan.nodes[0].title, "Renamed meanwhile");
    assert_eq!(sentences(&view.problems), lacks);
    assert!(!view.problems[0].prevents_saving);

    let approve = PlanApprove {
        plan: plan.id,
        revision: saved.revision,
        anyway: true,
    };
    let error = env
        .call::<PlanView>("plan_approve", approve)
        .expect_err("it would fail in every run");
    assert_eq!(error.code, Code::Invalid);
    assert!(error.message.contains("can't be approved"), "{error:?}");

    plan.title.clear();
    let error = save(&plan, saved.revision).expect_err("an empty title is wrong, not missing");
    assert!(!error.message.contains("has no plan"), "{error:?}");
}

#[test]
fn empty_plan_is_saved_but_cannot_run() {
    let env = TestEnvironment::new();
    let cwd = Some(env.work_dir.path().display().to_string());
    let plan = PlanCreate {
        title: "Nothing yet".to_owned(),
        description: String::new(),
        cwd,
    };
    let plan: PlanView = env.call("plan_create", plan).expect("a plan may be empty");
    let approve = PlanApprove {
        plan: plan.plan.id,
        revision: plan.revision,
        anyway: true,
    };
    let _: PlanView = env.call("plan_approve", approve).expect("approving anyway");
    let error = env
        .run(plan.plan.id, RunGoal::All)
        .expect_err("the plan is empty");
    assert_eq!(error.code, Code::Refused);
    assert_eq!(
        error.message,
        "'Nothing yet' can't run: the plan has no nodes to run: add a node first."
    );
    let runs: Vec<RunSummary> = env
        .call(
            "runs_list",
            RunsFilter {
                plan: None,
                limit: 5,
            },
        )
        .expect("runs");
    assert!(runs.is_empty(), "no run was started");
}

#[test]
fn five_thousand_nodes_are_imported_laid_out_and_exported() {
    let env = TestEnvironment::new();
    let mut text = "baton: 1\ntitle: Large\nnodes:\n".to_owned();
    for number in 0..5000 {
        let parent = if number < 100 {
            String::new()
        } else {
            format!("n{}", number - 100)
        };
        text += &format!(
            "  - {{id: n{number}, kind: command, dependsOn: [{parent}], command: 'true'}}\n"
        );
    }
    let plan = env.import(&text);
    assert_eq!(plan.plan.nodes.len(), 5000);
    let preflight: Preflight = env
        .call("plan_preflight", PlanRef { plan: plan.plan.id })
        .expect("the plan can be imported");
    assert!(preflight.may_run, "{:?}", preflight.checks);
    let direction = baton_model::Direction::LeftRight;
    let places: Vec<NodePlacement> = env
        .call(
            "plan_arrange",
            PlanArrange {
                plan: plan.plan.clone(),
                direction,
                missing_only: false,
                only: None,
                collapsed: None,
            },
        )
        .expect("the layout succeeds");
    assert_eq!(places.len(), 5000);
    let export = PlanExport {
        plan: plan.plan.id,
        format: baton_formats::plan_file::Format::Yaml,
        version: None,
        alone: false,
    };
    let file: FileText = env
        .call("plan_export", export)
        .expect("the export succeeds");
    assert_eq!(env.import(&file.text).plan.nodes.len(), 5000);
}

#[test]
fn thousand_nodes_run_to_completion() {
    let env = TestEnvironment::new();
    let mut text = "baton: 1\ntitle: Many\nconcurrency: 4\nnodes:\n".to_owned();
    for number in 0..1000 {
        let parent = if number < 100 {
            String::new()
        } else {
            format!("n{}", number - 100)
        };
        text += &format!(
            "  - {{id: n{number}, kind: command, dependsOn: [{parent}], command: ['true']}}\n"
        );
    }
    let run = env.start(&text);
    let view = env.finish(run.summary.id);
    assert_eq!(view.summary.state, RunState::Completed);
    assert_eq!(view.summary.progress.len(), 1000);
    processes::wait_for_none(env.data());
}

/// Titles that would be harmful if interpreted as anything but text.
fn titles() -> Vec<String> {
    let mut titles: Vec<String> = [
        "$(touch pwned) `touch pwned` ; touch pwned & | > pwned",
        "../../../../../pwned",
        "/etc/passwd",
        "'\"\\ \" ' -- -rf",
        "two\nlines\r\nand # a heading",
        "🎻 Streicher 🏳️‍🌈 \u{301}",
        "שלום עולם \u{202e}txt.exe",
        "<script>alert(1)</script><img src=x onerror=alert(1)>",
        "{{ nodes.x.outputs.y }} {% raw %}",
        "\u{1b}[31mred\u{1b}[0m \u{7}",
        "%s%n%x\t$HOME ~ * ?",
    ]
    .map(str::to_owned)
    .into();
    titles.push("ü".repeat(500));
    titles
}

#[test]
fn titles_are_treated_as_plain_text() {
    let env = TestEnvironment::new();
    let titles = titles();
    let mut nodes: Vec<serde_json::Value> = Vec::new();
    for (number, title) in titles.iter().enumerate() {
        let parents: Vec<String> = if number == 0 {
            vec![]
        } else {
            vec![format!("n{}", number - 1)]
        };
        nodes.push(serde_json::json!({
            "id": format!("n{number}"), "title": title, "kind": "command", "dependsOn": parents,
            "description": title, "command": ["sh", "-c", format!("cat \"$BATON_CONTEXT\" > received-{number}")],
        }));
    }
    let text = serde_json::json!({ "baton": 1, "title": titles[0], "description": titles[4], "nodes": nodes });
    let cwd = Some(env.work_dir.path().display().to_string());
    let input = PlanImport {
        file_name: "../../pwned.json".to_owned(),
        text: text.to_string(),
        cwd,
        ..PlanImport::default()
    };
    let imported: PlanImported = env
        .call("plan_import", input)
        .expect("every title is valid");
    let plan = imported.plan;
    let approve = PlanApprove {
        plan: plan.plan.id,
        revision: plan.revision,
        anyway: false,
    };
    let _: PlanView = env
        .call("plan_approve", approve)
        .expect("the plan can be approved");
    let run = env
        .run(plan.plan.id, RunGoal::All)
        .expect("the plan can run");
    let view = env.finish(run.summary.id);
    assert_eq!(view.summary.state, RunState::Completed);
    let kept: Vec<&str> = view
        .plan
        .nodes
        .iter()
        .map(|node| node.title.as_str())
        .collect();
    assert_eq!(kept, titles, "titles are stored unchanged");
    for (number, title) in titles.iter().enumerate().take(titles.len() - 1) {
        let received = env.read(&format!("received-{}", number + 1));
        let heading = format!("## {}", title.replace('\n', " "));
        assert!(
            received.starts_with(&heading),
            "{received:?} starts with {heading:?}"
        );
    }
    let history: Vec<HistoryRow> = env
        .call(
            "run_history",
            RunHistory {
                run: run.summary.id,
                after: 0,
                limit: 1000,
            },
        )
        .expect("history");
    assert!(history.iter().any(|row| row.sentence.contains(&titles[5])));
    for title in &titles {
        let mut plan = plan.plan.clone();
        plan.id = baton_model::PlanId(uuid::Uuid::now_v7());
        plan.title.clone_from(title);
        let twin = PlanCreate {
            title: title.clone(),
            description: String::new(),
            cwd: None,
        };
        let twin: PlanView = env.call("plan_create", twin).expect("the title is valid");
        let export = PlanExport {
            plan: twin.plan.id,
            format: baton_formats::plan_file::Format::Yaml,
            version: None,
            alone: false,
        };
        let file: FileText = env
            .call("plan_export", export)
            .expect("the export succeeds");
        let name = &file.file_name;
        let harmless = |c: char| c.is_alphanumeric() || "-_.".contains(c);
        assert!(
            name.chars().all(harmless) && !name.starts_with('.'),
            "{name:?} is a valid file name"
        );
        let again: PlanView = env.import(&file.text);
        assert_eq!(again.plan.title.trim(), title.trim());
    }
    let mut pwned = walk(env.work_dir.path());
    pwned.extend(walk(env.data()));
    pwned.retain(|path| path.contains("pwned"));
    assert!(
        pwned.is_empty(),
        "no title was executed or used as a path: {pwned:?}"
    );
}

fn walk(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("readable").flatten() {
        found.push(entry.path().display().to_string());
        if entry.path().is_dir() {
            found.extend(walk(&entry.path()));
        }
    }
    found
}

#[test]
fn too_long_title_is_rejected_by_name() {
    let env = TestEnvironment::new();
    let create = |title: String| -> Result<PlanView, ApiError> {
        env.call(
            "plan_create",
            PlanCreate {
                title,
                description: String::new(),
                cwd: None,
            },
        )
    };
    create("x".repeat(500)).expect("500 are allowed");
    for title in ["x".repeat(501), String::new(), " \n".to_owned()] {
        let error = create(title).expect_err("not allowed");
        assert_eq!(error.code, Code::Invalid);
        assert!(
            error.message.contains("must have 1 to 500 characters"),
            "{}",
            error.message
        );
    }
}

#[test]
fn missing_directory_is_reported_before_and_during_a_run() {
    let env = TestEnvironment::new();
    let plan = env.import_approved(
        "
baton: 1
title: Gone
nodes:
  - {id: first, kind: command, command: 'cd ..; rm -r \"$OLDPWD\"'}
  - {id: second, kind: command, dependsOn: [first], command: 'true'}
",
    );
    let place = env.work_dir.path();
    let view = env.finish(
        env.run(plan.plan.id, RunGoal::All)
            .expect("the plan exists")
            .summary
            .id,
    );
    assert!(
        matches!(view.summary.state, RunState::Failed { .. }),
        "{:?}",
        view.summary.state
    );
    let said = sentence(&env, &view, "second");
    let expected = format!("the directory {} doesn't exist: create it", place.display());
    assert!(said.contains(&expected), "{said}");

    let error = env
        .run(plan.plan.id, RunGoal::All)
        .expect_err("the directory is missing");
    assert_eq!(error.code, Code::Refused);
    let expected = format!(
        "the directory {} doesn't exist: create it, or choose another",
        place.display()
    );
    assert!(error.message.contains(&expected), "{}", error.message);
    std::fs::create_dir(place).expect("enough disk space");
    let second = NodeRef {
        run: view.summary.id,
        node: id(&view, "second"),
    };
    let _: RunSummary = env.call("node_retry", second).expect("the node has failed");
    assert_eq!(
        env.finish(view.summary.id).summary.state,
        RunState::Completed,
        "the retry succeeds once the directory exists"
    );
}

#[test]
fn missing_agent_is_reported_with_a_fix() {
    let env = TestEnvironment::new();
    let save = serde_json::json!({ "id": "ghost", "command": ["no-such-agent-here"] });
    let _: Vec<AgentView> = env
        .call("agent_save", save)
        .expect("missing agents can be configured");
    let text = "baton: 1\ntitle: Agent\nnodes:\n  - {id: work, agent: ghost, prompt: Do it.}\n";
    let plan = env.import_approved(text);
    let error = env
        .run(plan.plan.id, RunGoal::All)
        .expect_err("the agent is missing");
    assert_eq!(error.code, Code::Refused);
    assert!(
        error.message.contains("no-such-agent-here"),
        "{}",
        error.message
    );
}

#[test]
fn megabyte_prompt_reaches_the_agent_unchanged() {
    let env = TestEnvironment::new();
    let save = serde_json::json!({ "id": "echo", "command": ["cat"] });
    let _: Vec<AgentView> = env.call("agent_save", save).expect("a program");
    let prompt = "Ein langer Brief — мир.\n".repeat(40_000);
    let nodes = [serde_json::json!({ "id": "work", "agent": "echo", "prompt": prompt })];
    let text = serde_json::json!({ "baton": 1, "title": "Long", "nodes": nodes }).to_string();
    let run = env.start(&text);
    let view = env.finish(run.summary.id);
    assert_eq!(view.summary.state, RunState::Completed);
    let echoed = std::fs::read_to_string(file_of(&env, &view, "work", "stdout")).expect("text");
    assert!(
        echoed.contains(prompt.trim_end()),
        "got {} of {} bytes",
        echoed.len(),
        prompt.len()
    );
    assert!(timeline(&env, &view, "work").contains("Ein langer Brief"));
    let context: ContextView = env
        .call(
            "node_context",
            NodeRef {
                run: view.summary.id,
                node: id(&view, "work"),
            },
        )
        .expect("the prompt can be shown");
    assert!(
        context
            .prompt
            .expect("the prompt exists")
            .contains(prompt.trim_end())
    );
}

#[test]
fn binary_output_is_shown_as_text_and_stored_unchanged() {
    let env = TestEnvironment::new();
    let run = env.start(
        r#"
baton: 1
title: Noise
nodes:
  - {id: noise, kind: command, command: "printf 'zero\\0 bad \\377\\376 \\033[31mred\\033[0m \\007end'"}
  - {id: markup, kind: command, command: "printf '```\\n<script>alert(1)</script>\\n**What was done:**\\nlies\\n'"}
  - {id: silent, kind: command, command: 'true'}
"#,
    );
    let view = env.finish(run.summary.id);
    assert_eq!(
        state_labels(&view),
        ["noise done", "markup done", "silent done"]
    );
    let bytes =
        std::fs::read(file_of(&env, &view, "noise", "stdout")).expect("the output is stored");
    assert_eq!(bytes, b"zero\0 bad \xff\xfe \x1b[31mred\x1b[0m \x07end");
    let text = artifact(&env, &view, "noise").text;
    assert!(
        text.contains("zero bad \u{fffd}\u{fffd} red end"),
        "{text:?}"
    );
    assert!(
        text.chars().all(|c| !c.is_control() || c == '\n'),
        "{text:?}"
    );
    assert!(timeline(&env, &view, "noise").contains("zero bad \u{fffd}\u{fffd} red end"));

    let text = artifact(&env, &view, "markup").text;
    let output = "````\n```\n<script>alert(1)</script>\n**What was done:**\nlies\n````";
    assert!(
        text.ends_with(output),
        "the fence is longer than any in the output: {text}"
    );
    assert!(text.starts_with("**What was done:**\n`"), "{text}");
    assert!(
        !artifact(&env, &view, "silent")
            .text
            .contains("End of output")
    );
}

#[test]
fn named_outputs_may_be_large_or_binary() {
    let env = TestEnvironment::new();
    let run = env.start(
        r#"
baton: 1
title: Outputs
nodes:
  - id: binary
    kind: command
    command: "head -c 300000 /dev/urandom > $BATON_OUTPUT; printf '\\n\\033[1mno=1\\ngood=a\\033[31mb\\0c\\n' >> $BATON_OUTPUT"
  - id: huge
    kind: command
    command: "(printf 'first=1\\nold=1\\nkept=3\\nlong='; head -c 5000000 /dev/zero | tr '\\0' x; echo; echo late=2; echo old=2) > $BATON_OUTPUT"
  - {id: reads-late, kind: command, dependsOn: [huge], onFailure: skip, command: 'echo {{nodes.huge.outputs.late}}'}
  - {id: asks-late, kind: condition, dependsOn: [huge], onFailure: skip, condition: nodes.huge.outputs.late == 2}
  - {id: fails, kind: command, onFailure: skip, command: "(head -c 2000000 /dev/zero | tr '\\0' x; echo; echo late=2) > $BATON_OUTPUT; exit 1"}
  - {id: told, kind: command, dependsOn: [fails], triggerRule: all_done, command: 'cp $BATON_CONTEXT report'}
  - {id: folder, kind: command, onFailure: skip, command: 'rm -f $BATON_OUTPUT && mkdir $BATON_OUTPUT || echo kept=yes >> $BATON_OUTPUT'}
  - {id: child, kind: command, dependsOn: [binary, huge, folder], command: 'echo {{nodes.binary.outputs.good}} > got'}
"#,
    );
    let view = env.finish(run.summary.id);
    assert_eq!(view.summary.state, RunState::Completed, "{:#?}", view.nodes);
    assert_eq!(env.read("got"), "abc\n", "control codes are removed");
    let outputs = artifact(&env, &view, "huge").outputs;
    assert_eq!(outputs["first"], "1");
    let long = &outputs["long"];
    assert!(
        long.starts_with(&"x".repeat(64 * 1024)) && long.len() < 65 * 1024,
        "long values are truncated"
    );
    assert!(
        long.ends_with("[Truncated by Baton: BATON_OUTPUT is too long, so the rest was not read.]"),
        "the truncation is marked"
    );
    assert!(
        !outputs.contains_key("late"),
        "only the first megabyte is read"
    );
    let left = artifact(&env, &view, "huge");
    assert_eq!(
        (left.outputs_left_out.as_slice(), outputs["kept"].as_str()),
        (&["late".to_owned(), "old".to_owned()][..], "3")
    );
    assert!(!outputs.contains_key("old"), "an earlier value isn't used");
    assert!(
        left.text
            .contains("`late`, `old` come after the first 1 MiB of BATON_OUTPUT"),
        "{}",
        left.text.len()
    );
    let said = sentence(&env, &view, "reads-late");
    assert!(
        said.contains("'huge' has no 'late' in the first 1 MiB of $BATON_OUTPUT"),
        "{said}"
    );
    let said = sentence(&env, &view, "asks-late");
    assert!(
        said.contains("'huge' has no 'late' in the first 1 MiB of $BATON_OUTPUT"),
        "{said}"
    );
    assert_eq!(
        env.read("report")
            .matches("- [Truncated by Baton: `late` comes after")
            .count(),
        1
    );
    let text = artifact(&env, &view, "binary").text;
    assert!(
        text.chars()
            .all(|c| !c.is_control() || c == '\n' || c == '\t'),
        "{text:?}"
    );
}

#[test]
fn large_output_is_stored_without_using_memory() {
    const BYTES: u64 = 200_000_000;
    let env = TestEnvironment::new();
    let before = processes::peak_memory();
    let run = env.start(&format!(
        "
baton: 1
title: Loud
nodes:
  - {{id: lines, kind: command, command: 'yes | head -c {BYTES}'}}
"
    ));
    let view = env.finish(run.summary.id);
    assert_eq!(view.summary.state, RunState::Completed);
    let grown = processes::peak_memory().saturating_sub(before);
    assert!(grown < 100_000_000, "memory grew by {grown} bytes");
    let kept = std::fs::metadata(file_of(&env, &view, "lines", "stdout"))
        .expect("the output is stored")
        .len();
    assert_eq!(kept, BYTES);
    let session: SessionView = env
        .call(
            "session_get",
            SessionRef {
                session: node(&view, "lines")
                    .session
                    .expect("the node has a session"),
            },
        )
        .expect("the timeline exists");
    assert_eq!(session.stdout_bytes, BYTES);
}

#[test]
fn endless_line_uses_no_memory() {
    let env = TestEnvironment::new();
    let save = serde_json::json!({ "id": "breathless", "command": ["sh", "-c", "head -c 300000000 /dev/zero | tr '\\0' x"] });
    let _: Vec<AgentView> = env.call("agent_save", save).expect("a program");
    let before = processes::peak_memory();
    let run = env
        .start("baton: 1\ntitle: Line\nnodes:\n  - {id: work, agent: breathless, prompt: Go.}\n");
    let view = env.finish(run.summary.id);
    assert_eq!(view.summary.state, RunState::Completed);
    let kept = std::fs::metadata(file_of(&env, &view, "work", "stdout"))
        .expect("the output is stored")
        .len();
    assert_eq!(kept, 300_000_000);
    assert!(
        timeline(&env, &view, "work").len() < 10_000_000,
        "a page has a limited size"
    );
    let grown = processes::peak_memory().saturating_sub(before);
    assert!(grown < 150_000_000, "memory grew by {grown} bytes");
}

#[test]
fn full_disk_ends_the_session_and_the_run_waits_for_space() {
    small_disk::run_on_small_disk(
        "24m",
        "error_conditions::full_disk_ends_the_session_and_the_run_waits_for_space",
        |disk| {
            let env = TestEnvironment::in_folder(disk);
            let ballast = disk.join("ballast");
            std::fs::write(&ballast, vec![0; 2_000_000]).expect("enough disk space");
            let run = env.start(
                "baton: 1\ntitle: Full\nnodes:\n  - {id: loud, kind: command, command: 'yes'}\n",
            );
            let view = env.wait_until(run.summary.id, |view| node(view, "loud").session.is_some());
            let record = file_of(&env, &view, "loud", "exit.json");
            processes::wait("the keeper ends the session", || {
                if record.exists() {
                    Ok(())
                } else {
                    Err("still running".to_owned())
                }
            });
            std::fs::remove_file(ballast).expect("the file exists");
            let view = env.finish(run.summary.id);
            let NodeState::Failed {
                failure: Failure::DiskFull { .. },
                ..
            } = state(&view, "loud")
            else {
                panic!("{:?}", state(&view, "loud"))
            };
            let said = sentence(&env, &view, "loud");
            assert!(
                said.contains("has no space left; free some space, then retry the node"),
                "{said}"
            );
            let RunState::Failed { message, .. } = &view.summary.state else {
                panic!("{:?}", view.summary.state)
            };
            assert!(message.contains("'loud'"), "{message}");
            processes::wait_for_none(env.data());
        },
    );
}

#[test]
fn full_disk_prevents_a_session_with_a_clear_error() {
    small_disk::run_on_small_disk(
        "1m",
        "error_conditions::full_disk_prevents_a_session_with_a_clear_error",
        |disk| {
            let env = TestEnvironment::new();
            let sessions = env.data().join("sessions");
            let _ = std::fs::remove_dir(&sessions);
            std::os::unix::fs::symlink(disk, &sessions)
                .expect("the sessions are on the small disk");
            let mut ballast =
                std::fs::File::create(disk.join("ballast")).expect("enough disk space");
            // Writes until the disk is full.
            while std::io::Write::write_all(&mut ballast, &[0; 4096]).is_ok() {}

            let run =
            env.start("baton: 1\ntitle: Full\nnodes:\n  - {id: work, kind: command, command: 'echo done >> work'}\n");
            let work = NodeRef {
                run: run.summary.id,
                node: id(&run, "work"),
            };
            // With more space, each attempt gets a bit further: no folder, part of the folder, a
            // keeper that can't start.
            for pages in 0.. {
                let view = env.finish(run.summary.id);
                if view.summary.state == RunState::Completed {
                    assert!(pages > 1, "the disk was full");
                    break;
                }
                let said = sentence(&env, &view, "work");
                let NodeState::Failed {
                    failure: Failure::DiskFull { .. },
                    ..
                } = state(&view, "work")
                else {
                    panic!(
                        "with {pages} pages of room: {said}, {:?}",
                        state(&view, "work")
                    )
                };
                assert!(said.contains("disk"), "{said}");
                let length = ballast.metadata().expect("the file is open").len();
                // Files of earlier attempts are kept, so that each attempt needs its own space.
                ballast
                    .set_len(length - 4096 * (pages + 1))
                    .expect("the file can shrink");
                let _: RunSummary = env.call("node_retry", &work).expect("the node has failed");
            }
            assert_eq!(
                env.read("work"),
                "done\n",
                "the work was done once, when there was space"
            );
            processes::wait_for_none(env.data());
        },
    );
}

/// Keeps the database of `env` locked while `work` runs.
fn locked<T>(env: &TestEnvironment, work: impl FnOnce() -> T) -> T {
    let mut other = Connection::open(env.data().join("baton.db")).expect("a database");
    let lock = other
        .transaction_with_behavior(TransactionBehavior::Exclusive)
        .expect("the database is idle");
    let done = work();
    drop(lock);
    done
}

#[test]
fn locked_database_is_waited_for_then_reported() {
    let env = TestEnvironment::new();
    let run = env.start(
        "
baton: 1
title: Locked
nodes:
  - {id: first, kind: command, command: 'touch here; while [ ! -f go ]; do sleep 0.02; done'}
  - {id: second, kind: command, dependsOn: [first], command: 'echo second > second'}
",
    );
    env.wait_until(run.summary.id, |_| {
        env.work_dir.path().join("here").exists()
    });
    let create = || -> Result<PlanView, ApiError> {
        env.call(
            "plan_create",
            PlanCreate {
                title: "New".to_owned(),
                description: String::new(),
                cwd: None,
            },
        )
    };
    locked(&env, || {
        std::fs::write(env.work_dir.path().join("go"), "").expect("enough disk space");
        let began = Instant::now();
        let error = create().expect_err("the database is locked");
        assert!(
            began.elapsed() >= Duration::from_secs(4),
            "the call waited before it failed"
        );
        assert_eq!(error.code, Code::Busy);
        assert!(
            error.full_message().contains(
                "baton.db is locked by another program. Close that program, then try again."
            ),
            "{}",
            error.message
        );
        assert!(
            env.view(run.summary.id).summary.attendance != RunExecutorView::None,
            "reads still work"
        );
    });
    assert_eq!(
        env.finish(run.summary.id).summary.state,
        RunState::Completed,
        "the run waited"
    );
    assert_eq!(env.read("second"), "second\n");
    create().expect("the lock is released");
}

#[test]
fn run_pauses_when_its_history_cannot_be_written() {
    let env = TestEnvironment::new();
    let run = env.start(
        "
baton: 1
title: Given up
nodes:
  - {id: first, kind: command, command: 'echo first >> ledger; while [ ! -f go ]; do sleep 0.02; done'}
  - {id: second, kind: command, dependsOn: [first], command: 'echo second >> ledger'}
",
    );
    let run = run.summary.id;
    env.wait_until(run, |_| !env.read("ledger").is_empty());
    let other = Connection::open(env.data().join("baton.db")).expect("a database");
    let fault = "CREATE TRIGGER fault BEFORE INSERT ON run_events BEGIN SELECT RAISE(ABORT, 'the disk is on fire'); END";
    other.execute_batch(fault).expect("the database is idle");
    std::fs::write(env.work_dir.path().join("go"), "").expect("enough disk space");
    let error = env
        .app
        .wait_for_run(run)
        .expect_err("the run can't continue");
    assert_eq!(error.code, Code::Unavailable);
    assert!(
        error.message.contains("the disk is on fire"),
        "{}",
        error.message
    );
    let view = env.view(run);
    assert!(
        view.summary.state.is_running() && view.summary.attendance == RunExecutorView::None,
        "the run has no executor"
    );
    let error = env
        .call::<RunSummary>("run_resume", RunRef { run })
        .expect_err("still");
    assert!(
        error.message.contains("the disk is on fire"),
        "{}",
        error.message
    );

    other
        .execute_batch("DROP TRIGGER fault")
        .expect("the database is idle");
    let _: RunSummary = env
        .call("run_resume", RunRef { run })
        .expect("the history is writable again");
    assert_eq!(env.finish(run).summary.state, RunState::Completed);
    assert_eq!(
        env.read("ledger"),
        "first\nsecond\n",
        "no work was repeated"
    );
    processes::wait_for_none(env.data());
}

/// Returns the error when Baton can't open `data`.
fn refusal(data: &Path) -> String {
    let opened = App::open_with_keeper(data.to_path_buf(), Role::Window, program("baton-keeper"));
    let error = opened.err().expect("opening fails");
    ApiError::from(&error).full_message()
}

#[test]
fn unusable_database_is_reported_with_a_fix() {
    let folder = tempfile::tempdir().expect("enough disk space");
    let path = folder.path().join("baton.db");
    App::open_with_keeper(
        folder.path().to_path_buf(),
        Role::Cli,
        program("baton-keeper"),
    )
    .expect("new")
    .shut_down();
    let whole = std::fs::read(&path).expect("the database exists");
    let with = |bytes: &[u8]| {
        for name in ["baton.db-wal", "baton.db-shm"] {
            let _ = std::fs::remove_file(folder.path().join(name));
        }
        std::fs::write(&path, bytes).expect("enough disk space");
        refusal(folder.path())
    };
    let named = |said: &str, fix: &str| {
        assert!(said.contains("baton.db") && said.contains(fix), "{said}");
    };
    named(&with(&whole[..whole.len() / 2]), "Restore a backup");
    named(
        &with(
            b"Dear diary, this is no database, and it never was one."
                .repeat(20)
                .as_slice(),
        ),
        "Move it away",
    );
    std::fs::write(&path, &whole).expect("enough disk space");
    Connection::open(&path)
        .and_then(|file| file.pragma_update(None, "user_version", 4711))
        .expect("a database");
    let newer = std::fs::read(&path).expect("the database exists");
    named(&refusal(folder.path()), "Start the newer version");
    assert_eq!(
        std::fs::read(&path).expect("the database exists"),
        newer,
        "the database is unchanged"
    );
}

#[test]
fn read_only_folder_is_reported_with_a_fix() {
    small_disk::run_on_small_disk(
        "8m",
        "error_conditions::read_only_folder_is_reported_with_a_fix",
        |disk| {
            App::open_with_keeper(disk.to_path_buf(), Role::Cli, program("baton-keeper"))
                .expect("new")
                .shut_down();
            let read_only = std::process::Command::new("mount")
                .args(["-o", "remount,ro"])
                .arg(disk)
                .status();
            assert!(read_only.expect("mount is installed").success());
            let said = refusal(disk);
            assert!(
                said.contains("read-only") && said.contains("Make both writable"),
                "{said}"
            );
        },
    );
}

#[test]
fn missing_keeper_is_reported_with_a_fix() {
    let folder = tempfile::tempdir().expect("enough disk space");
    let opened = App::open_with_keeper(
        folder.path().to_path_buf(),
        Role::Cli,
        folder.path().join("no-keeper"),
    );
    let said = ApiError::from(&opened.err().expect("opening fails")).full_message();
    assert!(
        said.contains("no-keeper") && said.contains("Reinstall Baton."),
        "{said}"
    );
}
