//! The command line, environment and probe of `claude`.

use crate::adapter::{Adapter, LoginEvidence, Probe};
use crate::claude::conversation::Conversation;
use crate::claude::history::HISTORY;
use crate::claude::line::STREAM_FORMAT;
use crate::claude::reply;
use crate::driver::Driver;
use crate::history::HistoryLayout;
use crate::log_format::LogFormat;
use crate::scope::ToolControl;
use crate::task::{LaunchPlan, Stdin, Task};
use crate::tool_server::ToolServerSupport;

/// Claude Code, as the `claude` command.
#[derive(Debug, Clone)]
pub struct Claude {
    program: String,
}

/// The variables that `claude` sets for the programs it starts (as of 2.1.329; the port comes
/// from its editor plugins). A nested session would treat itself as part of the outer one. Keys
/// and settings (`ANTHROPIC_*`, `CLAUDE_CODE_USE_BEDROCK`, …) are kept: they choose the account
/// and the model.
const NESTING_MARKS: &[&str] = &[
    "AI_AGENT",
    "CLAUDECODE",
    "CLAUDE_CODE_CHILD_NOTES_DIR",
    "CLAUDE_CODE_CHILD_SESSION",
    "CLAUDE_CODE_ENTRYPOINT",
    "CLAUDE_CODE_EXECPATH",
    "CLAUDE_CODE_MESSAGING_SOCKET",
    "CLAUDE_CODE_MESSAGING_TOKEN",
    "CLAUDE_CODE_SESSION_ATTENDED",
    "CLAUDE_CODE_SESSION_ID",
    "CLAUDE_CODE_SSE_PORT",
    "CLAUDE_EFFORT",
    "CLAUDE_PID",
];

impl Claude {
    /// The agent with another program name or path.
    #[must_use]
    pub fn at(program: impl Into<String>) -> Self {
        Self {
            program: program.into(),
        }
    }
}

impl Default for Claude {
    fn default() -> Self {
        Self::at("claude")
    }
}

/// The tools that 2.1.x offers its model in any of its modes.
const TOOLS: &[&str] = &[
    "Agent",
    "AskUserQuestion",
    "Bash",
    "BashOutput",
    "CronCreate",
    "CronDelete",
    "CronList",
    "Edit",
    "EnterPlanMode",
    "EnterWorktree",
    "ExitPlanMode",
    "ExitWorktree",
    "Glob",
    "Grep",
    "KillShell",
    "LS",
    "ListAgents",
    "ListMcpResourcesTool",
    "LSP",
    "Monitor",
    "MultiEdit",
    "NotebookEdit",
    "NotebookRead",
    "Read",
    "ReadMcpResourceTool",
    "ReportFindings",
    "ScheduleWakeup",
    "SendMessage",
    "Skill",
    "SlashCommand",
    "StructuredOutput",
    "Task",
    "TaskCreate",
    "TaskGet",
    "TaskList",
    "TaskOutput",
    "TaskStop",
    "TaskUpdate",
    "TodoRead",
    "TodoWrite",
    "ToolSearch",
    "WebFetch",
    "WebSearch",
    "Workflow",
    "Write",
];

impl Adapter for Claude {
    fn id(&self) -> &str {
        "claude"
    }

    fn tools(&self) -> &'static [&'static str] {
        TOOLS
    }

    fn title(&self) -> &str {
        "Claude Code"
    }

    fn can_resume(&self) -> bool {
        true
    }

    fn can_fork(&self) -> bool {
        true
    }

    fn tool_server_support(&self) -> ToolServerSupport {
        ToolServerSupport::CommandLine
    }

    fn tool_control(&self) -> ToolControl {
        ToolControl {
            asks_permission: true,
            enforces_list: true,
            description: "Claude Code announces every tool call before it runs, including those of subagents. Tool lists and guarded tools are enforced, and questions appear in the Inbox.",
        }
    }

    fn launch(&self, task: &Task) -> LaunchPlan {
        let session = task.session.to_string();
        let mut argv: Vec<String> = [
            self.program.as_str(),
            "-p",
            "--input-format",
            "stream-json",
            "--output-format",
            "stream-json",
            "--verbose",
            // Repeats prompts and answers on standard output, so that the log is complete.
            "--replay-user-messages",
            // A mode in the person's settings, such as `plan`, would change what a node may do.
            "--permission-mode",
            "default",
            "--permission-prompt-tool",
            "stdio",
        ]
        .map(str::to_owned)
        .to_vec();
        // A resumed session keeps its own id.
        if let Some(earlier) = &task.resume {
            argv.extend(["--resume".to_owned(), earlier.native_id.clone()]);
        }
        if task.resume.as_ref().is_some_and(|earlier| earlier.fork) {
            argv.push("--fork-session".to_owned());
        }
        if task.resume.as_ref().is_none_or(|earlier| earlier.fork) {
            argv.extend(["--session-id".to_owned(), session]);
        }
        if let Some(model) = &task.model {
            argv.extend(["--model".to_owned(), model.clone()]);
        }
        if let Some(server) = &task.tool_server {
            argv.extend(["--mcp-config".to_owned(), server.to_config()]);
        }
        LaunchPlan {
            argv,
            env: Vec::new(),
            env_remove: NESTING_MARKS.iter().map(|&name| name.to_owned()).collect(),
            stdin: Stdin::Piped,
            first_inputs: vec![
                reply::initialize(task.scope.wants_announcements()),
                reply::user("prompt", &task.prompt),
            ],
            prompt_file: None,
        }
    }

    fn driver(&self, task: &Task) -> Box<dyn Driver> {
        Box::new(Conversation::new(task))
    }

    fn probe(&self) -> Probe {
        Probe {
            program: self.program.clone(),
            version_argv: vec![self.program.clone(), "--version".to_owned()],
            parse_version,
            missing: "Install it with `npm install -g @anthropic-ai/claude-code`, \
                      then select Check again."
                .to_owned(),
            login: vec![
                LoginEvidence::Env("ANTHROPIC_API_KEY"),
                LoginEvidence::Env("ANTHROPIC_AUTH_TOKEN"),
                LoginEvidence::Env("CLAUDE_CODE_OAUTH_TOKEN"),
                LoginEvidence::Env("CLAUDE_CODE_USE_BEDROCK"),
                LoginEvidence::Env("CLAUDE_CODE_USE_VERTEX"),
                LoginEvidence::Env("CLAUDE_CODE_USE_FOUNDRY"),
                LoginEvidence::File(".claude/.credentials.json"),
                LoginEvidence::FileContains(".claude.json", "\"oauthAccount\""),
                LoginEvidence::FileContains(".claude.json", "\"primaryApiKey\""),
                LoginEvidence::FileContains(".claude/settings.json", "\"apiKeyHelper\""),
            ],
            not_logged_in: "Claude Code doesn't seem to be logged in. Run `claude` in a terminal and log in, or set \
                            ANTHROPIC_API_KEY."
                .to_owned(),
        }
    }

    fn log_format(&self) -> LogFormat {
        STREAM_FORMAT
    }

    fn history(&self) -> Option<&'static HistoryLayout> {
        Some(&HISTORY)
    }
}

/// `2.1.329 (Claude Code)` → `2.1.329`.
fn parse_version(output: &str) -> Option<String> {
    let first = output.split_whitespace().next()?;
    first
        .starts_with(|c: char| c.is_ascii_digit())
        .then(|| first.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn version_is_first_word() {
        assert_eq!(
            parse_version("2.1.329 (Claude Code)\n").as_deref(),
            Some("2.1.329")
        );
        assert_eq!(parse_version("command not found"), None);
        assert_eq!(parse_version(""), None);
    }
}
