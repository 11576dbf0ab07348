//! `cargo xtask run`: from a fresh clone to the open window, or to the address where the browser finds it.

use std::env;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

use crate::cargo::{self, Programs};
use crate::npm;
use crate::place::Place;
use crate::stage::Stages;
use crate::system;

/// What the person asked for.
#[derive(Debug, Default, PartialEq, Eq)]
struct Wish<'a> {
    browser: bool,
    release: bool,
    arguments: Vec<&'a str>,
}

pub(crate) fn run(arguments: &[&str]) -> Result<ExitCode> {
    let wish = wish(arguments)?;
    let place = Place::find()?;
    let stages = Stages::start();
    let programs = if wish.browser || !has_display() {
        Programs::Shell
    } else {
        Programs::All
    };

    let mut packages: Vec<_> = system::COMPILER.iter().collect();
    if programs == Programs::All {
        packages.extend(system::WINDOW);
    }
    system::ensure(&stages, &packages, true)?;
    npm::build_interface(&place, &stages)?;
    stages.begin(match programs {
        Programs::Shell => "building the baton command (the first time takes minutes)",
        Programs::All => "building the window and the baton command (the first time takes minutes)",
    });
    cargo::build(&place, programs, wish.release)?;

    let folder = place.programs(wish.release);
    match programs {
        Programs::All => {
            stages.begin("opening the window");
            become_program(Command::new(folder.join("baton-desktop")).args(&wish.arguments))
        }
        Programs::Shell => {
            if !wish.browser {
                stages.begin("there is no display here, so Baton opens in a browser");
            }
            stages.begin(
                "starting the server: open the address below in a browser, end it with Ctrl+C",
            );
            become_program(
                Command::new(folder.join("baton"))
                    .arg("serve")
                    .args(&wish.arguments),
            )
        }
    }
}

fn wish<'a>(arguments: &[&'a str]) -> Result<Wish<'a>> {
    let mut wish = Wish::default();
    let mut rest = arguments.iter();
    while let Some(&argument) = rest.next() {
        match argument {
            "--browser" => wish.browser = true,
            "--release" => wish.release = true,
            "--" => wish.arguments = rest.by_ref().copied().collect(),
            other => bail!(
                "`run` does not know {other}; what Baton itself should get stands behind `--`"
            ),
        }
    }
    Ok(wish)
}

fn has_display() -> bool {
    let is_set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}

/// Gives this process to the program, so that keys and signals reach it alone.
#[cfg(unix)]
fn become_program(command: &mut Command) -> Result<ExitCode> {
    use std::os::unix::process::CommandExt;

    let error = command.exec();
    Err(error).with_context(|| format!("{} could not be started", command.get_program().display()))
}

#[cfg(not(unix))]
fn become_program(command: &mut Command) -> Result<ExitCode> {
    let name = command.get_program().to_owned();
    let status = command
        .status()
        .with_context(|| format!("{} could not be started", name.display()))?;
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
    fn everything_behind_the_dashes_is_for_baton() -> Result<()> {
        let found = wish(&["--release", "--", "--browser", "--port", "0"])?;
        assert_eq!(
            found,
            Wish {
                browser: false,
                release: true,
                arguments: vec!["--browser", "--port", "0"]
            }
        );
        assert!(wish(&["--port"]).is_err());
        Ok(())
    }
}
