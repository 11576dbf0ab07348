//! What a tool does, by its name: what its guard depends on.

use crate::tool_name::same_tool;

/// What a call of a tool does to the world outside of its session.
///
/// The kinds are those of the Agent Client Protocol, version 1, where it has them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ToolKind {
    /// It reads or searches what is on this machine.
    Look,
    /// It keeps the agent's own books: its list of tasks, its helpers, what they have said so far. What a helper
    /// does is a call of its own.
    Note,
    /// It runs programs.
    Execute,
    /// It writes files.
    Edit,
    /// It deletes files.
    Delete,
    /// It moves files.
    Move,
    /// It sends something over the network.
    Fetch,
    /// Nobody knows: a tool of an extension or of an MCP server, or one that is newer than this table.
    Unknown,
}

/// The tools of each kind that agents have; those that stand in a row of [`same_tool`] by one of their names.
const KINDS: &[(ToolKind, &[&str])] = &[
    (ToolKind::Look, &["Read", "Glob", "Grep", "LS"]),
    (
        ToolKind::Look,
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
        ToolKind::Look,
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
        ToolKind::Look,
        &[
            "ListMcpResourcesTool",
            "list_mcp_resources",
            "list_mcp_resource_templates",
        ],
    ),
    (
        ToolKind::Note,
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
        ToolKind::Note,
        &[
            "AskUserQuestion",
            "ask_user",
            "question",
            "request_user_input",
            "StructuredOutput",
        ],
    ),
    (
        ToolKind::Note,
        &[
            "ReportFindings",
            "EnterPlanMode",
            "enter_plan_mode",
            "plan_enter",
            "complete_task",
        ],
    ),
    (
        ToolKind::Note,
        &[
            "spawn_agent",
            "send_input",
            "resume_agent",
            "wait_agent",
            "close_agent",
            "wait",
        ],
    ),
    (ToolKind::Note, &["think", "switch_mode"]),
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
    /// What the tool that an agent calls `name` does.
    #[must_use]
    pub fn of(name: &str) -> Self {
        let known =
            |(_, names): &&(Self, &[&str])| names.iter().any(|known| same_tool(known, name));
        KINDS
            .iter()
            .find(known)
            .map_or(Self::Unknown, |(kind, _)| *kind)
    }

    /// Whether a person may want to be asked first: it does more than look, or nobody knows.
    #[must_use]
    pub fn is_guarded(self) -> bool {
        !matches!(self, Self::Look | Self::Note)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_of_all_agents_have_a_kind() {
        use ToolKind::{Delete, Edit, Execute, Fetch, Look, Move, Note, Unknown};
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
                Look,
            ),
            (&["TodoWrite", "update_plan", "Agent", "task"], Note),
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
                assert_eq!(ToolKind::of(name), kind, "{name}");
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
                "{name} stands twice"
            );
        }
    }

    #[test]
    fn only_looking_and_noting_is_free() {
        use ToolKind::{Delete, Edit, Execute, Fetch, Look, Move, Note, Unknown};
        assert!(![Look, Note].into_iter().any(ToolKind::is_guarded));
        assert!(
            [Execute, Edit, Delete, Move, Fetch, Unknown]
                .into_iter()
                .all(ToolKind::is_guarded)
        );
    }
}
