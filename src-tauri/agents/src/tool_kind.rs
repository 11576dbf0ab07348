//! The kind of a tool, derived from its name. It decides whether the tool is guarded.

use crate::tool_name::same_tool;

/// The effect of a tool call on the world outside its session.
///
/// Where the Agent Client Protocol, version 1, has a kind, this uses the same one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names say it")]
pub enum ToolKind {
    /// Reads or searches files on this machine.
    Read,
    /// Manages the agent's own state: its to-do list, its subagents and their messages. A
    /// subagent's calls are separate calls.
    Bookkeeping,
    Execute,
    Edit,
    Delete,
    Move,
    /// Sends something over the network.
    Fetch,
    /// A tool of an extension or an MCP server, or one that is newer than this table.
    Unknown,
}

/// The tools of each kind. Tools with several names in [`same_tool`] are listed by one of them.
const KINDS: &[(ToolKind, &[&str])] = &[
    (ToolKind::Read, &["Read", "Glob", "Grep", "LS"]),
    (
        ToolKind::Read,
        &[
            "NotebookRead",
            "BashOutput",
            "TaskOutput",
            "LSP",
            "lsp",
            "ToolSearch",
            "TodoRead",
            "todoread",
        ],
    ),
    (
        ToolKind::Read,
        &[
            "TaskGet",
            "TaskList",
            "ListAgents",
            "CronList",
            "cli_help",
            "get_internal_docs",
        ],
    ),
    (
        ToolKind::Read,
        &[
            "ListMcpResourcesTool",
            "list_mcp_resources",
            "list_mcp_resource_templates",
        ],
    ),
    (
        ToolKind::Bookkeeping,
        &[
            "TodoWrite",
            "Task",
            "TaskCreate",
            "TaskUpdate",
            "TaskStop",
            "KillShell",
            "SendMessage",
        ],
    ),
    (
        ToolKind::Bookkeeping,
        &[
            "AskUserQuestion",
            "ask_user",
            "question",
            "request_user_input",
            "StructuredOutput",
        ],
    ),
    (
        ToolKind::Bookkeeping,
        &[
            "ReportFindings",
            "EnterPlanMode",
            "enter_plan_mode",
            "plan_enter",
            "complete_task",
        ],
    ),
    (
        ToolKind::Bookkeeping,
        &[
            "spawn_agent",
            "send_input",
            "resume_agent",
            "wait_agent",
            "close_agent",
            "wait",
        ],
    ),
    (ToolKind::Bookkeeping, &["think", "switch_mode"]),
    (
        ToolKind::Execute,
        &[
            "Bash",
            "write_stdin",
            "EnterWorktree",
            "ExitWorktree",
            "Monitor",
        ],
    ),
    (
        ToolKind::Edit,
        &["Write", "Edit", "NotebookEdit", "multiedit", "save_memory"],
    ),
    (ToolKind::Delete, &["delete"]),
    (ToolKind::Move, &["move"]),
    (
        ToolKind::Fetch,
        &[
            "WebFetch",
            "WebSearch",
            "codesearch",
            "ReadMcpResourceTool",
            "read_mcp_resource",
        ],
    ),
];

impl ToolKind {
    /// The kind of the tool that an agent calls `name`.
    #[must_use]
    pub fn from_name(name: &str) -> Self {
        let known =
            |(_, names): &&(Self, &[&str])| names.iter().any(|known| same_tool(known, name));
        KINDS
            .iter()
            .find(known)
            .map_or(Self::Unknown, |(kind, _)| *kind)
    }

    /// Whether a person may want to be asked first: the tool does more than read, or its kind is
    /// unknown.
    #[must_use]
    pub fn is_guarded(self) -> bool {
        !matches!(self, Self::Read | Self::Bookkeeping)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_agent_tool_has_a_kind() {
        use ToolKind::{Bookkeeping, Delete, Edit, Execute, Fetch, Move, Read, Unknown};
        for (names, kind) in [
            (
                &[
                    "Read",
                    "read_file",
                    "view_image",
                    "grep",
                    "find",
                    "list_directory",
                ][..],
                Read,
            ),
            (&["TodoWrite", "update_plan", "Agent", "task"], Bookkeeping),
            (
                &[
                    "Bash",
                    "bash",
                    "run_shell_command",
                    "exec_command",
                    "execute",
                ],
                Execute,
            ),
            (
                &[
                    "Write",
                    "write_file",
                    "apply_patch",
                    "replace",
                    "edit",
                    "NotebookEdit",
                ],
                Edit,
            ),
            (&["delete"], Delete),
            (&["move"], Move),
            (
                &["WebFetch", "web_search", "google_web_search", "fetch"],
                Fetch,
            ),
            (
                &[
                    "mcp__notes__search",
                    "notes/search",
                    "other",
                    "tool",
                    "",
                    "read ",
                    "Skill",
                    "CronCreate",
                ],
                Unknown,
            ),
        ] {
            for name in names {
                assert_eq!(ToolKind::from_name(name), kind, "{name}");
            }
        }
    }

    #[test]
    fn no_tool_has_two_kinds() {
        let names: Vec<&str> = KINDS
            .iter()
            .flat_map(|(_, names)| names.iter().copied())
            .collect();
        for (at, name) in names.iter().enumerate() {
            assert!(
                !names[at + 1..].iter().any(|other| same_tool(other, name)),
                "{name} is listed twice"
            );
        }
    }

    #[test]
    fn only_reading_and_bookkeeping_are_unguarded() {
        use ToolKind::{Bookkeeping, Delete, Edit, Execute, Fetch, Move, Read, Unknown};
        assert!(![Read, Bookkeeping].into_iter().any(ToolKind::is_guarded));
        assert!(
            [Execute, Edit, Delete, Move, Fetch, Unknown]
                .into_iter()
                .all(ToolKind::is_guarded)
        );
    }
}
