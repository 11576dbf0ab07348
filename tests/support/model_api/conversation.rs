//! The state of a conversation, as it follows from a request. Each dialect parses its own requests.

use serde_json::Value;

/// A parsed request.
#[derive(Debug)]
pub(super) struct Conversation {
    /// The requested model.
    pub(super) model: String,
    /// Whether to answer with a stream of events instead of one JSON object.
    pub(super) streamed: bool,
    /// The last user message.
    pub(super) prompt: String,
    /// The number of user messages.
    pub(super) turn: usize,
    /// The number of assistant messages since then.
    pub(super) step: usize,
    /// The client's working directory, as its prompt states it.
    pub(super) cwd: String,
    /// The client's id for its session.
    pub(super) client: String,
    /// A number that differs between a session's requests, for unique ids.
    pub(super) salt: usize,
    /// The names of the client's tools.
    pub(super) tools: Vec<String>,
}

impl Conversation {
    /// Returns whether the client offers this tool.
    pub(super) fn offers(&self, tool: &str) -> bool {
        self.tools.iter().any(|offered| offered == tool)
    }

    /// Returns the client's name for a tool of an MCP server: clients put the server's name before
    /// it. A tool that isn't offered keeps its name, and the client answers that there is none.
    pub(super) fn offered_name(&self, tool: &str) -> String {
        let with_server = format!("_{tool}");
        let offered = self.tools.iter();
        let mut named = offered.filter(|name| *name == tool || name.ends_with(&with_server));
        named.next().map_or_else(|| tool.to_owned(), String::clone)
    }
}

/// Returns the text of a message's content, which is a string or blocks with a `text`, without the
/// client's reminders.
pub(super) fn texts(content: &Value) -> Option<String> {
    let blocks = match content {
        Value::String(text) => return Some(text.clone()),
        Value::Array(blocks) => blocks,
        _ => return None,
    };
    let texts: Vec<&str> = blocks
        .iter()
        .filter_map(|block| block["text"].as_str())
        .filter(|text| !text.trim_start().starts_with("<system-reminder>"))
        .collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}

/// Finds the client's directory, which is part of the prompt or in a tag. The exact place differs
/// between versions.
pub(super) fn working_directory(body: &Value) -> String {
    let text = body.to_string();
    let found = ["orking directory: ", "<cwd>\\n", "<cwd>"]
        .iter()
        .find_map(|before| text.split(before).nth(1));
    found
        .and_then(|rest| rest.split(['\\', '"', '<']).next())
        .unwrap_or("/tmp")
        .trim()
        .to_owned()
}
