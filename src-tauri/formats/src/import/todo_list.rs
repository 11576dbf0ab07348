//! The todo list of a session: the input of `TodoWrite` or `update_plan`, a `todo_list` of Codex, or
//! the file of a whole session, of which the last list counts.

use serde_json::Value;

use super::ImportFormat;
use super::SourceFile;
use super::claude_tasks::infer_order;
use super::draft::{Draft, Place, Task};
use super::fault::{ImportError, ImportFault, ImportFaultKind};
use super::status::SourceStatus;

pub(super) fn read(files: &[SourceFile]) -> Result<Vec<Draft>, ImportError> {
    let Some(file) = files.first() else {
        return Ok(Vec::new());
    };
    let Some((line, list)) = last_list(file) else {
        let format = ImportFormat::TodoList;
        return Err(ImportFault::new(&file.path, None, ImportFaultKind::NoTasks { format }).into());
    };
    let mut draft = Draft {
        title: "Todo list".to_owned(),
        ..Draft::default()
    };
    for (at, item) in list.iter().enumerate() {
        draft.tasks.extend(task(item, at, &file.path, line));
    }
    infer_order(&mut draft);
    Ok(vec![draft])
}

/// Whether `text` has a todo list.
pub(super) fn has_list(file: &SourceFile) -> bool {
    last_list(file).is_some()
}

/// The last list of a file and the line on which it stands.
fn last_list(file: &SourceFile) -> Option<(usize, Vec<Value>)> {
    let whole = serde_json::from_str::<Value>(&file.text).ok();
    if let Some(list) = whole.as_ref().and_then(list_in) {
        return Some((1, list));
    }
    let lines = file.text.lines().enumerate();
    let lines = lines.filter_map(|(at, line)| {
        let value: Value = serde_json::from_str(line).ok()?;
        Some((at + 1, list_in(&value)?))
    });
    lines.last()
}

/// The list of a value: as it is, or inside of a call in a line of a session.
fn list_in(value: &Value) -> Option<Vec<Value>> {
    let direct = |value: &Value| {
        let list = match value {
            Value::Array(_) => Some(value),
            value => ["todos", "plan", "items", "newTodos"]
                .into_iter()
                .find_map(|key| value.get(key)),
        };
        let items = list?.as_array()?;
        let is_list = !items.is_empty() && items.iter().all(|item| text_of(item).is_some());
        is_list.then(|| items.clone())
    };
    if let Some(list) = direct(value) {
        return Some(list);
    }
    // Codex: {"item": {"type": "todo_list", "items": […]}}
    if let Some(item) = value.get("item").filter(|item| item["type"] == "todo_list") {
        return direct(item);
    }
    // Codex: {"payload": {"name": "update_plan", "arguments": "{…}"}}
    let payload = value.get("payload").unwrap_or(value);
    if payload["name"] == "update_plan" {
        let arguments = payload.get("arguments").or_else(|| payload.get("input"))?;
        let parsed = match arguments.as_str() {
            Some(text) => serde_json::from_str(text).ok()?,
            None => arguments.clone(),
        };
        return direct(&parsed);
    }
    // Claude: {"message": {"content": [{"type": "tool_use", "name": "TodoWrite", "input": {…}}]}}
    let content = value.get("message")?.get("content")?.as_array()?;
    let calls = content.iter().filter(|call| call["name"] == "TodoWrite");
    calls
        .filter_map(|call| direct(call.get("input")?))
        .next_back()
}

fn text_of(item: &Value) -> Option<&str> {
    ["content", "step", "text"]
        .into_iter()
        .find_map(|key| item.get(key)?.as_str())
}

fn task(item: &Value, at: usize, path: &str, line: usize) -> Option<Task> {
    let status = match (
        item.get("status").and_then(Value::as_str),
        item.get("completed"),
    ) {
        (Some(status), _) => status,
        (None, Some(Value::Bool(true))) => "completed",
        (None, _) => "",
    };
    let title = text_of(item)?;
    Some(Task {
        id: (at + 1).to_string(),
        place: Place::new(path, line),
        title: title.to_owned(),
        prompt: title.to_owned(),
        status: SourceStatus::from_word(status),
        ..Task::default()
    })
}
