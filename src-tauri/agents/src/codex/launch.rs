//! The command line, environment and probe of `codex`.

use crate::adapter::{Adapter, LoginEvidence, Probe};
use crate::codex::conversation::Conversation;
use crate::codex::history::HISTORY;
use crate::codex::message::APP_SERVER_FORMAT;
use crate::codex::request;
use crate::driver::Driver;
use crate::history::HistoryLayout;
use crate::log_format::LogFormat;
use crate::scope::ToolControl;
use crate::task::{LaunchPlan, Stdin, Task};
use crate::tool_server::{ToolServer, ToolServerSupport};

/// Codex, as the `codex` command.
#[derive(Debug, Clone)]
pub struct Codex {
    program: String,
}

/// The variables that `codex` sets for the programs it starts (as of 0.169.0). A nested session
/// would treat itself as part of the outer one. `CODEX_HOME` and keys are kept: they choose the
/// account and the model.
const NESTING_MARKS: &[&str] = &[
    "CODEX_CI",
    "CODEX_INTERNAL_ORIGINATOR_OVERRIDE",
    "CODEX_SANDBOX",
    "CODEX_SANDBOX_NETWORK_DISABLED",
    "CODEX_THREAD_ID",
];

impl Codex {
    /// The agent with another program name or path.
    #[must_use]
    pub fn at(program: impl Into<String>) -> Self {
        Self {
            program: program.into(),
        }
    }
}

impl Default for Codex {
    fn default() -> Self {
        Self::at("codex")
    }
}

/// The tools that 0.169 offers its model.
const TOOLS: &[&str] = &[
    "apply_patch",
    "close_agent",
    "exec_command",
    "list_mcp_resource_templates",
    "list_mcp_resources",
    "local_shell",
    "read_mcp_resource",
    "request_user_input",
    "resume_agent",
    "send_input",
    "shell",
    "spawn_agent",
    "update_plan",
    "view_image",
    "wait",
    "wait_agent",
    "web_search",
    "write_stdin",
];

impl Adapter for Codex {
    fn id(&self) -> &str {
        "codex"
    }

    fn tools(&self) -> &'static [&'static str] {
        TOOLS
    }

    fn title(&self) -> &str {
        "Codex"
    }

    fn mark(&self) -> char {
        'X'
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
            enforces_list: false,
            description: "Codex asks before it changes files or runs commands that do more than read, and its sandbox limits them to the node's directory. Commands that it considers read-only run without asking, even when the node's list has no shell.",
        }
    }

    fn launch(&self, task: &Task) -> LaunchPlan {
        let mut argv = vec![self.program.clone(), "app-server".to_owned()];
        let overrides = task.tool_server.iter().flat_map(ToolServer::to_overrides);
        argv.extend(overrides.flat_map(|setting| ["-c".to_owned(), setting]));
        LaunchPlan {
            argv,
            env: Vec::new(),
            env_remove: NESTING_MARKS.iter().map(|&name| name.to_owned()).collect(),
            stdin: Stdin::Piped,
            first_inputs: vec![request::initialize(), request::thread(task)],
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
            missing: "Install it with `npm install -g @openai/codex`, then select Check again."
                .to_owned(),
            login: vec![
                LoginEvidence::File(".codex/auth.json"),
                LoginEvidence::Env("CODEX_API_KEY"),
                LoginEvidence::Env("OPENAI_API_KEY"),
                // A custom provider has its own key.
                LoginEvidence::FileContains(".codex/config.toml", "model_provider"),
            ],
            not_logged_in: "Codex doesn't seem to be logged in. Run `codex login` in a terminal."
                .to_owned(),
        }
    }

    fn log_format(&self) -> LogFormat {
        APP_SERVER_FORMAT
    }

    fn history(&self) -> Option<&'static HistoryLayout> {
        Some(&HISTORY)
    }
}

/// `codex-cli 0.169.0` → `0.169.0`.
fn parse_version(output: &str) -> Option<String> {
    let version = output.split_whitespace().nth(1)?;
    version
        .starts_with(|c: char| c.is_ascii_digit())
        .then(|| version.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn version_is_second_word() {
        assert_eq!(
            parse_version("codex-cli 0.169.0\n").as_deref(),
            Some("0.169.0")
        );
        assert_eq!(parse_version("codex: command not found"), None);
        assert_eq!(parse_version(""), None);
    }
}
