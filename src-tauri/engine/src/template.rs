//! `{{nodes.<slug>.outputs.<key>}}`, `{{nodes.<slug>.error.message}}` and `{{context.<key>}}` in
//! prompts and commands, and within the body of a loop `{{loop.index}}` and `{{loop.previous.outputs.<key>}}`.
//!
//! Only such expressions are replaced, those of loops only in a loop body, and only in the node's
//! own texts. Commands are full of braces with other meanings (`docker inspect --format '{{.Id}}'`,
//! `${#list[@]}`), which must stay as they are. A handoff from a parent is plain text and is never
//! parsed for templates.

mod context_value;

use std::collections::{BTreeMap, BTreeSet};

use baton_model::Artifact;
use baton_model::context::FailureReport;
use baton_model::expression::missing_output;
use baton_model::loop_round::{LoopRound, LoopValue, LoopValueError};
use baton_model::plan::ToolOutput;
use baton_model::template_text::{self, ITERATION, LoopScope, TextPart};
use baton_secrets::MASK;
use minijinja::{Environment, UndefinedBehavior, Value};

/// The values that templates can refer to.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Outputs {
    /// The nodes that have ended, by slug.
    pub(crate) nodes: BTreeMap<String, NodeTexts>,
    /// The loop whose body contains the templates; `None` elsewhere.
    pub(crate) round: Option<LoopRound>,
    /// The tool outputs in the plan's context. While there are none, `{{context.…}}` means nothing
    /// to Baton and stays as it is.
    pub(crate) context: BTreeMap<String, ToolOutput>,
}

/// A part of a text with templates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    /// Text outside of expressions, as the author wrote it.
    Text(String),
    /// The value of an expression.
    Value(String),
    /// The values of an expression with `| split`.
    Words(Vec<String>),
    /// A loop value that only the iteration knows.
    Round(LoopValue),
}

/// The parts of one node that templates can refer to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct NodeTexts {
    pub(crate) outputs: BTreeMap<String, String>,
    /// The names of outputs that programs do not get, since a secret was masked in them.
    pub(crate) hidden: BTreeSet<String>,
    /// Whether the node wrote more outputs than were read.
    pub(crate) is_cut: bool,
    /// How it failed; all texts are empty if it did not.
    pub(crate) error: ErrorTexts,
}

/// The parts of a failure that templates can refer to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ErrorTexts {
    /// The reason, as a fragment: "ended with exit code 1".
    pub(crate) message: String,
    /// Empty when its process has no exit code.
    pub(crate) exit_code: String,
    /// The end of what it printed or said.
    pub(crate) output: String,
}

impl From<&FailureReport> for NodeTexts {
    fn from(report: &FailureReport) -> Self {
        let error = ErrorTexts {
            message: report.message(),
            exit_code: report
                .exit_code()
                .map(|code| code.to_string())
                .unwrap_or_default(),
            output: report.output().to_owned(),
        };
        let is_cut = !report.outputs_left_out().is_empty();
        Self {
            outputs: report.outputs(),
            is_cut,
            error,
            ..Self::default()
        }
    }
}

impl From<&Artifact> for NodeTexts {
    fn from(artifact: &Artifact) -> Self {
        let is_cut = !artifact.outputs_left_out.is_empty();
        Self {
            outputs: artifact.outputs.clone(),
            is_cut,
            ..Self::default()
        }
    }
}

impl Outputs {
    /// The same for a program, which would take a masked secret for the value.
    pub(crate) fn for_programs(mut self) -> Self {
        for texts in self.nodes.values_mut() {
            texts.hidden = texts
                .outputs
                .iter()
                .filter(|(_, value)| value.contains(MASK))
                .map(|(key, _)| key.clone())
                .collect();
            texts.outputs.retain(|_, value| !value.contains(MASK));
        }
        self
    }

    /// Returns why an expression has no value, if that is because of a secret.
    fn hidden_in(&self, expression: &str) -> Option<String> {
        let names = |key: &&String| {
            expression
                .split(|c: char| !(c.is_ascii_alphanumeric() || "_-".contains(c)))
                .any(|word| word == *key)
        };
        let is_named = |slug: &str| expression.contains(slug);
        let mut hidden = self
            .nodes
            .iter()
            .filter(|(slug, _)| is_named(slug))
            .flat_map(|(slug, texts)| texts.hidden.iter().map(move |key| (slug, key)));
        let (slug, key) = hidden.find(|(_, key)| names(key))?;
        Some(format!(
            "the output '{key}' of node '{slug}' contained a secret, which Baton does not store: read it from its source, such as an environment variable"
        ))
    }
}

impl ErrorTexts {
    fn named(&self) -> [(&'static str, &str); 3] {
        [
            ("message", &self.message),
            ("exitCode", &self.exit_code),
            ("output", &self.output),
        ]
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.named()
            .into_iter()
            .find_map(|(known, text)| (known == name).then_some(text))
    }
}

/// An expression that has no value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{{{{{expression}}}}}` has no value: {reason}")]
pub(crate) struct TemplateError {
    /// The text between the braces.
    pub(crate) expression: String,
    pub(crate) reason: String,
}

/// Returns whether rendering may change `text`; most texts stay as they are, and need no outputs.
pub(crate) fn is_template(text: &str) -> bool {
    template_text::template_parts(text, LoopScope::Step).any(|part| part != TextPart::Text(text))
}

/// `text` with every expression replaced by its value.
pub(crate) fn render(text: &str, outputs: &Outputs) -> Result<String, TemplateError> {
    let words = |piece| match piece {
        Piece::Text(text) | Piece::Value(text) => text,
        // Only shell lines have several words.
        Piece::Words(words) => words.join(" "),
        Piece::Round(_) => String::new(),
    };
    Ok(pieces(text, outputs, false)?
        .into_iter()
        .map(words)
        .collect())
}

/// `text` split into its parts. In a tool step of a loop, loop expressions stay unresolved: their
/// value differs by iteration.
pub(crate) fn pieces(
    text: &str,
    outputs: &Outputs,
    in_step: bool,
) -> Result<Vec<Piece>, TemplateError> {
    let mut environment = Environment::empty();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    let nodes = outputs.nodes.iter().map(|(slug, texts)| {
        let outputs = Value::from_pairs(
            texts
                .outputs
                .iter()
                .map(|(key, value)| (key.as_str(), value.as_str())),
        );
        let error = Value::from_pairs(texts.error.named());
        (
            slug.as_str(),
            Value::from_pairs([("outputs", outputs), ("error", error)]),
        )
    });
    let nodes = Value::from_pairs(nodes);
    let context = context_value::root(&outputs.context);
    let names = Value::from_pairs([("nodes", nodes), ("context", context)]);
    let scope = match (in_step, &outputs.round) {
        (true, _) => LoopScope::Step,
        (false, Some(_)) => LoopScope::Body,
        (false, None) => LoopScope::Outside,
    };
    let piece = |part| match part {
        TextPart::Text(text) => Ok(Piece::Text(text.to_owned())),
        TextPart::Expression(expression) if scope.names_loop(expression.text) => {
            loop_piece(expression.text, outputs.round.as_ref().filter(|_| !in_step))
        }
        TextPart::Expression(expression)
            if expression.is_context() && outputs.context.is_empty() =>
        {
            Ok(Piece::Text(expression.source.to_owned()))
        }
        TextPart::Expression(expression) => {
            let value =
                value_of(expression.text, outputs, &environment, &names).map_err(|error| {
                    let reason = outputs.hidden_in(expression.text).unwrap_or(error.reason);
                    TemplateError {
                        expression: error.expression,
                        reason,
                    }
                })?;
            let words = || value.split_whitespace().map(str::to_owned).collect();
            Ok(if expression.is_split {
                Piece::Words(words())
            } else {
                Piece::Value(value)
            })
        }
    };
    let pieces = template_text::template_parts(text, scope).map(piece);
    Ok(merge_texts(pieces.collect::<Result<_, _>>()?))
}

/// Joins texts that follow each other, as a value is expected between any two.
fn merge_texts(pieces: Vec<Piece>) -> Vec<Piece> {
    let mut merged: Vec<Piece> = Vec::with_capacity(pieces.len());
    for piece in pieces {
        match (merged.last_mut(), piece) {
            (Some(Piece::Text(before)), Piece::Text(text)) => before.push_str(&text),
            (_, piece) => merged.push(piece),
        }
    }
    merged
}

fn loop_piece(expression: &str, round: Option<&LoopRound>) -> Result<Piece, TemplateError> {
    let fail = |error: LoopValueError| TemplateError {
        expression: expression.to_owned(),
        reason: error.to_string(),
    };
    let what = if expression == ITERATION {
        LoopValue::Index
    } else {
        LoopValue::parse(expression).map_err(fail)?
    };
    match round {
        Some(round) => Ok(Piece::Value(round.value(&what).map_err(fail)?)),
        None => Ok(Piece::Round(what)),
    }
}

fn value_of(
    expression: &str,
    outputs: &Outputs,
    environment: &Environment<'_>,
    names: &Value,
) -> Result<String, TemplateError> {
    let fail = |reason: String| TemplateError {
        expression: expression.to_owned(),
        reason,
    };
    // Slugs may contain hyphens, which the expression language parses as minus: the plain form is
    // tried first.
    if let Some((slug, field)) = plain_form(expression) {
        let Some(known) = outputs.nodes.get(slug) else {
            return Err(fail(format!(
                "node '{slug}' is not done, or is not in this plan"
            )));
        };
        return match field {
            Field::Output(key) => known
                .outputs
                .get(key)
                .cloned()
                .ok_or_else(|| fail(missing_output(slug, key, &known.outputs, known.is_cut))),
            Field::Error(key) => known
                .error
                .get(key)
                .map(str::to_owned)
                .ok_or_else(|| fail(no_error_text(key))),
        };
    }
    if let Some(found) = context_value::plain(expression, &outputs.context) {
        return found.map_err(|error| fail(error.to_string()));
    }
    let compiled = environment
        .compile_expression(expression)
        .map_err(|error| fail(error.to_string()))?;
    let value = compiled
        .eval(names)
        .map_err(|error| fail(error.to_string()))?;
    if value.is_undefined() {
        Err(fail("it is not defined".to_owned()))
    } else {
        Ok(value.to_string())
    }
}

fn no_error_text(key: &str) -> String {
    format!("an error has message, exitCode and output, but not '{key}'")
}

/// The part of a node that an expression refers to.
enum Field<'a> {
    Output(&'a str),
    Error(&'a str),
}

/// The slug and field of `nodes.<slug>.outputs.<key>` and `nodes.<slug>.error.<key>`.
fn plain_form(expression: &str) -> Option<(&str, Field<'_>)> {
    let rest = expression.strip_prefix("nodes.")?;
    let plain = |text: &str| {
        !text.is_empty()
            && text
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c))
    };
    let output = rest
        .split_once(".outputs.")
        .map(|(slug, key)| (slug, key, Field::Output(key)));
    let error = || {
        rest.split_once(".error.")
            .map(|(slug, key)| (slug, key, Field::Error(key)))
    };
    let (slug, key, field) = output.or_else(error)?;
    (plain(slug) && plain(key)).then_some((slug, field))
}

/// The slugs of the nodes whose errors `text` refers to.
pub(crate) fn slugs_in_error_expressions(text: &str) -> Vec<&str> {
    let expressions =
        template_text::template_parts(text, LoopScope::Outside).filter_map(|part| match part {
            TextPart::Expression(expression) => Some(expression.text),
            TextPart::Text(_) => None,
        });
    let asks = expressions.filter(|expression| expression.contains("error"));
    asks.flat_map(|expression| expression.split("nodes").skip(1))
        .filter_map(slug_at_the_start)
        .collect()
}

/// The slug at the start of `.a-slug.error.message` or `['a-slug'].error.message`.
fn slug_at_the_start(text: &str) -> Option<&str> {
    let text = text
        .strip_prefix('.')
        .or_else(|| text.strip_prefix('[')?.strip_prefix(['\'', '"']))?;
    let end = text
        .find(|c: char| !(c.is_ascii_alphanumeric() || "_-".contains(c)))
        .unwrap_or(text.len());
    Some(&text[..end]).filter(|slug| !slug.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outputs() -> Outputs {
        let values = [
            ("count".to_owned(), "3".to_owned()),
            ("file".to_owned(), "a b.txt".to_owned()),
        ];
        let error = ErrorTexts {
            message: "ended with exit code 2".to_owned(),
            exit_code: "2".to_owned(),
            output: "no such file".to_owned(),
        };
        let texts = |outputs: BTreeMap<String, String>, error| NodeTexts {
            outputs,
            error,
            ..NodeTexts::default()
        };
        let nodes = [
            (
                "collect-all".to_owned(),
                texts(values.into(), ErrorTexts::default()),
            ),
            ("empty".to_owned(), NodeTexts::default()),
            ("build-it".to_owned(), texts(BTreeMap::new(), error)),
        ];
        Outputs {
            nodes: nodes.into(),
            ..Outputs::default()
        }
    }

    #[test]
    fn loop_expressions_are_valid_only_in_the_loop_body() {
        let text = "{{loop.index}}: {{ loop.previous.outputs.n }} of {{nodes.collect-all.outputs.count}} {{loop}}";
        assert_eq!(
            render(text, &outputs()).as_deref(),
            Ok("{{loop.index}}: {{ loop.previous.outputs.n }} of 3 {{loop}}"),
            "outside of a loop it is plain text"
        );
        let previous = [("n".to_owned(), "{{loop.index}}".to_owned())].into();
        let body = Outputs {
            round: Some(LoopRound {
                index: 2,
                previous: Some(previous),
            }),
            ..outputs()
        };
        assert_eq!(
            render(text, &body).as_deref(),
            Ok("2: {{loop.index}} of 3 {{loop}}"),
            "output of an iteration is plain text"
        );
        let wrong = render("{{loop.count}}", &body)
            .expect_err("no such value")
            .to_string();
        assert_eq!(
            wrong,
            "`{{loop.count}}` has no value: a loop has loop.index and loop.previous.outputs.<key>"
        );
        let step = pieces(
            "{{loop.index}}{{nodes.collect-all.outputs.count}}",
            &body,
            true,
        )
        .expect("valid template");
        let named: Vec<_> = step
            .into_iter()
            .filter(|piece| *piece != Piece::Text(String::new()))
            .collect();
        assert_eq!(
            named,
            [Piece::Round(LoopValue::Index), Piece::Value("3".to_owned())],
            "the step's own loop applies"
        );
    }

    #[test]
    fn error_expressions_render() {
        let text = "{{nodes.build-it.error.message}} ({{ nodes['build-it'].error.exitCode }}): \
                    {{nodes.build-it.error.output}}";
        assert_eq!(
            render(text, &outputs()).as_deref(),
            Ok("ended with exit code 2 (2): no such file")
        );
        assert_eq!(
            render("[{{nodes.empty.error.message}}]", &outputs()).as_deref(),
            Ok("[]"),
            "it did not fail"
        );
        let wrong = render("{{nodes.build-it.error.code}}", &outputs()).expect_err("no such field");
        assert_eq!(
            wrong.reason,
            "an error has message, exitCode and output, but not 'code'"
        );
        assert_eq!(slugs_in_error_expressions(text), ["build-it"; 3]);
        assert!(slugs_in_error_expressions("nodes.a.error {{nodes.b.outputs.x}}").is_empty());
    }

    #[test]
    fn expressions_are_replaced_by_values() {
        let text = "{{nodes.collect-all.outputs.count}} of {{ nodes.collect-all.outputs.file }}";
        assert_eq!(render(text, &outputs()).as_deref(), Ok("3 of a b.txt"));
        let by_index = "{{ nodes['collect-all'].outputs['file'] }}";
        assert_eq!(render(by_index, &outputs()).as_deref(), Ok("a b.txt"));
    }

    #[test]
    fn context_expressions_render() {
        let output = |data| ToolOutput {
            tool: "odoo".to_owned(),
            operation: "read".to_owned(),
            data,
        };
        let invoice = serde_json::json!({"id": 12, "to": "a@b.c {{nodes.x.outputs.y}}", "lines": [{"sum": 1.5}]});
        let with_context = Outputs {
            context: [
                ("invoice-1".to_owned(), output(invoice)),
                ("a b".to_owned(), output("text".into())),
            ]
            .into(),
            ..outputs()
        };
        for (text, expected) in [
            ("{{context.invoice-1.id}}", "12"),
            ("{{ context.invoice-1.lines.0.sum }}", "1.5"),
            ("{{context['invoice-1'].lines[0].sum}}", "1.5"),
            ("{{context.invoice-1.lines}}", "[{\"sum\":1.5}]"),
            ("{{context['a b']}}", "text"),
            ("{{context.invoice-1.to}}", "a@b.c {{nodes.x.outputs.y}}"),
            ("{{.context.id}} {{context}}", "{{.context.id}} {{context}}"),
        ] {
            assert_eq!(
                render(text, &with_context).as_deref(),
                Ok(expected),
                "{text}"
            );
        }
        let reason = |text| render(text, &with_context).expect_err("no value").reason;
        assert_eq!(
            reason("{{context.gone.id}}"),
            "the plan's context has a b, invoice-1 but not 'gone'"
        );
        assert_eq!(
            reason("{{context.invoice-1.sum}}"),
            "'invoice-1' in the plan's context has no 'sum'"
        );
    }

    #[test]
    fn context_expressions_are_text_in_plans_without_context() {
        let text =
            "echo '{{context.id}}' {{ context['x'] | split }} {{nodes.collect-all.outputs.count}}";
        assert_eq!(
            pieces(text, &outputs(), false),
            Ok(vec![
                Piece::Text("echo '{{context.id}}' {{ context['x'] | split }} ".to_owned()),
                Piece::Value("3".to_owned())
            ])
        );
    }

    #[test]
    fn unrelated_braces_are_kept() {
        for text in [
            "docker inspect --format '{{.Id}}'",
            "${#list[@]}",
            "{% raw",
            "{{",
            "{{ nodes }}",
            "a{{b}}{{",
        ] {
            assert!(!is_template(text));
            assert_eq!(render(text, &outputs()).as_deref(), Ok(text));
        }
    }

    #[test]
    fn missing_values_are_named_in_the_error() {
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

    /// A program cannot use a masked value; an agent can read that there was one.
    #[test]
    fn secret_in_argument_error_suggests_environment() {
        let values = [
            ("url".to_owned(), format!("https://{MASK}@host/")),
            ("name".to_owned(), "x".to_owned()),
        ];
        let texts = NodeTexts {
            outputs: values.into(),
            ..NodeTexts::default()
        };
        let outputs = Outputs {
            nodes: [("log-in".to_owned(), texts)].into(),
            ..Outputs::default()
        };
        assert_eq!(
            render("{{nodes.log-in.outputs.url}}", &outputs).as_deref(),
            Ok("https://[secret]@host/")
        );
        let outputs = outputs.for_programs();
        assert_eq!(
            render("{{nodes.log-in.outputs.name}}", &outputs).as_deref(),
            Ok("x")
        );
        for expression in [
            "nodes.log-in.outputs.url",
            "nodes['log-in'].outputs.url ~ 'x'",
        ] {
            let error = render(&format!("{{{{{expression}}}}}"), &outputs).expect_err("refused");
            assert!(
                error
                    .reason
                    .contains("the output 'url' of node 'log-in' contained a secret"),
                "{}",
                error.reason
            );
        }
        let missing =
            render("{{nodes.log-in.outputs.other}}", &outputs).expect_err("no such value");
        assert!(
            missing.reason.contains("but not 'other'"),
            "{}",
            missing.reason
        );
    }
}
