//! A table of examples for each format, and of faults.

use proptest::prelude::*;

use super::*;

const FOLDERS: [(&str, ImportFormat); 9] = [
    ("spec_kit", ImportFormat::SpecKit),
    ("open_spec", ImportFormat::OpenSpec),
    ("backlog", ImportFormat::Backlog),
    ("beads", ImportFormat::Beads),
    ("github_issues", ImportFormat::GithubIssues),
    ("claude_tasks", ImportFormat::ClaudeTasks),
    ("kiro", ImportFormat::Kiro),
    ("rawko", ImportFormat::Rawko),
    ("own_pilot", ImportFormat::OwnPilot),
];

const FILES: [(&str, &str, ImportFormat); 4] = [
    ("task_master", "tasks.json", ImportFormat::TaskMaster),
    ("task_master", "old.json", ImportFormat::TaskMaster),
    ("todo_list", "session.jsonl", ImportFormat::TodoList),
    ("todo_list", "codex.json", ImportFormat::TodoList),
];

fn single(format: &str, name: &str) -> Vec<SourceFile> {
    let text = fs::read_to_string(fixtures(format).join(name)).expect("a fixture");
    vec![file(name, &text)]
}

/// All example sources with the name of their snapshot.
fn sources() -> Vec<(String, ImportFormat, Vec<SourceFile>)> {
    let folders = FOLDERS
        .into_iter()
        .map(|(name, format)| (name.to_owned(), format, folder(&fixtures(name))));
    let files = FILES.into_iter().map(|(of, name, format)| {
        let snapshot = format!("{of}_{}", name.replace('.', "_"));
        (snapshot, format, single(of, name))
    });
    folders.chain(files).collect()
}

#[test]
fn formats_are_recognized_by_content() {
    for (name, format, files) in sources() {
        assert_eq!(detect(&files), Ok(Some(format)), "{name}");
    }
    for (name, text) in [
        ("plan.yaml", "baton: 1\ntitle: A\nnodes: []\n"),
        ("plan.json", r#"{"baton": 1, "nodes": [], "tasks": []}"#),
        ("plan.json", r#"{"name": "A", "steps": []}"#),
        ("package.json", r#"{"name": "a", "version": "1.0.0"}"#),
        ("README.md", "# A\n\n- [ ] Something\n"),
        ("broken.json", "{"),
        ("chart.mmd", "flowchart LR\na --> b"),
    ] {
        assert_eq!(detect(&[file(name, text)]), Ok(None), "{name}");
    }
}

#[test]
fn several_formats_in_one_folder_have_to_be_named() {
    let mut files = folder(&fixtures("beads"));
    files.extend(folder(&fixtures("task_master")));
    let error = detect(&files).expect_err("ambiguous").to_string();
    assert!(error.contains("Task Master and beads"), "{error}");
    assert!(import_files(ImportFormat::Beads, &files).is_ok());
}

#[test]
fn plans_of_each_format() {
    for (name, format, files) in sources() {
        let plans = imported(format, &files);
        for Imported { plan, .. } in &plans {
            let problems = plan.problems();
            let unsavable = problems.iter().find(|problem| problem.prevents_saving());
            assert_eq!(unsavable, None, "{name}");
            let text = plan_file::write(plan, plan_file::Format::Yaml);
            let mut last = 0_u128;
            let read = plan_file::read(&text, plan_file::Format::Yaml, "a.yaml", &mut || {
                last += 1;
                Uuid::from_u128(last)
            });
            let read = read.unwrap_or_else(|error| panic!("{name}: {error}")).plan;
            assert_eq!(
                read.inferred_edges().count(),
                plan.inferred_edges().count(),
                "{name}"
            );
        }
        insta::assert_snapshot!(name, shown(&plans));
    }
}

#[test]
fn faults_name_their_line() {
    let json = |text: &str| vec![file("tasks.json", text)];
    let cases: Vec<(ImportFormat, Vec<SourceFile>)> = vec![
        (
            ImportFormat::TaskMaster,
            json("{\n  \"tasks\": [\n    {\"title\": \"A\"}\n  ]\n}"),
        ),
        (ImportFormat::TaskMaster, json("{\n  \"tasks\": [1")),
        (ImportFormat::TaskMaster, json("[]")),
        (ImportFormat::TaskMaster, json("{\"a\": {\"tasks\": 3}}")),
        (
            ImportFormat::TaskMaster,
            json(
                "{\"tasks\": [\n{\"id\": 1, \"title\": \"A\", \"dependencies\": [2]},\n{\"id\": 2, \"title\": \"B\", \"dependencies\": [1]}]}",
            ),
        ),
        (
            ImportFormat::TaskMaster,
            json(
                "{\"tasks\": [\n{\"id\": 1, \"title\": \"A\"},\n{\"id\": \"1\", \"title\": \"B\"}]}",
            ),
        ),
        (ImportFormat::SpecKit, vec![file("tasks.md", "# Tasks\n")]),
        (
            ImportFormat::Beads,
            vec![file(
                "issues.jsonl",
                "{\"id\": \"a\", \"title\": \"A\"}\n{\"id\": 1\n[]\n{\"id\":\"b\"}",
            )],
        ),
        (
            ImportFormat::Backlog,
            vec![
                file("tasks/a.md", "---\nid: a\ntitle: A\ndependencies: b\n---\n"),
                file("tasks/b.md", "no front matter"),
                file("tasks/c.md", "---\nid: [\n---\n"),
            ],
        ),
        (
            ImportFormat::GithubIssues,
            vec![file("a.json", "[{\"number\": 1, \"title\": \"A\"}, 3]")],
        ),
        (
            ImportFormat::ClaudeTasks,
            vec![file("1.json", "{\"id\": \"1\"}")],
        ),
        (ImportFormat::TodoList, vec![file("s.jsonl", "{}\n")]),
        (
            ImportFormat::Rawko,
            vec![file("p.yaml", "task: A\nsteps:\n  - index: 0\n")],
        ),
        (
            ImportFormat::OwnPilot,
            vec![file(
                "p.json",
                "{\"data\": {\"name\": \"A\", \"steps\": [{\"type\": \"x\"}]}}",
            )],
        ),
    ];
    let found: Vec<String> = cases
        .iter()
        .map(|(format, files)| match import_files(*format, files) {
            Ok(plans) => format!("{format}: no fault\n{}", shown(&plans)),
            Err(error) => format!("{format}:\n{error}"),
        })
        .collect();
    insta::assert_snapshot!(found.join("\n"));
}

#[test]
fn large_sources_are_refused() {
    let text = " ".repeat(FILE_SIZE_LIMIT + 1);
    let error = import_files(ImportFormat::Beads, &[file("issues.jsonl", &text)]);
    assert_eq!(
        error.expect_err("too large").to_string(),
        "issues.jsonl: the file is larger than 10 MB; import a part of it"
    );
    let line = |number| format!("- [ ] T{number:05} Do it\n");
    let text: String = (0..=TASK_LIMIT).map(line).collect();
    let error = import_files(ImportFormat::SpecKit, &[file("tasks.md", &text)]);
    assert!(
        error
            .expect_err("too many")
            .to_string()
            .contains("10000 tasks")
    );
    // 400 subtasks that wait for 400 others.
    let subtasks = (1..=400).map(|id| format!("{{\"id\": {id}, \"title\": \"S\"}}"));
    let subtasks = subtasks.collect::<Vec<_>>().join(",");
    let text = format!(
        "{{\"tasks\": [{{\"id\": 1, \"title\": \"A\", \"subtasks\": [{subtasks}]}}, {{\"id\": 2, \"title\": \"B\", \"dependencies\": [1], \"subtasks\": [{subtasks}]}}]}}"
    );
    let error = import_files(ImportFormat::TaskMaster, &[file("tasks.json", &text)]);
    assert!(
        error
            .expect_err("too many")
            .to_string()
            .contains("50000 edges")
    );
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    for format in [
        ImportFormat::TaskMaster,
        ImportFormat::GithubIssues,
        ImportFormat::OwnPilot,
    ] {
        let error = import_files(format, &[file("deep.json", &deep)]).expect_err("too deep");
        assert!(error.to_string().contains("levels deep"), "{error}");
    }
}

#[test]
fn pages_of_the_api_may_follow_each_other() {
    let issue = |number| format!("{{\"number\": {number}, \"title\": \"I{number}\"}}");
    for text in [
        format!("[{}][{}]", issue(1), issue(2)),
        format!("[{}]\n[{}]\n", issue(1), issue(2)),
        format!("[[{}],[{}]]", issue(1), issue(2)),
    ] {
        let files = [file("issues.json", &text)];
        assert_eq!(
            detect(&files),
            Ok(Some(ImportFormat::GithubIssues)),
            "{text}"
        );
        let plans = imported(ImportFormat::GithubIssues, &files);
        assert_eq!(plans[0].plan.nodes.len(), 2, "{text}");
    }
}

#[test]
fn plan_files_with_an_id_are_no_task_lists() {
    let plan = imported(
        ImportFormat::TaskMaster,
        &[file(
            "tasks.json",
            r#"{"tasks": [{"id": 1, "title": "One"}]}"#,
        )],
    )
    .remove(0)
    .plan;
    let written = plan_file::write(&plan, plan_file::Format::Markdown);
    let by_hand = "---\nid: 7f3a\ntitle: Ship it\n---\n\n## Steps\n\n1. Build (shell: make)\n";
    for text in [written.as_str(), by_hand] {
        assert_eq!(
            detect(&[file("plans/PLAN-7f3a.md", text)]),
            Ok(None),
            "{text}"
        );
    }
    let task = "---\nid: task-1\ntitle: A\n---\n\n## Description\n\nB\n\n## Steps\n\n1. C\n";
    assert_eq!(
        detect(&[file("task-1 - A.md", task)]),
        Ok(Some(ImportFormat::Backlog))
    );
}

#[test]
fn blockers_are_read_as_the_api_answers() {
    let issue = |number: u32, state: &str| {
        format!(
            r#"{{"id": {number}000, "number": {number}, "title": "I{number}", "state": "{state}", "body": null,
            "url": "https://api.github.com/repos/acme/notes/issues/{number}",
            "repository_url": "https://api.github.com/repos/acme/notes",
            "html_url": "https://github.com/acme/notes/issues/{number}",
            "issue_dependencies_summary": {{"blocked_by": 1, "total_blocked_by": 1, "blocking": 0}}}}"#
        )
    };
    // A folder is read by path components, so the files about one issue come before the list.
    let files = [
        file(
            "issues/3/dependencies/blocked_by.json",
            &format!(
                "[{}, {}, {}]",
                issue(2, "open"),
                issue(8, "open"),
                issue(9, "closed")
            ),
        ),
        file(
            "issues.json",
            &format!("[{}, {}]", issue(2, "open"), issue(3, "open")),
        ),
    ];
    let found = imported(ImportFormat::GithubIssues, &files).remove(0);
    assert_eq!(edges(&found.plan), ["task-2>task-3", "task-8>task-3"]);
    let shown: Vec<String> = found.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        shown,
        ["issues.json:5: task 3 depends on 9, which is done; the dependency is left out"]
    );
}

proptest! {
    #[test]
    fn braces_of_a_source_stay_text(
        parts in prop::collection::vec(prop::sample::select(vec![
            "{", "{{", "{{{", "}}", "'{{'", "nodes.a.outputs.b", "context.c", "loop.index", "x", "| split",
        ]), 1..10)
    ) {
        use baton_model::template_text::{LoopScope, TextPart, template_parts};
        let text = format!("x{}x", parts.concat());
        let json = serde_json::json!({"tasks": [{"id": 1, "title": "One", "details": text, "description": text}]});
        let plan = imported(ImportFormat::TaskMaster, &[file("tasks.json", &json.to_string())]).remove(0).plan;
        let node = &plan.nodes[0];
        let baton_model::NodeKind::Agent(task) = &node.kind else { panic!("an agent") };
        for field in [&task.prompt, &node.description] {
            for scope in [LoopScope::Outside, LoopScope::Body, LoopScope::Step] {
                let read: Option<String> = template_parts(field, scope)
                    .map(|part| match part {
                        TextPart::Text(text) => Some(text),
                        TextPart::Expression(_) => None,
                    })
                    .collect();
                prop_assert_eq!(read.as_deref(), Some(text.as_str()));
            }
        }
    }
}

/// Any of the examples with a piece cut out, repeated or replaced.
fn mangled() -> impl Strategy<Value = (ImportFormat, Vec<SourceFile>)> {
    let all = sources();
    let count = all.len();
    (
        0..count,
        any::<prop::sample::Index>(),
        any::<u32>(),
        any::<u32>(),
        ".{0,12}",
    )
        .prop_map(move |(at, which, from, length, piece)| {
            let (_, format, mut files) = all[at].clone();
            let file = which.index(files.len());
            let chars: Vec<char> = files[file].text.chars().collect();
            let from = from as usize % (chars.len() + 1);
            let to = (from + length as usize % 40).min(chars.len());
            let cut = &chars[from..to];
            let around = (&chars[..from], &chars[to..]);
            files[file].text = around
                .0
                .iter()
                .chain(cut.iter().filter(|_| length % 3 == 0))
                .chain(cut.iter().filter(|_| length % 3 == 0))
                .copied()
                .chain(piece.chars())
                .chain(around.1.iter().copied())
                .collect();
            (format, files)
        })
}

/// A plan that can be saved, or faults with places.
fn check(format: ImportFormat, files: &[SourceFile]) -> Result<(), TestCaseError> {
    let _ = detect(files);
    match import_files(format, files) {
        Ok(plans) => {
            for Imported { plan, .. } in plans {
                let problems = plan.problems();
                let unsavable = problems.iter().find(|problem| problem.prevents_saving());
                prop_assert_eq!(unsavable, None);
            }
        }
        Err(error) => {
            prop_assert!(!error.faults.is_empty());
            for fault in error.faults {
                let named = files.iter().any(|file| file.path == fault.path);
                prop_assert!(named || files.is_empty(), "{}", fault);
            }
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn mangled_task_lists_give_a_plan_or_a_place((format, files) in mangled()) {
        check(format, &files)?;
    }

    #[test]
    fn arbitrary_task_lists_never_panic(
        text in prop_oneof![any::<String>(), "[-#\\[\\] \\n0-9.TxP{}:,\"a-c]{0,200}"],
        format in prop::sample::select(ImportFormat::ALL.to_vec()),
        extension in prop::sample::select(vec!["md", "json", "jsonl", "yaml"]),
    ) {
        check(format, &[file(&format!("tasks.{extension}"), &text)])?;
    }
}
