//! `GET /api/sessions/{id}/output/{stdout|stderr}`: the raw output of a session as a download.

use std::io::Read;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::{Extension, Path, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use baton_api::{App, Code, RawOutput, SessionId, Stream, open_raw_output};
use futures_util::stream;
use serde_json::Value;

use crate::error_response::ErrorResponse;
use crate::guard::Caller;

/// How much of the output is in memory at once.
const CHUNK_BYTES: u64 = 64 * 1024;
/// The length limit for the part of the file name that comes from the title.
const MAX_NAME_LENGTH: usize = 80;

/// Streams the output that there is now.
pub(crate) async fn download(
    State(app): State<Arc<App>>,
    Extension(caller): Extension<Caller>,
    Path((session, stream)): Path<(String, String)>,
) -> Result<Response, ErrorResponse> {
    let (session, stream) = parse(session, stream).ok_or_else(|| {
        let message =
            "no such output: the path ends in a session's id and /output/stdout or /output/stderr";
        ErrorResponse::new(StatusCode::NOT_FOUND, Code::NotFound, message)
    })?;
    let open = move || open_raw_output(&app.acting_as(caller.bearer), session, stream);
    let output = tokio::task::spawn_blocking(open)
        .await
        .map_err(|_| internal_error())??;
    let disposition = format!(
        "attachment; filename=\"{}-{}.log\"",
        safe_name(&output.title),
        name_of(stream)
    );
    let headers = [
        (
            CONTENT_DISPOSITION,
            HeaderValue::try_from(disposition).map_err(|_| internal_error())?,
        ),
        (
            CONTENT_TYPE,
            HeaderValue::from_static("application/octet-stream"),
        ),
        (CONTENT_LENGTH, HeaderValue::from(output.bytes)),
    ];
    Ok((headers, body(output)).into_response())
}

fn internal_error() -> ErrorResponse {
    ErrorResponse::new(
        StatusCode::INTERNAL_SERVER_ERROR,
        Code::Internal,
        "Internal error. See Baton's log for details.",
    )
}

fn parse(session: String, stream: String) -> Option<(SessionId, Stream)> {
    let session = serde_json::from_value(Value::String(session)).ok()?;
    let stream = serde_json::from_value(Value::String(stream)).ok()?;
    Some((session, stream))
}

fn name_of(stream: Stream) -> &'static str {
    match stream {
        Stream::Stdout => "stdout",
        Stream::Stderr => "stderr",
    }
}

/// The title without anything that has a meaning in a header or in a path.
fn safe_name(title: &str) -> String {
    let letters = title.chars().map(|letter| {
        let is_safe = letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | ' ');
        if is_safe { letter } else { '-' }
    });
    let name: String = letters.take(MAX_NAME_LENGTH).collect();
    let words: Vec<&str> = name
        .split(['-', ' '])
        .filter(|word| !word.is_empty())
        .collect();
    if words.is_empty() {
        return "session".to_owned();
    }
    words.join("-")
}

/// The next chunk is read when the client has taken the one before it. Output that is printed in
/// the meantime is left out, because the length is already known.
fn body(output: RawOutput) -> Body {
    let rest = output.file.take(output.bytes);
    Body::from_stream(stream::try_unfold(rest, |mut rest| async move {
        let read = move || {
            let mut chunk = Vec::new();
            (&mut rest)
                .take(CHUNK_BYTES)
                .read_to_end(&mut chunk)
                .map(|_| (Bytes::from(chunk), rest))
        };
        let (chunk, rest) = tokio::task::spawn_blocking(read)
            .await
            .map_err(std::io::Error::other)??;
        std::io::Result::Ok((!chunk.is_empty()).then_some((chunk, rest)))
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_name_is_safe_in_headers_and_paths() {
        for (title, name) in [
            ("Run the tests", "Run-the-tests"),
            ("../../etc/passwd", "etc-passwd"),
            ("a\"; filename=\"b\r\nx: y", "a-filename-b-x-y"),
            ("été 漢字", "t"),
            ("漢字", "session"),
            ("", "session"),
            (".bashrc", "bashrc"),
        ] {
            assert_eq!(safe_name(title), name, "{title:?}");
        }
        assert_eq!(safe_name(&"a".repeat(10_000)).len(), MAX_NAME_LENGTH);
    }

    #[tokio::test]
    async fn output_is_sent_in_chunks_up_to_its_length() {
        use std::io::{Seek as _, Write as _};

        use http_body_util::BodyExt as _;

        let mut file = tempfile::tempfile().expect("temp file");
        let printed: Vec<u8> = (0..200_000_u32).map(|number| number as u8).collect();
        file.write_all(&printed).expect("written");
        file.write_all(b"printed later").expect("written");
        file.rewind().expect("at the start");
        let mut body = body(RawOutput {
            file,
            bytes: printed.len() as u64,
            title: String::new(),
        });
        let mut received = Vec::new();
        while let Some(frame) = body.frame().await {
            let chunk = frame.expect("readable").into_data().expect("data");
            assert!(chunk.len() as u64 <= CHUNK_BYTES);
            received.extend_from_slice(&chunk);
        }
        assert!(received == printed);
    }

    #[test]
    fn only_known_streams_are_served() {
        let id = "00000000-0000-0000-0000-000000000001".to_owned();
        for (stream, known) in [
            ("stdout", true),
            ("stderr", true),
            ("launch.json", false),
            ("", false),
        ] {
            assert_eq!(
                parse(id.clone(), stream.to_owned()).is_some(),
                known,
                "{stream}"
            );
        }
        assert!(parse("../1".to_owned(), "stdout".to_owned()).is_none());
    }
}
