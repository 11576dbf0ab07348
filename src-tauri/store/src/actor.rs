//! Who did something.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use rusqlite::types::{FromSql, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use serde::{Deserialize, Serialize};

/// Who wrote a plan version, asked for something, or made an event happen (product E11). As text: `person`, `baton`, or `agent:` and its name.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(from = "String", into = "String")]
#[cfg_attr(feature = "bindings", ts(type = "string"))]
pub enum Actor {
    /// A person, in the window or on the shell.
    Person,
    /// Baton itself.
    Baton,
    /// A program that acts for a person.
    Agent(String),
}

impl fmt::Display for Actor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Person => f.write_str("person"),
            Self::Baton => f.write_str("baton"),
            Self::Agent(name) => write!(f, "agent:{name}"),
        }
    }
}

impl FromStr for Actor {
    type Err = Infallible;

    /// Unknown words are taken as an agent's name, so that a history stays readable.
    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(match text {
            "person" => Self::Person,
            "baton" => Self::Baton,
            other => Self::Agent(other.strip_prefix("agent:").unwrap_or(other).to_owned()),
        })
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
        match self {
            Self::Person => Ok("person".into()),
            Self::Baton => Ok("baton".into()),
            Self::Agent(_) => Ok(self.to_string().into()),
        }
    }
}

impl FromSql for Actor {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        String::column_result(value).map(Self::from)
    }
}
