//! opencode, by the agent client protocol ([`acp`]).
//!
//! Measured on 1.18.33. It also has a stream of its own (`run --format json`, see `stream`), which an agent of a person's own
//! may be said to speak. Baton runs
//! the protocol because the stream tells of a tool only when it is over, ends without a word where leave would be
//! needed, and cannot be stopped but by signals, which leave its commands running.
//!
//! It tries a service that is down again and again without a word, and one request that is too long for ever: the
//! node's limits of time and silence are what ends that.

pub(crate) mod stream;

use crate::acp;
use crate::adapter::{Adapter, LoginSign, Probe};
use crate::driver::Driver;
use crate::gemini::parse_version;
use crate::scope::Reach;
use crate::task::{LaunchPlan, Stdin, Task};
use crate::timeline::LogFormat;

/// The `opencode` command line agent.
#[derive(Debug, Clone)]
pub struct Opencode {
    program: String,
}

const MEND: &str = "Run `opencode auth login` in a terminal, or set the key of a provider.";

/// Lets opencode ask before every tool; by itself it runs them all. Baton answers by the node's rules.
const ASK_ALWAYS: &str = r#"{"*":"ask"}"#;

impl Opencode {
    /// The agent under another name or path than `opencode`.
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

/// Taken from the tools that 1.x offers its model.
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

    fn title(&self) -> &str {
        "opencode"
    }

    fn can_resume(&self) -> bool {
        true
    }

    fn can_fork(&self) -> bool {
        true
    }

    fn reach(&self) -> Reach {
        Reach {
            asks: true,
            lists: true,
            sentence: "opencode asks Baton before every tool call, and each is held to the node's list. Why a call \
                       was refused is told to it only if it stops there.",
        }
    }

    fn launch(&self, _task: &Task) -> LaunchPlan {
        LaunchPlan {
            argv: vec![self.program.clone(), "acp".to_owned()],
            env: vec![("OPENCODE_PERMISSION".to_owned(), ASK_ALWAYS.to_owned())],
            // What an opencode sets for the programs it starts.
            env_remove: ["OPENCODE", "OPENCODE_PID", "OPENCODE_ROUTE"]
                .map(str::to_owned)
                .to_vec(),
            stdin: Stdin::Piped,
            first_inputs: acp::first_inputs(),
            prompt_file: None,
        }
    }

    fn driver(&self, task: &Task) -> Box<dyn Driver> {
        acp::driver(task, self.title(), MEND)
    }

    fn probe(&self) -> Probe {
        Probe {
            program: self.program.clone(),
            version_argv: vec![self.program.clone(), "--version".to_owned()],
            parse_version,
            missing: "Install it with `npm install -g opencode-ai`, then check the agents \
                      again."
                .to_owned(),
            login: vec![
                LoginSign::File(".local/share/opencode/auth.json"),
                LoginSign::File(".config/opencode/opencode.json"),
                LoginSign::File(".config/opencode/opencode.jsonc"),
                LoginSign::Env("OPENCODE_CONFIG"),
                LoginSign::Env("OPENCODE_CONFIG_CONTENT"),
                LoginSign::Env("OPENCODE_API_KEY"),
                LoginSign::Env("ANTHROPIC_API_KEY"),
                LoginSign::Env("OPENAI_API_KEY"),
                LoginSign::Env("GEMINI_API_KEY"),
                LoginSign::Env("OPENROUTER_API_KEY"),
            ],
            not_logged_in: format!("opencode seems to have no provider. {MEND}"),
        }
    }

    fn log_format(&self) -> LogFormat {
        LogFormat::Acp
    }
}
