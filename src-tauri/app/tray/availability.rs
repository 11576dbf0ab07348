//! Whether a person can see signs in the tray.

/// Whether the desktop shows them. May take as long as the desktop takes to answer.
///
/// Where nobody shows them, a window that hides could not be found again.
#[cfg(target_os = "linux")]
pub(crate) fn is_tray_available() -> bool {
    is_host_registered().unwrap_or(false)
}

/// The tray is a part of these desktops.
#[cfg(not(target_os = "linux"))]
pub(crate) fn is_tray_available() -> bool {
    true
}

/// Asks as the StatusNotifierItem specification of freedesktop.org says.
#[cfg(target_os = "linux")]
fn is_host_registered() -> zbus::Result<bool> {
    const WATCHER: &str = "org.kde.StatusNotifierWatcher";
    let connection = zbus::blocking::Connection::session()?;
    let watcher =
        zbus::blocking::Proxy::new(&connection, WATCHER, "/StatusNotifierWatcher", WATCHER)?;
    watcher.get_property("IsStatusNotifierHostRegistered")
}
