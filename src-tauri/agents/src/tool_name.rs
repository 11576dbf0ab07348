//! Tool names, and which names of different agents mean the same tool.

use serde_json::Value;

/// Equivalent tools of different agents. A name is in at most one row.
///
/// Taken from the tool lists that the agents send to their models: claude 2.1.x, codex 0.169,
/// gemini 0.38, opencode 1.x, pi 0.74. Only tools that do the same share a row: searching is not
/// reading, and a patch, which writes and removes, is an edit.
const EQUIVALENT_TOOLS: &[&[&str]] = &[
    &[
        "Bash",
        "bash",
        "shell",
        "local_shell",
        "exec_command",
        "run_shell_command",
        "execute",
    ],
    &["Read", "read", "read_file", "view_image", "read_many_files"],
    &["Write", "write", "write_file"],
    &[
        "Edit",
        "edit",
        "MultiEdit",
        "replace",
        "apply_patch",
        "patch",
    ],
    &["Glob", "glob", "find"],
    &[
        "Grep",
        "grep",
        "search_file_content",
        "grep_search",
        "search",
    ],
    &["LS", "ls", "list", "list_directory"],
    &["WebFetch", "webfetch", "web_fetch", "fetch"],
    &["WebSearch", "websearch", "web_search", "google_web_search"],
    &["TodoWrite", "todowrite", "write_todos", "update_plan"],
    &["Task", "Agent", "task"],
];

/// Returns whether the name `listed` in a tool list means the tool that an agent calls `used`.
#[must_use]
pub fn same_tool(listed: &str, used: &str) -> bool {
    listed == used
        || EQUIVALENT_TOOLS
            .iter()
            .any(|row| row.contains(&listed) && row.contains(&used))
}

/// Returns whether any built-in agent has a tool with this name.
#[must_use]
pub fn is_known_tool(name: &str) -> bool {
    EQUIVALENT_TOOLS.iter().any(|row| row.contains(&name))
        || crate::builtin()
            .iter()
            .any(|agent| agent.tools().contains(&name))
}

/// Returns whether the tool runs command lines, and so can do anything.
#[must_use]
pub fn is_shell(tool: &str) -> bool {
    same_tool("Bash", tool)
}

/// Returns whether the tool only reads.
#[must_use]
pub fn is_read_only(tool: &str) -> bool {
    [
        "Read",
        "Glob",
        "Grep",
        "LS",
        "WebFetch",
        "WebSearch",
        "TodoWrite",
    ]
    .iter()
    .any(|known| same_tool(known, tool))
}

/// The command line that a call of `tool` would run, if it is a shell. The words of a list are
/// quoted so that a shell splits them the same way: `["git", "a; b"]` is one command, not two.
#[must_use]
pub fn shell_command(tool: &str, input: &Value) -> Option<String> {
    if !is_shell(tool) {
        return None;
    }
    match input.get("command").or_else(|| input.get("cmd"))? {
        Value::String(line) => Some(line.clone()),
        Value::Array(words) => {
            let words: Option<Vec<String>> = words
                .iter()
                .map(|word| word.as_str().map(shell_quote))
                .collect();
            words
                .map(|words| words.join(" "))
                .filter(|line| !line.is_empty())
        }
        _ => None,
    }
}

/// A word as a POSIX shell reads it back.
#[must_use]
pub fn shell_quote(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_./:@%+,=-".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn tool_names_are_in_one_group() {
        let names: Vec<&str> = EQUIVALENT_TOOLS
            .iter()
            .flat_map(|row| row.iter().copied())
            .collect();
        for (at, name) in names.iter().enumerate() {
            assert!(!names[at + 1..].contains(name), "{name} is listed twice");
        }
    }

    #[test]
    fn names_match_exactly_or_by_equivalence() {
        for (listed, used, same) in [
            ("Bash", "Bash", true),
            ("Bash", "run_shell_command", true),
            ("shell", "Bash", true),
            ("Bash", "BashOutput", false),
            ("Read", "Grep", false),
            ("Write", "Edit", false),
            ("notes/search", "search", false),
            ("mcp__notes__search", "mcp__notes__search", true),
        ] {
            assert_eq!(same_tool(listed, used), same, "{listed} {used}");
        }
    }

    #[test]
    fn recognizes_tools_of_known_agents() {
        for agent in crate::builtin() {
            let tools = agent.tools();
            let shells = tools.iter().filter(|tool| is_shell(tool)).count();
            assert_eq!(shells.min(1), 1, "{} runs commands: {tools:?}", agent.id());
        }
        for (name, known) in [
            ("Read", true),
            ("run_shell_command", true),
            ("Skill", true),
            ("Raed", false),
            ("", false),
        ] {
            assert_eq!(is_known_tool(name), known, "{name}");
        }
    }

    #[test]
    fn only_shells_run_commands() {
        for (tool, input, command) in [
            ("Bash", json!({"command": "ls -l"}), Some("ls -l")),
            ("exec_command", json!({"cmd": "ls"}), Some("ls")),
            (
                "shell",
                json!({"command": ["sh", "-c", "ls"]}),
                Some("sh -c ls"),
            ),
            (
                "shell",
                json!({"command": ["git", "a; b", "it's", ""]}),
                Some(r"git 'a; b' 'it'\''s' ''"),
            ),
            (
                "shell",
                json!({"command": ["bash", "-lc", "git push"]}),
                Some("bash -lc 'git push'"),
            ),
            ("shell", json!({"command": ["git", 1]}), None),
            ("Write", json!({"command": "ls"}), None),
            ("Bash", json!({}), None),
            ("Bash", json!({"command": []}), None),
        ] {
            assert_eq!(
                shell_command(tool, &input).as_deref(),
                command,
                "{tool} {input}"
            );
        }
    }
}
