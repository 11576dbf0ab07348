//! Installs missing system packages.
//!
//! Only with apt-get. On other systems it prints the packages to install.

use std::env;
use std::io::{IsTerminal, stdin};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::process;
use crate::stage::Stages;

/// For SQLite and the linker.
pub(crate) const COMPILER: &[Package] = &[Package::program("build-essential", &["cc"])];

/// For building the window.
pub(crate) const WINDOW: &[Package] = &[
    Package::library("libwebkit2gtk-4.1-dev"),
    Package::library("libayatana-appindicator3-dev"),
    Package::library("librsvg2-dev"),
    Package::program("pkg-config", &["pkg-config"]),
];

/// For the engine's tests.
pub(crate) const RUST_TESTS: &[Package] = &[Package::program("git", &["git"])];

/// The build tool that Baton is compared with.
pub(crate) const NINJA: &[Package] = &[Package::program("ninja-build", &["ninja"])];

/// A browser with windows, and one without for tests.
pub(crate) const BROWSER: &[Package] = &[
    Package::program("chromium", BROWSERS),
    Package::program("chromium-headless-shell", TEST_BROWSERS),
];

/// A virtual display, a session bus and the web view's driver. `xvfb-run` needs `xauth`, but
/// doesn't depend on it.
pub(crate) const DISPLAY: &[Package] = &[
    Package::program("webkit2gtk-driver", &["WebKitWebDriver"]),
    Package::program("xvfb", &["xvfb-run"]),
    Package::program("xauth", &["xauth"]),
    Package::program("dbus-daemon", &["dbus-run-session"]),
];

/// For inspecting packages. `dpkg-deb` is available wherever apt-get is.
pub(crate) const PACKAGES: &[Package] = &[Package::program("rpm", &["rpm"])];

/// The programs that can be used as chromium, best first.
pub(crate) const BROWSERS: &[&str] = &["chromium", "chromium-browser", "google-chrome"];

/// The programs that tests use, best first. Without its windows, the browser takes a quarter less
/// processor time.
pub(crate) const TEST_BROWSERS: &[&str] = &[
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
];

/// Commands that install the same libraries on other systems.
const ELSEWHERE: &[(&str, &str)] = &[
    (
        "dnf",
        "sudo dnf install webkit2gtk4.1-devel libappindicator-gtk3-devel librsvg2-devel gcc git",
    ),
    (
        "pacman",
        "sudo pacman -S --needed webkit2gtk-4.1 libayatana-appindicator librsvg base-devel git",
    ),
    (
        "zypper",
        "sudo zypper install webkit2gtk3-devel libayatana-appindicator3-devel librsvg-devel gcc git",
    ),
];

/// A Debian package and how to detect it or a replacement.
pub(crate) struct Package {
    name: &'static str,
    /// Programs that the package provides. Empty for a library, which is looked up in the package
    /// database.
    programs: &'static [&'static str],
}

impl Package {
    const fn library(name: &'static str) -> Self {
        Self {
            name,
            programs: &[],
        }
    }

    const fn program(name: &'static str, programs: &'static [&'static str]) -> Self {
        Self { name, programs }
    }
}

/// Installs the missing packages.
///
/// Asks for a password only if `may_ask` is set and standard input is a terminal.
pub(crate) fn ensure(stages: &Stages, packages: &[&Package], may_ask: bool) -> Result<()> {
    // On macOS and Windows, the web view is part of the system, and the linker comes with Rust.
    if !cfg!(target_os = "linux") {
        return Ok(());
    }
    if process::find(&["apt-get"]).is_none() || process::find(&["dpkg-query"]).is_none() {
        return ensure_elsewhere(packages);
    }
    let missing = missing(packages)?;
    if missing.is_empty() {
        return Ok(());
    }
    stages.begin(&format!(
        "installing system packages: {}",
        missing.join(" ")
    ));
    let prefix = privilege(may_ask).with_context(|| {
        format!(
            "system packages are missing, and installing them requires root. Run this, then try again:\n  \
             sudo apt-get update && sudo apt-get install -y {}",
            missing.join(" ")
        )
    })?;
    apt_get(&prefix, &["-q", "update"])?;
    let mut install = vec!["-q", "install", "-y", "--no-install-recommends"];
    install.extend(&missing);
    apt_get(&prefix, &install)
}

fn missing(packages: &[&Package]) -> Result<Vec<&'static str>> {
    let libraries: Vec<&str> = packages
        .iter()
        .filter(|p| p.programs.is_empty())
        .map(|p| p.name)
        .collect();
    let installed = installed(&libraries)?;
    let is_there = |package: &&&Package| match package.programs {
        [] => installed.iter().any(|name| name == package.name),
        programs => process::find(programs).is_some(),
    };
    Ok(packages
        .iter()
        .filter(|package| !is_there(package))
        .map(|package| package.name)
        .collect())
}

fn installed(names: &[&str]) -> Result<Vec<String>> {
    if names.is_empty() {
        return Ok(Vec::new());
    }
    // Exit status 1 only means that one of the packages is unknown.
    let output = Command::new("dpkg-query")
        .args(["--show", "--showformat", "${db:Status-Abbrev} ${Package}\n"])
        .args(names)
        .stderr(Stdio::null())
        .output()
        .context("couldn't run dpkg-query")?;
    Ok(installed_of(&String::from_utf8_lossy(&output.stdout)))
}

/// Returns the names on lines that start with `ii`: wanted and installed.
fn installed_of(listing: &str) -> Vec<String> {
    listing
        .lines()
        .filter_map(|line| line.strip_prefix("ii "))
        .map(|name| name.trim().to_owned())
        .collect()
}

/// Returns the arguments before `apt-get`: none for root, otherwise a sudo that will work.
fn privilege(may_ask: bool) -> Result<Vec<&'static str>> {
    let user = process::read(&mut process::command(Path::new("/"), "id", &["-u"]))?;
    if user.trim() == "0" {
        return Ok(vec![]);
    }
    if process::find(&["sudo"]).is_none() {
        bail!("sudo isn't installed");
    }
    let mut silent = process::command(Path::new("/"), "sudo", &["-n", "true"]);
    if silent
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
    {
        return Ok(vec!["sudo", "-n"]);
    }
    if may_ask && stdin().is_terminal() && env::var_os("CI").is_none() {
        return Ok(vec!["sudo"]);
    }
    bail!("sudo requires a password, but there is no terminal to ask for it");
}

fn apt_get(prefix: &[&str], arguments: &[&str]) -> Result<()> {
    // Set with `env`, because sudo drops the caller's environment.
    let arguments = [
        prefix,
        &["env", "DEBIAN_FRONTEND=noninteractive", "apt-get"],
        arguments,
    ]
    .concat();
    let mut command = Command::new(arguments[0]);
    command.args(&arguments[1..]);
    if prefix != ["sudo"] {
        command.stdin(Stdio::null());
    }
    process::run(&mut command)
        .context("couldn't install the system packages. Check your network, then try again")
}

fn ensure_elsewhere(packages: &[&Package]) -> Result<()> {
    let missing: Vec<&str> = packages
        .iter()
        .filter(|package| !package.programs.is_empty() && process::find(package.programs).is_none())
        .map(|package| package.programs[0])
        .collect();
    let needs_window = packages.iter().any(|package| package.programs.is_empty());
    let has_window = !needs_window || has_library("webkit2gtk-4.1") && has_library("librsvg-2.0");
    if missing.is_empty() && has_window {
        return Ok(());
    }
    let command = ELSEWHERE
        .iter()
        .find(|(program, _)| process::find(&[program]).is_some());
    let hint = command.map_or("your distribution's packages for them", |(_, command)| {
        *command
    });
    let what = if has_window {
        missing.join(", ")
    } else {
        "WebKitGTK 4.1, librsvg and a C compiler".to_owned()
    };
    bail!(
        "Baton needs {what}, which can only be installed automatically with apt-get. Install {hint}, then try again"
    );
}

fn has_library(name: &str) -> bool {
    let mut command = process::command(Path::new("/"), "pkg-config", &["--exists", name]);
    command.status().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_installed_packages_count() {
        let listing = "ii  librsvg2-dev\nrc  git\nun  chromium\nii  libc6\n";
        assert_eq!(installed_of(listing), ["librsvg2-dev", "libc6"]);
    }
}
