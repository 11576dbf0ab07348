//! `baton session output`: prints what a session's program printed.

use std::io::Read as _;

use baton_api::wire::*;
use baton_api::{Stream, open_raw_output};
use baton_model::SessionId;
use clap::{Args, ValueEnum};

use super::output_rows::{OutputRows, RowFilter};
use super::{concerns, output_printer::OutputPrinter};
use crate::client::Client;
use crate::failure::Failure;
use crate::id_lookup;

/// Print what a session's program printed, both streams in order
///
/// Lines are printed as a terminal shows them at the end: without colors, with progress bars
/// collapsed, and without other control characters. With --json, each line is a JSON object with
/// its stream, time, text and colors.
#[derive(Debug, Args)]
pub(crate) struct OutputArgs {
    /// The session: its ID, the start of its ID, or its title
    session: String,
    /// Which stream to print
    #[arg(long, value_enum, default_value_t)]
    stream: StreamChoice,
    /// Keep printing new lines until the session ends
    #[arg(long, short)]
    follow: bool,
    /// Print only the last N lines
    #[arg(long, value_name = "N")]
    tail: Option<u32>,
    /// Print only lines that match a regular expression
    #[arg(long, value_name = "REGEX")]
    grep: Option<String>,
    /// Ignore case in --grep
    #[arg(long, short, requires = "grep")]
    ignore_case: bool,
    /// Print the bytes as the program printed them, with colors and control characters
    ///
    /// They could change your terminal, so on a terminal this prints plain lines. With both
    /// streams, bytes that are not UTF-8 are replaced.
    #[arg(long, conflicts_with_all = ["follow", "tail", "grep"])]
    raw: bool,
}

/// Which stream to print.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum StreamChoice {
    /// Standard output
    Stdout,
    /// Standard error
    Stderr,
    /// Both, in the order in which they were printed
    #[default]
    Both,
}

pub(super) fn output(client: &Client<'_>, args: &OutputArgs) -> Result<(), Failure> {
    let session = id_lookup::find_session(client, &args.session)?;
    if args.raw && !client.output.json && !client.output.is_terminal() {
        return print_raw(client, session, args.stream);
    }
    let filter = RowFilter {
        stream: match args.stream {
            StreamChoice::Stdout => Some(OutputStream::Stdout),
            StreamChoice::Stderr => Some(OutputStream::Stderr),
            StreamChoice::Both => None,
        },
        pattern: args.grep.clone().map(|regex| OutputPattern::Regex {
            regex,
            case_sensitive: !args.ignore_case,
        }),
    };
    let rows = OutputRows::new(client, session, filter);
    rows.check_pattern()?;
    if args.follow {
        follow(client, session, rows, args.tail)
    } else {
        print_once(client, rows, args.tail)
    }
}

/// Prints the output so far. What is printed meanwhile is left out.
fn print_once(
    client: &Client<'_>,
    mut rows: OutputRows<'_>,
    tail: Option<u32>,
) -> Result<(), Failure> {
    let end = rows.extent()?.size;
    if let Some(count) = tail {
        rows.seek_last(count, end)?;
    }
    let mut printer = OutputPrinter::new(client.output, rows.prints_whole_lines());
    print_until(&mut rows, &mut printer, end)
}

fn follow(
    client: &Client<'_>,
    session: SessionId,
    mut rows: OutputRows<'_>,
    tail: Option<u32>,
) -> Result<(), Failure> {
    let view: SessionView =
        client.ask("load the session", "session_get", &SessionRef { session })?;
    // Subscribe before the first read, so that no change in between is missed.
    let changes = client.app()?.changes();
    let mut printer = OutputPrinter::new(client.output, rows.prints_whole_lines());
    let mut extent = rows.extent()?;
    if let Some(count) = tail {
        rows.seek_last(count, extent.size)?;
    }
    loop {
        print_until(&mut rows, &mut printer, extent.finished)?;
        if extent.ended {
            return Ok(());
        }
        loop {
            match changes.recv() {
                Some(change) if !concerns(&change, &view) => {}
                Some(_) => break,
                None => return Ok(()),
            }
        }
        extent = rows.extent()?;
    }
}

fn print_until(
    rows: &mut OutputRows<'_>,
    printer: &mut OutputPrinter<'_>,
    end: u64,
) -> Result<(), Failure> {
    while rows.next() < end {
        printer.print(&rows.next_matches(end)?)?;
    }
    printer.end_line()
}

/// Prints bytes that a terminal would interpret.
fn print_raw(client: &Client<'_>, session: SessionId, stream: StreamChoice) -> Result<(), Failure> {
    let stream = match stream {
        StreamChoice::Stdout => Stream::Stdout,
        StreamChoice::Stderr => Stream::Stderr,
        StreamChoice::Both => return print_raw_in_order(client, session),
    };
    let opened = open_raw_output(client.app()?, session, stream);
    let raw = opened.map_err(|error| Failure::Operation {
        doing: "open the output".to_owned(),
        error,
    })?;
    client.output.copy(raw.file.take(raw.bytes))
}

fn print_raw_in_order(client: &Client<'_>, session: SessionId) -> Result<(), Failure> {
    let (mut from, end) = (
        0,
        OutputRows::new(client, session, RowFilter::default())
            .extent()?
            .size,
    );
    while from < end {
        let range = OutputTextRange {
            session,
            from,
            to: end,
            colors: true,
        };
        let part: OutputText = client.ask("load the output", "output_text", &range)?;
        client.output.copy(part.text.as_bytes())?;
        from = part.next;
    }
    Ok(())
}
