//! What a program printed, as rows of a terminal.
//!
//! Output has any size, so nothing here reads all of it to show a part. A place in it is a
//! **position**: a number of bytes of both streams in the order in which they were printed
//! ([`PrintOrder`]). A part is rendered by printing its bytes to a terminal that keeps all rows
//! (`screen`), with as much of what surrounds it as colors and progress bars need (`stream_rows`).

#![cfg_attr(
    test,
    expect(clippy::unwrap_used, reason = "a test fails by panicking")
)]

mod escape_scan;
mod line_numbers;
mod line_starts;
mod pattern;
mod print_order;
mod rendered_text;
mod row;
mod screen;
mod search;
mod sgr;
mod source;
mod stream_rows;
mod style;
mod text;
mod window;

#[cfg(test)]
mod tests;

pub use line_numbers::LineNumbers;
pub use pattern::{InvalidPattern, OutputMatcher};
pub use print_order::{PrintOrder, StreamGrowth, StreamLengths};
pub use rendered_text::{RenderedText, clip_styles, render_text};
pub use row::{OutputHit, OutputRow, OutputStream};
pub use search::SearchedPart;
pub use source::OutputSource;
pub use style::{StyledRange, TerminalColor, TerminalStyle};
pub use text::CopiedPart;
pub use window::{OutputView, RowWindow};
