//! Reads the kind of a node and the keys that belong to it.

use std::ops::RangeInclusive;

use super::color_reader;
use super::fault::{FaultKind, Faults};
use super::fields::{Fields, text, whole_number, wrong_type};
use super::keys::{COMMON_NODE_KEYS, INPUT_TYPES, KINDS, TOOL_SCOPES};
use super::node_draft::{Reference, ReferenceRole, reference};
use super::tool_reader;
use super::tree::{SourceLocation, Value};
use baton_model::node::{
    AgentTask, CommandLine, CommandTask, ConditionTask, DecisionTask, EarlierSession, InputType,
    NodeKind, Note, NoteSize, Question, SubPlanTask,
};
use baton_model::spelling_suggestion::closest_match;

/// Reads the kind of the node and checks that its keys fit. References to other nodes are added to
/// `references`.
pub(super) fn read(
    fields: &Fields<'_>,
    references: &mut Vec<Reference>,
    faults: &mut Faults,
) -> Option<NodeKind> {
    let written = fields.get("kind");
    let word = match written {
        Some(located) => text(located, &fields.describe_key("kind"), faults)?,
        None => "agent".to_owned(),
    };
    let Some(&(kind, own_keys)) = KINDS.iter().find(|(kind, _)| *kind == word) else {
        let at = written.map_or(SourceLocation::START, |located| located.at);
        faults.add(at, unknown_kind(fields, word));
        // Whichever kind is meant, a key that belongs to no kind is another fault.
        let known: Vec<&str> = KINDS
            .iter()
            .flat_map(|(_, keys)| *keys)
            .chain(COMMON_NODE_KEYS)
            .copied()
            .collect();
        fields.refuse_unknown(&known, faults);
        return None;
    };
    refuse_keys(fields, kind, own_keys, faults);
    match kind {
        "command" => command_task(fields, faults).map(NodeKind::Command),
        "tool_call" => tool_reader::call(fields, faults).map(NodeKind::ToolCall),
        "llm_decision" => Some(NodeKind::LlmDecision(decision(fields, faults))),
        "user_input" => Some(NodeKind::UserInput(question(fields, faults))),
        "condition" => condition(fields, references, faults).map(NodeKind::Condition),
        "parallel" => tool_reader::parallel(fields, faults).map(NodeKind::Parallel),
        "loop" => tool_reader::repeated(fields, references, faults).map(NodeKind::Loop),
        "sub_plan" => sub_plan(fields, faults).map(NodeKind::SubPlan),
        "note" => Some(NodeKind::Note(note(fields, faults))),
        _ => Some(NodeKind::Agent(AgentTask {
            agent: fields.text("agent", faults),
            model: fields.text("model", faults),
            prompt: fields.text("prompt", faults).unwrap_or_default(),
            tool_scope: fields.keyword("toolScope", TOOL_SCOPES, faults),
            session: earlier_session(fields, faults),
        })),
    }
}

fn earlier_session(fields: &Fields<'_>, faults: &mut Faults) -> Option<EarlierSession> {
    let entries = fields.map("session", faults)?;
    let name = fields.describe_key("session");
    let session = Fields {
        owner: &name,
        entries,
    };
    session.refuse_unknown(&["id", "fork"], faults);
    let fork = session
        .flag("fork", faults)
        .unwrap_or_else(EarlierSession::default_fork);
    session.required(
        "id",
        "write the id that its agent gives the session",
        faults,
    )?;
    Some(EarlierSession {
        id: session.text("id", faults)?,
        fork,
    })
}

fn unknown_kind(fields: &Fields<'_>, found: String) -> FaultKind {
    let known: Vec<_> = KINDS.iter().map(|(kind, _)| *kind).collect();
    let nearest = closest_match(&found, known.iter().copied());
    FaultKind::UnknownWord {
        key: "kind",
        owner: fields.owner.to_owned(),
        found,
        nearest,
        known,
    }
}

/// Distinguishes keys of other kinds from unknown keys, because the fix differs.
fn refuse_keys(fields: &Fields<'_>, kind: &'static str, own_keys: &[&str], faults: &mut Faults) {
    let (mut known, mut is_first) = ([COMMON_NODE_KEYS, own_keys].concat(), true);
    let kind_is_written = fields.get("kind").is_some();
    for entry in fields
        .entries
        .iter()
        .filter(|entry| !known.contains(&entry.key.as_str()))
        .collect::<Vec<_>>()
    {
        let key = entry.key.as_str();
        let Some((belongs_to, other_keys)) = KINDS.iter().find(|(_, others)| others.contains(&key))
        else {
            continue;
        };
        // More likely a typo than a key of another kind: `timeout` is meant to be `timeoutMs`.
        if closest_match(key, COMMON_NODE_KEYS.iter().copied()).is_some() {
            continue;
        }
        known.extend(other_keys.iter().copied());
        // A wrong kind makes all keys of the right kind wrong, so it is reported once.
        if std::mem::take(&mut is_first) {
            let (key, owner) = (key.to_owned(), fields.owner.to_owned());
            faults.add(
                entry.at,
                FaultKind::MisplacedKey {
                    key,
                    owner,
                    kind,
                    belongs_to,
                    kind_is_written,
                },
            );
        }
    }
    fields.refuse_unknown(&known, faults);
}

fn command_task(fields: &Fields<'_>, faults: &mut Faults) -> Option<CommandTask> {
    let env = fields.map("env", faults).unwrap_or_default();
    let name = format!("a variable in {}", fields.describe_key("env"));
    let env = env
        .iter()
        .filter_map(|entry| Some((entry.key.clone(), text(&entry.value, &name, faults)?)))
        .collect();
    let cwd = fields.text("cwd", faults);
    Some(CommandTask {
        command: command_line(fields, faults)?,
        env,
        cwd,
    })
}

fn command_line(fields: &Fields<'_>, faults: &mut Faults) -> Option<CommandLine> {
    let fix = "write what to run: text for the shell, or a list of program and arguments";
    let located = fields.required("command", fix, faults)?;
    let (command, is_empty) = match &located.value {
        Value::List(_) => {
            let argv = fields.texts("command", faults);
            let is_empty = argv.first().is_none_or(String::is_empty);
            (CommandLine::Argv(argv), is_empty)
        }
        Value::Map(_) => {
            wrong_type(
                located,
                &fields.describe_key("command"),
                "text or a list",
                faults,
            );
            return None;
        }
        Value::Scalar(..) => {
            let line = fields.text("command", faults)?;
            let is_empty = line.trim().is_empty();
            (CommandLine::Shell(line), is_empty)
        }
    };
    if is_empty {
        faults.add(
            located.at,
            FaultKind::EmptyCommand {
                owner: fields.owner.to_owned(),
            },
        );
    }
    Some(command)
}

fn decision(fields: &Fields<'_>, faults: &mut Faults) -> DecisionTask {
    DecisionTask {
        agent: fields.text("agent", faults),
        model: fields.text("model", faults),
        prompt: fields.text("prompt", faults).unwrap_or_default(),
        choices: fields.texts("choices", faults),
    }
}

fn question(fields: &Fields<'_>, faults: &mut Faults) -> Question {
    let options = fields.texts("options", faults);
    let input_type = fields.keyword("inputType", INPUT_TYPES, faults);
    Question {
        question: fields.text("question", faults).unwrap_or_default(),
        input_type: input_type.unwrap_or_else(|| default_input_type(&options)),
        options,
        timeout: fields.whole_number("timeout", 0..=u64::MAX, faults),
    }
}

/// Options without a type imply a choice.
pub(super) fn default_input_type(options: &[String]) -> InputType {
    if options.is_empty() {
        InputType::Text
    } else {
        InputType::Choice
    }
}

fn condition(
    fields: &Fields<'_>,
    references: &mut Vec<Reference>,
    faults: &mut Faults,
) -> Option<ConditionTask> {
    for role in [ReferenceRole::TrueStep, ReferenceRole::FalseStep] {
        references.extend(reference(fields, role, faults));
    }
    let fix = "write true, false, result:ID, or an expression such as nodes.ID.outputs.count > 3";
    fields.required("condition", fix, faults)?;
    Some(ConditionTask {
        condition: fields.text("condition", faults)?,
        true_step: None,
        false_step: None,
    })
}

fn note(fields: &Fields<'_>, faults: &mut Faults) -> Note {
    Note {
        text: fields.text("text", faults).unwrap_or_default(),
        color: color_reader::read(fields, faults),
        size: note_size(fields, faults),
    }
}

fn note_size(fields: &Fields<'_>, faults: &mut Faults) -> Option<NoteSize> {
    let entries = fields.map("size", faults)?;
    let name = fields.describe_key("size");
    let size = Fields {
        owner: &name,
        entries,
    };
    size.refuse_unknown(&["width", "height"], faults);
    let fix = "write {width: 240, height: 120}, or leave the size out";
    let mut side = |key, range: RangeInclusive<u32>| {
        let located = size.required(key, fix, faults)?;
        whole_number(
            located,
            key,
            &name,
            u64::from(*range.start())..=u64::from(*range.end()),
            faults,
        )
    };
    let (width, height) = (
        side("width", NoteSize::WIDTHS),
        side("height", NoteSize::HEIGHTS),
    );
    Some(NoteSize {
        width: width?,
        height: height?,
    })
}

fn sub_plan(fields: &Fields<'_>, faults: &mut Faults) -> Option<SubPlanTask> {
    let fix = "name the plan by its title or id, or by its file, relative to this one";
    fields.required("subPlanId", fix, faults)?;
    let prompt = fields.text("prompt", faults).unwrap_or_default();
    Some(SubPlanTask {
        sub_plan_id: fields.text("subPlanId", faults)?,
        prompt,
    })
}
