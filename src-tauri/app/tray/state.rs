//! The overview as the tray shows it: a badge, a number, a sentence and the rows of the menu.

use baton_api::wire::{Ending, OpenRun, Overview, RunState};

use super::entry::{MenuEntry, TrayAction, can_be_paused, is_paused};

/// More runs than these are told by their number.
const MAX_LISTED_RUNS: usize = 8;
/// The longest title of a row, in characters.
const MAX_TITLE_LENGTH: usize = 48;

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
pub(super) struct TrayState {
    pub(super) badge: Badge,
    /// The number that belongs to the badge, for the desktops that show one beside it; empty without a badge.
    pub(super) count: String,
    /// The same in words.
    pub(super) tooltip: String,
    pub(super) entries: Vec<MenuEntry>,
}

impl Default for TrayState {
    fn default() -> Self {
        Self::from_overview(&Overview {
            runs: Vec::new(),
            waiting: 0,
        })
    }
}

impl TrayState {
    /// What the tray shows of `overview`.
    pub(super) fn from_overview(overview: &Overview) -> Self {
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
        let tooltip = summary(running, waiting);
        let entries = menu_entries(overview, &tooltip);
        Self {
            badge,
            count,
            tooltip,
            entries,
        }
    }
}

fn summary(running: usize, waiting: usize) -> String {
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

fn menu_entries(overview: &Overview, tooltip: &str) -> Vec<MenuEntry> {
    let mut entries = vec![MenuEntry::Label(tooltip.to_owned())];
    if !overview.runs.is_empty() {
        entries.push(MenuEntry::Separator);
        entries.extend(overview.runs.iter().take(MAX_LISTED_RUNS).map(run_entry));
        if let Some(more) = overview
            .runs
            .len()
            .checked_sub(MAX_LISTED_RUNS)
            .filter(|more| *more > 0)
        {
            entries.push(MenuEntry::Label(format!("and {more} more")));
        }
    }
    entries.push(MenuEntry::Separator);
    let inbox = if overview.waiting == 0 {
        "Inbox".to_owned()
    } else {
        format!("Inbox ({})", overview.waiting)
    };
    entries.push(MenuEntry::Action(TrayAction::Inbox, inbox));
    entries.push(MenuEntry::Action(
        TrayAction::NewBlueprint,
        "New blueprint".to_owned(),
    ));
    if overview.runs.iter().any(|open| can_be_paused(&open.state)) {
        entries.push(MenuEntry::Action(
            TrayAction::PauseAll,
            "Pause all runs".to_owned(),
        ));
    }
    if overview.runs.iter().any(|open| is_paused(&open.state)) {
        entries.push(MenuEntry::Action(
            TrayAction::ResumeAll,
            "Resume paused runs".to_owned(),
        ));
    }
    entries.push(MenuEntry::Separator);
    entries.push(MenuEntry::Action(TrayAction::Show, "Show Baton".to_owned()));
    entries.push(MenuEntry::Action(TrayAction::Quit, "Quit Baton".to_owned()));
    entries
}

fn run_entry(open: &OpenRun) -> MenuEntry {
    let action = TrayAction::Run {
        plan: open.plan.to_string(),
        run: open.run.to_string(),
    };
    MenuEntry::Action(
        action,
        format!(
            "{}: {}",
            truncate_title(&open.title),
            state_label(&open.state)
        ),
    )
}

/// A title in one short line: it may be anything.
fn truncate_title(title: &str) -> String {
    let line = title.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.is_empty() {
        return "Untitled".to_owned();
    }
    let mut truncated: String = line.chars().take(MAX_TITLE_LENGTH).collect();
    if truncated.len() < line.len() {
        truncated.push('…');
    }
    truncated
}

/// The word that the window shows for a state.
fn state_label(state: &RunState) -> &'static str {
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

    fn rows(state: &TrayState) -> Vec<String> {
        let row = |entry: &MenuEntry| match entry {
            MenuEntry::Separator => "-".to_owned(),
            MenuEntry::Label(label) => format!("({label})"),
            MenuEntry::Action(action, label) => format!(
                "{label} [{}]",
                action.id().split('/').next().unwrap_or_default()
            ),
        };
        state.entries.iter().map(row).collect()
    }

    #[test]
    fn waiting_badge_takes_precedence_over_running() {
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
        for (runs, waiting, badge, count, tooltip) in table {
            let standing = TrayState::from_overview(&overview(&runs, waiting));
            assert_eq!(
                (
                    standing.badge,
                    standing.count.as_str(),
                    standing.tooltip.as_str()
                ),
                (badge, count, tooltip)
            );
        }
    }

    #[test]
    fn menu_offers_only_available_actions() {
        assert_eq!(
            rows(&TrayState::default()),
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
            rows(&TrayState::from_overview(&overview(&runs, 2))),
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
    fn pausing_run_can_be_resumed_but_stopping_run_cannot() {
        let rows = |ending| {
            let state = serde_json::to_value(RunState::Running {
                ending: Some(ending),
            })
            .expect("a state");
            rows(&TrayState::from_overview(&overview(
                &[("Nightly", state)],
                0,
            )))
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
    fn menu_limits_runs_and_title_length() {
        let long = "word ".repeat(100);
        let state = json!({ "state": "stalled", "message": "nothing can go on" });
        let runs: Vec<_> = (0..30).map(|_| (long.as_str(), state.clone())).collect();
        let rows = rows(&TrayState::from_overview(&overview(&runs, 0)));
        assert!(
            rows.len() < 20 && rows.iter().all(|row| row.chars().count() < 80),
            "{rows:#?}"
        );
        assert!(rows.contains(&"(and 22 more)".to_owned()), "{rows:#?}");
    }

    #[test]
    fn action_ids_round_trip() {
        let run = TrayAction::Run {
            plan: PLAN.to_owned(),
            run: RUN.to_owned(),
        };
        for action in [
            run,
            TrayAction::Inbox,
            TrayAction::NewBlueprint,
            TrayAction::PauseAll,
            TrayAction::ResumeAll,
            TrayAction::Show,
            TrayAction::Quit,
        ] {
            assert_eq!(TrayAction::from_id(&action.id()), Some(action));
        }
        assert_eq!(TrayAction::from_id("run/only"), None);
    }
}
