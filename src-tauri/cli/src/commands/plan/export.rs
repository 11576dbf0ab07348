//! `baton plan export`: writes a plan as a plan file, a document, a diagram or an image.

use std::io;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use baton_api::wire::*;
use baton_formats::export::ExportFormat;
use baton_model::Direction;
use clap::{Args, ValueEnum};

use crate::client::Client;
use crate::failure::Failure;
use crate::{id_lookup, output_file};

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
    /// Picture
    Png,
    /// Issues for `gh api`, one on each line
    GithubIssues,
}

/// What a plan becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Target {
    Text(ExportFormat),
    Picture,
}

impl FormatChoice {
    fn target(self) -> Target {
        Target::Text(match self {
            Self::Yaml => ExportFormat::Yaml,
            Self::Json => ExportFormat::Json,
            Self::Markdown => ExportFormat::Markdown,
            Self::Mermaid => ExportFormat::Mermaid,
            Self::Dot => ExportFormat::Dot,
            Self::Svg => ExportFormat::Svg,
            Self::GithubIssues => ExportFormat::GithubIssues,
            Self::Png => return Target::Picture,
        })
    }
}

pub(super) fn export(client: &Client<'_>, args: &ExportArgs) -> Result<(), Failure> {
    let target = target_of(args.format, args.output.as_deref())?;
    let drawing = drawing(client, args)?;
    match target {
        Target::Text(format) => {
            let input = PlanDraw { format, ..drawing };
            let file: FileText = client.ask("export the plan", "plan_draw", &input)?;
            match &args.output {
                Some(path) => save(client, path, file.text.as_bytes(), args.force),
                None if client.output.json => client.output.json(&file),
                None => client.output.file(&file.text),
            }
        }
        Target::Picture => export_picture(client, args, drawing),
    }
}

fn export_picture(
    client: &Client<'_>,
    args: &ExportArgs,
    drawing: PlanDraw,
) -> Result<(), Failure> {
    let is_shown = args.output.is_none() && !client.output.json;
    if is_shown && client.output.is_terminal() {
        let advice = "a terminal can't show a picture. Write it to a file with --output FILE";
        return Err(Failure::Usage(advice.to_owned()));
    }
    let input = PlanPicture {
        plan: drawing.plan,
        run: drawing.run,
        nodes: drawing.nodes,
        direction: drawing.direction,
        dark: drawing.dark,
    };
    let file: FileBytes = client.ask("export the plan", "plan_picture", &input)?;
    if args.output.is_none() && client.output.json {
        return client.output.json(&file);
    }
    let bytes = BASE64
        .decode(&file.base64)
        .map_err(|error| Failure::Output(io::Error::other(error)))?;
    match &args.output {
        Some(path) => save(client, path, &bytes, args.force),
        None => client.output.copy(bytes.as_slice()),
    }
}

fn save(client: &Client<'_>, path: &Path, bytes: &[u8], force: bool) -> Result<(), Failure> {
    output_file::write(path, bytes, force)?;
    client.output.note(&format!("Wrote {}", path.display()));
    Ok(())
}

/// The plan and how to show it, as the arguments say.
fn drawing(client: &Client<'_>, args: &ExportArgs) -> Result<PlanDraw, Failure> {
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
    Ok(PlanDraw {
        plan: content,
        format: ExportFormat::Svg,
        run,
        nodes: None,
        direction,
        dark: args.dark,
    })
}

/// Returns the chosen format, the one of the file's extension, or YAML.
///
/// # Errors
///
/// The extension is that of a picture format that isn't PNG or SVG.
fn target_of(choice: Option<FormatChoice>, output: Option<&Path>) -> Result<Target, Failure> {
    if let Some(choice) = choice {
        return Ok(choice.target());
    }
    let Some(name) = output.and_then(Path::to_str) else {
        return Ok(Target::Text(ExportFormat::Yaml));
    };
    let ending = name
        .rsplit_once('.')
        .map(|(_, ending)| ending.to_ascii_lowercase());
    match ending.as_deref() {
        Some("png") => Ok(Target::Picture),
        Some("jpg" | "jpeg" | "gif" | "webp" | "pdf") => Err(Failure::Usage(
            "pictures are exported as PNG or SVG. Use --format png or --format svg".to_owned(),
        )),
        _ => Ok(Target::Text(
            ExportFormat::from_file_name(name).unwrap_or(ExportFormat::Yaml),
        )),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use baton_formats::export::ExportFormat;

    use super::{FormatChoice, Target, target_of};

    #[test]
    fn a_format_is_as_asked_or_as_the_name_promises() {
        let of = |choice, name: Option<&str>| target_of(choice, name.map(Path::new)).ok();
        let text = |format| Some(Target::Text(format));
        assert_eq!(of(None, None), text(ExportFormat::Yaml));
        assert_eq!(of(None, Some("plan.svg")), text(ExportFormat::Svg));
        assert_eq!(of(None, Some("plan.txt")), text(ExportFormat::Yaml));
        assert_eq!(
            of(Some(FormatChoice::Dot), Some("plan.png")),
            text(ExportFormat::Dot),
            "an explicit format wins"
        );
        assert_eq!(of(Some(FormatChoice::Png), None), Some(Target::Picture));
        assert_eq!(of(None, Some("Plan.PNG")), Some(Target::Picture));
        let failure = target_of(None, Some(Path::new("plan.jpg")))
            .expect_err("no such picture")
            .to_string();
        assert!(
            failure.contains("--format png"),
            "the error suggests PNG: {failure}"
        );
    }
}
