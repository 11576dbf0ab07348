//! Tests `baton agents connect` on real files in a temporary home.

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use baton_api::wire::*;
use baton_tests::{Shell, TestEnvironment};
use serde_json::{Value, json};

/// Agents with the file of their servers, and what it is before.
const CONFIGS: [(&str, &str, &str); 4] = [
    (
        "claude",
        ".claude.json",
        "{\n  \"numStartups\": 3,\n  \"mcpServers\": {\"other\": {\"command\": \"x\"}}\n}\n",
    ),
    (
        "codex",
        ".codex/config.toml",
        "# mine\nmodel = \"m\"\n\n[mcp_servers.other]\ncommand = \"x\"\n",
    ),
    (
        "gemini",
        ".gemini/settings.json",
        "{\n  // mine\n  \"theme\": \"dark\",\n}\n",
    ),
    ("opencode", ".config/opencode/opencode.json", ""),
];

const CLAUDE_SKILL: &str = ".claude/skills/baton/SKILL.md";
const SHARED_SKILL: &str = ".agents/skills/baton/SKILL.md";

struct Home {
    env: TestEnvironment,
    folder: tempfile::TempDir,
}

impl Home {
    /// A home with the configurations, except empty ones.
    fn new() -> Self {
        let home = Self {
            env: TestEnvironment::new(),
            folder: tempfile::tempdir().expect("a folder"),
        };
        fs::create_dir_all(home.path(".claude")).expect("a folder");
        for (_, path, text) in CONFIGS {
            let path = home.path(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            if !text.is_empty() {
                fs::write(path, text).expect("a file");
            }
        }
        home
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn read(&self, path: &str) -> Option<String> {
        fs::read_to_string(self.path(path)).ok()
    }

    fn baton(&self, words: &[&str]) -> Output {
        let mut command = Shell::new(&self.env).baton(words);
        for variable in ["CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_CONFIG_HOME"] {
            command.env_remove(variable);
        }
        let command = command.env("HOME", self.folder.path());
        command.output().expect("baton starts")
    }

    /// Runs `baton agents connect` and returns what it printed.
    fn connect(&self, words: &[&str]) -> String {
        let output = self.baton(&[&["agents", "connect"], words].concat());
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{err}");
        String::from_utf8(output.stdout).expect("text")
    }

    /// Every file below the home with its content, sorted.
    fn files(&self) -> Vec<(PathBuf, String)> {
        let mut files = Vec::new();
        collect(self.folder.path(), &mut files);
        files.sort();
        files
    }
}

fn collect(folder: &Path, files: &mut Vec<(PathBuf, String)>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => collect(&path, files),
            false => files.push((path.clone(), fs::read_to_string(&path).expect("text"))),
        }
    }
}

#[test]
fn every_agent_is_connected_and_disconnected_without_a_trace() {
    let home = Home::new();
    let before = home.files();
    let printed = home.connect(&["--print"]);
    assert_eq!(home.files(), before, "--print writes nothing");
    assert!(printed.contains("+"), "{printed}");
    home.connect(&[]);
    for (agent, path, text) in CONFIGS {
        let after = home.read(path).expect("a file");
        assert!(after.contains("baton") && after.contains("mcp"), "{after}");
        for kept in ["numStartups", "other", "# mine", "// mine", "theme"] {
            assert!(
                !text.contains(kept) || after.contains(kept),
                "{agent}: {after}"
            );
        }
        assert!(printed.contains(agent), "{printed}");
    }
    for skill in [CLAUDE_SKILL, SHARED_SKILL] {
        let skill = home.read(skill).expect("a skill");
        assert!(skill.starts_with("---\nname: baton\n"), "{skill}");
    }
    let connected = home.files();
    home.connect(&[]);
    assert_eq!(home.files(), connected, "a second time changes nothing");
    home.connect(&["--undo"]);
    assert_eq!(home.files(), before);
}

#[test]
fn file_that_was_changed_since_loses_only_the_entry() {
    let home = Home::new();
    home.connect(&["claude", "gemini"]);
    for (path, from, to) in [
        (".claude.json", "\"numStartups\": 3", "\"numStartups\": 4"),
        (".gemini/settings.json", "dark", "light"),
    ] {
        let text = home.read(path).expect("a file").replace(from, to);
        fs::write(home.path(path), text).expect("a file");
    }
    let skill = home.path(CLAUDE_SKILL);
    fs::write(&skill, "my own").expect("a file");
    home.connect(&["--undo", "claude", "gemini"]);
    let claude = home.read(".claude.json").expect("a file");
    assert!(
        claude.contains("\"numStartups\": 4") && claude.contains("other"),
        "{claude}"
    );
    assert!(!claude.contains("baton"), "{claude}");
    let gemini = home.read(".gemini/settings.json").expect("a file");
    assert!(
        gemini.contains("light") && gemini.contains("// mine"),
        "{gemini}"
    );
    assert!(!gemini.contains("baton"), "{gemini}");
    assert_eq!(fs::read_to_string(skill).expect("kept"), "my own");
}

#[test]
fn skill_stays_as_long_as_an_agent_uses_it() {
    let home = Home::new();
    home.connect(&["codex", "pi"]);
    home.connect(&["--undo", "codex"]);
    assert!(home.read(SHARED_SKILL).is_some());
    home.connect(&["--undo", "pi"]);
    assert_eq!(home.read(SHARED_SKILL), None);
}

#[test]
fn file_that_cannot_be_read_is_refused_with_the_place_and_nothing_is_written() {
    let home = Home::new();
    fs::write(home.path(".gemini/settings.json"), "{\n  \"theme\": ,\n}").expect("a file");
    let before = home.files();
    let output = home.baton(&["agents", "connect"]);
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{err}");
    assert!(
        err.contains("settings.json") && err.contains("line 2") && err.contains("Repair the file"),
        "{err}"
    );
    assert_eq!(home.files(), before);
    let output = home.baton(&["agents", "connect", "nobody"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn links_and_permissions_of_a_file_stay() {
    let home = Home::new();
    let real = home.path("dotfiles.json");
    fs::rename(home.path(".claude.json"), &real).expect("renamed");
    std::os::unix::fs::symlink(&real, home.path(".claude.json")).expect("a link");
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).expect("permissions");
    home.connect(&["claude"]);
    let found = fs::symlink_metadata(home.path(".claude.json")).expect("a link");
    assert!(found.is_symlink());
    let found = fs::metadata(&real).expect("a file");
    assert_eq!(found.permissions().mode() & 0o777, 0o640);
    assert!(fs::read_to_string(&real).expect("text").contains("baton"));
}

#[test]
fn changes_are_written_only_as_they_were_shown() {
    let home = Home::new();
    let call = |operation: &str, input: &Value| {
        let output = home.baton(&["call", operation, &input.to_string(), "--json"]);
        let stream = match output.status.success() {
            true => output.stdout,
            false => output.stderr,
        };
        let text = String::from_utf8(stream).expect("text");
        serde_json::from_str::<Value>(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
    };
    let secret = "sk-ant-api03-0123456789abcdefghij0123456789ABCDEFGHIJ";
    let path = ".claude.json";
    fs::write(
        home.path(path),
        format!("{{\n  \"key\": \"{secret}\"\n}}\n"),
    )
    .expect("a file");
    let mut input = json!({"agents": ["claude"], "change": {"to": "connected", "guard": "log"}});
    let preview = call("agent_connections_preview", &input);
    let files = preview["files"].as_array().expect("files");
    let effects: Vec<_> = files.iter().map(|file| &file["effect"]).collect();
    assert_eq!(effects, ["changed", "created", "created"], "{preview}");
    let diff = files[0]["diff"].as_str().expect("a diff");
    assert!(diff.contains("\n+") && diff.contains("key"), "{diff}");
    assert!(!preview.to_string().contains(secret), "keys are masked");
    fs::write(home.path(path), "{}").expect("a file");
    let before = home.files();
    input["fingerprint"] = preview["fingerprint"].clone();
    let refused = call("agent_connections_save", &input);
    assert_eq!(refused["error"]["code"], "conflict", "{refused}");
    assert_eq!(home.files(), before, "nothing was written");
    let preview = call(
        "agent_connections_preview",
        &json!({"agents": ["claude"], "change": input["change"]}),
    );
    input["fingerprint"] = preview["fingerprint"].clone();
    assert_eq!(
        call("agent_connections_save", &input)["files"],
        preview["files"]
    );
    let listed = call("agent_connections_list", &json!({}));
    let claude = &listed[0];
    assert_eq!(
        (
            &claude["agent"],
            &claude["connection"]["state"],
            &claude["guard"]
        ),
        (&json!("claude"), &json!("connected"), &json!("log"))
    );
}

#[test]
fn doctor_says_which_agents_are_connected_to_another_baton() {
    let home = Home::new();
    home.connect(&["claude", "codex", "--guard", "block"]);
    let path = home.path(".claude/settings.json");
    let moved = fs::read_to_string(&path).expect("settings");
    fs::write(&path, moved.replace("/baton ", "/gone/baton ")).expect("a file");
    let output = home.baton(&["doctor"]);
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(
        printed.contains("claude: connected to another Baton"),
        "{printed}"
    );
    assert!(printed.contains("codex: connected; "), "{printed}");
    home.connect(&["claude"]);
    let printed = home.baton(&["doctor"]).stdout;
    let printed = String::from_utf8_lossy(&printed);
    assert!(
        printed.contains("claude: connected to another Baton"),
        "the guard is as it was"
    );
    home.connect(&["claude", "--guard", "block"]);
    let printed = home.baton(&["doctor"]).stdout;
    assert!(String::from_utf8_lossy(&printed).contains("claude: connected; "));
}

#[test]
fn doctor_says_which_agents_are_connected() {
    let home = Home::new();
    home.connect(&["codex"]);
    let output = home.baton(&["doctor"]);
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(printed.contains("codex: connected"), "{printed}");
    assert!(printed.contains("baton agents connect gemini"), "{printed}");
}

/// Runs the hook in an agent's settings with a call, as the agent does: by a shell.
fn run_hook(home: &Home, settings: &str, call: &Value) -> Output {
    let text = home.read(settings).expect("settings");
    let command = hook_command(&text, settings.ends_with(".toml"));
    let mut child = Command::new("/bin/sh")
        .args(["-c", &command])
        .env("HOME", home.folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a shell");
    let mut input = child.stdin.take().expect("stdin is piped");
    write!(input, "{call}").expect("the hook reads");
    drop(input);
    child.wait_with_output().expect("the hook ends")
}

/// The command of the only hook in an agent's settings.
fn hook_command(text: &str, is_toml: bool) -> String {
    if is_toml {
        let mut lines = text.lines().filter(|line| line.contains("guard-call"));
        let line = lines
            .next()
            .expect("a hook")
            .trim_start_matches("command = ");
        return line.trim_matches(['"', '\'']).to_owned();
    }
    let read: Value = serde_json::from_str(&without_comments(text)).expect("JSON");
    let events = read["hooks"].as_object().expect("hooks");
    let hook = &events.values().next().expect("an event")[0]["hooks"][0];
    hook["command"].as_str().expect("a command").to_owned()
}

fn without_comments(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.trim().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n").replace(",\n}", "\n}")
}

fn answer(output: &Output) -> Value {
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{err}");
    serde_json::from_slice(&output.stdout).expect("an answer in JSON")
}

/// The reason of a refusal; `None` if the call may run.
fn refusal(answer: &Value) -> Option<&str> {
    let specific = &answer["hookSpecificOutput"];
    let denies = answer["decision"] == "deny" || specific["permissionDecision"] == "deny";
    let reason = answer["reason"].as_str();
    let reason = reason.or(specific["permissionDecisionReason"].as_str());
    assert_eq!(denies, reason.is_some(), "{answer}");
    reason
}

/// Agents with hooks, the file of their hooks, and their name of the shell.
const GUARDED: [(&str, &str, &str); 3] = [
    ("claude", ".claude/settings.json", "Bash"),
    ("codex", ".codex/config.toml", "exec_command"),
    ("gemini", ".gemini/settings.json", "run_shell_command"),
];

#[test]
fn guard_is_added_changed_and_removed_without_a_trace() {
    let home = Home::new();
    let before = home.files();
    home.connect(&["--guard", "log"]);
    for (agent, path, _) in GUARDED {
        let text = home.read(path).expect("settings");
        assert!(text.contains("--mode log"), "{agent}: {text}");
    }
    home.connect(&["--guard", "block"]);
    let doctor = String::from_utf8(home.baton(&["doctor"]).stdout).expect("text");
    for (agent, path, _) in GUARDED {
        let text = home.read(path).expect("settings");
        assert_eq!(text.matches("guard-call").count(), 1, "{agent}: {text}");
        let line = format!("{agent}: connected; calls of guarded tools outside plans are refused");
        assert!(doctor.contains(&line), "{doctor}");
    }
    let guarded = home.files();
    home.connect(&[]);
    assert_eq!(home.files(), guarded, "connecting again keeps the guard");
    home.connect(&["--guard", "off"]);
    for (agent, path, _) in GUARDED {
        let text = home.read(path).unwrap_or_default();
        assert!(!text.contains("guard-call"), "{agent}: {text}");
    }
    home.connect(&["--guard", "block"]);
    home.connect(&["--undo"]);
    assert_eq!(home.files(), before);
}

#[test]
fn settings_that_were_changed_since_lose_only_the_hook() {
    let home = Home::new();
    let path = ".claude/settings.json";
    let own = r#"{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "mine"}]}]}}"#;
    fs::write(home.path(path), own).expect("a file");
    home.connect(&["claude", "--guard", "log"]);
    let text = home.read(path).expect("settings").replace("mine", "my own");
    fs::write(home.path(path), text).expect("a file");
    home.connect(&["claude", "--undo"]);
    let left = home.read(path).expect("settings");
    assert!(
        left.contains("my own") && !left.contains("guard-call"),
        "{left}"
    );
}

#[test]
fn agent_without_hooks_gets_no_guard() {
    let home = Home::new();
    let output = home.baton(&["agents", "connect", "opencode", "--guard", "log"]);
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{err}");
    assert!(err.contains("opencode, which has no hooks"), "{err}");
}

#[test]
fn guarded_call_without_a_plan_is_recorded_or_refused() {
    let home = Home::new();
    let mut settings: Settings = home.env.call("settings_get", Nothing {}).expect("settings");
    settings.guarded_tools = Some(vec!["Bash".to_owned(), "gmail_send".to_owned()]);
    let _: Settings = home.env.call("settings_save", settings).expect("saved");
    let call = |tool: &str| {
        json!({
            "tool_name": tool,
            "tool_input": {"command": "curl -H 'x-api-key: sk-ant-api03-0123456789abcdefghij0123456789ABCDEFGHIJ'"},
            "cwd": "/srv/shop",
            "session_id": "s1",
        })
    };
    for mode in ["log", "block"] {
        home.connect(&["--guard", mode]);
        for (agent, path, shell) in GUARDED {
            for tool in [shell, "gmail_send"] {
                let answer = answer(&run_hook(&home, path, &call(tool)));
                let refused = refusal(&answer);
                assert_eq!(refused.is_some(), mode == "block", "{agent}: {answer}");
                let advises = |text: &str| text.contains(tool) && text.contains("plan_propose");
                assert!(refused.is_none_or(advises), "{answer}");
            }
            let free = answer(&run_hook(&home, path, &call("Glob")));
            assert_eq!(refusal(&free), None, "{agent}");
        }
    }
    let listed = home.baton(&["agents", "calls", "--json"]);
    let calls: Vec<Value> = serde_json::from_slice(&listed.stdout).expect("JSON");
    assert_eq!(calls.len(), 12, "{calls:#?}");
    let refused = calls.iter().map(|call| call["refused"].as_bool());
    let expected = (0..12).map(|number| Some(number < 6));
    assert!(refused.eq(expected), "{calls:#?}");
    assert_eq!(calls[0]["agent"], "gemini");
    assert_eq!(calls[1]["cwd"], "/srv/shop");
    let text = String::from_utf8(listed.stdout).expect("text");
    assert!(!text.contains("sk-ant-api03"), "{text}");
    let shown = String::from_utf8(home.baton(&["agents", "calls"]).stdout).expect("text");
    assert!(
        shown.contains("refused") && shown.contains("ran"),
        "{shown}"
    );
}

#[test]
fn rules_of_a_project_guard_its_directory_only() {
    let home = Home::new();
    let project = home.env.work_dir.path();
    let text = r#"{"guardedTools": ["gmail_send"]}"#;
    fs::create_dir(project.join(".baton")).expect("a folder");
    fs::write(project.join(".baton/plans.json"), text).expect("a file");
    home.connect(&["claude", "--guard", "block"]);
    let refused = |cwd: &Path| {
        let call = json!({"tool_name": "gmail_send", "cwd": cwd});
        let answer = answer(&run_hook(&home, ".claude/settings.json", &call));
        refusal(&answer).is_some()
    };
    assert!(!refused(project), "the project is not switched on");
    let on = json!({"directory": project, "on": true});
    let _: Vec<PlanFilesProject> = home.env.call("plan_files_save", on).expect("switched on");
    assert!(refused(project) && refused(&project.join("deep/down")));
    assert!(!refused(Path::new("/srv")));
}

#[test]
fn guard_that_cannot_check_refuses_only_if_it_blocks() {
    let home = Home::new();
    for (mode, is_refused) in [("log", false), ("block", true)] {
        home.connect(&["claude", "--guard", mode]);
        let output = run_hook(&home, ".claude/settings.json", &json!({"tool": 1}));
        let answer = answer(&output);
        assert_eq!(refusal(&answer).is_some(), is_refused, "{answer}");
        let err = String::from_utf8_lossy(&output.stderr);
        let said = format!("{answer}{err}");
        assert!(said.contains("--guard off"), "{said}");
    }
}
