//! Whether sessions are kept from Baton's data here: a small session tries to get at some.

use baton_keeper::SandboxProbe;

use baton_planning::preflight::sandbox_forbidden;

use crate::App;
use crate::wire::*;

/// What came of trying just now.
pub(super) fn check(app: &App) -> Check {
    match app.engine.probe_sandbox() {
        Ok(SandboxProbe::Holds {
            holds_signals: true,
        }) => Check::new(
            CheckVerdict::Passed,
            "sessions cannot reach Baton's data, git hooks or each other",
        ),
        Ok(SandboxProbe::Holds {
            holds_signals: false,
        }) => {
            let sentence = "sessions cannot reach Baton's data or git hooks, but can end other programs of yours";
            Check::new(CheckVerdict::Warning, sentence)
                .mended_by("use Linux 6.12 or later, with Landlock")
        }
        Ok(SandboxProbe::Forbidden { detail }) => sandbox_forbidden(&detail),
        Ok(SandboxProbe::Broken { detail }) => {
            let sentence = format!(
                "the sandbox of sessions does not work here, so they do not start: {detail}"
            );
            Check::new(CheckVerdict::Failed, sentence)
                .mended_by("report this with the output of `baton doctor --json`")
        }
        Err(error) => Check::new(
            CheckVerdict::Warning,
            format!("the sandbox of sessions could not be tried: {error}"),
        ),
    }
}
