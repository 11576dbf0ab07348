//! Short messages of a session: starts of turns, retries, limits, background work.

use std::collections::BTreeMap;

use baton_model::time::Timestamp;
use serde_json::Value;

use crate::event::{SessionEvent, TurnEnd};
use crate::turn_result::TurnResult;
use crate::usage::Usage;

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Notice {
    /// A turn begins. Every turn has one. `version` includes the agent's name.
    Started {
        session: String,
        model: String,
        version: String,
    },
    /// The usage of the whole session so far.
    Usage(Usage),
    /// A turn of Claude ended. `end` follows from this message alone, without earlier ones.
    TurnEnded {
        turn: TurnResult,
        end: TurnEnd,
    },
    /// A turn of another agent ended.
    TurnFinished {
        end: TurnEnd,
        text: String,
    },
    /// A request to the model is retried.
    Retrying {
        attempt: u32,
        max: u32,
        delay_ms: u64,
        reason: String,
    },
    /// The usage limit of the account.
    RateLimit {
        rejected: bool,
        resets_at: Option<Timestamp>,
        utilization: Option<f64>,
    },
    /// All background jobs: id and title.
    Background(BTreeMap<String, String>),
    /// A background job begins.
    JobStarted {
        id: String,
        title: String,
    },
    /// A job ended, in the background or not.
    JobEnded {
        id: String,
        title: String,
    },
    /// The client's own rules denied a tool.
    Denied {
        tool: String,
        reason: String,
        call: Option<String>,
    },
    /// The client withdraws a permission request.
    Withdrawn {
        request: String,
    },
    /// A tool call is announced before it runs.
    ToolAnnounced {
        request: String,
        call: String,
        tool: String,
        input: Box<Value>,
    },
    /// A request that Baton does not know.
    UnsupportedRequest {
        request: String,
        subtype: String,
    },
    Note(String),
    /// A message without any use. Each reader lists the ones it ignores.
    Ignored,
}

impl Notice {
    /// The event for the notice; `None` for messages between Baton and the client only.
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
            Self::TurnFinished { end, text } => SessionEvent::TurnEnded {
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
            Self::Note(text) => SessionEvent::Note { text },
            Self::ToolAnnounced { .. } | Self::UnsupportedRequest { .. } | Self::Ignored => {
                return None;
            }
        })
    }

    /// Whether the turn ended in a way that no earlier message reported: a client error or an
    /// interruption. Errors of the API were reported before, in the model's name.
    pub(crate) fn is_unreported_failure(&self) -> bool {
        match self {
            Self::TurnEnded { turn, .. } => turn.is_error && turn.subtype != "success",
            Self::TurnFinished { end, .. } => *end != TurnEnd::Done,
            _ => false,
        }
    }
}
