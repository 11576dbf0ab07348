//! The command line, environment and probe of `pi`.

use crate::adapter::{Adapter, LoginEvidence, Probe};
use crate::driver::Driver;
use crate::history::HistoryLayout;
use crate::log_format::LogFormat;
use crate::pi::conversation::{Conversation, first_inputs};
use crate::pi::history::HISTORY;
use crate::pi::message::EVENTS_FORMAT;
use crate::pi::scope;
use crate::scope::ToolControl;
use crate::task::{LaunchPlan, Stdin, Task};

/// pi, as the `pi` command.
#[derive(Debug, Clone)]
pub struct Pi {
    program: String,
}

impl Pi {
    /// The agent with another program name or path.
    #[must_use]
    pub fn at(program: impl Into<String>) -> Self {
        Self {
            program: program.into(),
        }
    }
}

impl Default for Pi {
    fn default() -> Self {
        Self::at("pi")
    }
}

/// The tools that 0.74 offers its model.
const TOOLS: &[&str] = &["bash", "edit", "find", "grep", "ls", "read", "write"];

impl Adapter for Pi {
    fn id(&self) -> &str {
        "pi"
    }

    fn tools(&self) -> &'static [&'static str] {
        TOOLS
    }

    fn title(&self) -> &str {
        "pi"
    }

    fn mark(&self) -> char {
        'π'
    }

    fn can_resume(&self) -> bool {
        true
    }

    fn can_fork(&self) -> bool {
        true
    }

    fn tool_control(&self) -> ToolControl {
        ToolControl {
            asks_permission: false,
            enforces_list: true,
            description: "pi starts with the listed tools only, but it can't ask for permission. Tools that would need permission are left out.",
        }
    }

    fn launch(&self, task: &Task) -> LaunchPlan {
        let mut argv = vec![self.program.clone(), "--mode".to_owned(), "rpc".to_owned()];
        let mut add = |flag: &str, value: Option<&String>| {
            argv.extend(
                value
                    .into_iter()
                    .flat_map(|value| [flag.to_owned(), value.clone()]),
            );
        };
        let way = |fork: bool| if fork { "--fork" } else { "--session" };
        if let Some(earlier) = &task.resume {
            add(way(earlier.fork), Some(&earlier.native_id));
        }
        add("--model", task.model.as_ref());
        match scope::tools(&task.scope) {
            None => {}
            Some(tools) if tools.is_empty() => argv.push("--no-tools".to_owned()),
            Some(tools) => argv.extend(["--tools".to_owned(), tools.join(",")]),
        }
        LaunchPlan {
            argv,
            env: vec![("PI_SKIP_VERSION_CHECK".to_owned(), "1".to_owned())],
            // Set by pi for the programs it starts.
            env_remove: vec!["PI_CODING_AGENT".to_owned()],
            stdin: Stdin::Piped,
            first_inputs: first_inputs(task),
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
            missing: "Install it with `npm install -g @earendil-works/pi-coding-agent`, then select Check again."
                .to_owned(),
            login: vec![
                LoginEvidence::FileContains(".pi/agent/auth.json", "\"type\""),
                LoginEvidence::FileContains(".pi/agent/models.json", "\"apiKey\""),
                LoginEvidence::Env("ANTHROPIC_API_KEY"),
                LoginEvidence::Env("ANTHROPIC_OAUTH_TOKEN"),
                LoginEvidence::Env("OPENAI_API_KEY"),
                LoginEvidence::Env("GEMINI_API_KEY"),
                LoginEvidence::Env("OPENROUTER_API_KEY"),
                LoginEvidence::Env("GROQ_API_KEY"),
                LoginEvidence::Env("MISTRAL_API_KEY"),
            ],
            not_logged_in:
                "pi doesn't seem to have a login or a key. Run `pi` in a terminal and log in with /login, or set your provider's API key."
                    .to_owned(),
        }
    }

    fn log_format(&self) -> LogFormat {
        EVENTS_FORMAT
    }

    fn history(&self) -> Option<&'static HistoryLayout> {
        Some(&HISTORY)
    }
}

/// The whole output is the version: `0.74.2`.
fn parse_version(output: &str) -> Option<String> {
    let first = output.split_whitespace().next()?;
    let is_version = first.starts_with(|c: char| c.is_ascii_digit()) && first.contains('.');
    is_version.then(|| first.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn version_is_whole_output() {
        assert_eq!(parse_version("0.74.2\n").as_deref(), Some("0.74.2"));
        assert_eq!(parse_version("pi: command not found"), None);
        assert_eq!(parse_version(""), None);
    }
}
