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
        let (nodes, rows): (Vec<&str>, Vec<&str>) =
            seen.out.lines().partition(|line| line.starts_with("  "));
        assert_eq!(rows.len(), plans, "{source}: {}", seen.out);
        assert!(!nodes.is_empty(), "{source}: {}", seen.out);
        if plans == 1 {
            let marked = seen.out.matches("(inferred)").count();
            assert_eq!(marked, inferred, "{source}: {}", seen.out);
        }
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

/// The changed list of an import that is proposed, not applied.
#[test]
fn changes_of_a_list_are_proposed() {
    let env = TestEnvironment::new();
    let shell = Shell::new(&env);
    let list = env.work_dir.path().join("tasks.md");
    let path = list.display().to_string();
    let text = "# Tasks: Login\n\n- [ ] T001 Write a.txt\n- [ ] T002 Write b.txt\n";
    std::fs::write(&list, text).expect("a file");
    let done = shell.run(&["plan", "import", &path]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    let plan = done
        .out
        .trim()
        .parse()
        .map(baton_model::PlanId)
        .expect("an ID");
    let get = || -> PlanView { env.call("plan_get", PlanRef { plan }).expect("the plan") };
    let changed = text.replace("Write b.txt", "Write c.txt") + "- [ ] T003 Write d.txt\n";
    std::fs::write(&list, changed).expect("a file");
    let proposed = shell.run(&["plan", "import", "--update", "--propose", &path]);
    assert_eq!(proposed.code, Some(0), "{}", proposed.err);
    assert!(proposed.err.contains("Proposal "), "{}", proposed.err);
    assert_eq!(get().version, 1, "nothing is applied");
    let again = shell.run(&["plan", "import", "--update", "--propose", &path]);
    assert_eq!(again.err, proposed.err, "the same proposal");
    let open: Vec<ProposalSummary> = env
        .call(
            "proposals_list",
            ProposalsFilter {
                open: true,
                plan: Some(plan),
                limit: 10,
            },
        )
        .expect("proposals");
    let [proposal] = &open[..] else {
        panic!("{open:#?}")
    };
    let proposal = proposal.id.to_string();
    let diff = shell.run(&["proposal", "diff", &proposal]);
    assert!(
        diff.out.contains("T002") && diff.out.contains("T003"),
        "{}",
        diff.out
    );
    let accepted = shell.run(&["proposal", "accept", &proposal]);
    assert_eq!(accepted.code, Some(0), "{}", accepted.err);
    let titles: Vec<String> = get()
        .plan
        .nodes
        .into_iter()
        .map(|node| node.title)
        .collect();
    assert_eq!(titles, ["Write a.txt", "Write c.txt", "Write d.txt"]);
}
