//! Configures the web view before it starts.

use std::path::Path;

/// The window's file in the data directory, and the setting in it that enables fast drawing.
#[cfg(target_os = "linux")]
const FAST_DRAWING_SETTING: (&str, &str) = ("app-state.json", "fastDrawing");

/// Chooses WebKitGTK's renderer. Must be called before the first thread starts.
///
/// The DMA-BUF renderer shows an empty window on some drivers (NVIDIA's, virtual machines, remote
/// displays), and there is no way to detect that beforehand. Drawing through shared memory works
/// everywhere and is fast enough for a page that redraws only what changes. At large window sizes
/// it costs CPU time, so that the settings offer the DMA-BUF renderer. An existing environment
/// variable takes precedence.
pub(crate) fn configure_renderer(data_directory: Option<&Path>) {
    #[cfg(target_os = "linux")]
    {
        const VARIABLE: &str = "WEBKIT_DISABLE_DMABUF_RENDERER";
        if std::env::var_os(VARIABLE).is_none()
            && !data_directory.is_some_and(is_fast_drawing_enabled)
        {
            set_env_var(VARIABLE, "1");
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = data_directory;
}

/// Returns whether fast drawing is enabled in the settings. An unreadable file counts as no.
#[cfg(target_os = "linux")]
fn is_fast_drawing_enabled(data_directory: &Path) -> bool {
    let (file, name) = FAST_DRAWING_SETTING;
    let state = std::fs::read(data_directory.join(file)).unwrap_or_default();
    let state: serde_json::Value = serde_json::from_slice(&state).unwrap_or_default();
    state["ui"][name] == serde_json::Value::Bool(true)
}

#[cfg(target_os = "linux")]
#[expect(
    unsafe_code,
    reason = "setting the environment is unsafe, and no other thread is running yet"
)]
fn set_env_var(variable: &str, value: &str) {
    // SAFETY: called at the start of `main`, before any thread is started.
    unsafe { std::env::set_var(variable, value) }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn fast_drawing_is_off_unless_enabled() -> std::io::Result<()> {
        let folder = tempfile::tempdir()?;
        assert!(!is_fast_drawing_enabled(folder.path()), "without a file");
        let table = [
            (r#"{"version":1,"ui":{"fastDrawing":true}}"#, true),
            (r#"{"version":1,"ui":{"fastDrawing":false}}"#, false),
            (r#"{"version":1,"ui":{"fastDrawing":"yes"}}"#, false),
            (r#"{"version":1,"ui":{}}"#, false),
            ("[]", false),
            ("{", false),
        ];
        for (text, wanted) in table {
            std::fs::write(folder.path().join("app-state.json"), text)?;
            assert_eq!(is_fast_drawing_enabled(folder.path()), wanted, "{text}");
        }
        Ok(())
    }
}
