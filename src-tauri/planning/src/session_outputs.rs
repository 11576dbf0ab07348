//! Queries for the output of sessions, whose files can have any size.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use baton_model::SessionId;
use baton_output::{CopiedPart, OutputMatcher, OutputView, RowWindow, SearchedPart, StreamLengths};

use crate::open_outputs::SessionOutput;
use crate::{Context, PlanningError, RefusalReason};

pub use crate::open_outputs::OutputExtent;

/// How many bytes one call counts the lines of.
const COUNT_BUDGET: u64 = 64 * 1024 * 1024;

/// How many lines were counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountedLines {
    /// Bytes whose lines were counted.
    pub counted: u64,
    /// Bytes of both streams.
    pub size: u64,
    /// The number of lines, once all were counted.
    pub lines: Option<u64>,
}

/// The direction of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum SearchDirection {
    Forwards,
    Backwards,
}

/// Returns the rows around `position`; the size of the output, or more, is its end.
pub fn window(
    context: &Context,
    session: SessionId,
    position: u64,
    before: usize,
    after: usize,
) -> Result<(RowWindow, OutputExtent), PlanningError> {
    with_output(context, session, |output| {
        let window = output.view().window(position, before, after)?;
        Ok((window, output.extent()))
    })
}

/// Returns the position of a line, from 1. `None` if there is no such line, or while not all lines
/// were counted.
pub fn line_position(
    context: &Context,
    session: SessionId,
    line: u64,
) -> Result<Option<u64>, PlanningError> {
    with_output(context, session, |output| {
        let SessionOutput {
            files,
            order,
            lines,
            ..
        } = output;
        lines.line_position(files, order, line)
    })
}

/// Searches part of an output. The second result is the output's size.
pub fn search(
    context: &Context,
    session: SessionId,
    matcher: &OutputMatcher,
    direction: SearchDirection,
    from: u64,
    limit: usize,
) -> Result<(SearchedPart, u64), PlanningError> {
    with_output(context, session, |output| {
        let mut view = output.view();
        let part = match direction {
            SearchDirection::Forwards => view.search(matcher, from, limit)?,
            SearchDirection::Backwards => view.search_backwards(matcher, from, limit)?,
        };
        Ok((part, output.order.size()))
    })
}

/// Counts more lines. Call it until all lines were counted.
pub fn count_lines(context: &Context, session: SessionId) -> Result<CountedLines, PlanningError> {
    with_output(context, session, |output| {
        let lengths: StreamLengths = output.order.lengths();
        let counted = output
            .lines
            .count_more(&mut output.files, lengths, COUNT_BUDGET)?;
        let size = output.order.size();
        let lines = output
            .lines
            .lines_before(&mut output.files, &output.order, size)?;
        Ok(CountedLines {
            counted,
            size,
            lines,
        })
    })
}

/// Returns text to copy: as shown, or the printed bytes with their colors.
pub fn text(
    context: &Context,
    session: SessionId,
    from: u64,
    to: u64,
    colors: bool,
) -> Result<CopiedPart, PlanningError> {
    with_output(context, session, |output| {
        let mut view: OutputView = output.view();
        if colors {
            view.raw_text(from, to)
        } else {
            view.text(from, to)
        }
    })
}

fn with_output<T>(
    context: &Context,
    session: SessionId,
    use_output: impl FnOnce(&mut SessionOutput) -> io::Result<T>,
) -> Result<T, PlanningError> {
    let row = context.store.sessions().get(session)?;
    let folder = context.store.data_dir().join(&row.folder);
    let shared: Arc<Mutex<SessionOutput>> = context
        .session_outputs
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .open(session, folder);
    let mut output = shared.lock().unwrap_or_else(PoisonError::into_inner);
    if !output.ended && !context.executes(row.run) {
        let folder = &output.files.folder;
        context.session_watcher.watch(folder, session, row.run);
    }
    let result = output.refresh().and_then(|()| use_output(&mut output));
    if output.ended {
        context.session_watcher.unwatch(&output.files.folder);
    }
    result.map_err(|error| {
        let folder = output.files.folder.display();
        let message = format!("the files of the session in {folder} can't be read: {error}");
        PlanningError::new(RefusalReason::Unavailable, message)
    })
}
