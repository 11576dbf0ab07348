//! Who did something, and by which way.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use baton_model::SessionId;
use rusqlite::types::{FromSql, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use serde::{Deserialize, Serialize};

/// Who wrote a plan version, asked for something, or made an event happen.
///
/// As text: `person` with its [`Way`], `baton`, `program:NAME`, `session:ID`, `agent:NAME`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(from = "String", into = "String")]
#[cfg_attr(feature = "bindings", ts(type = "string"))]
pub enum Actor {
    /// A person.
    Person(Way),
    /// Baton itself.
    Baton,
    /// A program that showed the token of this name.
    Program(String),
    /// A process of this session: an agent, or a command of a node.
    Session(SessionId),
    /// An agent of this name that no session of this Baton runs.
    Agent(String),
}

/// By which way a person acted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Way {
    /// Not recorded: the history is older than the record of ways.
    Unrecorded,
    /// The window.
    Window,
    /// A browser, by `baton serve`.
    Browser,
    /// A command at a shell, or in a script of theirs.
    Shell,
}

impl Actor {
    /// A person of whom the way is not known.
    pub const PERSON: Self = Self::Person(Way::Unrecorded);

    /// Whether it is a person, by whatever way.
    #[must_use]
    pub fn is_person(&self) -> bool {
        matches!(self, Self::Person(_))
    }
}

impl fmt::Display for Actor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Person(Way::Unrecorded) => f.write_str("person"),
            Self::Person(Way::Window) => f.write_str("person:window"),
            Self::Person(Way::Browser) => f.write_str("person:browser"),
            Self::Person(Way::Shell) => f.write_str("person:shell"),
            Self::Baton => f.write_str("baton"),
            Self::Program(name) => write!(f, "program:{name}"),
            Self::Session(session) => write!(f, "session:{session}"),
            Self::Agent(name) => write!(f, "agent:{name}"),
        }
    }
}

impl FromStr for Actor {
    type Err = Infallible;

    /// Unknown words are taken as an agent's name, so that a history stays readable and nobody becomes a person by them.
    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(match text {
            "person" => Self::PERSON,
            "person:window" => Self::Person(Way::Window),
            "person:browser" => Self::Person(Way::Browser),
            "person:shell" => Self::Person(Way::Shell),
            "baton" => Self::Baton,
            other => Self::named(other),
        })
    }
}

impl Actor {
    fn named(text: &str) -> Self {
        let agent = || Self::Agent(text.strip_prefix("agent:").unwrap_or(text).to_owned());
        match text.split_once(':') {
            Some(("program", name)) => Self::Program(name.to_owned()),
            Some(("session", id)) => id.parse().map_or_else(|_| agent(), Self::Session),
            _ => agent(),
        }
    }
}

impl From<String> for Actor {
    fn from(text: String) -> Self {
        let Ok(actor) = text.parse();
        actor
    }
}

impl From<Actor> for String {
    fn from(actor: Actor) -> Self {
        actor.to_string()
    }
}

impl ToSql for Actor {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.to_string().into())
    }
}

impl FromSql for Actor {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        String::column_result(value).map(Self::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_actor_is_read_back_as_it_was_written() {
        let session = SessionId(uuid::Uuid::from_u128(7));
        for (actor, text) in [
            (Actor::PERSON, "person".to_owned()),
            (Actor::Person(Way::Window), "person:window".to_owned()),
            (Actor::Person(Way::Browser), "person:browser".to_owned()),
            (Actor::Person(Way::Shell), "person:shell".to_owned()),
            (Actor::Baton, "baton".to_owned()),
            (Actor::Program("ci".to_owned()), "program:ci".to_owned()),
            (Actor::Session(session), format!("session:{session}")),
            (Actor::Agent("claude".to_owned()), "agent:claude".to_owned()),
        ] {
            assert_eq!(actor.to_string(), text);
            assert_eq!(text.parse::<Actor>(), Ok(actor));
        }
    }

    #[test]
    fn nobody_becomes_a_person_by_an_unknown_word() {
        for text in [
            "person:",
            "person:tray",
            "Person",
            "session:person",
            "agent:person",
            "",
        ] {
            let Ok(actor) = text.parse::<Actor>();
            assert!(matches!(actor, Actor::Agent(_)), "{text}: {actor:?}");
        }
    }
}
