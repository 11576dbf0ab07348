//! Baton's window: an adapter that passes operations in and news out, and decides nothing.
//!
//! The window appears at once; Baton itself opens meanwhile, and operations wait for it. When it cannot be
//! opened, each operation tries again and answers with the reason, so the page says it in the window. Closing
//! the window only lets go: sessions live on, and the next start finds them.
//!
//! Beside the window: a tray icon (`tray`), notifications (`notification`), links and files from outside (`deep_link`,
//! `open_requests`), one instance for each data directory (`single_instance`), updates (`update`), and what happens on quitting (`quit`).

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
mod secret_masking;
mod single_instance;
mod tray;
mod update;
mod web_view;
mod window_state;

use std::process::ExitCode;

use backend_handle::BackendHandle;
use baton_api::{App, Role, umask};
use tauri::{Manager, WindowEvent};

/// The window's label, as in `tauri.conf.json`.
const MAIN: &str = "main";

fn main() -> ExitCode {
    // Before there are threads or files.
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
        // First of all plugins: a second instance goes no further.
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
        .setup({
            let backend = backend.clone();
            move |window| {
                navigation::open_window(window.handle())?;
                backend.open_in_background();
                event_forwarder::forward_changes(backend.clone(), window.handle().clone());
                notification::forward_clicks(window.handle());
                tray::start(backend, window.handle());
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
    // Only an instance that stays writes the log. Kept to the end: what is in memory is written when it goes.
    let _log = directory.as_deref().and_then(log::open);
    match built {
        Ok(window) => {
            let code = window.run_return(|_, _| {});
            backend.close();
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
