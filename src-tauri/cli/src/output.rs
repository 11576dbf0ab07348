//! Prints results, notes, prompts and errors.

use std::env;
use std::io::{self, BufRead, IsTerminal, Write};

use baton_model::visible_text::escape_invisible_json;
use serde::Serialize;

use crate::failure::Failure;
use crate::global_options::{ColorChoice, GlobalOptions};
use crate::style::{self, TerminalText, Tone};

/// Prints results to standard output and everything else to standard error.
#[derive(Debug)]
pub(crate) struct Output {
    /// Whether results are printed as JSON.
    pub(crate) json: bool,
    /// Whether notes are suppressed.
    pub(crate) quiet: bool,
    colors: bool,
    error_colors: bool,
}

impl Output {
    /// Configures output from the global options and the terminals.
    pub(crate) fn new(global: &GlobalOptions) -> Self {
        let colors = |terminal: bool| match global.color {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => {
                terminal && env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
            }
        };
        Self {
            json: global.json,
            quiet: global.quiet,
            colors: colors(io::stdout().is_terminal()) && !global.json,
            error_colors: colors(io::stderr().is_terminal()),
        }
    }

    /// Colors `text` for standard output, if colors are on there.
    pub(crate) fn paint(&self, text: &str, tone: Tone) -> String {
        style::paint(text, tone, self.colors)
    }

    /// Returns the terminal's width, or `None` if standard output is not a terminal.
    pub(crate) fn width(&self) -> Option<usize> {
        let (terminal_size::Width(width), _) = terminal_size::terminal_size_of(io::stdout())?;
        // Some terminals don't know their size and report 0.
        (width > 0).then(|| usize::from(width).max(40))
    }

    /// Writes a line to standard output.
    pub(crate) fn line(&self, text: &str) -> Result<(), Failure> {
        writeln!(
            io::stdout().lock(),
            "{}",
            TerminalText::new(text, self.colors)
        )
        .map_err(Failure::Output)
    }

    /// Writes text to standard output and flushes it.
    pub(crate) fn text(&self, text: &str) -> Result<(), Failure> {
        let mut out = io::stdout().lock();
        write!(out, "{}", TerminalText::new(text, self.colors))
            .and_then(|()| out.flush())
            .map_err(Failure::Output)
    }

    /// Whether standard output is a terminal.
    pub(crate) fn is_terminal(&self) -> bool {
        io::stdout().is_terminal()
    }

    /// Copies bytes to standard output unchanged. It must not be a terminal, which would interpret
    /// control characters.
    pub(crate) fn copy(&self, mut content: impl io::Read) -> Result<(), Failure> {
        debug_assert!(!self.is_terminal(), "a terminal gets only safe text");
        let mut out = io::stdout().lock();
        io::copy(&mut content, &mut out)
            .and_then(|_| out.flush())
            .map_err(Failure::Output)
    }

    /// Writes a file's content to standard output. Control characters are removed only if it is a
    /// terminal.
    pub(crate) fn file(&self, content: &str) -> Result<(), Failure> {
        if self.is_terminal() {
            return self.text(content);
        }
        let mut out = io::stdout().lock();
        out.write_all(content.as_bytes())
            .and_then(|()| out.flush())
            .map_err(Failure::Output)
    }

    /// Writes `value` to standard output as one line of JSON.
    pub(crate) fn json(&self, value: &impl Serialize) -> Result<(), Failure> {
        let text = serde_json::to_string(value).map_err(|error| Failure::Output(error.into()))?;
        self.line(&escape_invisible_json(&text))
    }

    /// Writes a note to standard error, unless `--quiet` is set.
    pub(crate) fn note(&self, text: &str) {
        if !self.quiet {
            self.warn(text);
        }
    }

    /// Writes a line to standard error. Write errors are ignored, because there is nowhere left to
    /// report them.
    pub(crate) fn warn(&self, text: &str) {
        writeln!(
            io::stderr().lock(),
            "{}",
            TerminalText::new(text, self.error_colors)
        )
        .unwrap_or_default();
    }

    /// Colors `text` for standard error, if colors are on there.
    pub(crate) fn paint_note(&self, text: &str, tone: Tone) -> String {
        style::paint(text, tone, self.error_colors)
    }

    /// Prints an error with its fix and faults.
    pub(crate) fn failure(&self, failure: &Failure) {
        if failure.is_output_closed() {
            return;
        }
        let error = failure.to_api_error();
        if self.json {
            self.warn(&escape_invisible_json(
                &serde_json::json!({ "error": error }).to_string(),
            ));
            return;
        }
        let mark = self.paint_note("baton:", Tone::Bad);
        let message = failure.to_string();
        let fix = error.fix.as_deref().map(style::lines).unwrap_or_default();
        // The message already includes the first fault.
        let more = error.faults.get(1..).unwrap_or_default();
        if more.is_empty() {
            self.warn(format!("{mark} {} {fix}", style::lines(&message)).trim_end());
            return;
        }
        self.warn(&format!("{mark} {}", style::lines(&message)));
        for fault in more {
            self.warn(&format!("  {}", style::lines(fault)));
        }
        if !fix.is_empty() {
            self.warn(&fix);
        }
    }

    /// Whether the user can be prompted: standard input and error are terminals, and `--json` is
    /// not set.
    pub(crate) fn can_ask(&self) -> bool {
        !self.json && io::stdin().is_terminal() && io::stderr().is_terminal()
    }

    /// Prompts for yes or no. Any answer other than yes means no.
    pub(crate) fn ask(&self, question: &str) -> Result<bool, Failure> {
        let failed = |source| Failure::System {
            doing: "prompt for an answer",
            source,
        };
        let question = TerminalText::new(question, self.error_colors);
        write!(io::stderr().lock(), "{question} [y/N] ").map_err(failed)?;
        let mut answer = String::new();
        io::stdin().lock().read_line(&mut answer).map_err(failed)?;
        Ok(is_yes(&answer))
    }
}

/// Whether an answer is `y` or `yes`, in any case.
pub(crate) fn is_yes(answer: &str) -> bool {
    matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes")
}
