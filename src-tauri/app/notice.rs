//! Notices outside the window, and the way back from one that was pressed.

use baton_api::{ApiError, Code};
use serde_json::Value;
use tauri::{AppHandle, Emitter};
use tauri_plugin_notification::NotificationExt;

use crate::entrance;

/// The name of the event, as the page listens to it; it carries the key of the notice.
const OPENED: &str = "baton-notice-opened";
/// Under which a notice carries its key.
const KEY: &str = "key";
/// Baton's own icon, as the package installs it.
const ICON: &str = "baton-desktop";
/// How the plugin calls a press on the notice itself.
const PRESSED: &str = "tap";

/// Shows a notice; the page calls it `key`. A desktop that shows none is no error.
#[tauri::command]
pub(crate) fn show_notice(
    window: AppHandle,
    key: String,
    title: String,
    body: String,
) -> Result<(), ApiError> {
    let notice = window
        .notification()
        .builder()
        .icon(ICON)
        .title(title)
        .body(plain(&body))
        .extra(KEY, key);
    notice.show().map_err(|error| {
        tracing::warn!(%error, "a notice could not be shown");
        ApiError::new(
            Code::Unavailable,
            format!("The notification could not be shown: {error}."),
        )
    })
}

/// Brings the window to the front when a notice was pressed, and tells the page which.
pub(crate) fn follow(window: &AppHandle) {
    let teller = window.clone();
    let followed = window.notification().on_action(move |performed| {
        if performed.action_id() == PRESSED {
            let key = performed
                .notification()
                .and_then(|notice| notice.extra().get(KEY))
                .and_then(Value::as_str);
            open(&teller, key);
        }
    });
    if let Err(error) = followed {
        tracing::warn!(%error, "a press on a notice leads nowhere");
    }
}

fn open(app: &AppHandle, key: Option<&str>) {
    entrance::come_forward(app);
    if let Err(error) = app.emit(OPENED, key) {
        tracing::warn!(%error, "the page was not told which notice was pressed");
    }
}

/// `text` as a desktop shows it: those of the free desktop read marks of HTML in a body, and a node's words are text.
fn plain(text: &str) -> String {
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
    fn words_of_a_node_are_no_marks() {
        assert_eq!(plain("<b>a</b> && b"), "&lt;b&gt;a&lt;/b&gt; &amp;&amp; b");
    }
}
