//! Names who acted, for sentences.

use baton_api::Actor;

use crate::style;

/// Names an actor of the backend in a sentence: "you", "the program ci". An unknown one
/// counts as an agent, never as a person.
pub(crate) fn describe_actor(actor: &str) -> String {
    match Actor::from(actor.to_owned()) {
        Actor::Person(_) => "you".to_owned(),
        Actor::Baton => "Baton".to_owned(),
        Actor::Program(name) => format!("the program {}", style::one_line(&name)),
        Actor::Session(session) => format!("the session {session}"),
        Actor::Agent(name) => style::one_line(&name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actors_are_named_in_words() {
        for (actor, text) in [
            ("person", "you"),
            ("person:shell", "you"),
            ("baton", "Baton"),
            ("program:ci", "the program ci"),
            ("agent:claude", "claude"),
            ("person:forged", "person:forged"),
            ("agent:a\u{1b}[2J", "a[2J"),
        ] {
            assert_eq!(describe_actor(actor), text, "{actor}");
        }
    }
}
