//! The log: one file per day in the data directory. The last five are kept.

use std::path::Path;

use tracing_appender::non_blocking::WorkerGuard;
use tracing_appender::rolling::{Builder, Rotation};
use tracing_subscriber::EnvFilter;

use crate::secret_masking::MaskingWriter;

/// Baton's own messages from level `info`, those of libraries from `warn`.
const DEFAULT_FILTER: &str = "warn,baton=info";
/// One file is written per day.
const MAX_LOG_FILES: usize = 5;

/// Starts logging to `logs` in `data_directory`, filtered by `BATON_LOG`.
///
/// Failures are ignored: Baton works without a log, and the store reports an unwritable directory
/// with a better message. Dropping the guard flushes the log.
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
    tracing::info!(version = env!("CARGO_PKG_VERSION"), "starting the window");
    Some(guard)
}
