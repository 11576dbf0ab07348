//! Limits of one message: its length and how deep its values are nested.
//!
//! The protocol's library ignores a message beyond them, so that its sender would wait forever.
//! Such a message is answered with an error here, before the library sees it.

use serde_json::{Value, json};

/// The longest message, in bytes.
pub(crate) const MAX_BYTES: usize = 4 * 1024 * 1024;
/// The deepest nesting. The JSON parser accepts a little more.
const MAX_DEPTH: usize = 100;
/// JSON-RPC's code for a request that isn't valid.
const INVALID_REQUEST: i32 = -32600;

/// Returns the response to a message that is refused; `None` for all others, also those that aren't
/// JSON.
///
/// A longer message may be cut after [`MAX_BYTES`] and one more byte.
pub(crate) fn refuse(line: &[u8]) -> Option<Value> {
    let scan = Scan::of(line);
    let (message, fix) = if line.len() > MAX_BYTES {
        let message = format!("a message can have at most {MAX_BYTES} bytes");
        (
            message,
            "put long texts into files of the project and name them",
        )
    } else if scan.depth > MAX_DEPTH {
        let message = format!("values can be nested at most {MAX_DEPTH} levels deep");
        (message, "flatten the arguments")
    } else {
        return None;
    };
    let data = json!({"code": "bad_input", "fix": fix, "retryable": false});
    let error = json!({"code": INVALID_REQUEST, "message": message, "data": data});
    Some(json!({"jsonrpc": "2.0", "id": scan.id, "error": error}))
}

/// What can be said of a message without parsing its values.
#[derive(Debug, Default, PartialEq)]
struct Scan {
    depth: usize,
    /// The ID of the request; null if there is none.
    id: Value,
}

impl Scan {
    fn of(line: &[u8]) -> Self {
        let mut scan = Self::default();
        let (mut depth, mut in_string, mut is_escaped) = (0_usize, false, false);
        // Where the last string, and the value of the current key, begin.
        let (mut string, mut value) = (0..0, None);
        for (at, byte) in line.iter().enumerate() {
            if in_string {
                match byte {
                    _ if is_escaped => is_escaped = false,
                    b'\\' => is_escaped = true,
                    b'"' => {
                        in_string = false;
                        string.end = at + 1;
                    }
                    _ => {}
                }
                continue;
            }
            match byte {
                b'"' => {
                    in_string = true;
                    string = at..at;
                }
                b':' if depth == 1 => {
                    value = (&line[string.clone()] == b"\"id\"").then_some(at + 1);
                }
                b',' | b'}' if depth == 1 => {
                    if let Some(start) = value.take() {
                        scan.id = id(&line[start..at]);
                    }
                    depth -= usize::from(*byte == b'}');
                }
                b'{' | b'[' => {
                    depth += 1;
                    scan.depth = scan.depth.max(depth);
                }
                b'}' | b']' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        scan
    }
}

/// An ID is a number or a text.
fn id(text: &[u8]) -> Value {
    match serde_json::from_slice(text) {
        Ok(id @ (Value::Number(_) | Value::String(_))) => id,
        _ => Value::Null,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nested(depth: usize) -> String {
        format!("{}{}", "[".repeat(depth), "]".repeat(depth))
    }

    #[test]
    fn id_of_a_request_is_found_wherever_it_is() {
        for (line, expected) in [
            (r#"{"id":7,"params":{"id":8}}"#, json!(7)),
            (
                r#"{"params":{"id":8,"x":[{"id":9}]}, "id" : "a,}\"b" }"#,
                json!("a,}\"b"),
            ),
            (r#"{"method":"id","params":{"id":8}}"#, Value::Null),
            (r#"{"\"id":1}"#, Value::Null),
            (r#"{"id":{"a":1}}"#, Value::Null),
            (r#"[{"id":1}]"#, Value::Null),
            ("}}]]", Value::Null),
            ("", Value::Null),
        ] {
            assert_eq!(Scan::of(line.as_bytes()).id, expected, "{line}");
        }
    }

    #[test]
    fn deep_and_long_messages_are_refused_with_their_id() {
        let message = |value: &str| format!(r#"{{"params":{value},"id":3}}"#);
        assert_eq!(refuse(message(&nested(MAX_DEPTH - 1)).as_bytes()), None);
        let response = refuse(message(&nested(MAX_DEPTH)).as_bytes()).expect("too deep");
        assert_eq!(
            (&response["id"], &response["error"]["data"]["code"]),
            (&json!(3), &json!("bad_input"))
        );
        let brackets = format!("\"{}\"", "[".repeat(500));
        assert_eq!(refuse(message(&brackets).as_bytes()), None);
        let long = message(&format!("\"{}\"", "x".repeat(MAX_BYTES)));
        assert_eq!(refuse(long.as_bytes()).expect("too long")["id"], 3);
        assert_eq!(refuse(b"nonsense"), None);
    }
}
