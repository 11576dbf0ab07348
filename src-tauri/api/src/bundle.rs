//! Everything in the data directory as one archive, and back into an empty data directory.
//!
//! The archive is a ZIP file with a manifest, the database, documents, and the files of sessions.
//! Nothing that a person decided takes effect in the Baton that takes it in: plans are drafts,
//! approvals are history, open runs are interrupted, and permissions and tokens stay behind.

mod archive_reader;
mod archive_writer;
mod entry_path;
mod error;
mod file_moves;
mod manifest;
mod secret_settings;
mod source_files;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use baton_engine::{interrupt_copied_runs, work_tree_above, write_commit_bundle};
use baton_planning::settings::StoredSettings;
use baton_store::Store;
use tempfile::TempDir;

use self::archive_reader::ArchiveReader;
use self::archive_writer::ArchiveWriter;
use self::entry_path::COMMITS;
use self::error::{BundleError, at};
use self::file_moves::FileMoves;
use self::manifest::{BundledCommits, DATABASE};
use crate::absolute_path::absolute;
use crate::wire::*;
use crate::{ApiError, App};

/// Writes a bundle of everything in the data directory.
pub(crate) fn export(app: &App, input: BundleExport) -> Result<BundleExported, ApiError> {
    let output = PathBuf::from(absolute(&input.path)?);
    Ok(write(app, &output, &input)?)
}

fn write(app: &App, output: &Path, input: &BundleExport) -> Result<BundleExported, BundleError> {
    if output.exists() && !input.overwrite {
        return Err(BundleError::Exists(output.to_path_buf()));
    }
    let data = app.store.data_dir();
    let stage = stage(data)?;
    let database = stage.path().join(DATABASE);
    app.store
        .write_copy(&database, secret_settings::without_secrets)?;
    let folder = output.parent().unwrap_or(Path::new("/"));
    let draft = tempfile::NamedTempFile::new_in(folder).map_err(at(folder))?;
    let mut archive = ArchiveWriter::new(draft.as_file(), output);
    source_files::add(&mut archive, &database, DATABASE)?;
    source_files::add_all(&mut archive, data)?;
    let commits = match input.with_commits {
        true => add_commits(app, &mut archive, stage.path())?,
        false => Vec::new(),
    };
    let repositories = commits.len();
    let (files, bytes) = archive.finish(app.context().now(), commits)?;
    let stored = match input.overwrite {
        true => draft.persist(output),
        false => draft.persist_noclobber(output),
    };
    stored.map_err(|error| at(output)(error.error))?;
    Ok(BundleExported {
        path: output.display().to_string(),
        files,
        bytes,
        repositories,
    })
}

/// Adds the commits of all repositories in which plans work.
fn add_commits(
    app: &App,
    archive: &mut ArchiveWriter<'_>,
    stage: &Path,
) -> Result<Vec<BundledCommits>, BundleError> {
    let plans = app.store.plans().list()?.rows;
    let directories: BTreeSet<PathBuf> = plans
        .iter()
        .filter_map(|plan| work_tree_above(Path::new(plan.cwd.as_deref()?)))
        .map(Path::to_path_buf)
        .collect();
    let mut commits = Vec::new();
    for directory in directories {
        let path = format!("{COMMITS}/{}.bundle", commits.len());
        let file = stage.join(format!("{}.bundle", commits.len()));
        let name = directory.display().to_string();
        let failed = |source| BundleError::Commits {
            directory: name.clone(),
            source,
        };
        if write_commit_bundle(&directory, &file).map_err(failed)? {
            source_files::add(archive, &file, &path)?;
            commits.push(BundledCommits {
                path,
                directory: name,
            });
        }
    }
    Ok(commits)
}

/// Takes a bundle into this data directory, which must be empty.
pub(crate) fn import(app: &App, input: BundleImport) -> Result<BundleImported, ApiError> {
    let path = PathBuf::from(absolute(&input.path)?);
    let imported = read(app, &path)?;
    app.reread_settings()?;
    Ok(imported)
}

fn read(app: &App, path: &Path) -> Result<BundleImported, BundleError> {
    let data = app.store.data_dir();
    if !app.store.is_empty()? {
        return Err(baton_store::StoreError::NotEmpty.into());
    }
    let mut archive = ArchiveReader::open(path)?;
    let stage = stage(data)?;
    archive.extract(stage.path())?;
    let interrupted = prepare(app, stage.path())?;
    let mut moves = FileMoves::new(stage.path(), data);
    let copy = stage.path().join(DATABASE);
    let taken = app
        .store
        .take_over_copy(&copy, app.context().now(), || moves.perform());
    if let Err(error) = taken {
        moves.undo();
        return Err(error.into());
    }
    moves.forget_replaced();
    let commits = archive.manifest.commits.iter();
    Ok(BundleImported {
        plans: app.store.plans().list()?.rows.len(),
        interrupted_runs: interrupted,
        commits: commits
            .map(|commits| BundleCommits {
                path: data.join(&commits.path).display().to_string(),
                directory: commits.directory.clone(),
            })
            .collect(),
    })
}

/// Makes decisions in the copied database history and interrupts its open runs. Returns how many.
fn prepare(app: &App, stage: &Path) -> Result<usize, BundleError> {
    let copy = Store::open_copy(stage)?;
    let now = app.context().now();
    copy.make_decisions_history(now)?;
    let interrupted = interrupt_copied_runs(&copy, now, &app.actor())?;
    // A person allows this for one machine.
    let settings = StoredSettings::read(&copy)?;
    if settings.terminal_over_http {
        let settings = StoredSettings {
            terminal_over_http: false,
            ..settings
        };
        settings.write(&copy)?;
    }
    Ok(interrupted)
}

/// A folder for what isn't complete yet, on the same disk as the data. It is removed when dropped.
fn stage(data: &Path) -> Result<TempDir, BundleError> {
    tempfile::Builder::new()
        .prefix(".bundle-")
        .tempdir_in(data)
        .map_err(at(data))
}
