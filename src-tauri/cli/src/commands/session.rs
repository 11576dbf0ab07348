//! `baton session`: lists, shows, searches and continues sessions.

mod conversation;
mod output;
mod output_printer;
mod output_rows;
mod transcripts;

use baton_agents::TimelineEntry;
use baton_api::wire::*;
use baton_model::SessionId;
use baton_model::duration::format_elapsed;
use clap::{Args, Subcommand};
use serde_json::json;

use crate::client::Client;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::id_lookup;
use crate::refused_calls;
use crate::style::{self, Tone};
use crate::table::{self, Cell};
use crate::time_format::date;
use crate::timeline_printer::TimelinePrinter;

/// Number of timeline entries per request.
const PAGE: u32 = 200;

#[derive(Debug, Subcommand)]
pub(crate) enum SessionVerb {
    /// List sessions, newest first
    List {
        /// List only sessions of this run
        #[arg(long, value_name = "RUN")]
        run: Option<String>,
        /// Maximum number of sessions to list
        #[arg(long, default_value_t = 20, value_name = "N")]
        limit: u32,
        /// List the agents' transcripts instead, including those from outside Baton
        #[arg(long, conflicts_with = "run")]
        transcripts: bool,
        /// List only transcripts of this agent
        #[arg(long, requires = "transcripts", value_name = "AGENT")]
        agent: Option<String>,
    },
    Show(ShowArgs),
    Output(output::OutputArgs),
    /// Search the agents' transcripts
    Search {
        /// Words that must all appear; "…" matches a phrase, wor* a prefix
        #[arg(required = true)]
        words: Vec<String>,
        /// Maximum number of transcripts to list
        #[arg(long, default_value_t = 20, value_name = "N")]
        limit: u32,
    },
    /// Continue an ended session with a new message
    ///
    /// The session of a node continues in its run. A transcript from outside Baton becomes a plan
    /// with one node; when you run it, the session continues in its own file.
    Continue(conversation::MessageArgs),
    /// Create a plan with one node that continues a copy of a session
    Fork(conversation::MessageArgs),
}

/// Show a session's timeline: prompts, answers, tool calls and output
#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// The session: its ID, the start of its ID, or its title; or a transcript as AGENT:ID
    session: String,
    /// Keep printing new entries until the session ends
    #[arg(long, short)]
    follow: bool,
    /// Show only the last N entries
    #[arg(long, value_name = "N")]
    last: Option<u32>,
    /// Show long texts in full
    #[arg(long)]
    full: bool,
}

pub(crate) fn session(client: &Client<'_>, verb: SessionVerb) -> Result<Exit, Failure> {
    match verb {
        SessionVerb::List {
            transcripts: true,
            agent,
            limit,
            ..
        } => transcripts::list(client, agent, limit),
        SessionVerb::List { run, limit, .. } => list(client, run.as_deref(), limit),
        SessionVerb::Search { words, limit } => transcripts::search(client, &words, limit),
        SessionVerb::Show(args) if transcripts::is_transcript_ref(&args.session) => {
            transcripts::show(client, &args.session, args.last, args.full)
        }
        SessionVerb::Show(args) => show(client, &args),
        SessionVerb::Output(args) => output::output(client, &args),
        SessionVerb::Continue(args) => return conversation::continue_session(client, args),
        SessionVerb::Fork(args) => return conversation::fork(client, args),
    }
    .map(|()| Exit::Done)
}

fn list(client: &Client<'_>, run: Option<&str>, limit: u32) -> Result<(), Failure> {
    let run = run
        .map(|given| id_lookup::find_run(client, given))
        .transpose()?;
    let sessions: Vec<SessionView> = client.ask(
        "list the sessions",
        "sessions_list",
        &SessionsFilter { run, limit },
    )?;
    if client.output.json {
        return client.output.json(&sessions);
    }
    if sessions.is_empty() {
        client.output.note("No sessions yet.");
        return Ok(());
    }
    let ids = id_lookup::short_ids(sessions.iter().map(|session| session.id.0));
    let rows: Vec<_> = sessions
        .iter()
        .zip(ids)
        .map(|(session, id)| row(session, id))
        .collect();
    table::print(
        client.output,
        [
            "session", "node", "plan", "attempt", "agent", "started", "worked", "output",
        ],
        &rows,
    )
}

fn row(session: &SessionView, id: String) -> [Cell; 8] {
    let took = match (session.started_at, session.ended_at) {
        (_, None) if session.live => Cell::from("running").tone(Tone::Active),
        (Some(_), Some(_)) => worked(session.times).into(),
        _ => "".into(),
    };
    [
        Cell::from(id).tone(Tone::Faint),
        Cell::from(&session.title).tone(Tone::Strong),
        Cell::from(&session.plan_title),
        session.attempt.to_string().into(),
        session.agent.as_deref().unwrap_or("command").into(),
        session.started_at.map(date).unwrap_or_default().into(),
        took,
        bytes(session.stdout_bytes + session.stderr_bytes).into(),
    ]
}

/// How long a session's program ran.
fn worked(times: baton_model::WorkTime) -> String {
    times
        .worked_ms
        .map_or_else(|| "unknown".to_owned(), format_elapsed)
}

fn bytes(count: u64) -> String {
    match count {
        0..1_000 => format!("{count} B"),
        1_000..1_000_000 => format!("{:.1} KB", count as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", count as f64 / 1e6),
        _ => format!("{:.1} GB", count as f64 / 1e9),
    }
}

fn show(client: &Client<'_>, args: &ShowArgs) -> Result<(), Failure> {
    let session = id_lookup::find_session(client, &args.session)?;
    let view: SessionView =
        client.ask("load the session", "session_get", &SessionRef { session })?;
    // Subscribe before the first read, so that no change in between is missed.
    let changes = client.app()?.changes();
    head(client, &view)?;
    let mut reader = Reader {
        client,
        session,
        full: args.full,
        of_end: false,
        from: 0,
        revision: None,
        printer: TimelinePrinter::default(),
    };
    let is_printed = match args.last {
        Some(last) if !args.follow && !client.output.json => reader.print_end(last)?,
        _ => false,
    };
    if let Some(last) = args.last.filter(|_| !is_printed) {
        reader.from = reader.total()?.saturating_sub(last.into());
    }
    while !is_printed && !reader.read()? && args.follow {
        while changes
            .recv()
            .is_some_and(|change| !concerns(&change, &view))
        {}
    }
    client.output.text(reader.printer.finish())?;
    refused_calls::print_count(
        client,
        AttemptRef {
            run: view.run,
            node: view.node,
            attempt: Some(view.attempt),
        },
    )
}

fn concerns(change: &Change, view: &SessionView) -> bool {
    match change {
        Change::Session { session, .. } => *session == view.id,
        Change::Run { run, .. } => *run == view.run,
        Change::All => true,
        Change::Plan { .. }
        | Change::PlanDeleted { .. }
        | Change::RunDeleted { .. }
        | Change::Proposal { .. }
        | Change::Settings
        | Change::Requests
        | Change::Terminal { .. }
        | Change::Terminals
        | Change::AppState
        | Change::Transcripts { .. } => false,
    }
}

fn head(client: &Client<'_>, view: &SessionView) -> Result<(), Failure> {
    let output = client.output;
    if output.json {
        return output.json(&json!({ "session": view }));
    }
    if output.quiet {
        return Ok(());
    }
    let who = view.agent.as_deref().unwrap_or("command").to_owned();
    let who = view.reason.as_ref().map_or_else(
        || who.clone(),
        |reason| format!("{who}, {}", style::one_line(reason)),
    );
    let title = output.paint(&style::one_line(&view.title), Tone::Strong);
    output.line(&format!(
        "{title}, attempt {} ({who}) of '{}'",
        view.attempt,
        style::one_line(&view.plan_title)
    ))?;
    output.line(&output.paint(
        &format!("$ {}", style::one_line(&view.argv.join(" "))),
        Tone::Faint,
    ))
}

struct Reader<'a> {
    client: &'a Client<'a>,
    session: SessionId,
    full: bool,
    /// Entries are counted in the end of the timeline.
    of_end: bool,
    from: u64,
    revision: Option<u64>,
    printer: TimelinePrinter,
}

impl Reader<'_> {
    /// Returns the number of entries. Requesting the last entry makes the backend read the whole
    /// timeline.
    fn total(&self) -> Result<u64, Failure> {
        Ok(self.page(-1, 1, None)?.total)
    }

    fn page(&self, from: i64, limit: u32, since: Option<u64>) -> Result<TimelinePage, Failure> {
        let range = TimelineRange {
            session: self.session,
            from,
            limit,
            since,
            of_end: self.of_end,
        };
        self.client
            .ask("load the timeline", "session_timeline", &range)
    }

    /// Prints the last entries without reading a long timeline from its start. Returns false if
    /// the part at its end has fewer.
    fn print_end(&mut self, last: u32) -> Result<bool, Failure> {
        self.of_end = true;
        let page = self.page(-i64::from(last.max(1)), last, None)?;
        // Once all is read, there is only one way to count.
        self.of_end = page.reading.is_some();
        if self.of_end && page.entries.len() < last as usize {
            self.of_end = false;
            return Ok(false);
        }
        for entry in &page.entries {
            self.print_entry(entry)?;
        }
        Ok(page.entries.len() == last as usize || page.total == page.entries.len() as u64)
    }

    /// Prints what has changed since the last call. Returns whether the session has ended.
    fn read(&mut self) -> Result<bool, Failure> {
        let since = self.revision;
        let (mut at, mut first) = (self.from, None);
        self.total()?;
        loop {
            let page = self.page(i64::try_from(at).unwrap_or(i64::MAX), PAGE, since)?;
            // Use the first page's revision, so that the next call sees what changed between the
            // pages.
            first.get_or_insert(page.revision);
            for entry in &page.entries {
                self.print_entry(entry)?;
            }
            at += u64::from(PAGE);
            if at >= page.total {
                self.revision = first;
                return Ok(page.ended);
            }
        }
    }

    fn print_entry(&mut self, entry: &TimelineEntry) -> Result<(), Failure> {
        let whole: Option<TimelineEntry> = if self.full && entry.left_out_bytes > 0 {
            let wanted = TimelineEntryRef {
                session: self.session,
                seq: entry.seq,
                of_end: self.of_end,
            };
            Some(self.client.ask("load an entry", "session_entry", &wanted)?)
        } else {
            None
        };
        let entry = whole.as_ref().unwrap_or(entry);
        if self.client.output.json {
            return self.client.output.json(entry);
        }
        let text = self
            .printer
            .print(entry, &|text, tone| self.client.output.paint(text, tone));
        self.client.output.text(&text)
    }
}
