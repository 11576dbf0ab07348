//! `cargo xtask run`: from a fresh clone to the open window, or to a server for the browser.

use std::env;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

use crate::cargo::{self, Programs};
use crate::npm;
use crate::repo_paths::RepoPaths;
use crate::stage::Stages;
use crate::system;

/// The parsed command line.
#[derive(Debug, Default, PartialEq, Eq)]
struct RunOptions<'a> {
    browser: bool,
    release: bool,
    arguments: Vec<&'a str>,
}

pub(crate) fn run(arguments: &[&str]) -> Result<ExitCode> {
    let options = parse_options(arguments)?;
    let repo = RepoPaths::find()?;
    let stages = Stages::start();
    let programs = if options.browser || !has_display() {
        Programs::Shell
    } else {
        Programs::All
    };

    let mut packages: Vec<_> = system::COMPILER.iter().collect();
    if programs == Programs::All {
        packages.extend(system::WINDOW);
    }
    system::ensure(&stages, &packages, true)?;
    npm::build_interface(&repo, &stages)?;
    stages.begin(match programs {
        Programs::Shell => "building the baton command (the first time takes minutes)",
        Programs::All => "building the window and the baton command (the first time takes minutes)",
    });
    cargo::build(&repo, programs, options.release)?;

    let folder = repo.programs_dir(options.release);
    match programs {
        Programs::All => {
            stages.begin("opening the window");
            become_program(Command::new(folder.join("baton-desktop")).args(&options.arguments))
        }
        Programs::Shell => {
            if !options.browser {
                stages.begin("no display found, using a browser instead");
            }
            stages.begin("starting the server: open the URL below in a browser, stop with Ctrl+C");
            become_program(
                Command::new(folder.join("baton"))
                    .arg("serve")
                    .args(&options.arguments),
            )
        }
    }
}

fn parse_options<'a>(arguments: &[&'a str]) -> Result<RunOptions<'a>> {
    let mut options = RunOptions::default();
    let mut rest = arguments.iter();
    while let Some(&argument) = rest.next() {
        match argument {
            "--browser" => options.browser = true,
            "--release" => options.release = true,
            "--" => options.arguments = rest.by_ref().copied().collect(),
            other => {
                bail!("unknown option '{other}' for `run`. Put arguments for Baton after `--`")
            }
        }
    }
    Ok(options)
}

fn has_display() -> bool {
    let is_set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}

/// Replaces this process with the program, so that keys and signals reach only the program.
#[cfg(unix)]
fn become_program(command: &mut Command) -> Result<ExitCode> {
    use std::os::unix::process::CommandExt;

    let error = command.exec();
    Err(error).with_context(|| format!("couldn't start {}", command.get_program().display()))
}

#[cfg(not(unix))]
fn become_program(command: &mut Command) -> Result<ExitCode> {
    let name = command.get_program().to_owned();
    let status = command
        .status()
        .with_context(|| format!("couldn't start {}", name.display()))?;
    Ok(if status.success() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_after_dashes_go_to_baton() -> Result<()> {
        let found = parse_options(&["--release", "--", "--browser", "--port", "0"])?;
        assert_eq!(
            found,
            RunOptions {
                browser: false,
                release: true,
                arguments: vec!["--browser", "--port", "0"]
            }
        );
        assert!(parse_options(&["--port"]).is_err());
        Ok(())
    }
}
