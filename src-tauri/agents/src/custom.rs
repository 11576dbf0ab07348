//! Custom agents: a command from the settings that speaks a protocol known to Baton, or none.
//!
//! Without a protocol, the prompt goes in, text comes out, and the exit code decides.

use baton_model::artifact::MARKER;
use serde::{Deserialize, Serialize};

use crate::acp;
use crate::adapter::{Adapter, Probe};
use crate::claude::stream::ClaudeStream;
use crate::driver::{Driver, ProcessEnd, Verdict};
use crate::event::{SessionEvent, Stream};
use crate::gemini::stream::GeminiStream;
use crate::log_format::LogFormat;
use crate::one_shot::OneShot;
use crate::opencode::stream::OpencodeStream;
use crate::plain_text::strip_terminal_codes;
use crate::scope::ToolControl;
use crate::task::{Input, LaunchPlan, PROMPT_FILE, Stdin, Task};
use crate::tool_server::ToolServerSupport;

/// A custom agent as the settings define it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(missing_docs, reason = "the names say it")]
pub struct CustomAgent {
    /// The name in plans (`agent: <name>`) and for people.
    pub name: String,
    /// Program and arguments. `{prompt_file}` in an argument becomes the path of a file with the
    /// prompt. Without it, the prompt is written to standard input.
    pub argv: Vec<String>,
    #[serde(default)]
    pub protocol: Protocol,
}

/// The protocol of a custom agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[cfg_attr(feature = "bindings", ts(rename = "AgentProtocol"))]
#[serde(rename_all = "camelCase")]
pub enum Protocol {
    /// None: text output and the exit code.
    #[default]
    Plain,
    /// The Agent Client Protocol over standard input and output.
    Acp,
    /// The events of `claude --output-format stream-json`, which other agents such as `qwen`
    /// print too.
    ClaudeStream,
    /// The events of `gemini --output-format stream-json`.
    GeminiStream,
    /// The events of `opencode run --format json`.
    OpencodeStream,
}

impl CustomAgent {
    fn needs_prompt_file(&self) -> bool {
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
        let prompt = full_prompt(task);
        let (stdin, first_inputs, prompt_file) = if self.needs_prompt_file() {
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
            Protocol::Acp => acp::driver(task, &self.name, "Log in with the agent's own command."),
            Protocol::ClaudeStream => Box::new(OneShot::new(ClaudeStream, task.scope.clone())),
            Protocol::GeminiStream => Box::new(OneShot::new(GeminiStream, task.scope.clone())),
            Protocol::OpencodeStream => Box::new(OneShot::new(OpencodeStream, task.scope.clone())),
        }
    }

    fn can_resume(&self) -> bool {
        self.protocol == Protocol::Acp
    }

    /// The agent reports during initialization whether it really can.
    fn can_fork(&self) -> bool {
        self.protocol == Protocol::Acp
    }

    fn tool_server_support(&self) -> ToolServerSupport {
        match self.protocol {
            Protocol::Acp => ToolServerSupport::Protocol,
            Protocol::Plain
            | Protocol::ClaudeStream
            | Protocol::GeminiStream
            | Protocol::OpencodeStream => ToolServerSupport::None,
        }
    }

    fn tool_control(&self) -> ToolControl {
        match self.protocol {
            Protocol::Acp => acp::TOOL_CONTROL,
            Protocol::Plain
            | Protocol::ClaudeStream
            | Protocol::GeminiStream
            | Protocol::OpencodeStream => ToolControl::NONE,
        }
    }

    fn probe(&self) -> Probe {
        let program = self.argv.first().cloned().unwrap_or_default();
        Probe {
            missing: format!(
                "Its program `{program}` was not found. Correct the command in Settings, then select Check again."
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
            Protocol::Plain => LogFormat::PLAIN,
            Protocol::Acp => acp::LOG_FORMAT,
            Protocol::ClaudeStream => crate::claude::STREAM_FORMAT,
            Protocol::GeminiStream => crate::gemini::STREAM_FORMAT,
            Protocol::OpencodeStream => crate::opencode::STREAM_FORMAT,
        }
    }
}

/// The session has only one turn, so the prompt includes the request for the handoff.
fn full_prompt(task: &Task) -> String {
    let mut prompt = task.prompt.trim_end().to_owned();
    if !task.handoff_prompt.is_empty() {
        prompt += "\n\nWhen the work is done, end with this.\n\n";
        prompt += &task.handoff_prompt;
    }
    prompt.push('\n');
    prompt
}

/// Longer handoffs are truncated.
const MAX_HANDOFF_BYTES: usize = 64 * 1024;

/// Appended to a truncated handoff.
const TRUNCATION_NOTE: &str = "[Truncated by Baton: the handoff is longer than 64 KiB.]";

/// Extracts only the handoff: the text from the last marker on.
#[derive(Debug, Default)]
struct CustomSession {
    handoff: Option<String>,
    is_cut: bool,
}

impl Driver for CustomSession {
    fn handle_line(&mut self, stream: Stream, line: &[u8]) -> Vec<SessionEvent> {
        let text = strip_terminal_codes(line);
        if stream == Stream::Stdout {
            if let Some(start) = text.find(MARKER) {
                self.handoff = Some(text[start..].to_owned());
                self.is_cut = false;
            } else if let Some(handoff) = self.handoff.as_mut().filter(|_| !self.is_cut) {
                self.is_cut = handoff.len() + text.len() >= MAX_HANDOFF_BYTES;
                handoff.push('\n');
                handoff.push_str(if self.is_cut { TRUNCATION_NOTE } else { &text });
            }
        }
        vec![SessionEvent::Output { stream, text }]
    }

    fn reads_stream(&self, stream: Stream) -> bool {
        stream == Stream::Stdout
    }

    fn verdict(&self, exit: &ProcessEnd) -> Verdict {
        Verdict::from_process_end(exit)
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
            tool_server: None,
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
    fn prompt_is_passed_by_stdin_or_file() {
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
    fn last_handoff_on_stdout_wins() {
        let mut session = agent(&["x"]).driver(&task());
        for line in [
            "**What was done:** first",
            "noise",
            "\x1b[1m**What was done:**\x1b[0m",
            "Second.",
            "",
            "**Decisions:**",
        ] {
            session.handle_line(Stream::Stdout, line.as_bytes());
        }
        session.handle_line(Stream::Stderr, b"a warning");
        assert_eq!(
            session.handoff(),
            Some("**What was done:**\nSecond.\n\n**Decisions:**")
        );
        assert_eq!(session.verdict(&ProcessEnd::Exited(0)), Verdict::Succeeded);
        assert_ne!(session.verdict(&ProcessEnd::Exited(2)), Verdict::Succeeded);
    }

    #[test]
    fn long_handoff_is_truncated() {
        let mut session = CustomSession::default();
        session.handle_line(Stream::Stdout, MARKER.as_bytes());
        for _ in 0..10_000 {
            session.handle_line(Stream::Stdout, &[b'x'; 100]);
        }
        assert!(session.handoff().is_some_and(|text| text.len()
            <= MAX_HANDOFF_BYTES + TRUNCATION_NOTE.len()
            && text.ends_with(TRUNCATION_NOTE)));
    }
}
