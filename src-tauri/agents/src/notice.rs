//! The short messages of a session: turns that begin, retries, limits, background work.

use std::collections::BTreeMap;

use baton_model::time::Timestamp;
use serde_json::Value;

use crate::event::{SessionEvent, TurnEnd};
use crate::turn_result::TurnResult;
use crate::usage::Usage;

/// A short message.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Notice {
    /// A turn begins. There is one a turn, all alike. The version is for people, with the agent's name.
    Started {
        session: String,
        model: String,
        version: String,
    },
    /// The turn's bill: the whole session so far.
    Usage(Usage),
    /// A turn is over. `end` is what the result says by itself, without what came before it.
    TurnEnded { turn: TurnResult, end: TurnEnd },
    /// A turn of another agent is over, in words that all agents share.
    Over { end: TurnEnd, text: String },
    /// A request to the model is sent again.
    Retrying {
        attempt: u32,
        max: u32,
        delay_ms: u64,
        reason: String,
    },
    /// The account's limit.
    RateLimit {
        rejected: bool,
        resets_at: Option<Timestamp>,
        utilization: Option<f64>,
    },
    /// All jobs in the background, by id.
    Background(BTreeMap<String, String>),
    /// A job in the background begins.
    JobStarted { id: String, title: String },
    /// A job, in the background or not, is over.
    JobEnded { id: String, title: String },
    /// The client's own rules refused a tool.
    Denied {
        tool: String,
        reason: String,
        call: Option<String>,
    },
    /// The client takes a request back.
    Withdrawn { request: String },
    /// A tool call is announced.
    Announced {
        request: String,
        call: String,
        tool: String,
        input: Box<Value>,
    },
    /// A request that Baton does not know.
    Foreign { request: String, subtype: String },
    /// A line for people.
    Words(String),
    /// Nothing that anybody needs: each reader lists what it ignores.
    Nothing,
}

impl Notice {
    /// The notice in words that all agents share; `None` for what is between Baton and the client.
    pub(crate) fn event(&self) -> Option<SessionEvent> {
        Some(match self.clone() {
            Self::Started {
                session,
                model,
                version,
            } => SessionEvent::Started {
                native_session: session,
                model,
                version,
            },
            Self::Usage(usage) => SessionEvent::Usage { usage },
            Self::TurnEnded { turn, end } => SessionEvent::TurnEnded {
                end,
                text: turn.text,
                unprompted: turn.unprompted,
            },
            Self::Over { end, text } => SessionEvent::TurnEnded {
                end,
                text,
                unprompted: false,
            },
            Self::Retrying {
                attempt,
                max,
                delay_ms,
                reason,
            } => SessionEvent::Retrying {
                attempt,
                max,
                delay_ms,
                reason,
            },
            Self::RateLimit {
                rejected,
                resets_at,
                utilization,
            } => SessionEvent::RateLimit {
                rejected,
                resets_at,
                utilization,
            },
            Self::Background(jobs) => SessionEvent::Background {
                running: jobs.into_values().collect(),
            },
            Self::JobStarted { title, .. } => SessionEvent::Note {
                text: format!("Background work started: {title}"),
            },
            Self::JobEnded { title, .. } => SessionEvent::Note { text: title },
            Self::Denied { tool, reason, .. } => SessionEvent::PermissionDenied { tool, reason },
            Self::Withdrawn { request } => SessionEvent::PermissionWithdrawn { request },
            Self::Words(text) => SessionEvent::Note { text },
            Self::Announced { .. } | Self::Foreign { .. } | Self::Nothing => return None,
        })
    }

    /// Whether this is the end of a turn that no other message has told about: an error of the client, or an
    /// interruption. What the API refuses has been said in the model's name before.
    pub(crate) fn tells_ending(&self) -> bool {
        match self {
            Self::TurnEnded { turn, .. } => turn.is_error && turn.subtype != "success",
            Self::Over { end, .. } => *end != TurnEnd::Done,
            _ => false,
        }
    }
}
