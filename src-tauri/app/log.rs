//! The log: one file a day in the data directory, the last five kept.

use std::path::Path;

use tracing_appender::non_blocking::WorkerGuard;
use tracing_appender::rolling::{Builder, Rotation};
use tracing_subscriber::EnvFilter;

use crate::secret_masking::MaskingWriter;

/// What is logged: what Baton says of itself, and what others complain of.
const DEFAULT_FILTER: &str = "warn,baton=info";
/// How many days are kept.
const MAX_LOG_FILES: usize = 5;

/// Begins to log below `data_directory`, at the level that `BATON_LOG` names.
///
/// Without a log everything works: a directory that cannot be written is told by the store, and better. The log
/// is complete only when the guard is dropped.
pub(crate) fn open(data_directory: &Path) -> Option<WorkerGuard> {
    let folder = data_directory.join("logs");
    std::fs::create_dir_all(&folder).ok()?;
    let rolling = Builder::new()
        .rotation(Rotation::DAILY)
        .filename_prefix("baton")
        .filename_suffix("log")
        .max_log_files(MAX_LOG_FILES)
        .build(folder)
        .ok()?;
    let (writer, guard) = tracing_appender::non_blocking(rolling);
    let filter =
        EnvFilter::try_from_env("BATON_LOG").unwrap_or_else(|_| EnvFilter::new(DEFAULT_FILTER));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(false)
        .with_writer(move || MaskingWriter(writer.clone()))
        .init();
    tracing::info!(version = env!("CARGO_PKG_VERSION"), "the window starts");
    Some(guard)
}
