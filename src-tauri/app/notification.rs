//! Desktop notifications, and handling clicks on them.

use baton_api::{ApiError, Code};
use serde_json::Value;
use tauri::{AppHandle, Emitter};
use tauri_plugin_notification::NotificationExt;

use crate::open_requests;

/// The event that the page listens for; its payload is the notification's key.
const NOTICE_OPENED: &str = "baton-notice-opened";
/// The field of a notification's extra data that holds its key.
const KEY: &str = "key";
/// The name of Baton's icon as the package installs it.
const ICON: &str = "baton-desktop";
/// The plugin's action id for a click on the notification itself.
const CLICK_ACTION: &str = "tap";

/// Shows a notification that the page identifies by `key`.
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
        tracing::warn!(%error, "couldn't show a notification");
        ApiError::new(
            Code::Unavailable,
            format!("Couldn't show the notification: {error}."),
        )
    })
}

/// Brings the window to the front when a notification is clicked, and sends its key to the page.
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
        tracing::warn!(%error, "couldn't listen for clicks on notifications");
    }
}

fn handle_click(app: &AppHandle, key: Option<&str>) {
    open_requests::focus_window(app);
    if let Err(error) = app.emit(NOTICE_OPENED, key) {
        tracing::warn!(%error, "couldn't send the clicked notification to the page");
    }
}

/// Escapes HTML on Linux and BSD, where notification servers interpret markup in the body. A node's
/// text is plain text.
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
