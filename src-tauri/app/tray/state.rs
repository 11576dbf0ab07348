//! What the tray shows: badge, count, tooltip and menu entries, derived from the overview.

use baton_api::wire::{Ending, OpenRun, Overview, RunState};

use super::entry::{MenuEntry, TrayAction, can_be_paused, is_paused};

/// Further runs are only counted.
const MAX_LISTED_RUNS: usize = 8;
/// The longest title of a menu entry, in characters.
const MAX_TITLE_LENGTH: usize = 48;

/// The badge over Baton's logo.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Badge {
    #[default]
    None,
    /// At least one run is running and nothing waits for a person.
    Running,
    /// At least one item waits for a person.
    Waiting,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TrayState {
    pub(super) badge: Badge,
    /// The number of waiting items or running runs, for desktops that show one beside the icon;
    /// empty without a badge.
    pub(super) count: String,
    /// The state as a sentence.
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
    /// Derives the tray's state from `overview`.
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
        0 => "No runs in progress".to_owned(),
        1 => "1 run in progress".to_owned(),
        more => format!("{more} runs in progress"),
    };
    match waiting {
        0 => running,
        1 => format!("{running}, 1 item waiting for you"),
        more => format!("{running}, {more} items waiting for you"),
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

/// Returns a title as one short line.
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

/// Returns the window's label for a state.
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
        RunState::Cancelled => "Canceled",
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
            (vec![], 0, Badge::None, "", "No runs in progress"),
            (
                vec![("a", running.clone())],
                0,
                Badge::Running,
                "1",
                "1 run in progress",
            ),
            (
                vec![("a", paused.clone())],
                0,
                Badge::None,
                "",
                "No runs in progress",
            ),
            (
                vec![("a", running.clone()), ("b", running)],
                3,
                Badge::Waiting,
                "3",
                "2 runs in progress, 3 items waiting for you",
            ),
            (
                vec![("a", paused)],
                1,
                Badge::Waiting,
                "1",
                "No runs in progress, 1 item waiting for you",
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
                "(No runs in progress)",
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
                "(1 run in progress, 2 items waiting for you)",
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
        let state = json!({ "state": "stalled", "message": "no node can start" });
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
