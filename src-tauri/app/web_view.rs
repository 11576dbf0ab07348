//! What the web view needs before it starts.

use std::path::Path;

/// The window's file in the data directory, and the name under which it keeps how to draw.
#[cfg(target_os = "linux")]
const FAST_DRAWING_SETTING: (&str, &str) = ("app-state.json", "fastDrawing");

/// Sets what must be set before the first thread runs.
///
/// WebKitGTK's DMA-BUF renderer shows an empty window on some drivers (NVIDIA's own, virtual machines, remote
/// displays) and offers no way to find out beforehand. Drawing through shared memory works everywhere and is
/// fast enough for a page that draws only what changes; at large sizes it costs processor time, so the settings
/// offer the other way. Who sets the variable decides.
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

/// Whether the person asked for it. A file that cannot be read asks for nothing.
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
    reason = "the environment can only be set so, and no other thread is there yet to read it"
)]
fn set_env_var(variable: &str, value: &str) {
    // SAFETY: called first thing in `main`, before any thread is started.
    unsafe { std::env::set_var(variable, value) }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn fast_drawing_is_off_unless_enabled() -> std::io::Result<()> {
        let folder = tempfile::tempdir()?;
        assert!(!is_fast_drawing_enabled(folder.path()), "there is no file");
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
