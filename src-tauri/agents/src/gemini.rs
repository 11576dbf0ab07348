//! Gemini CLI, by the agent client protocol ([`acp`]).
//!
//! Measured on 0.61.0. It also has a stream of its own (`-o stream-json`, see `stream`), which an agent of a person's own may
//! be said to speak. Baton runs the
//! protocol because only there it asks for leave before it writes or runs something (headless it hides these
//! tools), stops its turn when told to, and takes the question for the handoff in the same session.
//!
//! What its service refuses with 429 or 5xx it asks for again, ten times within six minutes (`general.maxAttempts` of
//! its settings), and says nothing meanwhile: standard error comes when it exits. Then it tells the status, which makes a
//! limit or an outage of it.

pub(crate) mod stream;

use crate::acp;
use crate::adapter::{Adapter, LoginSign, Probe};
use crate::driver::Driver;
use crate::scope::Reach;
use crate::task::{LaunchPlan, Stdin, Task};
use crate::timeline::LogFormat;

/// The `gemini` command line agent.
#[derive(Debug, Clone)]
pub struct Gemini {
    program: String,
}

const MEND: &str =
    "Run `gemini` in a terminal and log in, or set GEMINI_API_KEY and choose the key there once.";

impl Gemini {
    /// The agent under another name or path than `gemini`.
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

/// Taken from the tools that 0.38 offers its model.
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

    fn reach(&self) -> Reach {
        Reach {
            asks: true,
            lists: false,
            sentence: "Gemini CLI asks Baton before it writes files, runs commands or fetches pages, and each call is \
                       held to the node's list. It reads and searches files without asking. Why a call was refused \
                       is told to it only if it stops there.",
        }
    }

    fn launch(&self, task: &Task) -> LaunchPlan {
        // The name that all versions know, 0.32 to 0.61; the newer `--acp` is not known to 0.32.
        let mut argv = vec![self.program.clone(), "--experimental-acp".to_owned()];
        if let Some(model) = &task.model {
            argv.extend(["--model".to_owned(), model.clone()]);
        }
        LaunchPlan {
            argv,
            // Otherwise it starts itself again, which costs a second and a process that signals do not reach.
            env: vec![("GEMINI_CLI_NO_RELAUNCH".to_owned(), "true".to_owned())],
            // What a gemini sets for the programs it starts.
            env_remove: vec!["GEMINI_CLI".to_owned()],
            stdin: Stdin::Piped,
            first_inputs: acp::first_inputs(),
            prompt_file: None,
        }
    }

    fn driver(&self, task: &Task) -> Box<dyn Driver> {
        // The model is in the command line already.
        acp::driver(
            &Task {
                model: None,
                ..task.clone()
            },
            self.title(),
            MEND,
        )
    }

    fn probe(&self) -> Probe {
        Probe {
            program: self.program.clone(),
            version_argv: vec![self.program.clone(), "--version".to_owned()],
            parse_version,
            missing: "Install it with `npm install -g @google/gemini-cli`, then check the \
                      agents again."
                .to_owned(),
            login: vec![
                LoginSign::Env("GEMINI_API_KEY"),
                LoginSign::Env("GOOGLE_API_KEY"),
                LoginSign::Env("GOOGLE_GENAI_USE_VERTEXAI"),
                LoginSign::Env("GOOGLE_GENAI_USE_GCA"),
                LoginSign::File(".gemini/oauth_creds.json"),
                LoginSign::FileContains(".gemini/settings.json", "\"selectedType\""),
            ],
            not_logged_in: format!("Gemini CLI seems not to be logged in. {MEND}"),
        }
    }

    fn log_format(&self) -> LogFormat {
        LogFormat::Acp
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
