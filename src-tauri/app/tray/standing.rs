//! The overview as the tray shows it: a badge, a number, a sentence and the rows of the menu.

use baton_api::wire::{Ending, OpenRun, Overview, RunState};

use super::entry::{Act, Entry, goes_on, is_paused};

/// More runs than these are told by their number.
const RUNS_LISTED: usize = 8;
/// The longest title of a row, in characters.
const TITLE_LENGTH: usize = 48;

/// What is drawn over Baton's sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Badge {
    /// Nothing: all is quiet.
    #[default]
    None,
    /// Something runs.
    Running,
    /// Something waits for the person, whatever else goes on.
    Waiting,
}

/// All that the tray shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Standing {
    pub(super) badge: Badge,
    /// The number that belongs to the badge, for the desktops that show one beside it; empty without a badge.
    pub(super) count: String,
    /// The same in words.
    pub(super) words: String,
    pub(super) entries: Vec<Entry>,
}

impl Default for Standing {
    fn default() -> Self {
        Self::of(&Overview {
            runs: Vec::new(),
            waiting: 0,
        })
    }
}

impl Standing {
    /// What the tray shows of `overview`.
    pub(super) fn of(overview: &Overview) -> Self {
        let running = overview
            .runs
            .iter()
            .filter(|open| matches!(open.state, RunState::Running { .. }))
            .count();
        let waiting = overview.waiting as usize;
        let (badge, count) = match (waiting, running) {
            (0, 0) => (Badge::None, String::new()),
            (0, running) => (Badge::Running, running.to_string()),
            (waiting, _) => (Badge::Waiting, waiting.to_string()),
        };
        let words = words(running, waiting);
        let entries = entries(overview, &words);
        Self {
            badge,
            count,
            words,
            entries,
        }
    }
}

fn words(running: usize, waiting: usize) -> String {
    let running = match running {
        0 => "Nothing runs".to_owned(),
        1 => "1 run is running".to_owned(),
        more => format!("{more} runs are running"),
    };
    match waiting {
        0 => running,
        1 => format!("{running}, 1 thing waits for you"),
        more => format!("{running}, {more} things wait for you"),
    }
}

fn entries(overview: &Overview, words: &str) -> Vec<Entry> {
    let mut entries = vec![Entry::Words(words.to_owned())];
    if !overview.runs.is_empty() {
        entries.push(Entry::Line);
        entries.extend(overview.runs.iter().take(RUNS_LISTED).map(row));
        if let Some(more) = overview
            .runs
            .len()
            .checked_sub(RUNS_LISTED)
            .filter(|more| *more > 0)
        {
            entries.push(Entry::Words(format!("and {more} more")));
        }
    }
    entries.push(Entry::Line);
    let inbox = if overview.waiting == 0 {
        "Inbox".to_owned()
    } else {
        format!("Inbox ({})", overview.waiting)
    };
    entries.push(Entry::Act(Act::Inbox, inbox));
    entries.push(Entry::Act(Act::NewBlueprint, "New blueprint".to_owned()));
    if overview.runs.iter().any(|open| goes_on(&open.state)) {
        entries.push(Entry::Act(Act::PauseAll, "Pause all runs".to_owned()));
    }
    if overview.runs.iter().any(|open| is_paused(&open.state)) {
        entries.push(Entry::Act(Act::ResumeAll, "Resume paused runs".to_owned()));
    }
    entries.push(Entry::Line);
    entries.push(Entry::Act(Act::Show, "Show Baton".to_owned()));
    entries.push(Entry::Act(Act::Quit, "Quit Baton".to_owned()));
    entries
}

fn row(open: &OpenRun) -> Entry {
    let act = Act::Run {
        plan: open.plan.to_string(),
        run: open.run.to_string(),
    };
    Entry::Act(
        act,
        format!("{}: {}", title(&open.title), state(&open.state)),
    )
}

/// A title in one short line: it may be anything.
fn title(title: &str) -> String {
    let line = title.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.is_empty() {
        return "Untitled".to_owned();
    }
    let mut cut: String = line.chars().take(TITLE_LENGTH).collect();
    if cut.len() < line.len() {
        cut.push('…');
    }
    cut
}

/// The word that the window shows for a state.
fn state(state: &RunState) -> &'static str {
    match state {
        RunState::Running {
            ending: Some(Ending::Pausing { .. }),
        } => "Pausing",
        RunState::Running {
            ending: Some(Ending::Verifying),
        } => "Verifying",
        state if state.waits_for_review() => "Waiting for review",
        RunState::Running { ending: Some(_) } => "Stopping",
        RunState::Running { ending: None } => "Running",
        RunState::Paused { .. } => "Paused",
        RunState::Replanning { .. } => "Replanning",
        RunState::Stalled { .. } => "Stalled",
        RunState::Completed => "Completed",
        RunState::Failed { .. } => "Failed",
        RunState::Cancelled => "Cancelled",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const PLAN: &str = "01938f6e-0000-7000-8000-00000000000a";
    const RUN: &str = "01938f6e-0000-7000-8000-00000000000b";

    fn overview(runs: &[(&str, serde_json::Value)], waiting: u32) -> Overview {
        let runs: Vec<_> = runs
            .iter()
            .map(|(title, state)| json!({ "run": RUN, "plan": PLAN, "title": title, "state": state, "here": true }))
            .collect();
        serde_json::from_value(json!({ "runs": runs, "waiting": waiting })).expect("an overview")
    }

    fn rows(standing: &Standing) -> Vec<String> {
        let row = |entry: &Entry| match entry {
            Entry::Line => "-".to_owned(),
            Entry::Words(words) => format!("({words})"),
            Entry::Act(act, words) => format!(
                "{words} [{}]",
                act.id().split('/').next().unwrap_or_default()
            ),
        };
        standing.entries.iter().map(row).collect()
    }

    #[test]
    fn what_waits_goes_before_what_runs() {
        let running = json!({ "state": "running", "ending": null });
        let paused = json!({ "state": "paused", "reason": "asked" });
        let table = [
            (vec![], 0, Badge::None, "", "Nothing runs"),
            (
                vec![("a", running.clone())],
                0,
                Badge::Running,
                "1",
                "1 run is running",
            ),
            (
                vec![("a", paused.clone())],
                0,
                Badge::None,
                "",
                "Nothing runs",
            ),
            (
                vec![("a", running.clone()), ("b", running)],
                3,
                Badge::Waiting,
                "3",
                "2 runs are running, 3 things wait for you",
            ),
            (
                vec![("a", paused)],
                1,
                Badge::Waiting,
                "1",
                "Nothing runs, 1 thing waits for you",
            ),
        ];
        for (runs, waiting, badge, count, words) in table {
            let standing = Standing::of(&overview(&runs, waiting));
            assert_eq!(
                (
                    standing.badge,
                    standing.count.as_str(),
                    standing.words.as_str()
                ),
                (badge, count, words)
            );
        }
    }

    #[test]
    fn the_menu_offers_what_can_be_done() {
        assert_eq!(
            rows(&Standing::default()),
            [
                "(Nothing runs)",
                "-",
                "Inbox [inbox]",
                "New blueprint [new]",
                "-",
                "Show Baton [show]",
                "Quit Baton [quit]"
            ]
        );
        let runs = [
            (
                "Release notes",
                json!({ "state": "running", "ending": null }),
            ),
            (" \n", json!({ "state": "paused", "reason": "asked" })),
        ];
        assert_eq!(
            rows(&Standing::of(&overview(&runs, 2))),
            [
                "(1 run is running, 2 things wait for you)",
                "-",
                "Release notes: Running [run]",
                "Untitled: Paused [run]",
                "-",
                "Inbox (2) [inbox]",
                "New blueprint [new]",
                "Pause all runs [pause]",
                "Resume paused runs [resume]",
                "-",
                "Show Baton [show]",
                "Quit Baton [quit]"
            ]
        );
    }

    #[test]
    fn a_run_that_pauses_can_be_resumed_and_one_that_stops_can_do_neither() {
        let rows = |ending| {
            let state = serde_json::to_value(RunState::Running {
                ending: Some(ending),
            })
            .expect("a state");
            rows(&Standing::of(&overview(&[("Nightly", state)], 0)))
        };
        let pausing = rows(Ending::Pausing {
            stop_running: false,
        });
        assert!(
            pausing.contains(&"Nightly: Pausing [run]".to_owned()),
            "{pausing:?}"
        );
        assert!(
            pausing.contains(&"Resume paused runs [resume]".to_owned()),
            "{pausing:?}"
        );
        let verifying = rows(Ending::Verifying);
        assert!(
            verifying.contains(&"Nightly: Verifying [run]".to_owned()),
            "{verifying:?}"
        );
        assert!(
            verifying.iter().any(|row| row.starts_with("Pause")),
            "{verifying:?}"
        );
        let reviewing = rows(Ending::Reviewing);
        assert!(
            reviewing.contains(&"Nightly: Waiting for review [run]".to_owned()),
            "{reviewing:?}"
        );
        assert!(
            !reviewing.iter().any(|row| row.starts_with("Resume")),
            "decided one by one: {reviewing:?}"
        );
        let stopping = rows(Ending::Cancelling);
        assert!(
            stopping.contains(&"Nightly: Stopping [run]".to_owned()),
            "{stopping:?}"
        );
        assert!(
            !stopping
                .iter()
                .any(|row| row.starts_with("Pause") || row.starts_with("Resume")),
            "{stopping:?}"
        );
    }

    #[test]
    fn many_runs_and_long_titles_keep_the_menu_small() {
        let long = "word ".repeat(100);
        let state = json!({ "state": "stalled", "message": "nothing can go on" });
        let runs: Vec<_> = (0..30).map(|_| (long.as_str(), state.clone())).collect();
        let rows = rows(&Standing::of(&overview(&runs, 0)));
        assert!(
            rows.len() < 20 && rows.iter().all(|row| row.chars().count() < 80),
            "{rows:#?}"
        );
        assert!(rows.contains(&"(and 22 more)".to_owned()), "{rows:#?}");
    }

    #[test]
    fn every_act_is_read_back_from_its_row() {
        let run = Act::Run {
            plan: PLAN.to_owned(),
            run: RUN.to_owned(),
        };
        for act in [
            run,
            Act::Inbox,
            Act::NewBlueprint,
            Act::PauseAll,
            Act::ResumeAll,
            Act::Show,
            Act::Quit,
        ] {
            assert_eq!(Act::from_id(&act.id()), Some(act));
        }
        assert_eq!(Act::from_id("run/only"), None);
    }
}
