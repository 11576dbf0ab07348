//! Telling what happens in a run, a line for each event that is worth one.
//!
//! History is the source: whoever uses this says when to look again.

use baton_api::ApiError;
use baton_api::wire::*;
use baton_model::SessionId;
use baton_model::run::Event;

use super::ending;
use super::story::{Line, Mark, Story};
use crate::client::Client;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::style::{self, Tone};

/// How many events are fetched at once.
const PAGE: u32 = 1000;
/// The widest column of titles.
const TITLES: usize = 32;

/// Tells one run.
pub(crate) struct Teller<'a> {
    client: &'a Client<'a>,
    story: Story,
    title_width: usize,
    /// Written before each line, where several runs are told at once.
    plan: Option<String>,
    seq: u64,
    known: u64,
    deaf: bool,
    is_strict: bool,
}

impl<'a> Teller<'a> {
    /// Tells the run of `view`; events up to `known` are history that is not told again.
    pub(crate) fn new(client: &'a Client<'a>, view: &RunView, known: u64) -> Result<Self, Failure> {
        let story = Story::new(view).map_err(|cycle| failed_to_follow(&cycle))?;
        let title_width = story.title_width().min(TITLES);
        Ok(Self {
            client,
            story,
            title_width,
            plan: None,
            seq: 0,
            known,
            deaf: false,
            is_strict: false,
        })
    }

    /// Tells the run of `view` from where its present executor took it up, among others: each line names the plan.
    pub(crate) fn among_others(client: &'a Client<'a>, view: &RunView) -> Result<Self, Failure> {
        let mut known = 0;
        let mut after = 0;
        loop {
            let rows = history(client, view.summary.id, after)?;
            let taken = |row: &&HistoryRow| {
                matches!(row.event, Event::TakenOver { .. } | Event::Started { .. })
            };
            known = rows
                .iter()
                .rev()
                .find(taken)
                .map_or(known, |row| row.seq - 1);
            after = rows.last().map_or(after, |row| row.seq);
            if rows.len() < PAGE as usize {
                break;
            }
        }
        Ok(Self {
            plan: Some(style::one_line(&view.summary.title)),
            ..Self::new(client, view, known)?
        })
    }

    /// The same, where work that is not verified counts as failed.
    pub(crate) fn strict(self, is_strict: bool) -> Self {
        Self { is_strict, ..self }
    }

    /// The run as far as it was told.
    pub(super) fn story(&self) -> &Story {
        &self.story
    }

    /// Tells what has been added to the history.
    pub(crate) fn catch_up(&mut self) -> Result<(), Failure> {
        loop {
            let rows = history(self.client, self.story.id(), self.seq)?;
            for row in &rows {
                self.tell(row)?;
            }
            if rows.len() < PAGE as usize {
                return Ok(());
            }
        }
    }

    /// Tells that a run below this one asks something, by the path of nodes that leads there.
    pub(super) fn tell_of_below(
        &mut self,
        item: &InboxItem,
        path: &str,
        words: &str,
    ) -> Result<(), Failure> {
        let told = if self.client.output.json {
            self.client
                .output
                .json(&serde_json::json!({ "run": self.story.id(), "path": path, "waits": item }))
        } else {
            let title = path.split(" › ").next().unwrap_or_default().to_owned();
            let text = format!("{path} {words}");
            self.show(&[Line {
                at: item.since,
                mark: Mark::Asks,
                title,
                text,
                progress: None,
                failed: None,
            }])
        };
        self.unless_deaf(told)
    }

    /// Tells how the run stands, now that this process has nothing more to do for it.
    pub(crate) fn end(&mut self) -> Result<Exit, Failure> {
        let run = self.story.id();
        let view: RunView = self
            .client
            .ask("look at the run", "run_get", &RunRef { run })?;
        let told = ending::tell(self.client, &view, &self.story, self.is_strict);
        self.unless_deaf(told)?;
        Ok(ending::exit(&view, self.is_strict))
    }

    fn tell(&mut self, row: &HistoryRow) -> Result<(), Failure> {
        self.seq = row.seq;
        let lines = self
            .story
            .hear(row.at, &row.event)
            .map_err(|illegal| failed_to_follow(&illegal))?;
        if row.seq <= self.known {
            return Ok(());
        }
        let told = if self.client.output.json {
            self.client.output.json(&self.story.data(row))
        } else {
            self.show(&lines)
        };
        self.unless_deaf(told)
    }

    /// A reader of standard output that goes away does not end the run.
    fn unless_deaf(&mut self, told: Result<(), Failure>) -> Result<(), Failure> {
        match told {
            Err(failure) if failure.nobody_listens() => {
                self.deaf = true;
                Ok(())
            }
            other => other,
        }
    }

    fn show(&self, lines: &[Line]) -> Result<(), Failure> {
        if self.client.output.quiet || self.deaf {
            return Ok(());
        }
        lines
            .iter()
            .try_for_each(|line| self.client.output.line(&self.drawn(line)))
    }

    fn drawn(&self, line: &Line) -> String {
        let output = self.client.output;
        let (symbol, tone) = line.mark.drawn();
        let title = style::pad(&style::cut(&line.title, self.title_width), self.title_width);
        let plan = self
            .plan
            .as_ref()
            .map(|plan| output.paint(&format!("{}  ", style::cut(plan, TITLES)), Tone::Faint));
        let progress = line
            .progress
            .map(|(at, of)| output.paint(&format!("  [{at}/{of}]"), Tone::Faint));
        let last_words = line.failed.and_then(|session| self.last_words(session));
        let reason = last_words
            .map(|words| format!(" — {words}"))
            .unwrap_or_default();
        format!(
            "{}  {}{} {title}  {}{}{}",
            output.paint(&crate::duration::clock(line.at), Tone::Faint),
            plan.unwrap_or_default(),
            output.paint(symbol, tone),
            style::one_line(&line.text),
            reason,
            progress.unwrap_or_default(),
        )
    }

    /// The last line of a session's standard error, or of its output when it complained of nothing.
    fn last_words(&self, session: SessionId) -> Option<String> {
        let range = TimelineRange {
            session,
            from: -20,
            limit: 20,
            since: None,
        };
        let page: TimelinePage = self.client.try_ask("session_timeline", &range).ok()?;
        ending::last_line(&page.entries).map(|line| style::cut(&style::one_line(&line), 200))
    }
}

fn history(
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
            limit: PAGE,
        },
    )
}

fn failed_to_follow(error: &dyn std::fmt::Display) -> Failure {
    let error = ApiError::new(baton_api::Code::Internal, error.to_string());
    Failure::Operation {
        doing: "follow the run".to_owned(),
        error,
    }
}
