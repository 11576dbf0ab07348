//! Rules of a project in `.baton/plans.json`: they tighten what a person's settings say, and never
//! loosen it. With real files, runs and proposals.

use std::fs;
use std::path::PathBuf;

use baton_api::wire::*;
use baton_model::RunState;
use baton_model::plan::EffectiveSettings;
use baton_model::run::Event;
use baton_store::Actor;
use baton_tests::{Shell, TestEnvironment};
use serde_json::json;

const NODES: &str = "nodes:\n  - {id: a, kind: command, command: 'true'}\n";
const RULES: &str =
    r#"{"guardedTools": ["Bash"], "staleAfterDays": 3, "executorTimeoutMinutes": 10}"#;
const MINUTE_MS: u64 = 60_000;
const DAY_MS: u64 = 24 * 60 * MINUTE_MS;

/// A project with plan files.
struct Project {
    env: TestEnvironment,
}

impl Project {
    fn new() -> Self {
        let env = TestEnvironment::new();
        let project = Self { env };
        fs::create_dir_all(project.path(".baton")).expect("a folder");
        let input = PlanFilesSave {
            directory: project.env.work_dir.path().display().to_string(),
            on: true,
            format: ProjectFileFormat::Markdown,
            run_line: false,
        };
        let saved = project.env.call("plan_files_save", input);
        let _: Vec<PlanFilesProject> = saved.expect("a person may");
        project
    }

    fn path(&self, name: &str) -> PathBuf {
        self.env.work_dir.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("inside")).expect("a folder");
        fs::write(path, text).expect("enough disk space");
    }

    fn write_rules(&self, text: &str) {
        self.write(".baton/plans.json", text);
    }

    fn status(&self) -> PlanFilesProject {
        let projects: Vec<PlanFilesProject> = self
            .env
            .call("plan_files_list", Nothing {})
            .expect("a list");
        projects.into_iter().next().expect("the project")
    }

    /// What a completed run of a plan with these settings kept.
    fn kept_by_run(&self, settings: &str) -> EffectiveSettings {
        let run = self
            .env
            .start(&format!("baton: 1\ntitle: Ruled\n{settings}{NODES}"))
            .summary
            .id;
        assert_eq!(self.env.finish(run).summary.state, RunState::Completed);
        let input = json!({"run": run, "after": 0, "limit": 1});
        let history: Vec<HistoryRow> = self.env.call("run_history", input).expect("a history");
        match &history[0].event {
            Event::Started {
                settings: Some(kept),
                ..
            } => kept.clone(),
            other => panic!("{other:?}"),
        }
    }

    /// After how many days a program's proposal for this project expires.
    fn days_of_proposal(&self, title: &str) -> u64 {
        let app = self.env.app.acting_as(Actor::Program("ci".to_owned()));
        let nodes = json!([{"id": "a", "title": "A", "kind": "command", "command": "true"}]);
        let content = json!({"title": title, "cwd": self.env.work_dir.path(), "nodes": nodes});
        let input = json!({"content": content, "reason": "because"});
        let answer = baton_api::call(&app, "proposal_submit", input).expect("a proposal");
        let view: ProposalView = serde_json::from_value(answer).expect("a proposal");
        let summary = view.summary;
        summary.expires_at.ms_since(summary.created_at) / DAY_MS
    }

    /// With a token of a program, whose proposals expire.
    fn with_program() -> Self {
        let project = Self::new();
        let token = json!({"name": "ci", "surface": "write"});
        let created: Result<TokenCreated, _> = project.env.call("token_create", token);
        created.expect("a new token");
        project
    }

    fn preflight(&self) -> Preflight {
        let plan = self
            .env
            .import(&format!("baton: 1\ntitle: Checked\n{NODES}"))
            .plan
            .id;
        self.env
            .call("plan_preflight", PlanRef { plan })
            .expect("a report")
    }
}

#[test]
fn rules_tighten_runs_and_proposals() {
    let project = Project::with_program();
    assert_eq!(project.kept_by_run("").timeout_ms, None);
    assert_eq!(project.days_of_proposal("One"), 7);

    project.write_rules(RULES);
    let kept = project.kept_by_run("guardedTools: [Write]\ntimeoutMs: 3600000\n");
    assert_eq!(kept.guarded_tools, ["Write", "Bash"]);
    assert_eq!(kept.timeout_ms, Some(10 * MINUTE_MS));
    assert_eq!(project.days_of_proposal("Two"), 3);
    let checks = project.preflight().checks;
    let is_named = |check: &Check| {
        check.sentence == "the project's rules: 1 guarded tool, time limit of a run 10m 00s"
    };
    assert!(checks.iter().any(is_named), "{checks:?}");
    let shown = project.status().rules;
    assert_eq!(shown.guarded_tools, ["Bash"]);
    assert_eq!(
        (shown.stale_after_days, shown.executor_timeout_minutes),
        (Some(3), Some(10))
    );
}

#[test]
fn rules_never_loosen() {
    let project = Project::with_program();
    project.write_rules(
        r#"{"guardedTools": [], "staleAfterDays": 3650, "executorTimeoutMinutes": 525600}"#,
    );
    let kept = project.kept_by_run("guardedTools: [Write]\ntimeoutMs: 60000\n");
    assert_eq!(kept.guarded_tools, ["Write"]);
    assert_eq!(kept.timeout_ms, Some(MINUTE_MS));
    assert_eq!(project.days_of_proposal("One"), 7);
}

#[test]
fn damaged_rules_stop_no_run_and_are_named() {
    let project = Project::new();
    project
        .write_rules("{\n  \"guardTools\": [\"Bash\"],\n  \"executorTimeoutMinutes\": \"10\"\n}\n");
    assert_eq!(project.kept_by_run("").timeout_ms, None);
    let report = project.preflight();
    assert!(report.may_run, "{report:?}");
    let faults = project.status().rules.faults;
    let expected = [
        ".baton/plans.json:2:3: unknown key \"guardTools\"",
        ".baton/plans.json:3:29: \"executorTimeoutMinutes\" of the project's rules must be",
    ];
    for expected in expected {
        assert!(
            faults.iter().any(|fault| fault.contains(expected)),
            "{faults:?}"
        );
        let is_named = |check: &Check| {
            check.verdict == CheckVerdict::Warning && check.sentence.contains(expected)
        };
        assert!(report.checks.iter().any(is_named), "{report:?}");
    }
    let shell = Shell::new(&project.env);
    let printed = shell.run(&["plan", "files", "status"]);
    assert!(printed.out.contains(expected[0]), "{}", printed.out);

    project.write_rules(&format!("{RULES}{}", " ".repeat(70_000)));
    let rules = project.status().rules;
    assert!(
        rules.faults[0].contains("plans.json is larger than 64 KB"),
        "{rules:?}"
    );
    assert_eq!(rules.guarded_tools, [""; 0]);
}

#[test]
fn links_and_copies_have_no_rules() {
    let project = Project::new();
    let outside = tempfile::tempdir().expect("a folder");
    fs::write(outside.path().join("plans.json"), RULES).expect("enough disk space");
    let link = project.path(".baton/plans.json");
    std::os::unix::fs::symlink(outside.path().join("plans.json"), &link).expect("a link");
    let rules = project.status().rules;
    assert!(
        rules.faults[0].contains("is not a regular file"),
        "{rules:?}"
    );
    assert_eq!(project.kept_by_run("").timeout_ms, None);

    fs::remove_dir_all(project.path(".baton")).expect("removed");
    std::os::unix::fs::symlink(outside.path(), project.path(".baton")).expect("a link");
    let rules = project.status().rules;
    assert!(
        rules.faults[0].contains("leads out of the project"),
        "{rules:?}"
    );
    assert_eq!(project.kept_by_run("").timeout_ms, None);
    fs::remove_file(project.path(".baton")).expect("removed");

    // A worktree in the project has a copy of the file, which means nothing.
    project.write("trees/one/.baton/plans.json", RULES);
    let cwd = project.path("trees/one");
    let kept = project.kept_by_run(&format!("cwd: {}\n", cwd.display()));
    assert_eq!(kept.timeout_ms, None);
    project.write_rules(RULES);
    let kept = project.kept_by_run(&format!("cwd: {}\n", cwd.display()));
    assert_eq!(kept.timeout_ms, Some(10 * MINUTE_MS));
}
