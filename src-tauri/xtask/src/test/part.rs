//! The parts of the tests: what each needs and which programs it runs.
//!
//! To add a part, add an entry to [`PARTS`]; order is order of running, cheap ones first.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result};

use super::prepared::{Need, Prepared};
use super::tally::Reading;
use crate::bindings;
use crate::cargo::{cargo, workspace};
use crate::npm::npm;
use crate::package;
use crate::place::Place;
use crate::process;
use crate::system::{self, Package};
use crate::tools::{AGENTS, CLAUDE};

/// One line of the summary.
pub(crate) struct Part {
    /// What `--only` takes.
    pub(crate) name: &'static str,
    pub(crate) packages: &'static [&'static [Package]],
    pub(crate) needs: &'static [Need],
    pub(crate) steps: fn(&Prepared<'_>) -> Result<Vec<Step>>,
}

/// One program of a part.
pub(crate) struct Step {
    /// Said when it starts.
    pub(crate) what: &'static str,
    pub(crate) command: Command,
    pub(crate) reading: Reading,
}

/// All system packages that compiling the workspace takes.
const BUILD: &[&[Package]] = &[system::COMPILER, system::WINDOW];

/// All parts, in order.
pub(crate) const PARTS: &[Part] = &[
    Part { name: "fmt", packages: &[], needs: &[Need::RustComponents], steps: fmt },
    Part { name: "lint", packages: &[], needs: &[Need::Packages], steps: lint },
    Part { name: "ui", packages: &[], needs: &[Need::Packages], steps: ui },
    Part { name: "clippy", packages: BUILD, needs: &[Need::RustComponents, Need::Interface], steps: clippy },
    Part { name: "bindings", packages: BUILD, needs: &[Need::Interface, Need::Workspace], steps: bindings },
    Part {
        name: "rust",
        packages: &[system::COMPILER, system::WINDOW, system::RUST_TESTS],
        needs: &[Need::Interface, Need::Workspace, Need::Agents],
        steps: rust,
    },
    Part { name: "doctest", packages: BUILD, needs: &[Need::Interface, Need::Workspace], steps: doctest },
    Part { name: "doc", packages: BUILD, needs: &[Need::Interface], steps: doc },
    Part {
        name: "browser",
        packages: &[system::COMPILER, system::WINDOW, system::RUST_TESTS, system::BROWSER],
        needs: &[Need::Interface, Need::Workspace, Need::Claude, Need::BrowserDriver],
        steps: browser,
    },
    Part {
        name: "desktop",
        packages: &[system::COMPILER, system::WINDOW, system::RUST_TESTS, system::DISPLAY],
        needs: &[Need::Interface, Need::Workspace, Need::Claude, Need::WindowDriver],
        steps: desktop,
    },
    Part {
        name: "package",
        packages: &[system::COMPILER, system::WINDOW, system::RUST_TESTS, system::DISPLAY, system::PACKAGES],
        needs: &[Need::Interface, Need::Workspace, Need::WindowDriver],
        steps: package,
    },
];

fn fmt(prepared: &Prepared<'_>) -> Result<Vec<Step>> {
    Ok(vec![check("checking the format of the Rust code", cargo(prepared.place, &["fmt", "--all", "--check"]))])
}

fn lint(prepared: &Prepared<'_>) -> Result<Vec<Step>> {
    let ui = prepared.place.interface();
    Ok(vec![
        check("linting the interface", npm(&ui, &["run", "--silent", "lint"])),
        check("checking the types of the interface", npm(&ui, &["run", "--silent", "typecheck"])),
        check("linting the journeys", journey_lint(prepared.place)?),
    ])
}

/// The journeys keep the interface's rules, whose linter reads nothing outside its folder unless it is named.
fn journey_lint(place: &Place) -> Result<Command> {
    let mut command = npm(&place.interface(), &["exec", "--no", "--", "biome", "check"]);
    command.args(["--error-on-warnings", "--config-path=."]);
    for name in ["browser", "desktop"] {
        let folder = place.journeys(name);
        command.args(journey_files(place, name)?.iter().map(|file| folder.join(file)));
        command.arg(folder.join("support"));
    }
    command.arg(place.journeys("desktop").join("package"));
    Ok(command)
}

fn ui(prepared: &Prepared<'_>) -> Result<Vec<Step>> {
    let command = npm(&prepared.place.interface(), &["run", "--silent", "test"]);
    Ok(vec![Step { what: "testing the interface", command, reading: Reading::Vitest }])
}

fn clippy(prepared: &Prepared<'_>) -> Result<Vec<Step>> {
    let mut command = workspace(prepared.place, &["clippy", "--all-targets"]);
    command.args(["--", "-D", "warnings"]);
    Ok(vec![check("linting the Rust code", command)])
}

fn bindings(prepared: &Prepared<'_>) -> Result<Vec<Step>> {
    let place = prepared.place;
    let program = place.programs(false).join("baton-bindings");
    let command = process::command(&place.root, program, &[bindings::DIRECTORY, "--check"]);
    Ok(vec![check("comparing the TypeScript declarations with the Rust types", command)])
}

fn rust(prepared: &Prepared<'_>) -> Result<Vec<Step>> {
    let place = prepared.place;
    // Building nextest from source would take longer than all tests, so it is used only where it is installed.
    let (mut command, reading) = if process::find(&["cargo-nextest"]).is_some() {
        (workspace(place, &["nextest", "run", "--no-fail-fast"]), Reading::Nextest)
    } else {
        (workspace(place, &["test", "--no-fail-fast", "--lib", "--bins", "--tests"]), Reading::CargoTest)
    };
    for &agent in AGENTS {
        command.env(agent.variable, prepared.agent(agent)?);
    }
    command.env("BATON_TEST_PROGRAMS", place.programs(false));
    Ok(vec![Step { what: "testing the Rust code", command, reading }])
}

fn doctest(prepared: &Prepared<'_>) -> Result<Vec<Step>> {
    let command = workspace(prepared.place, &["test", "--doc", "--no-fail-fast"]);
    Ok(vec![Step { what: "testing the examples in the documentation", command, reading: Reading::CargoTest }])
}

fn doc(prepared: &Prepared<'_>) -> Result<Vec<Step>> {
    let mut command = workspace(prepared.place, &["doc", "--no-deps", "--document-private-items"]);
    command.env("RUSTDOCFLAGS", "-D warnings");
    Ok(vec![check("building the documentation", command)])
}

fn browser(prepared: &Prepared<'_>) -> Result<Vec<Step>> {
    let place = prepared.place;
    let browser = process::find(system::BROWSERS).context("no browser is on the search path")?;
    let mut command = process::command(&place.journeys("browser"), "node", &["--test"]);
    journeys(&mut command, prepared, "browser")?;
    command.env("BATON_TEST_BROWSER", browser);
    Ok(vec![Step { what: "walking through the browser", command, reading: Reading::Node }])
}

fn desktop(prepared: &Prepared<'_>) -> Result<Vec<Step>> {
    let mut command = in_display(prepared.place, &["--test"]);
    journeys(&mut command, prepared, "desktop")?;
    command.env("BATON_TEST_TAURI_DRIVER", prepared.tauri_driver()?);
    Ok(vec![Step { what: "walking through the window", command, reading: Reading::Node }])
}

/// Packs the programs that the other parts have built: an optimised build would cost as much as all tests together,
/// and the package is the same but for their speed.
fn package(prepared: &Prepared<'_>) -> Result<Vec<Step>> {
    let made = package::make(prepared.place, prepared.stages, false)?;
    let node = ["--test", "--test-reporter=spec", "package/installed.test.js"];
    let mut command = in_display(prepared.place, &node);
    command.env("BATON_TEST_DEB", made.deb).env("BATON_TEST_TAURI_DRIVER", prepared.tauri_driver()?);
    Ok(vec![Step { what: "installing the package and working with it", command, reading: Reading::Node }])
}

/// `node` with a display and a session bus of its own: a person's windows stay out of it, and it out of theirs.
fn in_display(place: &Place, arguments: &[&str]) -> Command {
    let display = ["-a", "-s", "-screen 0 1440x900x24", "dbus-run-session", "--", "node"];
    process::command(&place.journeys("desktop"), "xvfb-run", &[&display, arguments].concat())
}

/// What both kinds of journey get: one after the other, each with the same programs.
fn journeys(command: &mut Command, prepared: &Prepared<'_>, name: &str) -> Result<()> {
    command
        .args(["--test-reporter=spec", "--test-concurrency=1"])
        .args(journey_files(prepared.place, name)?)
        .env(CLAUDE.variable, prepared.agent(CLAUDE)?)
        .env("BATON_TEST_PROGRAMS", prepared.place.programs(false));
    Ok(())
}

fn journey_files(place: &Place, name: &str) -> Result<Vec<String>> {
    let entries = fs::read_dir(place.journeys(name)).context("failed to list the journeys")?;
    let names = entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
    let mut names = names.collect::<Result<Vec<_>>>()?;
    names.retain(|name| name.ends_with(".test.js"));
    names.sort();
    Ok(names)
}

fn check(what: &'static str, command: Command) -> Step {
    Step { what, command, reading: Reading::Check }
}
