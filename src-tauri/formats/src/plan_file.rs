//! The YAML and JSON form of a plan (product §8).
//!
//! [`read`] finds every fault of a file at once, each with line, column and mend; [`write()`] is canonical, so
//! that two equal plans give the same bytes and a diff of two files shows what changed. The file holds all of a
//! plan except its identifiers, which are made anew on import: slugs stand for them.
//!
//! Nothing here opens files or resolves directories: a plan's `cwd` stays as it is written, relative to the file.

mod check;
mod core_schema;
mod dependencies;
mod document;
mod embedded;
mod entries;
mod fault;
mod fields;
mod group_reader;
mod group_writer;
mod json_tree;
mod key_places;
mod keys;
mod kind_reader;
mod loop_step;
mod node_reader;
mod node_writer;
mod plan_reader;
mod references;
mod step_shape;
#[cfg(test)]
mod tests;
mod tool_reader;
mod tree;
mod yaml_text;
mod yaml_tree;

use std::collections::HashMap;
use std::fmt;

use uuid::Uuid;

pub use fault::{Fault, FaultKind, PlanFileError};
pub use key_places::KeyPlaces;
pub use tree::Place;

use baton_model::plan::TITLE_LENGTH_LIMIT;
use baton_model::visible_text::visible_json;
use baton_model::{NodeId, Plan};
use fault::Faults;

/// The syntax of a plan file. Both have the same shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// YAML 1.2 with the core schema.
    Yaml,
    /// JSON as in RFC 8259.
    Json,
}

impl Format {
    /// The format that the name of a file promises, by its extension.
    #[must_use]
    pub fn of_file_name(name: &str) -> Option<Self> {
        let (_, extension) = name.rsplit_once('.')?;
        match extension.to_ascii_lowercase().as_str() {
            "yaml" | "yml" => Some(Self::Yaml),
            "json" => Some(Self::Json),
            _ => None,
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Yaml => "YAML",
            Self::Json => "JSON",
        })
    }
}

/// A file that is a plan.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanFile {
    /// The plan, with new identifiers. [`Plan::problems`] finds nothing in it.
    pub plan: Plan,
    /// The plans that the file brings along and that its nodes run by their names, in the order of the file.
    pub plans: Vec<EmbeddedPlan>,
    /// Where its nodes name the plans that they run.
    pub places: SubPlanPlaces,
    /// Where its keys stand.
    pub keys: KeyPlaces,
    /// What a person may want to know before they use it, in the order of the file.
    pub warnings: Vec<Warning>,
}

/// Where nodes name the plans that they run.
pub type SubPlanPlaces = HashMap<NodeId, Place>;

/// A plan that a file brings along.
#[derive(Debug, Clone, PartialEq)]
pub struct EmbeddedPlan {
    /// By which the nodes of the file run it.
    pub name: String,
    /// The plan, with new identifiers.
    pub plan: Plan,
    /// Where its nodes name the plans that they run.
    pub places: SubPlanPlaces,
    /// Where its keys stand.
    pub keys: KeyPlaces,
}

/// Something that is allowed and probably not meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// Where it stands.
    pub at: Place,
    /// What it is.
    pub kind: WarningKind,
}

/// What may not be meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WarningKind {
    /// The plan has nothing to run.
    NoNodes,
    /// An agent is told nothing but the title.
    NoTask {
        /// The node.
        of: String,
    },
    /// A word is taken for a policy, and a node has it for its id.
    WordNotNode {
        /// The node that says so.
        of: String,
        /// The word.
        word: &'static str,
    },
    /// A step without dependencies waits for those of the place before it.
    WaitsByOrder {
        /// The step.
        of: String,
        /// The ids of those that it waits for.
        on: Vec<String>,
    },
    /// A plan that the file brings along, and that no node runs.
    UnusedPlan {
        /// Its name.
        name: String,
    },
    /// A node became the body of a loop.
    LoopStep {
        /// The loop.
        of: String,
        /// The node's id.
        step: String,
    },
}

impl fmt::Display for WarningKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoNodes => f.write_str("the plan has no nodes yet"),
            Self::NoTask { of } => write!(
                f,
                "{of} has neither prompt nor description; its agent gets only the title"
            ),
            Self::WordNotNode { of, word } => {
                write!(
                    f,
                    "\"onFailure: {word}\" of {of} is the policy, not the node {word}; a node to go on at needs another id"
                )
            }
            Self::WaitsByOrder { of, on } => {
                let on = on.join(", ");
                write!(
                    f,
                    "{of} names no dependencies and waits for {on}, as \"orderNum\" says"
                )
            }
            Self::UnusedPlan { name } => {
                write!(f, "no node runs the plan \"{name}\", so it is left out")
            }
            Self::LoopStep { of, step } => {
                write!(
                    f,
                    "node \"{step}\" is what {of} repeats, and no node of its own any more"
                )
            }
        }
    }
}

/// Reads the plan in `text`.
///
/// `file` is the name for messages, and without its extension the title of a plan that has none. `ids` is asked
/// for one identifier for the plan, one for each node, and one for each group.
pub fn read(
    text: &str,
    format: Format,
    file: &str,
    ids: &mut dyn FnMut() -> Uuid,
) -> Result<PlanFile, PlanFileError> {
    read_scope(text, format, file, Scope::File, ids)
}

/// The same for a text that need not be a whole file: `nodes:` alone, or a list of nodes.
pub fn read_part(
    text: &str,
    format: Format,
    file: &str,
    ids: &mut dyn FnMut() -> Uuid,
) -> Result<PlanFile, PlanFileError> {
    read_scope(text, format, file, Scope::Part, ids)
}

/// How much of a plan file a text has to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scope {
    File,
    Part,
}

fn read_scope(
    text: &str,
    format: Format,
    file: &str,
    scope: Scope,
    ids: &mut dyn FnMut() -> Uuid,
) -> Result<PlanFile, PlanFileError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let (mut faults, mut warnings) = (Faults::default(), Vec::new());
    let root = match format {
        Format::Yaml => yaml_tree::read(text, &mut faults),
        Format::Json => json_tree::read(text, &mut faults),
    };
    let plan = root.and_then(|root| {
        plan_reader::read(
            &root,
            &title_of(file),
            scope,
            ids,
            &mut faults,
            &mut warnings,
        )
    });
    match plan {
        Some(((plan, places, keys), plans)) if faults.is_empty() => {
            warnings.sort_by_key(|warning| warning.at);
            Ok(PlanFile {
                plan,
                plans,
                places,
                keys,
                warnings,
            })
        }
        _ => Err(PlanFileError {
            file: file.to_owned(),
            faults: faults.into_sorted(),
        }),
    }
}

/// Writes `plan`, ending in a newline. Settings at their default are left out.
///
/// Whatever [`Plan::problems`] finds fault with is written as it is, or left out where the file has no place for
/// it (an edge without its node, a position that is not a number); [`read`] would refuse it anyway.
#[must_use]
pub fn write(plan: &Plan, format: Format) -> String {
    write_with(plan, &[], format)
}

/// The same with `plans` embedded by name. Whoever calls this lets the nodes run them by these names.
#[must_use]
pub fn write_with(plan: &Plan, plans: &[(String, Plan)], format: Format) -> String {
    let document = document::of(plan, plans);
    match format {
        Format::Yaml => yaml_text::write(&document),
        Format::Json => visible_json(&document::json(&document)),
    }
}

pub(crate) fn title_of(file: &str) -> String {
    let name = file.rsplit(['/', '\\']).next().unwrap_or_default();
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    if stem.trim().is_empty() {
        "Untitled plan".to_owned()
    } else {
        stem.chars().take(TITLE_LENGTH_LIMIT).collect()
    }
}
