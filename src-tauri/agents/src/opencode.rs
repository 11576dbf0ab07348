//! opencode through the Agent Client Protocol ([`acp`]).
//!
//! Measured on 1.18.33. opencode also has its own stream (`run --format json`, see
//! `stream`), which custom agents can use. Baton uses the protocol because the stream reports a
//! tool only after it is finished, ends silently where permission would be needed, and can be
//! stopped only by signals, which leave its commands running.
//!
//! opencode retries forever, without reporting it, while its service is down, and also when a
//! single request is too long. The node's limits of time and silence end that.

mod history;
pub(crate) mod stream;

use crate::acp;
use crate::adapter::{Adapter, LoginEvidence, Probe};
use crate::driver::Driver;
use crate::gemini::parse_version;
use crate::history::HistoryLayout;
use crate::log_format::LogFormat;
use crate::scope::ToolControl;
use crate::task::{LaunchPlan, Stdin, Task};
use crate::tool_server::ToolServerSupport;

pub use history::HISTORY;
pub use stream::STREAM_FORMAT;

/// opencode, as the `opencode` command.
#[derive(Debug, Clone)]
pub struct Opencode {
    program: String,
}

const LOGIN_HINT: &str = "Run `opencode auth login` in a terminal, or set a provider's API key.";

/// Makes opencode ask before every tool; by default it runs them all. Baton answers by the node's
/// rules.
const ASK_ALWAYS: &str = r#"{"*":"ask"}"#;

impl Opencode {
    /// The agent with another program name or path.
    #[must_use]
    pub fn at(program: impl Into<String>) -> Self {
        Self {
            program: program.into(),
        }
    }
}

impl Default for Opencode {
    fn default() -> Self {
        Self::at("opencode")
    }
}

/// The tools that 1.x offers its model.
const TOOLS: &[&str] = &[
    "apply_patch",
    "bash",
    "batch",
    "codesearch",
    "edit",
    "glob",
    "grep",
    "list",
    "lsp",
    "multiedit",
    "patch",
    "plan_enter",
    "plan_exit",
    "question",
    "read",
    "skill",
    "task",
    "todoread",
    "todowrite",
    "webfetch",
    "websearch",
    "write",
];

impl Adapter for Opencode {
    fn id(&self) -> &str {
        "opencode"
    }

    fn tools(&self) -> &'static [&'static str] {
        TOOLS
    }

    fn mcp_tool_separator(&self) -> &'static str {
        "_"
    }

    fn title(&self) -> &str {
        "opencode"
    }

    fn mark(&self) -> char {
        'o'
    }

    fn can_resume(&self) -> bool {
        true
    }

    fn can_fork(&self) -> bool {
        true
    }

    fn tool_server_support(&self) -> ToolServerSupport {
        ToolServerSupport::Protocol
    }

    fn tool_control(&self) -> ToolControl {
        ToolControl {
            asks_permission: true,
            enforces_list: true,
            description: "opencode asks Baton before every tool call, and each is checked against the node's list. It is told why a call was blocked only if it ends its turn after that call.",
        }
    }

    fn launch(&self, _task: &Task) -> LaunchPlan {
        LaunchPlan {
            argv: vec![self.program.clone(), "acp".to_owned()],
            env: vec![("OPENCODE_PERMISSION".to_owned(), ASK_ALWAYS.to_owned())],
            // Set by opencode for the programs it starts.
            env_remove: ["OPENCODE", "OPENCODE_PID", "OPENCODE_ROUTE"]
                .map(str::to_owned)
                .to_vec(),
            stdin: Stdin::Piped,
            first_inputs: acp::first_inputs(),
            prompt_file: None,
        }
    }

    fn driver(&self, task: &Task) -> Box<dyn Driver> {
        acp::driver(task, self.title(), LOGIN_HINT)
    }

    fn probe(&self) -> Probe {
        Probe {
            program: self.program.clone(),
            version_argv: vec![self.program.clone(), "--version".to_owned()],
            parse_version,
            missing: "Install it with `npm install -g opencode-ai`, then select Check again."
                .to_owned(),
            login: vec![
                LoginEvidence::File(".local/share/opencode/auth.json"),
                LoginEvidence::File(".config/opencode/opencode.json"),
                LoginEvidence::File(".config/opencode/opencode.jsonc"),
                LoginEvidence::Env("OPENCODE_CONFIG"),
                LoginEvidence::Env("OPENCODE_CONFIG_CONTENT"),
                LoginEvidence::Env("OPENCODE_API_KEY"),
                LoginEvidence::Env("ANTHROPIC_API_KEY"),
                LoginEvidence::Env("OPENAI_API_KEY"),
                LoginEvidence::Env("GEMINI_API_KEY"),
                LoginEvidence::Env("OPENROUTER_API_KEY"),
            ],
            not_logged_in: format!("opencode doesn't seem to have a provider. {LOGIN_HINT}"),
        }
    }

    fn log_format(&self) -> LogFormat {
        acp::LOG_FORMAT
    }

    fn history(&self) -> Option<&'static HistoryLayout> {
        Some(&HISTORY)
    }
}
