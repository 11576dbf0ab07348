//! Gemini CLI through the Agent Client Protocol ([`acp`]).
//!
//! Measured on 0.61.0. Gemini CLI also has its own stream (`-o stream-json`, see `stream`),
//! which custom agents can use. Baton uses the protocol because only there Gemini asks for
//! permission before it writes or runs something (headless it hides these tools), stops its turn
//! on request, and accepts the handoff prompt in the same session.
//!
//! When its service answers 429 or 5xx, Gemini retries ten times within six minutes
//! (`general.maxAttempts` in its settings) and reports nothing meanwhile. Standard error arrives
//! only when it exits. The error then contains the HTTP status, which distinguishes a limit from
//! an outage.

mod history;
pub(crate) mod stream;

use crate::acp;
use crate::adapter::{Adapter, LoginEvidence, Probe};
use crate::driver::Driver;
use crate::history::HistoryLayout;
use crate::log_format::LogFormat;
use crate::scope::ToolControl;
use crate::task::{LaunchPlan, Stdin, Task};
use crate::tool_server::ToolServerSupport;

pub use history::HISTORY;
pub use stream::STREAM_FORMAT;

/// Gemini CLI, as the `gemini` command.
#[derive(Debug, Clone)]
pub struct Gemini {
    program: String,
}

const LOGIN_HINT: &str = "Run `gemini` in a terminal and log in, or set GEMINI_API_KEY and select API key login there once.";

impl Gemini {
    /// The agent with another program name or path.
    #[must_use]
    pub fn at(program: impl Into<String>) -> Self {
        Self {
            program: program.into(),
        }
    }
}

impl Default for Gemini {
    fn default() -> Self {
        Self::at("gemini")
    }
}

/// The tools that 0.38 offers its model.
const TOOLS: &[&str] = &[
    "activate_skill",
    "ask_user",
    "cli_help",
    "complete_task",
    "enter_plan_mode",
    "exit_plan_mode",
    "get_internal_docs",
    "glob",
    "google_web_search",
    "grep_search",
    "list_directory",
    "read_file",
    "read_many_files",
    "replace",
    "run_shell_command",
    "save_memory",
    "search_file_content",
    "web_fetch",
    "write_file",
    "write_todos",
];

impl Adapter for Gemini {
    fn id(&self) -> &str {
        "gemini"
    }

    fn tools(&self) -> &'static [&'static str] {
        TOOLS
    }

    fn title(&self) -> &str {
        "Gemini CLI"
    }

    fn can_resume(&self) -> bool {
        true
    }

    fn tool_server_support(&self) -> ToolServerSupport {
        ToolServerSupport::Protocol
    }

    fn tool_control(&self) -> ToolControl {
        ToolControl {
            asks_permission: true,
            enforces_list: false,
            description: "Gemini CLI asks Baton before it writes files, runs commands or fetches pages, and each call is checked against the node's list. It reads and searches files without asking. It is told why a call was blocked only if it ends its turn after that call.",
        }
    }

    fn launch(&self, task: &Task) -> LaunchPlan {
        // The flag that all versions from 0.32 to 0.61 know; 0.32 does not know the newer
        // `--acp`.
        let mut argv = vec![self.program.clone(), "--experimental-acp".to_owned()];
        if let Some(model) = &task.model {
            argv.extend(["--model".to_owned(), model.clone()]);
        }
        LaunchPlan {
            argv,
            // Otherwise it starts itself again, which takes a second and adds a process that
            // signals do not reach.
            env: vec![("GEMINI_CLI_NO_RELAUNCH".to_owned(), "true".to_owned())],
            // Set by gemini for the programs it starts.
            env_remove: vec!["GEMINI_CLI".to_owned()],
            stdin: Stdin::Piped,
            first_inputs: acp::first_inputs(),
            prompt_file: None,
        }
    }

    fn driver(&self, task: &Task) -> Box<dyn Driver> {
        // The command line selects the model already.
        acp::driver(
            &Task {
                model: None,
                ..task.clone()
            },
            self.title(),
            LOGIN_HINT,
        )
    }

    fn probe(&self) -> Probe {
        Probe {
            program: self.program.clone(),
            version_argv: vec![self.program.clone(), "--version".to_owned()],
            parse_version,
            missing:
                "Install it with `npm install -g @google/gemini-cli`, then select Check again."
                    .to_owned(),
            login: vec![
                LoginEvidence::Env("GEMINI_API_KEY"),
                LoginEvidence::Env("GOOGLE_API_KEY"),
                LoginEvidence::Env("GOOGLE_GENAI_USE_VERTEXAI"),
                LoginEvidence::Env("GOOGLE_GENAI_USE_GCA"),
                LoginEvidence::File(".gemini/oauth_creds.json"),
                LoginEvidence::FileContains(".gemini/settings.json", "\"selectedType\""),
            ],
            not_logged_in: format!("Gemini CLI doesn't seem to be logged in. {LOGIN_HINT}"),
        }
    }

    fn log_format(&self) -> LogFormat {
        acp::LOG_FORMAT
    }

    fn history(&self) -> Option<&'static HistoryLayout> {
        Some(&HISTORY)
    }
}

/// `0.61.0` → `0.61.0`; some versions print warnings before.
pub(crate) fn parse_version(output: &str) -> Option<String> {
    let last = output
        .lines()
        .rev()
        .find(|line| !line.trim().is_empty())?
        .trim();
    last.starts_with(|c: char| c.is_ascii_digit())
        .then(|| last.to_owned())
}
