//! The environment of a session: the executor's own, mended for programs that were not started from a shell.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// How long a login shell may take to tell its `PATH`; a profile that asks a question must not hold a run.
const SHELL_PATIENCE: Duration = Duration::from_secs(5);
const BEFORE: &str = "__baton_path_begins__";
const AFTER: &str = "__baton_path_ends__";

/// The variables of this process that are valid Unicode.
pub(crate) fn own() -> BTreeMap<String, String> {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .filter(|(name, _)| !name.starts_with("BATON_"))
        .collect()
}

/// The variables of this process with the `PATH` that a login shell would give.
///
/// A window started from a desktop menu inherits a `PATH` without what people add in their shell's profile,
/// and finds no agent (peers' most reported fault). What the shell names comes first, what only this process
/// knows is kept behind it. When the shell does not answer in five seconds, the own `PATH` has to do.
pub(crate) fn with_login_path() -> BTreeMap<String, String> {
    let mut variables = own();
    if let Some(shell_path) = login_shell_path() {
        let own_path = variables.remove("PATH").unwrap_or_default();
        let mut parts: Vec<&str> = shell_path.split(':').filter(|part| !part.is_empty()).collect();
        for part in own_path.split(':').filter(|part| !part.is_empty()) {
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
        variables.insert("PATH".to_owned(), parts.join(":"));
    }
    variables
}

fn login_shell_path() -> Option<String> {
    let shell = std::env::var("SHELL").ok().filter(|shell| shell.starts_with('/'))?;
    let mut child = Command::new(shell)
        .args(["-lic", &format!("printf '%s%s%s' {BEFORE} \"$PATH\" {AFTER}")])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut stdout = child.stdout.take()?;
    let (sender, answer) = mpsc::channel();
    thread::spawn(move || {
        let mut text = String::new();
        let read = stdout.read_to_string(&mut text);
        // The receiver may have lost patience.
        let _ = read.map(|_| sender.send(text));
    });
    let text = answer.recv_timeout(SHELL_PATIENCE).ok();
    if text.is_none() {
        tracing::warn!("the login shell did not tell its PATH within 5 s; using this process's own");
        let _ = child.kill();
    }
    let _ = child.wait();
    let text = text?;
    let path = text.split_once(BEFORE)?.1.split_once(AFTER)?.0;
    (!path.is_empty()).then(|| path.to_owned())
}
