//! Control requests in both directions, and their responses.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::claude::head::parse;
use crate::lenient_json;
use crate::notice::Notice;
use crate::record_part::RecordPart;

#[derive(Deserialize)]
struct ControlRequest<'a> {
    request_id: String,
    #[serde(borrow)]
    request: RequestBody<'a>,
}

#[derive(Deserialize)]
struct RequestBody<'a> {
    subtype: String,
    #[serde(default, deserialize_with = "lenient_json::field")]
    tool_name: Option<String>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    tool_use_id: Option<String>,
    #[serde(borrow)]
    input: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct HookInput {
    tool_name: String,
    #[serde(default, deserialize_with = "lenient_json::any_value")]
    tool_input: Box<Value>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    tool_use_id: Option<String>,
}

/// The parts of a control request to Baton.
pub(super) fn parse_request(line: &[u8]) -> Vec<RecordPart<'_>> {
    let Some(message) = parse::<ControlRequest<'_>>(line) else {
        return vec![RecordPart::Unknown];
    };
    let (request, body) = (message.request_id, message.request);
    vec![match (body.subtype.as_str(), body.tool_name, body.input) {
        ("can_use_tool", Some(tool), Some(input)) => RecordPart::PermissionAsked {
            request,
            tool,
            tool_use: body.tool_use_id,
            input,
        },
        ("hook_callback", _, Some(input)) => match serde_json::from_str::<HookInput>(input.get()) {
            Ok(HookInput {
                tool_name: tool,
                tool_input: input,
                tool_use_id,
            }) => {
                let call = tool_use_id.unwrap_or_else(|| request.clone());
                RecordPart::Notice(Notice::ToolAnnounced {
                    request,
                    call,
                    tool,
                    input,
                })
            }
            Err(_) => RecordPart::Notice(Notice::UnsupportedRequest {
                request,
                subtype: body.subtype,
            }),
        },
        _ => RecordPart::Notice(Notice::UnsupportedRequest {
            request,
            subtype: body.subtype,
        }),
    }]
}

#[derive(Deserialize)]
struct ControlResponse {
    response: ResponseBody,
}

#[derive(Deserialize)]
struct ResponseBody {
    request_id: String,
    #[serde(default, deserialize_with = "lenient_json::field")]
    response: Option<Behavior>,
    #[serde(default, deserialize_with = "lenient_json::field")]
    error: Option<String>,
}

#[derive(Deserialize)]
struct Behavior {
    #[serde(default, deserialize_with = "lenient_json::field")]
    behavior: Option<String>,
}

/// The parts of a control response: the client's own, or the echo of Baton's.
pub(super) fn parse_response<'a>(line: &[u8]) -> Vec<RecordPart<'a>> {
    let Some(message) = parse::<ControlResponse>(line) else {
        return vec![RecordPart::Unknown];
    };
    let ResponseBody {
        request_id,
        response,
        error,
    } = message.response;
    if let Some(error) = error {
        return vec![RecordPart::Notice(Notice::Note(error))];
    }
    let behavior = response.and_then(|response| response.behavior);
    vec![RecordPart::PermissionAnswered {
        request: request_id,
        allowed: behavior.map(|behavior| behavior == "allow"),
    }]
}
