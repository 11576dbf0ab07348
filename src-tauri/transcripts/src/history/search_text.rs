//! The searchable text of a record.

use serde_json::Value;

use crate::history::TOOL_OUTPUT_BYTES;

/// The searched length of a message of a person or an agent, in bytes.
const MAX_MESSAGE_BYTES: usize = 256 * 1024;
/// The searched length of a text in a tool's input, in bytes.
const MAX_TOOL_INPUT_BYTES: usize = 4 * 1024;

/// A buffer for the text of one record.
#[derive(Debug, Default)]
pub(crate) struct SearchText {
    text: String,
}

impl SearchText {
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Empties the buffer and keeps its memory.
    pub(crate) fn clear(&mut self) {
        self.text.clear();
    }

    /// Adds a message of a person or an agent.
    pub(crate) fn push_message(&mut self, text: &str) {
        self.push(text, MAX_MESSAGE_BYTES);
    }

    pub(crate) fn push_tool_output(&mut self, text: &str) {
        self.push(text, TOOL_OUTPUT_BYTES as usize);
    }

    /// Adds every text in a tool's input.
    pub(crate) fn push_tool_input(&mut self, input: &Value) {
        match input {
            Value::String(text) => self.push(text, MAX_TOOL_INPUT_BYTES),
            Value::Array(items) => items.iter().for_each(|item| self.push_tool_input(item)),
            Value::Object(fields) => fields
                .values()
                .for_each(|field| self.push_tool_input(field)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn push(&mut self, text: &str, limit: usize) {
        let text = text.trim();
        if text.is_empty() {
            return;
        }
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(&text[..text.floor_char_boundary(limit)]);
    }
}
