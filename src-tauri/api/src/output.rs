//! Operations on the output of sessions.

#[cfg(test)]
mod tests;

use baton_output::OutputMatcher;
use baton_planning::session_outputs::{self, SearchDirection};

use crate::wire::*;
use crate::{ApiError, App, Code};

/// The maximum number of rows in one direction.
const MAX_ROWS: u32 = 2_000;
/// The maximum number of matches of one call.
const MAX_HITS: u32 = 10_000;

/// Returns the rows around a place.
pub(crate) fn window(app: &App, input: OutputWindow) -> Result<OutputWindowView, ApiError> {
    let position = match input.anchor {
        OutputAnchor::Position { position } => position,
        OutputAnchor::End => u64::MAX,
        OutputAnchor::Line { line } => line_position(app, &input, line)?,
    };
    let rows = |count: u32| count.min(MAX_ROWS) as usize;
    let (window, extent) = session_outputs::window(
        app.context(),
        input.session,
        position,
        rows(input.before),
        rows(input.after),
    )?;
    Ok(OutputWindowView {
        anchor: u32::try_from(window.anchor).unwrap_or(u32::MAX),
        rows: window.rows,
        at_start: window.at_start,
        at_end: window.at_end,
        size: extent.size,
        settled: extent.settled,
        ended: extent.ended,
    })
}

fn line_position(app: &App, input: &OutputWindow, line: u64) -> Result<u64, ApiError> {
    let position = session_outputs::line_position(app.context(), input.session, line)?;
    position.ok_or_else(|| {
        let message = format!("the output has no line {line}, or its lines aren't counted yet");
        ApiError::new(Code::NotFound, message)
            .with_fix("Call output_line_count until it returns the number of lines.")
    })
}

/// Searches part of an output.
pub(crate) fn search(app: &App, input: OutputSearch) -> Result<OutputHits, ApiError> {
    let matcher = match &input.pattern {
        OutputPattern::Text {
            text,
            case_sensitive,
        } => OutputMatcher::text(text, *case_sensitive),
        OutputPattern::Regex {
            regex,
            case_sensitive,
        } => OutputMatcher::regex(regex, *case_sensitive),
        OutputPattern::Error => OutputMatcher::error(),
    };
    let matcher = matcher.map_err(|error| {
        let message = format!("the regular expression is invalid: {error}");
        ApiError::new(Code::BadInput, message)
    })?;
    let direction = if input.backwards {
        SearchDirection::Backwards
    } else {
        SearchDirection::Forwards
    };
    let limit = input.limit.clamp(1, MAX_HITS) as usize;
    let session = input.session;
    let (part, size) = session_outputs::search(
        app.context(),
        session,
        &matcher,
        direction,
        input.from,
        limit,
    )?;
    Ok(OutputHits {
        hits: part.hits,
        searched_to: part.next,
        done: match direction {
            SearchDirection::Forwards => part.next >= size,
            SearchDirection::Backwards => part.next == 0,
        },
        size,
    })
}

/// Counts more lines of an output.
pub(crate) fn line_count(app: &App, input: SessionRef) -> Result<OutputLineCount, ApiError> {
    let lines = session_outputs::count_lines(app.context(), input.session)?;
    Ok(OutputLineCount {
        counted: lines.counted,
        size: lines.size,
        lines: lines.lines,
    })
}

/// Returns the text of a part of an output.
pub(crate) fn text(app: &App, input: OutputTextRange) -> Result<OutputText, ApiError> {
    let OutputTextRange {
        session,
        from,
        to,
        colors,
    } = input;
    let part = session_outputs::text(app.context(), session, from, to, colors)?;
    Ok(OutputText {
        text: part.text,
        next: part.next,
    })
}
