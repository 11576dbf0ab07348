//! A plan as a file: YAML, JSON or Markdown.
//!
//! [`read`] finds all faults of a file at once, each with line, column and fix. [`write()`] is
//! canonical: equal plans give the same bytes, and a diff of two files shows what changed. A file
//! holds all of a plan except its identifiers, which an import creates; within the file, slugs
//! identify nodes.
//!
//! Nothing here opens files or resolves directories: a plan's `cwd` stays as written, relative to
//! the file.

mod check;
mod color_reader;
mod context_reader;
mod context_writer;
mod core_schema;
mod dependencies;
mod document;
mod duplicate_keys;
pub mod edit;
mod embedded;
mod entries;
pub(crate) mod fault;
mod fields;
mod file_reader;
mod group_reader;
mod group_writer;
pub(crate) mod json_tree;
mod key_locations;
mod keys;
mod kind_reader;
mod loop_step;
mod markdown;
mod node_draft;
mod node_reader;
mod node_writer;
mod own_pilot_order;
mod own_pilot_step;
mod plan_reader;
mod plan_writer;
mod project_rules;
mod references;
mod stand_in;
#[cfg(test)]
mod tests;
mod tool_reader;
pub(crate) mod tree;
mod yaml_text;
pub(crate) mod yaml_tree;

use std::collections::HashMap;
use std::fmt;

use uuid::Uuid;

pub use fault::{Fault, FaultKind, PlanFileError};
pub use key_locations::KeyLocations;
pub use markdown::{DocumentHeader, DocumentStatus};
pub use project_rules::read_project_rules;
pub use tree::SourceLocation;

use baton_model::plan::TITLE_LENGTH_LIMIT;
use baton_model::visible_text::escape_invisible_json;
use baton_model::{NodeId, Plan};
use fault::Faults;

/// The syntax of a plan file. YAML and JSON have the same shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// YAML 1.2 with the core schema, as Baton reads and writes it.
    Yaml,
    /// JSON according to RFC 8259.
    Json,
    /// Front matter, and sections for steps, context and risks.
    Markdown,
}

impl Format {
    /// The format of a file with this name, by its extension.
    #[must_use]
    pub fn from_file_name(name: &str) -> Option<Self> {
        let (_, extension) = name.rsplit_once('.')?;
        match extension.to_ascii_lowercase().as_str() {
            "yaml" | "yml" => Some(Self::Yaml),
            "json" => Some(Self::Json),
            "md" | "markdown" => Some(Self::Markdown),
            _ => None,
        }
    }

    /// The format that `text` looks like. What looks like none is YAML.
    #[must_use]
    pub fn detect(text: &str) -> Self {
        let text = text.trim_start_matches('\u{feff}');
        let mut lines = text.lines().map(str::trim_end);
        let has_front_matter = lines.next() == Some("---") && lines.any(|line| line == "---");
        match text.trim_start().starts_with('{') {
            true => Self::Json,
            false if has_front_matter => Self::Markdown,
            false => Self::Yaml,
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Yaml => "YAML",
            Self::Json => "JSON",
            Self::Markdown => "Markdown",
        })
    }
}

/// A plan file that was read without faults.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanFile {
    /// The plan, with new identifiers. [`Plan::problems`] finds nothing in it.
    pub plan: Plan,
    /// The embedded plans that nodes run by name, in the order of the file.
    pub plans: Vec<EmbeddedPlan>,
    /// The locations of the names of plans that its nodes run.
    pub places: SubPlanLocations,
    /// The locations of its keys.
    pub keys: KeyLocations,
    /// What a person may want to know before using the plan, in the order of the file.
    pub warnings: Vec<Warning>,
    /// What a Markdown file says about itself.
    pub header: DocumentHeader,
}

/// For nodes that run a plan, the location of its name.
pub type SubPlanLocations = HashMap<NodeId, SourceLocation>;

/// A plan that a file embeds under `plans`.
#[derive(Debug, Clone, PartialEq)]
pub struct EmbeddedPlan {
    /// The name by which the nodes of the file run it.
    pub name: String,
    /// The plan, with new identifiers.
    pub plan: Plan,
    /// The locations of the names of plans that its nodes run.
    pub places: SubPlanLocations,
    /// The locations of its keys.
    pub keys: KeyLocations,
}

/// Something allowed that is probably a mistake.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// The location in the file.
    pub at: SourceLocation,
    /// The kind of warning, whose `Display` is a sentence for people.
    pub kind: WarningKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum WarningKind {
    NoNodes,
    /// The agent gets only the title.
    NoTask {
        owner: String,
    },
    /// A keyword was read as a policy although a node has it as its id.
    KeywordNotNode {
        owner: String,
        word: &'static str,
    },
    /// A step without dependencies waits for the steps with the previous `orderNum`.
    WaitsByOrder {
        owner: String,
        /// The ids that it waits for.
        on: Vec<String>,
    },
    UnusedPlan {
        name: String,
    },
    /// A node became the body of a loop.
    LoopStep {
        owner: String,
        step: String,
    },
}

impl fmt::Display for WarningKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoNodes => f.write_str("the plan has no nodes yet"),
            Self::NoTask { owner } => write!(
                f,
                "{owner} has neither prompt nor description; its agent gets only the title"
            ),
            Self::KeywordNotNode { owner, word } => {
                write!(
                    f,
                    "\"onFailure: {word}\" of {owner} is the policy, not the node {word}; to jump to the node, give it another id"
                )
            }
            Self::WaitsByOrder { owner, on } => {
                let on = on.join(", ");
                write!(
                    f,
                    "{owner} has no dependencies, so \"orderNum\" makes it wait for {on}"
                )
            }
            Self::UnusedPlan { name } => {
                write!(f, "no node runs the plan \"{name}\", so it is left out")
            }
            Self::LoopStep { owner, step } => {
                write!(
                    f,
                    "node \"{step}\" became the body of {owner} and is no longer a separate node"
                )
            }
        }
    }
}

/// Reads the plan in `text`.
///
/// `file` is the name for messages, and without its extension the title of a plan that has none.
/// `ids` provides the identifiers of the plan, of each node and of each group.
pub fn read(
    text: &str,
    format: Format,
    file: &str,
    ids: &mut dyn FnMut() -> Uuid,
) -> Result<PlanFile, PlanFileError> {
    read_scope(text, format, file, Scope::File, ids)
}

/// Like [`read`], but also accepts a part of a file: `nodes:` alone, or a list of nodes.
pub fn read_fragment(
    text: &str,
    format: Format,
    file: &str,
    ids: &mut dyn FnMut() -> Uuid,
) -> Result<PlanFile, PlanFileError> {
    read_scope(text, format, file, Scope::Part, ids)
}

/// Like [`read`], but accepts nodes that aren't finished, as a stored plan may have them.
pub fn read_draft(
    text: &str,
    format: Format,
    file: &str,
    ids: &mut dyn FnMut() -> Uuid,
) -> Result<PlanFile, PlanFileError> {
    read_scope(text, format, file, Scope::Draft, ids)
}

/// What a text may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scope {
    File,
    /// A file, or a part of one.
    Part,
    /// A file with unfinished nodes.
    Draft,
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
    let mut header = DocumentHeader::default();
    let root = match format {
        Format::Yaml => yaml_tree::read(text, &mut faults),
        Format::Json => json_tree::read(text, &mut faults),
        Format::Markdown => markdown::read(text, &mut faults).map(|(root, found)| {
            header = found;
            root
        }),
    };
    let plan = root.and_then(|root| {
        file_reader::read(
            &root,
            &title_from_file_name(file),
            scope,
            ids,
            &mut faults,
            &mut warnings,
        )
    });
    if scope == Scope::Draft {
        faults.accept_unfinished();
    }
    match plan {
        Some(((plan, places, keys), plans)) if faults.is_empty() => {
            if format == Format::Markdown {
                // The line of a step is what its agent gets.
                warnings.retain(|warning| !matches!(warning.kind, WarningKind::NoTask { .. }));
            }
            warnings.sort_by_key(|warning| warning.at);
            Ok(PlanFile {
                plan,
                plans,
                places,
                keys,
                warnings,
                header,
            })
        }
        _ => Err(PlanFileError {
            file: file.to_owned(),
            faults: faults.into_sorted(),
        }),
    }
}

/// Reads the plan in a tree whose keys another reader has already looked at.
pub(crate) fn read_tree(
    root: &tree::Located,
    title: &str,
    ids: &mut dyn FnMut() -> Uuid,
) -> Result<(Plan, Vec<Warning>), Vec<Fault>> {
    let (mut faults, mut warnings) = (Faults::default(), Vec::new());
    let plan = file_reader::read(root, title, Scope::File, ids, &mut faults, &mut warnings);
    match plan {
        Some(((plan, ..), _)) if faults.is_empty() => {
            warnings.sort_by_key(|warning| warning.at);
            Ok((plan, warnings))
        }
        _ => Err(faults.into_sorted()),
    }
}

/// Writes `plan`, ending in a newline. Settings at their default are left out.
///
/// Problems that [`Plan::problems`] finds are written as they are, or left out where the file
/// cannot express them (an edge without its node, a position that is not a number); [`read`] would
/// refuse them anyway.
#[must_use]
pub fn write(plan: &Plan, format: Format) -> String {
    write_with_plans(plan, &[], format)
}

/// Like [`write()`], with `plans` embedded by name. The caller makes nodes refer to them by these
/// names.
#[must_use]
pub fn write_with_plans(plan: &Plan, plans: &[(String, Plan)], format: Format) -> String {
    let document = || plan_writer::from_plan(plan, plans);
    match format {
        Format::Yaml => yaml_text::write(&document()),
        Format::Json => escape_invisible_json(&document::json(&document())),
        Format::Markdown => {
            let header = DocumentHeader {
                id: Some(format!("PLAN-{}", plan.id)),
                ..DocumentHeader::default()
            };
            write_document(plan, plans, &header)
        }
    }
}

/// Writes the Markdown form of `plan`, with `plans` embedded by name and the facts in `header`.
#[must_use]
pub fn write_document(plan: &Plan, plans: &[(String, Plan)], header: &DocumentHeader) -> String {
    markdown::write(plan, plans, header)
}

pub(crate) fn title_from_file_name(file: &str) -> String {
    let name = file.rsplit(['/', '\\']).next().unwrap_or_default();
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    if stem.trim().is_empty() {
        "Untitled plan".to_owned()
    } else {
        stem.chars().take(TITLE_LENGTH_LIMIT).collect()
    }
}
