//! The entries of the tray menu and their actions.

use baton_api::wire::{Ending, Overview, RunState};
use serde_json::{Value, json};
use tauri::AppHandle;

use super::call_for_each_run;
use crate::deep_link::Route;
use crate::open_requests;
use crate::quit::{self, QuitTrigger};

/// One row of the menu.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum MenuEntry {
    /// A disabled row of text.
    Label(String),
    Action(TrayAction, String),
    Separator,
}

/// The action of a menu entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TrayAction {
    /// Opens a run on its blueprint.
    Run {
        plan: String,
        run: String,
    },
    /// Opens the Inbox.
    Inbox,
    /// Opens the page for a new blueprint.
    NewBlueprint,
    /// Pauses all runs: no more nodes start.
    PauseAll,
    /// Resumes all paused runs.
    ResumeAll,
    Show,
    Quit,
}

impl TrayAction {
    /// Returns the id of the menu entry, which [`TrayAction::from_id`] parses.
    pub(super) fn id(&self) -> String {
        match self {
            Self::Run { plan, run } => format!("run/{plan}/{run}"),
            Self::Inbox => "inbox".to_owned(),
            Self::NewBlueprint => "new".to_owned(),
            Self::PauseAll => "pause".to_owned(),
            Self::ResumeAll => "resume".to_owned(),
            Self::Show => "show".to_owned(),
            Self::Quit => "quit".to_owned(),
        }
    }

    /// Parses the id of a menu entry.
    pub(super) fn from_id(id: &str) -> Option<Self> {
        Some(match id.split('/').collect::<Vec<_>>().as_slice() {
            ["run", plan, run] => Self::Run {
                plan: (*plan).to_owned(),
                run: (*run).to_owned(),
            },
            ["inbox"] => Self::Inbox,
            ["new"] => Self::NewBlueprint,
            ["pause"] => Self::PauseAll,
            ["resume"] => Self::ResumeAll,
            ["show"] => Self::Show,
            ["quit"] => Self::Quit,
            _ => return None,
        })
    }

    pub(super) fn perform(self, app: &AppHandle) {
        match self {
            Self::Run { plan, run } => open_requests::navigate(
                app,
                Route::Blueprint {
                    plan,
                    run: Some(run),
                },
            ),
            Self::Inbox => open_requests::navigate(app, Route::Inbox),
            Self::NewBlueprint => open_requests::navigate(app, Route::NewBlueprint),
            Self::PauseAll => call_for_each_run(app, "run_pause", pause_inputs),
            Self::ResumeAll => call_for_each_run(app, "run_resume", resume_inputs),
            Self::Show => open_requests::focus_window(app),
            Self::Quit => quit::request_quit(app, QuitTrigger::Quit),
        }
    }
}

/// Returns whether the run may still start nodes.
pub(super) fn can_be_paused(state: &RunState) -> bool {
    matches!(
        state,
        RunState::Running {
            ending: None | Some(Ending::Verifying)
        }
    )
}

/// Returns whether the run was paused by a person. Some of its nodes may still be running.
pub(super) fn is_paused(state: &RunState) -> bool {
    // Reviews are decided one by one in the Inbox.
    !state.waits_for_review()
        && matches!(
            state,
            RunState::Paused { .. }
                | RunState::Running {
                    ending: Some(Ending::Pausing { .. })
                }
        )
}

fn pause_inputs(overview: &Overview) -> Vec<Value> {
    let runs = overview
        .runs
        .iter()
        .filter(|open| can_be_paused(&open.state));
    runs.map(|open| json!({ "run": open.run, "stopRunning": false }))
        .collect()
}

fn resume_inputs(overview: &Overview) -> Vec<Value> {
    let runs = overview.runs.iter().filter(|open| is_paused(&open.state));
    runs.map(|open| json!({ "run": open.run })).collect()
}
