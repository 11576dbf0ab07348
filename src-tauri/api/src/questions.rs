//! Questions that the session of a node asks a person while it works.
//!
//! A question waits in the Inbox like any held call. It is answered with words instead of being
//! allowed, and ends with its run.

use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use baton_store::{Actor, Change, HeldCallId, HeldCallOutcome};

use crate::wire::*;
use crate::{ApiError, App, Code, held_calls};

/// The operation's name, under which questions are held.
pub(crate) const OPERATION: &str = "question_ask";
/// The longest wait for an answer, in milliseconds.
const MAX_WAIT_MS: u32 = 50_000;
/// The longest question and answer, in bytes.
pub(crate) const MAX_BYTES: usize = 4_000;
/// The most answers to choose from, and the longest of them in bytes.
const MAX_OPTIONS: usize = 20;
const MAX_OPTION_BYTES: usize = 200;

/// Asks a question, and waits for an answer as long as the caller wants.
pub(crate) fn ask(app: &App, input: QuestionAsk) -> Result<QuestionAsked, ApiError> {
    refuse_unusable(&input)?;
    if !matches!(app.actor(), Actor::Session(_)) {
        return Err(bad_input("only the session of a node asks questions"));
    }
    let end = Instant::now() + Duration::from_millis(input.wait_ms.into());
    // From before the first look, so that no change is missed in between.
    let changes = app.store.subscribe();
    let id = hold(app, input)?;
    loop {
        let found = look(app, id)?;
        if found.state != QuestionState::WaitsForPerson {
            return Ok(found);
        }
        loop {
            match changes.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(Change::HeldCallChanged { call }) if call == id => break,
                Ok(Change::RunChanged { .. } | Change::Everything) => break,
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    return look(app, id);
                }
            }
        }
    }
}

fn refuse_unusable(input: &QuestionAsk) -> Result<(), ApiError> {
    let question = input.question.trim();
    if question.is_empty() || question.len() > MAX_BYTES {
        return Err(bad_input(format!("a question has 1 to {MAX_BYTES} bytes")));
    }
    let is_usable = |option: &String| !option.trim().is_empty() && option.len() <= MAX_OPTION_BYTES;
    if input.options.len() > MAX_OPTIONS || !input.options.iter().all(is_usable) {
        return Err(bad_input(format!(
            "a question has at most {MAX_OPTIONS} options with 1 to {MAX_OPTION_BYTES} bytes"
        )));
    }
    if input.wait_ms > MAX_WAIT_MS {
        return Err(bad_input(format!("a wait takes at most {MAX_WAIT_MS} ms"))
            .with_fix("ask again with the same requestId"));
    }
    Ok(())
}

fn bad_input(message: impl Into<String>) -> ApiError {
    ApiError::new(Code::BadInput, message)
}

/// Holds the question. How long its caller waits is no part of it.
fn hold(app: &App, input: QuestionAsk) -> Result<HeldCallId, ApiError> {
    let question = QuestionAsk {
        wait_ms: 0,
        ..input
    };
    let value = serde_json::to_value(&question)
        .map_err(|error| ApiError::new(Code::Internal, error.to_string()))?;
    let waiting = held_calls::hold(app, OPERATION, &value)?;
    waiting.request.ok_or(waiting)
}

fn look(app: &App, request: HeldCallId) -> Result<QuestionAsked, ApiError> {
    let row = held_calls::refresh(app, app.store.held_calls().get(request)?)?;
    let (state, answer) = match row.outcome {
        None => (QuestionState::WaitsForPerson, None),
        Some(HeldCallOutcome::Answered { text }) => (QuestionState::Answered, Some(text)),
        Some(HeldCallOutcome::Refused) => (QuestionState::Declined, None),
        Some(_) => (QuestionState::Outdated, None),
    };
    Ok(QuestionAsked {
        request,
        state,
        answer,
    })
}
