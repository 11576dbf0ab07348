//! Runs the program of a forge: without a terminal, with a timeout, in an empty folder.

use std::collections::BTreeMap;
use std::io::{self, Read, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use baton_keeper::umask;
use baton_model::visible_text::visible;

/// A slow network must not block an operation for long.
const TIMEOUT: Duration = Duration::from_secs(60);
const MAX_OUTPUT_BYTES: u64 = 256 * 1024;
const MAX_DETAIL_CHARS: usize = 1_000;

/// Why the program of a forge failed.
#[derive(Debug, thiserror::Error)]
pub enum ForgeError {
    /// It exited with an error.
    #[error("`{verb}` failed: {detail}")]
    Refused {
        /// The program and its command, for example `gh pr create`.
        verb: String,
        /// What it printed.
        detail: String,
    },
    /// It did not end in time and was stopped.
    #[error("`{verb}` took longer than {} s", timeout.as_secs())]
    TimedOut {
        /// The program and its command.
        verb: String,
        /// The timeout of the call.
        timeout: Duration,
    },
    /// It printed no address of a pull request.
    #[error("`{verb}` printed no address")]
    NoAddress {
        /// The program and its command.
        verb: String,
    },
    /// The operating system refused a process or a pipe.
    #[error("couldn't run `{verb}`")]
    Io {
        /// The program and its command.
        verb: String,
        /// What the operating system reports.
        #[source]
        source: io::Error,
    },
}

/// A program with its environment.
pub(super) struct Program<'a> {
    pub(super) path: &'a Path,
    pub(super) environment: &'a BTreeMap<String, String>,
}

impl Program<'_> {
    /// Runs it and returns its standard output.
    pub(super) fn run(&self, arguments: &[&str], input: &str) -> Result<String, ForgeError> {
        let verb = self.verb(arguments);
        let failed = |source| ForgeError::Io {
            verb: verb.clone(),
            source,
        };
        let ended = self.finish(arguments, input).map_err(failed)?;
        match ended {
            None => Err(ForgeError::TimedOut {
                verb,
                timeout: TIMEOUT,
            }),
            Some((true, output, _)) => Ok(output),
            Some((false, output, error_output)) => {
                let detail = if error_output.trim().is_empty() {
                    output
                } else {
                    error_output
                };
                let detail = visible(detail.trim());
                Err(ForgeError::Refused {
                    verb,
                    detail: detail.chars().take(MAX_DETAIL_CHARS).collect(),
                })
            }
        }
    }

    /// Whether it succeeded, its output and its error output; `None` after the timeout.
    fn finish(
        &self,
        arguments: &[&str],
        input: &str,
    ) -> io::Result<Option<(bool, String, String)>> {
        let until = Instant::now() + TIMEOUT;
        let folder = tempfile::Builder::new().prefix("baton-forge-").tempdir()?;
        let mut command = Command::new(self.path);
        command
            .args(arguments)
            .current_dir(folder.path())
            .env_clear()
            .envs(self.environment)
            .env("GH_PROMPT_DISABLED", "1")
            .env("GH_NO_UPDATE_NOTIFIER", "1")
            .env("NO_PROMPT", "1")
            .env("NO_COLOR", "1")
            .env("GLAB_CHECK_UPDATE", "false")
            .env("GLAB_SEND_TELEMETRY", "false")
            .env("DO_NOT_TRACK", "1")
            // Baton reads what they print.
            .env_remove("CLICOLOR_FORCE")
            .env_remove("GH_FORCE_TTY")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = umask::with_original(|| command.spawn())?;
        if let Some(mut stdin) = child.stdin.take() {
            let input = input.to_owned();
            // When the program ends early, its error output says why.
            thread::Builder::new().spawn(move || stdin.write_all(input.as_bytes()).is_ok())?;
        }
        let output = read(child.stdout.take())?;
        let error_output = read(child.stderr.take())?;
        let (Some(output), Some(error_output)) =
            (receive(until, &output), receive(until, &error_output))
        else {
            if let Err(error) = child.kill().and_then(|()| child.wait()) {
                tracing::warn!(%error, "couldn't stop the program of a forge");
            }
            return Ok(None);
        };
        Ok(Some((child.wait()?.success(), output, error_output)))
    }

    fn verb(&self, arguments: &[&str]) -> String {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        let words = arguments.iter().take(2).copied();
        std::iter::once(&*name)
            .chain(words)
            .collect::<Vec<_>>()
            .join(" ")
    }
}

/// Reads `pipe` on another thread.
fn read(pipe: Option<impl Read + Send + 'static>) -> io::Result<Receiver<String>> {
    let (sender, receiver) = mpsc::channel();
    thread::Builder::new().spawn(move || {
        let mut bytes = Vec::new();
        if let Some(pipe) = pipe {
            // What was read before an error is still useful.
            _ = pipe.take(MAX_OUTPUT_BYTES).read_to_end(&mut bytes);
        }
        sender
            .send(String::from_utf8_lossy(&bytes).into_owned())
            .is_ok()
    })?;
    Ok(receiver)
}

fn receive(until: Instant, receiver: &Receiver<String>) -> Option<String> {
    receiver
        .recv_timeout(until.saturating_duration_since(Instant::now()))
        .ok()
}
