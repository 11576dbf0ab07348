//! What wakes the thread that keeps plan files.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

use baton_formats::project_file::ProjectFileFormat;
use baton_model::PlanId;

/// How long a file must be quiet before it is read: editors write in several steps.
const QUIET: Duration = Duration::from_millis(150);
/// How many events are gathered at most before something is done about them.
const BATCH: usize = 10_000;

/// What may need work.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Wake {
    Plan(PlanId),
    /// A run of this plan changed.
    Run(PlanId),
    File(PathBuf),
    /// A folder came or went.
    Folders,
    /// The switch of some project.
    Switches,
    /// Anything may have changed.
    All,
    /// Baton is being closed.
    Close,
}

/// The events until it is quiet, each once.
pub(super) fn gather(first: Wake, wakes: &Receiver<Wake>) -> BTreeSet<Wake> {
    let mut batch = BTreeSet::from([first]);
    let has_files = |batch: &BTreeSet<Wake>| {
        let is_store = |wake: &Wake| {
            matches!(
                wake,
                Wake::Plan(_) | Wake::Run(_) | Wake::Switches | Wake::Close
            )
        };
        !batch.iter().all(is_store)
    };
    while batch.len() < BATCH {
        let quiet = if has_files(&batch) {
            QUIET
        } else {
            Duration::ZERO
        };
        match wakes.recv_timeout(quiet) {
            Ok(wake) => batch.insert(wake),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
        };
    }
    batch
}

pub(super) fn forward(event: notify::Result<notify::Event>, sender: &Sender<Wake>) {
    let event = match event {
        Ok(event) if event.need_rescan() => {
            let _closing = sender.send(Wake::All);
            return;
        }
        Ok(event) if event.kind.is_access() => return,
        Ok(event) => event,
        Err(error) => {
            tracing::warn!(%error, "couldn't watch plan files");
            return;
        }
    };
    for path in event.paths {
        let name = path.file_name().and_then(|name| name.to_str());
        let wake = match name {
            Some(".baton" | "plans") => Wake::Folders,
            Some(name) if ProjectFileFormat::from_file_name(name).is_some() => Wake::File(path),
            _ => continue,
        };
        // Baton is being closed.
        let _closing = sender.send(wake);
    }
}
