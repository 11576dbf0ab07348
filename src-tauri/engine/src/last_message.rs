//! The last message of a session's agent, from its own events.

use baton_agents::SessionEvent;

/// The maximum number of bytes kept of it, from its end.
pub(crate) const LIMIT: usize = 4 * 1024;

/// The agent's last message that was not empty.
#[derive(Debug, Default)]
pub(crate) struct LastMessage(String);

impl LastMessage {
    pub(crate) fn observe(&mut self, events: &[SessionEvent]) {
        let mut texts = events.iter().rev().filter_map(|event| match event {
            SessionEvent::Text { markdown } => Some(markdown.trim()),
            _ => None,
        });
        if let Some(text) = texts.find(|text| !text.is_empty()) {
            text[text.ceil_char_boundary(text.len().saturating_sub(LIMIT))..]
                .clone_into(&mut self.0);
        }
    }

    pub(crate) fn text(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_end_of_the_last_message() {
        let text_event = |text: &str| SessionEvent::Text {
            markdown: text.to_owned(),
        };
        let mut last_message = LastMessage::default();
        last_message.observe(&[text_event("first"), text_event("second"), text_event("  ")]);
        last_message.observe(&[]);
        assert_eq!(last_message.text(), "second");
        last_message.observe(&[text_event(&"ä".repeat(LIMIT))]);
        assert_eq!(last_message.text(), "ä".repeat(LIMIT / 2));
    }
}
