//! What the tray's menu offers, and what a press does.

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
    /// Words that cannot be pressed.
    Label(String),
    /// Something to press.
    Action(TrayAction, String),
    /// What divides groups.
    Separator,
}

/// What a press does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TrayAction {
    /// Shows a run on its blueprint.
    Run {
        /// The plan.
        plan: String,
        /// The run.
        run: String,
    },
    /// Shows what waits.
    Inbox,
    /// Begins a blueprint.
    NewBlueprint,
    /// Starts no more nodes of any run.
    PauseAll,
    /// Lets all paused runs go on.
    ResumeAll,
    /// Shows the window.
    Show,
    /// Ends Baton.
    Quit,
}

impl TrayAction {
    /// The id of its row; [`TrayAction::from_id`] reads it.
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

    /// The act of a row.
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

    /// Does it.
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

/// Whether more nodes of a run may start.
pub(super) fn can_be_paused(state: &RunState) -> bool {
    matches!(
        state,
        RunState::Running {
            ending: None | Some(Ending::Verifying)
        }
    )
}

/// Whether a run starts no more nodes because a person said so, although some of its nodes may still be at work.
pub(super) fn is_paused(state: &RunState) -> bool {
    // What waits for a review is decided in the Inbox, one by one.
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
