//! Decisions by agents: the prompt for a choice, and how an answer is parsed.

use baton_model::artifact::{Author, MARKER, NamedOutputs};
use baton_model::node::DecisionTask;
use baton_model::outcome::Failure;
use baton_model::{Artifact, Node};
use serde_json::{Map, Value};

/// The maximum number of characters shown of an invalid answer.
const SHOWN: usize = 200;

/// The node in the form that agent prompts use.
pub(crate) fn to_agent_node(node: &Node, task: &DecisionTask) -> Node {
    let rule = "This step is a decision. Read the handoffs of the previous steps, and files if you need to, but change nothing.";
    let instructions = match task.choices.is_empty() {
        true => rule.to_owned(),
        false => format!("{rule} Choose exactly one of:\n{}", list(&task.choices)),
    };
    let instructions = [node.instructions.trim(), &instructions]
        .join("\n\n")
        .trim()
        .to_owned();
    Node {
        instructions,
        ..node.clone()
    }
}

/// The prompt for the answer, after the agent has worked on the task.
pub(crate) fn question(task: &DecisionTask) -> String {
    match task.choices.is_empty() {
        true => "Answer with only your decision, on one line. Use no tools.".to_owned(),
        false => format!(
            "Answer with only your choice: exactly one of the following lines and nothing else. Use no tools.\n\n{}",
            task.choices.join("\n")
        ),
    }
}

/// The choice in `answer`, as the node's handoff.
pub(crate) fn artifact_of(
    task: &DecisionTask,
    answer: &str,
    mut outputs: NamedOutputs,
) -> Result<Artifact, Failure> {
    let choice = choice(task, answer)?;
    for name in ["decision", "result"] {
        outputs.values.insert(name.to_owned(), choice.clone());
    }
    let artifact = Artifact {
        text: format!("{MARKER}\nDecided: {choice}"),
        author: Author::Agent,
        ..Artifact::default()
    };
    Ok(artifact.with_outputs(outputs))
}

/// Parses an answer that is one of the choices, ignoring quotes, emphasis and case, or JSON that
/// holds nothing but such a choice. Anything else is invalid: a choice that is merely mentioned
/// may be the rejected one.
fn choice(task: &DecisionTask, answer: &str) -> Result<String, Failure> {
    let lines: Vec<&str> = answer
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    let last = lines.last().copied().unwrap_or_default();
    let json = choice_in_json(answer);
    let answer_text = json.as_deref().unwrap_or(last);
    let found = match task.choices.is_empty() {
        true => Some(answer_text.to_owned()).filter(|line| !line.is_empty()),
        false => task
            .choices
            .iter()
            .find(|choice| {
                normalize_answer(choice) == normalize_answer(answer_text)
                    || normalize_answer(choice) == normalize_answer(last)
            })
            .cloned(),
    };
    found.ok_or_else(|| {
        let shown: String = answer.trim().chars().take(SHOWN).collect();
        let detail = match task.choices.is_empty() {
            true => "it made no decision".to_owned(),
            false => format!(
                "it answered '{shown}', which is not one of {}",
                task.choices.join(", ")
            ),
        };
        Failure::AgentError { detail }
    })
}

fn normalize_answer(text: &str) -> String {
    let text = text
        .trim()
        .trim_matches(|c: char| "*_`\"'“”‘’.".contains(c))
        .trim();
    text.to_lowercase()
}

/// The keys under which agents give their choice in a JSON object.
const CHOICE_KEYS: [&str; 6] = [
    "choice", "decision", "answer", "selected", "result", "value",
];

/// The choice in an answer that is JSON, also in a code block: a string, a list of one, an object's
/// only string, or the value of a known key. After other text, only the last one counts: a quoted
/// string may be a rejected choice.
fn choice_in_json(answer: &str) -> Option<String> {
    let text = answer.trim().trim_end_matches('`').trim_end();
    let text = text.strip_prefix("```").map_or(text, |rest| {
        rest.split_once('\n').map_or(rest, |(_, body)| body)
    });
    let text_of = |value: &Value| value.as_str().map(str::to_owned);
    match serde_json::from_str::<Value>(text) {
        Ok(Value::String(choice)) => Some(choice),
        Ok(Value::Array(items)) => items.first().filter(|_| items.len() == 1).and_then(text_of),
        Ok(Value::Object(fields)) => {
            let only = || fields.values().next().filter(|_| fields.len() == 1);
            choice_field(&fields).or_else(only).and_then(text_of)
        }
        Ok(_) => None,
        Err(_) => {
            let mut objects = text
                .match_indices('{')
                .filter_map(|(start, _)| serde_json::from_str(&text[start..]).ok());
            let object: Map<String, Value> = objects.next()?;
            choice_field(&object).and_then(text_of)
        }
    }
}

fn choice_field(fields: &Map<String, Value>) -> Option<&Value> {
    CHOICE_KEYS.into_iter().find_map(|key| fields.get(key))
}

fn list(choices: &[String]) -> String {
    choices
        .iter()
        .map(|choice| format!("- {choice}\n"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task() -> DecisionTask {
        DecisionTask {
            choices: vec!["ship".to_owned(), "hold back".to_owned()],
            ..DecisionTask::default()
        }
    }

    #[test]
    fn answer_must_match_a_choice() {
        for (answer, chosen) in [
            ("ship", Some("ship")),
            ("  **Ship**.\n", Some("ship")),
            ("I thought about it.\n\n`hold back`", Some("hold back")),
            ("I would not ship", None),
            ("ship\nor not", None),
            ("", None),
            (r#"{"choice": "ship"}"#, Some("ship")),
            ("{\n  \"choice\": \"hold back\"\n}", Some("hold back")),
            (
                "```json\n{\"decision\": \"Ship\", \"reason\": \"not hold back\"}\n```",
                Some("ship"),
            ),
            ("Here it is: {\"answer\": \"ship\"}", Some("ship")),
            (r#"{"verdict": "ship"}"#, Some("ship")),
            (r#"["ship"]"#, Some("ship")),
            ("\"ship\"", Some("ship")),
            (r#"I would not take "ship""#, None),
            (r#"{"choice": "maybe"}"#, None),
            (r#"{"rejected": "ship", "kept": "nothing"}"#, None),
            (r#"["ship", "hold back"]"#, None),
            (r#"{"choice": {"name": "ship"}}"#, None),
        ] {
            assert_eq!(
                choice(&task(), answer).ok().as_deref(),
                chosen,
                "{answer:?}"
            );
        }
    }

    #[test]
    fn last_line_is_the_decision_without_choices() {
        let open = DecisionTask::default();
        assert_eq!(choice(&open, "hm\nblue\n").as_deref(), Ok("blue"));
        assert_eq!(
            choice(&open, r#"{"choice": "blue"}"#).as_deref(),
            Ok("blue")
        );
        assert!(choice(&open, " \n").is_err());
    }

    #[test]
    fn unmatched_answer_error_lists_choices() {
        let failure = choice(&task(), "maybe").expect_err("not a choice");
        assert_eq!(
            failure.to_string(),
            "hit an agent error: it answered 'maybe', which is not one of ship, hold back"
        );
    }
}
