//! The tray icon: a badge for running and waiting work, and a menu.
//!
//! It shows the overview; its menu calls the same operations as the page.

mod availability;
mod entry;
mod icon;
mod state;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;
use std::thread;
use std::time::{Duration, Instant};

use baton_api::wire::{Change, Overview};
use baton_api::{App, Changes};
use tauri::menu::{IsMenuItem, Menu, MenuItem, PredefinedMenuItem};
use tauri::tray::{TrayIcon, TrayIconBuilder};
use tauri::{AppHandle, Manager, Wry};

use crate::backend_handle::BackendHandle;
use crate::overview;
use entry::{MenuEntry, TrayAction};
use state::TrayState;

pub(crate) use availability::is_tray_available;

/// The tray icon's id.
const TRAY_ID: &str = "baton";
/// A run can change a thousand times a second; the tray updates at most this often.
const UPDATE_INTERVAL: Duration = Duration::from_secs(1);

/// Adds the tray icon and keeps it current from a background thread. Called when the page has
/// loaded, also again: the tray library would otherwise delay the first paint. On a desktop without
/// a tray it logs a warning.
pub(crate) fn start_once(backend: &BackendHandle, app: &AppHandle) {
    static STARTED: Once = Once::new();
    STARTED.call_once(|| start(backend.clone(), app));
}

fn start(backend: BackendHandle, app: &AppHandle) {
    let state = TrayState::default();
    // The tray library is loaded on first use, and panics when it is missing.
    let made = catch_unwind(AssertUnwindSafe(|| build_tray(app, &state)));
    match made {
        Ok(Ok(icon)) => {
            let app = app.clone();
            thread::spawn(move || update_on_changes(&backend, &app, &icon, state));
        }
        Ok(Err(error)) => tracing::warn!(%error, "couldn't create the tray icon"),
        Err(_) => {
            tracing::warn!("couldn't create the tray icon: libayatana-appindicator3 is missing")
        }
    }
}

fn build_tray(app: &AppHandle, state: &TrayState) -> tauri::Result<TrayIcon> {
    TrayIconBuilder::with_id(TRAY_ID)
        .icon(icon::render(state.badge))
        .tooltip(&state.tooltip)
        .menu(&build_menu(app, state)?)
        .show_menu_on_left_click(true)
        .on_menu_event(|app, event| handle_menu_event(app, event.id().as_ref()))
        .build(app)
}

fn update_on_changes(
    backend: &BackendHandle,
    app: &AppHandle,
    icon: &TrayIcon,
    mut shown: TrayState,
) {
    let backend = backend.wait();
    let changes = backend.changes();
    loop {
        if let Some(overview) = overview::read(backend) {
            let state = TrayState::from_overview(&overview);
            if state != shown {
                show_state(app, icon, &state);
                shown = state;
            }
        }
        if !wait_for_change(&changes) {
            return;
        }
    }
}

/// Waits for a change that the tray may show, then collects further ones for `UPDATE_INTERVAL`.
/// Returns false when the feed has ended.
fn wait_for_change(changes: &Changes) -> bool {
    loop {
        match changes.recv() {
            None => return false,
            Some(
                Change::Run { .. }
                | Change::Plan { .. }
                | Change::PlanDeleted { .. }
                | Change::Proposal { .. }
                | Change::All,
            ) => break,
            Some(_) => {}
        }
    }
    let end = Instant::now() + UPDATE_INTERVAL;
    while let Ok(Some(_)) = changes.recv_timeout(end.saturating_duration_since(Instant::now())) {}
    true
}

/// Updates everything in one call on the main thread, so that the count always matches the menu.
fn show_state(app: &AppHandle, icon: &TrayIcon, state: &TrayState) {
    let (handle, icon, state) = (app.clone(), icon.clone(), state.clone());
    let asked = app.run_on_main_thread(move || {
        if let Err(error) = apply_state(&handle, &icon, &state) {
            tracing::warn!(%error, "couldn't update the tray");
        }
    });
    if let Err(error) = asked {
        tracing::warn!(%error, "couldn't schedule a tray update");
    }
}

fn apply_state(app: &AppHandle, icon: &TrayIcon, state: &TrayState) -> tauri::Result<()> {
    icon.set_menu(Some(build_menu(app, state)?))?;
    icon.set_icon(Some(icon::render(state.badge)))?;
    icon.set_title(Some(&state.count))?;
    icon.set_tooltip(Some(&state.tooltip))
}

fn build_menu(app: &AppHandle, state: &TrayState) -> tauri::Result<Menu<Wry>> {
    let items = state
        .entries
        .iter()
        .map(|entry| build_menu_item(app, entry))
        .collect::<tauri::Result<Vec<_>>>()?;
    Menu::with_items(app, &items.iter().map(AsRef::as_ref).collect::<Vec<_>>())
}

fn build_menu_item(app: &AppHandle, entry: &MenuEntry) -> tauri::Result<Box<dyn IsMenuItem<Wry>>> {
    Ok(match entry {
        MenuEntry::Separator => Box::new(PredefinedMenuItem::separator(app)?),
        MenuEntry::Label(label) => Box::new(MenuItem::new(
            app,
            escape_mnemonics(label),
            false,
            None::<&str>,
        )?),
        MenuEntry::Action(action, label) => Box::new(MenuItem::with_id(
            app,
            action.id(),
            escape_mnemonics(label),
            true,
            None::<&str>,
        )?),
    })
}

/// Doubles `&`, which menus read as the mark of an access key.
fn escape_mnemonics(label: &str) -> String {
    label.replace('&', "&&")
}

fn handle_menu_event(app: &AppHandle, id: &str) {
    match TrayAction::from_id(id) {
        Some(action) => action.perform(app),
        None => tracing::error!(id, "unknown entry in the tray menu"),
    }
}

/// Calls an operation for each input that `inputs_of` returns, from a thread because it may wait
/// for another process.
fn call_for_each_run(
    app: &AppHandle,
    operation: &'static str,
    inputs_of: fn(&Overview) -> Vec<serde_json::Value>,
) {
    let backend = app.state::<BackendHandle>().inner().clone();
    thread::spawn(move || {
        let Some(backend) = backend.get() else { return };
        for input in overview::read(backend).iter().flat_map(inputs_of) {
            call_operation(backend, operation, input);
        }
    });
}

fn call_operation(backend: &App, operation: &str, input: serde_json::Value) {
    if let Err(error) = baton_api::call(backend, operation, input) {
        tracing::warn!(%error, operation, "an operation called from the tray failed");
    }
}
