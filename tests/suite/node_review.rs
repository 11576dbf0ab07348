//! Tests what a node changed and a person's comments on it, using the real agents and the scripted
//! model.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use baton_api::Code;
use baton_api::wire::*;
use baton_model::{Attempt, ChangeReview, LineComment, LineRange, NodeId};
use baton_tests::git::git;
use baton_tests::model_api::ModelApi;
use baton_tests::test_environment::{id, node, state_labels};
use baton_tests::{Shell, TestEnvironment};
use tempfile::TempDir;

use crate::{agent_session, agents_acp, agents_codex, agents_pi, agents_run, scripted_session};

const AGENTS: &[&str] = &["claude", "codex", "gemini", "opencode", "pi"];

/// A repository with one commit.
fn git_environment() -> TestEnvironment {
    let env = TestEnvironment::new();
    let place = env.work_dir.path();
    git(place, &["init", "--quiet", "--initial-branch=main"]);
    std::fs::write(place.join(".git/info/exclude"), "*.yaml\n*.md\n").expect("enough disk space");
    std::fs::write(place.join("lines.txt"), "one\ntwo\nthree\n").expect("enough disk space");
    git(place, &["add", "--all"]);
    git(
        place,
        &["commit", "--quiet", "--no-gpg-sign", "-m", "start"],
    );
    env
}

fn query(view: &RunView, slug: &str) -> NodeDiffQuery {
    NodeDiffQuery {
        run: view.summary.id,
        node: id(view, slug),
        attempt: None,
        since: None,
        path: None,
    }
}

/// Every file with its hunks in one line.
fn described(diff: &NodeDiffView) -> Vec<String> {
    let describe = |file: &FileDiffView| match &file.content {
        FileDiffContentView::Hunks { hunks } => {
            let lines: Vec<&str> = hunks
                .iter()
                .flat_map(|hunk| hunk.lines.iter().map(String::as_str))
                .collect();
            format!("{} {}", file.delta.path, lines.join("|"))
        }
        other => format!("{} {other:?}", file.delta.path),
    };
    diff.files.iter().map(describe).collect()
}

/// An environment in which an agent has changed files in its worktree.
struct Scene {
    env: TestEnvironment,
    shell: Shell,
    api: ModelApi,
    home: TempDir,
    agent: &'static str,
}

impl Scene {
    fn of(agent: &'static str) -> Self {
        let env = git_environment();
        let scene = Self {
            shell: Shell::new(&env),
            env,
            api: ModelApi::start().expect("a port"),
            home: TempDir::new().expect("a folder"),
            agent,
        };
        let text = format!(
            "baton: 1\ntitle: Greeting\ncwd: .\nautonomy: 4\nisolation: worktree\nnodes:\n  \
             - {{id: write, agent: {agent}, prompt: 'Remember 4711 and write a greeting.'}}\n"
        );
        let file = scene.shell.plan_file("greeting.yaml", &text);
        scene.does("write_bash", &["run", &file, "--yes"]);
        backdate_gemini_sessions(scene.home.path());
        scene
    }

    fn baton(&self, scenario: &str, words: &[&str]) -> Command {
        let home = self.home.path();
        let (program, variables) = match self.agent {
            "claude" => return agents_run::baton(&self.shell, &self.api, scenario, home, words),
            "codex" | "pi" => {
                let settings = match self.agent {
                    "pi" => agents_pi::settings,
                    _ => agents_codex::settings,
                };
                let variables = settings(home, &self.api.base_url(scenario)).into_iter();
                let variables = variables.map(|(name, value)| (name.to_owned(), value));
                (scripted_session::program(self.agent), variables.collect())
            }
            "gemini" => (
                agent_session::program("BATON_TEST_GEMINI", "gemini"),
                agents_acp::for_gemini(&self.api, scenario).env,
            ),
            _ => (
                agent_session::program("BATON_TEST_OPENCODE", "opencode"),
                agents_acp::for_opencode(&self.api, scenario).env,
            ),
        };
        self.command(words, &program, variables)
    }

    fn command(&self, words: &[&str], program: &Path, variables: Vec<(String, String)>) -> Command {
        let folder: PathBuf = program.parent().expect("a program is in a folder").into();
        let path = std::env::var("PATH").unwrap_or_default();
        let mut command: Command = self.shell.baton(words);
        command
            .env("PATH", format!("{}:{path}", folder.display()))
            .env("HOME", self.home.path())
            .envs(variables);
        command
    }

    /// Runs a command that must succeed. Returns what it wrote to standard output.
    fn does(&self, scenario: &str, words: &[&str]) -> String {
        let output = self.baton(scenario, words).output().expect("baton starts");
        let [out, err] = [output.stdout, output.stderr]
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        assert!(
            output.status.success(),
            "{} {words:?}: {out}{err}",
            self.agent
        );
        out
    }

    fn view(&self) -> RunView {
        let filter = RunsFilter {
            plan: None,
            limit: 1,
        };
        let runs: Vec<RunSummary> = self.env.call("runs_list", filter).expect("runs");
        self.env.view(runs[0].id)
    }

    fn timeline(&self) -> String {
        let session = node(&self.view(), "write").session.expect("it ran");
        let range = TimelineRange {
            session,
            from: 0,
            limit: 100,
            since: None,
            of_end: false,
        };
        let page: TimelinePage = self
            .env
            .call("session_timeline", range)
            .expect("a timeline");
        serde_json::to_string(&page.entries).expect("JSON")
    }
}

/// Renames gemini's session files, as if they were from an earlier minute: a file is named by the
/// minute in which its process began, and gemini overwrites one that it continues in that minute.
fn backdate_gemini_sessions(folder: &Path) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        if path.is_dir() {
            backdate_gemini_sessions(&path);
        } else if let Some((_, id)) = name
            .strip_prefix("session-")
            .filter(|_| folder.ends_with("chats"))
            .and_then(|rest| rest.rsplit_once('-'))
        {
            let earlier = folder.join(format!("session-2020-01-01T00-00-{id}"));
            std::fs::rename(&path, earlier).expect("the folder is writable");
        }
    }
}

#[test]
fn every_agent_receives_a_review_as_its_next_message() {
    for &agent in AGENTS {
        let scene = Scene::of(agent);
        let view = scene.view();
        let run = view.summary.id.to_string();
        let diff: NodeDiffView = scene
            .env
            .call("node_diff", query(&view, "write"))
            .expect("a worktree");
        assert_eq!(
            described(&diff),
            ["checked.txt ", "hello.txt +hello from the scripted model"],
            "{agent}"
        );
        assert_eq!((diff.basis, diff.committed), (DiffBasis::Worktree, true));
        let place = scene.env.work_dir.path();
        assert_eq!(diff.base, git(place, &["rev-parse", "HEAD"]), "{agent}");
        let patch = scene.does("text", &["node", "diff", &run, "write"]);
        assert_applies(place, &patch);

        let review = "Nearly there.\n\n## hello.txt:1\nSay *good morning* instead.\n";
        std::fs::write(place.join("review.md"), review).expect("enough disk space");
        scene.does(
            "text",
            &["node", "review", &run, "write", "--file", "review.md"],
        );
        let after = scene.view();
        assert_eq!(state_labels(&after), ["write done"], "{agent}");
        let write = node(&after, "write");
        assert_eq!(
            (write.attempt, write.marks.resumes),
            (Attempt(2), Some(diff.session)),
            "{agent}: the same session continues"
        );
        let seen = scene.api.seen();
        let sent = seen
            .iter()
            .find(|request| request.prompt.contains("Say *good morning* instead."))
            .unwrap_or_else(|| panic!("{agent}: the model received no review: {seen:#?}"));
        assert!(sent.sent.contains("Remember 4711"), "{agent}");
        for part in [
            &format!("as of `{}`", &diff.head[..12]),
            "left 1 comment on 1 file",
            "Nearly there.",
            "## `hello.txt`, line 1\n\n```diff\n+hello from the scripted model\n```\n",
        ] {
            assert!(
                sent.prompt.contains(part),
                "{agent}: {part}: {}",
                sent.prompt
            );
        }
        let timeline = scene.timeline();
        assert!(
            timeline.contains("Say *good morning* instead."),
            "{agent}: {timeline}"
        );
        let unchanged = scene.does("text", &["node", "diff", &run, "write", "--since", "1"]);
        assert_eq!(unchanged, "", "{agent}: the second attempt changed no file");
    }
}

/// Checks that git accepts a patch for the files of a repository.
fn assert_applies(place: &Path, patch: &str) {
    let mut command = Command::new("git");
    let mut child = command
        .args(["apply", "--check"])
        .current_dir(place)
        .stdin(Stdio::piped())
        .spawn()
        .expect("git is installed");
    let mut stdin = child.stdin.take().expect("it is piped");
    std::io::Write::write_all(&mut stdin, patch.as_bytes()).expect("git reads");
    drop(stdin);
    assert!(child.wait().expect("git ends").success(), "{patch}");
}

#[test]
fn node_in_the_plans_directory_shows_its_own_files() {
    let env = git_environment();
    let place = env.work_dir.path();
    std::fs::write(place.join("mine.txt"), "not the node's\n").expect("enough disk space");
    let view = env.start(
        "baton: 1\ntitle: Shared\ncwd: .\nnodes:\n  \
         - {id: edit, kind: command, command: 'sed -i s/two/TWO/ lines.txt && echo new > new.txt'}\n  \
         - {id: look, kind: command, command: 'cat lines.txt', dependsOn: [edit]}\n",
    );
    let view = env.finish(view.summary.id);
    let diff: NodeDiffView = env
        .call("node_diff", query(&view, "edit"))
        .expect("a repository");
    assert_eq!(
        described(&diff),
        ["lines.txt  one|-two|+TWO| three", "new.txt +new"]
    );
    assert_eq!((diff.basis, diff.committed), (DiffBasis::Directory, false));
    assert_eq!(diff.base, git(place, &["rev-parse", "HEAD"]));
    let none: NodeDiffView = env
        .call("node_diff", query(&view, "look"))
        .expect("a repository");
    assert_eq!(described(&none), Vec::<String>::new());

    let shell = Shell::new(&env);
    let run = view.summary.id.to_string();
    let printed = shell.run(&["node", "diff", &run, "edit", "--path", "new.txt"]);
    assert_eq!(printed.code, Some(0), "{}", printed.err);
    assert_eq!(
        printed.out,
        "diff --git a/new.txt b/new.txt\nnew file mode 100644\n--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1,1 @@\n+new\n"
    );
    assert!(
        printed.err.contains("Changes that were there before"),
        "{}",
        printed.err
    );
    let nothing = shell.run(&["node", "diff", &run, "look"]);
    assert_eq!((nothing.code, nothing.out.as_str()), (Some(0), ""));
    std::fs::write(place.join("review.md"), "## new.txt:7\nx\n").expect("enough disk space");
    let refused = shell.run(&["node", "review", &run, "edit", "--file", "review.md"]);
    assert!(
        refused
            .err
            .contains("the diff of 'new.txt' doesn't have lines 7-7"),
        "{}",
        refused.err
    );
}

#[test]
fn what_cannot_be_reviewed_says_why() {
    let env = TestEnvironment::new();
    let view = env.start(
        "baton: 1\ntitle: Plain\ncwd: .\nnodes:\n  \
         - {id: edit, kind: command, command: 'echo new > new.txt'}\n  \
         - {id: never, kind: command, command: 'true', dependsOn: [fail]}\n  \
         - {id: fail, kind: command, command: 'false'}\n",
    );
    let view = env.wait_until(view.summary.id, |view| {
        state_labels(view).iter().any(|label| label == "edit done")
    });
    let refused = |input: NodeDiffQuery| {
        env.call::<NodeDiffView>("node_diff", input)
            .expect_err("no diff")
    };
    let error = refused(query(&view, "edit"));
    assert_eq!(error.code, Code::Refused);
    assert!(error.message.contains("not a git repository"), "{error:?}");
    assert!(error.fix.is_some_and(|fix| fix.contains("git init")));
    assert_eq!(refused(query(&view, "never")).code, Code::NotFound);
    let since = NodeDiffQuery {
        since: Some(Attempt(1)),
        ..query(&view, "edit")
    };
    assert_eq!(refused(since).code, Code::BadInput);

    let send = |node: NodeId, text: &str| {
        let comment = LineComment {
            path: "new.txt".to_owned(),
            new: Some(LineRange { first: 1, last: 1 }),
            lines: vec!["+new".to_owned()],
            text: text.to_owned(),
            ..LineComment::default()
        };
        let review = ChangeReview {
            comments: vec![comment],
            ..ChangeReview::default()
        };
        let input = NodeReview {
            run: view.summary.id,
            node,
            session: None,
            review,
        };
        env.call::<RunSummary>("node_review", input)
            .expect_err("refused")
    };
    let no_agent = send(id(&view, "edit"), "Better.");
    assert_eq!(no_agent.code, Code::Refused);
    assert!(no_agent.message.contains("it had no agent"), "{no_agent:?}");
    let empty = send(id(&view, "edit"), " ");
    assert_eq!(empty.code, Code::BadInput);
    assert!(empty.fix.is_some(), "{empty:?}");
}
