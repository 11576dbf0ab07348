//! The items of a turn: messages and work of the agent. Both streams report them, with two
//! spellings of the fields.

use baton_output::{RenderedText, render_text};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::codex::patch::{self, ChangeKind};
use crate::event::{DiffHunk, SessionEvent, ToolResult};
use crate::image::{TimelineImage, images_in};
use crate::json_text::summary;
use crate::lenient_json;
use crate::plain_text::one_line;
use crate::todo::todo_items;

/// The tool name for commands, in timelines and permission requests.
pub(super) const SHELL_TOOL: &str = "shell";
/// The tool name for file changes, in timelines and permission requests.
pub(super) const PATCH_TOOL: &str = "apply_patch";

/// An item. Its kind decides which fields are set.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Item {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default, deserialize_with = "lenient_json::field")]
    pub(super) id: String,
    #[serde(default, deserialize_with = "lenient_json::field")]
    text: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    message: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    command: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    cwd: Option<String>,
    #[serde(
        default,
        alias = "command_actions",
        deserialize_with = "lenient_json::field"
    )]
    command_actions: Vec<Action>,
    #[serde(
        alias = "aggregated_output",
        default,
        deserialize_with = "lenient_json::field"
    )]
    aggregated_output: Option<String>,
    #[serde(alias = "exit_code", default, deserialize_with = "lenient_json::field")]
    exit_code: Option<i32>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    status: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    changes: Vec<Change>,
    #[serde(default, deserialize_with = "lenient_json::any_value")]
    content: Value,
    #[serde(default, deserialize_with = "lenient_json::any_value")]
    summary: Value,
    #[serde(default, deserialize_with = "lenient_json::field")]
    server: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    tool: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::any_value")]
    arguments: Value,
    #[serde(default, deserialize_with = "lenient_json::any_value")]
    result: Value,
    #[serde(default, deserialize_with = "lenient_json::any_value")]
    error: Value,
    #[serde(default, deserialize_with = "lenient_json::field")]
    success: Option<bool>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    query: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    path: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    prompt: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::any_value")]
    items: Value,
    #[serde(default, deserialize_with = "lenient_json::any_value")]
    content_items: Value,
}

/// A command's effect, as the client understands it.
#[derive(Debug, Deserialize)]
struct Action {
    #[serde(default, deserialize_with = "lenient_json::field")]
    command: Option<String>,
}

/// A change of one file.
#[derive(Debug, Deserialize)]
struct Change {
    #[serde(default, deserialize_with = "lenient_json::field")]
    path: String,
    #[serde(default, deserialize_with = "lenient_json::any_value")]
    kind: Value,
    #[serde(default, deserialize_with = "lenient_json::field")]
    diff: Option<String>,
}

impl Change {
    fn kind(&self) -> ChangeKind {
        match self.kind["type"].as_str().or(self.kind.as_str()) {
            Some("add") => ChangeKind::Add,
            Some("delete") => ChangeKind::Delete,
            _ => ChangeKind::Update,
        }
    }

    fn label(&self) -> &'static str {
        match self.kind() {
            ChangeKind::Add => "added",
            ChangeKind::Delete => "deleted",
            ChangeKind::Update => "changed",
        }
    }
}

/// The kind of work of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ToolItemKind {
    Command,
    FileChange,
    Mcp,
    Dynamic,
    Search,
    Image,
    Helper,
}

impl Item {
    fn tool_kind(&self) -> Option<ToolItemKind> {
        Some(match self.kind.as_str() {
            "commandExecution" | "command_execution" => ToolItemKind::Command,
            "fileChange" | "file_change" => ToolItemKind::FileChange,
            "mcpToolCall" | "mcp_tool_call" => ToolItemKind::Mcp,
            "dynamicToolCall" => ToolItemKind::Dynamic,
            "webSearch" | "web_search" => ToolItemKind::Search,
            "imageView" | "image_view" => ToolItemKind::Image,
            "collabAgentToolCall" | "collab_tool_call" => ToolItemKind::Helper,
            _ => return None,
        })
    }

    /// The event for the beginning of the item; `Err` for an unknown kind.
    pub(super) fn started(&self) -> Result<Option<SessionEvent>, UnknownKind> {
        match self.tool_kind() {
            Some(kind) => Ok(Some(self.call(kind))),
            None => self.text_event().map(|_| None),
        }
    }

    /// The event for the end of the item.
    pub(super) fn completed(&self) -> Result<Option<SessionEvent>, UnknownKind> {
        match self.tool_kind() {
            Some(kind) => Ok(Some(SessionEvent::ToolEnded {
                id: self.id.clone(),
                result: self.outcome(kind),
            })),
            None => self.text_event(),
        }
    }

    /// The text of an item that is not work; `None` when it is empty.
    fn text_event(&self) -> Result<Option<SessionEvent>, UnknownKind> {
        let text = || self.text.clone().unwrap_or_default();
        let event = match self.kind.as_str() {
            "userMessage" => SessionEvent::Prompt {
                text: texts(&self.content),
            },
            "agentMessage" | "agent_message" => SessionEvent::Text { markdown: text() },
            "reasoning" => SessionEvent::Thinking {
                text: self.thoughts(),
            },
            "plan" => SessionEvent::Note {
                text: format!("Plan:\n{}", text()),
            },
            "todo_list" => SessionEvent::TodoList {
                items: todo_items(&self.items),
            },
            // Also used for mere warnings, such as an unknown model.
            "error" => SessionEvent::Note {
                text: self.message.clone().unwrap_or_default(),
            },
            "hookPrompt" => SessionEvent::Note {
                text: "A hook of the agent added instructions.".to_owned(),
            },
            "contextCompaction" => SessionEvent::Note {
                text: "The conversation was compacted.".to_owned(),
            },
            "functionCallOutput" | "subAgentActivity" | "sleep" | "enteredReviewMode"
            | "exitedReviewMode" => {
                return Ok(None);
            }
            _ => return Err(UnknownKind),
        };
        let is_empty = match &event {
            SessionEvent::Prompt { text }
            | SessionEvent::Thinking { text }
            | SessionEvent::Note { text } => text.trim().is_empty(),
            SessionEvent::Text { markdown } => markdown.trim().is_empty(),
            SessionEvent::TodoList { items } => items.is_empty(),
            _ => false,
        };
        Ok((!is_empty).then_some(event))
    }

    fn thoughts(&self) -> String {
        if let Some(text) = &self.text {
            return text.clone();
        }
        let (summary, content) = (texts(&self.summary), texts(&self.content));
        if summary.is_empty() { content } else { summary }
    }

    fn call(&self, kind: ToolItemKind) -> SessionEvent {
        let input = self.input(kind);
        let own_summary = match kind {
            ToolItemKind::Command => self.inner_command(),
            ToolItemKind::FileChange => self.paths(),
            _ => None,
        };
        let summary = own_summary.unwrap_or_else(|| summary(&input));
        SessionEvent::ToolStarted {
            id: self.id.clone(),
            name: self.name(kind),
            summary,
            input,
        }
    }

    fn name(&self, kind: ToolItemKind) -> String {
        let tool = self.tool.as_deref().unwrap_or("tool");
        match kind {
            ToolItemKind::Command => SHELL_TOOL.to_owned(),
            ToolItemKind::FileChange => PATCH_TOOL.to_owned(),
            ToolItemKind::Mcp => format!(
                "mcp__{}__{tool}",
                self.server.as_deref().unwrap_or("server")
            ),
            ToolItemKind::Dynamic => tool.to_owned(),
            ToolItemKind::Search => "web_search".to_owned(),
            ToolItemKind::Image => "view_image".to_owned(),
            ToolItemKind::Helper => format!("agent_{tool}"),
        }
    }

    fn input(&self, kind: ToolItemKind) -> Value {
        let mut input = Map::new();
        let mut put = |name: &str, value: Option<&String>| {
            if let Some(value) = value {
                input.insert(name.to_owned(), Value::String(value.clone()));
            }
        };
        match kind {
            ToolItemKind::Command => {
                put("command", self.command.as_ref());
                put("cwd", self.cwd.as_ref());
            }
            ToolItemKind::FileChange => {
                return json!({"changes": self.changes.iter().map(describe_change).collect::<Vec<_>>()});
            }
            ToolItemKind::Mcp | ToolItemKind::Dynamic => return self.arguments.clone(),
            ToolItemKind::Search => put("query", self.query.as_ref()),
            ToolItemKind::Image => put("path", self.path.as_ref()),
            ToolItemKind::Helper => put("prompt", self.prompt.as_ref()),
        }
        Value::Object(input)
    }

    /// The command without the shell around it, if the client reports it.
    fn inner_command(&self) -> Option<String> {
        match &self.command_actions[..] {
            [
                Action {
                    command: Some(command),
                },
            ] => Some(one_line(command, 200)),
            _ => None,
        }
    }

    fn paths(&self) -> Option<String> {
        let paths: Vec<&str> = self
            .changes
            .iter()
            .map(|change| change.path.as_str())
            .collect();
        (!paths.is_empty()).then(|| one_line(&paths.join(", "), 200))
    }

    fn outcome(&self, kind: ToolItemKind) -> ToolResult {
        let status = self.status.as_deref().unwrap_or_default();
        let ok = match status {
            "failed" | "declined" => false,
            _ => {
                self.success != Some(false)
                    && self.error.is_null()
                    && self.exit_code.is_none_or(|code| code == 0)
            }
        };
        let RenderedText { text, styles } = render_text(&self.outcome_text(kind));
        ToolResult {
            ok,
            denied: status == "declined",
            text,
            styles,
            truncated_bytes: 0,
            end_unknown: false,
            diff: self.diff().filter(|_| status != "declined"),
            exit_code: self.exit_code.filter(|_| kind == ToolItemKind::Command),
            images: self.images(kind),
        }
    }

    fn images(&self, kind: ToolItemKind) -> Vec<TimelineImage> {
        match kind {
            ToolItemKind::Image => {
                let path = self.path.iter();
                path.map(|path| TimelineImage::from_address("image", path))
                    .collect()
            }
            ToolItemKind::Mcp => images_in(&self.result["content"]),
            ToolItemKind::Dynamic => images_in(&self.content_items),
            ToolItemKind::Command
            | ToolItemKind::FileChange
            | ToolItemKind::Search
            | ToolItemKind::Helper => Vec::new(),
        }
    }

    fn outcome_text(&self, kind: ToolItemKind) -> String {
        if self.status.as_deref() == Some("declined") {
            return "It was not allowed.".to_owned();
        }
        match kind {
            ToolItemKind::Command => {
                let output = self.aggregated_output.clone().unwrap_or_default();
                match self.exit_code {
                    None | Some(0) => output,
                    Some(code) => format!("{output}Exit code {code}"),
                }
            }
            ToolItemKind::FileChange => {
                let lines = self
                    .changes
                    .iter()
                    .map(|change| format!("{} {}", change.path, change.label()));
                lines.collect::<Vec<_>>().join("\n")
            }
            ToolItemKind::Search | ToolItemKind::Image => String::new(),
            ToolItemKind::Mcp | ToolItemKind::Dynamic | ToolItemKind::Helper => {
                match (&self.error, &self.result) {
                    (Value::Null, Value::Null) => String::new(),
                    (Value::Null, result) => match texts(&result["content"]) {
                        text if text.is_empty() => result.to_string(),
                        text => text,
                    },
                    (error, _) => error["message"]
                        .as_str()
                        .map_or_else(|| error.to_string(), str::to_owned),
                }
            }
        }
    }

    fn diff(&self) -> Option<Vec<DiffHunk>> {
        let hunks = self
            .changes
            .iter()
            .filter_map(|change| Some(patch::hunks(change.kind(), change.diff.as_ref()?)));
        let hunks: Vec<_> = hunks.flatten().collect();
        (!hunks.is_empty()).then_some(hunks)
    }
}

/// An item of a kind that this version of Baton does not know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct UnknownKind;

fn describe_change(change: &Change) -> Value {
    match &change.diff {
        Some(diff) => json!({"path": change.path, "change": change.label(), "diff": diff}),
        None => json!({"path": change.path, "change": change.label()}),
    }
}

/// The texts in a list of strings or of blocks with a `text`, one per line.
fn texts(blocks: &Value) -> String {
    let blocks = blocks.as_array().map(Vec::as_slice).unwrap_or_default();
    let texts: Vec<&str> = blocks
        .iter()
        .filter_map(|block| block["text"].as_str().or(block.as_str()))
        .collect();
    texts.join("\n")
}
