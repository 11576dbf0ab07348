//! Whose words a text of a session is.

use crate::event::SessionEvent;

/// Whose words a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Prompt,
    Answer,
    Thinking,
    /// Said by the client in the person's name.
    Note,
    /// Said by the client in the model's name, because the model could not.
    Error,
}

pub(crate) fn text_event(role: Role, text: String) -> SessionEvent {
    match role {
        Role::Prompt => SessionEvent::Prompt { text },
        Role::Answer => SessionEvent::Text { markdown: text },
        Role::Thinking => SessionEvent::Thinking { text },
        Role::Note => SessionEvent::Note { text },
        Role::Error => SessionEvent::Error { text },
    }
}
