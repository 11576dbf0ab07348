//! `baton plan export`: writes a plan as a plan file, a document, a diagram or an image.

use std::fs;
use std::path::{Path, PathBuf};

use baton_api::umask;
use baton_api::wire::*;
use baton_formats::export::ExportFormat;
use baton_model::Direction;
use clap::{Args, ValueEnum};

use crate::client::Client;
use crate::failure::Failure;
use crate::id_lookup;

/// Export a plan as a plan file, document, diagram or image
#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// The plan: its ID, the start of its ID, or its title
    plan: String,
    /// Output format [default: by the file's extension, or yaml]
    #[arg(long, value_name = "FORMAT")]
    format: Option<FormatChoice>,
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Overwrite an existing file
    #[arg(long)]
    force: bool,
    /// Include the node states of the last run; ignored for plan files
    #[arg(long)]
    states: bool,
    /// Export this version instead of the current one
    #[arg(long, value_name = "N", conflicts_with = "states")]
    version: Option<u32>,
    /// Draw diagrams from top to bottom, whatever the plan's direction
    #[arg(long)]
    top_down: bool,
    /// Use dark colors, if the format has colors
    #[arg(long)]
    dark: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum FormatChoice {
    /// Plan file in YAML
    Yaml,
    /// Plan file in JSON
    Json,
    /// Markdown document
    Markdown,
    /// Mermaid flowchart
    Mermaid,
    /// Graphviz graph
    Dot,
    /// Vector image
    Svg,
    /// Bitmap image, which only the window can draw. Accepted so that the error can say so.
    #[value(hide = true)]
    Png,
}

impl FormatChoice {
    fn format(self) -> Option<ExportFormat> {
        match self {
            Self::Yaml => Some(ExportFormat::Yaml),
            Self::Json => Some(ExportFormat::Json),
            Self::Markdown => Some(ExportFormat::Markdown),
            Self::Mermaid => Some(ExportFormat::Mermaid),
            Self::Dot => Some(ExportFormat::Dot),
            Self::Svg => Some(ExportFormat::Svg),
            Self::Png => None,
        }
    }
}

pub(super) fn export(client: &Client<'_>, args: &ExportArgs) -> Result<(), Failure> {
    let format = format_of(args.format, args.output.as_deref())?;
    let plan = id_lookup::find_plan(client, &args.plan)?;
    let (content, run) = match args.version {
        Some(version) => {
            let wanted = PlanVersionRef { plan, version };
            (
                client.ask("load the plan's version", "plan_version_get", &wanted)?,
                None,
            )
        }
        None => {
            let view: PlanView = client.ask("load the plan", "plan_get", &PlanRef { plan })?;
            (
                view.plan,
                view.last_run.filter(|_| args.states).map(|run| run.id),
            )
        }
    };
    let direction = if args.top_down {
        Direction::TopDown
    } else {
        content.direction
    };
    let input = PlanDraw {
        plan: content,
        format,
        run,
        nodes: None,
        direction,
        dark: args.dark,
    };
    let file: FileText = client.ask("export the plan", "plan_draw", &input)?;
    let Some(path) = &args.output else {
        return if client.output.json {
            client.output.json(&file)
        } else {
            client.output.file(&file.text)
        };
    };
    if path.exists() && !args.force {
        return Err(Failure::Usage(format!(
            "{} already exists. Add --force to overwrite it",
            path.display()
        )));
    }
    umask::with_original(|| fs::write(path, &file.text)).map_err(|source| Failure::Write {
        path: path.clone(),
        source,
    })?;
    client.output.note(&format!("Wrote {}", path.display()));
    Ok(())
}

/// Returns the chosen format, the one of the file's extension, or YAML.
///
/// # Errors
///
/// The choice or the extension is a bitmap format.
fn format_of(choice: Option<FormatChoice>, output: Option<&Path>) -> Result<ExportFormat, Failure> {
    let no_pixels = || {
        let advice = "only the window can export bitmap images. Use --format svg, or export PNG from the window";
        Failure::Usage(advice.to_owned())
    };
    if let Some(choice) = choice {
        return choice.format().ok_or_else(no_pixels);
    }
    let Some(name) = output.and_then(Path::to_str) else {
        return Ok(ExportFormat::Yaml);
    };
    let ending = name
        .rsplit_once('.')
        .map(|(_, ending)| ending.to_ascii_lowercase());
    match ending.as_deref() {
        Some("png" | "jpg" | "jpeg" | "gif" | "webp" | "pdf") => Err(no_pixels()),
        _ => Ok(ExportFormat::from_file_name(name).unwrap_or(ExportFormat::Yaml)),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use baton_formats::export::ExportFormat;

    use super::{FormatChoice, format_of};

    #[test]
    fn a_format_is_as_asked_or_as_the_name_promises_and_pixels_are_refused() {
        let of = |choice, name: Option<&str>| format_of(choice, name.map(Path::new)).ok();
        assert_eq!(of(None, None), Some(ExportFormat::Yaml));
        assert_eq!(of(None, Some("plan.svg")), Some(ExportFormat::Svg));
        assert_eq!(of(None, Some("plan.txt")), Some(ExportFormat::Yaml));
        assert_eq!(
            of(Some(FormatChoice::Dot), Some("plan.png")),
            Some(ExportFormat::Dot),
            "an explicit format wins"
        );
        assert_eq!(of(Some(FormatChoice::Png), None), None);
        assert_eq!(of(None, Some("Plan.PNG")), None);
        let failure = format_of(None, Some(Path::new("plan.png")))
            .expect_err("no pixels")
            .to_string();
        assert!(
            failure.contains("--format svg"),
            "the error suggests SVG: {failure}"
        );
    }
}
