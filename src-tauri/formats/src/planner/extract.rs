//! Finds the plan in an answer: agents add text around it, put it into fences, or repeat it.

use serde_json::{Deserializer, Map, Value};

/// The maximum number of incomplete objects to try, because each is parsed to the end of the
/// answer.
const MAX_BROKEN_OBJECTS: usize = 64;

/// The last object in `answer` with a list of nodes, or the parser's message for the first
/// candidate.
///
/// Only strict JSON is accepted. Objects within other objects are ignored, unless the outer one is
/// invalid.
pub(super) fn extract_plan(answer: &str) -> Result<Map<String, Value>, Option<String>> {
    let (mut found, mut complaint) = (None, None);
    let (mut at, mut broken) = (0, 0);
    while let Some(start) = answer[at..].find('{').map(|offset| at + offset) {
        let mut values = Deserializer::from_str(&answer[start..]).into_iter::<Value>();
        match values.next() {
            Some(Ok(Value::Object(object))) => {
                at = start + values.byte_offset();
                if holds_nodes(&object) {
                    found = Some(object);
                }
            }
            Some(Err(error)) => {
                at = start + 1;
                // Braces in prose are not JSON: `{this}`.
                if answer[at..].trim_start().starts_with(['"', '}']) {
                    complaint.get_or_insert_with(|| error.to_string());
                }
                broken += usize::from(error.is_eof());
                if broken > MAX_BROKEN_OBJECTS {
                    break;
                }
            }
            Some(Ok(_)) | None => at = start + 1,
        }
    }
    found.ok_or(complaint)
}

fn holds_nodes(object: &Map<String, Value>) -> bool {
    let inner = object.get("plan").and_then(Value::as_object);
    inner
        .unwrap_or(object)
        .get("nodes")
        .is_some_and(Value::is_array)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn title(answer: &str) -> Option<String> {
        let object = extract_plan(answer).ok()?;
        Some(object.get("title")?.as_str()?.to_owned())
    }

    #[test]
    fn plan_is_found_anywhere_in_answer() {
        for (answer, found) in [
            (r#"{"title":"A","nodes":[]}"#, Some("A")),
            (
                "Sure!\n```json\n{\"title\":\"A\",\"nodes\":[]}\n```\nTell me {more}.",
                Some("A"),
            ),
            (
                "First {\"title\":\"A\",\"nodes\":[]} no, better {\"title\":\"B\",\"nodes\":[]}",
                Some("B"),
            ),
            (
                "{\"title\":\"A\",\"nodes\":[{\"prompt\":\"write ```js\\n{}\\n```\"}]}",
                Some("A"),
            ),
            ("a { b {\"title\":\"A\",\"nodes\":[]}", Some("A")),
            ("{\"nodes\": [ {\"id\": \"a\"", None),
            ("{\"title\":\"A\"}", None),
            ("[1, 2]", None),
            ("", None),
        ] {
            assert_eq!(title(answer).as_deref(), found, "{answer}");
        }
    }

    #[test]
    fn broken_json_reports_parse_error() {
        let complaint = extract_plan("Here: {\"nodes\": [1,]}").expect_err("trailing comma");
        assert!(complaint.is_some_and(|reason| reason.contains("trailing comma")));
        assert_eq!(extract_plan("I cannot {do} that."), Err(None));
    }

    #[test]
    fn many_braces_parse_in_bounded_time() {
        assert_eq!(extract_plan(&"{".repeat(1 << 20)), Err(None));
        assert!(extract_plan(&"{\"a\":".repeat(1 << 18)).is_err());
    }

    proptest! {
        #[test]
        fn prose_around_plan_is_ignored(before in "[^{}]{0,80}", after in "\\PC{0,80}", words in "\\PC{0,40}") {
            let plan = json!({"title": words, "nodes": [{"id": "a", "prompt": words}]});
            let after = after.replace("\"nodes\"", "");
            for body in [plan.to_string(), format!("```json\n{plan:#}\n```")] {
                let found = extract_plan(&format!("{before}{body}{after}"));
                prop_assert_eq!(found.map(Value::Object), Ok(plan.clone()));
            }
        }
    }
}
