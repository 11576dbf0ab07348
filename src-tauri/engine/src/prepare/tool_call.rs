//! Tool calls with every template filled in.

use baton_model::node::ToolCall;
use baton_model::outcome::Failure;
use baton_tools::{IterationPart, IterationText};
use serde_json::{Map, Value};

use super::text::bad_input;
use crate::shell_line;
use crate::template::{self, Outputs, Piece};

/// The tool whose argument `command` is a shell line.
const SHELL_TOOL: &str = "shell";

/// The call with its templates filled in. In a shell line a value is passed as a variable and never
/// as text.
pub(super) fn filled(call: &ToolCall, outputs: &Outputs) -> Result<ToolCall, Failure> {
    Ok(Filling {
        outputs,
        in_step: false,
        texts: Vec::new(),
    }
    .call(call)?
    .0)
}

/// The call of a loop step, and those of its texts that each iteration fills in.
pub(super) fn filled_step(
    call: &ToolCall,
    outputs: &Outputs,
) -> Result<(ToolCall, Vec<IterationText>), Failure> {
    Filling {
        outputs,
        in_step: true,
        texts: Vec::new(),
    }
    .call(call)
}

/// Fills in the templates of one call.
struct Filling<'a> {
    outputs: &'a Outputs,
    in_step: bool,
    texts: Vec<IterationText>,
}

impl Filling<'_> {
    fn call(mut self, call: &ToolCall) -> Result<(ToolCall, Vec<IterationText>), Failure> {
        let mut arguments = Map::new();
        let mut variables = Vec::new();
        for (name, value) in &call.tool_args {
            let value = match value {
                Value::String(line) if name == "command" && call.tool_name == SHELL_TOOL => {
                    let (line, meant) = shell_line::with_variable_references(self.pieces(line)?);
                    variables = meant;
                    Value::String(line)
                }
                value => self.value(value, &format!("/{}", token(name)))?,
            };
            arguments.insert(name.clone(), value);
        }
        self.put_variables(variables, &mut arguments)?;
        Ok((
            ToolCall {
                tool_name: call.tool_name.clone(),
                tool_args: arguments,
            },
            self.texts,
        ))
    }

    fn put_variables(
        &mut self,
        variables: Vec<(String, Piece)>,
        arguments: &mut Map<String, Value>,
    ) -> Result<(), Failure> {
        if variables.is_empty() {
            return Ok(());
        }
        let Value::Object(env) = arguments
            .entry("env")
            .or_insert_with(|| Value::Object(Map::new()))
        else {
            return Err(Failure::BadInput {
                detail: "the argument env of shell must be an object".to_owned(),
            });
        };
        for (name, piece) in variables {
            let value = self.text(vec![piece], &format!("/env/{name}"));
            env.insert(name, value);
        }
        Ok(())
    }

    fn pieces(&self, text: &str) -> Result<Vec<Piece>, Failure> {
        template::pieces(text, self.outputs, self.in_step).map_err(bad_input)
    }

    /// The text of `pieces`, as far as it is known before the iteration.
    fn text(&mut self, pieces: Vec<Piece>, pointer: &str) -> Value {
        let is_open = pieces.iter().any(|piece| matches!(piece, Piece::Round(_)));
        let part = |piece| match piece {
            Piece::Text(text) | Piece::Value(text) => IterationPart::Text(text),
            Piece::Words(words) => IterationPart::Text(words.join(" ")),
            Piece::Round(what) => IterationPart::Round(what),
        };
        let parts: Vec<IterationPart> = pieces.into_iter().map(part).collect();
        let known = parts.iter().filter_map(|part| match part {
            IterationPart::Text(text) => Some(text.as_str()),
            IterationPart::Round(_) => None,
        });
        let known = Value::String(known.collect());
        if is_open {
            self.texts.push(IterationText {
                pointer: pointer.to_owned(),
                parts,
            });
        }
        known
    }

    fn value(&mut self, value: &Value, pointer: &str) -> Result<Value, Failure> {
        Ok(match value {
            Value::String(text) => {
                let pieces = self.pieces(text)?;
                self.text(pieces, pointer)
            }
            Value::Array(items) => {
                let items = items.iter().enumerate();
                Value::Array(
                    items
                        .map(|(at, item)| self.value(item, &format!("{pointer}/{at}")))
                        .collect::<Result<_, _>>()?,
                )
            }
            Value::Object(fields) => {
                let filled = fields.iter().map(|(name, field)| {
                    Ok((
                        name.clone(),
                        self.value(field, &format!("{pointer}/{}", token(name)))?,
                    ))
                });
                Value::Object(filled.collect::<Result<_, Failure>>()?)
            }
            value => value.clone(),
        })
    }
}

/// A name as a JSON pointer token.
fn token(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}
