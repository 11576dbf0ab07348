//! Nodes that call tools or ask a condition: the work file of their session, with every template filled in.

use std::collections::BTreeMap;
use std::path::Path;

use baton_agents::tool::ToolSession;
use baton_model::Plan;
use baton_model::expression::Values;
use baton_model::node::{LoopBody, Node, NodeKind, ToolCall};
use baton_model::outcome::Failure;
use baton_model::plan::Autonomy;
use baton_tools::{McpServer, RoundPart, RoundText, Task, ToolName, Work, stray_place};
use serde_json::{Map, Value};

use super::Reading;
use super::directory::directory;
use super::received::context;
use super::text::bad_input;
use crate::job::Job;
use crate::shell_line;
use crate::template::{self, Outputs, Piece};
use crate::workshop::Workshop;

/// The tool whose argument `command` is a line for the shell.
const SHELL_TOOL: &str = "shell";

pub(super) fn read_work(
    job: &Job,
    node: &Node,
    task: Task,
    workshop: &Workshop,
) -> Result<Reading, Failure> {
    let directory = directory(job, node, workshop, None)?;
    refuse_unnamed(&job.run.plan, &node.kind, &task, &directory)?;
    let work = Work {
        task,
        servers: servers_for(&node.kind, workshop.tools.servers()),
        directory: directory.clone(),
        data_directory: workshop.data_directory.clone(),
        baton: workshop.tools.baton().clone(),
    };
    let program = workshop.tools.program().display().to_string();
    Ok(Reading {
        driver: Box::new(ToolSession::default()),
        agent: None,
        task: None,
        directory,
        told: told(&work),
        context: context(job, node),
        command: Some((vec![program, "run".to_owned()], BTreeMap::new())),
        work: Some(work),
        place: None,
    })
}

/// What the node's own session has to do; `None` for kinds that are not done by `baton-tool`.
pub(super) fn task_of(
    kind: &NodeKind,
    outputs: &Outputs,
    values: Values,
) -> Result<Option<Task>, Failure> {
    Ok(Some(match kind {
        NodeKind::ToolCall(call) => Task::Call {
            call: filled(call, outputs)?,
        },
        NodeKind::Parallel(task) => Task::Parallel {
            calls: task
                .steps
                .iter()
                .map(|call| filled(call, outputs))
                .collect::<Result<_, _>>()?,
            wait_all: task.wait_all,
            limit: task.max_concurrent,
        },
        NodeKind::Loop(task) => match &task.body {
            LoopBody::Tool(call) => {
                let (call, texts) = filled_step(call, outputs)?;
                let (max_iterations, loop_condition) =
                    (task.max_iterations, task.loop_condition.clone());
                Task::Loop {
                    call,
                    max_iterations,
                    loop_condition,
                    values,
                    texts,
                }
            }
            LoopBody::Plan(_) => return Ok(None),
        },
        NodeKind::Condition(task) => Task::Condition {
            condition: task.condition.clone(),
            values,
        },
        _ => return Ok(None),
    }))
}

/// Refuses a call that the approval of the plan does not name: a value of the run leads it out of `directory`, or to a
/// server where nobody may be asked.
fn refuse_unnamed(
    plan: &Plan,
    kind: &NodeKind,
    task: &Task,
    directory: &Path,
) -> Result<(), Failure> {
    let level = plan.settings.effective_autonomy();
    let calls = match task {
        Task::Call { call } | Task::Loop { call, .. } => std::slice::from_ref(call),
        Task::Parallel { calls, .. } => calls,
        Task::Condition { .. } => &[],
    };
    for (written, filled) in kind.tool_calls().iter().zip(calls) {
        if let Some(url) = plan
            .open_address(written)
            .filter(|_| level == Autonomy::RefuseGuarded)
        {
            let detail = format!(
                "the plan leaves the address {url} open, and at level 3 nobody is asked: write the server into the plan"
            );
            return Err(Failure::BadInput { detail });
        }
        if let Some(place) = stray_place(written, filled, directory) {
            return Err(Failure::BadInput {
                detail: format!(
                    "{} {place} lies outside of {}: write the place into the plan, so that its approval names it",
                    written.tool_name,
                    directory.display()
                ),
            });
        }
    }
    Ok(())
}

/// Those of `servers` whose tools the node calls. The others are not its business.
fn servers_for(kind: &NodeKind, servers: Vec<McpServer>) -> Vec<McpServer> {
    let is_named = |server: &McpServer| {
        let alone = std::slice::from_ref(server);
        let meant = |call: &ToolCall| {
            matches!(
                ToolName::parse(&call.tool_name, alone),
                ToolName::Mcp { .. }
            )
        };
        kind.tool_calls().iter().any(meant)
    };
    servers.into_iter().filter(is_named).collect()
}

/// What a person reads of the work before it is done.
fn told(work: &Work) -> String {
    let line = |call: &ToolCall| {
        format!(
            "{} {}",
            call.tool_name,
            Value::Object(call.tool_args.clone())
        )
    };
    match &work.task {
        Task::Call { call } => line(call),
        Task::Parallel { calls, .. } => calls.iter().map(line).collect::<Vec<_>>().join("\n"),
        Task::Loop {
            call,
            max_iterations,
            loop_condition,
            ..
        } => {
            let until = loop_condition
                .as_ref()
                .map(|condition| format!(", while {condition}"))
                .unwrap_or_default();
            format!("up to {max_iterations} times{until}:\n{}", line(call))
        }
        Task::Condition { condition, .. } => condition.clone(),
    }
}

/// What a person reads of a node that has not been prepared: its own words, templates and all.
pub(super) fn outline(kind: &NodeKind) -> String {
    let line = |call: &ToolCall| {
        format!(
            "{} {}",
            call.tool_name,
            Value::Object(call.tool_args.clone())
        )
    };
    let calls: Vec<String> = kind.tool_calls().iter().map(line).collect();
    match kind {
        NodeKind::Condition(task) => task.condition.clone(),
        kind => kind.sub_plan().map_or_else(
            || calls.join("\n"),
            |plan| {
                format!("the plan '{}'\n\n{}", plan.sub_plan_id, plan.prompt)
                    .trim_end()
                    .to_owned()
            },
        ),
    }
}

/// The call with its templates filled in. In a line for the shell a value travels as a variable and never as text.
fn filled(call: &ToolCall, outputs: &Outputs) -> Result<ToolCall, Failure> {
    Ok(Filling {
        outputs,
        in_step: false,
        texts: Vec::new(),
    }
    .call(call)?
    .0)
}

/// The call of a loop's step, and those of its texts that each iteration puts together.
fn filled_step(call: &ToolCall, outputs: &Outputs) -> Result<(ToolCall, Vec<RoundText>), Failure> {
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
    texts: Vec<RoundText>,
}

impl Filling<'_> {
    fn call(mut self, call: &ToolCall) -> Result<(ToolCall, Vec<RoundText>), Failure> {
        let mut arguments = Map::new();
        let mut variables = Vec::new();
        for (name, value) in &call.tool_args {
            let value = match value {
                Value::String(line) if name == "command" && call.tool_name == SHELL_TOOL => {
                    let (line, meant) = shell_line::refer(self.pieces(line)?);
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

    /// The text that `pieces` make, as far as it is known before the iteration.
    fn text(&mut self, pieces: Vec<Piece>, pointer: &str) -> Value {
        let is_open = pieces.iter().any(|piece| matches!(piece, Piece::Round(_)));
        let part = |piece| match piece {
            Piece::Text(text) | Piece::Value(text) => RoundPart::Text(text),
            Piece::Words(words) => RoundPart::Text(words.join(" ")),
            Piece::Round(what) => RoundPart::Round(what),
        };
        let parts: Vec<RoundPart> = pieces.into_iter().map(part).collect();
        let known = parts.iter().filter_map(|part| match part {
            RoundPart::Text(text) => Some(text.as_str()),
            RoundPart::Round(_) => None,
        });
        let known = Value::String(known.collect());
        if is_open {
            self.texts.push(RoundText {
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

/// A name as a JSON pointer holds it.
fn token(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}
