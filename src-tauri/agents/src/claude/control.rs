//! Requests of the client to Baton, and the answers that go either way.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::claude::notice::parse;
use crate::notice::Notice;
use crate::odd;
use crate::part::Part;

#[derive(Deserialize)]
struct ControlRequest<'a> {
    request_id: String,
    #[serde(borrow)]
    request: RequestBody<'a>,
}

#[derive(Deserialize)]
struct RequestBody<'a> {
    subtype: String,
    #[serde(default, deserialize_with = "odd::field")]
    tool_name: Option<String>,
    #[serde(default, deserialize_with = "odd::field")]
    tool_use_id: Option<String>,
    #[serde(borrow)]
    input: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct HookInput {
    tool_name: String,
    #[serde(default, deserialize_with = "odd::any")]
    tool_input: Box<Value>,
    #[serde(default, deserialize_with = "odd::field")]
    tool_use_id: Option<String>,
}

/// A request of the client to Baton.
pub(super) fn asked(line: &[u8]) -> Vec<Part<'_>> {
    let Some(message) = parse::<ControlRequest<'_>>(line) else {
        return vec![Part::Unknown];
    };
    let (request, body) = (message.request_id, message.request);
    vec![match (body.subtype.as_str(), body.tool_name, body.input) {
        ("can_use_tool", Some(tool), Some(input)) => Part::Asked {
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
                Part::Notice(Notice::Announced {
                    request,
                    call,
                    tool,
                    input,
                })
            }
            Err(_) => Part::Notice(Notice::Foreign {
                request,
                subtype: body.subtype,
            }),
        },
        _ => Part::Notice(Notice::Foreign {
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
    #[serde(default, deserialize_with = "odd::field")]
    response: Option<Behavior>,
    #[serde(default, deserialize_with = "odd::field")]
    error: Option<String>,
}

#[derive(Deserialize)]
struct Behavior {
    #[serde(default, deserialize_with = "odd::field")]
    behavior: Option<String>,
}

/// A response: the client's to Baton, or the echo of Baton's to the client.
pub(super) fn answered<'a>(line: &[u8]) -> Vec<Part<'a>> {
    let Some(message) = parse::<ControlResponse>(line) else {
        return vec![Part::Unknown];
    };
    let ResponseBody {
        request_id,
        response,
        error,
    } = message.response;
    if let Some(error) = error {
        return vec![Part::Notice(Notice::Words(error))];
    }
    let behavior = response.and_then(|response| response.behavior);
    vec![Part::Answered {
        request: request_id,
        allowed: behavior.map(|behavior| behavior == "allow"),
    }]
}
