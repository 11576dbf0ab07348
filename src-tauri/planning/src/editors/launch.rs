//! Starts an editor, which then belongs to the person and not to Baton.

use std::collections::BTreeMap;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use baton_keeper::umask;

use super::command::EditorCommand;
use crate::{PlanningError, RefusalReason};

/// A program that fails in this time is reported. Editors that run in the foreground are not waited
/// for any longer.
const START_TIME: Duration = Duration::from_millis(700);

/// Starts an editor in its own process group. Fails if it ends with an error right away.
pub fn launch(
    command: &EditorCommand,
    environment: &BTreeMap<String, String>,
) -> Result<(), PlanningError> {
    let mut process = Command::new(&command.program);
    process
        .args(&command.arguments)
        .env_clear()
        .envs(environment)
        // Nothing that a session wrote is in the editor's working directory.
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0);
    let child = umask::with_original(|| process.spawn())
        .map_err(|error| not_started(&command.label, &error.to_string()))?;
    match early_exit(child) {
        Some(status) if !status.success() => Err(not_started(&command.label, &status.to_string())),
        _ => Ok(()),
    }
}

/// Waits for `child` in a thread, so that it never remains as a zombie.
fn early_exit(mut child: Child) -> Option<ExitStatus> {
    let (sender, ended) = mpsc::channel();
    let wait = move || {
        if let Ok(status) = child.wait() {
            // The receiver may have timed out.
            let _ = sender.send(status);
        }
    };
    let waiting = thread::Builder::new().name("editor".to_owned()).spawn(wait);
    waiting.ok()?;
    ended.recv_timeout(START_TIME).ok()
}

fn not_started(label: &str, reason: &str) -> PlanningError {
    let message = format!("{label} couldn't be started: {reason}");
    PlanningError::new(RefusalReason::Unavailable, message)
        .with_fix("start it once by itself, or choose another editor in Settings → Editor")
}

/// Opens a folder in the desktop's file manager.
pub fn open_folder(folder: &Path) -> Result<(), PlanningError> {
    umask::with_original(|| open::that_detached(folder)).map_err(|error| {
        let message = format!("{} couldn't be opened: {error}", folder.display());
        PlanningError::new(RefusalReason::Unavailable, message)
            .with_fix("copy its path and open it yourself")
    })
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;
    use std::time::Instant;

    use super::*;

    fn script(folder: &Path, text: &str) -> EditorCommand {
        let program = folder.join("editor");
        fs::write(&program, format!("#!/bin/sh\n{text}\n")).expect("write file");
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("executable");
        EditorCommand {
            label: "My editor".to_owned(),
            program,
            arguments: vec!["$(touch x)".into(), "a b:7".into()],
        }
    }

    fn environment() -> BTreeMap<String, String> {
        [("PATH".to_owned(), "/usr/bin:/bin".to_owned())].into()
    }

    #[test]
    fn arguments_reach_the_program_as_they_are() {
        let folder = tempfile::tempdir().expect("temp dir");
        let log = folder.path().join("log");
        let text = format!(
            "printf '%s\\n' \"$@\" \"$PWD\" \"$(ps -o pgid= -p $$ | tr -d ' ')\" $$ > {}",
            log.display()
        );
        launch(&script(folder.path(), &text), &environment()).expect("starts");
        let printed = fs::read_to_string(&log).expect("written before it ended");
        let lines: Vec<&str> = printed.lines().collect();
        assert_eq!(&lines[..3], ["$(touch x)", "a b:7", "/"]);
        assert_eq!(lines[3], lines[4], "leads its own process group");
    }

    #[test]
    fn failing_program_is_reported_and_a_running_one_is_left() {
        let folder = tempfile::tempdir().expect("temp dir");
        let error = launch(&script(folder.path(), "exit 3"), &environment()).expect_err("fails");
        assert!(error.to_string().contains("exit status: 3"), "{error}");
        let begun = Instant::now();
        launch(&script(folder.path(), "sleep 3"), &environment()).expect("still running");
        assert!(begun.elapsed() < Duration::from_millis(2500));
        let missing = EditorCommand {
            program: folder.path().join("none"),
            ..script(folder.path(), "")
        };
        assert!(launch(&missing, &environment()).is_err());
    }
}
