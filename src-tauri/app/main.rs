//! Baton's window: an adapter that passes operations in and news out, and decides nothing.
//!
//! The window appears at once; Baton itself opens meanwhile, and operations wait for it. When it cannot be
//! opened, each operation tries again and answers with the reason, so the page says it in the window. Closing
//! the window only lets go: sessions live on, and the next start finds them.

#![cfg_attr(all(windows, not(debug_assertions)), windows_subsystem = "windows")]

mod door;
mod log;
mod mask;
mod news;
mod notice;
mod operation;
mod picked_file;
mod web_view;

use std::process::ExitCode;

use baton_api::{App, Role};
use door::Door;

fn main() -> ExitCode {
    web_view::prepare();
    let directory = baton_api::default_data_directory();
    // Kept to the end: what is still in memory is written when it goes.
    let _log = directory.ok().and_then(|directory| log::open(&directory));
    let door = Door::open(|| App::open(baton_api::default_data_directory()?, Role::Window));
    let built = tauri::Builder::default()
        .plugin(tauri_plugin_dialog::init())
        .plugin(tauri_plugin_notification::init())
        .manage(door.clone())
        .invoke_handler(tauri::generate_handler![
            operation::operation,
            notice::show_notice,
            picked_file::read_plan_file,
            picked_file::write_picked_file,
            picked_file::write_picked_picture
        ])
        .setup({
            let door = door.clone();
            move |window| {
                news::forward(door, window.handle().clone());
                notice::follow(window.handle());
                Ok(())
            }
        })
        .build(tauri::generate_context!());
    match built {
        Ok(window) => {
            let code = window.run_return(|_, _| {});
            door.close();
            u8::try_from(code).map_or(ExitCode::FAILURE, ExitCode::from)
        }
        Err(error) => {
            tracing::error!(%error, "the window could not be opened");
            eprint(&format!("baton: failed to open the window: {error}"));
            ExitCode::FAILURE
        }
    }
}

/// Tells a person in a terminal what no window can tell.
fn eprint(text: &str) {
    use std::io::Write;
    writeln!(std::io::stderr().lock(), "{text}").unwrap_or_default();
}
