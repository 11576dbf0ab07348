//! Tests merging back the work of isolated nodes: into the directory or a branch, undoing it, and
//! resolving conflicts.

use std::path::Path;

use baton_api::Code;
use baton_api::wire::*;
use baton_model::run::{Resolution, WaitingFor};
use baton_model::{NodeState, RunState};
use baton_tests::git::git;
use baton_tests::test_environment::{id, state};
use baton_tests::{Shell, TestEnvironment};

/// Two parallel nodes that change the same file, and create a file each.
const PAIR: &str = "
baton: 1
title: Pair
cwd: .
isolation: worktree
nodes:
  - {id: top, kind: command, command: 'sed -i s/^one$/ONE/ both.txt && echo top > top.txt'}
  - {id: bottom, kind: command, command: 'sed -i s/^nine$/NINE/ both.txt && echo bottom > bottom.txt'}
";

/// Two nodes that change the same line.
const CLASH: &str = "
baton: 1
title: Clash
cwd: .
isolation: worktree
nodes:
  - {id: left, kind: command, command: 'sed -i s/^five$/left/ both.txt'}
  - {id: right, kind: command, command: 'sed -i s/^five$/right/ both.txt'}
";

const LINES: &str = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n";

/// A repository with a file of nine lines.
fn git_environment() -> TestEnvironment {
    let env = TestEnvironment::new();
    let place = env.work_dir.path();
    git(place, &["init", "--quiet", "--initial-branch=main"]);
    std::fs::write(place.join(".git/info/exclude"), "*.yaml\n").expect("enough disk space");
    std::fs::write(place.join("both.txt"), LINES).expect("enough disk space");
    git(place, &["add", "--all"]);
    git(place, &["commit", "--quiet", "-m", "first"]);
    env
}

fn ran(env: &TestEnvironment, text: &str) -> RunView {
    let run = env.start(text).summary.id;
    let view = env.finish(run);
    assert_eq!(
        view.summary.state,
        RunState::Completed,
        "{:?}",
        view.summary
    );
    view
}

fn home(env: &TestEnvironment, view: &RunView) -> MergeBackView {
    env.call(
        "run_home",
        MergeBackPreview {
            run: view.summary.id,
            nodes: None,
        },
    )
    .expect("a preview")
}

/// Adds an agent that resolves the conflict by combining both sides.
fn settler(env: &TestEnvironment) {
    let script = "cat > /dev/null; sed -e s/^five$/both/ -e '/^<<<<<<</,/^>>>>>>>/c both' -i both.txt; echo settled";
    let command = ["sh", "-c", script].map(str::to_owned).to_vec();
    let agent = CustomAgent {
        id: "settler".to_owned(),
        command,
        protocol: Default::default(),
    };
    let _: Vec<AgentView> = env.call("agent_save", agent).expect("a new agent");
}

#[test]
fn merge_back_can_be_previewed_undone_and_branched() {
    let (env, shell) = {
        let env = git_environment();
        let shell = Shell::new(&env);
        (env, shell)
    };
    let view = ran(&env, PAIR);
    let place = env.work_dir.path();
    std::fs::write(place.join("mine.txt"), "not committed\n").expect("enough disk space");
    assert_eq!(
        env.read("both.txt"),
        LINES,
        "isolated nodes don't change the directory"
    );

    let looked = shell.run(&["worktrees", "merge-back", "Pair", "--dry-run"]);
    assert_eq!(looked.code, Some(0), "{looked:?}");
    for line in [
        "M both.txt  +1 -1",
        "A top.txt  +1 -0",
        "top: not in the directory",
    ] {
        assert!(looked.out.contains(line), "{line}: {}", looked.out);
    }
    assert_eq!(env.read("both.txt"), LINES, "a preview changes nothing");

    let came = shell.run(&["worktrees", "merge-back", "Pair"]);
    assert_eq!(came.code, Some(0), "{came:?}");
    assert_eq!(
        env.read("both.txt"),
        LINES.replace("one", "ONE").replace("nine", "NINE")
    );
    assert_eq!(
        (env.read("top.txt"), env.read("bottom.txt")),
        ("top\n".to_owned(), "bottom\n".to_owned())
    );
    assert_eq!(
        git(place, &["diff", "--cached", "--name-only"]),
        "",
        "nothing is staged for the person"
    );
    assert_eq!(home(&env, &view).outside, 0);
    let list = shell.run(&["worktrees", "list"]);
    assert_eq!(list.out.matches("merged").count(), 2, "{}", list.out);

    let back = shell.run(&["worktrees", "revert", "Pair"]);
    assert_eq!(back.code, Some(0), "{back:?}");
    assert_eq!(
        (env.read("both.txt"), env.read("top.txt")),
        (LINES.to_owned(), String::new())
    );
    assert_eq!(env.read("mine.txt"), "not committed\n");

    let one = shell.run(&["worktrees", "merge-back", "Pair", "--node", "top"]);
    assert_eq!(one.code, Some(0), "{one:?}");
    assert_eq!(
        (env.read("top.txt"), env.read("bottom.txt")),
        ("top\n".to_owned(), String::new())
    );

    let branch = shell.run(&["worktrees", "merge-back", "Pair", "--branch", "rest/of-it"]);
    assert_eq!(branch.code, Some(0), "{branch:?}");
    assert_eq!(git(place, &["show", "rest/of-it:bottom.txt"]), "bottom");
    assert_eq!(env.read("bottom.txt"), "", "the directory is unchanged");
    let taken = shell.run(&["worktrees", "merge-back", "Pair", "--branch", "main"]);
    assert_ne!(taken.code, Some(0));
    assert!(taken.err.contains("already exists"), "{}", taken.err);
}

#[test]
fn overlapping_changes_are_reported() {
    let env = git_environment();
    let view = ran(&env, PAIR);
    let found: Vec<OverlapView> = env
        .call(
            "run_overlaps",
            RunRef {
                run: view.summary.id,
            },
        )
        .expect("a list");
    let [pair] = &found[..] else {
        panic!("one pair: {found:?}")
    };
    assert_eq!(
        (pair.proof, &pair.files[..]),
        (OverlapProof::Apart, &["both.txt".to_owned()][..])
    );
    assert_eq!(
        (pair.first, pair.second),
        (id(&view, "top"), id(&view, "bottom"))
    );

    // In a shared directory they must run at the same time: each waits for the other.
    let meets = |own: &str, other: &str| {
        format!(
            "touch .git/{own} && until [ -e .git/{other} ]; do sleep 0.02; done; echo {own} >> both.txt"
        )
    };
    let text = format!(
        "baton: 1\ntitle: Beside\ncwd: .\nnodes:\n  - {{id: x, kind: command, command: '{}'}}\n  \
         - {{id: y, kind: command, command: '{}'}}\n  - {{id: z, kind: command, dependsOn: [x, y], command: 'echo z >> both.txt'}}\n",
        meets("x", "y"),
        meets("y", "x")
    );
    let view = ran(&env, &text);
    let found: Vec<OverlapView> = env
        .call(
            "run_overlaps",
            RunRef {
                run: view.summary.id,
            },
        )
        .expect("a list");
    let reported: Vec<_> = found
        .iter()
        .map(|pair| (pair.first, pair.second, pair.proof))
        .collect();
    assert_eq!(
        reported,
        [(id(&view, "x"), id(&view, "y"), OverlapProof::SameTime)],
        "z waited for both"
    );
    let said = Shell::new(&env).run(&["worktrees", "overlaps", "Beside"]);
    assert!(said.out.contains("both.txt"), "{said:?}");
}

#[test]
fn agent_resolves_merge_back_conflict() {
    let env = git_environment();
    settler(&env);
    let view = ran(&env, CLASH);
    let shell = Shell::new(&env);
    let refused = shell.run(&["worktrees", "merge-back", "Clash"]);
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(
        refused
            .out
            .contains("both.txt  both changed the same lines"),
        "{}",
        refused.out
    );
    assert_eq!(env.read("both.txt"), LINES, "nothing is partially merged");
    let open = home(&env, &view)
        .open
        .expect("the merge is open in a worktree");
    assert!(
        std::fs::read_to_string(Path::new(&open.place).join("both.txt"))
            .expect("there")
            .contains("<<<<<<<")
    );
    let early = shell.run(&["worktrees", "merge-back", "Clash", "--by-hand"]);
    assert!(early.err.contains("markers remain"), "{early:?}");

    let settled = shell.run(&["worktrees", "merge-back", "Clash", "--agent", "settler"]);
    assert_eq!(settled.code, Some(0), "{settled:?}");
    let solver = home(&env, &view).solver.expect("an agent resolves it");
    assert_eq!(solver.state, RunState::Completed);
    assert_eq!(
        env.read("both.txt"),
        LINES,
        "the agent only changes the worktree"
    );
    let came = shell.run(&["worktrees", "merge-back", "Clash", "--by-hand"]);
    assert_eq!(came.code, Some(0), "{came:?}");
    assert_eq!(env.read("both.txt"), LINES.replace("five", "both"));
    assert!(!Path::new(&open.place).exists(), "its worktree is gone");
    let again: MergeBackConflictAgent = MergeBackConflictAgent {
        run: view.summary.id,
        agent: None,
    };
    let nothing = env
        .call::<RunView>("run_home_agent", again)
        .expect_err("no merge is open");
    assert_eq!(nothing.code, Code::Refused);
}

#[test]
fn agent_resolves_fan_in_conflict() {
    let env = git_environment();
    settler(&env);
    let join = "  - {id: join, agent: settler, prompt: Join them., dependsOn: [left, right]}\n";
    let run = env.start(&format!("{CLASH}{join}")).summary.id;
    let asks = |view: &RunView| {
        matches!(
            state(view, "join"),
            NodeState::Waiting {
                what: WaitingFor::Merge { .. }
            }
        )
    };
    let view = env.wait_until(run, asks);
    let node = id(&view, "join");
    let seen: FanInView = env
        .call("node_fan_in", NodeRef { run, node })
        .expect("a preview");
    let titles: Vec<&str> = seen
        .sources
        .iter()
        .map(|side| side.title.as_str())
        .collect();
    assert_eq!(
        (titles.len(), seen.clashes.len(), seen.missing.len()),
        (2, 1, 0),
        "{seen:?}"
    );
    let reported = Shell::new(&env).run(&["worktrees", "fan-in", "Clash", "join"]);
    assert!(
        reported
            .out
            .contains("both.txt  both changed the same lines"),
        "{reported:?}"
    );

    let wish = NodeMerge {
        run,
        node,
        resolution: Resolution::Agent,
    };
    let _: RunSummary = env
        .call("node_merge", wish)
        .expect("the node waits for the merge");
    let view = env.finish(run);
    assert_eq!(view.summary.state, RunState::Completed);
    let home = home(&env, &view);
    assert!(
        home.clashes.is_empty(),
        "the resolved conflict isn't reported again: {:?}",
        home.clashes
    );
    let wish = MergeBackApply {
        run,
        nodes: None,
        branch: None,
        resolution: None,
    };
    let brought: MergeBackResult = env
        .call("run_bring_home", wish)
        .expect("merging back succeeds");
    assert!(brought.conflict.is_none());
    assert_eq!(env.read("both.txt"), LINES.replace("five", "both"));
}

#[test]
fn killed_merge_back_is_atomic_and_can_be_retried() {
    for point in ["before homecoming", "after homecoming"] {
        let env = git_environment();
        let view = ran(&env, PAIR);
        let shell = Shell::new(&env);
        let died = shell
            .baton(&["worktrees", "merge-back", "Pair"])
            .env("BATON_CRASH_AT", point)
            .output();
        assert_eq!(
            died.expect("baton starts").status.code(),
            None,
            "{point} is reached"
        );
        let whole = LINES.replace("one", "ONE").replace("nine", "NINE");
        let expected = if point == "before homecoming" {
            LINES
        } else {
            &whole
        };
        assert_eq!(env.read("both.txt"), expected, "{point}");
        let again = shell.run(&["worktrees", "merge-back", "Pair"]);
        if point == "before homecoming" {
            assert_eq!(again.code, Some(0), "{again:?}");
        }
        assert_eq!(env.read("both.txt"), whole);
        assert_eq!(
            (env.read("top.txt"), home(&env, &view).outside),
            ("top\n".to_owned(), 0)
        );
    }
}
