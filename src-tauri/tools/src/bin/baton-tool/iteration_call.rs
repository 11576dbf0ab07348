//! Fills in an iteration's call: texts that refer to the loop are assembled from their parts.

use std::path::Path;

use baton_model::LoopRound;
use baton_model::loop_round::LoopValueError;
use baton_tools::{IterationPart, IterationText, ToolCall, path_outside_directory};
use serde_json::Value;

/// Returns the call of iteration `round`.
pub(crate) fn fill(
    call: &ToolCall,
    texts: &[IterationText],
    round: &LoopRound,
) -> Result<ToolCall, LoopValueError> {
    let mut args = Value::Object(call.tool_args.clone());
    for text in texts {
        let value = |part: &IterationPart| match part {
            IterationPart::Text(text) => Ok(text.clone()),
            IterationPart::Round(what) => round.value(what),
        };
        let whole = text
            .parts
            .iter()
            .map(value)
            .collect::<Result<String, _>>()?;
        if let Some(place) = args.pointer_mut(&text.pointer) {
            *place = Value::String(whole);
        }
    }
    let Value::Object(tool_args) = args else {
        return Ok(call.clone());
    };
    Ok(ToolCall {
        tool_name: call.tool_name.clone(),
        tool_args,
    })
}

/// Returns the path outside of `directory` that the iteration's texts lead to, if any.
pub(crate) fn find_path_outside_directory<'a>(
    call: &'a ToolCall,
    texts: &[IterationText],
    directory: &Path,
) -> Option<&'a str> {
    let open = |text: &IterationText| {
        (
            text.pointer.trim_start_matches('/').to_owned(),
            Value::from("{{loop}}"),
        )
    };
    let written = ToolCall {
        tool_name: call.tool_name.clone(),
        tool_args: texts.iter().map(open).collect(),
    };
    path_outside_directory(&written, call, directory)
}

#[cfg(test)]
mod tests {
    use baton_model::loop_round::LoopValue;
    use serde_json::json;

    use super::*;

    #[test]
    fn iteration_fills_only_its_own_texts() {
        let tool_args = [
            ("path".to_owned(), json!("")),
            ("list".to_owned(), json!([{"a/b": ""}, "{{loop.index}}"])),
        ];
        let call = ToolCall {
            tool_name: "write".to_owned(),
            tool_args: tool_args.into_iter().collect(),
        };
        let text = |pointer: &str, parts| IterationText {
            pointer: pointer.to_owned(),
            parts,
        };
        let texts = [
            text(
                "/path",
                vec![
                    IterationPart::Round(LoopValue::Index),
                    IterationPart::Text(".txt".to_owned()),
                ],
            ),
            text(
                "/list/0/a~1b",
                vec![IterationPart::Round(LoopValue::Previous("n".to_owned()))],
            ),
        ];
        let previous = [("n".to_owned(), "{{loop.index}}".to_owned())].into();
        let filled = fill(
            &call,
            &texts,
            &LoopRound {
                index: 3,
                previous: Some(previous),
            },
        )
        .expect("both values are known");
        assert_eq!(
            Value::Object(filled.tool_args),
            json!({"path": "3.txt", "list": [{"a/b": "{{loop.index}}"}, "{{loop.index}}"]})
        );
        let missing = fill(
            &call,
            &texts,
            &LoopRound {
                index: 2,
                previous: Some([].into()),
            },
        );
        assert_eq!(
            missing.expect_err("not written").to_string(),
            "iteration 1 wrote no outputs"
        );
    }
}
