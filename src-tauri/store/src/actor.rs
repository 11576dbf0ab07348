//! Who performed an action, and through which channel.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use baton_model::SessionId;
use rusqlite::types::{FromSql, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use serde::{Deserialize, Serialize};

/// Who wrote a plan version, made a request, or caused an event.
///
/// Text form: `person` with its [`ActorChannel`], `baton`, `program:NAME`, `session:ID`,
/// `agent:NAME`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(from = "String", into = "String")]
#[cfg_attr(feature = "bindings", ts(type = "string"))]
pub enum Actor {
    /// A person, through one of the channels.
    Person(ActorChannel),
    /// Baton acting on its own.
    Baton,
    /// A program that authenticated with the token of this name.
    Program(String),
    /// A process of this session: an agent, or a node's command.
    Session(SessionId),
    /// An agent that isn't running in a session of this Baton.
    Agent(String),
}

/// The channel through which a person acted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ActorChannel {
    /// Not recorded: the entry is older than channel recording.
    Unrecorded,
    /// A window of the desktop app.
    Window,
    /// A browser, through `baton serve`.
    Browser,
    /// A shell command, typed or scripted.
    Shell,
}

impl Actor {
    /// A person whose channel isn't known.
    pub const PERSON: Self = Self::Person(ActorChannel::Unrecorded);

    /// Whether this is a person, through any channel.
    #[must_use]
    pub fn is_person(&self) -> bool {
        matches!(self, Self::Person(_))
    }
}

impl fmt::Display for Actor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Person(ActorChannel::Unrecorded) => f.write_str("person"),
            Self::Person(ActorChannel::Window) => f.write_str("person:window"),
            Self::Person(ActorChannel::Browser) => f.write_str("person:browser"),
            Self::Person(ActorChannel::Shell) => f.write_str("person:shell"),
            Self::Baton => f.write_str("baton"),
            Self::Program(name) => write!(f, "program:{name}"),
            Self::Session(session) => write!(f, "session:{session}"),
            Self::Agent(name) => write!(f, "agent:{name}"),
        }
    }
}

impl FromStr for Actor {
    type Err = Infallible;

    /// Unknown text is parsed as an agent name: the history stays readable, and text can never turn
    /// into a person by accident.
    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(match text {
            "person" => Self::PERSON,
            "person:window" => Self::Person(ActorChannel::Window),
            "person:browser" => Self::Person(ActorChannel::Browser),
            "person:shell" => Self::Person(ActorChannel::Shell),
            "baton" => Self::Baton,
            other => Self::from_prefixed(other),
        })
    }
}

impl Actor {
    fn from_prefixed(text: &str) -> Self {
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
    fn actor_round_trips_as_text() {
        let session = SessionId(uuid::Uuid::from_u128(7));
        for (actor, text) in [
            (Actor::PERSON, "person".to_owned()),
            (
                Actor::Person(ActorChannel::Window),
                "person:window".to_owned(),
            ),
            (
                Actor::Person(ActorChannel::Browser),
                "person:browser".to_owned(),
            ),
            (
                Actor::Person(ActorChannel::Shell),
                "person:shell".to_owned(),
            ),
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
    fn unknown_text_never_parses_as_a_person() {
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
