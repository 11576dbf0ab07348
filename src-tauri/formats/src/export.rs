//! A plan as texts and a picture, to be read, sent and put into documents.
//!
//! YAML and JSON are the plan file ([`plan_file`]) and come back whole; Mermaid comes back as the shape of the work
//! ([`mermaid`]); DOT, Markdown and SVG are for reading. Titles and labels are anybody's text: each format is told
//! that they are text, in its own way. Nothing here asks how large a font is: texts are measured by a table.

mod dot;
mod link;
mod look;
mod markdown;
mod picture;
mod words;

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};

use crate::mermaid;
use crate::plan_file::{self, Format};
use baton_model::Direction;
use baton_model::visible_text::in_document;
use baton_model::{Node, NodeId, Plan};
pub(crate) use link::{Link, links};
pub(crate) use look::Look;

/// As what a plan is written out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ExportFormat {
    /// The plan file as YAML.
    Yaml,
    /// The plan file as JSON.
    Json,
    /// A document: goal, nodes in order, what each waits for and does.
    Markdown,
    /// A Mermaid flowchart.
    Mermaid,
    /// A graph for Graphviz.
    Dot,
    /// A picture, as vectors.
    Svg,
}

impl ExportFormat {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Yaml,
        Self::Json,
        Self::Markdown,
        Self::Mermaid,
        Self::Dot,
        Self::Svg,
    ];

    /// What stands behind the last dot of a file's name. A plan file's goes before it, so that it is known for one.
    #[must_use]
    pub fn ending(self) -> &'static str {
        match self {
            Self::Yaml => "baton.yaml",
            Self::Json => "baton.json",
            Self::Markdown => "md",
            Self::Mermaid => "mmd",
            Self::Dot => "dot",
            Self::Svg => "svg",
        }
    }

    /// The format that the name of a file promises, by its extension.
    #[must_use]
    pub fn of_file_name(name: &str) -> Option<Self> {
        let (_, extension) = name.rsplit_once('.')?;
        match extension.to_ascii_lowercase().as_str() {
            "yaml" | "yml" => Some(Self::Yaml),
            "json" => Some(Self::Json),
            "md" | "markdown" => Some(Self::Markdown),
            "mmd" | "mermaid" => Some(Self::Mermaid),
            "dot" | "gv" => Some(Self::Dot),
            "svg" => Some(Self::Svg),
            _ => None,
        }
    }
}

/// How a plan is looked at when it is written out. Plan files know nothing of it: they are the whole plan.
#[derive(Debug, Clone, Default)]
pub struct View {
    /// How far each node came in a run, by the word of its state; empty without a run.
    pub states: HashMap<NodeId, &'static str>,
    /// These nodes alone, with the edges between them; `None`: all.
    pub only: Option<HashSet<NodeId>>,
    /// Where the work flows to.
    pub direction: Direction,
    /// Light on dark, for the picture.
    pub dark: bool,
}

impl View {
    fn shows(&self, node: &Node) -> bool {
        self.only
            .as_ref()
            .is_none_or(|only| only.contains(&node.id))
    }

    /// How the state of `node` looks, when it has one.
    fn look(&self, node: NodeId) -> Option<&'static Look> {
        Look::of(self.states.get(&node)?)
    }
}

/// `plan` as a text in `format`, ending in a newline.
#[must_use]
pub fn write(plan: &Plan, format: ExportFormat, view: &View) -> String {
    let document = match format {
        // They come back whole, so that what is invisible is written by number.
        ExportFormat::Yaml => return plan_file::write(plan, Format::Yaml),
        ExportFormat::Json => return plan_file::write(plan, Format::Json),
        ExportFormat::Markdown => markdown::write(plan, view),
        ExportFormat::Mermaid => mermaid::write(plan, view),
        ExportFormat::Dot => dot::write(plan, view),
        ExportFormat::Svg => picture::write(plan, view),
    };
    in_document(document)
}

/// The nodes that `view` shows.
pub(crate) fn shown<'a>(plan: &'a Plan, view: &'a View) -> impl Iterator<Item = &'a Node> {
    plan.nodes.iter().filter(|node| view.shows(node))
}

/// The title of a node on one line, without what a terminal or a reader would obey; its slug where it has none.
pub(crate) fn title(node: &Node) -> String {
    let title = words::one_line(&node.title);
    if title.is_empty() {
        node.slug.to_string()
    } else {
        title
    }
}

#[cfg(test)]
mod tests;
