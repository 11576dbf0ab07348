//! The speaker of a text in a session.

use crate::event::SessionEvent;

/// The speaker of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Prompt,
    Answer,
    Thinking,
    /// Written by the client in the person's name.
    Note,
    /// Written by the client in the model's name, because the model could not answer.
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
