//! `ask`: a question to a person, for an answer in words or one of several.

use baton_api::wire::{QuestionAsk, QuestionAsked, QuestionState};
use baton_api::{ApiError, Code, HeldCallId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::attempt;
use crate::answer::{Answer, INBOX};
use crate::tool::{Effect, ToolContext, ToolDefinition, ToolText};

/// How long a call waits by default, in milliseconds: below the time limits of clients.
const WAIT_MS: u32 = 45_000;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct AskArguments {
    /// Self-contained: people don't see your conversation.
    question: String,
    /// Answers to choose from.
    #[serde(default)]
    options: Vec<String>,
    /// What you do if nobody answers.
    default: Option<String>,
    /// At most 50000.
    wait_ms: Option<u32>,
    /// Your name for it. By default the question itself.
    request_id: Option<String>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Asked {
    /// waits_for_person, answered, declined, outdated
    #[schemars(with = "String")]
    state: QuestionState,
    request_id: String,
    #[schemars(with = "String")]
    request: HeldCallId,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<String>,
    url: &'static str,
    message: &'static str,
}

impl Answer for Asked {
    fn text(&self) -> String {
        match &self.answer {
            Some(answer) => format!("{}\n{answer}", self.message),
            None => format!("{}\nrequestId: {}", self.message, self.request_id),
        }
    }
}

pub(super) fn tool() -> ToolDefinition {
    let text = ToolText {
        name: "ask",
        title: "Ask a person",
        description: "Asks a person a question about this node's work and waits for the answer. Only \
            for what you can't find out or decide yourself.",
    };
    ToolDefinition::new(text, Effect::Ask, ask)
}

fn ask(context: &ToolContext, input: AskArguments) -> Result<Asked, ApiError> {
    attempt(context)?;
    let request_id = input.request_id.unwrap_or_else(|| {
        Uuid::new_v5(&Uuid::NAMESPACE_OID, input.question.as_bytes()).to_string()
    });
    let question = QuestionAsk {
        question: input.question,
        options: input.options,
        default: input.default,
        request_id: request_id.clone(),
        wait_ms: input.wait_ms.unwrap_or(WAIT_MS),
    };
    let unexpected = |error: serde_json::Error| ApiError::new(Code::Internal, error.to_string());
    let question = serde_json::to_value(question).map_err(unexpected)?;
    let asked = context.operations.call_and_wait("question_ask", question)?;
    let asked: QuestionAsked = serde_json::from_value(asked).map_err(unexpected)?;
    Ok(Asked {
        state: asked.state,
        request_id,
        request: asked.request,
        answer: asked.answer,
        url: INBOX,
        message: match asked.state {
            QuestionState::WaitsForPerson => {
                "Nobody has answered yet. Call again with the same requestId to wait, or continue \
                 without an answer."
            }
            QuestionState::Answered => "A person answered:",
            QuestionState::Declined => "A person doesn't answer this. Decide yourself.",
            QuestionState::Outdated => "The run has ended.",
        },
    })
}
