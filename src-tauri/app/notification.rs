//! Notices outside the window, and the way back from one that was pressed.

use baton_api::{ApiError, Code};
use serde_json::Value;
use tauri::{AppHandle, Emitter};
use tauri_plugin_notification::NotificationExt;

use crate::open_requests;

/// The name of the event, as the page listens to it; it carries the key of the notice.
const NOTICE_OPENED: &str = "baton-notice-opened";
/// Under which a notice carries its key.
const KEY: &str = "key";
/// Baton's own icon, as the package installs it.
const ICON: &str = "baton-desktop";
/// How the plugin calls a press on the notice itself.
const CLICK_ACTION: &str = "tap";

/// Shows a notice; the page calls it `key`. A desktop that shows none is no error.
#[tauri::command]
pub(crate) fn show_notice(
    window: AppHandle,
    key: String,
    title: String,
    body: String,
) -> Result<(), ApiError> {
    let notification = window
        .notification()
        .builder()
        .icon(ICON)
        .title(title)
        .body(escape_html(&body))
        .extra(KEY, key);
    notification.show().map_err(|error| {
        tracing::warn!(%error, "a notice could not be shown");
        ApiError::new(
            Code::Unavailable,
            format!("The notification could not be shown: {error}."),
        )
    })
}

/// Brings the window to the front when a notice was pressed, and tells the page which.
pub(crate) fn forward_clicks(window: &AppHandle) {
    let app = window.clone();
    let followed = window.notification().on_action(move |performed| {
        if performed.action_id() == CLICK_ACTION {
            let key = performed
                .notification()
                .and_then(|notification| notification.extra().get(KEY))
                .and_then(Value::as_str);
            handle_click(&app, key);
        }
    });
    if let Err(error) = followed {
        tracing::warn!(%error, "a press on a notice leads nowhere");
    }
}

fn handle_click(app: &AppHandle, key: Option<&str>) {
    open_requests::focus_window(app);
    if let Err(error) = app.emit(NOTICE_OPENED, key) {
        tracing::warn!(%error, "the page was not told which notice was pressed");
    }
}

/// `text` as a desktop shows it: those of the free desktop read marks of HTML in a body, and a node's words are text.
fn escape_html(text: &str) -> String {
    if cfg!(all(unix, not(target_os = "macos"))) {
        text.replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('>', "&gt;")
    } else {
        text.to_owned()
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn markup_in_node_text_is_escaped() {
        assert_eq!(
            escape_html("<b>a</b> && b"),
            "&lt;b&gt;a&lt;/b&gt; &amp;&amp; b"
        );
    }
}
