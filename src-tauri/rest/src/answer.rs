//! Answers: the envelope around data and errors.

use std::time::Duration;

use baton_model::RunId;
use baton_model::visible_text::{escape_invisible_json, strip_invisible_keeping_emoji};
use serde::Serialize;
use serde_json::{Value, json};

use crate::event_stream::EventStream;
use crate::{ErrorCode, RestError, iso_json};

/// What a route answers.
pub enum Response {
    /// The answer is there.
    Now(Answer),
    /// The answer comes when a run is at rest. Whoever waits for it, the run continues either way.
    Later(Waiting),
    /// Events, for as long as the client listens.
    Stream(Box<EventStream>),
}

/// An answer that comes when a run is at rest.
pub struct Waiting {
    /// The run that it depends on.
    pub run: RunId,
    /// When the answer comes at the latest. Without a limit, its status is 200 and can be sent at
    /// once, because the request itself is valid.
    pub limit: Option<Duration>,
    look: Look<Answer>,
}

/// Looks whether there is an answer. There always is one if the argument says that this is the last
/// look.
type Look<A> = Box<dyn FnMut(bool) -> Option<A> + Send>;

impl Waiting {
    /// Looks at the run. Returns the answer if it is at rest, or if this is the last look. Reads the
    /// store, so it may block for a moment.
    pub fn look(&mut self, is_last: bool) -> Option<Answer> {
        (self.look)(is_last)
    }
}

/// A complete answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// The content.
    pub body: Body,
    /// The plan's revision, for `ETag`.
    pub revision: Option<u64>,
    /// The path of what was created, for `Location`.
    pub location: Option<String>,
}

/// The content of an answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Body {
    /// The envelope.
    Json(Value),
    /// A document, without an envelope.
    Markdown(String),
}

impl Body {
    /// The bytes of the answer. What agents wrote is in it, and a person may see it on a terminal,
    /// so invisible characters are escaped in JSON.
    #[must_use]
    pub fn into_text(self) -> String {
        match self {
            Self::Json(value) => escape_invisible_json(&value.to_string()),
            Self::Markdown(text) => text,
        }
    }
}

impl From<RestError> for Answer {
    fn from(error: RestError) -> Self {
        if let Some(request) = error.request {
            let url = format!("/api/requests/{request}");
            let data = json!({ "state": "waits_for_person", "request": request, "url": url });
            return Self {
                status: 202,
                body: Body::Json(json!({ "success": true, "data": data })),
                revision: None,
                location: Some(url),
            };
        }
        Self {
            status: error.status,
            body: Body::Json(json!({ "success": false, "error": error.body })),
            revision: None,
            location: None,
        }
    }
}

/// What a handler returns: the data of an answer, or how to get it.
pub(crate) struct Reply<A> {
    pub(crate) status: u16,
    pub(crate) data: Data<A>,
    pub(crate) revision: Option<u64>,
    pub(crate) location: Option<String>,
    /// Why the data isn't a success, although the request was answered.
    pub(crate) failure: Option<RestError>,
}

pub(crate) enum Data<A> {
    Value(A),
    Markdown(String),
    Later(WaitingReply<A>),
    Stream(Box<EventStream>),
}

/// A reply that comes when a run is at rest; see [`Waiting`].
pub(crate) struct WaitingReply<A> {
    pub(crate) run: RunId,
    pub(crate) limit: Option<Duration>,
    pub(crate) look: Look<Result<Reply<A>, RestError>>,
}

impl<A> Reply<A> {
    pub(crate) fn of(data: A) -> Self {
        Self::from(Data::Value(data))
    }

    /// A document. It may contain what an agent wrote and be printed on a terminal, so it has no
    /// invisible characters.
    pub(crate) fn markdown(text: String) -> Self {
        Self::from(Data::Markdown(strip_invisible_keeping_emoji(text)))
    }

    pub(crate) fn later(waiting: WaitingReply<A>) -> Self {
        Self::from(Data::Later(waiting))
    }

    pub(crate) fn stream(stream: EventStream) -> Self {
        Self::from(Data::Stream(Box::new(stream)))
    }

    fn from(data: Data<A>) -> Self {
        Self {
            status: 200,
            data,
            revision: None,
            location: None,
            failure: None,
        }
    }

    /// The same for something new at `location`.
    pub(crate) fn created(self, location: String) -> Self {
        Self {
            status: 201,
            location: Some(location),
            ..self
        }
    }

    /// The same for work that continues.
    pub(crate) fn accepted(self) -> Self {
        Self {
            status: 202,
            ..self
        }
    }

    /// The same with the plan's revision.
    pub(crate) fn at(self, revision: u64) -> Self {
        Self {
            revision: Some(revision),
            ..self
        }
    }

    pub(crate) fn failed(self, failure: RestError) -> Self {
        Self {
            failure: Some(failure),
            ..self
        }
    }
}

impl<A: Serialize + 'static> Reply<A> {
    pub(crate) fn into_response(self) -> Response {
        let body = match self.data {
            Data::Later(WaitingReply {
                run,
                limit,
                mut look,
            }) => {
                return Response::Later(Waiting {
                    run,
                    limit,
                    look: Box::new(move |is_last| look(is_last).map(answer)),
                });
            }
            Data::Stream(stream) => return Response::Stream(stream),
            Data::Markdown(text) => Body::Markdown(text),
            Data::Value(data) => match iso_json::to_value(&data) {
                Ok(data) => Body::Json(envelope(data, self.failure)),
                Err(error) => {
                    let message = format!("the answer can't be written: {error}");
                    return Response::Now(RestError::new(ErrorCode::Internal, message).into());
                }
            },
        };
        Response::Now(Answer {
            status: self.status,
            body,
            revision: self.revision,
            location: self.location,
        })
    }
}

fn envelope(data: Value, failure: Option<RestError>) -> Value {
    match failure {
        None => json!({ "success": true, "data": data }),
        Some(failure) => json!({ "success": false, "data": data, "error": failure.body }),
    }
}

/// The answer of a handler that may have waited.
pub(crate) fn answer<A: Serialize + 'static>(reply: Result<Reply<A>, RestError>) -> Answer {
    match reply.map(Reply::into_response) {
        Ok(Response::Now(answer)) => answer,
        Ok(Response::Later(mut waiting)) => waiting.look(true).unwrap_or_else(no_answer),
        Ok(Response::Stream(_)) => no_answer(),
        Err(error) => error.into(),
    }
}

fn no_answer() -> Answer {
    RestError::new(ErrorCode::Internal, "the request has no answer").into()
}

#[cfg(test)]
mod tests {
    use baton_api::{ApiError, Code, HeldCallId};
    use uuid::Uuid;

    use super::*;

    #[test]
    fn held_call_is_accepted_with_the_place_of_its_outcome() {
        let id = HeldCallId(Uuid::from_u128(7));
        let held = ApiError {
            request: Some(id),
            ..ApiError::new(Code::WaitsForPerson, "a person has to allow this")
        };
        let answer = Answer::from(RestError::from(held));
        let url = format!("/api/requests/{id}");
        assert_eq!((answer.status, answer.location.as_ref()), (202, Some(&url)));
        let data = json!({ "state": "waits_for_person", "request": id, "url": url });
        assert_eq!(
            answer.body,
            Body::Json(json!({ "success": true, "data": data }))
        );
    }

    #[test]
    fn failed_run_has_its_data_and_its_error() {
        let failure = RestError::new(ErrorCode::ExecutionError, "a node failed");
        let reply = Reply::of(json!({ "result": 7 })).failed(failure);
        let answer = answer(Ok(reply));
        assert_eq!(answer.status, 200);
        let Body::Json(body) = answer.body else {
            panic!("JSON");
        };
        assert_eq!(
            (&body["success"], &body["data"]["result"]),
            (&json!(false), &json!(7))
        );
        assert_eq!(body["error"]["code"], "EXECUTION_ERROR");
        assert_eq!(body["error"]["message"], "A node failed.");
    }
}
