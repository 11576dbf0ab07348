//! Reads the kind of a node and the keys that belong to it.

use std::ops::RangeInclusive;

use super::color_reader;
use super::fault::{FaultKind, Faults};
use super::fields::{Fields, text, whole_number, wrong_type};
use super::keys::{COMMON_NODE_KEYS, INPUT_TYPES, KINDS, TOOL_SCOPES};
use super::node_draft::{Reference, ReferenceRole, reference};
use super::tree::{SourceLocation, Value};
use super::{stand_in, tool_reader};
use baton_model::node::{
    AgentTask, CommandLine, CommandTask, ConditionTask, DecisionTask, EarlierSession, InputType,
    NodeKind, Note, NoteSize, Question, SubPlanTask,
};
use baton_model::spelling_suggestion::closest_match;

/// Reads the kind of the node and checks that its keys fit. References to other nodes are added to
/// `references`. `None` if the file names no kind that could be meant.
pub(super) fn read(
    fields: &Fields<'_>,
    references: &mut Vec<Reference>,
    faults: &mut Faults,
) -> Option<NodeKind> {
    let written = fields.get("kind");
    let word = match written {
        Some(located) => text(located, &fields.describe_key("kind"), faults),
        None => Some("agent".to_owned()),
    };
    let meant = match word {
        Some(word) => match KINDS.iter().find(|(kind, _)| *kind == word) {
            Some(&(kind, own_keys)) => {
                refuse_keys(fields, kind, own_keys, faults);
                return Some(of_kind(kind, fields, references, faults));
            }
            None => {
                let at = written.map_or(SourceLocation::START, |located| located.at);
                let nearest = nearest_kind(&word);
                faults.add(at, unknown_kind(fields, word, nearest));
                nearest
            }
        },
        None => None,
    };
    refuse_keys_of_no_kind(fields, faults);
    meant.map(|kind| of_kind(kind, fields, references, faults))
}

fn nearest_kind(word: &str) -> Option<&'static str> {
    closest_match(word, KINDS.iter().map(|(kind, _)| *kind))
}

/// Whichever kind is meant, a key that belongs to no kind is another fault.
fn refuse_keys_of_no_kind(fields: &Fields<'_>, faults: &mut Faults) {
    let known: Vec<&str> = KINDS
        .iter()
        .flat_map(|(_, keys)| *keys)
        .chain(COMMON_NODE_KEYS)
        .copied()
        .collect();
    fields.refuse_unknown(&known, faults);
}

fn of_kind(
    kind: &str,
    fields: &Fields<'_>,
    references: &mut Vec<Reference>,
    faults: &mut Faults,
) -> NodeKind {
    match kind {
        "command" => NodeKind::Command(command_task(fields, faults)),
        "tool_call" => NodeKind::ToolCall(tool_reader::call(fields, faults)),
        "llm_decision" => NodeKind::LlmDecision(decision(fields, faults)),
        "user_input" => NodeKind::UserInput(question(fields, faults)),
        "condition" => NodeKind::Condition(condition(fields, references, faults)),
        "parallel" => NodeKind::Parallel(tool_reader::parallel(fields, faults)),
        "loop" => NodeKind::Loop(tool_reader::repeated(fields, references, faults)),
        "sub_plan" => NodeKind::SubPlan(sub_plan(fields, faults)),
        "note" => NodeKind::Note(note(fields, faults)),
        _ => NodeKind::Agent(AgentTask {
            agent: fields.text("agent", faults),
            model: fields.text("model", faults),
            prompt: fields.text("prompt", faults).unwrap_or_default(),
            tool_scope: fields.keyword("toolScope", TOOL_SCOPES, faults),
            session: earlier_session(fields, faults),
        }),
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

fn unknown_kind(fields: &Fields<'_>, found: String, nearest: Option<&'static str>) -> FaultKind {
    let known = KINDS.iter().map(|(kind, _)| *kind).collect();
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

fn command_task(fields: &Fields<'_>, faults: &mut Faults) -> CommandTask {
    let env = fields.map("env", faults).unwrap_or_default();
    let name = format!("a variable in {}", fields.describe_key("env"));
    let env = env
        .iter()
        .filter_map(|entry| Some((entry.key.clone(), text(&entry.value, &name, faults)?)))
        .collect();
    let cwd = fields.text("cwd", faults);
    CommandTask {
        command: command_line(fields, faults).unwrap_or_else(stand_in::command),
        env,
        cwd,
    }
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
) -> ConditionTask {
    for role in [ReferenceRole::TrueStep, ReferenceRole::FalseStep] {
        references.extend(reference(fields, role, faults));
    }
    let fix = "write true, false, result:ID, or an expression such as nodes.ID.outputs.count > 3";
    fields.required("condition", fix, faults);
    ConditionTask {
        condition: fields
            .text("condition", faults)
            .unwrap_or_else(stand_in::condition),
        true_step: None,
        false_step: None,
    }
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

fn sub_plan(fields: &Fields<'_>, faults: &mut Faults) -> SubPlanTask {
    let fix = "name the plan by its title or id, or by its file, relative to this one";
    fields.required("subPlanId", fix, faults);
    SubPlanTask {
        sub_plan_id: fields
            .text("subPlanId", faults)
            .unwrap_or_else(stand_in::plan_name),
        prompt: fields.text("prompt", faults).unwrap_or_default(),
    }
}
