//! What a request says about where its conversation stands. How it is read is each dialect's own.

use serde_json::Value;

/// A request's conversation, read for the script.
#[derive(Debug)]
pub(super) struct Conversation {
    /// The model asked for.
    pub(super) model: String,
    /// Whether the client wants events or one JSON object.
    pub(super) streamed: bool,
    /// The last message of a person (or of the client on a person's behalf).
    pub(super) prompt: String,
    /// How many messages of a person there are, this one included.
    pub(super) turn: usize,
    /// The assistant's messages since then.
    pub(super) step: usize,
    /// Where the client works, as it tells the model.
    pub(super) cwd: String,
    /// Who asks: the client's own mark of its session.
    pub(super) client: String,
    /// A number that differs between requests, for ids that must not repeat within a session.
    pub(super) salt: usize,
    /// The names of the tools that the client offers.
    pub(super) tools: Vec<String>,
}

impl Conversation {
    /// Whether the client offers a tool of this name.
    pub(super) fn offers(&self, tool: &str) -> bool {
        self.tools.iter().any(|offered| offered == tool)
    }
}

/// The texts of a content: a string, or blocks with a `text`, without reminders of the client.
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

/// The client tells the model its directory in a line of prose or in a tag; where exactly changes between versions.
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
