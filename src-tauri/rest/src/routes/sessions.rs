//! `/api/sessions` and `/api/transcripts`: what agents printed and said.

use baton_api::wire::{
    Nothing, SessionView, TimelinePage, TranscriptHits, TranscriptRow, TranscriptsPage,
};
use baton_model::{RunId, SessionId};
use serde_json::json;

use super::runs::check_limit;
use crate::answer::Reply;
use crate::request::Call;
use crate::schema::{answers, inputs};
use crate::{ErrorCode, Method, RestError, Route};

const DEFAULT_LIMIT: u32 = 20;

inputs! {
    /// Selects sessions.
    pub(crate) struct SessionsQuery {
        /// Only sessions of this run.
        pub(crate) run: Option<RunId>,
        /// From 1 to 1,000; 20 by default.
        pub(crate) limit: Option<u32>,
    }
    /// Selects part of a timeline.
    pub(crate) struct TimelineQuery {
        /// The first entry, from 0; a negative one counts from the end.
        pub(crate) from: Option<i64>,
        /// From 1 to 1,000; 20 by default.
        pub(crate) limit: Option<u32>,
    }
    /// Selects transcripts.
    pub(crate) struct TranscriptsQuery {
        /// Only transcripts of this agent.
        pub(crate) agent: Option<String>,
        /// Only transcripts with this working directory.
        pub(crate) project: Option<String>,
        /// Only transcripts whose title, project, branch or id contains this.
        pub(crate) text: Option<String>,
        /// From 1 to 1,000; 20 by default.
        pub(crate) limit: Option<u32>,
        pub(crate) offset: Option<u32>,
    }
    /// Searches the messages of transcripts.
    pub(crate) struct SearchQuery {
        /// Words that must all occur.
        pub(crate) text: String,
        /// Only transcripts of this agent.
        pub(crate) agent: Option<String>,
        /// Only transcripts with this working directory.
        pub(crate) project: Option<String>,
        /// From 1 to 1,000; 20 by default.
        pub(crate) limit: Option<u32>,
        pub(crate) offset: Option<u32>,
    }
}

answers! {
    /// Sessions, latest first.
    pub(crate) struct Sessions {
        pub(crate) sessions: Vec<SessionView>,
        pub(crate) limit: u32,
    }
}

pub(super) fn routes() -> Vec<Route> {
    let gone = [ErrorCode::NotFound];
    let get = Method::Get;
    vec![
        Route::new(
            get,
            "/api/sessions",
            "listSessions",
            "lists sessions, latest first",
            list,
        ),
        Route::new(
            get,
            "/api/sessions/{id}",
            "getSession",
            "shows a session",
            show,
        )
        .errors(&gone),
        Route::new(
            get,
            "/api/sessions/{id}/timeline",
            "getSessionTimeline",
            "shows part of a session's timeline",
            timeline,
        )
        .errors(&gone),
        Route::new(
            get,
            "/api/transcripts",
            "listTranscripts",
            "lists the agents' own transcripts",
            transcripts,
        ),
        Route::new(
            get,
            "/api/transcripts/search",
            "searchTranscripts",
            "searches messages in transcripts",
            search,
        ),
        Route::new(
            get,
            "/api/transcripts/{transcript}",
            "getTranscript",
            "shows a transcript's summary",
            transcript,
        )
        .errors(&gone),
        Route::new(
            get,
            "/api/transcripts/{transcript}/timeline",
            "getTranscriptTimeline",
            "shows part of a transcript's timeline",
            transcript_timeline,
        )
        .errors(&gone),
    ]
}

fn checked(limit: Option<u32>) -> Result<u32, RestError> {
    let limit = limit.unwrap_or(DEFAULT_LIMIT);
    check_limit(limit)?;
    Ok(limit)
}

fn list(call: &Call<SessionsQuery, Nothing>) -> Result<Reply<Sessions>, RestError> {
    let limit = checked(call.query.limit)?;
    let input = json!({ "run": call.query.run, "limit": limit });
    let sessions: Vec<SessionView> = call.operations().call("sessions_list", &input)?;
    Ok(Reply::of(Sessions { sessions, limit }))
}

fn show(call: &Call<Nothing, Nothing>) -> Result<Reply<SessionView>, RestError> {
    let session: SessionId = call.id("id")?;
    let input = json!({ "session": session });
    Ok(Reply::of(call.operations().call("session_get", &input)?))
}

fn timeline(call: &Call<TimelineQuery, Nothing>) -> Result<Reply<TimelinePage>, RestError> {
    let session: SessionId = call.id("id")?;
    let input = json!({
        "session": session, "from": call.query.from.unwrap_or(0),
        "limit": checked(call.query.limit)?, "since": null,
    });
    Ok(Reply::of(
        call.operations().call("session_timeline", &input)?,
    ))
}

fn transcripts(
    call: &Call<TranscriptsQuery, Nothing>,
) -> Result<Reply<TranscriptsPage>, RestError> {
    let query = &call.query;
    let input = json!({
        "agent": query.agent, "project": query.project, "text": query.text,
        "limit": checked(query.limit)?, "offset": query.offset,
    });
    Ok(Reply::of(
        call.operations().call("transcripts_list", &input)?,
    ))
}

fn search(call: &Call<SearchQuery, Nothing>) -> Result<Reply<TranscriptHits>, RestError> {
    let query = &call.query;
    let filter = json!({ "agent": query.agent, "project": query.project });
    let input = json!({
        "text": query.text, "filter": filter, "limit": checked(query.limit)?,
        "offset": query.offset.unwrap_or(0),
    });
    Ok(Reply::of(
        call.operations().call("transcripts_search", &input)?,
    ))
}

fn transcript(call: &Call<Nothing, Nothing>) -> Result<Reply<TranscriptRow>, RestError> {
    let input = json!({ "id": call.name("transcript") });
    Ok(Reply::of(call.operations().call("transcript_get", &input)?))
}

fn transcript_timeline(
    call: &Call<TimelineQuery, Nothing>,
) -> Result<Reply<TimelinePage>, RestError> {
    let input = json!({
        "id": call.name("transcript"), "from": call.query.from.unwrap_or(0),
        "limit": checked(call.query.limit)?, "since": null, "at": null,
    });
    Ok(Reply::of(
        call.operations().call("transcript_timeline", &input)?,
    ))
}
