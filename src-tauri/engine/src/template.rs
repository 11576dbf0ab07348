//! `{{nodes.<slug>.outputs.<key>}}` in prompts and commands (product A7).
//!
//! Only such expressions are touched. A command is full of braces that mean something to somebody else
//! (`docker inspect --format '{{.Id}}'`, `${#list[@]}`), and those must reach it as they are.

use std::collections::BTreeMap;

use minijinja::{Environment, UndefinedBehavior, Value};

/// The named outputs of the nodes that are done, by slug.
pub(crate) type Outputs = BTreeMap<String, BTreeMap<String, String>>;

/// An expression that has no value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{{{{{expression}}}}}` has no value: {reason}")]
pub(crate) struct TemplateError {
    /// What stands between the braces.
    pub(crate) expression: String,
    /// Why.
    pub(crate) reason: String,
}

/// Whether `text` holds an expression at all; most texts do not, and need no outputs.
pub(crate) fn is_template(text: &str) -> bool {
    expressions(text).next().is_some()
}

/// `text` with every expression replaced by its value.
pub(crate) fn render(text: &str, outputs: &Outputs) -> Result<String, TemplateError> {
    render_with(text, outputs, |_, value| value)
}

/// `text` with every expression replaced by what `place` makes of its value. `place` also gets the text since
/// the last expression.
pub(crate) fn render_with(
    text: &str,
    outputs: &Outputs,
    mut place: impl FnMut(&str, String) -> String,
) -> Result<String, TemplateError> {
    let mut environment = Environment::empty();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    let nodes = outputs.iter().map(|(slug, outputs)| {
        let outputs = Value::from_pairs(outputs.iter().map(|(key, value)| (key.as_str(), value.as_str())));
        (slug.as_str(), Value::from_pairs([("outputs", outputs)]))
    });
    let context = Value::from_pairs([("nodes", Value::from_pairs(nodes))]);
    let mut rendered = String::with_capacity(text.len());
    let mut copied = 0;
    for (start, end) in expressions(text) {
        let before = &text[copied..start];
        let value = value_of(text[start + 2..end - 2].trim(), outputs, &environment, &context)?;
        rendered.extend([before, &place(before, value)]);
        copied = end;
    }
    rendered.push_str(&text[copied..]);
    Ok(rendered)
}

fn value_of(
    expression: &str,
    outputs: &Outputs,
    environment: &Environment<'_>,
    context: &Value,
) -> Result<String, TemplateError> {
    let fail = |reason: String| TemplateError { expression: expression.to_owned(), reason };
    // Slugs may hold hyphens, which the expression language takes for a minus: the plain form is looked up first.
    if let Some((slug, key)) = plain_form(expression) {
        let Some(known) = outputs.get(slug) else {
            return Err(fail(format!("node '{slug}' is not done, or is not in this plan")));
        };
        return match known.get(key) {
            Some(value) => Ok(value.clone()),
            None if known.is_empty() => Err(fail(format!("node '{slug}' wrote no outputs to $BATON_OUTPUT"))),
            None => {
                let names: Vec<&str> = known.keys().map(String::as_str).collect();
                Err(fail(format!("node '{slug}' wrote {} but not '{key}'", names.join(", "))))
            }
        };
    }
    let compiled = environment.compile_expression(expression).map_err(|error| fail(error.to_string()))?;
    let value = compiled.eval(context).map_err(|error| fail(error.to_string()))?;
    if value.is_undefined() { Err(fail("it is not defined".to_owned())) } else { Ok(value.to_string()) }
}

/// The slug and key of `nodes.<slug>.outputs.<key>`.
fn plain_form(expression: &str) -> Option<(&str, &str)> {
    let (slug, key) = expression.strip_prefix("nodes.")?.split_once(".outputs.")?;
    let plain = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c));
    (plain(slug) && plain(key)).then_some((slug, key))
}

/// Where the expressions of `text` that begin with `nodes.` or `nodes[` stand, braces included.
fn expressions(text: &str) -> impl Iterator<Item = (usize, usize)> {
    let mut from = 0;
    std::iter::from_fn(move || {
        loop {
            let start = from + text[from..].find("{{")?;
            let inner = text[start + 2..].trim_start();
            let end = start + 2 + text[start + 2..].find("}}")? + 2;
            if inner.starts_with("nodes.") || inner.starts_with("nodes[") {
                from = end;
                return Some((start, end));
            }
            from = start + 2;
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outputs() -> Outputs {
        let values = [("count".to_owned(), "3".to_owned()), ("file".to_owned(), "a b.txt".to_owned())];
        [("collect-all".to_owned(), values.into()), ("empty".to_owned(), BTreeMap::new())].into()
    }

    #[test]
    fn values_stand_where_they_are_named() {
        let text = "{{nodes.collect-all.outputs.count}} of {{ nodes.collect-all.outputs.file }}";
        assert_eq!(render(text, &outputs()).as_deref(), Ok("3 of a b.txt"));
        let by_index = "{{ nodes['collect-all'].outputs['file'] }}";
        assert_eq!(render(by_index, &outputs()).as_deref(), Ok("a b.txt"));
    }

    #[test]
    fn braces_that_mean_something_to_others_stay() {
        for text in ["docker inspect --format '{{.Id}}'", "${#list[@]}", "{% raw", "{{", "{{ nodes }}", "a{{b}}{{"] {
            assert!(!is_template(text));
            assert_eq!(render(text, &outputs()).as_deref(), Ok(text));
        }
    }

    #[test]
    fn what_is_missing_is_named() {
        let reason = |text: &str| render(text, &outputs()).expect_err("no value").to_string();
        assert_eq!(
            reason("{{nodes.later.outputs.x}}"),
            "`{{nodes.later.outputs.x}}` has no value: node 'later' is not done, or is not in this plan"
        );
        assert_eq!(
            reason("{{nodes.collect-all.outputs.x}}"),
            "`{{nodes.collect-all.outputs.x}}` has no value: node 'collect-all' wrote count, file but not 'x'"
        );
        assert_eq!(
            reason("{{nodes.empty.outputs.x}}"),
            "`{{nodes.empty.outputs.x}}` has no value: node 'empty' wrote no outputs to $BATON_OUTPUT"
        );
    }
}
