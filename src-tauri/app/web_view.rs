//! What the web view needs before it starts.

/// Sets what must be set before the first thread runs.
///
/// WebKitGTK's DMA-BUF renderer shows an empty window on some drivers (NVIDIA's own, virtual machines, remote
/// displays) and offers no way to find out beforehand. Drawing through shared memory works everywhere and is
/// fast enough for a page that draws only what changes. Who knows their machine better sets the variable.
pub(crate) fn prepare() {
    #[cfg(target_os = "linux")]
    {
        const VARIABLE: &str = "WEBKIT_DISABLE_DMABUF_RENDERER";
        if std::env::var_os(VARIABLE).is_none() {
            set(VARIABLE, "1");
        }
    }
}

#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "the environment can only be set so, and no other thread is there yet to read it")]
fn set(variable: &str, value: &str) {
    // SAFETY: called first thing in `main`, before any thread is started.
    unsafe { std::env::set_var(variable, value) }
}
