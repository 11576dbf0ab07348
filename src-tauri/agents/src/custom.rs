//! An agent that a person defines: a command that speaks a protocol which Baton knows, or none.
//!
//! Without a protocol the prompt goes in, text comes out, the exit code judges.

use baton_model::artifact::MARKER;
use serde::{Deserialize, Serialize};

use crate::acp;
use crate::adapter::{Adapter, Probe};
use crate::claude::stream::ClaudeStream;
use crate::driver::{Driver, ProcessEnd, Verdict};
use crate::event::{SessionEvent, Stream};
use crate::gemini::stream::GeminiStream;
use crate::one_shot::OneShot;
use crate::opencode::stream::OpencodeStream;
use crate::plain_text::plain;
use crate::scope::Reach;
use crate::task::{Input, LaunchPlan, PROMPT_FILE, Stdin, Task};
use crate::timeline::LogFormat;

/// A command agent as the settings describe it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CustomAgent {
    /// What plans call it (`agent: <name>`), and people.
    pub name: String,
    /// Program and arguments. With `{prompt_file}` in one of them the prompt is in that file; without, it
    /// comes by standard input.
    pub argv: Vec<String>,
    /// What the program speaks.
    #[serde(default)]
    pub protocol: Protocol,
}

/// What a custom agent speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[cfg_attr(feature = "bindings", ts(rename = "AgentProtocol"))]
#[serde(rename_all = "camelCase")]
pub enum Protocol {
    /// Nothing: text out, and the exit code.
    #[default]
    Plain,
    /// The agent client protocol over standard input and output.
    Acp,
    /// The events of `claude --output-format stream-json`, which others print as well, `qwen` for one.
    ClaudeStream,
    /// The events of `gemini --output-format stream-json`.
    GeminiStream,
    /// The events of `opencode run --format json`.
    OpencodeStream,
}

impl CustomAgent {
    fn wants_file(&self) -> bool {
        self.argv
            .iter()
            .any(|argument| argument.contains(PROMPT_FILE))
    }
}

impl Adapter for CustomAgent {
    fn id(&self) -> &str {
        &self.name
    }

    fn title(&self) -> &str {
        &self.name
    }

    fn launch(&self, task: &Task) -> LaunchPlan {
        if self.protocol == Protocol::Acp {
            return LaunchPlan {
                argv: self.argv.clone(),
                env: Vec::new(),
                env_remove: Vec::new(),
                stdin: Stdin::Piped,
                first_inputs: acp::first_inputs(),
                prompt_file: None,
            };
        }
        let prompt = whole_prompt(task);
        let (stdin, first_inputs, prompt_file) = if self.wants_file() {
            (Stdin::Null, Vec::new(), Some(prompt))
        } else {
            (
                Stdin::Piped,
                vec![Input::text("prompt", prompt), Input::close()],
                None,
            )
        };
        LaunchPlan {
            argv: self.argv.clone(),
            env: Vec::new(),
            env_remove: Vec::new(),
            stdin,
            first_inputs,
            prompt_file,
        }
    }

    fn driver(&self, task: &Task) -> Box<dyn Driver> {
        match self.protocol {
            Protocol::Plain => Box::new(CustomSession::default()),
            Protocol::Acp => acp::driver(task, &self.name, "Log in with the agent's own means."),
            Protocol::ClaudeStream => Box::new(OneShot::new(ClaudeStream, task.scope.clone())),
            Protocol::GeminiStream => Box::new(OneShot::new(GeminiStream, task.scope.clone())),
            Protocol::OpencodeStream => Box::new(OneShot::new(OpencodeStream, task.scope.clone())),
        }
    }

    fn can_resume(&self) -> bool {
        self.protocol == Protocol::Acp
    }

    /// Whether this one can shows when it introduces itself.
    fn can_fork(&self) -> bool {
        self.protocol == Protocol::Acp
    }

    fn reach(&self) -> Reach {
        match self.protocol {
            Protocol::Acp => acp::REACH,
            Protocol::Plain
            | Protocol::ClaudeStream
            | Protocol::GeminiStream
            | Protocol::OpencodeStream => Reach::NONE,
        }
    }

    fn probe(&self) -> Probe {
        let program = self.argv.first().cloned().unwrap_or_default();
        Probe {
            missing: format!(
                "Its program `{program}` is not there. Correct it in Settings, then check the agents again."
            ),
            program,
            version_argv: Vec::new(),
            parse_version: |_| None,
            login: Vec::new(),
            not_logged_in: String::new(),
        }
    }

    fn log_format(&self) -> LogFormat {
        match self.protocol {
            Protocol::Plain => LogFormat::Plain,
            Protocol::Acp => LogFormat::Acp,
            Protocol::ClaudeStream => LogFormat::ClaudeStream,
            Protocol::GeminiStream => LogFormat::GeminiStream,
            Protocol::OpencodeStream => LogFormat::OpencodeStream,
        }
    }
}

/// There is one turn only, so the question for the handoff goes along with the prompt.
fn whole_prompt(task: &Task) -> String {
    let mut prompt = task.prompt.trim_end().to_owned();
    if !task.handoff_prompt.is_empty() {
        prompt += "\n\nWhen the work is done, end with this.\n\n";
        prompt += &task.handoff_prompt;
    }
    prompt.push('\n');
    prompt
}

/// The most of a handoff that is kept, in bytes.
const HANDOFF_LIMIT: usize = 64 * 1024;

/// What stands for the rest of a longer one.
const CUT: &str = "[Cut by Baton: the handoff is longer than 64 KiB.]";

/// A session that listens for the handoff only: the text from the last marker on.
#[derive(Debug, Default)]
struct CustomSession {
    handoff: Option<String>,
    is_cut: bool,
}

impl Driver for CustomSession {
    fn line(&mut self, stream: Stream, line: &[u8]) -> Vec<SessionEvent> {
        let text = plain(line);
        if stream == Stream::Stdout {
            if let Some(start) = text.find(MARKER) {
                self.handoff = Some(text[start..].to_owned());
                self.is_cut = false;
            } else if let Some(handoff) = self.handoff.as_mut().filter(|_| !self.is_cut) {
                self.is_cut = handoff.len() + text.len() >= HANDOFF_LIMIT;
                handoff.push('\n');
                handoff.push_str(if self.is_cut { CUT } else { &text });
            }
        }
        vec![SessionEvent::Output { stream, text }]
    }

    fn reads(&self, stream: Stream) -> bool {
        stream == Stream::Stdout
    }

    fn verdict(&self, exit: &ProcessEnd) -> Verdict {
        Verdict::of_process(exit)
    }

    fn handoff(&self) -> Option<&str> {
        self.handoff.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::scope::ToolScope;
    use crate::task::InputMessage;

    fn task() -> Task {
        Task {
            session: Uuid::nil(),
            cwd: "/tmp".to_owned(),
            prompt: "Do it.\n".to_owned(),
            resume: None,
            model: None,
            scope: ToolScope::default(),
            handoff_prompt: "Write a handoff.".to_owned(),
        }
    }

    fn agent(argv: &[&str]) -> CustomAgent {
        CustomAgent {
            name: "mine".to_owned(),
            argv: argv.iter().map(|&argument| argument.to_owned()).collect(),
            protocol: Protocol::Plain,
        }
    }

    #[test]
    fn the_prompt_goes_in_by_stdin_or_by_file() {
        let prompt = "Do it.\n\nWhen the work is done, end with this.\n\nWrite a handoff.\n";
        let by_stdin = agent(&["cat"]).launch(&task());
        assert_eq!(
            by_stdin.first_inputs[0].message,
            InputMessage::Text(prompt.to_owned())
        );
        assert_eq!(by_stdin.first_inputs[1], Input::close());
        let by_file = agent(&["tool", "--prompt={prompt_file}"]).launch(&task());
        assert_eq!(
            (by_file.stdin, by_file.prompt_file.as_deref()),
            (Stdin::Null, Some(prompt))
        );
    }

    #[test]
    fn the_last_handoff_on_stdout_counts() {
        let mut session = agent(&["x"]).driver(&task());
        for line in [
            "**What was done:** first",
            "noise",
            "\x1b[1m**What was done:**\x1b[0m",
            "Second.",
            "",
            "**Decisions:**",
        ] {
            session.line(Stream::Stdout, line.as_bytes());
        }
        session.line(Stream::Stderr, b"a warning");
        assert_eq!(
            session.handoff(),
            Some("**What was done:**\nSecond.\n\n**Decisions:**")
        );
        assert_eq!(session.verdict(&ProcessEnd::Exited(0)), Verdict::Succeeded);
        assert_ne!(session.verdict(&ProcessEnd::Exited(2)), Verdict::Succeeded);
    }

    #[test]
    fn an_endless_handoff_is_cut() {
        let mut session = CustomSession::default();
        session.line(Stream::Stdout, MARKER.as_bytes());
        for _ in 0..10_000 {
            session.line(Stream::Stdout, &[b'x'; 100]);
        }
        assert!(
            session
                .handoff()
                .is_some_and(|text| text.len() <= HANDOFF_LIMIT + CUT.len() && text.ends_with(CUT))
        );
    }
}
