//! Tests `baton agents connect` on real files in a temporary home.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Output;

use baton_tests::{Shell, TestEnvironment};

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
        err.contains("settings.json") && err.contains("line 2"),
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
fn doctor_says_which_agents_are_connected() {
    let home = Home::new();
    home.connect(&["codex"]);
    let output = home.baton(&["doctor"]);
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(printed.contains("codex: connected"), "{printed}");
    assert!(printed.contains("baton agents connect gemini"), "{printed}");
}
