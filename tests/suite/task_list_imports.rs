//! Every task list goes through the real `baton plan import`.

use std::path::Path;

use baton_api::wire::*;
use baton_tests::{Shell, TestEnvironment};

/// A source below the fixtures, its plans, and their inferred edges.
const SOURCES: [(&str, usize, usize); 12] = [
    ("task_master/tasks.json", 2, 0),
    ("task_master/old.json", 1, 0),
    ("spec_kit", 1, 16),
    ("open_spec", 1, 3),
    ("backlog", 1, 0),
    ("beads/.beads/issues.jsonl", 1, 0),
    ("github_issues", 1, 0),
    ("claude_tasks", 1, 2),
    ("todo_list/session.jsonl", 1, 2),
    ("kiro", 1, 2),
    ("rawko", 1, 0),
    ("own_pilot/plan.json", 1, 0),
];

#[test]
fn shell_imports_every_format() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/imports");
    for (source, plans, inferred) in SOURCES {
        let path = fixtures.join(source).display().to_string();
        let seen = shell.run(&["plan", "import", "--preview", &path]);
        assert!(seen.code == Some(0), "{source}: {}", seen.err);
        assert_eq!(seen.out.lines().count(), plans, "{source}: {}", seen.out);
        let done = shell.run(&["plan", "import", &path]);
        assert!(done.code == Some(0), "{source}: {}", done.err);
        let ids: Vec<&str> = done.out.lines().collect();
        assert_eq!(ids.len(), plans, "{source}");
        let plan = ids[0].parse().map(baton_model::PlanId).expect("an ID");
        let view: PlanView = env.call("plan_get", PlanRef { plan }).expect("the plan");
        assert_eq!(view.plan.inferred_edges().count(), inferred, "{source}");
        if inferred > 0 {
            let refused = shell.run(&["plan", "approve", "--anyway", ids[0]]);
            assert!(refused.code != Some(0), "{source}");
            let confirmed = shell.run(&["plan", "confirm-edges", ids[0]]);
            assert!(confirmed.code == Some(0), "{source}: {}", confirmed.err);
        }
        let again = shell.run(&["plan", "import", "--update", &path]);
        assert!(again.code == Some(0), "{source}: {}", again.err);
    }
}
