//! Checks whether the desktop shows tray icons.

/// Returns whether the desktop shows tray icons. Blocks until the desktop answers.
///
/// Without a visible tray icon, a hidden window could not be opened again.
#[cfg(target_os = "linux")]
pub(crate) fn is_tray_available() -> bool {
    is_host_registered().unwrap_or(false)
}

/// macOS and Windows always have a tray.
#[cfg(not(target_os = "linux"))]
pub(crate) fn is_tray_available() -> bool {
    true
}

/// Asks the StatusNotifierWatcher, as freedesktop.org's StatusNotifierItem specification defines
/// it.
#[cfg(target_os = "linux")]
fn is_host_registered() -> zbus::Result<bool> {
    const WATCHER: &str = "org.kde.StatusNotifierWatcher";
    let connection = zbus::blocking::Connection::session()?;
    let watcher =
        zbus::blocking::Proxy::new(&connection, WATCHER, "/StatusNotifierWatcher", WATCHER)?;
    watcher.get_property("IsStatusNotifierHostRegistered")
}
