//! What the agent says and does: the items of a turn, which both streams tell, in two spellings.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::codex::patch::{self, ChangeKind};
use crate::event::{DiffHunk, SessionEvent, ToolResult};
use crate::json_text::summary;
use crate::odd;
use crate::plain_text::{one_line, plain};

/// The name under which commands are shown and asked about.
pub(super) const SHELL: &str = "shell";
/// The name under which changes of files are shown and asked about.
pub(super) const PATCH: &str = "apply_patch";

/// An item; which fields are there depends on its kind.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Item {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default, deserialize_with = "odd::field")]
    pub(super) id: String,
    #[serde(default, deserialize_with = "odd::field")]
    text: Option<String>,
    #[serde(default, deserialize_with = "odd::field")]
    message: Option<String>,
    #[serde(default, deserialize_with = "odd::field")]
    command: Option<String>,
    #[serde(default, deserialize_with = "odd::field")]
    cwd: Option<String>,
    #[serde(default, alias = "command_actions", deserialize_with = "odd::field")]
    command_actions: Vec<Action>,
    #[serde(alias = "aggregated_output", default, deserialize_with = "odd::field")]
    aggregated_output: Option<String>,
    #[serde(alias = "exit_code", default, deserialize_with = "odd::field")]
    exit_code: Option<i32>,
    #[serde(default, deserialize_with = "odd::field")]
    status: Option<String>,
    #[serde(default, deserialize_with = "odd::field")]
    changes: Vec<Change>,
    #[serde(default, deserialize_with = "odd::any")]
    content: Value,
    #[serde(default, deserialize_with = "odd::any")]
    summary: Value,
    #[serde(default, deserialize_with = "odd::field")]
    server: Option<String>,
    #[serde(default, deserialize_with = "odd::field")]
    tool: Option<String>,
    #[serde(default, deserialize_with = "odd::any")]
    arguments: Value,
    #[serde(default, deserialize_with = "odd::any")]
    result: Value,
    #[serde(default, deserialize_with = "odd::any")]
    error: Value,
    #[serde(default, deserialize_with = "odd::field")]
    success: Option<bool>,
    #[serde(default, deserialize_with = "odd::field")]
    query: Option<String>,
    #[serde(default, deserialize_with = "odd::field")]
    path: Option<String>,
    #[serde(default, deserialize_with = "odd::field")]
    prompt: Option<String>,
    #[serde(default, deserialize_with = "odd::any")]
    items: Value,
}

/// What a command does, as the client understands it.
#[derive(Debug, Deserialize)]
struct Action {
    #[serde(default, deserialize_with = "odd::field")]
    command: Option<String>,
}

/// A change of one file.
#[derive(Debug, Deserialize)]
struct Change {
    #[serde(default, deserialize_with = "odd::field")]
    path: String,
    #[serde(default, deserialize_with = "odd::any")]
    kind: Value,
    #[serde(default, deserialize_with = "odd::field")]
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

    fn word(&self) -> &'static str {
        match self.kind() {
            ChangeKind::Add => "added",
            ChangeKind::Delete => "deleted",
            ChangeKind::Update => "changed",
        }
    }
}

/// What kind of work an item is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Work {
    Command,
    FileChange,
    Mcp,
    Dynamic,
    Search,
    Image,
    Helper,
}

impl Item {
    fn work(&self) -> Option<Work> {
        Some(match self.kind.as_str() {
            "commandExecution" | "command_execution" => Work::Command,
            "fileChange" | "file_change" => Work::FileChange,
            "mcpToolCall" | "mcp_tool_call" => Work::Mcp,
            "dynamicToolCall" => Work::Dynamic,
            "webSearch" | "web_search" => Work::Search,
            "imageView" | "image_view" => Work::Image,
            "collabAgentToolCall" | "collab_tool_call" => Work::Helper,
            _ => return None,
        })
    }

    /// What is told when the item begins; `Err` for a kind that is not known.
    pub(super) fn started(&self) -> Result<Option<SessionEvent>, UnknownKind> {
        match self.work() {
            Some(work) => Ok(Some(self.call(work))),
            None => self.words().map(|_| None),
        }
    }

    /// What is told when the item is complete.
    pub(super) fn completed(&self) -> Result<Option<SessionEvent>, UnknownKind> {
        match self.work() {
            Some(work) => Ok(Some(SessionEvent::ToolEnded {
                id: self.id.clone(),
                result: self.outcome(work),
            })),
            None => self.words(),
        }
    }

    /// The words of an item that is no work; `None` where they are empty.
    fn words(&self) -> Result<Option<SessionEvent>, UnknownKind> {
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
            "todo_list" => SessionEvent::Note {
                text: todo(&self.items),
            },
            // Also for mere warnings, such as a model that the client has no data on.
            "error" => SessionEvent::Note {
                text: self.message.clone().unwrap_or_default(),
            },
            "hookPrompt" => SessionEvent::Note {
                text: "A hook of the agent added instructions.".to_owned(),
            },
            "contextCompaction" => SessionEvent::Note {
                text: "The conversation was summarized to make room.".to_owned(),
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

    fn call(&self, work: Work) -> SessionEvent {
        let input = self.input(work);
        let told = match work {
            Work::Command => self.inner_command(),
            Work::FileChange => self.paths(),
            _ => None,
        };
        let summary = told.unwrap_or_else(|| summary(&input));
        SessionEvent::ToolStarted {
            id: self.id.clone(),
            name: self.name(work),
            summary,
            input,
        }
    }

    fn name(&self, work: Work) -> String {
        let tool = self.tool.as_deref().unwrap_or("tool");
        match work {
            Work::Command => SHELL.to_owned(),
            Work::FileChange => PATCH.to_owned(),
            Work::Mcp => format!(
                "mcp__{}__{tool}",
                self.server.as_deref().unwrap_or("server")
            ),
            Work::Dynamic => tool.to_owned(),
            Work::Search => "web_search".to_owned(),
            Work::Image => "view_image".to_owned(),
            Work::Helper => format!("agent_{tool}"),
        }
    }

    fn input(&self, work: Work) -> Value {
        let mut input = Map::new();
        let mut put = |name: &str, value: Option<&String>| {
            if let Some(value) = value {
                input.insert(name.to_owned(), Value::String(value.clone()));
            }
        };
        match work {
            Work::Command => {
                put("command", self.command.as_ref());
                put("cwd", self.cwd.as_ref());
            }
            Work::FileChange => {
                return json!({"changes": self.changes.iter().map(told_change).collect::<Vec<_>>()});
            }
            Work::Mcp | Work::Dynamic => return self.arguments.clone(),
            Work::Search => put("query", self.query.as_ref()),
            Work::Image => put("path", self.path.as_ref()),
            Work::Helper => put("prompt", self.prompt.as_ref()),
        }
        Value::Object(input)
    }

    /// The command without the shell around it, where the client tells it.
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

    fn outcome(&self, work: Work) -> ToolResult {
        let status = self.status.as_deref().unwrap_or_default();
        let ok = match status {
            "failed" | "declined" => false,
            _ => {
                self.success != Some(false)
                    && self.error.is_null()
                    && self.exit_code.is_none_or(|code| code == 0)
            }
        };
        ToolResult {
            ok,
            denied: status == "declined",
            text: plain(self.outcome_words(work).as_bytes()),
            truncated_bytes: 0,
            end_unknown: false,
            diff: self.diff().filter(|_| status != "declined"),
            exit_code: self.exit_code.filter(|_| work == Work::Command),
        }
    }

    fn outcome_words(&self, work: Work) -> String {
        if self.status.as_deref() == Some("declined") {
            return "It was not allowed.".to_owned();
        }
        match work {
            Work::Command => {
                let output = self.aggregated_output.clone().unwrap_or_default();
                match self.exit_code {
                    None | Some(0) => output,
                    Some(code) => format!("{output}Exit code {code}"),
                }
            }
            Work::FileChange => {
                let lines = self
                    .changes
                    .iter()
                    .map(|change| format!("{} {}", change.path, change.word()));
                lines.collect::<Vec<_>>().join("\n")
            }
            Work::Search | Work::Image => String::new(),
            Work::Mcp | Work::Dynamic | Work::Helper => match (&self.error, &self.result) {
                (Value::Null, Value::Null) => String::new(),
                (Value::Null, result) => match texts(&result["content"]) {
                    text if text.is_empty() => result.to_string(),
                    text => text,
                },
                (error, _) => error["message"]
                    .as_str()
                    .map_or_else(|| error.to_string(), str::to_owned),
            },
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

fn told_change(change: &Change) -> Value {
    match &change.diff {
        Some(diff) => json!({"path": change.path, "change": change.word(), "diff": diff}),
        None => json!({"path": change.path, "change": change.word()}),
    }
}

/// The texts in a list of strings or of blocks with a `text`, one below the other.
fn texts(blocks: &Value) -> String {
    let blocks = blocks.as_array().map(Vec::as_slice).unwrap_or_default();
    let texts: Vec<&str> = blocks
        .iter()
        .filter_map(|block| block["text"].as_str().or(block.as_str()))
        .collect();
    texts.join("\n")
}

fn todo(items: &Value) -> String {
    let items = items.as_array().map(Vec::as_slice).unwrap_or_default();
    let line = |item: &Value| {
        let mark = if item["completed"] == true { "x" } else { " " };
        format!("- [{mark}] {}", item["text"].as_str().unwrap_or_default())
    };
    items.iter().map(line).collect::<Vec<_>>().join("\n")
}
