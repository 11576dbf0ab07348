//! `baton runs export`: writes a run as one HTML file.

use std::path::PathBuf;

use baton_api::wire::*;
use clap::{Args, ValueEnum};

use crate::client::Client;
use crate::failure::Failure;
use crate::{id_lookup, output_file};

/// Export a run as one HTML file: graph, timeline, attempts, handoffs and evidence
#[derive(Debug, Args)]
pub(crate) struct ExportRunArgs {
    /// The run: its ID, the start of its ID, PLAN#NUMBER, or its plan's title
    run: String,
    /// Output format
    #[arg(long, value_name = "FORMAT", default_value = "html")]
    format: RunFormatChoice,
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Overwrite an existing file
    #[arg(long)]
    force: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum RunFormatChoice {
    /// One HTML file without scripts
    Html,
}

pub(super) fn export(client: &Client<'_>, args: &ExportRunArgs) -> Result<(), Failure> {
    let run = id_lookup::find_run(client, &args.run)?;
    let format = match args.format {
        RunFormatChoice::Html => RunExportFormat::Html,
    };
    let input = RunExport { run, format };
    let file: FileText = client.ask("export the run", "run_export", &input)?;
    let Some(path) = &args.output else {
        return if client.output.json {
            client.output.json(&file)
        } else {
            client.output.file(&file.text)
        };
    };
    output_file::write(path, file.text.as_bytes(), args.force)?;
    client.output.note(&format!("Wrote {}", path.display()));
    Ok(())
}
