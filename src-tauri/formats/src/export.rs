//! Exports of a plan as text or as an image.
//!
//! YAML and JSON are the plan file ([`plan_file`]), which can be read back completely. From
//! Mermaid and GitHub issues, the shape of the plan can be read back ([`crate::mermaid`],
//! [`crate::import`]). DOT, Markdown and SVG are
//! only for reading. Each format escapes titles and labels in its own way. Nothing here loads
//! fonts: text is measured by a table of widths.

mod dot;
mod github_issues;
mod link;
mod markdown;
mod mermaid;
mod node_summary;
mod svg;
mod theme;
mod view;

use serde::{Deserialize, Serialize};

use crate::plan_file::{self, Format};
use baton_model::Plan;
use baton_model::visible_text::strip_invisible_keeping_emoji;
#[cfg(test)]
pub(crate) use link::links;
pub use view::View;

/// The format of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "bindings", derive(ts_rs::TS, schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum ExportFormat {
    /// The plan file as YAML, which can be imported again.
    Yaml,
    /// The plan file as JSON, which can be imported again.
    Json,
    /// A document: the goal, and all nodes in order with their dependencies and tasks.
    Markdown,
    Mermaid,
    /// A graph in the DOT language for Graphviz.
    Dot,
    /// A vector image of the canvas.
    Svg,
    /// JSON Lines with an issue for each node, which can be imported again.
    GithubIssues,
}

impl ExportFormat {
    /// All formats, in the order of menus.
    pub const ALL: [Self; 7] = [
        Self::Yaml,
        Self::Json,
        Self::Markdown,
        Self::Mermaid,
        Self::Dot,
        Self::Svg,
        Self::GithubIssues,
    ];

    /// The file extension. Those of plan files have two parts, so that they can be recognized.
    #[must_use]
    pub fn extension(self) -> &'static str {
        match self {
            Self::Yaml => "baton.yaml",
            Self::Json => "baton.json",
            Self::Markdown => "md",
            Self::Mermaid => "mmd",
            Self::Dot => "dot",
            Self::Svg => "svg",
            Self::GithubIssues => "issues.jsonl",
        }
    }

    /// The format of a file with this name, by its extension.
    #[must_use]
    pub fn from_file_name(name: &str) -> Option<Self> {
        let (_, extension) = name.rsplit_once('.')?;
        match extension.to_ascii_lowercase().as_str() {
            "yaml" | "yml" => Some(Self::Yaml),
            "json" => Some(Self::Json),
            "md" | "markdown" => Some(Self::Markdown),
            "mmd" | "mermaid" => Some(Self::Mermaid),
            "dot" | "gv" => Some(Self::Dot),
            "svg" => Some(Self::Svg),
            "jsonl" => Some(Self::GithubIssues),
            _ => None,
        }
    }
}

/// Exports `plan` as text in `format`, ending in a newline.
#[must_use]
pub fn write(plan: &Plan, format: ExportFormat, view: &View) -> String {
    let document = match format {
        // Plan files are read back, so they escape invisible characters instead of dropping them.
        ExportFormat::Yaml => return plan_file::write(plan, Format::Yaml),
        ExportFormat::Json => return plan_file::write(plan, Format::Json),
        // Its invisible characters keep texts from mentioning people.
        ExportFormat::GithubIssues => return github_issues::write(plan, view),
        ExportFormat::Markdown => markdown::write(plan, view),
        ExportFormat::Mermaid => mermaid::write(plan, view),
        ExportFormat::Dot => dot::write(plan, view),
        ExportFormat::Svg => svg::write(plan, view),
    };
    strip_invisible_keeping_emoji(document)
}

#[cfg(test)]
mod tests;
