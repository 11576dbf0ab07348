//! The commands that a session's agent ran, from its own events.

use std::collections::VecDeque;

use baton_agents::SessionEvent;
use baton_agents::event::ToolResult;
use baton_agents::tool_name::shell_command;
use baton_model::evidence::{COMMAND_LIMIT, CommandEnd, CommandRun};

use crate::call_tally::CallTally;

/// The maximum number of characters kept of a command.
const SHOWN: usize = 500;

/// The most recent commands of a session.
#[derive(Default)]
pub(crate) struct CommandLog {
    runs: VecDeque<(String, CommandRun)>,
    left_out: u32,
    calls: CallTally,
}

impl CommandLog {
    pub(crate) fn observe(&mut self, events: &[SessionEvent]) {
        self.calls.observe(events);
        for event in events {
            match event {
                SessionEvent::ToolStarted {
                    id, name, input, ..
                } => {
                    if let Some(command) = shell_command(name, input) {
                        self.begin(id, &command);
                    }
                }
                SessionEvent::ToolEnded { id, result } => self.end(id, result),
                _ => {}
            }
        }
    }

    fn begin(&mut self, id: &str, command: &str) {
        // An agent may report the same call twice.
        if self.runs.iter().any(|(known, _)| known == id) {
            return;
        }
        if self.runs.len() == COMMAND_LIMIT {
            self.runs.pop_front();
            self.left_out = self.left_out.saturating_add(1);
        }
        let command = command
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .chars()
            .take(SHOWN)
            .collect();
        self.runs.push_back((
            id.to_owned(),
            CommandRun {
                command,
                end: CommandEnd::Unknown,
            },
        ));
    }

    fn end(&mut self, id: &str, result: &ToolResult) {
        if let Some((_, run)) = self.runs.iter_mut().rev().find(|(known, _)| known == id) {
            run.end = match result {
                ToolResult { denied: true, .. } => CommandEnd::Denied,
                ToolResult {
                    exit_code: Some(code),
                    ..
                } => CommandEnd::Exited { code: *code },
                ToolResult {
                    end_unknown: true, ..
                } => CommandEnd::Unknown,
                ToolResult { ok: true, .. } => CommandEnd::Succeeded,
                _ => CommandEnd::Failed,
            };
        }
    }

    pub(crate) fn calls(&self) -> &CallTally {
        &self.calls
    }

    /// The commands in order, and how many earlier ones were dropped.
    pub(crate) fn summary(&self) -> (Vec<CommandRun>, u32) {
        (
            self.runs.iter().map(|(_, run)| run.clone()).collect(),
            self.left_out,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn started(id: &str, name: &str, input: serde_json::Value) -> SessionEvent {
        SessionEvent::ToolStarted {
            id: id.to_owned(),
            name: name.to_owned(),
            summary: String::new(),
            input,
        }
    }

    fn ended(id: &str, ok: bool, denied: bool, exit_code: Option<i32>) -> SessionEvent {
        let result = ToolResult {
            ok,
            denied,
            text: String::new(),
            styles: Vec::new(),
            truncated_bytes: 0,
            end_unknown: false,
            diff: None,
            images: Vec::new(),
            exit_code,
        };
        SessionEvent::ToolEnded {
            id: id.to_owned(),
            result,
        }
    }

    #[test]
    fn only_shell_commands_are_logged_with_their_results() {
        let mut log = CommandLog::default();
        let bash =
            |id, command: &str| started(id, "Bash", serde_json::json!({ "command": command }));
        log.observe(&[
            bash("1", "cargo  test\n"),
            bash("2", "rm -rf /"),
            bash("3", "sleep 9"),
            bash("4", "ls"),
        ]);
        log.observe(&[
            started("5", "Read", serde_json::json!({ "file_path": "/x" })),
            bash("1", "cargo  test\n"),
        ]);
        log.observe(&[
            ended("1", false, false, Some(101)),
            ended("2", false, true, None),
            ended("4", true, false, None),
        ]);
        let logged: Vec<_> = log
            .summary()
            .0
            .into_iter()
            .map(|run| (run.command, run.end))
            .collect();
        let expected = [
            ("cargo test", CommandEnd::Exited { code: 101 }),
            ("rm -rf /", CommandEnd::Denied),
            ("sleep 9", CommandEnd::Unknown),
            ("ls", CommandEnd::Succeeded),
        ];
        assert_eq!(
            logged,
            expected.map(|(command, end)| (command.to_owned(), end))
        );
    }

    #[test]
    fn missing_exit_code_is_unknown() {
        let mut log = CommandLog::default();
        log.observe(&[started(
            "1",
            "run_shell_command",
            serde_json::json!({ "command": "make" }),
        )]);
        let mut end = ended("1", true, false, None);
        if let SessionEvent::ToolEnded { result, .. } = &mut end {
            result.end_unknown = true;
        }
        log.observe(&[end]);
        assert_eq!(log.summary().0[0].end, CommandEnd::Unknown);
    }

    #[test]
    fn command_reported_after_its_call_is_logged() {
        let mut log = CommandLog::default();
        log.observe(&[started("1", "bash", serde_json::json!({ "cwd": "/x" }))]);
        log.observe(&[started(
            "1",
            "bash",
            serde_json::json!({ "cwd": "/x", "command": "make" }),
        )]);
        log.observe(&[ended("1", true, false, Some(2))]);
        let logged: Vec<_> = log
            .summary()
            .0
            .into_iter()
            .map(|run| (run.command, run.end))
            .collect();
        assert_eq!(
            logged,
            [("make".to_owned(), CommandEnd::Exited { code: 2 })]
        );
    }

    #[test]
    fn unfinished_session_keeps_last_commands() {
        let mut log = CommandLog::default();
        for number in 0..COMMAND_LIMIT + 5 {
            log.observe(&[started(
                &number.to_string(),
                "Bash",
                serde_json::json!({ "command": number.to_string() }),
            )]);
        }
        let (runs, left_out) = log.summary();
        assert_eq!(
            (runs.len(), left_out, runs[0].command.as_str()),
            (COMMAND_LIMIT, 5, "5")
        );
    }
}
