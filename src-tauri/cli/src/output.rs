//! Where results, remarks, questions and failures go.

use std::env;
use std::io::{self, BufRead, IsTerminal, Write};

use baton_model::visible_text::escape_invisible_json;
use serde::Serialize;

use crate::failure::Failure;
use crate::global_options::{ColorChoice, GlobalOptions};
use crate::style::{self, TerminalText, Tone};

/// Standard output for results, standard error for the rest.
#[derive(Debug)]
pub(crate) struct Output {
    /// Results are JSON.
    pub(crate) json: bool,
    /// Only results and errors.
    pub(crate) quiet: bool,
    colors: bool,
    error_colors: bool,
}

impl Output {
    /// As the command line asks.
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

    /// `text` as it is colored on standard output.
    pub(crate) fn paint(&self, text: &str, tone: Tone) -> String {
        style::paint(text, tone, self.colors)
    }

    /// How wide a line of results may be; none where nobody looks at it line by line.
    pub(crate) fn width(&self) -> Option<usize> {
        let (terminal_size::Width(width), _) = terminal_size::terminal_size_of(io::stdout())?;
        // Some terminals do not know their size and say 0.
        (width > 0).then(|| usize::from(width).max(40))
    }

    /// Writes a line of results.
    pub(crate) fn line(&self, text: &str) -> Result<(), Failure> {
        writeln!(
            io::stdout().lock(),
            "{}",
            TerminalText::new(text, self.colors)
        )
        .map_err(Failure::Output)
    }

    /// Writes lines of results, and makes them seen.
    pub(crate) fn text(&self, text: &str) -> Result<(), Failure> {
        let mut out = io::stdout().lock();
        write!(out, "{}", TerminalText::new(text, self.colors))
            .and_then(|()| out.flush())
            .map_err(Failure::Output)
    }

    /// Writes a file's content: as it is, unless a terminal would read it.
    pub(crate) fn file(&self, content: &str) -> Result<(), Failure> {
        if io::stdout().is_terminal() {
            return self.text(content);
        }
        let mut out = io::stdout().lock();
        out.write_all(content.as_bytes())
            .and_then(|()| out.flush())
            .map_err(Failure::Output)
    }

    /// Writes `value` as one line of JSON.
    pub(crate) fn json(&self, value: &impl Serialize) -> Result<(), Failure> {
        let text = serde_json::to_string(value).map_err(|error| Failure::Output(error.into()))?;
        self.line(&escape_invisible_json(&text))
    }

    /// Writes a remark, unless nobody wants remarks.
    pub(crate) fn note(&self, text: &str) {
        if !self.quiet {
            self.warn(text);
        }
    }

    /// Writes a line to standard error. That it cannot be written is nothing that could still be told.
    pub(crate) fn warn(&self, text: &str) {
        writeln!(
            io::stderr().lock(),
            "{}",
            TerminalText::new(text, self.error_colors)
        )
        .unwrap_or_default();
    }

    /// `text` as it is colored on standard error.
    pub(crate) fn paint_note(&self, text: &str, tone: Tone) -> String {
        style::paint(text, tone, self.error_colors)
    }

    /// Says why there is no result.
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
        let told = failure.to_string();
        let fix = error.fix.as_deref().map(style::lines).unwrap_or_default();
        // The first fault is part of the message.
        let more = error.faults.get(1..).unwrap_or_default();
        if more.is_empty() {
            self.warn(format!("{mark} {} {fix}", style::lines(&told)).trim_end());
            return;
        }
        self.warn(&format!("{mark} {}", style::lines(&told)));
        for fault in more {
            self.warn(&format!("  {}", style::lines(fault)));
        }
        if !fix.is_empty() {
            self.warn(&fix);
        }
    }

    /// Whether somebody can be asked: a terminal to read from and one to ask on, and no program that reads JSON.
    pub(crate) fn can_ask(&self) -> bool {
        !self.json && io::stdin().is_terminal() && io::stderr().is_terminal()
    }

    /// Asks a question; anything but yes is no.
    pub(crate) fn ask(&self, question: &str) -> Result<bool, Failure> {
        let failed = |source| Failure::System {
            doing: "ask",
            source,
        };
        let question = TerminalText::new(question, self.error_colors);
        write!(io::stderr().lock(), "{question} [y/N] ").map_err(failed)?;
        let mut answer = String::new();
        io::stdin().lock().read_line(&mut answer).map_err(failed)?;
        Ok(is_yes(&answer))
    }
}

/// Whether an answer is a yes.
pub(crate) fn is_yes(answer: &str) -> bool {
    matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes")
}
