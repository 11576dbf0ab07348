//! Pages of rows: a limit, and an opaque cursor for the rest.

use baton_api::ApiError;

use crate::caller_error::bad_input;

/// Rows of a page unless the caller asks for another number.
pub(crate) const DEFAULT_ROWS: usize = 20;
/// The most rows of a page.
pub(crate) const MAX_ROWS: usize = 50;
/// Marks a cursor, so that other text isn't taken for one.
const PREFIX: &str = "row-";

/// Which rows a caller wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Page {
    start: usize,
    limit: usize,
}

impl Default for Page {
    fn default() -> Self {
        Self {
            start: 0,
            limit: DEFAULT_ROWS,
        }
    }
}

impl Page {
    /// The page for these arguments.
    pub(crate) fn new(limit: Option<usize>, cursor: Option<&str>) -> Result<Self, ApiError> {
        let limit = limit.unwrap_or(DEFAULT_ROWS);
        if !(1..=MAX_ROWS).contains(&limit) {
            return Err(bad_input(
                format!("limit must be from 1 to {MAX_ROWS}"),
                "leave it out for 20 rows",
            ));
        }
        let start = cursor.map_or(Ok(0), |cursor| {
            let number = cursor.strip_prefix(PREFIX).and_then(|at| at.parse().ok());
            number.ok_or_else(|| {
                bad_input(
                    "the cursor isn't one of this tool",
                    "use nextCursor of the previous answer, or leave it out",
                )
            })
        })?;
        Ok(Self { start, limit })
    }

    /// The first row.
    pub(crate) fn start(self) -> usize {
        self.start
    }

    /// The most rows.
    pub(crate) fn limit(self) -> usize {
        self.limit
    }

    /// The cursor of the page after this one, if `total` has rows left.
    pub(crate) fn next(self, total: usize) -> Option<String> {
        let end = self.start.saturating_add(self.limit);
        (end < total).then(|| Self::cursor(end))
    }

    /// The cursor of a page that begins at `row`.
    pub(crate) fn cursor(row: usize) -> String {
        format!("{PREFIX}{row}")
    }

    /// The rows of this page, and the cursor of the next.
    pub(crate) fn cut<T>(self, rows: Vec<T>) -> (Vec<T>, Option<String>) {
        let next = self.next(rows.len());
        let rows = rows.into_iter().skip(self.start).take(self.limit);
        (rows.collect(), next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_have_every_row_once() {
        let (mut seen, mut cursor) = (Vec::new(), None);
        loop {
            let page = Page::new(Some(7), cursor.as_deref()).expect("valid");
            let (rows, next) = page.cut((0..45).collect());
            seen.extend(rows);
            match next {
                Some(next) => cursor = Some(next),
                None => break,
            }
        }
        assert_eq!(seen, (0..45).collect::<Vec<_>>());
    }

    #[test]
    fn wrong_limits_and_cursors_are_refused() {
        for (limit, cursor) in [
            (Some(0), None),
            (Some(51), None),
            (None, Some("7")),
            (None, Some("row-")),
            (None, Some("row--1")),
        ] {
            assert!(Page::new(limit, cursor).is_err(), "{limit:?} {cursor:?}");
        }
    }
}
