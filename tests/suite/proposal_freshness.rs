//! What has changed since a proposal was made: its commit, the files that it names, the plan that
//! it changes, and its agents. With real git repositories.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use baton_agents::custom::Protocol;
use baton_api::wire::*;
use baton_api::{App, Code};
use baton_model::ProposalId;
use baton_model::planning::{ComparedProject, ProjectFreshness, ProposalState};
use baton_model::project_changes::ApprovedCommit;
use baton_store::Actor;
use baton_tests::git::git;
use baton_tests::{Shell, TestEnvironment};
use serde_json::{Value, json};

/// A repository for which a program made a proposal.
struct Project {
    env: TestEnvironment,
    proposal: ProposalId,
}

impl Project {
    fn new(node: Value) -> Self {
        let env = TestEnvironment::new();
        let directory = env.work_dir.path();
        git(directory, &["init", "--quiet", "--initial-branch=main"]);
        fs::create_dir(directory.join("src")).expect("a folder");
        fs::write(directory.join("src/named.txt"), "1\n").expect("enough disk space");
        fs::write(directory.join("other.txt"), "1\n").expect("enough disk space");
        git(directory, &["add", "--all"]);
        git(directory, &["commit", "--quiet", "-m", "first"]);
        let token = json!({"name": "ci", "surface": "decide"});
        let _: TokenCreated = env.call("token_create", token).expect("a new token");
        let content = json!({"title": "Change it", "cwd": directory, "nodes": [node]});
        let proposal = submit(&env, json!({"content": content, "reason": "because"}));
        Self { env, proposal }
    }

    fn view(&self) -> ProposalView {
        let input = json!({"proposal": self.proposal});
        self.env.call("proposal_get", input).expect("the proposal")
    }

    fn freshness(&self) -> Freshness {
        self.view().freshness.expect("the draft waits")
    }

    fn compared(&self) -> ComparedProject {
        match self.freshness().project {
            ProjectFreshness::Compared(project) => project,
            other => panic!("{other:?}"),
        }
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.env.work_dir.path().join(name), text).expect("enough disk space");
    }

    fn commit(&self) {
        let directory = self.env.work_dir.path();
        git(directory, &["commit", "--quiet", "--all", "-m", "more"]);
    }
}

/// The program, which may decide.
fn program(env: &TestEnvironment) -> App {
    env.app.acting_as(Actor::Program("ci".to_owned()))
}

fn submit(env: &TestEnvironment, input: Value) -> ProposalId {
    let answer = baton_api::call(&program(env), "proposal_submit", input).expect("a proposal");
    let view: ProposalView = serde_json::from_value(answer).expect("a proposal");
    view.summary.id
}

fn reads_named_file() -> Value {
    json!({"id": "a", "title": "A", "kind": "command", "command": "cat src/named.txt"})
}

#[test]
fn changed_files_make_a_proposal_stale() {
    let project = Project::new(reads_named_file());
    let first = git(project.env.work_dir.path(), &["rev-parse", "HEAD"]);
    let fresh = project.compared();
    assert_eq!(fresh.commit.as_deref(), Some(first.trim()));
    assert_eq!(fresh.place, ApprovedCommit::CheckedOut);
    assert!(!project.freshness().stale);

    project.write("other.txt", "2\n");
    project.commit();
    let later = project.compared();
    assert_eq!((later.new_commits, later.other_files), (1, 1));
    assert!(!project.freshness().stale, "it doesn't name that file");

    project.write("src/named.txt", "2\n");
    assert_eq!(project.compared().named_files, ["src/named.txt"]);
    assert!(project.freshness().stale);
    let shell = Shell::new(&project.env);
    let shown = shell.run(&["proposal", "show", "Change it"]);
    let line = "! files that it names changed: src/named.txt";
    assert!(shown.out.contains(line), "{}", shown.out);

    let input = json!({"proposal": project.proposal, "resume": false});
    let refused = baton_api::call(&program(&project.env), "proposal_accept", input);
    let error = refused.expect_err("a program doesn't look again");
    assert_eq!(error.code, Code::Conflict, "{error}");
    assert_eq!(project.view().summary.state, ProposalState::Ready);
    let accepted = shell.run(&["proposal", "accept", "Change it"]);
    assert_eq!(accepted.code, Some(0), "{}", accepted.err);
    let warning = "Since it was made: files that it names changed: src/named.txt";
    assert!(accepted.err.contains(warning), "{}", accepted.err);
    assert_eq!(project.view().freshness, None, "it is decided");
}

#[test]
fn fresh_proposals_are_accepted_by_programs_that_may_decide() {
    let project = Project::new(reads_named_file());
    let input = json!({"proposal": project.proposal, "resume": false});
    baton_api::call(&program(&project.env), "proposal_accept", input).expect("it may decide");
}

#[test]
fn new_draft_is_fresh_again() {
    let project = Project::new(reads_named_file());
    project.write("src/named.txt", "2\n");
    project.commit();
    assert!(project.freshness().stale);
    let content = json!({
        "title": "Change it", "cwd": project.env.work_dir.path(), "nodes": [reads_named_file()],
        "goal": "Read it again.",
    });
    let input = json!({"proposal": project.proposal, "round": 1, "content": content});
    baton_api::call(&program(&project.env), "proposal_revise", input).expect("another draft");
    let fresh = project.freshness();
    assert!(!fresh.stale, "{fresh:?}");
}

#[test]
fn other_version_of_the_plan_makes_a_change_stale() {
    let project = Project::new(reads_named_file());
    let view = project
        .env
        .import("baton: 1\ntitle: Base\nnodes:\n  - {id: a, kind: command, command: 'true'}\n");
    let nodes = json!([{"id": "a", "title": "A", "kind": "command", "command": "false"}]);
    let content = json!({"plan": view.plan.id, "baseVersion": view.version, "nodes": nodes});
    let proposal = submit(
        &project.env,
        json!({"content": content, "reason": "because"}),
    );
    let project = Project {
        proposal,
        ..project
    };
    assert!(!project.freshness().stale);
    let mut plan = view.plan;
    plan.title = "Renamed".to_owned();
    let input = PlanSave {
        plan,
        base_revision: view.revision,
    };
    let _: PlanSaved = project.env.call("plan_save", input).expect("saved");
    let base = project.freshness().base.expect("a change");
    assert_eq!((base.version, base.current), (1, Some(2)));
    assert!(project.freshness().stale);
}

#[test]
fn agent_that_is_gone_makes_a_proposal_stale() {
    let tools = tempfile::tempdir().expect("a folder");
    let program_file = tools.path().join("helper");
    fs::write(&program_file, "#!/bin/sh\n").expect("enough disk space");
    fs::set_permissions(&program_file, fs::Permissions::from_mode(0o755)).expect("own file");
    let project = Project::new(reads_named_file());
    let agent = CustomAgent {
        id: "helper".to_owned(),
        command: vec![program_file.display().to_string()],
        protocol: Protocol::default(),
    };
    let _: Vec<AgentView> = project.env.call("agent_save", agent).expect("a new agent");
    let nodes = json!([{"id": "a", "title": "A", "agent": "helper", "prompt": "Help."}]);
    let content = json!({"title": "Helped", "cwd": project.env.work_dir.path(), "nodes": nodes});
    let proposal = submit(
        &project.env,
        json!({"content": content, "reason": "because"}),
    );
    let project = Project {
        proposal,
        ..project
    };
    assert_eq!(project.freshness().missing_agents, [""; 0]);
    fs::remove_file(&program_file).expect("it was there");
    let freshness = project.freshness();
    assert_eq!(freshness.missing_agents, ["helper"]);
    assert!(freshness.stale);
}
