//! Runs other programs, with error messages that name the command.

use std::env;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// How long to read the output of orphaned processes after the program has exited.
const ORPHAN_OUTPUT_TIMEOUT: Duration = Duration::from_secs(2);

/// Creates a command that runs in `folder` with empty standard input.
pub(crate) fn command(folder: &Path, program: impl AsRef<Path>, arguments: &[&str]) -> Command {
    let mut command = Command::new(program.as_ref());
    command
        .current_dir(folder)
        .args(arguments)
        .stdin(Stdio::null());
    command
}

/// Runs a command to its end, with its output on the terminal.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| could_not_start(command))?;
    if !status.success() {
        bail!(
            "`{}` failed ({status}). See its output above",
            display_command(command)
        );
    }
    Ok(())
}

/// Runs a command to its end and returns its standard output.
pub(crate) fn read(command: &mut Command) -> Result<String> {
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| could_not_start(command))?;
    if !output.status.success() {
        bail!("`{}` failed ({})", display_command(command), output.status);
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs a command to its end, prints its output as it arrives, and returns it.
pub(crate) fn tee(command: &mut Command, limit: Duration) -> Result<(ExitStatus, String)> {
    follow(command, limit, |line| println!("{line}"))
}

/// Runs a command to its end, passes each line of its output on, and returns the output.
///
/// Kills the command after `limit`. Doesn't wait for orphans that keep the output open.
pub(crate) fn follow(
    command: &mut Command,
    limit: Duration,
    on_line: impl Fn(&str),
) -> Result<(ExitStatus, String)> {
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| could_not_start(command))?;
    let (sender, lines) = mpsc::channel();
    forward(child.stdout.take(), sender.clone());
    forward(child.stderr.take(), sender);

    let started = Instant::now();
    let mut ended: Option<(ExitStatus, Instant)> = None;
    let mut text = String::new();
    loop {
        match lines.recv_timeout(Duration::from_millis(200)) {
            Ok(line) => {
                on_line(&line);
                text.push_str(&line);
                text.push('\n');
            }
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {}
        }
        match ended {
            Some((_, at)) if at.elapsed() > ORPHAN_OUTPUT_TIMEOUT => break,
            Some(_) => {}
            None => ended = child.try_wait()?.map(|status| (status, Instant::now())),
        }
        if ended.is_none() && started.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            bail!(
                "`{}` was stopped after {} minutes",
                display_command(command),
                limit.as_secs() / 60
            );
        }
    }
    Ok((child.wait()?, text))
}

fn forward(stream: Option<impl Read + Send + 'static>, lines: Sender<String>) {
    let Some(stream) = stream else { return };
    thread::spawn(move || {
        let mut stream = BufReader::new(stream);
        let mut line = Vec::new();
        while stream
            .read_until(b'\n', &mut line)
            .is_ok_and(|read| read > 0)
        {
            let text = String::from_utf8_lossy(&line).trim_end().to_owned();
            if lines.send(text).is_err() {
                return;
            }
            line.clear();
        }
    });
}

/// Returns the first of `names` that is in PATH.
pub(crate) fn find(names: &[&str]) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let folders: Vec<PathBuf> = env::split_paths(&path).collect();
    names
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)))
        .find(|file| file.is_file())
}

fn could_not_start(command: &Command) -> String {
    format!("couldn't start `{}`", display_command(command))
}

/// Formats a command for messages, without quoting.
fn display_command(command: &Command) -> String {
    let program = Path::new(command.get_program())
        .file_name()
        .unwrap_or_default();
    let arguments = std::iter::once(program).chain(command.get_args());
    arguments
        .map(|word| word.to_string_lossy())
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        command(Path::new("/"), "sh", &["-c", script])
    }

    #[test]
    fn tee_returns_both_streams_and_the_status() -> Result<()> {
        let (status, text) = tee(
            &mut shell("echo out; echo err >&2; printf 'no newline'; exit 3"),
            Duration::MAX,
        )?;
        assert_eq!(status.code(), Some(3));
        for line in ["out", "err", "no newline"] {
            assert!(
                text.lines().any(|found| found == line),
                "{line} is missing in {text:?}"
            );
        }
        Ok(())
    }

    #[test]
    fn tee_does_not_wait_for_orphans() -> Result<()> {
        let started = Instant::now();
        let (status, text) = tee(&mut shell("sleep 20 & echo done"), Duration::MAX)?;
        assert!(status.success());
        assert_eq!(text, "done\n");
        assert!(
            started.elapsed() < Duration::from_secs(10),
            "doesn't wait 20 s for the orphan"
        );
        Ok(())
    }

    #[test]
    fn tee_times_out() {
        let error = tee(&mut shell("exec sleep 20"), Duration::from_millis(100))
            .map(drop)
            .expect_err("the command times out");
        assert!(error.to_string().contains("was stopped"), "{error}");
    }

    #[test]
    fn missing_program_is_named() {
        let error = run(&mut command(Path::new("/"), "no-such-program", &["--flag"]))
            .expect_err("the program doesn't exist");
        assert!(
            error
                .to_string()
                .contains("couldn't start `no-such-program --flag`"),
            "{error}"
        );
    }
}
