//! Baton's sign in the tray: what runs, what waits for the person, and the ways there.
//!
//! Knows only the overview; what a press on an entry does is asked of the same operations that the page asks.

mod entry;
mod picture;
mod seen;
mod standing;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;
use std::time::{Duration, Instant};

use baton_api::wire::{Change, Overview};
use baton_api::{App, Changes};
use tauri::menu::{IsMenuItem, Menu, MenuItem, PredefinedMenuItem};
use tauri::tray::{TrayIcon, TrayIconBuilder};
use tauri::{AppHandle, Manager, Wry};

use crate::door::Door;
use crate::overview;
use entry::{Act, Entry};
use standing::Standing;

pub(crate) use seen::is_seen;

/// What the sign is called among those of the desktop.
const ID: &str = "baton";
/// A run can change a thousand times a second; nobody reads a tray more often than this.
const REST: Duration = Duration::from_secs(1);

/// Puts the sign into the tray and keeps it current from a thread of its own. A desktop without a tray has none.
pub(crate) fn follow(door: Door, app: &AppHandle) {
    let standing = Standing::default();
    // The library for trays is looked for when it is first used, and its absence is a panic.
    let made = catch_unwind(AssertUnwindSafe(|| make(app, &standing)));
    match made {
        Ok(Ok(icon)) => {
            let app = app.clone();
            thread::spawn(move || keep_current(&door, &app, &icon, standing));
        }
        Ok(Err(error)) => tracing::warn!(%error, "there is no sign in the tray"),
        Err(_) => {
            tracing::warn!("there is no sign in the tray: libayatana-appindicator3 is missing")
        }
    }
}

fn make(app: &AppHandle, standing: &Standing) -> tauri::Result<TrayIcon> {
    TrayIconBuilder::with_id(ID)
        .icon(picture::of(standing.badge))
        .tooltip(&standing.words)
        .menu(&menu(app, standing)?)
        .show_menu_on_left_click(true)
        .on_menu_event(|app, event| act(app, event.id().as_ref()))
        .build(app)
}

fn keep_current(door: &Door, app: &AppHandle, icon: &TrayIcon, mut shown: Standing) {
    let baton = door.wait();
    let changes = baton.changes();
    loop {
        if let Some(overview) = overview::read(baton) {
            let standing = Standing::of(&overview);
            if standing != shown {
                show(app, icon, &standing);
                shown = standing;
            }
        }
        if !wait(&changes) {
            return;
        }
    }
}

/// Waits for something that the sign may show, then a while for more. False when there will be nothing any more.
fn wait(changes: &Changes) -> bool {
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
    let end = Instant::now() + REST;
    while let Ok(Some(_)) = changes.recv_timeout(end.saturating_duration_since(Instant::now())) {}
    true
}

/// All of it from the thread of the windows and in one go: the number never tells of another moment than the rows.
fn show(app: &AppHandle, icon: &TrayIcon, standing: &Standing) {
    let (there, icon, standing) = (app.clone(), icon.clone(), standing.clone());
    let asked = app.run_on_main_thread(move || {
        if let Err(error) = put(&there, &icon, &standing) {
            tracing::warn!(%error, "the tray could not be brought up to date");
        }
    });
    if let Err(error) = asked {
        tracing::warn!(%error, "the tray was not brought up to date");
    }
}

fn put(app: &AppHandle, icon: &TrayIcon, standing: &Standing) -> tauri::Result<()> {
    icon.set_menu(Some(menu(app, standing)?))?;
    icon.set_icon(Some(picture::of(standing.badge)))?;
    icon.set_title(Some(&standing.count))?;
    icon.set_tooltip(Some(&standing.words))
}

fn menu(app: &AppHandle, standing: &Standing) -> tauri::Result<Menu<Wry>> {
    let items = standing
        .entries
        .iter()
        .map(|entry| item(app, entry))
        .collect::<tauri::Result<Vec<_>>>()?;
    Menu::with_items(app, &items.iter().map(AsRef::as_ref).collect::<Vec<_>>())
}

fn item(app: &AppHandle, entry: &Entry) -> tauri::Result<Box<dyn IsMenuItem<Wry>>> {
    Ok(match entry {
        Entry::Line => Box::new(PredefinedMenuItem::separator(app)?),
        Entry::Words(words) => Box::new(MenuItem::new(app, plain(words), false, None::<&str>)?),
        Entry::Act(act, words) => Box::new(MenuItem::with_id(
            app,
            act.id(),
            plain(words),
            true,
            None::<&str>,
        )?),
    })
}

/// Words as a menu shows them: it reads `&` as the mark of a key.
fn plain(words: &str) -> String {
    words.replace('&', "&&")
}

fn act(app: &AppHandle, id: &str) {
    match Act::from_id(id) {
        Some(act) => act.perform(app),
        None => tracing::error!(id, "the tray's menu has an entry that nobody knows"),
    }
}

/// Asks an operation of every run that `concerns` picks; from a thread, as it may wait for another process.
fn each_run(
    app: &AppHandle,
    operation: &'static str,
    concerns: fn(&Overview) -> Vec<serde_json::Value>,
) {
    let door = app.state::<Door>().inner().clone();
    thread::spawn(move || {
        let Some(baton) = door.opened() else { return };
        for input in overview::read(baton).iter().flat_map(concerns) {
            ask(baton, operation, input);
        }
    });
}

fn ask(baton: &App, operation: &str, input: serde_json::Value) {
    if let Err(error) = baton_api::call(baton, operation, input) {
        tracing::warn!(%error, operation, "what was asked in the tray was refused");
    }
}
