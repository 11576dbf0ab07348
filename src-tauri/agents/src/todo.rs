//! The list of what an agent will do, as its own tool keeps it.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::tool_name::same_tool;

/// How many items of a list are kept.
const ITEM_LIMIT: usize = 1_000;

/// An item of an agent's list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub struct TodoItem {
    pub text: String,
    pub state: TodoState,
}

/// How far an item is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum TodoState {
    Pending,
    InProgress,
    Done,
    Canceled,
}

impl TodoState {
    /// The state that an agent calls `status`. Unknown ones are pending.
    fn from_status(status: &str) -> Self {
        match status {
            "in_progress" | "inProgress" => Self::InProgress,
            "completed" | "done" => Self::Done,
            "cancelled" | "canceled" => Self::Canceled,
            _ => Self::Pending,
        }
    }
}

impl TodoItem {
    /// The item as a line of a text: `[x] Write tests`.
    #[must_use]
    pub fn to_line(&self) -> String {
        let mark = match self.state {
            TodoState::Pending => ' ',
            TodoState::InProgress => '>',
            TodoState::Done => 'x',
            TodoState::Canceled => '-',
        };
        format!("[{mark}] {}", self.text)
    }
}

/// The list that a call of an agent's own tool sets. Empty for other tools.
///
/// Claude Code and opencode call it `todos` with `content`, Gemini `todos` with `description`,
/// Codex `plan` with `step`.
pub(crate) fn todos_of_call(name: &str, input: &Value) -> Vec<TodoItem> {
    if !same_tool("TodoWrite", name) {
        return Vec::new();
    }
    let list = input.get("todos").or_else(|| input.get("plan"));
    list.map(todo_items).unwrap_or_default()
}

/// The items of a list in JSON. Items without a text are left out.
pub(crate) fn todo_items(list: &Value) -> Vec<TodoItem> {
    let items = list.as_array().map(Vec::as_slice).unwrap_or_default();
    items
        .iter()
        .take(ITEM_LIMIT)
        .filter_map(todo_item)
        .collect()
}

fn todo_item(item: &Value) -> Option<TodoItem> {
    let text = ["content", "description", "step", "text"]
        .iter()
        .find_map(|key| item.get(key)?.as_str())?;
    let state = match (&item["status"], &item["completed"]) {
        (Value::String(status), _) => TodoState::from_status(status),
        (_, Value::Bool(true)) => TodoState::Done,
        _ => TodoState::Pending,
    };
    Some(TodoItem {
        text: text.to_owned(),
        state,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_agents_list_becomes_items() {
        for (name, input, lines) in [
            (
                "TodoWrite",
                json!({"todos": [
                    {"content": "a", "status": "completed", "activeForm": "Doing a"},
                    {"content": "b", "status": "in_progress"},
                ]}),
                &["[x] a", "[>] b"][..],
            ),
            (
                "todowrite",
                json!({"todos": [{"content": "a", "status": "cancelled", "id": "1"}]}),
                &["[-] a"],
            ),
            (
                "write_todos",
                json!({"todos": [{"description": "a", "status": "pending"}]}),
                &["[ ] a"],
            ),
            (
                "update_plan",
                json!({"plan": [{"step": "a", "status": "inProgress"}]}),
                &["[>] a"],
            ),
            (
                "update_plan",
                json!({"plan": [{"step": "a", "status": 7}, {"x": 1}, "y"]}),
                &["[ ] a"],
            ),
            ("TodoWrite", json!({"todos": "none"}), &[]),
            ("Bash", json!({"todos": [{"content": "a"}]}), &[]),
        ] {
            let actual: Vec<_> = todos_of_call(name, &input)
                .iter()
                .map(TodoItem::to_line)
                .collect();
            assert_eq!(actual, lines, "{name} {input}");
        }
    }

    #[test]
    fn list_is_bounded() {
        let many = json!(vec![
            json!({"text": "a", "completed": true});
            ITEM_LIMIT + 1
        ]);
        assert_eq!(todo_items(&many).len(), ITEM_LIMIT);
        assert_eq!(todo_items(&many)[0].state, TodoState::Done);
    }
}
