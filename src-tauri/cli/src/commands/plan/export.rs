//! `baton plan export`: a plan as a file, a document or a picture.

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

/// Write a plan out as a file, a document or a picture.
#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// The plan by id, beginning of the id, or title.
    plan: String,
    /// In which syntax; otherwise as the file's name says, or YAML.
    #[arg(long, value_name = "FORMAT")]
    format: Option<FormatChoice>,
    /// Write to this file; otherwise to standard output.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace the file if it is there.
    #[arg(long)]
    force: bool,
    /// Show how far its last run came; plan files never do.
    #[arg(long)]
    states: bool,
    /// Write this version instead of the current one.
    #[arg(long, value_name = "N", conflicts_with = "states")]
    version: Option<u32>,
    /// Let the work flow from top to bottom, where the format has a direction; otherwise it flows as the plan says.
    #[arg(long)]
    top_down: bool,
    /// Light on dark, where the format has colors.
    #[arg(long)]
    dark: bool,
}

/// As what a plan is written out.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum FormatChoice {
    /// The plan file as YAML.
    Yaml,
    /// The plan file as JSON.
    Json,
    /// A document.
    Markdown,
    /// A Mermaid flowchart.
    Mermaid,
    /// A graph for Graphviz.
    Dot,
    /// A picture, as vectors.
    Svg,
    /// A picture of pixels, which only the window draws; asked for, so that the answer says where it is.
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

/// Writes a plan out.
pub(super) fn export(client: &Client<'_>, args: &ExportArgs) -> Result<(), Failure> {
    let format = format_of(args.format, args.output.as_deref())?;
    let plan = id_lookup::find_plan(client, &args.plan)?;
    let (content, run) = match args.version {
        Some(version) => {
            let wanted = PlanVersionRef { plan, version };
            (
                client.ask("show the plan's version", "plan_version_get", &wanted)?,
                None,
            )
        }
        None => {
            let view: PlanView = client.ask("show the plan", "plan_get", &PlanRef { plan })?;
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
    let wish = PlanDraw {
        plan: content,
        format,
        run,
        nodes: None,
        direction,
        dark: args.dark,
    };
    let file: FileText = client.ask("write the plan out", "plan_draw", &wish)?;
    let Some(path) = &args.output else {
        return if client.output.json {
            client.output.json(&file)
        } else {
            client.output.file(&file.text)
        };
    };
    if path.exists() && !args.force {
        return Err(Failure::Usage(format!(
            "{} is there already: add --force to replace it",
            path.display()
        )));
    }
    umask::with_original(|| fs::write(path, &file.text)).map_err(|source| Failure::Write {
        path: path.clone(),
        source,
    })?;
    client.output.note(&format!("wrote {}", path.display()));
    Ok(())
}

/// What is asked for, or what the file's name promises, or YAML. A name that promises pixels is no YAML.
fn format_of(choice: Option<FormatChoice>, output: Option<&Path>) -> Result<ExportFormat, Failure> {
    let no_pixels = || {
        let advice = "pictures of pixels are drawn by the window alone: export --format svg here, or PNG from the window";
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
            "who asks knows"
        );
        assert_eq!(of(Some(FormatChoice::Png), None), None);
        assert_eq!(of(None, Some("Plan.PNG")), None);
        let failure = format_of(None, Some(Path::new("plan.png")))
            .expect_err("no pixels")
            .to_string();
        assert!(
            failure.contains("--format svg"),
            "it says what to do: {failure}"
        );
    }
}
