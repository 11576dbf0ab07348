//! Checks whether the sandbox protects Baton's data: a small session tries to access some.

use baton_keeper::SandboxProbe;

use baton_planning::preflight::sandbox_forbidden;

use crate::App;
use crate::wire::*;

/// The result of trying it now.
pub(super) fn check(app: &App) -> Check {
    match app.engine.probe_sandbox() {
        Ok(SandboxProbe::Holds {
            holds_signals: true,
        }) => Check::new(
            CheckVerdict::Passed,
            "sessions can't access Baton's data, git hooks or each other",
        ),
        Ok(SandboxProbe::Holds {
            holds_signals: false,
        }) => {
            let sentence =
                "sessions can't access Baton's data or git hooks, but can kill your other programs";
            Check::new(CheckVerdict::Warning, sentence)
                .with_fix("use Linux 6.12 or later, with Landlock")
        }
        Ok(SandboxProbe::Forbidden { detail }) => sandbox_forbidden(&detail),
        Ok(SandboxProbe::Broken { detail }) => {
            let sentence = format!(
                "the sandbox doesn't work on this machine, so sessions can't start: {detail}"
            );
            Check::new(CheckVerdict::Failed, sentence)
                .with_fix("report this with the output of `baton doctor --json`")
        }
        Err(error) => Check::new(
            CheckVerdict::Warning,
            format!("couldn't test the sandbox: {error}"),
        ),
    }
}
