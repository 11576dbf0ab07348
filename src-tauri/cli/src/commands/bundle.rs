//! `baton export` and `baton import`: everything as one archive, and back.

use std::path::{Path, PathBuf};

use baton_api::wire::*;
use clap::Args;

use crate::client::Client;
use crate::exit::Exit;
use crate::failure::Failure;

/// Export everything as one archive, to take it to another machine
///
/// The archive has plans, runs, sessions, proposals, settings and notes. It has no secrets of the
/// settings, no permissions and no tokens. Use `baton plan export` for one plan.
#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// Export everything
    #[arg(long, required = true)]
    all: bool,
    /// The archive to write
    #[arg(long, short, value_name = "FILE", default_value = "baton-bundle.zip")]
    output: PathBuf,
    /// Include Baton's commits of the repositories in which plans work
    #[arg(long)]
    with_commits: bool,
    /// Overwrite an existing file
    #[arg(long)]
    force: bool,
}

/// Import an archive of another Baton into an empty data directory
///
/// Plans arrive as drafts, approvals as history, and open runs as interrupted. Import only archives
/// that you trust: their settings name programs. Use `baton plan import` for a plan file.
#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    /// The archive that `baton export --all` wrote
    #[arg(long, value_name = "FILE")]
    bundle: PathBuf,
}

pub(crate) fn export(client: &Client<'_>, args: &ExportArgs) -> Result<Exit, Failure> {
    let input = BundleExport {
        path: absolute(&args.output)?,
        with_commits: args.with_commits,
        overwrite: args.force,
    };
    let done: BundleExported = client.ask("export everything", "bundle_export", &input)?;
    if client.output.json {
        client.output.json(&done)?;
        return Ok(Exit::Done);
    }
    client.output.note(&format!(
        "Wrote {}: {} files, {} bytes before compression",
        done.path, done.files, done.bytes
    ));
    Ok(Exit::Done)
}

pub(crate) fn import(client: &Client<'_>, args: &ImportArgs) -> Result<Exit, Failure> {
    let input = BundleImport {
        path: absolute(&args.bundle)?,
    };
    let done: BundleImported = client.ask("import the bundle", "bundle_import", &input)?;
    if client.output.json {
        client.output.json(&done)?;
        return Ok(Exit::Done);
    }
    client.output.note(&format!(
        "Imported {} plans as drafts; {} open runs were interrupted",
        done.plans, done.interrupted_runs
    ));
    for commits in &done.commits {
        client.output.note(&format!(
            "The commits of {} are in {}. To restore them there: git fetch {} 'refs/baton/*:refs/baton/*'",
            commits.directory, commits.path, commits.path
        ));
    }
    Ok(Exit::Done)
}

fn absolute(path: &Path) -> Result<String, Failure> {
    let absolute = std::path::absolute(path).map_err(|source| Failure::Write {
        path: path.to_path_buf(),
        source,
    })?;
    Ok(absolute.display().to_string())
}
