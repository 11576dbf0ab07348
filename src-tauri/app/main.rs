//! Baton's window: a thin adapter between the page and the backend, with no logic of its own.
//!
//! The window appears immediately while the backend opens in the background; operations wait for
//! it. If opening fails, each operation tries again and returns the reason, so that the page can
//! show it. Closing the window doesn't stop sessions: they keep running, and the next start finds
//! them.
//!
//! Around the window: a tray icon (`tray`), notifications (`notification`), links and files from
//! outside (`deep_link`, `open_requests`), one instance per data directory (`single_instance`),
//! updates (`update`), and quitting (`quit`).

#![cfg_attr(all(windows, not(debug_assertions)), windows_subsystem = "windows")]

mod backend_handle;
mod data_folder;
mod deep_link;
mod event_forwarder;
mod log;
mod navigation;
mod notification;
mod open_requests;
mod operation;
mod overview;
mod picked_file;
mod quit;
mod raw_output;
mod secret_masking;
mod single_instance;
mod tray;
mod update;
mod web_view;
mod window_state;

use std::process::ExitCode;

use backend_handle::BackendHandle;
use baton_api::{App, Role, umask};
use tauri::webview::PageLoadEvent;
use tauri::{Manager, WindowEvent};

/// The window's label, as in `tauri.conf.json`.
const MAIN: &str = "main";

fn main() -> ExitCode {
    // Must run before any thread starts or any file is created.
    umask::restrict();
    let directory = baton_api::default_data_directory().ok();
    web_view::configure_renderer(directory.as_deref());
    let backend =
        BackendHandle::new(|| App::open(baton_api::default_data_directory()?, Role::Window));
    let built = tauri::Builder::default()
        .manage(backend.clone())
        .manage(open_requests::PendingOpenRequests::default())
        .manage(quit::QuitPrompt::default())
        .manage(update::OfferedUpdate::default())
        // Must be the first plugin: a second instance exits here.
        .plugin(single_instance::plugin(directory.as_deref()))
        .plugin(window_state::plugin(directory.as_deref()))
        .plugin(tauri_plugin_dialog::init())
        .plugin(tauri_plugin_notification::init())
        .plugin(tauri_plugin_updater::Builder::new().build())
        .invoke_handler(tauri::generate_handler![
            operation::operation,
            data_folder::open_data_folder,
            notification::show_notice,
            picked_file::read_plan_file,
            picked_file::write_picked_file,
            picked_file::write_picked_picture,
            raw_output::save_session_output,
            open_requests::take_arrivals,
            quit::decide_leaving,
            update::update_source,
            update::check_for_update,
            update::install_update,
            update::restart_after_update
        ])
        .on_window_event(|window, event| {
            if let WindowEvent::CloseRequested { api, .. } = event {
                api.prevent_close();
                quit::request_quit(window.app_handle(), quit::QuitTrigger::Close);
            }
        })
        .on_page_load({
            let backend = backend.clone();
            move |view, load| {
                if load.event() == PageLoadEvent::Finished {
                    tray::start_once(&backend, view.app_handle());
                }
            }
        })
        .setup({
            let backend = backend.clone();
            move |window| {
                navigation::open_window(window.handle())?;
                backend.open_in_background();
                event_forwarder::forward_changes(backend, window.handle().clone());
                notification::forward_clicks(window.handle());
                let arguments: Vec<_> = std::env::args_os()
                    .map(|argument| argument.to_string_lossy().into_owned())
                    .collect();
                open_requests::queue_arguments(
                    window.handle(),
                    &arguments,
                    &std::env::current_dir().unwrap_or_default(),
                );
                Ok(())
            }
        })
        .build(tauri::generate_context!());
    // A second instance has exited by now, so that only one process writes the log. The guard lives
    // until the end of `main`: dropping it flushes the buffered lines.
    let _log = directory.as_deref().and_then(log::open);
    match built {
        Ok(window) => {
            let code = window.run_return(|_, _| {});
            backend.close();
            u8::try_from(code).map_or(ExitCode::FAILURE, ExitCode::from)
        }
        Err(error) => {
            tracing::error!(%error, "couldn't open the window");
            eprint(&format!("baton: couldn't open the window: {error}"));
            ExitCode::FAILURE
        }
    }
}

/// Writes `text` to standard error, for failures that no window can show.
fn eprint(text: &str) {
    use std::io::Write;
    writeln!(std::io::stderr().lock(), "{text}").unwrap_or_default();
}
