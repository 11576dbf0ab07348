//! Baton's window: an adapter that passes operations in and news out, and decides nothing.
//!
//! The window appears at once; Baton itself opens meanwhile, and operations wait for it. When it cannot be
//! opened, each operation tries again and answers with the reason, so the page says it in the window. Closing
//! the window only lets go: sessions live on, and the next start finds them.
//!
//! Beside the window: a sign in the tray (`tray`), notices (`notice`), links and files from outside (`arrival`,
//! `entrance`), one instance for each data directory (`instance`), and what happens on leaving (`leaving`).

#![cfg_attr(all(windows, not(debug_assertions)), windows_subsystem = "windows")]

mod arrival;
mod data_folder;
mod door;
mod entrance;
mod instance;
mod leaving;
mod log;
mod mask;
mod navigation;
mod news;
mod notice;
mod operation;
mod overview;
mod picked_file;
mod tray;
mod web_view;
mod window_place;

use std::process::ExitCode;

use baton_api::{App, Role, umask};
use door::Door;
use tauri::{Manager, WindowEvent};

/// The window's label, as in `tauri.conf.json`.
const MAIN: &str = "main";

fn main() -> ExitCode {
    // Before there are threads or files.
    umask::restrict();
    let directory = baton_api::default_data_directory().ok();
    web_view::prepare(directory.as_deref());
    let door = Door::new(|| App::open(baton_api::default_data_directory()?, Role::Window));
    let built = tauri::Builder::default()
        .manage(door.clone())
        .manage(entrance::Entrance::default())
        .manage(leaving::Leaving::default())
        // First of all plugins: a second instance goes no further.
        .plugin(instance::only(directory.as_deref()))
        .plugin(window_place::remembered(directory.as_deref()))
        .plugin(tauri_plugin_dialog::init())
        .plugin(tauri_plugin_notification::init())
        .invoke_handler(tauri::generate_handler![
            operation::operation,
            data_folder::open_data_folder,
            notice::show_notice,
            picked_file::read_plan_file,
            picked_file::write_picked_file,
            picked_file::write_picked_picture,
            entrance::take_arrivals,
            leaving::decide_leaving
        ])
        .on_window_event(|window, event| {
            if let WindowEvent::CloseRequested { api, .. } = event {
                api.prevent_close();
                leaving::leave(window.app_handle(), leaving::Wish::Close);
            }
        })
        .setup({
            let door = door.clone();
            move |window| {
                navigation::open_window(window.handle())?;
                door.begin();
                news::forward(door.clone(), window.handle().clone());
                notice::follow(window.handle());
                tray::follow(door, window.handle());
                let words: Vec<_> = std::env::args_os()
                    .map(|word| word.to_string_lossy().into_owned())
                    .collect();
                entrance::let_in(
                    window.handle(),
                    &words,
                    &std::env::current_dir().unwrap_or_default(),
                );
                Ok(())
            }
        })
        .build(tauri::generate_context!());
    // Only an instance that stays writes the log. Kept to the end: what is in memory is written when it goes.
    let _log = directory.as_deref().and_then(log::open);
    match built {
        Ok(window) => {
            let code = window.run_return(|_, _| {});
            door.close();
            u8::try_from(code).map_or(ExitCode::FAILURE, ExitCode::from)
        }
        Err(error) => {
            tracing::error!(%error, "the window could not be opened");
            eprint(&format!("baton: couldn't open the window: {error}"));
            ExitCode::FAILURE
        }
    }
}

/// Tells a person in a terminal what no window can tell.
fn eprint(text: &str) {
    use std::io::Write;
    writeln!(std::io::stderr().lock(), "{text}").unwrap_or_default();
}
