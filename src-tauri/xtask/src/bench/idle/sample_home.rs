//! A home directory with histories from every agent, made of the tests' recordings.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result};

use crate::bench::bench_directory::BenchDirectory;
use crate::process;
use crate::repo_paths::RepoPaths;

/// The path of each recording, and where its agent stores it.
const HISTORIES: [(&str, &str); 5] = [
    (
        "claude/write_bash_bypass.jsonl",
        ".claude/projects/-project/22222222-2222-4222-8222-222222222222.jsonl",
    ),
    (
        "codex/write_bash_ws.jsonl",
        ".codex/sessions/2026/11/21/rollout-2026-write_bash_ws.jsonl",
    ),
    (
        "gemini/write_bash_yolo.jsonl",
        ".gemini/tmp/project/chats/session-2026-write_bash_yolo.jsonl",
    ),
    // In WAL mode and closed, as opencode leaves it.
    ("opencode/opencode.db", ".local/share/opencode/opencode.db"),
    (
        "pi/write_bash.jsonl",
        ".pi/agent/sessions/--project--/2026_write_bash.jsonl",
    ),
];
/// Variables that would redirect an agent or Baton to other directories.
const ELSEWHERE: [&str; 6] = [
    "CLAUDE_CONFIG_DIR",
    "CODEX_HOME",
    "GEMINI_CLI_HOME",
    "PI_CODING_AGENT_DIR",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
];

/// Returns `baton serve` in such a home directory.
pub(super) fn serve(repo: &RepoPaths, directory: &BenchDirectory) -> Result<Command> {
    let home = directory.work().join("home");
    for (recording, path) in HISTORIES {
        let path = home.join(path);
        fs::create_dir_all(path.parent().context("a history is in a folder")?)?;
        let recording = repo.root.join("tests/fixtures/transcripts").join(recording);
        fs::copy(&recording, path)
            .with_context(|| format!("{} is missing", recording.display()))?;
    }
    let mut command = process::command(
        &directory.work(),
        repo.programs_dir(true).join("baton"),
        &["serve"],
    );
    command
        .env("HOME", home)
        .env("BATON_DATA_DIR", directory.work().join("data"));
    for name in ELSEWHERE {
        command.env_remove(name);
    }
    Ok(command)
}
