//! Prints the events of a run from its history. The caller decides when to read the history again.

use baton_api::ApiError;
use baton_api::wire::*;
use baton_model::SessionId;
use baton_model::run::Event;

use super::event_formatter::{EventFormatter, Line};
use super::line_kind::LineKind;
use super::run_result;
use crate::client::Client;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::style::{self, Tone};

/// Number of events per request.
const HISTORY_PAGE_SIZE: u32 = 1000;
/// Maximum width of the title column.
const MAX_TITLE_WIDTH: usize = 32;

/// Prints the events and the summary of one run.
pub(crate) struct RunPrinter<'a> {
    client: &'a Client<'a>,
    events: EventFormatter,
    title_width: usize,
    /// Printed at the start of each line if several runs share the output.
    plan: Option<String>,
    seq: u64,
    known: u64,
    is_output_closed: bool,
    is_strict: bool,
}

impl<'a> RunPrinter<'a> {
    /// Prints the run of `view`. Events up to number `known` are applied but not printed.
    pub(crate) fn new(client: &'a Client<'a>, view: &RunView, known: u64) -> Result<Self, Failure> {
        let events = EventFormatter::new(view).map_err(|cycle| follow_error(&cycle))?;
        let title_width = events.title_width().min(MAX_TITLE_WIDTH);
        Ok(Self {
            client,
            events,
            title_width,
            plan: None,
            seq: 0,
            known,
            is_output_closed: false,
            is_strict: false,
        })
    }

    /// Prints the run of `view` since its current executor took it over. Each line starts with the
    /// plan's title, because a worker prints several runs.
    pub(crate) fn for_worker(client: &'a Client<'a>, view: &RunView) -> Result<Self, Failure> {
        let mut known = 0;
        let mut after = 0;
        loop {
            let rows = load_history(client, view.summary.id, after)?;
            let taken = |row: &&HistoryRow| {
                matches!(row.event, Event::TakenOver { .. } | Event::Started { .. })
            };
            known = rows
                .iter()
                .rev()
                .find(taken)
                .map_or(known, |row| row.seq - 1);
            after = rows.last().map_or(after, |row| row.seq);
            if rows.len() < HISTORY_PAGE_SIZE as usize {
                break;
            }
        }
        Ok(Self {
            plan: Some(style::one_line(&view.summary.title)),
            ..Self::new(client, view, known)?
        })
    }

    /// Sets whether unverified work counts as a failure.
    pub(crate) fn strict(self, is_strict: bool) -> Self {
        Self { is_strict, ..self }
    }

    /// Returns the run's state after the printed events.
    pub(super) fn events(&self) -> &EventFormatter {
        &self.events
    }

    /// Prints the new events of the history.
    pub(crate) fn catch_up(&mut self) -> Result<(), Failure> {
        loop {
            let rows = load_history(self.client, self.events.id(), self.seq)?;
            for row in &rows {
                self.print_event(row)?;
            }
            if rows.len() < HISTORY_PAGE_SIZE as usize {
                return Ok(());
            }
        }
    }

    /// Prints a question from a sub-plan's run, with the path of nodes that leads to it.
    pub(super) fn print_sub_plan_question(
        &mut self,
        item: &InboxItem,
        path: &str,
        text: &str,
    ) -> Result<(), Failure> {
        let printed = if self.client.output.json {
            self.client
                .output
                .json(&serde_json::json!({ "run": self.events.id(), "path": path, "waits": item }))
        } else {
            let title = path.split(" › ").next().unwrap_or_default().to_owned();
            let text = format!("{path} {text}");
            self.print_lines(&[Line {
                at: item.since,
                mark: LineKind::NeedsPerson,
                title,
                text,
                progress: None,
                failed: None,
            }])
        };
        self.ignore_closed_output(printed)
    }

    /// Prints the run's summary, after this process has nothing left to do for it.
    pub(crate) fn finish(&mut self) -> Result<Exit, Failure> {
        let run = self.events.id();
        let view: RunView = self
            .client
            .ask("load the run", "run_get", &RunRef { run })?;
        let printed = run_result::print(self.client, &view, &self.events, self.is_strict);
        self.ignore_closed_output(printed)?;
        Ok(run_result::exit_code(&view, self.is_strict))
    }

    fn print_event(&mut self, row: &HistoryRow) -> Result<(), Failure> {
        self.seq = row.seq;
        let lines = self
            .events
            .apply(row.at, &row.event, row.worked_ms)
            .map_err(|illegal| follow_error(&illegal))?;
        if row.seq <= self.known {
            return Ok(());
        }
        let printed = if self.client.output.json {
            self.client.output.json(&self.events.to_json(row))
        } else {
            self.print_lines(&lines)
        };
        self.ignore_closed_output(printed)
    }

    /// Ignores that standard output was closed, so that the run continues.
    fn ignore_closed_output(&mut self, printed: Result<(), Failure>) -> Result<(), Failure> {
        match printed {
            Err(failure) if failure.is_output_closed() => {
                self.is_output_closed = true;
                Ok(())
            }
            other => other,
        }
    }

    fn print_lines(&self, lines: &[Line]) -> Result<(), Failure> {
        if self.client.output.quiet || self.is_output_closed {
            return Ok(());
        }
        lines
            .iter()
            .try_for_each(|line| self.client.output.line(&self.render_line(line)))
    }

    fn render_line(&self, line: &Line) -> String {
        let output = self.client.output;
        let (symbol, tone) = line.mark.symbol();
        let title = style::pad(&style::cut(&line.title, self.title_width), self.title_width);
        let plan = self.plan.as_ref().map(|plan| {
            output.paint(
                &format!("{}  ", style::cut(plan, MAX_TITLE_WIDTH)),
                Tone::Faint,
            )
        });
        let progress = line
            .progress
            .map(|(at, of)| output.paint(&format!("  [{at}/{of}]"), Tone::Faint));
        let last_output_line = line
            .failed
            .and_then(|session| self.last_output_line(session));
        let reason = last_output_line
            .map(|text| format!(" — {text}"))
            .unwrap_or_default();
        format!(
            "{}  {}{} {title}  {}{}{}",
            output.paint(&crate::time_format::clock(line.at), Tone::Faint),
            plan.unwrap_or_default(),
            output.paint(symbol, tone),
            style::one_line(&line.text),
            reason,
            progress.unwrap_or_default(),
        )
    }

    /// Returns the last line of a session's standard error, or of its output if standard error is
    /// empty.
    fn last_output_line(&self, session: SessionId) -> Option<String> {
        let range = TimelineRange {
            session,
            from: -20,
            limit: 20,
            since: None,
            of_end: false,
        };
        let page: TimelinePage = self.client.try_ask("session_timeline", &range).ok()?;
        run_result::last_line(&page.entries).map(|line| style::cut(&style::one_line(&line), 200))
    }
}

fn load_history(
    client: &Client<'_>,
    run: baton_model::RunId,
    after: u64,
) -> Result<Vec<HistoryRow>, Failure> {
    client.ask(
        "follow the run",
        "run_history",
        &RunHistory {
            run,
            after,
            limit: HISTORY_PAGE_SIZE,
        },
    )
}

fn follow_error(error: &dyn std::fmt::Display) -> Failure {
    let error = ApiError::new(baton_api::Code::Internal, error.to_string());
    Failure::Operation {
        doing: "follow the run".to_owned(),
        error,
    }
}
